// Wrong lists: each is told with its reason and its index, ends its channel, and nothing else.
#include "tb/sim/model.h"
#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

// tsr_mover_pkg::mover_error_e
enum : uint32_t {
  kAddress = 1,
  kTooMany = 2,
  kFetch = 3,
  kFormat = 4,
  kSize = 5,
  kStride = 6,
  kOutside = 7,
  kBus = 8
};

class ErrorTest : public MoverTest {
 protected:
  static Cuboid Good(int64_t bias = 0) { return Box(bias, {4, 2, 1, 1}, {1, 6, 0, 0}); }
  // Good descriptors around one; the ones before it are done, those behind it are not begun.
  void Expect(const Cuboid& wrong, uint32_t error, int channel) {
    const std::vector<Cuboid> before = {Good(0), Good(20), Good(40)};
    std::vector<Cuboid> list = before;
    list.push_back(wrong);
    for (int n = 0; n < 12; ++n) list.push_back(Good(100));
    GiveList(channel, list, MoverLast::kDescriptor);
    const auto transfers = Transfers(before, DataAt(channel), element(), MoverLast::kDescriptor);
    const bool reads = channel < config().reads;
    const size_t seen = reads ? bench().sink(channel).beats().size() : 0;
    std::vector<std::pair<uint64_t, uint8_t>> wanted;
    if (!reads) wanted = Feed(channel, transfers, Rng(3));
    bench().Run();
    EXPECT_EQ(Error(channel), error);
    EXPECT_EQ(Register(channel, mover::kErrorIndex), 3U);
    EXPECT_EQ(bench().Get(mover::kErrors), 1U << channel);
    EXPECT_EQ(Long(channel, mover::kBytes), Bytes(transfers));
    if (reads) ExpectBeats(bench().sink(channel), Sent(transfers), seen);
    ExpectMemory(wanted);
  }
};
TESSERA_ALL_MOVERS(ErrorTest);

