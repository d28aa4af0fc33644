// Frame marks: TUSER bit 0 of a stream begins tasks and turns. Through the driver.
#include <random>

#include "tests/dma/side.h"

namespace tessera {
namespace {

class Frames : public SideTest {};

// Packets are half frames: every other one begins with a mark, and the first one is cut.
// TUSER has other bits as well: bit 0 alone is the mark.
TEST_P(Frames, ATaskBeginsWithTheMarkOfItsStream) {
  Proves({"program.frame-mark"});
  Make(Paced(11));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    const bool mark = packet % 2 == 1 && packet < 13 && beat == 0;
    return rtl::DescriptorSide{.user = static_cast<uint16_t>((packet + beat + 1) * 0x35a2 | mark)};
  });
  constexpr uint32_t kHalf = 40;
  for (int packet = 0; packet < 14; ++packet) {
    const size_t size = packet == 0 ? 13 : kHalf;
    bench().source(0).Push(Bytes(size, packet), PieceEnd::kLast);
  }
  native::Descriptor frame = Copy(0x4000, 2 * kHalf);
  frame.iteration_size = 8;
  frame.iteration_step = 2 * kHalf;
  Write(1, frame);
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  Push(kWrite, {.start = 1, .repeats = 6, .paced = true});
  for (int n = 0; n < 6; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    std::vector<uint8_t> expected = Bytes(kHalf, 2 * n + 1);
    const auto second = Bytes(kHalf, 2 * n + 2);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(bench().memory().ReadBytes(0x4000 + 2 * kHalf * static_cast<uint64_t>(n), 2 * kHalf),
              expected)
        << n;
    if (n == 2) bench().Step(300);
  }
  Push(kWrite, {.start = 1, .trigger = true});
  bench().Step(500);
  EXPECT_EQ(Waits(kWrite), native::Wait::kTrigger);  // half a frame more was dropped, no mark came
}

// A camera that sends more than the frames: none of it is in memory, however long it waited in
// front.
TEST_P(Frames, WhatComesBetweenFramesIsDropped) {
  Proves({"program.frame-mark"});
  Make(Paced(12));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  constexpr uint32_t kFrame = 72;
  constexpr int kFrames = 40;
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(packet % 2 == 1 && beat == 0)};
  });
  std::mt19937_64 random(12);
  for (int n = 0; n < kFrames; ++n) {
    const size_t noise = 1 + random() % 400, surplus = random() % 20;
    bench().source(0).Push(Bytes(noise, 255 - n), PieceEnd::kLast);
    bench().source(0).Push(Bytes(kFrame + surplus, n), PieceEnd::kLast);
  }
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  Write(1, Copy(0x4000, kFrame));
  for (int n = 0; n < kFrames; ++n) {
    if (n % 3 == 0) bench().Step(static_cast<int>(random() % 300));
    Push(kWrite, {.start = 1, .trigger = true});
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    EXPECT_EQ(record->done.status, 0) << n;
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, kFrame), Bytes(kFrame, n)) << n;
  }
}

// An event that came while the channel waited for something else begins no frame.
TEST_P(Frames, AnEventFromBeforeIsNoFrame) {
  Proves({"program.frame-mark"});
  Make(Paced(13));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(packet == 1 && beat == 0)};
  });
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::Software(3)).ok());
  bench().Set(native::kFire, 8);
  bench().Step(20);
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  bench().source(0).Push(Bytes(50, 200), PieceEnd::kLast);
  Write(1, Copy(0x4000, 64));
  Push(kWrite, {.start = 1, .trigger = true});
  bench().Step(300);
  EXPECT_EQ(Waits(kWrite), native::Wait::kTrigger);
  bench().source(0).Push(Bytes(64, 3), PieceEnd::kLast);
  ASSERT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 64), Bytes(64, 3));
  EXPECT_EQ(Get(kWrite, native::kStatus) >> 29 & 1, 0u);
}

