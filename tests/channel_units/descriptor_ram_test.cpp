// tsr_descriptor_ram in several shapes, cycle by cycle, against a model written from its header.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vdescriptor_ram_top.h"

namespace tessera {
namespace {

struct Shape {
  int descriptors;
  bool walk, bounds, lists;
};
constexpr std::array<Shape, 4> kShapes = {{{16, true, true, true},
                                           {1, false, true, false},
                                           {5, true, false, true},
                                           {256, false, false, false}}};

constexpr int kBase = 0, kBounds = 1, kWalk = 2, kTurns = 3;  // areas; the first three are parts
constexpr int kCommit = 15;
using Words = std::array<uint32_t, 16>;

using Access = DescriptorAccess;

// How often in 100 cycles something is begun.
struct Pace {
  uint64_t access = 0, read = 0, release = 0, move = 0;
};

// One memory of the top with both of its users.
class Memory {
 public:
  Memory(ClockedUnit<Vdescriptor_ram_top>* unit, int cell, Rng rng)
      : unit_(unit), cell_(cell), shape_(kShapes[static_cast<size_t>(cell)]), rng_(rng) {
    Reset();
  }

  void Reset() {
    content_.assign(static_cast<size_t>(shape_.descriptors), {});
    clearing_ = shape_.descriptors;
    put_ = followed_ = turn_ = false;
    looking_ = 0;
    held_.reset();
    access_.reset();
    Loader() = 0;
    PinAt<uint64_t>(unit_->model().access_i, cell_) = 0;
  }

  // What both users want in the next cycle.
  void Drive(const Pace& pace) {
    if (!access_ && Chance(pace.access)) access_ = Any();
    PinAt<uint64_t>(unit_->model().access_i, cell_) = Access::Pins(access_);
    if (Chance(pace.move)) id_ = rng_.Chance(0.05) ? static_cast<int>(rng_.Below(256)) : Somebody();
    read_ = !held_ && Chance(pace.read);
    from_list_ = shape_.lists && rng_.Chance(0.2);
    part_ = static_cast<int>(rng_.Below(3));
    Loader() = static_cast<uint32_t>(read_) | static_cast<uint32_t>(read_ && from_list_) << 1 |
               static_cast<uint32_t>(id_) << 8;
  }

  // The pins have settled: what the header says of them. Then the loader says the rest.
  void Look(const Pace& pace) {
    const bool free = clearing_ == 0 && !held_ && looking_ == 0;
    const bool turn = access_ && turn_;
    access_starts_ = turn && free && (access_->whole() || !put_);
    const bool ready = free && !put_ && !turn;
    start_ = read_ && ready;
    EXPECT_EQ(State(0), ready) << "read ready";
    kept_out_ = read_ && clearing_ == 0 && !start_ ? kept_out_ + 1 : 0;
    EXPECT_LE(kept_out_, 5) << "the loader waits";

    answered_ = access_ && (!Known() || (access_starts_ && access_->whole()) || looking_ == 1);
    EXPECT_EQ(State(3), answered_) << "access ready";
    if (answered_) {
      EXPECT_EQ(State(4), !Known());
      const uint32_t data = PinAt<uint32_t>(unit_->model().access_data_o, cell_);
      if (!Known() || !access_->write) {
        EXPECT_EQ(data, Known() ? Read() : 0) << Describe();
      }
    }

    const bool hit = ready && State(1);
    const bool follows = ready && followed_ && followed_id_ == id_;
    EXPECT_TRUE(hit || !follows) << "the outputs follow";
    if (hit) Compare(id_, false, 7);
    if (held_) Compare(held_->id, held_->list, held_->parts);

    // The loader.
    uint32_t& pins = Loader();
    const bool known = (held_ ? held_->id : id_) < shape_.descriptors;
    const bool list = held_ ? held_->list : from_list_;
    fill_ = list && (start_ || held_) && rng_.Chance(0.5);
    if (fill_) {
      Words& words = PinAt<Words>(unit_->model().fill_words_i, cell_);
      for (uint32_t& word : words) word = static_cast<uint32_t>(rng_());
      pins |= 1U << 4 | static_cast<uint32_t>(part_) << 5;
    }
    release_ = (held_ || (start_ && hit && !list)) && Chance(pace.release);
    advance_ = release_ && known && !list && rng_.Chance(0.5);
    turns_ = static_cast<uint32_t>(rng_.Below(0x10000));
    pins |=
        static_cast<uint32_t>(release_) << 2 | static_cast<uint32_t>(advance_) << 3 | turns_ << 16;
  }

