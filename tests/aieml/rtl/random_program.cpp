// See random_program.h.
#include "tests/aieml/rtl/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>

#include "lib/aieml/descriptor.h"
#include "lib/aieml/fields.h"
#include "tb/files/interrupt.h"

namespace tessera::aieml {
namespace {

using Words = std::vector<uint32_t>;

// A part of memory, and what a channel may use beside it.
struct Part {
  uint64_t base = 0, bytes = 0;
  std::vector<uint32_t> descriptors;
  uint32_t lock = 0;  // and the two after it
};

class Builder {
 public:
  Builder(TileKind kind, const Rng& rng, const RandomOptions& options)
      : kind_(kind), at_(OffsetsOf(kind)), rng_(rng), options_(options) {
    program_.kind = kind;
    program_.feed.resize(at_.channels);
    if (kind_ == TileKind::kShim)
      above_ = (rng_.Stream("above")() % 3 << 46) + (rng_.Stream("low")() >> 42 << 24);
  }

  RandomProgram Build() {
    for (uint32_t k = 0; k < at_.channels; ++k) {
      if (rng_.Chance(0.25)) {
        Handover(k);
      } else {
        if (rng_.Chance(0.8)) Alone(k, true);
        if (rng_.Chance(0.8)) Alone(k, false);
      }
    }
    Weave();
    return std::move(program_);
  }

 private:
  uint32_t Below(uint64_t n) { return static_cast<uint32_t>(rng_.Below(n)); }

  Part PartOf(uint32_t channel, bool to_stream) {
    const uint32_t place = 2 * channel + (to_stream ? 1 : 0);
    Part part;
    part.lock = 2 + 3 * place;
    if (kind_ == TileKind::kMemory) {
      part.bytes = 0x8000;
      part.base = place * part.bytes + (channel < 4 && rng_.Chance(0.3) ? 0 : 0x80000);
      const uint32_t first = channel % 2 * 24 + (channel / 2 * 2 + (to_stream ? 1 : 0)) * 4;
      for (uint32_t n = 0; n < 4; ++n) part.descriptors.push_back(first + n);
      part.lock = 2 + 3 * place;
    } else {
      part.bytes = kind_ == TileKind::kShim ? 0x100000 : 0x4000;
      part.base = place * part.bytes + above_;
      for (uint32_t n = 0; n < 4; ++n) part.descriptors.push_back(place * 4 + n);
    }
    return part;
  }

  // Puts a value into a field of a descriptor by name; a name that the tile lacks does nothing.
  void Put(Words* words, std::string_view name, uint32_t value) const {
    const auto put = [&](const auto& layout) {
      for (size_t n = 0; n < layout.size(); ++n) {
        for (const Field& field : layout[n]) {
          if (field.name == name) (*words)[n] = ((*words)[n] & ~field.In(~0u)) | field.In(value);
        }
      }
    };
    if (kind_ == TileKind::kShim) put(kShimBd);
    if (kind_ == TileKind::kMemory) put(kMemoryBd);
    if (kind_ == TileKind::kCompute) put(kComputeBd);
  }
  void PutBase(Words* words, uint64_t base) const {
    if (kind_ == TileKind::kShim) {
      Put(words, "Base_Address_Low", static_cast<uint32_t>(base) >> 2);
      Put(words, "Base_Address_High", static_cast<uint32_t>(base >> 32));
    } else {
      Put(words, "Base_Address", static_cast<uint32_t>(base >> 2));
    }
  }

  // Whether all executions stay within the part, whatever iteration has come to.
  bool Fits(const Words& words, const Part& part, bool to_stream) const {
    TileDescriptor d = DecodeDescriptor(kind_, words);
    if (!to_stream) d.before = d.after = {};  // what comes in has no padding
    for (const uint32_t turn : {0U, 63U}) {   // the least and the most that iteration adds
      d.iteration_current = turn;
      Walk walk(d);
      while (!walk.Done()) {
        const auto address = walk.Next();
        if (address && (*address < part.base || *address >= part.base + part.bytes)) return false;
      }
    }
    return true;
  }

  // Words of an execution that sends, padding too.
  static uint64_t Positions(const TileDescriptor& d) {
    uint64_t words = 0;
    for (Walk walk(d); !walk.Done(); walk.Next()) ++words;
    return words;
  }

