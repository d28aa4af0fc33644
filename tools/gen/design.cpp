// Pins into interfaces; see design.h.
#include "tools/gen/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <stdexcept>

#include "tb/sim/counted.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

const Group* GroupOf(const Top& top, const Pin& pin) {
  const Group* best = nullptr;
  for (const Group& group : top.groups) {
    const bool whole = pin.name == group.prefix;
    const bool bus = group.kind != Kind::kSignal && group.kind != Kind::kInterrupt &&
                     pin.name.starts_with(group.prefix + "_");
    if ((whole || bus) && (best == nullptr || group.prefix.size() > best->prefix.size()))
      best = &group;
  }
  return best;
}

bool Holds(const std::string& condition, const Values& values) {
  return condition.empty() || Evaluate(condition, values) != 0;
}

std::string SuffixOf(const Group& group, const Pin& pin) {
  return pin.name == group.prefix ? "" : pin.name.substr(group.prefix.size() + 1);
}

// The pins that the specification has; the others are tied.
std::vector<const Pin*> Present(Design* design, const Group& group,
                                const std::vector<const Pin*>& pins) {
  std::vector<const Pin*> out;
  for (const Pin* pin : pins) {
    const auto optional = group.optional.find(SuffixOf(group, *pin));
    if (Holds(group.condition, design->values) &&
        (optional == group.optional.end() || Holds(optional->second, design->values))) {
      out.push_back(pin);
    } else {
      design->ties.push_back({pin->name, Evaluate(pin->width, design->values), pin->input});
    }
  }
  return out;
}

void AddGroup(Design* design, const Group& group, const std::vector<const Pin*>& all) {
  const std::vector<const Pin*> pins = Present(design, group, all);
  if (pins.empty()) return;
  const bool counted = !group.count.empty();
  const int64_t count = counted ? Evaluate(group.count, design->values) : 1;
  const int64_t first =
      group.first.empty() ? 0 : std::min(count, Evaluate(group.first, design->values));
  for (const Pin* pin : pins) {
    if (first > 0)
      design->ties.push_back(
          {pin->name, Evaluate(pin->width, design->values) / count * first, pin->input});
  }
  const bool crosses = group.data && design->spec.stream_clock.has_value();
  for (int64_t k = first; k < count; ++k) {
    Interface out;
    out.name = group.prefix;
    out.about = group.about;
    if (counted) {
      const int64_t reads = group.split.empty() ? 0 : Evaluate(group.split, design->values);
      const char* way = group.split.empty() ? "" : k < reads ? "_rd" : "_wr";
      const int64_t number = k < reads ? k : k - reads;
      out.name += fmt::format("{}_{}", way, number);
      out.about += fmt::format(", number {}", number);
    }
    if (!group.reads.empty()) out.reads = Evaluate(group.reads, design->values);
    if (!group.writes.empty()) out.writes = Evaluate(group.writes, design->values);
    out.kind = group.kind;
    out.master = group.master;
    out.crosses = crosses;
    out.clock = crosses ? design->spec.stream_clock->name : design->top().clock;
    for (const Pin* pin : pins) {
      const std::string suffix = SuffixOf(group, *pin);
      out.ports.push_back({.name = suffix.empty() ? out.name : out.name + "_" + suffix,
                           .logical = Upper(suffix),
                           .pin = pin->name,
                           .index = k,
                           .width = Evaluate(pin->width, design->values) / count,
                           .input = pin->input});
    }
    design->interfaces.push_back(std::move(out));
  }
}

void PlaceBuffer(Design* design) {
  for (const Interface& interface : design->interfaces) {
    if (!interface.IsMemory()) continue;
    design->buffer_bytes = int64_t{1} << interface.AddressWidth();
    const auto size = static_cast<uint64_t>(design->buffer_bytes);
    const uint64_t end = design->spec.address + static_cast<uint64_t>(design->span);
    design->buffer_address = (end + size - 1) & ~(size - 1);
    if (design->buffer_address < design->spec.address)
      throw job::ErrorAt(
          design->spec.file, "address", fmt::format("\"{:#x}\"", design->spec.address),
          fmt::format("legal is an address with room for {} behind the registers", interface.name));
  }
}

}  // namespace

