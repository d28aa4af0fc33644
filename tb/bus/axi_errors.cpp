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
  AxiResponse response = kOkay;
  for (const ErrorRule& rule : rules_) {
    if (read ? !rule.reads : !rule.writes) continue;
    const bool hit =
        rule.kind == ErrorRule::Kind::kProbability
            ? rng_.Chance(rule.probability)
            : addr <= rule.last && rule.first <= addr + static_cast<uint64_t>(bytes) - 1;
    if (hit && response == kOkay) response = rule.response;
  }
  return response;
}

}  // namespace tessera
