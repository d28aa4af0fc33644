// See report.h.
#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/files/input.h"

namespace tessera::bench {

Clocks Clocks::Load(const std::string& path) {
  Clocks clocks;
  try {
    const nlohmann::json units = nlohmann::json::parse(ReadInput(path)).at("units");
    const auto get = [&](const char* engine) -> std::optional<double> {
      if (!units.contains(engine) || !units.at(engine).contains("mhz")) return std::nullopt;
      return units.at(engine).at("mhz").get<double>();
    };
    clocks.read64_ = clocks.write64_ = get("tessera_dma");
    clocks.read512_ = clocks.write512_ = get("tessera_dma, 512 bits");
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}: legal is a JSON file", path, error.what()));
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(
        fmt::format("{}: is no file of figures: legal is JSON with units, in it builds as "
                    "\"tessera_dma\" with a number mhz",
                    path));
  }
  return clocks;
}

std::optional<double> Clocks::Mhz(Path path, int bits) const {
  const std::optional<double>& read = bits == 64 ? read64_ : read512_;
  const std::optional<double>& write = bits == 64 ? write64_ : write512_;
  if (path == Path::kRead) return read;
  if (path == Path::kWrite) return write;
  if (!read || !write) return std::nullopt;
  return std::min(*read, *write);
}

}  // namespace tessera::bench
