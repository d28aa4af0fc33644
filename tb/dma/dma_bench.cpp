// The cycle of a tessera_dma and its surroundings, and the register accesses of a processor.
#include "tb/dma/dma_bench.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

namespace tessera {

struct DmaBench::Port {
  Port(int bytes, const AxiMemoryOptions& options, Memory* memory, const Rng& rng,
       std::optional<AxiMonitorOptions> watched, ViolationList* violations)
      : memory(memory, bytes, options, rng) {
    if (watched) monitor.emplace(*watched, violations);
  }
  AxiMemory memory;
  std::optional<AxiMonitor> monitor;  // of what is in order
};

struct DmaBench::Stream {
  Stream(const DmaConfig& config, const DmaBenchOptions& options, const Rng& rng,
         ViolationList* violations, int k)
      : source(config.channel.stream_bytes, options.source, rng.Stream("source")),
        sink(config.channel.stream_bytes, options.sink, rng.Stream("sink")),
        master({fmt::format("m_axis[{}]", k), config.channel.stream_bytes,
                AxisMonitorOptions::Keep::kAllowPartial, AxisMonitorOptions::Null::kWithLast},
               violations) {}
  StreamSource source;
  StreamSink sink;
  AxisMonitor master;
  std::vector<rtl::Side> taken;
  DmaBench::SideOf side_of;
  uint64_t packet = 0, beat = 0;  // of the source
};

DmaBench::DmaBench(std::unique_ptr<Dma> dma, const DmaBenchOptions& options)
    : dma_(std::move(dma)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()),
      control_(rng_.Stream("control")),
      responses_("m_axis_response", rng_.Stream("responses")),
      tokens_("m_axis_token", rng_.Stream("tokens")) {
  const bool in_order = config().reads <= config().ports && config().writes <= config().ports;
  const Config& channel = config().channel;
  for (int p = 0; p < config().ports; ++p) {
    ports_.push_back(std::make_unique<Port>(
        channel.data_bytes, options.memory, &memory_, rng_.Stream("port", static_cast<uint64_t>(p)),
        in_order ? std::optional(AxiMonitorOptions::For(channel)) : std::nullopt, &violations_));
  }
  AxiMonitorOptions list{.data_bytes = config().list_bytes, .addr_width = channel.addr_width};
  ports_.push_back(std::make_unique<Port>(config().list_bytes, options.memory, &memory_,
                                          rng_.Stream("list port"), list, &violations_));
  for (int k = 0; k < config().streams(); ++k) {
    streams_.push_back(std::make_unique<Stream>(
        config(), options, rng_.Stream("stream", static_cast<uint64_t>(k)), &violations_, k));
  }
  Reset();
}

DmaBench::~DmaBench() = default;

Dma::Pins& DmaBench::PinsOf(size_t port) {
  return port + 1 == ports_.size() ? dma_->list_port() : dma_->port(static_cast<int>(port));
}
const std::vector<ErrorEvent>& DmaBench::errors(int port) const {
  return ports_.at(static_cast<size_t>(port))->memory.errors();
}
StreamSource& DmaBench::source(int k) { return streams_.at(static_cast<size_t>(k))->source; }
StreamSink& DmaBench::sink(int k) { return streams_.at(static_cast<size_t>(k))->sink; }
const std::vector<rtl::Side>& DmaBench::sides(int k) const {
  return streams_.at(static_cast<size_t>(k))->taken;
}
void DmaBench::SetSides(int k, SideOf side_of) {
  streams_.at(static_cast<size_t>(k))->side_of = std::move(side_of);
}

void DmaBench::Reset() {
  dma_->registers = {};
  reset_left_ = 3;
  while (reset_left_ > 0 || tick_.reset) Step();
}

void DmaBench::Step() {
  dma_->Settle();
  for (size_t p = 0; p < ports_.size(); ++p) {
    Dma::Pins& pins = PinsOf(p);
    ports_[p]->memory.Sample(tick_, pins.in, pins.out);
    if (ports_[p]->monitor) ports_[p]->monitor->Sample(tick_, pins.in, pins.out);
    const bool address = pins.out.arvalid || pins.out.awvalid;
    if (address && first_address_ == kNever) first_address_ = tick_.cycle;
  }
  for (size_t k = 0; k < streams_.size(); ++k) {
    Dma::Pins& pins = dma_->channel(static_cast<int>(k));
    streams_[k]->source.Sample(tick_, pins.in, pins.out);
    streams_[k]->sink.Sample(tick_, pins.in, pins.out);
    streams_[k]->master.SampleMaster(tick_, pins.in, pins.out);
    if (tick_.reset) continue;
    if (pins.out.m_tvalid && pins.in.m_tready) {
      streams_[k]->taken.push_back(dma_->sides(static_cast<int>(k)).out);
    }
    if (pins.in.s_tvalid && pins.out.s_tready) {
      streams_[k]->beat = pins.in.s_tlast ? 0 : streams_[k]->beat + 1;
      streams_[k]->packet += pins.in.s_tlast;
    }
  }
  control_.Sample(tick_, dma_->control);
  responses_.Sample(tick_, dma_->response);
  tokens_.Sample(tick_, dma_->token);
  if (watcher_) watcher_(tick_.cycle);
  Check();

  dma_->Edge();

  const Tick next{tick_.cycle + 1, reset_left_ > 0};
  if (reset_left_ > 0) --reset_left_;
  dma_->aresetn = !next.reset;
  for (size_t p = 0; p < ports_.size(); ++p) ports_[p]->memory.Drive(next, &PinsOf(p).in);
  for (size_t k = 0; k < streams_.size(); ++k) {
    DutInputs& in = dma_->channel(static_cast<int>(k)).in;
    streams_[k]->source.Drive(next, &in);
    streams_[k]->sink.Drive(next, &in);
    if (streams_[k]->side_of) {
      dma_->sides(static_cast<int>(k)).in =
          streams_[k]->side_of(streams_[k]->packet, streams_[k]->beat);
    }
  }
  control_.Drive(next, &dma_->control);
  responses_.Drive(next, &dma_->response);
  tokens_.Drive(next, &dma_->token);
  tick_ = next;
}

void DmaBench::Step(int cycles) {
  for (int n = 0; n < cycles; ++n) Step();
}

bool DmaBench::Until(const std::function<bool()>& what, uint64_t limit) {
  for (const uint64_t end = tick_.cycle + limit; tick_.cycle < end; Step()) {
    if (what()) return true;
  }
  return what();
}

void DmaBench::Check() {
  if (violations_.count() == 0) return;
  Fail(fmt::format("{}: {}", violations_.kept().front().rule, violations_.kept().front().message));
}

void DmaBench::Fail(const std::string& message) {
  throw std::runtime_error(fmt::format("tessera_dma {} seed {:#x} cycle {}: {}\n{}",
                                       config().channel.name, options_.seed, tick_.cycle, message,
                                       Dump()));
}

bool DmaBench::Write(uint32_t address, uint32_t value, uint8_t strobe) {
  RegisterPins& pins = dma_->registers;
  pins.awaddr = address;
  pins.wdata = value;
  pins.wstrb = strobe;
  pins.awvalid = pins.wvalid = pins.bready = true;
  for (const uint64_t end = tick_.cycle + options_.timeout; tick_.cycle < end;) {
    Step();  // what is looked at is what stood on the pins in that cycle
    const RegisterAnswer& answer = dma_->answer;
    if (answer.awready) pins.awvalid = false;
    if (answer.wready) {
      if (pins.wvalid) written_at_ = tick_.cycle - 1;
      pins.wvalid = false;
    }
    if (!answer.bvalid) continue;
    pins.bready = false;
    return answer.bresp == 0;
  }
  Fail(fmt::format("the write of {:#x} to register {:#x} is not answered", value, address));
}

bool DmaBench::Read(uint32_t address, uint32_t* value) {
  RegisterPins& pins = dma_->registers;
  pins.araddr = address;
  pins.arvalid = pins.rready = true;
  for (const uint64_t end = tick_.cycle + options_.timeout; tick_.cycle < end;) {
    Step();
    const RegisterAnswer& answer = dma_->answer;
    if (answer.arready) pins.arvalid = false;
    if (!answer.rvalid) continue;
    pins.rready = false;
    *value = answer.rdata;
    return answer.rresp == 0;
  }
  Fail(fmt::format("the read of register {:#x} is not answered", address));
}

uint32_t DmaBench::Get(uint32_t address) {
  uint32_t value = 0;
  if (!Read(address, &value)) Fail(fmt::format("the read of register {:#x} is refused", address));
  return value;
}

void DmaBench::Set(uint32_t address, uint32_t value) {
  if (!Write(address, value)) {
    Fail(fmt::format("the write of {:#x} to register {:#x} is refused", value, address));
  }
}

std::string DmaBench::Dump() {
  std::string text;
  for (size_t p = 0; p < ports_.size(); ++p) {
    const Dma::Pins& pins = PinsOf(p);
    text += fmt::format("port {}: AR {}/{}, R {}/{}, AW {}/{}, W {}/{}, B {}/{}; {}\n", p,
                        pins.out.arvalid, pins.in.arready, pins.in.rvalid, pins.out.rready,
                        pins.out.awvalid, pins.in.awready, pins.out.wvalid, pins.in.wready,
                        pins.in.bvalid, pins.out.bready, ports_[p]->memory.Describe());
  }
  for (size_t k = 0; k < streams_.size(); ++k) {
    const Dma::Pins& pins = dma_->channel(static_cast<int>(k));
    text += fmt::format("stream {}: m_axis {}/{}, s_axis {}/{}\n", k, pins.out.m_tvalid,
                        pins.in.m_tready, pins.in.s_tvalid, pins.out.s_tready);
  }
  return text;
}

}  // namespace tessera
