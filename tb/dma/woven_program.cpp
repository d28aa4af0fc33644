// Draws woven programs.
#include "tb/dma/woven_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "tb/check/encode.h"
#include "tb/dma/native.h"
#include "tb/dma/random_program.h"
#include "tb/model/walk.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

using native::Descriptor;
using native::Task;

constexpr uint64_t kRing = 0x0200'0000, kLists = 0x0800'0000;

class Weaver {
 public:
  Weaver(const DmaConfig& config, uint64_t seed)
      : config_(config),
        rng_(Rng(seed).Stream("woven")),
        amounts_(Rng(seed).Stream("amounts")),
        part_(config.descriptors / config.channels()) {
    program_.channels.resize(static_cast<size_t>(config.channels()));
    program_.streams.resize(static_cast<size_t>(config.writes));
  }

  DmaProgram Draw() {
    std::vector<int> reads(static_cast<size_t>(config_.reads)),
        writes(static_cast<size_t>(config_.writes));
    std::iota(reads.begin(), reads.end(), 0);
    std::iota(writes.begin(), writes.end(), config_.reads);
    Shuffle(&reads);
    Shuffle(&writes);
    for (int c = 0; c < config_.channels(); ++c) Stand(c);
    while (!reads.empty() && !writes.empty() && locks_ + 2 <= config_.locks && rng_.Chance(0.6)) {
      Ring(Take(&writes), Take(&reads));
    }
    std::vector<int> rest = reads;
    rest.insert(rest.end(), writes.begin(), writes.end());
    Shuffle(&rest);
    while (rest.size() >= 2 && config_.triggers && locks_ + 1 <= config_.locks &&
           rng_.Chance(0.5)) {
      const int leader = Take(&rest);
      Paced(leader, Take(&rest));
    }
    for (const int c : rest) Alone(c);
    return std::move(program_);
  }

 private:
  bool IsRead(int c) const { return c < config_.reads; }
  Direction Way(int c) const { return IsRead(c) ? Direction::kRead : Direction::kWrite; }
  int Number(int c) const { return IsRead(c) ? c : c - config_.reads; }
  DmaProgram::Channel& Of(int c) { return program_.channels[static_cast<size_t>(c)]; }
  void Tell(const std::string& line) { program_.text += line + "\n"; }

  void Shuffle(std::vector<int>* list) {
    for (size_t n = list->size(); n > 1; --n) std::swap((*list)[n - 1], (*list)[rng_.Below(n)]);
  }
  static int Take(std::vector<int>* list) {
    const int last = list->back();
    list->pop_back();
    return last;
  }
  int Lock(int value) {
    program_.locks.push_back(value);
    return locks_++;
  }
  // How much a descriptor takes of a lock and gives back.
  int Amount(int most) {
    return amounts_.Chance(0.4)
               ? 1
               : static_cast<int>(amounts_.Between(1, static_cast<uint64_t>(most)));
  }
  // A lock of one channel, or one that several channels want. `value` is drawn in any case, so that
  // what rng_ draws stays what it was.
  int LockOfOne() {
    const int value = static_cast<int>(rng_.Between(1, 3));
    if (common_ >= 0 && amounts_.Chance(0.5)) return common_;
    const bool common = common_ < 0 && amounts_.Chance(0.3);
    const int lock = Lock(common ? Amount(63) : value);
    if (common) common_ = lock;
    return lock;
  }
  Descriptor DrawWith(int c, int lock) {
    Descriptor d = DrawDescriptor(rng_, config_, Way(c), Number(c), lock);
    if (d.acquire) {
      const int amount = Amount(program_.locks[static_cast<size_t>(lock)]);
      d.acquire->value = -amount;
      d.release.value = amount;
    }
    return d;
  }
  // A lock that holds whose turn it is: each transfer waits for its own number and sets the next.
  void TakeTurns(int lock, std::span<Descriptor* const> order) {
    std::vector<int> turns;
    while (turns.size() < order.size()) {
      const int turn = static_cast<int>(amounts_.Between(1, 63));
      if (std::find(turns.begin(), turns.end(), turn) == turns.end()) turns.push_back(turn);
    }
    for (size_t n = 0; n < order.size(); ++n) {
      const int next = turns[(n + 1) % turns.size()];
      order[n]->acquire = native::LockOp{lock, turns[n]};
      order[n]->release = {lock, next - turns[n]};
    }
    program_.locks[static_cast<size_t>(lock)] = turns[0];
  }

