// GMIO, streams, frame buffers, rings and profiling on the RTL. The program's memory is the
// device's.
#include <cstring>

#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBus = 0x4000'0000;

class RtlIo : public RtlTest {
 protected:
  using Pool = MemoryPool<64, 16>;
  void MakeShared(const DmaBenchOptions& options = {}) {
    Make(options);
    board().Share(kBus, storage);
  }
  uint64_t BusAddress(const void* at) {
    return kBus + static_cast<uint64_t>(static_cast<const uint8_t*>(at) - storage);
  }
  static Bytes Of(const void* memory, size_t bytes) {
    const auto* at = static_cast<const uint8_t*>(memory);
    return {at, at + bytes};
  }

  alignas(64) uint8_t storage[16384] = {};
  Pool memory{storage, sizeof(storage), kBus};
};

TEST_P(RtlIo, AChannelThatHasStoppedIsToldSoon) {
  MakeShared();
  Gmio<BoardChannel, Pool> out(reader(), descriptors(), memory);
  Stream<BoardChannel, Pool> in(writer(), descriptors(), memory);
  ASSERT_TRUE(in.Create().ok());
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory, 2048));
  const uint32_t empty = descriptors().Take().value;  // never written: not valid
  for (BoardChannel* channel : {&reader(), &writer()}) {
    const Result<uint32_t> ticket = channel->Push(empty);
    const uint64_t before = board().reads();
    EXPECT_EQ(channel->Wait(ticket.value).status.reason(), Reason::channel_halted);
    EXPECT_EQ(channel->Stop().reason(), Reason::channel_halted);
    EXPECT_LT(board().reads() - before, 1000u);
  }
  const uint64_t before = board().reads();
  ASSERT_TRUE(out.ToStreamNb(buffer, 64).ok());
  EXPECT_EQ(out.Wait().reason(), Reason::channel_halted);
  EXPECT_EQ(in.Read(buffer + 1024, 64).status.reason(), Reason::channel_halted);
  EXPECT_LT(board().reads() - before, 2000u);
}

// What was begun before the channel stopped still ends.
TEST_P(RtlIo, WhatIsUnderWayOnAChannelThatHasStoppedIsWaitedFor) {
  Make();
  Task task(writer(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x3000, 64, build())).ok());
  const uint32_t empty = descriptors().Take().value;  // never written: not valid
  const uint32_t first = task.Start().value;
  ASSERT_TRUE(writer().Push(empty).ok());
  board().Pass(100);
  ASSERT_NE(writer().StatusWord() & registers::channel::Status::kHaltedMask, 0u);
  const uint64_t before = board().reads();
  EXPECT_EQ(writer().Wait(first, Timeout::Turns(1000)).status.reason(), Reason::channel_halted);
  EXPECT_GT(board().reads() - before, 1000u);
  board().Send(0, Counting(64));
  EXPECT_TRUE(writer().Wait(first).ok());
  EXPECT_EQ(board().Read(0x3000, 64), Counting(64));
}

TEST_P(RtlIo, WritesWithoutEndOfTransferAreOnePacket) {
  MakeShared();
  Stream<BoardChannel, Pool, NoCache, 2> out(reader(), descriptors(), memory);
  ASSERT_TRUE(out.Create().ok());
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory, 256));
  std::memcpy(buffer, Counting(256).data(), 256);
  StreamRequest part;
  part.end_of_transfer = false;
  const auto beat = static_cast<size_t>(config().channel.stream_bytes);
  EXPECT_EQ(out.Write(buffer, beat + 1, part).status.reason(),
            beat == 1 ? Reason::none : Reason::segment_beats);
  EXPECT_EQ(out.Write(buffer, beat, part).value, beat);
  EXPECT_EQ(out.Write(buffer + beat, 5).value, 5u);
  EXPECT_EQ(board().Take(0), Counting(beat + 5));
  size_t packets = 0;
  for (const StreamBeat& beat : board().bench().sink(0).beats()) packets += beat.last ? 1 : 0;
  EXPECT_EQ(packets, 1u);
}

