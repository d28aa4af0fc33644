// Tasks, chains and descriptors of a sequence; see parser.h.
#include <fmt/format.h>

#include <set>

#include "tb/sim/counted.h"
#include "tools/aieml/seq/parser.h"

namespace tessera::seq {

void Parser::TaskAttributes(const Attributes& attributes, TaskText* task) {
  if (const auto token = attributes.find("issue_token"); token != attributes.end()) {
    task->token = token->second.number != 0;
  }
  if (const auto repeat = attributes.find("repeat_count"); repeat != attributes.end()) {
    task->repeat = {repeat->second.number, repeat->second.place};
  }
}

namespace {

void ChannelOf(const Allocation& allocation, TaskText* task) {
  task->tile = allocation.tile;
  task->to_stream = allocation.to_stream;
  task->channel = allocation.channel;
}

}  // namespace

void Parser::ChannelOperands(TaskText* task) {
  Expect("(");
  task->tile = TileOperand();
  Expect(",");
  task->to_stream = Direction();
  Expect(",");
  task->channel = static_cast<uint32_t>(Integer() & 0xffff);
}

std::string Parser::Result() {
  if (Peek().kind != Kind::kValue) return {};
  const std::string name = lexer_.Next().text;
  Expect("=");
  return name;
}

// "(%tile, MM2S, 0) {...} {...}" or "@allocation {...} {...}".
void Parser::ConfigureOp(const std::string& result, const Token& word, bool by_symbol) {
  TaskText task;
  task.place = word.place;
  std::optional<Packet> packet;
  if (by_symbol) {
    ChannelOf(AllocationOf(word, Symbol()), &task);
  } else {
    ChannelOperands(&task);
    if (Take(",")) packet = PacketInfo();
    Expect(")");
  }
  const auto typed = [&] {
    const Number number = NumberOperand();
    Expect(":");
    SkipType();
    return number;
  };
  std::optional<Number> bd;
  if (TakeWord("repeat")) task.repeat = typed();
  if (TakeWord("bd_id")) bd = typed();
  task.chain = Chain();
  for (BdText& text : task.chain) {
    if (packet && !text.packet) text.packet = packet;
  }
  if (bd && !task.chain.empty()) {
    Attribute id;
    id.number = bd->value;
    id.place = bd->place;
    task.chain[0].attributes["bd_id"] = id;
  }
  TaskAttributes(AttributeList(), &task);
  Value value;
  value.kind = Value::Kind::kTask;
  value.number = static_cast<int64_t>(lowering_->Configure(task));
  if (!result.empty()) names_[result] = value;
}

// "@chain(%a) : (memref<..>) on (%tile, MM2S, 0)" or "... for @allocation".
void Parser::ChainStartOp(const std::string& result, const Token& word, bool by_symbol) {
  const std::string symbol = Symbol();
  const auto chain = chains_.find(symbol);
  if (chain == chains_.end())
    lexer_.Fail(word.place, fmt::format("there is no aie.bd_chain @{:.60}", symbol));
  std::vector<Value> given;
  Expect("(");
  while (!Is(")")) {
    given.push_back(Operand());
    if (!Take(",")) break;
  }
  Expect(")");
  Expect(":");
  if (!Is("(")) Unexpected("the types of the arguments in brackets");
  SkipBalanced();
  TaskText task;
  task.place = word.place;
  if (by_symbol) {
    if (!TakeWord("for")) Unexpected("for and a symbol");
    ChannelOf(AllocationOf(word, Symbol()), &task);
  } else {
    if (!TakeWord("on")) Unexpected("on and a tile");
    ChannelOperands(&task);
    Expect(")");
  }
  TaskAttributes(AttributeList(), &task);
  // The chain, with its arguments standing for what was given.
  const Lexer behind = lexer_;
  const Names outside = names_;
  lexer_ = chain->second;
  Expect("(");
  size_t n = 0;
  while (!Is(")")) {
    if (Peek().kind != Kind::kValue) Unexpected("an argument, as %arg0");
    const Token name = lexer_.Next();
    if (n >= given.size())
      lexer_.Fail(word.place, fmt::format("@{} is given {}: legal are more", symbol,
                                          Counted(given.size(), "argument")));
    names_[name.text] = given[n++];
    Expect(":");
    SkipType();
    if (!Take(",")) break;
  }
  Expect(")");
  if (n != given.size())
    lexer_.Fail(word.place, fmt::format("@{} is given {}: legal are {}", symbol,
                                        Counted(given.size(), "argument"), n));
  task.chain = Chain();
  lexer_ = behind;
  names_ = outside;
  const size_t number = lowering_->Configure(task);
  lowering_->Start(word.place, number, std::nullopt, false);
  Value value;
  value.kind = Value::Kind::kTask;
  value.number = static_cast<int64_t>(number);
  if (!result.empty()) names_[result] = value;
}

void Parser::TaskOp(const Token& word) {
  Expect("(");
  const Place place = Peek().place;
  const Value value = Operand();
  if (value.kind != Value::Kind::kTask) {
    lexer_.Fail(place,
                "no task: legal is a value of aiex.dma_configure_task or dma_start_bd_chain");
  }
  Expect(")");
  const Attributes attributes = AttributeList();
  const auto number = static_cast<size_t>(value.number);
  if (word.text == "aiex.dma_await_task") return lowering_->Await(word.place, number);
  if (word.text == "aiex.dma_free_task") return lowering_->Free(number);
  std::optional<Number> repeat;
  if (const auto found = attributes.find("repeat_count"); found != attributes.end()) {
    repeat = Number{found->second.number, found->second.place};
  }
  lowering_->Start(word.place, number, repeat, attributes.contains("no_token"));
}

std::vector<BdText> Parser::ChainBlock::Descriptor() const {
  if (!bd) return {};
  BdText whole = *bd;
  whole.locks = locks;
  if (packet) whole.packet = packet;
  return {whole};
}

bool Parser::DescriptorOp(const Token& word, ChainBlock* block) {
  if (word.text == "aie.dma_bd") {
    if (block->bd) lexer_.Fail(word.place, "a second aie.dma_bd: legal is one in a block");
    block->bd = Bd(word);
  } else if (word.text == "aie.dma_bd_packet") {  // (type, id)
    Packet packet;
    Expect("(");
    packet.type = NumberOperand();
    Expect(",");
    packet.id = NumberOperand();
    Expect(")");
    block->packet = packet;
  } else if (word.text == "aie.use_lock") {
    BdText holder;
    holder.place = word.place;
    LockUse(&holder);
    block->locks.push_back(holder.locks[0]);
  } else {
    return false;
  }
  return true;
}

// The blocks of a region; of a program of a DMA with starts of channels.
Parser::ChainBlocks Parser::Blocks(const TileRef* program, std::string* first) {
  ChainBlocks blocks;
  std::string at;
  Expect("{");
  while (!Take("}")) {
    if (Peek().kind == Kind::kBlock) {
      const Token label = lexer_.Next();
      if (Is("(")) SkipBalanced();
      Expect(":");
      at = label.text;
      if (!blocks.emplace(at, ChainBlock{}).second)
        lexer_.Fail(label.place, fmt::format("the block ^{} is there twice", at));
      blocks[at].place = label.place;
      continue;
    }
    const std::string result = Result();
    if (Peek().kind != Kind::kWord) Unexpected("an operation of a task, or \"}\"");
    const Token word = lexer_.Next();
    ChainBlock& block = blocks[at];
    if (blocks.size() == 1) *first = at;
    if (word.text == "arith.constant") {
      ConstantOp(result);
    } else if (DescriptorOp(word, &block)) {
      continue;
    } else if (word.text == "aie.next_bd") {
      if (Peek().kind != Kind::kBlock) Unexpected("a block, as ^bd1");
      block.next_place = Peek().place;
      block.next = lexer_.Next().text;
    } else if (word.text == "aie.dma_start" && program != nullptr) {
      StartOp(&block);
    } else if (word.text == "aie.dma" && program != nullptr) {
      RegionsOp(*program);
    } else if (word.text != "aie.end") {
      lexer_.Fail(
          word.place,
          fmt::format("the operation \"{:.60}\" is not known in a {}: legal are aie.dma_bd, "
                      "aie.use_lock, aie.next_bd, {}aie.end, arith.constant",
                      word.text, program != nullptr ? "program of a DMA" : "task",
                      program != nullptr ? "aie.dma_start, aie.dma, " : ""));
    }
  }
  return blocks;
}

std::vector<BdText> Parser::Follow(const ChainBlocks& blocks, const std::string& first, Place from,
                                   std::optional<size_t>* back, std::set<std::string>* seen) const {
  std::vector<BdText> chain;
  std::map<std::string, size_t> at;  // descriptors before each block
  Place place = from;
  for (std::string name = first;;) {
    const auto found = blocks.find(name);
    if (found == blocks.end()) lexer_.Fail(place, fmt::format("there is no block ^{:.60}", name));
    seen->insert(name);
    if (!at.emplace(name, chain.size()).second) {
      *back = at[name];
      return chain;
    }
    const ChainBlock& block = found->second;
    for (const BdText& bd : block.Descriptor()) chain.push_back(bd);
    if (block.next.empty() || block.start) return chain;
    name = block.next;
    place = block.next_place;
  }
}

// The blocks of a task, in the order in which they lead to each other.
std::vector<BdText> Parser::Chain() {
  const Place begin = Peek().place;
  std::string first;
  const ChainBlocks blocks = Blocks(nullptr, &first);
  if (blocks.empty()) return {};
  std::optional<size_t> back;
  std::set<std::string> seen;
  const std::vector<BdText> chain = Follow(blocks, first, begin, &back, &seen);
  if (back) {
    lexer_.Fail(
        begin, "a chain that leads back to itself never ends: legal is one that ends with aie.end");
  }
  if (seen.size() != blocks.size()) {
    lexer_.Fail(begin,
                fmt::format("{} blocks, of which the chain reaches {}: legal is one chain of all",
                            blocks.size(), seen.size()));
  }
  return chain;
}

void Parser::LockUse(BdText* bd) {
  using Action = BdText::LockUse::Action;
  BdText::LockUse use;
  use.place = bd->place;
  Expect("(");
  const Place place = Peek().place;
  use.lock = Operand();
  if (use.lock.kind != Value::Kind::kLock)
    lexer_.Fail(place, "no lock: legal is a value of aie.lock");
  Expect(",");
  const std::string action = Peek().text;
  if (action == "AcquireGreaterEqual") {
    use.action = Action::kAcquireGreaterEqual;
  } else if (action == "Acquire") {
    use.action = Action::kAcquire;
  } else if (action == "Release") {
    use.action = Action::kRelease;
  } else {
    Unexpected("Acquire, AcquireGreaterEqual or Release");
  }
  lexer_.Next();
  use.value = {1, use.place};
  if (Take(",")) use.value = NumberOperand();
  Expect(")");
  (void)AttributeList();
  bd->locks.push_back(use);
}

// "(%b : memref<..>, 0, 16, [<size = 4, stride = 1>], [<const_pad_before = 1, ..>]) {...}", or
// "(%b : memref<..> offset = 0 len = 16 sizes = [4] strides = [1]) {...}".
BdText Parser::Bd(const Token& word) {
  BdText bd;
  bd.place = word.place;
  Expect("(");
  bd.buffer = Operand();
  Expect(":");
  const Place type = Peek().place;
  const auto shape = Type();
  if (!shape) lexer_.Fail(type, "no memref: legal is the type of a buffer or an argument");
  bd.buffer.shape = *shape;
  bd.offset = {0, word.place};
  const auto pairs = [&](const char* a, const char* b, std::vector<Number>* first,
                         std::vector<Number>* second) {
    Expect("[");
    while (!Is("]")) {
      const Attribute pair = AttributeValue();
      if (!pair.members.contains(a) || !pair.members.contains(b)) {
        lexer_.Fail(
            pair.place,
            fmt::format("a dimension without both values: legal is <{} = 0, {} = 0>", a, b));
      }
      first->push_back({pair.members.at(a), pair.place});
      second->push_back({pair.members.at(b), pair.place});
      if (!Take(",")) break;
    }
    Expect("]");
  };
  size_t position = 0;
  while (!Is(")")) {
    if (Take(",")) {
      ++position;
      if (position == 1) bd.offset = NumberOperand();
      if (position == 2) {
        bd.length = NumberOperand();
        bd.has_length = true;
      }
      if (position == 3) pairs("size", "stride", &bd.sizes, &bd.strides);
      if (position == 4) pairs("const_pad_before", "const_pad_after", &bd.before, &bd.after);
      if (position > 4) Unexpected("\")\"");
      continue;
    }
    if (Peek().kind != Kind::kWord) Unexpected("offset, len, sizes, strides, \",\" or \")\"");
    const Token name = lexer_.Next();
    Expect("=");
    if (name.text == "offset") {
      bd.offset = NumberOperand();
    } else if (name.text == "len") {
      bd.length = NumberOperand();
      bd.has_length = true;
    } else if (name.text == "sizes") {
      bd.sizes = NumberList();
    } else if (name.text == "strides") {
      bd.strides = NumberList();
    } else if (name.text == "pad" || name.text == "pads") {
      pairs("const_pad_before", "const_pad_after", &bd.before, &bd.after);
    } else {
      lexer_.Fail(
          name.place,
          fmt::format(
              "\"{:.40}\" is not known in a descriptor: legal are offset, len, sizes, strides, pad",
              name.text));
    }
  }
  Expect(")");
  bd.attributes = AttributeList();
  const auto number = [&](const char* name, Number* out) {
    if (const auto found = bd.attributes.find(name); found != bd.attributes.end())
      *out = {found->second.number, found->second.place};
    return bd.attributes.contains(name);
  };
  number("offset", &bd.offset);
  bd.has_length = number("len", &bd.length) || bd.has_length;
  if (const auto found = bd.attributes.find("packet"); found != bd.attributes.end()) {
    const auto& members = found->second.members;
    const auto value = [&](const char* name) {
      return Number{members.contains(name) ? members.at(name) : 0, found->second.place};
    };
    bd.packet = Packet{value("pkt_id"), value("pkt_type")};
  }
  return bd;
}

}  // namespace tessera::seq
