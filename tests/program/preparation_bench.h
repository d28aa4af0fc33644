// A preparation with software that writes descriptors, a list fetcher and a sequencer that gives
// jobs; its contexts are compared with those of tests/program/context.h.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/program/descriptor.h"
#include "units/Vpreparation_top.h"

namespace tessera {

class PreparationBench {
 public:
  struct Job {
    int channel = 0, slot = 0;
    Circumstance circumstance;
    int descriptor = 0;  // or place
    bool continues = false, cut = false;
    uint32_t error = 0;
    std::optional<Tile> tile = {};  // expected, if there is no error
    uint32_t turns = 0;             // afterwards
  };
  struct Access {
    bool write = false;
    int area = 0, descriptor = 0, word = 0;
    uint32_t data = 0;
    uint32_t strobe = 15;
    std::optional<uint32_t> expected = {};
    bool error = false;
  };
  struct ListWrite {
    int place = 0, area = 0, row = 0;
    std::array<uint32_t, 4> data{};
  };

  PreparationBench(const PreparationShape& shape, uint64_t seed);

  void Queue(const Access& access) { accesses_.push_back(access); }
  void Queue(const ListWrite& write) { list_writes_.push_back(write); }
  void Queue(const Job& job) { jobs_.push_back(job); }
  void SetPace(int access, int job) {
    access_pace_ = access;
    job_pace_ = job;
  }
  // Writes of all words of a descriptor, word 15 last.
  void Write(int number, const Descriptor& descriptor);
  void WriteList(int place, const Descriptor& descriptor);

  // Until all that is queued is done. What went wrong, or nothing.
  std::string Run(uint64_t most = 20000);
  void Cycle();

  bool idle() const {
    return jobs_.empty() && running_.empty() && accesses_.empty() && list_writes_.empty();
  }
  uint64_t cycle() const { return cycle_; }
  uint64_t prepared() const { return prepared_; }
  uint64_t first_taken() const { return first_taken_; }
  uint64_t first_prepared() const { return first_prepared_; }
  uint64_t last_prepared() const { return last_prepared_; }
  const std::vector<uint64_t>& prepared_at() const { return prepared_at_; }
  const std::string& failure() const { return failure_; }
  void Fail(const std::string& what);

 private:
  void Sample();
  std::string Check(const Job& job, uint64_t flags) const;

  PreparationShape shape_;
  Rng rng_;
  VerilatedUnit<Vpreparation_top> unit_;
  std::deque<Access> accesses_;
  std::deque<ListWrite> list_writes_;
  std::deque<Job> jobs_, running_;
  // Words of the slots of each channel: those of the transfer at work, as they came.
  std::array<std::array<std::map<uint32_t, uint64_t>, 4>, 32> slots_;
  bool job_offered_ = false, access_offered_ = false, list_offered_ = false;
  int access_pace_ = 256, job_pace_ = 256;
  uint64_t cycle_ = 0, prepared_ = 0, first_taken_ = 0, first_prepared_ = 0, last_prepared_ = 0;
  std::vector<uint64_t> prepared_at_;
  std::string failure_;
};

}  // namespace tessera
