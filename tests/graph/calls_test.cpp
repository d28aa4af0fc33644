// Every call that controls a graph, used as it must not be: the code, and the sentence.
#include "tests/graph/fixture.h"

using adf::return_code;

namespace tessera::graph {
namespace {

using Calls = GraphTest;
INSTANTIATE_TEST_SUITE_P(On, Calls, Backends(), NameOf);

TEST_P(Calls, OutOfOrderAreUserErrors) {
  FileGraph g(Ramp("in", 64), File("out"));
  EXPECT_REFUSED(g.run(1), user_error, "run: the graph was not initialised; init() comes first");
  EXPECT_REFUSED(g.wait(), user_error, "run() comes first");
  EXPECT_REFUSED(g.end(), user_error, "init() comes first");
  EXPECT_REFUSED(g.resume(), user_error, "resume: the graph was not initialised");
  ASSERT_EQ(g.init(), return_code::ok);
  EXPECT_REFUSED(g.init(), user_error, "end() comes before another init()");
  EXPECT_REFUSED(g.run(0), user_error, "0 iterations; legal are 1 or more");
  EXPECT_REFUSED(g.run(-7), user_error, "-7 iterations");
  EXPECT_REFUSED(g.wait(100), user_error, "run() comes first");
  ASSERT_EQ(g.run(2), return_code::ok);
  EXPECT_REFUSED(g.run(1), user_error, "run: the graph runs; wait() comes before the next run");
  ASSERT_EQ(g.wait(1), return_code::ok);
  EXPECT_REFUSED(g.run(1), user_error, "is paused by wait(cycles); resume() or end()");
  EXPECT_REFUSED(g.wait(), user_error, "is paused by wait(cycles)");
  EXPECT_REFUSED(g.wait(5), user_error, "is paused by wait(cycles); resume() or end()");
  ASSERT_EQ(g.resume(), return_code::ok);
  EXPECT_REFUSED(g.resume(), user_error, "resume: the graph runs");
  ASSERT_EQ(g.wait(), return_code::ok);
  ASSERT_EQ(g.run(2), return_code::ok);
  ASSERT_EQ(g.end(), return_code::ok);
  EXPECT_REFUSED(g.run(1), user_error, "run: the graph has ended; init() comes first");
  EXPECT_REFUSED(g.end(), user_error, "end: the graph has ended; init() comes first");
}

TEST_P(Calls, AGraphCanBeInitialisedAgain) {
  for (int turn = 0; turn < 3; ++turn) {
    FileGraph g(Ramp("in", 32), File("out"));
    for (int time = 0; time < 2; ++time) {
      ASSERT_EQ(g.init(), return_code::ok);
      ASSERT_EQ(g.run(2), return_code::ok);
      ASSERT_EQ(g.end(), return_code::ok);
      EXPECT_EQ(Read("out"), Read("in"));
    }
  }
}

TEST_P(Calls, TwoGraphsShareADevice) {
  FileGraph a(Ramp("in", 64), File("a"));
  FileGraph b(Ramp("in", 64), File("b"));
  ASSERT_EQ(a.init(), return_code::ok);
  ASSERT_EQ(b.init(), return_code::ok);
  ASSERT_EQ(a.run(4), return_code::ok);
  ASSERT_EQ(b.run(2), return_code::ok);
  ASSERT_EQ(b.end(), return_code::ok);
  ASSERT_EQ(a.end(), return_code::ok);
  EXPECT_EQ(Read("a"), Read("in"));
  EXPECT_EQ(Read("b"), Read("in").substr(0, Read("b").size()));
  EXPECT_EQ(Read("b").substr(Read("b").size() - 4), "\n31\n");
}

TEST_P(Calls, APausedGraphDoesNotMove) {
  MemoryGraph g;
  auto* from = static_cast<int32*>(adf::GMIO::malloc(4096));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(4096));
  for (int n = 0; n < 1024; ++n) from[n] = n;
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(), return_code::ok);
  ASSERT_EQ(g.in.gm2aie_nb(from, 4096), return_code::ok);
  ASSERT_EQ(g.out.aie2gm_nb(to, 4096), return_code::ok);
  ASSERT_EQ(g.wait(1), return_code::ok);
  EXPECT_REFUSED(g.out.wait(), user_error, "0 of 1 transfers have ended");
  ASSERT_EQ(g.resume(), return_code::ok);
  ASSERT_EQ(g.out.wait(), return_code::ok);
  EXPECT_EQ(std::vector<int32>(to, to + 1024), std::vector<int32>(from, from + 1024));
  ASSERT_EQ(g.end(), return_code::ok);
}

