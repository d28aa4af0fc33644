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
#include <string>
#include <thread>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/output_fixture.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

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
                                        "soak --config typical --cases 1 --save @"};

TEST_F(OutputTest, NoDeviceFifoOrFolderIsReplaced) {
  Proves({"out.targets"});
  ExpectThatNothingSpecialIsReplaced(kOptions);
}

TEST_F(OutputTest, EveryOptionMakesItsFolder) {
  Proves({"out.whole"});
  ExpectThatFoldersAreMade(kOptions);
}

// A disk on which a file cannot grow: what is there stays as it was, the results are told, and the
// exit status is 3.
TEST_F(OutputTest, AFullDiskLeavesNoCutFile) {
  Proves({"out.faults"});
  ExpectNoCutFile(kOptions);
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
  ExpectOneFileForOneName({"show j.json --transfer 0 --svg j.json",
                           "show --base 0 --count 4 --svg x --html x",
                           "bench --filter read/copy-64/64/L20 --csv x --wave x",
                           "bench --filter read/copy-64/64/L20 --csv four --baseline same",
                           "soak --merge four --save same",
                           "bench --filter read/copy-64/64/L20 --plots p --csv p/read-64.svg"});
}

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

TEST_F(FaultTest, EveryFileOperationOfEveryOutputMayFail) {
  Proves({"out.faults"});
  std::vector<Making> makings;
  for (const std::string& option : kOptions) {
    makings.push_back(MakingOf(option));
    if (option.starts_with("run JOB --wave")) makings.back().files.emplace_back("deep/file.gtkw");
  }
  makings.push_back({"bench --filter read/copy-64/64/L20 --plots " + out(), {"read-64.svg"}});
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
  ExpectWholeAfterSignals(MakingOf("show JOB --transfer 0 --svg @"));
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
  for (const char* name : {"copier.json", "copier.txt"})
    fs::copy_file(std::string(TESSERA_SOURCE_DIR "/examples/gen/") + name, in + "/" + name);
  ASSERT_EQ(Tessera("soak --config typical --cases 1 --save " + in + "/rows.json").status, 0);
  ExpectReadFaultsTold(
      {"run @j.json", "show @j.json", "soak --merge @rows.json", "gen --check @copier.json"});
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
