// A channel: its task queue, its records and its control, with a ticket for every task that is
// pushed.
//
// The object knows how many of its tasks the hardware still has, so that a push needs no read and
// never meets a full queue. One object drives a channel. Push() and Collect() are called from one
// thread; Service() may be called from there and from an interrupt handler at once.
#pragma once

#include <stdint.h>

#include "device.hpp"
#include "registers.hpp"
#include "status.hpp"

namespace tessera::driver {

// What became of a task: of all its transfers together.
struct Completion {
  uint64_t bytes = 0;
  uint32_t tag = 0;
  uint8_t status = 0;  // status bits of its records, see registers::entry::Status
  bool last = false;   // the last transfer sent or saw TLAST
  bool lost = false;   // cleared by a reset or dropped by an abort before it was done
};

// What became of one transfer.
struct TransferEnd {
  uint64_t bytes = 0;
  uint8_t status = 0;  // as of its record
};

// A record of one transfer.
struct Record {
  uint64_t bytes = 0;
  uint64_t dropped = 0;  // of a packet that was longer than its transfer
  uint64_t address = 0;  // of the first error
  uint32_t tag = 0;
  uint32_t stamp = 0;
  uint32_t side = 0;
  uint8_t descriptor = 0;
  uint8_t status = 0;
  bool last = false;
  bool task_end = false;
};

// What ERROR and its fellows say.
struct ChannelError {
  uint32_t bits = 0;  // of ERROR
  uint8_t descriptor = 0;
  uint8_t reason = 0;  // why it was not loaded
  uint8_t fault = 0;
  uint64_t address = 0;
};

// Numbers of what a channel can wait for: Channel::SetTrigger().
struct TriggerSource {
  static constexpr uint32_t kNone = 0;
  static constexpr uint32_t kFrameMark = 1;  // of the channel's own stream
  static constexpr uint32_t Pin(uint32_t pin) { return 0x10 + (pin & 15); }
  static constexpr uint32_t Software(uint32_t event) { return 0x20 + (event & 15); }
  static constexpr uint32_t TransferDone(Direction direction, uint32_t channel) {
    return (direction == Direction::kToStream ? 0x40 : 0x50) + (channel & 15);
  }
  static constexpr uint32_t TaskDone(Direction direction, uint32_t channel) {
    return (direction == Direction::kToStream ? 0x60 : 0x70) + (channel & 15);
  }
};

struct TaskOptions {
  uint32_t repeats = 1;
  bool endless = false;
  bool token = false;
  bool trigger = false;  // waits for the trigger before its first turn
  bool paced = false;    // ... before each turn
};

namespace detail {

// Tickets are given out modulo 2^32; those from `finished` to `pushed` - 1 are outstanding.
constexpr bool IsOutstanding(uint32_t ticket, uint32_t finished, uint32_t pushed) {
  return ticket - finished < pushed - finished;
}

}  // namespace detail

// `Tickets`, a power of two: tasks that can be outstanding or not yet collected.
template <Bus B, uint32_t Tickets = 16>
class Channel {
  static_assert(Tickets >= 2 && (Tickets & (Tickets - 1)) == 0 && Tickets <= 256,
                "tessera: the number of tickets of a channel is a power of two from 2 to 256");

 public:
  using BusType = B;

  Channel(const Device<B>& device, Direction direction, uint32_t number)
      : device_(&device),
        base_(direction == Direction::kToStream ? registers::ReadAddress(number)
                                                : registers::WriteAddress(number)),
        number_(static_cast<uint8_t>(number < 255 ? number : 255)),
        direction_(direction) {}
  Channel(const Device<B>&&, Direction, uint32_t) = delete;  // the device stays as long as this

