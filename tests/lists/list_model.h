// What software and hardware know of one list, and what must come of it: the model that random runs
// compare with, written from docs/programming.md.
#pragma once

#include <fmt/format.h>

#include <deque>

#include "tests/lists/lists_bench.h"

namespace tessera::lists {

struct Counts {
  uint64_t descriptors = 0, bounds = 0, traversals = 0, entries = 0, interrupts = 0, closed = 0;
  uint64_t closed_owing = 0, cleared = 0, turns = 0, wraps = 0, phases = 0, locked = 0;
  uint64_t repaired = 0, queue_full = 0;
  std::array<uint64_t, 64> errors{};
  std::array<uint64_t, 8> write_errors{};
};

struct List {
  enum class State : uint8_t { kIdle, kProgram, kOpen, kClosing, kClear };
  struct Executing {
    Entry entry;
    uint64_t ready;
  };
  struct Expected {
    uint64_t addr;
    std::array<uint32_t, 4> words;
    bool interrupts;
  };

  // Setup.
  Cell* cell = nullptr;
  int number = 0;
  uint64_t region = 0, base = 0, done_base = 0, first_page = 0, last_page = 0;
  uint32_t count = 0, per = 0;
  uint64_t pitch = 64;
  bool ring = false, entries = false, done_window = true;

  // Fetch.
  State state = State::kIdle;
  uint64_t until = 0;
  uint32_t head = 0, tail = 0;
  bool tail_bad = false, halted = false, head_known = true, again_seen = false;
  uint32_t passes = 0;
  int part = 0, pending = 0;
  Line taken{};  // the base whose extensions follow
  bool turn_end = false;

  // Completion.
  uint32_t place = 0, since = 0;
  bool phase = true, flawed = false;
  int dead = 0, dead_next = 0, stragglers = 0;
  std::deque<Executing> executing;
  std::deque<Expected> expected;
  std::deque<bool> on_bus;  // entries that are not answered: do they interrupt

  Counts* counts = nullptr;

  uint32_t bit() const { return 1U << number; }
  uint64_t Mask() const {
    return cell->shape.addr_width == 64 ? ~uint64_t{0}
                                        : (uint64_t{1} << cell->shape.addr_width) - 1;
  }
  uint64_t AddressOf(uint32_t index) const { return base + index * pitch; }
  int allowed() const { return std::min(static_cast<int>(pitch / 64) - 1, 2); }
  static int Extensions(const Line& line) {
    return static_cast<int>((line[15] >> 14 & 1) + (line[15] >> 15 & 1));
  }
  bool Permitted(uint64_t addr) const {
    return !cell->shape.windows || (addr >> 12 >= first_page && addr >> 12 <= last_page);
  }
  int Answer(uint64_t addr) const {
    const auto found = cell->memory.errors.find(addr / 64);
    if (found == cell->memory.errors.end()) return kOk;
    return found->second == 3 ? kDecode : kFetch;
  }
  bool BaseBad() const { return base % 64 != 0 || (base & ~Mask()) != 0; }

  // The error that the next part must have.
  int Error() const {
    if (BaseBad()) return kBadBase;
    if (count == 0) return kNoCount;
    const uint64_t addr = AddressOf(head) + 64 * static_cast<uint64_t>(part);
    if (!Permitted(addr)) return kWindow;
    if (Answer(addr) != kOk) return Answer(addr);
    if (part == 0 && Extensions(cell->memory.lines[addr / 64]) > allowed()) return kPitch;
    return kOk;
  }

  // An address on the bus.
  void CheckFetch(uint64_t addr) {
    ASSERT_FALSE(BaseBad() || count == 0) << "fetch at " << addr << " of an illegal list";
    ASSERT_TRUE(addr >= base && addr < base + count * pitch) << "fetch outside the list: " << addr;
    const uint32_t index = static_cast<uint32_t>((addr - base) / pitch);
    const uint64_t extension = (addr - base) % pitch / 64;
    EXPECT_EQ(addr % 64, 0U);
    EXPECT_TRUE(Permitted(addr)) << "fetch outside the windows: " << addr;
    if (ring) {
      EXPECT_LT((index + count - head) % count, (tail + count - head) % count)
          << "fetch of place " << index << ", head " << head << ", tail " << tail;
    }
    const Line& line = cell->memory.lines[AddressOf(index) / 64];
    EXPECT_TRUE(extension == 0 || (extension <= static_cast<uint64_t>(Extensions(line)) &&
                                   Extensions(line) <= allowed()))
        << "fetch of an extension that nobody asked for";
  }

