// See writer_bench.h.
#include "tests/core/writer_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/model/walk.h"
#include "tests/core/pins.h"

namespace tessera {
namespace {

constexpr size_t kMostBytes = 64, kMostChannels = 16;

model::Build BuildOf(const WriterShape& shape) {
  model::Build build;
  build.addr_width = shape.addr_width;
  build.data_bytes = build.stream_bytes = shape.bytes;
  return build;
}

}  // namespace

WriterBench::WriterBench(const WriterShape& shape, uint64_t seed, WriterPace pace,
                         std::optional<model::ErrorRange> error)
    : shape_(shape),
      rng_(Rng(seed).Stream("writer")),
      beat_rng_(Rng(seed).Stream("beats")),
      side_rng_(Rng(seed).Stream("sides")),
      pace_(pace),
      error_(error),
      unit_(seed),
      lanes_(static_cast<size_t>(shape.channels)),
      feeder_(shape.channels, shape.slots),
      weights_(static_cast<size_t>(shape.channels), 1) {
  for (Lane& lane : lanes_) {
    lane.model = std::make_unique<model::WriteModel>(BuildOf(shape), wanted_);
    lane.model->Offer([this, &lane](model::StreamBeat& beat) { return Draw(lane, beat); });
  }
  auto& m = unit_.model();
  m.rst_ni = 0;
  m.word_valid_i = m.go_valid_i = m.b_valid_i = m.aw_ready_i = m.w_ready_i = m.end_ready_i = 0;
  m.valid_i = 0;
  m.pause_i = m.abort_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

// The next beat of a stream, when the model asks for one.
bool WriterBench::Draw(Lane& lane, model::StreamBeat& beat) {
  const auto chance = [&](int of) { return static_cast<int>(beat_rng_.Below(256)) < of; };
  const auto bytes = static_cast<size_t>(shape_.bytes);
  beat = {};
  for (size_t n = 0; n < bytes; ++n) {
    beat.data[n] = static_cast<uint8_t>(beat_rng_.Below(256));
    beat.keep[n] = true;
  }
  beat.last = chance(lane.kind.last);
  if (chance(lane.kind.null)) {
    beat.keep.reset();
  } else if (beat.last ? chance(lane.kind.partial) : chance(lane.kind.sparse)) {
    if (beat_rng_.Chance(0.5)) {
      for (size_t n = beat_rng_.Between(1, bytes - 1); n < bytes; ++n) beat.keep[n] = false;
    } else {
      for (size_t n = 0; n < bytes; ++n) beat.keep[n] = beat_rng_.Chance(0.6);
    }
  }
  for (size_t n = 0; n < bytes; ++n) {
    if (!beat.keep[n]) beat.data[n] = 0;
  }
  std::array<uint32_t, 8> sides{};
  for (uint32_t& side : sides) side = static_cast<uint32_t>(side_rng_.Below(1ULL << 32));
  const size_t width = bytes / static_cast<size_t>(shape_.parts);
  for (size_t n = 0; n < bytes; ++n) {
    if (beat.keep[n]) lane.units.push_back({sides[n / width], false, false});
  }
  if (beat.last && beat.keep.none()) lane.units.push_back({sides[0], true, true});
  if (beat.last) lane.units.back().last = true;
  lane.beat_sides.push_back(sides);
  lane.beats.push_back(beat);
  lane.transfer_of.push_back(lane.records.size());
  return true;
}

// What the transfer uses of the stream. Where it is full, the end of its packet may be its own or
// not.
void WriterBench::ExpectSide(Lane& lane, const model::Transfer& transfer,
                             const model::Record& record) {
  const auto skip = [&lane](uint64_t bytes) {
    Unit unit;
    while (bytes > 0) {
      unit = lane.units.front();
      lane.units.pop_front();
      if (!unit.null) --bytes;
    }
    return unit;
  };
  std::vector<uint32_t> sides;
  Unit at = skip(record.bytes);
  if (record.bytes > 0) sides = {at.side};
  if (record.bytes == 0 && pace_.abort == 0) sides = lane.last_sides;
  if (transfer.finish == model::Finish::kLast && record.last) {
    if (record.dropped > 0) at = skip(record.dropped);
    if (!at.last) {
      at = lane.units.front();
      lane.units.pop_front();
      if (!at.null) Fail("the bench has lost the end of a packet");
      if (record.bytes == 0) sides.clear();
      if (record.dropped == 0) sides.push_back(at.side);
    }
  }
  if (!sides.empty()) lane.last_sides = sides;
  lane.sides.push_back(sides);
}

void WriterBench::Queue(int channel, const model::Transfer& transfer, const StreamKind& kind) {
  Lane& lane = lanes_[static_cast<size_t>(channel)];
  lane.kind = kind;
  feeder_.Queue(channel, MakeContexts(transfer, BuildOf(shape_), true));
  model::Record record = *lane.model->Run(transfer);
  Expect(static_cast<size_t>(channel), transfer, record);
  record.partial_element = false;  // is not the engine's
  ExpectSide(lane, transfer, record);
  lane.records.push_back(record);
  lane.transfers.push_back(transfer);
}

// Which bytes the transfer writes, and the first of them where the memory answers with an error.
void WriterBench::Expect(size_t channel, const model::Transfer& transfer, model::Record& record) {
  uint64_t left = record.bytes;
  const auto elem = static_cast<uint64_t>(transfer.elem);
  const uint64_t mask = BuildOf(shape_).AddressMask();
  if (left == 0) return;
  model::WalkRuns(transfer, BuildOf(shape_), true, [&](const model::Position& p, uint64_t run) {
    for (uint64_t n = 0; n < run * elem && left > 0; ++n, --left) {
      if (!p.valid) continue;
      const uint64_t addr = (p.addr + n) & mask;
      const auto number = lanes_[channel].records.size();
      const auto [at, fresh] = owner_.try_emplace(addr, static_cast<int>(channel), number, false);
      if (!fresh && at->second.channel != static_cast<int>(channel)) at->second.channel = -1;
      at->second.several = at->second.several || at->second.transfer != number;
      at->second.transfer = number;
      if (error_ && addr >= error_->first && addr <= error_->last && !record.slverr &&
          !record.decerr) {
        (error_->decerr ? record.decerr : record.slverr) = true;
        record.addr = addr - addr % static_cast<uint64_t>(shape_.bytes);
      }
    }
    return left > 0;
  });
}

bool WriterBench::done() const {
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (!(pace_.dead >> c & 1) && lanes_[c].ended != lanes_[c].records.size()) return false;
  }
  return true;
}

std::string WriterBench::State() const {
  std::string text = fmt::format("cycle {}:", cycle_);
  for (size_t c = 0; c < lanes_.size(); ++c) {
    const Lane& lane = lanes_[c];
    text += fmt::format(" [{}: beats taken {}, to send {}, started {}, ended {} of {}, slots {}{}]",
                        c, lane.taken, lane.beats.size(), feeder_.started(c), lane.ended,
                        lane.records.size(), feeder_.free(c), lanes_[c].aborts ? ", aborts" : "");
  }
  return text;
}

void WriterBench::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{} ({})", what, State());
}

