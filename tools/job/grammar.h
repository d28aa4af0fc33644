// The grammar of a job, from the inside out: every member with its shape and what it is. What
// shapes cannot say (names that there must be, sums, overlaps) is in the parser.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/model/transfer.h"
#include "tb/sim/ports.h"
#include "tools/job/job.h"
#include "tools/job/shape.h"

namespace tessera::job {

inline constexpr uint64_t kGap = 16;              // cycles between two events of one source
inline constexpr uint64_t kMostEvents = 1 << 16;  // of one source
inline constexpr uint64_t kMostCycle = 1'000'000'000;
inline constexpr uint64_t kMostList = 1 << 16;  // transfers, tasks, packets
inline constexpr uint64_t kMostRing = 65535;    // descriptors of a list or a ring

inline constexpr Shape kAddressForms[] = {
    Integer(0, kAny), Text(Shape::Kind::kText, "^[A-Za-z_][A-Za-z0-9_]*([+-](0x)?[0-9a-fA-F]+)?$")};
inline constexpr Shape kAddress = AnyOf(kAddressForms);  // a number, or from a memory on

// Where bytes come from.

inline constexpr std::string_view kPixels[] = {"gray", "rgb", "rgba"};
inline constexpr std::string_view kPatterns[] = {"constant", "ramp", "random", "card"};
inline constexpr Shape kElement = Integer(std::numeric_limits<int64_t>::min(), kAny);
inline constexpr Member kSize{"size", Integer(1, kMostBytes), "bytes"};
inline constexpr Member kFill{"fill", Integer(0, 255), "the bytes of the memory behind them"};
inline constexpr Member kPixel{"pixel", Word(kPixels), "what a pixel becomes"};
inline constexpr Member kElem{"elem", Power(8), "bytes of an element"};
inline constexpr Member kSeed{"seed", Integer(0, kAny), "of its random numbers"};
inline constexpr Member kValue{"value", kElement, "the first element, signed or not"};

inline constexpr Member kFileMembers[] = {
    {"file", kPath, "raw bytes; relative names lie beside the job", kNeeded},
    {"skip", Integer(0, uint64_t{1} << 62), "bytes that are left out at its beginning"},
    kSize,
    kFill};
inline constexpr Member kImageMembers[] = {{"image", kPath, "a PNG image", kNeeded}, kPixel, kFill};
inline constexpr Member kHexMembers[] = {
    {"hex", Text(Shape::Kind::kText, "^ *([0-9a-fA-F]{2} *)*$"),
     "bytes, blanks allowed between them", kNeeded},
    kFill};
inline constexpr Member kValuesMembers[] = {
    {"values", Array(kElement, 0, 1 << 20), "little-endian elements", kNeeded}, kElem, kFill};
constexpr Member PatternMember(int pattern) {
  return {"pattern", Word(std::span(kPatterns).subspan(pattern, 1)), "", kNeeded};
}
inline constexpr Member kConstantMembers[] = {PatternMember(0), kSize, kElem, kValue, kFill};
inline constexpr Member kRampMembers[] = {
    PatternMember(1), kSize, kElem, kValue, {"step", kElement, "from element to element"}, kFill};
inline constexpr Member kRandomMembers[] = {PatternMember(2), kSize, kSeed, kFill};
inline constexpr Member kCardMembers[] = {
    PatternMember(3),
    {"width", Integer(1, 1 << 14), "a number of pixels", kNeeded},
    {"height", Integer(1, 1 << 14), "a number of pixels", kNeeded},
    kPixel,
    kSeed,
    kFill};
inline constexpr Shape kContentsForms[] = {  // those of files, then the patterns in their order
    Object("file", "bytes of a file", kFileMembers),
    Object("image", "pixels of an image", kImageMembers),
    Object("hex", "bytes in hexadecimal", kHexMembers),
    Object("values", "numbers", kValuesMembers),
    Object("constant", "the same element again and again", kConstantMembers),
    Object("ramp", "an element and those that follow", kRampMembers),
    Object("random", "random bytes", kRandomMembers),
    Object("card", "a picture that shows which way up it is", kCardMembers)};
inline constexpr Shape kContents = AnyOf(kContentsForms);

// A file to write: .png makes an image, which needs its width.

inline constexpr Member kPngMembers[] = {
    {"file", Text(Shape::Kind::kPath, "\\.png$"), "the name of a file", kNeeded},
    {"width", Integer(1, uint64_t{1} << 20), "of the image, in pixels", kNeeded},
    kPixel};
inline constexpr Shape kRawPath = Text(Shape::Kind::kPath, "^(?!.*\\.png$)[^\\u0000]{1,4096}$");
inline constexpr Member kRawMembers[] = {{"file", kRawPath, "the name of a file", kNeeded}, kPixel};
inline constexpr Shape kDumpForms[] = {Object("png", "an image to write", kPngMembers),
                                       Object("raw", "a file of bytes to write", kRawMembers),
                                       kRawPath};
inline constexpr Shape kDump = AnyOf(kDumpForms);

inline constexpr Member kMemoryMembers[] = {
    {"name", kName, "a name that transfers can use as their base", kNeeded},
    {"base", Integer(0, kAny), "the address of its first byte", kNeeded},
    {"size", Integer(1, kMostBytes), "its bytes; of data that tell it may be left out"},
    {"data", kContents, "what it holds at first; else garbage"},
    {"expect", kContents, "what it must hold at the end"},
    {"dump", kDump, "a file to write at the end"}};
inline constexpr Shape kMemory = Object("memory", "a piece of the address space", kMemoryMembers);

// Transfers.

inline constexpr Member kWalkMembers[] = {
    {"dim", Integer(0, 3), "the dimension it moves", kNeeded},
    {"step", IntegerOf<int32_t>(), "the coordinates of a turn", kNeeded},
    {"count", IntegerOf<uint32_t>(), "the number of turns", kNeeded}};
inline constexpr Shape kWalk = OrNull(Object("walk", "a level of the walk", kWalkMembers));
inline constexpr Shape kCount = IntegerOf<uint32_t>();
inline constexpr Shape kStride = IntegerOf<int64_t>();
inline constexpr Shape kStart = IntegerOf<int32_t>();
inline constexpr Shape kBound = OrNull(Integer(0, model::kMaxBound));

inline constexpr Member kTransferMembers[] = {
    {"name", kName, "a name for messages"},
    {"elem", Power(model::kMaxElem), "bytes of an element"},
    {"base", kAddress, "an address: a number, or name, name+offset, name-offset of a memory",
     kNeeded},
    {"offset", kElement, "bytes that iteration adds to base"},
    {"count", Array(kCount, 1, model::kDims), "an array of 1 to 4 counts, innermost first",
     kNeeded},
    {"stride", Array(kStride, 0, model::kDims), "signed bytes between neighbours, for each count"},
    {"start", Array(kStart, 0, model::kDims), "the coordinates of the first position"},
    {"bound", Array(kBound, 0, model::kDims), "valid coordinates of each dimension; null: all"},
    {"walk", Array(kWalk, 0, model::kWalkLevels), "outer traversal; level 0 turns fastest"},
    {"length", IntegerOf<uint32_t>(), "elements after which the transfer ends"},
    {"fill", Integer(0, kAny), "the value of an element outside the bounds"},
    {"last_rule", WordOf<model::LastRule>(), "where a read puts TLAST"},
    {"last_level", Integer(0, 7), "0 to 3: a turn of that dimension, 4 to 7: of a walk level"},
    {"join_next", kBool, "the last beat stays open for the next transfer"},
    {"task_end", kBool, "the last transfer of its task"},
    {"finish", WordOf<model::Finish>(), "when a write ends"}};
inline constexpr Shape kTransfer =
    Object("transfer", "one execution of a buffer descriptor (docs/transfer.md)", kTransferMembers);

// Locks and descriptors.

inline constexpr Member kLockMembers[] = {
    {"name", kName, "a name that descriptors can use", kNeeded},
    {"number", Integer(0, kMostLocks - 1), "its number; else the first that no other has"},
    {"value", Integer(0, kLockTop), "its value at first"}};
inline constexpr Shape kLock = Object("lock", "a counting lock", kLockMembers);

inline constexpr Member kLockName{"lock", kName, "the name of a lock", kNeeded};
inline constexpr Member kAcquireMembers[] = {
    kLockName,
    {"at_least", Integer(1, kLockTop), "waits for so much and takes it"},
    {"equal", Integer(0, kLockTop), "waits for this value and takes nothing"}};
inline constexpr Rule kAcquireRules[] = {OneOf({"at_least", "equal"})};
inline constexpr Shape kAcquire =
    Object("acquire", "what a transfer waits for", kAcquireMembers, kAcquireRules);

inline constexpr Member kReleaseMembers[] = {
    kLockName, {"add", Integer(-kLockTop, kLockTop), "what is added to the lock", kNeeded}};
inline constexpr Shape kRelease =
    Object("release", "what happens to a lock when the transfer is done", kReleaseMembers);

inline constexpr Member kIterationMembers[] = {
    {"step", IntegerOf<int32_t>(), "the bytes that a turn adds to the base", kNeeded},
    {"size", Integer(2, 65535), "the turns after which it begins again", kNeeded}};
inline constexpr Member kSideMembers[] = {{"dest", Integer(0, 255), "TDEST"},
                                          {"id", Integer(0, 255), "TID"},
                                          {"user", Integer(0, 65535), "TUSER"}};
inline constexpr Member kHeaderMembers[] = {{"id", Integer(0, 31), "the ID of the packet"},
                                            {"type", Integer(0, 7), "the type of the packet"},
                                            {"descriptor", Integer(0, 63), "its descriptor"}};
inline constexpr Member kProgramMembers[] = {
    {"acquire", kAcquire, ""},
    {"release", kRelease, ""},
    {"next", kName, "the descriptor that follows it in its chain"},
    {"iteration", Object("iteration", "a base that moves from turn to turn", kIterationMembers),
     ""},
    {"interrupt", kBool, "an interrupt when it is done"},
    {"record", kBool, "false: no record unless there is an error"},
    {"side", Object("side", "TDEST, TID and TUSER of its beats", kSideMembers), ""},
    {"header", Object("header", "a word before the packet that it begins", kHeaderMembers), ""}};
inline constexpr auto kDescriptorMembers = [] {
  std::array<Member, std::size(kTransferMembers) - 2 + std::size(kProgramMembers)> all{};
  auto* const end =
      std::copy_if(std::begin(kTransferMembers), std::end(kTransferMembers), all.data(),
                   [](const Member& m) { return m.name != "offset" && m.name != "task_end"; });
  std::copy(std::begin(kProgramMembers), std::end(kProgramMembers), end);
  all[0] = {"name", kName, "a name that tasks can use", kNeeded};
  return all;
}();
inline constexpr Shape kDescriptor =
    Object("descriptor", "a transfer in the descriptor RAM of a tessera_dma", kDescriptorMembers);

// Channels.

inline constexpr Member kWindowMembers[] = {
    {"base", kAddress, "the address of its first page", kNeeded},
    {"size", Integer(1, kAny), "its bytes", kNeeded}};
inline constexpr Shape kWindow =
    Object("window", "whole pages of 4 KiB that a channel may reach", kWindowMembers);

inline constexpr Member kListBase{"base", kAddress, "an address of its own", kNeeded};
inline constexpr Member kListDescriptors{"descriptors", Array(kName, 1, kMostRing),
                                         "an array of names of descriptors", kNeeded};
inline constexpr Member kListMembers[] = {kListBase, kListDescriptors};
inline constexpr Shape kList =
    Object("list", "descriptors in memory, from the first to the last", kListMembers);
inline constexpr Member kRingMembers[] = {
    kListBase,
    kListDescriptors,
    {"places", Integer(2, kMostRing), "how many descriptors the ring has room for", kNeeded},
    {"entries", kAddress, "an address for the entries that are counted"},
    {"interrupt", Integer(1, 255), "an interrupt after so many entries"}};
inline constexpr Rule kRingRules[] = {Needs({"interrupt", "entries"})};
inline constexpr Shape kRing = Object(
    "ring", "descriptors in memory that software adds while it works", kRingMembers, kRingRules);

inline constexpr Member kTaskMembers[] = {
    {"start", kName, "the name of its first descriptor"},
    {"list", kTrue, "descriptors from the list of the channel instead"},
    {"repeats", Integer(1, 65536), "how many times"},
    {"tag", IntegerOf<uint32_t>(), "a number for its record"},
    {"token", kBool, "sends a token when it is done"},
    {"trigger", kBool, "waits for the trigger of its channel"},
    {"paced", kBool, "waits for it before each turn"},
    {"endless", kBool, "as many turns as triggers or the stream bring; the last of its channel"}};
inline constexpr Rule kTaskRules[] = {
    OneOf({"start", "list"}),
    Excludes({"endless", "repeats", "token", "trigger"}, ", which has no last turn")};
inline constexpr Shape kTask = Object("task", "a chain of descriptors", kTaskMembers, kTaskRules);

inline constexpr Member kTriggerMembers[] = {
    {"pin", Integer(0, 15), "a pin that rises"},
    {"software", Integer(0, 15), "an event of software"},
    {"done", kName, "each transfer of this channel"},
    {"task_done", kName, "each task of this channel"},
    {"mark", kTrue, "a frame that begins in the stream of the channel"}};
inline constexpr Rule kTriggerRules[] = {OneOf({"pin", "software", "done", "task_done", "mark"})};
inline constexpr Shape kTrigger =
    Object("trigger", "what tasks of a channel wait for", kTriggerMembers, kTriggerRules);

inline constexpr Member kShapeMembers[] = {
    {"partial", Fraction(99), "how often a beat has fewer bytes"},
    {"sparse", Fraction(99), "how often it has holes"},
    {"null", Fraction(99), "how often a beat without bytes comes"},
    {"sparse_last", Fraction(100), "how often the last beat of a packet has holes"}};
inline constexpr Shape kBytes = Integer(0, kMostBytes);
inline constexpr Member kPieceMembers[] = {{"bytes", kBytes, "a number of bytes", kNeeded},
                                           {"end", WordOf<PieceEnd>(), "how it ends"}};
inline constexpr Shape kPieceForms[] = {kBytes, Object("piece", "a packet", kPieceMembers)};
inline constexpr Shape kPiece = AnyOf(kPieceForms, "packet");
inline constexpr Shape kPacketsForms[] = {Integer(1, kMostBytes), Array(kPiece, 1, kMostList)};
inline constexpr Shape kMark = Integer(0, 1 << 28);

inline constexpr Member kSinkMembers[] = {
    {"pacer", kPacer, "when TREADY is 1"},
    {"after_valid", kBool, "TREADY only after TVALID waited"},
    {"capture", kDump, "a file for its bytes"},
    {"beats", kPath, "a file for its beats, a JSON object a line"},
    {"expect", kContents, "what it must have carried"}};
inline constexpr Shape kSink = Object("sink", "where the data of a read go", kSinkMembers);
inline constexpr Member kSourceMembers[] = {
    {"pacer", kPacer, "when TVALID is 1"},
    {"source", kContents, "its bytes; or"},
    {"channel", kName, "the read channel whose beats it takes"},
    {"packets", AnyOf(kPacketsForms), "bytes of each packet, or an array of packets"},
    {"shape", Object("shape", "what its beats look like", kShapeMembers), ""},
    {"marks", Array(kMark, 0, kMostList), "packets, from 0 on, with TUSER bit 0: a frame begins"}};
inline constexpr Rule kSourceRules[] = {OneOf({"source", "channel"}),
                                        Excludes({"channel", "packets", "shape", "marks"})};
inline constexpr Shape kSource =
    Object("source", "where the data of a write come from", kSourceMembers, kSourceRules);

inline constexpr Shape kTransfers = Array(kTransfer, 1, kMostList);
constexpr std::array<Member, 13> ChannelMembers(Direction direction, const Member& stream) {
  const std::span<const std::string_view> way = kNamesOf<Direction>;
  return {{{"name", kName, "a name for messages and for stream.channel"},
           {"direction", Word(way.subspan(static_cast<size_t>(direction), 1)),
            "\"read\" (memory to stream) or \"write\" (stream to memory)", kNeeded},
           {"engine", Integer(0, kMostChannels - 1), "which of its direction; else the first free"},
           {"weight", Integer(1, 15), "its share of the port, where engines share one; else 1"},
           {"transfers", kTransfers, "an array of at least one transfer"},
           {"tasks", Array(kTask, 1, kMostList), "an array of tasks, of a tessera_dma"},
           {"trigger", kTrigger, ""},
           stream,
           {"offer", kPacer, "when a transfer may be offered"},
           {"take", kPacer, "when a record is taken"},
           {"list", kList, ""},
           {"ring", kRing, ""},
           {"windows", Array(kWindow, 1, 16), "what it may reach; else everything"}}};
}
inline constexpr auto kReadMembers = ChannelMembers(Direction::kRead, {"stream", kSink, ""});
inline constexpr auto kWriteMembers =
    ChannelMembers(Direction::kWrite,
                   {"stream", kSource, "where its data come from: a source or a channel", kNeeded});
inline constexpr Rule kChannelRules[] = {
    Excludes({"ring", "transfers", "tasks", "list", "trigger"}, ", which is all it does"),
    OneOf({"transfers", "tasks", "ring"}), Needs({"list", "tasks"}), Needs({"trigger", "tasks"})};
inline constexpr Shape kChannelForms[] = {
    Object("read", "an engine that reads memory", kReadMembers, kChannelRules),
    Object("write", "an engine that writes memory", kWriteMembers, kChannelRules)};
inline constexpr Shape kChannel = AnyOf(kChannelForms, "channel");

// What happens while a program runs: cycles count from when it was loaded.

inline constexpr Shape kCycle = Integer(0, kAny);
inline constexpr Member kEventMembers[] = {
    {"pin", Integer(0, 15), "a pin that rises; or"},
    {"software", Integer(0, 15), "an event of software"},
    {"packet", kBool, "a control packet fires it"},
    {"at", Array(kCycle, 1, kMostEvents), "its cycles; or"},
    {"first", Integer(0, kMostCycle), "the first cycle; else that of every"},
    {"every", Integer(kGap, kMostCycle),
     "the cycles from one event to the next, or \"at\", a list of cycles"},
    {"count", Integer(1, kMostEvents), "how many events"}};
inline constexpr Rule kEventRules[] = {
    OneOf({"pin", "software"}), Excludes({"pin", "packet"}, ", which is no register"),
    OneOf({"at", "every"}), Excludes({"at", "first", "count"}), Needs({"every", "count"})};
inline constexpr Shape kEvent = Object("event", "events of a source", kEventMembers, kEventRules);

inline constexpr Member kActionChannel{"channel", kName, "the name of a channel", kNeeded};
inline constexpr Member kAfterMembers[] = {
    kActionChannel, {"transfers", Integer(1, kMostEvents), "how many it has done", kNeeded}};
inline constexpr Member kActionMembers[] = {
    {"do", WordOf<Action::Kind>(), "\"pause\", \"drain\", \"resume\" or \"stop\"", kNeeded},
    kActionChannel,
    {"at", Integer(0, kMostCycle), "a cycle; or"},
    {"after", Object("after", "transfers of a channel that are done", kAfterMembers), ""}};
inline constexpr Rule kActionRules[] = {OneOf({"at", "after"})};
inline constexpr Shape kAction =
    Object("action", "what software does with a channel", kActionMembers, kActionRules);

// The memory at the other end of the bus.

inline constexpr std::string_view kResponses[] = {"slverr", "decerr"};
inline constexpr Member kErrorMembers[] = {
    {"first", Integer(0, kAny), "the address of the first byte", kNeeded},
    {"last", Integer(0, kAny), "the address of the last byte", kNeeded},
    {"response", Word(kResponses), "what is answered; else slverr"},
    {"reads", kBool, "to reads; else true"},
    {"writes", kBool, "to writes; else true"}};
inline constexpr Shape kError = Object("error", "addresses that answer errors", kErrorMembers);
inline constexpr Shape kErrorsForms[] = {Array(kError, 0, 64), kError};
inline constexpr Shape kLatency = Integer(1, 100000);
inline constexpr Shape kLatencyForms[] = {kLatency, Array(kLatency, 2, 2)};
inline constexpr Member kBusMembers[] = {
    {"latency", AnyOf(kLatencyForms), "cycles to an answer, or the least and the most"},
    {"max_reads", Integer(1, 1024), "bursts that it takes before it answers"},
    {"max_writes", Integer(1, 1024), "bursts that it takes before it answers"},
    {"ar", kPacer, "when ARREADY is 1"},
    {"r", kPacer, "when RVALID is 1"},
    {"aw", kPacer, "when AWREADY is 1"},
    {"w", kPacer, "when WREADY is 1"},
    {"b", kPacer, "when BVALID is 1"},
    {"service", WordOf<AxiMemoryOptions::Service>(), "how many bursts it serves at a time"},
    {"write_order", WordOf<AxiMemoryOptions::WriteOrder>(), "addresses before data, or after"},
    {"errors", AnyOf(kErrorsForms), "addresses that answer errors"}};
inline constexpr Shape kBus = Object("bus", "the memory at the other end of the bus", kBusMembers);

inline constexpr Member kJobMembers[] = {
    {"$schema", kText, "this schema, for an editor"},
    {"about", kText, "what a reader is told"},
    {"config", kName, "a configuration of `tessera config list`; else typical"},
    {"dma", kName, "or a build of tessera_dma, of cmake/dmas.json"},
    {"seed", Integer(0, kAny), "of garbage in memory and of pacers"},
    {"memories", Array(kMemory, 0, 1024), "the address space"},
    {"locks", Array(kLock, 0, kMostLocks), "of a tessera_dma"},
    {"descriptors", Array(kDescriptor, 0, kMostDescriptors), "of a tessera_dma"},
    {"channels", Array(kChannel, 1, 2 * kMostChannels), "an array of at least one channel",
     kNeeded},
    {"events", Array(kEvent, 0, 32), "pins that rise, events of software"},
    {"actions", Array(kAction, 0, 1024), "what software does while the program runs"},
    {"bus", kBus, ""},
    {"timeout", Integer(100, 1'000'000'000), "cycles without a handshake that are a failure"},
    {"cycle_limit", Integer(1, kAny), "cycles that are a failure"},
    {"report", kPath, "a report (JSON) to write"},
    {"wave", kPath, "a waveform (FST) to write"},
    {"timeline", kPath, "what channels did over time (SVG); needs dma"}};
inline constexpr Rule kJobRules[] = {
    Excludes({"dma", "config"}, ", which is a build of tessera_dma")};
inline constexpr Shape kJob = Object(
    "job", "memories, channels with their transfers, streams, the bus", kJobMembers, kJobRules);

}  // namespace tessera::job