  void Edge() {
    const bool turn = access_ && turn_;
    followed_ = clearing_ == 0 && !held_ && looking_ == 0 && !turn && !put_ && !start_;
    followed_id_ = id_;
    if (access_ && Known() && !(read_ && put_)) turn_ = true;
    put_ = clearing_ > 0;
    if (clearing_ > 0) --clearing_;
    if (looking_ > 0) --looking_;
    if (access_starts_ && !access_->whole()) looking_ = 2;
    if (answered_) {
      if (Known() && access_->write && access_->strobe != 0) {
        Write();
        put_ = true;
      }
      ++answers_;
      access_.reset();
      turn_ = false;
    }
    if (start_) held_ = Held{id_, from_list_, from_list_ ? 0U : 7U, {}};
    if (start_) ++reads_;
    if (fill_) {
      held_->parts |= 1U << part_;
      held_->words[static_cast<size_t>(part_)] = PinAt<Words>(unit_->model().fill_words_i, cell_);
    }
    if (release_) {
      if (advance_) At(held_->id).turns = turns_;
      held_.reset();
    }
  }

  int answers() const { return answers_; }
  int reads() const { return reads_; }

 private:
  struct Descriptor {
    std::array<Words, 3> words = {};  // without the bit `valid`
    bool valid = false;
    uint32_t turns = 0;
  };
  struct Held {
    int id;
    bool list;
    uint32_t parts;  // that are there
    std::array<Words, 3> words;
  };

  bool Chance(uint64_t percent) { return rng_.Below(100) < percent; }
  uint32_t& Loader() { return PinAt<uint32_t>(unit_->model().loader_i, cell_); }
  bool State(int bit) { return PinAt<uint32_t>(unit_->model().state_o, cell_) >> bit & 1; }
  Descriptor& At(int id) { return content_[static_cast<size_t>(id)]; }
  bool Exists(int area, int word) const {
    if (area == kBounds) return shape_.bounds && word != 11;
    if (area == kWalk) return shape_.walk && word < 9;
    return area == kBase || word == 0;
  }
  bool Known() const {
    return access_->descriptor < shape_.descriptors && Exists(access_->area, access_->word);
  }
  std::string Describe() const {
    return fmt::format("area {} descriptor {} word {}", access_->area, access_->descriptor,
                       access_->word);
  }

  // A few descriptors, the last one above all: users meet.
  int Somebody() {
    const int few =
        static_cast<int>(rng_.Below(static_cast<uint64_t>(std::min(3, shape_.descriptors))));
    return rng_.Chance(0.4) ? shape_.descriptors - 1 : few;
  }
  Access Any() {
    Access access;
    access.write = rng_.Chance(0.6);
    access.area = static_cast<int>(rng_.Below(4));
    access.descriptor = rng_.Chance(0.05) ? static_cast<int>(rng_.Below(256)) : Somebody();
    if (rng_.Chance(0.3)) access.area = kBase;
    access.word = access.area == kTurns && rng_.Chance(0.9) ? 0 : static_cast<int>(rng_.Below(16));
    if (access.area == kBase && rng_.Chance(0.4)) access.word = kCommit;
    access.data = static_cast<uint32_t>(rng_());
    access.strobe = rng_.Chance(0.5) ? 15 : static_cast<uint32_t>(rng_.Below(16));
    return access;
  }

  uint32_t Read() {
    const Descriptor& d = At(access_->descriptor);
    if (access_->area == kTurns) return d.turns;
    const bool valid = access_->area == kBase && access_->word == kCommit && d.valid;
    return d.words[static_cast<size_t>(access_->area)][static_cast<size_t>(access_->word)] |
           static_cast<uint32_t>(valid) << 31;
  }
  void Write() {
    Descriptor& d = At(access_->descriptor);
    uint32_t word = Read();
    for (int b = 0; b < 4; ++b) {
      const uint32_t byte = 0xffU << 8 * b;
      if (access_->strobe >> b & 1) word = (word & ~byte) | (access_->data & byte);
    }
    if (access_->area == kTurns) {
      d.turns = word & 0xffff;
      return;
    }
    d.valid = false;
    if (access_->area == kBase && access_->word == kCommit) {
      d.valid = word >> 31 != 0;
      d.turns = 0;
      word &= 0x7fffffff;
    }
    d.words[static_cast<size_t>(access_->area)][static_cast<size_t>(access_->word)] = word;
  }

