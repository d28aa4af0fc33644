// Tasks on channels: what is written and in which order, room in queues, who owns descriptors,
// records, interrupts, errors, control.
#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

using TaskTest = DriverTest;

TEST_F(TaskTest, TheDoorbellIsTheLastWriteAndABarrierIsBeforeIt) {
  Task<MockChannel> task(reader, pool);
  Descriptor d;
  d.Base(0x1000).Dim(0, 4, 1).Dim(1, 3, 8).Dim(2, 2, 64).Dim(3, 2, 256);
  ASSERT_TRUE(task.Configure(d).ok());
  ASSERT_TRUE(task.Start().ok());
  const auto writes = Writes();
  ASSERT_EQ(writes.size(), 17u);  // 16 words and the doorbell
  for (size_t n = 0; n < 16; ++n) {
    EXPECT_EQ(writes[n].offset, 0x20000 + 4 * n);
    EXPECT_EQ(writes[n].value, d.word(static_cast<uint32_t>(n)));
  }
  EXPECT_EQ(writes[16].offset, 0x1008u);
  EXPECT_EQ(mock.log()[mock.log().size() - 2].kind, Access::Kind::kBarrier);
  EXPECT_EQ(Reads(), 0u);
}

TEST_F(TaskTest, ARestartIsOneWrite) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Run(Copy(0x1000, 64, device.build())).ok());
  mock.ClearLog();
  ASSERT_TRUE(task.Restart().ok());
  EXPECT_EQ(Writes().size(), 1u);
  EXPECT_EQ(Reads(), 0u);
  EXPECT_TRUE(task.Await().ok());
}

TEST_F(TaskTest, WithATagOneMore) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, device.build())).ok());
  mock.ClearLog();
  ASSERT_TRUE(task.Start({}, 77).ok());
  EXPECT_EQ(Writes().size(), 2u);
  const Result<Completion> done = task.Await();
  EXPECT_EQ(done.value.tag, 77u);
  mock.ClearLog();
  ASSERT_TRUE(task.Start({}, 77).ok());
  EXPECT_EQ(Writes().size(), 1u);
  EXPECT_TRUE(task.Await().ok());
}

TEST_F(TaskTest, AShadowWritesOnlyWhatChanged) {
  Task<MockChannel, 1, true> task(reader, pool);
  Descriptor d;
  d.Base(0x1000).Dim(0, 8, 1).Dim(1, 8, 64).Start(0, -1).Bound(0, 64).Start(1, -1).Bound(1, 64);
  ASSERT_TRUE(task.Run({d, {}}).ok());
  mock.ClearLog();
  d.Start(0, 7).Start(1, 15);
  ASSERT_TRUE(task.Configure(d).ok());
  const auto writes = Writes();
  ASSERT_EQ(writes.size(), 3u);
  EXPECT_EQ(writes[0].offset, 0x24000u);
  EXPECT_EQ(writes[1].offset, 0x24004u);
  EXPECT_EQ(writes[2].offset, 0x2003cu);
  mock.ClearLog();
  ASSERT_TRUE(task.Configure(d).ok());
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(task.Start().ok());
  ASSERT_TRUE(task.Await().ok());
  EXPECT_EQ(mock.executed(0).back().start[1], 15);
}

TEST_F(TaskTest, RepeatsAndTokens) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 4, device.build())).ok());
  TaskOptions options;
  options.repeats = 3;
  options.token = true;
  ASSERT_TRUE(task.Start(options).ok());
  EXPECT_EQ(task.Await().value.bytes, 12u);
  EXPECT_EQ(mock.tokens(), 1u);
  options.repeats = 0;
  EXPECT_EQ(task.Start(options).status.reason(), Reason::repeat_range);
  options.repeats = 65537;
  EXPECT_EQ(task.Start(options).status.reason(), Reason::repeat_range);
}

TEST_F(TaskTest, DescriptorsRunOutAndComeBack) {
  Task<MockChannel, 15> most(reader, pool);
  Task<MockChannel, 4> other(reader, pool);
  std::vector<Descriptor> list(15);
  ASSERT_TRUE(most.Configure(list.data(), 15).ok());
  EXPECT_EQ(other.Configure(list.data(), 4).reason(), Reason::no_descriptor);
  EXPECT_EQ(pool.available(), 1u);  // nothing leaked
  ASSERT_TRUE(most.Free().ok());
  EXPECT_EQ(pool.available(), 16u);
  EXPECT_TRUE(other.Configure(list.data(), 4).ok());
}

