// Models a programmed tessera_dma without RTL and without time, by the manual alone
// (docs/programming.md, lists.md, beside.md): word accesses, streams and events go in; records,
// errors, interrupts, locks, tokens, beats and memory come out. What a transfer moves is said by
// the reference model (tb/model).
//
//   DeviceModel device(build, &memory);
//   device.Write(0x20000, base);      // descriptors, locks, tasks: as software writes them
//   device.Feed(0, beats);            // the stream of write channel 0
//   while (device.Step(channel)) {}   // or Run(): all channels, until nothing goes on
//
// Contract
// * Channels are numbered as in a build: reads first.
// * Nothing happens but in Read, Write and Step. Step does the next thing of one channel: loads a
//   descriptor (with its trigger), takes its lock, or moves its data and retires it. The user
//   chooses the channel: by chance (the driver's mock), or until nothing goes on (programs that are
//   compared). Results that depend on that order depend on time.
// * A refused access (SLVERR) changes nothing but what the manual says, and refusal() tells why.
// * An abort or a reset is done as soon as it is written, unless the channel hangs (Hang). Records
//   of what is cut short find room even in a full queue.
// * A transfer to memory waits until its whole data have been fed.
// * `untimed`: queues have no end. `keeps_events`: so many events are kept as come, none is missed.
//
// Not modelled: counters, control packets, headers that choose descriptors, the codes of waits in
// STATUS, faults of ports and time-outs, what windows refuse; ticks of COALESCE have always passed;
// quiesce holds up and aborts nothing. The address of a write error is that of a burst, and 0 here.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/model/reference.h"

namespace tessera {

// Bits of CAP_FEATURES that the model knows.
struct DeviceFeature {
  enum : uint32_t {
    kWalk = 1U << 0,
    kBounds = 1U << 1,
    kGuard = 1U << 2,
    kCounters = 1U << 3,
    kLists = 1U << 4,
    kTokens = 1U << 5,
    kPackets = 1U << 6,
    kHeaders = 1U << 7,
    kById = 1U << 8,
    kTriggers = 1U << 10,
    kWindows = 1U << 11,
    kOnChip = 1U << 21
  };
};

// A build, as its capability registers say.
struct DeviceBuild {
  uint32_t reads = 2, writes = 2, address_bits = 64, data_log2 = 3, stream_log2 = 3;
  uint32_t descriptors = 16, task_log2 = 2, record_log2 = 2, locks = 8, windows = 2;
  uint32_t features = DeviceFeature::kWalk | DeviceFeature::kBounds | DeviceFeature::kGuard |
                      DeviceFeature::kLists | DeviceFeature::kTokens | DeviceFeature::kHeaders |
                      DeviceFeature::kTriggers | DeviceFeature::kWindows;
  uint32_t id = 0x54535241, version = 0x00000100;
  uint32_t place = 0;                          // SourceId, as in the words of streams
  uint32_t onchip = 0, onchip_base = 0;        // CAP_ONCHIP and ONCHIP_BASE
  bool untimed = false, keeps_events = false;  // see the contract

  bool Has(uint32_t feature) const { return (features & feature) != 0; }
};

struct DeviceRecord {
  int descriptor = 0;  // bits 7:0 of its number or index
  uint32_t tag = 0, side = 0, stamp = 0;
  bool task_end = false;
  uint8_t status = 0;
  model::Record done;
};

// A transfer that was executed, and what it did to the locks: an amount taken is negative.
struct DeviceExecution {
  struct LockMove {
    int lock = 0, amount = 0;
  };
  model::Transfer transfer;
  DeviceRecord record;
  bool recorded = false, interrupts = false;
  bool ends_task = false;  // with its data
  LockMove taken, given;
};

class DeviceModel {
 public:
  // All must outlive the model. Bytes in the ranges answer reads or writes with an error; lists are
  // read from `lists`, or from `memory`.
  DeviceModel(const DeviceBuild& build, model::MemoryImage* memory,
              std::vector<model::ErrorRange> read_errors = {},
              std::vector<model::ErrorRange> write_errors = {},
              const model::MemoryImage* lists = nullptr);

