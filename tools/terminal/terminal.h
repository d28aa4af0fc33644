// What users see of a command: colours and progress, on a terminal alone; how it ends, with its
// exit status and the sentences on standard error.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tessera::cli {

class Terminal {
 public:
  Terminal();  // of standard output and standard error; NO_COLOR turns colours off

  bool colour() const { return colour_; }
  std::string Good(std::string_view text) const { return Paint("32", text); }
  std::string Bad(std::string_view text) const { return Paint("31", text); }
  std::string Strong(std::string_view text) const { return Paint("1", text); }
  // Replaces the progress line on standard error; an empty text removes it.
  void Progress(std::string_view text) const;

 private:
  std::string Paint(std::string_view code, std::string_view text) const;
  bool colour_, progress_;
};

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
