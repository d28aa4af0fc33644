// Whole channels with what travels beside their streams: as many transfers as their engines hold.
#include <gtest/gtest.h>

#include <vector>

#include "tb/sim/transfer.h"
#include "tests/channel_units/unit.h"
#include "units/Vbeside_top.h"

namespace tessera {
namespace {

constexpr int kReaders = 2;

class Beside : public ::testing::Test {
 protected:
  Beside() {
    model().rd_valid_i = model().r_valid_i = model().m_ready_i = 0;
    model().wr_valid_i = model().wr_done_ready_i = model().b_valid_i = model().s_valid_i = 0;
    unit_.Reset();
  }
  Vbeside_top& model() { return unit_.model(); }
  // A cycle of reader `k`: a memory that answers in the next cycle, transfers numbered by TDEST.
  void Read(int k, uint8_t transfers) {
    const auto bit = static_cast<uint8_t>(1U << k);
    Vbeside_top& m = model();
    m.rd_valid_i = accepted_ < transfers ? bit : 0;
    PinAt<uint8_t>(m.rd_dest_i, k) = accepted_;
    m.r_valid_i = due_ > 0 ? bit : 0;
    unit_.Cycle([&] {
      if ((m.rd_valid_i & m.rd_ready_o & bit) != 0) ++accepted_;
      due_ += static_cast<int>((m.ar_valid_o & bit) != 0);
      due_ -= static_cast<int>((m.r_valid_i & m.r_ready_o & bit) != 0);
      if ((m.m_valid_o & m.m_ready_i & bit) != 0) dests_.push_back(PinAt<uint8_t>(m.m_dest_o, k));
    });
  }
  ClockedUnit<Vbeside_top> unit_{1};
  uint8_t accepted_ = 0;
  int due_ = 0;  // of the memory
  std::vector<int> dests_;
};

// A stream that waits until the engine can hold no more.
TEST_F(Beside, EveryBeatHasTheSideOfItsTransferHoweverManyWait) {
  for (int k = 0; k < kReaders; ++k) {
    SCOPED_TRACE(k);
    unit_.Reset();
    accepted_ = 0;
    due_ = 0;
    dests_.clear();
    constexpr uint8_t kTransfers = 200;
    model().m_ready_i = 0;
    for (int n = 0; n < 300; ++n) Read(k, kTransfers);
    EXPECT_GT(accepted_, 32);
    model().m_ready_i = 1U << k;
    for (int n = 0; n < 1000; ++n) Read(k, kTransfers);
    ASSERT_EQ(dests_.size(), kTransfers);
    for (size_t n = 0; n < dests_.size(); ++n) EXPECT_EQ(dests_[n], static_cast<int>(n));
  }
}

// One beat, which waits behind the engine.
TEST_F(Beside, ABeatThatWaitsBehindTheEngineIsWatched) {
  for (int n = 0; n < 380; ++n) Read(0, 1);
  EXPECT_EQ(model().rd_faulted_o, 0);
  for (int n = 0; n < 100; ++n) Read(0, 1);
  EXPECT_EQ(model().m_valid_o, 1);
  ASSERT_EQ(model().rd_faulted_o, 1);
  EXPECT_EQ(PinAt<uint8_t>(model().rd_cause_o, 0) & 15, static_cast<int>(rtl::Fault::kStreamTime));
}

// Nobody takes records until the engine can hold no more.
TEST_F(Beside, EveryRecordHasTheSideOfItsBeatsHoweverManyWait) {
  Vbeside_top& m = model();
  std::vector<int> dests;
  int due = 0, accepted = 0;
  constexpr int kTransfers = 200;
  const auto run = [&](int cycles) {
    for (int n = 0; n < cycles; ++n) {
      m.wr_valid_i = 1;
      m.s_valid_i = accepted < kTransfers;
      m.s_dest_i = static_cast<uint8_t>(accepted);
      m.b_valid_i = due > 0;
      unit_.Cycle([&] {
        accepted += m.s_valid_i & m.s_ready_o;
        due += m.w_valid_o;
        due -= m.b_valid_i & m.b_ready_o;
        if ((m.wr_done_valid_o & m.wr_done_ready_i) != 0) dests.push_back(m.wr_done_dest_o);
      });
    }
  };
  run(400);
  EXPECT_GT(accepted, 32);
  m.wr_done_ready_i = 1;
  run(1000);
  ASSERT_EQ(dests.size(), static_cast<size_t>(kTransfers));
  for (size_t n = 0; n < dests.size(); ++n) EXPECT_EQ(dests[n], static_cast<int>(n));
}

}  // namespace
}  // namespace tessera
