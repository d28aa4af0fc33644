// Strict reading; see reader.h.
#include "tools/job/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tb/files/nearest.h"
#include "tb/sim/counted.h"

namespace tessera::job {
namespace {

constexpr int kDeepest = 16;
constexpr size_t kShownBytes = 48;

// "-0x1f" or "0x1f".
bool ParseHex(std::string_view text, bool* negative, uint64_t* value) {
  *negative = text.starts_with('-');
  if (*negative) text.remove_prefix(1);
  if (!text.starts_with("0x") && !text.starts_with("0X")) return false;
  text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, 16);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// An integer as magnitude and sign, be it a number or a hexadecimal text.
bool Integer(const Json& json, bool* negative, uint64_t* magnitude) {
  if (json.is_string()) return ParseHex(json.get_ref<const std::string&>(), negative, magnitude);
  if (!json.is_number_integer()) return false;
  *negative = !json.is_number_unsigned() && json.get<int64_t>() < 0;
  *magnitude = *negative ? -static_cast<uint64_t>(json.get<int64_t>()) : json.get<uint64_t>();
  return true;
}

// A member that is null is absent.
void DropNulls(Json* json) {
  if (json->is_object()) {
    for (auto it = json->begin(); it != json->end();) {
      it = it->is_null() ? json->erase(it) : std::next(it);
    }
  }
  if (!json->is_structured()) return;
  for (Json& child : *json) DropNulls(&child);
}

bool NameCharacter(char c, bool first) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return letter || (!first && c >= '0' && c <= '9');
}

// Looks at a text before it becomes values: depth, members that come twice, what is no JSON.
// (A callback of the parser would do, but takes time in the square of the length of an array.)
class Grammar : public Json::json_sax_t {
 public:
  Grammar(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_object(size_t) override {
    members_.emplace_back();
    return Deeper();
  }
  bool end_object() override {
    members_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(size_t) override { return Deeper(); }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool key(std::string& name) override {
    if (members_.back().insert(name).second) return true;
    throw Error(fmt::format("{}: the member {} is there twice in one object: legal is once", file_,
                            Shown(Json(name))));
  }
  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kOverflow = 406;  // the library's number of "number overflow"
    if (error.id == kOverflow) {
      throw Error(fmt::format("{}: a number is {}: legal is at most 18446744073709551615", file_,
                              token.substr(0, 100)));
    }
    throw Error(fmt::format("{}: {}", file_, NoJson(text_, position)));
  }

 private:
  bool Deeper() {
    if (++depth_ <= kDeepest) return true;
    throw Error(fmt::format("{}: the document is nested {} deep: legal is at most {}", file_,
                            depth_, kDeepest));
  }
  std::string_view text_;
  const std::string& file_;
  std::vector<std::set<std::string>> members_;  // of each object that is open
  int depth_ = 0;
};

}  // namespace

Error ErrorAt(const std::string& file, const std::string& place, const std::string& value,
              const std::string& legal) {
  return Error(
      fmt::format("{}: {} is {}: {}", file, place.empty() ? "the document" : place, value, legal));
}

std::string Shown(const Json& json) {
  // A large document is not written out in full only to be cut.
  if (json.is_structured() && json.size() > kShownBytes) {
    return fmt::format("an {} of {}", json.is_array() ? "array" : "object",
                       Counted(json.size(), "entry", "entries"));
  }
  std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes - 3) + "...";
  return text;
}

Reader::Reader(const Json& json, const std::string& file, std::string place, const Shape* shape)
    : json_(&json), file_(&file), place_(std::move(place)), shape_(shape) {
  if (shape == nullptr || shape->kind != Shape::Kind::kAnyOf) return;
  shape_ = shape->shapes;
  const Shape::Kind kind = json.is_object() ? Shape::Kind::kObject : Shape::Kind::kArray;
  for (const Shape& form : std::span(shape->shapes, shape->most)) {
    if (!json.is_structured() || form.kind != kind) continue;
    shape_ = &form;
    return;
  }
}

void Reader::Refuse(const std::string& legal) const {
  throw ErrorAt(*file_, place_, Shown(*json_), "legal is " + legal);
}

const Member& Reader::MemberOf(std::string_view name) const {
  const std::span members(shape_->members, shape_->most);
  return *std::find_if(members.begin(), members.end(),
                       [name](const Member& member) { return member.name == name; });
}

