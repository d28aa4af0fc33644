// Graphs that cannot be built: what init() says of connections, files, tilings and builds.
#include "tessera/dma.hpp"
#include "tests/graph/fixture.h"

using adf::return_code;

namespace tessera::graph {
namespace {

using Building = GraphTest;
INSTANTIATE_TEST_SUITE_P(On, Building, Backends(), NameOf);

void take_value(int32 /*value*/) {}
void give_wide(int64& value) { ++value; }
void to_cascade(input_stream<int32>* in, output_cascade<int32>* out) {
  writeincr(out, readincr(in));
}

// A graph that a function builds.
class Built : public adf::graph {
 public:
  adf::kernel a, b;
  adf::PLIO in, in2, out, out2;
  template <typename Build>
  Built(const std::string& folder, Build build)
      : in("in", folder + "in"),
        in2("in2", folder + "in"),
        out("out", folder + "out"),
        out2("out2", folder + "out2") {
    a = adf::kernel::create(pass);
    adf::name(a) = "a";
    build(*this);
  }
};

TEST_P(Building, ConnectionsAreChecked) {
  Ramp("in", 64);
  using adf::connect;
  using adf::stream;
  using adf::window;
  const auto expect = [&](const char* words, auto build) {
    Built g(File(""), build);
    EXPECT_REFUSED(g.init(), user_error, words);
  };
  expect("a.in[0] is not connected",
         [](Built& g) { connect<window<64>>(g.a.out[0], g.out.in[0]); });
  expect("a.out[0] is not connected: no net leads from there",
         [](Built& g) { connect<window<64>>(g.in.out[0], g.a.in[0]); });
  expect("a.in[0] has more than one source", [](Built& g) {
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.in2.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("a.in[0] is a window port, the connection says stream", [](Built& g) {
    connect<stream>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("a.in[0]: the size of its block is not known", [](Built& g) {
    connect<>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("a window of 64 bytes at a.in[0], which has 32 bytes", [](Built& g) {
    adf::dimensions(g.a.in[0]) = {8};
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("a block of 66 bytes is no whole number of elements of 4 bytes", [](Built& g) {
    connect<window<66>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("an overlap of 6 bytes", [](Built& g) {
    connect<stream, window<64, 6>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("is an input and cannot be a source", [](Built& g) {
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
    connect<window<64>>(g.a.in[0], g.out2.in[0]);
  });
  expect("9000 words; legal is 1 to 8190", [](Built& g) {
    connect<window<64>> net(g.in.out[0], g.a.in[0]);
    adf::fifo_depth(net) = 9000;
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("runtime<ratio> of a: 1.5; legal is 0 to 1", [](Built& g) {
    adf::runtime<adf::ratio>(g.a) = 1.5;
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("connect: ports of graphs are connected in a circle", [](Built& g) {
    static adf::input_port one, two;
    connect<window<64>>(g.in.out[0], one);
    connect<>(one, two);
    connect<>(two, one);
    connect<window<64>>(two, g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("repetition_count of a: 0; legal is 1 or more", [](Built& g) {
    adf::repetition_count(g.a) = 0;
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("a.out[0] is a window of 64 bytes in one connection and of 32 in another", [](Built& g) {
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
    connect<window<32>>(g.a.out[0], g.out2.in[0]);
  });
  expect("parameters connect with parameters alone", [](Built& g) {
    g.b = adf::kernel::create(take_value);
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<>(g.a.out[0], g.b.in[0]);
  });
  expect("has 1 elements of 8 bytes, ", [](Built& g) {
    g.b = adf::kernel::create(take_value);
    static adf::kernel wide;
    wide = adf::kernel::create(give_wide);
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
    connect<adf::parameter>(wide.inout[0], g.b.in[0]);
  });
  expect("must be a cascade at both ends", [](Built& g) {
    g.b = adf::kernel::create(to_cascade);
    connect<stream>(g.in2.out[0], g.b.in[0]);
    connect<>(g.b.out[0], g.out2.in[0]);
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("wide: a width of 33 bits; legal are 32, 64 and 128", [](Built& g) {
    g.in = adf::PLIO("wide", static_cast<adf::plio_type>(33), "in");
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("slow: a frequency of -1 MHz; legal is more than 0", [](Built& g) {
    g.in = adf::PLIO("slow", adf::plio_32_bits, "in", -1);
    connect<window<64>>(g.in.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out.in[0]);
  });
  expect("bypass of", [](Built& g) {
    g.b = adf::kernel::create(pass_stream);
    adf::bypass::create(g.b);
    connect<stream>(g.in.out[0], g.b.in[0]);
    connect<stream>(g.b.out[0], g.out.in[0]);
    connect<window<64>>(g.in2.out[0], g.a.in[0]);
    connect<window<64>>(g.a.out[0], g.out2.in[0]);
  });
}

class Empty : public adf::graph {};
TEST_P(Building, AnEmptyGraphIsRefused) {
  Empty g;
  EXPECT_REFUSED(g.init(), user_error, "the graph has no kernels and no connections");
}

TEST_P(Building, PortsThatDoNotExistThrow) {
  Ramp("in", 64);
  EXPECT_THROW(Built(File(""), [](Built& g) { adf::connect<>(g.in.out[0], g.a.in[1]); }),
               GraphError);
  adf::kernel nothing;
  EXPECT_THROW(adf::runtime<adf::ratio>(nothing), GraphError);
  EXPECT_THROW(adf::PLIO("name", adf::plio_32_bits, File("in"), 250.0, true, false), GraphError);
  Built g(File(""), [](Built&) {});
  EXPECT_THROW((adf::initial_value(g.a.in[0]) = 3), GraphError);
}

class Memory : public adf::graph {
 public:
  adf::kernel k;
  adf::GMIO in, out{"to", 64, 100};
  explicit Memory(size_t burst) : in("from", burst, 100) {
    k = adf::kernel::create(pass);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};
TEST_P(Building, BurstLengthsAreThoseOfGmio) {
  for (const size_t burst : {64, 128, 256}) {
    Memory g(burst);
    EXPECT_EQ(g.init(), return_code::ok);
    EXPECT_EQ(g.end(), return_code::ok);
  }
  Memory g(100);
  EXPECT_REFUSED(g.init(), user_error, "from: a burst length of 100 bytes; legal are 64, 128");
}

TEST_P(Building, FilesAreChecked) {
  const auto expect = [&](const std::string& text, const char* words) {
    FileGraph g(Write("in", text), File("out"));
    EXPECT_REFUSED(g.init(), user_error, words);
  };
  expect("1 2\n", "in:1: 2 numbers on the line; a port of 32 bits");
  expect("1\n\n2\nx\n", "in:4: 'x' is no signed number of 32 bits");
  expect("4294967296\n", "'4294967296' is no signed number of 32 bits");
  expect("1\nTLAST\n", "TLAST at the end has no line after it");
  FileGraph missing(File("none"), File("out"));
  EXPECT_REFUSED(missing.init(), user_error, "cannot read the file");
  FileGraph unwritable(Ramp("in", 16), File("none/out"));
  ASSERT_EQ(unwritable.init(), return_code::ok);
  ASSERT_EQ(unwritable.run(1), return_code::ok);
  EXPECT_REFUSED(unwritable.end(), user_error, "cannot write the file");
}

TEST_P(Building, NumbersOfFilesKeepTheirValues) {
  std::string text = "T 12 ns\n-1\n2147483647\n-2147483648\n0x10\nTLAST\n7\n";
  for (int n = 5; n < 16; ++n) text += "8\n";
  FileGraph good(Write("in", text), File("out"));
  ASSERT_EQ(good.init(), return_code::ok);
  ASSERT_EQ(good.run(1), return_code::ok);
  ASSERT_EQ(good.end(), return_code::ok);
  EXPECT_EQ(Read("out").substr(0, 32), "-1\n2147483647\n-2147483648\n16\n7\n8");
}

class Tiled : public adf::graph {
 public:
  adf::shared_buffer<int32> buffer;
  adf::PLIO in, out;
  Tiled(const std::string& folder, const adf::tiling_parameters& write,
        const adf::tiling_parameters& read)
      : in("in", folder + "in"), out("out", folder + "out") {
    buffer = adf::shared_buffer<int32>::create({8, 4}, 1, 1);
    adf::write_access(buffer.in[0]) = adf::tiling(write);
    adf::read_access(buffer.out[0]) = adf::tiling(read);
    adf::connect<adf::stream>(in.out[0], buffer.in[0]);
    adf::connect<adf::stream>(buffer.out[0], out.in[0]);
  }
};

TEST_P(Building, TilingsThatLeaveTheirBufferAreRefused) {
  Ramp("in", 32);
  const adf::tiling_parameters whole{{8, 4}, {8, 4}, {0, 0}};
  const auto expect = [&](const adf::tiling_parameters& write, const adf::tiling_parameters& read,
                          const char* words) {
    Tiled g(File(""), write, read);
    EXPECT_REFUSED(g.init(), user_error, words);
  };
  expect({{8, 4}, {4, 4}, {5, 0}}, whole, "dimension 0 reaches 8, legal is 0 to 7");
  expect({{8, 4}, {8, 1}, {0, 0}, {{1, 1, 5}}}, whole, "dimension 1 reaches 4");
  expect({{8, 4}, {8, 4}, {0, -1}}, whole, "dimension 1 reaches -1");
  expect({{8, 5}, {8, 4}, {0, 0}}, whole, "buffer_dimension has 40 elements, the buffer 32");
  expect(whole, {{8, 4}, {0, 4}, {0, 0}}, "read_access of");
  expect(whole, {{8, 4}, {8}, {0, 0}}, "read_access of");
  // Dimensions whose product does not fit into a number of 64 bits.
  constexpr uint32_t kHuge = 1u << 31;
  expect({{kHuge, kHuge, kHuge, kHuge}, {1, 1, 1, 1}, {0, 0, 0, 0}}, whole,
         "buffer_dimension has 281474976710656 elements, the buffer 32");
  expect(whole, {{8, 4}, {8, 4}, {0, 0}, {{0, 8, 1u << 31}, {1, 4, 1u << 31}}},
         "the access has more than 2^28 elements");
  Tiled headed(File(""), whole, {{8, 4}, {8, 4}, {0, 0}, {}, 3});
  EXPECT_REFUSED(headed.init(), unsupported, "packet_port_id 3; an access sends no packet headers");
  Tiled good(File(""), whole, {{8, 4}, {4, 4}, {-1, 0}});
  ASSERT_EQ(good.init(), return_code::ok) << "reads are padded";
  EXPECT_THROW(Tiled(File(""), whole, {{2, 2, 2, 2, 2}, {1, 1, 1, 1, 1}, {}}), GraphError);
  ASSERT_EQ(good.run(1), return_code::ok);
  ASSERT_EQ(good.end(), return_code::ok);
  EXPECT_EQ(Read("out"), "0\n0\n1\n2\n0\n8\n9\n10\n0\n16\n17\n18\n0\n24\n25\n26\n");
}

class StreamGraph : public adf::graph {
 public:
  adf::kernel k;
  adf::GMIO in{"from", 64, 1000}, out{"to", 64, 1000};
  StreamGraph() {
    k = adf::kernel::create(pass_stream);
    adf::connect<adf::stream>(in.out[0], k.in[0]);
    adf::connect<adf::stream>(k.out[0], out.in[0]);
  }
};

// A graph runs on whatever build has its channels: with windows, with 32 bits of address, with
// fewer descriptors than transfers.
TEST(Builds, EveryBuildWithItsChannelsRunsAGraph) {
  size_t ran = 0;
  for (const auto& build : sim::DmaBuilds()) {
    if (build.name == "started") continue;  // its start program has its channels
    Restart({.backend = build.name});
    {
      StreamGraph g;
      constexpr int kTransfers = 6, kWords = 256;
      const int all = kTransfers * kWords;
      auto* from = static_cast<int32*>(adf::GMIO::malloc(kTransfers * kWords * 4));
      auto* to = static_cast<int32*>(adf::GMIO::malloc(kTransfers * kWords * 4));
      for (int n = 0; n < all; ++n) from[n] = n * n;
      EXPECT_EQ(g.init(), return_code::ok) << build.name << ": " << adf::last_error();
      EXPECT_EQ(g.run(), return_code::ok);
      for (int n = 0; n < all; n += kWords) {
        EXPECT_EQ(g.in.gm2aie_nb(from + n, kWords * 4), return_code::ok);
        EXPECT_EQ(g.out.aie2gm_nb(to + n, kWords * 4), return_code::ok);
      }
      EXPECT_EQ(g.out.wait(), return_code::ok) << build.name << ": " << adf::last_error();
      EXPECT_EQ(std::vector<int32>(to, to + all), std::vector<int32>(from, from + all))
          << build.name;
      EXPECT_EQ(g.end(), return_code::ok) << build.name << ": " << adf::last_error();
      ++ran;
    }
    Restart({});
  }
  if (ran == 0) GTEST_SKIP() << "no build of tessera_dma is there";
  RecordProperty("cases", static_cast<int>(ran));
}

// What one descriptor of the build cannot do is refused before anything moves.
TEST_P(Building, TilingsThatNoDescriptorHasAreRefused) {
  Ramp("in", 32);
  // A step of 2^29 in a dimension with edges.
  Tiled g(File(""), {{8, 4}, {8, 4}, {0, 0}}, {{8, 4}, {8, 4}, {0, 0}, {{0, 1 << 29, 2}}});
  if (GetParam() == std::string("native")) {
    EXPECT_EQ(g.init(), return_code::ok) << adf::last_error();
    EXPECT_EQ(g.end(), return_code::ok);
    return;
  }
  EXPECT_REFUSED(g.init(), user_error, "read_access of");
  EXPECT_REFUSED(g.init(), user_error, "build graph: ");
}

TEST(Builds, TilingsThatNeedMoreThanTheBuildHasAreRefused) {
  const auto refusal = [](const driver::tiling_parameters& tiling, uint32_t features) {
    driver::Capabilities build;
    build.features &= ~features;
    try {
      CheckDescriptor(MakeAccess(tiling, 32, true, "access"), 0x1000, build, "here");
    } catch (const GraphError& error) {
      EXPECT_EQ(error.code, driver::Code::unsupported) << error.what();
      return std::string(error.what());
    }
    return std::string("none");
  };
  const driver::tiling_parameters deep{
      {2, 2, 2, 4}, {1, 2, 1, 2}, {0, 0, 0, 0}, {{0, 1, 2}, {2, 1, 2}, {3, 2, 2}}};
  const driver::tiling_parameters halo{{8, 4}, {4, 4}, {-1, 0}};
  const driver::tiling_parameters moving{{8, 4}, {4, 4}, {-1, 0}, {{0, 4, 2}}};
  const auto has = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  for (const auto& tiling : {deep, halo, moving}) EXPECT_EQ(refusal(tiling, 0), "none");
  has(refusal(deep, registers::global_block::CapFeatures::kWalkMask),
      "here: it does not fit into one descriptor");
  has(refusal(halo, registers::global_block::CapFeatures::kBoundsMask),
      "here: this build has no bounds");
  has(refusal(moving, registers::global_block::CapFeatures::kWalkMask),
      "here: this build has no traversal");
  EXPECT_EQ(refusal(deep, registers::global_block::CapFeatures::kBoundsMask), "none");
  EXPECT_EQ(refusal(halo, registers::global_block::CapFeatures::kWalkMask), "none");
}

class Outside : public adf::graph {
 public:
  adf::external_buffer<int32> buffer;
  adf::PLIO in, out;
  explicit Outside(const std::string& folder)
      : in("in", folder + "in"), out("out", folder + "out") {
    buffer = adf::external_buffer<int32>::create({8, 4}, 1, 1);
    adf::connect<adf::stream>(in.out[0], buffer.in[0]);
    adf::connect<adf::stream>(buffer.out[0], out.in[0]);
  }
};
TEST_P(Building, BuffersInMemoryNeedMemory) {
  Ramp("in", 32);
  Outside g(File(""));
  adf::external_buffer<int32> nothing;
  int32 foreign[32] = {};
  auto* small = static_cast<int32*>(adf::GMIO::malloc(64));
  EXPECT_REFUSED(nothing.setAddress(small), user_error, "the external_buffer was not created");
  ASSERT_EQ(g.init(), return_code::ok);
  EXPECT_REFUSED(g.run(1), user_error, "setAddress() must come before run()");
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_REFUSED(g.buffer.setAddress(foreign), user_error, "must be one block of GMIO::malloc");
  EXPECT_REFUSED(g.buffer.setAddress(small), user_error, "the buffer has 128 bytes");
  adf::num_buffers(g.buffer) = 3;
  EXPECT_REFUSED(g.init(), user_error, "num_buffers of");
  adf::GMIO::free(small);
}

class Kept : public adf::graph {
 public:
  adf::external_buffer<int32> buffer;
  adf::GMIO in{"in", 64, 100}, out{"out", 64, 100};
  Kept() {
    buffer = adf::external_buffer<int32>::create({16}, 1, 1);
    adf::connect<>(in.out[0], buffer.in[0]);
    adf::connect<>(buffer.out[0], out.in[0]);
  }
};
TEST_P(Building, ABufferInMemoryIsReadBeforeItsNextRound) {
  auto* memory = static_cast<int32*>(adf::GMIO::malloc(6 * 64));
  int32 *from = memory, *to = memory + 32, *one = memory + 64, *two = memory + 80;
  for (int n = 0; n < 32; ++n) from[n] = 100 + n;
  Kept g;
  ASSERT_EQ(g.init(), return_code::ok);
  for (int32* address : {one, two}) {  // each run takes the latest address
    std::fill_n(address, 16, 0);
    std::fill_n(to, 32, 0);
    ASSERT_EQ(g.buffer.setAddress(address), return_code::ok);
    ASSERT_EQ(g.run(2), return_code::ok);
    ASSERT_EQ(g.in.gm2aie(from, 128), return_code::ok);
    EXPECT_EQ(std::vector<int32>(address, address + 16), std::vector<int32>(from, from + 16));
    ASSERT_EQ(g.out.aie2gm(to, 128), return_code::ok);
    EXPECT_EQ(std::vector<int32>(to, to + 32), std::vector<int32>(from, from + 32));
    EXPECT_EQ(std::vector<int32>(address, address + 16), std::vector<int32>(from + 16, from + 32));
  }
  ASSERT_EQ(g.end(), return_code::ok);
}

class Locked : public adf::graph {
 public:
  std::vector<adf::shared_buffer<int32>> buffers;
  adf::PLIO in, out;
  explicit Locked(const std::string& folder, size_t count)
      : in("in", folder + "in"), out("out", folder + "out") {
    for (size_t n = 0; n < count; ++n) {
      buffers.push_back(adf::shared_buffer<int32>::create({32}, 1, 1));
      if (n != 0) adf::connect<adf::stream>(buffers[n - 1].out[0], buffers[n].in[0]);
    }
    adf::connect<adf::stream>(in.out[0], buffers.front().in[0]);
    adf::connect<adf::stream>(buffers.back().out[0], out.in[0]);
  }
};
TEST_P(Building, BuffersInARowMoveTheirData) {
  Ramp("in", 32);
  Locked g(File(""), 7);
  ASSERT_EQ(g.init(), return_code::ok) << adf::last_error();
  ASSERT_EQ(g.run(1), return_code::ok);
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_EQ(Read("out"), Read("in"));
}

class TiledWindow : public adf::graph {
 public:
  adf::kernel k;
  adf::PLIO in, out;
  TiledWindow(const std::string& folder, const adf::tiling_parameters& write,
              const adf::tiling_parameters& read)
      : in("in", folder + "in"), out("out", folder + "out") {
    k = adf::kernel::create(pass);
    adf::write_access(k.in[0]) = adf::tiling(write);
    adf::read_access(k.out[0]) = adf::tiling(read);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};

TEST_P(Building, WindowsAreFilledAndSentByTheirTilings) {
  Ramp("in", 16);
  const adf::tiling_parameters rows{{4, 4}, {4, 4}, {0, 0}};
  const adf::tiling_parameters columns{{4, 4}, {1, 4}, {0, 0}, {{0, 1, 4}}};
  TiledWindow transposed(File(""), columns, rows);
  ASSERT_EQ(transposed.init(), return_code::ok);
  ASSERT_EQ(transposed.run(1), return_code::ok);
  ASSERT_EQ(transposed.end(), return_code::ok);
  EXPECT_EQ(Read("out"), "0\n4\n8\n12\n1\n5\n9\n13\n2\n6\n10\n14\n3\n7\n11\n15\n");
  TiledWindow twice(File(""), columns, columns);
  ASSERT_EQ(twice.init(), return_code::ok);
  ASSERT_EQ(twice.run(1), return_code::ok);
  ASSERT_EQ(twice.end(), return_code::ok);
  EXPECT_EQ(Read("out"), Read("in"));
  TiledWindow large(File(""), {{4, 5}, {4, 4}, {0, 0}}, rows);
  EXPECT_REFUSED(large.init(), user_error, "buffer_dimension has 20 elements, the buffer 16");
  TiledWindow padded(File(""), rows, {{4, 4}, {4, 4}, {-1, 0}});
  EXPECT_REFUSED(padded.init(), user_error, "dimension 0 reaches -1");
}

class Wide : public adf::graph {
 public:
  adf::kernel k[9];
  std::vector<adf::GMIO> io;
  Wide() {
    for (auto& kernel : k) {
      kernel = adf::kernel::create(pass_stream);
      io.emplace_back("", 64, 100);
      adf::connect<adf::stream>(io.back().out[0], kernel.in[0]);
      io.emplace_back("", 64, 100);
      adf::connect<adf::stream>(kernel.out[0], io.back().in[0]);
    }
  }
};
TEST_P(Building, AGraphLargerThanTheBuildSaysWhatIsMissing) {
  Wide g;
  if (GetParam() == std::string("native")) {
    EXPECT_EQ(g.init(), return_code::ok);
    EXPECT_EQ(g.end(), return_code::ok);
    return;
  }
  EXPECT_REFUSED(g.init(), unsupported,
                 "needs one more read (memory to stream) channel than the 8 of build graph");
  MemoryGraph small;
  EXPECT_EQ(small.init(), return_code::ok) << "the channels were given back";
  EXPECT_EQ(small.end(), return_code::ok);
}

TEST(Builds, AnUnknownBuildNamesThoseThatAreThere) {
  Restart({.backend = "nonsense"});
  MemoryGraph g;
  EXPECT_REFUSED(g.init(), unsupported, "there is no build 'nonsense' of tessera_dma; there are:");
  EXPECT_EQ(adf::GMIO::malloc(64), nullptr);
  EXPECT_NE(adf::last_error().find("GMIO::malloc: there is no build 'nonsense'"),
            std::string::npos);
  int32 value = 0;
  adf::GMIO::free(&value);
  EXPECT_NE(adf::last_error().find("GMIO::free: there is no build"), std::string::npos);
  const auto pages = [] {
    size_t mapped = 0;
    std::ifstream("/proc/self/statm") >> mapped;
    return mapped;
  };
  const size_t before = pages();
  EXPECT_EQ(adf::GMIO::malloc(64), nullptr);
  EXPECT_LT(pages() - before, (Options().memory_bytes >> 12)) << "its memory is still mapped";
  Restart({.backend = "native", .trace = "run.fst"});
  EXPECT_REFUSED(g.init(), unsupported, "a native run has no RTL to trace");
  Restart({});
}

class Split : public adf::graph {
 public:
  adf::pktsplit<2> split;
  adf::kernel k[2];
  adf::PLIO in, out0, out1;
  explicit Split(const std::string& folder)
      : in("in", folder + "in"), out0("out0", folder + "out0"), out1("out1", folder + "out1") {
    split = adf::pktsplit<2>::create();
    adf::connect<adf::pktstream>(in.out[0], split.in[0]);
    for (int n = 0; n < 2; ++n) {
      k[n] = adf::kernel::create(pass);
      adf::connect<adf::pktstream, adf::window<64>>(split.out[n], k[n].in[0]);
      adf::connect<adf::window<64>>(k[n].out[0], (n == 0 ? out0 : out1).in[0]);
    }
  }
};
TEST_P(Building, APacketForNobodyNamesItsHeader) {
  Write("in", std::to_string(tessera_packet_header(0, 5)) + "\nTLAST\n1\n");
  Split g(File(""));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  EXPECT_REFUSED(g.wait(), user_error, "a packet with identifier 5");
  g.end();
}

void last_of_packet(input_pktstream* in, output_stream<int32>* out) {
  int32 value = 0;
  for (bool last = false; !last;) value = readincr(in, last);
  writeincr(out, value);
}
class Merge : public adf::graph {
 public:
  adf::pktmerge<2> merge;
  adf::kernel k[2], reader;
  adf::GMIO in0{"in0", 64, 100}, in1{"in1", 64, 100}, out{"out", 64, 100};
  Merge() {
    merge = adf::pktmerge<2>::create();
    for (int n = 0; n < 2; ++n) {
      k[n] = adf::kernel::create(pass);
      adf::connect<adf::window<28>>((n == 0 ? in0 : in1).out[0], k[n].in[0]);
      adf::connect<adf::window<28>, adf::pktstream>(k[n].out[0], merge.in[n]);
    }
    reader = adf::kernel::create(last_of_packet);
    adf::connect<adf::pktstream>(merge.out[0], reader.in[0]);
    adf::connect<adf::stream>(reader.out[0], out.in[0]);
  }
};
// The reader takes half of the packets, so that the merge is full.
TEST_P(Building, ADeadlockBehindAMergeIsFound) {
  constexpr int kRounds = 40;
  auto* from = static_cast<int32*>(adf::GMIO::malloc(kRounds * 28));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(kRounds * 4));
  Merge g;
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(kRounds), return_code::ok);
  ASSERT_EQ(g.in0.gm2aie_nb(from, kRounds * 28), return_code::ok);
  ASSERT_EQ(g.in1.gm2aie_nb(from, kRounds * 28), return_code::ok);
  ASSERT_EQ(g.out.aie2gm_nb(to, kRounds * 4), return_code::ok);
  EXPECT_REFUSED(g.wait(), user_error, "nothing moves any more");
  g.end();
}

// One byte takes longer than anything that moves may stand still.
class Slow : public adf::graph {
 public:
  adf::kernel k;
  adf::PLIO in, out;
  Slow(const std::string& from, const std::string& to)
      : in("from", adf::plio_32_bits, from, 0.06), out("to", adf::plio_32_bits, to) {
    k = adf::kernel::create(pass);
    adf::connect<adf::window<16>>(in.out[0], k.in[0]);
    adf::connect<adf::window<16>>(k.out[0], out.in[0]);
  }
};
TEST_P(Building, ASlowFileArrives) {
  Slow g(Ramp("in", 4), File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  EXPECT_EQ(g.wait(), return_code::ok) << adf::last_error();
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_EQ(Read("out"), Read("in"));
}

struct Matrix {
  int32 at[128];
};
void gather(input_stream<int32>* in, output_cascade<Matrix>* out) {
  Matrix matrix;
  for (int32& value : matrix.at) value = readincr(in);
  writeincr(out, matrix);
}
void scatter(input_cascade<Matrix>* in, output_stream<int32>* out) {
  const Matrix matrix = readincr(in);
  for (const int32 value : matrix.at) writeincr(out, value);
}
class Large : public adf::graph {
 public:
  adf::kernel first, second;
  adf::PLIO in, out;
  Large(const std::string& from, const std::string& to) : in("from", from), out("to", to) {
    first = adf::kernel::create(gather);
    second = adf::kernel::create(scatter);
    adf::connect<adf::stream>(in.out[0], first.in[0]);
    adf::connect<adf::cascade>(first.out[0], second.in[0]);
    adf::connect<adf::stream>(second.out[0], out.in[0]);
  }
};
TEST_P(Building, AnElementLargerThanAFifoPasses) {
  Large g(Ramp("in", 256), File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(2), return_code::ok);
  EXPECT_EQ(g.wait(), return_code::ok) << adf::last_error();
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_EQ(Read("out"), Read("in"));
}

TEST_P(Building, LoweringAndDrawingNameEveryConnection) {
  FileGraph g(Ramp("in", 16), File("out"));
  EXPECT_EQ(adf::lowering(g), "");
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  ASSERT_EQ(g.wait(), return_code::ok);
  const std::string text = adf::lowering(g);
  for (const char* words :
       {"from.out[0]: read channel 0", "write channel 0, window of 64 bytes x 2",
        "read channel 1, window of 64 bytes x 2", "to.in[0]: write channel 1"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  if (GetParam() == std::string("graph")) {
    EXPECT_NE(text.find("descriptors"), std::string::npos) << text;
  }
  const std::string svg = adf::drawing(g);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_NE(svg.find("2 x 64 bytes, read 0, write 0, FIFO 64"), std::string::npos) << svg;
  ASSERT_EQ(g.end(), return_code::ok);
}

}  // namespace
}  // namespace tessera::graph
