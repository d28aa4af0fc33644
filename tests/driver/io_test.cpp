// Memory pool, caches, GMIO, streams, frame buffers, rings, profiling.
#include <cstring>

#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBus = 0x4000'0000;

TEST(MemoryPool, BlocksAreAlignedAndDoNotOverlap) {
  alignas(64) static uint8_t memory[4096];
  MemoryPool<64, 8> pool(memory + 8, sizeof(memory) - 8, kBus + 8);
  EXPECT_EQ(pool.available(), 4096u - 64);
  void* a = gm_malloc(pool, 1);
  void* b = gm_malloc(pool, 65);
  ASSERT_NE(a, nullptr);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
  EXPECT_EQ(static_cast<uint8_t*>(b) - static_cast<uint8_t*>(a), 64);
  EXPECT_EQ(pool.BusAddress(a), kBus + 64);
  EXPECT_EQ(pool.RoomAt(b, 65), 65u);
  EXPECT_EQ(pool.RoomAt(b, 66), 0u);
  EXPECT_EQ(pool.RoomAt(static_cast<uint8_t*>(b) + 60, 5), 5u);
  EXPECT_EQ(pool.RoomAt(static_cast<uint8_t*>(a) + 1, 1), 0u);
  EXPECT_EQ(pool.Allocate(0), nullptr);
  EXPECT_EQ(pool.Allocate(8192), nullptr);
  EXPECT_EQ(pool.Allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(pool.Free(static_cast<uint8_t*>(a) + 64 * 3).reason(), Reason::outside_pool);
  EXPECT_EQ(gm_free(pool, nullptr).reason(), Reason::null_buffer);
  EXPECT_TRUE(gm_free(pool, a).ok());
  EXPECT_EQ(gm_free(pool, a).reason(), Reason::outside_pool);
  EXPECT_TRUE(gm_free(pool, b).ok());
  EXPECT_EQ(pool.Allocate(4096 - 64), a);  // neighbours were joined
}

TEST(MemoryPool, ATableThatIsFullSplitsNoBlock) {
  alignas(64) static uint8_t memory[1024];
  MemoryPool<64, 3> pool(memory, sizeof(memory), 0);
  void* a = pool.Allocate(64);
  void* b = pool.Allocate(64);
  EXPECT_NE(b, nullptr);
  EXPECT_EQ(pool.Allocate(64), nullptr);   // would need a fourth block
  EXPECT_NE(pool.Allocate(896), nullptr);  // takes what is left as it is
  EXPECT_TRUE(pool.Free(a).ok());
  EXPECT_EQ(pool.Allocate(64), a);
}

// A cache that notes what it is asked to do.
struct CacheNote {
  char what;
  uintptr_t address;
  size_t bytes;
};
std::vector<CacheNote>& Notes() {
  static std::vector<CacheNote> notes;
  return notes;
}
struct NotingCache {
  static constexpr uint32_t kLine = 64;
  static void Clean(uintptr_t address, size_t bytes) { Notes().push_back({'C', address, bytes}); }
  static void Invalidate(uintptr_t address, size_t bytes) {
    Notes().push_back({'I', address, bytes});
  }
  static void Flush(uintptr_t address, size_t bytes) { Notes().push_back({'F', address, bytes}); }
};

class IoTest : public DriverTest {
 protected:
  using Pool = MemoryPool<64, 16>;
  // The mock's memory is not the program's: what the program wrote goes there, what the device
  // wrote comes back.
  void ToDevice(const void* memory, size_t bytes) {
    for (size_t n = 0; n < bytes; ++n) {
      mock.memory().Write(memory_pool.BusAddress(memory) + n,
                          static_cast<const uint8_t*>(memory)[n]);
    }
  }
  std::vector<uint8_t> AtDevice(const void* memory, size_t bytes) {
    return Bytes(memory_pool.BusAddress(memory), bytes);
  }
  void SetUp() override { Notes().clear(); }

  alignas(64) uint8_t storage[8192] = {};
  Pool memory_pool{storage, sizeof(storage), kBus};
};

TEST_F(IoTest, CachesAreMaintainedInWholeLines) {
  EXPECT_EQ(BeforeWrite<NotingCache>(0x1008, 64).reason(), Reason::shares_line);
  EXPECT_EQ(BeforeWrite<NotingCache>(0x1000, 65).reason(), Reason::shares_line);
  EXPECT_TRUE(Notes().empty());
  EXPECT_TRUE(BeforeWrite<NotingCache>(0x1000, 128).ok());
  ASSERT_EQ(Notes().size(), 1u);
  EXPECT_EQ(PaddedBytes<NotingCache>(65), 128u);
  EXPECT_TRUE(BeforeWrite<NoCache>(0x1001, 3).ok());
  NoCache::Clean(0x1001, 3);
  NoCache::Flush(0x1001, 3);
  NoCache::Invalidate(0x1001, 3);
  static_assert(NoCache::kLine == 1);
}

TEST(Cache, LinesAtTheEndOfTheAddressSpaceCount) {
  const auto lines = [](uintptr_t address, size_t bytes) {
    std::vector<uintptr_t> at;
    detail::ForEachLine<32>(address, bytes, [&](uintptr_t line) { at.push_back(line); });
    return at;
  };
  const std::vector<uintptr_t> last = lines(~uintptr_t{0} - 4095, 4096);
  ASSERT_EQ(last.size(), 128u);
  EXPECT_EQ(last.front(), ~uintptr_t{0} - 4095);
  EXPECT_EQ(last.back(), ~uintptr_t{0} - 31);
  EXPECT_EQ(lines(~uintptr_t{0}, 1), std::vector<uintptr_t>{~uintptr_t{0} - 31});
  EXPECT_EQ(lines(0x1010, 17), (std::vector<uintptr_t>{0x1000, 0x1020}));
  EXPECT_EQ(lines(0x1010, 16), std::vector<uintptr_t>{0x1000});
  EXPECT_EQ(lines(0x1000, 65), (std::vector<uintptr_t>{0x1000, 0x1020, 0x1040}));
  EXPECT_TRUE(lines(0x1000, 0).empty());
}

TEST_F(IoTest, GmioMovesBuffersBothWays) {
  Gmio<MockChannel, Pool, NotingCache> out(reader, pool, memory_pool);
  Gmio<MockChannel, Pool, NotingCache> in(writer, pool, memory_pool);
  void* buffer = gm_malloc(memory_pool, 100);
  std::memset(buffer, 0x5a, 100);
  ToDevice(buffer, 100);
  ASSERT_TRUE(out.ToStream(buffer, 100).ok());
  EXPECT_EQ(mock.sent_bytes(0), std::vector<uint8_t>(100, 0x5a));
  EXPECT_TRUE(mock.sent(0).back().last);
  ASSERT_EQ(Notes().size(), 1u);
  EXPECT_EQ(Notes()[0].what, 'C');

  Notes().clear();
  mock.Offer(0, Counting(100));
  ASSERT_TRUE(in.FromStreamNb(buffer, 100).ok());
  EXPECT_EQ(in.pending(), 1u);
  ASSERT_TRUE(in.Wait().ok());
  EXPECT_EQ(AtDevice(buffer, 100), Counting(100));
  ASSERT_EQ(Notes().size(), 2u);
  EXPECT_EQ(Notes()[0].what, 'F');
  EXPECT_EQ(Notes()[1].what, 'I');
  EXPECT_EQ(Notes()[1].bytes, 128u);  // whole lines: the rest of the last one is nobody's
  EXPECT_TRUE(out.Release().ok());
  EXPECT_TRUE(in.Release().ok());
  EXPECT_EQ(pool.available(), 16u);
}

TEST_F(IoTest, GmioRefusesWhatIsNotItsOwn) {
  Gmio<MockChannel, Pool, NotingCache> out(reader, pool, memory_pool);
  Gmio<MockChannel, Pool, NotingCache> in(writer, pool, memory_pool);
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory_pool, 200));
  EXPECT_EQ(out.FromStream(buffer, 8).reason(), Reason::wrong_direction);
  EXPECT_EQ(in.ToStream(buffer, 8).reason(), Reason::wrong_direction);
  EXPECT_EQ(out.ToStream(nullptr, 8).reason(), Reason::null_buffer);
  EXPECT_EQ(out.ToStream(buffer, 0).reason(), Reason::zero_size);
  EXPECT_EQ(out.ToStream(buffer, 201).reason(), Reason::outside_pool);
  EXPECT_EQ(out.ToStream(&pool, 8).reason(), Reason::outside_pool);
  // A line that is shared: with what stands before, with what stands behind.
  EXPECT_EQ(in.FromStream(buffer + 8, 64).reason(), Reason::shares_line);
  EXPECT_EQ(in.FromStream(buffer, 65).reason(), Reason::shares_line);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(Notes().empty());
  EXPECT_TRUE(out.ToStream(buffer + 8, 65).ok());  // reading does no harm
  mock.Offer(0, Counting(136));
  EXPECT_TRUE(in.FromStream(buffer + 64, 136).ok());  // up to the end of the block
}

