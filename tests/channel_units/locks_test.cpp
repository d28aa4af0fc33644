// tsr_locks in several shapes: latency, order, who waits for whom.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

#include "tb/check/plan.h"
#include "tests/channel_units/locks_bench.h"

namespace tessera::locks {
namespace {

class Locks : public ::testing::Test {
 protected:
  explicit Locks(uint64_t seed = 1) : unit_(seed) {
    for (int i = 0; i < static_cast<int>(kShapes.size()); ++i) banks_.emplace_back(&unit_, i);
    unit_.Reset();
    for (int i = 0; i < 66; ++i) unit_.Cycle();
  }
  // Cycles until `done`, 0 if it is so in the first one; the request is still there afterwards.
  template <typename Done>
  int Until(Done&& done, int limit = 50) {
    for (int i = 0; i < limit; ++i) {
      bool now = false;
      unit_.Cycle([&] { now = done(); });
      if (now) return i;
    }
    return limit;
  }
  void Set(int cell, Op op) {
    Bank& bank = banks_[static_cast<size_t>(cell)];
    bank.Ask(Command::kSet, op);
    EXPECT_LT(Until([&] { return bank.answered(); }), 50);
    bank.Ask(Command::kRead, std::nullopt);
    unit_.Cycle();
  }
  int Read(int cell, int lock) {
    Bank& bank = banks_[static_cast<size_t>(cell)];
    int value = -1;
    bank.Ask(Command::kRead, Op{lock, 0});
    EXPECT_LT(Until([&] {
                value = bank.value();
                return bank.answered();
              }),
              50);
    bank.Ask(Command::kRead, std::nullopt);
    unit_.Cycle();
    return value;
  }
  Bank& bank(int cell) { return banks_[static_cast<size_t>(cell)]; }