  // Finds the channel in the device and learns how much room its queue has. Refuses a channel that
  // an earlier program left with bits of CONTROL (what this object has set stays), stopped, at
  // work or with records (channel_in_use): Reset() ends all of that, and may be called before.
  // Interrupts are off, and errors of an earlier program forgotten; trigger, standing and
  // coalescing stay as they are. Once more after a reset of the device: tasks that were outstanding
  // are lost, lists and descriptors must be configured anew.
  Status Open() {
    if (!device_->opened()) return Reason::not_configured;
    if (!Exists()) return {Reason::channel_number, number_};
    const uint32_t control =
        Read(registers::channel::Control::kOffset) & ~registers::channel::Control::kLockMask;
    if (held_ != Held::kNot && control != 0) return Stuck();
    if (((control & ~control_) | (Read(registers::channel::Status::kOffset) & kNotAtRest) |
         (Read(registers::channel::Record::kOffset) & registers::channel::Record::kValidMask)) !=
        0) {
      return {Reason::channel_in_use, number_};
    }
    Hold(Held::kNot);
    Write(registers::channel::IrqEnable::kOffset, 0);
    Write(registers::channel::Error::kOffset, registers::channel::Error::kWritable);
    Write(registers::channel::IrqStatus::kOffset, registers::channel::IrqStatus::kWritable);
    Write(registers::channel::Tag::kOffset, 0);
    Lose();
    NewList();
    ++opens_;
    control_ &= control;
    level_ = tag_ = 0;
    saw_error_ = unexpected_ = false;
    opened_ = true;
    return {};
  }

  const Device<B>& device() const { return *device_; }
  Direction direction() const { return direction_; }
  uint32_t number() const { return number_; }
  bool opened() const { return opened_; }
  // Changes with Open(): the device may have been reset before.
  uint32_t opens() const { return opens_; }
  bool headers_choose() const { return (control_ & registers::channel::Control::kByIdMask) != 0; }
  // The list registers get another list; which one it is.
  uint32_t NewList() { return ++list_; }
  uint32_t list() const { return list_; }
  // Tasks that the hardware still has.
  uint32_t outstanding() const { return pushed_ - Finished(); }
  // Of a task that was neither collected nor forgotten.
  bool Knows(uint32_t ticket) const {
    return pushed_ - ticket - 1 < Tickets && slots_[ticket & (Tickets - 1)].state != State::kFree;
  }
  bool IsFinished(uint32_t ticket) const {
    return !detail::IsOutstanding(ticket, Finished(), pushed_);
  }

  // ---- Tasks ------------------------------------------------------------------------------------

  // Pushes a task that begins with `descriptor`: one register write, and one more if the tag is a
  // new one. The ticket is for Wait() and Collect().
  Result<uint32_t> Push(uint32_t descriptor, const TaskOptions& options = {}, uint32_t tag = 0) {
    if (descriptor >= device_->build().descriptors) {
      return {0, {Reason::descriptor_number, descriptor}};
    }
    const Result<uint32_t> word = WordOf(options);
    return word.ok() ? PushWord(descriptor | word.value, tag) : word;
  }
  // What TASK says of a task with these options, but where it begins.
  Result<uint32_t> WordOf(const TaskOptions& options) const {
    if (options.repeats - 1 > 0xffff) return {0, Reason::repeat_range};
    if ((options.trigger || options.paced) &&
        !device_->build().Has(registers::global_block::CapFeatures::kTriggersMask)) {
      return {0, Reason::no_triggers};
    }
    if (options.token && !device_->build().Has(registers::global_block::CapFeatures::kTokensMask))
      return {0, Reason::no_tokens};
    return {registers::Bits<registers::channel::Task::kRepeatsMask>(options.repeats - 1) |
                (options.endless ? registers::channel::Task::kEndlessMask : 0) |
                (options.token ? registers::channel::Task::kTokenMask : 0) |
                (options.trigger ? registers::channel::Task::kTriggerMask : 0) |
                (options.paced ? registers::channel::Task::kPacedMask : 0),
            {}};
  }

  // The same with the word of TASK, which has been checked.
  Result<uint32_t> PushWord(uint32_t word, uint32_t tag = 0) {
    if (!opened_) return {0, Reason::not_configured};
    if ((word & registers::channel::Task::kFromListMask) != 0 && headers_choose())
      return {0, Reason::headers_choose};
    const uint32_t ticket = pushed_;
    const uint32_t there = ticket - Finished();
    if (there >= depth_) {
      return {0, depth_ == 0 ? Reason::channel_stuck : Reason::queue_full};
    }
    Slot& slot = slots_[ticket & (Tickets - 1)];
    if (slot.state == State::kOutstanding || there >= Tickets) {
      return {0, Reason::no_ticket};
    }
    slot = {.tag = tag, .lost = true, .state = State::kOutstanding};
    if (tag != tag_) {
      Write(registers::channel::Tag::kOffset, tag);
      tag_ = tag;
    }
    pushed_ = ticket + 1;
    device_->bus().barrier();
    Write(registers::channel::Task::kOffset, word);
    return {ticket, {}};
  }

