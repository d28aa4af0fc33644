// Executes a program for tessera_dma without time: what its channels do, in an order that locks,
// triggers and streams permit. Any such order gives the same bytes, or the program is refused:
// every access to a byte that another channel writes must be ordered by locks or triggers.
//
//   Executor executor(prepared, &memory);
//   executor.Feed(c, beats);        // the stream of write channel c, where no channel feeds it
//   executor.Run();                 // throws job::Error: it cannot end, or depends on time
//
// The order of a lock is what counting alone proves: who acquires the n-th unit comes after as many
// releases as were needed for it, whoever else may have released.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tb/model/reference.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

class Executor {
 public:
  // Both must outlive it. Channels and steps are those of `prepared`.
  Executor(const Prepared& prepared, model::MemoryImage* memory);
  void Feed(size_t channel, std::vector<model::StreamBeat> beats);
  // The channel executes so many steps.
  void Limit(size_t channel, size_t steps) { channels_[channel].steps = steps; }
  // Throws job::Error.
  void Run();

  const std::vector<model::Record>& records(size_t channel) const {
    return channels_[channel].records;
  }
  const std::vector<model::StreamBeat>& beats(size_t read_channel) const {
    return channels_[read_channel].sent;
  }
  // The side information of the records of a write channel: that of the last beat.
  const std::vector<uint32_t>& sides(size_t channel) const { return channels_[channel].sides; }
  // Of the job's locks.
  std::vector<int> locks() const;
  uint64_t tokens() const { return tokens_; }
  // Some channel reads or overwrites what another one has written.
  bool dependent() const { return dependent_; }

 private:
  // How many steps of each channel have ended, for certain.
  using Known = std::vector<uint32_t>;
  struct Channel {
    const PreparedChannel* prepared = nullptr;
    std::optional<model::ReadModel> read;
    std::optional<model::WriteModel> write;
    std::vector<model::StreamBeat> sent;  // what it has read, with headers
    std::vector<std::pair<uint8_t, bool>>
        lanes;                 // bytes of the packet that are not sent; kept or not
    size_t headed = 0;         // beats of the model that have been sent
    bool within = false;       // a packet
    std::vector<size_t> runs;  // the steps of the transfers of the model
    std::vector<model::StreamBeat> fed;
    size_t next_beat = 0;               // of those that it is fed with
    std::vector<bool> marked;           // the beats that begin a frame
    size_t frame = 0;                   // the beat with which the frame of the turn begins
    bool framed = false;                // it is one
    size_t step = 0, steps = 0;         // done, of so many
    size_t tasks = 0;                   // that are done
    bool acquired = false;              // for the step
    bool waited = false;                // for its trigger
    uint64_t triggers = 0;              // that it has consumed
    std::vector<uint64_t> acquired_of;  // units of each lock
    Known begun, ended;
    std::vector<Known> ends;        // of each step that another's trigger may wait for
    std::vector<size_t> task_ends;  // the steps that end tasks
    std::vector<model::Record> records;
    std::vector<uint32_t> sides;
  };
  struct Release {
    uint64_t sum = 0;  // of the channel, this one included
    Known known;
  };
  struct LockState {
    int value = 0, first = 0;
    std::vector<uint64_t> all;                   // that each channel will release in the end
    std::vector<std::vector<Release>> releases;  // of each channel, so far
  };
  struct Page {
    std::array<uint32_t, 4096> last{};  // 1 + the last step that visited the byte
  };
  using Shadow = std::unordered_map<uint64_t, std::unique_ptr<Page>>;

  bool Step(size_t c);
  bool TakeTrigger(size_t c);
  bool TakeMark(size_t c);
  bool TakeLock(size_t c);
  uint64_t EventsOf(const job::Trigger& trigger) const;
  bool Execute(size_t c);
  void Send(size_t c);
  void Finish(size_t c);
  void NoteAccesses(size_t c);
  static void Join(Known* known, const Known& more);
  size_t IndexOf(const std::string& channel) const;
  const job::Lock& LockOf(int number) const;
  std::string WhyItWaits(size_t c) const;
  [[noreturn]] void Refuse() const;

  void WriteEntry(size_t c);

  const Prepared& p_;
  model::MemoryImage& memory_;
  model::Build build_;
  std::vector<Channel> channels_;
  std::unordered_map<int, LockState> locks_;  // by number
  std::vector<Shadow> shadows_;
  uint64_t tokens_ = 0;
  bool dependent_ = false;
};

}  // namespace tessera::cli
