// A Dut made of the class that Verilator generates for one configuration of tsr_engine_pair.
//
// VerilatedDut<VModel>(config, seed) gives every register a start-up value drawn from `seed`. Works
// with Verilator 5.006 and later, with and without --trace-fst (without it, Trace() throws). Two
// evaluations a cycle; only bytes of the configured width are copied, data only while valid (and
// once more when valid falls, so that whatever garbage was driven is seen). An assertion that fails
// in the model makes Settle() or Edge() throw std::runtime_error.
#pragma once

#include <verilated.h>
#ifndef VM_TRACE_FST
#define VM_TRACE_FST 0
#endif
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "tb/sim/dut.h"
#include "tb/sim/pack.h"

namespace tessera {
namespace pins {

// Pins of up to 64 bits are CData, SData, IData or QData, wider ones arrays of 32-bit words; all
// hold byte lane 0 first in memory on the little-endian hosts that are supported.
template <typename Pin>
void* Bytes(Pin& pin) {
  if constexpr (std::is_integral_v<Pin>) {
    return &pin;
  } else {
    return pin.data();
  }
}
template <typename Pin>
const void* Bytes(const Pin& pin) {
  if constexpr (std::is_integral_v<Pin>) {
    return &pin;
  } else {
    return pin.data();
  }
}
template <typename Pin>
void FromData(const BusData& from, Pin& pin) {
  std::memcpy(Bytes(pin), from.data(), sizeof(Pin));
}
template <typename Pin>
void ToData(const Pin& pin, BusData& to) {
  std::memcpy(to.data(), Bytes(pin), sizeof(Pin));
}
template <typename Pin>
void FromLanes(const LaneMask& from, Pin& pin) {
  std::memcpy(Bytes(pin), from.word.data(), sizeof(Pin));
}
template <typename Pin>
void ToLanes(const Pin& pin, LaneMask& to) {
  to = {};
  std::memcpy(to.word.data(), Bytes(pin), sizeof(Pin));
}

}  // namespace pins

inline std::unique_ptr<VerilatedContext> NewVerilatedContext(uint64_t seed) {
  auto context = std::make_unique<VerilatedContext>();
  context->fatalOnError(false);
#if VM_TRACE_FST
  context->traceEverOn(true);
#endif
  context->randReset(2);
  // Seeds are per thread: set them right before the model is built. 0 would mean "any".
  context->randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
  Verilated::threadContextp(context.get());
  return context;
}

template <typename VModel>
class VerilatedDut final : public Dut {
 public:
  VerilatedDut(const Config& config, uint64_t seed)
      : config_(config), context_(NewVerilatedContext(seed)) {
    model_ = std::make_unique<VModel>(context_.get(), config.name.c_str());
    if (sizeof(model_->m_axi_rdata) != static_cast<size_t>(config.data_bytes) ||
        sizeof(model_->m_axis_tdata) != static_cast<size_t>(config.stream_bytes)) {
      throw std::invalid_argument(
          "configuration " + config.name +
          ": data_bytes or stream_bytes is not what the model was built with");
    }
    std::memset(pins::Bytes(model_->rd_transfer_i), 0, sizeof(model_->rd_transfer_i));
    std::memset(pins::Bytes(model_->wr_transfer_i), 0, sizeof(model_->wr_transfer_i));
    std::memset(pins::Bytes(model_->m_axi_rdata), 0, sizeof(model_->m_axi_rdata));
    std::memset(pins::Bytes(model_->s_axis_tdata), 0, sizeof(model_->s_axis_tdata));
    std::memset(pins::Bytes(model_->s_axis_tkeep), 0, sizeof(model_->s_axis_tkeep));
    model_->s_axis_tlast = 0;
    model_->m_axi_rlast = 0;
    model_->m_axi_rresp = 0;
  }
  ~VerilatedDut() override {
    Trace("");
    model_->final();
  }
  VerilatedDut(const VerilatedDut&) = delete;
  VerilatedDut& operator=(const VerilatedDut&) = delete;

  const Config& config() const override { return config_; }
  VModel& model() { return *model_; }

  void SetTransfer(Direction direction, const EngineTransfer& transfer) override {
    static_assert(sizeof(model_->rd_transfer_i) == kTransferWords * 4, "transfer_t has changed");
    auto& pin = direction == Direction::kRead ? model_->rd_transfer_i : model_->wr_transfer_i;
    PackTransfer(transfer, static_cast<uint32_t*>(pins::Bytes(pin)));
  }

  void Settle() override {
    DriveInputs();
    model_->aclk = 0;
    Evaluate();
    SampleOutputs();
  }

