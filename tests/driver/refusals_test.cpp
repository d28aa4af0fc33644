// What calls refuse, and that a refusal changes nothing: helpers, lists, rings, frames, streams,
// pools, profiling, tickets.
#include <array>

#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBus = 0x4000'0000;

class RefusalTest : public DriverTest {
 protected:
  using Pool = MemoryPool<64, 8>;
  const Capabilities& build() { return device.build(); }
  // The number of a descriptor that is written.
  uint32_t Written() {
    WriteDescriptor(device, 3, Descriptor());
    return 3;
  }
  // Nothing is left of the pool.
  void TakeAll() {
    while (pool.Take().ok()) {
    }
  }

  alignas(64) uint8_t storage[4096] = {};
  Pool memory_pool{storage, sizeof(storage), kBus};
};

// ---- Shapes

TEST_F(RefusalTest, ShapesOfNothing) {
  EXPECT_EQ(Copy(0, 0, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Window2d(0, 0, 4, 8, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Window2d(0, 4, 0, 8, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Transpose(0, 0, 4, 8, 1, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Transpose(0, 4, 0, 8, 1, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Transpose(0, 4, 4, 8, 3, build()).status.reason(), Reason::element_size);
  EXPECT_EQ(Interleave(0, 0, 4, 8, 1, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Interleave(0, 2, 0, 8, 1, build()).status.reason(), Reason::zero_size);
  EXPECT_EQ(Interleave(0, 2, 4, 8, 3, build()).status.reason(), Reason::element_size);
  const uint64_t addresses[2] = {0, 64};
  Descriptor list[2];
  EXPECT_EQ(Rows(addresses, 2, 0, Direction::kToStream, build(), list).reason(), Reason::zero_size);
  EXPECT_EQ(Rows(nullptr, 0, 4, Direction::kToStream, build(), list).reason(), Reason::zero_size);
  Capabilities narrow = build();
  narrow.address_bits = 32;
  const uint64_t far[2] = {0, uint64_t{1} << 32};
  EXPECT_EQ(Rows(far, 2, 8, Direction::kToStream, narrow, list), Status(Reason::base_range, 1));
}

TEST_F(RefusalTest, HalosOfImagesThatAreNone) {
  struct Shape {
    uint32_t width = 8, height = 8, tile_width = 4, tile_height = 4, halo = 1, element = 1;
  };
  const auto reason = [&](auto change) {
    Shape s;
    change(s);
    return Halo(0, s.width, s.height, s.tile_width, s.tile_height, s.halo, s.element, build())
        .status.reason();
  };
  constexpr uint32_t kBig = (1u << 24) + 1;
  EXPECT_EQ(reason([](Shape&) {}), Reason::none);
  for (uint32_t Shape::*field :
       {&Shape::width, &Shape::height, &Shape::tile_width, &Shape::tile_height}) {
    EXPECT_EQ(reason([&](Shape& s) { s.*field = 0; }), Reason::image_size);
    EXPECT_EQ(reason([&](Shape& s) { s.*field = kBig; }), Reason::image_size);
  }
  EXPECT_EQ(reason([](Shape& s) { s.halo = kBig; }), Reason::image_size);
  for (const uint32_t element : {0u, 3u, 128u, 0x20000001u}) {  // 8 times the last one is 8
    EXPECT_NE(reason([&](Shape& s) { s.element = element; }), Reason::none) << element;
  }
}

TEST_F(RefusalTest, ConvolutionsThatAreNone) {
  const auto reason = [&](auto change, uint32_t element = 1) {
    ConvolutionShape s{.width = 8, .height = 8, .kernel_width = 3, .kernel_height = 3};
    change(s);
    return Im2col(0, s, element, build()).status.reason();
  };
  using S = ConvolutionShape;
  constexpr uint32_t kBig = (1u << 24) + 1;
  EXPECT_EQ(reason([](S&) {}), Reason::none);
  for (uint32_t S::*field : {&S::width, &S::height, &S::channels, &S::kernel_width,
                             &S::kernel_height, &S::stride_x, &S::stride_y}) {
    EXPECT_EQ(reason([&](S& s) { s.*field = 0; }), Reason::image_size);
  }
  for (uint32_t S::*field :
       {&S::width, &S::height, &S::pad_x, &S::pad_y, &S::stride_x, &S::stride_y}) {
    EXPECT_EQ(reason([&](S& s) { s.*field = kBig; }), Reason::image_size);
  }
  EXPECT_EQ(reason([](S& s) { s.kernel_width = 9; }), Reason::image_size);
  EXPECT_EQ(reason([](S& s) { s.kernel_height = 9; }), Reason::image_size);
  EXPECT_EQ(reason([](S& s) { s.kernel_height = 9, s.pad_y = 1; }), Reason::none);
  EXPECT_NE(reason([](S&) {}, 0x20000001u), Reason::none);
}

// ---- Lists and rings

TEST_F(RefusalTest, ListsThatTheHardwareCouldNotRead) {
  alignas(64) static uint32_t places[16 * 4];
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(reader);
  EXPECT_EQ(array.Start().status.reason(), Reason::not_configured);
  EXPECT_EQ(array.Await().status.reason(), Reason::not_configured);
  EXPECT_EQ(array.Configure(places, kBus, list, 0), Status(Reason::list_count, 0));
  EXPECT_EQ(array.Configure(places + 1, kBus, list, 2).reason(), Reason::list_base);
  const std::array<Descriptor, 2> silent = {Descriptor(), Descriptor().NoRecord()};
  EXPECT_EQ(array.Configure(places, kBus, silent.data(), 2), Status(Reason::record_needed, 1));
  const std::array<Descriptor, 2> bad = {Descriptor(), Descriptor().Element(9)};
  EXPECT_EQ(array.Configure(places, kBus, bad.data(), 2), Status(Reason::element_size, 1));
  std::vector<Descriptor> many(0x10001);
  EXPECT_EQ(array.Configure(places, kBus, many.data(), 0x10001), Status(Reason::list_count, 0));
  many[300].Element(9);
  EXPECT_EQ(array.Configure(places, kBus, many.data(), 0xffff).index(), 300);
  MockChannel closed(device, Direction::kToStream, 1);
  EXPECT_EQ(DescriptorArray<MockChannel>(closed).Configure(places, kBus, list, 2).reason(),
            Reason::not_configured);
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  EXPECT_EQ(array.Start(0).status.reason(), Reason::repeat_range);
  EXPECT_EQ(array.Start(0x10001).status.reason(), Reason::repeat_range);
  const TaskOptions options{.repeats = 3, .token = true, .paced = true};
  ASSERT_TRUE(array.Start(options).ok());
  EXPECT_EQ(Writes().back().value, registers::channel::Task::kFromListMask |
                                       registers::Bits<registers::channel::Task::kRepeatsMask>(2) |
                                       registers::channel::Task::kTokenMask |
                                       registers::channel::Task::kPacedMask);
}

TEST_F(RefusalTest, AnArrayThatRunsIsNotChanged) {
  alignas(64) static uint32_t places[16 * 4];
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(reader), other(reader);
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  mock.Freeze(0);
  ASSERT_TRUE(array.Start().ok());
  const size_t before = Writes().size();
  EXPECT_EQ(array.Configure(places, kBus, list, 2).reason(), Reason::task_running);
  EXPECT_EQ(Writes().size(), before);
  mock.Freeze(0, false);
  for (int n = 0; n < 4; ++n) mock.Step();  // the list is in hand, and its tail is where it began
  mock.ClearLog();
  EXPECT_EQ(other.Configure(places, kBus, list, 2).reason(), Reason::task_running);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(reader.Reset().ok());
}

// A list that waits in the queue is the one that was started.
TEST_F(RefusalTest, AListThatWaitsIsNotReplaced) {
  alignas(64) static uint32_t places[16 * 8];
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(reader), other(reader);
  DescriptorRing<MockChannel> ring(reader);
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, build())).ok());
  ASSERT_TRUE(reader.SetTrigger(TriggerSource::Software(0)).ok());
  ASSERT_TRUE(task.Start({.trigger = true}).ok());
  ASSERT_TRUE(array.Start().ok());
  mock.ClearLog();
  EXPECT_EQ(other.Configure(places + 64, kBus + 256, list, 2).reason(), Reason::task_running);
  EXPECT_EQ(ring.Start(places + 64, kBus + 256, 4).reason(), Reason::task_running);
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(reader.Abort().ok());
  ASSERT_TRUE(task.Free().ok());
  // The registers hold the list that was configured last, and nobody starts it for his own.
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  ASSERT_TRUE(other.Configure(places + 64, kBus + 256, list, 2).ok());
  mock.ClearLog();
  EXPECT_EQ(array.Start().status.reason(), Reason::not_configured);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(other.Start().ok());
  ASSERT_TRUE(reader.Abort().ok());
  EXPECT_EQ(other.Await().status.reason(), Reason::transfer_aborted);
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  for (int n = 0; n < 40; ++n) {  // more starts than tickets
    ASSERT_TRUE(array.Start().ok()) << n;
    ASSERT_TRUE(reader.Abort().ok());
  }
}

TEST_F(RefusalTest, ARingWhoseTaskHasEndedSaysSo) {
  alignas(64) static uint32_t places[16 * 4];
  DescriptorRing<MockChannel> ring(reader);
  for (const bool reset : {false, true}) {
    ASSERT_TRUE(ring.Start(places, kBus, 4).ok());
    mock.Freeze(0);
    ASSERT_TRUE(ring.Post(Descriptor()).ok());
    mock.Freeze(0, false);
    ASSERT_TRUE((reset ? reader.Reset() : reader.Abort()).ok());
    mock.ClearLog();
    EXPECT_EQ(ring.Post(Descriptor()).reason(), Reason::transfer_aborted);
    EXPECT_TRUE(mock.log().empty());
    ASSERT_TRUE(ring.Stop().ok());
  }
  // The device cannot load what lies there.
  for (uint64_t n = 0; n < sizeof(places); ++n) mock.memory().Write(kBus + n, 0);
  ASSERT_TRUE(ring.Start(places, kBus, 4).ok());
  ASSERT_TRUE(ring.Post(Descriptor()).ok());
  for (int n = 0; n < 10; ++n) mock.Step();
  ASSERT_NE(reader.StatusWord() & registers::channel::Status::kHaltedMask, 0u);
  Status status;
  for (int n = 0; n < 5 && status.ok(); ++n) status = ring.Post(Descriptor());
  EXPECT_EQ(status.reason(), Reason::channel_halted);
  EXPECT_TRUE(reader.Reset().ok());
  EXPECT_TRUE(ring.Stop().ok());
}

// A device whose addresses have 40 bits, and a channel of it.
struct Narrow {
  static mock::Config Config() {
    mock::Config config;
    config.address_bits = 40;
    return config;
  }
  explicit Narrow(Direction direction)
      : mock(Config()), bus(mock), device(bus), channel(device, direction, 0) {
    EXPECT_TRUE(device.Open().ok());
    EXPECT_TRUE(channel.Open().ok());
  }
  MockDevice mock;
  MockBus bus;
  Device<MockBus> device;
  MockChannel channel;
};

TEST_F(RefusalTest, AddressesOfAListBeyondTheBus) {
  Narrow narrow(Direction::kFromStream);
  alignas(64) static uint32_t places[16 * 4];
  DescriptorRing<MockChannel> ring(narrow.channel);
  EXPECT_EQ(ring.Start(places, uint64_t{1} << 40, 4).reason(), Reason::list_base);
  EXPECT_TRUE(ring.Start(places, uint64_t{1} << 39, 4).ok());
  EXPECT_TRUE(ring.Stop().ok());
}

TEST_F(RefusalTest, RingsWithWrongEntries) {
  alignas(64) static uint32_t places[16 * 4], entries[4 * 4];
  DescriptorRing<MockChannel> ring(reader);
  RingEntry entry;
  EXPECT_FALSE(ring.Take(entry));
  EXPECT_EQ(ring.Stop().reason(), Reason::not_configured);
  EXPECT_EQ(ring.Start(places, kBus, 4, nullptr, kBus).reason(), Reason::null_buffer);
  EXPECT_EQ(ring.Start(places, kBus, 4, entries, kBus + 8).reason(), Reason::list_base);
  EXPECT_EQ(ring.Start(places, kBus, 0x10000, entries, kBus).reason(), Reason::list_count);
  EXPECT_EQ(ring.Start(places, kBus, 1, entries, kBus).reason(), Reason::list_count);
  EXPECT_TRUE(Writes().empty());
  ASSERT_TRUE(ring.Start(places, kBus, 4, entries, kBus + 0x1000, 2).ok());
  EXPECT_EQ(ring.Start(places, kBus, 4, entries, kBus + 0x1000).reason(), Reason::task_running);
  EXPECT_FALSE(ring.Take(entry));
  // Four entries that nobody has taken are as many as there are places.
  const auto share = [&] {
    for (size_t n = 0; n < sizeof(places); ++n)
      mock.memory().Write(kBus + n, reinterpret_cast<const uint8_t*>(places)[n]);
  };
  for (int n = 0; n < 4; ++n) {
    ASSERT_TRUE(ring.Add(Descriptor()).ok()) << n;
    share();
    ring.Ring();
    while (ring.waiting() != 0) reader.Service();
  }
  EXPECT_EQ(ring.Add(Descriptor()).reason(), Reason::ring_full);
  for (uint32_t n = 0; n < 4; ++n) {  // as the device writes them
    entries[4 * n] = 7;
    entries[4 * n + 1] = 100 + n;
    entries[4 * n + 2] = n << 16 | 1;
    entries[4 * n + 3] = 1u << 31 | 1u << 8 | 2;
    ASSERT_TRUE(ring.Take(entry)) << n;
    EXPECT_EQ(entry.bytes, (uint64_t{1} << 32) + 100 + n);
    EXPECT_EQ(entry.place, n);
    EXPECT_EQ(entry.status, 2);
    EXPECT_TRUE(entry.last);
  }
  EXPECT_FALSE(ring.Take(entry));  // of the turn before
  EXPECT_TRUE(ring.Add(Descriptor()).ok());
  mock.Freeze(0);
  EXPECT_EQ(ring.Stop(Timeout::Turns(5)).reason(), Reason::timeout);
  EXPECT_EQ(ring.Stop(Timeout::Turns(5)).reason(), Reason::timeout);  // still to be ended
  mock.Freeze(0, false);
  EXPECT_TRUE(ring.Stop().ok());
}

// ---- Frames

TEST_F(RefusalTest, FramesThatCannotBe) {
  FrameBuffers<MockChannel, 2> frames(writer, pool);
  const uint64_t addresses[2] = {0x1000, 0x2000};
  EXPECT_EQ(frames.Start(addresses, {8, 0, 8}).reason(), Reason::zero_size);
  EXPECT_EQ(frames.Start(addresses, {8, 2, 8}, 63).reason(), Reason::lock_number);
  EXPECT_EQ(frames.Release().reason(), Reason::not_configured);
  EXPECT_TRUE(Writes().empty());
  TakeAll();
  EXPECT_EQ(frames.Start(addresses, {8, 2, 8}).reason(), Reason::no_descriptor);
}

TEST_F(RefusalTest, FramesThatRunKeepTheirLock) {
  FrameBuffers<MockChannel, 2> frames(writer, pool);
  const uint64_t addresses[2] = {0x1000, 0x2000};
  ASSERT_TRUE(frames.Start(addresses, {8, 1, 8}, 3).ok());
  mock.Offer(0, Counting(8));
  for (int n = 0; n < 20; ++n) mock.Step();
  EXPECT_EQ(frames.Next().value, 0u);
  const uint32_t held = mock.lock(3);  // the device has one buffer in hand, the program the other
  EXPECT_LT(held, 2u);
  // A lock of 2 would let the device write the buffer that the program has.
  EXPECT_EQ(frames.Start(addresses, {8, 1, 8}, 3).reason(), Reason::task_running);
  EXPECT_EQ(mock.lock(3), held);
  mock.Freeze(16);
  EXPECT_EQ(frames.Cancel(Timeout::Turns(5)).reason(), Reason::timeout);
  mock.Freeze(16, false);
  EXPECT_TRUE(frames.Cancel().ok());
  ASSERT_TRUE(frames.Start(addresses, {8, 1, 8}).ok());
  EXPECT_EQ(frames.Release().reason(), Reason::not_configured);  // that one has no lock
  EXPECT_TRUE(frames.Cancel().ok());
}

TEST_F(RefusalTest, FramesGoOutToo) {
  FrameBuffers<MockChannel, 2> frames(reader, pool);
  const uint64_t addresses[2] = {0x1000, 0x2000};
  ASSERT_TRUE(frames.Start(addresses, {8, 2, 16}).ok());
  while (frames.done() < 3) mock.Step();
  ASSERT_TRUE(frames.Stop().ok());
  EXPECT_EQ(mock.executed(0)[2].base, 0x1000u);
  EXPECT_EQ(mock.executed(0)[1].count[0] * mock.executed(0)[1].count[1], 16u);
}

// ---- Memory and streams

TEST_F(RefusalTest, PoolsWithoutMemory) {
  MemoryPool<64, 2> none(nullptr, 4096, kBus), tiny(storage + 1, 60, kBus),
      odd(storage + 8, 100, kBus);
  EXPECT_EQ(none.Allocate(1), nullptr);
  EXPECT_EQ(tiny.Allocate(1), nullptr);
  EXPECT_EQ(odd.available(), 0u);  // 44 bytes after the first multiple of 64
  MemoryPool<64, 4> pool4(storage, 256, kBus);
  EXPECT_EQ(pool4.available(), 256u);
  void* a = pool4.Allocate(64);
  void* b = pool4.Allocate(64);
  void* c = pool4.Allocate(64);
  EXPECT_EQ(pool4.available(), 64u);
  // A hole is taken again and split, what comes after it stays; blocks are joined to both sides.
  ASSERT_TRUE(pool4.Free(a).ok());
  ASSERT_TRUE(pool4.Free(b).ok());
  EXPECT_EQ(pool4.Allocate(64), a);
  EXPECT_EQ(pool4.RoomAt(c, 64), 64u);
  ASSERT_TRUE(pool4.Free(a).ok());
  ASSERT_TRUE(pool4.Free(c).ok());
  EXPECT_EQ(pool4.Allocate(256), a);
  EXPECT_TRUE(pool4.Free(a).ok());
  // Between two blocks that are in use nothing is joined.
  a = pool4.Allocate(64);
  b = pool4.Allocate(64);
  c = pool4.Allocate(128);
  ASSERT_TRUE(pool4.Free(b).ok());
  EXPECT_EQ(pool4.available(), 64u);
  EXPECT_EQ(pool4.Allocate(65), nullptr);
  EXPECT_EQ(pool4.Allocate(64), b);
}

TEST_F(RefusalTest, TransfersThatCannotBegin) {
  Gmio<MockChannel, Pool> out(reader, pool, memory_pool);
  void* buffer = gm_malloc(memory_pool, 64);
  EXPECT_EQ(out.ToStream(buffer, size_t{1} << 32).reason(), Reason::row_bytes);
  TakeAll();
  EXPECT_EQ(out.ToStream(buffer, 64).reason(), Reason::no_descriptor);
  Transfers<MockChannel, Pool> raw(reader, pool, memory_pool);
  uintptr_t tag = 0;
  EXPECT_EQ(raw.End(tag).status.reason(), Reason::ticket_unknown);
  pool.Give(4);
  mock.Freeze(0);
  const uint32_t written = Written();
  for (int n = 0; n < 4; ++n) ASSERT_TRUE(reader.PushWord(written).ok());
  EXPECT_EQ(out.ToStreamNb(buffer, 64).reason(), Reason::queue_full);
  EXPECT_EQ(out.pending(), 0u);
  EXPECT_TRUE(reader.Reset(Timeout::Turns(10), true).ok());
}

TEST_F(RefusalTest, MemoryBeyondTheBus) {
  Narrow narrow(Direction::kToStream);
  Pool far(storage, sizeof(storage), uint64_t{1} << 40);
  Gmio<MockChannel, Pool> out(narrow.channel, pool, far);
  EXPECT_EQ(out.ToStream(gm_malloc(far, 64), 64).reason(), Reason::base_range);
}

TEST_F(RefusalTest, StreamsThatCannotBe) {
  MockChannel closed(device, Direction::kToStream, 1);
  Stream<MockChannel, Pool> never(closed, pool, memory_pool);
  EXPECT_EQ(never.Create().reason(), Reason::not_configured);
  Stream<MockChannel, Pool> in(writer, pool, memory_pool);
  void* buffer = gm_malloc(memory_pool, 64);
  StreamCompletion done;
  uint32_t actual = 9;
  EXPECT_EQ(in.Poll(&done, 0, 1, actual).reason(), Reason::stream_closed);
  EXPECT_EQ(actual, 0u);
  ASSERT_TRUE(in.Create().ok());
  EXPECT_EQ(in.Poll(&done, 0, 0, actual).reason(), Reason::poll_range);
  EXPECT_EQ(in.Read(&actual, 4).status.reason(), Reason::outside_pool);
  StreamRequest soon;
  soon.timeout = Timeout::Turns(5);
  EXPECT_EQ(in.Read(buffer, 64, soon).status.reason(), Reason::timeout);
  EXPECT_EQ(in.Release().reason(), Reason::task_running);
  mock.Offer(0, Counting(5));
  ASSERT_TRUE(in.Poll(&done, 1, 1, actual).ok());  // the one that was not waited for
  EXPECT_EQ(done.bytes, 5u);
  EXPECT_TRUE(in.Release().ok());
}

// ---- Profiling

// A unit answers only the question that it is made for.
struct Picky {
  static constexpr uint32_t kUnits = 2;
  Reason Start(uint32_t unit, const ProfileSetup&) { return unit == 0 ? Reason::no_handle : why; }
  uint64_t Read(uint32_t unit) const { return unit; }
  void Stop(uint32_t) {}
  Reason why = Reason::none;
};

TEST_F(RefusalTest, QuestionsThatAreNone) {
  Picky counters;
  Profiler profiler(device, counters);
  const StreamPort a{Direction::kToStream, 0};
  EXPECT_EQ(profiler.Start(a, static_cast<ProfileOption>(4)).status.reason(),
            Reason::option_invalid);
  EXPECT_EQ(
      profiler.Start(a, {Direction::kFromStream, 2}, ProfileOption::kStreamStartDifferenceCycles)
          .status,
      Status(Reason::channel_number, 2));
  counters.why = Reason::no_counters;
  EXPECT_EQ(profiler.Start(a, ProfileOption::kStreamRunningEventCount).status.reason(),
            Reason::no_counters);
  counters.why = Reason::none;
  const auto handle = profiler.Start(a, ProfileOption::kStreamRunningEventCount);
  EXPECT_EQ(profiler.Read(handle.value).value, 1u);
  NoCounters none;
  EXPECT_EQ(none.Start(0, {}), Reason::no_counters);
  EXPECT_EQ(none.Read(0), 0u);
  none.Stop(0);
}

}  // namespace
}  // namespace tessera::driver
