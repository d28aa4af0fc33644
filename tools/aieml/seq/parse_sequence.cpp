// Operations of a sequence but tasks; see parser.h.
#include <fmt/format.h>

#include "tb/sim/counted.h"
#include "tools/aieml/seq/parser.h"

namespace tessera::seq {
namespace {

constexpr std::string_view kKnown =
    "aiex.npu.write32, maskwrite32, blockwrite, writebd, push_queue, sync, address_patch, "
    "rtp_write, dma_memcpy_nd, dma_wait, preempt, load_pdi, aiex.dma_configure_task, "
    "dma_configure_task_for, "
    "dma_start_task, dma_await_task, dma_free_task, dma_start_bd_chain, dma_start_bd_chain_for, "
    "control_packet, set_lock, dma_channel_reset, scf.for, arith.constant, addi, subi, muli, "
    "divui, "
    "divsi, remui, remsi, index_cast, extsi, extui, trunci, memref.get_global";

constexpr uint64_t kMostBytes = uint64_t{64} << 20;  // of a binary

}  // namespace

void Parser::Arguments() {
  Expect("(");
  while (!Is(")")) {
    if (Peek().kind != Kind::kValue) Unexpected("an argument, as %arg0");
    const std::string name = lexer_.Next().text;
    Expect(":");
    Value value;
    const auto shape = Type();
    if (shape) {
      value.kind = Value::Kind::kArgument;
      value.shape = *shape;
    }
    value.number = static_cast<int64_t>(out_.arguments.size());
    out_.arguments.emplace_back(name, shape ? *shape : Shape{});
    names_[name] = value;
    if (!Take(",")) break;
  }
  Expect(")");
  if (TakeWord("attributes")) SkipBalanced();
}

void Parser::Body() {
  Expect("{");
  while (!Take("}")) {
    const std::string result = Result();
    if (Peek().kind != Kind::kWord) Unexpected("an operation of a sequence, or \"}\"");
    const Token word = lexer_.Next();
    SequenceOperation(result, word);
    if (lowering_->program().bytes() > kMostBytes) {
      lexer_.Fail(word.place,
                  fmt::format("the binary has more than {} bytes: legal are fewer", kMostBytes));
    }
  }
}

void Parser::SequenceOperation(const std::string& result, const Token& word) {
  const std::string& op = word.text;
  if (op == "aiex.npu.write32") return WriteOp(word, false);
  if (op == "aiex.npu.maskwrite32") return WriteOp(word, true);
  if (op == "aiex.npu.blockwrite") return BlockOp(word);
  if (op == "aiex.npu.writebd") return lowering_->WriteBd(word.place, AttributeList());
  if (op == "aiex.npu.push_queue") return PushOp(word);
  if (op == "aiex.npu.sync") return SyncOp(word);
  if (op == "aiex.npu.address_patch") return PatchOp(word);
  if (op == "aiex.npu.rtp_write") return RtpOp(word);
  if (op == "aiex.npu.dma_memcpy_nd") return MemcpyOp(word);
  if (op == "aiex.npu.dma_wait") return WaitOp(word);
  if (op == "aiex.npu.preempt") {
    return lowering_->program().Preempt(
        lowering_->Need(word.place, AttributeList(), "level", 0, 3));
  }
  if (op == "aiex.dma_configure_task") return ConfigureOp(result, word, false);
  if (op == "aiex.dma_configure_task_for") return ConfigureOp(result, word, true);
  if (op == "aiex.dma_start_bd_chain") return ChainStartOp(result, word, false);
  if (op == "aiex.dma_start_bd_chain_for") return ChainStartOp(result, word, true);
  if (op == "aiex.dma_start_task" || op == "aiex.dma_await_task" || op == "aiex.dma_free_task") {
    return TaskOp(word);
  }
  if (op == "aiex.control_packet") return ControlOp(word);
  if (op == "aiex.set_lock") return SetLockOp(word);
  if (op == "aiex.dma_channel_reset") return ResetOp(word);
  if (op == "aiex.npu.load_pdi") return LoadPdiOp(word);
  if (op == "arith.constant") return ConstantOp(result);
  if (op == "scf.for") return LoopOp(word);
  if (op == "scf.yield") return;
  if (ArithmeticOp(result, word)) return;
  if (op == "aiex.npu.assert_bd_field" || op == "aiex.npu.assert_bd_divisible") {
    return SkipOperation();  // guards of values that are constants here
  }
  if (op == "memref.get_global") {
    Value value;
    value.kind = Value::Kind::kData;
    value.symbol = Symbol();
    Expect(":");
    SkipType();
    names_[result] = value;
    return;
  }
  lexer_.Fail(word.place,
              fmt::format("the operation \"{:.60}\" is not known here: legal are {}", op, kKnown));
}

// The address of a register: of a buffer, of a tile, or of the array.
uint32_t Parser::Address(const Token& word, const Attributes& attributes, int64_t address) {
  if (const auto buffer = attributes.find("buffer"); buffer != attributes.end()) {
    const auto found = buffer_names_.find(buffer->second.text);
    if (found == buffer_names_.end()) {
      lexer_.Fail(buffer->second.place,
                  fmt::format("there is no aie.buffer @{}", buffer->second.text));
    }
    const Buffer& at = buffers_[static_cast<size_t>(found->second)];
    const uint32_t base = lowering_->BufferAddress(word.place, found->second);
    lowering_->CheckTile(word.place, at.tile);
    const int64_t elements = at.shape.Elements();
    const int64_t words = elements < 0 ? 0x20000 : (elements * at.shape.bits + 31) / 32;
    const uint32_t index =
        lowering_->Limit(word.place, "the index in words", address, 0, words - 1);
    return driver::npu::AddressOf(at.tile.column, at.tile.row,
                                  lowering_->Limit(word.place, "the address in the tile",
                                                   base + int64_t{4} * index, 0, 0xffffc));
  }
  const auto column = attributes.find("column"), row = attributes.find("row");
  if (column != attributes.end() && row != attributes.end()) {
    const TileRef tile{
        lowering_->Limit(column->second.place, "column", column->second.number, 0,
                         out_.device.columns - 1),
        lowering_->Limit(row->second.place, "row", row->second.number, 0, out_.device.rows - 1)};
    const uint32_t offset =
        lowering_->Limit(word.place, "the address in the tile", address & 0xffffffff, 0, 0xfffff);
    if (offset % 4 != 0) {
      lexer_.Fail(word.place,
                  fmt::format("the address is {:#x}: legal is a multiple of 4", offset));
    }
    return driver::npu::AddressOf(tile.column, tile.row, offset);
  }
  const uint32_t full =
      lowering_->Limit(word.place, "the address", address & 0xffffffff, 0, 0xffffffff);
  lowering_->CheckTile(word.place, {driver::npu::ColumnOf(full), driver::npu::RowOf(full)});
  if (full % 4 != 0)
    lexer_.Fail(word.place, fmt::format("the address is {:#x}: legal is a multiple of 4", full));
  return full;
}

void Parser::WriteOp(const Token& word, bool masked) {
  int64_t address = 0, value = 0, mask = 0;
  Attributes attributes;
  if (Take("(")) {
    address = NumberOperand().value;
    Expect(",");
    value = NumberOperand().value;
    if (masked) {
      Expect(",");
      mask = NumberOperand().value;
    }
    Expect(")");
    attributes = AttributeList();
    Expect(":");
    SkipType();
    while (Take(",")) SkipType();
  } else {
    attributes = AttributeList();
    address = lowering_->Need(word.place, attributes, "address", 0, 0xffffffff);
    value = lowering_->Need(word.place, attributes, "value", INT32_MIN, 0xffffffff);
    if (masked) mask = lowering_->Need(word.place, attributes, "mask", INT32_MIN, 0xffffffff);
  }
  const uint32_t at = Address(word, attributes, address);
  if (masked) {
    lowering_->program().MaskWrite(at, static_cast<uint32_t>(value), static_cast<uint32_t>(mask));
  } else {
    lowering_->program().Write(at, static_cast<uint32_t>(value));
  }
}

void Parser::BlockOp(const Token& word) {
  Expect("(");
  const Place place = Peek().place;
  const Value value = Operand();
  Expect(")");
  const Attributes attributes = AttributeList();
  Expect(":");
  SkipType();
  const auto found = data_.find(value.symbol);
  if (value.kind != Value::Kind::kData || found == data_.end() || found->second.empty()) {
    lexer_.Fail(place,
                "no constant data: legal is a memref.get_global of a memref.global with "
                "dense<[...]> of 32-bit elements");
  }
  const uint32_t at =
      Address(word, attributes, lowering_->Need(word.place, attributes, "address", 0, 0xffffffff));
  const size_t room = (driver::npu::kTileSpan - driver::npu::OffsetOf(at)) / 4;
  lowering_->Limit(word.place, "the number of words", static_cast<int64_t>(found->second.size()), 1,
                   static_cast<int64_t>(room));
  lowering_->program().Block(at, found->second);
}

void Parser::SyncOp(const Token& word) {
  std::array<int64_t, 6> values{};
  if (Take("(")) {
    for (size_t n = 0; n < 6; ++n) {
      if (n > 0) Expect(",");
      values[n] = NumberOperand().value;
    }
    Expect(")");
    (void)AttributeList();
    Expect(":");
    SkipType();
    while (Take(",")) SkipType();
  } else {
    const Attributes attributes = AttributeList();
    const char* names[] = {"column", "row", "direction", "channel", "column_num", "row_num"};
    for (size_t n = 0; n < 6; ++n) {
      values[n] = lowering_->Need(word.place, attributes, names[n], 0, 255);
    }
  }
  lowering_->Sync(word.place, values);
}

void Parser::PatchOp(const Token& word) {
  std::optional<int64_t> plus, address;
  if (Take("(")) {
    plus = NumberOperand().value;
    Expect(":");
    SkipType();
    Expect(")");
    if (TakeWord("addr")) {
      address = NumberOperand().value;
      Expect(":");
      SkipType();
    }
  }
  const Attributes attributes = AttributeList();
  const int64_t at =
      address ? *address : lowering_->Need(word.place, attributes, "addr", 0, 0xffffffff);
  const uint32_t full = Address(word, {}, at);
  const uint32_t argument = lowering_->Need(word.place, attributes, "arg_idx", 0,
                                            static_cast<int64_t>(out_.arguments.size()) - 1);
  const int64_t offset =
      plus ? *plus : lowering_->Need(word.place, attributes, "arg_plus", 0, 0xffffffff);
  const auto kind = out_.device.KindOf(driver::npu::RowOf(full));
  const auto all = driver::npu::detail::DescriptorsOf(kind);
  const uint32_t place = driver::npu::OffsetOf(full) - all.base;
  if (place >= 0x20 * all.count || place % 0x20 != 4 * all.address_word) {
    lexer_.Fail(word.place,
                fmt::format("addr is {:#x}: legal is the word of a descriptor that holds "
                            "its address",
                            full));
  }
  const int64_t most = kind == aieml::TileKind::kShim     ? 0xffffffff
                       : kind == aieml::TileKind::kMemory ? 0x1fffff
                                                          : 0xffff;
  const uint32_t plus_bytes = lowering_->Limit(word.place, "arg_plus", offset, 0, most);
  if (plus_bytes % 4 != 0) {
    lexer_.Fail(word.place, fmt::format("arg_plus is {}: legal is a multiple of 4", plus_bytes));
  }
  lowering_->program().Patch(full, argument, plus_bytes);
}

// (@buffer, index, value), the value a constant or a literal.
void Parser::RtpOp(const Token& word) {
  Expect("(");
  Attributes attributes;
  Attribute buffer;
  buffer.place = Peek().place;
  buffer.text = Peek().kind == Kind::kText ? lexer_.Next().text : Symbol();
  attributes["buffer"] = buffer;
  Expect(",");
  const Number index = NumberOperand();
  Expect(",");
  const Number value = NumberOperand();
  Expect(")");
  (void)AttributeList();
  if (Take(":")) SkipType();
  const uint32_t at = Address(word, attributes, index.value);
  lowering_->Limit(value.place, "the value", value.value, INT32_MIN, 0xffffffff);
  lowering_->program().Write(at, static_cast<uint32_t>(value.value));
}

const Allocation& Parser::AllocationOf(const Token& place, const std::string& symbol) const {
  const auto found = allocations_.find(symbol);
  if (found == allocations_.end()) {
    lexer_.Fail(
        place.place,
        fmt::format("there is no aie.shim_dma_allocation @{:.60}: legal is the symbol of one, as "
                    "the tools print after they lowered object FIFOs",
                    symbol));
  }
  return found->second;
}

void Parser::MemcpyOp(const Token& word) {
  Memcpy copy;
  copy.place = word.place;
  Expect("(");
  while (Peek().kind == Kind::kNumber) {  // column and row, in an older form
    lexer_.Next();
    Expect(",");
  }
  copy.buffer = Operand();
  for (auto* list : {&copy.offsets, &copy.sizes, &copy.strides}) {
    const Place place = Peek().place;
    *list = NumberList();
    if (list == &copy.strides && list->size() == 3) list->push_back({1, place});  // an older form
    if (list->size() != 4) {
      lexer_.Fail(place, fmt::format("a list of {}: legal are 4, outermost first", list->size()));
    }
  }
  if (Take(",")) {
    if (!TakeWord("packet")) Unexpected("packet = <pkt_id = 0, pkt_type = 0>");
    Expect("=");
    copy.packet = PacketInfo();
  }
  Expect(")");
  copy.attributes = AttributeList();
  Expect(":");
  const Place type = Peek().place;
  const auto shape = Type();
  if (!shape) lexer_.Fail(type, "no memref: legal is the type of the argument");
  copy.buffer.shape = *shape;
  const auto metadata = copy.attributes.find("metadata");
  if (metadata == copy.attributes.end()) {
    lexer_.Fail(word.place, "the attribute \"metadata\" is missing: legal is a symbol");
  }
  copy.allocation = AllocationOf(word, metadata->second.text);
  lowering_->Copy(copy);
}

void Parser::WaitOp(const Token& word) {
  const Attributes attributes = AttributeList();
  const auto symbol = attributes.find("symbol");
  if (symbol == attributes.end()) {
    lexer_.Fail(word.place, "the attribute \"symbol\" is missing: legal is a symbol");
  }
  const Allocation& at = AllocationOf(word, symbol->second.text);
  lowering_->Sync(word.place,
                  {at.tile.column, at.tile.row, at.to_stream ? 1 : 0, at.channel, 1, 1});
}

// "(0, 0, MM2S:0) {...}", or "(0, 0, MM2S : 0) bd_id %b repeat %r {...} : i32, i32".
void Parser::PushOp(const Token& word) {
  Expect("(");
  TileRef tile;
  const Number column = NumberOperand();
  tile.column = lowering_->Limit(column.place, "column", column.value, 0, out_.device.columns - 1);
  Expect(",");
  const Number row = NumberOperand();
  tile.row = lowering_->Limit(row.place, "row", row.value, 0, out_.device.rows - 1);
  Expect(",");
  const bool to_stream = Direction();
  Expect(":");
  const uint32_t channel = static_cast<uint32_t>(Integer() & 0xffff);
  Expect(")");
  Number bd{-1, word.place}, repeat{0, word.place};
  if (TakeWord("bd_id")) bd = NumberOperand();
  if (TakeWord("repeat")) repeat = NumberOperand();
  const Attributes attributes = AttributeList();
  if (Take(":")) {
    SkipType();
    while (Take(",")) SkipType();
  }
  if (const auto found = attributes.find("bd_id"); found != attributes.end()) {
    bd = {found->second.number, found->second.place};
  }
  if (const auto found = attributes.find("repeat_count"); found != attributes.end()) {
    repeat = {found->second.number, found->second.place};
  }
  const auto token = attributes.find("issue_token");
  lowering_->Push(word.place, tile, to_stream, channel, bd, repeat,
                  token != attributes.end() && token->second.number != 0);
}

// A read is one of each register: nobody takes the answer, which would go to a stream.
void Parser::ControlOp(const Token& word) {
  const Attributes attributes = AttributeList();
  const uint32_t operation = lowering_->Need(word.place, attributes, "opcode", 0, 3);
  lowering_->Need(word.place, attributes, "stream_id", 0, 31);
  if (operation == 1) {
    const uint32_t at =
        Address(word, {}, lowering_->Need(word.place, attributes, "address", 0, 0xffffffff));
    const uint32_t words = lowering_->Need(word.place, attributes, "length", 1, 4);
    lowering_->Limit(word.place, "the end of the packet in the tile",
                     driver::npu::OffsetOf(at) + 4 * static_cast<int64_t>(words), 0, 0x100000);
    for (uint32_t n = 0; n < words; ++n) lowering_->program().Poll(at + 4 * n, 0, 0);
    return;
  }
  const auto data = attributes.find("data");
  if (data == attributes.end() || data->second.list.empty() || data->second.list.size() > 4) {
    lexer_.Fail(
        word.place,
        fmt::format("a control packet with {}: legal are 1 to 4",
                    Counted(data == attributes.end() ? 0 : data->second.list.size(), "word")));
  }
  const uint32_t at =
      Address(word, {}, lowering_->Need(word.place, attributes, "address", 0, 0xffffffff));
  std::vector<uint32_t> words;
  for (const int64_t value : data->second.list) words.push_back(static_cast<uint32_t>(value));
  lowering_->Limit(word.place, "the end of the packet in the tile",
                   driver::npu::OffsetOf(at) + 4 * static_cast<int64_t>(words.size()), 0, 0x100000);
  lowering_->program().Block(at, words);
}

void Parser::SetLockOp(const Token& word) {
  Expect("(");
  const Place place = Peek().place;
  const Value value = Operand();
  if (value.kind != Value::Kind::kLock) lexer_.Fail(place, "no lock: legal is a value of aie.lock");
  Expect(",");
  const Number amount = NumberOperand();
  Expect(")");
  (void)AttributeList();
  const Lock& lock = locks_[static_cast<size_t>(value.number)];
  lowering_->CheckTile(word.place, lock.tile);
  const auto kind = out_.device.KindOf(lock.tile.row);
  const bool memory = kind == aieml::TileKind::kMemory;
  if (!lock.number) lexer_.Fail(place, "the lock has no number: legal is aie.lock(%tile, number)");
  const uint32_t id =
      lowering_->Limit(place, "the number of the lock", *lock.number, 0, memory ? 63 : 15);
  const uint32_t base = memory ? 0xc0000 : kind == aieml::TileKind::kShim ? 0x14000 : 0x1f000;
  lowering_->program().Write(
      driver::npu::AddressOf(lock.tile.column, lock.tile.row, base + 0x10 * id),
      lowering_->Limit(amount.place, "the value of the lock", amount.value, 0, 63));
}

void Parser::ResetOp(const Token& word) {
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(",");
  const bool to_stream = Direction();
  Expect(",");
  const int64_t channel = Integer();
  Expect(")");
  (void)AttributeList();
  lowering_->CheckTile(word.place, tile);
  if (tile.row == 0)
    lexer_.Fail(word.place, "a reset of a channel of a shim: legal are memory and compute tiles");
  const uint32_t number =
      lowering_->Limit(word.place, "the channel", channel, 0, out_.device.ChannelsOf(tile.row) - 1);
  const uint32_t at = ControlAddress(out_.device, tile, to_stream, number);
  lowering_->program().MaskWrite(at, 2, 2);
  lowering_->program().MaskWrite(at, 0, 2);
}

}  // namespace tessera::seq
