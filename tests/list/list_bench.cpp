// See list_bench.h.
#include "tests/list/list_bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::list {
namespace {

int Extensions(const Line& base) {
  return static_cast<int>(FlagsOf(base).has_bounds() + FlagsOf(base).has_walk());
}

}  // namespace

void Describe(Line& line, Rng& rng) {
  for (uint32_t& word : line) word = static_cast<uint32_t>(rng());
  line[Chain::kWord] |= Chain::kHasNextMask;
  line[Flags::kWord] = FlagsOf(line).set_has_bounds(0).set_has_walk(0).set_valid(1).word;
}

ListBench::ListBench(const Shape& shape, uint64_t seed, const Pace& pace)
    : shape_(shape),
      rng_(Rng(seed).Stream(shape.name)),
      pace_(pace),
      unit_(seed),
      memory_(shape.width, pace, rng_.Stream("memory")),
      lists_(static_cast<size_t>(shape.channels)) {
  memory_.on_read = [this](const ListMemory::Burst& burst) { CheckFetch(burst); };
  memory_.on_write = [this](const ListMemory::Burst& burst) { CheckWrite(burst); };
  memory_.on_answer = [this](const ListMemory::Burst& burst, uint8_t resp) {
    CheckAnswer(burst, resp);
  };
  auto& m = unit_.model();
  m.rst_ni = 0;
  m.cell_i = static_cast<uint8_t>(shape.cell);
  m.tick_i = 1;
  m.access_valid_i = m.entry_valid_i = m.prepared_valid_i = m.refused_i = 0;
  m.r_valid_i = m.b_valid_i = m.ar_ready_i = m.aw_ready_i = m.w_ready_i = 0;
  m.open_i = m.again_i = m.take_i = m.in_reset_i = m.give_up_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

void ListBench::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{}, cycle {}: {}", shape_.name, cycle_, what);
}

// ---- Software -----------------------------------------------------------------------------------

ListBench::Answer ListBench::Access(int channel, int word, bool write, uint32_t data, int strobe) {
  if (channel < shape_.channels) {
    List& l = list(channel);
    l.heads = {l.head};
    // A reset needs some cycles to reach the list.
    if (cycle_ < l.reset_at + 100 || (l.back_at != 0 && cycle_ < l.back_at + 30) || l.fresh)
      l.heads.insert(l.old_head);
  }
  access_ = Request{channel, word, write, data, strobe};
  for (int n = 0; access_ && ok(); ++n) {
    if (n > 400) Fail("an access is not answered");
    Cycle();
  }
  access_.reset();
  return answer_;
}

void ListBench::Write(int channel, int word, uint32_t data) {
  if (Access(channel, word, true, data).error)
    Fail(fmt::format("channel {}: a write of word {} is refused", channel, word));
}

uint32_t ListBench::Read(int channel, int word) {
  const Answer answer = Access(channel, word, false);
  if (answer.error) Fail(fmt::format("channel {}: a read of word {} is refused", channel, word));
  if (word == kHead && !list(channel).heads.contains(answer.data))
    Fail(fmt::format("channel {}: LIST_HEAD is {}, not {}; reset at {}, opened at {}", channel,
                     answer.data, list(channel).head, list(channel).reset_at,
                     list(channel).opened_at));
  return answer.data;
}

void ListBench::Program(int channel, const Registers& setup) {
  Write(channel, kBase, static_cast<uint32_t>(setup.base));
  Write(channel, kBaseHigh, static_cast<uint32_t>(setup.base >> 32));
  Write(channel, kDone, static_cast<uint32_t>(setup.done));
  Write(channel, kDoneHigh, static_cast<uint32_t>(setup.done >> 32));
  Write(channel, kControl,
        (setup.ring ? 1U : 0U) | (setup.entries ? 2U : 0U) |
            static_cast<uint32_t>(setup.pitch / 64 - 1) << 4 | setup.per << 8);
  Write(channel, kCount, setup.count);
  List& l = list(channel);
  l.setup = setup;
  l.fresh = false;
  l.head = l.tail = l.place = l.since = 0;
  l.phase = true;
  l.posted.clear();
}

