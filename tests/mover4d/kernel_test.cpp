// Kernels without lists: load and store of a range, check of a stream against memory.
#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class KernelTest : public MoverTest {
 protected:
  void SetRange(int channel, uint64_t address, uint64_t bytes) {
    bench().SetList(channel, address);
    bench().SetBase(channel, bytes);
  }
  std::vector<uint8_t> Random(uint64_t seed, size_t bytes) {
    Rng rng(seed);
    std::vector<uint8_t> data(bytes);
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng());
    return data;
  }
  size_t lanes() { return static_cast<size_t>(config().channel.stream_bytes); }
};
class RangeTest : public KernelTest {};
class CheckTest : public KernelTest {};
class RomTest : public KernelTest {};
TESSERA_MOVER_SUITE(RangeTest, Built({"ranges"}));
TESSERA_MOVER_SUITE(CheckTest, Built({"check"}));
TESSERA_MOVER_SUITE(RomTest, Built({"rom"}));

// Every size to the byte, at any address: no byte beyond is sent, and the last beat says so.
TEST_P(RangeTest, LoadsBytesExactly) {
  Make();
  size_t seen = 0;
  for (const uint64_t bytes : {1, 3, 4, 5, 63, 64, 65, 1000, 5001, 0}) {
    for (const uint64_t offset : {0, 1, 7}) {
      SetRange(0, DataAt(0) + offset, bytes);
      SetRange(1, DataAt(1), 0);
      const bool ends = offset == 7;
      bench().SetOptions(0, ends ? MoverLast::kList : MoverLast::kNever);
      bench().Run();
      EXPECT_EQ(Error(0), 0U);
      EXPECT_EQ(Long(0, mover::kBytes), bytes);
      ASSERT_EQ(bench().sink(0).bytes().size() - seen, bytes);
      for (uint64_t n = 0; n < bytes; ++n) {
        ASSERT_EQ(bench().sink(0).bytes()[seen + n],
                  bench().memory().ReadByte(DataAt(0) + offset + n));
      }
      seen += bytes;
      if (bytes == 0) continue;
      EXPECT_EQ(bench().sink(0).beats().back().last, ends);
      EXPECT_EQ(bench().sink(0).beats().back().count, (bytes - 1) % lanes() + 1);
    }
  }
}

// What the last beat holds beyond the size is not written, and not taken for the next run.
TEST_P(RangeTest, StoresBytesExactly) {
  Make();
  for (const uint64_t bytes : {1, 2, 4, 7, 64, 129, 1001, 0, 5}) {
    SetRange(0, DataAt(0), 0);
    SetRange(1, DataAt(1) + bytes, bytes);
    const size_t beats = (bytes + lanes() - 1) / lanes();
    const std::vector<uint8_t> data = Random(bytes, beats * lanes());
    bench().source(0).Push(data, PieceEnd::kBeat);
    bench().memory().ClearTouched();
    bench().Run();
    EXPECT_EQ(Error(1), 0U);
    EXPECT_EQ(Long(1, mover::kBytes), bytes);
    ASSERT_EQ(bench().memory().TouchedBytes(), bytes);
    for (uint64_t n = 0; n < bytes; ++n) {
      ASSERT_EQ(bench().memory().ReadByte(DataAt(1) + bytes + n), data[n]) << n << " of " << bytes;
    }
    bench().Step(20);
    EXPECT_TRUE(bench().source(0).empty());
  }
}

// Beats behind the size stay where they are until the next run, also while the memory answers
// slowly.
TEST_P(RangeTest, BeatsBehindTheSizeWaitForTheNextRun) {
  for (const uint32_t latency : {1U, 100U}) {
    MoverBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(latency);
    Make(options);
    SetRange(0, DataAt(0), 0);
    const std::vector<uint8_t> data = Random(latency, 40 * lanes());
    bench().source(0).Push(data, PieceEnd::kBeat);
    uint64_t taken = 0;
    for (const uint64_t beats : {1, 3, 0, 16, 20}) {
      SetRange(1, DataAt(1), beats * lanes());
      bench().Run();
      bench().Step(20);
      EXPECT_EQ(bench().source(0).beats_accepted(), taken + beats);
      for (uint64_t n = 0; n < beats * lanes(); ++n) {
        ASSERT_EQ(bench().memory().ReadByte(DataAt(1) + n), data[taken * lanes() + n]) << n;
      }
      taken += beats;
    }
  }
}

