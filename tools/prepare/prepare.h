// A job made ready to run: its files read, and everything refused that could not end well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "tb/bus/memory.h"
#include "tb/model/reference.h"
#include "tb/random/case.h"
#include "tb/sim/dut.h"
#include "tb/sim/fabric.h"
#include "tools/job/job.h"

namespace tessera::cli {

struct LoadedRegion {
  uint64_t base = 0, size = 0;
  std::vector<uint8_t> data;  // from its beginning on; may be shorter
  std::optional<std::vector<uint8_t>> expect;
};

struct PreparedChannel {
  const job::Channel* channel = nullptr;  // of the job
  std::vector<model::Transfer> transfers;
  std::vector<uint8_t> source;                 // what a write channel is fed with
  std::vector<StreamPiece> pieces;             // and how it is cut
  const PreparedChannel* from = nullptr;       // or the read channel that feeds it
  std::optional<std::vector<uint8_t>> expect;  // what a read channel must carry
  uint64_t payload = 0;                        // bytes that it moves
  std::unordered_set<uint64_t> words;  // of the bus, that it writes; filled where writes can fail
  bool write() const { return channel->direction == Direction::kWrite; }
};

struct Prepared {
  job::Job job;
  job::Hardware hardware;
  std::vector<LoadedRegion> regions;      // as job.memories
  std::vector<PreparedChannel> channels;  // as job.channels
  std::vector<model::ErrorRange> read_errors, write_errors;
  std::vector<std::string> notes;  // what a user may not have meant

  Prepared() = default;
  Prepared(const Prepared&) = delete;  // channels point into `job` and to each other
  Prepared& operator=(const Prepared&) = delete;

  const Config& config() const { return hardware.config; }
  void LoadInto(Memory* memory) const;
};

// Configuration `name`, of those linked into this program; throws job::Error naming them if there
// is none.
job::Hardware FindHardware(const std::string& where, const std::string& name);
job::Hardware HardwareOf(const FabricConfig& fabric);

// Throws job::Error: the configuration is not there or cannot do it, a file is missing or too long,
// memories overlap, a transfer leaves every memory, reads what is written, or would wait for ever.
void Prepare(job::Job job, Prepared* out);

}  // namespace tessera::cli
