// What an emulated processor finds behind its registers: a device that is read, written and
// stepped.
#pragma once

#include <cstdint>

namespace tessera::firmware {

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  // One access of 32 bits; offsets count from the first register. False: it was answered with
  // SLVERR.
  virtual bool Read32(uint32_t offset, uint32_t& value) = 0;
  virtual bool Write32(uint32_t offset, uint32_t value) = 0;
  // Lets time pass.
  virtual void Step() = 0;
  // The interrupt line.
  virtual bool interrupt() const { return false; }
};

}  // namespace tessera::firmware
