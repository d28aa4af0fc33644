// Bins of functional coverage: counted, and written whole or not at all.
#include "tb/cover/bins.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "tests/cli/temp_folder.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

TEST(Bins, AreWrittenThroughALinkIntoAFolderThatIsMade) {
  const TempFolder folder;
  fs::create_directory(folder / "new");
  fs::create_symlink("../there", folder / "new/link");
  Bins bins;
  bins.Hit("item", "bin");
  bins.Hit("item", "bin");
  bins.Write(folder / "new/link");
  bins.Write(folder / "deep/er/bins.dat");
  EXPECT_TRUE(fs::is_symlink(folder / "new/link"));
  for (const char* name : {"there", "deep/er/bins.dat"}) {
    std::ifstream file(folder / name);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
              "# SystemC::Coverage-3\nC '\x01page\x02v_user/plan\x01o\x02"
              "bin\x01h\x02item' 2\n");
  }
}

TEST(Bins, ADeviceIsRefused) {
  const Bins bins;
  EXPECT_THROW(bins.Write("/dev/full"), std::invalid_argument);
}

// The folder of TESSERA_COVERAGE_DIR cannot be made: the program fails, whatever main() returned.
TEST(Bins, ThatCannotBeWrittenFailTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("TESSERA_COVERAGE_DIR", "/proc/nowhere", 1);
        Bins::OfProgram()->Hit("item", "bin");
        std::exit(0);
      },
      ::testing::ExitedWithCode(1), "/proc/nowhere/.*cannot be written");
}

}  // namespace
}  // namespace tessera
