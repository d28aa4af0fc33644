// A Fabric made of the class that Verilator generates for one configuration of tsr_channels.
//
// As VerilatedDut, but every pin is an array over channels or ports, packed without gaps.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "tb/sim/fabric.h"
#include "tb/sim/verilated_dut.h"

namespace tessera {
namespace pins {

// `width` bits (up to 64) from bit `first` of a pin on.
template <typename Pin>
uint64_t GetBits(const Pin& pin, int first, int width) {
  const auto* bytes = static_cast<const uint8_t*>(Bytes(pin));
  uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int bit = first + done, part = std::min(8 - bit % 8, width - done);
    value |= uint64_t{(bytes[bit / 8] >> (bit % 8)) & ((1U << part) - 1)} << done;
    done += part;
  }
  return value;
}
template <typename Pin>
void SetBits(Pin& pin, int first, int width, uint64_t value) {
  auto* bytes = static_cast<uint8_t*>(Bytes(pin));
  for (int done = 0; done < width;) {
    const int bit = first + done, part = std::min(8 - bit % 8, width - done);
    const unsigned mask = ((1U << part) - 1) << (bit % 8);
    const auto piece = static_cast<unsigned>(value >> done) << (bit % 8);
    bytes[bit / 8] = static_cast<uint8_t>((bytes[bit / 8] & ~mask) | (piece & mask));
    done += part;
  }
}
template <typename Pin>
void GetData(const Pin& pin, int index, int count, BusData& to) {
  std::memcpy(to.data(), static_cast<const uint8_t*>(Bytes(pin)) + index * count,
              static_cast<size_t>(count));
}
template <typename Pin>
void SetData(Pin& pin, int index, int count, const BusData& from) {
  std::memcpy(static_cast<uint8_t*>(Bytes(pin)) + index * count, from.data(),
              static_cast<size_t>(count));
}
template <typename Pin>
LaneMask GetLanes(const Pin& pin, int index, int lanes) {
  LaneMask mask;
  for (int done = 0; done < lanes; done += 64) {
    mask.word[static_cast<size_t>(done / 64)] =
        GetBits(pin, index * lanes + done, std::min(64, lanes - done));
  }
  return mask;
}
template <typename Pin>
void SetLanes(Pin& pin, int index, int lanes, const LaneMask& mask) {
  for (int done = 0; done < lanes; done += 64) {
    SetBits(pin, index * lanes + done, std::min(64, lanes - done),
            mask.word[static_cast<size_t>(done / 64)]);
  }
}

}  // namespace pins

template <typename VModel>
class VerilatedFabric final : public Fabric {
 public:
  VerilatedFabric(const FabricConfig& config, uint64_t seed)
      : Fabric(config),
        context_(NewVerilatedContext(seed)),
        model_(std::make_unique<VModel>(context_.get(), config.channel.name.c_str())) {}
  ~VerilatedFabric() override {
    Trace("");
    model_->final();
  }

