// See pair.h.
#include "tests/aieml_rtl/pair.h"

#include <stdexcept>

namespace tessera::aieml {

Offsets OffsetsOf(TileKind kind) {
  switch (kind) {
    case TileKind::kShim:
      return {kind,    0x1d000, 16,      0x1d200, 0x1d210, 0x1d220, 0x1d228, 0x1d230, 0x1d238,
              0x14000, 16,      0x40000, 0x14120, 0x14128, 2,       0x1000,  0};
    case TileKind::kMemory:
      return {kind,    0xa0000, 48,      0xa0600, 0xa0630, 0xa0660, 0xa0680, 0xa06b0, 0xa06c8,
              0xc0000, 64,      0xd0000, 0xc0420, 0xc0428, 6,       0x80000, 64};
    default:
      return {kind,    0x1d000, 16,      0x1de00, 0x1de10, 0x1df00, 0x1df10, 0x1df18, 0x1df20,
              0x1f000, 16,      0x40000, 0x1f120, 0x1f128, 2,       0,       0};
  }
}

bool SparseWords::Has(uint64_t address) const {
  switch (kind_) {
    case TileKind::kShim:
      return address < uint64_t{1} << 32;
    case TileKind::kMemory:
      return address < 0x100000;  // west and own
    default:
      return address < 0x10000;
  }
}

uint32_t SparseWords::At(uint64_t address) {
  const auto it = words_.find(address);
  return it != words_.end() ? it->second : static_cast<uint32_t>(Mix64(address));
}

bool SparseWords::Read(uint64_t address, uint32_t* word) {
  if (!Has(address)) return false;
  *word = At(address);
  return true;
}

bool SparseWords::Write(uint64_t address, uint32_t word) {
  if (!Has(address)) return false;
  words_[address] = word;
  return true;
}

Side::Side(Make make, const std::string& build, TileKind kind, uint64_t seed,
           const PortOptions& port)
    : memory(kind), rng_(seed) {
  const uint32_t channels = OffsetsOf(kind).channels;
  const uint32_t row = kind == TileKind::kShim ? 0 : kind == TileKind::kMemory ? 1 : 2;
  feed.resize(channels);
  sent.resize(channels);
  in_.resize(channels);
  out_.resize(channels);
  DmaPorts ports{kind, 3, row, {}, {}, &tokens_, &memory};
  for (uint32_t n = 0; n < channels; ++n) {
    ports.to_memory.push_back(&in_[n]);
    ports.to_stream.push_back(&out_[n]);
  }
  if (make == Make::kModel) {
    dma_ = std::make_unique<DmaModel>(ports);
  } else {
    auto dma = std::make_unique<RtlDma>(build, ports, port, seed);
    rtl = dma.get();
    dma_ = std::move(dma);
  }
}

void Side::Clock(uint32_t cycles) {
  for (uint32_t n = 0; n < cycles; ++n) {
    dma_->Clock();
    for (size_t k = 0; k < in_.size(); ++k) {
      in_[k].Commit();
      out_[k].Commit();
      if (!feed[k].empty() && in_[k].CanPush() && !rng_.Chance(stumble)) {
        in_[k].Push(feed[k].front());
        feed[k].pop_front();
      }
      if (!out_[k].Empty() && !rng_.Chance(stumble)) sent[k].push_back(out_[k].Pop());
    }
    tokens_.Commit();
    if (!tokens_.Empty()) tokens.push_back(tokens_.Pop().data);
  }
}

uint32_t Side::Access_(uint32_t offset, bool write, uint32_t value) {
  if (!dma_->Post({offset, write, value})) throw std::runtime_error("two accesses at once");
  for (int n = 0; n < 1000; ++n) {
    Clock();
    if (const auto answer = dma_->Answer()) return *answer;
  }
  throw std::runtime_error("no answer of a register");
}

void Side::Write(uint32_t offset, uint32_t value) { Access_(offset, true, value); }
uint32_t Side::Read(uint32_t offset) { return Access_(offset, false, 0); }

void Side::Feed(uint32_t channel, const std::vector<Word>& words) {
  feed[channel].insert(feed[channel].end(), words.begin(), words.end());
}

bool Side::Settle(uint32_t cycles) {
  for (uint32_t n = 0; n < cycles; ++n) {
    Clock();
    bool empty = dma_->Quiet() && tokens_.Quiet();
    for (const Link& link : out_) empty = empty && link.Quiet();
    if (!empty) continue;
    Clock(32);  // what a compressor still holds
    return true;
  }
  return false;
}

std::vector<uint32_t> Linear(TileKind kind, uint64_t base, uint32_t words) {
  const auto low = static_cast<uint32_t>(base);
  switch (kind) {
    case TileKind::kShim:
      return {words, low, static_cast<uint32_t>(base >> 32), 0, 0, 0, 0, 1u << 25};
    case TileKind::kMemory:
      return {words, low >> 2, 0, 0, 0, 0, 0, 1u << 31};
    default:
      return {low >> 2 << 14 | words, 0, 0, 0, 0, 1u << 25};
  }
}

TileKind KindOf(const TileConfig& config) {
  return config.image == 0   ? TileKind::kMemory
         : config.image == 1 ? TileKind::kShim
                             : TileKind::kCompute;
}

}  // namespace tessera::aieml
