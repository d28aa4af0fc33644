#include "tests/native/native_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "pins/Vnative_top.h"
#include "tb/sim/flat_pins.h"

namespace tessera {
namespace {

// As native_top.sv: levels, port, missed.
uint32_t Pack(const NativeChannel& c) {
  return uint32_t{c.busy} << 2 | uint32_t{c.faulted} << 3 | uint32_t{c.halted} << 4 |
         uint32_t{c.in_reset} << 5 | uint32_t{c.idle} << 6 | uint32_t{c.port_busy} << 7 |
         uint32_t{c.waits_stream} << 8 | uint32_t{c.stuck} << 9 | c.fault << 10 |
         uint32_t{c.port_faulted} << 14 | uint32_t{c.failed} << 15 | uint32_t{c.owed} << 16 |
         uint32_t{c.missed} << 17;
}

uint64_t View(const NativeChannel& c) {
  uint64_t word = 0;
  const auto field = [&word](uint32_t bits, uint64_t value) { word = word << bits | value; };
  field(4, c.waits);
  field(4, c.next_waits);
  field(6, c.lock);
  field(8, c.descriptor);
  field(8, c.oldest);
  field(5, c.room);
  field(5, c.records);
  field(1, c.in_task);
  field(7, Pack(c) & 0x7f);
  return word;
}

}  // namespace

NativeUnit::NativeUnit(uint64_t seed, const NativeOptions& options)
    : options_(options),
      rng_(Rng(seed).Stream("native")),
      unit_(seed),
      expected_(kBuilds[options.build]),
      master_(&port_, options.master, rng_.Stream("master")) {
  unit_.model().jump_i = 0;
  unit_.model().build_i = static_cast<uint8_t>(options.build);
  for (int i = 0; i < 3; ++i) Cycle(true);
  Wait(4 * kMostChannels + 2);  // until memories are cleared: nothing happens to channels before
}

void NativeUnit::Fail(const std::string& what) {
  if (failure_.empty()) {
    failure_ =
        fmt::format("build {} cycle {}: {} ({})", options_.build, cycle_, what, access_name_);
  }
}

void NativeUnit::Same(const char* name, uint64_t is, uint64_t want) {
  if (is != want) Fail(fmt::format("{} is {:#x}, not {:#x}", name, is, want));
}

void NativeUnit::Queue(const NativeAccess& access) {
  if (access.write) {
    writes_.push_back(access);
    master_.Write(access.address, access.data, static_cast<uint8_t>(access.strobe));
  } else {
    reads_.push_back(access);
    master_.Read(access.address);
  }
}

bool NativeUnit::Finish(uint64_t cycles) {
  for (const uint64_t end = cycle_ + cycles; !idle() && failure_.empty(); Cycle()) {
    if (cycle_ > end) Fail("accesses are not answered");
  }
  return failure_.empty();
}

LiteResponse NativeUnit::Write(uint32_t address, uint32_t data, uint32_t strobe) {
  last_ = {};
  Queue({true, address, data, strobe});
  Finish(2000);
  return last_;
}

LiteResponse NativeUnit::Read(uint32_t address) {
  last_ = {};
  Queue({false, address, 0, 0});
  Finish(2000);
  return last_;
}

void NativeUnit::Happen(const NativeEvent& event) {
  pins_.event = event;
  Cycle();
  pins_.event.reset();
}

// ---- Surroundings -------------------------------------------------------------------------------

// One of the things that a channel shows. A level of a record queue rises, and falls by pops; a
// missed trigger waits until it is cleared.
void NativeUnit::ChangeChannel(NativeChannel* channel) {
  NativeChannel& c = *channel;
  switch (Below(12)) {
    case 0:
      c.idle = Chance(70);
      c.busy = Chance(30);
      break;
    case 1:
      c.owed = Chance(30);
      c.port_busy = Chance(20);
      break;
    case 2:
      c.in_reset = Chance(50);
      c.failed = Chance(30);
      break;
    case 3:
      c.faulted = Chance(40);
      break;
    case 4:
      c.port_faulted = Chance(40);
      c.fault = c.port_faulted ? 1 + Below(8) : 0;
      break;
    case 5:
      c.stuck = Chance(40);
      c.halted = Chance(40);
      break;
    case 6:
      c.waits_stream = Chance(50);
      c.waits = Chance(50) ? 5 : Below(16);
      c.next_waits = Below(16);
      break;
    case 7:
      c.missed = c.missed || (build().has(kTriggers) && Chance(50));
      break;
    case 8:
      c.descriptor = Below(256);
      c.oldest = Below(256);
      c.lock = Below(64);
      break;
    case 9:
      c.room = Below(kTaskDepth + 1);
      c.in_task = Chance(50);
      break;
    default:
      if (c.records == 0) {
        for (uint32_t& word : c.record) word = Word();
      }
      if (c.records < build().queue_depth) ++c.records;
  }
}

// Anything that surroundings may do, at any time.
void NativeUnit::Change() {
  NativePins& p = pins_;
  const uint32_t channels = build().channels();
  for (int i = 0; i < 2; ++i) ChangeChannel(&p.now[Below(Chance(50) ? 2 : channels)]);
  p.event.reset();
  p.entry = {};
  p.lock_report = {};
  if (Chance(options_.events)) {
    NativeEvent event = {Below(Chance(50) ? 2 : channels),
                         Chance(30),
                         Chance(30),
                         Chance(50),
                         Chance(30),
                         0,
                         Below(256),
                         0,
                         rng_()};
    if (Chance(20)) event.causes = Cause();
    if (Chance(5)) event.causes |= Cause();
    if ((event.causes & 1) != 0) event.reason = Below(64);
    p.event = event;
  }
  if (build().has(kLists)) {
    if (!p.refusal && Chance(2)) {
      const bool entry = Chance(50);
      p.refusal = NativeEvent{.channel = Below(channels),
                              .causes = entry ? 1U << 14 : 1U << 13 | 1,
                              .descriptor = Below(256),
                              .reason = Below(64),
                              .addr = rng_()};
    }
    if (Chance(5)) p.entry = {true, Chance(10), Below(Chance(50) ? 2 : channels)};
  }
  if (Chance(2)) {
    p.lock_report = {Chance(50), false, Chance(50), Below(64), Below(channels)};
    p.lock_report.under = !p.lock_report.over;
  }
  p.task_ready = Chance(75);
  p.lock_granted = Chance(50);
  p.lock_value = Below(64);
  p.other_error = Chance(20);
  p.other_data = Word();
  p.access_error = Chance(10);
  p.access_data = Word();
  p.start_refused = Chance(50);
  if (Chance(5)) p.packet_errors = Below(16);
  p.quiet = Chance(50);
  p.timed_out = Chance(50);
  p.misrouted = Chance(2);
  const uint32_t ports = (1U << build().ports) - 1;
  p.rd_stray = Chance(2) ? Word() & ports : 0;
  p.wr_stray = Chance(2) ? Word() & ports : 0;
}

void NativeUnit::DrivePins() {
  NativePins& p = pins_;
  Vnative_top& m = unit_.model();
  const uint32_t channels = build().channels();
  p.lock_ready = Chance(options_.answers);
  p.access_ready = Chance(options_.answers);
  p.extension_ready = Chance(options_.answers);
  p.window_ready = Chance(options_.answers);
  for (uint32_t c = 0; c < kMostChannels; ++c) {
    m.channel_i[c] = Pack(p.now[c]);
  }
  m.view_i = View(p.view[view_channel_]);
  const auto [channel, word] = record_asked_[1];
  const uint32_t record = word < 10 ? p.past[channel].record[word] : Word();
  // Bits of a record that are not there are 0; its level is beside it.
  constexpr std::array<uint32_t, 10> kBits = {0x607f00ff, ~0U, 0xffff, ~0U, 0xffff,
                                              ~0U,        ~0U, ~0U,    ~0U, ~0U};
  m.record_i = word < 10 ? record & kBits[word] : record;
  m.task_ready_i = p.task_ready;
  m.lock_ready_i = p.lock_ready;
  m.lock_granted_i = p.lock_granted;
  m.lock_value_i = static_cast<uint8_t>(p.lock_value);
  m.access_ready_i = p.access_ready;
  m.access_error_i = p.access_error;
  m.access_data_i = p.access_data;
  m.lock_report_i = static_cast<uint16_t>(p.lock_report.over << 13 | p.lock_report.under << 12 |
                                          p.lock_report.id << 6 | p.lock_report.by_channel << 5 |
                                          p.lock_report.channel);
  const NativeEvent event = p.event.value_or(NativeEvent{.channel = Below(channels),
                                                         .task_done = Chance(50),
                                                         .record = Chance(50),
                                                         .causes = Below(128),
                                                         .addr = Word()});
  m.event_i = uint64_t{event.channel} << 35 | uint64_t{Below(4)} << 33 |
              uint64_t{event.task_done} << 32 | uint64_t{event.interrupts} << 31 |
              uint64_t{event.record} << 30 | uint64_t{event.empty} << 29 |
              uint64_t{event.causes} << 14 | event.descriptor << 6 | event.reason;
  m.event_addr_i = event.addr;
  m.event_valid_i = p.event.has_value();
  const NativeEvent refusal = p.refusal.value_or(NativeEvent{.channel = Below(channels)});
  m.refusal_i = refusal.channel << 23 | (refusal.causes >> 14 & 1) << 22 | Below(256) << 14 |
                refusal.descriptor << 6 | refusal.reason;
  m.refusal_addr_i = refusal.addr;
  m.refusal_valid_i = p.refusal.has_value();
  m.entry_i = static_cast<uint8_t>(p.entry.valid << 6 | p.entry.channel << 1 | p.entry.interrupts);
  m.stop_on_channel_i = static_cast<uint8_t>(Below(channels));
  m.token_channel_i = static_cast<uint8_t>(Below(channels));
  for (uint32_t i = 0; i < 2 * build().ports + 2; ++i) m.attr_channel_i[i] = Below(channels);
  m.extension_ready_i = p.extension_ready;
  m.window_ready_i = p.window_ready;
  m.other_error_i = p.other_error;
  m.other_data_i = p.other_data;
  m.quiet_i = p.quiet;
  m.timed_out_i = p.timed_out;
  m.misrouted_i = p.misrouted;
  m.rd_stray_i = static_cast<uint16_t>(p.rd_stray);
  m.wr_stray_i = static_cast<uint16_t>(p.wr_stray);
  m.start_refused_i = p.start_refused;
  m.packet_errors_i = static_cast<uint8_t>(p.packet_errors);
}

// ---- Masters ------------------------------------------------------------------------------------

void NativeUnit::DriveMasters(const Tick& tick) {
  Vnative_top& m = unit_.model();
  master_.Drive(tick);
  flat::DriveRegisters(Vnative_top_Pins(m), port_);
  if (!second_ && second_access && Chance(options_.second)) second_ = second_access();
  m.bus_valid_i = second_.has_value() && !tick.reset;
  const NativeAccess access = second_.value_or(NativeAccess{Chance(50), Word(), Word(), Word()});
  m.bus_write_i = access.write;
  m.bus_addr_i = access.address & 0x3ffff;
  m.bus_data_i = access.data;
  m.bus_strobe_i = static_cast<uint8_t>(access.strobe & 15);
}

void NativeUnit::CheckMaster(const Tick& tick) {
  flat::SampleRegisters(Vnative_top_Pins(unit_.model()), &port_);
  monitor_.Sample(tick);
  master_.Sample(tick);
  if (violations_.count() != 0) Fail(violations_.kept().front().message);
  const auto answered = [this](const LiteResponse& is, std::deque<NativeAnswer>* queue) {
    last_ = is;
    if (queue->empty()) return Fail("a response to nothing");
    const NativeAnswer want = queue->front();
    queue->pop_front();
    Same("RESP", is.resp, want.error ? 2 : 0);
    if (queue == &read_ && !want.error) Same("RDATA", is.data, want.data);
  };
  if (const auto response = master_.TakeWritten()) answered(*response, &written_);
  if (const auto response = master_.TakeRead()) answered(*response, &read_);
}

// ---- What is seen -------------------------------------------------------------------------------

// What registers say in every cycle.
void NativeUnit::CheckLevels() {
  Vnative_top& m = unit_.model();
  const auto word = [this](uint32_t c, uint32_t offset) {
    return expected_.value(base(c) + offset);
  };
  const auto bus = [this](uint32_t c) {
    const uint32_t s = standing_before_[c];
    return (s >> 4 & 15) << 7 | (s >> 8 & 15) << 3 | (s >> 12 & 7);
  };
  uint32_t irqs = 0;
  for (uint32_t c = 0; c < build().channels(); ++c) {
    const uint32_t control = control_before_[c];
    const uint32_t orders = (control & 0x3f) | (control >> 8 & 1) << 6;
    Same("setup_o", m.setup_o[c], orders | (standing_before_[c] & 15) << 8 | word(c, 0x10) << 12);
    irqs |= uint32_t{expected_.irq(c)} << c;
  }
  Same("irq_channel_o", m.irq_channel_o, irqs);
  // The memories behind these are cleared after a reset, and follow a write a cycle later.
  if (since_reset_ > 4 * kMostChannels) {
    Same("stop_on_o", m.stop_on_o, control_before_[m.stop_on_channel_i] >> 16 & 0x7f);
    Same("controller_o", m.controller_o, standing_before_[m.token_channel_i] >> 16 & 0xff);
    for (uint32_t i = 0; i < 2 * build().ports + 2; ++i) {
      Same("attr_o", m.attr_o[i], bus(m.attr_channel_i[i]));
    }
  }
  for (uint32_t c = 0; c < build().channels(); ++c) {
    control_before_[c] = word(c, 0);
    standing_before_[c] = word(c, 0x34);
  }
  Same("PACKET_CONTROL of packets_o", m.packet_control_o, expected_.value(0x50) & 3);
  Same("PACKET_FIRST of packets_o", m.packet_first_o, expected_.value(0x54));
  Same("PACKET_LAST of packets_o", m.packet_last_o, expected_.value(0x58));
  // A refusal of a list waits for a cycle without an event.
  Same("list_refusal_ready_o", m.refusal_ready_o, !pins_.event);
  Same("irq_o", m.irq_o, expected_.irq_line());
  Same("quiesce_o", m.quiesce_o, expected_.value(0x20) & 1);
  Same("tick_o", m.tick_o, expected_.tick());
  Same("freeze_o", m.freeze_o, expected_.value(0x20) >> 2 & 1);
  Same("cycles_o", m.cycles_o, expected_.cycles() & 0xffffffffU);
}

// Others are asked for what the access says until they answer, and nobody else is. A task is
// offered once, and a record goes once.
void NativeUnit::CheckAsked(const NativeAccess* access, bool done) {
  Vnative_top& m = unit_.model();
  const NativePins& p = pins_;
  const NativeOutputs want = access == nullptr ? NativeOutputs{} : expected_.Outputs(*access);
  const auto asked = [this, done](const char* name, bool is, bool wanted, bool ready) {
    if (is && !wanted) Fail(fmt::format("{} without need", name));
    if (is && ready && !done) Fail(fmt::format("{} is answered, and that is lost", name));
    if (done && wanted && !is) Fail(fmt::format("{} is missing", name));
  };
  asked("lock_valid_o", m.lock_valid_o, want.lock, p.lock_ready);
  asked("access_valid_o", m.access_valid_o, want.memory, p.access_ready);
  asked("extension_valid_o", m.extension_valid_o, want.extension, p.extension_ready);
  asked("window_valid_o", m.window_valid_o, want.window, p.window_ready);
  if (m.lock_valid_o) {
    Same("the command of lock_o", m.lock_command_o, want.lock_command);
    Same("the number of lock_o", m.lock_id_o, want.lock_id);
    Same("the value of lock_o", m.lock_value_o, want.lock_value);
  }
  if (access == nullptr) {
    if (m.task_valid_o || m.record_pop_o) Fail("a task or a pop that nobody asked for");
    return;
  }
  if (m.access_valid_o) {
    Same("access_o.write", m.access_write_o, access->write);
    Same("access_o.area", m.access_area_o, want.memory_area);
    Same("access_o.descriptor", m.access_descriptor_o, want.memory_descriptor);
    Same("access_o.word", m.access_word_o, want.memory_word);
    if (access->write) Same("access_o.data", m.access_data_o, access->data);
    if (access->write) Same("access_o.strobe", m.access_strobe_o, access->strobe);
  }
  if (m.extension_valid_o || m.window_valid_o) {
    Same("extension_channel_o", m.other_channel_o, want.channel);
    Same("extension_o.write", m.other_write_o, access->write);
    Same("the address of extension_o", m.other_addr_o, access->address & ~3U);
    if (access->write) Same("extension_o.data", m.other_data_o, access->data);
    if (access->write) Same("extension_o.strobe", m.other_strobe_o, access->strobe);
  }
  if (m.task_valid_o) {
    Same("the channel of a task", m.task_channel_o, want.channel);
    Same("a task", m.task_o, want.task);
    Same("the tag of a task", m.task_tag_o, want.tag);
    pins_.taken = p.task_ready;
    ++pushes_;
  }
  if (m.record_pop_o) {
    Same("the channel of a pop", m.record_channel_o, want.channel);
    if (p.view[want.channel].records == 0) Fail("a pop without a record");
    ++pops_;
  }
  if (!done) return;
  Same("pushes", pushes_, want.push);
  Same("pops", pops_, want.pop && p.view[want.channel].records != 0);
  pushes_ = pops_ = 0;
}

void NativeUnit::CheckPulses(const NativeOutputs& out) {
  Vnative_top& m = unit_.model();
  Same("missed_clear_o", m.missed_clear_o, out.missed_clear);
  Same("trigger_o", m.trigger_o, out.trigger);
  Same("clear_o", m.clear_o, out.clear);
  Same("packet_clear_o", m.packet_clear_o, out.packet_clear);
}

// Each channel is looked at in its turn: events, accesses and reads of views put that off.
void NativeUnit::CheckLook() {
  Vnative_top& m = unit_.model();
  const bool busy = pins_.event || pins_.refusal || m.spy_valid_o != 0;
  for (uint32_t c = 0; c < build().channels(); ++c) {
    auto& [cycles, delays] = unlooked_[c];
    ++cycles;
    delays += busy;
    longest_ = std::max(longest_, cycles);
    const uint64_t turn = build().channels() > 8 ? 32 : 8;
    if (cycles > turn + 4 + 3 * delays) Fail(fmt::format("channel {} is not looked at", c));
    if (m.spy_look_o && m.spy_channel_o == c) cycles = delays = 0;
  }
  if (m.spy_look_o && m.spy_channel_o >= build().channels()) Fail("a look at no channel");
  looks_ += m.spy_look_o;
}

// The access that the bus answers in this cycle is the oldest of its master, and answered as the
// model says.
void NativeUnit::CheckBus() {
  Vnative_top& m = unit_.model();
  CheckLevels();
  CheckLook();
  const std::optional<uint32_t> look =
      m.spy_look_o ? std::optional<uint32_t>(m.spy_channel_o) : std::nullopt;
  const NativeAccess access = {m.spy_write_o != 0, m.spy_addr_o, m.spy_data_o, m.spy_strobe_o};
  access_name_ = !m.spy_valid_o ? "no access"
                                : fmt::format("{} {:#07x} with {:#x} and bytes {:#x}",
                                              access.write ? "write" : "read", access.address,
                                              access.data, access.strobe);
  CheckAsked(m.spy_valid_o ? &access : nullptr, m.spy_done_o != 0);
  // What happens at an access, here or in its last cycle.
  const bool acts = m.spy_done_o ? !acted_ : m.spy_acts_o != 0;
  if (acts && !m.spy_done_o) acted_ = expected_.Answer(access, pins_);
  const auto step = [&] {
    CheckPulses(acts ? expected_.Outputs(access) : NativeOutputs{});
    expected_.Step(acts ? &access : nullptr, pins_, look);
  };
  if (!m.spy_done_o) {
    step();
    if (++quiet_cycles_ > 5000 && !idle()) Fail("the bus does not move");
    return;
  }
  quiet_cycles_ = 0;
  const NativeAnswer want = acts ? expected_.Answer(access, pins_) : *acted_;
  acted_.reset();
  ++accesses_;
  refused_ += want.error;
  std::deque<NativeAccess>& queue = access.write ? writes_ : reads_;
  NativeAccess asked;
  if (m.spy_axil_o ? queue.empty() : !second_) return Fail("an access that nobody asked for");
  if (m.spy_axil_o) {
    asked = queue.front();
    queue.pop_front();
    (access.write ? written_ : read_).push_back(want);
  } else {
    asked = *second_;
    second_.reset();
  }
  Same("the kind of access", access.write, asked.write);
  Same("the address on the bus", access.address, asked.address & 0x3fffc);
  if (access.write) Same("data on the bus", access.data, asked.data);
  if (access.write) Same("strobes on the bus", access.strobe, asked.strobe);
  Same("an error", m.spy_error_o, want.error);
  if (!access.write && !want.error) Same("an answer", m.spy_answer_o, want.data);
  step();
}

void NativeUnit::Jump(uint64_t cycles) {
  Vnative_top& m = unit_.model();
  m.jump_to_i = cycles;
  m.jump_i = 1;
  unit_.Evaluate();
  m.jump_i = 0;
  unit_.Evaluate();
  expected_.Jump(cycles);
}

void NativeUnit::Cycle(bool reset) {
  Vnative_top& m = unit_.model();
  // Channels are in reset too, and then a while at rest. What was asked is dropped.
  since_reset_ = reset ? 0 : since_reset_ + 1;
  if (reset) control_before_ = standing_before_ = {};
  if (reset) {
    pins_ = {};
    acted_.reset();
    second_.reset();
    writes_.clear();
    reads_.clear();
    written_.clear();
    read_.clear();
    view_channel_ = pushes_ = pops_ = 0;
  }
  if (options_.restless && since_reset_ > 4 * kMostChannels) Change();
  m.rst_ni = !reset;
  m.clk_i = 0;
  const Tick tick = {cycle_, reset};
  DriveMasters(tick);
  if (since_reset_ < 4 * kMostChannels) unlooked_ = {};
  DrivePins();
  unit_.Evaluate();
  if (on_cycle) on_cycle();
  CheckMaster(tick);
  if (reset) {
    expected_.Reset();
  } else {
    CheckBus();
  }
  const uint32_t cleared = m.missed_clear_o;
  const bool popped = m.record_pop_o && !reset, refused = m.refusal_ready_o && !reset;
  const uint32_t pop_channel = m.record_channel_o, view = m.view_channel_o;
  record_asked_[1] = record_asked_[0];
  record_asked_[0] = {m.record_channel_o, m.record_word_o};
  if (!reset && view >= build().channels()) Fail("a view of no channel");
  view_channel_ = view % kMostChannels;
  m.clk_i = 1;
  unit_.Evaluate();

  std::copy_n(pins_.view.begin(), build().channels(), pins_.past.begin());
  std::copy_n(pins_.now.begin(), build().channels(), pins_.view.begin());
  for (uint32_t c = 0; c < build().channels(); ++c) {
    // Another one may be missed in the cycle of the clear.
    if ((cleared >> c & 1) != 0) pins_.now[c].missed = options_.restless && Chance(10);
  }
  if (popped) {
    NativeChannel& channel = pins_.now[pop_channel];
    --channel.records;
    for (uint32_t& word : channel.record) word = Word();
  }
  if (refused && pins_.refusal) pins_.refusal.reset();
  ++cycle_;
}

}  // namespace tessera
