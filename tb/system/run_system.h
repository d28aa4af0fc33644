// Runs a case on the fabric of its configuration and compares everything with the reference model.
#pragma once

#include <cstdint>
#include <string>

#include "tb/system/system_case.h"

namespace tessera {

struct SystemResult {
  std::string message;  // empty if passed; the first line names the failure
  std::string kind;     // what it is about, without numbers: two failures agree in it or not
  uint64_t cycles = 0, transfers = 0, beats = 0, addresses = 0, happened = 0;
  uint64_t compared = 0;  // beats, records and bytes of memory
  std::string unwritten;  // why the waveform is not there
  bool passed() const { return message.empty(); }
};

// The fabric of that name among those linked into this program; throws std::invalid_argument naming
// them if there is none.
FabricConfig FindFabric(const std::string& name);

// Never throws: a case that stops the model fails. With a path, writes a waveform of all of it.
SystemResult RunSystem(const SystemCase& value, const std::string& waveform = "");

}  // namespace tessera
