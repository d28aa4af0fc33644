#include "tb/dma/woven_compare.h"
#include "tb/dma/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tb/check/scoreboard.h"
#include "tb/dma/cut_locks.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

class Comparison {
 public:
  Comparison(DmaBench* bench, Software* software, const DmaProgram& program,
             const WovenModel& model, const WovenSeen& seen)
      : bench_(*bench),
        software_(*software),
        config_(bench_.config()),
        program_(program),
        model_(model),
        seen_(seen) {}

  WovenCompared Run() {
    for (int c = 0; c < config_.channels(); ++c) {
      if (c == seen_.spoilt_channel) continue;
      CompareRecords(c);
      CompareErrors(c);
      if (!seen_.cut) CompareInterrupts(c);
      if (!seen_.cut && config_.counters) CompareCounters(c);
    }
    if (seen_.told) CompareFault();
    CompareTokens();
    for (int r = 0; r < config_.reads; ++r) {
      if (r == seen_.spoilt_channel) continue;
      CompareBeats(r);
      if (config_.side && !seen_.cut) CompareSides(r);
    }
    CompareLocks();
    out_.compared +=
        CompareMemory(model_.memory(), seen_.memory == nullptr ? bench_.memory() : *seen_.memory,
                      seen_.cut, [this](const std::string& message) { Fail(message); });
    if (config_.control_packets && bench_.Get(native::kPacketStatus) != 0)
      Fail("PACKET_STATUS is not 0");
    return std::move(out_);
  }

 private:
  const WovenSeen::Channel& At(int c) const { return seen_.channels[static_cast<size_t>(c)]; }
  uint32_t Place(int c) const { return native::ChannelOf(config_, c); }
  void Fail(const std::string& message) {
    if (out_.differences.size() < 20) out_.differences.push_back(message);
  }

  void CompareRecords(int c) {
    const auto& seen = At(c).records;
    const auto& expected = model_->records(c);
    bool aborted = false;
    for (size_t n = 0; n < seen.size(); ++n) {
      const std::string name = fmt::format("record {} of channel {}", n, c);
      const native::Record& s = seen[n];
      if (Spoilt(c) && (s.done.status & rtl::Status::kSlverr) != 0) return;
      aborted = aborted || (s.done.status & rtl::Status::kAborted) != 0;
      if (seen_.cut && aborted)
        continue;  // a transfer without an error may have asked for no record
      if (n >= expected.size()) {
        Fail(name + " is one too many");
        return;
      }
      const DeviceRecord& e = expected[n];
      ++out_.compared;
      const auto same = [&](const char* field, uint64_t is, uint64_t want) {
        if (is != want) Fail(fmt::format("{}: {} is {:#x}, expected {:#x}", name, field, is, want));
      };
      same("descriptor", static_cast<uint64_t>(s.descriptor()),
           static_cast<uint64_t>(e.descriptor));
      same("tag", s.tag, e.tag);
      same("task end", s.task_end(), e.task_end);
      const uint32_t side = c < config_.reads ? e.side : ReceivedSide(c - config_.reads, s);
      same("side", s.side, config_.side ? side : 0);
      same("bytes", s.done.bytes, e.done.bytes);
      same("dropped", s.done.dropped, e.done.dropped);
      same("last", s.done.last, e.done.last);
      same("status", s.done.status, e.status);
      const bool bus_error = e.done.slverr || e.done.decerr;
      out_.bus_errors += bus_error;
      if (c >= config_.reads && bus_error) {
        if (!IsBurstWithError(s.done.addr))
          Fail(fmt::format("{}: at {:#x} no burst was answered with an error", name, s.done.addr));
      } else {
        same("address", s.done.addr, e.done.addr);
      }
    }
    if (!seen_.cut && seen.size() != expected.size()) {
      Fail(fmt::format("channel {}: {}, expected {}", c, Counted(seen.size(), "record"),
                       expected.size()));
    }
  }

