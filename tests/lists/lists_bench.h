// lists_top with its pins as values, and what surrounds each of its cells: memory, registers,
// windows.
//
// A cycle: every cell puts its pins, the model settles, `Choose` may take a part that is there,
// everybody looks (`Sample`), the clock edge, everybody prepares the next cycle (`Drive`).
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/sim/unit.h"
#include "tests/lists/lists_memory.h"
#include "units/Vlists_top.h"

namespace tessera::lists {

struct Shape {
  int channels, addr_width, list_width, slots, outstanding, write_depth;
  bool windows, guard;
};
// As in lists_top.sv.
inline constexpr std::array<Shape, 6> kShapes = {{{1, 64, 64, 16, 16, 8, true, false},
                                                  {2, 32, 64, 8, 16, 16, true, true},
                                                  {4, 48, 128, 8, 16, 4, true, false},
                                                  {16, 64, 64, 8, 32, 16, true, true},
                                                  {32, 64, 512, 4, 64, 16, false, false},
                                                  {3, 40, 256, 32, 8, 2, true, true}}};
inline constexpr int kCells = static_cast<int>(kShapes.size());
inline constexpr size_t kInWords = 157, kOutWords = 72;

// Registers, as offsets.
enum Register : uint32_t {
  kBase = 0x80,
  kBaseHigh = 0x84,
  kCount = 0x88,
  kTail = 0x8c,
  kHead = 0x90,
  kControl = 0x94,
  kDoneBase = 0x98,
  kDoneHigh = 0x9c,
  kStatus = 0xa0,
};

// Reasons, of load_error_e.
enum Reason : int {
  kOk = 0,
  kFetch = 36,
  kWindow = 37,
  kDecode = 39,
  kBadBase = 40,
  kNoCount = 41,
  kBadTail = 42,
  kPitch = 43,
  kPortFault = 44,
};

struct Access {
  int channel;
  uint32_t offset;
  uint32_t data = 0;
  bool write = true;
  uint8_t strobe = 15;
  std::function<void(bool error, uint32_t data)> answered = {};
};

struct WindowSet {
  int channel, index;
  uint64_t first, last;  // pages
  bool read, write;
};

struct Part {
  std::array<uint32_t, 16> words;
  int part, index, error;
  bool final_part, turn_end;
  uint64_t addr;
};

struct Entry {
  uint32_t tag = 0;
  uint16_t index = 0;
  uint64_t bytes = 0;
  uint8_t status = 0;
  bool last = false, task_end = false, interrupts = false;
  std::array<uint32_t, 4> Words(bool phase) const {
    return {tag, static_cast<uint32_t>(bytes),
            static_cast<uint32_t>(bytes >> 32) | static_cast<uint32_t>(index) << 16,
            static_cast<uint32_t>(status) | (last ? 0x100U : 0U) | (task_end ? 0x200U : 0U) |
                (phase ? 0x80000000U : 0U)};
  }
};

class Cell {
 public:
  Cell(int number, const MemoryOptions& options, const Rng& rng)
      : shape(kShapes[static_cast<size_t>(number)]), memory(shape.list_width, options, rng) {
    memory.on_read = memory.on_beats = [](uint64_t) {};
    memory.on_write = [](uint64_t, const std::array<uint32_t, 4>&) {};
    memory.on_written = [](uint64_t, uint8_t) {};
  }

  const Shape shape;
  ListMemory memory;
  std::deque<Access> accesses;
  std::deque<WindowSet> windows;
  uint32_t open = 0, again = 0, clear = 0;
  int select = 0;
  bool take = false;
  std::array<Entry, 32> done{};
  uint32_t done_valid = 0;

  // What the model shows.
  uint32_t valid = 0, busy = 0, done_ready = 0, interrupts = 0;
  BusOut bus;
  Part part{};
  int head(int c) const {
    return static_cast<int>(out_[48 + static_cast<size_t>(c) / 2] >> (16 * (c % 2)) & 0xffff);
  }
  int write_error(int c) const {
    return static_cast<int>(out_[64 + static_cast<size_t>(c) / 8] >> (4 * (c % 8)) & 7);
  }

