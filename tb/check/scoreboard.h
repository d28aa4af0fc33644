// Compares what an engine pair did with what the reference model says it does.
//
// Three levels: stream beats (data, keep, last), records, and memory: exactly the expected bytes
// have been written, with the expected values, and no other byte anywhere. Every message names the
// transfer, the coordinates of the element, the address, what was expected and what was seen.
// `compared` counts: a test that compared nothing has not passed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_errors.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/model/reference.h"
#include "tb/sim/dut.h"

namespace tessera {

// The beats of a stream in order and in the form of the model: a list of its own, or beats that the
// harness recorded, which are only looked at. `bytes` are all bytes of that stream, as recorded.
class BeatList {
 public:
  BeatList() = default;
  BeatList(std::vector<model::StreamBeat> beats) : list_(std::move(beats)) {}
  BeatList(std::span<const StreamBeat> beats, std::span<const uint8_t> bytes)
      : beats_(beats), bytes_(bytes) {}

  size_t size() const { return list_.size() + beats_.size(); }
  bool empty() const { return size() == 0; }
  void Get(size_t n, model::StreamBeat* beat) const;
  const model::StreamBeat operator[](size_t n) const {
    model::StreamBeat beat;
    Get(n, &beat);
    return beat;
  }

 private:
  std::vector<model::StreamBeat> list_;
  std::span<const StreamBeat> beats_;
  std::span<const uint8_t> bytes_;
};

// What was seen of one direction, in order.
struct Seen {
  BeatList beats;  // read: sent and accepted; write: accepted by the engine
  std::vector<rtl::Done> records;
  std::vector<ErrorEvent> errors;  // error responses of this direction
  bool aborted = false;            // an abort cut the chain at some point
  bool reset = false;              // a reset did, and transfers without record are lost
  bool cut() const { return aborted || reset; }
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
  // seen (loopback) `seen.beats` is not looked at, and the expected beats are returned.
  std::vector<model::StreamBeat> CheckRead(std::span<const model::Transfer> chain, const Seen& seen,
                                           bool stream_visible = true);
  // Records of the transfers that the write engine accepted; what they write is remembered. Call
  // again for what came after an abort: the engine starts afresh, memory does not.
  void CheckWrite(std::span<const model::Transfer> chain, const Seen& seen);
  // All of memory, after all of CheckWrite. `after` must have had its touched bytes cleared before.
  void CheckMemory(const Memory& after);

  static size_t BareEnd(const Seen& seen, size_t n);
  bool ok() const { return failure_count_ == 0; }
  struct Count {
    uint64_t beats = 0, records = 0, bytes = 0;  // bytes of memory
  };
  const Count& count() const { return count_; }
  uint64_t compared() const { return count_.beats + count_.records + count_.bytes; }
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

  struct Compared {  // of a stream
    size_t beats = 0;
    uint64_t bytes = 0;
  };

  void Fail(std::string message);
  void CheckRecord(const std::string& name, const model::Record& expected, const rtl::Done& seen);
  void CheckBeats(std::span<const model::Transfer> chain, const model::ReadModel& model,
                  const Seen& seen, size_t beats, Compared* so_far);
  void CheckRecordCount(const char* way, size_t transfers, const Seen& seen);
  size_t AcceptedBeats(const Seen& seen, const model::ReadModel& model,
                       std::span<const model::Transfer> chain);
  void ExpectWriteErrors(const Written& written, const Seen& seen, const rtl::Done& done,
                         size_t* next_event, model::Record* expected);
  void ExpectLaterErrors(const Written& written, const Seen& seen, const rtl::Done& done,
                         size_t from, model::Record* expected);
  void CheckPage(const Memory& after, const Memory::TouchedPage& page);
  void CheckByte(const Memory& after, uint64_t address);
  void CheckUntouched(const Memory& after, uint64_t address, const model::MemoryImage::Page& page,
                      const Memory::TouchedPage* seen);
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
  Count count_;
};

}  // namespace tessera
