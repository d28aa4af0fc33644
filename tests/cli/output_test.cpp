// Files that the program makes: whole or not there, whatever fails, and never in place of something
// else.
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/faults.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class OutputTest : public RunTest {
 protected:
  // A job that leaves one file of every kind in `out/`.
  std::string Everything() {
    WriteFile(folder_ / "all.json", R"({
      "memories": [
        {"name": "a", "base": 4096, "size": 64, "data": {"pattern": "random"}, "dump": "a.bin"},
        {"name": "b", "base": 8192, "size": 64, "dump": {"file": "b.png", "width": 8}}],
      "channels": [
        {"direction": "read", "transfers": [{"base": "a", "count": [64], "stride": [1]}],
         "stream": {"capture": "deep/s.bin", "beats": "s.jsonl"}},
        {"direction": "write", "transfers": [{"base": "b", "count": [64], "stride": [1]}],
         "stream": {"channel": "read"}}],
      "report": "r.json", "wave": "w.fst"})");
    return "run " + (folder_ / "all.json") + " --out " + (folder_ / "out");
  }
};

const std::vector<std::string> kAll{"a.bin",  "b.png",   "deep",  "deep/s.bin",
                                    "r.json", "s.jsonl", "w.fst", "w.gtkw"};

TEST_F(OutputTest, TheFolderIsMadeAndNothingElseIsLeft) {
  Proves({"out.whole"});
  const Output output = Tessera(Everything());
  EXPECT_EQ(output.status, 0) << output.errors;
  EXPECT_EQ(Names(folder_ / "out"), kAll);
}

TEST_F(OutputTest, AFileThatIsReplacedKeepsItsRights) {
  Proves({"out.whole"});
  fs::create_directory(folder_ / "out");
  WriteFile(folder_ / "out/r.json", "old");
  ASSERT_EQ(chmod((folder_ / "out/r.json").c_str(), 0640), 0);
  EXPECT_EQ(Tessera(Everything()).status, 0);
  struct stat found {};
  ASSERT_EQ(stat((folder_ / "out/r.json").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777U, 0640U);
  EXPECT_GT(found.st_size, 100);
}

TEST_F(OutputTest, ALinkStaysAndWhatItLeadsToIsReplaced) {
  Proves({"out.targets"});
  fs::create_directory(folder_ / "out");
  fs::create_symlink("../there.json", folder_ / "out/r.json");
  EXPECT_EQ(Tessera(Everything()).status, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "out/r.json"));
  EXPECT_GT(fs::file_size(folder_ / "there.json"), 100u);
}

// Every option of every command that names an output, `@` for the name.
const std::vector<std::string> kOptions{"run JOB --wave @",
                                        "run JOB --report @",
                                        "show JOB --transfer 0 --svg @",
                                        "show JOB --transfer 0 --html @",
                                        "bench --filter read/copy-64/64/L20 --csv @",
                                        "bench --filter read/copy-64/64/L20 --wave @",
                                        "bench --filter read/copy-64/64/L20 --update --baseline @",
                                        "soak --config typical --cases 1 --save @",
                                        "seq SEQUENCE --binary @"};

std::string With(std::string option, const std::string& name) {
  const auto put = [&](const std::string& what, const std::string& by) {
    const size_t at = option.find(what);
    if (at != std::string::npos) option.replace(at, what.size(), by);
  };
  put("JOB", kJobs + "/copy.json");
  put("SEQUENCE", TESSERA_SOURCE_DIR "/examples/aieml/reorder.mlir");
  put("@", name);
  return option;
}

TEST_F(OutputTest, NoDeviceFifoOrFolderIsReplaced) {
  Proves({"out.targets"});
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder_ / "link");
  fs::create_symlink("loop", folder_ / "loop");
  fs::create_directory(folder_ / "folder");
  fs::create_symlink("/dev/null", folder_ / "null");
  const std::vector<std::string> before = Names(folder_.path());
  std::vector<std::string> options = kOptions;
  options.emplace_back("serve --port-file @");
  for (const std::string& option : options) {
    for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
             {"fifo", "is a FIFO"},
             {"link", "is a FIFO"},
             {"loop", "leads through too many symbolic links"},
             {"folder", "is a folder"},
             {"null", "is a device"}}) {
      const Output output = Tessera(With(option, folder_ / name));
      EXPECT_EQ(output.status, 2) << option << " " << name << output.out;
      const std::string known = option.substr(0, option.find(" @"));
      EXPECT_EQ(output.errors,
                fmt::format("{} is \"{}\": it {}, legal is a regular file or a new "
                            "name\n",
                            known.substr(known.rfind(' ') + 1), folder_ / name, kind));
      EXPECT_EQ(output.out, "");
    }
    EXPECT_EQ(Tessera(With(option, "/dev/full")).status, 2);
  }
  EXPECT_EQ(Names(folder_.path()), before);
}

