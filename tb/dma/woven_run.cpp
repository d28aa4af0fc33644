// Runs woven programs through the driver and compares them with the sequencer model.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>

#include "sw/driver/tessera/text.hpp"
#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/dma/cut_locks.h"
#include "tb/dma/program_parts.h"
#include "tb/dma/random_program.h"
#include "tb/dma/sequencer_model.h"
#include "tb/dma/software.h"
#include "tb/dma/who_waits.h"
#include "tb/dma/woven_program.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr uint64_t kStill = 20000;  // without a record, and without a move
// An abort writes the words that it has: 256 bursts of one beat, to a memory that takes 1000 cycles
// a burst.
constexpr driver::Timeout kDrained = driver::Timeout::Cycles(256000);

// One program on a bench, with the model beside it.
class Run {
 public:
  Run(DmaBench* bench, WovenProgram program, uint64_t seed, bool surplus,
      std::vector<model::ErrorRange> errors)
      : bench_(*bench),
        config_(bench->config()),
        software_(bench),
        rng_(Rng(seed).Stream("woven run")),
        program_(std::move(program)),
        surplus_(surplus),
        errors_(std::move(errors)),
        channels_(static_cast<size_t>(config_.channels())) {
    software_.bus().write = [this](uint32_t address, uint32_t value) { Poke(address, value); };
  }

  void Prepare() {
    bench_.memory().ClearTouched();
    for (int p = 0; p < config_.ports; ++p) errors_before_.push_back(bench_.errors(p).size());
    if (config_.control_packets) {
      bench_.Set(0x58, 0x3fffc);
      bench_.Set(0x50, 3);
    }
    packets_ = config_.control_packets;
    for (size_t k = 0; k < program_.locks.size(); ++k) {
      software_.SetLock(static_cast<int>(k), program_.locks[k]);
    }
    for (int c = 0; c < config_.channels(); ++c) SetUp(c);
    for (const auto& [number, descriptor] : program_.descriptors) {
      software_.Write(number, descriptor);
    }
    packets_ = false;
    if (config_.counters) bench_.Set(native::kGlobalControl, native::kClearCounters);
    for (int c = 0; c < config_.channels(); ++c) {
      bench_.Set(At(c) + native::kIrqStatus, driver::map::kIrqAll);
      channels_[static_cast<size_t>(c)].interrupts = 0;
    }
    before_ = std::make_unique<Memory>(bench_.memory());
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

  // Throws if the program has no end: what others wait for was left out of it.
  void NeedEnd() {
    model::MemoryImage image(Before());
    SequencerModel model(config_, &image, errors_);
    RunModel(&model, true);
    if (!model.Finished()) throw std::runtime_error("what is kept does not come to an end");
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
      if (bench_.StandsStill(last, kStill)) {
        throw std::runtime_error(fmt::format("no record for more than {} cycles\n{}{}{}", kStill,
                                             WhoWaits(&bench_), program_.text, bench_.Dump()));
      }
      bench_.Step(static_cast<int>(rng_.Below(30)));
    }
    return false;
  }

  // Ends everything at once, by an abort or a reset of each channel. `reset_too`: after the aborts
  // everything is reset.
  void Cut(Disturbance how, bool reset_too) {
    const auto end = [this](int c, bool abort, driver::Timeout timeout) {
      return abort ? Driver(c).Abort(timeout) : Driver(c).Reset(timeout);
    };
    const bool abort = how == Disturbance::kAbort;
    const uint64_t begin = bench_.cycle();
    // Most have not ended when it returns; the channel goes on with it.
    for (int c = 0; c < config_.channels(); ++c) (void)end(c, abort, driver::Timeout::Turns(0));
    for (int w = 0; w < config_.writes; ++w) bench_.source(w).DiscardUnsent();
    for (int c = 0; c < config_.channels(); ++c) Rest(c, end(c, abort, kDrained));
    cut_off_ = !abort && bench_.cycle() - begin >= static_cast<uint64_t>(config_.silence);
    for (int c = 0; c < config_.channels(); ++c) {
      // An event that others sent while they came to rest would start a task of the next program.
      if (reset_too || Told(c).trigger != 0) {
        Rest(c, end(c, false, kDrained));
      } else {
        bench_.Step(40);  // ERROR follows
      }
      PopAll(c);
      channels_[static_cast<size_t>(c)].error = bench_.Get(At(c) + native::kError);
      Driver(c).TakeError();
    }
  }

