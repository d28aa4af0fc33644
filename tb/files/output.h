// The one writer of files that are made: whole, or not at all.
//
//   CheckOutput(path);                 // before the work: could it be written?
//   WriteOutput(path, text);           // or, for a library that writes by name:
//   OutputFile file(path);
//   Draw(file.temporary());
//   file.Commit();
//
// Bytes go into a temporary file beside the target, which is renamed when every write, flush and
// close has succeeded; else nothing is left. A missing folder is made. A symbolic link stays, and
// what it points to is replaced. A target that is neither a regular file nor a new name is refused:
// std::invalid_argument. What the system refuses is an OutputError. Both are one sentence, with the
// name and the cause.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

// A file that cannot be written. No std::runtime_error: it says nothing about what was measured.
class OutputError : public std::exception {
 public:
  explicit OutputError(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // nothing is left unless it was committed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view bytes);
  void Commit();
  const std::string& temporary() const { return temporary_; }
  const std::string& path() const { return path_; }

 private:
  struct Folder {
    std::string path;
    int slot;
  };
  [[noreturn]] void Fail(int error) const;
  void MakeFolder(const std::string& folder);
  void MakeTemporary(const std::string& folder);
  void Drop();

  std::string path_;             // as given
  std::string target_;           // where it leads
  std::string temporary_;        // empty once it is gone
  std::vector<Folder> folders_;  // that were made, outermost first
  unsigned mode_ = 0;            // of the file that is replaced; 0: there is none
  int fd_ = -1;
  int slot_ = -1;
  bool committed_ = false;
};

// Throws unless the file could be written now; leaves nothing.
void CheckOutput(const std::string& path);
void WriteOutput(const std::string& path, std::string_view bytes);

// Names of files that a command reads and writes. Adding one throws std::invalid_argument if it is
// the same file as an output, if an output is the same as one that was added before, or if no file
// can have its name. `what` is what a user calls it: "--csv", "memories[0].dump".
class FileNames {
 public:
  void Input(const std::string& what, const std::string& path);
  void Output(const std::string& what, const std::string& path);

 private:
  struct Entry {
    std::string what, path, identity;
    bool output;
  };
  void Add(const std::string& what, const std::string& path, bool output);
  std::vector<Entry> entries_;
};

}  // namespace tessera
