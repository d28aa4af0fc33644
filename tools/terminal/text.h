// Names and texts of users, fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace tessera::cli {

// Control characters and bytes that are no UTF-8 become \xNN; all else stays.
std::string Escaped(std::string_view text);

}  // namespace tessera::cli
