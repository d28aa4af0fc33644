// The driver in Linux user space, on ordinary files where registers and memory would be.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "sw/host/udmabuf.hpp"
#include "sw/host/uio.hpp"

namespace tessera::host {
namespace {

class HostTest : public ::testing::Test {
 protected:
  HostTest() {
    char name[] = "/tmp/tessera_host_XXXXXX";
    folder = mkdtemp(name);
  }
  ~HostTest() override { std::filesystem::remove_all(folder); }
  // A file that looks like the registers of a device that nobody drives.
  std::string Registers(uint32_t id, uint64_t offset = 0) {
    std::vector<uint32_t> words((offset + driver::map::kSpan) / 4);
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
  ASSERT_TRUE(bus.Open(Registers(driver::map::kIdValue).c_str()).ok());
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
  ASSERT_TRUE(bus.Open(Registers(driver::map::kIdValue, page).c_str(), 1).ok());
  EXPECT_TRUE(driver::Device(bus).Open().ok());
  ASSERT_TRUE(bus.Open(Registers(0x1234).c_str()).ok());
  EXPECT_EQ(driver::Device(bus).Open().reason(), driver::Reason::unknown_device);
  EXPECT_EQ(bus.Open((folder + "/none").c_str()).reason(), driver::Reason::host_open);
  EXPECT_EQ(bus.Open(folder.c_str()).code(), driver::Code::host_error);
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

}  // namespace
}  // namespace tessera::host
