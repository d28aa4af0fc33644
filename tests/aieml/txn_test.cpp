// Transaction binaries as text, and run on an array as a user describes it.
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/aieml/binary.h"
#include "tests/aieml/on_rtl.h"
#include "tools/aieml/txn/disassemble.h"
#include "tools/aieml/txn/play.h"

namespace tessera::txn {
namespace {

using aieml::Binary;
using driver::npu::AddressOf;

std::string ErrorOf(const std::vector<uint32_t>& words) {
  try {
    Check("f.bin", words);
  } catch (const Error& error) {
    return error.what();
  }
  return "good";
}

TEST(Txn, EveryOperationAsText) {
  const auto words =
      Binary()
          .Block(AddressOf(0, 0, 0x1d020), {64, 0, 0, 0, 0x80000000, 0, 0, 0x2000000})
          .Patch(AddressOf(0, 0, 0x1d024), 2, 16)
          .Write(AddressOf(0, 0, 0x1d204), 0x80000001)
          .MaskWrite(AddressOf(1, 1, 0xa0600), 0x0f00, 0x1f00)
          .Poll(AddressOf(0, 0, 0x1d228), 0, 0x700000)
          .Sync(0, 0, false, 0)
          .Add({5})
          .Add({6 | 2 << 8})
          .words();
  EXPECT_EQ(
      Disassemble("f", words),
      "transaction binary, version 0.1, device generation 3, 4 columns, 6 rows, 1 of them memory "
      "tiles: 8 operations, 216 bytes\n"
      "     4  block write  (0,0) 0x1d020, 8 words\n"
      "          (0,0) 0x1d020 DMA_BD1_0 = 0x00000040  Buffer_Length=64\n"
      "          (0,0) 0x1d024 DMA_BD1_1 = 0x00000000\n"
      "          (0,0) 0x1d028 DMA_BD1_2 = 0x00000000\n"
      "          (0,0) 0x1d02c DMA_BD1_3 = 0x00000000\n"
      "          (0,0) 0x1d030 DMA_BD1_4 = 0x80000000  Burst_Length=2\n"
      "          (0,0) 0x1d034 DMA_BD1_5 = 0x00000000\n"
      "          (0,0) 0x1d038 DMA_BD1_6 = 0x00000000\n"
      "          (0,0) 0x1d03c DMA_BD1_7 = 0x02000000  Valid_BD=1\n"
      "    16  patch        (0,0) 0x1d024 DMA_BD1_1 with argument 2 + 16\n"
      "    28  write        (0,0) 0x1d204 DMA_S2MM_0_Start_Queue = 0x80000001  "
      "Enable_Token_Issue=1, Start_BD_ID=1\n"
      "    34  mask write   (1,1) 0xa0600 DMA_S2MM_0_Ctrl = 0x00000f00  Controller_ID=15, mask "
      "0x00001f00\n"
      "    41  mask poll    (0,0) 0x1d228 DMA_MM2S_Status_0 until 0x00000000, mask 0x00700000\n"
      "    48  sync         (0,0) S2MM 0\n"
      "    52  noop\n"
      "    53  preempt      level 2\n");
  EXPECT_EQ(ErrorOf(words), "good");
}

TEST(Txn, ErrorsAreOneSentence) {
  auto words = Binary().Write(AddressOf(0, 0, 0), 1).words();
  words[4] = 14;
  EXPECT_EQ(ErrorOf(words).substr(0, 49), "f.bin: word 4 is 0xe: operation 14 is not played:");
  words[4] = 0;
  words[9] = 4;
  EXPECT_EQ(ErrorOf(words), "f.bin: word 9 is 0x4: the size word is not that of the operation");
  words.pop_back();
  EXPECT_EQ(ErrorOf(words), "f.bin: word 3 is 0x28: legal are the bytes of the file, 36");
  EXPECT_EQ(ErrorOf({}),
            "f.bin: word 0 is missing: the binary ends inside its header or an operation");
  EXPECT_EQ(
      ErrorOf(Binary().Write(AddressOf(9, 0, 0), 1).words()),
      "f.bin: word 4 is 0x0: no tile at this column and row: legal are those of the header or "
      "the array");
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "aieml-txn-test") {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  std::filesystem::path path_;
};

TEST(Txn, FilesOfBytesAndOfDigits) {
  const Folder folder;
  const auto path = folder.Write("a.bin", std::string("\x00\x01\x03\x06\x04\x01\x00\x00", 8));
  EXPECT_EQ(Load(path), (std::vector<uint32_t>{0x06030100, 0x0104}));
  EXPECT_EQ(Load(folder.Write("a.txt", "06030100\r\n00000104\n\n")),
            (std::vector<uint32_t>{0x06030100, 0x0104}));
  EXPECT_THROW(Load(folder.Write("b.txt", "06030100\n0000010g\n")), Error);
  EXPECT_THROW(Load(folder.Write("c.txt", "060301000\n")), Error);
  EXPECT_THROW(Load(folder.Write("b.bin", "12345")), Error);
  EXPECT_THROW(Load("/nowhere/at/all"), Error);
  EXPECT_THROW(Load("/"), Error);
}

constexpr const char* kArray = R"({"routes": [{"from": [0, 0, 0], "to": [[0, 0, 0]]}],
  "arguments": [{"bytes": 256, "ramp": 7}, {"bytes": 256, "equals": {"argument": 0}}]})";

