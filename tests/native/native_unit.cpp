#include "tests/native/native_unit.h"

#include <fmt/format.h>

#include <type_traits>

namespace tessera {
namespace {

// Bits of a pin that is wider than a word, or not.
template <typename Pin>
void SetBits(Pin& pin, uint32_t low, uint32_t width, uint32_t value) {
  for (uint32_t i = 0; i < width; ++i) {
    const uint32_t bit = low + i;
    if constexpr (std::is_integral_v<Pin>) {
      pin = static_cast<Pin>((pin & ~(Pin{1} << bit)) | (static_cast<Pin>(value >> i & 1) << bit));
    } else {
      pin[bit / 32] = (pin[bit / 32] & ~(1U << bit % 32)) | (value >> i & 1) << bit % 32;
    }
  }
}

template <typename Pin>
uint32_t Word(const Pin& pin, uint32_t index) {
  return pin[index];
}

}  // namespace

NativeUnit::NativeUnit(uint64_t seed, const NativeOptions& options)
    : options_(options), rng_(Rng(seed).Stream("native")), unit_(seed) {
  for (uint32_t c = 0; c < kChannels; ++c) pins_.view[c][0] = kTaskDepth << 24 | 1U << 18;
  pins_.task_ready = (1U << kChannels) - 1;
  unit_.model().jump_i = 0;
  for (int i = 0; i < 3; ++i) Cycle(true);
}

void NativeUnit::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("cycle {}: {}", cycle_, what);
}

void NativeUnit::Queue(const NativeAccess& access) {
  if (access.write) {
    aw_.push_back(access);
    w_.push_back(access);
    writes_.push_back(access);
  } else {
    ar_.push_back(access);
    reads_.push_back(access);
  }
}

bool NativeUnit::idle() const {
  return writes_.empty() && reads_.empty() && b_expected_.empty() && r_expected_.empty() &&
         !second_.has_value();
}

bool NativeUnit::Finish(uint64_t cycles) {
  for (const uint64_t end = cycle_ + cycles; !idle() && failure_.empty(); Cycle()) {
    if (cycle_ > end) Fail("accesses are not answered");
  }
  return failure_.empty();
}

NativeUnit::Response NativeUnit::Write(uint32_t address, uint32_t data, uint32_t strobe) {
  b_seen_.clear();
  Queue({true, address, data, strobe});
  Finish(2000);
  return b_seen_.empty() ? Response{} : b_seen_.back();
}

NativeUnit::Response NativeUnit::Read(uint32_t address) {
  r_seen_.clear();
  Queue({false, address, 0, 0});
  Finish(2000);
  return r_seen_.empty() ? Response{} : r_seen_.back();
}

// Anything that surroundings may do, at any time. Levels of a record queue rise, and fall by pops.
void NativeUnit::Change() {
  NativePins& p = pins_;
  const auto word = [this] { return static_cast<uint32_t>(rng_()); };
  for (uint32_t c = 0; c < kChannels; ++c) {
    if (Chance(5))
      p.view[c][0] = (word() & 0x60ff3f0fU) | static_cast<uint32_t>(rng_.Below(kTaskDepth + 1))
                                                  << 24;
    if (Chance(2)) p.view[c][1] = Chance(50) ? word() : word() & 0xffff00ffU;
    if (Chance(5)) p.view[c][2 + rng_.Below(3)] = word();
    p.events[c] = 0;
    for (uint32_t i = 0; i < 8; ++i) p.events[c] |= static_cast<uint8_t>(Chance(1) << i);
    const uint32_t level = p.record[c][0] >> 8 & 31;
    if (level == 0) {
      for (uint32_t& one : p.record[c]) one = word();
      p.record[c][0] &= ~0x1f00U;
    }
    if (level < 16 && Chance(3)) p.record[c][0] += 0x100;
    if ((p.report_valid >> c & 1) == 0 && Chance(1)) {
      p.report_valid |= 1U << c;
      for (uint32_t& one : p.report[c]) one = word();
      p.report[c][0] &= 1U << rng_.Below(15);
    }
  }
  p.task_ready = word() | word();
  p.lock_granted = Chance(50);
  p.lock_value = word() & 63;
  p.extension_error = Chance(20);
  p.extension_data = word();
  p.access_error = Chance(10);
  p.access_data = word();
  p.window_refused = Chance(20);
  p.start_refused = Chance(50);
  if (Chance(5)) p.packet_errors = word() & 15;
  p.quiet = Chance(50);
  p.timed_out = Chance(50);
  if (Chance(5)) p.lock_over = rng_();
  if (Chance(5)) p.lock_under = rng_();
  p.misrouted = Chance(2);
  p.rd_stray = Chance(2) ? word() & 3 : 0;
  p.wr_stray = Chance(2) ? word() & 3 : 0;
}

