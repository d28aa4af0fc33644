// A graph that has been initialised: its nets lowered to channels, pipes, blocks and fibers.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adf.h"
#include "placement.hpp"
#include "tessera/sim.hpp"

namespace adf::detail {

using tessera::graph::Channel;

inline constexpr size_t kFileBlock = 4096;  // bytes of a block on the way to a file
inline constexpr uint64_t kForever = ~uint64_t{0};

// Runs `what`, which returns a code; what it throws becomes one.
template <typename What>
return_code Guarded(const char* call, What&& what) {
  try {
    return what();
  } catch (const GraphError& error) {
    return Refuse(static_cast<return_code>(error.code), std::string(call) + ": " + error.what());
  } catch (const tessera::sim::Error& error) {
    return Refuse(return_code::aie_driver_error, std::string(call) + ": " + error.what());
  } catch (const std::exception& error) {
    return Refuse(return_code::internal_error, std::string(call) + ": " + error.what());
  }
}

// Keeps what profiling has counted on channels that are about to close, and frees the counters.
void EndProfiling(const std::vector<Channel*>& channels);
// The handles of profiling will outlive every static object that calls this in its constructor.
void KeepProfiling();

// A way from a producer to one consumer, through the ports of graphs.
struct Path {
  PortNode *from = nullptr, *to = nullptr;
  Kind from_kind = Kind::kAny, to_kind = Kind::kAny;
  size_t from_block = 0, to_block = 0, to_margin = 0;
  size_t fifo_words = 0;
};

struct KernelRun {
  KernelNode* node = nullptr;
  tessera::graph::Process* process = nullptr;
  uint64_t allowed = 0, done = 0;  // iterations
};

// Text files of PLIO and FileIO: lines of numbers, and TLAST.
struct FileData {
  std::vector<uint8_t> bytes;
  std::vector<size_t> packets;  // numbers of bytes at each TLAST
};

// Throws GraphError that names file and line.
FileData ReadFile(const FileNode& file, ElementType type);
void WriteFile(const FileNode& file, ElementType type, const FileData& data);

struct FileRun {
  FileNode* node = nullptr;
  ElementType type;
  Channel* channel = nullptr;
  FileData data;
  std::vector<uint8_t*> memory;  // a source: the whole file; a sink: a ring of blocks
  uint64_t taken = 0;            // blocks of a sink
};

struct BufferRun {
  BufferNode* node = nullptr;
  std::vector<Channel*> ins, outs;
  std::vector<std::shared_ptr<const tessera::graph::Access>> in_access, out_access;
  size_t deep = 1;               // rounds that it holds
  std::vector<uint8_t*> memory;  // of its own
  int on_chip = 0;               // of them
  int empty_lock = -1, full_lock = -1;
  // Of an external buffer: rounds, and the address from a round on.
  uint64_t allowed = 0;
  std::map<uint64_t, uint8_t*> addresses;

  uint8_t* MemoryOf(uint64_t round) const {
    return node->external ? std::prev(addresses.upper_bound(round))->second
                          : memory[round % memory.size()];
  }
};

class Run {
 public:
  // Throws GraphError; whatever it took is given back.
  explicit Run(GraphNode* graph);
  ~Run();

  void Allow(uint64_t iterations);
  void Pause(bool pause);
  bool finished() const;
  // External buffers have had the rounds that are allowed.
  bool settled() const;
  // Nothing is on its way to an external buffer or to a file; before files are flushed a last
  // packet of them may be open.
  bool Drained(bool flushed);
  // Takes what has come to output files; ends their last packets if `flush`.
  bool Collect(bool flush);
  void WriteFiles();
  std::string Lowering() const;
  std::string Drawing() const;
  const Placement& placement() const { return *placement_; }
  std::string State() const;
  // Of an edge of the graph; none if it has none.
  const Channel* ChannelOf(const Node* edge) const {
    for (const auto& file : files_) {
      if (file->node == edge) return file->channel;
    }
    const auto* memory = dynamic_cast<const MemoryNode*>(edge);
    return memory != nullptr && std::ranges::find(channels_, memory->channel) != channels_.end()
               ? memory->channel
               : nullptr;
  }

  std::vector<std::unique_ptr<KernelRun>> kernels;

 private:
  void GiveBack();
  void Find();
  void FindOthers() const;
  void FindPaths();
  void Check() const;
  void LowerParameters();
  void LowerData();
  void LowerSource(PortNode* from, const std::vector<Path*>& paths);
  void LowerSink(Path* path, Wire* wire);
  void LowerShared(const Path& path);
  void LowerOutput(PortNode* from, Channel* channel, const std::vector<Path*>& paths);
  void LowerInput(const Path& path, Channel* channel);
  void SendFile(FileRun& file);
  bool Shares(const std::vector<Path*>& paths) const;
  void StartKernels();
  void RunKernel(KernelRun* kernel);
  void Bypass(KernelNode* node);
  void AddSplit(Node* node);
  void AddMerge(Node* node);
  void LowerBuffer(BufferNode* node);
  bool FeedBuffer(BufferRun* buffer);

  Channel* OpenEnd(PortNode* port, tessera::driver::Direction direction);
  std::string ChannelText(const Channel& channel, const PortNode& port) const;
  uint8_t* Allocate(size_t bytes, const std::string& what);
  std::vector<uint8_t*> AllocateRing(const PortNode* port, size_t bytes, bool single);
  size_t BlockOf(const Path& path, bool source) const;
  ElementType PeerType(PortNode* io) const;
  std::vector<Node*> nodes(Node::Type type) const;

  GraphNode* graph_;
  std::unique_ptr<Placement> placement_;
  Engine& engine_;
  std::vector<std::shared_ptr<Node>> nodes_;
  std::vector<std::shared_ptr<NetNode>> nets_;
  std::vector<std::unique_ptr<Path>> paths_;
  std::vector<std::unique_ptr<Pipe>> pipes_;
  std::vector<std::unique_ptr<Wire>> wires_;
  std::vector<std::unique_ptr<Blocks>> blocks_;
  std::vector<std::unique_ptr<Parameter>> parameters_;
  std::vector<std::unique_ptr<FileRun>> files_;
  std::vector<std::unique_ptr<BufferRun>> buffers_;
  std::vector<Channel*> channels_;
  std::vector<uint8_t*> memory_;
  std::vector<size_t> tasks_;
  std::vector<int> locks_;
  std::vector<std::function<std::string()>> lines_;  // of Lowering()
};

// Ports that stand for `port`: of kernels and other nodes, through aliases.
std::vector<PortNode*> Targets(PortNode* port);
std::vector<PortNode*> Sources(PortNode* port);

}  // namespace adf::detail
