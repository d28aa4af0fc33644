// Words and values of parser.h.
#include "tools/aieml/seq/parser.h"

#include <fmt/format.h>

namespace tessera::seq {

bool Parser::Is(std::string_view punctuation) const {
  return Peek().kind == Kind::kPunctuation && Peek().text == punctuation;
}

bool Parser::Take(std::string_view punctuation) {
  if (!Is(punctuation)) return false;
  lexer_.Next();
  return true;
}

bool Parser::TakeWord(std::string_view word) {
  if (Peek().kind != Kind::kWord || Peek().text != word) return false;
  lexer_.Next();
  return true;
}

void Parser::Unexpected(const std::string& legal) const {
  const Token& token = Peek();
  const char* sign = token.kind == Kind::kValue    ? "%"
                     : token.kind == Kind::kSymbol ? "@"
                     : token.kind == Kind::kBlock  ? "^"
                                                   : "";
  const std::string shown = token.kind == Kind::kEnd
                                ? std::string("the end of the file")
                                : fmt::format("\"{}{:.40}\"", sign, token.text);
  lexer_.Fail(token.place, fmt::format("{} is not expected: legal is {}", shown, legal));
}

void Parser::Expect(std::string_view punctuation) {
  if (!Take(punctuation)) Unexpected(fmt::format("\"{}\"", punctuation));
}

std::string Parser::Symbol() {
  if (Peek().kind != Kind::kSymbol) Unexpected("a symbol, as @name");
  return lexer_.Next().text;
}

int64_t Parser::Integer() {
  if (Peek().kind != Kind::kNumber) Unexpected("a number");
  return lexer_.Next().number;
}

bool Parser::Direction() {
  const bool word = Peek().kind == Kind::kWord || Peek().kind == Kind::kText;
  if (!word || (Peek().text != "MM2S" && Peek().text != "S2MM")) Unexpected("MM2S or S2MM");
  return lexer_.Next().text == "MM2S";
}

void Parser::SkipBalanced() {
  const Place begin = Peek().place;
  size_t depth = 0;
  do {
    if (Peek().kind == Kind::kEnd) lexer_.Fail(begin, "a bracket that is not closed");
    if (Is("(") || Is("[") || Is("{")) ++depth;
    if (Is(")") || Is("]") || Is("}")) --depth;
    lexer_.Next();
  } while (depth != 0);
}

// The next operation is the first on its line, outside brackets; a region's end is none.
void Parser::SkipOperation() {
  for (;;) {
    const Token& token = Peek();
    if (token.kind == Kind::kEnd || Is("}")) return;
    if (token.first && (token.kind == Kind::kValue || token.kind == Kind::kBlock ||
                        (token.kind == Kind::kWord && token.text.find('.') != std::string::npos))) {
      return;
    }
    if (Is("(") || Is("[") || Is("{")) {
      SkipBalanced();
    } else {
      lexer_.Next();
    }
  }
}

std::optional<Shape> Parser::Type() {
  if (Take("!")) {
    lexer_.Next();
    if (Is("<")) lexer_.Angle();
    return std::nullopt;
  }
  if (Is("(")) {
    SkipBalanced();
    if (Take("->")) SkipType();
    return std::nullopt;
  }
  if (Peek().kind != Kind::kWord) Unexpected("a type");
  const Token word = lexer_.Next();
  if (!Is("<")) return std::nullopt;
  const std::string raw = lexer_.Angle();
  if (word.text != "memref") return std::nullopt;
  Shape shape;
  std::string_view rest = std::string_view(raw).substr(0, raw.find(','));
  for (size_t x = 0; (x = rest.find('x')) != std::string_view::npos;) {
    const std::string_view size = rest.substr(0, x);
    const bool digits = size.size() < 12 &&
                        size.find_first_of("0123456789") != std::string_view::npos &&
                        size.find_first_not_of("0123456789 ") == std::string_view::npos;
    if (!digits && size != "?") break;
    shape.sizes.push_back(digits ? std::stoll(std::string(size)) : -1);
    rest.remove_prefix(x + 1);
  }
  const size_t digit = rest.find_first_of("0123456789");
  const std::string_view letters = rest.substr(0, digit);
  shape.bits = 0;
  if (digit != std::string_view::npos &&
      (letters == "i" || letters == "ui" || letters == "si" || letters == "f" || letters == "bf")) {
    for (const char c : rest.substr(digit)) {
      if (c < '0' || c > '9' || shape.bits > 1000) break;
      shape.bits = shape.bits * 10 + static_cast<uint32_t>(c - '0');
    }
  }
  return shape;
}

void Parser::SkipType() { (void)Type(); }

Value Parser::Operand() {
  if (Peek().kind != Kind::kValue) Unexpected("a value, as %name");
  const auto found = names_.find(Peek().text);
  if (found == names_.end()) {
    lexer_.Fail(Peek().place,
                fmt::format("%{} has no definition that a sequence can use: legal are "
                            "constants, tiles, buffers, locks, arguments and tasks",
                            Peek().text));
  }
  lexer_.Next();
  return found->second;
}

Number Parser::NumberOperand() {
  const Place place = Peek().place;
  if (Peek().kind == Kind::kNumber) return {Integer(), place};
  const std::string name = Peek().text;
  const Value value = Operand();
  if (value.kind != Value::Kind::kNumber) {
    lexer_.Fail(place,
                fmt::format("%{} is known only when the sequence runs, or is no number: legal "
                            "is a constant",
                            name));
  }
  return {value.number, place};
}

TileRef Parser::TileOperand() {
  const Place place = Peek().place;
  const Value value = Operand();
  if (value.kind != Value::Kind::kTile) lexer_.Fail(place, "no tile: legal is a value of aie.tile");
  return value.tile;
}

std::vector<Number> Parser::NumberList() {
  std::vector<Number> list;
  Expect("[");
  while (!Is("]")) {
    list.push_back(NumberOperand());
    if (!Take(",")) break;
  }
  Expect("]");
  return list;
}

// "<pkt_id = 1, pkt_type = 2>", with a name before it or not.
std::optional<Packet> Parser::PacketInfo() {
  const Attribute attribute = AttributeValue();
  const auto id = attribute.members.find("pkt_id"), type = attribute.members.find("pkt_type");
  if (id == attribute.members.end() || type == attribute.members.end()) {
    lexer_.Fail(attribute.place,
                "a packet without id or type: legal is <pkt_type = 0, pkt_id = 0>");
  }
  return Packet{{id->second, attribute.place}, {type->second, attribute.place}};
}

Attribute Parser::AttributeValue() {
  Attribute a;
  a.place = Peek().place;
  if (++depth_ > 32) lexer_.Fail(a.place, "attributes within attributes: legal are 32 levels");
  switch (Peek().kind) {
    case Kind::kNumber:
      a.kind = Attribute::Kind::kNumber;
      a.number = Integer();
      break;
    case Kind::kText:
      a.kind = Attribute::Kind::kText;
      a.text = lexer_.Next().text;
      break;
    case Kind::kSymbol:
      a.kind = Attribute::Kind::kSymbol;
      a.text = Symbol();
      break;
    case Kind::kWord: {
      const Token word = lexer_.Next();
      if (word.text == "true" || word.text == "false") {
        a.kind = Attribute::Kind::kBool;
        a.number = word.text == "true" ? 1 : 0;
      } else if (word.text == "array" && Take("<")) {  // array<i32: 1, 2>
        a.kind = Attribute::Kind::kList;
        lexer_.Next();
        if (Take(":")) {
          while (!Is(">")) {
            a.list.push_back(Integer());
            if (!Take(",")) break;
          }
        }
        Expect(">");
      } else if (Is("<")) {
        lexer_.Angle();
      } else {
        a.kind = Attribute::Kind::kText;
        a.text = word.text;
      }
      break;
    }
    default:
      if (Take("#")) {
        lexer_.Next();
        if (!Is("<")) break;
      }
      if (Take("<")) {
        a.kind = Attribute::Kind::kMembers;
        while (!Is(">")) {
          if (Peek().kind != Kind::kWord) Unexpected("the name of a member");
          const std::string name = lexer_.Next().text;
          Expect("=");
          a.members[name] = AttributeValue().number;
          if (!Take(",")) break;
        }
        Expect(">");
      } else if (Is("[")) {
        SkipBalanced();
      } else if (Is("{")) {
        SkipBalanced();
      } else {
        Unexpected("the value of an attribute");
      }
  }
  if (Take(":")) SkipType();
  --depth_;
  return a;
}

Attributes Parser::AttributeList() {
  Attributes all;
  if (!Take("{")) return all;
  while (!Is("}")) {
    const Token name = Peek();
    if (name.kind != Kind::kWord && name.kind != Kind::kText)
      Unexpected("the name of an attribute");
    lexer_.Next();
    Attribute value;
    value.kind = Attribute::Kind::kUnit;
    value.number = 1;
    value.place = name.place;
    if (Take("=")) value = AttributeValue();
    if (!all.emplace(name.text, value).second) {
      lexer_.Fail(name.place, fmt::format("the attribute \"{}\" is there twice", name.text));
    }
    if (!Take(",")) break;
  }
  Expect("}");
  return all;
}

Sequence Lower(std::string_view text, const std::string& file, const std::string& name) {
  return Parser(text, file).Run(name);
}

}  // namespace tessera::seq
