// Locks of neighbouring memory tiles, of the RTL, of the behavioural model, and of both side by
// side.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/aieml/rtl/random_array.h"
#include "tools/aieml/rtl/rtl_dma.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

constexpr uint32_t kColumns = 3, kMiddle = 1;
constexpr uint32_t kWest = 0, kOwn = 64, kEast = 128;  // the first lock of each, in a descriptor

struct Mix {
  std::string name;
  std::vector<uint32_t> rtl;  // columns
};

class Neighbours : public ::testing::TestWithParam<Mix> {
 protected:
  void SetUp() override {
    if (!array::HasRtl(TileKind::kMemory)) GTEST_SKIP() << "no memory tile in this build";
    Make();
  }
  void Make() {
    ArrayOptions options;
    options.columns = kColumns;
    options.compute_rows = 0;
    for (uint32_t column = 0; column < kColumns; ++column) {
      for (uint32_t n = 0; n < 4; ++n) {
        options.routes.push_back({{column, 1, n}, {{column, 1, n}}});
      }
    }
    array::Places places;
    for (const uint32_t column : GetParam().rtl) places.emplace_back(column, 1);
    if (!places.empty()) options.make_dma = array::MakeRtl(places);
    array_ = std::make_unique<Array>(options);
  }

  void Set(uint32_t column, uint32_t offset, uint32_t value) {
    ASSERT_TRUE(array_->Write(AddressOf(column, 1, offset), value));
  }
  uint32_t Get(uint32_t column, uint32_t offset) {
    uint32_t value = 0;
    EXPECT_TRUE(array_->Read(AddressOf(column, 1, offset), &value));
    return value;
  }
  void SetLock(uint32_t column, uint32_t lock, uint32_t value) {
    Set(column, 0xc0000 + 0x10 * lock, value);
  }
  uint32_t Lock(uint32_t column, uint32_t lock) { return Get(column, 0xc0000 + 0x10 * lock); }
  // A linear descriptor with an acquire and a release; a release of 0 is none.
  void Describe(uint32_t column, uint32_t bd, uint32_t words, uint32_t acquire, int32_t value,
                uint32_t release = 0, int32_t gives = 0) {
    Set(column, 0xa0000 + 0x20 * bd, words);
    Set(column, 0xa0004 + 0x20 * bd, 0x20000 + 64 * bd);
    Set(column, 0xa001c + 0x20 * bd,
        1u << 31 | (static_cast<uint32_t>(gives) & 127) << 24 | release << 16 | 1u << 15 |
            (static_cast<uint32_t>(value) & 127) << 8 | acquire);
  }
  // What a channel sends comes back to the channel of its number.
  void Take(uint32_t column, uint32_t channel, uint32_t bd, uint32_t words, uint32_t times) {
    Set(column, 0xa0000 + 0x20 * bd, words);
    Set(column, 0xa0004 + 0x20 * bd, 0x20000 + 0x4000 + 64 * bd);
    Set(column, 0xa001c + 0x20 * bd, 1u << 31);
    Set(column, 0xa0604 + 8 * channel, (times - 1) << 16 | bd);
  }
  void Send(uint32_t column, uint32_t channel, uint32_t bd, uint32_t times = 1) {
    Set(column, 0xa0634 + 8 * channel, (times - 1) << 16 | bd);
  }
  uint32_t Status(uint32_t column, uint32_t channel) { return Get(column, 0xa0680 + 4 * channel); }
  bool WaitsForLock(uint32_t column, uint32_t channel) {
    return (Status(column, channel) >> 2 & 1) != 0;
  }
  void Reset(uint32_t column, uint32_t channel) {
    Set(column, 0xa0630 + 8 * channel, 2);
    Set(column, 0xa0630 + 8 * channel, 0);
  }
  void ResetModule(uint32_t column, bool on) { Set(column, 0xfff10, on ? 2 : 0); }
  void RunClock(uint32_t column, bool on) { Set(column, 0xfff00, on ? 7 : 5); }

