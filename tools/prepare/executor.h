// Executes a program for tessera_dma without time, on the model of the device (tb/device), in an
// order of its channels that locks, triggers and streams permit. Any such order gives the same
// bytes, or the program is refused: every access to a byte that another channel writes must be
// ordered by locks or triggers.
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
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tb/device/device_model.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

class Executor {
 public:
  // Both must outlive it. Channels and steps are those of `prepared`.
  Executor(const Prepared& prepared, model::MemoryImage* memory);
  void Feed(size_t channel, const std::vector<model::StreamBeat>& beats);
  // Each stream that the job brings, as it is cut.
  void FeedAll();
  // The channel executes so many steps.
  void Limit(size_t channel, size_t steps) { channels_[channel].steps = steps; }
  // Throws job::Error.
  void Run();

  const std::vector<DeviceExecution>& executions(size_t channel) const {
    return device_.executions(channels_[channel].number);
  }
  const std::vector<model::StreamBeat>& beats(size_t read_channel) const {
    return device_.beats(channels_[read_channel].number);
  }
  // Of the job's locks.
  std::vector<int> locks() const;
  uint64_t tokens() const;

 private:
  // How many steps of each channel have ended, for certain.
  using Known = std::vector<uint32_t>;
  struct Channel {
    const PreparedChannel* prepared = nullptr;
    int number = 0;                     // in the device
    size_t step = 0, steps = 0;         // done, of so many
    size_t pushed = 0, added = 0;       // tasks; descriptors of a ring
    size_t fed = 0;                     // beats of the channel that feeds it
    uint64_t triggers = 0;              // that it has consumed
    std::vector<uint64_t> acquired_of;  // units of each lock
    Known begun, ended;
    std::vector<Known> ends;        // of each step that another's trigger may wait for
    std::vector<size_t> task_ends;  // the steps that end tasks
  };
  struct Release {
    uint64_t sum = 0;  // of the channel, this one included
    Known known;
  };
  struct LockState {
    int first = 0;
    std::vector<uint64_t> all;                   // that each channel will release in the end
    std::vector<std::vector<Release>> releases;  // of each channel, so far
  };
  struct Page {
    std::array<uint32_t, 4096> last{};  // 1 + the last step that visited the byte
  };
  using Shadow = std::unordered_map<uint64_t, std::unique_ptr<Page>>;

  void Set(const Channel& channel, uint32_t offset, uint32_t value);
  void SetUp(Channel* channel);
  void WriteDescriptor(const NumberedDescriptor& descriptor);
  void Place(const Channel& channel, uint64_t place, const native::Descriptor& descriptor);
  void Supply(size_t c);
  void AddToRing(Channel* channel);
  bool Step(size_t c);
  void NoteTrigger(size_t c, int held);
  void NoteLock(size_t c);
  void NoteEnd(size_t c, int lock_before);
  void NoteAccesses(size_t c);
  uint64_t EventsOf(const job::Trigger& trigger) const;
  static void Join(Known* known, const Known& more);
  size_t IndexOf(const std::string& channel) const;
  const job::Lock& LockOf(int number) const;
  std::string WhyItWaits(size_t c) const;
  [[noreturn]] void Refuse() const;

  const Prepared& p_;
  model::Build build_;
  model::MemoryImage lists_;
  DeviceModel device_;
  std::vector<Channel> channels_;
  std::unordered_map<int, LockState> locks_;  // by number
  std::vector<Shadow> shadows_;
};

// Throws job::Error of a program that cannot end or depends on time.
void CheckProgram(const Prepared& prepared);

}  // namespace tessera::cli
