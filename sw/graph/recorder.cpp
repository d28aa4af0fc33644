// States of channels from what has moved, states of kernels from what they wait for.
#include "recorder.hpp"

#include <fmt/format.h>

#include <fstream>

namespace tessera::graph {
namespace {

constexpr uint64_t kShort = 8;  // cycles: shorter waits are not drawn

}  // namespace

Recorder::Seen& Recorder::Of(const void* who, const std::string& name, bool write) {
  const auto [entry, fresh] = seen_.try_emplace({who, name});
  if (fresh) {
    entry->second.lane = timeline_.lanes.size();
    timeline_.lanes.push_back({});
    timeline_.lanes.back().name = name;
    timeline_.lanes.back().write = write;
  }
  return entry->second;
}

void Recorder::Look(const Backend& backend,
                    const std::vector<std::unique_ptr<Process>>& processes) {
  const uint64_t cycle = backend.cycle();
  for (const Channel* channel : backend.channels()) {
    const bool write = channel->direction == driver::Direction::kFromStream;
    Seen& seen = Of(
        channel, fmt::format("{} {} {}", write ? "write" : "read", channel->number, channel->name),
        write);
    timeline::Lane& lane = timeline_.lanes[seen.lane];
    if (channel->counts.bytes != seen.bytes) seen.moved_at = cycle;
    seen.bytes = channel->counts.bytes;
    const auto queued = static_cast<int>(channel->posted() - channel->finished());
    for (; seen.finished < channel->finished(); ++seen.finished) {
      lane.records.push_back({cycle, fmt::format("{}", seen.finished)});
    }
    timeline::Note(&lane.queue, cycle, queued);
    lane.queue_depth = std::max(lane.queue_depth, queued);
    const bool blocked = write ? channel->pipe->size() == 0 : channel->wire->room() == 0;
    const bool moves = seen.moved_at != 0 && cycle - seen.moved_at < kShort;
    timeline::Note(&lane.states, cycle,
                   std::string(timeline::WordOf(queued == 0 && !moves ? timeline::State::kIdle
                                                : moves               ? timeline::State::kRuns
                                                : blocked             ? timeline::State::kStream
                                                : channel->takes_lock ? timeline::State::kLock
                                                                      : timeline::State::kMemory)));
  }
  for (const auto& process : processes) {
    Seen& seen = Of(process.get(), process->name, true);
    timeline::Lane& lane = timeline_.lanes[seen.lane];
    if (process->starts != seen.starts) seen.moved_at = cycle;
    seen.starts = process->starts;
    const bool runs = seen.moved_at != 0 && cycle - seen.moved_at < kShort;
    std::string state(timeline::WordOf(runs ? timeline::State::kRuns : timeline::State::kStream));
    if (process->fiber->done() || process->paused) {
      state = timeline::WordOf(process->paused ? timeline::State::kHeld : timeline::State::kIdle);
    } else if (!runs) {
      state += " " + process->wait.what;
    }
    timeline::Note(&lane.states, cycle, state);
  }
}

void Recorder::Write(uint64_t cycle) {
  timeline_.last = cycle;
  std::ofstream out(path_);
  out << timeline::DrawTimeline(timeline_, "graph");
  out.close();
  if (!out) {
    throw GraphError(driver::Code::user_error,
                     fmt::format("timeline: cannot write the file '{}'", path_));
  }
}

}  // namespace tessera::graph
