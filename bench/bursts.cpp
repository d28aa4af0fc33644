// See bursts.h.
#include "bench/bursts.h"

#include <algorithm>

namespace tessera::show {
namespace {

// Pieces of `size` that `bytes` from `addr` on lie in.
uint64_t Pieces(uint64_t addr, uint64_t bytes, uint64_t size) {
  return CeilDivide(addr % size + bytes, size);
}

}  // namespace

BurstRules RulesOf(const Config& config) {
  BurstRules rules;
  rules.mask = config.addr_width >= 64 ? ~uint64_t{0} : (uint64_t{1} << config.addr_width) - 1;
  rules.word = static_cast<uint64_t>(config.data_bytes);
  rules.longest = std::min(static_cast<uint64_t>(config.max_burst), kPage / rules.word);
  return rules;
}

uint64_t BurstPlanner::Add(const Row& row) {
  if (row.data == 0) {
    operations_ += CeilDivide(row.lead, rules_.word);
    return engine_count_.bursts;
  }
  // Each part of a row takes cycles of its own.
  operations_ += CeilDivide(row.lead, rules_.word) + CeilDivide(row.tail, rules_.word);
  AddLeast(row);
  return AddEngine(row);
}

uint64_t BurstPlanner::AddEngine(const Row& row) {
  const uint64_t addr = row.addr() & rules_.mask, longest = rules_.longest * rules_.word;
  const uint64_t number = engine_count_.bursts;
  engine_count_.words += Pieces(addr, row.data, rules_.word);
  engine_count_.bursts += Pieces(addr, row.data, longest);
  uint64_t first = addr;
  for (uint64_t rest = list_ == nullptr ? 0 : row.data; rest != 0;) {
    const uint64_t bytes = std::min(rest, longest - first % longest);
    list_->push_back({first - first % rules_.word, Pieces(first, bytes, rules_.word)});
    first = (first + bytes) & rules_.mask;
    rest -= bytes;
  }
  return number;
}

void BurstPlanner::AddLeast(const Row& row) {
  const uint64_t addr = row.addr() & rules_.mask;
  uint64_t first = addr - addr % rules_.word;
  uint64_t words = Pieces(addr, row.data, rules_.word);
  const uint64_t last = (first + (words - 1) * rules_.word) & rules_.mask;
  if (least_.open && first == least_.word) {
    --words;
    first = (first + rules_.word) & rules_.mask;
  }
  const bool goes_on = least_.open && first == ((least_.word + rules_.word) & rules_.mask);
  AddLeastWords(first, words, goes_on);
  least_.word = last;
  least_.open = true;
}

void BurstPlanner::AddLeastWords(uint64_t addr, uint64_t n, bool goes_on) {
  const uint64_t page = kPage / rules_.word;
  uint64_t at = (addr & rules_.mask) % kPage / rules_.word;  // word of the page
  least_count_.words += n;
  if (goes_on && at != 0 && least_.burst < rules_.longest) {
    const uint64_t more = std::min({n, rules_.longest - least_.burst, page - at});
    least_.burst += more;
    n -= more;
    at = (at + more) % page;
  }
  if (n == 0) return;
  const uint64_t head = std::min(n, page - at);
  least_count_.bursts += CeilDivide(head, rules_.longest);
  uint64_t piece = head;  // the words that lie in the last page
  n -= head;
  if (n != 0) {
    least_count_.bursts += n / page * CeilDivide(page, rules_.longest);
    least_count_.bursts += CeilDivide(n % page, rules_.longest);
    piece = n % page == 0 ? page : n % page;
  }
  least_.burst = (piece - 1) % rules_.longest + 1;
}

std::array<uint64_t, BurstPlanner::kKeyWords> BurstPlanner::Key(uint64_t base) const {
  if (!least_.open) return {};
  return {(least_.word - base) & rules_.mask, uint64_t{1} << 63 | least_.burst};
}

void BurstPlanner::Shift(uint64_t bytes) { least_.word = (least_.word + bytes) & rules_.mask; }

void BurstPlanner::Resume(const BurstPlanner& other) { least_ = other.least_; }

void BurstPlanner::ResetCounts() {
  engine_count_ = least_count_ = {};
  operations_ = 0;
}

}  // namespace tessera::show
