// tsr_sequencer against a model of its header: what is asked for, what is offered with which lock,
// and what an abort leaves, in random surroundings that also say nonsense whenever it does not
// count.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <deque>
#include <optional>

#include "tests/channel_units/unit.h"
#include "units/Vsequencer_top.h"

namespace tessera {
namespace {

struct Shape {
  int slots;
  bool equal_takes;
};
constexpr std::array<Shape, 2> kShapes = {{{1, false}, {2, true}}};

// A lock and a value, as a word of the pins.
int Value(uint16_t op) { return (op & 0x3f) - (op & 0x40); }
uint16_t Op(int lock, int value) { return static_cast<uint16_t>(lock << 8 | (value & 0x7f)); }

class Sequencer : public ::testing::TestWithParam<int> {
 protected:
  struct Task {
    uint8_t start = 0, repeats = 0;
    bool endless = false, listed = false;
  };
  struct Entry {  // a transfer that the engine has not taken
    uint16_t addr = 0;
    uint8_t descriptor = 0;
    bool acquires = false;
    uint16_t acquire = 0;
    bool granted = false;
  };
  struct Request {
    uint8_t descriptor = 0;
    bool last = false;
  };
  struct Counts {
    int taken = 0, given_back = 0, stopped = 0, failures = 0, lists = 0;
    int answered_in_abort = 0, granted_in_abort = 0, granted_behind_failure = 0, headers_hold = 0;
  };

  Sequencer() {
    model().task_valid_i = model().loaded_valid_i = 0;  // the other cell rests
    Drive();
    unit_.Reset(5);
  }
  Vsequencer_top& model() { return unit_.model(); }
  const Shape& shape() const { return kShapes[static_cast<size_t>(cell_)]; }
  template <typename Pin>
  bool Bit(const Pin& pin) {
    return PinBit(pin, cell_);
  }
  template <typename Pin>
  void SetBit(Pin& pin, bool value) {
    SetPinBit(pin, cell_, value);
  }
  template <typename Pin>
  uint8_t& Byte(Pin& pin) {
    return PinAt<uint8_t>(pin, cell_);
  }
  template <typename Pin>
  uint16_t& Word(Pin& pin) {
    return PinAt<uint16_t>(pin, cell_);
  }
  uint8_t Any() { return static_cast<uint8_t>(rng_()); }

  // Of what was acquired for it something has to be given back.
  bool Owes(const Entry& entry) const {
    const int value = Value(entry.acquire);
    return entry.granted && (value < 0 || (shape().equal_takes && value != 0));
  }

  void Drive();
  void DriveAnswer();
  void Look();
  void LookAtRequest();
  void LookAtLocks();
  void LookAtOffer();

