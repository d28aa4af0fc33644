// A graph as a picture: nodes in the order of the data, what passes between them, and what each
// connection was lowered to.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run.hpp"
#include "tools/pictures/canvas.h"

namespace adf::detail {
namespace {

using tessera::show::Anchor;
using tessera::show::Canvas;
using tessera::show::TextStyle;

constexpr double kWidth = 140, kHeight = 44, kAcross = 370, kDown = 74;
constexpr TextStyle kWords{.size = 10, .anchor = Anchor::kMiddle};
constexpr TextStyle kName{.size = 10, .anchor = Anchor::kMiddle, .bold = true};

struct Spot {
  int column = 0, row = 0;
  double x() const { return column * kAcross; }
  double y() const { return row * kDown; }
};

}  // namespace

std::string Run::Drawing() const {
  // A node stands right of all that it gets data of; circles end after as many turns as there are
  // nodes.
  std::map<const Node*, Spot> spots;
  for (const auto& node : nodes_) spots[node.get()] = {};
  for (size_t turn = 0; turn < nodes_.size(); ++turn) {
    for (const auto& path : paths_) {
      Spot& to = spots[path->to->owner];
      to.column = std::max(to.column, std::min(spots[path->from->owner].column + 1,
                                               static_cast<int>(nodes_.size()) - 1));
    }
  }
  std::map<int, int> rows;
  for (const auto& node : nodes_) {
    Spot& spot = spots[node.get()];
    spot.row = rows[spot.column]++;
  }
  Canvas canvas;
  std::map<std::pair<const Node*, const Node*>, int> between;
  for (const auto& path : paths_) {
    const Spot from = spots[path->from->owner], to = spots[path->to->owner];
    const int shift = 14 * between[{path->from->owner, path->to->owner}]++;
    const double x0 = from.x() + kWidth, y0 = from.y() + kHeight / 2 + shift;
    const double x1 = to.x(), y1 = to.y() + kHeight / 2 + shift;
    std::string more;
    if (path->from->kind == Kind::kParameter) {
      more = "parameter";
    } else {
      const auto channel = [&](auto&& of) -> std::string {
        for (const Channel* each : channels_) {
          if (of(each)) return std::to_string(each->number);
        }
        return "";
      };
      const std::string read = channel([&](const Channel* c) {
        return path->from->wire != nullptr && c->wire == path->from->wire;
      });
      const std::string write = channel(
          [&](const Channel* c) { return path->to->pipe != nullptr && c->pipe == path->to->pipe; });
      const size_t block = std::max(path->from->blocks != nullptr ? path->from->block_bytes : 0,
                                    path->to->blocks != nullptr ? path->to->block_bytes : 0);
      if (block != 0) {
        more += fmt::format("{} x {} bytes", path->to->single_buffer ? 1 : 2, block);
      }
      if (!read.empty()) more += (more.empty() ? "" : ", ") + ("read " + read);
      if (!write.empty()) more += (more.empty() ? "" : ", ") + ("write " + write);
      if (path->to->pipe != nullptr) {
        more += fmt::format("{}FIFO {}", more.empty() ? "" : ", ", path->to->pipe->capacity() / 4);
      }
    }
    const double x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    canvas.Line({{x0, y0}, {x1, y1}}, tessera::show::kSoft, 1, true);
    canvas.Text(x, y - 4, path->from->label + " to " + path->to->label, kWords);
    canvas.Text(x, y + 12, more, kWords);
  }
  for (const auto& node : nodes_) {
    const Spot spot = spots[node.get()];
    const bool kernel = node->type == Node::Type::kKernel;
    std::string under;
    if (const auto* file = dynamic_cast<const FileNode*>(node.get())) {
      under = fmt::format("{} bits, {}", file->width_bits, file->file);
    } else if (const auto* memory = dynamic_cast<const MemoryNode*>(node.get())) {
      under = fmt::format("GMIO, bursts of {}", memory->burst_bytes);
    } else if (const auto* buffer = dynamic_cast<const BufferNode*>(node.get())) {
      under = fmt::format("{} x {} bytes", buffer->external ? 1 : buffer->buffers, buffer->bytes());
      for (const auto& run : buffers_) {
        if (run->node == buffer && run->empty_lock >= 0) {
          under += fmt::format(", locks {} {}", run->empty_lock, run->full_lock);
        }
      }
    } else if (kernel) {
      under = "kernel";
    }
    canvas.Box(spot.x(), spot.y(), kWidth, kHeight,
               {.fill = kernel ? "#dbe9f9" : "#f3efe0", .radius = kernel ? 10.0 : 2.0});
    canvas.Text(spot.x() + kWidth / 2, spot.y() + 19, node->name, kName);
    canvas.Text(spot.x() + kWidth / 2, spot.y() + 34, under, kWords);
  }
  return canvas.Finish(graph_->name);
}

}  // namespace adf::detail
