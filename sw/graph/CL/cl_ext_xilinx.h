/* Host streams with the names of the OpenCL extension, in C.
 *
 * A kernel is one that TESSERA_STREAM_KERNEL names; contexts, devices and programs may be null.
 * Pointers are any memory of the program. README.md has the whole contract.
 */
#ifndef TESSERA_CL_EXT_XILINX_H_
#define TESSERA_CL_EXT_XILINX_H_

#include <stddef.h>
#include <stdint.h>

#if __has_include(<CL/cl.h>)
#include <CL/cl.h>
#else
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef struct _cl_kernel* cl_kernel;
typedef struct _cl_program* cl_program;
typedef struct _cl_device_id* cl_device_id;
#define CL_SUCCESS 0
#define CL_OUT_OF_RESOURCES (-5)
#define CL_INVALID_VALUE (-30)
#define CL_INVALID_KERNEL_NAME (-46)
#define CL_INVALID_KERNEL (-48)
#define CL_INVALID_ARG_INDEX (-49)
#define CL_INVALID_OPERATION (-59)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _cl_stream* cl_stream;
typedef cl_ulong cl_stream_flags;
typedef cl_ulong cl_stream_attributes;
typedef cl_ulong cl_stream_xfer_req_type;

/* Named from the side of the kernel: it reads, or it writes. */
#define XCL_STREAM_READ_ONLY ((cl_stream_flags)1)
#define XCL_STREAM_WRITE_ONLY ((cl_stream_flags)2)
#define CL_STREAM_READ_ONLY XCL_STREAM_READ_ONLY
#define CL_STREAM_WRITE_ONLY XCL_STREAM_WRITE_ONLY
#define CL_STREAM ((cl_stream_attributes)1)
#define CL_STREAM_EOT ((cl_stream_xfer_req_type)1)
#define CL_STREAM_NONBLOCKING ((cl_stream_xfer_req_type)2)
#define CL_STREAM_TIMEOUT (-1100) /* err of clPollStreams: fewer came than were asked for */

typedef struct {
  unsigned flags; /* number of the argument */
  void* obj;      /* 0 */
  void* param;    /* the kernel */
} cl_mem_ext_ptr_t;

typedef struct {
  cl_stream_xfer_req_type flags;
  void* priv_data;  /* comes back with the completion */
  cl_ulong timeout; /* of a blocking call, in ms; 0: until nothing moves any more */
} cl_stream_xfer_req;

typedef struct {
  void* priv_data;
  size_t nbytes;
  cl_int err_code;
} cl_streams_poll_req_completions;

/* An instance of a kernel: "name", or "name:{instance}". */
cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* err);
cl_int clReleaseKernel(cl_kernel kernel);

cl_stream clCreateStream(cl_device_id device, cl_stream_flags flags,
                         cl_stream_attributes attributes, cl_mem_ext_ptr_t* ext, cl_int* err);
cl_int clReleaseStream(cl_stream stream);
/* Bytes that moved, or 0 with `err`; of a non-blocking call 0, and a completion follows. */
cl_int clWriteStream(cl_stream stream, const void* data, size_t bytes, cl_stream_xfer_req* request,
                     cl_int* err);
cl_int clReadStream(cl_stream stream, void* data, size_t bytes, cl_stream_xfer_req* request,
                    cl_int* err);
/* Waits for `min` completions of non-blocking calls of any stream, and takes at most `max`. */
cl_int clPollStreams(cl_device_id device, cl_streams_poll_req_completions* completions, cl_int min,
                     cl_int max, cl_int* actual, cl_int timeout_ms, cl_int* err);

/* A stream from an argument of one kernel to one of another. */
cl_int tessera_connect_kernels(cl_kernel from, cl_uint from_argument, cl_kernel to,
                               cl_uint to_argument);
/* The sentence that explains the latest error. */
const char* tessera_stream_error(void);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_CL_EXT_XILINX_H_ */
