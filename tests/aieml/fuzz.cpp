// See fuzz.h.
#include "tests/aieml/fuzz.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "tests/aieml/binary.h"
#include "tools/aieml/seq/parser.h"
#include "tools/aieml/seq/run.h"
#include "tools/aieml/txn/disassemble.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

// Remembers whether anything outside the tiles of the table was touched.
class Watch {
 public:
  explicit Watch(uint32_t random) : random_(random) {}
  uint32_t read32(uint32_t at) {
    Look(at);
    return random_ = random_ * 1664525 + 1013904223;
  }
  void write32(uint32_t at, uint32_t) { Look(at); }
  void barrier() {}
  bool load_pdi(uint32_t, uint32_t, uint64_t address) { return address % 8 != 0; }
  bool outside() const { return outside_; }

 private:
  void Look(uint32_t at) {
    const uint32_t column = driver::npu::ColumnOf(at), row = driver::npu::RowOf(at);
    outside_ = outside_ || column > 1 || row > 2 || at % 4 != 0;
  }
  uint32_t random_;
  bool outside_ = false;
};

constexpr driver::npu::Tile kTiles[] = {
    {0, 0, TileKind::kShim, AddressOf(0, 0, 0)},    {0, 1, TileKind::kMemory, AddressOf(0, 1, 0)},
    {0, 2, TileKind::kCompute, AddressOf(0, 2, 0)}, {1, 0, TileKind::kShim, AddressOf(1, 0, 0)},
    {1, 1, TileKind::kMemory, AddressOf(1, 1, 0)},  {1, 2, TileKind::kCompute, AddressOf(1, 2, 0)},
};

std::string Sentence(const std::string& text) {
  if (text.find('\n') != std::string::npos || text.size() > 1000 || text.empty()) {
    return "no good sentence: " + text;
  }
  return "";
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t Word() { return static_cast<uint32_t>(engine_()); }
  uint32_t Below(uint32_t n) { return Word() % n; }

 private:
  std::mt19937_64 engine_;
};

std::vector<uint32_t> AnyBinary(Random& random) {
  Binary binary;
  for (uint32_t n = random.Below(6); n > 0; --n) {
    const uint32_t address =
        AddressOf(random.Below(2), random.Below(3), (random.Word() >> random.Below(20)) & 0xffffc);
    switch (random.Below(9)) {
      case 0:
        binary.Write(address, random.Word());
        break;
      case 1:
        binary.Block(address, std::vector<uint32_t>(random.Below(12), random.Word()));
        break;
      case 2:
        binary.MaskWrite(address, random.Word(), random.Word());
        break;
      case 3:
        binary.Poll(address, 0, random.Word() & random.Word() & random.Word(), true);
        break;
      case 4:
        binary.Sync(random.Below(2), random.Below(3), random.Below(2) != 0, random.Below(3));
        break;
      case 5:
        binary.Patch(AddressOf(random.Below(2), 0, 0x1d004 + 0x20 * random.Below(16)),
                     random.Below(3), 4 * random.Below(100));
        break;
      case 6:
        binary.Add({5});
        break;
      case 7:
        binary.Add({8 | random.Below(3) << 16, random.Word(), random.Word(), random.Word()});
        break;
      default:
        binary.Add({6 | random.Below(4) << 8});
    }
  }
  std::vector<uint32_t> words = binary.words();
  if (random.Below(2) == 0) {
    for (uint32_t n = random.Below(3) + 1; n > 0; --n) {
      words[random.Below(static_cast<uint32_t>(words.size()))] = random.Word() >> random.Below(32);
    }
  }
  if (random.Below(8) == 0) words.resize(random.Below(static_cast<uint32_t>(words.size()) + 8));
  return words;
}

