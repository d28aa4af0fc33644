// Random programs: drawn, run, compared with the model of the device.
#include "tb/dma/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>

#include "tb/check/encode.h"
#include "tb/dma/program_parts.h"
#include "tb/dma/rare_program.h"
#include "tb/dma/software.h"
#include "tb/dma/victim.h"
#include "tb/dma/who_waits.h"
#include "tb/dma/woven_compare.h"
#include "tb/model/walk.h"
#include "tb/random/place.h"

namespace tessera {
namespace {

using native::Descriptor;

constexpr uint64_t kListBase = 0x0800'0000, kReadBase = 0x1000'0000, kWriteBase = 0x4000'0000,
                   kApart = 0x0400'0000;
constexpr int kPartBits = 31;       // of an address: all of these
constexpr uint64_t kStill = 60000;  // without a record, and without a move

// No element is farther from the base than this.
uint64_t Reach(const model::Transfer& t) {
  uint64_t reach = 0;
  for (size_t d = 0; d < model::kDims; ++d) {
    reach += (t.count[d] + static_cast<uint64_t>(std::abs(int64_t{t.start[d]}))) *
             static_cast<uint64_t>(std::abs(t.stride[d]));
  }
  for (const auto& level : t.walk) {
    if (!level) continue;
    reach += level->count * static_cast<uint64_t>(std::abs(int64_t{level->step})) *
             static_cast<uint64_t>(std::abs(t.stride[static_cast<size_t>(level->dim)]));
  }
  return reach;
}

// What the transfers of a channel may be: legal, and not of the kinds that need another pair.
model::Transfer DrawTransfer(Rng& rng, const DmaConfig& config, Direction direction, int number) {
  const uint64_t base =
      DrawAbove(rng, config) +
      (direction == Direction::kRead
           ? kReadBase + rng.Below(0x10000)
           : kWriteBase + kApart * static_cast<uint64_t>(number) + rng.Below(0x10000));
  for (;;) {
    model::Transfer t = RandomTransfer(rng, config.channel, base, rng.Between(1, 150));
    t.offset = 0;
    t.task_end = false;
    const bool small = std::all_of(t.stride.begin(), t.stride.end(),
                                   [](int64_t s) { return s == static_cast<int32_t>(s); });
    if (model::Validate(t, BuildOf(config.channel)) || model::Positions(t) > 4000) continue;
    if (!config.channel.bounds && (!small || t.fill != 0 || t.start != decltype(t.start){}))
      continue;
    if (Reach(t) < kApart / 8) return t;
  }
}

}  // namespace

uint64_t DrawAbove(Rng& rng, const DmaConfig& config) {
  return rng.Chance(0.7) ? DrawMultiple(rng, kPartBits, config.channel.addr_width) : 0;
}

Descriptor DrawDescriptor(Rng& rng, const DmaConfig& config, Direction direction, int number,
                          int lock) {
  Descriptor d;
  d.transfer = DrawTransfer(rng, config, direction, number);
  if (direction == Direction::kRead) {
    Rng ends = Rng(d.transfer.base).Stream("ends");
    d.transfer.last_rule = static_cast<model::LastRule>(ends.Below(4));
    d.transfer.last_level = static_cast<int>(ends.Chance(0.7) ? ends.Below(4) : ends.Below(8));
    d.transfer.join_next = ends.Chance(0.4);
  }
  if (lock >= 0 && rng.Chance(0.7)) {
    d.acquire = native::LockOp{lock, -1};
    d.release = {lock, 1};
  }
  if (rng.Chance(0.3)) {
    d.iteration_size = static_cast<int>(rng.Between(0, 5));
    d.iteration_step = static_cast<int32_t>(rng.Below(20000)) - 10000;
  }
  // A record that nobody asked for and that comes because of its status belongs to one execution of
  // many.
  d.no_record = rng.Chance(0.1) && d.transfer.finish == model::Finish::kLength &&
                direction == Direction::kRead;
  d.interrupt = rng.Chance(0.2);
  d.side = static_cast<uint32_t>(rng());
  return d;
}

DmaBenchOptions DrawBench(const DmaConfig& config, uint64_t seed) {
  Rng rng = Rng(seed).Stream("options");
  DmaBenchOptions options;
  options.seed = seed;
  // A guard takes the longest waits of a random memory for a fault unless it is patient.
  const bool patient = !config.guard || config.silence() >= 4000;
  options.memory = !patient || rng.Chance(0.5)
                       ? AxiMemoryOptions::Latency(static_cast<uint32_t>(rng.Between(1, 60)))
                       : AxiMemoryOptions::Random(rng);
  options.memory.reorder = false;
  // One that serves a long slow burst, and nothing else meanwhile, tires any guard.
  if (config.guard && options.memory.service != AxiMemoryOptions::Service::kParallel)
    options.memory.r = options.memory.w = PacerSpec();
  if (rng.Chance(0.5)) options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-20");
  if (rng.Chance(0.5)) options.source.pacer = PacerSpec::Parse("bursts=1-8/0-20");
  return options;
}

DmaProgram DrawProgram(const DmaConfig& config, uint64_t seed, Draws draws) {
  Rng rng = Rng(seed).Stream("program");
  DmaProgram program;
  program.locks.resize(static_cast<size_t>(config.locks));
  program.streams.resize(static_cast<size_t>(config.writes));
  const int part = config.descriptors / config.channels();
  for (int c = 0; c < config.channels(); ++c) {
    DmaProgram::Channel channel;
    const Direction way = c < config.reads ? Direction::kRead : Direction::kWrite;
    const int of_way = c < config.reads ? c : c - config.reads;
    if (c < config.locks && rng.Chance(0.6)) {
      channel.lock = c;
      program.locks[static_cast<size_t>(c)] = static_cast<int>(rng.Between(1, 3));
    }
    channel.list_base = kListBase + 0x10000 * static_cast<uint64_t>(c);
    channel.list_anywhere = true;
    channel.silent_ends = rng.Chance(0.15);
    // Chains over the channel's part of the descriptors.
    std::vector<int> starts;
    for (int next = 0; next < part;) {
      const int length =
          static_cast<int>(rng.Between(1, static_cast<uint64_t>(std::min(4, part - next))));
      starts.push_back(c * part + next);
      for (int n = 0; n < length; ++n, ++next) {
        const int number = c * part + next;
        Descriptor d = DrawDescriptor(rng, config, way, of_way, channel.lock);
        if (n + 1 < length) {
          d.next = number + 1;
        } else if (!channel.silent_ends) {
          d.no_record = false;
        }
        program.descriptors.emplace_back(number, d);
      }
    }
    for (uint64_t n = config.lists && rng.Chance(0.6) ? rng.Between(1, 12) : 0; n > 0; --n) {
      Descriptor d = DrawDescriptor(rng, config, way, of_way, channel.lock);
      d.iteration_size = 0;
      if (n == 1 && !channel.silent_ends) d.no_record = false;
      channel.list.push_back(std::move(d));
    }
    for (uint64_t n = rng.Between(1, 6); n > 0; --n) {
      native::Task task;
      task.from_list = !channel.list.empty() && rng.Chance(0.5);
      task.start = starts[rng.Below(starts.size())];
      task.repeats = static_cast<int>(rng.Chance(0.5) ? 1 : rng.Between(1, 5));
      channel.tasks.push_back({static_cast<uint32_t>(rng()), task});
    }
    program.channels.push_back(std::move(channel));
  }
  const Rng rare = Rng(seed).Stream("rare program");
  if (draws == Draws::kRare && rare.Stream("any").Chance(0.4))
    DrawRareProgram(rare, config, &program);
  return program;
}

// Moves about half of the transfers into the on-chip buffer, those of each write channel and those
// of all read channels into a part of their own.
void MoveOnChip(Rng rng, const DmaConfig& config, DmaProgram* program) {
  const uint64_t part = config.onchip_bytes() / (1 + static_cast<uint64_t>(config.writes));
  const auto move = [&](int c, Descriptor* d) {
    model::Transfer& t = d->transfer;
    const uint64_t reach = Reach(t) + static_cast<uint64_t>(t.elem) +
                           static_cast<uint64_t>(std::max(d->iteration_size, 0)) *
                               static_cast<uint64_t>(std::abs(int64_t{d->iteration_step}));
    if (reach + 64 > part / 2 || rng.Chance(0.4)) return;
    const auto place = static_cast<uint64_t>(std::max(0, c + 1 - config.reads));
    t.base = config.onchip_first() + part * place + part / 2 + rng.Below(64);
  };
  for (size_t c = 0; c < program->channels.size(); ++c) {
    for (Descriptor& d : program->channels[c].list) move(static_cast<int>(c), &d);
  }
  const int each = config.descriptors / config.channels();
  for (auto& [number, d] : program->descriptors) move(number / each, &d);
}

namespace {

class Run {
 public:
  Run(std::unique_ptr<Dma> dma, const DmaBenchOptions& options, DmaProgram program)
      : rng_(Rng(options.seed).Stream("run")),
        bench_(std::move(dma), options),
        software_(&bench_),
        program_(std::move(program)),
        executions_(ExecutionsOf(bench_.config(), program_)),
        state_(program_.channels.size()) {
    seen_.channels.resize(program_.channels.size());
    seen_.sink_beats.resize(static_cast<size_t>(bench_.config().reads));
    seen_.source_beats.resize(static_cast<size_t>(bench_.config().writes));
    seen_.errors.resize(static_cast<size_t>(bench_.config().ports));
    software_.bus().write = [this](uint32_t address, uint32_t value) {
      for (int c = 0; c < bench_.config().channels(); ++c) {
        if (address != native::ChannelOf(bench_.config(), c) + native::kIrqStatus) continue;
        seen_.channels[static_cast<size_t>(c)].interrupts |= value;
      }
      bench_.Set(address, value);
    };
  }
  // From the first moment on this channel is stopped again and again.
  void Spoil(size_t c) {
    const uint64_t base = kWriteBase + kApart * static_cast<uint64_t>(NumberOf(c));
    Victim::Part part;  // one that sends writes nowhere
    if (WayOf(c) == Direction::kWrite) part = {base - kApart / 4, base + kApart / 4, kPartBits};
    seen_.spoilt_channel = static_cast<int>(c);
    victim_.emplace(&bench_, program_, c, part, rng_.Stream("victim"));
    program_.channels[c].tasks.clear();
  }
  DmaBench& bench() { return bench_; }

