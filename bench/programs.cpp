// See programs.h.
#include "bench/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bench/measure.h"
#include "tb/dma/dma_bench.h"
#include "tb/dma/software.h"

namespace tessera::bench {
namespace {

using Kind = ProgramRow::Kind;
using native::Descriptor;

constexpr int kBytes = 64;               // of a descriptor's data
constexpr int kTries = 24;               // of a latency, each at another time
constexpr uint64_t kData = 0x0100'0000;  // of channel 0; the others follow
constexpr uint64_t kLists = 0x4000'0000;
constexpr uint64_t kEntries = 0x8000'0000;
constexpr int kLock = 3;
constexpr int kShifted = 3, kReleases = 4;  // descriptors: needs products; releases the lock

// A place of a list without extensions.
struct alignas(64) Place {
  std::array<uint8_t, 64> bytes{};
};
using Ring = driver::DescriptorRing<Software::Channel, sizeof(Place)>;
using Array = driver::DescriptorArray<Software::Channel, sizeof(Place)>;

// What happened on the pins, cycle by cycle.
struct Seen {
  uint64_t data_address = kNever, list_address = kNever;  // first ARVALID since Forget
  uint64_t list_beat = kNever;                            // last R beat of the lists
  uint64_t stream_beat = kNever, response = kNever;       // last beat out, last B
  uint64_t interrupt = kNever;                            // first, since Forget
  uint64_t beats = 0;                                     // R and W beats of the data port
  uint64_t fed = 0;                                       // beats of the stream out of the buffer
  uint64_t entries = 0;                                   // answers to those of the lists
  void Forget() { data_address = list_address = interrupt = kNever; }
};

class Machine {
 public:
  Machine(const ProgramRow& row, const DmaConfig& config)
      : bench_(MakeDma(config.channel.name, 1), Options(row)) {
    bench_.StopAtInterrupt();
    bench_.Watch([this](uint64_t cycle) { Look(cycle); });
    software_.emplace(&bench_);
  }
  DmaBench& bench() { return bench_; }
  Software& software() { return *software_; }
  // A task of one turn: the last write is the push.
  void Push(Direction direction, int start) {
    if (!software().Push(direction, 0, {.start = start})) throw std::runtime_error("no room");
  }
  void StartRing() {
    ring_.emplace(software().channel(Direction::kRead, 0));
    places_.resize(kTries + 2);
    Software::Must(ring_->Start(places_.data(), kLists, static_cast<uint32_t>(places_.size())),
                   "DescriptorRing::Start");
  }
  // A descriptor into place n of the ring, and the doorbell.
  void Post(int n, const Descriptor& descriptor) {
    Software::Must(ring_->Add(Built(descriptor, software().device().build())),
                   "DescriptorRing::Add");
    const auto place = static_cast<size_t>(n);
    bench_.memory().Load(kLists + place * sizeof(Place), places_[place].bytes);
    ring_->Ring();
  }
  // Takes what tasks have left: records and interrupts.
  void TakeRecords(Direction direction, int number) {
    software().channel(direction, number).Service();
    while (software().PopTaken(direction, number)) {
    }
  }
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
    seen_.beats += (data.r.moves() ? 1U : 0U) + (data.w.moves() ? 1U : 0U);
    if (list.b.moves()) ++seen_.entries;
    if (data.b.moves()) seen_.response = cycle;
    if (dma.streams(0).m_axis.moves()) seen_.stream_beat = cycle;
    if (dma.config().reads > 1 && dma.streams(1).m_axis.moves()) ++seen_.fed;
  }
  static void First(uint64_t* at, uint64_t cycle) {
    if (*at == kNever) *at = cycle;
  }

