// Host streams: kernels, their streams, and transfers that are under way.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include "CL/cl_ext_xilinx.h"
#include "tessera/graph/stream_kernel.hpp"
#include "tessera/sim.hpp"

namespace tessera::graph {
namespace {

using driver::Direction;

constexpr size_t kPipeBytes = 1024;

// A transfer that was begun and has not been told.
struct Transfer {
  uint64_t job = 0;      // of the channel
  uint64_t through = 0;  // bytes of the stream of a write, up to the end of this one
  uint8_t* memory = nullptr;
  void* host = nullptr;  // of a read
  size_t bytes = 0;
  void* tag = nullptr;
  bool packet = false;
  bool abandoned = false;  // its call has returned, with a time-out
};

}  // namespace
}  // namespace tessera::graph

struct _cl_kernel {
  std::string name;
  std::vector<tessera::graph::StreamPoint> points;
  std::vector<std::unique_ptr<tessera::graph::Pipe>> pipes;
  std::vector<std::unique_ptr<tessera::graph::Wire>> wires;
  tessera::graph::Process* process = nullptr;
  size_t streams = 0;  // that are open
};

struct _cl_stream {
  _cl_kernel* kernel = nullptr;
  size_t argument = 0;
  tessera::graph::Channel* channel = nullptr;
  std::deque<tessera::graph::Transfer> transfers;
  uint64_t bytes = 0;  // of all writes
};

