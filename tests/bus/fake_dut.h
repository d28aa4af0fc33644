// A small, slow engine pair written directly on the pins, to test the bench without any RTL.
//
// One transfer at a time in each direction, one-beat bursts, one outstanding. Does counts, strides,
// bounds, fill, length, TLAST at the end, finish by length, and abort. `Fault` makes it misbehave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/sim/dut.h"
#include "tb/sim/lanes.h"

namespace tessera {

class FakeDut : public Dut {
 public:
  enum class Fault : uint8_t { kNone, kNoRecord, kTwoRecords, kCross4K, kNeverIdle, kBadData };

  explicit FakeDut(int bytes = 8, Fault fault = Fault::kNone) : fault_(fault) {
    config_.name = "fake";
    config_.data_bytes = config_.stream_bytes = bytes;
  }
  const Config& config() const override { return config_; }
  void Settle() override {
    read.transfer.ready = !read_.busy && !read.abort;
    write.transfer.ready = !write_.busy && !write.abort;
    read.done.valid = read_.done_valid;
    write.done.valid = write_.done_valid;
    read.done.payload = read_.done;
    write.done.payload = write_.done;
    read.idle = fault_ != Fault::kNeverIdle && !read_.busy;
    write.idle = !write_.busy;
    axi.ar.valid = ar_valid_;
    axi.ar->addr = bus_addr_r_;
    axi.ar->len = fault_ == Fault::kCross4K ? 255 : 0;
    axi.ar->size = axi.aw->size = Size();
    axi.ar->burst = axi.aw->burst = 1;
    axi.r.ready = r_wait_;
    axi.aw.valid = aw_valid_;
    axi.aw->addr = bus_addr_w_;
    axi.w.valid = w_valid_;
    axi.w->last = true;
    axi.w->strb = w_strobe_;
    axi.w->data = w_data_;
    axi.b.ready = b_wait_;
    m_axis.valid = m_valid_;
    m_axis->last = m_last_;
    m_axis->keep = m_keep_;
    m_axis->data = m_data_;
    s_axis.ready = s_ready_;
  }
  void Edge() override {
    ++cycle_;
    if (!aresetn) {
      read_ = write_ = {};
      ar_valid_ = r_wait_ = aw_valid_ = w_valid_ = b_wait_ = m_valid_ = s_ready_ = false;
      m_keep_ = {};
      return;
    }
    EdgeRead();
    EdgeWrite();
  }
  void Trace(const std::string& path) override { traces.push_back(path); }

  std::vector<std::string> traces;  // what Trace() was called with

 private:
  struct Position {
    uint64_t addr;
    bool valid;
  };
  struct Side {
    bool busy = false, done_valid = false, repeated = false;
    EngineTransfer transfer;
    std::vector<Position> positions;
    size_t next = 0;
    rtl::Done done;
  };

  uint8_t Size() const {
    uint8_t size = 0;
    while ((1 << size) < config_.data_bytes) ++size;
    return size;
  }
  uint64_t Align(uint64_t addr) const {
    return addr & ~static_cast<uint64_t>(config_.data_bytes - 1);
  }

  static std::vector<Position> Enumerate(const EngineTransfer& t) {
    const DescriptorWords& w = t.base;
    const auto wide = [](uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; };
    const uint64_t elem = Elem(t);
    uint64_t total = 1;
    for (size_t d = 0; d < 4; ++d) total *= w[2 + d];
    if ((w[15] >> 3 & 1) != 0 && total != 0) total = w[10];
    std::vector<Position> positions;
    for (uint64_t n = 0; n < total; ++n) {
      uint64_t left = n;
      uint64_t addr = wide(w[0], w[1]);
      bool valid = true;
      for (size_t d = 0; d < 4; ++d) {
        const uint64_t count = w[2 + d];
        auto x = static_cast<int64_t>(d == 3 ? left : left % count);
        left /= count;
        uint64_t stride = static_cast<uint64_t>(int64_t{static_cast<int32_t>(w[6 + d])});
        if (t.bounds) {
          const DescriptorWords& b = *t.bounds;
          stride = wide(w[6 + d], b[12 + d]);
          x += static_cast<int32_t>(b[d]);
          valid = valid && ((b[10] >> d & 1) == 0 || (x >= 0 && x < int64_t{b[4 + d]}));
        }
        addr += static_cast<uint64_t>(x) * stride;
      }
      for (uint64_t b = 0; b < elem; ++b) positions.push_back({addr + b, valid});
    }
    return positions;
  }
  static size_t Elem(const EngineTransfer& t) { return size_t{1} << (t.base[15] & 7); }
  static uint8_t FillByte(const EngineTransfer& t, size_t byte) {
    return byte < 8 ? static_cast<uint8_t>((*t.bounds)[8 + byte / 4] >> (8 * (byte % 4))) : 0;
  }

