// From STATUS and its neighbours to sentences.
#include "tb/dma/who_waits.h"

#include <fmt/format.h>

#include "tb/dma/native.h"

namespace tessera {
namespace {

enum Wait : uint32_t {
  kTask,
  kTrigger,
  kLoad,
  kLock,
  kEngine,
  kData,
  kRecord,
  kTurn,
  kToken,
  kList,
  kWriteBack,
  kPause,
  kReset,
  kFault,
  kHeader
};

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
    return bench_.Get(native::Channel(IsRead(c) ? Direction::kRead : Direction::kWrite, Number(c)) +
                      offset);
  }

  std::string One(int c) {
    const uint32_t status = Get(c, native::kStatus);
    const uint32_t descriptor = Get(c, native::kCurrent) & 0xff;
    const int tasks = bench_.config().task_depth - static_cast<int>(status >> 24 & 0x1f);
    const std::string loaded =
        fmt::format("(descriptor {} loaded last, {} tasks)", descriptor, tasks);
    switch (status & 15) {
      case kTask:
        return "";
      case kTrigger:
        return fmt::format("waits for {} {}", Trigger(Get(c, native::kTrigger)), loaded);
      case kLoad:
        return fmt::format("waits for a descriptor to be loaded {}", loaded);
      case kLock:
        return fmt::format("waits for {} {}", Lock(status >> 8 & 63), loaded);
      case kEngine:
        return fmt::format("waits for its engine to take a transfer {}", loaded);
      case kData:
        return fmt::format("waits for {} {}", Data(c), loaded);
      case kRecord:
        return fmt::format("waits for room in its record queue, which holds {} {}",
                           Get(c, native::kRecord) >> 8 & 31, loaded);
      case kTurn:
        return fmt::format("waits for its turn at the locks {}", loaded);
      case kToken:
        return fmt::format("waits for the token stream, TVALID {:d} TREADY {:d} {}",
                           bench_.dma().token.valid, bench_.dma().token.ready, loaded);
      case kList: {
        const uint32_t head = Get(c, 0x90), tail = Get(c, 0x8c);
        return fmt::format("waits for its list at {:#x}: head {}, tail {}, of {} {}", Get(c, 0x80),
                           head, tail, Get(c, 0x88), loaded);
      }
      case kWriteBack:
        return fmt::format("waits for the memory to take a completion entry {}", loaded);
      case kPause:
        return fmt::format("is paused {}", loaded);
      case kReset:
        return fmt::format("is in reset, CONTROL {:#x} {}", Get(c, native::kControl), loaded);
      case kFault:
        return fmt::format("has stopped, ERROR {:#x} INFO {:#x} {}", Get(c, native::kError),
                           Get(c, native::kErrorInfo), loaded);
      default:
        return fmt::format("waits for the header of a packet {}", loaded);
    }
  }

  std::string Lock(uint32_t lock) {
    std::string who;
    for (int d = 0; d < bench_.config().descriptors; ++d) {
      const uint32_t word = bench_.Get(native::kDescriptors + 0x40 * static_cast<uint32_t>(d) + 48);
      if ((word >> 16 & 63) != lock || (word >> 24 & 127) == 0) continue;
      who += fmt::format("{}{}", who.empty() ? "" : ", ", d);
    }
    return fmt::format("lock {}, which is {}; descriptors that release it: {}", lock,
                       bench_.Get(native::kLocks + 0x10 * lock), who.empty() ? "none" : who);
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

  std::string Data(int c) {
    const Dma::Streams& streams = bench_.dma().streams(Number(c));
    const StreamPort& stream = IsRead(c) ? streams.m_axis : streams.s_axis;
    return fmt::format("{}, TVALID {:d} TREADY {:d}",
                       IsRead(c) ? "memory or its stream" : "its stream or memory", stream.valid,
                       stream.ready);
  }

  DmaBench& bench_;
  int depth_ = 0;  // of triggers that wait for triggers
};

}  // namespace

std::string WhoWaits(DmaBench* bench) { return Explainer(bench).All(); }

}  // namespace tessera
