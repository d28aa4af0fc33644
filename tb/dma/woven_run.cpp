// Runs woven programs and compares them with the sequencer model.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/dma/native.h"
#include "tb/dma/random_program.h"
#include "tb/dma/sequencer_model.h"
#include "tb/dma/who_waits.h"
#include "tb/dma/woven_program.h"

namespace tessera {
namespace {

constexpr uint64_t kStill = 20000;  // cycles without a record

// One program on a bench, with the model beside it.
class Run {
 public:
  Run(DmaBench* bench, WovenProgram program, uint64_t seed, bool surplus)
      : bench_(*bench),
        config_(bench->config()),
        rng_(Rng(seed).Stream("woven run")),
        program_(std::move(program)),
        surplus_(surplus),
        channels_(static_cast<size_t>(config_.channels())) {}

  void Prepare() {
    bench_.memory().ClearTouched();
    for (const auto& [address, bytes] : program_.loaded) bench_.memory().Load(address, bytes);
    before_ = std::make_unique<Memory>(bench_.memory());
    if (config_.control_packets) {
      bench_.Set(0x58, 0x3fffc);
      bench_.Set(0x50, 3);
    }
    for (const auto& [address, value] : program_.setup) Poke(address, value);
    for (int w = 0; w < config_.writes; ++w) {
      StreamSource& source = bench_.source(w);
      source.SetSides([w](uint64_t, uint64_t) { return StreamSide(w); });
      source_beats_.push_back(source.beats().size());
      for (const auto& piece : program_.streams[static_cast<size_t>(w)])
        source.Push(piece.bytes, piece.end);
      for (int n = 0; surplus_ && n < 40; ++n)
        source.Push(std::vector<uint8_t>(400, 0x5a), PieceEnd::kLast);
    }
    for (int r = 0; r < config_.reads; ++r) sink_beats_.push_back(bench_.sink(r).beats().size());
    bench_.tokens().Take();
  }

  // Until all is done; with a limit until then at most. False: not all is done.
  bool Go(uint64_t limit, bool pauses) {
    for (uint64_t last = bench_.cycle(), end = last + limit; bench_.cycle() < end;) {
      bool done = true, moved = false;
      for (int c = 0; c < config_.channels(); ++c) {
        if (pauses && rng_.Chance(0.05)) Pause(c);
        moved = Serve(c) || moved;
        done = done && Rests(c);
      }
      if (done) return true;
      if (moved) last = bench_.cycle();
      if (bench_.cycle() - last > kStill) {
        throw std::runtime_error(fmt::format("no record for {} cycles\n{}{}{}", kStill,
                                             WhoWaits(&bench_), program_.text, bench_.Dump()));
      }
      bench_.Step(static_cast<int>(rng_.Below(30)));
    }
    return false;
  }

  // Ends everything at once, by an abort or a reset of each channel.
  void Cut(Disturbance how) {
    for (int c = 0; c < config_.channels(); ++c)
      bench_.Set(At(c) + native::kControl, how == Disturbance::kAbort ? 4 : 8);
    for (int w = 0; w < config_.writes; ++w) bench_.source(w).DiscardUnsent();
    const uint32_t wanted = how == Disturbance::kAbort ? 1U << 18 : 1U << 20;
    for (int c = 0; c < config_.channels(); ++c) {
      for (const uint64_t end = bench_.cycle() + kStill;;) {
        const uint32_t status = bench_.Get(At(c) + native::kStatus);
        PopAll(c);
        if ((status & wanted) != 0 && (status >> 16 & 1) == 0) break;
        if (bench_.cycle() > end) {
          throw std::runtime_error(fmt::format("channel {} does not come to rest, STATUS {:#x}\n{}",
                                               c, status, WhoWaits(&bench_)));
        }
      }
    }
    // The first aborts and what follows: everything is in reset before the next program.
    for (int c = 0; c < config_.channels(); ++c) {
      bench_.Set(At(c) + native::kControl, 8);
      bench_.Step(200);
      PopAll(c);
      bench_.Set(At(c) + native::kControl, 0);
      bench_.Set(At(c) + native::kError, 0xffff);
    }
  }

