// See program_sequencer_bench.h.
#include "tests/program/program_sequencer_bench.h"

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr int kPlans = 64;
constexpr int kSlack = 4;  // cycles in which a level may not have been seen

uint64_t Lower(const Plan& p) {
  const uint64_t word12 =
      static_cast<uint64_t>(p.acquire) | static_cast<uint64_t>(p.take & 127) << 8 |
      static_cast<uint64_t>(p.acquires) << 15 | static_cast<uint64_t>(p.release) << 16 |
      static_cast<uint64_t>(p.give & 127) << 24;
  const uint64_t word13 = p.next < 0 ? 0 : static_cast<uint64_t>(p.next) | 256;
  return word13 << 32 | word12;
}

uint64_t Upper(const Plan& p) {
  const uint64_t word15 = static_cast<uint64_t>(p.element) | static_cast<uint64_t>(p.finish) << 10 |
                          static_cast<uint64_t>(p.interrupts) << 12 |
                          static_cast<uint64_t>(p.no_record) << 13 |
                          static_cast<uint64_t>(p.contexts > 1) << 15 | 1U << 31;
  return word15 << 32 | p.side;
}

uint32_t Bit(int c) { return 1U << c; }

}  // namespace

SequencerBench::SequencerBench(const SequencerShape& shape, uint64_t seed, SequencerPace pace)
    : shape_(shape),
      rng_(Rng(seed).Stream("sequencer")),
      pace_(pace),
      unit_(seed),
      plans_(kPlans),
      lanes_(static_cast<size_t>(shape.channels)),
      locks_(static_cast<size_t>(shape.locks)),
      spoilt_locks_(static_cast<size_t>(shape.locks)) {
  m().rst_ni = 0;
  m().cell_i = static_cast<uint8_t>(shape.cell);
  m().push_valid_i = m().lock_valid_i = m().pop_i = m().job_ready_i = 0;
  m().shown_valid_i = m().prepared_valid_i = m().end_valid_i = 0;
  m().entry_ready_i = 0;
  m().freed_i = m().trigger_i = m().list_ready_i = 0;
  m().drain_i = m().abort_i = m().reset_i = m().stop_i = 0;
  m().engine_idle_i = ~0U;
  m().engine_cut_i = 0;
  m().view_channel_i = m().read_channel_i = 0;
  for (int n = 0; n < 4; ++n) {
    m().clk_i = 0;
    unit_.Evaluate();
    m().clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m().rst_ni = 1;
  Cycles(70);  // memories are cleared
}

void SequencerBench::Order(int channel, bool drain, bool abort, bool reset, bool stop) {
  Lane& l = lane(channel);
  if (l.drain != drain) l.drain_at = cycle_;
  if (l.stop != stop) l.stop_at = cycle_;
  l.drain = drain;
  l.abort = abort;
  l.reset = reset;
  l.stop = stop;
}

int SequencerBench::ReadLock(int id) {
  registers_.push_back({0, id, 0});
  read_.reset();
  while (!read_ && failure_.empty()) Cycle();
  return read_.value_or(-1);
}

SequencerBench::View SequencerBench::Look(int channel) {
  view_ = channel;
  Cycle();
  Cycle();
  const View view{m().view_waits_o,       m().view_next_waits_o, m().view_lock_o,
                  m().view_descriptor_o,  m().view_room_o,       m().view_records_o,
                  m().view_in_task_o != 0};
  return view;
}

std::string SequencerBench::State() const {
  std::string text = fmt::format("cycle {}:", cycle_);
  for (size_t c = 0; c < lanes_.size(); ++c) {
    const Lane& l = lanes_[c];
    if (l.tasks.empty() && l.made.empty() && l.engine.empty() && l.ends.empty() && !l.halted &&
        l.waiting.empty())
      continue;
    text += fmt::format(
        " [{}: {} wait, {} tasks, {} made, {} in the engine, {} ends, {} records{}{}{}{}{}{}]", c,
        l.waiting.size(), l.tasks.size(), l.made.size(), l.engine.size(), l.ends.size(),
        l.records.size(), l.halted ? ", halted" : "", l.faulted ? ", faulted" : "",
        l.drain ? ", drain" : "", l.abort ? ", abort" : "", l.reset ? ", reset" : "",
        l.due ? ", due" : "");
  }
  return text;
}

void SequencerBench::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{} ({})", what, State());
}