  Words Shape(const Part& part, bool to_stream) {
    for (;;) {
      Words words(DescriptorWords(kind_));
      // Bits that mean nothing hold anything.
      if (rng_.Chance(0.5)) Put(&words, "Out_Of_Order_BD_ID", Below(64));
      const uint32_t length = rng_.Chance(0.05) ? 0 : 1 + Below(rng_.Chance(0.1) ? 600 : 90);
      Put(&words, "Buffer_Length", length);
      Put(&words, "Valid_BD", 1);
      PutBase(&words, part.base + 4 * Below(64));
      if (rng_.Chance(0.8)) {
        for (const char* wrap : {"D0_Wrap", "D1_Wrap", "D2_Wrap"}) {
          if (rng_.Chance(0.75)) Put(&words, wrap, 1 + Below(rng_.Chance(0.2) ? 60 : 9));
        }
        for (const char* step : {"D0_Step", "D1_Step", "D2_Step", "D3_Step"}) {
          if (rng_.Chance(0.7)) Put(&words, step, Below(rng_.Chance(0.2) ? 200 : 20));
        }
        if (to_stream && rng_.Chance(0.5)) Pad(&words);
        if (!to_stream && rng_.Chance(0.1)) Pad(&words);  // ignored
      }
      if (rng_.Chance(0.4)) {
        Put(&words, "Iteration_Wrap", Below(6));
        Put(&words, "Iteration_Step", Below(100));
        Put(&words, "Iteration_Current", Below(rng_.Chance(0.2) ? 64 : 6));
      }
      if (rng_.Chance(0.2)) Put(&words, "TLAST_Suppress", 1);
      if (kind_ == TileKind::kShim) {
        Put(&words, "AxCACHE", Below(16));
        Put(&words, "AxQoS", Below(16));
        Put(&words, "SMID", Below(16));
        Put(&words, "Burst_Length", Below(3));
      }
      if (options_.headers && rng_.Chance(0.5)) {
        Put(&words, "Enable_Packet", 1);
        Put(&words, "Packet_ID", Below(32));
        Put(&words, "Packet_Type", Below(8));
      }
      if (options_.compression) {
        Put(&words, "Enable_Compression", Below(2));
        if (rng_.Chance(0.5)) Put(&words, "Buffer_Length", (length + 7) / 8 * 8);
      }
      if (Fits(words, part, to_stream)) return words;
    }
  }
  void Pad(Words* words) {
    for (const char* name : {"D0", "D1", "D2"}) {
      const bool bounded = true;
      if (bounded && rng_.Chance(0.6)) Put(words, fmt::format("{}_Zero_Before", name), Below(4));
      if (bounded && rng_.Chance(0.6)) Put(words, fmt::format("{}_Zero_After", name), Below(4));
    }
  }

  void Describe(uint32_t bd, const Words& words) {
    for (uint32_t n = 0; n < words.size(); ++n) {
      program_.setup.emplace_back(at_.descriptor + 0x20 * bd + 4 * n, words[n]);
    }
  }
  void Acquire(Words* words, uint32_t lock, int32_t value) const {
    Put(words, "Lock_Acq_Enable", 1);
    Put(words, "Lock_Acq_ID", lock % at_.locks + at_.lock_base);
    Put(words, "Lock_Acq_Value", static_cast<uint32_t>(value));
  }
  void Release(Words* words, uint32_t lock, int32_t value) const {
    Put(words, "Lock_Rel_ID", lock % at_.locks + at_.lock_base);
    Put(words, "Lock_Rel_Value", static_cast<uint32_t>(value));
  }
  void SetLock(uint32_t lock, uint32_t value) {
    program_.setup.emplace_back(at_.lock + 0x10 * (lock % at_.locks), value);
  }

  void Push(uint32_t channel, bool to_stream, uint32_t bd, uint32_t repeats) {
    const uint32_t queue = (to_stream ? at_.mm2s : at_.s2mm) + 8 * channel + 4;
    const auto place =
        std::count_if(queues_.begin(), queues_.end(),
                      [queue](const RandomProgram::Task& task) { return task.queue == queue; });
    queues_.push_back({queue, bd | (repeats - 1) << 16 | (rng_.Chance(0.5) ? 1u << 31 : 0),
                       fmt::format("{}{}.{}", to_stream ? 'm' : 's', channel, place), channel,
                       to_stream, 0});
  }
  // A word for the task to memory that was pushed last.
  void Give(uint32_t channel, Word word) {
    program_.feed[channel].push_back(word);
    const auto last =
        std::find_if(queues_.rbegin(), queues_.rend(), [channel](const RandomProgram::Task& task) {
          return !task.to_stream && task.channel == channel;
        });
    ++last->fed;
  }
  void FeedWords(uint32_t channel, uint32_t words, bool ends) {
    for (uint32_t n = 0; n < words; ++n) {
      Word word{static_cast<uint32_t>(rng_()), ends ? n + 1 == words : rng_.Chance(0.1)};
      if (options_.compression && rng_.Chance(0.5)) word.data &= 0x00ff00ff;
      Give(channel, word);
    }
    program_.words += words;
  }