void ListBench::Ring(int channel, uint32_t tail) {
  List& l = list(channel);
  for (uint32_t n = l.tail; n != tail && tail < l.setup.count; n = (n + 1) % l.setup.count) {
    std::vector<Line>& words = l.posted[n];
    words.clear();
    for (int part = 0; part < 3; ++part)
      words.push_back(At(AddressOf(l, n) + 64 * static_cast<uint64_t>(part)));
  }
  l.tail = tail;
  Write(channel, kTail, tail);
}

void ListBench::Open(int channel, int turns) {
  List& l = list(channel);
  while (cycle_ < l.closed_at + 3) Cycle();  // the sequencer looks at the next task
  l.open = true;
  l.opened_at = cycle_;
  l.stopping = false;
  if (!l.setup.ring && !l.fresh) l.old_head = l.head;
  l.fresh = !l.setup.ring;
  l.turns = turns;
  l.turn = 0;
  l.again = turns != 1;
  l.closes = false;
  if (!l.setup.ring) l.head = 0;
  l.heads.insert(l.head);
  l.fetched_turns = l.head;  // number of the next fetch
  ++counts.opens;
}

bool ListBench::Abort(int channel) {
  List& l = list(channel);
  if (l.jobs != 0 || looking_ == channel || took_ == channel || !l.executing.empty() ||
      (entering_ && *entering_ == static_cast<size_t>(channel)) || !l.reports.empty())
    return false;
  std::erase_if(again_, [&](const auto& job) { return job.second.channel == channel; });
  l.continues = false;
  l.open = false;
  l.closed_at = cycle_;
  ++counts.aborts;
  return true;
}

bool ListBench::Reset(int channel, int cycles) {
  if (!Abort(channel)) return false;
  List& l = list(channel);
  l.in_reset = true;
  l.reset_until = cycle_ + 3 + static_cast<uint64_t>(cycles);
  if (!l.fresh) l.old_head = l.head;
  l.head = l.tail = 0;
  l.heads.insert(0);
  l.halted = l.refused = l.fresh = false;
  l.place = l.since = 0;
  l.phase = true;
  l.dead = 0;
  ++l.epoch;
  l.reset_at = cycle_;
  for (Expected& expected : l.expected) expected.optional = true;
  ++counts.resets;
  return true;
}

// ---- What must come -----------------------------------------------------------------------------

bool ListBench::Permitted(const List& l, bool write, uint64_t addr) const {
  if (write) return l.done_window;
  return addr >> 12 >= l.first_page && addr >> 12 <= l.last_page;
}

// The first error of a descriptor.
int ListBench::ErrorOf(List& l, uint32_t index) {
  const auto& setup = l.setup;
  if (setup.base % 64 != 0 || (setup.base & ~Mask()) != 0) return kBadBase;
  const uint64_t bytes = setup.count * setup.pitch;
  if (bytes != 0 && setup.base + (bytes - 1) > Mask()) return kBadBase;
  if (bytes != 0 && setup.base + (bytes - 1) < setup.base) return kBadBase;
  if (setup.count == 0) return kNoCount;
  if (setup.ring && l.tail >= setup.count && !l.posted.contains(index)) return kBadTail;
  const auto line = [&](int part) -> int {
    const uint64_t addr = AddressOf(l, index) + 64 * static_cast<uint64_t>(part);
    if (!Permitted(l, false, addr)) return kWindow;
    const auto found = memory_.errors.find(addr / 64);
    if (found == memory_.errors.end() || found->second < 2) return kOk;
    return found->second == 3 ? kDecode : kFetch;
  };
  if (const int error = line(0); error != kOk) return error;
  const Line& base =
      setup.ring && l.posted.contains(index) ? l.posted[index][0] : At(AddressOf(l, index));
  if (Extensions(base) > Allowed(l)) return kPitch;
  const Flags flags = FlagsOf(base);
  if ((flags.has_bounds() && !shape_.bounds) || (flags.has_walk() && !shape_.walk))
    return flags.valid() ? 35 : kInvalid;
  for (int part = 1; part <= Extensions(base); ++part) {
    if (const int error = line(part); error != kOk) return error;
  }
  return flags.valid() ? kOk : kInvalid;
}