  // Compares what came with the model. Of a program that was cut: nothing came that the whole one
  // would not have brought, records and locks tell of the same transfers.
  void Compare(bool cut, ProgramResult* result) {
    model::MemoryImage image(Before());
    SequencerModel model(config_, &image, errors_);
    RunModel(&model, cut);
    if (!model.Finished()) {
      for (int c = 0; c < config_.channels(); ++c) Fail(model.WhoWaits(c));
      Fail("the model does not come to an end");
    }
    for (int c = 0; c < config_.channels(); ++c) {
      CompareRecords(c, model, cut);
      CompareErrors(c, model, cut);
      if (!cut) CompareInterrupts(c, model);
      if (!cut && config_.counters) CompareCounters(c, model);
    }
    CompareTokens(model, cut);
    for (int r = 0; r < config_.reads; ++r) CompareBeats(r, model, cut);
    CompareLocks(model, cut);
    CompareMemory(image, cut);
    if (config_.control_packets && bench_.Get(0x5c) != 0) Fail("PACKET_STATUS is not 0");
    result->executions += model.executed();
    result->compared += compared_;
    result->errors += bus_errors_;
    result->cycles = bench_.cycle();
    for (const std::string& line : failures_) result->message += line + "\n";
    if (!failures_.empty()) result->message += program_.text;
    if (!cut && compared_ == 0) result->message += "nothing was compared";
  }

 private:
  struct Channel {
    size_t pushed = 0;
    std::vector<native::Record> records;
    uint32_t error = 0;       // when it was cut
    uint32_t interrupts = 0;  // that the driver has cleared
    uint64_t fire_again = 0;
  };

  Direction Way(int c) const { return c < config_.reads ? Direction::kRead : Direction::kWrite; }
  int Number(int c) const { return c < config_.reads ? c : c - config_.reads; }
  uint32_t At(int c) const { return native::Channel(Way(c), Number(c)); }
  Software::Channel& Driver(int c) { return software_.channel(Way(c), Number(c)); }
  const WovenProgram::Channel& Told(int c) const {
    return program_.channels[static_cast<size_t>(c)];
  }
  static uint32_t ErrorOf(const model::Record& r) {
    return (r.slverr || r.decerr ? 2U : 0U) | (r.overlong ? 4U : 0U) |
           (r.partial_element ? 8U : 0U) | (r.sparse_keep ? 16U : 0U) | (r.illegal ? 32U : 0U);
  }
  static uint32_t ErrorOf(std::span<const ModelRecord> records) {
    uint32_t error = 0;
    for (const ModelRecord& record : records) error |= ErrorOf(record.done);
    return error;
  }
  void Fail(const std::string& message) {
    if (!message.empty() && failures_.size() < 20) failures_.push_back(message);
  }

  model::MemoryImage::PageBackground Before() const {
    return [this](uint64_t address, std::span<uint8_t> page) { before_->Read(address, page); };
  }
  // The whole program, with streams as they came or as they were planned.
  void RunModel(SequencerModel* model, bool planned) {
    Tell(model);
    for (int w = 0; w < config_.writes; ++w) model->Feed(w, planned ? Planned(w) : Accepted(w));
    for (size_t c = 0; c < channels_.size(); ++c) {
      for (const auto& push : program_.channels[c].tasks) {
        model->Write(At(static_cast<int>(c)) + native::kTag, push.tag);
        model->Write(At(static_cast<int>(c)) + native::kTask, push.task.Word());
      }
    }
    model->Run();
  }