std::string WriterBench::Run(uint64_t most) {
  const uint64_t begun = cycle_;
  while (failure_.empty() && !done()) {
    if (cycle_ - begun > most) Fail("no end");
    Cycle();
  }
  for (int n = 0; n < 50 && failure_.empty(); ++n) Cycle();  // nothing more comes
  if (failure_.empty()) CompareMemory();
  return failure_;
}

std::string WriterBench::Cycles(uint64_t cycles) {
  for (uint64_t n = 0; n < cycles && failure_.empty(); ++n) Cycle();
  return failure_;
}

// Whether it is known what the byte must be.
bool WriterBench::Compares(const Owner& owner) const {
  if (owner.channel < 0 || pace_.dead >> owner.channel & 1) return false;
  const auto channel = static_cast<size_t>(owner.channel);
  return pace_.abort == 0 || (!owner.several && !aborted_.contains({channel, owner.transfer}));
}

void WriterBench::CompareMemory() {
  for (const auto& [addr, byte] : written_) {
    const auto owner = owner_.find(addr);
    if (owner == owner_.end()) return Fail(fmt::format("a byte at {:#x} is no transfer's", addr));
    if (Compares(owner->second) && byte != wanted_.Read(addr)) {
      return Fail(fmt::format("byte at {:#x} of channel {} is {:#x}, expected {:#x}", addr,
                              owner->second.channel, byte, wanted_.Read(addr)));
    }
  }
  for (const auto& [addr, owner] : owner_) {
    if (Compares(owner) && !written_.contains(addr))
      return Fail(fmt::format("byte at {:#x} of channel {} is not written", addr, owner.channel));
  }
}

