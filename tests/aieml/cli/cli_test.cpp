// The commands of AI Engine-ML, as a user meets them: what holds for every command of the program,
// of these.
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/inputs.h"
#include "tests/cli/output_fixture.h"
#include "tools/aieml/rtl/rtl_dma.h"

namespace tessera {
namespace {

const std::string kExamples = TESSERA_SOURCE_DIR "/examples/aieml/";
const std::string kSequence = "seq " + kExamples + "reorder.mlir";
const std::string kWritten = kSequence + " --binary @";

class AiemlInput : public RunTest {};
class AiemlOutput : public OutputTest {};
class AiemlFault : public FaultTest {};

TEST_F(AiemlInput, TheCommandsAreThere) {
  Proves({"cli.arguments", "cli.help"});
  EXPECT_NE(Tessera("").errors.find(", txn, seq, serve (see "), std::string::npos);
  EXPECT_EQ(Tessera("serve --port 99999").errors,
            "tessera serve: --port is \"99999\": legal is 0 to 65535 (see tessera serve --help)\n");
  ExpectHelp({"txn", "seq", "serve"});
}

TEST_F(AiemlInput, OnlyRegularFilesAreRead) {
  Proves({"in.files"});
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  ExpectOnlyRegularFiles({"txn @", "seq @", "serve --array @"}, folder_);
}

TEST_F(AiemlInput, WrongWordsAreOneSentence) {
  Proves({"cli.wrong-input"});
  ExpectWrongWords(
      {
          "txn x --check --array a",
          "txn --registers x",
          "txn --registers --array a",
          "txn x --turns 3",
          "txn x --window 0",
          "txn x --trace",
          "txn x --rtl",
          "serve --rtl --dma basic",
      },
      folder_);
}

// The same verdict of the model and of the RTL; a program without an image of it says so.
TEST_F(AiemlInput, TheExamplesRunOnTheRtl) {
  Proves({"cli.wrong-input"});
  ASSERT_EQ(Tessera(kSequence + " --binary " + (folder_ / "b.bin")).status, 0);
  bool all = true;
  for (const auto kind :
       {aieml::TileKind::kShim, aieml::TileKind::kMemory, aieml::TileKind::kCompute}) {
    all = all && array::HasRtl(kind);
  }
  for (const std::string& command :
       {kSequence + " --array " + kExamples + "reorder.json",
        "txn " + (folder_ / "b.bin") + " --array " + kExamples + "reorder_binary.json"}) {
    const Output model = Tessera(command), rtl = Tessera(command + " --rtl");
    EXPECT_EQ(model.status, 0) << model.out << model.errors;
    EXPECT_EQ(rtl.status, all ? 0 : 2) << rtl.out << rtl.errors;
    EXPECT_EQ(rtl.errors.find("this program has no RTL of a ") != std::string::npos, !all);
  }
}

TEST_F(AiemlInput, NamesAreShownWithoutControlCharacters) {
  Proves({"in.shown"});
  const std::string odd = "a\x1b[31m\xff\n\xe2\x80\xae";
  const auto copy = [&](const std::string& from, const std::string& end) {
    fs::copy_file(kExamples + from, folder_ / (odd + end));
    return "'" + (folder_ / (odd + end)) + "'";
  };
  const std::string sequence = copy("reorder.mlir", ".mlir");
  const std::string array = copy("reorder.json", ".array");
  const std::string binary = "'" + (folder_ / (odd + ".bin")) + "'";
  ExpectShownPlain({{"seq " + sequence + " --check --binary " + binary, 0},
                    {"seq " + sequence + " --array " + array, 0},
                    {"txn " + binary + " --check", 0},
                    {"txn " + array + " --check", 2},
                    {"gen --check " + array, 2}});
}

TEST_F(AiemlOutput, NoDeviceFifoOrFolderIsReplaced) {
  Proves({"out.targets"});
  ExpectThatNothingSpecialIsReplaced({kWritten, "serve --port-file @"});
}

TEST_F(AiemlOutput, ItsFolderIsMade) {
  Proves({"out.whole"});
  ExpectThatFoldersAreMade({kWritten});
}

TEST_F(AiemlOutput, AFullDiskLeavesNoCutFile) {
  Proves({"out.faults"});
  ExpectNoCutFile({kWritten});
}

TEST_F(AiemlOutput, TheVerdictOfAnArrayComesBeforeWhatCouldNotBeWritten) {
  Proves({"out.verdict"});
  const std::string text =
      R"({"arguments": [{"bytes": 1024, "ramp": 1, "dump": "first"},
                        {"bytes": 65536, "ramp": 9, "dump": "second"}, {"bytes": 4, "dump": "third"@}]})";
  for (const bool good : {true, false}) {
    std::string array = text;
    array.replace(array.find('@'), 1, good ? "" : R"(, "ramp": 5, "equals": {"argument": 0})");
    WriteFile(folder_ / "array.json", array);
    const Output output = Tessera(kSequence + " --turns 2000 --binary b.bin --array array.json",
                                  "cd " + folder_.path() + "; ulimit -f 8;");
    EXPECT_EQ(output.status, good ? 3 : 1) << output.out << output.errors;
    EXPECT_NE(output.out.find(" operations, "), std::string::npos) << output.out;
    EXPECT_EQ(output.out.find("argument 2, word 0 is 0x5: right is 0x1\n") != std::string::npos,
              !good)
        << output.out;
    EXPECT_EQ(output.errors,
              std::string("second: cannot be written: ") + std::strerror(EFBIG) + "\n");
    EXPECT_EQ(Names(folder_.path()),
              (std::vector<std::string>{"array.json", "b.bin", "first", "third"}));
  }
}

