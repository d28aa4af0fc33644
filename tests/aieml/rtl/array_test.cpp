// Arrays whose DMAs are the RTL beside arrays of the behavioural model, and their speed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/aieml/dma_model.h"
#include "tests/aieml/binary.h"
#include "tests/aieml/rtl/random_array.h"
#include "tools/aieml/array/bus.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

constexpr const char* kLacking = "a model of an image is not in this build";

TEST(RandomArrays, EndAsTheModelEnds) {
  if (!HasArrays()) GTEST_SKIP() << kLacking;
  uint64_t words = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    ASSERT_EQ(CompareArrays(seed, &words), "") << "aieml_random --arrays --seed " << seed;
  }
  EXPECT_GT(words, 10000u);
}

// Cycles of a column in a second of processor time, while a stream goes from the host into the
// memory tile and back, for ever, and the compute tiles have nothing to do.
TEST(ArraySpeed, FiftyThousandCyclesOfAColumn) {
  if (!HasArrays()) GTEST_SKIP() << kLacking;
  array::ArrayFile file = array::Parse(
      R"({"routes": [{"from": [0, 0, 0], "to": [[0, 1, 0]]}, {"from": [0, 1, 0], "to": [[0, 0, 0]]}],
          "locks": [{"tile": [0, 1], "lock": 0, "value": 1}],
          "arguments": [{"bytes": 4096, "ramp": 1}, {"bytes": 4096}]})",
      "f");
  file.rtl = true;
  array::Machine machine = array::Build(file);
  Array& column = *machine.array;
  const auto block = [&](uint32_t row, uint32_t offset, const std::vector<uint32_t>& words) {
    for (uint32_t n = 0; n < words.size(); ++n) {
      column.Write(AddressOf(0, row, offset + 4 * n), words[n]);
    }
  };
  const auto address = [&](size_t n) { return static_cast<uint32_t>(machine.arguments[n]); };
  const uint32_t again = 1u << 25 | 1u << 26;  // valid, and the next one
  block(0, 0x1d000, {1024, address(0), 0, 0, 0, 0, 0, again});
  block(0, 0x1d020, {1024, address(1), 0, 0, 0, 0, 0, again | 1u << 27});
  const uint32_t takes = 1u << 31 | 1u << 24 | 1u << 15 | 127u << 8;
  block(1, 0xa0000, {1024, 1u << 19 | 0x20000, 0, 0, 0, 0, 0, takes | 65u << 16 | 64});
  block(1, 0xa0020, {1024, 1u << 20 | 1u << 19 | 0x20000, 0, 0, 0, 0, 0, takes | 64u << 16 | 65});
  for (const auto& [row, queue, bd] :
       {std::tuple{0u, 0x1d204u, 1u}, {1u, 0xa0604u, 0u}, {1u, 0xa0634u, 1u}, {0u, 0x1d214u, 0u}}) {
    column.Write(AddressOf(0, row, queue), bd);
  }
  constexpr uint64_t kCycles = 50000;
  column.Clock(1000);
  const std::clock_t begin = std::clock();
  column.Clock(kCycles);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  RecordProperty("cycles_a_second", static_cast<int>(static_cast<double>(kCycles) / seconds));
  uint32_t word = 0;
  EXPECT_TRUE(column.host().Read(machine.arguments[1] + 4092, &word));
  EXPECT_EQ(word, 1024u);
  EXPECT_FALSE(column.Still());
#if !defined(__SANITIZE_ADDRESS__) && !VM_COVERAGE
  EXPECT_LT(seconds, 2.0);  // an idle core takes half of that
#endif
}

