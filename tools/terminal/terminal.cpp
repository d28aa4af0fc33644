// See terminal.h.
#include "tools/terminal/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tessera::cli {

Terminal::Terminal()
    : colour_(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr),
      progress_(isatty(STDERR_FILENO) != 0) {}

std::string Terminal::Paint(std::string_view code, std::string_view text) const {
  return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void Terminal::Progress(std::string_view text) const {
  if (!progress_) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

}  // namespace tessera::cli