TEST_F(IoTest, ManyAreUnderWayAndErrorsAreTold) {
  Gmio<MockChannel, Pool> out(reader, pool, memory_pool);
  void* buffer = gm_malloc(memory_pool, 64);
  mock.Freeze(0);
  for (int n = 0; n < 4; ++n) EXPECT_TRUE(out.ToStreamNb(buffer, 64).ok());
  EXPECT_EQ(out.ToStreamNb(buffer, 64).reason(), Reason::queue_full);
  EXPECT_EQ(out.Release().reason(), Reason::task_running);
  EXPECT_EQ(out.Wait(Timeout::Turns(5)).reason(), Reason::timeout);
  mock.Freeze(0, false);
  mock.FailNext(0, registers::entry::Status::kSlverrMask);
  EXPECT_EQ(out.Wait().reason(), Reason::transfer_failed);
  EXPECT_EQ(out.pending(), 0u);
  EXPECT_TRUE(out.ToStream(buffer, 64).ok());
}

// The first error of all of them, though some came after a timeout.
TEST_F(IoTest, AnErrorBeforeATimeoutIsToldAtLast) {
  Gmio<MockChannel, Pool> in(writer, pool, memory_pool);
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory_pool, 128));
  ASSERT_TRUE(in.FromStreamNb(buffer, 64).ok());
  ASSERT_TRUE(in.FromStreamNb(buffer + 64, 64).ok());
  mock.FailNext(16, registers::entry::Status::kSlverrMask);
  mock.Offer(0, Counting(64));
  EXPECT_EQ(in.Wait(Timeout::Turns(50)).reason(), Reason::timeout);
  EXPECT_EQ(in.pending(), 1u);
  mock.Offer(0, Counting(64));
  EXPECT_EQ(in.Wait().reason(), Reason::transfer_failed);
  EXPECT_TRUE(in.Wait().ok());  // told once
}

