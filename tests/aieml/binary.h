// Writes transaction binaries word by word, as the tables of the format have them: an encoder that
// shares nothing with the code under test.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tessera::aieml {

class Binary {
 public:
  Binary& Write(uint32_t address, uint32_t value) { return Add({0, 0, address, 0, value, 24}); }
  Binary& MaskWrite(uint32_t address, uint32_t value, uint32_t mask) {
    return Add({3, 0, address, 0, value, mask, 28});
  }
  Binary& Poll(uint32_t address, uint32_t value, uint32_t mask, bool busy = false) {
    return Add({busy ? 7u : 4u, 0, address, 0, value, mask, 28});
  }
  Binary& Block(uint32_t address, std::vector<uint32_t> data) {
    Add({1, address >> 25 | (address >> 20 & 31) << 8, address,
         static_cast<uint32_t>(4 * (4 + data.size()))});
    words_.insert(words_.end(), data.begin(), data.end());
    return *this;
  }
  Binary& Sync(uint32_t column, uint32_t row, bool to_stream, uint32_t channel,
               uint32_t columns = 1, uint32_t rows = 1) {
    return Add({128, 16, (to_stream ? 1u : 0u) | row << 8 | column << 16,
                rows << 8 | columns << 16 | channel << 24});
  }
  Binary& Patch(uint32_t address, uint32_t argument, uint32_t offset) {
    return Add({129, 48, 0, 0, 0, 0, address, 0, argument, 0, offset, 0});
  }
  // One operation of these words.
  Binary& Add(std::initializer_list<uint32_t> words) {
    words_.insert(words_.end(), words);
    ++operations_;
    return *this;
  }

  std::vector<uint32_t> words() const {
    std::vector<uint32_t> all{0x06030100, 0x0104, operations_,
                              static_cast<uint32_t>(4 * (4 + words_.size()))};
    all.insert(all.end(), words_.begin(), words_.end());
    return all;
  }

 private:
  std::vector<uint32_t> words_;
  uint32_t operations_ = 0;
};

}  // namespace tessera::aieml
