// Lowers a graph and runs its kernels.
#include "run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace adf::detail {
namespace {

using tessera::driver::Code;
using tessera::driver::Direction;
using tessera::graph::Job;
using tessera::graph::JobEnd;

constexpr size_t kPipeWords = 64;    // of a stream without fifo_depth
constexpr size_t kFileBlock = 4096;  // bytes of a block on the way to a file
constexpr uint64_t kForever = ~uint64_t{0};

[[noreturn]] void Fail(const std::string& text, Code code = Code::user_error) {
  throw GraphError(code, text);
}

// Blocks that a channel fills from a stream. The margin of a block is the end of the block before.
class InBlocks final : public Blocks {
 public:
  InBlocks(Channel* channel, std::vector<uint8_t*> memory, size_t bytes, size_t margin,
           std::shared_ptr<const tessera::graph::Access> access)
      : channel_(channel),
        memory_(std::move(memory)),
        bytes_(bytes),
        margin_(margin),
        access_(std::move(access)) {
    for (size_t n = 0; n < memory_.size(); ++n) {
      std::memset(memory_[n], 0, margin_);
      Post(n);
    }
  }
  bool ready() const override { return channel_->finished() > taken_; }
  uint8_t* Current() override { return memory_[taken_ % memory_.size()]; }
  void Advance() override {
    const size_t n = taken_ % memory_.size();
    uint8_t* const next = memory_[(n + 1) % memory_.size()];
    // The margin may be longer than the block, so it is taken of both.
    if (margin_ != 0) std::memmove(next, memory_[n] + bytes_, margin_);
    ++taken_;
    Post(n);
  }

 private:
  void Post(size_t n) {
    channel_->Post({.memory = memory_[n] + margin_, .bytes = bytes_, .access = access_});
  }
  Channel* channel_;
  std::vector<uint8_t*> memory_;
  size_t bytes_, margin_;
  std::shared_ptr<const tessera::graph::Access> access_;
  uint64_t taken_ = 0;
};

// Blocks that a channel sends.
class OutBlocks final : public Blocks {
 public:
  OutBlocks(Channel* channel, std::vector<uint8_t*> memory, size_t bytes, bool packet,
            std::shared_ptr<const tessera::graph::Access> access)
      : channel_(channel),
        memory_(std::move(memory)),
        bytes_(bytes),
        packet_(packet),
        access_(std::move(access)) {}
  bool ready() const override { return written_ - channel_->finished() < memory_.size(); }
  uint8_t* Current() override { return memory_[written_ % memory_.size()]; }
  void Advance() override {
    channel_->Post({.memory = Current(), .bytes = bytes_, .access = access_, .packet = packet_});
    ++written_;
  }

