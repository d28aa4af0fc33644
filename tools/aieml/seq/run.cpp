// See run.h.
#include "tools/aieml/seq/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/aieml/txn/play.h"

namespace tessera::seq {
namespace {

aieml::Endpoint Of(const Flow::End& end) {
  return {end.tile.column, end.tile.row, end.channel, end.control};
}

}  // namespace

std::string PassedOver(const Sequence& sequence) {
  std::string text;
  for (const auto& [name, count] : sequence.passed) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  }
  return text.empty() ? text : "passed over: " + text + "\n";
}

array::ArrayFile Complete(const Sequence& sequence, array::ArrayFile file) {
  array::Partition(sequence.device.generation, sequence.device.columns, &file);
  file.options.columns = std::max(file.options.columns, sequence.device.columns);
  if (file.options.routes.empty()) {
    for (const Flow& flow : sequence.flows) {
      const aieml::Endpoint from = Of(flow.from), to = Of(flow.to);
      auto& routes = file.options.routes;
      const auto found = std::find_if(routes.begin(), routes.end(), [&](const aieml::Route& route) {
        return route.from == from && route.packet == flow.packet;
      });
      if (found != routes.end()) {
        found->to.push_back(to);
      } else {
        routes.push_back({from, {to}, flow.packet, flow.keep_header});
      }
    }
  }
  for (const auto& [address, value] : sequence.setup) file.writes.push_back({address, value});
  for (const Lock& lock : sequence.locks) {
    if (!lock.number || lock.init == 0 || *lock.number < 0 || *lock.number > 63) continue;
    const auto kind = sequence.device.KindOf(lock.tile.row);
    const uint32_t base = kind == aieml::TileKind::kShim     ? 0x14000
                          : kind == aieml::TileKind::kMemory ? 0xc0000
                                                             : 0x1f000;
    file.writes.insert(file.writes.begin(),
                       {driver::npu::AddressOf(lock.tile.column, lock.tile.row,
                                               base + 0x10 * static_cast<uint32_t>(*lock.number)),
                        static_cast<uint32_t>(lock.init)});
  }
  for (size_t n = file.arguments.size(); n < sequence.arguments.size(); ++n) {
    const Shape& shape = sequence.arguments[n].second;
    const int64_t elements = std::clamp<int64_t>(shape.Elements(), 1, int64_t{1} << 24);
    array::Argument argument;
    argument.bytes = (static_cast<uint64_t>(elements) * shape.bits / 8 + 4) & ~uint64_t{3};
    file.arguments.push_back(argument);
  }
  return file;
}

int Run(const std::string& name, const Sequence& sequence, const array::ArrayFile& given,
        bool trace, uint32_t turns, const FileNames& names) {
  const array::ArrayFile file = Complete(sequence, given);
  array::Machine machine = array::Build(file, names);
  if (trace) txn::Trace(&machine);
  const Device& device = sequence.device;
  const auto words =
      sequence.program.Binary(device.columns, device.rows, device.memory_rows, device.generation);
  fmt::print("{}", PassedOver(sequence));
  return txn::Play(name, words, file, machine, {turns, 0});
}

}  // namespace tessera::seq
