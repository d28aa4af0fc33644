// See preparation_bench.h.
#include "tests/program/preparation_bench.h"

#include <fmt/format.h>

#include "tests/program/context.h"

namespace tessera {
namespace {

bool Bit(uint64_t pins, int n) { return pins >> n & 1; }

// flags_t
struct Flags {
  explicit Flags(uint64_t bits) : bits(bits) {}
  uint64_t Get(int low, int count) const { return bits >> low & ((1U << count) - 1); }
  bool flush() const { return Get(0, 1); }
  bool last() const { return Get(1, 1); }
  uint64_t packet_level() const { return Get(2, 3); }
  bool packets() const { return Get(5, 1); }
  bool has_length() const { return Get(6, 1); }
  bool tail() const { return Get(7, 1); }
  bool lead() const { return Get(8, 1); }
  uint64_t phases() const { return Get(9, 12); }
  uint64_t levels() const { return Get(21, 4); }
  bool outside() const { return Get(25, 1); }
  bool empty() const { return Get(26, 1); }
  bool more() const { return Get(27, 1); }
  bool closes() const { return Get(28, 1); }
  uint64_t bits;
};

}  // namespace

PreparationBench::PreparationBench(const PreparationShape& shape, uint64_t seed)
    : shape_(shape), rng_(Rng(seed).Stream("preparation")), unit_(seed) {
  auto& m = unit_.model();
  m.rst_ni = 0;
  m.job_valid_i = m.list_valid_i = m.access_valid_i = 0;
  for (int n = 0; n < 4; ++n) {
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }
  m.rst_ni = 1;
}

void PreparationBench::Fail(const std::string& what) {
  if (failure_.empty()) failure_ = fmt::format("{} (cycle {})", what, cycle_);
}

void PreparationBench::Write(int number, const Descriptor& descriptor) {
  const auto write = [&](int area, int word) {
    const uint32_t data = descriptor.area[static_cast<size_t>(area)][static_cast<size_t>(word)];
    Queue(Access{.write = true, .area = area, .descriptor = number, .word = word, .data = data});
  };
  for (int word = 0; word < 16 && shape_.bounds; ++word) {
    if (word != 11) write(kBoundsArea, word);
  }
  for (int word = 0; word < 9 && shape_.walk; ++word) write(kWalkArea, word);
  for (int word = 0; word < 16; ++word) write(kBase, word);
  if (descriptor.turns() != 0) write(kTurns, 0);
}

void PreparationBench::WriteList(int place, const Descriptor& descriptor) {
  for (int area = 0; area < 3; ++area) {
    if ((area == kBoundsArea && !shape_.bounds) || (area == kWalkArea && !shape_.walk)) continue;
    for (int row = 0; row < 4; ++row) {
      ListWrite write{place, area, row};
      for (size_t w = 0; w < 4; ++w)
        write.data[w] =
            descriptor.area[static_cast<size_t>(area)][static_cast<size_t>(4 * row) + w];
      Queue(write);
    }
  }
}

std::string PreparationBench::Run(uint64_t most) {
  const uint64_t begun = cycle_;
  while (failure_.empty() && !idle()) {
    if (cycle_ - begun > most) Fail("no end");
    Cycle();
  }
  for (int n = 0; n < 4 && failure_.empty(); ++n) Cycle();
  return failure_;
}

void PreparationBench::Cycle() {
  auto& m = unit_.model();
  const auto goes = [&](int pace) { return static_cast<int>(rng_.Below(256)) < pace; };
  m.clk_i = 0;
  if (!jobs_.empty() && !job_offered_ && goes(job_pace_)) {
    const Job& job = jobs_.front();
    m.job_channel_i = static_cast<uint8_t>(job.channel);
    m.job_slot_i = static_cast<uint8_t>(job.slot);
    m.job_receives_i = job.circumstance.receives;
    m.job_from_list_i = job.circumstance.from_list;
    m.job_descriptor_i = static_cast<uint8_t>(job.descriptor);
    m.job_final_turn_i = job.circumstance.final_turn;
    m.job_continues_i = job.continues;
    m.job_cut_i = job.cut;
    job_offered_ = true;
  }
  m.job_valid_i = job_offered_;
  if (!accesses_.empty() && !access_offered_ && goes(access_pace_)) {
    const Access& access = accesses_.front();
    m.access_write_i = access.write;
    m.access_area_i = static_cast<uint8_t>(access.area);
    m.access_descriptor_i = static_cast<uint8_t>(access.descriptor);
    m.access_word_i = static_cast<uint8_t>(access.word);
    m.access_data_i = access.data;
    m.access_strobe_i = static_cast<uint8_t>(access.strobe);
    access_offered_ = true;
  }
  m.access_valid_i = access_offered_;
  if (!list_writes_.empty() && !list_offered_ && goes(access_pace_)) {
    const ListWrite& write = list_writes_.front();
    m.list_place_i = static_cast<uint8_t>(write.place);
    m.list_area_i = static_cast<uint8_t>(write.area);
    m.list_row_i = static_cast<uint8_t>(write.row);
    for (size_t w = 0; w < 4; ++w) m.list_data_i[w] = write.data[w];
    list_offered_ = true;
  }
  m.list_valid_i = list_offered_;
  unit_.Evaluate();
  Sample();
  m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
  unit_.Evaluate();
  ++cycle_;
}

void PreparationBench::Sample() {
  auto& m = unit_.model();
  const int cell = shape_.cell;
  const auto at = static_cast<size_t>(cell);
  const auto* pins64 = reinterpret_cast<const uint64_t*>(&m.word_data_o);
  const auto* index = reinterpret_cast<const uint16_t*>(&m.word_index_o);
  const auto* result = reinterpret_cast<const uint16_t*>(&m.prepared_o);
  const auto* data = reinterpret_cast<const uint32_t*>(&m.access_data_o);
  const auto* rows = reinterpret_cast<const uint32_t*>(&m.descriptor_o);
  if (Bit(m.word_valid_o, cell)) {
    if (running_.empty()) return Fail("a word without a job");
    const Job& job = running_.front();
    const uint16_t tag = index[at];
    if (tag >> 11 != job.channel || (tag >> 8 & 3) != job.slot)
      Fail(fmt::format("a word for channel {} slot {}", tag >> 11, tag >> 8 & 3));
    slots_[static_cast<size_t>(job.channel)][static_cast<size_t>(job.slot)][tag & 0xff] =
        pins64[at];
  }
  if (Bit(m.prepared_valid_o, cell)) {
    if (running_.empty()) return Fail("prepared without a job");
    const Job job = running_.front();
    running_.pop_front();
    auto& words = slots_[static_cast<size_t>(job.channel)][static_cast<size_t>(job.slot)];
    const uint16_t got = result[at];
    const uint32_t error = got >> 9 & 0x3f;
    const bool more = got >> 8 & 1;
    if ((got >> 2 & 31) != job.channel || (got & 3) != job.slot)
      Fail("prepared for another channel");
    if (error != job.error)
      Fail(fmt::format("error {} instead of {}", error, job.error));
    else if (error == 0 && job.tile) {
      if (more != job.tile->more) Fail(fmt::format("more is {}", more));
      if (!words.contains(kWordFlags)) return Fail("no flags");
      const std::string wrong = Check(job, words[kWordFlags]);
      if (!wrong.empty())
        Fail(fmt::format("{}; {}{}{}", wrong, model::ToString(job.tile->transfer),
                         job.circumstance.receives ? " receives" : "",
                         job.continues ? " continues" : ""));
    } else if (words.contains(kWordFlags)) {
      Fail("flags with an error");
    }
    words.erase(kWordFlags);  // each context writes its own
    ++prepared_;
    if (prepared_ == 1) first_prepared_ = cycle_;
    last_prepared_ = cycle_;
    prepared_at_.push_back(cycle_);
  }
  if (Bit(m.descriptor_valid_o, cell) && running_.empty() && !Bit(m.job_ready_o, cell))
    Fail("a descriptor without a job");
  (void)rows;
  if (job_offered_ && Bit(m.job_ready_o, cell)) {
    if (prepared_ == 0 && running_.empty()) first_taken_ = cycle_;
    running_.push_back(jobs_.front());
    if (!jobs_.front().continues) {
      for (auto& slot : slots_[static_cast<size_t>(jobs_.front().channel)]) slot.clear();
    }
    jobs_.pop_front();
    job_offered_ = false;
  }
  if (access_offered_ && Bit(m.access_ready_o, cell)) {
    const Access& access = accesses_.front();
    const bool error = Bit(m.access_error_o, cell);
    if (error != access.error)
      Fail(fmt::format("access of area {} descriptor {} word {}: error {}", access.area,
                       access.descriptor, access.word, error));
    if (!access.write && access.expected && !error && data[at] != *access.expected)
      Fail(fmt::format("area {} descriptor {} word {} is {:#x}, not {:#x}", access.area,
                       access.descriptor, access.word, data[at], *access.expected));
    accesses_.pop_front();
    access_offered_ = false;
  }
  if (list_offered_ && Bit(m.list_ready_o, cell)) {
    list_writes_.pop_front();
    list_offered_ = false;
  }
}

std::string PreparationBench::Check(const Job& job, uint64_t bits) const {
  const auto& words = slots_[static_cast<size_t>(job.channel)][static_cast<size_t>(job.slot)];
  const model::Build build{.addr_width = shape_.addr_width};
  const Tile& tile = *job.tile;
  const model::Transfer& t = tile.transfer;
  const Context context = MakeContext(t, build);
  std::map<uint32_t, uint64_t> expected;
  for (const auto& word : context.words) expected[word.index] = word.data;
  if (tile.length) {  // which only cuts
    expected[kWordLength] = *tile.length * static_cast<uint64_t>(t.elem) - 1;
    expected[kWordFlags] |= uint64_t{1} << 6;
  }
  const Flags got(bits), want(expected[kWordFlags]);
  if (got.more() != tile.more) return "flag more";
  if (got.empty() != want.empty()) return fmt::format("flag empty is {}", got.empty());
  if (job.circumstance.receives) {
    if (got.last() != (t.finish == model::Finish::kLast)) return "finish on TLAST";
    if (got.packets()) return "packets of a write";
  } else {
    const bool last = want.last() && !tile.more;
    const bool flush = want.flush() && !tile.more;
    if (got.last() != last) return fmt::format("flag last is {}", got.last());
    if (got.flush() != flush) return fmt::format("flag flush is {}", got.flush());
    if (got.closes() != want.closes()) return fmt::format("flag closes is {}", got.closes());
  }
  if (got.empty()) return got.packets() ? "packets of an empty transfer" : "";
  if (got.levels() != want.levels())
    return fmt::format("levels {:#x}, not {:#x}", got.levels(), want.levels());
  if (got.phases() != want.phases())
    return fmt::format("phases {:#x}, not {:#x}", got.phases(), want.phases());
  if (got.outside() != want.outside()) return fmt::format("flag outside is {}", got.outside());
  if (got.has_length() != want.has_length()) return "flag has_length";
  if (!job.circumstance.receives) {
    // At the end of a tile there is a packet's end where the rule says so.
    bool packets = want.packets() || tile.packet;
    if (tile.more && t.last_rule == model::LastRule::kLevel && t.last_level < 3) packets = true;
    // `last` says the same at the end of the transfer.
    const bool no_matter = !tile.more && got.last() && !want.packets();
    if (got.packets() != packets && !no_matter) return fmt::format("packets is {}", got.packets());
    if (want.packets() && got.packet_level() != want.packet_level())
      return fmt::format("packet level {}, not {}", got.packet_level(), want.packet_level());
    if (got.packets() && !want.packets() && got.packet_level() < 4 &&
        got.levels() >> got.packet_level() & 1)
      return fmt::format("packet level {} of none", got.packet_level());
  }
  bool fills = want.outside() || want.lead() || want.tail();
  for (uint32_t l = 0; l < 4; ++l) {
    const auto phases = static_cast<uint32_t>(want.phases() >> (3 * l) & 7);
    if (want.levels() >> l & 1 && phases & 5) fills = true;
  }
  if (!want.outside() && (got.lead() != want.lead() || got.tail() != want.tail()))
    return fmt::format("lead {} tail {}", got.lead(), got.tail());
  for (const auto& [word, value] : expected) {
    uint64_t mask = ~uint64_t{0};
    const bool inside_alone = word == kWordAddr || word == kWordLead || word == kWordData ||
                              word == kWordTail || (word < 16 && word % 4 == kWordJump);
    if (word == kWordFlags || (want.outside() && inside_alone)) continue;
    if ((word == kWordFill || word == kWordWhole) && !fills) continue;
    if (word == kWordAddr || (word < 16 && word % 4 == kWordJump)) mask = build.AddressMask();
    const auto found = words.find(word);
    if (found == words.end()) return fmt::format("no word {}", word);
    if ((found->second & mask) != value)
      return fmt::format("word {} is {:#x}, not {:#x}", word, found->second & mask, value);
  }
  return "";
}

}  // namespace tessera
