// Cuts an image into tiles whose shape the compiler knows: a wrong one would not compile.
#include "examples/driver/platform.h"

using namespace example;

namespace {

constexpr uint32_t kWidth = 64, kHeight = 48, kTile = 16;
constexpr tiling_parameters kTiling{
    .buffer_dimension = {kWidth, kHeight},
    .tiling_dimension = {kTile, kTile},
    .tile_traversal = {{0, kTile, kWidth / kTile}, {1, kTile, kHeight / kTile}}};
constexpr Placeable kTiles = Lowered<kTiling, 8>();

}  // namespace

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  uint8_t *image = p.Allocate(kWidth * kHeight), *tiles = p.Allocate(kWidth * kHeight);
  for (uint32_t n = 0; n < kWidth * kHeight; ++n) image[n] = static_cast<uint8_t>(n * 7 + n / 64);

  TheTask writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  Status status = writing.Configure(Copy(p.At(tiles), kWidth * kHeight, p.build()));
  if (!status.ok()) return Report(status, false);
  status = writing.Start().status;
  if (!status.ok()) return Report(status, false);
  status = reading.Run({kTiles.At(p.At(image)), {}}).status;
  if (!status.ok()) return Report(status, false);
  status = writing.Await().status;

  bool right = true;
  const uint8_t* at = tiles;
  for (uint32_t top = 0; top < kHeight; top += kTile) {
    for (uint32_t left = 0; left < kWidth; left += kTile) {
      for (uint32_t y = 0; y < kTile; ++y) {
        for (uint32_t x = 0; x < kTile; ++x) {
          right = right && *at++ == image[(top + y) * kWidth + left + x];
        }
      }
    }
  }
  return Report(status, right);
}
