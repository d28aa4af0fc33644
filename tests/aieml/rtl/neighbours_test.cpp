// The locks of three tiles in a row, cycle by cycle: channels of each take locks of all that they
// reach and give them back, while registers add to them and tiles are reset.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vneighbours_top.h"

namespace tessera {
namespace {

constexpr size_t kTiles = 3, kChannels = 4, kLocks = 4;
constexpr size_t kStill = 3;  // a lock that registers alone look at
constexpr int kBound = 200;   // cycles of an access, while all others are busy
enum Command : uint32_t { kRead, kSet, kRelease };

struct Op {
  size_t tile = 0, lock = 0;
  int value = -1;  // below 0: takes so many; else waits for exactly so many
};

struct Channel {
  enum State { kIdle, kTries, kAsked, kBlocked, kHolds } state = kIdle;
  Op op;
  bool queued = false;
  uint64_t holds = 0;  // cycles
};

struct Tile {
  std::array<Channel, kChannels> channels;
  std::optional<size_t> turn;                  // the channel that asks
  std::array<std::optional<size_t>, 2> asked;  // those with an answer in two cycles, in one
  std::deque<Op> releases;
  std::optional<uint32_t> access;  // of registers
  std::array<int, 3> waits{};      // cycles of an acquire, a release, an access
  int rests = 80;                  // cycles from a reset on
};

uint32_t Word(uint32_t side, size_t lock, int value) {
  return 1u << 15 | side << 13 | static_cast<uint32_t>(lock) << 7 |
         (static_cast<uint32_t>(value) & 127);
}

int First(size_t lock) { return static_cast<int>(lock) + 3; }  // value

class Row {
 public:
  explicit Row(uint64_t seed) : rng_(Rng(seed).Stream("row")), unit_(1) {}

  bool starts = false, resets = false;  // channels; tiles
  uint64_t granted = 0, far = 0, refused = 0;

  void Cycle() {
    auto& m = unit_.model();
    m.rst_ni = 0;
    m.release_i = m.reg_i = m.acquire_i = 0;
    m.channel_i = m.queued_i = 0;
    for (size_t n = 0; n < kTiles; ++n) {
      Tile& tile = tiles_[n];
      Choose(n);
      if (tile.rests < 70) m.rst_ni |= static_cast<uint8_t>(1u << n);
      if (!tile.releases.empty()) {
        const Op& op = tile.releases.front();
        m.release_i |= uint64_t{Word(SideOf(n, op.tile), op.lock, -op.value)} << 16 * n;
      }
      m.reg_i |= uint64_t{tile.access.value_or(0)} << 16 * n;
      if (!tile.turn) continue;
      const Channel& channel = tile.channels[*tile.turn];
      const Op& op = channel.op;
      m.acquire_i |= uint64_t{Word(SideOf(n, op.tile), op.lock, op.value)} << 16 * n;
      m.channel_i |= static_cast<uint16_t>(*tile.turn << 5 * n);
      m.queued_i |= static_cast<uint8_t>((channel.queued ? 1u : 0u) << n);
    }
    unit_.Settle();
    for (size_t n = 0; n < kTiles; ++n) Look(n);
    unit_.Edge();
  }
  // Cycles until all channels are idle, or so many.
  bool Rest(int most) {
    const auto idle = [](const Tile& tile) {
      bool all = tile.releases.empty() && !tile.access;
      for (const Channel& channel : tile.channels) all = all && channel.state == Channel::kIdle;
      return all;
    };
    for (int n = 0; n < most; ++n) {
      if (idle(tiles_[0]) && idle(tiles_[1]) && idle(tiles_[2])) return true;
      Cycle();
    }
    return false;
  }
  // For so many cycles; then the bank begins, and what launches.
  void Reset(size_t tile, int cycles) {
    tiles_[tile] = {};
    tiles_[tile].rests = 70 + cycles;
  }
  void Try(size_t tile, const Op& op) {
    tiles_[tile].channels[0] = {Channel::kTries, op, false, 0};
  }
  int Ask(size_t tile, Command command, size_t lock, int value = 0) {
    tiles_[tile].access = Word(command, lock, value);
    while (tiles_[tile].access) Cycle();
    return value_;
  }

