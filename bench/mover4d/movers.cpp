// See movers.h.
#include "bench/mover4d/movers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "bench/measure.h"
#include "tb/mover4d/mover_bench.h"
#include "tb/sim/model.h"

namespace tessera::bench {
namespace {

using Kind = ProgramRow::Kind;

constexpr int kTries = 24;         // of a latency, each at another time
constexpr double kWords = 9;       // of a descriptor: so many cycles on the port of its list
constexpr int kDescriptors = 400;  // of a list; the middle half is measured
constexpr uint64_t kLists = 0x100000, kData = 0x1000000;

// A box in an image of rows of 32 elements, one below the other in planes of 512.
struct Shape {
  const char* name;
  std::array<uint64_t, 4> size;
  int64_t step;  // from an element to the next
  uint64_t elements() const { return size[0] * size[1] * size[2] * size[3]; }
  uint64_t bursts() const { return step == 1 ? elements() / size[0] : elements(); }
  Cuboid At(int64_t bias) const {
    return {.bias = bias, .stride = {step, 32, 512, 8192}, .size = size};
  }
};
constexpr Shape kShapes[] = {{"row8", {8, 1, 1, 1}, 1},    {"row16", {16, 1, 1, 1}, 1},
                             {"row64", {64, 1, 1, 1}, 1},  {"cube2", {2, 2, 2, 1}, 1},
                             {"tile4x4", {4, 4, 1, 1}, 1}, {"tile8x4", {8, 4, 1, 1}, 1},
                             {"apart16", {16, 1, 1, 1}, 3}};

MoverBench MakeBench(const ProgramRow& row, const MoverConfig& config) {
  MoverBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(row.latency);
  options.memory.max_reads = options.memory.max_writes = kInFlight;
  options.lists = options.memory;
  options.source.record = options.sink.record = false;
  return MoverBench(MakeMover(config.channel.name, 1), options);
}

// The list of one channel; all others have nothing to do.
void GiveAlone(MoverBench* bench, int channel, const std::vector<Cuboid>& list) {
  for (int c = 0; c < bench->config().channels(); ++c) {
    bench->Give(c, kLists + 0x100000 * static_cast<uint64_t>(c),
                c == channel ? list : std::vector<Cuboid>{});
    bench->SetBase(c, kData);
    bench->SetOptions(c, MoverLast::kNever);
  }
}

void MeasureStart(const ProgramRow& row, const MoverConfig& config, ProgramResult* result) {
  MoverBench bench = MakeBench(row, config);
  uint64_t list_address = kNever, list_word = kNever, data_address = kNever;
  bench.Watch([&](uint64_t cycle) {
    const AxiPort& list = bench.mover().list(0);
    if (list.ar.valid && list_address == kNever) list_address = cycle;
    if (data_address == kNever && list.r.moves()) list_word = cycle;
    if (bench.mover().channel(0).axi.ar.valid && data_address == kNever) data_address = cycle;
  });
  GiveAlone(&bench, 0, {kShapes[0].At(0)});
  std::vector<uint64_t> tries;
  for (int n = 0; n < kTries; ++n) {
    bench.Step(static_cast<int>(row.latency) + 60 + n % 7);
    list_address = list_word = data_address = kNever;
    bench.Set(mover::kControl, mover::kStart);
    const uint64_t written = bench.written_at();
    bench.Wait();
    tries.push_back(row.kind == Kind::kPush ? list_address - written : data_address - list_word);
  }
  result->Judge(tries, row.target);
}

void MeasureRate(const ProgramRow& row, const MoverConfig& config, ProgramResult* result) {
  const Shape& shape = *std::find_if(std::begin(kShapes), std::end(kShapes),
                                     [&](const Shape& s) { return row.shape == s.name; });
  MoverBench bench = MakeBench(row, config);
  const int channel = row.receives ? config.reads : 0;
  const uint64_t beats = kDescriptors * shape.elements();
  uint64_t moved = 0, first = 0, last = 0;
  bench.Watch([&](uint64_t cycle) {
    const Mover::Pins& pins = bench.mover().channel(channel);
    if (!(row.receives ? pins.s_axis.moves() : pins.m_axis.moves())) return;
    ++moved;
    if (moved == beats / 4) first = cycle;
    if (moved == 3 * beats / 4) last = cycle;
  });
  std::vector<Cuboid> list;
  for (int n = 0; n < kDescriptors; ++n) list.push_back(shape.At(1024 * n));
  GiveAlone(&bench, channel, list);
  if (row.receives) {
    bench.source(0).Push(std::vector<uint8_t>(beats * static_cast<uint64_t>(config.element_bytes)),
                         PieceEnd::kBeat);
  }
  bench.Run();
  const double share = static_cast<double>(beats / 2) / static_cast<double>(last - first);
  // A beat a cycle; a descriptor from its list; the memory has no more bursts in hand.
  const auto elements = static_cast<double>(shape.elements());
  const double bursts = static_cast<double>(shape.bursts()) * (row.latency + 2) / kInFlight;
  const double limit = elements / std::max({elements, kWords, bursts});
  result->Judge(share, limit, row.target * limit);
}

}  // namespace

std::vector<ProgramRow> AllMoverRows() {
  std::vector<ProgramRow> rows;
  const auto add = [&rows](Kind kind, uint32_t latency, double target) -> ProgramRow& {
    ProgramRow& row = rows.emplace_back();
    row.top = "tessera_mover4d";
    row.kind = kind;
    row.config = "single";
    row.latency = latency;
    row.target = target;
    return row;
  };
  ProgramRow& start = add(Kind::kPush, 20, 3);
  start.id = "movers/start-ar";
  start.what = "ap_start to ARVALID of the list";
  start.quick = true;
  ProgramRow& descriptor = add(Kind::kDescriptor, 20, 5);
  descriptor.id = "movers/descriptor-ar";
  descriptor.what = "last beat of the descriptor to ARVALID";
  descriptor.quick = true;
  for (const bool receives : {false, true}) {
    for (const Shape& shape : kShapes) {
      for (const uint32_t latency : {1U, 20U, 100U}) {
        ProgramRow& row = add(Kind::kList, latency, kShare);
        const char* direction = receives ? "write" : "read";
        row.id = fmt::format("movers/{}/{}/L{}", direction, shape.name, latency);
        row.what = fmt::format("{}, {}", shape.name, direction);
        row.shape = shape.name;
        row.receives = receives;
        row.quick = latency == 20 && shape.elements() == 16 && shape.size[1] == 4;
      }
    }
  }
  return rows;
}

std::optional<ProgramResult> MeasureMover(const ProgramRow& row) {
  const auto config = FindNamed(Movers(), row.config);
  if (!config) return std::nullopt;
  return Attempt([&](ProgramResult* result) {
    return row.Counts() ? MeasureStart(row, *config, result) : MeasureRate(row, *config, result);
  });
}

}  // namespace tessera::bench
