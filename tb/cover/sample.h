// What a run of an engine pair hits of the bins of the test plan.
#pragma once

#include "tb/cover/bins.h"
#include "tb/random/case.h"
#include "tb/run/bench.h"

namespace tessera {

// Watches bus and streams, cycle by cycle.
class PinBins : public EngineBench::Hook {
 public:
  explicit PinBins(Bins* bins) : bins_(bins) {}
  void OnCycle(EngineBench& bench, const Tick& tick) override;

 private:
  void Burst(const Config& config, std::string_view channel, uint64_t addr, int len);
  void Streams(const Config& config, const PairPorts& pins);

  Bins* bins_;
};

// The transfers of a case that has run, its surroundings, and its records.
void SampleCase(const Case& value, const EngineBench& bench, Bins* bins);

}  // namespace tessera
