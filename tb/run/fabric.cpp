// Whose traffic is whose on a shared port.
#include "tb/sim/fabric.h"

namespace tessera {

Fabric::Fabric(const FabricConfig& config)
    : config_(config),
      controls_(2 * static_cast<size_t>(config.channels())),
      states_(2 * static_cast<size_t>(config.channels())),
      ports_(static_cast<size_t>(config.ports)),
      owners_(static_cast<size_t>(config.ports)),
      read_standing_(static_cast<size_t>(config.reads)),
      write_standing_(static_cast<size_t>(config.writes)) {
  for (State& state : states_) state.idle = true;
  for (int k = 0; k < config.channels(); ++k) {
    views_.emplace_back(this, k);
    views_.back().out.rd_idle = views_.back().out.wr_idle = true;
  }
}

void Fabric::Project() {
  if (config_.one_id) return;
  for (int k = 0; k < config_.channels(); ++k) {
    DutInputs& in = channel(k).in;
    DutOutputs& out = channel(k).out;
    if (k < config_.reads) {
      const int p = read_port(k);
      const int id = k - p * (config_.reads / config_.ports);
      const DutInputs& pi = port(p).in;
      const DutOutputs& po = port(p).out;
      out.arvalid = po.arvalid && po.arid == id;
      out.araddr = po.araddr;
      out.arlen = po.arlen;
      out.arsize = po.arsize;
      out.arburst = po.arburst;
      in.arready = pi.arready;
      in.rvalid = pi.rvalid && pi.rid == id;
      in.rdata = pi.rdata;
      in.rresp = pi.rresp;
      in.rlast = pi.rlast;
      out.rready = po.rready;
    }
    if (k < config_.writes) {
      const int p = write_port(k);
      const int id = k - p * (config_.writes / config_.ports);
      const DutInputs& pi = port(p).in;
      const DutOutputs& po = port(p).out;
      const Owners& owners = owners_[static_cast<size_t>(p)];
      const int owner = owners.ids.empty() ? (po.awvalid ? po.awid : 0) : owners.ids.front();
      out.awvalid = po.awvalid && po.awid == id;
      out.awaddr = po.awaddr;
      out.awlen = po.awlen;
      out.awsize = po.awsize;
      out.awburst = po.awburst;
      in.awready = pi.awready;
      out.wvalid = po.wvalid && owner == id;
      out.wdata = po.wdata;
      out.wstrb = po.wstrb;
      out.wlast = po.wlast;
      in.wready = pi.wready;
      in.bvalid = pi.bvalid && pi.bid == id;
      in.bresp = pi.bresp;
      out.bready = po.bready;
    }
  }
}

void Fabric::FollowWrites() {
  for (int p = 0; p < config_.ports; ++p) {
    Owners& owners = owners_[static_cast<size_t>(p)];
    const DutInputs& in = port(p).in;
    const DutOutputs& out = port(p).out;
    if (!aresetn) {
      owners = {};
      continue;
    }
    if (out.awvalid && !owners.shown) owners.ids.push_back(out.awid);
    owners.shown = out.awvalid && !in.awready;
    if (out.wvalid && in.wready && out.wlast && !owners.ids.empty()) owners.ids.pop_front();
  }
}

}  // namespace tessera
