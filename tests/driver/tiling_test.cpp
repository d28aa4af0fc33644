// Lowerings against what they mean: the transfer that the hardware would execute, by the reference
// model, moves what the tiling, the copy or the helper says, enumerated element by element.
#include <functional>
#include <random>
#include <utility>

#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

// ---- What tilings and copies say, by their definitions: without the driver's lowering

constexpr uint64_t kBase = 0x10000;

// The byte at an address.
using Memory = std::function<uint8_t(uint64_t)>;

// Four bits of memory at a time: what an element of any size is made of.
class Nibbles {
 public:
  Nibbles(Memory memory, uint32_t element_bits)
      : memory_(std::move(memory)), per_element_(element_bits / 4) {}
  void Data(int64_t element) {
    for (uint32_t n = 0; n < per_element_; ++n) {
      const int64_t nibble = element * per_element_ + n;
      const uint8_t byte = memory_(kBase + static_cast<uint64_t>(nibble >> 1));
      Put((nibble & 1) != 0 ? byte >> 4 : byte & 15);
    }
  }
  void Zero() {
    for (uint32_t n = 0; n < per_element_; ++n) Put(0);
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void Put(int nibble) {
    if (half_) {
      bytes_.back() = static_cast<uint8_t>(bytes_.back() | nibble << 4);
    } else {
      bytes_.push_back(static_cast<uint8_t>(nibble));
    }
    half_ = !half_;
  }
  Memory memory_;
  uint32_t per_element_;
  std::vector<uint8_t> bytes_;
  bool half_ = false;
};

// What a tiling says, by its definition.
std::vector<uint8_t> Of(const Memory& memory, const tiling_parameters& t, uint32_t element_bits) {
  Nibbles out(memory, element_bits);
  const uint32_t rank = t.buffer_dimension.size;
  uint32_t turns[4] = {};
  const auto wrap = [&](uint32_t k) {
    return k < t.tile_traversal.size ? t.tile_traversal.at[k].wrap : 1;
  };
  const auto tile = [&](uint32_t d) { return d < rank ? t.tiling_dimension[d] : 1; };
  for (turns[3] = 0; turns[3] < wrap(3); ++turns[3])
    for (turns[2] = 0; turns[2] < wrap(2); ++turns[2])
      for (turns[1] = 0; turns[1] < wrap(1); ++turns[1])
        for (turns[0] = 0; turns[0] < wrap(0); ++turns[0])
          for (uint32_t n = 0; n < tile(0) * tile(1) * tile(2) * tile(3); ++n) {
            uint32_t rest = n;
            int64_t index = 0, scale = 1;
            bool inside = true;
            for (uint32_t d = 0; d < rank; ++d) {
              int64_t x = t.offset[d] + static_cast<int64_t>(rest % tile(d));
              rest /= tile(d);
              for (uint32_t k = 0; k < t.tile_traversal.size; ++k) {
                if (t.tile_traversal.at[k].dimension == d) {
                  x += static_cast<int64_t>(t.tile_traversal.at[k].stride) * turns[k];
                }
              }
              const uint32_t bound =
                  t.boundary_dimension.size != 0 ? t.boundary_dimension[d] : t.buffer_dimension[d];
              inside = inside && x >= 0 && x < static_cast<int64_t>(bound);
              index += x * scale;
              scale *= t.buffer_dimension[d];
            }
            if (inside) {
              out.Data(index);
            } else {
              out.Zero();
            }
          }
  return out.bytes();
}

// What a copy says.
std::vector<uint8_t> Of(const Memory& memory, const memcpy_nd& c) {
  Nibbles out(memory, c.element_bits);
  int64_t offset = 0;
  for (int n = 0; n < 4; ++n) offset += int64_t{c.offsets[n]} * c.strides[n];
  const auto extent = [&](int n) {
    return int64_t{c.sizes[n]} + (n > 0 ? c.zero_before[n - 1] + c.zero_after[n - 1] : 0);
  };
  for (int64_t i3 = 0; i3 < extent(0); ++i3)
    for (int64_t i2 = 0; i2 < extent(1); ++i2)
      for (int64_t i1 = 0; i1 < extent(2); ++i1)
        for (int64_t i0 = 0; i0 < extent(3); ++i0) {
          const int64_t i[4] = {i3, i2, i1, i0};
          bool data = true;
          int64_t index = offset;
          for (int n = 0; n < 4; ++n) {
            const int64_t x = i[n] - (n > 0 ? c.zero_before[n - 1] : 0);
            data = data && x >= 0 && x < c.sizes[n];
            index += x * c.strides[n];
          }
          if (data) {
            out.Data(index);
          } else {
            out.Zero();
          }
        }
  return out.bytes();
}

// ---- Random ones that are legal -----------------------------------------------------------------

int64_t Draw(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

struct DrawnTiling {
  tiling_parameters tiling;
  uint32_t bits = 0;
  Format format = Format::kNative;
};

DrawnTiling DrawTiling(std::mt19937_64& random) {
  const auto draw = [&](int64_t low, int64_t high) { return Draw(random, low, high); };
  DrawnTiling drawn;
  tiling_parameters& t = drawn.tiling;
  drawn.bits = 4u << draw(0, 7);
  drawn.format = draw(0, 3) == 0 ? Format::kWord32 : Format::kNative;
  const auto group = static_cast<uint32_t>(1 << GroupingOf(drawn.bits, drawn.format).group_log2);
  const auto rank = static_cast<uint32_t>(draw(1, 4));
  const bool boundary = draw(0, 2) == 0;
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t unit = d == 0 ? group : 1;
    t.buffer_dimension.Push(unit * static_cast<uint32_t>(draw(1, 6)));
    t.tiling_dimension.Push(unit * static_cast<uint32_t>(draw(1, 4)));
    t.offset.Push(static_cast<int32_t>(unit) *
                  static_cast<int32_t>(draw(0, 2) == 0 ? draw(-3, 6) : draw(0, 1)));
    if (boundary)
      t.boundary_dimension.Push(unit *
                                static_cast<uint32_t>(draw(1, t.buffer_dimension[d] / unit)));
  }
  for (int64_t levels = draw(0, 4); levels > 0; --levels) {
    const auto dim = static_cast<uint32_t>(draw(0, rank - 1));
    const auto unit = static_cast<int32_t>(dim == 0 ? group : 1);
    t.tile_traversal.Push(
        {dim, unit * static_cast<int32_t>(draw(-2, 3)), static_cast<uint32_t>(draw(1, 3))});
  }
  return drawn;
}

// Elements of 4 to 512 bits; the bus has 64.
memcpy_nd DrawCopy(std::mt19937_64& random) {
  const auto draw = [&](int64_t low, int64_t high) { return Draw(random, low, high); };
  memcpy_nd c;
  c.element_bits = 4u << draw(0, 7);
  c.format = draw(0, 2) == 0 ? Format::kWord32 : Format::kNative;
  const auto group = static_cast<uint32_t>(1 << GroupingOf(c.element_bits, c.format).group_log2);
  for (int d = 0; d < 4; ++d) {
    const uint32_t unit = d == 3 ? group : 1;
    c.sizes[d] = unit * static_cast<uint32_t>(draw(1, 4));
    c.strides[d] = static_cast<int32_t>(group) * static_cast<int32_t>(draw(0, 9));
    c.offsets[d] = static_cast<uint32_t>(draw(0, 3)) * unit;
    const auto padding = [&] {
      return static_cast<uint16_t>(unit * static_cast<uint32_t>(draw(0, 3)));
    };
    if (d > 0 && draw(0, 2) == 0) c.zero_before[d - 1] = padding();
    if (d > 0 && draw(0, 2) == 0) c.zero_after[d - 1] = padding();
  }
  // Elements that are wider than the bus lie side by side, or there is one of them.
  const bool wide = c.element_bits > 64;
  if (wide && draw(0, 1) == 0) c.sizes[3] = 1;
  if (group > 1 || (wide && c.sizes[3] != 1) || draw(0, 1) == 0) c.strides[3] = 1;
  return c;
}

class LoweringTest : public DriverTest {
 protected:
  std::vector<uint8_t> Meaning(const tiling_parameters& t, uint32_t bits) {
    return Of(At(), t, bits);
  }
  std::vector<uint8_t> Meaning(const memcpy_nd& c) { return Of(At(), c); }
  Memory At() {
    return [this](uint64_t address) { return mock.memory().Read(address); };
  }
  std::vector<uint8_t> Moved(const Result<Descriptor>& made) {
    EXPECT_TRUE(made.ok()) << Text(made.status) << " " << int{made.status.index()};
    Task<MockChannel> task(reader, pool);
    mock.ForgetSent(0);
    mock.ClearLog();
    const Result<Completion> done = task.Run(made);
    EXPECT_TRUE(done.ok()) << Text(done.status);
    EXPECT_TRUE(task.Free().ok());
    return mock.sent_bytes(0);
  }
};

TEST_F(LoweringTest, ATilingInsideNeedsNoExtension) {
  tiling_parameters t;
  t.buffer_dimension = {64, 32};
  t.tiling_dimension = {8, 4};
  t.offset = {8, 4};
  t.tile_traversal = {{0, 8, 6}, {1, 4, 3}};
  const Result<Descriptor> made = Lower(t, kBase, 16, device.build());
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(made.value.has_bounds());
  EXPECT_FALSE(made.value.has_walk());
  EXPECT_EQ(Moved(made), Meaning(t, 16));
}

TEST_F(LoweringTest, SubWordElementsGoInGroups) {
  struct Row {
    uint32_t bits;
    Format format;
    uint32_t group;
  };
  for (const Row row :
       {Row{4, Format::kNative, 2}, Row{8, Format::kNative, 1}, Row{16, Format::kNative, 1},
        Row{4, Format::kWord32, 8}, Row{8, Format::kWord32, 4}, Row{16, Format::kWord32, 2},
        Row{32, Format::kWord32, 1}, Row{64, Format::kWord32, 1}}) {
    tiling_parameters t;
    t.buffer_dimension = {4 * row.group, 3};
    t.tiling_dimension = {2 * row.group, 2};
    t.offset = {-static_cast<int32_t>(row.group), 1};
    t.tile_traversal = {{0, static_cast<int32_t>(row.group), 4}};
    EXPECT_EQ(Moved(Lower(t, kBase, row.bits, device.build(), row.format)), Meaning(t, row.bits))
        << row.bits;
    if (row.group == 1) continue;
    // Half a group anywhere along dimension 0 is refused.
    for (int which = 0; which < 5; ++which) {
      tiling_parameters wrong = t;
      if (which == 0) wrong.buffer_dimension.at[0] += row.group / 2;
      if (which == 1) wrong.tiling_dimension.at[0] += row.group / 2;
      if (which == 2) wrong.offset.at[0] += static_cast<int32_t>(row.group / 2);
      if (which == 3) wrong.tile_traversal.at[0].stride += static_cast<int32_t>(row.group / 2);
      if (which == 4) wrong.boundary_dimension = {row.group + row.group / 2, 2};
      EXPECT_EQ(Lower(wrong, kBase, row.bits, device.build(), row.format).status.reason(),
                Reason::subword_group)
          << row.bits << " " << which;
    }
  }
}

TEST_F(LoweringTest, RandomTilingsMeanWhatTheySay) {
  std::mt19937_64 random(7);
  int done = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto [t, bits, format] = DrawTiling(random);
    const Result<Descriptor> made = Lower(t, kBase, bits, device.build(), format);
    ASSERT_TRUE(made.ok()) << n << ": " << Text(made.status);
    ASSERT_EQ(Moved(made), Meaning(t, bits)) << "tiling " << n;
    ++done;
    // The other way: the bytes of the tiles come back to where they were, and nowhere else.
    if (n % 10 != 0) continue;
    Task<MockChannel> task(writer, pool);
    const std::vector<uint8_t> bytes = Meaning(t, bits);
    mock.Offer(0, bytes);
    ASSERT_TRUE(task.Run(made).ok());
    ASSERT_TRUE(task.Free().ok());
  }
  EXPECT_EQ(done, 3000);
  // What was written is what was there: the background still stands everywhere.
  model::MemoryImage fresh;
  mock.memory().ForEachWritten(
      [&](uint64_t address, uint8_t value) { ASSERT_EQ(value, fresh.Read(address)); });
}

