// Feeds a ring of descriptors while the device works: one register write for each that is added.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kPieces = 24, kPlaces = 8;
  uint8_t *from = p.Allocate(16384), *to = p.Allocate(16384);
  uint8_t* places = p.Allocate(kPlaces * 64);
  for (uint32_t n = 0; n < 16384; ++n) from[n] = static_cast<uint8_t>(n * 3 + n / 512);
  const auto bytes = [](uint32_t piece) { return 64 + 8 * piece; };
  uint32_t total = 0;
  for (uint32_t n = 0; n < kPieces; ++n) total += bytes(n);

  TheTask writing(p.in, p.descriptors);
  Status status = writing.Configure(Copy(p.At(to), total, p.build()));
  if (status.ok()) status = writing.Start().status;
  DescriptorRing<TheChannel> ring(p.out);
  if (status.ok()) status = ring.Start(places, p.At(places), kPlaces);
  for (uint32_t n = 0; n < kPieces && status.ok(); ++n) {
    Descriptor piece;
    piece.Base(p.At(from + 512 * n)).Dim(0, bytes(n), 1);
    status = ring.Post(piece);
    while (status.reason() == Reason::ring_full) {  // the device is behind
      p.out.Service();
      status = ring.Post(piece);
    }
  }
  // Nobody awaits the pieces, so somebody must take their records: without room for another one a
  // channel waits.
  ServiceRoutine<TheChannel, 2> service(p.device);
  if (status.ok()) status = service.Add(p.out);
  if (status.ok()) status = service.Add(p.in);
  Deadline patience(p.device, Timeout::Cycles(50'000));
  while (status.ok() && writing.running() && !patience.Passed()) service.Poll();
  if (status.ok()) status = writing.Await(Timeout::Turns(1)).status;
  if (status.ok()) status = ring.Stop();

  bool right = true;
  const uint8_t* at = to;
  for (uint32_t n = 0; n < kPieces; ++n) {
    for (uint32_t k = 0; k < bytes(n); ++k) right = right && *at++ == from[512 * n + k];
  }
  return Report(status, right);
}