  // A channel of the port and direction that a fault concerns.
  bool Spoilt(int c) const {
    if (!seen_.spoilt) return false;
    const bool read = *seen_.spoilt == Direction::kRead;
    const int first = read ? 0 : config_.reads;
    return c >= first && c < first + (read ? config_.reads : config_.writes) / config_.ports;
  }
  void CompareFault() {
    ++out_.faults;
    for (int c = 0; c < config_.channels(); ++c) {
      if (Spoilt(c) && (At(c).error & kFault) != 0) return;
    }
    Fail("no channel tells of a fault");
  }
  // Whether memory has answered a burst to it from this address with an error, since Prepare().
  bool IsBurstWithError(uint64_t address) const {
    for (int p = 0; p < config_.ports; ++p) {
      const std::vector<ErrorEvent>& events = bench_.errors(p);
      for (size_t n = seen_.errors[static_cast<size_t>(p)]; n < events.size(); ++n) {
        if (events[n].direction == Direction::kWrite && events[n].burst_addr == address)
          return true;
      }
    }
    return false;
  }
  // ERROR is what the records say; of a channel that was cut nothing but that and the abort.
  void CompareErrors(int c) {
    const uint32_t expected = model_->error(c);
    const WovenSeen::Channel& channel = At(c);
    if (seen_.cut) {
      const uint32_t fault = Spoilt(c) ? kFault | kBusError : 0;
      const uint32_t others =
          channel.error & ~(expected | registers::channel::Error::kAbortedMask | fault);
      if (others != 0) Fail(fmt::format("channel {}: ERROR has {:#x} as well", c, others));
      return;
    }
    if (registers::channel::Status{bench_.Get(Place(c) + native::kStatus)}.trigger_missed()) {
      Fail(fmt::format("channel {} missed a trigger", c));
    }
    const uint32_t error = bench_.Get(Place(c) + native::kError);
    if (error != expected)
      Fail(fmt::format("channel {}: ERROR is {:#x}, expected {:#x}", c, error, expected));
    CompareFirstError(c);
  }
  // ERROR_INFO and ERROR_ADDR are of the first record that tells of an error.
  void CompareFirstError(int c) {
    for (const native::Record& record : At(c).records) {
      if (record.done.status == 0) continue;
      ++out_.compared;
      const uint32_t info = bench_.Get(Place(c) + native::kErrorInfo);
      const uint64_t address = bench_.Get64(Place(c) + native::kErrorAddr);
      if (info != static_cast<uint32_t>(record.descriptor()) || address != record.done.addr) {
        Fail(
            fmt::format("channel {}: ERROR_INFO is {:#x}, ERROR_ADDR {:#x}, expected {:#x} and "
                        "{:#x}",
                        c, info, address, record.descriptor(), record.done.addr));
      }
      return;
    }
  }

  // Causes of transfers and records; others depend on when software looked.
  void CompareInterrupts(int c) {
    using Irq = registers::channel::IrqStatus;
    constexpr uint32_t kOfTransfers =
        Irq::kTaskDoneMask | Irq::kTransferMask | Irq::kRecordMask | Irq::kErrorMask;
    const uint32_t expected = model_->interrupts(c) & kOfTransfers;
    const uint32_t seen =
        (At(c).interrupts | bench_.Get(Place(c) + native::kIrqStatus)) & kOfTransfers;
    ++out_.compared;
    if (seen != expected)
      Fail(fmt::format("channel {}: IRQ_STATUS was {:#x}, expected {:#x}", c, seen, expected));
  }

  // Counters of what does not depend on time.
  void CompareCounters(int c) {
    uint64_t bytes = 0, packets = 0, count = 0;
    const auto add = [&](const model::StreamBeat& beat) {
      bytes += beat.keep.count();
      packets += beat.last ? 1 : 0;
      ++count;
    };
    if (c < config_.reads) {
      std::ranges::for_each(model_->beats(c), add);
    } else {
      std::ranges::for_each(AcceptedBeats(bench_, seen_, c - config_.reads), add);
    }
    const auto same = [&](const char* name, uint32_t offset, uint64_t expected) {
      const uint32_t is = bench_.Get(Place(c) + offset);
      ++out_.compared;
      if (is != static_cast<uint32_t>(expected))
        Fail(fmt::format("channel {}: {} is {}, expected {}", c, name, is, expected));
    };
    same("COUNT_TRANSFERS", native::kCountTransfers, model_->executions(c).size());
    same("COUNT_BEATS", native::kCountBeats, count);
    same("COUNT_BYTES", native::kCountBytes, bytes);
    same("COUNT_PACKETS", native::kCountPackets, packets);
  }

