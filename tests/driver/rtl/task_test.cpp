// Tasks on the RTL: chains, repeats, tags, queues, records, interrupts, errors, control.
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

class RtlTask : public RtlTest {};

Bytes Rows(const Board& board, const std::vector<uint64_t>& rows, size_t bytes) {
  Bytes all;
  for (uint64_t row : rows) {
    const Bytes one = board.Read(row, bytes);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

TEST_P(RtlTask, MovesWhatItSaysBothWays) {
  Make();
  Task out(reader(), descriptors());
  const Result<Completion> sent = out.Run(Window2d(0x1001, 37, 5, 64, build()));
  ASSERT_TRUE(sent.ok()) << Text(sent.status);
  EXPECT_EQ(sent.value.bytes, 185u);
  EXPECT_TRUE(sent.value.last);
  EXPECT_EQ(board().Take(0), Rows(board(), {0x1001, 0x1041, 0x1081, 0x10c1, 0x1101}, 37));
  EXPECT_TRUE(board().bench().sink(0).beats().back().last);
  Task in(writer(), descriptors());
  board().Send(0, Counting(185));
  ASSERT_TRUE(in.Run(Window2d(0x7003, 37, 5, 64, build())).ok());
  EXPECT_EQ(Rows(board(), {0x7003, 0x7043, 0x7083, 0x70c3, 0x7103}, 37), Counting(185));
  const AddressRange rows[] = {{0x7003, 0x7003 + 36},
                               {0x7043, 0x7043 + 36},
                               {0x7083, 0x7083 + 36},
                               {0x70c3, 0x70c3 + 36},
                               {0x7103, 0x7103 + 36}};
  EXPECT_TRUE(board().bench().memory().TouchedOutside(rows).empty());
}

TEST_P(RtlTask, AChainIsOneTask) {
  Make();
  Task<BoardChannel, 4> out(reader(), descriptors());
  Descriptor list[2];
  const uint64_t rows[2] = {0x3000, 0x1001};
  ASSERT_TRUE(Rows(rows, 2, 5, Direction::kToStream, build(), list).ok());
  ASSERT_TRUE(out.Configure(list, 2).ok());
  ASSERT_TRUE(out.Start({.repeats = 3}).ok());
  const Result<Completion> done = out.Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes, 30u);
  EXPECT_EQ(board().Take(0), Rows(board(), {0x3000, 0x1001, 0x3000, 0x1001, 0x3000, 0x1001}, 5));
  const auto beats = (30 + config().channel.stream_bytes - 1) / config().channel.stream_bytes;
  EXPECT_EQ(board().bench().sink(0).beats().size(), static_cast<size_t>(beats));  // without gaps
}

TEST_P(RtlTask, AScatteredPacketGoesWhereItsRowsAre) {
  Make();
  Task<BoardChannel, 2> in(writer(), descriptors());
  Descriptor list[2];
  const uint64_t rows[2] = {0x3005, 0x1002};
  ASSERT_TRUE(Rows(rows, 2, 13, Direction::kFromStream, build(), list).ok());
  ASSERT_TRUE(in.Configure(list, 2).ok());
  board().Send(0, Counting(26));
  ASSERT_TRUE(in.Start().ok());
  ASSERT_TRUE(in.Await().ok());
  EXPECT_EQ(Rows(board(), {0x3005, 0x1002}, 13), Counting(26));
  EXPECT_EQ(board().bench().memory().TouchedBytes(), 26u);
}

TEST_P(RtlTask, IterationMovesTheBase) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Descriptor().Base(0x1000).Dim(0, 4, 1).Iteration(3, 0x100)).ok());
  ASSERT_TRUE(task.Start({.repeats = 5}).ok());
  ASSERT_TRUE(task.Await().ok());
  EXPECT_EQ(board().Take(0), Rows(board(), {0x1000, 0x1100, 0x1200, 0x1000, 0x1100}, 4));
}

TEST_P(RtlTask, TheTurnOfAnIterationIsTold) {
  Make();
  Task task(reader(), descriptors());
  EXPECT_EQ(task.Turn().status.reason(), Reason::not_configured);
  ASSERT_TRUE(task.Configure(Descriptor().Base(0x1000).Dim(0, 4, 1).Iteration(3, 0x100)).ok());
  EXPECT_EQ(task.Turn().value, 0u);
  ASSERT_TRUE(task.Start({.repeats = 5}).ok());
  ASSERT_TRUE(task.Await().ok());
  EXPECT_EQ(task.Turn().value, 2u);
  EXPECT_EQ(task.Turn(1).status.reason(), Reason::not_configured);
}

