// The verilated tessera_aieml as the DMA of a tile: what stands behind lib/aieml/tile_dma.h in
// place of the behavioural model.
//
// A cycle of the array is one of the RTL. Its memory port is served from the memory of the tile a
// beat a cycle, without latency. A beat that is read is a decode error if none of its words is
// there. An instance in which nothing has moved or changed for a while costs nothing until an
// access, a stream or a reset wakes it.
//
// The reset of a channel drops the words that it has on their way to its stream.
//
// The pins between neighbours that are RTL are joined: a cycle in which those of one say something
// is one of the other, as soon as that is clocked. Neighbours of another kind are asked, and ask,
// at once.
//
// With its clock off it is clocked for accesses alone, its streams closed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lib/aieml/array.h"
#include "tb/aieml/tile_rtl.h"

namespace tessera::array {

class RtlDma final : public aieml::TileDma, private aieml::TileLocks {
 public:
  // `tile`: the model that this thread has made last. Throws std::runtime_error if it has no
  // probes.
  RtlDma(const aieml::DmaPorts& ports, std::unique_ptr<aieml::TileRtl> tile);
  ~RtlDma() override;

  bool Post(const aieml::Access& access) override;
  std::optional<uint32_t> Answer() override;
  void Clock() override;
  bool Quiet() const override;
  uint64_t changes() const override { return changes_; }
  aieml::DmaActivity activity() const override { return activity_; }
  std::vector<std::string> Waiting() override;
  void Hold(const aieml::DmaHold& hold) override;
  aieml::TileLocks& locks() override { return *this; }
  void Neighbours(TileDma* west, TileDma* east) override;

 private:
  class Probe;

  // A tile beside this one.
  struct Neighbour {
    aieml::TileLocks* locks = nullptr;
    RtlDma* rtl = nullptr;          // it is one
    std::deque<uint32_t> said;      // pins of cycles that this tile has not seen
    bool up = false;                // as this tile has told it
    bool asked = false;             // this tile, and has no answer
    std::optional<uint64_t> waits;  // changes() of its locks when it did not grant one; not RTL
    std::optional<bool> answer;     // to what it has asked; not RTL
  };

  // A port of the memory: bursts that were accepted, in order.
  struct Burst {
    AxiAddress address;
    uint32_t beat = 0;
    bool shown = false;  // the data of this beat are on the pins
    bool failed = false;
  };
  struct Port {
    std::deque<Burst> reads, writes;
    std::deque<AxiWriteResponse> answers;
    bool Idle() const { return reads.empty() && writes.empty() && answers.empty(); }
  };

  bool Drained(size_t channel) const { return (drained_ >> channel & 1) != 0; }

  // What the pins of streams offered and took in a cycle: bits of channels.
  struct Offers {
    uint32_t words = 0, room = 0;
    bool tokens = false;
    bool operator==(const Offers&) const = default;
  };

  void Step();
  void StepBetween();  // cycles of the array; what happens is told in the next one
  Offers DriveStreams();
  void DriveRegisters();
  bool MoveStreams();
  bool MoveRegisters();
  void DrivePort(int number);
  bool MovePort(int number);
  void ReadBeat(Burst* burst, AxiReadBeat* beat);
  void WriteBeat(Burst* burst, const AxiWriteBeat& beat);
  // Locks, for a neighbour that is no RTL.
  bool Acquire(uint32_t lock, int32_t amount) override;
  void Release(uint32_t lock, int32_t amount) override;
  uint32_t Value(uint32_t lock) override;
  bool Visit(bool releases, uint32_t lock, int32_t amount);

  bool HearNeighbours();  // there is something to see
  bool Asked() const;     // by a neighbour
  bool DriveNeighbours();
  bool MoveNeighbours();
  void Look();
  void Reset();
  void ResetModule();
  void Place();  // where it stands, and which memory it reaches
  // Clocks until the access is done.
  uint32_t Perform(const aieml::Access& access);

  aieml::DmaPorts ports_;
  std::unique_ptr<aieml::TileRtl> tile_;
  std::unique_ptr<Probe> probe_;
  std::vector<Port> memory_;
  aieml::DmaHold hold_;
  Neighbour beside_[2];                             // west, east
  std::set<std::pair<uint32_t, int32_t>> refused_;  // acquires, since which no lock has changed
  std::optional<aieml::Access> access_;
  bool address_due_ = false, data_due_ = false;
  std::optional<uint32_t> answer_;
  Offers offers_;
  aieml::DmaActivity activity_, between_;
  uint32_t halted_ = 0, active_ = 0;
  uint32_t drained_ = 0;  // MM2S channels, from a reset to the next task
  uint64_t still_ = 0, changes_ = 0;
  std::vector<uint32_t> lost_;  // pushes to a full queue: S2MM channels, then MM2S
};

// This program has a model for a tile of this kind.
bool HasRtl(aieml::TileKind kind);

using Places = std::vector<std::pair<uint32_t, uint32_t>>;
// The DMAs of an array: the RTL where `rtl` has the column and row of a tile, or everywhere if it
// is empty; the behavioural model elsewhere. Throws std::invalid_argument if this program has no
// model of a tile.
aieml::MakeDma MakeRtl(Places rtl);

}  // namespace tessera::array