  // ---- Software: words of the register map. False: SLVERR.
  bool Read(uint32_t address, uint32_t* value);
  bool Write(uint32_t address, uint32_t value);
  const std::string& refusal() const { return refusal_; }
  // The bits of a word that software may write; 0: it is not there, or read only.
  uint32_t Writable(uint32_t address) const;
  bool interrupt() const;

  // ---- The world
  // What comes on the stream of write channel w, behind what came before. `sides`: TUSER, TID and
  // TDEST of each beat as in word 14 of a descriptor; bit 16 is the frame mark.
  void Feed(int w, const std::vector<model::StreamBeat>& beats,
            const std::vector<uint32_t>& sides = {});
  // An event: a source as in the register TRIGGER.
  void Fire(uint32_t source);
  // The next transfer of a channel has these status bits as well.
  void FailNext(int channel, uint32_t status) { At(channel).fail = static_cast<uint8_t>(status); }
  // The channel hangs: it does nothing, and ends no abort and no reset but one that gives up.
  void Hang(int channel, bool hangs);

  // ---- Execution
  bool Step(int channel);  // false: it has nothing to do, or waits
  // All channels, reads first, until nothing goes on; `untimed`: events of software and pins come
  // when they are waited for.
  void Run();
  bool Finished() const;  // no task and no transfer is left
  bool Busy(int channel) const;
  // What a channel waits for that does not go on.
  enum class Wait { kNothing, kHalt, kTrigger, kDescriptor, kLock, kData };
  Wait WaitsFor(int channel) const;
  // The same in a sentence, with the names of what it waits for; empty: for nothing.
  std::string WhoWaits(int channel) const;

  // ---- What came of it
  const std::deque<DeviceRecord>& records(int channel) const { return At(channel).records; }
  const std::vector<DeviceExecution>& executions(int channel) const {
    return At(channel).executions;
  }
  const std::vector<uint32_t>& tokens(int channel) const { return At(channel).tokens; }
  // Beats that a read channel has sent, with headers.
  const std::vector<model::StreamBeat>& beats(int read_channel) const;
  void ForgetBeats(int read_channel);
  // Of the last beat that a write channel accepted: bytes that are left for the next transfer.
  int held(int write_channel) const { return At(write_channel).write->held(); }
  int lock(int number) const { return locks_.at(static_cast<size_t>(number)); }
  uint64_t locks_over() const { return over_; }
  uint64_t locks_under() const { return under_; }
  // ERROR and IRQ_STATUS; why a descriptor was not loaded (reasons of the manual; 0: all were), and
  // which.
  uint32_t error(int channel) const { return At(channel).error; }
  uint32_t interrupts(int channel) const { return At(channel).irq_status; }
  bool missed(int channel) const { return At(channel).missed; }
  int reason(int channel) const { return At(channel).reason; }
  // Triggers that tasks of the channel have taken; locks that its transfers have.
  uint64_t triggers_taken(int channel) const { return At(channel).triggers_taken; }
  bool begun(int channel) const { return At(channel).begun; }
  // Tasks that a descriptor may still be loaded for, with the one in hand.
  std::vector<uint32_t> tasks(int channel) const;
  std::optional<int> loaded(int channel) const;  // from descriptor RAM
  uint32_t word(uint32_t address) const { return words_[address / 4]; }
  int channels() const { return static_cast<int>(channels_.size()); }
  uint64_t executed() const { return executed_; }
  void Pass() { ++cycles_; }  // a cycle

