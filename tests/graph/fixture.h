// What the tests of graphs share: a backend for each test, files in a folder of their own, and the
// sentence of a call that fails.
#pragma once

#include <adf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tessera::graph {

// What tests run on: the RTL too where the build has it.
inline auto Backends() {
#if TESSERA_GRAPH_ON_RTL
  return testing::Values("native", "graph");
#else
  return testing::Values("native");
#endif
}

class GraphTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("tessera_graph_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    Restart({.backend = GetParam()});
  }
  void TearDown() override {
    Restart({});
    std::filesystem::remove_all(folder_);
  }
  std::string File(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(File(name)) << text;
    return File(name);
  }
  std::string Ramp(const std::string& name, int numbers) const {
    std::string text;
    for (int n = 0; n < numbers; ++n) text += std::to_string(n) + "\n";
    return Write(name, text);
  }
  std::string Read(const std::string& name) const {
    std::ifstream in(File(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::filesystem::path folder_;
};
inline std::string NameOf(const testing::TestParamInfo<const char*>& info) { return info.param; }

// The call returns `code`, and the sentence has these words.
#define EXPECT_REFUSED(call, code, words)                       \
  do {                                                          \
    EXPECT_EQ(call, adf::return_code::code);                    \
    EXPECT_NE(adf::last_error().find(words), std::string::npos) \
        << "the sentence is: " << adf::last_error();            \
  } while (false)

}  // namespace tessera::graph

// Kernels.
inline void pass(input_window<int32>* in, output_window<int32>* out) {
  for (unsigned n = 0; n < window_size(out); ++n) window_writeincr(out, window_readincr(in));
}
inline void pass_stream(input_stream<int32>* in, output_stream<int32>* out) {
  writeincr(out, readincr(in));
}

// Files or memory at both ends of one kernel.
class FileGraph : public adf::graph {
 public:
  adf::kernel k;
  adf::PLIO in, out;
  FileGraph(const std::string& from, const std::string& to) : in("from", from), out("to", to) {
    k = adf::kernel::create(pass);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};
class MemoryGraph : public adf::graph {
 public:
  adf::kernel k;
  adf::GMIO in{"from", 64, 1000}, out{"to", 64, 1000};
  MemoryGraph() {
    k = adf::kernel::create(pass);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};