TEST_F(OutputTest, EveryOptionMakesItsFolder) {
  Proves({"out.whole"});
  size_t number = 0;
  for (const std::string& option : kOptions) {
    const std::string name = folder_ / (std::to_string(number++) + "/deep/file");
    const Output output = Tessera(With(option, name));
    EXPECT_EQ(output.status, 0) << option << output.errors;
    EXPECT_GT(fs::file_size(name), 10u) << option;
  }
}

// A disk on which a file cannot grow: what is there stays as it was, the results are told, and the
// exit status is 3.
TEST_F(OutputTest, AFullDiskLeavesNoCutFile) {
  Proves({"out.faults"});
  for (const std::string& option : kOptions) {
    const std::string name = folder_ / "file";
    const std::string old =
        option.find("--baseline") != std::string::npos ? "figure,value\n" : "old";
    WriteFile(name, old);
    const Output output = Tessera(With(option, name), "ulimit -f 0;");
    // Standard output lies on that disk, too: it is the first that says so.
    EXPECT_EQ(output.status, 3) << option << output.out << output.errors;
    EXPECT_EQ(ReadText(name), old);
    EXPECT_EQ(Names(folder_.path()), std::vector<std::string>{"file"}) << option;
  }
}

TEST_F(OutputTest, ResultsComeBeforeWhatCouldNotBeWritten) {
  Proves({"out.verdict"});
  const Output output = Tessera(Everything(), "ulimit -f 8;");
  EXPECT_EQ(output.status, 3);
  EXPECT_NE(output.out.find("passed "), std::string::npos) << output.out;
  EXPECT_EQ(output.errors,
            (folder_ / "out/w.fst") + ": cannot be written: " + std::strerror(EFBIG) + "\n");
  std::vector<std::string> rest = kAll;
  std::erase(rest, "w.fst");
  std::erase(rest, "w.gtkw");
  EXPECT_EQ(Names(folder_ / "out"), rest);
}