std::string SequencerBench::Cycles(uint64_t cycles) {
  for (uint64_t n = 0; n < cycles && failure_.empty(); ++n) Cycle();
  return failure_;
}

std::string SequencerBench::Finish(uint64_t most) {
  finishing_ = true;
  pace_.push = pace_.orders = pace_.refuses = 0;
  if (pace_.trigger != 0) pace_.trigger = 64;
  for (int c = 0; c < shape_.channels; ++c) Order(c, false, false, false, true);
  const uint64_t begun = cycle_;
  for (;;) {
    if (!failure_.empty()) return failure_;
    if (cycle_ - begun > most) {
      std::string text = "no end";
      for (int c = 0; c < shape_.channels; ++c) {
        if (!busy(c)) continue;
        const View view = Look(c);
        text += fmt::format(", {} waits for {} and {}, lock {}", c, view.waits, view.next_waits,
                            view.lock);
        if (view.next_waits == 3) {
          text += fmt::format(" of {}", locks_[static_cast<size_t>(view.lock)]);
          text += fmt::format(", really {}", ReadLock(view.lock));
        }
        if (!lane(c).made.empty() && lane(c).made.front().transfer.plan.acquires)
          text += fmt::format(", wants {} of {}", lane(c).made.front().transfer.plan.take,
                              lane(c).made.front().transfer.plan.acquire);
      }
      Fail(text);
      return failure_;
    }
    bool done = registers_.empty() && jobs_.empty();
    for (int c = 0; c < shape_.channels; ++c) {
      Lane& l = lane(c);
      if (l.halted || l.faulted) Order(c, false, false, true, true);
      if (l.reset && in_reset(c)) Order(c, false, false, false, true);
      done = done && l.waiting.empty() && l.tasks.empty() && l.made.empty() && l.engine.empty() &&
             l.ends.empty() && l.records.empty() && !l.halted && !l.reset && !busy(c) && idle(c);
    }
    if (done) break;
    Cycle();
  }
  Cycles(60);  // nothing more comes
  for (int k = 0; k < shape_.locks && failure_.empty(); ++k) {
    if (spoilt_locks_[static_cast<size_t>(k)]) continue;
    const int value = ReadLock(k);
    if (value != locks_[static_cast<size_t>(k)])
      Fail(fmt::format("lock {} is {} instead of {}", k, value, locks_[static_cast<size_t>(k)]));
  }
  for (int c = 0; c < shape_.channels && failure_.empty(); ++c) {
    const View view = Look(c);
    if (view.room != shape_.tasks || view.records != 0 || view.waits != 0 || view.in_task)
      Fail(fmt::format("channel {} at rest: room {}, records {}, waits {}", c, view.room,
                       view.records, view.waits));
    if (halted(c) || faulted(c) || busy(c)) Fail(fmt::format("channel {} is not at rest", c));
  }
  return failure_;
}

void SequencerBench::Orders() {
  for (int c = 0; c < shape_.channels; ++c) {
    Lane& l = lane(c);
    if (finishing_ || pace_.orders == 0) continue;
    if (l.abort || l.reset || l.drain) {
      if (cycle_ >= l.order_ends) Order(c, false, false, false, l.stop);
    } else if (static_cast<int>(rng_.Below(65536)) < pace_.orders) {
      const uint64_t kind = rng_.Below(4);
      l.order_ends = cycle_ + (rng_.Chance(0.4) ? 1 : rng_.Between(1, 300));
      if (kind == 0) Order(c, false, true, false, l.stop);
      if (kind == 1) Order(c, rng_.Chance(0.2), false, true, l.stop);
      if (kind == 2) Order(c, true, false, false, l.stop);
      if (kind == 3) Order(c, l.drain, l.abort, l.reset, !l.stop);
    } else if (l.halted || l.faulted) {
      if (pace_.orders != 0 && rng_.Below(64) == 0) {
        Order(c, false, false, true, l.stop);
        l.order_ends = cycle_ + rng_.Between(1, 100);
      }
    }
  }
}

