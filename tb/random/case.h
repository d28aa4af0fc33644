// One run of an engine pair as a plain value: transfers, stream, back-pressure, memory, trouble.
//
// A case prints as JSON and is read back from it, so that a failing one can be kept, shrunk by hand
// and replayed. Together with the RTL it decides every cycle of a run.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/bus/pacer.h"
#include "tb/check/pieces.h"
#include "tb/model/reference.h"
#include "tb/model/transfer.h"
#include "tb/sim/dut.h"

namespace tessera {

struct Case {
  std::string config;  // name of a configuration
  uint64_t seed = 1;   // of the bench: contents of memory and stream, draws of the pacers
  std::vector<model::Transfer> reads, writes;
  std::vector<StreamPiece> stream;  // that feeds the write engine
  StreamShape shape;
  AxiMemoryOptions memory;  // without error rules
  PacerSpec source, sink;
  bool sink_after_valid = false;
  PacerSpec read_offer, read_take, write_offer, write_take;
  std::vector<model::ErrorRange> read_errors, write_errors;
  std::vector<uint64_t> abort_read, abort_write;  // cycles, ascending
  std::optional<uint64_t> reset;                  // cycle in which aresetn falls for a few cycles
};

using Json = nlohmann::ordered_json;

Json ToJson(const Case& value);
// Fields that are absent keep their defaults. Throws std::invalid_argument naming a field that is
// unknown or a value that is not legal.
Case CaseFromJson(const Json& json);

// The bytes of the stream, drawn from the seed.
std::vector<uint8_t> StreamBytes(const Case& value);
// The stream as the densest beats that mean it.
std::vector<model::StreamBeat> DenseBeats(const Case& value, int stream_bytes);

// True if something that is read is also written, in bus words of the widest bus: then the outcome
// would depend on time.
bool Collides(const Case& value, const Config& config);

// Makes a case that was changed sensible again: the stream feeds every write, a loopback writes
// what it reads, nothing stays held at the end. False if it cannot be: what is read is also
// written, or it is too much work.
bool Repair(Case* value, const Config& config);

}  // namespace tessera
