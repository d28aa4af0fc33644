// What the channels of a tessera_dma did over time: plain values, their JSON form and their
// picture.
//
//   Note(&timeline.lanes[0].states, cycle, std::string("lock full"));    // keeps what changes
//   WriteOutput("run.svg", DrawTimeline(timeline));
//
// A value holds until the next one. Cycles are those of the simulation.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::timeline {

// What a channel does, or whom it waits for.
enum class State {
  kIdle,
  kRuns,
  kLock,
  kTrigger,
  kStream,
  kMemory,
  kCredit,
  kToken,
  kRecord,
  kDescriptor,
  kHeld,  // paused or in reset
  kStopped
};
inline constexpr size_t kStates = 12;
std::string_view WordOf(State state);
// Of a text that begins with the word of a state. Throws std::invalid_argument: it does not.
State StateOf(std::string_view text);

template <typename Value>
using Changes = std::vector<std::pair<uint64_t, Value>>;  // from a cycle on

// Keeps a value if it differs from the one before.
template <typename Value>
void Note(Changes<Value>* changes, uint64_t cycle, Value value) {
  if (changes->empty() || changes->back().second != value) changes->emplace_back(cycle, value);
}

struct Mark {
  uint64_t cycle = 0;
  std::string name;
  bool good = true;
  bool operator==(const Mark&) const = default;
};

// A channel.
struct Lane {
  std::string name;
  bool write = false;
  int queue_depth = 0;
  Changes<std::string> states;  // the word of a state, then what it waits for: "lock full"
  Changes<int> queue;           // tasks in its queue
  std::vector<Mark> records;    // by the name of their descriptor
  std::vector<Mark> tokens;
  std::vector<Mark> missed;  // triggers that came while one was waiting
  bool operator==(const Lane&) const = default;
};

struct LockLine {
  std::string name;
  Changes<int> values;
  bool operator==(const LockLine&) const = default;
};

struct Timeline {
  uint64_t first = 0, last = 0;  // cycles
  std::vector<Lane> lanes;
  std::vector<LockLine> locks;
  std::vector<Mark> events;  // pins that rise, events of software
  std::vector<Mark> interrupts;
  bool empty() const { return lanes.empty(); }
  bool operator==(const Timeline&) const = default;
};

nlohmann::ordered_json ToJson(const Timeline& timeline);
// Throws std::invalid_argument: this is no timeline.
Timeline FromJson(const nlohmann::ordered_json& json);

// "channel out missed a trigger in cycle 120: ..."; empty: it missed none.
std::string MissedWords(const Lane& lane);

// SVG: a lane for each channel with its states, its queue, records and tokens, a line for each
// lock, a legend.
std::string DrawTimeline(const Timeline& timeline, const std::string& title);

}  // namespace tessera::timeline
