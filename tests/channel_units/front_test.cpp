// Tables of words, start programs and coalescing of records against their headers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vfront_top.h"

namespace tessera {
namespace {

constexpr int kTables = 3, kPrograms = 2, kChannels = 3;

class Front : public ::testing::Test {
 protected:
  Front() {
    Vfront_top& m = model();
    m.clear_i = m.write_i = 0;
    m.start_ready_i = m.start_error_i = 0;
    m.record_i = m.full_i = m.entry_i = m.told_i = m.visit_i = m.coalesce_clear_i =
        m.setting_write_i = 0;
    m.poll_i = m.channel_i = 0;
    unit_.Reset();
  }
  Vfront_top& model() { return unit_.model(); }

  ClockedUnit<Vfront_top> unit_{1};
  Rng rng_{11};
};

TEST_F(Front, TablesKeepTheBitsThatAreWritten) {
  Proves({"register.access"});
  constexpr std::array<uint64_t, kTables> kDepth = {5, 2, 1};
  constexpr std::array<uint32_t, kTables> kBits = {0xffffffff, 0x1fffff, 0x7f};
  Vfront_top& m = model();
  std::array<std::array<uint32_t, 5>, kTables> held = {};
  for (int i = 0; i < 5; ++i) {
    m.clear_i = 7;
    for (int t = 0; t < kTables; ++t) {
      PinAt<uint8_t>(m.index_i, t) = static_cast<uint8_t>(i % kDepth[static_cast<size_t>(t)]);
      PinAt<uint32_t>(m.data_i, t) = PinAt<uint32_t>(m.mask_i, t) = 0xffffffff;
    }
    unit_.Cycle();
  }
  for (int i = 0; i < 2000; ++i) {
    m.clear_i = m.write_i = 0;
    for (int t = 0; t < kTables; ++t) {
      const uint64_t depth = kDepth[static_cast<size_t>(t)];
      PinAt<uint8_t>(m.index_i, t) = static_cast<uint8_t>(rng_.Below(depth));
      PinAt<uint8_t>(m.look_i, t) = static_cast<uint8_t>(rng_.Below(depth));
      PinAt<uint32_t>(m.data_i, t) = static_cast<uint32_t>(rng_());
      PinAt<uint32_t>(m.mask_i, t) = static_cast<uint32_t>(rng_());
      if (rng_.Chance(0.1)) {
        SetPinBit(m.clear_i, t, true);
      } else {
        SetPinBit(m.write_i, t, rng_.Chance(0.5));
      }
    }
    unit_.Cycle([&] {
      for (int t = 0; t < kTables; ++t) {
        SCOPED_TRACE(fmt::format("table {} cycle {}", t, i));
        auto& table = held[static_cast<size_t>(t)];
        const uint32_t bits = kBits[static_cast<size_t>(t)];
        uint32_t& word = table[PinAt<uint8_t>(m.index_i, t)];
        const uint32_t mask = PinAt<uint32_t>(m.mask_i, t);
        const uint32_t merged = ((word & ~mask) | (PinAt<uint32_t>(m.data_i, t) & mask)) & bits;
        EXPECT_EQ(PinAt<uint32_t>(m.data_o, t), word);
        EXPECT_EQ(PinAt<uint32_t>(m.merged_o, t), merged);
        EXPECT_EQ(PinAt<uint32_t>(m.look_o, t), table[PinAt<uint8_t>(m.look_i, t)]);
        if (PinBit(m.write_i, t)) word = merged;
        if (PinBit(m.clear_i, t)) word = 0;
      }
    });
  }
}

// Again after each reset: each write once, in order, whatever is refused.
TEST_F(Front, StartProgramsWriteEachRegisterOnce) {
  Proves({"program.start"});
  constexpr std::array<uint32_t, kPrograms> kWrites = {5, 1};
  Vfront_top& m = model();
  for (int run = 0; run < 100; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    unit_.Reset(1);
    std::array<uint32_t, kPrograms> done = {};
    std::array<bool, kPrograms> refused = {};
    const double pace = rng_.Chance(0.3) ? 1 : 0.4;
    const int cycles = rng_.Chance(0.2) ? static_cast<int>(rng_.Below(8)) : 60;
    for (int i = 0; i < cycles; ++i) {
      for (int p = 0; p < kPrograms; ++p) {
        SetPinBit(m.start_ready_i, p, rng_.Chance(pace));
        SetPinBit(m.start_error_i, p, rng_.Chance(0.3));
      }
      unit_.Cycle([&] {
        for (int p = 0; p < kPrograms; ++p) {
          uint32_t& at = done[static_cast<size_t>(p)];
          const bool busy = at < kWrites[static_cast<size_t>(p)];
          EXPECT_EQ(PinBit(m.start_busy_o, p), busy);
          EXPECT_EQ(PinBit(m.start_refused_o, p), refused[static_cast<size_t>(p)]);
          if (!busy) continue;
          EXPECT_TRUE(PinBit(m.start_whole_o, p));
          EXPECT_EQ(PinAt<uint32_t>(m.start_address_o, p), 0x1004 + 12 * at);
          EXPECT_EQ(PinAt<uint32_t>(m.start_data_o, p), (at + 1) * 0x9e3779b9U);
          if (!PinBit(m.start_ready_i, p)) continue;
          ++at;
          if (PinBit(m.start_error_i, p)) refused[static_cast<size_t>(p)] = true;
        }
      });
    }
    EXPECT_TRUE(cycles < 60 || done == kWrites);
  }
}

// What the register COALESCE of a channel says of its records, and those that were not told.
struct Coalescing {
  uint32_t count = 0, ticks = 0;
  uint32_t seen = 0, fresh = 0;  // by the last look, and since
  uint32_t visits = 0;           // since the first look that saw one

