// Programs of DMAs that the device has beside the sequence: aie.mem and aie.memtile_dma; see
// parser.h.
#include <fmt/format.h>

#include "tools/aieml/seq/parser.h"

namespace tessera::seq {

// "(S2MM, 0, ^first, ^behind)", with ", repeat_count = 3" or not.
void Parser::StartOp(ChainBlock* block) {
  TaskText task;
  task.place = Peek().place;
  task.repeat = {0, task.place};
  const auto label = [&] {
    if (Peek().kind != Kind::kBlock) Unexpected("a block, as ^bb1");
    return lexer_.Next();
  };
  Expect("(");
  task.to_stream = Direction();
  Expect(",");
  task.channel = static_cast<uint32_t>(Integer() & 0xff);
  Expect(",");
  block->start_block = label().text;
  Expect(",");
  block->next_place = Peek().place;
  block->next = label().text;
  if (Take(",")) {
    if (!TakeWord("repeat_count")) Unexpected("repeat_count = 0");
    Expect("=");
    task.repeat = NumberOperand();
  }
  Expect(")");
  const Attributes attributes = AttributeList();
  if (const auto found = attributes.find("repeat_count"); found != attributes.end()) {
    task.repeat = {found->second.number, found->second.place};
  }
  block->start = task;
}

// "(S2MM, 0) {loop = false, repeat_count = 1} [{ a descriptor }, ...]".
void Parser::RegionsOp(TileRef tile) {
  DmaProgram program;
  program.task.place = Peek().place;
  program.task.tile = tile;
  Expect("(");
  program.task.to_stream = Direction();
  Expect(",");
  program.task.channel = static_cast<uint32_t>(Integer() & 0xff);
  Expect(")");
  const Attributes attributes = AttributeList();
  const auto loop = attributes.find("loop");
  if (loop == attributes.end() || loop->second.number != 0) program.back = 0;
  program.task.repeat = {0, program.task.place};
  if (const auto found = attributes.find("repeat_count"); found != attributes.end()) {
    program.task.repeat = {found->second.number, found->second.place};
  }
  Expect("[");
  do {
    ChainBlock block;
    Expect("{");
    while (!Take("}")) {
      const std::string result = Result();
      if (Peek().kind != Kind::kWord) Unexpected("an operation of a descriptor, or \"}\"");
      const Token word = lexer_.Next();
      if (word.text == "arith.constant") {
        ConstantOp(result);
      } else if (!DescriptorOp(word, &block)) {
        lexer_.Fail(word.place,
                    fmt::format("the operation \"{:.60}\" is not known in a descriptor: "
                                "legal are aie.dma_bd, aie.dma_bd_packet, "
                                "aie.use_lock, arith.constant",
                                word.text));
      }
    }
    for (const BdText& bd : block.Descriptor()) program.task.chain.push_back(bd);
  } while (Take(","));
  Expect("]");
  if (!program.task.chain.empty()) programs_.push_back(program);
}

// "(%tile) { blocks }": from the first block on, each starts a channel and leads to the next.
void Parser::ProgramOp() {
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(")");
  const Place begin = Peek().place;
  const Names outside = names_;
  std::string name;
  const ChainBlocks blocks = Blocks(&tile, &name);
  names_ = outside;
  std::set<std::string> seen;
  for (auto at = blocks.find(name); at != blocks.end(); at = blocks.find(name)) {
    const ChainBlock& block = at->second;
    if (!block.start || !seen.insert(name).second) break;
    DmaProgram program{*block.start, {}};
    program.task.tile = tile;
    std::set<std::string> reached;
    program.task.chain =
        Follow(blocks, block.start_block, block.start->place, &program.back, &reached);
    if (!program.task.chain.empty()) programs_.push_back(program);
    name = block.next;
    if (!blocks.contains(name)) {
      lexer_.Fail(block.next_place, fmt::format("there is no block ^{:.60}", name));
    }
  }
  if (blocks.size() > 1 && seen.empty()) {
    lexer_.Fail(begin, "a program of a DMA: legal is aie.dma_start at the end of its first block");
  }
}

}  // namespace tessera::seq
