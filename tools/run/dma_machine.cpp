// A tessera_dma with memory and streams around it, and software on its driver (sw/driver).
//
// It reads the capabilities, opens the windows, sets locks, triggers and interrupts, writes
// descriptors, pushes a task when the queue has room, and takes records when the interrupt line
// says so. Between this it reads STATUS of each channel, the counters and the locks: what it sees
// is the timeline of the run. It uses registers alone. Channels whose tasks end without a record,
// which the driver does not take, are pushed by register.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <stdexcept>
#include <utility>

#include "tb/check/encode.h"
#include "tb/dma/dma_bench.h"
#include "tb/dma/software.h"
#include "tb/dma/who_waits.h"
#include "tb/sim/counted.h"
#include "tools/run/dma_probe.h"
#include "tools/run/machine.h"

namespace tessera::cli {
namespace {

constexpr int kPause = 24;   // cycles until software looks again whether there is room
constexpr int kPinHigh = 8;  // cycles
constexpr uint32_t kPacketControl = 0x50, kPacketFirst = 0x54, kPacketLast = 0x58,
                   kPacketStatus = 0x5c;
constexpr int kErrorLate = 40;  // cycles until ERROR follows STATUS

DmaBenchOptions OptionsOf(const Prepared& p) {
  DmaBenchOptions options;
  options.seed = p.job.seed;
  options.memory = p.job.bus;
  options.memory.errors = RulesOf(p.read_errors, p.write_errors);
  return options;
}

// Whose write data pass on a port: they follow the addresses as these show.
struct Owners {
  std::deque<int> ids;
  bool shown = false;
};

// A place of a ring, as the driver writes it.
struct alignas(64) RingPlace {
  std::array<uint8_t, job::List::kListPitch> bytes{};
};

// Completion entries, as the driver reads them.
struct alignas(64) EntryLine {
  std::array<uint8_t, 64> bytes{};
};

// The ring of a channel: the driver's, whose memory is brought to that of the bench and back.
class Ring {
 public:
  Ring(Software::Channel* channel, DmaBench* bench, const PreparedChannel& c)
      : bench_(*bench),
        list_(*c.channel->list),
        descriptors_(c.list),
        places_(list_.places),
        entries_((size_t{list_.places} * job::List::kEntry + sizeof(EntryLine) - 1) /
                 sizeof(EntryLine)),
        ring_(*channel) {
    if (list_.entries) LoadEntries();
    Software::Must(list_.entries
                       ? ring_.Start(places_.data(), list_.base, list_.places, entries_.data(),
                                     *list_.entries, static_cast<uint8_t>(list_.interrupt))
                       : ring_.Start(places_.data(), list_.base, list_.places),
                   "DescriptorRing::Start of " + c.channel->name);
  }

  // Adds as many as there is room for; how many they were.
  size_t Add(const driver::Capabilities& build) {
    const size_t before = added_;
    while (added_ < descriptors_.size()) {
      const driver::Status status = ring_.Add(Built(descriptors_[added_], build));
      if (status.reason() == driver::Reason::ring_full) break;
      Software::Must(status, "DescriptorRing::Add");
      const size_t place = added_++ % places_.size();
      bench_.memory().Load(list_.base + place * sizeof(RingPlace), places_[place].bytes);
    }
    if (added_ > before) ring_.Ring();
    return added_ - before;
  }
  // The next completion entry.
  bool Take(driver::RingEntry* entry) {
    if (!list_.entries) return false;
    auto* bytes = entries_.data()->bytes.data();
    const uint64_t size = uint64_t{list_.places} * job::List::kEntry;
    bench_.memory().Read(*list_.entries, std::span(bytes, size));
    return ring_.Take(*entry);
  }
  size_t added() const { return added_; }
  // Ends its task, which has nothing left to do.
  void Stop() { Software::Must(ring_.Stop(), "DescriptorRing::Stop"); }

 private:
  void LoadEntries() {
    const std::vector<uint8_t> zeros(size_t{list_.places} * job::List::kEntry);
    bench_.memory().Load(*list_.entries, zeros);
  }

