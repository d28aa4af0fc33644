// A mock with the driver on it, as most tests want it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "sw/driver/tessera/driver.hpp"
#include "sw/driver/tessera/text.hpp"
#include "tests/driver/mock_device.h"

namespace tessera::driver {

using mock::Access;
using mock::MockBus;
using mock::MockDevice;
using MockChannel = Channel<MockBus, 8>;

class DriverTest : public ::testing::Test {
 protected:
  explicit DriverTest(const mock::Config& config = {})
      : mock(config),
        bus(mock),
        device(bus),
        reader(device, Direction::kToStream, 0),
        writer(device, Direction::kFromStream, 0),
        pool(config.descriptors) {
    EXPECT_TRUE(device.Open().ok());
    EXPECT_TRUE(reader.Open().ok());
    EXPECT_TRUE(writer.Open().ok());
    mock.ClearLog();
  }
  ~DriverTest() override { EXPECT_TRUE(mock.violations().empty()) << mock.violations().front(); }

  std::vector<Access> Writes() const {
    std::vector<Access> writes;
    for (const Access& access : mock.log()) {
      if (access.kind == Access::Kind::kWrite) writes.push_back(access);
    }
    return writes;
  }
  size_t Reads() const { return mock.log().size() - Writes().size() - Barriers(); }
  size_t Barriers() const {
    size_t sum = 0;
    for (const Access& access : mock.log()) sum += access.kind == Access::Kind::kBarrier ? 1 : 0;
    return sum;
  }
  // The bytes that memory holds.
  std::vector<uint8_t> Bytes(uint64_t address, size_t count) {
    std::vector<uint8_t> bytes(count);
    for (size_t n = 0; n < count; ++n) bytes[n] = mock.memory().Read(address + n);
    return bytes;
  }

  MockDevice mock;
  MockBus bus;
  Device<MockBus> device;
  MockChannel reader;
  MockChannel writer;
  DescriptorPool pool;
};

inline std::vector<uint8_t> Counting(size_t count, uint8_t first = 0) {
  std::vector<uint8_t> bytes(count);
  for (size_t n = 0; n < count; ++n) bytes[n] = static_cast<uint8_t>(first + n);
  return bytes;
}

}  // namespace tessera::driver
