// See random_array.h.
#include "tests/aieml/rtl/random_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tests/aieml/binary.h"
#include "tests/aieml/rtl/pair.h"
#include "tools/aieml/array/bus.h"
#include "tools/aieml/rtl/rtl_dma.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;
using ArrayTileName = std::pair<uint32_t, uint32_t>;  // column and row

// A descriptor of any tile: rows of `row` words, walked column by column if it is turned.
struct Plan {
  uint64_t base = 0;  // bytes, as the tile has it
  uint32_t words = 0, row = 0;
  bool turned = false;
  uint32_t before = 0, after = 0;  // zeros around each row, of a memory tile
  std::optional<uint32_t> packet = {};
  bool keeps_header = false;  // it is a word of the next channel
  uint32_t packets = 1;       // in all
  std::optional<uint32_t> next = {};
  uint32_t turns = 1;  // executions from the base on, each behind the last one
  bool locked = false;
  uint32_t acquire = 0, release = 0;  // locks, as the tile names them: takes one, gives one

  uint32_t sent() const { return words / row * (row + before + after); }
};

std::vector<uint32_t> Encode(TileKind kind, const Plan& plan) {
  // A row that is all has no end of its own: it may be longer than a wrap.
  const uint32_t row = plan.row == plan.words ? 0 : plan.row;
  const uint32_t columns = plan.turned ? plan.words / plan.row : row;
  const uint32_t step0 = plan.turned ? plan.row : 1, step1 = plan.turned ? 1 : plan.row;
  const auto low = static_cast<uint32_t>(plan.base);
  const uint32_t next = plan.next.value_or(0), has_next = plan.next ? 1 : 0;
  const uint32_t packet = plan.packet ? 1 : 0, id = plan.packet.value_or(0);
  const uint32_t turns = plan.turns - 1, step = turns == 0 ? 0 : plan.words - 1;
  const uint32_t locks = plan.locked ? 1 : 0, one = locks, less = locks * 127;
  if (kind == TileKind::kMemory) {
    return {packet << 31 | id << 23 | plan.sent(),
            plan.before << 26 | next << 20 | has_next << 19 | low / 4,
            columns << 17 | (step0 - 1),
            step1 - 1,
            0,
            plan.after << 17,
            turns << 17 | step,
            1u << 31 | one << 24 | plan.release << 16 | locks << 15 | less << 8 | plan.acquire};
  }
  const uint32_t last = next << 27 | has_next << 26 | 1u << 25 | one << 18 | plan.release << 13 |
                        locks << 12 | less << 5 | plan.acquire;
  if (kind == TileKind::kCompute) {
    return {low / 4 << 14 | plan.words,
            packet << 30 | id << 19,
            (step1 - 1) << 13 | (step0 - 1),
            columns << 13,
            turns << 13 | step,
            last};
  }
  return {plan.words, low, packet << 30 | id << 19, columns << 20 | (step0 - 1), step1 - 1, 0,
          0,          last};
}

class Maker {
 public:
  explicit Maker(const Rng& rng) : rng_(rng) {}

  RandomArray Make() {
    ArrayOptions& shape = out_.file.options;
    shape.columns = rng_.Chance(0.3) ? 2 + Below(2) : 1;
    shape.compute_rows = 2;
    for (uint32_t column = 0; column < shape.columns; ++column) {
      for (uint32_t channel = 0; channel < 2; ++channel) {
        if (channel == 0 || rng_.Chance(0.6)) Path(column, channel);
      }
    }
    if (rng_.Chance(0.4)) Stray();
    for (const auto& [address, word] : pushes_) binary_.Write(address, word);
    for (const auto& [column, channel] : ends_) binary_.Sync(column, 0, false, channel);
    out_.binary = binary_.words();
    return std::move(out_);
  }

