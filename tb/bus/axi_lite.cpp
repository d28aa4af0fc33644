// Offering accesses and taking responses.
#include "tb/bus/axi_lite.h"

namespace tessera {
namespace {

// Makes the payload that waits longest.
template <typename T>
auto FromQueue(std::deque<T>* queue) {
  return [queue](T* payload) {
    if (queue->empty()) return false;
    *payload = queue->front();
    queue->pop_front();
    return true;
  };
}

}  // namespace

AxiLiteMaster::AxiLiteMaster(AxiLitePort* port, const AxiLiteMasterOptions& options, const Rng& rng)
    : port_(port),
      ignored_(rng.Stream("ignored")),
      ar_(&port->ar, options.ar, rng.Stream("ar")),
      aw_(&port->aw, options.aw, rng.Stream("aw")),
      w_(&port->w, options.w, rng.Stream("w")),
      r_(&port->r, options.r, rng.Stream("r")),
      b_(&port->b, options.b, rng.Stream("b")) {}

LiteAddress AxiLiteMaster::Word(uint32_t addr) {
  return {addr ^ static_cast<uint32_t>(ignored_.Below(4)), static_cast<uint8_t>(ignored_.Below(8))};
}

void AxiLiteMaster::Write(uint32_t addr, uint32_t data, uint8_t strb) {
  write_addresses_.push_back(Word(addr));
  write_data_.push_back({data, strb});
  ++writes_open_;
}

void AxiLiteMaster::Read(uint32_t addr) {
  read_addresses_.push_back(Word(addr));
  ++reads_open_;
}

std::optional<LiteResponse> AxiLiteMaster::Take(std::deque<LiteResponse>* from) {
  if (from->empty()) return std::nullopt;
  const LiteResponse response = from->front();
  from->pop_front();
  return response;
}

void AxiLiteMaster::Sample(const Tick& tick) {
  after_reset_ = tick.reset;
  ar_.Sample(tick);
  aw_.Sample(tick);
  if (w_.Sample(tick)) data_moved_at_ = tick.cycle;
  if (r_.Sample(tick) && reads_open_ > 0) {
    --reads_open_;
    read_.push_back({tick.cycle, port_->r->data, port_->r->resp});
  }
  if (b_.Sample(tick) && writes_open_ > 0) {
    --writes_open_;
    written_.push_back({tick.cycle, 0, port_->b->resp});
  }
  if (!tick.reset) return;
  read_addresses_.clear();
  write_addresses_.clear();
  write_data_.clear();
  reads_open_ = writes_open_ = 0;
}

void AxiLiteMaster::Drive(const Tick& next) {
  if (after_reset_) {
    ar_.Withdraw();
    aw_.Withdraw();
    w_.Withdraw();
  } else {
    ar_.Drive(next, FromQueue(&read_addresses_));
    aw_.Drive(next, FromQueue(&write_addresses_));
    w_.Drive(next, FromQueue(&write_data_));
  }
  r_.Drive(next, reads_open_ > 0);
  b_.Drive(next, writes_open_ > 0);
}

}  // namespace tessera
