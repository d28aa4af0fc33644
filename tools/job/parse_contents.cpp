// Where bytes come from and go to: files, images, lists, patterns.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "tools/job/parse_parts.h"

namespace tessera::job {
namespace {

constexpr std::array<std::string_view, 5> kSources{"file", "image", "hex", "values", "pattern"};

Pixel ParsePixel(const Reader& reader) {
  if (!reader.Has("pixel")) return Pixel::kGray;
  return static_cast<Pixel>(reader.At("pixel").Word(kPixels));
}

std::vector<uint8_t> ParseHex(const Reader& reader) {
  static constexpr const char* kLegal = "pairs of hexadecimal digits, with or without blanks";
  const std::string text = reader.Text();
  std::vector<uint8_t> bytes;
  int high = -1;
  for (const char c : text) {
    if (c == ' ' && high < 0) continue;
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) reader.Refuse(kLegal);
    if (high < 0) {
      high = digit;
    } else {
      bytes.push_back(static_cast<uint8_t>(high * 16 + digit));
      high = -1;
    }
  }
  if (high >= 0) reader.Refuse(kLegal);
  return bytes;
}

std::vector<uint8_t> ParseValues(const Reader& reader, int elem) {
  std::vector<uint8_t> bytes;
  for (const Reader& entry : reader.Entries()) {
    const uint64_t value = entry.Bits(8 * elem);
    for (int b = 0; b < elem; ++b) bytes.push_back(static_cast<uint8_t>(value >> (8 * b)));
  }
  return bytes;
}

void ParsePattern(const Reader& reader, Contents* out) {
  if (out->pattern == Contents::Pattern::kCard) {
    reader.Get("seed", &out->seed);
    reader.Get("width", &out->width);
    reader.Get("height", &out->height);
    out->pixel = ParsePixel(reader);
    out->size = uint64_t{out->width} * out->height * BytesOf(out->pixel);
    if (out->size > kMostBytes) {
      reader.Refuse(fmt::format("a card of at most {} bytes", kMostBytes));
    }
    return;
  }
  reader.Get("elem", &out->elem);
  if (reader.Has("value")) out->value = reader.At("value").Bits(8 * out->elem);
  if (reader.Has("step")) out->step = reader.At("step").Bits(8 * out->elem);
  reader.Get("seed", &out->seed);
  reader.Get("size", &out->size);
}

}  // namespace

Contents ParseContents(const Reader& any) {
  size_t form = kSources.size();
  for (size_t n = 0; n < kSources.size(); ++n) {
    if (!any.json().is_object() || !any.Has(kSources[n])) continue;
    if (form < n) {
      any.Refuse(fmt::format("one of file, image, hex, values, pattern, not {} and {}",
                             kSources[form], kSources[n]));
    }
    form = n;
  }
  if (form == kSources.size()) any.Refuse("an object with file, image, hex, values or pattern");
  const std::string_view source = kSources[form];
  Contents out;
  out.place = any.place();
  if (source == "pattern") {
    const size_t pattern = any.As(kContentsForms[form]).At(source).Word(kPatterns);
    out.pattern = static_cast<Contents::Pattern>(pattern);
    form += pattern;
  }
  const Reader reader = any.As(kContentsForms[form]);
  reader.Object();
  if (source == "file") {
    reader.Get("size", &out.size);
    out.kind = Contents::Kind::kFile;
    reader.Get("file", &out.file);
    reader.Get("skip", &out.skip);
  } else if (source == "image") {
    out.kind = Contents::Kind::kImage;
    reader.Get("image", &out.file);
    out.pixel = ParsePixel(reader);
  } else if (source == "hex") {
    out.bytes = ParseHex(reader.At("hex"));
  } else if (source == "values") {
    reader.Get("elem", &out.elem);
    out.bytes = ParseValues(reader.At("values"), out.elem);
  } else {
    out.kind = Contents::Kind::kPattern;
    ParsePattern(reader, &out);
  }
  reader.Get("fill", &out.fill);
  return out;
}

Dump ParseDump(const Reader& reader) {
  Dump out;
  out.place = reader.place();
  if (reader.json().is_string()) {
    out.file = reader.Path();
  } else {
    reader.Object({"file", "width", "pixel"});  // of either form
    reader.Need("file", "the name of a file").Value(&out.file);
    reader.Get("width", &out.width);
    out.pixel = ParsePixel(reader);
  }
  const bool png = out.file.ends_with(".png");
  if (png && !out.image()) {
    reader.Refuse("an image with its width in pixels: {\"file\": \"name.png\", \"width\": 64}");
  }
  if (!png && out.image()) reader.Refuse("a width for a name that ends in .png alone");
  return out;
}

}  // namespace tessera::job
