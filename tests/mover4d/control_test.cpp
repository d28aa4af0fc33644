// The HLS register block: host code that starts such kernels works.
#include <fmt/format.h>

#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class ControlTest : public MoverTest {
 protected:
  // A list of one box on the first read channel.
  void Small() {
    Rest();
    GiveList(0, std::vector<Cuboid>{Box(0, {8, 2, 1, 1}, {1, 8, 0, 0})});
  }

  // What software may write and reads back: where, and which bits.
  struct Word {
    uint32_t at, bits;
  };
  std::vector<Word> Words() {
    std::vector<Word> words;
    for (int c = 0; c < config().channels(); ++c) {
      const uint32_t at = mover::Channel(c);
      words.push_back({at + mover::kOptions, 0x13});
      for (const uint32_t limit : {mover::kFirst, mover::kLast}) {
        words.push_back({at + limit, 0xfffff000});
        words.push_back({at + limit + 4, 0xffffffff});
      }
    }
    for (int a = 0; a < 2 * config().channels(); ++a) {
      words.push_back({0x10U + 12 * static_cast<uint32_t>(a), 0xffffffff});
      words.push_back({0x14U + 12 * static_cast<uint32_t>(a), 0xffffffff});
    }
    words.push_back({mover::kGie, 1});
    words.push_back({mover::kIer, 3});
    return words;
  }
};
TESSERA_ALL_MOVERS(ControlTest);

TEST_P(ControlTest, StartDoneIdleReady) {
  Make();
  Small();
  EXPECT_EQ(bench().Get(mover::kControl), mover::kIdle);
  bench().Set(mover::kControl, mover::kStart);
  EXPECT_EQ(bench().Get(mover::kControl), mover::kStart);
  bench().Step(300);
  EXPECT_EQ(bench().Get(mover::kControl), mover::kDone | mover::kIdle | mover::kReady);
  EXPECT_EQ(bench().Get(mover::kControl), mover::kIdle);  // a read clears the others
  EXPECT_FALSE(bench().mover().irq);
}

TEST_P(ControlTest, ArgumentsStandWhereHlsPutsThem) {
  Make();
  for (int a = 0; a < 2 * config().channels(); ++a) {
    const uint32_t at = 0x10 + 12 * static_cast<uint32_t>(a);
    bench().Set(at, 0x1000U + static_cast<uint32_t>(a));
    bench().Set(at + 4, 0x77U + static_cast<uint32_t>(a));
    bench().Set(at + 8, 0xffffffffU);
  }
  for (int a = 0; a < 2 * config().channels(); ++a) {
    const uint32_t at = 0x10 + 12 * static_cast<uint32_t>(a);
    EXPECT_EQ(bench().Get(at), 0x1000U + static_cast<uint32_t>(a));
    EXPECT_EQ(bench().Get(at + 4), 0x77U + static_cast<uint32_t>(a));
    EXPECT_EQ(bench().Get(at + 8), 0U);
  }
  EXPECT_TRUE(bench().Write(0x10, 0xaabbccdd, 0b0101));
  EXPECT_EQ(bench().Get(0x10), 0x00bb10ddU);
  // No address below the build's registers is refused, others are.
  uint32_t value = 1;
  EXPECT_TRUE(bench().Read(0xef8, &value));
  EXPECT_EQ(value, 0U);
  EXPECT_TRUE(bench().Write(0xef8, 1));
  EXPECT_FALSE(bench().Write(mover::kId, 1));
  EXPECT_FALSE(bench().Read(0xf40, &value));
  EXPECT_FALSE(bench().Read(mover::Channel(config().channels()), &value));
  EXPECT_FALSE(bench().Read(mover::Channel(0) + 0x58, &value));
  EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kStatus, 1));
  for (int c = 0; config().ram_words == 0 && c < config().channels(); ++c) {
    EXPECT_FALSE(bench().Read(mover::Channel(c) + mover::kRamData, &value)) << c;
    EXPECT_FALSE(bench().Write(mover::Channel(c) + mover::kRamData, 1)) << c;
  }
}

// Every bit that software may write is kept, by itself and with its neighbours, and the bytes of a
// word are written apart; bits that are not there read 0.
TEST_P(ControlTest, RegistersKeepEveryBit) {
  Make();
  for (const Word& word : Words()) {
    for (const uint32_t pattern : RegisterPatterns()) {
      bench().Set(word.at, pattern);
      EXPECT_EQ(bench().Get(word.at), pattern & word.bits) << fmt::format("at {:#x}", word.at);
    }
    for (uint32_t byte = 0; byte < 4; ++byte) {
      bench().Set(word.at, 0);
      EXPECT_TRUE(bench().Write(word.at, 0xffffffff, static_cast<uint8_t>(1U << byte)));
      EXPECT_EQ(bench().Get(word.at), word.bits & 0xffU << 8 * byte)
          << fmt::format("at {:#x}, byte {}", word.at, byte);
    }
  }
}