TEST_F(OutputTest, TheVerdictOfAnArrayComesBeforeWhatCouldNotBeWritten) {
  Proves({"out.verdict"});
  const std::string sequence = TESSERA_SOURCE_DIR "/examples/aieml/reorder.mlir";
  const std::string text =
      R"({"arguments": [{"bytes": 1024, "ramp": 1, "dump": "first"},
                        {"bytes": 65536, "ramp": 9, "dump": "second"}, {"bytes": 4, "dump": "third"@}]})";
  for (const bool good : {true, false}) {
    std::string array = text;
    array.replace(array.find('@'), 1, good ? "" : R"(, "ramp": 5, "equals": {"argument": 0})");
    WriteFile(folder_ / "array.json", array);
    const Output output =
        Tessera("seq " + sequence + " --turns 2000 --binary b.bin --array array.json",
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

TEST_F(OutputTest, StandardOutputThatTakesNothingIsTold) {
  Proves({"out.stdout"});
  for (const std::string& arguments : std::vector<std::string>{
           "config list", "config show typical", "--help", "check " + kJobs + "/copy.json",
           "run " + kJobs + "/copy.json", "show " + kJobs + "/copy.json", "bench --list",
           "bench --filter read/copy-64/64/L20", "completion bash",
           "soak --config typical --cases 1"}) {
    const Output output = Tessera(arguments + " >/dev/full");
    EXPECT_EQ(output.status, 3) << arguments;
    EXPECT_EQ(output.errors,
              std::string("standard output: cannot be written: ") + std::strerror(ENOSPC) + "\n")
        << arguments;
  }
}

TEST_F(OutputTest, NoOutputIsAnInputOrAnotherOutput) {
  Proves({"out.names"});
  const std::string read =
      R"("channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}])";
  WriteFile(folder_ / "four", "1234");
  fs::create_hard_link(folder_ / "four", folder_ / "same");
  EXPECT_EQ(Refusal(R"({"report": "j.json", )" + read + "}"),
            "j.json: report is \"j.json\": it is the same file as the job, legal is a name of its "
            "own");
  EXPECT_EQ(Refusal(R"({"report": "x", "wave": "./x", )" + read + "}"),
            "j.json: wave is \"x\": it is the same file as report, legal is a name of its own");
  EXPECT_EQ(
      Refusal(R"({"report": "x.gtkw", "wave": "x.fst", )" + read + "}"),
      "j.json: the save file of wave is \"x.gtkw\": it is the same file as report, legal is a "
      "name of its own");
  EXPECT_EQ(
      Refusal(
          R"({"memories": [{"name": "a", "base": 0, "data": {"file": "four"}, "dump": "same"}], )" +
          read + "}"),
      "j.json: memories[0].dump is \"same\": it is the same file as memories[0].data.file, "
      "legal is a name of its own");
  // And what `run` refuses, `check` refuses.
  const Output output = Tessera("check j.json", "cd " + folder_.path() + ";");
  EXPECT_EQ(output.status, 2);
  fs::copy_file(TESSERA_SOURCE_DIR "/examples/aieml/reorder.mlir", folder_ / "s.mlir");
  ASSERT_EQ(Tessera("seq s.mlir --binary b.bin", "cd " + folder_.path() + ";").status, 0);
  WriteFile(folder_ / "binary.json", R"({"arguments": [{"bytes": 4, "dump": "b.bin"}]})");
  WriteFile(folder_ / "sequence.json", R"({"arguments": [{"bytes": 4, "dump": "s.mlir"}]})");
  for (const std::string& command : std::vector<std::string>{
           "show j.json --transfer 0 --svg j.json", "show --base 0 --count 4 --svg x --html x",
           "bench --filter read/copy-64/64/L20 --csv x --wave x",
           "bench --filter read/copy-64/64/L20 --csv four --baseline same",
           "soak --merge four --save same", "seq four --binary same",
           "bench --filter read/copy-64/64/L20 --plots p --csv p/read-64.svg",
           "seq s.mlir --array binary.json --binary b.bin", "seq s.mlir --array sequence.json",
           "txn b.bin --array binary.json", "serve --array binary.json --port-file b.bin"}) {
    const Output refused = Tessera(command, "cd " + folder_.path() + ";");
    EXPECT_EQ(refused.status, 2) << command;
    EXPECT_NE(refused.errors.find("it is the same file as"), std::string::npos) << refused.errors;
  }
}

// Those at both ends and, spread evenly, some between.
std::vector<size_t> Chosen(size_t calls) {
  std::vector<size_t> chosen;
  constexpr size_t kEnds = 8, kBetween = 8;
  const size_t step = calls / kBetween + 1;
  for (size_t n = 1; n <= calls; ++n) {
    if (n <= kEnds || n + kEnds > calls || n % step == 0) chosen.push_back(n);
  }
  return chosen;
}

std::vector<size_t> All(size_t calls) {
  std::vector<size_t> all(calls);
  std::iota(all.begin(), all.end(), size_t{1});
  return all;
}

// A command that makes files in `out`, and the names of all of them.
struct Making {
  std::string command;
  std::vector<std::string> files;
};

