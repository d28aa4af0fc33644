// Random runs of tsr_lists: all channels of all shapes at once, with late memories, errors,
// windows, doorbells while it runs, closing at any time, resets of single channels, and completion
// entries.
#include <fmt/format.h>

#include <cstdlib>

#include "tb/check/plan.h"
#include "tests/lists/list_model.h"

namespace tessera::lists {
namespace {

MemoryOptions RandomMemory(Rng rng) {
  MemoryOptions options;
  options.latency_max = rng.Chance(0.4) ? 1 : rng.Between(2, 60);
  for (double* p : {&options.ar, &options.r, &options.aw, &options.w, &options.b}) {
    *p = rng.Chance(0.4) ? 1.0 : 0.1 + 0.9 * static_cast<double>(rng.Below(100)) / 100;
  }
  return options;
}

class RandomRun : public Bench {
 public:
  RandomRun(uint64_t seed, Counts* counts)
      : Bench(seed,
              [seed](int i) {
                return RandomMemory(Rng(seed).Stream("memory", static_cast<uint64_t>(i)));
              }),
        rng_(Rng(seed).Stream("run")),
        counts_(counts) {
    eagerness_ = rng_.Chance(0.5) ? 1.0 : 0.2;
    for (int i = 0; i < kCells; ++i) {
      Cell& cell = cells[static_cast<size_t>(i)];
      const uint64_t high = cell.shape.addr_width == 64 ? 0xfffffff000000000U
                            : cell.shape.addr_width == 32
                                ? 0xf0000000U
                                : uint64_t{0xf} << (cell.shape.addr_width - 4);
      for (int c = 0; c < cell.shape.channels; ++c) {
        List& list = lists_[static_cast<size_t>(i)].emplace_back();
        list.cell = &cell;
        list.number = c;
        list.counts = counts;
        list.region = high + static_cast<uint64_t>(c) * 0x100000;
      }
      cell.memory.on_read = [this, i](uint64_t addr) { Of(i, addr).CheckFetch(addr); };
      cell.memory.on_write = [this, i](uint64_t addr, const std::array<uint32_t, 4>& words) {
        CheckLane(i, Of(i, addr));
        Of(i, addr).CheckEntry(addr, words);
      };
      cell.memory.on_written = [this, i](uint64_t addr, uint8_t resp) { Answered(i, addr, resp); };
    }
    choose = [this](int i) { Choose(i); };
    sample = [this](int i) { Sample(i); };
    drive = [this](int i) {
      for (List& list : lists_[static_cast<size_t>(i)]) Drive(&list);
    };
    Reset();
    Run(40);
  }

  bool Drained() {
    draining_ = true;
    for (auto& cell : lists_) {
      for (List& list : cell) {
        const bool fetched = list.halted || (list.ring ? list.head == list.tail : list.passes > 0);
        const bool written = list.executing.empty() && (list.expected.empty() || list.dead != 0) &&
                             list.on_bus.empty();
        if (list.state != List::State::kOpen || !fetched || !written) return false;
      }
    }
    return true;
  }
  std::string Stuck() {
    for (size_t i = 0; i < lists_.size(); ++i) {
      for (List& list : lists_[i]) {
        const bool fetched = list.halted || (list.ring ? list.head == list.tail : list.passes > 0);
        if (list.state != List::State::kOpen || !fetched || !list.executing.empty() ||
            (!list.expected.empty() && list.dead == 0) || !list.on_bus.empty()) {
          return fmt::format(
              "cell {} {}: state {}, halted {}, {} executing, {} expected, {} on bus", i,
              list.Describe(), static_cast<int>(list.state), list.halted, list.executing.size(),
              list.expected.size(), list.on_bus.size());
        }
      }
    }
    return "nothing";
  }

 private:
  List& Of(int i, uint64_t addr) {
    auto& lists = lists_[static_cast<size_t>(i)];
    const uint64_t c = addr >= lists[0].region ? (addr - lists[0].region) / 0x100000 : lists.size();
    EXPECT_LT(c, lists.size()) << "no list is at " << addr;
    return lists[c < lists.size() ? c : 0];
  }

  // ---- The loader -----------------------------------------------------------------------------

