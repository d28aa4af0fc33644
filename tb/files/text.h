// Names and texts of users, fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// Control characters and bytes that are no UTF-8 become \xNN; all else stays.
std::string Escaped(std::string_view text);
// The same of a text of several lines.
std::string EscapedLines(std::string_view text);

}  // namespace tessera
