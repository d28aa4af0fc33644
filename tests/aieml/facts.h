// Descriptors and registers of AI Engine-ML tiles as the documents describe them, written down a
// second time: what decoders and tables of this repository are compared with. Uses nothing of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::facts {

enum class Tile : uint8_t { kMemory, kShim, kCompute };  // the numbers of the parameter Image
inline constexpr std::array kTiles = {Tile::kMemory, Tile::kShim, Tile::kCompute};

// A field of a descriptor; or of another register, whose word is 0.
struct Bits {
  std::string_view name;
  int word, high, low;
  uint32_t ones() const { return 0xffffffffu >> (31 - high + low); }
  uint32_t mask() const { return ones() << low; }
};
using Words = std::array<uint32_t, 8>;

const std::vector<Bits>& FieldsOf(Tile tile);
int WordsOf(Tile tile);
// Bits of a word of a descriptor that no field has.
uint32_t ReservedOf(Tile tile, int word);

// Fields by name; one that the tile does not have is 0.
std::map<std::string, uint32_t> Read(Tile tile, const Words& words);
void Put(Tile tile, std::string_view name, uint32_t value, Words* words);

// A word vector of the documents with the fields that it was made of; the others are 0.
struct Vector {
  Tile tile;
  Words words;
  std::map<std::string, uint32_t> fields;
};
const std::vector<Vector>& Vectors();

// Registers of the DMA of a tile beside its descriptors.
enum class Kind : uint8_t {
  kDescriptor,
  kControl,
  kQueue,
  kStatus,
  kCount,
  kFifo,
  kLock,
  kLockRequest,
  kOverflow,
  kUnderflow,
  kCounters,
  kPorts,
  kLockEvents,
  kEventChannels,
  kPackets,
};
struct Place {
  Kind kind;
  uint32_t first, pitch, count;
  bool receives = false;  // of a channel register
  uint32_t bits = ~0u;    // that mean something
};
const std::vector<Place>& PlacesOf(Tile tile);
uint32_t ChannelsOf(Tile tile);  // of a direction

}  // namespace tessera::facts
