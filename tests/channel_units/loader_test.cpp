// tsr_loader with descriptor RAM and the native decoder: turns, answers, latencies, and what a load
// leaves behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <ostream>
#include <vector>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vloader_top.h"

namespace tessera {
namespace {

constexpr int kMost = 4;
struct Shape {
  int channels, descriptors;
  bool
      full;  // with extensions, and a transfer comes a cycle before its answer; else they are dealt
};
constexpr std::array<Shape, 2> kShapes = {{{4, 16, true}, {3, 11, false}}};
constexpr int kLocks = 10;
constexpr int kBase = 0, kTurns = 3;  // areas
// Reasons.
constexpr uint32_t kElem = 1, kInvalid = 32, kUnavailable = 33, kLock = 34, kExtension = 35,
                   kReserved = 38;

struct Request {
  int descriptor = 0;
  bool final_turn = false;
};

// What a channel is told.
struct Answer {
  uint32_t error = 0;
  int descriptor = 0;
  uint32_t next = 0, side = 0;
  bool chained = false, task_end = false;
  uint64_t addr = 0;
  bool operator==(const Answer&) const = default;
};

void PrintTo(const Answer& a, std::ostream* out) {
  *out << fmt::format("error {} descriptor {} next {} chained {} end {} side {:#x} addr {:#x}",
                      a.error, a.descriptor, a.next, a.chained, a.task_end, a.side, a.addr);
}

struct Descriptor {
  std::array<uint32_t, 16> words = {};
  bool valid = false;
  uint32_t turns = 0;
  uint32_t size() const { return words[13] >> 16; }  // of the iteration
};

// How often in 100 cycles something is begun.
struct Pace {
  uint64_t access = 0, ask = 0, guess = 0;
};

// One loader of the top, its channels and its registers.
class Loading {
 public:
  Loading(ClockedUnit<Vloader_top>* unit, int cell, uint64_t seed)
      : unit_(unit), cell_(cell), shape_(kShapes[static_cast<size_t>(cell)]), rng_(seed) {
    Reset();
  }

  const Shape& shape() const { return shape_; }
  int loads() const { return loads_; }
  int good() const { return good_; }
  bool idle() const {
    for (const Channel& channel : channels_) {
      if (channel.asks || channel.expected) return false;
    }
    return !access_;
  }
  Descriptor& at(int id) { return content_[static_cast<size_t>(id)]; }
  // The cycle in which channel `c` was answered last, and that in which it began to ask.
  uint64_t answered(int c) const { return channels_[static_cast<size_t>(c)].answered; }
  uint64_t asked(int c) const { return channels_[static_cast<size_t>(c)].asked; }

  void Reset() {
    content_.assign(static_cast<size_t>(shape_.descriptors), {});
    channels_.fill({});
    access_.reset();
    busy_ = 0;
  }

  void Ask(int c, const Request& request) {
    Channel& channel = channels_[static_cast<size_t>(c)];
    channel.asks = request;
    channel.passed = 0;
    channel.asked = unit_->cycle();
  }
  bool MayAsk(int c) const {
    const Channel& channel = channels_[static_cast<size_t>(c)];
    return !channel.asks && !channel.expected;
  }
  void Access(const DescriptorAccess& access) { access_ = access; }
  void Guess(std::optional<int> descriptor) { guess_ = descriptor; }

  // Something at random.
  void Random(const Pace& pace) {
    if (!access_ && Chance(pace.access)) access_ = Any();
    for (int c = 0; c < shape_.channels; ++c) {
      if (MayAsk(c) && Chance(pace.ask)) Ask(c, {Somebody(c), rng_.Chance(0.5)});
    }
    guess_.reset();
    if (Chance(pace.guess)) guess_ = Somebody(static_cast<int>(rng_.Below(kMost)));
  }