 private:
  struct Tile {
    uint32_t column, row;
    TileKind kind;
    bool operator<(const Tile& other) const {
      return std::pair(column, row) < std::pair(other.column, other.row);
    }
  };
  struct Channel {
    Tile tile;
    bool to_stream;
    uint32_t number;
  };
  struct Used {
    uint32_t locks = 0, words = 0;
    std::map<uint32_t, uint32_t> descriptors;  // by their half
    std::set<uint32_t> channels;               // S2MM n is n, MM2S n is 8 + n
  };

  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(rng_.Below(n)); }
  static uint32_t At(const Tile& tile, uint32_t offset) {
    return AddressOf(tile.column, tile.row, offset);
  }
  Tile Shim(uint32_t column) const { return {column, 0, TileKind::kShim}; }

  std::optional<Channel> Free(const Tile& tile, bool to_stream) {
    const uint32_t channels = tile.kind == TileKind::kMemory ? 6 : 2;
    const uint32_t first = Below(channels);
    for (uint32_t n = 0; n < channels; ++n) {
      const uint32_t number = (first + n) % channels;
      if (used_[tile].channels.insert(number + (to_stream ? 8 : 0)).second) {
        return Channel{tile, to_stream, number};
      }
    }
    return std::nullopt;
  }
  uint32_t Descriptor(const Channel& channel) {
    const uint32_t half = channel.tile.kind == TileKind::kMemory ? channel.number % 2 : 0;
    return 24 * half + used_[channel.tile].descriptors[half]++;
  }
  // A lock with its first value.
  uint32_t Lock(const Tile& tile, uint32_t value) {
    const uint32_t lock = used_[tile].locks++;
    binary_.Write(At(tile, OffsetsOf(tile.kind).lock + 0x10 * lock), value);
    return lock;
  }
  void Describe(const Channel& channel, uint32_t bd, const Plan& plan) {
    const Offsets at = OffsetsOf(channel.tile.kind);
    binary_.Block(At(channel.tile, at.descriptor + 0x20 * bd), Encode(channel.tile.kind, plan));
  }
  void Control(const Channel& channel, uint32_t value) {
    const Offsets at = OffsetsOf(channel.tile.kind);
    binary_.Write(At(channel.tile, (channel.to_stream ? at.mm2s : at.s2mm) + 8 * channel.number),
                  value);
  }
  void Push(const Channel& channel, uint32_t bd, uint32_t turns, bool token) {
    const Offsets at = OffsetsOf(channel.tile.kind);
    pushes_.emplace_back(
        At(channel.tile, (channel.to_stream ? at.mm2s : at.s2mm) + 8 * channel.number + 4),
        (token ? 1u << 31 : 0) | (turns - 1) << 16 | bd);
  }
  static Endpoint End(const Channel& channel) {
    return {channel.tile.column, channel.tile.row, channel.number};
  }
  // A divisor of `words` that is at most 64 and leaves at least a block.
  uint32_t Block(uint32_t words) {
    std::vector<uint32_t> all;
    for (uint32_t n = 2; n <= std::min(words, 64u); ++n) {
      if (words % n == 0 && words / n <= 255) all.push_back(n);  // a wrap of eight bits
    }
    return all.empty() ? words : all[Below(static_cast<uint32_t>(all.size()))];
  }

  // Buffers of a tile, in its own memory or in that of its neighbour, and who uses them.
  struct Buffers {
    std::vector<uint64_t> addresses;  // as descriptors have them
    uint32_t words = 0, turns = 1;    // of each
    uint32_t free = 0, full = 0;      // locks, as descriptors have them
  };
  // A memory tile beside this one that its channels reach, or the tile itself.
  Tile Beside(const Tile& tile, bool own) {
    const auto columns = static_cast<int>(out_.file.options.columns);
    const int column = static_cast<int>(tile.column) + static_cast<int>(Below(3)) - 1;
    if (own || tile.kind != TileKind::kMemory || column < 0 || column >= columns) return tile;
    return {static_cast<uint32_t>(column), tile.row, tile.kind};
  }
  // The window of a memory tile in which it sees another: 0 west, 1 own, 2 east.
  static uint32_t Window(const Tile& tile, const Tile& other) {
    return tile.kind == TileKind::kMemory ? other.column + 1 - tile.column : 0;
  }
  Buffers Reserve(const Tile& tile, uint32_t number, uint32_t words, bool own, uint32_t turns = 1) {
    Buffers buffers;
    buffers.words = words;
    buffers.turns = turns;
    const auto lock = [&](uint32_t value) {
      const Tile at = Beside(tile, own);
      return 64 * Window(tile, at) + Lock(at, value);
    };
    buffers.free = lock(number * (1 + Below(turns)));
    buffers.full = lock(0);
    const Tile where = Beside(tile, own);
    for (uint32_t n = 0; n < number; ++n) {
      Used& used = used_[where];
      const uint32_t at = 4 * used.words;
      used.words += words * turns + Below(6);
      out_.memory.push_back({At(where, at), words * turns + 6});
      buffers.addresses.push_back(at + (Window(tile, where) << 19));
    }
    return buffers;
  }

  // The descriptors of a channel that fills or empties buffers in turn, and its task.
  Plan Serve(const Channel& channel, const Buffers& buffers, uint32_t blocks, Plan plan) {
    const auto number = static_cast<uint32_t>(buffers.addresses.size());
    std::vector<uint32_t> bds;
    for (uint32_t n = 0; n < number; ++n) bds.push_back(Descriptor(channel));
    plan.words = buffers.words;
    plan.turns = buffers.turns;
    plan.locked = true;
    plan.acquire = channel.to_stream ? buffers.full : buffers.free;
    plan.release = channel.to_stream ? buffers.free : buffers.full;
    for (uint32_t n = 0; n < number; ++n) {
      plan.base = buffers.addresses[n];
      plan.next = n + 1 < number ? std::optional(bds[n + 1]) : std::nullopt;
      Describe(channel, bds[n], plan);
    }
    const bool token = rng_.Chance(0.3);
    Control(channel, Below(256) << 8);
    Push(channel, bds[0], blocks / number, token);
    return plan;
  }

  Plan Walk(uint32_t words) {
    Plan plan;
    plan.words = words;
    plan.row = Block(words);
    plan.turned = rng_.Chance(0.5);
    return plan;
  }

  void Argument(uint32_t words, bool filled) {
    array::Argument argument;
    argument.bytes = uint64_t{4} * words;
    if (filled) argument.ramp = Below(1u << 20) * (rng_.Chance(0.3) ? 0u : 1u);
    out_.file.arguments.push_back(argument);
  }

  // From the host by MM2S `channel` of a shim through some tiles, and back by S2MM `channel`.
  void Path(uint32_t column, uint32_t number) {
    uint32_t words = (1 + Below(12)) * std::array{24u, 32u, 60u, 64u}[Below(4)];
    out_.text += fmt::format("column {} channel {}: {} words", column, number, words);
    Channel from{Shim(column), true, number};
    Plan sends = Walk(words);
    const uint32_t bd = Descriptor(from);
    Argument(words, true);
    Pack(&sends);
    Describe(from, bd, sends);
    binary_.Patch(At(from.tile, 0x1d004 + 0x20 * bd),
                  static_cast<uint32_t>(out_.file.arguments.size()) - 1, 0);
    Push(from, bd, 1, rng_.Chance(0.3));
    for (uint32_t hops = Below(4); hops > 0; --hops) {
      const uint32_t row = 1 + Below(3);
      const Tile tile{column, row, row == 1 ? TileKind::kMemory : TileKind::kCompute};
      if (used_[tile].locks + 4 > 16) continue;
      const auto in = Free(tile, false);
      const auto out = in ? Free(tile, true) : std::nullopt;
      if (!out) {
        if (in) used_[tile].channels.erase(in->number);
        continue;
      }
      words = Hop(from, *in, *out, words, &sends);
      from = *out;
    }
    const Channel to{Shim(column), false, number};
    words += Join(from, to, sends);
    const uint32_t end = Descriptor(to);
    Argument(words, false);
    Describe(to, end, Walk(words));
    binary_.Patch(At(to.tile, 0x1d004 + 0x20 * end),
                  static_cast<uint32_t>(out_.file.arguments.size()) - 1, 0);
    Push(to, end, 1, true);
    ends_.emplace_back(column, number);
    out_.words += words;
    out_.text += "\n";
  }

  void Pack(Plan* plan) {
    if (!rng_.Chance(0.3)) return;
    plan->packet = Below(32);
    plan->keeps_header = rng_.Chance(0.5);
  }
  // The words that come beside those that are sent.
  uint32_t Join(const Channel& from, const Channel& to, const Plan& sends) {
    out_.file.options.routes.push_back({End(from), {End(to)}, sends.packet, sends.keeps_header});
    return sends.keeps_header ? sends.packets : 0;
  }

  // In by `in`, through buffers and perhaps a kernel, and out by `out`: the words that go out.
  uint32_t Hop(const Channel& from, const Channel& in, const Channel& out, uint32_t words,
               Plan* sends) {
    words += Join(from, in, *sends);
    const TileKind kind = in.tile.kind;
    const uint32_t block = Block(words), blocks = words / block;
    const uint32_t number = blocks % 2 == 0 && rng_.Chance(0.6) ? 2 : 1;
    const bool kernel = kind == TileKind::kCompute && rng_.Chance(0.5);
    const bool neighbour = in.number < 4 && out.number < 4 && rng_.Chance(0.5);
    const uint32_t turns = !kernel && rng_.Chance(0.4) ? 1 + Below(4) : 1;
    const Buffers filled = Reserve(in.tile, number, block, !neighbour, turns);
    Plan takes = Walk(block);
    Serve(in, filled, blocks, takes);
    Buffers emptied = filled;
    if (kernel) {
      emptied = Reserve(in.tile, number, block, true);
      Kernel stub{in.tile.column, in.tile.row, {}, {}, AddKernel(Below(1000))};
      for (const uint64_t at : filled.addresses) {
        stub.in.addresses.push_back(static_cast<uint32_t>(at));
      }
      for (const uint64_t at : emptied.addresses) {
        stub.out.addresses.push_back(static_cast<uint32_t>(at));
      }
      stub.in.words = stub.out.words = block;
      stub.in.take_lock = filled.full;
      stub.in.give_lock = filled.free;
      stub.out.take_lock = emptied.free;
      stub.out.give_lock = emptied.full;
      out_.file.options.kernels.push_back(stub);
    }
    Plan gives = Walk(block);
    if (kind == TileKind::kMemory && !gives.turned && gives.row < block && rng_.Chance(0.4)) {
      gives.before = Below(4);
      gives.after = Below(4);
    }
    Pack(&gives);
    *sends = Serve(out, emptied, blocks, gives);
    sends->packets = blocks;
    out_.text += fmt::format(", ({},{}) S2MM {} to MM2S {}, {} blocks of {}, {} buffers of {}{}",
                             in.tile.column, in.tile.row, in.number, out.number, blocks, block,
                             number, turns, kernel ? " by a kernel" : "");
    return blocks * sends->sent();
  }

  // Tasks that do not come to their end: words that never come, a queue that overflows, a
  // descriptor that is not valid.
  void Stray() {
    const uint32_t row = 1 + Below(3);
    const Tile tile{0, row, row == 1 ? TileKind::kMemory : TileKind::kCompute};
    const auto channel = Free(tile, rng_.Chance(0.5));
    if (!channel) return;
    const bool good = !channel->to_stream && rng_.Chance(0.7);
    const uint32_t bd = Descriptor(*channel);
    Plan plan = Walk(8);
    plan.base = tile.kind == TileKind::kMemory ? 0x80000 + 0x70000 : 0xf000;
    if (good) Describe(*channel, bd, plan);
    for (uint32_t n = 1 + Below(8); n > 0; --n) Push(*channel, bd, 1, false);
    out_.text += fmt::format("stray {} {} of ({},{})\n", channel->to_stream ? "MM2S" : "S2MM",
                             channel->number, tile.column, tile.row);
  }

  Rng rng_;
  RandomArray out_;
  Binary binary_;
  std::vector<std::pair<uint32_t, uint32_t>> pushes_;  // of tasks, behind all the rest
  std::map<Tile, Used> used_;
  std::vector<std::pair<uint32_t, uint32_t>> ends_;
};