TEST_F(AiemlOutput, NoOutputIsAnInputOrAnotherOutput) {
  Proves({"out.names"});
  WriteFile(folder_ / "four", "1234");
  fs::create_hard_link(folder_ / "four", folder_ / "same");
  fs::copy_file(kExamples + "reorder.mlir", folder_ / "s.mlir");
  ASSERT_EQ(Tessera("seq s.mlir --binary b.bin", "cd " + folder_.path() + ";").status, 0);
  WriteFile(folder_ / "binary.json", R"({"arguments": [{"bytes": 4, "dump": "b.bin"}]})");
  WriteFile(folder_ / "sequence.json", R"({"arguments": [{"bytes": 4, "dump": "s.mlir"}]})");
  ExpectOneFileForOneName({"seq four --binary same",
                           "seq s.mlir --array binary.json --binary b.bin",
                           "seq s.mlir --array sequence.json", "txn b.bin --array binary.json",
                           "serve --array binary.json --port-file b.bin"});
}

TEST_F(AiemlFault, EveryFileOperationOfEveryOutputMayFail) {
  Proves({"out.faults"});
  EXPECT_GT(Sweep(MakingOf(kWritten)), 4u);
  WriteFile(folder_ / "array.json",
            R"({"arguments": [{"bytes": 1024, "ramp": 1},
                              {"bytes": 1024, "equals": {"argument": 0}, "dump": "out/dump"}]})");
  EXPECT_GT(Sweep({With(kSequence + " --array " + (folder_ / "array.json") + " --binary @",
                        out() + "/binary"),
                   {"binary", "dump"}}),
            4u);
}

// The server ends when it is told to: what comes before is what may fail.
TEST_F(AiemlFault, EveryFileOperationOfAPortFileMayFail) {
  Proves({"out.faults"});
  const std::string command = "serve --port-file " + out() + "/deep/port";
  const std::string soon = "timeout --preserve-status -s INT 3";
  const std::vector<std::string> calls = Calls(command, out(), folder_ / "log", 0, soon);
  EXPECT_EQ(Left(), std::vector<std::string>{"deep"});
  size_t failed = 0;
  for (size_t n = 1; n <= calls.size(); ++n) {
    fs::remove_all(out());
    const Output output = Faulty(command, out(), n, 0, soon);
    const std::string what = fmt::format("{} {}", n, calls[n - 1]);
    EXPECT_TRUE(!fs::exists(out() + "/deep") || fs::is_empty(out() + "/deep")) << what;
    if (output.status == 0) {
      EXPECT_EQ(calls[n - 1], "close") << what;
      continue;
    }
    ++failed;
    EXPECT_EQ(output.status, 3) << what << output.errors;
    EXPECT_NE(output.errors.find(": cannot be written: " + std::string(std::strerror(EIO)) + "\n"),
              std::string::npos)
        << what << output.errors;
  }
  EXPECT_GT(failed, 4u);
}

TEST_F(AiemlFault, ASignalLeavesNoCutFileAndNoFolder) {
  Proves({"out.signals"});
  ExpectWholeAfterSignals(MakingOf(kWritten));
}

TEST_F(AiemlFault, EveryFileOperationOfAnInputMayFail) {
  Proves({"in.files"});
  const std::string in = folder_ / "in";
  fs::create_directory(in);
  WriteFile(in + "/data", "1234");
  fs::copy_file(kExamples + "reorder.mlir", in + "/s.mlir");
  WriteFile(
      in + "/array.json",
      R"({"routes": [{"from": [0, 0, 0], "to": [[0, 1, 0]]}, {"from": [0, 1, 0], "to": [[0, 0, 0]]}],
                "locks": [{"tile": [0, 1], "lock": 0, "value": 1}],
                "arguments": [{"bytes": 1024, "file": "data"},
                              {"bytes": 1024, "equals": {"argument": 0}},
                              {"bytes": 4, "expect": "zeros"}]})");
  WriteFile(in + "/zeros", std::string(4, '\0'));
  ASSERT_EQ(Tessera("seq " + in + "/s.mlir --binary " + in + "/b.bin").status, 0);
  ExpectReadFaultsTold({"txn @b.bin --array @array.json", "seq @s.mlir --array @array.json"});
}

}  // namespace
}  // namespace tessera
