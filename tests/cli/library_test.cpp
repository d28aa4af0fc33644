// The simulation library: what it does, what it refuses, and that the C interface keeps its word
// about sizes.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>

#include "include/tessera/dma.hpp"
#include "include/tessera/sim.h"
#include "include/tessera/sim.hpp"
#include "tb/check/plan.h"
#include "tests/cli/temp_folder.h"

namespace tessera::sim {
namespace {

class LibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const Configuration& c : Configurations()) {
      if (c.name == "typical") return;
    }
    GTEST_SKIP() << "configuration typical is not built";
  }
};

std::vector<uint8_t> Counting(size_t size) {
  std::vector<uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}

Transfer Plain(uint64_t base, uint32_t bytes) {
  Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

template <typename Function>
std::string Refusal(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DmaTest, WhatIsNotThereIsNamed) {
  const std::vector<DmaBuild> builds = DmaBuilds();
  if (builds.empty()) GTEST_SKIP() << "no tessera_dma is built";
  const DmaBuild& build = builds.front();
  EXPECT_NE(Refusal([&] { Dma({.build = build.name, .latency_min = 2}); }), "accepted");
  Dma dma({.build = build.name});
  uint8_t byte = 0;
  EXPECT_EQ(Refusal([&] { dma.Send(99, &byte, 1, End::kLast); }),
            "there is no write channel 99: legal are 0 to " + std::to_string(build.writes - 1));
  EXPECT_EQ(Refusal([&] { dma.Hold(-1, true); }),
            "there is no read channel -1: legal are 0 to " + std::to_string(build.reads - 1));
  EXPECT_EQ(Refusal([&] { dma.AttachBuffer(0x10, nullptr, 0); }),
            "0 bytes from 0x10 on: legal is at least one, up to the end of the address space");
  EXPECT_NE(Refusal([&] { dma.AttachBuffer(~uint64_t{0}, &byte, 2); }), "accepted");
}

TEST_F(LibraryTest, StreamsGoBothWaysAndRunCanBeCalledAgain) {
  Proves({"library.run"});
  Simulation sim;
  const std::vector<uint8_t> bytes = Counting(100);
  sim.WriteMemory(0x1001, bytes.data(), bytes.size());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(sim.Queue(Direction::kRead, Plain(0x1001, 100)), static_cast<size_t>(round));
    sim.Step(6000);  // longer than the timeout of a run
    sim.Run();
    EXPECT_EQ(sim.Receive(40), Counting(40));
    EXPECT_EQ(sim.Receive().size(), 60u);
    EXPECT_TRUE(sim.Receive().empty());
  }
  sim.Queue(Direction::kWrite, Plain(0x2003, 100));
  sim.Send(bytes.data(), 30, End::kOpen);
  sim.Send(bytes.data() + 30, 70);
  sim.Run();
  std::vector<uint8_t> seen(100);
  sim.ReadMemory(0x2003, seen.data(), seen.size());
  EXPECT_EQ(seen, bytes);
  const Record record = sim.record(Direction::kWrite, 0);
  EXPECT_TRUE(record.done);
  EXPECT_EQ(record.status, kOk);
  EXPECT_EQ(record.bytes, 100u);
  EXPECT_TRUE(record.last);
  const Report report = sim.report();
  EXPECT_EQ(report.read.done, 3u);
  EXPECT_EQ(report.write.bursts, 1u);
  EXPECT_EQ(report.cycles, sim.cycle());
  const Beat beat = sim.beat(12);
  EXPECT_TRUE(beat.last);
  EXPECT_EQ(beat.data, (std::vector<uint8_t>{96, 97, 98, 99, 0, 0, 0, 0}));
  EXPECT_EQ(beat.keep, (std::vector<bool>{true, true, true, true, false, false, false, false}));
}

// A register file: reads give the address, writes are kept.
class Registers : public Device {
 public:
  void Read(uint64_t address, uint8_t* data, size_t size) override {
    for (size_t n = 0; n < size; ++n) data[n] = static_cast<uint8_t>((address + n) ^ 0x5a);
  }
  void Write(uint64_t address, const uint8_t* data, const uint8_t* enable, size_t size) override {
    for (size_t n = 0; n < size; ++n) {
      if (enable[n] != 0) kept[address + n] = data[n];
    }
  }
  std::map<uint64_t, uint8_t> kept;
};

