// aieml_fuzz COUNT [SEED]: so many transaction binaries and as many sequence files.
#include <fmt/format.h>

#include <cstdlib>

#include "tests/aieml/fuzz.h"

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 100000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
  uint64_t binaries = 0, sequences = 0;
  std::string wrong = tessera::aieml::FuzzBinaries(count, seed, &binaries);
  if (wrong.empty()) wrong = tessera::aieml::FuzzSequences(count, seed, &sequences);
  if (!wrong.empty()) {
    fmt::print(stderr, "{}\n", wrong);
    return 1;
  }
  fmt::print("{} binaries, {} played; {} sequences, {} lowered\n", count, binaries, count,
             sequences);
  return 0;
}
