// The driver in Linux user space, on ordinary files where registers and memory would be.
#include <gtest/gtest.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "sw/host/dma_heap.hpp"
#include "sw/host/udmabuf.hpp"
#include "sw/host/uio.hpp"

namespace tessera::host {
namespace {

class HostTest : public ::testing::Test {
 protected:
  HostTest() {
    folder = (std::filesystem::temp_directory_path() / "tessera_host_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder + ": cannot be made");
  }
  ~HostTest() override { std::filesystem::remove_all(folder); }
  // A file that looks like the registers of a device that nobody drives.
  std::string Registers(uint32_t id, uint64_t offset = 0) {
    std::vector<uint32_t> words((offset + registers::kSpan) / 4);
    uint32_t* at = words.data() + offset / 4;
    at[0] = id;
    at[1] = 0x000100;
    at[2] = 1u | 1u << 8 | 1u << 16;
    at[3] = 40u | 3u << 8 | 3u << 12;
    at[4] = 16u | 2u << 12 | 2u << 16;
    std::ofstream(folder + "/uio0", std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(4 * words.size()));
    return folder + "/uio0";
  }
  uint32_t Word(uint64_t offset) const {
    std::ifstream file(folder + "/uio0", std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    uint32_t word = 0;
    file.read(reinterpret_cast<char*>(&word), 4);
    return word;
  }
  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder + "/" + path).parent_path());
    std::ofstream(folder + "/" + path) << text;
  }

  std::string folder;
};

TEST_F(HostTest, TheDriverRunsOverAMappedFile) {
  UioBus bus;
  ASSERT_TRUE(bus.Open(Registers(registers::kIdentity).c_str()).ok());
  driver::Device device(bus);
  ASSERT_TRUE(device.Open().ok());
  EXPECT_EQ(device.build().address_bits, 40);
  driver::Channel<UioBus> channel(device, driver::Direction::kToStream, 0);
  ASSERT_TRUE(channel.Open().ok());
  driver::DescriptorPool pool(16);
  driver::Task task(channel, pool);
  ASSERT_TRUE(task.Configure(driver::Copy(0x12340000, 100, device.build())).ok());
  ASSERT_TRUE(task.Start().ok());
  EXPECT_EQ(task.Await(driver::Timeout::Turns(10)).status.reason(), driver::Reason::timeout);
  EXPECT_EQ(Word(0x20000), 0x12340000u);
  EXPECT_EQ(Word(0x20008), 100u);
  EXPECT_EQ(Word(0x2003c) >> 31, 1u);
}

TEST_F(HostTest, AnotherMappingAndAStranger) {
  UioBus bus;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  ASSERT_TRUE(bus.Open(Registers(registers::kIdentity, page).c_str(), 1).ok());
  EXPECT_TRUE(driver::Device(bus).Open().ok());
  ASSERT_TRUE(bus.Open(Registers(0x1234).c_str()).ok());
  EXPECT_EQ(driver::Device(bus).Open().reason(), driver::Reason::unknown_device);
  EXPECT_EQ(bus.Open((folder + "/none").c_str()).reason(), driver::Reason::host_open);
  EXPECT_EQ(bus.Open(folder.c_str()).code(), driver::Code::host_error);
}

TEST_F(HostTest, AnInterruptIsAWordOfTheFile) {
  UioBus bus;
  // Without a file nothing comes, and nothing can be asked for.
  EXPECT_EQ(bus.WaitForInterrupt(1).reason(), driver::Reason::timeout);
  EXPECT_EQ(bus.EnableInterrupt().reason(), driver::Reason::host_ioctl);
  const std::string path = Registers(registers::kIdentity);
  ASSERT_TRUE(bus.Open(path.c_str()).ok());
  EXPECT_TRUE(bus.EnableInterrupt().ok());
  EXPECT_EQ(Word(0), 1u);  // UIO: 1 is on
  EXPECT_TRUE(bus.WaitForInterrupt(10).ok());
  std::filesystem::resize_file(path, 6);
  EXPECT_TRUE(bus.Open(path.c_str()).ok());  // what cannot be read whole is no interrupt
  EXPECT_TRUE(bus.WaitForInterrupt(10).ok());
  EXPECT_EQ(bus.WaitForInterrupt(10).reason(), driver::Reason::host_ioctl);
}

TEST_F(HostTest, ASignalEndsAWaitAsATimeout) {
  struct sigaction quiet {};
  quiet.sa_handler = [](int) {};
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGALRM, &quiet, &before), 0);
  const itimerval soon{{}, {0, 20000}};
  ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
  const UioBus bus;  // without a file nothing comes
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(bus.WaitForInterrupt(20000).reason(), driver::Reason::timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  sigaction(SIGALRM, &before, nullptr);
}

TEST_F(HostTest, MemoryComesFromUdmabuf) {
  Udmabuf buffer;
  EXPECT_EQ(buffer.Open("udmabuf0", folder, folder + "/class").reason(), driver::Reason::host_open);
  Write("class/udmabuf0/size", "8192\n");
  Write("class/udmabuf0/phys_addr", "0x70000000\n");
  EXPECT_EQ(buffer.Open("udmabuf0", folder, folder + "/class").reason(), driver::Reason::host_open);
  Write("udmabuf0", std::string(8192, 'x'));
  ASSERT_TRUE(buffer.Open("udmabuf0", folder, folder + "/class").ok());
  EXPECT_EQ(buffer.bytes(), 8192u);
  driver::MemoryPool<64, 8> pool(buffer.memory(), buffer.bytes(), buffer.bus_address());
  auto* block = static_cast<char*>(pool.Allocate(100));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(*block, 'x');
  EXPECT_EQ(pool.BusAddress(block), 0x70000000u);
}

