// AXI4-Stream ends on the pins of a Dut: StreamSource feeds s_axis, StreamSink drains m_axis.
//
// The source turns a queue of bytes, cut into pieces, into beats: dense ones, or (by the shape)
// partly filled, sparse and null ones, which mean the same bytes. A beat that is valid stays until
// accepted. The sink records every accepted beat. Both keep what passed: bytes without gaps, and a
// StreamBeat for each beat, so that a scoreboard can compare bytes, keep, TLAST and cycles.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tb/bus/pacer.h"
#include "tb/bus/ring.h"
#include "tb/sim/dut.h"
#include "tb/sim/lanes.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct StreamBeat {
  uint64_t cycle = 0;  // of the handshake
  uint64_t first = 0;  // index of the beat's first byte among all bytes that passed
  LaneMask keep;
  uint16_t count = 0;  // lanes kept
  bool last = false;
};

// What ends a piece of the source's queue.
enum class PieceEnd : uint8_t {
  kOpen,      // nothing: the next piece goes on in the same beat
  kBeat,      // its beat, which may be partial, without TLAST
  kLast,      // its beat, with TLAST
  kNullLast,  // its beat, and a null beat with TLAST follows
};

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

class StreamSource {
 public:
  StreamSource(int bytes, const StreamSourceOptions& options, const Rng& rng);

  // With kLast or kNullLast and no bytes: a null beat with TLAST.
  void Push(std::span<const uint8_t> bytes, PieceEnd end);
  // Takes back everything that is not on the pins; returns the number of bytes taken back.
  uint64_t DiscardUnsent();
  // For who changes what is on the pins: the index of the byte in lane 0, if there is one; and what
  // it is from now on.
  std::optional<uint64_t> FirstShown() const {
    return shown_ && beat_.keep[0] ? std::optional(beat_.first) : std::nullopt;
  }
  void Flip(uint64_t byte, uint8_t mask) { data_[byte] ^= mask; }
  // Holds back further beats (a beat that is valid stays).
  void Hold(bool hold) { hold_ = hold; }

  void Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out);
  void Drive(const Tick& next, DutInputs* in);

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
  void PlaceSparse(uint64_t count);

  int width_;
  StreamSourceOptions options_;
  Rng rng_;
  Pacer pacer_;
  std::vector<uint8_t> data_;
  Ring<Piece> pieces_;
  uint64_t position_ = 0;  // next byte to put into a beat
  bool loaded_ = false;    // `beat_` and `lanes_` hold a beat that was not accepted yet
  bool shown_ = false;     // and it is on the pins
  bool null_owed_ = false;
  bool hold_ = false;
  bool after_reset_ = true;  // TVALID stays low in the first cycle after a reset
  StreamBeat beat_;
  BusData lanes_{};
  uint64_t bytes_accepted_ = 0, beats_accepted_ = 0;
  std::vector<StreamBeat> beats_;
};

struct StreamSinkOptions {
  PacerSpec pacer;
  bool after_valid = false;  // TREADY only in cycles after one in which TVALID waited
  bool record = true;        // keep a StreamBeat for each beat
};

class StreamSink {
 public:
  StreamSink(int bytes, const StreamSinkOptions& options, const Rng& rng)
      : width_(bytes), options_(options), pacer_(options.pacer, rng.Stream("pacer")) {}

  void Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
    waits_ = out.m_tvalid && !in.m_tready && !tick.reset;
    if (out.m_tvalid && in.m_tready && !tick.reset) Take(tick.cycle, out);
  }
  void Drive(const Tick& next, DutInputs* in) {
    const bool willing = pacer_.Next();
    in->m_tready = willing && !next.reset && (!options_.after_valid || waits_);
  }

  const std::vector<uint8_t>& bytes() const { return data_; }
  const std::vector<StreamBeat>& beats() const { return beats_; }
  uint64_t beats_taken() const { return beats_taken_; }
  uint64_t packets_taken() const { return packets_taken_; }
  bool packet_open() const { return packet_open_; }
  void Clear();
  std::string Describe() const;

 private:
  void Take(uint64_t cycle, const DutOutputs& out);

  int width_;
  StreamSinkOptions options_;
  Pacer pacer_;
  std::vector<uint8_t> data_;
  std::vector<StreamBeat> beats_;
  uint64_t beats_taken_ = 0, packets_taken_ = 0;
  bool packet_open_ = false;
  bool waits_ = false;
};

}  // namespace tessera
