// A Verilator model whose coverage counters outlive it.
//
// A test program makes thousands of models of one class, each with counters of its own.
// Covered<VModel, VSyms> hands them from one model to the next, and at the end of the program
// writes them into $TESSERA_COVERAGE_DIR (or the folder given) as CONFIGURATION-PROCESS.dat, in the
// format of verilator_coverage. Only where models were built with --coverage.
//
// Registers start at random values, so in the first evaluation and in the first reset nearly every
// bit toggles by itself: what is counted up to the end of that reset is forgotten.
#pragma once

#include <unistd.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

// Where this process puts its coverage; made if it does not exist.
inline std::filesystem::path CoverageFolder(const std::string& otherwise) {
  const char* wanted = std::getenv("TESSERA_COVERAGE_DIR");
  std::filesystem::path folder = wanted != nullptr ? wanted : otherwise;
  std::filesystem::create_directories(folder);
  return folder;
}

template <typename VModel, typename VSyms>
class Covered : public VModel {
 public:
  Covered(VerilatedContext* context, const char* name) : VModel(context, name) {
    Restore(Kept(name).counts, this->rootp->vlSymsp);
  }
  ~Covered() override {
    const auto& counters = this->rootp->vlSymsp->__Vcoverage;
    Kept("").counts.assign(std::begin(counters), std::end(counters));
  }
  Covered(const Covered&) = delete;
  Covered& operator=(const Covered&) = delete;

  void eval() {
    VModel::eval();
    if (started_) return;
    Restore(Kept("").counts, this->rootp->vlSymsp);
    started_ = !InReset();
  }

 private:
  bool InReset() {
    if constexpr (requires(VModel & model) { model.aresetn; }) {
      return this->aresetn == 0;
    } else if constexpr (requires(VModel & model) { model.rst_ni; }) {
      return this->rst_ni == 0;
    } else {
      return false;
    }
  }

  // No counts: of the first model.
  static void Restore(const std::vector<uint32_t>& counts, VSyms* symbols) {
    auto& counters = symbols->__Vcoverage;
    if (counts.empty()) {
      std::fill(std::begin(counters), std::end(counters), 0);
    } else {
      std::copy(counts.begin(), counts.end(), std::begin(counters));
    }
  }

  // What is left at the end of the program is written by a model made for the purpose, for the
  // names of the counters are known to a model alone.
  struct Store {
    explicit Store(std::string config) : name(std::move(config)) {}
    ~Store() {
      VerilatedContext context;
      VModel model(&context, name.c_str());
      Restore(counts, model.rootp->vlSymsp);
      const auto folder = CoverageFolder(TESSERA_COVERAGE_DIR);
      context.coveragep()->write(
          (folder / (name + "-" + std::to_string(getpid()) + ".dat")).c_str());
    }
    std::string name;
    std::vector<uint32_t> counts;
  };
  static Store& Kept(const char* name) {
    static Store store(name);
    return store;
  }

  bool started_ = false;  // the first reset is over
};

}  // namespace tessera
