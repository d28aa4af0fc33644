// See words.h.
#include "tools/show/words.h"
#include "tb/sim/counted.h"

#include <fmt/format.h>

namespace tessera::show {

using model::kDims;
using model::Transfer;

std::string DirectionWords(Direction direction) {
  return direction == Direction::kRead ? "memory to stream" : "stream to memory";
}

std::string FileName(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::vector<std::string> FieldLines(const Transfer& t) {
  size_t last = 0;
  bool starts = false, bounds = false;
  for (size_t d = 0; d < kDims; ++d) {
    if (t.count[d] != 1 || t.bound[d] || t.start[d] != 0) last = d;
    starts |= t.start[d] != 0;
    bounds |= t.bound[d].has_value();
  }
  const auto list = [last](auto&& value) {
    std::string text;
    for (size_t d = 0; d <= last; ++d) text += (d == 0 ? "" : ", ") + value(d);
    return "(" + text + ")";
  };
  std::vector<std::string> lines;
  std::string text =
      fmt::format("E = {}, base = {:#x}, count = {}, stride = {}", t.elem, t.base + t.offset,
                  list([&](size_t d) { return fmt::format("{}", t.count[d]); }),
                  list([&](size_t d) { return fmt::format("{}", t.stride[d]); }));
  if (starts) text += ", start = " + list([&](size_t d) { return fmt::format("{}", t.start[d]); });
  if (bounds) {
    text += ", bound = " + list([&](size_t d) {
              return t.bound[d] ? fmt::format("{}", *t.bound[d]) : std::string("none");
            });
  }
  if (t.length) text += fmt::format(", length = {}", *t.length);
  lines.push_back(text);
  text.clear();
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    text += fmt::format("{}walk[{}] = (dimension {}, step {}, count {})", text.empty() ? "" : ", ",
                        k, t.walk[k]->dim, t.walk[k]->step, t.walk[k]->count);
  }
  if (!text.empty()) lines.push_back(text);
  return lines;
}

std::string MapTitle(const MemoryMap& map) {
  if (!map.sheet) return fmt::format("memory, lines of {}", Counted(map.pitch, "byte"));
  return fmt::format("memory, a line for each step of dimension {}, {}", map.line_dim,
                     Counted(map.pitch, "byte"));
}

std::vector<std::string> LineLabels(const MemoryMap& map, const Transfer& t) {
  std::vector<bool> has_data(map.lines.size(), false);
  for (const MapCell& cell : map.cells) has_data[cell.line] = has_data[cell.line] || cell.valid;
  std::vector<std::string> labels;
  for (size_t l = 0; l < map.lines.size(); ++l) {
    if (has_data[l] || !map.sheet) {
      labels.push_back(fmt::format("{:#x}", map.lines[l].addr));
      continue;
    }
    const int64_t number = map.lines[l].number;
    labels.push_back(
        fmt::format("x{} = {}", map.line_dim, t.stride[map.line_dim] < 0 ? -number : number));
  }
  return labels;
}

}  // namespace tessera::show
