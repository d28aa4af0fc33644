// What a program has built: nodes with ports, and nets between ports. Nothing of it runs; graph.cpp
// lowers it to channels, pipes and fibers when a graph is initialised.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adf/types.hpp"
#include "tessera/graph/engine.hpp"

namespace adf::detail {

using tessera::graph::Engine;
using tessera::graph::GraphError;
using tessera::graph::Pipe;
using tessera::graph::Wire;

// What a program does wrong.
[[noreturn]] inline void Fail(const std::string& text) {
  throw GraphError(tessera::driver::Code::user_error, text);
}

// The product of dimensions; 2^48 and more are 2^48, which fits nowhere.
inline size_t Elements(std::span<const uint32_t> dimensions) {
  constexpr size_t kMost = size_t{1} << 48;
  size_t elements = 1;
  for (const uint32_t n : dimensions) {
    if (n != 0 && elements > kMost / n) return kMost;
    elements *= n;
  }
  return elements;
}

enum class Kind { kAny, kWindow, kStream, kCascade, kPacket, kParameter };
const char* NameOf(Kind kind);

struct Node;
struct PortNode;
struct GraphNode;

// A variable of the program that kernels use: a table or a value.
struct Table {
  std::string name;
  size_t bytes = 0;
};

// A place in the array, as far as a constraint says it; -1: not said.
struct Place {
  int column = -1, row = -1;
  int bank = -1;    // of the tile
  int offset = -1;  // bytes in the tile
};
struct Box {
  int column = 0, row = 0, column2 = 0, row2 = 0;  // both corners are inside
  bool Holds(int c, int r) const { return c >= column && c <= column2 && r >= row && r <= row2; }
  bool Overlaps(const Box& other) const {
    return column <= other.column2 && other.column <= column2 && row <= other.row2 &&
           other.row <= row2;
  }
};

// What a constraint is about.
struct Subject {
  enum class Kind { kKernel, kStack, kBuffer, kTable, kGraph } kind = Kind::kKernel;
  Node* node = nullptr;      // of a kernel or its stack and heap
  PortNode* port = nullptr;  // of a buffer
  const Table* table = nullptr;
  GraphNode* graph = nullptr;
  int index = -1;  // of the buffers of a port; -1: all
  bool operator==(const Subject&) const = default;
  std::string Name() const;
};
struct Constraint {
  enum class Kind { kAt, kSame, kDifferent, kAlone, kArea, kStamp } kind = Kind::kAt;
  Subject subject{};
  Subject other{};  // kSame, kDifferent, kAlone, and the reference of kStamp
  Place place{};    // kAt
  // kArea
  std::string name{};
  std::vector<Node*> nodes{};
  std::vector<Box> boxes{};
  std::vector<std::pair<int, int>> columns{};  // of the interface
  bool exclusive = false;
};

// Blocks that pass a window port, one after the other.
class Blocks {
 public:
  virtual ~Blocks() = default;
  // The next block is there: full for an input, empty for an output.
  virtual bool ready() const = 0;
  // The next block; an input has its margin in front. Valid while ready() holds.
  virtual uint8_t* Current() = 0;
  // The block is consumed, or written.
  virtual void Advance() = 0;
};

// A run-time parameter while the graph lives.
struct Parameter {
  std::vector<uint8_t> value;       // as the graph sees it
  uint64_t updates = 0;             // written by the host, or by a kernel for inout
  uint64_t consumed = 0;            // read by the kernel, or by the host
  std::vector<Parameter*> targets;  // parameters of other kernels that follow this one
  bool negated = false;             // 0 is 1 for the kernel, and all else is 0
  bool synchronous = false;         // every value is read once
  // The value may be replaced: nobody has yet to read it.
  bool taken() const {
    return (!synchronous || updates == consumed) &&
           std::ranges::all_of(targets, [](const Parameter* target) { return target->taken(); });
  }
  void Set(const void* data) {
    value.assign(static_cast<const uint8_t*>(data),
                 static_cast<const uint8_t*>(data) + value.size());
    if (negated) {
      const bool zero = std::ranges::all_of(value, [](uint8_t byte) { return byte == 0; });
      value.assign(value.size(), 0);
      value[0] = zero ? 1 : 0;
    }
    ++updates;
    for (Parameter* target : targets) target->Set(data);
  }
};

struct PortNode {
  direction dir = input;
  Node* owner = nullptr;  // none: a port of a graph, an alias
  std::string label;      // "in[0]"
  Kind kind = Kind::kAny;
  ElementType element;
  size_t count = 1;  // of an array parameter

