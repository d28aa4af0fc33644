// The edges of a graph: files (PLIO, FileIO), memory (GMIO), and the platform that binds files to
// ports.
#pragma once

#include <string>

#include "adf/kernel.hpp"

namespace adf {

enum plio_type { plio_32_bits = 32, plio_64_bits = 64, plio_128_bits = 128 };

namespace detail {
std::shared_ptr<FileNode> NewFile(const std::string& name, int width, const std::string& file,
                                  double frequency, bool hex);
std::shared_ptr<MemoryNode> NewMemory(const std::string& name, size_t burst, size_t bandwidth);
}  // namespace detail

// What can be profiled.
class IoAttr {
 public:
  detail::Node* node() const { return node_.get(); }

 protected:
  std::shared_ptr<detail::Node> node_;
};

// A file at an edge: a source has out[0], a sink has in[0]. Lines have as many numbers as the width
// has elements of the type at the other end; TLAST on a line of its own belongs to the line after
// it.
class PLIO : public IoAttr {
 public:
  explicit PLIO(const std::string& file) : PLIO("", plio_32_bits, file) {}
  PLIO(const std::string& name, const std::string& file) : PLIO(name, plio_32_bits, file) {}
  PLIO(const std::string& name, plio_type width, const std::string& file, double frequency = 0,
       bool hex = false);
  PLIO(const std::string& name, plio_type width, const std::string& file, double frequency,
       bool binary, bool hex);
  detail::PortList<input> in;
  detail::PortList<output> out;
};

class FileIO : public PLIO {
 public:
  using PLIO::PLIO;
};

namespace detail {
template <direction D>
class EdgeFile : public PLIO {
 public:
  EdgeFile() : PLIO("") {}
  using PLIO::PLIO;
  static EdgeFile create(const std::string& name, plio_type width, const std::string& file,
                         double frequency = 0, bool hex = false) {
    return {name, width, file, frequency, hex};
  }
  static EdgeFile create(plio_type width, const std::string& file, double frequency = 0,
                         bool hex = false) {
    return {"", width, file, frequency, hex};
  }
};
}  // namespace detail
using input_plio = detail::EdgeFile<input>;
using output_plio = detail::EdgeFile<output>;

// Memory at an edge. `burst_length` is 64, 128 or 256 bytes, `bandwidth` in MB/s.
class GMIO : public IoAttr {
 public:
  GMIO() = default;
  GMIO(const std::string& name, size_t burst_length, size_t bandwidth);
  GMIO(size_t burst_length, size_t bandwidth) : GMIO("", burst_length, bandwidth) {}
  static GMIO create(const std::string& name, size_t burst_length, size_t bandwidth) {
    return {name, burst_length, bandwidth};
  }

  // Memory that GMIO can move; nullptr if there is no room.
  static void* malloc(size_t bytes);
  static void free(void* memory);

  // Memory to the graph, and from it. The forms with _nb return at once; the others, and wait(),
  // when every transfer of this object has ended.
  return_code gm2aie_nb(const void* memory, size_t bytes);
  return_code aie2gm_nb(void* memory, size_t bytes);
  return_code gm2aie(const void* memory, size_t bytes);
  return_code aie2gm(void* memory, size_t bytes);
  return_code wait();
  // Memory of a kernel in programmable logic behind this port. There is none here: the range is
  // checked and recorded.
  return_code pl_gm(void* memory, size_t bytes);

  detail::PortList<input> in;
  detail::PortList<output> out;

 private:
  return_code Post(const char* call, direction side, const void* memory, size_t bytes);
};
using input_gmio = GMIO;
using output_gmio = GMIO;

namespace simulation {

// `Inputs` sources and `Outputs` sinks, by file names or by objects.
template <int Inputs, int Outputs>
class platform {
 public:
  template <typename... File>
  requires(sizeof...(File) == Inputs + Outputs) explicit platform(const File&... files) {
    (Add(files), ...);
  }
  detail::PortList<output> src;
  detail::PortList<input> sink;

 private:
  void Add(const std::string& file) {
    owned_.push_back(std::make_shared<FileIO>(file));
    Add(owned_.back().get());
  }
  template <typename Io>
  requires(std::is_base_of_v<IoAttr, Io>) void Add(Io* io) {
    if (src.size() < Inputs) {
      src.Add(Shared(io, io->out[0].node()));
    } else {
      sink.Add(Shared(io, io->in[0].node()));
    }
  }
  template <typename Io>
  static std::shared_ptr<detail::PortNode> Shared(Io* io, detail::PortNode* port) {
    for (const auto& each : io->node()->ports) {
      if (each.get() == port) return each;
    }
    return nullptr;
  }
  std::vector<std::shared_ptr<FileIO>> owned_;
};

}  // namespace simulation

namespace event {

using handle = int;
inline constexpr handle invalid_handle = -1;

enum io_profiling_option {
  io_total_stream_running_to_idle_cycles,
  io_stream_start_to_bytes_transferred_cycles,
  io_stream_start_difference_cycles,
  io_stream_running_event_count,
};
enum kernel_profiling_option { kernel_between_pc_cycles };

// Call after init(). Not blocking; invalid_handle if the question makes no sense or no counter is
// free.
handle start_profiling(IoAttr& io, io_profiling_option option, uint32_t value = 0);
handle start_profiling(IoAttr& one, IoAttr& other, io_profiling_option option, uint32_t value = 0);
// Cycles of the latest iteration of a kernel. Kernels have no program counters here, so both
// numbers are ignored.
handle start_profiling(const kernel& k, kernel_profiling_option option, uint32_t first = 0,
                       uint32_t second = 0);
long long read_profiling(handle h);  // -1: no such handle
void stop_profiling(handle h);

}  // namespace event
}  // namespace adf