void ListBench::CheckFetch(const ListMemory::Burst& burst) {
  if (burst.channel >= shape_.channels) return Fail("a fetch of no channel");
  List& l = list(burst.channel);
  const auto& setup = l.setup;
  const auto where = [&] {
    return fmt::format("channel {}: fetch at {:#x}, list of {} at {:#x}", burst.channel, burst.addr,
                       setup.count, setup.base);
  };
  on_fetch(burst.channel, burst.addr);
  if (burst.len != 512 / shape_.width - 1) return Fail(where() + ": ARLEN");
  if (setup.base % 64 != 0 || setup.count == 0) return Fail(where() + ": of no legal list");
  if (burst.addr < setup.base || burst.addr - setup.base >= setup.count * setup.pitch)
    return Fail(where() + ": outside the list");
  if (!Permitted(l, false, burst.addr)) return Fail(where() + ": outside the windows");
  const auto index = static_cast<uint32_t>((burst.addr - setup.base) / setup.pitch);
  const int part = static_cast<int>((burst.addr - setup.base) % setup.pitch / 64);
  const uint32_t head = l.refused ? l.old_head : l.head;
  if (setup.ring && l.open && ar_since_ > l.opened_at && l.tail < setup.count &&
      (index + setup.count - head) % setup.count >= (l.tail + setup.count - head) % setup.count)
    return Fail(where() + fmt::format(": head {}, tail {}", head, l.tail));
  const Line& base = At(AddressOf(l, index));
  if (part > 0) {
    if (part > Extensions(base) || Extensions(base) > Allowed(l))
      Fail(where() + ": an extension that is not wanted");
    return;
  }
  if (!l.open || ar_since_ <= l.opened_at) return;  // it was asked for before
  // In order, without those that are outside the windows.
  for (uint32_t n = 0; n < setup.count; ++n) {
    if (Permitted(l, false, AddressOf(l, static_cast<uint32_t>(l.fetched_turns % setup.count))))
      break;
    ++l.fetched_turns;
  }
  if (l.open && index != l.fetched_turns % setup.count)
    return Fail(where() + fmt::format(": not number {}", l.fetched_turns % setup.count));
  if (!setup.ring && l.open &&
      l.fetched_turns / setup.count > static_cast<uint64_t>(l.turn) + (l.again ? 1 : 0))
    return Fail(where() + ": a turn too many");
  ++l.fetched_turns;
}

// Rows of a place against words of memory.
void ListBench::CheckPlace(const Job& job, const char* when) {
  const auto& rows = ram_[job.place];
  const auto where = [&] {
    return fmt::format("channel {}, index {}, place {} {}", job.channel, job.index, job.place,
                       when);
  };
  if (job.error != kOk && job.error != 35) {
    if (rows[3][3] >> 31 || static_cast<int>(rows[3][3] & 63) != job.error)
      Fail(where() + fmt::format(": word 15 is {:#x}, expected reason {}", rows[3][3], job.error));
    return;
  }
  const Line& base = job.words[0];
  int part = 1;
  for (int area = 0; area < 3; ++area) {
    if (area == 1 && !FlagsOf(base).has_bounds()) continue;
    if (area == 2 && !FlagsOf(base).has_walk()) continue;
    if (area > 0 && job.error == 35) continue;
    const Line& words = area == 0 ? base : job.words[static_cast<size_t>(part++)];
    for (size_t row = 0; row < (area == 2 ? 3 : 4); ++row) {
      for (size_t w = 0; w < 4; ++w) {
        if (rows[static_cast<size_t>(4 * area) + row][w] != words[4 * row + w])
          return Fail(where() + fmt::format(": area {}, word {}", area, 4 * row + w));
      }
    }
  }
}

