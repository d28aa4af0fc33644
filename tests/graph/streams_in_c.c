/* The header of host streams is C: host code in C compiles. */
#include <CL/cl_ext_xilinx.h>

cl_int move(void* data, size_t bytes) {
  cl_int err = CL_SUCCESS, actual = 0;
  cl_kernel kernel = clCreateKernel(0, "echo", &err);
  cl_mem_ext_ptr_t ext = {0, 0, 0};
  ext.param = kernel;
  cl_stream to = clCreateStream(0, XCL_STREAM_READ_ONLY, CL_STREAM, &ext, &err);
  ext.flags = 1;
  cl_stream from = clCreateStream(0, XCL_STREAM_WRITE_ONLY, CL_STREAM, &ext, &err);
  cl_stream_xfer_req request = {CL_STREAM_EOT | CL_STREAM_NONBLOCKING, data, 0};
  clWriteStream(to, data, bytes, &request, &err);
  clReadStream(from, data, bytes, &request, &err);
  cl_streams_poll_req_completions done[2];
  clPollStreams(0, done, 2, 2, &actual, 5000, &err);
  clReleaseStream(to);
  clReleaseStream(from);
  clReleaseKernel(kernel);
  return done[0].nbytes == bytes ? err : CL_INVALID_VALUE;
}