TEST_F(LibraryTest, DevicesAndBuffersAreMemory) {
  Proves({"library.memory"});
  Options options;
  options.join = true;
  Simulation sim(options);
  Registers from, to;
  std::vector<uint8_t> buffer(16, 0xee);
  sim.AttachDevice(0x1000, 64, &from);
  sim.AttachDevice(0x2005, 8, &to);
  sim.AttachBuffer(0x3003, buffer.data(), 8);
  sim.Queue(Direction::kRead, Plain(0x1009, 16));
  sim.Queue(Direction::kWrite, Plain(0x2005, 8));
  sim.Queue(Direction::kWrite, Plain(0x3003, 8));
  sim.Run();
  ASSERT_EQ(to.kept.size(), 8u);
  for (uint64_t n = 0; n < 8; ++n) {
    EXPECT_EQ(to.kept[0x2005 + n], (0x09 + n) ^ 0x5a);
    EXPECT_EQ(buffer[n], (0x11 + n) ^ 0x5a);
    EXPECT_EQ(buffer[8 + n], 0xee);
  }
}

TEST_F(LibraryTest, ADeviceInCIsMemory) {
  tessera_sim* sim = tessera_create(nullptr);
  ASSERT_NE(sim, nullptr) << tessera_error(nullptr);
  Registers from;
  tessera_device device;
  tessera_device_init(&device);
  device.context = &from;
  device.read = [](void* context, uint64_t address, uint8_t* data, size_t size) {
    static_cast<Registers*>(context)->Read(address, data, size);
  };
  EXPECT_EQ(tessera_attach_device(sim, 0x1000, 64, &device), 0) << tessera_error(sim);
  tessera_transfer transfer;
  tessera_transfer_init(&transfer);
  transfer.base = 0x1009;
  transfer.count[0] = 16;
  transfer.stride[0] = 1;
  EXPECT_EQ(tessera_queue(sim, TESSERA_READ, &transfer, nullptr), 0) << tessera_error(sim);
  EXPECT_EQ(tessera_run(sim), 0) << tessera_error(sim);
  std::vector<uint8_t> sent(17);
  size_t size = 0;
  EXPECT_EQ(tessera_receive(sim, sent.data(), sent.size(), &size), 0);
  ASSERT_EQ(size, 16u);
  for (size_t n = 0; n < size; ++n) EXPECT_EQ(sent[n], (0x09 + n) ^ 0x5a);
  device.size = 0;
  EXPECT_EQ(tessera_attach_device(sim, 0x1000, 64, &device), -1);
  EXPECT_STREQ(tessera_error(sim), "device.size is 0: legal is what tessera_device_init sets");
  tessera_destroy(sim);
}

