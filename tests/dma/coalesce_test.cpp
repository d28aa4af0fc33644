// Interrupts of records and of completion entries: after so many, after a time, each told once.
// When they come is seen on pins: an event for a record, an answer on the port of the lists for an
// entry.
#include <fmt/format.h>

#include <vector>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using Irq = registers::channel::IrqStatus;
constexpr uint64_t kTick = 64;
constexpr uint32_t kMostCount = 31;

// A read channel.
class Coalesce : public DmaTest {
 protected:
  void MakeWatched() {
    Make();
    bench().Watch([this](uint64_t cycle) {
      if ((bench().dma().event_transfers & 1) != 0) events_.push_back(cycle);
      if (bench().dma().list_port().b.moves()) entries_.push_back(cycle);
      const bool irq = (bench().dma().irq_channels & 1) != 0;
      if (irq && !irq_) interrupts_.push_back(cycle);
      irq_ = irq;
      EXPECT_EQ(bench().dma().irq_channels & ~1U, 0U);
    });
    Load(0x1000, 8);
    Write(0, Copy(0x1000, 8));
  }
  void Enable(uint32_t causes) { Set(kRead, native::kIrqEnable, causes); }
  void SetCoalesce(uint64_t ticks, uint32_t count) {
    Set(kRead, native::kCoalesce, static_cast<uint32_t>(ticks << 16 | count));
  }
  void Record(int descriptor = 0) {
    Set(kRead, native::kTask, native::Task{.start = descriptor}.Word());
    EXPECT_TRUE(bench().Until([&] { return !events_.empty(); }, 500));
    bench().Step(10);  // until the record is there
  }
  void Records(uint32_t count, int descriptor = 0) {
    for (uint32_t n = 0; n < count; ++n) {
      events_.clear();
      Record(descriptor);
      Set(kRead, native::kRecordPop, 0);
    }
  }
  // The interrupts that have come; they are cleared, and records with them.
  uint32_t Take() {
    while (Get(kRead, native::kRecord) >> 31 != 0) Set(kRead, native::kRecordPop, 0);
    const uint32_t causes = Get(kRead, native::kIrqStatus);
    Set(kRead, native::kIrqStatus, causes);
    bench().Step(5);
    events_.clear();
    entries_.clear();
    interrupts_.clear();
    return causes & (Irq::kRecordMask | Irq::kEntriesMask);
  }
  // What an interrupt by time may be late.
  uint64_t late() { return config().channels() > 8 ? 128 : 64; }
  void ExpectBetween(uint64_t from, uint64_t ticks) {
    const uint64_t end = bench().cycle() + ticks * kTick + 500;
    // Software that reads all the time holds nothing up.
    while (interrupts_.empty() && bench().cycle() < end) {
      if (reads_) {
        Get(kRead, native::kError);
      } else {
        bench().Step(1);
      }
    }
    ASSERT_FALSE(interrupts_.empty());
    EXPECT_GE(interrupts_.front(), from + ticks * kTick);
    EXPECT_LE(interrupts_.front(), from + ticks * kTick + late() + 8);  // the way to the pins
  }

  std::vector<uint64_t> events_, entries_, interrupts_;  // cycles
  bool reads_ = false;

 private:
  bool irq_ = false;
};

TEST_P(Coalesce, RecordsByCountAndWhenTheirQueueIsFull) {
  Proves({"program.coalesce"});
  MakeWatched();
  const auto depth = static_cast<uint32_t>(config().queue_depth);
  for (const uint32_t count : {0U, 1U}) {
    SetCoalesce(0, count);
    Records(1);
    EXPECT_EQ(Take(), Irq::kRecordMask) << "each";
  }
  if (depth > 2) {  // else one that was not popped yet fills the queue
    for (const uint32_t count : {2U, 20U, kMostCount}) {
      SetCoalesce(0, count);
      Records(count - 1);
      bench().Step(1000);
      EXPECT_EQ(Take(), 0U) << "one too few, and no time is set";
      Records(1);
      bench().Step(static_cast<int>(late()));
      EXPECT_EQ(Take(), Irq::kRecordMask) << count;
      bench().Step(300);
      EXPECT_EQ(Take(), 0U) << "they count once";
    }
  }
  // More than the bits of its count hold, and no look in between.
  constexpr int kFirst = 1;
  for (uint32_t n = 0; n < 4 && depth >= 8; ++n) {
    native::Descriptor d = Copy(0x1000, 1);
    for (int k = 5; k >= 0; --k) {
      Write(kFirst + k, d);
      d.next = kFirst + k;
    }
    SetCoalesce(0, kMostCount);
    Records(kMostCount - n);
    Set(kRead, native::kTask, native::Task{.start = kFirst}.Word());
    bench().Step(400);
    EXPECT_EQ(Take(), Irq::kRecordMask) << n;
    SetCoalesce(0, 1);
    Records(1);
    Take();
  }
  SetCoalesce(0, kMostCount);
  for (uint32_t n = 0; n < depth; ++n) {
    bench().Step(static_cast<int>(late()));
    EXPECT_EQ(Get(kRead, native::kIrqStatus) & Irq::kRecordMask, 0U) << n;
    Record();
    events_.clear();
  }
  bench().Step(static_cast<int>(late()));
  Set(kRead, native::kIrqStatus, Irq::kRecordMask);
  EXPECT_NE(Get(kRead, native::kRecord) >> 31, 0U);
  bench().Step(300);
  EXPECT_EQ(Take(), 0U) << "a full queue without a new one";
}