void NativeUnit::DrivePins() {
  pins_.lock_ready = Chance(options_.answers);
  pins_.access_ready = Chance(options_.answers);
  pins_.extension_ready = Chance(options_.answers);
  Vnative_top& m = unit_.model();
  const NativePins& p = pins_;
  for (uint32_t c = 0; c < kChannels; ++c) {
    for (uint32_t i = 0; i < 5; ++i) m.view_i[5 * c + i] = p.view[c][i];
    for (uint32_t i = 0; i < 10; ++i) m.record_i[10 * c + i] = p.record[c][i];
    for (uint32_t i = 0; i < 4; ++i) m.report_i[4 * c + i] = p.report[c][i];
    SetBits(m.events_i, 8 * c, 8, p.events[c]);
  }
  m.report_valid_i = static_cast<uint8_t>(p.report_valid);
  m.task_ready_i = static_cast<uint8_t>(p.task_ready & 31);
  m.extension_ready_i = p.extension_ready;
  m.extension_error_i = p.extension_error;
  m.extension_data_i = p.extension_data;
  m.lock_ready_i = p.lock_ready;
  m.lock_granted_i = p.lock_granted;
  m.lock_value_i = static_cast<uint8_t>(p.lock_value);
  m.lock_over_i = p.lock_over;
  m.lock_under_i = p.lock_under;
  m.access_ready_i = p.access_ready;
  m.access_error_i = p.access_error;
  m.access_data_i = p.access_data;
  m.window_refused_i = p.window_refused;
  m.start_refused_i = p.start_refused;
  m.packet_errors_i = static_cast<uint8_t>(p.packet_errors);
  m.quiet_i = p.quiet;
  m.timed_out_i = p.timed_out;
  m.misrouted_i = p.misrouted;
  m.rd_stray_i = static_cast<uint8_t>(p.rd_stray);
  m.wr_stray_i = static_cast<uint8_t>(p.wr_stray);
}

// A valid that is up stays; pins without valid hold anything.
void NativeUnit::DriveMaster() {
  Vnative_top& m = unit_.model();
  const auto junk = [this] { return static_cast<uint32_t>(rng_()); };
  aw_valid_ = aw_valid_ || (!aw_.empty() && Chance(options_.aw));
  w_valid_ = w_valid_ || (!w_.empty() && Chance(options_.w));
  ar_valid_ = ar_valid_ || (!ar_.empty() && Chance(options_.ar));
  b_ready_ = Chance(options_.b);
  r_ready_ = Chance(options_.r);
  m.s_axil_awvalid = aw_valid_;
  m.s_axil_awaddr = (aw_valid_ ? aw_.front().address : junk()) & 0x3ffff;
  m.s_axil_wvalid = w_valid_;
  m.s_axil_wdata = w_valid_ ? w_.front().data : junk();
  m.s_axil_wstrb = static_cast<uint8_t>((w_valid_ ? w_.front().strobe : junk()) & 15);
  m.s_axil_arvalid = ar_valid_;
  m.s_axil_araddr = (ar_valid_ ? ar_.front().address : junk()) & 0x3ffff;
  m.s_axil_bready = b_ready_;
  m.s_axil_rready = r_ready_;
  if (!second_ && second_access && Chance(options_.second)) second_ = second_access();
  m.bus_valid_i = second_.has_value();
  const NativeAccess access = second_.value_or(NativeAccess{Chance(50), junk(), junk(), junk()});
  m.bus_write_i = access.write;
  m.bus_addr_i = access.address & 0x3ffff;
  m.bus_data_i = access.data;
  m.bus_strobe_i = static_cast<uint8_t>(access.strobe & 15);
}

