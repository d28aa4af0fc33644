// A graph as a picture: nodes in the order of the data, what passes between them, and what each
// connection was lowered to.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run.hpp"

namespace adf::detail {
namespace {

constexpr int kWidth = 140, kHeight = 44, kAcross = 370, kDown = 74, kMargin = 20;

struct Spot {
  int column = 0, row = 0;
  int x() const { return kMargin + column * kAcross; }
  int y() const { return kMargin + row * kDown; }
};

std::string Escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

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
  int columns = 0, most = 0;
  for (const auto& node : nodes_) {
    Spot& spot = spots[node.get()];
    spot.row = rows[spot.column]++;
    columns = std::max(columns, spot.column + 1);
    most = std::max(most, rows[spot.column]);
  }
  const int width = 2 * kMargin + (columns - 1) * kAcross + kWidth;
  const int height = 2 * kMargin + (most - 1) * kDown + kHeight;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"10\">\n<defs><marker id=\"end\" "
      "markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\"><path d=\"M0,0 "
      "L7,3 L0,6 z\"/></marker></defs>\n",
      width, height);
  std::map<std::pair<const Node*, const Node*>, int> between;
  for (const auto& path : paths_) {
    const Spot from = spots[path->from->owner], to = spots[path->to->owner];
    const int shift = 14 * between[{path->from->owner, path->to->owner}]++;
    const int x0 = from.x() + kWidth, y0 = from.y() + kHeight / 2 + shift;
    const int x1 = to.x(), y1 = to.y() + kHeight / 2 + shift;
    std::string label = path->from->label + " to " + path->to->label;
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
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#444\" "
        "marker-end=\"url(#end)\"/>\n<text x=\"{}\" y=\"{}\" "
        "text-anchor=\"middle\">{}</text>\n<text x=\"{}\" y=\"{}\" "
        "text-anchor=\"middle\">{}</text>\n",
        x0, y0, x1, y1, (x0 + x1) / 2, (y0 + y1) / 2 - 4, Escape(label), (x0 + x1) / 2,
        (y0 + y1) / 2 + 12, Escape(more));
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
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" "
        "stroke=\"#444\"/>\n<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" "
        "font-weight=\"bold\">{}</text>\n<text x=\"{}\" y=\"{}\" "
        "text-anchor=\"middle\">{}</text>\n",
        spot.x(), spot.y(), kWidth, kHeight, kernel ? 10 : 2, kernel ? "#dbe9f9" : "#f3efe0",
        spot.x() + kWidth / 2, spot.y() + 19, Escape(node->name), spot.x() + kWidth / 2,
        spot.y() + 34, Escape(under));
  }
  return svg + "</svg>\n";
}

}  // namespace adf::detail
