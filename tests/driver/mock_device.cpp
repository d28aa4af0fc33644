// Registers of the mock; mock_channel.cpp has what channels do.
#include "tests/driver/mock_device.h"

#include <fmt/format.h>

namespace tessera::mock {

MockDevice::MockDevice(const Config& config) : config_(config), random_(config.seed) {
  model::Build build;
  build.addr_width = static_cast<int>(config.address_bits);
  build.data_bytes = 1 << config.data_log2;
  build.stream_bytes = 1 << config.stream_log2;
  for (Channel& channel : channels_) {
    channel.reader = std::make_unique<model::ReadModel>(build, memory_);
    channel.writer = std::make_unique<model::WriteModel>(build, memory_);
  }
  // Descriptor RAM holds anything after power-up.
  for (auto* area : {&base_, &bounds_, &walk_}) {
    for (auto& descriptor : *area) {
      for (uint32_t& word : descriptor) word = static_cast<uint32_t>(random_());
    }
  }
}

bool MockDevice::Violation(const std::string& text) {
  violations_.push_back(text);
  return false;
}

std::vector<uint8_t> MockDevice::sent_bytes(uint32_t r) const {
  std::vector<uint8_t> bytes;
  for (const model::StreamBeat& beat : sent(r)) {
    for (size_t n = 0; n < model::kMaxElem; ++n) {
      if (beat.keep[n]) bytes.push_back(beat.data[n]);
    }
  }
  return bytes;
}

void MockDevice::Offer(uint32_t w, const std::vector<uint8_t>& bytes, bool last) {
  const size_t beat_bytes = size_t{1} << config_.stream_log2;
  for (size_t at = 0; at < bytes.size(); at += beat_bytes) {
    model::StreamBeat beat;
    for (size_t n = 0; n < beat_bytes && at + n < bytes.size(); ++n) {
      beat.data[n] = bytes[at + n];
      beat.keep.set(n);
    }
    beat.last = last && at + beat_bytes >= bytes.size();
    channels_[16 + w].beats.push_back(beat);
  }
}

bool MockDevice::interrupt() const {
  if ((global_control_ & 2) == 0) return false;
  for (const Channel& channel : channels_) {
    if ((channel.irq_enable & channel.irq_status) != 0) return true;
  }
  return false;
}

// A register of what the build does not have.
bool MockDevice::Lacks(uint32_t offset) const {
  const bool channel = offset >= 0x1000 && offset < 0x3000;
  if (offset == 0x34 || (channel && (offset & 0xff) == 0x10)) return !Has(kTriggers);
  if (offset == 0x40 || offset == 0x48) return config_.locks == 0;
  return (offset == 0x44 || offset == 0x4c) && config_.locks <= 32;
}

bool MockDevice::Read32(uint32_t offset, uint32_t& value) {
  ++cycles_;
  value = 0;
  bool good = true;
  if (offset % 4 != 0 || offset >= 0x40000 || Lacks(offset)) {
    good = Violation(fmt::format("read of {:#x}", offset));
  } else if (offset < 0x100) {
    uint32_t irq = 0, errors = 0;
    for (uint32_t n = 0; n < 32; ++n) {
      if ((channels_[n].irq_enable & channels_[n].irq_status) != 0) irq |= 1u << n;
      if (channels_[n].error != 0) errors |= 1u << n;
    }
    switch (offset) {
      case 0x00:
        value = config_.id;
        break;
      case 0x04:
        value = config_.version;
        break;
      case 0x08:
        value = config_.reads | config_.writes << 8 | 1u << 16;
        break;
      case 0x0c:
        value =
            config_.address_bits | config_.data_log2 << 8 | config_.stream_log2 << 12 | 16u << 16;
        break;
      case 0x10:
        value = config_.descriptors | config_.task_log2 << 12 | config_.record_log2 << 16 |
                config_.locks << 24;
        break;
      case 0x14:
        value = config_.features | (config_.windows - 1) << 12;
        break;
      case 0x18:
        value = 1024;
        break;
      case 0x1c:
        value = scratch_;
        break;
      case 0x20:
        value = global_control_;
        break;
      case 0x24:
        value = (global_control_ & 1) | (interrupt() ? 4u : 0);
        break;
      case 0x28:
        value = irq;
        break;
      case 0x2c:
        value = static_cast<uint32_t>(cycles_);
        cycles_high_ = static_cast<uint32_t>(cycles_ >> 32);
        break;
      case 0x30:
        value = cycles_high_;
        break;
      case 0x38:
        value = errors;
        break;
      case 0x40:
        value = static_cast<uint32_t>(lock_over_);
        break;
      case 0x44:
        value = static_cast<uint32_t>(lock_over_ >> 32);
        break;
      case 0x48:
        value = static_cast<uint32_t>(lock_under_);
        break;
      case 0x4c:
        value = static_cast<uint32_t>(lock_under_ >> 32);
        break;
      case 0x34:
        break;
      default:
        good = Violation(fmt::format("read of unmapped {:#x}", offset));
    }
  } else if (offset >= 0x1000 && offset < 0x3000) {
    const uint32_t n = (offset >> 8) & 0xf;
    const bool writes = offset >= 0x2000;
    if (n >= (writes ? config_.writes : config_.reads)) {
      good = Violation(fmt::format("read of channel {}", n));
    } else {
      good = ReadChannel(channels_[n + (writes ? 16 : 0)], offset & 0xff, value);
    }
  } else if (offset >= 0x3000 && offset < 0x3000 + 0x10 * config_.locks) {
    value = (offset & 0xf) == 0 ? locks_[(offset - 0x3000) / 16] : 0;
  } else if (offset >= 0x8000 && offset < 0x8000 + 0x200 * config_.locks) {
    const uint32_t bits = (offset >> 2) & 0x7f;
    const int32_t amount =
        bits >= 64 ? static_cast<int32_t>(bits) - 128 : static_cast<int32_t>(bits);
    value = TryLock((offset - 0x8000) >> 9, amount) ? 1 : 0;
  } else if (offset >= 0x10000 && offset < 0x14000) {
    const uint32_t word = (offset & 0x1f) / 4;
    if (word < 5) value = windows_[((offset - 0x10000) >> 5) & 0x1ff][word];
  } else if (offset >= 0x20000 && offset < 0x2c000) {
    const uint32_t d = (offset >> 6) & 0xff, word = (offset >> 2) & 0xf;
    const uint32_t area = (offset - 0x20000) >> 14;
    value = area == 0 ? base_[d][word] : area == 1 ? bounds_[d][word] : walk_[d][word];
    if (area == 0 && word == 15) value = (value & 0x7fffffff) | (valid_[d] ? 1u << 31 : 0);
  } else {
    good = Violation(fmt::format("read of unmapped {:#x}", offset));
  }
  log_.push_back({Access::Kind::kRead, offset, value});
  return good;
}

bool MockDevice::Write32(uint32_t offset, uint32_t value) {
  ++cycles_;
  log_.push_back({Access::Kind::kWrite, offset, value});
  const auto unmapped = [&] {
    return Violation(fmt::format("write of {:#x} to {:#x}", value, offset));
  };
  if (offset % 4 != 0 || offset >= 0x40000 || Lacks(offset)) return unmapped();
  if (offset < 0x100) {
    switch (offset) {
      case 0x1c:
        scratch_ = value;
        return true;
      case 0x20:
        if (global_control_ >> 31 != 0) return unmapped();  // locked
        global_control_ = value & 0x800000f7;
        return (value & 0x7fffff00) == 0 || unmapped();
      case 0x34:
        if (value >= 1u << 16) return unmapped();
        for (Channel& channel : channels_) {
          if (channel.trigger >> 4 == 2 && (value >> (channel.trigger & 15)) & 1)
            channel.triggered = true;
        }
        return true;
      case 0x40:
        lock_over_ &= ~uint64_t{value};
        return true;
      case 0x44:
        lock_over_ &= ~(uint64_t{value} << 32);
        return true;
      case 0x48:
        lock_under_ &= ~uint64_t{value};
        return true;
      case 0x4c:
        lock_under_ &= ~(uint64_t{value} << 32);
        return true;
      default:
        return unmapped();
    }
  }
  if (offset >= 0x1000 && offset < 0x3000) {
    const uint32_t n = (offset >> 8) & 0xf;
    const bool writes = offset >= 0x2000;
    if (n >= (writes ? config_.writes : config_.reads)) return unmapped();
    const uint32_t index = n + (writes ? 16 : 0);
    return WriteChannel(channels_[index], index, offset & 0xff, value);
  }
  if (offset >= 0x3000 && offset < 0x3000 + 0x10 * config_.locks) {
    const uint32_t k = (offset - 0x3000) / 16;
    if ((offset & 0xf) == 0) {
      if (value > 63) return unmapped();
      locks_[k] = value;
      return true;
    }
    if ((offset & 0xf) != 4 || value > 127) return unmapped();
    ReleaseLock(k, value >= 64 ? static_cast<int32_t>(value) - 128 : static_cast<int32_t>(value));
    return true;
  }
  if (offset >= 0x10000 && offset < 0x14000) {
    const uint32_t word = (offset & 0x1f) / 4;
    auto& window = windows_[((offset - 0x10000) >> 5) & 0x1ff];
    const uint32_t n = (offset >> 9) & 0x1f, number = (offset >> 5) & 0xf;
    const bool there =
        (n < 16 ? n < config_.reads : n - 16 < config_.writes) && number < config_.windows;
    if (word > 4 || !there || (config_.features & 1u << 11) == 0) return unmapped();
    if ((window[4] >> 31) != 0)
      return Violation(fmt::format("write to a locked window at {:#x}", offset));
    window[word] = value;
    return true;
  }
  if (offset >= 0x20000 && offset < 0x2c000) {
    return WriteDescriptor((offset - 0x20000) >> 14, (offset >> 6) & 0xff, (offset >> 2) & 0xf,
                           value);
  }
  return unmapped();
}

bool MockDevice::WriteDescriptor(uint32_t area, uint32_t d, uint32_t word, uint32_t value) {
  if (d >= config_.descriptors) return Violation(fmt::format("write to descriptor {}", d));
  if (area == 1 && (config_.features & 2) == 0)
    return Violation("write to bounds that are not there");
  if (area == 2 && (config_.features & 1) == 0)
    return Violation("write to a traversal that is not there");
  if ((area == 1 && word == 11) || (area == 2 && word > 8))
    return Violation(fmt::format("write to word {} of area {}, which is not there", word, area));
  if (Owned(d)) return Violation(fmt::format("write to descriptor {}, which the hardware has", d));
  barrier_ = false;
  (area == 0 ? base_ : area == 1 ? bounds_ : walk_)[d][word] = value;
  valid_[d] = area == 0 && word == 15 && (value >> 31) != 0;
  if (area == 0 && word == 15) turns_[d] = 0;
  const bool bad =
      (area == 0 && word == 12 && (value & (1u << 22 | 1u << 23 | 1u << 31 | 3u << 6)) != 0) ||
      (area == 0 && word == 13 && (value & 0xfe00) != 0) ||
      (area == 0 && word == 15 && (value & 1u << 30) != 0) ||
      (area == 1 && word == 10 && value > 15) || (area == 2 && word == 8 && value > 255);
  return !bad ||
         Violation(fmt::format("reserved bits in word {} of area {}: {:#x}", word, area, value));
}

bool MockDevice::ReadChannel(Channel& channel, uint32_t offset, uint32_t& value) {
  const auto half = [&](uint64_t number) {
    return static_cast<uint32_t>((offset & 4) != 0 ? number >> 32 : number);
  };
  const Record none;
  const Record& record = channel.records.empty() ? none : channel.records.front();
  switch (offset) {
    case 0x00:
      value = channel.control;
      break;
    case 0x04: {
      const uint32_t room = (1u << config_.task_log2) - static_cast<uint32_t>(channel.queue.size());
      const bool bus_quiet = !channel.frozen;
      value = (Busy(channel) ? 1u << 16 : 0) | (channel.task ? 1u << 17 : 0) |
              (bus_quiet && !channel.loaded ? 1u << 18 : 0) |
              ((channel.control & 1) != 0 && bus_quiet ? 1u << 19 : 0) |
              ((channel.control & 8) != 0 && (bus_quiet || (channel.control & 16) != 0) ? 1u << 20
                                                                                        : 0) |
              ((channel.control & 8) != 0 && !bus_quiet ? 1u << 21 : 0) |
              (channel.halted ? 1u << 22 : 0) | room << 24;
      break;
    }
    case 0x08:
      break;
    case 0x0c:
      value = channel.tag;
      break;
    case 0x10:
      value = channel.trigger;
      break;
    case 0x14:
      value = channel.next;
      break;
    case 0x18:
      value = channel.error;
      break;
    case 0x1c:
      value = channel.error_info;
      break;
    case 0x20:
    case 0x24:
      value = offset == 0x20 ? static_cast<uint32_t>(channel.error_addr)
                             : static_cast<uint32_t>(channel.error_addr >> 32);
      break;
    case 0x28:
      value = channel.irq_enable;
      break;
    case 0x2c:
      value = channel.irq_status;
      break;
    case 0x30:
      value = channel.coalesce;
      break;
    case 0x34:
      value = channel.standing;
      break;
    case 0x40:
      value = channel.records.empty()
                  ? 0
                  : record.word | 1u << 31 | static_cast<uint32_t>(channel.records.size()) << 8;
      break;
    case 0x44:
      value = static_cast<uint32_t>(record.bytes);
      break;
    case 0x48:
      value = static_cast<uint32_t>(record.bytes >> 32);
      break;
    case 0x4c:
      value = static_cast<uint32_t>(record.dropped);
      break;
    case 0x50:
      value = static_cast<uint32_t>(record.dropped >> 32);
      break;
    case 0x54:
      value = record.tag;
      break;
    case 0x58:
      value = record.side;
      break;
    case 0x5c:
      value = record.stamp;
      break;
    case 0x60:
      value = static_cast<uint32_t>(record.addr);
      break;
    case 0x64:
      value = static_cast<uint32_t>(record.addr >> 32);
      break;
    case 0x80:
    case 0x84:
      value = half(channel.list_base);
      break;
    case 0x88:
      value = channel.list_count;
      break;
    case 0x8c:
      value = channel.list_tail;
      break;
    case 0x90:
      value = channel.list_head;
      break;
    case 0x94:
      value = channel.list_control;
      break;
    case 0xa0:
      value = channel.task && (channel.task->word >> 28 & 1) != 0 ? 1 : 0;
      break;
    default:
      return Violation(fmt::format("read of channel register {:#x}", offset));
  }
  return true;
}

bool MockDevice::WriteChannel(Channel& channel, uint32_t n, uint32_t offset, uint32_t value) {
  const bool list_busy = channel.task && (channel.task->word >> 28 & 1) != 0;
  const uint32_t by_id = n >= 16 && (config_.features & 1u << 8) != 0 ? 0x100 : 0;
  switch (offset) {
    case 0x00:
      if ((channel.control >> 31) != 0) return Violation("CONTROL is locked");
      if ((value & 0x7f80ffc0 & ~by_id) != 0)
        return Violation(fmt::format("CONTROL of channel {} is {:#x}", n, value));
      channel.control = value;
      if ((value & 4) != 0 || (value & 8) != 0) {
        if (!channel.frozen || (value & 16) != 0) ClearChannel(channel);
      }
      return true;
    case 0x08: {
      if ((value >> 29) != 0)
        return Violation(fmt::format("TASK of channel {} is {:#x}", n, value));
      if ((channel.control & 8) != 0) return Violation("a task for a channel in reset");
      if ((value >> 28) != 0 && !Has(kLists)) return Violation("a list for a build without lists");
      if ((value >> 25 & 1) != 0 && !Has(kTokens))
        return Violation("a token for a build without tokens");
      if ((value >> 26 & 3) != 0 && !Has(kTriggers))
        return Violation("a trigger for a build without triggers");
      if ((value >> 28) != 0 && (channel.control & 0x100) != 0)
        return Violation("a list for a channel whose headers choose");
      if (channel.queue.size() >= 1u << config_.task_log2) {
        channel.error |= 1u << 11;
        return Violation(fmt::format("a task for the full queue of channel {}", n));
      }
      if (!barrier_) return Violation("a task without a barrier before it");
      barrier_ = false;
      if ((value >> 28) == 0 && ((value & 0xff) >= config_.descriptors || !valid_[value & 0xff])) {
        return Violation(fmt::format("a task whose descriptor {} is not valid", value & 0xff));
      }
      channel.queue.push_back({value, channel.tag});
      return true;
    }
    case 0x0c:
      channel.tag = value;
      return true;
    case 0x10:
      channel.trigger = value;
      return value < 128 || Violation("TRIGGER");
    case 0x18:
      channel.error &= ~value;
      if (channel.error == 0) channel.error_info = 0;
      return true;
    case 0x28:
      channel.irq_enable = value;
      return value < 64 || Violation("IRQ_ENABLE");
    case 0x2c:
      channel.irq_status &= ~value;
      return true;
    case 0x30:
      channel.coalesce = value;
      return true;
    case 0x34:
      if ((channel.standing >> 31) != 0) return Violation("STANDING is locked");
      if (Busy(channel)) return Violation("STANDING of a channel with work");
      channel.standing = value;
      return (value & 0x7f008000) == 0 || Violation("STANDING");
    case 0x68:
      if (channel.records.empty()) return Violation("RECORD_POP without a record");
      channel.records.pop_front();
      return true;
    case 0x8c:
      if (value >= channel.list_count) return Violation("LIST_TAIL is not below LIST_COUNT");
      if (list_busy && !barrier_) return Violation("a doorbell without a barrier before it");
      barrier_ = false;
      channel.list_tail = value;
      return true;
    case 0x80:
    case 0x84:
    case 0x88:
    case 0x94:
    case 0x98:
    case 0x9c:
      if ((config_.features & 16) == 0) return Violation("a list register that is not there");
      if (list_busy)
        return Violation(fmt::format("write to list register {:#x} while it is busy", offset));
      if (offset == 0x80) channel.list_base = (channel.list_base & ~uint64_t{0xffffffff}) | value;
      if (offset == 0x84)
        channel.list_base = (channel.list_base & 0xffffffff) | uint64_t{value} << 32;
      if (offset == 0x88) channel.list_count = value;
      if (offset == 0x94) channel.list_control = value;
      if (offset == 0x80 || offset == 0x88 || offset == 0x94)
        channel.list_head = channel.list_tail = 0;
      return true;
    default:
      return Violation(fmt::format("write of {:#x} to channel register {:#x}", value, offset));
  }
}

}  // namespace tessera::mock