TEST_P(RtlIo, FrameBuffersTurnForEver) {
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  FrameBuffers<BoardChannel, 3> frames(writer(), descriptors());
  const uint64_t addresses[3] = {0x1000, 0x2000, 0x3000};
  ASSERT_TRUE(frames.Start(addresses, {8, 2, 16}, 1).ok());
  EXPECT_EQ(frames.Next().status.reason(), Reason::timeout);
  for (uint8_t n = 0; n < 5; ++n) board().Send(0, Counting(16, static_cast<uint8_t>(16 * n)));
  board().Pass(400);
  EXPECT_EQ(frames.done(), 3u);  // the lock keeps the others waiting
  for (uint32_t n = 0; n < 3; ++n) EXPECT_EQ(frames.Next().value, n);
  EXPECT_EQ(board().Read(0x3010, 8), Counting(8, 40));
  ASSERT_TRUE(frames.Release().ok());
  ASSERT_TRUE(frames.Release().ok());
  board().Pass(400);
  EXPECT_EQ(frames.done(), 5u);
  EXPECT_EQ(frames.Newest().value, 1u);
  EXPECT_EQ(frames.Newest().status.reason(), Reason::timeout);
  EXPECT_EQ(board().Read(0x2000, 8), Counting(8, 64));
  // The turn that has begun ends with its third frame.
  EXPECT_EQ(frames.Stop(Timeout::Turns(50)).reason(), Reason::timeout);
  ASSERT_TRUE(frames.Cancel().ok());
  EXPECT_EQ(descriptors().available(), static_cast<uint32_t>(config().descriptors));
  // Again, and to the end: the hardware may have begun one turn more when it is told to stop.
  ASSERT_TRUE(writer().Reset().ok());
  ASSERT_TRUE(frames.Start(addresses, {8, 2, 16}).ok());
  for (uint8_t n = 0; n < 12; ++n) board().Send(0, Counting(16, n));
  EXPECT_TRUE(frames.Stop(Timeout::Turns(500)).ok());
  EXPECT_EQ(frames.done() % 3, 0u);
}

TEST_P(RtlIo, ARingIsOneRegisterWriteAnEntry) {
  MakeShared();
  auto* places = gm_malloc(memory, 8 * 192);
  DescriptorRing<BoardChannel, 192> ring(reader());
  if (!Has(registers::global_block::CapFeatures::kFromListMask)) {
    EXPECT_EQ(ring.Start(places, BusAddress(places), 8).reason(), Reason::no_lists);
    return;
  }
  ASSERT_TRUE(ring.Start(places, BusAddress(places), 8).ok());
  Bytes expected;
  for (uint32_t n = 0; n < 30; ++n) {
    Descriptor d;
    d.Base(0x1000 + 0x100 * n).Dim(0, 8 + n, 1);
    const bool edges = n % 3 == 1 && Has(registers::global_block::CapFeatures::kBoundsMask);
    if (edges) d.Start(0, -2).Bound(0, 4 + n).Fill(0x77);
    const uint64_t before = board().writes();
    Status status = ring.Post(d);
    for (int turn = 0; turn < 100 && status.reason() == Reason::ring_full; ++turn) {
      reader().Service();
      status = ring.Post(d);
    }
    ASSERT_TRUE(status.ok()) << n << ": " << Text(status);
    EXPECT_GE(board().writes(), before + 1);
    for (int64_t x = edges ? -2 : 0; x < 8 + n - (edges ? 2 : 0); ++x) {
      const bool in = !edges || (x >= 0 && x < 4 + n);
      expected.push_back(in ? board().Byte(0x1000 + 0x100 * n + static_cast<uint64_t>(x)) : 0x77);
    }
  }
  for (int turn = 0; turn < 1000 && reader().transfers() < 30; ++turn) reader().Service();
  EXPECT_EQ(reader().transfers(), 30u);
  EXPECT_EQ(ring.waiting(), 0u);
  EXPECT_EQ(board().Take(0), expected);
  ASSERT_TRUE(ring.Stop().ok());
  EXPECT_EQ(reader().outstanding(), 0u);
  // Another ring, and after it ordinary tasks.
  ASSERT_TRUE(ring.Start(places, BusAddress(places), 4).ok());
  ASSERT_TRUE(ring.Post(Descriptor().Base(0x9000).Dim(0, 16, 1)).ok());
  for (int turn = 0; turn < 100 && reader().transfers() < 31; ++turn) reader().Service();
  EXPECT_EQ(board().Take(0), board().Read(0x9000, 16));
  ASSERT_TRUE(ring.Stop().ok());
  Task task(reader(), descriptors());
  EXPECT_TRUE(task.Run(Copy(0x1000, 8, build())).ok());
}

