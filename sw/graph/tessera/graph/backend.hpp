// What moves data between memory and streams: the channels of a tessera_dma, or software in their
// place. Both do the same jobs in the same order and give the same bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "tessera/graph/pipe.hpp"

namespace tessera::graph {

// What a program or a build cannot do; `code` is that of ADF.
class GraphError : public std::runtime_error {
 public:
  GraphError(driver::Code code, const std::string& text) : std::runtime_error(text), code(code) {}
  driver::Code code;
};

// An order of the elements of a buffer, checked.
struct Access {
  driver::tiling_parameters tiling;
  uint32_t element_bits = 32;
  // Byte offset of each element in order; -1 for padding. Elements of 4 bits count in pairs.
  std::vector<int64_t> offsets;
  uint32_t bytes_each = 4;

  size_t bytes() const { return offsets.size() * bytes_each; }
};
// Throws GraphError if the tiling breaks a rule; `what` begins the sentence. `pads`: positions
// outside the buffer read as 0, else they are refused.
Access MakeAccess(const driver::tiling_parameters& tiling, uint32_t element_bits, bool pads,
                  const std::string& what);
// Throws GraphError if one descriptor of a device with these capabilities cannot do it.
void CheckDescriptor(const Access& access, uint64_t base, const driver::Capabilities& build,
                     const std::string& what);

struct LockUse {
  int lock = -1;       // none
  int32_t amount = 0;  // what is taken before, or added after
};

// One transfer of a channel.
struct Job {
  uint8_t* memory = nullptr;
  size_t bytes = 0;
  std::shared_ptr<const Access> access{};  // none: one row
  bool packet = false;                     // to a stream: ends with TLAST; from one: TLAST ends it
  LockUse acquire{}, release{};
};
struct JobEnd {
  uint64_t bytes = 0;
  bool last = false;  // TLAST ended it
};

class Channel {
 public:
  Channel(driver::Direction direction, int number, std::string name)
      : direction(direction), number(number), name(std::move(name)) {}
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  virtual void Post(const Job& job) {
    jobs_.push_back(job);
    ++posted_;
    takes_lock = job.acquire.lock >= 0;
  }
  uint64_t posted() const { return posted_; }
  uint64_t finished() const { return finished_; }
  // Of the oldest finished job whose end was not taken; the channel must keep ends.
  JobEnd TakeEnd() {
    const JobEnd end = ends_.front();
    ends_.pop_front();
    return end;
  }
  // Ends the packet that a job on TLAST is in, when its stream has nothing more.
  virtual void Flush() = 0;
  // From a stream: no job has taken a part of its bytes, and every end is known.
  virtual bool quiet() const = 0;

  const driver::Direction direction;
  const int number;
  const std::string name;      // of the port it serves
  Wire* wire = nullptr;        // what a channel to a stream feeds
  Pipe* pipe = nullptr;        // what a channel from a stream takes from
  double bytes_per_cycle = 0;  // of its stream at most; 0: as many as the stream has
  WireCounts counts;
  bool takes_lock = false;  // its latest job
  bool keeps_ends = false;  // set before the first job

 protected:
  void Finish(JobEnd end) {
    ++finished_;
    if (keeps_ends) ends_.push_back(end);
  }

  std::deque<Job> jobs_;  // not yet begun
  uint64_t posted_ = 0, finished_ = 0;
  std::deque<JobEnd> ends_;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  virtual bool cycle_accurate() const = 0;
  // Throws GraphError if there are no more.
  virtual Channel* Open(driver::Direction direction, const std::string& name) = 0;
  virtual void Close(Channel* channel) = 0;  // whatever it does
  virtual int OpenLock(int value) = 0;
  virtual void CloseLock(int lock) = 0;
  // Throws GraphError if one descriptor cannot do it; `what` begins the sentence.
  virtual void CheckAccess(const Access& access, const std::string& what) const = 0;
  // These bytes are nobody's but channels': where there is room, they are in the on-chip buffer
  // from now on, as they are.
  virtual bool PlaceOnChip(const uint8_t* /*memory*/, size_t /*bytes*/) { return false; }
  virtual void LeaveOnChip(const uint8_t* /*memory*/) {}
  // Numbers of the descriptors that a channel uses.
  virtual std::vector<int> Descriptors(const Channel& channel) const = 0;
  virtual std::vector<const Channel*> channels() const = 0;
  // Moves what can move, one cycle. False if nothing moved.
  virtual bool Step() = 0;
  virtual uint64_t cycle() const = 0;
  // Cycles without movement after which nothing will move any more.
  virtual uint64_t patience() const = 0;
  virtual void Trace(const std::string& path) = 0;
  virtual std::unique_ptr<class Profiling> MakeProfiling() = 0;
};

// Questions about streams, with handles that can run out.
class Profiling {
 public:
  virtual ~Profiling() = default;
  // driver::kInvalidHandle if there is no counter or the question makes no sense.
  virtual uint32_t Start(const Channel& one, const Channel* other, driver::ProfileOption option,
                         uint32_t value) = 0;
  virtual long long Read(uint32_t handle) = 0;  // -1: no such handle
  virtual bool Stop(uint32_t handle) = 0;
};

// The device finds `memory` at `bus_address`. The last 4096 bytes are not the program's.
struct SharedMemory {
  std::span<uint8_t> memory;
  uint64_t bus_address = 0;
};
std::unique_ptr<Backend> MakeNative();
std::unique_ptr<Backend> MakeRtl(const std::string& build, uint64_t seed, SharedMemory memory);

}  // namespace tessera::graph
