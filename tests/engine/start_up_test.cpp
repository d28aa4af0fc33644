// What registers hold before the reset never shows: two runs that differ in nothing else are the
// same on every pin in every cycle.
#include <algorithm>
#include <vector>

#include "tb/random/generate.h"
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

// Everything a neighbour can see of a cycle: payload only where it is valid, bytes only where they
// are kept or strobed.
class Visible : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick& tick) override {
    if (tick.reset) return;
    const PairPorts& pins = bench.dut();
    hash_ = Mix64(tick.cycle);
    for (const bool pin :
         {pins.read.transfer.ready, pins.write.transfer.ready, pins.read.done.valid,
          pins.write.done.valid, pins.read.idle, pins.write.idle, pins.axi.ar.valid,
          pins.axi.r.ready, pins.axi.aw.valid, pins.axi.w.valid, pins.axi.b.ready,
          pins.m_axis.valid, pins.s_axis.ready}) {
      Add(pin ? 1 : 0);
    }
    if (pins.axi.ar.valid)
      AddAddress(pins.axi.ar->addr, pins.axi.ar->len, pins.axi.ar->size, pins.axi.ar->burst);
    if (pins.axi.aw.valid)
      AddAddress(pins.axi.aw->addr, pins.axi.aw->len, pins.axi.aw->size, pins.axi.aw->burst);
    if (pins.axi.w.valid) AddBeat(pins.axi.w->data, pins.axi.w->strb, pins.axi.w->last);
    if (pins.m_axis.valid) AddBeat(pins.m_axis->data, pins.m_axis->keep, pins.m_axis->last);
    if (pins.read.done.valid) AddRecord(pins.read.done.payload);
    if (pins.write.done.valid) AddRecord(pins.write.done.payload);
    cycles.push_back(hash_);
  }
  std::vector<uint64_t> cycles;

 private:
  void Add(uint64_t value) { hash_ = Mix64(hash_ ^ value); }
  void AddAddress(uint64_t addr, int len, int size, int burst) {
    Add(addr);
    Add(static_cast<uint64_t>((len << 16) | (size << 8) | burst));
  }
  void AddBeat(const BusData& data, const LaneMask& keep, bool last) {
    Add(keep.word[0]);
    Add(keep.word[1]);
    Add(last ? 1 : 0);
    for (int lane = 0; lane < kMaxBusBytes; ++lane) {
      if (keep[lane]) Add(data[static_cast<size_t>(lane)]);
    }
  }
  void AddRecord(const rtl::Done& done) {
    for (const uint64_t field : {done.addr, done.bytes, done.dropped, uint64_t{done.last ? 1u : 0u},
                                 uint64_t{done.status}}) {
      Add(field);
    }
  }
  uint64_t hash_ = 0;
};

using StartUp = EngineTest;

TEST_P(StartUp, StateOfRegistersDoesNotShow) {
  Proves({"x.start-up"});
  uint64_t cycles = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const Case value = RandomCase(config(), seed);
    Visible first;
    for (const uint64_t start_up : {11u, 12u, 13u}) {
      Visible other;
      const auto bench = MakeBench(value, start_up);
      bench->AddHook(start_up == 11 ? &first : &other);
      const BenchResult result = bench->Run();
      ASSERT_TRUE(result.passed()) << "start-up " << start_up << ": " << result.message;
      if (start_up == 11) continue;
      const size_t common = std::min(first.cycles.size(), other.cycles.size());
      for (size_t n = 0; n < common; ++n) {
        ASSERT_EQ(first.cycles[n], other.cycles[n])
            << "seed " << seed << ", start-up 11 and " << start_up << ": the " << n
            << ". cycle out of reset differs\n"
            << ToJson(value).dump();
      }
      ASSERT_EQ(first.cycles.size(), other.cycles.size());
    }
    cycles += first.cycles.size();
  }
  EXPECT_GT(cycles, 1000u);
}

TESSERA_EVERY_CONFIG(StartUp);

}  // namespace
}  // namespace tessera