  // Those of a program that was cut are the first of what there would have been.
  void CompareTokens() {
    std::map<uint32_t, std::vector<uint32_t>> expected, seen;  // by actor
    for (int c = 0; c < config_.channels(); ++c) {
      for (const uint32_t word : model_->tokens(c)) expected[word >> 8 & 0xff].push_back(word);
    }
    for (const StreamWord& word : bench_.tokens().Take()) {
      seen[word.data >> 8 & 0xff].push_back(word.data);
      ++out_.compared;
      if (!word.last) Fail("a token without TLAST");
    }
    if (seen_.cut) {
      for (const auto& [actor, words] : seen) {
        const std::vector<uint32_t>& all = expected[actor];
        if (words.size() > all.size() || !std::equal(words.begin(), words.end(), all.begin()))
          Fail(fmt::format("actor {:#x}: a token that is not due", actor));
      }
    } else if (seen != expected) {
      for (const auto& [actor, words] : expected) {
        Fail(fmt::format("actor {:#x}: {}, expected {}", actor,
                         Counted(seen[actor].size(), "token"), words.size()));
      }
      Fail("tokens differ");
    }
  }

  // A program that was cut sends a part of them, and then at most what closes a packet: no byte,
  // with TLAST. What it had for a beat of a wider stream may come too.
  void CompareBeats(int r) {
    // What a write did not write others may read, for its lock was released.
    if (Spoilt(r) || seen_.spoilt == Direction::kWrite) return;
    const BeatList list(bench_.sink(r).beats(), bench_.sink(r).bytes());
    const size_t first = seen_.sink_beats[static_cast<size_t>(r)];
    const auto& expected = model_->beats(r);
    if (!seen_.cut && list.size() - first != expected.size()) {
      Fail(fmt::format("stream {}: {}, expected {}", r, Counted(list.size() - first, "beat"),
                       expected.size()));
    }
    for (size_t n = 0; n < expected.size() && first + n < list.size(); ++n) {
      ++out_.compared;
      if (seen_.cut && first + n + 1 == list.size() && Closes(list[first + n], expected[n])) return;
      if (!(list[first + n] == expected[n])) {
        Fail(fmt::format("stream {}: beat {} differs", r, n));
        return;
      }
    }
  }

  bool Closes(const model::StreamBeat& beat, const model::StreamBeat& whole) const {
    if (config_.channel.stream_bytes <= config_.channel.data_bytes)
      return beat.last && beat.keep.none();
    for (size_t lane = 0; lane < beat.keep.size(); ++lane) {
      if (beat.keep[lane] && (!whole.keep[lane] || beat.data[lane] != whole.data[lane]))
        return false;
    }
    return true;
  }

  // Every beat has the side information of the transfer of its last byte, or of an empty one that
  // ended it. The beats of a narrower stream have that of a later one that shares their beat of the
  // bus.
  void CompareSides(int r) {
    const std::vector<DeviceExecution>& all = model_->executions(r);
    const std::vector<StreamBeat>& beats = bench_.sink(r).beats();
    const auto is = [&](size_t n, uint32_t side) { return all[n].record.side == side; };
    uint64_t end = 0, sent = 0;  // of the transfers before `next`, and of beats
    size_t next = 0;
    for (size_t n = seen_.sink_beats[static_cast<size_t>(r)]; n < beats.size(); ++n) {
      if (beats[n].count == 0) continue;
      sent += beats[n].count;
      for (; next < all.size() && end < sent; ++next) end += all[next].record.done.bytes;
      const uint32_t side = native::SideWord(beats[n].side);
      ++out_.compared;
      bool good = next > 0 && is(next - 1, side);
      const DmaConfig& config = bench_.config();
      const uint64_t reach = sent + static_cast<uint64_t>(config.channel.data_bytes -
                                                          std::min(config.channel.data_bytes,
                                                                   config.channel.stream_bytes));
      uint64_t begin = end;
      for (size_t k = next; !good && k < all.size() && begin <= reach; ++k) {
        const uint64_t bytes = all[k].record.done.bytes;
        good = is(k, side) && (bytes == 0 || begin < reach);
        begin += bytes;
      }
      if (good) continue;
      Fail(fmt::format("stream {}: beat {} has side {:#x}", r, n, side));
      return;
    }
  }