  void Choose(int i) {
    Cell& cell = cells[static_cast<size_t>(i)];
    auto& lists = lists_[static_cast<size_t>(i)];
    if (lists[static_cast<size_t>(cell.select)].part != 0) {
      if (cell.valid >> cell.select & 1) {
        cell.take = rng_.Chance(eagerness_);
        return;
      }
      lists[static_cast<size_t>(cell.select)].part = 0;  // closed on the way
    }
    uint32_t valid = cell.valid;
    for (const List& list : lists) {
      if (list.state == List::State::kClear) valid &= ~list.bit();
    }
    if (valid == 0) return;
    do {
      cell.select = static_cast<int>(rng_.Below(static_cast<uint64_t>(cell.shape.channels)));
    } while (!(valid >> cell.select & 1));
    cell.take = rng_.Chance(eagerness_);
  }

  // ---- What the model shows -------------------------------------------------------------------

  void Sample(int i) {
    Cell& cell = cells[static_cast<size_t>(i)];
    const BusOut& bus = cell.bus;
    EXPECT_TRUE(!bus.arvalid || bus.arattr == Of(i, bus.araddr).number) << bus.arattr;
    EXPECT_TRUE(!bus.awvalid || bus.awattr == Of(i, bus.awaddr).number) << bus.awattr;
    uint32_t clearing = 0;
    for (List& list : lists_[static_cast<size_t>(i)]) {
      if (list.state == List::State::kClear) {
        clearing |= list.bit();
        list.dead_next = 0;
        continue;
      }
      if (list.head_known && list.state != List::State::kProgram) {
        EXPECT_EQ(cell.head(list.number), static_cast<int>(list.head)) << list.Describe();
      }
      const int error = cell.write_error(list.number);
      if (error != 0 && list.dead == 0) list.CheckRefused(error);
      EXPECT_EQ(error, list.dead) << list.Describe();
      EXPECT_FALSE(list.halted && (cell.valid >> list.number & 1) != 0) << list.Describe();
    }
    for (List& list : lists_[static_cast<size_t>(i)]) {
      if (list.dead_next != 0 && list.dead == 0) list.Die(list.dead_next);
      list.dead_next = 0;
    }
    EXPECT_EQ(cell.interrupts & ~clearing, interrupts_ & ~clearing) << "cell " << i;
    interrupts_ = 0;
    if (cell.take) {
      List& list = lists_[static_cast<size_t>(i)][static_cast<size_t>(cell.select)];
      if (list.Take(cell.part)) {
        if (list.entries || rng_.Chance(0.2)) Execute(&list);
        list.Advance();
      }
    }
    counts_->queue_full += (cell.done_valid & ~cell.done_ready) != 0;
    for (List& list : lists_[static_cast<size_t>(i)]) {
      if (cell.done_valid & cell.done_ready & list.bit()) {
        list.Done(list.executing.front().entry);
        list.executing.pop_front();
        cell.done_valid &= ~list.bit();
      }
    }
  }
  void Execute(List* list) {
    Entry entry;
    entry.tag = static_cast<uint32_t>(rng_());
    entry.index = static_cast<uint16_t>(list->head);
    entry.bytes = rng_() >> 16;
    entry.status = static_cast<uint8_t>(rng_.Below(128));
    entry.last = rng_.Chance(0.5);
    entry.task_end = rng_.Chance(0.2);
    entry.interrupts = rng_.Chance(0.1);
    list->executing.push_back({entry, cycle + rng_.Below(30)});
  }
  void CheckLane(int i, const List& list) {
    ListMemory& memory = cells[static_cast<size_t>(i)].memory;
    const uint64_t lanes = static_cast<uint64_t>(kShapes[static_cast<size_t>(i)].list_width) / 128;
    if (lanes == 0) return;
    const auto [lane, strobe] = memory.lanes.front();
    memory.lanes.pop_front();
    ASSERT_FALSE(list.expected.empty());
    EXPECT_EQ(lane, list.expected.front().addr / 16 % lanes);
    EXPECT_EQ(strobe, uint64_t{0xffff} << (16 * lane));
  }
  void Answered(int i, uint64_t addr, uint8_t resp) {
    List& list = Of(i, addr);
    ASSERT_FALSE(list.on_bus.empty());
    if (resp < 2 && list.on_bus.front()) {
      interrupts_ |= list.bit();
      ++counts_->interrupts;
    }
    list.on_bus.pop_front();
    if (resp >= 2 && list.dead == 0) list.dead_next = resp == 2 ? 3 : 4;
  }

