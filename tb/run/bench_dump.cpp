// The state of a bench in words: who waits for whom.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "tb/run/bench.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

struct Handshake {
  const char* name;
  const char* from;  // drives valid
  const char* to;    // drives ready
  bool valid;
  bool ready;
  ChannelName channel;
};

std::string When(uint64_t cycle) {
  return cycle == kNever ? std::string("never moved")
                         : fmt::format("last moved in cycle {}", cycle);
}

std::string Job(const char* name, const JobFeeder& feeder) {
  for (size_t i = 0; i < feeder.jobs().size(); ++i) {
    const JobResult& job = feeder.jobs()[i];
    if (job.state != JobResult::State::kRunning) continue;
    const DescriptorWords& w = job.transfer.base;
    return fmt::format(
        "  oldest running {} job {}: base {:#x}, element {}, counts {} {} {} {}, {}, "
        "accepted "
        "in cycle {}\n",
        name, i, w[0] | uint64_t{w[1]} << 32, Counted(uint64_t{1} << (w[15] & 7), "byte"), w[2],
        w[3], w[4], w[5], (w[15] >> 3 & 1) != 0 ? fmt::format("length {}", w[10]) : "no length",
        job.accepted);
  }
  return {};
}

}  // namespace

std::string EngineBench::Dump() const {
  const PairPorts& pins = *dut_;
  const auto row = [](const char* name, const char* from, const char* to, const auto& channel,
                      ChannelName id) {
    return Handshake{name, from, to, channel.valid, channel.ready, id};
  };
  using Name = ChannelName;
  const Handshake rows[] = {
      row("read transfer", "bench", "read engine", pins.read.transfer, Name::kReadTransfer),
      row("read record", "read engine", "bench", pins.read.done, Name::kReadDone),
      row("write transfer", "bench", "write engine", pins.write.transfer, Name::kWriteTransfer),
      row("write record", "write engine", "bench", pins.write.done, Name::kWriteDone),
      row("AR", "read engine", "memory", pins.axi.ar, Name::kAr),
      row("R", "memory", "read engine", pins.axi.r, Name::kR),
      row("AW", "write engine", "memory", pins.axi.aw, Name::kAw),
      row("W", "write engine", "memory", pins.axi.w, Name::kW),
      row("B", "memory", "write engine", pins.axi.b, Name::kB),
      row("m_axis", "read engine", "sink", pins.m_axis, Name::kMaster),
      row("s_axis", "source", "write engine", pins.s_axis, Name::kSlave),
  };
  std::string text;
  auto to = std::back_inserter(text);
  fmt::format_to(to, "  pins of cycle {}\n", cycle());
  for (const Handshake& h : rows) {
    const char* state = h.valid ? (h.ready ? "moves" : "waits") : "idle";
    fmt::format_to(to, "  {:<14} valid {:d} ready {:d}  {:<5}  moved {}, {}", h.name, h.valid,
                   h.ready, state, Counted(handshakes(h.channel), "time"),
                   When(last_handshake(h.channel)));
    if (h.valid && !h.ready) fmt::format_to(to, ": {} waits for {}", h.from, h.to);
    fmt::format_to(to, "\n");
  }
  if (pins.axi.ar.valid)
    fmt::format_to(to, "  AR address {:#x} len {}\n", pins.axi.ar->addr, pins.axi.ar->len);
  if (pins.axi.aw.valid)
    fmt::format_to(to, "  AW address {:#x} len {}\n", pins.axi.aw->addr, pins.axi.aw->len);
  fmt::format_to(to, "  read engine {}, abort {:d}; write engine {}, abort {:d}\n",
                 pins.read.idle ? "idle" : "busy", pins.read.abort,
                 pins.write.idle ? "idle" : "busy", pins.write.abort);
  fmt::format_to(to, "  {}\n  {}\n  {}\n  {}\n  {}\n", pair_.read.Describe(),
                 pair_.write.Describe(), axi_memory_.Describe(), source().Describe(),
                 sink().Describe());
  text += Job("read", pair_.read);
  text += Job("write", pair_.write);
  return text;
}

}  // namespace tessera
