// The model, its pins and what is compared; see prepare_bench.h.
#include "tests/channel/prepare_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string_view>
#include <type_traits>

#include "tb/sim/unit.h"
#include "units/Vprepare_top.h"

namespace tessera {
namespace {

// The first field in which two transfers differ, with both values.
template <typename Value>
std::string FirstDifference(const Value& got, const Value& expected) {
  std::string text;
  Value::Visit(got, [&](const char* name, const auto& field) {
    Value::Visit(expected, [&](const char* other, const auto& wanted) {
      if constexpr (std::is_same_v<decltype(field), decltype(wanted)>) {
        if (!text.empty() || std::string_view(name) != other || field == wanted) return;
        text = name;
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(field)>>) {
          text += fmt::format(" is {:#x}, expected is {:#x}", +field, +wanted);
        }
      }
    });
  });
  return text;
}

}  // namespace

class PrepareBench::Model {
 public:
  explicit Model(uint64_t seed) : unit_(seed) {}
  Vprepare_top_Pins* operator->() { return &pins_; }
  void Evaluate() { unit_.Evaluate(); }

 private:
  VerilatedUnit<Vprepare_top> unit_;
  Vprepare_top_Pins pins_{unit_.model()};
};

struct PrepareBench::Lane {
  std::deque<Descriptor> queue;  // the first may be on the pins
  bool shown = false;
  unsigned tag = 0, flush = 0;
  uint64_t shown_at = 0;
  struct Made {
    Descriptor descriptor;
    Prepared expected;
    unsigned tag = 0;
  };
  std::optional<Made> made;  // at the output
  Counts counts;
};

PrepareBench::PrepareBench(uint64_t seed, const Options& options)
    : options_(options),
      rng_(Rng(seed).Stream("prepare")),
      model_(std::make_unique<Model>(seed)),
      lanes_(kPrepareBuilds.size()) {
  Model& model = *model_;
  model->rst_ni() = 0;
  model->valid_i() = 0;
  for (int index = 0; index < static_cast<int>(lanes_.size()); ++index) model->flush_i()[index] = 0;
  for (int edge = 0; edge < 6; ++edge) {
    model->clk_i() = static_cast<uint64_t>(edge % 2);
    model.Evaluate();
  }
  model->rst_ni() = 1;
}
PrepareBench::~PrepareBench() = default;

void PrepareBench::Push(size_t lane, const Descriptor& descriptor) {
  lanes_[lane].queue.push_back(descriptor);
}
void PrepareBench::PushAll(const Descriptor& descriptor) {
  for (Lane& lane : lanes_) lane.queue.push_back(descriptor);
}
const PrepareBench::Counts& PrepareBench::counts(size_t lane) const { return lanes_[lane].counts; }

void PrepareBench::Show(size_t index) {
  Lane& lane = lanes_[index];
  Model& model = *model_;
  const int at = static_cast<int>(index);
  if (!lane.shown && !lane.queue.empty() && rng_.Chance(options_.valid)) {
    lane.shown = true;
    lane.shown_at = cycle_;
    lane.tag = static_cast<unsigned>(rng_.Below(4));
    model->descriptor_i()[at] = DescriptorOf(lane.queue.front());
  }
  lane.flush = 0;
  for (unsigned tag = 0; tag < 4; ++tag) {
    lane.flush |= (rng_.Chance(options_.flush) ? 1U : 0U) << tag;
  }
  model->valid_i()[at] = lane.shown;
  model->tag_i()[at] = lane.tag;
  model->flush_i()[at] = lane.flush;
  model->ready_i()[at] = rng_.Chance(options_.ready);
}

void PrepareBench::Check(size_t index) {
  Lane& lane = lanes_[index];
  Model& model = *model_;
  const int at = static_cast<int>(index);
  const bool steady = options_.ready == 1 && options_.flush == 0;
  const bool valid = bool{model->valid_o()[at]};
  ASSERT_EQ(valid, lane.made.has_value()) << "build " << index << ", cycle " << cycle_;
  if (lane.made) {
    const Lane::Made& made = *lane.made;
    const Prepared& expected = made.expected;
    const std::string what = fmt::format("build {}: {}", index, ToString(made.descriptor));
    EXPECT_EQ(unsigned{model->tag_o()[at]}, made.tag) << what;
    const auto error = static_cast<PrepareError>(unsigned{model->error_o()[at]});
    EXPECT_EQ(rtl::NameOf(error), rtl::NameOf(expected.error)) << what;
    if (expected.error == PrepareError::kNone) {
      const rtl::Transfer got = model->transfer_o()[at];
      ASSERT_TRUE(got == expected.transfer) << what << "\n"
                                            << FirstDifference(got, expected.transfer);
    }
    const bool flushed = (lane.flush >> made.tag & 1) != 0;
    if (bool{model->ready_i()[at]}) {
      (expected.error == PrepareError::kNone ? lane.counts.transfers : lane.counts.errors)++;
      lane.made.reset();
    } else if (flushed) {
      lane.counts.dropped_shown++;
      lane.made.reset();
    }
  }
  if (!lane.shown) return;
  const bool flushed = (lane.flush >> lane.tag & 1) != 0;
  const uint64_t waited = cycle_ - lane.shown_at;
  if (bool{model->ready_o()[at]}) {
    const Descriptor& descriptor = lane.queue.front();
    const Prepared expected = Expect(descriptor, kPrepareBuilds[index]);
    if (steady) {
      ASSERT_EQ(waited, static_cast<uint64_t>(expected.cycles))
          << "build " << index << ": " << ToString(descriptor);
    }
    if (flushed) {
      lane.counts.dropped++;
    } else {
      ASSERT_FALSE(lane.made.has_value());
      lane.made = Lane::Made{descriptor, expected, lane.tag};
    }
    lane.queue.pop_front();
    lane.shown = false;
  } else if (flushed && rng_.Chance(0.7)) {
    lane.counts.withdrawn++;
    if (rng_.Chance(0.5)) lane.queue.pop_front();  // else it comes again, perhaps at once
    lane.shown = false;
  }
  ASSERT_LT(waited, 2000U) << "build " << index << " does not take "
                           << ToString(lane.queue.empty() ? Descriptor{} : lane.queue.front());
}

uint64_t PrepareBench::Run() {
  Model& model = *model_;
  const uint64_t begin = cycle_;
  for (bool busy = true; busy;) {
    model->clk_i() = 0;
    for (size_t index = 0; index < lanes_.size(); ++index) Show(index);
    model.Evaluate();
    busy = false;
    for (size_t index = 0; index < lanes_.size(); ++index) {
      Check(index);
      if (testing::Test::HasFatalFailure()) return cycle_ - begin;
      busy |= !lanes_[index].queue.empty() || lanes_[index].made;
    }
    model->clk_i() = 1;
    model.Evaluate();
    ++cycle_;
  }
  return cycle_ - begin;
}

}  // namespace tessera
