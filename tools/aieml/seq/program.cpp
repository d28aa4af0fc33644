// See program.h.
#include "tools/aieml/seq/program.h"

#include "sw/driver/tessera/aieml/transaction.hpp"
#include "tb/files/output.h"

namespace tessera::seq {

using driver::npu::ColumnOf;
using driver::npu::RowOf;

void Program::Add(std::initializer_list<uint32_t> words) {
  words_.insert(words_.end(), words);
  ++operations_;
}

void Program::Write(uint32_t address, uint32_t value) { Add({0, 0, address, 0, value, 24}); }
void Program::MaskWrite(uint32_t address, uint32_t value, uint32_t mask) {
  Add({3, 0, address, 0, value, mask, 28});
}
void Program::Poll(uint32_t address, uint32_t value, uint32_t mask) {
  Add({4, 0, address, 0, value, mask, 28});
}
void Program::Block(uint32_t address, const std::vector<uint32_t>& data) {
  Add({1, ColumnOf(address) | RowOf(address) << 8, address,
       static_cast<uint32_t>(4 * (4 + data.size()))});
  words_.insert(words_.end(), data.begin(), data.end());
}
void Program::Sync(uint32_t column, uint32_t row, bool to_stream, uint32_t channel,
                   uint32_t columns, uint32_t rows) {
  Add({128, 16, (to_stream ? 1u : 0u) | row << 8 | column << 16,
       rows << 8 | columns << 16 | channel << 24});
}
void Program::Patch(uint32_t address, uint32_t argument, uint32_t offset) {
  Add({129, 48, 0, 0, 0, 0, address, 0, argument, 0, offset, 0});
}
void Program::Preempt(uint32_t level) { Add({6 | level << 8}); }
void Program::LoadPdi(uint32_t id, uint32_t size, uint64_t address) {
  Add({8 | id << 16, size, static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)});
}

std::vector<uint32_t> Program::Binary(uint32_t columns, uint32_t rows, uint32_t memory_rows,
                                      uint32_t generation) const {
  std::vector<uint32_t> all{rows << 24 | generation << 16 | 0x0100, memory_rows << 8 | columns,
                            operations_, static_cast<uint32_t>(4 * (4 + words_.size()))};
  all.insert(all.end(), words_.begin(), words_.end());
  return all;
}

void SaveBinary(const std::string& path, const std::vector<uint32_t>& words) {
  std::string bytes;
  for (const uint32_t word : words) {
    for (uint32_t n = 0; n < 4; ++n) bytes += static_cast<char>(word >> 8 * n);
  }
  WriteOutput(path, bytes);
}

}  // namespace tessera::seq
