// See speed.h.
#include "bench/speed.h"

#include <ctime>

#include "bench/measure.h"

namespace tessera::bench {
namespace {

constexpr uint64_t kBytes = 4096;
constexpr uint64_t kTransfers = 200;

std::vector<model::Transfer> Copies(uint64_t base) {
  std::vector<model::Transfer> chain(kTransfers);
  for (uint64_t i = 0; i < kTransfers; ++i) {
    chain[i].base = base + i * kBytes + 1;
    chain[i].count[0] = kBytes;
    chain[i].stride[0] = 1;
  }
  return chain;
}

}  // namespace

SpeedResult MeasureSpeed(const Config& config, double seconds) {
  SpeedResult result;
  for (uint64_t seed = 1; result.seconds < seconds && result.error.empty(); ++seed) {
    Work work(config, 20, seed);
    work.Read(Copies(0x1000'0000));
    work.Write(Copies(0x8'0000'0000));
    for (uint64_t i = 0; i < kTransfers; ++i) work.Packet(kBytes);
    work.Make();
    const std::clock_t start = std::clock();
    result.error = work.Run();
    result.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    result.model_seconds += work.run_seconds();
    result.cycles += work.bench().tick().cycle;
  }
  return result;
}

}  // namespace tessera::bench
