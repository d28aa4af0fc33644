// Host streams: segments, packets, time-outs, and every call used as it must not be.
#include <CL/cl_ext_xilinx.h>
#include <hls_stream.h>

#include <cstring>

#include "tests/graph/fixture.h"

namespace tessera::graph {
namespace {

using Word = qdma_axis<32, 0, 0, 0>;

void echo(hls::stream<Word>& in, hls::stream<Word>& out) { out.write(in.read()); }
void gaps(hls::stream<Word>& in, hls::stream<Word>& out) {
  Word word = in.read();
  word.set_keep(5);
  out.write(word);
}
TESSERA_STREAM_KERNEL(echo);
TESSERA_STREAM_KERNEL(gaps);

class HostStreams : public GraphTest {
 protected:
  void Open(const char* name) {
    cl_int err = 1;
    kernel_ = clCreateKernel(nullptr, name, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    ext_.param = kernel_;
    ext_.flags = 0;
    to_ = clCreateStream(nullptr, XCL_STREAM_READ_ONLY, CL_STREAM, &ext_, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    ext_.flags = 1;
    from_ = clCreateStream(nullptr, XCL_STREAM_WRITE_ONLY, CL_STREAM, &ext_, &err);
    ASSERT_EQ(err, CL_SUCCESS);
  }
  void Close() {
    EXPECT_EQ(clReleaseStream(to_), CL_SUCCESS);
    EXPECT_EQ(clReleaseStream(from_), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel_), CL_SUCCESS);
  }
  cl_int Send(size_t bytes, cl_stream_xfer_req_type flags) {
    cl_stream_xfer_req request = {flags, this, 0};
    cl_int err = 1;
    clWriteStream(to_, data_, bytes, &request, &err);
    return err;
  }
  cl_int Receive(size_t bytes, cl_int* err) {
    cl_stream_xfer_req request = {CL_STREAM_EOT, nullptr, 0};
    return clReadStream(from_, back_, bytes, &request, err);
  }
  static bool Says(const char* words) {
    return std::string(tessera_stream_error()).find(words) != std::string::npos;
  }

  cl_kernel kernel_ = nullptr;
  cl_stream to_ = nullptr, from_ = nullptr;
  cl_mem_ext_ptr_t ext_ = {};
  uint8_t data_[4096] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, back_[4096] = {};
};
INSTANTIATE_TEST_SUITE_P(On, HostStreams, Backends(), NameOf);

constexpr cl_stream_xfer_req_type kNow = CL_STREAM_NONBLOCKING;

TEST_P(HostStreams, EveryLengthComesBack) {
  Open("echo");
  for (const size_t bytes : {1u, 3u, 4u, 5u, 8u, 9u, 100u, 4095u}) {
    for (size_t n = 0; n < bytes; ++n) data_[n] = static_cast<uint8_t>(n * 7 + bytes);
    ASSERT_EQ(Send(bytes, CL_STREAM_EOT | kNow), CL_SUCCESS);
    cl_int err = 1;
    EXPECT_EQ(Receive(sizeof(back_), &err), static_cast<cl_int>(bytes));
    EXPECT_EQ(err, CL_SUCCESS);
    EXPECT_EQ(std::vector<uint8_t>(back_, back_ + bytes),
              std::vector<uint8_t>(data_, data_ + bytes));
    cl_streams_poll_req_completions done = {};
    cl_int actual = 0;
    EXPECT_EQ(clPollStreams(nullptr, &done, 1, 1, &actual, 100, &err), CL_SUCCESS);
    EXPECT_EQ(done.nbytes, bytes);
    EXPECT_EQ(done.priv_data, this);
  }
  Close();
}

TEST_P(HostStreams, ASegmentWithoutEndGoesOn) {
  Open("echo");
  ASSERT_EQ(Send(8, kNow), CL_SUCCESS);
  ASSERT_EQ(Send(4, kNow), CL_SUCCESS);
  ASSERT_EQ(Send(6, CL_STREAM_EOT | kNow), CL_SUCCESS);
  cl_int err = 1;
  EXPECT_EQ(Receive(100, &err), 18);
  cl_streams_poll_req_completions done[4] = {};
  cl_int actual = 0;
  EXPECT_EQ(clPollStreams(nullptr, done, 3, 4, &actual, 100, &err), CL_SUCCESS);
  EXPECT_EQ(actual, 3);
  Close();
}

TEST_P(HostStreams, AReadThatNothingEndsTimesOut) {
  Open("echo");
  cl_int err = 1;
  EXPECT_EQ(Receive(64, &err), 0);
  EXPECT_EQ(err, CL_STREAM_TIMEOUT);
  EXPECT_TRUE(Says("the transfer of 64 bytes has not ended, and nothing moves any more"));
  EXPECT_TRUE(Says("echo waits for data of echo argument 0 from the host"));
  cl_streams_poll_req_completions done = {};
  cl_int actual = 7;
  EXPECT_EQ(clPollStreams(nullptr, &done, 1, 1, &actual, 10, &err), CL_STREAM_TIMEOUT);
  EXPECT_EQ(actual, 0);
  Close();
}

// The memory of a call that has returned is the caller's: a read that timed out goes on in the
// next.
TEST_P(HostStreams, AReadThatTimedOutGoesOnInTheNext) {
  Open("echo");
  cl_int err = 1;
  EXPECT_EQ(Receive(64, &err), 0);
  EXPECT_EQ(err, CL_STREAM_TIMEOUT);
  std::ranges::fill(back_, uint8_t{0xee});
  ASSERT_EQ(Send(20, CL_STREAM_EOT), CL_SUCCESS);
  cl_streams_poll_req_completions done = {};
  cl_int actual = 7;
  EXPECT_EQ(clPollStreams(nullptr, &done, 1, 1, &actual, 10, &err), CL_STREAM_TIMEOUT);
  EXPECT_EQ(back_[0], 0xee);
  EXPECT_EQ(Receive(63, &err), 0);
  EXPECT_EQ(err, CL_INVALID_VALUE);
  EXPECT_TRUE(Says("63 bytes; a read of 64 that timed out goes on"));
  EXPECT_EQ(Receive(100, &err), 20);
  EXPECT_EQ(std::vector<uint8_t>(back_, back_ + 20), std::vector<uint8_t>(data_, data_ + 20));
  EXPECT_EQ(back_[20], 0xee);
  Close();
}

// A write that timed out arrives when the kernel takes it, and nobody is told.
TEST_P(HostStreams, AWriteThatTimedOutArrives) {
  Open("echo");
  ASSERT_EQ(Send(sizeof(data_), CL_STREAM_EOT), CL_STREAM_TIMEOUT) << "nobody reads";
  ASSERT_EQ(Send(8, CL_STREAM_EOT | kNow), CL_SUCCESS);
  cl_int err = 1;
  EXPECT_EQ(Receive(sizeof(back_), &err), static_cast<cl_int>(sizeof(data_)));
  EXPECT_EQ(std::vector<uint8_t>(back_, back_ + sizeof(back_)),
            std::vector<uint8_t>(data_, data_ + sizeof(data_)));
  EXPECT_EQ(Receive(sizeof(back_), &err), 8);
  cl_streams_poll_req_completions done[2] = {};
  cl_int actual = 7;
  EXPECT_EQ(clPollStreams(nullptr, done, 1, 2, &actual, 10, &err), CL_SUCCESS);
  EXPECT_EQ(actual, 1);
  EXPECT_EQ(done[0].nbytes, 8u);
  Close();
}

// The same after an error of another kernel.
TEST_P(HostStreams, AReadThatAnErrorEndedGoesOnInTheNext) {
  Open("gaps");
  cl_kernel kernel = kernel_;
  cl_stream to = to_, from = from_;
  ASSERT_EQ(Send(4, CL_STREAM_EOT | kNow), CL_SUCCESS);
  Open("echo");
  cl_int err = 1;
  EXPECT_EQ(Receive(64, &err), 0);
  EXPECT_EQ(err, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(Says("gaps argument 1: keep 0x5"));
  std::ranges::fill(back_, uint8_t{0xee});
  ASSERT_EQ(Send(20, CL_STREAM_EOT), CL_SUCCESS);
  cl_streams_poll_req_completions done[3] = {};
  cl_int actual = 7;
  EXPECT_EQ(clPollStreams(nullptr, done, 3, 3, &actual, 10, &err), CL_STREAM_TIMEOUT);
  EXPECT_EQ(actual, 1) << "of the write to gaps";
  EXPECT_EQ(back_[0], 0xee);
  EXPECT_EQ(Receive(64, &err), 20);
  EXPECT_EQ(std::vector<uint8_t>(back_, back_ + 20), std::vector<uint8_t>(data_, data_ + 20));
  Close();
  EXPECT_EQ(clReleaseStream(to), CL_SUCCESS);
  EXPECT_EQ(clReleaseStream(from), CL_SUCCESS);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
}

// Many reads have ended before the first is asked for: each has its bytes, and no more.
TEST_P(HostStreams, EndsAreKeptUntilTheyAreTold) {
  constexpr size_t kReads = 100, kShort = 36;
  struct Buffer {
    uint8_t bytes[256];
  };
  std::vector<Buffer> buffers(kReads);
  const auto size = [](size_t n) { return n < kShort ? size_t{4} : size_t{200}; };
  Open("echo");
  cl_int err = 1;
  for (size_t n = 0; n < kReads; ++n) {
    std::ranges::fill(buffers[n].bytes, uint8_t{0xee});
    cl_stream_xfer_req request = {CL_STREAM_EOT | kNow, &buffers[n], 0};
    clReadStream(from_, buffers[n].bytes, size(n), &request, &err);
    ASSERT_EQ(err, CL_SUCCESS);
  }
  for (size_t n = 0; n < kReads; ++n) ASSERT_EQ(Send(size(n), CL_STREAM_EOT), CL_SUCCESS);
  std::vector<cl_streams_poll_req_completions> done(kReads);
  cl_int actual = 0;
  EXPECT_EQ(clPollStreams(nullptr, done.data(), kReads, kReads, &actual, 0, &err), CL_SUCCESS);
  for (size_t n = 0; n < kReads; ++n) {
    EXPECT_EQ(done[n].nbytes, size(n)) << n;
    EXPECT_EQ(buffers[n].bytes[size(n)], 0xee) << n;
  }
  Close();
}

// A program that polls without a minimum lets time pass.
TEST_P(HostStreams, APollWithoutAMinimumTakesWhatHasCome) {
  Open("echo");
  cl_stream_xfer_req to = {CL_STREAM_EOT | CL_STREAM_NONBLOCKING, data_, 0};
  cl_stream_xfer_req from = {CL_STREAM_EOT | CL_STREAM_NONBLOCKING, back_, 0};
  cl_int err = 1, all = 0;
  clReadStream(from_, back_, 64, &from, &err);
  clWriteStream(to_, data_, 64, &to, &err);
  for (int n = 0; n < 20000 && all < 2; ++n) {
    cl_streams_poll_req_completions done[4];
    cl_int actual = 0;
    EXPECT_EQ(clPollStreams(nullptr, done, 0, 4, &actual, 0, &err), CL_SUCCESS);
    all += actual;
  }
  EXPECT_EQ(all, 2);
  EXPECT_EQ(std::memcmp(back_, data_, 64), 0);
  Close();
}

TEST_P(HostStreams, AReleasedKernelLeavesNoStream) {
  const auto make = [](const char* name) {
    cl_int err = 1;
    return clCreateKernel(nullptr, name, &err);
  };
  const cl_kernel from = make("echo:{from}");
  for (const char* name : {"echo:{to}", "echo:{again}"}) {
    const cl_kernel to = make(name);
    EXPECT_EQ(tessera_connect_kernels(from, 1, to, 0), CL_SUCCESS) << tessera_stream_error();
    EXPECT_EQ(clReleaseKernel(to), CL_SUCCESS);
  }
  EXPECT_EQ(clReleaseKernel(from), CL_SUCCESS);
}

// What a write has given to the kernel stays there when its stream is released, in front of what
// the next stream brings.
TEST_P(HostStreams, AReleasedStreamLeavesItsBytes) {
  for (const size_t bytes : {64u, 1800u}) {
    Open("echo");
    for (size_t n = 0; n < bytes; ++n) data_[n] = static_cast<uint8_t>(n * 5 + bytes);
    ASSERT_EQ(Send(bytes, CL_STREAM_EOT), CL_SUCCESS);
    EXPECT_EQ(clReleaseStream(to_), CL_SUCCESS);
    cl_int err = 1;
    ext_.flags = 0;
    to_ = clCreateStream(nullptr, XCL_STREAM_READ_ONLY, CL_STREAM, &ext_, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    ASSERT_EQ(Send(8, CL_STREAM_EOT | kNow), CL_SUCCESS);
    EXPECT_EQ(clReleaseStream(to_), CL_SUCCESS) << "the 8 bytes may be lost";
    EXPECT_EQ(Receive(sizeof(back_), &err), static_cast<cl_int>(bytes));
    EXPECT_EQ(std::vector<uint8_t>(back_, back_ + bytes),
              std::vector<uint8_t>(data_, data_ + bytes));
    to_ = clCreateStream(nullptr, XCL_STREAM_READ_ONLY, CL_STREAM, &ext_, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    Close();
  }
}

TEST_P(HostStreams, TheLongestTimeIsLong) {
  Open("echo");
  ASSERT_EQ(Send(8, CL_STREAM_EOT | kNow), CL_SUCCESS);
  cl_stream_xfer_req request = {CL_STREAM_EOT, nullptr, ~uint64_t{0}};
  cl_int err = 1;
  EXPECT_EQ(clReadStream(from_, back_, 64, &request, &err), 8);
  EXPECT_EQ(err, CL_SUCCESS);
  Close();
}

// Kernels that ask whether a word is there.
void watch_empty(hls::stream<Word>& in, hls::stream<Word>& out) {
  while (in.empty()) {
  }
  out.write(in.read());
}
void watch_nb(hls::stream<Word>& in, hls::stream<Word>& out) {
  Word word;
  if (in.read_nb(word)) out.write(word);
}
TESSERA_STREAM_KERNEL(watch_empty);
TESSERA_STREAM_KERNEL(watch_nb);

TEST_P(HostStreams, TimePassesWhileAKernelPolls) {
  for (const char* name : {"watch_empty", "watch_nb"}) {
    Open(name);
    ASSERT_EQ(Send(64, CL_STREAM_EOT), CL_SUCCESS);
    cl_int err = 1;
    EXPECT_EQ(Receive(sizeof(back_), &err), 64) << name;
    EXPECT_EQ(std::vector<uint8_t>(back_, back_ + 64), std::vector<uint8_t>(data_, data_ + 64));
    EXPECT_EQ(Receive(sizeof(back_), &err), 0);
    EXPECT_EQ(err, CL_STREAM_TIMEOUT);
    EXPECT_TRUE(Says((std::string(name) + " waits for data of").c_str()));
    Close();
  }
}

void talker(hls::stream<Word>& out, hls::stream<Word>& in) {
  out.write(Word());
  in.read();
}
TESSERA_STREAM_KERNEL(talker);

TEST_P(HostStreams, AStreamInTheWrongDirectionIsNamed) {
  for (const auto& [name, words] :
       {std::pair("echo", "echo argument 0 is read by the kernel; its stream is one that"),
        std::pair("talker",
                  "talker argument 0 is written by the kernel; its stream is one that")}) {
    cl_int err = 1;
    kernel_ = clCreateKernel(nullptr, name, &err);
    ext_.param = kernel_;
    ext_.flags = 0;
    cl_stream wrong = clCreateStream(
        nullptr, name == std::string("echo") ? XCL_STREAM_WRITE_ONLY : XCL_STREAM_READ_ONLY,
        CL_STREAM, &ext_, &err);
    ASSERT_EQ(err, CL_SUCCESS);
    cl_streams_poll_req_completions done = {};
    cl_int actual = 0;
    EXPECT_NE(clPollStreams(nullptr, &done, 1, 1, &actual, 10, &err), CL_SUCCESS);
    EXPECT_TRUE(Says(words)) << tessera_stream_error();
    EXPECT_EQ(clReleaseStream(wrong), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(kernel_), CL_SUCCESS);
  }
}

TEST_P(HostStreams, MisuseIsRefused) {
  cl_int err = 1;
  EXPECT_EQ(clCreateKernel(nullptr, "nobody", &err), nullptr);
  EXPECT_EQ(err, CL_INVALID_KERNEL_NAME);
  EXPECT_TRUE(Says("there is no kernel 'nobody'; TESSERA_STREAM_KERNEL names: echo gaps talker"));
  Open("echo:{echo_1}");
  const auto create = [&](cl_stream_flags flags, cl_stream_attributes attributes,
                          cl_mem_ext_ptr_t* ext) {
    EXPECT_EQ(clCreateStream(nullptr, flags, attributes, ext, &err), nullptr);
    return err;
  };
  EXPECT_EQ(create(3, CL_STREAM, &ext_), CL_INVALID_VALUE);
  EXPECT_EQ(create(XCL_STREAM_READ_ONLY, 0, &ext_), CL_INVALID_VALUE);
  EXPECT_EQ(create(XCL_STREAM_READ_ONLY, CL_STREAM, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(create(XCL_STREAM_READ_ONLY, CL_STREAM, &ext_), CL_INVALID_OPERATION);
  EXPECT_TRUE(Says("argument 1 has a stream already"));
  cl_mem_ext_ptr_t far = {9, nullptr, kernel_};
  EXPECT_EQ(create(XCL_STREAM_READ_ONLY, CL_STREAM, &far), CL_INVALID_ARG_INDEX);
  EXPECT_TRUE(Says("names argument 9 of echo:{echo_1}, which has 2"));

  clReadStream(to_, back_, 4, nullptr, &err);
  EXPECT_EQ(err, CL_INVALID_OPERATION);
  EXPECT_TRUE(Says("reads echo:{echo_1} argument 0, so the host cannot read it"));
  clWriteStream(from_, data_, 4, nullptr, &err);
  EXPECT_EQ(err, CL_INVALID_OPERATION);
  clWriteStream(to_, data_, 0, nullptr, &err);
  EXPECT_EQ(err, CL_INVALID_VALUE);
  clWriteStream(to_, nullptr, 4, nullptr, &err);
  EXPECT_EQ(err, CL_INVALID_VALUE);
  EXPECT_EQ(Send(4, 8), CL_INVALID_VALUE);
  cl_stream_xfer_req untagged = {kNow, nullptr, 0};
  clWriteStream(to_, data_, 4, &untagged, &err);
  EXPECT_EQ(err, CL_INVALID_VALUE);
  EXPECT_TRUE(Says("needs priv_data"));
  ASSERT_EQ(Send(4, CL_STREAM_EOT | kNow), CL_SUCCESS);
  EXPECT_EQ(Send(4, CL_STREAM_EOT), CL_INVALID_OPERATION);
  EXPECT_TRUE(Says("clPollStreams() comes before a blocking call"));
  cl_int actual = 0;
  cl_streams_poll_req_completions done = {};
  EXPECT_EQ(clPollStreams(nullptr, &done, 2, 1, &actual, 0, &err), CL_INVALID_VALUE);
  EXPECT_EQ(clPollStreams(nullptr, nullptr, 0, 1, &actual, 0, &err), CL_INVALID_VALUE);

  EXPECT_EQ(clReleaseKernel(kernel_), CL_INVALID_OPERATION);
  EXPECT_TRUE(Says("2 streams of echo:{echo_1} are open"));
  EXPECT_EQ(tessera_connect_kernels(kernel_, 1, kernel_, 0), CL_INVALID_OPERATION);
  EXPECT_EQ(tessera_connect_kernels(kernel_, 7, kernel_, 0), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(tessera_connect_kernels(nullptr, 0, kernel_, 0), CL_INVALID_KERNEL);
  Close();
  EXPECT_EQ(clReleaseStream(to_), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseKernel(kernel_), CL_INVALID_KERNEL);
  clWriteStream(to_, data_, 4, nullptr, &err);
  EXPECT_EQ(err, CL_INVALID_VALUE);
}

TEST_P(HostStreams, SparseKeepIsAnErrorOfTheKernel) {
  Open("gaps");
  ASSERT_EQ(Send(4, CL_STREAM_EOT | kNow), CL_SUCCESS);
  cl_int err = 1;
  EXPECT_EQ(Receive(64, &err), 0);
  EXPECT_EQ(err, CL_OUT_OF_RESOURCES);
  EXPECT_TRUE(Says("gaps argument 1: keep 0x5 of a word of 4 bytes with last"));
  Close();
}

template <int D>
void same(hls::stream<ap_axiu<D, 0, 0, 0>>& in, hls::stream<ap_axiu<D, 0, 0, 0>>& out) {
  out.write(in.read());
}
TEST_P(HostStreams, AllWidthsKeepTheirBytes) {
  [[maybe_unused]] static const StreamKernelEntry widths[] = {
      {"same8", same<8>},     {"same16", same<16>},   {"same32", same<32>},  {"same64", same<64>},
      {"same128", same<128>}, {"same256", same<256>}, {"same512", same<512>}};
  for (const char* name :
       {"same8", "same16", "same32", "same64", "same128", "same256", "same512"}) {
    Open(name);
    for (size_t n = 0; n < 333; ++n) data_[n] = static_cast<uint8_t>(n * 3 + 1);
    ASSERT_EQ(Send(333, CL_STREAM_EOT | kNow), CL_SUCCESS);
    cl_int err = 1;
    EXPECT_EQ(Receive(sizeof(back_), &err), 333) << name;
    EXPECT_EQ(std::vector<uint8_t>(back_, back_ + 333), std::vector<uint8_t>(data_, data_ + 333));
    Close();
  }
}

}  // namespace
}  // namespace tessera::graph