// A camera whose frames have headers: each frame goes where its header says. What has no mark is
// dropped, header or not; so is a frame without a whole header, and the next one counts.
TEST_P(Frames, TheHeaderOfAFrameNamesItsDescriptor) {
  Make(Paced(14));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  if (!config().headers()) GTEST_SKIP() << "the build takes no headers";
  ASSERT_TRUE(Channel(kWrite).HeadersChoose(true).ok());
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  constexpr int kFrames = 40;
  std::vector<bool> marks;
  std::vector<int> ids;
  std::mt19937_64 random(14);
  for (int n = 0; n < kFrames; ++n) {
    for (uint64_t noise = random() % 3; noise > 0; --noise) {
      Send(6, Bytes(1 + random() % 60, 200));
      marks.push_back(false);
    }
    if (random() % 3 == 0) {
      bench().source(0).Push(Bytes(1 + random() % 3, 0), PieceEnd::kLast);
      marks.push_back(true);
      if (random() % 2 == 0) {
        Send(6, Bytes(1 + random() % 60, 201));
        marks.push_back(false);
      }
    }
    ids.push_back(4 + static_cast<int>(random() % 2));
    Send(ids.back(), Bytes(static_cast<size_t>(30 + n), n));
    marks.push_back(true);
  }
  bench().source(0).SetSides([marks](uint64_t packet, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(marks.at(packet) && beat == 0)};
  });
  for (int id = 4; id < 7; ++id) {
    native::Descriptor d = ToLast(0x4000 + 0x2000 * static_cast<uint64_t>(id - 4), 128);
    d.iteration_size = kFrames;
    d.iteration_step = 128;
    Write(id, d);
  }
  Push(kWrite, {.repeats = kFrames, .paced = true});
  std::array<uint64_t, 3> turns{};
  for (int n = 0; n < kFrames; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    const int id = ids[static_cast<size_t>(n)];
    const auto buffer = static_cast<uint64_t>(id - 4);
    const auto data = Bytes(static_cast<size_t>(30 + n), n);
    EXPECT_EQ(record->descriptor(), id) << n;
    EXPECT_EQ(record->done.bytes, data.size()) << n;
    const uint64_t base = 0x4000 + 0x2000 * buffer + 128 * turns[buffer]++;
    EXPECT_EQ(bench().memory().ReadBytes(base, data.size()), data) << n;
    EXPECT_EQ(Get(kWrite, native::kStatus) >> 29 & 1, 0u) << n;  // no trigger is missed
  }
}

// Headers and frames where a stream goes wrong, or its task is stopped: what follows is received.
class HeadedFrames : public Frames {
 protected:
  // The first packets have a mark where it says so.
  void Begin(const std::vector<bool>& marks, const DmaBenchOptions& options = {}) {
    Make(options);
    if (!config().side || !config().triggers || !config().headers())
      GTEST_SKIP() << "the build has no frame mark or takes no headers";
    ASSERT_TRUE(Channel(kWrite).HeadersChoose(true).ok());
    ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
    for (int id = 4; id < 7; ++id)
      Write(id, ToLast(0x4000 + 0x1000 * static_cast<uint64_t>(id - 4), 1024));
    bench().source(0).SetSides([marks](uint64_t packet, uint64_t beat) {
      const bool mark = packet < marks.size() && marks[packet] && beat == 0;
      return rtl::DescriptorSide{.user = static_cast<uint16_t>(mark)};
    });
  }
  void Expect(int id, uint64_t bytes) {
    auto record = WaitRecord(kWrite);
    for (int n = 0; n < 20 && !record; ++n) record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->descriptor(), id);
    EXPECT_EQ(record->done.bytes, bytes);
  }
  void Order(uint32_t bit) {
    Set(kWrite, native::kControl, kById | bit);
    bench().Step(100);
    Set(kWrite, native::kControl, kById);
    bench().Step(300);
    PopAll(kWrite);
  }
};

// A frame whose first beat lacks lanes of the header, and that has more beats.
TEST_P(HeadedFrames, TheFrameBehindOneWithoutAWholeHeader) {
  Proves({"program.frame-mark"});
  Begin({true, true, false, true});
  if (IsSkipped()) return;
  bench().source(0).Push(Bytes(2, 50), PieceEnd::kBeat);
  bench().source(0).Push(Bytes(12, 51), PieceEnd::kLast);
  Send(4, Bytes(20, 1));
  Send(6, Bytes(24, 2));
  Send(5, Bytes(28, 3));
  Push(kWrite, {.repeats = 2, .paced = true});
  Expect(4, 20);
  Expect(5, 28);
}

TEST_P(HeadedFrames, AStopEndsTheHuntForTheNextOne) {
  Proves({"program.frame-mark"});
  for (const uint32_t bit : {4U, 8U}) {  // abort, reset
    Begin({true});
    if (IsSkipped()) return;
    Push(kWrite, {.trigger = true});
    bench().Step(100);
    bench().source(0).Push(Bytes(2, 50), PieceEnd::kLast);
    bench().Step(200);
    Order(bit);
    Push(kWrite, {.repeats = 2});  // of no trigger
    bench().Step(50);
    Send(4, Bytes(20, 1));
    Send(5, Bytes(28, 3));
    Expect(4, 20);
    Expect(5, 28);
  }
}

