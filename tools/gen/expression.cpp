// A recursive-descent evaluator; see expression.h.
#include "tools/gen/expression.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace tessera::gen {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Values& values) : text_(text), values_(values) {}

  int64_t All() {
    const int64_t value = Choice();
    Space();
    if (at_ != text_.size()) Fail("something is left over");
    return value;
  }

 private:
  // Operators of a level bind as tightly; levels from loose to tight.
  static constexpr std::array<std::array<std::string_view, 4>, 8> kLevels{{{"||"},
                                                                           {"&&"},
                                                                           {"&"},
                                                                           {"==", "!="},
                                                                           {"<=", ">=", "<", ">"},
                                                                           {"<<", ">>"},
                                                                           {"+", "-"},
                                                                           {"*", "/", "%"}}};

  [[noreturn]] void Fail(const std::string& why) const {
    throw std::logic_error(fmt::format("the expression '{}': {}", text_, why));
  }
  void Space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool Take(std::string_view word) {
    Space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  // `<` is no `<<` and no `<=`, `&` no `&&`.
  bool TakeOperator(std::string_view word) {
    Space();
    const std::string_view rest = text_.substr(at_);
    if (word.empty() || !rest.starts_with(word)) return false;
    if ((word == "<" || word == ">") && rest.size() > 1 && (rest[1] == word[0] || rest[1] == '=')) {
      return false;
    }
    if (word == "&" && rest.starts_with("&&")) return false;
    at_ += word.size();
    return true;
  }
  // A part whose value does not count may divide by 0.
  template <typename Part>
  int64_t Unless(bool settled, Part part) {
    unused_ += settled ? 1 : 0;
    const int64_t value = part();
    unused_ -= settled ? 1 : 0;
    return value;
  }
  int64_t Choice() {
    const int64_t condition = Level(0);
    if (!Take("?")) return condition;
    const int64_t yes = Unless(condition == 0, [&] { return Choice(); });
    if (!Take(":")) Fail("a ':' is missing");
    const int64_t no = Unless(condition != 0, [&] { return Choice(); });
    return condition != 0 ? yes : no;
  }
  int64_t Level(size_t level) {
    if (level == kLevels.size()) return Unary();
    int64_t left = Level(level + 1);
    for (bool more = true; more;) {
      more = false;
      for (const std::string_view word : kLevels[level]) {
        if (!TakeOperator(word)) continue;
        const bool settled = (word == "||" && left != 0) || (word == "&&" && left == 0);
        left = Apply(word, left, Unless(settled, [&] { return Level(level + 1); }));
        more = true;
        break;
      }
    }
    return left;
  }
  int64_t Apply(std::string_view word, int64_t a, int64_t b) const {
    if ((word == "/" || word == "%") && b == 0) {
      if (unused_ > 0) return 0;
      Fail("a division by 0");
    }
    if (word == "||") return a != 0 || b != 0;
    if (word == "&&") return a != 0 && b != 0;
    if (word == "&") return a & b;
    if (word == "==") return a == b;
    if (word == "!=") return a != b;
    if (word == "<=") return a <= b;
    if (word == ">=") return a >= b;
    if (word == "<") return a < b;
    if (word == ">") return a > b;
    if (word == "<<") return a << (b & 63);
    if (word == ">>") return a >> (b & 63);
    if (word == "+") return a + b;
    if (word == "-") return a - b;
    if (word == "*") return a * b;
    return word == "/" ? a / b : a % b;
  }
  int64_t Unary() {
    if (TakeOperator("!")) return Unary() == 0;
    if (TakeOperator("-")) return -Unary();
    if (Take("$clog2")) {
      const int64_t value = Unary();
      int64_t bits = 0;
      while (bits < 63 && (int64_t{1} << bits) < value) ++bits;
      return bits;
    }
    if (Take("(")) {
      const int64_t value = Choice();
      if (!Take(")")) Fail("a ')' is missing");
      return value;
    }
    return Operand();
  }
  int64_t Operand() {
    Space();
    const size_t begin = at_;
    const auto word = [&](auto belongs) {
      const size_t from = at_;
      while (at_ < text_.size() && belongs(static_cast<unsigned char>(text_[at_]))) ++at_;
      return text_.substr(from, at_ - from);
    };
    if (at_ < text_.size() &&
        (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      const std::string_view name =
          word([](unsigned char c) { return std::isalnum(c) || c == '_'; });
      const auto found = values_.find(name);
      if (found == values_.end()) Fail(fmt::format("nothing is called '{}'", name));
      return found->second;
    }
    std::string digits(word([](unsigned char c) { return std::isdigit(c); }));
    int base = 10;
    if (at_ < text_.size() && text_[at_] == '\'') {
      ++at_;
      const char kind = at_ < text_.size() ? text_[at_] : '0';
      base = kind == 'h' ? 16 : kind == 'b' ? 2 : kind == 'o' ? 8 : 10;
      if (!std::isdigit(static_cast<unsigned char>(kind))) ++at_;
      digits = std::string(word([](unsigned char c) { return std::isxdigit(c) || c == '_'; }));
    }
    std::erase(digits, '_');
    int64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size() || at_ == begin)
      Fail("a number is missing");
    return value;
  }

  std::string_view text_;
  const Values& values_;
  size_t at_ = 0;
  int unused_ = 0;  // parts around this place whose value does not count
};

}  // namespace

int64_t Evaluate(std::string_view expression, const Values& values) {
  return Parser(expression, values).All();
}

}  // namespace tessera::gen
