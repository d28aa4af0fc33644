// Random calls of GMIO, streams, rings, arrays, frame buffers, profiling and interrupts at once,
// while channels freeze, fail and are reset: nothing hangs, nothing is written while the hardware
// is in the wrong state, no transfer leaves its buffer, and everything can be released in the end.
#include <random>

#include "tests/driver/drawn.h"
#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBus = 0x4000'0000, kFrames = 0x5000'0000, kLists = 0x6000'0000;

// Memory for lists, which the mock has to see.
struct ListPlaces {
  alignas(64) uint32_t words[8 * 48] = {};
};

class IoFuzz {
 public:
  explicit IoFuzz(uint64_t seed) : seed_(seed), random_(seed) {}
  void Run();

 private:
  using C = Channel<MockBus, 8>;
  using Pool = MemoryPool<64, 12>;

  static mock::Config Config(uint64_t seed) {
    mock::Config config;
    config.seed = seed;
    config.speed = 0.4;
    config.reads = config.writes = 4;
    config.descriptors = 24;
    return config;
  }
  uint64_t Draw(uint64_t below) { return random_() % below; }
  Timeout Soon() { return Timeout::Turns(static_cast<uint32_t>(Draw(30))); }
  // A buffer or what is none.
  uint8_t* Buffer() {
    switch (Draw(8)) {
      case 0:
        return nullptr;
      case 1:
        return storage_ + Draw(sizeof(storage_));
      default:
        return buffer_ + 64 * Draw(8);
    }
  }
  size_t Size() { return Draw(5) == 0 ? random_() >> Draw(64) : Draw(600); }
  void Share(const ListPlaces& list, uint64_t at) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(list.words);
    for (size_t n = 0; n < sizeof(list.words); ++n) mock_.memory().Write(at + n, bytes[n]);
  }
  // A descriptor that reads from the buffer.
  Descriptor Reading() {
    Descriptor d;
    d.Base(pool_.BusAddress(buffer_) + Draw(300)).Dim(0, static_cast<uint32_t>(Draw(40)), 1);
    if (Draw(3) == 0) d.Dim(1, 2, 16);
    if (Draw(5) == 0) d.Bound(0, static_cast<uint32_t>(Draw(9)));
    if (Draw(9) == 0) d.NoRecord();
    if (Draw(9) == 0) d.Element(9);
    return d;
  }
  void Move();
  void Lists();
  void Frames();
  void Control();
  void Check();
  void End();

  uint64_t seed_;
  std::mt19937_64 random_;
  MockDevice mock_{Config(seed_)};
  MockBus bus_{mock_, 2};
  Device<MockBus> device_{bus_};
  C out_[4] = {C(device_, Direction::kToStream, 0), C(device_, Direction::kToStream, 1),
               C(device_, Direction::kToStream, 2), C(device_, Direction::kToStream, 3)};
  C in_[4] = {C(device_, Direction::kFromStream, 0), C(device_, Direction::kFromStream, 1),
              C(device_, Direction::kFromStream, 2), C(device_, Direction::kFromStream, 3)};
  DescriptorPool descriptors_{24};
  alignas(64) uint8_t storage_[2048] = {};
  Pool pool_{storage_, sizeof(storage_), kBus};
  uint8_t* before_ = static_cast<uint8_t*>(pool_.Allocate(64));
  uint8_t* buffer_ = static_cast<uint8_t*>(pool_.Allocate(512));
  uint8_t* behind_ = static_cast<uint8_t*>(pool_.Allocate(64));
  Gmio<C, Pool> gmio_out_{out_[0], descriptors_, pool_}, gmio_in_{in_[0], descriptors_, pool_};
  Stream<C, Pool> stream_out_{out_[1], descriptors_, pool_},
      stream_in_{in_[1], descriptors_, pool_};
  DescriptorRing<C, 128> ring_{out_[2]};
  DescriptorArray<C, 192> array_{out_[3]};
  FrameBuffers<C, 2> two_{in_[2], descriptors_};
  FrameBuffers<C, 3> three_{in_[3], descriptors_};
  ServiceRoutine<C, 8> service_{device_};
  ListPlaces ring_places_, array_places_;
};