  DmaBench& bench_;
  const job::List& list_;
  const std::vector<native::Descriptor>& descriptors_;
  std::vector<RingPlace> places_;
  std::vector<EntryLine> entries_;
  driver::DescriptorRing<Software::Channel, job::List::kListPitch> ring_;
  size_t added_ = 0;
};

class DmaMachine final : public Machine {
 public:
  explicit DmaMachine(const Prepared& p)
      : p_(p),
        config_(*p.hardware.dma),
        bench_(MakeDma(p.config().name, p.job.seed), OptionsOf(p)),
        probe_(config_),
        sampler_(config_, probe_, p, &figures_.timeline),
        owners_(static_cast<size_t>(config_.ports)),
        patience_((p.job.timeout + 4 * uint64_t{p.job.bus.latency_max}) *
                  static_cast<uint64_t>(config_.streams())) {
    for (const PreparedChannel& c : p.channels) {
      Channel& channel = channels_.emplace_back();
      channel.prepared = &c;
      channel.at = native::Channel(c.channel->direction, c.channel->engine);
      channel.results.resize(c.steps.size());
      figures_.records.emplace_back(c.steps.size());
      SetEnds(*c.channel);
    }
    bench_.Watch([this](uint64_t cycle) { OnCycle(cycle); });
  }

  Ending Run() override {
    Ending ending;
    try {
      Load();
      Serve();
      Finish();
    } catch (const std::exception& error) {
      ending.failure = error.what();
    }
    ending.cycles = bench_.cycle();
    figures_.timeline.last = bench_.cycle();
    return ending;
  }
  void AddHook(Hook hook) override { hooks_.push_back(std::move(hook)); }
  void Trace(const std::string& path) override { bench_.dma().Trace(path); }
  Memory& memory() override { return bench_.memory(); }
  StreamSource& source(int k) override { return bench_.source(k); }
  StreamSink& sink(int k) override { return bench_.sink(k); }
  const std::vector<JobResult>& Results(int k, Direction direction) override {
    return std::find_if(channels_.begin(), channels_.end(),
                        [&](const Channel& c) {
                          return c.prepared->channel->engine == k &&
                                 c.prepared->channel->direction == direction;
                        })
        ->results;
  }
  Moved MovedNow(int k, Direction direction) override;
  std::vector<ErrorEvent> Errors() const override {
    std::vector<ErrorEvent> all;
    for (int p = 0; p < config_.ports; ++p) {
      const std::vector<ErrorEvent>& mine = bench_.errors(p);
      all.insert(all.end(), mine.begin(), mine.end());
    }
    return all;
  }
  const DmaFigures* dma() const override { return &figures_; }
  void Gather(const model::MemoryImage& expected) override { bench_.GatherOnChip(expected); }

 private:
  struct Channel {
    const PreparedChannel* prepared = nullptr;
    uint32_t at = 0;             // its first register
    size_t pushed = 0;           // tasks
    size_t recorded = 0;         // steps that have their record, or none
    driver::ChannelError error;  // the latest
    std::vector<JobResult> results;
    std::unique_ptr<Ring> ring;
    const std::string& name() const { return prepared->channel->name; }
    bool stops = false;    // software has stopped it
    bool stopped = false;  // and it has come to its end
    uint32_t level = 0;    // of CONTROL
    bool Done() const {
      if (stopped) return true;
      return (ring || pushed == prepared->pushes.size()) && recorded == prepared->steps.size();
    }
  };

  // ---- Environment
  void SetEnds(const job::Channel& channel);
  void OnCycle(uint64_t cycle);
  void FollowWrites();
  void DrivePins(uint64_t cycle);
  bool Progress();