void Reader::Object() const {
  const std::span all(shape_->members, shape_->most);
  std::vector<std::string_view> names;
  for (const Member& member : all) names.push_back(member.name);
  Object(names);
  for (const Member& member : all) {
    if (member.needed) Need(member.name, member.about);
  }
  for (const Rule& rule : shape_->rules) Follow(rule);
}

void Reader::Object(std::span<const std::string_view> members) const {
  if (!json_->is_object()) Refuse("an object");
  for (const auto& [key, unused] : json_->items()) {
    if (std::find(members.begin(), members.end(), key) != members.end()) continue;
    const std::string nearest =
        Nearest(key, std::vector<std::string>(members.begin(), members.end()));
    const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
    throw Error(fmt::format("{}: {} has an unknown member {}: legal are {}{}", *file_,
                            place_.empty() ? "the document" : place_, Shown(key), Listed(members),
                            hint));
  }
}

bool Reader::Given(std::string_view member) const {
  return !member.empty() && Has(member) && json_->at(std::string(member)) != false;
}

void Reader::Follow(const Rule& rule) const {
  const auto behind = std::find(rule.members.begin(), rule.members.end(), "");
  const std::span members(rule.members.begin(), behind);
  const auto given = std::count_if(members.begin(), members.end(),
                                   [this](std::string_view member) { return Given(member); });
  if (rule.kind == Rule::Kind::kOneOf) {
    if (given != 1) Refuse("one of " + Listed(members));
    return;
  }
  if (!Given(members[0])) return;
  for (const std::string_view member : members.subspan(1)) {
    if (rule.kind == Rule::Kind::kNeeds) Need(member, MemberOf(member).about);
    if (rule.kind == Rule::Kind::kExcludes && Given(member)) {
      At(member).Refuse(fmt::format("none beside \"{}\"{}", members[0], rule.why));
    }
  }
}

bool Reader::Has(std::string_view member) const {
  return json_->contains(member) && !(*json_)[std::string(member)].is_null();
}

Reader Reader::At(std::string_view member) const {
  const std::string name(member);
  return Reader(json_->at(name), *file_, place_.empty() ? name : place_ + "." + name,
                shape_ == nullptr ? nullptr : &MemberOf(member).shape);
}

Reader Reader::Need(std::string_view member, std::string_view what) const {
  if (!Has(member)) {
    throw Error(fmt::format("{}: {} has no member \"{}\": legal is {}", *file_,
                            place_.empty() ? "the document" : place_, member, what));
  }
  return At(member);
}

Reader Reader::At(size_t index) const {
  return Reader(json_->at(index), *file_, fmt::format("{}[{}]", place_, index),
                shape_ == nullptr ? nullptr : shape_->shapes);
}

size_t Reader::Array(size_t most) const {
  if (!json_->is_array()) Refuse(fmt::format("an array of at most {} entries", most));
  if (json_->size() > most) {
    throw Error(fmt::format("{}: {} has {}: legal is at most {}", *file_, place_,
                            Counted(json_->size(), "entry", "entries"), most));
  }
  return json_->size();
}

size_t Reader::Array() const {
  const size_t count = Array(shape_->most);
  const auto least = static_cast<size_t>(shape_->least);
  if (count < least) {
    const std::string_view name = shape_->shapes->name;
    if (name.empty()) Refuse(fmt::format("an array of {} to {} entries", least, shape_->most));
    Refuse(fmt::format("an array of at least {}", least == 1 ? fmt::format("one {}", name)
                                                             : fmt::format("{} entries", least)));
  }
  return count;
}

std::vector<Reader> Reader::Entries() const {
  std::vector<Reader> entries;
  for (size_t count = Array(), n = 0; n < count; ++n) entries.push_back(At(n));
  return entries;
}

std::vector<Reader> Reader::Entries(std::string_view member) const {
  return Has(member) ? At(member).Entries() : std::vector<Reader>();
}

uint64_t Reader::Unsigned() const {
  return Unsigned(static_cast<uint64_t>(shape_->least), shape_->most);
}

int64_t Reader::Signed() const {
  const int64_t value = Signed(shape_->least, static_cast<int64_t>(shape_->most));
  if (shape_->kind == Shape::Kind::kPower && !std::has_single_bit(static_cast<uint64_t>(value))) {
    Refuse(fmt::format("a power of two from 1 to {}", shape_->most));
  }
  return value;
}

