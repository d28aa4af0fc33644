// The specification in a folder names every file of it; see folder.h.
#include <filesystem>
#include <regex>
#include <set>
#include <stdexcept>
#include <system_error>

#include "tools/gen/folder.h"
#include "tools/gen/writers.h"
#include "tools/job/job.h"

namespace tessera::gen {
namespace {

namespace fs = std::filesystem;

// Adds the files of a generated folder, if `folder` is one.
void AddFiles(const fs::path& folder, const std::string& below, std::set<std::string>* files) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json" || !entry.is_regular_file(error)) continue;
    try {
      for (const Spec& spec : ReadSpecs(entry.path().string())) {
        if (spec.name != entry.path().stem()) continue;
        for (const auto& [path, text] : WriteAll(Elaborate(spec))) files->insert(below + path);
      }
    } catch (const std::runtime_error&) {  // no specification
    }
  }
}

}  // namespace

Replaceable FilesOfEarlier(const std::string& folder) {
  std::set<std::string> files;
  AddFiles(folder, "", &files);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_directory(error)) continue;  // of several kernels
    AddFiles(entry.path(), entry.path().filename().string() + "/", &files);
  }
  return [files = std::move(files)](const std::string& path) {
    static const std::regex kBuilt(R"((.*/)?sim/(build(-trace)?(/.*|\.log)|[a-z0-9_]+\.vcd))");
    std::smatch match;
    if (files.contains(path)) return true;
    return std::regex_match(path, match, kBuilt) && files.contains(match[1].str() + "sim/Makefile");
  };
}

}  // namespace tessera::gen
