// What the channels of the mock do: tasks, loading, locks, the transfer by the reference model,
// records.
#include <fmt/format.h>

#include "tests/driver/mock_device.h"

namespace tessera::mock {
namespace {

int32_t Amount(uint32_t bits) {  // 7 bits, signed
  return bits >= 64 ? static_cast<int32_t>(bits) - 128 : static_cast<int32_t>(bits);
}

uint64_t Wide(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

}  // namespace

bool MockDevice::Busy(const Channel& channel) const {
  return channel.task || channel.loaded || !channel.queue.empty() || !channel.records.empty();
}

// True if the descriptor can be reached from a task that is not finished.
bool MockDevice::Owned(uint32_t descriptor) const {
  for (const Channel& channel : channels_) {
    std::vector<Task> tasks(channel.queue.begin(), channel.queue.end());
    if (channel.task) tasks.push_back(*channel.task);
    if (channel.loaded && channel.loaded->descriptor == descriptor &&
        !(channel.task && channel.task->word >> 28 & 1))
      return true;
    for (const Task& task : tasks) {
      if ((task.word >> 28 & 1) != 0) continue;
      uint32_t at = task.word & 0xff;
      for (uint32_t n = 0; n < 256; ++n) {
        if (at == descriptor) return true;
        if ((base_[at][13] & 0x100) == 0) break;
        at = base_[at][13] & 0xff;
      }
    }
  }
  return false;
}

bool MockDevice::TryLock(uint32_t lock, int32_t value) {
  uint32_t& held = locks_[lock];
  if (value >= 0) return held == static_cast<uint32_t>(value);
  if (held < static_cast<uint32_t>(-value)) return false;
  held -= static_cast<uint32_t>(-value);
  return true;
}

void MockDevice::ReleaseLock(uint32_t lock, int32_t value) {
  const int32_t sum = static_cast<int32_t>(locks_[lock]) + value;
  if (sum > 63) lock_over_ |= uint64_t{1} << lock;
  if (sum < 0) lock_under_ |= uint64_t{1} << lock;
  locks_[lock] = static_cast<uint32_t>(sum > 63 ? 63 : sum < 0 ? 0 : sum);
}

uint32_t MockDevice::MemoryWord(uint64_t address) const {
  uint32_t word = 0;
  for (uint32_t n = 0; n < 4; ++n) word |= uint32_t{memory_.Read(address + n)} << (8 * n);
  return word;
}

void MockDevice::Halt(Channel& channel, uint32_t descriptor, uint32_t reason) {
  channel.halted = true;
  channel.error |= 1;
  channel.error_info = descriptor | reason << 8;
  channel.irq_status |= 8;
}

void MockDevice::ClearChannel(Channel& channel) {
  const bool reset = (channel.control & 8) != 0;
  channel.queue.clear();
  if (channel.loaded) {
    Record record;
    record.word = 1u << 29 | 1u << 21 | channel.loaded->descriptor;
    channel.records.push_back(record);
    channel.error |= 1u << 6;
    channel.irq_status |= 1 | 4 | 8;
  }
  channel.task.reset();
  channel.loaded.reset();
  if (!reset) return;  // records stay until they are popped
  channel.halted = false;
  channel.error = channel.irq_status = 0;
  channel.list_head = channel.list_tail = 0;
}

void MockDevice::Step() {
  ++cycles_;
  if ((global_control_ & 1) != 0) return;
  for (uint32_t n = 0; n < 32; ++n) {
    if (!Busy(channels_[n])) continue;
    if (std::uniform_real_distribution<>(0, 1)(random_) < config_.speed) StepChannel(n);
  }
}

void MockDevice::StepChannel(uint32_t n) {
  Channel& channel = channels_[n];
  if (channel.frozen || channel.halted || (channel.control & (1 | 4 | 8)) != 0) return;
  if (channel.loaded) {
    if (channel.records.size() >= 1u << config_.record_log2) return;
    const Loaded& loaded = *channel.loaded;
    const uint32_t lock = loaded.base[12];
    if ((lock >> 15 & 1) != 0 && !loaded.acquired) {
      if (!TryLock(lock & 0x3f, Amount(lock >> 8 & 0x7f))) return;
      channel.loaded->acquired = true;
      return;
    }
    const bool chained = (loaded.base[13] & 0x100) != 0;
    const bool stops = (channel.control & 32) != 0;
    const bool endless = (channel.task->word >> 24 & 1) != 0;
    const bool final_turn = endless ? stops : channel.turn == (channel.task->word >> 8 & 0xffff);
    const model::Transfer transfer = Decode(loaded, !chained && final_turn);
    model::Record record;
    if (n < 16) {
      record = channel.reader->Run(transfer);
    } else {
      model::WriteModel trial = *channel.writer;
      const size_t before = trial.accepted();
      size_t at = 0;
      trial.Offer([&](model::StreamBeat& beat) {
        if (at == channel.beats.size()) return false;
        beat = channel.beats[at++];
        return true;
      });
      const auto result = trial.Run(transfer);
      if (!result) return;  // the stream has to bring more
      record = *result;
      for (size_t taken = trial.accepted() - before; taken > 0; --taken) channel.beats.pop_front();
      trial.Offer(std::vector<model::StreamBeat>{});
      *channel.writer = trial;
    }
    channel.executed.push_back(transfer);
    Finish(n, channel, record, false);
    return;
  }
  if (!channel.task) {
    if (channel.queue.empty() || (channel.control & 2) != 0) return;
    if ((channel.queue.front().word >> 26 & 3) != 0 && !channel.triggered) return;
    channel.triggered = false;
    channel.task = channel.queue.front();
    channel.queue.pop_front();
    channel.turn = 0;
    channel.next = channel.task->word & 0xff;
    return;
  }
  if ((channel.control & 2) == 0) Load(n, channel);
}

bool MockDevice::Load(uint32_t, Channel& channel) {
  Loaded loaded;
  if ((channel.task->word >> 28 & 1) != 0) {
    if (channel.list_head == channel.list_tail) return false;
    uint64_t at = channel.list_base +
                  uint64_t{channel.list_head} * 64 * ((channel.list_control >> 4 & 3) + 1);
    const auto fetch = [&](std::array<uint32_t, 16>& words) {
      for (uint32_t w = 0; w < 16; ++w) words[w] = MemoryWord(at + 4 * w);
      at += 64;
    };
    fetch(loaded.base);
    if ((loaded.base[15] >> 14 & 1) != 0) fetch(loaded.bounds);
    if ((loaded.base[15] >> 15 & 1) != 0) fetch(loaded.walk);
    loaded.descriptor = channel.list_head & 0xff;
    channel.list_head = channel.list_head + 1 == channel.list_count ? 0 : channel.list_head + 1;
    if ((loaded.base[15] >> 31) == 0) Halt(channel, loaded.descriptor, 32);
  } else {
    const uint32_t d = channel.next;
    if (d >= config_.descriptors || !valid_[d]) {
      Halt(channel, d, d >= config_.descriptors ? 33 : 32);
      return false;
    }
    loaded.base = base_[d];
    loaded.bounds = bounds_[d];
    loaded.walk = walk_[d];
    loaded.descriptor = d;
  }
  channel.loaded = loaded;
  return true;
}

model::Transfer MockDevice::Decode(const Loaded& loaded, bool task_end) {
  const auto& w = loaded.base;
  model::Transfer t;
  t.elem = 1 << (w[15] & 7);
  t.base = Wide(w[0], w[1]);
  const bool bounds = (w[15] >> 14 & 1) != 0;
  for (size_t d = 0; d < 4; ++d) {
    t.count[d] = w[2 + d];
    t.stride[d] = bounds ? static_cast<int64_t>(Wide(w[6 + d], loaded.bounds[12 + d]))
                         : static_cast<int64_t>(static_cast<int32_t>(w[6 + d]));
    if (!bounds) continue;
    t.start[d] = static_cast<int32_t>(loaded.bounds[d]);
    if ((loaded.bounds[10] >> d & 1) != 0) t.bound[d] = loaded.bounds[4 + d];
  }
  if (bounds) t.fill = Wide(loaded.bounds[8], loaded.bounds[9]);
  if ((w[15] >> 15 & 1) != 0) {
    for (size_t k = 0; k < 4; ++k) {
      t.walk[k] = model::WalkLevel{static_cast<int>(loaded.walk[8] >> (2 * k) & 3),
                                   static_cast<int32_t>(loaded.walk[4 + k]), loaded.walk[k]};
    }
  }
  if ((w[15] >> 3 & 1) != 0) t.length = w[10];
  const uint32_t size = w[13] >> 16;
  if (size > 1) {
    uint32_t& turn = turns_[loaded.descriptor];
    t.offset = static_cast<uint64_t>(int64_t{static_cast<int32_t>(w[11])} * turn);
    turn = (turn + 1) % size;
  }
  t.last_rule = static_cast<model::LastRule>(w[15] >> 4 & 3);
  t.last_level = static_cast<int>(w[15] >> 6 & 7);
  t.join_next = (w[15] >> 9 & 1) != 0;
  t.task_end = task_end;
  t.finish = (w[15] >> 10 & 1) != 0 ? model::Finish::kLast : model::Finish::kLength;
  return t;
}

void MockDevice::Finish(uint32_t, Channel& channel, const model::Record& done, bool) {
  const Loaded loaded = *channel.loaded;
  channel.loaded.reset();
  const auto& w = loaded.base;
  const bool chained = (w[13] & 0x100) != 0;
  const bool list = (channel.task->word >> 28 & 1) != 0;
  const bool endless = (channel.task->word >> 24 & 1) != 0;
  bool task_end = false;
  if (!chained) {
    task_end =
        endless ? (channel.control & 32) != 0 : channel.turn == (channel.task->word >> 8 & 0xffff);
    ++channel.turn;
  }
  if (!list) channel.next = chained ? w[13] & 0xff : channel.task->word & 0xff;
  const uint32_t release = w[12] >> 24 & 0x7f;
  if (release != 0) ReleaseLock(w[12] >> 16 & 0x3f, Amount(release));
  const uint32_t status = channel.fail | (done.slverr ? 1u : 0) | (done.decerr ? 2u : 0) |
                          (done.overlong ? 4u : 0) | (done.partial_element ? 8u : 0) |
                          (done.sparse_keep ? 16u : 0) | (done.illegal ? 64u : 0);
  channel.fail = 0;
  if (status != 0) {
    channel.error |= (status & 3) != 0 ? 2u : status & 0x1c;
    channel.irq_status |= 8;
    channel.error_addr = done.addr;
  }
  if (task_end && (channel.task->word >> 25 & 1) != 0) ++tokens_;
  if ((w[15] >> 13 & 1) == 0 || status != 0) {
    Record record;
    record.word =
        loaded.descriptor | status << 16 | (task_end ? 1u << 29 : 0) | (done.last ? 1u << 30 : 0);
    record.bytes = done.bytes;
    record.dropped = done.dropped;
    record.addr = done.addr;
    record.tag = channel.task->tag;
    record.side = w[14];
    record.stamp = static_cast<uint32_t>(cycles_);
    channel.records.push_back(record);
    channel.irq_status |= 4;
  }
  if ((w[15] >> 12 & 1) != 0) channel.irq_status |= 2;
  if (task_end) {
    channel.irq_status |= 1;
    channel.task.reset();
  }
}

}  // namespace tessera::mock
