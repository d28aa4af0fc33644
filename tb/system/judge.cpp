// See judge.h.
#include "tb/system/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"
#include "tb/system/extent.h"

namespace tessera {
namespace {

constexpr uint8_t kBusErrors = rtl::Status::kSlverr | rtl::Status::kDecerr;

}  // namespace

Judge::Judge(const SystemCase& value, FabricBench* bench, const Lives& lives, const Memory& before)
    : case_(value),
      bench_(bench),
      lives_(lives),
      before_(before),
      board_(bench->fabric().config().channel, before, value.read_errors, value.write_errors) {}

void Judge::Fail(const std::string& message) {
  if (failure_.empty()) failure_ = fmt::format("{}: {}", where_, message);
}

// A transfer that its windows refused never reached the engine.
bool Judge::Denied(int k, Direction direction, const model::Transfer& transfer,
                   const JobResult& job) {
  const FabricConfig& config = bench_->fabric().config();
  if (config.windows == 0) return false;
  const bool write = direction == Direction::kWrite;
  const int number = write ? config.reads + k : k;
  std::vector<Fabric::Window> windows;
  for (const Fabric::Window& window : case_.windows) {
    if (window.channel == number) windows.push_back(window);
  }
  const Permission permission = PermissionOf(transfer, BuildOf(config.channel), windows, write);
  if (permission == Permission::kGranted) return false;
  const bool told = job.state == JobResult::State::kDone &&
                    job.record.status == rtl::Status::kDecerr && job.record.bytes == 0;
  if (permission == Permission::kEither) return told;
  ++compared_;
  if (job.state == JobResult::State::kDone && !told &&
      (job.record.status & rtl::Status::kAborted) == 0) {
    Fail(fmt::format("no window permits {}, and its record has status {} and {}",
                     model::ToString(transfer), StatusText(job.record.status),
                     Counted(job.record.bytes, "byte")));
  }
  // Aborted before it was looked at, it has a record of the engine.
  return told || job.state != JobResult::State::kDone;
}

Judge::Part Judge::Cut(int k, Direction direction, size_t number) {
  const bool read = direction == Direction::kRead;
  const ChannelPlan& plan = case_.channels[static_cast<size_t>(k)];
  const std::vector<Stretch>& stretches = lives_.of(k, direction);
  const Stretch& stretch = stretches[number];
  Part part;
  const std::vector<JobResult>& jobs = bench_->feeder(k, direction).jobs();
  const std::vector<model::Transfer>& chain = read ? plan.reads : plan.writes;
  for (size_t n = 0; n < jobs.size(); ++n) {
    const JobResult& job = jobs[n];
    if (job.accepted == kNever) continue;
    size_t home = 0;
    while (home + 1 < stretches.size() &&
           (job.accepted > stretches[home].to ||
            (job.state == JobResult::State::kLost && !stretches[home].reset))) {
      ++home;
    }
    if (home != number) continue;
    const model::Transfer& t = n < chain.size() ? chain[n]
                               : read           ? plan.last_read
                                                : plan.last_write;
    if (Denied(k, direction, t, job)) continue;
    part.chain.push_back(t);
    part.jobs.push_back(job);
  }
  const auto& beats = read ? bench_->sink(k).beats() : bench_->source(k).beats();
  const auto before = [](const StreamBeat& beat, uint64_t cycle) { return beat.cycle < cycle; };
  const auto first = std::lower_bound(beats.begin(), beats.end(), stretch.from, before);
  const auto last = std::lower_bound(first, beats.end(), stretch.to + 1, before);
  part.beats = std::span(first, last);
  return part;
}

Seen Judge::Begin(const Part& part) {
  Seen seen;
  for (const JobResult& job : part.jobs) {
    if (job.state == JobResult::State::kDone) seen.records.push_back(job.record);
  }
  return seen;
}

std::vector<ErrorEvent> Judge::Errors(int port, const Stretch& stretch) const {
  std::vector<ErrorEvent> errors;
  for (const ErrorEvent& event : bench_->errors(port)) {
    if (event.direction == Direction::kWrite && event.cycle >= stretch.from &&
        event.cycle <= stretch.to) {
      errors.push_back(event);
    }
  }
  return errors;
}

void Judge::CompareReads(int k) {
  for (size_t n = 0; n < lives_.of(k, Direction::kRead).size(); ++n) {
    const Stretch& stretch = lives_.of(k, Direction::kRead)[n];
    where_ = fmt::format("channel {} read, cycles {} to {}", k, stretch.from, stretch.to);
    const Part part = Cut(k, Direction::kRead, n);
    if (stretch.trust != kNever || stretch.reset) {
      CompareDoubtfulRead(k, part, stretch);
    } else {
      Seen seen = Begin(part);
      seen.beats = BeatList(part.beats, bench_->sink(k).bytes());
      seen.aborted = stretch.aborted;
      board_.CheckRead(part.chain, seen);
    }
    if (!board_.ok()) Fail(board_.Report());
    if (!failure_.empty()) return;
  }
}

bool Judge::SameRecord(size_t number, const model::Record& expected, const rtl::Done& seen) {
  ++compared_;
  if (seen.bytes == expected.bytes && seen.last == expected.last &&
      seen.status == StatusOf(expected) && seen.addr == expected.addr) {
    return true;
  }
  Fail(fmt::format(
      "record of transfer {}, which came before anything was wrong: expected {}, {}, {:#x}, last "
      "{}; seen {}, {}, {:#x}, last {}",
      number, Counted(expected.bytes, "byte"), StatusText(StatusOf(expected)), expected.addr,
      expected.last, Counted(seen.bytes, "byte"), StatusText(seen.status), seen.addr, seen.last));
  return false;
}

void Judge::CompareDoubtfulRead(int k, const Part& part, const Stretch& stretch) {
  const model::Build build = BuildOf(bench_->fabric().config().channel);
  const model::MemoryImage source(
      [this](uint64_t address, std::span<uint8_t> page) { before_.Read(address, page); });
  model::ReadModel model(build, source, case_.read_errors);
  std::vector<model::Record> expected;
  for (const model::Transfer& t : part.chain) expected.push_back(model.Run(t));
  // An abort closes an open packet with a null beat.
  size_t beats = part.beats.size();
  const bool cut = stretch.aborted || stretch.reset;
  if (cut && beats > 0 && part.beats.back().count == 0 && part.beats.back().last) --beats;
  if (beats > model.beats().size()) {
    Fail(fmt::format("{} came, of {} that could", Counted(beats, "beat"), model.beats().size()));
    return;
  }
  const BeatList list(part.beats, bench_->sink(k).bytes());
  uint64_t bytes = 0;
  for (size_t n = 0; n < beats; ++n) {
    ++compared_;
    const model::StreamBeat seen = list[n];
    const model::StreamBeat& wanted = model.beats()[n];
    bytes += wanted.keep.count();
    const bool exact = part.beats[n].cycle < stretch.trust;
    if (seen.keep != wanted.keep || seen.last != wanted.last ||
        (exact && seen.data != wanted.data)) {
      Fail(fmt::format("beat {} in cycle {} is not what it should be{}", n, part.beats[n].cycle,
                       exact ? "" : " in keep or last"));
      return;
    }
  }
  uint64_t first = 0;
  bool aborted = false;
  for (size_t n = 0; n < part.jobs.size(); ++n) {
    const JobResult& job = part.jobs[n];
    if (job.state != JobResult::State::kDone) {
      if (stretch.reset) continue;
      Fail(fmt::format("transfer {} was accepted and has no record", n));
      return;
    }
    const uint64_t whole = expected[n].bytes;
    const uint64_t went = bytes > first ? std::min(bytes - first, whole) : 0;
    first += whole;
    if ((job.record.status & rtl::Status::kAborted) != 0) {
      aborted = true;
      ++compared_;
      if (!cut) Fail(fmt::format("record of transfer {} says aborted, and nobody did", n));
      if (job.record.bytes > whole)
        Fail(fmt::format("record of transfer {}: {} of {}", n, Counted(job.record.bytes, "byte"),
                         whole));
    } else if (job.done < stretch.trust && !aborted) {
      if (!SameRecord(n, expected[n], job.record)) return;
    } else {
      ++compared_;
      const uint8_t allowed = StatusOf(expected[n]) | kBusErrors;
      if (job.record.bytes != whole || (job.record.status & ~allowed) != 0) {
        Fail(fmt::format(
            "record of transfer {}: {} and {}; it has {}, and bus errors alone could be", n,
            Counted(job.record.bytes, "byte"), StatusText(job.record.status), whole));
      }
    }
    if (job.record.bytes > went && stretch.trust == kNever && !stretch.reset) {
      Fail(fmt::format("record of transfer {}: {}, {} were taken", n,
                       Counted(job.record.bytes, "byte"), went));
    }
  }
}

void Judge::CompareWrites(int k) {
  const std::vector<Stretch>& stretches = lives_.of(k, Direction::kWrite);
  for (size_t n = 0; n < stretches.size(); ++n) {
    const Stretch& stretch = stretches[n];
    where_ = fmt::format("channel {} write, cycles {} to {}", k, stretch.from, stretch.to);
    const Part part = Cut(k, Direction::kWrite, n);
    Seen seen = Begin(part);
    seen.beats = BeatList(part.beats, bench_->source(k).bytes());
    seen.errors = Errors(bench_->fabric().write_port(k), stretch);
    seen.aborted = !stretch.clean();
    seen.reset = stretch.reset;
    // From the first record that tells of a fault on, nothing but what may be there is known. An
    // answer too many or too few shifts those behind it: the error of a burst comes with another
    // record or with none.
    const bool shifts = !case_.write_errors.empty();
    bool doubtful = false;
    for (size_t j = 0; j < seen.records.size(); ++j) {
      rtl::Done& record = seen.records[j];
      if (part.jobs[j].done < stretch.trust) continue;
      doubtful = doubtful || shifts || (record.status & kBusErrors) != 0;
      if (doubtful) record.status |= rtl::Status::kAborted;
    }
    if (stretch.clean() && n + 1 == stretches.size()) {
      seen.held = bench_->fabric().channel(k).held;
    }
    board_.CheckWrite(part.chain, seen);
    if (!board_.ok()) Fail(board_.Report());
    if (!failure_.empty()) return;
  }
}

void Judge::Compare() {
  const FabricConfig& config = bench_->fabric().config();
  for (int k = 0; k < config.reads && failure_.empty(); ++k) CompareReads(k);
  for (int k = 0; k < config.writes && failure_.empty(); ++k) CompareWrites(k);
  where_ = "memory";
  if (!failure_.empty()) return;
  board_.CheckMemory(bench_->memory());
  if (!board_.ok()) Fail(board_.Report());
}

}  // namespace tessera
