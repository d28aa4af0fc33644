// What surrounds a tessera_mover4d, the watch on its lists, and its host code.
#include "tb/mover4d/mover_bench.h"

#include <fmt/format.h>

#include <utility>

#include "tb/sim/counted.h"

namespace tessera {

struct MoverBench::Channel {
  Channel(Mover::Pins* pins, const MoverConfig& config, const MoverBenchOptions& options,
          Memory* memory, const Rng& rng, ViolationList* violations, int c)
      : port(&pins->axi, options.memory, memory, rng.Stream("port"),
             AxiMonitorOptions::For(config.channel), violations),
        stream(&pins->m_axis, &pins->s_axis,
               {fmt::format("m_axis[{}]", c), config.channel.stream_bytes,
                AxisMonitorOptions::Keep::kAllowPartial, AxisMonitorOptions::Null::kNone},
               options, c, rng, violations) {}
  MemoryPort port;
  StreamEnds stream;
};

MoverBench::MoverBench(std::unique_ptr<Mover> mover, const MoverBenchOptions& options)
    : RegisterBench(mover.get(), &mover->registers(),
                    "tessera_mover4d " + mover->config().channel.name, options),
      mover_(std::move(mover)),
      timeout_(options.timeout),
      memory_(rng().Stream("memory contents").seed()),
      allowed_(static_cast<size_t>(config().channels())) {
  AxiMonitorOptions limits;
  limits.data_bytes = 8;
  limits.addr_width = config().channel.addr_width;
  for (int c = 0; c < config().channels(); ++c) {
    const Rng own = rng().Stream("channel", static_cast<uint64_t>(c));
    lists_.push_back(std::make_unique<MemoryPort>(&mover_->list(c), options.lists, &memory_,
                                                  own.Stream("list"), limits, violation_list()));
    channels_.push_back(std::make_unique<Channel>(&mover_->channel(c), config(), options, &memory_,
                                                  own, violation_list(), c));
    Add(lists_.back().get());
    Add(&channels_.back()->port);
    AddStream(&channels_.back()->stream);
  }
  Reset();
}

MoverBench::~MoverBench() = default;

StreamSource& MoverBench::source(int i) {
  return channels_.at(static_cast<size_t>(config().check ? i : config().reads + i))->stream.source;
}
StreamSink& MoverBench::sink(int i) { return channels_.at(static_cast<size_t>(i))->stream.sink; }

void MoverBench::Look() {
  bool moves = false;
  for (int c = 0; c < config().channels(); ++c) {
    const Mover::Pins& pins = mover_->channel(c);
    WatchList(c);
    moves = moves || mover_->list(c).r.moves() || pins.axi.r.moves() || pins.axi.w.moves() ||
            pins.axi.b.moves() || pins.m_axis.moves() || pins.s_axis.moves();
  }
  if (moves) moved_ = cycle();
}

// ---- Lists --------------------------------------------------------------------------------------

void MoverBench::AllowList(int channel, uint64_t address, uint64_t bytes) {
  Allowed& allowed = allowed_[static_cast<size_t>(channel)];
  allowed = {.first = address, .bytes = bytes, .next = address, .words = allowed.words};
}

// The words of a list are read in order, each once in a run, and nothing behind them.
void MoverBench::WatchList(int c) {
  const auto& ar = mover_->list(c).ar;
  if (tick().reset || !ar.moves()) return;
  Allowed& allowed = allowed_[static_cast<size_t>(c)];
  const uint64_t addr = ar->addr;
  const uint64_t bytes = uint64_t{8} * ar->beats();
  if (addr == allowed.first) allowed.next = addr;  // of the next run
  if (addr != allowed.next || addr - allowed.first + bytes > allowed.bytes) {
    Fail(fmt::format(
        "channel {} reads {} of its list at {:#x}; the list has {} at {:#x}, and {:#x} is next", c,
        Counted(bytes, "byte"), addr, allowed.bytes, allowed.first, allowed.next));
  }
  allowed.next += bytes;
  allowed.words += bytes / 8;
}

// ---- Host code ----------------------------------------------------------------------------------

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
  moved_ = cycle();
  while ((Get(mover::kControl) & mover::kIdle) == 0) {
    if (cycle() - moved_ > timeout_) Fail("nothing moves, and the kernel is not idle");
  }
  for (int c = 0; c < config().channels(); ++c) {
    const auto n = static_cast<size_t>(c);
    if (!lists_[n]->memory.Idle() || !channels_[n]->port.memory.Idle())
      Fail(fmt::format("channel {} has a transaction in flight, and the kernel is idle", c));
  }
}

std::string MoverBench::Dump() {
  std::string text;
  for (int c = 0; c < config().channels(); ++c) {
    const Mover::Pins& pins = mover_->channel(c);
    text += fmt::format("channel {}: list {}; data {}; {}\n", c, Text(mover_->list(c)),
                        Text(pins.axi), Text(pins.m_axis, pins.s_axis));
  }
  return text;
}

}  // namespace tessera
