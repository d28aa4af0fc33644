// The models that a program is linked with, found by name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera {

// A configuration and what makes a model of it, whose registers start at values drawn from the
// seed.
template <typename Config, typename Interface>
struct Model {
  Config config;
  std::unique_ptr<Interface> (*make)(const Config& config, uint64_t seed);
};

template <typename Config, typename Interface>
std::vector<Config> ConfigsOf(const std::vector<Model<Config, Interface>>& models) {
  std::vector<Config> configs;
  for (const auto& model : models) configs.push_back(model.config);
  return configs;
}

// The configuration of this name, if there is one.
template <typename Config>
std::optional<Config> FindNamed(const std::vector<Config>& configs, const std::string& name) {
  for (const Config& config : configs) {
    if (NameOf(config) == name) return config;
  }
  return std::nullopt;
}

// Throws std::invalid_argument naming the known ones: `noun` is what they are, as in "no
// configuration".
template <typename Config>
[[noreturn]] void RefuseName(const std::vector<Config>& configs, const std::string& name,
                             const char* noun) {
  std::string known;
  for (const Config& config : configs) known += (known.empty() ? " " : ", ") + NameOf(config);
  throw std::invalid_argument(std::string("no ") + noun + " is called '" + name +
                              "'; this build has:" + known);
}

// The configuration of this name; throws if there is none.
template <typename Config>
Config NeedNamed(const std::vector<Config>& configs, const std::string& name, const char* noun) {
  const std::optional<Config> found = FindNamed(configs, name);
  if (!found) RefuseName(configs, name, noun);
  return *found;
}

// The model of this name; throws if there is none.
template <typename Config, typename Interface>
std::unique_ptr<Interface> MakeModel(const std::vector<Model<Config, Interface>>& models,
                                     const std::string& name, uint64_t seed, const char* noun) {
  for (const auto& model : models) {
    if (NameOf(model.config) == name) return model.make(model.config, seed);
  }
  std::vector<Config> configs;
  for (const auto& model : models) configs.push_back(model.config);
  RefuseName(configs, name, noun);
}

}  // namespace tessera
