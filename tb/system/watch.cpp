// See watch.h.
#include "tb/system/watch.h"

#include <fmt/format.h>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"

namespace tessera {

PortWatch::PortWatch(const SystemCase& value, FabricBench* bench)
    : case_(value),
      bench_(bench),
      reads_(static_cast<size_t>(bench->fabric().config().reads)),
      writes_(static_cast<size_t>(bench->fabric().config().writes)),
      ar_shown_(static_cast<size_t>(bench->fabric().config().ports)),
      aw_shown_(ar_shown_) {
  const FabricConfig& config = bench->fabric().config();
  const model::Build build = BuildOf(config.channel);
  const auto word = static_cast<uint64_t>(config.channel.data_bytes);
  for (size_t k = 0; k < value.channels.size(); ++k) {
    const ChannelPlan& plan = value.channels[k];
    if (k < reads_.size()) {
      for (const model::Transfer& t : plan.reads) AddWords(t, build, word, &reads_[k].words);
      AddWords(plan.last_read, build, word, &reads_[k].words);
    }
    if (k < writes_.size()) {
      for (const model::Transfer& t : plan.writes) AddWords(t, build, word, &writes_[k].words);
      AddWords(plan.last_write, build, word, &writes_[k].words);
    }
  }
  for (const Fabric::Window& window : value.windows) {
    const size_t n = window.channel;
    (n < reads_.size() ? reads_[n] : writes_[n - reads_.size()]).windows.push_back(window);
  }
}

void PortWatch::Sample(const Tick& tick) {
  if (!failure_.empty()) return;
  Fabric& fabric = bench_->fabric();
  for (int p = 0; p < fabric.config().ports; ++p) {
    const auto at = static_cast<size_t>(p);
    const AxiPort& port = fabric.port(p);
    if (tick.reset) {
      ar_shown_[at] = aw_shown_[at] = false;
      continue;
    }
    if (fabric.quiet && fabric.quiesce && (port.ar.valid || port.aw.valid || port.w.valid)) {
      failure_ = fmt::format("port {} moves in cycle {}, and is said to be quiet", p, tick.cycle);
    }
    if (port.ar.valid) {
      Address(tick.cycle, p, Direction::kRead, port.ar.payload, !ar_shown_[at]);
    }
    if (port.aw.valid) {
      Address(tick.cycle, p, Direction::kWrite, port.aw.payload, !aw_shown_[at]);
    }
    ar_shown_[at] = port.ar.waits();
    aw_shown_[at] = port.aw.waits();
  }
  if (fabric.config().one_id) return;
  for (int k = 0; k < fabric.config().channels(); ++k) {
    for (const Direction d : {Direction::kRead, Direction::kWrite}) {
      const AxiPort& bus = fabric.channel(k).axi;
      const bool asks = d == Direction::kRead ? bus.ar.valid : bus.aw.valid;
      if (asks && fabric.state(k, d).paused) {
        failure_ =
            fmt::format("channel {} asks in cycle {}, and is said to be paused", k, tick.cycle);
      }
      if (!fabric.state(k, d).faulted &&
          static_cast<size_t>(k) < (d == Direction::kRead ? reads_ : writes_).size()) {
        side(k, d).late = 0;
      }
    }
  }
}

// Why a channel cannot have asked for this, if it cannot.
bool PortWatch::Owns(int k, Direction direction, uint64_t addr, int beats,
                     const Fabric::Standing& shown, std::string* why) {
  const Side& owner = side(k, direction);
  const auto bytes = static_cast<uint64_t>(bench_->fabric().config().channel.data_bytes);
  const bool write = direction == Direction::kWrite;
  for (int n = 0; n < beats; ++n) {
    if (owner.words.contains(addr / bytes + static_cast<uint64_t>(n))) continue;
    *why = fmt::format("its transfers do not touch word {:#x}",
                       addr + static_cast<uint64_t>(n) * bytes);
    return false;
  }
  const uint64_t last = addr + static_cast<uint64_t>(beats) * bytes - 1;
  if (bench_->fabric().config().windows > 0 && !Permits(owner.windows, write, addr, last)) {
    *why = "none of its windows permits that";
    return false;
  }
  const ChannelPlan& plan = case_.channels[static_cast<size_t>(k)];
  Fabric::Standing own = write ? plan.write_standing : plan.read_standing;
  own.weight = 0;
  if (shown == own) return true;
  *why = fmt::format("its attributes are qos {} cache {} prot {} user {}", own.qos, own.cache,
                     own.prot, own.user);
  return false;
}

void PortWatch::Address(uint64_t cycle, int port, Direction direction, const AxiAddress& address,
                        bool fresh) {
  const uint64_t addr = address.addr;
  const int beats = static_cast<int>(address.beats()), id = address.id;
  const Fabric::Standing shown = Fabric::Shown(address);
  const FabricConfig& config = bench_->fabric().config();
  const bool read = direction == Direction::kRead;
  const int group = (read ? config.reads : config.writes) / config.ports;
  const int first = port * group;
  const auto tell = [&](const std::string& who, const std::string& why) {
    failure_ = fmt::format(
        "cycle {}: {} on port {} of {} from {:#x}, qos {} cache {} prot {} user {}: {}: {}", cycle,
        read ? "AR" : "AW", port, Counted(beats, "beat"), addr, shown.qos, shown.cache, shown.prot,
        shown.user, who, why);
  };
  addresses_ += fresh;
  std::string why;
  if (config.one_id) {
    for (int k = first; k < first + group; ++k) {
      if (Owns(k, direction, addr, beats, shown, &why)) return;
    }
    tell("no channel can have asked", "of the last, " + why);
    return;
  }
  if (id >= group) return tell(fmt::format("ID {}", id), "there is no such channel");
  const int k = first + id;
  if (!Owns(k, direction, addr, beats, shown, &why)) return tell(fmt::format("channel {}", k), why);
  const Fabric::State& state = bench_->fabric().state(k, direction);
  // What the share has already taken may still come out of it.
  constexpr int kOnTheWay = 3;
  const bool bus = state.faulted && state.cause <= rtl::Fault::kBusTime;
  if (fresh && bus && ++side(k, direction).late > kOnTheWay) {
    tell(fmt::format("channel {}", k), "it is at fault and goes on asking");
  }
}

}  // namespace tessera