// A store with UseKeep takes the bytes that TKEEP marks, in as many beats as they need.
TEST_P(RangeTest, NullBytesAreNotOfTheSize) {
  MoverBenchOptions options;
  options.source.shape = {.null = 0.2, .sparse_last = 0.5};
  Make(options);
  struct Piece {
    size_t bytes;
    PieceEnd end;
  };
  SetRange(0, DataAt(0), 0);
  for (const auto& [bytes, pieces] : std::initializer_list<std::pair<uint64_t, std::vector<Piece>>>{
           {13,  // the last byte is beyond it
            {{4, PieceEnd::kBeat},
             {2, PieceEnd::kLast},
             {4, PieceEnd::kNullLast},
             {4, PieceEnd::kBeat}}},
           {8, {{7, PieceEnd::kLast}, {1, PieceEnd::kLast}}},
           {3, {{2, PieceEnd::kLast}, {3, PieceEnd::kLast}}},
           {4, {{4, PieceEnd::kBeat}}}}) {
    std::vector<uint8_t> all;
    for (const Piece& piece : pieces) {
      const std::vector<uint8_t> data = Random(all.size() + bytes, piece.bytes);
      all.insert(all.end(), data.begin(), data.end());
      bench().source(0).Push(data, piece.end);
    }
    SetRange(1, DataAt(1) + 1, bytes);
    bench().memory().ClearTouched();
    bench().Run();
    EXPECT_EQ(Error(1), 0U) << bytes;
    EXPECT_EQ(Long(1, mover::kBytes), bytes);
    ASSERT_EQ(bench().memory().TouchedBytes(), bytes);
    for (uint64_t n = 0; n < bytes; ++n)
      ASSERT_EQ(bench().memory().ReadByte(DataAt(1) + 1 + n), all[n]) << n << " of " << bytes;
    bench().Step(20);
    EXPECT_TRUE(bench().source(0).empty()) << bytes;
  }
}

// But for the last one of a packet and of the range a beat is full or null.
TEST_P(RangeTest, APartialBeatWithoutTlastIsAnError) {
  Make();
  const size_t full = lanes();
  for (const auto& [end, error] : {std::pair{PieceEnd::kLast, 0U}, {PieceEnd::kBeat, 9U}}) {
    SetRange(0, DataAt(0), 0);
    SetRange(1, DataAt(1), 2 * full);
    bench().source(0).Push(Random(1, full - 1), end);
    bench().source(0).Push(Random(2, full), PieceEnd::kBeat);
    bench().source(0).Push(Random(3, 1), PieceEnd::kBeat);
    bench().Run();
    EXPECT_EQ(Error(1), error) << NameOf(end);
  }
}

TEST_P(RangeTest, RangesThatCannotBe) {
  Make();
  const uint64_t end = Build().AddressMask() + 1;
  SetRange(1, 0, 0);
  for (const auto& [address, bytes, good] :
       std::initializer_list<std::tuple<uint64_t, uint64_t, bool>>{{end - 16, 16, true},
                                                                   {end - 16, 17, false},
                                                                   {end, 1, false},
                                                                   {16, ~uint64_t{0}, false},
                                                                   {end, 0, true}}) {
    SetRange(0, address, bytes);
    bench().Run();
    EXPECT_EQ(Error(0), good ? 0U : 7U) << address << " " << bytes;
  }
  bench().Set64(mover::Channel(1) + mover::kFirst, DataAt(1));
  bench().Set64(mover::Channel(1) + mover::kLast, DataAt(1));
  SetRange(0, 0, 0);
  for (const auto& [address, bytes] : std::initializer_list<std::pair<uint64_t, uint64_t>>{
           {DataAt(1) - 1, 2}, {DataAt(1), 4097}}) {
    SetRange(1, address, bytes);
    bench().Run();
    EXPECT_EQ(Error(1), 7U);
    EXPECT_EQ(bench().memory().TouchedBytes(), 0U);
  }
}

// All bits of FIRST and LAST count, also those of pages that the build does not have.
TEST_P(RangeTest, WindowsBeyondTheAddressSpace) {
  Make();
  SetRange(1, 0, 0);
  const uint64_t space = Build().AddressMask() + 1;
  for (const auto& [first, last, good] :
       std::initializer_list<std::tuple<uint64_t, uint64_t, bool>>{
           {space, ~uint64_t{0}, false}, {0, space, true}, {space, space, false}}) {
    bench().Set64(mover::Channel(0) + mover::kFirst, first);
    bench().Set64(mover::Channel(0) + mover::kLast, last);
    SetRange(0, DataAt(0), 16);
    bench().Run();
    EXPECT_EQ(Error(0), good ? 0U : 7U) << first << " " << last;
  }
}

TEST_P(CheckTest, PassesWhatIsEqual) {
  Make();
  for (const uint64_t bytes : {1, 8, 13, 640, 2001}) {
    for (int c = 0; c < 2; ++c) {
      SetRange(c, DataAt(c) + 3, bytes);
      std::vector<uint8_t> data = bench().memory().ReadBytes(DataAt(c) + 3, bytes);
      data.resize((bytes + lanes() - 1) / lanes() * lanes(),
                  0xa5);  // beyond the size: not compared
      bench().source(c).Push(data, PieceEnd::kBeat);
    }
    bench().Run();
    for (int c = 0; c < 2; ++c) {
      EXPECT_EQ(Register(c, mover::kResult), 1U);
      EXPECT_EQ(Register(c, mover::kMismatches), 0U);
      EXPECT_EQ(Long(c, mover::kMismatch), ~uint64_t{0});
    }
  }
}

