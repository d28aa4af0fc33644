// What public programs for ADF say beside kernels and connections: class kernels, tables, negation,
// annotations of ports of graphs, directions and codes.
#include "tests/graph/fixture.h"

using adf::return_code;

extern const int32 graph_test_table[16];
const int32 graph_test_table[16] = {5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

namespace tessera::graph {
namespace {

#if !defined(__X86SIM__)
#error "main() of public programs stands behind __AIESIM__ or __X86SIM__"
#endif
static_assert(adf::ok == 0 && adf::return_code::unsupported == 5, "codes are numbers");
static_assert(std::is_same_v<adf::port<adf::direction::in>, adf::input_port>);
static_assert(std::is_same_v<adf::port<adf::output>, adf::output_port>);

}  // namespace

// Two graphs that nothing connects, in one that makes nothing itself; another one follows.
class Part : public adf::graph {
 public:
  adf::kernel k = adf::kernel::create(pass);
  adf::GMIO in{"", 64, 100}, out{"", 64, 100};
  Part() {
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};
class Whole : public adf::graph {
 public:
  Part parts[2];
};
Whole graph_test_whole;
Part graph_test_apart;

namespace {

using Names = GraphTest;
INSTANTIATE_TEST_SUITE_P(On, Names, Backends(), NameOf);

// A class as public libraries have it, with a table of its own.
template <int Step>
class Adder {
 public:
  explicit Adder(std::vector<int32> weights) : weights_(std::move(weights)) {}
  void filter(input_window<int32>* __restrict in, output_window<int32>* restrict out) {
    int32 chess_storage(DM_bankA) unused = 0;
    chess_protect_access const int32* restrict nothing = &unused;
    chess_separator_scheduler();
    for (unsigned n = *nothing; n < window_size(out); ++n)
      chess_prepare_for_pipelining chess_require_pipelining(2) chess_loop_range(8, ) {
        window_writeincr(out, window_readincr(in) + Step * weights_[n] + graph_test_table[n]);
      }
  }
  static void registerKernelClass() {
    REGISTER_FUNCTION(Adder<Step>::filter);
    REGISTER_PARAMETER(weights_);
  }

 private:
  std::vector<int32> weights_;
};

class Weighted : public adf::graph {
 public:
  adf::kernel k;
  adf::parameter table, scale;
  adf::PLIO in, out;
  explicit Weighted(const std::string& folder) : in(folder + "in"), out(folder + "out") {
    static int32 factor = 1;
    k = adf::kernel::create_object<Adder<100>>(std::vector<int32>(16, 2));
    table = adf::parameter::array(graph_test_table);
    scale = adf::parameter::scalar(factor);
    adf::connect<>(table, k);
    adf::connect net(scale, k);
    adf::headers(k) = {"adder.h", "table.h"};
    adf::location<adf::kernel>(k) = adf::tile(3, 3);
    adf::location<adf::parameter>(table) = adf::address(3, 3, 8192);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};

TEST_P(Names, ClassesOfKernelsAndTheirTables) {
  Ramp("in", 16);
  Weighted g(File(""));
  ASSERT_EQ(g.init(), adf::ok) << adf::last_error();
  const std::string text = adf::placement(g);
  for (const char* words :
       {"headers adder.h table.h", "graph_test_table: tile (3, 3), bank 1, bytes 8192 to 8255",
        "variable "}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  ASSERT_EQ(g.run(1), adf::ok);
  ASSERT_EQ(g.end(), adf::ok);
  EXPECT_EQ(Read("out").substr(0, 12), "205\n205\n205\n");

  adf::parameter nothing;
  EXPECT_THROW(adf::location<adf::parameter>(nothing), GraphError);
  EXPECT_THROW(adf::connect<>(nothing, g.k), GraphError);
}

TEST_P(Names, AGlobalGraphHasTheGraphsInsideIt) {
  ASSERT_EQ(graph_test_whole.init(), adf::ok);
  ASSERT_EQ(graph_test_whole.run(1), adf::ok);
  auto* memory = static_cast<int32*>(adf::GMIO::malloc(256));
  EXPECT_REFUSED(graph_test_apart.in.gm2aie(memory, 64), user_error, "in no graph that was init");
  for (Part& part : graph_test_whole.parts) {
    ASSERT_EQ(part.in.gm2aie_nb(memory, 64), adf::ok);
    ASSERT_EQ(part.out.aie2gm(memory + 32, 64), adf::ok);
  }
  ASSERT_EQ(graph_test_whole.wait(), adf::ok);
  ASSERT_EQ(graph_test_whole.end(), adf::ok);
  adf::GMIO::free(memory);
}

struct Nameless {
  void run(input_window<int32>* /*in*/) {}
  static void registerKernelClass() {}
};
struct Other : Nameless {
  static void registerKernelClass() { REGISTER_FUNCTION(Nameless::run); }
};
TEST(ClassKernels, MustNameAFunctionOfTheirOwn) {
  const auto sentence = [](auto&& create) -> std::string {
    try {
      create();
    } catch (const GraphError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence(adf::kernel::create_object<Nameless>).find("names no function; REGISTER_FUNC"),
            std::string::npos);
  EXPECT_NE(sentence(adf::kernel::create_object<Other>).find("names one of "), std::string::npos);
}

void select(input_window<int32>* in, output_window<int32>* out, int32 choice) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, window_readincr(in) * 10 + choice);
}
void list(input_window<int32>* in, output_window<int32>* out, const int32 (&values)[2]) {
  for (unsigned n = 0; n < 16; ++n) window_writeincr(out, window_readincr(in) + values[0]);
}
// A kernel behind a graph of its own, whose port says how the parameter is taken.
class Inner : public adf::graph {
 public:
  adf::kernel k;
  adf::input_port in, choice;
  adf::output_port out;
  Inner() {
    k = adf::kernel::create(select);
    adf::connect<adf::window<64>>(in, k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out);
    adf::connect<adf::parameter>(choice, k.in[1]);
  }
};
class Outer : public adf::graph {
 public:
  Inner inner;
  adf::input_port choice;
  adf::PLIO in, out;
  explicit Outer(const std::string& folder) : in(folder + "in"), out(folder + "out") {
    adf::connect<>(in.out[0], inner.in);
    adf::connect<>(inner.out, out.in[0]);
    adf::connect<adf::parameter>(choice, adf::negate(adf::async(inner.choice)));
  }
};
TEST_P(Names, PortsOfGraphsHandTheirAnnotationsOn) {
  Ramp("in", 64);
  Outer g(File(""));
  ASSERT_EQ(g.init(), adf::ok);
  ASSERT_EQ(g.update(g.choice, int32{0}), adf::ok);
  ASSERT_EQ(g.run(2), adf::ok);  // asynchronous: one value for both
  ASSERT_EQ(g.wait(), adf::ok);
  ASSERT_EQ(g.update(g.choice, int32{7}), adf::ok);
  ASSERT_EQ(g.update(g.choice, int32{256}), adf::ok);
  ASSERT_EQ(g.run(2), adf::ok);
  ASSERT_EQ(g.end(), adf::ok);
  const std::string out = Read("out");
  EXPECT_EQ(out.substr(0, 8), "1\n11\n21\n");
  EXPECT_EQ(out.substr(out.size() - 8), "620\n630\n");
}

class Negated : public adf::graph {
 public:
  adf::kernel k;
  adf::input_port values;
  adf::PLIO in, out;
  explicit Negated(const std::string& folder) : in(folder + "in"), out(folder + "out") {
    k = adf::kernel::create(list);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    adf::connect<adf::parameter>(values, adf::negate(k.in[1]));
  }
};
TEST_P(Names, OnlyOneIntegerIsNegated) {
  Ramp("in", 16);
  Negated g(File(""));
  EXPECT_REFUSED(g.init(), user_error, ".in[1]: it has 2 x 4 bytes; legal is one integer");
}

TEST_P(Names, PortsOfGraphsAreNoPortsOfKernels) {
  adf::input_port p;
  EXPECT_THROW(adf::single_buffer(p), GraphError);
  EXPECT_THROW(adf::dimensions(p), GraphError);
  EXPECT_THROW(adf::initial_value(p), GraphError);
  EXPECT_THROW(adf::read_access(p), GraphError);
  EXPECT_THROW(adf::write_access(p), GraphError);
  EXPECT_THROW(adf::location<adf::buffer>(p), GraphError);
}

}  // namespace
}  // namespace tessera::graph
