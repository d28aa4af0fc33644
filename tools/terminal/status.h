// How a command ends: its exit status, and the sentences on standard error.
#pragma once

#include <exception>
#include <functional>
#include <string_view>

namespace tessera::cli {

// The first that applies, but for an interrupt, which comes before all: 128 + the signal.
enum Status : int {
  kGood = 0,
  kFailed = 1,      // a difference, a broken rule, a missed target
  kWrongInput = 2,  // a file, an option: nothing was run
  kUnwritten = 3,   // an output could not be written; whatever was run is good
};

// One sentence on standard error, with nothing in it that a terminal would obey.
void Complain(std::string_view sentence);

// What is thrown while outputs are written is a sentence and `kUnwritten`, unless the status is
// worse already.
int WriteAfter(int status, const std::function<void()>& write);

// Runs a command: what it throws is a sentence, and standard output must have taken everything.
int RunCommand(const std::function<int()>& command);

}  // namespace tessera::cli
