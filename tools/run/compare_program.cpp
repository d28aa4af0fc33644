// What a program left against what it says; see run_job.h.
#include "tools/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/dma/woven_compare.h"
#include "tb/model/walk.h"
#include "tb/sim/counted.h"
#include "tools/prepare/executor.h"

namespace tessera::cli {
namespace {

constexpr size_t kMostFailures = 20;

class Comparison {
 public:
  Comparison(const Prepared& p, RunResult* result)
      : p_(p),
        result_(*result),
        figures_(*result->machine->dma()),
        errors_(result->machine->Errors()) {}

  void Run(const Memory& before) {
    model::MemoryImage image(model::MemoryImage::PageBackground(
        [&before](uint64_t address, std::span<uint8_t> page) { before.Read(address, page); }));
    Executor executor(p_, &image);
    for (size_t c = 0; c < p_.channels.size(); ++c) {
      const PreparedChannel& channel = p_.channels[c];
      if (!channel.write() || channel.from != nullptr) continue;
      StreamSource& source = result_.machine->source(channel.channel->engine);
      const BeatList seen(source.beats(), source.bytes());
      std::vector<model::StreamBeat> beats(seen.size());
      for (size_t n = 0; n < beats.size(); ++n) seen.Get(n, &beats[n]);
      executor.Feed(c, beats);
    }
    for (size_t c = 0; c < p_.channels.size(); ++c) {
      const PreparedChannel& channel = p_.channels[c];
      if (!p_.job.Stops(*channel.channel)) continue;
      const auto& seen =
          result_.machine->Results(channel.channel->engine, channel.channel->direction);
      executor.Limit(
          c, static_cast<size_t>(std::count_if(seen.begin(), seen.end(), [](const JobResult& r) {
            return r.state == JobResult::State::kDone;
          })));
    }
    try {
      executor.Run();
    } catch (const job::Error& error) {
      CheckProgram(p_);  // throws if it is not the hardware's fault
      result_.failures.push_back(
          fmt::format("what moved is not what the program does: {}", error.what()));
      return;
    }
    for (size_t c = 0; c < p_.channels.size(); ++c) {
      Records(c, executor.executions(c));
      if (p_.channels[c].write()) {
        NoteRest(c, executor);
      } else if (!p_.Joined(p_.channels[c])) {
        Beats(p_.channels[c], executor.beats(c));
      }
    }
    result_.machine->Gather(image);
    result_.count.bytes += CompareMemory(image, result_.machine->memory(), false,
                                         [this](const std::string& line) { Fail(line); });
    Figures(executor);
    if (count_ == 0) return;
    result_.failures.push_back(
        fmt::format("{} from the reference model\n{}", Counted(count_, "difference"), lines_));
  }

 private:
  void Fail(const std::string& line) {
    if (++count_ <= kMostFailures) lines_ += line + "\n";
  }

  // Where bursts begin is not for the model to know. A word that was written must have brought its
  // error; what else is in the record must be a response to a burst of the transfer.
  void ExpectWriteErrors(const model::Transfer& t, const rtl::Done& seen, model::Record* expected) {
    const model::Build build = BuildOf(p_.config());
    const uint64_t word = static_cast<uint64_t>(build.data_bytes);
    std::set<uint64_t> words;
    uint64_t left = expected->bytes;
    model::Walk(t, build, [&](const model::Position& at) {
      const uint64_t bytes = std::min<uint64_t>(left, static_cast<uint64_t>(t.elem));
      for (uint64_t b = 0; at.valid && b < bytes; ++b) {
        words.insert(((at.addr + b) & build.AddressMask()) / word);
      }
      left -= bytes;
      return left > 0;
    });
    for (const uint64_t w : words) {
      for (const model::ErrorRange& range : p_.write_errors) {
        if (range.last / word < w || range.first / word > w) continue;
        (range.decerr ? expected->decerr : expected->slverr) = true;
        break;
      }
    }
    for (const ErrorEvent& event : errors_) {
      const bool decerr = event.response == kDecErr;
      const uint8_t bit = decerr ? rtl::Status::kDecerr : rtl::Status::kSlverr;
      if (event.direction != Direction::kWrite || (seen.status & bit) == 0) continue;
      if (!words.contains(event.burst_addr / word)) continue;
      (decerr ? expected->decerr : expected->slverr) = true;
      if (event.burst_addr == seen.addr) expected->addr = seen.addr;
    }
  }

