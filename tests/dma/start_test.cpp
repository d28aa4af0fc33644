// The build `started`: channels that run after reset without a register access, and control packets
// without headers. By registers: the driver opens no channel that is at work.
#include <fmt/format.h>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint32_t kIrqRefused = 4;  // of GLOBAL_IRQ_STATUS
constexpr uint32_t kRefused = 8, kOutside = 4;

class Started : public DmaTest {};

TEST_P(Started, ChannelsCopyWithoutSoftware) {
  Proves({"program.start"});
  const DmaBenchOptions options;
  Make(options);
  const auto data = Load(0x1000, 64);
  std::vector<uint8_t> written(64);
  for (size_t n = 0; n < 64; ++n) written[n] = static_cast<uint8_t>(200 - n);
  for (int n = 0; n < 3; ++n) bench().source(0).Push(written, PieceEnd::kLast);
  // The memory was loaded after the first bursts: what counts is that it goes on.
  ASSERT_TRUE(bench().Until([&] { return bench().sink(0).bytes().size() >= 640; }, 4000));
  const auto& bytes = bench().sink(0).bytes();
  EXPECT_TRUE(std::equal(data.begin(), data.end(), bytes.begin() + 512));
  ASSERT_TRUE(
      bench().Until([&] { return bench().memory().ReadByte(0x203f) == written[63]; }, 2000));
  for (uint64_t n = 0; n < 64; ++n) EXPECT_EQ(bench().memory().ReadByte(0x2000 + n), written[n]);
  EXPECT_EQ(Get(kRead, native::kError), 0u);
  EXPECT_EQ(Get(kRead, native::kRecord) >> 31, 0u);
  Set(kRead, native::kControl, 0x20);
  EXPECT_TRUE(WaitStatus(kRead, kBusy, 0));
}

// One of its writes is not legal: software hears of it until a reset, and then again.
TEST_P(Started, AWriteThatIsRefusedIsTold) {
  Proves({"program.start"});
  Make();
  bench().Set(native::kGlobalControl, 2);  // the line
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & kRefused, kRefused);
    EXPECT_FALSE(bench().dma().irq);
    bench().Set(native::kGlobalIrqEnable, kIrqRefused);
    bench().Step(5);
    EXPECT_EQ(bench().Get(native::kGlobalIrqStatus), kIrqRefused);
    EXPECT_TRUE(bench().dma().irq);
    EXPECT_TRUE(bench().Until([&] { return bench().sink(0).bytes().size() >= 128; }, 2000));
    bench().Reset();
    bench().Step(100);
    bench().Set(native::kGlobalControl, 2);
  }
}

TEST_P(Started, AResetStartsThemAgain) {
  Proves({"program.start"});
  Make();
  ASSERT_TRUE(bench().Until([&] { return bench().sink(0).bytes().size() >= 64; }, 2000));
  Set(kRead, native::kControl, 0x20);
  ASSERT_TRUE(WaitStatus(kRead, kBusy, 0));
  bench().Reset();
  const size_t before = bench().sink(0).bytes().size();
  EXPECT_TRUE(bench().Until([&] { return bench().sink(0).bytes().size() >= before + 128; }, 2000));
}

// What it finds at work the driver takes over after a reset of the channel.
TEST_P(Started, TheDriverResetsAChannelBeforeItOpensIt) {
  Proves({"program.start"});
  Make();
  ASSERT_TRUE(bench().Until([&] { return bench().sink(0).bytes().size() >= 64; }, 2000));
  BenchBus bus(&bench());
  driver::Device device(bus);
  ASSERT_TRUE(device.Open().ok());
  driver::Channel<BenchBus> channel(device, driver::Direction::kToStream, 0);
  EXPECT_EQ(channel.Open().reason(), driver::Reason::channel_in_use);
  EXPECT_EQ(channel.Push(0).status.reason(), driver::Reason::not_configured);
  ASSERT_TRUE(channel.Reset().ok());
  ASSERT_TRUE(channel.Open().ok());
  const auto data = Load(0x1400, 100);
  driver::WriteDescriptor(device, 3, driver::Copy(0x1400, 100, device.build()).value);
  bench().Step(200);
  const size_t before = bench().sink(0).bytes().size();
  const driver::Result<uint32_t> ticket = channel.Push(3);
  ASSERT_TRUE(ticket.ok());
  const driver::Result<driver::Completion> done = channel.Wait(ticket.value);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(done.value.bytes, 100u);
  const auto& bytes = bench().sink(0).bytes();
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + static_cast<std::ptrdiff_t>(before), bytes.end()),
            data);
}

TEST_P(Started, PacketsReachIt) {
  Make();
  EXPECT_EQ(bench().Get(0x50), 1u);  // waits for the end of the start program
  bench().control().Push({Sealed(5), Sealed(0x1c), 6});
  bench().control().Push({Sealed(5), Sealed(0x1c | 1 << 22 | 3 << 24)});
  ASSERT_TRUE(bench().Until([&] { return bench().responses().words().size() == 2; }, 1000));
  EXPECT_EQ(bench().responses().words()[0].data, Sealed(3));
  EXPECT_EQ(bench().responses().words()[1].data, 6u);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 0u);
}

// A packet that comes during the start program waits for its end: then it may not reach ID any
// more. Software that asks meanwhile, before it or behind it, gets what it asks for.
TEST_P(Started, APacketWaitsForTheEndOfTheProgram) {
  Proves({"program.start", "packet.window"});
  Make();
  int answered = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const int delay = turn / 2, lead = turn % 2 * 6;
    SCOPED_TRACE(fmt::format("{} cycles after the reset, {} before software", delay, lead));
    bench().Reset();
    const size_t before = bench().responses().words().size();
    bench().Step(delay);
    bench().control().Push({Sealed(5), Sealed(1 << 22 | 5 << 24)});  // reads ID
    bench().Step(lead);
    EXPECT_TRUE(bench().Write(0x20, 2));   // GLOBAL_CONTROL
    EXPECT_TRUE(bench().Write(0x1c, 77));  // SCRATCH
    EXPECT_EQ(bench().Get(0x1c), 77u);
    EXPECT_EQ(bench().Get(0x20), 2u);
    bench().Step(50);
    const auto& words = bench().responses().words();
    if (words.size() == before) {  // it was dropped, or is refused
      EXPECT_EQ(bench().Get(native::kPacketStatus), 0u);
      continue;
    }
    ++answered;
    ASSERT_EQ(words.size(), before + 2);
    EXPECT_EQ(words.back().data, 0u);
    EXPECT_EQ(bench().Get(native::kPacketStatus), kOutside);
  }
  EXPECT_GT(answered, 10);
}

auto StartedDma() {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.start_writes() != 0) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
INSTANTIATE_TEST_SUITE_P(Builds, Started, StartedDma(), DmaName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Started);  // a build folder may have no such build

}  // namespace
}  // namespace tessera
