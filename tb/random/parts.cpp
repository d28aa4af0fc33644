// See parts.h.
#include "tb/random/parts.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tessera {

void Parts::Add(const std::string& name, size_t group) { parts_.push_back({name, group}); }

bool Parts::Has(const std::string& name) const {
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&name](const Part& p) { return p.name == name; });
  if (part == parts_.end()) throw std::out_of_range("there is no part " + name);
  return part->kept;
}

size_t Parts::kept() const {
  return static_cast<size_t>(
      std::count_if(parts_.begin(), parts_.end(), [](const Part& p) { return p.kept; }));
}

void Parts::Keep(const std::string& text) {
  for (Part& part : parts_) part.kept = false;
  if (text == "none") return;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto part = std::find_if(parts_.begin(), parts_.end(),
                                   [&word](const Part& p) { return p.name == word; });
    if (part == parts_.end()) {
      std::string all;
      for (const Part& p : parts_) all += ' ' + p.name;
      throw std::invalid_argument("--keep has '" + word + "': legal are none," + all);
    }
    part->kept = true;
  }
}

std::string Parts::ToString() const {
  std::string text;
  for (const Part& part : parts_) {
    if (part.kept) text += (text.empty() ? "" : ",") + part.name;
  }
  return text.empty() ? "none" : text;
}

std::vector<std::vector<size_t>> Parts::Steps() const {
  std::vector<std::vector<size_t>> groups;
  for (size_t n = 0; n < parts_.size(); ++n) {
    if (parts_[n].group >= groups.size()) groups.resize(parts_[n].group + 1);
    if (parts_[n].kept) groups[parts_[n].group].push_back(n);
  }
  std::vector<std::vector<size_t>> steps = groups;
  const auto pair = [&steps](const std::vector<size_t>& a, const std::vector<size_t>& b) {
    std::vector<size_t>& both = steps.emplace_back(a);
    both.insert(both.end(), b.begin(), b.end());
  };
  for (size_t a = 0; a < groups.size(); ++a) {
    for (size_t b = a + 1; b < groups.size(); ++b) {
      if (!groups[a].empty() && !groups[b].empty()) pair(groups[a], groups[b]);
    }
  }
  for (size_t n = 0; n < parts_.size(); ++n) {
    if (parts_[n].kept) steps.push_back({n});
  }
  // What two groups hand to and fro is left out together. With many parts there are too many pairs.
  constexpr size_t kMostForPairs = 40;
  for (size_t a = 0; a < parts_.size() && kept() <= kMostForPairs; ++a) {
    for (size_t b = a + 1; b < parts_.size(); ++b) {
      if (parts_[a].kept && parts_[b].kept && parts_[a].group != parts_[b].group) pair({a}, {b});
    }
  }
  return steps;
}

bool Parts::Drop(const std::vector<size_t>& parts) {
  if (parts.empty()) return false;
  if (std::any_of(parts.begin(), parts.end(), [this](size_t n) { return !parts_[n].kept; }))
    return false;
  for (const size_t n : parts) parts_[n].kept = false;
  return true;
}

std::string KindOfFailure(std::string_view message) {
  std::string kind;
  std::istringstream words{std::string(message.substr(0, message.find('\n')))};
  for (std::string word; words >> word;) {
    if (word.find_first_of("0123456789") != std::string::npos) continue;
    kind += (kind.empty() ? "" : " ") + word;
  }
  return kind.substr(0, 60);
}

}  // namespace tessera
