// What a build of tessera_dma has, as a value; read from the capability registers, or given as a
// constant.
#pragma once

#include <stdint.h>

#include "bus.hpp"
#include "registers.hpp"
#include "status.hpp"

namespace tessera::driver {

namespace registers = tessera::registers;  // for programs that use this namespace alone

// The version of the programming model that this driver speaks.
inline constexpr uint32_t kKnownMajor = 0;

struct Capabilities {
  uint8_t reads = 16;
  uint8_t writes = 16;
  uint8_t address_bits = 64;
  uint8_t data_log2 = 7;    // bytes of a beat of memory
  uint8_t stream_log2 = 7;  // bytes of a beat of a stream
  uint8_t task_log2 = 4;    // entries of a task queue
  uint8_t record_log2 = 4;  // entries of a record queue
  uint8_t locks = 64;
  uint8_t windows = 16;  // of a channel
  uint8_t joined = 0;    // read and write channels, from 0 on, whose streams are joined inside
  uint16_t descriptors = 256;
  using Feature = registers::global_block::CapFeatures;
  uint32_t features = Feature::kWalkMask | Feature::kBoundsMask | Feature::kGuardMask |
                      Feature::kCountersMask | Feature::kFromListMask | Feature::kTokensMask |
                      Feature::kControlPacketsMask | Feature::kPacketHeadersMask |
                      Feature::kOutOfOrderMask | Feature::kDestRoutingMask |
                      Feature::kTriggersMask | Feature::kWindowsMask;
  uint32_t version = 0;

  constexpr bool Has(uint32_t feature) const { return (features & feature) != 0; }
};

// The largest build: for descriptors that are made at compile time for any device.
inline constexpr Capabilities kLargestBuild{};

// The capabilities that registers say, or why this is no device for this driver.
constexpr Result<Capabilities> DecodeCapabilities(uint32_t id, uint32_t version, uint32_t channels,
                                                  uint32_t bus, uint32_t tasks, uint32_t features) {
  Result<Capabilities> found;
  if (id != registers::kIdentity) {
    found.status = Reason::unknown_device;
    return found;
  }
  if (registers::global_block::Version{version}.major() != kKnownMajor) {
    found.status = Reason::unknown_version;
    return found;
  }
  Capabilities& c = found.value;
  c.version = version;
  const registers::global_block::CapChannels has_channels{channels};
  const registers::global_block::CapBus has_bus{bus};
  const registers::global_block::CapTasks has_tasks{tasks};
  const registers::global_block::CapFeatures has_features{features};
  c.reads = static_cast<uint8_t>(has_channels.reads());
  c.writes = static_cast<uint8_t>(has_channels.writes());
  c.joined = static_cast<uint8_t>(has_channels.joined());
  c.address_bits = static_cast<uint8_t>(has_bus.address());
  c.data_log2 = static_cast<uint8_t>(has_bus.data_log2());
  c.stream_log2 = static_cast<uint8_t>(has_bus.stream_log2());
  c.descriptors = static_cast<uint16_t>(has_tasks.descriptors());
  c.task_log2 = static_cast<uint8_t>(has_tasks.tasks_log2());
  c.record_log2 = static_cast<uint8_t>(has_tasks.records_log2());
  c.locks = static_cast<uint8_t>(has_tasks.locks());
  c.features = features;
  c.windows = static_cast<uint8_t>(has_features.windows() ? has_features.windows_last() + 1 : 0);
  const bool sane = c.reads <= 16 && c.writes <= 16 && c.reads + c.writes > 0 &&
                    c.address_bits >= 32 && c.address_bits <= 64 && c.data_log2 <= 7 &&
                    c.stream_log2 <= 7 && c.descriptors >= 1 && c.descriptors <= 256 &&
                    c.task_log2 <= 4 && c.locks <= 64 && c.joined <= c.reads &&
                    c.joined <= c.writes;
  if (!sane) found.status = Reason::capabilities;
  return found;
}

// Reads and checks. Nothing else is read of a device that does not say that it is one.
template <Bus B>
Result<Capabilities> Discover(B& bus) {
  const uint32_t id = bus.read32(registers::global_block::Id::kOffset);
  if (id != registers::kIdentity) return {{}, Reason::unknown_device};
  return DecodeCapabilities(id, bus.read32(registers::global_block::Version::kOffset),
                            bus.read32(registers::global_block::CapChannels::kOffset),
                            bus.read32(registers::global_block::CapBus::kOffset),
                            bus.read32(registers::global_block::CapTasks::kOffset),
                            bus.read32(registers::global_block::CapFeatures::kOffset));
}

}  // namespace tessera::driver
