// Runs a graph: its kernels, their waits, and its files.
#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace adf::detail {
namespace {

using tessera::driver::Direction;
using tessera::graph::JobEnd;

tessera::graph::Wait WaitOf(PortNode* port, const char* what, std::function<bool()> over) {
  return {fmt::format("{} {}", what, port->Name()), std::move(over),
          [port] { return port->peers; }};
}

// The address of an external buffer, for the rounds that follow.
void TakeAddress(BufferRun& buffer) {
  if (buffer.node->address == nullptr) {
    Fail(fmt::format("{}: setAddress() must come before run()", buffer.node->name));
  }
  uint64_t first = buffer.allowed;
  if (first == kForever) {
    first = 0;
    for (const auto* channels : {&buffer.ins, &buffer.outs}) {
      for (const Channel* channel : *channels) first = std::max(first, channel->posted());
    }
  }
  auto& addresses = buffer.addresses;
  if (!addresses.empty() && addresses.rbegin()->second == buffer.node->address) return;
  addresses[first] = buffer.node->address;
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
bool PollBytes(PortNode* port, size_t bytes) {
  if (port->pipe->size() >= bytes) return true;
  tessera::graph::TheEngine().Poll(
      WaitOf(port, "data of", [port, bytes] { return port->pipe->size() >= bytes; }));
  return false;
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
  tessera::graph::TheEngine().Block(
      WaitOf(port, "a read of", [&parameter] { return parameter.taken(); }));
  parameter.Set(value);
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
  EndProfiling(channels_);
  for (Channel* channel : channels_) {
    try {
      engine_.backend().Close(channel);
    } catch (const std::exception& error) {  // the device is broken; others are closed all the same
      Refuse(return_code::aie_driver_error,
             fmt::format("end: {} was not closed: {}", channel->name, error.what()));
    }
  }
  channels_.clear();
  for (const int lock : locks_) engine_.backend().CloseLock(lock);
  locks_.clear();
  for (uint8_t* memory : memory_) {
    engine_.backend().LeaveOnChip(memory);
    engine_.Free(memory);
  }
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
      around = value != 0;
    }
    if (around) {
      Bypass(kernel->node);
    } else {
      kernel->node->invoke();
    }
    kernel->node->latest_cycles = engine_.cycle() - begin;
    ++kernel->done;
    engine_.EndIteration(kernel->allowed != kForever);
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
  for (const auto& buffer : buffers_) {
    if (buffer->node->external) TakeAddress(*buffer);
  }
  for (const auto& kernel : kernels) {
    kernel->allowed = iterations == kForever
                          ? kForever
                          : kernel->allowed + iterations * kernel->node->repetitions;
  }
  for (const auto& buffer : buffers_) {
    if (buffer->allowed == kForever) continue;
    buffer->allowed = iterations == kForever ? kForever : buffer->allowed + iterations;
  }
}
void Run::Pause(bool pause) {
  for (const auto& kernel : kernels) kernel->process->paused = pause;
}
bool Run::finished() const {
  const bool done = std::ranges::all_of(
      kernels, [](const auto& kernel) { return kernel->done >= kernel->allowed; });
  const bool external =
      std::ranges::any_of(buffers_, [](const auto& buffer) { return buffer->node->external; });
  return kernels.empty() ? external && settled() : done;
}
bool Run::settled() const {
  return std::ranges::all_of(buffers_, [](const auto& buffer) {
    const auto done = [&](const Channel* channel) {
      return channel->finished() >= buffer->allowed;
    };
    return !buffer->node->external ||
           (std::ranges::all_of(buffer->ins, done) && std::ranges::all_of(buffer->outs, done));
  });
}

// ---- Files ------------------------------------------------------------------------------------

bool Run::Collect(bool flush) {
  bool some = false;
  for (const auto& file : files_) {
    if (file->channel->direction != Direction::kFromStream) continue;
    if (flush) file->channel->Flush();
    while (file->channel->finished() > file->taken) {
      const JobEnd end = file->channel->TakeEnd();
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
    const Node::Type type = path->to->owner->type;
    const bool passes = type == Node::Type::kSplit || type == Node::Type::kMerge;
    const bool ends = type == Node::Type::kFile || (buffer != nullptr && buffer->external);
    const auto* memory = dynamic_cast<const MemoryNode*>(path->to->owner);
    if (memory != nullptr && memory->channel != nullptr &&
        memory->channel->finished() != memory->channel->posted()) {
      return false;
    }
    if (!ends && !passes) continue;
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
