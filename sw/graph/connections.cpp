// What belongs to a graph: its nodes, the ways between them, and whether they fit.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "run.hpp"

namespace adf::detail {
namespace {

bool SameKind(Kind port, Kind net) {
  return port == Kind::kAny || net == Kind::kAny || port == net ||
         // A stream of packets may end in a kernel that reads plain words.
         (port == Kind::kStream && net == Kind::kPacket) ||
         (port == Kind::kPacket && net == Kind::kStream);
}

// What nets lead to, from one of their ends to the other.
std::vector<PortNode*> Ends(PortNode* port, PortNode* NetNode::*near, PortNode* NetNode::*far) {
  if (port->owner != nullptr) return {port};
  std::vector<PortNode*> found;
  for (const auto& net : TheProgram().nets) {
    if (net.get()->*near == port)
      std::ranges::copy(Ends(net.get()->*far, near, far), std::back_inserter(found));
  }
  return found;
}

}  // namespace

std::vector<PortNode*> Targets(PortNode* port) { return Ends(port, &NetNode::from, &NetNode::to); }
std::vector<PortNode*> Sources(PortNode* port) { return Ends(port, &NetNode::to, &NetNode::from); }

// The graph and those inside it: of a graph with a symbol, what lies in its bytes; else a graph
// that made nothing before the next graph began holds that graph.
std::vector<const GraphNode*> GraphsIn(const GraphNode* graph) {
  const auto& graphs = TheProgram().graphs;
  const auto* begin = reinterpret_cast<const char*>(graph->self);
  const size_t bytes = SymbolBytes(graph->self);
  std::vector<const GraphNode*> found;
  for (size_t n = graph->number; n < graphs.size(); ++n) {
    const auto* at = reinterpret_cast<const char*>(graphs[n]->self);
    if (bytes != 0 && (at < begin || at >= begin + bytes)) continue;
    found.push_back(graphs[n].get());
    if (bytes == 0 && !graphs[n]->nodes.empty()) break;
  }
  return found;
}

// Everything that nets connect with what was made in the graph or in the graphs inside it.
void Run::Find() {
  const Program& program = TheProgram();
  std::set<const void*> reached;
  std::set<Node*> members;
  const std::vector<const GraphNode*> graphs = GraphsIn(graph_);
  for (const GraphNode* graph : graphs) {
    for (const auto& node : graph->nodes) members.insert(node.get());
    for (const auto& port : graph->ports) reached.insert(port.get());
  }
  const auto is_in = [&](PortNode* port) {
    return reached.contains(port) || (port->owner != nullptr && members.contains(port->owner));
  };
  const auto grow = [&] {
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& net : program.nets) {
        const bool from = is_in(net->from), to = is_in(net->to);
        if (from == to) continue;
        PortNode* port = from ? net->to : net->from;
        reached.insert(port);
        if (port->owner != nullptr) members.insert(port->owner);
        grows = true;
      }
    }
  };
  grow();
  // An edge that is connected to edges alone belongs to the graph in which it was made.
  const auto only_edges = [&](const Node* node) {
    return std::ranges::all_of(program.nets, [&](const auto& net) {
      if (net->from->owner != node && net->to->owner != node) return true;
      const PortNode* other = net->from->owner == node ? net->to : net->from;
      return other->owner != nullptr &&
             (other->owner->type == Node::Type::kFile || other->owner->type == Node::Type::kMemory);
    });
  };
  for (const GraphNode* graph : graphs) {
    for (Node* edge : graph->edges) {
      if (only_edges(edge)) members.insert(edge);
    }
  }
  grow();
  for (const auto& net : program.nets) {
    if (is_in(net->from)) nets_.push_back(net);
  }
  for (const auto& node : program.nodes) {
    const bool connected = std::ranges::any_of(nets_, [&](const auto& net) {
      return net->from->owner == node.get() || net->to->owner == node.get();
    });
    const bool edge = node->type == Node::Type::kFile || node->type == Node::Type::kMemory;
    if (members.contains(node.get()) && (connected || !edge)) nodes_.push_back(node);
  }
  if (nodes(Node::Type::kKernel).empty() && nodes(Node::Type::kBuffer).empty() && nets_.empty()) {
    Fail("the graph has no kernels and no connections");
  }
  FindOthers();
}

// A graph that is joined with one that has been initialised is a part of that one.
void Run::FindOthers() const {
  for (const auto& graph : TheProgram().graphs) {
    if (graph->run == nullptr || graph.get() == graph_) continue;
    for (const auto& node : nodes_) {
      if (std::ranges::find(graph->run->nodes_, node) == graph->run->nodes_.end()) continue;
      Fail(fmt::format(
          "{} belongs to a graph that has been initialised; what nets join is one graph",
          node->name));
    }
  }
}

