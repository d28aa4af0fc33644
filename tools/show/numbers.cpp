// See numbers.h.
#include "tools/show/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

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

}  // namespace tessera::show