TEST_F(LoweringTest, EveryRuleOfTilingsHasItsReason) {
  tiling_parameters good;
  good.buffer_dimension = {8, 8};
  good.tiling_dimension = {4, 4};
  const auto reason = [&](auto change, uint32_t bits = 8) {
    tiling_parameters t = good;
    change(t);
    return Lower(t, kBase, bits, device.build()).status;
  };
  EXPECT_EQ(reason([](auto&) {}).reason(), Reason::none);
  EXPECT_EQ(reason([](auto&) {}, 12).reason(), Reason::element_bits);
  EXPECT_EQ(reason([](auto&) {}, 1024).reason(), Reason::element_bits);
  EXPECT_EQ(reason([](auto& t) { t.offset = {1}; }).reason(), Reason::rank);
  EXPECT_EQ(reason([](auto& t) { t.tiling_dimension = {1}; }).reason(), Reason::rank);
  EXPECT_EQ(reason([](auto& t) { t.buffer_dimension = {}; }).reason(), Reason::rank);
  EXPECT_EQ(reason([](auto& t) { t.boundary_dimension = {8}; }).reason(), Reason::rank);
  EXPECT_EQ(reason([](auto& t) { t.buffer_dimension = {8, 0}; }), Status(Reason::buffer_zero, 1));
  EXPECT_EQ(reason([](auto& t) { t.tiling_dimension = {8, 0}; }), Status(Reason::tile_zero, 1));
  EXPECT_EQ(reason([](auto& t) {
              t.boundary_dimension = {8, 9};
            }),
            Status(Reason::boundary_range, 1));
  EXPECT_EQ(reason([](auto& t) {
              t.boundary_dimension = {0, 8};
            }),
            Status(Reason::boundary_range, 0));
  EXPECT_EQ(reason([](auto& t) {
              t.tile_traversal = {{2, 1, 1}};
            }),
            Status(Reason::traversal_dimension, 0));
  EXPECT_EQ(reason([](auto& t) {
              t.tile_traversal = {{1, 1, 0}};
            }),
            Status(Reason::traversal_wrap, 0));
  EXPECT_EQ(reason([](auto& t) { t.packet_port_id = 32; }).reason(), Reason::packet_id);
  EXPECT_EQ(reason([](auto& t) { t.packet_port_id = -2; }).reason(), Reason::packet_id);
  EXPECT_EQ(reason([](auto& t) {
              t.buffer_dimension = {0x80000000u, 0x80000000u};
            }).reason(),
            Reason::buffer_size);
  EXPECT_EQ(reason([](auto& t) {
              t.tile_traversal = {{1, 1 << 20, 1u << 12}};
            }).reason(),
            Reason::coordinate_range);
  EXPECT_EQ(reason([](auto& t) { t.packet_port_id = 3; }).reason(), Reason::none);
}

