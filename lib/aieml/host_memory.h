// The memory of the host as the shims see it: buffers at addresses of the caller's choice. An
// access outside all of them is a decode error.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lib/aieml/tile_dma.h"

namespace tessera::aieml {

class HostMemory final : public WordMemory {
 public:
  // A buffer of zeros at `address`, a multiple of 4, of whole words; false if it meets another.
  bool Add(uint64_t address, uint64_t bytes) {
    const uint64_t words = (bytes + 3) / 4;
    if (address % 4 != 0 || words == 0 || address + 4 * words > uint64_t{1} << 48) return false;
    const auto after = buffers_.lower_bound(address);
    if (after != buffers_.end() && after->first < address + 4 * words) return false;
    if (after != buffers_.begin()) {
      const auto before = std::prev(after);
      if (before->first + 4 * before->second.size() > address) return false;
    }
    buffers_.emplace(address, std::vector<uint32_t>(words));
    return true;
  }

  bool Read(uint64_t address, uint32_t* word) override {
    uint32_t* at = Find(address);
    if (at != nullptr) *word = *at;
    return at != nullptr;
  }
  bool Write(uint64_t address, uint32_t word) override {
    uint32_t* at = Find(address);
    if (at != nullptr) *at = word;
    return at != nullptr;
  }
  const std::map<uint64_t, std::vector<uint32_t>>& buffers() const { return buffers_; }

 private:
  uint32_t* Find(uint64_t address) {
    auto it = buffers_.upper_bound(address);
    if (it == buffers_.begin()) return nullptr;
    --it;
    const uint64_t index = (address - it->first) / 4;
    return index < it->second.size() ? &it->second[index] : nullptr;
  }

  std::map<uint64_t, std::vector<uint32_t>> buffers_;
};

}  // namespace tessera::aieml
