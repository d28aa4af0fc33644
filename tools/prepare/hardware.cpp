// The hardware that is linked into this program, by name; see prepare.h.
#include <fmt/format.h>

#include <string_view>

#include "tools/prepare/prepare.h"

namespace tessera::cli {
namespace {

// "; `cmake ...` builds it" if one of the variables of the build lists `name`.
std::string HowToBuild(const std::string& name) {
  const std::string named = fmt::format(" {} ", name);
  for (const auto& [all, variable] : {std::pair(TESSERA_NAMED_CONFIGS, "TESSERA_CONFIGS"),
                                      {TESSERA_NAMED_FABRICS, "TESSERA_FABRICS"},
                                      {TESSERA_NAMED_DMAS, "TESSERA_DMAS"}}) {
    if (std::string_view(all).find(named) == std::string_view::npos) continue;
    return fmt::format(
        "; `cmake --preset release -D{}={} && cmake --build --preset release "
        "--target tessera` builds it",
        variable, name);
  }
  return "";
}

}  // namespace

job::Hardware HardwareOf(const FabricConfig& fabric) {
  job::Hardware hardware(fabric.channel);
  hardware.reads = fabric.reads;
  hardware.writes = fabric.writes;
  hardware.ports = fabric.ports;
  hardware.shared = true;
  hardware.one_id = fabric.one_id;
  hardware.control = fabric.control;
  hardware.guard = fabric.guard;
  hardware.windows = fabric.windows;
  return hardware;
}

job::Hardware FindHardware(const std::string& where, const std::string& name) {
  std::string known;
  for (const Config& config : Configs()) {
    if (config.name == name) return config;
    known += (known.empty() ? "" : ", ") + config.name;
  }
  for (const FabricConfig& fabric : Fabrics()) {
    if (fabric.channel.name == name) return HardwareOf(fabric);
    known += (known.empty() ? "" : ", ") + fabric.channel.name;
  }
  throw job::Error(fmt::format("{} is \"{}\": legal are the configurations in this program: {}{}",
                               where, name, known.empty() ? "none" : known, HowToBuild(name)));
}

job::Hardware FindDma(const std::string& where, const std::string& name) {
  std::string known;
  for (const DmaConfig& dma : Dmas()) {
    if (dma.channel.name == name) return dma;
    known += (known.empty() ? "" : ", ") + dma.channel.name;
  }
  throw job::Error(
      fmt::format("{} is \"{}\": legal are the builds of tessera_dma in this program: {}{}", where,
                  name, known.empty() ? "none" : known, HowToBuild(name)));
}

}  // namespace tessera::cli