constexpr const char* kSeeds[] = {
    "aiex.npu.write32 {address = 2224128 : ui32, value = 7 : ui32}\n",
    "%c = arith.constant 118816 : i32\naiex.npu.write32(%c, %c) : i32, i32\n",
    "aiex.npu.maskwrite32 {buffer = @buf, address = 1 : ui32, value = 0x9ABCDEF0 : ui32, mask = "
    "0x0F0F0F0F : ui32}\n",
    "%0 = memref.get_global @data : memref<3xi32>\naiex.npu.blockwrite(%0) {address = 118816 : "
    "ui32} : memref<3xi32>\n",
    "aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : "
    "i32, "
    "row = 0 : i32, row_num = 1 : i32}\n",
    "aiex.npu.address_patch {addr = 118820 : ui32, arg_idx = 1 : i32, arg_plus = 16 : i32}\n",
    "aiex.npu.rtp_write(@buf, 2, 50)\n",
    "aiex.npu.push_queue (0, 0, MM2S:0) {issue_token = true, repeat_count = 3 : i32, bd_id = 5 : "
    "i32}\n",
    "aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, 8][4, 2, 32, 32][128, 2048, 64, 1], packet = <pkt_id = "
    "2, pkt_type = 3>) {id = 0 : i64, metadata = @in, issue_token = true} : memref<61x112xi16>\n",
    "aiex.npu.dma_wait {symbol = @out}\n",
    "%t = aiex.dma_configure_task(%tile_0_2, S2MM, 0) {\n  aie.use_lock(%free, "
    "AcquireGreaterEqual, "
    "1)\n  aie.dma_bd(%buf : memref<64xi32> offset = 0 len = 64) {bd_id = 3 : i32}\n  "
    "aie.use_lock(%full, Release, 1)\n  aie.next_bd ^bd1\n^bd1:\n  aie.dma_bd(%buf : "
    "memref<64xi32>, "
    "0, 32, [<size = 8, stride = 8>, <size = 4, stride = 1>])\n  aie.end\n} {issue_token = true, "
    "repeat_count = 2 : i32}\naiex.dma_start_task(%t)\naiex.dma_await_task(%t)\n",
    "%m = aiex.dma_configure_task(%tile_0_1, MM2S, 1) {\n  aie.dma_bd(%mem : memref<64x64xi8>, 0, "
    "4096, [<size = 61, stride = 56>, <size = 56, stride = 1>], [<const_pad_before = 2, "
    "const_pad_after = 1>, <const_pad_before = 4, const_pad_after = 4>])\n  aie.end\n}\n",
    "%k = aiex.dma_start_bd_chain_for @chain(%arg1) : (memref<4096xi32>) for @out {issue_token = "
    "true}\n",
    "aiex.control_packet {address = 0x21f020 : ui32, data = array<i32: 3, 4>, opcode = 2 : i32, "
    "stream_id = 9 : i32}\n",
    "aiex.control_packet {address = 0x21f020 : ui32, length = 3 : i32, opcode = 1 : i32, stream_id "
    "= "
    "2 : i32}\n",
    "aiex.npu.load_pdi {id = 7 : i32, size = 4096 : i32, address = 0xabc12345678 : ui64}\n",
    "%i0 = arith.constant 0 : index\n%i3 = arith.constant 3 : index\n%i1 = arith.constant 1 : "
    "index\nscf.for %i = %i0 to %i3 step %i1 {\n  %v = arith.muli %i, %i3 : index\n  %w = "
    "arith.index_cast %v : index to i64\n  aiex.npu.rtp_write(@buf, %w, %w) : i64\n}\n",
    "aiex.set_lock(%full, 5)\naiex.dma_channel_reset(%tile_0_1, S2MM, 3)\n",
};

// Of the device.
constexpr const char* kDeviceSeeds[] = {
    "%m1 = aie.memtile_dma(%tile_0_1) {\n  %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb2, repeat_count = "
    "1)\n^bb1:\n  aie.dma_bd_packet(0x2, 0x5)\n  aie.dma_bd(%mem : memref<4096xi32>, 0, 64)\n  "
    "aie.next_bd ^bb1\n^bb2:\n  %1 = aie.dma_start(MM2S, 1, ^bb3, ^bb4)\n^bb3:\n  aie.dma_bd(%mem "
    ": memref<4096xi32>, 8, 8)\n  aie.next_bd ^bb4\n^bb4:\n  aie.end\n}\n",
    "%m2 = aie.mem(%tile_0_2) {\n  %0 = aie.dma(MM2S, 0) {loop = false, repeat_count = 1 : i32} "
    "[{\n  aie.use_lock(%full, AcquireGreaterEqual, 1)\n  aie.dma_bd(%buf : memref<64xi32>, 0, "
    "8)\n  aie.use_lock(%free, Release, 1)\n}, {\n  aie.dma_bd(%open : memref<64xi32>, 8, 8)\n}]\n "
    " "
    "aie.end\n}\n",
    "aie.packet_flow(0x3) {\n  aie.packet_source<%tile_0_0, DMA : 1>\n  aie.packet_dest<%tile_0_1, "
    "DMA : 2>\n  aie.packet_dest<%tile_0_2, TileControl : 0>\n} {keep_pkt_header = true}\n",
    "%s = aie.switchbox(%tile_0_1) {\n  %0 = aie.amsel<2> (1)\n  %1 = aie.masterset(North : 5, "
    "%0)\n  aie.packet_rules(South : 3) {\n    aie.rule(31, 3, %0)\n  }\n  aie.connect<North : 0, "
    "South : 2>\n}\n",
    "%x = aie.shim_mux(%tile_0_0) {\n  aie.connect<DMA : 0, North : 3>\n  aie.connect<North : 2, "
    "DMA : 0>\n}\n",
    "%c = aie.core(%tile_0_2) {\n  aie.end\n} {stack_size = 2048 : i32}\n",
};