uint64_t Reader::Unsigned(uint64_t least, uint64_t most) const {
  bool negative = false;
  uint64_t value = 0;
  if (!Integer(*json_, &negative, &value) || (negative && value != 0) || value < least ||
      value > most) {
    Refuse(fmt::format("an integer from {} to {}, or \"0x...\"", least, most));
  }
  return value;
}

int64_t Reader::Signed(int64_t least, int64_t most) const {
  bool negative = false;
  uint64_t magnitude = 0;
  const bool integer = Integer(*json_, &negative, &magnitude);
  const uint64_t limit = uint64_t{1} << 63;
  const bool fits = integer && (negative ? magnitude <= limit : magnitude < limit);
  const int64_t value = static_cast<int64_t>(negative ? -magnitude : magnitude);
  if (!fits || value < least || value > most) {
    Refuse(fmt::format("an integer from {} to {}, or \"0x...\"", least, most));
  }
  return value;
}

uint64_t Reader::Bits(int bits) const {
  bool negative = false;
  uint64_t magnitude = 0;
  if (!Integer(*json_, &negative, &magnitude) || !negative || magnitude == 0) {
    return Unsigned(0, ~uint64_t{0} >> (64 - bits));
  }
  return static_cast<uint64_t>(Signed(INT64_MIN >> (64 - bits), -1));
}

double Reader::Fraction() const {
  const double value = json_->is_number() ? json_->get<double>() : -1.0;
  const double most = static_cast<double>(shape_->most) / 100;
  if (!(value >= 0.0 && value <= most)) Refuse(fmt::format("a number from 0 to {}", most));
  return value;
}

bool Reader::Bool() const {
  if (!json_->is_boolean()) Refuse("true or false");
  const bool always = shape_ != nullptr && shape_->kind == Shape::Kind::kTrue;
  if (always && *json_ == false) Refuse("true, or no such member");
  return json_->get<bool>();
}

std::string Reader::Text() const {
  if (!json_->is_string()) Refuse("a text");
  return json_->get<std::string>();
}

std::string Reader::Path() const {
  const std::string path = json_->is_string() ? json_->get<std::string>() : "";
  if (path.empty() || path.size() > 4096 || path.find('\0') != std::string::npos) {
    Refuse("the name of a file");
  }
  return path;
}

std::string Reader::Name() const {
  const std::string name = json_->is_string() ? json_->get<std::string>() : "";
  bool good = !name.empty() && name.size() <= 64;
  for (size_t n = 0; good && n < name.size(); ++n) good = NameCharacter(name[n], n == 0);
  if (!good) Refuse("a name: a letter or _, then letters, digits and _, 64 at most");
  return name;
}

PacerSpec Reader::Pacer() const {
  static constexpr const char* kLegal =
      "always, never, p=<0..1>, bursts=<on>[-<on>]/<off>[-<off>] with on >= 1, or list=<0s and 1s>";
  if (!json_->is_string()) Refuse(kLegal);
  try {
    return PacerSpec::Parse(json_->get_ref<const std::string&>());
  } catch (const std::invalid_argument&) {
    Refuse(kLegal);
  }
}

size_t Reader::Word(std::span<const std::string_view> words) const {
  if (json_->is_string()) {
    const auto found = std::find(words.begin(), words.end(), json_->get_ref<const std::string&>());
    if (found != words.end()) return static_cast<size_t>(found - words.begin());
  }
  Refuse("one of " + Listed(words));
}

void Reader::Value(std::string* out) const {
  *out = shape_->kind == Shape::Kind::kName   ? Name()
         : shape_->kind == Shape::Kind::kPath ? Path()
                                              : Text();
}

std::string NoJson(std::string_view text, size_t byte) {
  const size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const std::string_view before = text.substr(0, at);
  const size_t line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const size_t newline = before.rfind('\n');
  const size_t column = at - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  if (at == text.size()) {
    return fmt::format("this is no JSON: line {}, column {}: the text ends within a value", line,
                       column);
  }
  return fmt::format("this is no JSON: line {}, column {}: {} cannot stand here", line, column,
                     Shown(Json(std::string(1, text[at]))));
}

Json ParseText(std::string_view text, const std::string& file) {
  Grammar grammar(text, file);
  Json::sax_parse(text, &grammar);  // throws what is wrong
  Json json = Json::parse(text);
  DropNulls(&json);
  return json;
}

}  // namespace tessera::job
