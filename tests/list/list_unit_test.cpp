// Random lives of lists: arrays and rings, tasks, doorbells, aborts, resets, errors, entries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tb/check/plan.h"
#include "tests/list/list_bench.h"

namespace tessera::list {
namespace {

Pace RandomPace(Rng rng) {
  Pace pace;
  pace.latency_max = rng.Chance(0.4) ? 1 : rng.Between(2, 60);
  for (double* p : {&pace.ar, &pace.r, &pace.aw, &pace.w, &pace.b, &pace.row, &pace.check,
                    &pace.report, &pace.look, &pace.entry}) {
    *p = rng.Chance(0.4) ? 1.0 : 0.15 + 0.85 * static_cast<double>(rng.Below(100)) / 100;
  }
  pace.job_min = rng.Between(4, 6);
  pace.job_max = pace.job_min + (rng.Chance(0.5) ? 0 : rng.Below(20));
  return pace;
}

// What software does with the list of one channel, step by step.
class Life {
 public:
  Life(ListBench& bench, const Shape& shape, int channel, uint64_t region)
      : bench_(bench), shape_(shape), channel_(channel), region_(region) {}

  void Step() {
    Rng& rng = bench_.rng();
    ListBench::List& l = bench_.list(channel_);
    if (l.in_reset) return Meanwhile();
    if (l.halted) {
      // Nothing but a reset helps.
      if (resting_ == 0) resting_ = 1 + static_cast<int>(rng.Below(4));
      if (--resting_ == 0 && !bench_.Reset(channel_, static_cast<int>(rng.Below(120))))
        resting_ = 1;
      if (!l.halted) programmed_ = false;
      return Meanwhile();
    }
    if (l.open) {
      const double end = leaving_ ? 0.5 : 0.03;
      if (rng.Chance(end)) {
        if (rng.Chance(0.4)) {
          if (bench_.Reset(channel_, static_cast<int>(rng.Below(120)))) leaving_ = false;
        } else if (bench_.Abort(channel_)) {
          leaving_ = false;
        } else {
          leaving_ = true;
          l.stopping = true;
        }
      }
      return Meanwhile();
    }
    if (!programmed_ || rng.Chance(0.3)) return Program();
    if (rng.Chance(0.1) && bench_.Reset(channel_, static_cast<int>(rng.Below(50)))) return;
    bench_.Open(channel_, rng.Chance(0.1) ? 0 : static_cast<int>(rng.Between(1, 4)));
  }

  void Leave() { leaving_ = true; }

 private:
  // Doorbells and looks at registers.
  void Meanwhile() {
    Rng& rng = bench_.rng();
    ListBench::List& l = bench_.list(channel_);
    if (rng.Chance(0.2)) bench_.Read(channel_, kHead);
    if (rng.Chance(0.2) && l.open) {
      // All but LIST_TAIL is locked.
      const int word =
          std::array{kBase, kBaseHigh, kCount, kControl, kDone, kDoneHigh}[rng.Below(6)];
      const uint64_t opens = bench_.counts.opens;
      const ListBench::Answer answer =
          bench_.Access(channel_, word, true, static_cast<uint32_t>(rng()), 0);
      if (!answer.error && l.open && opens == bench_.counts.opens)
        bench_.Fail(fmt::format("channel {}: word {} is not locked", channel_, word));
      ++bench_.counts.locked;
    }
    if (!programmed_ || !l.setup.ring || l.setup.count < 2 || l.tail >= l.setup.count) return;
    if (l.in_reset || l.refused || !rng.Chance(0.7)) return;
    const uint32_t room = (l.head + l.setup.count - l.tail - 1) % l.setup.count;
    if (room == 0) return;
    const auto more = static_cast<uint32_t>(rng.Between(1, room));
    for (uint32_t n = 0; n < more; ++n) Describe((l.tail + n) % l.setup.count);
    // A doorbell behind the ring.
    if (rng.Chance(errors_ ? 0.02 : 0)) return bench_.Ring(channel_, l.setup.count + 3);
    bench_.Ring(channel_, (l.tail + more) % l.setup.count);
  }

  // A descriptor in memory.
  void Describe(uint32_t index) {
    Rng& rng = bench_.rng();
    const ListBench::List& l = bench_.list(channel_);
    const uint64_t addr = l.setup.base + index * l.setup.pitch;
    for (uint64_t part = 0; part < l.setup.pitch / 64 + 2; ++part) {
      if (part < l.setup.pitch / 64) {
        for (uint32_t& word : bench_.At(addr + 64 * part)) word = static_cast<uint32_t>(rng());
        bench_.memory().errors.erase((addr + 64 * part) / 64);
        if (errors_ && rng.Chance(0.015))
          bench_.memory().errors[(addr + 64 * part) / 64] = static_cast<uint8_t>(rng.Between(1, 3));
      }
    }
    Line& base = bench_.At(addr);
    base[Chain::kWord] = Chain{base[Chain::kWord]}.set_has_next(!rng.Chance(0.3)).word;
    uint32_t kinds = 0;
    const uint64_t room = l.setup.pitch / 64 - 1;
    if (room >= 2 && rng.Chance(0.4)) kinds = static_cast<uint32_t>(rng.Below(4));
    if (room == 1 && rng.Chance(0.4)) kinds = static_cast<uint32_t>(rng.Below(3));
    if (errors_ && rng.Chance(0.01)) kinds = 3;
    if (!errors_ && !shape_.bounds) kinds &= 2;
    if (!errors_ && !shape_.walk) kinds &= 1;
    base[Flags::kWord] = FlagsOf(base)
                             .set_has_bounds(kinds)
                             .set_has_walk(kinds >> 1)
                             .set_valid(!(errors_ && rng.Chance(0.01)))
                             .word;
  }

