// tsr_masters without a second master; with one it is in front of tsr_dma_registers in the other
// tests.
#include <gtest/gtest.h>

#include <deque>

#include "pins/Vmasters_top.h"
#include "tb/bus/axi_lite.h"
#include "tb/check/plan.h"
#include "tb/sim/flat_pins.h"
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
  const Vmasters_top_Pins pins(m);
  Rng rng(1);
  const PacerSpec asks = PacerSpec::Parse("p=0.4"), takes = PacerSpec::Parse("p=0.7");
  AxiLitePort port;
  AxiLiteMaster master(&port, {.ar = asks, .r = takes, .aw = asks, .w = asks, .b = takes},
                       rng.Stream("master"));
  flat::DriveRegisters(pins, port);
  m.bus_valid_i = 1;
  unit.Reset();
  constexpr uint64_t kAccesses = 500;
  std::deque<NativeAccess> writes, reads;  // on their way to the bus
  std::deque<NativeAnswer> written, read;  // on their way back
  const auto word = [&rng] { return static_cast<uint32_t>(rng()); };
  for (uint64_t n = 0; n < kAccesses; ++n) {
    if (rng.Chance(0.5)) {
      writes.push_back({true, word() & 0x3fffc, word(), word() & 15});
      master.Write(writes.back().address, writes.back().data,
                   static_cast<uint8_t>(writes.back().strobe));
    } else {
      reads.push_back({false, word() & 0x3fffc, 0, 0});
      master.Read(reads.back().address);
    }
  }
  uint64_t answered = 0;
  for (int i = 0; i < 20000 && answered < kAccesses; ++i) {
    master.Drive({unit.cycle(), false});
    flat::DriveRegisters(pins, port);
    m.bus_write_i = rng.Chance(0.5);
    m.bus_addr_i = word() & 0x3ffff;
    m.bus_data_i = word();
    m.bus_strobe_i = word() & 15;
    m.ready_i = rng.Chance(0.6);
    m.error_i = rng.Chance(0.3);
    m.answer_i = word();
    unit.Cycle([&] {
      ASSERT_FALSE(m.bus_ready_o) << "the second master is answered";
      flat::SampleRegisters(pins, &port);
      master.Sample({unit.cycle(), false});
      if (const auto response = master.TakeWritten()) {
        ASSERT_FALSE(written.empty());
        EXPECT_EQ(response->resp, written.front().error ? 2 : 0);
        written.pop_front();
        ++answered;
      }
      if (const auto response = master.TakeRead()) {
        ASSERT_FALSE(read.empty());
        EXPECT_EQ(response->resp, read.front().error ? 2 : 0);
        EXPECT_EQ(response->data, read.front().data);
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
    });
    if (HasFailure()) return;
  }
  EXPECT_EQ(answered, kAccesses);
}

}  // namespace
}  // namespace tessera
