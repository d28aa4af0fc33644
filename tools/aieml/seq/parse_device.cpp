// The device around a sequence: tiles, buffers, locks, allocations, data; see parser.h.
#include <fmt/format.h>

#include <algorithm>

#include "tools/aieml/seq/parser.h"

namespace tessera::seq {

Sequence Parser::Run(const std::string& name) {
  FindDevice(name);
  if (!sequence_) {
    throw Error(
        fmt::format("{}:1:1: there is no runtime sequence{}: legal is a file with "
                    "aiex.runtime_sequence or aie.runtime_sequence",
                    lexer_.file(), name.empty() ? "" : " @" + name));
  }
  PlaceBuffers(lexer_, out_.device, stacks_, &buffers_);
  lexer_ = *sequence_;
  lowering_.emplace(&lexer_, &out_.device, &buffers_, &locks_);
  for (const DmaProgram& program : programs_) {
    lowering_->Launch(program.task, program.back, &out_.setup);
  }
  Arguments();
  Body();
  out_.program = lowering_->program();
  out_.locks = locks_;
  return std::move(out_);
}

// Modules and devices down to the first that has the sequence.
void Parser::FindDevice(const std::string& name) {
  while (Peek().kind != Kind::kEnd && !sequence_) {
    if (TakeWord("module")) {
      if (Peek().kind == Kind::kSymbol) lexer_.Next();
      if (TakeWord("attributes")) SkipBalanced();
      Expect("{");
    } else if (Peek().kind == Kind::kWord && Peek().text == "aie.device") {
      lexer_.Next();
      Expect("(");
      SetDevice(Peek());
      lexer_.Next();
      Expect(")");
      if (Peek().kind == Kind::kSymbol) lexer_.Next();
      Expect("{");
      DeviceBody(name);
    } else if (Peek().kind == Kind::kText) {
      Unexpected("the form that aie-opt prints; not the generic form with names in quotes");
    } else {
      lexer_.Next();
    }
  }
}

void Parser::SetDevice(const Token& word) {
  const std::string& name = word.text;
  Device& device = out_.device;
  device = {};
  device.name = name;
  names_.clear();
  buffers_.clear();
  buffer_names_.clear();
  stacks_.clear();
  locks_.clear();
  allocations_.clear();
  data_.clear();
  chains_.clear();
  programs_.clear();
  out_.flows.clear();
  out_.setup.clear();
  out_.passed.clear();
  if (name.starts_with("npu2")) {
    device.generation = 4;
    device.columns = 8;
  }
  const std::string whole = name.substr(0, 4);
  const uint32_t columns = name.size() == 9 ? static_cast<uint32_t>(name[5] - '0') : device.columns;
  const bool known = (whole == "npu1" || whole == "npu2") &&
                     (name == whole || name == fmt::format("{}_{}col", whole, columns));
  if (!known || columns < 1 || columns > device.columns) {
    lexer_.Fail(word.place, fmt::format("the device is {:.40}: legal are npu1, npu1_1col to "
                                        "npu1_4col, npu2, npu2_1col to npu2_8col",
                                        name));
  }
  device.columns = columns;
}

void Parser::DeviceBody(const std::string& name) {
  while (!Take("}")) {
    if (Peek().kind == Kind::kEnd) Unexpected("\"}\" at the end of the device");
    std::string result;
    if (Peek().kind == Kind::kValue) {
      result = lexer_.Next().text;
      if (!Take("=")) {
        SkipOperation();
        continue;
      }
    }
    if (Peek().kind == Kind::kText) {
      Unexpected("the form that aie-opt prints; not the generic form with names in quotes");
    }
    if (Peek().kind != Kind::kWord) {
      lexer_.Next();
      continue;
    }
    const std::string operation = lexer_.Next().text;
    if (operation == "aiex.runtime_sequence" || operation == "aie.runtime_sequence") {
      RememberSequence(name);
    } else if (!Declaration(result, operation)) {
      // Wires say what a device is like, and other dialects declare functions.
      if (operation.starts_with("aie") && operation != "aie.wire" && operation != "aie.end") {
        ++out_.passed[operation];
      }
      SkipOperation();
    }
  }
}

bool Parser::Declaration(const std::string& result, const std::string& operation) {
  if (operation == "aie.tile") {
    Tile(result);
  } else if (operation == "aie.buffer") {
    BufferOp(result);
  } else if (operation == "aie.core") {
    CoreOp();
    ++out_.passed[operation];
  } else if (operation == "aie.lock") {
    LockOp(result);
  } else if (operation == "aie.shim_dma_allocation") {
    AllocationOp();
  } else if (operation == "memref.global") {
    GlobalOp();
  } else if (operation == "aie.flow") {
    FlowOp();
  } else if (operation == "aie.packet_flow") {
    PacketFlowOp();
  } else if (operation == "aie.switchbox") {
    SwitchOp();
  } else if (operation == "aie.shim_mux") {
    ShimMuxOp();
  } else if (operation == "aie.mem" || operation == "aie.memtile_dma") {
    ProgramOp();
  } else if (operation == "arith.constant") {
    ConstantOp(result);
  } else if (operation == "aie.bd_chain") {
    ChainOp();
  } else {
    return false;
  }
  return true;
}

void Parser::RememberSequence(const std::string& name) {
  std::string own;
  if (Peek().kind == Kind::kSymbol) own = lexer_.Next().text;
  if (!sequence_ && (name.empty() || own == name)) {
    sequence_ = lexer_;
    out_.name = own;
  }
  if (!Is("(")) Unexpected("\"(\" before the arguments");
  SkipBalanced();
  if (TakeWord("attributes")) SkipBalanced();
  if (!Is("{")) Unexpected("\"{\" before the operations");
  SkipBalanced();
}

void Parser::Tile(const std::string& result) {
  Expect("(");
  Value value;
  value.kind = Value::Kind::kTile;
  const Number column = {Integer(), Peek().place};
  Expect(",");
  const Number row = {Integer(), Peek().place};
  Expect(")");
  if (column.value < 0 || column.value > 127 || row.value < 0 || row.value > 31) {
    lexer_.Fail(column.place, fmt::format("tile ({},{}): legal are columns 0 to 127, rows 0 to 31",
                                          column.value, row.value));
  }
  value.tile = {static_cast<uint32_t>(column.value), static_cast<uint32_t>(row.value)};
  const Attributes attributes = AttributeList();
  if (const auto id = attributes.find("controller_id"); id != attributes.end()) {
    const auto packet = id->second.members.find("pkt_id");
    if (packet != id->second.members.end()) {
      out_.device.controllers.emplace_back(
          driver::npu::AddressOf(value.tile.column, value.tile.row, 0),
          static_cast<uint32_t>(packet->second & 0xff));
    }
  }
  names_[result] = value;
}

void Parser::BufferOp(const std::string& result) {
  Buffer buffer;
  buffer.place = Peek().place;
  Expect("(");
  buffer.tile = TileOperand();
  Expect(")");
  const Attributes attributes = AttributeList();
  if (const auto at = attributes.find("address"); at != attributes.end()) {
    buffer.address = at->second.number;
  }
  if (const auto bank = attributes.find("mem_bank"); bank != attributes.end()) {
    buffer.bank = bank->second.number;
  }
  Expect(":");
  if (const auto shape = Type()) buffer.shape = *shape;
  Value value;
  value.kind = Value::Kind::kBuffer;
  value.number = static_cast<int64_t>(buffers_.size());
  value.shape = buffer.shape;
  names_[result] = value;
  const auto name = attributes.find("sym_name");
  buffer_names_[name != attributes.end() ? name->second.text : result] = value.number;
  buffers_.push_back(buffer);
  if (Take("=")) SkipOperation();
}

// Of a core the size of its stack is of use.
void Parser::CoreOp() {
  constexpr int64_t kStack = 1024;  // if nothing is said
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(")");
  while (!Is("{") && Peek().kind != Kind::kEnd) lexer_.Next();
  SkipBalanced();
  const Attributes attributes = AttributeList();
  const auto stack = attributes.find("stack_size");
  stacks_[driver::npu::AddressOf(tile.column, tile.row, 0)] =
      stack == attributes.end() ? kStack : std::clamp<int64_t>(stack->second.number, 0, 0x10000);
}

void Parser::LockOp(const std::string& result) {
  Expect("(");
  Lock lock;
  lock.tile = TileOperand();
  if (Take(",")) lock.number = Integer();
  Expect(")");
  const Attributes attributes = AttributeList();
  if (const auto init = attributes.find("init"); init != attributes.end()) {
    lock.init = std::clamp<int64_t>(init->second.number, 0, 63);
  }
  Value value;
  value.kind = Value::Kind::kLock;
  value.number = static_cast<int64_t>(locks_.size());
  names_[result] = value;
  locks_.push_back(lock);
}

// "@name (%tile, MM2S, 0)", or "@name (MM2S, 0, column)" as it was.
void Parser::AllocationOp() {
  const std::string name = Symbol();
  Allocation allocation;
  Expect("(");
  if (Peek().kind == Kind::kValue) {
    allocation.tile = TileOperand();
    Expect(",");
    allocation.to_stream = Direction();
    Expect(",");
    allocation.channel = static_cast<uint32_t>(Integer() & 0xff);
    if (Take(",")) (void)AttributeValue();  // a packet
  } else {
    allocation.to_stream = Direction();
    Expect(",");
    allocation.channel = static_cast<uint32_t>(Integer() & 0xff);
    Expect(",");
    allocation.tile = {static_cast<uint32_t>(Integer() & 0xff), 0};
  }
  Expect(")");
  (void)AttributeList();
  allocations_[name] = allocation;
}

void Parser::DenseData(std::vector<uint32_t>* words) {
  Expect("<");
  if (Take("[")) {
    while (!Is("]")) {
      words->push_back(static_cast<uint32_t>(Integer()));
      if (!Take(",")) break;
    }
    Expect("]");
  } else {
    words->push_back(static_cast<uint32_t>(Integer()));
  }
  Expect(">");
}

void Parser::GlobalOp() {
  while (Peek().kind == Kind::kText || Peek().kind == Kind::kWord) lexer_.Next();
  const std::string name = Symbol();
  Expect(":");
  const auto shape = Type();
  if (!Take("=")) return;
  if (!TakeWord("dense") || !Is("<")) return SkipOperation();
  std::vector<uint32_t> words;
  DenseData(&words);
  const int64_t elements = shape ? shape->Elements() : -1;
  constexpr int64_t kMost = 1 << 20;
  if (words.size() == 1 && elements > 1 && elements <= kMost) {  // a splat
    words.resize(static_cast<size_t>(elements), words[0]);
  }
  if (shape && shape->bits == 32) data_[name] = words;
}

void Parser::ConstantOp(const std::string& result) {
  Value value;
  value.kind = Value::Kind::kNumber;
  if (TakeWord("true")) {
    value.number = 1;
  } else if (TakeWord("false")) {
    value.number = 0;
  } else if (Peek().kind == Kind::kNumber) {
    value.number = Integer();
    if (Take(":")) SkipType();
  } else {
    return SkipOperation();
  }
  names_[result] = value;
}

void Parser::ChainOp() {
  const std::string name = Symbol();
  chains_.emplace(name, lexer_);
  if (!Is("(")) Unexpected("\"(\" before the arguments");
  SkipBalanced();
  if (!Is("{")) Unexpected("\"{\" before the descriptors");
  SkipBalanced();
}

}  // namespace tessera::seq
