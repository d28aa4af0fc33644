// A Verilator model whose coverage counters outlive it.
//
// A test program makes thousands of models of one class, each with counters of its own.
// Covered<VModel> adds them up, and at the end of the program writes the sums into
// $TESSERA_COVERAGE_DIR (or the folder given), in the format of verilator_coverage. Only where
// models were built with --coverage.
//
// Registers start at random values, so in the first evaluation and in the first reset nearly every
// bit toggles by itself. What is counted up to the end of that reset goes into a file of its own,
// CONFIGURATION-reset-PROCESS.dat: its lines have run, its toggles say nothing. The rest is in
// CONFIGURATION-PROCESS.dat.
#pragma once

#include <fmt/format.h>
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

template <typename VModel>
class Covered : public VModel {
 public:
  Covered(VerilatedContext* context, const char* name) : VModel(context, name) {
    Sums(name);  // the first one names the file
    Forget();
  }
  ~Covered() override { AddTo(started_ ? &Sums("").counts : &Sums("").in_reset); }
  Covered(const Covered&) = delete;
  Covered& operator=(const Covered&) = delete;

  void eval() {
    VModel::eval();
    if (started_) return;
    AddTo(&Sums("").in_reset);
    Forget();
    started_ = !InReset();
  }

 private:
  using Counts = std::vector<uint32_t>;

  auto& Counters() { return this->rootp->vlSymsp->__Vcoverage; }
  void Forget() { std::fill(std::begin(Counters()), std::end(Counters()), 0); }
  void AddTo(Counts* sums) {
    sums->resize(std::size(Counters()));
    for (size_t n = 0; n < sums->size(); ++n) (*sums)[n] += Counters()[n];
  }
  bool InReset() {
    if constexpr (requires(VModel & model) { model.aresetn; }) {
      return this->aresetn == 0;
    } else if constexpr (requires(VModel & model) { model.rst_ni; }) {
      return this->rst_ni == 0;
    } else {
      return false;
    }
  }

  // Written at the end of the program by models made for the purpose, for the names of the counters
  // are known to a model alone.
  struct Store {
    explicit Store(std::string config) : name(std::move(config)) {}
    ~Store() {
      Write(name, counts);
      Write(name + "-reset", in_reset);
    }
    void Write(const std::string& file, const Counts& sums) const {
      VerilatedContext context;
      VModel model(&context, name.c_str());
      std::copy(sums.begin(), sums.end(), std::begin(model.rootp->vlSymsp->__Vcoverage));
      const auto folder = CoverageFolder(TESSERA_COVERAGE_DIR);
      context.coveragep()->write((folder / fmt::format("{}-{}.dat", file, getpid())).c_str());
    }
    std::string name;
    Counts counts, in_reset;
  };
  static Store& Sums(const char* name) {
    static Store store(name);
    return store;
  }

  bool started_ = false;  // the first reset is over
};

}  // namespace tessera
