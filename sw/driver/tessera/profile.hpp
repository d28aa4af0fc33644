// Profiling as ADF has it: four questions about streams, with handles that can run out.
//
// The counters themselves are a policy: those of the device (counters.hpp), or a class with
// `kUnits`, `Reason Start(unit, ProfileSetup)`, `uint64_t Read(unit)` and `void Stop(unit)`. A unit
// that cannot answer the question says no_handle.
#pragma once

#include <stdint.h>

#include "device.hpp"
#include "status.hpp"

namespace tessera::driver {

enum class ProfileOption : uint8_t {
  kTotalStreamRunningToIdleCycles = 0,       // COUNT_BUSY: cycles in which the channel had work
  kStreamStartToBytesTransferredCycles = 1,  // from the first beat until `value` bytes have passed
  kStreamStartDifferenceCycles = 2,          // from the first beat of one stream to that of another
  kStreamRunningEventCount = 3,              // beats
};

// A stream of the device.
struct StreamPort {
  Direction direction = Direction::kToStream;
  uint8_t channel = 0;
  constexpr bool operator==(const StreamPort&) const = default;
};

struct ProfileSetup {
  ProfileOption option = ProfileOption::kStreamRunningEventCount;
  StreamPort port;
  StreamPort other;    // of kStreamStartDifferenceCycles
  uint32_t value = 0;  // bytes of kStreamStartToBytesTransferredCycles
};

// A unit of counters and its turn: a handle that was released is not taken for a new one.
using ProfileHandle = uint32_t;
inline constexpr ProfileHandle kInvalidHandle = ~0u;

template <Bus B, typename Counters>
class Profiler {
 public:
  Profiler(const Device<B>& device, Counters& counters) : device_(&device), counters_(&counters) {}

  // Questions about one stream.
  Result<ProfileHandle> Start(StreamPort port, ProfileOption option, uint32_t value = 0) {
    if (option == ProfileOption::kStreamStartDifferenceCycles) {
      return {kInvalidHandle, Reason::option_invalid};
    }
    if (option == ProfileOption::kStreamStartToBytesTransferredCycles && value == 0) {
      return {kInvalidHandle, Reason::option_invalid};
    }
    return Arm({option, port, port, value});
  }
  // The question about two.
  Result<ProfileHandle> Start(StreamPort port, StreamPort other, ProfileOption option) {
    if (option != ProfileOption::kStreamStartDifferenceCycles || port == other) {
      return {kInvalidHandle, Reason::option_invalid};
    }
    return Arm({option, port, other, 0});
  }
  Result<uint64_t> Read(ProfileHandle handle) const {
    if (!Valid(handle)) return {0, Reason::handle_invalid};
    return {counters_->Read(handle & 0xff), {}};
  }
  // Stops counting and gives the counters back.
  Status Stop(ProfileHandle handle) {
    if (!Valid(handle)) return Reason::handle_invalid;
    counters_->Stop(handle & 0xff);
    Unit& unit = units_[handle & 0xff];
    unit.used = false;
    ++unit.turn;
    return {};
  }

 private:
  struct Unit {
    uint16_t turn = 0;
    bool used = false;
  };

  bool Valid(ProfileHandle handle) const {
    const uint32_t n = handle & 0xff;
    return n < Counters::kUnits && units_[n].used && units_[n].turn == handle >> 8;
  }
  bool Exists(StreamPort port) const {
    const Capabilities& build = device_->build();
    return port.channel < (port.direction == Direction::kToStream ? build.reads : build.writes);
  }
  Result<ProfileHandle> Arm(const ProfileSetup& setup) {
    if (static_cast<uint8_t>(setup.option) > 3) return {kInvalidHandle, Reason::option_invalid};
    if (!Exists(setup.port)) return {kInvalidHandle, {Reason::channel_number, setup.port.channel}};
    if (!Exists(setup.other))
      return {kInvalidHandle, {Reason::channel_number, setup.other.channel}};
    for (uint32_t n = 0; n < Counters::kUnits; ++n) {
      if (units_[n].used) continue;
      const Reason reason = counters_->Start(n, setup);
      if (reason == Reason::no_handle) continue;
      if (reason != Reason::none) return {kInvalidHandle, reason};
      units_[n].used = true;
      return {static_cast<uint32_t>(units_[n].turn) << 8 | n, {}};
    }
    return {kInvalidHandle, Counters::kUnits == 0 ? Reason::no_counters : Reason::no_handle};
  }

  const Device<B>* device_;
  Counters* counters_;
  Unit units_[Counters::kUnits == 0 ? 1 : Counters::kUnits];
};

// A build without counters: every start is refused as unsupported.
struct NoCounters {
  static constexpr uint32_t kUnits = 0;
  Reason Start(uint32_t, const ProfileSetup&) { return Reason::no_counters; }
  uint64_t Read(uint32_t) const { return 0; }
  void Stop(uint32_t) {}
};

}  // namespace tessera::driver
