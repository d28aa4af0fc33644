// From STATUS and its neighbours to sentences.
#include "tb/dma/who_waits.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "tb/dma/native.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

using native::Wait;
using registers::channel::Status;

class Explainer {
 public:
  explicit Explainer(DmaBench* bench) : bench_(*bench) {}

  std::string All() {
    std::string text;
    for (int c = 0; c < bench_.config().channels(); ++c) {
      depth_ = 0;
      const std::string line = One(c);
      if (!line.empty()) text += fmt::format("{} {}\n", Name(c), line);
    }
    return text.empty() ? "no channel has anything to do\n" : text;
  }

 private:
  bool IsRead(int c) const { return c < bench_.config().reads; }
  int Number(int c) const { return IsRead(c) ? c : c - bench_.config().reads; }
  std::string Name(int c) const {
    return fmt::format("{} channel {}", IsRead(c) ? "read" : "write", Number(c));
  }
  uint32_t Get(int c, uint32_t offset) {
    return bench_.Get(native::ChannelOf(bench_.config(), c) + offset);
  }

  std::string One(int c) {
    const uint32_t status = Get(c, native::kStatus);
    const uint32_t descriptor = Get(c, native::kCurrent) & 0xff;
    const std::string loaded =
        fmt::format("(descriptor {} loaded last, {})", descriptor, Counted(Queued(status), "task"));
    switch (native::WaitOf(status)) {
      case Wait::kTask:
        return "";
      case Wait::kTrigger:
        return fmt::format("waits for {} {}", Trigger(Get(c, native::kTrigger)), loaded);
      case Wait::kLoad:
        return fmt::format("waits for a descriptor to be loaded {}", loaded);
      case Wait::kLock:
        return fmt::format("waits for {} {}", Lock(Status{status}.lock_id()), loaded);
      case Wait::kEngine:
        return fmt::format("waits for its engine to take a transfer {}", loaded);
      case Wait::kMemory:
        return fmt::format("waits for memory{} {}", Next(c, status), loaded);
      case Wait::kStream:
        return fmt::format("waits for {}{} {}", Stream(c), Next(c, status), loaded);
      case Wait::kRecord:
        return fmt::format("waits for room in its record queue, which holds {} {}",
                           registers::channel::Record{Get(c, native::kRecord)}.waiting(), loaded);
      case Wait::kRelease:
        return fmt::format("waits for its turn at the locks {}", loaded);
      case Wait::kToken:
        return fmt::format("waits for the token stream, TVALID {:d} TREADY {:d} {}",
                           bench_.dma().token.valid, bench_.dma().token.ready, loaded);
      case Wait::kList:
        return fmt::format("waits for {} {}", List(c), loaded);
      case Wait::kWrite:
        return fmt::format("waits for the memory to take a completion entry {}", loaded);
      case Wait::kPause:
        return fmt::format("is paused {}", loaded);
      case Wait::kReset:
        return fmt::format("is in reset, CONTROL {:#x} {}", Get(c, native::kControl), loaded);
      case Wait::kFault:
        return fmt::format("has stopped, ERROR {:#x} INFO {:#x} {}", Get(c, native::kError),
                           Get(c, native::kErrorInfo), loaded);
      default:
        return fmt::format("waits for the header of a packet {}", loaded);
    }
  }

  // What the next transfer waits for while another one runs; empty: nothing that others do.
  std::string Next(int c, uint32_t status) {
    constexpr const char* kText = "; its next transfer waits for {}";
    switch (native::NextWaitOf(status)) {
      case Wait::kTrigger:
        return fmt::format(kText, Trigger(Get(c, native::kTrigger)));
      case Wait::kLock:
        return fmt::format(kText, Lock(Status{status}.lock_id()));
      case Wait::kList:
        return fmt::format(kText, List(c));
      case Wait::kHeader:
        return fmt::format(kText, "the header of a packet");
      default:
        return "";
    }
  }

  // Tasks in the queue of a channel: each stays there until its last descriptor has been loaded.
  size_t Queued(uint32_t status) const {
    return static_cast<size_t>(bench_.config().queue_depth) - Status{status}.room();
  }
  template <typename Word>
  Word WordOf(uint32_t descriptor) {
    return {bench_.Get(native::kDescriptors + 0x40 * descriptor + Word::kOffset)};
  }
  static bool Releases(registers::descriptor::Locks locks, uint32_t lock) {
    return locks.release_id() == lock && locks.release_value() != 0;
  }

  static bool FromList(uint32_t task) { return registers::channel::Task{task}.from_list() != 0; }

  // What a channel has in hand or in its queue.
  struct Work {
    std::set<uint32_t> descriptors;  // of the chains
    bool list = false;               // what is still to come of its list
    bool from_list = false;          // the one in hand is the last that came from it
    bool known = true;
  };
  Work WorkOf(int c) {
    Work work;
    const uint32_t status = Get(c, native::kStatus);
    if (!Status{status}.busy()) return work;
    const auto written = bench_.tasks(c);
    const size_t queued = Queued(status);
    work.known = written && written->size() >= queued && !bench_.config().headers();
    work.list = bench_.config().lists && (Get(c, native::kListStatus) & 1) != 0;
    const size_t done = work.known ? written->size() - queued : 0;  // whole tasks that were loaded
    work.from_list = work.list || (done > 0 && queued == 0 && FromList((*written)[done - 1]));
    if (!work.from_list) work.descriptors.insert(Get(c, native::kCurrent) & 0xff);
    if (!work.known) return work;
    for (size_t n = done; n < written->size(); ++n) {
      const uint32_t task = (*written)[n];
      if (FromList(task)) {
        work.list = true;
        continue;
      }
      uint32_t d = task & 0xff;
      std::set<uint32_t> chain;
      while (d < static_cast<uint32_t>(bench_.config().descriptors) && chain.insert(d).second) {
        const auto chained = WordOf<registers::descriptor::Next>(d);
        if (!chained.has_next()) break;
        d = chained.next();
      }
      work.descriptors.merge(chain);
    }
    return work;
  }

