// A job made ready to run: its files read, programs taken apart into transfers, and everything
// refused that could not end well.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "tb/bus/memory.h"
#include "tb/check/pieces.h"
#include "tb/dma/native.h"
#include "tb/model/reference.h"
#include "tb/sim/dut.h"
#include "tools/job/job.h"

namespace tessera::cli {

struct LoadedRegion {
  uint64_t base = 0, size = 0;
  std::vector<uint8_t> data;  // from its beginning on; may be shorter
  std::optional<std::vector<uint8_t>> expect;
};

// One execution of a transfer. What follows its name is of a program for tessera_dma.
struct Step {
  std::string place, name;
  int descriptor = 0;  // its number in the RAM
  bool record = true;  // leaves one also if it has no error
  std::optional<native::LockOp> acquire;
  native::LockOp release;  // value 0: none
  std::string Label() const { return name.empty() ? place : name; }
};

using NumberedDescriptor = std::pair<int, native::Descriptor>;

// A task as the driver pushes it.
struct Push {
  native::Task task;
  uint32_t tag = 0;
  std::string name;                        // of its first descriptor
  std::vector<NumberedDescriptor> writes;  // before it
  size_t after = 0;                        // so many steps of the channel have their records
  size_t first = 0, steps = 0;             // of the channel
};

struct PreparedChannel {
  const job::Channel* channel = nullptr;  // of the job
  std::vector<model::Transfer> transfers;
  std::vector<Step> steps;                     // as transfers
  std::vector<Push> pushes;                    // of a program
  uint32_t trigger = 0;                        // as the register TRIGGER has it
  std::vector<native::Descriptor> list;        // in memory, at channel->list->base
  std::vector<uint8_t> source;                 // what a write channel is fed with
  std::vector<StreamPiece> pieces;             // and how it is cut
  const PreparedChannel* from = nullptr;       // or the read channel that feeds it
  std::optional<std::vector<uint8_t>> expect;  // what a read channel must carry
  uint64_t payload = 0;                        // bytes that it moves, at most
  std::unordered_set<uint64_t> words;  // of the bus, that it writes; filled where writes can fail
  bool endless() const { return !channel->tasks.empty() && channel->tasks.back().endless; }
  bool ring() const { return channel->list && channel->list->ring; }
  bool write() const { return channel->direction == Direction::kWrite; }
};

struct Prepared {
  job::Job job;
  job::Hardware hardware;
  std::vector<LoadedRegion> regions;      // as job.memories
  std::vector<PreparedChannel> channels;  // as job.channels
  std::vector<model::ErrorRange> read_errors, write_errors;
  std::vector<NumberedDescriptor> descriptors;  // that are written before all tasks
  std::vector<std::string> notes;               // what a user may not have meant

  Prepared() = default;
  Prepared(const Prepared&) = delete;  // channels point into `job` and to each other
  Prepared& operator=(const Prepared&) = delete;

  const Config& config() const { return hardware.config; }
  // The stream of the channel has no pins.
  bool Joined(const PreparedChannel& c) const {
    return hardware.dma ? hardware.dma->joined(c.channel->engine) : config().loopback;
  }
  void LoadInto(Memory* memory) const;
};

// The build of tessera_dma with this name; throws as FindHardware does.
job::Hardware FindDma(const std::string& where, const std::string& name);
// Configuration `name`, of those linked into this program; throws job::Error naming them if there
// is none.
job::Hardware FindHardware(const std::string& where, const std::string& name);
// A configuration or a build of tessera_dma; throws as they do, naming all.
job::Hardware FindAny(const std::string& where, const std::string& name);

// Throws job::Error: the configuration is not there or cannot do it, a file is missing or too long,
// memories overlap, a transfer leaves every memory; without a program also: it reads what is
// written, or would wait for ever. Of programs CheckProgram (executor.h) says that.
void Prepare(job::Job job, Prepared* out);

}  // namespace tessera::cli