Binary InAndOut() {
  Binary binary;
  binary.Block(AddressOf(0, 0, 0x1d000), {64, 0, 0, 0, 0, 0, 0, 1u << 25})
      .Patch(AddressOf(0, 0, 0x1d004), 0, 0)
      .Block(AddressOf(0, 0, 0x1d020), {64, 0, 0, 0, 0, 0, 0, 1u << 25})
      .Patch(AddressOf(0, 0, 0x1d024), 1, 0)
      .Write(AddressOf(0, 0, 0x1d204), 0x80000001)
      .Write(AddressOf(0, 0, 0x1d214), 0)
      .Sync(0, 0, false, 0);
  return binary;
}

TEST(Txn, ARunIsCompared) {
  array::ArrayFile file = aieml::ParseHere(kArray, "array.json");
  array::Machine good = array::Build(file);
  testing::internal::CaptureStdout();
  EXPECT_EQ(Play("f", InAndOut().words(), file, good, {}), 0);
  fflush(stdout);
  const std::string told = testing::internal::GetCapturedStdout();
  if (aieml::OnRtl()) {
    EXPECT_EQ(told.substr(0, 14) + told.substr(told.find(" cycles")),
              "7 operations,  cycles, 1 token\n");
  } else {
    EXPECT_EQ(told, "7 operations, 118 cycles, 1 token\n");
  }
  file.arguments[1].plus = 1;
  array::Machine bad = array::Build(file);
  EXPECT_EQ(Play("f", InAndOut().words(), file, bad, {}), 1);
  array::Machine late = array::Build(file);
  EXPECT_EQ(Play("f", Binary().Sync(0, 0, false, 1).words(), file, late, {20, 0}), 1);
}

// What a run of a binary prints.
std::string Told(const Binary& binary, const std::string& array) {
  const array::ArrayFile file = aieml::ParseHere(array, "array.json");
  array::Machine machine = array::Build(file);
  testing::internal::CaptureStdout();
  EXPECT_EQ(Play("f", binary.words(), file, machine, {20, 0}), 1);
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(Txn, ARunThatStandsStillSaysWhoWaitsForWhat) {
  const auto expect = [](const std::string& told, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      EXPECT_NE(told.find(line + "\n"), std::string::npos) << line << " is not in\n" << told;
    }
  };
  const std::string loop = R"({"routes": [{"from": [0, 0, 0], "to": [[0, 0, 0]]}],
    "arguments": [{"bytes": 256}, {"bytes": 256}]})";
  const uint32_t valid = 1u << 25, acquire = 1u << 12 | 0x7eu << 5 | 3;  // at least 2 of lock 3
  Binary locked;
  locked.Block(AddressOf(0, 0, 0x1d020), {64, 0, 0, 0, 0, 0, 0, valid | acquire})
      .Patch(AddressOf(0, 0, 0x1d024), 1, 0)
      .Write(AddressOf(0, 0, 0x1d204), 0x80000001)
      .Sync(0, 0, false, 0);
  expect(Told(locked, loop),
         {"stopped: f: word 34 is 0x80: sync (0,0) S2MM 0: it did not happen within the time given",
          "stands still: (0,0): S2MM 0 waits in descriptor 1 for lock 3 to be at least 2, which is "
          "0"});
  Binary exact;  // of the tile to the west, which is lock 5 in its own count
  exact
      .Block(AddressOf(1, 1, 0xa0000),
             {64, 0x20000, 0, 0, 0, 0, 0, 0x80000000 | 1u << 15 | 4 << 8 | 5})
      .Write(AddressOf(1, 1, 0xa0604), 0)
      .Sync(1, 1, false, 0);
  expect(Told(exact, R"({"columns": 2})"),
         {"stands still: (1,1): S2MM 0 waits in descriptor 0 for lock 5 of the tile to the west to "
          "be 4, which is 0"});
  Binary starved;
  starved.Block(AddressOf(0, 0, 0x1d020), {64, 0, 0, 0, 0, 0, 0, valid})
      .Patch(AddressOf(0, 0, 0x1d024), 1, 0)
      .Write(AddressOf(0, 0, 0x1d204), 0x80000001)
      .Write(AddressOf(0, 0, 0x1d214), 7)
      .Poll(AddressOf(0, 0, 0x1d220), 0, 0x180000);
  expect(Told(starved, loop),
         {"stopped: f: word 40 is 0x4: mask poll (0,0) 0x1d220 DMA_S2MM_Status_0 until 0x00000000, "
          "mask 0x00180000: it did not happen within the time given",
          "stands still: (0,0): S2MM 0 waits in descriptor 1 for words on its stream",
          "stands still: (0,0): MM2S 0 has halted in descriptor 7: the descriptor is not valid"});
}