TEST_F(LoweringTest, NumbersAtTheEndOfTheirRanges) {
  const auto status = [&](const tiling_parameters& t, uint32_t bits = 8) {
    return Lower(t, kBase, bits, device.build()).status;
  };
  constexpr uint32_t kMost = 0x80000000u;
  const auto tiling = [](List<uint32_t> buffer, List<uint32_t> tile, List<int32_t> offset = {},
                         List<traversing_parameters> traversal = {}) {
    return tiling_parameters{.buffer_dimension = buffer,
                             .tiling_dimension = tile,
                             .offset = offset,
                             .tile_traversal = traversal};
  };
  EXPECT_EQ(status(tiling({kMost + 1}, {1})), Status(Reason::bound_range, 0));
  EXPECT_EQ(status(tiling({1, 8}, {1, kMost})), Status(Reason::bound_range, 1));
  EXPECT_EQ(status(tiling({kMost}, {1})).reason(), Reason::none);
  // Elements of 512 bits are eight of the bus: more than 32 bits of them.
  EXPECT_EQ(status(tiling({kMost}, {1}), 512), Status(Reason::buffer_size, 0));
  EXPECT_EQ(status(tiling({64}, {kMost - 1}), 512), Status(Reason::buffer_size, 0));
  EXPECT_EQ(status(tiling({64}, {1}, {INT32_MIN}), 512), Status(Reason::buffer_size, 0));
  EXPECT_EQ(status(tiling({64}, {1}, {INT32_MAX}), 512), Status(Reason::buffer_size, 0));
  EXPECT_EQ(status(tiling({1u << 28}, {1}, {1 << 28}), 512), Status(Reason::coordinate_range, 0));
  EXPECT_EQ(status(tiling({64}, {1}, {}, {{0, 1 << 30, 2}}), 512), Status(Reason::walk_reach, 0));
  EXPECT_EQ(status(tiling({64}, {1}, {}, {{0, 1 << 28, 2}}), 512), Status(Reason::walk_reach, 0));
  EXPECT_EQ(status(tiling({kMost, 2, kMost}, {1, 1, 1})), Status(Reason::buffer_size, 2));
  // The way of a tile, down and up, in one level and in several.
  EXPECT_EQ(status(tiling({8}, {1}, {INT32_MIN}, {{0, -1, 2}})),
            Status(Reason::coordinate_range, 0));
  EXPECT_EQ(status(tiling({8}, {2}, {INT32_MAX})), Status(Reason::coordinate_range, 0));
  const traversing_parameters far{0, INT32_MAX, ~0u}, back{0, INT32_MIN, ~0u};
  EXPECT_EQ(status(tiling({8}, {1}, {}, {far, far, far, far})),
            Status(Reason::coordinate_range, 0));
  EXPECT_EQ(status(tiling({8}, {1}, {}, {back, back, back, back})),
            Status(Reason::coordinate_range, 0));
  // A tile that is larger than its buffer, of large strides.
  EXPECT_EQ(status(tiling({kMost, 1u << 29}, {kMost - 1, kMost - 1})).reason(), Reason::none);
  // Two dimensions that could be one row of 2^32 bytes stay two.
  const Result<Descriptor> made =
      Lower(tiling({1u << 16, 1u << 16}, {1u << 16, 1u << 16}), kBase, 8, device.build());
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value.count(1), 1u << 16);
  EXPECT_EQ(made.value.stride(1), 1 << 16);
  List<int> full{1, 2, 3};
  EXPECT_TRUE(full.Push(4));
  EXPECT_FALSE(full.Push(5));
}

