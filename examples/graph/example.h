// What the examples share: files of numbers to send and to compare with.
#pragma once

#include <adf.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace example {

// Lines of `columns` numbers.
template <typename T>
void Write(const std::string& path, const std::vector<T>& numbers, size_t columns = 1) {
  std::ofstream out(path);
  for (size_t n = 0; n < numbers.size(); ++n) {
    out << +numbers[n] << ((n + 1) % columns == 0 ? "\n" : " ");
  }
}
template <typename T>
std::vector<T> Read(const std::string& path) {
  std::ifstream in(path);
  std::vector<T> numbers;
  for (std::string word; in >> word;) {
    if (word != "TLAST") numbers.push_back(static_cast<T>(std::stod(word)));
  }
  return numbers;
}

// Ends a program: 0 if what came is what was expected.
template <typename T>
int Compare(const std::vector<T>& came, const std::vector<T>& expected) {
  for (size_t n = 0; n < expected.size() && n < came.size(); ++n) {
    if (came[n] == expected[n]) continue;
    std::printf("number %zu is %g, expected %g\n", n, static_cast<double>(came[n]),
                static_cast<double>(expected[n]));
    return 1;
  }
  if (came.size() != expected.size()) {
    std::printf("%zu numbers came, expected are %zu\n", came.size(), expected.size());
    return 1;
  }
  std::printf("%zu numbers are right\n", came.size());
  return expected.empty() ? 1 : 0;
}

template <typename T>
std::vector<T> Ramp(size_t size, int step = 1, int begin = 0) {
  std::vector<T> numbers(size);
  for (size_t n = 0; n < size; ++n) {
    numbers[n] = static_cast<T>(begin + static_cast<int>(n) * step);
  }
  return numbers;
}

}  // namespace example