  // A part was taken. True: the descriptor is complete.
  bool Take(const Part& got) {
    if (got.error == kBadTail && tail_bad && part == 0) {
      Stop(got);
      return false;
    }
    const int error = Error();
    EXPECT_FALSE(halted) << "a part behind an error";
    EXPECT_EQ(got.error, error) << Describe();
    EXPECT_TRUE(error == kBadBase || error == kNoCount || got.addr == AddressOf(head))
        << Describe() << " is at " << got.addr;
    EXPECT_EQ(got.index, static_cast<int>(head)) << Describe();
    if (error != kOk) {
      EXPECT_TRUE(got.final_part);
      Stop(got);
      return false;
    }
    EXPECT_TRUE(!ring || head != tail) << "nothing is posted; " << Describe();
    EXPECT_TRUE(ring || again_seen || passes == 0) << "a turn too many; " << Describe();
    const uint64_t addr = AddressOf(head) + 64 * static_cast<uint64_t>(part);
    const Line& line = cell->memory.lines[addr / 64];
    EXPECT_TRUE(got.words == line) << "words of " << Describe();
    if (part == 0) taken = line;
    const bool bounds = taken[15] >> 14 & 1;
    const int kind = part == 0 ? 0 : part == 1 && bounds ? 1 : 2;
    EXPECT_EQ(got.part, kind) << Describe();
    EXPECT_EQ(got.final_part, part == Extensions(taken)) << Describe();
    turn_end = ring ? !(taken[13] >> 8 & 1) : head == count - 1;
    EXPECT_EQ(got.turn_end, turn_end) << Describe();
    counts->bounds += kind == 1;
    counts->traversals += kind == 2;
    if (part < Extensions(taken)) {
      ++part;
      return false;
    }
    part = 0;
    ++counts->descriptors;
    return true;
  }
  void Advance() {
    if (!ring && head == count - 1) ++passes;
    counts->turns += !ring && head == count - 1;
    counts->wraps += ring && head == count - 1;
    head = head == count - 1 ? 0 : head + 1;
    head_known = true;
  }
  void Stop(const Part& got) {
    ++counts->errors[static_cast<size_t>(got.error)];
    halted = true;
    part = 0;
  }

  // A transfer has its record and the writer took it.
  void Done(const Entry& entry) {
    if (!entries || dead != 0) return;
    const uint64_t addr = done_base + 16 * static_cast<uint64_t>(place);
    bool interrupts = entry.interrupts;
    if (per == 0) since = 0;
    if (per != 0 && ++since >= per) {
      since = 0;
      interrupts = true;
    }
    expected.push_back({addr, entry.Words(phase), interrupts});
    place = place + 1 == count ? 0 : place + 1;
    if (place == 0) {
      phase = !phase;
      ++counts->phases;
    }
  }
  void CheckEntry(uint64_t addr, const std::array<uint32_t, 4>& words) {
    ASSERT_FALSE(expected.empty()) << "an entry too many at " << addr;
    const uint64_t beat = static_cast<uint64_t>(cell->shape.list_width) / 8;  // bytes
    EXPECT_EQ(addr, expected.front().addr / beat * beat);
    EXPECT_TRUE(words == expected.front().words) << "words of the entry at " << addr;
    EXPECT_TRUE(done_window || !cell->shape.windows) << "an entry outside the windows";
    if (dead != 0) {
      EXPECT_LE(++stragglers, 2) << "entries go on behind an error";
    }
    on_bus.push_back(expected.front().interrupts);
    expected.pop_front();
    ++counts->entries;
  }
  // The error that the model shows without an answer of the memory.
  void CheckRefused(int error) {
    ASSERT_FALSE(expected.empty()) << "error " << error << " without an entry";
    EXPECT_EQ(error, flawed ? 1 : 2);
    EXPECT_TRUE(flawed || (cell->shape.windows && !done_window));
    Die(error);
    expected.clear();
  }
  void Die(int error) {
    dead = error;
    stragglers = 0;
    ++counts->write_errors[static_cast<size_t>(error)];
  }
  void RestartEntries() {
    place = since = 0;
    phase = true;
  }
  void RestartList() {
    head = tail = 0;
    tail_bad = false;
    head_known = true;
  }
  std::string Describe() const {
    return fmt::format("channel {} {} of {}, pitch {}, index {} part {}, tail {}", number,
                       ring ? "ring" : "array", count, pitch, head, part, tail);
  }
};

}  // namespace tessera::lists
