// See words.h.
#include "tools/show/words.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tb/sim/counted.h"

namespace tessera::show {

std::string Grouped(uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (size_t n = digits.size(); n > 3; n -= 3) digits.insert(n - 3, 1, ' ');
  return (value == kSaturated ? "at least " : "") + digits;
}

std::string Plural(uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", Grouped(count), what, count == 1 ? "" : "s");
}

std::string GroupedReal(double value) {
  if (value > 1.8e19) return fmt::format("{:.3g}", value);
  const double whole = std::floor(value);
  if (value >= 100 || value == whole) return Grouped(static_cast<uint64_t>(std::ceil(value)));
  return fmt::format("{:.1f}", value);
}

std::string Size(uint64_t bytes) {
  static constexpr std::array<const char*, 7> kUnits{"bytes", "KiB", "MiB", "GiB",
                                                     "TiB",   "PiB", "EiB"};
  if (bytes < 10'000) return fmt::format("{} {}", Grouped(bytes), bytes == 1 ? "byte" : "bytes");
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024.0 && unit + 1 < kUnits.size(); ++unit) value /= 1024.0;
  return fmt::format("{}{:.3g} {}", bytes == kSaturated ? "at least " : "", value, kUnits[unit]);
}

std::string Hex(__int128 value) {
  const bool negative = value < 0;
  const unsigned __int128 size =
      negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  const uint64_t high = static_cast<uint64_t>(size >> 64), low = static_cast<uint64_t>(size);
  const std::string digits =
      high != 0 ? fmt::format("{:#x}{:016x}", high, low) : fmt::format("{:#x}", low);
  return (negative ? "-" : "") + digits;
}

std::string DirectionWords(Direction direction) {
  return direction == Direction::kRead ? "memory to stream" : "stream to memory";
}

std::string FileName(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::vector<std::string> FieldLines(const model::Transfer& t) {
  size_t last = 0;
  bool starts = false, bounds = false;
  for (size_t d = 0; d < model::kDims; ++d) {
    if (t.count[d] != 1 || t.bound[d] || t.start[d] != 0) last = d;
    starts |= t.start[d] != 0;
    bounds |= t.bound[d].has_value();
  }
  const auto list = [last](auto&& value) {
    std::string text;
    for (size_t d = 0; d <= last; ++d) text += (d == 0 ? "" : ", ") + value(d);
    return "(" + text + ")";
  };
  std::vector<std::string> lines;
  std::string text =
      fmt::format("E = {}, base = {:#x}, count = {}, stride = {}", t.elem, t.base + t.offset,
                  list([&](size_t d) { return fmt::format("{}", t.count[d]); }),
                  list([&](size_t d) { return fmt::format("{}", t.stride[d]); }));
  if (starts) text += ", start = " + list([&](size_t d) { return fmt::format("{}", t.start[d]); });
  if (bounds) {
    text += ", bound = " + list([&](size_t d) {
              return t.bound[d] ? fmt::format("{}", *t.bound[d]) : std::string("none");
            });
  }
  if (t.length) text += fmt::format(", length = {}", *t.length);
  lines.push_back(text);
  text.clear();
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    text += fmt::format("{}walk[{}] = (dimension {}, step {}, count {})", text.empty() ? "" : ", ",
                        k, t.walk[k]->dim, t.walk[k]->step, t.walk[k]->count);
  }
  if (!text.empty()) lines.push_back(text);
  return lines;
}

}  // namespace tessera::show
