// Contents of a ROM: values of a text file, packed from the lowest byte on, as scripts/rom does it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/job/reader.h"

namespace tessera::gen {

// "half", "float", "double", "int8" .. "int64".
inline constexpr std::string_view kRomTypes[] = {"half",  "float", "double", "int8",
                                                 "int16", "int32", "int64"};
inline constexpr int64_t kMostRomBeats = 4096;

// The bytes of beats of so many bytes, from the member `rom` of a specification: an object with
// `file`, `type` and perhaps `num` (values taken), or with `beats`, hexadecimal texts. The last
// beat is filled up with zeros. Files are found beside the specification. Throws job::Error.
std::vector<uint8_t> ReadRom(const job::Reader& rom, size_t beat_bytes);
// The beats as the texts that ReadRom takes.
std::vector<std::string> RomBeats(const std::vector<uint8_t>& bytes, size_t beat_bytes);

}  // namespace tessera::gen
