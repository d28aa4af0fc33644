// Bits in words: where a field of a packed struct lies, and its value. Least significant bit and
// word first.
//
// Fields have up to 64 bits; wider ones are read and written as arrays of words.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::pins {

// The bits from `bit` on of `words`, which live elsewhere.
template <typename Word>
class Place {
 public:
  explicit Place(Word* words, int bit = 0) : words_(words), bit_(bit) {}

  Place Sub(int bit) const { return Place(words_, bit_ + bit); }
  uint64_t Get(int first, int width) const {
    uint64_t value = 0;
    for (int done = 0; done < width;) {
      const int bit = bit_ + first + done, part = std::min(kWord - bit % kWord, width - done);
      value |= (uint64_t{words_[bit / kWord]} >> (bit % kWord) & Ones(part)) << done;
      done += part;
    }
    return value;
  }
  int64_t GetSigned(int first, int width) const {
    const uint64_t sign = uint64_t{1} << (width - 1);
    return static_cast<int64_t>((Get(first, width) ^ sign) - sign);
  }
  // Bits of `value` above `width` are ignored.
  void Put(int first, int width, uint64_t value) const {
    for (int done = 0; done < width;) {
      const int bit = bit_ + first + done, part = std::min(kWord - bit % kWord, width - done);
      const uint64_t mask = Ones(part) << (bit % kWord);
      Word& word = words_[bit / kWord];
      word = static_cast<Word>((word & ~mask) | (value >> done << (bit % kWord) & mask));
      done += part;
    }
  }

 private:
  static constexpr int kWord = 8 * static_cast<int>(sizeof(Word));
  static uint64_t Ones(int bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

  Word* words_;
  int bit_;
};

// As Put; throw std::out_of_range naming the field if `value` does not fit it.
template <typename Word>
void PutChecked(Place<Word> place, int first, int width, uint64_t value, const char* field) {
  if (width < 64 && value >> width != 0) {
    throw std::out_of_range(std::string(field) + " is " + std::to_string(value) +
                            "; legal is what fits " + std::to_string(width) + " bits");
  }
  place.Put(first, width, value);
}
template <typename Word>
void PutSigned(Place<Word> place, int first, int width, int64_t value, const char* field) {
  if (width < 64 && value >> (width - 1) != 0 && value >> (width - 1) != -1) {
    throw std::out_of_range(std::string(field) + " is " + std::to_string(value) +
                            "; legal is what fits " + std::to_string(width) +
                            " bits with its sign");
  }
  place.Put(first, width, static_cast<uint64_t>(value));
}

// Fields of more than 64 bits.
template <typename Word, size_t N>
void PutWords(Place<Word> place, int first, int width, const std::array<uint32_t, N>& words) {
  for (int done = 0; done < width; done += 32) {
    place.Put(first + done, std::min(32, width - done), words[static_cast<size_t>(done / 32)]);
  }
}
template <typename Word, size_t N>
void GetWords(Place<Word> place, int first, int width, std::array<uint32_t, N>* words) {
  for (int done = 0; done < width; done += 32) {
    (*words)[static_cast<size_t>(done / 32)] =
        static_cast<uint32_t>(place.Get(first + done, std::min(32, width - done)));
  }
}

// The name of an enumerator; a value that has none is "unknown".
template <typename Enum, size_t N>
std::string_view NameOf(const std::array<std::pair<Enum, std::string_view>, N>& names, Enum value) {
  for (const auto& [named, name] : names) {
    if (named == value) return name;
  }
  return "unknown";
}

}  // namespace tessera::pins