  ClockedUnit<Vlocks_top> unit_;
  std::deque<Bank> banks_;
};

TEST_F(Locks, LatencyOfAFreeLock) {
  Proves({"lock.equal"});
  for (const int cell : {0, 1, 2, 3}) {
    Set(cell, {0, 5});
    Bank& b = bank(cell);
    b.Acquire(0, Op{0, -2});
    EXPECT_EQ(Until([&] { return b.acquired(0); }), 1) << cell;
    b.Acquire(0, std::nullopt);
    unit_.Cycle();
    b.Acquire(0, Op{0, 3});
    EXPECT_EQ(Until([&] { return b.acquired(0); }), 1) << cell;
    b.Acquire(0, std::nullopt);
    EXPECT_EQ(Read(cell, 0), kShapes[static_cast<size_t>(cell)].equal_takes ? 0 : 3);
  }
}

TEST_F(Locks, LatencyFromReleaseToGrant) {
  for (const int cell : {0, 2, 3}) {
    for (const int value : {-2, 2}) {
      Set(cell, {0, 0});
      Bank& b = bank(cell);
      b.Acquire(1, Op{0, value});
      EXPECT_EQ(Until([&] { return b.acquired(1); }, 20), 20);
      b.Release(0, Op{0, 2});
      EXPECT_EQ(Until([&] { return b.released(0); }), 1) << cell;
      b.Release(0, std::nullopt);
      EXPECT_EQ(Until([&] { return b.acquired(1); }), 1)
          << cell << ": second cycle after the handshake";
      b.Acquire(1, std::nullopt);
      unit_.Cycle();
    }
  }
}

TEST_F(Locks, Throughput) {
  Bank& b = bank(0);
  // A channel on two locks in turn: a request every second cycle.
  Set(0, {0, 63});
  Set(0, {1, 63});
  int grants = 0;
  Op op{0, -1};
  b.Acquire(0, op);
  for (int i = 0; i < 40; ++i) {
    unit_.Cycle([&] {
      if (!b.acquired(0)) return;
      ++grants;
      op.lock ^= 1;
    });
    b.Acquire(0, op);
  }
  EXPECT_EQ(grants, 20);
  b.Acquire(0, std::nullopt);
  unit_.Cycle();
  // Two channels on two locks: a change every cycle.
  Set(0, {0, 63});
  Set(0, {1, 63});
  b.Acquire(0, Op{0, -1});
  unit_.Cycle();
  b.Acquire(1, Op{1, -1});
  grants = 0;
  for (int i = 0; i < 40; ++i) {
    unit_.Cycle([&] { grants += b.acquired(0) + b.acquired(1); });
  }
  EXPECT_EQ(grants, 40);
}

TEST_F(Locks, OrderIsKeptAlsoBehindALargeAmount) {
  Proves({"lock.order", "lock.alone"});
  for (const int cell : {2, 3}) {
    Bank& b = bank(cell);
    Set(cell, {0, 1});
    b.Acquire(3, Op{0, -3});
    unit_.Cycle();
    unit_.Cycle();
    b.Acquire(1, Op{0, -1});
    EXPECT_EQ(Until([&] { return b.acquired(1) || b.acquired(3); }, 20), 20)
        << "1 is there, 3 are asked";
    // Another lock is not held up.
    b.Acquire(0, Op{0, 1});
    EXPECT_EQ(Until([&] { return b.acquired(0); }), 1) << "a state passes the line";
    b.Acquire(0, std::nullopt);
    b.Release(0, Op{0, b.shape().equal_takes ? 3 : 2});
    EXPECT_EQ(Until([&] { return b.released(0); }), 1);
    b.Release(0, std::nullopt);
    EXPECT_EQ(Until([&] { return b.acquired(3); }), 1);
    b.Acquire(3, std::nullopt);
    EXPECT_EQ(Until([&] { return b.acquired(1); }, 20), 20) << "the 3 went to the first";
    b.Release(0, Op{0, 1});
    EXPECT_EQ(Until([&] { return b.released(0); }), 1);
    b.Release(0, std::nullopt);
    EXPECT_EQ(Until([&] { return b.acquired(1); }), 1);
    b.Acquire(1, std::nullopt);
    unit_.Cycle();
  }
}

TEST_F(Locks, WithdrawnAcquireTakesNothingAndLeavesTheLine) {
  Proves({"lock.order"});
  Bank& b = bank(2);
  Set(2, {9, 1});
  b.Acquire(0, Op{9, -2});
  unit_.Cycle();
  unit_.Cycle();
  b.Acquire(1, Op{9, -1});
  unit_.Cycle();
  unit_.Cycle();
  b.Acquire(0, std::nullopt);
  EXPECT_LE(Until([&] { return b.acquired(1); }), 3);
  b.Acquire(1, std::nullopt);
  EXPECT_EQ(Read(2, 9), 0);
}

// A release that a reset of its channel takes back changes nothing, in whatever cycle of its turn.
TEST_F(Locks, WithdrawnReleaseChangesNothing) {
  Proves({"lock.at-least"});
  Bank& b = bank(2);
  int withdrawn = 0;
  for (int cycles = 1; cycles < 6; ++cycles) {
    Set(2, {9, 5});
    b.Release(0, Op{9, 3});
    b.Release(1, Op{9, 7});  // keeps it waiting
    bool first = false, second = false;
    for (int n = 0; n < cycles; ++n) {
      unit_.Cycle([&] {
        first = first || b.released(0);
        second = second || b.released(1);
      });
      if (first) b.Release(0, std::nullopt);
      if (second) b.Release(1, std::nullopt);
    }
    withdrawn += !first || !second;
    b.Release(0, std::nullopt);
    b.Release(1, std::nullopt);
    unit_.Cycle([&] { EXPECT_FALSE(b.released(0) || b.released(1)); });
    unit_.Cycle();
    EXPECT_EQ(Read(2, 9), 5 + (first ? 3 : 0) + (second ? 7 : 0)) << cycles;
  }
  EXPECT_GT(withdrawn, 1);
}

// Two leave in one cycle, and come back in the next.
TEST_F(Locks, WhoLeavesAndComesBackAtOnceGoesBehindTheOthers) {
  Proves({"lock.order"});
  for (const int cell : {2, 3}) {
    Bank& b = bank(cell);
    Set(cell, {0, 0});
    for (const int c : {1, 2, 4}) {
      b.Acquire(c, Op{0, -1});
      for (int i = 0; i < 3; ++i) unit_.Cycle();
    }
    for (const int c : {1, 2}) b.Acquire(c, std::nullopt);
    unit_.Cycle();
    for (const int c : {1, 2}) b.Acquire(c, Op{0, -1});
    for (int i = 0; i < 10; ++i) unit_.Cycle();
    for (const int next : {4, 1, 2}) {
      SCOPED_TRACE(fmt::format("cell {}, channel {} is next", cell, next));
      b.Release(0, Op{0, 1});
      EXPECT_LT(Until([&] { return b.released(0); }), 3);
      b.Release(0, std::nullopt);
      bool granted = false;
      for (int i = 0; i < 10 && !granted; ++i) {
        unit_.Cycle([&] {
          granted = b.acquired(next);
          for (const int c : {1, 2, 4}) EXPECT_TRUE(c == next || !b.acquired(c)) << c;
        });
      }
      EXPECT_TRUE(granted);
      b.Acquire(next, std::nullopt);
      unit_.Cycle();
    }
  }
}

// Whoever has left the line refuses nothing to software any more.
TEST_F(Locks, SoftwareTriesWhileWaitersLeave) {
  for (const int cell : {0, 2, 3}) {
    Bank& b = bank(cell);
    for (const int leavers : {1, 2}) {
      for (int when = 1; when < 8; ++when) {
        SCOPED_TRACE(fmt::format("cell {}, {} leave, {} cycles before", cell, leavers, when));
        Set(cell, {0, 1});
        for (int c = 0; c < leavers; ++c) b.Acquire(c, Op{0, -2});
        for (int i = 0; i < 6; ++i) unit_.Cycle();
        for (int c = 0; c < leavers; ++c) b.Acquire(c, std::nullopt);
        for (int i = 0; i < when; ++i) unit_.Cycle();
        b.Ask(Command::kTry, Op{0, -1});
        bool granted = false;
        EXPECT_LE(Until([&] {
                    granted = b.granted();
                    return b.answered();
                  }),
                  5);
        EXPECT_TRUE(granted);
        b.Ask(Command::kRead, std::nullopt);
        unit_.Cycle();
      }
    }
  }
}

TEST_F(Locks, SoftwareTriesOnce) {
  Bank& b = bank(0);
  const auto attempt = [&](Op op) {
    bool granted = false;
    b.Ask(Command::kTry, op);
    EXPECT_LE(Until([&] {
                granted = b.granted();
                return b.answered();
              }),
              3);
    b.Ask(Command::kRead, std::nullopt);
    unit_.Cycle();
    return granted;
  };
  Set(0, {2, 3});
  EXPECT_TRUE(attempt({2, -3}));
  EXPECT_FALSE(attempt({2, -1}));
  EXPECT_TRUE(attempt({2, 0}));
  EXPECT_FALSE(attempt({2, 1}));
  Set(0, {2, 1});
  b.Acquire(0, Op{2, -2});
  unit_.Cycle();
  unit_.Cycle();
  EXPECT_FALSE(attempt({2, -1})) << "a channel waits in line";
  EXPECT_TRUE(attempt({2, 1})) << "a state is not in line";
  b.Acquire(0, std::nullopt);
  unit_.Cycle();
  unit_.Cycle();
  EXPECT_TRUE(attempt({2, -1}));
}

// Others change the lock in every cycle, software asks it without a pause: everybody has its turn.
TEST_F(Locks, NobodyIsKeptOutByOthersWithoutAPause) {
  Proves({"lock.alone"});
  struct Row {
    bool releases, equals, software;
  };
  for (const int cell : {2, 3}) {
    for (const Row row : {Row{true, false, false}, Row{false, false, true}, Row{true, false, true},
                          Row{true, true, true}}) {
      SCOPED_TRACE(fmt::format("cell {}, {} {} {}", cell, row.releases, row.equals, row.software));
      Bank& b = bank(cell);
      Set(cell, {0, 32});
      Set(cell, {1, 0});
      if (row.releases) {
        for (const int c : {0, 1}) b.Release(c, Op{0, 0});
      }
      if (row.equals) b.Acquire(2, Op{1, 0});
      if (row.software) b.Ask(Command::kTry, Op{0, -63});
      for (int i = 0; i < 30; ++i) unit_.Cycle();
      for (int turn = 0; turn < 6; ++turn) {
        b.Acquire(4, Op{0, -1});
        EXPECT_LT(Until([&] { return b.acquired(4); }), 40) << "turn " << turn;
        b.Acquire(4, std::nullopt);
        unit_.Cycle();
      }
      if (row.software) {
        EXPECT_LT(Until([&] { return b.answered(); }), 40);
      }
      b.Ask(Command::kSet, Op{0, 32});
      EXPECT_LT(Until([&] { return b.answered(); }), 40);
      b.Ask(Command::kRead, std::nullopt);
      b.Acquire(2, std::nullopt);
      for (const int c : {0, 1}) {
        if (row.releases) {
          EXPECT_LT(Until([&] { return b.released(c); }), 40);
        }
        b.Release(c, std::nullopt);
        unit_.Cycle();
      }
    }
  }
}

TEST_F(Locks, NoLocksAreWires) {
  Bank& b = bank(4);
  b.Release(3, Op{5, 1});
  b.Acquire(2, Op{5, 0});
  EXPECT_EQ(Until([&] { return b.acquired(2); }, 20), 20);
  EXPECT_EQ(Until([&] { return b.released(3); }), 0);
  b.Ask(Command::kTry, Op{0, 0});
  EXPECT_EQ(Until([&] { return b.answered() && !b.granted(); }), 0);
}

// Two channels hand a buffer to each other: the producer waits for an empty one, fills it and
// releases it full; the consumer the other way. Whatever their pace, they alternate for ever.
TEST_F(Locks, PingPong) {
  Proves({"lock.at-least"});
  Rng rng(7);
  Bank& b = bank(0);
  for (const bool counting : {true, false}) {
    Set(0, {4, counting ? 2
                        : 0});  // counting: two empty buffers; else one lock tells whose turn it is
    Set(0, {5, 0});
    struct Side {
      Op acquire, release;
      int phase = 0, pause = 0, turns = 0;
    };
    std::array<Side, 2> sides;
    sides[0] = {counting ? Op{4, -1} : Op{4, 0}, counting ? Op{5, 1} : Op{4, 1}};
    sides[1] = {counting ? Op{5, -1} : Op{4, 1}, counting ? Op{4, 1} : Op{4, -1}};
    for (int i = 0; i < 5000; ++i) {
      for (int c = 0; c < 2; ++c) {
        Side& side = sides[static_cast<size_t>(c)];
        b.Acquire(c, side.phase == 0 ? std::optional(side.acquire) : std::nullopt);
        b.Release(c, side.phase == 2 ? std::optional(side.release) : std::nullopt);
      }
      unit_.Cycle([&] {
        for (int c = 0; c < 2; ++c) {
          Side& side = sides[static_cast<size_t>(c)];
          if (side.phase == 0 && b.acquired(c)) {
            side.phase = 1;
            side.pause = rng.Chance(0.3) ? static_cast<int>(rng.Below(20)) : 0;
          } else if (side.phase == 1) {
            if (side.pause-- == 0) side.phase = 2;
          } else if (side.phase == 2 && b.released(c)) {
            side.phase = 0;
            ++side.turns;
          }
        }
      });
      const int lead = sides[0].turns - sides[1].turns;
      ASSERT_GE(lead, -1);  // the handshake of the producer may be the later one in a cycle
      ASSERT_LE(lead, counting ? 3 : 1);
    }
    EXPECT_GT(sides[1].turns, 200);
    for (int c = 0; c < 2; ++c) {
      b.Acquire(c, std::nullopt);
      b.Release(c, std::nullopt);
    }
    EXPECT_EQ(b.over() | b.under(), 0U);
    unit_.Reset();
    for (int i = 0; i < 66; ++i) unit_.Cycle();
  }
}

}  // namespace
}  // namespace tessera::locks
