// The random programs of tests/dma by tickets alone: bytes and tags of their completions, and what
// read channels send, are what the reference model says.
#include <deque>

#include "tb/dma/random_program.h"
#include "tb/dma/software.h"
#include "tb/dma/woven_model.h"
#include "tb/model/reference.h"
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

class RtlProgram : public RtlTest {
 protected:
  static constexpr uint64_t kBus = 0x0800'0000;  // of the lists
  using Array = DescriptorArray<BoardChannel, 192>;

  void Run(uint64_t seed) {
    DmaBenchOptions options;
    options.seed = seed;
    options.memory.latency_max = 1 + static_cast<uint32_t>(seed % 30);
    Make(options);
    RandomProgram program = DrawProgram(config(), seed, Draws::kPlain);
    for (native::Descriptor& d : program.descriptors) d.no_record = false;
    const Memory before = board().bench().memory();
    alignas(64) static uint8_t storage[16 * 12 * 192];
    board().Share(kBus, storage);
    std::deque<BoardChannel> channels;
    std::deque<Array> arrays;
    for (ProgramChannel& c : program.channels) {
      for (native::Descriptor& d : c.list) d.no_record = false;
      if (c.direction != tessera::Direction::kRead) continue;
      const auto number = static_cast<uint32_t>(c.number);
      BoardChannel& channel = channels.emplace_back(device(), Direction::kToStream, number);
      ASSERT_TRUE(channel.Open().ok());
      if (c.lock >= 0) {
        const Lock lock(device(), static_cast<uint32_t>(c.lock));
        ASSERT_TRUE(lock.Set(static_cast<uint32_t>(c.lock_value)).ok());
      }
      Array& array = arrays.emplace_back(channel);
      if (c.list.empty()) continue;
      std::vector<Descriptor> list;
      for (const native::Descriptor& d : c.list) list.push_back(Built(d, build()));
      const Status made = array.Configure(storage + number * 12 * 192, kBus + number * 12 * 192,
                                          list.data(), static_cast<uint32_t>(list.size()));
      ASSERT_TRUE(made.ok()) << Text(made);
    }
    for (uint32_t n = 0; n < program.descriptors.size(); ++n) {
      WriteDescriptor(device(), n, Built(program.descriptors[n], build()));
    }
    for (size_t c = 0; c < channels.size(); ++c) {
      const ProgramChannel& from = program.channels[c];
      for (size_t n = 0; n < from.tasks.size(); ++n) {
        const native::Task& task = from.tasks[n];
        const auto repeats = static_cast<uint32_t>(task.repeats);
        const auto push = [&] {
          return task.from_list ? arrays[c].Start(repeats, from.tags[n])
                                : channels[c].Push(static_cast<uint32_t>(task.start),
                                                   {.repeats = repeats}, from.tags[n]);
        };
        Result<uint32_t> ticket = push();
        for (int turn = 0; turn < 5000 && ticket.status.reason() == Reason::queue_full; ++turn) {
          channels[c].Service();
          ticket = push();
        }
        ASSERT_TRUE(ticket.ok()) << Text(ticket.status);
      }
    }
    for (size_t c = 0; c < channels.size(); ++c) Expect(program, c, channels[c], before);
  }

 private:
  void Expect(const RandomProgram& program, size_t c, BoardChannel& channel, const Memory& before) {
    const ProgramChannel& from = program.channels[c];
    model::MemoryImage image(model::MemoryImage::Background(
        [&before](uint64_t address) { return before.ReadByte(address); }));
    model::Build limits;
    limits.addr_width = config().channel.addr_width;
    limits.data_bytes = config().channel.data_bytes;
    limits.stream_bytes = config().channel.stream_bytes;
    model::ReadModel reader(limits, image);
    uint64_t bytes = 0, last_beats = 0;
    const std::vector<DeviceExecution> executions =
        ExecutionsOf(config(), AsWoven(config(), program))[c];
    for (const DeviceExecution& e : executions) bytes += reader.Run(e.transfer).bytes;
    for (uint32_t ticket = 0; ticket < from.tasks.size(); ++ticket) {
      const Result<Completion> done = channel.Wait(ticket, Timeout::Turns(20000));
      ASSERT_TRUE(done.ok()) << "channel " << c << ", task " << ticket << ": " << Text(done.status);
      EXPECT_EQ(done.value.tag, from.tags[ticket]);
      bytes -= done.value.bytes;
    }
    EXPECT_EQ(bytes, 0u);
    EXPECT_EQ(channel.transfers(), executions.size());
    Bytes expected;
    for (const model::StreamBeat& beat : reader.beats()) {
      for (size_t n = 0; n < model::kMaxElem; ++n) {
        if (beat.keep[n]) expected.push_back(beat.data[n]);
      }
      last_beats += beat.last ? 1 : 0;
    }
    EXPECT_EQ(board().Take(from.number), expected);
    for (const StreamBeat& beat : board().bench().sink(from.number).beats())
      last_beats -= beat.last ? 1 : 0;
    EXPECT_EQ(last_beats, 0u);
  }
};

TEST_P(RtlProgram, RandomProgramsSendWhatTheModelSays) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Run(seed);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlProgram, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
