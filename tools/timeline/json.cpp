// The JSON form of a timeline; see timeline.h.
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/timeline/timeline.h"

namespace tessera::timeline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, kStates> kWords = {
    "idle",   "runs",  "lock",   "trigger",    "stream", "memory",
    "credit", "token", "record", "descriptor", "held",   "stopped"};

Json MarksJson(const std::vector<Mark>& marks) {
  Json list = Json::array();
  for (const Mark& m : marks) list.push_back({m.cycle, m.name, m.good});
  return list;
}

std::vector<Mark> Marks(const Json& list) {
  std::vector<Mark> marks;
  for (const Json& m : list) marks.push_back({m.at(0), m.at(1), m.at(2)});
  return marks;
}

Json ChangesJson(const Changes<int>& changes) {
  Json list = Json::array();
  for (const auto& [cycle, value] : changes) list.push_back({cycle, value});
  return list;
}

Changes<int> ChangesOf(const Json& list) {
  Changes<int> changes;
  for (const Json& c : list) changes.emplace_back(c.at(0), c.at(1));
  return changes;
}

}  // namespace

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
    Json states = Json::array();
    for (const auto& [cycle, state] : lane.states) states.push_back({cycle, state});
    lanes.push_back({{"name", lane.name},
                     {"direction", lane.write ? "write" : "read"},
                     {"states", states},
                     {"queue_depth", lane.queue_depth},
                     {"queue", ChangesJson(lane.queue)},
                     {"records", MarksJson(lane.records)},
                     {"tokens", MarksJson(lane.tokens)},
                     {"missed", MarksJson(lane.missed)}});
  }
  for (const LockLine& lock : t.locks) {
    locks.push_back({{"name", lock.name}, {"values", ChangesJson(lock.values)}});
  }
  return {{"first", t.first},
          {"last", t.last},
          {"channels", lanes},
          {"locks", locks},
          {"events", MarksJson(t.events)},
          {"interrupts", MarksJson(t.interrupts)}};
}

Timeline FromJson(const Json& json) {
  try {
    Timeline t;
    t.first = json.at("first");
    t.last = json.at("last");
    for (const Json& channel : json.at("channels")) {
      Lane& lane = t.lanes.emplace_back();
      lane.name = channel.at("name");
      lane.write = channel.at("direction") == "write";
      lane.queue_depth = channel.at("queue_depth");
      for (const Json& s : channel.at("states")) {
        lane.states.emplace_back(s.at(0), s.at(1));
        StateOf(lane.states.back().second);
      }
      lane.queue = ChangesOf(channel.at("queue"));
      lane.records = Marks(channel.at("records"));
      lane.tokens = Marks(channel.at("tokens"));
      lane.missed = Marks(channel.at("missed"));
    }
    for (const Json& lock : json.at("locks")) {
      t.locks.push_back({lock.at("name"), ChangesOf(lock.at("values"))});
    }
    t.events = Marks(json.at("events"));
    t.interrupts = Marks(json.at("interrupts"));
    return t;
  } catch (const Json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

}  // namespace tessera::timeline
