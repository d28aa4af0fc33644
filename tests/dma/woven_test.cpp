// Woven programs against the model of the device, undisturbed and with pauses, aborts, resets; what
// the model waits for and refuses; and the explanation of a standstill.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/check/plan.h"
#include "tb/device/device_model.h"
#include "tb/dma/native.h"
#include "tb/dma/who_waits.h"
#include "tb/dma/woven_program.h"
#include "tb/dma/woven_run.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Woven : public ::testing::TestWithParam<std::string> {
 protected:
  // `errors`: how many transfers the memory must have answered with an error at least; `faults`:
  // how often a channel must have told of a fault of it.
  static void RunAll(Disturbance disturbance, const char* name, uint64_t cases, uint64_t errors = 0,
                     uint64_t faults = 0) {
    uint64_t seen = 0, told = 0;
    for (uint64_t seed = 1; seed <= cases; ++seed) {
      const ProgramResult result = RunWoven(GetParam(), seed, disturbance, Draws::kRare);
      ASSERT_TRUE(result.message.empty())
          << result.message << "\ndma_random --config " << GetParam() << " --woven " << name
          << " --seed " << seed << " --cases 1";
      seen += result.errors;
      told += result.faults;
    }
    EXPECT_GE(seen, errors);
    EXPECT_GE(told, faults);
  }
};

TEST_P(Woven, DoWhatTheManualSays) {
  Proves({"program.iteration", "lock.at-least", "lock.alone", "token.word", "token.back-pressure",
          "record.program", "system.random"});
  RunAll(Disturbance::kNone, "none", 20);
}
TEST_P(Woven, DoNotMindPauses) {
  Proves({"program.ends", "system.random", "control.pause", "control.drain"});
  RunAll(Disturbance::kPause, "pause", 8);
}
TEST_P(Woven, EndWithAnAbortAndGoOn) {
  Proves({"program.ends", "system.random", "system.recovered", "system.requests"});
  RunAll(Disturbance::kAbort, "abort", 12, 6);
}
TEST_P(Woven, EndWithAResetAndGoOn) {
  Proves({"program.ends", "system.random", "system.recovered", "system.requests"});
  RunAll(Disturbance::kReset, "reset", 12, 6);
}
// The memory behind port 0 breaks a rule once, at any moment: channels of that port and direction
// say so, no other one does anything that it should not, and all work again after a reset.
TEST_P(Woven, EndWithAFaultAndGoOn) {
  Proves({"system.random", "system.isolation", "system.recovered", "system.requests", "fault.named",
          "fault.contained", "fault.recovered"});
  const std::vector<DmaConfig> builds = Dmas();
  if (!std::ranges::find(builds, GetParam(), [](const DmaConfig& c) { return NameOf(c); })->guard)
    GTEST_SKIP() << "no guards in this build";
  RunAll(Disturbance::kFault, "fault", 20, 0, 3);
}
// What the model does not know of does not pass.
TEST_P(Woven, NoticeWhatTheMemoryDoesWrong) {
  Proves({"system.notices"});
  for (const AxiFault::Kind kind : {AxiFault::Kind::kErrorData, AxiFault::Kind::kErrorAnswer}) {
    int noticed = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      WovenLook look;
      look.faults = {{.kind = kind}};
      noticed += !RunWoven(GetParam(), seed, Disturbance::kNone, look).message.empty();
    }
    EXPECT_GT(noticed, 3) << NameOf(kind);
  }
}
// Everything follows from the seed.
TEST_P(Woven, FollowFromTheirSeed) {
  Proves({"system.seed"});
  const std::vector<DmaConfig> builds = Dmas();
  const DmaConfig config =
      *std::ranges::find(builds, GetParam(), [](const DmaConfig& c) { return NameOf(c); });
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(DrawWoven(config, seed).text, DrawWoven(config, seed).text);
    EXPECT_NE(DrawWoven(config, seed).text, DrawWoven(config, seed + 1).text);
  }
  const ProgramResult one = RunWoven(GetParam(), 5, Disturbance::kPause, Draws::kRare),
                      two = RunWoven(GetParam(), 5, Disturbance::kPause, Draws::kRare);
  EXPECT_EQ(one.cycles, two.cycles);
  EXPECT_EQ(one.compared, two.compared);
}

INSTANTIATE_TEST_SUITE_P(Builds, Woven, EveryDmaForPrograms(), DmaName);

// ---- The model

