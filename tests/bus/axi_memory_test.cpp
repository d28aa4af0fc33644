// The AXI memory: the cycle-exact profile of the performance bench, and every unhelpful mode.
#include "tb/bus/axi_memory.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <stdexcept>

#include "tb/monitor/axi_monitor.h"
#include "tests/bus/pins.h"

namespace tessera {
namespace {

using Service = AxiMemoryOptions::Service;
using WriteOrder = AxiMemoryOptions::WriteOrder;
using Cycles = std::vector<uint64_t>;

struct Request {
  uint64_t addr = 0;
  int beats = 1;
};

// A master that offers what is queued at once, and always takes what comes, unless told otherwise.
class Master {
 public:
  explicit Master(const AxiMemoryOptions& options, uint64_t seed = 1, int bytes = 8)
      : memory_(seed),
        axi_(&memory_, &port_, bytes, options, Rng(seed)),
        monitor_(&port_, {bytes, 64, 256, 1000, 1, 1}, &violations_),
        rng_(seed),
        bytes_(bytes) {
    port_.r.ready = port_.b.ready = true;
  }

  void Cycle() {
    Offer();
    const Tick tick{cycle_, false};
    monitor_.Sample(tick);
    axi_.Sample(tick);
    Take();
    axi_.Drive({++cycle_, false});
  }
  void RunDry(uint64_t limit = 20000) {
    for (uint64_t i = 0; i < limit; ++i) {
      Cycle();
      if (reads_.empty() && writes_.empty() && data_.empty() && axi_.Idle()) return;
    }
    FAIL() << "not finished: " << axi_.Describe();
  }

  Memory memory_;
  AxiPort port_;
  AxiMemory axi_;
  ViolationList violations_;
  AxiMonitor monitor_;
  Rng rng_;
  int bytes_;
  uint64_t cycle_ = 0;
  std::deque<Request> reads_, writes_, data_;
  uint64_t aw_from_ = 0;  // earliest cycle of an address, of data
  uint64_t w_from_ = 0;
  double ready_ = 1.0;  // probability of RREADY and BREADY
  int beat_ = 0;        // of the burst whose data are being sent
  int aw_ahead_ = 0;    // addresses shown and not yet followed by all their data
  Cycles ar_, aw_, w_, wlast_, r_first_, rlast_, r_, b_;  // cycles of handshakes; r_first_: RVALID
  std::vector<uint8_t> read_data_;
  std::vector<uint8_t> responses_;

