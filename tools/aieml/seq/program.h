// A lowered runtime sequence: register operations, and the transaction binary of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::seq {

class Program {
 public:
  void Write(uint32_t address, uint32_t value);
  void MaskWrite(uint32_t address, uint32_t value, uint32_t mask);
  void Block(uint32_t address, const std::vector<uint32_t>& data);
  void Poll(uint32_t address, uint32_t value, uint32_t mask);
  void Sync(uint32_t column, uint32_t row, bool to_stream, uint32_t channel, uint32_t columns,
            uint32_t rows);
  void Patch(uint32_t address, uint32_t argument, uint32_t offset);
  void Preempt(uint32_t level);
  void LoadPdi(uint32_t id, uint32_t size, uint64_t address);

  uint32_t operations() const { return operations_; }
  uint64_t bytes() const { return 4 * words_.size(); }
  // With the header of a device of so many columns and rows.
  std::vector<uint32_t> Binary(uint32_t columns, uint32_t rows, uint32_t memory_rows,
                               uint32_t generation) const;

 private:
  void Add(std::initializer_list<uint32_t> words);
  std::vector<uint32_t> words_;
  uint32_t operations_ = 0;
};

// Little-endian. Throws as WriteOutput does.
void SaveBinary(const std::string& path, const std::vector<uint32_t>& words);

}  // namespace tessera::seq