  // Of the channel that is selected.
  int failed_index() const { return static_cast<int>(out_[68]); }
  uint64_t failed_addr() const { return out_[69] | static_cast<uint64_t>(out_[70]) << 32; }

  void Put(uint32_t* pins) {
    in_.fill(0);
    if (!accesses.empty()) {
      const Access& access = accesses.front();
      in_[0] = 1U | (access.write ? 2U : 0U) | static_cast<uint32_t>(access.strobe) << 2 |
               static_cast<uint32_t>(access.channel) << 8 | access.offset / 4 << 16;
      in_[1] = access.data;
    }
    in_[2] = open;
    in_[3] = again;
    in_[4] = clear;
    in_[5] = static_cast<uint32_t>(select) | (take ? 0x100U : 0U);
    if (!windows.empty()) {
      const WindowSet& set = windows.front();
      in_[6] = 1U | static_cast<uint32_t>(set.index) << 1 |
               static_cast<uint32_t>(set.channel) << 8 | (set.read ? 0x10000U : 0U) |
               (set.write ? 0x20000U : 0U);
      std::memcpy(&in_[7], &set.first, 8);
      std::memcpy(&in_[9], &set.last, 8);
    }
    in_[11] = done_valid;
    const BusIn& b = memory.in();
    in_[12] = (b.arready ? 1U : 0U) | (b.rvalid ? 2U : 0U) | (b.rlast ? 4U : 0U) |
              static_cast<uint32_t>(b.rresp) << 3 | (b.awready ? 0x20U : 0U) |
              (b.wready ? 0x40U : 0U) | (b.bvalid ? 0x80U : 0U) |
              static_cast<uint32_t>(b.bresp) << 8;
    std::memcpy(&in_[13], b.rdata.data(), 64);
    for (size_t c = 0; c < 32; ++c) {
      const Entry& entry = done[c];
      in_[29 + 4 * c] = entry.tag;
      in_[30 + 4 * c] = entry.index | static_cast<uint32_t>(entry.bytes >> 32) << 16;
      in_[31 + 4 * c] = static_cast<uint32_t>(entry.bytes);
      in_[32 + 4 * c] = static_cast<uint32_t>(entry.status) | (entry.last ? 0x100U : 0U) |
                        (entry.task_end ? 0x200U : 0U) | (entry.interrupts ? 0x400U : 0U);
    }
    std::memcpy(pins, in_.data(), sizeof in_);
  }

  void Get(const uint32_t* pins) {
    std::memcpy(out_.data(), pins, sizeof out_);
    valid = out_[2];
    busy = out_[3];
    done_ready = out_[4];
    interrupts = out_[5];
    const uint32_t b = out_[6];
    bus.arvalid = b & 1;
    bus.rready = b >> 1 & 1;
    bus.awvalid = b >> 2 & 1;
    bus.wvalid = b >> 3 & 1;
    bus.wlast = b >> 4 & 1;
    bus.bready = b >> 5 & 1;
    bus.arlen = static_cast<uint8_t>(b >> 8);
    bus.awlen = static_cast<uint8_t>(b >> 16);
    bus.arattr = static_cast<int>(out_[71] & 0xffff);
    bus.awattr = static_cast<int>(out_[71] >> 16);
    std::memcpy(&bus.araddr, &out_[7], 8);
    std::memcpy(&bus.awaddr, &out_[9], 8);
    std::memcpy(bus.wdata.data(), &out_[11], 64);
    std::memcpy(&bus.wstrb, &out_[27], 8);
    part.part = static_cast<int>(out_[29] & 3);
    part.final_part = out_[29] >> 2 & 1;
    part.turn_end = out_[29] >> 3 & 1;
    part.error = static_cast<int>(out_[29] >> 4 & 63);
    part.index = static_cast<int>(out_[29] >> 16);
    std::memcpy(&part.addr, &out_[30], 8);
    std::memcpy(part.words.data(), &out_[32], 64);
  }

