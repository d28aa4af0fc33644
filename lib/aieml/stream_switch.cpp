// See stream_switch.h.
#include "lib/aieml/stream_switch.h"

#include <fmt/format.h>

namespace tessera::aieml {
namespace {

struct Group {
  PortKind kind;
  uint32_t count;
};

using enum PortKind;
constexpr Group kShimMasters[] = {{kControl, 1}, {kFifo, 1},  {kSouth, 6},
                                  {kWest, 4},    {kNorth, 6}, {kEast, 4}};
constexpr Group kShimSlaves[] = {{kControl, 1}, {kFifo, 1}, {kSouth, 8}, {kWest, 4},
                                 {kNorth, 4},   {kEast, 4}, {kTrace, 2}};
constexpr Group kMemoryMasters[] = {{kDma, 6}, {kControl, 1}, {kSouth, 4}, {kNorth, 6}};
constexpr Group kMemorySlaves[] = {{kDma, 6}, {kControl, 1}, {kSouth, 6}, {kNorth, 4}, {kTrace, 1}};
constexpr Group kComputeMasters[] = {{kCore, 1},  {kDma, 2},  {kControl, 1}, {kFifo, 1},
                                     {kSouth, 4}, {kWest, 4}, {kNorth, 6},   {kEast, 4}};
constexpr Group kComputeSlaves[] = {{kCore, 1}, {kDma, 2},   {kControl, 1}, {kFifo, 1}, {kSouth, 6},
                                    {kWest, 4}, {kNorth, 4}, {kEast, 4},    {kTrace, 2}};

std::vector<Port> Ports(std::span<const Group> groups) {
  std::vector<Port> ports;
  for (const Group& group : groups) {
    for (uint32_t n = 0; n < group.count; ++n) ports.push_back({group.kind, n});
  }
  return ports;
}

std::optional<uint32_t> Index(const std::vector<Port>& ports, PortKind kind, uint32_t number) {
  for (uint32_t n = 0; n < ports.size(); ++n) {
    if (ports[n].kind == kind && ports[n].number == number) return n;
  }
  return std::nullopt;
}

}  // namespace

std::string_view NameOf(PortKind kind) {
  constexpr std::string_view kNames[] = {"core", "DMA",   "control", "FIFO", "south",
                                         "west", "north", "east",    "trace"};
  return kNames[static_cast<size_t>(kind)];
}

StreamSwitch::StreamSwitch(TileKind kind) : kind_(kind) {
  const bool memory = kind == TileKind::kMemory;
  first_master_ = memory ? 0xb0000 : 0x3f000;
  first_slave_ = first_master_ + 0x100;
  first_slot_ = first_master_ + 0x200;
  master_ports_ = Ports(kind == TileKind::kShim ? std::span<const Group>(kShimMasters)
                        : memory                ? std::span<const Group>(kMemoryMasters)
                                                : std::span<const Group>(kComputeMasters));
  slave_ports_ = Ports(kind == TileKind::kShim ? std::span<const Group>(kShimSlaves)
                       : memory                ? std::span<const Group>(kMemorySlaves)
                                               : std::span<const Group>(kComputeSlaves));
  outputs_.assign(master_ports_.size(), nullptr);
  inputs_.assign(slave_ports_.size(), nullptr);
  wired_ = inputs_;
  Reset();
}

void StreamSwitch::Reset() {
  masters_.assign(master_ports_.size(), 0);
  slaves_.assign(slave_ports_.size(), SlavePort{});
  owner_.fill(-1);
  turn_.fill(0);
  open_ = 0;
}

bool StreamSwitch::Isolated(PortKind kind) const {
  const uint32_t side = kind == PortKind::kSouth   ? 1
                        : kind == PortKind::kWest  ? 2
                        : kind == PortKind::kNorth ? 4
                        : kind == PortKind::kEast  ? 8
                                                   : 0;
  return (isolated_ & side) != 0;
}

void StreamSwitch::Isolate(uint32_t sides) {
  if (sides == isolated_) return;
  isolated_ = sides;
  for (uint32_t n = 0; n < wired_.size(); ++n) ConnectSlave(n, wired_[n]);
}

std::optional<uint32_t> StreamSwitch::Master(PortKind kind, uint32_t number) const {
  return Index(master_ports_, kind, number);
}
std::optional<uint32_t> StreamSwitch::Slave(PortKind kind, uint32_t number) const {
  return Index(slave_ports_, kind, number);
}

uint32_t* StreamSwitch::RegisterAt(uint32_t offset) {
  const uint32_t master = (offset - first_master_) / 4, slave = (offset - first_slave_) / 4;
  const uint32_t slot = (offset - first_slot_) / 4;
  if (offset >= first_slot_ && slot / 4 < slaves_.size()) return &slaves_[slot / 4].slots[slot % 4];
  if (offset >= first_slave_ && slave < slaves_.size()) return &slaves_[slave].control;
  if (offset >= first_master_ && master < masters_.size()) return &masters_[master];
  return nullptr;
}

bool StreamSwitch::Read(uint32_t offset, uint32_t* value) const {
  const uint32_t* word = const_cast<StreamSwitch*>(this)->RegisterAt(offset);
  if (word != nullptr) *value = *word;
  return word != nullptr;
}

bool StreamSwitch::Write(uint32_t offset, uint32_t value) {
  uint32_t* word = RegisterAt(offset);
  if (word != nullptr) *word = value;
  return word != nullptr;
}

void StreamSwitch::Clock() {
  for (uint32_t n = 0; n < slaves_.size(); ++n) {
    if (inputs_[n] == nullptr || inputs_[n]->Empty()) continue;
    if (Circuit(slaves_[n].control)) {
      ClockCircuit(n);
    } else if (Packet(slaves_[n].control)) {
      OpenPacket(n);
    }
  }
  for (uint32_t n = 0; open_ != 0 && n < owner_.size(); ++n) ClockArbiter(n);
}

void StreamSwitch::ClockCircuit(uint32_t slave) {
  Link& input = *inputs_[slave];
  bool any = false;
  for (const bool push : {false, true}) {
    if (push && !any) return;
    const Word word = input.Front();
    for (size_t m = 0; m < masters_.size(); ++m) {
      if (!Circuit(masters_[m]) || (masters_[m] & 0x7f) != slave || outputs_[m] == nullptr)
        continue;
      any = true;
      if (!push && !outputs_[m]->CanPush()) return;
      if (push) outputs_[m]->Push(word);
    }
  }
  input.Pop();
}

// Finds arbiter and msel of the packet that begins at a slave.
void StreamSwitch::OpenPacket(uint32_t number) {
  SlavePort& slave = slaves_[number];
  if (slave.open) return;
  const uint32_t id = inputs_[number]->Front().data & 31;
  slave.stray = true;
  for (const uint32_t slot : slave.slots) {
    const uint32_t mask = slot >> 16 & 31;
    if ((slot >> 8 & 1) == 0 || (id & mask) != ((slot >> 24 & 31) & mask)) continue;
    slave.arbiter = slot & 7;
    slave.msel = slot >> 4 & 3;
    slave.open = slave.header = true;
    slave.stray = false;
    ++open_;
    return;
  }
}

void StreamSwitch::ClockArbiter(uint32_t arbiter) {
  int& owner = owner_[arbiter];
  const auto count = static_cast<uint32_t>(slaves_.size());
  for (uint32_t n = 0; owner < 0 && n < count; ++n) {
    const uint32_t slave = (turn_[arbiter] + n) % count;
    if (slaves_[slave].open && slaves_[slave].arbiter == arbiter) {
      owner = static_cast<int>(slave);
      turn_[arbiter] = (slave + 1) % count;
    }
  }
  if (owner < 0) return;
  SlavePort& slave = slaves_[static_cast<size_t>(owner)];
  if (inputs_[static_cast<size_t>(owner)] == nullptr) return;
  Link& input = *inputs_[static_cast<size_t>(owner)];
  if (input.Empty()) return;
  const Word word = input.Front();
  bool any = false;
  for (const bool push : {false, true}) {
    if (push && !any) return;
    for (size_t m = 0; m < masters_.size(); ++m) {
      const uint32_t master = masters_[m];
      if (!Packet(master) || (master & 7) != arbiter || (master >> (3 + slave.msel) & 1) == 0 ||
          outputs_[m] == nullptr) {
        continue;
      }
      any = true;
      if (slave.header && (master >> 7 & 1) != 0) continue;  // drops the header
      if (!push && !outputs_[m]->CanPush()) return;
      if (push) outputs_[m]->Push(word);
    }
  }
  input.Pop();
  slave.header = false;
  if (!word.last) return;
  slave.open = false;
  --open_;
  owner = -1;
}

std::vector<std::string> StreamSwitch::Waiting() const {
  std::vector<std::string> all;
  for (size_t n = 0; n < slaves_.size(); ++n) {
    if (inputs_[n] == nullptr || inputs_[n]->Quiet()) continue;
    const Port& port = slave_ports_[n];
    const std::string name = fmt::format("slave {} {}", NameOf(port.kind), port.number);
    if (!SlaveEnabled(static_cast<uint32_t>(n))) {
      all.push_back(name + " has words and is not enabled");
    } else if (slaves_[n].stray && !slaves_[n].open) {
      all.push_back(fmt::format("{} has a packet of id {}, which matches no slot", name,
                                inputs_[n]->Empty() ? 0 : inputs_[n]->Front().data & 31));
    } else {
      all.push_back(name + " has words that no master takes");
    }
  }
  return all;
}

}  // namespace tessera::aieml