  bool async = false, sync = false, negated = false, single_buffer = false, explicit_blocks = false;
  size_t block_bytes = 0, margin_bytes = 0;  // 0: as the nets say
  std::vector<uint8_t> initial;
  std::optional<tessera::driver::tiling_parameters> access;

  // While the graph runs.
  Blocks* blocks = nullptr;
  Pipe* pipe = nullptr;
  Wire* wire = nullptr;
  Parameter* parameter = nullptr;
  uint32_t packet_id = 0;
  std::vector<std::string> peers;  // nodes at the other end

  std::string Name() const;
  // Of a kernel; throws GraphError for a port of a graph. `what` begins the sentence.
  PortNode* OfKernel(const char* what);
};

struct NetNode {
  PortNode *from = nullptr, *to = nullptr;
  Kind from_kind = Kind::kAny, to_kind = Kind::kAny;
  size_t from_block = 0, to_block = 0, to_margin = 0;  // bytes
  size_t fifo_words = 0;
};

struct Node {
  enum class Type { kKernel, kFile, kMemory, kSplit, kMerge, kBuffer, kPlatform };
  explicit Node(Type type) : type(type) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  PortNode* AddPort(direction dir, Kind kind, const std::string& label) {
    ports.push_back(std::make_shared<PortNode>());
    PortNode* port = ports.back().get();
    port->dir = dir;
    port->owner = this;
    port->kind = kind;
    port->label = label;
    return port;
  }

  const Type type;
  std::string name;
  std::vector<std::shared_ptr<PortNode>> ports;
};

struct KernelNode : Node {
  KernelNode() : Node(Type::kKernel) {}
  std::function<void()> invoke;  // one iteration: waits, calls, gives back
  std::string function;
  std::shared_ptr<void> object;
  // As ADF takes them; recorded for the report.
  double runtime_ratio = 0;
  std::string source, initialization;
  std::vector<std::string> headers;
  std::vector<const Table*> tables;
  int stack_bytes = 0, heap_bytes = 0;
  uint32_t repetitions = 1;
  std::shared_ptr<PortNode> bypass;  // its control, if there is one
  uint64_t latest_cycles = 0;        // that its latest iteration took
};

struct FileNode : Node {  // PLIO and FileIO
  FileNode() : Node(Type::kFile) {}
  std::string file;
  int width_bits = 32;
  double frequency = 0;  // MHz; 0: as fast as it goes
  bool hex = false;
};

struct MemoryNode : Node {  // GMIO
  MemoryNode() : Node(Type::kMemory) {}
  size_t burst_bytes = 64, bandwidth = 0;
  tessera::graph::Channel* channel = nullptr;
  void* pl_address = nullptr;  // of pl_gm
  size_t pl_bytes = 0;
};

struct BufferNode : Node {  // shared_buffer and external_buffer
  BufferNode() : Node(Type::kBuffer) {}
  bool external = false;
  std::vector<uint32_t> dimensions;
  uint32_t element_bits = 32;
  int buffers = 1;
  uint8_t* address = nullptr;  // external_buffer::setAddress
  size_t bytes() const { return (Elements(dimensions) * element_bits + 7) / 8; }
};

// Everything that was built, in order. ADF builds with objects of static storage, so there is one
// for a program.
struct Program {
  std::vector<std::shared_ptr<NetNode>> nets;
  std::vector<std::shared_ptr<GraphNode>> graphs;
  std::vector<std::shared_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Table>> tables;
  std::vector<Constraint> constraints;
  std::string error;  // the latest sentence
};
Program& TheProgram();

// A node was made: the graph that was begun last has it.
void Adopt(std::shared_ptr<Node> node);
void AdoptPort(std::shared_ptr<PortNode> port);

// Says why a call fails; the sentence is printed and kept for last_error().
return_code Refuse(return_code code, const std::string& sentence);

// Kernels.
void WaitForBlock(PortNode* port);
void WaitForBytes(PortNode* port, size_t bytes);
bool PollBytes(PortNode* port, size_t bytes);  // if they are not there, time passes
void WaitForRoom(PortNode* port, size_t bytes);

}  // namespace adf::detail

namespace adf {

// The latest sentence that explains a return code.
const std::string& last_error();

}  // namespace adf
