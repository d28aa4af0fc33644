// See lives.h.
#include "tb/system/lives.h"

#include <algorithm>

namespace tessera {

Lives::Lives(FabricBench* bench)
    : bench_(bench), lives_(2 * static_cast<size_t>(bench->fabric().config().channels())) {}

void Lives::Sample(const Tick& tick) {
  const FabricConfig& config = bench_->fabric().config();
  for (int k = 0; k < config.channels(); ++k) {
    for (const Direction d : {Direction::kRead, Direction::kWrite})
      SampleOne(tick, k, d, &lives_[Index(k, d)]);
  }
}

void Lives::Distrust(int k, Direction direction, uint64_t cycle) {
  Stretch& now = lives_[Index(k, direction)].stretches.back();
  now.trust = std::min(now.trust, cycle);
}

void Lives::End(Life* life, uint64_t cycle, bool reset) {
  Stretch& now = life->stretches.back();
  now.to = cycle;
  now.reset = reset;
  Stretch next;
  next.from = cycle + 1;
  // What is still wrong when an abort ends may show afterwards.
  if (!reset && now.trust != kNever) next.trust = next.from;
  life->stretches.push_back(next);
  life->idle = kNever;
}

void Lives::SampleOne(const Tick& tick, int k, Direction direction, Life* life) {
  Fabric& fabric = bench_->fabric();
  const bool read = direction == Direction::kRead;
  const bool in_reset = tick.reset || fabric.state(k, direction).in_reset;
  if (in_reset) {
    if (!life->in_reset) End(life, tick.cycle, true);
    life->stretches.back().from = tick.cycle + 1;
    life->in_reset = true;
    life->aborting = false;
    return;
  }
  life->in_reset = false;
  const PairPorts& pins = fabric.channel(k);
  const bool idle = read ? pins.read.idle : pins.write.idle;
  const bool resetting = fabric.control(k, direction).reset;
  const bool active =
      (read ? pins.read.abort : pins.write.abort) || fabric.quiesce || life->aborting;
  if (active || resetting) life->stretches.back().aborted = true;
  if (active && idle) life->idle = tick.cycle;
  if (!active && !resetting && life->idle != kNever) {
    const uint64_t end = life->idle;
    End(life, end, false);
  }
  life->aborting = fabric.quiesce || (life->aborting && !idle);
}

}  // namespace tessera
