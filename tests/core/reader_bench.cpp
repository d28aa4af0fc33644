// See reader_bench.h.
#include "tests/core/reader_bench.h"

#include <fmt/format.h>

#include <memory>

#include "tests/core/pins.h"

namespace tessera {
namespace {

constexpr size_t kMostBytes = 64, kMostChannels = 16;

model::Build BuildOf(const ReaderShape& shape) {
  model::Build build;
  build.addr_width = shape.addr_width;
  build.data_bytes = build.stream_bytes = shape.bytes;
  return build;
}

}  // namespace

ReaderBench::ReaderBench(const ReaderShape& shape, uint64_t seed, ReaderPace pace,
                         std::vector<model::ErrorRange> errors)
    : shape_(shape),
      rng_(Rng(seed).Stream("reader")),
      pace_(pace),
      errors_(std::move(errors)),
      unit_(seed),
      lanes_(static_cast<size_t>(shape.channels)),
      feeder_(shape.channels, shape.slots),
      weights_(static_cast<size_t>(shape.channels), 1) {
  for (Lane& lane : lanes_) {
    lane.model = std::make_unique<model::ReadModel>(BuildOf(shape), memory_, errors_);
  }
  auto& m = unit_.model();
  m.rst_ni = 0;
  m.word_valid_i = m.go_valid_i = m.r_valid_i = m.ar_ready_i = m.end_ready_i = 0;
  m.ready_i = 0;
  m.pause_i = 0;
  m.abort_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

void ReaderBench::Queue(int channel, const model::Transfer& transfer) {
  Lane& lane = lanes_[static_cast<size_t>(channel)];
  feeder_.Queue(channel, MakeContexts(transfer, BuildOf(shape_)));
  lane.records.push_back(lane.model->Run(transfer));
  lane.beats.insert(lane.beats.end(), lane.model->beats().begin(), lane.model->beats().end());
  for (const model::Origin& origin : lane.model->origins()) lane.origins.push_back(origin.first);
  lane.transfers.push_back(transfer);
  const uint64_t bytes = lane.records.back().bytes;
  lane.ends.push_back(bytes + (lane.ends.empty() ? 0 : lane.ends.back()));
  while (lane.before.size() < lane.beats.size()) {
    const size_t n = lane.before.size();
    lane.before.push_back(n == 0 ? 0 : lane.before[n - 1] + lane.beats[n - 1].keep.count());
  }
  lane.model->Forget();
}

std::string ReaderBench::Origin(const Lane& lane) const {
  const size_t n = lane.origins[lane.seen - 1];
  return fmt::format("transfer {}: {}", n, model::ToString(lane.transfers[n]));
}

bool ReaderBench::done() const {
  for (size_t c = 0; c < lanes_.size(); ++c) {
    const Lane& lane = lanes_[c];
    if (pace_.dead >> c & 1) continue;
    if (lane.ended != lane.records.size() || lane.seen != lane.beats.size()) return false;
  }
  return true;
}

std::string ReaderBench::State() const {
  std::string text = fmt::format("cycle {}:", cycle_);
  for (size_t c = 0; c < lanes_.size(); ++c) {
    const Lane& lane = lanes_[c];
    text += fmt::format(" [{}: beats {} of {}, started {}, ended {} of {}, slots {}]", c, lane.seen,
                        lane.beats.size(), feeder_.started(c), lane.ended, lane.records.size(),
                        feeder_.free(c));
  }
  return text + fmt::format(" {} bursts in flight", reads_.size());
}

void ReaderBench::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{} ({})", what, State());
}

std::string ReaderBench::Run(uint64_t most) {
  const uint64_t begun = cycle_;
  while (failure_.empty() && !done()) {
    if (cycle_ - begun > most) Fail("no end");
    Cycle();
  }
  for (int n = 0; n < 50 && failure_.empty(); ++n) Cycle();  // nothing more comes
  return failure_;
}

std::string ReaderBench::Cycles(uint64_t cycles) {
  for (uint64_t n = 0; n < cycles && failure_.empty(); ++n) Cycle();
  return failure_;
}

void ReaderBench::Drive() {
  auto& m = unit_.model();
  const auto goes = [&](int pace) { return static_cast<int>(rng_.Below(256)) < pace; };
  const bool starts = feeder_.Drive(m, rng_, goes(pace_.word), 16, [this](size_t c) {
    return lanes_[c].aborts ? std::nullopt : std::optional(lanes_[c].ended);
  });
  if (starts && !first_go_) first_go_ = cycle_;
  for (size_t c = 0; c < lanes_.size(); ++c) {
    Bytes(m.weight_i)[c / 2] = static_cast<uint8_t>(
        (Bytes(m.weight_i)[c / 2] & ~(15 << (c % 2 * 4))) | weights_[c] << (c % 2 * 4));
    if (pace_.pause != 0 && static_cast<int>(rng_.Below(4096)) < pace_.pause) paused_ ^= 1U << c;
  }
  m.pause_i = static_cast<uint16_t>(paused_);
  for (size_t c = 0; c < lanes_.size(); ++c) {
    Lane& lane = lanes_[c];
    if (!lane.aborts && static_cast<int>(rng_.Below(4096)) < pace_.abort && !feeder_.writing(c))
      lane.aborts = true;
    m.abort_i = static_cast<uint16_t>((m.abort_i & ~(1U << c)) | (lane.aborts ? 1U << c : 0));
  }
  m.ar_ready_i = goes(pace_.ar) && reads_.size() < 64;
  if (!m.r_valid_i && !reads_.empty() && reads_.front().ready <= cycle_ && goes(pace_.r)) {
    const Burst& burst = reads_.front();
    m.r_valid_i = 1;
    m.r_resp_i = 0;
    for (int n = 0; n < shape_.bytes; ++n) {
      const uint64_t at = burst.addr + static_cast<uint64_t>(n);
      Bytes(m.r_data_i)[n] = memory_.Read(at);
      for (const model::ErrorRange& error : errors_) {
        if (at >= error.first && at <= error.last) m.r_resp_i = error.decerr ? 3 : 2;
      }
    }
  }
  uint16_t ready = 0;
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (!(pace_.dead >> c & 1) && goes(pace_.stream))
      ready = static_cast<uint16_t>(ready | 1U << c);
  }
  m.ready_i = ready;
  m.end_ready_i = goes(pace_.end);
}

