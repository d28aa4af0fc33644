// Mutations that keep JSON being JSON, so that the fuzzer gets past the parser of the library: a
// value is erased, doubled, replaced by another of the document, or by a number or word at a
// border.
#include <nlohmann/json.hpp>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/fuzz/mutate_json.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

void Collect(Json& value, std::vector<Json*>* all) {
  all->push_back(&value);
  if (!value.is_structured()) return;
  for (Json& child : value) Collect(child, all);
}

Json Border(std::mt19937& random) {
  static const std::array<Json, 20> kValues{
      Json(0),          Json(1),           Json(-1),
      Json(4),          Json(255),         Json(256),
      Json(2147483647), Json(2147483648u), Json(4294967295u),
      Json(4294967296), Json(INT64_MAX),   Json(INT64_MIN),
      Json(UINT64_MAX), Json(1.5),         Json(nullptr),
      Json(true),       Json(""),          Json("0xffffffffffffffff"),
      Json::array(),    Json::object()};
  return kValues[random() % kValues.size()];
}

void Change(Json* value, const std::vector<Json*>& all, std::mt19937& random) {
  const Json other = *all[random() % all.size()];  // a copy: it may hold `value` itself
  switch (random() % 6) {
    case 0:
      *value = Border(random);
      return;
    case 1:
      *value = other;
      return;
    case 2:
      if (value->is_number_integer()) {
        const uint64_t nearby = static_cast<uint64_t>(value->get<int64_t>()) + random() % 5 - 2;
        *value = static_cast<int64_t>(nearby);
      }
      return;
    case 3:
      if (value->is_array() && !value->empty())
        value->push_back((*value)[random() % value->size()]);
      return;
    case 4:
      if (value->is_array() && !value->empty()) value->erase(random() % value->size());
      return;
    default:
      if (!value->is_object() || value->empty()) return;
      auto member = value->begin();
      std::advance(member, random() % value->size());
      value->erase(member);
  }
}

}  // namespace

size_t MutateJson(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  Json document = Json::parse(data, data + size, nullptr, false);
  if (document.is_discarded() || random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (size_t n = 1 + random() % 3; n > 0; --n) {
    std::vector<Json*> all;
    Collect(document, &all);
    Change(all[random() % all.size()], all, random);
  }
  const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace tessera
