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

int ParseElem(const Reader& reader) {
  if (!reader.Has("elem")) return 1;
  const Reader elem = reader.At("elem");
  const uint64_t value = elem.Unsigned();
  if ((value & (value - 1)) != 0) elem.Refuse("1, 2, 4 or 8");
  return static_cast<int>(value);
}

// Any value that fits in an element, signed or not.
uint64_t ParseValue(const Reader& reader, int elem) {
  const int bits = 8 * elem;
  const Json& json = reader.json();
  const bool negative = (json.is_number_integer() && !json.is_number_unsigned()) ||
                        (json.is_string() && json.get_ref<const std::string&>().starts_with('-'));
  if (!negative) return reader.Unsigned(0, bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
  return static_cast<uint64_t>(reader.Signed(INT64_MIN >> (64 - bits), -1));
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
  const size_t count = reader.Array();
  for (size_t n = 0; n < count; ++n) {
    const uint64_t value = ParseValue(reader.At(n), elem);
    for (int b = 0; b < elem; ++b) bytes.push_back(static_cast<uint8_t>(value >> (8 * b)));
  }
  return bytes;
}

void ParsePattern(const Reader& reader, Contents* out) {
  if (out->pattern == Contents::Pattern::kCard) {
    reader.Get("seed", &out->seed);
    reader.Need("width").Value(&out->width);
    reader.Need("height").Value(&out->height);
    out->pixel = ParsePixel(reader);
    out->size = uint64_t{out->width} * out->height * BytesOf(out->pixel);
    if (out->size > kMostBytes) {
      reader.Refuse(fmt::format("a card of at most {} bytes", kMostBytes));
    }
    return;
  }
  out->elem = ParseElem(reader);
  if (reader.Has("value")) out->value = ParseValue(reader.At("value"), out->elem);
  if (reader.Has("step")) out->step = ParseValue(reader.At("step"), out->elem);
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
    out.elem = ParseElem(reader);
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
    reader.Object();
    reader.Need("file").Value(&out.file);
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
