// Channels in use, locks, windows, triggers and quiesce on the RTL.
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

class RtlDevice : public RtlTest {};

// What an earlier program left: bits of CONTROL, a task, a record, an error.
TEST_P(RtlDevice, AChannelThatIsInUseIsRefusedUntilItsReset) {
  Make();
  board().Load(0x1000, Counting(64));
  const uint32_t number = descriptors().Take().value;
  const auto refused = [&](const std::string& what) {
    BoardChannel channel(device(), Direction::kToStream, 0);
    const uint64_t before = board().writes();
    EXPECT_EQ(channel.Open(), Status(Reason::channel_in_use, 0)) << what;
    EXPECT_EQ(channel.Push(number).status.reason(), Reason::not_configured) << what;
    EXPECT_EQ(board().writes(), before) << what;
    ASSERT_TRUE(channel.Reset().ok()) << what;
    ASSERT_TRUE(channel.Open().ok()) << what;
    board().Pass(100);
    board().Take(0);
    WriteDescriptor(device(), number, Linear(0x1000, 64));
    const Result<uint32_t> ticket = channel.Push(number);
    ASSERT_TRUE(ticket.ok()) << what;
    EXPECT_TRUE(channel.Wait(ticket.value).ok()) << what;
    board().Pass(20);
    EXPECT_EQ(board().Take(0), Counting(64)) << what;
  };
  for (const uint32_t bits :
       {registers::channel::Control::kPauseMask, registers::channel::Control::kDrainMask,
        registers::channel::Control::kAbortMask, registers::channel::Control::kResetMask,
        registers::channel::Control::kStopMask, 1u << 16}) {
    bus().write32(registers::ReadAddress(0) + registers::channel::Control::kOffset, bits);
    refused("CONTROL " + std::to_string(bits));
  }
  const auto push = [&](uint32_t repeats) {
    BoardChannel channel(device(), Direction::kToStream, 0);
    ASSERT_TRUE(channel.Open().ok());
    WriteDescriptor(device(), number, Linear(0x1000, 64));
    ASSERT_TRUE(channel.Push(number, {.repeats = repeats}).ok());
  };
  push(2000);
  refused("a task");
  push(1);
  board().Pass(300);
  refused("a record");
  // Of a chain whose end nobody wrote.
  BoardChannel channel(device(), Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  const uint32_t empty = descriptors().Take().value;
  WriteDescriptor(device(), number, Linear(0x1000, 64).NoRecord().Next(empty));
  ASSERT_TRUE(channel.Push(number).ok());
  board().Pass(300);
  ASSERT_NE(channel.StatusWord() & registers::channel::Status::kHaltedMask, 0u);
  refused("an error");
}

// No task is refused because the end of an abort or a reset has not come through.
TEST_P(RtlDevice, ATaskMayFollowAResetAtOnce) {
  Make();
  board().Load(0x1000, Counting(64));
  const uint32_t number = descriptors().Take().value;
  WriteDescriptor(device(), number, Linear(0x1000, 64));
  for (int turn = 0; turn < 12; ++turn) {
    const Result<uint32_t> cut = reader().Push(number, {.repeats = 40});
    ASSERT_TRUE(cut.ok());
    reader().Forget(cut.value);
    board().Pass(20 * turn);
    ASSERT_TRUE((turn % 2 == 0 ? reader().Reset() : reader().Abort()).ok());
    const Result<uint32_t> ticket = reader().Push(number);
    ASSERT_TRUE(ticket.ok());
    const Result<Completion> done = reader().Wait(ticket.value);
    ASSERT_TRUE(done.ok()) << Text(done.status);
    EXPECT_EQ(done.value.bytes, 64u);
  }
}

TEST_P(RtlDevice, LocksCount) {
  Make();
  const Lock lock(device(), 3);
  if (config().locks == 0) {
    EXPECT_EQ(lock.Set(1).reason(), Reason::no_locks);
    return;
  }
  EXPECT_TRUE(lock.Set(2).ok());
  EXPECT_EQ(lock.Value().value, 2u);
  EXPECT_TRUE(lock.Release(5).ok());
  EXPECT_EQ(lock.Value().value, 7u);
  EXPECT_TRUE(lock.Acquire(-4).ok());
  EXPECT_EQ(lock.Value().value, 3u);
  EXPECT_TRUE(lock.Acquire(3).ok());  // equal: stays
  EXPECT_EQ(lock.Value().value, 3u);
  EXPECT_EQ(lock.Acquire(-4, Timeout::Turns(10)), Status(Reason::not_granted, 3));
  EXPECT_EQ(lock.Acquire(7, Timeout::Cycles(50)), Status(Reason::not_granted, 3));
  EXPECT_TRUE(lock.Release(-3).ok());
  EXPECT_EQ(lock.Value().value, 0u);
  EXPECT_EQ(Lock(device(), static_cast<uint32_t>(config().locks)).Set(0).reason(),
            Reason::lock_number);
}

TEST_P(RtlDevice, WindowsGuardMemory) {
  Make();
  if (config().windows == 0) {
    EXPECT_EQ(SetWindow(device(), Direction::kToStream, 0, 0, {}).reason(), Reason::no_windows);
    return;
  }
  ASSERT_TRUE(SetWindow(device(), Direction::kToStream, 0, 0, {0x4000, 0x5000, true, false}).ok());
  Task task(reader(), descriptors());
  EXPECT_TRUE(task.Run(Copy(0x4ff0, 0x100, build())).ok());  // across the two pages
  EXPECT_TRUE(task.Run(Copy(0x5fff, 1, build())).ok());
  const Bytes expected = board().Read(0x4ff0, 0x100);
  Bytes sent = board().Take(0);
  EXPECT_EQ(sent.size(), expected.size() + 1);
  sent.resize(expected.size());
  EXPECT_EQ(sent, expected);
  const Result<Completion> outside = task.Run(Copy(0x5fff, 2, build()));
  EXPECT_EQ(outside.status.reason(), Reason::transfer_failed) << Text(outside.status);
  EXPECT_NE(outside.value.status & registers::entry::Status::kDecerrMask, 0);
  EXPECT_NE(reader().TakeError().bits & 1u << 8, 0u);
  // Pages that the address does not reach are none.
  if (config().channel.addr_width < 64) {
    const uint64_t end = uint64_t{1} << config().channel.addr_width;
    EXPECT_EQ(SetWindow(device(), Direction::kToStream, 0, 0, {end, end + 0xf000, true}).reason(),
              Reason::window_pages);
    EXPECT_FALSE(task.Run(Copy(0x1000, 8, build())).ok());
    (void)reader().TakeError();
  }
  // A locked window stays as it is.
  ASSERT_TRUE(
      SetWindow(device(), Direction::kToStream, 0, 1, {0x8000, 0x8000, true, true, true}).ok());
  EXPECT_EQ(SetWindow(device(), Direction::kToStream, 0, 1, {0x0, 0x8000, true, true}).reason(),
            Reason::window_locked);
}

TEST_P(RtlDevice, ATaskWaitsForItsTrigger) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x100, 8, build())).ok());
  TaskOptions options;
  options.trigger = true;
  if (!Has(registers::global_block::CapFeatures::kTriggersMask)) {
    EXPECT_EQ(task.Start(options).status.reason(), Reason::no_triggers);
    EXPECT_EQ(reader().SetTrigger(TriggerSource::Software(5)).reason(), Reason::no_triggers);
    EXPECT_EQ(device().Trigger(5).reason(), Reason::no_triggers);
    return;
  }
  ASSERT_TRUE(reader().SetTrigger(TriggerSource::Software(5)).ok());
  ASSERT_TRUE(task.Start(options).ok());
  EXPECT_EQ(task.Await(Timeout::Turns(20)).status.reason(), Reason::timeout);
  ASSERT_TRUE(device().Trigger(4).ok());
  EXPECT_EQ(task.Await(Timeout::Turns(20)).status.reason(), Reason::timeout);
  ASSERT_TRUE(device().Trigger(5).ok());
  EXPECT_TRUE(task.Await().ok());
  // Paced: an event a turn.
  options = {.repeats = 3, .paced = true};
  ASSERT_TRUE(task.Start(options).ok());
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(task.Await(Timeout::Turns(20)).status.reason(), Reason::timeout) << turn;
    ASSERT_TRUE(device().Trigger(5).ok());
  }
  EXPECT_EQ(task.Await().value.bytes, 24u);
}

