// Files that are inside the program: sources, driver, bench, descriptions of the tops. Made by
// embed.py.
#pragma once

#include <string_view>
#include <vector>

namespace tessera::gen {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

const std::vector<Embedded>& EmbeddedFiles();
// The text of one of them; throws std::logic_error if there is none of that name.
std::string_view EmbeddedText(std::string_view name);

}  // namespace tessera::gen