  bool Each() const { return count <= 1; }
  bool Due(bool record, bool full, bool visited) const {
    const uint32_t all = seen + fresh;
    const bool told = all != 0 && (all >= count || full || (ticks != 0 && visits >= ticks));
    return (Each() && record) || (visited && told);
  }
  void Step(bool record, bool full, bool visited) {
    if (visited) {
      const bool told = Due(false, full, true);
      seen = told ? 0 : seen + fresh;
      visits = seen == 0 ? 0 : visits + 1;
      fresh = 0;
    }
    if (record && !Each() && fresh < 31) ++fresh;
  }
};

// Completion entries that software was not told of: for so many visits from the first that saw one.
struct Untold {
  bool waits = false;
  uint32_t visits = 0;

  bool Late(uint32_t ticks, bool visited) const {
    return visited && waits && ticks != 0 && visits >= ticks;
  }
  void Step(bool entry, bool told, bool visited, bool late) {
    visits = !waits || told || late ? 0 : visits + (visited ? 1 : 0);
    waits = entry || (waits && !told && !late);
  }
};

TEST_F(Front, RecordsAreToldByCountAndByTimeAndEntriesByTime) {
  Proves({"program.coalesce"});
  Vfront_top& m = model();
  std::array<Coalescing, kChannels> channels = {};
  std::array<Untold, kChannels> entries = {};
  m.coalesce_clear_i = 1;
  for (int c = 0; c < kChannels; ++c) {
    m.poll_i = static_cast<uint8_t>(c);
    unit_.Cycle();
  }
  m.coalesce_clear_i = 0;
  int told = 0, late = 0, early = 0;
  double rate = 0, full = 0;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("cycle {}", i));
    if (i % 200 == 0) {
      constexpr std::array<double, 4> kRates = {0.02, 0.1, 0.5, 1};
      rate = kRates[rng_.Below(4)];
      full = rng_.Chance(0.5) ? 0 : 0.1;
    }
    m.record_i = m.full_i = m.entry_i = m.told_i = 0;
    for (int c = 0; c < kChannels; ++c) {
      SetPinBit(m.record_i, c, rng_.Chance(rate));
      SetPinBit(m.full_i, c, rng_.Chance(full));
      SetPinBit(m.entry_i, c, rng_.Chance(rate));
      SetPinBit(m.told_i, c, rng_.Chance(0.02));
    }
    m.poll_i = static_cast<uint8_t>(i % kChannels);
    m.visit_i = rng_.Chance(0.2);
    m.channel_i = static_cast<uint8_t>(rng_.Below(kChannels));
    m.setting_write_i = rng_.Chance(0.05);
    const auto count = static_cast<uint32_t>(rng_.Chance(0.5) ? rng_.Below(4) : rng_.Below(32));
    m.setting_data_i = count | static_cast<uint32_t>(rng_.Below(5)) << 16;
    constexpr std::array<uint32_t, 4> kMasks = {0xffffffff, 0xff, 0xffff0000, 0};
    m.setting_mask_i = kMasks[rng_.Below(4)];
    unit_.Cycle([&] {
      Coalescing& setting = channels[m.channel_i];
      EXPECT_EQ(m.setting_o, setting.count | setting.ticks << 16);
      for (int c = 0; c < kChannels; ++c) {
        Coalescing& channel = channels[static_cast<size_t>(c)];
        const bool record = PinBit(m.record_i, c), queue = PinBit(m.full_i, c);
        const bool visited = m.visit_i && m.poll_i == c;
        const bool due = channel.Due(record, queue, visited);
        EXPECT_EQ(PinBit(m.due_o, c), due)
            << "channel " << c << " count " << channel.count << " ticks " << channel.ticks;
        told += due ? 1 : 0;
        channel.Step(record, queue, visited);
        Untold& untold = entries[static_cast<size_t>(c)];
        const bool is_late = untold.Late(channel.ticks, visited);
        EXPECT_EQ(PinBit(m.late_o, c), is_late) << "channel " << c << " ticks " << channel.ticks;
        late += is_late ? 1 : 0;
        early += untold.waits && PinBit(m.told_i, c) ? 1 : 0;
        untold.Step(PinBit(m.entry_i, c), PinBit(m.told_i, c), visited, is_late);
      }
      if (m.setting_write_i) {
        if (m.setting_mask_i & 31) setting.count = m.setting_data_i & 31;
        if (m.setting_mask_i >> 16) setting.ticks = m.setting_data_i >> 16;
      }
    });
  }
  EXPECT_GT(told, 1000);
  EXPECT_GT(late, 200);
  EXPECT_GT(early, 200);
}

}  // namespace
}  // namespace tessera
