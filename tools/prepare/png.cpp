// By libpng's simplified interface; see png.h.
#include "tools/prepare/png.h"

#include <fmt/format.h>
#include <png.h>

#include <stdexcept>
#include <string_view>

#include "tb/files/input.h"
#include "tb/files/output.h"

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
  constexpr uint64_t kMostFile = uint64_t{1} << 30;
  const std::string file = ReadInput(path, 0, kMostFile);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, file.data(), file.size()) == 0) {
    throw std::invalid_argument("is no PNG image");
  }
  if ((png.format & PNG_FORMAT_FLAG_LINEAR) != 0) {
    png_image_free(&png);
    throw std::invalid_argument("has 16 bits a channel, legal are at most 8");
  }
  png.format = FormatOf(pixel);
  const uint64_t size = uint64_t{png.width} * png.height * job::BytesOf(pixel);
  if (size > most) {
    const std::string what =
        fmt::format("has {} x {} pixels, more than {} bytes", png.width, png.height, most);
    png_image_free(&png);
    throw std::invalid_argument(what);
  }
  Image image{png.width, png.height, std::vector<uint8_t>(size)};
  const png_color black{0, 0, 0};  // what shines through where the image is transparent
  if (png_image_finish_read(&png, &black, image.pixels.data(), 0, nullptr) == 0) {
    throw std::invalid_argument("is a damaged PNG image");
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
  png_alloc_size_t size = 0;
  const auto convert = [&](void* to) {
    if (png_image_write_to_memory(&png, to, &size, 0, pixels.data(), 0, nullptr) != 0) return;
    throw OutputError(fmt::format("{}: cannot be written: {} x {} pixels are no PNG image", path,
                                  png.width, png.height));
  };
  convert(nullptr);  // asks for the size
  std::string bytes(size, '\0');
  convert(bytes.data());
  WriteOutput(path, std::string_view(bytes).substr(0, size));
}

}  // namespace tessera::cli