void SequencerBench::Drive() {
  Orders();
  m().cycles_i = static_cast<uint32_t>(cycle_);
  uint32_t drain = 0, abort = 0, reset = 0, stop = 0, idle = 0, cut = 0, trigger = 0, freed = 0,
           ready = 0;
  for (int c = 0; c < shape_.channels; ++c) {
    Lane& l = lane(c);
    if (l.reset) l.reset_seen = true;
    drain |= l.drain ? Bit(c) : 0;
    abort |= l.abort ? Bit(c) : 0;
    reset |= l.reset ? Bit(c) : 0;
    stop |= l.stop ? Bit(c) : 0;
    const bool rests = l.engine.empty() && l.ends.empty() && !l.begun;
    l.idle = rests && (l.idle || rng_.Below(4) == 0);
    idle |= l.idle ? Bit(c) : 0;
    // The rest of a transfer is discarded while a further context of it is awaited.
    const bool awaits = l.begun;
    if (l.cut && !awaits) {
      l.cut = false;
      l.cut_at = cycle_;
    } else if (!l.cut && awaits && Goes(pace_.cuts)) {
      l.cut = true;
      l.cut_at = cycle_;
    }
    cut |= l.cut ? Bit(c) : 0;
    if (!l.trigger && Goes(pace_.trigger)) l.trigger = true;
    trigger |= l.trigger ? Bit(c) : 0;
    // Contexts leave the engine in order; the last one of a transfer makes its end.
    const bool aborts = m().abort_o >> c & 1;
    if (!l.engine.empty()) {
      Context& front = l.engine.front();
      if (aborts && front.leaves > cycle_ + 6) front.leaves = cycle_ + rng_.Below(6);
      if (front.leaves <= cycle_) {
        freed |= Bit(c);
        if (!front.more) {
          End end;
          end.transfer = front.transfer;
          end.aborted = aborts;
          end.ready = cycle_ + (aborts ? 1 : Draw(pace_.end_least, pace_.end_most));
          if (!l.ends.empty() && l.ends.back().ready >= end.ready)
            end.ready = l.ends.back().ready + 1;
          end.bytes = rng_.Below(1ULL << rng_.Between(3, 48));
          if (rng_.Chance(0.7)) end.bytes &= ~0x7fULL;
          end.last = rng_.Chance(0.5);
          if (Goes(pace_.errors)) {
            end.flags = 1 << rng_.Below(5);
            if (end.flags == 4) end.dropped = rng_.Below(1ULL << 48);
            if (end.flags == 16 && rng_.Chance(0.3)) end.flags |= 1 << rng_.Below(2);
            if ((end.flags & 19) != 0) end.addr = rng_();
          }
          if (aborts && rng_.Chance(0.3)) end.addr = rng_();
          end.side = static_cast<uint32_t>(rng_());
          l.ends.push_back(end);
        }
      }
    }
    if (!l.list.empty()) {
      l.list_ready = l.list_ready || ((m().list_open_o >> c & 1) && Goes(pace_.list));
      if (!(m().list_open_o >> c & 1)) l.list_ready = false;
    }
    ready |= l.list_ready ? Bit(c) : 0;
  }
  m().drain_i = drain;
  m().abort_i = abort;
  m().reset_i = reset;
  m().stop_i = stop;
  m().engine_idle_i = idle;
  m().engine_cut_i = cut;
  m().trigger_i = trigger;
  m().freed_i = freed;
  m().list_ready_i = ready;

  // Tasks.
  m().push_valid_i = 0;
  if (!programs_.empty() && Goes(pace_.push)) {
    const int c = static_cast<int>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
    Lane& l = lane(c);
    Task task = programs_[rng_.Below(programs_.size())];
    task.tag = static_cast<uint32_t>(rng_());
    if (task.from_list && l.list.empty()) task.from_list = false;
    if (l.waiting.size() < 2) l.waiting.push_back(task);
  }
  for (int n = 0; n < shape_.channels; ++n) {
    push_to_ = (push_to_ + 1) % shape_.channels;
    Lane& l = lane(push_to_);
    if (l.waiting.empty()) continue;
    const Task& t = l.waiting.front();
    m().push_channel_i = static_cast<uint8_t>(push_to_);
    m().push_task_i =
        static_cast<uint32_t>(t.start | (t.turns - 1) << 8 | t.endless << 24 | t.token << 25 |
                              t.trigger << 26 | t.paced << 27 | t.from_list << 28);
    m().push_tag_i = t.tag;
    m().push_valid_i = 1;
    break;
  }

  // Locks.
  m().lock_valid_i = !registers_.empty();
  if (!registers_.empty()) {
    const Access& access = registers_.front();
    m().lock_command_i = static_cast<uint8_t>(access.command);
    m().lock_id_i = static_cast<uint8_t>(access.id);
    m().lock_value_i = static_cast<uint8_t>(access.value & 127);
  }

  // Records: ten words, then a pop.
  m().pop_i = 0;
  if (reading_ < 0 && Goes(pace_.pop)) {
    const int c = static_cast<int>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
    for (int n = 0; n < shape_.channels && reading_ < 0; ++n) {
      const int which = (c + n) % shape_.channels;
      if (!lane(which).records.empty()) reading_ = which;
    }
    word_ = 0;
  }
  if (reading_ >= 0) {
    m().read_channel_i = static_cast<uint8_t>(reading_);
    m().read_word_i = static_cast<uint8_t>(word_ < 10 ? word_ : 0);
    m().pop_i = word_ == 11;
  }
  m().view_channel_i = static_cast<uint8_t>(view_);

  // Preparation.
  bool hidden = false;
  m().shown_valid_i = 0;
  m().prepared_valid_i = 0;
  for (Job& job : jobs_) {
    if (job.words == 0 || job.shown) continue;
    if (job.words == cycle_) {
      job.shown = true;
      m().shown_valid_i = 1;
      m().shown_low_i = Lower(job.plan);
      m().shown_high_i = Upper(job.plan);
    }
    hidden = hidden || !job.shown;
  }
  if (!jobs_.empty() && jobs_.front().done <= cycle_) {
    const Job& job = jobs_.front();
    m().prepared_valid_i = 1;
    m().prepared_channel_i = static_cast<uint8_t>(job.lane);
    m().prepared_slot_i = static_cast<uint8_t>(job.slot);
    m().prepared_error_i = static_cast<uint8_t>(job.error);
    m().prepared_more_i = job.more;
  }
  m().job_ready_i =
      !hidden && Goes(pace_.job) &&
      (jobs_.empty() || (jobs_.size() == 1 && (m().prepared_valid_i || pace_.overlaps)));

  // Ends.
  if (ending_ < 0 && Goes(pace_.end)) {
    const int c = static_cast<int>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
    for (int n = 0; n < shape_.channels && ending_ < 0; ++n) {
      const int which = (c + n) % shape_.channels;
      if (!lane(which).ends.empty() && lane(which).ends.front().ready <= cycle_) ending_ = which;
    }
    if (ending_ >= 0) {
      sent_ = entered_ = 0;
      end_begun_ = cycle_;
      const End& end = lane(ending_).ends.front();
      m().end_channel_i = static_cast<uint8_t>(ending_);
      m().end_flags_i = static_cast<uint8_t>((end.flags & 1) << 6 | (end.flags >> 1 & 1) << 5 |
                                             (end.flags >> 4 & 1) << 4 | (end.flags >> 2 & 1) << 3 |
                                             (end.flags >> 3 & 1) << 2 | end.aborted << 1 |
                                             static_cast<int>(end.last));
      m().end_bytes_i = end.bytes;
      m().end_dropped_i = end.dropped;
      m().end_addr_i = end.addr;
      m().end_side_i = end.side;
    }
  }
  m().end_valid_i = ending_ >= 0;
  m().stop_on_i = static_cast<uint8_t>(ending_ >= 0 ? lane(ending_).stop_on : 0);
  m().entry_ready_i = Goes(pace_.entry);
}