std::string AnySequence(Random& random) {
  std::string text =
      "module {\n  aie.device(npu1_1col) {\n"
      "    memref.global \"private\" constant @data : memref<3xi32> = dense<[1, -2, 3]>\n"
      "    %tile_0_0 = aie.tile(0, 0)\n    %tile_0_1 = aie.tile(0, 1)\n"
      "    %tile_0_2 = aie.tile(0, 2)\n"
      "    %buf = aie.buffer(%tile_0_2) {address = 1024 : i32, sym_name = \"buf\"} : "
      "memref<64xi32>\n"
      "    %mem = aie.buffer(%tile_0_1) {address = 64 : i32} : memref<4096xi32>\n"
      "    %open = aie.buffer(%tile_0_2) : memref<64xi32>\n"
      "    %full = aie.lock(%tile_0_2, 1) {init = 0 : i32}\n    %free = aie.lock(%tile_0_2, 0)\n"
      "    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)\n"
      "    aie.bd_chain @chain(%a: memref<4096xi32>) {\n"
      "      aie.dma_bd(%a : memref<4096xi32>, 0, 16)\n      aie.end\n    }\n"
      "    aie.shim_dma_allocation @in(MM2S, 0, 0)\n"
      "    aie.shim_dma_allocation @out (%tile_0_0, S2MM, 1)\n";
  for (uint32_t n = random.Below(3); n > 0; --n) {
    text += kDeviceSeeds[random.Below(std::size(kDeviceSeeds))];
  }
  text += "    aie.runtime_sequence @seq(%arg0: memref<4096xi32>, %arg1: memref<4096xi32>) {\n";
  for (uint32_t n = random.Below(4); n > 0; --n) text += kSeeds[random.Below(std::size(kSeeds))];
  text += "    }\n  }\n}\n";
  for (uint32_t n = random.Below(4); n > 0 && !text.empty(); --n) {
    const uint32_t at = random.Below(static_cast<uint32_t>(text.size()));
    switch (random.Below(7)) {
      case 0:
        text[at] = static_cast<char>(random.Word());
        break;
      case 1:
        text.erase(at, random.Below(12) + 1);
        break;
      case 2:
        text.insert(
            at, text.substr(random.Below(static_cast<uint32_t>(text.size())), random.Below(30)));
        break;
      case 3:
        text[at] = "(){}[]<>,:=%@^#\"-0192x"[random.Below(22)];
        break;
      case 4: {  // another number
        const size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) {
          text.replace(digit, 1, std::to_string(random.Word() >> random.Below(32)));
        }
        break;
      }
      case 5: {
        const size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, "-99999999999999999999");
        break;
      }
      default:
        if (random.Below(8) == 0) text.resize(at);
    }
  }
  return text;
}

}  // namespace

std::string FuzzBinaries(uint64_t count, uint64_t seed, uint64_t* accepted) {
  Random random(seed);
  constexpr uint64_t kArguments[] = {0x1000, 0x2000};
  for (uint64_t n = 0; n < count; ++n) {
    const std::vector<uint32_t> words = AnyBinary(random);
    std::string wrong;
    try {
      (void)txn::Disassemble("f", words);
      txn::Check("f", words);
    } catch (const txn::Error& error) {
      wrong = Sentence(error.what());
    }
    Watch watch(random.Word());
    const driver::npu::Player<Watch> player(watch, kTiles, 6);
    const auto result = player.Play(words.data(), static_cast<uint32_t>(words.size()),
                                    {kArguments, 2}, driver::Timeout::Turns(5));
    *accepted += result.ok() ? 1 : 0;
    if (watch.outside()) wrong = "an access outside the instances";
    if (!wrong.empty()) return fmt::format("binary {} of seed {}: {}", n, seed, wrong);
  }
  return "";
}

std::string FuzzSequences(uint64_t count, uint64_t seed, uint64_t* accepted) {
  Random random(seed);
  for (uint64_t n = 0; n < count; ++n) {
    const std::string text = AnySequence(random);
    std::string wrong;
    try {
      const seq::Sequence sequence = seq::Lower(text, "f");
      const seq::Device& d = sequence.device;
      const auto words = sequence.program.Binary(d.columns, d.rows, d.memory_rows, d.generation);
      ++*accepted;
      txn::Check("f", words);  // whatever is accepted can be played
      (void)array::Build(seq::Complete(sequence, {}));
    } catch (const seq::Error& error) {
      wrong = Sentence(error.what());
    } catch (const array::Error& error) {
      wrong = Sentence(error.what());
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    if (!wrong.empty()) return fmt::format("sequence {} of seed {}: {}\n{}", n, seed, wrong, text);
  }
  return "";
}

}  // namespace tessera::aieml