// Three places, used many times over.
TEST_F(IoTest, PlacesOfTransfersAreTakenInTurn) {
  Gmio<MockChannel, Pool, NoCache, 3> out(reader, pool, memory_pool);
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory_pool, 64 * 3));
  for (int n = 0; n < 20; ++n) {
    const int count = 1 + n % 3;
    for (int k = 0; k < count; ++k) ASSERT_TRUE(out.ToStreamNb(buffer + 64 * k, 64).ok());
    EXPECT_EQ(out.pending(), static_cast<uint32_t>(count));
    ASSERT_TRUE(out.Wait().ok());
  }
  EXPECT_EQ(pool.available(), 13u);
}

TEST_F(IoTest, AStreamTellsHowManyBytesItWas) {
  Stream<MockChannel, Pool> in(writer, pool, memory_pool);
  void* buffer = gm_malloc(memory_pool, 64);
  EXPECT_EQ(in.Read(buffer, 64).status.reason(), Reason::stream_closed);
  ASSERT_TRUE(in.Create().ok());
  EXPECT_EQ(in.Create().reason(), Reason::task_running);
  mock.Offer(0, Counting(13));
  const Result<uint64_t> got = in.Read(buffer, 64);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.value, 13u);
  EXPECT_EQ(AtDevice(buffer, 13), Counting(13));
  EXPECT_EQ(in.Write(buffer, 8).status.reason(), Reason::wrong_direction);
  mock.Offer(0, Counting(100));
  EXPECT_EQ(in.Read(buffer, 64).status.reason(),
            Reason::transfer_failed);  // longer than the buffer
  EXPECT_TRUE(in.Release().ok());
  EXPECT_EQ(in.Release().reason(), Reason::stream_closed);
}

