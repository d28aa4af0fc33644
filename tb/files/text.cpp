// See text.h.
#include "tb/files/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tessera {
namespace {

// Bytes of the character at the beginning of `text`; 0: no UTF-8, or a control character.
size_t Character(std::string_view text) {
  const auto byte = [&](size_t n) { return static_cast<uint8_t>(text[n]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  uint32_t code = first & (0x7fU >> size);
  for (size_t n = 1; n < size; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(n) & 0x3fU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool control = code < 0xa0;
  // What turns or hides the text around it is no better than a control character.
  const bool turns = (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
  return code < kLeast[size] || code > 0x10ffff || surrogate || control || turns ? 0 : size;
}

}  // namespace

std::string Escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const size_t size = Character(text);
    if (size == 0) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const auto byte = static_cast<uint8_t>(text[0]);
      escaped += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      escaped += text.substr(0, size);
    }
    text.remove_prefix(std::max<size_t>(size, 1));
  }
  return escaped;
}

std::string EscapedLines(std::string_view text) {
  std::string escaped;
  for (size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    escaped += Escaped(text.substr(0, end)) + '\n';
  }
  return escaped + Escaped(text);
}

}  // namespace tessera