std::vector<Node*> Run::nodes(Node::Type type) const {
  std::vector<Node*> found;
  for (const auto& node : nodes_) {
    if (node->type == type) found.push_back(node.get());
  }
  return found;
}

void Run::FindPaths() {
  const auto join = [](Path path, const NetNode& net) {
    if (path.from_kind == Kind::kAny) path.from_kind = net.from_kind;
    if (net.to_kind != Kind::kAny) path.to_kind = net.to_kind;
    path.from_block = std::max(path.from_block, net.from_block);
    path.to_block = std::max(path.to_block, net.to_block);
    path.to_margin = std::max(path.to_margin, net.to_margin);
    path.fifo_words = std::max(path.fifo_words, net.fifo_words);
    return path;
  };
  std::set<const NetNode*> open;
  std::function<void(PortNode*, const Path&)> follow = [&](PortNode* port, const Path& path) {
    for (const auto& net : nets_) {
      if (net->from != port) continue;
      if (!open.insert(net.get()).second)
        Fail("connect: ports of graphs are connected in a circle");
      Path next = join(path, *net);
      next.to = net->to;
      if (net->to->owner != nullptr) {
        paths_.push_back(std::make_unique<Path>(next));
      } else {
        follow(net->to, next);
      }
      open.erase(net.get());
    }
  };
  std::vector<PortNode*> begun;
  for (const auto& net : nets_) {
    if (net->from->owner == nullptr || std::ranges::find(begun, net->from) != begun.end()) continue;
    begun.push_back(net->from);
    Path path;
    path.from = net->from;
    follow(net->from, path);
  }
}

void Run::Check() const {
  std::map<const PortNode*, int> sources;
  for (const auto& path : paths_) {
    if (path->from->dir == input) {
      Fail(fmt::format("connect: {} is an input and cannot be a source", path->from->Name()));
    }
    if (path->to->dir == output) {
      Fail(fmt::format("connect: {} is an output and cannot be a sink", path->to->Name()));
    }
    for (const auto& [port, kind] :
         {std::pair(path->from, path->from_kind), std::pair(path->to, path->to_kind)}) {
      if (SameKind(port->kind, kind)) continue;
      Fail(fmt::format("connect: {} is a {} port, the connection says {}", port->Name(),
                       NameOf(port->kind), NameOf(kind)));
    }
    if (++sources[path->to] > 1) {
      Fail(fmt::format("connect: {} has more than one source", path->to->Name()));
    }
    if ((path->from->kind == Kind::kParameter) != (path->to->kind == Kind::kParameter)) {
      Fail(fmt::format(
          "connect: {} is a {} port and {} a {} port; parameters connect with "
          "parameters alone",
          path->from->Name(), NameOf(path->from->kind), path->to->Name(), NameOf(path->to->kind)));
    }
    if ((path->from->kind == Kind::kCascade) != (path->to->kind == Kind::kCascade)) {
      Fail(fmt::format("connect: the cascade between {} and {} must be a cascade at both ends",
                       path->from->Name(), path->to->Name()));
    }
  }
  for (const auto& node : nodes_) {
    for (const auto& port : node->ports) {
      const bool edge = node->type == Node::Type::kFile || node->type == Node::Type::kMemory;
      if (edge || port->kind == Kind::kParameter) continue;
      const bool connected = std::ranges::any_of(paths_, [&](const auto& path) {
        return path->from == port.get() || path->to == port.get();
      });
      if (connected) continue;
      Fail(fmt::format("{} is not connected: {}", port->Name(),
                       port->dir == input ? "no net of a source ends there"
                                          : "no net leads from there to a sink"));
    }
    if (auto* file = dynamic_cast<FileNode*>(node.get())) {
      if (file->width_bits != 32 && file->width_bits != 64 && file->width_bits != 128) {
        Fail(fmt::format("{}: a width of {} bits; legal are 32, 64 and 128", file->name,
                         file->width_bits));
      }
      if (file->frequency < 0) {
        Fail(fmt::format("{}: a frequency of {} MHz; legal is more than 0", file->name,
                         file->frequency));
      }
    }
    if (auto* memory = dynamic_cast<MemoryNode*>(node.get())) {
      const size_t burst = memory->burst_bytes;
      if (burst != 64 && burst != 128 && burst != 256) {
        Fail(fmt::format("{}: a burst length of {} bytes; legal are 64, 128 and 256", memory->name,
                         burst));
      }
    }
    if (auto* kernel = dynamic_cast<KernelNode*>(node.get())) {
      if (kernel->runtime_ratio < 0 || kernel->runtime_ratio > 1) {
        Fail(fmt::format("runtime<ratio> of {}: {}; legal is 0 to 1", kernel->name,
                         kernel->runtime_ratio));
      }
      if (kernel->repetitions == 0) {
        Fail(fmt::format("repetition_count of {}: 0; legal is 1 or more", kernel->name));
      }
    }
  }
}

}  // namespace adf::detail
