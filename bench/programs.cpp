// See programs.h.
#include "bench/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/measure.h"
#include "tb/dma/dma_bench.h"
#include "tb/dma/native.h"

namespace tessera::bench {
namespace {

using Kind = ProgramRow::Kind;
using native::Channel;
using native::Descriptor;

constexpr int kBytes = 64;               // of a descriptor's data
constexpr int kTries = 24;               // of a latency, each at another time
constexpr uint64_t kData = 0x0100'0000;  // of channel 0; the others follow
constexpr uint64_t kLists = 0x4000'0000;
constexpr uint32_t kInterrupts = 2;  // in GLOBAL_CONTROL
constexpr uint32_t kListBase = 0x80, kListCount = 0x88, kListTail = 0x8c, kListControl = 0x94;
constexpr uint32_t kRing = 1;
constexpr uint32_t kLock = 3;
constexpr uint32_t kLockBytes = 16, kReleaseOffset = 4;  // of a lock's registers

// What happened on the pins, cycle by cycle.
struct Seen {
  uint64_t data_address = kNever, list_address = kNever;  // first ARVALID since Forget
  uint64_t list_beat = kNever;                            // last R beat of the lists
  uint64_t stream_beat = kNever, response = kNever;       // last beat out, last B
  uint64_t interrupt = kNever;                            // first, since Forget
  uint64_t beats = 0;                                     // R beats of the data port
  void Forget() { data_address = list_address = interrupt = kNever; }
};

class Machine {
 public:
  Machine(const ProgramRow& row, const DmaConfig& config)
      : bench_(MakeDma(config.channel.name, 1), Options(row)) {
    bench_.StopAtInterrupt();
    bench_.Watch([this](uint64_t cycle) { Look(cycle); });
  }
  DmaBench& bench() { return bench_; }
  Seen& seen() { return seen_; }

 private:
  static DmaBenchOptions Options(const ProgramRow& row) {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(row.latency);
    options.memory.max_reads = options.memory.max_writes = kInFlight;
    return options;
  }
  void Look(uint64_t cycle) {
    Dma& dma = bench_.dma();
    const AxiPort &data = dma.port(0), &list = dma.list_port();
    if (data.ar.valid) First(&seen_.data_address, cycle);
    if (list.ar.valid) First(&seen_.list_address, cycle);
    if (dma.irq) First(&seen_.interrupt, cycle);
    if (list.r.moves()) seen_.list_beat = cycle;
    if (data.r.moves()) ++seen_.beats;
    if (data.b.moves()) seen_.response = cycle;
    if (dma.streams(0).m_axis.moves()) seen_.stream_beat = cycle;
  }
  static void First(uint64_t* at, uint64_t cycle) {
    if (*at == kNever) *at = cycle;
  }

