// Shapes on the RTL, both ways: which bytes go where is worked out by loops that know nothing of
// descriptors.
#include <map>
#include <random>

#include "tests/driver/meaning.h"
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

using meaning::kBase;

class RtlShape : public RtlTest {
 protected:
  meaning::Memory At() {
    return [this](uint64_t address) { return board().Byte(address); };
  }
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
  meaning::EachOfHalo(10, 7, 4, 1, [&](int64_t x, int64_t y) { pixel(halo, x, y, 10, 7, 2); });
  Check(Halo(kBase, 10, 7, 4, 4, 1, 2, build()), halo);
  Addresses columns;
  meaning::EachOfConvolution(meaning::kConvolution,
                             [&](int64_t x, int64_t y) { pixel(columns, x, y, 8, 6, 5); });
  Check(Im2col(kBase, meaning::kConvolution, 1, build()), columns);
}

TEST_P(RtlShape, RandomTilings) {
  Make();
  std::mt19937_64 random(3);
  int done = 0;
  for (int n = 0; n < 400; ++n) {
    const auto [t, bits, format] = meaning::DrawTiling(random);
    const Result<Descriptor> made = Lower(t, kBase, bits, build(), format);
    if (made.status.code() == Code::unsupported) continue;
    ASSERT_TRUE(made.ok()) << n << ": " << Text(made.status);
    ASSERT_EQ(Moved(made), meaning::Of(At(), t, bits)) << "tiling " << n;
    ++done;
    if (n % 4 != 0) continue;
    // The other way, the same bytes come back to where they were, and nowhere else.
    const Bytes bytes = meaning::Of(At(), t, bits);
    const Bytes before = board().Read(kBase - 4096, 65536);
    board().Send(0, bytes);
    Task task(writer(), descriptors());
    ASSERT_TRUE(task.Run(made).ok()) << n;
    ASSERT_TRUE(task.Free().ok());
    ASSERT_EQ(board().Read(kBase - 4096, 65536), before) << n;
  }
  EXPECT_GT(done, config().channel.walk && config().channel.bounds ? 390 : 5);
  RecordProperty("tilings", done);
}

TEST_P(RtlShape, RandomCopies) {
  Make();
  std::mt19937_64 random(5);
  int done = 0;
  for (int n = 0; n < 300; ++n) {
    const memcpy_nd c = meaning::DrawCopy(random, build().data_log2 + 1);
    const Result<LoweredCopy> made = Lower(c, kBase, build());
    if (made.status.code() == Code::unsupported) continue;
    ASSERT_TRUE(made.ok()) << n << ": " << Text(made.status);
    ASSERT_EQ(Moved({made.value.descriptor, made.status}), meaning::Of(At(), c)) << n;
    ++done;
  }
  EXPECT_GT(done, 20);
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlShape, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
