// See list_engine_bench.h.
#include "tests/list/list_engine_bench.h"

#include <fmt/format.h>

#include "tests/core/pins.h"

namespace tessera::list {
namespace {

constexpr int kRecordWords = 10;
constexpr uint64_t kSweep = 1100;

}  // namespace

ListEngineBench::ListEngineBench(const EngineShape& shape, uint64_t seed, int pace, int latency)
    : shape_(shape),
      rng_(Rng(seed).Stream("engine")),
      pace_(pace),
      latency_(latency),
      unit_(seed),
      lanes_(static_cast<size_t>(2 * shape.pairs)) {
  const model::Build build;
  for (size_t c = 0; c < lanes_.size(); ++c) {
    Lane& lane = lanes_[c];
    if (Receives(c)) {
      lane.writes = std::make_unique<model::WriteModel>(build, wanted_);
      lane.writes->Offer([this, &lane](model::StreamBeat& beat) {
        beat = {};
        for (size_t n = 0; n < 8; ++n) {
          beat.data[n] = static_cast<uint8_t>(rng_.Below(256));
          beat.keep[n] = true;
        }
        beat.last = rng_.Chance(0.1);
        lane.to_send.push_back(beat);
        return true;
      });
    } else {
      lane.reads = std::make_unique<model::ReadModel>(build, memory_);
    }
  }
  auto& m = unit_.model();
  m.cell_i = static_cast<uint8_t>(shape.cell);
  m.rst_ni = 0;
  m.push_valid_i = m.list_access_valid_i = m.pop_i = m.ar_ready_i = m.r_valid_i = 0;
  m.aw_ready_i = m.w_ready_i = m.b_valid_i = m.m_ready_i = m.s_valid_i = m.reset_i = 0;
  m.list_r_valid_i = m.list_b_valid_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

void ListEngineBench::Setup() {
  for (uint32_t c = 0; c < lanes_.size(); ++c) {
    const uint64_t list = kList + (uint64_t{c} << 20), done = kDone + (uint64_t{c} << 20);
    accesses_.push_back({c, 0, static_cast<uint32_t>(list)});
    accesses_.push_back({c, 1, static_cast<uint32_t>(list >> 32)});
    accesses_.push_back({c, 2, kPlaces});
    accesses_.push_back({c, 5, 3U | (kPitch / 64 - 1) << 4});
    accesses_.push_back({c, 6, static_cast<uint32_t>(done)});
    accesses_.push_back({c, 7, static_cast<uint32_t>(done >> 32)});
  }
}

void ListEngineBench::Queue(int channel, std::vector<model::Transfer> transfers) {
  Lane& lane = lanes_[static_cast<size_t>(channel)];
  for (size_t n = 0; n < transfers.size(); ++n) {
    model::Transfer& t = transfers[n];
    t.task_end = n + 1 == transfers.size();
    lane.transfers.push_back(t);
    lane.tags.push_back(static_cast<uint32_t>(lane.turns));
    if (Receives(static_cast<size_t>(channel))) {
      lane.records.push_back(*lane.writes->Run(t));
    } else {
      lane.records.push_back(lane.reads->Run(t));
      lane.beats = lane.reads->beats();
    }
  }
  ++lane.turns;
  lane.waiting.push_back({std::move(transfers)});
}

void ListEngineBench::Fail(const std::string& what) {
  if (!failure_.empty()) return;
  failure_ = fmt::format("cycle {}: {}:", cycle_, what);
  for (const Lane& lane : lanes_) {
    failure_ +=
        fmt::format(" [posted {}, recorded {} and entered {} of {}, beats {} of {}]", lane.posted,
                    lane.recorded, lane.entered, lane.records.size(), lane.seen, lane.beats.size());
    if (lane.recorded < lane.transfers.size())
      failure_ += " next: " + model::ToString(lane.transfers[lane.recorded]);
  }
}

std::string ListEngineBench::Run(uint64_t most) {
  const auto done = [&] {
    for (const Lane& lane : lanes_) {
      if (lane.recorded != lane.records.size() || lane.entered != lane.records.size() ||
          lane.seen != lane.beats.size())
        return false;
    }
    return true;
  };
  for (Lane& lane : lanes_) lane.turns = 0;
  while (failure_.empty() && !done()) {
    if (cycle_ > most) Fail("no end");
    Cycle();
  }
  for (int n = 0; n < 50 && failure_.empty(); ++n) Cycle();  // nothing more comes
  for (const auto& [addr, byte] : written_) {
    if (!failure_.empty()) break;
    if (!wanted_.Written(addr)) Fail(fmt::format("a byte at {:#x} is no transfer's", addr));
    if (byte != wanted_.Read(addr)) Fail(fmt::format("the byte at {:#x} is {:#x}", addr, byte));
  }
  return failure_;
}

// A descriptor in the memory of its list.
void ListEngineBench::Describe(size_t channel, size_t number, bool next) {
  native::Descriptor descriptor;
  descriptor.transfer = lanes_[channel].transfers[number];
  if (next) descriptor.next = 0;
  const native::Image image = native::Encode(descriptor);
  const uint64_t first = kList + (static_cast<uint64_t>(channel) << 20) + number % kPlaces * kPitch;
  uint64_t addr = kList + (static_cast<uint64_t>(channel) << 20) + number % kPlaces * kPitch;
  const auto put = [&](const native::Words& words) {
    for (const uint32_t word : words) {
      lists_[addr] = word;
      addr += 4;
    }
  };
  put(image.base);
  if (image.bounds) put(*image.bounds);
  if (image.walk) put(*image.walk);
  if (spoilt_ == std::pair{channel, number}) lists_[first + 60] &= 0x7fffffff;
}

void ListEngineBench::DriveSoftware() {
  auto& m = unit_.model();
  // A turn is posted with one doorbell, and its task pushed, in any order. The preparation first
  // sweeps its RAM.
  for (size_t n = 0, first = rng_.Below(lanes_.size()); n < lanes_.size(); ++n) {
    const size_t c = (first + n) % lanes_.size();
    Lane& lane = lanes_[c];
    if (cycle_ < kSweep || pushing_ || !accesses_.empty() || lane.waiting.empty()) continue;
    const size_t count = lane.waiting.front().transfers.size();
    if (lane.posted + count - lane.recorded >= kPlaces) continue;
    for (size_t k = 0; k < count; ++k) Describe(c, lane.posted + k, k + 1 < count);
    lane.waiting.pop_front();
    lane.posted += count;
    accesses_.push_back(
        {static_cast<uint32_t>(c), 3, static_cast<uint32_t>(lane.posted % kPlaces)});
    pushing_ = c;
  }
  m.list_access_valid_i = !accesses_.empty();
  if (m.list_access_valid_i) {
    m.list_access_channel_i = static_cast<uint8_t>(accesses_.front()[0]);
    m.list_access_word_i = static_cast<uint8_t>(accesses_.front()[1]);
    m.list_access_write_i = 1;
    m.list_access_data_i = accesses_.front()[2];
  }
  m.push_valid_i = pushing_.has_value();
  if (m.push_valid_i) {
    m.push_channel_i = static_cast<uint8_t>(*pushing_);
    m.push_task_i = 1U << 28;
    m.push_tag_i = static_cast<uint32_t>(lanes_[*pushing_].turns);
  }
  m.pop_i = 0;
  for (size_t c = 0; c < lanes_.size() && !reading_; ++c) {
    if (lanes_[c].due == 0) continue;
    reading_ = c;
    word_ = 0;
    record_.clear();
  }
  if (reading_) {
    m.read_channel_i = static_cast<uint8_t>(*reading_);
    m.read_word_i = static_cast<uint8_t>(std::min(word_, kRecordWords - 1));
    m.pop_i = word_ == kRecordWords + 2;
  }
}

void ListEngineBench::Drive() {
  auto& m = unit_.model();
  const auto goes = [&] { return static_cast<int>(rng_.Below(256)) < pace_; };
  DriveSoftware();
  m.ar_ready_i = goes() && reads_.size() < 64;
  if (!m.r_valid_i && !reads_.empty() && reads_.front().ready <= cycle_ && goes()) {
    m.r_valid_i = 1;
    m.r_last_i = reads_.front().words == 1;
    for (size_t n = 0; n < 8; ++n) Bytes(m.r_data_i)[n] = memory_.Read(reads_.front().addr + n);
  }
  m.aw_ready_i = goes();
  m.w_ready_i = goes();
  if (!m.b_valid_i && !responses_.empty() && responses_.front().ready <= cycle_ && goes())
    m.b_valid_i = 1;
  m.list_ar_ready_i = goes();
  if (!m.list_r_valid_i && !list_reads_.empty() && list_reads_.front().ready <= cycle_ && goes()) {
    const Burst& burst = list_reads_.front();
    m.list_r_valid_i = 1;
    m.list_r_data_i = lists_[burst.addr] | uint64_t{lists_[burst.addr + 4]} << 32;
    m.list_r_last_i = burst.words == 1;
  }
  m.list_aw_ready_i = goes();
  m.list_w_ready_i = goes();
  if (!m.list_b_valid_i && !list_responses_.empty() && list_responses_.front().ready <= cycle_ &&
      goes())
    m.list_b_valid_i = 1;
  m.m_ready_i = 0;
  for (size_t c = 0; c < static_cast<size_t>(shape_.pairs); ++c) {
    if (goes()) m.m_ready_i = static_cast<uint8_t>(m.m_ready_i | 1U << c);
    const Lane& lane = lanes_[c + static_cast<size_t>(shape_.pairs)];
    if (offered_ >> c & 1 || lane.to_send.empty() || !goes()) continue;
    const model::StreamBeat& beat = lane.to_send.front();
    offered_ |= 1U << c;
    for (size_t n = 0; n < 8; ++n) Bytes(m.s_data_i)[8 * c + n] = beat.data[n];
    Bytes(m.s_keep_i)[c] = static_cast<uint8_t>(beat.keep.to_ullong() & 0xff);
    m.s_last_i = static_cast<uint8_t>((m.s_last_i & ~(1U << c)) | (beat.last ? 1U << c : 0));
  }
  m.s_valid_i = static_cast<uint8_t>(offered_);
}

void ListEngineBench::SampleSoftware() {
  auto& m = unit_.model();
  if (m.list_access_valid_i && m.list_access_ready_o) {
    if (m.list_access_error_o)
      Fail(fmt::format("channel {}: word {} is refused", accesses_.front()[0],
                       accesses_.front()[1]));
    accesses_.pop_front();
  }
  if (m.push_valid_i && m.push_ready_o) {
    ++lanes_[*pushing_].turns;
    pushing_.reset();
  }
  if (m.event_refused_o) Fail("a refused descriptor of a list is an event");
  if (m.refusal_valid_o && spoilt_ && !refusal) {
    refusal = Refusal{m.refusal_channel_o, m.refusal_index_o, m.refusal_reason_o, m.refusal_addr_o,
                      m.refusal_entry_o != 0};
  } else if (m.refusal_valid_o)
    Fail(fmt::format("channel {}: reason {}", m.refusal_channel_o, m.refusal_reason_o));
  if (m.event_record_o) ++lanes_[m.event_channel_o].due;
  if (!reading_) return;
  if (word_ >= 2 && word_ < kRecordWords + 2) record_.push_back(m.read_o);
  if (m.pop_i) {
    Lane& lane = lanes_[*reading_];
    --lane.due;
    if (lane.recorded == lane.records.size()) return Fail("a record too many");
    const model::Record& expected = lane.records[lane.recorded];
    const uint64_t bytes = record_[1] | uint64_t{record_[2]} << 32;
    const uint32_t status = (expected.overlong ? 4U : 0) | (expected.partial_element ? 8U : 0);
    const bool end = lane.transfers[lane.recorded].task_end;
    if (bytes != expected.bytes || (record_[0] >> 16 & 127) != status ||
        (record_[0] & 255) != lane.recorded % kPlaces ||
        (record_[0] >> 29 & 1) != (end ? 1U : 0U) || record_[5] != lane.tags[lane.recorded]) {
      Fail(
          fmt::format("channel {}, transfer {}: record {:#x}, {} bytes, tag {}; expected {} bytes, "
                      "status {}, tag {}",
                      *reading_, lane.recorded, record_[0], bytes, record_[5], expected.bytes,
                      status, lane.tags[lane.recorded]));
    }
    ++lane.recorded;
    recorded_at.push_back(cycle_);
  }
  // A read sees the pop two cycles later.
  if (word_ == kRecordWords + 3) reading_.reset();
  ++word_;
}

void ListEngineBench::SampleMemory() {
  auto& m = unit_.model();
  if (m.r_valid_i && m.r_ready_o) {
    ++words_;
    m.r_valid_i = 0;
    reads_.front().addr += 8;
    if (--reads_.front().words == 0) reads_.pop_front();
  }
  if (m.ar_ready_i && m.ar_valid_o)
    reads_.push_back({m.ar_addr_o, m.ar_len_o + 1, cycle_ + static_cast<uint64_t>(latency_)});
  if (m.ar_valid_o && !first_burst_) first_burst_ = cycle_;
  if (m.b_valid_i && m.b_ready_o) {
    m.b_valid_i = 0;
    responses_.pop_front();
  }
  if (m.w_ready_i && m.w_valid_o) {
    ++words_;
    early_.push_back({m.w_data_o, m.w_strobe_o, m.w_last_o != 0});
  }
  if (m.aw_ready_i && m.aw_valid_o) writes_.push_back({m.aw_addr_o, m.aw_len_o + 1, 0});
  while (!early_.empty() && !writes_.empty()) {
    const Word& word = early_.front();
    Burst& burst = writes_.front();
    for (size_t n = 0; n < 8; ++n) {
      if (word.strobe >> n & 1)
        written_[burst.addr + static_cast<uint64_t>(8 * at_) + n] =
            static_cast<uint8_t>(word.data >> (8 * n));
    }
    const bool ends = ++at_ == burst.words;
    if (ends != word.last) return Fail(fmt::format("WLAST is {} at {:#x}", word.last, burst.addr));
    early_.pop_front();
    if (!ends) continue;
    burst.ready = cycle_ + static_cast<uint64_t>(latency_);
    responses_.push_back(burst);
    writes_.pop_front();
    at_ = 0;
  }
}

// Fetches, and entries in the order of the transfers.
void ListEngineBench::SampleLists() {
  auto& m = unit_.model();
  if (m.list_r_valid_i && m.list_r_ready_o) {
    m.list_r_valid_i = 0;
    list_reads_.front().addr += 8;
    if (--list_reads_.front().words == 0) {
      if (!first_descriptor_) first_descriptor_ = cycle_;
      list_reads_.pop_front();
    }
  }
  if (m.list_ar_ready_i && m.list_ar_valid_o)
    list_reads_.push_back({m.list_ar_addr_o, 8, cycle_ + static_cast<uint64_t>(latency_)});
  if (m.list_b_valid_i && m.list_b_ready_o) {
    m.list_b_valid_i = 0;
    list_responses_.pop_front();
  }
  if (m.list_w_valid_o && m.list_w_ready_i) list_words_.push_back(m.list_w_data_o);
  if (m.list_aw_valid_o && m.list_aw_ready_i) list_writes_.push_back({m.list_aw_addr_o, 2, 0});
  if (list_words_.size() < 2 || list_writes_.empty()) return;
  const uint64_t addr = list_writes_.front().addr, low = list_words_[0], high = list_words_[1];
  list_words_.erase(list_words_.begin(), list_words_.begin() + 2);
  list_writes_.pop_front();
  list_responses_.push_back({addr, 0, cycle_ + static_cast<uint64_t>(latency_)});
  const size_t c = (addr - kDone) >> 20;
  if (addr < kDone || c >= lanes_.size()) return Fail(fmt::format("an entry at {:#x}", addr));
  Lane& lane = lanes_[c];
  const size_t n = lane.entered++;
  if (n >= lane.records.size()) return Fail("an entry too many");
  const model::Record& expected = lane.records[n];
  const uint64_t bytes = (low >> 32 | high << 32) & 0xffffffffffff;
  const uint64_t phase = n / kPlaces % 2 == 0 ? 1 : 0;
  const uint64_t status = (expected.overlong ? 4U : 0) | (expected.partial_element ? 8U : 0);
  if ((addr & 0xfffff) != n % kPlaces * 16 || (low & 0xffffffff) != lane.tags[n] ||
      bytes != expected.bytes || (high >> 16 & 0xffff) != n % kPlaces ||
      (high >> 32 & 127) != status || (high >> 41 & 1) != (lane.transfers[n].task_end ? 1U : 0U) ||
      high >> 63 != phase)
    Fail(fmt::format("channel {}, transfer {}: entry {:#x} {:#x} at {:#x}", c, n, low, high, addr));
}

void ListEngineBench::SampleStreams() {
  auto& m = unit_.model();
  for (size_t c = 0; c < static_cast<size_t>(shape_.pairs); ++c) {
    if (offered_ >> c & 1 && m.s_ready_o >> c & 1) {
      offered_ &= ~(1U << c);
      lanes_[c + static_cast<size_t>(shape_.pairs)].to_send.pop_front();
    }
    if (!(m.m_valid_o >> c & 1) || !(m.m_ready_i >> c & 1)) continue;
    Lane& lane = lanes_[c];
    if (lane.seen == lane.beats.size()) return Fail(fmt::format("channel {}: a beat too many", c));
    const model::StreamBeat& expected = lane.beats[lane.seen++];
    for (size_t n = 0; n < 8; ++n) {
      const bool keep = Bytes(m.m_keep_o)[c] >> n & 1;
      if (keep != expected.keep[n] || (keep && Bytes(m.m_data_o)[8 * c + n] != expected.data[n]))
        return Fail(fmt::format("channel {}, beat {}, lane {}", c, lane.seen - 1, n));
    }
    if ((m.m_last_o >> c & 1) != (expected.last ? 1 : 0))
      return Fail(fmt::format("channel {}, beat {}: TLAST", c, lane.seen - 1));
  }
}

void ListEngineBench::Sample() {
  SampleSoftware();
  SampleMemory();
  SampleLists();
  SampleStreams();
}

void ListEngineBench::Cycle() {
  auto& m = unit_.model();
  m.clk_i = 0;
  Drive();
  unit_.Evaluate();
  // What is taken stays until the edge.
  const bool r = m.r_valid_i, b = m.b_valid_i, lr = m.list_r_valid_i, lb = m.list_b_valid_i;
  Sample();
  const bool r_next = m.r_valid_i, b_next = m.b_valid_i, lr_next = m.list_r_valid_i,
             lb_next = m.list_b_valid_i;
  m.r_valid_i = r;
  m.b_valid_i = b;
  m.list_r_valid_i = lr;
  m.list_b_valid_i = lb;
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  m.r_valid_i = r_next;
  m.b_valid_i = b_next;
  m.list_r_valid_i = lr_next;
  m.list_b_valid_i = lb_next;
  ++cycle_;
}

}  // namespace tessera::list