  DmaBench bench_;
  Seen seen_;
};

Descriptor Copy(int channel, uint64_t n) {
  Descriptor d;
  d.transfer.base = kData * static_cast<uint64_t>(channel + 1) + n % 1024 * uint64_t{kBytes};
  d.transfer.count[0] = uint32_t{kBytes};
  d.transfer.stride[0] = 1;
  d.no_record = true;
  return d;
}

// A list of descriptors of a channel, one after the other in memory.
void SetList(DmaBench* bench, int channel, uint64_t count, uint32_t control) {
  const uint64_t base = kLists + kData * static_cast<uint64_t>(channel);
  for (uint64_t n = 0; n < count; ++n) {
    const native::Image image = native::Encode(Copy(channel, n));
    std::vector<uint8_t> bytes;
    for (const uint32_t word : image.base) {
      for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<uint8_t>(word >> (8 * b)));
    }
    bench->memory().Load(base + n * bytes.size(), bytes);
  }
  const uint32_t at = Channel(Direction::kRead, channel);
  bench->Set(at + kListBase, static_cast<uint32_t>(base));
  bench->Set(at + kListCount, static_cast<uint32_t>(count));
  bench->Set(at + kListControl, control);
}

void Wait(Machine* machine, const char* name, uint64_t Seen::*event) {
  if (!machine->bench().Until([&] { return machine->seen().*event != kNever; }, 2000)) {
    throw std::runtime_error(fmt::format("{} does not come", name));
  }
}

// ---- Latencies ----------------------------------------------------------------------------------

// Cycles of one try; the machine rests before it.
uint64_t Try(const ProgramRow& row, Machine* machine, int n) {
  DmaBench& bench = machine->bench();
  Seen& seen = machine->seen();
  const uint32_t read = Channel(Direction::kRead, 0), write = Channel(Direction::kWrite, 0);
  bench.Step(n % 7);
  seen.Forget();
  switch (row.kind) {
    case Kind::kPush:
      bench.Set(read + native::kTask, native::Task{}.Word());
      Wait(machine, "ARVALID", &Seen::data_address);
      return seen.data_address - bench.written_at();
    case Kind::kDoorbell:
    case Kind::kDescriptor: {
      if (n == 0) {
        SetList(&bench, 0, kTries + 2, kRing);
        bench.Set(read + native::kTask, native::Task{.endless = true, .from_list = true}.Word());
        bench.Step(50);
      }
      bench.Set(read + kListTail, static_cast<uint32_t>(n + 1));
      Wait(machine, "ARVALID", &Seen::data_address);
      return row.kind == Kind::kDoorbell ? seen.list_address - bench.written_at()
                                         : seen.data_address - seen.list_beat;
    }
    case Kind::kRelease:
      bench.Set(read + native::kTask, native::Task{.start = 1}.Word());
      bench.Step(100);
      if (seen.data_address != kNever) throw std::runtime_error("the lock did not hold");
      bench.Set(native::kLocks + kLock * kLockBytes + kReleaseOffset, 1);
      Wait(machine, "ARVALID", &Seen::data_address);
      return seen.data_address - bench.written_at();
    case Kind::kReadIrq:
    case Kind::kWriteIrq: {
      const bool reads = row.kind == Kind::kReadIrq;
      bench.Set((reads ? read : write) + native::kTask,
                native::Task{.start = reads ? 0 : 2}.Word());
      if (!reads) bench.source(0).Push(std::vector<uint8_t>(kBytes, 0x5a), PieceEnd::kLast);
      Wait(machine, "the interrupt", &Seen::interrupt);
      return seen.interrupt - (reads ? seen.stream_beat : seen.response);
    }
    default:
      throw std::logic_error("a row without a latency");
  }
}

void MeasureCycles(const ProgramRow& row, const DmaConfig& config, ProgramResult* result) {
  Machine machine(row, config);
  DmaBench& bench = machine.bench();
  native::Write(&bench, 0, Copy(0, 0));
  Descriptor waits = Copy(0, 1);
  waits.acquire = native::LockOp{.id = kLock, .value = -1};
  native::Write(&bench, 1, waits);
  Descriptor into = Copy(1, 0);
  native::Write(&bench, 2, into);
  bench.Set(native::kGlobalControl, kInterrupts);
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    bench.Set(Channel(d, 0) + native::kIrqEnable, 1);
  }
  uint64_t least = kNever, most = 0;
  for (int n = 0; n < kTries; ++n) {
    const uint64_t cycles = Try(row, &machine, n);
    least = std::min(least, cycles);
    most = std::max(most, cycles);
    bench.Step(static_cast<int>(row.latency) + 60);
    for (const Direction d : {Direction::kRead, Direction::kWrite}) {
      bench.Set(Channel(d, 0) + native::kIrqStatus, 0x3f);
    }
    bench.Step(20);
  }
  result->value = static_cast<double>(most);
  result->least = static_cast<double>(least);
  result->target = row.target;
  result->pass = result->value <= result->target;
}

// ---- Utilisation --------------------------------------------------------------------------------