  // What every channel is told.
  void Stand(int c) {
    Of(c).weight = static_cast<uint32_t>(rng_.Below(4));
    Of(c).controller = static_cast<uint32_t>(rng_.Below(256));
    Of(c).silent_ends = rng_.Chance(0.2);
  }
  // A descriptor of a channel. The last of a chain has a record, but where tasks end silently.
  void Put(int c, int number, Descriptor* d) {
    if (!d->next && !Of(c).silent_ends) d->no_record = false;
    program_.descriptors.emplace_back(number, *d);
  }
  // Tasks of one chain that together take so many turns.
  void Push(int c, int start, int turns, Task task = {}) {
    for (int left = turns; left > 0;) {
      task.start = start;
      task.repeats = static_cast<int>(rng_.Between(1, static_cast<uint64_t>(left)));
      task.token = config_.tokens && rng_.Chance(0.4);
      left -= task.repeats;
      Of(c).tasks.push_back({static_cast<uint32_t>(rng_()), task});
    }
  }
  void Feed(int c, uint64_t bytes, PieceEnd end) {
    DmaProgram::Piece piece{std::vector<uint8_t>(bytes), end};
    for (uint8_t& byte : piece.bytes) byte = static_cast<uint8_t>(rng_());
    program_.streams[static_cast<size_t>(Number(c))].push_back(std::move(piece));
  }
  Descriptor Plain(uint64_t base, uint32_t bytes) {
    Descriptor d;
    d.transfer.base = base;
    d.transfer.count[0] = bytes;
    d.transfer.stride[0] = 1;
    d.interrupt = rng_.Chance(0.2);
    d.no_record = rng_.Chance(0.2);
    d.side = static_cast<uint32_t>(rng_());
    return d;
  }

  // One or two buffers, filled by one channel and emptied by another.
  void Ring(int writer, int reader) {
    const int buffers = part_ >= 2 && rng_.Chance(0.7) ? 2 : 1;
    const int rows = static_cast<int>(rng_.Between(1, 12)),
              row = static_cast<int>(rng_.Between(1, 40));
    const uint32_t bytes = static_cast<uint32_t>(rows * row);
    const int turns = static_cast<int>(rng_.Between(2, 12));
    const int room = Lock(buffers), full = Lock(0);
    const bool packets = rng_.Chance(0.3);
    Tell(fmt::format("ring: channel {} fills, {} empties {} of {}, locks {} and {}, {} turns",
                     writer, reader, Counted(buffers, "buffer"), Counted(bytes, "byte"), room, full,
                     turns));
    const int empty = Amount(63 / buffers), filled = Amount(63 / buffers);
    program_.locks[static_cast<size_t>(room)] = empty * buffers;
    std::vector<Descriptor> ins, outs;
    const uint64_t base = DrawAbove(rng_, config_) + kRing +
                          0x10000 * static_cast<uint64_t>(writer) + rng_.Below(5000);
    for (int n = 0; n < buffers; ++n) {
      const uint64_t at = base + 0x1000 * static_cast<uint64_t>(n);
      Descriptor in = Plain(at, bytes);
      in.acquire = native::LockOp{room, -empty};
      in.release = {full, filled};
      if (packets) in.transfer.finish = model::Finish::kLast;
      Descriptor out =
          Plain(at + static_cast<uint64_t>((rows - 1) * row), static_cast<uint32_t>(row));
      out.transfer.count[1] = static_cast<uint32_t>(rows);
      out.transfer.stride[1] = -row;
      out.acquire = native::LockOp{full, -filled};
      out.release = {room, empty};
      if (n + 1 < buffers) {
        in.next = writer * part_ + n + 1;
        out.next = reader * part_ + n + 1;
      }
      ins.push_back(std::move(in));
      outs.push_back(std::move(out));
    }
    // Of two buffers: the next transfer of a channel never waits for the number of the one that
    // runs.
    if (buffers == 2 && amounts_.Chance(0.3))
      TakeTurns(room, std::array{&ins[0], &outs[0], &ins[1], &outs[1]});
    for (int n = 0; n < buffers; ++n) {
      Put(writer, writer * part_ + n, &ins[static_cast<size_t>(n)]);
      Put(reader, reader * part_ + n, &outs[static_cast<size_t>(n)]);
    }
    Push(writer, writer * part_, turns);
    Push(reader, reader * part_, turns);
    for (int n = 0; n < turns * buffers; ++n) {
      Feed(writer, packets ? rng_.Between(1, bytes) : bytes, PieceEnd::kLast);
    }
  }

