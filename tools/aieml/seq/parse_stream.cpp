// Streams of the device: flows, packet flows, switch boxes, multiplexers of shims; see parser.h.
#include <fmt/format.h>

#include <algorithm>

#include "tools/aieml/seq/parser.h"

namespace tessera::seq {
namespace {

constexpr uint32_t kEnable = 1u << 31, kPacket = 1u << 30, kDropHeader = 1u << 7;

struct Bundle {
  std::string_view text, name;  // as MLIR has it, and as the registers have it
};
constexpr Bundle kBundles[] = {
    {"Core", "Core"},  {"DMA", "DMA"},     {"FIFO", "FIFO"}, {"South", "South"},
    {"West", "West"},  {"North", "North"}, {"East", "East"}, {"TileControl", "Tile_Ctrl"},
    {"Trace", "Trace"}};

}  // namespace

void Parser::PortOperand(std::string* bundle, Number* number) {
  if (Peek().kind != Kind::kWord && Peek().kind != Kind::kText) Unexpected("a port, as South : 3");
  *bundle = lexer_.Next().text;
  Expect(":");
  number->place = Peek().place;
  number->value = Integer();
}

// Between DMAs and control packets; other flows are no part of a run.
std::optional<Flow::End> Parser::FlowEnd() {
  Flow::End end;
  end.tile = TileOperand();
  Expect(",");
  std::string bundle;
  Number number;
  PortOperand(&bundle, &number);
  end.channel = static_cast<uint32_t>(number.value & 0xff);
  end.control = bundle == "TileControl";
  return end.control || bundle == "DMA" ? std::optional(end) : std::nullopt;
}

void Parser::FlowOp() {
  Expect("(");
  const auto from = FlowEnd();
  Expect(",");
  const auto to = FlowEnd();
  Expect(")");
  if (from && to) {
    out_.flows.push_back({*from, *to});
  } else {
    ++out_.passed["aie.flow that is not between DMAs"];
  }
  SkipOperation();
}

// "(0x1) { aie.packet_source<%tile, DMA : 0> aie.packet_dest<%tile, DMA : 1> ... }".
void Parser::PacketFlowOp() {
  Flow flow;
  Expect("(");
  flow.packet = static_cast<uint32_t>(Integer() & 31);
  Expect(")");
  Expect("{");
  std::optional<Flow::End> from;
  std::vector<std::optional<Flow::End>> to;
  while (!Take("}")) {
    const bool source = TakeWord("aie.packet_source");
    if (!source && !TakeWord("aie.packet_dest")) {
      if (TakeWord("aie.end")) continue;
      Unexpected("aie.packet_source, aie.packet_dest or aie.end");
    }
    Expect("<");
    const auto end = FlowEnd();
    Expect(">");
    if (source) {
      from = end;
    } else {
      to.push_back(end);
    }
  }
  const Attributes attributes = AttributeList();
  const auto keep = attributes.find("keep_pkt_header");
  flow.keep_header = keep != attributes.end() && keep->second.number != 0;
  for (const auto& end : to) {
    if (from && end) {
      flow.from = *from;
      flow.to = *end;
      out_.flows.push_back(flow);
    } else if (!from || !from->control) {  // tokens of a tile reach whoever waits without a flow
      ++out_.passed["aie.packet_flow that is not between DMAs"];
    }
  }
}

uint32_t Parser::PortRegister(TileRef tile, bool master, const std::string& bundle, Number number) {
  const auto* known = std::find_if(std::begin(kBundles), std::end(kBundles),
                                   [&](const Bundle& b) { return b.text == bundle; });
  const std::string name =
      fmt::format("Stream_Switch_{}_{}", master ? "Master" : "Slave",
                  known == std::end(kBundles) ? std::string_view("?") : known->name);
  for (const aieml::Register& entry : aieml::RegistersOf(out_.device.KindOf(tile.row))) {
    if (entry.name != name && entry.name != name + "{}") continue;
    if (number.value >= 0 && number.value < entry.count) {
      return entry.first + entry.pitch * static_cast<uint32_t>(number.value);
    }
    lexer_.Fail(number.place,
                fmt::format("there is no {} port {} {} in the switch of tile ({},{}): "
                            "legal are 0 to {}",
                            master ? "master" : "slave", bundle, number.value, tile.column,
                            tile.row, entry.count - 1));
  }
  lexer_.Fail(number.place,
              fmt::format("there is no {} port {:.40} in the switch of tile ({},{})",
                          master ? "master" : "slave", bundle, tile.column, tile.row));
}

void Parser::Setup(TileRef tile, uint32_t offset, uint32_t value) {
  out_.setup.emplace_back(driver::npu::AddressOf(tile.column, tile.row, offset), value);
}

// "(%tile) { aie.connect<..>, aie.amsel, aie.masterset, aie.packet_rules }".
void Parser::SwitchOp() {
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(")");
  Expect("{");
  const uint32_t slaves =
      out_.device.KindOf(tile.row) == aieml::TileKind::kMemory ? 0xb0100 : 0x3f100;
  std::map<std::string, std::pair<uint32_t, uint32_t>> amsels;  // arbiter and msel
  const auto amsel = [&] {
    if (Peek().kind != Kind::kValue || !amsels.contains(Peek().text)) Unexpected("an aie.amsel");
    return amsels[lexer_.Next().text];
  };
  std::string bundle;
  Number number;
  while (!Take("}")) {
    const std::string result = Result();
    if (TakeWord("aie.connect")) {
      Expect("<");
      PortOperand(&bundle, &number);
      const uint32_t slave = PortRegister(tile, false, bundle, number);
      Expect(",");
      PortOperand(&bundle, &number);
      const uint32_t master = PortRegister(tile, true, bundle, number);
      Expect(">");
      Setup(tile, slave, kEnable);
      Setup(tile, master, kEnable | (slave - slaves) / 4);
    } else if (TakeWord("aie.amsel")) {
      Expect("<");
      const auto arbiter = static_cast<uint32_t>(Integer() & 7);
      Expect(">");
      Expect("(");
      amsels[result] = {arbiter, static_cast<uint32_t>(Integer() & 3)};
      Expect(")");
    } else if (TakeWord("aie.masterset")) {
      Expect("(");
      PortOperand(&bundle, &number);
      const uint32_t master = PortRegister(tile, true, bundle, number);
      uint32_t word = kEnable | kPacket;
      while (Take(",")) {
        const auto [arbiter, msel] = amsel();
        word |= arbiter | 1u << (3 + msel);
      }
      Expect(")");
      const Attributes attributes = AttributeList();
      const auto keep = attributes.find("keep_pkt_header");
      const bool ends =
          bundle == "DMA" || bundle == "TileControl" || (tile.row == 0 && bundle == "South");
      if (ends && (keep == attributes.end() || keep->second.number == 0)) word |= kDropHeader;
      Setup(tile, master, word);
    } else if (TakeWord("aie.packet_rules")) {
      Expect("(");
      PortOperand(&bundle, &number);
      Expect(")");
      const uint32_t slave = PortRegister(tile, false, bundle, number);
      Setup(tile, slave, kEnable | kPacket);
      Expect("{");
      for (uint32_t slot = 0; !Take("}"); ++slot) {
        const Place place = Peek().place;
        if (!TakeWord("aie.rule")) Unexpected("aie.rule or \"}\"");
        if (slot > 3) lexer_.Fail(place, "a fifth rule of a port: legal are 4");
        Expect("(");
        const auto mask = static_cast<uint32_t>(Integer() & 31);
        Expect(",");
        const auto id = static_cast<uint32_t>(Integer() & 31);
        Expect(",");
        const auto [arbiter, msel] = amsel();
        Expect(")");
        (void)AttributeList();
        Setup(tile, slaves + 0x100 + 4 * (slave - slaves) + 4 * slot,
              id << 24 | mask << 16 | 1u << 8 | msel << 4 | arbiter);
      }
    } else if (!TakeWord("aie.end")) {
      Unexpected("aie.connect, aie.amsel, aie.masterset, aie.packet_rules or \"}\"");
    }
  }
}

// "(%tile) { aie.connect<DMA : 0, North : 3> ... }": ports to the north are those of the switch to
// the south.
void Parser::ShimMuxOp() {
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(")");
  Expect("{");
  uint32_t mux = 0, demux = 0;
  const auto value = [](const std::string& bundle) {
    return bundle == "DMA" ? 1u : bundle == "NOC" ? 2u : 0u;
  };
  const auto place = [&](Number number, std::initializer_list<std::pair<int64_t, uint32_t>> all) {
    for (const auto& [port, low] : all) {
      if (port == number.value) return low;
    }
    lexer_.Fail(number.place,
                fmt::format("port {} has no multiplexer: legal are 2, 3, 6, 7 into the "
                            "array, 2 to 5 out of it",
                            number.value));
  };
  while (!Take("}")) {
    if (TakeWord("aie.end")) continue;
    if (!TakeWord("aie.connect")) Unexpected("aie.connect or \"}\"");
    std::string from, to;
    Number from_number, to_number;
    Expect("<");
    PortOperand(&from, &from_number);
    Expect(",");
    PortOperand(&to, &to_number);
    Expect(">");
    if (to == "North") {
      mux |= value(from) << place(to_number, {{2, 8}, {3, 10}, {6, 12}, {7, 14}});
    } else {
      demux |= value(to) << place(from_number, {{2, 4}, {3, 6}, {4, 8}, {5, 10}});
    }
  }
  Setup(tile, 0x1f000, mux);
  Setup(tile, 0x1f004, demux);
}

}  // namespace tessera::seq