// A run, and what it has left.
class Finished {
 public:
  // `rtl`: the tiles that are; all of them if it is empty.
  Finished(const RandomArray& program, const std::optional<array::Places>& rtl) {
    array::ArrayFile file = program.file;
    file.rtl = rtl && rtl->empty();
    if (rtl) file.rtl_tiles = *rtl;
    machine_ = array::Build(file);
    array::Bus bus(machine_.array.get());
    const auto tiles = machine_.array->Tiles();
    const driver::npu::Player player(bus, tiles.data(), static_cast<uint32_t>(tiles.size()));
    const auto result =
        player.Play(program.binary.data(), static_cast<uint32_t>(program.binary.size()),
                    {machine_.arguments.data(), static_cast<uint32_t>(machine_.arguments.size())},
                    driver::Timeout::Turns(20000));
    if (!result.ok()) Say("the run", fmt::format("stopped at word {}", result.fault.word));
    machine_.array->Settle(100000);
    Collect(program);
  }

  // What differs, a line each.
  std::string Against(const Finished& right) const {
    std::string text;
    for (const auto& [name, value] : right.left_) {
      const auto found = left_.find(name);
      if (found == left_.end()) {
        text += fmt::format("{}: nothing, not {}\n", name, value);
      } else if (found->second != value) {
        text += fmt::format("{}: {}, not {}\n", name, found->second, value);
      }
    }
    for (const auto& [name, value] : left_) {
      if (right.left_.count(name) == 0) text += fmt::format("{}: {}, not nothing\n", name, value);
    }
    return text;
  }

