// Words of streams with keep and last: ap_axiu, and qdma_axis of host streams.
#pragma once

#include "ap_int.h"

namespace tessera_axis {

template <int D>
struct Word {
  static_assert(D == 8 || D == 16 || D == 32 || D == 64 || D == 128 || D == 256 || D == 512,
                "tessera: a stream word has 8, 16, 32, 64, 128, 256 or 512 bits");
  static constexpr int kBytes = D / 8;
  ap_uint<D> data;
  ap_uint<kBytes> keep = All();
  ap_uint<1> last = 0;

  static constexpr ap_uint<kBytes> All() {
    return kBytes == 64 ? ~uint64_t{0} : (uint64_t{1} << (kBytes % 64)) - 1;
  }
};

}  // namespace tessera_axis

// Side channels have width 0: streams carry data, keep and last.
template <int D, int U, int I, int T>
struct ap_axiu : tessera_axis::Word<D> {
  static_assert(U == 0 && I == 0 && T == 0, "tessera: user, id and dest of a stream have 0 bits");
};

template <int D, int U, int I, int T>
class qdma_axis : public ap_axiu<D, U, I, T> {
 public:
  ap_uint<D> get_data() const { return this->data; }
  ap_uint<D / 8> get_keep() const { return this->keep; }
  ap_uint<1> get_last() const { return this->last; }
  void set_data(const ap_uint<D>& data) { this->data = data; }
  void set_keep(const ap_uint<D / 8>& keep) { this->keep = keep; }
  void set_last(const ap_uint<1>& last) { this->last = last; }
  void keep_all() { this->keep = tessera_axis::Word<D>::All(); }
};
