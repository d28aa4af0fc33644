// Pieces of JSON schemas.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "tools/gen/top.h"

namespace tessera::gen {

nlohmann::ordered_json OrNull(nlohmann::ordered_json schema);
nlohmann::ordered_json Object(nlohmann::ordered_json properties, nlohmann::ordered_json required);
nlohmann::ordered_json Text(const char* pattern, const char* about);
nlohmann::ordered_json Number(uint64_t least, uint64_t most);
nlohmann::ordered_json FilePath();
nlohmann::ordered_json ParametersOf(const Top& top);

}  // namespace tessera::gen
