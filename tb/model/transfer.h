// The transfer as the norm ("The transfer") defines it: one execution of one buffer descriptor, as
// a value.
//
// The field names are those of the norm. Nothing here knows RTL, simulator or driver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::model {

inline constexpr size_t kDims = 4;
inline constexpr size_t kWalkLevels = 4;
inline constexpr int kMaxElem = 128;  // the widest bus, in bytes
inline constexpr uint64_t kMaxBound = uint64_t{1} << 31;

// Where a memory-to-stream transfer puts TLAST.
enum class LastRule { kNever, kTransfer, kTask, kLevel };
constexpr std::array<std::string_view, 4> NamesOf(LastRule) {
  return {"never", "transfer", "task", "level"};
}
// When a stream-to-memory transfer ends.
enum class Finish { kLength, kLast };
constexpr std::array<std::string_view, 2> NamesOf(Finish) { return {"length", "last"}; }

// One level of the outer traversal: turn t moves the start of dimension `dim` by t * `step`
// coordinates.
struct WalkLevel {
  int dim = 0;
  int32_t step = 0;
  uint32_t count = 1;
  bool operator==(const WalkLevel&) const = default;
};

struct Transfer {
  int elem = 1;                                   // E, bytes per element
  uint64_t base = 0;                              // of the element whose coordinates are all 0
  std::array<uint32_t, kDims> count{1, 1, 1, 1};  // positions visited; dimension 0 is innermost
  std::array<int64_t, kDims> stride{};            // bytes between neighbouring coordinates
  std::array<int32_t, kDims> start{};             // coordinate of the first position
  std::array<std::optional<uint32_t>, kDims> bound{};  // valid coordinates; absent = unbounded
  std::array<std::optional<WalkLevel>, kWalkLevels> walk{};
  std::optional<uint32_t> length;  // elements; absent = the product of all counts
  uint64_t fill = 0;               // value of a fill element
  uint64_t offset = 0;             // bytes that iteration adds to `base`
  LastRule last_rule = LastRule::kTransfer;
  int last_level = 0;      // of kLevel: 0..3 one turn of that dimension, 4..7 of that walk level
  bool join_next = false;  // the last beat stays open for the next transfer of the task
  bool task_end = false;   // the last transfer of its task: always flushes
  Finish finish = Finish::kLength;
  bool operator==(const Transfer&) const = default;

  bool has_walk() const { return walk[0] || walk[1] || walk[2] || walk[3]; }
  bool joins() const { return join_next && !task_end; }
};

// Calls visit(name, field of a, field of b) for every field, in the order of the norm: for whoever
// writes, reads or compares all of them.
template <typename A, typename B, typename Visitor>
void VisitFields(A& a, B& b, Visitor&& visit) {
  visit("elem", a.elem, b.elem);
  visit("base", a.base, b.base);
  visit("offset", a.offset, b.offset);
  visit("count", a.count, b.count);
  visit("stride", a.stride, b.stride);
  visit("start", a.start, b.start);
  visit("bound", a.bound, b.bound);
  visit("walk", a.walk, b.walk);
  visit("length", a.length, b.length);
  visit("fill", a.fill, b.fill);
  visit("last_rule", a.last_rule, b.last_rule);
  visit("last_level", a.last_level, b.last_level);
  visit("join_next", a.join_next, b.join_next);
  visit("task_end", a.task_end, b.task_end);
  visit("finish", a.finish, b.finish);
}

// What the meaning of a transfer needs to know of the hardware it runs on.
struct Build {
  int addr_width = 64;
  int data_bytes = 8;    // memory bus
  int stream_bytes = 8;  // stream
  int beat_bytes = 0;    // beats of an engine whose stream changes its width; 0: as the stream
  bool walk = true;      // outer traversal is there
  bool bounds = true;    // bounds, fill and drop are there

  int EngineBeat() const { return beat_bytes == 0 ? stream_bytes : beat_bytes; }
  uint64_t AddressMask() const {
    return addr_width >= 64 ? ~uint64_t{0} : (uint64_t{1} << addr_width) - 1;
  }
};

// True if `transfer` visits no position at all: a count of 0 anywhere, or length 0.
bool IsEmpty(const Transfer& transfer);

// The number of positions, saturating at the largest uint64_t.
uint64_t Positions(const Transfer& transfer);

// True if hardware of this build answers the transfer with `illegal` and moves nothing.
bool IsRefused(const Transfer& transfer, const Build& build);

// The first rule that `transfer` breaks on this build, as a sentence with field, value and what is
// legal; nothing if it is valid. Stricter than IsRefused: also what hardware cannot be asked to
// check.
std::optional<std::string> Validate(const Transfer& transfer, const Build& build = {});

// One line for messages.
std::string ToString(const Transfer& transfer);

}  // namespace tessera::model
