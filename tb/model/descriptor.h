// The words of a descriptor as docs/programming.md says them: the transfer they mean, and why a
// build refuses them.
//
// The bits stand here by hand, on purpose. RTL, driver, harness and manual have theirs from
// SystemRDL (scripts/registers); this is the reference that finds what the generator makes wrong.
#pragma once

#include <array>
#include <cstdint>

#include "tb/model/transfer.h"

namespace tessera::model {

struct Words {
  std::array<uint32_t, 16> base{}, bounds{}, walk{};  // extensions count only if `base` says so
};

// The transfer of words that are not refused, with `turns` of its iteration done; `task_end` is not
// of the words. Strides count modulo the address width.
Transfer TransferOf(const Words& words, uint32_t turns, const Build& build);

// The reason for which words are refused that are in the build; 0 if they are not.
int RefusalOf(const Words& words, const Build& build, uint32_t locks, bool headers);

}  // namespace tessera::model
