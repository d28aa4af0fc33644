// One DMA of a tile, as RTL or as the behavioural model, with its memory and its streams; and both
// of them side by side on the same program.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/aieml/dma_model.h"
#include "tests/aieml_rtl/rtl_dma.h"

namespace tessera::aieml {

// Where a tile has its registers, by image.
struct Offsets {
  TileKind kind;
  uint32_t descriptor, descriptors;
  uint32_t s2mm, mm2s;                // control words, 8 bytes a channel
  uint32_t s2mm_status, mm2s_status;  // 4 bytes a channel
  uint32_t count, fifo, lock, locks, request, over, under;
  uint32_t channels;
  uint32_t local;      // first byte of the tile's memory
  uint32_t lock_base;  // number of its first lock in a descriptor
};
Offsets OffsetsOf(TileKind kind);

inline constexpr uint32_t kPage = 0xf8000;

// Words at addresses of the tile; what was never written reads as a mix of its address.
class SparseWords final : public WordMemory {
 public:
  explicit SparseWords(TileKind kind) : kind_(kind) {}
  bool Read(uint64_t address, uint32_t* word) override;
  bool Write(uint64_t address, uint32_t word) override;
  const std::unordered_map<uint64_t, uint32_t>& written() const { return words_; }
  uint32_t At(uint64_t address);

 private:
  bool Has(uint64_t address) const;
  TileKind kind_;
  std::unordered_map<uint64_t, uint32_t> words_;
};

enum class Make : uint8_t { kModel, kRtl };

class Side {
 public:
  Side(Make make, const std::string& build, TileKind kind, uint64_t seed,
       const PortOptions& port = {});

  void Write(uint32_t offset, uint32_t value);
  uint32_t Read(uint32_t offset);
  void Clock(uint32_t cycles = 1);
  // Clocks until nothing is under way and all that was fed has gone, or so many cycles have passed.
  bool Settle(uint32_t cycles);

  void Feed(uint32_t channel, const std::vector<Word>& words);
  SparseWords memory;
  std::vector<std::deque<Word>> feed;   // to memory
  std::vector<std::vector<Word>> sent;  // from memory
  std::vector<uint32_t> tokens;
  double stumble = 0;     // how often a stream waits
  RtlDma* rtl = nullptr;  // of kRtl
  std::string fault() const { return rtl == nullptr ? "" : rtl->port().fault(); }

 private:
  uint32_t Access_(uint32_t offset, bool write, uint32_t value);
  std::vector<Link> in_, out_;
  Link tokens_;
  Rng rng_;
  std::unique_ptr<TileDma> dma_;
};

// The words of a linear descriptor of a tile: valid, of so many words, at a byte address.
std::vector<uint32_t> Linear(TileKind kind, uint64_t base, uint32_t words);

TileKind KindOf(const TileConfig& config);

}  // namespace tessera::aieml