void ListBench::Enter(List& l, const Done& done) {
  if (!l.setup.entries) return;
  ++l.owed_entries;
  const auto& setup = l.setup;
  const uint64_t addr = setup.done + 16 * static_cast<uint64_t>(l.place);
  bool interrupts = done.interrupts;
  if (setup.per == 0) l.since = 0;
  if (setup.per != 0 && ++l.since >= setup.per) {
    l.since = 0;
    interrupts = true;
  }
  int refused = 0;
  if (setup.done % 64 != 0 || (setup.done & ~Mask()) != 0 || addr > Mask() || addr < setup.done ||
      setup.count == 0)
    refused = kEntryBase;
  else if (!l.done_window)
    refused = kEntryWindow;
  const std::array<uint32_t, 4> words{
      done.tag, static_cast<uint32_t>(done.bytes),
      static_cast<uint32_t>(done.bytes >> 32) | static_cast<uint32_t>(done.index) << 16,
      registers::entry::Status{static_cast<uint32_t>(done.status)}
          .set_last(done.last)
          .set_task_end(done.task_end)
          .set_phase(l.phase)
          .word};
  l.expected.push_back(
      {addr & Mask(), words, interrupts, l.dead != 0, refused, done.index & 255, l.epoch});
  if (refused != 0 && l.dead == 0) l.dead = refused;
  l.place = l.place + 1 == setup.count ? 0 : l.place + 1;
  if (l.place == 0) l.phase = !l.phase;
}

void ListBench::CheckWrite(const ListMemory::Burst& burst) {
  if (burst.channel >= shape_.channels) return Fail("an entry of no channel");
  List& l = list(burst.channel);
  while (!l.expected.empty()) {
    const Expected expected = l.expected.front();
    const bool same = expected.addr == burst.addr && expected.words == burst.words;
    if (!same && !expected.optional) break;
    if (same && expected.refused != 0) break;
    l.expected.pop_front();
    if (!same) continue;
    on_bus_.push_back(
        {burst.channel, expected.interrupts, expected.epoch, expected.addr, expected.name});
    ++counts.entries;
    return;
  }
  Fail(fmt::format("channel {}: entry {:#x} {:#x} {:#x} {:#x} at {:#x}", burst.channel,
                   burst.words[0], burst.words[1], burst.words[2], burst.words[3], burst.addr) +
       (l.expected.empty()
            ? std::string(" too many")
            : fmt::format(", expected {:#x} {:#x} {:#x} {:#x} at {:#x}", l.expected[0].words[0],
                          l.expected[0].words[1], l.expected[0].words[2], l.expected[0].words[3],
                          l.expected[0].addr)));
}

void ListBench::CheckAnswer(const ListMemory::Burst& burst, uint8_t resp) {
  if (on_bus_.empty() || burst.channel != on_bus_.front().channel || burst.id != model().aw_id_o ||
      burst.addr == 0)
    return;  // a stray one
  const Sent sent = on_bus_.front();
  on_bus_.pop_front();
  List& l = list(sent.channel);
  const bool sure = sent.epoch == l.epoch && !l.may_entry_fault;
  if (resp < 2) {
    // A reset needs some cycles to reach the list.
    const bool never = sent.epoch != l.epoch && cycle_ > l.reset_at + 100;
    written_now_.push_back({sent.channel, sent.interrupts, sure, never});
  } else if (sent.epoch == l.epoch) {
    // The first of a channel counts; those behind it may have been found wrong before.
    if (l.reports.empty() || !l.reports.front().entry || l.dead == 0) {
      if (l.dead < kEntrySlvErr) {
        l.reports.push_back({true, sent.name, resp == 2 ? kEntrySlvErr : kEntryDecErr, sent.addr});
        l.dead = resp == 2 ? kEntrySlvErr : kEntryDecErr;
        for (Expected& expected : l.expected) expected.optional = true;
      }
    }
  }
}

// ---- A cycle ------------------------------------------------------------------------------------