TEST_P(RtlTask, TagsComeBackWithTheirTasks) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  const uint32_t first = reader().Push(task.descriptor(), {}, 77).value;
  const uint32_t second = reader().Push(task.descriptor(), {}, 0xffffffff).value;
  EXPECT_EQ(reader().Wait(second).value.tag, 0xffffffffu);
  EXPECT_EQ(reader().Collect(first).value.tag, 77u);
  Record record;
  ASSERT_TRUE(task.Start({}, 5).ok());
  board().Pass(100);
  ASSERT_TRUE(reader().TakeRecord(record));
  EXPECT_EQ(record.tag, 5u);
  EXPECT_EQ(record.bytes, 64u);
  EXPECT_EQ(record.descriptor, task.descriptor());
  EXPECT_TRUE(record.task_end);
  EXPECT_FALSE(reader().TakeRecord(record));
}

TEST_P(RtlTask, TokensGoOrAreUnsupported) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  const Result<uint32_t> started = task.Start({.token = true});
  if (!Has(registers::global_block::CapFeatures::kTokensMask)) {
    EXPECT_EQ(started.status.reason(), Reason::no_tokens);
    return;
  }
  EXPECT_TRUE(started.ok());
}

TEST_P(RtlTask, AShadowWritesOnlyWhatChanged) {
  Make();
  if (!Has(registers::global_block::CapFeatures::kBoundsMask))
    GTEST_SKIP() << "the build has no bounds";
  Task<BoardChannel, 1, true> task(reader(), descriptors());
  Descriptor d;
  d.Base(0x1000).Dim(0, 8, 1).Dim(1, 8, 64).Start(0, -1).Bound(0, 64).Start(1, -1).Bound(1, 64);
  d.Fill(0xee);
  const auto tile = [&](int64_t x0, int64_t y0) {
    Bytes all;
    for (int64_t y = y0; y < y0 + 8; ++y) {
      for (int64_t x = x0; x < x0 + 8; ++x) {
        const bool in = x >= 0 && x < 64 && y >= 0 && y < 64;
        all.push_back(in ? board().Byte(static_cast<uint64_t>(0x1000 + 64 * y + x)) : 0xee);
      }
    }
    return all;
  };
  ASSERT_TRUE(task.Run({d, {}}).ok());
  EXPECT_EQ(board().Take(0), tile(-1, -1));
  const uint64_t before = board().writes();
  d.Start(0, 60).Start(1, 15);
  ASSERT_TRUE(task.Configure(d).ok());
  EXPECT_EQ(board().writes() - before, 3u);
  ASSERT_TRUE(task.Start().ok());
  ASSERT_TRUE(task.Await().ok());
  EXPECT_EQ(board().Take(0), tile(60, 15));
}

template <bool kShadow>
Bytes TwoRuns(BoardChannel& channel, DescriptorPool& pool, Board& board) {
  Task<BoardChannel, 1, kShadow> task(channel, pool);
  const Descriptor d = Descriptor().Base(0x1000).Dim(0, 8, 1).Iteration(4, 64);
  for (int n = 0; n < 2; ++n) {
    EXPECT_TRUE(task.Configure(d).ok());
    EXPECT_TRUE(task.Start().ok());
    EXPECT_TRUE(task.Await().ok());
  }
  EXPECT_TRUE(task.Free().ok());
  board.Pass(100);
  return board.Take(0);
}

TEST_P(RtlTask, ConfigureBeginsAnIterationAgainWithAShadowToo) {
  Make();
  const Bytes expected = Rows(board(), {0x1000, 0x1000}, 8);
  EXPECT_EQ(TwoRuns<false>(reader(), descriptors(), board()), expected);
  EXPECT_EQ(TwoRuns<true>(reader(), descriptors(), board()), expected);
}

