// A product beside the core (cmake/products.cmake) in `tessera gen`: a top whose specification,
// software and testbench are not those of tessera_dma.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gen/design.h"
#include "tools/gen/spec.h"
#include "tools/job/reader.h"

namespace tessera::gen {

struct Product {
  std::string_view top;

  // Members of a specification that only this top has, and their schemas.
  std::vector<std::string_view> members;
  nlohmann::ordered_json (*schemas)();
  // Reads them: what sets parameters before rules are checked; the others.
  void (*read_parameters)(const job::Reader& document, Spec* spec);
  void (*read)(const job::Reader& document, Spec* spec);
  // Puts them into a specification that is written.
  void (*write)(const Spec& spec, nlohmann::ordered_json* json);

  // Documents of another form, several modules by name: whether one is, the specification of a
  // module, their schema (of names, and of the members of specifications).
  bool (*takes)(const job::Json& document);
  job::Json (*specification)(const job::Reader& module, const std::string& name);
  nlohmann::ordered_json (*schema)(const nlohmann::ordered_json& name,
                                   const nlohmann::ordered_json& members);

  // An area: "lut", "ff", "memory".
  double (*figure)(const nlohmann::json& area, const char* figure, const Design& design);

  std::string_view software;                   // the template of its C++ header
  std::vector<std::string_view> driver_files;  // what that includes, of the embedded files
  std::string_view driver;                     // the same in words
  std::string_view test_header, test_class;    // of the testbench
  std::string (*expectations)(const Design& design);

  std::string_view protocol, host;  // of a kernel of Vitis: how it is started; the same in words
  std::string (*arguments)(const Design& design);
};

// The products in this program, and the tops of those that are not, with the option that left them
// out.
struct AbsentTop {
  std::string_view name, option;
};
const std::vector<Product>& Products();
const std::vector<AbsentTop>& AbsentTops();

// Pieces of schemas.
nlohmann::ordered_json OrNull(nlohmann::ordered_json schema);
nlohmann::ordered_json Object(nlohmann::ordered_json properties, nlohmann::ordered_json required);
nlohmann::ordered_json Text(const char* pattern, const char* about);
nlohmann::ordered_json Number(uint64_t least, uint64_t most);
nlohmann::ordered_json FilePath();
nlohmann::ordered_json ParametersOf(const Top& top);

}  // namespace tessera::gen
