// Windows: whatever lies inside is carried out, nothing outside is requested; permissions, several
// windows, locks; and what the check costs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tb/bus/axi_errors.h"
#include "tb/check/plan.h"
#include "tb/model/reference.h"
#include "tb/random/generate.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint64_t kPage = 0x1000;

class Windows : public DmaTest {
 protected:
  bool MakeWith(const DmaBenchOptions& options = {}) {
    Make(options);
    if (config().windows == 0) return false;
    bench().Watch([this](uint64_t cycle) {
      const AxiPort& port = bench().dma().port(0);
      const auto note = [&](const tessera::Channel<AxiAddress>& pins) {
        if (pins.moves()) bursts_.emplace_back(pins->addr, pins->addr + pins->beats() * bus() - 1);
      };
      note(port.ar);
      note(port.aw);
      const Dma::Streams& streams = bench().dma().streams(0);
      if (streams.m_axis.moves() || streams.s_axis.moves()) moved_.push_back(cycle);
    });
    return true;
  }
  uint64_t bus() { return static_cast<uint64_t>(config().channel.data_bytes); }
  // The pages that a transfer reads or writes a byte of, and the bytes on the stream.
  struct Expected {
    std::set<uint64_t> pages;
    std::vector<uint8_t> bytes;
  };
  Expected Expect(Direction way, const model::Transfer& transfer) {
    model::Build build;
    build.addr_width = config().channel.addr_width;
    build.data_bytes = config().channel.data_bytes;
    build.stream_bytes = config().channel.stream_bytes;
    Expected expected;
    const model::MemoryImage memory(
        model::MemoryImage::PageBackground([this](uint64_t address, std::span<uint8_t> page) {
          bench().memory().Read(address, page);
        }));
    if (way == kRead) {
      model::ReadModel model(build, memory);
      model.Run(transfer);
      for (const model::StreamBeat& beat : model.beats()) {
        for (size_t n = 0; n < beat.keep.size(); ++n) {
          if (beat.keep[n]) expected.bytes.push_back(beat.data[n]);
        }
      }
    }
    // A write of it touches the bytes that a read of it does.
    model::MemoryImage written;
    model::WriteModel model(build, written);
    Rng rng(transfer.base);
    model.Offer([&](model::StreamBeat& beat) {
      for (size_t n = 0; n < static_cast<size_t>(build.stream_bytes); ++n) {
        beat.data[n] = static_cast<uint8_t>(rng());
        beat.keep.set(n);
      }
      return true;
    });
    model.Run(transfer);
    if (way == kWrite) expected.bytes = model.taken();
    written.ForEachPage([&](uint64_t address, const model::MemoryImage::Page& page) {
      if (std::any_of(page.written.begin(), page.written.end(), [](uint64_t w) { return w != 0; }))
        expected.pages.insert(address);
    });
    return expected;
  }
  // Runs a transfer on channel 0 of a direction; its record, and the bytes that it read.
  std::optional<native::Record> Run(Direction way, const native::Descriptor& d,
                                    std::span<const uint8_t> bytes = {}) {
    Write(First(way), d);
    bursts_.clear();
    moved_.clear();
    seen_ = bench().sink(0).bytes().size();
    if (way == kWrite) bench().source(0).Push(bytes, PieceEnd::kLast);
    Push(way, {.start = First(way)});
    for (int n = 0; n < 4000; ++n) {
      if (auto record = Pop(way)) return record;
    }
    return std::nullopt;
  }
  std::vector<uint8_t> Sent() { return SentBehind(seen_); }
  void SetWindow(Direction way, int number, uint64_t first, uint64_t last, bool read, bool write,
                 bool lock = false) {
    const uint32_t at =
        native::kWindows + (way == kRead ? 0 : 0x2000) + 0x20 * static_cast<uint32_t>(number);
    bench().Set64(at, first);
    bench().Set64(at + 8, last);
    bench().Set(at + 16, static_cast<uint32_t>(read) | static_cast<uint32_t>(write) << 1 |
                             (lock ? 1U << 31 : 0));
  }

  std::vector<std::pair<uint64_t, uint64_t>> bursts_;
  std::vector<uint64_t> moved_;  // cycles in which a beat of stream 0 moved
  size_t seen_ = 0;
};