  // What became of a finished task. Its ticket means nothing afterwards.
  Result<Completion> Collect(uint32_t ticket) { return Collect(ticket, Reason::task_running); }

  // Nobody will collect this task. Its errors still show in TakeError().
  void Forget(uint32_t ticket) {
    if (Knows(ticket)) slots_[ticket & (Tickets - 1)].state = State::kFree;
  }
  // This task may be collected, until a new one needs its place.
  void Leave(uint32_t ticket) {
    if (Knows(ticket)) slots_[ticket & (Tickets - 1)].state = State::kLeft;
  }

  // Waits until a task is finished and collects it. Serves the channel meanwhile.
  Result<Completion> Wait(uint32_t ticket, Timeout timeout = {}) {
    Deadline<B> deadline(*device_, timeout);
    for (;;) {
      Service();
      const bool runs = Knows(ticket) && !IsFinished(ticket);
      if (runs && !GivesUp(deadline)) continue;
      return Collect(ticket, runs ? WhyNot() : Status());
    }
  }

  // Why a task has not finished: the channel has stopped at an error, or it takes longer.
  Status WhyNot() const {
    if (unexpected_) return {Reason::record_unexpected, number_};
    const Status stopped = Halted();
    return stopped.ok() ? Status(Reason::timeout, number_) : stopped;
  }
  // channel_faulted or channel_halted, if it has stopped until a reset.
  Status Stopped() const { return opened_ ? Halted() : Status(Reason::not_configured); }
  // For a loop that waits and serves the channel: true if its time is over, or a while after the
  // channel has stopped with nothing under way.
  bool GivesUp(Deadline<B>& deadline) const {
    constexpr uint32_t kWhile = 64;
    if (deadline.turns() % kWhile == 1) {  // not in a short wait
      const uint32_t status = Read(registers::channel::Status::kOffset);
      if ((status & (registers::channel::Status::kFaultedMask |
                     registers::channel::Status::kHaltedMask)) != 0 &&
          (status & registers::channel::Status::kIdleMask) != 0) {
        deadline.Shorten(kWhile - 1);
      }
    }
    return deadline.Passed();
  }

  // Transfers of this channel that are done: for endless tasks, whose end nobody awaits.
  uint32_t transfers() const { return __atomic_load_n(&transfers_, __ATOMIC_ACQUIRE); }
  // What became of transfer `number`, counted from 0 as transfers() counts; it remembers the last
  // four.
  TransferEnd Ended(uint32_t number) const { return ended_[number % kRemembered]; }

  // ---- Records and interrupts -------------------------------------------------------------------

  // Takes every record that is there. Safe in an interrupt handler: if it interrupts itself, the
  // inner call only clears the interrupt and leaves the work to the outer one. Bounded by the
  // records that the hardware has.
  void Service() {
    if (opened_) Serve();
  }

  // Which of the bits of registers::channel::IrqStatus raise the interrupt; `records` and `time`
  // (64 cycles each) coalesce kIrqRecord, `time` kIrqEntries too. A full queue of records raises
  // kIrqRecord as well.
  Status EnableInterrupts(uint32_t which, uint32_t records = 1, uint32_t time = 0) {
    using registers::channel::Coalesce;
    if (!opened_) return Reason::not_configured;
    if (records > Coalesce::kCountMask || time > 0xffff) return {Reason::coalesce_range, number_};
    Write(Coalesce::kOffset, Coalesce{}.set_count(records).set_ticks(time).word);
    Write(registers::channel::IrqEnable::kOffset, which);
    return {};
  }

  // True if Service() has seen an error since TakeError() was called last.
  bool saw_error() const { return __atomic_load_n(&saw_error_, __ATOMIC_RELAXED); }