class FaultTest : public OutputTest {
 protected:
  void SetUp() override {
    OutputTest::SetUp();
#ifdef TESSERA_SANITIZED
    GTEST_SKIP() << "the sanitizers want to be loaded first";
#endif
  }
  std::string out() const { return folder_ / "out"; }
  std::vector<std::string> Left() const {
    return fs::exists(out()) ? Names(out()) : std::vector<std::string>();
  }
  // Nothing is left but whole files of these.
  void ExpectWhole(const Making& making, const std::string& what) const {
    for (const std::string& name : Left()) {
      const bool ours =
          std::find(making.files.begin(), making.files.end(), name) != making.files.end();
      EXPECT_TRUE(ours) << what << " " << name;
      EXPECT_TRUE(fs::is_directory(out() + "/" + name) || fs::file_size(out() + "/" + name) > 0)
          << what << " " << name;
    }
  }
  // Whatever fails, every file is the old one or the new one, nothing else is left, and the exit
  // status and a sentence say so. Returns the calls that failed.
  size_t Sweep(const Making& making, std::vector<size_t> (*choose)(size_t) = All) {
    const std::vector<std::string> calls = Calls(making.command, out(), folder_ / "log");
    EXPECT_EQ(Left(), making.files) << making.command;
    size_t failed = 0;
    for (const size_t n : choose(calls.size())) {
      const std::string what = fmt::format("{}: {} {}", making.command, n, calls[n - 1]);
      fs::remove_all(out());
      const Output output = Faulty(making.command, out(), n);
      ExpectWhole(making, what);
      if (output.status == 0) {  // closing what is only looked at says nothing about a file
        EXPECT_EQ(calls[n - 1], "close") << what;
        EXPECT_EQ(Left(), making.files) << what;
        continue;
      }
      ++failed;
      EXPECT_EQ(output.status, 3) << what << output.errors;
      EXPECT_NE(
          output.errors.find(": cannot be written: " + std::string(std::strerror(EIO)) + "\n"),
          std::string::npos)
          << what << output.errors;
    }
    fs::remove_all(out());
    return failed;
  }
};

TEST_F(FaultTest, EveryFileOperationOfARunMayFail) {
  Proves({"out.faults"});
  const std::vector<std::string> calls = Calls(Everything(), out(), folder_ / "log");
  const std::set<std::string> kinds(calls.begin(), calls.end());
  EXPECT_EQ(kinds, (std::set<std::string>{"create", "open", "write", "fopen", "fwrite", "fflush",
                                          "fclose", "fsync", "close", "rename", "mkdir"}));
  fs::remove_all(out());
  EXPECT_GT(Sweep({Everything(), kAll}), 40u);
}

// A waveform is written in thousands of pieces.
TEST_F(FaultTest, AnyPieceOfAWaveformMayFail) {
  Proves({"out.faults"});
  const std::string command = "run " + kJobs + "/copy.json --wave " + out() + "/w.fst";
  const std::string preload =
      fmt::format("export LD_PRELOAD={} FAULT_FOLDER={} ", TESSERA_FAULT_LIBRARY, out());
  const Output whole = Tessera(command, preload + "FAULT_FWRITES=" + (folder_ / "pieces") + ";");
  EXPECT_EQ(whole.status, 0) << whole.errors;
  EXPECT_EQ(Left(), (std::vector<std::string>{"w.fst", "w.gtkw"}));
  const size_t pieces = std::stoull(ReadText(folder_ / "pieces"));
  EXPECT_GT(pieces, 10u);
  for (const size_t piece : {size_t{1}, size_t{2}, pieces / 2, pieces - 1, pieces}) {
    fs::remove_all(out());
    const Output output = Tessera(command, preload + fmt::format("FAULT_FWRITE={};", piece));
    EXPECT_EQ(output.status, 3) << piece << " of " << pieces;
    EXPECT_EQ(output.errors, out() + "/w.fst: cannot be written: " + std::strerror(EIO) + "\n")
        << piece << " of " << pieces;
    EXPECT_EQ(Left(), std::vector<std::string>()) << piece << " of " << pieces;
  }
}

// The server ends when it is told to: what comes before is what may fail.
TEST_F(FaultTest, EveryFileOperationOfAPortFileMayFail) {
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

TEST_F(FaultTest, EveryFileOperationOfEveryOutputMayFail) {
  Proves({"out.faults"});
  std::vector<Making> makings;
  for (const std::string& option : kOptions) {
    Making& making = makings.emplace_back();
    making.command = With(option, out() + "/deep/file");
    making.files = {"deep", "deep/file"};
    if (option.starts_with("run JOB --wave")) making.files.emplace_back("deep/file.gtkw");
  }
  makings.push_back({"bench --filter read/copy-64/64/L20 --plots " + out(), {"read-64.svg"}});
  WriteFile(folder_ / "array.json",
            R"({"arguments": [{"bytes": 1024, "ramp": 1},
                              {"bytes": 1024, "equals": {"argument": 0}, "dump": "out/dump"}]})");
  makings.push_back(
      {With("seq SEQUENCE --array " + (folder_ / "array.json") + " --binary @", out() + "/binary"),
       {"binary", "dump"}});
  if (IsBuiltDma("basic")) {
    makings.push_back({"run " + kJobs + "/ping_pong.json --timeline t.svg --out " + out(),
                       {"ping_pong.report.json", "t.svg"}});
  }
  for (const Making& making : makings) EXPECT_GT(Sweep(making), 4u) << making.command;
}

