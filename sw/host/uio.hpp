// The driver's bus in Linux user space: registers through UIO (or any file that maps them), and its
// interrupt.
//
// The file is closed and the mapping removed with the object. `Open` must have succeeded before
// registers are used.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "sw/driver/tessera/bus.hpp"
#include "sw/driver/tessera/registers.hpp"
#include "sw/driver/tessera/status.hpp"

namespace tessera::host {

class UioBus {
 public:
  UioBus() = default;
  UioBus(const UioBus&) = delete;
  UioBus& operator=(const UioBus&) = delete;
  ~UioBus() { Close(); }

  // `path` is /dev/uioN, with mapping `map` of it; or /dev/mem, or an ordinary file, at byte
  // `offset`.
  driver::Status Open(const char* path, unsigned map = 0, uint64_t offset = 0) {
    Close();
    file_ = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
    if (file_ < 0) return driver::Reason::host_open;
    // UIO numbers its mappings by pages.
    const uint64_t at = offset + map * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    void* mapped = mmap(nullptr, registers::kSpan, PROT_READ | PROT_WRITE, MAP_SHARED, file_,
                        static_cast<off_t>(at));
    if (mapped == MAP_FAILED) {
      Close();
      return driver::Reason::host_map;
    }
    registers_ = static_cast<volatile uint32_t*>(mapped);
    return {};
  }

  void Close() {
    if (registers_ != nullptr) munmap(const_cast<uint32_t*>(registers_), registers::kSpan);
    if (file_ >= 0) close(file_);
    registers_ = nullptr;
    file_ = -1;
  }

  uint32_t read32(uint32_t offset) const { return registers_[offset / 4]; }
  void write32(uint32_t offset, uint32_t value) const { registers_[offset / 4] = value; }
  void barrier() const { driver::MemoryBarrier(); }

  // UIO keeps the interrupt off after each one: on again.
  driver::Status EnableInterrupt() const {
    const uint32_t on = 1;
    return write(file_, &on, sizeof(on)) == sizeof(on) ? driver::Status()
                                                       : driver::Reason::host_ioctl;
  }
  // Waits for an interrupt; serve the channels then. A signal of the system ends it as a timeout.
  driver::Status WaitForInterrupt(int milliseconds) const {
    pollfd waited{file_, POLLIN, 0};
    const int ready = poll(&waited, 1, milliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return driver::Reason::timeout;
    uint32_t count = 0;
    if (ready < 0 || read(file_, &count, sizeof(count)) != sizeof(count))
      return driver::Reason::host_ioctl;
    return {};
  }

 private:
  int file_ = -1;
  volatile uint32_t* registers_ = nullptr;
};

}  // namespace tessera::host