  ProgramResult Go() {
    ProgramResult result;
    bench_.FillOnChip();
    Prepare();
    const Memory before = bench_.memory();
    uint64_t last = bench_.cycle();
    while (!Finished()) {
      bool moved = false;
      for (size_t c = 0; c < state_.size(); ++c) moved = (!Spoilt(c) && Serve(c)) || moved;
      if (victim_) victim_->Serve();
      if (moved) last = bench_.cycle();
      if (bench_.StandsStill(last, kStill)) {
        result.message = fmt::format("no record for more than {} cycles\n{}{}", kStill,
                                     WhoWaits(&bench_), Describe());
        return result;
      }
      bench_.Step(static_cast<int>(rng_.Below(30)));
    }
    if (victim_) victim_->Finish();
    bench_.Step(200);
    Compare(before, &result);
    return result;
  }

 private:
  struct State {
    size_t pushed = 0;  // tasks
    bool done = false;
  };

  Direction WayOf(size_t c) const {
    return static_cast<int>(c) < bench_.config().reads ? Direction::kRead : Direction::kWrite;
  }
  int NumberOf(size_t c) const {
    const int number = static_cast<int>(c);
    return WayOf(c) == Direction::kRead ? number : number - bench_.config().reads;
  }
  uint32_t At(size_t c) const { return native::ChannelOf(bench_.config(), static_cast<int>(c)); }
  // Its descriptors take of this lock.
  void SetLockOf(size_t c) {
    const int lock = program_.channels[c].lock;
    if (lock >= 0) software_.SetLock(lock, program_.locks[static_cast<size_t>(lock)]);
  }