  // Reads what the error was and clears it.
  ChannelError TakeError() {
    ChannelError error;
    if (!opened_) return error;
    __atomic_store_n(&saw_error_, false, __ATOMIC_RELAXED);
    error.bits = Read(registers::channel::Error::kOffset);
    const uint32_t info = Read(registers::channel::ErrorInfo::kOffset);
    error.descriptor = info & 0xff;
    error.reason = (info >> 8) & 0x3f;
    error.fault = (info >> 16) & 0xf;
    error.address = Read64(registers::channel::ErrorAddrLow::kOffset);
    Write(registers::channel::Error::kOffset, error.bits);
    return error;
  }

  // ---- Control ----------------------------------------------------------------------------------

  uint32_t StatusWord() const { return opened_ ? Read(registers::channel::Status::kOffset) : 0; }
  // Which trigger tasks wait for: a number of TriggerSource.
  Status SetTrigger(uint32_t source) {
    if (!opened_) return Reason::not_configured;
    if (source > 127) return {Reason::trigger_number, source};
    if (!device_->build().Has(registers::global_block::CapFeatures::kTriggersMask))
      return Reason::no_triggers;
    Write(registers::channel::Trigger::kOffset, source);
    return {};
  }
  // Weight of its turn, QoS, AxCACHE, AxPROT and the controller of its tokens. Legal while the
  // channel has no work.
  Status SetStanding(uint32_t weight, uint32_t qos, uint32_t cache, uint32_t protection,
                     uint32_t controller) {
    if (!opened_) return Reason::not_configured;
    if ((weight | qos | cache) > 15 || protection > 7 || controller > 255) {
      return {Reason::standing_range, number_};
    }
    if ((Read(registers::channel::Standing::kOffset) & registers::channel::Standing::kLockMask) !=
        0)
      return Locked();
    constexpr uint32_t kRest =
        registers::channel::Status::kBusyMask | registers::channel::Status::kIdleMask;
    if ((StatusWord() & kRest) != registers::channel::Status::kIdleMask)
      return Reason::task_running;
    Write(registers::channel::Standing::kOffset,
          weight | qos << 4 | cache << 8 | protection << 12 | controller << 16);
    return {};
  }
  // A record with one of these bits of its status stops the channel. While an abort or a reset has
  // not ended: from then on.
  Status StopOn(uint32_t status_bits) {
    if (const Status status = Controlled(); !status.ok()) return status;
    control_ = registers::channel::Control{control_ & registers::channel::Control::kByIdMask}
                   .set_stop_on(status_bits)
                   .word;
    SetControl(level_);
    return {};
  }
  // Out-of-order reception: each turn of a task waits for a packet, takes its header off and begins
  // with the descriptor that the header names, which its sender set by Descriptor::Header. Record
  // and ticket tell which it was. Legal while nothing is outstanding. The descriptors that headers
  // may name belong to their tasks: those tasks must stay as they are, started or not.
  Status HeadersChoose(bool on) {
    if (const Status status = Controlled(); !status.ok()) return status;
    if (direction_ != Direction::kFromStream) return Reason::wrong_direction;
    if (!device_->build().Has(registers::global_block::CapFeatures::kOutOfOrderMask))
      return Reason::no_out_of_order;
    if (outstanding() != 0) return Reason::task_running;
    control_ = (control_ & ~registers::channel::Control::kByIdMask) |
               (on ? registers::channel::Control::kByIdMask : 0);
    SetControl(level_);
    return {};
  }

