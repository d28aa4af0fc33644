// What software needs of a generated module: its constants in C++, the driver, a node of the device
// tree.
#include <fmt/format.h>

#include <algorithm>

#include "tools/gen/product.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

std::string Constants(const Design& design) {
  std::string out;
  for (const Parameter& parameter : design.top().parameters) {
    const int64_t value = design.spec.parameters.at(parameter.name);
    out += fmt::format("inline constexpr {} k{} = {};  // {}\n",
                       parameter.flag ? "bool" : "uint32_t", parameter.name,
                       parameter.flag ? (value != 0 ? "true" : "false") : std::to_string(value),
                       parameter.about);
  }
  return out;
}

}  // namespace

void WriteSoftware(const Design& design, Files* files) {
  const Spec& spec = design.spec;
  const Product* const product = design.top().product;
  for (const Embedded& file : EmbeddedFiles()) {
    const bool included =
        product == nullptr ? file.name.starts_with("driver/")
                           : std::find(product->driver_files.begin(), product->driver_files.end(),
                                       file.name) != product->driver_files.end();
    if (!included) continue;
    (*files)["software/tessera/" + std::string(file.name.substr(file.name.find('/') + 1))] =
        file.text;
  }
  (*files)["software/" + spec.name + ".hpp"] = Fill(
      product != nullptr ? product->software : "software.hpp",
      {{"NAME", spec.name},
       {"TOP", spec.top->name},
       {"BASE", fmt::format("{:#x}", spec.address)},
       {"SPAN", fmt::format("{:#x}", design.span)},
       {"HERTZ", Hertz(spec.mhz)},
       {"BUFFER", design.buffer_bytes == 0
                      ? ""
                      : fmt::format("inline constexpr uintptr_t kOnChipAddress = {:#x};  // of "
                                    "the on-chip buffer, for processors\n",
                                    design.buffer_address)},
       {"CONSTANTS", Constants(design)}});
  const auto cells = [](uint64_t value) {
    return fmt::format("{:#x} {:#x}", value >> 32, value & 0xffffffff);
  };
  const std::string buffer = design.buffer_bytes == 0
                                 ? ""
                                 : " " + cells(design.buffer_address) + " " +
                                       cells(static_cast<uint64_t>(design.buffer_bytes));
  (*files)["software/" + spec.name + ".dtsi"] =
      Fill("software.dtsi",
           {{"NAME", spec.name},
            {"COMPATIBLE", spec.top->compatible},
            {"UNIT", fmt::format("{:x}", spec.address)},
            {"REG", cells(spec.address) + " " + cells(static_cast<uint64_t>(design.span)) + buffer},
            {"NAMES", buffer.empty() ? "" : "\t\treg-names = \"registers\", \"onchip\";\n"},
            {"INTERRUPT", std::to_string(spec.interrupt)},
            {"READS", std::to_string(design.Value("Reads"))},
            {"WRITES", std::to_string(design.Value("Writes"))},
            {"ADDRESS_BITS", std::to_string(design.Value("AddrWidth"))}});
}

}  // namespace tessera::gen
