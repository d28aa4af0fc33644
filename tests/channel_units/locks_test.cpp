// tsr_locks in several shapes against a model written from its header.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vlocks_top.h"

namespace tessera {
namespace {

constexpr int kMost = 32;
struct Shape {
  int channels, locks;
  bool equal_takes;
};
constexpr std::array<Shape, 5> kShapes = {
    {{2, 16, false}, {1, 1, false}, {5, 64, true}, {32, 7, false}, {4, 0, false}}};

struct Op {
  int lock = 0;
  int value = 0;
};
enum class Command { kRead = 0, kSet = 1, kRelease = 2, kTry = 3 };

bool Holds(Op op, int held) { return op.value < 0 ? held >= -op.value : held == op.value; }

// One bank of the top.
class Bank {
 public:
  Bank(ClockedUnit<Vlocks_top>* unit, int cell) : unit_(unit), cell_(cell) {
    for (int c = 0; c < kMost; ++c) {
      Acquire(c, std::nullopt);
      Release(c, std::nullopt);
    }
    Ask(Command::kRead, std::nullopt);
    Clear(0, 0);
  }
  const Shape& shape() const { return kShapes[static_cast<size_t>(cell_)]; }

  void Acquire(int channel, std::optional<Op> op) {
    Put(unit_->model().acquire_i, At(channel), op, 0);
    SetPinBit(unit_->model().acquire_valid_i, At(channel), op.has_value());
  }
  void Release(int channel, std::optional<Op> op) {
    Put(unit_->model().release_i, At(channel), op, 0);
    SetPinBit(unit_->model().release_valid_i, At(channel), op.has_value());
  }
  void Ask(Command command, std::optional<Op> op) {
    Put(unit_->model().reg_i, cell_, op, static_cast<int>(command));
    SetPinBit(unit_->model().reg_valid_i, cell_, op.has_value());
  }
  void Clear(uint64_t over, uint64_t under) {
    Pin64(unit_->model().over_clear_i) = over;
    Pin64(unit_->model().under_clear_i) = under;
  }
  bool acquired(int channel) { return PinBit(unit_->model().acquire_ready_o, At(channel)); }
  bool released(int channel) { return PinBit(unit_->model().release_ready_o, At(channel)); }
  bool release_over(int channel) { return PinBit(unit_->model().release_over_o, At(channel)); }
  bool release_under(int channel) { return PinBit(unit_->model().release_under_o, At(channel)); }
  bool answered() { return PinBit(unit_->model().reg_ready_o, cell_); }
  bool granted() { return PinBit(unit_->model().reg_granted_o, cell_); }
  int value() { return PinBytes(unit_->model().reg_value_o)[cell_]; }
  uint64_t over() { return Pin64(unit_->model().over_o); }
  uint64_t under() { return Pin64(unit_->model().under_o); }

 private:
  int At(int channel) const { return cell_ * kMost + channel; }
  template <typename Pin>
  uint64_t& Pin64(Pin& pin) {
    return reinterpret_cast<uint64_t*>(PinBytes(pin))[cell_];
  }
  template <typename Pin>
  static void Put(Pin& pin, int at, std::optional<Op> op, int command) {
    const Op put = op.value_or(Op{});
    const auto word = static_cast<uint16_t>(command << 14 | put.lock << 8 | (put.value & 0x7f));
    reinterpret_cast<uint16_t*>(PinBytes(pin))[at] = word;
  }

  ClockedUnit<Vlocks_top>* unit_;
  int cell_;
};

// What the header says, at the handshakes of one bank.
class Model {
 public:
  explicit Model(const Shape& shape) : shape_(shape) {}

