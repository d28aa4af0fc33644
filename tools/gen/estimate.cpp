// Area and clock of a configuration, from figures measured one change at a time
// (bench/figures.json).
//
// Area of tessera_dma: what all share, a part for each port that grows with the width of its data,
// and one for each pair of channels; each option adds what it added to the build that was measured,
// those of ports and channels for each of them. Clock: the lowest of the measured builds that this
// one reaches in channels and width.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/gen/product.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::json;

// Options that every channel has, and the rows that have them.
constexpr std::pair<const char*, const char*> kOfChannels[] = {
    {"Counters", "counters"}, {"Triggers", "triggers"}, {"Side", "side"}};

// One figure ("lut", "ff", "memory", "bram36") of a row; rows have names.
double At(const Json& area, const char* row, const char* figure) {
  return area.at("rows").at(row).at(figure).get<double>();
}

// The on-chip buffer. Its clients are the ports and the processors; each reaches each bank.
double OnChip(const Json& area, const char* figure, const Design& design) {
  if (design.Value("OnChipSize") == 0) return 0;
  const auto value = [&](const char* name) { return static_cast<double>(design.Value(name)); };
  const auto more = [&](const char* row, const char* than) {
    return At(area, row, figure) - At(area, than, figure);
  };
  const double one = more("onchip", "base");  // 64 KiB, two banks, one port
  const double banks = value("OnChipBanks"), words = value("DataWidth") / 64;
  if (std::string_view(figure) == "bram36")  // a bank has one for each 64 bits at least
    return std::max(one * value("OnChipSize") / 64, banks * std::max(1.0, words));
  const double clients = value("Ports") + 1;
  const double check = value("OnChipCheck") == 1   ? more("onchipparity", "onchip")
                       : value("OnChipCheck") == 2 ? more("onchipecc", "onchip")
                                                   : 0;
  const double wide = more("onchipwide", "wide") - one;  // eight words
  return one + (more("onchipports", "ports2") - one) * (clients - 2) +
         more("onchipbanks", "onchip") * (banks - 2) / 2 * clients / 2 +
         wide * (words - 1) / 7 * clients / 2 + check * banks / 2 * words;
}

double Figure(const Json& area, const char* figure, const Design& design) {
  const double base = At(area, "base", figure);
  const auto value = [&](const char* name) { return static_cast<double>(design.Value(name)); };
  const auto delta = [&](const char* row) { return At(area, row, figure) - base; };
  const double ports = value("Ports"), pairs = value("Channels") / 2;
  const double pair = delta("four") / 3;  // three more of each way
  const double port = delta("ports2");    // with a pair

  double of_port =
      delta("wide") * ((value("DataWidth") + value("StreamWidth")) / 2 - 64) / (512 - 64);
  of_port += delta("addr32") * (64 - value("AddrWidth")) / 32;
  of_port += delta("windows") * value("Windows") / 4;
  of_port += delta("outstanding") * (value("Outstanding") - 32) / (128 - 32);
  if (value("Guard") == 0) of_port += delta("noguard");

  double of_pair = 0;
  for (const auto& [option, row] : kOfChannels) {
    if (value(option) != 0) of_pair += delta(row);
  }
  if (value("Side") == 2) of_pair += delta("headers") - delta("side");
  if (value("Guard") == 2) of_pair += delta("guardstreams");
  const double beats = std::max(value("BufferBeats"), 2 * value("MaxBurst"));
  of_pair += delta("buffer") * (beats - 32) / (256 - 32);
  of_pair += delta("queue16") * (value("QueueDepth") - 8) / (16 - 8);

  double all =
      base + port * (ports - 1) + pair * (pairs - ports) + of_port * ports + of_pair * pairs;
  if (value("Walk") == 0) all += delta("nowalk");
  if (value("Bounds") == 0) all += delta("nobounds") * ports;
  if (value("ControlPackets") != 0) all += delta("packets");
  if (value("Tokens") != 0) all += delta("tokens");
  if (value("RouteDest") != 0) all += delta("route");
  if (value("Lists") != 0) all += delta("lists") * (0.9 + 0.1 * pairs);
  all += delta("nolocks") * (16 - value("Locks")) / 16;
  all += delta("desc64") * (value("Descriptors") - 16) / 48;
  all += OnChip(area, figure, design);
  return std::max(all, 0.0);
}

// Builds whose clock is measured, and what another one has at least to be as slow: channels, reads
// and writes, and bits of a port or a stream.
struct Clocked {
  const char* unit;
  int64_t channels, width;
};
constexpr Clocked kClocked[] = {{"tessera_dma", 0, 0},
                                {"tessera_dma, 4 + 4 channels", 8, 0},
                                {"tessera_dma, 16 + 16 channels", 32, 0},
                                {"tessera_dma, 512 bits", 0, 512}};

void SetClock(const Json& figures, const Design& design, Estimate* out) {
  const int64_t width = std::max(design.Value("DataWidth"), design.Value("StreamWidth"));
  for (const Clocked& build : kClocked) {
    if (design.Value("Channels") < build.channels || width < build.width) continue;
    const double mhz = figures.at("units").at(build.unit).at("mhz");
    if (out->mhz != 0 && out->mhz <= mhz) continue;
    out->mhz = mhz;
    out->clock_of = build.unit;
  }
}

}  // namespace

Estimate EstimateOf(const Design& design) {
  const Json figures = Json::parse(EmbeddedText("figures.json"));
  const Json& area = figures.at("area");
  Estimate out;
  const Product* const product = design.top().product;
  const auto figure = product != nullptr ? product->figure : Figure;
  out.lut = figure(area, "lut", design);
  out.ff = figure(area, "ff", design);
  out.memory_lut = figure(area, "memory", design);
  out.clock_of = design.top().name;
  if (product == nullptr) {
    out.block_ram = OnChip(area, "bram36", design);
    SetClock(figures, design, &out);
  }
  return out;
}

double SupportedMhz(const Design& design) {
  constexpr double kUnknown = 100, kStep = 5;
  const double clock = EstimateOf(design).mhz;
  return clock == 0 ? kUnknown : std::max(1.0, kStep * std::floor(clock / kStep));
}

std::string EstimateLine(const Design& design) {
  const Estimate estimate = EstimateOf(design);
  const auto hundreds = [](double value) { return 100 * std::round(value / 100); };
  return fmt::format(
      "about {:.0f} LUTs, {:.0f} flip-flops; {} (estimate, see README.md)", hundreds(estimate.lut),
      hundreds(estimate.ff),
      estimate.mhz == 0 ? "clock not known" : fmt::format("{:.0f} MHz", estimate.mhz));
}

std::string ClockWarning(const Design& design) {
  const double clock = EstimateOf(design).mhz;
  if (clock == 0 || design.spec.mhz <= clock) return "";
  return fmt::format(
      "{}: clock_mhz is {}, and the estimate is {:.0f} MHz: constraints may not be "
      "met; without clock_mhz they ask for {:.0f}",
      design.spec.name, design.spec.mhz, clock, SupportedMhz(design));
}

}  // namespace tessera::gen