  // "3 of the list of read channel 1", of each that is in hand or, with `all`, still to come.
  void AddList(int c, uint32_t lock, bool all, std::vector<std::string>* who) {
    const uint32_t count = Get(c, native::kListCount);
    const registers::list::Control control{Get(c, native::kListControl)};
    const uint64_t base = bench_.Get64(native::ChannelOf(bench_.config(), c) + native::kListBase);
    const bool ring = control.ring() != 0;
    const uint32_t pitch = 64 * (control.pitch() + 1), tail = Get(c, native::kListTail);
    const uint32_t head = Get(c, native::kListHead);
    for (uint32_t n = 0; n < count; ++n) {
      const bool posted = (n + count - head) % count < (tail + count - head) % count;
      const bool in_hand = (n + 1) % count == head % count;
      if (!in_hand && !(all && (posted || !ring))) continue;
      registers::descriptor::Locks locks;
      for (uint64_t k = 0; k < 4; ++k) {
        const uint64_t at = base + uint64_t{n} * pitch + locks.kOffset + k;
        locks.word |= uint32_t{bench_.memory().ReadByte(at)} << 8 * k;
      }
      if (Releases(locks, lock)) who->push_back(fmt::format("{} of the list of {}", n, Name(c)));
    }
  }

  std::string Lock(uint32_t lock) {
    std::vector<Work> works;
    bool known = true;
    for (int c = 0; c < bench_.config().channels(); ++c) {
      works.push_back(WorkOf(c));
      known = known && works.back().known;
    }
    std::vector<std::string> who;
    for (uint32_t d = 0; d < static_cast<uint32_t>(bench_.config().descriptors); ++d) {
      if (!Releases(WordOf<registers::descriptor::Locks>(d), lock)) continue;
      std::vector<std::string> channels;
      for (size_t c = 0; c < works.size(); ++c) {
        if (works[c].descriptors.contains(d)) channels.push_back(Name(static_cast<int>(c)));
      }
      std::string text = std::to_string(d);
      if (!channels.empty()) {
        text += fmt::format(" of {}", fmt::join(channels, " and "));
      } else if (known) {
        text += " of no queued task";
      }
      who.push_back(text);
    }
    for (size_t c = 0; c < works.size(); ++c) {
      if (!works[c].list && !works[c].from_list) continue;
      AddList(static_cast<int>(c), lock, works[c].list, &who);
    }
    const uint32_t value = bench_.Get(native::kLocks + 0x10 * lock);
    if (who.empty()) {
      return fmt::format("lock {}, which is {}; no descriptor in RAM{} releases it", lock, value,
                         known ? " and no queued task" : "");
    }
    return fmt::format("lock {}, which is {}; descriptors that release it: {}", lock, value,
                       fmt::join(who, ", "));
  }

  std::string Trigger(uint32_t source) {
    if (source == 0) return "a trigger, but TRIGGER chooses none";
    if (source == 1) return "the frame mark of its stream";
    if (source >= 0x10 && source < 0x20) return fmt::format("trigger pin {}", source - 0x10);
    if (source >= 0x20 && source < 0x30) return fmt::format("event {} of software", source - 0x20);
    if (source < 0x40) return fmt::format("trigger {:#x}, which never happens", source);
    const char* what = source < 0x60 ? "transfer" : "task";
    const int number = static_cast<int>(source & 15);
    const int other = (source & 0x10) == 0 ? number : bench_.config().reads + number;
    const bool there =
        (source & 0x10) == 0 ? number < bench_.config().reads : number < bench_.config().writes;
    if (!there) return fmt::format("a {} of a channel that the build does not have", what);
    if (++depth_ > bench_.config().channels()) return fmt::format("a {} of {}", what, Name(other));
    const std::string line = One(other);
    return fmt::format("a {} of {}, which {}", what, Name(other),
                       line.empty() ? "has nothing to do" : line);
  }

  std::string List(int c) {
    return fmt::format("its list at {:#x}: head {}, tail {}, of {}", Get(c, native::kListBase),
                       Get(c, native::kListHead), Get(c, native::kListTail),
                       Get(c, native::kListCount));
  }

  std::string Stream(int c) {
    const Dma::Streams& streams = bench_.dma().streams(Number(c));
    const StreamPort& stream = IsRead(c) ? streams.m_axis : streams.s_axis;
    return fmt::format("its stream, TVALID {:d} TREADY {:d}", stream.valid, stream.ready);
  }

  DmaBench& bench_;
  int depth_ = 0;  // of triggers that wait for triggers
};

}  // namespace

std::string WhoWaits(DmaBench* bench) { return Explainer(bench).All(); }

}  // namespace tessera