  ClockedUnit<Vsequencer_top> unit_{1};
  int cell_ = GetParam();
  Rng rng_{7};
  Counts counts_;
  // Surroundings.
  std::optional<Task> task_;
  std::optional<Request> asked_;
  uint16_t addr_ = 0, addr_before_ = 0;
  bool aborts_ = false, resets_ = false, clears_ = false, fails_ = false, aborted_before_ = false;
  bool by_id_ = false, id_valid_ = false, after_ready_ = false, rests_ = true;
  // What follows from the header.
  std::deque<Entry> entries_;
  bool middle_ = false;  // of a chain
  uint8_t next_ = 0;
  int turns_ = 0;
};

void Sequencer::Drive() {
  Vsequencer_top& m = model();
  if (!aborts_ && rng_.Chance(0.03)) {
    aborts_ = true;
    resets_ = rng_.Chance(0.5);
  }
  if (resets_ && rng_.Chance(0.2)) clears_ = true;
  if (clears_) fails_ = false;
  if (!aborts_ && rng_.Chance(0.004)) fails_ = true;
  if (rests_ && !aborts_ && !task_ && rng_.Chance(0.2)) by_id_ = !by_id_;
  // Behind an abort tasks are flushed for a cycle.
  if (!task_ && !aborts_ && !aborted_before_ && rng_.Chance(0.6)) {
    task_ = Task{Any(), static_cast<uint8_t>(rng_() % 3), rng_.Chance(0.1), rng_.Chance(0.3)};
  }
  SetBit(m.abort_i, aborts_);
  SetBit(m.clear_i, clears_);
  SetBit(m.fail_i, fails_);
  SetBit(m.idle_i, clears_ || rng_.Chance(0.5));
  SetBit(m.stop_i, rng_.Chance(0.3));
  SetBit(m.task_valid_i, task_.has_value());
  const Task task = task_.value_or(Task{Any(), Any(), rng_.Chance(0.5), rng_.Chance(0.5)});
  Byte(m.task_start_i) = task.start;
  Byte(m.task_repeats_i) = task.repeats;
  SetBit(m.task_endless_i, task.endless);
  SetBit(m.task_listed_i, task.listed);
  SetBit(m.by_id_i, by_id_);
  if (!id_valid_) {
    id_valid_ = rng_.Chance(0.5);
    Byte(m.id_i) = static_cast<uint8_t>(rng_() & 63);
  }
  SetBit(m.id_valid_i, id_valid_);
  SetBit(m.request_ready_i, rng_.Chance(0.5));
  SetBit(m.acquire_ready_i, rng_.Chance(0.2));
  SetBit(m.give_back_ready_i, rng_.Chance(0.3));
  SetBit(m.ready_i, rng_.Chance(0.4));
  after_ready_ = after_ready_ || rng_.Chance(0.7);
  SetBit(m.after_ready_i, after_ready_);
  DriveAnswer();
}

void Sequencer::DriveAnswer() {
  Vsequencer_top& m = model();
  addr_before_ = addr_;
  addr_ = static_cast<uint16_t>(rng_());
  Word(m.addr_i) = addr_;
  const bool answers = asked_ && rng_.Chance(0.5), chained = rng_.Chance(0.4);
  SetBit(m.loaded_valid_i, answers);
  Byte(m.loaded_i) = answers ? asked_->descriptor : Any();
  Byte(m.loaded_next_i) = Any();
  SetBit(m.loaded_chained_i, chained);
  SetBit(m.loaded_end_i, answers ? asked_->last && !chained : rng_.Chance(0.5));
  SetBit(m.loaded_error_i, rng_.Chance(0.06));
  SetBit(m.loaded_acquires_i, rng_.Chance(0.6));
  Word(m.loaded_acquire_i) = Op(static_cast<int>(rng_() % 64), static_cast<int>(rng_() % 9) - 5);
}

void Sequencer::LookAtRequest() {
  Vsequencer_top& m = model();
  if (task_ && task_->listed && by_id_) {
    ++counts_.headers_hold;
    EXPECT_FALSE(Bit(m.request_valid_o)) << "headers choose, the list has to wait";
    EXPECT_FALSE(Bit(m.list_open_o));
  }
  if (!Bit(m.request_valid_o)) return;
  ASSERT_TRUE(task_ && !asked_ && !aborts_);
  EXPECT_FALSE(Bit(m.failed_o));
  EXPECT_EQ(Byte(m.request_o), middle_ ? next_ : by_id_ ? Byte(m.id_i) : task_->start);
  EXPECT_EQ(Bit(m.request_listed_o), task_->listed);
  EXPECT_EQ(Bit(m.request_final_o), task_->endless ? Bit(m.stop_i) : turns_ == task_->repeats);
  EXPECT_EQ(Bit(m.id_take_o), by_id_ && !middle_ && Bit(m.request_ready_i));
  if (!Bit(m.request_ready_i)) return;
  counts_.lists += task_->listed;
  asked_ = Request{Byte(m.request_o), Bit(m.request_final_o)};
}

void Sequencer::LookAtLocks() {
  Vsequencer_top& m = model();
  if (Bit(m.acquire_valid_o)) {
    ASSERT_FALSE(entries_.empty());
    Entry& front = entries_.front();
    EXPECT_TRUE(front.acquires && !front.granted);
    EXPECT_EQ(Word(m.acquire_o), front.acquire);
    if (Bit(m.acquire_ready_i)) {
      front.granted = true;
      counts_.granted_in_abort += aborts_;
      counts_.granted_behind_failure += aborts_ && Bit(m.failed_o);
    }
  }
  if (Bit(m.give_back_valid_o)) {
    ASSERT_FALSE(entries_.empty()) << "nothing was acquired";
    const Entry& front = entries_.front();
    EXPECT_TRUE(aborts_ && Owes(front));
    EXPECT_EQ(Word(m.give_back_o), Op(front.acquire >> 8, std::abs(Value(front.acquire))));
    if (Bit(m.give_back_ready_i)) {
      ++counts_.given_back;
      entries_.clear();
    }
  }
}

void Sequencer::LookAtOffer() {
  Vsequencer_top& m = model();
  if (!Bit(m.valid_o)) return;
  ASSERT_FALSE(entries_.empty()) << "what was not loaded, or is taken back";
  const Entry& front = entries_.front();
  EXPECT_TRUE(after_ready_);
  EXPECT_TRUE(!front.acquires || front.granted);
  EXPECT_EQ(Word(m.addr_o), front.addr);
  EXPECT_EQ(Byte(m.after_o), front.descriptor);
  if (!Bit(m.ready_i)) return;
  ++counts_.taken;
  after_ready_ = false;
  entries_.pop_front();
}

void Sequencer::Look() {
  Vsequencer_top& m = model();
  const bool answered = Bit(m.loaded_valid_i), error = Bit(m.loaded_error_i);
  counts_.answered_in_abort += answered && !error && aborts_;
  const bool loads = answered && !error && !aborts_, ends = loads && Bit(m.loaded_end_i);
  EXPECT_EQ(Bit(m.task_ready_o), ends);
  if (loads) {
    entries_.push_back({shape().slots == 1 ? addr_before_ : addr_, Byte(m.loaded_i),
                        Bit(m.loaded_acquires_i), Word(m.loaded_acquire_i), false});
    EXPECT_LE(entries_.size(), static_cast<size_t>(shape().slots));
    middle_ = Bit(m.loaded_chained_i);
    next_ = Byte(m.loaded_next_i);
    if (!middle_) turns_ = ends ? 0 : turns_ + 1;
  }
  // An entry that waits for a lock asks from the cycle after its answer on, one with a lock is
  // taken later.
  LookAtOffer();
  if (!HasFatalFailure()) LookAtLocks();
  if (answered) asked_.reset();
  if (!HasFatalFailure()) LookAtRequest();
  if (ends) task_.reset();
  if (Bit(m.id_take_o)) id_valid_ = false;
  counts_.failures += answered && error && !aborts_;
  rests_ = !Bit(m.busy_o) && !Bit(m.running_o);
  if (Bit(m.flush_o)) {
    EXPECT_TRUE(aborts_ || aborted_before_);
    task_.reset();
    middle_ = false;
    turns_ = 0;
  }
  aborted_before_ = aborts_;
  if (Bit(m.stopped_o) && aborts_ && (!resets_ || clears_)) {
    EXPECT_FALSE(Bit(m.valid_o) || Bit(m.give_back_valid_o) || asked_);
    EXPECT_FALSE(!entries_.empty() && Owes(entries_.front())) << "what was acquired is lost";
    entries_.clear();
    aborts_ = resets_ = clears_ = false;
    ++counts_.stopped;
  }
}

TEST_P(Sequencer, TransfersHaveTheirLocksAndAbortsLeaveNothing) {
  for (int i = 0; i < 150000; ++i) {
    Drive();
    unit_.Cycle([&] { Look(); });
    ASSERT_FALSE(HasFailure()) << "cycle " << i;
  }
  EXPECT_GT(counts_.taken, 2000);
  EXPECT_GT(counts_.stopped, 500);
  EXPECT_GT(counts_.given_back, 50);
  EXPECT_GT(counts_.failures, 100);
  EXPECT_GT(counts_.lists, 500);
  EXPECT_GT(counts_.headers_hold, 500);
  EXPECT_GT(counts_.answered_in_abort, 20);
  EXPECT_GT(counts_.granted_in_abort, 20);
  EXPECT_GT(counts_.granted_behind_failure, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Sequencer, ::testing::Range(0, 2));

}  // namespace
}  // namespace tessera
