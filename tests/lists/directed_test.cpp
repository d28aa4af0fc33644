// What a list does after an error, a change of its registers, a reset, a fault of its memory.
#include <fmt/format.h>

#include "tb/check/plan.h"
#include "tests/lists/lists_bench.h"

namespace tessera::lists {
namespace {

constexpr uint64_t kListBase = 0x10000, kDone = 0x100000, kStep = 0x1000;
constexpr uint32_t kRing = 1, kEntries = 2;  // of the control register
constexpr uint32_t kPlaces = 8;
// LIST_CONTROL of a ring that interrupts after so many entries.
constexpr uint32_t Control(uint32_t per) { return kRing | kEntries | per << 8; }
constexpr int kWriteFault = 5;  // the error of entries after a fault

// Rings in every cell; what comes is counted. A step is done for all cells before the cycles that
// follow.
class Rings : public Bench {
 public:
  Rings() : Bench(1, [](int) { return MemoryOptions(); }) {
    choose = [this](int i) {
      Cell& cell = cells[static_cast<size_t>(i)];
      const Seen& seen = seen_[static_cast<size_t>(i)];
      cell.take = (cell.valid >> cell.select & 1) != 0 && seen.parts.size() < seen.takes;
    };
    sample = [this](int i) { Sample(i); };
    for (int i = 0; i < kCells; ++i) {
      ListMemory& memory = cells[static_cast<size_t>(i)].memory;
      Seen& seen = seen_[static_cast<size_t>(i)];
      memory.on_read = [&seen](uint64_t) { ++seen.fetches; };
      memory.on_write = [&seen](uint64_t addr, const std::array<uint32_t, 4>& words) {
        seen.entries.push_back({addr, words});
      };
    }
    Reset();
    Run(40);
  }

  bool last_alone = true;  // no other channel of a cell has a list

  struct Seen {
    std::vector<Part> parts;  // of the channel that is selected
    size_t takes = 0;         // as many may be taken
    std::vector<std::pair<uint64_t, std::array<uint32_t, 4>>> entries;
    uint64_t fetches = 0, asks = 0;  // addresses on the bus, and cycles with one
    uint64_t interrupts = 0;
  };

  // Something for each cell: its number, its pins, what was seen, its last channel.
  template <typename Step>
  void Each(Step&& step) {
    for (int i = 0; i < kCells; ++i) {
      SCOPED_TRACE(fmt::format("cell {}", i));
      Cell& cell = cells[static_cast<size_t>(i)];
      step(cell, seen_[static_cast<size_t>(i)], cell.shape.channels - 1);
    }
  }
  // An entry that asks for no interrupt, and time to write it.
  void Enter(uint32_t tag) {
    Each([&](Cell& cell, Seen&, int c) {
      Done(cell, c, tag);
      cell.done[static_cast<size_t>(c)].interrupts = false;
    });
    Run(40);
  }
  template <typename Step>
  void EachGuarded(Step&& step) {
    Each([&](Cell& cell, Seen& seen, int) {
      if (cell.shape.guard) step(cell, seen);
    });
  }

  static uint64_t DoneOf(int channel) { return kDone + static_cast<uint64_t>(channel) * kStep; }
  static uint32_t Bit(int channel) { return 1U << channel; }

  // A ring whose descriptors have their places in their first words.
  static void Prepare(Cell& cell, int channel) {
    const uint64_t base = kListBase + static_cast<uint64_t>(channel) * kStep;
    for (uint32_t n = 0; n < kPlaces; ++n) {
      Line& line = cell.memory.lines[base / 64 + n];
      line = {};
      line[0] = n;
    }
    cell.Set(channel, base, kPlaces, kRing | kEntries, DoneOf(channel));
  }
  static void Expect(Cell& cell, int channel, uint32_t offset, uint32_t value) {
    cell.accesses.push_back({channel, offset, 0, false, 15, [=](bool error, uint32_t data) {
                               EXPECT_FALSE(error);
                               EXPECT_EQ(data, value) << fmt::format("register {:#x}", offset);
                             }});
  }
  // What may be taken from now on.
  static void Take(Cell& cell, Seen& seen, int channel, size_t parts) {
    cell.select = channel;
    seen.parts.clear();
    seen.takes = parts;
  }
  static void Done(Cell& cell, int channel, uint32_t tag) {
    Entry& entry = cell.done[static_cast<size_t>(channel)];
    entry = {};
    entry.tag = tag;
    entry.interrupts = true;
    cell.done_valid |= Bit(channel);
  }
  void Close() {
    for (Cell& cell : cells) cell.open = 0;
    Run(60);
    for (const Cell& cell : cells) EXPECT_EQ(cell.busy, 0U);
  }