  void Prepare() {
    for (const auto& [number, descriptor] : program_.descriptors)
      software_.Write(number, descriptor);
    for (size_t c = 0; c < state_.size(); ++c) {
      if (program_.channels[c].silent_ends || Spoilt(c))
        software_.PushByRegister(WayOf(c), NumberOf(c));
      SetLockOf(c);
    }
    for (size_t c = 0; c < state_.size(); ++c) {
      DmaProgram::Channel& channel = program_.channels[c];
      for (int n = 0; WayOf(c) == Direction::kWrite && n < (Spoilt(c) ? 30 : 1); ++n) Feed(c);
      const uint64_t drawn = channel.list.empty() ? 0
                                                  : DrawAbove(rng_, bench_.config()) + kListBase +
                                                        0x10000 * c + 64 * rng_.Below(100);
      if (channel.list_anywhere) channel.list_base = drawn;
      if (bench_.config().windows > 0 && !Spoilt(c)) Narrow(c);
      if (channel.list.empty()) continue;
      software_.SetArray(WayOf(c), NumberOf(c), channel.list_base, channel.list);
    }
  }
  // Windows of no page more than the ends of what a channel touches, and as many gaps as fit.
  void Narrow(size_t c) {
    const DmaProgram::Channel& channel = program_.channels[c];
    const model::Build build = BuildOf(bench_.config().channel);
    constexpr uint64_t kPage = 0x1000;
    std::set<uint64_t> pages;
    const auto touch = [&](uint64_t first, uint64_t bytes) {
      for (uint64_t n = 0; n < bytes + kPage - 1; n += kPage) {
        pages.insert((first + std::min(n, bytes - 1)) & build.AddressMask() & ~(kPage - 1));
      }
    };
    for (const DeviceExecution& e : executions_[c]) {
      const model::Transfer& t = e.transfer;
      model::Walk(t, build, [&](const model::Position& p) {
        if (p.valid) touch(p.addr, static_cast<uint64_t>(t.elem));
        return true;
      });
    }
    if (!channel.list.empty()) touch(channel.list_base, channel.list.size() * native::kListPitch);
    std::vector<std::pair<uint64_t, uint64_t>> windows;
    for (const uint64_t page : pages) windows.emplace_back(page, page);
    while (windows.size() > static_cast<size_t>(bench_.config().windows)) {
      size_t least = 1;
      for (size_t n = 2; n < windows.size(); ++n) {
        if (windows[n].first - windows[n - 1].second <
            windows[least].first - windows[least - 1].second)
          least = n;
      }
      windows[least - 1].second = windows[least].second;
      windows.erase(windows.begin() + static_cast<std::ptrdiff_t>(least));
    }
    software_.SetWindows(WayOf(c), NumberOf(c), windows);
  }
  // The stream of a write channel: what its executions take, in packets where they end on TLAST.
  void Feed(size_t c) {
    const int stream = NumberOf(c);
    StreamSource& source = bench_.source(stream);
    source.SetSides([stream](uint64_t, uint64_t) { return StreamSide(stream); });
    for (const DeviceExecution& e : executions_[c]) {
      const model::Transfer& t = e.transfer;
      const uint64_t room = model::Positions(t) * static_cast<uint64_t>(t.elem);
      if (model::IsEmpty(t)) continue;
      uint64_t bytes = room;
      PieceEnd end = rng_.Chance(0.5) ? PieceEnd::kBeat : PieceEnd::kLast;
      if (t.finish == model::Finish::kLast) {
        bytes = rng_.Chance(0.5) ? room : rng_.Between(1, room + (rng_.Chance(0.2) ? 40 : 0));
        end = PieceEnd::kLast;
      }
      std::vector<uint8_t> data(bytes);
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng_());
      source.Push(data, end);
    }
  }

