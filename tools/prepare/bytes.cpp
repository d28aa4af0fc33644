// See bytes.h.
#include "tools/prepare/bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "tb/files/input.h"
#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tb/sim/rng.h"
#include "tools/prepare/png.h"

namespace tessera::cli {
namespace {

using job::Contents;

std::vector<uint8_t> ReadFile(const job::Job& job, const Contents& contents, uint64_t size) {
  const std::string path = job.Resolve(contents.file);
  const auto refuse = [&](const std::string& legal) {
    throw job::ErrorAt(job.file, contents.place + ".file", fmt::format("\"{}\"", contents.file),
                       legal);
  };
  try {
    const uint64_t length = InputSize(path);
    const uint64_t most = size != 0 ? size : job::kMostBytes;
    if (contents.size != 0) {
      if (length < contents.skip || length - contents.skip < contents.size) {
        refuse(fmt::format("{} has {}, legal are at least {}", path, Counted(length, "byte"),
                           contents.skip + contents.size));
      }
    } else if (length < contents.skip || length - contents.skip > most) {
      refuse(fmt::format("{} has {}, legal are {} to {}", path, Counted(length, "byte"),
                         contents.skip, contents.skip + most));
    }
    const std::string text =
        ReadInput(path, contents.skip, contents.size != 0 ? contents.size : most + 1);
    return {text.begin(), text.end()};
  } catch (const std::invalid_argument& error) {
    refuse(fmt::format("{} {}, legal is the name of a file", path, error.what()));
  }
  return {};
}

std::vector<uint8_t> ReadImage(const job::Job& job, const Contents& contents, uint64_t size) {
  const std::string path = job.Resolve(contents.file);
  try {
    return ReadPng(path, contents.pixel, size != 0 ? size : job::kMostBytes).pixels;
  } catch (const std::invalid_argument& error) {
    throw job::ErrorAt(job.file, contents.place + ".image", fmt::format("\"{}\"", contents.file),
                       fmt::format("{} {}, legal is a PNG image", path, error.what()));
  }
}

// A picture that shows at a glance which way up it is: a frame, a circle, the letter F, shades from
// dark to light to the right and, in colour, from one hue to another downwards.
std::vector<uint8_t> Card(const Contents& c) {
  std::vector<uint8_t> bytes(c.size);
  const double w = c.width, h = c.height;
  const double radius = 0.42 * std::min(w, h);
  const double line = std::max(1.0, 0.03 * std::min(w, h));
  const size_t channels = job::BytesOf(c.pixel);
  size_t next = 0;
  for (uint32_t y = 0; y < c.height; ++y) {
    for (uint32_t x = 0; x < c.width; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double dx = px - w / 2, dy = py - h / 2;
      const double ring = std::abs(dx * dx + dy * dy - radius * radius) / (2 * radius);
      const double fx = dx / radius, fy = dy / radius;  // the letter, in radii
      const bool stem = fx > -0.35 && fx < -0.15 && fy > -0.6 && fy < 0.6;
      const bool bars = fx > -0.35 && fx < 0.4 &&
                        ((fy > -0.6 && fy < -0.4) || (fx < 0.25 && fy > -0.1 && fy < 0.1));
      const double edge = std::min(std::min(px, w - px), std::min(py, h - py));
      const bool light = edge < line || ring < line / 2 || stem || bars;
      const double shade = 40 + 120 * px / w;
      const double down = py / h;
      const double rgb[3] = {light ? 255 : shade * (1.2 - down), light ? 255 : shade * 0.6,
                             light ? 255 : shade * (0.3 + down)};
      for (size_t k = 0; k < channels; ++k) {
        const double gray = light ? 255 : shade;
        const double value = k == 3 ? 255 : (channels == 1 ? gray : rgb[(k + c.seed - 1) % 3]);
        bytes[next++] = static_cast<uint8_t>(std::min(value, 255.0));
      }
    }
  }
  return bytes;
}

std::vector<uint8_t> Pattern(const Contents& c, uint64_t size) {
  if (c.pattern == Contents::Pattern::kCard) return Card(c);
  std::vector<uint8_t> bytes(c.size != 0 ? c.size : size);
  if (c.pattern == Contents::Pattern::kRandom) {
    Rng rng = Rng(c.seed).Stream("random data");
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng());
    return bytes;
  }
  const uint64_t elem = static_cast<uint64_t>(c.elem);
  const uint64_t step = c.pattern == Contents::Pattern::kRamp ? c.step : 0;
  for (uint64_t n = 0; n < bytes.size(); ++n) {
    bytes[n] = static_cast<uint8_t>((c.value + n / elem * step) >> (8 * (n % elem)));
  }
  return bytes;
}

}  // namespace

std::vector<uint8_t> LoadBytes(const job::Job& job, const Contents& contents, uint64_t size) {
  std::vector<uint8_t> bytes;
  switch (contents.kind) {
    case Contents::Kind::kFile:
      bytes = ReadFile(job, contents, size);
      break;
    case Contents::Kind::kImage:
      bytes = ReadImage(job, contents, size);
      break;
    case Contents::Kind::kBytes:
      bytes = contents.bytes;
      break;
    case Contents::Kind::kPattern:
      bytes = Pattern(contents, size);
      break;
  }
  if (size != 0 && bytes.size() > size) {
    throw job::Error(fmt::format("{}: {} has {}: legal are at most {}", job.file, contents.place,
                                 Counted(bytes.size(), "byte"), size));
  }
  return bytes;
}

std::vector<uint8_t> LoadMemory(const job::Job& job, const Contents& contents, uint64_t size,
                                bool whole) {
  std::vector<uint8_t> bytes = LoadBytes(job, contents, size);
  if (size == 0 || bytes.size() == size) return bytes;
  if (contents.fill) {
    bytes.resize(size, *contents.fill);
  } else if (whole || !contents.file.empty()) {
    const std::string has = Counted(bytes.size(), "byte");
    const std::string legal = fmt::format(
        "for a memory of {}, legal is as many, or \"fill\" with the value of the rest", size);
    if (contents.file.empty())
      throw job::Error(fmt::format("{}: {} has {} {}", job.file, contents.place, has, legal));
    throw job::ErrorAt(job.file, contents.place, fmt::format("\"{}\"", contents.file),
                       fmt::format("it has {} {}", has, legal));
  }
  return bytes;
}

void WriteDump(const std::string& path, const job::Dump& dump, std::span<const uint8_t> bytes) {
  if (dump.image()) {
    WritePng(path, dump.width, dump.pixel, bytes);
    return;
  }
  WriteOutput(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace tessera::cli