namespace tessera::graph {
namespace {

struct Streams {
  std::map<std::string, StreamKernelType> types;
  std::vector<std::unique_ptr<_cl_kernel>> kernels;
  std::vector<std::unique_ptr<_cl_stream>> streams;
  std::string error;
};
Streams& TheStreams() {
  static Streams streams;
  return streams;
}

cl_int Refuse(cl_int* err, cl_int code, const std::string& sentence) {
  TheStreams().error = sentence;
  std::fprintf(stderr, "tessera: %s\n", sentence.c_str());
  if (err != nullptr) *err = code;
  return code;
}

// Runs `what`; what it throws becomes `err` and the value `failed`.
template <typename T, typename What>
T Guarded(const char* call, cl_int* err, T failed, What&& what) {
  if (err != nullptr) *err = CL_SUCCESS;
  try {
    return what();
  } catch (const std::exception& error) {
    Refuse(err, CL_OUT_OF_RESOURCES, fmt::format("{}: {}", call, error.what()));
    return failed;
  }
}

Wait WaitOf(StreamPoint* point, const char* what, std::function<bool()> over) {
  return {fmt::format("{} {}", what, point->name), std::move(over),
          [point] { return point->peers; }};
}

bool Writes(const _cl_stream* stream) { return stream->channel->direction == Direction::kToStream; }

// The end of the oldest transfer that somebody waits for, if it has ended: a write when the kernel
// has its bytes, which a release of the stream leaves there.
bool TakeEnd(_cl_stream* stream, cl_streams_poll_req_completions& completion) {
  const auto ended = [stream] {
    if (stream->transfers.empty()) return false;
    const Transfer& oldest = stream->transfers.front();
    return stream->channel->finished() > oldest.job &&
           (!Writes(stream) || stream->channel->counts.bytes >= oldest.through);
  };
  while (ended() && stream->transfers.front().abandoned && Writes(stream)) {
    stream->channel->TakeEnd();
    TheEngine().Free(stream->transfers.front().memory);
    stream->transfers.pop_front();
  }
  if (!ended() || stream->transfers.front().abandoned) return false;
  const Transfer& transfer = stream->transfers.front();
  const JobEnd end = stream->channel->TakeEnd();
  if (transfer.host != nullptr) {
    std::memcpy(transfer.host, transfer.memory, std::min<size_t>(end.bytes, transfer.bytes));
  }
  TheEngine().Free(transfer.memory);
  completion = {transfer.tag, end.bytes, CL_SUCCESS};
  stream->transfers.pop_front();
  return true;
}

uint64_t Cycles(uint64_t milliseconds) {
  if (milliseconds == 0) return ~uint64_t{0};
  const double cycles =
      static_cast<double>(milliseconds) * 1000.0 * TheEngine().options().clock_mhz;
  return cycles < 0x1p64 ? static_cast<uint64_t>(cycles) : ~uint64_t{0};
}

cl_int Begin(const char* call, cl_stream stream, Direction direction, const void* data,
             size_t bytes, const cl_stream_xfer_req* request, cl_int* err) {
  return Guarded<cl_int>(call, err, 0, [&]() -> cl_int {
    const auto& open = TheStreams().streams;
    const auto known = [&](const auto& each) { return each.get() == stream; };
    const auto refuse = [&](cl_int code, const std::string& text) {
      Refuse(err, code, fmt::format("{}: {}", call, text));
      return 0;
    };
    if (std::ranges::none_of(open, known)) {
      return refuse(CL_INVALID_VALUE, "the stream was released, or never created");
    }
    const std::string& name = stream->kernel->points[stream->argument].name;
    if (stream->channel->direction != direction) {
      return refuse(CL_INVALID_OPERATION,
                    fmt::format("the kernel {} {}, so the host cannot {} it",
                                direction == Direction::kToStream ? "writes" : "reads", name,
                                direction == Direction::kToStream ? "write" : "read"));
    }
    if (data == nullptr || bytes == 0 || bytes > 0xffffffffu) {
      return refuse(CL_INVALID_VALUE,
                    fmt::format("{}: {} bytes at {}; legal are 1 to 2^32 - 1 bytes of memory", name,
                                bytes, data));
    }
    const cl_stream_xfer_req_type flags = request != nullptr ? request->flags : CL_STREAM_EOT;
    if ((flags & ~(CL_STREAM_EOT | CL_STREAM_NONBLOCKING)) != 0) {
      return refuse(CL_INVALID_VALUE, fmt::format("{}: flags {:#x}; legal are CL_STREAM_EOT and "
                                                  "CL_STREAM_NONBLOCKING",
                                                  name, flags));
    }
    const bool nonblocking = (flags & CL_STREAM_NONBLOCKING) != 0;
    const bool packet = direction == Direction::kFromStream || (flags & CL_STREAM_EOT) != 0;
    if (nonblocking && request->priv_data == nullptr) {
      return refuse(
          CL_INVALID_VALUE,
          fmt::format("{}: a non-blocking call needs priv_data, which its completion has", name));
    }
    auto& transfers = stream->transfers;
    const auto others = std::ranges::count(transfers, false, &Transfer::abandoned);
    if (!nonblocking && others != 0) {
      return refuse(CL_INVALID_OPERATION,
                    fmt::format("{}: {} non-blocking calls are under way; clPollStreams() comes "
                                "before a blocking call",
                                name, others));
    }
    void* tag = request != nullptr ? request->priv_data : nullptr;
    if (!Writes(stream) && !transfers.empty() && transfers.front().abandoned) {
      Transfer& left = transfers.front();  // a read goes on where one has timed out
      if (bytes < left.bytes) {
        return refuse(CL_INVALID_VALUE,
                      fmt::format("{}: {} bytes; a read of {} that timed out goes on, legal are as "
                                  "many and more",
                                  name, bytes, left.bytes));
      }
      left.host = const_cast<void*>(data);
      left.tag = tag;
      left.abandoned = false;
    } else {
      Transfer transfer;
      transfer.job = stream->channel->posted();
      transfer.bytes = bytes;
      transfer.packet = packet;
      transfer.tag = tag;
      transfer.memory = static_cast<uint8_t*>(TheEngine().Allocate(bytes));
      if (transfer.memory == nullptr) {
        return refuse(CL_OUT_OF_RESOURCES, fmt::format("{}: no room for {} bytes", name, bytes));
      }
      if (Writes(stream)) {
        stream->bytes += bytes;
        transfer.through = stream->bytes;
        std::memcpy(transfer.memory, data, bytes);
      } else {
        transfer.host = const_cast<void*>(data);  // of clReadStream, which takes it without const
      }
      stream->channel->Post({.memory = transfer.memory, .bytes = bytes, .packet = packet});
      transfers.push_back(transfer);
    }
    if (nonblocking) return 0;
    cl_streams_poll_req_completions done{};
    bool ended = false;
    const auto over = [&] { return ended = ended || TakeEnd(stream, done); };
    Outcome outcome = Outcome::kTimeout;
    try {
      outcome = TheEngine().RunUntil(over, Cycles(request != nullptr ? request->timeout : 0));
    } catch (...) {
      if (!ended) transfers.back().abandoned = true;
      throw;
    }
    if (outcome == Outcome::kDone) return static_cast<cl_int>(done.nbytes);
    transfers.back().abandoned = true;
    return refuse(CL_STREAM_TIMEOUT,
                  fmt::format("{}: the transfer of {} bytes has not ended{}\n{}", name, bytes,
                              outcome == Outcome::kStuck ? ", and nothing moves any more" : "",
                              TheEngine().Waiters()));
  });
}

void CloseStream(_cl_stream* stream) {
  for (const Transfer& transfer : stream->transfers) TheEngine().Free(transfer.memory);
  StreamPoint& point = stream->kernel->points[stream->argument];
  // What the kernel has not read stays, for it and for the next stream.
  if (point.pipe != nullptr && point.pipe->size() == 0) point.pipe = nullptr;
  point.wire = nullptr;
  point.open = false;
  --stream->kernel->streams;
  TheEngine().backend().Close(stream->channel);
}

}  // namespace

size_t StreamPoint::Read(uint8_t* data, size_t most, bool& last) {
  const auto wrong = [this] { return pipe == nullptr && wire != nullptr; };
  TheEngine().Block(
      WaitOf(this, "data of", [this, most, wrong] { return wrong() || !empty(most); }));
  if (wrong()) {
    throw GraphError(driver::Code::user_error,
                     name + " is read by the kernel; its stream is one that the kernel writes");
  }
  const size_t bytes = pipe->Run(most, last);
  pipe->Read(data, bytes);
  return bytes;
}

void StreamPoint::Write(const uint8_t* data, size_t bytes, uint64_t keep, bool last) {
  const size_t count = static_cast<size_t>(__builtin_popcountll(keep));
  const uint64_t dense = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  if (keep != dense || (count != bytes && !last)) {
    throw GraphError(driver::Code::user_error,
                     fmt::format("{}: keep {:#x} of a word of {} bytes{}; legal are all bytes, and "
                                 "with last the first ones",
                                 name, keep, bytes, last ? " with last" : ""));
  }
  const auto wrong = [this] { return wire == nullptr && pipe != nullptr; };
  TheEngine().Block(WaitOf(this, "room for", [this, bytes, wrong] {
    return wrong() || (wire != nullptr && wire->room() >= bytes);
  }));
  if (wrong()) {
    throw GraphError(driver::Code::user_error,
                     name + " is written by the kernel; its stream is one that the kernel reads");
  }
  wire->Write(data, count, last);
}

bool StreamPoint::empty(size_t most) const {
  if (pipe == nullptr) return true;
  bool last = false;
  return pipe->Run(most, last) < most && !last;
}

bool StreamPoint::PollEmpty(size_t most) {
  if (!empty(most)) return false;
  TheEngine().Poll(WaitOf(this, "data of", [this, most] { return !empty(most); }));
  return true;
}

void RegisterStreamKernel(const std::string& name, StreamKernelType type) {
  TheStreams().types[name] = std::move(type);
}

}  // namespace tessera::graph

