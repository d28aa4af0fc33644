// The ends of a stream: StreamSource feeds one into the model, StreamSink drains one.
//
// The source turns a queue of bytes, cut into pieces, into beats: dense ones, or (by the shape)
// partly filled, sparse and null ones, which mean the same bytes. A beat that is valid stays until
// accepted. The sink records every accepted beat. Both keep what passed: bytes without gaps, and a
// StreamBeat for each beat, so that a scoreboard can compare bytes, keep, TLAST and cycles.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/bus/ring.h"
#include "tb/sim/component.h"
#include "tb/sim/lanes.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct StreamBeat {
  uint64_t cycle = 0;  // of the handshake
  uint64_t first = 0;  // index of the beat's first byte among all bytes that passed
  LaneMask keep;
  uint16_t count = 0;  // lanes kept
  bool last = false;
  rtl::DescriptorSide side;
};

// What ends a piece of the source's queue.
enum class PieceEnd : uint8_t {
  kOpen,      // nothing: the next piece goes on in the same beat
  kBeat,      // its beat, which may be partial, without TLAST
  kLast,      // its beat, with TLAST
  kNullLast,  // its beat, and a null beat with TLAST follows
};
constexpr std::array<std::string_view, 4> NamesOf(PieceEnd) {
  return {"open", "beat", "last", "null-last"};
}

// How often (0 to 1) the source makes beats that are legal but not dense.
struct StreamShape {
  double partial = 0.0;      // fewer bytes than fit, contiguous from lane 0
  double sparse = 0.0;       // null bytes in between; the last beat of a piece counts as well
  double null = 0.0;         // an extra null beat without TLAST before a beat
  double sparse_last = 0.0;  // null bytes in between, on beats with TLAST that are not full alone
  bool dense() const {
    return partial == 0.0 && sparse == 0.0 && null == 0.0 && sparse_last == 0.0;
  }
};

struct StreamSourceOptions {
  PacerSpec pacer;
  StreamShape shape;
  bool record = true;  // keep a StreamBeat for each accepted beat
  bool noise = true;   // garbage in null lanes; else they keep older data
};

class StreamSource final : public Component {
 public:
  StreamSource(StreamPort* port, int bytes, const StreamSourceOptions& options, const Rng& rng);

  // With kLast or kNullLast and no bytes: a null beat with TLAST.
  void Push(std::span<const uint8_t> bytes, PieceEnd end);
  // Takes back everything that is not on the pins; returns the number of bytes taken back.
  uint64_t DiscardUnsent();
  // The beat on the pins, if there is one.
  std::optional<StreamBeat> Shown() const {
    return end_.shown() ? std::optional(beat_) : std::nullopt;
  }
  // What travels beside beat `beat` of packet `packet`, both from 0, of those offered from now on;
  // else nothing does.
  using SideOf = std::function<rtl::DescriptorSide(uint64_t packet, uint64_t beat)>;
  void SetSides(SideOf side_of) { side_of_ = std::move(side_of); }
  // Holds back further beats (a beat that is valid stays).
  void Hold(bool hold) { hold_ = hold; }

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

  bool empty() const { return pieces_.empty() && !loaded_ && !null_owed_; }
  uint64_t bytes_waiting() const { return data_.size() - position_; }
  uint64_t bytes_accepted() const { return bytes_accepted_; }
  uint64_t beats_accepted() const { return beats_accepted_; }
  // Every byte ever pushed and not taken back; StreamBeat::first indexes it.
  const std::vector<uint8_t>& bytes() const { return data_; }
  const std::vector<StreamBeat>& beats() const { return beats_; }
  std::string Describe() const;

 private:
  struct Piece {
    uint64_t stop = 0;  // index past its last byte
    PieceEnd end = PieceEnd::kOpen;
  };
  bool BuildBeat();
  void Show(AxisBeat* beat);
  void PlaceSparse(uint64_t count);

  int width_;
  StreamSourceOptions options_;
  Rng rng_;
  ChannelSource<AxisBeat> end_;
  std::vector<uint8_t> data_;
  Ring<Piece> pieces_;
  uint64_t position_ = 0;  // next byte to put into a beat
  bool loaded_ = false;    // `beat_` and `lanes_` hold a beat that was not accepted yet
  bool null_owed_ = false;
  bool hold_ = false;
  bool after_reset_ = true;  // TVALID stays low in the first cycle after a reset
  StreamBeat beat_;
  BusData lanes_{};
  uint64_t bytes_accepted_ = 0, beats_accepted_ = 0;
  SideOf side_of_;
  uint64_t packet_ = 0, beat_of_packet_ = 0;  // of the beat that is accepted next
  std::vector<StreamBeat> beats_;
};

struct StreamSinkOptions {
  PacerSpec pacer;
  bool after_valid = false;  // TREADY only in cycles after one in which TVALID waited
  bool record = true;        // keep a StreamBeat for each beat
};

class StreamSink final : public Component {
 public:
  StreamSink(StreamPort* port, int bytes, const StreamSinkOptions& options, const Rng& rng)
      : port_(port),
        width_(bytes),
        options_(options),
        end_(port, options.pacer, rng.Stream("pacer")) {}

  void Sample(const Tick& tick) override {
    if (end_.Sample(tick)) Take(tick.cycle, port_->payload);
  }
  void Drive(const Tick& next) override {
    end_.Drive(next, !hold_ && (!options_.after_valid || end_.waits()));
  }
  // Holds TREADY low.
  void Hold(bool hold) { hold_ = hold; }

  const std::vector<uint8_t>& bytes() const { return data_; }
  const std::vector<StreamBeat>& beats() const { return beats_; }
  uint64_t beats_taken() const { return beats_taken_; }
  uint64_t packets_taken() const { return packets_taken_; }
  bool packet_open() const { return packet_open_; }
  void Clear();
  std::string Describe() const;

 private:
  void Take(uint64_t cycle, const AxisBeat& beat);

  const StreamPort* port_;
  int width_;
  StreamSinkOptions options_;
  ChannelSink<AxisBeat> end_;
  std::vector<uint8_t> data_;
  std::vector<StreamBeat> beats_;
  uint64_t beats_taken_ = 0, packets_taken_ = 0;
  bool packet_open_ = false;
  bool hold_ = false;
};

}  // namespace tessera