  DmaBench bench_;
  std::optional<Software> software_;
  std::vector<Place> places_;
  std::optional<Ring> ring_;
  Seen seen_;
};

Descriptor Copy(int channel, uint64_t n) {
  Descriptor d;
  d.transfer.base = kData * static_cast<uint64_t>(channel + 1) + n % 1024 * uint64_t{kBytes};
  d.transfer.count[0] = uint32_t{kBytes};
  d.transfer.stride[0] = 1;
  return d;
}

// The same with bounds, from a place inside them on: the address needs two products.
Descriptor Shifted(int channel, uint64_t n) {
  Descriptor d = Copy(channel, n);
  d.transfer.stride[1] = int64_t{2} * kBytes;
  d.transfer.start = {kBytes, 3, 0, 0};
  d.transfer.bound = {2 * kBytes, 4, std::nullopt, std::nullopt};
  return d;
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
  bench.Step(n % 7);
  seen.Forget();
  switch (row.kind) {
    case Kind::kPush:
    case Kind::kProducts:
      machine->Push(Direction::kRead, row.kind == Kind::kPush ? 0 : kShifted);
      Wait(machine, "ARVALID", &Seen::data_address);
      return seen.data_address - bench.written_at();
    case Kind::kDoorbell:
    case Kind::kDescriptor: {
      if (n == 0) {
        machine->StartRing();
        bench.Step(50);
      }
      machine->Post(n, Copy(0, static_cast<uint64_t>(n)));
      Wait(machine, "ARVALID", &Seen::data_address);
      return row.kind == Kind::kDoorbell ? seen.list_address - bench.written_at()
                                         : seen.data_address - seen.list_beat;
    }
    case Kind::kRelease:
    case Kind::kHandOver:
      machine->Push(Direction::kRead, 1);
      bench.Step(100);
      if (seen.data_address != kNever) throw std::runtime_error("the lock did not hold");
      if (row.kind == Kind::kHandOver) {
        machine->Push(Direction::kWrite, kReleases);
        bench.source(0).Push(std::vector<uint8_t>(kBytes, 0x5a), PieceEnd::kLast);
        Wait(machine, "ARVALID", &Seen::data_address);
        return seen.data_address - seen.response;
      }
      Software::Must(machine->software().lock(kLock).Release(1), "Lock::Release");
      Wait(machine, "ARVALID", &Seen::data_address);
      return seen.data_address - bench.written_at();
    case Kind::kReadIrq:
    case Kind::kWriteIrq: {
      const bool reads = row.kind == Kind::kReadIrq;
      machine->Push(reads ? Direction::kRead : Direction::kWrite, reads ? 0 : 2);
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
  Software& software = machine.software();
  software.Write(0, Copy(0, 0));
  Descriptor waits = Copy(0, 1);
  waits.acquire = native::LockOp{.id = kLock, .value = -1};
  software.Write(1, waits);
  software.Write(2, Copy(1, 0));
  Descriptor releases = Copy(1, 1);
  releases.release = {.id = kLock, .value = 1};
  software.Write(kReleases, releases);
  if (row.kind == Kind::kProducts) software.Write(kShifted, Shifted(0, 0));
  software.device().EnableInterrupts(true);
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    Software::Must(
        software.channel(d, 0).EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask),
        "EnableInterrupts");
  }
  std::vector<uint64_t> tries;
  for (int n = 0; n < kTries; ++n) {
    tries.push_back(Try(row, &machine, n));
    bench.Step(static_cast<int>(row.latency) + 60);
    for (const Direction d : {Direction::kRead, Direction::kWrite}) machine.TakeRecords(d, 0);
    bench.Step(20);
  }
  result->Judge(tries, row.target);
}

// ---- Utilisation --------------------------------------------------------------------------------

constexpr int kChain = 4;  // descriptors in RAM, in a ring

void WriteChain(Machine* machine, int channel) {
  for (int n = 0; n < kChain; ++n) {
    Descriptor d = Copy(channel, static_cast<uint64_t>(n));
    d.no_record = true;
    if (n + 1 < kChain) d.next = kChain * channel + n + 1;
    machine->software().Write(kChain * channel + n, d);
  }
}

// An array of descriptors of a channel, one after the other in memory; the last one has a record.
class Lists {
 public:
  Lists(Machine* machine, Direction direction, int channel, bool entries)
      : array_(machine->software().channel(direction, channel)), places_(1024) {
    std::vector<driver::Descriptor> all;
    for (size_t n = 0; n < places_.size(); ++n) {
      Descriptor d = Copy(channel, n);
      d.no_record = n + 1 < places_.size();
      all.push_back(Built(d, machine->software().device().build()));
    }
    const uint64_t base = kLists + kData * static_cast<uint64_t>(channel);
    Software::Must(
        array_.Configure(places_.data(), base, all.data(), static_cast<uint32_t>(all.size())),
        "DescriptorArray::Configure");
    for (size_t n = 0; n < places_.size(); ++n) {
      machine->bench().memory().Load(base + n * sizeof(Place), places_[n].bytes);
    }
    if (!entries) return;
    // The driver has them for rings alone.
    const uint32_t at = native::Channel(direction, channel);
    const uint32_t control = machine->bench().Get(at + native::kListControl);
    machine->bench().Set64(at + native::kListDoneBase,
                           kEntries + kData * static_cast<uint64_t>(channel));
    machine->bench().Set(at + native::kListControl, control | 2);
  }
  void Start() {
    Software::Must(array_.Start(driver::TaskOptions{.endless = true}).status, "a task");
  }

