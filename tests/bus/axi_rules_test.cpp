// The AXI monitor: legal traffic is silent, and each rule, broken alone, fires once and alone.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "tb/monitor/axi_monitor.h"
#include "tests/bus/pins.h"
#include "tests/bus/script.h"

namespace tessera {
namespace {

// A port of 8 bytes and 40 bits of address with bursts of up to 16 beats, two of an ID.
struct AxiCase {
  const char* name;
  std::optional<AxiRule> rule;  // that is broken
  std::string script;
  int ids = 1;
};
using enum AxiRule;

std::string Beats(const std::string& beat, int count) {
  std::string text;
  for (int n = 1; n < count; ++n) text += "; " + beat + ".last=0";
  return text + "; " + beat;
}

const AxiCase kCases[] = {
    {"DataMayRunAheadOfAnAddressThatWaits",
     {},
     "!AW.beats=2 W.last=0; !AW.beats=2 W; AW.beats=2; B"},
    {"ResetForgetsEverything", {}, "AR; !AW; reset; reset; ;"},
    {"AnyPayloadWaits", {}, "!AR !AW !W; !AR !AW !W; AR AW W; !R !B; !R !B; R B"},
    {"TheLongestBurstUpToThePage", {}, "AR.addr=0xf80.beats=16" + Beats("R", 16)},

    {"ArStable", kStable, "!AR; AR.addr=0x1008; R"},
    {"AwStable", kStable, "!AW; AW.beats=2; W.last=0; W; B"},
    {"WStable", kStable, "AW !W; W.lanes=3; B"},
    {"WDataStable", kStable, "AW !W; W.byte=1; B"},
    {"RStable", kStable, "AR; !R; R.byte=1"},
    {"BStable", kStable, "AW W; !B; B.resp=2"},
    {"ArValidDrop", kValidDrop, "!AR; ;"},
    {"AwValidDrop", kValidDrop, "!AW; ;"},
    {"WValidDrop", kValidDrop, "AW !W; ; W; B"},
    {"RValidDrop", kValidDrop, "AR; !R; ; R"},
    {"BValidDrop", kValidDrop, "AW W; !B; ; B"},
    // In its first cycle registers have not seen the reset yet.
    {"ValidInReset", kResetValid, "reset AR; reset AR; ;"},
    {"ValidRightAfterReset", kResetValid, "reset; AR; R"},
    {"OpenValid", kOpenValid, "!AR"},

    {"Length", kLength, "AR.beats=17" + Beats("R", 17)},
    {"Size", kSize, "AR.size=2; R"},
    {"Incr", kIncr, "AW.burst=2 W; B"},
    {"Align", kAlign, "AR.addr=0x1004; R"},
    {"FourK", k4K, "AR.addr=0xff8.beats=2; R.last=0; R"},
    {"AddressWidth", kAddressWidth, "AW.addr=0x10000000000 W; B"},
    {"OutstandingReads", kOutstanding, "AR; AR; AR; R; R; R"},
    {"OutstandingWrites", kOutstanding, "AW W; AW W; AW W; B; B; B"},
    {"Id", kId, "AR.id=1; R.id=1"},

    {"WLastEarly", kWLast, "AW.beats=2 W; B"},
    {"WLastMissing", kWLast, "AW.beats=2; W.last=0; W.last=0; B"},
    {"WBeforeAw", kWBeforeAw, "W; AW; B"},
    // Of the next burst, whose AWVALID cannot be there yet.
    {"WBeyondTheWaitingAw", kWBeforeAw, "!AW W; !AW !W; AW !W; AW W; B; B"},
    {"StrobeWidth", kStrobeWidth, "AW W.lane=8; B"},
    // In the cycle of its address is too early.
    {"RUnasked", kRUnasked, "AR R; R"},
    {"RLastEarly", kRLast, "AR.beats=2; R"},
    {"RLastMissing", kRLast, "AR; R.last=0"},
    {"BBeforeWLast", kBUnasked, "AW.beats=2 W.last=0; B W; B"},
    {"BUnasked", kBUnasked, "B"},
    {"ReadResponse", kResponse, "AR; R.resp=1"},
    {"WriteResponse", kResponse, "AW W; B.resp=1"},
    {"OpenRead", kOpenRead, "AR.beats=2; R.last=0"},
    {"OpenWrite", kOpenWrite, "AW W"},

    {"ResponsesOfSeveralIdsComeInAnyOrderAndMixed",
     {},
     "AR.id=0.beats=2 AW.id=2.beats=2 W.last=0; AR.id=1.beats=2 W; AW.id=0 W R.id=1.last=0; "
     "R.id=0.last=0 B.id=0; R.id=1 B.id=2; R.id=0",
     3},
    {"TwoBurstsOfEachId",
     {},
     "AR.id=0; AR.id=1; AR.id=2; AR.id=0; AR.id=1; AR.id=2; "
     "R.id=1; R.id=1; R.id=0; R.id=0; R.id=2; R.id=2",
     3},
    {"ThreeBurstsOfOneId", kOutstanding,
     "AR.id=0; AR.id=1; AR.id=2; AR.id=1; AR.id=1; R.id=1; R.id=1; R.id=1; R.id=0; R.id=2", 3},
    {"AResponseOfAnIdThatAskedNothing", kRUnasked, "AR.id=0; R.id=1; R.id=0", 3},
    {"AResponseBeforeTheDataOfItsOwnId", kBUnasked, "AW.id=0 W; AW.id=1 B.id=1; W B.id=0; B.id=1",
     3},
    {"RLastOfTheRightBurst", kRLast, "AR.id=0.beats=2; AR.id=1; R.id=0; R.id=1", 3},
};

class AxiRules : public testing::TestWithParam<AxiCase> {};

TEST_P(AxiRules, FireOnceAndAlone) {
  const AxiCase& test = GetParam();
  ViolationList violations;
  AxiPort port;
  AxiMonitor monitor(&port, {8, 40, 16, 2, test.ids, test.ids}, &violations);
  uint64_t cycle = 0;
  Play(test.script, &port, &monitor, &cycle);
  if (!test.rule) {
    EXPECT_TRUE(monitor.Quiet());
  } else if (*test.rule >= kOpenRead) {
    EXPECT_FALSE(monitor.Quiet());
  }
  monitor.AtEnd(cycle);
  EXPECT_EQ(Rules(violations), test.rule ? RuleName(*test.rule) : "");
  for (const Violation& violation : violations.kept())
    EXPECT_NE(violation.message.find("in cycle"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, AxiRules, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(AxiRules, AreAllBrokenHere) {
  std::set<AxiRule> broken;
  for (const AxiCase& test : kCases) {
    if (test.rule) broken.insert(*test.rule);
  }
  EXPECT_EQ(broken.size(), static_cast<size_t>(kAxiRules));
}

TEST(AxiMonitor, CountsBurstsAndBeats) {
  ViolationList violations;
  AxiPort port;
  AxiMonitor monitor(&port, {8, 40, 16, 2, 1, 1}, &violations);
  uint64_t cycle = 0;
  Play("!AR.beats=3 AW.beats=2 W.last=0; AR.beats=3 W; !R.last=0 AW W; R.last=0 B; R.last=0; R B",
       &port, &monitor, &cycle);
  EXPECT_EQ(Rules(violations), "");
  EXPECT_EQ(monitor.read_beats(), 3U);
  EXPECT_EQ(monitor.write_beats(), 3U);
  EXPECT_EQ(monitor.write_bursts(), 2U);
}

TEST(ViolationList, KeepsTheFirstAndCountsAll) {
  ViolationList list;
  for (uint64_t i = 0; i < 100; ++i) list.Add("rule", i, "message");
  EXPECT_EQ(list.count(), 100U);
  EXPECT_EQ(list.kept().size(), ViolationList::kMaxKept);
}

}  // namespace
}  // namespace tessera
