// Tasks on the RTL: chains, repeats, queues, interrupts, errors, control, headers that choose.
#include <bit>

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

TEST_P(RtlTask, TheTurnOfAnIterationIsTold) {
  Make();
  Task task(reader(), descriptors());
  EXPECT_EQ(task.Turn().status.reason(), Reason::not_configured);
  ASSERT_TRUE(task.Configure(Descriptor().Base(0x1000).Dim(0, 4, 1).Iteration(3, 0x100)).ok());
  EXPECT_EQ(task.Turn().value, 0u);
  ASSERT_TRUE(task.Start({.repeats = 5}).ok());
  ASSERT_TRUE(task.Await().ok());
  EXPECT_EQ(board().Take(0), Rows(board(), {0x1000, 0x1100, 0x1200, 0x1000, 0x1100}, 4));
  EXPECT_EQ(task.Turn().value, 2u);
  EXPECT_EQ(task.Turn(1).status.reason(), Reason::not_configured);
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
  EXPECT_EQ(service.Add(reader()), Status(Reason::no_handle, 0));
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

// Packets of three senders, in an order that nobody knows before, into buffers of their own.
TEST_P(RtlTask, HeadersChooseDescriptors) {
  Make();
  EXPECT_EQ(reader().HeadersChoose(true).reason(), Reason::wrong_direction);
  if (!Has(registers::global_block::CapFeatures::kOutOfOrderMask)) {
    EXPECT_EQ(writer().HeadersChoose(true).reason(), Reason::no_out_of_order);
    return;
  }
  ASSERT_TRUE(writer().HeadersChoose(true).ok());
  Task<BoardChannel, 1> buffers[3] = {
      {writer(), descriptors()}, {writer(), descriptors()}, {writer(), descriptors()}};
  for (uint32_t k = 0; k < 3; ++k) {
    // Each packet of a sender into the next 64 bytes.
    ASSERT_TRUE(
        buffers[k].Configure(Linear(0x8000 + 0x1000 * k, 64).FinishOnLast().Iteration(4, 64)).ok());
  }
  constexpr uint32_t kOrder[] = {1, 0, 2, 2, 1, 0};
  ASSERT_TRUE(buffers[0].Start({.repeats = 6}).ok());
  EXPECT_EQ(writer().HeadersChoose(false).reason(), Reason::task_running);
  uint32_t turn[3] = {};
  Bytes expected[3][2];
  for (uint32_t n = 0; n < 6; ++n) {
    const uint32_t k = kOrder[n];
    expected[k][turn[k]] = Counting(20 + n, static_cast<uint8_t>(30 * n));
    const uint32_t word = k | buffers[k].descriptor() << 5;
    const uint32_t header = word | (std::popcount(word) % 2 == 0 ? 1u << 31 : 0);
    Bytes packet;
    for (int byte = 0; byte < 4; ++byte) packet.push_back(static_cast<uint8_t>(header >> 8 * byte));
    packet.insert(packet.end(), expected[k][turn[k]].begin(), expected[k][turn[k]].end());
    ++turn[k];
    board().Send(0, packet);
  }
  const Result<Completion> done = buffers[0].Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes, 6 * 20u + 15u);
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t n = 0; n < 2; ++n) {
      EXPECT_EQ(board().Read(0x8000 + 0x1000 * k + 64 * n, expected[k][n].size()), expected[k][n]);
    }
  }
  EXPECT_TRUE(writer().HeadersChoose(false).ok());
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlTask, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
