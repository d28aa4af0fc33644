// See descriptor.h.
#include "lib/aieml/descriptor.h"

namespace tessera::aieml {
namespace {

uint32_t Bits(uint32_t word, int high, int low) {
  return word >> low & (0xffffffffu >> (31 - (high - low)));
}
int32_t Signed7(uint32_t value) { return static_cast<int32_t>(value << 25) >> 25; }

void Memory(std::span<const uint32_t> w, TileDescriptor* d) {
  d->packet = Bits(w[0], 31, 31) != 0;
  d->packet_type = Bits(w[0], 30, 28);
  d->packet_id = Bits(w[0], 27, 23);
  d->out_of_order = Bits(w[0], 22, 17);
  d->length = Bits(w[0], 16, 0);
  d->base = uint64_t{Bits(w[1], 18, 0)} * 4;
  d->use_next = Bits(w[1], 19, 19) != 0;
  d->next = Bits(w[1], 25, 20);
  d->suppress_last = Bits(w[2], 31, 31) != 0;
  d->compression = Bits(w[4], 31, 31) != 0;
  d->wrap = {Bits(w[2], 26, 17), Bits(w[3], 26, 17), Bits(w[4], 26, 17)};
  d->step = {Bits(w[2], 16, 0) + 1, Bits(w[3], 16, 0) + 1, Bits(w[4], 16, 0) + 1,
             Bits(w[5], 16, 0) + 1};
  d->before = {Bits(w[1], 31, 26), Bits(w[3], 31, 27), Bits(w[4], 30, 27)};
  d->after = {Bits(w[5], 22, 17), Bits(w[5], 27, 23), Bits(w[5], 31, 28)};
  d->iteration_current = Bits(w[6], 28, 23);
  d->iteration_size = Bits(w[6], 22, 17) + 1;
  d->iteration_step = Bits(w[6], 16, 0) + 1;
  d->valid = Bits(w[7], 31, 31) != 0;
  d->release_value = Signed7(Bits(w[7], 30, 24));
  d->release_lock = Bits(w[7], 23, 16);
  d->acquire = Bits(w[7], 15, 15) != 0;
  d->acquire_value = Signed7(Bits(w[7], 14, 8));
  d->acquire_lock = Bits(w[7], 7, 0);
}

// The last word of shim and compute tile.
void Tail(uint32_t w, TileDescriptor* d) {
  d->suppress_last = Bits(w, 31, 31) != 0;
  d->next = Bits(w, 30, 27);
  d->use_next = Bits(w, 26, 26) != 0;
  d->valid = Bits(w, 25, 25) != 0;
  d->release_value = Signed7(Bits(w, 24, 18));
  d->release_lock = Bits(w, 16, 13);
  d->acquire = Bits(w, 12, 12) != 0;
  d->acquire_value = Signed7(Bits(w, 11, 5));
  d->acquire_lock = Bits(w, 3, 0);
}

void Shim(std::span<const uint32_t> w, TileDescriptor* d) {
  d->length = w[0];
  d->base = (uint64_t{Bits(w[2], 15, 0)} << 32) | (w[1] & ~3u);
  d->packet = Bits(w[2], 30, 30) != 0;
  d->out_of_order = Bits(w[2], 29, 24);
  d->packet_id = Bits(w[2], 23, 19);
  d->packet_type = Bits(w[2], 18, 16);
  d->wrap = {Bits(w[3], 29, 20), Bits(w[4], 29, 20), 0};
  d->step = {Bits(w[3], 19, 0) + 1, Bits(w[4], 19, 0) + 1, Bits(w[5], 19, 0) + 1, 1};
  d->iteration_current = Bits(w[6], 31, 26);
  d->iteration_size = Bits(w[6], 25, 20) + 1;
  d->iteration_step = Bits(w[6], 19, 0) + 1;
  Tail(w[7], d);
}

void Compute(std::span<const uint32_t> w, TileDescriptor* d) {
  d->base = uint64_t{Bits(w[0], 27, 14)} * 4;
  d->length = Bits(w[0], 13, 0);
  d->compression = Bits(w[1], 31, 31) != 0;
  d->packet = Bits(w[1], 30, 30) != 0;
  d->out_of_order = Bits(w[1], 29, 24);
  d->packet_id = Bits(w[1], 23, 19);
  d->packet_type = Bits(w[1], 18, 16);
  d->step = {Bits(w[2], 12, 0) + 1, Bits(w[2], 25, 13) + 1, Bits(w[3], 12, 0) + 1, 1};
  d->wrap = {Bits(w[3], 20, 13), Bits(w[3], 28, 21), 0};
  d->iteration_current = Bits(w[4], 24, 19);
  d->iteration_size = Bits(w[4], 18, 13) + 1;
  d->iteration_step = Bits(w[4], 12, 0) + 1;
  Tail(w[5], d);
}

}  // namespace

uint32_t DescriptorWords(TileKind kind) { return kind == TileKind::kCompute ? 6 : 8; }

TileDescriptor DecodeDescriptor(TileKind kind, std::span<const uint32_t> words) {
  TileDescriptor descriptor;
  switch (kind) {
    case TileKind::kShim:
      Shim(words, &descriptor);
      break;
    case TileKind::kMemory:
      Memory(words, &descriptor);
      break;
    case TileKind::kCompute:
      Compute(words, &descriptor);
      break;
  }
  return descriptor;
}

void StoreIteration(TileKind kind, uint32_t current, std::span<uint32_t> words) {
  const uint32_t word = kind == TileKind::kCompute ? 4 : 6;
  const uint32_t low = kind == TileKind::kShim ? 26 : kind == TileKind::kMemory ? 23 : 19;
  words[word] = (words[word] & ~(0x3fu << low)) | current << low;
}

Walk::Walk(const TileDescriptor& d)
    : base_(d.base + uint64_t{d.iteration_current} * d.iteration_step * 4), left_(d.length) {
  for (size_t k = 0; k < 4; ++k) {
    step_[k] = uint64_t{d.step[k]} * 4;
    if (k == 3) continue;
    before_[k] = d.before[k];
    inside_[k] = d.wrap[k];
    extent_[k] = d.wrap[k] == 0 ? 0 : uint64_t{d.before[k]} + d.wrap[k] + d.after[k];
  }
}

std::optional<uint64_t> Walk::Next() {
  uint64_t address = base_;
  bool data = true;
  for (size_t k = 0; k < 4; ++k) {
    data =
        data && count_[k] >= before_[k] && (extent_[k] == 0 || count_[k] < before_[k] + inside_[k]);
    address += (count_[k] - before_[k]) * step_[k];
  }
  for (size_t k = 0; k < 4; ++k) {
    if (++count_[k] != extent_[k]) break;
    count_[k] = 0;
  }
  --left_;
  return data ? std::optional(address) : std::nullopt;
}

}  // namespace tessera::aieml
