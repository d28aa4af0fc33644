// tsr_send_side: beats have what travels beside their transfer, whatever an engine does with
// transfers.
#include <gtest/gtest.h>

#include <vector>

#include "tests/channel_units/unit.h"
#include "units/Vside_top.h"

namespace tessera {
namespace {

class SendSide : public ::testing::Test {
 protected:
  SendSide() {
    Idle();
    unit_.Reset();
  }
  Vside_top& model() { return unit_.model(); }
  void Idle() {
    Vside_top& m = model();
    m.offer_i = m.accept_i = m.ends_i = m.beat_i = m.close_i = m.ready_i = 0;
    m.valid_i = owed_ > 0;
  }
  void Accept(uint8_t dest) {
    model().dest_i = dest;
    model().offer_i = model().accept_i = 1;
    Cycle();
  }
  // Beats of the transfer at hand; the last of them may end it.
  void Beats(int count, bool ends) {
    for (int n = 0; n < count; ++n) {
      model().beat_i = 1;
      model().ends_i = ends && n + 1 == count;
      Cycle();
    }
  }
  void End() {
    model().ends_i = 1;
    Cycle();
  }
  void Close() {
    model().beat_i = model().close_i = 1;
    Cycle();
  }
  // TDEST of the beats that were told of.
  std::vector<int> Shown() {
    std::vector<int> dests;
    while (owed_ > 0) {
      model().ready_i = 1;
      unit_.Cycle([&] {
        EXPECT_TRUE(model().valid_o && model().ready_o);
        dests.push_back(model().dest_o);
      });
      --owed_;
      Idle();
    }
    return dests;
  }

 private:
  void Cycle() {
    unit_.Cycle();
    owed_ += model().beat_i;
    Idle();
  }
  ClockedUnit<Vside_top> unit_{1};
  int owed_ = 0;  // beats that wait in the engine
};
using Dests = std::vector<int>;

TEST_F(SendSide, BeatsHaveTheSideOfTheirTransfer) {
  Accept(1);
  Accept(2);
  Beats(2, true);
  Accept(3);
  Beats(1, false);
  Beats(1, true);
  End();  // the third, without a beat
  Accept(4);
  Beats(1, true);
  EXPECT_EQ(Shown(), (Dests{1, 1, 2, 2, 4}));
}

// The transfer that sent last may be the one that is aborted, or have ended: with none behind it,
// or with others that have no beat yet.
TEST_F(SendSide, TheBeatThatClosesAPacketHasTheSideOfTheBeatBefore) {
  uint8_t first = 10;
  for (const bool ended : {false, true}) {
    for (const int behind : {0, 1, 5}) {
      Accept(first);
      for (int n = 0; n < behind; ++n) Accept(static_cast<uint8_t>(first + 1 + n));
      Beats(2, ended);
      Close();
      for (int n = ended ? 1 : 0; n <= behind; ++n) End();  // aborted: their records
      Accept(static_cast<uint8_t>(first + 8));
      Beats(1, true);
      EXPECT_EQ(Shown(), (Dests{first, first, first, first + 8}))
          << (ended ? "ended" : "aborted") << ", " << behind << " behind it";
      first = static_cast<uint8_t>(first + 10);
    }
  }
}

// A packet stays open while any number of transfers without a beat follow.
TEST_F(SendSide, ThePacketMayBeOfATransferLongAgo) {
  for (const int behind : {30, 31, 32, 70}) {
    Accept(1);
    Beats(1, true);
    EXPECT_EQ(Shown(), (Dests{1}));
    for (int n = 0; n < behind; ++n) {
      Accept(static_cast<uint8_t>(100 + n));
      End();
    }
    Accept(200);
    Close();
    EXPECT_EQ(Shown(), (Dests{1})) << behind << " behind it";
    End();
  }
}

// As many transfers as there may be, again and again.
TEST_F(SendSide, TransfersWithoutABeatLeaveNoTrace) {
  for (int turn = 0; turn < 5; ++turn) {
    for (int n = 0; n < 30; ++n) Accept(static_cast<uint8_t>(n));
    for (int n = 0; n < 29; ++n) End();
    Beats(1, true);
    EXPECT_EQ(Shown(), (Dests{29}));
  }
}

}  // namespace
}  // namespace tessera