  // ---- The program, through the driver
  void Load();
  void CheckCapabilities();
  void Serve();
  void SetList(Channel* channel);
  void Push(Channel* channel);
  void ServeRing(Channel* channel);
  Software::Channel& Driver(const Channel& channel) {
    const job::Channel& job = *channel.prepared->channel;
    return software_->channel(job.direction, job.engine);
  }
  void WriteDescriptor(const NumberedDescriptor& descriptor);
  void TakeRecords(Channel* channel);
  void NoteRecord(Channel* channel, const native::Record& record);
  void PassSilent(Channel* channel, const native::Record* record);
  void Interrupt();
  void FireEvents();
  void SendPacket(uint64_t cycle, size_t n);
  void Act();
  void EndEndless(Channel* channel);
  void NoteError(Channel* channel);
  void CheckStopped(Channel* channel);
  // Reads first.
  int PlaceOf(const Channel& channel) const {
    const job::Channel& job = *channel.prepared->channel;
    return job.direction == Direction::kWrite ? config_.reads + job.engine : job.engine;
  }
  void CheckPatience();
  void Finish();
  bool Done() const {
    return std::all_of(channels_.begin(), channels_.end(),
                       [](const Channel& c) { return c.Done(); });
  }
  uint64_t CycleOf(uint32_t stamp) const;

