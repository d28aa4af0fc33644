// What the descriptors of the world mean: each source of the norm's table as a transfer, with an
// example.
#include "tests/model/support.h"

namespace tessera::model {
namespace {

TEST(Mapping, AieMemoryTilePads61x56BytesTo64x64) {
  Proves({"map.aie-memory-tile"});
  // 61 rows of 14 words; one word before and after each row, one row before and two after.
  MemoryImage memory;
  for (uint64_t n = 0; n < 61 * 56; ++n)
    memory.Write(0x80000 + n, static_cast<uint8_t>(1 + n % 251));
  Transfer t;
  t.elem = 4;
  t.base = 0x80000;
  t.count = {1 + 14 + 1, 1 + 61 + 2, 1, 1};
  t.stride = {4, 56, 0, 0};
  t.start = {-1, -1, 0, 0};
  t.bound[0] = 14;
  t.bound[1] = 61;
  t.length = 1024;  // Buffer_Length counts the zeros
  Build build;
  build.stream_bytes = 4;
  ReadModel model(build, memory);
  const Record record = model.Run(t);
  EXPECT_EQ(record.bytes, 4096u);
  ASSERT_EQ(model.beats().size(), 1024u);
  size_t data_words = 0;
  for (size_t n = 0; n < 1024; ++n) {
    const size_t row = n / 16, word = n % 16;
    const bool data = row >= 1 && row <= 61 && word >= 1 && word <= 14;
    data_words += data ? 1 : 0;
    for (size_t b = 0; b < 4; ++b) {
      const size_t byte = data ? (row - 1) * 56 + (word - 1) * 4 + b : 0;
      ASSERT_EQ(model.beats()[n].data[b], data ? 1 + byte % 251 : 0)
          << "word " << n << " byte " << b;
    }
    EXPECT_EQ(model.beats()[n].last, n == 1023);
  }
  EXPECT_EQ(data_words, 854u);
}

TEST(Mapping, AieShimLengthStepsTheOutermostDimension) {
  Proves({"map.aie-shim", "length.steps-on"});
  // D0 wrap 2 step 1, D1 wrap 2 step 4, D2 step 16, all in words; length 10 words.
  Transfer t;
  t.elem = 4;
  t.count = {2, 2, 1, 1};  // the outermost of three dimensions is the last
  t.stride = {4, 16, 0, 64};
  t.length = 10;
  EXPECT_EQ(Addresses(t), (std::vector<uint64_t>{0, 4, 16, 20, 64, 68, 80, 84, 128, 132}));
}

TEST(Mapping, AieWrapZeroNeverWraps) {
  Proves({"map.aie-shim"});
  // D0 wrap 0: a linear transfer of more words than any wrap field holds.
  Transfer t;
  t.elem = 4;
  t.count[0] = ~0u;
  t.stride[0] = 4;
  t.length = 3000;
  const auto addresses = Addresses(t);
  ASSERT_EQ(addresses.size(), 3000u);
  EXPECT_EQ(addresses.back(), 4u * 2999);
}

TEST(Mapping, AieIterationIsAnOffset) {
  Proves({"map.aie-iteration", "field.offset"});
  // start 1, size 3, step 32 bytes: executions see 32, 64, 0, 32.
  const std::array<uint64_t, 4> expected{32, 64, 0, 32};
  for (uint64_t k = 0; k < 4; ++k) {
    Transfer t = Copy(0x100, 1);
    t.offset = ((1 + k) % 3) * 32;
    EXPECT_EQ(Addresses(t), (std::vector<uint64_t>{0x100 + expected[k]}));
  }
}

TEST(Mapping, Vitis9x64Descriptor) {
  Proves({"map.vitis-9x64"});
  // bias 5; (stride, size) = (1, 2), (10, 2), (100, 1), (1000, 2), elements of 8 bytes.
  Transfer t;
  t.elem = 8;
  t.base = 0x10000 + 8 * 5;
  t.stride = {8, 80, 800, 8000};
  t.count = {2, 2, 1, 2};
  EXPECT_EQ(Addresses(t), (std::vector<uint64_t>{0x10028, 0x10030, 0x10078, 0x10080, 0x11F68,
                                                 0x11F70, 0x11FB8, 0x11FC0}));
}

TEST(Mapping, Vitis24WordTilePattern) {
  Proves({"map.vitis-tile"});
  // buffer 4 x 6, tile 2 x 2 at (1, 2), traversal dimension 1 by 2 twice.
  Transfer t;
  t.stride = {1, 4, 24, 0};
  t.count = {2, 2, 1, 1};
  t.start = {1, 2, 0, 0};
  t.walk[0] = WalkLevel{1, 2, 2};
  EXPECT_EQ(Addresses(t), (std::vector<uint64_t>{9, 10, 13, 14, 17, 18, 21, 22}));
}

TEST(Mapping, AdfNegativeOffsetAndTraversalPastTheEndAreFill) {
  Proves({"map.adf-tiling"});
  // buffer of 5, tile of 3 at -1, traversal by 3 twice: -1 0 1, 2 3 4; a third tile is 5 6 7.
  Transfer t;
  t.stride[0] = 1;
  t.count[0] = 3;
  t.start[0] = -1;
  t.bound[0] = 5;
  t.walk[0] = WalkLevel{0, 3, 3};
  EXPECT_EQ(Validity(t),
            "fvv"
            "vvv"
            "fff");
}

TEST(Mapping, NpuDmaMemcpyNd) {
  Proves({"map.dma-memcpy-nd"});
  // offsets [0,0,1,2], sizes [2,1,2,3], strides [100,0,10,1] of two-byte elements, outermost first.
  Transfer t;
  t.elem = 2;
  t.base = (1 * 10 + 2 * 1) * 2;
  t.count = {3, 2, 1, 2};
  t.stride = {2, 20, 0, 200};
  EXPECT_EQ(Addresses(t),
            (std::vector<uint64_t>{24, 26, 28, 44, 46, 48, 224, 226, 228, 244, 246, 248}));
}

TEST(Mapping, PlainCopy) {
  Proves({"map.plain-copy"});
  const auto addresses = Addresses(Copy(0x123, 300));
  ASSERT_EQ(addresses.size(), 300u);
  for (size_t n = 0; n < 300; ++n) EXPECT_EQ(addresses[n], 0x123 + n);
}

TEST(Mapping, RepeatIsAStrideOfZero) {
  Proves({"map.repeat"});
  Transfer t = Copy(0x10, 2);
  t.count[3] = 3;
  EXPECT_EQ(Addresses(t), (std::vector<uint64_t>{0x10, 0x11, 0x10, 0x11, 0x10, 0x11}));
}

}  // namespace
}  // namespace tessera::model
