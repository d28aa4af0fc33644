// See rtl_dma.h.
#include "tools/aieml/rtl/rtl_dma.h"

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_sym_props.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "lib/aieml/dma_layout.h"
#include "lib/aieml/dma_view.h"
#include "pins/types.h"
#include "tb/sim/lanes.h"
#include "tb/sim/model.h"

namespace tessera::array {
namespace {

using aieml::TileKind;

constexpr uint64_t kAsleep = 128;  // cycles without a change, after which none comes by itself
constexpr uint64_t kQuiet = 16;    // after which nothing is under way from a channel to its stream
constexpr int kResetCycles = 4, kAccessCycles = 1000;
constexpr size_t kBursts = 4;  // in hand of a port, each way
constexpr uint8_t kDecodeError = 3;

// The page of tessera_aieml (docs/aieml/aieml_ip.md).
constexpr uint32_t kWest = 0xf8010, kLocal = 0xf8018, kEast = 0xf8020, kPlace = 0xf8028;

uint32_t WordOf(const rtl::AiemlBeside& pins) {
  uint32_t word = 0;
  pins.Pack(pins::Place<uint32_t>(&word));
  return word;
}

rtl::AiemlBeside PinsOf(uint32_t word) {
  return rtl::AiemlBeside::Unpack(pins::Place<uint32_t>(&word));
}

// What lasts a cycle.
void Happened(const aieml::DmaActivity& from, aieml::DmaActivity* to) {
  to->started |= from.started;
  to->descriptor |= from.descriptor;
  to->task |= from.task;
  to->error |= from.error;
  to->lock_error = to->lock_error || from.lock_error;
}

bool Fits(const aieml::TileConfig& config, TileKind kind) {
  const int image = kind == TileKind::kMemory ? 0 : kind == TileKind::kShim ? 1 : 2;
  return config.image == image && config.stream_bytes == 4;
}

const char* NameOf(TileKind kind) {
  return kind == TileKind::kMemory ? "memory tile"
         : kind == TileKind::kShim ? "shim"
                                   : "compute tile";
}

std::unique_ptr<aieml::TileRtl> MakeFor(TileKind kind) {
  for (const aieml::TileConfig& config : Tiles()) {
    if (Fits(config, kind)) return MakeTile(config.name, 1);
  }
  throw std::invalid_argument(
      fmt::format("this program has no RTL of a {}: legal is a build with one, of streams of 32 "
                  "bits (-DTESSERA_AIEMLS, cmake/aieml/aiemls.json)",
                  NameOf(kind)));
}

}  // namespace

// The signals that cmake/aieml/probe.vlt names.
class RtlDma::Probe {
 public:
  explicit Probe(const aieml::TileConfig& config) {
    const std::string scope = config.name + ".tessera_aieml.u_program";
    const auto find = [&](const char* name) -> const VerilatedVar& {
      const VerilatedScope* found = Verilated::scopeFind(scope.c_str());
      const VerilatedVar* variable = found == nullptr ? nullptr : found->varFind(name);
      if (variable == nullptr) {
        throw std::runtime_error(
            fmt::format("the model has no signal {}.{}: legal is a model made with "
                        "cmake/aieml/probe.vlt",
                        scope, name));
      }
      return *variable;
    };
    activity_ = static_cast<const uint8_t*>(find("activity").datap());
    const VerilatedVar& locks = find("lock_report_i");
    report_ = static_cast<const uint32_t*>(locks.datap());
    top_ = locks.packed().elements() - 1;
  }
  // Flags of rtl::AiemlActivity; MM2S channels come first.
  uint8_t activity(size_t channel) const { return activity_[channel]; }
  // A release did not fit.
  bool lock_error() const { return (*report_ >> (top_ - 1) & 3) != 0; }

