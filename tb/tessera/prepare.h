// A job made ready to run: its files read, and everything refused that could not end well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/bus/memory.h"
#include "tb/job/job.h"
#include "tb/model/reference.h"
#include "tb/random/case.h"
#include "tb/sim/dut.h"

namespace tessera::cli {

struct LoadedRegion {
  uint64_t base = 0, size = 0;
  std::vector<uint8_t> data;  // from its beginning on; may be shorter
  std::optional<std::vector<uint8_t>> expect;
};

struct Prepared {
  job::Job job;
  Config config;
  std::vector<LoadedRegion> regions;   // as job.memories
  const job::Channel* read = nullptr;  // of `job`
  const job::Channel* write = nullptr;
  std::vector<model::Transfer> reads, writes;
  std::vector<uint8_t> source;                 // what the write channel is fed with
  std::vector<StreamPiece> pieces;             // and how it is cut
  std::optional<std::vector<uint8_t>> expect;  // what the read channel must carry
  std::vector<model::ErrorRange> read_errors, write_errors;
  bool joined = false;             // the read channel feeds the write channel
  uint64_t payload[2] = {0, 0};    // bytes of the read and the write channel
  std::vector<std::string> notes;  // what a user may not have meant

  Prepared() = default;
  Prepared(const Prepared&) = delete;  // `read` and `write` point into `job`
  Prepared& operator=(const Prepared&) = delete;

  void LoadInto(Memory* memory) const;
};

// Configuration `name` of those linked into this program; throws job::Error naming them if there is
// none.
Config FindConfiguration(const std::string& where, const std::string& name);

// Throws job::Error: the configuration is not there or cannot do it, a file is missing or too long,
// memories overlap, a transfer leaves every memory, reads what is written, or would wait for ever.
void Prepare(job::Job job, Prepared* out);

}  // namespace tessera::cli