 private:
  static uint32_t SideOf(size_t from, size_t to) { return to == from ? 0 : to < from ? 1 : 2; }

  void Choose(size_t n) {
    Tile& tile = tiles_[n];
    if (resets && rng_.Chance(0.001)) Reset(n, 1 + static_cast<int>(rng_.Below(4)));
    if (tile.rests > 0) --tile.rests;
    if (tile.rests > 0) return;
    for (Channel& channel : tile.channels) {
      if (channel.state == Channel::kHolds && channel.holds-- == 0) {
        if (channel.op.value < 0) tile.releases.push_back(channel.op);
        channel = {};
      }
      if (!starts || channel.state != Channel::kIdle || !rng_.Chance(0.1)) continue;
      channel.state = Channel::kTries;
      channel.op.tile = n == 0 ? rng_.Below(2) : n - 1 + rng_.Below(n + 1 == kTiles ? 2 : 3);
      channel.op.lock = rng_.Below(kStill);
      const int held = static_cast<int>(rng_.Below(3));
      channel.op.value =
          rng_.Chance(0.8) ? -1 - held : First(channel.op.lock) - (rng_.Chance(0.03) ? held : 0);
    }
    if (starts && !tile.access && rng_.Chance(0.1)) tile.access = Word(kRead, kStill, 0);
    const size_t first = rng_.Below(kChannels);
    for (size_t k = 0; k < kChannels && !tile.turn; ++k) {
      const size_t channel = (first + k) % kChannels;
      if (tile.channels[channel].state == Channel::kTries) tile.turn = channel;
    }
  }

  void Look(size_t n) {
    auto& m = unit_.model();
    Tile& tile = tiles_[n];
    const auto is = [n](uint64_t bits) { return (bits >> n & 1) != 0; };
    if (tile.rests >= 70) return;
    EXPECT_FALSE(!resets && is(m.wrong_o)) << "a lock has left its range";
    const std::optional<size_t> answered = tile.asked[1];
    tile.asked[1] = tile.asked[0];
    tile.asked[0].reset();
    for (size_t k = 0; k < kChannels; ++k) {
      Channel& channel = tile.channels[k];
      const bool beside = channel.op.tile != n;
      if (answered == k) {
        channel.state = is(m.granted_o) ? Channel::kHolds : Channel::kBlocked;
        channel.queued = is(m.queued_o);
        channel.holds = rng_.Below(20);
        granted += is(m.granted_o) ? 1 : 0;
        far += is(m.granted_o) && beside ? 1 : 0;
        refused += !is(m.granted_o) && beside ? 1 : 0;
      } else if (channel.state == Channel::kBlocked) {
        const bool woken = is(m.wake_o) && (m.wake_channel_o >> 5 * n & 31) == k;
        const bool changed = beside ? is(m.remote_o) : is(m.changed_o) && !channel.queued;
        if (woken || changed) channel.state = Channel::kTries;
      }
    }
    for (int& wait : tile.waits) ++wait;
    if (!tile.turn || is(m.acquire_ready_o)) tile.waits[0] = 0;
    if (tile.releases.empty() || is(m.release_ready_o)) tile.waits[1] = 0;
    if (!tile.access || is(m.reg_ready_o)) tile.waits[2] = 0;
    for (const int wait : tile.waits) EXPECT_LT(wait, kBound) << "an access is not accepted";
    if (tile.turn && is(m.acquire_ready_o)) {
      tile.channels[*tile.turn].state = Channel::kAsked;
      tile.asked[0] = tile.turn;
      tile.turn.reset();
    }
    if (!tile.releases.empty() && is(m.release_ready_o)) tile.releases.pop_front();
    if (tile.access && is(m.reg_ready_o)) {
      value_ = static_cast<int>(m.reg_value_o >> 6 * n & 63);
      if (starts && !resets) {
        EXPECT_EQ(value_, First(kStill)) << "in the answer to registers";
      }
      tile.access.reset();
    }
  }

