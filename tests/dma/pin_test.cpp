// Pins of every channel: its interrupt and its events, and of no other one.
#include <fmt/format.h>

#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Pins : public DmaTest {
 protected:
  // The streams of the write channels have a packet for each of them.
  void MakeFed() {
    Make();
    if (config().route_dest) GTEST_SKIP() << "all packets come on one stream";
    for (int w = 0; w < config().writes; ++w) {
      bench().source(w).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
    }
  }
  // Calls `check(way, number, bit)` for every channel; bits as those of the pins, reads first.
  template <typename Check>
  void ForEachChannel(Check&& check) {
    for (int c = 0; c < config().channels(); ++c) {
      SCOPED_TRACE(fmt::format("channel {}", c));
      const bool read = c < config().reads;
      check(read ? kRead : kWrite, read ? c : c - config().reads, uint32_t{1} << c);
    }
  }
};

// The pin of a channel follows its enabled causes alone; the line is for all, behind a bit of its
// own.
TEST_P(Pins, EachChannelHasItsInterrupt) {
  ASSERT_NO_FATAL_FAILURE(MakeFed());
  if (IsSkipped()) return;
  bench().Set(native::kGlobalControl, 0);
  ForEachChannel([&](Direction way, int number, uint32_t bit) {
    Write(First(way), Copy(way == kRead ? 0x1000 : 0x4000, 8));
    Set(way, native::kIrqEnable, registers::channel::IrqStatus::kTaskDoneMask, number);
    Push(way, {.start = First(way)}, number);
    ASSERT_TRUE(bench().Until([&] { return bench().dma().irq_channels != 0; }, 1000));
    bench().Step(5);
    EXPECT_EQ(bench().dma().irq_channels, bit);
    EXPECT_FALSE(bench().dma().irq);
    bench().Set(native::kGlobalControl, 2);
    bench().Step(5);
    EXPECT_TRUE(bench().dma().irq);
    EXPECT_EQ(bench().dma().irq_channels, bit);
    bench().Set(native::kGlobalControl, 0);
    Set(way, native::kIrqStatus, registers::channel::IrqStatus::kTaskDoneMask, number);
    bench().Step(5);
    EXPECT_EQ(bench().dma().irq_channels, 0U);
    PopAll(way, number);
  });
}

// One event for a transfer, one for a task.
TEST_P(Pins, EachChannelHasItsEvents) {
  ASSERT_NO_FATAL_FAILURE(MakeFed());
  if (IsSkipped()) return;
  ForEachChannel([&](Direction way, int number, uint32_t bit) {
    const int first = First(way);
    native::Descriptor d = Copy(way == kRead ? 0x1000 : 0x4000, 4);
    Write(first + 1, d);
    d.next = first + 1;
    Write(first, d);
    Push(way, {.start = first}, number);
    std::vector<uint32_t> transfers, tasks;
    for (int n = 0; n < 1000; ++n) {
      bench().Step(1);
      if (bench().dma().event_transfers != 0) transfers.push_back(bench().dma().event_transfers);
      if (bench().dma().event_tasks != 0) tasks.push_back(bench().dma().event_tasks);
    }
    EXPECT_EQ(transfers, (std::vector{bit, bit}));
    EXPECT_EQ(tasks, (std::vector{bit}));
  });
}

TEST_P(Pins, NoneIsHighBehindAReset) {
  const std::unique_ptr<Dma> dma = MakeDma(GetParam(), 1);
  dma->aresetn = false;
  for (int n = 0; n < 300; ++n) {
    dma->Settle();
    if (n > 0) {
      ASSERT_FALSE(dma->irq) << "cycle " << n;
      ASSERT_EQ(dma->irq_channels | dma->event_transfers | dma->event_tasks, 0U) << "cycle " << n;
    }
    dma->Edge();
    dma->aresetn = n >= 8;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Pins, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