  // Compressed units for so many words: any mask, any bytes.
  void FeedUnits(uint32_t channel, uint32_t words) {
    for (uint32_t n = 0; n < words; n += 8) {
      auto mask = static_cast<uint32_t>(rng_());
      if (rng_.Chance(0.5)) mask &= static_cast<uint32_t>(rng_());
      if (rng_.Chance(0.1)) mask = rng_.Chance(0.5) ? 0 : ~0u;
      Give(channel, {mask, rng_.Chance(0.1)});
      FeedWords(channel, (static_cast<uint32_t>(std::popcount(mask)) + 3) / 4, false);
    }
    program_.words += words;
  }

  // A channel with tasks of its own: chains of its descriptors, some with locks that only it uses.
  void Alone(uint32_t channel, bool to_stream) {
    const Part part = PartOf(channel, to_stream);
    const uint32_t control = (to_stream ? at_.mm2s : at_.s2mm) + 8 * channel;
    const bool compress = options_.compression && kind_ != TileKind::kShim && rng_.Chance(0.7);
    const uint32_t finish =
        !compress && !to_stream && rng_.Chance(0.3) ? (rng_.Chance(0.5) ? 3 : 1) : 0;
    program_.setup.emplace_back(control, Below(256) << 8 | finish << 16 | (compress ? 16 : 0));
    const bool by_header = options_.headers && !to_stream && finish == 0 && rng_.Chance(0.4);
    if (by_header) {
      program_.setup.back().second |= 8;
    }
    std::vector<Words> described;
    SetLock(part.lock, 40);
    SetLock(part.lock + 1, 7);
    SetLock(part.lock + 2, rng_.Chance(0.5) ? 60 : 2);
    for (size_t n = 0; n < part.descriptors.size(); ++n) {
      Words words = Shape(part, to_stream);
      if (finish != 0 && DecodeDescriptor(kind_, words).length == 0) {
        Put(&words, "Buffer_Length", 5);
        Put(&words, "Iteration_Current", 0);
        Put(&words, "Iteration_Wrap", 0);
      }
      if (rng_.Chance(0.3)) {
        Acquire(&words, part.lock, -1 - static_cast<int32_t>(Below(5)));
        const TileDescriptor d = DecodeDescriptor(kind_, words);
        Release(&words, part.lock, -d.acquire_value);
      } else if (rng_.Chance(0.4)) {
        Acquire(&words, part.lock + 1, 7);
        Release(&words, part.lock + 2, static_cast<int32_t>(Below(9)) - 4);
      }
      if (n + 1 < part.descriptors.size() && rng_.Chance(0.5)) {
        Put(&words, "Use_Next_BD", 1);
        Put(&words, "Next_BD", part.descriptors[n + 1]);
      }
      Describe(part.descriptors[n], words);
      described.push_back(words);
    }
    if (by_header) return Packets(channel, part, described, compress);
    uint32_t executions = 0;
    const uint32_t tasks = 1 + Below(4);
    for (uint32_t t = 0; t < tasks; ++t) {
      const size_t first = Below(part.descriptors.size());
      const uint32_t repeats = rng_.Chance(0.1) ? 1 + Below(12) : 1 + Below(3);
      size_t length = 1;
      while (DecodeDescriptor(kind_, described[first + length - 1]).use_next) ++length;
      if (finish == 3 && executions + repeats * length > 8) break;
      executions += repeats * static_cast<uint32_t>(length);
      Push(channel, to_stream, part.descriptors[first], repeats);
      for (uint32_t r = 0; r < repeats; ++r) {
        for (size_t n = first; n < first + length; ++n) {
          const TileDescriptor d = DecodeDescriptor(kind_, described[n]);
          if (to_stream) {
            program_.words += Positions(d);
            continue;
          }
          const auto words = static_cast<uint32_t>(d.length);
          if (compress && d.compression) {
            FeedUnits(channel, words);
          } else {
            FeedWords(channel, finish != 0 ? 1 + Below(words) : words, finish != 0);
          }
        }
      }
    }
    program_.text += fmt::format("{} {}: {} tasks, {} executions, finish {}\n",
                                 to_stream ? "MM2S" : "S2MM", channel, tasks, executions, finish);
  }

