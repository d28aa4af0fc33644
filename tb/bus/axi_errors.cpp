// Deciding which beat gets an error response.
#include "tb/bus/axi_errors.h"

#include <utility>

namespace tessera {

ErrorRule ErrorRule::Range(uint64_t first, uint64_t last, AxiResponse response) {
  ErrorRule rule;
  rule.kind = Kind::kRange;
  rule.first = first;
  rule.last = last;
  rule.response = response;
  return rule;
}

ErrorRule ErrorRule::Probability(double p, AxiResponse response) {
  ErrorRule rule;
  rule.kind = Kind::kProbability;
  rule.probability = p;
  rule.response = response;
  return rule;
}

ErrorRule ErrorRule::Nth(uint64_t nth, AxiResponse response) {
  ErrorRule rule;
  rule.kind = Kind::kNth;
  rule.nth = nth;
  rule.response = response;
  return rule;
}

ErrorRule ErrorRule::ReadsOnly() const {
  ErrorRule rule = *this;
  rule.writes = false;
  return rule;
}

ErrorRule ErrorRule::WritesOnly() const {
  ErrorRule rule = *this;
  rule.reads = false;
  return rule;
}

ErrorInjector::ErrorInjector(std::vector<ErrorRule> rules, const Rng& rng)
    : rules_(std::move(rules)), rng_(rng) {}

AxiResponse ErrorInjector::NextByRules(Direction direction, uint64_t addr, int bytes) {
  const bool read = direction == Direction::kRead;
  const uint64_t beat = beats_[read ? 0 : 1]++;
  AxiResponse response = kOkay;
  for (const ErrorRule& rule : rules_) {
    if (read ? !rule.reads : !rule.writes) continue;
    bool hit = false;
    switch (rule.kind) {
      case ErrorRule::Kind::kRange:
        hit = addr <= rule.last && rule.first <= addr + static_cast<uint64_t>(bytes) - 1;
        break;
      case ErrorRule::Kind::kProbability:
        hit = rng_.Chance(rule.probability);
        break;
      case ErrorRule::Kind::kNth:
        hit = beat == rule.nth;
        break;
    }
    if (hit && response == kOkay) response = rule.response;
  }
  return response;
}

}  // namespace tessera
