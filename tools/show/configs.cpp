// See configs.h.
#include "tools/show/configs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "show/embedded.h"
#include "tb/sim/counted.h"

namespace tessera::show {
namespace {

Config FromJson(const std::string& name, const nlohmann::json& json) {
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

DmaConfig DmaFromJson(const std::string& name, const nlohmann::json& json) {
  DmaParameters parameters;
  VisitParameters(parameters, [&json](const char* word, const char*, const char*, auto& value) {
    if (json.contains(word)) json.at(word).get_to(value);
  });
  return {name, parameters};
}

[[noreturn]] void Refuse(const std::string& name, const std::string& place,
                         const std::string& known) {
  throw std::invalid_argument(fmt::format("{} is \"{}\": legal is one of {}", place, name, known));
}

}  // namespace

std::vector<job::Hardware> NamedHardware() {
  std::vector<job::Hardware> all;
  const auto pairs = nlohmann::json::parse(embedded::kConfigs);
  for (const auto& [name, json] : pairs.items()) {
    if (json.value("simulate", true)) all.emplace_back(FromJson(name, json));
  }
  return all;
}

job::Hardware FindNamed(const std::string& name, const std::string& place) {
  const std::vector<job::Hardware> all = NamedHardware();
  for (const job::Hardware& hardware : all) {
    if (hardware.config.name == name) return hardware;
  }
  Refuse(name, place, Listed(all, [](const job::Hardware& h) { return h.config.name; }));
}

job::Hardware FindNamedDma(const std::string& name, const std::string& place) {
  const auto dmas = nlohmann::json::parse(embedded::kDmas);
  if (dmas.contains(name)) return DmaFromJson(name, dmas.at(name));
  Refuse(name, place, Listed(dmas.items(), [](const auto& item) { return item.key(); }));
}

job::Hardware FindNamed(const job::Job& job) {
  return job.dma.empty() ? FindNamed(job.config, job.file + ": config")
                         : FindNamedDma(job.dma, job.file + ": dma");
}

}  // namespace tessera::show
