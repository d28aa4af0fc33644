// Lowers what a graph holds to channels, pipes, blocks, parameters and tasks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "blocks.hpp"
#include "run.hpp"

namespace adf::detail {
namespace {

using tessera::driver::Direction;

constexpr size_t kPipeWords = 64;  // of a stream without fifo_depth

// The buffer of a tiling must fit into the memory that there is.
void CheckSize(const tessera::driver::tiling_parameters& tiling, uint32_t element_bits,
               size_t bytes, const std::string& what) {
  const auto& dimensions = tiling.buffer_dimension;
  const size_t elements = Elements(std::span(dimensions.at, dimensions.size));
  if (elements <= bytes * 8 / element_bits) return;
  Fail(fmt::format("{}: buffer_dimension has {} elements, the buffer {}", what, elements,
                   bytes * 8 / element_bits));
}

// The order of a buffer's elements, checked against the memory and the backend that there are.
std::shared_ptr<const tessera::graph::Access> CheckedAccess(
    const tessera::driver::tiling_parameters& tiling, uint32_t element_bits, size_t bytes,
    bool pads, const std::string& what) {
  CheckSize(tiling, element_bits, bytes, what);
  auto access = std::make_shared<tessera::graph::Access>(
      tessera::graph::MakeAccess(tiling, element_bits, pads, what));
  tessera::graph::TheEngine().backend().CheckAccess(*access, what);
  return access;
}
// Some bytes of a packet; false if there are none, or no room.
bool Pass(Pipe* pipe, Wire* wire, bool* last) {
  uint8_t data[64];
  const size_t bytes = pipe->Run(std::min(sizeof(data), wire->room()), *last);
  if (bytes == 0) return false;
  pipe->Read(data, bytes);
  wire->Write(data, bytes, *last);
  return true;
}

// That of a window; none if the port says none.
std::shared_ptr<const tessera::graph::Access> OrderOf(const PortNode* port, size_t bytes,
                                                      const std::string& what) {
  if (!port->access) return nullptr;
  return CheckedAccess(*port->access, port->element.size() * 8, bytes, false, what + port->Name());
}

}  // namespace

// ---- Parameters -------------------------------------------------------------------------------

void Run::LowerParameters() {
  // async, sync and negate of a port of a graph are those of the parameters that it stands for.
  std::map<const PortNode*, int> negations;
  std::set<PortNode*> aliases;
  for (const auto& net : nets_) {
    for (PortNode* port : {net->from, net->to}) {
      if (port->owner == nullptr) aliases.insert(port);
    }
  }
  for (PortNode* alias : aliases) {
    std::vector<PortNode*> ends = Targets(alias);
    std::ranges::copy(Sources(alias), std::back_inserter(ends));
    for (PortNode* end : ends) {
      if (end->kind != Kind::kParameter) continue;
      if (alias->async || alias->sync) {
        end->async = alias->async;
        end->sync = alias->sync;
      }
      if (alias->negated && end->dir == input) ++negations[end];
    }
  }
  const auto add = [&](PortNode* port) {
    parameters_.push_back(std::make_unique<Parameter>());
    Parameter* parameter = parameters_.back().get();
    parameter->value.assign(port->count * port->element.size(), 0);
    parameter->synchronous = port->dir == input ? !port->async : port->sync;
    parameter->negated = port->negated != (negations[port] % 2 != 0);
    if (parameter->negated &&
        (port->count != 1 || port->element.parts != 1 || port->element.format == Format::kFloat)) {
      Fail(fmt::format("negate of {}: it has {} x {} bytes; legal is one integer", port->Name(),
                       port->count, port->element.size()));
    }
    port->parameter = parameter;
    if (!port->initial.empty()) {
      parameter->Set(port->initial.data());
      if (port->dir != input) parameter->updates = 0;
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
      // Through the kernel if nothing is said.
      if (control->initial.empty()) {
        control->parameter->Set(std::vector<uint8_t>(control->element.size()).data());
      }
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
    path->from->parameter->synchronous = false;  // its targets may be
  }
}

// ---- Data -------------------------------------------------------------------------------------

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
  if (!files_.empty()) tasks_.push_back(engine_.AddTask([this] { return Collect(false); }));
  for (Node* node : nodes(Node::Type::kSplit)) AddSplit(node);
  for (Node* node : nodes(Node::Type::kMerge)) AddMerge(node);
  for (Node* node : nodes(Node::Type::kBuffer)) LowerBuffer(static_cast<BufferNode*>(node));
}

// A block that passes from kernel to kernel where it lies.
void Run::LowerShared(const Path& path) {
  PortNode *from = path.from, *to = path.to;
  const size_t bytes = BlockOf(path, true);
  auto shared = std::make_shared<Shared>();
  shared->memory = AllocateRing(from, bytes, from->single_buffer || to->single_buffer);
  const size_t buffers = shared->memory.size();
  blocks_.push_back(std::make_unique<SharedOut>(shared));
  from->blocks = blocks_.back().get();
  blocks_.push_back(std::make_unique<SharedIn>(shared));
  to->blocks = blocks_.back().get();
  from->block_bytes = to->block_bytes = bytes;
  lines_.push_back([from, to, bytes, buffers] {
    return fmt::format("{} -> {}: shared buffer, {} x {} bytes, no channel", from->Name(),
                       to->Name(), buffers, bytes);
  });
}

std::vector<uint8_t*> Run::AllocateRing(const PortNode* port, size_t bytes, bool single) {
  std::vector<uint8_t*> memory;
  for (int n = single ? 1 : 0; n < 2; ++n) memory.push_back(Allocate(bytes, port->Name()));
  return memory;
}

// The channel of one end of a connection; none where a stream passes.
Channel* Run::OpenEnd(PortNode* port, Direction direction) {
  const Node::Type type = port->owner->type;
  const bool window = type == Node::Type::kKernel && port->kind == Kind::kWindow;
  if (!window && type != Node::Type::kFile && type != Node::Type::kMemory &&
      type != Node::Type::kBuffer) {
    return nullptr;
  }
  Channel* channel = engine_.backend().Open(direction, port->Name());
  channels_.push_back(channel);
  channel->wire = port->wire;
  channel->pipe = port->pipe;
  if (type == Node::Type::kMemory) static_cast<MemoryNode*>(port->owner)->channel = channel;
  if (type == Node::Type::kFile) {
    files_.push_back(std::make_unique<FileRun>());
    FileRun& file = *files_.back();
    file.node = static_cast<FileNode*>(port->owner);
    file.type = PeerType(port);
    file.channel = channel;
    channel->bytes_per_cycle =
        file.node->frequency / engine_.options().clock_mhz * file.node->width_bits / 8;
  }
  return channel;
}

// What Lowering() says of a channel.
std::string Run::ChannelText(const Channel& channel, const PortNode& port) const {
  const bool reads = channel.direction == Direction::kToStream;
  std::string text = fmt::format("{} channel {}", reads ? "read" : "write", channel.number);
  if (port.blocks != nullptr) {
    text += fmt::format(", window of {} bytes x {}", port.block_bytes, port.single_buffer ? 1 : 2);
    if (port.margin_bytes != 0) text += fmt::format(" behind {} of overlap", port.margin_bytes);
  }
  const auto descriptors = engine_.backend().Descriptors(channel);
  if (!descriptors.empty()) text += fmt::format(", descriptors {}", fmt::join(descriptors, " "));
  return text;
}

// The window of a kernel that a read channel sends.
void Run::LowerOutput(PortNode* from, Channel* channel, const std::vector<Path*>& paths) {
  const size_t bytes = BlockOf(*paths[0], true);
  for (const Path* path : paths) {
    if (BlockOf(*path, true) == bytes) continue;
    Fail(
        fmt::format("connect: {} is a window of {} bytes in one connection and of {} in "
                    "another",
                    from->Name(), bytes, BlockOf(*path, true)));
  }
  from->block_bytes = bytes;
  const auto access = OrderOf(from, bytes, "read_access of ");
  const bool packet =
      std::ranges::any_of(paths, [](const Path* path) { return path->to->kind == Kind::kPacket; });
  blocks_.push_back(std::make_unique<OutBlocks>(
      channel, AllocateRing(from, bytes, from->single_buffer), bytes, packet, access));
  from->blocks = blocks_.back().get();
}

// The window of a kernel that a write channel fills.
void Run::LowerInput(const Path& path, Channel* channel) {
  PortNode* to = path.to;
  const size_t bytes = BlockOf(path, false);
  const size_t margin = std::max(path.to_margin, to->margin_bytes);
  if (margin % to->element.size() != 0) {
    Fail(fmt::format("{}: an overlap of {} bytes is no whole number of elements of {} bytes",
                     to->Name(), margin, to->element.size()));
  }
  to->block_bytes = bytes;
  to->margin_bytes = margin;
  const auto access = OrderOf(to, bytes, "write_access of ");
  blocks_.push_back(std::make_unique<InBlocks>(
      channel, AllocateRing(to, bytes + margin, to->single_buffer), bytes, margin, access));
  to->blocks = blocks_.back().get();
}

// Puts a file into memory and sends its packets.
void Run::SendFile(FileRun& file) {
  file.data = ReadFile(*file.node, file.type);
  const std::vector<uint8_t>& bytes = file.data.bytes;
  if (bytes.empty()) return;
  file.memory.push_back(Allocate(bytes.size(), file.node->name));
  std::memcpy(file.memory[0], bytes.data(), bytes.size());
  std::vector<size_t> stops = file.data.packets;
  if (stops.empty() || stops.back() != bytes.size()) stops.push_back(bytes.size());
  size_t at = 0;
  for (size_t n = 0; n < stops.size(); ++n) {
    file.channel->Post({.memory = file.memory[0] + at,
                        .bytes = stops[n] - at,
                        .packet = n < file.data.packets.size()});
    at = stops[n];
  }
}

void Run::LowerSource(PortNode* from, const std::vector<Path*>& paths) {
  if (Shares(paths)) return LowerShared(*paths[0]);
  wires_.push_back(std::make_unique<Wire>());
  Wire* wire = wires_.back().get();
  wire->name = from->Name();
  from->wire = wire;
  Channel* channel = OpenEnd(from, Direction::kToStream);
  if (from->owner->type == Node::Type::kFile) SendFile(*files_.back());
  if (from->kind == Kind::kWindow) LowerOutput(from, channel, paths);
  lines_.push_back([this, from, channel] {
    std::string text =
        from->Name() + ": " + (channel != nullptr ? ChannelText(*channel, *from) : "stream");
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
  // An element of either end fits in beside the rest of one of the other end.
  const size_t elements = path->from->element.size() + to->element.size();
  pipes_.push_back(std::make_unique<Pipe>(std::max(words * 4, elements)));
  to->pipe = pipes_.back().get();
  wire->pipes.push_back(to->pipe);
  Channel* channel = OpenEnd(to, Direction::kFromStream);
  if (to->kind == Kind::kWindow) LowerInput(*path, channel);
  if (to->owner->type == Node::Type::kFile) {
    FileRun& file = *files_.back();
    channel->keeps_ends = true;
    for (int n = 0; n < 2; ++n) {
      file.memory.push_back(Allocate(kFileBlock, file.node->name));
      channel->Post({.memory = file.memory.back(), .bytes = kFileBlock, .packet = true});
    }
  }
  lines_.push_back([this, path, channel] {
    return fmt::format("{} -> {}: {}", path->from->Name(), path->to->Name(),
                       channel != nullptr ? ChannelText(*channel, *path->to) : "stream");
  });
}

// ---- Packets ----------------------------------------------------------------------------------

void Run::AddSplit(Node* node) {
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
      bool last = false;
      if (!Pass(in->pipe, &wire, &last)) return moved;
      moved = true;
      if (last) state->out = nullptr;
    }
  }));
  // Outputs that end in windows lose the header.
  for (size_t n = 1; n < node->ports.size(); ++n) {
    PortNode* out = node->ports[n].get();
    bool windows = false, others = false;
    for (const auto& path : paths_) {
      if (path->from == out) (path->to->kind == Kind::kWindow ? windows : others) = true;
    }
    if (windows && others) {
      Fail(fmt::format("{}: out[{}] goes to a window and to packets; a window takes no headers",
                       node->name, n - 1));
    }
    if (windows) out->packet_id = ~0u;
  }
  lines_.push_back(
      [node] { return fmt::format("{}: packets by identifier, out[n] gets n", node->name); });
}