 private:
  void Offer() {
    if (!reads_.empty()) PutAddress(&port_.ar, reads_.front().addr, reads_.front().beats, bytes_);
    if (!writes_.empty() && cycle_ >= aw_from_) {
      if (!port_.aw.valid) ++aw_ahead_;
      PutAddress(&port_.aw, writes_.front().addr, writes_.front().beats, bytes_);
    }
    if (!data_.empty() && aw_ahead_ > 0 && cycle_ >= w_from_) {
      PutW(&port_.w, static_cast<uint8_t>(beat_ + 1), bytes_, beat_ + 1 == data_.front().beats);
    }
    if (ready_ < 1.0) {
      port_.r.ready = rng_.Chance(ready_);
      port_.b.ready = rng_.Chance(ready_);
    }
  }
  void Take() {
    if (port_.r.valid && (r_first_.size() == rlast_.size())) r_first_.push_back(cycle_);
    if (port_.r.moves()) {
      r_.push_back(cycle_);
      read_data_.insert(read_data_.end(), port_.r->data.begin(), port_.r->data.begin() + bytes_);
      responses_.push_back(port_.r->resp);
      if (port_.r->last) rlast_.push_back(cycle_);
    }
    if (port_.b.moves()) {
      b_.push_back(cycle_);
      responses_.push_back(port_.b->resp);
    }
    if (port_.ar.moves()) {
      ar_.push_back(cycle_);
      reads_.pop_front();
      port_.ar.valid = false;
    }
    if (port_.aw.moves()) {
      aw_.push_back(cycle_);
      writes_.pop_front();
      port_.aw.valid = false;
    }
    if (port_.w.moves()) {
      w_.push_back(cycle_);
      port_.w.valid = false;
      if (++beat_ == data_.front().beats) {
        wlast_.push_back(cycle_);
        data_.pop_front();
        beat_ = 0;
        --aw_ahead_;
      }
    }
  }
};

void Write(Master* m, uint64_t addr, int beats) {
  m->writes_.push_back({addr, beats});
  m->data_.push_back({addr, beats});
}

TEST(AxiMemory, FirstBeatComesAfterExactlyTheLatency) {
  for (const uint64_t latency : {1U, 20U, 100U}) {
    Master m(AxiMemoryOptions::Latency(static_cast<uint32_t>(latency)));
    m.reads_ = {{0x100, 4}, {0x200, 1}};
    m.RunDry();
    ASSERT_EQ(m.ar_.size(), 2U);
    EXPECT_EQ(m.ar_[1], m.ar_[0] + 1);
    EXPECT_EQ(m.r_first_[0], m.ar_[0] + latency);
    const Cycles beats = {m.r_[0], m.r_[0] + 1, m.r_[0] + 2, m.r_[0] + 3, m.r_[0] + 4};
    EXPECT_EQ(m.r_, beats);  // one a cycle, the second burst right behind the first
    EXPECT_EQ(m.violations_.count(), 0U);
    std::vector<uint8_t> expected = m.memory_.ReadBytes(0x100, 32);
    const std::vector<uint8_t> second = m.memory_.ReadBytes(0x200, 8);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(m.read_data_, expected);
  }
}

TEST(AxiMemory, ALaterBurstWaitsForItsOwnLatency) {
  Master m(AxiMemoryOptions::Latency(10));
  m.reads_ = {{0x100, 2}};
  for (int i = 0; i < 6; ++i) m.Cycle();
  m.reads_ = {{0x200, 1}};
  m.RunDry();
  EXPECT_EQ(m.r_first_[1], m.ar_[1] + 10);
  EXPECT_GT(m.r_first_[1], m.rlast_[0] + 1);
}

TEST(AxiMemory, AReadIsHeldUntilReady) {
  Master m(AxiMemoryOptions::Latency(3));
  m.reads_ = {{0x100, 1}, {0x200, 1}};
  m.port_.r.ready = false;
  for (int i = 0; i < 30; ++i) m.Cycle();
  EXPECT_TRUE(m.port_.r.valid);
  m.port_.r.ready = true;
  m.RunDry();
  EXPECT_EQ(m.r_first_[0], m.ar_[0] + 3);
  EXPECT_EQ(m.r_first_[1], m.rlast_[0] + 1);
  EXPECT_EQ(m.violations_.count(), 0U);
}

TEST(AxiMemory, SixtyFourReadsAtMost) {
  Master m(AxiMemoryOptions::Latency(100));
  for (int i = 0; i < 70; ++i) m.reads_.push_back({0x1000, 1});
  m.RunDry();
  EXPECT_EQ(m.ar_[63], m.ar_[0] + 63);
  EXPECT_EQ(m.ar_[64], m.rlast_[0] + 1);
  EXPECT_EQ(m.rlast_[0], m.ar_[0] + 100);
}

TEST(AxiMemory, SixtyFourWritesAtMost) {
  Master m(AxiMemoryOptions::Latency(100));
  for (int i = 0; i < 70; ++i) Write(&m, 0x1000, 1);
  m.RunDry();
  EXPECT_EQ(m.aw_[63], m.aw_[0] + 63);
  EXPECT_EQ(m.aw_[64], m.b_[0] + 1);
}

TEST(AxiMemory, ResponseFollowsTheLaterOfAddressAndData) {
  for (const uint64_t latency : {1U, 20U}) {
    Master data_late(AxiMemoryOptions::Latency(static_cast<uint32_t>(latency)));
    data_late.w_from_ = 9;
    Write(&data_late, 0x100, 3);
    data_late.RunDry();
    EXPECT_LT(data_late.aw_[0], data_late.w_[0]);
    EXPECT_EQ(data_late.b_[0], data_late.wlast_[0] + latency);

    AxiMemoryOptions late_address = AxiMemoryOptions::Latency(static_cast<uint32_t>(latency));
    late_address.aw = PacerSpec::List(std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    Master m(late_address);
    Write(&m, 0x100, 3);
    m.RunDry();
    EXPECT_GT(m.aw_[0], m.wlast_[0]);
    EXPECT_EQ(m.b_[0], m.aw_[0] + latency);
    EXPECT_EQ(m.memory_.ReadByte(0x117), 3);
    EXPECT_EQ(m.memory_.TouchedBytes(), 24U);
  }
}

TEST(AxiMemory, OneResponseACycle) {
  Master m(AxiMemoryOptions::Latency(5));
  for (int i = 0; i < 10; ++i) Write(&m, 0x40, 1);
  m.RunDry();
  for (size_t i = 1; i < 10; ++i) EXPECT_EQ(m.b_[i], m.b_[0] + i);
}

TEST(AxiMemory, WriteOrdersAreAsNamed) {
  for (const WriteOrder order :
       {WriteOrder::kAddressFirst, WriteOrder::kDataFirst, WriteOrder::kAllDataFirst}) {
    AxiMemoryOptions options;
    options.write_order = order;
    Master m(options);
    Write(&m, 0x100, 4);
    Write(&m, 0x200, 2);
    m.RunDry();
    ASSERT_EQ(m.aw_.size(), 2U);
    if (order == WriteOrder::kAddressFirst) {
      EXPECT_GT(m.w_[0], m.aw_[0]);
      EXPECT_GT(m.w_[4], m.aw_[1]);
    } else if (order == WriteOrder::kDataFirst) {
      EXPECT_GT(m.aw_[0], m.w_[0]);
    } else {
      EXPECT_GT(m.aw_[0], m.wlast_[0]);
      EXPECT_GT(m.aw_[1], m.wlast_[1]);
    }
    EXPECT_EQ(m.memory_.ReadByte(0x208), 2);
    EXPECT_EQ(m.violations_.count(), 0U);
  }
}

// Random traffic in every mode: nothing is lost, monitors are silent, service is exclusive if it
// says so.
TEST(AxiMemory, EveryModeServesEverything) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    AxiMemoryOptions options = AxiMemoryOptions::Random(rng);
    options.service = static_cast<Service>(seed % 4);
    if (options.service != Service::kParallel) options.write_order = WriteOrder::kFree;
    Master m(options, seed, 1 << rng.Between(2, 7));
    m.ready_ = rng.Chance(0.5) ? 1.0 : 0.5;
    const uint64_t step = static_cast<uint64_t>(m.bytes_);
    std::vector<uint8_t> expected;
    uint64_t beats = 0;
    for (int i = 0; i < 12; ++i) {
      const int read = static_cast<int>(rng.Between(1, 8)),
                write = static_cast<int>(rng.Between(1, 8));
      const uint64_t addr = rng.Below(16) * 8 * step;
      m.reads_.push_back({0x10000 + addr, read});
      Write(&m, 0x20000 + static_cast<uint64_t>(i) * 0x1000, write);
      const auto bytes = m.memory_.ReadBytes(0x10000 + addr, step * static_cast<uint64_t>(read));
      expected.insert(expected.end(), bytes.begin(), bytes.end());
      beats += static_cast<uint64_t>(write);
    }
    m.RunDry(200000);
    ASSERT_EQ(m.violations_.count(), 0U) << Rules(m.violations_) << " " << options.ToString();
    ASSERT_EQ(m.read_data_, expected);
    ASSERT_EQ(m.b_.size(), 12U);
    ASSERT_EQ(m.memory_.TouchedBytes(), beats * step);
    if (options.service == Service::kParallel) continue;
    // No read beat lies between the first data beat of a write and its response, or, if data may be
    // buffered, no response lies between the first and the last beat of a read.
    size_t w = 0, first = 0;
    for (size_t i = 0; i < 12; ++i) {
      while (m.w_[w] != m.wlast_[i]) ++w;
      if (options.service != Service::kOneBuffered) {
        for (const uint64_t r : m.r_) ASSERT_FALSE(r > m.w_[first] && r < m.b_[i]) << seed;
      }
      first = ++w;
      for (size_t k = 0; k < 12; ++k) {
        ASSERT_FALSE(m.b_[i] > m.r_first_[k] && m.b_[i] < m.rlast_[k]) << seed;
      }
    }
    if (options.service != Service::kOneStrict) continue;
    // Not even an address is accepted while something is being served.
    for (size_t i = 0; i < 12; ++i) {
      for (size_t k = 0; k < 12; ++k) {
        ASSERT_FALSE(m.ar_[i] >= m.aw_[k] && m.ar_[i] <= m.b_[k]) << seed;
        ASSERT_FALSE(m.aw_[k] >= m.ar_[i] && m.aw_[k] <= m.rlast_[i]) << seed;
      }
    }
  }
}

TEST(AxiMemory, LimitsOfOutstandingAreKept) {
  AxiMemoryOptions options = AxiMemoryOptions::Latency(30);
  options.max_reads = 3;
  options.max_writes = 2;
  Master m(options);
  for (int i = 0; i < 20; ++i) {
    m.reads_.push_back({0x1000, 2});
    Write(&m, 0x3000, 2);
  }
  size_t most_reads = 0, most_writes = 0;
  for (int i = 0; i < 2000; ++i) {
    m.Cycle();
    most_reads = std::max(most_reads, m.axi_.open_reads());
    most_writes = std::max(most_writes, m.axi_.open_writes());
  }
  EXPECT_EQ(most_reads, 3U);
  EXPECT_EQ(most_writes, 2U);
  EXPECT_TRUE(m.axi_.Idle());
}

TEST(AxiMemory, ErrorsByRangeAndProbability) {
  AxiMemoryOptions options;
  options.errors = {ErrorRule::Range(0x10c, 0x10d, kSlvErr),
                    ErrorRule::Range(0x118, 0x118, kDecErr).ReadsOnly(),
                    ErrorRule::Range(0x300, 0x307, kDecErr).WritesOnly()};
  Master reads(options);
  reads.reads_ = {{0x100, 4}};
  reads.RunDry();
  EXPECT_EQ(reads.responses_, (std::vector<uint8_t>{0, 2, 0, 3}));
  EXPECT_EQ(reads.read_data_, reads.memory_.ReadBytes(0x100, 32));
  ASSERT_EQ(reads.axi_.errors().size(), 2U);
  EXPECT_EQ(reads.axi_.errors()[0].beat_addr, 0x108U);
  EXPECT_EQ(reads.axi_.errors()[0].burst_addr, 0x100U);
  EXPECT_EQ(reads.axi_.errors()[1].response, kDecErr);

  Master writes(options);
  Write(&writes, 0x200, 1);
  Write(&writes, 0x300, 1);
  Write(&writes, 0x100, 3);
  writes.RunDry();
  EXPECT_EQ(writes.responses_, (std::vector<uint8_t>{0, 3, 2}));
  EXPECT_EQ(writes.axi_.errors()[1].burst, 2U);
  EXPECT_EQ(writes.axi_.errors()[1].beat_addr, 0x108U);
  EXPECT_EQ(writes.memory_.TouchedBytes(), 40U);

  options.errors = {ErrorRule::Probability(0.25, kSlvErr)};
  Master many(options);
  for (int i = 0; i < 100; ++i) many.reads_.push_back({0x400, 10});
  many.RunDry();
  EXPECT_NEAR(static_cast<double>(many.axi_.errors().size()), 250.0, 60.0);
}

TEST(AxiMemory, ResetDropsEverything) {
  Master m(AxiMemoryOptions::Latency(10));
  m.reads_ = {{0x100, 4}};
  Write(&m, 0x200, 4);
  for (int i = 0; i < 4; ++i) m.Cycle();
  EXPECT_FALSE(m.axi_.Idle());
  m.axi_.Sample({m.cycle_, true});
  m.axi_.Drive({m.cycle_ + 1, true});
  EXPECT_TRUE(m.axi_.Idle());
  EXPECT_FALSE(m.port_.r.valid || m.port_.b.valid);
}

TEST(AxiMemory, ContradictionsAreRefused) {
  Memory memory;
  AxiPort port;
  AxiMemoryOptions options;
  options.latency_min = 0;
  EXPECT_THROW(AxiMemory(&memory, &port, 8, options, Rng(1)), std::invalid_argument);
  options = {};
  options.max_reads = 0;
  EXPECT_THROW(AxiMemory(&memory, &port, 8, options, Rng(1)), std::invalid_argument);
  options = {};
  options.service = Service::kOneQueued;
  options.write_order = WriteOrder::kDataFirst;
  EXPECT_THROW(AxiMemory(&memory, &port, 8, options, Rng(1)), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
