// A Dma made of the class that Verilator generates for one build of tessera_dma: its pins are flat
// vectors.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tb/dma/dma.h"
#include "tb/sim/verilated_fabric.h"

namespace tessera {

template <typename VModel>
class VerilatedDma final : public Dma {
 public:
  VerilatedDma(const DmaConfig& config, uint64_t seed)
      : Dma(config),
        context_(NewVerilatedContext(seed)),
        model_(std::make_unique<VModel>(context_.get(), config.channel.name.c_str())) {}
  ~VerilatedDma() override {
    Trace("");
    model_->final();
  }

  void Settle() override {
    VModel& m = *model_;
    for (int k = 0; k < config().streams(); ++k) DriveStreams(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    DriveList();
    DriveRegisters();
    m.aresetn = aresetn;
    m.aclk = 0;
    Evaluate();
    for (int k = 0; k < config().streams(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    SampleList();
    answer = {.rdata = m.s_axil_rdata,
              .bresp = m.s_axil_bresp,
              .rresp = m.s_axil_rresp,
              .awready = m.s_axil_awready != 0,
              .wready = m.s_axil_wready != 0,
              .bvalid = m.s_axil_bvalid != 0,
              .arready = m.s_axil_arready != 0,
              .rvalid = m.s_axil_rvalid != 0};
    irq = m.irq != 0;
    irq_channels = static_cast<uint32_t>(pins::GetBits(m.irq_channel, 0, config().channels()));
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
      throw std::runtime_error("tessera_dma " + config().channel.name +
                               ": the model stopped (an assertion failed, see above) at time " +
                               std::to_string(context_->time()));
    }
  }

  void DriveRegisters() {
    VModel& m = *model_;
    m.s_axil_awaddr = registers.awaddr;
    m.s_axil_awprot = 0;
    m.s_axil_awvalid = registers.awvalid;
    m.s_axil_wdata = registers.wdata;
    m.s_axil_wstrb = registers.wstrb;
    m.s_axil_wvalid = registers.wvalid;
    m.s_axil_bready = registers.bready;
    m.s_axil_araddr = registers.araddr;
    m.s_axil_arprot = 0;
    m.s_axil_arvalid = registers.arvalid;
    m.s_axil_rready = registers.rready;
  }
  void DriveStreams(int k) {
    VModel& m = *model_;
    const DutInputs& in = channel(k).in;
    const int bytes = config().channel.stream_bytes;
    if (k < config().reads) pins::SetBits(m.m_axis_tready, k, 1, in.m_tready);
    if (k >= config().writes) return;
    pins::SetBits(m.s_axis_tvalid, k, 1, in.s_tvalid);
    pins::SetBits(m.s_axis_tlast, k, 1, in.s_tlast);
    pins::SetLanes(m.s_axis_tkeep, k, bytes, in.s_tkeep);
    pins::SetData(m.s_axis_tdata, k, bytes, in.s_tdata);
  }
  void DrivePort(int p) {
    VModel& m = *model_;
    const DutInputs& in = port(p).in;
    pins::SetBits(m.m_axi_arready, p, 1, in.arready);
    pins::SetBits(m.m_axi_rid, 4 * p, 4, in.rid);
    pins::SetData(m.m_axi_rdata, p, config().channel.data_bytes, in.rdata);
    pins::SetBits(m.m_axi_rresp, 2 * p, 2, in.rresp);
    pins::SetBits(m.m_axi_rlast, p, 1, in.rlast);
    pins::SetBits(m.m_axi_rvalid, p, 1, in.rvalid);
    pins::SetBits(m.m_axi_awready, p, 1, in.awready);
    pins::SetBits(m.m_axi_wready, p, 1, in.wready);
    pins::SetBits(m.m_axi_bid, 4 * p, 4, in.bid);
    pins::SetBits(m.m_axi_bresp, 2 * p, 2, in.bresp);
    pins::SetBits(m.m_axi_bvalid, p, 1, in.bvalid);
  }

  void DriveList() {
    VModel& m = *model_;
    const DutInputs& in = list_port().in;
    m.m_axi_list_arready = in.arready;
    pins::SetData(m.m_axi_list_rdata, 0, config().list_bytes, in.rdata);
    m.m_axi_list_rresp = in.rresp;
    m.m_axi_list_rlast = in.rlast;
    m.m_axi_list_rvalid = in.rvalid;
    m.m_axi_list_awready = in.awready;
    m.m_axi_list_wready = in.wready;
    m.m_axi_list_bresp = in.bresp;
    m.m_axi_list_bvalid = in.bvalid;
  }
  void SampleList() {
    const VModel& m = *model_;
    DutOutputs& out = list_port().out;
    const int width = config().channel.addr_width;
    out.arvalid = m.m_axi_list_arvalid != 0;
    if (out.arvalid) {
      out.araddr = pins::GetBits(m.m_axi_list_araddr, 0, width);
      out.arlen = m.m_axi_list_arlen;
      out.arsize = m.m_axi_list_arsize;
      out.arburst = m.m_axi_list_arburst;
    }
    out.rready = m.m_axi_list_rready != 0;
    out.awvalid = m.m_axi_list_awvalid != 0;
    if (out.awvalid) {
      out.awaddr = pins::GetBits(m.m_axi_list_awaddr, 0, width);
      out.awlen = m.m_axi_list_awlen;
      out.awsize = m.m_axi_list_awsize;
      out.awburst = m.m_axi_list_awburst;
    }
    out.wvalid = m.m_axi_list_wvalid != 0;
    if (out.wvalid) {
      out.wlast = m.m_axi_list_wlast != 0;
      out.wstrb = pins::GetLanes(m.m_axi_list_wstrb, 0, config().list_bytes);
      pins::GetData(m.m_axi_list_wdata, 0, config().list_bytes, out.wdata);
    }
    out.bready = m.m_axi_list_bready != 0;
  }

  void SampleStreams(int k) {
    const VModel& m = *model_;
    DutOutputs& out = channel(k).out;
    const int bytes = config().channel.stream_bytes;
    if (k < config().writes) out.s_tready = pins::GetBits(m.s_axis_tready, k, 1) != 0;
    if (k >= config().reads) return;
    out.m_tvalid = pins::GetBits(m.m_axis_tvalid, k, 1) != 0;
    if (!out.m_tvalid) return;
    out.m_tlast = pins::GetBits(m.m_axis_tlast, k, 1) != 0;
    out.m_tkeep = pins::GetLanes(m.m_axis_tkeep, k, bytes);
    pins::GetData(m.m_axis_tdata, k, bytes, out.m_tdata);
  }
  void SamplePort(int p) {
    const VModel& m = *model_;
    DutOutputs& out = port(p).out;
    const int width = config().channel.addr_width;
    const auto byte = [p](const auto& pin, int bits) {
      return static_cast<uint8_t>(pins::GetBits(pin, bits * p, bits));
    };
    out.arvalid = byte(m.m_axi_arvalid, 1) != 0;
    if (out.arvalid) {
      out.araddr = pins::GetBits(m.m_axi_araddr, width * p, width);
      out.arlen = byte(m.m_axi_arlen, 8);
      out.arid = byte(m.m_axi_arid, 4);
      out.arsize = byte(m.m_axi_arsize, 3);
      out.arburst = byte(m.m_axi_arburst, 2);
    }
    out.rready = byte(m.m_axi_rready, 1) != 0;
    out.awvalid = byte(m.m_axi_awvalid, 1) != 0;
    if (out.awvalid) {
      out.awaddr = pins::GetBits(m.m_axi_awaddr, width * p, width);
      out.awlen = byte(m.m_axi_awlen, 8);
      out.awid = byte(m.m_axi_awid, 4);
      out.awsize = byte(m.m_axi_awsize, 3);
      out.awburst = byte(m.m_axi_awburst, 2);
    }
    out.wvalid = byte(m.m_axi_wvalid, 1) != 0;
    if (out.wvalid) {
      out.wlast = byte(m.m_axi_wlast, 1) != 0;
      out.wstrb = pins::GetLanes(m.m_axi_wstrb, p, config().channel.data_bytes);
      pins::GetData(m.m_axi_wdata, p, config().channel.data_bytes, out.wdata);
    }
    out.bready = byte(m.m_axi_bready, 1) != 0;
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<VModel> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
};

}  // namespace tessera
