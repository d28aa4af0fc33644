// See run_system.h.
#include "tb/system/run_system.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <stdexcept>

#include "tb/check/encode.h"
#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tb/sim/model.h"
#include "tb/system/attendant.h"
#include "tb/system/judge.h"
#include "tb/system/watch.h"

namespace tessera {
namespace {

constexpr uint64_t kMostCycles = 600000;
constexpr Direction kBoth[] = {Direction::kRead, Direction::kWrite};

FabricBenchOptions OptionsOf(const SystemCase& value) {
  FabricBenchOptions options;
  options.seed = value.seed;
  options.memory = value.memory;
  for (const model::ErrorRange& r : value.read_errors) {
    options.memory.errors.push_back(
        ErrorRule::Range(r.first, r.last, r.decerr ? kDecErr : kSlvErr).ReadsOnly());
  }
  for (const model::ErrorRange& r : value.write_errors) {
    options.memory.errors.push_back(
        ErrorRule::Range(r.first, r.last, r.decerr ? kDecErr : kSlvErr).WritesOnly());
  }
  for (const ChannelPlan& plan : value.channels) {
    PairOptions& channel = options.channels.emplace_back();
    channel.source.pacer = plan.source;
    channel.source.shape = plan.shape;
    channel.sink.pacer = plan.sink;
    channel.sink.after_valid = plan.sink_after_valid;
    channel.read = {plan.read_offer, plan.read_take};
    channel.write = {plan.write_offer, plan.write_take};
  }
  options.faults = value.faults;
  options.fault_port = value.fault_port;
  return options;
}

// What a message is about: its words without numbers.
std::string KindOf(const std::string& message) {
  std::string kind;
  for (const char c : message.substr(0, message.find('\n'))) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
    if (letter && !(c == ' ' && kind.ends_with(' '))) kind += c;
  }
  return kind.substr(0, 60);
}

class Run {
 public:
  explicit Run(const SystemCase& value)
      : case_(value),
        bench_(MakeFabric(value.config, value.seed), OptionsOf(value)),
        before_(bench_.memory()),
        lives_(&bench_),
        attendant_(value, &bench_, &lives_),
        watch_(value, &bench_) {
    bench_.AddHook([this](const Tick& tick) {
      lives_.Sample(tick);
      attendant_.Sample(tick);
      watch_.Sample(tick);
    });
    bench_.OverridePins([this] { attendant_.Misbehave(); });
  }
  FabricBench& bench() { return bench_; }