using tessera::graph::Guarded;
using tessera::graph::Refuse;
using tessera::graph::TheEngine;
using tessera::graph::TheStreams;

cl_kernel clCreateKernel(cl_program /*program*/, const char* name, cl_int* err) {
  return Guarded<cl_kernel>("clCreateKernel", err, nullptr, [&]() -> cl_kernel {
    const std::string full = name != nullptr ? name : "";
    const auto type = TheStreams().types.find(full.substr(0, full.find(':')));
    if (type == TheStreams().types.end()) {
      std::string names;
      for (const auto& [each, unused] : TheStreams().types) names += " " + each;
      Refuse(err, CL_INVALID_KERNEL_NAME,
             fmt::format("clCreateKernel: there is no kernel '{}'; TESSERA_STREAM_KERNEL names:{}",
                         full, names.empty() ? " none" : names));
      return nullptr;
    }
    auto made = std::make_unique<_cl_kernel>();
    made->name = full;
    made->points.resize(type->second.arguments);
    for (size_t n = 0; n < made->points.size(); ++n) {
      made->points[n].name = fmt::format("{} argument {}", full, n);
    }
    auto body = type->second.bind(made->points);
    made->process = TheEngine().Spawn(full, [body] {
      for (;;) {
        body();
        TheEngine().EndIteration(false);
      }
    });
    TheStreams().kernels.push_back(std::move(made));
    return TheStreams().kernels.back().get();
  });
}

