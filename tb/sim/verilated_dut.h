// A Dut made of the class that Verilator generates for one configuration of tsr_engine_pair: the
// one place that binds its pins. Two evaluations a cycle.
//
// Payload is put on the pins only while valid, and once more when valid falls, so that whatever
// garbage was driven is seen; it is read only while valid.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tb/sim/dut.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedDut final : public Dut {
 public:
  VerilatedDut(const Config& config, uint64_t seed)
      : config_(config), model_(config.name, seed), pins_(*model_) {
    if (decltype(pins_.m_axi_rdata())::kBits != 8 * config.data_bytes ||
        decltype(pins_.m_axis_tdata())::kBits != 8 * config.stream_bytes) {
      throw std::invalid_argument(
          "configuration " + config.name +
          ": data_bytes or stream_bytes is not what the model was built with");
    }
    pins_.rd_transfer_i() = rtl::Transfer();
    pins_.wr_transfer_i() = rtl::Transfer();
    pins_.m_axi_rdata() = BusData{};
    pins_.s_axis_tdata() = BusData{};
    pins_.s_axis_tkeep() = LaneMask{};
    pins_.s_axis_tlast() = 0;
    pins_.m_axi_rlast() = 0;
    pins_.m_axi_rresp() = 0;
  }

  const Config& config() const override { return config_; }

  void SetTransfer(Direction direction, const EngineTransfer& transfer) override {
    if (direction == Direction::kRead) {
      pins_.rd_transfer_i() = Completed(transfer);
    } else {
      pins_.wr_transfer_i() = Completed(transfer);
    }
  }

  void Settle() override {
    DriveInputs();
    model_->aclk = 0;
    model_.Evaluate();
    SampleOutputs();
  }

  void Edge() override {
    model_->aclk = 1;
    model_.Evaluate();
  }

  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveInputs() {
    pins_.aresetn() = in.aresetn;
    pins_.rd_valid_i() = in.rd_valid;
    pins_.wr_valid_i() = in.wr_valid;
    pins_.rd_done_ready_i() = in.rd_done_ready;
    pins_.wr_done_ready_i() = in.wr_done_ready;
    pins_.rd_abort_i() = in.rd_abort;
    pins_.wr_abort_i() = in.wr_abort;
    pins_.m_axi_arready() = in.arready;
    pins_.m_axi_awready() = in.awready;
    pins_.m_axi_wready() = in.wready;
    if (in.rvalid || pins_.m_axi_rvalid()) {
      pins_.m_axi_rlast() = in.rlast;
      pins_.m_axi_rresp() = in.rresp;
      pins_.m_axi_rdata() = in.rdata;
    }
    pins_.m_axi_rvalid() = in.rvalid;
    pins_.m_axi_bvalid() = in.bvalid;
    pins_.m_axi_bresp() = in.bresp;
    pins_.m_axis_tready() = in.m_tready;
    if (in.s_tvalid || pins_.s_axis_tvalid()) {
      pins_.s_axis_tlast() = in.s_tlast;
      pins_.s_axis_tkeep() = in.s_tkeep;
      pins_.s_axis_tdata() = in.s_tdata;
    }
    pins_.s_axis_tvalid() = in.s_tvalid;
  }

  void SampleOutputs() {
    out.rd_ready = pins_.rd_ready_o();
    out.wr_ready = pins_.wr_ready_o();
    out.rd_done_valid = pins_.rd_done_valid_o();
    out.wr_done_valid = pins_.wr_done_valid_o();
    if (out.rd_done_valid) out.rd_done = pins_.rd_done_o();
    if (out.wr_done_valid) out.wr_done = pins_.wr_done_o();
    out.rd_idle = pins_.rd_idle_o();
    out.wr_idle = pins_.wr_idle_o();
    out.wr_held = pins_.wr_held_o();
    out.arvalid = pins_.m_axi_arvalid();
    if (out.arvalid) {
      out.araddr = pins_.m_axi_araddr();
      out.arlen = pins_.m_axi_arlen();
      out.arsize = pins_.m_axi_arsize();
      out.arburst = pins_.m_axi_arburst();
    }
    out.rready = pins_.m_axi_rready();
    out.awvalid = pins_.m_axi_awvalid();
    if (out.awvalid) {
      out.awaddr = pins_.m_axi_awaddr();
      out.awlen = pins_.m_axi_awlen();
      out.awsize = pins_.m_axi_awsize();
      out.awburst = pins_.m_axi_awburst();
    }
    out.wvalid = pins_.m_axi_wvalid();
    if (out.wvalid) {
      out.wlast = pins_.m_axi_wlast();
      pins_.m_axi_wstrb().To(out.wstrb);
      pins_.m_axi_wdata().To(out.wdata);
    }
    out.bready = pins_.m_axi_bready();
    out.m_tvalid = pins_.m_axis_tvalid();
    if (out.m_tvalid) {
      out.m_tlast = pins_.m_axis_tlast();
      pins_.m_axis_tkeep().To(out.m_tkeep);
      pins_.m_axis_tdata().To(out.m_tdata);
    }
    out.s_tready = pins_.s_axis_tready();
  }

  Config config_;
  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
