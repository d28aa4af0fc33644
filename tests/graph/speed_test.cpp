// The speed of a graph: four kernels between two GMIO, against the same transfers of the same
// device without a graph, 1 MiB each way.
#include <array>
#include <cstdio>
#include <ctime>

#include "sw/driver/tessera/driver.hpp"
#include "tessera/dma.hpp"
#include "tests/graph/fixture.h"

namespace tessera::graph {
namespace {

constexpr size_t kBytes = size_t{1} << 20;
constexpr size_t kBlock = 4096;

void copy_block(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < kBlock / 4; ++n) window_writeincr(out, window_readincr(in) + 1);
}

class Four : public adf::graph {
 public:
  adf::GMIO in{"in", 256, 1000}, out{"out", 256, 1000};
  adf::kernel k[4];
  Four() {
    for (auto& kernel : k) kernel = adf::kernel::create(copy_block);
    adf::connect<adf::window<kBlock>>(in.out[0], k[0].in[0]);
    for (int n = 0; n < 3; ++n) {
      adf::connect<adf::window<kBlock>>(k[n].out[0], k[n + 1].in[0]);
    }
    adf::connect<adf::window<kBlock>>(k[3].out[0], out.in[0]);
  }
};

struct Times {
  double seconds = 0;
  uint64_t cycles = 0;
};
// Of the processor, so that other work of the machine does not count.
double Now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Times WithGraph() {
  Restart({});
  Four g;
  auto* from = static_cast<int32*>(adf::GMIO::malloc(kBytes));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(kBytes));
  for (size_t n = 0; n < kBytes / 4; ++n) from[n] = static_cast<int32>(n);
  EXPECT_EQ(g.init(), adf::return_code::ok);
  EXPECT_EQ(g.run(kBytes / kBlock), adf::return_code::ok);
  const double begin = Now();
  const uint64_t cycle = TheEngine().cycle();
  g.in.gm2aie_nb(from, kBytes);
  g.out.aie2gm_nb(to, kBytes);
  EXPECT_EQ(g.out.wait(), adf::return_code::ok);
  const Times run{Now() - begin, TheEngine().cycle() - cycle};
  for (size_t n = 0; n < kBytes / 4; ++n) {
    if (to[n] != static_cast<int32>(n) + 4) {
      ADD_FAILURE() << "word " << n << " is " << to[n];
      break;
    }
  }
  EXPECT_EQ(g.end(), adf::return_code::ok);
  Restart({});
  return run;
}

// The driver's bus on the same device.
struct Bus {
  sim::Dma* dma;
  uint32_t read32(uint32_t offset) {
    uint32_t value = 0;
    EXPECT_TRUE(dma->Read32(offset, value));
    return value;
  }
  void write32(uint32_t offset, uint32_t value) { EXPECT_TRUE(dma->Write32(offset, value)); }
  void barrier() {}
};

// Two read channels that are looped to two write channels: what the graph makes of its edges and
// windows.
Times WithoutGraph() {
  sim::Dma dma;
  std::vector<uint8_t> memory(4 * kBytes);
  dma.AttachBuffer(0x100000000, memory.data(), memory.size());
  Bus bus{&dma};
  driver::Device<Bus> device(bus);
  EXPECT_TRUE(device.Open().ok());
  using Channel = driver::Channel<Bus>;
  std::array<Channel, 2> reads{Channel(device, driver::Direction::kToStream, 0),
                               Channel(device, driver::Direction::kToStream, 1)};
  std::array<Channel, 2> writes{Channel(device, driver::Direction::kFromStream, 0),
                                Channel(device, driver::Direction::kFromStream, 1)};
  std::vector<uint8_t> data;
  std::vector<size_t> packets;
  dma.EveryCycle([&] {
    for (int n = 0; n < 2; ++n) {
      data.clear();
      packets.clear();
      dma.Take(n, data, packets);
      if (!data.empty()) dma.Send(n, data.data(), data.size(), sim::End::kOpen);
    }
  });
  uint32_t slot = 0;
  const auto start = [&](Channel& channel, uint64_t address) {
    EXPECT_TRUE(channel.Open().ok());
    driver::Descriptor descriptor;
    descriptor.Base(address).Dim(0, kBytes, 1).Last(driver::LastRule::kNever);
    driver::WriteDescriptor(device, slot, descriptor);
    return channel.Push(slot++).value;
  };
  const double begin = Now();
  const uint64_t cycle = dma.cycle();
  std::vector<uint32_t> tickets;
  for (size_t n = 0; n < 2; ++n) {
    start(writes[n], 0x100000000 + (2 + n) * kBytes);
    tickets.push_back(start(reads[n], 0x100000000 + n * kBytes));
  }
  while (writes[0].outstanding() + writes[1].outstanding() != 0) {
    for (int n = 0; n < 1000; ++n) dma.Step();
    for (Channel& channel : writes) channel.Service();
  }
  return {Now() - begin, dma.cycle() - cycle};
}

TEST(Speed, AGraphHasFourFifthsOfTheSpeedOfItsTraffic) {
  if (!TESSERA_GRAPH_ON_RTL) GTEST_SKIP() << "build graph of tessera_dma is not there";
  double best = 0;
  for (int attempt = 0; attempt < 3 && best < 0.8; ++attempt) {  // the machine has other work too
    const Times plain = WithoutGraph(), graph = WithGraph();
    const double plain_speed = static_cast<double>(plain.cycles) / plain.seconds;
    const double graph_speed = static_cast<double>(graph.cycles) / graph.seconds;
    std::printf("without graph %llu cycles, %.2f s; with graph %llu cycles, %.2f s; speed %.2f\n",
                static_cast<unsigned long long>(plain.cycles), plain.seconds,
                static_cast<unsigned long long>(graph.cycles), graph.seconds,
                graph_speed / plain_speed);
    best = std::max(best, graph_speed / plain_speed);
  }
  EXPECT_GE(best, 0.8);
}

}  // namespace
}  // namespace tessera::graph
