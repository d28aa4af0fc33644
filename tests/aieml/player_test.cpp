// The player of transaction binaries on registers that only remember.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "sw/driver/tessera/aieml/player.hpp"
#include "sw/driver/tessera/text.hpp"
#include "tests/aieml/binary.h"

namespace tessera::driver::npu {
namespace {

using aieml::Binary;

// Registers by bus offset. A read of `slow` is 0 for the first so many times.
class Registers {
 public:
  uint32_t read32(uint32_t at) {
    ++reads;
    if (at == slow && countdown != 0) {
      --countdown;
      return 0;
    }
    const auto found = values.find(at);
    return found == values.end() ? 0 : found->second;
  }
  void write32(uint32_t at, uint32_t value) {
    values[at] = value;
    writes.emplace_back(at, value);
  }
  void barrier() {}

  std::map<uint32_t, uint32_t> values;
  std::vector<std::pair<uint32_t, uint32_t>> writes;
  uint32_t slow = 0xffffffff;
  uint32_t countdown = 0;
  uint32_t reads = 0;
};

// As above, with tokens.
class Tokens : public Registers {
 public:
  bool take_token(uint32_t base, bool to_stream, uint32_t channel) {
    asked.push_back({base, to_stream ? 1u : 0u, channel});
    if (tokens == 0) return false;
    --tokens;
    return true;
  }
  uint32_t tokens = 0;
  std::vector<std::vector<uint32_t>> asked;
};

constexpr Tile kTiles[] = {
    {0, 0, TileKind::kShim, 0x0},         {0, 1, TileKind::kMemory, 0x100000},
    {1, 1, TileKind::kMemory, 0x200000},  {0, 2, TileKind::kCompute, 0x300000},
    {3, 4, TileKind::kCompute, 0x400000},
};
constexpr uint64_t kArguments[] = {0x1000, 0x123400000000, 0x40000, 0x3, 0x2000, 0x5000};
constexpr Arguments kGiven{kArguments, 6};

template <typename Bus>
PlayResult Play(Bus& bus, const std::vector<uint32_t>& words, const Arguments& given = kGiven) {
  const Player<Bus> player(bus, kTiles, 5);
  return player.Play(words.data(), static_cast<uint32_t>(words.size()), given, Timeout::Turns(50));
}

void Refused(const std::vector<uint32_t>& words, Reason reason, uint32_t word) {
  Registers bus;
  const PlayResult result = Play(bus, words);
  EXPECT_EQ(Text(result.fault.status.reason()), std::string(Text(reason)));
  EXPECT_EQ(result.fault.word, word);
  EXPECT_TRUE(bus.writes.empty()) << "a binary with a fault must write nothing";
  EXPECT_EQ(bus.reads, 0u);
}

TEST(Player, AddressesOfTheCheckVectors) {
  EXPECT_EQ(AddressOf(3, 4, 0xdef), 0x06400defu);
  EXPECT_EQ(AddressOf(1, 1, 100), 0x02100064u);
  const std::vector<uint32_t> words = Binary().Sync(3, 4, true, 5, 2, 1).words();
  EXPECT_EQ(words[6], 0x00030401u);
  EXPECT_EQ(words[7], 0x05020100u);
  Reader reader(words.data(), static_cast<uint32_t>(words.size()));
  Header header;
  Operation sync;
  ASSERT_TRUE(reader.Open(header).ok());
  ASSERT_TRUE(reader.Next(sync).ok());
  EXPECT_EQ(header.rows, 6);
  EXPECT_EQ(header.generation, 3);
  EXPECT_EQ(header.columns, 4);
  EXPECT_EQ(header.memory_rows, 1);
  EXPECT_TRUE(sync.to_stream);
  EXPECT_EQ(sync.column, 3);
  EXPECT_EQ(sync.row, 4);
  EXPECT_EQ(sync.channel, 5);
  EXPECT_EQ(sync.columns, 2);
  EXPECT_EQ(sync.rows, 1);
}

TEST(Player, TheSyncVectorOfTwoRows) {
  const uint32_t words[] = {0x06030100, 0x0104, 1, 32, 128, 16, 0x00030401, 0x05010200};
  Reader reader(words, 8);
  Header header;
  Operation sync;
  ASSERT_TRUE(reader.Open(header).ok());
  ASSERT_TRUE(reader.Next(sync).ok());
  EXPECT_EQ(sync.columns, 1);
  EXPECT_EQ(sync.rows, 2);
}

TEST(Player, WritesReachTheInstanceOfTheirTile) {
  Registers bus;
  bus.values[0x300010] = 0xaaaa5555;
  const auto words = Binary()
                         .Write(AddressOf(3, 4, 0xde8), 7)
                         .Block(AddressOf(1, 1, 100), {1, 2, 3, 4, 5, 6, 7, 8})
                         .MaskWrite(AddressOf(0, 2, 0x10), 0xffffffff, 0x00ff00ff)
                         .words();
  EXPECT_EQ(words[10 + 0], 1u);
  EXPECT_EQ(words[10 + 1], 0x101u);
  EXPECT_EQ(words[10 + 2], 0x02100064u);
  EXPECT_EQ(words[10 + 3], 0x30u);
  const PlayResult result = Play(bus, words);
  ASSERT_TRUE(result.ok()) << Text(result.fault.status);
  EXPECT_EQ(result.operations, 3u);
  EXPECT_EQ(bus.values[0x400de8], 7u);
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(bus.values[0x200064 + 4 * n], n + 1);
  EXPECT_EQ(bus.values[0x300010], 0xaaff55ffu);
  EXPECT_EQ(bus.writes.size(), 10u);
}

TEST(Player, PatchesPutTheAddressIntoTheFieldsOfEachTile) {
  Registers bus;
  bus.values[0x1d028] = 0x40131111;  // shim, descriptor 1, word 2
  bus.values[0x1a0024] = 0xfff8ffff;
  bus.values[0x31d000] = 0xf0003fff;
  const auto words = Binary()
                         .Patch(AddressOf(0, 0, 0x1d024), 1, 8)
                         .Patch(AddressOf(0, 1, 0xa0024), 2, 16)
                         .Patch(AddressOf(0, 2, 0x1d000), 0, 4)
                         .words();
  const PlayResult result = Play(bus, words);
  ASSERT_TRUE(result.ok()) << Text(result.fault.status);
  EXPECT_EQ(bus.values[0x1d024], 8u);
  EXPECT_EQ(bus.values[0x1d028], 0x40131234u);
  EXPECT_EQ(bus.values[0x1a0024], 0xfff80000u | (0x40010 >> 2));
  EXPECT_EQ(bus.values[0x31d000], 0xf0003fffu | (0x1004 >> 2) << 14);
}

TEST(Player, TheWindowIsForTheFirstFiveArguments) {
  Registers bus;
  const auto words = Binary()
                         .Patch(AddressOf(0, 0, 0x1d004), 4, 0)
                         .Patch(AddressOf(0, 0, 0x1d024), 5, 0x80000000)
                         .words();
  ASSERT_TRUE(Play(bus, words, {kArguments, 6, 0x80000000}).ok());
  EXPECT_EQ(bus.values[0x1d004], 0x80002000u);
  EXPECT_EQ(bus.values[0x1d024], 0x80005000u);
}

TEST(Player, PollsWaitAndEnd) {
  for (const bool busy : {false, true}) {
    Registers bus;
    bus.values[0x1d228] = 0x100;
    bus.slow = 0x1d228;
    bus.countdown = 20;
    const auto words = Binary().Poll(AddressOf(0, 0, 0x1d228), 0x100, 0xf00, busy).words();
    EXPECT_TRUE(Play(bus, words).ok());
    EXPECT_EQ(bus.reads, 21u);
    bus.countdown = 1000;
    const PlayResult late = Play(bus, words);
    EXPECT_EQ(late.fault.status.reason(), Reason::timeout);
    EXPECT_EQ(late.fault.word, 4u);
    EXPECT_LT(bus.reads, 100u);
  }
}

TEST(Player, ASyncWaitsForAnIdleChannelWithoutTokens) {
  Registers bus;
  bus.values[0x1a0674] = 1u << 19;  // memory tile (0,1), from stream, channel 5: running
  const auto words = Binary().Sync(0, 1, false, 5).words();
  EXPECT_EQ(Play(bus, words).fault.status.reason(), Reason::timeout);
  bus.values[0x1a0674] = 0;
  EXPECT_TRUE(Play(bus, words).ok());
  bus.values[0x1a0674] = 1u << 11;
  EXPECT_EQ(Play(bus, words).fault.status.reason(), Reason::channel_halted);
}

TEST(Player, ASyncTakesOneTokenOfEveryTile) {
  Tokens bus;
  bus.tokens = 2;
  const auto words = Binary().Sync(0, 1, true, 3, 2, 1).words();
  EXPECT_TRUE(Play(bus, words).ok());
  EXPECT_EQ(bus.tokens, 0u);
  ASSERT_EQ(bus.asked.size(), 2u);
  EXPECT_EQ(bus.asked[0], (std::vector<uint32_t>{0x100000, 1, 3}));
  EXPECT_EQ(bus.asked[1], (std::vector<uint32_t>{0x200000, 1, 3}));
  EXPECT_EQ(Play(bus, words).fault.status.reason(), Reason::timeout);
}

TEST(Player, NothingElseIsPlayed) {
  Registers bus;
  EXPECT_TRUE(Play(bus, Binary().Add({5}).Add({6 | 2 << 8}).words()).ok());
  for (const uint32_t code : {2u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 130u, 131u, 132u, 200u}) {
    const auto words = Binary().Write(AddressOf(0, 0, 0), 1).Add({code, 16, 0, 0}).words();
    Refused(words, Reason::operation_unknown, 10);
    Registers unused;
    EXPECT_EQ(Play(unused, words).fault.status.index(), code);
    EXPECT_EQ(Play(unused, words).fault.status.code(), Code::unsupported);
  }
}

// A bus that can configure the device.
class Pdis : public Registers {
 public:
  bool load_pdi(uint32_t id, uint32_t bytes, uint64_t address) {
    loaded.push_back({id, bytes, address});
    return id != 13;
  }
  std::vector<std::vector<uint64_t>> loaded;
};

TEST(Player, APdiGoesToABusThatLoadsOne) {
  const auto words = [](uint32_t first) {
    return Binary().Add({first, 4096, 0x12345678, 0xabc}).Write(AddressOf(0, 0, 4), 1).words();
  };
  Pdis bus;
  EXPECT_TRUE(Play(bus, words(7u << 16 | 8)).ok());
  ASSERT_EQ(bus.loaded.size(), 1u);
  EXPECT_EQ(bus.loaded[0], (std::vector<uint64_t>{7, 4096, 0xabc12345678}));
  EXPECT_EQ(bus.writes.size(), 1u);
  const PlayResult failed = Play(bus, words(13u << 16 | 8));
  EXPECT_EQ(failed.fault.status.reason(), Reason::operation_unknown);
  EXPECT_EQ(failed.fault.word, 4u);
  EXPECT_EQ(bus.writes.size(), 1u);
  EXPECT_EQ(Play(bus, words(7u << 16 | 1u << 8 | 8)).fault.status.reason(),
            Reason::operation_field);
  Refused(words(7u << 16 | 8), Reason::operation_unknown, 4);
}

TEST(Player, AddressesOutsideAreRefused) {
  Refused(Binary().Write(AddressOf(2, 0, 0), 1).words(), Reason::tile_unknown, 4);
  Refused(Binary().Write(AddressOf(0, 3, 0), 1).words(), Reason::tile_unknown, 4);
  Refused(Binary().Write(AddressOf(127, 31, 0), 1).words(), Reason::tile_unknown, 4);
  Refused(Binary().Write(AddressOf(0, 0, 2), 1).words(), Reason::register_range, 4);
  Refused(Binary().Block(AddressOf(0, 0, 0xffffc), {1, 2}).words(), Reason::register_range, 4);
  Refused(Binary().Sync(0, 0, true, 2).words(), Reason::channel_number, 4);
  Refused(Binary().Sync(0, 0, true, 0, 2, 1).words(), Reason::tile_unknown, 4);
  Refused(Binary().Patch(AddressOf(0, 0, 0x1d008), 0, 0).words(), Reason::patch_register, 4);
  Refused(Binary().Patch(AddressOf(0, 2, 0x1d004), 0, 0).words(), Reason::patch_register, 4);
  Refused(Binary().Patch(AddressOf(0, 1, 0xa0604), 0, 0).words(), Reason::patch_register, 4);
  Refused(Binary().Patch(AddressOf(0, 0, 0x1d004), 6, 0).words(), Reason::argument_number, 4);
  Refused(Binary().Patch(AddressOf(0, 0, 0x1d004), 3, 0).words(), Reason::patch_address, 4);
  Refused(Binary().Patch(AddressOf(0, 1, 0xa0004), 1, 0).words(), Reason::patch_address, 4);
  Refused(Binary().Patch(AddressOf(0, 2, 0x1d000), 2, 0).words(), Reason::patch_address, 4);
}

TEST(Player, MalformedWordsAreRefusedWithTheirPlace) {
  const auto good = Binary().Write(AddressOf(0, 0, 0), 1).Poll(0, 0, 0).words();
  const auto with = [&](uint32_t word, uint32_t value) {
    auto words = good;
    words[word] = value;
    return words;
  };
  Refused(with(0, 0x06030101), Reason::binary_version, 0);
  Refused(with(2, 1), Reason::operation_count, 10);
  Refused(with(2, 3), Reason::operation_count, 2);
  Refused(with(3, 64), Reason::binary_bytes, 3);
  Refused(with(3, 69), Reason::binary_bytes, 3);
  Refused(with(4, 0x100), Reason::operation_field, 4);
  Refused(with(5, 1), Reason::operation_field, 5);
  Refused(with(7, 1), Reason::operation_field, 7);
  Refused(with(9, 20), Reason::operation_size, 9);
  Refused(with(16, 32), Reason::operation_size, 16);
  auto block = Binary().Block(0, {1, 2, 3}).words();
  block[7] = 12;
  Refused(block, Reason::operation_size, 7);
  block[7] = 0xfffffffc;
  Refused(block, Reason::binary_truncated, 7);
  auto sync = Binary().Sync(0, 0, true, 0).words();
  sync[6] = 2;
  Refused(sync, Reason::operation_field, 6);
  sync[6] = 1;
  sync[7] = 0x00000100;
  Refused(sync, Reason::sync_range, 7);
  auto patch = Binary().Patch(AddressOf(0, 0, 0x1d004), 0, 0).words();
  patch[9] = 1;
  Refused(patch, Reason::operation_field, 9);
}

TEST(Player, EveryTruncationIsRefused) {
  const auto good = Binary()
                        .Write(AddressOf(0, 0, 0), 1)
                        .Block(AddressOf(0, 0, 0), {1, 2, 3})
                        .Sync(0, 0, true, 0)
                        .Patch(AddressOf(0, 0, 0x1d004), 0, 0)
                        .words();
  for (uint32_t size = 0; size < good.size(); ++size) {
    std::vector<uint32_t> words(good.begin(), good.begin() + size);
    Registers bus;
    EXPECT_FALSE(Play(bus, words).ok()) << size;
    if (size >= 4) words[3] = 4 * size;
    EXPECT_FALSE(Play(bus, words).ok()) << size;
    EXPECT_TRUE(bus.writes.empty());
  }
  Registers bus;
  EXPECT_FALSE(Player<Registers>(bus, kTiles, 5).Play(nullptr, 0, kGiven).ok());
  EXPECT_FALSE(Player<Registers>(bus, kTiles, 0).Play(good.data(), 40, kGiven).ok());
}

// Whatever a binary holds, the player stays within the words and the instances.
TEST(Player, RandomBinaries) {
  std::mt19937 engine(5);
  const auto random = [&] { return static_cast<uint32_t>(engine()); };
  uint32_t played = 0;
  for (uint32_t n = 0; n < 50000; ++n) {
    Binary binary;
    const uint32_t columns[] = {0, 0, 0, 1, 3, 2}, rows[] = {0, 1, 2, 1, 4, 0};
    for (uint32_t k = random() % 4; k > 0; --k) {
      const uint32_t tile = random() % 60 == 0 ? 5 : random() % 5;
      const uint32_t address = AddressOf(columns[tile], rows[tile], (random() % 0x40000) * 4);
      switch (random() % 6) {
        case 0:
          binary.Write(address, random());
          break;
        case 1:
          binary.Block(address, std::vector<uint32_t>(random() % 9, 3));
          break;
        case 2:
          binary.MaskWrite(address, random(), random());
          break;
        case 3:
          binary.Poll(address, 0, random());
          break;
        case 4:
          binary.Sync(columns[tile], rows[tile], random() % 2 != 0, random() % 3);
          break;
        default:
          binary.Patch(AddressOf(0, 0, 0x1d004 + random() % 16 * 0x20), random() % 7, random() * 4);
      }
    }
    auto words = binary.words();
    if (random() % 2 != 0) words[random() % words.size()] = random() >> random() % 32;
    if (random() % 8 == 0) words.resize(random() % words.size());
    const std::vector<uint32_t> exact(words.begin(), words.end());  // no room behind the last
    Registers bus;
    played += Play(bus, exact).ok() ? 1 : 0;
    for (const auto& [at, value] : bus.values) ASSERT_LT(at, 0x500000u);
  }
  EXPECT_GT(played, 10000u);
}

}  // namespace
}  // namespace tessera::driver::npu