TEST_P(RtlDevice, ATransferOfAnotherChannelIsATrigger) {
  Make();
  if (!Has(registers::global_block::CapFeatures::kTriggersMask))
    GTEST_SKIP() << "the build has no triggers";
  Task out(reader(), descriptors());
  Task in(writer(), descriptors());
  ASSERT_TRUE(writer().SetTrigger(TriggerSource::TaskDone(Direction::kToStream, 0)).ok());
  ASSERT_TRUE(in.Configure(Copy(0x3000, 16, build())).ok());
  board().Send(0, Counting(16));
  ASSERT_TRUE(in.Start({.trigger = true}).ok());
  EXPECT_EQ(in.Await(Timeout::Turns(30)).status.reason(), Reason::timeout);
  ASSERT_TRUE(out.Run(Copy(0x100, 8, build())).ok());
  EXPECT_TRUE(in.Await().ok());
  EXPECT_EQ(board().Read(0x3000, 16), Counting(16));
  EXPECT_EQ(writer().SetTrigger(128).reason(), Reason::trigger_number);
}

TEST_P(RtlDevice, QuiesceStopsEverything) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  board().Pass(100);
  ASSERT_TRUE(device().Quiesce().ok());
  const size_t before = board().bench().sink(0).bytes().size();
  EXPECT_GT(before, 0u);
  board().Pass(200);
  EXPECT_EQ(board().bench().sink(0).bytes().size(), before);
  device().Resume();
  ASSERT_TRUE(reader().Reset().ok());
  EXPECT_EQ(task.Await().status.reason(), Reason::transfer_aborted);
  EXPECT_TRUE(task.Run(Copy(0x1000, 64, build())).ok());
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlDevice, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
