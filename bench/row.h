// A row of the bench, and what comes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/limit.h"
#include "tb/model/transfer.h"

namespace tessera::bench {

enum class Path : uint8_t { kRead, kWrite, kLoop };  // to stream, from stream, memory to memory

// Transfer number i of a row.
using Maker = std::function<model::Transfer(uint64_t i)>;

struct Row {
  std::string id;  // "read/copy-64/64/L20": path, work, bus bits, latency
  Path path = Path::kRead;
  std::string config;  // of cmake/configs.json
  int bits = 64;
  uint32_t latency = 1;
  std::string work;  // what a reader is told
  Maker read, write;
  Maker touched;                 // write: the bytes that arrive, if they are fewer than asked for
  uint64_t bytes = 0;            // payload of a transfer
  uint64_t per_task = 1;         // transfers that share a packet
  std::optional<double> target;  // utilisation to reach; else 0.99 of the limit
  bool merged = false;           // no more bursts than needed
  std::optional<double> other;   // utilisation of the best other engine
  std::string other_note;        // if there is no figure
  uint64_t sweep = 0;            // transfer size, if the row is a point of a plot
  bool extra = false;            // a point of a plot alone: runs only if plots are asked for
  bool quick = false;
};

struct RowResult {
  std::string error;      // empty if it ran and every byte was right
  std::string unwritten;  // why the waveform is not there
  uint64_t transfers = 0;
  uint64_t compared = 0;  // beats, bytes and records that were compared
  double utilisation = 0.0;
  Limit limit;
  double bursts = 0.0;        // a transfer, of the side that has more
  double bursts_least = 0.0;  // that it needs
  double target = 0.0;
  bool pass = false;
  double ratio() const { return limit.utilisation > 0 ? utilisation / limit.utilisation : 0.0; }
};

struct LatencyRow {
  std::string id;
  std::string what;
  std::string config;
  int bits = 64;
  uint32_t latency = 1;
  enum class Event : uint8_t {
    kAcceptToAr,  // transfer accepted to ARVALID
    kRToT,        // first RVALID to first TVALID
    kTToAw,       // first TVALID to AWVALID, the transfer having been planned
    kTToW,        // ... to WVALID
    kAcceptToAw,  // transfer accepted to AWVALID, data waiting
    kBToDone      // last B to the record
  } event = Event::kAcceptToAr;
  bool walk = false;          // the transfers have an outer traversal
  bool touching = false;      // ... whose rows are neighbours in memory
  uint64_t offset = 0;        // misalignment
  std::optional<int> target;  // cycles
  std::string other;          // the figure of others
};

struct LatencyResult {
  std::string error;
  uint64_t least = 0, most = 0;  // cycles, over all transfers
  bool pass = false;
};

// Every row of the bench, in the order of the tables.
std::vector<Row> AllRows();
std::vector<LatencyRow> AllLatencyRows();

// ---- What other engines reach on the same memory model, at 64 bits: the best of those measured

// `name` is the middle of a row's id.
std::optional<double> OtherUtilisation(Path path, const std::string& name, uint32_t latency);
// For rows where the measurement was a remark or a share of the limit.
std::string OtherNote(const std::string& name);

// The read engine with any alignment that has the highest estimated clock, for the headline.
inline constexpr double kOtherReadMhz = 113.0;

}  // namespace tessera::bench