  // Common to both: accept a transfer, hand over the record. True while a transfer runs.
  bool EdgeSide(Side* side, const EnginePort& port) {
    if (side->done_valid && port.done.ready) {
      if (fault_ == Fault::kTwoRecords && !side->repeated) {
        side->repeated = true;
        return false;
      }
      side->done_valid = side->busy = false;
      return false;
    }
    if (!side->busy && port.transfer.moves()) {
      const EngineTransfer offered = port.transfer.payload;
      *side = {};
      side->transfer = offered;
      side->busy = true;
      side->positions = Enumerate(offered);
    }
    return side->busy && !side->done_valid;
  }
  void Complete(Side* side, uint8_t status) {
    if (fault_ == Fault::kNoRecord) return;
    side->done_valid = true;
    side->done.status = static_cast<uint8_t>(side->done.status | status);
  }
  void Note(Side* side, uint64_t addr, uint8_t response) {
    if (response < 2) return;
    if (side->done.status == 0) side->done.addr = addr;
    side->done.status |= response == 2 ? rtl::Status::kSlverr : rtl::Status::kDecerr;
  }

  void EdgeRead() {
    const bool running = EdgeSide(&read_, read);
    if (ar_valid_ && axi.ar.ready) {
      ar_valid_ = false;
      r_wait_ = true;
      return;
    }
    if (r_wait_) {
      if (!axi.r.valid) return;
      r_wait_ = false;
      Note(&read_, bus_addr_r_, axi.r->resp);
      while (read_.next < read_.positions.size() && read_.positions[read_.next].valid &&
             Align(read_.positions[read_.next].addr) == bus_addr_r_ && !Full()) {
        const uint64_t addr = read_.positions[read_.next++].addr;
        Emit(axi.r->data[addr - bus_addr_r_]);
      }
      Flush();
      return;
    }
    if (m_valid_) {
      if (!m_axis.ready) return;
      m_valid_ = false;
      read_.done.bytes += static_cast<uint64_t>(CountLanes(m_keep_));
      m_keep_ = {};
    }
    if (!running || ar_valid_) return;
    if (read.abort) {
      m_keep_ = {};
      Complete(&read_, rtl::Status::kAborted);
      return;
    }
    if (read_.next == read_.positions.size()) {
      read_.done.last = m_last_;
      Complete(&read_, 0);
      return;
    }
    if (read_.positions[read_.next].valid) {
      ar_valid_ = true;
      bus_addr_r_ = Align(read_.positions[read_.next].addr);
      return;
    }
    Emit(FillByte(read_.transfer, read_.next % Elem(read_.transfer)));
    ++read_.next;
    Flush();
  }
  bool Full() const { return CountLanes(m_keep_) == config_.stream_bytes; }
  void Emit(uint8_t byte) {
    const int lane = CountLanes(m_keep_);
    m_data_[static_cast<size_t>(lane)] =
        static_cast<uint8_t>(fault_ == Fault::kBadData && read_.next == 5 ? byte ^ 1 : byte);
    m_keep_.Set(lane);
  }
  void Flush() {
    m_last_ = read_.next == read_.positions.size();
    if (Full() || m_last_) m_valid_ = true;
  }

  void EdgeWrite() {
    const bool running = EdgeSide(&write_, write);
    if (s_ready_ && s_axis.valid) {
      for (int lane = 0; lane < config_.stream_bytes; ++lane) {
        if (s_axis->keep[lane]) held_.push_back(s_axis->data[static_cast<size_t>(lane)]);
      }
      s_ready_ = false;
      return;
    }
    if (aw_valid_ || w_valid_) {
      if (axi.aw.ready) aw_valid_ = false;
      if (axi.w.ready) w_valid_ = false;
      b_wait_ = !aw_valid_ && !w_valid_;
      return;
    }
    if (b_wait_) {
      if (!axi.b.valid) return;
      b_wait_ = false;
      Note(&write_, bus_addr_w_, axi.b->resp);
    }
    if (!running || s_ready_) {
      if (write.abort) s_ready_ = false;
      if (!running) return;
    }
    if (write.abort) {
      s_ready_ = false;
      held_.clear();
      Complete(&write_, rtl::Status::kAborted);
      return;
    }
    if (write_.next == write_.positions.size()) {
      s_ready_ = false;
      Complete(&write_, 0);
      return;
    }
    if (held_.empty()) {
      s_ready_ = true;
      return;
    }
    w_strobe_ = {};
    size_t taken = 0;
    while (taken < held_.size() && write_.next < write_.positions.size()) {
      const Position p = write_.positions[write_.next];
      if (p.valid) {
        if (NoLanes(w_strobe_)) bus_addr_w_ = Align(p.addr);
        if (Align(p.addr) != bus_addr_w_ || w_strobe_[static_cast<int>(p.addr - bus_addr_w_)])
          break;
        w_strobe_.Set(static_cast<int>(p.addr - bus_addr_w_));
        w_data_[p.addr - bus_addr_w_] = held_[taken];
      }
      ++taken;
      ++write_.next;
    }
    write_.done.bytes += taken;
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(taken));
    aw_valid_ = w_valid_ = !NoLanes(w_strobe_);
  }

  Config config_;
  Fault fault_;
  uint64_t cycle_ = 0;
  Side read_, write_;
  bool ar_valid_ = false, r_wait_ = false, m_valid_ = false, m_last_ = false;
  bool aw_valid_ = false, w_valid_ = false, b_wait_ = false, s_ready_ = false;
  uint64_t bus_addr_r_ = 0, bus_addr_w_ = 0;
  LaneMask m_keep_, w_strobe_;
  BusData m_data_{}, w_data_{};
  std::vector<uint8_t> held_;
};

}  // namespace tessera