  // Every turn of one channel waits for a transfer, or a task, of another, which waits for that
  // turn's end.
  void Paced(int leader, int follower) {
    const int turns = static_cast<int>(rng_.Between(2, 10));
    const int lock = Lock(1);
    const bool by_task = rng_.Chance(0.5);
    Tell(fmt::format("pace: channel {} leads {} by its {}, lock {}, {} turns", leader, follower,
                     by_task ? "tasks" : "transfers", lock, turns));
    for (const int c : {leader, follower}) {
      Descriptor d = DrawDescriptor(rng_, config_, Way(c), Number(c), -1);
      if (c == leader) {
        d.acquire = native::LockOp{lock, -1};
      } else {
        d.release = {lock, 1};
      }
      Put(c, c * part_, &d);
      FeedFor(c, d, turns);
    }
    Of(follower).trigger = (by_task ? 0x60U : 0x40U) | (IsRead(leader) ? 0U : 0x10U) |
                           static_cast<uint32_t>(Number(leader));
    if (by_task) {
      for (int n = 0; n < turns; ++n) Push(leader, leader * part_, 1);
    } else {
      Push(leader, leader * part_, turns);
    }
    Push(follower, follower * part_, turns, {.paced = true});
  }
  // The stream of a write channel for executions of a descriptor.
  void FeedFor(int c, const Descriptor& d, int executions) {
    if (IsRead(c) || model::IsEmpty(d.transfer)) return;
    const uint64_t bytes = model::Positions(d.transfer) * static_cast<uint64_t>(d.transfer.elem);
    for (int n = 0; n < executions; ++n) {
      if (d.transfer.finish == model::Finish::kLast) {
        Feed(c, rng_.Chance(0.5) ? bytes : rng_.Between(1, bytes + (rng_.Chance(0.2) ? 40 : 0)),
             PieceEnd::kLast);
      } else {
        Feed(c, bytes, rng_.Chance(0.5) ? PieceEnd::kBeat : PieceEnd::kLast);
      }
    }
  }

  // Chains, a list, iteration, a lock of its own, triggers of software or a pin.
  void Alone(int c) {
    const int lock = locks_ < config_.locks && rng_.Chance(0.5) ? LockOfOne() : -1;
    std::vector<std::vector<Descriptor>> chains;
    for (int next = 0; next < part_ && chains.size() < 4;) {
      const int length =
          static_cast<int>(rng_.Between(1, static_cast<uint64_t>(std::min(3, part_ - next))));
      std::vector<Descriptor>& chain = chains.emplace_back();
      for (int n = 0; n < length; ++n, ++next) {
        Descriptor d = DrawWith(c, lock);
        if (n + 1 < length) d.next = c * part_ + next + 1;
        Put(c, c * part_ + next, &d);
        chain.push_back(std::move(d));
      }
    }
    std::vector<Descriptor>& list = Of(c).list;
    for (uint64_t n = config_.lists && rng_.Chance(0.5) ? rng_.Between(1, 8) : 0; n > 0; --n) {
      list.push_back(DrawWith(c, lock));
      list.back().iteration_size = 0;
    }
    if (!list.empty()) {
      if (!Of(c).silent_ends) list.back().no_record = false;
      Of(c).list_base = DrawAbove(rng_, config_) + kLists + 0x10000 * static_cast<uint64_t>(c) +
                        64 * rng_.Below(100);
    }
    if (const bool pin = rng_.Chance(0.5); config_.triggers) {
      // 16 of each kind: where there are more channels, no two share one.
      const bool by_pin = config_.channels() > 16 ? c < 16 : pin;
      Of(c).trigger = (by_pin ? 0x10U : 0x20U) + static_cast<uint32_t>(c % 16);
    }
    int start = 0;
    std::vector<int> starts;
    for (const auto& chain : chains) {
      starts.push_back(c * part_ + start);
      start += static_cast<int>(chain.size());
    }
    for (uint64_t n = rng_.Between(1, 5); n > 0; --n) {
      const size_t which = rng_.Below(chains.size());
      const bool from_list = !list.empty() && rng_.Chance(0.5);
      const int turns = static_cast<int>(rng_.Between(1, 4));
      Task task{.from_list = from_list};
      if (config_.triggers && rng_.Chance(0.4))
        (rng_.Chance(0.5) ? task.trigger : task.paced) = true;
      Tell(fmt::format("channel {}: {} of {}{}{}", c, Counted(turns, "turn"),
                       Counted(from_list ? list.size() : chains[which].size(), "descriptor"),
                       from_list ? " of its list" : "",
                       task.paced || task.trigger ? ", triggered" : ""));
      Push(c, starts[which], turns, task);
      for (int turn = 0; turn < turns; ++turn) {
        for (const Descriptor& d : from_list ? list : chains[which]) FeedFor(c, d, 1);
      }
    }
  }