  void Program() {
    Rng& rng = bench_.rng();
    ListBench::List& l = bench_.list(channel_);
    if (l.jobs != 0 || l.continues || !l.executing.empty() || !l.reports.empty()) return;
    if (bench_.Read(channel_, kStatus) & 1) return;  // busy
    errors_ = rng.Chance(0.5);
    Registers setup;
    setup.ring = rng.Chance(0.6);
    setup.entries = rng.Chance(0.6);
    setup.per = rng.Chance(0.5) ? 0 : static_cast<uint32_t>(rng.Between(1, 6));
    setup.count = static_cast<uint32_t>(rng.Chance(0.2) ? rng.Between(30, 60) : rng.Between(1, 12));
    setup.pitch = 64 * rng.Between(1, 4);
    const uint64_t mask =
        shape_.addr_width == 64 ? ~uint64_t{0} : (uint64_t{1} << shape_.addr_width) - 1;
    setup.base = (region_ + 64 * rng.Below(64)) & mask;
    setup.done = (region_ + 0x40000 + 64 * rng.Below(64)) & mask;
    if (channel_ == 0 && rng.Chance(0.2))
      setup.base = (mask - setup.count * setup.pitch + 1) & ~uint64_t{63};
    l.first_page = 0;
    l.last_page = ~uint64_t{0} >> 12;
    l.done_window = true;
    if (errors_) {
      switch (rng.Below(14)) {
        case 0:
          setup.base += 4 * rng.Between(1, 15);
          break;
        case 1:
          setup.done += 4 * rng.Between(1, 15);
          break;
        case 2:
          setup.count = 0;
          break;
        case 3:
          l.first_page = (setup.base >> 12) + 1;
          break;
        case 4:
          l.last_page = setup.base >> 12;
          break;
        case 5:
          l.done_window = false;
          break;
        case 6:
          if (shape_.addr_width < 64) setup.base |= uint64_t{1} << shape_.addr_width;
          break;
        case 7:
          if (channel_ == 0) setup.base = (mask - setup.count * setup.pitch / 2) & ~uint64_t{63};
          break;
        case 8:
          if (channel_ == 0) setup.done = (mask - 8 * setup.count) & ~uint64_t{63};
          break;
        default:
          break;
      }
    }
    // Words behind the list are other ones.
    bench_.Program(channel_, setup);
    if (!bench_.ok()) return;
    programmed_ = true;
    for (uint32_t n = 0; n < setup.count; ++n) Describe(n);
    for (const auto& [word, value] :
         std::map<int, uint32_t>{{kBase, static_cast<uint32_t>(setup.base)},
                                 {kBaseHigh, static_cast<uint32_t>(setup.base >> 32)},
                                 {kCount, setup.count},
                                 {kTail, 0},
                                 {kHead, 0},
                                 {kDone, static_cast<uint32_t>(setup.done)},
                                 {kDoneHigh, static_cast<uint32_t>(setup.done >> 32)},
                                 {kStatus, 0}}) {
      if (rng.Chance(0.3) &&
          (bench_.Read(channel_, word) & (word == kStatus ? 0x71U : ~0U)) != value)
        bench_.Fail(fmt::format("channel {}: word {} is not {:#x}", channel_, word, value));
    }
  }