  // The outputs are those of a descriptor, or parts of a list.
  void Compare(int id, bool list, uint32_t parts) {
    if (!list && id >= shape_.descriptors) return;
    for (int a = 0; a < 3; ++a) {
      if ((parts >> a & 1) == 0) continue;
      const size_t area = static_cast<size_t>(a);
      Words expected = list ? held_->words[area] : At(id).words[area];
      for (int w = 0; w < 16; ++w) {
        if (!Exists(a, w)) expected[static_cast<size_t>(w)] = 0;
      }
      if (a == kBase) {
        const bool valid = list ? expected[kCommit] >> 31 != 0 : At(id).valid;
        EXPECT_EQ(State(2), valid) << "descriptor " << id;
      }
      Words seen = PinAt<Words>(unit_->model().words_o, 3 * cell_ + a);
      if (a == kBase && !list) seen[kCommit] &= 0x7fffffff;
      EXPECT_EQ(seen, expected) << "area " << a << " of descriptor " << id;
    }
    const uint32_t turns = PinAt<uint32_t>(unit_->model().state_o, cell_) >> 16;
    EXPECT_TRUE(list || turns == At(id).turns)
        << "turns of descriptor " << id << ": " << turns << ", expected " << At(id).turns;
  }

  ClockedUnit<Vdescriptor_ram_top>* unit_;
  int cell_;
  Shape shape_;
  Rng rng_;
  std::vector<Descriptor> content_;
  int clearing_ = 0;  // cycles to come
  bool put_ = false;  // a write reaches the memory in this cycle
  int looking_ = 0;   // cycles until the answer
  std::optional<Held> held_;
  std::optional<Access> access_;
  bool turn_ = false;  // the next turn is that of the access
  int kept_out_ = 0;   // cycles in which the loader waits
  bool followed_ = false;
  int followed_id_ = 0;
  int id_ = 0, part_ = 0;
  bool read_ = false, from_list_ = false, start_ = false, fill_ = false;
  bool release_ = false, advance_ = false, access_starts_ = false, answered_ = false;
  uint32_t turns_ = 0;
  int answers_ = 0, reads_ = 0;
};

// Both users at random, also right behind a reset: what each of them sees, and in which cycle.
TEST(DescriptorRam, TwoUsersSeeOneMemory) {
  Proves({"program.descriptor-valid", "register.access"});
  ClockedUnit<Vdescriptor_ram_top> unit(1);
  Vdescriptor_ram_top& m = unit.model();
  Rng rng(5);
  std::vector<Memory> memories;
  for (int i = 0; i < 4; ++i) {
    memories.emplace_back(&unit, i, rng.Stream("memory", static_cast<uint64_t>(i)));
  }
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns && !::testing::Test::HasFailure(); ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    for (Memory& memory : memories) memory.Reset();
    unit.Reset(1 + static_cast<int>(rng.Below(2)));
    Pace pace;
    for (int i = 0; i < 700 && !::testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(fmt::format("cycle {}", i));
      if (i % 50 == 0) {
        constexpr std::array<uint64_t, 4> kPaces = {5, 30, 70, 100};
        pace = {kPaces[rng.Below(4)], kPaces[rng.Below(4)], kPaces[rng.Below(4)],
                kPaces[rng.Below(3)]};
        if (i == 0) pace.access = 100;
      }
      for (Memory& memory : memories) memory.Drive(pace);
      m.clk_i = 0;
      m.rst_ni = 1;
      m.eval();
      for (size_t k = 0; k < memories.size(); ++k) {
        SCOPED_TRACE(fmt::format("memory {}", k));
        memories[k].Look(pace);
      }
      unit.Cycle();
      for (Memory& memory : memories) memory.Edge();
    }
  }
  for (const Memory& memory : memories) {
    EXPECT_GT(memory.answers(), 1000);
    EXPECT_GT(memory.reads(), 1000);
  }
}

}  // namespace
}  // namespace tessera