TEST_P(CheckTest, TellsTheFirstMismatch) {
  Make();
  const uint64_t bytes = 333;
  for (const auto& wrong : std::initializer_list<std::vector<uint64_t>>{
           {0}, {332}, {7, 8, 9}, {40, 41, 200, 331}, {335}}) {
    SetRange(0, DataAt(0), bytes);
    SetRange(1, DataAt(1), 0);
    std::vector<uint8_t> data = bench().memory().ReadBytes(DataAt(0), 336);
    std::vector<uint64_t> beats;  // that are wrong
    for (const uint64_t byte : wrong) {
      data[byte] ^= 0x10;
      const uint64_t beat = byte / lanes() * lanes();
      if (byte < bytes && (beats.empty() || beats.back() != beat)) beats.push_back(beat);
    }
    bench().source(0).Push(data, PieceEnd::kBeat);
    bench().Run();
    EXPECT_EQ(Register(0, mover::kResult), beats.empty() ? 1U : 0U);
    EXPECT_EQ(Register(0, mover::kMismatches), beats.size());
    EXPECT_EQ(Long(0, mover::kMismatch), beats.empty() ? ~uint64_t{0} : beats.front());
    EXPECT_EQ(Register(1, mover::kResult), 1U);
  }
}

// The ROM of this build holds the bytes 1 to 20. It is sent from its beginning, again and again.
TEST_P(RomTest, SendsItsContents) {
  for (const bool slow : {false, true}) {
    MoverBenchOptions options;
    if (slow) options.sink.pacer = PacerSpec::Parse("bursts=1-3/0-9");
    Make(options);
    EXPECT_EQ(bench().Get(mover::kCapabilities) >> 12 & 15, 3U);
    EXPECT_EQ(bench().Get(mover::kDepth), 5U);
    uint32_t value = 0;
    EXPECT_FALSE(bench().Read(mover::Channel(0) + mover::kRamData, &value));  // there is no RAM
    EXPECT_FALSE(bench().Write(mover::Channel(0) + mover::kRamData, 1));
    EXPECT_EQ(Register(0, mover::kRamPlace), 0U);
    size_t seen = 0;
    for (const uint64_t bytes : {1, 4, 13, 20, 0, 21, 57}) {
      bench().Set64(mover::kArguments, bytes);  // the size is the first argument
      bench().SetOptions(0, bytes == 13 ? MoverLast::kList : MoverLast::kNever);
      const uint64_t packets = bench().sink(0).packets_taken();
      bench().Run();
      EXPECT_EQ(Long(0, mover::kBytes), bytes);
      EXPECT_EQ(bench().sink(0).packets_taken() - packets, bytes == 13 ? 1U : 0U);
      ASSERT_EQ(bench().sink(0).bytes().size() - seen, bytes);
      for (uint64_t n = 0; n < bytes; ++n) {
        ASSERT_EQ(bench().sink(0).bytes()[seen + n], n % 20 + 1) << n << " of " << bytes;
      }
      seen += bytes;
    }
  }
}

// What is equal so far is no pass yet.
TEST_P(CheckTest, ARunThatGoesOnIsNoPass) {
  Make();
  const std::vector<uint8_t> data = bench().memory().ReadBytes(DataAt(0), 128);
  SetRange(0, DataAt(0), data.size());
  SetRange(1, DataAt(1), 0);
  bench().source(0).Push({data.begin(), data.begin() + 64}, PieceEnd::kBeat);
  bench().Set(mover::kControl, mover::kStart);
  ASSERT_TRUE(bench().Until([&] { return bench().source(0).empty(); }, 2000));
  EXPECT_EQ(Register(0, mover::kMismatches), 0U);
  EXPECT_EQ(Register(0, mover::kResult), 0U);
  bench().source(0).Push({data.begin() + 64, data.end()}, PieceEnd::kBeat);
  bench().Wait();
  EXPECT_EQ(Register(0, mover::kResult), 1U);
}

TEST_P(CheckTest, AnErrorIsNoPass) {
  MoverBenchOptions options;
  options.memory.errors = {ErrorRule{.first = DataAt(0) + 64, .last = DataAt(0) + 67}};
  Make(options);
  EXPECT_EQ(Register(0, mover::kResult), 0U);  // nothing has run
  SetRange(0, DataAt(0), 128);
  SetRange(1, DataAt(1), 0);
  bench().source(0).Push(bench().memory().ReadBytes(DataAt(0), 128), PieceEnd::kBeat);
  bench().Run();
  EXPECT_EQ(Error(0), 8U);
  EXPECT_EQ(Register(0, mover::kResult), 0U);
}

}  // namespace
}  // namespace tessera