TEST_P(RtlTask, AFullQueueIsRefusedWithoutAWrite) {
  Make();
  Task task(writer(), descriptors());  // waits for a stream that does not come
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  for (int n = 0; n < config().queue_depth; ++n) EXPECT_TRUE(task.Restart().ok());
  const uint64_t before = board().writes();
  EXPECT_EQ(task.Restart().status.reason(), Reason::queue_full);
  EXPECT_EQ(task.Configure(Copy(0x2000, 8, build())).reason(), Reason::task_running);
  EXPECT_EQ(task.Free().reason(), Reason::task_running);
  EXPECT_EQ(board().writes(), before);
  board().Send(0, Counting(8 * static_cast<size_t>(config().queue_depth)));
  EXPECT_TRUE(task.Await().ok());
  EXPECT_EQ(writer().outstanding(), 0u);
  EXPECT_TRUE(task.Free().ok());
}

TEST_P(RtlTask, ManyTasksThroughASmallRecordQueue) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  const auto turns = static_cast<uint32_t>(config().queue_depth) * 3 + 1;
  ASSERT_TRUE(task.Start({.repeats = turns}).ok());
  board().Pass(500);  // nobody takes records meanwhile
  const Result<Completion> done = task.Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes, 8u * turns);
  EXPECT_EQ(reader().transfers(), turns);
}

TEST_P(RtlTask, ABusErrorIsToldAndTheNextTaskRuns) {
  DmaBenchOptions options;
  options.memory.errors = {ErrorRule::Range(0x2000, 0x2fff, kSlvErr),
                           ErrorRule::Range(0x4000, 0x4fff, kDecErr)};
  Make(options);
  Task out(reader(), descriptors());
  Result<Completion> done = out.Run(Copy(0x1f00, 0x200, build()));
  EXPECT_EQ(done.status.reason(), Reason::transfer_failed) << Text(done.status);
  EXPECT_EQ(done.value.status, registers::entry::Status::kSlverrMask);
  const ChannelError error = reader().TakeError();
  EXPECT_EQ(error.bits, 2u);
  EXPECT_EQ(error.address, 0x2000u);
  EXPECT_EQ(error.descriptor, out.descriptor());
  EXPECT_FALSE(reader().saw_error());
  EXPECT_TRUE(out.Run(Copy(0x1000, 64, build())).ok());
  Task in(writer(), descriptors());
  board().Send(0, Counting(64));
  done = in.Run(Copy(0x3fe0, 64, build()));
  EXPECT_EQ(done.status.reason(), Reason::transfer_failed) << Text(done.status);
  EXPECT_EQ(done.value.status, registers::entry::Status::kDecerrMask);
  EXPECT_EQ(writer().TakeError().bits, 2u);
}

TEST_P(RtlTask, TheTicketOfAnEarlierStartIsKept) {
  DmaBenchOptions options;
  options.memory.errors = {ErrorRule::Range(0x8000, 0x80ff, kSlvErr)};
  Make(options);
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Descriptor().Base(0x8000).Dim(0, 8, 1).Iteration(2, 0x1000)).ok());
  const uint32_t first = task.Start().value;
  const uint32_t second = task.Start().value;
  EXPECT_EQ(reader().Wait(first).status.reason(), Reason::transfer_failed);
  EXPECT_TRUE(reader().Wait(second).ok());
}

TEST_P(RtlTask, StopOnHaltsTheChannelAndAResetRevivesIt) {
  DmaBenchOptions options;
  options.memory.errors = {ErrorRule::Range(0x2000, 0x2fff, kSlvErr)};
  Make(options);
  ASSERT_TRUE(
      reader()
          .StopOn(registers::entry::Status::kSlverrMask | registers::entry::Status::kDecerrMask)
          .ok());
  Task out(reader(), descriptors());
  ASSERT_TRUE(out.Configure(Copy(0x2000, 16, build())).ok());
  ASSERT_TRUE(out.Start({.repeats = 40}).ok());  // what the engine has seen still runs
  const Status stopped = out.Await(Timeout::Turns(200)).status;
  EXPECT_EQ(stopped.reason(), Reason::channel_faulted) << Text(stopped);
  EXPECT_LE(reader().transfers(), 8u);
  const ChannelError error = reader().TakeError();
  EXPECT_EQ(error.bits, 2u | 1u << 7);
  ASSERT_TRUE(reader().Reset().ok());
  EXPECT_EQ(out.Await().status.reason(), Reason::transfer_aborted);
  EXPECT_TRUE(out.Run(Copy(0x1000, 16, build())).ok());
  EXPECT_EQ(board().Read(0x1000, 16), [&] {
    const Bytes all = board().Take(0);
    return Bytes(all.end() - 16, all.end());
  }());
}

