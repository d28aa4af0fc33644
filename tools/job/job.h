// A job file: what `tessera run` runs and `tessera show` draws, as plain values.
//
//   Job job = LoadJob("copy.json");                    // or ParseJob(text, "copy.json")
//   CheckJob(job, config);                             // what only a configuration can tell
//   for (const Channel& channel : job.channels)
//     for (const NamedTransfer& t : channel.transfers)
//       Use(t.value, t.Label());                       // a tessera::model::Transfer
//
// All numbers are final: a `base` that names a region of memory ("image+64") is its address. Files
// that a job names are not opened here; paths are as written and mean what job.Resolve() says.
// Everything that is wrong is an Error, whose text is one sentence: file, place, value, what is
// legal. grammar.h has every member; docs/run.md explains it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/bus/pacer.h"
#include "tb/dma/dma.h"
#include "tb/model/transfer.h"
#include "tb/sim/dut.h"

namespace tessera::job {

using Json = nlohmann::json;

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "FILE: PLACE is VALUE: LEGAL", the form of every Error; for those who check more than is checked
// here. `value` is the value as JSON text.
Error ErrorAt(const std::string& file, const std::string& place, const std::string& value,
              const std::string& legal);

inline constexpr uint64_t kMostBytes = uint64_t{1} << 28;      // of all memories, of a stream
inline constexpr uint64_t kMostPositions = uint64_t{1} << 28;  // of all transfers together
inline constexpr size_t kMostChannels = 16;                    // of each direction

enum class Pixel { kGray, kRgb, kRgba };
inline constexpr size_t BytesOf(Pixel pixel) {
  return pixel == Pixel::kGray ? 1 : (pixel == Pixel::kRgb ? 3 : 4);
}

// Where bytes come from: exactly one of file, image, hex, values or pattern.
struct Contents {
  enum class Kind { kFile, kImage, kBytes, kPattern };
  enum class Pattern { kConstant, kRamp, kRandom, kCard };
  std::string place;  // in the job file, as "memories[0].data"
  Kind kind = Kind::kBytes;
  std::string file;             // kFile: raw bytes; kImage: a PNG
  uint64_t skip = 0;            // kFile: bytes left out at its beginning
  std::optional<uint8_t> fill;  // what a memory holds behind them
  Pixel pixel = Pixel::kGray;   // kImage, kCard: what a pixel becomes
  std::vector<uint8_t> bytes;   // kBytes: of `hex` or `values`
  Pattern pattern = Pattern::kConstant;
  int elem = 1;         // kPattern: bytes of an element of kConstant and kRamp
  uint64_t value = 0;   // kConstant: each element; kRamp: the first one
  uint64_t step = 1;    // kRamp: added from element to element, modulo the element
  uint64_t seed = 1;    // kRandom: of the bytes; kCard: of its colours
  uint32_t width = 0;   // kCard: a test card of so many pixels a row ...
  uint32_t height = 0;  // ... and so many rows
  uint64_t size = 0;    // kFile: bytes taken of it; kPattern: those of a stream; 0: not given
};

// A file that is written; ending in .png an image, else raw bytes.
struct Dump {
  std::string place;
  std::string file;
  uint32_t width = 0;  // of an image, in pixels
  Pixel pixel = Pixel::kGray;
  bool image() const { return width != 0; }
};

// A named piece of the one address space. Regions do not overlap.
struct Region {
  std::string place;
  std::string name;
  uint64_t base = 0;
  std::optional<uint64_t> size;    // absent: that of its data
  std::optional<Contents> data;    // absent: garbage that depends on address and seed alone
  std::optional<Contents> expect;  // what it must hold at the end
  std::optional<Dump> dump;        // written at the end
};

// What happens at the other end of a channel's stream.
struct Stream {
  std::string place;
  PacerSpec pacer;           // read: when TREADY is 1; write: when TVALID is 1
  bool after_valid = false;  // read: TREADY only in a cycle after one in which TVALID waited
  // Read.
  std::optional<Dump> capture;     // its bytes
  std::string beats;               // its beats, a JSON object a line; empty: not written
  std::optional<Contents> expect;  // what it must have carried
  // Write: the bytes it is fed with, or the read channel whose beats it takes.
  std::optional<Contents> source;
  std::string channel;
  struct Piece {
    uint64_t bytes = 0;
    PieceEnd end = PieceEnd::kLast;
  };
  std::vector<Piece> packets;  // how `source` is cut
  std::set<uint64_t> marks;    // of these packets the first beat has TUSER bit 0
  uint64_t packet = 0;         // ... or: every so many bytes; 0 and no packets: one packet
  StreamShape shape;
};

// ---- What a job tells a build of tessera_dma (docs/programming.md). Names are those of the job;
// Prepare() makes numbers of them.

struct NamedTransfer {
  std::string place;  // "channels[0].transfers[2]"
  std::string name;   // may be empty
  model::Transfer value;
  std::string Label() const { return name.empty() ? place : name; }
};

inline constexpr int kMostLocks = 64;
inline constexpr int kLockTop = 63;  // the highest value of a lock
inline constexpr size_t kMostDescriptors = 256;

struct Lock {
  std::string place, name;
  std::optional<int> number;  // absent: the first that no other has
  int value = 0;              // at first
};

// Acquire: at least `value`, which is taken, or equal to it. Release: `value` is added.
struct LockUse {
  std::string place;
  std::string lock;
  bool equal = false;
  int value = 0;
};

// A word in front of a packet that is sent.
struct Header {
  uint8_t id = 0, type = 0, descriptor = 0;
};

struct Descriptor {
  NamedTransfer transfer;
  std::optional<LockUse> acquire, release;
  std::string next;    // empty: the chain ends
  int32_t step = 0;    // bytes that each turn adds to the base ...
  uint32_t turns = 1;  // ... modulo so many turns
  bool interrupt = false;
  bool record = true;  // leaves one also if it has no error
  uint32_t side = 0;   // TDEST, TID, TUSER as in word 14
  std::optional<Header> header;
};

// Descriptors in memory, of a channel: an array that a task executes from its first to its last,
// or a ring to which software adds them while the channel works.
struct List {
  std::string place;
  uint64_t base = 0;                     // of its memory, a multiple of 64
  std::vector<std::string> descriptors;  // by name; of a ring in the order in which they are added
  bool ring = false;
  uint32_t places = 0;              // of the ring
  std::optional<uint64_t> entries;  // of a ring: where the device writes what is done
  uint32_t interrupt = 0;           // after so many entries; 0: none
  uint64_t Bytes() const {
    return kListPitch * uint64_t{ring ? places : static_cast<uint32_t>(descriptors.size())};
  }
  static constexpr uint64_t kListPitch = 192, kEntry = 16;
};

struct Task {
  std::string place;
  std::string start;              // unless
  std::vector<std::string> list;  // its descriptors come from the list of its channel
  uint32_t repeats = 1;
  uint32_t tag = 0;
  bool token = false;
  bool trigger = false;  // waits for the channel's trigger
  bool paced = false;    // waits for it before each turn
  bool endless =
      false;  // as many turns as its triggers or its stream bring; the last of its channel
};

// Whole pages of 4 KiB that a channel may reach.
struct Window {
  std::string place;
  uint64_t base = 0, size = 0;
};

// What software does with a channel while the program runs.
struct Action {
  enum class Kind { kPause, kDrain, kResume, kStop };
  std::string place;
  Kind kind = Kind::kPause;
  std::string channel;
  uint64_t at = 0;         // cycles after the program was loaded, unless
  std::string after;       // a channel
  uint64_t transfers = 0;  // has done so many
};
constexpr std::array<std::string_view, 4> NamesOf(Action::Kind) {
  return {"pause", "drain", "resume", "stop"};
}

// What a channel's tasks may wait for.
struct Trigger {
  enum class Kind { kNone, kPin, kSoftware, kTransfer, kTask, kMark };
  std::string place;
  Kind kind = Kind::kNone;
  int number = 0;       // of the pin, of the event
  std::string channel;  // whose transfers, whose tasks
};

// A pin that rises, or an event of software.
struct Event {
  std::string place;
  bool pin = true;
  bool packet = false;  // of software: a control packet fires it
  int number = 0;
  std::vector<uint64_t> at;  // cycles after the program was loaded, in order
};

// ---- The whole

// One engine with its transfers, in order.
struct Channel {
  std::string place;
  std::string name;
  Direction direction = Direction::kRead;
  int engine = 0;                        // which of its direction
  bool engine_given = false;             // else: the first that nobody has
  std::optional<int> weight;             // on the port that it shares
  std::vector<NamedTransfer> transfers;  // or
  std::vector<Task> tasks;               // of a build of tessera_dma
  std::vector<Window> windows;           // else it may reach everything
  std::optional<List> list;              // with a ring its descriptors are the only task
  Trigger trigger;
  Stream stream;
  PacerSpec offer;  // when a transfer may be offered
  PacerSpec take;   // when a record is taken
};

struct Job {
  std::string file;  // as given to LoadJob or ParseJob
  std::string about;
  std::string config = "typical";  // unless there is
  std::string dma;                 // a build of tessera_dma
  uint64_t seed = 1;
  std::vector<Region> memories;
  std::vector<Lock> locks;
  std::vector<Descriptor> descriptors;
  std::vector<Channel> channels;
  std::vector<Event> events;
  std::vector<Action> actions;  // one after the other
  AxiMemoryOptions bus;         // latency, pacers; error responses are in `errors`
  struct BusError {
    uint64_t first = 0, last = 0;  // both included
    bool decerr = false;
    bool reads = true, writes = true;
  };
  std::vector<BusError> errors;
  uint64_t timeout = 5000;  // cycles without a handshake that are a failure
  uint64_t cycle_limit = ~uint64_t{0};
  std::string report;  // files to write; empty: none
  std::string wave;
  std::string timeline;  // what channels did, SVG

