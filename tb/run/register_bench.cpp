// The register accesses of a processor, and what ends a run.
#include "tb/run/register_bench.h"

#include <fmt/format.h>

#include <initializer_list>
#include <stdexcept>

namespace tessera {
namespace {

constexpr uint64_t kResetCycles = 4;

}  // namespace

std::vector<uint32_t> RegisterPatterns() {
  std::vector<uint32_t> patterns = {0, 0xffffffff, 0, 0x5a5aa5a5, 0xa5a55a5a};
  for (int bit = 0; bit < 32; ++bit) patterns.push_back(1U << bit);
  patterns.push_back(0);
  return patterns;
}

RegisterBench::RegisterBench(Clocked* model, AxiLitePort* port, std::string name,
                             const RegisterBenchOptions& options)
    : CycleLoop(model, Rng(options.seed), true, kResetCycles),
      name_(std::move(name)),
      timeout_(options.timeout),
      rng_(options.seed),
      registers_(port, options.registers, rng_.Stream("registers")),
      register_monitor_(port, "s_axil", &violations_) {
  Add(&registers_);
  Add(&register_monitor_);
}

void RegisterBench::MemoryPort::Sample(const Tick& tick) {
  if (tamper) tamper->Forward();
  memory.Sample(tick);
  monitor.Sample(tick);
  if (tamper) tamper->Sample(tick);
}
void RegisterBench::MemoryPort::Drive(const Tick& next) {
  memory.Drive(next);
  if (tamper) tamper->Drive(next);
}

RegisterBench::StreamEnds::StreamEnds(StreamPort* m_axis, StreamPort* s_axis,
                                      const AxisMonitorOptions& sent,
                                      const RegisterBenchOptions& options, int k, const Rng& rng,
                                      ViolationList* violations)
    : source(s_axis, sent.bytes, options.source, rng.Stream("source")),
      sink(m_axis, sent.bytes, options.sink, rng.Stream("sink")),
      master(m_axis, sent, violations),
      slave(s_axis,
            {fmt::format("s_axis[{}]", k), sent.bytes, AxisMonitorOptions::Keep::kAny,
             AxisMonitorOptions::Null::kAny},
            violations) {}

void RegisterBench::AddStream(StreamEnds* stream) {
  for (Component* part : std::initializer_list<Component*>{&stream->source, &stream->sink,
                                                           &stream->master, &stream->slave}) {
    Add(part);
  }
}

std::string RegisterBench::Text(const AxiPort& pins) {
  return fmt::format("AR {}/{}, R {}/{}, AW {}/{}, W {}/{}, B {}/{}", pins.ar.valid, pins.ar.ready,
                     pins.r.valid, pins.r.ready, pins.aw.valid, pins.aw.ready, pins.w.valid,
                     pins.w.ready, pins.b.valid, pins.b.ready);
}

std::string RegisterBench::Text(const StreamPort& m_axis, const StreamPort& s_axis) {
  return fmt::format("m_axis {}/{}, s_axis {}/{}", m_axis.valid, m_axis.ready, s_axis.valid,
                     s_axis.ready);
}

void RegisterBench::Reset() {
  CycleLoop::Reset(kResetCycles - 1);
  while (reset_pending() || tick().reset) Step();
}

void RegisterBench::AfterSample() {
  Look();
  if (watcher_) watcher_(cycle());
  if (violations_.count() == 0) return;
  Fail(fmt::format("{}: {}", violations_.kept().front().rule, violations_.kept().front().message));
}

void RegisterBench::Step(int cycles) {
  for (int n = 0; n < cycles; ++n) Step();
}

bool RegisterBench::Until(const std::function<bool()>& what, uint64_t limit) {
  for (const uint64_t end = cycle() + limit; cycle() < end; Step()) {
    if (what()) return true;
  }
  return what();
}

void RegisterBench::Fail(const std::string& message) {
  throw std::runtime_error(
      fmt::format("{} seed {:#x} cycle {}: {}\n{}", name_, rng_.seed(), cycle(), message, Dump()));
}

// Software acts between two cycles: what it asks shows in the next.
LiteResponse RegisterBench::Access(const std::function<std::optional<LiteResponse>()>& take,
                                   const std::string& what) {
  registers_.Drive(tick());
  for (const uint64_t end = cycle() + timeout_; cycle() < end;) {
    Step();
    if (const auto response = take()) return *response;
  }
  Fail(what + " is not answered");
}

bool RegisterBench::Write(uint32_t address, uint32_t value, uint8_t strobe) {
  registers_.Write(address, value, strobe);
  const bool done = Access([this] { return registers_.TakeWritten(); },
                           fmt::format("the write of {:#x} to register {:#x}", value, address))
                        .okay();
  if (done && strobe == 0xf) Written(address, value);
  return done;
}

bool RegisterBench::Read(uint32_t address, uint32_t* value) {
  registers_.Read(address);
  const LiteResponse response = Access([this] { return registers_.TakeRead(); },
                                       fmt::format("the read of register {:#x}", address));
  *value = response.data;
  return response.okay();
}

uint32_t RegisterBench::Get(uint32_t address) {
  uint32_t value = 0;
  if (!Read(address, &value)) Fail(fmt::format("the read of register {:#x} is refused", address));
  return value;
}

void RegisterBench::Set(uint32_t address, uint32_t value) {
  if (!Write(address, value)) {
    Fail(fmt::format("the write of {:#x} to register {:#x} is refused", value, address));
  }
}

uint64_t RegisterBench::Get64(uint32_t address) {
  const uint64_t low = Get(address);
  return low | uint64_t{Get(address + 4)} << 32;
}

void RegisterBench::Set64(uint32_t address, uint64_t value) {
  Set(address, static_cast<uint32_t>(value));
  Set(address + 4, static_cast<uint32_t>(value >> 32));
}

}  // namespace tessera