TEST_F(IoTest, PollTakesBetweenMinAndMax) {
  Stream<MockChannel, Pool> in(writer, pool, memory_pool);
  ASSERT_TRUE(in.Create().ok());
  auto* buffer = static_cast<uint8_t*>(gm_malloc(memory_pool, 256));
  StreamRequest request;
  request.nonblocking = true;
  for (uintptr_t n = 0; n < 3; ++n) {
    request.tag = 100 + n;
    ASSERT_TRUE(in.Read(buffer + 64 * n, 64, request).ok());
  }
  EXPECT_EQ(in.Read(buffer, 64).status.reason(), Reason::task_running);
  StreamCompletion done[4];
  uint32_t actual = 9;
  EXPECT_EQ(in.Poll(done, 2, 1, actual).reason(), Reason::poll_range);
  EXPECT_EQ(in.Poll(nullptr, 0, 1, actual).reason(), Reason::poll_range);
  mock.Offer(0, Counting(3));
  EXPECT_EQ(in.Poll(done, 2, 4, actual, Timeout::Turns(40)).reason(), Reason::timeout);
  ASSERT_EQ(actual, 1u);
  EXPECT_EQ(done[0].tag, 100u);
  EXPECT_EQ(done[0].bytes, 3u);
  EXPECT_TRUE(done[0].end_of_transfer);
  mock.Offer(0, Counting(64));
  mock.Offer(0, Counting(7));
  EXPECT_TRUE(in.Poll(done, 2, 4, actual).ok());
  ASSERT_EQ(actual, 2u);
  EXPECT_EQ(done[0].tag, 101u);
  EXPECT_EQ(done[0].bytes, 64u);
  EXPECT_EQ(done[1].bytes, 7u);
  EXPECT_EQ(in.Poll(done, 1, 4, actual).reason(), Reason::ticket_unknown);
  EXPECT_TRUE(in.Poll(done, 0, 4, actual).ok());
}

TEST_F(IoTest, FramesThatAreWrongSaySo) {
  FrameBuffers<MockChannel, 2> frames(writer, pool);
  const uint64_t addresses[2] = {0x1000, 0x2000};
  ASSERT_TRUE(frames.Start(addresses, {8, 2, 16}, 1).ok());
  const auto frame = [&](size_t bytes) {
    mock.Offer(0, Counting(bytes));
    for (int n = 0; n < 20; ++n) mock.Step();
  };
  mock.FailNext(16, registers::entry::Status::kSlverrMask);
  frame(16);
  frame(11);
  Result<uint32_t> next = frames.Next();
  EXPECT_EQ(next.value, 0u);
  EXPECT_EQ(next.status.reason(), Reason::transfer_failed);
  EXPECT_EQ(frames.bytes(), 16u);
  next = frames.Next();
  EXPECT_EQ(next.value, 1u);
  EXPECT_EQ(next.status.reason(), Reason::frame_short);
  EXPECT_EQ(frames.bytes(), 11u);
  for (uint32_t n = 0; n < 9; ++n) {
    ASSERT_TRUE(frames.Release().ok());
    frame(16);
    next = n % 2 == 0 ? frames.Next() : frames.Newest();
    EXPECT_EQ(next.value, n % 2);
    EXPECT_TRUE(next.ok()) << n;
    EXPECT_EQ(frames.bytes(), 16u);
  }
  ASSERT_TRUE(frames.Release().ok());
  ASSERT_TRUE(frames.Release().ok());
  frame(16);
  frame(40);  // longer than its buffer
  next = frames.Newest();
  EXPECT_EQ(next.value, 0u);
  EXPECT_EQ(next.status.reason(), Reason::transfer_failed);
  EXPECT_EQ(frames.done(), 13u);
  EXPECT_TRUE(frames.Cancel().ok());
}

