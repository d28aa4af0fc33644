#include "tb/dma/woven_run.h"

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "sw/driver/tessera/text.hpp"
#include "tb/check/encode.h"
#include "tb/dma/program_parts.h"
#include "tb/dma/software.h"
#include "tb/dma/who_waits.h"
#include "tb/dma/woven_compare.h"
#include "tb/dma/woven_model.h"
#include "tb/dma/woven_program.h"

namespace tessera {
namespace {

constexpr uint64_t kStill = 20000;  // without a record, and without a move
// An abort writes the words that it has: 256 bursts of one beat, to a memory that takes 1000 cycles
// a burst.
constexpr driver::Timeout kDrained = driver::Timeout::Cycles(256000);

// One program on a bench.
class Run {
 public:
  Run(DmaBench* bench, DmaProgram program, uint64_t seed, bool surplus,
      std::vector<model::ErrorRange> errors)
      : bench_(*bench),
        config_(bench->config()),
        software_(bench),
        rng_(Rng(seed).Stream("woven run")),
        program_(std::move(program)),
        surplus_(surplus),
        errors_(std::move(errors)),
        channels_(static_cast<size_t>(config_.channels())) {
    seen_.channels.resize(channels_.size());
    software_.bus().write = [this](uint32_t address, uint32_t value) { Poke(address, value); };
  }

  void Prepare() {
    bench_.memory().ClearTouched();
    for (int p = 0; p < config_.ports; ++p) seen_.errors.push_back(bench_.errors(p).size());
    if (config_.control_packets) {
      bench_.Set(registers::global_block::PacketLast::kOffset,
                 registers::global_block::PacketLast::kWritable);
      bench_.Set(registers::global_block::PacketControl::kOffset,
                 registers::global_block::PacketControl{}.set_enable(1).set_check_last(1).word);
    }
    packets_ = config_.control_packets;
    for (size_t k = 0; k < program_.locks.size(); ++k) {
      software_.SetLock(static_cast<int>(k), program_.locks[k]);
    }
    for (int c = 0; c < config_.channels(); ++c) SetUp(c);
    for (const auto& [number, descriptor] : program_.descriptors) {
      software_.Write(number, descriptor);
    }
    packets_ = false;
    if (config_.counters) bench_.Set(native::kGlobalControl, native::kClearCounters);
    for (int c = 0; c < config_.channels(); ++c) {
      bench_.Set(At(c) + native::kIrqStatus, registers::channel::IrqStatus::kWritable);
      Seen(c).interrupts = 0;
    }
    before_ = std::make_unique<Memory>(bench_.memory());
    for (int w = 0; w < config_.writes; ++w) {
      StreamSource& source = bench_.source(w);
      source.SetSides([w](uint64_t, uint64_t) { return StreamSide(w); });
      seen_.source_beats.push_back(source.beats().size());
      for (const auto& piece : program_.streams[static_cast<size_t>(w)])
        source.Push(piece.bytes, piece.end);
      for (int n = 0; surplus_ && n < 40; ++n)
        source.Push(std::vector<uint8_t>(400, 0x5a), PieceEnd::kLast);
    }
    for (int r = 0; r < config_.reads; ++r)
      seen_.sink_beats.push_back(bench_.sink(r).beats().size());
    bench_.tokens().Take();
  }

  // Throws if the program has no end: what others wait for was left out of it.
  void NeedEnd() const {
    if (!WovenModel(config_, program_, PlannedBeats(config_, program_), *before_, errors_)
             ->Finished())
      throw std::runtime_error("what is kept does not come to an end");
  }

  // Until all is done; with a limit until then at most. False: not all is done.
  bool Go(uint64_t limit, bool pauses) {
    for (uint64_t last = bench_.cycle(), end = last + limit; bench_.cycle() < end;) {
      bool done = true, moved = false;
      for (int c = 0; c < config_.channels(); ++c) {
        if (pauses && rng_.Chance(0.05)) Pause(c);
        moved = Serve(c) || moved;
        done = done && Rests(c);
      }
      if (done) return true;
      if (moved) last = bench_.cycle();
      if (bench_.StandsStill(last, kStill)) {
        throw std::runtime_error(fmt::format("no record for more than {} cycles\n{}{}{}", kStill,
                                             WhoWaits(&bench_), program_.text, bench_.Dump()));
      }
      bench_.Step(static_cast<int>(rng_.Below(30)));
    }
    return false;
  }

