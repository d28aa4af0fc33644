// tessera_dma as software sees it: cycles from a register write to the bus and from the last beat
// to the interrupt, and what of the bus short descriptors reach.
//
// The memory is that of the bench, also behind the port of the lists; streams are always ready and
// always valid. Bus rules are checked in the same run; data, by the tests of tessera_dma.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "tb/dma/dma.h"

namespace tessera::bench {

struct ProgramRow {
  enum class Kind : uint8_t {
    kPush,        // TASK accepted to ARVALID, the descriptor being in RAM
    kProducts,    // ... with two products: bounds, and starts that are not 0
    kDoorbell,    // LIST_TAIL accepted to ARVALID on the port of the lists
    kDescriptor,  // the last beat of a descriptor to ARVALID of its data
    kRelease,     // LOCK_RELEASE accepted to ARVALID of the transfer that waited
    kHandOver,    // the last write response of the transfer that releases the lock, to that ARVALID
    kReadIrq,     // the last beat of a stream out to the interrupt
    kWriteIrq,    // the last write response to the interrupt
    kRam,         // utilisation with descriptors from RAM
    kList,        // ... from lists in memory
    kFeed         // of a stream out of the on-chip buffer, which is filled from external memory
  };
  std::string id;    // "programs/list-64/64/n4/L20"
  std::string what;  // what a reader is told
  const char* top = "tessera_dma";
  Kind kind = Kind::kPush;
  std::string config;     // a build of the top
  bool receives = false;  // channels from a stream
  int bytes = 64;         // of a descriptor's data, or of a tile
  std::string shape;      // of a descriptor, where there are several
  bool entries = false;   // lists leave completion entries
  int channels = 1;
  uint32_t latency = 1;
  double target = 0.0;  // cycles at most; of the limit at least
  bool quick = false;
  bool Counts() const { return kind < Kind::kRam; }  // cycles, and few of them are good
};

struct ProgramResult {
  std::string error;   // empty if it ran
  double value = 0.0;  // cycles, the most of all tries; utilisation
  double least = 0.0;  // cycles; the limit of the utilisation
  double target = 0.0;
  bool pass = false;

  // Cycles of each try; the most of them is held against the target.
  void Judge(const std::vector<uint64_t>& tries, double most);
  // A utilisation, its limit, and what it must be at least.
  void Judge(double share, double limit, double wanted);
};

// What `measure` fills in; an exception is the error of the row.
template <typename Measure>
ProgramResult Attempt(const Measure& measure) {
  ProgramResult result;
  try {
    measure(&result);
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

std::vector<ProgramRow> AllProgramRows();

ProgramResult MeasureProgram(const ProgramRow& row, const DmaConfig& config);

// Rows of the top of a product (cmake/products.cmake).
struct Suite {
  std::vector<ProgramRow> (*rows)();
  // Nothing if the build of the row is not in the program.
  std::optional<ProgramResult> (*measure)(const ProgramRow& row);
};
const std::vector<Suite>& Suites();

}  // namespace tessera::bench
