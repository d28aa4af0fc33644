// Faults on R and B.
#include "tb/bus/axi_tamper.h"

namespace tessera {

std::string_view Name(AxiFault::Kind kind) {
  static constexpr std::string_view kNames[AxiFault::kKinds] = {
      "none",         "error_data",   "early_last",    "cut_short",
      "no_last",      "long_burst",   "unasked_data",  "stray_data",
      "silent_data",  "lost_data",    "error_answer",  "unasked_answer",
      "early_answer", "stray_answer", "silent_answer", "lost_answer"};
  return kNames[static_cast<int>(kind)];
}

void AxiTamper::Fire(uint64_t cycle, uint64_t addr) {
  fired_ = cycle;
  hits_.push_back({fault_, cycle, addr});
}

// Arms the next fault, if there is one; without one, what has fired stays.
void AxiTamper::NextFault() {
  if (faults_.empty()) return;
  fault_ = faults_.front();
  faults_.erase(faults_.begin());
  fired_.reset();
}

void AxiTamper::Track(const DutInputs& memory, const DutOutputs& out) {
  if (out.arvalid && memory.arready) {
    reads_[out.arid % kIds].push_back(
        {out.araddr, out.arid, 0, static_cast<uint16_t>(out.arlen + 1)});
  }
  if (out.awvalid && memory.awready) {
    const Burst burst{out.awaddr, out.awid, 0, static_cast<uint16_t>(out.awlen + 1)};
    written_.push_back(burst);
    writes_[out.awid % kIds].push_back(burst);
  }
  if (out.wvalid && memory.wready && !written_.empty()) {
    ++written_.front().beats;
    if (out.wlast) written_.pop_front();
  }
}

void AxiTamper::TakeBeat(uint64_t cycle, Beat beat) {
  std::deque<Burst>& bursts = reads_[beat.id % kIds];
  if (!fault_.Hits(beat.id) || bursts.empty()) {
    if (!bursts.empty()) ++bursts.front().beats;
    if (beat.last && !bursts.empty()) bursts.pop_front();
    data_.push_back(beat);
    return;
  }
  Burst& burst = bursts.front();
  const uint64_t addr =
      burst.addr + static_cast<uint64_t>(burst.beats) * static_cast<uint64_t>(bytes_);
  const bool first = burst.beats++ == 0;
  const bool armed = Armed(cycle);
  const bool ends = beat.last;
  bool keep = !losing_, more = false;
  switch (fault_.kind) {
    case Kind::kErrorData:
      if (armed) {
        beat.resp = 2;
        Fire(cycle, addr);
      }
      break;
    case Kind::kEarlyLast:
    case Kind::kCutShort:
      if (armed && !ends) {
        beat.last = true;
        losing_ = fault_.kind == Kind::kCutShort;
        Fire(cycle, addr);
      }
      break;
    case Kind::kNoLast:
    case Kind::kLongBurst:
      if (armed && ends) {
        beat.last = false;
        more = fault_.kind == Kind::kLongBurst;
        Fire(cycle, addr);
      }
      break;
    case Kind::kUnaskedData:
      if (armed && ends) {
        more = true;
        Fire(cycle, addr);
      }
      break;
    case Kind::kLostData:
      if (armed && first) {
        losing_ = true;
        keep = false;
        Fire(cycle, addr);
      }
      break;
    case Kind::kSilentData:
      if (armed && first) Fire(cycle, addr);
      break;
    default:
      break;
  }
  if (ends) {
    losing_ = false;
    bursts.pop_front();
  }
  const bool silent = fault_.kind == Kind::kSilentData && fired_ && cycle < *fired_ + fault_.cycles;
  auto& to = silent || !held_data_.empty() ? held_data_ : data_;
  if (keep) to.push_back(beat);
  if (more) {
    beat.last = true;
    to.push_back(beat);
  }
}

void AxiTamper::TakeAnswer(uint64_t cycle, Answer answer) {
  std::deque<Burst>& bursts = writes_[answer.id % kIds];
  if (!fault_.Hits(answer.id) || bursts.empty()) {
    if (!bursts.empty()) bursts.pop_front();
    answers_.push_back(answer);
    return;
  }
  const uint64_t addr = bursts.front().addr;
  bursts.pop_front();
  const bool armed = Armed(cycle);
  bool keep = true;
  if (armed && fault_.kind == Kind::kErrorAnswer) {
    answer.resp = 2;
    Fire(cycle, addr);
  } else if (armed && fault_.kind == Kind::kUnaskedAnswer) {
    answers_.push_back(answer);
    Fire(cycle, addr);
  } else if (armed && fault_.kind == Kind::kLostAnswer) {
    keep = false;
    Fire(cycle, addr);
  } else if (armed && fault_.kind == Kind::kSilentAnswer) {
    Fire(cycle, addr);
  }
  const bool silent =
      fault_.kind == Kind::kSilentAnswer && fired_ && cycle < *fired_ + fault_.cycles;
  if (keep) (silent || !held_answers_.empty() ? held_answers_ : answers_).push_back(answer);
}

void AxiTamper::Sample(const Tick& tick, const DutInputs& memory, const DutOutputs& out) {
  if (tick.reset) {
    data_.clear();
    held_data_.clear();
    answers_.clear();
    held_answers_.clear();
    for (auto& bursts : reads_) bursts.clear();
    for (auto& bursts : writes_) bursts.clear();
    written_.clear();
    data_shown_ = answer_shown_ = losing_ = false;
    if (fired_) fault_.cycles = 0;  // a silence ends with it
    return;
  }
  if (data_shown_ && out.rready) {
    data_.pop_front();
    data_shown_ = false;
  }
  if (answer_shown_ && out.bready) {
    answers_.pop_front();
    answer_shown_ = false;
  }
  if (fired_ && tick.cycle >= *fired_ + fault_.cycles) {
    data_.insert(data_.end(), held_data_.begin(), held_data_.end());
    answers_.insert(answers_.end(), held_answers_.begin(), held_answers_.end());
    held_data_.clear();
    held_answers_.clear();
    if (!losing_ && !faults_.empty()) NextFault();
  }
  Track(memory, out);
  if (memory.rvalid) TakeBeat(tick.cycle, {memory.rdata, memory.rid, memory.rresp, memory.rlast});
  if (memory.bvalid) TakeAnswer(tick.cycle, {memory.bid, memory.bresp});
  if (Armed(tick.cycle)) {
    if (fault_.kind == Kind::kStrayData) {
      data_.push_back({{}, AxiFault::kNobody, 0, true});
      Fire(tick.cycle, 0);
    } else if (fault_.kind == Kind::kStrayAnswer) {
      answers_.push_back({AxiFault::kNobody, 0});
      Fire(tick.cycle, 0);
    } else if (fault_.kind == Kind::kEarlyAnswer && !written_.empty() &&
               written_.front().id == fault_.id && written_.front().beats > 0) {
      answers_.push_back({fault_.id, 0});
      Fire(tick.cycle, written_.front().addr);
    }
  }
}

void AxiTamper::Drive(const DutInputs& memory, DutInputs* shown) {
  shown->arready = memory.arready;
  shown->awready = memory.awready;
  shown->wready = memory.wready;
  shown->rvalid = !data_.empty();
  if (!data_.empty() && !data_shown_) {
    const Beat& beat = data_.front();
    shown->rdata = beat.data;
    shown->rid = beat.id;
    shown->rresp = beat.resp;
    shown->rlast = beat.last;
    data_shown_ = true;
  }
  shown->bvalid = !answers_.empty();
  if (!answers_.empty() && !answer_shown_) {
    shown->bid = answers_.front().id;
    shown->bresp = answers_.front().resp;
    answer_shown_ = true;
  }
}

}  // namespace tessera
