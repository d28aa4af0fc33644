// Cuts a window out of an image, and turns it upside down on its way: a pitch below 0.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kPitch = 160, kHeight = 90;         // of the image
  constexpr uint32_t kX = 33, kY = 7, kW = 61, kH = 40;  // the window
  uint8_t *image = p.Allocate(kPitch * kHeight), *window = p.Allocate(kW * kH);
  for (uint32_t n = 0; n < kPitch * kHeight; ++n) image[n] = static_cast<uint8_t>(n * 13 + n / 256);

  TheTask writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  const uint8_t* bottom_up = window + (kH - 1) * kW;
  Status status = writing.Configure(Window2d(p.At(bottom_up), kW, kH, -int64_t{kW}, p.build()));
  if (!status.ok()) return Report(status, false);
  status = writing.Start().status;
  if (!status.ok()) return Report(status, false);
  status = reading.Run(Window2d(p.At(image + kY * kPitch + kX), kW, kH, kPitch, p.build())).status;
  if (!status.ok()) return Report(status, false);
  status = writing.Await().status;

  bool right = true;
  for (uint32_t y = 0; y < kH; ++y) {
    for (uint32_t x = 0; x < kW; ++x) {
      right = right && window[(kH - 1 - y) * kW + x] == image[(kY + y) * kPitch + kX + x];
    }
  }
  return Report(status, right);
}