std::string GenCommand(const std::string& folder) {
  return "gen " TESSERA_SOURCE_DIR "/examples/gen/pair.json --force -o " + folder;
}

// A folder is more than a thousand calls, the same few for each file: those at both ends, and some
// between, stand for the others.
TEST_F(FaultTest, FileOperationsOfAFolderMayFail) {
  Proves({"out.faults"});
  const std::string made = out() + "/deep/made";
  ASSERT_EQ(Tessera(GenCommand(made)).status, 0);
  const Making making{GenCommand(made), Left()};
  fs::remove_all(out());
  EXPECT_GT(Sweep(making, Chosen), 14u);
}

// A signal before such calls: the folder is the old one or the new one, and nothing
// else is left.
TEST_F(FaultTest, ASignalLeavesAFolderWhole) {
  Proves({"out.signals"});
  const std::string made = out() + "/deep/made";
  for (const bool replaced : {false, true}) {
    const auto prepare = [&] {
      fs::remove_all(out());
      if (!replaced) return;
      fs::create_directories(made);
      fs::copy_file(TESSERA_SOURCE_DIR "/examples/gen/pair.json", made + "/tile_pair.json");
    };
    prepare();
    const std::vector<std::string> before = Left();
    const std::vector<std::string> calls = Calls(GenCommand(made), out(), folder_ / "log");
    const std::vector<std::string> whole = Left();
    EXPECT_GT(whole.size(), before.size());
    size_t kept = 0;
    for (const size_t n : Chosen(calls.size())) {
      prepare();
      const Output output = Faulty(GenCommand(made), out(), n, SIGTERM);
      const std::vector<std::string> left = Left();
      EXPECT_TRUE(left == whole || left == before) << n << " " << calls[n - 1] << left.size();
      EXPECT_EQ(output.status, 128 + SIGTERM) << n << output.out << output.errors;
      if (left != before) continue;
      EXPECT_EQ(output.out, "interrupted: " + made + " is as it was\n");
      ++kept;
    }
    EXPECT_GT(kept, 12u);
  }
}

// Of a command that a signal ends at once.
TEST_F(FaultTest, ASignalLeavesNoCutFileAndNoFolder) {
  Proves({"out.signals"});
  const Making making{With("seq SEQUENCE --binary @", out() + "/deep/file"), {"deep", "deep/file"}};
  const std::vector<std::string> calls = Calls(making.command, out(), folder_ / "log");
  for (size_t n = 1; n <= calls.size(); ++n) {
    fs::remove_all(out());
    const Output output = Faulty(making.command, out(), n, SIGTERM);
    EXPECT_NE(output.status, 0) << n;
    const std::vector<std::string> left = Left();
    EXPECT_TRUE(left.empty() || left == making.files) << n << " " << calls[n - 1] << left.size();
    EXPECT_EQ(fs::exists(out()), !left.empty()) << n << " " << calls[n - 1];
  }
}

