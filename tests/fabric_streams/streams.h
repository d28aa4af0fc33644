// A verilated cell of the fabric between stream sources and sinks, each port watched by a monitor.
//
// The model is a *_top of this folder: arrays of pins s_* (into the cell) and m_* (out of it), 1024
// bits a stream. StreamUnit owns the ends and does a cycle as the harness does: settle, sample,
// edge, drive.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "tb/bus/axis.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"

namespace tessera {

// A pin of any width as bytes, lane 0 first.
template <typename Pin>
uint8_t* PinBytes(Pin& pin) {
  if constexpr (std::is_integral_v<Pin>) {
    return reinterpret_cast<uint8_t*>(&pin);
  } else {
    return reinterpret_cast<uint8_t*>(pin.data());
  }
}
template <typename Pin>
bool PinBit(const Pin& pin, int bit) {
  return (PinBytes(const_cast<Pin&>(pin))[bit / 8] >> (bit % 8)) & 1;
}
template <typename Pin>
void SetPinBit(Pin& pin, int bit, bool value) {
  uint8_t& byte = PinBytes(pin)[bit / 8];
  byte = static_cast<uint8_t>((byte & ~(1 << (bit % 8))) | ((value ? 1 : 0) << (bit % 8)));
}

inline constexpr size_t kPinDataBytes = 128;
inline constexpr size_t kPinKeepBytes = 16;

// Where a stream's packets end: the number of bytes before each TLAST, in order.
inline std::vector<uint64_t> Ends(const std::vector<StreamBeat>& beats) {
  std::vector<uint64_t> ends;
  for (const StreamBeat& beat : beats) {
    if (beat.last) ends.push_back(beat.first + beat.count);
  }
  return ends;
}

// The packets that have ended, as bytes.
using Packet = std::vector<uint8_t>;
inline std::vector<Packet> Packets(const std::vector<uint8_t>& bytes,
                                   const std::vector<StreamBeat>& beats) {
  std::vector<Packet> packets;
  uint64_t first = 0;
  for (const uint64_t end : Ends(beats)) {
    packets.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                         bytes.begin() + static_cast<std::ptrdiff_t>(end));
    first = end;
  }
  return packets;
}
inline std::vector<Packet> Packets(const StreamSink& sink) {
  return Packets(sink.bytes(), sink.beats());
}

// A header word of an AI Engine packet, written here from its description: id in bits 4:0, parity
// of all bits odd.
inline uint32_t HeaderWord(uint32_t id, uint32_t rest = 0) {
  const uint32_t word = (rest & 0x7fffffe0U) | (id & 31U);
  return word | (static_cast<uint32_t>(std::popcount(word) + 1) % 2U << 31);
}
inline Packet WithHeader(uint32_t header, const Packet& payload) {
  Packet packet;
  for (int i = 0; i < 4; ++i) packet.push_back(static_cast<uint8_t>(header >> (8 * i)));
  packet.insert(packet.end(), payload.begin(), payload.end());
  return packet;
}

// A source on stream `index` of the s_* pins.
struct InputEnd {
  InputEnd(int index, int bytes, const StreamSourceOptions& options, const Rng& rng,
           ViolationList* violations)
      : index(index),
        source(&port, bytes, options, rng),
        monitor(&port,
                {"input " + std::to_string(index), bytes, AxisMonitorOptions::Keep::kAny,
                 AxisMonitorOptions::Null::kAny},
                violations) {}
  template <typename V>
  void Put(V& model) const {
    SetPinBit(model.s_tvalid, index, port.valid);
    SetPinBit(model.s_tlast, index, port->last);
    const size_t at = static_cast<size_t>(index);
    std::memcpy(PinBytes(model.s_tdata) + at * kPinDataBytes, port->data.data(), kPinDataBytes);
    std::memcpy(PinBytes(model.s_tkeep) + at * kPinKeepBytes, port->keep.word.data(),
                kPinKeepBytes);
  }
  template <typename V>
  void Get(const V& model) {
    port.ready = PinBit(model.s_tready, index);
  }
  void Sample(const Tick& tick) {
    monitor.Sample(tick);
    source.Sample(tick);
  }
  void Drive(const Tick& next) { source.Drive(next); }

  int index;
  StreamPort port;
  StreamSource source;
  AxisMonitor monitor;
};

// A sink on stream `index` of the m_* pins.
struct OutputEnd {
  OutputEnd(int index, int bytes, const StreamSinkOptions& options, const Rng& rng,
            ViolationList* violations, AxisMonitorOptions::Keep keep, AxisMonitorOptions::Null null)
      : index(index),
        sink(&port, bytes, options, rng),
        monitor(&port, {"output " + std::to_string(index), bytes, keep, null}, violations) {}
  template <typename V>
  void Put(V& model) const {
    SetPinBit(model.m_tready, index, port.ready);
  }
  template <typename V>
  void Get(const V& model) {
    port.valid = PinBit(model.m_tvalid, index);
    port->last = PinBit(model.m_tlast, index);
    const size_t at = static_cast<size_t>(index);
    V& pins = const_cast<V&>(model);
    std::memcpy(port->data.data(), PinBytes(pins.m_tdata) + at * kPinDataBytes, kPinDataBytes);
    std::memcpy(port->keep.word.data(), PinBytes(pins.m_tkeep) + at * kPinKeepBytes, kPinKeepBytes);
  }
  void Sample(const Tick& tick) {
    monitor.Sample(tick);
    sink.Sample(tick);
  }
  void Drive(const Tick& next) {
    sink.Drive(next);
    if (hold) port.ready = false;
  }