  // A channel is told what it is, by the driver.
  void SetUp(int c) {
    const WovenProgram::Channel& told = Told(c);
    Software::Must(Driver(c).SetStanding(told.weight, 0, 0, 0, told.controller), "SetStanding");
    if (config_.triggers) Software::Must(Driver(c).SetTrigger(told.trigger), "SetTrigger");
    if (told.silent_ends) software_.PushByRegister(Way(c), Number(c));
    if (!told.list.empty()) software_.SetArray(Way(c), Number(c), told.list_base, told.list);
  }
  // The same as register writes, by the manual.
  void Tell(SequencerModel* model) const {
    for (size_t k = 0; k < program_.locks.size(); ++k) {
      model->Write(native::kLocks + 0x10 * static_cast<uint32_t>(k),
                   static_cast<uint32_t>(program_.locks[k]));
    }
    for (int c = 0; c < config_.channels(); ++c) {
      const WovenProgram::Channel& told = Told(c);
      model->Write(At(c) + native::kStanding, told.weight | told.controller << 16);
      model->Write(At(c) + native::kTrigger, told.trigger);
      model->Write(At(c) + native::kListBase, static_cast<uint32_t>(told.list_base));
      model->Write(At(c) + native::kListBase + 4, static_cast<uint32_t>(told.list_base >> 32));
      model->Write(At(c) + native::kListCount, static_cast<uint32_t>(told.list.size()));
      model->Write(At(c) + native::kListControl, (native::kListPitch / 64 - 1) << 4);
    }
    for (const auto& [number, descriptor] : program_.descriptors) {
      const native::Image image = native::Encode(descriptor);
      const auto put = [&, at = 0x40 * static_cast<uint32_t>(number)](uint32_t area,
                                                                      const native::Words& words) {
        for (uint32_t w = 0; w < words.size(); ++w) model->Write(area + at + 4 * w, words[w]);
      };
      if (image.bounds) put(native::kBounds, *image.bounds);
      if (image.walk) put(native::kWalks, *image.walk);
      put(native::kDescriptors, image.base);
    }
  }
  void Rest(int c, const driver::Status& status) {
    if (status.ok()) return;
    throw std::runtime_error(fmt::format("channel {} does not come to rest: {}\n{}", c,
                                         driver::Text(status.reason()), WhoWaits(&bench_)));
  }

  // A register write of the driver, on AXI4-Lite or as a control packet.
  void Poke(uint32_t address, uint32_t value) {
    for (int c = 0; c < config_.channels(); ++c) {
      if (address == At(c) + native::kIrqStatus)
        channels_[static_cast<size_t>(c)].interrupts |= value;
    }
    if (!packets_ || rng_.Chance(0.5)) {
      bench_.Set(address, value);
      return;
    }
    std::vector<uint32_t> packet;
    if (config_.control_headed) packet.push_back(Sealed(static_cast<uint32_t>(rng_.Below(32))));
    packet.push_back(Sealed(address));
    packet.push_back(value);
    bench_.control().Push(packet);
    if (!bench_.Until([this] { return bench_.control().empty(); }, 5000)) {
      throw std::runtime_error("a control packet is not taken");
    }
  }

  bool Serve(int c) {
    Channel& channel = channels_[static_cast<size_t>(c)];
    const auto& tasks = Told(c).tasks;
    const uint32_t status = bench_.Get(At(c) + native::kStatus);
    bool moved = false;
    packets_ = config_.control_packets;
    if (channel.pushed < tasks.size() &&
        software_.Push(Way(c), Number(c), tasks[channel.pushed].task, tasks[channel.pushed].tag)) {
      ++channel.pushed;
      moved = true;
    }
    packets_ = false;
    if ((status & 15) == 1 && bench_.cycle() > channel.fire_again) moved = Event(c) || moved;
    return PopAll(c) || moved;
  }
  // Gives a channel the event of software or of a pin that it waits for.
  bool Event(int c) {
    const uint32_t source = bench_.Get(At(c) + native::kTrigger);
    if (source < 0x10 || source >= 0x30) return false;
    if (source >= 0x20) {
      packets_ = config_.control_packets;
      Software::Must(software_.device().Trigger(source - 0x20), "Device::Trigger");
      packets_ = false;
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
    while (auto record = software_.Pop(Way(c), Number(c)))
      channel.records.push_back(std::move(*record));
    return channel.records.size() != before;
  }
  bool Rests(int c) {
    const Channel& channel = channels_[static_cast<size_t>(c)];
    if (channel.pushed < Told(c).tasks.size()) return false;
    return (bench_.Get(At(c) + native::kStatus) >> 16 & 1) == 0 && !PopAll(c);
  }
  // The driver would take the records, of tasks that it has not pushed.
  void Drain(int c, uint32_t turns) {
    const uint32_t control = At(c) + native::kControl;
    bench_.Set(control, bench_.Get(control) | driver::map::kControlDrain);
    for (uint32_t n = 0; n < turns; ++n) {
      if ((bench_.Get(At(c) + native::kStatus) & driver::map::kStatusIdle) != 0) return;
    }
  }
  void Pause(int c) {
    const auto turns = static_cast<uint32_t>(rng_.Below(20));
    if (rng_.Chance(0.5)) {
      const driver::Status status = Driver(c).Pause(driver::Timeout::Turns(turns));
      if (status.reason() != driver::Reason::timeout) Software::Must(status, "a pause");
    } else {
      Drain(c, turns);
    }
    bench_.Step(static_cast<int>(rng_.Below(80)));
    Driver(c).Resume();
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
      const bool bus_error = e.done.slverr || e.done.decerr;
      bus_errors_ += bus_error;
      if (c >= config_.reads && bus_error) {
        if (!IsBurstWithError(s.done.addr))
          Fail(fmt::format("{}: at {:#x} no burst was answered with an error", name, s.done.addr));
      } else {
        same("address", s.done.addr, e.done.addr);
      }
    }
    if (!cut && seen.size() != expected.size()) {
      Fail(fmt::format("channel {}: {}, expected {}", c, Counted(seen.size(), "record"),
                       expected.size()));
    }
  }

