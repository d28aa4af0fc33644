// PNG images to and from plain pixels, rows from top to bottom without gaps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/job/job.h"

namespace tessera::cli {

struct Image {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> pixels;
};

// Throws std::invalid_argument: what is wrong with the file, without its name; `most` bytes of
// pixels are legal.
Image ReadPng(const std::string& path, job::Pixel pixel, uint64_t most);
// `pixels` is a whole number of rows. Throws as OutputFile does.
void WritePng(const std::string& path, uint32_t width, job::Pixel pixel,
              std::span<const uint8_t> pixels);

}  // namespace tessera::cli