void NativeUnit::CheckMaster() {
  Vnative_top& m = unit_.model();
  const Held b = {m.s_axil_bvalid != 0, b_ready_, m.s_axil_bresp};
  const Held r = {m.s_axil_rvalid != 0, r_ready_,
                  m.s_axil_rdata ^ (static_cast<uint32_t>(m.s_axil_rresp) << 8)};
  if (b_held_.valid && !b_held_.ready && (!b.valid || b.payload != b_held_.payload)) {
    Fail("B changed before it was taken");
  }
  if (r_held_.valid && !r_held_.ready && (!r.valid || r.payload != r_held_.payload)) {
    Fail("R changed before it was taken");
  }
  b_held_ = b;
  r_held_ = r;
  if (b.valid && (b_done_ >= aw_done_ || b_done_ >= w_done_)) Fail("B before its AW and W");
  if (b.valid && b.ready) {
    ++b_done_;
    if (b_expected_.empty()) return Fail("B for nothing");
    const NativeAnswer want = b_expected_.front();
    b_expected_.pop_front();
    b_seen_.push_back({m.s_axil_bresp != 0, 0, cycle_});
    if (m.s_axil_bresp != (want.error ? 2 : 0)) Fail(fmt::format("BRESP is {}", m.s_axil_bresp));
  }
  if (r.valid && r.ready) {
    if (r_expected_.empty()) return Fail("R for nothing");
    const NativeAnswer want = r_expected_.front();
    r_expected_.pop_front();
    r_seen_.push_back({m.s_axil_rresp != 0, m.s_axil_rdata, cycle_});
    if (m.s_axil_rresp != (want.error ? 2 : 0)) Fail(fmt::format("RRESP is {}", m.s_axil_rresp));
    if (!want.error && m.s_axil_rdata != want.data) {
      Fail(fmt::format("RDATA is {:#x}, not {:#x}", m.s_axil_rdata, want.data));
    }
  }
  if (aw_valid_ && m.s_axil_awready) {
    aw_.pop_front();
    aw_valid_ = false;
    ++aw_done_;
  }
  if (w_valid_ && m.s_axil_wready) {
    w_.pop_front();
    w_valid_ = false;
    ++w_done_;
  }
  if (ar_valid_ && m.s_axil_arready) {
    ar_.pop_front();
    ar_valid_ = false;
  }
}

void NativeUnit::CheckOutputs(const NativeOutputs& out) {
  Vnative_top& m = unit_.model();
  const auto same = [this](const char* name, uint64_t is, uint64_t want) {
    if (is != want) Fail(fmt::format("{} is {:#x}, not {:#x}", name, is, want));
  };
  same("task_valid_o", m.task_valid_o, out.task_valid);
  if (out.task_valid != 0) {
    same("task_o", m.task_o, out.task);
    same("the tag of task_o", m.task_tag_o, out.tag);
  }
  same("record_pop_o", m.record_pop_o, out.record_pop);
  same("missed_clear_o", m.missed_clear_o, out.missed_clear);
  same("trigger_o", m.trigger_o, out.trigger);
  same("clear_o", m.clear_o, out.clear);
  same("lock_over_clear_o", m.lock_over_clear_o, out.over_clear);
  same("lock_under_clear_o", m.lock_under_clear_o, out.under_clear);
  same("window_valid_o", m.window_valid_o, out.window_valid);
  if (out.window_valid) {
    same("window_channel_o", m.window_channel_o, out.window_channel);
    same("window_index_o", m.window_index_o, out.window_index);
    same("window_o.first", m.window_first_o, out.window_first);
    same("window_o.last", m.window_last_o, out.window_last);
    same("the flags of window_o", m.window_flags_o, out.window_flags);
  }
  for (uint32_t c = 0; c < kChannels; ++c) {
    const uint32_t base = NativeModel::ChannelBase(c);
    same("CONTROL of setup_o", Word(m.setup_o, 3 * c), expected_.value(base) & 0x007f003fU);
    same("STANDING of setup_o", Word(m.setup_o, 3 * c + 1),
         expected_.value(base + 0x34) & 0x00ff7fffU);
    same("TRIGGER of setup_o", Word(m.setup_o, 3 * c + 2), expected_.value(base + 0x10));
    same("irq_channel_o", m.irq_channel_o >> c & 1, expected_.irq(c));
  }
  same("packet_clear_o", m.packet_clear_o, out.packet_clear);
  same("PACKET_CONTROL of packets_o", m.packet_control_o, expected_.value(0x50) & 3);
  same("PACKET_FIRST of packets_o", m.packet_first_o, expected_.value(0x54));
  same("PACKET_LAST of packets_o", m.packet_last_o, expected_.value(0x58));
  same("irq_o", m.irq_o, expected_.irq_line());
  same("quiesce_o", m.quiesce_o, expected_.value(0x20) & 1);
  same("tick_o", m.tick_o, expected_.tick());
  same("freeze_o", m.freeze_o, expected_.value(0x20) >> 2 & 1);
  same("cycles_o", m.cycles_o, expected_.cycles() & 0xffffffffU);
}

