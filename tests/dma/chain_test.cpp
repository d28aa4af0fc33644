// Random chains of transfers that join or not, with headers: packets are those that the manual
// says, also behind stops.
#include <fmt/format.h>

#include <random>

#include "tests/dma/side.h"

namespace tessera {
namespace {

struct Part {
  uint64_t base = 0;
  uint32_t bytes = 0;
  model::LastRule rule = model::LastRule::kNever;
  bool join = false;
  rtl::HeaderRequest header;
};

class Chains : public SideTest {
 protected:
  using Data = std::vector<uint8_t>;
  // The last one ends its packet.
  std::vector<Part> Draw(std::mt19937_64& random, size_t count, uint64_t base, bool empty,
                         bool closed) {
    constexpr std::array kRules{model::LastRule::kNever, model::LastRule::kTransfer,
                                model::LastRule::kTask};
    std::vector<Part> parts(count);
    for (Part& part : parts) {
      part.base = base + random() % 2048;
      part.bytes = 1 + static_cast<uint32_t>(random() % (random() % 3 == 0 ? 120 : 20));
      if (empty && random() % 8 == 0) part.bytes = 0;
      part.rule = kRules.at(random() % 3);
      if (closed && part.rule == model::LastRule::kNever) part.rule = model::LastRule::kTask;
      part.join = random() % 2 != 0;
      const auto id = static_cast<uint8_t>(random() % 30);
      part.header = {
          .enable = random() % 2 != 0, .kind = 2, .bd = static_cast<uint8_t>(id + 1), .id = id};
    }
    parts.back().rule = model::LastRule::kTransfer;
    if (parts.back().bytes == 0) parts.back().bytes = 5;
    return parts;
  }
  void Write(const std::vector<Part>& parts, int first) {
    for (size_t n = 0; n < parts.size(); ++n) {
      const Part& part = parts[n];
      native::Descriptor d = Copy(part.base, part.bytes);
      d.transfer.last_rule = part.rule;
      d.transfer.join_next = part.join;
      d.no_record = true;
      d.side = native::SideWord(SideNumber(n));
      if (part.header.enable) d.header = part.header;
      const int at = first + static_cast<int>(n);
      if (n + 1 < parts.size()) d.next = at + 1;
      SideTest::Write(at, d);
    }
  }
  // Its packets, of whole beats of the bus but where something ends.
  std::vector<Data> Expected(const std::vector<Part>& parts) {
    const auto word = static_cast<size_t>(config().channel.data_bytes);
    std::vector<Data> packets;
    Data packet, beat;
    bool open = false;
    const auto send = [&](const Part& owner, bool last) {
      if (!open && owner.header.enable) packet = Header(owner.header);
      open = !last;
      packet.insert(packet.end(), beat.begin(), beat.end());
      beat.clear();
      if (last) packets.push_back(std::exchange(packet, {}));
    };
    for (const Part& part : parts) {
      const bool task_end = &part == &parts.back(), joins = part.join && !task_end;
      const bool last = (part.rule == model::LastRule::kTransfer ||
                         (part.rule == model::LastRule::kTask && task_end)) &&
                        (part.bytes != 0 || !joins);
      const bool ends = !joins || last;
      size_t left = part.bytes;
      for (const uint8_t byte : bench().memory().ReadBytes(part.base, part.bytes)) {
        beat.push_back(byte);
        --left;
        if (beat.size() == word && left != 0) send(part, false);
      }
      if (beat.size() == word || (ends && !beat.empty())) send(part, ends && last);
    }
    EXPECT_FALSE(open);
    return packets;
  }
  std::vector<Data> DataSent(int channel, size_t from) {
    std::vector<Data> packets;
    for (Packet& packet : Sent(channel, from)) packets.push_back(std::move(packet.bytes));
    return packets;
  }
  static std::string Text(const std::vector<Part>& parts) {
    std::string text;
    for (const Part& part : parts)
      text += fmt::format("{} bytes, rule {}, join {}, header {}; ", part.bytes,
                          static_cast<int>(part.rule), part.join, part.header.enable);
    return text;
  }
};

TEST_P(Chains, SendThePacketsOfTheirParts) {
  Proves({"side.send"});
  constexpr uint64_t kSeeds = 80;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    Make(Paced(seed));
    if (!config().headers()) GTEST_SKIP() << "the build has no packet headers";
    Load(0x1000, 8192);
    const auto parts = Draw(random, 2 + random() % 7, 0x1000, true, false);
    Write(parts, 0);
    const auto once = Expected(parts);
    auto expected = once;
    for (int turn = 0; turn < 2; ++turn) {
      Push(kRead, {.start = 0, .repeats = 1});
      bench().Step(1500);
      EXPECT_EQ(DataSent(0, 0), expected) << "seed " << seed << ": " << Text(parts);
      expected.insert(expected.end(), once.begin(), once.end());
    }
  }
}

TEST_P(Chains, SendThePacketsOfTheirPartsBehindAStop) {
  Proves({"side.send", "abort.works-again", "control.reset"});
  constexpr uint64_t kSeeds = 60;
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    DmaBenchOptions options = Paced(seed);
    if (random() % 3 == 0) options.sink.pacer = PacerSpec::Parse("bursts=1-2/6-30");
    Make(options);
    if (!config().headers()) GTEST_SKIP() << "the build has no packet headers";
    Load(0x1000, 8192);
    const bool reset = random() % 2 != 0;  // it ends what is open without TLAST, an abort does not
    const auto parts = Draw(random, 2 + random() % 5, 0x1000, true, !reset);
    const auto next = Draw(random, 1 + random() % 3, 0x1800, false, true);
    const auto other = Draw(random, 3, 0x2000, false, true);
    Write(parts, 0);
    Write(next, 10);
    Write(other, 20);
    constexpr int kOthers = 20;
    for (int c = 1; c < config().reads; ++c) Push(kRead, {.start = 20, .repeats = kOthers}, c);
    Push(kRead, {.start = 0, .repeats = 10});
    bench().Step(static_cast<int>(20 + random() % 400));
    Set(kRead, native::kControl, reset ? kReset : kAbort);
    const uint32_t done = reset ? kInReset : kIdle;
    const int held = static_cast<int>(random() % 4);
    if (held == 3) {
      ASSERT_TRUE(WaitStatus(kRead, done, done));
    } else {
      bench().Step(held * 3);
    }
    Set(kRead, native::kControl, 0);
    ASSERT_TRUE(WaitStatus(kRead, kIdle | kInReset, kIdle));
    bench().Step(600);
    PopAll(kRead);
    const size_t before = bench().sink(0).beats().size();
    Push(kRead, {.start = 10});
    bench().Step(2500);
    EXPECT_EQ(DataSent(0, before), Expected(next))
        << "seed " << seed << ", reset " << reset << ": " << Text(parts) << "then " << Text(next);
    std::vector<Data> all;
    const auto once = Expected(other);
    for (int n = 0; n < kOthers; ++n) all.insert(all.end(), once.begin(), once.end());
    for (int c = 1; c < config().reads; ++c) {
      EXPECT_TRUE(bench().Until([&] { return Sent(c, 0).size() >= all.size(); }, 40000));
      bench().Step(2000);
      EXPECT_EQ(DataSent(c, 0), all) << "seed " << seed << ": channel " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Chains, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
