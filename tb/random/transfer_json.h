// The JSON form of a transfer: the fields of the norm by their names, those that are not as in a
// plain transfer. Job files, cases and reports have this one form.
#pragma once

#include <nlohmann/json.hpp>

#include "tb/model/transfer.h"

namespace tessera {

nlohmann::ordered_json TransferToJson(const model::Transfer& transfer);
// Reads what TransferToJson makes, and numbers in place of "0x..." texts. Throws
// std::invalid_argument with the field, its value and what is legal.
model::Transfer TransferFromJson(const nlohmann::json& json);

}  // namespace tessera
