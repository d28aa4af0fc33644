// Rare states of programs; see rare_program.h.
#include "tb/dma/rare_program.h"

#include <algorithm>
#include <set>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tb/random/generate.h"
#include "tb/random/place.h"

namespace tessera {
namespace {

using native::Descriptor;

constexpr uint64_t kBlock = uint64_t{1} << 31;  // parts of memory lie in its middle (DrawProgram)
constexpr uint64_t kNear = 0x0100'0000;         // to either side of its ends nothing else lies
constexpr uint64_t kLists = 0x0800'0000;

class RareProgram {
 public:
  RareProgram(const Rng& base, const DmaConfig& config, DmaProgram* program)
      : base_(base), config_(config), build_(BuildOf(config.channel)), program_(*program) {}

  void Draw() {
    Rng kind = base_.Stream("kind");
    for (size_t c = 0; c < program_.channels.size(); ++c) {
      DmaProgram::Channel& channel = program_.channels[c];
      if (kind.Chance(0.5)) Place(base_.Stream("place", c), c);
      if (!channel.list.empty() && kind.Chance(0.5)) PlaceList(base_.Stream("list", c), c);
      if (kind.Chance(0.4)) Enlarge(base_.Stream("fields", c), c);
      if (kind.Chance(0.5)) Tag(base_.Stream("tags", c), c);
      if (kind.Chance(0.4)) Empty(base_.Stream("empty", c), c);
    }
  }

 private:
  int Part() const { return config_.descriptors / config_.channels(); }
  // Calls visit(descriptor) for what a channel executes.
  template <typename Visitor>
  void Visit(size_t c, Visitor&& visit) {
    const auto part = static_cast<size_t>(Part());
    for (size_t n = c * part; n < (c + 1) * part; ++n) visit(program_.descriptors[n].second);
    for (Descriptor& d : program_.channels[c].list) visit(d);
  }

  // Where a block ends, at powers of two mostly; each is given once. 0 is the end of memory.
  std::optional<uint64_t> Boundary(Rng& rng, bool may_wrap) {
    const auto width = static_cast<uint64_t>(config_.channel.addr_width);
    uint64_t at = kBlock;
    if (rng.Chance(0.2)) {
      at = DrawMultiple(rng, 31, config_.channel.addr_width);
    } else if (!rng.Chance(0.3)) {
      const uint64_t bit = rng.Chance(0.3) ? width : rng.Between(31, width);
      at = bit >= 64 ? 0 : (uint64_t{1} << bit) & build_.AddressMask();
    }
    if (at == 0 && !may_wrap) return std::nullopt;
    if (!given_.insert(at).second) return std::nullopt;
    return at;
  }

  // Whether all bytes that a transfer touches are close to an address.
  bool CloseTo(const model::Transfer& t, uint64_t at) const {
    bool close = true;
    model::Walk(t, build_, [&](const model::Position& p) {
      if (p.valid) close = ((p.addr - at + kNear) & build_.AddressMask()) < 2 * kNear - 256;
      return close;
    });
    return close;
  }

  // Transfers of a channel begin shortly before such a place.
  void Place(Rng rng, size_t c) {
    const std::optional<uint64_t> at = Boundary(rng, true);
    if (!at) return;
    Visit(c, [&](Descriptor& d) {
      if (d.transfer == model::Transfer{}) return;
      model::Transfer t = d.transfer;
      const uint64_t before = rng.Chance(0.5) ? rng.Below(300) : rng.Below(9000);
      t.base = (*at - before) & build_.AddressMask();
      if (CloseTo(t, *at)) d.transfer = t;
    });
  }
  // The array of a channel lies across the end of a page, or of a block.
  void PlaceList(Rng rng, size_t c) {
    DmaProgram::Channel& channel = program_.channels[c];
    uint64_t end = kLists + 0x10000 * c + 0x1000 * rng.Between(1, 8);
    if (rng.Chance(0.5)) {
      const std::optional<uint64_t> at = Boundary(rng, false);
      if (!at) return;
      end = *at;
    }
    channel.list_base = end - 64 * rng.Below(3 * channel.list.size() + 1);
    channel.list_anywhere = false;
  }

  // Whether the coordinates of dimensions with bounds have 32 bits, as the driver asks for.
  static bool CoordinatesFit(const model::Transfer& t) {
    for (size_t d = 0; d < model::kDims; ++d) {
      if (!t.bound[d]) continue;
      int64_t low = t.start[d];
      int64_t high = low + t.count[d] - 1;
      if (d == model::kDims - 1 && t.length && !t.has_walk()) {  // it steps on, at most so far
        high = std::max(high, low + *t.length - 1);
      }
      for (const std::optional<model::WalkLevel>& level : t.walk) {
        if (!level || level->dim != static_cast<int>(d) || level->count < 2) continue;
        (level->step < 0 ? low : high) += int64_t{level->step} * (level->count - 1);
      }
      if (low < INT32_MIN || high > INT32_MAX) return false;
    }
    return true;
  }

  void Enlarge(Rng rng, size_t c) {
    Visit(c, [&](Descriptor& d) {
      if (d.iteration_size > 1 && rng.Chance(0.3)) {
        d.iteration_size = static_cast<int>(NearPower(rng, 16));
      }
      if (d.transfer == model::Transfer{} || !rng.Chance(0.6)) return;
      model::Transfer t = d.transfer;
      EnlargeField(rng, config_.channel, UINT32_MAX, &t);
      bool any = false;
      uint64_t home = 0;
      model::Walk(d.transfer, build_, [&](const model::Position& p) {
        if (p.valid) home = p.addr;
        return !(any = p.valid);
      });
      if (any && CoordinatesFit(t) && model::Positions(t) == model::Positions(d.transfer) &&
          CloseTo(t, home) && CloseTo(d.transfer, home))
        d.transfer = t;
    });
  }

  void Tag(Rng rng, size_t c) {
    const auto extreme = [&] {
      return static_cast<uint32_t>(rng.Chance(0.3) ? 0 : NearPower(rng, 32));
    };
    for (DmaProgram::Push& push : program_.channels[c].tasks) push.tag = extreme();
    Visit(c, [&](Descriptor& d) {
      if (rng.Chance(0.5)) d.side = extreme();
    });
  }

  // A task whose transfers are all empty: the last descriptor of a chain, executed many times.
  void Empty(Rng rng, size_t c) {
    DmaProgram::Channel& channel = program_.channels[c];
    std::vector<int> ends;
    for (int n = static_cast<int>(c) * Part(); n < static_cast<int>(c + 1) * Part(); ++n) {
      if (!program_.descriptors[static_cast<size_t>(n)].second.next) ends.push_back(n);
    }
    native::Task task;
    task.start = ends[rng.Below(ends.size())];
    task.repeats = static_cast<int>(rng.Chance(0.1) ? rng.Between(254, 257) : rng.Between(28, 70));
    Descriptor& d = program_.descriptors[static_cast<size_t>(task.start)].second;
    d.transfer = EmptyLike(rng, d.transfer);
    const size_t place = rng.Below(channel.tasks.size() + 1);
    channel.tasks.insert(channel.tasks.begin() + static_cast<std::ptrdiff_t>(place),
                         {static_cast<uint32_t>(rng()), task});
  }

  const Rng base_;
  const DmaConfig& config_;
  const model::Build build_;
  DmaProgram& program_;
  std::set<uint64_t> given_;
};

}  // namespace

void DrawRareProgram(Rng rng, const DmaConfig& config, DmaProgram* program) {
  RareProgram(rng, config, program).Draw();
}

}  // namespace tessera