  bool Rtl(uint32_t column) const {
    const auto& rtl = GetParam().rtl;
    return std::find(rtl.begin(), rtl.end(), column) != rtl.end();
  }

  std::unique_ptr<Array> array_;
};

// Channels of all tiles take one lock of the middle one and give it back: none is lost, none is
// there twice, and all come to their end.
TEST_P(Neighbours, ChannelsOfThreeTilesShareALock) {
  for (const uint32_t tickets : {1u, 2u, 5u}) {
    Make();
    constexpr uint32_t kTimes = 20;
    for (uint32_t column = 0; column < kColumns; ++column) {
      const uint32_t lock = (kMiddle + 1 - column) * 64 + 7;
      for (uint32_t n = 0; n < 4; ++n) {
        const uint32_t bd = 24 * (n % 2) + n;
        const int32_t share = n == 3 && tickets > 1 ? 2 : 1;
        Describe(column, bd, 2 + n, lock, -share, lock, share);
        Take(column, n, bd + 8, 2 + n, kTimes);
      }
    }
    for (uint32_t n = 0; n < 4; ++n) {
      for (uint32_t column = 0; column < kColumns; ++column) {
        Send(column, n, 24 * (n % 2) + n, kTimes);
      }
    }
    array_->Clock(300);
    SetLock(kMiddle, 7, tickets);
    ASSERT_TRUE(array_->Settle(100000))
        << tickets << fmt::format(" {}", fmt::join(array_->WaitingChannels(), "; "));
    EXPECT_EQ(Lock(kMiddle, 7), tickets);
    EXPECT_EQ(Get(kMiddle, 0xc0420), 0u);
    EXPECT_EQ(Get(kMiddle, 0xc0428), 0u);
  }
}

// Each tile works with the locks of the others, all at once.
TEST_P(Neighbours, AllAskEachOther) {
  constexpr uint32_t kTimes = 30;
  for (uint32_t column = 0; column < kColumns; ++column) {
    for (uint32_t n = 0; n < 4; ++n) {
      // Gives where it takes: a lock of the tile to the east or to the west, of its own.
      const bool east = column == 0 || (column + 1 < kColumns && n % 2 == 0);
      const uint32_t lock = (east ? kEast : kWest) + 8 * column + n;
      const uint32_t bd = 24 * (n % 2) + n;
      SetLock(east ? column + 1 : column - 1, 8 * column + n, 1 + n);
      if (n == 2) {
        Describe(column, bd, 3, lock, 3, lock, 0);  // an equal value, which stays
      } else {
        Describe(column, bd, 3, lock, -1, lock, 1);
      }
      Take(column, n, bd + 8, 3, kTimes);
    }
  }
  for (uint32_t column = 0; column < kColumns; ++column) {
    for (uint32_t n = 0; n < 4; ++n) Send(column, n, 24 * (n % 2) + n, kTimes);
  }
  ASSERT_TRUE(array_->Settle(20000));
  for (uint32_t column = 0; column < kColumns; ++column) {
    for (uint32_t n = 0; n < 4; ++n) {
      const bool east = column == 0 || (column + 1 < kColumns && n % 2 == 0);
      EXPECT_EQ(Lock(east ? column + 1 : column - 1, 8 * column + n), 1 + n) << column << " " << n;
    }
  }
}

TEST_P(Neighbours, AnEqualValueIsWaitedFor) {
  for (const bool east : {false, true}) {
    const uint32_t other = east ? 2 : 0;
    Describe(kMiddle, 0, 4, (east ? kEast : kWest) + 5, 9);
    Take(kMiddle, 0, 8, 4, 1);
    Send(kMiddle, 0, 0);
    for (const uint32_t value : {8u, 10u, 63u, 9u}) {
      array_->Clock(100);
      EXPECT_TRUE(WaitsForLock(kMiddle, 0)) << value;
      SetLock(other, 5, value);
    }
    ASSERT_TRUE(array_->Settle(2000));
    EXPECT_EQ(Lock(other, 5), 9u);
  }
}