TEST_F(LoweringTest, WildNumbersHaveADescriptorThatTheBuildCanExecuteOrNone) {
  std::mt19937_64 random(5);
  const auto wild = [&]() -> uint32_t {
    const auto n = static_cast<uint32_t>(random());
    return random() % 4 != 0 ? n % 9 + 1 : random() % 2 == 0 ? n >> (random() % 32) : 0u - n % 9;
  };
  uint32_t good = 0;
  for (int n = 0; n < 20'000; ++n) {
    Capabilities build = kLargestBuild;
    build.data_log2 = static_cast<uint8_t>(random() % 8);
    build.address_bits = static_cast<uint8_t>(32 + random() % 33);
    const uint32_t bits = random() % 9 == 0 ? wild() : 4u << random() % 8;
    const Format format = random() % 2 == 0 ? Format::kNative : Format::kWord32;
    tiling_parameters t;
    const uint64_t rank = random() % 4 + 1;
    for (uint64_t d = 0; d < rank; ++d) {
      t.buffer_dimension.Push(wild());
      t.tiling_dimension.Push(wild());
      if (n % 2 == 0) t.offset.Push(static_cast<int32_t>(wild()));
      if (n % 3 == 0) t.boundary_dimension.Push(wild());
    }
    for (uint64_t k = random() % 5; k > 0; --k) {
      t.tile_traversal.Push(
          {static_cast<uint32_t>(random() % rank), static_cast<int32_t>(wild()), wild()});
    }
    const Result<Descriptor> made = Lower(t, random(), bits, build, format);
    good += made.ok() ? 1 : 0;
    EXPECT_TRUE(!made.ok() || made.value.Check(build).ok());
    memcpy_nd c;
    c.element_bits = bits;
    c.format = format;
    for (uint32_t d = 0; d < 4; ++d) {
      c.offsets[d] = wild();
      c.sizes[d] = wild();
      c.strides[d] = static_cast<int32_t>(wild());
      if (d < 3) c.zero_before[d] = static_cast<uint16_t>(wild());
      if (d < 3) c.zero_after[d] = static_cast<uint16_t>(wild());
    }
    const Result<LoweredCopy> copy = Lower(c, random(), build);
    good += copy.ok() ? 1 : 0;
    EXPECT_TRUE(!copy.ok() || copy.value.descriptor.Check(build).ok());
    const ConvolutionShape s{wild(), wild(), wild(), wild(), wild(),
                             wild(), wild(), wild(), wild()};
    good += Im2col(random(), s, wild(), build).ok() ? 1 : 0;
    good += Halo(random(), wild(), wild(), wild(), wild(), wild(), wild(), build).ok() ? 1 : 0;
  }
  EXPECT_GT(good, 500u);
}

