// tsr_dma_channel against its header: what it asks of its engine, and of what stands in front of
// it, before each frame.
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vchannel_top.h"

namespace tessera {
namespace {

constexpr int kWaitTrigger = 1;

// Before a frame the engine is aborted until it rests, and all that time nothing of the stream is
// taken; then, and not before, the frame is hunted for, and only an event of that time begins it:
// at once, or as soon as its descriptor may be asked for.
TEST(ProgrammedChannel, ForgetsWhatCameBeforeAFrame) {
  Proves({"program.frame-mark"});
  ClockedUnit<Vchannel_top> unit(1);
  Vchannel_top& m = unit.model();
  Rng rng(5);
  m.framed_i = m.trigger_i = m.task_valid_i = m.loaded_valid_i = m.done_valid_i = 0;
  m.aborts_i = m.in_reset_i = m.locked_i = 0;
  m.release_ready_i = 1;
  unit.Reset();
  bool asked = false, final_turn = false;  // the loader has been; for the last turn
  int transfers = 0, frames = 0, long_rests = 0, other_triggers = 0, length = 0, waits = 0;
  bool aborted = false, rested = false, hunted = false, restarted = false, taken = false;
  bool found = false;  // an event of a hunt waits for its descriptor
  for (int i = 0; i < 60000 && !::testing::Test::HasFailure(); ++i) {
    if (rng.Chance(0.002)) m.framed_i = !m.framed_i;
    m.task_valid_i = rng.Chance(0.3);
    m.task_paced_i = rng.Chance(0.5);
    m.task_repeats_i = static_cast<uint8_t>(rng() & 3);
    m.trigger_i = !restarted && ((m.trigger_i && !taken) || rng.Chance(0.1));
    m.request_ready_i = rng.Chance(0.7);
    m.loaded_valid_i = asked && rng.Chance(0.5);
    m.loaded_end_i = asked && final_turn;
    m.ready_i = !aborted && rng.Chance(0.5);
    m.done_valid_i = transfers > 0 && rng.Chance(0.2);
    m.idle_i = transfers == 0 && rng.Chance(i % 2000 < 1000 ? 0.8 : 0.1);
    unit.Cycle([&] {
      SCOPED_TRACE(i);
      EXPECT_FALSE(m.hunt_o && m.restart_o);
      if (m.framed_i && m.waits_o == kWaitTrigger && transfers == 0) {
        EXPECT_TRUE(m.hunt_o || m.restart_o) << "the stream goes on";
      }
      if (aborted && !rested) {
        EXPECT_TRUE(m.aborts_o) << "the engine does not rest";
      }
      if (m.hunt_o && !hunted) {
        EXPECT_TRUE(aborted && rested);
        ++frames;
        long_rests += length > 8;
      }
      if (m.hunt_o || m.aborts_o) {
        EXPECT_EQ(transfers, 0);
        EXPECT_TRUE(m.marks_o && m.retakes_o);
      }
      EXPECT_FALSE(m.aborts_o && !m.restart_o);
      if (m.trigger_take_o && m.framed_i) {
        EXPECT_TRUE(hunted || found) << "an event from before";
      }
      if (found && m.framed_i) {
        EXPECT_FALSE(m.restart_o || m.hunt_o) << "a frame that was found is forgotten";
      }
      found = m.framed_i && !m.trigger_take_o && m.trigger_i && (found || hunted);
      waits += found;
      other_triggers += m.trigger_take_o && !m.framed_i;
      length = m.aborts_o ? length + 1 : 0;
      aborted = m.aborts_o;
      rested = m.idle_i;
      hunted = m.hunt_o;
      restarted = m.restart_o;
      taken = m.trigger_take_o;
      if (m.loaded_valid_i) asked = false;
      if (m.request_valid_o && m.request_ready_i) {
        asked = true;
        final_turn = m.request_final_o;
      }
      transfers += m.valid_o && m.ready_i;
      transfers -= m.done_valid_i && m.done_ready_o;
    });
  }
  EXPECT_GT(frames, 500);
  EXPECT_GT(long_rests, 50);
  EXPECT_GT(other_triggers, 500);
  EXPECT_GT(waits, 200);
}

// A release waits for its turn when a reset ends its transfer; the next one has its lock already,
// which is given back. The locks see both apart: the release withdrawn for a cycle, then the other.
TEST(ProgrammedChannel, ACycleStandsBetweenAReleaseThatAResetWithdrawsAndWhatIsGivenBack) {
  Proves({"program.ends"});
  constexpr int kGivenBack = 3, kReleased = 5;
  for (int waits = 1; waits < 6; ++waits) {
    SCOPED_TRACE(waits);
    ClockedUnit<Vchannel_top> unit(1);
    Vchannel_top& m = unit.model();
    m.framed_i = m.loaded_valid_i = m.done_valid_i = m.aborts_i = m.in_reset_i = m.idle_i = 0;
    m.release_ready_i = m.ready_i = 0;
    m.task_paced_i = m.task_repeats_i = 0;
    m.trigger_i = m.task_valid_i = m.request_ready_i = m.locked_i = m.loaded_end_i = 1;
    unit.Reset();
    int loaded = 0;
    for (int cycle = 0; cycle < 40; ++cycle) {
      m.ready_i = loaded == 1;  // the engine takes the first alone
      bool asks = false;
      unit.Cycle([&] { asks = m.request_valid_o; });
      m.loaded_valid_i = asks;
      loaded += asks ? 1 : 0;
    }
    ASSERT_EQ(loaded, 2);
    m.task_valid_i = m.trigger_i = 0;
    m.done_valid_i = m.aborts_i = 1;
    for (int n = 0; n < waits; ++n) {
      unit.Cycle([&] { EXPECT_TRUE(m.release_valid_o && m.release_id_o == kReleased); });
    }
    m.in_reset_i = 1;
    unit.Cycle([&] { EXPECT_TRUE(m.release_valid_o && m.release_id_o == kReleased); });
    m.done_valid_i = 0;
    unit.Cycle([&] { EXPECT_FALSE(m.release_valid_o); });
    int given = 0;
    m.release_ready_i = 1;
    for (int n = 0; n < 5; ++n) {
      unit.Cycle([&] {
        if (!m.release_valid_o) return;
        EXPECT_EQ(m.release_id_o, kGivenBack);
        ++given;
      });
    }
    EXPECT_EQ(given, 1);
  }
}

}  // namespace
}  // namespace tessera