  void Put() {
    Vloader_top& m = unit_->model();
    for (int c = 0; c < kMost; ++c) {
      const std::optional<Request>& asks = channels_[static_cast<size_t>(c)].asks;
      SetPinBit(m.valid_i, At(c), asks.has_value());
      const Request request = asks.value_or(Request{});
      PinAt<uint16_t>(m.request_i, At(c)) =
          static_cast<uint16_t>(request.descriptor | static_cast<int>(request.final_turn) << 8);
    }
    PinAt<uint16_t>(m.guess_i, cell_) = guess_ ? static_cast<uint16_t>(0x100 | *guess_) : 0;
    PinAt<uint64_t>(m.access_i, cell_) = DescriptorAccess::Pins(access_);
  }

  void Look() {
    Vloader_top& m = unit_->model();
    const uint64_t addr = PinAt<uint64_t>(m.addr_o, cell_);
    for (int c = 0; c < kMost; ++c) {
      if (!PinBit(m.loaded_valid_o, At(c))) continue;
      Channel& channel = channels_[static_cast<size_t>(c)];
      ASSERT_TRUE(channel.expected) << "channel " << c << " did not ask";
      EXPECT_EQ(Told(shape_.full ? addr_ : addr), *channel.expected) << "channel " << c;
      channel.expected.reset();
      channel.answered = unit_->cycle();
      ++loads_;
    }
    addr_ = addr;
    int served = 0;
    for (int c = 0; c < kMost; ++c) {
      if (!PinBit(m.ready_o, At(c))) continue;
      Channel& channel = channels_[static_cast<size_t>(c)];
      ASSERT_TRUE(channel.asks) << "channel " << c << " does not ask";
      EXPECT_LT(channel.passed, shape_.channels) << "channel " << c << " waits for too many";
      channel.expected = Load(c, *channel.asks);
      good_ += channel.expected->error == 0 ? 1 : 0;
      channel.asks.reset();
      for (Channel& other : channels_) ++other.passed;
      ++served;
    }
    EXPECT_LE(served, 1) << "one at a time";
    if (PinBit(m.access_ready_o, cell_)) {
      ASSERT_TRUE(access_);
      if (access_->write) {
        Write();
      } else {
        EXPECT_EQ(PinAt<uint32_t>(m.access_data_o, cell_), Read())
            << "area " << access_->area << " descriptor " << access_->descriptor << " word "
            << access_->word;
      }
      access_.reset();
    }
    busy_ = idle() ? 0 : busy_ + 1;
    EXPECT_LT(busy_, 2000) << "no end";
  }

 private:
  struct Channel {
    std::optional<Request> asks;
    std::optional<Answer> expected;
    int passed = 0;  // others that were served while it asked
    uint64_t asked = 0, answered = 0;
  };

  bool Chance(uint64_t percent) { return rng_.Below(100) < percent; }
  int At(int c) const { return cell_ * kMost + c; }

  bool Available(int c, int descriptor) const {
    if (shape_.full) return descriptor < shape_.descriptors;
    const int part = shape_.descriptors / shape_.channels;
    return descriptor / part == c;
  }
  // A descriptor of its own, of another one, or of nobody.
  int Somebody(int c) {
    if (rng_.Chance(0.1)) return static_cast<int>(rng_.Below(256));
    if (shape_.full || rng_.Chance(0.1)) return static_cast<int>(rng_.Below(5));
    return c * (shape_.descriptors / shape_.channels) + static_cast<int>(rng_.Below(2));
  }
  DescriptorAccess Any() {
    DescriptorAccess access;
    access.descriptor = Somebody(static_cast<int>(rng_.Below(3))) % shape_.descriptors;
    access.write = rng_.Chance(0.7);
    access.word = rng_.Chance(0.5) ? 15 : static_cast<int>(rng_.Below(16));
    if (rng_.Chance(access.write ? 0.05 : 0.7)) {
      access.area = kTurns;
      access.word = 0;
    }
    access.data = access.area == kTurns ? static_cast<uint32_t>(rng_.Below(4)) : Word(access.word);
    return access;
  }
  // Whatever is refused is rare.
  uint32_t Word(int word) {
    const auto any = static_cast<uint32_t>(rng_());
    const uint32_t wrong = rng_.Chance(0.1) ? any : 0;
    switch (word) {
      case 2:
      case 3:
      case 4:
      case 5:
      case 10:
        return any & 15;
      case 12:
        return (any & 0x3f093f09) | 0x8000 | (wrong & 0x00c700c6);
      case 13:
        return (any & 0x000301ff) | (wrong & 0x200);
      case 15:
        return (any & 0x00000003) | static_cast<uint32_t>(rng_.Chance(0.9)) << 31 |
               (wrong & 0x4000c804);
      default:
        return any;
    }
  }