 private:
  const uint8_t* activity_;
  const uint32_t* report_;
  int top_;
};

RtlDma::RtlDma(const aieml::DmaPorts& ports, std::unique_ptr<aieml::TileRtl> tile)
    : ports_(ports),
      tile_(std::move(tile)),
      probe_(std::make_unique<Probe>(tile_->config())),
      memory_(static_cast<size_t>(tile_->config().ports)),
      lost_(2 * ports.to_memory.size()) {
  Reset();
}

RtlDma::~RtlDma() = default;

// ---- Registers

bool RtlDma::Post(const aieml::Access& access) {
  if (access_ || answer_) return false;
  const auto queue = access.write ? aieml::QueueAt(ports_.kind, access.offset) : std::nullopt;
  if (queue && hold_.in_reset) {
    answer_ = 0;
    return true;
  }
  if (queue) {
    const uint32_t status = Perform({aieml::StatusOffset(ports_.kind, *queue), false, 0});
    const size_t channel = queue->number + (queue->to_stream ? ports_.to_memory.size() : 0);
    if (aieml::QueueFull(status)) ++lost_[channel];
  }
  if (access.write) {
    const auto reset = aieml::ResetBy(ports_.kind, access.offset, access.value);
    if (reset && reset->to_stream) drained_ |= 1u << reset->number;
  }
  access_ = access;
  address_due_ = data_due_ = true;
  return true;
}

std::optional<uint32_t> RtlDma::Answer() { return std::exchange(answer_, std::nullopt); }

uint32_t RtlDma::Perform(const aieml::Access& access) {
  const auto finish = [this] {
    for (int n = 0; access_ && n < kAccessCycles; ++n) StepBetween();
    if (access_) {
      throw std::runtime_error(fmt::format("register {:#x} of the RTL at ({},{}) does not answer",
                                           access_->offset, ports_.column, ports_.row));
    }
  };
  finish();
  const auto answer = Answer();
  access_ = access;
  address_due_ = data_due_ = true;
  finish();
  return std::exchange(answer_, answer).value_or(0);
}

void RtlDma::DriveRegisters() {
  AxiLitePort& bus = tile_->registers();
  const bool write = access_ && access_->write;
  bus.aw.valid = write && address_due_;
  bus.w.valid = write && data_due_;
  bus.ar.valid = access_ && !write && address_due_;
  bus.b.ready = bus.r.ready = true;
  if (!access_) return;
  bus.aw->addr = bus.ar->addr = access_->offset;
  bus.w->data = access_->value;
  bus.w->strb = 15;
}

bool RtlDma::MoveRegisters() {
  AxiLitePort& bus = tile_->registers();
  if (!access_) return false;
  if (bus.aw.moves() || bus.ar.moves()) address_due_ = false;
  if (bus.w.moves()) data_due_ = false;
  if (bus.b.moves() || bus.r.moves()) {
    // A push waits for the end of a reset.
    const auto queue = access_->write ? aieml::QueueAt(ports_.kind, access_->offset) : std::nullopt;
    if (queue && queue->to_stream) drained_ &= ~(1u << queue->number);
    answer_ = access_->write ? 0 : bus.r->data;
    access_.reset();
  }
  return true;
}

// ---- Streams

RtlDma::Offers RtlDma::DriveStreams() {
  Offers offers;
  const bool open = tile_->aresetn && hold_.runs && !hold_.in_reset;
  for (size_t n = 0; n < ports_.to_memory.size(); ++n) {
    auto& [m_axis, s_axis] = tile_->streams(static_cast<int>(n));
    const aieml::Link& in = *ports_.to_memory[n];
    s_axis.valid = open && !in.Empty();
    if (s_axis.valid) {
      const aieml::Word word = in.Front();
      std::memcpy(s_axis->data.data(), &word.data, 4);
      s_axis->keep = FirstLanes(4);
      s_axis->last = word.last;
      offers.words |= 1u << n;
    }
    m_axis.ready = open && (Drained(n) || ports_.to_stream[n]->CanPush());
    if (m_axis.ready) offers.room |= 1u << n;
  }
  offers.tokens = tile_->token.ready = open && ports_.tokens->CanPush();
  return offers;
}

bool RtlDma::MoveStreams() {
  bool moved = false;
  for (size_t n = 0; n < ports_.to_memory.size(); ++n) {
    const auto& [m_axis, s_axis] = tile_->streams(static_cast<int>(n));
    if (s_axis.moves()) ports_.to_memory[n]->Pop();
    if (m_axis.moves() && !Drained(n)) {
      aieml::Word word{0, m_axis->last};
      std::memcpy(&word.data, m_axis->data.data(), 4);
      ports_.to_stream[n]->Push(word);
    }
    moved = moved || s_axis.moves() || m_axis.moves();
  }
  if (!tile_->token.moves()) return moved;
  ports_.tokens->Push({tile_->token->data, tile_->token->last});
  ++changes_;
  return true;
}

// ---- Memory

void RtlDma::DrivePort(int number) {
  AxiPort& bus = tile_->port(number);
  Port& port = memory_[static_cast<size_t>(number)];
  bus.ar.ready = port.reads.size() < kBursts;
  bus.aw.ready = port.writes.size() < kBursts;
  bus.w.ready = !port.writes.empty();
  bus.r.valid = !port.reads.empty();
  if (bus.r.valid) ReadBeat(&port.reads.front(), &bus.r.payload);
  bus.b.valid = !port.answers.empty();
  if (bus.b.valid) bus.b.payload = port.answers.front();
}

bool RtlDma::MovePort(int number) {
  const AxiPort& bus = tile_->port(number);
  Port& port = memory_[static_cast<size_t>(number)];
  bool moved = false;
  if (bus.r.moves()) {
    moved = true;
    Burst& burst = port.reads.front();
    burst.shown = false;
    if (++burst.beat == burst.address.beats()) port.reads.pop_front();
  }
  if (bus.b.moves()) {
    moved = true;
    port.answers.pop_front();
  }
  if (bus.w.moves()) {
    moved = true;
    Burst& burst = port.writes.front();
    WriteBeat(&burst, bus.w.payload);
    if (++burst.beat == burst.address.beats()) {
      port.answers.push_back({burst.address.id, burst.failed ? kDecodeError : uint8_t{0}});
      port.writes.pop_front();
    }
  }
  for (const bool write : {false, true}) {
    const auto& channel = write ? bus.aw : bus.ar;
    if (!channel.moves()) continue;
    moved = true;
    (write ? port.writes : port.reads).push_back({channel.payload});
  }
  if (moved) ++changes_;
  return moved;
}

void RtlDma::ReadBeat(Burst* burst, AxiReadBeat* beat) {
  if (std::exchange(burst->shown, true)) return;
  const auto wide = static_cast<uint64_t>(tile_->config().data_bytes);
  const uint64_t first = burst->address.addr & ~(wide - 1);
  const uint64_t begin =
      burst->beat == 0 ? burst->address.addr & ~uint64_t{3} : first + burst->beat * wide;
  bool found = false;
  for (uint64_t at = begin; at < first + (burst->beat + 1) * wide; at += 4) {
    uint32_t word = 0;
    found = ports_.memory->Read(at, &word) || found;
    std::memcpy(beat->data.data() + at % wide, &word, 4);
  }
  beat->id = burst->address.id;
  beat->resp = found ? 0 : kDecodeError;
  beat->last = burst->beat + 1 == burst->address.beats();
}

void RtlDma::WriteBeat(Burst* burst, const AxiWriteBeat& beat) {
  const auto wide = static_cast<uint64_t>(tile_->config().data_bytes);
  const uint64_t first = (burst->address.addr & ~(wide - 1)) + burst->beat * wide;
  for (uint64_t lane = 0; lane < wide && !burst->failed; lane += 4) {
    if (!beat.strb[static_cast<int>(lane)]) continue;
    uint32_t word = 0;
    std::memcpy(&word, beat.data.data() + lane, 4);
    burst->failed = !ports_.memory->Write(first + lane, word);
  }
}

// ---- Neighbours

bool RtlDma::HearNeighbours() {
  bool heard = false;
  for (Neighbour& beside : beside_) {
    if (beside.waits && beside.locks->changes() != *beside.waits) {
      beside.said.push_back(WordOf({.up = true, .changed = true}));
      beside.waits.reset();
    }
    heard = heard || !beside.said.empty() || beside.asked;
  }
  return heard;
}

bool RtlDma::Asked() const {
  return std::any_of(std::begin(beside_), std::end(beside_), [](const Neighbour& beside) {
    return beside.asked || std::any_of(beside.said.begin(), beside.said.end(),
                                       [](uint32_t word) { return PinsOf(word).asks; });
  });
}

bool RtlDma::DriveNeighbours() {
  bool heard = false;
  for (size_t side = 0; side < 2; ++side) {
    Neighbour& beside = beside_[side];
    uint32_t& in = tile_->beside[side].in;
    in = WordOf({.up = PinsOf(in).up});
    if (beside.said.empty()) continue;
    in = beside.said.front();
    beside.said.pop_front();
    beside.asked = PinsOf(in).up && (beside.asked || PinsOf(in).asks);
    heard = true;
  }
  return heard;
}

bool RtlDma::MoveNeighbours() {
  bool told = false;
  for (size_t side = 0; side < 2; ++side) {
    Neighbour& beside = beside_[side];
    if (beside.locks == nullptr) continue;
    rtl::AiemlBeside out = PinsOf(tile_->beside[side].out);
    // What is asked of a tile that is not up is lost.
    out.asks = out.asks && PinsOf(tile_->beside[side].in).up;
    if (out.answers) beside.asked = false;
    if (!(out.changed || out.answers || out.asks || out.up != beside.up)) continue;
    told = true;
    beside.up = out.up;
    if (beside.rtl != nullptr) {
      auto& said = beside.rtl->beside_[1 - side].said;
      if (!out.up) said.clear();
      said.push_back(WordOf(out));
      continue;
    }
    if (out.changed) refused_.clear();
    if (out.answers) beside.answer = out.granted;
    if (!out.asks) continue;
    bool granted = false;
    if (out.releases) {
      beside.locks->Release(out.op.id, out.op.value);
    } else {
      granted = beside.locks->Acquire(out.op.id, out.op.value);
      if (!granted) beside.waits = beside.locks->changes();
    }
    beside.said.push_back(WordOf({.up = true, .answers = true, .granted = granted}));
  }
  if (told) ++changes_;
  return told;
}

bool RtlDma::Visit(bool releases, uint32_t lock, int32_t amount) {
  Neighbour& beside = beside_[beside_[0].locks != nullptr && beside_[0].rtl == nullptr ? 0 : 1];
  beside.answer.reset();
  beside.said.push_back(WordOf({.up = true,
                                .asks = true,
                                .releases = releases,
                                .op = {static_cast<uint8_t>(lock), static_cast<int8_t>(amount)}}));
  for (int n = 0; !beside.answer && n < kAccessCycles; ++n) StepBetween();
  if (!beside.answer) {
    throw std::runtime_error(fmt::format("lock {} of the RTL at ({},{}) does not answer", lock,
                                         ports_.column, ports_.row));
  }
  return *beside.answer;
}

bool RtlDma::Acquire(uint32_t lock, int32_t amount) {
  if (refused_.count({lock, amount}) != 0) return false;
  const bool granted = Visit(false, lock, amount);
  if (!granted) refused_.emplace(lock, amount);
  return granted;
}

void RtlDma::Release(uint32_t lock, int32_t amount) { Visit(true, lock, amount); }

uint32_t RtlDma::Value(uint32_t lock) {
  return Perform({aieml::LayoutOf(ports_.kind).lock + 0x10 * lock, false, 0});
}

// ---- Cycles

void RtlDma::Step() {
  const bool heard = DriveNeighbours();
  const Offers offers = DriveStreams();
  DriveRegisters();
  for (int p = 0; p < tile_->config().ports; ++p) DrivePort(p);
  tile_->Settle();
  const bool told = MoveNeighbours();
  bool moved = MoveStreams() || offers != offers_ || heard || told;
  offers_ = offers;
  if (tile_->aresetn) {
    moved = MoveRegisters() || moved;
    for (int p = 0; p < tile_->config().ports; ++p) moved = MovePort(p) || moved;
  }
  Look();
  tile_->Edge();
  still_ = moved || activity_.started != 0 || activity_.descriptor != 0 ? 0 : still_ + 1;
}

void RtlDma::StepBetween() {
  Step();
  Happened(activity_, &between_);
}

// What channels do in this cycle; those to memory come last in the probe.
void RtlDma::Look() {
  using Flag = rtl::AiemlActivity;
  const auto channels = static_cast<uint32_t>(ports_.to_memory.size());
  activity_ = {};
  uint32_t halted = 0;
  for (uint32_t n = 0; n < 2 * channels; ++n) {
    const uint8_t flags = probe_->activity(n);
    const uint32_t bit = n < channels ? 256u << n : 1u << (n - channels);
    if ((flags & Flag::kStarts) != 0) activity_.started |= bit;
    if ((flags & Flag::kFinishedBd) != 0) activity_.descriptor |= bit;
    if ((flags & Flag::kFinishedTask) != 0) activity_.task |= bit;
    if ((flags & Flag::kFault) != 0) halted |= bit;
    if ((flags & Flag::kLock) != 0) activity_.lock |= bit;
    if ((flags & Flag::kOnStream) != 0) activity_.stream |= bit;
    if ((flags & Flag::kOnMemory) != 0) activity_.memory |= bit;
    if ((flags & Flag::kToken) != 0) activity_.token_stall = true;
  }
  activity_.error = halted & ~halted_;
  activity_.lock_error = probe_->lock_error();
  const bool changed = halted != halted_ || tile_->active != active_ || activity_.started != 0 ||
                       activity_.descriptor != 0;
  halted_ = halted;
  active_ = tile_->active;
  if (!changed) return;
  ++changes_;
  still_ = 0;
}

void RtlDma::Clock() {
  const bool held = !hold_.runs || hold_.in_reset;
  const bool heard = HearNeighbours();
  const bool sleeps = held ? !Asked() : !heard && still_ >= kAsleep && DriveStreams() == offers_;
  if (!access_ && sleeps) {
    const aieml::DmaActivity last = held ? aieml::DmaActivity{} : activity_;
    activity_ = {};
    activity_.lock = last.lock;
    activity_.stream = last.stream;
    activity_.memory = last.memory;
    activity_.token_stall = last.token_stall;
    ++still_;
  } else {
    Step();
  }
  Happened(std::exchange(between_, {}), &activity_);
}

bool RtlDma::Quiet() const {
  bool quiet = tile_->active == 0 && !access_ && still_ >= kQuiet && !tile_->token.valid;
  for (const Port& port : memory_) quiet = quiet && port.Idle();
  for (size_t n = 0; n < ports_.to_memory.size(); ++n) {
    quiet = quiet && !tile_->streams(static_cast<int>(n)).m_axis.valid;
  }
  return quiet;
}

void RtlDma::Reset() {
  tile_->aresetn = false;
  refused_.clear();
  for (size_t side = 0; side < 2; ++side) {
    Neighbour& beside = beside_[side];
    if (!beside.said.empty()) tile_->beside[side].in = beside.said.back();
    beside.said.clear();
    beside.waits.reset();
    beside.asked = false;
  }
  for (Port& port : memory_) port = {};
  for (int n = 0; n < kResetCycles; ++n) Step();
  for (Port& port : memory_) port = {};
  tile_->aresetn = true;
  address_due_ = data_due_ = true;  // of an access that the reset met
  Place();
}

// A reset of the module spares the descriptors, one of the RTL does not.
void RtlDma::ResetModule() {
  std::vector<aieml::Access> words;
  for (const uint32_t offset : aieml::DescriptorOffsets(ports_.kind)) {
    words.push_back({offset, true, Perform({offset, false, 0})});
  }
  Reset();
  for (const aieml::Access& word : words) Perform(word);
}

void RtlDma::Place() {
  const auto write = [this](uint32_t offset, uint32_t value) { Perform({offset, true, value}); };
  write(kPlace, ports_.column << 21 | ports_.row << 16);
  if (ports_.kind == TileKind::kCompute) write(kLocal, 1);
  if (ports_.kind != TileKind::kMemory) return;
  write(kWest, beside_[0].locks != nullptr && hold_.west ? 1 : 0);
  write(kLocal, 0x80001);
  write(kEast, 0x100000 | (beside_[1].locks != nullptr && hold_.east ? 1u : 0u));
}

void RtlDma::Hold(const aieml::DmaHold& hold) {
  if (hold == hold_) return;
  const aieml::DmaHold before = std::exchange(hold_, hold);
  if (hold.in_reset && !before.in_reset) {
    ResetModule();
  } else if (hold.west != before.west || hold.east != before.east) {
    Place();
  }
}

void RtlDma::Neighbours(TileDma* west, TileDma* east) {
  for (size_t side = 0; side < 2; ++side) {
    TileDma* dma = side == 0 ? west : east;
    if (dma == nullptr) continue;
    auto* rtl = dynamic_cast<RtlDma*>(dma);
    const bool up = rtl == nullptr || PinsOf(rtl->tile_->beside[1 - side].out).up;
    beside_[side].locks = &dma->locks();
    beside_[side].rtl = rtl;
    beside_[side].up = PinsOf(tile_->beside[side].out).up;
    tile_->beside[side].in = WordOf({.up = up});
  }
  Place();
}

std::vector<std::string> RtlDma::Waiting() {
  const auto lost = [this](aieml::ChannelName channel) {
    return lost_[channel.number + (channel.to_stream ? ports_.to_memory.size() : 0)];
  };
  return aieml::DescribeWaiting({ports_.kind, hold_.runs,
                                 [this](uint32_t offset) {
                                   return Perform({offset, false, 0});
                                 },
                                 lost,
                                 [this](bool west, uint32_t lock) {
                                   TileLocks* locks = beside_[west ? 0 : 1].locks;
                                   return locks == nullptr ? 0u : locks->Value(lock);
                                 }});
}

bool HasRtl(TileKind kind) {
  const auto tiles = Tiles();
  return std::any_of(tiles.begin(), tiles.end(),
                     [kind](const aieml::TileConfig& config) { return Fits(config, kind); });
}

aieml::MakeDma MakeRtl(Places rtl) {
  return [rtl = std::move(rtl)](const aieml::DmaPorts& ports) -> std::unique_ptr<aieml::TileDma> {
    const std::pair here{ports.column, ports.row};
    if (!rtl.empty() && std::find(rtl.begin(), rtl.end(), here) == rtl.end()) {
      return nullptr;
    }
    return std::make_unique<RtlDma>(ports, MakeFor(ports.kind));
  };
}

}  // namespace tessera::array