  // Whether memory has answered a burst to it from this address with an error, since Prepare().
  bool IsBurstWithError(uint64_t address) const {
    for (int p = 0; p < config_.ports; ++p) {
      const std::vector<ErrorEvent>& events = bench_.errors(p);
      for (size_t n = errors_before_[static_cast<size_t>(p)]; n < events.size(); ++n) {
        if (events[n].direction == Direction::kWrite && events[n].burst_addr == address)
          return true;
      }
    }
    return false;
  }
  // ERROR is what the records say; of a channel that was cut nothing but that and the abort.
  void CompareErrors(int c, const SequencerModel& model, bool cut) {
    const uint32_t expected = ErrorOf(model.records(c));
    const Channel& channel = channels_[static_cast<size_t>(c)];
    if (cut) {
      const uint32_t others = channel.error & ~(expected | driver::map::kErrorAborted);
      if (others != 0) Fail(fmt::format("channel {}: ERROR has {:#x} as well", c, others));
      return;
    }
    if ((bench_.Get(At(c) + native::kStatus) >> 29 & 1) != 0 || model.missed(c)) {
      Fail(fmt::format("channel {} missed a trigger", c));
    }
    const uint32_t error = bench_.Get(At(c) + native::kError);
    if (error != expected)
      Fail(fmt::format("channel {}: ERROR is {:#x}, expected {:#x}", c, error, expected));
    CompareFirstError(c);
  }
  // ERROR_INFO and ERROR_ADDR are of the first record that tells of an error.
  void CompareFirstError(int c) {
    for (const native::Record& record : channels_[static_cast<size_t>(c)].records) {
      if (record.done.status == 0) continue;
      ++compared_;
      const uint32_t info = bench_.Get(At(c) + native::kErrorInfo);
      const uint64_t address = bench_.Get64(At(c) + native::kErrorAddr);
      if (info != static_cast<uint32_t>(record.descriptor()) || address != record.done.addr) {
        Fail(
            fmt::format("channel {}: ERROR_INFO is {:#x}, ERROR_ADDR {:#x}, expected {:#x} and "
                        "{:#x}",
                        c, info, address, record.descriptor(), record.done.addr));
      }
      return;
    }
  }

  // Causes of transfers and records; others depend on when software looked.
  void CompareInterrupts(int c, const SequencerModel& model) {
    using namespace driver::map;
    uint32_t expected = ErrorOf(model.records(c)) != 0 ? kIrqError : 0;
    for (const ModelExecution& e : model.executions(c)) {
      expected |= (e.ends_task ? kIrqTask : 0) | (e.interrupts ? kIrqTransfer : 0) |
                  (e.recorded ? kIrqRecord : 0);
    }
    const uint32_t seen =
        (channels_[static_cast<size_t>(c)].interrupts | bench_.Get(At(c) + native::kIrqStatus)) &
        (kIrqTask | kIrqTransfer | kIrqRecord | kIrqError);
    ++compared_;
    if (seen != expected)
      Fail(fmt::format("channel {}: IRQ_STATUS was {:#x}, expected {:#x}", c, seen, expected));
  }