  void Edge() override {
    model_->aclk = 1;
    Evaluate();
  }

  void Trace([[maybe_unused]] const std::string& path) override {
#if VM_TRACE_FST
    if (trace_ != nullptr) {
      trace_->close();
      trace_.reset();
    }
    if (path.empty()) return;
    trace_ = std::make_unique<VerilatedFstC>();
    model_->trace(trace_.get(), 99);
    trace_->open(path.c_str());
#else
    if (!path.empty()) {
      throw std::runtime_error("configuration " + config_.name + " was built without waveforms: " +
                               path + " cannot be written; verilate with --trace-fst");
    }
#endif
  }

 private:
  void Evaluate() {
    model_->eval();
#if VM_TRACE_FST
    if (trace_ != nullptr) trace_->dump(context_->time());
#endif
    context_->timeInc(1);
    if (context_->gotFinish()) [[unlikely]] {
      throw std::runtime_error("configuration " + config_.name +
                               ": the model stopped (an assertion failed, see above) at time " +
                               std::to_string(context_->time()));
    }
  }

  void DriveInputs() {
    VModel& m = *model_;
    m.aresetn = in.aresetn;
    m.rd_valid_i = in.rd_valid;
    m.wr_valid_i = in.wr_valid;
    m.rd_done_ready_i = in.rd_done_ready;
    m.wr_done_ready_i = in.wr_done_ready;
    m.rd_abort_i = in.rd_abort;
    m.wr_abort_i = in.wr_abort;
    m.m_axi_arready = in.arready;
    m.m_axi_awready = in.awready;
    m.m_axi_wready = in.wready;
    if (in.rvalid || m.m_axi_rvalid) {
      m.m_axi_rlast = in.rlast;
      m.m_axi_rresp = in.rresp & 3;
      pins::FromData(in.rdata, m.m_axi_rdata);
    }
    m.m_axi_rvalid = in.rvalid;
    m.m_axi_bvalid = in.bvalid;
    m.m_axi_bresp = in.bresp & 3;
    m.m_axis_tready = in.m_tready;
    if (in.s_tvalid || m.s_axis_tvalid) {
      m.s_axis_tlast = in.s_tlast;
      pins::FromLanes(in.s_tkeep, m.s_axis_tkeep);
      pins::FromData(in.s_tdata, m.s_axis_tdata);
    }
    m.s_axis_tvalid = in.s_tvalid;
  }

  void SampleOutputs() {
    const VModel& m = *model_;
    out.rd_ready = m.rd_ready_o;
    out.wr_ready = m.wr_ready_o;
    out.rd_done_valid = m.rd_done_valid_o;
    out.wr_done_valid = m.wr_done_valid_o;
    if (m.rd_done_valid_o) {
      out.rd_done = UnpackDone(static_cast<const uint32_t*>(pins::Bytes(m.rd_done_o)));
    }
    if (m.wr_done_valid_o) {
      out.wr_done = UnpackDone(static_cast<const uint32_t*>(pins::Bytes(m.wr_done_o)));
    }
    out.rd_idle = m.rd_idle_o;
    out.wr_idle = m.wr_idle_o;
    out.wr_held = m.wr_held_o;
    out.arvalid = m.m_axi_arvalid;
    if (m.m_axi_arvalid) {
      out.araddr = m.m_axi_araddr;
      out.arlen = m.m_axi_arlen;
      out.arsize = m.m_axi_arsize;
      out.arburst = m.m_axi_arburst;
    }
    out.rready = m.m_axi_rready;
    out.awvalid = m.m_axi_awvalid;
    if (m.m_axi_awvalid) {
      out.awaddr = m.m_axi_awaddr;
      out.awlen = m.m_axi_awlen;
      out.awsize = m.m_axi_awsize;
      out.awburst = m.m_axi_awburst;
    }
    out.wvalid = m.m_axi_wvalid;
    if (m.m_axi_wvalid) {
      out.wlast = m.m_axi_wlast;
      pins::ToLanes(m.m_axi_wstrb, out.wstrb);
      pins::ToData(m.m_axi_wdata, out.wdata);
    }
    out.bready = m.m_axi_bready;
    out.m_tvalid = m.m_axis_tvalid;
    if (m.m_axis_tvalid) {
      out.m_tlast = m.m_axis_tlast;
      pins::ToLanes(m.m_axis_tkeep, out.m_tkeep);
      pins::ToData(m.m_axis_tdata, out.m_tdata);
    }
    out.s_tready = m.s_axis_tready;
  }

  Config config_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<VModel> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
};

}  // namespace tessera
