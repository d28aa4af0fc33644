// See row.h.
#include "bench/row.h"

#include <array>
#include <string_view>

namespace tessera::bench {
namespace {

constexpr double kNone = -1.0;

struct Figure {
  Path path;
  std::string_view name;
  std::array<double, 3> utilisation;  // L = 1, 20, 100
};

constexpr Figure kFigures[] = {
    {Path::kRead, "copy-8", {0.75, 0.13, 0.03}},
    {Path::kRead, "copy-64", {0.89, 0.50, 0.14}},
    {Path::kRead, "copy-4096", {1.00, 1.00, 1.00}},
    {Path::kRead, "rows16", {1.00, 1.00, 0.35}},
    {Path::kWrite, "copy-8", {1.00, 1.00, 0.33}},
    {Path::kWrite, "copy-64", {1.00, 1.00, 1.00}},
    {Path::kWrite, "copy-4096", {1.00, 1.00, 1.00}},
    {Path::kLoop, "copy-8", {kNone, kNone, 0.32}},
    {Path::kLoop, "copy-64", {kNone, kNone, 1.00}},
    {Path::kLoop, "copy-4096", {kNone, kNone, 1.00}},
};

}  // namespace

std::optional<double> OtherUtilisation(Path path, const std::string& name, uint32_t latency) {
  const size_t column = latency == 1 ? 0 : (latency == 20 ? 1 : 2);
  for (const Figure& figure : kFigures) {
    if (figure.path == path && figure.name == name && figure.utilisation[column] != kNone) {
      return figure.utilisation[column];
    }
  }
  return std::nullopt;
}

std::string OtherNote(const std::string& name) {
  const auto begins = [&](std::string_view head) { return name.starts_with(head); };
  if (begins("off1") || begins("from1") || begins("to1") || begins("both1")) return "1 cycle more";
  if (begins("elements") || begins("transpose")) return "0.5 of limit";
  if (begins("padded")) return "nobody pads";
  if (begins("box")) return "a burst a row";
  return "";
}

}  // namespace tessera::bench
