// A Dut made of the class that Verilator generates for one configuration of tsr_engine_pair: the
// one place that binds its pins. Two evaluations a cycle. A transfer goes in row by row and is
// taken with its last row.
//
// Payload is put on the pins only while valid, and once more when valid falls, so that whatever
// garbage was driven is seen; it is read only while valid.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "tb/sim/dut.h"
#include "tb/sim/pins.h"
#include "tb/sim/row_feeder.h"
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
    pins_.row_valid_i() = 0;
    pins_.row_data_i() = BusData{};
    pins_.m_axi_rdata() = BusData{};
    pins_.s_axis_tdata() = BusData{};
    pins_.s_axis_tkeep() = LaneMask{};
    pins_.s_axis_tlast() = 0;
    pins_.m_axi_rlast() = 0;
    pins_.m_axi_rresp() = 0;
  }

  const Config& config() const override { return config_; }

  void Settle() override {
    DriveInputs();
    model_.Settle();
    SampleOutputs();
  }

  void Edge() override {
    if (!aresetn) {
      feeders_ = {};
    } else if (pins_.row_valid_i()) {
      RowFeeder& feeder = feeders_[turn_];
      if (pins_.row_ready_o()) feeder.Taken();
      turn_ = !turn_;
    }
    model_.Edge();
  }

  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveInputs() {
    pins_.aresetn() = aresetn;
    DriveRow();
    pins_.rd_done_ready_i() = read.done.ready;
    pins_.wr_done_ready_i() = write.done.ready;
    pins_.rd_abort_i() = read.abort;
    pins_.wr_abort_i() = write.abort;
    pins_.m_axi_arready() = axi.ar.ready;
    pins_.m_axi_awready() = axi.aw.ready;
    pins_.m_axi_wready() = axi.w.ready;
    if (axi.r.valid || pins_.m_axi_rvalid()) {
      pins_.m_axi_rlast() = axi.r->last;
      pins_.m_axi_rresp() = axi.r->resp;
      pins_.m_axi_rdata() = axi.r->data;
    }
    pins_.m_axi_rvalid() = axi.r.valid;
    pins_.m_axi_bvalid() = axi.b.valid;
    pins_.m_axi_bresp() = axi.b->resp;
    pins_.m_axis_tready() = m_axis.ready;
    if (s_axis.valid || pins_.s_axis_tvalid()) {
      pins_.s_axis_tlast() = s_axis->last;
      pins_.s_axis_tkeep() = s_axis->keep;
      pins_.s_axis_tdata() = s_axis->data;
    }
    pins_.s_axis_tvalid() = s_axis.valid;
  }

  // The next row of a direction that has one: they take turns.
  void DriveRow() {
    std::optional<Row> row;
    for (int tries = 0; tries < 2 && !row; ++tries) {
      if (tries > 0) turn_ = !turn_;
      const Channel<EngineTransfer>& transfer = turn_ ? write.transfer : read.transfer;
      if (aresetn && transfer.valid) row = feeders_[turn_].Next(transfer.payload);
    }
    pins_.row_valid_i() = row.has_value();
    if (!row) return;
    pins_.row_write_i() = turn_;
    pins_.row_area_i() = row->area;
    pins_.row_i() = row->number;
    pins_.row_go_i() = row->go;
    pins_.row_task_end_i() = row->task_end;
    pins_.row_data_i() = row->data;
  }

  void SampleOutputs() {
    const bool begins = pins_.row_valid_i() && pins_.row_ready_o() && pins_.row_go_i();
    read.transfer.ready = begins && !turn_;
    write.transfer.ready = begins && turn_;
    read.done.valid = pins_.rd_done_valid_o();
    write.done.valid = pins_.wr_done_valid_o();
    if (read.done.valid) read.done.payload = pins_.rd_done_o();
    if (write.done.valid) write.done.payload = pins_.wr_done_o();
    read.idle = pins_.rd_idle_o();
    write.idle = pins_.wr_idle_o();
    axi.ar.valid = pins_.m_axi_arvalid();
    if (axi.ar.valid) {
      axi.ar->addr = pins_.m_axi_araddr();
      axi.ar->len = pins_.m_axi_arlen();
      axi.ar->size = pins_.m_axi_arsize();
      axi.ar->burst = pins_.m_axi_arburst();
    }
    axi.r.ready = pins_.m_axi_rready();
    axi.aw.valid = pins_.m_axi_awvalid();
    if (axi.aw.valid) {
      axi.aw->addr = pins_.m_axi_awaddr();
      axi.aw->len = pins_.m_axi_awlen();
      axi.aw->size = pins_.m_axi_awsize();
      axi.aw->burst = pins_.m_axi_awburst();
    }
    axi.w.valid = pins_.m_axi_wvalid();
    if (axi.w.valid) {
      axi.w->last = pins_.m_axi_wlast();
      pins_.m_axi_wstrb().To(axi.w->strb);
      pins_.m_axi_wdata().To(axi.w->data);
    }
    axi.b.ready = pins_.m_axi_bready();
    m_axis.valid = pins_.m_axis_tvalid();
    if (m_axis.valid) {
      m_axis->last = pins_.m_axis_tlast();
      pins_.m_axis_tkeep().To(m_axis->keep);
      pins_.m_axis_tdata().To(m_axis->data);
    }
    s_axis.ready = pins_.s_axis_tready();
  }

  Config config_;
  VerilatedModel<VModel> model_;
  ModelPins pins_;
  std::array<RowFeeder, 2> feeders_;
  bool turn_ = false;  // of the write engine
};

}  // namespace tessera
