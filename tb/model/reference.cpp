// Copies bytes as the norm says; see reference.h.
#include "tb/model/reference.h"

#include <algorithm>
#include <utility>

#include "tb/model/walk.h"

namespace tessera::model {

ReadModel::ReadModel(const Build& build, const MemoryImage& memory, std::vector<ErrorRange> errors)
    : build_(build), memory_(memory), errors_(std::move(errors)) {}

Record ReadModel::Run(const Transfer& t) {
  const size_t number = transfers_++;
  Record record;
  if (IsRefused(t, build_)) {
    record.illegal = true;
    return record;
  }
  const bool last_at_end = t.last_rule == LastRule::kTransfer || t.last_rule == LastRule::kLevel ||
                           (t.last_rule == LastRule::kTask && t.task_end);
  const uint64_t mask = build_.AddressMask();
  Walk(t, build_, [&](const Position& p) {
    for (size_t b = 0; b < static_cast<size_t>(t.elem); ++b) {
      Put(p.valid ? memory_.Read((p.addr + b) & mask) : FillByte(t.fill, b), {number, p.index});
    }
    if (p.valid && !errors_.empty()) NoteErrors(p.addr, t.elem, record);
    record.bytes += static_cast<uint64_t>(t.elem);
    if (t.last_rule == LastRule::kLevel && p.turns > static_cast<size_t>(t.last_level)) Flush(true);
    return true;
  });
  if (record.bytes == 0) {
    // An empty transfer sends nothing of its own; one that does not join ends what waits.
    record.last = last_at_end && filled_ > 0 && !t.joins();
    if (!t.joins()) Flush(last_at_end);
    return record;
  }
  record.last = last_at_end;
  if (last_at_end || !t.joins() || filled_ == build_.stream_bytes) Flush(last_at_end);
  return record;
}

// A full beat waits for the next byte or the end: only then is it known whether it has TLAST.
void ReadModel::Put(uint8_t byte, Origin origin) {
  if (filled_ == build_.stream_bytes) Flush(false);
  if (filled_ == 0) open_origin_ = origin;
  open_.data[static_cast<size_t>(filled_++)] = byte;
}

void ReadModel::Flush(bool last) {
  if (filled_ == 0) return;
  open_.keep = ~std::bitset<kMaxElem>{} >> static_cast<size_t>(kMaxElem - filled_);
  open_.last = last;
  beats_.push_back(open_);
  origins_.push_back(open_origin_);
  open_.data.fill(0);
  filled_ = 0;
}

void ReadModel::NoteErrors(uint64_t addr, int bytes, Record& record) const {
  const uint64_t word = static_cast<uint64_t>(build_.data_bytes);
  const uint64_t offset = addr % word;
  for (uint64_t n = 0; n < offset + static_cast<uint64_t>(bytes); n += word) {
    const uint64_t first = (addr - offset + n) & build_.AddressMask();
    for (const ErrorRange& range : errors_) {
      if (range.last < first || range.first > first + (word - 1)) continue;
      if (!record.slverr && !record.decerr) record.addr = first;
      (range.decerr ? record.decerr : record.slverr) = true;
      break;  // one response a word: the first range that holds it decides
    }
  }
}

WriteModel::WriteModel(const Build& build, MemoryImage& memory) : build_(build), memory_(&memory) {}

void WriteModel::Offer(std::vector<StreamBeat> beats) {
  Offer([list = std::move(beats), next = size_t{0}](StreamBeat& beat) mutable {
    if (next == list.size()) return false;
    beat = list[next++];
    return true;
  });
}

std::optional<Record> WriteModel::Run(const Transfer& t) {
  Record record;
  bytes_.clear();
  if (IsRefused(t, build_)) {
    record.illegal = true;
    return record;
  }
  if (IsEmpty(t)) return record;
  const bool on_last = t.finish == Finish::kLast;
  packet_end_ = false;
  bool starved = false;
  Walk(t, build_, [&](const Position& p) {
    for (int b = 0; b < t.elem; ++b) {
      uint8_t byte = 0;
      const Take take = TakeByte(on_last, byte, record);
      starved = take == Take::kStarved;
      if (take != Take::kByte) return false;
      if (p.valid) memory_->Write((p.addr + static_cast<uint64_t>(b)) & build_.AddressMask(), byte);
      bytes_.push_back(byte);
    }
    return true;
  });
  if (starved) return std::nullopt;
  record.bytes = bytes_.size();
  if (on_last) {
    if (!packet_end_ && !DropRest(record)) return std::nullopt;
    record.last = true;
    record.overlong = record.dropped != 0;
    record.partial_element = record.bytes % static_cast<uint64_t>(t.elem) != 0;
  } else {
    record.last = held() == 0 && left_last_;
  }
  return record;
}

// Takes the next beat off the stream; what is null in it is gone. False if there is none.
bool WriteModel::Accept(Record& record) {
  if (!source_ || !source_(beat_)) return false;
  ++accepted_;
  left_ = taken_ = 0;
  for (size_t lane = 0; lane < static_cast<size_t>(build_.stream_bytes); ++lane) {
    data_[left_] = beat_.data[lane];
    left_ += beat_.keep[lane] ? 1 : 0;
  }
  left_last_ = beat_.last;
  const bool some = left_ != 0;
  const bool all = left_ == static_cast<size_t>(build_.stream_bytes);
  if (!beat_.last && some && !all) record.sparse_keep = true;
  if (!some && beat_.last) packet_end_ = true;
  return true;
}

WriteModel::Take WriteModel::TakeByte(bool on_last, uint8_t& byte, Record& record) {
  while (taken_ == left_) {
    if (on_last && packet_end_) return Take::kPacketEnd;
    if (!Accept(record)) return Take::kStarved;
  }
  byte = data_[taken_++];
  if (taken_ == left_ && left_last_) packet_end_ = true;
  return Take::kByte;
}

// The packet goes on past the transfer: takes and drops what is left of it. False if it has not
// ended.
bool WriteModel::DropRest(Record& record) {
  while (!packet_end_) {
    if (taken_ == left_ && !Accept(record)) return false;
    record.dropped += left_ - taken_;
    if (left_ > taken_ && left_last_) packet_end_ = true;
    taken_ = left_;
  }
  return true;
}

}  // namespace tessera::model