void ReaderBench::Sample() {
  auto& m = unit_.model();
  const auto cell = static_cast<size_t>(shape_.cell);
  if (Bit(m.freed_o, cell)) {
    const int channel = Bytes(m.freed_channel_o)[cell / 2] >> (cell % 2 * 4) & 15;
    if (!feeder_.Free(static_cast<size_t>(channel)))
      Fail(fmt::format("channel {}: a slot is freed that is free", channel));
  }
  if (m.end_ready_i && Bit(m.end_valid_o, cell)) {
    const uint8_t status = Bytes(m.end_status_o)[cell];
    Lane& lane = lanes_[status & 15];
    if (lane.ended == feeder_.started(status & 15))
      return Fail(fmt::format("channel {}: an end too many", status & 15));
    const model::Record& expected = lane.records[lane.ended++];
    if (status >> 6 & 1) {
      if (!lane.aborts) Fail(fmt::format("channel {}: an end is aborted", status & 15));
      if (Words(m.end_o)[2 * cell] > expected.bytes)
        Fail(fmt::format("channel {}: more bytes than the transfer has", status & 15));
    }
    const uint64_t bytes = Words(m.end_o)[2 * cell];
    const uint64_t addr = status >> 4 & 3 ? Words(m.end_o)[2 * cell + 1] : 0;
    const bool aborted = status >> 6 & 1;
    if (!aborted && (bytes != expected.bytes || (status >> 4 & 1) != expected.slverr ||
                     (status >> 5 & 1) != expected.decerr || addr != expected.addr)) {
      Fail(
          fmt::format("channel {}, transfer {}: {} bytes, slverr {}, decerr {}, address {:#x}; "
                      "expected {}, {}, {}, {:#x}",
                      status & 15, lane.ended - 1, bytes, status >> 4 & 1, status >> 5 & 1, addr,
                      expected.bytes, expected.slverr, expected.decerr, expected.addr));
    }
  }
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (!Bit(m.valid_o, kMostChannels * cell + c) || !(m.ready_i >> c & 1)) continue;
    Lane& lane = lanes_[c];
    if (lane.aborts && lane.open && Bit(m.last_o, kMostChannels * cell + c) &&
        !Bit(m.keep_o, (kMostChannels * cell + c) * kMostBytes)) {
      lane.open = false;  // closed by the abort
      continue;
    }
    if (lane.seen == lane.beats.size()) return Fail(fmt::format("channel {}: a beat too many", c));
    lane.open = !Bit(m.last_o, kMostChannels * cell + c);
    const model::StreamBeat& expected = lane.beats[lane.seen++];
    const uint8_t* data = Bytes(m.data_o) + (kMostChannels * cell + c) * kMostBytes;
    for (size_t n = 0; n < static_cast<size_t>(shape_.bytes); ++n) {
      const bool keep = Bit(m.keep_o, (kMostChannels * cell + c) * kMostBytes + n);
      if (keep != expected.keep[n] || (keep && data[n] != expected.data[n])) {
        return Fail(
            fmt::format("channel {}, beat {}, lane {}: keep {}, byte {:#x}; expected {}, {:#x}", c,
                        lane.seen - 1, n, keep, data[n], static_cast<bool>(expected.keep[n]),
                        expected.data[n]) +
            Origin(lane));
      }
    }
    if (Bit(m.last_o, kMostChannels * cell + c) != expected.last) {
      return Fail(
          fmt::format("channel {}, beat {}: TLAST is {}", c, lane.seen - 1, !expected.last) +
          Origin(lane));
    }
    CheckOwners(c);
  }
  if (m.r_valid_i && Bit(m.r_ready_o, cell)) {
    ++words_;
    m.r_valid_i = 0;
    Burst& burst = reads_.front();
    burst.addr += static_cast<uint64_t>(shape_.bytes);
    if (--burst.words == 0) reads_.pop_front();
  }
  if (m.ar_ready_i && Bit(m.ar_valid_o, cell)) {
    if (!first_ar_) first_ar_ = cycle_;
    const uint64_t addr = Words(m.ar_addr_o)[cell];
    const int words = Bytes(m.ar_len_o)[cell] + 1;
    const uint64_t last = addr + static_cast<uint64_t>(words * shape_.bytes) - 1;
    if (addr % static_cast<uint64_t>(shape_.bytes) != 0 || addr >> 12 != last >> 12 ||
        words > shape_.max_burst) {
      return Fail(fmt::format("burst of {} words at {:#x}", words, addr));
    }
    reads_.push_back({addr, words, cycle_ + static_cast<uint64_t>(pace_.latency)});
    ++bursts_;
  }
}

