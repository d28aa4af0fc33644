// The event API: how long streams run, and how many beats pass.
#include "example.h"

using namespace adf;

void copy(input_stream<int32>* in, output_stream<int32>* out) {
  for (int n = 0; n < 64; ++n) writeincr(out, readincr(in));
}

class ProfiledGraph : public graph {
 public:
  input_gmio in;
  output_gmio out;
  ProfiledGraph() {
    k = kernel::create(copy);
    in = input_gmio::create("in", 64, 1000);
    out = output_gmio::create("out", 64, 1000);
    connect<stream>(in.out[0], k.in[0]);
    connect<stream>(k.out[0], out.in[0]);
  }
  kernel k;
};

ProfiledGraph g;

int main() {
  constexpr size_t kBytes = 64 * 16 * sizeof(int32);
  auto* from = static_cast<int32*>(GMIO::malloc(kBytes));
  auto* to = static_cast<int32*>(GMIO::malloc(kBytes));
  for (size_t n = 0; n < kBytes / 4; ++n) from[n] = static_cast<int32>(n * n);
  if (g.init() != return_code::ok) return 1;
  const event::handle bytes =
      event::start_profiling(g.out, event::io_stream_start_to_bytes_transferred_cycles, kBytes);
  const event::handle beats = event::start_profiling(g.out, event::io_stream_running_event_count);
  g.run(16);
  g.in.gm2aie_nb(from, kBytes);
  g.out.aie2gm_nb(to, kBytes);
  if (g.out.wait() != return_code::ok) return 1;
  const long long cycles = event::read_profiling(bytes);
  const long long count = event::read_profiling(beats);
  event::stop_profiling(bytes);
  event::stop_profiling(beats);
  if (g.end() != return_code::ok) return 1;
  std::printf("%lld beats, %zu bytes in %lld cycles\n", count, kBytes, cycles);
  if (bytes == event::invalid_handle || beats == event::invalid_handle || cycles <= 0 ||
      count != kBytes / 8) {
    return 1;
  }
  const std::vector<int32> came(to, to + kBytes / 4), expected(from, from + kBytes / 4);
  example::Write("output.txt", came);
  GMIO::free(from);
  GMIO::free(to);
  return example::Compare(came, expected);
}
