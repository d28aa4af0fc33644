// Memory for the device in Linux user space: one contiguous buffer of the kernel module u-dma-buf.
//
// Hand memory() to a MemoryPool. The mapping is made with O_SYNC, so the processor does not cache
// it and the driver's NoCache fits.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sw/driver/tessera/status.hpp"

namespace tessera::host {

class Udmabuf {
 public:
  Udmabuf() = default;
  Udmabuf(const Udmabuf&) = delete;
  Udmabuf& operator=(const Udmabuf&) = delete;
  ~Udmabuf() { Close(); }

  // `name` as in the device tree, for example udmabuf0. The folders can be others for a test.
  driver::Status Open(const std::string& name, const std::string& devices = "/dev",
                      const std::string& classes = "/sys/class/u-dma-buf") {
    Close();
    uint64_t bytes = 0;
    if (!Attribute(classes + "/" + name + "/size", bytes) ||
        !Attribute(classes + "/" + name + "/phys_addr", bus_address_) || bytes == 0) {
      return driver::Reason::host_open;
    }
    const int file = open((devices + "/" + name).c_str(), O_RDWR | O_SYNC | O_CLOEXEC);
    if (file < 0) return driver::Reason::host_open;
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);  // the mapping stays
    if (mapped == MAP_FAILED) return driver::Reason::host_map;
    memory_ = mapped;
    bytes_ = bytes;
    return {};
  }
  void Close() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
    memory_ = nullptr;
    bytes_ = 0;
  }

  void* memory() const { return memory_; }
  size_t bytes() const { return bytes_; }
  // Where the device sees it.
  uint64_t bus_address() const { return bus_address_; }

 private:
  // A number in a file, decimal or with 0x.
  static bool Attribute(const std::string& path, uint64_t& value) {
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return false;
    char text[32] = {};
    const bool read = std::fgets(text, sizeof(text), file) != nullptr;
    std::fclose(file);
    char* end = text;
    if (read) value = std::strtoull(text, &end, 0);
    return end != text;
  }

  void* memory_ = nullptr;
  size_t bytes_ = 0;
  uint64_t bus_address_ = 0;
};

}  // namespace tessera::host