class Model : public ::testing::Test {
 protected:
  Model() : model_(native::BuildOfDevice(Config(), true), &memory_) {}
  static DmaConfig Config() {
    DmaConfig config;
    config.channel.data_bytes = config.channel.stream_bytes = 8;
    config.channel.addr_width = 64;
    config.channel.walk = config.channel.bounds = true;
    config.reads = 2;
    config.descriptors = 8;
    config.locks = 4;
    config.triggers = config.tokens = true;
    return config;
  }
  // A copy of so many bytes, with locks and a successor as in words 12 and 13.
  void Copy(uint32_t d, uint32_t base, uint32_t bytes, uint32_t locks = 0, uint32_t next = 0,
            uint32_t flags = 1 << 4) {
    const uint32_t at = 0x20000 + 0x40 * d;
    const uint32_t words[16] = {base, 0, bytes, 1, 1,     1,    1, 0,
                                0,    0, 0,     0, locks, next, 0, flags | 1U << 31};
    for (uint32_t n = 0; n < 16; ++n) model_.Write(at + 4 * n, words[n]);
  }
  model::MemoryImage memory_;
  DeviceModel model_;
};

TEST_F(Model, WaitsForALockAndTakesIt) {
  Copy(0, 0x100, 8, 2 | 0x7e << 8 | 1 << 15);  // lock 2, at least 2, which it takes
  Copy(1, 0x200, 8, 3U << 24 | 2U << 16);      // releases 3 of it
  model_.Write(0x1008, 0);
  model_.Run();
  EXPECT_FALSE(model_.Finished());
  EXPECT_EQ(model_.WhoWaits(0),
            "read channel 0 waits with descriptor 0 for lock 2 to be at least 2; it is 0");
  model_.Write(0x1108, 1);
  model_.Run();
  EXPECT_TRUE(model_.Finished());
  EXPECT_EQ(model_.lock(2), 1);
}

TEST_F(Model, TriggersCountOnceAndMissTheRest) {
  Copy(0, 0x100, 8);
  model_.Write(0x1110, 0x40);              // channel 1 waits for transfers of channel 0
  model_.Write(0x1108, 1 << 27 | 1 << 8);  // two turns, each with a trigger
  model_.Write(0x1008, 2 << 8);            // three transfers
  while (model_.Step(0)) {
  }
  EXPECT_TRUE(model_.missed(1));
  model_.Run();
  EXPECT_EQ(model_.records(1).size(), 1u);
  EXPECT_EQ(model_.WhoWaits(1), "read channel 1 waits for trigger 0x40");
}

TEST_F(Model, RefusesWhatTheManualRefuses) {
  struct Case {
    uint32_t word, value;
    int reason;
  };
  const Case cases[] = {{2, 8, 32},  // written after word 15
                        {15, 1U << 31 | 1 << 30, 38},
                        {13, 0x0200, 38},
                        {12, 4 | 1 << 15, 34}};
  for (const Case& c : cases) {
    model::MemoryImage memory;
    DeviceModel model(native::BuildOfDevice(Config(), true), &memory);
    for (uint32_t n = 0; n < 16; ++n) model.Write(0x20000 + 4 * n, n == 15 ? 1U << 31 : 1);
    for (const uint32_t n : {12, 13}) model.Write(0x20000 + 4 * n, 0);
    model.Write(0x20000 + 4 * c.word, c.value);
    if (c.word == 12 || c.word == 13) model.Write(0x2003c, 1U << 31);
    model.Write(0x1008, 0);
    model.Run();
    EXPECT_EQ(model.reason(0), c.reason) << "word " << c.word;
  }
  model_.Write(0x1008, 9);
  model_.Run();
  EXPECT_EQ(model_.reason(0), 33);
}

// ---- A standstill

class Standstill : public DmaTest {};

TEST_P(Standstill, NamesChannelsDescriptorsLocksAndStreams) {
  Make();
  EXPECT_EQ(WhoWaits(&bench()), "no channel has anything to do\n");
  const int first = First(kRead), second = First(kWrite);
  native::Descriptor in = Copy(0x4000, 8), out = Copy(0x4000, 8);
  std::string wanted = "write channel 0 waits for its stream, TVALID 0 TREADY 1";
  if (config().locks > 2) {
    // Each waits for what the other would release.
    out.acquire = native::LockOp{1, -1};
    out.release = {2, 1};
    in.acquire = native::LockOp{2, -3};
    in.release = {1, 1};
    wanted = fmt::format(
        "read channel 0 waits for lock 1, which is 0; descriptors that release it: {} of write "
        "channel 0",
        second);
  }
  Write(first, out);
  Write(second, in);
  Push(kWrite, {.start = second});
  if (config().locks > 2) Push(kRead, {.start = first});
  bench().Step(200);
  const std::string text = WhoWaits(&bench());
  EXPECT_NE(text.find(wanted), std::string::npos) << text;
  if (config().locks > 2) {
    EXPECT_NE(text.find(fmt::format("write channel 0 waits for lock 2, which is 0; descriptors "
                                    "that release it: {} of read channel 0",
                                    first)),
              std::string::npos)
        << text;
  }
}

