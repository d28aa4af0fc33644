// Cutting bytes into beats, and beats into bytes.
#include "tb/bus/axis.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/sim/counted.h"

namespace tessera {

StreamSource::StreamSource(StreamPort* port, int bytes, const StreamSourceOptions& options,
                           const Rng& rng)
    : width_(bytes),
      options_(options),
      rng_(rng.Stream("shape")),
      end_(port, options.pacer, rng.Stream("pacer")) {}

void StreamSource::Push(std::span<const uint8_t> bytes, PieceEnd end) {
  data_.insert(data_.end(), bytes.begin(), bytes.end());
  if (bytes.empty() && end == PieceEnd::kNullLast) end = PieceEnd::kLast;
  if (bytes.empty() && (end == PieceEnd::kOpen || end == PieceEnd::kBeat)) return;
  pieces_.Push({data_.size(), end});
}

uint64_t StreamSource::DiscardUnsent() {
  if (loaded_ && !end_.shown()) {
    position_ = beat_.first;
    loaded_ = false;
  }
  const uint64_t taken_back = data_.size() - position_;
  data_.resize(position_);
  pieces_.Clear();
  null_owed_ = false;
  return taken_back;
}

// Makes the next beat of what is queued; false if a beat would have to wait for more bytes.
bool StreamSource::BuildBeat() {
  if (null_owed_) {
    beat_ = {0, position_, {}, 0, true, {}};
    null_owed_ = false;
    return true;
  }
  if (pieces_.empty()) return false;
  const bool dense = options_.shape.dense();
  if (!dense && rng_.Chance(options_.shape.null)) {
    beat_ = {0, position_, {}, 0, false, {}};
    return true;
  }
  uint64_t room = static_cast<uint64_t>(width_);
  const bool cut = !dense && rng_.Chance(options_.shape.partial);
  const bool sparse = !dense && rng_.Chance(options_.shape.sparse);
  if (cut || sparse) room = rng_.Between(1, room);
  const uint64_t first = position_;
  bool last = false;
  while (!pieces_.empty()) {
    const Piece piece = pieces_.front();
    const uint64_t count = std::min(room, piece.stop - position_);
    position_ += count;
    room -= count;
    if (position_ < piece.stop) break;  // the beat is full before the piece ends
    pieces_.Pop();
    if (piece.end == PieceEnd::kOpen) {
      if (room == 0) break;
      continue;
    }
    last = piece.end == PieceEnd::kLast;
    null_owed_ = piece.end == PieceEnd::kNullLast;
    break;
  }
  const uint64_t count = position_ - first;
  beat_ = {0, first, FirstLanes(static_cast<int>(count)), static_cast<uint16_t>(count), last, {}};
  if (sparse || (last && !dense && rng_.Chance(options_.shape.sparse_last))) {
    PlaceSparse(count);
    return true;
  }
  std::memcpy(lanes_.data(), data_.data() + first, count);
  return true;
}

// Spreads the bytes over lanes drawn at random, in order.
void StreamSource::PlaceSparse(uint64_t count) {
  beat_.keep = {};
  uint64_t left = count;
  for (int lane = 0; lane < width_ && left > 0; ++lane) {
    const uint64_t lanes_left = static_cast<uint64_t>(width_ - lane);
    if (rng_.Below(lanes_left) >= left) continue;
    beat_.keep.Set(lane);
    lanes_[static_cast<size_t>(lane)] = data_[beat_.first + count - left];
    --left;
  }
}

void StreamSource::Sample(const Tick& tick) {
  after_reset_ = tick.reset;
  if (!end_.Sample(tick)) return;  // after a reset the beat is offered again
  bytes_accepted_ += beat_.count;
  ++beats_accepted_;
  beat_of_packet_ = beat_.last ? 0 : beat_of_packet_ + 1;
  packet_ += beat_.last ? 1 : 0;
  if (options_.record) {
    beat_.cycle = tick.cycle;
    beats_.push_back(beat_);
  }
  loaded_ = false;
}

void StreamSource::Drive(const Tick& next) {
  if (after_reset_) return end_.Withdraw();
  end_.Drive(next, [this](AxisBeat* beat) {
    if (hold_) return false;
    if (!loaded_) loaded_ = BuildBeat();
    if (loaded_) Show(beat);
    return loaded_;
  });
}

void StreamSource::Show(AxisBeat* beat) {
  beat->last = beat_.last;
  beat->keep = beat_.keep;
  if (side_of_) beat->side = beat_.side = side_of_(packet_, beat_of_packet_);
  const size_t width = static_cast<size_t>(width_);
  if (beat_.count < width && options_.noise) {
    const uint64_t noise = rng_();
    for (size_t lane = 0; lane < width; ++lane) {
      beat->data[lane] = beat_.keep[static_cast<int>(lane)]
                             ? lanes_[lane]
                             : static_cast<uint8_t>(noise >> (lane % 57));
    }
  } else {
    std::memcpy(beat->data.data(), lanes_.data(), width);
  }
}

std::string StreamSource::Describe() const {
  return fmt::format("source: {} and {} accepted, {} waiting, {}", Counted(bytes_accepted_, "byte"),
                     Counted(beats_accepted_, "beat"), Counted(bytes_waiting(), "byte"),
                     end_.shown() ? "a beat is on the pins" : "nothing is on the pins");
}

void StreamSink::Take(uint64_t cycle, const AxisBeat& beat) {
  ++beats_taken_;
  if (beat.last) ++packets_taken_;
  packet_open_ = !beat.last;
  const size_t first = data_.size();
  const int count = CountLanes(beat.keep);
  data_.resize(first + static_cast<size_t>(count));
  if (ContiguousFromZero(beat.keep)) {
    std::memcpy(data_.data() + first, beat.data.data(), static_cast<size_t>(count));
  } else {
    size_t to = first;
    for (int lane = 0; lane < width_; ++lane) {
      if (beat.keep[lane] && to < data_.size()) {
        data_[to++] = beat.data[static_cast<size_t>(lane)];
      }
    }
  }
  if (options_.record) {
    beats_.push_back({cycle, first, beat.keep, static_cast<uint16_t>(count), beat.last, beat.side});
  }
}

void StreamSink::Clear() {
  data_.clear();
  beats_.clear();
  beats_taken_ = packets_taken_ = 0;
  packet_open_ = false;
}

std::string StreamSink::Describe() const {
  return fmt::format("sink: {}, {}, {} taken{}", Counted(data_.size(), "byte"),
                     Counted(beats_taken_, "beat"), Counted(packets_taken_, "packet"),
                     packet_open_ ? ", a packet is open" : "");
}

}  // namespace tessera
