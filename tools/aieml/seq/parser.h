// Reads MLIR text as the public tools print it: the device around a runtime sequence, and the
// operations of the sequence, which are lowered one by one.
//
// Operations of the device that a sequence does not need are read over. An operation in the
// sequence that is not known is an error with its place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/aieml/seq/lower.h"

namespace tessera::seq {

// A stream between DMAs, or to the control packets of a tile.
struct Flow {
  struct End {
    TileRef tile;
    uint32_t channel = 0;
    bool control = false;
  };
  End from, to;
  std::optional<uint32_t> packet = {};  // only packets of this id
  bool keep_header = false;
};

// What a file comes to.
struct Sequence {
  Device device;
  std::string name;  // of the sequence
  std::vector<std::pair<std::string, Shape>> arguments;
  std::vector<Flow> flows;
  std::vector<Lock> locks;
  RegisterWrites setup;  // of switches and of DMAs that have a program, before the sequence
  std::map<std::string, uint32_t> passed;  // operations of the device that have no part in a run
  Program program;
};

// Reads and lowers the sequence of this name, or the first one. Throws Error.
Sequence Lower(std::string_view text, const std::string& file, const std::string& name = {});

// Inside tools/seq: the parts of the reader.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : begin_(text, file), lexer_(begin_) {}
  Sequence Run(const std::string& name);

 private:
  using Names = std::map<std::string, Value>;

  // Words.
  const Token& Peek() const { return lexer_.Peek(); }
  bool Is(std::string_view punctuation) const;
  bool Take(std::string_view punctuation);
  bool TakeWord(std::string_view word);
  void Expect(std::string_view punctuation);
  std::string Symbol();
  int64_t Integer();
  bool Direction();      // true: MM2S
  void SkipBalanced();   // from an opening bracket to behind its closing one
  void SkipOperation();  // to the beginning of the next
  void SkipType();
  std::optional<Shape> Type();  // of a memref; others are read over
  [[noreturn]] void Unexpected(const std::string& legal) const;

  // Values.
  Value Operand();
  Number NumberOperand();  // %c or a literal
  TileRef TileOperand();
  std::vector<Number> NumberList();
  std::optional<Packet> PacketInfo();
  Attributes AttributeList();  // none if there is no '{'
  Attribute AttributeValue();

  // The device.
  void FindDevice(const std::string& name);
  void DeviceBody(const std::string& name);
  void DeviceOperation(const std::string& result);
  void SetDevice(const Token& word);
  bool Declaration(const std::string& result, const std::string& operation);
  void Tile(const std::string& result);
  void BufferOp(const std::string& result);
  void CoreOp();
  void LockOp(const std::string& result);
  void AllocationOp();
  void GlobalOp();
  void FlowOp();
  void PacketFlowOp();
  std::optional<Flow::End> FlowEnd();  // nothing: no DMA and no control packets
  void SwitchOp();
  void ShimMuxOp();
  void PortOperand(std::string* bundle, Number* number);  // "South : 3"
  // The register of a port of the switch of a tile.
  uint32_t PortRegister(TileRef tile, bool master, const std::string& bundle, Number number);
  void Setup(TileRef tile, uint32_t offset, uint32_t value);
  void ProgramOp();
  void ConstantOp(const std::string& result);
  void ChainOp();
  void RememberSequence(const std::string& name);
  void DenseData(std::vector<uint32_t>* words);

  // The sequence.
  void Arguments();
  void Body();
  void SequenceOperation(const std::string& result, const Token& word);
  void WriteOp(const Token& word, bool masked);
  void BlockOp(const Token& word);
  void SyncOp(const Token& word);
  void PatchOp(const Token& word);
  void RtpOp(const Token& word);
  void MemcpyOp(const Token& word);
  void WaitOp(const Token& word);
  void PushOp(const Token& word);
  std::string Result();                  // `%name =` of an operation; empty: it has none
  void ChannelOperands(TaskText* task);  // "(" tile, direction, channel; what closes it is left
  void ConfigureOp(const std::string& result, const Token& word, bool by_symbol);
  void ChainStartOp(const std::string& result, const Token& word, bool by_symbol);
  void TaskOp(const Token& word);
  void ControlOp(const Token& word);
  void LoopOp(const Token& word);
  bool ArithmeticOp(const std::string& result, const Token& word);  // false: it is none
  uint32_t IntegerType();
  void LoadPdiOp(const Token& word);
  void CheckDevice(const Attribute& symbol) const;
  void SetLockOp(const Token& word);
  void ResetOp(const Token& word);
  struct ChainBlock {
    std::vector<BdText> Descriptor() const;  // none, or the one
    std::optional<BdText> bd;
    std::optional<Packet> packet;
    std::vector<BdText::LockUse> locks;
    std::string next;  // block of the next descriptor, or behind the start of a channel
    Place place, next_place;
    std::optional<TaskText> start;  // of a channel, and the block of its first descriptor
    std::string start_block;
  };
  using ChainBlocks = std::map<std::string, ChainBlock>;
  // `program`: the tile of a program of a DMA; null: a task.
  ChainBlocks Blocks(const TileRef* program, std::string* first);
  bool DescriptorOp(const Token& word, ChainBlock* block);  // false: it is none
  void StartOp(ChainBlock* block);
  void RegionsOp(TileRef tile);
  // The descriptors from a block on, and the one that the last leads back to.
  std::vector<BdText> Follow(const ChainBlocks& blocks, const std::string& first, Place from,
                             std::optional<size_t>* back, std::set<std::string>* seen) const;
  std::vector<BdText> Chain();
  BdText Bd(const Token& word);
  void LockUse(BdText* bd);
  const Allocation& AllocationOf(const Token& place, const std::string& symbol) const;
  uint32_t Address(const Token& word, const Attributes& attributes, int64_t address);
  void TaskAttributes(const Attributes& attributes, TaskText* task);

  Lexer begin_;  // of the file
  Lexer lexer_;
  Sequence out_;
  std::optional<Lowering> lowering_;
  Names names_;
  std::vector<Buffer> buffers_;
  std::map<std::string, int64_t> buffer_names_;
  std::map<uint32_t, int64_t> stacks_;  // of cores, by the address of their tile
  std::vector<Lock> locks_;
  std::map<std::string, Allocation> allocations_;
  std::map<std::string, std::vector<uint32_t>> data_;
  std::map<std::string, Lexer> chains_;
  struct DmaProgram {
    TaskText task;
    std::optional<size_t> back;
  };
  std::vector<DmaProgram> programs_;
  std::optional<Lexer> sequence_;  // where the chosen one begins, behind its name
  uint32_t depth_ = 0;
  uint32_t turns_ = 0;  // of all loops
};

}  // namespace tessera::seq