const Port* Interface::Find(std::string_view logical) const {
  for (const Port& port : ports) {
    if (port.logical == logical) return &port;
  }
  return nullptr;
}

int64_t Interface::Width(std::string_view logical) const {
  const Port* port = Find(logical);
  return port == nullptr ? 0 : port->width;
}

int64_t Interface::DataWidth() const { return std::max(Width("RDATA"), Width("WDATA")); }
int64_t Interface::AddressWidth() const { return std::max(Width("ARADDR"), Width("AWADDR")); }

std::vector<const Interface*> Design::Of(Kind kind, bool master) const {
  std::vector<const Interface*> out;
  for (const Interface& interface : interfaces) {
    if (interface.kind == kind && interface.master == master) out.push_back(&interface);
  }
  return out;
}

std::string Design::Busses(const Clock& clock, std::string_view between) const {
  std::vector<std::string> names;
  for (const Interface& interface : interfaces) {
    if (interface.clock != clock.name || BusType(interface.kind).empty()) continue;
    names.push_back(interface.name);
  }
  return Listed(names, {}, between);
}

Design Elaborate(const Spec& spec) {
  Design design;
  design.spec = spec;
  design.values = spec.parameters;
  const Top& top = *spec.top;
  for (const auto& [name, expression] : top.derived) {
    try {
      design.values[name] = Evaluate(expression, design.values);
    } catch (const std::logic_error&) {  // no number; a pin that needs it is refused below
    }
  }
  if (spec.mhz == 0) design.spec.mhz = SupportedMhz(design);
  design.clocks.push_back({top.clock, top.reset, design.spec.mhz});
  if (spec.stream_clock)
    design.clocks.push_back(
        {spec.stream_clock->name, spec.stream_clock->reset, spec.stream_clock->mhz});

  std::vector<std::pair<const Group*, std::vector<const Pin*>>> groups;
  static const Group kPlain{};
  for (const Pin& pin : top.pins) {
    if (pin.name == top.clock || pin.name == top.reset) continue;
    const Group* group = GroupOf(top, pin);
    if (group == nullptr) {  // a pin that tops.json does not know is shown as it is
      Group plain = kPlain;
      plain.prefix = pin.name;
      plain.master = !pin.input;
      AddGroup(&design, plain, {&pin});
      continue;
    }
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == group; });
    if (found == groups.end()) found = groups.insert(groups.end(), {group, {}});
    found->second.push_back(&pin);
  }
  for (const auto& [group, pins] : groups) AddGroup(&design, *group, pins);
  design.span = top.Span();
  PlaceBuffer(&design);
  bool crosses = !spec.stream_clock;
  std::set<std::string> names;
  for (const Interface& interface : design.interfaces) {
    crosses |= interface.crosses;
    for (const Port& port : interface.ports) names.insert(port.name);
    names.insert(interface.name);
  }
  if (!crosses)
    throw job::ErrorAt(spec.file, "stream_clock", "\"" + spec.stream_clock->name + "\"",
                       "legal is none, as Loopback joins all streams inside");
  for (const Clock& clock : design.clocks) {
    for (const std::string& name : {clock.name, clock.reset}) {
      if (names.insert(name).second) continue;
      throw job::ErrorAt(spec.file, "stream_clock", "\"" + name + "\"",
                         "legal is a name that no other pin has");
    }
  }
  return design;
}

std::string Upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string Hertz(double mhz) { return fmt::format("{}", std::llround(mhz * 1e6)); }

std::string BusType(Kind kind) {
  if (kind == Kind::kAxi4 || kind == Kind::kAxiLite) return "aximm";
  return kind == Kind::kStream ? "axis" : "";
}

}  // namespace tessera::gen