  void Records(size_t c, const std::vector<DeviceExecution>& executions) {
    const PreparedChannel& channel = p_.channels[c];
    for (size_t k = 0; k < executions.size(); ++k) {
      const DeviceRecord& wanted = executions[k].record;
      model::Record expected = wanted.done;
      JobResult& seen = result_.channels[c].transfers[k];
      const std::optional<native::Record>& record = figures_.records[c][k];
      rtl::Done& is = seen.record;
      if (channel.write() && !p_.write_errors.empty()) {
        ExpectWriteErrors(executions[k].transfer, is, &expected);
      }
      ++result_.count.records;
      const std::string name = fmt::format("{}, {} ({})", channel.channel->name,
                                           channel.steps[k].Label(), channel.steps[k].place);
      if (seen.state != JobResult::State::kDone) {
        Fail(name + ": there is no record");
        continue;
      }
      if (!record) {  // nothing but an entry of a ring tells of it, if anything
        is.addr = expected.addr;
        is.dropped = expected.dropped;
        if (!channel.ring() || !channel.channel->list->entries) {
          is.bytes = expected.bytes;
          is.last = expected.last;
        }
      }
      const auto same = [&](const char* field, uint64_t value, uint64_t model) {
        if (value == model) return;
        Fail(fmt::format("{}: {} of its record is {:#x}, the model says {:#x}", name, field, value,
                         model));
      };
      same("bytes", is.bytes, expected.bytes);
      same("dropped", is.dropped, expected.dropped);
      same("last", is.last, expected.last);
      same("status", is.status, StatusOf(expected));
      same("addr", is.addr, expected.addr);
      if (!record) continue;
      same("descriptor", static_cast<uint64_t>(record->descriptor()),
           static_cast<uint64_t>(wanted.descriptor));
      same("tag", record->tag, wanted.tag);
      same("side information", record->side, p_.hardware.dma->side != 0 ? wanted.side : 0);
      if (!p_.job.Stops(*channel.channel)) same("end of task", record->task_end(), wanted.task_end);
    }
  }

  // What the stream of a write channel brought and no transfer took.
  void NoteRest(size_t c, const Executor& executor) {
    const PreparedChannel& channel = p_.channels[c];
    uint64_t taken = 0, sent = channel.source.size();
    for (const DeviceExecution& e : executor.executions(c)) {
      taken += e.record.done.bytes + e.record.done.dropped;
    }
    if (channel.from != nullptr) {
      sent = 0;
      for (const model::StreamBeat& beat :
           executor.beats(static_cast<size_t>(channel.from - p_.channels.data()))) {
        sent += beat.keep.count();
      }
    }
    if (taken == sent) return;
    result_.notes.push_back(fmt::format("channel {} takes {} of the {} of its stream",
                                        channel.channel->name, taken, Counted(sent, "byte")));
  }

  void Figures(const Executor& executor) {
    result_.locks_at_end = executor.locks();
    for (size_t k = 0; k < p_.job.locks.size(); ++k) {
      ++result_.locks;
      if (figures_.locks[k] == result_.locks_at_end[k]) continue;
      result_.failures.push_back(fmt::format("lock {} is {} at the end, the program leaves {}",
                                             p_.job.locks[k].name, figures_.locks[k],
                                             result_.locks_at_end[k]));
    }
    if (figures_.tokens == executor.tokens()) return;
    result_.failures.push_back(fmt::format("{} came, the program sends {}",
                                           Counted(figures_.tokens, "token"), executor.tokens()));
  }

  void Beats(const PreparedChannel& c, const std::vector<model::StreamBeat>& expected) {
    const StreamSink& sink = result_.machine->sink(c.channel->engine);
    const BeatList seen(sink.beats(), sink.bytes());
    if (seen.size() != expected.size()) {
      Fail(fmt::format("{}: its stream has {}, the model says {}", c.channel->name,
                       Counted(seen.size(), "beat"), expected.size()));
    }
    for (size_t n = 0; n < std::min(seen.size(), expected.size()); ++n) {
      ++result_.count.beats;
      if (seen[n] == expected[n]) continue;
      Fail(fmt::format("{}: beat {} of its stream differs", c.channel->name, n));
      return;
    }
  }

  const Prepared& p_;
  RunResult& result_;
  const DmaFigures& figures_;
  std::vector<ErrorEvent> errors_;
  uint64_t count_ = 0;
  std::string lines_;
};

}  // namespace

void CompareProgram(const Prepared& p, const Memory& before, RunResult* result) {
  const std::vector<std::string>& failures = result->machine->dma()->failures;
  result->failures.insert(result->failures.end(), failures.begin(), failures.end());
  Comparison(p, result).Run(before);
}

}  // namespace tessera::cli
