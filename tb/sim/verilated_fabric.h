// A Fabric made of the class that Verilator generates for one configuration of tsr_channels: the
// one place that binds its pins. As VerilatedDut, but pins are arrays over channels or ports.
#pragma once

#include <memory>
#include <vector>

#include "tb/sim/fabric.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedFabric final : public Fabric {
 public:
  VerilatedFabric(const FabricConfig& config, uint64_t seed)
      : Fabric(config),
        model_(config.channel.name, seed),
        pins_(*model_),
        fresh_(static_cast<size_t>(config.reads + config.writes)) {}

  void Settle() override {
    for (int k = 0; k < config().reads; ++k) DriveRead(k);
    for (int k = 0; k < config().writes; ++k) DriveWrite(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    pins_.window_set_i() = rtl::WindowSet{
        .valid = window.valid, .channel = window.channel, .index = window.index, .window = window};
    pins_.rst_ni() = aresetn;
    pins_.quiesce_i() = quiesce;
    pins_.tick_i() = tick;
    pins_.wr_excuse_i() = 0;
    model_.Settle();
    denied = 0;
    for (int k = 0; k < config().reads; ++k) SampleRead(k);
    for (int k = 0; k < config().writes; ++k) SampleWrite(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    window_refused = pins_.window_refused_o();
    const uint32_t rest = pins_.rest_o();
    quiet = (rest & rtl::Rest::kQuiet) != 0;
    timed_out = (rest & rtl::Rest::kTimedOut) != 0;
    strays = static_cast<uint32_t>(pins_.rd_stray_o()) | static_cast<uint32_t>(pins_.wr_stray_o())
                                                             << config().ports;
    ProjectPorts();
  }
  void Edge() override {
    FollowWrites();
    model_.Edge();
  }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  // Where a channel stands in arrays of both directions.
  int Index(int k, Direction direction) const {
    return direction == Direction::kRead ? k : config().reads + k;
  }
  void DriveRequest(int k, Direction direction, bool aborts, const Standing& standing) {
    const int c = Index(k, direction);
    pins_.request_i()[c] = rtl::ChannelRequest{.aborts = aborts, .control = control(k, direction)};
    pins_.standing_i()[c].weight() = standing.weight;
    pins_.standing_i()[c].attr() = standing;
    pins_.standing_i()[c].user() = standing.user;
  }
  void DriveRead(int k) {
    const PairPorts& ports = channel(k);
    const int c = Index(k, Direction::kRead);
    if (fresh_[static_cast<size_t>(c)](ports.read.transfer)) {
      pins_.transfer_i()[c] = Completed(ports.read.transfer.payload);
    }
    pins_.valid_i()[c] = ports.read.transfer.valid;
    pins_.done_ready_i()[c] = ports.read.done.ready;
    DriveRequest(k, Direction::kRead, ports.read.abort, read_standing(k));
    pins_.rd_beat_ready_i()[k] = ports.m_axis.ready;
  }
  void DriveWrite(int k) {
    const PairPorts& ports = channel(k);
    const int c = Index(k, Direction::kWrite);
    if (fresh_[static_cast<size_t>(c)](ports.write.transfer)) {
      pins_.transfer_i()[c] = Completed(ports.write.transfer.payload);
    }
    pins_.valid_i()[c] = ports.write.transfer.valid;
    pins_.done_ready_i()[c] = ports.write.done.ready;
    DriveRequest(k, Direction::kWrite, ports.write.abort, write_standing(k));
    pins_.wr_beat_valid_i()[k] = ports.s_axis.valid;
    pins_.wr_beat_i()[k].last() = ports.s_axis->last;
    pins_.wr_beat_i()[k].keep() = ports.s_axis->keep;
    pins_.wr_beat_i()[k].data() = ports.s_axis->data;
  }
  void DrivePort(int p) {
    const AxiPort& bus = port(p);
    const auto read = pins_.rd_port_i()[p];
    read.ar_ready() = bus.ar.ready;
    read.r_id() = bus.r->id;
    read.r_data() = bus.r->data;
    read.r() = rtl::RStatus{.resp = bus.r->resp, .last = bus.r->last};
    read.r_valid() = bus.r.valid;
    const auto write = pins_.wr_port_i()[p];
    write.aw_ready() = bus.aw.ready;
    write.w_ready() = bus.w.ready;
    write.b_id() = bus.b->id;
    write.b_resp() = bus.b->resp;
    write.b_valid() = bus.b.valid;
  }

  rtl::ChannelStatus SampleStatus(int k, Direction direction) {
    const int c = Index(k, direction);
    const rtl::ChannelStatus status = pins_.status_o()[c];
    shown_state(k, direction) = status.state;
    denied |= uint32_t{rtl::Denied(pins_.denied_o()[c]).valid} << c;
    return status;
  }
  void SampleRead(int k) {
    PairPorts& ports = channel(k);
    const int c = Index(k, Direction::kRead);
    ports.read.transfer.ready = pins_.ready_o()[c];
    ports.read.done.valid = pins_.done_valid_o()[c];
    if (ports.read.done.valid) ports.read.done.payload = pins_.done_o()[c];
    ports.read.idle = SampleStatus(k, Direction::kRead).idle;
    ports.m_axis.valid = pins_.rd_beat_valid_o()[k];
    if (!ports.m_axis.valid) return;
    ports.m_axis->last = pins_.rd_beat_o()[k].last();
    pins_.rd_beat_o()[k].keep().To(ports.m_axis->keep);
    pins_.rd_beat_o()[k].data().To(ports.m_axis->data);
  }
  void SampleWrite(int k) {
    PairPorts& ports = channel(k);
    const int c = Index(k, Direction::kWrite);
    ports.write.transfer.ready = pins_.ready_o()[c];
    ports.write.done.valid = pins_.done_valid_o()[c];
    if (ports.write.done.valid) ports.write.done.payload = pins_.done_o()[c];
    const rtl::ChannelStatus status = SampleStatus(k, Direction::kWrite);
    ports.write.idle = status.idle;
    ports.held = status.held;
    ports.s_axis.ready = pins_.wr_beat_ready_o()[k];
  }
  void SamplePort(int p) {
    AxiPort& bus = port(p);
    const auto read = pins_.rd_port_o()[p];
    bus.ar.valid = read.ar_valid();
    if (bus.ar.valid) {
      const auto ar = read.ar();
      bus.ar->addr = ar.addr();
      bus.ar->len = ar.len();
      bus.ar->id = ar.id();
      bus.ar->size = ar.size();
      bus.ar->burst = ar.burst();
      SampleAttributes(ar, &bus.ar.payload);
    }
    bus.r.ready = read.r_ready();
    const auto write = pins_.wr_port_o()[p];
    bus.aw.valid = write.aw_valid();
    if (bus.aw.valid) {
      const auto aw = write.aw();
      bus.aw->addr = aw.addr();
      bus.aw->len = aw.len();
      bus.aw->id = aw.id();
      bus.aw->size = aw.size();
      bus.aw->burst = aw.burst();
      SampleAttributes(aw, &bus.aw.payload);
    }
    bus.w.valid = write.w_valid();
    if (bus.w.valid) {
      bus.w->last = write.w().last();
      write.w().strb().To(bus.w->strb);
      write.w().data().To(bus.w->data);
    }
    bus.b.ready = write.b_ready();
  }
  template <typename Address>
  static void SampleAttributes(const Address& from, AxiAddress* to) {
    const rtl::AxiAttr attributes = from.attr();
    to->qos = attributes.qos;
    to->cache = attributes.cache;
    to->prot = attributes.prot;
    to->user = from.user();
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
  std::vector<FreshPayload> fresh_;  // transfers, reads first
};

}  // namespace tessera
