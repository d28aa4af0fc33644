// Building pacers, and their text form.
#include "tb/bus/pacer.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <utility>

namespace tessera {
namespace {

[[noreturn]] void Refuse(std::string_view text) {
  throw std::invalid_argument(fmt::format(
      "pacer \"{}\": expected always, never, p=<0..1>, bursts=<on>[-<on>]/<off>[-<off>] "
      "with on >= 1, or list=<0s and 1s>",
      text));
}

// Reads `n` or `n-m`.
bool ParseRange(std::string_view text, uint32_t* low, uint32_t* high) {
  const char* end = text.data() + text.size();
  auto [p, error] = std::from_chars(text.data(), end, *low);
  if (error != std::errc()) return false;
  *high = *low;
  if (p == end) return true;
  if (*p != '-') return false;
  const auto second = std::from_chars(p + 1, end, *high);
  return second.ec == std::errc() && second.ptr == end && *high >= *low;
}

}  // namespace

PacerSpec PacerSpec::Never() {
  PacerSpec spec;
  spec.kind = Kind::kNever;
  return spec;
}

PacerSpec PacerSpec::Probability(double p) {
  if (!(p >= 0.0 && p <= 1.0)) {
    throw std::invalid_argument(fmt::format("pacer probability {}: legal is 0 to 1", p));
  }
  PacerSpec spec;
  spec.kind = Kind::kProbability;
  spec.probability = p;
  return spec;
}

PacerSpec PacerSpec::Bursts(uint32_t on_min, uint32_t on_max, uint32_t off_min, uint32_t off_max) {
  if (on_min < 1 || on_max < on_min || off_max < off_min) {
    throw std::invalid_argument(
        fmt::format("pacer bursts on {}-{} off {}-{}: on must be at least 1 and each range ordered",
                    on_min, on_max, off_min, off_max));
  }
  PacerSpec spec;
  spec.kind = Kind::kBursts;
  spec.on_min = on_min;
  spec.on_max = on_max;
  spec.off_min = off_min;
  spec.off_max = off_max;
  return spec;
}

PacerSpec PacerSpec::List(std::vector<uint8_t> values) {
  if (values.empty()) throw std::invalid_argument("pacer list: needs at least one value");
  PacerSpec spec;
  spec.kind = Kind::kList;
  spec.list = std::move(values);
  return spec;
}

PacerSpec PacerSpec::Random(Rng& rng) {
  switch (rng.Below(6)) {
    case 0:
    case 1:
      return Always();
    case 2:
      return Probability(0.5);
    case 3:
      return Probability(static_cast<double>(rng.Between(1, 9)) / 10.0);
    case 4:
      return Bursts(1, static_cast<uint32_t>(rng.Between(1, 40)), 1,
                    static_cast<uint32_t>(rng.Between(1, 40)));
    default:
      return Bursts(1, static_cast<uint32_t>(rng.Between(1, 300)), 0,
                    static_cast<uint32_t>(rng.Between(1, 300)));
  }
}

PacerSpec PacerSpec::Parse(std::string_view text) {
  if (text == "always") return Always();
  if (text == "never") return Never();
  if (text.starts_with("p=")) {
    double p = -1.0;
    const std::string_view value = text.substr(2);
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), p);
    if (error != std::errc() || end != value.data() + value.size() || !(p >= 0.0 && p <= 1.0)) {
      Refuse(text);
    }
    return Probability(p);
  }
  if (text.starts_with("bursts=")) {
    const std::string_view value = text.substr(7);
    const size_t slash = value.find('/');
    uint32_t on_min = 0, on_max = 0, off_min = 0, off_max = 0;
    if (slash == std::string_view::npos || !ParseRange(value.substr(0, slash), &on_min, &on_max) ||
        !ParseRange(value.substr(slash + 1), &off_min, &off_max) || on_min < 1) {
      Refuse(text);
    }
    return Bursts(on_min, on_max, off_min, off_max);
  }
  if (text.starts_with("list=") && text.size() > 5 &&
      text.find_first_not_of("01", 5) == std::string_view::npos) {
    std::vector<uint8_t> values;
    for (const char c : text.substr(5)) values.push_back(c == '1' ? 1 : 0);
    return List(std::move(values));
  }
  Refuse(text);
}

std::string PacerSpec::ToString() const {
  switch (kind) {
    case Kind::kAlways:
      return "always";
    case Kind::kNever:
      return "never";
    case Kind::kProbability:
      return fmt::format("p={}", probability);
    case Kind::kBursts:
      return fmt::format("bursts={}-{}/{}-{}", on_min, on_max, off_min, off_max);
    case Kind::kList: {
      std::string text = "list=";
      for (const uint8_t value : list) text += value != 0 ? '1' : '0';
      return text;
    }
  }
  return "always";
}

}  // namespace tessera
