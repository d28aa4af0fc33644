// A transfer as an engine is given it: the words of a descriptor (docs/programming.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tessera {

using DescriptorWords = std::array<uint32_t, 16>;

// What word 15 says is there.
struct DescriptorImage {
  DescriptorWords base{};
  std::optional<DescriptorWords> bounds, walk;
  bool operator==(const DescriptorImage&) const = default;
};

struct EngineTransfer : DescriptorImage {
  bool task_end = false;  // the last transfer of its task
  bool operator==(const EngineTransfer&) const = default;
};

}  // namespace tessera
