// See dma_engine_bench.h.
#include "tests/program/dma_engine_bench.h"

#include <fmt/format.h>

#include "tb/dma/native.h"
#include "tests/core/pins.h"

namespace tessera {
namespace {

constexpr size_t kHalf = 4;
constexpr int kRecordWords = 10;

}  // namespace

EngineBench::EngineBench(const EngineShape& shape, uint64_t seed, int pace, int latency)
    : shape_(shape),
      rng_(Rng(seed).Stream("engine")),
      pace_(pace),
      latency_(latency),
      unit_(seed),
      lanes_(static_cast<size_t>(2 * shape.pairs)),
      descriptors_(16 / (2 * shape.pairs)) {
  model::Build build;
  build.addr_width = shape.addr_width;
  build.walk = shape.walk;
  build.bounds = shape.bounds;
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
  m.rst_ni = 0;
  m.push_valid_i = m.access_valid_i = m.pop_i = m.ar_ready_i = m.r_valid_i = 0;
  m.aw_ready_i = m.w_ready_i = m.b_valid_i = m.m_ready_i = m.s_valid_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

void EngineBench::Queue(int channel, const model::Transfer& transfer) {
  Lane& lane = lanes_[static_cast<size_t>(channel)];
  lane.waiting.push_back(transfer);
  lane.transfers.push_back(transfer);
  if (Receives(static_cast<size_t>(channel))) {
    lane.records.push_back(*lane.writes->Run(transfer));
  } else {
    lane.records.push_back(lane.reads->Run(transfer));
    lane.beats = lane.reads->beats();
  }
}

void EngineBench::Fail(const std::string& what) {
  if (!failure_.empty()) return;
  failure_ = fmt::format("cycle {}: {}:", cycle_, what);
  for (const Lane& lane : lanes_) {
    failure_ += fmt::format(" [pushed {}, recorded {} of {}, beats {} of {}, to send {}]",
                            lane.pushed, lane.recorded, lane.records.size(), lane.seen,
                            lane.beats.size(), lane.to_send.size());
    if (lane.recorded < lane.transfers.size())
      failure_ += " next: " + model::ToString(lane.transfers[lane.recorded]);
  }
}

std::string EngineBench::Run(uint64_t most) {
  const auto done = [&] {
    for (const Lane& lane : lanes_) {
      if (lane.recorded != lane.records.size() || lane.seen != lane.beats.size()) return false;
    }
    return true;
  };
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

// Descriptors, pushes, records: each goes on while the others do.
void EngineBench::DriveSoftware() {
  auto& m = unit_.model();
  for (size_t n = 0, first = rng_.Below(lanes_.size()); n < lanes_.size(); ++n) {
    const size_t c = (first + n) % lanes_.size();
    Lane& lane = lanes_[c];
    if (pushing_ || !accesses_.empty() || lane.waiting.empty() ||
        lane.pushed - lane.recorded >= static_cast<size_t>(descriptors_))
      continue;
    native::Descriptor descriptor;
    descriptor.transfer = lane.waiting.front();
    lane.waiting.pop_front();
    const int number =
        static_cast<int>(c) * descriptors_ + static_cast<int>(lane.pushed) % descriptors_;
    const native::Image image = native::Encode(descriptor);
    const auto write = [&](int area, const native::Words& words, int count) {
      for (int w = 0; w < count; ++w)
        accesses_.push_back({area, number, w, words[static_cast<size_t>(w)]});
    };
    if (image.bounds) {
      for (const int w : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15})
        accesses_.push_back({1, number, w, (*image.bounds)[static_cast<size_t>(w)]});
    }
    if (image.walk) write(2, *image.walk, 9);
    write(0, image.base, 16);
    pushing_ = c;
  }
  m.access_valid_i = !accesses_.empty();
  if (m.access_valid_i) {
    const Access& access = accesses_.front();
    m.access_area_i = static_cast<uint8_t>(access.area);
    m.access_descriptor_i = static_cast<uint8_t>(access.descriptor);
    m.access_word_i = static_cast<uint8_t>(access.word);
    m.access_data_i = access.data;
  }
  m.push_valid_i = pushing_ && accesses_.empty();
  if (m.push_valid_i) {
    m.push_channel_i = static_cast<uint8_t>(*pushing_);
    m.push_start_i =
        static_cast<uint8_t>(static_cast<int>(*pushing_) * descriptors_ +
                             static_cast<int>(lanes_[*pushing_].pushed) % descriptors_);
    m.push_repeats_i = 0;
    m.push_tag_i = static_cast<uint32_t>(lanes_[*pushing_].pushed);
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

void EngineBench::Drive() {
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

void EngineBench::SampleSoftware() {
  auto& m = unit_.model();
  const auto cell = static_cast<size_t>(shape_.cell);
  if (m.access_valid_i && Bit(m.access_ready_o, cell)) {
    if (Bit(m.access_error_o, cell)) {
      const Access& access = accesses_.front();
      Fail(fmt::format("word {} of area {} is refused", access.word, access.area));
    }
    accesses_.pop_front();
  }
  if (m.push_valid_i && Bit(m.push_ready_o, cell)) {
    if (!first_push_) first_push_ = cycle_;
    ++lanes_[*pushing_].pushed;
    pushing_.reset();
  }
  if (Bit(m.event_record_o, cell)) {
    const auto c = static_cast<size_t>(m.event_channel_o >> (5 * cell) & 31);
    ++lanes_[c].due;
  }
  if (!reading_) return;
  if (word_ >= 2 && word_ < kRecordWords + 2)
    record_.push_back(reinterpret_cast<const uint32_t*>(&m.read_o)[cell]);
  if (m.pop_i) {
    Lane& lane = lanes_[*reading_];
    --lane.due;
    if (lane.recorded == lane.records.size()) return Fail("a record too many");
    const model::Record& expected = lane.records[lane.recorded];
    const uint64_t bytes = record_[1] | uint64_t{record_[2]} << 32;
    int status = 0;
    if (expected.overlong) status |= 4;
    if (expected.partial_element) status |= 8;
    if (bytes != expected.bytes || static_cast<int>(record_[0] >> 16 & 127) != status ||
        record_[5] != lane.recorded) {
      Fail(
          fmt::format("channel {}, transfer {}: record {:#x}, {} bytes, tag {}; expected {} bytes, "
                      "status {}: {}",
                      *reading_, lane.recorded, record_[0], bytes, record_[5], expected.bytes,
                      status, model::ToString(lane.transfers[lane.recorded])));
    }
    ++lane.recorded;
  }
  // A read sees the pop two cycles later.
  if (word_ == kRecordWords + 3) reading_.reset();
  ++word_;
}

void EngineBench::SampleMemory() {
  auto& m = unit_.model();
  const auto cell = static_cast<size_t>(shape_.cell);
  if (m.r_valid_i && Bit(m.r_ready_o, cell)) {
    ++words_;
    m.r_valid_i = 0;
    reads_.front().addr += 8;
    if (--reads_.front().words == 0) reads_.pop_front();
  }
  if (m.ar_ready_i && Bit(m.ar_valid_o, cell)) {
    if (!first_burst_) first_burst_ = cycle_;
    reads_.push_back({Words(m.ar_addr_o)[cell], Bytes(m.ar_len_o)[cell] + 1,
                      cycle_ + static_cast<uint64_t>(latency_)});
  }
  if (m.b_valid_i && Bit(m.b_ready_o, cell)) {
    m.b_valid_i = 0;
    responses_.pop_front();
  }
  if (m.w_ready_i && Bit(m.w_valid_o, cell)) {
    ++words_;
    early_.push_back({Words(m.w_data_o)[cell], Bytes(m.w_strobe_o)[cell], Bit(m.w_last_o, cell)});
  }
  if (m.aw_ready_i && Bit(m.aw_valid_o, cell)) {
    if (!first_burst_) first_burst_ = cycle_;
    writes_.push_back({Words(m.aw_addr_o)[cell], Bytes(m.aw_len_o)[cell] + 1, 0});
  }
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

void EngineBench::SampleStreams() {
  auto& m = unit_.model();
  const auto cell = static_cast<size_t>(shape_.cell);
  for (size_t c = 0; c < static_cast<size_t>(shape_.pairs); ++c) {
    const size_t at = kHalf * cell + c;
    if (offered_ >> c & 1 && Bit(m.s_ready_o, at)) {
      offered_ &= ~(1U << c);
      lanes_[c + static_cast<size_t>(shape_.pairs)].to_send.pop_front();
    }
    if (!Bit(m.m_valid_o, at) || !(m.m_ready_i >> c & 1)) continue;
    Lane& lane = lanes_[c];
    if (lane.seen == lane.beats.size()) return Fail(fmt::format("channel {}: a beat too many", c));
    const model::StreamBeat& expected = lane.beats[lane.seen++];
    for (size_t n = 0; n < 8; ++n) {
      const bool keep = Bytes(m.m_keep_o)[at] >> n & 1;
      if (keep != expected.keep[n] || (keep && Bytes(m.m_data_o)[8 * at + n] != expected.data[n]))
        return Fail(fmt::format("channel {}, beat {}, lane {}", c, lane.seen - 1, n));
    }
    if (Bit(m.m_last_o, at) != expected.last)
      return Fail(fmt::format("channel {}, beat {}: TLAST", c, lane.seen - 1));
  }
}

void EngineBench::Sample() {
  SampleSoftware();
  SampleMemory();
  SampleStreams();
}

void EngineBench::Cycle() {
  auto& m = unit_.model();
  m.clk_i = 0;
  Drive();
  unit_.Evaluate();
  const bool r = m.r_valid_i, b = m.b_valid_i;
  Sample();
  const bool r_next = m.r_valid_i, b_next = m.b_valid_i;
  m.r_valid_i = r;
  m.b_valid_i = b;
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  m.r_valid_i = r_next;
  m.b_valid_i = b_next;
  ++cycle_;
}

}  // namespace tessera
