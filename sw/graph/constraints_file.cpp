// The JSON file of constraints: what it says about nodes, ports, and groups of them.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "placement.hpp"

namespace adf::detail {
namespace {

using nlohmann::json;
using Rule = Constraint::Kind;

// "(2,0):(2,3)"
Box BoxOf(const std::string& text) {
  Box box;
  int read = 0;
  if (std::sscanf(text.c_str(), " (%d,%d):(%d,%d)%n", &box.column, &box.row, &box.column2,
                  &box.row2, &read) != 4 ||
      read != static_cast<int>(text.size())) {
    Fail(fmt::format("constraints: tileGroup '{}'; legal is \"(column,row):(column,row)\"", text));
  }
  return box;
}

// A member of an object of the file, with its type checked.
template <typename T>
T Get(const json& object, const std::string& key, const std::string& where) {
  if (!object.is_object() || !object.contains(key)) {
    Fail(fmt::format("constraints: {} has no \"{}\"", where, key));
  }
  try {
    return object[key].get<T>();
  } catch (const json::exception&) {
    Fail(fmt::format("constraints: {}: \"{}\" is {}, which is of the wrong type", where, key,
                     object[key].dump()));
  }
}

Place PlaceOf(const json& object, const std::string& where) {
  Place place{.column = Get<int>(object, "column", where), .row = Get<int>(object, "row", where)};
  if (object.contains("bankId")) place.bank = Get<int>(object, "bankId", where);
  if (object.contains("offset")) {
    // Of a bank if one is named, else of the tile.
    place.offset = Get<int>(object, "offset", where);
    if (place.bank >= 0) {
      if (place.offset < 0 || place.offset >= Placement::kBankBytes) {
        Fail(fmt::format("constraints: {}: offset {} in bank {}; legal is 0 to {}", where,
                         place.offset, place.bank, Placement::kBankBytes - 1));
      }
      place.offset += place.bank * Placement::kBankBytes;
      place.bank = -1;
    }
  }
  return place;
}

class Reader {
 public:
  Reader(const GraphNode& graph, const std::vector<KernelNode*>& kernels,
         const std::vector<Node*>& edges)
      : graph_(graph), kernels_(kernels), edges_(edges) {}

  std::vector<Constraint> Read(const std::string& path);

 private:
  Node* FindNode(const std::string& name) const;
  PortNode* FindPort(const std::string& name) const;
  // One constraint for each name of a list; `kind`: what the names are of.
  void Relate(const Subject& subject, Rule rule, const json& names, Subject::Kind kind,
              const std::string& where);
  // False if the key is none of those that name nodes and reserved memories.
  bool RelateTo(const Subject& subject, const std::string& key, const json& value,
                const std::string& where);
  void ReadNode(const std::string& name, const json& object);
  void ReadPort(const std::string& name, const json& object);
  void ReadArea(const json& group);
  void ReadStamps(const std::string& key, const json& group);

