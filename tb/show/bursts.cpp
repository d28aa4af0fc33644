// See bursts.h.
#include "tb/show/bursts.h"

#include <algorithm>
#include <bit>

namespace tessera::show {
namespace {

uint64_t CeilDivide(uint64_t a, uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Pieces of `size` that `bytes` from `addr` on lie in; `shared`: the first of them is at hand when
// the bytes begin inside it.
uint64_t Pieces(uint64_t addr, uint64_t bytes, uint64_t size, bool shared) {
  const uint64_t offset = addr % size;
  if (!shared || offset == 0) return CeilDivide(offset + bytes, size);
  const uint64_t rest = size - offset;
  return bytes <= rest ? 0 : CeilDivide(bytes - rest, size);
}

}  // namespace

BurstRules RulesOf(const Config& config, Direction direction, const model::Transfer& transfer) {
  BurstRules rules;
  rules.mask = config.addr_width >= 64 ? ~uint64_t{0} : (uint64_t{1} << config.addr_width) - 1;
  rules.word = static_cast<uint64_t>(config.data_bytes);
  rules.group = static_cast<uint64_t>(std::min(config.data_bytes, config.stream_bytes));
  rules.longest = std::min(static_cast<uint64_t>(config.max_burst), kPage / rules.word);
  rules.run_bytes = std::bit_floor(static_cast<uint64_t>(config.max_burst) * rules.word);
  if (direction == Direction::kWrite && transfer.finish == model::Finish::kLast) {
    rules.longest = std::min(rules.longest, kOnTlastBurst);
  }
  return rules;
}

uint64_t BurstPlanner::Add(const Row& row) {
  if (row.data == 0) {
    AddFill();
    operations_ += CeilDivide(row.lead, rules_.group);
    return engine_count_.bursts;
  }
  // Whole groups of fill are operations of their own, odd bytes go with the data.
  operations_ += row.lead / rules_.group + row.tail / rules_.group;
  AddLeast(row);
  return AddEngine(row);
}

uint64_t BurstPlanner::AddEngine(const Row& row) {
  const uint64_t addr = row.addr() & rules_.mask;
  const bool touches = engine_.open && row.plain && addr == engine_.next;
  const bool aligned = engine_.next % rules_.word == 0;
  const bool full = engine_.joined + 1 == kRunRows || (aligned && engine_.run >= rules_.run_bytes);
  const bool goes_on = touches && (!full || aligned);
  if (touches && !full) {
    ++engine_.joined;
  } else {
    engine_.joined = 0;
    engine_.run = 0;
  }
  engine_.run = std::min(engine_.run + row.data, rules_.run_bytes);
  groups_ += Pieces(addr, row.data, rules_.group, goes_on);
  const uint64_t words = Pieces(addr, row.data, rules_.word, goes_on);
  const uint64_t past = addr % rules_.word;
  const bool shares = goes_on && past != 0;  // the word that it begins in
  const uint64_t first = shares ? addr + rules_.word - past : addr - past;
  const bool grows = goes_on && engine_.burst < rules_.longest && first % kPage != 0;
  const uint64_t number = engine_count_.bursts - (shares || grows ? 1 : 0);
  engine_.burst = AddWords(first, words, goes_on, engine_.burst, &engine_count_, list_);
  engine_.open = row.plain;
  engine_.next = (addr + row.data) & rules_.mask;
  return number;
}

void BurstPlanner::AddLeast(const Row& row) {
  const uint64_t addr = row.addr() & rules_.mask;
  uint64_t first = addr - addr % rules_.word;
  uint64_t words = CeilDivide(addr % rules_.word + row.data, rules_.word);
  const uint64_t last = (first + (words - 1) * rules_.word) & rules_.mask;
  if (least_.open && first == least_.word) {
    --words;
    first = (first + rules_.word) & rules_.mask;
  }
  const bool goes_on = least_.open && first == ((least_.word + rules_.word) & rules_.mask);
  least_.burst = AddWords(first, words, goes_on, least_.burst, &least_count_, nullptr);
  least_.word = last;
  least_.open = true;
}

uint64_t BurstPlanner::AddWords(uint64_t addr, uint64_t n, bool goes_on, uint64_t burst,
                                BusCount* count, std::vector<Burst>* list) const {
  const uint64_t page = kPage / rules_.word;
  uint64_t at = (addr & rules_.mask) % kPage / rules_.word;  // word of the page
  count->words += n;
  if (goes_on && at != 0 && burst < rules_.longest) {
    const uint64_t more = std::min({n, rules_.longest - burst, page - at});
    burst += more;
    n -= more;
    at = (at + more) % page;
    if (list != nullptr) list->back().words += more;
    addr += more * rules_.word;
  }
  if (n == 0) return burst;
  if (list != nullptr) {
    for (uint64_t rest = n, here = at, first = addr; rest != 0;) {
      const uint64_t words = std::min({rest, rules_.longest, page - here});
      list->push_back({first & rules_.mask, words});
      rest -= words;
      here = (here + words) % page;
      first += words * rules_.word;
    }
  }
  const uint64_t head = std::min(n, page - at);
  count->bursts += CeilDivide(head, rules_.longest);
  uint64_t piece = head;  // the words that lie in the last page
  n -= head;
  if (n != 0) {
    count->bursts += n / page * CeilDivide(page, rules_.longest);
    count->bursts += CeilDivide(n % page, rules_.longest);
    piece = n % page == 0 ? page : n % page;
  }
  return (piece - 1) % rules_.longest + 1;
}

std::array<uint64_t, BurstPlanner::kKeyWords> BurstPlanner::Key(uint64_t base) const {
  std::array<uint64_t, kKeyWords> key{};
  if (engine_.open) {
    key[0] = (engine_.next - base) & rules_.mask;
    key[1] = uint64_t{1} << 63 | uint64_t{engine_.joined} << 32 | engine_.run;
    key[2] = engine_.burst;
  }
  if (least_.open) {
    key[3] = (least_.word - base) & rules_.mask;
    key[2] |= uint64_t{1} << 63 | least_.burst << 32;
  }
  return key;
}

void BurstPlanner::Shift(uint64_t bytes) {
  engine_.next = (engine_.next + bytes) & rules_.mask;
  least_.word = (least_.word + bytes) & rules_.mask;
}

void BurstPlanner::Resume(const BurstPlanner& other) {
  engine_ = other.engine_;
  least_ = other.least_;
}

void BurstPlanner::ResetCounts() {
  engine_count_ = least_count_ = {};
  groups_ = operations_ = 0;
}

}  // namespace tessera::show
