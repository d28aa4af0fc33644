// The data cache of an emulated processor, and the instructions that maintain it.
#include "tb/board/cache_model.h"

#include <algorithm>
#include <cstring>

namespace tessera::firmware {

CacheInstruction DecodeCacheInstruction(Architecture architecture, const uint8_t* code,
                                        uint32_t bytes) {
  // The emulator does not know the length of a RISC-V instruction that it does not know.
  if (bytes != 4 && architecture != Architecture::kRiscv64) return {};
  uint32_t word = 0;
  std::memcpy(&word, code, 4);
  switch (architecture) {
    case Architecture::kAarch64:  // SYS #op1, C7, Cm, #1, Xt
      switch (word & ~31u) {
        case 0xd50b7a20:
          return {CacheOperation::kClean, word & 31};
        case 0xd5087620:
          return {CacheOperation::kInvalidate, word & 31};
        case 0xd50b7e20:
          return {CacheOperation::kFlush, word & 31};
        default:
          return {};
      }
    case Architecture::kCortexR5:  // MCR p15, 0, Rt, c7, Cm, 1; the first half word comes first
      switch (word & 0x0fffffff) {
        case 0x0f3aee07:
          return {CacheOperation::kClean, word >> 28};
        case 0x0f36ee07:
          return {CacheOperation::kInvalidate, word >> 28};
        case 0x0f3eee07:
          return {CacheOperation::kFlush, word >> 28};
        default:
          return {};
      }
    case Architecture::kRiscv64:  // opcode MISC-MEM, funct3 2, rd 0
      if ((word & 0x7fff) != 0x200f) return {};
      switch (word >> 20) {
        case 0:
          return {CacheOperation::kInvalidate, word >> 15 & 31};
        case 1:
          return {CacheOperation::kClean, word >> 15 & 31};
        case 2:
          return {CacheOperation::kFlush, word >> 15 & 31};
        default:
          return {};
      }
  }
  return {};
}

void CacheModel::Attach(uint8_t* memory, size_t bytes) {
  memory_ = memory;
  device_.assign(memory, memory + bytes);
  clean_ = device_;
}

void CacheModel::WriteBack(size_t line) {
  std::copy_n(memory_ + line, line_, device_.begin() + static_cast<ptrdiff_t>(line));
  std::copy_n(memory_ + line, line_, clean_.begin() + static_cast<ptrdiff_t>(line));
}

void CacheModel::Maintain(CacheOperation operation, size_t offset) {
  const size_t line = offset & ~size_t{line_ - 1};
  if (memory_ == nullptr || line + line_ > device_.size()) return;
  ++operations_;
  // A line that was not modified is not written back: the device may have written there.
  const bool modified = std::memcmp(memory_ + line, clean_.data() + line, line_) != 0;
  if (operation != CacheOperation::kInvalidate && modified) WriteBack(line);
  if (operation == CacheOperation::kClean) return;
  std::memcpy(memory_ + line, device_.data() + line, line_);
  std::memcpy(clean_.data() + line, device_.data() + line, line_);
}

// From the top down: the device fills buffers upwards, so that some lines go before it comes to
// them, others after.
void CacheModel::Pass() {
  if (!evicts_ || memory_ == nullptr) return;
  for (size_t n = 0; n < device_.size(); n += line_) {
    next_ = (next_ == 0 ? device_.size() : next_) - line_;
    const size_t line = next_;
    if (std::memcmp(memory_ + line, clean_.data() + line, line_) == 0) continue;
    WriteBack(line);
    return;
  }
}

}  // namespace tessera::firmware
