// Files that are read: regular ones, whole.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

// The bytes of a file from `skip` on, at most `size`. Throws std::invalid_argument: what is wrong
// with it, without its name: "is a FIFO", "cannot be read: No such file or directory". Never waits.
std::string ReadInput(const std::string& path, uint64_t skip = 0, uint64_t size = ~uint64_t{0});
// The same of a file that holds `what`; the sentence that is thrown has the name and what is legal.
std::string ReadNamed(const std::string& path, const std::string& what, uint64_t most);
// Its size; throws the same as ReadInput.
uint64_t InputSize(const std::string& path);

}  // namespace tessera
