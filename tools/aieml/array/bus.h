// The driver's bus on a simulated array: offsets are addresses of the array.
#pragma once

#include <cstdint>

#include "lib/aieml/array.h"

namespace tessera::array {

class Bus {
 public:
  explicit Bus(aieml::Array* array) : array_(array) {}

  uint32_t read32(uint32_t address) {
    uint32_t value = 0;
    array_->Read(address, &value);
    return value;
  }
  void write32(uint32_t address, uint32_t value) { array_->Write(address, value); }
  void barrier() {}
  // Simulated time goes on while the player waits.
  void relax() { array_->Run(kCyclesAWait); }
  bool take_token(uint32_t base, bool to_stream, uint32_t channel) {
    return array_->TakeToken(driver::npu::ColumnOf(base), driver::npu::RowOf(base), to_stream,
                             channel);
  }

  // The array is configured by its file: a PDI is passed over.
  bool load_pdi(uint32_t, uint32_t, uint64_t) {
    ++pdis_;
    return true;
  }
  uint64_t pdis() const { return pdis_; }

  static constexpr uint32_t kCyclesAWait = 32;

 private:
  aieml::Array* array_;
  uint64_t pdis_ = 0;
};

}  // namespace tessera::array
