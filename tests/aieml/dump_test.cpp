// Dumps of an array file: whole, through links, and never in place of something else.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tb/files/output.h"
#include "tests/cli/temp_folder.h"
#include "tools/aieml/array/array_file.h"

namespace tessera::array {
namespace {

namespace fs = std::filesystem;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Dump : public ::testing::Test {
 protected:
  // An array whose argument of two words, 7 and 8, is dumped.
  ArrayFile File(const std::string& dump, const std::string& more = "") const {
    return Parse(R"({"arguments": [{"bytes": 8, "ramp": 7, "dump": ")" + dump + "\"" + more + "}]}",
                 folder_ / "array.json");
  }
  void Run(const ArrayFile& file) const {
    Machine machine = Build(file);
    EXPECT_TRUE(Compare(file, machine).empty());
    EXPECT_EQ(WriteDumps(file, machine, 0), 0);
  }
  const TempFolder folder_;
  const std::string words_ = std::string("\7\0\0\0\10\0\0\0", 8);
};

TEST_F(Dump, GoesBesideTheArrayFileIntoAFolderThatIsMade) {
  Run(File("deep/a.bin"));
  EXPECT_EQ(Contents(folder_ / "deep/a.bin"), words_);
}

TEST_F(Dump, LeavesALinkAndReplacesWhatItLeadsTo) {
  fs::create_symlink("there", folder_ / "link");
  Run(File("link"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(Contents(folder_ / "there"), words_);
}

TEST_F(Dump, IsRefusedBeforeTheRunWhereItCannotBeWritten) {
  for (const std::string name : {"/dev/full", "/dev/null", "."}) {
    EXPECT_THROW(Build(File(name)), std::invalid_argument) << name;
  }
  EXPECT_THROW(Build(File("/proc/nowhere/a.bin")), OutputError);
  EXPECT_EQ(fs::exists(folder_ / "array.json"), false);
}

TEST_F(Dump, IsNoFileThatIsRead) {
  std::ofstream(folder_ / "in.bin") << "12345678";
  fs::create_hard_link(folder_ / "in.bin", folder_ / "same.bin");
  EXPECT_THROW(Build(File("same.bin", R"(, "file": "in.bin")")), std::invalid_argument);
  EXPECT_THROW(Build(File("same.bin", R"(, "expect": "in.bin")")), std::invalid_argument);
  EXPECT_THROW(Build(File("array.json")), std::invalid_argument);
  EXPECT_EQ(Contents(folder_ / "in.bin"), "12345678");
  FileNames names;
  names.Output("--binary", folder_ / "out.bin");
  EXPECT_THROW(Build(File("out.bin"), names), std::invalid_argument);
}

TEST_F(Dump, IsWholeAlthoughAWordDiffers) {
  std::ofstream(folder_ / "right.bin") << std::string("\6\0\0\0", 4);
  const ArrayFile file = File("a.bin", R"(, "expect": "right.bin")");
  Machine machine = Build(file);
  EXPECT_EQ(Compare(file, machine),
            std::vector<std::string>{"argument 0, word 0 is 0x7: right is 0x6"});
  EXPECT_EQ(WriteDumps(file, machine, 1), 1);
  EXPECT_EQ(Contents(folder_ / "a.bin"), words_);
}

TEST_F(Dump, ThatCannotBeWrittenLeavesTheVerdict) {
  const ArrayFile file = File("deep/a.bin");
  Machine machine = Build(file);
  fs::create_directory(folder_ / "deep");
  fs::create_directory(folder_ / "deep/a.bin");
  EXPECT_EQ(WriteDumps(file, machine, 1), 1);
}

TEST_F(Dump, ExpectedBytesAreReadBeforeTheRun) {
  EXPECT_THROW(Build(File("a.bin", R"(, "expect": "none")")), Error);
}

// Every byte of it is compared.
TEST_F(Dump, ExpectedBytesFitTheArgument) {
  for (const size_t bytes : {5, 7, 9, 12}) {
    std::ofstream(folder_ / "right.bin") << std::string(bytes, 'a');
    try {
      Build(File("a.bin", R"(, "expect": "right.bin")"));
      ADD_FAILURE() << bytes;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what())
                    .find(": right.bin has " + std::to_string(bytes) +
                          " bytes: legal are multiples of 4 up to 8"),
                std::string::npos)
          << error.what();
    }
  }
  std::ofstream(folder_ / "right.bin") << std::string("\7\0\0\0", 4);  // the first word alone
  Run(File("a.bin", R"(, "expect": "right.bin")"));
}

}  // namespace
}  // namespace tessera::array