TEST_P(Calls, AnEndWithALimitEndsAGraphThatStillWorks) {
  FileGraph g(Ramp("in", 6400), File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(), return_code::ok);
  ASSERT_EQ(g.end(50), return_code::ok);
  const std::string begin = Read("out");
  EXPECT_EQ(Read("in").substr(0, begin.size()), begin);
}

TEST_P(Calls, MissingInputNamesWhoWaits) {
  FileGraph g(Ramp("in", 24), File("out"));  // one block and a half
  adf::name(g.k) = "copier";
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(2), return_code::ok);
  EXPECT_REFUSED(g.wait(), user_error, "copier waits for a block of copier.in[0] from from");
  EXPECT_REFUSED(g.end(), user_error, "from.out[0] has nothing more to send");
  EXPECT_EQ(Read("out").substr(0, 4), "0\n1\n") << "what came is written all the same";
}

void cross(input_stream<int32>* a, input_stream<int32>* b, output_stream<int32>* out) {
  const int32 first = readincr(b);  // of the other kernel, which waits likewise
  writeincr(out, first + readincr(a));
}

class Circle : public adf::graph {
 public:
  adf::kernel one, two;
  adf::PLIO in, in2, out;
  Circle(const std::string& from, const std::string& from2, const std::string& to)
      : in("from", from), in2("from2", from2), out("to", to) {
    one = adf::kernel::create(cross);
    two = adf::kernel::create(cross);
    adf::name(one) = "one";
    adf::name(two) = "two";
    adf::connect<adf::stream>(in.out[0], one.in[0]);
    adf::connect<adf::stream>(in2.out[0], two.in[0]);
    adf::connect<adf::stream>(two.out[0], one.in[1]);
    adf::connect<adf::stream>(one.out[0], two.in[1]);
    adf::connect<adf::stream>(one.out[0], out.in[0]);
  }
};

TEST_P(Calls, ADeadlockNamesTheCycleOfWaiters) {
  Circle g(Ramp("in", 8), Ramp("in2", 8), File("out"));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(4), return_code::ok);
  EXPECT_REFUSED(g.wait(), user_error, "cycle of waiters: one -> two -> one");
  EXPECT_REFUSED(g.wait(), user_error, "one waits for data of one.in[1] from two");
  EXPECT_REFUSED(g.end(), user_error, "nothing moves any more");
}

class Parameters : public adf::graph {
 public:
  adf::kernel k;
  adf::input_port scalar, array;
  adf::inout_port back;
  adf::PLIO in, out;
  static void function(input_window<int32>* in, output_window<int32>* out, int16 scalar,
                       const int32 (&array)[3], int32& back) {
    for (unsigned n = 0; n < 16; ++n) {
      window_writeincr(out, window_readincr(in) + scalar + array[n % 3]);
    }
    ++back;
  }
  Parameters(const std::string& from, const std::string& to) : in("from", from), out("to", to) {
    k = adf::kernel::create(function);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    adf::connect<adf::parameter>(scalar, k.in[1]);
    adf::connect<adf::parameter>(array, adf::async(k.in[2]));
    adf::connect<adf::parameter>(k.inout[0], back);
  }
};