 private:
  void Say(const std::string& name, const std::string& value) { left_[name] = value; }
  void Register(const ArrayTileName& tile, const std::string& name, uint32_t offset) {
    uint32_t value = 0;
    machine_.array->Read(AddressOf(tile.first, tile.second, offset), &value);
    Say(fmt::format("({},{}) {}", tile.first, tile.second, name), fmt::format("{:#x}", value));
  }

  void Collect(const RandomArray& program) {
    Array& array = *machine_.array;
    for (size_t n = 0; n < machine_.arguments.size(); ++n) {
      for (uint64_t k = 0; k < program.file.arguments[n].bytes; k += 4) {
        uint32_t word = 0;
        array.host().Read(machine_.arguments[n] + k, &word);
        Say(fmt::format("argument {} word {}", n, k / 4), fmt::format("{:#x}", word));
      }
    }
    for (const UsedMemory& part : program.memory) {
      for (uint32_t n = 0; n < part.words; ++n) {
        uint32_t word = 0;
        array.Read(part.address + 4 * n, &word);
        Say(fmt::format("memory {:#x}", part.address + 4 * n), fmt::format("{:#x}", word));
      }
    }
    for (uint32_t column = 0; column < array.columns(); ++column) {
      for (uint32_t row = 0; row < array.rows(); ++row) Collect({column, row});
    }
    Say("tokens", fmt::format("{}", array.tokens()));
    Say("streams", fmt::format("{}", fmt::join(array.Waiting(), "; ")));
    Say("channels", fmt::format("{}", fmt::join(array.WaitingChannels(), "; ")));
  }