  // Counters of what does not depend on time.
  void CompareCounters(int c, const SequencerModel& model) {
    uint64_t bytes = 0, packets = 0, count = 0;
    const auto add = [&](const model::StreamBeat& beat) {
      bytes += beat.keep.count();
      packets += beat.last ? 1 : 0;
      ++count;
    };
    if (c < config_.reads) {
      std::ranges::for_each(model.beats(c), add);
    } else {
      std::ranges::for_each(Accepted(c - config_.reads), add);
    }
    const auto same = [&](const char* name, uint32_t offset, uint64_t expected) {
      const uint32_t is = bench_.Get(At(c) + offset);
      ++compared_;
      if (is != static_cast<uint32_t>(expected))
        Fail(fmt::format("channel {}: {} is {}, expected {}", c, name, is, expected));
    };
    same("COUNT_TRANSFERS", native::kCountTransfers, model.executions(c).size());
    same("COUNT_BEATS", native::kCountBeats, count);
    same("COUNT_BYTES", native::kCountBytes, bytes);
    same("COUNT_PACKETS", native::kCountPackets, packets);
  }

  // Those of a program that was cut are the first of what there would have been.
  void CompareTokens(const SequencerModel& model, bool cut) {
    std::map<uint32_t, std::vector<uint32_t>> expected, seen;  // by actor
    for (int c = 0; c < config_.channels(); ++c) {
      for (const uint32_t word : model.tokens(c)) expected[word >> 8 & 0xff].push_back(word);
    }
    for (const StreamWord& word : bench_.tokens().Take()) {
      seen[word.data >> 8 & 0xff].push_back(word.data);
      ++compared_;
      if (!word.last) Fail("a token without TLAST");
    }
    if (cut) {
      for (const auto& [actor, words] : seen) {
        const std::vector<uint32_t>& all = expected[actor];
        if (words.size() > all.size() || !std::equal(words.begin(), words.end(), all.begin()))
          Fail(fmt::format("actor {:#x}: a token that is not due", actor));
      }
    } else if (seen != expected) {
      for (const auto& [actor, words] : expected) {
        Fail(fmt::format("actor {:#x}: {}, expected {}", actor,
                         Counted(seen[actor].size(), "token"), words.size()));
      }
      Fail("tokens differ");
    }
  }

  // A program that was cut sends a part of them, and then at most what closes a packet: no byte,
  // with TLAST.
  void CompareBeats(int r, const SequencerModel& model, bool cut) {
    const BeatList list(bench_.sink(r).beats(), bench_.sink(r).bytes());
    const size_t first = sink_beats_[static_cast<size_t>(r)];
    const auto& expected = model.beats(r);
    if (!cut && list.size() - first != expected.size()) {
      Fail(fmt::format("stream {}: {}, expected {}", r, Counted(list.size() - first, "beat"),
                       expected.size()));
    }
    for (size_t n = 0; n < expected.size() && first + n < list.size(); ++n) {
      ++compared_;
      if (cut && first + n + 1 == list.size() && list[first + n].last &&
          list[first + n].keep.none())
        return;
      if (!(list[first + n] == expected[n])) {
        Fail(fmt::format("stream {}: beat {} differs", r, n));
        return;
      }
    }
  }

  void CompareLocks(const SequencerModel& model, bool cut) {
    if (cut) {
      std::vector<std::vector<native::Record>> records;
      for (const Channel& channel : channels_) records.push_back(channel.records);
      const LocksCompared compared =
          CompareCutLocks(model, program_.locks, records, cut_off_,
                          [this](int k) { return software_.LockValue(k); });
      compared_ += static_cast<uint64_t>(compared.locks);
      for (const std::string& difference : compared.differences) Fail(difference);
      return;
    }
    for (int k = 0; k < config_.locks; ++k) {
      const int value = software_.LockValue(k);
      ++compared_;
      if (value != model.lock(k) && static_cast<size_t>(k) < program_.locks.size()) {
        Fail(fmt::format("lock {} is {}, expected {}", k, value, model.lock(k)));
      }
    }
  }

