// Serving bursts from and to the memory, in order.
#include "tb/bus/axi_servers.h"

namespace tessera {
namespace {

// Of the first `count` bursts puts one first that is the oldest of its ID and ready.
void PutFirst(Ring<AxiBurst>* bursts, size_t count, uint64_t cycle, Rng& rng) {
  size_t chosen = 0, candidates = 0;
  for (size_t i = 0; i < count; ++i) {
    const AxiBurst& burst = (*bursts)[i];
    if (burst.ready_at > cycle) continue;
    bool oldest = true;
    for (size_t j = 0; j < i && oldest; ++j) oldest = (*bursts)[j].id != burst.id;
    if (oldest && rng.Below(++candidates) == 0) chosen = i;
  }
  if (candidates == 0) return;
  const AxiBurst burst = (*bursts)[chosen];
  for (size_t i = chosen; i > 0; --i) (*bursts)[i] = (*bursts)[i - 1];
  (*bursts)[0] = burst;
}

}  // namespace

void AxiReadServer::Promote(uint64_t cycle, Rng& rng) {
  PutFirst(&bursts_, bursts_.size(), cycle, rng);
}

// The latency of a burst counts once its data are there, so it need not move along.
void AxiWriteServer::Promote(uint64_t cycle, Rng& rng) { PutFirst(&bursts_, filled_, cycle, rng); }

void AxiReadServer::Fetch(uint64_t cycle, AxiReadBeat* beat) {
  AxiBurst& burst = bursts_.front();
  const uint64_t addr =
      burst.addr + static_cast<uint64_t>(burst.done) * static_cast<uint64_t>(bytes_);
  memory_->ReadWord(addr, beat->data.data(), bytes_);
  const AxiResponse answer = errors_->Next(Direction::kRead, addr, bytes_);
  if (answer != kOkay) {
    errors_->Log({cycle, Direction::kRead, burst.serial, burst.addr, addr, answer});
  }
  beat->id = burst.id;
  beat->resp = answer;
  beat->last = burst.done + 1 == burst.beats;
}

bool AxiReadServer::Take() {
  AxiBurst& burst = bursts_.front();
  if (++burst.done < burst.beats) return false;
  bursts_.Pop();
  return true;
}

void AxiWriteServer::Reset() {
  bursts_.Clear();
  latencies_.Clear();
  early_.Clear();
  filled_ = 0;
  beats_owed_ = 0;
  early_lasts_ = 0;
}

void AxiWriteServer::AcceptAddress(const AxiBurst& burst, uint64_t cycle, uint32_t latency) {
  bursts_.Push(burst);
  latencies_.Push(latency);
  beats_owed_ += burst.beats;
  while (!early_.empty() && beats_owed_ > 0) {
    if (early_.front().last) --early_lasts_;
    Store(early_.front(), cycle);
    early_.Pop();
  }
}

void AxiWriteServer::AcceptData(const AxiWriteBeat& beat, uint64_t cycle) {
  if (beats_owed_ > 0) return Store(beat, cycle);
  early_.Push(beat);
  if (beat.last) ++early_lasts_;
}

void AxiWriteServer::Store(const AxiWriteBeat& beat, uint64_t cycle) {
  AxiBurst& burst = bursts_[filled_];
  const uint64_t addr =
      burst.addr + static_cast<uint64_t>(burst.done) * static_cast<uint64_t>(bytes_);
  memory_->WriteWord(addr, beat.data.data(), bytes_, beat.strb);
  const AxiResponse answer = errors_->Next(Direction::kWrite, addr, bytes_);
  if (answer != kOkay && burst.response == kOkay) {
    burst.response = answer;
    burst.error_addr = addr;
  }
  --beats_owed_;
  if (++burst.done == burst.beats) {
    burst.ready_at = cycle + latencies_[filled_];
    ++filled_;
  }
}

AxiWriteResponse AxiWriteServer::Respond(uint64_t cycle) {
  const AxiBurst& burst = bursts_.front();
  if (burst.response != kOkay) {
    errors_->Log(
        {cycle, Direction::kWrite, burst.serial, burst.addr, burst.error_addr, burst.response});
  }
  return {burst.id, burst.response};
}

void AxiWriteServer::Take() {
  bursts_.Pop();
  latencies_.Pop();
  --filled_;
}

}  // namespace tessera