  DmaConfig config_;
  Rng rng_;
  Rng amounts_;  // of locks: apart, so that what rng_ draws stays what it was
  int part_;     // descriptors of a channel
  int locks_ = 0;
  int common_ = -1;  // the lock that several channels want
  DmaProgram program_;
};

}  // namespace

DmaProgram DrawWoven(const DmaConfig& config, uint64_t seed) { return Weaver(config, seed).Draw(); }

namespace {

// Calls visit(transfer, direction) for every transfer that a program executes, iteration included.
template <typename Visit>
void ForEachTransfer(const DmaConfig& config, const DmaProgram& program, Visit&& visit) {
  const auto tell = [&](const Descriptor& d, int channel) {
    if (model::IsEmpty(d.transfer)) return;
    model::Transfer t = d.transfer;
    for (int turn = 0; turn < std::max(1, d.iteration_size); ++turn) {
      t.offset = static_cast<uint64_t>(int64_t{turn} * d.iteration_step);
      visit(t, channel < config.reads ? Direction::kRead : Direction::kWrite);
    }
  };
  for (const auto& [number, descriptor] : program.descriptors)
    tell(descriptor, number / (config.descriptors / config.channels()));
  for (size_t c = 0; c < program.channels.size(); ++c) {
    for (const Descriptor& descriptor : program.channels[c].list)
      tell(descriptor, static_cast<int>(c));
  }
}

}  // namespace

std::vector<model::ErrorRange> DrawBusErrors(Rng rng, const DmaConfig& config,
                                             std::span<const DmaProgram> programs) {
  const model::Build build = BuildOf(config.channel);
  const auto word = static_cast<uint64_t>(build.data_bytes);
  std::vector<model::Transfer> all, by_packet;
  for (const DmaProgram& program : programs) {
    ForEachTransfer(config, program, [&](const model::Transfer& t, Direction direction) {
      all.push_back(t);
      if (direction == Direction::kWrite && t.finish == model::Finish::kLast)
        by_packet.push_back(t);
    });
  }
  // A packet that ends early leaves words of its last burst unwritten, which are answered too.
  const auto is_doubtful = [&](const model::ErrorRange& range) {
    bool hit = false;
    for (const model::Transfer& t : by_packet) {
      model::Walk(t, build, [&](const model::Position& p) {
        const uint64_t first = p.addr / word * word;
        const uint64_t last = (p.addr + static_cast<uint64_t>(t.elem) - 1) | (word - 1);
        hit = hit || (range.first <= last && range.last >= first);
        return !hit;
      });
    }
    return hit;
  };
  std::vector<model::ErrorRange> ranges;
  const bool decerr = rng.Chance(0.5);
  for (uint64_t n = all.empty() ? 0 : rng.Between(2, 6); n > 0; --n) {
    std::vector<uint64_t> places;
    model::Walk(all[rng.Below(all.size())], build, [&](const model::Position& p) {
      if (p.valid) places.push_back(p.addr);
      return true;
    });
    if (places.empty()) continue;
    const uint64_t place = places[rng.Below(places.size())];
    const uint64_t end = place | (Memory::kPageBytes - 1);
    const uint64_t last = std::min(end, place + rng.Below(rng.Chance(0.7) ? 20 : 400));
    const model::ErrorRange range{place, last, decerr};
    if (!is_doubtful(range)) ranges.push_back(range);
  }
  return ranges;
}

}  // namespace tessera
