// The cycle of a tessera_mover4d and its surroundings, and the register accesses of host code.
#include "tb/mover/mover_bench.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace tessera {

struct MoverBench::Port {
  Port(int bytes, const AxiMemoryOptions& options, Memory* memory, const Rng& rng,
       const AxiMonitorOptions& limits, ViolationList* violations)
      : memory(memory, bytes, options, rng), monitor(limits, violations) {}
  AxiMemory memory;
  AxiMonitor monitor;
};

struct MoverBench::Channel {
  Channel(const MoverConfig& config, const MoverBenchOptions& options, Memory* memory,
          const Rng& rng, ViolationList* violations, int c)
      : port(config.channel.data_bytes, options.memory, memory, rng.Stream("port"),
             AxiMonitorOptions::For(config.channel), violations),
        source(config.channel.stream_bytes, options.source, rng.Stream("source")),
        sink(config.channel.stream_bytes, options.sink, rng.Stream("sink")),
        master({fmt::format("m_axis[{}]", c), config.channel.stream_bytes,
                AxisMonitorOptions::Keep::kAllowPartial, AxisMonitorOptions::Null::kNone},
               violations) {}
  Port port;
  StreamSource source;
  StreamSink sink;
  AxisMonitor master;
};

MoverBench::MoverBench(std::unique_ptr<Mover> mover, const MoverBenchOptions& options)
    : mover_(std::move(mover)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()),
      allowed_(static_cast<size_t>(config().channels())) {
  AxiMonitorOptions limits;
  limits.data_bytes = 8;
  limits.addr_width = config().channel.addr_width;
  for (int c = 0; c < config().channels(); ++c) {
    const Rng rng = rng_.Stream("channel", static_cast<uint64_t>(c));
    lists_.push_back(std::make_unique<Port>(8, options.lists, &memory_, rng.Stream("list"), limits,
                                            &violations_));
    channels_.push_back(
        std::make_unique<Channel>(config(), options, &memory_, rng, &violations_, c));
  }
  Reset();
}

MoverBench::~MoverBench() = default;

StreamSource& MoverBench::source(int i) {
  return channels_.at(static_cast<size_t>(config().check ? i : config().reads + i))->source;
}
StreamSink& MoverBench::sink(int i) { return channels_.at(static_cast<size_t>(i))->sink; }

void MoverBench::Reset() {
  mover_->registers = {};
  reset_left_ = 3;
  while (reset_left_ > 0 || tick_.reset) Step();
}

void MoverBench::Step() {
  mover_->Settle();
  bool moves = false;
  for (int c = 0; c < config().channels(); ++c) {
    Channel& channel = *channels_[static_cast<size_t>(c)];
    Port& list = *lists_[static_cast<size_t>(c)];
    Mover::Pins& at_list = mover_->list(c);
    Mover::Pins& pins = mover_->channel(c);
    WatchList(c);
    list.memory.Sample(tick_, at_list.in, at_list.out);
    list.monitor.Sample(tick_, at_list.in, at_list.out);
    channel.port.memory.Sample(tick_, pins.in, pins.out);
    channel.port.monitor.Sample(tick_, pins.in, pins.out);
    channel.source.Sample(tick_, pins.in, pins.out);
    channel.sink.Sample(tick_, pins.in, pins.out);
    channel.master.SampleMaster(tick_, pins.in, pins.out);
    moves = moves || (at_list.in.rvalid && at_list.out.rready) ||
            (pins.in.rvalid && pins.out.rready) || (pins.out.wvalid && pins.in.wready) ||
            (pins.in.bvalid && pins.out.bready) || (pins.out.m_tvalid && pins.in.m_tready) ||
            (pins.in.s_tvalid && pins.out.s_tready);
  }
  if (moves) moved_ = tick_.cycle;
  if (watcher_) watcher_(tick_.cycle);
  if (violations_.count() != 0) {
    Fail(
        fmt::format("{}: {}", violations_.kept().front().rule, violations_.kept().front().message));
  }

  mover_->Edge();

  const Tick next{tick_.cycle + 1, reset_left_ > 0};
  if (reset_left_ > 0) --reset_left_;
  mover_->aresetn = !next.reset;
  for (int c = 0; c < config().channels(); ++c) {
    Channel& channel = *channels_[static_cast<size_t>(c)];
    DutInputs& in = mover_->channel(c).in;
    lists_[static_cast<size_t>(c)]->memory.Drive(next, &mover_->list(c).in);
    channel.port.memory.Drive(next, &in);
    channel.source.Drive(next, &in);
    channel.sink.Drive(next, &in);
  }
  tick_ = next;
}

void MoverBench::Step(int cycles) {
  for (int n = 0; n < cycles; ++n) Step();
}

bool MoverBench::Until(const std::function<bool()>& what, uint64_t limit) {
  for (const uint64_t end = tick_.cycle + limit; tick_.cycle < end; Step()) {
    if (what()) return true;
  }
  return what();
}

// ---- Lists
// ---------------------------------------------------------------------------------------

void MoverBench::AllowList(int channel, uint64_t address, uint64_t bytes) {
  Allowed& allowed = allowed_[static_cast<size_t>(channel)];
  allowed = {.first = address, .bytes = bytes, .next = address, .words = allowed.words};
}

