// Banks of counters against sums of what was to be counted, in each cycle of an answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "pins/types.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vcounter_bank_top.h"

namespace tessera {
namespace {

using enum rtl::CounterWord;
constexpr size_t kWords = rtl::kCounterWordNames.size();

struct Counts {
  uint32_t& operator[](rtl::CounterWord word) { return words.at(static_cast<size_t>(word)); }
  std::array<uint32_t, kWords> words = {};
};

// A bank of counter_bank_top.sv.
struct BankShape {
  const char* name;
  size_t cell, reads, channels;
};
constexpr BankShape kBanks[] = {{"pair", 0, 1, 2}, {"three", 1, 2, 3}, {"all", 2, 16, 32}};

// How often, of 256 and of 4096.
constexpr std::array<uint64_t, 5> kRates = {0, 3, 128, 250, 256};
constexpr std::array<uint64_t, 3> kPaces = {0, 10, 256};
constexpr std::array<uint64_t, 4> kClears = {0, 0, 1, 40};

// How often, of 256, each event is in a cycle.
struct Rates {
  std::array<uint64_t, 9> of = {};
};

class CounterBench {
 public:
  CounterBench(const BankShape& shape, uint64_t seed) : shape_(shape), rng_(seed), unit_(seed) {
    auto& m = unit_.model();
    m.rst_ni = 0;
    m.access_valid_i = 0;
    for (int n = 0; n < 4; ++n) Edges();
    m.rst_ni = 1;
    cycles_ -= static_cast<uint32_t>(rng_.Below(2000));  // it overflows
  }

  // A cycle at random; accesses follow each other with `pace` of 256.
  void Cycle(const Rates& rates, uint64_t pace, bool freeze, bool clear) {
    auto& m = unit_.model();
    const auto mask = [&](size_t event) {
      uint32_t bits = 0;
      for (size_t c = 0; c < shape_.channels; ++c)
        bits |= static_cast<uint32_t>(rng_.Below(256) < rates.of[event]) << c;
      return bits;
    };
    const Events before = events_;  // they are a cycle behind their streams
    const uint32_t cycles = cycles_;
    events_ = {mask(0), mask(1), mask(2), mask(3), mask(4), mask(5)};
    const uint32_t valid = mask(6), ready = mask(7), last = mask(8);
    m.busy_i = events_.busy;
    m.running_i = events_.running;
    m.lock_i = events_.lock;
    m.transfer_i = events_.transfer;
    m.burst_i = events_.burst;
    m.blocked_i = events_.blocked;
    m.stream_valid_i = valid;
    m.stream_ready_i = ready;
    m.stream_last_i = last;
    m.stream_bytes_i = static_cast<uint8_t>(rng_.Below(129) & 255);
    m.freeze_i = freeze;
    m.clear_i = clear;
    m.cycles_i = ++cycles_;
    if (m.access_valid_i == 0 && rng_.Below(256) < pace) Request();
    m.clk_i = 0;
    unit_.Evaluate();
    Check();
    for (size_t c = 0; c < shape_.channels; ++c) {
      auto& counts = counts_[c];
      const auto is = [&](uint32_t bits) { return (bits >> c & 1) != 0; };
      const bool read = c < shape_.reads, runs = is(before.running);
      const bool own = is(read ? valid : ready), other = is(read ? ready : valid);
      if (clear) {
        const uint32_t limit = counts[kLimit];
        counts = {};
        counts[kLimit] = limit;
        bytes_[c] = 0;
        continue;
      }
      if (freeze) continue;
      const bool beat = is(valid) && is(ready);
      counts[kReached] += counts[kBeats] != 0 && bytes_[c] < counts[kLimit];
      counts[kBusy] += is(before.busy);
      counts[kMemory] += runs && !own;
      counts[kStream] += runs && own && !other;
      counts[kLock] += is(before.lock);
      counts[kCredit] += is(before.blocked);
      counts[kBursts] += is(before.burst);
      counts[kTransfers] += is(before.transfer);
      counts[kPackets] += beat && is(last);
      if (beat) {
        if (counts[kBeats] == 0) counts[kFirst] = cycles;
        ++counts[kBeats];
        bytes_[c] += m.stream_bytes_i;
        counts[kBytesLow] = static_cast<uint32_t>(bytes_[c]);
        counts[kBytesHigh] = static_cast<uint32_t>(bytes_[c] >> 32);
      }
    }
    if (answered_) Write();
    if (clear) cleared_ = 0;
    ++cleared_;
    Rise();
    if (answered_) m.access_valid_i = 0;
  }
  uint64_t answers() const { return answers_; }

