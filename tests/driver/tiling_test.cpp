// Lowerings against what they mean: the transfer that the hardware would execute, by the reference
// model, moves what the tiling, the copy or the helper says, enumerated element by element.
#include <random>

#include "tests/driver/fixture.h"
#include "tests/driver/meaning.h"

namespace tessera::driver {
namespace {

using meaning::kBase;

class LoweringTest : public DriverTest {
 protected:
  std::vector<uint8_t> Meaning(const tiling_parameters& t, uint32_t bits) {
    return meaning::Of(At(), t, bits);
  }
  std::vector<uint8_t> Meaning(const memcpy_nd& c) { return meaning::Of(At(), c); }
  meaning::Memory At() {
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

TEST_F(LoweringTest, EdgesAndHalosAreOneDescriptor) {
  tiling_parameters t;
  t.buffer_dimension = {10, 7};
  t.tiling_dimension = {6, 5};
  t.offset = {-1, -1};
  t.tile_traversal = {{0, 4, 3}, {1, 3, 3}};
  t.boundary_dimension = {9, 7};
  const Result<Descriptor> made = Lower(t, kBase, 32, device.build());
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made.value.has_bounds());
  EXPECT_TRUE(made.value.has_walk());
  EXPECT_EQ(Moved(made), Meaning(t, 32));
}

TEST_F(LoweringTest, ElementsWiderThanTheBusAreSplit) {
  tiling_parameters t;
  t.buffer_dimension = {5, 4};
  t.tiling_dimension = {3, 3};
  t.offset = {-1, 2};
  t.tile_traversal = {{0, 2, 2}};
  for (uint32_t bits : {128u, 256u, 512u}) {
    EXPECT_EQ(Moved(Lower(t, kBase, bits, device.build())), Meaning(t, bits)) << bits;
  }
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
    const auto [t, bits, format] = meaning::DrawTiling(random);
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
// -----------------------------------------------------------

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
// ------------------------------------------------------------------------------------

TEST_F(LoweringTest, MemcpyNdMeansWhatItSays) {
  std::mt19937_64 random(11);
  for (int n = 0; n < 2000; ++n) {
    const memcpy_nd c = meaning::DrawCopy(random, 4);  // to 64 bits: the width of the bus
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
// --------------------------------------------------------------------------------------

TEST_F(LoweringTest, TransposeInterleaveHaloIm2col) {
  std::vector<uint8_t> expected;
  for (uint64_t column = 0; column < 3; ++column) {
    for (uint64_t row = 0; row < 4; ++row) {
      for (uint64_t byte = 0; byte < 2; ++byte)
        expected.push_back(mock.memory().Read(kBase + 10 * row + 2 * column + byte));
    }
  }
  EXPECT_EQ(Moved(Transpose(kBase, 4, 3, 10, 2, device.build())), expected);

  expected.clear();
  for (uint64_t n = 0; n < 5; ++n) {
    for (uint64_t plane = 0; plane < 3; ++plane)
      expected.push_back(mock.memory().Read(kBase + 100 * plane + n));
  }
  EXPECT_EQ(Moved(Interleave(kBase, 3, 5, 100, 1, device.build())), expected);

  expected.clear();
  const auto pixel = [&](int64_t x, int64_t y, uint64_t width, uint64_t height, uint64_t bytes) {
    const bool inside =
        x >= 0 && y >= 0 && x < static_cast<int64_t>(width) && y < static_cast<int64_t>(height);
    for (uint64_t n = 0; n < bytes; ++n) {
      const uint64_t at =
          kBase + (static_cast<uint64_t>(y) * width + static_cast<uint64_t>(x)) * bytes + n;
      expected.push_back(inside ? mock.memory().Read(at) : 0);
    }
  };
  meaning::EachOfHalo(10, 7, 4, 1, [&](int64_t x, int64_t y) { pixel(x, y, 10, 7, 2); });
  EXPECT_EQ(Moved(Halo(kBase, 10, 7, 4, 4, 1, 2, device.build())), expected);

  expected.clear();
  ConvolutionShape shape = meaning::kConvolution;
  meaning::EachOfConvolution(shape, [&](int64_t x, int64_t y) { pixel(x, y, 8, 6, 5); });
  EXPECT_EQ(Moved(Im2col(kBase, shape, 1, device.build())), expected);
  shape.kernel_width = 11;
  EXPECT_EQ(Im2col(kBase, shape, 1, device.build()).status.reason(), Reason::image_size);
}

TEST_F(LoweringTest, HelpersRefuseWhatIsNothing) {
  const Capabilities& build = device.build();
  EXPECT_EQ(Copy(0, 0, build).status.reason(), Reason::zero_size);
  EXPECT_EQ(Window2d(0, 4, 0, 8, build).status.reason(), Reason::zero_size);
  EXPECT_EQ(Transpose(0, 4, 4, 8, 3, build).status.reason(), Reason::element_size);
  EXPECT_EQ(Interleave(0, 0, 4, 8, 1, build).status.reason(), Reason::zero_size);
  EXPECT_EQ(Halo(0, 0, 4, 8, 1, 1, 1, build).status.reason(), Reason::image_size);
  Descriptor list[1];
  EXPECT_EQ(Rows(nullptr, 0, 4, Direction::kToStream, build, list).reason(), Reason::zero_size);
}

}  // namespace
}  // namespace tessera::driver
