// Kernels with a RAM of their own: what host code writes is read back, sent, and compared with.
#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class RamTest : public MoverTest {
 protected:
  uint32_t Place(int channel) const { return mover::Channel(channel) + mover::kRamPlace; }
  uint32_t Data(int channel) const { return mover::Channel(channel) + mover::kRamData; }
  size_t bytes() { return static_cast<size_t>(config().ram_words * config().channel.stream_bytes); }
  size_t words() { return bytes() / 4; }

  // Random contents for a channel, written from the first word on.
  std::vector<uint8_t> Fill(int channel, uint64_t seed) {
    Rng rng(seed);
    std::vector<uint8_t> contents(bytes());
    for (uint8_t& byte : contents) byte = static_cast<uint8_t>(rng());
    bench().Set(Place(channel), 0);
    for (size_t n = 0; n < words(); ++n) bench().Set(Data(channel), Word(contents, n));
    return contents;
  }
  static uint32_t Word(const std::vector<uint8_t>& contents, size_t n) {
    uint32_t word = 0;
    for (size_t b = 4; b-- > 0;) word = word << 8 | contents[4 * n + b];
    return word;
  }
  // The size is the first argument.
  void SetSize(int channel, uint64_t size) {
    bench().Set64(mover::kArguments + 24 * static_cast<uint32_t>(channel), size);
  }
};
class RamSendTest : public RamTest {};
class RamCheckTest : public RamTest {};
TESSERA_MOVER_SUITE(RamTest, Built({"ram", "check_ram"}));
TESSERA_MOVER_SUITE(RamSendTest, Built({"ram"}));
TESSERA_MOVER_SUITE(RamCheckTest, Built({"check_ram"}));

TEST_P(RamTest, TellsItsDepth) {
  Make();
  EXPECT_EQ(bench().Get(mover::kDepth), static_cast<uint32_t>(config().ram_words));
  EXPECT_EQ(bench().Get(mover::kCapabilities) >> 12 & 15, config().check ? 7U : 4U);
}

TEST_P(RamTest, HoldsWhatIsWritten) {
  Make();
  std::vector<std::vector<uint8_t>> contents;
  for (int c = 0; c < config().channels(); ++c)
    contents.push_back(Fill(c, 3 + static_cast<uint64_t>(c)));
  for (int c = 0; c < config().channels(); ++c) {
    EXPECT_EQ(bench().Get(Place(c)), 0U);  // behind the last word comes the first
    for (size_t n = 0; n < words() + 2; ++n) {
      ASSERT_EQ(bench().Get(Data(c)), Word(contents[static_cast<size_t>(c)], n % words())) << n;
    }
    EXPECT_EQ(bench().Get(Place(c)), 2U);
    for (size_t n = words(); n-- > 0;) {  // any place, and a read of it does not move it
      bench().Set(Place(c), static_cast<uint32_t>(n));
      EXPECT_EQ(bench().Get(Place(c)), n);
      ASSERT_EQ(bench().Get(Data(c)), Word(contents[static_cast<size_t>(c)], n)) << n;
    }
  }
}

TEST_P(RamTest, WritesBytes) {
  Make();
  const int c = config().channels() - 1;
  const std::vector<uint8_t> contents = Fill(c, 9);
  bench().Set(Place(c), 1);
  ASSERT_TRUE(bench().Write(Data(c), 0xd4c3b2a1, 0b0000));  // nor does it go on
  ASSERT_TRUE(bench().Write(Data(c), 0xd4c3b2a1, 0b0110));
  ASSERT_TRUE(bench().Write(Data(c), 0xd4c3b2a1, 0b1000));
  bench().Set(Place(c), 0);
  EXPECT_EQ(bench().Get(Data(c)), Word(contents, 0));
  EXPECT_EQ(bench().Get(Data(c)), (Word(contents, 1) & 0xff0000ff) | 0x00c3b200);
  EXPECT_EQ(bench().Get(Data(c)), (Word(contents, 2) & 0x00ffffff) | 0xd4000000);
  EXPECT_EQ(bench().Get(Data(c)), Word(contents, 3));
  ASSERT_TRUE(bench().Write(Place(c), 0xffffff05, 0b0001));
  EXPECT_EQ(bench().Get(Place(c)), 5U);
}

// Places behind the RAM hold nothing.
TEST_P(RamTest, EndsWhereItEnds) {
  Make();
  const std::vector<uint8_t> contents = Fill(0, 4);
  for (const uint32_t place :
       {static_cast<uint32_t>(words()), static_cast<uint32_t>(2 * words()), 0xffffffU, 0x10000U}) {
    bench().Set(Place(0), place);
    uint32_t value = 0;
    EXPECT_FALSE(bench().Write(Data(0), 1)) << place;
    EXPECT_FALSE(bench().Read(Data(0), &value)) << place;
    EXPECT_EQ(bench().Get(Place(0)), place);
  }
  bench().Set(Place(0), 0);
  for (size_t n = 0; n < words(); ++n) EXPECT_EQ(bench().Get(Data(0)), Word(contents, n));
}

