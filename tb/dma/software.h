// Software of a tessera_dma on a bench: its driver (sw/driver), through which every program goes
// that the driver takes.
//
// What the driver refuses throws std::runtime_error with its text. Each record that it takes and
// each completion that it tells is compared with what the registers said. Registers stay within
// reach of the bench for the rest.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "tb/dma/native.h"

namespace tessera {

// The driver's bus on a bench.
class BenchBus {
 public:
  explicit BenchBus(DmaBench* bench) : bench_(bench) {}

  uint32_t read32(uint32_t offset) { return bench_->Get(offset); }
  void write32(uint32_t offset, uint32_t value) {
    if (before_write) before_write(offset);
    if (write) {
      write(offset, value);
    } else {
      bench_->Set(offset, value);
    }
  }
  void barrier() {}

  std::function<void(uint32_t)> before_write;
  std::function<void(uint32_t, uint32_t)> write;  // another way to the registers than AXI4-Lite

 private:
  DmaBench* bench_;
};

// The driver's descriptor of what a descriptor says. Its words are those of native::Encode (test:
// Descriptors.OfTheDriverAreThoseOfTheManual).
driver::Descriptor Built(const native::Descriptor& descriptor, const driver::Capabilities& build);
inline driver::Direction DriverWay(Direction direction) {
  return direction == Direction::kRead ? driver::Direction::kToStream
                                       : driver::Direction::kFromStream;
}

class Software {
 public:
  using Channel = driver::Channel<BenchBus>;
  using Lock = driver::Lock<BenchBus>;

  // Opens the device and its channels, and permits each all memory, if there are windows. `bench`
  // must outlive it.
  explicit Software(DmaBench* bench);
  ~Software();
  Software(const Software&) = delete;
  Software& operator=(const Software&) = delete;

  BenchBus& bus() { return bus_; }
  driver::Device<BenchBus>& device() { return device_; }
  Channel& channel(Direction direction, int number);
  Lock lock(int number) { return {device_, static_cast<uint32_t>(number)}; }

  // Throws if the driver has refused a call.
  static void Must(const driver::Status& status, const std::string& what);

  void SetLock(int number, int value);
  int LockValue(int number);
  // Window 0 of a channel: reads and writes of the pages from `first` to `last`.
  void SetWindow(Direction direction, int number, uint64_t first, uint64_t last);
  // All windows of a channel, as SetWindow(); those that are not listed permit nothing.
  void SetWindows(Direction direction, int number,
                  std::span<const std::pair<uint64_t, uint64_t>> pages);
  void Write(int number, const native::Descriptor& descriptor);
  // Writes descriptors into memory, from `address` on, and makes them the array of a channel.
  void SetArray(Direction direction, int number, uint64_t address,
                std::span<const native::Descriptor> list);
  // Tasks of this channel end without a record, which the driver cannot follow: from now on they
  // are pushed by register, and so is its array.
  void PushByRegister(Direction direction, int number);
  bool HasRoom(Direction direction, int number);
  // False: the task queue has no room, or the channel is faulted.
  bool Push(Direction direction, int number, const native::Task& task, uint32_t tag = 0);
  // The oldest record that was not popped; nothing if there is none.
  std::optional<native::Record> Pop(Direction direction, int number);
  // The same of what the driver has taken already, in whatever call.
  std::optional<native::Record> PopTaken(Direction direction, int number);
  // What an interrupt handler does: serves the channels that have an interrupt.
  void Interrupt() { service_.Handle(); }

 private:
  struct Line;
  Line& Of(Direction direction, int number);
  void Look(uint32_t offset);
  void Settle(Line* line);

  DmaBench& bench_;
  BenchBus bus_;
  driver::Device<BenchBus> device_;
  std::vector<std::unique_ptr<Line>> lines_;  // of the channels, reads first
  driver::ServiceRoutine<Channel, 32> service_;
};

}  // namespace tessera
