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
    const DutOutputs& out = bench.dut().out;
    hash_ = Mix64(tick.cycle);
    for (const bool pin : {out.rd_ready, out.wr_ready, out.rd_done_valid, out.wr_done_valid,
                           out.rd_idle, out.wr_idle, out.arvalid, out.rready, out.awvalid,
                           out.wvalid, out.bready, out.m_tvalid, out.s_tready}) {
      Add(pin ? 1 : 0);
    }
    Add(out.wr_held);
    if (out.arvalid) AddAddress(out.araddr, out.arlen, out.arsize, out.arburst);
    if (out.awvalid) AddAddress(out.awaddr, out.awlen, out.awsize, out.awburst);
    if (out.wvalid) AddBeat(out.wdata, out.wstrb, out.wlast);
    if (out.m_tvalid) AddBeat(out.m_tdata, out.m_tkeep, out.m_tlast);
    if (out.rd_done_valid) AddRecord(out.rd_done);
    if (out.wr_done_valid) AddRecord(out.wr_done);
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
