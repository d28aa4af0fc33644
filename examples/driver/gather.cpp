// Gathers rows of a table into one packet by a list of their numbers, and scatters them into
// another table.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kRow = 100, kTable = 32, kPicked = 5;
  constexpr uint32_t kFrom[kPicked] = {17, 3, 30, 4, 9}, kTo[kPicked] = {0, 8, 1, 31, 5};
  uint8_t *table = p.Allocate(kRow * kTable), *other = p.Allocate(kRow * kTable);
  for (uint32_t n = 0; n < kRow * kTable; ++n) table[n] = static_cast<uint8_t>(n * 11);

  uint64_t from[kPicked], to[kPicked];
  for (uint32_t n = 0; n < kPicked; ++n) {
    from[n] = p.At(table + kRow * kFrom[n]);
    to[n] = p.At(other + kRow * kTo[n]);
  }
  Descriptor list[kPicked];
  Task<TheChannel, kPicked> writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  Status status = Rows(to, kPicked, kRow, Direction::kFromStream, p.build(), list);
  if (status.ok()) status = writing.Configure(list, kPicked);
  if (status.ok()) status = writing.Start().status;
  if (status.ok()) status = Rows(from, kPicked, kRow, Direction::kToStream, p.build(), list);
  if (status.ok()) status = reading.Configure(list, kPicked);
  if (status.ok()) status = reading.Start().status;
  if (status.ok()) status = reading.Await().status;
  if (status.ok()) status = writing.Await().status;

  bool right = true;
  for (uint32_t n = 0; n < kPicked; ++n) {
    for (uint32_t k = 0; k < kRow; ++k) {
      right = right && other[kRow * kTo[n] + k] == table[kRow * kFrom[n] + k];
    }
  }
  return Report(status, right);
}