// A kernel with one heap of four pages, whose pages lie where the test says.
struct Kernel {
  static Kernel& Get() {
    static Kernel kernel;
    return kernel;
  }
  alignas(4096) uint8_t memory[4 * 4096] = {};
  uint64_t frames[4] = {0x70000, 0x70001, 0x70002, 0x70003};
  bool there = true, root = true, allocates = true, maps = true, syncs = true;
  int open = 0;
  std::vector<uint64_t> sync_flags;
};
struct FakeSystem {
  static int Open(const char* path, int) {
    const std::string name = path;
    const Kernel& kernel = Kernel::Get();
    if (name == "/dev/dma_heap/reserved" ? !kernel.there
                                         : name != "/proc/self/pagemap" || !kernel.root)
      return -1;
    ++Kernel::Get().open;
    return name == "/proc/self/pagemap" ? 11 : 10;
  }
  static int Control(int file, unsigned long request, void* argument) {
    Kernel& kernel = Kernel::Get();
    if (request == DMA_HEAP_IOCTL_ALLOC) {
      auto* asked = static_cast<dma_heap_allocation_data*>(argument);
      if (!kernel.allocates || file != 10 || asked->len > sizeof(kernel.memory)) return -1;
      asked->fd = 12;
      ++kernel.open;
      return 0;
    }
    if (request != DMA_BUF_IOCTL_SYNC || file != 12 || !kernel.syncs) return -1;
    kernel.sync_flags.push_back(static_cast<dma_buf_sync*>(argument)->flags);
    return 0;
  }
  static void* Map(int file, size_t) {
    return file == 12 && Kernel::Get().maps ? Kernel::Get().memory : MAP_FAILED;
  }
  static ssize_t ReadAt(int file, void* to, size_t bytes, off_t at) {
    const Kernel& kernel = Kernel::Get();
    const auto page =
        static_cast<uint64_t>(at) / 8 - reinterpret_cast<uintptr_t>(kernel.memory) / 4096;
    if (file != 11 || page >= 4) return -1;
    const uint64_t entry = kernel.frames[page] | uint64_t{1} << 63;
    std::memcpy(to, &entry, bytes);
    return static_cast<ssize_t>(bytes);
  }
  static void Close(int) { --Kernel::Get().open; }
  static void Unmap(void*, size_t) {}
};

TEST(DmaHeapTest, MemoryComesFromAHeapOfTheKernel) {
  Kernel& kernel = Kernel::Get();
  {
    DmaHeap<FakeSystem> heap;
    EXPECT_EQ(heap.BeginRead().reason(), driver::Reason::not_configured);
    ASSERT_TRUE(heap.Open("reserved", 3 * 4096 + 1).ok());
    EXPECT_EQ(heap.bytes(), 4u * 4096);
    EXPECT_EQ(heap.bus_address(), 0x70000000u);
    driver::MemoryPool<64, 8> pool(heap.memory(), heap.bytes(), heap.bus_address());
    EXPECT_EQ(pool.BusAddress(pool.Allocate(8)), 0x70000000u);
    EXPECT_TRUE(heap.BeginWrite().ok());
    EXPECT_TRUE(heap.EndWrite().ok());
    EXPECT_TRUE(heap.BeginRead().ok());
    EXPECT_TRUE(heap.EndRead().ok());
    EXPECT_EQ(kernel.sync_flags, (std::vector<uint64_t>{2, 6, 1, 5}));
    kernel.syncs = false;
    EXPECT_EQ(heap.EndRead().reason(), driver::Reason::host_ioctl);
    kernel.syncs = true;
  }
  EXPECT_EQ(kernel.open, 0);
  DmaHeap<FakeSystem> heap;
  EXPECT_EQ(heap.Open("reserved", 0).reason(), driver::Reason::zero_size);
  EXPECT_EQ(heap.Open("other", 4096).reason(), driver::Reason::host_open);
  EXPECT_EQ(heap.Open("reserved", 5 * 4096).reason(), driver::Reason::no_memory);
  kernel.frames[2] = 0x80000;  // not contiguous
  EXPECT_EQ(heap.Open("reserved", 4 * 4096).reason(), driver::Reason::no_memory);
  EXPECT_TRUE(heap.Open("reserved", 2 * 4096).ok());
  kernel.frames[0] = 0;  // hidden
  EXPECT_EQ(heap.Open("reserved", 4096).reason(), driver::Reason::host_map);
  kernel.maps = false;
  EXPECT_EQ(heap.Open("reserved", 4096).reason(), driver::Reason::host_map);
  kernel.maps = true;
  kernel.root = false;
  EXPECT_EQ(heap.Open("reserved", 4096).reason(), driver::Reason::host_open);
  EXPECT_EQ(kernel.open, 0);
}

}  // namespace
}  // namespace tessera::host
