// The driver on a bench: from descriptions of the harness to its calls, and what it says compared.
#include "tb/dma/software.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

#include "sw/driver/tessera/text.hpp"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr uint32_t kPlace = native::kListPitch;

// A place of a list, as the driver writes it.
struct alignas(64) Place {
  std::array<uint8_t, kPlace> bytes{};
};

// What the transfers of one task came to.
struct Sum {
  uint64_t bytes = 0;
  uint32_t tag = 0;
  uint8_t status = 0;
  bool last = false;
};

// The record as it stands in the registers.
native::Record Peek(DmaBench* bench, uint32_t at) {
  native::Record r;
  r.word = bench->Get(at + native::kRecord);
  r.done.bytes = bench->Get64(at + native::kRecordBytes);
  r.done.dropped = bench->Get64(at + native::kRecordDropped);
  r.tag = bench->Get(at + native::kRecordTag);
  r.side = bench->Get(at + native::kRecordSide);
  r.stamp = bench->Get(at + native::kRecordStamp);
  r.done.addr = bench->Get64(at + native::kRecordAddr);
  r.done.last = r.fields().last() != 0;
  r.done.status = static_cast<uint8_t>(r.fields().status());
  return r;
}

bool Same(const driver::Record& a, const native::Record& b) {
  return a.bytes == b.done.bytes && a.dropped == b.done.dropped && a.address == b.done.addr &&
         a.tag == b.tag && a.stamp == b.stamp && a.side == b.side &&
         a.descriptor == b.descriptor() && a.status == b.done.status && a.last == b.done.last &&
         a.task_end == b.task_end();
}

}  // namespace

driver::Descriptor Built(const native::Descriptor& n, const driver::Capabilities& build) {
  if (n.transfer.offset != 0)
    throw std::invalid_argument("offset: a descriptor has an iteration instead");
  const model::Transfer& t = n.transfer;
  driver::Descriptor d;
  d.Base(t.base).Element(static_cast<uint32_t>(std::countr_zero(static_cast<uint32_t>(t.elem))));
  for (uint32_t i = 0; i < driver::kDims; ++i) {
    d.Dim(i, t.count[i], t.stride[i]);
    if (t.start[i] != 0) d.Start(i, t.start[i]);
    if (t.bound[i]) d.Bound(i, *t.bound[i]);
  }
  d.Fill(t.fill);
  for (uint32_t k = 0; t.has_walk() && k < driver::kWalkLevels; ++k) {
    const model::WalkLevel level = t.walk[k].value_or(model::WalkLevel{});
    d.Walk(k, static_cast<uint32_t>(level.dim), level.step, level.count);
  }
  if (t.length) d.Length(*t.length);
  if (n.iteration_size > 0) {
    d.Iteration(static_cast<uint32_t>(n.iteration_size), n.iteration_step);
  }
  if (n.acquire) d.Acquire(static_cast<uint32_t>(n.acquire->id), n.acquire->value);
  if (n.release.value != 0) {
    d.Release(static_cast<uint32_t>(n.release.id), n.release.value);
  }
  if (n.next) d.Next(static_cast<uint32_t>(*n.next));
  d.Side(static_cast<uint8_t>(n.side), static_cast<uint8_t>(n.side >> 8),
         static_cast<uint16_t>(n.side >> 16));
  d.Last(static_cast<driver::LastRule>(t.last_rule), static_cast<uint32_t>(t.last_level));
  if (t.join_next) d.Join();
  if (t.finish == model::Finish::kLast) d.FinishOnLast();
  if (n.interrupt) d.Interrupt();
  if (n.no_record) d.NoRecord();
  if (n.header) d.Packet(n.header->id, n.header->kind, n.header->bd);
  Software::Must(d.Check(build), "Descriptor::Check");
  return d;
}

struct Software::Line {
  Line(const driver::Device<BenchBus>& device, Direction way, int n)
      : direction(way),
        number(n),
        at(native::Channel(way, n)),
        channel(device, DriverWay(way), static_cast<uint32_t>(n)),
        array(channel) {}
  std::string Name() const {
    return fmt::format("{} channel {}", direction == Direction::kRead ? "read" : "write", number);
  }

