// See nearest.h.
#include "tb/files/nearest.h"

#include <algorithm>
#include <cstddef>

namespace tessera {
namespace {

constexpr size_t kLongest = 64;  // a longer word is no option

// Letters to be put in, taken out or changed, and neighbours to be exchanged.
size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> steps(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& here = steps[i][j];
      here = std::max(i, j);
      if (i == 0 || j == 0) continue;
      here = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1,
                       steps[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i < 2 || j < 2 || a[i - 1] != b[j - 2] || a[i - 2] != b[j - 1]) continue;
      here = std::min(here, steps[i - 2][j - 2] + 1);
    }
  }
  return steps[a.size()][b.size()];
}

}  // namespace

std::string Nearest(const std::string& word, const std::vector<std::string>& words) {
  std::string nearest;
  if (word.size() > kLongest) return nearest;
  size_t least = std::max(word.size() / 3, size_t{1}) + 1;
  for (const std::string& other : words) {
    const size_t distance = Distance(word, other);
    if (distance >= least) continue;
    least = distance;
    nearest = other;
  }
  return nearest;
}

}  // namespace tessera
