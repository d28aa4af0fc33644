// Constant expressions of headers of modules: widths of pins, values of parameters, rules between
// them.
//
// Integers, names, + - * / % << >>, comparisons, & && || !, ?:, parentheses; literals as 32, 1'b1,
// '0, 7'h1f.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tessera::gen {

using Values = std::map<std::string, int64_t, std::less<>>;

// Throws std::logic_error naming the expression if it cannot be read or has a name that is not in
// `values`.
int64_t Evaluate(std::string_view expression, const Values& values);

}  // namespace tessera::gen
