// Written aside, then renamed; see folder.h.
#include "tools/gen/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tools/job/job.h"

namespace tessera::gen {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with its contents unless it is kept.
class Scratch {
 public:
  explicit Scratch(fs::path path) : path_(std::move(path)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  void Keep() { path_.clear(); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The folders above a path; those that were made go away again unless they are kept.
class Above {
 public:
  Above() = default;
  Above(const Above&) = delete;
  Above& operator=(const Above&) = delete;
  ~Above() {
    std::error_code ignored;
    for (; !made_.empty(); made_.pop_back()) fs::remove(made_.back(), ignored);
  }
  void Make(const fs::path& folder, std::error_code* error) {
    if (folder.has_relative_path() && !fs::exists(folder, *error)) {
      Make(folder.parent_path(), error);
      if (!*error && fs::create_directory(folder, *error)) made_.push_back(folder);
    } else if (!*error && !fs::is_directory(folder, *error) && !*error) {
      *error = std::make_error_code(std::errc::not_a_directory);
    }
  }
  void Keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;  // outermost first
};

// Throws unless the system did it.
void Need(const std::string& folder, const std::error_code& error) {
  if (error) throw OutputError(fmt::format("{}: cannot be written: {}", folder, error.message()));
}

// Refuses a folder with files that may not go.
void CheckReplaceable(const std::string& folder, const fs::path& target,
                      const Replaceable& replaceable) {
  if (fs::is_empty(target)) return;
  if (!replaceable) {
    throw job::Error(
        fmt::format("-o is \"{}\", a folder that is not empty: legal is a new or an empty folder, "
                    "or --force to replace one that gen wrote",
                    folder));
  }
  std::set<std::string> foreign;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(target)) {
    const std::string path = entry.path().lexically_relative(target).string();
    const bool folds = entry.is_directory() && !entry.is_symlink();
    if (!folds && !replaceable(path)) foreign.insert(path);
  }
  if (foreign.empty()) return;
  throw job::Error(
      fmt::format("-o is \"{}\": it holds {}, which gen did not write: legal is an empty folder or "
                  "one that gen wrote",
                  folder, *foreign.begin()));
}

}  // namespace

void WriteFolder(const std::string& folder, const std::map<std::string, std::string>& files,
                 const Replaceable& replaceable) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();  // "DIR/"
  const fs::file_status status = fs::symlink_status(target, error);
  const bool there = fs::exists(status);
  if (there && !fs::is_directory(status)) {
    throw job::Error(
        fmt::format("-o is \"{}\", which is no folder: legal is a new or an empty folder", folder));
  }
  if (there) CheckReplaceable(folder, target, replaceable);
  if (there && fs::equivalent(target, fs::current_path(error), error)) {
    throw job::Error(fmt::format("-o is \"{}\", the working folder: legal is another one", folder));
  }
  error.clear();
  Above above;
  above.Make(target.parent_path(), &error);
  Need(folder, error);
  const std::string tag = fmt::format(".{}.{}", target.filename().string(), ::getpid());
  Scratch fresh(target.parent_path() / (tag + ".new"));
  for (const auto& [name, text] : files) {
    const fs::path path = fresh.path() / name;
    fs::create_directories(path.parent_path(), error);
    Need(folder, error);
    WriteOutput(path.string(), text);
    if (Interrupted()) throw InterruptedRun();
  }
  Scratch old(target.parent_path() / (tag + ".old"));
  if (there) {
    fs::rename(target, old.path(), error);
    Need(folder, error);
  }
  fs::rename(fresh.path(), target, error);
  if (error && there) {
    std::error_code lost;
    fs::rename(old.path(), target, lost);
    old.Keep();
  }
  Need(folder, error);
  fresh.Keep();
  above.Keep();
}

}  // namespace tessera::gen
