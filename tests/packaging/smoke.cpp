// The simulation target of tessera.core: tessera_dma with its defaults, as FuseSoC builds it, moves
// a tile each way.
#include <cstdio>

#include "Vtessera_dma.h"
#include "tiles.hpp"

int main() {
  using namespace tessera_bench;
  auto model = std::make_unique<Vtessera_dma>();
  Vtessera_dma* m = model.get();
  Bench bench;
  bench.settle = [=] { m->eval(); };
  bench.edge = [=] {
    m->aclk = 1;
    m->eval();
    m->aclk = 0;
  };
  bench.reset = [=](bool on) { m->aresetn = !on; };
  m->m_axis_token_tready = 1;
  m->trigger_in = 0;
  bench.registers = TESSERA_REGISTER_PORT(m, s_axil);
  bench.AddMemory(TESSERA_MEMORY_PORT(m, m_axi, 8));
  bench.AddMemory(TESSERA_LIST_PORT(m, m_axi_list, 8));
  bench.AddSink(TESSERA_STREAM_OUT(m, m_axis, 8, nullptr));
  bench.AddSource(TESSERA_STREAM_IN(m, s_axis, 8, nullptr));
  try {
    TileTest test(bench, Expected());
    test.Run();
    std::printf("moved %llu bytes in %llu cycles\n1 passed, 0 failed\n",
                static_cast<unsigned long long>(test.moved()),
                static_cast<unsigned long long>(bench.cycle));
    return 0;
  } catch (const std::exception& error) {
    std::printf("%s\n0 passed, 1 failed\n", error.what());
    return 1;
  }
}