  uint32_t Read() {
    const Descriptor& d = at(access_->descriptor);
    if (access_->area == kTurns) return d.turns;
    const uint32_t word = d.words[static_cast<size_t>(access_->word)];
    return access_->word == 15 && !d.valid ? word & 0x7fffffff : word;
  }
  void Write() {
    Descriptor& d = at(access_->descriptor);
    if (access_->area == kTurns) {
      d.turns = access_->data & 0xffff;
      return;
    }
    d.words[static_cast<size_t>(access_->word)] = access_->data;
    d.valid = access_->word == 15 && access_->data >> 31 != 0;
    if (access_->word == 15) d.turns = 0;
  }

  // The first reason for which it cannot run.
  uint32_t Error(int c, int id) {
    if (!Available(c, id)) return kUnavailable;
    const Descriptor& d = at(id);
    const uint32_t lock = d.words[12], control = d.words[15];
    if (!d.valid) return kInvalid;
    if (!shape_.full && (control & 0xc800) != 0) return kExtension;
    if (((lock & 0x80c000c0) | (d.words[13] & 0xfe00) | (control & 1U << 30)) != 0)
      return kReserved;
    const bool acquires = (lock >> 15 & 1) != 0, releases = (lock >> 24 & 0x7f) != 0;
    if (acquires && ((lock & 63) >= kLocks || (lock >> 8 & 0x7f) == 0x40)) return kLock;
    if (releases && (lock >> 16 & 63) >= kLocks) return kLock;
    return (control & 7) > 3 ? kElem : 0;
  }
  Answer Load(int c, const Request& request) {
    Answer answer;
    answer.descriptor = request.descriptor;
    answer.error = Error(c, request.descriptor);
    if (answer.error != 0) return answer;
    Descriptor& d = at(request.descriptor);
    answer.next = d.words[13] & 0xff;
    answer.chained = (d.words[13] & 0x100) != 0;
    answer.task_end = request.final_turn && !answer.chained;
    answer.side = d.words[14];
    answer.addr = d.words[0] | static_cast<uint64_t>(d.words[1]) << 32;
    if (d.size() > 1) {
      const auto step = static_cast<int64_t>(static_cast<int32_t>(d.words[11]));
      answer.addr += d.turns * static_cast<uint64_t>(step);
      d.turns = d.turns + 1 >= d.size() ? 0 : d.turns + 1;
    }
    return answer;
  }
  Answer Told(uint64_t addr) {
    const auto pins = PinAt<uint64_t>(unit_->model().loaded_o, cell_);
    Answer answer;
    answer.descriptor = static_cast<int>(pins >> 32 & 0xff);
    answer.error = static_cast<uint32_t>(pins >> 48 & 63);
    if (answer.error != 0) return answer;
    answer.side = static_cast<uint32_t>(pins);
    answer.next = static_cast<uint32_t>(pins >> 40 & 0xff);
    answer.chained = (pins >> 54 & 1) != 0;
    answer.task_end = (pins >> 55 & 1) != 0;
    answer.addr = addr;
    return answer;
  }

  ClockedUnit<Vloader_top>* unit_;
  int cell_;
  Shape shape_;
  Rng rng_;
  std::vector<Descriptor> content_;
  std::array<Channel, kMost> channels_;
  std::optional<DescriptorAccess> access_;
  std::optional<int> guess_;
  uint64_t addr_ = 0;  // in the cycle before
  int busy_ = 0, loads_ = 0, good_ = 0;
};

class Loader : public ::testing::Test {
 protected:
  Loader() {
    for (int i = 0; i < 2; ++i) cells_.emplace_back(&unit_, i, 7 + static_cast<uint64_t>(i));
    Reset();
  }
  void Reset() {
    for (Loading& cell : cells_) {
      cell.Reset();
      cell.Put();
    }
    unit_.Reset();
  }
  void Cycle() {
    for (Loading& cell : cells_) cell.Put();
    unit_.Cycle([&] {
      for (Loading& cell : cells_) {
        SCOPED_TRACE(fmt::format("{} channels, cycle {}", cell.shape().channels, unit_.cycle()));
        cell.Look();
      }
    });
  }
  void Rest(Loading& cell) {
    do Cycle();
    while (!cell.idle() && !HasFailure());
    for (int i = 0; i < 3; ++i) Cycle();
  }
  void Write(Loading& cell, int descriptor, int word, uint32_t data, int area = kBase) {
    cell.Access({true, area, descriptor, word, data});
    Rest(cell);
  }