TEST_F(LibraryTest, AbortsResetsAndTraces) {
  Proves({"library.control"});
  Options options;
  options.sink = "p=0.1";
  Simulation sim(options);
  const std::string path = ::testing::TempDir() + "/library_test.fst";
  sim.Trace(path);
  sim.Queue(Direction::kRead, Plain(0, 4000));
  sim.Step(200);
  EXPECT_FALSE(sim.idle());
  sim.Abort(Direction::kRead);
  sim.Run();
  EXPECT_EQ(sim.record(Direction::kRead, 0).status, kAborted);
  sim.Reset();
  sim.Step(10);
  sim.Queue(Direction::kRead, Plain(0, 8));
  sim.Run();
  EXPECT_EQ(sim.record(Direction::kRead, 1).status, kOk);
  sim.Trace("");
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

// Each may end first, and go on when the other has ended.
TEST_F(LibraryTest, SimulationsLiveSideBySide) {
  Proves({"library.run"});
  for (const bool first : {true, false}) {
    std::optional<Simulation> one, two;
    one.emplace();
    two.emplace();
    for (Simulation* sim : {&*one, &*two}) {
      sim->Queue(Direction::kRead, Plain(0, 40));
      sim->Run();
    }
    (first ? one : two).reset();
    Simulation& left = first ? *two : *one;
    left.Queue(Direction::kRead, Plain(0, 8));
    left.Run();
    EXPECT_EQ(left.record(Direction::kRead, 1).status, kOk);
  }
}

// While it lives, no file can grow beyond `bytes`.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit full{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::ignore = std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(LibraryTest, AWaveformThatCannotBeWrittenIsToldAndLeavesTheOldOne) {
  Proves({"library.control"});
  const TempFolder folder;
  const std::string path = folder / "w.fst";
  const std::string told = path + ": cannot be written: " + std::strerror(EFBIG);
  std::ofstream(path) << "old";
  const auto is_old = [&] {
    std::string text;
    std::ifstream(path) >> text;
    const auto files = std::filesystem::directory_iterator(folder.path());
    return text == "old" && std::distance(begin(files), end(files)) == 1;
  };
  Simulation sim;
  std::string refusal;
  {
    const FullDisk full(4096);
    sim.Trace(path);
    sim.Queue(Direction::kRead, Plain(0, 4000));
    sim.Run();
    refusal = Refusal([&] { sim.Trace(""); });
  }
  EXPECT_EQ(refusal, told);
  EXPECT_TRUE(is_old());
  EXPECT_EQ(sim.record(Direction::kRead, 0).status, kOk);
  EXPECT_EQ(Refusal([&] { sim.Trace(folder.path()); }).find(folder.path() + ": is a folder"), 0u);
  EXPECT_EQ(Refusal([&] { sim.Trace("/dev/full"); }).find("/dev/full: is a device"), 0u);
  EXPECT_EQ(Refusal([&] { sim.Trace("/dev/null/w.fst"); }),
            std::string("/dev/null/w.fst: cannot be written: ") + std::strerror(ENOTDIR));
  {
    const FullDisk full(0);
    sim.Trace(path);
  }  // a simulation that goes on, and ends, without the file
  sim.Queue(Direction::kRead, Plain(0, 8));
  sim.Run();
  EXPECT_EQ(sim.record(Direction::kRead, 1).status, kOk);

  tessera_sim* c = tessera_create(nullptr);
  ASSERT_NE(c, nullptr) << tessera_error(nullptr);
  tessera_transfer transfer;
  tessera_transfer_init(&transfer);
  transfer.count[0] = 4000;
  transfer.stride[0] = 1;
  int traced = 0, queued = 0, run = 0, ended = 0;
  const std::string other = folder / "deep/c.fst";
  {
    const FullDisk full(4096);
    traced = tessera_trace(c, other.c_str());
    queued = tessera_queue(c, TESSERA_READ, &transfer, nullptr);
    run = tessera_run(c);
    ended = tessera_trace(c, nullptr);
  }
  EXPECT_EQ(traced, 0) << tessera_error(c);
  EXPECT_EQ(queued, 0) << tessera_error(c);
  EXPECT_EQ(run, 0) << tessera_error(c);
  EXPECT_EQ(ended, -1);
  EXPECT_EQ(tessera_error(c), other + ": cannot be written: " + std::strerror(EFBIG));
  EXPECT_FALSE(std::filesystem::exists(folder / "deep"));
  EXPECT_EQ(tessera_trace(c, folder.path().c_str()), -1);
  EXPECT_EQ(std::string(tessera_error(c)).find(folder.path() + ": is a folder"), 0u);
  tessera_destroy(c);
}

TEST_F(LibraryTest, WhatIsWrongIsASentence) {
  Proves({"library.refuses"});
  Options options;
  options.config = "nix";
  EXPECT_EQ(Refusal([&] { Simulation sim(options); }).substr(0, 49),
            "no configuration is called 'nix'; this build has:");
  options = {};
  options.r = "often";
  EXPECT_EQ(Refusal([&] { Simulation sim(options); }).substr(0, 37),
            "options.r: pacer \"often\": expected al");
  options = {};
  options.latency_min = 0;
  EXPECT_EQ(Refusal([&] { Simulation sim(options); }),
            "options.latency_min is 0: legal is 1 to 100000");
  Simulation sim;
  Transfer t = Plain(0, 4);
  t.elem = 16;
  EXPECT_EQ(Refusal([&] { sim.Queue(Direction::kRead, t); }),
            "transfer.elem is 16: legal are the powers of two from 1 to the bus width, 8 bytes");
  EXPECT_EQ(Refusal([&] { sim.record(Direction::kRead, 0); }),
            "record 0: legal is less than 0, the transfers queued");
  EXPECT_EQ(Refusal([&] { sim.Run(); }).substr(0, 37), "configuration typical seed 0x1 cycle ");
  uint8_t byte = 0;
  EXPECT_EQ(Refusal([&] { sim.AttachBuffer(~uint64_t{0}, &byte, 2); }),
            "2 bytes from 0xffffffffffffffff on: legal is at least one, up to the end of the "
            "address space");
  sim.Queue(Direction::kWrite, Plain(0, 4));
  EXPECT_NE(Refusal([&] { sim.Run(); }).find("nothing moved for 5000 cycles"), std::string::npos);
}

