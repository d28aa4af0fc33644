// The JSON form of a transfer: every field survives, what is neutral is left out, and what is wrong
// is refused by name.
#include "tb/random/transfer_json.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "tb/sim/names.h"

namespace tessera {
namespace {

model::Transfer Everything() {
  model::Transfer t;
  t.elem = 4;
  t.base = 0xfedcba9876543210;
  t.offset = 7;
  t.count = {2, 3, 4, 5};
  t.stride = {4, -8, int64_t{1} << 40, 0};
  t.start = {-1, 2, -3, 4};
  t.bound = {std::nullopt, 0, 9, std::nullopt};
  t.walk = {std::nullopt, model::WalkLevel{1, -3, 2}, std::nullopt, model::WalkLevel{3, 4, 0}};
  t.length = 100;
  t.fill = ~uint64_t{0};
  t.last_rule = model::LastRule::kLevel;
  t.last_level = 5;
  t.join_next = true;
  t.task_end = true;
  t.finish = model::Finish::kLast;
  return t;
}

TEST(TransferJson, EveryFieldSurvives) {
  const auto json = TransferToJson(Everything());
  EXPECT_EQ(TransferFromJson(nlohmann::json::parse(json.dump())), Everything());
  std::set<std::string> fields;
  model::Transfer plain;
  const model::Transfer everything = Everything();
  model::VisitFields(everything, plain,
                     [&](const char* name, const auto& value, const auto& other) {
                       EXPECT_TRUE(fields.insert(name).second) << name;
                       EXPECT_TRUE(json.contains(name)) << name;
                       EXPECT_NE(value, other) << name << " is not tested";
                     });
  EXPECT_EQ(json.size(), fields.size());
  EXPECT_EQ(json["base"], "0xfedcba9876543210");
  EXPECT_EQ(json["last_rule"], "level");
}

TEST(TransferJson, WhatIsNeutralIsLeftOut) {
  const auto json = TransferToJson({});
  EXPECT_EQ(json.dump(), R"({"elem":1,"base":"0x0","count":[1,1,1,1],"stride":[0,0,0,0]})");
  EXPECT_EQ(TransferFromJson(nlohmann::json::object()), model::Transfer{});
}

TEST(TransferJson, WhatIsWrongIsRefusedByName) {
  const auto message = [](const char* text) {
    try {
      TransferFromJson(nlohmann::json::parse(text));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(R"({"count": [4294967296]})"),
            "count is 4294967296: legal is a number from 0 to 4294967295");
  EXPECT_EQ(message(R"({"start": [-2147483649]})"),
            "start is -2147483649: legal is a number from -2147483648 to 2147483647");
  EXPECT_EQ(message(R"({"base": "12"})"),
            "base is \"12\": legal is a number from 0 to 18446744073709551615");
  EXPECT_EQ(message(R"({"base": "0x1z"})"),
            "base is \"0x1z\": legal is a number from 0 to 18446744073709551615");
  EXPECT_EQ(message(R"({"join_next": 1})"), "join_next is 1: legal is true or false");
  EXPECT_EQ(message(R"({"count": [1, 2, 3, 4, 5]})"),
            "count is [1,2,3,4,5]: legal is an array of at most 4 entries");
  EXPECT_EQ(message(R"({"walk": [{"dim": 1, "by": 2}]})"), "walk has no field 'by'");
  EXPECT_EQ(message(R"({"last_rule": "always"})"),
            "last_rule is 'always': legal are never, transfer, task, level");
}

TEST(Names, AreFoundBothWays) {
  EXPECT_EQ(NameOf(model::LastRule::kTask), "task");
  EXPECT_EQ(FromName<model::Finish>("last"), model::Finish::kLast);
  EXPECT_FALSE(FromName<model::Finish>("Last"));
  EXPECT_EQ(LegalNames<model::Finish>(), "length, last");
}

}  // namespace
}  // namespace tessera
