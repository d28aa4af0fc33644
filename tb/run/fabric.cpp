// Whose traffic is whose on a shared port.
#include "tb/sim/fabric.h"

namespace tessera {
namespace {

// A channel as it shows to the owner of ID `id`; what is another's is not valid.
template <typename T>
void Project(const Channel<T>& port, bool own, Channel<T>* view) {
  view->valid = port.valid && own;
  view->ready = port.ready;
  if (view->valid) view->payload = port.payload;
}

}  // namespace

Fabric::Fabric(const FabricConfig& config)
    : config_(config),
      controls_(2 * static_cast<size_t>(config.channels())),
      states_(2 * static_cast<size_t>(config.channels())),
      channels_(static_cast<size_t>(config.channels())),
      ports_(static_cast<size_t>(config.ports)),
      owners_(static_cast<size_t>(config.ports)),
      read_standing_(static_cast<size_t>(config.reads)),
      write_standing_(static_cast<size_t>(config.writes)) {
  for (State& state : states_) state.idle = true;
  for (PairPorts& channel : channels_) channel.read.idle = channel.write.idle = true;
}

void Fabric::ProjectPorts() {
  if (config_.one_id) return;
  for (int k = 0; k < config_.channels(); ++k) {
    AxiPort& view = channel(k).axi;
    if (k < config_.reads) {
      const int p = read_port(k), id = k - p * (config_.reads / config_.ports);
      const AxiPort& bus = port(p);
      Project(bus.ar, bus.ar->id == id, &view.ar);
      Project(bus.r, bus.r->id == id, &view.r);
      view.ar->id = view.r->id = 0;
    }
    if (k < config_.writes) {
      const int p = write_port(k), id = k - p * (config_.writes / config_.ports);
      const AxiPort& bus = port(p);
      const Owners& owners = owners_[static_cast<size_t>(p)];
      const int owner = owners.ids.empty() ? (bus.aw.valid ? bus.aw->id : 0) : owners.ids.front();
      Project(bus.aw, bus.aw->id == id, &view.aw);
      Project(bus.w, owner == id, &view.w);
      Project(bus.b, bus.b->id == id, &view.b);
      view.aw->id = view.b->id = 0;
    }
  }
}

void Fabric::FollowWrites() {
  for (int p = 0; p < config_.ports; ++p) {
    Owners& owners = owners_[static_cast<size_t>(p)];
    const AxiPort& bus = port(p);
    if (!aresetn) {
      owners = {};
      continue;
    }
    if (bus.aw.valid && !owners.shown) owners.ids.push_back(bus.aw->id);
    owners.shown = bus.aw.waits();
    if (bus.w.moves() && bus.w->last && !owners.ids.empty()) owners.ids.pop_front();
  }
}

}  // namespace tessera
