// One DMA of a tile with its memory and its streams, as RTL or as the behavioural model, behind one
// interface: both run the same program.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lib/aieml/dma_model.h"
#include "tb/aieml/tile_bench.h"
#include "tb/bus/axi_errors.h"
#include "tb/bus/memory.h"

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

struct PortOptions {
  uint32_t latency_min = 1, latency_max = 1;
  double stumble = 0;               // how often a ready or a valid of memory is held back
  std::vector<ErrorRule> errors{};  // of the memory, and beyond its end
};

class Side {
 public:
  virtual ~Side() = default;

  virtual void Write(uint32_t offset, uint32_t value) = 0;
  virtual uint32_t Read(uint32_t offset) = 0;
  void Clock(uint32_t cycles = 1) { Advance(cycles); }
  // Clocks until nothing is under way, or so many cycles have passed.
  virtual bool Settle(uint32_t cycles) = 0;

  virtual void Feed(uint32_t channel, const std::vector<Word>& words) = 0;
  virtual uint64_t Left(uint32_t channel) const = 0;  // of them, not taken
  virtual std::vector<Word> Sent(uint32_t channel) const = 0;
  virtual uint64_t SentWords(uint32_t channel) const = 0;
  virtual std::vector<uint32_t> Tokens() const = 0;
  virtual Memory& memory() = 0;
  uint32_t At(uint64_t address);

 private:
  virtual void Advance(uint32_t cycles) = 0;
};

// What never was written is the same on both sides: it depends on the address alone.
class ModelSide final : public Side {
 public:
  // `stumble`: how often a stream waits.
  ModelSide(TileKind kind, uint64_t seed, double stumble = 0);
  ~ModelSide() override;

  void Write(uint32_t offset, uint32_t value) override { Perform(offset, true, value); }
  uint32_t Read(uint32_t offset) override { return Perform(offset, false, 0); }
  bool Settle(uint32_t cycles) override;
  void Feed(uint32_t channel, const std::vector<Word>& words) override;
  uint64_t Left(uint32_t channel) const override { return feed_[channel].size(); }
  std::vector<Word> Sent(uint32_t channel) const override { return sent_[channel]; }
  uint64_t SentWords(uint32_t channel) const override { return sent_[channel].size(); }
  std::vector<uint32_t> Tokens() const override { return tokens_; }
  Memory& memory() override { return memory_; }

 private:
  class Words;
  void Advance(uint32_t cycles) override;
  uint32_t Perform(uint32_t offset, bool write, uint32_t value);
  Memory memory_{0};
  std::unique_ptr<Words> words_;
  std::vector<std::deque<Word>> feed_;
  std::vector<std::vector<Word>> sent_;
  std::vector<uint32_t> tokens_;
  std::vector<Link> in_, out_;
  Link token_;
  Rng rng_;
  double stumble_;
  std::unique_ptr<DmaModel> dma_;
};

class RtlSide final : public Side {
 public:
  RtlSide(const TileConfig& config, uint64_t seed, const PortOptions& port = {},
          double stumble = 0);

  void Write(uint32_t offset, uint32_t value) override { bench_.Set(offset, value); }
  uint32_t Read(uint32_t offset) override { return bench_.Get(offset); }
  bool Settle(uint32_t cycles) override;
  void Feed(uint32_t channel, const std::vector<Word>& words) override;
  uint64_t Left(uint32_t channel) const override;
  std::vector<Word> Sent(uint32_t channel) const override;
  uint64_t SentWords(uint32_t channel) const override;
  std::vector<uint32_t> Tokens() const override;
  Memory& memory() override { return bench_.memory(); }
  TileBench& bench() { return bench_; }

 private:
  void Advance(uint32_t cycles) override { bench_.Step(static_cast<int>(cycles)); }
  mutable TileBench bench_;
};

// The words of a linear descriptor of a tile: valid, of so many words, at a byte address.
std::vector<uint32_t> Linear(TileKind kind, uint64_t base, uint32_t words);

TileKind KindOf(const TileConfig& config);

}  // namespace tessera::aieml