  // Ends everything at once, by an abort or a reset of each channel. `reset_too`: after the aborts
  // everything is reset.
  void Cut(Disturbance how, bool reset_too) {
    const auto end = [this, how](int c, bool abort, driver::Timeout timeout) {
      return abort ? Driver(c).Abort(timeout)
                   : Driver(c).Reset(timeout, how == Disturbance::kFault);
    };
    const bool abort = how == Disturbance::kAbort;
    const uint64_t begin = bench_.cycle();
    // Most have not ended when it returns; the channel goes on with it.
    for (int c = 0; c < config_.channels(); ++c) (void)end(c, abort, driver::Timeout::Turns(0));
    for (int w = 0; w < config_.writes; ++w) bench_.source(w).DiscardUnsent();
    for (int c = 0; c < config_.channels(); ++c) Rest(c, end(c, abort, kDrained));
    seen_.cut_off = !abort && bench_.cycle() - begin >= static_cast<uint64_t>(config_.silence());
    for (int c = 0; c < config_.channels(); ++c) {
      // An event that others sent while they came to rest would start a task of the next program.
      if (reset_too || Told(c).trigger != 0) {
        Rest(c, end(c, false, kDrained));
      } else {
        bench_.Step(40);  // ERROR follows
      }
      PopAll(c);
      Seen(c).error = bench_.Get(At(c) + native::kError);
      Driver(c).TakeError();
    }
  }

  // The memory behind port 0 has broken a rule in this direction; `told`: a channel must say so.
  void Spoil(Direction way, bool told) {
    seen_.spoilt = way;
    seen_.told = told;
  }
  // Compares what came with the model.
  void Compare(bool cut, ProgramResult* result) {
    seen_.cut = cut;
    StreamBeats accepted;
    for (int w = 0; !cut && w < config_.writes; ++w)
      accepted.push_back(AcceptedBeats(bench_, seen_, w));
    const WovenModel model(config_, program_, cut ? PlannedBeats(config_, program_) : accepted,
                           *before_, errors_);
    std::string message;
    if (!model->Finished()) {
      for (int c = 0; c < config_.channels(); ++c) {
        const std::string waits = model->WhoWaits(c);
        if (!waits.empty()) message += waits + "\n";
      }
      message += "the model does not come to an end\n";
    }
    const WovenCompared compared = CompareWoven(&bench_, &software_, program_, model, seen_);
    for (const std::string& difference : compared.differences) message += difference + "\n";
    if (!message.empty()) message += program_.text;
    if (!cut && compared.compared == 0) message += "nothing was compared";
    result->message += message;
    result->executions += model->executed();
    result->compared += compared.compared;
    result->errors += compared.bus_errors;
    result->faults += compared.faults;
    result->cycles = bench_.cycle();
  }

 private:
  struct Channel {
    size_t pushed = 0;
    uint64_t fire_again = 0;
  };

  Direction Way(int c) const { return c < config_.reads ? Direction::kRead : Direction::kWrite; }
  int Number(int c) const { return c < config_.reads ? c : c - config_.reads; }
  uint32_t At(int c) const { return native::ChannelOf(config_, c); }
  Software::Channel& Driver(int c) { return software_.channel(Way(c), Number(c)); }
  WovenSeen::Channel& Seen(int c) { return seen_.channels[static_cast<size_t>(c)]; }
  const DmaProgram::Channel& Told(int c) const { return program_.channels[static_cast<size_t>(c)]; }

  // A channel is told what it is, by the driver.
  void SetUp(int c) {
    const DmaProgram::Channel& told = Told(c);
    Software::Must(Driver(c).SetStanding(told.weight, 0, 0, 0, told.controller), "SetStanding");
    if (config_.triggers) Software::Must(Driver(c).SetTrigger(told.trigger), "SetTrigger");
    if (told.silent_ends) software_.PushByRegister(Way(c), Number(c));
    if (!told.list.empty()) software_.SetArray(Way(c), Number(c), told.list_base, told.list);
  }
  void Rest(int c, const driver::Status& status) {
    if (status.ok()) return;
    throw std::runtime_error(fmt::format("channel {} does not come to rest: {}\n{}", c,
                                         driver::Text(status.reason()), WhoWaits(&bench_)));
  }

  // A register write of the driver, on AXI4-Lite or as a control packet.
  void Poke(uint32_t address, uint32_t value) {
    for (int c = 0; c < config_.channels(); ++c) {
      if (address == At(c) + native::kIrqStatus) Seen(c).interrupts |= value;
    }
    if (!packets_ || rng_.Chance(0.5)) {
      bench_.Set(address, value);
      return;
    }
    std::vector<uint32_t> packet{Sealed(static_cast<uint32_t>(rng_.Below(32)))};
    packet.push_back(Sealed(address));
    packet.push_back(value);
    bench_.control().Push(packet);
    if (!bench_.Until([this] { return bench_.control().empty(); }, 5000)) {
      throw std::runtime_error("a control packet is not taken");
    }
  }

