// See configs.h.
#include "tb/show/configs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "show/embedded.h"

namespace tessera::show {

std::vector<Config> NamedConfigs() {
  std::vector<Config> configs;
  const auto all = nlohmann::ordered_json::parse(embedded::kConfigs);
  for (const auto& [name, json] : all.items()) {
    Config config;
    config.name = name;
    config.addr_width = json.at("AddrWidth");
    config.data_bytes = json.at("DataWidth").get<int>() / 8;
    config.stream_bytes = json.at("StreamWidth").get<int>() / 8;
    config.max_burst = json.at("MaxBurst");
    config.outstanding = json.at("Outstanding");
    config.walk = json.at("Walk");
    config.bounds = json.at("Bounds");
    config.loopback = json.at("Loopback");
    configs.push_back(std::move(config));
  }
  return configs;
}

Config NamedConfig(const std::string& name, const std::string& place) {
  std::string known;
  for (const Config& config : NamedConfigs()) {
    if (config.name == name) return config;
    known += (known.empty() ? "" : ", ") + config.name;
  }
  throw std::invalid_argument(fmt::format("{} is \"{}\": legal is one of {}", place, name, known));
}

}  // namespace tessera::show
