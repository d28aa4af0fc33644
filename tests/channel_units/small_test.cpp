// Triggers, frame synchronisation, and tokens against their headers.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vsmall_top.h"

namespace tessera {
namespace {

class Small : public ::testing::Test {
 protected:
  Small() {
    Vsmall_top& m = model();
    m.pins_i = m.software_i = 0;
    m.transfer_done_i = m.task_done_i = m.mark_i = m.trigger_clear_i = 0;
    m.select_i = 0;
    m.take_i = 0;
    m.hunt_i = m.drop_clear_i = m.beat_marked_i = m.beat_valid_i = m.beat_ready_i = 0;
    m.token_valid_i = m.token_channel_i = m.controller_i = m.word_ready_i = 0;
    m.missed_clear_i = 7;
    unit_.Reset(5);
  }
  Vsmall_top& model() { return unit_.model(); }
  void Cycle() { unit_.Cycle(); }
  template <typename Look>
  void Cycle(Look&& look) {
    unit_.Cycle(look);
  }
  void Select(int channel, uint32_t source) {
    PinBytes(model().select_i)[channel] = static_cast<uint8_t>(source);
  }
  // Pending triggers of the bank with synchronisers (0) and without (1).
  int Pending(int bank) { return model().pending_o >> (3 * bank) & 7; }

