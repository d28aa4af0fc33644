// The bank of locks, access by access, against a model with lines as lists.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "tb/check/plan.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vlock_bank_top.h"

namespace tessera {
namespace {

enum Command { kRead, kSet, kRelease, kTry };

struct Access {
  int command = kRead, id = 0, value = 0;
  bool withdraw = false, queues = false, visits = false;
  int channel = 0;
};

struct Answer {
  bool granted = false, queued = false, over = false, under = false, changed = false;
  int value = 0, id = 0, command = 0;
  std::optional<int> wake;
};

class Bank {
 public:
  explicit Bank(bool takes) : takes_(takes) {}

  Answer Do(const Access& a) {
    Answer answer;
    int& lock = locks_[static_cast<size_t>(a.id)];
    std::deque<int>& line = lines_[static_cast<size_t>(a.id)];
    answer.value = lock;
    answer.id = a.id;
    answer.command = a.command;
    const bool waits = std::find(line.begin(), line.end(), a.channel) != line.end();
    bool moved = false;
    if (a.withdraw) {
      line.erase(std::find(line.begin(), line.end(), a.channel));
      moved = true;
    } else if (a.command == kSet) {
      lock = a.value & 63;
      answer.changed = true;
    } else if (a.command == kRelease) {
      answer.over = lock + a.value > 63;
      answer.under = lock + a.value < 0;
      lock = std::clamp(lock + a.value, 0, 63);
      answer.changed = true;
    } else if (a.command == kTry && a.value >= 0) {
      answer.granted = lock == a.value;
      answer.changed = answer.granted && takes_;
      if (answer.changed) lock = 0;
    } else if (a.command == kTry) {
      const bool first = a.queues && waits ? line.front() == a.channel : line.empty() || a.visits;
      answer.granted = first && lock + a.value >= 0;
      if (answer.granted) {
        lock += a.value;
        answer.changed = true;
        if (a.queues && waits) {
          line.pop_front();
          moved = true;
        }
      } else if (a.queues) {
        if (!waits) line.push_back(a.channel);
        answer.queued = true;
      }
    }
    if (!line.empty() && (moved || a.command == kSet || a.command == kRelease))
      answer.wake = line.front();
    return answer;
  }
  std::optional<int> Waits(int channel) const {
    for (size_t k = 0; k < lines_.size(); ++k) {
      if (std::find(lines_[k].begin(), lines_[k].end(), channel) != lines_[k].end())
        return static_cast<int>(k);
    }
    return std::nullopt;
  }

 private:
  bool takes_;
  std::array<int, 4> locks_{};
  std::array<std::deque<int>, 4> lines_;
};

class LockBanks : public testing::TestWithParam<int> {};

TEST_P(LockBanks, AnswerEachAccessAsAModelOfLines) {
  Proves({"lock.order"});
  VerilatedUnit<Vlock_bank_top> unit(1);
  auto& m = unit.model();
  m.rst_ni = 0;
  m.valid_i = 0;
  m.cell_i = GetParam() & 1;
  for (int n = 0; n < 4; ++n) {
    unit.Settle();
    unit.Edge();
  }
  m.rst_ni = 1;
  for (int n = 0; n < 8; ++n) {
    unit.Settle();
    unit.Edge();
  }
  Bank bank(GetParam() == 1);
  Rng rng = Rng(7).Stream("bank", static_cast<uint64_t>(GetParam()));
  std::deque<std::optional<Answer>> due(2);
  std::array<std::optional<Access>, 8> waiting;  // of channels in line
  uint64_t granted = 0, withdrawn = 0;
  bool accepted = false;  // in the cycle before: the bank is at work
  for (int n = 0; n < 400000; ++n) {
    Access a;
    a.command = static_cast<int>(rng.Below(4));
    a.id = static_cast<int>(rng.Below(4));
    a.channel = static_cast<int>(rng.Below(8));
    a.queues = rng.Chance(0.7) && a.command >= kRelease;
    a.visits = !a.queues && rng.Chance(0.5) && a.command >= kRelease;
    a.value = static_cast<int>(rng.Between(0, 12)) - 6;
    if (rng.Chance(0.02)) a.value = static_cast<int>(rng.Between(0, 127)) - 64;
    bool queued = false;
    if (a.command == kTry && a.queues && bank.Waits(a.channel)) {
      a = *waiting[static_cast<size_t>(a.channel)];
      queued = true;
      a.withdraw = rng.Chance(0.2);
    }
    const bool valid = rng.Chance(0.9);
    m.valid_i = valid;
    m.command_i = static_cast<uint8_t>(a.command);
    m.id_i = static_cast<uint8_t>(a.id);
    m.value_i = static_cast<uint8_t>(a.value & 127);
    m.withdraw_i = a.withdraw;
    m.channel_i = static_cast<uint8_t>(a.channel);
    m.queues_i = a.queues;
    m.queued_i = queued;
    m.visits_i = a.visits;
    unit.Settle();
    ASSERT_EQ(m.ready_o, !accepted) << n;
    accepted = valid && m.ready_o != 0;
    const std::optional<Answer> want = due.front();
    due.pop_front();
    if (want) {
      ASSERT_EQ(m.granted_o, want->granted) << n;
      ASSERT_EQ(m.queued_o, want->queued) << n;
      ASSERT_EQ(m.value_o, want->value) << n;
      ASSERT_EQ(m.over_o, want->over) << n;
      ASSERT_EQ(m.under_o, want->under) << n;
      if (want->over || want->under) {
        ASSERT_EQ(m.report_id_o, want->id) << n;
      }
      ASSERT_EQ(m.changed_o, want->changed) << n;
      ASSERT_EQ(m.wake_o, want->wake.has_value()) << n;
      if (want->wake) {
        ASSERT_EQ(m.wake_channel_o, *want->wake) << n;
      }
      granted += want->granted;
    } else {
      ASSERT_FALSE(m.over_o || m.under_o || m.changed_o || m.wake_o) << n;
    }
    if (accepted) {
      due.push_back(bank.Do(a));
      withdrawn += a.withdraw;
      if (due.back()->queued) waiting[static_cast<size_t>(a.channel)] = a;
    } else {
      due.push_back(std::nullopt);
    }
    unit.Edge();
  }
  EXPECT_GT(granted, 10000U);
  EXPECT_GT(withdrawn, 1000U);
}

INSTANTIATE_TEST_SUITE_P(All, LockBanks, testing::Values(0, 1));

}  // namespace
}  // namespace tessera