 private:
  void Sample(int i) {
    Cell& cell = cells[static_cast<size_t>(i)];
    Seen& seen = seen_[static_cast<size_t>(i)];
    if (cell.take) seen.parts.push_back(cell.part);
    seen.asks += cell.bus.arvalid;
    const auto of_last = [&](int attr) { return !last_alone || attr == cell.shape.channels - 1; };
    EXPECT_TRUE(!cell.bus.arvalid || of_last(cell.bus.arattr)) << cell.bus.arattr;
    EXPECT_TRUE(!cell.bus.awvalid || of_last(cell.bus.awattr)) << cell.bus.awattr;
    seen.interrupts += cell.interrupts != 0;
    cell.done_valid &= ~cell.done_ready;
  }

  std::array<Seen, kCells> seen_;
};

using Seen = Rings::Seen;

TEST(Lists, AWriteThatSetsAListAnewBeginsItWithItsFirstPlace) {
  Proves({"list.ring", "list.entries"});
  struct Row {
    uint32_t offset;
    bool list, entries;  // which of both begins again
  };
  Rings bench;
  bench.Each([](Cell& cell, Seen&, int c) {
    cell.Permit(c);
    Rings::Prepare(cell, c);
  });
  bench.Finish();
  for (const Row& row :
       {Row{kBase, true, false}, Row{kBaseHigh, true, false}, Row{kCount, true, true},
        Row{kControl, true, false}, Row{kDoneBase, false, true}, Row{kDoneHigh, false, true}}) {
    SCOPED_TRACE(fmt::format("register {:#x}", row.offset));
    bench.Each([](Cell& cell, Seen&, int c) { cell.clear = Rings::Bit(c); });
    bench.Run(5);
    bench.Each([](Cell& cell, Seen& seen, int c) {
      cell.clear = 0;
      cell.Write(c, kTail, 3);
      cell.open = Rings::Bit(c);
      Rings::Take(cell, seen, c, 3);
    });
    bench.Run(60);
    for (uint32_t n = 0; n < 3; ++n) {
      bench.Each([n](Cell& cell, Seen&, int c) { Rings::Done(cell, c, n); });
      bench.Run(10);
    }
    bench.Close();
    bench.Each([&](Cell& cell, Seen& seen, int c) {
      EXPECT_EQ(seen.parts.size(), 3U);
      for (const uint32_t offset : {kHead, kTail}) Rings::Expect(cell, c, offset, 3);
      // What it has: the ring itself stays the same.
      cell.accesses.push_back({c, row.offset, 0, false, 15, [&cell, c, row](bool, uint32_t data) {
                                 cell.Write(c, row.offset, data);
                               }});
    });
    bench.Finish();
    bench.Each([&](Cell& cell, Seen& seen, int c) {
      for (const uint32_t offset : {kHead, kTail}) Rings::Expect(cell, c, offset, row.list ? 0 : 3);
      cell.Write(c, kTail, 5);
      cell.open = Rings::Bit(c);
      Rings::Take(cell, seen, c, 1);
      seen.entries.clear();
      Rings::Done(cell, c, 3);
    });
    bench.Run(60);
    bench.Close();
    bench.Each([&](Cell& cell, Seen& seen, int c) {
      ASSERT_EQ(seen.parts.size(), 1U);
      EXPECT_EQ(seen.parts[0].words[0], row.list ? 0U : 3U);
      EXPECT_EQ(seen.parts[0].index, row.list ? 0 : 3);
      ASSERT_EQ(seen.entries.size(), 1U);
      const uint64_t beat = static_cast<uint64_t>(cell.shape.list_width) / 8;
      EXPECT_EQ(seen.entries[0].first / beat, (Rings::DoneOf(c) + (row.entries ? 0 : 48)) / beat);
    });
  }
}

// The address behind the last one, modulo 2^64.
uint64_t Top(const Cell& cell) {
  return cell.shape.addr_width == 64 ? 0 : uint64_t{1} << cell.shape.addr_width;
}

// A list may end with the address space, and no further: nothing of it is fetched then, at the
// other end of memory least of all. Of the entries those that lie in it are written.
TEST(Lists, NothingGoesRoundTheAddressSpace) {
  Proves({"list.never-past"});
  for (const uint32_t pitch : {1U, 3U}) {
    for (const bool beyond : {false, true}) {
      SCOPED_TRACE(fmt::format("pitch {}, beyond {}", pitch, beyond));
      constexpr uint32_t kCountOf = 5;
      Rings bench;
      bench.Each([&](Cell& cell, Seen& seen, int c) {
        const uint64_t base = Top(cell) - uint64_t{64} * pitch * kCountOf + (beyond ? 64 : 0);
        for (uint32_t n = 0; n < kCountOf; ++n)
          cell.memory.lines[(base + uint64_t{64} * pitch * n) / 64][0] = n;
        cell.Permit(c);
        cell.Set(c, base, kCountOf, kEntries | (pitch - 1) << 4, Top(cell) - 64);
        Rings::Take(cell, seen, c, 9);
      });
      bench.Finish();
      bench.Each([](Cell& cell, Seen&, int c) { cell.open = Rings::Bit(c); });
      bench.Run(100);
      for (uint32_t n = 0; n < kCountOf; ++n) {
        bench.Each([n](Cell& cell, Seen&, int c) { Rings::Done(cell, c, n); });
        bench.Run(10);
      }
      bench.Each([&](Cell& cell, Seen& seen, int c) {
        ASSERT_EQ(seen.parts.size(), beyond ? 1U : kCountOf);
        EXPECT_EQ(seen.parts[0].error, beyond ? kBadBase : kOk);
        EXPECT_EQ(seen.fetches, beyond ? 0U : kCountOf);
        for (uint32_t n = 0; !beyond && n < kCountOf; ++n) EXPECT_EQ(seen.parts[n].words[0], n);
        ASSERT_EQ(seen.entries.size(), 4U);
        for (size_t n = 0; n < 4; ++n) EXPECT_GE(seen.entries[n].first, Top(cell) - 64);
        EXPECT_EQ(cell.write_error(c), 1);
      });
    }
  }
}

// The end of a list is its count times its pitch, for short lists and for the longest.
TEST(Lists, TheEndIsThatOfEveryPitchAndCount) {
  Proves({"list.never-past"});
  for (const uint32_t pitch : {1U, 2U, 3U, 4U}) {
    for (const uint32_t count : {2U, 3U, 0x5555U, 0xffffU}) {
      for (const bool beyond : {false, true}) {
        SCOPED_TRACE(fmt::format("pitch {}, count {}, beyond {}", pitch, count, beyond));
        Rings bench;
        bench.Each([&](Cell& cell, Seen& seen, int c) {
          cell.Permit(c);
          const uint64_t bytes = uint64_t{64} * pitch * count;
          cell.Set(c, Top(cell) - bytes + (beyond ? 64 : 0), count, (pitch - 1) << 4, 0);
          Rings::Take(cell, seen, c, 1);
        });
        bench.Finish();
        bench.Each([](Cell& cell, Seen&, int c) { cell.open = Rings::Bit(c); });
        bench.Run(60);
        bench.Each([&](Cell&, Seen& seen, int) {
          ASSERT_EQ(seen.parts.size(), 1U);
          EXPECT_EQ(seen.parts[0].error, beyond ? kBadBase : kOk);
          EXPECT_EQ(seen.fetches == 0, beyond);
        });
      }
    }
  }
}

// A descriptor that must not be fetched; what was wrong is put right while the list is open.
TEST(Lists, BehindAnErrorNothingIsFetchedUntilTheListIsClosed) {
  Proves({"list.never-past"});
  for (const bool taken : {false, true}) {
    for (const int error : {kBadTail, kWindow}) {
      SCOPED_TRACE(fmt::format("error {}, taken {}", error, taken));
      const auto concerns = [error](const Cell& cell) {
        return error == kBadTail || cell.shape.windows;
      };
      Rings bench;
      bench.Each([&](Cell& cell, Seen& seen, int c) {
        if (error == kBadTail) cell.Permit(c);
        Rings::Prepare(cell, c);
        cell.Write(c, kTail, error == kBadTail ? kPlaces : 3);
        Rings::Take(cell, seen, c, taken ? 9 : 0);
      });
      bench.Finish();
      bench.Each([&](Cell& cell, Seen&, int c) {
        if (concerns(cell)) cell.open = Rings::Bit(c);
      });
      bench.Run(40);
      bench.Each([&](Cell& cell, Seen& seen, int c) {
        cell.Permit(c);
        if (!taken || !concerns(cell)) return;
        ASSERT_EQ(seen.parts.size(), 1U);
        EXPECT_EQ(seen.parts[0].error, error);
      });
      for (const uint32_t tail : {3U, 4U, 5U}) {
        bench.Each([tail](Cell& cell, Seen&, int c) { cell.Write(c, kTail, tail); });
        bench.Run(20);
      }
      bench.Each([&](Cell& cell, Seen& seen, int) {
        EXPECT_EQ(seen.asks, 0U) << "cycles with an address on the bus";
        EXPECT_TRUE(!taken || cell.valid == 0);
      });
      bench.Close();
      bench.Each([](Cell& cell, Seen& seen, int c) {
        cell.open = Rings::Bit(c);
        Rings::Take(cell, seen, c, 9);
      });
      bench.Run(100);
      bench.Each([](Cell&, Seen& seen, int) {
        ASSERT_EQ(seen.parts.size(), 5U);
        for (size_t n = 0; n < 5; ++n) {
          EXPECT_EQ(seen.parts[n].error, kOk);
          EXPECT_EQ(seen.parts[n].words[0], n);
        }
      });
    }
  }
}

TEST(Lists, AClosedListIsBusyUntilTheMemoryHasAnswered) {
  Rings bench;
  bench.Each([](Cell& cell, Seen&, int c) {
    cell.Permit(c);
    Rings::Prepare(cell, c);
    cell.Write(c, kTail, 3);
    cell.memory.options().r = 0;
  });
  bench.Finish();
  bench.Each([](Cell& cell, Seen&, int c) { cell.open = Rings::Bit(c); });
  bench.Run(40);
  bench.Each([](Cell& cell, Seen& seen, int) {
    EXPECT_EQ(seen.fetches, 3U);
    cell.open = 0;
  });
  bench.Run(40);
  bench.Each([](Cell& cell, Seen&, int c) {
    EXPECT_EQ(cell.busy, Rings::Bit(c));
    Rings::Expect(cell, c, kStatus, 1);
  });
  bench.Finish();
  bench.Each([](Cell& cell, Seen&, int) { cell.memory.options().r = 1; });
  bench.Run(60);
  bench.Each([](Cell& cell, Seen&, int c) {
    EXPECT_TRUE(cell.memory.idle());
    EXPECT_EQ(cell.busy, 0U);
    Rings::Expect(cell, c, kStatus, 0);
  });
  bench.Finish();
}

TEST(Lists, AResetDropsTheEntriesThatAreNotOnTheBus) {
  Proves({"list.entries"});
  Rings bench;
  bench.Each([](Cell& cell, Seen&, int c) {
    cell.Permit(c);
    Rings::Prepare(cell, c);
    cell.memory.options().aw = cell.memory.options().w = 0;
  });
  bench.Finish();
  // One is on its way to the bus, one follows it, one waits.
  for (uint32_t n = 0; n < 3; ++n) {
    bench.Each([n](Cell& cell, Seen&, int c) { Rings::Done(cell, c, n); });
    bench.Run(10);
  }
  bench.Each([](Cell& cell, Seen&, int c) {
    EXPECT_TRUE(cell.bus.awvalid);
    cell.clear = Rings::Bit(c);
  });
  bench.Run(5);
  bench.Each([](Cell& cell, Seen&, int c) {
    EXPECT_EQ(cell.busy, Rings::Bit(c));
    cell.memory.options().aw = cell.memory.options().w = 1;
  });
  bench.Run(60);
  bench.Each([](Cell& cell, Seen& seen, int) {
    EXPECT_EQ(seen.entries.size(), 1U);
    EXPECT_EQ(seen.interrupts, 0U);
    EXPECT_EQ(cell.busy, 0U);
    cell.clear = 0;
  });
  bench.Run(5);
  // The ring begins again, with the first phase.
  bench.Each([](Cell& cell, Seen&, int c) { Rings::Done(cell, c, 3); });
  bench.Run(60);
  bench.Each([](Cell&, Seen& seen, int) {
    ASSERT_EQ(seen.entries.size(), 2U);
    EXPECT_EQ(seen.entries[1].first, seen.entries[0].first);
    EXPECT_EQ(seen.entries[1].second[3] >> 31, 1U);
    EXPECT_EQ(seen.interrupts, 1U);
  });
}

// Fewer entries for each interrupt than have passed since the last one: the next entry is enough.
TEST(Lists, EntriesForAnInterruptMayBecomeFewerThanHavePassed) {
  Proves({"list.entries"});
  Rings bench;
  bench.Each([&](Cell& cell, Seen&, int c) {
    cell.Permit(c);
    Rings::Prepare(cell, c);
    cell.Write(c, kControl, Control(5));
  });
  bench.Finish();
  const auto entry = [&](uint32_t tag, uint64_t interrupts) {
    bench.Enter(tag);
    bench.Each([&](Cell&, Seen& seen, int) {
      EXPECT_EQ(seen.entries.size(), tag + 1) << tag;
      EXPECT_EQ(seen.interrupts, interrupts) << "after entry " << tag;
    });
  };
  for (uint32_t n = 0; n < 3; ++n) entry(n, 0);
  bench.Each([&](Cell& cell, Seen&, int c) { cell.Write(c, kControl, Control(2)); });
  bench.Finish();
  entry(3, 1);
  entry(4, 1);
  entry(5, 2);
}

// While no number is set none is counted: the first that counts comes after it was set.
TEST(Lists, EntriesThatWereWrittenWithoutANumberDoNotCount) {
  Proves({"list.entries"});
  Rings bench;
  bench.Each([&](Cell& cell, Seen&, int c) {
    cell.Permit(c);
    Rings::Prepare(cell, c);
  });
  bench.Finish();
  uint32_t tag = 0;
  const auto entries = [&](int count, uint64_t interrupts) {
    for (int n = 0; n < count; ++n, ++tag) bench.Enter(tag);
    bench.Each([&](Cell&, Seen& seen, int) {
      EXPECT_EQ(seen.entries.size(), tag);
      EXPECT_EQ(seen.interrupts, interrupts) << "after " << tag << " entries";
    });
  };
  for (const int before : {3, 255}) {  // the second: what is kept of the count wraps
    SCOPED_TRACE(before);
    const uint64_t interrupts = before == 3 ? 0 : 2;
    bench.Each([&](Cell& cell, Seen&, int c) { cell.Write(c, kControl, Control(0)); });
    bench.Finish();
    entries(before, interrupts);
    bench.Each([&](Cell& cell, Seen&, int c) { cell.Write(c, kControl, Control(2)); });
    bench.Finish();
    entries(1, interrupts);
    entries(1, interrupts + 1);
    entries(2, interrupts + 2);
  }
}

// The fifth entry lies behind the window. It comes at every distance from the fourth, whose answer
// so meets each cycle in which the fifth is refused.
TEST(Lists, AnEntryOutsideTheWindowsIsNamedWhateverIsAnsweredMeanwhile) {
  for (int distance = 1; distance < 16; ++distance) {
    SCOPED_TRACE(fmt::format("distance {}", distance));
    Rings bench;
    bench.Each([](Cell& cell, Seen&, int c) {
      const uint64_t border = Rings::DoneOf(c) + kStep;
      cell.windows.push_back({c, 0, 0, border / kStep - 1, true, true});
      Rings::Prepare(cell, c);
      cell.Write(c, kDoneBase, static_cast<uint32_t>(border - 64));
      cell.select = c;
    });
    bench.Finish();
    for (uint16_t n = 0; n < 5; ++n) {
      bench.Each([n](Cell& cell, Seen&, int c) {
        Rings::Done(cell, c, n);
        cell.done[static_cast<size_t>(c)].index = static_cast<uint16_t>(n + 1);
      });
      bench.Run(n == 3 ? distance : 40);
    }
    bench.Each([](Cell& cell, Seen& seen, int c) {
      if (!cell.shape.windows) return;
      EXPECT_EQ(seen.entries.size(), 4U);
      EXPECT_EQ(cell.write_error(c), 2);
      EXPECT_EQ(cell.failed_index(), 5);
      EXPECT_EQ(cell.failed_addr(), Rings::DoneOf(c) + kStep);
    });
  }
}

// The memory is silent for one list. Another that is open meets the fault too, although the memory
// has answered all that it owed; when all are closed they work again.
TEST(Lists, AfterAFaultNothingIsFetchedWhileAListIsOpen) {
  Rings bench;
  bench.last_alone = false;
  bench.EachGuarded([](Cell& cell, Seen& seen) {
    for (const int c : {0, 1}) {
      cell.Permit(c);
      Rings::Prepare(cell, c);
    }
    cell.Write(0, kTail, 1);
    cell.memory.options().r = 0;
    Rings::Take(cell, seen, 0, 1);
  });
  bench.Finish();
  bench.EachGuarded([](Cell& cell, Seen&) { cell.open = 3; });
  bench.Run(4300);
  bench.EachGuarded([](Cell& cell, Seen& seen) {
    ASSERT_EQ(seen.parts.size(), 1U);
    EXPECT_EQ(seen.parts[0].error, kPortFault);
    cell.memory.options().r = 1;
  });
  bench.Run(100);
  bench.EachGuarded([](Cell& cell, Seen& seen) {
    EXPECT_TRUE(cell.memory.idle());
    seen.asks = 0;
    cell.Write(1, kTail, 1);
    Rings::Take(cell, seen, 1, 1);
  });
  bench.Run(60);
  bench.EachGuarded([](Cell&, Seen& seen) {
    ASSERT_EQ(seen.parts.size(), 1U);
    EXPECT_EQ(seen.parts[0].error, kPortFault);
    EXPECT_EQ(seen.asks, 0U) << "cycles with an address on the bus";
  });
  bench.Close();
  for (const int c : {0, 1}) {
    bench.EachGuarded([c](Cell& cell, Seen& seen) {
      cell.open = 3;
      Rings::Take(cell, seen, c, 1);
    });
    bench.Run(60);
    bench.EachGuarded([](Cell&, Seen& seen) {
      ASSERT_EQ(seen.parts.size(), 1U);
      EXPECT_EQ(seen.parts[0].error, kOk);
    });
  }
}

TEST(Lists, AfterAFaultNoEntryIsWrittenWhileAListIsOpen) {
  Rings bench;
  bench.last_alone = false;
  bench.EachGuarded([](Cell& cell, Seen&) {
    for (const int c : {0, 1}) {
      cell.Permit(c);
      Rings::Prepare(cell, c);
    }
    cell.memory.options().b = 0;
  });
  bench.Finish();
  bench.EachGuarded([](Cell& cell, Seen&) {
    cell.open = 2;
    Rings::Done(cell, 0, 0);
  });
  bench.Run(4300);
  bench.EachGuarded([](Cell& cell, Seen&) {
    EXPECT_EQ(cell.write_error(0), kWriteFault);
    cell.memory.options().b = 1;
  });
  bench.Run(100);
  bench.EachGuarded([](Cell& cell, Seen&) {
    EXPECT_TRUE(cell.memory.idle());
    Rings::Done(cell, 1, 0);
  });
  bench.Run(60);
  bench.EachGuarded([](Cell& cell, Seen& seen) {
    EXPECT_EQ(cell.write_error(1), kWriteFault);
    EXPECT_EQ(seen.entries.size(), 1U);
  });
  bench.Close();
  bench.EachGuarded([](Cell& cell, Seen&) { cell.clear = 3; });
  bench.Run(5);
  bench.EachGuarded([](Cell& cell, Seen&) {
    cell.clear = 0;
    for (const int c : {0, 1}) Rings::Done(cell, c, 0);
  });
  bench.Run(60);
  bench.EachGuarded([](Cell& cell, Seen& seen) {
    EXPECT_EQ(seen.entries.size(), 3U);
    for (const int c : {0, 1}) EXPECT_EQ(cell.write_error(c), 0);
  });
}

}  // namespace
}  // namespace tessera::lists
