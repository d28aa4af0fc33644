// Shapes on the RTL, both ways: which bytes go where is worked out by loops that know nothing of
// descriptors.
#include <map>

#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBase = 0x10000;

// Visits x, y of each pixel of all tiles of an image with what is around them, row by row; those
// outside too.
template <typename Visit>
void EachOfHalo(int64_t width, int64_t height, int64_t tile, int64_t halo, Visit visit) {
  for (int64_t ty = 0; ty < height; ty += tile) {
    for (int64_t tx = 0; tx < width; tx += tile) {
      for (int64_t y = ty - halo; y < ty + tile + halo; ++y) {
        for (int64_t x = tx - halo; x < tx + tile + halo; ++x) visit(x, y);
      }
    }
  }
}
// Visits x, y of what a convolution reads: the window of one output after the other.
template <typename Visit>
void EachOfConvolution(const ConvolutionShape& s, Visit visit) {
  const auto outputs = [](uint32_t size, uint32_t pad, uint32_t kernel, uint32_t stride) {
    return (int64_t{size} + 2 * pad - kernel) / stride + 1;
  };
  for (int64_t oy = 0; oy < outputs(s.height, s.pad_y, s.kernel_height, s.stride_y); ++oy) {
    for (int64_t ox = 0; ox < outputs(s.width, s.pad_x, s.kernel_width, s.stride_x); ++ox) {
      for (int64_t ky = 0; ky < s.kernel_height; ++ky) {
        for (int64_t kx = 0; kx < s.kernel_width; ++kx) {
          visit(ox * s.stride_x + kx - s.pad_x, oy * s.stride_y + ky - s.pad_y);
        }
      }
    }
  }
}
constexpr ConvolutionShape kConvolution{.width = 8,
                                        .height = 6,
                                        .channels = 5,
                                        .kernel_width = 3,
                                        .kernel_height = 3,
                                        .stride_x = 2,
                                        .stride_y = 2,
                                        .pad_x = 1,
                                        .pad_y = 1};

class RtlShape : public RtlTest {
 protected:
  // Memory to stream: what leaves.
  Bytes Moved(const Result<Descriptor>& made) {
    EXPECT_TRUE(made.ok()) << Text(made.status) << " " << int{made.status.index()};
    Task task(reader(), descriptors());
    board().Take(0);
    const Result<Completion> done = task.Run(made);
    EXPECT_TRUE(done.ok()) << Text(done.status);
    EXPECT_TRUE(task.Free().ok());
    return board().Take(0);
  }
  // A list of addresses, 64-bit little-endian, that stands for a stream of bytes: run through the
  // device it tells where each byte comes from or goes to.
  using Addresses = std::vector<uint64_t>;
  static constexpr uint64_t kFill = ~uint64_t{0};

  // Checks a shape both ways. `addresses` are those of the bytes in the order of the stream; kFill
  // is 0 on the way out and nothing on the way in.
  void Check(const Result<Descriptor>& made, const Addresses& addresses) {
    Bytes expected;
    for (uint64_t a : addresses) expected.push_back(a == kFill ? 0 : board().Byte(a));
    ASSERT_EQ(Moved(made), expected);
    // The other way, into memory that is all its own: the last byte of several at a place stays.
    Bytes stream(addresses.size());
    for (size_t n = 0; n < stream.size(); ++n) stream[n] = static_cast<uint8_t>(n * 29 + n / 256);
    std::map<uint64_t, uint8_t> there;
    for (size_t n = 0; n < stream.size(); ++n) {
      if (addresses[n] != kFill) there[addresses[n]] = stream[n];
    }
    board().bench().memory().ClearTouched();
    board().Send(0, stream);
    Task task(writer(), descriptors());
    const Result<Completion> done = task.Run(made);
    ASSERT_TRUE(done.ok()) << Text(done.status);
    EXPECT_EQ(done.value.bytes, stream.size());
    EXPECT_TRUE(task.Free().ok());
    for (const auto& [address, byte] : there) ASSERT_EQ(board().Byte(address), byte) << address;
    EXPECT_EQ(board().bench().memory().TouchedBytes(), there.size());
  }
  static void Element(Addresses& addresses, uint64_t at, uint64_t bytes) {
    for (uint64_t n = 0; n < bytes; ++n) addresses.push_back(at == kFill ? kFill : at + n);
  }
};

TEST_P(RtlShape, Copy) {
  Make();
  for (uint32_t bytes : {1u, 3u, 64u, 1001u, 5000u}) {
    Addresses all;
    Element(all, 0x2ffd, bytes);
    Check(Copy(0x2ffd, bytes, build()), all);
  }
}

TEST_P(RtlShape, Window2d) {
  Make();
  for (int64_t pitch : {37, 64, -96}) {
    Addresses all;
    for (int64_t row = 0; row < 7; ++row) {
      Element(all, static_cast<uint64_t>(0x5003 + row * pitch), 33);
    }
    Check(Window2d(0x5003, 33, 7, pitch, build()), all);
  }
}

TEST_P(RtlShape, Transpose) {
  Make();
  for (uint32_t element : {1u, 2u, 4u}) {
    Addresses all;
    for (uint64_t column = 0; column < 9; ++column) {
      for (uint64_t row = 0; row < 6; ++row) {
        Element(all, 0x4001 + 50 * row + element * column, element);
      }
    }
    Check(Transpose(0x4001, 6, 9, 50, element, build()), all);
  }
}

TEST_P(RtlShape, Interleave) {
  Make();
  Addresses all;
  for (uint64_t n = 0; n < 20; ++n) {
    for (uint64_t plane = 0; plane < 3; ++plane) Element(all, 0x4002 + 100 * plane + 2 * n, 2);
  }
  Check(Interleave(0x4002, 3, 20, 100, 2, build()), all);
}

TEST_P(RtlShape, HaloAndIm2col) {
  Make();
  if (!Has(registers::global_block::CapFeatures::kBoundsMask) ||
      !Has(registers::global_block::CapFeatures::kWalkMask)) {
    EXPECT_EQ(Halo(0, 10, 7, 4, 4, 1, 2, build()).status.code(), Code::unsupported);
    return;
  }
  const auto pixel = [&](Addresses& all, int64_t x, int64_t y, int64_t width, int64_t height,
                         uint64_t bytes) {
    const bool inside = x >= 0 && y >= 0 && x < width && y < height;
    Element(all, inside ? kBase + static_cast<uint64_t>(y * width + x) * bytes : kFill, bytes);
  };
  Addresses halo;
  EachOfHalo(10, 7, 4, 1, [&](int64_t x, int64_t y) { pixel(halo, x, y, 10, 7, 2); });
  Check(Halo(kBase, 10, 7, 4, 4, 1, 2, build()), halo);
  Addresses columns;
  EachOfConvolution(kConvolution, [&](int64_t x, int64_t y) { pixel(columns, x, y, 8, 6, 5); });
  Check(Im2col(kBase, kConvolution, 1, build()), columns);
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlShape, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
