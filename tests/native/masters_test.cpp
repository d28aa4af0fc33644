// tsr_masters without a second master; with one it is in front of tsr_native in the other tests.
#include <gtest/gtest.h>

#include <deque>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "tests/native/native_model.h"
#include "units/Vmasters_top.h"

namespace tessera {
namespace {

// The second one asks all the time, for anything.
TEST(Masters, WithoutASecondOneItIsNotListenedTo) {
  Proves({"register.access"});
  ClockedUnit<Vmasters_top> unit(1);
  Vmasters_top& m = unit.model();
  Rng rng(1);
  m.s_axil_awvalid = m.s_axil_wvalid = m.s_axil_arvalid = 0;
  m.bus_valid_i = 1;
  unit.Reset();
  constexpr uint64_t kAccesses = 500;
  std::deque<NativeAccess> writes, reads;  // on their way to the bus
  std::deque<NativeAnswer> written, read;  // on their way back
  uint64_t made = 0, answered = 0;
  NativeAccess write, look;
  const auto word = [&rng] { return static_cast<uint32_t>(rng()); };
  for (int i = 0; i < 20000 && answered < kAccesses; ++i) {
    if (!m.s_axil_awvalid && !m.s_axil_wvalid && made < kAccesses && rng.Chance(0.4)) {
      write = {true, word() & 0x3fffc, word(), word() & 15};
      writes.push_back(write);
      m.s_axil_awvalid = m.s_axil_wvalid = 1;
      ++made;
    }
    if (!m.s_axil_arvalid && made < kAccesses && rng.Chance(0.4)) {
      look = {false, word() & 0x3fffc, 0, 0};
      reads.push_back(look);
      m.s_axil_arvalid = 1;
      ++made;
    }
    m.s_axil_awaddr = write.address;
    m.s_axil_wdata = write.data;
    m.s_axil_wstrb = static_cast<uint8_t>(write.strobe);
    m.s_axil_araddr = look.address;
    m.s_axil_bready = rng.Chance(0.7);
    m.s_axil_rready = rng.Chance(0.7);
    m.bus_write_i = rng.Chance(0.5);
    m.bus_addr_i = word() & 0x3ffff;
    m.bus_data_i = word();
    m.bus_strobe_i = word() & 15;
    m.ready_i = rng.Chance(0.6);
    m.error_i = rng.Chance(0.3);
    m.answer_i = word();
    bool aw = false, w = false, ar = false;
    unit.Cycle([&] {
      ASSERT_FALSE(m.bus_ready_o) << "the second master is answered";
      if (m.s_axil_bvalid && m.s_axil_bready) {
        ASSERT_FALSE(written.empty());
        EXPECT_EQ(m.s_axil_bresp, written.front().error ? 2 : 0);
        written.pop_front();
        ++answered;
      }
      if (m.s_axil_rvalid && m.s_axil_rready) {
        ASSERT_FALSE(read.empty());
        EXPECT_EQ(m.s_axil_rresp, read.front().error ? 2 : 0);
        EXPECT_EQ(m.s_axil_rdata, read.front().data);
        read.pop_front();
        ++answered;
      }
      if (m.valid_o) {
        std::deque<NativeAccess>& asked = m.write_o ? writes : reads;
        ASSERT_FALSE(asked.empty()) << "an access that nobody asked for";
        EXPECT_EQ(m.addr_o, asked.front().address);
        if (m.write_o) {
          EXPECT_EQ(m.data_o, asked.front().data);
          EXPECT_EQ(m.strobe_o, asked.front().strobe);
        }
        if (m.ready_i) {
          asked.pop_front();
          (m.write_o ? written : read).push_back({m.error_i != 0, m.answer_i});
        }
      }
      aw = m.s_axil_awvalid && m.s_axil_awready;
      w = m.s_axil_wvalid && m.s_axil_wready;
      ar = m.s_axil_arvalid && m.s_axil_arready;
    });
    if (HasFailure()) return;
    if (aw) m.s_axil_awvalid = 0;
    if (w) m.s_axil_wvalid = 0;
    if (ar) m.s_axil_arvalid = 0;
  }
  EXPECT_EQ(answered, kAccesses);
}

}  // namespace
}  // namespace tessera