void ListBench::DriveJobs() {
  auto& m = model();
  m.prepared_valid_i = m.refused_i = 0;
  m.prepared_error_i = static_cast<uint8_t>(rng_.Below(64));
  m.prepared_channel_i = static_cast<uint8_t>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
  m.prepared_place_i = static_cast<uint8_t>(rng_.Below(128));
  m.prepared_list_i = rng_.Chance(0.5);
  m.prepared_more_i = rng_.Chance(0.5);
  if (!strict_rate && !working_ && rng_.Chance(0.05)) {
    // A job from descriptor RAM.
    m.prepared_valid_i = 1;
    m.prepared_list_i = 0;
  }
  if (working_ && cycle_ >= job_until_) {
    Job job = *working_;
    working_.reset();
    List& l = list(job.channel);
    CheckPlace(job, "at the end");
    --l.jobs;
    int error = job.error;
    if (error == kOk && job.first && rng_.Chance(prep_refuses)) error = kReserved;
    m.prepared_valid_i = 1;
    m.prepared_list_i = 1;
    m.prepared_channel_i = static_cast<uint8_t>(job.channel);
    m.prepared_place_i = static_cast<uint8_t>(job.place);
    m.prepared_error_i = static_cast<uint8_t>(error);
    m.prepared_more_i = error == kOk && job.contexts > 1;
    if (error != kOk) {
      m.refused_i = 1;
      l.halted = true;
      // Those that were handed on behind it, or are to be, are taken back.
      if (Handed(job.error) && !l.refused) {
        l.refused = true;
        l.old_head = l.head;
        l.back_at = cycle_;
        l.head = (job.index + 1) % std::max(l.setup.count, 1U);
        l.heads.insert(l.head);
      }
      if (job.contexts > 1) l.continues = false;
      l.reports.push_back({false, static_cast<int>(job.index & 255), error,
                           AddressOf(l, job.index) & Mask() & ~63ULL});
      ++counts.reasons[error];
    } else if (job.contexts > 1) {
      --job.contexts;
      job.first = false;
      again_.push_back({cycle_ + rng_.Below(strict_rate ? 1 : 40), job});
    } else {
      if (!job.first) l.continues = false;
      Done done;
      done.tag = static_cast<uint32_t>(rng_());
      done.index = static_cast<int>(job.index);
      done.bytes = rng_() >> 16;
      done.status = static_cast<int>(rng_.Below(128));
      done.last = rng_.Chance(0.5);
      done.task_end = job.task_end;
      done.interrupts = rng_.Chance(0.1);
      done.ready = cycle_ + (strict_rate ? 1 : rng_.Below(30));
      l.executing.push_back(done);
      ++l.loaded;
    }
  }
  for (size_t n = 0; n < again_.size(); ++n) {
    if (again_[n].first > cycle_) continue;
    ++list(again_[n].second.channel).jobs;
    jobs_.push_back(again_[n].second);
    again_.erase(again_.begin() + static_cast<long>(n));
    break;
  }
  if (!working_ && !jobs_.empty()) {
    working_ = jobs_.front();
    jobs_.pop_front();
    job_until_ = cycle_ + rng_.Between(pace_.job_min, pace_.job_max) - 1;
    List& l = list(working_->channel);
    if (working_->first) CheckPlace(*working_, "at the start");
    l.pending = false;
    if (l.closes) {
      l.closes = l.open = false;
      l.closed_at = cycle_;
      ++counts.turns;
    }
  }
}