TEST_P(Calls, ParametersMustFitInTypeSizeAndDirection) {
  Parameters g(Ramp("in", 64), File("out"));
  const int32 three[3] = {1, 2, 3};
  EXPECT_REFUSED(g.update(g.scalar, int16{1}), user_error, "init() comes first");
  ASSERT_EQ(g.init(), return_code::ok);
  EXPECT_REFUSED(g.update(g.scalar, int32{1}), user_error, "1 elements of 2 bytes, 1 of 4");
  EXPECT_REFUSED(g.update(g.scalar, uint16{1}), user_error, "types must be equal");
  EXPECT_REFUSED(g.update(g.array, three, 2), user_error, "3 elements of 4 bytes, 2 of 4");
  EXPECT_REFUSED(g.update(g.k.in[0], int32{1}), user_error, "is no run-time parameter");
  int32 value = 0;
  EXPECT_REFUSED(g.read(g.scalar, value), user_error,
                 "read: the port is connected to no parameter");
  EXPECT_REFUSED(g.read(g.k.in[2], value), user_error, "is no inout parameter");
  int64 wide = 0;
  EXPECT_REFUSED(g.read(g.back, wide), user_error, "1 elements of 4 bytes, 1 of 8");
  ASSERT_EQ(g.update(g.scalar, int16{5}), return_code::ok);
  // The graph does not run, so that the first update stays.
  EXPECT_REFUSED(g.update(g.scalar, int16{6}), user_error, "nothing moves any more");
  ASSERT_EQ(g.update(g.array, three, 3), return_code::ok);
  ASSERT_EQ(g.run(2), return_code::ok);
  EXPECT_REFUSED(g.wait(), user_error, "waits for an update of");
  ASSERT_EQ(g.update(g.scalar, int16{6}), return_code::ok);
  ASSERT_EQ(g.wait(), return_code::ok);
  ASSERT_EQ(g.read(g.back, value), return_code::ok);
  EXPECT_EQ(value, 2);
  ASSERT_EQ(g.end(), return_code::ok);
}

// Kernels that do not wait: for a value, once a call, for nothing at all.
void until_there(input_stream<int32>* in, output_stream<int32>* out) {
  int32 value = 0;
  while (!readincr_nb(in, value)) {
  }
  writeincr(out, value);
}
void if_there(input_stream<int32>* in, output_stream<int32>* out) {
  int32 value = 0;
  if (readincr_nb(in, value)) writeincr(out, value);
}
void never(input_stream<int32>* /*in*/, output_stream<int32>* /*out*/) {}
class Polling : public adf::graph {
 public:
  adf::kernel k;
  adf::GMIO in{"from", 64, 1000}, out{"to", 64, 1000};
  explicit Polling(void (*function)(input_stream<int32>*, output_stream<int32>*)) {
    k = adf::kernel::create(function);
    adf::name(k) = "poller";
    adf::connect<adf::stream>(in.out[0], k.in[0]);
    adf::connect<adf::stream>(k.out[0], out.in[0]);
  }
};

TEST_P(Calls, TimePassesWhileAKernelPolls) {
  auto* from = static_cast<int32*>(adf::GMIO::malloc(64));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(64));
  for (const auto function : {until_there, if_there}) {
    for (int n = 0; n < 16; ++n) from[n] = n * n + 1;
    std::fill_n(to, 16, 0);
    Polling g(function);
    ASSERT_EQ(g.init(), return_code::ok);
    ASSERT_EQ(g.run(), return_code::ok);
    ASSERT_EQ(g.in.gm2aie_nb(from, 64), return_code::ok);
    ASSERT_EQ(g.out.aie2gm(to, 64), return_code::ok) << adf::last_error();
    EXPECT_EQ(std::vector<int32>(to, to + 16), std::vector<int32>(from, from + 16));
    EXPECT_REFUSED(g.out.aie2gm(to, 4), user_error, "poller waits for data of poller.in[0]");
    ASSERT_EQ(g.end(), return_code::ok);
  }
  for (const auto function : {until_there, never}) {
    Polling g(function);
    ASSERT_EQ(g.init(), return_code::ok);
    ASSERT_EQ(g.run(), return_code::ok);
    const uint64_t begin = TheEngine().cycle();
    ASSERT_EQ(g.wait(1000), return_code::ok);
    EXPECT_EQ(TheEngine().cycle() - begin, 1000u);
    ASSERT_EQ(g.end(), return_code::ok);
  }
  Polling counted(never);
  ASSERT_EQ(counted.init(), return_code::ok);
  ASSERT_EQ(counted.run(1000), return_code::ok);
  ASSERT_EQ(counted.wait(), return_code::ok);
  ASSERT_EQ(counted.end(), return_code::ok);
}