  const GraphNode& graph_;
  const std::vector<KernelNode*>& kernels_;
  const std::vector<Node*>& edges_;
  std::vector<Constraint> constraints_;
};

Node* Reader::FindNode(const std::string& name) const {
  const std::string last = name.substr(name.rfind('.') + 1);
  const auto named = [&](const std::string& wanted) -> Node* {
    for (KernelNode* kernel : kernels_) {
      if (kernel->name == wanted) return kernel;
    }
    for (Node* edge : edges_) {
      if (edge->name == wanted) return edge;
    }
    return nullptr;
  };
  if (Node* node = named(name)) return node;
  if (Node* node = named(last)) return node;
  std::string names;
  for (const KernelNode* kernel : kernels_) names += " " + kernel->name;
  Fail(fmt::format("constraints: there is no node '{}'; kernels are:{}", name, names));
}

PortNode* Reader::FindPort(const std::string& name) const {
  const size_t dot = name.rfind('.');
  const Node* node = FindNode(name.substr(0, dot == std::string::npos ? 0 : dot));
  std::string labels;
  for (const auto& port : node->ports) {
    if (port->label == name.substr(dot + 1)) return port.get();
    labels += " " + port->label;
  }
  Fail(fmt::format("constraints: there is no port '{}'; ports of {} are:{}", name, node->name,
                   labels));
}

void Reader::Relate(const Subject& subject, Rule rule, const json& names, Subject::Kind kind,
                    const std::string& where) {
  if (!names.is_array()) Fail(fmt::format("constraints: {} is no list of names", where));
  for (const json& name : names) {
    if (!name.is_string()) {
      Fail(fmt::format("constraints: {}: {} is no name", where, name.dump()));
    }
    Subject other{.kind = kind};
    if (kind == Subject::Kind::kBuffer) {
      other.port = FindPort(name.get<std::string>());
    } else {
      other.node = FindNode(name.get<std::string>());
      if (other.node->type != Node::Type::kKernel) {
        Fail(fmt::format("constraints: {}: {} is no kernel", where, other.node->name));
      }
    }
    constraints_.push_back({.kind = rule, .subject = subject, .other = other});
  }
}

bool Reader::RelateTo(const Subject& subject, const std::string& key, const json& value,
                      const std::string& where) {
  const Rule rule = key.starts_with("not_") ? Rule::kDifferent : Rule::kSame;
  if (key == "colocated_nodes" || key == "not_colocated_nodes") {
    Relate(subject, rule, value, Subject::Kind::kKernel, where);
  } else if (key == "colocated_reserved_memories" || key == "not_colocated_reserved_memories") {
    Relate(subject, rule, value, Subject::Kind::kStack, where);
  } else {
    return false;
  }
  return true;
}

void Reader::ReadNode(const std::string& name, const json& object) {
  Node* node = FindNode(name);
  const Subject kernel{.kind = Subject::Kind::kKernel, .node = node};
  for (const auto& [key, value] : object.items()) {
    const std::string where = fmt::format("{} of {}", key, name);
    if (node->type != Node::Type::kKernel && key != "shim") {
      Fail(fmt::format("constraints: {}, which is no kernel; legal is shim", where));
    }
    if (key == "tile") {
      constraints_.push_back(
          {.kind = Rule::kAt, .subject = kernel, .place = PlaceOf(value, where)});
    } else if (key == "reserved_memory") {
      constraints_.push_back({.kind = Rule::kAt,
                              .subject = {.kind = Subject::Kind::kStack, .node = node},
                              .place = PlaceOf(value, where)});
    } else if (key == "shim") {
      const int column = Get<int>(value, "column", where);
      if (column < 0 || column >= Placement::kColumns) {
        Fail(fmt::format("constraints: {}: column {}; legal is 0 to {}", where, column,
                         Placement::kColumns - 1));
      }
      constraints_.push_back(
          {.kind = Rule::kArea, .subject = kernel, .name = name, .columns = {{column, column}}});
    } else if (!RelateTo(kernel, key, value, where)) {
      Fail(fmt::format(
          "constraints: {}; legal are tile, shim, reserved_memory, colocated_nodes, "
          "not_colocated_nodes, colocated_reserved_memories, not_colocated_reserved_memories",
          where));
    }
  }
}

void Reader::ReadPort(const std::string& name, const json& object) {
  const Subject buffer{.kind = Subject::Kind::kBuffer, .port = FindPort(name)};
  for (const auto& [key, value] : object.items()) {
    const std::string where = fmt::format("{} of {}", key, name);
    if (key == "buffers") {
      if (!value.is_array() || value.empty() || value.size() > 2) {
        Fail(fmt::format("constraints: {}: legal is a list of one or two places", where));
      }
      for (size_t n = 0; n < value.size(); ++n) {
        Subject one = buffer;
        one.index = static_cast<int>(n);
        constraints_.push_back(
            {.kind = Rule::kAt, .subject = one, .place = PlaceOf(value[n], where)});
      }
    } else if (key == "colocated_ports" || key == "not_colocated_ports" ||
               key == "exclusive_colocated_ports") {
      const Rule rule = key[0] == 'n'   ? Rule::kDifferent
                        : key[0] == 'e' ? Rule::kAlone
                                        : Rule::kSame;
      Relate(buffer, rule, value, Subject::Kind::kBuffer, where);
    } else if (!RelateTo(buffer, key, value, where)) {
      Fail(
          fmt::format("constraints: {}; legal are buffers, colocated_nodes, "
                      "not_colocated_nodes, colocated_ports, not_colocated_ports, "
                      "exclusive_colocated_ports, colocated_reserved_memories, "
                      "not_colocated_reserved_memories",
                      where));
    }
  }
}

void Reader::ReadArea(const json& group) {
  const std::string key = "areaGroup";
  Constraint area{.kind = Rule::kArea, .name = Get<std::string>(group, "name", key)};
  for (const auto& pattern : Get<std::vector<std::string>>(group, "nodeGroup", key)) {
    if (!pattern.ends_with('*')) {
      area.nodes.push_back(FindNode(pattern));
      continue;
    }
    const std::string begin = pattern.substr(0, pattern.size() - 1);
    for (KernelNode* kernel : kernels_) {
      const std::string full = graph_.name + "." + kernel->name;
      if (full.starts_with(begin) || kernel->name.starts_with(begin)) area.nodes.push_back(kernel);
    }
  }
  if (group.contains("tileGroup")) {
    for (const auto& text : Get<std::vector<std::string>>(group, "tileGroup", key)) {
      area.boxes.push_back(BoxOf(text));
    }
  }
  if (group.contains("shimGroup")) {
    for (const auto& text : Get<std::vector<std::string>>(group, "shimGroup", key)) {
      std::pair<int, int> columns;
      if (std::sscanf(text.c_str(), "%d:%d", &columns.first, &columns.second) != 2 ||
          columns.first < 0 || columns.second < columns.first ||
          columns.second >= Placement::kColumns) {
        Fail(
            fmt::format("constraints: shimGroup '{}' of {}; legal is \"first:last\" within 0 to {}",
                        text, area.name, Placement::kColumns - 1));
      }
      area.columns.push_back(columns);
    }
  }
  area.exclusive =
      group.contains("exclusive_placement") && Get<bool>(group, "exclusive_placement", key);
  constraints_.push_back(area);
}

void Reader::ReadStamps(const std::string& key, const json& group) {
  const auto find = [&](const std::string& wanted) {
    for (const auto& graph : TheProgram().graphs) {
      if (graph->name == wanted) return graph.get();
    }
    Fail(fmt::format("constraints: there is no graph '{}'; name(graph) names one", wanted));
  };
  const Subject reference{.kind = Subject::Kind::kGraph,
                          .graph = find(Get<std::string>(group, "referenceGraph", key))};
  for (const auto& each : Get<std::vector<std::string>>(group, "stampedGraphs", key)) {
    constraints_.push_back({.kind = Rule::kStamp,
                            .subject = {.kind = Subject::Kind::kGraph, .graph = find(each)},
                            .other = reference});
  }
}

std::vector<Constraint> Reader::Read(const std::string& path) {
  std::ifstream in(path);
  if (!in) Fail(fmt::format("constraints: cannot read the file '{}'", path));
  json file;
  try {
    in >> file;
  } catch (const json::exception& error) {
    Fail(fmt::format("constraints: '{}' is no JSON: {}", path, error.what()));
  }
  for (const auto& [section, content] : file.items()) {
    if (section == "NodeConstraints") {
      for (const auto& [name, object] : content.items()) ReadNode(name, object);
    } else if (section == "PortConstraints") {
      for (const auto& [name, object] : content.items()) ReadPort(name, object);
    } else if (section == "GlobalConstraints") {
      for (const auto& [key, value] : content.items()) {
        // One group, or a list of them.
        for (const json& group : value.is_array() ? value : json::array({value})) {
          if (key == "areaGroup") {
            ReadArea(group);
          } else if (key == "isomorphicGraphGroup" || key == "IsomorphicGraphGroup") {
            ReadStamps(key, group);
          } else {
            Fail(
                fmt::format("constraints: GlobalConstraints has '{}'; legal are areaGroup and "
                            "isomorphicGraphGroup",
                            key));
          }
        }
      }
    } else {
      Fail(
          fmt::format("constraints: '{}' has a section '{}'; legal are NodeConstraints, "
                      "PortConstraints and GlobalConstraints",
                      path, section));
    }
  }
  return std::move(constraints_);
}

}  // namespace

std::vector<Constraint> ReadConstraints(const std::string& path, const GraphNode& graph,
                                        const std::vector<KernelNode*>& kernels,
                                        const std::vector<Node*>& edges) {
  return Reader(graph, kernels, edges).Read(path);
}

}  // namespace adf::detail
