// Parts of a case as text, and a case as text. See system_case.h.
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

#include "tb/sim/counted.h"
#include "tb/system/system_case.h"

namespace tessera {
namespace {

[[noreturn]] void Refuse(const std::string& word) {
  throw std::invalid_argument(
      fmt::format("--keep has '{}': legal are rK:N and wK:N (N transfers of channel K), eN, fN, "
                  "unpaced, plain, dense, single, none",
                  word));
}

size_t Number(const std::string& word, size_t first, size_t last) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(word.data() + first, word.data() + last, value);
  if (error != std::errc() || end != word.data() + last) Refuse(word);
  return value;
}

}  // namespace

Keep Keep::All(const SystemCase& value) {
  Keep keep;
  for (const ChannelPlan& channel : value.channels) {
    keep.reads.push_back(channel.reads.size());
    keep.writes.push_back(channel.writes.size());
  }
  keep.events.assign(value.events.size(), true);
  keep.faults.assign(value.faults.size(), true);
  return keep;
}

Keep Keep::Parse(const std::string& text, const SystemCase& value) {
  Keep keep;
  keep.reads.assign(value.channels.size(), 0);
  keep.writes = keep.reads;
  keep.events.assign(value.events.size(), false);
  keep.faults.assign(value.faults.size(), false);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "unpaced") {
      keep.unpaced = true;
    } else if (word == "plain") {
      keep.plain = true;
    } else if (word == "dense") {
      keep.dense = true;
    } else if (word == "single") {
      keep.single = true;
    } else if (word == "none") {
    } else if (word[0] == 'r' || word[0] == 'w') {
      const size_t colon = std::min(word.find(':'), word.size() - 1);
      const size_t channel = Number(word, 1, colon);
      auto& list = word[0] == 'r' ? keep.reads : keep.writes;
      if (channel >= list.size()) Refuse(word);
      list[channel] = Number(word, colon + 1, word.size());
    } else if (word[0] == 'e' || word[0] == 'f') {
      auto& list = word[0] == 'e' ? keep.events : keep.faults;
      const size_t place = Number(word, 1, word.size());
      if (place >= list.size()) Refuse(word);
      list[place] = true;
    } else {
      Refuse(word);
    }
  }
  return keep;
}

std::string Keep::ToString() const {
  std::string text;
  for (size_t k = 0; k < reads.size(); ++k) {
    if (reads[k] > 0) text += fmt::format("r{}:{} ", k, reads[k]);
    if (writes[k] > 0) text += fmt::format("w{}:{} ", k, writes[k]);
  }
  for (size_t n = 0; n < events.size(); ++n) {
    if (events[n]) text += fmt::format("e{} ", n);
  }
  for (size_t n = 0; n < faults.size(); ++n) {
    if (faults[n]) text += fmt::format("f{} ", n);
  }
  if (unpaced) text += "unpaced ";
  if (plain) text += "plain ";
  if (dense) text += "dense ";
  if (single) text += "single ";
  if (text.empty()) return "none";
  text.pop_back();
  return text;
}

void Keep::Apply(SystemCase* value) const {
  for (size_t k = 0; k < value->channels.size(); ++k) {
    ChannelPlan& channel = value->channels[k];
    if (channel.reads.size() > reads[k]) {
      channel.reads.resize(reads[k]);
      if (!channel.reads.empty()) channel.reads.back().join_next = false;
    }
    if (channel.writes.size() > writes[k]) channel.writes.resize(writes[k]);
    if (channel.writes.empty()) channel.stream.clear();
    if (dense) channel.shape = {};
    if (!unpaced) continue;
    channel.source = channel.sink = channel.read_offer = channel.read_take = channel.write_offer =
        channel.write_take = {};
    channel.sink_after_valid = false;
  }
  if (single) value->ring = false;
  if (plain) value->memory = {};
  // What is left out stays in its place and never comes, so that names stay what they are.
  for (size_t n = 0; n < value->events.size(); ++n) {
    if (!events[n]) value->events[n].cycle = kNever;
  }
  for (size_t n = 0; n < value->faults.size(); ++n) {
    if (!faults[n]) value->faults[n].kind = AxiFault::Kind::kNone;
  }
  std::erase_if(value->faults, [](const AxiFault& f) { return f.kind == AxiFault::Kind::kNone; });
}

std::string Describe(const SystemCase& value) {
  std::string text =
      fmt::format("memory {}{}\n", value.memory.ToString(), value.ring ? "; ring" : "");
  for (size_t k = 0; k < value.channels.size(); ++k) {
    const ChannelPlan& channel = value.channels[k];
    for (const model::Transfer& t : channel.reads) {
      text += fmt::format("  channel {} read  {}\n", k, model::ToString(t));
    }
    for (const model::Transfer& t : channel.writes) {
      text += fmt::format("  channel {} write {}\n", k, model::ToString(t));
    }
  }
  for (const Fabric::Window& w : value.windows) {
    text += fmt::format("  window {} of channel {}: pages {:#x} to {:#x}{}{}\n", w.index, w.channel,
                        w.first, w.last, w.read ? " read" : "", w.write ? " write" : "");
  }
  for (const SystemEvent& e : value.events) {
    if (e.cycle == kNever) continue;
    text += fmt::format("  cycle {}: {} channel {} {}, {}\n", e.cycle, NameOf(e.kind), e.channel,
                        NameOf(e.direction), Counted(e.length, "cycle"));
  }
  for (const AxiFault& f : value.faults) {
    text += fmt::format("  from cycle {}: {} for id {} of port {}, {}\n", f.from, NameOf(f.kind),
                        f.id, value.fault_port, Counted(f.cycles, "cycle"));
  }
  return text;
}

}  // namespace tessera
