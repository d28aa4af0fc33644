// Copies a buffer: one task reads it into the stream, one writes it from there.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kBytes = 3000;
  uint8_t *from = p.Allocate(kBytes), *to = p.Allocate(kBytes);
  for (uint32_t n = 0; n < kBytes; ++n) from[n] = static_cast<uint8_t>(n * 31);

  TheTask writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  if (const Status status = writing.Configure(Copy(p.At(to), kBytes, p.build())); !status.ok())
    return Report(status, false);
  if (const Result<uint32_t> ticket = writing.Start(); !ticket.ok())
    return Report(ticket.status, false);
  // Configure, start and wait in one call.
  if (const Result<Completion> sent = reading.Run(Copy(p.At(from), kBytes, p.build())); !sent.ok())
    return Report(sent.status, false);
  const Result<Completion> done = writing.Await();

  bool right = done.value.bytes == kBytes;
  for (uint32_t n = 0; n < kBytes; ++n) right = right && to[n] == from[n];
  return Report(done.status, right);
}
