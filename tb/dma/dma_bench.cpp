// What surrounds a tessera_dma.
#include "tb/dma/dma_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <utility>

#include "tb/dma/native.h"

namespace tessera {
namespace {

AxiMonitorOptions ProcessorLimits(const DmaConfig& config) {
  AxiMonitorOptions limits;
  limits.data_bytes = config.channel.data_bytes;
  limits.outstanding = 1 << 16;
  limits.read_ids = limits.write_ids = 1 << 16;
  limits.plain = false;
  return limits;
}

}  // namespace

DmaBench::DmaBench(std::unique_ptr<Dma> dma, const DmaBenchOptions& options)
    : RegisterBench(dma.get(), &dma->registers(), "tessera_dma " + dma->config().channel.name,
                    options),
      dma_(std::move(dma)),
      memory_(rng().Stream("memory contents").seed()),
      processor_(&dma_->onchip_port(), options.processor, rng().Stream("processor")),
      processor_monitor_(&dma_->onchip_port(), ProcessorLimits(config()), violation_list()),
      control_(&dma_->control, options.control, rng().Stream("control")),
      responses_(&dma_->response, "m_axis_response", options.responses, rng().Stream("responses"),
                 violation_list()),
      tokens_(&dma_->token, "m_axis_token", options.tokens, rng().Stream("tokens"),
              violation_list()),
      tasks_(static_cast<size_t>(config().channels())) {
  AxiMonitorOptions limits = AxiMonitorOptions::For(config().channel);
  limits.read_ids = limits.write_ids = 16;  // IdWidth: another one after each reset that gives up
  for (int p = 0; p < config().ports; ++p) {
    const auto faults = p == 0 ? options.faults : std::vector<AxiFault>();
    // Behind an answer that is made up the memory has a burst more than its master knows of.
    AxiMonitorOptions most = limits;
    for (const AxiFault& fault : faults) most.outstanding += fault.made_up();
    ports_.push_back(std::make_unique<MemoryPort>(&dma_->port(p), options.memory, &memory_,
                                                  rng().Stream("port", static_cast<uint64_t>(p)),
                                                  most, violation_list(), faults));
  }
  AxiMonitorOptions list;
  list.data_bytes = config().list_bytes();
  list.addr_width = config().channel.addr_width;
  list.read_ids = list.write_ids = limits.read_ids;
  ports_.push_back(std::make_unique<MemoryPort>(&dma_->list_port(), options.memory, &memory_,
                                                rng().Stream("list port"), list, violation_list(),
                                                options.list_faults));
  for (auto& port : ports_) Add(port.get());
  if (config().onchip_bytes() > 0) {
    Add(&processor_);
    Add(&processor_monitor_);
  }
  for (Component* part : std::initializer_list<Component*>{&control_, &responses_, &tokens_}) {
    Add(part);
  }
  for (int k = 0; k < config().streams(); ++k) {
    Dma::Streams& pins = dma_->streams(k);
    const AxisMonitorOptions sent{fmt::format("m_axis[{}]", k), config().channel.stream_bytes,
                                  AxisMonitorOptions::Keep::kAllowPartial,
                                  AxisMonitorOptions::Null::kWithLast};
    streams_.push_back(std::make_unique<StreamEnds>(
        &pins.m_axis, &pins.s_axis, sent, options, k,
        rng().Stream("stream", static_cast<uint64_t>(k)), violation_list()));
    AddStream(streams_.back().get());
  }
  Reset();
}

AxiPort& DmaBench::PinsOf(size_t port) {
  return port + 1 == ports_.size() ? dma_->list_port() : dma_->port(static_cast<int>(port));
}
const std::vector<ErrorEvent>& DmaBench::errors(int port) const {
  return ports_.at(static_cast<size_t>(port))->memory.errors();
}
StreamSource& DmaBench::source(int k) { return streams_.at(static_cast<size_t>(k))->source; }
StreamSink& DmaBench::sink(int k) { return streams_.at(static_cast<size_t>(k))->sink; }

// Bursts of whole words, none across 4 KiB.
std::vector<AxiAddress> DmaBench::OnChipBursts(uint64_t address, size_t count) const {
  const auto lanes = static_cast<size_t>(config().channel.data_bytes);
  std::vector<AxiAddress> bursts;
  AxiAddress burst;
  burst.addr = address - config().onchip_first();
  burst.size = static_cast<uint8_t>(std::countr_zero(lanes));
  burst.burst = 1;
  const uint64_t end = burst.addr + count;
  for (; burst.addr < end; burst.addr += burst.beats() * lanes) {
    const size_t left = std::min<size_t>(end - burst.addr, 4096 - burst.addr % 4096);
    burst.len = static_cast<uint8_t>(std::min<size_t>((left + lanes - 1) / lanes, 16) - 1);
    bursts.push_back(burst);
  }
  return bursts;
}

void DmaBench::AwaitProcessor() {
  if (!Until([this] { return processor_.Idle(); }, 1'000'000))
    Fail("the on-chip buffer does not answer");
}

void DmaBench::LoadOnChip(uint64_t address, std::span<const uint8_t> bytes) {
  const auto lanes = static_cast<size_t>(config().channel.data_bytes);
  size_t done = 0;
  for (const AxiAddress& burst : OnChipBursts(address, bytes.size())) {
    std::vector<AxiWriteBeat> beats(burst.beats());
    for (AxiWriteBeat& beat : beats) {
      for (size_t n = 0; n < lanes && done < bytes.size(); ++n, ++done) {
        beat.data[n] = bytes[done];
        beat.strb.Set(static_cast<int>(n));
      }
    }
    processor_.Write(burst, std::move(beats));
  }
  AwaitProcessor();
  while (const auto answer = processor_.TakeWritten()) {
    if (!answer->okay()) Fail("the on-chip buffer refuses a write");
  }
}

std::vector<uint8_t> DmaBench::ReadOnChip(uint64_t address, size_t count) {
  for (const AxiAddress& burst : OnChipBursts(address, count)) processor_.Read(burst);
  AwaitProcessor();
  std::vector<uint8_t> bytes;
  while (const auto answer = processor_.TakeRead()) {
    if (!answer->okay()) Fail("the on-chip buffer refuses a read");
    for (const BusData& data : answer->data)
      bytes.insert(bytes.end(), data.begin(), data.begin() + config().channel.data_bytes);
  }
  bytes.resize(count);
  return bytes;
}

void DmaBench::FillOnChip() {
  const auto size = static_cast<size_t>(config().onchip_bytes());
  if (size > 0)
    LoadOnChip(config().onchip_first(), memory_.ReadBytes(config().onchip_first(), size));
}

void DmaBench::GatherOnChip(const model::MemoryImage& expected) {
  const uint64_t first = config().onchip_first(), size = config().onchip_bytes();
  if (size == 0) return;
  const std::vector<uint8_t> is = ReadOnChip(first, static_cast<size_t>(size));
  std::vector<bool> written(is.size());
  expected.ForEachWritten([&](uint64_t address, uint8_t) {
    if (address - first < size) written[address - first] = true;
  });
  for (size_t n = 0; n < is.size(); n += 8) {
    LaneMask strobe;
    for (size_t k = 0; k < 8; ++k) {
      if (written[n + k] || is[n + k] != memory_.ReadByte(first + n + k))
        strobe.Set(static_cast<int>(k));
    }
    memory_.WriteWord(first + n, &is[n], 8, strobe);
  }
}

std::vector<AxiTamper::Hit> DmaBench::hits() const {
  const AxiTamper* tamper = ports_.front()->tamper.get();
  return tamper == nullptr ? std::vector<AxiTamper::Hit>() : tamper->hits();
}

void DmaBench::Disarm() {
  if (ports_.front()->tamper) ports_.front()->tamper->Disarm();
}

void DmaBench::Misuse(int k, std::function<void(StreamPort*)> change) {
  streams_.at(static_cast<size_t>(k))->slave.Excuse();
  misuse_ = [pins = &dma_->streams(k).s_axis, change = std::move(change)] { change(pins); };
}
void DmaBench::MayTakeBack(int k) { streams_.at(static_cast<size_t>(k))->master.Excuse(); }
void DmaBench::AfterDrive() {
  if (misuse_) misuse_();
}

void DmaBench::Look() {
  bool moves = dma_->control.moves() || dma_->response.moves() || dma_->token.moves();
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& pins = PinsOf(p);
    if ((pins.ar.valid || pins.aw.valid) && first_address_ == kNever) first_address_ = cycle();
    moves = moves || pins.ar.moves() || pins.r.moves() || pins.aw.moves() || pins.w.moves() ||
            pins.b.moves();
  }
  for (int k = 0; k < config().streams(); ++k) {
    const Dma::Streams& pins = dma_->streams(k);
    moves = moves || pins.m_axis.moves() || pins.s_axis.moves();
  }
  if (moves) moved_at_ = cycle();
  packets_ = packets_ || dma_->control.valid;
}

