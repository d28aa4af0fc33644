// What software needs of a generated module: its constants in C++, the driver, a node of the device
// tree.
#include <fmt/format.h>

#include "tools/gen/embedded.h"
#include "tools/gen/fill.h"
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
  for (const Embedded& file : EmbeddedFiles()) {
    constexpr std::string_view kFolder = "driver/";
    const bool of_kernels =
        file.name == "driver/bus.hpp" || file.name == "driver/mover_registers.h";
    if (design.top().hls
            ? of_kernels
            : file.name.starts_with(kFolder) && file.name != "driver/mover_registers.h") {
      (*files)["software/tessera/" + std::string(file.name.substr(kFolder.size()))] = file.text;
    }
  }
  (*files)["software/" + spec.name + ".hpp"] =
      Fill(design.top().hls ? "software_hls.hpp" : "software.hpp",
           {{"NAME", spec.name},
            {"TOP", spec.top->name},
            {"BASE", fmt::format("{:#x}", spec.address)},
            {"SPAN", fmt::format("{:#x}", design.span)},
            {"HERTZ", Hertz(spec.mhz)},
            {"CONSTANTS", Constants(design)}});
  const auto cells = [](uint64_t value) {
    return fmt::format("{:#x} {:#x}", value >> 32, value & 0xffffffff);
  };
  (*files)["software/" + spec.name + ".dtsi"] =
      Fill("software.dtsi",
           {{"NAME", spec.name},
            {"COMPATIBLE", spec.top->compatible},
            {"UNIT", fmt::format("{:x}", spec.address)},
            {"REG", cells(spec.address) + " " + cells(static_cast<uint64_t>(design.span))},
            {"INTERRUPT", std::to_string(spec.interrupt)},
            {"READS", std::to_string(design.Value("Reads"))},
            {"WRITES", std::to_string(design.Value("Writes"))},
            {"ADDRESS_BITS", std::to_string(design.Value("AddrWidth"))}});
}

}  // namespace tessera::gen