// One doorbell for nearly all places, twice: head and tail pass every bit of an index.
TEST_P(RtlIo, ARingOfManyPlaces) {
  MakeShared();
  if (!Has(registers::global_block::CapFeatures::kFromListMask))
    GTEST_SKIP() << "the build has no lists";
  constexpr uint32_t kPlaces = 70;
  DescriptorRing<BoardChannel> ring(reader());
  auto* places = gm_malloc(memory, kPlaces * 64);
  ASSERT_TRUE(ring.Start(places, BusAddress(places), kPlaces).ok());
  Bytes expected;
  for (uint32_t turn = 0; turn < 2; ++turn) {
    for (uint32_t n = 0; n < kPlaces - 1; ++n) {
      const uint64_t at = 0x1000 + 16 * n + 0x1000 * turn;
      ASSERT_TRUE(ring.Add(Linear(at, 1 + n % 13)).ok()) << n;
      const Bytes row = board().Read(at, 1 + n % 13);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    EXPECT_EQ(ring.Add(Linear(0x1000, 4)).reason(), Reason::ring_full);
    ring.Ring();
    const uint32_t all = (turn + 1) * (kPlaces - 1);
    for (int n = 0; n < 1000 && reader().transfers() < all; ++n) reader().Service();
    EXPECT_EQ(reader().transfers(), all);
    EXPECT_EQ(ring.waiting(), 0u);
  }
  EXPECT_EQ(board().Take(0), expected);
  ASSERT_TRUE(ring.Stop().ok());
}

TEST_P(RtlIo, AnArrayInMemoryIsOneTask) {
  MakeShared();
  DescriptorArray<BoardChannel, 192> array(reader());
  auto* memory_of_list = gm_malloc(memory, 6 * 192);
  Descriptor list[6];
  Bytes once;
  for (uint32_t n = 0; n < 6; ++n) {
    list[n].Base(0x1000 + 0x100 * n).Dim(0, 10 + n, 1).Last(LastRule::kTask);
    const bool edge = n == 3 && Has(registers::global_block::CapFeatures::kBoundsMask);
    if (edge) list[n].Start(0, -1).Bound(0, 20).Fill(0x55);
    if (edge) once.push_back(0x55);
    if (n == 4 && Has(registers::global_block::CapFeatures::kWalkMask))
      list[n].Dim(0, 7, 1).Walk(0, 0, 7, 2);  // the same bytes
    const Bytes row = board().Read(0x1000 + 0x100 * n, edge ? 12 : 10 + n);
    once.insert(once.end(), row.begin(), row.end());
  }
  const Status made = array.Configure(memory_of_list, BusAddress(memory_of_list), list, 6);
  if (!Has(registers::global_block::CapFeatures::kFromListMask)) {
    EXPECT_EQ(made.code(), Code::unsupported);
    EXPECT_EQ(array.Start().status.reason(), Reason::not_configured);
    return;
  }
  ASSERT_TRUE(made.ok()) << Text(made);
  ASSERT_TRUE(array.Start(2, 9).ok());
  EXPECT_TRUE(array.running());
  const Result<Completion> done = array.Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.tag, 9u);
  Bytes twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(done.value.bytes, twice.size());
  EXPECT_EQ(board().Take(0), twice);
  // Another list in the same place.
  ASSERT_TRUE(array.Configure(memory_of_list, BusAddress(memory_of_list), list, 1).ok());
  ASSERT_TRUE(array.Start().ok());
  ASSERT_TRUE(array.Await().ok());
  EXPECT_EQ(board().Take(0), board().Read(0x1000, 10));
  // What is wrong is told with its place, before anything is written.
  list[2].Element(7);
  EXPECT_EQ(array.Configure(memory_of_list, BusAddress(memory_of_list), list, 6),
            Status(Reason::element_size, 2));
}

