// graph: the class that programs derive from, and the calls that control it.
#pragma once

#include "adf/kernel.hpp"

namespace adf {
class graph;
namespace detail {
class Run;

struct GraphNode {
  enum class State { kBuilt, kReady, kRunning, kPaused, kEnded };
  graph* self = nullptr;
  size_t number = 0;
  std::vector<std::shared_ptr<Node>> nodes;  // that were made while this graph was the latest
  std::vector<std::shared_ptr<PortNode>> ports;
  std::vector<Node*> edges;  // PLIO and GMIO
  std::string name;          // for messages and constraint files
  std::string constraints;   // a JSON file
  State state = State::kBuilt;
  std::shared_ptr<Run> run;
};

return_code Update(GraphNode* graph, PortNode* port, const void* data, ElementType type,
                   size_t count);
return_code Read(GraphNode* graph, PortNode* port, void* data, ElementType type, size_t count);

}  // namespace detail

class graph {
 public:
  graph();
  virtual ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  // Lowers the graph and takes its channels.
  return_code init();
  // For ever, or for so many iterations of every kernel. Returns at once; time passes in calls that
  // wait.
  return_code run();
  return_code run(int iterations);
  // Until every kernel has done its iterations.
  return_code wait();
  // So many cycles at most, then the kernels pause until resume() or end().
  return_code wait(unsigned long long cycles);
  return_code resume();
  // Waits, lets everything that is on its way arrive, writes output files and gives the channels
  // back. A graph that runs for ever ends when nothing moves any more.
  return_code end();
  return_code end(unsigned long long cycles);

  template <direction D, typename T>
  requires(detail::kIsParameter<T>) return_code update(const port<D>& p, T value) {
    return detail::Update(node_.get(), p.node(), &value, detail::ElementOf<T>(), 1);
  }
  template <direction D, typename T>
  requires(detail::kIsParameter<T>) return_code
      update(const port<D>& p, const T* values, size_t size) {
    return detail::Update(node_.get(), p.node(), values, detail::ElementOf<T>(), size);
  }
  template <direction D, typename T>
  requires(detail::kIsParameter<T>) return_code read(const port<D>& p, T& value) {
    return detail::Read(node_.get(), p.node(), &value, detail::ElementOf<T>(), 1);
  }
  template <direction D, typename T>
  requires(detail::kIsParameter<T>) return_code read(const port<D>& p, T* values, size_t size) {
    return detail::Read(node_.get(), p.node(), values, detail::ElementOf<T>(), size);
  }

  const std::shared_ptr<detail::GraphNode>& node() const { return node_; }

 private:
  std::shared_ptr<detail::GraphNode> node_;
};

// Which channel, descriptors, lock or pipe each connection of a graph became, in lines. Empty
// before init().
std::string lowering(const graph& g);
// The same as a picture (SVG): nodes, streams, buffers, channels and locks.
std::string drawing(const graph& g);
// Where kernels, stacks and buffers of a graph are placed, in lines and as a picture (SVG); and
// pblocks for what stands in programmable logic (XDC).
std::string placement(const graph& g);
std::string placement_drawing(const graph& g);
std::string pblocks(const graph& g);

}  // namespace adf
