// What surrounds a tessera_dma.
#include "tb/dma/dma_bench.h"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "tb/monitor/axis_monitor.h"

namespace tessera {

struct DmaBench::Stream {
  Stream(Dma::Streams* pins, const DmaConfig& config, const DmaBenchOptions& options,
         const Rng& rng, ViolationList* violations, int k)
      : source(&pins->s_axis, config.channel.stream_bytes, options.source, rng.Stream("source")),
        sink(&pins->m_axis, config.channel.stream_bytes, options.sink, rng.Stream("sink")),
        master(&pins->m_axis,
               {fmt::format("m_axis[{}]", k), config.channel.stream_bytes,
                AxisMonitorOptions::Keep::kAllowPartial, AxisMonitorOptions::Null::kWithLast},
               violations),
        slave(&pins->s_axis,
              {fmt::format("s_axis[{}]", k), config.channel.stream_bytes,
               AxisMonitorOptions::Keep::kAny, AxisMonitorOptions::Null::kAny},
              violations) {}
  StreamSource source;
  StreamSink sink;
  AxisMonitor master, slave;
};

DmaBench::DmaBench(std::unique_ptr<Dma> dma, const DmaBenchOptions& options)
    : RegisterBench(dma.get(), &dma->registers(),
                    {"tessera_dma " + dma->config().channel.name, options.seed, options.registers,
                     options.timeout}),
      dma_(std::move(dma)),
      memory_(rng().Stream("memory contents").seed()),
      control_(&dma_->control, options.control, rng().Stream("control")),
      responses_(&dma_->response, "m_axis_response", options.responses, rng().Stream("responses"),
                 violation_list()),
      tokens_(&dma_->token, "m_axis_token", options.tokens, rng().Stream("tokens"),
              violation_list()) {
  AxiMonitorOptions limits = AxiMonitorOptions::For(config().channel);
  limits.read_ids = config().reads / config().ports;
  limits.write_ids = config().writes / config().ports;
  for (int p = 0; p < config().ports; ++p) {
    ports_.push_back(std::make_unique<MemoryPort>(&dma_->port(p), options.memory, &memory_,
                                                  rng().Stream("port", static_cast<uint64_t>(p)),
                                                  limits, violation_list()));
  }
  AxiMonitorOptions list;
  list.data_bytes = config().list_bytes;
  list.addr_width = config().channel.addr_width;
  ports_.push_back(std::make_unique<MemoryPort>(&dma_->list_port(), options.memory, &memory_,
                                                rng().Stream("list port"), list, violation_list()));
  for (auto& port : ports_) AddPort(port.get());
  for (Component* part : std::initializer_list<Component*>{&control_, &responses_, &tokens_}) {
    Add(part);
  }
  for (int k = 0; k < config().streams(); ++k) {
    streams_.push_back(std::make_unique<Stream>(&dma_->streams(k), config(), options,
                                                rng().Stream("stream", static_cast<uint64_t>(k)),
                                                violation_list(), k));
    Stream& added = *streams_.back();
    for (Component* part : std::initializer_list<Component*>{&added.source, &added.sink,
                                                             &added.master, &added.slave}) {
      Add(part);
    }
  }
  Reset();
}

DmaBench::~DmaBench() = default;

AxiPort& DmaBench::PinsOf(size_t port) {
  return port + 1 == ports_.size() ? dma_->list_port() : dma_->port(static_cast<int>(port));
}
const std::vector<ErrorEvent>& DmaBench::errors(int port) const {
  return ports_.at(static_cast<size_t>(port))->memory.errors();
}
StreamSource& DmaBench::source(int k) { return streams_.at(static_cast<size_t>(k))->source; }
StreamSink& DmaBench::sink(int k) { return streams_.at(static_cast<size_t>(k))->sink; }

void DmaBench::Look() {
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& pins = PinsOf(p);
    if ((pins.ar.valid || pins.aw.valid) && first_address_ == kNever) first_address_ = cycle();
  }
}

std::string DmaBench::Dump() {
  std::string text;
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& pins = PinsOf(p);
    text += fmt::format("port {}: AR {}/{}, R {}/{}, AW {}/{}, W {}/{}, B {}/{}; {}\n", p,
                        pins.ar.valid, pins.ar.ready, pins.r.valid, pins.r.ready, pins.aw.valid,
                        pins.aw.ready, pins.w.valid, pins.w.ready, pins.b.valid, pins.b.ready,
                        ports_[p]->memory.Describe());
  }
  for (size_t k = 0; k < streams_.size(); ++k) {
    const Dma::Streams& pins = dma_->streams(static_cast<int>(k));
    text += fmt::format("stream {}: m_axis {}/{}, s_axis {}/{}\n", k, pins.m_axis.valid,
                        pins.m_axis.ready, pins.s_axis.valid, pins.s_axis.ready);
  }
  return text;
}

}  // namespace tessera
