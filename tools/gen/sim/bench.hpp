// A bench around a verilated top of Tessera: memory, streams, registers, in one header that needs
// nothing but the C++17 library and Verilator.
//
//   Bench<Vtop> bench(model);
//   bench.registers = ...; bench.memories.push_back(TESSERA_MEMORY_PORT(model, m_axi_0)); ...
//   bench.Reset(); bench.Read32(0x08); bench.Write32(...); bench.Step(); ...
//
// Every port is a pair of functions made by the macros below: `sample` copies outputs of the model,
// `drive` sets its inputs. In a cycle everything is sampled before the edge and driven after it.
// The memory answers in order, `latency` cycles later at the earliest, and stands still now and
// then (`pause`), so that backpressure is seen.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera_bench {

// ---- Pins ---------------------------------------------------------------------------------------

template <typename T>
void Get(const T& pin, void* bytes, size_t size) {
  std::memcpy(bytes, &pin, size < sizeof(T) ? size : sizeof(T));
}
template <std::size_t kWords>
void Get(const VlWide<kWords>& pin, void* bytes, size_t size) {
  std::memcpy(bytes, pin.data(), size);
}
template <typename T>
void Set(T& pin, const void* bytes, size_t size) {
  T value = 0;
  std::memcpy(&value, bytes, size < sizeof(T) ? size : sizeof(T));
  pin = value;
}
template <std::size_t kWords>
void Set(VlWide<kWords>& pin, const void* bytes, size_t size) {
  std::memcpy(pin.data(), bytes, size);
}

constexpr size_t kMostBytes = 128;  // of a beat

// Of a memory port, where the model is the master, and of the processor's, where it is the slave.
struct MemoryPins {
  // From the master.
  uint64_t araddr = 0, awaddr = 0;
  uint32_t arid = 0, awid = 0, arlen = 0, awlen = 0, arsize = 0, awsize = 0;
  bool arvalid = false, rready = false, awvalid = false, wvalid = false, wlast = false,
       bready = false;
  uint8_t wdata[kMostBytes] = {}, wstrb[kMostBytes / 8] = {};
  // From the slave.
  bool arready = false, rvalid = false, rlast = false, awready = false, wready = false,
       bvalid = false;
  uint32_t rid = 0, bid = 0, rresp = 0, bresp = 0;
  uint8_t rdata[kMostBytes] = {};
};
struct StreamPins {
  bool valid = false, ready = false, last = false;
  uint8_t data[kMostBytes] = {}, keep[kMostBytes / 8] = {};
  uint32_t side = 0;  // TDEST, TID, TUSER from the lowest bit, as word 14 of a descriptor
};
struct RegisterPins {
  uint32_t awaddr = 0, wdata = 0, araddr = 0, rdata = 0, rresp = 0, bresp = 0;
  bool awvalid = false, awready = false, wvalid = false, wready = false, bvalid = false,
       bready = false;
  bool arvalid = false, arready = false, rvalid = false, rready = false;
};

struct MemoryPort {
  unsigned bytes = 8;  // of a beat
  std::function<void(MemoryPins&)> sample, drive;
};
using ProcessorPort = MemoryPort;
struct StreamPort {
  unsigned bytes = 8;
  std::function<void(StreamPins&)> sample, drive;
  std::function<bool()> edge;  // of its clock, in this step; empty: every step
};
struct RegisterPort {
  std::function<void(RegisterPins&)> sample, drive;
};

// What a master reads with, and what it writes with: of the model, and to it.
#define TESSERA_READS_(m, p)  \
  a.araddr = m->p##_araddr;   \
  a.arlen = m->p##_arlen;     \
  a.arsize = m->p##_arsize;   \
  a.arvalid = m->p##_arvalid; \
  a.rready = m->p##_rready
