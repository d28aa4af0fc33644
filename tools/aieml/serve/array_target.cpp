// See array_target.h.
#include "tools/aieml/serve/array_target.h"

#include <fmt/format.h>

namespace tessera::serve {

std::optional<std::string> ArrayTarget::Wait(uint64_t cycles) {
  for (bool last = false;; last = true) {
    for (uint32_t column = 0; column < array_->columns(); ++column) {
      for (uint32_t row = 0; row < array_->rows(); ++row) {
        const uint32_t channels = array_->KindOf(row) == aieml::TileKind::kMemory ? 6 : 2;
        for (uint32_t channel = 0; channel < 2 * channels; ++channel) {
          const bool to_stream = channel >= channels;
          const uint32_t number = to_stream ? channel - channels : channel;
          if (!array_->TakeToken(column, row, to_stream, number)) continue;
          return fmt::format("token {} {} {} {}", column, row, to_stream ? "MM2S" : "S2MM", number);
        }
      }
    }
    if (last) return std::nullopt;
    array_->Run(cycles, [this, before = array_->tokens()] { return array_->tokens() != before; });
  }
}

}  // namespace tessera::serve