  // Packets whose headers name the descriptors.
  void Packets(uint32_t channel, const Part& part, const std::vector<Words>& described,
               bool compress) {
    const uint32_t tasks = 1 + Below(3);
    uint32_t packets = 0;
    for (uint32_t t = 0; t < tasks; ++t) {
      const uint32_t repeats = 1 + Below(6);
      packets += repeats;
      Push(channel, false, Below(16), repeats);
      for (uint32_t r = 0; r < repeats; ++r) {
        const size_t n = Below(described.size());
        const TileDescriptor d = DecodeDescriptor(kind_, described[n]);
        Give(channel, {PacketHeader(Below(32), Below(8), part.descriptors[n], 9, 9), false});
        const auto words = static_cast<uint32_t>(d.length);
        if (compress && d.compression) {
          FeedUnits(channel, words);
        } else {
          FeedWords(channel, words, true);
        }
      }
    }
    program_.text += fmt::format("S2MM {}: {} packets\n", channel, packets);
  }

  // What comes in goes out again, a buffer at a time.
  void Handover(uint32_t channel) {
    const Part in = PartOf(channel, false), out = PartOf(channel, true);
    const uint32_t repeats = 1 + Below(8);
    Words write = Shape(in, false), read = Shape(in, true);
    Acquire(&write, in.lock, -1);
    Release(&write, in.lock + 1, 1);
    Acquire(&read, in.lock + 1, -1);
    Release(&read, in.lock, 1);
    SetLock(in.lock, 1);
    SetLock(in.lock + 1, 0);
    Describe(in.descriptors[0], write);
    Describe(out.descriptors[0], read);
    Push(channel, false, in.descriptors[0], repeats);
    Push(channel, true, out.descriptors[0], repeats);
    const auto words = static_cast<uint32_t>(DecodeDescriptor(kind_, write).length);
    program_.words += repeats * Positions(DecodeDescriptor(kind_, read));
    for (uint32_t r = 0; r < repeats; ++r) FeedWords(channel, words, false);
    program_.text += fmt::format("handover {}: {} times\n", channel, repeats);
  }

  // The order of a queue stays; those of different queues mix.
  void Weave() {
    std::vector<RandomProgram::Task> left = queues_;
    while (!left.empty()) {
      const uint32_t queue = left[Below(left.size())].queue;
      const auto next = std::find_if(left.begin(), left.end(),
                                     [&](const auto& task) { return task.queue == queue; });
      program_.tasks.push_back(*next);
      left.erase(next);
    }
  }

  TileKind kind_;
  Offsets at_;
  Rng rng_;
  RandomOptions options_;
  uint64_t above_ = 0;  // of an address of a shim: above all parts
  RandomProgram program_;
  std::vector<RandomProgram::Task> queues_;
};

}  // namespace

RandomProgram MakeRandom(TileKind kind, const Rng& rng, const RandomOptions& options) {
  return Builder(kind, rng, options).Build();
}

Parts PartsOf(const RandomProgram& program) {
  Parts parts;
  for (const RandomProgram::Task& task : program.tasks)
    parts.Add(task.name, 2 * task.channel + (task.to_stream ? 1 : 0));
  return parts;
}

void Reduce(const Parts& parts, RandomProgram* program) {
  std::vector<size_t> at(program->feed.size());  // in the feed of each channel
  std::vector<std::vector<Word>> feed(program->feed.size());
  std::vector<RandomProgram::Task> tasks;
  for (const RandomProgram::Task& task : program->tasks) {
    const std::vector<Word>& words = program->feed[task.channel];
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at[task.channel]);
    at[task.channel] += task.fed;
    if (!parts.Has(task.name)) continue;
    tasks.push_back(task);
    feed[task.channel].insert(feed[task.channel].end(), first,
                              first + static_cast<std::ptrdiff_t>(task.fed));
  }
  program->tasks = tasks;
  program->feed = feed;
}

bool Run(const RandomProgram& program, Side* side) {
  for (const auto& [offset, value] : program.setup) side->Write(offset, value);
  for (uint32_t k = 0; k < program.feed.size(); ++k) side->Feed(k, program.feed[k]);
  for (const RandomProgram::Task& task : program.tasks) side->Write(task.queue, task.word);
  return side->Settle(static_cast<uint32_t>(20000 + 100 * program.words));
}