  // Compares what came with the model; of a program that was cut records alone.
  void Compare(bool cut, ProgramResult* result) {
    model::MemoryImage image(model::MemoryImage::PageBackground(
        [this](uint64_t address, std::span<uint8_t> page) { before_->Read(address, page); }));
    SequencerModel model(config_, &image);
    for (const auto& [address, value] : program_.setup) model.Write(address, value);
    for (int w = 0; w < config_.writes; ++w) model.Feed(w, cut ? Planned(w) : Accepted(w));
    for (size_t c = 0; c < channels_.size(); ++c) {
      for (const auto& push : program_.tasks[c]) {
        model.Write(At(static_cast<int>(c)) + native::kTag, push.tag);
        model.Write(At(static_cast<int>(c)) + native::kTask, push.word);
      }
    }
    model.Run();
    if (!model.Finished()) {
      for (int c = 0; c < config_.channels(); ++c) Fail(model.WhoWaits(c));
      Fail("the model does not come to an end");
    }
    for (int c = 0; c < config_.channels(); ++c) CompareRecords(c, model, cut);
    if (!cut) {
      CompareTokens(model);
      for (int r = 0; r < config_.reads; ++r) CompareBeats(r, model);
      CompareLocks(model);
      CompareMemory(image);
      for (int c = 0; c < config_.channels(); ++c) {
        if ((bench_.Get(At(c) + native::kStatus) >> 29 & 1) != 0 || model.missed(c)) {
          Fail(fmt::format("channel {} missed a trigger", c));
        }
        const uint32_t error = bench_.Get(At(c) + native::kError);
        uint32_t expected = 0;  // what its records say
        for (const ModelRecord& record : model.records(c)) expected |= ErrorOf(record.done);
        if (error != expected)
          Fail(fmt::format("channel {}: ERROR is {:#x}, expected {:#x}", c, error, expected));
      }
    }
    if (config_.control_packets && bench_.Get(0x5c) != 0) Fail("PACKET_STATUS is not 0");
    result->executions += model.executed();
    result->compared += compared_;
    result->cycles = bench_.cycle();
    for (const std::string& line : failures_) result->message += line + "\n";
    if (!failures_.empty()) result->message += program_.text;
    if (!cut && compared_ == 0) result->message += "nothing was compared";
  }

 private:
  struct Channel {
    size_t pushed = 0;
    std::vector<native::Record> records;
    uint64_t fire_again = 0;
  };

  uint32_t At(int c) const {
    return c < config_.reads ? native::Channel(Direction::kRead, c)
                             : native::Channel(Direction::kWrite, c - config_.reads);
  }
  static uint32_t ErrorOf(const model::Record& r) {
    return (r.slverr || r.decerr ? 2U : 0U) | (r.overlong ? 4U : 0U) |
           (r.partial_element ? 8U : 0U) | (r.sparse_keep ? 16U : 0U) | (r.illegal ? 32U : 0U);
  }
  void Fail(const std::string& message) {
    if (!message.empty() && failures_.size() < 20) failures_.push_back(message);
  }

  // A register write, on AXI4-Lite or as a control packet.
  void Poke(uint32_t address, uint32_t value) {
    if (!config_.control_packets || rng_.Chance(0.5)) {
      bench_.Set(address, value);
      return;
    }
    const auto sealed = [](uint32_t word) {
      return word | static_cast<uint32_t>(__builtin_parity(word) == 0) << 31;
    };
    std::vector<uint32_t> packet;
    if (config_.control_headed) packet.push_back(sealed(static_cast<uint32_t>(rng_.Below(32))));
    packet.push_back(sealed(address));
    packet.push_back(value);
    bench_.control().Push(packet);
    if (!bench_.Until([this] { return bench_.control().empty(); }, 5000)) {
      throw std::runtime_error("a control packet is not taken");
    }
  }

  bool Serve(int c) {
    Channel& channel = channels_[static_cast<size_t>(c)];
    const auto& tasks = program_.tasks[static_cast<size_t>(c)];
    const uint32_t status = bench_.Get(At(c) + native::kStatus);
    bool moved = false;
    if (channel.pushed < tasks.size() && (status >> 24 & 0x1f) != 0) {
      Poke(At(c) + native::kTag, tasks[channel.pushed].tag);
      Poke(At(c) + native::kTask, tasks[channel.pushed].word);
      ++channel.pushed;
      moved = true;
    }
    if ((status & 15) == 1 && bench_.cycle() > channel.fire_again) moved = Event(c) || moved;
    return PopAll(c) || moved;
  }
  // Gives a channel the event of software or of a pin that it waits for.
  bool Event(int c) {
    const uint32_t source = bench_.Get(At(c) + native::kTrigger);
    if (source < 0x10 || source >= 0x30) return false;
    if (source >= 0x20) {
      Poke(0x34, 1U << (source - 0x20));
    } else {
      bench_.dma().triggers = static_cast<uint16_t>(1U << (source - 0x10));
      bench_.Step(static_cast<int>(rng_.Between(4, 8)));
      bench_.dma().triggers = 0;
    }
    bench_.Step(16);  // until STATUS follows
    channels_[static_cast<size_t>(c)].fire_again = bench_.cycle();
    return true;
  }
  bool PopAll(int c) {
    Channel& channel = channels_[static_cast<size_t>(c)];
    const size_t before = channel.records.size();
    const Direction way = c < config_.reads ? Direction::kRead : Direction::kWrite;
    const int number = c < config_.reads ? c : c - config_.reads;
    while (auto record = native::Pop(&bench_, way, number))
      channel.records.push_back(std::move(*record));
    return channel.records.size() != before;
  }
  bool Rests(int c) {
    const Channel& channel = channels_[static_cast<size_t>(c)];
    if (channel.pushed < program_.tasks[static_cast<size_t>(c)].size()) return false;
    return (bench_.Get(At(c) + native::kStatus) >> 16 & 1) == 0 && !PopAll(c);
  }
  void Pause(int c) {
    bench_.Set(At(c) + native::kControl, rng_.Chance(0.5) ? 1 : 2);
    bench_.Step(static_cast<int>(rng_.Below(150)));
    bench_.Set(At(c) + native::kControl, 0);
  }