  ClockedUnit<Vsmall_top> unit_{1};
};

TEST_F(Small, TriggerSources) {
  Proves({"program.trigger"});
  struct Source {
    uint32_t number;
    std::function<void(bool)> set;
  };
  Vsmall_top& m = model();
  std::vector<Source> sources;
  for (uint32_t k = 0; k < 16; ++k) {
    sources.push_back(
        {0x10 + k, [&m, k](bool on) { SetPinBit(m.pins_i, static_cast<int>(k), on); }});
    sources.push_back(
        {0x20 + k, [&m, k](bool on) { SetPinBit(m.software_i, static_cast<int>(k), on); }});
  }
  for (uint32_t c = 0; c < 3; ++c) {
    const uint32_t number = c < 2 ? 0x40 + c : 0x50 + c - 2;
    sources.push_back(
        {number, [&m, c](bool on) { SetPinBit(m.transfer_done_i, static_cast<int>(c), on); }});
    sources.push_back(
        {number + 0x20, [&m, c](bool on) { SetPinBit(m.task_done_i, static_cast<int>(c), on); }});
  }
  sources.push_back({1, [&m](bool on) { SetPinBit(m.mark_i, 1, on); }});
  for (const Source& source : sources) {
    for (uint32_t select = 0; select < 128; ++select) {
      Select(1, select);
      const bool pin = source.number >= 0x10 && source.number < 0x20;
      source.set(true);
      Cycle();
      if (!pin) source.set(false);  // a pin is synchronised, and held for two cycles
      Cycle([&] {
        EXPECT_EQ(Pending(1), select == source.number ? 2 : 0) << source.number << " " << select;
        EXPECT_EQ(Pending(0), select == source.number && !pin ? 2 : 0) << "pins come later";
      });
      source.set(false);
      Cycle([&] { EXPECT_EQ(Pending(0) != 0, select == source.number && !pin) << "not yet"; });
      Cycle();  // a bit that crosses may be a cycle late
      Cycle([&] { EXPECT_EQ(Pending(0), select == source.number ? 2 : 0); });
      m.trigger_clear_i = 7;
      Cycle();
      m.trigger_clear_i = 0;
      Cycle([&] { EXPECT_EQ(m.pending_o, 0); });
    }
  }
}

TEST_F(Small, TriggersArePendingOrMissed) {
  Proves({"program.trigger-missed"});
  Vsmall_top& m = model();
  Rng rng(3);
  for (int c = 0; c < 3; ++c) Select(c, 0x20 + static_cast<uint32_t>(c));
  int events = 0, taken = 0, missed = 0;
  for (int i = 0; i < 3000; ++i) {
    m.software_i = static_cast<uint16_t>(rng() & 7 & rng());
    events += std::popcount(m.software_i);
    const uint32_t wanted = static_cast<uint32_t>(rng()) & 7;
    m.take_i = 0;
    m.clk_i = 0;
    unit_.model().eval();
    m.take_i = static_cast<uint8_t>((wanted & m.pending_o & 7) | (wanted & m.pending_o >> 3) << 3);
    taken += std::popcount(static_cast<uint32_t>(m.take_i & 7));
    Cycle([&] { missed += std::popcount(static_cast<uint32_t>(m.missed_o & 7)); });
  }
  m.software_i = 0;
  m.take_i = 0;
  Cycle([&] { missed += std::popcount(static_cast<uint32_t>(m.missed_o & 7)); });
  EXPECT_EQ(events, taken + missed + std::popcount(static_cast<uint32_t>(Pending(0))));
  EXPECT_GT(missed, 300);
  EXPECT_GT(taken, 300);
}

TEST_F(Small, FrameSync) {
  Proves({"program.frame-mark"});
  Vsmall_top& m = model();
  Rng rng(5);
  struct Beat {
    uint16_t data;
    bool marked;
  };
  std::deque<Beat> expected;  // of what was offered, what has to pass, in order
  Beat beat{};
  uint32_t dropped = 0;
  int passed = 0, marks = 0;
  bool valid = false, hunts = false, found = false, shown = false;
  for (int i = 0; i < 20000; ++i) {
    if (!valid && rng.Chance(0.7)) {
      beat = {static_cast<uint16_t>(rng()), rng.Chance(0.1)};
      valid = true;
    }
    if (!hunts && rng.Chance(0.02)) hunts = true;
    m.hunt_i = hunts;
    m.beat_i = beat.data;
    m.beat_marked_i = beat.marked;
    m.beat_valid_i = valid;
    m.beat_ready_i = rng.Chance(0.6);
    Cycle([&] {
      EXPECT_EQ(m.dropped_o, dropped);
      const bool hides = hunts && !shown;
      EXPECT_EQ(m.beat_valid_o, valid && !hides);
      if (m.beat_valid_o && m.beat_ready_i) {
        EXPECT_EQ(m.beat_o, beat.data);
        EXPECT_TRUE(!found || beat.marked) << "the first beat after a hunt";
        found = false;
        ++passed;
      }
      if (hides && valid && !beat.marked) ++dropped;
      EXPECT_EQ(m.beat_ready_o, hides ? !beat.marked : static_cast<bool>(m.beat_ready_i));
      if (m.frame_mark_o) {
        EXPECT_TRUE(hides && valid && beat.marked);
        EXPECT_FALSE(found) << "one pulse";
        found = true;
        ++marks;
      }
      shown = m.beat_valid_o && !m.beat_ready_i;
      if (valid && m.beat_ready_o) valid = false;
    });
    if (found && rng.Chance(0.3)) hunts = false;
  }
  EXPECT_GT(passed, 3000);
  EXPECT_GT(dropped, 1000U);
  EXPECT_GT(marks, 100);
}

// As of a memory tile at column 1, row 1: receivers are numbered from 0 on, senders from 6 on; from
// 16 on where receivers reach beyond 5.
TEST_F(Small, TokenWords) {
  Proves({"token.word"});
  Vsmall_top& m = model();
  constexpr std::array<std::array<uint32_t, 9>, 3> kActors = {
      {{6, 7, 0, 1, 2}, {6, 7, 8, 0, 1, 2}, {16, 17, 0, 1, 2, 3, 4, 5, 6}}};
  constexpr std::array<int, 3> kChannels = {5, 6, 9};
  for (int build = 0; build < 3; ++build) {
    const auto b = static_cast<size_t>(build);
    for (int channel = 0; channel < kChannels[b]; ++channel) {
      SCOPED_TRACE(::testing::Message() << "build " << build << ", channel " << channel);
      m.token_valid_i = static_cast<uint8_t>(1 << build);
      m.token_channel_i = static_cast<uint8_t>(channel);
      m.controller_i = static_cast<uint8_t>(14 + channel);
      Cycle([&] { EXPECT_EQ(m.word_valid_o, 0); });
      m.token_valid_i = 0;
      m.word_ready_i = 1;
      Cycle([&] {
        EXPECT_EQ(m.word_valid_o, 1 << build) << "in the next cycle";
        EXPECT_TRUE(PinBit(m.word_last_o, build));
        const uint32_t word = m.word_o[b];
        EXPECT_EQ(word & 0x7fffffff, (1U << 21 | 1U << 16 | 6U << 12) +
                                         (kActors[b][static_cast<size_t>(channel)] << 8) + 14 +
                                         static_cast<uint32_t>(channel));
        EXPECT_EQ(std::popcount(word) % 2, 1) << "odd parity";
      });
      m.word_ready_i = 0;
    }
  }
}

// A channel gives a token when none of its tokens waits, or one while another one does.
TEST_F(Small, TokensGoInOrderAndNoneIsLost) {
  Proves({"token.back-pressure"});
  Vsmall_top& m = model();
  Rng rng(6);
  struct Sent {
    uint32_t channel;
    uint8_t controller;
  };
  std::deque<Sent> sent;
  std::array<int, 5> waiting = {};
  int words = 0, full = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto channel = static_cast<uint32_t>(rng.Below(5));
    const bool gives = waiting[channel] < 2 && rng.Chance(i % 4000 < 2000 ? 0.9 : 0.2);
    const auto controller = static_cast<uint8_t>(rng());
    m.token_valid_i = gives ? 1 : 0;
    m.token_channel_i = static_cast<uint8_t>(channel);
    m.controller_i = controller;
    m.word_ready_i = rng.Chance(0.5);
    Cycle([&] {
      for (size_t c = 0; c < 5; ++c) {
        EXPECT_EQ(PinBit(m.token_waits_o, static_cast<int>(c)), waiting[c] != 0) << c;
        full += waiting[c] == 2;
      }
      EXPECT_EQ(m.word_valid_o & 1, !sent.empty());
      if (!sent.empty() && m.word_ready_i) {
        const uint32_t actor =
            sent.front().channel < 2 ? sent.front().channel + 6 : sent.front().channel - 2;
        EXPECT_EQ(m.word_o[0] & 0xffff, 0x6000 + (actor << 8) + sent.front().controller);
        --waiting[sent.front().channel];
        sent.pop_front();
        ++words;
      }
    });
    if (gives) {
      sent.push_back({channel, controller});
      ++waiting[channel];
    }
  }
  EXPECT_GT(words, 5000);
  EXPECT_GT(full, 1000);
}

// Without triggers each task goes at once, and events come all the same.
TEST_F(Small, WithoutTriggersEachTaskGoes) {
  Vsmall_top& m = model();
  Rng rng(9);
  for (int i = 0; i < 1000; ++i) {
    const uint32_t transfers = m.transfer_done_i & 3, tasks = m.task_done_i & 3;
    m.transfer_done_i = rng() & 3;
    m.task_done_i = rng() & 3;
    m.software_i = static_cast<uint16_t>(rng());
    Cycle([&] {
      EXPECT_EQ(m.bare_trigger_o, 3);
      EXPECT_EQ(m.bare_missed_o, 0);
      if (i == 0) return;
      EXPECT_EQ(m.bare_transfer_o, transfers) << "a cycle later";
      EXPECT_EQ(m.bare_task_o, tasks);
    });
  }
}

}  // namespace
}  // namespace tessera