// One build of an image stands wherever the array has a tile of its kind: headers tell where.
TEST(ArrayRtl, HeadersTellWhereATileStands) {
  if (!HasArrays()) GTEST_SKIP() << kLacking;
  for (const uint32_t row : {0u, 1u, 2u, 3u}) {
    array::ArrayFile file;
    file.options.columns = 2;
    file.options.routes = {{{1, row, 1}, {{1, 0, 0}}, {}, false}};
    file.arguments.resize(1);
    file.arguments[0].bytes = 64;
    file.rtl = true;
    array::Machine machine = array::Build(file);
    const auto set = [&](uint32_t at, uint32_t offset, uint32_t value) {
      machine.array->Write(AddressOf(1, at, offset), value);
    };
    const auto host = static_cast<uint32_t>(machine.arguments[0]);
    const uint32_t valid = 1u << 25;
    set(0, 0x1d000, 2);  // a header and a word come in
    set(0, 0x1d004, host);
    set(0, 0x1d01c, valid);
    set(0, 0x1d204, 0);
    if (row == 0) {
      for (const auto& [word, value] :
           {std::pair{0u, 1u}, {1u, host + 32}, {2u, 1u << 30 | 9u << 19}, {7u, valid}}) {
        set(0, 0x1d020 + 4 * word, value);
      }
      set(0, 0x1d21c, 1);
    } else if (row == 1) {
      set(1, 0xa0300, 1u << 31 | 9u << 23 | 1);
      set(1, 0xa0304, 0x20000);
      set(1, 0xa031c, 1u << 31);
      set(1, 0xa063c, 24);
    } else {
      for (const auto& [word, value] :
           {std::pair{0u, 1u}, {1u, 1u << 30 | 9u << 19}, {5u, valid}}) {
        set(row, 0x1d000 + 4 * word, value);
      }
      set(row, 0x1de1c, 0);
    }
    EXPECT_TRUE(machine.array->Settle(2000)) << row;
    uint32_t header = 0;
    EXPECT_TRUE(machine.array->host().Read(host, &header));
    EXPECT_EQ(header, PacketHeader(9, 0, 0, 1, row)) << row;
  }
}

// Some tiles of an array may be the RTL.
TEST(ArrayRtl, TilesAreMarkedInTheFile) {
  if (!HasArrays()) GTEST_SKIP() << kLacking;
  for (const char* rtl : {"[[0, 1]]", "[[0, 0]]", "[[0, 0], [0, 1]]", "[]"}) {
    const array::ArrayFile file = array::Parse(
        fmt::format(R"({{"rtl": {}, "routes": [{{"from": [0, 0, 0], "to": [[0, 0, 0]]}}],
          "arguments": [{{"bytes": 256, "ramp": 7}}, {{"bytes": 256, "equals": {{"argument": 0}}}}]}})",
                    rtl),
        "f");
    array::Machine machine = array::Build(file);
    const auto valid = [&](size_t n) {
      return std::vector<uint32_t>{
          64, static_cast<uint32_t>(machine.arguments[n]), 0, 0, 0, 0, 0, 1u << 25};
    };
    for (uint32_t n = 0; n < 8; ++n) {
      machine.array->Write(0x1d000 + 4 * n, valid(0)[n]);
      machine.array->Write(0x1d020 + 4 * n, valid(1)[n]);
    }
    machine.array->Write(0x1d204, 1);
    machine.array->Write(0x1d214, 0);
    EXPECT_TRUE(machine.array->Settle(2000)) << rtl;
    EXPECT_TRUE(array::Compare(file, machine).empty()) << rtl;
  }
  for (const auto& [text, sentence] :
       {std::pair{R"({"rtl": [[0, 6]]})",
                  "a: top.rtl[0] is [0,6]: legal is a column below 1 and "
                  "a row below 6"},
        {R"({"rtl": [[1, 0]]})",
         "a: top.rtl[0] is [1,0]: legal is a column below 1 and a row "
         "below 6"},
        {R"({"rtl": true})", "a: top.rtl is true: legal is a list of 0 to 88"}}) {
    try {
      array::Parse(text, "a");
      ADD_FAILURE() << text;
    } catch (const array::Error& error) {
      EXPECT_EQ(std::string(error.what()), sentence);
    }
  }
}

}  // namespace
}  // namespace tessera::aieml
