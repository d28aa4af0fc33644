// Faults on R and B.
#include "tb/bus/axi_tamper.h"

#include <algorithm>

namespace tessera {

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

void AxiTamper::Forward() {
  const auto pass = [](const auto& from, auto* to) {
    to->valid = from.valid;
    if (from.valid) to->payload = from.payload;
  };
  pass(port_->ar, &memory_.ar);
  pass(port_->aw, &memory_.aw);
  pass(port_->w, &memory_.w);
  memory_.r.ready = memory_.b.ready = true;
}

void AxiTamper::Track() {
  if (memory_.ar.moves()) {
    const AxiAddress& a = memory_.ar.payload;
    reads_[a.id % kIds].push_back({a.addr, a.id, 0, static_cast<uint16_t>(a.beats())});
  }
  if (memory_.aw.moves()) {
    const AxiAddress& a = memory_.aw.payload;
    const Burst burst{a.addr, a.id, 0, static_cast<uint16_t>(a.beats())};
    written_.push_back(burst);
    writes_[a.id % kIds].push_back(burst);
  }
  if (memory_.w.moves() && !written_.empty()) {
    ++written_.front().beats;
    if (memory_.w->last) written_.pop_front();
  }
}

void AxiTamper::TakeBeat(uint64_t cycle, AxiReadBeat beat) {
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

void AxiTamper::TakeAnswer(uint64_t cycle, AxiWriteResponse answer) {
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

void AxiTamper::Sample(const Tick& tick) {
  const bool beat_taken = r_.Sample(tick), answer_taken = b_.Sample(tick);
  if (tick.reset) {
    data_.clear();
    held_data_.clear();
    answers_.clear();
    held_answers_.clear();
    for (auto& bursts : reads_) bursts.clear();
    for (auto& bursts : writes_) bursts.clear();
    written_.clear();
    losing_ = false;
    if (fired_) fault_.cycles = 0;  // a silence ends with it
    return;
  }
  if (beat_taken) data_.pop_front();
  if (answer_taken) answers_.pop_front();
  if (fired_ && tick.cycle >= *fired_ + fault_.cycles) {
    data_.insert(data_.end(), held_data_.begin(), held_data_.end());
    answers_.insert(answers_.end(), held_answers_.begin(), held_answers_.end());
    held_data_.clear();
    held_answers_.clear();
    if (!losing_ && !faults_.empty()) NextFault();
  }
  MeasureStill(tick.cycle);
  Track();
  if (memory_.r.valid) TakeBeat(tick.cycle, memory_.r.payload);
  if (memory_.b.valid) TakeAnswer(tick.cycle, memory_.b.payload);
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

// As a port measures how long its memory keeps it waiting.
void AxiTamper::MeasureStill(uint64_t cycle) {
  if (hits_.empty()) return;
  Hit& hit = hits_.back();
  const bool reads = hit.fault.kind < Kind::kErrorAnswer;
  const bool moves = reads ? port_->ar.moves() || port_->r.valid
                           : port_->aw.moves() || port_->w.moves() || port_->b.valid;
  moved_ = moves ? cycle : std::max(moved_, hit.cycle);
  hit.still = std::max(hit.still, cycle - moved_);
}

void AxiTamper::Drive(const Tick& next) {
  port_->ar.ready = memory_.ar.ready;
  port_->aw.ready = memory_.aw.ready;
  port_->w.ready = memory_.w.ready;
  const auto oldest = [](const auto& queue) {
    return [&queue](auto* payload) {
      if (queue.empty()) return false;
      *payload = queue.front();
      return true;
    };
  };
  r_.Drive(next, oldest(data_));
  b_.Drive(next, oldest(answers_));
}

}  // namespace tessera
