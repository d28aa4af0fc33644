// The sequencer as the manual describes it: tasks, chains, repeats, iteration, locks, triggers,
// tokens.
#include "tb/dma/sequencer_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tb/check/encode.h"
#include "tb/model/walk.h"

namespace tessera {
namespace {

// Reasons of the manual.
constexpr int kInvalid = 32, kUnavailable = 33, kNoLock = 34, kNoExtension = 35, kReserved = 38;
// The unnamed bits of a descriptor, word by word.
constexpr std::array<uint32_t, 16> kUnnamed = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80c0'00c0U, 0x0000'fe00U, 0, 0x4000'0000U};

uint32_t Bits(uint32_t word, int high, int low) {
  return word >> low & static_cast<uint32_t>((uint64_t{1} << (high - low + 1)) - 1);
}
bool Bit(uint32_t word, int bit) { return (word >> bit & 1) != 0; }
// Seven bits, signed.
int Signed7(uint32_t bits) {
  return bits >= 64 ? static_cast<int>(bits) - 128 : static_cast<int>(bits);
}

}  // namespace

SequencerModel::SequencerModel(const DmaConfig& config, model::MemoryImage* memory,
                               std::vector<model::ErrorRange> errors)
    : config_(config),
      build_(BuildOf(config.channel)),
      memory_(memory),
      errors_(std::move(errors)),
      descriptors_(static_cast<size_t>(config.descriptors)),
      locks_(static_cast<size_t>(config.locks)) {
  channels_.resize(static_cast<size_t>(config.channels()));
  for (int c = 0; c < config.channels(); ++c) {
    if (c < config.reads) {
      At(c).read.emplace(build_, *memory_, errors_);
    } else {
      At(c).write.emplace(build_, *memory_);
    }
  }
}

const std::vector<model::StreamBeat>& SequencerModel::beats(int read_channel) const {
  return At(read_channel).read.value().beats();
}

void SequencerModel::Feed(int w, std::vector<model::StreamBeat> beats) {
  At(config_.reads + w).write->Offer(std::move(beats));
}

void SequencerModel::Write(uint32_t a, uint32_t value) {
  const uint32_t word = a / 4 % 16;
  if (a >= 0x20000 && a < 0x2c000) {
    Descriptor& d = descriptors_.at(a / 0x40 % 0x100);
    (a < 0x24000 ? d.base : a < 0x28000 ? d.bounds : d.walk)[word] = value;
    const bool last = a < 0x24000 && word == 15;
    d.valid = last && Bit(value, 31);
    if (last) d.turns = 0;
    return;
  }
  if (a >= 0x2c000 && a < 0x2c400) {
    descriptors_.at(a / 4 % 0x100).turns = value & 0xffff;
    return;
  }
  if (a >= 0x3000 && a < 0x3400) {
    if (a % 16 == 0) locks_.at(a / 16 % 64) = static_cast<int>(value & 63);
    if (a % 16 == 4) Release(a / 16 % 64, Signed7(value & 0x7f));
    return;
  }
  if (a == 0x34) {
    for (uint32_t k = 0; k < 16; ++k) {
      if (Bit(value, static_cast<int>(k))) Fire(0x20 + k);
    }
    return;
  }
  if (a < 0x1000 || a >= 0x3000) return;
  const int number = static_cast<int>(a / 0x100 % 16);
  Channel& c = At(a < 0x2000 ? number : config_.reads + number);
  const uint32_t offset = a % 0x100;
  if (offset == 0x08) c.tasks.push_back({value, c.tag});
  if (offset == 0x0c) c.tag = value;
  if (offset == 0x10) c.trigger = value & 0x7f;
  if (offset == 0x34) c.controller = Bits(value, 23, 16);
  if (offset >= 0x80) c.list[offset] = value;
}

void SequencerModel::Fire(uint32_t source) {
  for (Channel& c : channels_) {
    if (c.trigger != source || source == 0) continue;
    c.missed = c.missed || c.pending;
    c.pending = true;
  }
}

// ---- Descriptors
// ---------------------------------------------------------------------------------

model::Transfer SequencerModel::Decode(const Words& w, const Words& b, const Words& k,
                                       uint32_t turns) {
  model::Transfer t;
  const auto wide = [](uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; };
  const bool bounds = Bit(w[15], 14), walk = Bit(w[15], 15);
  t.elem = 1 << Bits(w[15], 2, 0);
  t.base = wide(w[0], w[1]);
  t.offset = static_cast<uint64_t>(int64_t{turns} * static_cast<int32_t>(w[11]));
  for (size_t d = 0; d < model::kDims; ++d) {
    t.count[d] = w[2 + d];
    t.stride[d] = bounds ? static_cast<int64_t>(wide(w[6 + d], b[12 + d]))
                         : int64_t{static_cast<int32_t>(w[6 + d])};
    if (!bounds) continue;
    t.start[d] = static_cast<int32_t>(b[d]);
    if (Bit(b[10], static_cast<int>(d))) t.bound[d] = b[4 + d];
  }
  if (bounds) t.fill = wide(b[8], b[9]);
  for (size_t l = 0; walk && l < model::kWalkLevels; ++l) {
    t.walk[l] = model::WalkLevel{
        static_cast<int>(Bits(k[8], static_cast<int>(2 * l + 1), static_cast<int>(2 * l))),
        static_cast<int32_t>(k[4 + l]), k[l]};
  }
  if (Bit(w[15], 3)) t.length = w[10];
  t.last_rule = static_cast<model::LastRule>(Bits(w[15], 5, 4));
  t.last_level = static_cast<int>(Bits(w[15], 8, 6));
  t.join_next = Bit(w[15], 9);
  t.finish = Bit(w[15], 10) ? model::Finish::kLast : model::Finish::kLength;
  return t;
}

SequencerModel::Words SequencerModel::FromMemory(uint64_t address) const {
  Words words{};
  for (size_t n = 0; n < 64; ++n) {
    words[n / 4] |= uint32_t{memory_->Read(address + n)} << (8 * (n % 4));
  }
  return words;
}

uint64_t SequencerModel::ListAddress(const Channel& c, int n) const {
  const auto at = [&c](uint32_t offset) {
    const auto found = c.list.find(offset);
    return found == c.list.end() ? 0U : found->second;
  };
  const uint64_t base = at(0x80) | uint64_t{at(0x84)} << 32;
  return base + 64 * uint64_t{Bits(at(0x94), 5, 4) + 1} * static_cast<uint64_t>(n);
}

// Why a descriptor is not loaded; 0: it is.
int SequencerModel::Check(int number, const Words& w, bool valid, bool from_list) const {
  if (!from_list) {
    if (number >= config_.descriptors) return kUnavailable;
  }
  if (!valid) return kInvalid;
  for (size_t n = 0; n < w.size(); ++n) {
    if ((w[n] & kUnnamed[n]) != 0) return kReserved;
  }
  if (Bit(w[12], 15) && static_cast<int>(Bits(w[12], 5, 0)) >= config_.locks) return kNoLock;
  if (Bits(w[12], 30, 24) != 0 && static_cast<int>(Bits(w[12], 21, 16)) >= config_.locks) {
    return kNoLock;
  }
  if ((Bit(w[15], 14) && !build_.bounds) || (Bit(w[15], 15) && !build_.walk)) return kNoExtension;
  return 0;
}

bool SequencerModel::NeedsTrigger(const Channel& c) const {
  if (!config_.triggers || c.begun) return false;
  const uint32_t word = c.tasks.front().word;
  return Bit(word, 27) || (Bit(word, 26) && c.turn == 0);
}

// The next descriptor of the channel becomes `loaded`; false: it waits, or there is none.
bool SequencerModel::Load(int channel) {
  Channel& c = At(channel);
  if (c.tasks.empty() || c.reason != 0) return false;
  const Task& task = c.tasks.front();
  if (NeedsTrigger(c)) {
    if (!c.pending) return false;
    c.pending = false;
  }
  c.begun = true;
  const bool from_list = Bit(task.word, 28);
  Loaded next;
  Words bounds{}, walk{};
  uint32_t turns = 0;
  bool valid = true, turn_end = false;
  if (from_list) {
    next.number = c.at.value_or(0);
    const uint64_t address = ListAddress(c, next.number);
    next.base = FromMemory(address);
    valid = Bit(next.base[15], 31);
    uint64_t part = address + 64;
    if (Bit(next.base[15], 14)) {
      bounds = FromMemory(part);
      part += 64;
    }
    if (Bit(next.base[15], 15)) walk = FromMemory(part);
    turn_end = next.number + 1 == static_cast<int>(c.list[0x88]);
  } else {
    next.number = c.at.value_or(static_cast<int>(Bits(task.word, 7, 0)));
    if (next.number < config_.descriptors) {
      Descriptor& d = descriptors_[static_cast<size_t>(next.number)];
      next.base = d.base;
      bounds = d.bounds;
      walk = d.walk;
      valid = d.valid;
      turns = d.turns;
    }
    turn_end = !Bit(next.base[13], 8);
  }
  c.reason = Check(next.number, next.base, valid, from_list);
  c.descriptor = next.number;
  if (c.reason != 0) return false;
  const uint32_t size = Bits(next.base[13], 31, 16);
  if (!from_list && size > 1) {
    descriptors_[static_cast<size_t>(next.number)].turns = (turns + 1) % size;
  } else {
    turns = 0;
  }
  next.transfer = Decode(next.base, bounds, walk, turns);
  next.task_end = turn_end && c.turn == Bits(task.word, 23, 8);
  next.transfer.task_end = next.task_end;
  c.at = turn_end ? std::nullopt
                  : std::optional(from_list ? next.number + 1
                                            : static_cast<int>(Bits(next.base[13], 7, 0)));
  if (turn_end) {
    c.begun = false;
    ++c.turn;
  }
  c.loaded = std::move(next);
  c.acquired = false;
  return true;
}

// ---- Locks
// ---------------------------------------------------------------------------------------

bool SequencerModel::Satisfied(const Words& w) const {
  const int value = Signed7(Bits(w[12], 14, 8));
  const int lock = locks_.at(Bits(w[12], 5, 0));
  return value < 0 ? lock >= -value : lock == value;
}

// How much the acquire of a descriptor takes.
int SequencerModel::Taken(const Words& w) const {
  const int value = Signed7(Bits(w[12], 14, 8));
  return Bit(w[12], 15) && value < 0 ? -value : 0;
}

void SequencerModel::Release(uint32_t id, int amount) {
  int& lock = locks_.at(id);
  lock += amount;
  if (lock > 63) over_ |= uint64_t{1} << id;
  if (lock < 0) under_ |= uint64_t{1} << id;
  lock = std::clamp(lock, 0, 63);
}

// ---- Execution
// -----------------------------------------------------------------------------------

bool SequencerModel::Step(int channel) {
  Channel& c = At(channel);
  if (!c.loaded && !Load(channel)) return false;
  const Words& w = c.loaded->base;
  if (Bit(w[12], 15) && !c.acquired) {
    if (!Satisfied(w)) return false;
    locks_.at(Bits(w[12], 5, 0)) -= Taken(w);
    c.acquired = true;
  }
  if (c.read) {
    Finish(channel, c.read->Run(c.loaded->transfer));
  } else {
    auto done = c.write->Run(c.loaded->transfer);
    if (!done) throw std::runtime_error(fmt::format("the stream of {} ends too early", channel));
    if (!errors_.empty()) NoteWriteErrors(c.loaded->transfer, &*done);
    Finish(channel, *done);
  }
  return true;
}

// Whether one of the words that a transfer has written answers with an error.
void SequencerModel::NoteWriteErrors(const model::Transfer& transfer, model::Record* record) const {
  const auto word = static_cast<uint64_t>(build_.data_bytes);
  uint64_t left = record->bytes;
  model::Walk(transfer, build_, [&](const model::Position& p) {
    const uint64_t bytes = std::min(left, static_cast<uint64_t>(transfer.elem));
    left -= bytes;
    const uint64_t offset = p.addr % word;
    for (uint64_t n = 0; p.valid && bytes > 0 && n < offset + bytes; n += word) {
      const uint64_t first = (p.addr - offset + n) & build_.AddressMask();
      for (const model::ErrorRange& range : errors_) {
        if (range.last < first || range.first > first + (word - 1)) continue;
        (range.decerr ? record->decerr : record->slverr) = true;
        break;
      }
    }
    return left > 0;
  });
}

void SequencerModel::Finish(int channel, const model::Record& done) {
  Channel& c = At(channel);
  const Loaded loaded = *std::exchange(c.loaded, std::nullopt);
  const Words& w = loaded.base;
  const Task task = c.tasks.front();
  if (loaded.task_end) {
    c.tasks.pop_front();
    c.turn = 0;
  }
  ++executed_;
  const bool recorded = !Bit(w[15], 13) || StatusOf(done) != 0;
  if (recorded) {
    c.records.push_back({task.tag, w[14], loaded.number & 0xff, loaded.task_end, done});
  }
  const bool spoilt = done.illegal;
  const int lock = static_cast<int>(Bits(w[12], 21, 16));
  const int amount = spoilt ? 0 : Signed7(Bits(w[12], 30, 24));
  if (amount != 0) Release(static_cast<uint32_t>(lock), amount);
  c.executions.push_back({.descriptor = loaded.number & 0xff,
                          .recorded = recorded,
                          .interrupts = Bit(w[15], 12),
                          .ends_task = loaded.task_end && !spoilt,
                          .taken = {static_cast<int>(Bits(w[12], 5, 0)), -Taken(w)},
                          .given = {lock, amount}});
  const uint32_t place =
      static_cast<uint32_t>(channel < config_.reads ? channel : channel - config_.reads);
  const uint32_t kind = channel < config_.reads ? 0 : 0x10;
  Fire(0x40 + kind + place);
  if (!loaded.task_end || spoilt) return;
  if (Bit(task.word, 25) && config_.tokens) {
    // Word of a token: controller, 0x60 + actor, where the IP stands, odd parity.
    const uint32_t sender = config_.writes > 6 ? 16 : 6;
    const uint32_t actor = channel < config_.reads ? sender + place : place;
    const uint32_t word = c.controller | (0x60 + actor) << 8 | config_.place();
    c.tokens.push_back(word | static_cast<uint32_t>(std::popcount(word) % 2 == 0) << 31);
  }
  Fire(0x60 + kind + place);
}

void SequencerModel::Run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (int n = 0; n < config_.channels(); ++n) {
      while (Step(n)) moved = true;
    }
    if (moved) continue;
    // Software and the world give their events where they are waited for.
    for (int n = 0; n < config_.channels() && !moved; ++n) {
      Channel& c = At(n);
      if (c.loaded || c.tasks.empty() || c.reason != 0 || !NeedsTrigger(c) || c.pending) continue;
      if (c.trigger < 0x10 || c.trigger >= 0x30) continue;
      Fire(c.trigger);
      moved = true;
    }
  }
}

bool SequencerModel::Finished() const {
  for (const Channel& c : channels_) {
    if (!c.tasks.empty() || c.loaded) return false;
  }
  return true;
}

std::string SequencerModel::WhoWaits(int channel) const {
  const Channel& c = At(channel);
  const std::string name = fmt::format("{} channel {}", channel < config_.reads ? "read" : "write",
                                       channel < config_.reads ? channel : channel - config_.reads);
  if (c.reason != 0) {
    return fmt::format("{} has stopped: descriptor {} was not loaded, reason {}", name,
                       c.descriptor, c.reason);
  }
  if (c.loaded && !c.acquired) {
    const uint32_t word = c.loaded->base[12];
    const int value = Signed7(Bits(word, 14, 8));
    return fmt::format("{} waits with descriptor {} for lock {} to be {} {}; it is {}", name,
                       c.loaded->number, Bits(word, 5, 0), value < 0 ? "at least" : "equal to",
                       value < 0 ? -value : value, locks_.at(Bits(word, 5, 0)));
  }
  if (!c.tasks.empty() && NeedsTrigger(c) && !c.pending) {
    return fmt::format("{} waits for trigger {:#x}", name, c.trigger);
  }
  return "";
}

}  // namespace tessera
