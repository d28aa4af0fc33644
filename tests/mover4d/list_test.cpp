// Lists move what the norm says, on every build.
#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class ListTest : public MoverTest {};
TESSERA_ALL_MOVERS(ListTest);

TEST_P(ListTest, SaysWhatItIs) {
  Make();
  EXPECT_EQ(bench().Get(mover::kId), 0x5453524dU);
  const uint32_t has = bench().Get(mover::kCapabilities);
  EXPECT_EQ(has & 31, static_cast<uint32_t>(config().reads));
  EXPECT_EQ(has >> 5 & 31, static_cast<uint32_t>(config().writes));
  EXPECT_EQ(has >> 10 & 3, 2U);
  EXPECT_EQ(1 << (has >> 16 & 15), config().channel.data_bytes);
  EXPECT_EQ(1 << (has >> 20 & 15), config().channel.stream_bytes);
  EXPECT_EQ(1 << (has >> 24 & 15), element());
  EXPECT_EQ((has >> 28 & 1) != 0, config().patterns);
  EXPECT_EQ((has >> 29 & 1) != 0, config().base_first);
}

// The example of the manual: a box of 3 x 2 elements out of rows of 10, then the same transposed.
TEST_P(ListTest, ExampleOfTheManual) {
  Make();
  Rest();
  const std::vector<Cuboid> list = {Box(12, {3, 2, 1, 1}, {1, 10, 0, 0}),
                                    Box(12, {2, 3, 1, 1}, {10, 1, 0, 0})};
  GiveList(0, list);
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
  const uint64_t places[] = {12, 13, 14, 22, 23, 24, 12, 22, 13, 23, 14, 24};
  const auto bytes = static_cast<uint64_t>(element());
  ASSERT_EQ(bench().sink(0).bytes().size(), 12 * bytes);
  for (uint64_t n = 0; n < 12 * bytes; ++n) {
    EXPECT_EQ(bench().sink(0).bytes()[n],
              bench().memory().ReadByte(DataAt(0) + places[n / bytes] * bytes + n % bytes));
  }
  EXPECT_EQ(Register(0, mover::kCount), 2U);
  EXPECT_EQ(Long(0, mover::kBytes), 12 * bytes);
}

TEST_P(ListTest, WritesAndLeavesTheRestAlone) {
  Make();
  Rest();
  const std::vector<Cuboid> list = {Box(3, {4, 3, 2, 2}, {1, 7, 50, 200}),
                                    Box(-5, {2, 2, 1, 1}, {-2, -9, 0, 0})};
  GiveList(writer(), list);
  const auto wanted =
      Feed(writer(), Transfers(list, DataAt(writer()), element(), MoverLast::kNever), Rng(5));
  bench().Run();
  EXPECT_EQ(Error(writer()), 0U);
  ExpectMemory(wanted);
  EXPECT_EQ(bench().memory().TouchedBytes(), wanted.size());
  EXPECT_EQ(Register(writer(), mover::kCount), 2U);
  EXPECT_EQ(Long(writer(), mover::kBytes), 52 * static_cast<uint64_t>(element()));
}

// Count 0 and size 0 do nothing and finish, also between descriptors that do something.
TEST_P(ListTest, NothingIsDone) {
  Make();
  Rest();
  bench().Run();
  EXPECT_EQ(bench().list_words(0), 1U);
  for (int c = 0; c < config().channels(); ++c) EXPECT_EQ(Register(c, mover::kCount), 0U);
  const std::vector<Cuboid> list = {
      Box(0, {0, 5, 5, 5}, {1, 1, 1, 1}), Box(1, {2, 1, 1, 1}, {1, 0, 0, 0}),
      Box(INT64_MIN, {7, uint64_t{1} << 63, 3, 0}, {INT64_MAX, INT64_MIN, 1, 1}),
      Box(9, {1, 1, 1, 1}, {INT64_MAX, INT64_MIN, -1, 99}), Box(0, {4, 4, 0, 4}, {1, 1, 1, 1})};
  GiveList(0, list);
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
  EXPECT_EQ(Register(0, mover::kCount), 5U);
  EXPECT_EQ(bench().sink(0).bytes().size(), 3 * static_cast<size_t>(element()));
}