void IoFuzz::Move() {
  StreamRequest request{.end_of_transfer = Draw(3) != 0,
                        .nonblocking = Draw(2) != 0,
                        .tag = Draw(100),
                        .timeout = Soon()};
  StreamCompletion done[3];
  uint32_t actual = 0;
  auto& stream = Draw(2) == 0 ? stream_out_ : stream_in_;
  switch (Draw(12)) {
    case 0:
      (void)gmio_out_.ToStreamNb(Buffer(), Size());
      break;
    case 1:
      (void)gmio_in_.FromStreamNb(Buffer(), Size());
      break;
    case 2:
      (void)gmio_out_.ToStream(Buffer(), Size(), Soon());
      break;
    case 3:
      (void)gmio_in_.FromStream(Buffer(), Size(), Soon());
      break;
    case 4:
      (void)(Draw(2) == 0 ? gmio_in_ : gmio_out_).Wait(Soon());
      break;
    case 5:
      (void)(Draw(2) == 0 ? gmio_in_ : gmio_out_).Release();
      break;
    case 6:
      (void)stream.Create();
      break;
    case 7:
      (void)stream.Release();
      break;
    case 8:
      (void)stream.Write(Buffer(), Size(), request);
      break;
    case 9:
      (void)stream.Read(Buffer(), Size(), request);
      break;
    default:
      (void)stream.Poll(Draw(9) == 0 ? nullptr : done, static_cast<uint32_t>(Draw(4)),
                        static_cast<uint32_t>(Draw(4)), actual, Soon());
      break;
  }
}

void IoFuzz::Lists() {
  Descriptor list[4] = {Reading(), Reading(), Reading(), Reading()};
  switch (Draw(8)) {
    case 0:
      (void)ring_.Start(Draw(6) == 0 ? nullptr : ring_places_.words,
                        kLists + (Draw(6) == 0 ? 8 : 0), static_cast<uint32_t>(Draw(9)));
      break;
    case 1:
    case 2:
      if (ring_.Add(list[0]).ok()) Share(ring_places_, kLists);
      break;
    case 3:
      if (ring_.Add(list[1]).ok()) {
        Share(ring_places_, kLists);
        ring_.Ring();
      }
      break;
    case 4:
      if (Draw(4) == 0) (void)ring_.Stop(Soon());
      break;
    case 5:
      if (array_
              .Configure(array_places_.words, kLists + 0x10000, list,
                         static_cast<uint32_t>(Draw(5)))
              .ok()) {
        Share(array_places_, kLists + 0x10000);
      }
      break;
    case 6:
      (void)array_.Start(static_cast<uint32_t>(Draw(3)), static_cast<uint32_t>(Draw(3)));
      break;
    default:
      (void)array_.Await(Soon());
      break;
  }
}

void IoFuzz::Frames() {
  const uint64_t addresses[3] = {kFrames, kFrames + 0x1000, kFrames + 0x2000};
  const FrameShape shape{static_cast<uint32_t>(Draw(20)), static_cast<uint32_t>(Draw(4)), 32};
  const auto lock = static_cast<int32_t>(Draw(12)) - 3;
  switch (Draw(7)) {
    case 0:
      (void)two_.Start({addresses[0], addresses[1]}, shape, lock);
      break;
    case 1:
      (void)three_.Start(addresses, shape, lock);
      break;
    case 2:
      (void)two_.Next();
      (void)three_.Newest();
      break;
    case 3:
      (void)(Draw(2) == 0 ? two_.Release() : three_.Release());
      break;
    case 4:
      if (Draw(3) == 0) (void)two_.Stop(Soon());
      break;
    case 5:
      if (Draw(3) == 0) (void)three_.Cancel(Soon());
      break;
    default:
      (void)three_.Next();
      break;
  }
}