// Inputs are read once each; a fault of any call is a sentence, and nothing is written.
TEST_F(FaultTest, EveryFileOperationOfAnInputMayFail) {
  Proves({"in.files"});
  const std::string in = folder_ / "in";
  fs::create_directory(in);
  WriteFile(in + "/j.json", R"({
      "memories": [{"name": "a", "base": 0, "data": {"file": "data"}, "expect": {"file": "data"}},
                   {"name": "b", "base": 64, "data": {"image": "image.png"}}],
      "channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}],
                    "stream": {"expect": {"file": "data"}}}]})");
  WriteFile(in + "/data", "1234");
  ASSERT_EQ(Run(R"({"memories": [{"name": "a", "base": 0,
                    "data": {"pattern": "card", "width": 8, "height": 8},
                    "dump": {"file": "in/image.png", "width": 8}}],
                    "channels": [{"direction": "read",
                                  "transfers": [{"base": 0, "count": [4], "stride": [1]}]}]})")
                .status,
            0);
  const std::string examples = TESSERA_SOURCE_DIR "/examples/";
  fs::copy_file(examples + "aieml/reorder.mlir", in + "/s.mlir");
  fs::copy_file(examples + "gen/send.json", in + "/spec.json");
  fs::copy_file(examples + "gen/window.txt", in + "/window.txt");
  WriteFile(
      in + "/array.json",
      R"({"routes": [{"from": [0, 0, 0], "to": [[0, 1, 0]]}, {"from": [0, 1, 0], "to": [[0, 0, 0]]}],
                "locks": [{"tile": [0, 1], "lock": 0, "value": 1}],
                "arguments": [{"bytes": 1024, "file": "data"},
                              {"bytes": 1024, "equals": {"argument": 0}},
                              {"bytes": 4, "expect": "zeros"}]})");
  WriteFile(in + "/zeros", std::string(4, '\0'));
  ASSERT_EQ(Tessera("soak --config typical --cases 1 --save " + in + "/rows.json").status, 0);
  ASSERT_EQ(Tessera("seq " + in + "/s.mlir --binary " + in + "/b.bin").status, 0);
  for (std::string command :
       {"run @j.json", "show @j.json", "soak --merge @rows.json", "txn @b.bin --array @array.json",
        "seq @s.mlir --array @array.json", "gen --check @spec.json"}) {
    for (size_t at; (at = command.find('@')) != std::string::npos;) {
      command.replace(at, 1, in + "/");
    }
    const std::vector<std::string> calls = Calls(command, in, folder_ / "log");
    EXPECT_GE(calls.size(), 4u) << command;
    size_t failed = 0;
    for (size_t n = 1; n <= calls.size(); ++n) {
      const std::string what = fmt::format("{}: {} {}", command, n, calls[n - 1]);
      const Output output = Faulty(command, in, n);
      if (output.status == 0) {
        EXPECT_EQ(calls[n - 1], "close") << what;
        continue;
      }
      ++failed;
      EXPECT_EQ(output.status, 2) << what << output.errors;
      const std::string said = output.out + output.errors;
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << what << said;
      EXPECT_NE(said.find(std::string("cannot be read: ") + std::strerror(EIO)), std::string::npos)
          << what << said;
    }
    EXPECT_GE(failed, 3u) << command;
  }
}

// Runs a command, sends it a signal after so many milliseconds, and returns its exit status; that
// it was ended by a signal is a negative one.
int Interrupt(const std::string& arguments, const std::string& folder, int signal,
              int milliseconds = 1500) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string command = "cd " + folder + " && exec " TESSERA_PROGRAM " " + arguments +
                                " </dev/null >out.txt 2>errors.txt";
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// A sink that takes a beat now and then: days of simulation.
constexpr const char* kEndless =
    R"({"timeout": 1000000000, "report": "out/r.json", "wave": "out/w.fst",
    "channels": [{"direction": "read",
                  "transfers": [{"base": 0, "count": [1000000], "stride": [1]}],
                  "stream": {"pacer": "bursts=1/1000", "capture": "out/s.bin"}}]})";

TEST_F(OutputTest, ASignalEndsARunInOrder) {
  Proves({"out.signals"});
  WriteFile(folder_ / "j.json", kEndless);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(Interrupt("run j.json", folder_.path(), signal), 128 + signal);
    const std::string out = ReadText(folder_ / "out.txt");
    EXPECT_NE(out.find("interrupted after "), std::string::npos) << out;
    EXPECT_NE(out.find("read "), std::string::npos) << out;
    EXPECT_EQ(ReadText(folder_ / "errors.txt"), "");
    EXPECT_EQ(Names(folder_.path()), (std::vector<std::string>{"errors.txt", "j.json", "out.txt"}));
  }
}

