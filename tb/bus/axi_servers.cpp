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

void AxiReadServer::Fetch(uint64_t cycle, BusData* data, uint8_t* response, bool* last) {
  AxiBurst& burst = bursts_.front();
  const uint64_t addr =
      burst.addr + static_cast<uint64_t>(burst.done) * static_cast<uint64_t>(bytes_);
  memory_->ReadWord(addr, data->data(), bytes_);
  const AxiResponse answer = errors_->Next(Direction::kRead, addr, bytes_);
  if (answer != kOkay) {
    errors_->Log({cycle, Direction::kRead, burst.serial, burst.addr, addr, answer});
  }
  *response = answer;
  *last = burst.done + 1 == burst.beats;
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
    Store(early_.front().data, early_.front().strobe, cycle);
    early_.Pop();
  }
}

void AxiWriteServer::AcceptData(const BusData& data, const LaneMask& strobe, bool last,
                                uint64_t cycle) {
  if (beats_owed_ > 0) {
    Store(data, strobe, cycle);
    return;
  }
  EarlyBeat& beat = early_.Push();
  beat.data = data;
  beat.strobe = strobe;
  beat.last = last;
  if (last) ++early_lasts_;
}

void AxiWriteServer::Store(const BusData& data, const LaneMask& strobe, uint64_t cycle) {
  AxiBurst& burst = bursts_[filled_];
  const uint64_t addr =
      burst.addr + static_cast<uint64_t>(burst.done) * static_cast<uint64_t>(bytes_);
  memory_->WriteWord(addr, data.data(), bytes_, strobe);
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

AxiResponse AxiWriteServer::Respond(uint64_t cycle) {
  const AxiBurst& burst = bursts_.front();
  if (burst.response != kOkay) {
    errors_->Log(
        {cycle, Direction::kWrite, burst.serial, burst.addr, burst.error_addr, burst.response});
  }
  return burst.response;
}

void AxiWriteServer::Take() {
  bursts_.Pop();
  latencies_.Pop();
  --filled_;
}

}  // namespace tessera