  // No new bursts; returns when nothing is on the bus. Resume() goes on.
  Status Pause(Timeout timeout = {}) {
    if (const Status status = Free(); !status.ok()) return status;
    SetControl(registers::channel::Control::kPauseMask);
    return device_->WaitFor(base_ + registers::channel::Status::kOffset,
                            registers::channel::Status::kPausedMask,
                            registers::channel::Status::kPausedMask, timeout);
  }
  void Resume() {
    if (Controlled().ok()) SetControl(0);
  }
  // The transfers that were begun are finished, no others begin. Takes their records. Resume() goes
  // on.
  Status Drain(Timeout timeout = {}) {
    if (const Status status = Free(); !status.ok()) return status;
    SetControl(registers::channel::Control::kDrainMask);
    return WaitAndServe(registers::channel::Status::kIdleMask,
                        registers::channel::Status::kIdleMask, timeout);
  }
  // An endless task ends with its turn; returns when the channel has nothing left to do. Pause and
  // drain end with it. The task of a ring that has ended without a record counts as aborted.
  Status Stop(Timeout timeout = {}) {
    if (const Status status = Free(); !status.ok()) return status;
    SetControl(registers::channel::Control::kStopMask);
    const Status status = WaitAndServe(kWork, 0, timeout);
    SetControl(0);
    if (status.ok()) Lose();
    return status;
  }
  // Ends everything that was pushed. Bursts on the bus are finished; no task is outstanding
  // afterwards, and pause and drain have ended. After a timeout the channel takes no task until
  // Abort() or Reset() has succeeded.
  Status Abort(Timeout timeout = {}) {
    if (held_ == Held::kReset) return Stuck();
    if (const Status status = Controlled(); !status.ok()) return status;
    Write(registers::channel::Control::kOffset, control_ | registers::channel::Control::kAbortMask);
    Hold(Held::kAbort);
    // Until the channel is idle it refuses tasks, however long the level is held.
    const Status status = WaitAndServe(kWork | registers::channel::Status::kIdleMask,
                                       registers::channel::Status::kIdleMask, timeout);
    if (!status.ok()) return status;
    Hold(Held::kNot);
    SetControl(0);
    Lose();
    ForgetAbort();
    return {};
  }
  // Aborts and clears the channel, also before Open(). `give_up`: does not wait for answers that
  // the memory owes, in a build with guards. After a timeout as Abort().
  Status Reset(Timeout timeout = {}, bool give_up = false) {
    if (!Exists()) return {Reason::channel_number, number_};
    if (ControlLocked()) return Locked();
    Hold(Held::kReset);
    Write(registers::channel::Control::kOffset,
          registers::channel::Control::kResetMask |
              (give_up ? registers::channel::Control::kGiveUpMask : 0));
    Deadline<B> deadline(*device_, timeout);
    for (;;) {
      const uint32_t status = Read(registers::channel::Status::kOffset);
      Serve();  // what is cut short needs room for its record
      if ((status & registers::channel::Status::kInResetMask) != 0) break;
      if (deadline.Passed()) {
        return {(status & registers::channel::Status::kStuckMask) != 0 ? Reason::channel_stuck
                                                                       : Reason::timeout,
                number_};
      }
    }
    Lose();
    unexpected_ = false;
    Hold(Held::kNot);
    SetControl(0);
    ForgetAbort();
    // A task that came before the end of the reset would be refused. It ends within a few cycles.
    return device_->WaitFor(base_ + registers::channel::Status::kOffset,
                            registers::channel::Status::kInResetMask, 0, Timeout::Turns(1000));
  }

  // Reads and removes the oldest record; for programs that do without tickets.
  bool TakeRecord(Record& record) {
    if (!opened_) return false;
    const uint32_t word = Read(registers::channel::Record::kOffset);
    if ((word & registers::channel::Record::kValidMask) == 0) return false;
    record.bytes = Read64(registers::channel::RecordBytesLow::kOffset);
    record.tag = Read(registers::channel::RecordTag::kOffset);
    record.stamp = Read(registers::channel::RecordStamp::kOffset);
    record.side = Read(registers::channel::RecordSide::kOffset);
    record.descriptor = word & 0xff;
    record.status = static_cast<uint8_t>(registers::channel::Record{word}.status());
    record.last = (word & registers::channel::Record::kLastMask) != 0;
    record.task_end = (word & registers::channel::Record::kTaskEndMask) != 0;
    record.dropped = record.status != 0 ? Read64(registers::channel::RecordDroppedLow::kOffset) : 0;
    record.address = record.status != 0 ? Read64(registers::channel::RecordAddrLow::kOffset) : 0;
    Write(registers::channel::RecordPop::kOffset, 1);
    Account(word, record.bytes);
    return true;
  }