 private:
  Channel* channel_;
  std::vector<uint8_t*> memory_;
  size_t bytes_;
  bool packet_;
  std::shared_ptr<const tessera::graph::Access> access_;
  uint64_t written_ = 0;
};

// Blocks that two kernels share: no data move.
struct Shared {
  std::vector<uint8_t*> memory;
  uint64_t written = 0, taken = 0;
};
class SharedIn final : public Blocks {
 public:
  explicit SharedIn(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  bool ready() const override { return shared_->written > shared_->taken; }
  uint8_t* Current() override { return shared_->memory[shared_->taken % shared_->memory.size()]; }
  void Advance() override { ++shared_->taken; }

 private:
  std::shared_ptr<Shared> shared_;
};
class SharedOut final : public Blocks {
 public:
  explicit SharedOut(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  bool ready() const override { return shared_->written - shared_->taken < shared_->memory.size(); }
  uint8_t* Current() override { return shared_->memory[shared_->written % shared_->memory.size()]; }
  void Advance() override { ++shared_->written; }

 private:
  std::shared_ptr<Shared> shared_;
};

tessera::graph::Wait WaitOf(PortNode* port, const char* what, std::function<bool()> over) {
  return {fmt::format("{} {}", what, port->Name()), std::move(over),
          [port] { return port->peers; }};
}

bool SameKind(Kind port, Kind net) {
  return port == Kind::kAny || net == Kind::kAny || port == net ||
         // A stream of packets may end in a kernel that reads plain words.
         (port == Kind::kStream && net == Kind::kPacket) ||
         (port == Kind::kPacket && net == Kind::kStream);
}

}  // namespace

void WaitForBlock(PortNode* port) {
  tessera::graph::TheEngine().Block(
      WaitOf(port, port->dir == input ? "a block of" : "room for a block of",
             [port] { return port->blocks->ready(); }));
}
void WaitForBytes(PortNode* port, size_t bytes) {
  if (port->pipe->size() >= bytes) return;
  tessera::graph::TheEngine().Block(
      WaitOf(port, "data of", [port, bytes] { return port->pipe->size() >= bytes; }));
}
void WaitForRoom(PortNode* port, size_t bytes) {
  if (port->wire->room() >= bytes) return;
  tessera::graph::TheEngine().Block(
      WaitOf(port, "room for", [port, bytes] { return port->wire->room() >= bytes; }));
}
void TakeParameter(PortNode* port, void* value) {
  Parameter& parameter = *port->parameter;
  if (port->dir == input) {
    tessera::graph::TheEngine().Block(WaitOf(port, "an update of", [port, &parameter] {
      return port->async ? parameter.updates > 0 : parameter.updates > parameter.consumed;
    }));
    if (!port->async) ++parameter.consumed;
  }
  std::memcpy(value, parameter.value.data(), parameter.value.size());
}
void GiveParameter(PortNode* port, const void* value) {
  Parameter& parameter = *port->parameter;
  if (port->sync && parameter.targets.empty()) {
    tessera::graph::TheEngine().Block(WaitOf(
        port, "a read of", [&parameter] { return parameter.updates == parameter.consumed; }));
  }
  parameter.Set(value);
}

std::vector<PortNode*> Targets(PortNode* port) {
  if (port->owner != nullptr) return {port};
  std::vector<PortNode*> found;
  for (const auto& net : TheProgram().nets) {
    if (net->from != port) continue;
    for (PortNode* target : Targets(net->to)) found.push_back(target);
  }
  return found;
}
std::vector<PortNode*> Sources(PortNode* port) {
  if (port->owner != nullptr) return {port};
  std::vector<PortNode*> found;
  for (const auto& net : TheProgram().nets) {
    if (net->to != port) continue;
    for (PortNode* source : Sources(net->from)) found.push_back(source);
  }
  return found;
}

Run::Run(GraphNode* graph) : graph_(graph), engine_(tessera::graph::TheEngine()) {
  try {
    Find();
    FindPaths();
    Check();
    LowerParameters();
    LowerData();
    placement_ = std::make_unique<Placement>(*graph_, nodes_);
    StartKernels();
  } catch (...) {
    GiveBack();
    throw;
  }
}

Run::~Run() { GiveBack(); }

void Run::GiveBack() {
  for (const auto& kernel : kernels) engine_.Kill(kernel->process);
  kernels.clear();
  for (const size_t task : tasks_) engine_.RemoveTask(task);
  tasks_.clear();
  for (Channel* channel : channels_) engine_.backend().Close(channel);
  channels_.clear();
  for (const int lock : locks_) engine_.backend().CloseLock(lock);
  locks_.clear();
  for (uint8_t* memory : memory_) engine_.Free(memory);
  memory_.clear();
  for (const auto& node : nodes_) {
    if (auto* memory = dynamic_cast<MemoryNode*>(node.get())) memory->channel = nullptr;
    for (const auto& port : node->ports) {
      port->blocks = nullptr;
      port->pipe = nullptr;
      port->wire = nullptr;
      port->parameter = nullptr;
    }
  }
  nodes_.clear();
}

// ---- What belongs to the graph ----------------------------------------------------------------

// Everything that nets connect with what was made in the graph or in the graphs inside it.
void Run::Find() {
  const Program& program = TheProgram();
  std::set<const void*> reached;
  std::set<Node*> members;
  // A graph that made nothing before the next graph began holds that graph.
  for (size_t n = graph_->number; n < program.graphs.size(); ++n) {
    for (const auto& node : program.graphs[n]->nodes) members.insert(node.get());
    for (const auto& port : program.graphs[n]->ports) reached.insert(port.get());
    if (!program.graphs[n]->nodes.empty()) break;
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
  for (Node* edge : graph_->edges) {
    if (only_edges(edge)) members.insert(edge);
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
    Fail("init: the graph has no kernels and no connections");
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

// ---- Parameters -------------------------------------------------------------------------------

void Run::LowerParameters() {
  const auto add = [&](PortNode* port) {
    parameters_.push_back(std::make_unique<Parameter>());
    Parameter* parameter = parameters_.back().get();
    parameter->value.assign(port->count * port->element.size(), 0);
    port->parameter = parameter;
    if (!port->initial.empty()) {
      parameter->value = port->initial;
      if (port->dir == input) parameter->updates = 1;
    }
    lines_.push_back([port] {
      return fmt::format("{}: run-time parameter, {} x {} bytes, {}", port->Name(), port->count,
                         port->element.size(), port->async ? "asynchronous" : "synchronous");
    });
  };
  for (Node* node : nodes(Node::Type::kKernel)) {
    for (const auto& port : node->ports) {
      if (port->kind == Kind::kParameter) add(port.get());
    }
    if (const auto& control = static_cast<KernelNode*>(node)->bypass) {
      add(control.get());
      if (control->initial.empty()) control->parameter->updates = 1;  // 0: through the kernel
    }
  }
  for (const auto& path : paths_) {
    if (path->from->kind != Kind::kParameter) continue;
    if (path->from->element != path->to->element || path->from->count != path->to->count) {
      Fail(fmt::format("connect<parameter>: {} has {} elements of {} bytes, {} has {} of {}",
                       path->from->Name(), path->from->count, path->from->element.size(),
                       path->to->Name(), path->to->count, path->to->element.size()));
    }
    path->from->parameter->targets.push_back(path->to->parameter);
  }
}

// ---- Data -------------------------------------------------------------------------------------

Channel* Run::OpenChannel(Direction direction, const std::string& name) {
  channels_.push_back(engine_.backend().Open(direction, name));
  return channels_.back();
}

uint8_t* Run::Allocate(size_t bytes, const std::string& what) {
  auto* memory = static_cast<uint8_t*>(engine_.Allocate(bytes));
  if (memory == nullptr) {
    Fail(fmt::format("{}: no room for {} bytes in the {} bytes of memory", what, bytes,
                     engine_.options().memory_bytes));
  }
  memory_.push_back(memory);
  return memory;
}

size_t Run::BlockOf(const Path& path, bool source) const {
  const PortNode* port = source ? path.from : path.to;
  const size_t net = source ? path.from_block : path.to_block;
  if (net != 0 && port->block_bytes != 0 && net != port->block_bytes) {
    Fail(
        fmt::format("connect: a window of {} bytes at {}, which has {} bytes by its type or its "
                    "dimensions",
                    net, port->Name(), port->block_bytes));
  }
  const size_t block = std::max(net, port->block_bytes);
  if (block == 0) {
    Fail(
        fmt::format("{}: the size of its block is not known; connect<window<bytes>>, "
                    "dimensions(port) = {{elements}} or extents<elements> say it",
                    port->Name()));
  }
  if (block % port->element.size() != 0) {
    Fail(fmt::format("{}: a block of {} bytes is no whole number of elements of {} bytes",
                     port->Name(), block, port->element.size()));
  }
  return block;
}

// Whether a block can pass from kernel to kernel where it lies.
bool Run::Shares(const std::vector<Path*>& paths) const {
  if (paths.size() != 1) return false;
  const Path& path = *paths[0];
  return path.from->kind == Kind::kWindow && path.to->kind == Kind::kWindow &&
         std::max(path.to_margin, path.to->margin_bytes) == 0 && !path.from->access &&
         !path.to->access && BlockOf(path, true) == BlockOf(path, false);
}

ElementType Run::PeerType(PortNode* io) const {
  for (const auto& path : paths_) {
    if (path->from != io && path->to != io) continue;
    const PortNode* peer = path->from == io ? path->to : path->from;
    if (peer->kind == Kind::kPacket) return {Format::kSigned, 4, 1};
    if (peer->element.format != Format::kUnknown) return peer->element;
  }
  return {Format::kSigned, 4, 1};
}

void Run::LowerData() {
  std::vector<PortNode*> sources;
  std::map<PortNode*, std::vector<Path*>> grouped;
  for (const auto& path : paths_) {
    if (path->from->kind == Kind::kParameter) continue;
    if (grouped[path->from].empty()) sources.push_back(path->from);
    grouped[path->from].push_back(path.get());
    path->from->peers.clear();
    path->to->peers.clear();
  }
  for (const auto& path : paths_) {
    path->from->peers.push_back(path->to->owner->name);
    path->to->peers.push_back(path->from->owner->name);
  }
  for (PortNode* from : sources) LowerSource(from, grouped[from]);
  for (Node* node : nodes(Node::Type::kSplit)) AddSplit(static_cast<SplitNode*>(node));
  for (Node* node : nodes(Node::Type::kMerge)) AddMerge(static_cast<MergeNode*>(node));
  for (Node* node : nodes(Node::Type::kBuffer)) LowerBuffer(static_cast<BufferNode*>(node));
}

void Run::LowerSource(PortNode* from, const std::vector<Path*>& paths) {
  if (Shares(paths)) {
    PortNode* to = paths[0]->to;
    const size_t bytes = BlockOf(*paths[0], true);
    auto shared = std::make_shared<Shared>();
    const int buffers = from->single_buffer || to->single_buffer ? 1 : 2;
    for (int n = 0; n < buffers; ++n) shared->memory.push_back(Allocate(bytes, from->Name()));
    blocks_.push_back(std::make_unique<SharedOut>(shared));
    from->blocks = blocks_.back().get();
    blocks_.push_back(std::make_unique<SharedIn>(shared));
    to->blocks = blocks_.back().get();
    from->block_bytes = to->block_bytes = bytes;
    lines_.push_back([from, to, bytes, buffers] {
      return fmt::format("{} -> {}: shared buffer, {} x {} bytes, no channel", from->Name(),
                         to->Name(), buffers, bytes);
    });
    return;
  }
  wires_.push_back(std::make_unique<Wire>());
  Wire* wire = wires_.back().get();
  wire->name = from->Name();
  from->wire = wire;
  Channel* channel = nullptr;
  const auto open = [&] {
    channel = OpenChannel(Direction::kToStream, from->Name());
    channel->wire = wire;
    return channel;
  };
  switch (from->owner->type) {
    case Node::Type::kKernel: {
      if (from->kind != Kind::kWindow) break;
      const size_t bytes = BlockOf(*paths[0], true);
      for (const Path* path : paths) {
        if (BlockOf(*path, true) == bytes) continue;
        Fail(
            fmt::format("connect: {} is a window of {} bytes in one connection and of {} in "
                        "another",
                        from->Name(), bytes, BlockOf(*path, true)));
      }
      from->block_bytes = bytes;
      std::vector<uint8_t*> memory;
      for (int n = from->single_buffer ? 1 : 0; n < 2; ++n) {
        memory.push_back(Allocate(bytes, from->Name()));
      }
      std::shared_ptr<const tessera::graph::Access> access;
      if (from->access) {
        access = std::make_shared<tessera::graph::Access>(tessera::graph::MakeAccess(
            *from->access, from->element.size() * 8, false, "read_access of " + from->Name()));
      }
      const bool packet = std::ranges::any_of(
          paths, [](const Path* path) { return path->to->kind == Kind::kPacket; });
      blocks_.push_back(std::make_unique<OutBlocks>(open(), memory, bytes, packet, access));
      from->blocks = blocks_.back().get();
      break;
    }
    case Node::Type::kFile: {
      files_.push_back(std::make_unique<FileRun>());
      FileRun& file = *files_.back();
      file.node = static_cast<FileNode*>(from->owner);
      file.type = PeerType(from);
      file.data = ReadFile(*file.node, file.type);
      file.channel = open();
      channel->bytes_per_cycle =
          file.node->frequency / engine_.options().clock_mhz * file.node->width_bits / 8;
      if (file.data.bytes.empty()) break;
      file.memory.push_back(Allocate(file.data.bytes.size(), file.node->name));
      std::memcpy(file.memory[0], file.data.bytes.data(), file.data.bytes.size());
      size_t at = 0;
      std::vector<size_t> stops = file.data.packets;
      if (stops.empty() || stops.back() != file.data.bytes.size()) {
        stops.push_back(file.data.bytes.size());
      }
      for (size_t n = 0; n < stops.size(); ++n) {
        channel->Post({.memory = file.memory[0] + at,
                       .bytes = stops[n] - at,
                       .packet = n < file.data.packets.size()});
        at = stops[n];
      }
      break;
    }
    case Node::Type::kMemory:
      static_cast<MemoryNode*>(from->owner)->channel = open();
      break;
    case Node::Type::kBuffer:
      open();
      break;
    case Node::Type::kSplit:
    case Node::Type::kMerge:
    case Node::Type::kPlatform:
      break;
  }
  lines_.push_back([this, from, channel] {
    const size_t blocks = from->blocks != nullptr ? from->block_bytes : 0;
    std::string text = from->Name() + ": ";
    if (channel != nullptr) {
      text += fmt::format("read channel {}", channel->number);
      if (blocks != 0) {
        text += fmt::format(", window of {} bytes x {}", blocks, from->single_buffer ? 1 : 2);
      }
      const auto descriptors = engine_.backend().Descriptors(*channel);
      if (!descriptors.empty())
        text += fmt::format(", descriptors {}", fmt::join(descriptors, " "));
    } else {
      text += "stream";
    }
    for (const Pipe* pipe : from->wire->pipes) {
      text += fmt::format("; FIFO of {} words", pipe->capacity() / 4);
    }
    return text;
  });
  for (Path* path : paths) LowerSink(path, wire);
}

void Run::LowerSink(Path* path, Wire* wire) {
  PortNode* to = path->to;
  if (path->fifo_words > 8190) {
    Fail(fmt::format("fifo_depth of the net to {}: {} words; legal is 1 to 8190", to->Name(),
                     path->fifo_words));
  }
  const size_t words = path->fifo_words != 0 ? std::max<size_t>(path->fifo_words, 4) : kPipeWords;
  pipes_.push_back(std::make_unique<Pipe>(words * 4));
  Pipe* pipe = pipes_.back().get();
  wire->pipes.push_back(pipe);
  to->pipe = pipe;
  Channel* channel = nullptr;
  const auto open = [&] {
    channel = OpenChannel(Direction::kFromStream, to->Name());
    channel->pipe = pipe;
    return channel;
  };
  switch (to->owner->type) {
    case Node::Type::kKernel: {
      if (to->kind != Kind::kWindow) break;
      const size_t bytes = BlockOf(*path, false);
      const size_t margin = std::max(path->to_margin, to->margin_bytes);
      if (margin % to->element.size() != 0) {
        Fail(fmt::format("{}: an overlap of {} bytes is no whole number of elements of {} bytes",
                         to->Name(), margin, to->element.size()));
      }
      to->block_bytes = bytes;
      to->margin_bytes = margin;
      std::vector<uint8_t*> memory;
      for (int n = to->single_buffer ? 1 : 0; n < 2; ++n) {
        memory.push_back(Allocate(bytes + margin, to->Name()));
      }
      std::shared_ptr<const tessera::graph::Access> access;
      if (to->access) {
        access = std::make_shared<tessera::graph::Access>(tessera::graph::MakeAccess(
            *to->access, to->element.size() * 8, false, "write_access of " + to->Name()));
      }
      blocks_.push_back(std::make_unique<InBlocks>(open(), memory, bytes, margin, access));
      to->blocks = blocks_.back().get();
      break;
    }
    case Node::Type::kFile: {
      files_.push_back(std::make_unique<FileRun>());
      FileRun& file = *files_.back();
      file.node = static_cast<FileNode*>(to->owner);
      file.type = PeerType(to);
      file.channel = open();
      channel->bytes_per_cycle =
          file.node->frequency / engine_.options().clock_mhz * file.node->width_bits / 8;
      for (int n = 0; n < 2; ++n) {
        file.memory.push_back(Allocate(kFileBlock, file.node->name));
        channel->Post({.memory = file.memory.back(), .bytes = kFileBlock, .packet = true});
      }
      break;
    }
    case Node::Type::kMemory:
      static_cast<MemoryNode*>(to->owner)->channel = open();
      break;
    case Node::Type::kBuffer:
      open();
      break;
    case Node::Type::kSplit:
    case Node::Type::kMerge:
    case Node::Type::kPlatform:
      break;
  }
  lines_.push_back([this, path, channel] {
    const PortNode* port = path->to;
    std::string text = fmt::format("{} -> {}: ", path->from->Name(), port->Name());
    if (channel == nullptr) return text + "stream";
    text += fmt::format("write channel {}", channel->number);
    if (port->blocks != nullptr) {
      text +=
          fmt::format(", window of {} bytes x {}", port->block_bytes, port->single_buffer ? 1 : 2);
      if (port->margin_bytes != 0) text += fmt::format(" behind {} of overlap", port->margin_bytes);
    }
    const auto descriptors = engine_.backend().Descriptors(*channel);
    if (!descriptors.empty()) text += fmt::format(", descriptors {}", fmt::join(descriptors, " "));
    return text;
  });
}

// ---- Kernels ----------------------------------------------------------------------------------

void Run::StartKernels() {
  for (Node* node : nodes(Node::Type::kKernel)) {
    kernels.push_back(std::make_unique<KernelRun>());
    KernelRun* kernel = kernels.back().get();
    kernel->node = static_cast<KernelNode*>(node);
    if (kernel->node->bypass) {
      const PortNode* in = nullptr;
      const PortNode* out = nullptr;
      size_t ins = 0, outs = 0;
      for (const auto& port : node->ports) {
        if (port->kind == Kind::kParameter) continue;
        if (port->kind != Kind::kWindow || port->async) {
          Fail(
              fmt::format("bypass of {}: {} is no synchronous window; only those can go around a "
                          "kernel",
                          node->name, port->label));
        }
        (port->dir == input ? ins : outs)++;
        (port->dir == input ? in : out) = port.get();
      }
      if (ins != outs || in == nullptr || out == nullptr) {
        Fail(fmt::format("bypass of {}: {} inputs and {} outputs; it needs as many of both",
                         node->name, ins, outs));
      }
    }
    kernel->process = engine_.Spawn(node->name, [this, kernel] { RunKernel(kernel); });
  }
}

void Run::RunKernel(KernelRun* kernel) {
  for (;;) {
    engine_.Block({"run()", [kernel] { return kernel->done < kernel->allowed; }, nullptr});
    const uint64_t begin = engine_.cycle();
    bool around = false;
    if (const auto& control = kernel->node->bypass) {
      int32_t value = 0;
      std::memcpy(&value, control->parameter->value.data(), sizeof(value));
      around = (value != 0) != control->negated;
    }
    if (around) {
      Bypass(kernel->node);
    } else {
      kernel->node->invoke();
    }
    kernel->node->latest_cycles = engine_.cycle() - begin;
    ++kernel->done;
  }
}

void Run::Bypass(KernelNode* node) {
  std::vector<PortNode*> ins, outs;
  for (const auto& port : node->ports) {
    if (port->kind == Kind::kWindow) (port->dir == input ? ins : outs).push_back(port.get());
  }
  for (size_t n = 0; n < ins.size(); ++n) {
    WaitForBlock(ins[n]);
    WaitForBlock(outs[n]);
    std::memcpy(outs[n]->blocks->Current(), ins[n]->blocks->Current() + ins[n]->margin_bytes,
                std::min(ins[n]->block_bytes, outs[n]->block_bytes));
    ins[n]->blocks->Advance();
    outs[n]->blocks->Advance();
  }
}

void Run::Allow(uint64_t iterations) {
  for (const auto& kernel : kernels) {
    kernel->allowed = iterations == kForever
                          ? kForever
                          : kernel->allowed + iterations * kernel->node->repetitions;
  }
  for (const auto& buffer : buffers_) {
    buffer->allowed = iterations == kForever ? kForever : buffer->allowed + iterations;
  }
}
void Run::Pause(bool pause) {
  for (const auto& kernel : kernels) kernel->process->paused = pause;
}
bool Run::finished() const {
  return !kernels.empty() && std::ranges::all_of(kernels, [](const auto& kernel) {
    return kernel->done >= kernel->allowed;
  });
}

// ---- Packets ----------------------------------------------------------------------------------

void Run::AddSplit(SplitNode* node) {
  struct State {
    PortNode* out = nullptr;  // of the packet that passes
    bool header = false;      // it still has to go out
    uint32_t word = 0;
  };
  PortNode* in = node->ports[0].get();
  auto state = std::make_shared<State>();
  tasks_.push_back(engine_.AddTask([node, in, state] {
    bool moved = false;
    for (;;) {
      if (state->out == nullptr) {
        if (in->pipe->size() < 4) return moved;
        bool last = false;
        in->pipe->Run(4, last);
        in->pipe->Read(reinterpret_cast<uint8_t*>(&state->word), 4);
        const uint32_t id = state->word & 0x1f;
        if (id + 1 >= node->ports.size()) {
          Fail(fmt::format("{}: a packet with identifier {}, header {:#010x}; legal is 0 to {}",
                           node->name, id, state->word, node->ports.size() - 2));
        }
        if (last) {
          Fail(fmt::format("{}: a packet of a header alone, {:#010x}", node->name, state->word));
        }
        state->out = node->ports[id + 1].get();
        // Windows get the data of packets alone.
        state->header = state->out->wire->pipes.size() != 0 && state->out->packet_id != ~0u;
        moved = true;
      }
      Wire& wire = *state->out->wire;
      if (state->header) {
        if (wire.room() < 4) return moved;
        wire.Write(reinterpret_cast<const uint8_t*>(&state->word), 4, false);
        state->header = false;
        moved = true;
      }
      uint8_t data[64];
      bool last = false;
      const size_t bytes = in->pipe->Run(std::min(sizeof(data), wire.room()), last);
      if (bytes == 0) return moved;
      in->pipe->Read(data, bytes);
      wire.Write(data, bytes, last);
      moved = true;
      if (last) state->out = nullptr;
    }
  }));
  // Outputs that end in windows lose the header.
  for (size_t n = 1; n < node->ports.size(); ++n) {
    PortNode* out = node->ports[n].get();
    for (const auto& path : paths_) {
      if (path->from == out && path->to->kind == Kind::kWindow) out->packet_id = ~0u;
    }
  }
  lines_.push_back(
      [node] { return fmt::format("{}: packets by identifier, out[n] gets n", node->name); });
}

void Run::AddMerge(MergeNode* node) {
  struct State {
    size_t turn = 0;    // the input whose packet passes, or comes next
    bool open = false;  // a packet passes
  };
  auto state = std::make_shared<State>();
  const size_t inputs = node->ports.size() - 1;
  PortNode* out = node->ports.back().get();
  std::vector<bool> plain(inputs);  // the input has no headers
  for (const auto& path : paths_) {
    for (size_t n = 0; n < inputs; ++n) {
      if (path->to != node->ports[n].get()) continue;
      plain[n] = path->from->kind == Kind::kWindow;
      path->from->packet_id = static_cast<uint32_t>(n);
    }
  }
  tasks_.push_back(engine_.AddTask(
      [node, out, state, inputs, plain] {
        bool moved = false;
        for (;;) {
          Wire& wire = *out->wire;
          if (!state->open) {
            // Strictly in turn, so that the order does not depend on time.
            if (node->ports[state->turn]->pipe->size() == 0) return moved;
            if (plain[state->turn]) {
              if (wire.room() < 4) return moved;
              const uint32_t header = tessera_packet_header(0, static_cast<uint32_t>(state->turn));
              wire.Write(reinterpret_cast<const uint8_t*>(&header), 4, false);
            }
            state->open = true;
            moved = true;
          }
          uint8_t data[64];
          bool last = false;
          Pipe& pipe = *node->ports[state->turn]->pipe;
          const size_t bytes = pipe.Run(std::min(sizeof(data), wire.room()), last);
          if (bytes == 0) return moved;
          pipe.Read(data, bytes);
          wire.Write(data, bytes, last);
          moved = true;
          if (last) {
            state->open = false;
            state->turn = (state->turn + 1) % inputs;
          }
        }
      },
      [node, state, inputs] {
        if (state->open) return false;
        for (size_t n = 1; n < inputs; ++n) {
          const size_t turn = (state->turn + n) % inputs;
          if (node->ports[turn]->pipe->size() == 0) continue;
          state->turn = turn;
          return true;
        }
        return false;
      }));
  lines_.push_back([node] {
    return fmt::format("{}: packets in turn; an input is passed over when nothing else moves",
                       node->name);
  });
}

// ---- Buffers ----------------------------------------------------------------------------------

void Run::LowerBuffer(BufferNode* node) {
  buffers_.push_back(std::make_unique<BufferRun>());
  BufferRun* buffer = buffers_.back().get();
  buffer->node = node;
  if (node->buffers < 1 || node->buffers > 2) {
    Fail(fmt::format("num_buffers of {}: {}; legal are 1 and 2", node->name, node->buffers));
  }
  if (node->bytes() == 0) Fail(fmt::format("{}: a dimension is 0", node->name));
  if (node->external) {
    if (node->address == nullptr) {
      Fail(fmt::format("{}: setAddress() must come before init()", node->name));
    }
    buffer->memory.push_back(node->address);
  } else {
    for (int n = 0; n < node->buffers; ++n) {
      buffer->memory.push_back(Allocate(node->bytes(), node->name));
      std::memset(buffer->memory.back(), 0, node->bytes());
    }
  }
  for (const auto& port : node->ports) {
    const bool in = port->dir == input;
    tessera::driver::tiling_parameters tiling;
    if (port->access) {
      tiling = *port->access;
    } else {
      for (const uint32_t d : node->dimensions) {
        static_cast<void>(tiling.buffer_dimension.Push(d));
        static_cast<void>(tiling.tiling_dimension.Push(d));
      }
    }
    size_t elements = 1;
    for (uint32_t d = 0; d < tiling.buffer_dimension.size; ++d) {
      elements *= tiling.buffer_dimension[d];
    }
    const std::string what =
        fmt::format("{} of {}", in ? "write_access" : "read_access", port->Name());
    if ((elements * node->element_bits + 7) / 8 > node->bytes()) {
      Fail(fmt::format("{}: buffer_dimension has {} elements, the buffer {}", what, elements,
                       node->bytes() * 8 / node->element_bits));
    }
    (in ? buffer->in_access : buffer->out_access)
        .push_back(std::make_shared<tessera::graph::Access>(
            tessera::graph::MakeAccess(tiling, node->element_bits, !in, what)));
    Channel* found = nullptr;
    for (Channel* channel : channels_) {
      if (channel->name == port->Name()) found = channel;
    }
    (in ? buffer->ins : buffer->outs).push_back(found);
  }
  if (!node->external && buffer->ins.size() == 1 && buffer->outs.size() == 1) {
    buffer->empty_lock = engine_.backend().OpenLock(node->buffers);
    locks_.push_back(buffer->empty_lock);
    buffer->full_lock = engine_.backend().OpenLock(0);
    locks_.push_back(buffer->full_lock);
  }
  tasks_.push_back(engine_.AddTask([this, buffer] { return FeedBuffer(buffer); }));
  lines_.push_back([buffer] {
    const BufferNode* n = buffer->node;
    std::string text = fmt::format("{}: {} x {} bytes {}", n->name, buffer->memory.size(),
                                   n->bytes(), n->external ? "of GMIO::malloc" : "on the chip");
    if (buffer->empty_lock >= 0) {
      text +=
          fmt::format(", locks {} (empty) and {} (full)", buffer->empty_lock, buffer->full_lock);
    }
    return text;
  });
}

// Gives the channels of a buffer their next rounds.
bool Run::FeedBuffer(BufferRun* buffer) {
  constexpr uint64_t kAhead = 2;  // jobs of a channel
  bool posted = false;
  const uint64_t deep = buffer->memory.size();
  const bool locked = buffer->empty_lock >= 0;
  const bool external = buffer->node->external;
  const auto least = [](const std::vector<Channel*>& channels) {
    uint64_t done = kForever;
    for (const Channel* channel : channels) done = std::min(done, channel->finished());
    return done;
  };
  const uint64_t written = buffer->ins.empty() ? kForever : least(buffer->ins);
  const uint64_t read = buffer->outs.empty() ? kForever : least(buffer->outs);
  for (size_t n = 0; n < buffer->ins.size(); ++n) {
    Channel* channel = buffer->ins[n];
    while (channel->posted() - channel->finished() < kAhead) {
      const uint64_t round = channel->posted();
      if (external ? round >= buffer->allowed : !locked && read != kForever && round >= read + deep)
        break;
      channel->Post({.memory = buffer->memory[round % deep],
                     .access = buffer->in_access[n],
                     .acquire = {locked ? buffer->empty_lock : -1, 1},
                     .release = {locked ? buffer->full_lock : -1, 1}});
      posted = true;
    }
  }
  for (size_t n = 0; n < buffer->outs.size(); ++n) {
    Channel* channel = buffer->outs[n];
    while (channel->posted() - channel->finished() < kAhead) {
      const uint64_t round = channel->posted();
      if (external ? round >= buffer->allowed || (!buffer->ins.empty() && round >= written)
                   : !locked && round >= written) {
        break;
      }
      channel->Post({.memory = buffer->memory[round % deep],
                     .access = buffer->out_access[n],
                     .acquire = {locked ? buffer->full_lock : -1, 1},
                     .release = {locked ? buffer->empty_lock : -1, 1}});
      posted = true;
    }
  }
  return posted;
}

// ---- Files ------------------------------------------------------------------------------------

bool Run::Collect(bool flush) {
  bool some = false;
  for (const auto& file : files_) {
    if (file->channel->direction != Direction::kFromStream) continue;
    if (flush) file->channel->Flush();
    while (file->channel->finished() > file->taken) {
      const JobEnd end = file->channel->End(file->taken);
      uint8_t* memory = file->memory[file->taken % file->memory.size()];
      file->data.bytes.insert(file->data.bytes.end(), memory, memory + end.bytes);
      if (end.last) file->data.packets.push_back(file->data.bytes.size());
      ++file->taken;
      file->channel->Post({.memory = memory, .bytes = kFileBlock, .packet = true});
      some = true;
    }
  }
  return some;
}

bool Run::Drained(bool flushed) {
  for (const auto& path : paths_) {
    if (path->from->kind == Kind::kParameter) continue;
    const auto* buffer = dynamic_cast<const BufferNode*>(path->to->owner);
    if (path->to->owner->type != Node::Type::kFile && (buffer == nullptr || !buffer->external)) {
      continue;
    }
    if (path->to->pipe->size() != 0) return false;
    for (const Channel* channel : channels_) {
      if (channel->pipe == path->to->pipe && (flushed || buffer != nullptr) && !channel->quiet()) {
        return false;
      }
      // Blocks of a kernel, or a file.
      if (channel->wire == path->from->wire && channel->direction == Direction::kToStream &&
          channel->finished() != channel->posted()) {
        return false;
      }
    }
  }
  return true;
}

void Run::WriteFiles() {
  for (const auto& file : files_) {
    if (file->channel->direction == Direction::kFromStream) {
      WriteFile(*file->node, file->type, file->data);
    }
  }
}

std::string Run::Lowering() const {
  std::string text = fmt::format("backend {}\n", engine_.backend().name());
  for (const auto& line : lines_) text += line() + "\n";
  return text;
}

std::string Run::State() const {
  std::string text = engine_.Waiters();
  for (const Channel* channel : channels_) {
    const bool to = channel->direction == Direction::kToStream;
    if (channel->posted() == channel->finished() && to) {
      text += fmt::format("  {} has nothing more to send\n", channel->name);
    } else if (channel->posted() == channel->finished()) {
      text += fmt::format("  {} has no memory to write to\n", channel->name);
    }
  }
  return text;
}

}  // namespace adf::detail