// The rest of a packet whose beginning was dropped holds words that could be headers.
TEST_P(HeadedFrames, AStopOfAHuntInsideAPacket) {
  Proves({"program.frame-mark"});
  for (const uint32_t bit : {4U, 8U}) {
    DmaBenchOptions options;
    options.source.pacer = PacerSpec::Bursts(1, 1, 10, 10);
    Begin({}, options);
    if (IsSkipped()) return;
    std::vector<uint8_t> words;
    for (int n = 0; n < 100 * config().channel.stream_bytes; ++n)
      words.push_back(n % 4 == 0 ? 5 << 5 : 0);
    Push(kWrite, {.trigger = true});
    bench().Step(60);
    Send(6, words);
    bench().Step(300);
    Order(bit);
    ASSERT_FALSE(bench().source(0).empty());
    ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::Software(3)).ok());
    Push(kWrite);
    Send(4, Bytes(20, 1));
    Expect(4, 20);
  }
}

// The rest of a packet whose beginning a hunt has dropped, when headers choose no longer.
TEST_P(HeadedFrames, TheRestOfADroppedPacketIsDropped) {
  Proves({"program.frame-mark"});
  DmaBenchOptions options;
  options.source.pacer = PacerSpec::Bursts(1, 1, 10, 10);
  Begin({}, options);
  if (IsSkipped()) return;
  Write(4, Copy(0x4000, 20));
  Push(kWrite, {.trigger = true});
  bench().Step(60);
  bench().source(0).Push(
      std::vector<uint8_t>(100 * static_cast<size_t>(config().channel.stream_bytes), 0xee),
      PieceEnd::kLast);
  bench().Step(300);
  Order(4);  // abort
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::Software(3)).ok());
  Set(kWrite, native::kControl, 0);
  bench().Step(1000);
  Push(kWrite, {.start = 4});
  bench().source(0).Push(Bytes(20, 1), PieceEnd::kLast);
  Expect(4, 20);
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 20), Bytes(20, 1));
}

// A packet without a whole header, in the cycle behind a frame of one beat: the frame has its
// header.
TEST_P(HeadedFrames, AShortPacketBehindAFrameOfOneBeat) {
  Proves({"program.frame-mark"});
  for (int gap = 0; gap < 3; ++gap) {
    SCOPED_TRACE(gap);
    Begin({true, false, true});
    if (IsSkipped()) return;
    const auto rest = static_cast<size_t>(config().channel.stream_bytes) - 4;
    Push(kWrite, {.repeats = 2, .paced = true});
    bench().Step(100);
    Send(4, Bytes(rest, 1));
    if (gap == 1) bench().Step(60);
    bench().source(0).Push(Bytes(2, 50), PieceEnd::kLast);
    if (gap == 2) bench().Step(60);
    Send(5, Bytes(28, 3));
    Expect(4, rest);
    Expect(5, 28);
  }
}

// The mark is found while other channels keep whoever loads descriptors busy: the frame waits for
// its descriptor, and begins as soon as that has been loaded.
TEST_P(Frames, AFrameWaitsForItsDescriptorOnce) {
  DmaBenchOptions options;
  options.seed = 15;
  Make(options);
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  if (config().reads < 3) GTEST_SKIP() << "the build has too few channels";
  // Descriptors of one byte, one after the other.
  for (int c = 0; c < 3; ++c) {
    native::Descriptor d = Copy(0x1000 + 0x100 * static_cast<uint64_t>(c), 1);
    d.no_record = true;
    d.next = c;
    Write(c, d);
    Push(kRead, {.start = c}, c);
  }
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  bench().source(0).SetSides([](uint64_t, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(beat == 0)};
  });
  Write(4, Copy(0x4000, 16));
  constexpr int kFrames = 60;
  for (int n = 0; n < kFrames; ++n) {
    Push(kWrite, {.start = 4, .trigger = true});
    bench().Step(40 + n % 7);  // the hunt is on
    const uint64_t began = bench().cycle();
    bench().source(0).Push(Bytes(16, n), PieceEnd::kLast);
    ASSERT_TRUE(bench().Until([&] { return bench().source(0).empty(); }, 1000)) << n;
    EXPECT_LE(bench().cycle() - began, 36u) << n;  // a turn of the preparation, and its own
    ASSERT_TRUE(WaitRecord(kWrite)) << n << bench().Dump();
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, 16), Bytes(16, n)) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, HeadedFrames, EveryDma(), DmaName);
INSTANTIATE_TEST_SUITE_P(Builds, Frames, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