  // ---- Comparison
  // --------------------------------------------------------------------------------

  std::vector<model::StreamBeat> Accepted(int w) {
    const BeatList list(bench_.source(w).beats(), bench_.source(w).bytes());
    std::vector<model::StreamBeat> beats;
    for (size_t n = source_beats_[static_cast<size_t>(w)]; n < list.size(); ++n)
      beats.push_back(list[n]);
    return beats;
  }
  // The beats that the stream would have had: dense ones.
  std::vector<model::StreamBeat> Planned(int w) {
    const size_t width = static_cast<size_t>(config_.channel.stream_bytes);
    std::vector<model::StreamBeat> beats;
    for (const auto& piece : program_.streams[static_cast<size_t>(w)]) {
      for (size_t n = 0; n < piece.bytes.size(); n += width) {
        model::StreamBeat& beat = beats.emplace_back();
        for (size_t lane = 0; lane < width && n + lane < piece.bytes.size(); ++lane) {
          beat.data[lane] = piece.bytes[n + lane];
          beat.keep.set(lane);
        }
        beat.last = piece.end == PieceEnd::kLast && n + width >= piece.bytes.size();
      }
    }
    return beats;
  }

  void CompareRecords(int c, const SequencerModel& model, bool cut) {
    const auto& seen = channels_[static_cast<size_t>(c)].records;
    const auto& expected = model.records(c);
    bool aborted = false;
    for (size_t n = 0; n < seen.size(); ++n) {
      const std::string name = fmt::format("record {} of channel {}", n, c);
      const native::Record& s = seen[n];
      aborted = aborted || (s.done.status & rtl::Status::kAborted) != 0;
      if (cut && aborted) continue;  // a transfer without an error may have asked for no record
      if (n >= expected.size()) {
        Fail(name + " is one too many");
        return;
      }
      const ModelRecord& e = expected[n];
      ++compared_;
      const auto same = [&](const char* field, uint64_t is, uint64_t want) {
        if (is != want) Fail(fmt::format("{}: {} is {:#x}, expected {:#x}", name, field, is, want));
      };
      same("descriptor", static_cast<uint64_t>(s.descriptor()),
           static_cast<uint64_t>(e.descriptor));
      same("tag", s.tag, e.tag);
      same("task end", s.task_end(), e.task_end);
      const bool received = config_.side && c >= config_.reads;
      same("side", s.side, received ? ReceivedSide(c - config_.reads, s) : e.side);
      same("bytes", s.done.bytes, e.done.bytes);
      same("dropped", s.done.dropped, e.done.dropped);
      same("last", s.done.last, e.done.last);
      same("status", s.done.status, StatusOf(e.done));
      same("address", s.done.addr, e.done.addr);
    }
    if (!cut && seen.size() != expected.size()) {
      Fail(fmt::format("channel {}: {} records, expected {}", c, seen.size(), expected.size()));
    }
  }

  void CompareTokens(const SequencerModel& model) {
    std::map<uint32_t, std::vector<uint32_t>> expected, seen;  // by actor
    for (int c = 0; c < config_.channels(); ++c) {
      for (const uint32_t word : model.tokens(c)) expected[word >> 8 & 0xff].push_back(word);
    }
    for (const StreamWord& word : bench_.tokens().Take()) {
      seen[word.data >> 8 & 0xff].push_back(word.data);
      ++compared_;
      if (!word.last) Fail("a token without TLAST");
    }
    if (seen != expected) {
      for (const auto& [actor, words] : expected) {
        Fail(fmt::format("actor {:#x}: {} tokens, expected {}", actor, seen[actor].size(),
                         words.size()));
      }
      Fail("tokens differ");
    }
  }