 private:
  Result<Completion> Collect(uint32_t ticket, Status unless_finished) {
    Result<Completion> result;
    result.status = unless_finished;
    if (!Knows(ticket)) {
      result.status = opened_ ? Reason::ticket_unknown : Reason::not_configured;
    } else if (IsFinished(ticket)) {
      Slot& slot = slots_[ticket & (Tickets - 1)];
      slot.state = State::kFree;
      result.value = {slot.bytes, slot.tag, slot.status, slot.last, slot.lost};
      result.status = {};
      if (slot.lost || (slot.status & registers::entry::Status::kAbortedMask) != 0) {
        result.status = Reason::transfer_aborted;
      } else if (slot.status != 0) {
        result.status = Reason::transfer_failed;
      }
    }
    return result;
  }

  static constexpr uint32_t kRemembered = 4;
  static constexpr uint32_t kWork =
      registers::channel::Status::kBusyMask | registers::channel::Status::kRunningMask;
  static constexpr uint32_t kNotAtRest =
      kWork | registers::channel::Status::kPausedMask | registers::channel::Status::kInResetMask |
      registers::channel::Status::kStuckMask | registers::channel::Status::kHaltedMask |
      registers::channel::Status::kFaultedMask;

  enum class Held : uint8_t { kNot, kAbort, kReset };  // a level of CONTROL that has not ended
  // Of a ticket until it is collected or forgotten: kOutstanding, or kLeft if its place may be
  // used.
  enum class State : uint8_t { kFree, kOutstanding, kLeft };
  struct Slot {  // a Completion, and its state; `lost` until the last record has come
    uint64_t bytes = 0;
    uint32_t tag = 0;
    uint8_t status = 0;
    bool last = false;
    bool lost = false;
    State state = State::kFree;
  };

  bool Exists() const {
    const Capabilities& build = device_->build();
    return number_ < (direction_ == Direction::kToStream ? build.reads : build.writes);
  }
  uint32_t Read(uint32_t offset) const { return device_->Read(base_ + offset); }
  void Write(uint32_t offset, uint32_t value) const { device_->Write(base_ + offset, value); }
  uint64_t Read64(uint32_t offset) const {
    const uint32_t low = Read(offset);
    return low | static_cast<uint64_t>(Read(offset + 4)) << 32;
  }
  Status Halted() const {
    const uint32_t status = Read(registers::channel::Status::kOffset);
    if ((status & registers::channel::Status::kFaultedMask) != 0)
      return {Reason::channel_faulted, number_};
    if ((status & registers::channel::Status::kHaltedMask) != 0)
      return {Reason::channel_halted, number_};
    return {};
  }
  bool ControlLocked() const {
    return (Read(registers::channel::Control::kOffset) & registers::channel::Control::kLockMask) !=
           0;
  }
  Status Locked() const { return {Reason::register_locked, number_}; }
  // CONTROL is there and may be written.
  Status Controlled() const {
    if (!opened_) return Reason::not_configured;
    return ControlLocked() ? Locked() : Status();
  }
  // ... and no abort and no reset is held.
  Status Free() const { return held_ != Held::kNot ? Stuck() : Controlled(); }
  // `level`: pause, drain, stop or nothing.
  void SetControl(uint32_t level) {
    if (held_ != Held::kNot) return;
    level_ = level;
    Write(registers::channel::Control::kOffset, control_ | level);
  }
  uint8_t Depth() const { return static_cast<uint8_t>(1u << device_->build().task_log2); }
  // While the level is held there is no room for tasks.
  void Hold(Held held) {
    held_ = held;
    depth_ = held == Held::kNot ? Depth() : uint8_t{0};
  }
  Status Stuck() const { return {Reason::channel_stuck, number_}; }
  uint32_t Finished() const { return __atomic_load_n(&finished_, __ATOMIC_ACQUIRE); }

