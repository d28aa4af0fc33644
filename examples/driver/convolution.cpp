// Feeds a convolution: tiles with a halo go to an accelerator strip by strip, results come back as
// tiles, and while one strip is worked on the processor prepares the next one in the other buffer.
#include "examples/driver/platform.h"

using namespace example;

namespace {

constexpr uint32_t kWidth = 64, kStrip = 16, kStrips = 4, kTile = 16, kHalo = 1;
constexpr uint32_t kSide = kTile + 2 * kHalo, kAcross = kWidth / kTile;
constexpr int kKernel[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

// The accelerator: 3 by 3 over tiles with their surroundings, as many as a packet has.
Bytes Convolve(const Bytes& packet) {
  Bytes out;
  for (size_t tile = 0; tile + kSide * kSide <= packet.size(); tile += kSide * kSide) {
    for (uint32_t y = 0; y < kTile; ++y) {
      for (uint32_t x = 0; x < kTile; ++x) {
        int sum = 0;
        for (uint32_t ky = 0; ky < 3; ++ky) {
          for (uint32_t kx = 0; kx < 3; ++kx) {
            sum += kKernel[ky][kx] * packet[tile + (y + ky) * kSide + x + kx];
          }
        }
        out.push_back(static_cast<uint8_t>(sum / 16));
      }
    }
  }
  return out;
}

uint8_t Pixel(uint32_t strip, uint32_t n) { return static_cast<uint8_t>(n * 7 + strip * 50); }

// The same, by its definition; each strip is an image of its own, with zeros around it.
uint8_t Expected(uint32_t strip, uint32_t x, uint32_t y) {
  int sum = 0;
  for (uint32_t ky = 0; ky < 3; ++ky) {
    for (uint32_t kx = 0; kx < 3; ++kx) {
      const uint32_t sx = x + kx - 1, sy = y + ky - 1;
      if (sx < kWidth && sy < kStrip) sum += kKernel[ky][kx] * Pixel(strip, sy * kWidth + sx);
    }
  }
  return static_cast<uint8_t>(sum / 16);
}

}  // namespace

int main() {
  Platform p(Convolve);
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  uint8_t* input[2] = {p.Allocate(kWidth * kStrip), p.Allocate(kWidth * kStrip)};
  uint8_t* output = p.Allocate(kWidth * kStrip * kStrips);

  // Everything is configured once: an input descriptor for each buffer, an output descriptor whose
  // base moves on by a strip with each start.
  TheTask feed0(p.out, p.descriptors), feed1(p.out, p.descriptors), back(p.in, p.descriptors);
  TheTask* feed[2] = {&feed0, &feed1};
  Status status;
  for (uint32_t n = 0; n < 2 && status.ok(); ++n) {
    status =
        feed[n]->Configure(Halo(p.At(input[n]), kWidth, kStrip, kTile, kTile, kHalo, 1, p.build()));
  }
  Descriptor tiles;
  tiles.Base(p.At(output)).Dim(0, kTile, 1).Dim(1, kTile, kWidth).Dim(2, kAcross, kTile);
  tiles.Iteration(kStrips, kWidth * kStrip);
  if (status.ok()) status = back.Configure(tiles);

  for (uint32_t strip = 0; strip < kStrips && status.ok(); ++strip) {
    TheTask& mine = *feed[strip % 2];
    // The buffer is free when the task that read it two strips ago is done.
    if (strip >= 2) status = mine.Await().status;
    for (uint32_t n = 0; n < kWidth * kStrip; ++n) input[strip % 2][n] = Pixel(strip, n);
    if (status.ok()) status = back.Start().status;
    if (status.ok()) status = mine.Start().status;
  }
  for (uint32_t n = 0; n < 2 && status.ok(); ++n) status = feed[n]->Await().status;
  if (status.ok()) status = back.Await().status;

  bool right = true;
  for (uint32_t strip = 0; strip < kStrips; ++strip) {
    for (uint32_t y = 0; y < kStrip; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) {
        right = right && output[(strip * kStrip + y) * kWidth + x] == Expected(strip, x, y);
      }
    }
  }
  return Report(status, right);
}
