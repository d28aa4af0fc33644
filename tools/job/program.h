// What a job tells a build of tessera_dma, as plain values: locks, descriptors, tasks, triggers and
// events (docs/programming.md). Names are those of the job; Prepare() makes numbers of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/model/transfer.h"

namespace tessera::job {

struct NamedTransfer {
  std::string place;  // "channels[0].transfers[2]"
  std::string name;   // may be empty
  model::Transfer value;
  std::string Label() const { return name.empty() ? place : name; }
};

inline constexpr int kMostLocks = 64;
inline constexpr int kLockTop = 63;  // the highest value of a lock
inline constexpr size_t kMostDescriptors = 256;

struct Lock {
  std::string place, name;
  std::optional<int> number;  // absent: the first that no other has
  int value = 0;              // at first
};

// Acquire: at least `value`, which is taken, or equal to it. Release: `value` is added.
struct LockUse {
  std::string place;
  std::string lock;
  bool equal = false;
  int value = 0;
};

// A word in front of a packet that is sent.
struct Header {
  uint8_t id = 0, type = 0, descriptor = 0;
};

struct Descriptor {
  NamedTransfer transfer;
  std::optional<LockUse> acquire, release;
  std::string next;    // empty: the chain ends
  int32_t step = 0;    // bytes that each turn adds to the base ...
  uint32_t turns = 1;  // ... modulo so many turns
  bool interrupt = false;
  bool record = true;  // leaves one also if it has no error
  uint32_t side = 0;   // TDEST, TID, TUSER as in word 14
  std::optional<Header> header;
};

// Descriptors in memory, of a channel: an array that a task executes from its first to its last,
// or a ring to which software adds them while the channel works.
struct List {
  std::string place;
  uint64_t base = 0;                     // of its memory, a multiple of 64
  std::vector<std::string> descriptors;  // by name; of a ring in the order in which they are added
  bool ring = false;
  uint32_t places = 0;              // of the ring
  std::optional<uint64_t> entries;  // of a ring: where the device writes what is done
  uint32_t interrupt = 0;           // after so many entries; 0: none
  uint64_t Bytes() const {
    return kListPitch * uint64_t{ring ? places : static_cast<uint32_t>(descriptors.size())};
  }
  static constexpr uint64_t kListPitch = 192, kEntry = 16;
};

struct Task {
  std::string place;
  std::string start;              // unless
  std::vector<std::string> list;  // its descriptors come from the list of its channel
  uint32_t repeats = 1;
  uint32_t tag = 0;
  bool token = false;
  bool trigger = false;  // waits for the channel's trigger
  bool paced = false;    // waits for it before each turn
  bool endless =
      false;  // as many turns as its triggers or its stream bring; the last of its channel
};

// Whole pages of 4 KiB that a channel may reach.
struct Window {
  std::string place;
  uint64_t base = 0, size = 0;
};

// What software does with a channel while the program runs.
struct Action {
  enum class Kind { kPause, kDrain, kResume, kStop };
  std::string place;
  Kind kind = Kind::kPause;
  std::string channel;
  uint64_t at = 0;         // cycles after the program was loaded, unless
  std::string after;       // a channel
  uint64_t transfers = 0;  // has done so many
};
constexpr std::array<std::string_view, 4> NamesOf(Action::Kind) {
  return {"pause", "drain", "resume", "stop"};
}

// What a channel's tasks may wait for.
struct Trigger {
  enum class Kind { kNone, kPin, kSoftware, kTransfer, kTask, kMark };
  std::string place;
  Kind kind = Kind::kNone;
  int number = 0;       // of the pin, of the event
  std::string channel;  // whose transfers, whose tasks
};

// A pin that rises, or an event of software.
struct Event {
  std::string place;
  bool pin = true;
  bool packet = false;  // of software: a control packet fires it
  int number = 0;
  std::vector<uint64_t> at;  // cycles after the program was loaded, in order
};

}  // namespace tessera::job
