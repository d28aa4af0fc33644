// See input.h.
#include "tb/files/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "tb/files/kind.h"

namespace tessera {
namespace {

[[noreturn]] void Refuse(int error) {
  throw std::invalid_argument(std::string("cannot be read: ") + std::strerror(error));
}

class Input {
 public:
  explicit Input(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (fd_ < 0) Refuse(errno);
    if (fstat(fd_, &found_) != 0) Fail(errno);
    if (S_ISREG(found_.st_mode)) return;
    close(fd_);
    throw std::invalid_argument(std::string("is ") + KindOf(found_.st_mode));
  }
  ~Input() { close(fd_); }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  uint64_t size() const { return static_cast<uint64_t>(found_.st_size); }
  std::string Read(uint64_t skip, uint64_t most) {
    std::string bytes;
    constexpr size_t kPart = size_t{1} << 20;  // the size of a file need not be true
    while (bytes.size() < most) {
      const size_t have = bytes.size();
      bytes.resize(have + static_cast<size_t>(std::min<uint64_t>(kPart, most - have)));
      const ssize_t n =
          pread(fd_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(skip + have));
      bytes.resize(have + static_cast<size_t>(std::max<ssize_t>(n, 0)));
      if (n < 0 && errno != EINTR) Refuse(errno);
      if (n == 0) break;
    }
    return bytes;
  }

 private:
  [[noreturn]] void Fail(int error) {
    close(fd_);
    Refuse(error);
  }
  int fd_;
  struct stat found_ {};
};

}  // namespace

std::string ReadInput(const std::string& path, uint64_t skip, uint64_t size) {
  return Input(path).Read(skip, size);
}

std::string ReadNamed(const std::string& path, const std::string& what, uint64_t most) {
  std::string wrong;
  try {
    std::string bytes = ReadInput(path, 0, most + 1);
    if (bytes.size() <= most) return bytes;
    wrong = "is longer than " + std::to_string(most) + " bytes";
  } catch (const std::invalid_argument& error) {
    wrong = error.what();
  }
  throw std::invalid_argument(path + ": " + wrong + ": legal is the name of " + what);
}

uint64_t InputSize(const std::string& path) { return Input(path).size(); }

}  // namespace tessera