 private:
  struct Events {
    uint32_t busy = 0, running = 0, lock = 0, transfer = 0, burst = 0, blocked = 0;
  };

  uint32_t Data() {
    return reinterpret_cast<const uint32_t*>(&unit_.model().access_data_o)[shape_.cell];
  }
  void Rise() {
    unit_.model().clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  void Edges() {
    unit_.model().clk_i = 0;
    unit_.Evaluate();
    Rise();
  }
  void Request() {
    auto& m = unit_.model();
    m.access_valid_i = 1;
    m.access_channel_i = static_cast<uint8_t>(rng_.Below(shape_.channels) & 31);
    m.access_word_i = static_cast<uint8_t>(rng_.Below(15) & 15);
    m.access_write_i = rng_.Below(8) == 0;
    if (rng_.Below(16) == 0) {
      m.access_word_i = static_cast<uint8_t>(kLimit);
      m.access_write_i = 1;
    }
    m.access_data_i = static_cast<uint32_t>(rng_.Below(20000));
    m.access_strobe_i = static_cast<uint8_t>(rng_.Below(16) & 15);
    waited_ = 0;
  }
  // What an answer says is what was counted two cycles ago, of whole words one.
  void Check() {
    auto& m = unit_.model();
    answered_ = false;
    if (m.access_valid_i == 0) return;
    const size_t channel = m.access_channel_i, number = m.access_word_i;
    const auto word = rtl::CounterWord{m.access_word_i};
    const uint32_t value = number < kWords ? counts_[channel][word] : 0;
    seen_ = {value, seen_[0], seen_[1]};
    ++waited_;
    const uint64_t round = 16 * shape_.channels + 3;
    ASSERT_LE(std::min(waited_, cleared_), cleared_ > waited_ + round ? 3U : round + 5);
    if ((m.access_ready_o >> shape_.cell & 1) == 0) return;
    answered_ = true;
    ++answers_;
    const bool error = m.access_error_o >> shape_.cell & 1;
    ASSERT_EQ(error, number >= kWords || (m.access_write_i != 0 && word != kLimit)) << number;
    if (error || m.access_write_i != 0) return;
    const bool whole = word == kBytesLow || word == kLimit;
    ASSERT_EQ(Data(), seen_[whole ? 1 : 2])
        << "channel " << channel << ", word " << number << ", answer " << answers_;
  }
  void Write() {
    const auto& m = unit_.model();
    if (m.access_write_i == 0 || rtl::CounterWord{m.access_word_i} != kLimit) return;
    uint32_t mask = 0;
    for (int b = 0; b < 4; ++b) mask |= (m.access_strobe_i >> b & 1U) * 0xffU << 8 * b;
    uint32_t& limit = counts_[m.access_channel_i][kLimit];
    limit = (limit & ~mask) | (m.access_data_i & mask);
  }

  const BankShape& shape_;
  Rng rng_;
  VerilatedUnit<Vcounter_bank_top> unit_;
  std::array<Counts, 32> counts_ = {};
  std::array<uint64_t, 32> bytes_ = {};
  std::array<uint32_t, 3> seen_ = {};
  Events events_;
  uint32_t cycles_ = 0;
  uint64_t cleared_ = 0, waited_ = 0, answers_ = 0;
  bool answered_ = false;
};

class CounterBanks : public testing::TestWithParam<BankShape> {};

TEST_P(CounterBanks, CountEachEventOfEachChannel) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CounterBench bench(GetParam(), seed);
    Rng rng(seed + 100);
    for (int phase = 0; phase < 40; ++phase) {
      Rates rates;
      for (auto& rate : rates.of) rate = kRates.at(rng.Below(5));
      const uint64_t pace = kPaces.at(rng.Below(3));
      const bool frozen = rng.Below(6) == 0;
      const uint64_t clears = kClears.at(rng.Below(4));
      for (int cycle = 0; cycle < 500; ++cycle) {
        bench.Cycle(rates, pace, frozen,
                    (cycle == 0 && phase % 4 == 0) || rng.Below(4096) < clears);
        if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", phase " << phase;
      }
    }
    EXPECT_GT(bench.answers(), 500U);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CounterBanks, testing::ValuesIn(kBanks),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tessera