  void CompareLocks() {
    if (seen_.spoilt)
      return;  // records of errors that were not asked for do not tell which transfers began
    if (seen_.cut) {
      std::vector<std::vector<native::Record>> records;
      for (const WovenSeen::Channel& channel : seen_.channels) records.push_back(channel.records);
      const LocksCompared compared =
          CompareCutLocks(*model_, program_.locks, records, seen_.cut_off,
                          [this](int k) { return software_.LockValue(k); });
      out_.compared += static_cast<uint64_t>(compared.locks);
      for (const std::string& difference : compared.differences) Fail(difference);
      return;
    }
    for (int k = 0; k < config_.locks; ++k) {
      const int value = software_.LockValue(k);
      ++out_.compared;
      if (value != model_->lock(k) && static_cast<size_t>(k) < program_.locks.size()) {
        Fail(fmt::format("lock {} is {}, expected {}", k, value, model_->lock(k)));
      }
    }
  }

  DmaBench& bench_;
  Software& software_;
  const DmaConfig config_;
  const DmaProgram& program_;
  const WovenModel& model_;
  const WovenSeen& seen_;
  WovenCompared out_;
};

}  // namespace

uint64_t CompareMemory(const model::MemoryImage& expected, const Memory& seen, bool cut,
                       const std::function<void(const std::string&)>& fail) {
  uint64_t compared = 0;
  std::map<uint64_t, const model::MemoryImage::Page*> left;
  expected.ForEachPage([&](uint64_t address, const auto& page) { left[address] = &page; });
  for (const Memory::TouchedPage& page : seen.TouchedPages()) {
    const auto found = left.find(page.addr);
    const model::MemoryImage::Page* wanted = found == left.end() ? nullptr : found->second;
    for (uint64_t n = 0; n < Memory::kPageBytes; ++n) {
      const auto bit = [n](const auto& words) { return (words[n / 64] >> (n % 64) & 1) != 0; };
      const bool touched = bit(page.touched), written = wanted != nullptr && bit(wanted->written);
      compared += touched ? 1 : 0;
      if (cut && (!touched || (written && bit(wanted->rewritten)))) continue;
      if (touched != written) {
        fail(fmt::format("memory {:#x} {}", page.addr + n,
                         touched ? "was written" : "was not written"));
      } else if (touched && page.bytes[n] != wanted->bytes[n]) {
        fail(fmt::format("memory {:#x} is {:#04x}, expected {:#04x}", page.addr + n, page.bytes[n],
                         wanted->bytes[n]));
      }
    }
    if (wanted != nullptr) left.erase(found);
  }
  for (const auto& [address, page] : left) {
    if (!cut) fail(fmt::format("page {:#x} was not written", address));
  }
  return compared;
}

std::vector<model::StreamBeat> AcceptedBeats(DmaBench& bench, const WovenSeen& seen, int w) {
  const BeatList list(bench.source(w).beats(), bench.source(w).bytes());
  std::vector<model::StreamBeat> beats;
  for (size_t n = seen.source_beats[static_cast<size_t>(w)]; n < list.size(); ++n)
    beats.push_back(list[n]);
  return beats;
}

WovenCompared CompareWoven(DmaBench* bench, Software* software, const DmaProgram& program,
                           const WovenModel& model, const WovenSeen& seen) {
  return Comparison(bench, software, program, model, seen).Run();
}

rtl::DescriptorSide StreamSide(int stream) {
  const auto number = static_cast<uint8_t>(stream);
  return {.user = static_cast<uint16_t>(0x5a00 + number),
          .id = static_cast<uint8_t>(0x30 + number),
          .dest = number};
}

uint32_t ReceivedSide(int number, const native::Record& record) {
  const bool none_yet = record.done.bytes == 0 && record.side == 0;
  return none_yet ? 0 : native::SideWord(StreamSide(number));
}

}  // namespace tessera