 private:
  using Words = std::array<uint32_t, 16>;
  struct Task {
    uint32_t word = 0, tag = 0;
  };
  struct Loaded {
    Words base{};
    model::Transfer transfer;
    int number = 0;
    Task task;
    bool from_list = false, task_end = false;
  };
  struct Channel {
    uint32_t error = 0, info = 0, irq_status = 0;
    uint64_t error_addr = 0;
    int reason = 0, refused = 0;  // why it halted, at which descriptor
    bool known = false;           // an error that belongs to a descriptor, since ERROR was 0
    bool halted = false, faulted = false, hangs = false, stopped = false;
    uint8_t fail = 0;
    std::deque<Task> tasks;
    bool turn_begun = false;  // its trigger is taken
    uint32_t turn = 0;
    std::optional<int> at;  // the next descriptor within the turn
    bool list_open = false;
    uint32_t head = 0, entry = 0, entries = 0, unreported = 0;  // entries: not reported
    bool phase = true;
    std::optional<Loaded> loaded;
    bool begun = false;
    int pending = 0;  // events of its trigger
    bool missed = false;
    uint64_t triggers_taken = 0;
    uint32_t current = 0;
    std::deque<DeviceRecord> records;
    std::vector<DeviceExecution> executions;
    std::vector<uint32_t> tokens;
    std::optional<model::ReadModel> read;
    std::optional<model::WriteModel> write;
    std::vector<model::StreamBeat> fed;
    std::vector<uint32_t> sides;  // of the beats, or none
    size_t next_beat = 0, frame = 0;
    bool framed = false;  // the turn has the frame that begins with that beat
    // Sent beats, where headers may go before them.
    std::vector<model::StreamBeat> sent;
    std::vector<std::pair<uint8_t, bool>> lanes;   // of the packet, not yet sent; kept or not
    std::vector<std::optional<uint32_t>> headers;  // of the transfers of the model
    size_t headed = 0;                             // beats of the model that have been sent
    bool in_packet = false;
  };

  Channel& At(int c) { return channels_.at(static_cast<size_t>(c)); }
  const Channel& At(int c) const { return channels_.at(static_cast<size_t>(c)); }
  bool IsRead(int c) const { return c < static_cast<int>(build_.reads); }
  uint32_t Place(int c) const;  // within its direction
  uint32_t Base(int c) const;   // its first register
  uint32_t& Own(int c, uint32_t offset) { return words_[(Base(c) + offset) / 4]; }
  uint32_t Own(int c, uint32_t offset) const { return words_[(Base(c) + offset) / 4]; }
  uint32_t Control(int c) const { return Own(c, 0); }
  bool Refuse(std::string why);

  void SetCapabilities();
  bool IsThere(uint32_t address) const;
  std::optional<int> ChannelAt(uint32_t address) const;
  uint32_t ReadGlobal(uint32_t address) const;
  uint32_t ReadChannel(int c, uint32_t offset) const;
  bool InTask(int c) const;
  uint32_t Status(int c) const;
  uint32_t GlobalCauses() const;
  bool WriteGlobal(uint32_t address, uint32_t value);
  bool WriteChannel(int c, uint32_t offset, uint32_t value);
  bool Push(int c, uint32_t word);
  void WriteControl(int c, uint32_t before);
  void CutShort(int c);
  bool TryLock(uint32_t id, int value);
  std::pair<bool, bool> Release(uint32_t id, int amount);  // over, under

  bool NeedsTrigger(int c) const;
  bool TakeTrigger(int c);
  bool Load(int c);
  void Advance(int c, const Loaded& next, bool turn_end);
  int Check(int number, const Words& base, bool from_list) const;
  model::Transfer Decode(const Words& base, const Words& bounds, const Words& walk,
                         uint32_t turns) const;
  void Halt(int c, int number, int reason, bool list, uint64_t address);
  bool Begin(int c);
  std::optional<model::Record> Move(int c, uint32_t* side);
  void NoteWriteErrors(const model::Transfer& transfer, model::Record* record) const;
  void SendBeats(int c);
  void Retire(int c, const model::Record& done, uint32_t side, bool aborted);
  void NoteError(int c, uint32_t bits, uint32_t info, uint64_t address);
  void WriteEntry(int c, const DeviceRecord& record, bool interrupts);
  Words FromMemory(uint64_t address) const;

  DeviceBuild build_;
  model::Build transfers_;
  model::MemoryImage* memory_;
  const model::MemoryImage* lists_;
  std::vector<model::ErrorRange> write_errors_;
  std::vector<uint32_t> words_;  // what registers and memories of the map hold
  std::vector<int> locks_;
  std::vector<Channel> channels_;
  uint64_t over_ = 0, under_ = 0, cycles_ = 0, executed_ = 0;
  uint32_t cycles_high_ = 0;
  std::string refusal_;
};

}  // namespace tessera
