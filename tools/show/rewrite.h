// Other descriptions of a transfer: the same bytes in another order, or in the same order with
// other dimensions. Each function says what stays the same; nothing where a rewrite is not
// possible.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "tb/model/transfer.h"

namespace tessera::show {

// True if the transfer visits every combination of its counts once: `length` neither cuts nor
// extends it.
bool IsWholeBox(const model::Transfer& transfer);

// Dimension n of the result is dimension order[n]: the same positions, in another order, if the
// transfer is a whole box.
model::Transfer Permuted(const model::Transfer& transfer,
                         const std::array<size_t, model::kDims>& order);

// Dimension d is walked from its other end: the same positions, in another order.
std::optional<model::Transfer> Flipped(const model::Transfer& transfer, size_t d);

// Dimensions d and e, each turn of e beginning where one of d ends, become one: the same positions
// in the same order.
std::optional<model::Transfer> Folded(const model::Transfer& transfer, size_t d, size_t e);

// Neighbouring elements become one element, as wide as the bus allows: the same bytes in the same
// order.
std::optional<model::Transfer> Widened(const model::Transfer& transfer, int most_bytes);

}  // namespace tessera::show