  SystemResult Go() {
    Load();
    std::string failure = StepToTheEnd();
    if (failure.empty()) {
      AddLast();
      failure = StepToTheEnd();
    }
    // A stop by the last record shows a cycle later, an abort of an open packet as its last beat,
    // and events come when their time comes.
    for (bool quiet = false; !quiet && failure.empty();) {
      for (int n = 0; n < 40; ++n) bench_.Step();
      quiet = attendant_.Done() && !Shows();
      if (!quiet) failure = StepToTheEnd();
    }
    if (failure.empty()) {
      bench_.CheckEnd();
      failure = Wrong();
    }
    SystemResult result;
    if (failure.empty()) {
      failure = Compare(&result);
      // A beat that changed on its way may have been taken before or after it did.
      if (!failure.empty() && attendant_.RestoreBeat()) failure = Compare(&result);
    }
    if (failure.empty() && result.compared == 0) failure = "nothing was compared";
    result.cycles = bench_.cycle();
    result.addresses = watch_.addresses();
    result.happened = attendant_.happened();
    result.beats = bench_.handshakes();
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction d : kBoth) result.transfers += bench_.feeder(k, d).jobs().size();
    }
    if (!failure.empty()) {
      result.kind = KindOf(failure);
      result.message = fmt::format("fabric {} seed {:#x}: {}\n{}{}", case_.config, case_.seed,
                                   failure, bench_.Dump(), Records());
    }
    return result;
  }

 private:
  const FabricConfig& config() { return bench_.fabric().config(); }

  std::string Compare(SystemResult* result) {
    Judge judge(case_, &bench_, lives_, before_);
    judge.Compare();
    result->compared = judge.compared();
    return judge.failure();
  }

  void Load() {
    Fabric& fabric = bench_.fabric();
    for (int n = 0; n < 6; ++n) bench_.Step();
    for (size_t next = 0; !WriteNextWindow(case_, &fabric, &next);) bench_.Step();
    for (int k = 0; k < config().channels(); ++k) {
      const ChannelPlan& plan = case_.channels[static_cast<size_t>(k)];
      if (k < config().reads) {
        fabric.read_standing(k) = plan.read_standing;
        fabric.control(k, Direction::kRead).stop_on = plan.read_stop;
        for (const model::Transfer& t : plan.reads) bench_.AddRead(k, Encode(t));
      }
      if (k >= config().writes) continue;
      fabric.write_standing(k) = plan.write_standing;
      fabric.control(k, Direction::kWrite).stop_on = plan.write_stop;
      for (const model::Transfer& t : plan.writes) bench_.AddWrite(k, Encode(t));
      Rng rng = Rng(case_.seed).Stream("stream data", static_cast<uint64_t>(k));
      for (const StreamPiece& piece : plan.stream) {
        std::vector<uint8_t> bytes(piece.bytes);
        for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng());
        bench_.source(k).Push(bytes, piece.end);
      }
    }
  }

  // When all is over, every channel works as if nothing had been.
  void AddLast() {
    if (bench_.tamper() != nullptr) bench_.tamper()->Disarm();
    for (int k = 0; k < config().channels(); ++k) {
      const ChannelPlan& plan = case_.channels[static_cast<size_t>(k)];
      if (k < config().reads) bench_.AddRead(k, Encode(plan.last_read));
      if (k < config().writes) bench_.AddWrite(k, Encode(plan.last_write));
    }
  }

  std::string Wrong() {
    const ViolationList& violations = bench_.violations();
    if (violations.count() > 0) {
      return violations.kept().front().rule + ": " + violations.kept().front().message;
    }
    return attendant_.failure().empty() ? watch_.failure() : attendant_.failure();
  }

  // A beat of a channel waits for its sink.
  bool Shows() {
    for (int k = 0; k < config().channels(); ++k) {
      if (bench_.fabric().channel(k).m_axis.valid) return true;
    }
    return false;
  }

  // What came of every transfer, and where lives were cut.
  std::string Records() {
    std::string text;
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction d : kBoth) {
        for (const JobResult& job : bench_.feeder(k, d).jobs()) {
          text += fmt::format("  channel {} {}: {}, accepted {}, record in {}: {}, {}, {:#x}\n", k,
                              NameOf(d), NameOf(job.state), static_cast<int64_t>(job.accepted),
                              static_cast<int64_t>(job.done), Counted(job.record.bytes, "byte"),
                              StatusText(job.record.status), job.record.addr);
        }
        for (const Stretch& s : lives_.of(k, d)) {
          if (lives_.of(k, d).size() == 1 && s.clean()) continue;
          text +=
              fmt::format("  channel {} {}: cycles {} to {}{}{}, exact before {}\n", k, NameOf(d),
                          s.from, static_cast<int64_t>(s.to), s.aborted ? ", aborted" : "",
                          s.reset ? ", reset" : "", static_cast<int64_t>(s.trust));
        }
      }
    }
    return text;
  }

  std::string StepToTheEnd() {
    const uint64_t patience = 8000 + 4 * static_cast<uint64_t>(config().silence);
    uint64_t moved = bench_.cycle(), handshakes = bench_.handshakes();
    std::string wrong;
    do {
      bench_.Step();
      wrong = Wrong();
      if (!wrong.empty()) return wrong;
      if (bench_.handshakes() != handshakes) {
        handshakes = bench_.handshakes();
        moved = bench_.cycle();
      }
      if (bench_.cycle() - moved > patience)
        return fmt::format("nothing has moved for {} cycles", patience);
      if (bench_.cycle() > kMostCycles)
        return fmt::format("not finished in {} cycles", kMostCycles);
    } while (!attendant_.Done());
    return "";
  }

  const SystemCase& case_;
  FabricBench bench_;
  Memory before_;
  Lives lives_;
  Attendant attendant_;
  PortWatch watch_;
};

}  // namespace

FabricConfig FindFabric(const std::string& name) { return NeedNamed(Fabrics(), name, "fabric"); }

SystemResult RunSystem(const SystemCase& value, const std::string& waveform) {
  try {
    Run run(value);
    if (!waveform.empty()) run.bench().fabric().Trace(waveform);
    SystemResult result = run.Go();
    try {
      run.bench().fabric().Trace("");
    } catch (const OutputError& error) {
      result.unwritten = error.what();
    }
    return result;
  } catch (const std::exception& error) {
    SystemResult result;
    result.kind = KindOf(error.what());
    result.message =
        fmt::format("fabric {} seed {:#x}: {}", value.config, value.seed, error.what());
    return result;
  }
}

}  // namespace tessera