// Whenever it comes: before the program has begun, while it reads, while it writes.
TEST_F(OutputTest, ASignalAtAnyTimeOfARunLeavesNothing) {
  Proves({"out.signals"});
  WriteFile(folder_ / "j.json", kEndless);
  fs::create_directory(folder_ / "told");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    bool in_order = false;
    for (const int milliseconds : {2, 10, 30, 60, 100, 200, 400, 800}) {
      const int status =
          Interrupt("run ../j.json --out ..", folder_ / "told", signal, milliseconds);
      EXPECT_TRUE(status == 128 + signal || status == -signal) << status << " " << milliseconds;
      if (status == 128 + signal) {
        in_order = true;
        EXPECT_NE(ReadText(folder_ / "told/out.txt").find("interrupted after "), std::string::npos);
        EXPECT_EQ(ReadText(folder_ / "told/errors.txt"), "");
      }
      EXPECT_FALSE(fs::exists(folder_ / "out")) << milliseconds;
      fs::remove_all(folder_ / "told");
      EXPECT_EQ(Names(folder_.path()), std::vector<std::string>{"j.json"}) << milliseconds;
      fs::create_directory(folder_ / "told");
    }
    EXPECT_TRUE(in_order) << signal;
  }
}

// A job that registers and descriptors run: while they are written, and long after.
TEST_F(OutputTest, ASignalEndsAProgramInOrder) {
  Proves({"out.signals"});
  if (!IsBuiltDma("basic")) GTEST_SKIP() << "the build basic of tessera_dma is not there";
  WriteFile(folder_ / "j.json", R"({"dma": "basic", "timeout": 1000000000, "report": "out/r.json",
    "wave": "out/w.fst", "timeline": "out/t.svg",
    "channels": [{"name": "in", "direction": "read",
                  "transfers": [{"base": 0, "count": [1000000], "stride": [1]}],
                  "stream": {"pacer": "bursts=1/1000", "capture": "out/s.bin"}}]})");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (const int milliseconds : {400, 1500}) {
      const int status = Interrupt("run j.json", folder_.path(), signal, milliseconds);
      EXPECT_TRUE(status == 128 + signal || (milliseconds < 1000 && status == -signal)) << status;
      const std::string out = ReadText(folder_ / "out.txt");
      EXPECT_EQ(out.find("interrupted after ") != std::string::npos, status == 128 + signal) << out;
      EXPECT_EQ(ReadText(folder_ / "errors.txt"), "");
      EXPECT_EQ(Names(folder_.path()),
                (std::vector<std::string>{"errors.txt", "j.json", "out.txt"}));
    }
  }
}

TEST_F(OutputTest, ASignalEndsABenchInOrder) {
  Proves({"out.signals"});
  EXPECT_EQ(Interrupt("bench --csv x.csv --plots p", folder_.path(), SIGINT), 128 + SIGINT);
  EXPECT_NE(ReadText(folder_ / "out.txt").find("interrupted"), std::string::npos);
  EXPECT_EQ(Names(folder_.path()), (std::vector<std::string>{"errors.txt", "out.txt"}));
}

// In the middle of a measurement that would go on for minutes.
TEST_F(OutputTest, ASignalEndsABenchSoon) {
  Proves({"out.signals"});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Interrupt("bench --speed --speed-seconds 200", folder_.path(), SIGTERM), 128 + SIGTERM);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_NE(ReadText(folder_ / "out.txt").find("interrupted"), std::string::npos);
}

TEST_F(OutputTest, ASignalEndsASoakInOrderAndItSaysHowToGoOn) {
  Proves({"out.signals"});
  EXPECT_EQ(Interrupt("soak --config typical --cases 100000 --seed 5 --shards 2 --save s.json",
                      folder_.path(), SIGTERM),
            128 + SIGTERM);
  const std::string out = ReadText(folder_ / "out.txt");
  const size_t on = out.find("go on: tessera soak --config typical --seed ");
  ASSERT_NE(on, std::string::npos) << out;
  unsigned long long seed = 0, cases = 0;
  int shards = 0;
  ASSERT_EQ(std::sscanf(out.c_str() + on,
                        "go on: tessera soak --config typical --seed %llu --cases %llu --shards %d",
                        &seed, &cases, &shards),
            3)
      << out;
  EXPECT_EQ(seed - 5 + cases, 100000u);
  EXPECT_EQ(shards, 2);
  EXPECT_GT(seed, 5u);
  EXPECT_EQ(out.find("died"), std::string::npos) << out;
  const Json row = Json::parse(ReadText(folder_ / "s.json")).at("rows")[0];
  EXPECT_GE(row.at("cases").get<uint64_t>(), seed - 5);
  EXPECT_EQ(row.at("failed"), 0);
}

}  // namespace
}  // namespace tessera
