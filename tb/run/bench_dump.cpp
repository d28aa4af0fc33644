// The state of a bench in words: who waits for whom.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "tb/run/bench.h"

namespace tessera {
namespace {

struct Handshake {
  const char* name;
  const char* from;  // drives valid
  const char* to;    // drives ready
  bool valid;
  bool ready;
  Channel channel;
};

std::string When(uint64_t cycle) {
  return cycle == kNever ? std::string("never moved")
                         : fmt::format("last moved in cycle {}", cycle);
}

std::string Job(const char* name, const JobFeeder& feeder) {
  for (size_t i = 0; i < feeder.jobs().size(); ++i) {
    const JobResult& job = feeder.jobs()[i];
    if (job.state != JobResult::State::kRunning) continue;
    const EngineTransfer& t = job.transfer;
    return fmt::format(
        "  oldest running {} job {}: addr {:#x}, element {} bytes, counts {} {} {} {}, {}, "
        "accepted "
        "in cycle {}\n",
        name, i, t.addr, 1 << t.elem_log2, t.dim[0].count, t.dim[1].count, t.dim[2].count,
        t.dim[3].count, t.has_length ? fmt::format("length {}", t.length) : "no length",
        job.accepted);
  }
  return {};
}

}  // namespace

std::string EngineBench::Dump() const {
  const DutInputs& in = dut_->in;
  const DutOutputs& out = dut_->out;
  const Handshake rows[] = {
      {"read transfer", "bench", "read engine", in.rd_valid, out.rd_ready, Channel::kReadTransfer},
      {"read record", "read engine", "bench", out.rd_done_valid, in.rd_done_ready,
       Channel::kReadDone},
      {"write transfer", "bench", "write engine", in.wr_valid, out.wr_ready,
       Channel::kWriteTransfer},
      {"write record", "write engine", "bench", out.wr_done_valid, in.wr_done_ready,
       Channel::kWriteDone},
      {"AR", "read engine", "memory", out.arvalid, in.arready, Channel::kAr},
      {"R", "memory", "read engine", in.rvalid, out.rready, Channel::kR},
      {"AW", "write engine", "memory", out.awvalid, in.awready, Channel::kAw},
      {"W", "write engine", "memory", out.wvalid, in.wready, Channel::kW},
      {"B", "memory", "write engine", in.bvalid, out.bready, Channel::kB},
      {"m_axis", "read engine", "sink", out.m_tvalid, in.m_tready, Channel::kMaster},
      {"s_axis", "source", "write engine", in.s_tvalid, out.s_tready, Channel::kSlave},
  };
  std::string text;
  auto to = std::back_inserter(text);
  fmt::format_to(to, "  pins of cycle {}\n", tick_.cycle);
  for (const Handshake& h : rows) {
    const char* state = h.valid ? (h.ready ? "moves" : "waits") : "idle";
    fmt::format_to(to, "  {:<14} valid {:d} ready {:d}  {:<5}  moved {} times, {}", h.name, h.valid,
                   h.ready, state, handshakes(h.channel), When(last_handshake(h.channel)));
    if (h.valid && !h.ready) fmt::format_to(to, ": {} waits for {}", h.from, h.to);
    fmt::format_to(to, "\n");
  }
  if (out.arvalid) fmt::format_to(to, "  AR address {:#x} len {}\n", out.araddr, out.arlen);
  if (out.awvalid) fmt::format_to(to, "  AW address {:#x} len {}\n", out.awaddr, out.awlen);
  fmt::format_to(to, "  read engine {}, abort {:d}; write engine {}, abort {:d}, holds {} bytes\n",
                 out.rd_idle ? "idle" : "busy", in.rd_abort, out.wr_idle ? "idle" : "busy",
                 in.wr_abort, out.wr_held);
  fmt::format_to(to, "  {}\n  {}\n  {}\n  {}\n  {}\n", read_.Describe(), write_.Describe(),
                 axi_memory_.Describe(), source_.Describe(), sink_.Describe());
  text += Job("read", read_);
  text += Job("write", write_);
  return text;
}

}  // namespace tessera
