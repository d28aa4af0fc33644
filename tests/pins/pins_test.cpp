// A value that C++ puts into a field arrives there in SystemVerilog, and the other way round.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tb/sim/unit.h"
#include "units/Vpins_top.h"

namespace tessera {
namespace {

class Pins : public testing::Test {
 protected:
  VerilatedUnit<Vpins_top> unit_{1};
  Vpins_top_Pins pins_{unit_.model()};
};

TEST_F(Pins, FieldsOfAStructInAnArray) {
  const auto request = pins_.request_i();
  for (int p = 0; p < decltype(request)::kSize; ++p) {
    const auto n = static_cast<uint64_t>(p);
    request[p].ar().id() = 5 + n;
    request[p].ar().addr() = 0xab01020304 + n;
    rtl::AxiAttr attr;
    attr.cache = static_cast<uint8_t>(9 + n);
    request[p].ar().attr() = attr;
    request[p].ar_valid() = p != 1;
    BusData data{};
    for (size_t lane = 0; lane < 32; ++lane) data[lane] = static_cast<uint8_t>(7 * lane + n);
    request[p].w().data() = data;
    LaneMask lanes;
    lanes.word[0] = 0xf1234567u - n;
    request[p].w().strb() = lanes;
    request[p].cause() = rtl::Fault::kStream;
    request[p].turns()[0] = 2;
    request[p].turns()[1] = 6;
  }
  unit_.Evaluate();
  for (int p = 0; p < decltype(request)::kSize; ++p) {
    const auto n = static_cast<uint64_t>(p);
    EXPECT_EQ(uint64_t{pins_.id_o()[p]}, 5 + n);
    EXPECT_EQ(uint64_t{pins_.addr_o()[p]}, 0xab01020304 + n);
    EXPECT_EQ(uint64_t{pins_.cache_o()[p]}, 9 + n);
    EXPECT_EQ(bool{pins_.valid_o()[p]}, p != 1);
    BusData data{};
    pins_.data_o()[p].To(data);
    for (size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(data[lane], static_cast<uint8_t>(7 * lane + n)) << lane;
    }
    LaneMask lanes;
    pins_.strb_o()[p].To(lanes);
    EXPECT_EQ(lanes.word[0], 0xf1234567u - n);
    EXPECT_EQ(int{pins_.cause_o()[p]}, static_cast<int>(rtl::Fault::kStream));
    EXPECT_EQ(int{pins_.turn1_o()[p]}, 6);

    const auto back = pins_.request_o()[decltype(request)::kSize - 1 - p];
    EXPECT_EQ(uint64_t{back.ar().addr()}, 0xab01020304 + n);
    EXPECT_EQ(rtl::AxiAttr(back.ar().attr()).cache, 9 + n);
    EXPECT_EQ(rtl::Fault(back.cause()), rtl::Fault::kStream);
    EXPECT_EQ(int{back.turns()[0]}, 2);
    back.w().data().To(data);
    EXPECT_EQ(data[31], static_cast<uint8_t>(7 * 31 + n));
  }
}

TEST_F(Pins, AnArrayThatCountsUp) {
  rtl::AxiAttr attr;
  attr.qos = 0xb;
  pins_.up_i()[0] = attr;
  attr = {};
  attr.prot = 5;
  pins_.up_i()[1] = attr;
  unit_.Evaluate();
  EXPECT_EQ(int{pins_.up0_qos_o()}, 0xb);
  EXPECT_EQ(int{pins_.up1_prot_o()}, 5);
}

rtl::Transfer Filled() {
  rtl::Transfer t;
  t.addr = 0x0123456789abcdef;
  for (size_t d = 0; d < 4; ++d) {
    const auto n = static_cast<unsigned>(d);
    t.dim[d] = {0x1111111111111111U * (n + 1), 0xc0000000U + n, -0x1d0000000 - int64_t{n},
                0x1e0000000 + int64_t{n}, n % 2 == 0};
    t.walk[d] = {0x2222222222222222U * (n + 1), 0xa0000000U + n, 0xb0000000U + n,
                 static_cast<uint8_t>(3 - n)};
  }
  t.has_walk = t.has_length = true;
  t.length = 0x89abcdef;
  t.elem_log2 = 5;
  t.fill = 0xfedcba9876543210;
  t.last_rule = rtl::LastRule::kTask;
  t.last_level = 6;
  t.join_next = true;
  t.finish = rtl::Finish::kLast;
  t.row = 0xdeadbeef;
  t.pair = 0b0110;
  return t;
}

TEST_F(Pins, ATransfer) {
  const rtl::Transfer t = Filled();
  pins_.transfer_i() = t;
  unit_.Evaluate();
  EXPECT_EQ(uint64_t{pins_.base_o()}, t.addr);
  EXPECT_EQ(uint64_t{pins_.stride2_o()}, t.dim[2].stride);
  EXPECT_EQ(uint32_t{pins_.count3_o()}, t.dim[3].count);
  EXPECT_EQ(int64_t{pins_.ahead1_o()}, t.dim[1].ahead);
  EXPECT_EQ(uint32_t{pins_.step1_o()}, t.walk[1].step);
  EXPECT_EQ(int{pins_.walk3_dim_o()}, 0);
  EXPECT_EQ(int{pins_.last_rule_o()}, 2);
  EXPECT_TRUE(bool{pins_.finish_o()});
  EXPECT_EQ(int{pins_.pair_o()}, 0b0110);
  EXPECT_EQ(rtl::Transfer(pins_.transfer_o()), t);
}

TEST_F(Pins, StructsThatTheModelDrives) {
  unit_.Evaluate();
  const rtl::Done done = pins_.done_o();
  EXPECT_EQ(done.addr, 0x123456789abcdef0u);
  EXPECT_EQ(done.bytes, 0x123456789abcu);
  EXPECT_EQ(done.dropped, 7u);
  EXPECT_TRUE(done.last);
  EXPECT_EQ(done.status, rtl::Status::kIllegal | rtl::Status::kDecerr);
  const rtl::ChannelState state = pins_.state_o();
  EXPECT_TRUE(state.stuck);
  EXPECT_FALSE(state.idle || state.faulted || state.named);
  EXPECT_EQ(state.cause, rtl::Fault::kStreamTime);
  EXPECT_EQ(state.transfer, 0xbeef);
  EXPECT_EQ(state.addr, 0xfeedu);
}

TEST_F(Pins, EnumsHaveTheNamesOfThePackage) {
  pins_.fault_i() = rtl::Fault::kDoubt;
  unit_.Evaluate();
  EXPECT_EQ(int{pins_.fault_o()}, 5);
  EXPECT_EQ(NameOf(rtl::Fault::kStreamTime), "stream_time");
  EXPECT_EQ(NameOf(rtl::LastRule::kNever), "never");
  EXPECT_EQ(NameOf(static_cast<rtl::Fault>(15)), "unknown");
  EXPECT_EQ(rtl::Status::kNames[1].second, "decerr");
}

TEST(Types, AValueTooWideForItsFieldIsRefused) {
  std::vector<uint32_t> words(rtl::Transfer::kBits / 32 + 1);
  const auto refused = [&](const rtl::Transfer& t) -> std::string {
    try {
      t.Pack(pins::Place(words.data()));
    } catch (const std::out_of_range& error) {
      return error.what();
    }
    return "";
  };
  rtl::Transfer t = Filled();
  EXPECT_EQ(refused(t), "");
  EXPECT_EQ(rtl::Transfer::Unpack(pins::Place(words.data())), t);
  t.elem_log2 = 8;
  EXPECT_EQ(refused(t), "tsr_pkg::transfer_t.elem_log2 is 8; legal is what fits 3 bits");
  t.elem_log2 = 7;
  t.walk[2].dim = 4;
  EXPECT_NE(refused(t), "");
  t.walk[2].dim = 0;
  t.dim[1].last = int64_t{1} << (rtl::kIndexWidth - 1);
  EXPECT_NE(refused(t), "");
  t.dim[1].last = -t.dim[1].last;
  EXPECT_EQ(refused(t), "");
  t.dim[1].ahead = t.dim[1].last - 1;
  EXPECT_NE(refused(t), "");
}

TEST(Types, EveryFieldIsVisited) {
  rtl::Done done;
  std::string names;
  rtl::Done::Visit(done, [&](const char* name, const auto&) { names += std::string(name) + " "; });
  EXPECT_EQ(names, "addr bytes dropped last status ");
}

}  // namespace
}  // namespace tessera
