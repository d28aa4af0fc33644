// Reading JSON strictly: every value knows where it stands, and what is wrong is one sentence.
//
// For tools/job and tools/gen. A Reader is a value of the document with its place and, in a job,
// its shape, which has members and ranges; it is cheap to copy.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tb/sim/names.h"
#include "tools/job/job.h"
#include "tools/job/shape.h"

namespace tessera::job {

class Reader {
 public:
  // Of several alternatives it has the first for a value of its type.
  Reader(const Json& json, const std::string& file, std::string place,
         const Shape* shape = nullptr);
  // The same value by another shape.
  Reader As(const Shape& shape) const { return Reader(*json_, *file_, place_, &shape); }

  const Json& json() const { return *json_; }
  const std::string& place() const { return place_; }
  const std::string& file() const { return *file_; }

  // Throws the Error "FILE: PLACE is VALUE: legal LEGAL".
  [[noreturn]] void Refuse(const std::string& legal) const;

  // An object with no other members than those of its shape, all that are needed, as its rules say;
  // or with no other members than these.
  void Object() const;
  void Object(std::initializer_list<std::string_view> members) const {
    Object(std::span<const std::string_view>(members.begin(), members.size()));
  }
  void Object(std::span<const std::string_view> members) const;
  bool Has(std::string_view member) const;
  Reader At(std::string_view member) const;
  // Throws an Error that says that `member` is missing and what it is.
  Reader Need(std::string_view member, std::string_view what) const;
  Reader At(size_t index) const;
  // The number of entries of an array of at most `most`, or of so many as its shape says.
  size_t Array(size_t most) const;
  size_t Array() const;
  std::vector<Reader> Entries() const;
  // Of a member, which may be absent.
  std::vector<Reader> Entries(std::string_view member) const;

  uint64_t Unsigned(uint64_t least, uint64_t most) const;
  uint64_t Unsigned() const;
  int64_t Signed(int64_t least, int64_t most) const;
  int64_t Signed() const;
  // An integer of so many bits, signed or not.
  uint64_t Bits(int bits) const;
  double Fraction() const;
  bool Bool() const;
  std::string Text() const;
  std::string Path() const;  // a text that can name a file
  std::string Name() const;  // a letter or _, then letters, digits and _
  PacerSpec Pacer() const;
  // Which of these words it is.
  size_t Word(std::span<const std::string_view> words) const;

  // A value by its type, and a text by its shape.
  void Value(bool* out) const { *out = Bool(); }
  void Value(double* out) const { *out = Fraction(); }
  void Value(PacerSpec* out) const { *out = Pacer(); }
  void Value(std::string* out) const;
  template <NamedEnum Enum>
  void Value(Enum* out) const {
    *out = static_cast<Enum>(Word(kNamesOf<Enum>));
  }
  template <std::signed_integral T>
  void Value(T* out) const {
    *out = static_cast<T>(Signed());
  }
  template <std::unsigned_integral T>
  void Value(T* out) const {
    *out = static_cast<T>(Unsigned());
  }
  template <typename T>
  void Value(std::optional<T>* out) const {
    Value(&out->emplace());
  }
  template <typename T>
  void Value(std::set<T>* out) const {
    for (const Reader& entry : Entries()) {
      T value{};
      entry.Value(&value);
      out->insert(value);
    }
  }
  // As above, for a member that may be absent.
  template <typename T>
  void Get(std::string_view member, T* out) const {
    if (Has(member)) At(member).Value(out);
  }

 private:
  const Member& MemberOf(std::string_view name) const;
  bool Given(std::string_view member) const;  // false counts as absent
  void Follow(const Rule& rule) const;

  const Json* json_;
  const std::string* file_;
  std::string place_;
  const Shape* shape_;
};

// A value as it is shown in a sentence: JSON, cut if it is long.
std::string Shown(const Json& json);

// What is wrong with a text that is no JSON; `byte` is how far it was read, from 1 on.
std::string NoJson(std::string_view text, size_t byte);

// The document in a text, without members that are null: no duplicate members, not nested deeper
// than a job ever is. Throws Error.
Json ParseText(std::string_view text, const std::string& file);

}  // namespace tessera::job
