// The ports of the tops as channels: AXI4 is five of them, AXI4-Lite five, a stream one, an engine
// two.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pins/types.h"
#include "tb/sim/bus_data.h"
#include "tb/sim/channel.h"
#include "tb/sim/descriptor.h"
#include "tb/sim/names.h"

namespace tessera {

enum class Direction { kRead, kWrite };  // memory to stream, stream to memory
constexpr std::array<std::string_view, 2> NamesOf(Direction) { return {"read", "write"}; }

// AR and AW. Where a port has one ID, or no attributes, these are 0.
struct AxiAddress {
  uint64_t addr = 0;
  uint16_t id = 0;
  uint8_t len = 0, size = 0, burst = 0;
  uint8_t qos = 0, cache = 0, prot = 0, user = 0;
  uint32_t beats() const { return len + 1U; }
  bool operator==(const AxiAddress&) const = default;
};

struct AxiReadBeat {  // R
  BusData data{};
  uint16_t id = 0;
  uint8_t resp = 0;
  bool last = false;
  bool operator==(const AxiReadBeat&) const = default;
};

struct AxiWriteBeat {  // W
  BusData data{};
  LaneMask strb;
  bool last = false;
  bool operator==(const AxiWriteBeat&) const = default;
};

struct AxiWriteResponse {  // B
  uint16_t id = 0;
  uint8_t resp = 0;
  bool operator==(const AxiWriteResponse&) const = default;
};

struct AxiPort {
  Channel<AxiAddress> ar;
  Channel<AxiReadBeat> r;
  Channel<AxiAddress> aw;
  Channel<AxiWriteBeat> w;
  Channel<AxiWriteResponse> b;
};

struct LiteAddress {  // AR and AW
  uint32_t addr = 0;
  uint8_t prot = 0;
  bool operator==(const LiteAddress&) const = default;
};

struct LiteReadData {  // R
  uint32_t data = 0;
  uint8_t resp = 0;
  bool operator==(const LiteReadData&) const = default;
};

struct LiteWriteData {  // W
  uint32_t data = 0;
  uint8_t strb = 0;
  bool operator==(const LiteWriteData&) const = default;
};

struct LiteWriteResponse {  // B
  uint8_t resp = 0;
  bool operator==(const LiteWriteResponse&) const = default;
};

struct AxiLitePort {
  Channel<LiteAddress> ar;
  Channel<LiteReadData> r;
  Channel<LiteAddress> aw;
  Channel<LiteWriteData> w;
  Channel<LiteWriteResponse> b;
};

// A beat of AXI4-Stream. Data of lanes that are not kept mean nothing.
struct AxisBeat {
  BusData data{};
  LaneMask keep;
  bool last = false;
  rtl::DescriptorSide side;  // TDEST, TID and TUSER, where the port has them
};
using StreamPort = Channel<AxisBeat>;

// A beat of a small stream beside the data: tokens, control packets.
struct WordBeat {
  uint32_t data = 0;
  bool last = false;
  bool operator==(const WordBeat&) const = default;
};
using WordPort = Channel<WordBeat>;

// Transfers in, records out.
struct EnginePort {
  Channel<EngineTransfer> transfer;
  Channel<rtl::Done> done;
  bool abort = false;  // the harness drives it
  bool idle = false;   // as the engine shows it
};

// A read engine and a write engine with their streams and the bus they share.
struct PairPorts {
  EnginePort read, write;
  AxiPort axi;
  StreamPort m_axis, s_axis;

  EnginePort& engine(Direction d) { return d == Direction::kRead ? read : write; }
  const EnginePort& engine(Direction d) const { return d == Direction::kRead ? read : write; }
};

}  // namespace tessera
