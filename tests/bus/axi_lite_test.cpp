// The AXI4-Lite master and monitor: accesses are answered in order, and each rule is broken once,
// alone, and fires once, alone.
#include "tb/bus/axi_lite.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "tb/monitor/axi_lite_monitor.h"
#include "tests/bus/pins.h"
#include "tests/bus/script.h"

namespace tessera {
namespace {

// A slave of single registers, as slow as its pacers; addresses from 0x100 on are refused.
class Slave {
 public:
  Slave(AxiLitePort* port, const AxiLiteMasterOptions& pacers, const Rng& rng)
      : port_(port),
        ar_(&port->ar, pacers.ar, rng.Stream("ar")),
        aw_(&port->aw, pacers.aw, rng.Stream("aw")),
        w_(&port->w, pacers.w, rng.Stream("w")),
        r_(&port->r, pacers.r, rng.Stream("r")),
        b_(&port->b, pacers.b, rng.Stream("b")) {}
  void Sample(const Tick& tick) {
    r_.Sample(tick);
    b_.Sample(tick);
    if (ar_.Sample(tick)) {
      const uint32_t addr = port_->ar->addr / 4 * 4;
      reads_.push_back({registers_[addr], static_cast<uint8_t>(addr < 0x100 ? 0 : 2)});
    }
    if (aw_.Sample(tick)) addresses_.push_back(port_->aw.payload);
    if (w_.Sample(tick)) data_.push_back(port_->w.payload);
    if (addresses_.empty() || data_.empty()) return;
    registers_[addresses_.front().addr / 4 * 4] = data_.front().data;
    writes_.push_back({static_cast<uint8_t>(addresses_.front().addr < 0x100 ? 0 : 3)});
    addresses_.pop_front();
    data_.pop_front();
  }
  void Drive(const Tick& next) {
    const auto oldest = [](auto* queue) {
      return [queue](auto* payload) {
        if (queue->empty()) return false;
        *payload = queue->front();
        queue->pop_front();
        return true;
      };
    };
    ar_.Drive(next);
    aw_.Drive(next);
    w_.Drive(next);
    r_.Drive(next, oldest(&reads_));
    b_.Drive(next, oldest(&writes_));
  }

 private:
  AxiLitePort* port_;
  ChannelSink<LiteAddress> ar_, aw_;
  ChannelSink<LiteWriteData> w_;
  ChannelSource<LiteReadData> r_;
  ChannelSource<LiteWriteResponse> b_;
  std::map<uint32_t, uint32_t> registers_;
  std::deque<LiteAddress> addresses_;
  std::deque<LiteWriteData> data_;
  std::deque<LiteReadData> reads_;
  std::deque<LiteWriteResponse> writes_;
};

class Bus {
 public:
  explicit Bus(const AxiLiteMasterOptions& pacers = {}, uint64_t seed = 1)
      : master_(&port_, pacers, Rng(seed)), slave_(&port_, pacers, Rng(seed + 1)) {}
  void Cycle(bool reset = false) {
    const Tick tick{cycle_, reset_};
    monitor_.Sample(tick);
    master_.Sample(tick);
    slave_.Sample(tick);
    reset_ = reset;
    const Tick next{++cycle_, reset};
    master_.Drive(next);
    slave_.Drive(next);
  }
  void Finish() {
    for (int n = 0; n < 5000 && !master_.Idle(); ++n) Cycle();
    EXPECT_TRUE(master_.Idle());
    monitor_.AtEnd(cycle_);
    EXPECT_EQ(Rules(violations_), "");
    EXPECT_TRUE(monitor_.Quiet());
  }

