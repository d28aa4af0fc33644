// Short notation for tables worked out by hand: bytes of memory, beats as text, records.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tb/check/plan.h"
#include "tb/model/reference.h"
#include "tb/model/transfer.h"
#include "tb/model/walk.h"

namespace tessera::model {

// Writes 0, 1, 2, ... to `bytes` bytes from `first` on.
inline void Count(MemoryImage& memory, uint64_t first, int bytes, int start = 0) {
  for (int n = 0; n < bytes; ++n) {
    memory.Write(first + static_cast<uint64_t>(n), static_cast<uint8_t>(start + n));
  }
}

// A beat as "00 01 -- 03 L": two digits a lane from lane 0 on, "--" for a null byte, L for TLAST.
inline std::string Text(const StreamBeat& beat, int lanes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t n = 0; n < static_cast<size_t>(lanes); ++n) {
    if (n != 0) text += ' ';
    if (beat.keep[n]) {
      text += kDigits[beat.data[n] >> 4];
      text += kDigits[beat.data[n] & 15];
    } else {
      text += "--";
    }
  }
  return beat.last ? text + " L" : text;
}

inline std::vector<std::string> Texts(const std::vector<StreamBeat>& beats, int lanes) {
  std::vector<std::string> all;
  for (const StreamBeat& beat : beats) all.push_back(Text(beat, lanes));
  return all;
}

// The inverse of Text.
inline StreamBeat Beat(std::string_view text) {
  StreamBeat beat;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t n = 0; n < text.size(); n += 3) {
    if (text[n] == 'L') {
      beat.last = true;
    } else if (text[n] != '-') {
      beat.keep.set(n / 3);
      beat.data[n / 3] = static_cast<uint8_t>(16 * digit(text[n]) + digit(text[n + 1]));
    }
  }
  return beat;
}

inline std::vector<StreamBeat> Beats(const std::vector<std::string>& texts) {
  std::vector<StreamBeat> beats;
  for (const std::string& text : texts) beats.push_back(Beat(text));
  return beats;
}

// `bytes` bytes from `first` on as "00 01 ..", ".." for a byte nobody wrote.
inline std::string Dump(const MemoryImage& memory, uint64_t first, int bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint64_t n = 0; n < static_cast<uint64_t>(bytes); ++n) {
    if (n != 0) text += ' ';
    const uint8_t value = memory.Read(first + n);
    text +=
        memory.Written(first + n) ? std::string{kDigits[value >> 4], kDigits[value & 15]} : "..";
  }
  return text;
}

inline size_t WrittenBytes(const MemoryImage& memory) {
  size_t bytes = 0;
  memory.ForEachWritten([&](uint64_t, uint8_t) { ++bytes; });
  return bytes;
}

inline std::vector<uint64_t> Addresses(const Transfer& transfer, const Build& build = {}) {
  std::vector<uint64_t> addresses;
  Walk(transfer, build, [&](const Position& p) {
    addresses.push_back(p.addr);
    return true;
  });
  return addresses;
}

// Validity of every position in order: 'v' inside, 'f' fill.
inline std::string Validity(const Transfer& transfer, const Build& build = {}) {
  std::string text;
  Walk(transfer, build, [&](const Position& p) {
    text += p.valid ? 'v' : 'f';
    return true;
  });
  return text;
}

// A plain copy: `bytes` elements of one byte.
inline Transfer Copy(uint64_t base, uint32_t bytes) {
  Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

using Lines = std::vector<std::string>;

}  // namespace tessera::model
