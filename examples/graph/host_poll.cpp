// Non-blocking host streams: a pipeline of two kernels, segments with tags, one poll for all.
#include <CL/cl_ext_xilinx.h>
#include <hls_stream.h>

#include "example.h"

using Word = ap_axiu<64, 0, 0, 0>;

void increment(hls::stream<Word>& in, hls::stream<Word>& out) {
  Word word = in.read();
  word.data = word.data.to_uint64() + 1;
  out.write(word);
}
void double_it(hls::stream<Word>& in, hls::stream<Word>& out) {
  Word word = in.read();
  word.data = word.data.to_uint64() * 2;
  out.write(word);
}
TESSERA_STREAM_KERNEL(increment);
TESSERA_STREAM_KERNEL(double_it);

int main() {
  cl_int err = CL_SUCCESS;
  cl_kernel first = clCreateKernel(nullptr, "increment:{increment_1}", &err);
  cl_kernel second = clCreateKernel(nullptr, "double_it:{double_it_1}", &err);
  if (tessera_connect_kernels(first, 1, second, 0) != CL_SUCCESS) return 1;
  cl_mem_ext_ptr_t ext = {};
  ext.param = first;
  ext.flags = 0;
  cl_stream to = clCreateStream(nullptr, XCL_STREAM_READ_ONLY, CL_STREAM, &ext, &err);
  ext.param = second;
  ext.flags = 1;
  cl_stream from = clCreateStream(nullptr, XCL_STREAM_WRITE_ONLY, CL_STREAM, &ext, &err);
  if (err != CL_SUCCESS) return 1;

  // The second segment ends the packet, so the read ends with it.
  const auto numbers = example::Ramp<uint64>(96, 9);
  std::vector<uint64> buffer(128);
  const char *part = "part", *rest = "rest", *back = "back";
  cl_stream_xfer_req request = {};
  request.flags = CL_STREAM_NONBLOCKING;
  request.priv_data = const_cast<char*>(part);
  clWriteStream(to, numbers.data(), 32 * 8, &request, &err);
  request.flags |= CL_STREAM_EOT;
  request.priv_data = const_cast<char*>(rest);
  clWriteStream(to, numbers.data() + 32, 64 * 8, &request, &err);
  request.priv_data = const_cast<char*>(back);
  clReadStream(from, buffer.data(), buffer.size() * 8, &request, &err);
  if (err != CL_SUCCESS) return 1;

  cl_streams_poll_req_completions done[3] = {};
  cl_int actual = 0;
  if (clPollStreams(nullptr, done, 3, 3, &actual, 5000, &err) != CL_SUCCESS) return 1;
  size_t bytes = 0;
  for (int n = 0; n < actual; ++n) {
    std::printf("%s: %zu bytes\n", static_cast<const char*>(done[n].priv_data), done[n].nbytes);
    if (done[n].priv_data == back) bytes = done[n].nbytes;
  }
  clReleaseStream(to);
  clReleaseStream(from);
  clReleaseKernel(first);
  clReleaseKernel(second);
  const std::vector<uint64> came(buffer.begin(),
                                 buffer.begin() + static_cast<ptrdiff_t>(bytes / 8));
  std::vector<uint64> expected;
  for (const uint64 n : numbers) expected.push_back((n + 1) * 2);
  example::Write("output.txt", came);
  return example::Compare(came, expected);
}
