// One run of a whole fabric as a plain value: work for every channel, back-pressure, memory, what
// is asked of channels, and what goes wrong, all drawn from one seed.
//
// The same configuration and seed give the same case everywhere; with the RTL it decides every
// cycle. `Keep` names the parts of a case that are left when it is made smaller, as text, so that a
// small failing case needs no file: `--keep "r0:2 w1:1 e3 f0"`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axi_tamper.h"
#include "tb/bus/axis.h"
#include "tb/bus/pacer.h"
#include "tb/model/reference.h"
#include "tb/model/transfer.h"
#include "tb/random/case.h"
#include "tb/random/generate.h"
#include "tb/sim/fabric.h"

namespace tessera {

// What one channel is given, and how its partners behave.
struct ChannelPlan {
  std::vector<model::Transfer> reads, writes;
  std::vector<StreamPiece> stream;
  StreamShape shape;
  PacerSpec source, sink, read_offer, read_take, write_offer, write_take;
  bool sink_after_valid = false;
  Fabric::Standing read_standing, write_standing;
  uint8_t read_stop = 0, write_stop = 0;  // records that stop the channel
  model::Transfer last_read, last_write;  // when all is over: plain copies
};

// Something that is asked of a channel, or that a stream partner does, at a cycle.
struct SystemEvent {
  enum class Kind : uint8_t {
    kPause,
    kDrain,
    kAbort,
    kReset,
    kQuiesce,       // everything to rest, and on
    kRestart,       // everything to rest, then aresetn
    kGivesNothing,  // the source of a channel, until the fault is told
    kTakesNothing,  // its sink
    kTakesBack,     // its source takes a beat back
    kChanges,       // or changes a byte of it while it waits
    kChangesKeep,   // or its TKEEP alone
    kChangesLast,   // or its TLAST alone
  };
  static constexpr int kKinds = 12;
  friend constexpr std::array<std::string_view, kKinds> NamesOf(Kind) {
    return {"pause",      "drain",   "abort",         "reset",
            "quiesce",    "restart", "gives nothing", "takes nothing",
            "takes back", "changes", "changes TKEEP", "changes TLAST"};
  }
  Kind kind = Kind::kPause;
  uint64_t cycle = 0;
  int channel = 0;
  Direction direction = Direction::kRead;
  uint64_t length = 0;  // cycles that it lasts, or before what follows
};

struct SystemCase {
  std::string config;
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  std::vector<model::ErrorRange> read_errors, write_errors;
  std::vector<ChannelPlan> channels;
  std::vector<Fabric::Window> windows;  // as they are written, channels: reads, then writes
  bool ring = false;                    // what channel k reads is what channel k+1 writes
  std::vector<SystemEvent> events;
  std::vector<AxiFault> faults;  // one after the other, between the memory and `fault_port`
  int fault_port = 0;
};

// With kRare now and then a case that reaches rare states; else none, and seeds that once failed
// stay what they were.
SystemCase RandomSystemCase(const FabricConfig& config, uint64_t seed, Draws draws);

// What is left of a case: so many transfers of each direction of each channel, events and faults by
// their place, and whether the environment is a plain one.
struct Keep {
  std::vector<size_t> reads, writes;  // by channel
  std::vector<bool> events, faults;
  bool unpaced = false;  // no pacers
  bool plain = false;    // a memory that answers in the next cycle
  bool dense = false;    // streams of full beats
  bool single = false;   // no rings

  static Keep All(const SystemCase& value);
  // Throws std::invalid_argument naming the word that is none.
  static Keep Parse(const std::string& text, const SystemCase& value);
  std::string ToString() const;
  void Apply(SystemCase* value) const;
};

// A line for each part of a case.
std::string Describe(const SystemCase& value);

}  // namespace tessera
