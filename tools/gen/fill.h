// Texts with places to fill: @NAME@.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tessera::gen {

using Fillings = std::map<std::string, std::string, std::less<>>;

// The embedded template with every place filled; throws std::logic_error for a place that nobody
// fills.
std::string Fill(std::string_view name, const Fillings& fillings);

}  // namespace tessera::gen
