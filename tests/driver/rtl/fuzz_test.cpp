// Random calls with random arguments on the RTL: no access is refused, no descriptor that Check()
// lets through fails to load, nothing hangs, no transfer leaves its buffer, and a reset brings
// every channel back.
#include <random>

#include "tests/driver/drawn.h"
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

class RtlFuzz : public RtlTest {
 protected:
  using Pool = MemoryPool<64, 16>;
  static constexpr uint64_t kBus = 0x4000'0000;
  static constexpr AddressRange kInto{0x200000, 0x2fffff};  // what descriptors of writes may reach

  void Run(uint64_t seed) {
    std::mt19937_64 random(seed);
    Drawn drawn(random);
    const auto draw = [&](uint64_t below) { return drawn.Draw(below); };
    DmaBenchOptions options;
    options.seed = seed;
    options.memory.latency_max = 1 + static_cast<uint32_t>(draw(20));
    if (draw(3) == 0) options.memory.errors = {ErrorRule::Probability(0.02, kSlvErr)};
    if (draw(2) == 0) options.sink.pacer = PacerSpec::Bursts(1, 8, 1, 150);
    Make(options);
    Bytes storage(8192, 0xa5);
    board().Share(kBus, storage);
    Pool pool(storage.data(), storage.size(), kBus);
    auto* before = static_cast<uint8_t*>(pool.Allocate(64));
    auto* buffer = static_cast<uint8_t*>(pool.Allocate(512));
    auto* behind = static_cast<uint8_t*>(pool.Allocate(64));
    Gmio<BoardChannel, Pool, NoCache, 1> in(writer(), descriptors(), pool);
    using T = Task<BoardChannel, 2>;
    T read(reader(), descriptors()), write(writer(), descriptors());
    std::vector<Descriptor> list(2);
    const auto window = [&](Descriptor d) {  // memory of its own
      const uint64_t base = d.base();
      return draw(4) == 0 ? d : d.Base(0x100000 + base % 4096);
    };
    for (int n = 0; n < 150; ++n) {
      T& task = draw(2) == 0 ? read : write;
      BoardChannel& channel = task.channel();
      switch (draw(14)) {
        case 0:
        case 1:
        case 2:
          for (Descriptor& d : list) d = window(drawn.Any());
          if (&task == &read) (void)task.Configure(list.data(), static_cast<uint32_t>(draw(4)));
          // What write channels do must stay in memory that is there for it.
          if (&task == &write) (void)task.Configure(Into(drawn));
          break;
        case 3:
          board().Send(0, Bytes(draw(60) + 1), draw(3) != 0);
          break;
        case 4:
          (void)in.FromStreamNb(buffer + 64 * draw(3), draw(400));
          (void)in.Wait(drawn.Soon());
          break;
        case 5:
          (void)channel.SetTrigger(static_cast<uint32_t>(draw(130)));
          if (channel.saw_error()) CheckError(channel, n, seed);
          break;
        default:
          drawn.Call(task, device());
          break;
      }
      ASSERT_TRUE(board().refused().empty())
          << "seed " << seed << ", call " << n << ": " << board().refused().front();
    }
    for (BoardChannel* channel : {&reader(), &writer()}) {
      CheckError(*channel, -1, seed);
      ASSERT_TRUE(channel->Reset(Timeout::Turns(5000), true).ok()) << seed;
      EXPECT_EQ(channel->outstanding(), 0u);
    }
    (void)in.Wait(Timeout::Turns(1));
    ASSERT_TRUE(in.Release().ok());
    ASSERT_TRUE(read.Free().ok());
    ASSERT_TRUE(write.Free().ok());
    ASSERT_TRUE(reader().SetTrigger(0).ok() ||
                !Has(registers::global_block::CapFeatures::kTriggersMask));
    const Result<Completion> done = read.Run(Copy(0x5000, 8, build()), Timeout::Turns(3000));
    EXPECT_TRUE(done.ok() || done.status.reason() == Reason::transfer_failed)
        << seed << ": " << Text(done.status);
    for (uint32_t n = 0; n < 64; ++n) {
      ASSERT_EQ(before[n], 0xa5) << "seed " << seed;
      ASSERT_EQ(behind[n], 0xa5) << "seed " << seed;
    }
    const std::vector<AddressRange> allowed = {
        kInto, {pool.BusAddress(buffer), pool.BusAddress(buffer) + 511}};
    for (const AddressRange& range : board().bench().memory().TouchedOutside(allowed)) {
      ADD_FAILURE() << "seed " << seed << ": written outside, from " << range.first << " to "
                    << range.last;
    }
  }

 private:
  // A descriptor for a write channel that stays in kInto.
  Descriptor Into(Drawn& drawn) {
    Descriptor d;
    d.Base(0x280000 + drawn.Draw(1000)).Element(static_cast<uint32_t>(drawn.Draw(3)));
    for (uint32_t dim = 0; dim < 3; ++dim) {
      d.Dim(dim, static_cast<uint32_t>(drawn.Draw(5)),
            static_cast<int64_t>(drawn.Draw(2000)) - 1000);
    }
    if (drawn.Draw(3) == 0) d.FinishOnLast();
    if (drawn.Draw(3) == 0) d.Bound(1, static_cast<uint32_t>(drawn.Draw(4))).Start(1, -1);
    return d;
  }
  void CheckError(BoardChannel& channel, int call, uint64_t seed) {
    const ChannelError error = channel.TakeError();
    EXPECT_EQ(error.bits & 1, 0u) << "seed " << seed << ", call " << call << ": descriptor "
                                  << int{error.descriptor}
                                  << " was not loaded: " << LoadText(error.reason) << " ("
                                  << int{error.reason} << ")";
    EXPECT_EQ(error.bits & (1u << 5 | 1u << 11), 0u) << "seed " << seed << ", call " << call;
  }
};

TEST_P(RtlFuzz, RandomCallsNeverHangNorWriteAtTheWrongTime) {
  const FuzzSeeds seeds(40);
  for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    Run(seed);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlFuzz, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