TEST_P(RtlTask, AHaltedChannelSaysSoAndAResetRevivesIt) {
  Make();
  Task<BoardChannel, 2> task(reader(), descriptors());
  Descriptor list[2];
  list[0].Base(0x1000);
  list[1].Base(0x2000);
  ASSERT_TRUE(task.Configure(list, 2).ok());
  // Somebody else spoils the second descriptor: the driver itself never would.
  board().Write32(0x20000 + 0x40 * task.descriptor(1), 1);
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(task.Await(Timeout::Turns(100)).status.reason(), Reason::channel_halted);
  const ChannelError error = reader().TakeError();
  EXPECT_EQ(error.bits & 1, 1u);
  EXPECT_EQ(error.reason, 32) << LoadText(error.reason);
  EXPECT_EQ(error.descriptor, task.descriptor(1));
  ASSERT_TRUE(reader().Reset().ok());
  EXPECT_EQ(task.Await().status.reason(), Reason::transfer_aborted);
  ASSERT_TRUE(task.Configure(list, 2).ok());
  ASSERT_TRUE(task.Start().ok());
  const Result<Completion> done = task.Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes, 2u);
}

TEST_P(RtlTask, AbortEndsWhatRunsAndWhatWaits) {
  Make();
  Task task(writer(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  const uint32_t first = writer().Push(task.descriptor()).value;
  const uint32_t second = writer().Push(task.descriptor()).value;
  board().Send(0, Counting(20), false);
  board().Pass(100);
  ASSERT_TRUE(writer().Abort().ok());
  EXPECT_EQ(writer().outstanding(), 0u);
  EXPECT_EQ(writer().Collect(first).status.reason(), Reason::transfer_aborted);
  EXPECT_EQ(writer().Collect(second).status.reason(), Reason::transfer_aborted);
  // Whatever was left of the old stream, a reset ends it; then tasks run as before.
  ASSERT_TRUE(writer().Reset().ok());
  ASSERT_TRUE(task.Configure(Copy(0x2000, 8, build())).ok());
  ASSERT_TRUE(task.Start().ok());
  board().Send(0, Counting(64, 100));
  EXPECT_TRUE(task.Await().ok());
  EXPECT_FALSE(task.running());
}

// The last beat is never taken: the abort has not ended, though a record may have come.
TEST_P(RtlTask, AnAbortEndsNotBeforeTasksAreTaken) {
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Never();
  Make(options);
  Task task(reader(), descriptors());
  const auto some = static_cast<uint32_t>(config().channel.stream_bytes);
  (void)task.Run(Copy(0x1000, some, build()), Timeout::Turns(200));
  EXPECT_EQ(reader().Abort(Timeout::Turns(100)).reason(), Reason::timeout);
  EXPECT_EQ(task.Start().status.reason(), Reason::channel_stuck);
  EXPECT_TRUE(board().refused().empty());
  EXPECT_EQ(reader().Abort(Timeout::Turns(100)).reason(), Reason::timeout);
}

// The same with a sink that takes it at last.
TEST_P(RtlTask, AnAbortWaitsForTheLastBeat) {
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Bursts(1, 1, 400, 400);
  Make(options);
  Task task(reader(), descriptors());
  const auto some = static_cast<uint32_t>(config().channel.stream_bytes);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 2 * some, build())).ok());
  for (int n = 0; n < 5; ++n) {
    ASSERT_TRUE(task.Start().ok());
    board().Pass(100 + 170 * n);
    ASSERT_TRUE(reader().Abort().ok());
  }
  ASSERT_TRUE(task.Start().ok());
  EXPECT_TRUE(task.Await().ok());
}

