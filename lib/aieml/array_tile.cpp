// See array_tile.h.
#include "lib/aieml/array_tile.h"

#include <algorithm>
#include <bit>

#include "lib/aieml/dma_layout.h"
#include "lib/aieml/dma_model.h"

namespace tessera::aieml {

TileMemory::TileMemory(TileKind kind, HostMemory* host)
    : kind_(kind),
      host_(host),
      words_(kind == TileKind::kMemory    ? 0x20000
             : kind == TileKind::kCompute ? 0x4000
                                          : 0) {}

uint32_t* TileMemory::Find(uint64_t address) {
  TileMemory* memory = this;
  if (kind_ == TileKind::kMemory) {
    const uint64_t window = address >> 19;
    memory = window == 0   ? (reach_west_ ? west_ : nullptr)
             : window == 1 ? this
             : window == 2 ? (reach_east_ ? east_ : nullptr)
                           : nullptr;
    address &= 0x7ffff;
  }
  if (memory == nullptr || address / 4 >= memory->words_.size()) return nullptr;
  return &memory->words_[address / 4];
}

bool TileMemory::Read(uint64_t address, uint32_t* word) {
  if (kind_ == TileKind::kShim) return host_->Read(address, word);
  const uint32_t* at = Find(address);
  if (at != nullptr) *word = *at;
  return at != nullptr;
}

bool TileMemory::Write(uint64_t address, uint32_t word) {
  if (kind_ == TileKind::kShim) return host_->Write(address, word);
  uint32_t* at = Find(address);
  if (at != nullptr) *at = word;
  return at != nullptr;
}

Outside::Outside(HostMemory* host) : memory(TileKind::kMemory, host) {
  DmaPorts ports;
  ports.kind = TileKind::kMemory;
  dma = std::make_unique<DmaModel>(ports);
}

// ---- Kernels

uint32_t KernelRunner::Offset() const {
  const bool in = state_ == State::kTakeIn || state_ == State::kGiveIn;
  const bool take = state_ == State::kTakeIn || state_ == State::kTakeOut;
  const KernelBuffers& buffers = in ? kernel_.in : kernel_.out;
  const uint32_t lock = take ? buffers.take_lock : buffers.give_lock;
  return 0x40000 + (lock << 10) + (take ? 0x200u + (0x7f << 2) : 1u << 2);
}

void KernelRunner::Clock(ArrayTile& tile) {
  if (!request_.done) {
    if (!request_.queued) {
      request_.access = {Offset(), false, 0};
      tile.Ask(&request_);
    }
    return;
  }
  const bool granted = (request_.value & 1) != 0;
  request_ = {};
  if (!granted) {
    ++failed_;
    return;
  }
  failed_ = 0;
  ++granted_;
  switch (state_) {
    case State::kTakeIn:
      state_ = State::kTakeOut;
      break;
    case State::kTakeOut:
      Compute(tile);
      state_ = State::kGiveIn;
      break;
    case State::kGiveIn:
      state_ = State::kGiveOut;
      break;
    case State::kGiveOut:
      state_ = State::kTakeIn;
      break;
  }
}

void KernelRunner::Compute(ArrayTile& tile) {
  std::vector<uint32_t>& words = tile.memory.words();
  const uint32_t in = kernel_.in.addresses[in_] / 4, out = kernel_.out.addresses[out_] / 4;
  const std::vector<uint32_t> taken(words.begin() + in, words.begin() + in + kernel_.in.words);
  kernel_.function(taken, std::span(words).subspan(out, kernel_.out.words));
  in_ = (in_ + 1) % kernel_.in.addresses.size();
  out_ = (out_ + 1) % kernel_.out.addresses.size();
}

// ---- Control packets

void ControlPackets::Clock(ArrayTile& tile) {
  if (!response_.empty() && out_->CanPush()) {
    out_->Push(response_.front());
    response_.pop_front();
  }
  if (request_.queued) {
    if (!request_.done) return;
    if (operation_ == 1) response_.push_back({request_.value, left_ == 1});
    request_ = {};
    --left_;
    address_ += 4;  // the words of a read, of a write with increment and of a block
  }
  if (left_ != 0 && operation_ == 1) {
    request_.access = {address_, false, 0};
    tile.Ask(&request_);
    return;
  }
  if (in_->Empty()) return;
  const Word word = in_->Pop();
  if (skip_) {  // the rest of a packet that was not understood
    skip_ = !word.last;
    return;
  }
  if (left_ == 0) {
    address_ = word.data & 0xfffff;
    left_ = (word.data >> 20 & 3) + 1;
    operation_ = word.data >> 22 & 3;
    stream_ = word.data >> 24 & 31;
    if (std::popcount(word.data) % 2 == 0) {
      errors |= 2;
      left_ = 0;
      skip_ = !word.last;
      return;
    }
    if (operation_ == 1) {
      const bool checked = tile.controls.checks_last();
      if (!word.last && checked) errors |= 8;
      skip_ = !word.last && checked;
      response_.push_back({PacketHeader(stream_, 0, 0, tile.column, tile.row), false});
    } else if (word.last && tile.controls.checks_last()) {  // data were to follow
      errors |= 8;
      left_ = 0;
    }
    return;
  }
  if (word.last != (left_ == 1) && tile.controls.checks_last()) {
    errors |= 8;
    left_ = word.last ? 1 : left_;
    skip_ = !word.last && left_ == 1;
  }
  request_.access = {address_, true, word.data};
  tile.Ask(&request_);
}

// ---- The tile

ArrayTile::ArrayTile(Array* array, TileKind tile_kind, uint32_t tile_column, uint32_t tile_row)
    : kind(tile_kind),
      column(tile_column),
      row(tile_row),
      memory(tile_kind, &array->host()),
      streams(tile_kind),
      controls(tile_kind),
      tokens(array->NewLink()),
      control_in(array->NewLink()),
      control_out(array->NewLink()),
      array_(array),
      control_(control_in, control_out) {
  const uint32_t channels = kind == TileKind::kMemory ? 6 : 2;
  for (uint32_t n = 0; n < channels; ++n) {
    to_memory.push_back(array->NewLink());
    to_stream.push_back(array->NewLink());
  }
  if (kind == TileKind::kShim) events_.emplace_back(Module::kShim);
  if (kind == TileKind::kMemory) events_.emplace_back(Module::kMemoryTile);
  if (kind == TileKind::kCompute) {
    events_.emplace_back(Module::kMemory);
    events_.emplace_back(Module::kCore);
  }
  routed_in.assign(channels, false);
  routed_out.assign(channels, false);
}

void ArrayTile::Ask(Request* request) {
  request->queued = true;
  requests_.push_back(request);
}

bool ArrayTile::Quiet() const {
  for (const KernelRunner& kernel : kernels) {
    if (!kernel.Quiet()) return false;
  }
  return dma->Quiet() && control_.Quiet();
}

uint64_t ArrayTile::changes() const {
  uint64_t all = dma->changes();
  for (const KernelRunner& kernel : kernels) all += kernel.changes();
  return all;
}

void ArrayTile::Clock() {
  Obey();
  if (kind == TileKind::kShim) ConnectShim();
  ClockRequest();
  dma->Clock();
  control_.Clock(*this);
  const TileControl& shim = array_->At(column, 0).controls;
  const bool runs = kind == TileKind::kShim || (shim.column_runs() && !shim.column_in_reset());
  for (KernelRunner& kernel : kernels) {
    if (runs) kernel.Clock(*this);
  }
  ClockTokens();
  if (runs && controls.switch_runs()) streams.Clock();
  ClockEvents();
}

// A column stops and is reset by the registers of its shim, which itself goes on.
void ArrayTile::Obey() {
  const TileControl& shim = array_->At(column, 0).controls;
  const bool in_column = kind != TileKind::kShim;
  const bool column_resets = in_column && shim.column_in_reset();
  const uint32_t isolated = controls.isolated();
  const bool west = (isolated & 2) == 0, east = (isolated & 8) == 0;
  dma->Hold({controls.dma_runs() && (!in_column || shim.column_runs()),
             controls.dma_in_reset() || column_resets, west, east});
  memory.Reach(west, east);
  streams.Isolate(isolated);
  if (controls.switch_in_reset() || column_resets) streams.Reset();
  if (controls.TakeZero()) std::fill(memory.words().begin(), memory.words().end(), 0);
}

// The multiplexers of a shim connect its channels to south ports, or something else.
void ArrayTile::ConnectShim() {
  const auto slave = [&](uint32_t port, uint32_t low, uint32_t channel) {
    const bool dma_side = (mux_ >> low & 3) == 1 && !routed_out[channel];
    streams.ConnectSlave(*streams.Slave(PortKind::kSouth, port),
                         dma_side ? to_stream[channel] : nullptr);
  };
  const auto master = [&](uint32_t port, uint32_t low, uint32_t channel) {
    const bool dma_side = (demux_ >> low & 3) == 1 && !routed_in[channel];
    streams.ConnectMaster(*streams.Master(PortKind::kSouth, port),
                          dma_side ? to_memory[channel] : south_out[port]);
  };
  slave(3, 10, 0);
  slave(7, 14, 1);
  master(2, 4, 0);
  master(3, 6, 1);
}

void ArrayTile::ClockRequest() {
  if (requests_.empty()) return;
  Request* request = requests_.front();
  if (posted_) {
    const auto answer = dma->Answer();
    if (!answer) return;
    request->value = *answer;
    posted_ = false;
  } else if (!Execute(request)) {
    posted_ = dma->Post(request->access);
    return;
  }
  request->done = true;
  requests_.pop_front();
}

bool ArrayTile::Execute(Request* request) {
  const Access& access = request->access;
  const uint32_t offset = access.offset & ~3u;
  const auto found = Find(kind, offset);
  const Home home = found ? found->entry->home : Home::kRemembered;
  const bool clears = found && found->entry->name == "Control_Packet_Handler_Status";
  uint32_t* word = nullptr;
  if (home == Home::kDma) return false;
  if (home == Home::kMemory) {
    word = &memory.words()[offset / 4];
  } else if (home == Home::kSwitch && offset == 0x1f000) {
    word = &mux_;
  } else if (home == Home::kSwitch && offset == 0x1f004) {
    word = &demux_;
  } else if (home == Home::kEvents) {
    return ExecuteEvents(request);
  } else if (home == Home::kSwitch) {
    if (access.write) {
      streams.Write(offset, access.value);
    } else {
      streams.Read(offset, &request->value);
    }
    return true;
  } else if (home == Home::kControl && !clears) {
    return access.write ? controls.Write(offset, access.value)
                        : controls.Read(offset, &request->value);
  } else if (clears) {
    request->value = control_.errors;
    if (access.write) control_.errors &= ~access.value;
    return true;
  } else if (!access.write) {
    const auto kept = remembered.find(offset);
    request->value = kept == remembered.end() ? 0 : kept->second;
    return true;
  } else {
    word = &remembered[offset];
  }
  if (access.write) {
    *word = access.value;
  } else {
    request->value = *word;
  }
  return true;
}

// Tokens go through the switch if its control port is on, else straight to whoever waits.
void ArrayTile::ClockTokens() {
  if (tokens->Empty()) return;
  if (!streams.SlaveEnabled(*streams.Slave(PortKind::kControl, 0))) {
    array_->Deliver(*this, tokens->Pop().data);
  } else if (control_out->CanPush() && control_.Quiet()) {
    control_out->Push(tokens->Pop());
  }
}

// ---- Events

void PortMonitor::Clock(const StreamSwitch& streams, uint32_t first, EventSet* pulses,
                        EventSet* levels) {
  for (uint32_t n = 0; n < 8; ++n) {
    const uint32_t select = select_[n / 4] >> 8 * (n % 4);
    const bool master = (select >> 5 & 1) != 0;
    const Link* link = master ? streams.MasterLink(select & 31) : streams.SlaveLink(select & 31);
    if (link == nullptr) continue;
    const size_t moves = master ? link->pushes() : link->pops();
    const bool moved = seen_[n].link == link && seen_[n].moves != moves;
    seen_[n] = {link, moves};
    const uint32_t idle = first + 4 * n;  // then running, stalled, TLAST
    if (moved) {
      pulses->set(idle + 1);
      if ((master ? link->LastPushed() : link->LastPopped()).last) pulses->set(idle + 3);
    } else {
      levels->set((master ? !link->CanPush() : !link->Empty()) ? idle + 2 : idle);
    }
  }
}

bool ArrayTile::Watched() const {
  return ports_.watches() ||
         std::any_of(events_.begin(), events_.end(), [](const Events& e) { return e.Armed(); });
}

uint64_t ArrayTile::Steady() const {
  uint64_t cycles = ~uint64_t{0};
  for (const Events& unit : events_) cycles = std::min(cycles, unit.Steady(array_->cycles()));
  return cycles;
}

void ArrayTile::Skip(uint64_t cycles) {
  for (Events& unit : events_) unit.Skip(cycles);
}

bool ArrayTile::ExecuteEvents(Request* request) {
  const Access& access = request->access;
  for (Events& unit : events_) {
    const uint64_t now = array_->cycles();
    if (access.write ? unit.Write(access.offset, now, access.value)
                     : unit.Read(access.offset, now, &request->value)) {
      return true;
    }
  }
  const bool ports = (access.offset & 0xfff) >= 0xf00;
  uint32_t* word = ports ? ports_.Register(access.offset >> 2 & 1) : &event_channels_;
  if (access.write) {
    *word = access.value;
    if (ports) ports_.Select();
  }
  request->value = *word;
  return true;
}

void ArrayTile::ClockEvents() {
  const DmaActivity a = dma->activity();
  const bool control_error = (control_.errors & ~control_errors_) != 0;
  control_errors_ = control_.errors;
  if (a == DmaActivity{} && !control_error && !Watched()) return;
  // The four channels of the events, as bits of DmaActivity.
  const uint32_t select = event_channels_;
  const bool memory = kind == TileKind::kMemory;
  const uint32_t bits[] = {memory ? select & 7 : 0, memory ? select >> 8 & 7 : 1,
                           8 + (memory ? select >> 16 & 7 : 0),
                           8 + (memory ? select >> 24 & 7 : 1)};
  for (Events& unit : events_) {
    const EventNumbers& at = EventsOf(unit.module());
    EventSet pulses, levels;
    const auto channels = [&](EventSet* set, uint32_t first, uint32_t of) {
      for (uint32_t n = 0; n < 4; ++n) {
        if (first != 0 && (of >> bits[n] & 1) != 0) set->set(first + n);
      }
    };
    const auto one = [](EventSet* set, uint32_t number, bool is) {
      if (number != 0 && is) set->set(number);
    };
    channels(&pulses, at.started, a.started);
    channels(&pulses, at.descriptor, a.descriptor);
    channels(&pulses, at.task, a.task);
    channels(&levels, at.lock, a.lock);
    channels(&levels, at.stream, a.stream);
    channels(&levels, at.memory, a.memory);
    for (uint32_t n = 0; n < at.errors; ++n) {
      const uint32_t mask = at.errors == 1 ? 0xff : 1u << n;
      one(&pulses, at.s2mm_error + n, (a.error & mask) != 0);
      one(&pulses, at.mm2s_error + n, (a.error >> 8 & mask) != 0);
    }
    one(&pulses, at.lock_error, a.lock_error);
    one(&levels, at.token_stall, a.token_stall);
    one(&pulses, at.control_error, control_error);
    if (at.ports != 0 && ports_.watches()) ports_.Clock(streams, at.ports, &pulses, &levels);
    unit.Clock(array_->cycles(), pulses, levels);
  }
}

}  // namespace tessera::aieml
