// Area and clock of a configuration, from figures measured one change at a time
// (bench/figures.json).
//
// Area of tessera_dma: what channels share, and a part for each pair of channels that grows with
// the width of its data; each option adds what it added to the pair that was measured, and those
// that every channel has do so for each pair. Clock: of the slower engine, between the widths
// measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/gen/embedded.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::json;

// Options that every channel has, and the rows that have them.
constexpr std::pair<const char*, const char*> kOfChannels[] = {{"Counters", "counters"},
                                                               {"Triggers", "triggers"},
                                                               {"Side", "side"},
                                                               {"OutOfOrder", "outoforder"},
                                                               {"RouteDest", "routedest"},
                                                               {"EqualTakes", "equaltakes"},
                                                               {"Cut", "cut"},
                                                               {"OneId", "oneid"},
                                                               {"StreamSilence", "streamtime"}};

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
  for (const auto& [option, row] : kOfChannels) {
    if (design.Value(option) != 0) of_pair += delta(row);
  }
  if (design.Value("Headers") != 0) of_pair += delta("headers") - delta("side");
  of_pair += delta("tasks16") * static_cast<double>(design.Value("TaskDepth") - 4) / 12;
  of_pair += delta("records16") * static_cast<double>(design.Value("RecordDepth") - 8) / 8;
  of_pair += delta("slots4") * static_cast<double>(design.Value("Slots") - 1) / 3;
  double all = base - pair + of_pair * pairs;
  if (design.Value("Lists") != 0) {
    all += delta("lists") * (0.75 + 0.25 * pairs);
    all += (delta("lists") - delta("listslots8")) * pairs *
           static_cast<double>(design.Value("ListSlots") - 16) / 8;
    all += (delta("listwidth") - delta("lists")) *
           static_cast<double>(design.Value("ListWidth") - 64) / (512 - 64);
  }
  if (design.Value("Dealt") != 0) all += delta("dealt");
  if (design.Value("Tokens") != 0) all += delta("tokens");
  if (design.Value("ControlPackets") != 0) all += delta("packets");
  all += delta("nolocks") * static_cast<double>(16 - design.Value("Locks")) / 16;
  all += delta("desc64") * static_cast<double>(design.Value("Descriptors") - 16) / 48;
  return std::max(all, 0.0);
}

// Of a kernel: the registers, and its channels, which share nothing else.
double KernelFigure(const Json& area, const char* figure, const Design& design) {
  const Json& rows = area.at("kernels");
  const auto at = [&](const char* row) { return rows.at(row).at(figure).get<double>(); };
  const double shared = 2 * at("read") - at("two reads");
  const bool ranges = design.Value("Ranges") != 0;
  const double bits = (static_cast<double>(design.Value("DataWidth")) +
                       static_cast<double>(design.Value("StreamWidth"))) /
                      2;
  const auto channel = [&](const char* list, const char* range, const char* wide) {
    if (design.Value("RomWords") + design.Value("RamWords") != 0) return at("ram") - shared;
    double out = (ranges ? at(range) : at(list)) - shared;
    out += (at(wide) - at(range)) * (bits - 64) / (512 - 64);
    out += (at("load, 32 address bits") - at("load")) *
           static_cast<double>(64 - design.Value("AddrWidth")) / 32;
    if (!ranges && design.Value("Patterns") != 0) out += at("read, patterns") - at("read");
    return out;
  };
  const double all =
      shared +
      static_cast<double>(design.Value("Reads")) * channel("read", "load", "load, 512 bits") +
      static_cast<double>(design.Value("Writes")) * channel("write", "store", "store, 512 bits");
  return std::max(all, 0.0);
}

// Estimated clock of a unit; 0: not known.
double Mhz(const Json& figures, const std::string& unit) {
  return figures.at("units").value(unit, Json::object()).value("mhz", 0.0);
}

double SlowestMhz(const Json& figures, const Design& design) {
  const double bits =
      static_cast<double>(std::max(design.Value("DataWidth"), design.Value("StreamWidth")));
  const double step = std::clamp(std::log2(bits / 64) / 3, 0.0, 1.0);
  double slowest = 0;
  for (const std::string engine : {"read engine", "write engine"}) {
    const double narrow = Mhz(figures, engine + ", 64 bits"),
                 wide = Mhz(figures, engine + ", 512 bits");
    if (narrow == 0 || wide == 0) return 0;
    const double mhz = narrow + (wide - narrow) * step;
    slowest = slowest == 0 ? mhz : std::min(slowest, mhz);
  }
  return slowest;
}

}  // namespace

Estimate EstimateOf(const Design& design) {
  const Json figures = Json::parse(EmbeddedText("figures.json"));
  const Json& area = figures.at("area");
  Estimate out;
  const auto figure = design.top().hls ? KernelFigure : Figure;
  out.lut = figure(area, "lut", design);
  out.ff = figure(area, "ff", design);
  out.memory_lut = figure(area, "memory", design);
  out.mhz = SlowestMhz(figures, design);
  out.whole_mhz = Mhz(figures, design.top().name);
  return out;
}

double SupportedMhz(const Design& design) {
  constexpr double kUnknown = 100, kStep = 5;
  const double clock = EstimateOf(design).Clock();
  return clock == 0 ? kUnknown : std::max(1.0, kStep * std::floor(clock / kStep));
}

std::string EstimateLine(const Design& design) {
  const Estimate estimate = EstimateOf(design);
  const auto hundreds = [](double value) { return 100 * std::round(value / 100); };
  return fmt::format(
      "about {:.0f} LUTs, {:.0f} flip-flops; {} (estimate, see README.md)", hundreds(estimate.lut),
      hundreds(estimate.ff),
      estimate.Clock() == 0 ? "clock not known" : fmt::format("{:.0f} MHz", estimate.Clock()));
}

std::string ClockWarning(const Design& design) {
  const double clock = EstimateOf(design).Clock();
  if (clock == 0 || design.spec.mhz <= clock) return "";
  return fmt::format(
      "{}: clock_mhz is {}, and the estimate is {:.0f} MHz: constraints may not be "
      "met; without clock_mhz they ask for {:.0f}",
      design.spec.name, design.spec.mhz, clock, SupportedMhz(design));
}

}  // namespace tessera::gen