  void Grant(Op op) {
    EXPECT_TRUE(Holds(op, held_[At(op)])) << Name(op) << " granted at " << held_[At(op)];
    Take(op);
  }
  void Add(Op op, bool* over, bool* under) {
    const int sum = held_[At(op)] + op.value;
    *over = sum > 63;
    *under = sum < 0;
    held_[At(op)] = *over ? 63 : *under ? 0 : sum;
    if (*over) over_ |= uint64_t{1} << op.lock;
    if (*under) under_ |= uint64_t{1} << op.lock;
  }
  void Set(Op op) { held_[At(op)] = op.value & 63; }
  void Take(Op op) {
    if (op.value < 0 || shape_.equal_takes) held_[At(op)] -= op.value < 0 ? -op.value : op.value;
  }
  void Clear(uint64_t over, uint64_t under) {
    over_ &= ~over;
    under_ &= ~under;
  }
  int held(int lock) const { return held_[static_cast<size_t>(lock)]; }
  uint64_t over() const { return over_; }
  uint64_t under() const { return under_; }

  static std::string Name(Op op) { return fmt::format("lock {} value {}", op.lock, op.value); }

 private:
  static size_t At(Op op) { return static_cast<size_t>(op.lock); }

  Shape shape_;
  std::array<int, 64> held_ = {};
  uint64_t over_ = 0, under_ = 0;
};

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
      b.Acquire(4, Op{0, -1});
      EXPECT_LT(Until([&] { return b.acquired(4); }), 40);
      b.Acquire(4, std::nullopt);
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

// Random channels and software on every bank: each handshake fits the model, nobody who is
// satisfied waits long, waiters of a lock go in order.
TEST(LocksRandom, FollowTheModel) {
  Proves({"lock.at-least", "lock.equal"});
  constexpr int kSeeds = 50;
  constexpr int kCycles = 1500;
  ::testing::Test::RecordProperty("cases", kSeeds);
  int grants = 0, withdrawn = 0, refused = 0;
  for (uint64_t seed = 0; seed < kSeeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng = Rng(seed).Stream("locks");
    ClockedUnit<Vlocks_top> unit(seed);
    struct Waiter {
      std::optional<Op> acquire, release;
      uint64_t since = 0, satisfied = 0, asked = 0;
      bool rests = false;
    };
    struct Side {
      Bank bank;
      Model model;
      std::array<Waiter, kMost> channels = {};
      std::optional<Op> ask = std::nullopt;
      Command command = Command::kRead;
      uint64_t asked = 0, over = 0, under = 0;
      std::set<int> lines = {};  // locks at which somebody waited by counting in the cycle before
    };
    std::deque<Side> sides;
    for (int i = 0; i < 4; ++i) {
      sides.push_back({Bank(&unit, i), Model(kShapes[static_cast<size_t>(i)])});
    }
    Bank idle(&unit, 4);
    unit.Reset();
    for (int i = 0; i < 66; ++i) unit.Cycle();
    const double activity = rng.Chance(0.5) ? 0.5 : 0.05;
    const int few = 1 + static_cast<int>(rng.Below(4));  // locks that are really used
    const auto random_op = [&](const Shape& shape, bool release) {
      Op op{static_cast<int>(rng.Below(static_cast<uint64_t>(std::min(few, shape.locks)))), 0};
      const int most = rng.Chance(0.1) ? 63 : 4;
      const int size = static_cast<int>(rng.Below(static_cast<uint64_t>(most) + 1));
      op.value = release ? (rng.Chance(0.9) ? size : -size) : (rng.Chance(0.7) ? -size : size);
      if (release && rng.Chance(0.02)) op.value = -64;
      return op;
    };
    for (int i = 0; i < kCycles && !::testing::Test::HasFailure(); ++i) {
      const uint64_t now = unit.cycle();
      for (Side& side : sides) {
        const Shape& shape = side.bank.shape();
        side.lines.clear();
        for (int c = 0; c < shape.channels; ++c) {
          Waiter& w = side.channels[static_cast<size_t>(c)];
          if (w.acquire && w.acquire->value < 0) side.lines.insert(w.acquire->lock);
          if (w.acquire && rng.Chance(0.004)) {
            w.acquire.reset();
            w.rests = true;  // down for at least a cycle
            ++withdrawn;
          } else if (!w.acquire && !w.rests && rng.Chance(activity)) {
            w.acquire = random_op(shape, false);
            w.since = w.satisfied = now;
          } else {
            w.rests = false;
          }
          if (!w.release && rng.Chance(activity / 2)) {
            w.release = random_op(shape, true);
            w.asked = now;
          }
          side.bank.Acquire(c, w.acquire);
          side.bank.Release(c, w.release);
        }
        if (!side.ask && rng.Chance(0.05)) {
          side.command = static_cast<Command>(rng.Below(4));
          side.ask = random_op(shape, side.command == Command::kRelease);
          side.asked = now;
        }
        side.bank.Ask(side.command, side.ask);
        side.over = rng.Chance(0.1) ? rng() : 0;
        side.under = rng.Chance(0.1) ? rng() : 0;
        side.bank.Clear(side.over, side.under);
      }
      unit.Cycle([&] {
        for (Side& side : sides) {
          const Shape& shape = side.bank.shape();
          const uint64_t bound = 8 * static_cast<uint64_t>(shape.channels) + 20;
          const Model before = side.model;  // what is granted or read without a change sees this
          EXPECT_EQ(side.bank.over(), side.model.over());
          EXPECT_EQ(side.bank.under(), side.model.under());
          // Those who are granted without a change see the lock before it.
          for (const bool takes : {false, true}) {
            for (int c = 0; c < shape.channels; ++c) {
              Waiter& w = side.channels[static_cast<size_t>(c)];
              if (!w.acquire || !side.bank.acquired(c)) continue;
              if ((w.acquire->value < 0 || shape.equal_takes) != takes) continue;
              ++grants;
              side.model.Grant(*w.acquire);
              for (int d = 0; d < shape.channels && w.acquire->value < 0; ++d) {
                const Waiter& other = side.channels[static_cast<size_t>(d)];
                if (d == c || !other.acquire || other.acquire->value >= 0) continue;
                if (other.acquire->lock != w.acquire->lock) continue;
                EXPECT_GT(other.since + bound, w.since) << "channel " << c << " overtook " << d;
              }
              w.acquire.reset();
            }
          }
          side.model.Clear(side.over, side.under);
          for (int c = 0; c < shape.channels; ++c) {
            Waiter& w = side.channels[static_cast<size_t>(c)];
            if (!w.release) continue;
            if (side.bank.released(c)) {
              bool over = false, under = false;
              side.model.Add(*w.release, &over, &under);
              EXPECT_EQ(side.bank.release_over(c), over);
              EXPECT_EQ(side.bank.release_under(c), under);
              w.release.reset();
            } else {
              EXPECT_LT(now, w.asked + bound) << "release of channel " << c;
            }
          }
          if (side.ask && side.bank.answered()) {
            bool over = false, under = false;
            const int held = before.held(side.ask->lock);
            switch (side.command) {
              case Command::kRead:
                EXPECT_EQ(side.bank.value(), held);
                break;
              case Command::kSet:
                side.model.Set(*side.ask);
                break;
              case Command::kRelease:
                side.model.Add(*side.ask, &over, &under);
                break;
              case Command::kTry:
                if (side.bank.granted()) {
                  EXPECT_TRUE(Holds(*side.ask, held));
                  side.model.Take(*side.ask);
                } else {
                  const bool line = side.lines.contains(side.ask->lock);
                  EXPECT_TRUE(!Holds(*side.ask, held) || (line && side.ask->value < 0));
                  ++refused;
                }
                break;
            }
            side.ask.reset();
          } else if (side.ask) {
            EXPECT_LT(now, side.asked + bound) << "software";
          }
        }
      });
    }
  }
  EXPECT_GT(grants, 10000);
  EXPECT_GT(withdrawn, 300);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace tessera
