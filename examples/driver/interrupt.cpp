// Waits for an interrupt: the program does its own work until the handler has seen the end.
#include "examples/driver/platform.h"

using namespace example;

int main() {
  Platform p;
  if (const Status status = p.Open(); !status.ok()) return Report(status, false);
  constexpr uint32_t kBytes = 2048;
  uint8_t *from = p.Allocate(kBytes), *to = p.Allocate(kBytes);
  for (uint32_t n = 0; n < kBytes; ++n) from[n] = static_cast<uint8_t>(n * 5 + 1);

  // One routine serves all channels. On a processor the handler of the interrupt calls Handle().
  ServiceRoutine<TheChannel, 2> service(p.device);
  Status status = service.Add(p.out);
  if (status.ok()) status = service.Add(p.in);
  if (status.ok())
    status = p.in.EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask |
                                   registers::channel::IrqStatus::kErrorMask);
  if (!status.ok()) return Report(status, false);
  p.device.EnableInterrupts(true);
  uint32_t handled = 0;
  p.bus.handler = [&] { handled += service.Handle() ? 1 : 0; };

  TheTask writing(p.in, p.descriptors), reading(p.out, p.descriptors);
  status = writing.Configure(Copy(p.At(to), kBytes, p.build()));
  if (status.ok()) status = writing.Start().status;
  if (status.ok()) status = reading.Configure(Copy(p.At(from), kBytes, p.build()));
  if (status.ok()) status = reading.Start().status;
  if (!status.ok()) return Report(status, false);

  Deadline patience(p.device, Timeout::Cycles(20'000));
  uint32_t work = 0;
  while (writing.running() && !patience.Passed()) ++work;  // ... of the program
  status = writing.Await(Timeout::Turns(1)).status;
  if (status.ok()) status = reading.Await().status;

  bool right = handled > 0 && work > 0;
  for (uint32_t n = 0; n < kBytes; ++n) right = right && to[n] == from[n];
  return Report(status, right);
}