TEST_P(ErrorTest, DescriptorsThatCannotBe) {
  Make();
  Rest();
  const auto half = static_cast<int64_t>((uint64_t{1} << (config().channel.addr_width - 1)) /
                                         static_cast<uint64_t>(element()));
  const int64_t all = static_cast<int64_t>(Build().AddressMask());
  for (const int channel : {0, writer()}) {
    Rest();
    Expect(Box(0, {uint64_t{1} << 32, 1, 1, 1}, {0, 0, 0, 0}), kSize, channel);
    Expect(Box(0, {1, uint64_t{1} << 63, 1, 1}, {1, 1, 0, 0}), kSize, channel);
    Expect(Box(0, {0xffffffff, 1, 1, 1}, {1, 0, 0, 0}), kSize, channel);  // a row of 4 GiB
    Expect(Box(0, {2, 2, 1, 1}, {1, half, 0, 0}), kStride, channel);
    Expect(Box(0, {2, 2, 1, 1}, {1, -half - 1, 0, 0}), kStride, channel);
    Expect(Box(0, {2, 2, 1, 1}, {INT64_MIN, 1, 0, 0}), kStride, channel);
    // Before the first byte of memory, and behind the last one.
    const auto base = static_cast<int64_t>(DataAt(channel));
    Expect(Box(-base / element() - 1, {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    Expect(Box(-base / element(), {2, 2, 1, 1}, {1, -1, 0, 0}), kOutside, channel);
    if (config().channel.addr_width < 64) {
      Expect(Box((all - base + 1) / element(), {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
      Expect(Box((all - base + 1) / element() - 1, {2, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    }
    Expect(Box(INT64_MIN, {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    Expect(Box(INT64_MAX, {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
  }
}

TEST_P(ErrorTest, Windows) {
  Make();
  Rest();
  for (const int channel : {0, writer()}) {
    bench().Set64(mover::Channel(channel) + mover::kFirst, DataAt(channel));
    bench().Set64(mover::Channel(channel) + mover::kLast, DataAt(channel) + 0x1000);
    const int64_t elements = 0x2000 / element();
    Expect(Box(elements, {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    EXPECT_EQ(Long(channel, mover::kErrorAddr) & ~uint64_t{0xf}, DataAt(channel) + 0x2000);
    Expect(Box(-1, {1, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    Expect(Box(elements - 2, {3, 1, 1, 1}, {1, 0, 0, 0}), kOutside, channel);
    Expect(Box(1, {2, 3, 1, 1}, {1, -1, 0, 0}), kOutside, channel);
    // A row that ends with the window is inside.
    GiveList(channel, std::vector<Cuboid>{Box(elements - 2, {2, 1, 1, 1}, {1, 0, 0, 0})});
    if (channel == writer()) {
      Feed(channel,
           Transfers(std::vector<Cuboid>{Good()}, DataAt(channel), element(), MoverLast::kNever),
           Rng(1));
    }
    bench().Run();
    EXPECT_EQ(Error(channel), 0U);
    // The first byte of an element is inside, its last is not.
    GiveList(channel, std::vector<Cuboid>{Box(0, {1, 1, 1, 1}, {1, 0, 0, 0})});
    bench().SetBase(channel, DataAt(channel) + 0x1fff);
    bench().Run();
    EXPECT_EQ(Error(channel), kOutside);
    EXPECT_EQ(Long(channel, mover::kBytes), 0U);
    bench().Give(channel, ListAt(channel), std::vector<Cuboid>{});
  }
}

// All bits of FIRST and LAST count, also those of pages that the build does not have.
TEST_P(ErrorTest, WindowsBeyondTheAddressSpace) {
  Make();
  if (config().channel.addr_width == 64) return;  // there is nothing beyond
  Rest();
  const uint64_t space = Build().AddressMask() + 1;
  for (const int channel : {0, writer()}) {
    for (const auto& [first, last, good] :
         std::initializer_list<std::tuple<uint64_t, uint64_t, bool>>{
             {space, ~uint64_t{0}, false}, {0, space, true}, {space, space, false}}) {
      bench().Set64(mover::Channel(channel) + mover::kFirst, first);
      bench().Set64(mover::Channel(channel) + mover::kLast, last);
      const std::vector<Cuboid> list = {Good()};
      GiveList(channel, list);
      if (good && channel == writer()) {
        Feed(channel, Transfers(list, DataAt(channel), element(), MoverLast::kNever), Rng(1));
      }
      bench().Run();
      EXPECT_EQ(Error(channel), good ? 0U : kOutside) << channel << " " << first << " " << last;
    }
    bench().Give(channel, ListAt(channel), std::vector<Cuboid>{});
  }
}

// dim_index is 0 to 3.
TEST_P(ErrorTest, DimensionsThatAreNot) {
  Make();
  if (!config().patterns) return;  // ListTest.TilePatterns tells what happens then
  for (const size_t level : {0, 1, 2, 3}) {
    for (const uint32_t dimension : {4U, 7U, 0x10000U, 0x80000000U}) {
      Rest();
      Pattern wrong;
      wrong.order[level] = dimension;
      GiveList(0, std::vector<Pattern>{Pattern{}, wrong, Pattern{}});
      bench().Run();
      EXPECT_EQ(Error(0), kFormat) << level << " " << dimension;
      EXPECT_EQ(Register(0, mover::kErrorIndex), 1U);
    }
  }
}

// Of several descriptors whose memory answers with an error the first one is told.
TEST_P(ErrorTest, TheFirstOfSeveral) {
  for (const bool writes : {false, true}) {
    const MoverConfig built = FindNamed(Movers(), GetParam()).value();
    const int channel = writes ? built.reads : 0;
    MoverBenchOptions options;
    options.memory.errors = {
        ErrorRule{.first = DataAt(channel) + 0x1000, .last = DataAt(channel) + 0x3fff}};
    Make(options);
    Rest();
    std::vector<Cuboid> list;
    for (int n = 0; n < 20; ++n) {
      const int page = n < 5 ? 0 : n - 4;
      list.push_back(Box(page * 0x400 / element() * 4, {4, 1, 1, 1}, {1, 0, 0, 0}));
    }
    GiveList(channel, list);
    if (writes)
      Feed(channel, Transfers(list, DataAt(channel), element(), MoverLast::kNever), Rng(2));
    bench().Run();
    EXPECT_EQ(Error(channel), kBus);
    EXPECT_GT(Register(channel, mover::kCount), 6U);  // others were under way
    EXPECT_EQ(Register(channel, mover::kErrorIndex), 5U);
    EXPECT_EQ(Long(channel, mover::kErrorAddr) & ~uint64_t{0xff}, DataAt(channel) + 0x1000);
  }
}

TEST_P(ErrorTest, ListsThatCannotBe) {
  Make();
  Rest();
  bench().SetList(0, ListAt(0) + 4);
  bench().Run();
  EXPECT_EQ(Error(0), kAddress);
  // It goes on past the end of the address space.
  const uint64_t end = Build().AddressMask() - 7 - 72;
  bench().memory().Load(end, std::vector<uint8_t>{2, 0, 0, 0, 0, 0, 0, 0});
  bench().AllowList(0, end, 8);
  bench().SetList(0, end);
  bench().Run();
  EXPECT_EQ(Error(0), kAddress);
  // It has its count in the last word, and its descriptors nowhere.
  bench().memory().Load(end + 72, std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 0});
  bench().AllowList(0, end + 72, 8);
  bench().SetList(0, end + 72);
  bench().Run();
  EXPECT_EQ(Error(0), kAddress);
  bench().SetList(0, end);
  // It ends there.
  std::vector<uint8_t> last = Packed(std::vector<Cuboid>{Box(0, {1, 1, 1, 1}, {1, 0, 0, 0})});
  bench().memory().Load(end, last);
  bench().AllowList(0, end, last.size());
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
  EXPECT_EQ(Register(0, mover::kCount), 1U);
  // It is so long that its words do not fit the address space, and their number modulo 2^32 does.
  if (config().channel.addr_width < 40) {
    bench().memory().Load(ListAt(0), std::vector<uint8_t>{0x1d, 0xc7, 0x71, 0x1c, 0, 0, 0, 0});
    bench().AllowList(0, ListAt(0), 8);
    bench().SetList(0, ListAt(0));
    bench().Run();
    EXPECT_EQ(Error(0), kAddress);
  }
  // 2^32 descriptors.
  bench().memory().Load(ListAt(0), std::vector<uint8_t>{0, 0, 0, 0, 1, 0, 0, 0});
  bench().AllowList(0, ListAt(0), 8);
  bench().SetList(0, ListAt(0));
  bench().Run();
  EXPECT_EQ(Error(0), kTooMany);
  EXPECT_EQ(Register(0, mover::kErrorIndex), 0U);
  // After all that a good list runs.
  GiveList(0, std::vector<Cuboid>{Good()});
  bench().Run();
  EXPECT_EQ(Error(0), 0U);
}

// A fetch that fails: the descriptors before it are done.
TEST_P(ErrorTest, FetchFails) {
  for (const uint64_t word : {0, 1, 9, 10, 30, 89, 90}) {
    MoverBenchOptions options;
    options.lists.errors = {ErrorRule{.first = kLists + 8 * word, .last = kLists + 8 * word + 7}};
    Make(options);
    Rest();
    std::vector<Cuboid> list;
    for (int n = 0; n < 10; ++n) list.push_back(Good(20 * n));
    const size_t index = word == 0 ? 0 : (word - 1) / 9;
    GiveList(0, list);
    bench().Run();
    EXPECT_EQ(Error(0), kFetch) << "word " << word;
    EXPECT_EQ(Register(0, mover::kErrorIndex), index);
    EXPECT_EQ(Register(0, mover::kCount), index);
    list.resize(index);
    if (index > 0) {
      // What was sent ends where the next descriptor would have gone on.
      std::vector<model::Transfer> transfers =
          Transfers(list, DataAt(0), element(), MoverLast::kNever);
      EXPECT_EQ(bench().sink(0).bytes().size() / static_cast<size_t>(config().channel.stream_bytes),
                Bytes(transfers) / static_cast<size_t>(config().channel.stream_bytes));
    }
  }
}

// A response of the data's memory: the first one is told, no descriptor is begun after it.
TEST_P(ErrorTest, DataFail) {
  for (const int variant : {0, 1, 2, 3}) {
    const int writes = variant & 1;
    MoverBenchOptions options;
    if (variant > 1) {  // engines are full when the response comes
      options.sink.pacer = options.source.pacer = PacerSpec::Parse("bursts=1-3/10-40");
    }
    const MoverConfig built = FindNamed(Movers(), GetParam()).value();
    const int channel = writes != 0 ? built.reads : 0;
    const uint64_t wrong = DataAt(channel) + 0x1000;
    options.memory.errors = {ErrorRule{.first = wrong, .last = wrong + 15}};
    Make(options);
    Rest();
    std::vector<Cuboid> list;
    for (int n = 0; n < 40; ++n) {
      list.push_back(Box(n == 3 ? 0x1000 / element() : 16 * n, {4, variant > 1 ? 9U : 4U, 1, 1},
                         {1, 5, 0, 0}));
    }
    GiveList(channel, list);
    if (writes != 0)
      Feed(channel, Transfers(list, DataAt(channel), element(), MoverLast::kNever), Rng(2));
    bench().Run();
    EXPECT_EQ(Error(channel), kBus);
    EXPECT_EQ(Register(channel, mover::kErrorIndex), 3U);
    EXPECT_LT(Register(channel, mover::kCount), 40U);
    EXPECT_GE(Register(channel, mover::kCount), 4U);
    EXPECT_EQ(Long(channel, mover::kErrorAddr) & ~uint64_t{0xff}, wrong);
  }
}

// A tile pattern that has begun when the data of the one before it fail goes to its end.
TEST_P(ErrorTest, APatternThatHasBegunIsCompleted) {
  const MoverConfig built = FindNamed(Movers(), GetParam()).value();
  if (!built.patterns) GTEST_SKIP() << "no patterns";
  for (const int channel : {0, built.reads}) {
    const uint64_t wrong = DataAt(channel);
    MoverBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(150);  // the second one has begun
    options.memory.errors = {ErrorRule{.first = wrong, .last = wrong + 15}};
    Make(options);
    Rest();
    // Each in a plane of its own; the second one has 256 tiles.
    std::vector<Pattern> list(3);
    for (int n = 0; n < 3; ++n)
      list[static_cast<size_t>(n)] = {.buffer = {16, 8, 4, 1},
                                      .offset = {0, 0, 0, n},
                                      .tiling = {2, 1, 1, 1},
                                      .step = {2, 1, 1, 0},
                                      .wrap = {1, 1, 1, 1}};
    list[1].wrap = {8, 8, 4, 1};
    GiveList(channel, list);
    const auto transfers = Transfers(list, DataAt(channel), element(), MoverLast::kNever);
    if (channel >= built.reads) Feed(channel, transfers, Rng(2));
    bench().Run();
    EXPECT_EQ(Error(channel), kBus);
    EXPECT_EQ(Register(channel, mover::kErrorIndex), 0U);
    EXPECT_EQ(Register(channel, mover::kCount), 2U);
    EXPECT_EQ(Long(channel, mover::kBytes), Bytes({transfers[0], transfers[1]}));
  }
}

// A reset of everything in every cycle of a run, and a run whose memory answers with an error: what
// is told is of this run, whether the one before met an error or not.
TEST_P(ErrorTest, DataFailBehindAReset) {
  const MoverConfig built = FindNamed(Movers(), GetParam()).value();
  for (const int channel : {0, built.reads}) {
    for (const bool first_too : {false, true}) {
      const uint64_t wrong = DataAt(channel) + 0x1000, before = DataAt(channel) + 0x4000;
      MoverBenchOptions options;
      options.memory = options.lists = AxiMemoryOptions::Latency(6);
      options.memory.errors = {ErrorRule{.first = wrong, .last = wrong + 15}};
      if (first_too)
        options.memory.errors.push_back(
            ErrorRule{.response = kDecErr, .first = before, .last = before + 15});
      Make(options);
      // Lists of which one descriptor lies elsewhere, where an error may be.
      const auto list = [&](size_t where, int64_t there) {
        std::vector<Cuboid> all;
        for (size_t n = 0; n < 12; ++n)
          all.push_back(Box(n == where ? there / element() : 16 * static_cast<int64_t>(n),
                            {4, 3, 1, 1}, {1, 5, 0, 0}));
        return all;
      };
      const std::vector<Cuboid> first = list(1, 0x4000), second = list(5, 0x1000);
      const auto feed = [&](const std::vector<Cuboid>& all) {
        const bool writes = channel >= config().reads;
        if (writes)
          Feed(channel, Transfers(all, DataAt(channel), element(), MoverLast::kNever), Rng(2));
      };
      int errors = 0;
      bool running = true;
      for (uint64_t cycle = 0; running; ++cycle) {
        SCOPED_TRACE(fmt::format("channel {} cycle {}", channel, cycle));
        ASSERT_LT(cycle, 2000U);
        Rest();
        GiveList(channel, first);
        feed(first);
        bench().Set(mover::kControl, mover::kStart);
        bench().Step(static_cast<int>(cycle));
        running = (bench().Get(mover::kControl) & mover::kIdle) == 0;
        errors += Error(channel) == kBus;
        ResetAll();
        Rest();
        GiveList(channel, second);
        feed(second);
        bench().Run();
        EXPECT_EQ(Error(channel), kBus);
        EXPECT_EQ(bench().Get(mover::kErrors), 1U << channel);
        EXPECT_EQ(Register(channel, mover::kErrorIndex), 5U);
        EXPECT_EQ(Long(channel, mover::kErrorAddr) & ~uint64_t{0xff}, wrong);
        EXPECT_GE(Register(channel, mover::kCount), 6U);
        ResetAll();
        if (HasFailure()) return;
      }
      EXPECT_EQ(errors > 0, first_too);
    }
  }
}

// Runs one after the other without a reset, each with an error elsewhere: by hand, and restarted by
// themselves.
TEST_P(ErrorTest, EachRunTellsOfItsOwnError) {
  const MoverConfig built = FindNamed(Movers(), GetParam()).value();
  for (const int channel : {0, built.reads}) {
    MoverBenchOptions options;
    const uint64_t data = DataAt(channel);
    options.memory.errors = {ErrorRule{.first = data + 0x1000, .last = data + 0x4fff}};
    Make(options);
    Rest();
    if (channel >= config().reads)  // more than all runs take
      bench().source(channel - config().reads).Push(std::vector<uint8_t>(100000), PieceEnd::kLast);
    const auto fail_at = [&](uint32_t where, uint64_t page, bool restarted) {
      SCOPED_TRACE(fmt::format("channel {} index {}", channel, where));
      std::vector<Cuboid> list;
      for (uint32_t n = 0; n < 12; ++n)
        list.push_back(Box(n == where ? static_cast<int64_t>(page) / element() : 16 * int64_t{n},
                           {4, 1, 1, 1}, {1, 0, 0, 0}));
      GiveList(channel, list);
      if (restarted) {
        bench().Set(mover::kControl, mover::kStart | mover::kAutoRestart);
        bench().Step(250);
        bench().Set(mover::kControl, 0);
        bench().Wait();
      } else {
        bench().Run();
      }
      EXPECT_EQ(Error(channel), kBus);
      EXPECT_EQ(Register(channel, mover::kErrorIndex), where);
      EXPECT_EQ(Long(channel, mover::kErrorAddr) & ~uint64_t{0xff}, data + page);
    };
    for (const bool restarted : {false, true}) {
      fail_at(7, 0x3000, restarted);
      fail_at(2, 0x1000, restarted);
      fail_at(11, 0x4000, restarted);
      fail_at(0, 0x2000, restarted);
    }
    // One without.
    GiveList(channel, std::vector<Cuboid>{Good()});
    bench().Run();
    EXPECT_EQ(Error(channel), 0U);
    EXPECT_EQ(Long(channel, mover::kErrorAddr), 0U);
    EXPECT_EQ(bench().Get(mover::kErrors), 0U);
  }
}

// What a read channel held of a beat when its list ended is not sent with the next one.
TEST_P(ErrorTest, TheRunAfterHasItsOwnBytesAlone) {
  for (const bool bus : {false, true}) {  // the descriptor is wrong, or its memory
    const uint64_t wrong = DataAt(0) + 0x1000;
    MoverBenchOptions options;
    options.sink.pacer = PacerSpec::Parse("bursts=1-2/5-20");
    options.memory.errors = {ErrorRule{.first = wrong, .last = wrong + 0xfff}};
    Make(options);
    Rest();
    const Cuboid good = Box(0, {5, 1, 1, 1}, {1, 0, 0, 0});
    const int64_t bias = bus ? 0x1000 / element() : INT64_MAX;
    GiveList(0, std::vector<Cuboid>{good, Box(bias, {2, 1, 1, 1}, {1, 0, 0, 0}), good});
    bench().Run();
    EXPECT_EQ(Error(0), bus ? kBus : kOutside);
    const size_t seen = bench().sink(0).beats().size();
    const std::vector<Cuboid> list = {good};
    GiveList(0, list);
    bench().Run();
    EXPECT_EQ(Error(0), 0U);
    ExpectBeats(bench().sink(0), Sent(Transfers(list, DataAt(0), element(), MoverLast::kNever)),
                seen);
  }
}

}  // namespace
}  // namespace tessera
