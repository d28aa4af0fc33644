// Triggers, frame synchronisation, tokens and events against their headers.
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
    m.token_i = m.word_ready_i = 0;
    m.bare_finished_i = m.bare_task_done_i = m.bare_token_i = 0;
    m.sender_token_i = 0;
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
    Cycle([&] { missed += std::popcount(static_cast<uint32_t>(m.miss_o & 7)); });
  }
  m.software_i = 0;
  m.take_i = 0;
  Cycle([&] { missed += std::popcount(static_cast<uint32_t>(m.miss_o & 7)); });
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

TEST_F(Small, TokenWords) {
  Proves({"token.word"});
  Vsmall_top& m = model();
  // The examples of the memory tile at column 1, row 1, with parity.
  struct Example {
    int channel;
    uint8_t controller;
    uint32_t word;
  };
  for (const Example& example : {Example{2, 14, 0x0021610e}, {4, 3, 0x00217003}}) {
    PinBytes(m.controller_i)[example.channel] = example.controller;
    SetPinBit(m.token_i, example.channel, true);
    Cycle([&] { EXPECT_EQ(m.token_ready_o, 1 << example.channel) << "at once"; });
    m.token_i = 0;
    m.word_ready_i = 1;
    Cycle([&] {
      EXPECT_TRUE(m.word_valid_o) << "in the next cycle";
      EXPECT_TRUE(m.word_last_o);
      EXPECT_EQ(m.word_o & 0x7fffffff, example.word);
      EXPECT_EQ(std::popcount(m.word_o) % 2, 1);
    });
    m.word_ready_i = 0;
  }
}

// Receivers are numbered from 0 on, senders from 6 on; from 16 on where receivers reach beyond 5.
TEST_F(Small, EveryChannelHasItsActor) {
  Proves({"token.word"});
  Vsmall_top& m = model();
  constexpr std::array<std::array<uint32_t, 9>, 2> kActors = {
      {{6, 7, 8, 0, 1, 2}, {16, 17, 0, 1, 2, 3, 4, 5, 6}}};
  for (int build = 0; build < 2; ++build) {
    for (int channel = 0; channel < (build == 0 ? 6 : 9); ++channel) {
      SCOPED_TRACE(::testing::Message() << "build " << build << ", channel " << channel);
      m.sender_token_i = 1u << (9 * build + channel);
      Cycle([&] { EXPECT_EQ(m.sender_ready_o, m.sender_token_i); });
      m.sender_token_i = 0;
      Cycle([&] {
        EXPECT_EQ(m.sender_valid_o, 1 << build);
        const auto word = static_cast<uint32_t>(m.sender_word_o >> (32 * build));
        EXPECT_EQ(word >> 8 & 0xff,
                  0x60 + kActors[static_cast<size_t>(build)][static_cast<size_t>(channel)]);
      });
    }
  }
}

TEST_F(Small, TokensKeepTurnsAndNoneIsLost) {
  Proves({"token.back-pressure"});
  Vsmall_top& m = model();
  Rng rng(6);
  std::deque<uint32_t> sent;
  std::array<int, 5> waited = {};
  constexpr std::array<uint32_t, 5> kActors = {0, 2, 1, 9, 16};
  int words = 0, full = 0;
  m.token_i = 0;
  for (int i = 0; i < 20000; ++i) {
    for (int c = 0; c < 5; ++c) {
      if (PinBit(m.token_i, c) || !rng.Chance(i % 4000 < 2000 ? 0.3 : 0.05)) continue;
      SetPinBit(m.token_i, c, true);
      PinBytes(m.controller_i)[c] = static_cast<uint8_t>(rng());
    }
    m.word_ready_i = rng.Chance(0.5);
    int taken = -1;
    Cycle([&] {
      EXPECT_LE(std::popcount(m.token_ready_o), 1);
      if (m.word_valid_o && m.word_ready_i) {
        ASSERT_FALSE(sent.empty());
        EXPECT_EQ(m.word_o & 0x7fffffff, sent.front());
        EXPECT_EQ(std::popcount(m.word_o) % 2, 1);
        sent.pop_front();
        ++words;
      }
      if (m.token_i != 0 && m.token_ready_o == 0) ++full;
      for (int c = 0; c < 5; ++c) {
        if (PinBit(m.token_ready_o, c)) taken = c;
      }
    });
    if (taken < 0) continue;
    const auto t = static_cast<size_t>(taken);
    sent.push_back((1U << 21 | 1U << 16 | 6U << 12) + (kActors[t] << 8) +
                   PinBytes(m.controller_i)[taken]);
    for (size_t c = 0; c < 5; ++c) {
      waited[c] = c != t && PinBit(m.token_i, static_cast<int>(c)) ? waited[c] + 1 : 0;
      EXPECT_LT(waited[c], 5) << "turns of others while one waits";
    }
    SetPinBit(m.token_i, taken, false);
  }
  EXPECT_GT(words, 5000);
  EXPECT_GT(full, 1000);
}

// A build without triggers and tokens: nobody waits for them, events come all the same.
TEST_F(Small, WithoutTriggersAndTokensNobodyWaits) {
  Vsmall_top& m = model();
  Rng rng(9);
  for (int i = 0; i < 1000; ++i) {
    m.bare_finished_i = rng() & 3;
    m.bare_task_done_i = rng() & 3;
    m.bare_token_i = rng() & 3;
    m.software_i = static_cast<uint16_t>(rng());
    m.word_ready_i = rng.Chance(0.5);
    Cycle([&] {
      EXPECT_EQ(m.bare_trigger_o, 3);
      EXPECT_EQ(m.bare_missed_o, 0);
      EXPECT_EQ(m.bare_token_ready_o, 3) << "a token is taken and dropped";
      EXPECT_FALSE(m.bare_word_valid_o);
      EXPECT_EQ(m.bare_transfer_o, m.bare_finished_i);
      EXPECT_EQ(m.bare_task_o, m.bare_task_done_i);
    });
  }
}

}  // namespace
}  // namespace tessera