// A descriptor may still be on its way when the reset has ended.
TEST_P(RtlIo, AnArrayIsConfiguredRightAfterAResetOfItsChannel) {
  DmaBenchOptions options;
  options.memory.latency_min = options.memory.latency_max = 300;
  MakeShared(options);
  if (!Has(registers::global_block::CapFeatures::kFromListMask)) GTEST_SKIP() << "no lists";
  DescriptorArray<BoardChannel> array(reader());
  auto* places = gm_malloc(memory, 2 * 64);
  const Descriptor list[2] = {Linear(0x1000, 24), Linear(0x1100, 16)};
  for (int cycles : {10, 50, 100, 200, 400}) {
    ASSERT_TRUE(array.Configure(places, BusAddress(places), list, 2).ok()) << cycles;
    ASSERT_TRUE(array.Start().ok());
    board().Pass(cycles);
    ASSERT_TRUE(reader().Reset().ok());
  }
  board().Take(0);
  ASSERT_TRUE(array.Configure(places, BusAddress(places), list, 1).ok());
  ASSERT_TRUE(array.Start().ok());
  ASSERT_TRUE(array.Await().ok());
  EXPECT_EQ(board().Take(0), board().Read(0x1000, 24));
}

TEST_P(RtlIo, AnArrayWaitsForItsTriggerBeforeEachTurn) {
  MakeShared();
  if (!Has(registers::global_block::CapFeatures::kFromListMask) ||
      !Has(registers::global_block::CapFeatures::kTriggersMask)) {
    GTEST_SKIP() << "the build has no lists or no triggers";
  }
  DescriptorArray<BoardChannel> array(reader());
  auto* places = gm_malloc(memory, 2 * 64);
  const Descriptor list[2] = {Linear(0x1000, 24), Linear(0x1100, 16)};
  ASSERT_TRUE(array.Configure(places, BusAddress(places), list, 2).ok());
  ASSERT_TRUE(reader().SetTrigger(TriggerSource::Software(2)).ok());
  const Result<uint32_t> ticket = array.Start({.repeats = 2, .paced = true});
  ASSERT_TRUE(ticket.ok()) << Text(ticket.status);
  Bytes turn = board().Read(0x1000, 24);
  const Bytes second = board().Read(0x1100, 16);
  turn.insert(turn.end(), second.begin(), second.end());
  board().Pass(1024);  // After reset 64 descriptors are filled with zeros first.
  for (int n = 0; n < 2; ++n) {
    board().Pass(300);
    EXPECT_TRUE(board().Take(0).empty()) << n;
    ASSERT_TRUE(device().Trigger(2).ok());
    board().Pass(300);
    EXPECT_EQ(board().Take(0), turn) << n;
  }
  EXPECT_TRUE(array.Await().ok());
}

