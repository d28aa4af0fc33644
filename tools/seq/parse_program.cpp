// Programs of DMAs that the device has beside the sequence: aie.mem and aie.memtile_dma; see
// parser.h.
#include <fmt/format.h>

#include "tools/seq/parser.h"

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

// "(%tile) { blocks }": from the first block on, each starts a channel and leads to the next.
void Parser::ProgramOp() {
  Expect("(");
  const TileRef tile = TileOperand();
  Expect(")");
  const Place begin = Peek().place;
  const Names outside = names_;
  std::string name;
  const ChainBlocks blocks = Blocks(true, &name);
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
    lexer_.Fail(begin, "a program of a DMA without aie.dma_start in its first block");
  }
}

}  // namespace tessera::seq
