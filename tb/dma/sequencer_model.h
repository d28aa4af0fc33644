// What tessera_dma does with a program, by docs/programming.md alone: register writes and stream
// beats go in, records, tokens, stream beats, locks and memory come out. Without time: what can go
// on does so when asked.
//
// Limits: descriptor RAM and arrays in memory, no rings and no completion entries; no bus errors; a
// channel whose list or descriptors change while it runs is not modelled. Streams are given before
// they are taken.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/dma/dma.h"
#include "tb/model/memory_image.h"
#include "tb/model/reference.h"

namespace tessera {

struct ModelRecord {
  uint32_t tag = 0, side = 0;
  int descriptor = 0;
  bool task_end = false;
  model::Record done;
};

// A transfer that was executed, what it told, and what it did to the locks: what it took is a
// negative amount.
struct ModelExecution {
  struct LockMove {
    int lock = 0, amount = 0;
  };
  int descriptor = 0;
  bool recorded = false, interrupts = false;
  bool ends_task = false;  // with its data
  LockMove taken, given;
};

class SequencerModel {
 public:
  // `memory` must outlive the model; words of it with a byte in `errors` answer with an error. The
  // address of an error of a write is not known: it is that of a burst.
  SequencerModel(const DmaConfig& config, model::MemoryImage* memory,
                 std::vector<model::ErrorRange> errors = {});

  // A register as software writes it, all four bytes; channels, locks, descriptors, lists.
  void Write(uint32_t address, uint32_t value);
  // What comes on the stream of write channel w.
  void Feed(int w, std::vector<model::StreamBeat> beats);
  // An event: a number as in the register TRIGGER.
  void Fire(uint32_t source);

  // Executes the next descriptor of a channel, reads first; false: it has nothing to do, or waits.
  bool Step(int channel);
  // Executes until nobody can go on; events of software and pins come when they are waited for.
  void Run();
  // Whether all tasks are done.
  bool Finished() const;

  // Why a channel does not go on, with the names of what it waits for; empty: it has nothing to do.
  std::string WhoWaits(int channel) const;

  const std::vector<ModelRecord>& records(int channel) const { return At(channel).records; }
  const std::vector<ModelExecution>& executions(int channel) const {
    return At(channel).executions;
  }
  const std::vector<uint32_t>& tokens(int channel) const { return At(channel).tokens; }
  const std::vector<model::StreamBeat>& beats(int read_channel) const;
  int lock(int number) const { return locks_.at(static_cast<size_t>(number)); }
  uint64_t locks_over() const { return over_; }
  uint64_t locks_under() const { return under_; }
  bool missed(int channel) const { return At(channel).missed; }
  // Why a descriptor was not loaded (the reasons of the manual), and which; 0: every one was.
  int reason(int channel) const { return At(channel).reason; }
  int refused_descriptor(int channel) const { return At(channel).descriptor; }
  uint64_t executed() const { return executed_; }

 private:
  using Words = std::array<uint32_t, 16>;
  struct Descriptor {
    Words base{}, bounds{}, walk{};
    uint32_t turns = 0;
    bool valid = false;
  };
  struct Task {
    uint32_t word = 0, tag = 0;
  };
  // A descriptor that was loaded and waits for its lock or its stream.
  struct Loaded {
    Words base{};
    model::Transfer transfer;
    int number = 0;
    bool task_end = false;
  };
  struct Channel {
    std::deque<Task> tasks;
    uint32_t tag = 0, trigger = 0, controller = 0;
    std::map<uint32_t, uint32_t> list;  // registers from 0x80 on
    bool begun = false;                 // the turn is; its trigger is taken
    uint32_t turn = 0;
    std::optional<int> at;  // descriptor within the turn
    std::optional<Loaded> loaded;
    bool acquired = false;
    bool pending = false, missed = false;  // its trigger
    int reason = 0, descriptor = 0;
    std::vector<ModelRecord> records;
    std::vector<ModelExecution> executions;
    std::vector<uint32_t> tokens;
    std::optional<model::ReadModel> read;
    std::optional<model::WriteModel> write;
  };

  Channel& At(int channel) { return channels_.at(static_cast<size_t>(channel)); }
  const Channel& At(int channel) const { return channels_.at(static_cast<size_t>(channel)); }
  bool NeedsTrigger(const Channel& c) const;
  bool Load(int channel);
  int Check(int number, const Words& base, bool valid, bool from_list) const;
  bool Satisfied(const Words& base) const;
  int Taken(const Words& base) const;
  void Release(uint32_t id, int amount);
  void Finish(int channel, const model::Record& done);
  void NoteWriteErrors(const model::Transfer& transfer, model::Record* record) const;
  Words FromMemory(uint64_t address) const;
  uint64_t ListAddress(const Channel& c, int n) const;
  static model::Transfer Decode(const Words& base, const Words& bounds, const Words& walk,
                                uint32_t turns);

  DmaConfig config_;
  model::Build build_;
  model::MemoryImage* memory_;
  std::vector<model::ErrorRange> errors_;
  std::vector<Descriptor> descriptors_;
  std::vector<int> locks_;
  uint64_t over_ = 0, under_ = 0, executed_ = 0;
  std::vector<Channel> channels_;
};

}  // namespace tessera
