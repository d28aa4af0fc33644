// Cases that once failed, as the shrinker left them: tests/engine/found/*.json.
//
// A case stands for itself: it stays what it was when the generator of random cases changes.
#include <fmt/format.h>
#include <filesystem>

#include "tb/soak/soak.h"
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

class Found : public EngineTest {};
TESSERA_EVERY_CONFIG(Found);

TEST_P(Found, CasesThatOnceFailedPass) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TESSERA_FOUND_CASES)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  ASSERT_FALSE(files.empty()) << "no cases in " << TESSERA_FOUND_CASES;
  std::sort(files.begin(), files.end());
  size_t run = 0;
  for (const auto& file : files) {
    const Case value = CaseFromJson(ReadJson(file.string()));
    if (value.config != config().name) continue;
    SCOPED_TRACE(file.filename().string());
    Run(value);
    ++run;
  }
  if (run == 0)
    GTEST_SKIP() << fmt::format("none of {} cases is of {}", files.size(), config().name);
}

}  // namespace
}  // namespace tessera