bool DmaBench::StandsStill(uint64_t record, uint64_t cycles) const {
  return cycle() - std::max(record, moved_at_) > cycles || cycle() - record > 100 * cycles;
}

void DmaBench::Written(uint32_t address, uint32_t value) {
  for (int c = 0; c < config().channels(); ++c) {
    if (address != native::ChannelOf(config(), c) + native::kTask) continue;
    std::vector<uint32_t>& tasks = tasks_[static_cast<size_t>(c)];
    tasks.push_back(value);
    if (tasks.size() > static_cast<size_t>(config().queue_depth)) tasks.erase(tasks.begin());
  }
}

std::optional<std::vector<uint32_t>> DmaBench::tasks(int channel) const {
  if (packets_ || config().start_writes() > 0) return std::nullopt;
  return tasks_.at(static_cast<size_t>(channel));
}

std::string DmaBench::Dump() {
  std::string text;
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& pins = PinsOf(p);
    text += fmt::format("port {}: {}; {}\n", p, Text(pins), ports_[p]->memory.Describe());
  }
  for (size_t k = 0; k < streams_.size(); ++k) {
    const Dma::Streams& pins = dma_->streams(static_cast<int>(k));
    text += fmt::format("stream {}: {}\n", k, Text(pins.m_axis, pins.s_axis));
  }
  return text;
}

}  // namespace tessera