  // ---- Software -------------------------------------------------------------------------------

  void Post(List* list, Access access) {
    ++list->pending;
    access.answered = [list, then = access.answered](bool error, uint32_t data) {
      --list->pending;
      if (then) {
        then(error, data);
      } else {
        EXPECT_FALSE(error) << list->Describe();
      }
    };
    list->cell->accesses.push_back(access);
  }
  void Write(List* list, uint32_t offset, uint64_t data) {
    Post(list, {list->number, offset, static_cast<uint32_t>(data)});
  }
  void NewDescriptor(List* list, uint32_t index) {
    const uint64_t addr = list->AddressOf(index);
    for (uint64_t at = addr; at < addr + list->pitch; at += 64) {
      Line& line = list->cell->memory.lines[at / 64];
      for (uint32_t& word : line) word = static_cast<uint32_t>(rng_());
      if (at != addr) continue;
      const uint64_t most = rng_.Chance(0.005) ? 3 : static_cast<uint64_t>(list->allowed());
      const uint64_t extensions = rng_.Below(most + 1);
      const uint32_t bits = extensions == 0   ? 0U
                            : extensions == 1 ? (rng_.Chance(0.5) ? 1U : 2U)
                                              : 3U;
      line[15] = (line[15] & ~0xc000U) | bits << 14;
    }
    if (faults_ && rng_.Chance(0.004)) {
      list->cell->memory.errors[(addr + 64 * rng_.Below(list->pitch / 64)) / 64] =
          static_cast<uint8_t>(2 + rng_.Below(2));
    }
  }
  void SetWindows(List* list) {
    list->cell->windows.push_back(
        {list->number, 0, list->first_page, list->last_page, true, false});
    const uint64_t page = (list->done_base & list->Mask()) >> 12;
    list->cell->windows.push_back(
        {list->number, 1, list->done_window ? page : page + 2, page + 2, false, true});
  }
  void Program(List* list) {
    list->RestartList();
    list->RestartEntries();
    list->ring = rng_.Chance(0.5);
    list->count =
        static_cast<uint32_t>(rng_.Chance(0.3) ? rng_.Between(1, 3) : rng_.Between(4, 60));
    list->pitch = 64 * rng_.Between(1, 4);
    list->base = list->region + 64 * rng_.Below(256);
    list->done_base = list->region + 0x80000 + 64 * rng_.Below(128);
    list->entries = rng_.Chance(0.7);
    list->per = static_cast<uint32_t>(rng_.Chance(0.5) ? 0 : rng_.Between(1, 9));
    list->done_window = !faults_ || !rng_.Chance(0.03);
    list->flawed = false;
    for (uint64_t at = 0; at < 0x4000; at += 64) {
      list->cell->memory.errors.erase((list->region + 0x80000 + at) / 64);
    }
    if (faults_ && rng_.Chance(0.05)) {
      list->cell->memory.errors[list->done_base / 64 + rng_.Below(3)] =
          static_cast<uint8_t>(2 + rng_.Below(2));
    }
    if (faults_) {
      if (rng_.Chance(0.02)) list->base += rng_.Between(1, 63);
      if (rng_.Chance(0.02)) list->count = 0;
      if (rng_.Chance(0.02) && list->cell->shape.addr_width < 64) list->base += list->Mask() + 1;
      if (rng_.Chance(0.02)) list->done_base += 4 * rng_.Between(1, 15);
      list->flawed = list->count == 0 || list->done_base % 64 != 0;
    }
    const uint64_t pages = (list->base + list->count * list->pitch - 1) / 4096 - list->base / 4096;
    list->first_page = (list->base & list->Mask()) >> 12;
    list->last_page = list->first_page + pages + rng_.Below(2);
    if (faults_ && rng_.Chance(0.1) && pages > 0)
      list->last_page = list->first_page + rng_.Below(pages);
    SetWindows(list);
    for (uint32_t index = 0; index < list->count && !list->BaseBad(); ++index) {
      NewDescriptor(list, index);
    }
    Write(list, kBase, list->base);
    Write(list, kBaseHigh, list->base >> 32);
    Write(list, kCount, list->count);
    Write(list, kDoneBase, list->done_base);
    Write(list, kDoneHigh, list->done_base >> 32);
    Write(list, kControl,
          (list->ring ? 1 : 0) | (list->entries ? 2 : 0) | (list->pitch / 64 - 1) << 4 |
              static_cast<uint64_t>(list->per) << 8);
    list->state = List::State::kProgram;
  }
  // Another list, whose entries go on in the same ring.
  void Rebase(List* list) {
    list->RestartList();
    list->base = list->region + 64 * rng_.Below(256);
    list->first_page = list->base >> 12;
    list->last_page = list->first_page + 16;
    SetWindows(list);
    for (uint32_t index = 0; index < list->count; ++index) NewDescriptor(list, index);
    Write(list, kBase, list->base);
    list->state = List::State::kProgram;
  }
  void Doorbell(List* list) {
    const uint32_t room = (list->head + list->count - list->tail - 1) % list->count;
    const uint32_t more = static_cast<uint32_t>(rng_.Below(std::min<uint64_t>(room, 9) + 1));
    if (faults_ && rng_.Chance(0.003)) {
      Post(list, {list->number, kTail, list->count + static_cast<uint32_t>(rng_.Below(9)), true, 15,
                  [list](bool error, uint32_t) {
                    EXPECT_FALSE(error);
                    list->tail_bad = true;
                  }});
      return;
    }
    if (more == 0 || list->tail_bad) return;
    for (uint32_t i = 0; i < more; ++i) NewDescriptor(list, (list->tail + i) % list->count);
    const uint32_t tail = (list->tail + more) % list->count;
    Post(list, {list->number, kTail, tail, true, 15, [list, tail](bool error, uint32_t) {
                  EXPECT_FALSE(error);
                  list->tail = tail;
                }});
  }
  void Open(List* list) {
    list->state = List::State::kOpen;
    list->until = cycle + rng_.Between(1, rng_.Chance(0.3) ? 30 : 900);
    list->halted = list->again_seen = false;
    list->passes = 0;
    list->part = 0;
    if (!list->ring) list->head = 0;
    list->head_known = list->ring;
    list->cell->open |= list->bit();
    list->cell->again &= ~list->bit();
  }
  // Takes away what was wrong with it.
  void Repair(List* list) {
    ++counts_->repaired;
    for (uint64_t at = list->base; at < list->base + list->count * list->pitch; at += 64) {
      list->cell->memory.errors.erase(at / 64);
    }
    for (uint32_t index = 0; index < list->count; ++index) {
      uint32_t& word = list->cell->memory.lines[list->AddressOf(index) / 64][15];
      if (list->allowed() == 0) word &= ~0xc000U;
      if (list->allowed() == 1 && (word >> 14 & 3) == 3) word &= ~0x4000U;
    }
    list->last_page = list->first_page + 16;
    SetWindows(list);
    if (list->tail_bad) {
      Post(list, {list->number, kTail, list->tail, true, 15, [list](bool error, uint32_t) {
                    EXPECT_FALSE(error);
                    list->tail_bad = false;
                  }});
    }
  }

