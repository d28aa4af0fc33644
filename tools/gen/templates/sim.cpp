// Simulates @NAME@: reads its registers, then moves a tile through each channel and compares every byte.
//   make -C sim run               builds with Verilator and runs
//   make -C sim TRACE=1 run       leaves @NAME@.vcd too
#include <memory>

#include "V@NAME@.h"
#include "tiles.hpp"
#ifdef TESSERA_TRACE
#include <verilated_vcd_c.h>
#endif

int main() {
  using namespace tessera_bench;
  auto model = std::make_unique<V@NAME@>();
  V@NAME@* m = model.get();
  Bench bench;
  bool tick = true;  // the streams' clock has an edge in this step
  uint64_t time = 0;
#ifdef TESSERA_TRACE
  Verilated::traceEverOn(true);
  VerilatedVcdC trace;
  model->trace(&trace, 99);
  trace.open("@NAME@.vcd");
  const auto dump = [&] { trace.dump(time++); };
#else
  const auto dump = [&] { ++time; };
#endif
  bench.settle = [&] {
    m->eval();
    dump();
    tick = @TICK@;
  };
  bench.edge = [&] {
@EDGES@    dump();
@LOW@  };
  bench.reset = [&](bool on) {
@RESETS@  };
  [[maybe_unused]] const auto stream_edge = [&] { return tick; };
@BINDINGS@
  Expected expected;
@EXPECTED@
  int status = 0;
  TileTest test(bench, expected);
  try {
    test.Run();
    std::printf("@NAME@: moved %llu bytes in %llu cycles, all as they should be\n1 passed, 0 failed\n",
                static_cast<unsigned long long>(test.moved()), static_cast<unsigned long long>(bench.cycle));
  } catch (const std::exception& error) {
    std::printf("@NAME@: %s, after %llu cycles\n0 passed, 1 failed\n", error.what(),
                static_cast<unsigned long long>(bench.cycle));
    status = 1;
  }
#ifdef TESSERA_TRACE
  trace.close();
#endif
  m->final();
  return status;
}
