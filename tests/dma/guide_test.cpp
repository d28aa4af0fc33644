// The programs of docs/guide.md, step by step, as they stand there: in register writes.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using Steps = std::vector<std::string>;

// The blocks of the page that begin with "# program: NAME".
std::map<std::string, Steps> Programs() {
  std::ifstream page(TESSERA_DOCS "/guide.md");
  std::map<std::string, Steps> programs;
  Steps* open = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) open = nullptr;
    if (line.starts_with("# program: ")) {
      open = &programs[line.substr(11)];
    } else if (open != nullptr) {
      open->push_back(line);
    }
  }
  return programs;
}

class Guide : public DmaTest {
 protected:
  // False: the step did not do what it says.
  bool Do(const std::string& step) {
    std::istringstream in(step.substr(0, step.find('#')));
    std::string verb;
    uint64_t a = 0, b = 0, c = 0;
    in >> verb >> std::hex >> a >> b >> c;
    const uint32_t at = static_cast<uint32_t>(a), mask = static_cast<uint32_t>(b),
                   value = static_cast<uint32_t>(c);
    if (verb == "write") return bench().Write(at, mask);
    if (verb == "expect") return (bench().Get(at) & mask) == value;
    if (verb == "poll") {
      for (int n = 0; n < 1000; ++n) {
        if ((bench().Get(at) & mask) == value) return true;
      }
      return false;
    }
    if (verb == "store") {
      std::vector<uint8_t> bytes(4);
      for (size_t n = 0; n < 4; ++n) bytes[n] = static_cast<uint8_t>(b >> (8 * n));
      bench().memory().Load(a, bytes);
      return true;
    }
    if (verb == "load") {
      return bench().Until(
          [&] {
            uint32_t word = 0;
            for (uint32_t n = 0; n < 4; ++n)
              word |= uint32_t{bench().memory().ReadByte(a + n)} << (8 * n);
            return (word & mask) == value;
          },
          5000);
    }
    if (verb == "send") {
      sent_.resize(b);
      for (uint8_t& byte : sent_) byte = static_cast<uint8_t>(next_ += 37);
      bench().source(static_cast<int>(a)).Push(sent_, PieceEnd::kLast);
      return true;
    }
    if (verb == "same") return bench().memory().ReadBytes(a, sent_.size()) == sent_;
    if (verb == "receive") {
      const auto& bytes = bench().sink(static_cast<int>(a)).bytes();
      if (!bench().Until([&] { return bytes.size() >= received_ + b; }, 5000)) return false;
      const std::vector<uint8_t> got(bytes.begin() + static_cast<std::ptrdiff_t>(received_),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(received_ + b));
      received_ += b;
      return got == bench().memory().ReadBytes(c, b);
    }
    if (verb == "pin") {
      bench().dma().triggers = static_cast<uint16_t>(1U << a);
      bench().Step(4);
      bench().dma().triggers = 0;
      bench().Step(8);
      return true;
    }
    return verb.empty();
  }
  uint64_t received_ = 0;
  unsigned next_ = 0;
  std::vector<uint8_t> sent_;
};

TEST_P(Guide, ItsProgramsDoWhatItSays) {
  const auto programs = Programs();
  ASSERT_EQ(programs.size(), 7u);
  for (const auto& [name, steps] : programs) {
    Make();
    received_ = 0;
    EXPECT_GT(steps.size(), 10u) << name;
    // With windows they are opened first, and a copy shows that they are open.
    if ((config().windows > 0) != (name == "windows")) continue;
    Steps all = steps;
    if (name == "windows") {
      const Steps& copy = programs.at("copy");
      all.insert(all.end(), copy.begin(), copy.end());
    }
    for (const std::string& step : all)
      ASSERT_TRUE(Do(step)) << name << ": " << step << "\n" << bench().Dump();
  }
}

auto ForTheGuide() {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.lists && c.triggers && c.locks > 1) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Guide);  // a build folder may have none for it
INSTANTIATE_TEST_SUITE_P(Builds, Guide, ForTheGuide(), DmaName);

}  // namespace
}  // namespace tessera
