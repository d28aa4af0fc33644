// See embedded.h.
#include "tools/gen/embedded.h"

#include <fmt/format.h>

#include <regex>
#include <stdexcept>

namespace tessera::gen {

std::string_view EmbeddedText(std::string_view name) {
  for (const Embedded& file : EmbeddedFiles()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error(fmt::format("no embedded file is called '{}'", name));
}

std::string Fill(std::string_view name, const Fillings& fillings) {
  static const std::regex kPlace("@([A-Z_]+)@");
  const std::string_view text = EmbeddedText(fmt::format("templates/{}", name));
  std::string out;
  const char* at = text.begin();
  for (std::cregex_iterator place(at, text.end(), kPlace), none; place != none; ++place) {
    const auto found = fillings.find((*place)[1].str());
    if (found == fillings.end()) {
      throw std::logic_error(
          fmt::format("template {}: nobody fills '{}'", name, (*place)[1].str()));
    }
    out.append(at, (*place)[0].first) += found->second;
    at = (*place)[0].second;
  }
  return out.append(at, text.end());
}

int64_t Evaluate(std::string_view expression, const Values& values) {
  const auto found = Expressions().find(expression);
  if (found != Expressions().end()) return found->second(values);
  throw std::logic_error(fmt::format("the expression '{}' is of no top", expression));
}

int64_t ValueOf(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  if (found != values.end()) return found->second;
  throw std::logic_error(fmt::format("nothing is called '{}'", name));
}

}  // namespace tessera::gen