  ListBench& bench_;
  Shape shape_;
  int channel_;
  uint64_t region_;
  bool programmed_ = false, leaving_ = false, errors_ = false;
  int resting_ = 0;
};

class Lists : public testing::TestWithParam<Shape> {};

TEST_P(Lists, RunRandomLives) {
  Proves({"list.array", "list.ring", "list.never-past", "list.attributes", "list.entries"});
  const Shape& shape = GetParam();
  // Life 9 of `plain` closes a list before the unit has noted which descriptor was refused.
  uint64_t first = 1, last = std::string(shape.name) == "plain" ? 9 : 4;
  if (const char* seeds = std::getenv("LIST_SEEDS")) std::sscanf(seeds, "%lu-%lu", &first, &last);
  Counts all;
  for (uint64_t seed = first; seed <= last; ++seed) {
    ListBench bench(shape, seed, RandomPace(Rng(seed).Stream("pace")));
    bench.prep_refuses = Rng(seed).Stream("refuses").Chance(0.3) ? 0.02 : 0;
    std::vector<Life> lives;
    const uint64_t high =
        shape.addr_width == 64 ? 0xfffffff000000000U : uint64_t{0xf} << (shape.addr_width - 4);
    for (int c = 0; c < shape.channels; ++c)
      lives.emplace_back(bench, shape, c, high + static_cast<uint64_t>(c) * 0x100000);
    Rng& rng = bench.rng();
    const int steps = 1200;
    for (int n = 0; n < steps && bench.ok(); ++n) {
      lives[rng.Below(lives.size())].Step();
      bench.Run(static_cast<int>(rng.Below(20)));
      if (rng.Chance(0.01)) {
        bench.quiesce = true;
        bench.Run(static_cast<int>(rng.Between(1, 150)));
        const auto& m = bench.model();
        const bool idle = bench.memory().idle() && !m.ar_valid_o && !m.aw_valid_o && !m.w_valid_o;
        if (idle && !bench.model().rests_o)
          bench.Fail("nothing is on the bus, and it does not rest");
        ++bench.counts.quiesced;
        bench.quiesce = false;
      }
    }
    // All come to their end.
    for (int n = 0; n < 60000 && bench.ok(); ++n) {
      bool left = false;
      for (int c = 0; c < shape.channels; ++c) {
        bench.list(c).stopping = true;
        if (bench.list(c).open && !bench.Abort(c)) left = true;
        left = left || !bench.list(c).executing.empty() || !bench.list(c).reports.empty() ||
               bench.list(c).jobs != 0;
      }
      bench.Cycle();
      if (!left && n > 1000) break;
    }
    for (int c = 0; c < shape.channels && bench.ok(); ++c) {
      const ListBench::List& l = bench.list(c);
      bool busy = true;
      for (int n = 0; n < 300 && busy; ++n) busy = bench.Read(c, kStatus) & 1;
      if (busy) bench.Fail(fmt::format("channel {} stays busy", c));
      for (const ListBench::Expected& expected : l.expected) {
        if (!expected.optional && expected.refused == 0 && l.dead == 0)
          bench.Fail(fmt::format("channel {}: an entry was not written", c));
      }
      if (!l.reports.empty()) bench.Fail(fmt::format("channel {}: a report is missing", c));
    }
    ASSERT_EQ(bench.failure(), "") << "seed " << seed << ", LIST_SEEDS=" << seed << "-" << seed;
    const Counts& c = bench.counts;
    all.descriptors += c.descriptors;
    all.bounds += c.bounds;
    all.walks += c.walks;
    all.turns += c.turns;
    all.wraps += c.wraps;
    all.entries += c.entries;
    all.interrupts += c.interrupts;
    all.aborts += c.aborts;
    all.resets += c.resets;
    all.locked += c.locked;
    all.reports += c.reports;
    all.quiesced += c.quiesced;
    for (const auto& [reason, n] : c.reasons) all.reasons[reason] += n;
  }
  std::string reasons;
  for (const auto& [reason, n] : all.reasons) reasons += fmt::format(" {}:{}", reason, n);
  fmt::print(
      "{}: {} descriptors, {} bounds, {} traversals, {} turns, {} wraps, {} entries, {} "
      "interrupts, "
      "{} aborts, {} resets, {} locked, reasons{}\n",
      shape.name, all.descriptors, all.bounds, all.walks, all.turns, all.wraps, all.entries,
      all.interrupts, all.aborts, all.resets, all.locked, reasons);
  EXPECT_GT(all.descriptors, 100U);
  EXPECT_GT(all.entries, 20U);
}

// Lists without entries send some that are dropped: one of another channel may stand in front of
// one that was refused.
TEST(ListEntries, ARefusedOneIsTheLastOfItsChannel) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    for (const double b : {1.0, 0.1, 0.03}) {
      Pace pace;
      pace.b = b;
      pace.latency_max = 8;
      ListBench bench(kShapes[1], seed, pace);  // pair: 32 address bits
      for (int c = 0; c < 2; ++c) {
        Registers r;
        r.entries = c == 0;
        r.count = c == 0 ? 5 : 16;
        r.base = c == 0 ? 0x10000 : 0x20000;
        r.done = c == 0 ? 0xffffffc0 : 0x30000;  // entry 4 lies beyond the addresses
        bench.Program(c, r);
        auto& list = bench.list(c);
        for (uint32_t n = 0; n < r.count; ++n) {
          Describe(bench.At(r.base + 64 * n), bench.rng());
          list.posted[n].clear();
          for (uint64_t part = 0; part < 3; ++part)
            list.posted[n].push_back(bench.At(list.setup.base + 64 * (n + part)));
        }
      }
      bench.Open(1, 3);
      bench.Open(0, 3);
      bench.Run(3000);
      EXPECT_EQ(bench.failure(), "") << "seed " << seed << ", b " << b;
      EXPECT_TRUE(bench.list(0).halted);
      EXPECT_EQ(bench.counts.entries, 4U) << "seed " << seed << ", b " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Lists, testing::ValuesIn(kShapes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::list
