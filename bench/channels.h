// Many channels on one port: what of the limit they reach together, how they share it, and what
// each stage of the fabric adds.
//
// The memory is that of the bench; streams are always ready and always valid; every channel always
// has a transfer to go on with. Bus rules are checked in the same run; data, by the tests of the
// fabric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/sim/fabric.h"

namespace tessera::bench {

struct ChannelRow {
  enum class Kind : uint8_t { kTotal, kShare, kAdded };
  std::string id;    // "channels/read/4096/n8/L20"
  std::string what;  // what a reader is told
  Kind kind = Kind::kTotal;
  std::string config;  // of cmake/fabrics.json
  Direction direction = Direction::kRead;
  uint32_t latency = 1;
  std::vector<int> weights;     // of the channels that have work, one each
  std::vector<uint64_t> bytes;  // of a transfer, by channel in turn
  bool quick = false;
};

struct ChannelResult {
  std::string error;   // empty if it ran
  double value = 0.0;  // utilisation; the least share over what is due; cycles
  double limit = 0.0;  // utilisation that bus and memory allow; 1; cycles at most
  double target = 0.0;
  bool pass = false;
};

std::vector<ChannelRow> AllChannelRows();

ChannelResult MeasureChannels(const ChannelRow& row, const FabricConfig& config);

}  // namespace tessera::bench
