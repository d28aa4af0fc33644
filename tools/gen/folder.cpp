// Written aside, then renamed; see folder.h.
#include "tools/gen/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

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

}  // namespace

void WriteFolder(const std::string& folder, const std::map<std::string, std::string>& files,
                 bool force) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();  // "DIR/"
  const fs::file_status status = fs::symlink_status(target, error);
  const bool there = fs::exists(status);
  if (there && !fs::is_directory(status)) {
    throw job::Error(
        fmt::format("-o is \"{}\", which is no folder: legal is a new or an empty folder", folder));
  }
  if (there && !fs::is_empty(target, error) && !force) {
    throw job::Error(
        fmt::format("-o is \"{}\", a folder that is not empty: legal is a new or an empty folder, "
                    "or --force to replace it",
                    folder));
  }
  if (there && fs::equivalent(target, fs::current_path(error), error)) {
    throw job::Error(fmt::format("-o is \"{}\", the working folder: legal is another one", folder));
  }
  fs::create_directories(target.parent_path(), error);
  if (error)
    throw job::Error(
        fmt::format("-o is \"{}\": its parent cannot be made: {}", folder, error.message()));
  const std::string tag = fmt::format(".{}.{}", target.filename().string(), ::getpid());
  Scratch fresh(target.parent_path() / (tag + ".new"));
  for (const auto& [name, text] : files) {
    const fs::path path = fresh.path() / name;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw job::Error(fmt::format("-o is \"{}\": cannot be written: {}", folder, error.message()));
    WriteOutput(path.string(), text);
  }
  Scratch old(target.parent_path() / (tag + ".old"));
  if (there) fs::rename(target, old.path());
  fs::rename(fresh.path(), target, error);
  if (error) {
    if (there) {
      fs::rename(old.path(), target);
      old.Keep();
    }
    throw std::runtime_error(
        fmt::format("{}: cannot be put in its place: {}", folder, error.message()));
  }
  fresh.Keep();
}

}  // namespace tessera::gen