cl_int clReleaseKernel(cl_kernel kernel) {
  auto& kernels = TheStreams().kernels;
  const auto held = std::ranges::find(kernels, kernel, [](const auto& each) { return each.get(); });
  if (held == kernels.end()) {
    return Refuse(nullptr, CL_INVALID_KERNEL, "clReleaseKernel: no kernel of clCreateKernel");
  }
  if (kernel->streams != 0) {
    return Refuse(nullptr, CL_INVALID_OPERATION,
                  fmt::format("clReleaseKernel: {} streams of {} are open; clReleaseStream() comes "
                              "first",
                              kernel->streams, kernel->name));
  }
  TheEngine().Kill(kernel->process);
  // Streams from it and to it end.
  for (const auto& other : kernels) {
    for (tessera::graph::StreamPoint& point : other->points) {
      const auto from_it = [&](const auto& pipe) { return pipe.get() == point.pipe; };
      const auto to_it = [&](const tessera::graph::StreamPoint& end) {
        return end.pipe != nullptr && point.wire != nullptr &&
               std::ranges::find(point.wire->pipes, end.pipe) != point.wire->pipes.end();
      };
      if (std::ranges::any_of(kernel->pipes, from_it)) {
        point.pipe = nullptr;
      } else if (std::ranges::any_of(kernel->points, to_it)) {
        point.wire = nullptr;
      } else {
        continue;
      }
      point.open = false;
    }
  }
  kernels.erase(held);
  return CL_SUCCESS;
}

cl_stream clCreateStream(cl_device_id /*device*/, cl_stream_flags flags,
                         cl_stream_attributes attributes, cl_mem_ext_ptr_t* ext, cl_int* err) {
  return Guarded<cl_stream>("clCreateStream", err, nullptr, [&]() -> cl_stream {
    const auto refuse = [&](cl_int code, const std::string& text) {
      Refuse(err, code, "clCreateStream: " + text);
      return nullptr;
    };
    if (flags != XCL_STREAM_READ_ONLY && flags != XCL_STREAM_WRITE_ONLY) {
      return refuse(CL_INVALID_VALUE, fmt::format("flags {:#x}; legal are XCL_STREAM_READ_ONLY and "
                                                  "XCL_STREAM_WRITE_ONLY",
                                                  flags));
    }
    if (attributes != CL_STREAM) {
      return refuse(CL_INVALID_VALUE,
                    fmt::format("attributes {:#x}; legal is CL_STREAM", attributes));
    }
    auto& kernels = TheStreams().kernels;
    auto* kernel = ext != nullptr ? static_cast<_cl_kernel*>(ext->param) : nullptr;
    if (std::ranges::none_of(kernels, [&](const auto& each) { return each.get() == kernel; })) {
      return refuse(CL_INVALID_KERNEL, "ext->param is no kernel of clCreateKernel");
    }
    if (ext->flags >= kernel->points.size()) {
      return refuse(CL_INVALID_ARG_INDEX,
                    fmt::format("ext->flags names argument {} of {}, which has {}", ext->flags,
                                kernel->name, kernel->points.size()));
    }
    tessera::graph::StreamPoint& point = kernel->points[ext->flags];
    if (point.open) {
      return refuse(CL_INVALID_OPERATION, point.name + " has a stream already");
    }
    const bool reads = flags == XCL_STREAM_READ_ONLY;
    auto made = std::make_unique<_cl_stream>();
    made->kernel = kernel;
    made->argument = ext->flags;
    made->channel = TheEngine().backend().Open(
        reads ? tessera::driver::Direction::kToStream : tessera::driver::Direction::kFromStream,
        point.name);
    made->channel->keeps_ends = true;
    tessera::graph::Pipe* pipe = reads ? point.pipe : nullptr;
    if (pipe == nullptr) {
      kernel->pipes.push_back(std::make_unique<tessera::graph::Pipe>(tessera::graph::kPipeBytes));
      pipe = kernel->pipes.back().get();
    }
    kernel->wires.push_back(std::make_unique<tessera::graph::Wire>());
    tessera::graph::Wire* wire = kernel->wires.back().get();
    wire->pipes.push_back(pipe);
    if (reads) {
      made->channel->wire = wire;
      point.pipe = pipe;
    } else {
      made->channel->pipe = pipe;
      point.pipe = nullptr;
      point.wire = wire;
    }
    point.open = true;
    point.peers = {"the host"};
    ++kernel->streams;
    TheStreams().streams.push_back(std::move(made));
    return TheStreams().streams.back().get();
  });
}

cl_int clReleaseStream(cl_stream stream) {
  auto& streams = TheStreams().streams;
  const auto held = std::ranges::find(streams, stream, [](const auto& each) { return each.get(); });
  if (held == streams.end()) {
    return Refuse(nullptr, CL_INVALID_VALUE,
                  "clReleaseStream: the stream was released, or never created");
  }
  return Guarded<cl_int>("clReleaseStream", nullptr, CL_OUT_OF_RESOURCES, [&] {
    const std::unique_ptr<_cl_stream> owned = std::move(*held);
    streams.erase(held);
    tessera::graph::CloseStream(owned.get());
    return CL_SUCCESS;
  });
}

