// Compares what an engine pair did with what the reference model says it does.
//
// Three levels: stream beats (data, keep, last), records, and memory: exactly the expected bytes
// have been written, with the expected values, and no other byte anywhere. Every message names the
// transfer, the coordinates of the element, the address, what was expected and what was seen.
// `compared` counts: a test that compared nothing has not passed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tb/bus/axi_errors.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/model/reference.h"
#include "tb/sim/dut.h"

namespace tessera {

// Recorded beats in the form of the model. `bytes` are all bytes of the stream, as recorded.
std::vector<model::StreamBeat> ModelBeats(std::span<const StreamBeat> beats,
                                          std::span<const uint8_t> bytes);

// What was seen of one direction, in order.
struct Seen {
  std::vector<model::StreamBeat> beats;  // read: sent and accepted; write: accepted by the engine
  std::vector<EngineDone> records;
  std::vector<ErrorEvent> errors;  // error responses of this direction
  std::optional<int> held;         // write: bytes held after the last transfer
  bool aborted = false;            // an abort cut the chain at some point
};

class Scoreboard {
 public:
  // `before` is memory as it was before the first transfer; reads are checked against it, so
  // nothing may read what the same run writes. `ranges` are the address ranges with error
  // responses.
  Scoreboard(const Config& config, const Memory& before,
             std::vector<model::ErrorRange> read_errors = {},
             std::vector<model::ErrorRange> write_errors = {});
  Scoreboard(const Scoreboard&) = delete;
  Scoreboard& operator=(const Scoreboard&) = delete;

  // Records and beats of the transfers that the read engine accepted. With a stream that cannot be
  // seen (loopback) `seen.beats` is not looked at. Returns the expected beats.
  std::vector<model::StreamBeat> CheckRead(std::span<const model::Transfer> chain, const Seen& seen,
                                           bool stream_visible = true);
  // Records of the transfers that the write engine accepted; what they write is remembered. Call
  // again for what came after an abort: the engine starts afresh, memory does not.
  void CheckWrite(std::span<const model::Transfer> chain, const Seen& seen);
  // All of memory, after all of CheckWrite. `after` must have had its touched bytes cleared before.
  void CheckMemory(const Memory& after);

  bool ok() const { return failure_count_ == 0; }
  uint64_t compared() const { return compared_; }
  uint64_t failure_count() const { return failure_count_; }
  // The first messages, one a line.
  std::string Report() const;

 private:
  struct Written {  // a transfer that wrote
    model::Transfer transfer;
    size_t number = 0;
    std::vector<uint8_t> data;  // what the stream gave it
    bool aborted = false;
  };

  void Fail(std::string message);
  void CheckRecord(const std::string& name, const model::Record& expected, const EngineDone& seen);
  void CheckBeats(std::span<const model::Transfer> chain, const model::ReadModel& model,
                  const Seen& seen, size_t beats);
  size_t AcceptedBeats(const Seen& seen, const model::ReadModel& model,
                       std::span<const model::Transfer> chain);
  void ExpectWriteErrors(const Written& written, const Seen& seen, const EngineDone& done,
                         size_t* next_event, model::Record* expected);
  bool MayHold(uint64_t address, uint8_t value) const;
  std::string Writers(uint64_t address) const;
  std::string StreamPlace(std::span<const model::Transfer> chain, uint64_t byte) const;

  model::Build build_;
  Memory before_;
  std::vector<model::ErrorRange> read_errors_, write_errors_;
  model::MemoryImage source_;    // what reads see
  model::MemoryImage expected_;  // what writes make of it for certain
  model::MemoryImage doubtful_;  // and what aborted ones may have
  std::vector<Written> written_;
  std::vector<std::string> failures_;
  uint64_t failure_count_ = 0;
  uint64_t compared_ = 0;
};

}  // namespace tessera