  AxiLitePort port_;
  AxiLiteMaster master_;
  Slave slave_;
  ViolationList violations_;
  AxiLiteMonitor monitor_{&port_, "port", &violations_};
  uint64_t cycle_ = 0;
  bool reset_ = false;
};

TEST(AxiLiteMaster, AccessesAreAnsweredInOrderWhateverThePacers) {
  for (uint64_t seed = 1; seed < 40; ++seed) {
    Rng rng(seed);
    AxiLiteMasterOptions pacers;
    for (PacerSpec* spec : {&pacers.ar, &pacers.r, &pacers.aw, &pacers.w, &pacers.b}) {
      *spec = PacerSpec::Random(rng);
    }
    Bus bus(pacers, seed);
    for (uint32_t n = 0; n < 64; ++n) bus.master_.Write(4 * n, 100 + n);
    bus.Finish();
    for (uint32_t n = 0; n < 64; ++n) bus.master_.Read(4 * n);
    bus.Finish();
    for (uint32_t n = 0; n < 64; ++n) {
      const auto written = bus.master_.TakeWritten(), read = bus.master_.TakeRead();
      ASSERT_TRUE(written && read);
      EXPECT_TRUE(written->okay() && read->okay());
      EXPECT_EQ(read->data, 100 + n);
    }
    EXPECT_FALSE(bus.master_.TakeWritten() || bus.master_.TakeRead());
  }
}

TEST(AxiLiteMaster, ErrorsAndCyclesAreTold) {
  Bus bus;
  bus.master_.Write(0x100, 1);
  bus.master_.Read(0x104);
  bus.Finish();
  const auto written = bus.master_.TakeWritten(), read = bus.master_.TakeRead();
  ASSERT_TRUE(written && read);
  EXPECT_EQ(written->resp, 3);
  EXPECT_EQ(read->resp, 2);
  // Asked in cycle 0, shown and accepted in 1, answered in 2.
  EXPECT_EQ(bus.master_.data_moved_at(), 1U);
  EXPECT_EQ(written->cycle, 2U);
  EXPECT_EQ(read->cycle, 2U);
}

TEST(AxiLiteMaster, AResetDropsWhatWasAsked) {
  AxiLiteMasterOptions pacers;
  pacers.r = pacers.b = PacerSpec::Never();
  Bus bus(pacers);
  bus.master_.Write(0, 1);
  bus.master_.Read(4);
  for (int n = 0; n < 5; ++n) bus.Cycle();
  EXPECT_FALSE(bus.master_.Idle());
  bus.Cycle(true);
  bus.Cycle(true);
  EXPECT_TRUE(bus.master_.Idle());
}

struct LiteCase {
  const char* name;
  std::optional<AxiLiteRule> rule;  // that is broken
  const char* script;
};
using enum AxiLiteRule;

constexpr LiteCase kCases[] = {
    {"LegalTrafficIsSilent", {}, "reset; reset; ; AR AW W; R B.resp=2 AR AW; R.resp=3 W; B"},
    {"Stable", kStable, "!AR; AR.addr=8; R"},
    {"ValidDrop", kValidDrop, "AR; !R; ; R"},
    {"ResetValid", kResetValid, "reset; reset AR"},
    {"RUnasked", kRUnasked, "R"},
    {"RInTheCycleOfItsAddressIsTooEarly", kRUnasked, "AR R; R"},
    {"BUnaskedWithoutData", kBUnasked, "AW; B; W; B"},
    {"Response", kResponse, "AR; R.resp=1"},
    {"OpenRead", kOpen, "AR"},
    {"OpenWrite", kOpen, "AW W"},
    {"OpenValid", kOpenValid, "!AW"},
};

class AxiLiteRules : public testing::TestWithParam<LiteCase> {};

TEST_P(AxiLiteRules, FireOnceAndAlone) {
  AxiLitePort port;
  ViolationList violations;
  AxiLiteMonitor monitor(&port, "port", &violations);
  uint64_t cycle = 0;
  Play(GetParam().script, &port, &monitor, &cycle);
  monitor.AtEnd(cycle);
  EXPECT_EQ(Rules(violations), GetParam().rule ? RuleName(*GetParam().rule) : "");
}

INSTANTIATE_TEST_SUITE_P(All, AxiLiteRules, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