 private:
  Array array_;
  std::vector<Place> places_;
};

// So many cycles; records are taken before their queue is full.
void Pass(Machine* machine, Direction direction, int channels, uint64_t cycles) {
  constexpr uint64_t kLook = 1000;
  const uint64_t end = machine->bench().cycle() + cycles;
  while (machine->bench().cycle() < end) {
    machine->bench().Step(static_cast<int>(std::min(kLook, end - machine->bench().cycle())));
    for (int c = 0; c < channels; ++c) {
      if (machine->bench().cycle() + kLook < end) machine->TakeRecords(direction, c);
    }
  }
}

void MeasureRate(const ProgramRow& row, const DmaConfig& config, ProgramResult* result) {
  constexpr uint64_t kWarm = 3000, kCycles = 8000;
  const Direction direction = row.receives ? Direction::kWrite : Direction::kRead;
  Machine machine(row, config);
  std::deque<Lists> lists;
  for (int c = 0; c < row.channels; ++c) {
    if (row.kind == Kind::kList) {
      lists.emplace_back(&machine, direction, c, row.entries);
    } else {
      WriteChain(&machine, c);
    }
  }
  for (int c = 0; c < row.channels; ++c) {
    if (row.kind == Kind::kList) {
      lists[static_cast<size_t>(c)].Start();
    } else {
      const native::Task task{.start = kChain * c, .endless = true};
      machine.software().Push(direction, c, task);
    }
    if (!row.receives) continue;
    const auto bytes = (kWarm + kCycles) * static_cast<uint64_t>(config.channel.stream_bytes);
    machine.bench().source(c).Push(std::vector<uint8_t>(bytes, 0x5a), PieceEnd::kLast);
  }
  Pass(&machine, direction, row.channels, kWarm);
  const uint64_t before = machine.seen().beats;
  Pass(&machine, direction, row.channels, kCycles);
  const double share = static_cast<double>(machine.seen().beats - before) / kCycles;
  if (row.entries && machine.seen().entries == 0) throw std::runtime_error("no entry is written");
  // A burst of w words keeps one of the places in flight for latency + 1 + w cycles.
  const double words = std::max(1.0, double{kBytes} / config.channel.data_bytes);
  const double limit = std::min(1.0, kInFlight * words / (row.latency + 1.0 + words));
  result->Judge(share, limit, row.target * limit);
}

// Read channel 0 and write channel 0, whose streams are joined, bring tiles into the buffer, as
// many as fit; read channel 1 sends each when it is there. Two locks count the tiles: those that
// are free, and those that are full.
void MeasureFeed(const ProgramRow& row, const DmaConfig& config, ProgramResult* result) {
  constexpr uint64_t kCycles = 100000;
  constexpr int kFree = 0, kFull = 1;
  const auto tile = static_cast<uint32_t>(row.bytes);
  const int tiles = static_cast<int>(config.onchip_bytes() / tile);
  Machine machine(row, config);
  Descriptor from = Copy(0, 0);
  from.transfer.count[0] = tile;
  from.iteration_size = 64;
  from.iteration_step = row.bytes;
  from.no_record = true;
  machine.software().Write(0, from);
  for (int n = 0; n < tiles; ++n) {
    Descriptor fill = from;
    fill.iteration_size = 0;
    fill.transfer.base =
        config.onchip_first() + static_cast<uint64_t>(tile) * static_cast<uint64_t>(n);
    Descriptor send = fill;
    if (row.shape == "transposed") {  // of words
      send.transfer.elem = 8;
      const uint32_t columns = 64, rows = tile / 8 / columns;
      send.transfer.count = {rows, columns, 1, 1};
      send.transfer.stride = {int64_t{8} * columns, 8, 0, 0};
    }
    fill.acquire = native::LockOp{.id = kFree, .value = -1};
    fill.release = {.id = kFull, .value = 1};
    send.acquire = native::LockOp{.id = kFull, .value = -1};
    send.release = {.id = kFree, .value = 1};
    if (n + 1 < tiles) {
      fill.next = 2 + n;
      send.next = 2 + tiles + n;
    }
    machine.software().Write(1 + n, fill);
    machine.software().Write(1 + tiles + n, send);
  }
  machine.software().SetLock(kFree, tiles);
  machine.software().Push(Direction::kWrite, 0, {.start = 1, .endless = true});
  machine.software().Push(Direction::kRead, 1, {.start = 1 + tiles, .endless = true});
  machine.software().Push(Direction::kRead, 0, {.start = 0, .endless = true});
  machine.bench().Step(40000);
  const uint64_t before = machine.seen().fed;
  machine.bench().Step(kCycles);
  const double share = static_cast<double>(machine.seen().fed - before) / kCycles;
  result->Judge(share, 1.0, row.target);
}

}  // namespace