// At every place within a tick.
TEST_P(Coalesce, RecordsByTime) {
  Proves({"program.coalesce"});
  MakeWatched();
  Enable(Irq::kRecordMask);
  const bool two = config().queue_depth > 2;  // two fill it else
  for (const uint64_t ticks : {1, 3}) {
    SetCoalesce(ticks, kMostCount);
    for (int when = 0; when < 70; when += 3) {
      SCOPED_TRACE(fmt::format("{} ticks, cycle {}", ticks, when));
      reads_ = when % 2 == 0;
      bench().Step(when);
      const uint32_t task = native::Task{.start = 0}.Word();
      Set(kRead, native::kTask, task);
      if (two) {
        bench().Step(when % 40);
        Set(kRead, native::kTask, task);
      }
      ASSERT_TRUE(bench().Until([&] { return !events_.empty(); }, 500));
      ExpectBetween(events_.front(), ticks);
      EXPECT_EQ(Take(), Irq::kRecordMask);
    }
  }
  bench().Step(1000);
  EXPECT_TRUE(interrupts_.empty()) << "they are told once";
}

// Records that wait have the whole time from a write of COALESCE on, and the next ones have theirs,
// whenever the time without records would have been over.
TEST_P(Coalesce, AWriteBeginsTheTimeAnew) {
  Proves({"program.coalesce"});
  MakeWatched();
  Enable(Irq::kRecordMask);
  constexpr uint64_t kTicks = 2;
  for (int when = 0; when < 70; ++when) {
    SCOPED_TRACE(when);
    SetCoalesce(kTicks, kMostCount);
    Record();
    bench().Step(when);
    ASSERT_TRUE(interrupts_.empty());
    SetCoalesce(kTicks, kMostCount);
    ExpectBetween(bench().written_at(), kTicks);
    EXPECT_EQ(Take(), Irq::kRecordMask);

    SetCoalesce(kTicks, kMostCount);
    bench().Step(80 + when);
    Record();
    ExpectBetween(events_.front(), kTicks);
    EXPECT_EQ(Take(), Irq::kRecordMask);
  }
}

// Those of a ring. One that interrupts tells of those before it; one that comes around an interrupt
// by time waits for a time of its own.
TEST_P(Coalesce, EntriesByTime) {
  Proves({"program.coalesce"});
  MakeWatched();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr uint32_t kPlaces = 64;
  native::Descriptor silent = Copy(0x1000, 8);
  silent.no_record = true;
  std::vector<native::Descriptor> list(kPlaces, silent);
  list[2].interrupt = true;
  native::Load(&bench().memory(), 0x20000, list);
  StartList(kRead, {.base = 0x20000, .count = kPlaces, .entries = 0x30000, .ring = true});
  Enable(Irq::kEntriesMask);
  uint32_t tail = 0;
  const auto post = [&] { Set(kRead, native::kListTail, ++tail % kPlaces); };
  const auto entered = [&](size_t count) {
    return bench().Until([&] { return entries_.size() >= count; }, 1000);
  };
  SetCoalesce(1, 0);
  bench().Step(300);
  EXPECT_EQ(Take(), 0U) << "nothing waits after a reset";
  post();
  post();
  ASSERT_TRUE(entered(2));
  post();
  ASSERT_TRUE(entered(3));
  bench().Step(static_cast<int>(late()));
  EXPECT_LE(interrupts_.back(), entries_.back() + late());
  EXPECT_EQ(Take(), Irq::kEntriesMask);
  bench().Step(300);
  EXPECT_EQ(Take(), 0U) << "none is left";
  list.assign(kPlaces, silent);
  native::Load(&bench().memory(), 0x20000, list);
  for (const uint64_t ticks : {1, 2}) {
    SetCoalesce(ticks, 0);
    for (int distance = 0; distance < 150; distance += 2) {
      SCOPED_TRACE(fmt::format("{} ticks, {} cycles apart", ticks, distance));
      post();
      bench().Step(distance);
      post();
      ASSERT_TRUE(entered(2));
      const uint64_t first = entries_[0], second = entries_[1];
      ExpectBetween(first, ticks);
      const bool before = interrupts_.front() < second;
      Set(kRead, native::kIrqStatus, Irq::kEntriesMask);
      bench().Step(5);
      const uint64_t from = interrupts_.front();
      bench().Until([&] { return interrupts_.size() > 1; }, ticks * kTick + 2 * late());
      if (interrupts_.size() > 1) {
        EXPECT_GE(interrupts_.back(), second + ticks * kTick);
      } else {
        EXPECT_FALSE(before) << "the second one is not told";
        EXPECT_GE(from, second);
      }
      Take();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Coalesce, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
