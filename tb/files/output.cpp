// See output.h.
#include "tb/files/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "tb/files/interrupt.h"
#include "tb/files/kind.h"

namespace tessera {
namespace {

constexpr int kMostLinks = 40;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Where a name leads: through symbolic links, to a file that may not be there yet.
std::string Target(const std::string& path) {
  std::string target = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) return target;
    target = next.is_absolute() ? next.string() : FolderOf(target) + "/" + next.string();
  }
  throw std::invalid_argument("leads through too many symbolic links");
}

constexpr const char* kLegal = "legal is a regular file or a new name";

// Where an output goes. Throws std::invalid_argument, without its name, if no file can be there.
std::string OutputTarget(const std::string& path) {
  std::string target = Target(path);
  struct stat found {};
  if (stat(target.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    throw std::invalid_argument(std::string("is ") + KindOf(found.st_mode));
  }
  if (path.empty() || target.back() == '/') throw std::invalid_argument("is no name of a file");
  return target;
}

// One name for a file, however it is written. Equal for two names of one file.
std::string Identity(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) {
    return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
  }
  std::error_code error;
  std::filesystem::path whole = std::filesystem::absolute(path, error);
  try {
    whole = std::filesystem::absolute(Target(path), error);
  } catch (const std::invalid_argument&) {  // links that lead nowhere: nothing else is this file
  }
  if (!error) whole = std::filesystem::weakly_canonical(whole, error);
  return whole.lexically_normal().string();
}

bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  try {
    target_ = OutputTarget(path);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument((path.empty() ? "\"\"" : path) + ": " + error.what() + ": " +
                                kLegal);
  }
  struct stat found {};
  const bool there = stat(target_.c_str(), &found) == 0;
  if (there && access(target_.c_str(), W_OK) != 0) Fail(errno);
  try {
    MakeFolder(FolderOf(target_));
    MakeTemporary(FolderOf(target_));
    if (there) mode_ = found.st_mode & 07777U;
  } catch (...) {
    Drop();
    throw;
  }
}

OutputFile::~OutputFile() { Drop(); }

void OutputFile::Fail(int error) const {
  throw OutputError(path_ + ": cannot be written: " + std::strerror(error));
}

void OutputFile::MakeFolder(const std::string& folder) {
  struct stat found {};
  if (stat(folder.c_str(), &found) == 0) {
    if (!S_ISDIR(found.st_mode)) Fail(ENOTDIR);
    return;
  }
  if (errno != ENOENT) Fail(errno);
  const std::string trimmed = folder.substr(0, folder.find_last_not_of('/') + 1);
  MakeFolder(FolderOf(trimmed));
  const int slot = RemoveAtSignal(trimmed);
  if (mkdir(trimmed.c_str(), 0777) == 0) {
    folders_.push_back({trimmed, slot});
    return;
  }
  const int error = errno;
  KeepAtSignal(slot);
  if (error != EEXIST) Fail(error);
}

void OutputFile::MakeTemporary(const std::string& folder) {
  for (int n = 0; fd_ < 0; ++n) {
    temporary_ = folder + "/.tessera-" + std::to_string(getpid()) + "-" + std::to_string(n);
    slot_ = RemoveAtSignal(temporary_);
    fd_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ >= 0) return;
    const int error = errno;
    KeepAtSignal(slot_);
    slot_ = -1;
    temporary_.clear();
    if (error != EEXIST) Fail(error);
  }
}

void OutputFile::Write(std::string_view bytes) {
  if (!WriteAll(fd_, bytes)) Fail(errno);
}

void OutputFile::Commit() {
  // Another program may have written by name: what is flushed is the file that has the name now.
  const int named = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (named < 0) Fail(errno);
  const int moded = mode_ == 0 || fchmod(named, mode_) == 0 ? 0 : errno;
  const int flushed = fsync(named) == 0 || errno == EINVAL ? 0 : errno;
  const int named_closed = close(named) == 0 ? 0 : errno;
  const int closed = close(fd_) == 0 ? 0 : errno;
  fd_ = -1;
  for (const int error : {moded, flushed, named_closed, closed}) {
    if (error != 0) Fail(error);
  }
  if (rename(temporary_.c_str(), target_.c_str()) != 0) Fail(errno);
  committed_ = true;
  temporary_.clear();
  KeepAtSignal(slot_);
  slot_ = -1;
}

void OutputFile::Drop() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
  KeepAtSignal(slot_);
  slot_ = -1;
  for (; !folders_.empty(); folders_.pop_back()) {
    if (!committed_) rmdir(folders_.back().path.c_str());
    KeepAtSignal(folders_.back().slot);
  }
}

void CheckOutput(const std::string& path) { OutputFile file(path); }

void WriteOutput(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
}

void FileNames::Input(const std::string& what, const std::string& path) { Add(what, path, false); }

void FileNames::Output(const std::string& what, const std::string& path) {
  try {
    OutputTarget(path);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(what + " is \"" + path + "\": it " + error.what() + ", " + kLegal);
  }
  Add(what, path, true);
}

void FileNames::Add(const std::string& what, const std::string& path, bool output) {
  Entry entry{what, path, Identity(path), output};
  for (const Entry& other : entries_) {
    if (other.identity != entry.identity || !(output || other.output)) continue;
    throw std::invalid_argument(what + " is \"" + path + "\": it is the same file as " +
                                other.what + ", legal is a name of its own");
  }
  entries_.push_back(std::move(entry));
}

}  // namespace tessera
