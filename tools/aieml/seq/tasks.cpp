// Tasks of lower.h: chains of descriptors, started, awaited and freed.
#include <fmt/format.h>

#include "tb/sim/counted.h"
#include "tools/aieml/seq/lower.h"

namespace tessera::seq {

using aieml::TileKind;

// A descriptor that no task uses: the one that is asked for, or the lowest that the channel
// reaches.
uint32_t Lowering::Allocate(const TaskText& task, const BdText& bd) {
  const bool memory = device_->KindOf(task.tile.row) == TileKind::kMemory;
  const uint32_t first = memory && task.channel % 2 != 0 ? 24 : 0;
  const uint32_t last = memory ? first + 23 : 15;
  std::set<uint32_t>& used = used_[driver::npu::AddressOf(task.tile.column, task.tile.row, 0)];
  if (const auto found = bd.attributes.find("bd_id"); found != bd.attributes.end()) {
    const uint32_t id = Limit(found->second.place, "bd_id", found->second.number, first, last);
    if (!used.insert(id).second) {
      text_->Fail(
          found->second.place,
          fmt::format("bd_id is {}, which another task has: legal is one that is free", id));
    }
    return id;
  }
  for (uint32_t id = first; id <= last; ++id) {
    if (used.insert(id).second) return id;
  }
  text_->Fail(bd.place, fmt::format("descriptors {} to {} of tile ({},{}) are in use: legal is to "
                                    "free or await a task before",
                                    first, last, task.tile.column, task.tile.row));
}

void Lowering::LocksOf(const TaskText& task, const BdText& bd, BdFields* f) const {
  using Action = BdText::LockUse::Action;
  bool acquired = false, released = false;
  for (const BdText::LockUse& use : bd.locks) {
    const Lock& lock = (*locks_)[static_cast<size_t>(use.lock.number)];
    const bool memory = device_->KindOf(task.tile.row) == TileKind::kMemory;
    bool& seen = use.action == Action::kRelease ? released : acquired;
    if (seen) {
      text_->Fail(use.place, use.action == Action::kRelease
                                 ? "a second release: legal is one in a descriptor"
                                 : "a second acquire: legal is one in a descriptor");
    }
    seen = true;
    if (lock.tile.column != task.tile.column || lock.tile.row != task.tile.row) {
      text_->Fail(
          use.place,
          fmt::format(
              "a lock of tile ({},{}) in a task of ({},{}): legal is a lock of the same tile",
              lock.tile.column, lock.tile.row, task.tile.column, task.tile.row));
    }
    if (!lock.number)
      text_->Fail(use.place, "the lock has no number: legal is aie.lock(%tile, number)");
    const uint32_t id =
        Limit(use.place, "the number of the lock", *lock.number, 0, memory ? 63 : 15) +
        (memory ? 64 : 0);
    const auto value =
        static_cast<int32_t>(Limit(use.value.place, "the value of the lock", use.value.value,
                                   use.action == Action::kAcquire ? 0 : 1, 63));
    if (use.action == Action::kRelease) {
      f->release_lock = id;
      f->release_value = value;
    } else {
      f->acquire = true;
      f->acquire_lock = id;
      f->acquire_value = use.action == Action::kAcquire ? value : -value;
    }
  }
}

void Lowering::Pads(const TaskText& task, const BdText& bd, BdFields* f) const {
  if (bd.before.empty()) return;
  if (device_->KindOf(task.tile.row) != TileKind::kMemory || !task.to_stream) {
    text_->Fail(bd.place, "padding: legal on a memory tile from memory to stream alone");
  }
  if (bd.before.size() != bd.sizes.size()) {
    text_->Fail(bd.place, fmt::format("padding of {} on {}: legal is as many",
                                      Counted(bd.before.size(), "dimension"),
                                      Counted(bd.sizes.size(), "dimension")));
  }
  const uint32_t bits = bd.buffer.shape.bits;
  constexpr int64_t kMost[] = {63, 31, 15};
  for (size_t n = 0; n < bd.before.size(); ++n) {
    const size_t k = bd.before.size() - 1 - n;
    for (const bool after : {false, true}) {
      const Number& pad = after ? bd.after[n] : bd.before[n];
      Limit(pad.place, fmt::format("the padding of dimension {}", k), pad.value, 0, 4096);
      int64_t count = pad.value;
      if (k == 0) {
        if (count * bits % 32 != 0) {
          text_->Fail(pad.place,
                      fmt::format("padding of {} of {}: legal is a whole number of words",
                                  Counted(count, "element"), Counted(bits, "bit")));
        }
        count = count * bits / 32;
      }
      const uint32_t field = Limit(pad.place, fmt::format("the padding of dimension {}", k), count,
                                   0, k < 3 ? kMost[k] : 0);
      if (k < 3) (after ? f->after : f->before)[k] = field;
    }
  }
}

BdFields Lowering::Fields(const TaskText& task, const BdText& bd) const {
  const TileKind kind = device_->KindOf(task.tile.row);
  const bool shim = kind == TileKind::kShim, memory = kind == TileKind::kMemory;
  const uint32_t bits = bd.buffer.shape.bits;
  BdFields f;
  const size_t most = 4;
  if (bd.sizes.size() > most || bd.sizes.size() != bd.strides.size()) {
    text_->Fail(bd.place, fmt::format("{} and {}: legal are as many of each, at most {}",
                                      Counted(bd.sizes.size(), "size"),
                                      Counted(bd.strides.size(), "stride"), most));
  }
  Number length = bd.length;
  if (!bd.has_length) length = {bd.buffer.shape.Elements(), bd.place};
  Limit(length.place, "the length in elements", length.value, 1, int64_t{1} << 37);
  Pads(task, bd, &f);
  Pattern pattern;
  if (bd.sizes.empty()) {
    pattern.sizes = {length};
    pattern.strides = {{1, length.place}};
  } else {
    pattern.sizes.assign(bd.sizes.rbegin(), bd.sizes.rend());
    pattern.strides.assign(bd.strides.rbegin(), bd.strides.rend());
    pattern.before = bd.before;
  }
  const bool iterate = !memory;
  Fill(bd.place, kind, bits, pattern, iterate, &f);
  // The length counts padding; without padding it is that of the pattern.
  const int64_t words = length.value * bits / 32;
  if (length.value * bits % 32 != 0) {
    text_->Fail(length.place, fmt::format("the length is {} of {}: legal is a multiple of 4 bytes",
                                          Counted(length.value, "element"), Counted(bits, "bit")));
  }
  int64_t product = 1;
  for (size_t k = 0; k < pattern.sizes.size(); ++k) {
    if (k == 3 && iterate) break;
    const uint32_t pads = k < 3 ? f.before[k] + f.after[k] : 0;
    product *= (k == 0 ? pattern.sizes[k].value * bits / 32 : pattern.sizes[k].value) + pads;
  }
  if (product != words) {
    text_->Fail(length.place,
                fmt::format("the length is {}, and the dimensions have {}: legal is the same",
                            Counted(words, "word"), product));
  }
  f.length = Limit(length.place, "the length in words", words, 1,
                   shim     ? 0xffffffff
                   : memory ? 0x1ffff
                            : 0x3fff);
  if (const auto found = bd.attributes.find("iteration"); found != bd.attributes.end()) {
    const auto member = [&](const char* name) {
      const auto value = found->second.members.find(name);
      return value == found->second.members.end() ? 0 : value->second;
    };
    Limit(found->second.place, "the stride of the iteration in elements", member("stride"), 0,
          int64_t{1} << 40);
    const int64_t size = member("size"), stride = member("stride") * bits / 32;
    Limit(found->second.place, "the size of the iteration", size, 1, 64);
    f.iteration_current =
        Limit(found->second.place, "the current iteration", member("current"), 0, size - 1);
    f.iteration_size = static_cast<uint32_t>(size - 1);
    f.iteration_step =
        size > 1 ? Limit(found->second.place, "the stride of the iteration in words", stride, 1,
                         shim     ? 1 << 20
                         : memory ? 1 << 17
                                  : 1 << 13) -
                       1
                 : 0;
  }
  Limit(bd.offset.place, "the offset in elements", bd.offset.value, 0, int64_t{1} << 37);
  int64_t reach = bd.offset.value;
  for (size_t k = 0; k < pattern.sizes.size(); ++k) {
    reach += (pattern.sizes[k].value - 1) * pattern.strides[k].value;
  }
  const int64_t elements = bd.buffer.shape.Elements();
  if (elements >= 0 && reach >= elements) {
    text_->Fail(bd.place,
                fmt::format("the last element is {}: legal is below {}", reach, elements));
  }
  PacketOf(bd.packet, &f);
  LocksOf(task, bd, &f);
  if (shim) {
    f.burst = Burst(bd.attributes);
  } else {
    Get(bd.attributes, "burst_length", 0, 0, 0);
    if (bd.buffer.kind != Value::Kind::kBuffer) {
      text_->Fail(bd.place, "the memory is no buffer of the tile: legal is an aie.buffer of it");
    }
    const Buffer& buffer = (*buffers_)[static_cast<size_t>(bd.buffer.number)];
    if (buffer.tile.column != task.tile.column || buffer.tile.row != task.tile.row) {
      text_->Fail(bd.place, fmt::format("a buffer of tile ({},{}): legal is one of ({},{})",
                                        buffer.tile.column, buffer.tile.row, task.tile.column,
                                        task.tile.row));
    }
    const int64_t start = bd.offset.value * bits / 8;
    Limit(bd.offset.place, "the offset in elements", bd.offset.value, 0, int64_t{1} << 30);
    if (start % 4 != 0)
      text_->Fail(bd.offset.place, fmt::format("the offset is {}: legal is a multiple of 4",
                                               Counted(start, "byte")));
    f.base =
        Limit(bd.offset.place, "the address in the tile",
              BufferAddress(bd.place, bd.buffer.number) + start, 0, memory ? 0x7ffff : 0xffff) +
        (memory ? 0x80000 : 0);
  }
  return f;
}

std::vector<BdFields> Lowering::Describe(const TaskText& text, std::optional<size_t> back,
                                         Task* task) {
  CheckTile(text.place, text.tile);
  Limit(text.place, "the channel", text.channel, 0,
        int64_t{device_->ChannelsOf(text.tile.row)} - 1);
  if (text.chain.empty())
    text_->Fail(text.place, "a task without a descriptor: legal is one aie.dma_bd or more");
  std::vector<BdFields> fields;
  for (const BdText& bd : text.chain) {
    fields.push_back(Fields(text, bd));
    task->bds.push_back(Allocate(text, bd));
  }
  task->first = task->bds[0];
  for (size_t n = 0; n < fields.size(); ++n) {
    const std::optional<size_t> next = n + 1 < fields.size() ? std::optional(n + 1) : back;
    if (!next) continue;
    fields[n].use_next = true;
    fields[n].next = task->bds[*next];
  }
  return fields;
}

void Lowering::Launch(const TaskText& text, std::optional<size_t> back, RegisterWrites* writes) {
  const TileKind kind = device_->KindOf(text.tile.row);
  Task task{text, 0, {}, false};
  const std::vector<BdFields> fields = Describe(text, back, &task);
  for (size_t n = 0; n < fields.size(); ++n) {
    uint32_t at = DescriptorAddress(*device_, text.tile, task.bds[n]);
    for (const uint32_t word : Encode(kind, fields[n])) {
      writes->emplace_back(at, word);
      at += 4;
    }
  }
  const uint32_t repeat = Limit(text.repeat.place, "the repeat count", text.repeat.value, 0, 255);
  writes->emplace_back(ControlAddress(*device_, text.tile, text.to_stream, text.channel) + 4,
                       task.first | repeat << 16);
}

size_t Lowering::Configure(const TaskText& text) {
  const TileKind kind = device_->KindOf(text.tile.row);
  Task task{text, 0, {}, false};
  const std::vector<BdFields> fields = Describe(text, std::nullopt, &task);
  for (size_t n = 0; n < fields.size(); ++n) {
    const BdText& bd = text.chain[n];
    program_.Block(DescriptorAddress(*device_, text.tile, task.bds[n]), Encode(kind, fields[n]));
    if (kind != TileKind::kShim) continue;
    if (bd.buffer.kind != Value::Kind::kArgument) {
      text_->Fail(
          bd.place,
          "the memory of a shim's descriptor is no argument: legal is an argument of the sequence");
    }
    Limit(bd.offset.place, "the offset in elements", bd.offset.value, 0, int64_t{1} << 37);
    Patch(bd.offset.place, text.tile, task.bds[n], bd.buffer,
          bd.offset.value * bd.buffer.shape.bits / 8);
  }
  tasks_.push_back(task);
  return tasks_.size() - 1;
}

void Lowering::Start(Place place, size_t number, std::optional<Number> repeat, bool no_token) {
  const Task& task = tasks_[number];
  if (task.freed)
    text_->Fail(place, "a task that has been freed is started: legal is a task that is configured");
  Push(place, task.text.tile, task.text.to_stream, task.text.channel, {task.first, place},
       repeat ? *repeat : task.text.repeat, task.text.token && !no_token);
}

void Lowering::Await(Place place, size_t number) {
  const Task& task = tasks_[number];
  if (!task.text.token) {
    text_->Fail(place,
                "a task that issues no token is awaited: legal is one with issue_token = true");
  }
  program_.Sync(task.text.tile.column, task.text.tile.row, task.text.to_stream, task.text.channel,
                1, 1);
  Free(number);
}

void Lowering::Free(size_t number) {
  Task& task = tasks_[number];
  if (task.freed) return;
  task.freed = true;
  std::set<uint32_t>& used =
      used_[driver::npu::AddressOf(task.text.tile.column, task.text.tile.row, 0)];
  for (const uint32_t bd : task.bds) used.erase(bd);
}

}  // namespace tessera::seq