  ClockedUnit<Vloader_top> unit_{1};
  std::vector<Loading> cells_;
};

// Random descriptors, right and wrong, written and read while channels load them: each channel gets
// what it asked for, in its turn, and turns go on with what was loaded.
TEST_F(Loader, ChannelsLoadWhatTheyAskFor) {
  Proves({"program.descriptor-valid", "program.iteration"});
  Rng rng(3);
  for (int run = 0; run < 40 && !HasFailure(); ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    Reset();
    Pace pace;
    for (int i = 0; i < 1500 && !HasFailure(); ++i) {
      if (i % 60 == 0) {
        constexpr std::array<uint64_t, 4> kPaces = {3, 20, 60, 100};
        pace = {kPaces[rng.Below(3)], kPaces[rng.Below(4)], kPaces[rng.Below(4)]};
        if (i == 0) pace = {100, 0, 0};
      }
      for (Loading& cell : cells_) cell.Random(pace);
      Cycle();
    }
    for (Loading& cell : cells_) Rest(cell);
  }
  for (const Loading& cell : cells_) {
    EXPECT_GT(cell.loads(), 10000);
    EXPECT_GT(cell.good(), 1000);
  }
}

TEST_F(Loader, LatencyAndThroughput) {
  for (Loading& cell : cells_) {
    const int other = cell.shape().full ? 1 : cell.shape().descriptors / cell.shape().channels;
    Rest(cell);
    for (int d = 0; d < cell.shape().descriptors; ++d) Write(cell, d, 15, 1U << 31);
    cell.Ask(0, {0, false});
    Rest(cell);
    cell.Ask(1, {other, false});
    Rest(cell);
    EXPECT_EQ(cell.answered(1) - cell.asked(1), 2U);
    cell.Ask(0, {0, false});
    cell.Guess(std::nullopt);
    Rest(cell);
    cell.Guess(other);
    Cycle();
    cell.Ask(1, {other, false});
    Rest(cell);
    EXPECT_EQ(cell.answered(1) - cell.asked(1), 1U) << "after the right guess";
    cell.Guess(std::nullopt);
    const int before = cell.loads();
    for (int i = 0; i < 200; ++i) {
      for (int c = 0; c < cell.shape().channels; ++c) {
        if (cell.MayAsk(c)) cell.Ask(c, {cell.shape().full ? c : c * other, false});
      }
      Cycle();
    }
    EXPECT_GE(cell.loads() - before, 98) << "one in two cycles";
    Rest(cell);
  }
}

// A descriptor that is refused is not executed: its turns, and those of others, stay as they are.
TEST_F(Loader, ARefusalLeavesTurnsAsTheyAre) {
  Proves({"program.iteration"});
  Loading& cell = cells_[0];
  Rest(cell);
  Write(cell, 4, 13, 5U << 16);
  for (const uint32_t control : {1U << 31, 3U << 30, 0U, 1U << 31 | 4}) {
    Write(cell, 4, 15, control);
    Write(cell, 4, 0, 3, kTurns);
    const bool good = control == 1U << 31;
    for (const int descriptor : {4, 20}) {  // the memory has no 20
      cell.Ask(2, {descriptor, false});
      Rest(cell);
    }
    EXPECT_EQ(cell.at(4).turns, good ? 4U : 3U);
    cell.Access({false, kTurns, 4, 0, 0});
    Rest(cell);
  }
}

}  // namespace
}  // namespace tessera
