// tsr_write_records: what the record of a transfer says, of one that ended and of one that was
// aborted.
#include <gtest/gtest.h>

#include "tests/channel_units/unit.h"
#include "units/Vrecords_top.h"

namespace tessera {
namespace {

struct Record {
  bool valid = false, last = false, illegal = false, aborted = false;
  bool sparse = false, partial = false, overlong = false;
  uint32_t bytes = 0, dropped = 0;
  bool operator==(const Record&) const = default;
};

class WriteRecords : public ::testing::Test {
 protected:
  static constexpr Record kNothing{};

  WriteRecords() {
    Idle();
    model().held_i = 0;
    unit_.Reset();
  }
  Vrecords_top& model() { return unit_.model(); }
  // Nothing happens to what is held.
  void Idle() {
    Vrecords_top& m = model();
    m.there_i = m.held_i;
    m.dropped_i = m.sparse_i = m.end_i = m.last_i = m.early_i = m.illegal_i = 0;
    m.elem_log2_i = 2;
    m.give_i = 0;
  }
  // A cycle, and the record that it shows.
  Record Cycle() {
    Record record{};
    unit_.Cycle([&] {
      const Vrecords_top& m = model();
      if (!m.valid_o) return;
      record = {.valid = true,
                .last = m.last_o != 0,
                .illegal = m.illegal_o != 0,
                .aborted = m.aborted_o != 0,
                .sparse = m.sparse_keep_o != 0,
                .partial = m.partial_element_o != 0,
                .overlong = m.overlong_o != 0,
                .bytes = m.bytes_o,
                .dropped = m.dropped_o};
    });
    Idle();
    return record;
  }
  // A cycle in which so many bytes go, of those that were held and a piece of `joins`.
  Record Moves(int joins, int held_after) {
    model().there_i = static_cast<uint8_t>(model().held_i + joins);
    const Record record = Cycle();
    model().held_i = static_cast<uint8_t>(held_after);
    model().there_i = model().held_i;
    return record;
  }

  ClockedUnit<Vrecords_top> unit_{1};
};

TEST_F(WriteRecords, CountsWhatIsNotHeldAnyMore) {
  EXPECT_EQ(Moves(8, 3), kNothing);  // 5
  EXPECT_EQ(Moves(8, 0), kNothing);  // 11
  model().end_i = model().last_i = 1;
  EXPECT_EQ(Moves(8, 4), kNothing);  // 4, the rest is of the next one
  EXPECT_EQ(Cycle(), (Record{.valid = true, .last = true, .bytes = 20}));
  model().end_i = 1;
  EXPECT_EQ(Moves(0, 0), kNothing);
  EXPECT_EQ(Cycle(), (Record{.valid = true, .bytes = 4}));
  EXPECT_EQ(Cycle(), kNothing);
}

TEST_F(WriteRecords, TellsWhatWasWrong) {
  model().sparse_i = 1;
  EXPECT_EQ(Moves(3, 0), kNothing);
  model().dropped_i = 7;
  model().end_i = model().last_i = model().early_i = model().illegal_i = 1;
  EXPECT_EQ(Moves(4, 0), kNothing);
  EXPECT_EQ(Cycle(), (Record{.valid = true,
                             .last = true,
                             .illegal = true,
                             .sparse = true,
                             .partial = true,
                             .overlong = true,
                             .bytes = 7,
                             .dropped = 7}));
  model().end_i = 1;
  EXPECT_EQ(Moves(4, 0), kNothing);
  EXPECT_EQ(Cycle(), (Record{.valid = true, .bytes = 4}));  // all of it is forgotten
}

// What is said of an end is of no transfer when none ends, least of all of one that is aborted.
TEST_F(WriteRecords, TheRecordOfAnAbortedTransferTellsOfNoEnd) {
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(Moves(5, 0), kNothing);
    model().last_i = model().early_i = model().illegal_i = 1;
    EXPECT_EQ(Cycle(), kNothing);
    model().last_i = model().early_i = model().illegal_i = 1;
    model().give_i = 1;
    EXPECT_EQ(Cycle(), (Record{.valid = true, .aborted = true, .bytes = 5}));
    model().give_i = 1;
    EXPECT_EQ(Cycle(), (Record{.valid = true, .aborted = true}));  // it had not begun
    EXPECT_EQ(Cycle(), kNothing);
  }
}

}  // namespace
}  // namespace tessera