void ListBench::Drive() {
  auto& m = model();
  const auto goes = [&](double chance) { return rng_.Chance(chance); };
  m.quiesce_i = quiesce;
  m.give_up_i = give_up;
  m.access_valid_i = access_.has_value();
  if (access_) {
    m.access_channel_i = static_cast<uint8_t>(access_->channel);
    m.access_word_i = static_cast<uint8_t>(access_->word);
    m.access_write_i = access_->write;
    m.access_data_i = access_->data;
    m.access_strobe_i = static_cast<uint8_t>(access_->strobe);
  }
  DriveJobs();
  m.take_i = took_ >= 0 ? 1U << took_ : 0;
  m.open_i = m.again_i = m.in_reset_i = 0;
  for (int c = 0; c < shape_.channels; ++c) {
    List& l = list(c);
    if (l.in_reset && cycle_ >= l.reset_until) l.in_reset = false;
    if (l.open) m.open_i |= 1U << c;
    if (l.again) m.again_i |= 1U << c;
    if (l.in_reset && cycle_ > l.reset_at + 1) m.in_reset_i |= 1U << c;
  }
  // The channel of a look.
  m.head_channel_i = static_cast<uint8_t>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
  m.row_ready_i = goes(pace_.row);
  m.refusal_ready_i = goes(pace_.report);
  m.check_ready_i = goes(pace_.check);
  // Entries.
  if (!entering_) {
    const size_t first = rng_.Below(lists_.size());
    for (size_t n = 0; n < lists_.size() && !entering_; ++n) {
      const size_t c = (first + n) % lists_.size();
      List& l = lists_[c];
      if (l.executing.empty() || l.executing.front().ready > cycle_ || !goes(pace_.entry)) continue;
      entering_ = c;
      entering_done_ = l.executing.front();
    }
  }
  m.entry_valid_i = entering_.has_value();
  if (entering_) {
    const Done& done = entering_done_;
    m.entry_channel_i = static_cast<uint8_t>(*entering_);
    m.entry_tag_i = done.tag;
    m.entry_index_i = static_cast<uint16_t>(done.index);
    m.entry_bytes_i = done.bytes;
    m.entry_status_i = static_cast<uint8_t>(done.status);
    m.entry_flags_i = static_cast<uint8_t>((done.last ? 4 : 0) | (done.task_end ? 2 : 0) |
                                           (done.interrupts ? 1 : 0));
  }
  memory_.Drive(m, cycle_);
}

// A channel that may go on is looked at; it is handed on in the next cycle.
void ListBench::Look() {
  auto& m = model();
  looking_ = -1;
  std::vector<int> may;
  for (int c = 0; c < shape_.channels; ++c) {
    List& l = list(c);
    // Whatever is posted is handed on.
    if (!l.open || l.halted || l.stopping || quiesce || (l.setup.ring && l.head == l.tail) ||
        l.may_fault)
      l.progress = cycle_;
    if (cycle_ > std::max({l.progress, l.last_look, l.opened_at}) + 20000)
      Fail(fmt::format("channel {}: index {} does not come", c, l.head));
    if (m.ready_o >> c & 1) {
      if (first_ready == 0) first_ready = cycle_;
      if (!l.open) Fail(fmt::format("channel {} is ready and not open", c));
      if (l.open && !l.halted && !l.stopping && !l.pending && !l.continues && !l.closes &&
          !l.in_reset && cycle_ >= l.last_look + 3 && rng_.Chance(pace_.look))
        may.push_back(c);
    }
  }
  if (may.empty() || jobs_.size() > 1) return;
  const int c = may[rng_.Below(may.size())];
  List& l = list(c);
  looking_ = c;
  m.head_channel_i = static_cast<uint8_t>(c);
  unit_.Evaluate();
  l.last_look = cycle_;
  looked_ = {};
  looked_.job.channel = c;
  looked_.job.place = m.head_place_o;
  looked_.job.index = l.head;
  const auto where = [&] { return fmt::format("channel {}, index {}", c, l.head); };
  if (m.head_index_o != l.head) return Fail(where() + fmt::format(" is {}", m.head_index_o));
  if (looked_.job.place / shape_.ahead != c) return Fail(where() + ": place of another channel");
  int error = ErrorOf(l, l.head);
  const uint32_t word15 = ram_[looked_.job.place][3][3];
  if (l.may_fault && !(word15 >> 31) && (word15 & 63) == kFault) error = kFault;
  if (l.setup.ring && l.tail >= l.setup.count && !(word15 >> 31) && (word15 & 63) == kBadTail)
    error = kBadTail;
  looked_.job.error = error;
  looked_.bad = !Handed(error);
  if (!looked_.bad) {
    if (l.setup.ring) {
      if (l.head == l.tail || !l.posted.contains(l.head))
        return Fail(where() + ": nothing is posted");
      looked_.job.words = l.posted[l.head];
    } else {
      for (int part = 0; part < 3; ++part)
        looked_.job.words.push_back(At(AddressOf(l, l.head) + 64 * static_cast<uint64_t>(part)));
    }
  }
  bool end = l.setup.ring ? !looked_.bad && !Chain{looked_.job.words[0][Chain::kWord]}.has_next()
                          : l.head + 1 == l.setup.count;
  if (looked_.bad) end = false;
  if ((m.head_turn_end_o != 0) != end) return Fail(where() + fmt::format(": turn_end {}", !end));
  looked_.turn_end = end;
  looked_.final_turn = l.turns != 0 && l.turn + 1 == l.turns;
  looked_.job.task_end = end && looked_.final_turn;
  if (!looked_.bad && error == kOk) {
    ++counts.descriptors;
    counts.bounds += looked_.job.words[0][15] >> 14 & 1;
    counts.walks += looked_.job.words[0][15] >> 15 & 1;
    if (looked_.job.words[0][15] >> 15 & 1)
      looked_.job.contexts = static_cast<int>(rng_.Between(1, 4));
  }
}