  void Drive(List* list) {
    Cell& cell = *list->cell;
    if (!list->executing.empty() && !(cell.done_valid & list->bit()) &&
        list->executing.front().ready <= cycle && list->state != List::State::kClear) {
      cell.done[static_cast<size_t>(list->number)] = list->executing.front().entry;
      cell.done_valid |= list->bit();
    }
    const bool busy = cell.busy & list->bit();
    switch (list->state) {
      case List::State::kIdle:
        if (busy || !list->executing.empty() || list->pending != 0) break;
        if (rng_.Chance(0.3) && list->count != 0 && !list->BaseBad()) {
          Rebase(list);
        } else {
          Program(list);
        }
        break;
      case List::State::kProgram:
        if (list->pending == 0 && cell.windows.empty()) Open(list);
        break;
      case List::State::kOpen:
        DriveOpen(list);
        break;
      case List::State::kClosing:
        if (busy || list->pending != 0 || !list->executing.empty() ||
            (!list->expected.empty() && list->dead == 0)) {
          break;
        }
        if (list->dead != 0 || rng_.Chance(0.2)) {
          Clear(list);
        } else if (list->halted && list->count != 0 && !list->BaseBad() && rng_.Chance(0.7)) {
          Repair(list);
          list->halted = false;
        } else if (!list->halted && rng_.Chance(0.6)) {
          if (cell.windows.empty()) Open(list);
        } else {
          list->state = List::State::kIdle;
        }
        break;
      case List::State::kClear:
        if (busy || cycle < list->until) break;
        cell.clear &= ~list->bit();
        list->RestartList();
        list->RestartEntries();
        list->expected.clear();
        list->dead = 0;
        list->halted = false;
        list->state = List::State::kClosing;
        break;
    }
  }
  void Clear(List* list) {
    ++counts_->cleared;
    list->state = List::State::kClear;
    list->until = cycle + 3;
    list->executing.clear();
    list->cell->clear |= list->bit();
    list->cell->done_valid &= ~list->bit();
    list->cell->open &= ~list->bit();
    list->part = 0;
  }
  void DriveOpen(List* list) {
    Cell& cell = *list->cell;
    if (list->pending == 0 && list->ring && list->count != 0 && !list->BaseBad() && !draining_ &&
        rng_.Chance(0.05)) {
      Doorbell(list);
    }
    if (list->pending == 0 && rng_.Chance(0.002)) {
      ++counts_->locked;
      Post(list, {list->number, rng_.Chance(0.5) ? kCount : kControl, 0, true, 15,
                  [](bool error, uint32_t) { EXPECT_TRUE(error) << "a busy list was changed"; }});
    }
    if (rng_.Chance(0.02)) cell.again ^= list->bit();
    if (draining_) cell.again &= ~list->bit();
    list->again_seen = list->again_seen || (cell.again & list->bit()) != 0;
    const bool errs = list->halted && !draining_;
    if (((cycle < list->until || draining_) && !errs) || list->pending != 0) return;
    if (rng_.Chance(0.1)) {
      Clear(list);
      return;
    }
    ++counts_->closed;
    counts_->closed_owing += !list->halted && !cell.memory.idle();
    cell.open &= ~list->bit();
    list->state = List::State::kClosing;
  }

