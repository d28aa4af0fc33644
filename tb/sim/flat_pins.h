// Buses at flat pins, by the names that Vivado infers: the ports of every top that software
// programs.
//
// `Pins` is a class V*_Pins. Drive puts into the model what the harness shows, Sample takes what
// the model shows; of buses that stand side by side in one vector, number `k` of `n`.
#pragma once

#include "tb/sim/ports.h"

namespace tessera::flat {

template <typename Pins>
void DriveRegisters(const Pins& pins, const AxiLitePort& bus) {
  pins.s_axil_awaddr() = bus.aw->addr;
  pins.s_axil_awprot() = bus.aw->prot;
  pins.s_axil_awvalid() = bus.aw.valid;
  pins.s_axil_wdata() = bus.w->data;
  pins.s_axil_wstrb() = bus.w->strb;
  pins.s_axil_wvalid() = bus.w.valid;
  pins.s_axil_bready() = bus.b.ready;
  pins.s_axil_araddr() = bus.ar->addr;
  pins.s_axil_arprot() = bus.ar->prot;
  pins.s_axil_arvalid() = bus.ar.valid;
  pins.s_axil_rready() = bus.r.ready;
}
template <typename Pins>
void SampleRegisters(const Pins& pins, AxiLitePort* bus) {
  bus->aw.ready = pins.s_axil_awready();
  bus->w.ready = pins.s_axil_wready();
  bus->b.valid = pins.s_axil_bvalid();
  bus->b->resp = pins.s_axil_bresp();
  bus->ar.ready = pins.s_axil_arready();
  bus->r.valid = pins.s_axil_rvalid();
  bus->r->data = pins.s_axil_rdata();
  bus->r->resp = pins.s_axil_rresp();
}

// Control packets come, responses and tokens go.
template <typename Pins>
void DriveWords(const Pins& pins, const WordPort& control, const WordPort& response,
                const WordPort& token) {
  pins.s_axis_control_tdata() = control->data;
  pins.s_axis_control_tlast() = control->last;
  pins.s_axis_control_tvalid() = control.valid;
  pins.m_axis_response_tready() = response.ready;
  pins.m_axis_token_tready() = token.ready;
}
template <typename Pins>
void SampleWords(const Pins& pins, WordPort* control, WordPort* response, WordPort* token) {
  control->ready = pins.s_axis_control_tready();
  (*response)->data = pins.m_axis_response_tdata();
  (*response)->last = pins.m_axis_response_tlast();
  response->valid = pins.m_axis_response_tvalid();
  (*token)->data = pins.m_axis_token_tdata();
  (*token)->last = pins.m_axis_token_tlast();
  token->valid = pins.m_axis_token_tvalid();
}

// A stream into the model, without side information.
template <typename Pins>
void DriveIncoming(const Pins& pins, const StreamPort& stream, int k, int n) {
  pins.s_axis_tvalid().Part(k, n) = stream.valid;
  pins.s_axis_tlast().Part(k, n) = stream->last;
  pins.s_axis_tkeep().Part(k, n) = stream->keep;
  pins.s_axis_tdata().Part(k, n) = stream->data;
}
// A stream out of it.
template <typename Pins>
void SampleOutgoing(const Pins& pins, StreamPort* stream, int k, int n) {
  stream->valid = pins.m_axis_tvalid().Part(k, n);
  if (!stream->valid) return;
  (*stream)->last = pins.m_axis_tlast().Part(k, n);
  pins.m_axis_tkeep().Part(k, n).To((*stream)->keep);
  pins.m_axis_tdata().Part(k, n).To((*stream)->data);
}

// An AXI4 memory port, without AxUSER.
template <typename Pins>
void DriveMemory(const Pins& pins, const AxiPort& bus, int k, int n) {
  pins.m_axi_arready().Part(k, n) = bus.ar.ready;
  pins.m_axi_rid().Part(k, n) = bus.r->id;
  pins.m_axi_rdata().Part(k, n) = bus.r->data;
  pins.m_axi_rresp().Part(k, n) = bus.r->resp;
  pins.m_axi_rlast().Part(k, n) = bus.r->last;
  pins.m_axi_rvalid().Part(k, n) = bus.r.valid;
  pins.m_axi_awready().Part(k, n) = bus.aw.ready;
  pins.m_axi_wready().Part(k, n) = bus.w.ready;
  pins.m_axi_bid().Part(k, n) = bus.b->id;
  pins.m_axi_bresp().Part(k, n) = bus.b->resp;
  pins.m_axi_bvalid().Part(k, n) = bus.b.valid;
}
template <typename Pins>
void SampleMemory(const Pins& pins, AxiPort* bus, int k, int n) {
  bus->ar.valid = pins.m_axi_arvalid().Part(k, n);
  if (bus->ar.valid) {
    bus->ar->addr = pins.m_axi_araddr().Part(k, n);
    bus->ar->id = pins.m_axi_arid().Part(k, n);
    bus->ar->len = pins.m_axi_arlen().Part(k, n);
    bus->ar->size = pins.m_axi_arsize().Part(k, n);
    bus->ar->burst = pins.m_axi_arburst().Part(k, n);
    bus->ar->cache = pins.m_axi_arcache().Part(k, n);
    bus->ar->prot = pins.m_axi_arprot().Part(k, n);
    bus->ar->qos = pins.m_axi_arqos().Part(k, n);
  }
  bus->r.ready = pins.m_axi_rready().Part(k, n);
  bus->aw.valid = pins.m_axi_awvalid().Part(k, n);
  if (bus->aw.valid) {
    bus->aw->addr = pins.m_axi_awaddr().Part(k, n);
    bus->aw->id = pins.m_axi_awid().Part(k, n);
    bus->aw->len = pins.m_axi_awlen().Part(k, n);
    bus->aw->size = pins.m_axi_awsize().Part(k, n);
    bus->aw->burst = pins.m_axi_awburst().Part(k, n);
    bus->aw->cache = pins.m_axi_awcache().Part(k, n);
    bus->aw->prot = pins.m_axi_awprot().Part(k, n);
    bus->aw->qos = pins.m_axi_awqos().Part(k, n);
  }
  bus->w.valid = pins.m_axi_wvalid().Part(k, n);
  if (bus->w.valid) {
    bus->w->last = pins.m_axi_wlast().Part(k, n);
    pins.m_axi_wstrb().Part(k, n).To(bus->w->strb);
    pins.m_axi_wdata().Part(k, n).To(bus->w->data);
  }
  bus->b.ready = pins.m_axi_bready().Part(k, n);
}

}  // namespace tessera::flat
