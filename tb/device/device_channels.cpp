// What channels of the model do: tasks, chains, lists, triggers, locks, records, events, tokens.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "tb/device/device_model.h"
#include "tb/model/walk.h"

namespace tessera {
namespace {

using registers::LoadError;

constexpr int Number(LoadError reason) { return static_cast<int>(reason); }
constexpr uint32_t kOfDescriptor = 0x417f;       // bits of ERROR that belong to one
constexpr uint8_t kAborted = 32, kIllegal = 64;  // of a record's status
constexpr uint32_t kMark = 1;                    // the trigger of frames

uint32_t Bits(uint32_t word, int high, int low) {
  return word >> low & static_cast<uint32_t>((uint64_t{1} << (high - low + 1)) - 1);
}
bool Bit(uint32_t word, int bit) { return (word >> bit & 1) != 0; }
uint64_t Wide(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }
int Signed7(uint32_t bits) {
  return bits >= 64 ? static_cast<int>(bits) - 128 : static_cast<int>(bits);
}
uint32_t OddParity(uint32_t word) {
  return word | static_cast<uint32_t>(std::popcount(word) % 2 == 0) << 31;
}

uint8_t StatusOf(const model::Record& r) {
  return static_cast<uint8_t>((r.slverr ? 1 : 0) | (r.decerr ? 2 : 0) | (r.overlong ? 4 : 0) |
                              (r.partial_element ? 8 : 0) | (r.sparse_keep ? 16 : 0) |
                              (r.illegal ? kIllegal : 0));
}
// The bits of ERROR of a record.
uint32_t ErrorOf(uint8_t status) {
  return ((status & 3) != 0 ? 2U : 0U) | (status & 0x1cU) | (status & kAborted ? 64U : 0U) |
         (status & kIllegal ? 32U : 0U);
}

}  // namespace

DeviceModel::DeviceModel(const DeviceBuild& build, model::MemoryImage* memory,
                         std::vector<model::ErrorRange> read_errors,
                         std::vector<model::ErrorRange> write_errors,
                         const model::MemoryImage* lists)
    : build_(build),
      memory_(memory),
      lists_(lists == nullptr ? memory : lists),
      write_errors_(std::move(write_errors)),
      words_(0x40000 / 4),
      locks_(build.locks),
      channels_(build.reads + build.writes) {
  transfers_.addr_width = static_cast<int>(build.address_bits);
  transfers_.data_bytes = 1 << build.data_log2;
  transfers_.stream_bytes = 1 << build.stream_log2;
  transfers_.beat_bytes = transfers_.data_bytes;
  transfers_.walk = build.Has(DeviceFeature::kWalkMask);
  transfers_.bounds = build.Has(DeviceFeature::kBoundsMask);
  SetCapabilities();
  for (int c = 0; c < channels(); ++c) {
    if (IsRead(c)) {
      At(c).read.emplace(transfers_, *memory_, read_errors);
    } else {
      At(c).write.emplace(transfers_, *memory_);
    }
  }
}

// ---- The world

void DeviceModel::Feed(int w, const std::vector<model::StreamBeat>& beats,
                       const std::vector<uint32_t>& sides) {
  Channel& channel = At(static_cast<int>(build_.reads) + w);
  channel.fed.insert(channel.fed.end(), beats.begin(), beats.end());
  channel.sides.insert(channel.sides.end(), sides.begin(), sides.end());
  channel.sides.resize(channel.fed.size());
}

void DeviceModel::Fire(uint32_t source) {
  for (int c = 0; c < channels(); ++c) {
    if (Own(c, 0x10) != source || source == 0) continue;
    Channel& channel = At(c);
    if (channel.pending > 0 && !build_.keeps_events) {
      if (!std::exchange(channel.missed, true)) NoteError(c, 1U << 12, 0, 0);
    } else {
      ++channel.pending;
    }
  }
}

void DeviceModel::Hang(int c, bool hangs) {
  At(c).hangs = hangs;
  if (!hangs && (Control(c) & 12) != 0 && !At(c).stopped) {
    CutShort(c);
    At(c).stopped = true;
  }
}

const std::vector<model::StreamBeat>& DeviceModel::beats(int read_channel) const {
  const Channel& channel = At(read_channel);
  return build_.Has(DeviceFeature::kPacketHeadersMask) ? channel.sent
                                                       : channel.read.value().beats();
}

void DeviceModel::ForgetBeats(int read_channel) {
  Channel& channel = At(read_channel);
  channel.read->Forget();
  channel.sent.clear();
  channel.headed = 0;
}

// ---- Descriptors

std::array<uint32_t, 16> DeviceModel::FromMemory(uint64_t address) const {
  std::array<uint32_t, 16> words{};
  for (size_t n = 0; n < 64; ++n) {
    words[n / 4] |= uint32_t{lists_->Read(address + n)} << (8 * (n % 4));
  }
  return words;
}

// Why a descriptor is not loaded; 0: it is.
int DeviceModel::Check(int number, const model::Words& words, bool from_list) const {
  if (!from_list && number >= static_cast<int>(build_.descriptors))
    return Number(LoadError::kUnavailable);
  return model::RefusalOf(words, transfers_, build_.locks,
                          build_.Has(DeviceFeature::kPacketHeadersMask));
}

void DeviceModel::NoteError(int c, uint32_t bits, uint32_t info, uint64_t address) {
  Channel& channel = At(c);
  if (bits == 0) return;
  channel.error |= bits;
  channel.irq_status |= 8;
  if ((bits & kOfDescriptor) == 0 || std::exchange(channel.known, true)) return;
  channel.info = info;
  channel.error_addr = address;
}

void DeviceModel::Halt(int c, int number, int reason, bool list, uint64_t address) {
  At(c).halted = true;
  At(c).reason = reason;
  At(c).refused = number;
  NoteError(c, list ? 1 | 1U << 13 : 1,
            static_cast<uint32_t>(number & 0xff) | static_cast<uint32_t>(reason) << 8,
            list ? address : 0);
}

// ---- Tasks

bool DeviceModel::NeedsTrigger(int c) const {
  const Channel& channel = At(c);
  if (!build_.Has(DeviceFeature::kTriggersMask) || channel.turn_begun) return false;
  const uint32_t word = channel.tasks.front().word;
  return Bit(word, 27) || (Bit(word, 26) && (channel.turn == 0 || Own(c, 0x10) == kMark));
}

// The event that the turn waits for; of a frame mark the beat with it, and those before are
// dropped.
bool DeviceModel::TakeTrigger(int c) {
  Channel& channel = At(c);
  if (Own(c, 0x10) == kMark && !IsRead(c)) {
    size_t beat = channel.next_beat;
    while (beat < channel.fed.size() && !Bit(channel.sides[beat], 16)) ++beat;
    if (beat == channel.fed.size()) return false;
    channel.next_beat = channel.frame = beat;
    channel.framed = true;
  } else {
    if (channel.pending == 0) return false;
    --channel.pending;
  }
  ++channel.triggers_taken;
  return true;
}

// What comes behind a descriptor that was loaded.
void DeviceModel::Advance(int c, const Loaded& next, bool turn_end) {
  Channel& channel = At(c);
  if (!turn_end) {
    channel.at = next.from_list ? next.number + 1 : static_cast<int>(next.chain().next());
    return;
  }
  channel.at = std::nullopt;
  channel.turn_begun = false;
  ++channel.turn;
  if (!next.task_end) return;
  channel.turn = 0;
  channel.list_open = false;
  channel.tasks.pop_front();
  if (channel.tasks.empty()) channel.irq_status |= 1U << 4;
}

// The next descriptor of the channel becomes `loaded`; false: it waits, or there is none.
bool DeviceModel::Load(int c) {
  Channel& channel = At(c);
  if (channel.tasks.empty() || channel.halted || channel.faulted) return false;
  Loaded next;
  next.task = channel.tasks.front();
  next.from_list = Bit(next.task.word, 28);
  if (NeedsTrigger(c) && !TakeTrigger(c)) return false;
  channel.turn_begun = true;
  uint32_t turns = 0;
  bool turn_end = false;
  uint64_t address = 0;
  if (next.from_list) {
    const uint32_t control = Own(c, 0x94), count = Own(c, 0x88), tail = Own(c, 0x8c);
    const bool ring = Bit(control, 0);
    const uint64_t base = Wide(Own(c, 0x80), Own(c, 0x84));
    const uint32_t units = Bits(control, 5, 4) + 1;
    channel.list_open = true;
    next.number = static_cast<int>(ring ? channel.head : channel.at.value_or(0));
    address = base + uint64_t{64} * units * static_cast<uint64_t>(next.number);
    LoadError reason = base % 64 != 0 ? LoadError::kListBase
                       : count == 0   ? LoadError::kListCount
                                      : LoadError::kNone;
    if (reason == LoadError::kNone && ring && tail >= count) reason = LoadError::kListTail;
    if (reason == LoadError::kNone) {
      if (ring && channel.head == tail) return false;
      next.words.base = FromMemory(address);
      const uint32_t has_bounds = next.flags().has_bounds(), has_walk = next.flags().has_walk();
      if (next.flags().valid() && 1 + has_bounds + has_walk > units) reason = LoadError::kListPitch;
      if (has_bounds) next.words.bounds = FromMemory(address + 64);
      if (has_walk) next.words.walk = FromMemory(address + 64 + 64 * uint64_t{has_bounds});
    }
    if (reason != LoadError::kNone) {
      Halt(c, next.number, Number(reason), true, address);
      return false;
    }
    const auto following = static_cast<uint32_t>(next.number) + 1;
    channel.head = following == count ? 0 : following;
    turn_end = ring ? !next.chain().has_next() : following == count;
  } else {
    next.number = channel.at.value_or(static_cast<int>(next.task.word & 0xff));
    const auto number = static_cast<uint32_t>(next.number);
    for (uint32_t n = 0; n < 16 && number < build_.descriptors; ++n) {
      const uint32_t at = (0x40 * number) / 4 + n;
      next.words.base[n] = words_[0x20000 / 4 + at];
      next.words.bounds[n] = words_[0x24000 / 4 + at];
      next.words.walk[n] = words_[0x28000 / 4 + at];
    }
    turn_end = !next.chain().has_next();
  }
  if (const int reason = Check(next.number, next.words, next.from_list); reason != 0) {
    Halt(c, next.number, reason, next.from_list, address);
    return false;
  }
  channel.current = static_cast<uint32_t>(next.number) & 0xff;
  if (const uint32_t size = next.chain().turns(); !next.from_list && size > 1) {
    uint32_t& done = words_[0x2c000 / 4 + static_cast<uint32_t>(next.number)];
    turns = std::exchange(done, (done + 1) % size);
  }
  next.transfer = model::TransferOf(next.words, turns, transfers_);
  const bool last_turn =
      Bit(next.task.word, 24) ? Bit(Control(c), 5) : channel.turn == Bits(next.task.word, 23, 8);
  next.task_end = next.transfer.task_end = turn_end && last_turn;
  Advance(c, next, turn_end);
  channel.begun = !next.locks().acquire();
  channel.loaded = std::move(next);
  return true;
}

// ---- Execution

bool DeviceModel::Busy(int c) const { return !At(c).tasks.empty() || At(c).loaded.has_value(); }

bool DeviceModel::Step(int c) {
  Channel& channel = At(c);
  const uint32_t control = Control(c);
  if (channel.hangs || (control & 13) != 0 || (words_[0x20 / 4] & 1) != 0) return false;
  const bool drains = Bit(control, 1);
  if (!channel.loaded) return !drains && Load(c);
  if (!channel.begun) return !drains && !channel.faulted && Begin(c);
  if (!build_.untimed && channel.records.size() >= size_t{1} << build_.record_log2) return false;
  uint32_t side = 0;
  const std::optional<model::Record> done = Move(c, &side);
  if (!done) return false;
  Retire(c, *done, side, false);
  return true;
}

bool DeviceModel::Begin(int c) {
  const registers::descriptor::Locks locks = At(c).loaded->locks();
  At(c).begun = TryLock(locks.acquire_id(), Signed7(locks.acquire_value()));
  return At(c).begun;
}

// The data of the transfer; nothing if the stream has not brought all of them.
std::optional<model::Record> DeviceModel::Move(int c, uint32_t* side) {
  Channel& channel = At(c);
  const Loaded& loaded = *channel.loaded;
  if (IsRead(c)) {
    *side = loaded.words.base[registers::descriptor::Side::kWord];
    if (!build_.Has(DeviceFeature::kPacketHeadersMask)) return channel.read->Run(loaded.transfer);
    const registers::descriptor::Flags flags = loaded.flags();
    channel.headers.push_back(std::nullopt);
    if (flags.header()) {
      channel.headers.back() = OddParity(flags.packet_id() | flags.packet_descriptor() << 5 |
                                         flags.packet_type() << 12 | build_.place);
    }
    const model::Record done = channel.read->Run(loaded.transfer);
    SendBeats(c);
    return done;
  }
  // On a copy, for it may wait for beats that come later. What it has written it writes again.
  model::WriteModel trial = *channel.write;
  size_t next = channel.next_beat;
  trial.Offer([&](model::StreamBeat& beat) {
    if (next == channel.fed.size()) return false;
    // A mark goes to no transfer but that which begins with it.
    if (channel.framed && next != channel.frame && Bit(channel.sides[next], 16)) return false;
    beat = channel.fed[next++];
    return true;
  });
  std::optional<model::Record> done = trial.Run(loaded.transfer);
  if (!done) return std::nullopt;
  trial.Offer(model::WriteModel::Source());
  *channel.write = std::move(trial);
  channel.next_beat = next;
  *side = next == 0 ? 0 : channel.sides[next - 1];
  if (!write_errors_.empty()) NoteWriteErrors(loaded.transfer, &*done);
  return done;
}

// Whether one of the words that a transfer has written answers with an error.
void DeviceModel::NoteWriteErrors(const model::Transfer& transfer, model::Record* record) const {
  const auto word = static_cast<uint64_t>(transfers_.data_bytes);
  uint64_t left = record->bytes;
  model::Walk(transfer, transfers_, [&](const model::Position& p) {
    const uint64_t bytes = std::min(left, static_cast<uint64_t>(transfer.elem));
    left -= bytes;
    const uint64_t offset = p.addr % word;
    for (uint64_t n = 0; p.valid && bytes > 0 && n < offset + bytes; n += word) {
      const uint64_t first = (p.addr - offset + n) & transfers_.AddressMask();
      for (const model::ErrorRange& range : write_errors_) {
        if (range.last < first || range.first > first + (word - 1)) continue;
        (range.decerr ? record->decerr : record->slverr) = true;
        break;
      }
    }
    return left > 0;
  });
}

// A header goes before the packet that its transfer begins; what follows moves up by four lanes, to
// the end of a beat that ends.
void DeviceModel::SendBeats(int c) {
  Channel& channel = At(c);
  const std::vector<model::StreamBeat>& beats = channel.read->beats();
  const auto width = static_cast<size_t>(transfers_.stream_bytes);
  const auto flush = [&](size_t lanes, bool last) {
    model::StreamBeat& beat = channel.sent.emplace_back();
    for (size_t n = 0; n < lanes; ++n) {
      beat.data[n] = channel.lanes[n].first;
      beat.keep[n] = channel.lanes[n].second;
    }
    beat.last = last;
    channel.lanes.erase(channel.lanes.begin(),
                        channel.lanes.begin() + static_cast<std::ptrdiff_t>(lanes));
  };
  for (; channel.headed < beats.size(); ++channel.headed) {
    const model::StreamBeat& beat = beats[channel.headed];
    const model::Origin& origin = channel.read->origins()[channel.headed];
    const std::optional<uint32_t>& header = channel.headers[origin.transfer];
    const bool begins = !std::exchange(channel.in_packet, !beat.last);
    for (int b = 0; begins && header && b < 4; ++b) {
      channel.lanes.emplace_back(static_cast<uint8_t>(*header >> (8 * b)), true);
    }
    if (channel.lanes.empty()) {
      channel.sent.push_back(beat);
      continue;
    }
    for (size_t n = 0; n < width; ++n) channel.lanes.emplace_back(beat.data[n], beat.keep[n]);
    while (origin.ends && !channel.lanes.back().second) channel.lanes.pop_back();
    while (channel.lanes.size() > width || (!beat.last && channel.lanes.size() == width)) {
      flush(width, false);
    }
    if (origin.ends && !channel.lanes.empty()) flush(channel.lanes.size(), beat.last);
  }
}

// The end of a transfer: its lock, entry, token, record and events.
void DeviceModel::Retire(int c, const model::Record& done, uint32_t side, bool aborted) {
  Channel& channel = At(c);
  const Loaded loaded = *std::exchange(channel.loaded, std::nullopt);
  channel.begun = false;
  DeviceRecord record{.descriptor = loaded.number & 0xff,
                      .tag = loaded.task.tag,
                      .side = side,
                      .stamp = static_cast<uint32_t>(cycles_),
                      .task_end = loaded.task_end,
                      .status = static_cast<uint8_t>(StatusOf(done) | (aborted ? kAborted : 0) |
                                                     std::exchange(channel.fail, uint8_t{0})),
                      .done = done};
  const bool stops = (record.status & Bits(Control(c), 22, 16)) != 0;
  const bool spoilt = aborted || done.illegal || stops;
  if (stops) channel.faulted = true;
  const bool recorded = !loaded.flags().no_record() || record.status != 0;
  const bool interrupts = loaded.flags().interrupt() != 0;
  const int lock = static_cast<int>(loaded.locks().release_id());
  const int given = spoilt ? 0 : Signed7(loaded.locks().release_value());
  if (given != 0) {
    const auto [over, under] = Release(static_cast<uint32_t>(lock), given);
    NoteError(c, uint32_t{over} << 9 | uint32_t{under} << 10, 0, 0);
  }
  NoteError(c, ErrorOf(record.status), static_cast<uint32_t>(record.descriptor), done.addr);
  if (loaded.from_list && Bit(Own(c, 0x94), 1)) WriteEntry(c, record, interrupts);
  if (recorded) {
    channel.records.push_back(record);
    const uint32_t wanted = Own(c, 0x30) & 31;
    ++channel.unreported;
    if (channel.unreported >= wanted || Own(c, 0x30) >> 16 != 0 ||
        channel.records.size() >= size_t{1} << build_.record_log2) {
      channel.irq_status |= 4;
      channel.unreported = 0;
    }
  }
  if (interrupts && !aborted) channel.irq_status |= 2;
  if (aborted) return;
  ++executed_;
  const int value = Signed7(loaded.locks().acquire_value());
  channel.executions.push_back({.transfer = loaded.transfer,
                                .record = record,
                                .recorded = recorded,
                                .interrupts = interrupts,
                                .ends_task = loaded.task_end && !spoilt,
                                .taken = {static_cast<int>(loaded.locks().acquire_id()),
                                          loaded.locks().acquire() && value < 0 ? value : 0},
                                .given = {lock, given}});
  if (spoilt) return;
  const uint32_t source = Place(c) + (IsRead(c) ? 0 : 0x10);
  if (loaded.task_end) {
    channel.irq_status |= 1;
    if (Bit(loaded.task.word, 25)) {
      // Controller, 0x60 + actor, where the IP stands, odd parity.
      const uint32_t actor = Place(c) + (!IsRead(c) ? 0 : build_.writes > 6 ? 16 : 6);
      channel.tokens.push_back(
          OddParity(Bits(Own(c, 0x34), 23, 16) | (0x60 + actor) << 8 | build_.place));
    }
  }
  Fire(0x40 + source);
  if (loaded.task_end) Fire(0x60 + source);
}

// What is written of a descriptor of a list that is done.
void DeviceModel::WriteEntry(int c, const DeviceRecord& record, bool interrupts) {
  Channel& channel = At(c);
  const uint32_t places = Own(c, 0x88), per = Bits(Own(c, 0x94), 15, 8);
  const uint64_t base = Wide(Own(c, 0x98), Own(c, 0x9c));
  namespace fields = registers::entry;
  std::array<uint32_t, fields::kWords> words{};
  words[fields::Tag::kWord] = record.tag;
  words[fields::BytesLow::kWord] = static_cast<uint32_t>(record.done.bytes);
  words[fields::BytesHigh::kWord] = fields::BytesHigh{}
                                        .set_bytes(static_cast<uint32_t>(record.done.bytes >> 32))
                                        .set_index(static_cast<uint32_t>(record.descriptor))
                                        .word;
  words[fields::Status::kWord] = fields::Status{record.status}
                                     .set_last(record.done.last)
                                     .set_task_end(record.task_end)
                                     .set_phase(channel.phase)
                                     .word;
  for (uint64_t b = 0; b < 16; ++b) {
    memory_->Write(base + 16 * uint64_t{channel.entry} + b,
                   static_cast<uint8_t>(words[b / 4] >> (8 * (b % 4))));
  }
  if (++channel.entry == places) {
    channel.entry = 0;
    channel.phase = !channel.phase;
  }
  ++channel.entries;
  if (!interrupts && (per == 0 || channel.entries < per)) return;
  channel.irq_status |= 1U << 5;
  channel.entries = 0;
}

// An abort, or a reset: what has begun leaves a record, what has not is forgotten.
void DeviceModel::CutShort(int c) {
  Channel& channel = At(c);
  if (channel.loaded && channel.begun) Retire(c, {}, 0, true);
  channel.loaded.reset();
  channel.begun = channel.turn_begun = channel.list_open = false;
  channel.turn = 0;
  channel.at = std::nullopt;
  channel.tasks.clear();
  if ((Control(c) & 8) == 0) return;
  channel.halted = channel.faulted = channel.missed = false;
  channel.reason = 0;
  channel.pending = 0;
  channel.head = Own(c, 0x8c) = 0;
  channel.entry = channel.entries = 0;
  channel.phase = true;
}

void DeviceModel::Run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (int c = 0; c < channels(); ++c) {
      while (Step(c)) moved = true;
    }
    for (int c = 0; c < channels() && !moved && build_.untimed; ++c) {
      const uint32_t source = Own(c, 0x10);
      if (WaitsFor(c) != Wait::kTrigger || source < 0x10 || source >= 0x30) continue;
      Fire(source);
      moved = true;
    }
  }
}