  Rng rng_;
  Counts* counts_;
  std::array<std::deque<List>, kCells> lists_;
  uint32_t interrupts_ = 0;
  double eagerness_ = 1;
  bool faults_ = true, draining_ = false;
};

TEST(ListRandom, EveryDescriptorAndEveryEntryOnceAndInOrder) {
  Proves({"list.array", "list.ring", "list.never-past", "list.entries", "list.attributes"});
  const char* const more = std::getenv("TESSERA_LIST_SEEDS");
  const char* const first = std::getenv("TESSERA_LIST_FIRST");
  const uint64_t seeds = more != nullptr ? std::strtoull(more, nullptr, 10) : 12;
  const uint64_t start = first != nullptr ? std::strtoull(first, nullptr, 10) : 1;
  ::testing::Test::RecordProperty("cases", static_cast<int>(seeds) * kCells);
  Counts counts;
  for (uint64_t seed = start; seed < start + seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("TESSERA_LIST_FIRST={} TESSERA_LIST_SEEDS=1", seed));
    RandomRun run(seed, &counts);
    for (int i = 0; i < 6000 && !HasFailure(); ++i) run.Cycle();
    int limit = 60000;
    while (!HasFailure() && !run.Drained() && --limit > 0) run.Cycle();
    EXPECT_GT(limit, 0) << "stuck: " << run.Stuck();
  }
  fmt::print(
      "{} descriptors, {} bounds, {} traversals, {} entries, {} interrupts, {} closed, {} of them "
      "with bursts open, {} cleared, {} repaired\n",
      counts.descriptors, counts.bounds, counts.traversals, counts.entries, counts.interrupts,
      counts.closed, counts.closed_owing, counts.cleared, counts.repaired);
  for (const int error : {kFetch, kWindow, kDecode, kBadBase, kNoCount, kBadTail, kPitch}) {
    const uint64_t seen = counts.errors[static_cast<size_t>(error)];
    fmt::print("error {}: {}\n", error, seen);
    EXPECT_GT(seen, 0U) << "no error " << error;
  }
  for (size_t error = 1; error < 5; ++error) {
    fmt::print("entry error {}: {}\n", error, counts.write_errors[error]);
    EXPECT_GT(counts.write_errors[error], 0U) << "no entry error " << error;
  }
  for (const uint64_t seen : {counts.bounds, counts.traversals, counts.interrupts,
                              counts.closed_owing, counts.cleared, counts.turns, counts.wraps,
                              counts.phases, counts.locked, counts.repaired, counts.queue_full}) {
    EXPECT_GT(seen, 0U);
  }
}

}  // namespace
}  // namespace tessera::lists