void SequencerBench::TakeJob() {
  const int c = m().job_channel_o;
  if (c >= shape_.channels) return Fail("a job of no channel");
  Lane& l = lane(c);
  const bool receives = m().job_flags_o >> 4 & 1, listed = m().job_flags_o >> 3 & 1,
             final_turn = m().job_flags_o >> 2 & 1, continues = m().job_flags_o >> 1 & 1,
             cut = m().job_flags_o & 1;
  if (receives != (c >= shape_.reads)) Fail("a job of the other direction");
  if (m().job_slot_o != l.job_slot)
    Fail(fmt::format("channel {}: job for slot {} instead of {}", c, m().job_slot_o, l.job_slot));
  l.job_slot = (l.job_slot + 1) % shape_.slots;
  Context context;
  Job job;
  if (continues != l.due) return Fail(fmt::format("channel {}: continues = {}", c, continues));
  if (l.tiled && !continues) return Fail(fmt::format("channel {}: a job between contexts", c));
  if (continues) {
    context = *l.current;
    context.first = false;
    l.due = false;
    const bool long_cut = l.cut && l.cut_at + kSlack < job_since_;
    const bool long_uncut = !l.cut && l.cut_at + kSlack < job_since_ && !(m().abort_o >> c & 1);
    if (!cut && long_cut) Fail("a context that is not cut");
    if (cut && long_uncut && !l.abort && !l.reset) Fail("a context that is cut for nothing");
    context.more = !cut && --l.left > 0;
  } else {
    if (l.tasks.empty()) return Fail(fmt::format("channel {}: a job without a task", c));
    const Task& task = l.tasks.front();
    int number = l.chained ? l.next : task.start;
    if (listed != task.from_list) Fail("a job of the wrong kind");
    if (listed) {
      if (!l.list_taken) Fail("a job of a list that has given nothing");
      l.list_taken = false;
      number = l.list[static_cast<size_t>(l.list_index)];
      if (m().job_descriptor_o != l.list_place) Fail("the wrong place of a list");
    } else if (m().job_descriptor_o != number) {
      Fail(fmt::format("channel {}: descriptor {} instead of {}", c, m().job_descriptor_o, number));
    }
    const bool wants = !l.chained && (task.paced || (task.trigger && !l.later));
    if (wants != l.taken)
      Fail(fmt::format("channel {}: trigger {}", c, wants ? "missing" : "taken"));
    l.taken = false;
    const bool ends = !listed || static_cast<size_t>(l.list_index) + 1 == l.list.size();
    const bool last = ends && l.turns + 1 == task.turns;
    const bool stops = ends && l.stop;
    if (task.endless ? final_turn != stops && l.stop_at + kSlack < job_since_ : final_turn != last)
      Fail(fmt::format("channel {}: final turn = {}", c, final_turn));
    if (l.halted && l.halt_at + kSlack < job_since_) Fail("a job of a channel that is halted");
    context.transfer.plan = plans_[static_cast<size_t>(number)];
    Plan& plan = context.transfer.plan;
    if (static_cast<int>(rng_.Below(65536)) < pace_.refuses)
      plan.refused = static_cast<int>(rng_.Between(1, 44));
    context.transfer.lane = c;
    context.transfer.task = task;
    context.transfer.name = listed ? l.list_index & 255 : number;
    context.transfer.index = listed ? l.list_index : 0;
    context.transfer.serial = l.serial++;
    context.error = plan.refused;
    l.chained = listed ? !l.list_end : plan.next >= 0;
    l.next = plan.next;
    context.transfer.task_end = final_turn && !l.chained;
    l.left = plan.contexts;
    context.more = plan.refused == 0 && --l.left > 0;
    l.later = !context.transfer.task_end;
    if (context.transfer.task_end) {
      l.turns = 0;
      l.tasks.pop_front();
    } else if (!l.chained) {
      ++l.turns;
    }
  }
  if (l.aborts && l.abort_at + kSlack < job_since_ && !continues)
    Fail(fmt::format("a job of channel {} that is aborted, since {}, abort {}", c, job_since_,
                     l.abort_at));
  job.lane = c;
  job.slot = m().job_slot_o;
  job.plan = context.transfer.plan;
  job.more = context.more;
  job.error = continues ? 0 : context.error;
  job.done = cycle_ + Draw(pace_.prepare_least, pace_.prepare_most);
  if (!continues) {
    job.words = cycle_ + rng_.Between(1, 3);
    if (job.done <= job.words + 1) job.done = job.words + 2;
  }
  jobs_.push_back(job);
  l.made.push_back(context);
  l.current.reset();
  if (context.more) l.current = context;
  l.tiled = context.more;
}

