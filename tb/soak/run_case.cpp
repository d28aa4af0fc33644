// Loads the bench, watches for aborts, and splits what was seen at them; see run_case.h.
#include "tb/soak/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/cover/sample.h"
#include "tb/sim/counted.h"
#include "tb/sim/model.h"

namespace tessera {
namespace {

// Notes the cycles in which aborts of each engine ended, or the last one before a reset: everything
// up to it belongs to what was cut short. A reset and what goes before it are one.
class CutWatch : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick& tick) override {
    const PairPorts& pins = bench.dut();
    if (bench.resets() > 0 && tick.reset && !reset) {
      reset = true;
      read_ends = write_ends = {tick.cycle - 1};
    }
    if (pins.read.abort && pins.read.idle) End(tick.cycle, &read_ends);
    if (pins.write.abort && pins.write.idle) End(tick.cycle, &write_ends);
  }
  std::vector<uint64_t> read_ends, write_ends;
  bool reset = false;

 private:
  void End(uint64_t cycle, std::vector<uint64_t>* ends) const {
    if (reset || (!ends->empty() && ends->back() + 1 == cycle)) ends->pop_back();
    ends->push_back(cycle);
  }
};

// What a message is about: "read transfer : record field last" of its first line.
std::string Subject(const std::string& report) {
  std::string subject;
  size_t colons = 0;
  for (const char c : report) {
    if (c == '\n' || (c == ':' && ++colons == 2)) break;
    if (colons == 1 && c == ',') break;
    const bool number = (c >= '0' && c <= '9') || c == 'x';
    if (!number) subject += c;
  }
  return subject.substr(0, subject.find('['));
}

// One stretch of a chain: all of it, or what lies before or after an abort.
struct Stretch {
  std::vector<model::Transfer> chain;
  Seen seen;
};

// What happened in cycles `from` to `to`, both included.
Stretch Cut(const std::vector<model::Transfer>& chain, const std::vector<JobResult>& jobs,
            std::span<const StreamBeat> beats, std::span<const uint8_t> bytes,
            const std::vector<ErrorEvent>& errors, Direction direction, uint64_t from,
            uint64_t to) {
  Stretch stretch;
  for (size_t k = 0; k < jobs.size(); ++k) {
    if (jobs[k].accepted == kNever || jobs[k].accepted < from || jobs[k].accepted > to) continue;
    stretch.chain.push_back(chain[k]);
    if (jobs[k].state == JobResult::State::kDone) stretch.seen.records.push_back(jobs[k].record);
  }
  const auto before = [](const StreamBeat& beat, uint64_t cycle) { return beat.cycle < cycle; };
  const auto first = std::lower_bound(beats.begin(), beats.end(), from, before);
  const auto last =
      to == kNever ? beats.end() : std::lower_bound(first, beats.end(), to + 1, before);
  stretch.seen.beats = BeatList(std::span(first, last), bytes);
  for (const ErrorEvent& event : errors) {
    if (event.direction == direction && event.cycle >= from && event.cycle <= to) {
      stretch.seen.errors.push_back(event);
    }
  }
  return stretch;
}

void CompareReads(const Case& value, const EngineBench& bench, const CutWatch& watch, bool visible,
                  const std::vector<ErrorEvent>& errors, const std::vector<StreamBeat>& beats,
                  const std::vector<uint8_t>& bytes, Scoreboard* board,
                  std::vector<model::StreamBeat>* expected) {
  uint64_t from = 0;
  for (const uint64_t end : watch.read_ends) {
    Stretch cut =
        Cut(value.reads, bench.reads(), beats, bytes, errors, Direction::kRead, from, end);
    (watch.reset ? cut.seen.reset : cut.seen.aborted) = true;
    board->CheckRead(cut.chain, cut.seen, visible);
    from = end + 1;
  }
  const Stretch rest =
      Cut(value.reads, bench.reads(), beats, bytes, errors, Direction::kRead, from, kNever - 1);
  *expected = board->CheckRead(rest.chain, rest.seen, visible);
}

}  // namespace

Config FindConfig(const std::string& name) { return NeedNamed(Configs(), name, "configuration"); }