bool DeviceModel::Finished() const {
  for (int c = 0; c < channels(); ++c) {
    if (Busy(c)) return false;
  }
  return true;
}

std::vector<uint32_t> DeviceModel::tasks(int c) const {
  std::vector<uint32_t> words;
  for (const Task& task : At(c).tasks) words.push_back(task.word);
  return words;
}

std::optional<int> DeviceModel::loaded(int c) const {
  const std::optional<Loaded>& loaded = At(c).loaded;
  if (!loaded || loaded->from_list) return std::nullopt;
  return loaded->number;
}

DeviceModel::Wait DeviceModel::WaitsFor(int c) const {
  const Channel& channel = At(c);
  if (channel.halted || channel.faulted) return Wait::kHalt;
  if (channel.loaded) return channel.begun ? Wait::kData : Wait::kLock;
  if (channel.tasks.empty()) return Wait::kNothing;
  return NeedsTrigger(c) ? Wait::kTrigger : Wait::kDescriptor;
}

std::string DeviceModel::WhoWaits(int c) const {
  const Channel& channel = At(c);
  const std::string name = fmt::format("{} channel {}", IsRead(c) ? "read" : "write", Place(c));
  switch (WaitsFor(c)) {
    case Wait::kHalt:
      return fmt::format("{} has stopped: descriptor {} was not loaded, reason {}", name,
                         channel.refused, channel.reason);
    case Wait::kTrigger:
      return fmt::format("{} waits for trigger {:#x}", name, Own(c, 0x10));
    case Wait::kDescriptor:
      return fmt::format("{} waits for a descriptor of its list", name);
    case Wait::kLock: {
      const registers::descriptor::Locks locks = channel.loaded->locks();
      const int value = Signed7(locks.acquire_value());
      return fmt::format("{} waits with descriptor {} for lock {} to be {} {}; it is {}", name,
                         channel.loaded->number, locks.acquire_id(),
                         value < 0 ? "at least" : "equal to", value < 0 ? -value : value,
                         lock(static_cast<int>(locks.acquire_id())));
    }
    case Wait::kData:
      return fmt::format("{} waits with descriptor {} for its stream", name,
                         channel.loaded->number);
    default:
      return "";
  }
}

}  // namespace tessera
