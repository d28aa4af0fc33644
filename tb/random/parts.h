// Parts of a random case by name, those of them that are kept, and fewer of them while a case still
// fails.
//
// As text the names of what is kept, with commas between and nothing that a shell takes apart:
// `t0.1,t3.0,d2`; `none`: nothing. So a small failing case needs no file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

class Parts {
 public:
  // A part, and the group that it is left out with at first; groups have numbers from 0.
  void Add(const std::string& name, size_t group);

  // Whether it is kept. Throws std::out_of_range if there is no such part.
  bool Has(const std::string& name) const;
  size_t kept() const;
  // Keeps what a text names alone. Throws std::invalid_argument naming the word that is none.
  void Keep(const std::string& text);
  std::string ToString() const;

  // Leaves out what `fails` without: groups, two groups, parts, two parts of different groups. Each
  // call of `fails` is an attempt; after the last one it is what it has come to.
  template <typename Fails>
  void Shrink(uint64_t attempts, Fails&& fails) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::vector<size_t>& step : Steps()) {
        Parts fewer = *this;
        if (!fewer.Drop(step)) continue;
        if (attempts-- == 0) return;
        if (!fails(static_cast<const Parts&>(fewer))) continue;
        *this = fewer;
        progress = true;
      }
    }
  }

 private:
  struct Part {
    std::string name;
    size_t group = 0;
    bool kept = true;
  };
  std::vector<std::vector<size_t>> Steps() const;
  // False if one of them, or all, are gone already.
  bool Drop(const std::vector<size_t>& parts);

  std::vector<Part> parts_;
};

// What kind of failure a message is of: the words of its first line, without those that have
// numbers. Two failures are the same if they agree in it.
std::string KindOfFailure(std::string_view message);

}  // namespace tessera