  Rng rng_;
  VerilatedUnit<Vneighbours_top> unit_;
  std::array<Tile, kTiles> tiles_;
  int value_ = 0;
};

class LocksOfARowSeeds : public ::testing::TestWithParam<uint64_t> {};

// What is taken comes back, whoever asks whom at the same time, and nobody waits for ever; also
// behind resets of tiles at any time.
TEST_P(LocksOfARowSeeds, NothingIsLost) {
  Row row(GetParam());
  for (int n = 0; n < 200; ++n) row.Cycle();
  for (int round = 0; round < 12; ++round) {
    row.resets = round % 3 == 1;
    for (size_t tile = 0; tile < kTiles; ++tile) {
      for (size_t lock = 0; lock < kLocks; ++lock) {
        row.Ask(tile, kSet, lock, First(lock));
      }
    }
    row.starts = true;
    for (int n = 0; n < 3000; ++n) row.Cycle();
    row.starts = row.resets = false;
    for (int n = 0; n < 1500; ++n) row.Cycle();
    if (round % 3 != 1) {
      for (size_t tile = 0; tile < kTiles; ++tile) {
        for (size_t lock = 0; lock < kLocks; ++lock) {
          EXPECT_EQ(row.Ask(tile, kRead, lock), First(lock)) << tile << " " << lock;
        }
      }
    }
    // Those that lack some get enough; those that wait for a value see all of them.
    for (const int value : {40, 1, 2, 3, 4, 5, 6}) {
      for (size_t tile = 0; tile < kTiles; ++tile) {
        for (size_t lock = 0; lock < kLocks; ++lock) row.Ask(tile, kSet, lock, value);
      }
      for (int n = 0; n < 300; ++n) row.Cycle();
    }
    ASSERT_TRUE(row.Rest(2000)) << "round " << round;
  }
  EXPECT_GT(row.granted, 2000U);
  EXPECT_GT(row.far, 1000U);
  EXPECT_GT(row.refused, 1000U);
}

// A tile is reset while it is asked, for any time: the other asks again, and gets the lock once.
TEST(LocksOfARow, AReset) {
  for (const size_t reset : {size_t{1}, size_t{0}}) {
    for (int cycles = 1; cycles <= 5; ++cycles) {
      for (int delay = 0; delay < 16; ++delay) {
        Row row(1);
        for (int n = 0; n < 200; ++n) row.Cycle();
        for (const size_t tile : {0, 1, 2}) row.Ask(tile, kSet, 1, 0);
        for (int n = 0; n < 20; ++n) row.Cycle();
        row.Try(0, {1, 1, -2});
        row.Try(2, {1, 1, 0});
        for (int n = 0; n < delay; ++n) row.Cycle();
        row.Reset(reset, cycles);
        for (int n = 0; n < 120; ++n) row.Cycle();
        row.Ask(1, kSet, 1, 2);
        EXPECT_TRUE(row.Rest(200)) << reset << " " << cycles << " " << delay;
        EXPECT_EQ(row.Ask(1, kRead, 1), 2) << reset << " " << cycles << " " << delay;
        row.Try(0, {1, 1, -2});
        EXPECT_TRUE(row.Rest(200)) << reset << " " << cycles << " " << delay;
        EXPECT_EQ(row.Ask(1, kRead, 1), 2) << reset << " " << cycles << " " << delay;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Any, LocksOfARowSeeds, ::testing::Range(uint64_t{1}, uint64_t{9}));

}  // namespace
}  // namespace tessera