  Direction direction;
  int number;
  uint32_t at;  // its first register
  Channel channel;
  driver::DescriptorArray<Channel, kPlace> array;
  std::vector<Place> places;
  bool by_register = false, takes = false;
  std::deque<native::Record> records;  // that the driver has removed
  std::deque<uint32_t> tickets;        // of tasks that were pushed
  Sum sum;                             // of the task that is not done
  std::deque<Sum> ends;                // of those that are
};

Software::Software(DmaBench* bench)
    : bench_(*bench), bus_(bench), device_(bus_), service_(device_) {
  Must(device_.Open(), "Device::Open");
  const DmaConfig& config = bench->config();
  for (int c = 0; c < config.channels(); ++c) {
    const bool read = c < config.reads;
    Line& line = *lines_.emplace_back(std::make_unique<Line>(
        device_, read ? Direction::kRead : Direction::kWrite, read ? c : c - config.reads));
    Must(line.channel.Open(), "Channel::Open of " + line.Name());
    Must(service_.Add(line.channel), "ServiceRoutine::Add");
    if (config.windows == 0) continue;
    const uint64_t end = ~uint64_t{0} >> (64 - config.channel.addr_width);
    SetWindow(line.direction, line.number, 0, end & ~uint64_t{0xfff});
  }
  bus_.before_write = [this](uint32_t offset) { Look(offset); };
}

Software::~Software() = default;

Software::Line& Software::Of(Direction direction, int number) {
  const int c = direction == Direction::kRead ? number : bench_.config().reads + number;
  return *lines_.at(static_cast<size_t>(c));
}

Software::Channel& Software::channel(Direction direction, int number) {
  return Of(direction, number).channel;
}

void Software::Must(const driver::Status& status, const std::string& what) {
  if (status.ok()) return;
  throw std::runtime_error(fmt::format("the driver refuses {}: {} ({})", what,
                                       driver::Text(status.reason()), status.index()));
}

void Software::SetLock(int number, int value) {
  Must(lock(number).Set(static_cast<uint32_t>(value)), "Lock::Set");
}

int Software::LockValue(int number) {
  const driver::Result<uint32_t> value = lock(number).Value();
  Must(value.status, "Lock::Value");
  return static_cast<int>(value.value);
}

void Software::SetWindow(Direction direction, int number, uint64_t first, uint64_t last) {
  Must(driver::SetWindow(device_, DriverWay(direction), static_cast<uint32_t>(number), 0,
                         {.first = first, .last = last, .read = true, .write = true}),
       "SetWindow");
}

void Software::SetWindows(Direction direction, int number,
                          std::span<const std::pair<uint64_t, uint64_t>> pages) {
  for (size_t n = 0; n < static_cast<size_t>(bench_.config().windows); ++n) {
    driver::Window window;
    if (n < pages.size()) {
      window = {.first = pages[n].first, .last = pages[n].second, .read = true, .write = true};
    }
    Must(driver::SetWindow(device_, DriverWay(direction), static_cast<uint32_t>(number),
                           static_cast<uint32_t>(n), window),
         "SetWindow");
  }
}

void Software::Write(int number, const native::Descriptor& descriptor) {
  driver::WriteDescriptor(device_, static_cast<uint32_t>(number),
                          Built(descriptor, device_.build()));
}

void Software::SetArray(Direction direction, int number, uint64_t address,
                        std::span<const native::Descriptor> list) {
  Line& line = Of(direction, number);
  if (line.by_register) {
    native::Load(&bench_.memory(), address, list);
    bench_.Set64(line.at + native::kListBase, address);
    bench_.Set(line.at + native::kListCount, static_cast<uint32_t>(list.size()));
    bench_.Set(line.at + native::kListControl, (kPlace / 64 - 1) << 4);
    return;
  }
  std::vector<driver::Descriptor> built;
  for (const native::Descriptor& d : list) built.push_back(Built(d, device_.build()));
  line.places.assign(list.size(), Place{});
  for (Place& place : line.places) place.bytes.fill(0xa5);
  Must(line.array.Configure(line.places.data(), address, built.data(),
                            static_cast<uint32_t>(built.size())),
       "DescriptorArray::Configure of " + line.Name());
  for (size_t n = 0; n < line.places.size(); ++n) {
    bench_.memory().Load(address + n * sizeof(Place), line.places[n].bytes);
  }
}