  void Sample(uint64_t cycle) {
    const bool answered = (out_[0] & 1U) != 0;
    if (!accesses.empty() && answered) {
      const Access access = accesses.front();
      accesses.pop_front();
      if (access.answered) {
        access.answered((out_[0] & 2U) != 0, out_[1]);
      } else {
        EXPECT_FALSE(out_[0] & 2U) << "access to " << access.offset << " refused";
      }
    }
    if (!windows.empty()) windows.pop_front();
    memory.Sample(cycle, bus);
  }

  void Write(int channel, uint32_t offset, uint32_t data) {
    accesses.push_back({channel, offset, data});
  }
  // All registers of a list.
  void Set(int channel, uint64_t base, uint32_t count, uint32_t control, uint64_t done_base) {
    Write(channel, kBase, static_cast<uint32_t>(base));
    Write(channel, kBaseHigh, static_cast<uint32_t>(base >> 32));
    Write(channel, kCount, count);
    Write(channel, kControl, control);
    Write(channel, kDoneBase, static_cast<uint32_t>(done_base));
    Write(channel, kDoneHigh, static_cast<uint32_t>(done_base >> 32));
  }
  // Everything is permitted to a channel.
  void Permit(int channel) { windows.push_back({channel, 0, 0, ~uint64_t{0} >> 12, true, true}); }

 private:
  std::array<uint32_t, kInWords> in_{};
  std::array<uint32_t, kOutWords> out_{};
};

class Bench {
 public:
  explicit Bench(uint64_t seed, const std::function<MemoryOptions(int cell)>& options)
      : unit_(seed) {
    const Rng rng = Rng(seed).Stream("cells");
    for (int i = 0; i < kCells; ++i) {
      cells.emplace_back(i, options(i), rng.Stream("memory", static_cast<uint64_t>(i)));
    }
  }
  std::deque<Cell> cells;
  uint64_t cycle = 0;
  std::function<void(int cell)> choose = [](int) {
  };  // may set `take`, having seen `valid` and `part`
  std::function<void(int cell)> sample = [](int) {};
  std::function<void(int cell)> drive = [](int) {};

  void Cycle(bool reset = false) {
    auto& model = unit_.model();
    model.rst_ni = !reset;
    model.clk_i = 0;
    uint32_t* in = reinterpret_cast<uint32_t*>(model.in_i.data());
    const uint32_t* out = reinterpret_cast<const uint32_t*>(model.out_o.data());
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i].take = false;
      cells[i].Put(in + i * kInWords);
    }
    unit_.Evaluate();
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i].Get(out + i * kOutWords);
      if (!reset) choose(static_cast<int>(i));
      if (cells[i].take) cells[i].Put(in + i * kInWords);
    }
    unit_.Evaluate();
    if (!reset) {
      for (size_t i = 0; i < cells.size(); ++i) cells[i].Get(out + i * kOutWords);
      for (size_t i = 0; i < cells.size(); ++i) {
        cells[i].Sample(cycle);
        sample(static_cast<int>(i));
      }
    }
    model.clk_i = 1;
    unit_.Evaluate();
    ++cycle;
    for (size_t i = 0; i < cells.size(); ++i) {
      cells[i].memory.Drive(cycle);
      if (!reset) drive(static_cast<int>(i));
    }
  }
  void Reset() {
    for (int i = 0; i < 3; ++i) Cycle(true);
  }
  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Cycle();
  }
  // Until all that software wants to write or read is done.
  void Finish() {
    for (int limit = 0; limit < 1000; ++limit) {
      bool left = false;
      for (const Cell& cell : cells) left = left || !cell.accesses.empty() || !cell.windows.empty();
      if (!left) return;
      Cycle();
    }
    ADD_FAILURE() << "registers are not answered";
  }

 private:
  VerilatedUnit<Vlists_top> unit_;
};

}  // namespace tessera::lists
