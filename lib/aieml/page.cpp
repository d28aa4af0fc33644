// The table of registers as Markdown; see registers.h.
#include <fmt/format.h>

#include "lib/aieml/registers.h"

namespace tessera::aieml {
namespace {

std::string Bits(const Field& field) {
  return field.high == field.low ? fmt::to_string(field.high)
                                 : fmt::format("{}:{}", field.high, field.low);
}

std::string FieldsOf(const Register& entry) {
  std::string text;
  for (const Field& field : entry.fields) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", Bits(field), field.name);
    if (field.form == Form::kOneLess) text += " less 1";
    if (field.form == Form::kSigned7) text += ", signed";
    if (!field.note.empty()) text += fmt::format(" ({})", field.note);
  }
  if (!entry.note.empty()) text += (text.empty() ? "" : "; ") + std::string(entry.note);
  return text.empty() ? "-" : text;
}

}  // namespace

std::string_view StandingOf(const Register& entry) {
  switch (entry.home) {
    case Home::kDma:
    case Home::kSwitch:
    case Home::kMemory:
    case Home::kControl:
    case Home::kEvents:
      return "same";
    case Home::kRemembered:
      return "reads back";
  }
  return "";
}

std::string Markdown() {
  std::string page;
  for (const TileKind kind : kKinds) {
    std::string title(NameOf(kind));
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    page += fmt::format(
        "### {}\n\n| register | offset | number | fields | here |\n|---|---|---|---|---|\n", title);
    for (const Register& entry : RegistersOf(kind)) {
      const std::string number = entry.count == 1
                                     ? std::string("1")
                                     : fmt::format("{} at {:#x}", entry.count, entry.pitch);
      page += fmt::format("| `{}` | {:#07x} | {} | {} | {} |\n", entry.name, entry.first, number,
                          FieldsOf(entry), StandingOf(entry));
    }
    page += "\n";
  }
  return page;
}

}  // namespace tessera::aieml