TEST_P(RtlIo, CompletionEntriesNeedNoRegister) {
  MakeShared();
  if (!Has(registers::global_block::CapFeatures::kFromListMask))
    GTEST_SKIP() << "the build has no lists";
  constexpr uint32_t kPlaces = 4;
  auto* places = gm_malloc(memory, kPlaces * 64);
  auto* entries = gm_malloc(memory, kPlaces * 16);
  DescriptorRing<BoardChannel> ring(reader());
  ASSERT_TRUE(ring.Start(places, BusAddress(places), kPlaces, entries, BusAddress(entries)).ok());
  RingEntry entry;
  EXPECT_FALSE(ring.Take(entry));
  uint32_t taken = 0;
  for (uint32_t n = 0; n < 23; ++n) {
    Descriptor d;
    d.Base(0x1000 + 64 * n).Dim(0, 8 + n, 1);
    Status status = ring.Post(d);
    for (int turn = 0; turn < 2000 && status.reason() == Reason::ring_full; ++turn) {
      board().Step();
      const uint64_t reads = board().reads();
      if (ring.Take(entry)) {
        EXPECT_EQ(board().reads(), reads);
        EXPECT_EQ(entry.bytes, 8u + taken);
        EXPECT_EQ(entry.place, taken % kPlaces);
        EXPECT_EQ(entry.status, 0);
        EXPECT_TRUE(entry.last);
        ++taken;
      }
      status = ring.Post(d);
    }
    ASSERT_TRUE(status.ok()) << n << ": " << Text(status);
  }
  for (int turn = 0; turn < 2000 && taken < 23; ++turn) {
    board().Step();
    if (!ring.Take(entry)) continue;
    EXPECT_EQ(entry.bytes, 8u + taken);
    ++taken;
  }
  EXPECT_EQ(taken, 23u);
  EXPECT_FALSE(ring.Take(entry));
  EXPECT_EQ(reader().transfers(), 0u);
  ASSERT_TRUE(ring.Stop().ok());
  // Again from the beginning.
  ASSERT_TRUE(ring.Start(places, BusAddress(places), kPlaces, entries, BusAddress(entries)).ok());
  ASSERT_TRUE(ring.Post(Descriptor().Base(0x1000).Dim(0, 5, 1)).ok());
  for (int turn = 0; turn < 500 && !ring.Take(entry); ++turn) board().Step();
  EXPECT_EQ(entry.bytes, 5u);
  ASSERT_TRUE(ring.Stop().ok());
}

// A transfer with an error leaves a record besides its entry, and records need room.
TEST_P(RtlIo, ARingWithEntriesGoesOnAfterMoreErrorsThanRecordsFit) {
  DmaBenchOptions options;
  options.memory.errors = {ErrorRule::Range(0x8000, 0x8fff, kSlvErr)};
  MakeShared(options);
  if (!Has(registers::global_block::CapFeatures::kFromListMask))
    GTEST_SKIP() << "the build has no lists";
  DescriptorRing<BoardChannel> ring(reader());
  ASSERT_TRUE(ring.Start(storage, kBus, 64, storage + 8192, kBus + 8192).ok());
  RingEntry entry;
  const auto take = [&](uint8_t status) {
    bool there = false;
    for (int turn = 0; turn < 2000 && !there; ++turn) {
      board().Step();
      there = ring.Take(entry);
    }
    return there && entry.status == status;
  };
  for (int n = 0; n < 2 * config().queue_depth + 2; ++n) {
    ASSERT_TRUE(ring.Post(Linear(0x8000, 8)).ok()) << n;
    ASSERT_TRUE(take(registers::entry::Status::kSlverrMask)) << n;
  }
  // The last descriptor has no record: the ticket ends with the stop of the channel.
  ASSERT_TRUE(reader().Pause().ok());
  for (int n = 0; n < 40; ++n) ASSERT_TRUE(ring.Post(Linear(0x1000, 8)).ok()) << n;
  ASSERT_TRUE(reader().Stop().ok());
  EXPECT_EQ(reader().outstanding(), 0u);
  EXPECT_TRUE(take(0));
  EXPECT_EQ(ring.Post(Linear(0x1000, 8)).reason(), Reason::transfer_aborted);
  EXPECT_TRUE(ring.Stop().ok());
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlIo, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
