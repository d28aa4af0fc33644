// See terminal.h.
#include "tools/terminal/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "tb/files/output.h"
#include "tb/files/text.h"

namespace tessera::cli {
namespace {

// True if standard output took everything.
bool FlushOutput() {
  errno = 0;
  if (std::ferror(stdout) != 0) {  // once more, for the cause
    std::clearerr(stdout);
    std::fputc('\n', stdout);
    if (std::fflush(stdout) == 0) errno = EIO;
  } else if (std::fflush(stdout) == 0) {
    return true;
  }
  Complain(fmt::format("standard output: cannot be written: {}",
                       std::strerror(errno != 0 ? errno : EIO)));
  return false;
}

}  // namespace

void Complain(std::string_view sentence) {
  std::fflush(stdout);  // what was told before comes before; its own errors show at the end
  const std::string line = Escaped(sentence) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

int WriteAfter(int status, const std::function<void()>& write) {
  try {
    write();
    return status;
  } catch (const OutputError& error) {
    Complain(error.what());
  } catch (const std::invalid_argument& error) {  // no regular file any more
    Complain(error.what());
  } catch (const std::system_error&) {  // standard output, of which RunCommand tells
  }
  return status == kGood ? kUnwritten : status;
}

int RunCommand(const std::function<int()>& command) {
  int status = kGood;
  try {
    status = command();
  } catch (const OutputError& error) {
    Complain(error.what());
    status = kUnwritten;
  } catch (const std::bad_alloc&) {
    Complain("out of memory: legal is what fits into the memory of this machine");
    status = kWrongInput;
  } catch (const std::filesystem::filesystem_error& error) {
    Complain(fmt::format("{}: cannot be read: {}", error.path1().string(),
                         std::strerror(error.code().value())));
    status = kWrongInput;
  } catch (const std::system_error& error) {  // printing, when standard output takes no more
    if (std::ferror(stdout) == 0) Complain(std::strerror(error.code().value()));
    status = kUnwritten;
  } catch (const std::exception& error) {
    Complain(error.what());
    status = kWrongInput;
  }
  return FlushOutput() || status != kGood ? status : static_cast<int>(kUnwritten);
}

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