// While the kernel runs the RAM is the channel's; afterwards it is as it was, place and all.
TEST_P(RamTest, RestsDuringARun) {
  Make();
  const std::vector<uint8_t> contents = Fill(0, 5);
  const auto stream = static_cast<size_t>(config().channel.stream_bytes);
  bench().Set(Place(0), 3);
  for (int c = 0; c < config().channels(); ++c) SetSize(c, c == 0 ? 4000 : 0);
  bench().Set(mover::kControl, mover::kStart);
  uint32_t value = 0;
  EXPECT_FALSE(bench().Read(Data(0), &value));
  EXPECT_FALSE(bench().Write(Data(0), 0));
  EXPECT_FALSE(bench().Write(Place(0), 0));
  EXPECT_EQ(bench().Get(Place(0)), 3U);
  std::vector<uint8_t> data;
  for (size_t n = 0; n < (4000 + stream - 1) / stream * stream; ++n)
    data.push_back(contents[n % bytes()]);
  if (config().check) bench().source(0).Push(data, PieceEnd::kBeat);
  while (!bench().Read(Data(0), &value)) bench().Step();  // as early as it can be
  EXPECT_EQ(value, Word(contents, 3));
  EXPECT_EQ(bench().Get(mover::kControl) & mover::kIdle, mover::kIdle);
  EXPECT_EQ(bench().Get(Data(0)), Word(contents, 4));
  EXPECT_EQ(Register(0, mover::kResult), config().check ? 1U : 0U);
}

TEST_P(RamSendTest, SendsItsContents) {
  for (const bool slow : {false, true}) {
    MoverBenchOptions options;
    if (slow) options.sink.pacer = PacerSpec::Parse("bursts=1-3/0-9");
    Make(options);
    size_t seen = 0;
    uint64_t seed = 1;
    for (const uint64_t size : {1, 8, 13, 40, 0, 41, 333}) {
      const std::vector<uint8_t> contents = Fill(0, seed++);
      SetSize(0, size);
      bench().SetOptions(0, size == 13 ? MoverLast::kList : MoverLast::kNever);
      const uint64_t packets = bench().sink(0).packets_taken();
      bench().Run();
      EXPECT_EQ(Error(0), 0U);
      EXPECT_EQ(Long(0, mover::kBytes), size);
      EXPECT_EQ(bench().sink(0).packets_taken() - packets, size == 13 ? 1U : 0U);
      ASSERT_EQ(bench().sink(0).bytes().size() - seen, size);
      for (uint64_t n = 0; n < size; ++n) {
        ASSERT_EQ(bench().sink(0).bytes()[seen + n], contents[n % bytes()]) << n << " of " << size;
      }
      seen += size;
    }
  }
}

// A beat a cycle when nobody holds it up.
TEST_P(RamSendTest, ABeatACycle) {
  Make();
  Fill(0, 2);
  SetSize(0, 8000);
  bench().Run();
  EXPECT_EQ(Long(0, mover::kEnded) - Long(0, mover::kBegun), 1000U);
}

TEST_P(RamCheckTest, ComparesWithItsContents) {
  Make();
  const auto stream = static_cast<size_t>(config().channel.stream_bytes);
  for (const size_t wrong : {size_t{1000}, size_t{0}, size_t{45}, size_t{98}, size_t{99}}) {
    uint64_t sizes[2] = {99, 21};
    for (int c = 0; c < 2; ++c) {
      const std::vector<uint8_t> contents = Fill(c, wrong + static_cast<uint64_t>(c));
      const size_t beats = (sizes[c] + stream - 1) / stream;
      std::vector<uint8_t> data;
      for (size_t n = 0; n < beats * stream; ++n) data.push_back(contents[n % bytes()]);
      if (c == 0 && wrong < data.size()) data[wrong] ^= 4;
      SetSize(c, sizes[c]);
      bench().source(c).Push(data, PieceEnd::kBeat);
    }
    bench().Run();
    const bool fails = wrong < 99;  // byte 99 lies behind the size
    EXPECT_EQ(Register(0, mover::kResult), fails ? 0U : 1U);
    EXPECT_EQ(Register(0, mover::kMismatches), fails ? 1U : 0U);
    EXPECT_EQ(Long(0, mover::kMismatch), fails ? wrong / stream * stream : ~uint64_t{0});
    EXPECT_EQ(Register(1, mover::kResult), 1U);
  }
}

}  // namespace
}  // namespace tessera