// Loading a program of a core writes thousands of words that no unit stands behind.
TEST(Txn, RegistersInARowAreOneLine) {
  const array::ArrayFile file = array::Parse("{}", "array.json");
  array::Machine machine = array::Build(file);
  for (uint32_t n = 0; n < 4096; ++n) machine.array->Write(AddressOf(0, 2, 0x20000 + 4 * n), n);
  machine.array->Write(AddressOf(0, 2, 0x32000), 1);
  const std::string told = array::Report(machine);
  EXPECT_NE(told.find("4097 registers that no unit stands behind kept what was written:\n"
                      "  (0,2) 0x20000 to 0x23ffc Program_Memory_0 to Program_Memory_4095\n"
                      "  (0,2) 0x32000 without a name = 0x00000001\n"),
            std::string::npos)
      << told;
}

TEST(Txn, ARunThatStandsStillTellsOfLostPushes) {
  Binary binary;
  binary.Block(AddressOf(0, 0, 0x1d000), {64, 0, 0, 0, 0, 0, 0, 1u << 25});
  for (int n = 0; n < 7; ++n) binary.Write(AddressOf(0, 0, 0x1d204), 0);
  binary.Sync(0, 0, false, 0);
  const std::string told = Told(binary, R"({"arguments": [{"bytes": 256}, {"bytes": 256}]})");
  const std::string line =
      "stands still: (0,0): S2MM 0 has lost 2 pushes to its queue, which was full with 4\n";
  EXPECT_NE(told.find(line), std::string::npos) << told;
}

// 10,000 operations beside the simulation of what they start: under a second of processor time.
TEST(Txn, TenThousandOperationsInASecond) {
  Binary binary;
  for (uint32_t n = 0; n < 10000; ++n) binary.Write(AddressOf(0, 1, 4 * n), n);
  const auto words = binary.words();
  const std::clock_t begin = std::clock();
  const std::string text = Disassemble("f", words);
  const array::ArrayFile file = array::Parse("{}", "array.json");
  array::Machine machine = array::Build(file);
  EXPECT_EQ(Play("f", words, file, machine, {}), 0);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  RecordProperty("milliseconds", static_cast<int>(1000 * seconds));
  EXPECT_GT(text.size(), 500000u);
#ifdef NDEBUG
  EXPECT_LT(seconds, 1.0);
#endif
}

TEST(Txn, WrongArrayFilesAreOneSentence) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"[", "a: no JSON: legal is an array file"},
      {"[]", "a: top is []: legal is an object"},
      {R"({"columns": 9})", "a: top.columns is 9: legal is a number from 0 to 8"},
      {R"({"rows": 9})", "a: top has the member \"rows\": legal are columns, memory_rows"},
      {R"({"routes": [{"from": [0, 0], "to": []}]})",
       "a: top.routes[0].from is [0,0]: legal is a list of 3"},
      {R"({"arguments": [{"bytes": 3}]})",
       "a: top.arguments[0].bytes is 3: legal is a multiple of 4, from 4 on"},
      {R"({"arguments": [{"bytes": 4, "equals": {"argument": 0}}]})",
       "a: top.arguments[0].equals is {\"argument\":0}: legal is an earlier argument"},
      {R"({"kernels": [{"tile": [0, 2], "kernel": "fft", "words": 4}]})",
       "a: top.kernels[0].kernel is \"fft\": legal is pass or add"},
  };
  for (const auto& [text, sentence] : kWrong) {
    try {
      array::Parse(text, "a");
      ADD_FAILURE() << text;
    } catch (const array::Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, std::string(sentence).size()), sentence);
    }
  }
  EXPECT_THROW(array::Build(array::Parse(R"({"columns": 0})", "a")), array::Error);
  EXPECT_THROW(
      array::Build(array::Parse(R"({"writes": [{"tile": [3, 0], "offset": 0, "value": 0}]})", "a")),
      array::Error);
}

}  // namespace
}  // namespace tessera::txn