TEST(Lowering, WithoutTraversalsWhatFitsIntoFourLoopsGoes) {
  Capabilities build = kLargestBuild;
  build.features = 0;
  tiling_parameters t;
  t.buffer_dimension = {64, 64};
  t.tiling_dimension = {8, 8};
  t.tile_traversal = {{0, 8, 8}, {1, 8, 8}};
  EXPECT_TRUE(Lower(t, 0, 8, build).ok());
  t.tile_traversal = {{0, 4, 8}, {1, 8, 4}, {0, 16, 2}};
  EXPECT_EQ(Lower(t, 0, 8, build).status.reason(), Reason::too_many_dimensions);
  t.tile_traversal = {{0, 8, 9}};
  EXPECT_EQ(Lower(t, 0, 8, build).status.code(), Code::unsupported);
}

// ---- Known when the program is compiled

constexpr tiling_parameters kTiles{.buffer_dimension = {16, 8},
                                   .tiling_dimension = {4, 4},
                                   .offset = {-1, 0},
                                   .tile_traversal = {{0, 4, 5}, {1, 4, 2}}};

TEST_F(LoweringTest, AConstantTilingIsLoweredByTheCompiler) {
  constexpr Placeable kMade = Lowered<kTiles, 16>();
  static_assert(kMade.descriptor.has_walk());
  EXPECT_EQ(Moved({kMade.At(kBase), {}}), Meaning(kTiles, 16));
  const Placeable late = Lowered<kTiles, 16>();  // the same while the program runs
  EXPECT_EQ(Moved({late.At(kBase), {}}), Meaning(kTiles, 16));
}

