// Colours and progress, on a terminal alone.
#pragma once

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

}  // namespace tessera::cli
