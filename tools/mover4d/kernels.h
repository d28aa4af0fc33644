// Kernels in the shape of the JSON generator of data movers: name -> {impl, map}. Each becomes a
// specification of tessera_mover4d.
//
//   {"crop": {"impl": "4DCuboidRead",
//             "map": [{"in_port": {"buffer": "frame", "descriptors": "list"},
//                      "out_port": {"stream": "px", "width": 64}}]}}
//
// A kernel may have every other member of a specification beside them. Which fields an entry of the
// map has depends on impl; the parser and the schema read both from one table.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/job/reader.h"

namespace tessera::gen {

enum class FieldKind { kName, kWidth, kInteger, kRamType, kPath, kRomType };

struct Field {
  std::string part, member;  // "in_port", "width"
  FieldKind kind = FieldKind::kName;
  std::string role;  // what it sets: a parameter, "list", "data", "stream", of the ROM; or nothing
  bool must = false;
  uint64_t least = 0, most = 0;  // of integers
};

struct Impl {
  std::string name, about;
  bool writes = false;     // its channels are write channels
  std::string parameters;  // what it sets, as JSON
  std::vector<Field> fields;

  std::vector<std::string> Parts() const;
};

const std::vector<Impl>& Impls();
// Widths that a map may name.
inline constexpr uint64_t kMapWidths[] = {16, 32, 64, 128, 256, 512};
inline constexpr std::string_view kRamTypes[] = {"Bram", "Uram"};

// Whether the document has this shape.
bool IsKernels(const job::Json& document);
// The schemas of such documents, and of what specifications of tessera_mover4d have beside others'.
nlohmann::ordered_json KernelsSchema(const nlohmann::ordered_json& name,
                                     const nlohmann::ordered_json& members);
nlohmann::ordered_json MemberSchemas();
// The document of one of its kernels as a specification of tessera_mover4d.
job::Json KernelSpec(const job::Reader& kernel, const std::string& name);

}  // namespace tessera::gen