// Gives up where it waits, with an error of its own.
void translates(input_stream<int32>* in, output_stream<int32>* out) {
  try {
    writeincr(out, readincr(in));
  } catch (...) {
    throw std::runtime_error("the stream failed");
  }
}
TEST_P(Calls, AnErrorOfAKernelThatIsEndedIsDropped) {
  Polling g(translates);
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(), return_code::ok);
  ASSERT_EQ(g.wait(10), return_code::ok);
  EXPECT_EQ(g.end(), return_code::ok);
}

class Handing : public adf::graph {
 public:
  adf::kernel giver, taker;
  adf::GMIO in{"in", 64, 100}, out{"out", 64, 100}, in2{"in2", 64, 100}, out2{"out2", 64, 100};
  static void give(input_stream<int32>* in, output_stream<int32>* out, int32& value) {
    value = readincr(in);
    writeincr(out, value);
  }
  static void take(input_stream<int32>* in, output_stream<int32>* out, int32 value) {
    writeincr(out, readincr(in) * 0 + value);
  }
  explicit Handing(bool synchronous) {
    giver = adf::kernel::create(give);
    taker = adf::kernel::create(take);
    adf::connect<adf::stream>(in.out[0], giver.in[0]);
    adf::connect<adf::stream>(giver.out[0], out.in[0]);
    adf::connect<adf::stream>(in2.out[0], taker.in[0]);
    adf::connect<adf::stream>(taker.out[0], out2.in[0]);
    if (synchronous) {
      adf::connect<adf::parameter>(adf::sync(giver.inout[0]), adf::sync(taker.in[1]));
    } else {
      adf::connect<adf::parameter>(giver.inout[0], taker.in[1]);
    }
  }
};
TEST_P(Calls, EveryValueOfASynchronousParameterIsTaken) {
  auto* from = static_cast<int32*>(adf::GMIO::malloc(32));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(64));
  for (int n = 0; n < 8; ++n) from[n] = n + 1;
  for (const bool synchronous : {false, true}) {
    Handing g(synchronous);
    ASSERT_EQ(g.init(), return_code::ok);
    ASSERT_EQ(g.run(8), return_code::ok);
    for (adf::GMIO* source : {&g.in, &g.in2}) {
      ASSERT_EQ(source->gm2aie_nb(from, 32), return_code::ok);
    }
    ASSERT_EQ(g.out.aie2gm_nb(to + 8, 32), return_code::ok);
    ASSERT_EQ(g.out2.aie2gm(to, 32), return_code::ok);
    EXPECT_EQ(std::vector<int32>(to, to + 8), std::vector<int32>(from, from + 8));
    ASSERT_EQ(g.end(), return_code::ok);
  }
}

TEST_P(Calls, GmioRefusesWrongDirectionsAndForeignMemory) {
  MemoryGraph g;
  int32 foreign[16] = {};
  void* memory = adf::GMIO::malloc(256);
  EXPECT_REFUSED(g.in.gm2aie_nb(memory, 64), user_error, "in no graph that was initialised");
  EXPECT_REFUSED(g.in.wait(), user_error, "in no graph that was initialised");
  ASSERT_EQ(g.init(), return_code::ok);
  EXPECT_REFUSED(g.in.aie2gm_nb(memory, 64), user_error, "from is a source of the graph");
  EXPECT_REFUSED(g.out.gm2aie(memory, 64), user_error, "to is a sink of the graph");
  EXPECT_REFUSED(g.in.gm2aie(foreign, 64), user_error, "not within one block of GMIO::malloc");
  EXPECT_REFUSED(g.in.gm2aie_nb(memory, 257), user_error, "the 257 bytes at");
  EXPECT_REFUSED(g.in.gm2aie_nb(memory, 0), user_error, "0 bytes; legal are 1 to 2^32 - 1");
  EXPECT_REFUSED(g.in.pl_gm(memory, 64), user_error, "from is connected to kernels");
  adf::GMIO nothing;
  EXPECT_REFUSED(nothing.gm2aie_nb(memory, 64), user_error, "was not created");
  EXPECT_REFUSED(nothing.wait(), user_error, "was not created");
  EXPECT_REFUSED(nothing.pl_gm(memory, 64), user_error, "was not created");
  EXPECT_EQ(adf::GMIO::malloc(size_t{1} << 40), nullptr);
  EXPECT_NE(adf::last_error().find("no room for 1099511627776 bytes in the"), std::string::npos);
  EXPECT_EQ(adf::GMIO::malloc(~size_t{0}), nullptr);
  EXPECT_EQ(adf::GMIO::malloc(0), nullptr);
  EXPECT_NE(adf::last_error().find("legal is 1 and more"), std::string::npos);
  adf::GMIO logic("logic", 64, 100);
  EXPECT_EQ(logic.pl_gm(memory, 256), return_code::ok);
  EXPECT_REFUSED(logic.pl_gm(memory, 1024), user_error, "not within one block");
  adf::GMIO::free(foreign);
  EXPECT_NE(adf::last_error().find("this is no block of GMIO::malloc"), std::string::npos);
  ASSERT_EQ(g.end(), return_code::ok);
  adf::GMIO::free(memory);
}

