// The two ends of a channel and its monitor, joined by a wire, with every pacer against every
// other.
#include <gtest/gtest.h>

#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/monitor/channel_monitor.h"
#include "tests/bus/pins.h"

namespace tessera {
namespace {

constexpr ChannelRules kRules{"stable", "valid_drop", "reset_valid", "open_valid"};

class Wire {
 public:
  explicit Wire(const PacerSpec& source = {}, const PacerSpec& sink = {}, uint64_t seed = 1)
      : source_(&channel_, source, Rng(seed)), sink_(&channel_, sink, Rng(seed + 1)) {}
  // One cycle; payloads are 1, 2, 3 and so on, up to `count_`.
  void Cycle(bool reset = false) {
    const Tick tick{cycle_, reset_};
    monitor_.Sample(tick);
    source_.Sample(tick);
    if (sink_.Sample(tick)) taken_.push_back(channel_->addr);
    reset_ = reset;
    const Tick next{++cycle_, reset};
    source_.Drive(next, [this](LiteAddress* payload) {
      if (made_ == count_) return false;
      payload->addr = ++made_;
      return true;
    });
    sink_.Drive(next);
  }

  Channel<LiteAddress> channel_;
  ChannelSource<LiteAddress> source_;
  ChannelSink<LiteAddress> sink_;
  ViolationList violations_;
  ChannelMonitor<LiteAddress> monitor_{&channel_, {"", "VALID", "READY"}, kRules, &violations_};
  std::vector<uint32_t> taken_;
  uint32_t made_ = 0, count_ = 100;
  uint64_t cycle_ = 0;
  bool reset_ = false;
};

TEST(ChannelEnds, EveryPayloadMovesOnceInOrderWhateverThePacers) {
  const char* const pacers[] = {"always", "p=0.3", "bursts=1-3/0-5", "list=10010"};
  for (const char* source : pacers) {
    for (const char* sink : pacers) {
      Wire wire(PacerSpec::Parse(source), PacerSpec::Parse(sink), 7);
      for (int n = 0; n < 5000 && wire.taken_.size() < 100; ++n) wire.Cycle();
      ASSERT_EQ(wire.taken_.size(), 100U) << source << " to " << sink;
      for (uint32_t n = 0; n < 100; ++n) EXPECT_EQ(wire.taken_[n], n + 1);
      EXPECT_EQ(Rules(wire.violations_), "");
    }
  }
}

TEST(ChannelEnds, FreeEndsMoveAPayloadACycle) {
  Wire wire;
  for (int n = 0; n < 11; ++n) wire.Cycle();
  EXPECT_EQ(wire.taken_.size(), 10U);  // the first cycle shows nothing yet
}

TEST(ChannelEnds, AResetWithdrawsWhatIsShown) {
  Wire wire({}, PacerSpec::Never());
  for (int n = 0; n < 3; ++n) wire.Cycle();
  EXPECT_TRUE(wire.source_.shown());
  wire.Cycle(true);
  EXPECT_FALSE(wire.channel_.valid);
  wire.Cycle(true);
  EXPECT_FALSE(wire.source_.shown());
  EXPECT_EQ(Rules(wire.violations_), "");
}

TEST(ChannelEnds, ASinkKnowsThatAPayloadWaits) {
  Wire wire({}, PacerSpec::List({0, 0, 1}));
  wire.Cycle();
  wire.Cycle();
  EXPECT_TRUE(wire.sink_.waits());
  wire.Cycle();
  wire.Cycle();
  EXPECT_FALSE(wire.sink_.waits());
  EXPECT_EQ(wire.taken_.size(), 1U);
}

// A payload is packed once for each time that it is shown.
TEST(FreshPayload, TellsEachPayloadOnce) {
  Channel<int> channel;
  FreshPayload fresh;
  EXPECT_FALSE(fresh(channel));
  channel.valid = true;
  EXPECT_TRUE(fresh(channel));
  EXPECT_FALSE(fresh(channel));  // it waits
  channel.ready = true;          // it moved in the cycle before
  EXPECT_TRUE(fresh(channel));
  channel.valid = false;
  EXPECT_FALSE(fresh(channel));
}

class ChannelMonitorTest : public ::testing::Test {
 protected:
  void Cycle(bool valid, bool ready, uint32_t payload = 5, bool reset = false) {
    channel_.valid = valid;
    channel_.ready = ready;
    channel_->addr = payload;
    fresh_ += monitor_.Sample({cycle_++, reset}) ? 1 : 0;
  }
  void Expect(const char* rules) {
    monitor_.AtEnd(cycle_);
    EXPECT_EQ(Rules(violations_), rules);
  }
  Channel<LiteAddress> channel_;
  ViolationList violations_;
  ChannelMonitor<LiteAddress> monitor_{&channel_, {"", "VALID", "READY"}, kRules, &violations_};
  int fresh_ = 0;
  uint64_t cycle_ = 0;
};

TEST_F(ChannelMonitorTest, LegalTrafficIsSilentAndEachPayloadIsNewOnce) {
  Cycle(true, true, 5, true);  // registers have not seen the reset yet
  Cycle(false, true, 5, true);
  Cycle(false, false);
  Cycle(true, false, 1);
  Cycle(true, false, 1);
  Cycle(true, true, 1);
  Cycle(true, true, 2);
  Cycle(false, true, 3);
  EXPECT_EQ(fresh_, 2);
  Expect("");
}
TEST_F(ChannelMonitorTest, Stable) {
  Cycle(true, false, 1);
  Cycle(true, true, 2);
  Expect("stable");
}
TEST_F(ChannelMonitorTest, ValidDrop) {
  Cycle(true, false);
  Cycle(false, true);
  Expect("valid_drop");
}
TEST_F(ChannelMonitorTest, ValidInReset) {
  Cycle(true, true, 5, true);
  Cycle(true, true, 5, true);
  Expect("reset_valid");
}
TEST_F(ChannelMonitorTest, ValidRightAfterReset) {
  Cycle(false, true, 5, true);
  Cycle(true, true);
  Expect("reset_valid");
}
TEST_F(ChannelMonitorTest, OpenValid) {
  Cycle(true, false);
  Expect("open_valid");
}

}  // namespace
}  // namespace tessera