TEST_P(ListTest, TlastByRegister) {
  Make();
  Rest();
  const std::vector<Cuboid> list = {Box(0, {4, 3, 1, 1}, {1, 9, 0, 0}),
                                    Box(70, {5, 1, 2, 1}, {1, 0, 20, 0})};
  size_t seen = 0;
  for (const auto& [last, packets] :
       std::initializer_list<std::pair<MoverLast, uint64_t>>{{MoverLast::kNever, 0},
                                                             {MoverLast::kList, 1},
                                                             {MoverLast::kDescriptor, 2},
                                                             {MoverLast::kRow, 5}}) {
    GiveList(0, list, last);
    const uint64_t before = bench().sink(0).packets_taken();
    bench().Run();
    EXPECT_EQ(bench().sink(0).packets_taken() - before, packets);
    ExpectBeats(bench().sink(0), Sent(Transfers(list, DataAt(0), element(), last)), seen);
    seen = bench().sink(0).beats().size();
  }
}

// Channels run on their own, and the kernel ends with the last one.
TEST_P(ListTest, AllChannelsAtOnce) {
  Make();
  Rest();
  std::vector<std::vector<model::Transfer>> transfers;
  std::vector<std::pair<uint64_t, uint8_t>> wanted;
  for (int c = 0; c < config().channels(); ++c) {
    std::vector<Cuboid> list;
    for (int n = 0; n <= 3 * c; ++n) list.push_back(Box(40 * n, {6, 2, 1, 1}, {1, 17, 0, 0}));
    GiveList(c, list, MoverLast::kDescriptor);
    transfers.push_back(Transfers(list, DataAt(c), element(), MoverLast::kDescriptor));
    if (c < config().reads) continue;
    for (const auto& byte : Feed(c, transfers.back(), Rng(static_cast<uint64_t>(c))))
      wanted.push_back(byte);
  }
  bench().Run();
  for (int c = 0; c < config().channels(); ++c) {
    EXPECT_EQ(Register(c, mover::kCount), transfers[static_cast<size_t>(c)].size());
    EXPECT_LE(Long(c, mover::kEnded), bench().Get64(mover::kCycles));
    EXPECT_GT(Long(c, mover::kBegun), 0U);
    EXPECT_LT(Long(c, mover::kBegun), Long(c, mover::kEnded));
    if (c >= config().reads) continue;
    ExpectBeats(bench().sink(c), Sent(transfers[static_cast<size_t>(c)]));
    EXPECT_LE(Long(c, mover::kBegun) + bench().sink(c).beats().size(), Long(c, mover::kEnded) + 1);
  }
  ExpectMemory(wanted);
  EXPECT_EQ(bench().Get(mover::kErrors), 0U);
}

// Both directions count from the start of the kernel: the first beat is the first one that is
// taken.
TEST_P(ListTest, BegunIsTheCycleOfTheFirstBeat) {
  MoverBenchOptions options;
  options.sink.pacer = PacerSpec::Parse("bursts=1-2/20-60");
  Make(options);
  Rest();
  const std::vector<Cuboid> list = {Box(0, {4, 2, 1, 1}, {1, 9, 0, 0})};
  GiveList(0, list);
  GiveList(writer(), list);
  for (uint64_t run = 0; run < 6; ++run) {
    const size_t sent = bench().sink(0).beats().size(), taken = bench().source(0).beats().size();
    Feed(writer(), Transfers(list, DataAt(writer()), element(), MoverLast::kNever), Rng(run));
    bench().Run();
    EXPECT_EQ(bench().sink(0).beats()[sent].cycle - Long(0, mover::kBegun),
              bench().source(0).beats()[taken].cycle - Long(writer(), mover::kBegun));
  }
}