std::string Difference(const RandomProgram& program, Side* model, Side* rtl) {
  const Offsets at = OffsetsOf(program.kind);
  std::string text;
  const auto compare = [&](const std::string& what, uint64_t expected, uint64_t got) {
    if (expected != got) text += fmt::format("{}: {:#x}, not {:#x}\n", what, got, expected);
  };
  for (uint32_t k = 0; k < at.channels; ++k) {
    const std::vector<Word> want = model->Sent(k), got = rtl->Sent(k);
    compare(fmt::format("words sent by MM2S {}", k), want.size(), got.size());
    for (size_t n = 0; n < std::min(want.size(), got.size()); ++n) {
      if (want[n].data == got[n].data && want[n].last == got[n].last) continue;
      text += fmt::format("MM2S {} word {}: {:#x} last {}, not {:#x} last {}\n", k, n, got[n].data,
                          got[n].last, want[n].data, want[n].last);
      break;
    }
    compare(fmt::format("words left of S2MM {}", k), model->Left(k), rtl->Left(k));
    const auto status = [&](const char* name, uint32_t offset) {
      compare(fmt::format("{} {}", name, k), model->Read(offset + 4 * k),
              rtl->Read(offset + 4 * k));
    };
    status("status of S2MM", at.s2mm_status);
    status("status of MM2S", at.mm2s_status);
    status("count of S2MM", at.count);
    for (int n = 0; n < 9; ++n) status("FIFO of S2MM", at.fifo);
  }
  for (const ByteDifference& byte : model->memory().Differences(rtl->memory(), 1)) {
    compare(fmt::format("memory {:#x}", byte.addr), byte.mine, byte.other);
  }
  if (model->memory().TouchedRanges() != rtl->memory().TouchedRanges()) {
    text += fmt::format("written: {} bytes, not {}\n", rtl->memory().TouchedBytes(),
                        model->memory().TouchedBytes());
  }
  for (uint32_t n = 0; n < at.locks; ++n) {
    compare(fmt::format("lock {}", n), model->Read(at.lock + 0x10 * n),
            rtl->Read(at.lock + 0x10 * n));
  }
  for (uint32_t n = 0; n < (at.locks > 32 ? 8u : 4u); n += 4) {
    compare("overflow of locks", model->Read(at.over + n), rtl->Read(at.over + n));
    compare("underflow of locks", model->Read(at.under + n), rtl->Read(at.under + n));
  }
  for (uint32_t n = 0; n < at.descriptors * 8; ++n) {
    compare(fmt::format("descriptor {} word {}", n / 8, n % 8), model->Read(at.descriptor + 4 * n),
            rtl->Read(at.descriptor + 4 * n));
  }
  std::vector<uint32_t> want = model->Tokens(), got = rtl->Tokens();
  std::sort(want.begin(), want.end());
  std::sort(got.begin(), got.end());
  if (want != got) text += fmt::format("tokens: {}, not {}\n", got.size(), want.size());
  return text;
}

std::string RunSeed(const TileConfig& config, uint64_t seed, const RandomOptions& options,
                    uint64_t* words, const std::string& keep) {
  Rng rng(seed);
  const TileKind kind = KindOf(config);
  RandomProgram program = MakeRandom(kind, rng.Stream("program"), options);
  if (!keep.empty()) {
    Parts parts = PartsOf(program);
    parts.Keep(keep);
    Reduce(parts, &program);
  }
  if (words != nullptr) *words += program.words;
  Rng port = rng.Stream("port");
  PortOptions memory;
  memory.latency_min = 1 + static_cast<uint32_t>(port.Below(3));
  memory.latency_max = memory.latency_min + static_cast<uint32_t>(port.Below(40));
  memory.stumble = port.Chance(0.5) ? 0.3 : 0;
  const double stumble = port.Chance(0.5) ? 0.4 : 0;
  std::string text;
  try {
    ModelSide model(kind, seed, stumble);
    RtlSide rtl(config, seed, memory, stumble);
    if (!Run(program, &model)) text += "the model does not end\n";
    if (!Run(program, &rtl)) text += "the RTL does not end\n";
    text += Difference(program, &model, &rtl);
  } catch (const std::exception& error) {
    text += fmt::format("{}\n", error.what());
  }
  if (text.empty()) return text;
  return fmt::format("{}{} seed {}\n{}", text, config.name, seed, program.text);
}

std::string Shrink(const TileConfig& config, uint64_t seed, const RandomOptions& options,
                   const std::string& text, uint64_t most_runs) {
  Parts parts = PartsOf(MakeRandom(KindOf(config), Rng(seed).Stream("program"), options));
  const std::string same = KindOfFailure(text);
  parts.Shrink(most_runs, [&](const Parts& fewer) {
    return !Interrupted() &&
           KindOfFailure(RunSeed(config, seed, options, nullptr, fewer.ToString())) == same;
  });
  return parts.ToString();
}

}  // namespace tessera::aieml