// A window of exactly its pages lets any transfer through; one that lacks the first or the last of
// them refuses it, and nothing of that page is requested.
TEST_P(Windows, AnyTransferInsideIsExecutedAndNothingOutsideIsRequested) {
  Proves({"window.outside", "window.exact"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no windows";
  int exact = 0, refused = 0;
  for (uint64_t n = 0; n < 120; ++n) {
    const Direction way = n % 2 == 0 ? kRead : kWrite;
    Rng rng = Rng(n).Stream("extent");
    native::Descriptor d;
    d.transfer = RandomTransfer(rng, config().channel, 0x4000000, 3000);
    const auto small = [](int64_t s) { return s == static_cast<int32_t>(s); };
    if (!config().channel.bounds) {  // the driver refuses what only bounds use
      if (!std::ranges::all_of(d.transfer.stride, small)) continue;
      d.transfer.fill = 0;
      d.transfer.start = {};
    }
    d.transfer.join_next = false;
    d.transfer.offset = 0;
    d.transfer.finish = model::Finish::kLength;
    d.transfer.task_end = true;
    SCOPED_TRACE(fmt::format("{} {}: {}", n, NameOf(way), model::ToString(d.transfer)));
    const Expected first = Expect(way, d.transfer);
    if (first.pages.empty()) continue;
    // To the end of its last page, or about it.
    d.transfer.base += rng.Below(8) * 0x200;
    const Expected expected = Expect(way, d.transfer);
    if (expected.pages.empty()) continue;
    for (int shape = 0; shape < 3; ++shape) {
      uint64_t low = *expected.pages.begin(), high = *expected.pages.rbegin();
      if (high - low > 0x1000000) continue;
      const uint64_t lacks = shape == 1 ? low : high;
      if (shape != 0 && low == high) continue;
      if (shape == 1) low += kPage;
      if (shape == 2) high -= kPage;
      software().SetWindow(way, 0, low, high);
      const std::vector<AddressRange> before = bench().memory().TouchedRanges();
      const auto record = Run(way, d, expected.bytes);
      ASSERT_TRUE(record) << bench().Dump();
      if ((record->done.status & rtl::Status::kIllegal) != 0) break;
      for (const auto& [from, to] : bursts_) {
        EXPECT_GE(from, low);
        EXPECT_LE(to, high + kPage - 1);
      }
      EXPECT_EQ(record->done.bytes, expected.bytes.size());
      if (shape == 0) {
        EXPECT_EQ(record->done.status, 0);
        if (way == kRead) {
          EXPECT_TRUE(Sent() == expected.bytes);
        }
        ++exact;
      } else {
        EXPECT_EQ(record->done.status, rtl::Status::kDecerr);
        EXPECT_EQ(record->done.addr & ~(kPage - 1), lacks);
        ++refused;
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(exact, 40);
  EXPECT_GT(refused, 40);
}

// A transfer without a valid position touches nothing, so no window is needed for it; one with
// bounds and a traversal needs one for its valid positions.
TEST_P(Windows, ATransferNeedsAWindowForItsBytesAlone) {
  Proves({"window.exact"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    software().SetWindows(way, 0, {});
    const auto done = [&](const native::Descriptor& d, uint64_t bytes) {
      const auto record = Run(way, d, std::vector<uint8_t>(bytes, 1));
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_EQ(record->done.status, 0);
      EXPECT_EQ(record->done.bytes, bytes);
      EXPECT_TRUE(bursts_.empty());
    };
    done(Copy(0x108000, 0), 0);
    if (!config().channel.bounds) continue;
    native::Descriptor d = Copy(0x108000, 16);
    d.transfer.start[0] = 9;
    d.transfer.bound[0] = 9;
    done(d, 16);
    if (config().channel.walk) {
      d.transfer.walk[0] = model::WalkLevel{0, 3, 3};
      done(d, 48);
      software().SetWindow(way, 0, 0x100000, 0x10f000);  // the example of docs/ports.md
      d = Copy(0x108000, 1);
      d.transfer.start[0] = 2;
      d.transfer.bound[0] = 5;
      d.transfer.walk[0] = model::WalkLevel{0, 1, 2};
      const auto record = Run(way, d, std::vector<uint8_t>(2, 1));
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_EQ(record->done.status, 0);
      EXPECT_EQ(record->done.bytes, 2u);
      EXPECT_FALSE(bursts_.empty());
    }
  }
}

// A window far away permits nothing near, however many strides lie between.
TEST_P(Windows, AWindowFarAwayPermitsNothingHere) {
  Proves({"window.outside"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    for (int bit = 17; bit < config().channel.addr_width; ++bit) {
      SCOPED_TRACE(fmt::format("{} {}", NameOf(way), bit));
      software().SetWindow(way, 0, 0x108000 ^ uint64_t{1} << bit, 0x108000 ^ uint64_t{1} << bit);
      native::Descriptor d = Copy(0x108000, 1);
      if (config().channel.walk && config().channel.bounds) {
        d.transfer.start[0] = 2;
        d.transfer.bound[0] = 5;
        d.transfer.walk[0] = model::WalkLevel{0, 1, 2};
      }
      const uint64_t bytes = Expect(way, d.transfer).bytes.size();
      const auto record = Run(way, d, std::vector<uint8_t>(bytes, 1));
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_EQ(record->done.status, rtl::Status::kDecerr);
      EXPECT_TRUE(bursts_.empty());
    }
  }
}

// ERROR tells a burst that was not requested from one that the memory answers with an error.
TEST_P(Windows, ARefusalIsNoBusError) {
  Proves({"window.outside", "program.error-sticky"});
  constexpr uint32_t kBus = registers::channel::Error::kBusMask,
                     kDenied = registers::channel::Error::kDeniedMask;
  constexpr uint64_t kAt = 0x100000, kBad = kAt + 0x800;
  DmaBenchOptions options;
  options.memory.errors.push_back(ErrorRule::Range(kBad, kBad + 7, kSlvErr));
  if (!MakeWith(options)) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    software().SetWindow(way, 0, kAt, kAt);
    const auto errors = [&](const native::Descriptor& d, uint64_t addr, uint32_t status) {
      const auto record = Run(way, d, std::vector<uint8_t>(0x1000, 1));
      EXPECT_TRUE(record);
      if (record) {
        EXPECT_EQ(record->done.status, status);
      }
      EXPECT_EQ(Get(way, native::kErrorInfo) & 0xff, static_cast<uint32_t>(First(way)));
      EXPECT_EQ(Get(way, native::kErrorAddr) & ~uint32_t{0xff}, addr & ~uint32_t{0xff});
      const uint32_t seen = Get(way, native::kError);
      Set(way, native::kError, ~0u);
      return seen;
    };
    EXPECT_EQ(errors(Copy(kAt + 0x1800, 0x1000), kAt + 0x1800, rtl::Status::kDecerr), kDenied);
    EXPECT_EQ(errors(Copy(kBad - 0x800, 0x1000), kBad, rtl::Status::kSlverr), kBus);
    EXPECT_EQ(errors(Copy(kBad, 0x1000), kBad, rtl::Status::kSlverr | rtl::Status::kDecerr),
              kBus | kDenied);
    // Inside, behind them: nothing is left over.
    EXPECT_EQ(Run(way, Copy(kAt, 64), std::vector<uint8_t>(64, 1))->done.status, 0);
    EXPECT_EQ(Get(way, native::kError), 0u);
  }
}

TEST_P(Windows, ReadingIsNotWritingAndSeveralWindowsAdd) {
  Proves({"window.permission"});
  if (!MakeWith() || config().windows < 2) GTEST_SKIP() << "the build has less than two windows";
  constexpr uint64_t kAt = 0x100000;
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    SetWindow(way, 0, kAt, kAt + 0xf000, way == kWrite, way == kRead);  // for the other direction
    SetWindow(way, 1, kAt + 0x2000, kAt + 0x2000, way == kRead, way == kWrite);
    const std::vector<uint8_t> bytes(64, 1);
    const auto permits = [&](uint64_t at) {
      const auto record = Run(way, Copy(kAt + at, 64), bytes);
      EXPECT_TRUE(record);
      EXPECT_EQ(bursts_.empty(), record->done.status != 0);
      return record->done.status == 0;
    };
    EXPECT_FALSE(permits(0x1fc0));
    EXPECT_TRUE(permits(0x2000));
    EXPECT_TRUE(permits(0x2fc0));
    EXPECT_FALSE(permits(0x3000));
    SetWindow(way, 0, kAt + 0x3000, kAt + 0x4000, way == kRead, way == kWrite);
    EXPECT_TRUE(permits(0x2fe0));  // across the edge between them
    EXPECT_TRUE(permits(0x4fc0));
    EXPECT_FALSE(permits(0x5000));
  }
}

TEST_P(Windows, WhatIsLockedStaysAndWhatIsNotThereIsRefused) {
  Proves({"window.lock"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no windows";
  constexpr uint64_t kAt = 0x100000;
  SetWindow(kRead, 0, kAt, kAt, true, false, true);
  for (uint32_t word = 0; word < 5; ++word) {
    EXPECT_FALSE(bench().Write(native::kWindows + 4 * word, 0xffffffff)) << word;
  }
  const uint32_t absent = native::kWindows + 0x20 * static_cast<uint32_t>(config().windows);
  if (config().windows < 16) {
    for (uint32_t word = 0; word < 5; ++word)
      EXPECT_FALSE(bench().Write(absent + 4 * word, 0xffffffff)) << word;
  }
  EXPECT_EQ(Run(kRead, Copy(kAt, 64))->done.status, 0);
  const auto refused = Run(kRead, Copy(kAt + kPage, 64));
  EXPECT_EQ(refused->done.status, rtl::Status::kDecerr);
  EXPECT_EQ(refused->done.addr, kAt + kPage);
  EXPECT_TRUE(bursts_.empty());
  // A reset of the channel leaves it.
  ASSERT_TRUE(Channel(kRead).Reset().ok());
  EXPECT_FALSE(bench().Write(native::kWindows + 16, 0));
  EXPECT_EQ(Run(kRead, Copy(kAt, 64))->done.status, 0);
}

// In a window that was looked up a burst waits for nothing: transfers of many pages, and short ones
// behind each other.
TEST_P(Windows, TheCheckCostsNoCycle) {
  Proves({"window.rate"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(20);
  if (!MakeWith(options)) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    native::Descriptor d = Copy(0x100000, 60000);
    const std::vector<uint8_t> bytes(60000, 1);
    software().SetWindow(way, 0, 0x100000, 0x1ff000);
    ASSERT_TRUE(Run(way, d, bytes));
    const size_t beats = bytes.size() / static_cast<size_t>(config().channel.stream_bytes);
    ASSERT_EQ(moved_.size(), beats);
    EXPECT_LE(moved_.back() - moved_.front() + 1, beats + beats / 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Windows, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
