// Parts of random programs: what is left of one is a program, and the smallest that a predicate
// without RTL asks for is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tb/check/plan.h"
#include "tb/dma/program_parts.h"
#include "tb/dma/random_program.h"
#include "tb/dma/woven_model.h"
#include "tb/dma/woven_program.h"
#include "tb/random/parts.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class ProgramParts : public ::testing::TestWithParam<std::string> {
 protected:
  static DmaConfig Build() {
    for (const DmaConfig& config : Dmas()) {
      if (NameOf(config) == GetParam()) return config;
    }
    throw std::invalid_argument(GetParam());
  }
  // What the descriptor says; iteration and end of a task depend on what else there is.
  static model::Transfer Said(const DeviceExecution& execution) {
    model::Transfer transfer = execution.transfer;
    transfer.offset = 0;
    transfer.task_end = false;
    return transfer;
  }
  // Any parts of a case.
  static Parts Some(Rng& rng, const Parts& all) {
    Parts some = all;
    some.Shrink(rng.Below(40), [&rng](const Parts&) { return rng.Chance(0.5); });
    return some;
  }
};

// Each channel executes a part of what it did, in order; chains and lists end with a record.
TEST_P(ProgramParts, LeaveAProgram) {
  Proves({"system.seed"});
  const DmaConfig config = Build();
  size_t executions = 0, fewer = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng = Rng(seed).Stream("parts");
    const DmaProgram whole = DrawProgram(config, seed, Draws::kRare);
    DmaProgram part = whole;
    Reduce(Some(rng, PartsOf(config, whole)), config, "", &part);
    const auto before = ExecutionsOf(config, whole);
    const auto after = ExecutionsOf(config, part);
    for (size_t c = 0; c < whole.channels.size(); ++c) {
      const std::vector<DeviceExecution>&all = before[c], &some = after[c];
      executions += all.size();
      fewer += some.size();
      auto next = all.begin();
      for (const DeviceExecution& e : some) {
        next = std::find_if(next, all.end(), [&e](const DeviceExecution& other) {
          return other.record.tag == e.record.tag && Said(other) == Said(e);
        });
        ASSERT_NE(next, all.end()) << "seed " << seed << " channel " << c;
        ++next;
        ASSERT_TRUE(!e.record.task_end || whole.channels[c].silent_ends || e.recorded);
      }
    }
  }
  EXPECT_GT(fewer, 0u);
  EXPECT_LT(fewer, executions * 3 / 4);
}

// A stream has what the descriptors that are left take, and nothing else.
TEST_P(ProgramParts, LeaveTheStreamOfWhatIsLeft) {
  const DmaConfig config = Build();
  size_t pieces = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng = Rng(seed).Stream("parts");
    DmaProgram program = DrawWoven(config, seed), again = DrawWovenAgain(config, seed);
    const Parts some = Some(rng, PartsOf(config, program, &again));
    Reduce(some, config, "", &program);
    Reduce(some, config, "2/", &again);
    for (const DmaProgram* p : {&program, &again}) {
      std::map<int, native::Descriptor> descriptors(p->descriptors.begin(), p->descriptors.end());
      for (size_t c = static_cast<size_t>(config.reads); c < p->channels.size(); ++c) {
        const DmaProgram::Channel& channel = p->channels[c];
        size_t taken = 0;
        const auto execute = [&](const native::Descriptor& d) {
          taken += !model::IsEmpty(d.transfer);
        };
        for (const DmaProgram::Push& push : channel.tasks) {
          for (int turn = 0; turn < push.task.repeats; ++turn) {
            if (push.task.from_list) {
              for (const native::Descriptor& d : channel.list) execute(d);
              continue;
            }
            for (std::optional<int> at = push.task.start; at; at = descriptors.at(*at).next)
              execute(descriptors.at(*at));
          }
        }
        pieces += taken;
        EXPECT_EQ(p->streams[c - static_cast<size_t>(config.reads)].size(), taken)
            << "seed " << seed << " channel " << c;
      }
    }
  }
  EXPECT_GT(pieces, 0u);
}

TEST_P(ProgramParts, FindTheOneDescriptorThatFails) {
  Proves({"system.seed"});
  const DmaConfig config = Build();
  int found = 0;
  for (uint64_t seed = 1; seed <= 40 && found < 5; ++seed) {
    const DmaProgram whole = DrawProgram(config, seed, Draws::kRare);
    // A transfer to memory of many elements.
    const auto fails = [&](const Parts& parts) {
      DmaProgram part = whole;
      Reduce(parts, config, "", &part);
      const auto executions = ExecutionsOf(config, part);
      for (size_t c = static_cast<size_t>(config.reads); c < executions.size(); ++c) {
        for (const DeviceExecution& e : executions[c]) {
          if (model::Positions(e.transfer) > 20) return true;
        }
      }
      return false;
    };
    Parts parts = PartsOf(config, whole);
    if (!fails(parts)) continue;
    ++found;
    parts.Shrink(2000, fails);
    EXPECT_EQ(parts.kept(), 2u) << parts.ToString();  // a task, and a descriptor or an entry
    Parts same = PartsOf(config, whole);
    same.Keep(parts.ToString());
    EXPECT_TRUE(fails(same));
  }
  EXPECT_GT(found, 0);
}

INSTANTIATE_TEST_SUITE_P(Builds, ProgramParts, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