TEST_P(RtlTask, AnAbortLeavesNoErrorBehind) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  const uint32_t empty = descriptors().Take().value;  // never written: not valid
  for (const bool reset : {false, true}) {
    ASSERT_TRUE(task.Start({.endless = true}).ok());
    board().Pass(100);
    ASSERT_TRUE((reset ? reader().Reset() : reader().Abort()).ok());
    EXPECT_FALSE(reader().saw_error());
    const Result<uint32_t> ticket = reader().Push(empty);
    EXPECT_EQ(reader().Wait(ticket.value, Timeout::Turns(200)).status.reason(),
              Reason::channel_halted);
    // What was before does not stand in its place.
    const ChannelError error = reader().TakeError();
    EXPECT_EQ(error.bits, 1u);
    EXPECT_EQ(error.descriptor, empty);
    EXPECT_EQ(error.reason, 32) << LoadText(error.reason);
    ASSERT_TRUE(reader().Reset().ok());
    reader().Forget(ticket.value);
  }
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  board().Pass(100);
  ASSERT_TRUE(reader().Reset().ok());
  ASSERT_TRUE(reader().Pause().ok());  // a transfer is at work, whatever room its record has
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  board().Pass(100);
  board().Write32(registers::ReadAddress(0) + registers::channel::Control::kOffset,
                  registers::channel::Control::kAbortMask);
  board().Pass(100);
  board().Write32(registers::ReadAddress(0) + registers::channel::Control::kOffset, 0);
  reader().Service();
  ASSERT_NE(device().Read(registers::ReadAddress(0) + registers::channel::Error::kOffset), 0u);
  BoardChannel other(device(), Direction::kToStream, 0);
  ASSERT_TRUE(other.Open().ok());  // forgets what an earlier program left
  other.Service();
  EXPECT_FALSE(other.saw_error());
  EXPECT_EQ(other.TakeError().bits, 0u);
  ASSERT_TRUE(reader().Reset().ok());
}

TEST_P(RtlTask, WhatStopsAChannelDoesNotEndAPause) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  ASSERT_TRUE(reader().Pause().ok());
  ASSERT_TRUE(task.Start().ok());
  ASSERT_TRUE(reader().StopOn(registers::entry::Status::kSlverrMask).ok());
  EXPECT_EQ(task.Await(Timeout::Turns(300)).status.reason(), Reason::timeout);
  EXPECT_EQ(reader().transfers(), 0u);
  reader().Resume();
  EXPECT_TRUE(task.Await().ok());
}

// What was acquired for a transfer that did not begin is given back, all of it.
TEST_P(RtlTask, AnAbortGivesBackTheLockOfWhatDidNotBegin) {
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  const Lock lock(device(), 0);
  ASSERT_TRUE(lock.Set(60).ok());
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Linear(0x1000, 64).Acquire(0, -5).Release(0, 1)).ok());
  ASSERT_TRUE(reader().Drain().ok());  // no transfer begins
  for (int n = 0; n < 2; ++n) ASSERT_TRUE(reader().Push(task.descriptor()).ok());
  board().Pass(100);
  EXPECT_EQ(lock.Value().value, 55u);
  ASSERT_TRUE(reader().Abort().ok());
  EXPECT_EQ(lock.Value().value, 60u);
  EXPECT_EQ(reader().transfers(), 0u);
}

TEST_P(RtlTask, AResetTakesNoRecordOfTasksBeforeIt) {
  Make();
  Task task(reader(), descriptors());
  for (int n = 0; n < 4; ++n) {
    ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
    ASSERT_TRUE(task.Start({.repeats = static_cast<uint32_t>(n + 1)}).ok());
    board().Pass(20 * n + 5);  // in the middle, or done and not looked at
    ASSERT_TRUE(reader().Reset().ok());
    EXPECT_EQ(reader().outstanding(), 0u);
    const Result<Completion> done = task.Run(Copy(0x1000, 16, build()));
    ASSERT_TRUE(done.ok()) << n << ": " << Text(done.status);
    EXPECT_EQ(done.value.bytes, 16u) << n;
    ASSERT_TRUE(reader().Pause().ok());
    ASSERT_TRUE(task.Start().ok());
    EXPECT_EQ(task.Await(Timeout::Turns(9)).status.reason(), Reason::timeout) << n;
    reader().Resume();
    EXPECT_TRUE(task.Await().ok());
  }
}