void SequencerBench::TakeGo() {
  const int c = m().go_channel_o;
  Lane& l = lane(c);
  if (l.made.empty() || !l.made.front().prepared)
    return Fail(fmt::format("channel {}: a launch of what is not prepared", c));
  Context context = l.made.front();
  l.made.pop_front();
  if (context.error != 0) Fail(fmt::format("channel {}: a refused descriptor is launched", c));
  if (context.first) {
    if (l.drain && l.drain_at + kSlack < cycle_) Fail("a launch while drained");
    if (l.faulted && l.fault_at + kSlack < cycle_) Fail("a launch of a channel at fault");
    if (l.aborts) Fail("a launch in an abort");
    const Plan& plan = context.transfer.plan;
    if (plan.acquires) {
      int& lock = locks_[static_cast<size_t>(plan.acquire)];
      if (plan.take < 0) lock += plan.take;
      if (plan.take >= 0 && shape_.equal_takes) lock -= plan.take;
    }
  }
  l.go_slot = (l.go_slot + 1) % shape_.slots;
  context.leaves = cycle_ + Draw(pace_.hold_least, pace_.hold_most);
  if (!l.engine.empty() && l.engine.back().leaves >= context.leaves)
    context.leaves = l.engine.back().leaves + 1;
  l.engine.push_back(context);
  if (l.begun == context.first) Fail(fmt::format("channel {}: a transfer in another", c));
  l.begun = context.more;
  l.idle = false;
  if (static_cast<int>(l.engine.size()) > shape_.slots) Fail("too many contexts in the engine");
}