TEST_P(Calls, ProfilingRunsOutOfHandles) {
  MemoryGraph g;
  namespace event = adf::event;
  EXPECT_EQ(event::start_profiling(g.in, event::io_stream_running_event_count),
            event::invalid_handle);
  ASSERT_EQ(g.init(), return_code::ok);
  EXPECT_EQ(event::start_profiling(g.in, event::io_stream_start_difference_cycles),
            event::invalid_handle);
  EXPECT_EQ(event::start_profiling(g.in, event::io_stream_start_to_bytes_transferred_cycles, 0),
            event::invalid_handle);
  EXPECT_EQ(event::start_profiling(g.in, g.in, event::io_stream_start_difference_cycles),
            event::invalid_handle);
  std::vector<event::handle> handles;
  for (int n = 0; n < 4; ++n) {
    handles.push_back(event::start_profiling(g.in, event::io_stream_running_event_count));
    EXPECT_NE(handles.back(), event::invalid_handle);
  }
  EXPECT_EQ(event::start_profiling(g.out, event::io_stream_running_event_count),
            event::invalid_handle);
  event::stop_profiling(handles[2]);
  EXPECT_EQ(event::read_profiling(handles[2]), -1);
  EXPECT_NE(event::start_profiling(g.out, event::io_stream_running_event_count),
            event::invalid_handle);
  EXPECT_EQ(event::read_profiling(event::invalid_handle), -1);
  EXPECT_EQ(event::start_profiling(adf::kernel(), event::kernel_between_pc_cycles),
            event::invalid_handle);
  ASSERT_EQ(g.end(), return_code::ok);
}

// What has passed before does not count, nor what passes after the answer.
TEST_P(Calls, ProfilingCountsFromItsStart) {
  namespace event = adf::event;
  MemoryGraph g;
  auto* from = static_cast<int32*>(adf::GMIO::malloc(4096));
  auto* to = static_cast<int32*>(adf::GMIO::malloc(4096));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(), return_code::ok);
  const auto move = [&](size_t bytes) {
    const uint64_t begin = TheEngine().cycle();
    EXPECT_EQ(g.in.gm2aie_nb(from, bytes), return_code::ok);
    EXPECT_EQ(g.out.aie2gm(to, bytes), return_code::ok);
    return static_cast<long long>(TheEngine().cycle() - begin);
  };
  const auto start = [&](int question) {
    const auto option = static_cast<event::io_profiling_option>(question);
    return question == 2 ? event::start_profiling(g.in, g.out, option)
                         : event::start_profiling(g.in, option, 128);
  };
  for (const int question : {1, 2}) {
    move(4096);
    const event::handle h = start(question);
    ASSERT_NE(h, event::invalid_handle);
    EXPECT_EQ(event::read_profiling(h), 0);
    const long long cycles = move(256);
    const long long value = event::read_profiling(h);
    EXPECT_GT(value, 0) << question;
    EXPECT_LE(value, cycles) << question;
    move(4096);
    EXPECT_EQ(event::read_profiling(h), value) << question;
    event::stop_profiling(h);
  }
  ASSERT_EQ(g.end(), return_code::ok);
  adf::GMIO::free(from);
  adf::GMIO::free(to);
}

