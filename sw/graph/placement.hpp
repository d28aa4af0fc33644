// Places kernels, stacks and buffers in the array as constraints say, and checks the constraints.
//
// The array has 50 columns and 8 rows of tiles; a tile has a memory of 4 banks of 8 KiB, which its
// kernel reaches, and so do those of the neighbours above and below, and left of it (even rows) or
// right of it (odd rows).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adf.h"

namespace adf::detail {

struct PlacedBuffer {
  Subject subject;
  Node* node = nullptr;  // the kernel that uses it
  int column = 0, row = 0;
  int offset = 0;  // bytes in the tile
  int bytes = 0;
};

class Placement {
 public:
  static constexpr int kColumns = 50, kRows = 8, kBanks = 4, kBankBytes = 8192;

  // Kernels of one graph, whose blocks have their sizes. Throws GraphError at the first constraint
  // that cannot be met.
  Placement(const GraphNode& graph, const std::vector<std::shared_ptr<Node>>& nodes);

  std::string Text() const;
  std::string Drawing() const;
  std::string Pblocks() const;

 private:
  using Tile = std::pair<int, int>;

  void CheckRanges() const;
  void PlaceKernels();
  void Stamp();
  void PlaceBuffers();
  void PlaceBuffer(PlacedBuffer buffer, const Place& place);
  bool Free(const PlacedBuffer& buffer, std::string* why) const;
  bool Allowed(const Node* kernel, Tile tile, std::string* why) const;
  void Put(Node* kernel, Tile tile, const std::string& why);
  std::vector<Node*> KernelsOf(const GraphNode* graph) const;
  bool IsIn(const Constraint& area, const Node* kernel) const;

  std::vector<KernelNode*> kernels_;
  std::vector<Constraint> constraints_;
  std::map<const Node*, Tile> tiles_;
  std::vector<PlacedBuffer> buffers_;
};

// The graph, and the graphs inside it.
std::vector<const GraphNode*> GraphsIn(const GraphNode* graph);

inline std::string TileText(std::pair<int, int> tile) {
  return "(" + std::to_string(tile.first) + ", " + std::to_string(tile.second) + ")";
}

// Constraints of a JSON file about a graph of these kernels and edges. Throws GraphError.
std::vector<Constraint> ReadConstraints(const std::string& path, const GraphNode& graph,
                                        const std::vector<KernelNode*>& kernels,
                                        const std::vector<Node*>& edges);

}  // namespace adf::detail
