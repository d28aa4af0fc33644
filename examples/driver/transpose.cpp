// Transposes a matrix of 16-bit numbers: read column by column, written as it comes.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kRows = 24, kColumns = 40;
  auto* from = reinterpret_cast<uint16_t*>(p.Allocate(kRows * kColumns * 2));
  auto* to = reinterpret_cast<uint16_t*>(p.Allocate(kRows * kColumns * 2));
  for (uint32_t n = 0; n < kRows * kColumns; ++n) from[n] = static_cast<uint16_t>(n * 257);

  TheTask writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  Status status = writing.Configure(Copy(p.At(to), kRows * kColumns * 2, p.build()));
  if (!status.ok()) return Report(status, false);
  status = writing.Start().status;
  if (!status.ok()) return Report(status, false);
  status = reading.Run(Transpose(p.At(from), kRows, kColumns, kColumns * 2, 2, p.build())).status;
  if (!status.ok()) return Report(status, false);
  status = writing.Await().status;

  bool right = true;
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t c = 0; c < kColumns; ++c)
      right = right && to[c * kRows + r] == from[r * kColumns + c];
  }
  return Report(status, right);
}