TEST_P(ControlTest, AResetTakesBackWhatWasWritten) {
  Make();
  std::vector<uint32_t> before;
  for (const Word& word : Words()) before.push_back(bench().Get(word.at));
  for (const Word& word : Words()) bench().Set(word.at, ~bench().Get(word.at));
  bench().Reset();
  for (size_t n = 0; n < before.size(); ++n) {
    EXPECT_EQ(bench().Get(Words()[n].at), before[n]) << fmt::format("at {:#x}", Words()[n].at);
  }
  EXPECT_EQ(bench().Get(mover::kGie), 0U);
  EXPECT_EQ(bench().Get(mover::kIer), 0U);
}

// Cycles of each run by itself, however many went before.
TEST_P(ControlTest, CyclesAreThoseOfTheLastRun) {
  Make();
  Small();
  bench().Run();
  const uint64_t cycles = bench().Get64(mover::kCycles), begun = Long(0, mover::kBegun);
  EXPECT_GT(begun, 0U);
  EXPECT_GT(cycles, begun);
  for (int n = 0; n < 3; ++n) {
    bench().Step(100);
    EXPECT_LE(bench().Get64(mover::kCycles), cycles + cycles / 2);
    bench().Run();
    EXPECT_LE(Long(0, mover::kBegun), begun + begun / 2);
    EXPECT_LE(bench().Get64(mover::kCycles), cycles + cycles / 2);
  }
}

TEST_P(ControlTest, Interrupts) {
  Make();
  Small();
  bench().Set(mover::kIer, 1);
  bench().Run();
  EXPECT_EQ(bench().Get(mover::kIsr), 1U);
  EXPECT_FALSE(bench().mover().irq);
  bench().Set(mover::kGie, 1);
  bench().Step(3);
  EXPECT_TRUE(bench().mover().irq);
  EXPECT_NE(bench().Get(mover::kControl) & 0x200, 0U);
  bench().Set(mover::kIsr, 1);  // toggles
  bench().Step(3);
  EXPECT_FALSE(bench().mover().irq);
  bench().Set(mover::kIsr, 2);
  EXPECT_EQ(bench().Get(mover::kIsr), 2U);
  bench().Set(mover::kIsr, 2);
  bench().Set(mover::kIer, 2);
  bench().Run();
  EXPECT_EQ(bench().Get(mover::kIsr), 2U);
  EXPECT_TRUE(bench().mover().irq);
}

// With automatic restart the list runs again and again, until the bit is taken back.
TEST_P(ControlTest, AutoRestart) {
  Make();
  Small();
  const size_t beats = Sent(Transfers(std::vector<Cuboid>{Box(0, {8, 2, 1, 1}, {1, 8, 0, 0})},
                                      DataAt(0), element(), MoverLast::kNever))
                           .size();
  bench().Set(mover::kControl, mover::kStart | mover::kAutoRestart);
  ASSERT_TRUE(bench().Until([&] { return bench().sink(0).beats().size() >= 5 * beats; }, 5000));
  bench().Set(mover::kControl, 0);
  bench().Wait();
  const size_t all = bench().sink(0).beats().size();
  EXPECT_EQ(all % beats, 0U);
  EXPECT_LE(all, 7 * beats);
  bench().Step(500);
  EXPECT_EQ(bench().sink(0).beats().size(), all);
}

// Whenever it is written, automatic restart goes on, and nobody can write options between the runs.
TEST_P(ControlTest, AutoRestartInEveryCycleOfARun) {
  Make();
  Small();
  bench().Run();
  const auto cycles = static_cast<int>(bench().Get64(mover::kCycles)) + 10;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    bench().Set(mover::kControl, mover::kStart);
    bench().Step(cycle);
    bench().Set(mover::kControl, mover::kStart | mover::kAutoRestart);
    const size_t beats = bench().sink(0).beats().size();
    bench().Step(2 * cycles);
    EXPECT_GT(bench().sink(0).beats().size(), beats) << cycle;
    EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kOptions, 1)) << cycle;
    bench().Step(cycle);
    EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kOptions, 1)) << cycle;
    bench().Set(mover::kControl, 0);
    bench().Wait();
  }
}

// Pointers may be written for the next run while one goes on; options may not.
TEST_P(ControlTest, WritesDuringARun) {
  Make();
  Rest();
  const std::vector<Cuboid> list = {Box(0, {8, 20, 1, 1}, {1, 8, 0, 0}),
                                    Box(400, {8, 20, 1, 1}, {1, 8, 0, 0})};
  GiveList(0, list);
  bench().Set(mover::kControl, mover::kStart);
  bench().SetBase(0, 0);
  bench().SetList(0, 0xdead0);
  EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kOptions, 1));
  EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kFirst, 1));
  bench().Wait();
  ExpectBeats(bench().sink(0), Sent(Transfers(list, DataAt(0), element(), MoverLast::kNever)));
  EXPECT_TRUE(bench().Write(mover::Channel(0) + mover::kOptions, 1));
}

}  // namespace
}  // namespace tessera