std::unique_ptr<EngineBench> MakeBench(const Case& value, std::optional<uint64_t> start_up) {
  BenchOptions options;
  options.seed = value.seed;
  options.memory = value.memory;
  options.memory.errors = RulesOf(value.read_errors, value.write_errors);
  options.source.pacer = value.source;
  options.source.shape = value.shape;
  options.sink.pacer = value.sink;
  options.sink.after_valid = value.sink_after_valid;
  // Tiles outside their bounds, and in a loopback fill that is dropped, show on no pin.
  constexpr uint64_t kTile = 100;  // cycles of its preparation, at most
  for (const auto* transfers : {&value.reads, &value.writes}) {
    for (const model::Transfer& t : *transfers) {
      uint64_t quiet = kTile;
      for (const auto& level : t.walk) quiet *= level ? level->count : 1;
      if (FindConfig(value.config).loopback) quiet += model::Positions(t);
      options.timeout += std::min(quiet, uint64_t{1} << 20);
    }
  }
  options.read = {value.read_offer, value.read_take};
  options.write = {value.write_offer, value.write_take};
  auto bench =
      std::make_unique<EngineBench>(MakeDut(value.config, start_up.value_or(value.seed)), options);
  const model::Build build = BuildOf(bench->dut().config());
  for (const model::Transfer& t : value.reads) bench->AddRead(Encode(t, build));
  for (const model::Transfer& t : value.writes) bench->AddWrite(Encode(t, build));
  const std::vector<uint8_t> bytes = StreamBytes(value);
  size_t next = 0;
  for (const StreamPiece& piece : value.stream) {
    bench->source().Push(std::span(bytes).subspan(next, piece.bytes), piece.end);
    next += piece.bytes;
  }
  for (const uint64_t cycle : value.abort_read) bench->AbortAt(Direction::kRead, cycle);
  for (const uint64_t cycle : value.abort_write) bench->AbortAt(Direction::kWrite, cycle);
  if (value.reset) bench->ResetAt(*value.reset);
  return bench;
}

CaseResult RunCase(const Case& value, EngineBench::Hook* hook) {
  const Config config = FindConfig(value.config);
  const std::unique_ptr<EngineBench> bench = MakeBench(value);
  const Memory before = bench->memory();
  CutWatch watch;
  bench->AddHook(&watch);
  if (hook != nullptr) bench->AddHook(hook);
  Bins* bins = Bins::OfProgram();
  PinBins pins(bins);
  if (bins != nullptr) bench->AddHook(&pins);

  CaseResult result;
  result.bench = bench->Run();
  result.cycles = result.bench.cycles;
  result.beats = bench->handshakes(ChannelName::kR) + bench->handshakes(ChannelName::kW) +
                 bench->handshakes(ChannelName::kMaster) + bench->handshakes(ChannelName::kSlave);
  result.bench_failure = result.bench.failure;
  if (bins != nullptr) SampleCase(value, *bench, bins);
  if (!result.bench.passed()) {
    result.kind = CaseResult::Kind::kBench;
    result.message = result.bench.message;
    if (!result.bench.violations.empty()) result.rule = result.bench.violations.front().rule;
    return result;
  }

  Scoreboard board(config, before, value.read_errors, value.write_errors);
  const std::vector<ErrorEvent>& errors = bench->axi_memory().errors();
  std::vector<model::StreamBeat> looped;
  CompareReads(value, *bench, watch, !config.loopback, errors, bench->sink().beats(),
               bench->sink().bytes(), &board, &looped);

  const auto& source_beats = bench->source().beats();
  const auto& source_bytes = bench->source().bytes();
  uint64_t from = 0;
  for (const uint64_t end : watch.write_ends) {
    Stretch cut = Cut(value.writes, bench->writes(), source_beats, source_bytes, errors,
                      Direction::kWrite, from, end);
    (watch.reset ? cut.seen.reset : cut.seen.aborted) = true;
    board.CheckWrite(cut.chain, cut.seen);
    from = end + 1;
  }
  Stretch rest = Cut(value.writes, bench->writes(), source_beats, source_bytes, errors,
                     Direction::kWrite, from, kNever - 1);
  if (config.loopback) rest.seen.beats = looped;
  board.CheckWrite(rest.chain, rest.seen);
  board.CheckMemory(bench->memory());

  result.compared = board.compared();
  if (!board.ok()) {
    result.kind = CaseResult::Kind::kScoreboard;
    result.rule = Subject(board.Report());
    result.message =
        fmt::format("configuration {} seed {:#x}: {} from the reference model\n{}", value.config,
                    value.seed, Counted(board.failure_count(), "difference"), board.Report());
  } else if (result.compared == 0) {
    result.kind = CaseResult::Kind::kNothingChecked;
    result.message =
        fmt::format("configuration {} seed {:#x}: nothing was compared", value.config, value.seed);
  }
  return result;
}

}  // namespace tessera
