// What wait and end include: files of any size, external buffers, memory that is asked for; graphs
// beside others.
#include <cstring>
#include <numeric>

#include "tests/graph/fixture.h"

using adf::return_code;

namespace tessera::graph {
namespace {

using Ends = GraphTest;
INSTANTIATE_TEST_SUITE_P(On, Ends, Backends(), NameOf);

int filled = 0;
void fill(output_window<int32>* out) {
  for (int n = 0; n < 16; ++n) window_writeincr(out, ++filled);
}
void make(output_stream<int32>* out) { writeincr(out, ++filled); }
bool ended = false;
void take_four(input_stream<int32>* in) {
  for (int n = 0; n < 4; ++n) readincr(in, ended);
}
void take_packet(input_pktstream* in) {
  for (bool last = false; !last;) readincr(in, last);
}

int32* Memory(size_t words) {
  auto* memory = static_cast<int32*>(adf::GMIO::malloc(words * sizeof(int32)));
  std::memset(memory, 0, words * sizeof(int32));
  return memory;
}
// Words that count from `first`.
size_t Counting(const int32* memory, size_t words, int32 first) {
  size_t right = 0;
  for (size_t n = 0; n < words; ++n) right += memory[n] == first + static_cast<int32>(n);
  return right;
}

// A kernel that fills, and where its windows go.
struct Filled : adf::graph {
  adf::kernel k = adf::kernel::create(fill);
  adf::external_buffer<int32> to = adf::external_buffer<int32>::create({16}, 1, 0);
  Filled() { adf::connect<adf::window<64>>(k.out[0], to.in[0]); }
};
struct Copied : adf::graph {
  adf::external_buffer<int32> from = adf::external_buffer<int32>::create({32}, 0, 1);
  adf::external_buffer<int32> to = adf::external_buffer<int32>::create({32}, 1, 0);
  Copied() { adf::connect<>(from.out[0], to.in[0]); }
};

TEST_P(Ends, AFileHasAllThatWasSentToIt) {
  for (const bool waits : {false, true}) {
    FileGraph g(Ramp("in", 16 * 600), File("out"));  // 38,400 bytes
    ASSERT_EQ(g.init(), return_code::ok);
    ASSERT_EQ(g.run(600), return_code::ok);
    if (waits) {
      ASSERT_EQ(g.wait(), return_code::ok);
    }
    ASSERT_EQ(g.end(), return_code::ok);
    EXPECT_EQ(Read("out"), Read("in"));
  }
}

TEST_P(Ends, MergedPacketsReachTheirFile) {
  struct Merged : adf::graph {
    adf::kernel a = adf::kernel::create(fill), b = adf::kernel::create(fill);
    adf::pktmerge<2> merge = adf::pktmerge<2>::create();
    adf::PLIO out;
    explicit Merged(const std::string& file) : out("merged", file) {
      adf::connect<adf::window<64>, adf::pktstream>(a.out[0], merge.in[0]);
      adf::connect<adf::window<64>, adf::pktstream>(b.out[0], merge.in[1]);
      adf::connect<adf::pktstream>(merge.out[0], out.in[0]);
    }
  } g(File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  ASSERT_EQ(g.end(), return_code::ok);
  const std::string text = Read("out");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 * (1 + 16 + 1))
      << text;  // header, data, TLAST
}

TEST_P(Ends, AnEndWithALimitEndsAGraphThatMakesData) {
  struct Made : adf::graph {
    adf::kernel k = adf::kernel::create(make);
    adf::PLIO out;
    explicit Made(const std::string& file) : out("made", file) {
      adf::connect<adf::stream>(k.out[0], out.in[0]);
    }
  } g(File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(), return_code::ok);
  ASSERT_EQ(g.end(1000), return_code::ok);
  EXPECT_FALSE(Read("out").empty());
}

TEST_P(Ends, AWaitIncludesExternalBuffers) {
  Filled g;
  ASSERT_EQ(g.init(), return_code::ok);
  for (int turn = 0; turn < 3; ++turn) {
    int32* to = Memory(16);
    ASSERT_EQ(g.to.setAddress(to), return_code::ok);
    const int first = filled + 1;
    ASSERT_EQ(g.run(1), return_code::ok);
    ASSERT_EQ(g.wait(), return_code::ok);
    EXPECT_EQ(Counting(to, 16, first), 16u);
  }
  ASSERT_EQ(g.end(), return_code::ok);
}

TEST_P(Ends, AWaitOfBuffersEndsBesideAGraphThatRunsForEver) {
  int32 *from = Memory(32), *to = Memory(32), *other = Memory(16);
  std::iota(from, from + 32, 1);
  Copied copied;
  ASSERT_EQ(copied.init(), return_code::ok);
  ASSERT_EQ(copied.from.setAddress(from), return_code::ok);
  ASSERT_EQ(copied.to.setAddress(to), return_code::ok);
  Filled endless;
  ASSERT_EQ(endless.init(), return_code::ok);
  ASSERT_EQ(endless.to.setAddress(other), return_code::ok);
  ASSERT_EQ(endless.run(), return_code::ok);
  ASSERT_EQ(copied.run(1), return_code::ok);
  ASSERT_EQ(copied.wait(), return_code::ok);
  EXPECT_EQ(Counting(to, 32, 1), 32u);
  ASSERT_EQ(copied.end(), return_code::ok);
  ASSERT_EQ(endless.end(1000), return_code::ok);
}

TEST_P(Ends, BuffersThatRunForEverMayBeRunAgain) {
  struct Kept : adf::graph {
    adf::external_buffer<int32> buffer = adf::external_buffer<int32>::create({16}, 1, 1);
    adf::GMIO in{"in", 64, 100}, out{"out", 64, 100};
    Kept() {
      adf::connect<>(in.out[0], buffer.in[0]);
      adf::connect<>(buffer.out[0], out.in[0]);
    }
  } g;
  int32 *from = Memory(32), *to = Memory(32);
  std::iota(from, from + 32, 1);
  ASSERT_EQ(g.init(), return_code::ok);
  for (const int iterations : {-1, 2}) {
    ASSERT_EQ(g.buffer.setAddress(Memory(16)), return_code::ok);
    ASSERT_EQ(g.run(iterations), return_code::ok);
    ASSERT_EQ(g.in.gm2aie(from, 128), return_code::ok);
    ASSERT_EQ(g.out.aie2gm(to, 128), return_code::ok);
    EXPECT_EQ(Counting(to, 32, 1), 32u);
    std::memset(to, 0, 128);
  }
}

TEST_P(Ends, AnEndIncludesMemoryThatIsAskedFor) {
  MemoryGraph g;
  int32 *from = Memory(64), *to = Memory(64);
  std::iota(from, from + 64, 1);
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(4), return_code::ok);
  ASSERT_EQ(g.in.gm2aie_nb(from, 256), return_code::ok);
  ASSERT_EQ(g.out.aie2gm_nb(to, 256), return_code::ok);
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_EQ(Counting(to, 64, 1), 64u);
}

TEST_P(Ends, ATransferOfMemoryEndsWithTlast) {
  struct Taken : adf::graph {
    adf::kernel k = adf::kernel::create(take_four);
    adf::GMIO in{"in", 64, 100};
    Taken() { adf::connect<adf::stream>(in.out[0], k.in[0]); }
  } g;
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  ASSERT_EQ(g.in.gm2aie_nb(Memory(4), 16), return_code::ok);
  ASSERT_EQ(g.wait(), return_code::ok);
  EXPECT_TRUE(ended);
}

TEST_P(Ends, GraphsThatShareAnEdgeAreOne) {
  struct Part : adf::graph {
    adf::kernel k = adf::kernel::create(pass_stream);
    adf::input_port in;
    adf::output_port out;
    Part() {
      adf::connect<adf::stream>(in, k.in[0]);
      adf::connect<adf::stream>(k.out[0], out);
    }
  } a, b;
  adf::GMIO from("from", 64, 100), to_a("to_a", 64, 100), to_b("to_b", 64, 100);
  adf::connect<> joined[] = {
      {from.out[0], a.in}, {from.out[0], b.in}, {a.out, to_a.in[0]}, {b.out, to_b.in[0]}};
  ASSERT_EQ(a.init(), return_code::ok);
  EXPECT_REFUSED(b.init(), user_error, "belongs to a graph that has been initialised");
}

TEST_P(Ends, AnEdgeOutlivesItsGraph) {
  adf::GMIO from("from", 64, 100), to("to", 64, 100);
  struct Part : adf::graph {
    adf::kernel k = adf::kernel::create(pass_stream);
    Part(adf::GMIO& from, adf::GMIO& to) {
      adf::connect<adf::stream>(from.out[0], k.in[0]);
      adf::connect<adf::stream>(k.out[0], to.in[0]);
    }
  };
  int32 *data = Memory(4), *back = Memory(4);
  std::iota(data, data + 4, 1);
  for (int turn = 0; turn < 2; ++turn) {
    Part g(from, to);
    ASSERT_EQ(g.init(), return_code::ok);
    ASSERT_EQ(g.run(4), return_code::ok);
    ASSERT_EQ(from.gm2aie_nb(data, 16), return_code::ok);
    ASSERT_EQ(to.aie2gm(back, 16), return_code::ok);
    EXPECT_EQ(Counting(back, 4, 1), 4u);
    ASSERT_EQ(g.end(), return_code::ok);
  }
}

TEST_P(Ends, APacketGoesToWindowsOrToPackets) {
  struct Mixed : adf::graph {
    adf::kernel a = adf::kernel::create(take_packet), b = adf::kernel::create(pass);
    adf::pktsplit<1> split = adf::pktsplit<1>::create();
    adf::GMIO in{"in", 64, 100}, out{"out", 64, 100};
    Mixed() {
      adf::connect<adf::pktstream>(in.out[0], split.in[0]);
      adf::connect<adf::pktstream>(split.out[0], a.in[0]);
      adf::connect<adf::pktstream, adf::window<64>>(split.out[0], b.in[0]);
      adf::connect<adf::window<64>>(b.out[0], out.in[0]);
    }
  } g;
  EXPECT_REFUSED(g.init(), user_error, "out[0] goes to a window and to packets");
}

}  // namespace
}  // namespace tessera::graph
