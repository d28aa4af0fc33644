// The bytes that a job's contents stand for, and the files that it writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/job/job.h"

namespace tessera::cli {

// Bytes of a file, an image, a list or a pattern. `size` is that of what they are for, if it is
// known (else 0): a pattern fills it, anything longer is refused. Throws job::Error.
std::vector<uint8_t> LoadBytes(const job::Job& job, const job::Contents& contents, uint64_t size);

// The same for a memory. What does not fill it needs the value of the rest if it is a file, an
// image or `whole`.
std::vector<uint8_t> LoadMemory(const job::Job& job, const job::Contents& contents, uint64_t size,
                                bool whole = false);

// Writes an image or raw bytes. Throws as OutputFile does.
void WriteDump(const std::string& path, const job::Dump& dump, std::span<const uint8_t> bytes);

}  // namespace tessera::cli