TEST_F(LibraryTest, StructsOfOtherVersionsAreUnderstood) {
  Proves({"library.versions"});
  tessera_sim* sim = tessera_create(nullptr);
  ASSERT_NE(sim, nullptr) << tessera_error(nullptr);
  // An older program: its struct ends before the traversal.
  tessera_transfer transfer;
  tessera_transfer_init(&transfer);
  transfer.size = offsetof(tessera_transfer, walk);
  transfer.count[0] = 24;
  transfer.stride[0] = 1;
  std::memset(transfer.walk, 0x77, sizeof(transfer.walk));
  size_t number = 7;
  EXPECT_EQ(tessera_queue(sim, TESSERA_READ, &transfer, &number), 0) << tessera_error(sim);
  EXPECT_EQ(number, 0u);
  EXPECT_EQ(tessera_run(sim), 0) << tessera_error(sim);
  // A newer one: its record is longer than ours.
  struct {
    tessera_record record;
    uint64_t more;
  } newer{};
  newer.record.size = sizeof(newer);
  newer.more = 99;
  EXPECT_EQ(tessera_record_get(sim, TESSERA_READ, 0, &newer.record), 0) << tessera_error(sim);
  EXPECT_EQ(newer.record.bytes, 24u);
  EXPECT_EQ(newer.record.size, sizeof(newer));
  EXPECT_EQ(newer.more, 99u);
  // An older one: nothing is written behind its end.
  struct {
    uint32_t size;
    int32_t done;
    uint32_t behind;
  } older{8, 0, 0x55555555};
  EXPECT_EQ(tessera_record_get(sim, TESSERA_READ, 0, reinterpret_cast<tessera_record*>(&older)), 0);
  EXPECT_EQ(older.done, 1);
  EXPECT_EQ(older.behind, 0x55555555u);
  tessera_destroy(sim);
}

TEST_F(LibraryTest, TheCInterfaceRefusesInsteadOfCrashing) {
  Proves({"library.refuses"});
  EXPECT_EQ(tessera_run(nullptr), -1);
  EXPECT_STREQ(tessera_error(nullptr),
               "the simulation is NULL: legal is what tessera_create returned");
  tessera_options options;
  tessera_options_init(&options);
  options.config = "nix";
  EXPECT_EQ(tessera_create(&options), nullptr);
  EXPECT_NE(std::string(tessera_error(nullptr)).find("'nix'"), std::string::npos);
  tessera_options_init(&options);
  options.size = 0;
  EXPECT_EQ(tessera_create(&options), nullptr);
  EXPECT_STREQ(tessera_error(nullptr),
               "options.size is 0: legal is what tessera_options_init sets");
  tessera_sim* sim = tessera_create(nullptr);
  ASSERT_NE(sim, nullptr);
  EXPECT_EQ(tessera_queue(sim, TESSERA_READ, nullptr, nullptr), -1);
  EXPECT_STREQ(tessera_error(sim), "transfer is NULL: legal is a struct");
  tessera_transfer transfer;
  tessera_transfer_init(&transfer);
  EXPECT_EQ(tessera_queue(sim, 2, &transfer, nullptr), -1);
  EXPECT_STREQ(tessera_error(sim), "direction is 2: legal is 0 to 1");
  transfer.last_rule = 9;
  EXPECT_EQ(tessera_queue(sim, TESSERA_READ, &transfer, nullptr), -1);
  EXPECT_STREQ(tessera_error(sim), "transfer.last_rule is 9: legal is 0 to 3");
  EXPECT_EQ(tessera_send(sim, "x", 1, 5), -1);
  tessera_configuration configuration;
  tessera_configuration_init(&configuration);
  EXPECT_EQ(tessera_configuration_get(tessera_configurations(), &configuration), -1);
  EXPECT_EQ(tessera_configuration_get(0, &configuration), 0);
  EXPECT_EQ(Configurations()[0].name, configuration.name);
  tessera_destroy(sim);
  tessera_destroy(nullptr);
}

}  // namespace
}  // namespace tessera::sim
