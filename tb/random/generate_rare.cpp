// Rare states on purpose: long runs of empty transfers, and fields near the powers of two of their
// width; see generate.h.
#include <algorithm>

#include "tb/check/encode.h"
#include "tb/random/generate.h"

namespace tessera {
namespace {

using model::kDims;
using model::Transfer;

}  // namespace

uint64_t NearPower(Rng& rng, uint64_t bits) {
  const uint64_t power = uint64_t{1} << rng.Between(bits / 2, bits - 1);
  return rng.Chance(0.2) ? 2 * (uint64_t{1} << (bits - 1)) - 1 : power + rng.Below(3) - 1;
}

model::Transfer EmptyLike(Rng& rng, const model::Transfer& transfer) {
  Transfer empty = transfer;
  empty.finish = model::Finish::kLength;
  if (rng.Chance(0.5)) {
    empty.length = 0;
  } else {
    empty.count[rng.Below(kDims)] = 0;
  }
  return empty;
}

// More transfers without rows in a row than are planned ahead, so that tags of transfers come
// round.
void InsertEmpty(Rng& rng, std::vector<Transfer>* chain) {
  const Transfer empty = EmptyLike(rng, chain->front());
  const auto place = chain->begin() + static_cast<std::ptrdiff_t>(rng.Below(chain->size() + 1));
  chain->insert(place, rng.Between(28, 70), empty);
}

namespace {

// Counts that the length never lets come to their end.
void EnlargeCount(Rng& rng, uint64_t most, Transfer* t) {
  if (model::IsEmpty(*t)) return;
  const uint64_t length = std::clamp<uint64_t>(model::Positions(*t), 1, most);
  t->count[rng.Below(kDims)] = static_cast<uint32_t>(NearPower(rng, 32));
  t->length = static_cast<uint32_t>(length);
}

// A bound near a power of two and a tile across it; the address stays in its place.
void EnlargeBound(Rng& rng, const Config& config, Transfer* t) {
  const size_t d = rng.Below(kDims);
  if (model::IsEmpty(*t) || t->has_walk()) return;
  const uint64_t bound = std::min(NearPower(rng, 32), uint64_t{model::kMaxBound});
  const uint64_t before = rng.Below(std::min<uint64_t>(t->count[d], 40) + 2);
  const int64_t start = static_cast<int64_t>(bound) - static_cast<int64_t>(before);
  if (start > INT32_MAX) return;
  const auto moved = static_cast<uint64_t>(start - t->start[d]);
  t->bound[d] = static_cast<uint32_t>(bound);
  t->start[d] = static_cast<int32_t>(start);
  t->base = (t->base - moved * static_cast<uint64_t>(t->stride[d])) & BuildOf(config).AddressMask();
}

}  // namespace

void DrawRare(Rng rng, const Config& config, std::vector<Transfer>* chain) {
  if (chain->empty() || !rng.Chance(0.12)) return;
  if (rng.Chance(0.35)) {
    InsertEmpty(rng, chain);
    return;
  }
  for (Transfer& t : *chain) EnlargeField(rng, config, 400, &t);
}

void EnlargeField(Rng& rng, const Config& config, uint64_t most, Transfer* t) {
  Transfer rare = *t;
  if (rng.Chance(0.5)) {
    EnlargeCount(rng, most, &rare);
  } else if (config.bounds) {
    EnlargeBound(rng, config, &rare);
  }
  if (!model::Validate(rare, BuildOf(config))) *t = rare;
}

uint64_t RarePlace(Rng& rng, const Config& config) {
  const uint64_t bit = rng.Between(20, static_cast<uint64_t>(config.addr_width) - 1);
  return (uint64_t{1} << bit) - 4096 * rng.Between(1, 3);
}

}  // namespace tessera
