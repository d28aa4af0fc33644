// Offering bursts and taking answers.
#include "tb/bus/axi_manager.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera {

bool AxiManager::Answer::okay() const {
  return std::all_of(resps.begin(), resps.end(), [](uint8_t resp) { return resp == 0; });
}

AxiManager::AxiManager(AxiPort* port, const AxiManagerOptions& options, const Rng& rng)
    : port_(port),
      ar_(&port->ar, options.ar, rng.Stream("ar")),
      aw_(&port->aw, options.aw, rng.Stream("aw")),
      w_(&port->w, options.w, rng.Stream("w")),
      r_(&port->r, options.r, rng.Stream("r")),
      b_(&port->b, options.b, rng.Stream("b")) {}

void AxiManager::Write(const AxiAddress& burst, std::vector<AxiWriteBeat> beats) {
  if (beats.size() != burst.beats())
    throw std::logic_error("a burst has as many beats as its length says");
  writes_.push_back(burst);
  for (size_t n = 0; n < beats.size(); ++n) {
    beats[n].last = n + 1 == beats.size();
    beats_.push_back(beats[n]);
  }
}

std::optional<AxiManager::Answer> AxiManager::Take(std::deque<Answer>* from) {
  if (from->empty()) return std::nullopt;
  Answer answer = std::move(from->front());
  from->pop_front();
  return answer;
}

void AxiManager::Sample(const Tick& tick) {
  after_reset_ = tick.reset;
  ar_.Sample(tick);
  aw_.Sample(tick);
  w_.Sample(tick);
  if (r_.Sample(tick) && open_reads_ > 0) {
    coming_.id = port_->r->id;
    coming_.data.push_back(port_->r->data);
    coming_.resps.push_back(port_->r->resp);
    if (port_->r->last) {
      --open_reads_;
      read_.push_back(std::exchange(coming_, {}));
    }
  }
  if (b_.Sample(tick) && open_writes_ > 0) {
    --open_writes_;
    written_.push_back({port_->b->id, {}, {port_->b->resp}});
  }
  if (!tick.reset) return;
  reads_.clear();
  writes_.clear();
  beats_.clear();
  coming_ = {};
  open_reads_ = open_writes_ = announced_ = 0;
}

void AxiManager::Drive(const Tick& next) {
  const auto burst = [](std::deque<AxiAddress>* queue, size_t* open, size_t* beats) {
    return [=](AxiAddress* payload) {
      if (queue->empty()) return false;
      *payload = queue->front();
      queue->pop_front();
      ++*open;
      if (beats != nullptr) *beats += payload->beats();
      return true;
    };
  };
  if (after_reset_) {
    ar_.Withdraw();
    aw_.Withdraw();
    w_.Withdraw();
  } else {
    ar_.Drive(next, burst(&reads_, &open_reads_, nullptr));
    aw_.Drive(next, burst(&writes_, &open_writes_, &announced_));
    w_.Drive(next, [this](AxiWriteBeat* beat) {
      if (announced_ == 0) return false;
      --announced_;
      *beat = beats_.front();
      beats_.pop_front();
      return true;
    });
  }
  r_.Drive(next);
  b_.Drive(next);
}

}  // namespace tessera
