// When a component is willing: one yes or no a cycle, deterministic from a random stream.
//
// A PacerSpec is a value that can be written and read as text (`always`, `never`, `p=0.25`,
// `bursts=1-8/0-20` [lengths of on runs / off runs], `list=1101`); a Pacer is the running thing.
// The list repeats. Never draws a random number unless its kind needs one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/sim/rng.h"

namespace tessera {

struct PacerSpec {
  enum class Kind : uint8_t { kAlways, kNever, kProbability, kBursts, kList };
  Kind kind = Kind::kAlways;
  double probability = 1.0;
  uint32_t on_min = 1, on_max = 1;    // kBursts: willing for so many cycles, at least 1
  uint32_t off_min = 0, off_max = 0;  // then unwilling for so many
  std::vector<uint8_t> list;          // kList

  static PacerSpec Always() { return {}; }
  static PacerSpec Never();
  static PacerSpec Probability(double p);
  static PacerSpec Bursts(uint32_t on_min, uint32_t on_max, uint32_t off_min, uint32_t off_max);
  static PacerSpec List(std::vector<uint8_t> values);
  // Something between free running and mostly stalled; never `never`.
  static PacerSpec Random(Rng& rng);
  // Throws std::invalid_argument naming the text and the legal forms.
  static PacerSpec Parse(std::string_view text);

  std::string ToString() const;
  bool operator==(const PacerSpec&) const = default;
};

class Pacer {
 public:
  Pacer() = default;
  Pacer(const PacerSpec& spec, const Rng& rng) : spec_(spec), rng_(rng) {}

  // The answer for the next cycle.
  bool Next() {
    switch (spec_.kind) {
      case PacerSpec::Kind::kAlways:
        return true;
      case PacerSpec::Kind::kNever:
        return false;
      case PacerSpec::Kind::kProbability:
        return rng_.Chance(spec_.probability);
      case PacerSpec::Kind::kBursts:
        return NextOfBursts();
      case PacerSpec::Kind::kList:
        return NextOfList();
    }
    return true;
  }

  const PacerSpec& spec() const { return spec_; }

 private:
  bool NextOfBursts() {
    while (left_ == 0) {
      on_ = !on_;
      left_ = on_ ? rng_.Between(spec_.on_min, spec_.on_max)
                  : rng_.Between(spec_.off_min, spec_.off_max);
    }
    --left_;
    return on_;
  }
  bool NextOfList() {
    if (position_ == spec_.list.size()) position_ = 0;
    return spec_.list[position_++] != 0;
  }

  PacerSpec spec_;
  Rng rng_{0};
  uint64_t left_ = 0;
  size_t position_ = 0;
  bool on_ = false;
};

}  // namespace tessera
