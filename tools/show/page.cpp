// See picture.h. What the page shows and does is in page.html, page.css and page.js; here is its
// data.
#include "tools/show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "show/embedded.h"
#include "tools/show/memory_map.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using Json = nlohmann::ordered_json;

void Replace(std::string* text, std::string_view mark, const std::string& with) {
  const size_t at = text->find(mark);
  if (at != std::string::npos) text->replace(at, mark.size(), with);
}

// JSON inside a script element: no "</script>" can come out of a name.
std::string ForScript(const Json& json) {
  std::string text;
  for (const char c : json.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

Json MapJson(const MemoryMap& map, const Subject& subject) {
  Json json;
  json["columns"] = Json::array();
  for (const MapColumns& c : map.columns) json["columns"].push_back({c.first, c.last});
  const std::vector<std::string> labels = LineLabels(map, subject.transfer);
  json["lines"] = Json::array();
  for (size_t l = 0; l < map.lines.size(); ++l) {
    const bool plane = l != 0 && map.lines[l].plane != map.lines[l - 1].plane;
    json["lines"].push_back(
        {{"label", labels[l]}, {"plane", plane}, {"gap", map.lines[l].gap_before}});
  }
  json["cells"] = Json::array();
  for (const MapCell& cell : map.cells) {
    json["cells"].push_back(
        {{"line", cell.line}, {"column", cell.column}, {"own", cell.own}, {"visits", cell.visits}});
  }
  json["frames"] = Json::array();
  for (const MapBurst& b : map.bursts) json["frames"].push_back({b.burst, b.line, b.first, b.last});
  return json;
}

}  // namespace

std::string MakePage(const Report& report) {
  const Subject& subject = report.analysis.subject;
  const model::Transfer& t = subject.transfer;
  Report shown = report;
  shown.table = MakeTable(subject, kPagePositions);
  Json json = ReportJson(shown);
  const MemoryMap map = MakeMap(subject, shown.table);
  Json data = MapJson(map, subject);
  data["name"] = fmt::format("{}: {}", FileName(report.name), DirectionWords(subject.direction));
  data["fields"] = FieldLines(t);
  data["memory_title"] = MapTitle(map);
  data["fill_word"] = subject.direction == Direction::kRead ? "fill" : "dropped";
  data["elem"] = t.elem;
  data["first"] = shown.table.first;
  data["stream_bytes"] = subject.config.stream_bytes;
  const uint64_t positions = report.analysis.tally.positions;
  data["positions"] = positions == kSaturated ? Json(Grouped(positions)) : Json(positions);
  data["dims"] = Json::array();
  data["walks"] = Json::array();
  for (size_t d = 0; d < model::kDims; ++d) {
    if (d == 0 || t.count[d] != 1) data["dims"].push_back(d);
  }
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (t.walk[k] && t.walk[k]->count > 1) data["walks"].push_back(k);
  }
  std::set<uint64_t> last;
  for (const TableEntry& e : shown.table.entries) {
    if (e.ends_packet) last.insert(e.last_beat);
  }
  data["tlast"] = last;
  data["entries"] = json["table"];
  data["bursts"] = json["bursts"];
  shown.table = {};  // the page has a table of its own
  data["report"] = ReportText(shown);

  std::string page = embedded::kPage;
  Replace(&page, "{{title}}", EscapeXml(data["name"].get<std::string>()));
  Replace(&page, "{{style}}", embedded::kPageStyle);
  Replace(&page, "{{script}}", embedded::kPageScript);
  Replace(&page, "{{data}}", ForScript(data));
  return page;
}

}  // namespace tessera::show
