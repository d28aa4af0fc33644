// By libpng's simplified interface; see png.h.
#include "tools/files/png.h"

#include <fmt/format.h>
#include <png.h>

#include <stdexcept>

namespace tessera::cli {
namespace {

png_uint_32 FormatOf(job::Pixel pixel) {
  switch (pixel) {
    case job::Pixel::kGray:
      return PNG_FORMAT_GRAY;
    case job::Pixel::kRgb:
      return PNG_FORMAT_RGB;
    case job::Pixel::kRgba:
      break;
  }
  return PNG_FORMAT_RGBA;
}

}  // namespace

Image ReadPng(const std::string& path, job::Pixel pixel, uint64_t most) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) {
    throw std::runtime_error(static_cast<const char*>(png.message));
  }
  png.format = FormatOf(pixel);
  const uint64_t size = uint64_t{png.width} * png.height * job::BytesOf(pixel);
  if (size > most) {
    png_image_free(&png);
    throw std::runtime_error(
        fmt::format("{} x {} pixels are more than {} bytes", png.width, png.height, most));
  }
  Image image{png.width, png.height, std::vector<uint8_t>(size)};
  const png_color black{0, 0, 0};  // what shines through where the image is transparent
  if (png_image_finish_read(&png, &black, image.pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(static_cast<const char*>(png.message));
  }
  return image;
}

void WritePng(const std::string& path, uint32_t width, job::Pixel pixel,
              std::span<const uint8_t> pixels) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = width;
  png.height = static_cast<uint32_t>(pixels.size() / (width * job::BytesOf(pixel)));
  png.format = FormatOf(pixel);
  if (png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(fmt::format("{}: {}", path, static_cast<const char*>(png.message)));
  }
}

}  // namespace tessera::cli