void IoFuzz::Control() {
  const auto n = static_cast<uint32_t>(Draw(4));
  C& channel = Draw(2) == 0 ? out_[n] : in_[n];
  const uint32_t index = n + (channel.direction() == Direction::kToStream ? 0 : 16);
  switch (Draw(9)) {
    case 0:
      mock_.Freeze(index);
      break;
    case 1:
      mock_.Freeze(index, false);
      break;
    case 2:
      mock_.FailNext(index, static_cast<uint32_t>(Draw(4)));
      break;
    case 3:
      if (Draw(3) == 0) (void)channel.Reset(Soon(), Draw(2) == 0);
      break;
    case 4:
      (void)channel.EnableInterrupts(static_cast<uint32_t>(Draw(64)));
      device_.EnableInterrupts(Draw(2) == 0);
      break;
    case 5:
      (void)service_.Handle();
      break;
    case 6:
      service_.Poll();
      break;
    case 7:
      if (Draw(4) == 0) (void)channel.Drain(Soon());
      channel.Resume();
      break;
    default:
      mock_.Offer(n, std::vector<uint8_t>(Draw(80) + 1), Draw(4) != 0);
      break;
  }
}

void IoFuzz::Check() {
  ASSERT_TRUE(mock_.violations().empty()) << "seed " << seed_ << ": " << mock_.violations().front();
  // Three blocks of the pool are the program's, what comes behind them is nobody's.
  const uint64_t end = pool_.BusAddress(behind_) + 64;
  mock_.memory().ForEachWritten([&](uint64_t address, uint8_t) {
    const bool list = address >= kLists;  // written by Share()
    const bool frame = address >= kFrames && address < kFrames + 0x2000 + 3 * 32;
    ASSERT_TRUE(list || frame || (address >= kBus && address < end))
        << "seed " << seed_ << ": " << address << " was written";
  });
  for (uint32_t n = 0; n < 2; ++n) {
    for (const model::Transfer& t : mock_.executed(n)) {
      const bool inside = t.base >= kBus && t.base + t.count[0] <= end;
      ASSERT_TRUE(inside) << "seed " << seed_ << ": a read outside";
    }
  }
}

void IoFuzz::End() {
  for (uint32_t n = 0; n < 4; ++n) {
    mock_.Freeze(n, false);
    mock_.Freeze(n + 16, false);
    ASSERT_TRUE(out_[n].Reset(Timeout::Turns(200), true).ok());
    ASSERT_TRUE(in_[n].Reset(Timeout::Turns(200), true).ok());
  }
  (void)gmio_out_.Wait(Timeout::Turns(1));
  (void)gmio_in_.Wait(Timeout::Turns(1));
  StreamCompletion done[8];
  uint32_t actual = 0;
  (void)stream_out_.Poll(done, 0, 8, actual);
  (void)stream_in_.Poll(done, 0, 8, actual);
  (void)ring_.Stop();
  ASSERT_TRUE(gmio_out_.Release().ok());
  ASSERT_TRUE(gmio_in_.Release().ok());
  (void)stream_out_.Create();
  (void)stream_in_.Create();
  ASSERT_TRUE(stream_out_.Release().ok());
  ASSERT_TRUE(stream_in_.Release().ok());
  ASSERT_TRUE(two_.Cancel().ok());
  ASSERT_TRUE(three_.Cancel().ok());
  EXPECT_EQ(descriptors_.available(), 24u) << "seed " << seed_;
  for (uint8_t* block : {before_, buffer_, behind_}) EXPECT_TRUE(pool_.Free(block).ok());
  EXPECT_EQ(pool_.available(), sizeof(storage_));
}

void IoFuzz::Run() {
  ASSERT_TRUE(device_.Open().ok());
  for (uint32_t n = 0; n < 4; ++n) {
    ASSERT_TRUE(out_[n].Open().ok() && in_[n].Open().ok());
    ASSERT_TRUE(service_.Add(out_[n]).ok() && service_.Add(in_[n]).ok());
  }
  for (int n = 0; n < 400; ++n) {
    switch (Draw(5)) {
      case 0:
      case 1:
        Move();
        break;
      case 2:
        Lists();
        break;
      case 3:
        Frames();
        break;
      default:
        Control();
        break;
    }
    ASSERT_TRUE(mock_.violations().empty())
        << "seed " << seed_ << ", call " << n << ": " << mock_.violations().front();
    mock_.ClearLog();
  }
  Check();
  End();
}

TEST(Fuzz, RandomInputAndOutputNeverHangsNorLeavesItsBuffer) {
  const FuzzSeeds seeds(200);
  for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    IoFuzz(seed).Run();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tessera::driver