  bool Serve(int c) {
    Channel& channel = channels_[static_cast<size_t>(c)];
    const auto& tasks = Told(c).tasks;
    const uint32_t status = bench_.Get(At(c) + native::kStatus);
    bool moved = false;
    packets_ = config_.control_packets;
    if (channel.pushed < tasks.size() &&
        software_.Push(Way(c), Number(c), tasks[channel.pushed].task, tasks[channel.pushed].tag)) {
      ++channel.pushed;
      moved = true;
    }
    packets_ = false;
    if ((status & 15) == 1 && bench_.cycle() > channel.fire_again) moved = Event(c) || moved;
    return PopAll(c) || moved;
  }
  // Gives a channel the event of software or of a pin that it waits for.
  bool Event(int c) {
    const uint32_t source = bench_.Get(At(c) + native::kTrigger);
    if (source < 0x10 || source >= 0x30) return false;
    if (source >= 0x20) {
      packets_ = config_.control_packets;
      Software::Must(software_.device().Trigger(source - 0x20), "Device::Trigger");
      packets_ = false;
    } else {
      bench_.dma().triggers = static_cast<uint16_t>(1U << (source - 0x10));
      bench_.Step(static_cast<int>(rng_.Between(4, 8)));
      bench_.dma().triggers = 0;
    }
    bench_.Step(16);  // until STATUS follows
    channels_[static_cast<size_t>(c)].fire_again = bench_.cycle();
    return true;
  }
  bool PopAll(int c) {
    std::vector<native::Record>& records = Seen(c).records;
    const size_t before = records.size();
    while (auto record = software_.Pop(Way(c), Number(c))) records.push_back(std::move(*record));
    return records.size() != before;
  }
  bool Rests(int c) {
    const Channel& channel = channels_[static_cast<size_t>(c)];
    if (channel.pushed < Told(c).tasks.size()) return false;
    return !registers::channel::Status{bench_.Get(At(c) + native::kStatus)}.busy() && !PopAll(c);
  }
  // The driver would take the records, of tasks that it has not pushed.
  void Drain(int c, uint32_t turns) {
    const uint32_t control = At(c) + native::kControl;
    bench_.Set(control, bench_.Get(control) | registers::channel::Control::kDrainMask);
    for (uint32_t n = 0; n < turns; ++n) {
      if ((bench_.Get(At(c) + native::kStatus) & registers::channel::Status::kIdleMask) != 0)
        return;
    }
  }
  void Pause(int c) {
    const auto turns = static_cast<uint32_t>(rng_.Below(20));
    if (rng_.Chance(0.5)) {
      const driver::Status status = Driver(c).Pause(driver::Timeout::Turns(turns));
      if (status.reason() != driver::Reason::timeout) Software::Must(status, "a pause");
    } else {
      Drain(c, turns);
    }
    bench_.Step(static_cast<int>(rng_.Below(80)));
    Driver(c).Resume();
  }

