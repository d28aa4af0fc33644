// See bursts.h.
#include "tools/show/bursts.h"

#include <algorithm>
#include <bit>
#include <ranges>

namespace tessera::show {
namespace {

constexpr int kShortRun = 16;  // words: runs get so long whatever the bursts

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
  rules.run_bytes =
      std::bit_floor(static_cast<uint64_t>(std::max(config.max_burst, kShortRun)) * rules.word);
  if (direction == Direction::kWrite && transfer.finish == model::Finish::kLast) {
    rules.longest = std::min(rules.longest, kOnTlastBurst);
  }
  if (model::Positions(transfer) != 0) {
    uint64_t rows = transfer.stride[0] == transfer.elem ? 1 : transfer.count[0];
    for (size_t d = 1; d < model::kDims; ++d)
      rows = rows < kTileCycles ? rows * transfer.count[d] : rows;
    const bool walks =
        std::ranges::any_of(transfer.walk, [](const auto& w) { return w.has_value(); });
    if (walks && rows < kTileCycles) rules.lone_rows = static_cast<uint32_t>(rows);
  }
  rules.first_longest = rules.longest;
  if (direction == Direction::kWrite && transfer.finish == model::Finish::kLast) {
    rules.first_longest = std::min(rules.longest, kOnTlastFirst);
  }
  return rules;
}

uint64_t BurstPlanner::Add(const Row& row) {
  if (row.data == 0) {
    const EngineState before = engine_;
    AddFill();
    engine_.lone = before.lone;
    engine_.cycles = before.cycles;
    PauseAfterFirstTile(row);
    operations_ += CeilDivide(row.lead, rules_.group);
    return engine_count_.bursts;
  }
  // Whole groups of fill are operations of their own, odd bytes go with the data.
  operations_ += row.lead / rules_.group + row.tail / rules_.group;
  AddLeast(row);
  return AddEngine(row);
}

void BurstPlanner::AddFill() {
  engine_.open = false;
  engine_.lone = 0;  // what comes next joins nothing in any case
  engine_.next = engine_.run = engine_.burst = 0;
  engine_.joined = 0;
}

uint64_t BurstPlanner::AddEngine(const Row& row) {
  const uint64_t addr = row.addr() & rules_.mask;
  const bool touches = engine_.open && row.plain && addr == engine_.next;
  const bool full = engine_.joined + 1 == kRunRows || engine_.run > rules_.run_bytes;
  const uint64_t past = addr % rules_.word;
  if (touches && !full) {
    ++engine_.joined;
  } else {
    engine_.joined = 0;
    engine_.run = past;
  }
  engine_.run = std::min(engine_.run + row.data, rules_.run_bytes + 1);
  const bool goes_on = touches;
  groups_ += Pieces(addr, row.data, rules_.group, touches && !full);
  const uint64_t words = Pieces(addr, row.data, rules_.word, touches);
  const bool shares = touches && past != 0;  // the word that it begins in
  const uint64_t first = shares ? addr + rules_.word - past : addr - past;
  const bool grows = goes_on && engine_.burst < engine_.limit && first % kPage != 0;
  const uint64_t number = engine_count_.bursts - (shares || grows ? 1 : 0);
  engine_.burst =
      AddWords(first, words, goes_on, engine_.burst, &engine_.limit, &engine_count_, list_);
  engine_.open = row.plain;
  engine_.next = (addr + row.data) & rules_.mask;
  PauseAfterFirstTile(row);
  return number;
}

void BurstPlanner::PauseAfterFirstTile(const Row& row) {
  if (engine_.lone == 0) return;
  engine_.cycles += 1 + (row.data != 0 && row.lead >= rules_.group ? 1 : 0) +
                    (row.data != 0 && row.tail >= rules_.group ? 1 : 0);
  if (--engine_.lone == 0 && engine_.cycles < kTileCycles) engine_.open = false;
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
  uint64_t limit = rules_.longest;
  least_.burst = AddWords(first, words, goes_on, least_.burst, &limit, &least_count_, nullptr);
  least_.word = last;
  least_.open = true;
}

uint64_t BurstPlanner::AddWords(uint64_t addr, uint64_t n, bool goes_on, uint64_t burst,
                                uint64_t* limit, BusCount* count, std::vector<Burst>* list) const {
  const uint64_t page = kPage / rules_.word;
  uint64_t at = (addr & rules_.mask) % kPage / rules_.word;  // word of the page
  count->words += n;
  if (goes_on && at != 0 && burst < *limit) {
    const uint64_t more = std::min({n, *limit - burst, page - at});
    burst += more;
    n -= more;
    at = (at + more) % page;
    if (list != nullptr) list->back().words += more;
    addr += more * rules_.word;
  }
  while (n != 0 && *limit < rules_.longest) {
    *limit = *limit == 0 ? rules_.first_longest : std::min(*limit * 2, rules_.longest);
    burst = std::min({n, *limit, page - at});
    if (list != nullptr) list->push_back({addr & rules_.mask, burst});
    ++count->bursts;
    n -= burst;
    at = (at + burst) % page;
    addr += burst * rules_.word;
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
  key[2] |= engine_.limit << 16 | uint64_t{engine_.lone} << 28;
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
