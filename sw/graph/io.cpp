// PLIO, GMIO and the event API.
#include "adf/io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run.hpp"

namespace adf {

using detail::Guarded;
using detail::Refuse;
using tessera::graph::Channel;
using tessera::graph::Outcome;
using tessera::graph::TheEngine;

PLIO::PLIO(const std::string& name, plio_type width, const std::string& file, double frequency,
           bool hex) {
  auto node = detail::NewFile(name, width, file, frequency, hex);
  out.Add(node->ports[0]);
  in.Add(node->ports[1]);
  node_ = std::move(node);
}
PLIO::PLIO(const std::string& name, plio_type width, const std::string& file, double frequency,
           bool binary, bool hex)
    : PLIO(name, width, file, frequency, hex) {
  if (binary) {
    detail::Fail(fmt::format("{}: '{}' is binary; legal are files of text", name, file));
  }
}

GMIO::GMIO(const std::string& name, size_t burst_length, size_t bandwidth) {
  auto node = detail::NewMemory(name, burst_length, bandwidth);
  out.Add(node->ports[0]);
  in.Add(node->ports[1]);
  node_ = std::move(node);
}

void* GMIO::malloc(size_t bytes) {
  void* memory = nullptr;
  Guarded("GMIO::malloc", [&] {
    memory = TheEngine().Allocate(bytes);
    if (memory != nullptr) return return_code::ok;
    return Refuse(return_code::user_error,
                  fmt::format("GMIO::malloc: no room for {} bytes in the {} bytes of memory; "
                              "legal is 1 and more",
                              bytes, TheEngine().options().memory_bytes));
  });
  return memory;
}
void GMIO::free(void* memory) {
  Guarded("GMIO::free", [&] {
    if (memory == nullptr || TheEngine().Free(memory)) return return_code::ok;
    return Refuse(return_code::user_error,
                  fmt::format("GMIO::free({}): this is no block of GMIO::malloc", memory));
  });
}

namespace {

detail::MemoryNode& Created(const std::shared_ptr<detail::Node>& node) {
  if (node == nullptr) detail::Fail("the GMIO was not created");
  return static_cast<detail::MemoryNode&>(*node);
}

Channel& Opened(const detail::MemoryNode& node) {
  if (node.channel == nullptr) {
    detail::Fail(fmt::format("{} is in no graph that was initialised", node.name));
  }
  return *node.channel;
}

void CheckOwned(const detail::MemoryNode& node, const void* memory, size_t bytes) {
  if (TheEngine().Owns(memory, bytes)) return;
  detail::Fail(fmt::format("{}: the {} bytes at {} are not within one block of GMIO::malloc",
                           node.name, bytes, memory));
}

return_code WaitFor(const char* call, const std::shared_ptr<detail::Node>& io) {
  return Guarded(call, [&] {
    const detail::MemoryNode& node = Created(io);
    const Channel& channel = Opened(node);
    const auto over = [&] { return channel.finished() == channel.posted(); };
    if (TheEngine().RunUntil(over) == Outcome::kDone) return return_code::ok;
    detail::Fail(fmt::format("{}: {} of {} transfers have ended, and nothing moves any more\n{}",
                             node.name, channel.finished(), channel.posted(),
                             TheEngine().Waiters()));
  });
}

}  // namespace

return_code GMIO::Post(const char* call, direction side, const void* memory, size_t bytes) {
  return Guarded(call, [&] {
    const detail::MemoryNode& node = Created(node_);
    Channel& channel = Opened(node);
    const bool reads = channel.direction == tessera::driver::Direction::kToStream;
    if (reads != (side == output)) {
      detail::Fail(fmt::format("{} is a {} of the graph; {} is for {}s", node.name,
                               reads ? "source" : "sink", call, reads ? "sink" : "source"));
    }
    if (bytes == 0 || bytes > 0xffffffffu) {
      detail::Fail(fmt::format("{}: {} bytes; legal are 1 to 2^32 - 1", node.name, bytes));
    }
    CheckOwned(node, memory, bytes);
    // The channel reads and writes bytes of the program; a const buffer is only read.
    channel.Post({.memory = static_cast<uint8_t*>(const_cast<void*>(memory)),
                  .bytes = bytes,
                  .packet = reads});
    return return_code::ok;
  });
}

return_code GMIO::gm2aie_nb(const void* memory, size_t bytes) {
  return Post("gm2aie_nb", output, memory, bytes);
}
return_code GMIO::aie2gm_nb(void* memory, size_t bytes) {
  return Post("aie2gm_nb", input, memory, bytes);
}
return_code GMIO::gm2aie(const void* memory, size_t bytes) {
  const return_code code = Post("gm2aie", output, memory, bytes);
  return code == return_code::ok ? WaitFor("gm2aie", node_) : code;
}
return_code GMIO::aie2gm(void* memory, size_t bytes) {
  const return_code code = Post("aie2gm", input, memory, bytes);
  return code == return_code::ok ? WaitFor("aie2gm", node_) : code;
}
return_code GMIO::wait() { return WaitFor("wait", node_); }
return_code GMIO::pl_gm(void* memory, size_t bytes) {
  return Guarded("pl_gm", [&] {
    detail::MemoryNode& node = Created(node_);
    if (node.channel != nullptr) {
      detail::Fail(fmt::format(
          "{} is connected to kernels; pl_gm is for memory of programmable logic", node.name));
    }
    CheckOwned(node, memory, bytes);
    node.pl_address = memory;
    node.pl_bytes = bytes;
    return return_code::ok;
  });
}

namespace event {
namespace {

struct Stream {
  const Channel *channel = nullptr, *other = nullptr;
  uint32_t unit = 0;    // of Profiling
  bool closed = false;  // a channel has; `last` is what was counted
  long long last = -1;
};
// Handles of this program: of streams, and of kernels.
struct Handles {
  std::unique_ptr<tessera::graph::Profiling> profiling;
  uint64_t engine = 0;  // that profiling is of
  std::map<handle, Stream> streams;
  std::map<handle, detail::KernelNode*> kernels;
  handle next = 0;
};
Handles& TheHandles() {
  static Handles handles;
  return handles;
}

// The channel of a PLIO or GMIO; none before init().
const Channel* ChannelOf(const IoAttr& io) {
  const detail::Node* node = io.node();
  if (node == nullptr) return nullptr;
  for (const auto& g : detail::TheProgram().graphs) {
    if (!g->run) continue;
    if (const Channel* channel = g->run->ChannelOf(node)) return channel;
  }
  return nullptr;
}

handle Start(const IoAttr& one, const IoAttr* other, io_profiling_option option, uint32_t value) {
  handle made = invalid_handle;
  Guarded("start_profiling", [&] {
    const Channel* first = ChannelOf(one);
    const Channel* second = other != nullptr ? ChannelOf(*other) : nullptr;
    if (first == nullptr || (other != nullptr && second == nullptr)) {
      return Refuse(return_code::user_error,
                    "start_profiling: the port is in no graph that was initialised");
    }
    Handles& handles = TheHandles();
    if (handles.engine != TheEngine().number()) {
      handles.profiling = TheEngine().backend().MakeProfiling();
      handles.engine = TheEngine().number();
    }
    const uint32_t unit = handles.profiling->Start(
        *first, second, static_cast<tessera::driver::ProfileOption>(option), value);
    if (unit == tessera::driver::kInvalidHandle) {
      return Refuse(
          return_code::user_error,
          fmt::format("start_profiling of {}: option {} with value {} needs {} and a free counter",
                      first->name, static_cast<int>(option), value,
                      option == io_stream_start_difference_cycles
                          ? "two different ports"
                          : "one port, and bytes if it counts to them,"));
    }
    made = handles.next++;
    handles.streams[made] = {first, second, unit};
    return return_code::ok;
  });
  return made;
}

}  // namespace

handle start_profiling(IoAttr& io, io_profiling_option option, uint32_t value) {
  return Start(io, nullptr, option, value);
}
handle start_profiling(IoAttr& one, IoAttr& other, io_profiling_option option, uint32_t value) {
  return Start(one, &other, option, value);
}
handle start_profiling(const kernel& k, kernel_profiling_option /*option*/, uint32_t /*first*/,
                       uint32_t /*second*/) {
  handle made = invalid_handle;
  Guarded("start_profiling", [&] {
    Handles& handles = TheHandles();
    handles.kernels[handles.next] = k.node().get();
    made = handles.next++;
    return return_code::ok;
  });
  return made;
}
long long read_profiling(handle h) {
  Handles& handles = TheHandles();
  if (const auto kernel = handles.kernels.find(h); kernel != handles.kernels.end()) {
    return static_cast<long long>(kernel->second->latest_cycles);
  }
  long long value = -1;
  Guarded("read_profiling", [&] {
    const auto stream = handles.streams.find(h);
    if (stream == handles.streams.end()) {
      return Refuse(return_code::user_error,
                    fmt::format("read_profiling: there is no handle {}", h));
    }
    const Stream& s = stream->second;
    value = s.closed ? s.last : handles.profiling->Read(s.unit);
    return return_code::ok;
  });
  return value;
}
void stop_profiling(handle h) {
  Handles& handles = TheHandles();
  if (handles.kernels.erase(h) != 0) return;
  Guarded("stop_profiling", [&] {
    const auto stream = handles.streams.find(h);
    if (stream == handles.streams.end()) {
      return Refuse(return_code::user_error,
                    fmt::format("stop_profiling: there is no handle {}", h));
    }
    if (!stream->second.closed) handles.profiling->Stop(stream->second.unit);
    handles.streams.erase(stream);
    return return_code::ok;
  });
}

}  // namespace event

namespace detail {

void KeepProfiling() { event::TheHandles(); }
void EndProfiling(const std::vector<Channel*>& channels) {
  event::Handles& handles = event::TheHandles();
  for (auto& [number, stream] : handles.streams) {
    const auto closes = [&](const Channel* channel) {
      return channel == stream.channel || channel == stream.other;
    };
    if (stream.closed || std::ranges::none_of(channels, closes)) continue;
    stream.closed = true;
    Guarded("end", [&] {  // the device may be broken
      stream.last = handles.profiling->Read(stream.unit);
      handles.profiling->Stop(stream.unit);
      return return_code::ok;
    });
  }
}

}  // namespace detail
}  // namespace adf