// Transfers of another task, whose records nobody has taken, are no frames.
TEST_F(IoTest, FramesAreCountedFromTheirStartOn) {
  Task<MockChannel> task(writer, pool);
  FrameBuffers<MockChannel, 2> frames(writer, pool);
  const uint64_t addresses[2] = {0x1000, 0x2000};
  ASSERT_TRUE(task.Configure(Copy(0x3000, 8, device.build())).ok());
  ASSERT_TRUE(task.Start().ok());
  mock.ClearLog();
  EXPECT_EQ(frames.Start(addresses, {8, 1, 8}).reason(), Reason::task_running);
  for (const Access& write : Writes()) EXPECT_EQ(write.offset, 0x202cu);  // IRQ_STATUS
  mock.Offer(0, Counting(8));
  for (int n = 0; n < 20; ++n) mock.Step();
  ASSERT_TRUE(frames.Start(addresses, {8, 1, 8}).ok());
  EXPECT_EQ(frames.done(), 0u);
  EXPECT_EQ(frames.Next().status.reason(), Reason::timeout);
  EXPECT_TRUE(frames.Cancel().ok());
}

TEST_F(IoTest, ARingIsOneRegisterWriteAnEntry) {
  alignas(64) static uint32_t places[16 * 4];
  DescriptorRing<MockChannel> ring(reader);
  EXPECT_EQ(ring.Post(Descriptor()).reason(), Reason::not_configured);
  EXPECT_EQ(ring.Start(places, kBus + 32, 4).reason(), Reason::list_base);
  EXPECT_EQ(ring.Start(places, kBus, 1).reason(), Reason::list_count);
  EXPECT_EQ(ring.Start(nullptr, kBus, 4).reason(), Reason::null_buffer);
  ASSERT_TRUE(ring.Start(places, kBus, 4).ok());
  EXPECT_EQ(ring.Start(places, kBus, 4).reason(), Reason::task_running);
  const auto share = [&] {
    for (size_t n = 0; n < sizeof(places); ++n) {
      mock.memory().Write(kBus + n, reinterpret_cast<const uint8_t*>(places)[n]);
    }
  };
  Descriptor bounded;
  bounded.Bound(0, 4);
  EXPECT_EQ(ring.Add(bounded).reason(), Reason::list_pitch);
  for (uint32_t n = 0; n < 10; ++n) {
    ASSERT_TRUE(ring.Add(Descriptor().Base(0x1000 + 64 * n).Dim(0, 8, 1)).ok()) << n;
    share();
    mock.ClearLog();
    ring.Ring();
    ASSERT_EQ(mock.log().size(), 2u);
    EXPECT_EQ(mock.log()[0].kind, Access::Kind::kBarrier);
    EXPECT_EQ(mock.log()[1].offset, 0x108cu);
    while (ring.waiting() != 0) reader.Service();
  }
  while (reader.transfers() < 10) reader.Service();
  EXPECT_EQ(mock.executed(0).back().base, 0x1000u + 64 * 9);
  mock.Freeze(0);
  for (int n = 0; n < 3; ++n) EXPECT_TRUE(ring.Post(Descriptor()).ok());
  EXPECT_EQ(ring.Post(Descriptor()).reason(), Reason::ring_full);
  mock.Freeze(0, false);
  EXPECT_TRUE(ring.Stop().ok());
  EXPECT_EQ(reader.outstanding(), 0u);
}