  void Settle() override {
    for (int k = 0; k < config().reads; ++k) DriveRead(k);
    for (int k = 0; k < config().writes; ++k) DriveWrite(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    DriveWindow();
    model_->aresetn = aresetn;
    model_->quiesce_i = quiesce;
    model_->aclk = 0;
    Evaluate();
    for (int k = 0; k < config().channels(); ++k) channel(k).in.aresetn = aresetn;
    for (int k = 0; k < config().reads; ++k) SampleRead(k);
    for (int k = 0; k < config().writes; ++k) SampleWrite(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    window_refused = model_->window_refused_o;
    denied = static_cast<uint32_t>(model_->rd_denied_o) | static_cast<uint32_t>(model_->wr_denied_o)
                                                              << config().reads;
    quiet = model_->quiet_o;
    timed_out = model_->timed_out_o;
    strays = static_cast<uint32_t>(model_->rd_stray_o) | static_cast<uint32_t>(model_->wr_stray_o)
                                                             << config().ports;
    Project();
  }
  void Edge() override {
    FollowWrites();
    model_->aclk = 1;
    Evaluate();
  }
  void Trace([[maybe_unused]] const std::string& path) override {
#if VM_TRACE_FST
    if (trace_ != nullptr) {
      trace_->close();
      trace_.reset();
    }
    if (path.empty()) return;
    trace_ = std::make_unique<VerilatedFstC>();
    model_->trace(trace_.get(), 99);
    trace_->open(path.c_str());
#endif
  }

 protected:
  void SetTransfer(int number, Direction direction, const EngineTransfer& transfer) override {
    std::array<uint32_t, kTransferWords> words{};
    PackTransfer(transfer, words.data());
    const auto put = [&](auto& pin) {
      for (int bit = 0; bit < kTransferBits; bit += 32) {
        pins::SetBits(pin, number * kTransferBits + bit, std::min(32, kTransferBits - bit),
                      words[static_cast<size_t>(bit / 32)]);
      }
    };
    if (direction == Direction::kRead) {
      put(model_->rd_transfer_i);
    } else {
      put(model_->wr_transfer_i);
    }
  }

 private:
  void Evaluate() {
    model_->eval();
#if VM_TRACE_FST
    if (trace_ != nullptr) trace_->dump(context_->time());
#endif
    context_->timeInc(1);
    if (context_->gotFinish()) [[unlikely]] {
      throw std::runtime_error("fabric " + config().channel.name +
                               ": the model stopped (an assertion failed, see above) at time " +
                               std::to_string(context_->time()));
    }
  }

  template <typename Weight, typename Attr, typename User>
  static void DriveStanding(int k, const Standing& s, Weight& weight, Attr& attr, User& user) {
    pins::SetBits(weight, 4 * k, 4, s.weight);
    pins::SetBits(attr, 11 * k, 11, uint64_t{s.qos} << 7 | uint64_t{s.cache} << 3 | s.prot);
    pins::SetBits(user, k, 1, s.user);
  }

  static constexpr int kControlBits = 11, kStateBits = 90;

  template <typename Pin>
  static void DriveControl(int k, const Control& c, Pin& pin) {
    pins::SetBits(pin, kControlBits * k, kControlBits,
                  uint64_t{c.pause} << 10 | uint64_t{c.drain} << 9 | uint64_t{c.reset} << 8 |
                      uint64_t{c.give_up} << 7 | c.stop_on);
  }
  template <typename Pin>
  static void SampleState(int k, const Pin& pin, State& state) {
    const int first = kStateBits * k;
    const uint64_t word = pins::GetBits(pin, first + 64, kStateBits - 64);
    state = {.idle = (word >> 25 & 1) != 0,
             .paused = (word >> 24 & 1) != 0,
             .in_reset = (word >> 23 & 1) != 0,
             .stuck = (word >> 22 & 1) != 0,
             .faulted = (word >> 21 & 1) != 0,
             .cause = static_cast<Fault>(word >> 17 & 15),
             .named = (word >> 16 & 1) != 0,
             .transfer = static_cast<uint16_t>(word),
             .addr = pins::GetBits(pin, first, 64)};
  }

  void DriveWindow() {
    VModel& m = *model_;
    m.window_valid_i = window.valid;
    m.window_channel_i = window.channel;
    m.window_index_i = window.index;
    const uint64_t bits[] = {window.lock, window.write, window.read};
    for (int n = 0; n < 3; ++n) pins::SetBits(m.window_i, n, 1, bits[n]);
    pins::SetBits(m.window_i, 3, 52, window.last);
    pins::SetBits(m.window_i, 55, 52, window.first);
  }
  void DriveRead(int k) {
    VModel& m = *model_;
    const DutInputs& in = channel(k).in;
    pins::SetBits(m.rd_valid_i, k, 1, in.rd_valid);
    pins::SetBits(m.rd_done_ready_i, k, 1, in.rd_done_ready);
    pins::SetBits(m.rd_abort_i, k, 1, in.rd_abort);
    pins::SetBits(m.m_axis_tready, k, 1, in.m_tready);
    DriveStanding(k, read_standing(k), m.rd_weight_i, m.rd_attr_i, m.rd_user_i);
    DriveControl(k, control(k, Direction::kRead), m.rd_control_i);
  }
  void DriveWrite(int k) {
    VModel& m = *model_;
    const DutInputs& in = channel(k).in;
    const int bytes = config().channel.stream_bytes;
    pins::SetBits(m.wr_valid_i, k, 1, in.wr_valid);
    pins::SetBits(m.wr_done_ready_i, k, 1, in.wr_done_ready);
    pins::SetBits(m.wr_abort_i, k, 1, in.wr_abort);
    pins::SetBits(m.s_axis_tvalid, k, 1, in.s_tvalid);
    pins::SetBits(m.s_axis_tlast, k, 1, in.s_tlast);
    pins::SetLanes(m.s_axis_tkeep, k, bytes, in.s_tkeep);
    pins::SetData(m.s_axis_tdata, k, bytes, in.s_tdata);
    DriveStanding(k, write_standing(k), m.wr_weight_i, m.wr_attr_i, m.wr_user_i);
    DriveControl(k, control(k, Direction::kWrite), m.wr_control_i);
  }
  void DrivePort(int p) {
    VModel& m = *model_;
    const DutInputs& in = port(p).in;
    pins::SetBits(m.m_axi_arready, p, 1, in.arready);
    pins::SetBits(m.m_axi_rid, 4 * p, 4, in.rid);
    pins::SetData(m.m_axi_rdata, p, config().channel.data_bytes, in.rdata);
    pins::SetBits(m.m_axi_rresp, 2 * p, 2, in.rresp);
    pins::SetBits(m.m_axi_rlast, p, 1, in.rlast);
    pins::SetBits(m.m_axi_rvalid, p, 1, in.rvalid);
    pins::SetBits(m.m_axi_awready, p, 1, in.awready);
    pins::SetBits(m.m_axi_wready, p, 1, in.wready);
    pins::SetBits(m.m_axi_bid, 4 * p, 4, in.bid);
    pins::SetBits(m.m_axi_bresp, 2 * p, 2, in.bresp);
    pins::SetBits(m.m_axi_bvalid, p, 1, in.bvalid);
  }

  template <typename Pin>
  static EngineDone GetDone(const Pin& pin, int k) {
    std::array<uint32_t, kDoneWords> words{};
    for (int bit = 0; bit < kDoneBits; bit += 32) {
      words[static_cast<size_t>(bit / 32)] = static_cast<uint32_t>(
          pins::GetBits(pin, k * kDoneBits + bit, std::min(32, kDoneBits - bit)));
    }
    return UnpackDone(words.data());
  }

  void SampleRead(int k) {
    const VModel& m = *model_;
    DutOutputs& out = channel(k).out;
    const int bytes = config().channel.stream_bytes;
    out.rd_ready = pins::GetBits(m.rd_ready_o, k, 1) != 0;
    out.rd_done_valid = pins::GetBits(m.rd_done_valid_o, k, 1) != 0;
    if (out.rd_done_valid) out.rd_done = GetDone(m.rd_done_o, k);
    out.rd_idle = pins::GetBits(m.rd_idle_o, k, 1) != 0;
    SampleState(k, m.rd_state_o, shown_state(k, Direction::kRead));
    out.m_tvalid = pins::GetBits(m.m_axis_tvalid, k, 1) != 0;
    if (!out.m_tvalid) return;
    out.m_tlast = pins::GetBits(m.m_axis_tlast, k, 1) != 0;
    out.m_tkeep = pins::GetLanes(m.m_axis_tkeep, k, bytes);
    pins::GetData(m.m_axis_tdata, k, bytes, out.m_tdata);
  }
  void SampleWrite(int k) {
    const VModel& m = *model_;
    DutOutputs& out = channel(k).out;
    out.wr_ready = pins::GetBits(m.wr_ready_o, k, 1) != 0;
    out.wr_done_valid = pins::GetBits(m.wr_done_valid_o, k, 1) != 0;
    if (out.wr_done_valid) out.wr_done = GetDone(m.wr_done_o, k);
    out.wr_idle = pins::GetBits(m.wr_idle_o, k, 1) != 0;
    SampleState(k, m.wr_state_o, shown_state(k, Direction::kWrite));
    out.wr_held = static_cast<uint8_t>(pins::GetBits(m.wr_held_o, 8 * k, 8));
    out.s_tready = pins::GetBits(m.s_axis_tready, k, 1) != 0;
  }
  void SamplePort(int p) {
    const VModel& m = *model_;
    DutOutputs& out = port(p).out;
    const int width = config().channel.addr_width;
    const auto byte = [p](const auto& pin, int bits) {
      return static_cast<uint8_t>(pins::GetBits(pin, bits * p, bits));
    };
    out.arvalid = byte(m.m_axi_arvalid, 1) != 0;
    if (out.arvalid) {
      out.araddr = pins::GetBits(m.m_axi_araddr, width * p, width);
      out.arlen = byte(m.m_axi_arlen, 8);
      out.arid = byte(m.m_axi_arid, 4);
      out.arsize = byte(m.m_axi_arsize, 3);
      out.arburst = byte(m.m_axi_arburst, 2);
      port(p).ar = {0, byte(m.m_axi_arqos, 4), byte(m.m_axi_arcache, 4), byte(m.m_axi_arprot, 3),
                    byte(m.m_axi_aruser, 1)};
    }
    out.rready = byte(m.m_axi_rready, 1) != 0;
    out.awvalid = byte(m.m_axi_awvalid, 1) != 0;
    if (out.awvalid) {
      out.awaddr = pins::GetBits(m.m_axi_awaddr, width * p, width);
      out.awlen = byte(m.m_axi_awlen, 8);
      out.awid = byte(m.m_axi_awid, 4);
      out.awsize = byte(m.m_axi_awsize, 3);
      out.awburst = byte(m.m_axi_awburst, 2);
      port(p).aw = {0, byte(m.m_axi_awqos, 4), byte(m.m_axi_awcache, 4), byte(m.m_axi_awprot, 3),
                    byte(m.m_axi_awuser, 1)};
    }
    out.wvalid = byte(m.m_axi_wvalid, 1) != 0;
    if (out.wvalid) {
      out.wlast = byte(m.m_axi_wlast, 1) != 0;
      out.wstrb = pins::GetLanes(m.m_axi_wstrb, p, config().channel.data_bytes);
      pins::GetData(m.m_axi_wdata, p, config().channel.data_bytes, out.wdata);
    }
    out.bready = byte(m.m_axi_bready, 1) != 0;
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<VModel> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
};

}  // namespace tessera
