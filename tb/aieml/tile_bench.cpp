// What surrounds a tessera_aieml.
#include "tb/aieml/tile_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace tessera::aieml {
namespace {

// Streams of one word carry full beats alone. A reset closes a packet of wider ones with a null
// beat.
AxisMonitorOptions Sent(const TileConfig& config, int k) {
  using Keep = AxisMonitorOptions::Keep;
  using Null = AxisMonitorOptions::Null;
  const bool word = config.stream_bytes == 4;
  return {fmt::format("m_axis[{}]", k), config.stream_bytes,
          word ? Keep::kFullUntilLast : Keep::kAllowPartial, word ? Null::kNone : Null::kWithLast};
}

}  // namespace

TileBench::TileBench(std::unique_ptr<TileRtl> tile, const TileBenchOptions& options)
    : RegisterBench(tile.get(), &tile->registers(), "tessera_aieml " + tile->config().name,
                    options),
      tile_(std::move(tile)),
      memory_(options.contents),
      control_(&tile_->control, options.control, rng().Stream("control")),
      responses_(&tile_->response, "m_axis_response", options.responses, rng().Stream("responses"),
                 violation_list()),
      tokens_(&tile_->token, "m_axis_token", options.tokens, rng().Stream("tokens"),
              violation_list()) {
  AxiMonitorOptions limits;
  limits.data_bytes = config().data_bytes;
  limits.addr_width = config().addr_width;
  limits.max_burst = config().max_burst;
  limits.outstanding = config().outstanding;
  limits.read_ids = limits.write_ids = 16;  // IdWidth: another one after each reset that gives up
  for (int p = 0; p < config().ports; ++p) {
    ports_.push_back(std::make_unique<MemoryPort>(&tile_->port(p), options.memory, &memory_,
                                                  rng().Stream("port", static_cast<uint64_t>(p)),
                                                  limits, violation_list()));
    Add(ports_.back().get());
  }
  for (Component* part : std::initializer_list<Component*>{&control_, &responses_, &tokens_}) {
    Add(part);
  }
  for (int k = 0; k < config().channels(); ++k) {
    TileRtl::Streams& pins = tile_->streams(k);
    streams_.push_back(std::make_unique<StreamEnds>(
        &pins.m_axis, &pins.s_axis, Sent(config(), k), options, k,
        rng().Stream("stream", static_cast<uint64_t>(k)), violation_list()));
    AddStream(streams_.back().get());
  }
  Reset();
}

StreamSource& TileBench::source(int k) { return streams_.at(static_cast<size_t>(k))->source; }
StreamSink& TileBench::sink(int k) { return streams_.at(static_cast<size_t>(k))->sink; }

bool TileBench::Quiet() {
  bool quiet = tile_->active == 0 && !tile_->token.valid;
  for (auto& port : ports_) quiet = quiet && port->memory.Idle();
  for (int k = 0; k < config().channels(); ++k) quiet = quiet && !tile_->streams(k).m_axis.valid;
  return quiet;
}

void TileBench::Look() {
  for (int p = 0; p < config().ports; ++p) {
    const AxiPort& pins = tile_->port(p);
    if ((pins.ar.valid || pins.aw.valid) && first_address_ == kNever) first_address_ = cycle();
    if (pins.ar.moves()) last_read_ = pins.ar.payload;
    if (pins.aw.moves()) last_write_ = pins.aw.payload;
    bursts_ += (pins.ar.moves() ? 1 : 0) + (pins.aw.moves() ? 1 : 0);
    if (!pins.w.moves()) continue;
    for (int lane = 0; lane < config().data_bytes; lane += 4) {
      const uint64_t strobe = pins.w->strb.word[static_cast<size_t>(lane / 64)] >> lane % 64 & 15;
      if (strobe != 0 && strobe != 15) Fail("a part of a word is written");
    }
  }
}

std::string TileBench::Dump() {
  std::string text = fmt::format("active {:#x}\n", tile_->active);
  for (int p = 0; p < config().ports; ++p) {
    text += fmt::format("port {}: {}; {}\n", p, Text(tile_->port(p)),
                        ports_[static_cast<size_t>(p)]->memory.Describe());
  }
  for (int k = 0; k < config().channels(); ++k) {
    const TileRtl::Streams& pins = tile_->streams(k);
    text += fmt::format("stream {}: {}\n", k, Text(pins.m_axis, pins.s_axis));
  }
  return text;
}

}  // namespace tessera::aieml
