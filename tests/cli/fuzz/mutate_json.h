// Mutations of JSON for the fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

// Changes the text in `data` in place and returns its new size, as LLVMFuzzerCustomMutator does.
size_t MutateJson(uint8_t* data, size_t size, size_t max_size, unsigned int seed);

}  // namespace tessera