TEST_F(TaskTest, AWrongDescriptorWritesNothing) {
  Task<MockChannel, 2> task(reader, pool);
  Descriptor list[2];
  list[1].Element(9);
  EXPECT_EQ(task.Configure(list, 2).reason(), Reason::element_size);
  list[1] = Descriptor().NoRecord();
  EXPECT_EQ(task.Configure(list, 2).reason(), Reason::record_needed);
  EXPECT_EQ(task.Configure(list, 0).reason(), Reason::chain_length);
  EXPECT_EQ(task.Configure(list, 3).reason(), Reason::chain_length);
  EXPECT_TRUE(Writes().empty());
  EXPECT_EQ(pool.available(), 16u);
}

TEST_F(TaskTest, TicketsAreCollectedOnce) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0, 8, device.build())).ok());
  const uint32_t ticket = reader.Push(task.descriptor()).value;
  EXPECT_TRUE(reader.Wait(ticket).ok());
  EXPECT_EQ(reader.Wait(ticket).status.reason(), Reason::ticket_unknown);
  EXPECT_EQ(reader.Collect(ticket + 1).status.reason(), Reason::ticket_unknown);
  // Eight that nobody collects are as many as the object remembers.
  for (int n = 0; n < 8; ++n) {
    while (!reader.Push(task.descriptor()).ok()) reader.Service();
    while (reader.outstanding() != 0) reader.Service();
  }
  EXPECT_EQ(reader.Push(task.descriptor()).status.reason(), Reason::no_ticket);
  reader.Forget(ticket + 1);
  EXPECT_TRUE(reader.Push(task.descriptor()).ok());
}

// A start does not forget the one before: its error can still be told.
TEST_F(TaskTest, TheTicketOfAnEarlierStartIsKept) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  mock.FailNext(0, registers::entry::Status::kSlverrMask);
  const uint32_t first = task.Start().value;
  const uint32_t second = task.Start().value;
  EXPECT_EQ(reader.Wait(first).status.reason(), Reason::transfer_failed);
  EXPECT_TRUE(reader.Wait(second).ok());
  EXPECT_EQ(reader.Wait(first).status.reason(), Reason::ticket_unknown);
  // Nor does it run out of tickets if nobody asks.
  for (int n = 0; n < 40; ++n) {
    ASSERT_TRUE(task.Start().ok()) << n;
    while (task.running()) reader.Service();
  }
  EXPECT_TRUE(task.Await().ok());
  const uint32_t last = task.Start().value;
  while (task.running()) reader.Service();
  ASSERT_TRUE(task.Free().ok());
  EXPECT_EQ(reader.Collect(last).status.reason(), Reason::ticket_unknown);
}

TEST_F(TaskTest, TicketsThatNobodyWantsStillCount) {
  Channel<MockBus, 2> channel(device, Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  Task<Channel<MockBus, 2>> task(channel, pool);
  ASSERT_TRUE(task.Configure(Copy(0, 8, device.build())).ok());
  mock.Freeze(0);
  for (int n = 0; n < 2; ++n) {
    const Result<uint32_t> ticket = channel.Push(task.descriptor());
    ASSERT_TRUE(ticket.ok());
    channel.Forget(ticket.value);
    // What was forgotten is not waited for.
    EXPECT_EQ(channel.Wait(ticket.value, Timeout::Turns(9)).status.reason(),
              Reason::ticket_unknown);
  }
  EXPECT_EQ(channel.Push(task.descriptor()).status.reason(), Reason::no_ticket);
  mock.Freeze(0, false);
  while (channel.outstanding() != 0) channel.Service();
  EXPECT_TRUE(channel.Push(task.descriptor()).ok());
}

TEST_F(TaskTest, ARecordOfATaskThatNobodyPushedIsTold) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0, 8, device.build())).ok());
  mock.Barrier();
  mock.Write32(0x1008, task.descriptor());  // somebody else uses the channel
  for (int n = 0; n < 10; ++n) mock.Step();
  reader.Service();
  mock.Freeze(0);
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(task.Await(Timeout::Turns(5)).status, Status(Reason::record_unexpected, 0));
  EXPECT_EQ(task.Await(Timeout::Turns(5)).status.code(), Code::internal_error);
  // The task has its ticket still, and gives it back.
  mock.Freeze(0, false);
  for (int n = 0; n < 20; ++n) mock.Step();
  reader.Service();
  EXPECT_TRUE(task.Await().ok());
}

TEST_F(TaskTest, RunSaysWhatIsWrongFirst) {
  Task<MockChannel> task(reader, pool);
  EXPECT_EQ(task.Run(Copy(0, 0, device.build())).status.reason(), Reason::zero_size);
  EXPECT_EQ(task.Await().status.reason(), Reason::not_configured);
  EXPECT_EQ(task.Configure(Descriptor().Next(3)), Status(Reason::chain_length, 2));
  ASSERT_TRUE(reader.Pause().ok());
  ASSERT_TRUE(task.Configure(Copy(0, 8, device.build())).ok());
  Task<MockChannel> other(reader, pool);
  ASSERT_TRUE(other.Configure(Copy(0, 8, device.build())).ok());
  for (int n = 0; n < 4; ++n) ASSERT_TRUE(other.Start().ok());
  EXPECT_EQ(task.Run(Copy(0, 8, device.build())).status.reason(), Reason::queue_full);
  reader.Resume();
  EXPECT_EQ(DescriptorPool(9, 250).available(), 6u);  // there are no more than 256
}