// Locks, descriptor memory and extensions are asked for what the access says, and nobody else is.
void NativeUnit::CheckAsked(const NativeAccess& access, const NativeOutputs& out) {
  Vnative_top& m = unit_.model();
  const auto same = [this](const char* name, uint64_t is, uint64_t want) {
    if (is != want) Fail(fmt::format("{} is {:#x}, not {:#x}", name, is, want));
  };
  same("lock_valid_o", m.lock_valid_o, out.lock);
  same("access_valid_o", m.access_valid_o, out.memory);
  same("extension_valid_o", m.extension_valid_o, out.extension);
  if (out.lock) {
    same("the command of lock_o", m.lock_command_o, out.lock_command);
    same("the number of lock_o", m.lock_id_o, out.lock_id);
    same("the value of lock_o", m.lock_value_o, out.lock_value);
  }
  if (out.memory) {
    same("access_o.write", m.access_write_o, access.write);
    same("access_o.area", m.access_area_o, out.memory_area);
    same("access_o.descriptor", m.access_descriptor_o, out.memory_descriptor);
    same("access_o.word", m.access_word_o, out.memory_word);
  }
  if (out.memory && access.write) {
    same("access_o.data", m.access_data_o, access.data);
    same("access_o.strobe", m.access_strobe_o, access.strobe);
  }
  if (out.extension) {
    same("extension_channel_o", m.extension_channel_o, out.extension_channel);
    same("the address of extension_request_o", m.extension_addr_o, access.address & ~3U);
  }
}

// The access that the bus answers in this cycle is the oldest of its master, and answered as the
// model says.
void NativeUnit::CheckBus() {
  Vnative_top& m = unit_.model();
  const uint32_t poll = m.spy_poll_o;
  const bool visit = m.spy_visit_o != 0;
  if (!m.spy_done_o) {
    CheckOutputs({});
    expected_.Step(nullptr, pins_, poll, visit);
    if (++quiet_cycles_ > 5000 && !idle()) Fail("the bus does not move");
    return;
  }
  quiet_cycles_ = 0;
  const NativeAccess access = {m.spy_write_o != 0, m.spy_addr_o, m.spy_data_o, m.spy_strobe_o};
  const NativeAnswer want = expected_.Answer(access, pins_);
  ++accesses_;
  refused_ += want.error;
  std::deque<NativeAccess>& queue = access.write ? writes_ : reads_;
  NativeAccess asked;
  if (m.spy_axil_o) {
    if (queue.empty()) return Fail("an access that nobody asked for");
    asked = queue.front();
    queue.pop_front();
    (access.write ? b_expected_ : r_expected_).push_back(want);
  } else {
    if (!second_) return Fail("an access that nobody asked for");
    asked = *second_;
    second_.reset();
  }
  const bool right =
      asked.write == access.write && (asked.address & 0x3fffc) == access.address &&
      (!access.write || (asked.data == access.data && asked.strobe == access.strobe));
  if (!right)
    Fail(fmt::format("address {:#x} is on the bus, not {:#x}", access.address, asked.address));
  const std::string what =
      fmt::format("{} {:#07x} with {:#x} and bytes {:#x}", access.write ? "write" : "read",
                  access.address, access.data, access.strobe);
  if ((m.spy_error_o != 0) != want.error) {
    Fail(fmt::format("{} is {}", what, want.error ? "not refused" : "refused"));
  } else if (!access.write && !want.error && m.spy_answer_o != want.data) {
    Fail(fmt::format("{} gives {:#x}, not {:#x}", what, m.spy_answer_o, want.data));
  }
  const NativeOutputs outputs = expected_.Outputs(access, pins_);
  CheckOutputs(outputs);
  CheckAsked(access, outputs);
  if (!failure_.empty() && failure_.find(what) == std::string::npos) failure_ += " (" + what + ")";
  expected_.Step(&access, pins_, poll, visit);
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
  if (options_.restless && !reset) Change();
  m.rst_ni = !reset;
  m.clk_i = 0;
  if (reset) {
    m.s_axil_awvalid = m.s_axil_wvalid = m.s_axil_arvalid = m.bus_valid_i = 0;
    aw_valid_ = w_valid_ = ar_valid_ = false;
  } else {
    DriveMaster();
  }
  DrivePins();
  unit_.Evaluate();
  if (on_cycle) on_cycle();
  const uint32_t popped = m.record_pop_o, taken = m.report_ready_o;
  if (reset) {
    expected_.Reset();
    b_held_ = r_held_ = {};
  } else {
    CheckMaster();
    CheckBus();
  }
  m.clk_i = 1;
  unit_.Evaluate();
  for (uint32_t c = 0; c < kChannels; ++c) {
    if (reset) continue;
    if ((popped >> c & 1) != 0) pins_.record[c][0] -= 0x100;
    if ((taken >> c & 1) != 0) pins_.report_valid &= ~(1U << c);
  }
  ++cycle_;
}

}  // namespace tessera