void ListBench::SampleTake() {
  if (took_ < 0) return;
  List& l = list(took_);
  l.again = !take_.final_turn;
  if (!take_.bad) {
    l.posted.erase(l.head);
    counts.wraps += l.setup.ring && l.head + 1 == l.setup.count;
    if (!l.refused) l.head = l.head + 1 == l.setup.count ? 0 : l.head + 1;
    l.heads.insert(l.head);
  }
  if (take_.turn_end) ++l.turn;
  l.closes = take_.job.task_end;
  l.pending = true;
  l.fresh = false;
  l.continues = take_.job.contexts > 1;
  ++l.jobs;
  ++l.taken;
  jobs_.push_back(take_.job);
}

void ListBench::Sample() {
  auto& m = model();
  SampleTake();
  took_ = looking_;
  take_ = looked_;
  if (access_ && m.access_ready_o) {
    answer_ = {m.access_error_o != 0, m.access_data_o};
    access_.reset();
  }
  if (m.row_valid_o && m.row_ready_i) {
    auto& row = ram_[m.row_place_o][static_cast<size_t>(4 * m.row_area_o + m.row_o)];
    const auto* data = reinterpret_cast<const uint32_t*>(&m.row_data_o);
    for (size_t w = 0; w < 4; ++w) row[w] = data[w];
    if (m.row_area_o == 3 || (m.row_area_o == 2 && m.row_o == 3))
      Fail("a row that belongs to the preparation is written");
  }
  if (m.entry_valid_i && m.entry_ready_o) {
    List& l = lists_[*entering_];
    Enter(l, entering_done_);
    l.executing.pop_front();
    entering_.reset();
  }
  for (int c = 0; c < shape_.channels; ++c) {
    if (m.halt_o >> c & 1) list(c).halted = true;
  }
  if (m.refusal_valid_o && m.refusal_ready_i) {
    const int c = m.refusal_channel_o;
    if (c >= shape_.channels) return Fail("a report of no channel");
    List& l = list(c);
    const Report report{m.refusal_entry_o != 0, m.refusal_index_o, m.refusal_reason_o,
                        m.refusal_addr_o};
    if (report.entry && cycle_ < l.reset_at + 100 && l.reports.empty()) {
      // From before the reset.
    } else if (report.entry && l.may_entry_fault && report.reason == kEntryFault) {
      l.dead = kEntryFault;
      for (Expected& expected : l.expected) expected.optional = true;
    } else {
      if (report.entry && !std::any_of(l.reports.begin(), l.reports.end(),
                                       [](const Report& r) { return r.entry; })) {
        // Found wrong without the memory.
        for (const Expected& expected : l.expected) {
          if (expected.refused == 0 || expected.epoch != l.epoch) continue;
          l.reports.push_back({true, expected.name, expected.refused, expected.addr & ~15ULL});
          break;
        }
        for (Expected& expected : l.expected) expected.optional = true;
      }
      const auto found = std::find_if(l.reports.begin(), l.reports.end(),
                                      [&](const Report& r) { return r.entry == report.entry; });
      if (found == l.reports.end() || found->index != report.index ||
          found->reason != report.reason || found->addr != report.addr) {
        return Fail(fmt::format(
            "channel {}: report of {} {}, reason {}, {:#x}; expected {}", c,
            report.entry ? "entry" : "descriptor", report.index, report.reason, report.addr,
            found == l.reports.end()
                ? std::string("none")
                : fmt::format("{}, reason {}, {:#x}", found->index, found->reason, found->addr)));
      }
      l.reports.erase(found);
    }
    ++counts.reports;
    if (report.entry) ++counts.reasons[report.reason];
  }
  if (m.fault_o != 0) last_fault = m.fault_o;
  if (std::getenv("LIST_TRACE")) {
    const auto c = [&] { return cycle_; };
    if (m.ar_valid_o && m.ar_ready_i)
      fmt::print("{} AR {} {:#x}\n", c(), m.ar_channel_o, m.ar_addr_o);
    if (m.row_valid_o && m.row_ready_i && m.row_o == 3)
      fmt::print("{} row 3 area {} place {}\n", c(), m.row_area_o, m.row_place_o);
    if (took_ >= 0)
      fmt::print("{} look {} place {} index {} error {}\n", c(), took_, looked_.job.place,
                 looked_.job.index, looked_.job.error);
    if (m.prepared_valid_i)
      fmt::print("{} prepared {} place {} list {} more {} error {}\n", c(), m.prepared_channel_i,
                 m.prepared_place_i, m.prepared_list_i, m.prepared_more_i, m.prepared_error_i);
    if (m.access_valid_i && m.access_ready_o)
      fmt::print("{} access {} word {} write {} {:#x} error {} -> {:#x}\n", c(), m.access_channel_i,
                 m.access_word_i, m.access_write_i, m.access_data_i, m.access_error_o,
                 m.access_data_o);
    static uint32_t open = 0, reset = 0;
    if (m.open_i != open || m.in_reset_i != reset)
      fmt::print("{} open {:#x} reset {:#x}\n", c(), m.open_i, m.in_reset_i);
    open = m.open_i;
    reset = m.in_reset_i;
    if (m.refusal_valid_o && m.refusal_ready_i)
      fmt::print("{} report {} {} {}\n", c(), m.refusal_channel_o, m.refusal_entry_o,
                 m.refusal_reason_o);
    if (m.entry_valid_i && m.entry_ready_o) fmt::print("{} entry {}\n", c(), m.entry_channel_i);
    if (m.aw_valid_o && m.aw_ready_i)
      fmt::print("{} AW {} {:#x}\n", c(), m.aw_channel_o, m.aw_addr_o);
    if (m.fault_o) fmt::print("{} fault {}\n", c(), m.fault_o);
    if (m.w_valid_o && m.w_ready_i) fmt::print("{} W\n", c());
    if (m.b_valid_i && m.b_ready_o) fmt::print("{} B {}\n", c(), m.b_resp_i);
  }
  if (m.ar_valid_o && !ar_shows_) ar_since_ = cycle_;
  if (m.ar_valid_o && first_address == 0) first_address = cycle_;
  ar_shows_ = m.ar_valid_o && !m.ar_ready_i;
  memory_.Sample(m, cycle_);
  const bool written = m.written_valid_o;
  if (!written_now_.empty()) {
    const Wanted wanted = written_now_.front();
    written_now_.pop_front();
    if (wanted.never && written)
      Fail(fmt::format("channel {}: an entry from before its reset counts", wanted.channel));
    if (wanted.sure && !written)
      Fail(fmt::format("channel {}: no word of an entry", wanted.channel));
    if (written && (m.written_channel_o != wanted.channel ||
                    (m.written_interrupts_o != 0) != wanted.interrupts))
      Fail(fmt::format("channel {}: an entry interrupts, or not", wanted.channel));
    counts.interrupts += written;
  } else if (written) {
    Fail("an entry is in memory that was not answered");
  }
}

void ListBench::Cycle() {
  auto& m = model();
  m.clk_i = 0;
  Drive();
  unit_.Evaluate();
  m.check_permitted_i = rng_.Chance(0.5);
  if (m.check_valid_o && m.check_channel_o < shape_.channels) {
    m.check_permitted_i = Permitted(list(m.check_channel_o), m.check_write_o != 0, m.check_addr_o);
  }
  Look();
  unit_.Evaluate();
  Sample();
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  ++cycle_;
}

}  // namespace tessera::list
