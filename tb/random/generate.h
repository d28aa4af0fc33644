// Random cases: everything the norm allows, weighted towards corners, from one 64-bit seed.
//
// The same configuration and seed give the same case everywhere. Named sub-streams keep its parts
// independent: the transfers do not change when the pacers learn something new. A case asks for
// what the configuration can do, and now and then for what it cannot, to see `illegal`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tb/random/case.h"
#include "tb/sim/dut.h"
#include "tb/sim/rng.h"

namespace tessera {

Case RandomCase(const Config& config, uint64_t seed);

// One transfer of about `budget` positions at most, somewhere near `base`. Stream attributes are
// those of a lone transfer.
model::Transfer RandomTransfer(Rng& rng, const Config& config, uint64_t base, uint64_t budget);

// Now and then makes a chain one that reaches rare states: many empty transfers in a row, counts
// and bounds near the powers of two of their width.
void DrawRare(Rng rng, const Config& config, std::vector<model::Transfer>* chain);
// A place in memory just below a power of two.
uint64_t RarePlace(Rng& rng, const Config& config);

// What rare states are made of. Whether a program of random cases draws them beside all others; a
// seed without them is the case that it was before there were any.
enum class Draws : uint8_t { kPlain, kRare };
// 2^k or a neighbour of it, for a field of so many bits.
uint64_t NearPower(Rng& rng, uint64_t bits);
// The transfer without positions: its length, or a count, is 0.
model::Transfer EmptyLike(Rng& rng, const model::Transfer& transfer);
// Puts 28 to 70 empty transfers somewhere into a chain that has some.
void InsertEmpty(Rng& rng, std::vector<model::Transfer>* chain);
// Brings a count or a bound near a power of two, if the transfer is legal then: a length of at most
// `most` ends it, or a tile lies across the bound.
void EnlargeField(Rng& rng, const Config& config, uint64_t most, model::Transfer* t);
// An address range around something that the chain touches.
std::optional<model::ErrorRange> DrawError(Rng& rng, const std::vector<model::Transfer>& chain,
                                           const Config& config);

// A number from 1 to `most`, mostly small, near a power of two, or `most`.
uint64_t CornerSize(Rng& rng, uint64_t most);

}  // namespace tessera
