// Copies bytes as the norm says; see reference.h.
#include "tb/model/reference.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tb/model/walk.h"

namespace tessera::model {

ReadModel::ReadModel(const Build& build, const MemoryImage& memory, std::vector<ErrorRange> errors)
    : build_(build), memory_(memory), errors_(std::move(errors)) {}

Record ReadModel::Run(const Transfer& t) {
  ++transfers_;
  Record record;
  record.illegal = IsRefused(t, build_);
  const bool last_at_end = t.last_rule == LastRule::kTransfer || t.last_rule == LastRule::kLevel ||
                           (t.last_rule == LastRule::kTask && t.task_end);
  const uint64_t mask = build_.AddressMask();
  const uint64_t elem = static_cast<uint64_t>(t.elem);
  const auto send = [&](const Position& p, uint64_t run) {
    for (uint64_t done = 0; done < run * elem;) {
      const uint8_t fill = FillByte(t.fill, done);
      std::span<const uint8_t> bytes{&fill, 1};
      if (p.valid) {
        const uint64_t addr = (p.addr + done) & mask;
        bytes = memory_.ReadSome(addr, std::min(run * elem - done - 1, mask - addr) + 1);
      }
      Put(bytes);
      done += bytes.size();
    }
    if (p.valid && !errors_.empty()) NoteErrors(p.addr, t.elem, record);
    record.bytes += run * elem;
    if (t.last_rule == LastRule::kLevel && p.turns > static_cast<size_t>(t.last_level))
      Flush(true, true);
    return true;
  };
  if (!record.illegal) WalkRuns(t, build_, errors_.empty(), send);
  if (record.bytes == 0) {
    // An empty or illegal transfer sends nothing; one that does not join ends what waits.
    record.last = last_at_end && filled_ > 0 && !t.joins();
    if (!t.joins()) Flush(last_at_end, true);
    return record;
  }
  record.last = last_at_end;
  const bool ends = last_at_end || !t.joins();
  if (ends || filled_ == build_.EngineBeat()) Flush(last_at_end, ends);
  return record;
}

// A full beat waits for the next byte or the end: only then is it known whether it has TLAST.
void ReadModel::Put(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    if (filled_ == build_.EngineBeat()) Flush(false, false);
    const size_t part = std::min(bytes.size(), static_cast<size_t>(build_.EngineBeat() - filled_));
    open_last_ = transfers_ - 1;
    std::memcpy(open_.data.data() + filled_, bytes.data(), part);
    filled_ += static_cast<int>(part);
    bytes = bytes.subspan(part);
  }
}

void ReadModel::Flush(bool last, bool ends) {
  if (filled_ == 0) return;
  const int beat = build_.EngineBeat(), stream = build_.stream_bytes;
  if (stream > beat) {
    // Neighbours share a beat.
    wide_last_ = open_last_;
    std::memcpy(wide_data_.data() + wide_, open_.data.data(), static_cast<size_t>(filled_));
    wide_ += filled_;
    if (ends || wide_ == stream) Send(std::exchange(wide_, 0), last, {wide_last_, ends});
  } else {
    for (int n = 0; n < filled_; n += stream) {
      const int part = std::min(stream, filled_ - n);
      std::memcpy(wide_data_.data(), open_.data.data() + n, static_cast<size_t>(part));
      const bool final = n + part == filled_;
      Send(part, last && final, {open_last_, ends && final});
    }
  }
  open_.data.fill(0);
  filled_ = 0;
}

void ReadModel::Send(int bytes, bool last, const Origin& origin) {
  StreamBeat beat;
  std::copy_n(wide_data_.begin(), bytes, beat.data.begin());
  beat.keep = ~std::bitset<kMaxElem>{} >> static_cast<size_t>(kMaxElem - bytes);
  beat.last = last;
  beats_.push_back(beat);
  origins_.push_back(origin);
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
  const uint64_t mask = build_.AddressMask();
  const uint64_t elem = static_cast<uint64_t>(t.elem);
  WalkRuns(t, build_, true, [&](const Position& p, uint64_t run) {
    for (uint64_t done = 0; done < run * elem;) {
      const uint64_t addr = (p.addr + done) & mask;
      std::span<const uint8_t> bytes;
      const uint64_t most = std::min(run * elem - done - 1, mask - addr) + 1;
      const Take take = TakeBytes(on_last, most, bytes, record);
      starved = take == Take::kStarved;
      if (take != Take::kBytes) return false;
      if (p.valid) memory_->Write(addr, bytes);
      bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
      done += bytes.size();
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
    if (beat_.keep[lane]) data_[left_++] = beat_.data[lane];
  }
  left_last_ = beat_.last;
  const bool any = left_ != 0;
  const bool all = left_ == static_cast<size_t>(build_.stream_bytes);
  if (!beat_.last && any && !all) record.sparse_keep = true;
  if (!any && beat_.last) packet_end_ = true;
  return true;
}

// Takes what is left of the accepted beat, at most so many bytes; accepts the next one before if
// nothing is left.
WriteModel::Take WriteModel::TakeBytes(bool on_last, uint64_t most, std::span<const uint8_t>& bytes,
                                       Record& record) {
  while (taken_ == left_) {
    if (on_last && packet_end_) return Take::kPacketEnd;
    if (!Accept(record)) return Take::kStarved;
  }
  bytes = {data_.data() + taken_, std::min<uint64_t>(most, left_ - taken_)};
  taken_ += bytes.size();
  if (taken_ == left_ && left_last_) packet_end_ = true;
  return Take::kBytes;
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
