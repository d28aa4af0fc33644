// Free-running kernels between streams: functions of hls::stream arguments that begin again when
// they return, and wait while no data come.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/graph/engine.hpp"

namespace tessera::graph {

// An argument of a kernel: one end of a stream.
class StreamPoint {
 public:
  std::string name;
  Pipe* pipe = nullptr;  // a kernel reads here
  Wire* wire = nullptr;  // or writes here
  bool open = false;     // a stream is connected; else the pipe has what a released one has left
  std::vector<std::string> peers;

  size_t Read(uint8_t* data, size_t most, bool& last);
  void Write(const uint8_t* data, size_t bytes, uint64_t keep, bool last);
  bool empty(size_t most) const;
  // If it is empty, time passes.
  bool PollEmpty(size_t most);
};

// Makes an instance: its arguments, and the function on them.
struct StreamKernelType {
  size_t arguments = 0;
  std::function<std::function<void()>(std::vector<StreamPoint>&)> bind;
};
// A kernel of this name can be created from now on.
void RegisterStreamKernel(const std::string& name, StreamKernelType type);

namespace detail {

template <typename... S, size_t... N>
StreamKernelType MakeStreamKernel(void (*function)(S&...), std::index_sequence<N...>) {
  return {sizeof...(S), [function](std::vector<StreamPoint>& points) -> std::function<void()> {
            auto streams = std::make_shared<std::tuple<S...>>(S(&points[N])...);
            return [function, streams] { std::apply(function, *streams); };
          }};
}

}  // namespace detail

struct StreamKernelEntry {
  template <typename... S>
  StreamKernelEntry(const char* name, void (*function)(S&...)) {
    RegisterStreamKernel(name, detail::MakeStreamKernel(function, std::index_sequence_for<S...>()));
  }
};

}  // namespace tessera::graph

// Beside the kernel's function: host code finds the kernel by its name.
#define TESSERA_STREAM_KERNEL(function) \
  static const tessera::graph::StreamKernelEntry tessera_kernel_##function(#function, function)