// Without UseKeep every beat that comes in is full, whatever its TKEEP is.
TEST_P(ListTest, TkeepOfWhatComesInIsIgnored) {
  Make();
  if (config().use_keep) GTEST_SKIP() << "TKEEP is used";
  Rest();
  constexpr uint32_t kBeats = 4;
  const auto lanes = static_cast<uint64_t>(config().channel.stream_bytes);
  const uint64_t bytes = kBeats * lanes;
  const std::vector<Cuboid> list = {
      Box(0, {bytes / static_cast<uint64_t>(element()), 1, 1, 1}, {1, 0, 0, 0})};
  GiveList(writer(), list);
  for (uint32_t beat = 0; beat < kBeats; ++beat) {
    const std::vector<uint8_t> first(lanes / 2, static_cast<uint8_t>(0x30 + beat));
    bench().source(0).Push(first, beat % 2 == 0 ? PieceEnd::kBeat : PieceEnd::kLast);
  }
  bench().Run();
  EXPECT_EQ(Error(writer()), 0U);
  EXPECT_EQ(Long(writer(), mover::kBytes), bytes);
  EXPECT_EQ(bench().source(0).beats_accepted(), kBeats);
  for (uint64_t byte = 0; byte < bytes; ++byte) {
    if (byte % lanes >= lanes / 2) continue;  // its lane was null
    EXPECT_EQ(bench().memory().ReadByte(DataAt(writer()) + byte), 0x30 + byte / lanes) << byte;
  }
}

// Lists and data go through caches alike: bufferable and modifiable, unprivileged, secure.
TEST_P(ListTest, AttributesOfEveryPort) {
  Make();
  Rest();
  const std::vector<Cuboid> list = {Box(0, {8, 1, 1, 1}, {1, 0, 0, 0})};
  for (int c = 0; c < config().channels(); ++c) {
    GiveList(c, list);
    if (c < config().reads) continue;
    Feed(c, Transfers(list, DataAt(c), element(), MoverLast::kNever), Rng(1));
  }
  bench().Run();
  for (int c = 0; c < config().channels(); ++c) {
    const AxiPort& data = bench().mover().channel(c).axi;
    const auto& lists = bench().mover().list(c).ar;
    const auto& moves = c < config().reads ? data.ar : data.aw;
    for (const auto* address : {&lists, &moves}) {
      EXPECT_EQ((*address)->cache, 3) << "channel " << c;
      EXPECT_EQ((*address)->prot, 0) << "channel " << c;
    }
  }
}

TEST_P(ListTest, TilePatterns) {
  Make();
  Rest();
  const std::vector<Pattern> list = {{.buffer = {16, 8, 4, 99},
                                      .offset = {1, 2, 0, 0},
                                      .tiling = {4, 2, 1, 1},
                                      .order = {1, 0, 2, 3},
                                      .step = {4, 2, 1, 0},
                                      .wrap = {3, 2, 2, 1}},
                                     {.buffer = {5, 7, 3, 0},
                                      .offset = {0, 0, 0, 1},
                                      .tiling = {3, 1, 2, 1},
                                      .order = {3, 2, 1, 0},
                                      .step = {1, 0, 0, 1},
                                      .wrap = {2, 1, 1, 2}}};
  if (!config().patterns) {
    bench().memory().Load(ListAt(0), Packed(list));
    bench().SetOptions(0, MoverLast::kNever, true);
    bench().Run();
    EXPECT_EQ(Error(0), 4U);  // and not a word of the list was read, or the bench had told
    return;
  }
  GiveList(0, list, MoverLast::kDescriptor);
  GiveList(writer(), list);
  const auto wanted =
      Feed(writer(), Transfers(list, DataAt(writer()), element(), MoverLast::kNever), Rng(6));
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
  ExpectBeats(bench().sink(0), Sent(Transfers(list, DataAt(0), element(), MoverLast::kDescriptor)));
  ExpectMemory(wanted);
}

// Sizes of buffers use all their bits: here a plane is more than 2^17 elements, a row more than
// 2^16.
TEST_P(ListTest, TilePatternsOfLargeBuffers) {
  Make();
  if (!config().patterns) return;  // ListTest.TilePatterns tells what happens then
  Rest();
  const std::vector<Pattern> list = {
      {.buffer = {3, 70001, 2, 1},
       .offset = {1, 69999, 1, 1},
       .tiling = {2, 2, 1, 1},
       .step = {0, 0, 1, 0}},
      {.buffer = {70003, 2, 70001, 1}, .offset = {69999, 1, 2, 0}, .tiling = {3, 1, 2, 1}}};
  GiveList(0, list, MoverLast::kDescriptor);
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
  ExpectBeats(bench().sink(0), Sent(Transfers(list, DataAt(0), element(), MoverLast::kDescriptor)));
}

}  // namespace
}  // namespace tessera