TEST_P(RtlTask, AChannelThatGetsNothingIsWaitedForNoLongerThanSaid) {
  Make();
  Task task(writer(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  ASSERT_TRUE(task.Start().ok());
  const uint64_t begin = device().Cycles();
  EXPECT_EQ(task.Await(Timeout::Cycles(300)).status.reason(), Reason::timeout);
  EXPECT_LT(device().Cycles() - begin, 400u);
  board().Send(0, Counting(8));
  EXPECT_TRUE(task.Await().ok());
}

TEST_P(RtlTask, PauseDrainStop) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 64, build())).ok());
  ASSERT_TRUE(reader().Pause().ok());
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(task.Await(Timeout::Turns(20)).status.reason(), Reason::timeout);
  reader().Resume();
  EXPECT_TRUE(task.Await().ok());
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  const uint32_t before = reader().transfers();
  for (int n = 0; n < 1000 && reader().transfers() - before < 5; ++n) reader().Service();
  ASSERT_GE(reader().transfers() - before, 5u);
  ASSERT_TRUE(reader().Stop().ok());
  const Result<Completion> done = task.Await();
  EXPECT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes % 64, 0u);
  ASSERT_TRUE(reader().Drain().ok());
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(task.Await(Timeout::Turns(30)).status.reason(), Reason::timeout);
  reader().Resume();
  EXPECT_TRUE(task.Await().ok());
}

TEST_P(RtlTask, AnInterruptServesTheChannels) {
  Make();
  ServiceRoutine<BoardChannel, 2> service(device());
  ASSERT_TRUE(service.Add(reader()).ok());
  ASSERT_TRUE(service.Add(writer()).ok());
  ASSERT_TRUE(reader()
                  .EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask |
                                    registers::channel::IrqStatus::kErrorMask)
                  .ok());
  device().EnableInterrupts(true);
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  EXPECT_FALSE(service.Handle());
  int handled = 0;
  const auto handler = [&] { handled += service.Handle() ? 1 : 0; };
  const uint32_t ticket = task.Start().value;
  ASSERT_TRUE(board().bench().Until([&] { return board().interrupt(); }, 500));
  handler();
  board().Pass(3);
  EXPECT_FALSE(board().interrupt());
  EXPECT_TRUE(reader().IsFinished(ticket));
  EXPECT_TRUE(task.Await().ok());
  // The handler interrupts whatever the program does.
  bus().handler = handler;
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(task.Restart().ok());
    const Result<Completion> done = task.Await();
    ASSERT_TRUE(done.ok()) << Text(done.status);
    EXPECT_EQ(done.value.bytes, 8u);
  }
  EXPECT_GT(handled, 5);
  ASSERT_TRUE(task.Restart().ok());
  while (task.running()) service.Poll();
  EXPECT_TRUE(task.Await().ok());
}

// As many records as the device has room for raise the interrupt; more never would.
TEST_P(RtlTask, CoalescedRecordsRaiseTheInterrupt) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  device().EnableInterrupts(true);
  const auto room = static_cast<uint16_t>(config().queue_depth);
  for (const uint16_t count : {room, uint16_t{31}}) {  // or as many as there is room for
    ASSERT_TRUE(reader().EnableInterrupts(registers::channel::IrqStatus::kRecordMask, count).ok());
    ASSERT_TRUE(task.Start({.endless = true}).ok());
    EXPECT_TRUE(board().bench().Until([&] { return board().interrupt(); }, 2000)) << count;
    ASSERT_TRUE(reader().Abort().ok());
    reader().Service();
  }
}

TEST_P(RtlTask, OverlongPacketsAreTold) {
  Make();
  Task task(writer(), descriptors());
  board().Send(0, Counting(7));
  ASSERT_TRUE(
      task.Configure(Descriptor().Base(0x1000).Dim(0, 4, 1).FinishOnLast().Side(1, 2, 3)).ok());
  ASSERT_TRUE(task.Start({}, 5).ok());
  board().Pass(200);
  Record record;
  ASSERT_TRUE(writer().TakeRecord(record));
  EXPECT_EQ(record.bytes, 4u);
  EXPECT_EQ(record.dropped, 3u);
  EXPECT_EQ(record.status, registers::entry::Status::kOverlongMask);
  EXPECT_TRUE(record.last);
  EXPECT_EQ(task.Await().status.reason(), Reason::transfer_failed);
  EXPECT_EQ(writer().TakeError().bits, 4u);
  EXPECT_EQ(board().Read(0x1000, 4), Counting(4));
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlTask, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