void WriterBench::Drive() {
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
    Lane& lane = lanes_[c];
    if (!lane.aborts && static_cast<int>(rng_.Below(4096)) < pace_.abort && !feeder_.writing(c))
      lane.aborts = true;
    m.abort_i = static_cast<uint16_t>((m.abort_i & ~(1U << c)) | (lane.aborts ? 1U << c : 0));
    // Beats of transfers that an abort does not end are not sent ahead: it would drop them.
    if (offered_ >> c & 1 || lane.beats.empty() || pace_.dead >> c & 1 || !goes(pace_.stream) ||
        (pace_.abort != 0 && lane.transfer_of[lane.sent] >= feeder_.started(c)))
      continue;
    const model::StreamBeat& beat = lane.beats.front();
    offered_ |= 1U << c;
    for (size_t n = 0; n < static_cast<size_t>(shape_.bytes); ++n)
      Bytes(m.data_i)[c * kMostBytes + n] = beat.data[n];
    Words(m.keep_i)[c] = (beat.keep & std::bitset<model::kMaxElem>(~uint64_t{0})).to_ullong();
    for (size_t n = 0; n < 8; ++n) Words32(m.side_i)[c * 8 + n] = lane.beat_sides.front()[n];
    m.last_i = static_cast<uint16_t>((m.last_i & ~(1U << c)) | (beat.last ? 1U << c : 0));
  }
  m.valid_i = static_cast<uint16_t>(offered_);
  m.pause_i = static_cast<uint16_t>(paused_);
  m.aw_ready_i = goes(pace_.aw) && bursts_open_.size() + responses_.size() < 64;
  m.w_ready_i = goes(pace_.w) && words_early_.size() < 64;
  if (!m.b_valid_i && !responses_.empty() && responses_.front().ready <= cycle_ && goes(pace_.b)) {
    m.b_valid_i = 1;
    m.b_resp_i = static_cast<uint8_t>(responses_.front().resp);
  }
  m.end_ready_i = goes(pace_.end);
}

// A word of the oldest burst.
void WriterBench::Take(const Burst& burst, const uint8_t* data, const uint8_t* strobe, int word) {
  const uint64_t addr = burst.addr + static_cast<uint64_t>(word * shape_.bytes);
  bool any = false;
  for (size_t n = 0; n < static_cast<size_t>(shape_.bytes); ++n) {
    if (!(strobe[n / 8] >> (n % 8) & 1)) continue;
    written_[addr + n] = data[n];
    any = true;
  }
  if (!any) Fail(fmt::format("no byte of the word at {:#x} is written", addr));
}