  bool Spoilt(size_t c) const { return seen_.spoilt_channel == static_cast<int>(c); }

  bool Finished() const {
    for (size_t c = 0; c < state_.size(); ++c) {
      if (!Spoilt(c) && !state_[c].done) return false;
    }
    return true;
  }
  bool Serve(size_t c) {
    const auto& tasks = program_.channels[c].tasks;
    State& s = state_[c];
    bool moved = false;
    if (s.pushed < tasks.size() &&
        software_.Push(WayOf(c), NumberOf(c), tasks[s.pushed].task, tasks[s.pushed].tag)) {
      ++s.pushed;
      moved = true;
    }
    s.done = s.pushed == tasks.size() && Idle(At(c));
    while (const auto record = software_.Pop(WayOf(c), NumberOf(c))) {
      moved = true;
      s.done = false;
      seen_.channels[c].records.push_back(*record);
    }
    return moved;
  }
  bool Idle(uint32_t at) {
    return !registers::channel::Status{bench_.Get(at + native::kStatus)}.busy() &&
           (bench_.Get(at + native::kRecord) >> 31) == 0;
  }

  void Compare(const Memory& before, ProgramResult* result) {
    StreamBeats accepted;
    for (int w = 0; w < bench_.config().writes; ++w) {
      accepted.push_back(AcceptedBeats(bench_, seen_, w));
    }
    const WovenModel model(bench_.config(), program_, accepted, before, {});
    bench_.GatherOnChip(model.memory());
    std::optional<Memory> hidden;
    if (victim_) {
      hidden.emplace(victim_->Hide(before, bench_.memory()));
      seen_.memory = &*hidden;
      result->stops = victim_->stops();
      SetLockOf(static_cast<size_t>(*seen_.spoilt_channel));
    }
    const WovenCompared compared = CompareWoven(&bench_, &software_, program_, model, seen_);
    for (const std::string& line : compared.differences) result->message += line + "\n";
    result->executions = model->executed();
    result->compared = compared.compared;
    result->cycles = bench_.cycle();
    if (result->compared == 0) result->message += "nothing was compared";
  }

