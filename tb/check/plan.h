// Ties a test to the test plan (tests/plan/plan.json).
//
// A test calls `Proves` with the ids of the claims it checks; they end up in GoogleTest's XML,
// where tests/plan/report.py finds them.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace tessera {

// Once per test: a second call replaces the first.
inline void Proves(std::initializer_list<const char*> ids) {
  std::string list;
  for (const char* id : ids) {
    if (!list.empty()) list += ' ';
    list += id;
  }
  ::testing::Test::RecordProperty("proves", list);
}

}  // namespace tessera
