// Memory for the device in Linux user space: contiguous, from a DMA heap of the kernel (CMA).
//
// The heap gives a file, which is mapped; /proc/self/pagemap (as root) says where the device sees
// it. Memory that is not contiguous is refused. For coherent memory ports alone: the mapping is
// cached, and the kernel cleans and invalidates caches only for devices that are attached to the
// buffer, which with UIO none is. Else use udmabuf.hpp. BeginRead(), EndRead(), BeginWrite() and
// EndWrite() go around what the processor does with the memory. `System` is the operating system; a
// test gives another one.
#pragma once

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "sw/driver/tessera/status.hpp"

namespace tessera::host {

struct LinuxSystem {
  static int Open(const char* path, int flags) { return open(path, flags | O_CLOEXEC); }
  static int Control(int file, unsigned long request, void* argument) {
    return ioctl(file, request, argument);
  }
  static void* Map(int file, size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  }
  static ssize_t ReadAt(int file, void* to, size_t bytes, off_t at) {
    return pread(file, to, bytes, at);
  }
  static void Close(int file) { close(file); }
  static void Unmap(void* memory, size_t bytes) { munmap(memory, bytes); }
};

template <typename System = LinuxSystem>
class DmaHeap {
 public:
  DmaHeap() = default;
  DmaHeap(const DmaHeap&) = delete;
  DmaHeap& operator=(const DmaHeap&) = delete;
  ~DmaHeap() { Close(); }

  // `heap` as in /dev/dma_heap, for example "linux,cma" or "reserved". Whole pages.
  driver::Status Open(const std::string& heap, size_t bytes) {
    Close();
    if (bytes == 0) return driver::Reason::zero_size;
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes = (bytes + page - 1) & ~(page - 1);
    const int device = System::Open(("/dev/dma_heap/" + heap).c_str(), O_RDWR);
    if (device < 0) return driver::Reason::host_open;
    dma_heap_allocation_data asked{};
    asked.len = bytes;
    asked.fd_flags = O_RDWR | O_CLOEXEC;
    const int failed = System::Control(device, DMA_HEAP_IOCTL_ALLOC, &asked);
    System::Close(device);
    if (failed != 0) return driver::Reason::no_memory;
    file_ = static_cast<int>(asked.fd);
    void* mapped = System::Map(file_, bytes);
    if (mapped == MAP_FAILED) {
      Close();
      return driver::Reason::host_map;
    }
    memory_ = mapped;
    bytes_ = bytes;
    const driver::Status status = Locate(page);
    if (!status.ok()) Close();
    return status;
  }
  void Close() {
    if (memory_ != nullptr) System::Unmap(memory_, bytes_);
    if (file_ >= 0) System::Close(file_);
    memory_ = nullptr;
    bytes_ = 0;
    file_ = -1;
  }

  void* memory() const { return memory_; }
  size_t bytes() const { return bytes_; }
  // Where the device sees it, without an IOMMU between.
  uint64_t bus_address() const { return bus_address_; }

  // The processor reads what the device wrote, or writes what it will read.
  driver::Status BeginRead() const { return Sync(DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ); }
  driver::Status EndRead() const { return Sync(DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ); }
  driver::Status BeginWrite() const { return Sync(DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE); }
  driver::Status EndWrite() const { return Sync(DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE); }

 private:
  driver::Status Sync(uint64_t flags) const {
    if (file_ < 0) return driver::Reason::not_configured;
    dma_buf_sync sync{flags};
    return System::Control(file_, DMA_BUF_IOCTL_SYNC, &sync) == 0
               ? driver::Status()
               : driver::Status(driver::Reason::host_ioctl);
  }
  // Where each page is; they must follow one another.
  driver::Status Locate(size_t page) {
    const int map = System::Open("/proc/self/pagemap", O_RDONLY);
    if (map < 0) return driver::Reason::host_open;
    const uint64_t first = reinterpret_cast<uintptr_t>(memory_) / page;
    driver::Status status;
    for (uint64_t n = 0; n < bytes_ / page && status.ok(); ++n) {
      uint64_t entry = 0;
      const bool read = System::ReadAt(map, &entry, sizeof(entry),
                                       static_cast<off_t>((first + n) * sizeof(entry))) ==
                        static_cast<ssize_t>(sizeof(entry));
      const bool present = (entry >> 63) != 0;
      const uint64_t frame = entry & ((uint64_t{1} << 55) - 1);
      if (!read || !present || frame == 0) {  // the kernel hides frames from who is not root
        status = driver::Reason::host_map;
      } else if (n == 0) {
        bus_address_ = frame * page;
      } else if (frame * page != bus_address_ + n * page) {
        status = driver::Reason::no_memory;
      }
    }
    System::Close(map);
    return status;
  }

  void* memory_ = nullptr;
  size_t bytes_ = 0;
  uint64_t bus_address_ = 0;
  int file_ = -1;
};

}  // namespace tessera::host
