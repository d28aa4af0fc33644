// tsr_locks in several shapes against a model written from its header.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>

#include "tb/check/plan.h"
#include "tests/channel_units/locks_bench.h"

namespace tessera::locks {
namespace {

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

// Random channels and software on every bank: each handshake fits the model, nobody who is
// satisfied waits long, waiters of a lock go in order.
TEST(LocksRandom, FollowTheModel) {
  Proves({"lock.at-least", "lock.equal"});
  constexpr int kSeeds = 50;
  constexpr int kCycles = 1500;
  ::testing::Test::RecordProperty("cases", kSeeds);
  int grants = 0, withdrawn = 0, dropped = 0, refused = 0;
  for (uint64_t seed = 0; seed < kSeeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng = Rng(seed).Stream("locks");
    ClockedUnit<Vlocks_top> unit(seed);
    struct Waiter {
      std::optional<Op> acquire, release;
      uint64_t since = 0, satisfied = 0, asked = 0;
      bool rests = false, release_rests = false;
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
          if (w.release && rng.Chance(0.05)) {  // a reset of the channel
            w.release.reset();
            w.release_rests = true;
            ++dropped;
          } else if (!w.release && !w.release_rests && rng.Chance(activity / 2)) {
            w.release = random_op(shape, true);
            w.asked = now;
          } else {
            w.release_rests = false;
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
  EXPECT_GT(dropped, 300);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace tessera::locks
