// Loops of constant bounds, arithmetic on constants, and loads of PDIs; see parser.h.
#include <fmt/format.h>

#include <cstdint>

#include "tools/aieml/seq/parser.h"

namespace tessera::seq {
namespace {

constexpr uint32_t kMostTurns = 20'000;  // of all loops of a sequence

}  // namespace

// The bits of an integer type; 64 of index.
uint32_t Parser::IntegerType() {
  if (Peek().kind != Kind::kWord) Unexpected("an integer type");
  const Token word = lexer_.Next();
  if (word.text == "index") return 64;
  uint32_t bits = 0;
  const bool letter = word.text.size() > 1 && word.text.size() < 5 && word.text[0] == 'i';
  for (size_t n = 1; letter && n < word.text.size(); ++n) {
    const char c = word.text[n];
    bits = c < '0' || c > '9' ? 65 : bits * 10 + static_cast<uint32_t>(c - '0');
  }
  if (bits == 0 || bits > 64) {
    lexer_.Fail(word.place,
                fmt::format("the type \"{:.40}\": legal are index and i1 to i64", word.text));
  }
  return bits;
}

// `%c, %d : type`, both constants.
bool Parser::ArithmeticOp(const std::string& result, const Token& word) {
  const std::string& op = word.text;
  Value value;
  value.kind = Value::Kind::kNumber;
  if (op == "arith.index_cast" || op == "arith.index_castui" || op == "arith.extsi" ||
      op == "arith.extui" || op == "arith.trunci") {
    value.number = NumberOperand().value;
    Expect(":");
    const uint32_t from = IntegerType();
    if (!TakeWord("to")) Unexpected("\"to\"");
    const uint32_t to = IntegerType();
    const bool unsigned_cast = op == "arith.extui" || op == "arith.index_castui";
    if (unsigned_cast && from < 63) value.number &= (int64_t{1} << from) - 1;
    if (to < 64 && (op == "arith.trunci" || op == "arith.index_cast")) {
      value.number =
          static_cast<int64_t>(static_cast<uint64_t>(value.number) << (64 - to)) >> (64 - to);
    }
    names_[result] = value;
    return true;
  }
  if (op != "arith.addi" && op != "arith.subi" && op != "arith.muli" && op != "arith.divui" &&
      op != "arith.divsi" && op != "arith.remui" && op != "arith.remsi") {
    return false;
  }
  const int64_t left = NumberOperand().value;
  Expect(",");
  const Number right = NumberOperand();
  if (TakeWord("overflow") && Is("<")) lexer_.Angle();
  Expect(":");
  (void)IntegerType();
  bool over = false;
  if (op == "arith.addi") over = __builtin_add_overflow(left, right.value, &value.number);
  if (op == "arith.subi") over = __builtin_sub_overflow(left, right.value, &value.number);
  if (op == "arith.muli") over = __builtin_mul_overflow(left, right.value, &value.number);
  if (over) lexer_.Fail(word.place, "the result does not fit: legal are 64 bits");
  if (op.starts_with("arith.div") || op.starts_with("arith.rem")) {
    if (right.value == 0) lexer_.Fail(right.place, "a division by 0: legal is another number");
    const bool negative = left < 0 || right.value < 0;
    if (negative && (op.ends_with("ui") || right.value == -1)) {
      lexer_.Fail(word.place, "a division of a negative number: legal are those that fit, signed");
    }
    value.number = op.starts_with("arith.div") ? left / right.value : left % right.value;
  }
  names_[result] = value;
  return true;
}

// `%i = %first to %end step %step [: type] { ... }`: its body once a turn.
void Parser::LoopOp(const Token& word) {
  if (Peek().kind != Kind::kValue) Unexpected("the variable of the loop, as %arg0");
  const std::string name = lexer_.Next().text;
  Expect("=");
  const Number first = NumberOperand();
  if (!TakeWord("to")) Unexpected("\"to\"");
  const Number end = NumberOperand();
  if (!TakeWord("step")) Unexpected("\"step\"");
  const Number step = NumberOperand();
  if (Peek().kind == Kind::kWord && Peek().text == "iter_args") {
    Unexpected("\"{\": values that a loop hands on are not read");
  }
  if (Take(":")) (void)IntegerType();
  if (step.value < 1) {
    lexer_.Fail(step.place, fmt::format("the step is {}: legal is 1 or more", step.value));
  }
  if (++depth_ > 32) lexer_.Fail(word.place, "loops within loops: legal are 32 levels");
  const Lexer body = lexer_;
  const Names outside = names_;
  if (!Is("{")) Unexpected("\"{\" before the operations of the loop");
  if (first.value >= end.value) SkipBalanced();
  for (int64_t at = first.value; at < end.value;) {
    if (++turns_ > kMostTurns) {
      lexer_.Fail(word.place,
                  fmt::format("the loops have more than {} turns: legal are fewer", kMostTurns));
    }
    lexer_ = body;
    Value value;
    value.kind = Value::Kind::kNumber;
    value.number = at;
    names_[name] = value;
    Body();
    if (__builtin_add_overflow(at, step.value, &at)) break;
  }
  names_ = outside;
  --depth_;
  (void)AttributeList();
}

// `{id = 1 : i32, size = 4 : i32, address = 8 : ui64}`, with a device of the file or data that hold
// the PDI, or none of them.
void Parser::LoadPdiOp(const Token& word) {
  const bool has_operand = Take("(");
  if (has_operand) {
    (void)Operand();
    Expect(")");
  }
  const Attributes attributes = AttributeList();
  if (has_operand) {
    Expect(":");
    SkipType();
  }
  const auto device = attributes.find("device_ref");
  if (device != attributes.end()) {
    CheckDevice(device->second);
  } else {
    lowering_->Need(word.place, attributes, "id", 0, 0xffff);
  }
  const uint32_t id = lowering_->Get(attributes, "id", 0, 0xffff, 0);
  const uint32_t size = lowering_->Get(attributes, "size", 0, 0xffffffff, 0);
  uint64_t address = 0;
  if (const auto found = attributes.find("address"); found != attributes.end()) {
    if (found->second.number < 0) {
      lexer_.Fail(found->second.place, "address is negative: legal is 0 or more");
    }
    address = static_cast<uint64_t>(found->second.number);
  }
  lowering_->program().LoadPdi(id, size, address);
}

// Whether the file has a device of this name.
void Parser::CheckDevice(const Attribute& symbol) const {
  std::string names;
  for (Lexer text = begin_; text.Peek().kind != Kind::kEnd;) {
    const Token token = text.Next();
    if (token.kind != Kind::kWord || token.text != "aie.device") continue;
    for (int n = 0; n < 3; ++n) text.Next();  // ( kind )
    if (text.Peek().kind != Kind::kSymbol) continue;
    if (text.Peek().text == symbol.text) return;
    names += (names.empty() ? "@" : ", @") + text.Peek().text;
  }
  lexer_.Fail(symbol.place,
              fmt::format("there is no aie.device @{:.60}: legal are {:.200}", symbol.text,
                          names.empty() ? "devices of the file, and none has a name" : names));
}

}  // namespace tessera::seq
