// Random calls with random arguments: nothing hangs, and nothing is written while the hardware is
// in the wrong state.
#include <random>

#include "tests/driver/drawn.h"
#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

class Fuzz {
 public:
  explicit Fuzz(uint64_t seed) : random_(seed) {
    config_.seed = seed;
    config_.speed = 0.3;
    config_.features &= seed % 3 == 0 ? ~1u : ~0u;  // some builds have no traversal, some no bounds
    config_.features &= seed % 5 == 0 ? ~2u : ~0u;
    config_.address_bits = seed % 2 == 0 ? 40 : 64;
  }

  void Run() {
    MockDevice mock(config_);
    MockBus bus(mock, 2);
    Device device(bus);
    ASSERT_TRUE(device.Open().ok());
    using C = Channel<MockBus, 4>;
    C channels[2] = {C(device, Direction::kToStream, 1), C(device, Direction::kFromStream, 0)};
    for (C& channel : channels) ASSERT_TRUE(channel.Open().ok());
    DescriptorPool pool(config_.descriptors);
    Task<C, 3> tasks[3] = {{channels[0], pool}, {channels[1], pool}, {channels[0], pool}};
    Task<C, 1, true> shadowed[2] = {{channels[1], pool}, {channels[0], pool}};
    std::vector<Descriptor> list(3);
    for (int n = 0; n < 400; ++n) {
      C& channel = channels[Draw(2)];
      auto& task = tasks[Draw(3)];
      auto& shadow = shadowed[Draw(2)];
      switch (Draw(20)) {
        case 0:
        case 1:
        case 2: {
          for (Descriptor& d : list) d = Any();
          (void)task.Configure(list.data(), static_cast<uint32_t>(Draw(5)));
          break;
        }
        case 3:
        case 4:
          (void)shadow.Configure(Any());
          break;
        case 5:
          (void)task.Restart();
          break;
        case 6:
          (void)channel.Collect(static_cast<uint32_t>(Draw(50)));
          break;
        case 7:
          mock.Offer(0, std::vector<uint8_t>(Draw(60) + 1), Draw(3) != 0);
          break;
        case 8:
          (void)channel.Push(static_cast<uint32_t>(config_.descriptors + Draw(9)));
          (void)SetWindow(device, static_cast<Direction>(Draw(2)), static_cast<uint32_t>(Draw(20)),
                          static_cast<uint32_t>(Draw(20)),
                          {Draw(4) << 11, Draw(4) << 11, true, true, Draw(2) == 0});
          break;
        case 9:
          (void)device.Trigger(0);
          if (channel.saw_error()) (void)channel.TakeError();
          if (Draw(8) == 0)
            mock.FailNext(static_cast<uint32_t>(Draw(2)), static_cast<uint32_t>(Draw(4)));
          break;
        case 10:
        case 11:
        case 12:
          drawn_.Call(shadow, device);
          break;
        default:
          drawn_.Call(task, device);
          break;
      }
      ASSERT_TRUE(mock.violations().empty())
          << "seed " << config_.seed << ", call " << n << ": " << mock.violations().front();
      mock.ClearLog();
      mock.ForgetSent(1);
    }
    // However it ended: a reset brings every channel back, and no descriptor is lost.
    for (C& channel : channels) ASSERT_TRUE(channel.Reset(Timeout::Turns(200), true).ok());
    for (auto& task : tasks) ASSERT_TRUE(task.Free().ok());
    for (auto& task : shadowed) ASSERT_TRUE(task.Free().ok());
    EXPECT_EQ(pool.available(), config_.descriptors);
    ASSERT_TRUE(tasks[0].Configure(Copy(0x1000, 8, device.build())).ok());
    for (int n = 0; n < 4; ++n) (void)tasks[0].Start();
    EXPECT_TRUE(mock.violations().empty());
  }

 private:
  uint64_t Draw(uint64_t below) { return random_() % below; }
  Descriptor Any() { return drawn_.Any(); }

  mock::Config config_;
  std::mt19937_64 random_;
  Drawn drawn_{random_};
};

TEST(Fuzz, RandomCallsNeverHangNorWriteAtTheWrongTime) {
  const FuzzSeeds seeds(300);
  for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Fuzz(seed).Run();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tessera::driver