  DmaBench& bench_;
  const DmaConfig config_;
  Software software_;
  Rng rng_;
  DmaProgram program_;
  bool surplus_;
  std::vector<model::ErrorRange> errors_;  // where memory answers with one
  bool packets_ = false;                   // writes of the driver may go as control packets
  std::unique_ptr<Memory> before_;
  std::vector<Channel> channels_;
  WovenSeen seen_;
};

}  // namespace

// What the memory behind port 0 does once, at some moment of the first program.
AxiFault DrawFault(Rng rng, const DmaConfig& config) {
  using Kind = AxiFault::Kind;
  constexpr Kind kKinds[] = {Kind::kEarlyLast,    Kind::kCutShort,     Kind::kNoLast,
                             Kind::kLongBurst,    Kind::kUnaskedData,  Kind::kStrayData,
                             Kind::kSilentData,   Kind::kLostData,     Kind::kEarlyAnswer,
                             Kind::kStrayAnswer,  Kind::kSilentAnswer, Kind::kLostAnswer,
                             Kind::kUnaskedAnswer};
  return {.kind = kKinds[rng.Below(std::size(kKinds))],
          .from = rng.Between(1, 10000),
          .cycles = static_cast<uint64_t>(config.silence()) + rng.Between(300, 2000)};
}
bool IsOfReads(AxiFault::Kind kind) { return kind < AxiFault::Kind::kErrorAnswer; }
// An error of the bus may reach the transfer before or behind its own: all bursts of a port have
// one ID.
bool ShiftsAnswers(AxiFault::Kind kind) {
  using Kind = AxiFault::Kind;
  return kind == Kind::kUnaskedData || kind == Kind::kLostData || kind == Kind::kUnaskedAnswer ||
         kind == Kind::kEarlyAnswer || kind == Kind::kLostAnswer;
}
// A channel must say so. What comes too often or too early may be taken for the answer to another
// burst; what does not come is missed when nothing has moved for long enough.
bool MustBeTold(const AxiTamper::Hit& hit, int silence) {
  using Kind = AxiFault::Kind;
  switch (hit.fault.kind) {
    case Kind::kUnaskedData:
    case Kind::kUnaskedAnswer:
    case Kind::kEarlyAnswer:
      return false;
    case Kind::kSilentData:
    case Kind::kSilentAnswer:
      return hit.still < hit.fault.cycles && hit.still > static_cast<uint64_t>(silence) + 50;
    case Kind::kLostData:
    case Kind::kLostAnswer:
      return hit.still > static_cast<uint64_t>(silence) + 50;
    default:
      return true;
  }
}

ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       Draws draws, const std::string& waveform, const std::string& keep) {
  WovenLook look;
  look.start_up = seed;
  look.draws = draws;
  look.keep = keep;
  look.begin = [&](DmaBench& bench) {
    if (!waveform.empty()) bench.dma().Trace(waveform);
  };
  return RunWoven(build, seed, disturbance, look);
}

ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       const WovenLook& look) {
  ProgramResult result;
  try {
    std::unique_ptr<Dma> dma = MakeDma(build, look.start_up);
    const DmaConfig config = dma->config();
    Rng rng = Rng(seed).Stream("disturbance");
    DmaBenchOptions options = DrawBench(config, seed);
    if (rng.Chance(0.5)) options.tokens = PacerSpec::Probability(0.1);
    if (rng.Chance(0.5)) options.control = PacerSpec::Probability(0.3);
    const bool faulty = disturbance == Disturbance::kFault;
    if (faulty && !config.guard)
      throw std::invalid_argument("a build without guards trusts its memory");
    const bool cut = Cuts(disturbance);
    options.faults = look.faults;
    if (faulty) options.faults = {DrawFault(Rng(seed).Stream("fault"), config)};
    DmaProgram program = DrawWoven(config, seed), again;
    std::vector<model::ErrorRange> errors;
    if (cut) again = DrawWovenAgain(config, seed);
    Rng bus = Rng(seed).Stream("errors of the bus");
    if (cut && look.draws == Draws::kRare && bus.Chance(0.6) &&
        !(faulty && ShiftsAnswers(options.faults.front().kind))) {
      errors = DrawBusErrors(bus.Stream("places"), config, std::vector{program, again});
      options.memory.errors = RulesOf(errors, errors);
    }
    if (!look.keep.empty()) {
      Parts parts = PartsOf(config, program, cut ? &again : nullptr);
      parts.Keep(look.keep);
      Reduce(parts, config, "", &program);
      if (cut) Reduce(parts, config, "2/", &again);
      Reduce(parts, &options);
    }
    DmaBench bench(std::move(dma), options);
    if (look.begin) look.begin(bench);
    Run first(&bench, std::move(program), seed, false, errors);
    first.Prepare();
    if (!look.keep.empty()) first.NeedEnd();
    bool done = first.Go(cut ? rng.Between(1, 6000) : ~uint64_t{0} >> 1,
                         disturbance == Disturbance::kPause);
    bench.Disarm();
    if (faulty && !bench.hits().empty() && !options.faults.front().stray()) {
      const AxiFault& fault = options.faults.front();
      first.Go(2 * fault.cycles, false);  // until it is told
      first.Spoil(IsOfReads(fault.kind) ? Direction::kRead : Direction::kWrite,
                  MustBeTold(bench.hits().front(), config.silence()));
      done = false;
    }
    // A program that was aborted may be followed by the next one without a reset between them.
    const bool reset_too = faulty || look.draws == Draws::kPlain || bus.Chance(0.5);
    if (cut && !done) first.Cut(disturbance, reset_too);
    bench.Step(200);
    first.Compare(!done, &result);
    if (!cut) {
      if (look.end) look.end(bench);
      return result;
    }
    // What it left of a beat, and what ERROR says of it, are not the business of the next one.
    if (done) first.Cut(Disturbance::kReset, true);
    Run second(&bench, std::move(again), seed, true, errors);
    second.Prepare();
    if (!look.keep.empty()) second.NeedEnd();
    second.Go(~uint64_t{0} >> 1, false);
    bench.Step(200);
    second.Compare(false, &result);
    if (look.end) look.end(bench);
  } catch (const std::exception& error) {
    result.message += error.what();
  }
  return result;
}

}  // namespace tessera
