// See packet_routes.h.
#include "lib/aieml/packet_routes.h"

#include <algorithm>

namespace tessera::aieml {

bool PacketRoutes::Open(Link* from, Source* source) {
  const auto found = source->ends.find(from->Front().data & 31);
  if (found == source->ends.end()) return false;
  const std::vector<End>& ends = found->second;
  if (std::any_of(ends.begin(), ends.end(), [&](End end) { return owners_.contains(end.link); })) {
    return false;
  }
  for (const End& end : ends) owners_[end.link] = source;
  source->open = &ends;
  source->header = true;
  return true;
}

void PacketRoutes::Clock() {
  for (auto& [link, of_link] : sources_) {
    Link* from = link;
    Source& source = of_link;
    if (from->Empty() || (source.open == nullptr && !Open(from, &source))) continue;
    const auto takes = [&](const End& end) { return !source.header || end.keep_header; };
    const std::vector<End>& ends = *source.open;
    const bool room = std::all_of(ends.begin(), ends.end(), [&](const End& end) {
      return !takes(end) || end.link->CanPush();
    });
    if (!room) continue;
    const Word word = from->Pop();
    for (const End& end : ends) {
      if (takes(end)) end.link->Push(word);
    }
    source.header = false;
    if (!word.last) continue;
    for (const End& end : ends) owners_.erase(end.link);
    source.open = nullptr;
  }
}

}  // namespace tessera::aieml
