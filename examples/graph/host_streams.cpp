// Host streams with a length that the host does not know: the kernel drops words, and the number of
// bytes that came is what the read returns.
#include <CL/cl_ext_xilinx.h>
#include <hls_stream.h>

#include "example.h"

// Keeps words that are odd. A packet ends with an empty word, so that its length is known last.
void keep_odd(hls::stream<qdma_axis<32, 0, 0, 0>>& in, hls::stream<qdma_axis<32, 0, 0, 0>>& out) {
  bool last = false;
  while (!last) {
    qdma_axis<32, 0, 0, 0> word = in.read();
    last = word.get_last() != 0;
    if ((word.get_data() & 1) != 0) {
      word.set_last(0);
      word.keep_all();
      out.write(word);
    }
  }
  qdma_axis<32, 0, 0, 0> end;
  end.set_keep(0);
  end.set_last(1);
  out.write(end);
}
TESSERA_STREAM_KERNEL(keep_odd);

int main() {
  cl_int err = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(nullptr, "keep_odd", &err);
  if (err != CL_SUCCESS) return 1;
  cl_mem_ext_ptr_t ext = {};
  ext.param = kernel;
  ext.flags = 0;
  cl_stream to = clCreateStream(nullptr, XCL_STREAM_READ_ONLY, CL_STREAM, &ext, &err);
  ext.flags = 1;
  cl_stream from = clCreateStream(nullptr, XCL_STREAM_WRITE_ONLY, CL_STREAM, &ext, &err);
  if (err != CL_SUCCESS) return 1;

  std::vector<int32> came, expected;
  for (int32 packet = 1; packet <= 3; ++packet) {
    const auto numbers = example::Ramp<int32>(100, packet, packet);
    for (const int32 n : numbers) {
      if (n % 2 != 0) expected.push_back(n);
    }
    cl_stream_xfer_req write = {};
    write.flags = CL_STREAM_EOT | CL_STREAM_NONBLOCKING;
    write.priv_data = const_cast<char*>("numbers");
    clWriteStream(to, numbers.data(), numbers.size() * 4, &write, &err);
    if (err != CL_SUCCESS) return 1;
    std::vector<int32> buffer(1024);
    cl_stream_xfer_req read = {};
    read.flags = CL_STREAM_EOT;
    const cl_int bytes = clReadStream(from, buffer.data(), buffer.size() * 4, &read, &err);
    if (err != CL_SUCCESS) return 1;
    came.insert(came.end(), buffer.begin(), buffer.begin() + bytes / 4);
    cl_streams_poll_req_completions done = {};
    cl_int actual = 0;
    if (clPollStreams(nullptr, &done, 1, 1, &actual, 5000, &err) != CL_SUCCESS) return 1;
  }
  clReleaseStream(to);
  clReleaseStream(from);
  clReleaseKernel(kernel);
  example::Write("output.txt", came);
  return example::Compare(came, expected);
}
