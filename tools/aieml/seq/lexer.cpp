// See lexer.h.
#include "tools/aieml/seq/lexer.h"

#include <fmt/format.h>

#include <cctype>

namespace tessera::seq {
namespace {

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool InWord(char c) { return IsLetter(c) || IsDigit(c) || c == '.' || c == '$'; }

}  // namespace

void Lexer::Fail(Place place, const std::string& sentence) const {
  std::string line;  // words of the file may hold anything
  for (const char c : sentence) line += c >= ' ' && c <= '~' ? c : '.';
  throw Error(fmt::format("{}:{}:{}: {}", file_, place.line, place.column, line));
}

Token Lexer::Next() {
  const Token token = token_;
  Advance();
  return token;
}

void Lexer::Step() {
  if (At(next_) == '\n') {
    ++place_.line;
    place_.column = 1;
    fresh_ = true;
  } else {
    ++place_.column;
  }
  ++next_;
}

void Lexer::Number() {
  const bool negative = At(next_) == '-';
  if (negative) Step();
  const bool hex = At(next_) == '0' && (At(next_ + 1) == 'x' || At(next_ + 1) == 'X') &&
                   std::isxdigit(static_cast<unsigned char>(At(next_ + 2))) != 0;
  if (hex) {
    Step();
    Step();
  }
  uint64_t value = 0;
  bool wide = false;
  while (hex ? std::isxdigit(static_cast<unsigned char>(At(next_))) != 0 : IsDigit(At(next_))) {
    const char c = At(next_);
    const auto digit = static_cast<uint64_t>(IsDigit(c) ? c - '0' : (c | 32) - 'a' + 10);
    wide = wide || value > (uint64_t{1} << 58);
    value = value * (hex ? 16 : 10) + digit;
    token_.text += c;
    Step();
  }
  if (wide)
    Fail(token_.place,
         fmt::format("a number of {} digits: legal are at most 58 bits", token_.text.size()));
  // A fraction or an exponent is read over: no operation here takes one.
  if (!hex && At(next_) == '.' && IsDigit(At(next_ + 1))) {
    Step();
    while (IsDigit(At(next_))) Step();
  }
  token_.kind = Kind::kNumber;
  token_.number = negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

void Lexer::Advance() {
  for (;;) {
    const char c = At(next_);
    if (next_ < text_.size() && std::isspace(static_cast<unsigned char>(c)) != 0) {
      Step();
    } else if (c == '/' && At(next_ + 1) == '/') {
      while (next_ < text_.size() && At(next_) != '\n') Step();
    } else {
      break;
    }
  }
  token_ = {};
  token_.place = place_;
  token_.first = fresh_;
  if (next_ >= text_.size()) return;
  fresh_ = false;
  const char c = At(next_);
  if (IsDigit(c) || (c == '-' && IsDigit(At(next_ + 1)))) return Number();
  if (IsLetter(c)) {
    token_.kind = Kind::kWord;
    while (InWord(At(next_))) {
      token_.text += At(next_);
      Step();
    }
    return;
  }
  if (c == '"') {
    token_.kind = Kind::kText;
    Step();
    while (next_ < text_.size() && At(next_) != '"') {
      if (At(next_) == '\\') Step();
      token_.text += At(next_);
      Step();
    }
    if (next_ >= text_.size())
      Fail(token_.place, "a text that does not end: legal is one with its closing quote");
    Step();
    return;
  }
  if (c == '%' || c == '@' || c == '^') {
    token_.kind = c == '%' ? Kind::kValue : c == '@' ? Kind::kSymbol : Kind::kBlock;
    Step();
    if (c == '@' && At(next_) == '"') {
      Step();
      while (next_ < text_.size() && At(next_) != '"') {
        token_.text += At(next_);
        Step();
      }
      Step();
      return;
    }
    while (InWord(At(next_)) || At(next_) == '-') {
      token_.text += At(next_);
      Step();
    }
    if (c == '@' && At(next_) == ':' && At(next_ + 1) == ':' && At(next_ + 2) == '@') {  // nested
      Step();
      Step();
      Step();
      token_.text.clear();
      while (InWord(At(next_))) {
        token_.text += At(next_);
        Step();
      }
    }
    return;
  }
  token_.kind = Kind::kPunctuation;
  token_.text = std::string(1, c);
  Step();
  if (c == '-' && At(next_) == '>') {
    token_.text = "->";
    Step();
  }
}

std::string Lexer::Angle() {
  // The token at hand is '<': its text has been read, the rest has not.
  std::string raw;
  size_t depth = 1;
  const Place begin = token_.place;
  while (next_ < text_.size()) {
    const char c = At(next_);
    Step();
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) {
      Advance();
      return raw;
    }
    raw += c;
  }
  Fail(begin, "a bracket \"<\" that is not closed");
}

}  // namespace tessera::seq
