// Area and clock of a configuration, from figures measured one change at a time (bench/area.json,
// bench/clock.json).
//
// Area: what channels share, and a part for each pair of channels that grows with the width of its
// data; each option adds what it added to the pair that was measured. Clock: of the slower engine,
// between the widths measured.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/gen/embedded.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::json;

// One figure ("lut", "ff", "memory") of a row; rows have names.
double At(const Json& area, const char* row, const char* figure) {
  return area.at("rows").at(row).at(figure).get<double>();
}

double Figure(const Json& area, const char* figure, const Design& design) {
  const double base = At(area, "base", figure),
               pairs = static_cast<double>(design.Value("Channels")) / 2;
  const auto delta = [&](const char* row) { return At(area, row, figure) - base; };
  const double pair = delta("four") / 3;  // three more of each way
  const double bits = (static_cast<double>(design.Value("DataWidth")) +
                       static_cast<double>(design.Value("StreamWidth"))) /
                      2;
  double of_pair = pair + delta("wide") * (bits - 64) / (512 - 64);
  of_pair += delta("addr32") * static_cast<double>(64 - design.Value("AddrWidth")) / 32;
  if (design.Value("Walk") == 0) of_pair += delta("nowalk");
  if (design.Value("Bounds") == 0) of_pair += delta("nobounds");
  if (design.Value("Guard") == 0) of_pair += delta("noguard");
  of_pair += delta("windows") * static_cast<double>(design.Value("Windows")) / 4;
  double all = base - pair + of_pair * pairs;
  if (design.Value("Lists") != 0) all += delta("lists") * (0.75 + 0.25 * pairs);
  if (design.Value("Triggers") != 0 || design.Value("Tokens") != 0) all += delta("triggers");
  all += delta("nolocks") * static_cast<double>(16 - design.Value("Locks")) / 16;
  all += delta("desc64") * static_cast<double>(design.Value("Descriptors") - 16) / 48;
  return std::max(all, 0.0);
}

double SlowestMhz(const Design& design) {
  const Json clock = Json::parse(EmbeddedText("clock.json")).at("mhz");
  const double bits =
      static_cast<double>(std::max(design.Value("DataWidth"), design.Value("StreamWidth")));
  const double step = std::clamp(std::log2(bits / 64) / 3, 0.0, 1.0);
  double slowest = 0;
  for (const char* engine : {"read", "write"}) {
    const Json& figures = clock.at(engine);
    if (figures.at("64").is_null() || figures.at("512").is_null()) return 0;
    const double narrow = figures.at("64"), wide = figures.at("512");
    const double mhz = narrow + (wide - narrow) * step;
    slowest = slowest == 0 ? mhz : std::min(slowest, mhz);
  }
  return slowest;
}

}  // namespace

Estimate EstimateOf(const Design& design) {
  const Json area = Json::parse(EmbeddedText("area.json"));
  Estimate out;
  out.lut = Figure(area, "lut", design);
  out.ff = Figure(area, "ff", design);
  out.memory_lut = Figure(area, "memory", design);
  out.mhz = SlowestMhz(design);
  out.about_area = area.at("source").get<std::string>();
  return out;
}

}  // namespace tessera::gen
