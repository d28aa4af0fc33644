// Compares all that a fabric did in a run with what the reference model says of each stretch of
// each channel: streams, records, and every byte of memory.
//
// Stretches in which nothing happened are exact. After an abort, a reset or a fault: everything up
// to it is exact; a stream is a beginning of what it should be, and shaped as it should be where
// its data are in doubt; a byte of memory holds what it held or what one of the transfers puts
// there.
#pragma once

#include <cstdint>
#include <string>

#include "tb/check/scoreboard.h"
#include "tb/run/fabric_bench.h"
#include "tb/system/lives.h"
#include "tb/system/system_case.h"

namespace tessera {

class Judge {
 public:
  // `before`: memory as it was at the beginning.
  Judge(const SystemCase& value, FabricBench* bench, const Lives& lives, const Memory& before);
  void Compare();
  const std::string& failure() const { return failure_; }
  uint64_t compared() const { return compared_ + board_.compared(); }

 private:
  struct Part {  // what a stretch saw of a direction of a channel
    std::vector<model::Transfer> chain;
    std::vector<JobResult> jobs;
    std::span<const StreamBeat> beats;
  };
  Part Cut(int k, Direction direction, size_t stretch);
  bool Denied(int k, Direction direction, const model::Transfer& transfer, const JobResult& job);
  void CompareReads(int k);
  void CompareWrites(int k);
  void CompareDoubtfulRead(int k, const Part& part, const Stretch& stretch);
  bool SameRecord(size_t number, const model::Record& expected, const rtl::Done& seen);
  void Fail(const std::string& message);
  std::vector<ErrorEvent> Errors(int port, const Stretch& stretch) const;
  static Seen Begin(const Part& part);

  const SystemCase& case_;
  FabricBench* bench_;
  const Lives& lives_;
  Memory before_;
  Scoreboard board_;
  std::string where_;  // whom a message is about
  std::string failure_;
  uint64_t compared_ = 0;
};

}  // namespace tessera
