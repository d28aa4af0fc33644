// What somebody who wrote a transfer may not have meant, and how it could be faster: another order
// of its dimensions, fewer dimensions, another place.
//
// Every piece of advice is a transfer that has been analysed itself; the figures are the
// difference.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tb/sim/names.h"
#include "tools/show/analysis.h"

namespace tessera::show {

struct Advice {
  enum class Kind { kOrder, kFold, kWiden, kPlace };
  Kind kind = Kind::kOrder;
  bool same_bytes = true;                      // of memory
  bool same_stream = true;                     // the stream carries them in the same order
  model::Transfer transfer;                    // what to use instead
  double cycles_before = 0, cycles_after = 0;  // of the engine, memory latency kAdviceLatency
  uint64_t bursts_before = 0, bursts_after = 0;
  std::string text;  // a sentence or two
};

constexpr std::array<std::string_view, 4> NamesOf(Advice::Kind) {
  return {"order", "fold", "widen", "place"};
}

inline constexpr uint32_t kAdviceLatency = 20;

// The best first. Nothing for a transfer that is empty.
std::vector<Advice> Advise(const Subject& subject);

// A sentence each.
struct Note {
  std::string id;  // stable, for machines: "repeat", "overlap", "wrap", ...
  std::string text;
};

std::vector<Note> FindNotes(const Analysis& analysis);

}  // namespace tessera::show
