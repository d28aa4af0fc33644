// What registers hold before the reset never shows: runs of a program that differ in nothing else
// are the same on every pin in every cycle, and so is every register at the end.
#include <verilated.h>

#include <algorithm>
#include <vector>

#include "tb/check/plan.h"
#include "tb/dma/woven_run.h"
#include "tb/sim/rng.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

// A hash of all that a neighbour can see of each cycle: payload only where it is valid, bytes only
// where they are kept or strobed.
class Visible {
 public:
  void Look(uint64_t cycle, Dma& dma) {
    hash_ = Mix64(cycle);
    for (int p = 0; p < dma.config().ports; ++p) AddMemory(dma.port(p));
    AddMemory(dma.list_port());
    for (int k = 0; k < dma.config().streams(); ++k) {
      const StreamPort& out = dma.streams(k).m_axis;
      Add(out.valid);
      Add(dma.streams(k).s_axis.ready);
      if (!out.valid) continue;
      AddBytes(out->data, out->keep, out->last);
      if (dma.config().side) Add(native::SideWord(out->side));
    }
    const AxiLitePort& registers = dma.registers();
    for (const bool pin : {registers.ar.ready, registers.aw.ready, registers.w.ready,
                           registers.r.valid, registers.b.valid, dma.irq, dma.control.ready}) {
      Add(pin);
    }
    if (registers.r.valid) {
      Add(uint64_t{registers.r->data} << 8 | registers.r->resp);
    }
    if (registers.b.valid) Add(registers.b->resp);
    for (const WordPort* words : {&dma.response, &dma.token}) {
      Add(words->valid);
      if (words->valid) Add(uint64_t{words->payload.data} << 1 | (words->payload.last ? 1 : 0));
    }
    for (const uint32_t pins : {dma.irq_channels, dma.event_transfers, dma.event_tasks}) Add(pins);
    cycles.push_back(hash_);
  }
  std::vector<uint64_t> cycles;

 private:
  void Add(uint64_t value) { hash_ = Mix64(hash_ ^ value); }
  void AddMemory(const AxiPort& port) {
    for (const bool pin :
         {port.ar.valid, port.r.ready, port.aw.valid, port.w.valid, port.b.ready}) {
      Add(pin);
    }
    for (const auto* channel : {&port.ar, &port.aw}) {
      if (!channel->valid) continue;
      const AxiAddress& address = channel->payload;
      Add(address.addr);
      Add(uint64_t{address.id} << 48 | uint64_t{address.len} << 40 | uint64_t{address.size} << 32 |
          uint64_t{address.burst} << 24 | uint64_t{address.qos} << 16 |
          uint64_t{address.cache} << 8 | address.prot);
    }
    if (port.w.valid) AddBytes(port.w->data, port.w->strb, port.w->last);
  }
  void AddBytes(const BusData& data, const LaneMask& keep, bool last) {
    Add(last);
    for (int lane = 0; lane < kMaxBusBytes; ++lane) {
      if (keep[lane])
        Add(uint64_t{data[static_cast<size_t>(lane)]} << 8 | static_cast<uint64_t>(lane));
    }
  }
  uint64_t hash_ = 0;
};

class StartUp : public ::testing::TestWithParam<std::string> {
 protected:
  // Reads every register that may be there; the bus shows what comes.
  static void ReadAll(DmaBench& bench) {
    const auto read = [&](uint32_t from, uint32_t bytes) {
      for (uint32_t at = from; at < from + bytes; at += 4) {
        uint32_t value = 0;
        bench.Read(at, &value);
      }
    };
    const DmaConfig& config = bench.config();
    read(0, 0x100);
    for (int c = 0; c < config.channels(); ++c) {
      const bool reads = c < config.reads;
      const int number = reads ? c : c - config.reads;
      read(native::Channel(reads ? kRead : kWrite, number), 0x100);
      read(native::kWindows + 0x200 * static_cast<uint32_t>(reads ? c : 16 + number), 0x200);
    }
    const auto descriptors = static_cast<uint32_t>(config.descriptors);
    read(native::kLocks, 0x10 * static_cast<uint32_t>(config.locks));
    for (const uint32_t bank : {native::kDescriptors, native::kBounds, native::kWalks}) {
      read(bank, 0x40 * descriptors);
    }
    read(native::kTurns, 4 * descriptors);
  }
};

TEST_P(StartUp, StateOfRegistersDoesNotShow) {
  Proves({"program.start-up"});
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Disturbance disturbance = seed % 2 == 1 ? Disturbance::kNone : Disturbance::kReset;
    Visible first;
    for (const uint64_t start_up : {11U, 12U, 13U}) {
      Visible other;
      Visible& seen = start_up == 11 ? first : other;
      const ProgramResult result = RunWoven(
          GetParam(), seed, disturbance,
          WovenLook{.start_up = start_up,
                    .begin =
                        [&](DmaBench& bench) {
                          // Crossings of pins are late at random: alike in all three.
                          Verilated::threadContextp()->randSeed(1);
                          bench.Watch([&](uint64_t cycle) { seen.Look(cycle, bench.dma()); });
                        },
                    .end = ReadAll});
      ASSERT_TRUE(result.message.empty()) << "start-up " << start_up << ": " << result.message;
      if (start_up == 11) continue;
      const auto [a, b] = std::mismatch(first.cycles.begin(), first.cycles.end(),
                                        other.cycles.begin(), other.cycles.end());
      ASSERT_TRUE(a == first.cycles.end() && b == other.cycles.end())
          << "seed " << seed << ", start-up 11 and " << start_up << ": cycle "
          << a - first.cycles.begin() << " out of reset differs";
    }
    EXPECT_GT(first.cycles.size(), 1000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, StartUp, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
