// What a monitor reports: a rule that was broken, where, and what would have been legal.
//
// Monitors never stop a run; whoever runs it looks at the list. Messages are built only when a rule
// is broken. The list stops growing at kMaxKept, the count goes on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera {

struct Violation {
  std::string rule;  // its id: "axi.w_last"
  uint64_t cycle = 0;
  std::string message;  // one sentence: the value, what is legal, the cycle
};

class ViolationList {
 public:
  static constexpr size_t kMaxKept = 64;

  void Add(std::string_view rule, uint64_t cycle, std::string message) {
    ++count_;
    if (kept_.size() < kMaxKept) kept_.push_back({std::string(rule), cycle, std::move(message)});
  }
  uint64_t count() const { return count_; }
  const std::vector<Violation>& kept() const { return kept_; }

 private:
  uint64_t count_ = 0;
  std::vector<Violation> kept_;
};

}  // namespace tessera
