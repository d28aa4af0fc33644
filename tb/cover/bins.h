// Functional coverage: how often each bin of an item of the test plan (tests/plan/plan.json) was
// hit.
//
// A bin is named by the item's id and a few words. `plan.json` lists the bins that are planned;
// scripts/coverage tells which were not reached, and which were hit and are not planned.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace tessera {

class Bins {
 public:
  void Hit(std::string_view item, std::string bin) { ++hits_[std::string(item)][std::move(bin)]; }
  uint64_t hits(const std::string& item, const std::string& bin) const;
  // In the format of verilator_coverage, so that line, toggle and functional coverage are one
  // database.
  void Write(const std::filesystem::path& path) const;

  // The bins of this program, written into the folder $TESSERA_COVERAGE_DIR when it ends. nullptr
  // if that is not set: then nobody wants them. Coverage is a property of a whole program, which is
  // why this one object is reached from everywhere.
  static Bins* OfProgram();

 private:
  std::map<std::string, std::map<std::string, uint64_t>> hits_;
};

}  // namespace tessera