// What a channel waits for may come whenever it likes: from its tile's registers, from a channel
// there, in the moment in which it asks.
TEST_P(Neighbours, NoChangeIsMissed) {
  for (uint32_t delay = 0; delay < 60; ++delay) {
    Describe(0, 0, 4, kEast + 5, -2);
    Take(0, 0, 8, 4, 1);
    SetLock(1, 5, 0);
    Send(0, 0, 0);
    array_->Clock(delay);
    for (int n = 0; n < 2; ++n) Get(1, 0xd0000 + (5 << 10) + 4);  // releases one
    ASSERT_TRUE(array_->Settle(2000)) << delay;
    EXPECT_EQ(Lock(1, 5), 0u) << delay;
    // The other way round: the middle waits for a channel of the same lock's tile.
    Describe(1, 1, 4, kWest + 6, -1);
    Take(1, 2, 8, 4, 1);
    SetLock(0, 6, 0);
    Describe(0, 1, 2, kOwn + 7, -1, kOwn + 6, 1);
    SetLock(0, 7, 1);
    Take(0, 0, 8, 2, 1);
    Send(1, 2, 1);
    array_->Clock(delay);
    Send(0, 0, 1);
    ASSERT_TRUE(array_->Settle(2000)) << delay;
    EXPECT_EQ(Lock(0, 6), 0u) << delay;
  }
}

// A reset in any moment between the task and its end: the channel rests, and works again. Only what
// was on its way in the engine has taken its lock with it, as with a lock of the tile itself.
TEST_P(Neighbours, AResetGivesTheLockBack) {
  uint32_t lost[2] = {};
  for (const bool own : {true, false}) {
    const uint32_t lock = own ? kOwn + 3 : kEast + 3, where = own ? 1 : 2;
    bool kept = false, done = false;
    for (uint32_t delay = 0; delay < 80; ++delay) {
      Make();
      SetLock(where, 3, 1);
      Describe(1, 0, 4, lock, -1);
      Take(1, 0, 8, 4, 1);
      Send(1, 0, 0);
      array_->Clock(delay);
      Reset(1, 0);
      array_->Clock(100);
      EXPECT_EQ(Status(1, 0) & 0xffffff, 0u) << delay;
      const bool taken = Lock(where, 3) == 0, sent = (Get(1, 0xa0660) >> 19 & 1) == 0;
      kept = kept || (!taken && !sent);
      done = done || (taken && sent);
      EXPECT_FALSE(sent && !taken) << delay;
      lost[own ? 0 : 1] += taken && !sent ? 1 : 0;
      SetLock(where, 3, 1);
      Send(1, 0, 0);
      array_->Clock(300);
      EXPECT_EQ(Lock(where, 3), 0u) << delay;
      EXPECT_EQ(Status(1, 0) & 0xffffff, 0u) << delay;
    }
    EXPECT_TRUE(done) << own;
    EXPECT_TRUE(kept || !Rtl(kMiddle)) << own;  // the model takes it at once
  }
  EXPECT_LE(lost[1], lost[0] + 1);
}

TEST_P(Neighbours, AResetWhileItWaits) {
  for (const int32_t value : {-1, 4}) {
    for (uint32_t delay = 20; delay < 60; ++delay) {
      SetLock(2, 3, 0);
      Describe(1, 0, 4, kEast + 3, value);
      Send(1, 0, 0);
      Send(1, 0, 0);
      array_->Clock(100);
      EXPECT_TRUE(WaitsForLock(1, 0));
      Reset(1, 0);
      array_->Clock(delay - 20);
      SetLock(2, 3, 4);
      array_->Clock(60);
      EXPECT_EQ(Lock(2, 3), 4u) << delay;
      EXPECT_EQ(Status(1, 0) & 0xffffff, 0u) << delay;
    }
  }
}