void WriterBench::Sample() {
  auto& m = unit_.model();
  const auto cell = static_cast<size_t>(shape_.cell);
  if (Bit(m.freed_o, cell)) {
    const int channel = Bytes(m.freed_channel_o)[cell / 2] >> (cell % 2 * 4) & 15;
    if (!feeder_.Free(static_cast<size_t>(channel)))
      Fail(fmt::format("channel {}: a slot is freed that is free", channel));
  }
  if (m.end_ready_i && Bit(m.end_valid_o, cell)) {
    const int status = Bytes(m.end_status_o)[2 * cell] | Bytes(m.end_status_o)[2 * cell + 1] << 8;
    const auto c = static_cast<size_t>(status & 15);
    Lane& lane = lanes_[c];
    if (lane.ended == feeder_.started(c))
      return Fail(fmt::format("channel {}: an end too many", c));
    const model::Record& expected = lane.records[lane.ended++];
    model::Record is;
    is.bytes = Words(m.end_o)[3 * cell];
    is.slverr = status >> 4 & 1;
    is.decerr = status >> 5 & 1;
    is.overlong = status >> 6 & 1;
    if (is.overlong) is.dropped = Words(m.end_o)[3 * cell + 1];
    if (is.slverr || is.decerr) is.addr = Words(m.end_o)[3 * cell + 2];
    is.sparse_keep = status >> 7 & 1;
    is.last = status >> 8 & 1;
    const bool aborted = status >> 9 & 1;
    if (aborted && (!lane.aborts || is.bytes > expected.bytes))
      Fail(fmt::format("channel {}: {} bytes, aborted; expected {}", c, is.bytes, expected.bytes));
    if (aborted) aborted_.insert({c, lane.ended - 1});
    const uint32_t side = Words32(m.end_side_o)[cell];
    const std::vector<uint32_t>& sides = lane.sides[lane.ended - 1];
    if (!aborted && !sides.empty() && std::find(sides.begin(), sides.end(), side) == sides.end()) {
      Fail(fmt::format("channel {}, transfer {}: side {:#x}, expected {:#x}", c, lane.ended - 1,
                       side, sides[0]));
    }
    if (!aborted && !(is == expected)) {
      const auto text = [](const model::Record& r) {
        return fmt::format(
            "{} bytes, {} dropped, address {:#x}, slverr {}, decerr {}, overlong {}, sparse {}, "
            "last {}",
            r.bytes, r.dropped, r.addr, r.slverr, r.decerr, r.overlong, r.sparse_keep, r.last);
      };
      Fail(fmt::format("channel {}, transfer {}: {}; expected {}: {}", c, lane.ended - 1, text(is),
                       text(expected), model::ToString(lane.transfers[lane.ended - 1])));
    }
  }
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (!(offered_ >> c & 1) || !Bit(m.ready_o, kMostChannels * cell + c)) continue;
    offered_ &= ~(1U << c);
    lanes_[c].beats.pop_front();
    lanes_[c].beat_sides.pop_front();
    ++lanes_[c].taken;
    ++lanes_[c].sent;
  }
  if (m.b_valid_i && Bit(m.b_ready_o, cell)) {
    m.b_valid_i = 0;
    responses_.pop_front();
  }
  if (m.w_ready_i && Bit(m.w_valid_o, cell)) {
    ++words_;
    const uint8_t* data = Bytes(m.w_data_o) + cell * kMostBytes;
    const uint8_t* strobe = Bytes(m.w_strobe_o) + cell * kMostBytes / 8;
    words_early_.push_back({{data, data + shape_.bytes},
                            {strobe, strobe + (shape_.bytes + 7) / 8},
                            Bit(m.w_last_o, cell)});
  }
  if (m.aw_ready_i && Bit(m.aw_valid_o, cell)) {
    if (!first_aw_) first_aw_ = cycle_;
    const uint64_t addr = Words(m.aw_addr_o)[cell];
    const int words = Bytes(m.aw_len_o)[cell] + 1;
    const uint64_t last = addr + static_cast<uint64_t>(words * shape_.bytes) - 1;
    if (addr % static_cast<uint64_t>(shape_.bytes) != 0 || addr >> 12 != last >> 12 ||
        words > shape_.max_burst) {
      return Fail(fmt::format("burst of {} words at {:#x}", words, addr));
    }
    const bool bad = error_ && addr <= error_->last && last >= error_->first;
    bursts_open_.push_back({addr, words, bad ? (error_->decerr ? 3 : 2) : 0, 0});
    ++bursts_;
  }
  while (!words_early_.empty() && !bursts_open_.empty()) {
    const Word& word = words_early_.front();
    Burst& burst = bursts_open_.front();
    Take(burst, word.data.data(), word.strobe.data(), word_);
    const bool ends = ++word_ == burst.words;
    if (ends != word.last) return Fail(fmt::format("WLAST is {} at {:#x}", word.last, burst.addr));
    if (ends) {
      burst.ready = cycle_ + static_cast<uint64_t>(pace_.latency);
      responses_.push_back(burst);
      bursts_open_.pop_front();
      word_ = 0;
    }
    words_early_.pop_front();
  }
}

// Ends an abort when nothing of the channel is left. What the source has left of its transfers is
// withdrawn.
void WriterBench::EndAbort(size_t c) {
  Lane& lane = lanes_[c];
  const bool ends = lane.ended == feeder_.started(c) && !feeder_.in_transfer(c);
  const bool busy = Bit(unit_.model().busy_o, kMostChannels * static_cast<size_t>(shape_.cell) + c);
  lane.quiet = ends && !busy ? lane.quiet + 1 : 0;
  if (lane.quiet < 6) return;
  while (!lane.beats.empty() && lane.transfer_of[lane.sent] < lane.ended) {
    lane.beats.pop_front();
    lane.beat_sides.pop_front();
    ++lane.sent;
    offered_ &= ~(1U << c);
  }
  lane.aborts = false;
  lane.quiet = 0;
}

void WriterBench::Cycle() {
  auto& m = unit_.model();
  m.clk_i = 0;
  Drive();
  unit_.Evaluate();
  const bool offered = m.b_valid_i;
  Sample();
  for (size_t c = 0; c < lanes_.size(); ++c) {
    if (lanes_[c].aborts) EndAbort(c);
  }
  const bool offered_still = m.b_valid_i;
  m.b_valid_i = offered;
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  m.b_valid_i = offered_still;
  ++cycle_;
}

}  // namespace tessera
