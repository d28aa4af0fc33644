// See facts.h.
#include "tests/aieml/facts.h"

namespace tessera::facts {
namespace {

std::vector<Bits> MemoryFields() {
  return {
      {"Enable_Packet", 0, 31, 31},  {"Packet_Type", 0, 30, 28},
      {"Packet_ID", 0, 27, 23},      {"Out_Of_Order_BD_ID", 0, 22, 17},
      {"Buffer_Length", 0, 16, 0},   {"D0_Zero_Before", 1, 31, 26},
      {"Next_BD", 1, 25, 20},        {"Use_Next_BD", 1, 19, 19},
      {"Base_Address", 1, 18, 0},    {"TLAST_Suppress", 2, 31, 31},
      {"D0_Wrap", 2, 26, 17},        {"D0_Step", 2, 16, 0},
      {"D1_Zero_Before", 3, 31, 27}, {"D1_Wrap", 3, 26, 17},
      {"D1_Step", 3, 16, 0},         {"Enable_Compression", 4, 31, 31},
      {"D2_Zero_Before", 4, 30, 27}, {"D2_Wrap", 4, 26, 17},
      {"D2_Step", 4, 16, 0},         {"D2_Zero_After", 5, 31, 28},
      {"D1_Zero_After", 5, 27, 23},  {"D0_Zero_After", 5, 22, 17},
      {"D3_Step", 5, 16, 0},         {"Iteration_Current", 6, 28, 23},
      {"Iteration_Wrap", 6, 22, 17}, {"Iteration_Step", 6, 16, 0},
      {"Valid_BD", 7, 31, 31},       {"Lock_Rel_Value", 7, 30, 24},
      {"Lock_Rel_ID", 7, 23, 16},    {"Lock_Acq_Enable", 7, 15, 15},
      {"Lock_Acq_Value", 7, 14, 8},  {"Lock_Acq_ID", 7, 7, 0},
  };
}
std::vector<Bits> ShimFields() {
  return {
      {"Buffer_Length", 0, 31, 0},     {"Base_Address_Low", 1, 31, 2},
      {"Enable_Packet", 2, 30, 30},    {"Out_Of_Order_BD_ID", 2, 29, 24},
      {"Packet_ID", 2, 23, 19},        {"Packet_Type", 2, 18, 16},
      {"Base_Address_High", 2, 15, 0}, {"Secure_Access", 3, 30, 30},
      {"D0_Wrap", 3, 29, 20},          {"D0_Step", 3, 19, 0},
      {"Burst_Length", 4, 31, 30},     {"D1_Wrap", 4, 29, 20},
      {"D1_Step", 4, 19, 0},           {"SMID", 5, 31, 28},
      {"AxCACHE", 5, 27, 24},          {"AxQoS", 5, 23, 20},
      {"D2_Step", 5, 19, 0},           {"Iteration_Current", 6, 31, 26},
      {"Iteration_Wrap", 6, 25, 20},   {"Iteration_Step", 6, 19, 0},
      {"TLAST_Suppress", 7, 31, 31},   {"Next_BD", 7, 30, 27},
      {"Use_Next_BD", 7, 26, 26},      {"Valid_BD", 7, 25, 25},
      {"Lock_Rel_Value", 7, 24, 18},   {"Lock_Rel_ID", 7, 16, 13},
      {"Lock_Acq_Enable", 7, 12, 12},  {"Lock_Acq_Value", 7, 11, 5},
      {"Lock_Acq_ID", 7, 3, 0},
  };
}
std::vector<Bits> ComputeFields() {
  return {
      {"Base_Address", 0, 27, 14},
      {"Buffer_Length", 0, 13, 0},
      {"Enable_Compression", 1, 31, 31},
      {"Enable_Packet", 1, 30, 30},
      {"Out_Of_Order_BD_ID", 1, 29, 24},
      {"Packet_ID", 1, 23, 19},
      {"Packet_Type", 1, 18, 16},
      {"D1_Step", 2, 25, 13},
      {"D0_Step", 2, 12, 0},
      {"D1_Wrap", 3, 28, 21},
      {"D0_Wrap", 3, 20, 13},
      {"D2_Step", 3, 12, 0},
      {"Iteration_Current", 4, 24, 19},
      {"Iteration_Wrap", 4, 18, 13},
      {"Iteration_Step", 4, 12, 0},
      {"TLAST_Suppress", 5, 31, 31},
      {"Next_BD", 5, 30, 27},
      {"Use_Next_BD", 5, 26, 26},
      {"Valid_BD", 5, 25, 25},
      {"Lock_Rel_Value", 5, 24, 18},
      {"Lock_Rel_ID", 5, 16, 13},
      {"Lock_Acq_Enable", 5, 12, 12},
      {"Lock_Acq_Value", 5, 11, 5},
      {"Lock_Acq_ID", 5, 3, 0},
  };
}

}  // namespace

const std::vector<Bits>& FieldsOf(Tile tile) {
  static const std::vector<Bits> memory = MemoryFields(), shim = ShimFields(),
                                 compute = ComputeFields();
  return tile == Tile::kMemory ? memory : tile == Tile::kShim ? shim : compute;
}
int WordsOf(Tile tile) { return tile == Tile::kCompute ? 6 : 8; }

uint32_t ReservedOf(Tile tile, int word) {
  uint32_t rest = ~0u;
  for (const Bits& field : FieldsOf(tile)) {
    if (field.word == word) rest &= ~field.mask();
  }
  return rest;
}

std::map<std::string, uint32_t> Read(Tile tile, const Words& words) {
  std::map<std::string, uint32_t> values;
  for (const Bits& field : FieldsOf(tile)) {
    values[std::string(field.name)] =
        words[static_cast<size_t>(field.word)] >> field.low & field.ones();
  }
  return values;
}

void Put(Tile tile, std::string_view name, uint32_t value, Words* words) {
  for (const Bits& field : FieldsOf(tile)) {
    if (field.name != name) continue;
    uint32_t& word = (*words)[static_cast<size_t>(field.word)];
    word = (word & ~field.mask()) | (value & field.ones()) << field.low;
  }
}

const std::vector<Vector>& Vectors() {
  static const std::vector<Vector> vectors = {
      {Tile::kCompute,
       {1180485, 1430061056, 9093684, 266847009, 22249971, 1465218380},
       {{"Buffer_Length", 837}, {"Base_Address", 72},    {"Enable_Packet", 1},
        {"Packet_ID", 7},       {"Packet_Type", 5},      {"Out_Of_Order_BD_ID", 21},
        {"D0_Wrap", 62},        {"D0_Step", 564},        {"D1_Wrap", 127},
        {"D1_Step", 1110},      {"D2_Step", 801},        {"Iteration_Current", 42},
        {"Iteration_Wrap", 28}, {"Iteration_Step", 499}, {"Valid_BD", 1},
        {"Use_Next_BD", 1},     {"Next_BD", 10},         {"Lock_Rel_ID", 11},
        {"Lock_Rel_Value", 85}, {"Lock_Acq_Enable", 1},  {"Lock_Acq_ID", 12},
        {"Lock_Acq_Value", 42}}},
      {Tile::kMemory,
       {0x00000001, 0x00580002, 0x000c0005, 0x00100007, 0x00000009, 0x00000000, 0x059a000c,
        0x84038201},
       {{"Buffer_Length", 1},
        {"Base_Address", 2},
        {"Use_Next_BD", 1},
        {"Next_BD", 5},
        {"D0_Wrap", 6},
        {"D0_Step", 5},
        {"D1_Wrap", 8},
        {"D1_Step", 7},
        {"D2_Step", 9},
        {"Iteration_Current", 11},
        {"Iteration_Wrap", 13},
        {"Iteration_Step", 12},
        {"Valid_BD", 1},
        {"Lock_Acq_Enable", 1},
        {"Lock_Acq_ID", 1},
        {"Lock_Acq_Value", 2},
        {"Lock_Rel_ID", 3},
        {"Lock_Rel_Value", 4}}},
      {Tile::kMemory,
       {4096, 0x80000, 0, 0, 0, 0, 0, 0x8141ff40},
       {{"Buffer_Length", 4096},
        {"Use_Next_BD", 1},
        {"Valid_BD", 1},
        {"Lock_Acq_Enable", 1},
        {"Lock_Acq_ID", 64},
        {"Lock_Acq_Value", 127},
        {"Lock_Rel_ID", 65},
        {"Lock_Rel_Value", 1}}},
      {Tile::kCompute,
       {4096, 0, 0, 0, 0, 0x02043020},
       {{"Buffer_Length", 4096},
        {"Valid_BD", 1},
        {"Lock_Acq_Enable", 1},
        {"Lock_Acq_Value", 1},
        {"Lock_Rel_ID", 1},
        {"Lock_Rel_Value", 1}}},
      {Tile::kShim,
       {2048, 0, 0, 0x02000000, 0x8200003f, 0x020007ff, 0, 0x02000000},
       {{"Buffer_Length", 2048},
        {"D0_Wrap", 32},
        {"D1_Wrap", 32},
        {"D1_Step", 63},
        {"D2_Step", 2047},
        {"Burst_Length", 2},
        {"AxCACHE", 2},
        {"Valid_BD", 1}}},
      {Tile::kShim,
       {0, 0, 0x40130000},
       {{"Enable_Packet", 1}, {"Packet_ID", 2}, {"Packet_Type", 3}}},
      {Tile::kShim,
       {0, 0, 0x40090000},
       {{"Enable_Packet", 1}, {"Packet_ID", 1}, {"Packet_Type", 1}}},
  };
  return vectors;
}

uint32_t ChannelsOf(Tile tile) { return tile == Tile::kMemory ? 6 : 2; }

const std::vector<Place>& PlacesOf(Tile tile) {
  constexpr uint32_t kSent = 0x0000ff12, kTaken = 0x0003ff1a;  // control bits
  static const std::vector<Place> memory = {
      {Kind::kDescriptor, 0xa0000, 4, 48 * 8},
      {Kind::kControl, 0xa0600, 8, 6, true, kTaken},
      {Kind::kQueue, 0xa0604, 8, 6, true, 0x80ff003f},
      {Kind::kControl, 0xa0630, 8, 6, false, kSent},
      {Kind::kQueue, 0xa0634, 8, 6, false, 0x80ff003f},
      {Kind::kStatus, 0xa0660, 4, 6, true},
      {Kind::kStatus, 0xa0680, 4, 6, false},
      {Kind::kCount, 0xa06b0, 4, 6, true},
      {Kind::kFifo, 0xa06c8, 4, 6, true},
      {Kind::kLock, 0xc0000, 0x10, 64, false, 0x3f},
      {Kind::kLockRequest, 0xd0000, 4, 64 * 256},
      {Kind::kOverflow, 0xc0420, 4, 2},
      {Kind::kUnderflow, 0xc0428, 4, 2},
      {Kind::kCounters, 0x91000, 4, 2},  // start and stop
      {Kind::kCounters, 0x91008, 4, 1},  // reset
      {Kind::kCounters, 0x91020, 4, 4},
      {Kind::kCounters, 0x91080, 4, 4},
      {Kind::kPorts, 0xb0f00, 4, 2, false, 0x3f3f3f3f},
      {Kind::kLockEvents, 0xc0400, 4, 8, false, 0x003f003f},
      {Kind::kEventChannels, 0xa06a0, 4, 1, false, 0x07070707},
      {Kind::kPackets, 0xb0f30, 4, 1, false, 0xf},
  };
  static const std::vector<Place> shim = {
      {Kind::kDescriptor, 0x1d000, 4, 16 * 8},
      {Kind::kControl, 0x1d200, 8, 2, true, 0x0003ff0e},
      {Kind::kQueue, 0x1d204, 8, 2, true, 0x80ff000f},
      {Kind::kControl, 0x1d210, 8, 2, false, 0x0000ff06},
      {Kind::kQueue, 0x1d214, 8, 2, false, 0x80ff000f},
      {Kind::kStatus, 0x1d220, 4, 2, true},
      {Kind::kStatus, 0x1d228, 4, 2, false},
      {Kind::kCount, 0x1d230, 4, 2, true},
      {Kind::kFifo, 0x1d238, 4, 2, true},
      {Kind::kLock, 0x14000, 0x10, 16, false, 0x3f},
      {Kind::kLockRequest, 0x40000, 4, 16 * 256},
      {Kind::kOverflow, 0x14120, 4, 1, false, 0xffff},
      {Kind::kUnderflow, 0x14128, 4, 1, false, 0xffff},
      {Kind::kCounters, 0x31000, 4, 1, false, 0x7f7f7f7f},
      {Kind::kCounters, 0x31008, 4, 1, false, 0x7f7f},
      {Kind::kCounters, 0x31020, 4, 2},
      {Kind::kCounters, 0x31080, 4, 2},
      {Kind::kPorts, 0x3ff00, 4, 2, false, 0x3f3f3f3f},
      {Kind::kLockEvents, 0x14100, 4, 6, false, 0x000f003f},
      {Kind::kPackets, 0x3ff30, 4, 1, false, 0xf},
  };
  static const std::vector<Place> compute = [] {
    std::vector<Place> places = {
        {Kind::kControl, 0x1de00, 8, 2, true, kTaken},
        {Kind::kQueue, 0x1de04, 8, 2, true, 0x80ff000f},
        {Kind::kControl, 0x1de10, 8, 2, false, kSent},
        {Kind::kQueue, 0x1de14, 8, 2, false, 0x80ff000f},
        {Kind::kStatus, 0x1df00, 4, 2, true},
        {Kind::kStatus, 0x1df10, 4, 2, false},
        {Kind::kCount, 0x1df18, 4, 2, true},
        {Kind::kFifo, 0x1df20, 4, 2, true},
        {Kind::kLock, 0x1f000, 0x10, 16, false, 0x3f},
        {Kind::kLockRequest, 0x40000, 4, 16 * 256},
        {Kind::kOverflow, 0x1f120, 4, 1, false, 0xffff},
        {Kind::kUnderflow, 0x1f128, 4, 1, false, 0xffff},
        {Kind::kCounters, 0x11000, 4, 1, false, 0x7f7f7f7f},
        {Kind::kCounters, 0x11008, 4, 1, false, 0x7f7f},
        {Kind::kCounters, 0x11020, 4, 2},
        {Kind::kCounters, 0x11080, 4, 2},
        {Kind::kPorts, 0x3ff00, 4, 2, false, 0x3f3f3f3f},
        {Kind::kLockEvents, 0x1f100, 4, 8, false, 0x000f003f},
        {Kind::kPackets, 0x3ff30, 4, 1, false, 0xf},
    };
    // Six words of each of 16.
    for (uint32_t n = 0; n < 16; ++n)
      places.push_back({Kind::kDescriptor, 0x1d000 + 0x20 * n, 4, 6});
    return places;
  }();
  return tile == Tile::kMemory ? memory : tile == Tile::kShim ? shim : compute;
}

}  // namespace tessera::facts
