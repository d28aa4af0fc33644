// tsr_read_window beside an engine and a bus that the test plays.
#include <fmt/format.h>

#include "tests/channel_units/unit.h"
#include "units/Vwindow_top.h"

namespace tessera {
namespace {

constexpr int kOutstanding = 5, kDecErr = 3;  // as in window_top.sv
constexpr uint32_t kInside = 0x1000, kOutside = 0x2000;

class ReadWindow : public ::testing::Test {
 protected:
  ReadWindow() {
    Vwindow_top& m = unit_.model();
    m.arvalid_i = m.rvalid_i = m.rlast_i = 0;
    m.rready_i = 1;
    unit_.Reset();
  }
  // A cycle; what goes to the bus and what comes to the engine is counted.
  void Cycle() {
    unit_.Cycle([this] {
      const Vwindow_top& m = unit_.model();
      bursts_ += m.arvalid_o;
      denied_ += m.denied_o;
      refused_ += m.rvalid_o && m.rresp_o == kDecErr;
      lasts_ += m.rvalid_o && m.rlast_o;
      taken_ = m.arready_o;
    });
  }
  void Ask(uint32_t address, uint8_t beats) {
    Vwindow_top& m = unit_.model();
    m.araddr_i = address;
    m.arlen_i = static_cast<uint8_t>(beats - 1);
    m.arvalid_i = 1;
    do {
      Cycle();
    } while (!taken_);
    m.arvalid_i = 0;
  }
  void Answer() {
    Vwindow_top& m = unit_.model();
    m.rvalid_i = m.rlast_i = 1;
    Cycle();
    m.rvalid_i = m.rlast_i = 0;
  }

  ClockedUnit<Vwindow_top> unit_{1};
  bool taken_ = false;
  int bursts_ = 0, denied_ = 0, refused_ = 0, lasts_ = 0;
};

TEST_F(ReadWindow, ABurstOutsideWaitsForHoweverManyThereAreBeforeIt) {
  for (int flying = 0; flying <= kOutstanding; ++flying) {
    SCOPED_TRACE(fmt::format("{} in flight", flying));
    bursts_ = denied_ = refused_ = lasts_ = 0;
    for (int n = 0; n < flying; ++n) Ask(kInside, 1);
    Ask(kOutside, 3);
    for (int n = flying; n > 0; --n) {
      for (int k = 0; k < 8; ++k) Cycle();
      EXPECT_EQ(refused_, 0) << n << " are not answered";
      Answer();
    }
    for (int k = 0; k < 8; ++k) Cycle();
    EXPECT_EQ(bursts_, flying);
    EXPECT_EQ(refused_, 3);
    EXPECT_EQ(lasts_, flying + 1);
    EXPECT_EQ(denied_, 1);
  }
}

}  // namespace
}  // namespace tessera