void Software::PushByRegister(Direction direction, int number) {
  Of(direction, number).by_register = true;
}

bool Software::HasRoom(Direction direction, int number) {
  const Line& line = Of(direction, number);
  if (line.by_register)
    return registers::channel::Status{bench_.Get(line.at + native::kStatus)}.room() != 0;
  return line.channel.outstanding() < 1U << device_.build().task_log2;
}

bool Software::Push(Direction direction, int number, const native::Task& task, uint32_t tag) {
  Line& line = Of(direction, number);
  if (line.by_register) {
    if (!HasRoom(direction, number)) return false;
    bus_.write32(line.at + native::kTag, tag);
    bus_.write32(line.at + native::kTask, task.Word());
    return true;
  }
  Settle(&line);  // makes room for its ticket
  const driver::TaskOptions options{.repeats = static_cast<uint32_t>(task.repeats),
                                    .endless = task.endless,
                                    .token = task.token,
                                    .trigger = task.trigger,
                                    .paced = task.paced};
  const driver::Result<uint32_t> ticket =
      task.from_list ? line.array.Start(options, tag)
                     : line.channel.Push(static_cast<uint32_t>(task.start), options, tag);
  const driver::Reason reason = ticket.status.reason();
  if (reason == driver::Reason::queue_full || reason == driver::Reason::no_ticket ||
      reason == driver::Reason::channel_faulted) {
    return false;
  }
  Must(ticket.status, "a task of " + line.Name());
  line.tickets.push_back(ticket.value);
  return true;
}

// Before the driver removes a record it is noted.
void Software::Look(uint32_t offset) {
  if (offset < 0x1000 || offset >= 0x3000 || offset % 0x100 != native::kRecordPop) return;
  Line& line = Of(offset < 0x2000 ? Direction::kRead : Direction::kWrite,
                  static_cast<int>(offset / 0x100 % 0x10));
  const native::Record& r = line.records.emplace_back(Peek(&bench_, line.at));
  line.sum.bytes += r.done.bytes;
  line.sum.status |= r.done.status;
  if (!r.task_end()) return;
  line.sum.tag = r.tag;
  line.sum.last = r.done.last;
  line.ends.push_back(line.sum);
  line.sum = {};
}

// What the driver says of the tasks that are done.
void Software::Settle(Line* line) {
  while (!line->tickets.empty() && line->channel.IsFinished(line->tickets.front())) {
    const uint32_t ticket = line->tickets.front();
    line->tickets.pop_front();
    const driver::Completion done = line->channel.Collect(ticket).value;
    if (done.lost) {
      line->sum = {};
      continue;
    }
    if (line->ends.empty()) {
      throw std::runtime_error(line->Name() + ": the driver ends a task that has not ended");
    }
    const Sum sum = line->ends.front();
    line->ends.pop_front();
    if (done.bytes == sum.bytes && done.tag == sum.tag && done.status == sum.status &&
        done.last == sum.last) {
      continue;
    }
    throw std::runtime_error(
        fmt::format("{}: the driver says of a task: {}, tag {:#x}, status {:#x}, last {}; its "
                    "records: {}, {:#x}, {:#x}, {}",
                    line->Name(), Counted(done.bytes, "byte"), done.tag, done.status, done.last,
                    sum.bytes, sum.tag, sum.status, sum.last));
  }
  if (line->tickets.empty()) line->ends.clear();
}

std::optional<native::Record> Software::Pop(Direction direction, int number) {
  Line& line = Of(direction, number);
  if (line.records.empty()) {
    // Both ways in which a program takes records.
    line.takes = !line.takes;
    driver::Record taken;
    if (!line.takes) {
      line.channel.Service();
    } else if (line.channel.TakeRecord(taken) && !Same(taken, line.records.back())) {
      throw std::runtime_error(line.Name() + ": the driver's record is not that of the registers");
    }
  }
  return PopTaken(direction, number);
}

std::optional<native::Record> Software::PopTaken(Direction direction, int number) {
  Line& line = Of(direction, number);
  Settle(&line);
  if (line.records.empty()) return std::nullopt;
  const native::Record record = line.records.front();
  line.records.pop_front();
  return record;
}

}  // namespace tessera
