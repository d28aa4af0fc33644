// See fill.h.
#include "tools/gen/fill.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

#include "tools/gen/embedded.h"

namespace tessera::gen {

std::string Fill(std::string_view name, const Fillings& fillings) {
  const std::string_view text = EmbeddedText(fmt::format("templates/{}", name));
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (text[at] == '@' && end < text.size() &&
           (std::isupper(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    if (text[at] != '@' || end == at + 1 || end >= text.size() || text[end] != '@') {
      out += text[at++];
      continue;
    }
    const std::string_view place = text.substr(at + 1, end - at - 1);
    const auto found = fillings.find(place);
    if (found == fillings.end())
      throw std::logic_error(fmt::format("template {}: nobody fills '{}'", name, place));
    out += found->second;
    at = end + 1;
  }
  return out;
}

}  // namespace tessera::gen
