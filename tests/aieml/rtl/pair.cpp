// See pair.h.
#include "tests/aieml/rtl/pair.h"

#include <cstring>
#include <stdexcept>

#include "tb/sim/lanes.h"

namespace tessera::aieml {
namespace {

// First address at which a tile has nothing.
uint64_t EndOf(TileKind kind, bool east) {
  switch (kind) {
    case TileKind::kShim:
      return uint64_t{3} << 46;  // of 48 bits
    case TileKind::kMemory:
      return east ? 0x180000 : 0x100000;
    default:
      return 0x10000;
  }
}

TileBenchOptions BenchOptionsOf(const TileConfig& config, uint64_t seed, const PortOptions& port,
                                double stumble) {
  TileBenchOptions options;
  options.seed = seed;
  options.memory.latency_min = port.latency_min;
  options.memory.latency_max = port.latency_max;
  if (port.stumble > 0) {
    const PacerSpec pacer = PacerSpec::Probability(1 - port.stumble);
    options.memory.ar = options.memory.r = options.memory.aw = options.memory.w = options.memory.b =
        pacer;
  }
  options.memory.errors = port.errors;
  options.memory.errors.push_back(
      ErrorRule::Range(EndOf(KindOf(config), config.east), ~uint64_t{0}, kDecErr));
  if (stumble > 0) options.source.pacer = options.sink.pacer = PacerSpec::Probability(1 - stumble);
  return options;
}

}  // namespace

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

uint32_t Side::At(uint64_t address) {
  uint32_t word = 0;
  memory().ReadWord(address, reinterpret_cast<uint8_t*>(&word), 4);
  return word;
}

// ---- The model

class ModelSide::Words final : public WordMemory {
 public:
  Words(Memory* memory, TileKind kind) : memory_(memory), end_(EndOf(kind, false)) {}
  bool Read(uint64_t address, uint32_t* word) override {
    if (address >= end_) return false;
    memory_->ReadWord(address, reinterpret_cast<uint8_t*>(word), 4);
    return true;
  }
  bool Write(uint64_t address, uint32_t word) override {
    if (address >= end_) return false;
    memory_->WriteWord(address, reinterpret_cast<const uint8_t*>(&word), 4, FirstLanes(4));
    return true;
  }

 private:
  Memory* memory_;
  uint64_t end_;
};

ModelSide::ModelSide(TileKind kind, uint64_t seed, double stumble)
    : words_(std::make_unique<Words>(&memory_, kind)), rng_(seed), stumble_(stumble) {
  const uint32_t channels = OffsetsOf(kind).channels;
  const uint32_t row = kind == TileKind::kShim ? 0 : kind == TileKind::kMemory ? 1 : 2;
  feed_.resize(channels);
  sent_.resize(channels);
  in_.resize(channels);
  out_.resize(channels);
  DmaPorts ports{kind, 3, row, {}, {}, &token_, words_.get()};
  for (uint32_t n = 0; n < channels; ++n) {
    ports.to_memory.push_back(&in_[n]);
    ports.to_stream.push_back(&out_[n]);
  }
  dma_ = std::make_unique<DmaModel>(ports);
}
ModelSide::~ModelSide() = default;

void ModelSide::Advance(uint32_t cycles) {
  for (uint32_t n = 0; n < cycles; ++n) {
    dma_->Clock();
    for (size_t k = 0; k < in_.size(); ++k) {
      in_[k].Commit();
      out_[k].Commit();
      if (!feed_[k].empty() && in_[k].CanPush() && !rng_.Chance(stumble_)) {
        in_[k].Push(feed_[k].front());
        feed_[k].pop_front();
      }
      if (!out_[k].Empty() && !rng_.Chance(stumble_)) sent_[k].push_back(out_[k].Pop());
    }
    token_.Commit();
    if (!token_.Empty()) tokens_.push_back(token_.Pop().data);
  }
}

uint32_t ModelSide::Perform(uint32_t offset, bool write, uint32_t value) {
  if (!dma_->Post({offset, write, value})) throw std::runtime_error("two accesses at once");
  for (int n = 0; n < 1000; ++n) {
    Clock(1);
    if (const auto answer = dma_->Answer()) return *answer;
  }
  throw std::runtime_error("no answer of a register");
}

void ModelSide::Feed(uint32_t channel, const std::vector<Word>& words) {
  feed_[channel].insert(feed_[channel].end(), words.begin(), words.end());
}

bool ModelSide::Settle(uint32_t cycles) {
  for (uint32_t n = 0; n < cycles; ++n) {
    Clock(1);
    bool empty = dma_->Quiet() && token_.Quiet();
    for (const Link& link : out_) empty = empty && link.Quiet();
    if (!empty) continue;
    Clock(32);
    return true;
  }
  return false;
}

// ---- The RTL

RtlSide::RtlSide(const TileConfig& config, uint64_t seed, const PortOptions& port, double stumble)
    : bench_(MakeTile(config.name, seed), BenchOptionsOf(config, seed, port, stumble)) {}

bool RtlSide::Settle(uint32_t cycles) {
  bench_.Step();
  const bool settled = bench_.Until([this] { return bench_.Quiet(); }, cycles);
  if (settled) bench_.Step(32);  // what a compressor still holds
  return settled;
}

// Words fill beats from lane 0. The last beat of a packet may be partial; one without TLAST may
// not, so zeros fill it.
void RtlSide::Feed(uint32_t channel, const std::vector<Word>& words) {
  const auto wide = static_cast<size_t>(bench_.config().stream_bytes);
  std::vector<uint8_t> beat;
  for (size_t n = 0; n < words.size(); ++n) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&words[n].data);
    beat.insert(beat.end(), bytes, bytes + 4);
    const bool last = words[n].last;
    if (!last && n + 1 == words.size()) beat.resize(wide);
    if (!last && beat.size() < wide) continue;
    bench_.source(static_cast<int>(channel)).Push(beat, last ? PieceEnd::kLast : PieceEnd::kBeat);
    beat.clear();
  }
}

uint64_t RtlSide::Left(uint32_t channel) const {
  const StreamSource& source = bench_.source(static_cast<int>(channel));
  return (source.bytes().size() - source.bytes_accepted()) / 4;
}

std::vector<Word> RtlSide::Sent(uint32_t channel) const {
  const StreamSink& sink = bench_.sink(static_cast<int>(channel));
  std::vector<Word> words;
  for (const StreamBeat& beat : sink.beats()) {
    for (uint64_t at = 0; at < beat.count; at += 4) {
      Word word{0, beat.last && at + 4 == beat.count};
      std::memcpy(&word.data, sink.bytes().data() + beat.first + at, 4);
      words.push_back(word);
    }
  }
  return words;
}

uint64_t RtlSide::SentWords(uint32_t channel) const {
  return bench_.sink(static_cast<int>(channel)).bytes().size() / 4;
}

std::vector<uint32_t> RtlSide::Tokens() const {
  std::vector<uint32_t> words;
  for (const StreamWord& word : bench_.tokens().words()) words.push_back(word.data);
  return words;
}

// ---- Both

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