void SequencerBench::TakeEnd() {
  const int c = ending_;
  Lane& l = lane(c);
  const End end = l.ends.front();
  l.ends.pop_front();
  ending_ = -1;
  ++l.retired;
  const Plan& plan = end.transfer.plan;
  const bool partial =
      plan.finish && end.last && !end.aborted && end.bytes % (1ULL << plan.element) != 0;
  const bool denied = end.flags >> 4 & 1;
  const int status =
      (end.flags & 7) | denied << 1 | partial << 3 | (end.flags >> 3 & 1) << 4 | end.aborted << 5;
  const bool stops = (status & l.stop_on) != 0;
  const bool spoilt = stops || end.aborted;
  const bool records = !plan.no_record || status != 0;
  if (plan.give != 0 && !spoilt) locks_[static_cast<size_t>(plan.release)] += plan.give;
  if (plan.give != 0 && spoilt) registers_.push_back({2, plan.release, plan.give});
  if (stops && !l.faulted) {
    l.faulted = true;
    l.fault_at = cycle_;
  }
  if (sent_ != (end.transfer.task.token && end.transfer.task_end && !spoilt))
    Fail(fmt::format("channel {}: {} tokens at an end", c, sent_));
  if (entered_ != static_cast<int>(end.transfer.task.from_list))
    Fail(fmt::format("channel {}: {} entries at an end", c, entered_));
  if (records) {
    Record r;
    r.head = static_cast<uint32_t>(end.transfer.name) | static_cast<uint32_t>(status) << 16 |
             static_cast<uint32_t>(end.transfer.task_end) << 29 |
             static_cast<uint32_t>(end.last) << 30;
    r.tag = end.transfer.task.tag;
    r.side = !shape_.side ? 0 : c >= shape_.reads ? end.side : plan.side;
    r.bytes = end.bytes;
    r.dropped = (status & 4) != 0 ? end.dropped : 0;
    r.addr = (status & 3) != 0 ? end.addr : 0;
    r.least = end_begun_;
    r.most = cycle_;
    l.records.push_back(r);
    if (static_cast<int>(l.records.size()) > shape_.records) Fail("too many records");
  }
  // Its event.
  const int bits = 1 << 5 | !spoilt << 4 | (!spoilt && end.transfer.task_end) << 3 |
                   plan.interrupts << 2 | records << 1;
  const int causes = ((end.flags & 3) != 0) << 1 | (status >> 2 & 1) << 2 | partial << 3 |
                     (status >> 4 & 1) << 4 | end.aborted << 6 | denied << 8;
  if (!m().event_valid_o || m().event_channel_o != c || m().event_bits_o != bits ||
      m().event_causes_o != causes ||
      (status != 0 && m().event_descriptor_o != end.transfer.name) ||
      ((status & 3) != 0 && m().event_addr_o != end.addr))
    Fail(fmt::format("channel {}: event {:x}, causes {:x} instead of {:x}, {:x}", c,
                     m().event_bits_o, m().event_causes_o, bits, causes));
}

