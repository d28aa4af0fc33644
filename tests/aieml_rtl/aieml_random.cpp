// aieml_random: random programs on tessera_aieml and on the behavioural model, one seed after the
// other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tests/aieml_rtl/random_program.h"

int main(int argc, char** argv) {
  using namespace tessera;
  CLI::App app{"Random programs on tessera_aieml, compared with the behavioural model"};
  uint64_t seed = 1, count = 1;
  std::string build;
  aieml::RandomOptions options;
  app.add_option("--seed", seed, "the first one");
  app.add_option("--count", count, "how many");
  app.add_option("--build", build, "of cmake/aiemls.json; all if it is not said");
  app.add_flag("--headers", options.headers, "packet headers");
  app.add_flag("--compression", options.compression, "compression");
  CLI11_PARSE(app, argc, argv);
  uint64_t words = 0, runs = 0, failed = 0;
  for (const aieml::TileConfig& config : Tiles()) {
    if (!build.empty() && config.name != build) continue;
    for (uint64_t n = 0; n < count; ++n) {
      const std::string text = aieml::RunSeed(config, seed + n, options, &words);
      ++runs;
      if (text.empty()) continue;
      ++failed;
      fmt::print("{}", text);
      if (failed > 5) return 1;
    }
  }
  fmt::print("{} programs, {} words, {} failed\n", runs, words, failed);
  return failed != 0 || runs == 0;
}
