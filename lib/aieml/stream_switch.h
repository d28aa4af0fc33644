// A model of the stream switch of a tile, which obeys its registers.
//
// Circuit mode: a master takes the words of the slave that its configuration names; a slave with
// more masters moves when all of them can. Packet mode: the first word of a packet is its header;
// the first slot of the slave that matches gives arbiter and msel; an arbiter serves one slave
// until TLAST, slaves in turn; the packet goes to every master of that arbiter that listens to that
// msel, to those that drop headers without its first word. A packet that matches no slot, or
// reaches no master, waits; Waiting() tells so. A word takes one cycle through a switch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/aieml/link.h"
#include "lib/aieml/registers.h"

namespace tessera::aieml {

enum class PortKind : uint8_t {
  kCore,
  kDma,
  kControl,
  kFifo,
  kSouth,
  kWest,
  kNorth,
  kEast,
  kTrace
};
std::string_view NameOf(PortKind kind);

struct Port {
  PortKind kind;
  uint32_t number;
};

class StreamSwitch {
 public:
  explicit StreamSwitch(TileKind kind);

  // Ports by their index: the offset from the first register, divided by 4.
  const std::vector<Port>& masters() const { return master_ports_; }
  const std::vector<Port>& slaves() const { return slave_ports_; }
  std::optional<uint32_t> Master(PortKind kind, uint32_t number) const;
  std::optional<uint32_t> Slave(PortKind kind, uint32_t number) const;

  // The streams at the ports; a port without one takes nothing and gives nothing.
  void ConnectMaster(uint32_t index, Link* link) { outputs_[index] = link; }
  void ConnectSlave(uint32_t index, Link* link) {
    wired_[index] = link;
    inputs_[index] = Isolated(slave_ports_[index].kind) ? nullptr : link;
  }
  // Null: none.
  const Link* MasterLink(uint32_t index) const {
    return index < outputs_.size() ? outputs_[index] : nullptr;
  }
  const Link* SlaveLink(uint32_t index) const {
    return index < inputs_.size() ? inputs_[index] : nullptr;
  }
  // Nothing comes in from these sides: bit 0 south, 1 west, 2 north, 3 east.
  void Isolate(uint32_t sides);

  // Registers, at offsets of the tile; false if it is none of the switch.
  bool Read(uint32_t offset, uint32_t* value) const;
  bool Write(uint32_t offset, uint32_t value);
  void Reset();

  void Clock();

  bool SlaveEnabled(uint32_t index) const { return slaves_[index].control >> 31 != 0; }
  // What stands still because no register leads it on: a sentence for each port.
  std::vector<std::string> Waiting() const;

 private:
  struct SlavePort {
    uint32_t control = 0;
    std::array<uint32_t, 4> slots{};
    // The packet under way.
    bool open = false;
    uint32_t arbiter = 0, msel = 0;
    bool header = false;  // the next word is the header
    bool stray = false;   // a packet waits that no slot matches
  };

  bool Packet(uint32_t control) const { return (control >> 30 & 3) == 3; }
  bool Circuit(uint32_t control) const { return (control >> 30 & 3) == 2; }
  void ClockCircuit(uint32_t slave);
  void OpenPacket(uint32_t slave);
  void ClockArbiter(uint32_t arbiter);
  uint32_t* RegisterAt(uint32_t offset);

  TileKind kind_;
  uint32_t first_master_, first_slave_, first_slot_;
  std::vector<Port> master_ports_, slave_ports_;
  std::vector<uint32_t> masters_;
  std::vector<SlavePort> slaves_;
  bool Isolated(PortKind kind) const;
  std::vector<Link*> outputs_, inputs_, wired_;  // inputs that are not isolated; all
  uint32_t isolated_ = 0;
  uint32_t open_ = 0;               // packets under way
  std::array<int, 8> owner_{};      // slave that an arbiter serves; -1: none
  std::array<uint32_t, 8> turn_{};  // where the next search begins
};

}  // namespace tessera::aieml