  std::string Describe() {
    std::string text = bench_.Dump();
    for (size_t c = 0; c < state_.size(); ++c) {
      const uint32_t at = At(c);
      text += fmt::format(
          "channel {}: {} of {} transfers have records, {} of {} tasks, STATUS {:#x}, ERROR {:#x}, "
          "INFO {:#x}\n",
          c, seen_.channels[c].records.size(), executions_[c].size(), state_[c].pushed,
          program_.channels[c].tasks.size(), bench_.Get(at + native::kStatus),
          bench_.Get(at + native::kError), bench_.Get(at + native::kErrorInfo));
    }
    return text;
  }

  Rng rng_;
  DmaBench bench_;
  Software software_;
  DmaProgram program_;
  std::vector<std::vector<DeviceExecution>> executions_;
  std::vector<State> state_;
  WovenSeen seen_;
  std::optional<Victim> victim_;
};

ProgramResult RunDrawn(const std::string& build, uint64_t seed, Draws draws, bool victim,
                       const std::string& waveform, const std::string& keep) {
  ProgramResult result;
  try {
    std::unique_ptr<Dma> dma = MakeDma(build, seed);
    const DmaConfig config = dma->config();
    DmaProgram program = DrawProgram(config, seed, draws);
    if (config.onchip_bytes() > 0 && !victim)
      MoveOnChip(Rng(seed).Stream("on chip"), config, &program);
    DmaBenchOptions options = DrawBench(config, seed);
    if (!keep.empty()) {
      Parts parts = PartsOf(config, program);
      parts.Keep(keep);
      Reduce(parts, config, "", &program);
      Reduce(parts, &options);
    }
    Run run(std::move(dma), options, std::move(program));
    if (victim) {
      run.Spoil(static_cast<size_t>(
          Rng(seed).Stream("victim").Below(static_cast<uint64_t>(config.channels()))));
    }
    if (!waveform.empty()) run.bench().dma().Trace(waveform);
    result = run.Go();
  } catch (const std::exception& error) {
    result.message = error.what();
  }
  return result;
}

}  // namespace

ProgramResult RunProgram(const std::string& build, uint64_t seed, Draws draws,
                         const std::string& waveform, const std::string& keep) {
  return RunDrawn(build, seed, draws, false, waveform, keep);
}

ProgramResult RunWithVictim(const std::string& build, uint64_t seed, const std::string& waveform,
                            const std::string& keep) {
  return RunDrawn(build, seed, Draws::kPlain, true, waveform, keep);
}

}  // namespace tessera