void Run::AddMerge(Node* node) {
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
          bool last = false;
          if (!Pass(node->ports[state->turn]->pipe, &wire, &last)) return moved;
          moved = true;
          if (last) {
            state->open = false;
            state->turn = (state->turn + 1) % inputs;
          }
        }
      },
      [node, state, inputs] {
        if (state->open || node->ports[state->turn]->pipe->size() != 0) return false;
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
  if (!node->external) {
    buffer->deep = static_cast<size_t>(node->buffers);
    for (int n = 0; n < node->buffers; ++n) {
      buffer->memory.push_back(Allocate(node->bytes(), node->name));
      std::memset(buffer->memory.back(), 0, node->bytes());
      buffer->on_chip +=
          engine_.backend().PlaceOnChip(buffer->memory.back(), node->bytes()) ? 1 : 0;
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
    const std::string what =
        fmt::format("{} of {}", in ? "write_access" : "read_access", port->Name());
    (in ? buffer->in_access : buffer->out_access)
        .push_back(CheckedAccess(tiling, node->element_bits, node->bytes(), !in, what));
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
    std::string text = fmt::format("{}: {} x {} bytes {}", n->name, buffer->deep, n->bytes(),
                                   n->external ? "of GMIO::malloc" : "of its own");
    if (buffer->on_chip > 0) text += fmt::format(", {} in the on-chip buffer", buffer->on_chip);
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
  const uint64_t deep = buffer->deep;
  const bool locked = buffer->empty_lock >= 0;
  const auto least = [](const std::vector<Channel*>& channels) {
    uint64_t done = kForever;
    for (const Channel* channel : channels) done = std::min(done, channel->finished());
    return done;
  };
  const uint64_t written = buffer->ins.empty() ? kForever : least(buffer->ins);
  const uint64_t read = buffer->outs.empty() ? kForever : least(buffer->outs);
  const auto feed = [&](const std::vector<Channel*>& channels, const auto& access, int takes,
                        int gives, auto&& may) {
    for (size_t n = 0; n < channels.size(); ++n) {
      Channel* channel = channels[n];
      while (channel->posted() - channel->finished() < kAhead && may(channel->posted())) {
        channel->Post({.memory = buffer->MemoryOf(channel->posted()),
                       .access = access[n],
                       .acquire = {takes, 1},
                       .release = {gives, 1}});
        posted = true;
      }
    }
  };
  const uint64_t allowed = buffer->node->external ? buffer->allowed : kForever;
  feed(buffer->ins, buffer->in_access, buffer->empty_lock, buffer->full_lock, [&](uint64_t round) {
    return round < allowed && (locked || read == kForever || round < read + deep);
  });
  feed(buffer->outs, buffer->out_access, buffer->full_lock, buffer->empty_lock,
       [&](uint64_t round) { return round < allowed && (locked || round < written); });
  return posted;
}

}  // namespace adf::detail
