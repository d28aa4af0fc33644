// What a job asks of a configuration; see job.h.
#include <fmt/format.h>

#include "tb/check/encode.h"
#include "tb/job/job.h"

namespace tessera::job {
namespace {

// The widest thing a transfer asks for, as a sentence if there is no such thing in the build.
void CheckTransfer(const Job& job, const NamedTransfer& t, const Config& config) {
  if (const auto broken = model::Validate(t.value, BuildOf(config))) {
    throw Error(
        fmt::format("{}: {}.{} (configuration {})", job.file, t.place, *broken, config.name));
  }
}

void CheckLoopback(const Job& job, const Channel& channel, const Config& config) {
  const Stream& stream = channel.stream;
  const char* what = nullptr;
  if (stream.source) what = "source";
  if (stream.capture) what = "capture";
  if (!stream.beats.empty()) what = "beats";
  if (stream.expect) what = "expect";
  if (what == nullptr) return;
  throw Error(fmt::format(
      "{}: {}.{} is given: configuration {} joins its streams inside, legal is \"channel\" alone",
      job.file, stream.place, what, config.name));
}

}  // namespace

void CheckJob(const Job& job, const Config& config) {
  const uint64_t top = BuildOf(config).AddressMask();
  for (const Region& region : job.memories) {
    const uint64_t last = region.base + (region.size.value_or(1) - 1);
    if (last > top) {
      throw ErrorAt(
          job.file, region.place + ".base", fmt::format("{:#x}", region.base),
          fmt::format("its last byte is at {:#x}, legal is up to {:#x} (configuration {})", last,
                      top, config.name));
    }
  }
  const Channel* seen[2] = {nullptr, nullptr};
  for (const Channel& channel : job.channels) {
    const bool write = channel.direction == Direction::kWrite;
    const Channel*& first = seen[write ? 1 : 0];
    if (first != nullptr) {
      throw ErrorAt(job.file, channel.place + ".direction", write ? "\"write\"" : "\"read\"",
                    fmt::format("configuration {} has one {} engine, and {} uses it", config.name,
                                write ? "write" : "read", first->place));
    }
    first = &channel;
    for (const NamedTransfer& t : channel.transfers) CheckTransfer(job, t, config);
    if (config.loopback) CheckLoopback(job, channel, config);
  }
  if (config.loopback && (seen[0] == nullptr || seen[1] == nullptr)) {
    throw Error(fmt::format(
        "{}: channels has one direction: configuration {} joins its streams inside, legal is a "
        "read channel and a write channel",
        job.file, config.name));
  }
}

}  // namespace tessera::job