  void Collect(const ArrayTileName& tile) {
    const auto [column, row] = tile;
    const Offsets at = OffsetsOf(machine_.array->KindOf(row));
    for (uint32_t n = 0; n < at.channels; ++n) {
      for (const bool to_stream : {false, true}) {
        const std::string name = fmt::format("{} {}", to_stream ? "MM2S" : "S2MM", n);
        Register(tile, "status of " + name, (to_stream ? at.mm2s_status : at.s2mm_status) + 4 * n);
        Register(tile, "control of " + name, (to_stream ? at.mm2s : at.s2mm) + 8 * n);
        uint32_t tokens = 0;
        while (machine_.array->TakeToken(column, row, to_stream, n)) ++tokens;
        Say(fmt::format("({},{}) tokens of {}", column, row, name), fmt::format("{}", tokens));
      }
      Register(tile, fmt::format("count of S2MM {}", n), at.count + 4 * n);
    }
    for (uint32_t n = 0; n < at.locks; ++n) {
      Register(tile, fmt::format("lock {}", n), at.lock + 0x10 * n);
    }
    for (uint32_t n = 0; n < (at.locks > 32 ? 8u : 4u); n += 4) {
      Register(tile, fmt::format("overflow {}", n), at.over + n);
      Register(tile, fmt::format("underflow {}", n), at.under + n);
    }
    for (uint32_t n = 0; n < at.descriptors * 8; ++n) {
      Register(tile, fmt::format("descriptor {} word {}", n / 8, n % 8), at.descriptor + 4 * n);
    }
  }

  array::Machine machine_;
  std::map<std::string, std::string> left_;
};

}  // namespace

bool HasArrays() {
  return array::HasRtl(TileKind::kShim) && array::HasRtl(TileKind::kMemory) &&
         array::HasRtl(TileKind::kCompute);
}

RandomArray MakeRandomArray(const Rng& rng) { return Maker(rng).Make(); }

std::string CompareArrays(uint64_t seed, uint64_t* words) {
  const RandomArray program = MakeRandomArray(Rng(seed).Stream("array"));
  if (words != nullptr) *words += program.words;
  std::string text;
  try {
    const Finished model(program, std::nullopt), rtl(program, array::Places{});
    text = rtl.Against(model);
    if (text.empty() && program.file.options.columns > 1) {
      text = Finished(program, array::Places{{static_cast<uint32_t>(seed % 2), 1}, {2, 1}})
                 .Against(model);
      if (!text.empty()) text = "beside tiles of the model: " + text;
    }
  } catch (const std::exception& error) {
    text = fmt::format("{}\n", error.what());
  }
  return text.empty() ? text : fmt::format("{}array seed {}\n{}", text, seed, program.text);
}

}  // namespace tessera::aieml
