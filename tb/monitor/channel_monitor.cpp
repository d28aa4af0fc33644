// What messages say of payloads.
#include "tb/monitor/channel_monitor.h"

#include "tb/sim/counted.h"

namespace tessera {

bool Same(const AxisBeat& a, const AxisBeat& b) {
  if (a.keep != b.keep || a.last != b.last || a.side != b.side) return false;
  if (a.data == b.data) return true;
  for (int lane = 0; lane < kMaxBusBytes; ++lane) {
    const auto at = static_cast<size_t>(lane);
    if (a.keep[lane] && a.data[at] != b.data[at]) return false;
  }
  return true;
}

std::string Describe(const AxiAddress& a) {
  return fmt::format("address {:#x} len {} size {} burst {} id {}", a.addr, a.len, a.size, a.burst,
                     a.id);
}
std::string Describe(const AxiReadBeat& r) {
  return fmt::format("RRESP {}, RLAST {}, RID {}", r.resp, r.last, r.id);
}
std::string Describe(const AxiWriteBeat& w) {
  return fmt::format("WSTRB {:#x}, WLAST {}", w.strb.word[0], w.last);
}
std::string Describe(const AxiWriteResponse& b) {
  return fmt::format("BRESP {}, BID {}", b.resp, b.id);
}
std::string Describe(const LiteAddress& a) {
  return fmt::format("address {:#x} prot {}", a.addr, a.prot);
}
std::string Describe(const LiteReadData& r) {
  return fmt::format("RDATA {:#x}, RRESP {}", r.data, r.resp);
}
std::string Describe(const LiteWriteData& w) {
  return fmt::format("WDATA {:#x}, WSTRB {:#x}", w.data, w.strb);
}
std::string Describe(const LiteWriteResponse& b) { return fmt::format("BRESP {}", b.resp); }
std::string Describe(const AxisBeat& t) {
  return fmt::format("TKEEP {:#x}:{:016x}, TLAST {}, TDEST {}, TID {}, TUSER {:#x}", t.keep.word[1],
                     t.keep.word[0], t.last, t.side.dest, t.side.id, t.side.user);
}
std::string Describe(const rtl::Done& d) {
  return fmt::format("{}, status {:#x}", Counted(d.bytes, "byte"), d.status);
}

}  // namespace tessera