// The tile that has the lock has no clock, or is reset; so is the one that waits.
TEST_P(Neighbours, ATileRests) {
  RunClock(2, false);
  SetLock(2, 3, 1);
  Describe(1, 0, 4, kEast + 3, -1, kEast + 4, 1);
  Take(1, 0, 8, 4, 1);
  Send(1, 0, 0);
  ASSERT_TRUE(array_->Settle(2000));
  EXPECT_EQ(Lock(2, 3), 0u);
  EXPECT_EQ(Lock(2, 4), 1u);
  RunClock(2, true);

  Take(1, 0, 8, 4, 1);
  Send(1, 0, 0);
  array_->Clock(100);
  EXPECT_TRUE(WaitsForLock(1, 0));
  ResetModule(2, true);
  array_->Clock(100);
  EXPECT_TRUE(WaitsForLock(1, 0));
  ResetModule(2, false);
  array_->Clock(200);
  EXPECT_EQ(Lock(2, 4), 0u);
  EXPECT_TRUE(WaitsForLock(1, 0));
  SetLock(2, 3, 1);
  ASSERT_TRUE(array_->Settle(2000));
  EXPECT_EQ(Lock(2, 3), 0u);
  EXPECT_EQ(Lock(2, 4), 1u);

  // A lock that is 0 after the reset.
  SetLock(2, 3, 5);
  Describe(1, 1, 4, kEast + 3, 0);
  Take(1, 0, 8, 4, 1);
  Send(1, 0, 1);
  array_->Clock(100);
  EXPECT_TRUE(WaitsForLock(1, 0));
  ResetModule(2, true);
  ResetModule(2, false);
  ASSERT_TRUE(array_->Settle(2000));

  SetLock(2, 3, 0);
  Send(1, 0, 0);
  array_->Clock(100);
  EXPECT_TRUE(WaitsForLock(1, 0));
  ResetModule(1, true);
  array_->Clock(100);
  ResetModule(1, false);
  SetLock(2, 3, 1);
  array_->Clock(100);
  EXPECT_EQ(Lock(2, 3), 1u);
  Take(1, 0, 8, 4, 1);
  Send(1, 0, 0);
  ASSERT_TRUE(array_->Settle(2000));
  EXPECT_EQ(Lock(2, 3), 0u);
}

// A release there that does not fit: the lock, its flags and the event are those of that tile.
TEST_P(Neighbours, ALockOverflows) {
  constexpr uint32_t kLockError = 139;
  Set(0, 0x91000, kLockError << 8 | kLockError);  // counter 0
  SetLock(0, 3, 63);
  SetLock(2, 40, 2);
  Describe(1, 0, 4, kWest + 3, 63, kWest + 3, 1);
  Describe(1, 1, 4, kEast + 40, 2, kEast + 40, -3);
  Take(1, 0, 8, 4, 2);
  Send(1, 0, 0);
  Send(1, 0, 1);
  ASSERT_TRUE(array_->Settle(2000));
  EXPECT_EQ(Lock(0, 3), 63u);
  EXPECT_EQ(Lock(2, 40), 0u);
  EXPECT_EQ(Get(0, 0xc0420), 8u);
  EXPECT_EQ(Get(2, 0xc042c), 1u << 8);
  for (const uint32_t column : {0u, 1u, 2u}) {
    const uint32_t words[] = {Get(column, 0xc0420), Get(column, 0xc0424), Get(column, 0xc0428),
                              Get(column, 0xc042c)};
    EXPECT_EQ(words[0] + words[1] + words[2] + words[3], column == 0   ? 8u
                                                         : column == 1 ? 0u
                                                                       : 1u << 8);
  }
  EXPECT_EQ(Get(0, 0x91020), 1u);
}

INSTANTIATE_TEST_SUITE_P(Arrays, Neighbours,
                         ::testing::Values(Mix{"rtl", {0, 1, 2}}, Mix{"model", {}},
                                           Mix{"middle", {1}}, Mix{"sides", {0, 2}},
                                           Mix{"west", {0, 1}}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera::aieml
