// See configs.h.
#include "tools/show/configs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "show/embedded.h"

namespace tessera::show {
namespace {

Config FromJson(const std::string& name, const nlohmann::ordered_json& json) {
  Config config;
  config.name = name;
  config.addr_width = json.at("AddrWidth");
  config.data_bytes = json.at("DataWidth").get<int>() / 8;
  config.stream_bytes = json.at("StreamWidth").get<int>() / 8;
  config.max_burst = json.at("MaxBurst");
  config.outstanding = json.at("Outstanding");
  config.walk = json.at("Walk");
  config.bounds = json.at("Bounds");
  config.loopback = json.value("Loopback", false);
  return config;
}

}  // namespace

std::vector<job::Hardware> NamedHardware() {
  std::vector<job::Hardware> all;
  const auto pairs = nlohmann::ordered_json::parse(embedded::kConfigs);
  for (const auto& [name, json] : pairs.items()) all.emplace_back(FromJson(name, json));
  const auto fabrics = nlohmann::ordered_json::parse(embedded::kFabrics);
  for (const auto& [name, json] : fabrics.items()) {
    job::Hardware& hardware = all.emplace_back(FromJson(name, json));
    hardware.reads = json.at("Reads");
    hardware.writes = json.at("Writes");
    hardware.ports = json.at("Ports");
    hardware.shared = true;
  }
  return all;
}

job::Hardware FindNamed(const std::string& name, const std::string& place) {
  std::string known;
  for (const job::Hardware& hardware : NamedHardware()) {
    if (hardware.config.name == name) return hardware;
    known += (known.empty() ? "" : ", ") + hardware.config.name;
  }
  throw std::invalid_argument(fmt::format("{} is \"{}\": legal is one of {}", place, name, known));
}

}  // namespace tessera::show