  void CompareBeats(int r, const SequencerModel& model) {
    const BeatList list(bench_.sink(r).beats(), bench_.sink(r).bytes());
    const size_t first = sink_beats_[static_cast<size_t>(r)];
    const auto& expected = model.beats(r);
    if (list.size() - first != expected.size()) {
      Fail(
          fmt::format("stream {}: {} beats, expected {}", r, list.size() - first, expected.size()));
    }
    for (size_t n = 0; n < expected.size() && first + n < list.size(); ++n) {
      ++compared_;
      if (!(list[first + n] == expected[n])) {
        Fail(fmt::format("stream {}: beat {} differs", r, n));
        return;
      }
    }
  }

  void CompareLocks(const SequencerModel& model) {
    for (int k = 0; k < config_.locks; ++k) {
      const uint32_t value = bench_.Get(native::kLocks + 0x10 * static_cast<uint32_t>(k));
      ++compared_;
      if (value != static_cast<uint32_t>(model.lock(k)) && Used(k)) {
        Fail(fmt::format("lock {} is {}, expected {}", k, value, model.lock(k)));
      }
    }
  }
  bool Used(int k) const {
    return std::any_of(program_.setup.begin(), program_.setup.end(), [k](const auto& write) {
      return write.first == native::kLocks + 0x10 * static_cast<uint32_t>(k);
    });
  }

  void CompareMemory(const model::MemoryImage& image) {
    std::map<uint64_t, const model::MemoryImage::Page*> expected;
    image.ForEachPage(
        [&](uint64_t address, const model::MemoryImage::Page& page) { expected[address] = &page; });
    for (const Memory::TouchedPage& page : bench_.memory().TouchedPages()) {
      const auto found = expected.find(page.addr);
      for (uint64_t n = 0; n < Memory::kPageBytes; ++n) {
        const bool touched = (page.touched[n / 64] >> (n % 64) & 1) != 0;
        const bool written =
            found != expected.end() && (found->second->written[n / 64] >> (n % 64) & 1) != 0;
        compared_ += touched ? 1 : 0;
        if (touched != written) {
          Fail(fmt::format("memory {:#x} {}", page.addr + n,
                           touched ? "was written" : "was not written"));
        } else if (touched && page.bytes[n] != found->second->bytes[n]) {
          Fail(fmt::format("memory {:#x} is {:#x}, expected {:#x}", page.addr + n, page.bytes[n],
                           found->second->bytes[n]));
        }
      }
      if (found != expected.end()) expected.erase(found);
    }
    for (const auto& [address, page] : expected) {
      const bool written = std::any_of(page->written.begin(), page->written.end(),
                                       [](uint64_t w) { return w != 0; });
      if (written) Fail(fmt::format("page {:#x} was not written", address));
    }
  }

  DmaBench& bench_;
  const DmaConfig config_;
  Rng rng_;
  WovenProgram program_;
  bool surplus_;
  std::unique_ptr<Memory> before_;
  std::vector<Channel> channels_;
  std::vector<size_t> source_beats_, sink_beats_;
  std::vector<std::string> failures_;
  uint64_t compared_ = 0;
};

}  // namespace

ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       const std::string& waveform) {
  ProgramResult result;
  try {
    std::unique_ptr<Dma> dma = MakeDma(build, seed);
    const DmaConfig config = dma->config();
    Rng rng = Rng(seed).Stream("disturbance");
    DmaBenchOptions options = DrawBench(config, seed);
    if (rng.Chance(0.5)) options.tokens = PacerSpec::Probability(0.1);
    if (rng.Chance(0.5)) options.control = PacerSpec::Probability(0.3);
    DmaBench bench(std::move(dma), options);
    if (!waveform.empty()) bench.dma().Trace(waveform);
    for (int c = 0; config.windows > 0 && c < config.channels(); ++c) native::OpenWindow(&bench, c);
    const bool cut = disturbance == Disturbance::kAbort || disturbance == Disturbance::kReset;
    Run first(&bench, DrawWoven(config, seed), seed, false);
    first.Prepare();
    const bool done = first.Go(cut ? rng.Between(1, 6000) : ~uint64_t{0} >> 1,
                               disturbance == Disturbance::kPause);
    if (cut && !done) first.Cut(disturbance);
    bench.Step(200);
    first.Compare(!done, &result);
    if (!cut) return result;
    // What it left of a beat, and what ERROR says of it, are not the business of the next one.
    if (done) first.Cut(Disturbance::kReset);
    Run second(&bench, DrawWoven(config, seed + 1'000'000), seed, true);
    second.Prepare();
    second.Go(~uint64_t{0} >> 1, false);
    bench.Step(200);
    second.Compare(false, &result);
  } catch (const std::exception& error) {
    result.message += error.what();
  }
  return result;
}

}  // namespace tessera
