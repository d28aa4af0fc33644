// What tests of outputs and of faults of file operations share, for any command.
#pragma once

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/faults.h"
#include "tests/cli/run_fixture.h"

namespace tessera {

namespace fs = std::filesystem;

// An option of a command, `JOB` for a job file, `@` for the name of the output.
inline std::string With(std::string option, const std::string& name) {
  const auto put = [&](const std::string& what, const std::string& by) {
    const size_t at = option.find(what);
    if (at != std::string::npos) option.replace(at, what.size(), by);
  };
  put("JOB", kJobs + "/copy.json");
  put("@", name);
  return option;
}

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

  // Of options that name an output: what the name may not be, ...
  void ExpectThatNothingSpecialIsReplaced(const std::vector<std::string>& options) {
    ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    fs::create_symlink("fifo", folder_ / "link");
    fs::create_symlink("loop", folder_ / "loop");
    fs::create_directory(folder_ / "folder");
    fs::create_symlink("/dev/null", folder_ / "null");
    const std::vector<std::string> before = Names(folder_.path());
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
  // ... folders that are not there, ...
  void ExpectThatFoldersAreMade(const std::vector<std::string>& options) {
    size_t number = 0;
    for (const std::string& option : options) {
      const std::string name = folder_ / (std::to_string(number++) + "/deep/file");
      const Output output = Tessera(With(option, name));
      EXPECT_EQ(output.status, 0) << option << output.errors;
      EXPECT_GT(fs::file_size(name), 10u) << option;
    }
  }
  // ... and a disk on which a file cannot grow.
  void ExpectNoCutFile(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
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
  // Commands in the folder that name a file twice.
  void ExpectOneFileForOneName(const std::vector<std::string>& commands) {
    for (const std::string& command : commands) {
      const Output refused = Tessera(command, "cd " + folder_.path() + ";");
      EXPECT_EQ(refused.status, 2) << command;
      EXPECT_NE(refused.errors.find("it is the same file as"), std::string::npos) << refused.errors;
    }
  }
};

// Those at both ends and, spread evenly, some between.
inline std::vector<size_t> Chosen(size_t calls) {
  std::vector<size_t> chosen;
  constexpr size_t kEnds = 8, kBetween = 8;
  const size_t step = calls / kBetween + 1;
  for (size_t n = 1; n <= calls; ++n) {
    if (n <= kEnds || n + kEnds > calls || n % step == 0) chosen.push_back(n);
  }
  return chosen;
}

inline std::vector<size_t> All(size_t calls) {
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
  // The output of an option, in a folder that is not there.
  Making MakingOf(const std::string& option) const {
    return {With(option, out() + "/deep/file"), {"deep", "deep/file"}};
  }
  // Of a command that a signal ends at once.
  void ExpectWholeAfterSignals(const Making& making) {
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
  // Commands that read files in `in`, `@` for that folder: a fault of any call is a sentence.
  void ExpectReadFaultsTold(const std::vector<std::string>& commands) {
    const std::string in = folder_ / "in";
    for (std::string command : commands) {
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
        EXPECT_NE(said.find(std::string("cannot be read: ") + std::strerror(EIO)),
                  std::string::npos)
            << what << said;
      }
      EXPECT_GE(failed, 3u) << command;
    }
  }
};

}  // namespace tessera
