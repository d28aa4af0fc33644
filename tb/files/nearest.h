// The word that a user may have meant.
#pragma once

#include <string>
#include <vector>

namespace tessera {

// Of `words` the one that differs from `word` in the fewest letters: in at most a third of them, a
// letter at least. Empty if there is none.
std::string Nearest(const std::string& word, const std::vector<std::string>& words);

}  // namespace tessera
