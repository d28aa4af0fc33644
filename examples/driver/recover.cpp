// Meets a memory that answers with an error: learns what it was and where, resets, goes on.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  uint8_t* buffer = p.Allocate(256);
  for (uint32_t n = 0; n < 256; ++n) buffer[n] = static_cast<uint8_t>(n ^ 0x5a);

  uint8_t* copy = p.Allocate(256);
  TheTask reading(p.out, p.descriptors), writing(p.in, p.descriptors);

  // A row of 128 bytes, of which the last 64 lie in memory that does not answer well.
  Status status =
      p.out.StopOn(registers::entry::Status::kSlverrMask | registers::entry::Status::kDecerrMask);
  if (status.ok()) status = writing.Configure(Copy(p.At(copy), 128, p.build()));
  if (status.ok()) status = writing.Start().status;
  if (!status.ok()) return Report(status, false);
  const Status failed = reading.Run(Copy(Platform::kBroken - 64, 128, p.build())).status;
  if (failed.reason() != Reason::transfer_failed) return Report(failed, false);
  const ChannelError error = p.out.TakeError();
  std::printf("%s at 0x%llx\n", RecordText(0), static_cast<unsigned long long>(error.address));
  bool right = error.address == Platform::kBroken;

  // The row was sent all the same, with bytes that mean nothing. The channel is reset and works.
  status = writing.Await().status;
  if (status.ok()) status = p.out.Reset();
  if (status.ok()) status = writing.Configure(Copy(p.At(copy), 256, p.build()));
  if (status.ok()) status = writing.Start().status;
  if (status.ok()) status = reading.Run(Copy(p.At(buffer), 256, p.build())).status;
  if (status.ok()) status = writing.Await().status;
  for (uint32_t n = 0; n < 256; ++n) right = right && copy[n] == buffer[n];
  return Report(status, right);
}
