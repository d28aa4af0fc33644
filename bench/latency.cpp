// See measure.h.
#include "bench/measure.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::bench {
namespace {

using Event = LatencyRow::Event;

constexpr uint64_t kTransfers = 32;
constexpr uint32_t kBytes = 200;
constexpr uint64_t kPlanning = 20;  // cycles after which a transfer has surely been planned

bool IsRead(Event event) { return event == Event::kAcceptToAr || event == Event::kRToT; }

model::Transfer Make(const LatencyRow& row, uint64_t i) {
  model::Transfer t;
  t.base = 0x1000'0000 + i * 4096 + row.offset;
  t.count[0] = kBytes;
  t.stride[0] = 1;
  if (row.walk) {  // 2 x 2 rows
    t.count[0] = kBytes / 4;
    t.stride[1] = row.touching ? kBytes / 4 : 1024;
    t.walk[0] = model::WalkLevel{1, 1, 2};
    t.walk[2] = model::WalkLevel{1, 2, 2};
  }
  return t;
}

// Holds the packet of each transfer back until the transfer has been planned.
class Gate : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick& tick) override {
    const uint64_t width = static_cast<uint64_t>(bench.dut().config().stream_bytes);
    uint64_t open = 0;  // packets that may come
    for (const JobResult& job : bench.writes()) {
      if (job.accepted != kNever && job.accepted + kPlanning <= tick.cycle) ++open;
    }
    bench.source().Hold(bench.source().beats_accepted() >= open * Beats(kBytes, width));
  }

 private:
  static uint64_t Beats(uint64_t bytes, uint64_t width) { return (bytes + width - 1) / width; }
};

uint64_t Cycles(Event event, const EventStamps& s) {
  switch (event) {
    case Event::kAcceptToAr:
    case Event::kAcceptToAw:
      return s.address - s.accepted;
    case Event::kRToT:
      return s.t_valid - s.r_valid;
    case Event::kTToAw:
      return s.address - s.t_valid;
    case Event::kTToW:
      return s.w_valid - s.t_valid;
    case Event::kBToDone:
      return s.done_valid - s.last_b;
  }
  return 0;
}

}  // namespace

LatencyResult MeasureLatency(const LatencyRow& row, const Config& config) {
  LatencyResult result;
  Work work(config, row.latency);
  work.options().read.one_by_one = work.options().write.one_by_one = true;
  std::vector<model::Transfer> chain;
  for (uint64_t i = 0; i < kTransfers; ++i) chain.push_back(Make(row, i));
  const bool read = IsRead(row.event);
  if (read) {
    work.Read(chain);
  } else {
    work.Write(chain);
    for (uint64_t i = 0; i < kTransfers; ++i) work.Packet(kBytes);
  }
  EngineBench& bench = work.Make();
  Gate gate;
  if (row.event == Event::kTToAw || row.event == Event::kTToW) {
    bench.source().Hold(true);
    bench.AddHook(&gate);
  }
  result.error = work.Run();
  if (!result.error.empty()) return result;

  result.least = kNever;
  for (const JobResult& job : read ? bench.reads() : bench.writes()) {
    const uint64_t cycles = Cycles(row.event, job.stamps);
    result.least = std::min(result.least, cycles);
    result.most = std::max(result.most, cycles);
  }
  result.pass = !row.target || result.most <= static_cast<uint64_t>(*row.target);
  return result;
}

}  // namespace tessera::bench
