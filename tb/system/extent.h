// Where a transfer goes: the bytes from the least to the greatest, and the words of the bus.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>

#include "tb/bus/memory.h"
#include "tb/model/transfer.h"
#include "tb/sim/fabric.h"

namespace tessera {

// Bus words by number.
using WordSet = std::unordered_set<uint64_t>;

void AddWords(const model::Transfer& transfer, const model::Build& build, uint64_t word_bytes,
              WordSet* words);

enum class Permission : uint8_t { kGranted, kRefused, kEither };

// What becomes of a transfer under the windows of its channel. kEither where the norm leaves it to
// hardware: what `length` cuts off counts or not, and so does what goes past the end of memory.
Permission PermissionOf(const model::Transfer& transfer, const model::Build& build,
                        std::span<const Fabric::Window> windows, bool write);

// True if a window of these permits all of a range.
bool Permits(std::span<const Fabric::Window> windows, bool write, uint64_t first, uint64_t last);

}  // namespace tessera