// What was counted outlives the graph, and its counter is free again.
TEST_P(Calls, ProfilingOutlivesItsGraph) {
  namespace event = adf::event;
  std::vector<event::handle> handles;
  for (int turn = 0; turn < 6; ++turn) {
    MemoryGraph g;
    auto* from = static_cast<int32*>(adf::GMIO::malloc(256));
    auto* to = static_cast<int32*>(adf::GMIO::malloc(256));
    ASSERT_EQ(g.init(), return_code::ok);
    handles.push_back(event::start_profiling(g.in, event::io_stream_running_event_count));
    ASSERT_NE(handles.back(), event::invalid_handle) << turn << ": " << adf::last_error();
    ASSERT_EQ(g.run(4), return_code::ok);
    ASSERT_EQ(g.in.gm2aie_nb(from, 256), return_code::ok);
    ASSERT_EQ(g.out.aie2gm(to, 256), return_code::ok);
    ASSERT_EQ(g.end(), return_code::ok);
    adf::GMIO::free(from);
    adf::GMIO::free(to);
  }
  for (const event::handle h : handles) {
    EXPECT_EQ(event::read_profiling(h), 256 / 8);
    event::stop_profiling(h);
    EXPECT_EQ(event::read_profiling(h), -1);
    EXPECT_NE(adf::last_error().find("read_profiling: there is no handle"), std::string::npos);
  }
  event::stop_profiling(handles[0]);
  EXPECT_NE(adf::last_error().find("stop_profiling: there is no handle"), std::string::npos);
}

void thrower(input_window<int32>* /*in*/, output_window<int32>* /*out*/) {
  throw std::runtime_error("the kernel gives up");
}
class Throwing : public adf::graph {
 public:
  adf::kernel k;
  adf::GMIO in{"from", 64, 1000}, out{"to", 64, 1000};
  Throwing() {
    k = adf::kernel::create(thrower);
    adf::connect<adf::window<64>>(in.out[0], k.in[0]);
    adf::connect<adf::window<64>>(k.out[0], out.in[0]);
  }
};
TEST_P(Calls, AKernelThatThrowsIsAnInternalError) {
  Throwing g;
  auto* memory = static_cast<int32*>(adf::GMIO::malloc(256));
  ASSERT_EQ(g.init(), return_code::ok);
  ASSERT_EQ(g.run(1), return_code::ok);
  ASSERT_EQ(g.in.gm2aie_nb(memory, 64), return_code::ok);
  EXPECT_REFUSED(g.out.aie2gm(memory, 64), internal_error, "the kernel gives up");
  g.end();
  adf::GMIO::free(memory);
}

TEST_P(Calls, ProfilingAnswersEachQuestion) {
  namespace event = adf::event;
  for (const int question : {0, 1, 2, 3}) {
    MemoryGraph g;
    auto* from = static_cast<int32*>(adf::GMIO::malloc(1024));
    auto* to = static_cast<int32*>(adf::GMIO::malloc(1024));
    ASSERT_EQ(g.init(), return_code::ok);
    const auto option = static_cast<event::io_profiling_option>(question);
    const event::handle h = question == 2 ? event::start_profiling(g.in, g.out, option)
                                          : event::start_profiling(g.out, option, 1024);
    ASSERT_NE(h, event::invalid_handle);
    const event::handle kernel = event::start_profiling(g.k, event::kernel_between_pc_cycles);
    ASSERT_EQ(g.run(16), return_code::ok);
    ASSERT_EQ(g.in.gm2aie_nb(from, 1024), return_code::ok);
    ASSERT_EQ(g.out.aie2gm(to, 1024), return_code::ok);
    const long long value = event::read_profiling(h);
    EXPECT_GT(value, 0) << question;
    if (question == 3) {
      EXPECT_EQ(value, 1024 / 8);
    }
    EXPECT_GE(event::read_profiling(kernel), 0);
    event::stop_profiling(h);
    ASSERT_EQ(g.end(), return_code::ok);
    adf::GMIO::free(from);
    adf::GMIO::free(to);
  }
}

}  // namespace
}  // namespace tessera::graph
