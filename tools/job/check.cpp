// What a job asks of a configuration; see job.h.
#include <fmt/format.h>

#include <algorithm>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"
#include "tools/job/job.h"

namespace tessera::job {
namespace {

// The widest thing a transfer asks for, as a sentence if there is no such thing in the build.
void CheckTransfer(const Job& job, const NamedTransfer& t, const Config& config) {
  if (const auto broken = model::Validate(t.value, BuildOf(config))) {
    throw Error(
        fmt::format("{}: {}.{} (configuration {})", job.file, t.place, *broken, config.name));
  }
}

[[noreturn]] void RefuseMember(const Job& job, const std::string& place, const std::string& value,
                               const std::string& legal, const Config& config) {
  throw ErrorAt(job.file, place, value,
                fmt::format("legal is {} (configuration {})", legal, config.name));
}

[[noreturn]] void RefuseGiven(const Job& job, const std::string& place, const std::string& legal) {
  throw Error(fmt::format("{}: {} is given: {}", job.file, place, legal));
}

// Bytes that addresses of the configuration reach.
void CheckReach(const Job& job, const std::string& place, uint64_t base, uint64_t size,
                const Config& config) {
  const uint64_t top = BuildOf(config).AddressMask(), last = base + (size - 1);
  if (last <= top) return;
  throw ErrorAt(job.file, place + ".base", fmt::format("{:#x}", base),
                fmt::format("its last byte is at {:#x}, legal is up to {:#x} (configuration {})",
                            last, top, config.name));
}

void CheckLoopback(const Job& job, const Channel& channel, const Config& config) {
  const Stream& stream = channel.stream;
  const char* what = nullptr;
  if (stream.source) what = "source";
  if (stream.capture) what = "capture";
  if (!stream.beats.empty()) what = "beats";
  if (stream.expect) what = "expect";
  if (what == nullptr) return;
  RefuseGiven(job, stream.place + "." + what,
              fmt::format("configuration {} joins its streams inside, legal is \"channel\" alone",
                          config.name));
}

// A stream that is joined inside goes from a read channel to the write channel of its number.
void CheckJoined(const Job& job, const Channel& channel, const DmaConfig& dma) {
  const Channel* partner = nullptr;
  for (const Channel& other : job.channels) {
    if (channel.stream.channel == other.name || other.stream.channel == channel.name)
      partner = &other;
  }
  if (!dma.joined(channel.engine) && (partner == nullptr || !dma.joined(partner->engine))) return;
  CheckLoopback(job, channel, dma.channel);
  if (partner != nullptr && partner->engine == channel.engine) return;
  throw ErrorAt(
      job.file, channel.place + ".engine", std::to_string(channel.engine),
      fmt::format("its stream is joined inside, legal is a write channel whose stream is that of "
                  "the read channel of the same number (configuration {})",
                  dma.channel.name));
}

// The engine of a channel is there.
void CheckEngine(const Job& job, const Channel& channel, const Hardware& hardware) {
  const bool write = channel.direction == Direction::kWrite;
  const char* way = write ? "write" : "read";
  const int engines = write ? hardware.writes : hardware.reads;
  if (!hardware.shared && channel.weight) {
    throw ErrorAt(job.file, channel.place + ".weight", std::to_string(*channel.weight),
                  fmt::format("legal is none, for in configuration {} no engines share a port",
                              hardware.config.name));
  }
  if (channel.engine < engines) return;
  if (channel.engine_given) {
    throw ErrorAt(job.file, channel.place + ".engine", std::to_string(channel.engine),
                  fmt::format("legal is {}{} (configuration {})", engines == 1 ? "" : "0 to ",
                              engines - 1, hardware.config.name));
  }
  throw ErrorAt(job.file, channel.place + ".direction", fmt::format("\"{}\"", way),
                fmt::format("configuration {} has {} {} engine{}, legal is at most {} {} channel{}",
                            hardware.config.name, engines, way, engines == 1 ? "" : "s", engines,
                            way, engines == 1 ? "" : "s"));
}

// A job for engines alone has nothing of registers.
void CheckPlain(const Job& job, const Config& config) {
  std::string place;
  if (!job.timeline.empty()) place = "timeline";
  if (!job.events.empty()) place = "events";
  if (!job.actions.empty()) place = "actions";
  for (const Channel& channel : job.channels) {
    if (!channel.tasks.empty()) place = channel.place + ".tasks";
    if (!channel.windows.empty()) place = channel.place + ".windows";
    if (!channel.stream.marks.empty()) place = channel.stream.place + ".marks";
  }
  if (!job.descriptors.empty()) place = "descriptors";
  if (!job.locks.empty()) place = "locks";
  if (place.empty()) return;
  RefuseGiven(job, place,
              fmt::format("configuration {} has no registers, legal is a build of tessera_dma as "
                          "\"dma\"",
                          config.name));
}

// What a build of tessera_dma has for a program.
void CheckProgram(const Job& job, const DmaConfig& dma) {
  const Config& config = dma.channel;
  const auto refuse_absent = [&](const std::string& place, const char* what) {
    RefuseGiven(job, place,
                fmt::format("legal is none, for there {} (configuration {})", what, config.name));
  };
  if (dma.start_writes() > 0) {
    throw ErrorAt(job.file, "dma", fmt::format("\"{}\"", config.name),
                  "it runs without software, legal is a build without a start program");
  }
  if (dma.route_dest) {
    throw ErrorAt(job.file, "dma", fmt::format("\"{}\"", config.name),
                  "TDEST chooses its channels, legal is a build where each has a stream");
  }
  for (const Lock& lock : job.locks) {
    if (*lock.number < dma.locks) continue;
    RefuseMember(job, lock.place + ".number", std::to_string(*lock.number),
                 dma.locks == 0 ? "none, for there are no locks"
                                : fmt::format("a lock from 0 to {}", dma.locks - 1),
                 config);
  }
  const auto in_ram = std::count_if(job.descriptors.begin(), job.descriptors.end(),
                                    [&job](const Descriptor& d) { return job.InRam(d); });
  if (in_ram > dma.descriptors) {
    throw Error(fmt::format("{}: descriptors has {}: legal is at most {} (configuration {})",
                            job.file, Counted(in_ram, "entry", "entries"), dma.descriptors,
                            config.name));
  }
  for (const Event& event : job.events) {
    if (!event.packet || dma.control_packets) continue;
    RefuseMember(job, event.place + ".packet", "true", "false, for there are no control packets",
                 config);
  }
  for (const Descriptor& d : job.descriptors) {
    CheckTransfer(job, d.transfer, config);
    if (d.header && !dma.headers()) {
      refuse_absent(d.transfer.place + ".header", "are no packet headers");
    }
    if (d.side != 0 && !dma.side) {
      refuse_absent(d.transfer.place + ".side", "is no TDEST, TID and TUSER");
    }
  }
  for (const Channel& channel : job.channels) {
    if (channel.offer.kind != PacerSpec::Kind::kAlways) {
      RefuseGiven(job, channel.place + ".offer",
                  "legal is none with \"dma\", where registers take tasks");
    }
    if (channel.take.kind != PacerSpec::Kind::kAlways) {
      RefuseGiven(job, channel.place + ".take",
                  "legal is none with \"dma\", where registers give records");
    }
    if (channel.list && !dma.lists) refuse_absent(channel.list->place, "are no lists");
    if (channel.windows.size() > static_cast<size_t>(dma.windows)) {
      throw Error(fmt::format("{}: {}.windows has {}: legal is {} (configuration {})", job.file,
                              channel.place, Counted(channel.windows.size(), "entry", "entries"),
                              dma.windows == 0 ? "none, for there are no windows"
                                               : fmt::format("at most {}", dma.windows),
                              config.name));
    }
    for (const Window& window : channel.windows) {
      CheckReach(job, window.place, window.base, window.size, config);
    }
    const bool marks =
        channel.trigger.kind == Trigger::Kind::kMark || !channel.stream.marks.empty();
    if (marks && !dma.side) {
      const bool trigger = channel.stream.marks.empty();
      refuse_absent(trigger ? channel.trigger.place + ".mark" : channel.stream.place + ".marks",
                    "is no TUSER");
    }
    for (const Task& task : channel.tasks) {
      if (task.token && !dma.tokens) {
        RefuseMember(job, task.place + ".token", "true", "false, for there are no tokens", config);
      }
      if ((task.trigger || task.paced) && !dma.triggers) {
        RefuseMember(job, task.place + (task.trigger ? ".trigger" : ".paced"), "true",
                     "false, for there are no triggers", config);
      }
    }
  }
}

}  // namespace

void CheckJob(const Job& job, const Hardware& hardware) {
  const Config& config = hardware.config;
  if (hardware.dma) {
    CheckProgram(job, *hardware.dma);
  } else {
    CheckPlain(job, config);
  }
  for (const Region& region : job.memories) {
    CheckReach(job, region.place, region.base, region.size.value_or(1), config);
  }
  bool ways[2] = {false, false};
  for (const Channel& channel : job.channels) {
    ways[channel.direction == Direction::kWrite ? 1 : 0] = true;
    CheckEngine(job, channel, hardware);
    for (const NamedTransfer& t : channel.transfers) CheckTransfer(job, t, config);
    if (config.loopback) CheckLoopback(job, channel, config);
    if (hardware.dma) CheckJoined(job, channel, *hardware.dma);
  }
  if (config.loopback && !(ways[0] && ways[1])) {
    throw Error(fmt::format(
        "{}: channels has one direction: configuration {} joins its streams inside, legal is a "
        "read channel and a write channel",
        job.file, config.name));
  }
}

}  // namespace tessera::job