void MeasureRate(const ProgramRow& row, const DmaConfig& config, ProgramResult* result) {
  constexpr uint64_t kWarm = 3000, kCycles = 8000;
  Machine machine(row, config);
  DmaBench& bench = machine.bench();
  const bool list = row.kind == Kind::kList;
  constexpr int kChain = 4;  // descriptors in RAM, in a ring
  for (int c = 0; c < row.channels; ++c) {
    for (int n = 0; n < kChain && !list; ++n) {
      Descriptor d = Copy(c, static_cast<uint64_t>(n));
      if (n + 1 < kChain) d.next = kChain * c + n + 1;
      native::Write(&bench, kChain * c + n, d);
    }
    if (list) SetList(&bench, c, 1024, 0);
  }
  for (int c = 0; c < row.channels; ++c) {
    const native::Task task{.start = list ? 0 : kChain * c, .endless = true, .from_list = list};
    bench.Set(Channel(Direction::kRead, c) + native::kTask, task.Word());
  }
  bench.Step(kWarm);
  const uint64_t before = machine.seen().beats;
  bench.Step(kCycles);
  result->value = static_cast<double>(machine.seen().beats - before) / kCycles;
  // A burst of w words keeps one of the places in flight for latency + 1 + w cycles.
  const double words = std::max(1.0, double{kBytes} / config.channel.data_bytes);
  result->least = std::min(1.0, kInFlight * words / (row.latency + 1.0 + words));
  result->target = row.target * result->least;
  result->pass = result->value >= result->target;
}

}  // namespace

std::vector<ProgramRow> AllProgramRows() {
  std::vector<ProgramRow> rows;
  struct Cycles {
    Kind kind;
    const char *name, *what;
    double target;
  };
  for (const Cycles& c :
       {Cycles{Kind::kPush, "push-ar", "task pushed to ARVALID", 7},
        Cycles{Kind::kDoorbell, "doorbell-ar", "doorbell to ARVALID of the descriptor", 3},
        Cycles{Kind::kDescriptor, "descriptor-ar", "last beat of the descriptor to ARVALID", 5},
        Cycles{Kind::kRelease, "release-ar", "lock released by a register to ARVALID", 5},
        Cycles{Kind::kReadIrq, "read-irq", "last beat out to the interrupt", 4},
        Cycles{Kind::kWriteIrq, "write-irq", "last write response to the interrupt", 4}}) {
    for (const char* config : {"basic", "crowd"}) {
      ProgramRow& row = rows.emplace_back();
      row.id = fmt::format("programs/{}/{}", c.name, config);
      row.what = c.what;
      row.kind = c.kind;
      row.config = config;
      row.latency = 20;
      row.target = c.target;
      row.quick = true;
    }
  }
  struct Build {
    const char* config;
    int bits;
    std::vector<int> channels;
  };
  for (const Build& build : {Build{"crowd", 64, {1, 2, 4, 8, 16}}, Build{"wide", 512, {1, 2}}}) {
    for (const bool list : {false, true}) {
      for (const int channels : build.channels) {
        for (const uint32_t latency : {1U, 20U, 100U}) {
          if (!list && latency == 100) continue;
          ProgramRow& row = rows.emplace_back();
          row.id = fmt::format("programs/{}-64/{}/n{}/L{}", list ? "list" : "ram", build.bits,
                               channels, latency);
          row.what =
              fmt::format("64 B a descriptor, {}, {}", list ? "lists in memory" : "from RAM",
                          channels == 1 ? "1 channel" : fmt::format("{} channels", channels));
          row.kind = list ? Kind::kList : Kind::kRam;
          row.config = build.config;
          row.channels = channels;
          row.latency = latency;
          row.target = kShare;
          row.quick = latency == 20 && channels == 16;
        }
      }
    }
  }
  return rows;
}

std::optional<DmaConfig> FindDmaBuilt(const std::string& name) {
  for (const DmaConfig& config : Dmas()) {
    if (config.channel.name == name) return config;
  }
  return std::nullopt;
}

ProgramResult MeasureProgram(const ProgramRow& row, const DmaConfig& config) {
  ProgramResult result;
  try {
    if (row.Counts()) {
      MeasureCycles(row, config, &result);
    } else {
      MeasureRate(row, config, &result);
    }
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

}  // namespace tessera::bench
