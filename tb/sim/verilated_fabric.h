// A Fabric made of the class that Verilator generates for one configuration of tsr_channels: the
// one place that binds its pins. As VerilatedDut, but pins are arrays over channels or ports.
#pragma once

#include <memory>

#include "tb/sim/fabric.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedFabric final : public Fabric {
 public:
  VerilatedFabric(const FabricConfig& config, uint64_t seed)
      : Fabric(config), model_(config.channel.name, seed), pins_(*model_) {}

  void Settle() override {
    for (int k = 0; k < config().reads; ++k) DriveRead(k);
    for (int k = 0; k < config().writes; ++k) DriveWrite(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    pins_.window_set_i() = rtl::WindowSet{
        .valid = window.valid, .channel = window.channel, .index = window.index, .window = window};
    pins_.rst_ni() = aresetn;
    pins_.quiesce_i() = quiesce;
    pins_.wr_excuse_i() = 0;
    model_->clk_i = 0;
    model_.Evaluate();
    for (int k = 0; k < config().channels(); ++k) channel(k).in.aresetn = aresetn;
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
    Project();
  }
  void Edge() override {
    FollowWrites();
    model_->clk_i = 1;
    model_.Evaluate();
  }
  void Trace(const std::string& path) override { model_.Trace(path); }

 protected:
  void SetTransfer(int number, Direction direction, const EngineTransfer& transfer) override {
    pins_.transfer_i()[Index(number, direction)] = Completed(transfer);
  }

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
    const DutInputs& in = channel(k).in;
    const int c = Index(k, Direction::kRead);
    pins_.valid_i()[c] = in.rd_valid;
    pins_.done_ready_i()[c] = in.rd_done_ready;
    DriveRequest(k, Direction::kRead, in.rd_abort, read_standing(k));
    pins_.rd_beat_ready_i()[k] = in.m_tready;
  }
  void DriveWrite(int k) {
    const DutInputs& in = channel(k).in;
    const int c = Index(k, Direction::kWrite);
    pins_.valid_i()[c] = in.wr_valid;
    pins_.done_ready_i()[c] = in.wr_done_ready;
    DriveRequest(k, Direction::kWrite, in.wr_abort, write_standing(k));
    pins_.wr_beat_valid_i()[k] = in.s_tvalid;
    pins_.wr_beat_i()[k].last() = in.s_tlast;
    pins_.wr_beat_i()[k].keep() = in.s_tkeep;
    pins_.wr_beat_i()[k].data() = in.s_tdata;
  }
  void DrivePort(int p) {
    const DutInputs& in = port(p).in;
    const auto read = pins_.rd_port_i()[p];
    read.ar_ready() = in.arready;
    read.r_id() = in.rid;
    read.r_data() = in.rdata;
    read.r() = rtl::RStatus{.resp = in.rresp, .last = in.rlast};
    read.r_valid() = in.rvalid;
    const auto write = pins_.wr_port_i()[p];
    write.aw_ready() = in.awready;
    write.w_ready() = in.wready;
    write.b_id() = in.bid;
    write.b_resp() = in.bresp;
    write.b_valid() = in.bvalid;
  }

  rtl::ChannelStatus SampleStatus(int k, Direction direction) {
    const int c = Index(k, direction);
    const rtl::ChannelStatus status = pins_.status_o()[c];
    shown_state(k, direction) = status.state;
    denied |= uint32_t{rtl::Denied(pins_.denied_o()[c]).valid} << c;
    return status;
  }
  void SampleRead(int k) {
    DutOutputs& out = channel(k).out;
    const int c = Index(k, Direction::kRead);
    out.rd_ready = pins_.ready_o()[c];
    out.rd_done_valid = pins_.done_valid_o()[c];
    if (out.rd_done_valid) out.rd_done = pins_.done_o()[c];
    out.rd_idle = SampleStatus(k, Direction::kRead).idle;
    out.m_tvalid = pins_.rd_beat_valid_o()[k];
    if (!out.m_tvalid) return;
    out.m_tlast = pins_.rd_beat_o()[k].last();
    pins_.rd_beat_o()[k].keep().To(out.m_tkeep);
    pins_.rd_beat_o()[k].data().To(out.m_tdata);
  }
  void SampleWrite(int k) {
    DutOutputs& out = channel(k).out;
    const int c = Index(k, Direction::kWrite);
    out.wr_ready = pins_.ready_o()[c];
    out.wr_done_valid = pins_.done_valid_o()[c];
    if (out.wr_done_valid) out.wr_done = pins_.done_o()[c];
    const rtl::ChannelStatus status = SampleStatus(k, Direction::kWrite);
    out.wr_idle = status.idle;
    out.wr_held = status.held;
    out.s_tready = pins_.wr_beat_ready_o()[k];
  }
  void SamplePort(int p) {
    DutOutputs& out = port(p).out;
    const auto read = pins_.rd_port_o()[p];
    out.arvalid = read.ar_valid();
    if (out.arvalid) {
      const auto ar = read.ar();
      out.araddr = ar.addr();
      out.arlen = ar.len();
      out.arid = ar.id();
      out.arsize = ar.size();
      out.arburst = ar.burst();
      port(p).ar = Shown(ar);
    }
    out.rready = read.r_ready();
    const auto write = pins_.wr_port_o()[p];
    out.awvalid = write.aw_valid();
    if (out.awvalid) {
      const auto aw = write.aw();
      out.awaddr = aw.addr();
      out.awlen = aw.len();
      out.awid = aw.id();
      out.awsize = aw.size();
      out.awburst = aw.burst();
      port(p).aw = Shown(aw);
    }
    out.wvalid = write.w_valid();
    if (out.wvalid) {
      out.wlast = write.w().last();
      write.w().strb().To(out.wstrb);
      write.w().data().To(out.wdata);
    }
    out.bready = write.b_ready();
  }
  // What shows with an address.
  template <typename Address>
  static Standing Shown(const Address& address) {
    Standing shown;
    static_cast<rtl::AxiAttr&>(shown) = address.attr();
    shown.weight = 0;
    shown.user = address.user();
    return shown;
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