// Of each descriptor that releases a lock: whose tasks come to it.
TEST_P(Standstill, NamesTheTasksThatWouldReleaseALock) {
  Make();
  if (config().locks < 3 || config().headers()) return;
  const int waits = First(kRead), first = First(kWrite), next = 2;
  const auto expect = [&](const std::string& sentence) {
    bench().Step(200);
    const std::string text = WhoWaits(&bench());
    EXPECT_NE(text.find("read channel 0 waits for lock 1, which is 0; " + sentence),
              std::string::npos)
        << text;
  };
  native::Descriptor in = Copy(0x4000, 8), head = Copy(0x5000, 8), tail = Copy(0x5000, 8);
  in.acquire = native::LockOp{1, -1};
  Write(waits, in);
  Push(kRead, {.start = waits});
  expect("no descriptor in RAM and no queued task releases it (");
  head.acquire = native::LockOp{2, -1};
  head.next = next;
  tail.release = {1, 1};
  Write(first, head);
  Write(next, tail);
  expect(fmt::format("descriptors that release it: {} of no queued task (", next));
  Push(kWrite, {.start = first});
  expect(fmt::format("descriptors that release it: {} of write channel 0 (", next));
  if (!config().lists) return;
  const std::vector<native::Descriptor> list{head, tail};
  native::Load(&bench().memory(), 0x20000, list);
  StartList(kWrite, {0x20000, 2});
  bench().Step(200);
  const std::string text = WhoWaits(&bench());
  EXPECT_NE(text.find("1 of the list of write channel 0 ("), std::string::npos) << text;
}

TEST_P(Standstill, NamesTheEventAndTheFullQueue) {
  Make();
  const int first = First(kRead), second = First(kWrite);
  native::Descriptor d = Copy(0x4000, 8);
  Write(first, d);
  Write(second, d);
  Push(kRead, {.start = first, .repeats = 100});
  if (config().triggers) {
    const auto source = driver::TriggerSource::TaskDone(driver::Direction::kToStream, 0);
    ASSERT_TRUE(Channel(kWrite).SetTrigger(source).ok());
    Push(kWrite, {.start = second, .trigger = true});
  }
  bench().Step(2000);
  const std::string text = WhoWaits(&bench());
  EXPECT_NE(
      text.find(fmt::format("read channel 0 waits for room in its record queue, which holds {}",
                            config().queue_depth)),
      std::string::npos)
      << text;
  if (config().triggers) {
    EXPECT_NE(text.find("write channel 0 waits for a task of read channel 0, which waits for room"),
              std::string::npos)
        << text;
  }
}

// While a transfer waits for its stream: what the next one waits for, in the same sentence.
TEST_P(Standstill, NamesWhatTheNextTransferWaitsFor) {
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Never();
  Make(options);
  const int first = First(kRead);
  const auto expect = [&](const std::string& wanted) {
    bench().Step(300);
    const std::string text = WhoWaits(&bench());
    const std::string sentence =
        "read channel 0 waits for its stream, TVALID 1 TREADY 0" + wanted + " (descriptor";
    EXPECT_NE(text.find(sentence), std::string::npos) << text;
  };
  Write(first, Copy(0x1000, 4000));
  Push(kRead, {.start = first});
  expect("");
  if (config().locks > 3) {
    native::Descriptor next = Copy(0x4000, 16);
    next.acquire = native::LockOp{3, -1};
    Write(first + 1, next);
    Push(kRead, {.start = first + 1});
    const std::string known = config().headers() ? "" : " and no queued task";
    expect("; its next transfer waits for lock 3, which is 0; no descriptor in RAM" + known +
           " releases it");
    Make(options);
    Write(first, Copy(0x1000, 4000));
    Push(kRead, {.start = first});
  }
  if (config().triggers) {
    ASSERT_TRUE(Channel(kRead).SetTrigger(driver::TriggerSource::Software(3)).ok());
    Push(kRead, {.start = first, .trigger = true});
    expect("; its next transfer waits for event 3 of software");
    Make(options);
    Write(first, Copy(0x1000, 4000));
    Push(kRead, {.start = first});
  }
  if (config().lists) {
    StartList(kRead, {.base = 0x8000, .count = 4, .ring = true});
    expect("; its next transfer waits for its list at 0x8000: head 0, tail 0, of 4");
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Standstill, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