  int index;
  StreamPort port;
  StreamSink sink;
  AxisMonitor monitor;
  bool hold = false;  // never ready
};

template <typename V>
class StreamUnit {
 public:
  explicit StreamUnit(uint64_t seed) : rng_(seed), unit_(seed) {
    // Streams that get no ends are idle.
    std::memset(PinBytes(model().s_tvalid), 0, sizeof(model().s_tvalid));
    std::memset(PinBytes(model().m_tready), 0, sizeof(model().m_tready));
  }

  using Keep = AxisMonitorOptions::Keep;
  using Null = AxisMonitorOptions::Null;

  StreamSource& AddSource(int index, int bytes, const StreamSourceOptions& options = {}) {
    const Rng rng = rng_.Stream("source", static_cast<uint64_t>(index));
    return inputs_.emplace_back(index, bytes, options, rng, &violations_).source;
  }
  StreamSink& AddSink(int index, int bytes, const StreamSinkOptions& options = {},
                      Keep keep = Keep::kAny, Null null = Null::kWithLast) {
    const Rng rng = rng_.Stream("sink", static_cast<uint64_t>(index));
    return outputs_.emplace_back(index, bytes, options, rng, &violations_, keep, null).sink;
  }

  V& model() { return unit_.model(); }
  // The ends in the order in which they were added.
  StreamSource& source(size_t number) { return inputs_.at(number).source; }
  StreamSink& sink(size_t number) { return outputs_.at(number).sink; }
  std::deque<InputEnd>& inputs() { return inputs_; }
  std::deque<OutputEnd>& outputs() { return outputs_; }
  uint64_t cycle() const { return cycle_; }
  const ViolationList& violations() const { return violations_; }

  // Called in every cycle when pins have settled, before its edge.
  std::function<void()> on_sample;
  // Called in every cycle behind its edge; may set pins that are no stream's for the next
  // one.
  std::function<void(uint64_t cycle)> on_cycle;

  void Cycle(bool reset = false) {
    V& model = unit_.model();
    model.rst_ni = !reset;
    for (const InputEnd& end : inputs_) end.Put(model);
    for (const OutputEnd& end : outputs_) end.Put(model);
    unit_.Settle();
    for (InputEnd& end : inputs_) end.Get(model);
    for (OutputEnd& end : outputs_) end.Get(model);
    const Tick tick{cycle_, reset};
    for (InputEnd& end : inputs_) end.Sample(tick);
    for (OutputEnd& end : outputs_) end.Sample(tick);
    if (on_sample) on_sample();
    unit_.Edge();
    const Tick next{++cycle_, false};
    for (InputEnd& end : inputs_) end.Drive(next);
    for (OutputEnd& end : outputs_) end.Drive(next);
    if (on_cycle) on_cycle(tick.cycle);
  }
  void Reset() {
    for (int i = 0; i < 3; ++i) Cycle(true);
  }
  void Run(int cycles) {
    for (int i = 0; i < cycles; ++i) Cycle();
  }
  // Until all sources are empty and nothing has been taken for `quiet` cycles.
  void RunDry(int quiet = 2000, int limit = 1000000) {
    uint64_t moved = Moved();
    for (int still = 0, i = 0; still < quiet; ++i) {
      Cycle();
      const uint64_t now = Moved();
      still = now == moved ? still + 1 : 0;
      moved = now;
      if (i == limit) {
        ADD_FAILURE() << "no end after " << limit << " cycles";
        return;
      }
    }
    for (const InputEnd& end : inputs_) {
      EXPECT_TRUE(end.source.empty()) << "input " << end.index << " " << end.source.Describe();
    }
  }
  void ExpectNoViolations() const {
    for (const Violation& violation : violations_.kept()) {
      ADD_FAILURE() << violation.rule << ": " << violation.message;
    }
  }

 private:
  uint64_t Moved() const {
    uint64_t moved = 0;
    for (const InputEnd& end : inputs_) moved += end.source.beats_accepted();
    for (const OutputEnd& end : outputs_) moved += end.sink.beats_taken();
    return moved;
  }

  Rng rng_;
  VerilatedUnit<V> unit_;
  ViolationList violations_;
  std::deque<InputEnd> inputs_;
  std::deque<OutputEnd> outputs_;
  uint64_t cycle_ = 0;
};

inline std::vector<uint8_t> RandomBytes(Rng& rng, uint64_t count) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng());
  return bytes;
}

// Pushes packets and pieces of random length, the last one with TLAST.
inline void PushRandom(StreamSource& source, Rng& rng, int pieces, uint64_t longest) {
  for (int i = 0; i < pieces; ++i) {
    const auto end = i + 1 == pieces ? PieceEnd::kLast : static_cast<PieceEnd>(rng.Below(4));
    source.Push(RandomBytes(rng, rng.Below(longest + 1)), end);
  }
}

inline StreamShape RandomShape(Rng& rng) {
  StreamShape shape;
  if (rng.Chance(0.3)) return shape;
  if (rng.Chance(0.5)) shape.partial = 0.3;
  if (rng.Chance(0.5)) shape.sparse = 0.3;
  if (rng.Chance(0.5)) shape.null = 0.3;
  if (rng.Chance(0.5)) shape.sparse_last = 0.3;
  return shape;
}

}  // namespace tessera
