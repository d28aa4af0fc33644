// Words of MLIR text, each with its place.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera::seq {

struct Place {
  uint32_t line = 1, column = 1;
};

// What is wrong with a file: "FILE:LINE:COLUMN: sentence".
class Error : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

enum class Kind : uint8_t {
  kEnd,
  kWord,    // a bare word, with dots: aiex.npu.sync
  kValue,   // %name
  kSymbol,  // @name
  kBlock,   // ^name
  kNumber,  // an integer
  kText,    // "..."
  kPunctuation,
};

struct Token {
  Kind kind = Kind::kEnd;
  std::string text;    // without its sign: "arg0" of %arg0
  int64_t number = 0;  // of kNumber
  Place place;
  bool first = false;  // on its line
};

class Lexer {
 public:
  Lexer(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    Advance();
  }

  const Token& Peek() const { return token_; }
  Token Next();
  // The raw text from the token at hand to the bracket '>' that closes the '<' behind it.
  std::string Angle();

  [[noreturn]] void Fail(Place place, const std::string& sentence) const;
  const std::string& file() const { return file_; }

 private:
  void Advance();
  char At(size_t n) const { return n < text_.size() ? text_[n] : '\0'; }
  void Step();
  void Number();

  std::string_view text_;
  std::string file_;
  size_t next_ = 0;
  Place place_;
  Token token_;
  bool fresh_ = true;  // nothing on this line yet
};

}  // namespace tessera::seq
