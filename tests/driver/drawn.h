// Random descriptors, options and calls: legal ones, and ones that break a rule here and there; and
// the seeds of a fuzz.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include "sw/driver/tessera/driver.hpp"

namespace tessera::driver {

// The seeds of a run: `count` from 1 on, unless TESSERA_FUZZ_FIRST and TESSERA_FUZZ_SEEDS say
// others.
struct FuzzSeeds {
  explicit FuzzSeeds(uint64_t count)
      : first(Number("TESSERA_FUZZ_FIRST", 1)), end(first + Number("TESSERA_FUZZ_SEEDS", count)) {}
  static uint64_t Number(const char* name, uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
  }
  uint64_t first, end;
};

class Drawn {
 public:
  explicit Drawn(std::mt19937_64& random) : random_(&random) {}

  uint64_t Draw(uint64_t below) { return (*random_)() % below; }
  TaskOptions Options() {
    TaskOptions options;
    options.repeats = static_cast<uint32_t>(Draw(8) == 0 ? (*random_)() : Draw(4));
    options.endless = Draw(12) == 0;
    options.token = Draw(4) == 0;
    options.trigger = Draw(6) == 0;
    options.paced = Draw(9) == 0;
    if (options.repeats > 100 && options.repeats <= 65536) options.repeats = 2;
    return options;
  }
  Timeout Soon() { return Timeout::Turns(static_cast<uint32_t>(Draw(40))); }
  // A call of a task, of its channel or of the device. Some do not end in time.
  template <typename Task, typename Device>
  void Call(Task& task, Device& device) {
    auto& channel = task.channel();
    switch (Draw(11)) {
      case 0:
      case 1:
        (void)task.Start(Options(), static_cast<uint32_t>(Draw(3)));
        break;
      case 2:
        (void)task.Await(Soon());
        break;
      case 3:
        (void)task.Free();
        break;
      case 4:
        channel.Service();
        break;
      case 5:
        if (Draw(5) == 0) (void)channel.Abort(Draw(3) == 0 ? Soon() : Timeout::Turns(2000));
        if (Draw(5) == 0) {
          (void)channel.Reset(
              Draw(3) == 0 ? Timeout::Turns(static_cast<uint32_t>(Draw(3))) : Timeout::Turns(2000),
              Draw(2) == 0);
        }
        break;
      case 6:
        if (Draw(4) == 0) (void)channel.Stop(Soon());
        break;
      case 7:
        if (Draw(4) == 0) {
          (void)channel.Pause(Soon());
          channel.Resume();
        }
        break;
      case 8:
        (void)Lock(device, static_cast<uint32_t>(Draw(10)))
            .Release(static_cast<int32_t>(Draw(140)) - 70);
        break;
      case 9:
        (void)Lock(device, static_cast<uint32_t>(Draw(10)))
            .Acquire(static_cast<int32_t>(Draw(140)) - 70, Soon());
        break;
      default:
        (void)device.Trigger(static_cast<uint32_t>(Draw(20)));
        break;
    }
  }
  Descriptor Any() {
    Descriptor d;
    // Small enough to be moved in no time, unless it is wrong anyway.
    for (uint32_t dim = 0; dim < 4; ++dim) {
      d.Dim(dim, static_cast<uint32_t>(Draw(4)), static_cast<int32_t>((*random_)()) % 4096);
    }
    d.Base(Draw(3) == 0 ? (*random_)() : Draw(1u << 20));
    for (uint64_t n = Draw(4); n > 0; --n) {
      switch (Draw(15)) {
        case 0:
          d.Element(static_cast<uint32_t>(Draw(9)));
          break;
        case 1:
          d.Start(static_cast<uint32_t>(Draw(5)), static_cast<int32_t>(Odd()));
          break;
        case 2:
          d.Bound(static_cast<uint32_t>(Draw(5)), Odd());
          break;
        case 3:
          d.Walk(static_cast<uint32_t>(Draw(5)), static_cast<uint32_t>(Draw(5)),
                 static_cast<int32_t>(Odd()), static_cast<uint32_t>(Draw(4)));
          break;
        case 4:
          d.Length(static_cast<uint32_t>(Draw(100)));
          break;
        case 5:
          d.Iteration(Odd() & 0xff, static_cast<int32_t>(Odd()));
          break;
        case 6:
          d.Acquire(static_cast<uint32_t>(Draw(10)), static_cast<int32_t>(Draw(140)) - 70);
          break;
        case 7:
          d.Release(static_cast<uint32_t>(Draw(10)), static_cast<int32_t>(Draw(140)) - 70);
          break;
        case 8:
          d.Next(static_cast<uint32_t>(Draw(20)));
          break;
        case 9:
          d.Last(static_cast<LastRule>(Draw(4)), static_cast<uint32_t>(Draw(9)));
          break;
        case 10:
          d.Packet(static_cast<uint32_t>(Draw(40)), static_cast<uint32_t>(Draw(9)));
          break;
        case 11:
          d.NoRecord();
          break;
        case 12:
          d.FinishOnLast();
          break;
        case 13:
          d.Join();
          break;
        default:
          d.Fill((*random_)()).Interrupt();
          break;
      }
    }
    return d;
  }

 private:
  uint32_t Odd() { return static_cast<uint32_t>(Draw(3) == 0 ? (*random_)() : Draw(5)); }

  std::mt19937_64* random_;
};

}  // namespace tessera::driver
