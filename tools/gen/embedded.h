// What is inside the program, made by embed.py: files (sources, driver, bench, descriptions of the
// tops, templates) and the expressions of the tops.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::gen {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

const std::vector<Embedded>& EmbeddedFiles();
// The text of one of them; throws std::logic_error if there is none of that name.
std::string_view EmbeddedText(std::string_view name);

// The embedded template with every place, @NAME@, filled; throws std::logic_error for a place that
// nobody fills.
using Fillings = std::map<std::string, std::string, std::less<>>;
std::string Fill(std::string_view name, const Fillings& fillings);

// Widths of pins, values of parameters, rules between them: what a top says, by its text.
using Values = std::map<std::string, int64_t, std::less<>>;
const std::map<std::string_view, int64_t (*)(const Values& values)>& Expressions();
// Throws std::logic_error if the expression is of no top, or has a name that is not in `values`.
int64_t Evaluate(std::string_view expression, const Values& values);
int64_t ValueOf(const Values& values, std::string_view name);

}  // namespace tessera::gen