// Each part of the beat that was seen last is of the transfer of its last byte, or of an empty one
// behind that.
void ReaderBench::CheckOwners(size_t c) {
  const Lane& lane = lanes_[c];
  const size_t beat = lane.seen - 1;
  const auto width = static_cast<size_t>(shape_.bytes / shape_.parts);
  uint64_t bytes = lane.before[beat];
  for (size_t part = 0; part < static_cast<size_t>(shape_.parts); ++part) {
    const uint64_t begun = bytes;
    for (size_t n = 0; n < width; ++n) bytes += lane.beats[beat].keep[part * width + n];
    if (bytes == begun) continue;
    size_t owner = 0;
    while (lane.ends[owner] < bytes) ++owner;
    const size_t at = (static_cast<size_t>(shape_.cell) * kMostChannels + c) * 8 + part;
    const auto is = static_cast<size_t>(Bytes(unit_.model().owner_o)[at / 2] >> (at % 2 * 4) & 15);
    bool good = is == owner % 16;
    for (size_t k = owner + 1; !good && k < lane.ends.size() && lane.ends[k] == bytes; ++k)
      good = is == k % 16;
    if (good) continue;
    return Fail(fmt::format("channel {}, beat {}, part {} is of transfer {}, expected {}", c, beat,
                            part, is, owner % 16));
  }
}

// Ends an abort when nothing of the channel is left.
void ReaderBench::EndAbort(size_t c) {
  Lane& lane = lanes_[c];
  if (lane.ended != feeder_.started(c) || feeder_.in_transfer(c) ||
      Bit(unit_.model().busy_o, kMostChannels * static_cast<size_t>(shape_.cell) + c)) {
    lane.quiet = 0;
    return;
  }
  if (++lane.quiet < 6) return;
  lane.aborts = false;
  if (lane.open && pace_.closes) Fail(fmt::format("channel {}: a packet is left open", c));
  lane.open = false;
  while (lane.seen < lane.beats.size() && lane.origins[lane.seen] < lane.ended) ++lane.seen;
}

void ReaderBench::Cycle() {
  auto& m = unit_.model();
  m.clk_i = 0;
  Drive();
  unit_.Evaluate();
  const bool offered = m.r_valid_i;
  Sample();
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (lanes_[c].aborts) EndAbort(c);
  }
  const bool offered_still = m.r_valid_i;
  m.r_valid_i = offered;
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  m.r_valid_i = offered_still;
  ++cycle_;
}

}  // namespace tessera