TEST_F(IoTest, ARingKeepsItsCacheLines) {
  alignas(64) static uint32_t places[16 * 4], entries[16];
  DescriptorRing<MockChannel, 64, NotingCache> ring(reader);
  ASSERT_TRUE(ring.Start(places, kBus, 4, entries, kBus + 0x1000).ok());
  ASSERT_EQ(Notes().size(), 1u);  // the entries: cleared, and not in the cache
  EXPECT_EQ(Notes()[0].what, 'F');
  EXPECT_EQ(Notes()[0].bytes, 64u);
  ASSERT_TRUE(ring.Add(Descriptor()).ok());
  EXPECT_EQ(Notes().back().what, 'C');
  EXPECT_EQ(Notes().back().address, reinterpret_cast<uintptr_t>(places));
  RingEntry entry;
  EXPECT_FALSE(ring.Take(entry));
  EXPECT_EQ(Notes().back().what, 'I');
  EXPECT_EQ(Notes().back().address, reinterpret_cast<uintptr_t>(entries));
  // An entry that is there is read from a line that was fetched after it came.
  entries[3] = 1u << 31;
  Notes().clear();
  ASSERT_TRUE(ring.Take(entry));
  ASSERT_EQ(Notes().size(), 2u);
  EXPECT_EQ(Notes()[1].what, 'I');
  EXPECT_EQ(Notes()[1].address, reinterpret_cast<uintptr_t>(entries));
  EXPECT_TRUE(ring.Stop().ok());
  // Entries that share a line with other data.
  Notes().clear();
  EXPECT_EQ(ring.Start(places, kBus, 3, entries, kBus + 0x1000).reason(), Reason::shares_line);
  EXPECT_TRUE(Notes().empty());
}

struct TwoCounters {
  static constexpr uint32_t kUnits = 2;
  Reason Start(uint32_t unit, const ProfileSetup& setup) {
    running[unit] = setup;
    return Reason::none;
  }
  uint64_t Read(uint32_t unit) const { return 1000 + unit; }
  void Stop(uint32_t unit) { stopped |= 1u << unit; }
  ProfileSetup running[2];
  uint32_t stopped = 0;
};

TEST_F(IoTest, ProfilingHandlesRunOut) {
  TwoCounters counters;
  Profiler profiler(device, counters);
  const StreamPort a{Direction::kToStream, 0}, b{Direction::kFromStream, 1};
  const auto beats = ProfileOption::kStreamRunningEventCount;
  const auto difference = ProfileOption::kStreamStartDifferenceCycles;
  EXPECT_EQ(profiler.Start(a, difference).status.reason(), Reason::option_invalid);
  EXPECT_EQ(profiler.Start(a, ProfileOption::kStreamStartToBytesTransferredCycles).status.reason(),
            Reason::option_invalid);
  EXPECT_EQ(profiler.Start(a, a, difference).status.reason(), Reason::option_invalid);
  EXPECT_EQ(profiler.Start(a, b, beats).status.reason(), Reason::option_invalid);
  EXPECT_EQ(profiler.Start({Direction::kToStream, 2}, beats).status,
            Status(Reason::channel_number, 2));
  const Result<ProfileHandle> first = profiler.Start(a, beats);
  const Result<ProfileHandle> second = profiler.Start(a, b, difference);
  EXPECT_EQ(profiler.Start(a, beats).status.reason(), Reason::no_handle);
  EXPECT_EQ(profiler.Start(a, beats).value, kInvalidHandle);
  EXPECT_EQ(profiler.Read(second.value).value, 1001u);
  EXPECT_EQ(counters.running[1].other.channel, 1);
  EXPECT_TRUE(profiler.Stop(first.value).ok());
  EXPECT_EQ(counters.stopped, 1u);
  EXPECT_EQ(profiler.Stop(first.value).reason(), Reason::handle_invalid);
  const Result<ProfileHandle> third = profiler.Start(b, beats);
  EXPECT_TRUE(third.ok());
  EXPECT_NE(third.value, first.value);  // an old handle stays invalid
  EXPECT_EQ(profiler.Read(first.value).status.reason(), Reason::handle_invalid);
  EXPECT_EQ(profiler.Read(kInvalidHandle).status.reason(), Reason::handle_invalid);
  NoCounters none;
  Profiler without(device, none);
  EXPECT_EQ(without.Start(a, beats).status.code(), Code::unsupported);
}

}  // namespace
}  // namespace tessera::driver