void SequencerBench::Clean(int c) {
  Lane& l = lane(c);
  if (!l.engine.empty() || !l.ends.empty()) Fail(fmt::format("channel {} is clean too early", c));
  for (const Job& job : jobs_) {
    if (job.lane == c) Fail(fmt::format("channel {} is clean with a job", c));
  }
  l.made.clear();
  l.tasks.clear();
  l.chained = l.later = l.due = l.tiled = false;
  l.current.reset();
  l.turns = 0;
  l.taken = l.list_taken = false;
  l.job_slot = l.go_slot;
  if (l.reset_seen) l.halted = l.faulted = false;
  if (l.reset_seen) l.refusals.clear();
  l.reset_seen = l.reset;
}

void SequencerBench::Sample() {
  for (int c = 0; c < shape_.channels; ++c) {
    Lane& l = lane(c);
    if (m().trigger_take_o >> c & 1) {
      if (!l.trigger || l.taken) Fail(fmt::format("channel {}: a trigger is taken", c));
      l.trigger = false;
      l.taken = true;
    }
    if (m().list_take_o >> c & 1) {
      if (!l.list_ready || l.list_taken) Fail(fmt::format("channel {}: a list is taken", c));
      l.list_taken = true;
      l.list_place = static_cast<int>(l.list_at * 3 + 1);
      l.list_index = static_cast<int>(l.list_at);
      l.list_end = l.list_at + 1 == l.list.size();
      l.list_at = (l.list_at + 1) % l.list.size();
      l.list_ready = false;
    }
  }
  // Preparation.
  if (m().job_valid_o) {
    if (!job_seen_) job_since_ = cycle_;
    job_seen_ = !m().job_ready_i;
    if (m().job_ready_i) TakeJob();
  }
  if (m().go_valid_o) TakeGo();
  if (m().prepared_valid_i) {
    Lane& l = lane(m().prepared_channel_i);
    for (Context& context : l.made) {
      if (context.prepared) continue;
      context.prepared = true;
      if (context.error != 0 && !(m().abort_o >> m().prepared_channel_i & 1)) {
        l.refusals.push_back({context.error, context.transfer.name});
        if (!l.halted) l.halt_at = cycle_;
        l.halted = true;
      }
      if (context.more) l.due = true;
      break;
    }
    jobs_.pop_front();
  }
  if (m().push_valid_i) {
    Lane& l = lane(m().push_channel_i);
    const bool accepted = m().push_ready_o;
    if (accepted) {
      l.tasks.push_back(l.waiting.front());
      if (static_cast<int>(l.tasks.size()) > shape_.tasks + 1) Fail("too many tasks");
    }
    if (accepted) l.waiting.pop_front();
  }
  // Ends.
  if (m().token_valid_o) {
    if (m().end_channel_o != ending_) Fail("a token of another channel");
    ++sent_;
  }
  if (m().entry_valid_o && m().entry_ready_i) {
    if (m().entry_channel_o != ending_) Fail("an entry of another channel");
    if (ending_ >= 0 && m().entry_index_o != lane(ending_).ends.front().transfer.index)
      Fail("an entry of another descriptor");
    ++entered_;
  }
  if (m().end_valid_i && m().end_ready_o) {
    TakeEnd();
  } else if (m().event_valid_o) {
    Lane& l = lane(m().event_channel_o);
    const bool empty = m().event_bits_o & 1;  // of the queue of tasks
    if (!empty && m().event_causes_o == 1 && !l.refusals.empty()) {
      if (m().event_reason_o != l.refusals.front()[0] ||
          m().event_descriptor_o != l.refusals.front()[1])
        Fail(fmt::format("reason {} of descriptor {} instead of {} of {}", m().event_reason_o,
                         m().event_descriptor_o, l.refusals.front()[0], l.refusals.front()[1]));
      l.refusals.pop_front();
    } else if (!empty) {
      Fail(fmt::format("channel {}: an event for nothing", m().event_channel_o));
    }
  }
  // Locks.
  if (m().lock_valid_i && m().lock_ready_o) {
    const Access access = registers_.front();
    registers_.pop_front();
    int& lock = locks_[static_cast<size_t>(access.id)];
    if (access.command == 1) lock = access.value & 63;
    if (access.command == 2) lock += access.value;
    if (access.command == 0) read_ = m().lock_value_o;
  }
  if (m().lock_over_o || m().lock_under_o) spoilt_locks_[m().lock_report_id_o] = true;
  // Records.
  if (reading_ >= 0) {
    Lane& l = lane(reading_);
    const int shown = word_ - 2;  // words come after 2 cycles
    if (shown >= 0 && shown < 10) {
      const Record& r = l.records.front();
      const std::array<uint64_t, 10> words = {r.head,
                                              r.bytes & 0xffffffff,
                                              r.bytes >> 32,
                                              r.dropped & 0xffffffff,
                                              r.dropped >> 32,
                                              r.tag,
                                              r.side,
                                              m().read_o,
                                              r.addr & 0xffffffff,
                                              r.addr >> 32};
      if (m().read_o != words[static_cast<size_t>(shown)])
        Fail(fmt::format("channel {}: word {} of a record is {:x} instead of {:x}", reading_, shown,
                         m().read_o, words[static_cast<size_t>(shown)]));
      if (shown == 7 && (m().read_o < r.least || m().read_o > r.most)) Fail("a stamp");
    }
    if (word_ == 11) l.records.pop_front();
    if (word_ == 12) reading_ = -1;  // a read sees the pop two cycles later
    ++word_;
  }
  for (int c = 0; c < shape_.channels; ++c) {
    Lane& l = lane(c);
    if ((m().freed_i >> c & 1) && !l.engine.empty()) l.engine.pop_front();
    const bool aborts = m().abort_o >> c & 1;
    if (aborts && !l.aborts) l.abort_at = cycle_;
    if (!aborts && l.aborts) Clean(c);
    if (!aborts && !l.reset) l.reset_seen = false;
    l.aborts = aborts;
  }
}

void SequencerBench::Cycle() {
  Drive();
  m().clk_i = 0;
  unit_.Evaluate();
  // The head of the list of the channel at the look.
  Lane& l = lane(m().list_channel_o < shape_.channels ? m().list_channel_o : 0);
  if (!l.list.empty()) {
    m().list_place_i = static_cast<uint8_t>(l.list_at * 3 + 1);
    m().list_index_i = static_cast<uint16_t>(l.list_at);
    m().list_turn_end_i = l.list_at + 1 == l.list.size();
    unit_.Evaluate();
  }
  Sample();
  m().clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  ++cycle_;
}

}  // namespace tessera