#define TESSERA_READ_ANSWERS_(m, p, width) \
  m->p##_arready = a.arready;              \
  m->p##_rvalid = a.rvalid;                \
  m->p##_rlast = a.rlast;                  \
  m->p##_rresp = 0;                        \
  tessera_bench::Set(m->p##_rdata, a.rdata, (width))
#define TESSERA_WRITES_(m, p, width)                  \
  a.awaddr = m->p##_awaddr;                           \
  a.awlen = m->p##_awlen;                             \
  a.awsize = m->p##_awsize;                           \
  a.awvalid = m->p##_awvalid;                         \
  a.bready = m->p##_bready;                           \
  a.wvalid = m->p##_wvalid;                           \
  a.wlast = m->p##_wlast;                             \
  tessera_bench::Get(m->p##_wdata, a.wdata, (width)); \
  tessera_bench::Get(m->p##_wstrb, a.wstrb, ((width) + 7) / 8)
#define TESSERA_WRITE_ANSWERS_(m, p) \
  m->p##_awready = a.awready;        \
  m->p##_wready = a.wready;          \
  m->p##_bvalid = a.bvalid;          \
  m->p##_bresp = 0
#define TESSERA_PORT_(width, samples, drives)                \
  tessera_bench::MemoryPort {                                \
    (width), [=](tessera_bench::MemoryPins& a) { samples; }, \
        [=](tessera_bench::MemoryPins& a) { drives; }        \
  }
#define TESSERA_REQUESTS_(m, p, width) \
  TESSERA_READS_(m, p);                \
  TESSERA_WRITES_(m, p, width)
#define TESSERA_ANSWERS_(m, p, width) \
  TESSERA_READ_ANSWERS_(m, p, width); \
  TESSERA_WRITE_ANSWERS_(m, p)
#define TESSERA_REQUEST_IDS_(m, p) \
  a.arid = m->p##_arid;            \
  a.awid = m->p##_awid
#define TESSERA_ANSWER_IDS_(m, p) \
  m->p##_rid = a.rid;             \
  m->p##_bid = a.bid
#define TESSERA_MEMORY_PORT(m, p, width)                                   \
  TESSERA_PORT_(width, TESSERA_REQUEST_IDS_(m, p);                         \
                TESSERA_REQUESTS_(m, p, width), TESSERA_ANSWER_IDS_(m, p); \
                TESSERA_ANSWERS_(m, p, width))
// Without IDs; that only read, and only write.
#define TESSERA_LIST_PORT(m, p, width) \
  TESSERA_PORT_(width, TESSERA_REQUESTS_(m, p, width), TESSERA_ANSWERS_(m, p, width))
#define TESSERA_READ_PORT(m, p, width) \
  TESSERA_PORT_(width, TESSERA_READS_(m, p), TESSERA_READ_ANSWERS_(m, p, width))
#define TESSERA_WRITE_PORT(m, p, width) \
  TESSERA_PORT_(width, TESSERA_WRITES_(m, p, width), TESSERA_WRITE_ANSWERS_(m, p))
// A port on which processors read and write, with bursts that count up.
#define TESSERA_PROCESSOR_PORT(m, p, width)                             \
  tessera_bench::ProcessorPort {                                        \
    (width),                                                            \
        [=](tessera_bench::MemoryPins& a) {                             \
          a.arready = m->p##_arready;                                   \
          a.awready = m->p##_awready;                                   \
          a.wready = m->p##_wready;                                     \
          a.rvalid = m->p##_rvalid;                                     \
          a.rlast = m->p##_rlast;                                       \
          a.rid = m->p##_rid;                                           \
          a.rresp = m->p##_rresp;                                       \
          a.bvalid = m->p##_bvalid;                                     \
          a.bid = m->p##_bid;                                           \
          a.bresp = m->p##_bresp;                                       \
          tessera_bench::Get(m->p##_rdata, a.rdata, (width));           \
        },                                                              \
        [=](tessera_bench::MemoryPins& a) {                             \
          m->p##_arid = a.arid;                                         \
          m->p##_araddr = a.araddr;                                     \
          m->p##_arlen = a.arlen;                                       \
          m->p##_arsize = a.arsize;                                     \
          m->p##_arburst = 1;                                           \
          m->p##_arvalid = a.arvalid;                                   \
          m->p##_awid = a.awid;                                         \
          m->p##_awaddr = a.awaddr;                                     \
          m->p##_awlen = a.awlen;                                       \
          m->p##_awsize = a.awsize;                                     \
          m->p##_awburst = 1;                                           \
          m->p##_awvalid = a.awvalid;                                   \
          m->p##_rready = a.rready;                                     \
          m->p##_bready = a.bready;                                     \
          m->p##_wvalid = a.wvalid;                                     \
          m->p##_wlast = a.wlast;                                       \
          tessera_bench::Set(m->p##_wdata, a.wdata, (width));           \
          tessera_bench::Set(m->p##_wstrb, a.wstrb, ((width) + 7) / 8); \
        }                                                               \
  }
// A stream that leaves the model, and one that enters it; with side information, or TDEST alone.
#define TESSERA_STREAM_OUT(m, p, width, clock) TESSERA_STREAM_OUT_(m, p, width, clock, )
#define TESSERA_SIDE_OUT(m, p, width, clock) \
  TESSERA_STREAM_OUT_(m, p, width, clock,    \
                      a.side = m->p##_tdest | m->p##_tid << 8 | uint32_t{m->p##_tuser} << 16)
#define TESSERA_STREAM_IN(m, p, width, clock) TESSERA_STREAM_IN_(m, p, width, clock, )
#define TESSERA_DEST_IN(m, p, width, clock) \
  TESSERA_STREAM_IN_(m, p, width, clock, m->p##_tdest = a.side & 0xff)
#define TESSERA_SIDE_IN(m, p, width, clock)                            \
  TESSERA_STREAM_IN_(m, p, width, clock, m->p##_tdest = a.side & 0xff; \
                     m->p##_tid = a.side >> 8 & 0xff; m->p##_tuser = a.side >> 16)
#define TESSERA_STREAM_OUT_(m, p, width, clock, beside)                       \
  tessera_bench::StreamPort {                                                 \
    (width),                                                                  \
        [=](tessera_bench::StreamPins& a) {                                   \
          a.valid = m->p##_tvalid;                                            \
          a.last = m->p##_tlast;                                              \
          beside;                                                             \
          tessera_bench::Get(m->p##_tdata, a.data, (width));                  \
          tessera_bench::Get(m->p##_tkeep, a.keep, ((width) + 7) / 8);        \
        },                                                                    \
        [=](tessera_bench::StreamPins& a) { m->p##_tready = a.ready; }, clock \
  }
#define TESSERA_STREAM_IN_(m, p, width, clock, beside)                       \
  tessera_bench::StreamPort {                                                \
    (width), [=](tessera_bench::StreamPins& a) { a.ready = m->p##_tready; }, \
        [=](tessera_bench::StreamPins& a) {                                  \
          m->p##_tvalid = a.valid;                                           \
          m->p##_tlast = a.last;                                             \
          beside;                                                            \
          tessera_bench::Set(m->p##_tdata, a.data, (width));                 \
          tessera_bench::Set(m->p##_tkeep, a.keep, ((width) + 7) / 8);       \
        },                                                                   \
        clock                                                                \
  }
#define TESSERA_REGISTER_PORT(m, p)           \
  tessera_bench::RegisterPort {               \
    [=](tessera_bench::RegisterPins& a) {     \
      a.awready = m->p##_awready;             \
      a.wready = m->p##_wready;               \
      a.bvalid = m->p##_bvalid;               \
      a.bresp = m->p##_bresp;                 \
      a.arready = m->p##_arready;             \
      a.rvalid = m->p##_rvalid;               \
      a.rdata = m->p##_rdata;                 \
      a.rresp = m->p##_rresp;                 \
    },                                        \
        [=](tessera_bench::RegisterPins& a) { \
          m->p##_awaddr = a.awaddr;           \
          m->p##_awvalid = a.awvalid;         \
          m->p##_awprot = 0;                  \
          m->p##_wdata = a.wdata;             \
          m->p##_wstrb = 0xf;                 \
          m->p##_wvalid = a.wvalid;           \
          m->p##_bready = a.bready;           \
          m->p##_araddr = a.araddr;           \
          m->p##_arvalid = a.arvalid;         \
          m->p##_arprot = 0;                  \
          m->p##_rready = a.rready;           \
        }                                     \
  }

// ---- Environment --------------------------------------------------------------------------------

// One memory behind all ports; bytes never written are 0.
class Memory {
 public:
  uint8_t& operator[](uint64_t address) {
    return pages_[address >> 12].resize(4096), pages_[address >> 12][address & 4095];
  }

 private:
  std::map<uint64_t, std::vector<uint8_t>> pages_;
};

class MemoryModel {
 public:
  MemoryModel(MemoryPort port, Memory* memory) : port_(std::move(port)), memory_(memory) {}

  void Sample(uint64_t cycle) {
    port_.sample(pins_);
    if (pins_.arvalid && pins_.arready) {
      Check(pins_.araddr, pins_.arlen, pins_.arsize);
      for (unsigned k = 0; k <= pins_.arlen; ++k)
        reads_.push_back({Beat(pins_.araddr, k), pins_.arid, k == pins_.arlen, cycle + latency});
    }
    if (pins_.rvalid && pins_.rready) reads_.pop_front();
    if (pins_.awvalid && pins_.awready) {
      Check(pins_.awaddr, pins_.awlen, pins_.awsize);
      for (unsigned k = 0; k <= pins_.awlen; ++k)
        writes_.push_back({Beat(pins_.awaddr, k), pins_.awid, k == pins_.awlen, cycle});
    }
    if (pins_.wvalid && pins_.wready) data_.push_back(pins_);
    while (!data_.empty() && !writes_.empty()) {
      const Item item = writes_.front();
      const MemoryPins& beat = data_.front();
      if (beat.wlast != item.last) throw std::runtime_error("WLAST is not at the end of a burst");
      for (unsigned lane = 0; lane < port_.bytes; ++lane) {
        if (beat.wstrb[lane / 8] >> (lane % 8) & 1)
          (*memory_)[item.address + lane] = beat.wdata[lane];
      }
      if (item.last) answers_.push_back({0, item.id, true, cycle + latency});
      data_.pop_front();
      writes_.pop_front();
    }
    if (pins_.bvalid && pins_.bready) answers_.pop_front();
  }
  // What is offered stays: `pause` holds back addresses and write data alone.
  void Drive(uint64_t cycle, bool pause) {
    pins_.arready = !pause && reads_.size() < 4096;
    pins_.awready = !pause;
    pins_.wready = !pause && data_.size() < 512;
    pins_.rvalid = !reads_.empty() && reads_.front().cycle <= cycle;
    if (pins_.rvalid) {
      const Item& item = reads_.front();
      for (unsigned lane = 0; lane < port_.bytes; ++lane)
        pins_.rdata[lane] = (*memory_)[item.address + lane];
      pins_.rid = item.id;
      pins_.rlast = item.last;
    }
    pins_.bvalid = !answers_.empty() && answers_.front().cycle <= cycle;
    if (pins_.bvalid) pins_.bid = answers_.front().id;
    port_.drive(pins_);
  }
  uint64_t latency = 20;

 private:
  struct Item {
    uint64_t address;
    uint32_t id;
    bool last;
    uint64_t cycle;
  };

  uint64_t Beat(uint64_t address, unsigned k) const {
    return (address & ~uint64_t{port_.bytes - 1}) + uint64_t{k} * port_.bytes;
  }
  void Check(uint64_t address, uint32_t length, uint32_t size) const {
    const uint64_t last = Beat(address, length) + port_.bytes - 1;
    if (address >> 12 != last >> 12) throw std::runtime_error("a burst crosses 4 KiB");
    if (1u << size != port_.bytes) throw std::runtime_error("a burst is narrower than its port");
  }

  MemoryPort port_;
  Memory* memory_;
  MemoryPins pins_;
  std::deque<Item> reads_, writes_, answers_;
  std::deque<MemoryPins> data_;
};

// Takes what leaves the model; ends of packets are places in `bytes`.
class Sink {
 public:
  explicit Sink(StreamPort port) : port_(std::move(port)) {}
  void Sample() {
    if (port_.edge && !port_.edge()) return;
    port_.sample(pins_);
    if (!pins_.valid || !pins_.ready) return;
    for (unsigned lane = 0; lane < port_.bytes; ++lane) {
      if (pins_.keep[lane / 8] >> (lane % 8) & 1) bytes.push_back(pins_.data[lane]);
    }
    sides.push_back(pins_.side);
    if (pins_.last) ends.push_back(bytes.size());
  }
  void Drive(bool pause) {
    if (port_.edge && !port_.edge()) return;
    pins_.ready = !pause;
    port_.drive(pins_);
  }
  std::vector<uint8_t> bytes;
  std::vector<size_t> ends;
  std::vector<uint32_t> sides;  // of each beat

 private:
  StreamPort port_;
  StreamPins pins_;
};

// Sends packets into the model.
class Source {
 public:
  explicit Source(StreamPort port) : port_(std::move(port)) {}
  void Push(const std::vector<uint8_t>& packet, uint32_t side = 0) {
    for (size_t at = 0; at < packet.size(); at += port_.bytes) {
      StreamPins beat;
      beat.side = side;
      for (size_t lane = 0; lane < port_.bytes && at + lane < packet.size(); ++lane) {
        beat.data[lane] = packet[at + lane];
        beat.keep[lane / 8] = static_cast<uint8_t>(beat.keep[lane / 8] | 1u << (lane % 8));
      }
      beat.last = at + port_.bytes >= packet.size();
      beats_.push_back(beat);
    }
  }
  void Sample() {
    if (port_.edge && !port_.edge()) return;
    port_.sample(pins_);
    if (pins_.valid && pins_.ready) {
      beats_.pop_front();
      pins_.valid = false;
    }
  }
  void Drive(bool pause) {
    if (port_.edge && !port_.edge()) return;
    if (!pins_.valid && !beats_.empty() && !pause) {
      pins_ = beats_.front();
      pins_.valid = true;
    }
    port_.drive(pins_);
  }
  bool empty() const { return beats_.empty(); }

 private:
  StreamPort port_;
  StreamPins pins_;
  std::deque<StreamPins> beats_;
};

// ---- Bench --------------------------------------------------------------------------------------

class Bench {
 public:
  // `settle` evaluates the model; `edge` toggles the clock up and down and evaluates it.
  std::function<void()> settle, edge;
  std::function<void(bool)> reset;  // true: in reset
  RegisterPort registers;
  ProcessorPort processor;  // empty without an on-chip buffer
  Memory memory;
  std::vector<MemoryModel> ports;
  std::vector<Sink> sinks;
  std::vector<Source> sources;
  uint64_t cycle = 0;

  void AddMemory(MemoryPort port) { ports.emplace_back(std::move(port), &memory); }
  void AddSink(StreamPort port) { sinks.emplace_back(std::move(port)); }
  void AddSource(StreamPort port) { sources.emplace_back(std::move(port)); }

  void Step() {
    settle();
    for (MemoryModel& port : ports) port.Sample(cycle);
    for (Sink& sink : sinks) sink.Sample();
    for (Source& source : sources) source.Sample();
    registers.sample(pins_);
    if (processor.sample) processor.sample(processor_pins_);
    edge();
    ++cycle;
    for (MemoryModel& port : ports) port.Drive(cycle, Pause());
    for (Sink& sink : sinks) sink.Drive(Pause());
    for (Source& source : sources) source.Drive(Pause());
  }
  void Reset() {
    reset(true);
    pins_ = RegisterPins();
    registers.drive(pins_);
    if (processor.drive) processor.drive(processor_pins_ = MemoryPins());
    for (int n = 0; n < 16; ++n) Step();
    reset(false);
    for (int n = 0; n < 16; ++n) Step();
  }
  // The answer is kept in `response`: 0 OKAY, 2 SLVERR.
  uint32_t Read32(uint32_t address) {
    pins_.araddr = address;
    pins_.arvalid = pins_.rready = true;
    registers.drive(pins_);
    Until([&] { return pins_.arready; }, "the register port takes no address");
    pins_.arvalid = false;
    registers.drive(pins_);
    // The answer may have come with the address already.
    if (!pins_.rvalid)
      Until([&] { return pins_.rvalid; }, "the register port does not answer a read");
    response = pins_.rresp;
    const uint32_t data = pins_.rdata;
    pins_.rready = false;
    registers.drive(pins_);
    return data;
  }
  void Write32(uint32_t address, uint32_t data) {
    pins_.awaddr = address;
    pins_.wdata = data;
    pins_.awvalid = pins_.wvalid = pins_.bready = true;
    registers.drive(pins_);
    bool answered = false;
    Until(
        [&] {
          answered |= pins_.bvalid;
          if (pins_.bvalid) response = pins_.bresp;
          if (pins_.awvalid && pins_.awready) pins_.awvalid = false, registers.drive(pins_);
          if (pins_.wvalid && pins_.wready) pins_.wvalid = false, registers.drive(pins_);
          return answered && !pins_.awvalid && !pins_.wvalid;
        },
        "the register port does not answer a write");
    pins_.bready = false;
    registers.drive(pins_);
  }
  // Bytes of the on-chip buffer, by bursts of every size.
  void WriteBuffer(uint64_t address, const std::vector<uint8_t>& bytes) {
    MemoryPins& a = processor_pins_;
    for (size_t done = 0; done < bytes.size();) {
      const Burst burst = NextBurst(address + done, bytes.size() - done);
      a.awaddr = burst.address;
      a.awlen = burst.beats - 1;
      a.awsize = burst.size;
      a.awid = ++id_ & 0xffff;
      a.awvalid = a.bready = true;
      for (unsigned beat = 0; beat < burst.beats; ++beat) {
        const uint64_t at = burst.address + (uint64_t{beat} << burst.size);
        std::memset(a.wstrb, 0, sizeof a.wstrb);
        for (uint64_t place = at; place < at + (1u << burst.size); ++place, ++done) {
          const uint64_t lane = place % processor.bytes;
          a.wdata[lane] = bytes[done];
          a.wstrb[lane / 8] = static_cast<uint8_t>(a.wstrb[lane / 8] | 1u << (lane % 8));
        }
        a.wvalid = true;
        a.wlast = beat + 1 == burst.beats;
        processor.drive(a);
        Until(
            [&] {
              if (a.awvalid && a.awready) a.awvalid = false;
              if (a.wvalid && a.wready) a.wvalid = false;
              processor.drive(a);
              return !a.wvalid && (!a.wlast || !a.awvalid);
            },
            "the on-chip buffer takes no data of a processor");
      }
      if (!a.bvalid) Until([&] { return a.bvalid; }, "the on-chip buffer does not answer a write");
      Answered(a.bid, a.bresp);
      a.bready = false;
      processor.drive(a);
    }
  }
  std::vector<uint8_t> ReadBuffer(uint64_t address, size_t count) {
    MemoryPins& a = processor_pins_;
    std::vector<uint8_t> bytes;
    while (bytes.size() < count) {
      const Burst burst = NextBurst(address + bytes.size(), count - bytes.size());
      a.araddr = burst.address;
      a.arlen = burst.beats - 1;
      a.arsize = burst.size;
      a.arid = ++id_ & 0xffff;
      a.arvalid = a.rready = true;
      processor.drive(a);
      unsigned beats = 0;
      Until(
          [&] {
            if (a.arvalid && a.arready) a.arvalid = false;
            if (a.rvalid) {
              const uint64_t at = burst.address + (uint64_t{beats} << burst.size);
              for (uint64_t place = at; place < at + (1u << burst.size); ++place)
                bytes.push_back(a.rdata[place % processor.bytes]);
              Answered(a.rid, a.rresp);
              if (a.rlast != (++beats == burst.beats))
                throw std::runtime_error("RLAST of the on-chip buffer is at a wrong place");
            }
            a.rready = beats < burst.beats;
            processor.drive(a);
            return beats == burst.beats;
          },
          "the on-chip buffer does not answer a read");
    }
    return bytes;
  }
  template <typename Done>
  void Until(Done done, const char* why, uint64_t most = 100000) {
    for (uint64_t n = 0; n < most; ++n) {
      Step();
      if (done()) return;
    }
    throw std::runtime_error(std::string(why) + " within " + std::to_string(most) + " cycles");
  }
  uint32_t response = 0;
  unsigned pause_percent = 20;

 private:
  struct Burst {
    uint64_t address;
    unsigned size, beats;  // log2 of the bytes of a beat
  };
  // Sizes take turns; all beats are whole.
  Burst NextBurst(uint64_t address, uint64_t most) {
    unsigned size = turn_++ % 8;
    while (1u << size > processor.bytes || address % (1u << size) != 0 || 1u << size > most) --size;
    const uint64_t room = std::min(most, 4096 - address % 4096) >> size;
    return {address, size, static_cast<unsigned>(std::min<uint64_t>(room, 1 + turn_ % 16))};
  }
  void Answered(uint32_t id, uint32_t status) {
    if (id != (id_ & 0xffff))
      throw std::runtime_error("the on-chip buffer answers with another ID");
    if (status != 0) throw std::runtime_error("the on-chip buffer answers an access with an error");
  }
  bool Pause() {
    noise_ ^= noise_ << 13;
    noise_ ^= noise_ >> 7;
    noise_ ^= noise_ << 17;
    return noise_ % 100 < pause_percent;
  }

  RegisterPins pins_;
  MemoryPins processor_pins_;
  unsigned turn_ = 0;
  uint32_t id_ = 0;
  uint64_t noise_ = 0x9e3779b97f4a7c15u;
};

}  // namespace tessera_bench