  // Service(), also before Open().
  void Serve() {
    if (Claim()) return;
    do {
      __atomic_store_n(&again_, uint8_t{0}, __ATOMIC_RELAXED);
      Acknowledge();
      TakeRecords();
    } while (__atomic_load_n(&again_, __ATOMIC_RELAXED) != 0);
    __atomic_store_n(&serving_, uint8_t{0}, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // A handler that came between the last look and here has left its work.
    if (__atomic_load_n(&again_, __ATOMIC_RELAXED) != 0) Serve();
  }
  // True if somebody further out is serving: then the interrupt is cleared and the work left to
  // him.
  bool Claim() {
    if (__atomic_load_n(&serving_, __ATOMIC_RELAXED) == 0) {
      __atomic_store_n(&serving_, uint8_t{1}, __ATOMIC_RELAXED);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
      return false;
    }
    Acknowledge();
    __atomic_store_n(&again_, uint8_t{1}, __ATOMIC_RELAXED);
    return true;
  }
  // Clears first and looks then, so that nothing is missed.
  void Acknowledge() {
    const uint32_t irq = Read(registers::channel::IrqStatus::kOffset);
    if (irq == 0) return;
    Write(registers::channel::IrqStatus::kOffset, irq);
    if ((irq & registers::channel::IrqStatus::kErrorMask) != 0)
      __atomic_store_n(&saw_error_, true, __ATOMIC_RELAXED);
  }
  void TakeRecords() {
    // Records cannot come faster than they are taken for ever: this ends with the queue twice over.
    for (uint32_t n = 0; n < 64; ++n) {
      const uint32_t word = Read(registers::channel::Record::kOffset);
      if ((word & registers::channel::Record::kValidMask) == 0) return;
      const uint64_t bytes = Read64(registers::channel::RecordBytesLow::kOffset);
      Write(registers::channel::RecordPop::kOffset, 1);
      Account(word, bytes);
    }
  }
  void Account(uint32_t word, uint64_t bytes) {
    const uint32_t ticket = finished_;
    if (ticket == pushed_) {  // nobody waits for it
      unexpected_ = true;
      return;
    }
    Slot& done = slots_[ticket & (Tickets - 1)];
    const auto status = static_cast<uint8_t>(registers::channel::Record{word}.status());
    done.bytes += bytes;
    done.status |= status;
    ended_[transfers_ % kRemembered] = {bytes, status};
    device_->bus().barrier();
    __atomic_store_n(&transfers_, transfers_ + 1, __ATOMIC_RELEASE);
    if ((word & registers::channel::Record::kTaskEndMask) == 0) return;
    done.last = (word & registers::channel::Record::kLastMask) != 0;
    done.lost = false;
    __atomic_store_n(&finished_, ticket + 1, __ATOMIC_RELEASE);
  }
  // Every task that is outstanding is gone.
  void Lose() { __atomic_store_n(&finished_, pushed_, __ATOMIC_RELEASE); }
  // That what was asked for has been cut short is no error that anybody has to look at.
  void ForgetAbort() {
    Write(registers::channel::Error::kOffset, registers::channel::Error::kAbortedMask);
    if (Read(registers::channel::Error::kOffset) == 0)
      __atomic_store_n(&saw_error_, false, __ATOMIC_RELAXED);
  }
  // Takes records until the bits `mask` of STATUS are `value`.
  Status WaitAndServe(uint32_t mask, uint32_t value, Timeout timeout) {
    Deadline<B> deadline(*device_, timeout);
    for (;;) {
      const uint32_t status = Read(registers::channel::Status::kOffset);
      Service();
      if ((status & mask) == value) return {};
      if (GivesUp(deadline)) return WhyNot();
    }
  }

  const Device<B>* device_;
  uint32_t base_;
  uint32_t control_ = 0;    // what stays in CONTROL
  uint32_t level_ = 0;      // and of its levels
  uint32_t tag_ = 0;        // what TAG holds
  uint32_t list_ = 0;       // lists that were set up
  uint32_t opens_ = 0;      // how often it was opened
  uint32_t pushed_ = 0;     // tasks
  uint32_t finished_ = 0;   // of them; written by Service() alone
  uint32_t transfers_ = 0;  // records taken; written by Service() alone
  uint8_t serving_ = 0;
  uint8_t again_ = 0;
  uint8_t number_;
  uint8_t depth_ = 0;
  Direction direction_;
  Held held_ = Held::kNot;
  bool saw_error_ = false;
  bool opened_ = false;
  bool unexpected_ = false;
  Slot slots_[Tickets];
  TransferEnd ended_[kRemembered];
};

}  // namespace tessera::driver
