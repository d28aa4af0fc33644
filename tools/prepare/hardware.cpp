// The hardware that is linked into this program, by name; see prepare.h.
#include <fmt/format.h>

#include <string_view>

#include "tb/sim/counted.h"
#include "tb/sim/model.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {
namespace {

// Whether a list of the build, with blanks between and around, has `name`.
bool Has(std::string_view all, const std::string& name) {
  return all.find(fmt::format(" {} ", name)) != std::string_view::npos;
}

bool IsBuild(const std::string& name) {
  return FindNamed(Dmas(), name) || Has(TESSERA_NAMED_DMAS, name);
}

bool IsConfiguration(const std::string& name) {
  return FindNamed(Configs(), name) || Has(TESSERA_NAMED_CONFIGS, name);
}

// "; `cmake ...` builds it" if a variable of the build, `all`, lists `name`.
std::string HowToBuild(const std::string& name, std::string_view all, const char* variable) {
  if (!Has(all, name)) return "";
  return fmt::format(
      "; `cmake --preset release -D{}={} && cmake --build --preset release "
      "--target tessera` builds it",
      variable, name);
}

// A name of the other kind of hardware, which another option takes.
[[noreturn]] void RefuseKind(const std::string& where, const std::string& name, const char* kind,
                             const char* option) {
  throw job::Error(fmt::format(
      "{0} is \"{1}\": it is {2}, legal is --{3} {1} of tessera run, or \"{3}\" in a job", where,
      name, kind, option));
}

}  // namespace

job::Hardware FindHardware(const std::string& where, const std::string& name) {
  if (const auto config = FindNamed(Configs(), name)) return *config;
  const std::string known = Listed(Configs(), &Config::name);
  if (IsBuild(name) && !IsConfiguration(name))
    RefuseKind(where, name, "a build of tessera_dma", "dma");
  throw job::Error(fmt::format("{} is \"{}\": legal are the configurations in this program: {}{}",
                               where, name, known.empty() ? "none" : known,
                               HowToBuild(name, TESSERA_NAMED_CONFIGS, "TESSERA_CONFIGS")));
}

job::Hardware FindDma(const std::string& where, const std::string& name) {
  if (const auto dma = FindNamed(Dmas(), name)) return *dma;
  const std::string known = Listed(Dmas(), [](const DmaConfig& dma) { return dma.channel.name; });
  if (IsConfiguration(name) && !IsBuild(name))
    RefuseKind(where, name, "a configuration of engines", "config");
  throw job::Error(fmt::format(
      "{} is \"{}\": legal are the builds of tessera_dma in this program: {}{}", where, name,
      known.empty() ? "none" : known, HowToBuild(name, TESSERA_NAMED_DMAS, "TESSERA_DMAS")));
}

job::Hardware FindAny(const std::string& where, const std::string& name) {
  if (const auto config = FindNamed(Configs(), name)) return *config;
  if (const auto dma = FindNamed(Dmas(), name)) return *dma;
  std::string known = Listed(Configs(), &Config::name);
  for (const DmaConfig& dma : Dmas()) known += (known.empty() ? "" : ", ") + dma.channel.name;
  throw job::Error(
      fmt::format("{} is \"{}\": legal are the configurations and builds of tessera_dma in this "
                  "program: {}{}{}",
                  where, name, known.empty() ? "none" : known,
                  HowToBuild(name, TESSERA_NAMED_CONFIGS, "TESSERA_CONFIGS"),
                  HowToBuild(name, TESSERA_NAMED_DMAS, "TESSERA_DMAS")));
}

}  // namespace tessera::cli