std::vector<ProgramRow> AllProgramRows() {
  std::vector<ProgramRow> rows;
  struct Cycles {
    Kind kind;
    const char *name, *what;
    double target;
    std::vector<const char*> configs = {"basic", "crowd"};
  };
  const std::vector<const char*> kBuilds = {"basic", "crowd", "several"};  // the last: windows
  for (const Cycles& c :
       {Cycles{Kind::kPush, "push-ar", "task pushed to ARVALID", 20, kBuilds},
        Cycles{Kind::kProducts, "push-products-ar", "... with two products", 70, {"basic"}},
        Cycles{Kind::kDoorbell, "doorbell-ar", "doorbell to ARVALID of the descriptor", 6, kBuilds},
        Cycles{Kind::kDescriptor, "descriptor-ar", "last beat of the descriptor to ARVALID", 20,
               kBuilds},
        Cycles{Kind::kRelease, "release-ar", "lock released by a register to ARVALID", 20, kBuilds},
        Cycles{Kind::kHandOver, "hand-over-ar", "last write response to ARVALID of the waiter", 20,
               kBuilds},
        Cycles{Kind::kReadIrq, "read-irq", "last beat out to the interrupt", 4},
        Cycles{Kind::kWriteIrq, "write-irq", "last write response to the interrupt", 4}}) {
    for (const char* config : c.configs) {
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
    std::string config, name;
    std::vector<int> channels;
  };
  for (const Build& build : {Build{"basic", "basic", {1}}, Build{"crowd", "64", {1, 2, 4, 8, 16}},
                             Build{"wide", "512", {1, 2}}}) {
    struct Source {
      Kind kind;
      const char *name, *what;
      bool entries, receives = false;
    };
    for (const Source& source :
         {Source{Kind::kRam, "ram", "from RAM", false},
          Source{Kind::kList, "list", "lists in memory", false},
          Source{Kind::kList, "list-entries", "lists with entries", true},
          Source{Kind::kRam, "ram-to-memory", "to memory, from RAM", false, true},
          Source{Kind::kList, "list-to-memory", "to memory, lists", false, true}}) {
      for (const int channels : build.channels) {
        for (const uint32_t latency : {1U, 20U, 100U}) {
          if (source.kind == Kind::kRam && latency == 100) continue;
          if (source.receives && build.config != "basic") continue;
          if (source.entries && (build.config == "wide" || (channels != 1 && channels != 4)))
            continue;
          ProgramRow& row = rows.emplace_back();
          row.id =
              fmt::format("programs/{}-64/{}/n{}/L{}", source.name, build.name, channels, latency);
          row.what =
              fmt::format("64 B a descriptor, {}, {}", source.what,
                          channels == 1 ? "1 channel" : fmt::format("{} channels", channels));
          row.kind = source.kind;
          row.entries = source.entries;
          row.receives = source.receives;
          row.config = build.config;
          row.channels = channels;
          row.latency = latency;
          row.target = kShare;
          row.quick = build.config == build.name || (latency == 20 && channels == 16);
        }
      }
    }
  }
  struct Feed {
    int bytes;
    const char* shape;
  };
  for (const Feed& feed :
       {Feed{65536, ""}, Feed{65536, "transposed"}, Feed{16384, "transposed"}, Feed{4096, ""}}) {
    for (const uint32_t latency : {1U, 20U, 100U}) {
      ProgramRow& row = rows.emplace_back();
      row.shape = feed.shape;
      row.id = fmt::format("programs/feed-{}{}{}/feed/L{}", feed.bytes,
                           row.shape.empty() ? "" : "-", row.shape, latency);
      row.what = fmt::format("tiles of {} KiB through the on-chip buffer{}{}", feed.bytes / 1024,
                             row.shape.empty() ? "" : ", ", row.shape);
      row.kind = Kind::kFeed;
      row.config = "feed";
      row.bytes = feed.bytes;
      row.latency = latency;
      row.target = kShare;
      row.quick = latency == 20;
    }
  }
  return rows;
}

void ProgramResult::Judge(const std::vector<uint64_t>& tries, double most) {
  value = static_cast<double>(*std::max_element(tries.begin(), tries.end()));
  least = static_cast<double>(*std::min_element(tries.begin(), tries.end()));
  target = most;
  pass = value <= target;
}

void ProgramResult::Judge(double share, double limit, double wanted) {
  value = share;
  least = limit;
  target = wanted;
  pass = value >= target;
}

ProgramResult MeasureProgram(const ProgramRow& row, const DmaConfig& config) {
  return Attempt([&](ProgramResult* result) {
    if (row.kind == Kind::kFeed) return MeasureFeed(row, config, result);
    return row.Counts() ? MeasureCycles(row, config, result) : MeasureRate(row, config, result);
  });
}

}  // namespace tessera::bench
