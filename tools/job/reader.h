// Reading JSON strictly: every value knows where it stands, and what is wrong is one sentence.
//
// For tools/job and tools/gen. A Reader is a value of the document with its place; it is cheap to
// copy.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tb/sim/names.h"
#include "tools/job/job.h"

namespace tessera::job {

class Reader {
 public:
  Reader(const Json& json, const std::string& file, std::string place)
      : json_(&json), file_(&file), place_(std::move(place)) {}

  const Json& json() const { return *json_; }
  const std::string& place() const { return place_; }
  const std::string& file() const { return *file_; }

  // Throws the Error "FILE: PLACE is VALUE: legal LEGAL".
  [[noreturn]] void Refuse(const std::string& legal) const;

  // An object with no other members than these.
  void Object(std::initializer_list<std::string_view> members) const {
    Object(std::span<const std::string_view>(members.begin(), members.size()));
  }
  void Object(std::span<const std::string_view> members) const;
  bool Has(std::string_view member) const;
  Reader At(std::string_view member) const;
  // Throws an Error that says that `member` is missing and what it is.
  Reader Need(std::string_view member, std::string_view what) const;
  Reader At(size_t index) const;
  // The number of entries of an array of at most `most`.
  size_t Array(size_t most) const;

  uint64_t Unsigned(uint64_t least, uint64_t most) const;
  int64_t Signed(int64_t least, int64_t most) const;
  double Fraction() const;  // 0 to 1
  bool Bool() const;
  std::string Text() const;
  std::string Path() const;  // a text that can name a file
  std::string Name() const;  // a letter or _, then letters, digits and _
  PacerSpec Pacer() const;
  // Which of these words it is.
  size_t Word(std::initializer_list<std::string_view> words) const;
  // The enumerator of this name.
  template <NamedEnum Enum>
  Enum Enumerator() const {
    const auto names = NamesOf(Enum{});
    return static_cast<Enum>(Word(std::span<const std::string_view>(names)));
  }

  // As above, for a member that may be absent.
  void Get(std::string_view member, uint64_t least, uint64_t most, uint64_t* out) const;
  void Get(std::string_view member, uint64_t least, uint64_t most, uint32_t* out) const;
  void Get(std::string_view member, bool* out) const;
  void Get(std::string_view member, double* out) const;
  void Get(std::string_view member, PacerSpec* out) const;
  void GetPath(std::string_view member, std::string* out) const;

 private:
  size_t Word(std::span<const std::string_view> words) const;

  const Json* json_;
  const std::string* file_;
  std::string place_;
};

// A value as it is shown in a sentence: JSON, cut if it is long.
std::string Shown(const Json& json);

// What is wrong with a text that is no JSON; `byte` is how far it was read, from 1 on.
std::string NoJson(std::string_view text, size_t byte);

// The document in a text, without members that are null: no duplicate members, not nested deeper
// than a job ever is. Throws Error.
Json ParseText(std::string_view text, const std::string& file);

}  // namespace tessera::job
