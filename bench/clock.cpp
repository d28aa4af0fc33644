// See clock.h.
#include "bench/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/files/input.h"

namespace tessera::bench {

Clocks Clocks::Load(const std::string& path) {
  Clocks clocks;
  try {
    const nlohmann::json mhz = nlohmann::json::parse(ReadInput(path)).at("mhz");
    const auto get = [&](const char* engine, const char* bits) -> std::optional<double> {
      const nlohmann::json& value = mhz.at(engine).at(bits);
      if (value.is_null()) return std::nullopt;
      return value.get<double>();
    };
    clocks.read64_ = get("read", "64");
    clocks.read512_ = get("read", "512");
    clocks.write64_ = get("write", "64");
    clocks.write512_ = get("write", "512");
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}: legal is a JSON file", path, error.what()));
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(fmt::format(
        "{}: is no file of clocks: legal is JSON with mhz.read.64, mhz.read.512, mhz.write.64 and "
        "mhz.write.512, each a number or null",
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