// ---- memcpy_nd

TEST_F(LoweringTest, MemcpyNdMeansWhatItSays) {
  std::mt19937_64 random(11);
  for (int n = 0; n < 2000; ++n) {
    const memcpy_nd c = DrawCopy(random);
    const Result<LoweredCopy> made = Lower(c, kBase, device.build());
    ASSERT_TRUE(made.ok()) << n << ": " << Text(made.status);
    ASSERT_EQ(Moved({made.value.descriptor, made.status}), Meaning(c)) << n;
  }
}

TEST_F(LoweringTest, MemcpyNdIsStartedAsItSays) {
  memcpy_nd c;
  c.sizes[3] = 8;
  c.repeat = 3;
  c.issue_token = true;
  c.packet_id = 9;
  c.packet_type = 2;
  const Result<LoweredCopy> made = Lower(c, kBase, device.build());
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made.value.options.token);
  EXPECT_EQ(made.value.options.repeats, 3u);
  EXPECT_EQ(made.value.descriptor.word(15) >> 16 & 0xff, 9u | 2u << 5);
}

TEST_F(LoweringTest, EveryRuleOfMemcpyNdHasItsReason) {
  const auto reason = [&](auto change, uint64_t base = kBase) {
    memcpy_nd c;
    c.sizes[3] = 8;
    change(c);
    return Lower(c, base, device.build()).status;
  };
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 5; }).reason(), Reason::element_bits);
  EXPECT_EQ(reason([](auto& c) { c.sizes[1] = 0; }), Status(Reason::size_zero, 2));
  EXPECT_EQ(reason([](auto& c) { c.repeat = 0; }).reason(), Reason::repeat_range);
  EXPECT_EQ(reason([](auto& c) { c.packet_id = 32; }).reason(), Reason::packet_id);
  EXPECT_EQ(
      reason([](auto& c) { c.element_bits = 8, c.format = Format::kWord32, c.strides[3] = 2; }),
      Status(Reason::stride_word, 0));
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 8, c.format = Format::kWord32, c.sizes[3] = 6; }),
            Status(Reason::subword_group, 0));
  EXPECT_EQ(reason([](auto& c) {
              c.element_bits = 16, c.format = Format::kWord32, c.sizes[2] = 2, c.strides[2] = 3;
            }),
            Status(Reason::stride_word, 1));
  EXPECT_EQ(reason([](auto& c) {
              c.element_bits = 16, c.format = Format::kWord32, c.offsets[3] = 1;
            }).reason(),
            Reason::offset_word);
  EXPECT_EQ(reason([](auto& c) { c.format = Format::kWord32; }, kBase + 2).reason(),
            Reason::offset_word);
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 4, c.zero_before[2] = 1; }),
            Status(Reason::subword_group, 0));
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 128, c.strides[3] = 2; }),
            Status(Reason::element_size, 0));
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 4, c.zero_after[2] = 1; }),
            Status(Reason::subword_group, 0));
  EXPECT_EQ(reason([](auto& c) {
              c.element_bits = 8, c.format = Format::kWord32, c.sizes[3] = 1, c.strides[3] = 2;
            }),
            Status(Reason::subword_group, 0));
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 4, c.sizes[2] = 2, c.strides[2] = 3; }),
            Status(Reason::stride_word, 1));
  EXPECT_EQ(reason([](auto& c) { c.element_bits = 4, c.offsets[3] = 1; }).reason(),
            Reason::offset_word);
  EXPECT_EQ(reason([](auto& c) { c.sizes[3] = ~0u, c.zero_before[2] = 1; }),
            Status(Reason::row_bytes, 0));
  EXPECT_TRUE(reason([](auto& c) { c.element_bits = 128, c.sizes[3] = 1, c.strides[3] = 2; }).ok());
  // A stride of a dimension with one position does not matter.
  EXPECT_TRUE(reason([](auto& c) {
                c.element_bits = 16, c.format = Format::kWord32, c.strides[2] = 3;
              }).ok());
}

// ---- Helpers

}  // namespace
}  // namespace tessera::driver