// The words of a list are read in order, each once in a run, and nothing behind them.
void MoverBench::WatchList(int c) {
  const Mover::Pins& pins = mover_->list(c);
  if (tick_.reset || !pins.out.arvalid || !pins.in.arready) return;
  Allowed& allowed = allowed_[static_cast<size_t>(c)];
  const uint64_t addr = pins.out.araddr;
  const uint64_t bytes = 8 * (uint64_t{pins.out.arlen} + 1);
  if (addr == allowed.first) allowed.next = addr;  // of the next run
  if (addr != allowed.next || addr - allowed.first + bytes > allowed.bytes) {
    Fail(
        fmt::format("channel {} reads {} bytes of its list at {:#x}; the list has {} at {:#x}, and "
                    "{:#x} is next",
                    c, bytes, addr, allowed.bytes, allowed.first, allowed.next));
  }
  allowed.next += bytes;
  allowed.words += bytes / 8;
}

// ---- Host code
// -----------------------------------------------------------------------------------

uint32_t MoverBench::ArgumentOf(int channel, int argument) const {
  return mover::kArguments + 12 * static_cast<uint32_t>(2 * channel + argument);
}

void MoverBench::SetList(int channel, uint64_t address) {
  Set64(ArgumentOf(channel, config().base_first ? 1 : 0), address);
}
void MoverBench::SetBase(int channel, uint64_t address) {
  Set64(ArgumentOf(channel, config().base_first ? 0 : 1), address);
}
void MoverBench::SetOptions(int channel, MoverLast last, bool patterns) {
  Set(mover::Channel(channel) + mover::kOptions,
      static_cast<uint32_t>(last) | (patterns ? 0x10U : 0U));
}

void MoverBench::Run() {
  Set(mover::kControl, mover::kStart);
  Wait();
}

void MoverBench::Wait() {
  moved_ = tick_.cycle;
  while ((Get(mover::kControl) & mover::kIdle) == 0) {
    if (tick_.cycle - moved_ > options_.timeout) Fail("nothing moves, and the kernel is not idle");
  }
}

bool MoverBench::Write(uint32_t address, uint32_t value, uint8_t strobe) {
  RegisterPins& pins = mover_->registers;
  pins.awaddr = address;
  pins.wdata = value;
  pins.wstrb = strobe;
  pins.awvalid = pins.wvalid = pins.bready = true;
  for (const uint64_t end = tick_.cycle + options_.timeout; tick_.cycle < end;) {
    Step();  // what is looked at is what stood on the pins in that cycle
    const RegisterAnswer& answer = mover_->answer;
    if (answer.awready) pins.awvalid = false;
    if (answer.wready) pins.wvalid = false;
    if (!answer.bvalid) continue;
    pins.bready = false;
    return answer.bresp == 0;
  }
  Fail(fmt::format("the write of {:#x} to register {:#x} is not answered", value, address));
}

bool MoverBench::Read(uint32_t address, uint32_t* value) {
  RegisterPins& pins = mover_->registers;
  pins.araddr = address;
  pins.arvalid = pins.rready = true;
  for (const uint64_t end = tick_.cycle + options_.timeout; tick_.cycle < end;) {
    Step();
    const RegisterAnswer& answer = mover_->answer;
    if (answer.arready) pins.arvalid = false;
    if (!answer.rvalid) continue;
    pins.rready = false;
    *value = answer.rdata;
    return answer.rresp == 0;
  }
  Fail(fmt::format("the read of register {:#x} is not answered", address));
}

uint32_t MoverBench::Get(uint32_t address) {
  uint32_t value = 0;
  if (!Read(address, &value)) Fail(fmt::format("the read of register {:#x} is refused", address));
  return value;
}
uint64_t MoverBench::Get64(uint32_t address) {
  const uint64_t low = Get(address);
  return low | uint64_t{Get(address + 4)} << 32;
}
void MoverBench::Set(uint32_t address, uint32_t value) {
  if (!Write(address, value)) {
    Fail(fmt::format("the write of {:#x} to register {:#x} is refused", value, address));
  }
}
void MoverBench::Set64(uint32_t address, uint64_t value) {
  Set(address, static_cast<uint32_t>(value));
  Set(address + 4, static_cast<uint32_t>(value >> 32));
}

void MoverBench::Fail(const std::string& message) {
  std::string text = fmt::format("tessera_mover4d {} seed {:#x} cycle {}: {}\n",
                                 config().channel.name, options_.seed, tick_.cycle, message);
  for (int c = 0; c < config().channels(); ++c) {
    const Mover::Pins& pins = mover_->channel(c);
    const Mover::Pins& at_list = mover_->list(c);
    text += fmt::format(
        "channel {}: list AR {}/{} R {}/{}; AR {}/{}, R {}/{}, AW {}/{}, W {}/{}, B {}/{}; m_axis "
        "{}/{}, s_axis {}/{}\n",
        c, at_list.out.arvalid, at_list.in.arready, at_list.in.rvalid, at_list.out.rready,
        pins.out.arvalid, pins.in.arready, pins.in.rvalid, pins.out.rready, pins.out.awvalid,
        pins.in.awready, pins.out.wvalid, pins.in.wready, pins.in.bvalid, pins.out.bready,
        pins.out.m_tvalid, pins.in.m_tready, pins.in.s_tvalid, pins.out.s_tready);
  }
  throw std::runtime_error(text);
}

}  // namespace tessera
