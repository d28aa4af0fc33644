// The JSON form of a timeline; see timeline.h.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "tools/pictures/timeline.h"

namespace tessera::timeline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kStates> kWords = {
    "idle",   "runs",  "lock",   "trigger",    "stream", "memory",
    "credit", "token", "record", "descriptor", "held",   "stopped"};

// A part of the document and its place: what it is not is a sentence.
class Part {
 public:
  Part(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  Part At(const char* member) const {
    if (!json_.is_object()) Refuse("an object");
    const auto found = json_.find(member);
    if (found == json_.end()) {
      throw std::invalid_argument(fmt::format("{}.{} is missing", place_, member));
    }
    return {*found, fmt::format("{}.{}", place_, member)};
  }
  std::vector<Part> Items() const {
    if (!json_.is_array()) Refuse("a list");
    std::vector<Part> items;
    for (size_t n = 0; n < json_.size(); ++n) {
      items.emplace_back(json_[n], fmt::format("{}[{}]", place_, n));
    }
    return items;
  }
  std::vector<Part> Items(size_t count) const {
    std::vector<Part> items = Items();
    if (items.size() != count) Refuse(fmt::format("a list of {}", count));
    return items;
  }
  uint64_t Cycle() const {
    if (!json_.is_number_unsigned()) Refuse("a cycle");
    return json_.get<uint64_t>();
  }
  int Number() const {
    if (!json_.is_number_integer() || !std::in_range<int>(json_.get<int64_t>())) {
      Refuse("a number of 32 bits");
    }
    return json_.get<int>();
  }
  std::string Text() const {
    if (!json_.is_string()) Refuse("a text");
    return json_.get<std::string>();
  }
  bool Truth() const {
    if (!json_.is_boolean()) Refuse("true or false");
    return json_.get<bool>();
  }

 private:
  [[noreturn]] void Refuse(const std::string& right) const {
    constexpr size_t kMost = 40;
    std::string shown = json_.dump();
    if (shown.size() > kMost) shown = shown.substr(0, kMost) + "...";
    throw std::invalid_argument(fmt::format("{} is {} and not {}", place_, shown, right));
  }
  const Json& json_;
  std::string place_;
};

std::vector<Mark> Marks(const Part& list) {
  std::vector<Mark> marks;
  for (const Part& item : list.Items()) {
    const auto parts = item.Items(3);
    marks.push_back({parts[0].Cycle(), parts[1].Text(), parts[2].Truth()});
  }
  return marks;
}

Changes<int> ChangesOf(const Part& list) {
  Changes<int> changes;
  for (const Part& item : list.Items()) {
    const auto parts = item.Items(2);
    changes.emplace_back(parts[0].Cycle(), parts[1].Number());
  }
  return changes;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that the library of JSON calls
void to_json(Json& json, const Mark& mark) { json = {mark.cycle, mark.name, mark.good}; }

std::string_view WordOf(State state) { return kWords[static_cast<size_t>(state)]; }

State StateOf(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  for (size_t n = 0; n < kStates; ++n) {
    if (kWords[n] == word) return static_cast<State>(n);
  }
  throw std::invalid_argument("\"" + std::string(word) + "\" is no state of a channel");
}

Json ToJson(const Timeline& t) {
  Json lanes = Json::array(), locks = Json::array();
  for (const Lane& lane : t.lanes) {
    lanes.push_back({{"name", lane.name},
                     {"direction", lane.write ? "write" : "read"},
                     {"states", lane.states},
                     {"queue_depth", lane.queue_depth},
                     {"queue", lane.queue},
                     {"records", lane.records},
                     {"tokens", lane.tokens},
                     {"missed", lane.missed}});
  }
  for (const LockLine& lock : t.locks) {
    locks.push_back({{"name", lock.name}, {"values", lock.values}});
  }
  return {{"first", t.first}, {"last", t.last},     {"channels", lanes},
          {"locks", locks},   {"events", t.events}, {"interrupts", t.interrupts}};
}

Timeline FromJson(const Json& json) {
  const Part top(json, "timeline");
  Timeline t;
  t.first = top.At("first").Cycle();
  t.last = top.At("last").Cycle();
  if (t.last < t.first) {
    throw std::invalid_argument(
        fmt::format("timeline.last is {}, before timeline.first, {}", t.last, t.first));
  }
  for (const Part& channel : top.At("channels").Items()) {
    Lane& lane = t.lanes.emplace_back();
    lane.name = channel.At("name").Text();
    lane.write = channel.At("direction").Text() == "write";
    lane.queue_depth = channel.At("queue_depth").Number();
    for (const Part& item : channel.At("states").Items()) {
      const auto parts = item.Items(2);
      lane.states.emplace_back(parts[0].Cycle(), parts[1].Text());
      StateOf(lane.states.back().second);
    }
    lane.queue = ChangesOf(channel.At("queue"));
    lane.records = Marks(channel.At("records"));
    lane.tokens = Marks(channel.At("tokens"));
    lane.missed = Marks(channel.At("missed"));
  }
  for (const Part& lock : top.At("locks").Items()) {
    t.locks.push_back({lock.At("name").Text(), ChangesOf(lock.At("values"))});
  }
  t.events = Marks(top.At("events"));
  t.interrupts = Marks(top.At("interrupts"));
  return t;
}

}  // namespace tessera::timeline