cl_int clWriteStream(cl_stream stream, const void* data, size_t bytes, cl_stream_xfer_req* request,
                     cl_int* err) {
  return tessera::graph::Begin("clWriteStream", stream, tessera::driver::Direction::kToStream, data,
                               bytes, request, err);
}
cl_int clReadStream(cl_stream stream, void* data, size_t bytes, cl_stream_xfer_req* request,
                    cl_int* err) {
  return tessera::graph::Begin("clReadStream", stream, tessera::driver::Direction::kFromStream,
                               data, bytes, request, err);
}

cl_int clPollStreams(cl_device_id /*device*/, cl_streams_poll_req_completions* completions,
                     cl_int min, cl_int max, cl_int* actual, cl_int timeout_ms, cl_int* err) {
  return Guarded<cl_int>("clPollStreams", err, CL_OUT_OF_RESOURCES, [&]() -> cl_int {
    if (completions == nullptr || actual == nullptr || min < 0 || max < 1 || min > max ||
        timeout_ms < 0) {
      return Refuse(err, CL_INVALID_VALUE,
                    fmt::format("clPollStreams: {} to {} completions in {} ms; legal are 0 <= min "
                                "<= max, 1 <= max, 0 <= time, and memory for completions",
                                min, max, timeout_ms));
    }
    *actual = 0;
    const auto over = [&] {
      for (const auto& stream : TheStreams().streams) {
        while (*actual < max && tessera::graph::TakeEnd(stream.get(), completions[*actual])) {
          ++*actual;
        }
      }
      return *actual >= min;
    };
    if (min == 0)
      TheEngine().RunUntil([] { return false; }, 1);  // time passes while a program polls
    const auto outcome =
        TheEngine().RunUntil(over, tessera::graph::Cycles(static_cast<uint64_t>(timeout_ms)));
    if (outcome == tessera::graph::Outcome::kDone) return CL_SUCCESS;
    return Refuse(err, CL_STREAM_TIMEOUT,
                  fmt::format("clPollStreams: {} of {} completions came in {} ms\n{}", *actual, min,
                              timeout_ms, TheEngine().Waiters()));
  });
}

cl_int tessera_connect_kernels(cl_kernel from, cl_uint from_argument, cl_kernel to,
                               cl_uint to_argument) {
  const auto refuse = [](cl_int code, const std::string& text) {
    return Refuse(nullptr, code, "tessera_connect_kernels: " + text);
  };
  for (const auto& [kernel, argument] :
       {std::pair(from, from_argument), std::pair(to, to_argument)}) {
    const auto& kernels = TheStreams().kernels;
    if (std::ranges::none_of(kernels, [&](const auto& each) { return each.get() == kernel; })) {
      return refuse(CL_INVALID_KERNEL, "no kernel of clCreateKernel");
    }
    if (argument >= kernel->points.size()) {
      return refuse(CL_INVALID_ARG_INDEX, fmt::format("argument {} of {}, which has {}", argument,
                                                      kernel->name, kernel->points.size()));
    }
    const tessera::graph::StreamPoint& point = kernel->points[argument];
    if (point.open) return refuse(CL_INVALID_OPERATION, point.name + " has a stream already");
    if (point.pipe != nullptr && point.pipe->size() != 0) {
      return refuse(CL_INVALID_OPERATION,
                    fmt::format("{}: the kernel has not read {} bytes of a stream that was "
                                "released",
                                point.name, point.pipe->size()));
    }
  }
  from->pipes.push_back(std::make_unique<tessera::graph::Pipe>(tessera::graph::kPipeBytes));
  from->wires.push_back(std::make_unique<tessera::graph::Wire>());
  from->wires.back()->pipes.push_back(from->pipes.back().get());
  from->points[from_argument].open = to->points[to_argument].open = true;
  from->points[from_argument].pipe = nullptr;
  from->points[from_argument].wire = from->wires.back().get();
  from->points[from_argument].peers = {to->name};
  to->points[to_argument].pipe = from->pipes.back().get();
  to->points[to_argument].peers = {from->name};
  return CL_SUCCESS;
}

const char* tessera_stream_error(void) { return TheStreams().error.c_str(); }