  const Prepared& p_;
  const DmaConfig& config_;
  DmaBench bench_;
  DmaProbe probe_;
  DmaFigures figures_;
  DmaSampler sampler_;
  std::optional<Software> software_;
  std::vector<Owners> owners_;
  std::vector<Channel> channels_;
  std::vector<Hook> hooks_;
  uint64_t patience_;
  uint64_t last_progress_ = 0;
  uint64_t counter_offset_ = 0;    // of the register CYCLES to the cycles of the simulation
  std::optional<uint64_t> begin_;  // cycle in which the program was loaded
  std::vector<size_t> next_event_;
  size_t next_action_ = 0;
};

void DmaMachine::SetEnds(const job::Channel& channel) {
  const Rng rng = Rng(p_.job.seed).Stream("stream ends", static_cast<uint64_t>(channel.engine));
  const int width = config_.channel.stream_bytes;
  Dma::Streams& streams = bench_.dma().streams(channel.engine);
  if (channel.direction == Direction::kRead) {
    StreamSinkOptions options;
    options.pacer = channel.stream.pacer;
    options.after_valid = channel.stream.after_valid;
    bench_.sink(channel.engine) = StreamSink(&streams.m_axis, width, options, rng.Stream("sink"));
    return;
  }
  StreamSourceOptions options;
  options.pacer = channel.stream.pacer;
  options.shape = channel.stream.shape;
  bench_.source(channel.engine) =
      StreamSource(&streams.s_axis, width, options, rng.Stream("source"));
  if (channel.stream.marks.empty()) return;
  bench_.source(channel.engine).SetSides([&channel](uint64_t packet, uint64_t beat) {
    const bool marked = beat == 0 && channel.stream.marks.contains(packet);
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(marked ? 1 : 0)};
  });
}

// ---- Every cycle

void DmaMachine::OnCycle(uint64_t cycle) {
  const AxiLitePort& registers = bench_.dma().registers();
  figures_.register_writes += registers.w.moves() ? 1 : 0;
  figures_.register_reads += registers.ar.moves() ? 1 : 0;
  counter_offset_ = cycle - probe_.cycles();
  probe_.OnCycle();
  sampler_.OnCycle(cycle);
  const Tick tick{cycle, false};
  for (const Hook& hook : hooks_) hook(tick);
  for (int p = 0; p < config_.ports; ++p) {
    const auto word = static_cast<uint64_t>(config_.channel.data_bytes);
    figures_.bytes_read += bench_.dma().port(p).r.moves() ? word : 0;
    figures_.bytes_written += bench_.dma().port(p).w.moves() ? word : 0;
  }
  FollowWrites();
  DrivePins(cycle);
  if (Progress()) last_progress_ = cycle;
}

// An address that shows is the next whose data come, whether it is taken or not.
void DmaMachine::FollowWrites() {
  for (int p = 0; p < config_.ports; ++p) {
    const AxiPort& bus = bench_.dma().port(p);
    Owners& owners = owners_[static_cast<size_t>(p)];
    if (bus.aw.valid && !owners.shown) owners.ids.push_back(bus.aw->id);
    owners.shown = bus.aw.waits();
    if (bus.w.moves() && bus.w->last && !owners.ids.empty()) owners.ids.pop_front();
  }
}

// The ID of a channel is its place on its port.
Moved DmaMachine::MovedNow(int k, Direction direction) {
  const bool write = direction == Direction::kWrite;
  const int each = (write ? config_.writes : config_.reads) / config_.ports;
  const int id = k % each;
  const int port = k / each;
  const AxiPort& bus = bench_.dma().port(port);
  const Dma::Streams& streams = bench_.dma().streams(k);
  if (!write) {
    return {bus.ar.moves() && bus.ar->id == id, bus.r.moves() && bus.r->id == id,
            streams.m_axis.moves()};
  }
  const Owners& owners = owners_[static_cast<size_t>(port)];
  const bool fresh = bus.aw.valid && !owners.shown && owners.ids.empty();
  const int owner = fresh ? bus.aw->id : owners.ids.empty() ? -1 : owners.ids.front();
  return {bus.aw.moves() && bus.aw->id == id, bus.w.moves() && owner == id, streams.s_axis.moves()};
}

bool DmaMachine::Progress() {
  for (int p = 0; p < config_.ports; ++p) {
    const AxiPort& bus = bench_.dma().port(p);
    if (bus.ar.moves() || bus.r.moves() || bus.aw.moves() || bus.w.moves() || bus.b.moves()) {
      return true;
    }
  }
  for (int k = 0; k < config_.streams(); ++k) {
    const Dma::Streams& streams = bench_.dma().streams(k);
    if (streams.m_axis.moves() || streams.s_axis.moves()) return true;
  }
  return false;
}

// Pins rise in their cycles; events of software are for the driver.
void DmaMachine::DrivePins(uint64_t cycle) {
  if (!begin_) return;
  for (size_t n = 0; n < p_.job.events.size(); ++n) {
    const job::Event& event = p_.job.events[n];
    if (event.packet) SendPacket(cycle, n);
    if (!event.pin) continue;
    const auto bit = static_cast<uint16_t>(1U << event.number);
    size_t& next = next_event_[n];
    if (next < event.at.size()) last_progress_ = cycle;
    if (next < event.at.size() && cycle == *begin_ + event.at[next]) {
      bench_.dma().triggers = static_cast<uint16_t>(bench_.dma().triggers | bit);
      figures_.timeline.events.push_back({cycle + 1, fmt::format("pin {}", event.number)});
      ++next;
    } else if (next > 0 && cycle == *begin_ + event.at[next - 1] + kPinHigh) {
      bench_.dma().triggers = static_cast<uint16_t>(bench_.dma().triggers & ~bit);
    }
  }
}

// A control packet that writes the register FIRE.
void DmaMachine::SendPacket(uint64_t cycle, size_t n) {
  const job::Event& event = p_.job.events[n];
  size_t& next = next_event_[n];
  if (next < event.at.size()) last_progress_ = cycle;
  if (next == event.at.size() || cycle != *begin_ + event.at[next]) return;
  bench_.control().Push({Sealed(0), Sealed(native::kFire), 1U << event.number});
  figures_.timeline.events.push_back({cycle, fmt::format("packet {}", event.number)});
  ++next;
}

// ---- The program

void DmaMachine::CheckCapabilities() {
  const driver::Capabilities& build = software_->device().build();
  const auto agree = [](const char* what, int is, int wanted) {
    if (is == wanted) return;
    throw std::runtime_error(
        fmt::format("the capability registers say {} {}, the build has {}", is, what, wanted));
  };
  agree("read channels", build.reads, config_.reads);
  agree("write channels", build.writes, config_.writes);
  agree("descriptors", build.descriptors, config_.descriptors);
  agree("locks", build.locks, config_.locks);
}

void DmaMachine::WriteDescriptor(const NumberedDescriptor& descriptor) {
  software_->Write(descriptor.first, descriptor.second);
  ++figures_.descriptors;
}

void DmaMachine::Load() {
  bench_.FillOnChip();
  software_.emplace(&bench_);
  CheckCapabilities();
  for (const Channel& c : channels_) {
    const job::Channel& channel = *c.prepared->channel;
    Software::Channel& own = Driver(c);
    if (channel.weight) {
      Software::Must(own.SetStanding(static_cast<uint32_t>(*channel.weight), 0, 0, 0, 0), c.name());
    }
    for (size_t n = 0; n < channel.windows.size(); ++n) {
      const job::Window& window = channel.windows[n];
      const driver::Window pages{.first = window.base,
                                 .last = (window.base + (window.size - 1)) & ~uint64_t{0xfff},
                                 .read = true,
                                 .write = true};
      Software::Must(
          driver::SetWindow(software_->device(), DriverWay(channel.direction),
                            static_cast<uint32_t>(channel.engine), static_cast<uint32_t>(n), pages),
          "SetWindow");
    }
    if (c.prepared->trigger != 0) Software::Must(own.SetTrigger(c.prepared->trigger), c.name());
    Software::Must(own.EnableInterrupts(registers::channel::IrqStatus::kTransferMask |
                                        registers::channel::IrqStatus::kRecordMask |
                                        registers::channel::IrqStatus::kErrorMask |
                                        registers::channel::IrqStatus::kRoomMask |
                                        registers::channel::IrqStatus::kEntriesMask),
                   c.name());
    const std::vector<cli::Push>& pushes = c.prepared->pushes;
    const bool silent = std::any_of(pushes.begin(), pushes.end(), [&c](const cli::Push& push) {
      return !c.prepared->steps[push.first + push.steps - 1].record;
    });
    if (silent && !c.prepared->ring()) {
      software_->PushByRegister(channel.direction, channel.engine);
    }
  }
  for (const job::Lock& lock : p_.job.locks) software_->SetLock(*lock.number, lock.value);
  for (const NumberedDescriptor& descriptor : p_.descriptors) WriteDescriptor(descriptor);
  for (Channel& c : channels_) SetList(&c);
  const bool packets = std::any_of(p_.job.events.begin(), p_.job.events.end(),
                                   [](const job::Event& event) { return event.packet; });
  if (packets) {  // which reach FIRE and nothing else
    software_->bus().write32(kPacketFirst, native::kFire);
    software_->bus().write32(kPacketLast, native::kFire);
    software_->bus().write32(kPacketControl, 1);
  }
  software_->device().EnableInterrupts(true);
  next_event_.resize(p_.job.events.size());
  begin_ = last_progress_ = bench_.cycle();
  figures_.timeline.first = *begin_;
  sampler_.Begin();
}

void DmaMachine::Serve() {
  while (!Done()) {
    for (size_t c = 0; c < channels_.size(); ++c) {
      CheckStopped(&channels_[c]);
      // Nothing is to be done: what left no record is done as well.
      const int place = PlaceOf(channels_[c]);
      const bool idle =
          (probe_.levels(place) & rtl::ChannelLevels::kBusy) == 0 && !probe_.port(place).busy;
      Push(&channels_[c]);
      if (idle && channels_[c].stops) {
        TakeRecords(&channels_[c]);
        channels_[c].stopped = true;
      }
      if (idle && !channels_[c].ring &&
          channels_[c].pushed == channels_[c].prepared->pushes.size()) {
        TakeRecords(&channels_[c]);
        PassSilent(&channels_[c], nullptr);
      }
    }
    FireEvents();
    Act();
    if (bench_.dma().irq) Interrupt();
    CheckPatience();
    bench_.Until([this] { return bench_.dma().irq; }, kPause);
  }
}

void DmaMachine::SetList(Channel* channel) {
  const PreparedChannel& c = *channel->prepared;
  if (!c.channel->list) return;
  const job::List& list = *c.channel->list;
  if (list.ring) {
    channel->ring = std::make_unique<Ring>(&Driver(*channel), &bench_, c);
    return;
  }
  software_->SetArray(c.channel->direction, c.channel->engine, list.base, c.list);
  figures_.descriptors += c.list.size();
}

// Adds what there is room for, and takes what is done without a record.
void DmaMachine::ServeRing(Channel* channel) {
  Ring& ring = *channel->ring;
  driver::RingEntry entry;
  while (ring.Take(&entry)) {
    const size_t k = channel->recorded;
    if (k == channel->results.size()) {
      figures_.failures.push_back(
          fmt::format("channel {}: a completion entry is one too many", channel->name()));
      return;
    }
    const Step& step = channel->prepared->steps[k];
    JobResult& result = channel->results[k];
    ++channel->recorded;
    result.state = JobResult::State::kDone;
    result.record = {.bytes = entry.bytes, .last = entry.last, .status = entry.status};
    result.done = bench_.cycle();
    sampler_.NoteRecord(static_cast<size_t>(channel - channels_.data()), result.done, step.Label(),
                        entry.status == 0);
    if (entry.place % 256 == step.descriptor) continue;
    figures_.failures.push_back(
        fmt::format("channel {}: completion entry {} ({}) is of place {}, the program says {}",
                    channel->name(), k, step.Label(), entry.place, step.descriptor));
  }
  const size_t first = ring.added();
  const size_t added = ring.Add(software_->device().build());
  for (size_t k = first; k < first + added; ++k) {
    channel->results[k].offered = bench_.written_at();
    channel->results[k].state = JobResult::State::kRunning;
  }
  figures_.descriptors += added;
  figures_.tasks += first == 0 && added > 0 ? 1 : 0;
  if (added > 0) last_progress_ = bench_.cycle();
}

void DmaMachine::Push(Channel* channel) {
  if (channel->ring) {
    ServeRing(channel);
    return;
  }
  const job::Channel& job = *channel->prepared->channel;
  const std::vector<cli::Push>& pushes = channel->prepared->pushes;
  while (channel->pushed < pushes.size() && software_->HasRoom(job.direction, job.engine)) {
    const cli::Push& push = pushes[channel->pushed];
    if (channel->recorded < push.after) TakeRecords(channel);
    if (channel->recorded < push.after) return;  // its descriptors are still in use
    for (const NumberedDescriptor& descriptor : push.writes) WriteDescriptor(descriptor);
    software_->Push(job.direction, job.engine, push.task, push.tag);  // its last write is the push
    for (size_t k = push.first; k < push.first + push.steps; ++k) {
      channel->results[k].offered = bench_.written_at();
      channel->results[k].state = JobResult::State::kRunning;
    }
    ++channel->pushed;
    ++figures_.tasks;
    last_progress_ = bench_.cycle();
  }
}

// The steps before that of `record` left none; all that are left, if there is no record.
void DmaMachine::PassSilent(Channel* channel, const native::Record* record) {
  const std::vector<Step>& steps = channel->prepared->steps;
  for (size_t& k = channel->recorded; k < steps.size() && !steps[k].record; ++k) {
    const bool own = record != nullptr && record->done.status != 0 &&
                     record->descriptor() == steps[k].descriptor;
    if (own) return;
    channel->results[k].state = JobResult::State::kDone;
  }
}

void DmaMachine::TakeRecords(Channel* channel) {
  const job::Channel& job = *channel->prepared->channel;
  while (const auto record = software_->Pop(job.direction, job.engine)) {
    NoteRecord(channel, *record);
  }
}

uint64_t DmaMachine::CycleOf(uint32_t stamp) const {
  const uint64_t now = bench_.cycle() - counter_offset_;
  const uint64_t cycle = (now & ~uint64_t{0xffffffff}) | stamp;
  return (cycle > now ? cycle - (uint64_t{1} << 32) : cycle) + counter_offset_;
}

void DmaMachine::NoteRecord(Channel* channel, const native::Record& record) {
  PassSilent(channel, &record);
  const std::vector<Step>& steps = channel->prepared->steps;
  if (channel->recorded == steps.size()) {
    figures_.failures.push_back(fmt::format("channel {}: a record of descriptor {} is one too many",
                                            channel->name(), record.descriptor()));
    return;
  }
  const auto c = static_cast<size_t>(channel - channels_.data());
  figures_.records[c][channel->recorded] = record;
  const Step& step = steps[channel->recorded];
  JobResult& result = channel->results[channel->recorded++];
  result.state = JobResult::State::kDone;
  result.record = record.done;
  result.done = CycleOf(record.stamp);
  sampler_.NoteRecord(c, result.done, step.Label(), record.done.status == 0);
}

void DmaMachine::Interrupt() {
  ++figures_.interrupts;
  figures_.timeline.interrupts.push_back({bench_.cycle(), "irq", true});
  software_->Interrupt();
  for (Channel& channel : channels_) {
    const job::Channel& job = *channel.prepared->channel;
    while (const auto record = software_->PopTaken(job.direction, job.engine)) {
      NoteRecord(&channel, *record);
    }
    if (Driver(channel).saw_error()) NoteError(&channel);
  }
}

void DmaMachine::NoteError(Channel* channel) {
  const driver::ChannelError error = Driver(*channel).TakeError();
  // A trigger that was missed stops nobody.
  if ((error.bits & ~registers::channel::Error::kTriggerMissedMask) != 0) channel->error = error;
}

void DmaMachine::FireEvents() {
  for (size_t n = 0; n < p_.job.events.size(); ++n) {
    const job::Event& event = p_.job.events[n];
    size_t& next = next_event_[n];
    if (event.pin || event.packet || next == event.at.size()) continue;
    last_progress_ = bench_.cycle();
    if (bench_.cycle() < *begin_ + event.at[next]) continue;
    Software::Must(software_->device().Trigger(static_cast<uint32_t>(event.number)), "an event");
    figures_.timeline.events.push_back(
        {bench_.written_at(), fmt::format("event {}", event.number)});
    ++next;
  }
}

// Actions of software are done one after the other, each in its time.
void DmaMachine::Act() {
  using Kind = job::Action::Kind;
  const auto find = [this](const std::string& name) -> Channel& {
    return *std::find_if(channels_.begin(), channels_.end(),
                         [&name](const Channel& c) { return c.name() == name; });
  };
  for (; next_action_ < p_.job.actions.size(); ++next_action_) {
    const job::Action& action = p_.job.actions[next_action_];
    if (action.after.empty()) last_progress_ = bench_.cycle();
    const bool now = action.after.empty() ? bench_.cycle() >= *begin_ + action.at
                                          : find(action.after).recorded >= action.transfers;
    if (!now) return;
    Channel& channel = find(action.channel);
    switch (action.kind) {
      case Kind::kPause:
        channel.level |= registers::channel::Control::kPauseMask;
        break;
      case Kind::kDrain:
        channel.level |= registers::channel::Control::kDrainMask;
        break;
      case Kind::kResume:
        channel.level &=
            ~(registers::channel::Control::kPauseMask | registers::channel::Control::kDrainMask);
        break;
      case Kind::kStop:
        channel.level |= registers::channel::Control::kStopMask;
        break;
    }
    channel.stops = channel.stops || action.kind == Kind::kStop;
    software_->bus().write32(channel.at + native::kControl, channel.level);
    figures_.timeline.events.push_back(
        {bench_.written_at(), fmt::format("{} {}", NameOf(action.kind), action.channel)});
    last_progress_ = bench_.cycle();
  }
}

// All its turns are done: what waits for another one is dropped.
void DmaMachine::EndEndless(Channel* channel) {
  const job::Channel& job = *channel->prepared->channel;
  Software::Must(Driver(*channel).Abort(), "Channel::Abort of " + channel->name());
  while (const auto record = software_->PopTaken(job.direction, job.engine)) {
    if ((record->done.status & rtl::Status::kAborted) != 0 && record->done.bytes == 0) continue;
    figures_.failures.push_back(fmt::format("channel {}: a record of descriptor {} is one too many",
                                            channel->name(), record->descriptor()));
  }
}

void DmaMachine::CheckStopped(Channel* channel) {
  const int place = PlaceOf(*channel);
  const rtl::PortView port = probe_.port(place);
  const bool halted = (probe_.levels(place) & rtl::ChannelLevels::kHalted) != 0;
  if (!halted && !port.faulted) return;
  bench_.Step(kErrorLate);
  NoteError(channel);
  const driver::ChannelError& error = channel->error;
  const std::string why = port.faulted
                              ? fmt::format("its guard found {}", rtl::NameOf(port.fault))
                              : fmt::format("a descriptor was not loaded, reason {}", error.reason);
  throw std::runtime_error(
      fmt::format("channel {} has stopped in descriptor {}: {}, ERROR {:#x}\n{}", channel->name(),
                  error.descriptor, why, error.bits, WhoWaits(&bench_)));
}

void DmaMachine::CheckPatience() {
  if (bench_.cycle() > p_.job.cycle_limit) {
    throw std::runtime_error(fmt::format("cycle limit: not done after {}\n{}",
                                         Counted(p_.job.cycle_limit, "cycle"), WhoWaits(&bench_)));
  }
  if (bench_.cycle() - last_progress_ < patience_) return;
  std::string missed;
  for (const Channel& channel : channels_) {
    if (!probe_.missed(PlaceOf(channel))) continue;
    missed += fmt::format("channel {} missed a trigger: another one was still waiting for it\n",
                          channel.name());
  }
  throw std::runtime_error(fmt::format("no handshake for {}\n{}{}", Counted(patience_, "cycle"),
                                       missed, WhoWaits(&bench_)));
}

void DmaMachine::Finish() {
  // With headers a record may come while the last beat still waits.
  const auto sent = [this] {
    for (int k = 0; k < config_.reads; ++k) {
      if (bench_.dma().streams(k).m_axis.valid) return false;
    }
    return true;
  };
  if (config_.headers()) bench_.Until(sent, patience_);
  // What follows the last record: its lock, its token, a guard that trips behind it.
  bench_.Step(kErrorLate);
  if (config_.onchip_bytes() > 0) figures_.conflicts = software_->device().OnChipConflicts();
  for (Channel& channel : channels_) {
    CheckStopped(&channel);
    TakeRecords(&channel);
    const job::Channel& job = *channel.prepared->channel;
    const bool waits =
        job.trigger.kind != job::Trigger::Kind::kNone && probe_.pending(PlaceOf(channel));
    if (!waits) continue;
    figures_.notes.push_back(fmt::format("no task of channel {} took its last trigger", job.name));
  }
  for (Channel& channel : channels_) {
    if (channel.ring) channel.ring->Stop();
    if (channel.stops) channel.results.resize(channel.recorded);  // so far it came
    if (channel.prepared->endless() && !channel.stopped) EndEndless(&channel);
  }
  for (; next_action_ < p_.job.actions.size(); ++next_action_) {
    figures_.notes.push_back(
        fmt::format("{} was not done: all tasks ended before", p_.job.actions[next_action_].place));
  }
  const uint32_t status = config_.control_packets ? bench_.Get(kPacketStatus) : 0;
  if (status != 0) {
    figures_.failures.push_back(fmt::format("control packets: PACKET_STATUS is {:#x}", status));
  }
  for (const job::Lock& lock : p_.job.locks) {
    figures_.locks.push_back(software_->LockValue(*lock.number));
  }
  for (const StreamWord& token : bench_.tokens().words()) sampler_.NoteToken(token);
  figures_.tokens = bench_.tokens().words().size();
}

}  // namespace

std::unique_ptr<Machine> MakeDmaMachine(const Prepared& prepared) {
  return std::make_unique<DmaMachine>(prepared);
}

}  // namespace tessera::cli