  // The path of an input file: relative ones lie beside the job file.
  std::string Resolve(const std::string& path) const;
  const Channel* Find(std::string_view channel) const;
  const Descriptor* FindDescriptor(std::string_view name) const;
  const Lock* FindLock(std::string_view name) const;
  // The tasks that lead to it, with their channels.
  std::vector<std::pair<const Channel*, const Task*>> UsersOf(const Descriptor& descriptor) const;
  // That of the first channel whose tasks lead to it; of none: a read.
  Direction DirectionOf(const Descriptor& descriptor) const;
  // Software stops the endless task of this channel.
  bool Stops(const Channel& channel) const;
  bool InRam(const Descriptor& descriptor) const;  // not in lists alone
  // The descriptors of a task, in order.
  std::vector<const Descriptor*> ChainOf(const Task& task) const;
  // What names the hardware, for messages: "config" or "dma".
  const char* hardware_member() const { return dma.empty() ? "config" : "dma"; }
};

// Reads and parses a file. Throws Error.
Job LoadJob(const std::string& path);
// The JSON schema of jobs.
std::string SchemaText();
// Parses a text; `file` is for messages and for Resolve. Throws Error.
Job ParseJob(std::string_view text, const std::string& file);

// What a configuration has for the channels of a job: one engine each way, or those of a
// tessera_dma behind registers.
struct Hardware {
  Hardware() = default;
  Hardware(const Config& of_each) : config(of_each) {}
  Hardware(const DmaConfig& build)
      : config(build.channel),
        reads(build.reads),
        writes(build.writes),
        ports(build.ports),
        shared(true),
        guard(build.guard != 0),
        windows(build.windows),
        dma(build) {}
  Config config;  // of each engine; its name is that of all
  int reads = 1, writes = 1;
  int ports = 1;
  bool shared = false;  // by engines with weights
  bool guard = false;
  int windows = 0;               // of each engine
  std::optional<DmaConfig> dma;  // what registers and descriptors can do
};

// What a job asks of the hardware: throws Error if it cannot do it (element wider than the bus,
// bounds or walk that are not there, more channels than engines, addresses too wide, tasks for
// engines without registers, more descriptors or locks than there are).
void CheckJob(const Job& job, const Hardware& hardware);

// Throws Error: memories overlap, or are too much together. Sizes that are not known count as none.
void CheckRegions(const Job& job);

// The region that holds an address, if any; `size` must be known (data of files count as 0).
const Region* RegionAt(const Job& job, uint64_t address);

}  // namespace tessera::job
