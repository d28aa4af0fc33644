// A specification: what `tessera gen` is asked to write. docs/generate.md explains it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/gen/top.h"
#include "tools/job/job.h"
#include "tools/job/reader.h"

namespace tessera::gen {

// A register write that tessera_dma carries out after reset.
struct StartWrite {
  uint32_t address = 0, value = 0;
};
inline constexpr size_t kMostStartWrites = 4096;

struct StreamClock {
  std::string name, reset;
  double mhz = 100;
  bool packets = true;  // TLAST ends packets
};

// Where parts of the design are placed.
struct AreaGroup {
  std::string name;
  std::vector<std::string> nodes;   // "all", "registers", "read[k]", "write[k]", "port[p]"
  std::vector<std::string> ranges;  // sites, as SLICE_X0Y0:SLICE_X49Y59
  bool contain = false;             // their nets stay inside too
};

// What host code calls the ports of a channel.
struct ChannelNames {
  std::string list, data, stream;
};

struct Spec {
  std::string file;  // for messages
  const Top* top = nullptr;
  std::string name, about, vendor = "tessera", library = "ip", part;
  Values parameters;  // of the top, all of them
  double mhz = 0;     // 0: what the estimate supports; Elaborate sets it
  std::optional<StreamClock> stream_clock;
  uint64_t address = 0xa0000000;
  uint32_t interrupt = 89;  // shared peripheral interrupt of the device-tree node
  std::vector<AreaGroup> areas;
  std::vector<uint8_t> rom;         // contents of RomContents, the first beat first
  std::vector<StartWrite> start;    // register writes after reset, in their order
  std::vector<ChannelNames> names;  // of each channel, reads first; of tops that name them
};

// Throws job::Error, one sentence with place, value and what is legal. A document may hold several
// modules (product.h); ParseSpec takes one.
std::vector<Spec> ReadSpecs(const std::string& path);
std::vector<Spec> ParseSpecs(std::string_view text, const std::string& file);
Spec ParseSpec(std::string_view text, const std::string& file);
// The specification with every parameter, as JSON; reading it gives the same.
std::string SpecText(const Spec& spec);
// A text that matches a regular expression.
std::string Matching(const job::Reader& reader, const char* form, const char* legal);
// The member `start` of a specification: the name of a text file beside it, an address and a value
// a line, both hexadecimal, with or without 0x (as scripts/start_program reads them), or an array
// of [address, value]. `values` are the parameters of the build: an address where it has no
// register for a write is refused. Throws job::Error.
std::vector<StartWrite> ReadStart(const job::Reader& start, const Top& top, const Values& values);
// StartProgram as Verilog reads it: a concatenation of an address and a value in 64 bits each, the
// first write lowest.
std::string StartLiteral(const std::vector<StartWrite>& writes);

// A JSON schema of specifications.
std::string SchemaText();

}  // namespace tessera::gen