  // A program that was cut has written a part of it. A byte that is written more than once may have
  // any of its values.
  void CompareMemory(const model::MemoryImage& image, bool cut) {
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
        if (cut &&
            (!touched || (written && (found->second->rewritten[n / 64] >> (n % 64) & 1) != 0)))
          continue;
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
    if (cut) return;
    for (const auto& [address, page] : expected) {
      const bool written = std::any_of(page->written.begin(), page->written.end(),
                                       [](uint64_t w) { return w != 0; });
      if (written) Fail(fmt::format("page {:#x} was not written", address));
    }
  }

  DmaBench& bench_;
  const DmaConfig config_;
  Software software_;
  Rng rng_;
  WovenProgram program_;
  bool surplus_;
  std::vector<model::ErrorRange> errors_;  // where memory answers with one
  std::vector<size_t> errors_before_;      // of each port: those that were there
  bool packets_ = false;                   // writes of the driver may go as control packets
  std::unique_ptr<Memory> before_;
  std::vector<Channel> channels_;
  bool cut_off_ = false;  // a reset may have cut off what had begun
  std::vector<size_t> source_beats_, sink_beats_;
  std::vector<std::string> failures_;
  uint64_t compared_ = 0, bus_errors_ = 0;
};

}  // namespace

ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       Draws draws, const std::string& waveform, const std::string& keep) {
  WovenLook look;
  look.start_up = seed;
  look.draws = draws;
  look.keep = keep;
  look.begin = [&](DmaBench& bench) {
    if (!waveform.empty()) bench.dma().Trace(waveform);
  };
  return RunWoven(build, seed, disturbance, look);
}

ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       const WovenLook& look) {
  ProgramResult result;
  try {
    std::unique_ptr<Dma> dma = MakeDma(build, look.start_up);
    const DmaConfig config = dma->config();
    Rng rng = Rng(seed).Stream("disturbance");
    DmaBenchOptions options = DrawBench(config, seed);
    if (rng.Chance(0.5)) options.tokens = PacerSpec::Probability(0.1);
    if (rng.Chance(0.5)) options.control = PacerSpec::Probability(0.3);
    const bool cut = disturbance == Disturbance::kAbort || disturbance == Disturbance::kReset;
    WovenProgram program = DrawWoven(config, seed), again;
    std::vector<model::ErrorRange> errors;
    if (cut) again = DrawWovenAgain(config, seed);
    Rng bus = Rng(seed).Stream("errors of the bus");
    if (cut && look.draws == Draws::kRare && bus.Chance(0.6)) {
      errors = DrawBusErrors(bus.Stream("places"), config, std::vector{program, again});
      for (const model::ErrorRange& range : errors) {
        options.memory.errors.push_back(
            ErrorRule::Range(range.first, range.last, range.decerr ? kDecErr : kSlvErr));
      }
    }
    if (!look.keep.empty()) {
      Parts parts = PartsOf(config, program, cut ? &again : nullptr);
      parts.Keep(look.keep);
      Reduce(parts, config, "", &program);
      if (cut) Reduce(parts, config, "2/", &again);
      Reduce(parts, &options);
    }
    DmaBench bench(std::move(dma), options);
    if (look.begin) look.begin(bench);
    Run first(&bench, std::move(program), seed, false, errors);
    first.Prepare();
    if (!look.keep.empty()) first.NeedEnd();
    const bool done = first.Go(cut ? rng.Between(1, 6000) : ~uint64_t{0} >> 1,
                               disturbance == Disturbance::kPause);
    // A program that was aborted may be followed by the next one without a reset between them.
    const bool reset_too = look.draws == Draws::kPlain || bus.Chance(0.5);
    if (cut && !done) first.Cut(disturbance, reset_too);
    bench.Step(200);
    first.Compare(!done, &result);
    if (!cut) {
      if (look.end) look.end(bench);
      return result;
    }
    // What it left of a beat, and what ERROR says of it, are not the business of the next one.
    if (done) first.Cut(Disturbance::kReset, true);
    Run second(&bench, std::move(again), seed, true, errors);
    second.Prepare();
    if (!look.keep.empty()) second.NeedEnd();
    second.Go(~uint64_t{0} >> 1, false);
    bench.Step(200);
    second.Compare(false, &result);
    if (look.end) look.end(bench);
  } catch (const std::exception& error) {
    result.message += error.what();
  }
  return result;
}

}  // namespace tessera
