// The data cache of an emulated processor, at its least helpful: it holds every line from the
// start, so what the device writes is not seen before an invalidation, and it writes modified lines
// back when it is told to, or at any time.
//
// The processor's memory is what the program sees; device_memory() is what the device sees. They
// meet only here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::firmware {

enum class Architecture { kAarch64, kCortexR5, kRiscv64 };

enum class CacheOperation { kNone, kClean, kInvalidate, kFlush };

// A cache maintenance instruction by address, and the number of the register that has the address.
struct CacheInstruction {
  CacheOperation operation = CacheOperation::kNone;
  unsigned address_register = 0;
};

// kNone for every other instruction. `bytes` is its length.
CacheInstruction DecodeCacheInstruction(Architecture architecture, const uint8_t* code,
                                        uint32_t bytes);

class CacheModel {
 public:
  // `evicts`: each call of Pass() writes one modified line back; else none is before it is cleaned.
  CacheModel(uint32_t line, bool evicts) : line_(line), evicts_(evicts) {}

  // The memory of the processor, with the program in it: the device sees the same, up to now.
  void Attach(uint8_t* memory, size_t bytes);
  std::vector<uint8_t>& device_memory() { return device_; }

  // `offset` of any byte of the line.
  void Maintain(CacheOperation operation, size_t offset);
  // Time for a line to be evicted.
  void Pass();
  uint64_t operations() const { return operations_; }

 private:
  void WriteBack(size_t line);

  uint32_t line_;
  bool evicts_;
  uint8_t* memory_ = nullptr;
  size_t next_ = 0;  // where Pass() looks on
  uint64_t operations_ = 0;
  std::vector<uint8_t> device_;
  std::vector<uint8_t> clean_;  // what a line was when it was last fetched or written back
};

}  // namespace tessera::firmware
