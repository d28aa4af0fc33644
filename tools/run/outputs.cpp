// See outputs.h.
#include "tools/run/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tools/prepare/bytes.h"
#include "tools/run/report.h"

namespace tessera::cli {
namespace {

// A file to be written: what names it in the job, and where it goes.
struct File {
  std::string place, path;
  std::function<void(const std::string& path)> write;  // not called before the run
};

std::string FileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string BeatLine(const StreamBeat& beat, std::span<const uint8_t> bytes, int lanes) {
  std::string data, keep;
  uint64_t next = beat.first;
  for (int lane = 0; lane < lanes; ++lane) {
    keep += beat.keep[lane] ? '1' : '0';
    data += beat.keep[lane] ? fmt::format("{:02x}", bytes[next++]) : "--";
  }
  return fmt::format("{{\"cycle\": {}, \"data\": \"{}\", \"keep\": \"{}\", \"last\": {}}}\n",
                     beat.cycle, data, keep, beat.last);
}

void WriteBeats(const std::string& path, const StreamSink& sink, int lanes) {
  OutputFile file(path);
  for (const StreamBeat& beat : sink.beats()) file.Write(BeatLine(beat, sink.bytes(), lanes));
  file.Commit();
}

void WriteCapture(const std::string& path, const job::Dump& dump, const StreamSink& sink) {
  std::vector<uint8_t> bytes = sink.bytes();
  if (dump.image()) {  // whole rows
    if (bytes.empty()) {
      throw OutputError(path +
                        ": cannot be written: the stream carried nothing, no image has that");
    }
    const uint64_t row = uint64_t{dump.width} * job::BytesOf(dump.pixel);
    bytes.resize((bytes.size() + row - 1) / row * row);
  }
  WriteDump(path, dump, bytes);
}

// Where something begins to happen.
uint64_t FirstCycle(const RunResult& result) {
  uint64_t first = kNever;
  for (const ChannelResult& channel : result.channels) {
    for (const JobResult& job : channel.transfers) first = std::min(first, job.offered);
  }
  return first == kNever ? 0 : first;
}

// `result` may be null before the run.
std::vector<File> FilesOf(const Prepared& p, const RunResult* result, const std::string& folder) {
  std::vector<File> files;
  const auto add = [&](const std::string& place, const std::string& name, auto&& write) {
    files.push_back({place, OutputPath(folder, name), write});
  };
  for (size_t k = 0; k < p.regions.size(); ++k) {
    const job::Region& region = p.job.memories[k];
    if (!region.dump) continue;
    add(region.dump->place, region.dump->file, [&region, &p, k, result](const std::string& path) {
      WriteDump(path, *region.dump,
                result->machine->memory().ReadBytes(region.base, p.regions[k].size));
    });
  }
  for (const PreparedChannel& c : p.channels) {
    const job::Stream& stream = c.channel->stream;
    const int engine = c.channel->engine;
    if (stream.capture) {
      add(stream.capture->place, stream.capture->file,
          [&stream, engine, result](const std::string& path) {
            WriteCapture(path, *stream.capture, result->machine->sink(engine));
          });
    }
    if (!stream.beats.empty()) {
      add(stream.place + ".beats", stream.beats, [&p, engine, result](const std::string& path) {
        WriteBeats(path, result->machine->sink(engine), p.config().stream_bytes);
      });
    }
  }
  if (!p.job.report.empty()) {
    add("report", p.job.report, [&p, result](const std::string& path) {
      constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
      WriteOutput(path, ReportOf(p, *result).dump(2, ' ', false, kReplace) + "\n");
    });
  }
  if (!p.job.timeline.empty()) {
    add("timeline", p.job.timeline, [&p, result](const std::string& path) {
      const timeline::Timeline& seen = result->machine->dma()->timeline;
      WriteOutput(path, DrawTimeline(seen, fmt::format("{}: tessera_dma {}, {}",
                                                       FileName(p.job.file), p.config().name,
                                                       Counted(seen.last - seen.first, "cycle"))));
    });
  }
  if (!p.job.wave.empty() && (result == nullptr || result->unwritten.empty())) {
    const std::string wave = OutputPath(folder, p.job.wave);
    add("the save file of wave", SaveFileOf(p.job.wave),
        [&p, wave, result](const std::string&) { WriteSaveFile(wave, p, FirstCycle(*result)); });
  }
  return files;
}

void AddInput(const Prepared& p, const std::optional<job::Contents>& contents, FileNames* names) {
  if (!contents || contents->file.empty()) return;
  const bool image = contents->kind == job::Contents::Kind::kImage;
  names->Input(contents->place + (image ? ".image" : ".file"), p.job.Resolve(contents->file));
}

}  // namespace

std::string OutputPath(const std::string& folder, const std::string& name) {
  return std::filesystem::path(name).is_absolute()
             ? name
             : (std::filesystem::path(folder) / name).lexically_normal().string();
}

void CheckNames(const Prepared& p, const std::string& folder,
                const std::set<std::string>& options) {
  FileNames names;
  const auto output = [&](const std::string& place, const std::string& path) {
    names.Output((options.contains(place) ? "--" : "") + place, path);
  };
  try {
    names.Input("the job", p.job.file);
    for (const job::Region& region : p.job.memories) {
      AddInput(p, region.data, &names);
      AddInput(p, region.expect, &names);
    }
    for (const job::Channel& channel : p.job.channels) {
      AddInput(p, channel.stream.source, &names);
      AddInput(p, channel.stream.expect, &names);
    }
    for (const File& file : FilesOf(p, nullptr, folder)) output(file.place, file.path);
    if (!p.job.wave.empty()) output("wave", OutputPath(folder, p.job.wave));
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    throw job::Error(what.starts_with("--") ? what : fmt::format("{}: {}", p.job.file, what));
  }
}

void CheckOutputs(const Prepared& p, const std::string& folder) {
  if (!p.job.wave.empty()) CheckOutput(OutputPath(folder, p.job.wave));
  for (const File& file : FilesOf(p, nullptr, folder)) CheckOutput(file.path);
}

Written WriteOutputs(const Prepared& p, const RunResult& result, const std::string& folder) {
  Written written;
  if (!p.job.wave.empty() && result.unwritten.empty()) {
    written.paths.push_back(OutputPath(folder, p.job.wave));
  }
  if (!result.unwritten.empty()) written.failures.push_back(result.unwritten);
  for (const File& file : FilesOf(p, &result, folder)) {
    try {
      file.write(file.path);
      written.paths.push_back(file.path);
    } catch (const std::exception& error) {
      written.failures.emplace_back(error.what());
    }
  }
  return written;
}

}  // namespace tessera::cli