// Good transfers after a bad one do not hide it.
TEST_F(TaskTest, OneErrorOfManyTransfersIsTheErrorOfTheTask) {
  Task<MockChannel, 3> task(reader, pool);
  const Descriptor list[3] = {Descriptor().Dim(0, 8, 1), Descriptor().Dim(0, 8, 1),
                              Descriptor().Dim(0, 8, 1)};
  ASSERT_TRUE(task.Configure(list, 3).ok());
  mock.FailNext(0, registers::entry::Status::kSlverrMask);
  ASSERT_TRUE(task.Start({.repeats = 2}).ok());
  const Result<Completion> done = task.Await();
  EXPECT_EQ(done.status.reason(), Reason::transfer_failed);
  EXPECT_EQ(done.value.status, registers::entry::Status::kSlverrMask);
  EXPECT_EQ(done.value.bytes, 48u);
  // And the next start is judged by itself.
  ASSERT_TRUE(task.Restart().ok());
  EXPECT_TRUE(task.Await().ok());
}

TEST(Tickets, AreOutstandingOrNotWhateverTheirNumber) {
  using detail::IsOutstanding;
  EXPECT_FALSE(IsOutstanding(0, 0, 0));
  EXPECT_TRUE(IsOutstanding(0, 0, 1));
  EXPECT_FALSE(IsOutstanding(1, 0, 1));
  EXPECT_FALSE(IsOutstanding(0, 1, 2));
  EXPECT_TRUE(IsOutstanding(0xffffffff, 0xfffffffe, 1));
  EXPECT_TRUE(IsOutstanding(0, 0xfffffffe, 1));
  EXPECT_FALSE(IsOutstanding(0xfffffffd, 0xfffffffe, 1));
  // Long ago.
  EXPECT_FALSE(IsOutstanding(0, 0x7fffffff, 0x80000000));
  EXPECT_FALSE(IsOutstanding(0, 0x80000001, 0x80000001));
  EXPECT_FALSE(IsOutstanding(0, 0xc0000000, 0xc0000002));
}

TEST_F(TaskTest, AChannelThatAnswersNothingIsWaitedForNoLongerThanSaid) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  ASSERT_TRUE(task.Start().ok());
  mock.Freeze(0);
  EXPECT_EQ(task.Await(Timeout::Turns(10)).status.reason(), Reason::timeout);
  EXPECT_EQ(reader.Abort(Timeout::Turns(10)).reason(), Reason::timeout);
  // The level of the abort stays, and no task is begun that nobody would end.
  EXPECT_EQ(task.Restart().status.reason(), Reason::channel_stuck);
  EXPECT_EQ(reader.Abort(Timeout::Turns(10)).reason(), Reason::timeout);
  EXPECT_EQ(reader.Reset(Timeout::Turns(10)), Status(Reason::channel_stuck, 0));
  mock.ClearLog();
  EXPECT_EQ(task.Restart().status.reason(), Reason::channel_stuck);
  EXPECT_EQ(reader.Abort(), Status(Reason::channel_stuck, 0));
  EXPECT_EQ(reader.Pause(), Status(Reason::channel_stuck, 0));
  EXPECT_EQ(reader.Drain(), Status(Reason::channel_stuck, 0));
  EXPECT_EQ(reader.Stop(), Status(Reason::channel_stuck, 0));
  EXPECT_EQ(reader.Open(), Status(Reason::channel_stuck, 0));
  reader.Resume();
  EXPECT_TRUE(
      reader.StopOn(registers::entry::Status::kSlverrMask).ok());  // from the end of the reset on
  EXPECT_TRUE(Writes().empty());
  EXPECT_EQ(task.Free().reason(), Reason::task_running);
  EXPECT_TRUE(reader.Reset(Timeout::Turns(10), true).ok());
  EXPECT_EQ(Writes()[1].value, registers::Bits<registers::channel::Control::kStopOnMask>(
                                   registers::entry::Status::kSlverrMask));
  EXPECT_TRUE(task.Free().ok());
}

TEST_F(TaskTest, WhatStopsAChannelDoesNotEndAPause) {
  ASSERT_TRUE(reader.Pause().ok());
  ASSERT_TRUE(reader.StopOn(registers::entry::Status::kSlverrMask).ok());
  EXPECT_EQ(Writes().back().value,
            registers::channel::Control::kPauseMask |
                registers::Bits<registers::channel::Control::kStopOnMask>(1));
  ASSERT_TRUE(reader.Drain().ok());
  ASSERT_TRUE(reader.StopOn(0).ok());
  EXPECT_EQ(Writes().back().value, registers::channel::Control::kDrainMask);
  reader.Resume();
  EXPECT_EQ(Writes().back().value, 0u);
  ASSERT_TRUE(reader.Pause().ok());
  ASSERT_TRUE(reader.Abort().ok());  // ends it
  ASSERT_TRUE(reader.StopOn(registers::entry::Status::kSlverrMask).ok());
  EXPECT_EQ(Writes().back().value, registers::Bits<registers::channel::Control::kStopOnMask>(1));
}

TEST_F(TaskTest, AnAbortLeavesNoErrorBehind) {
  Task<MockChannel> task(writer, pool);  // waits for a stream that does not come
  for (const bool before : {false, true}) {
    if (before) {
      mock.FailNext(16, registers::entry::Status::kSlverrMask);
      mock.Offer(0, Counting(8));
      EXPECT_FALSE(task.Run(Copy(0x1000, 8, device.build())).ok());
    }
    ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
    ASSERT_TRUE(task.Start().ok());
    for (int n = 0; n < 10; ++n) mock.Step();
    ASSERT_TRUE(writer.Abort().ok());
    EXPECT_EQ(task.Await().status.reason(), Reason::transfer_aborted);
    // An error that was there is kept.
    EXPECT_EQ(writer.saw_error(), before);
    EXPECT_EQ(writer.TakeError().bits, before ? 2u : 0u);
  }
}

// A bus whose nth access is interrupted by the handler.
class InterruptedBus {
 public:
  explicit InterruptedBus(MockDevice& device) : bus_(device, 3) {}
  uint32_t read32(uint32_t offset) {
    Interrupt();
    return bus_.read32(offset);
  }
  void write32(uint32_t offset, uint32_t value) {
    Interrupt();
    bus_.write32(offset, value);
  }
  void barrier() { bus_.barrier(); }

  void (*handler)(void*) = nullptr;
  void* argument = nullptr;
  int countdown = -1;

 private:
  void Interrupt() {
    if (countdown < 0 || countdown-- != 0) return;
    handler(argument);
  }
  MockBus bus_;
};

TEST(Service, AHandlerMayInterruptAnyAccessOfTheLoop) {
  for (int at = 0; at < 60; ++at) {
    MockDevice mock;
    InterruptedBus bus(mock);
    Device device(bus);
    ASSERT_TRUE(device.Open().ok());
    Channel<InterruptedBus> channel(device, Direction::kToStream, 0);
    ASSERT_TRUE(channel.Open().ok());
    ASSERT_TRUE(channel
                    .EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask |
                                      registers::channel::IrqStatus::kRecordMask)
                    .ok());
    DescriptorPool pool(16);
    Task<Channel<InterruptedBus>> task(channel, pool);
    ASSERT_TRUE(task.Configure(Copy(0x1000, 24, device.build())).ok());
    bus.argument = &channel;
    bus.handler = [](void* c) { static_cast<Channel<InterruptedBus>*>(c)->Service(); };
    bus.countdown = at;
    for (int n = 0; n < 4; ++n) {
      ASSERT_TRUE(task.Restart().ok()) << at;
      const Result<Completion> done = task.Await(Timeout::Turns(100));
      ASSERT_TRUE(done.ok()) << "interrupted at access " << at << ": " << Text(done.status);
      ASSERT_EQ(done.value.bytes, 24u) << at;
    }
    EXPECT_TRUE(mock.violations().empty()) << at << ": " << mock.violations().front();
    EXPECT_FALSE(mock.interrupt());
  }
}

TEST_F(TaskTest, ARecordCanBeTakenAsItIs) {
  Task<MockChannel> task(writer, pool);
  ASSERT_TRUE(
      task.Configure(Descriptor().Base(0x1000).Dim(0, 4, 1).FinishOnLast().Side(7, 8, 9)).ok());
  ASSERT_TRUE(task.Start({}, 5).ok());
  mock.Offer(0, Counting(7), true, 0x00030201);  // of the packet, not of the descriptor
  for (int n = 0; n < 10; ++n) mock.Step();
  Record record;
  ASSERT_TRUE(writer.TakeRecord(record));
  EXPECT_EQ(record.bytes, 4u);
  EXPECT_EQ(record.dropped, 3u);
  EXPECT_EQ(record.status, registers::entry::Status::kOverlongMask);
  EXPECT_EQ(record.tag, 5u);
  EXPECT_EQ(record.side, 0x00030201u);
  EXPECT_TRUE(record.task_end);
  EXPECT_FALSE(writer.TakeRecord(record));
  EXPECT_EQ(task.Await().status.reason(), Reason::transfer_failed);
}

}  // namespace
}  // namespace tessera::driver
