// Stream to memory: order, drop, finish rules, residue; memory worked out by hand.
#include "tests/model/support.h"

namespace tessera::model {
namespace {

struct WriteRun {
  WriteRun(const std::vector<Transfer>& chain, const Lines& beats, int lanes = 4) {
    Build build;
    build.stream_bytes = lanes;
    build.data_bytes = 16;
    WriteModel model(build, memory);
    model.Offer(Beats(beats));
    for (const Transfer& t : chain) {
      records.push_back(model.Run(t));
      held.push_back(model.held());
      accepted.push_back(model.accepted());
    }
  }
  MemoryImage memory;
  std::vector<std::optional<Record>> records;
  std::vector<int> held;
  std::vector<size_t> accepted;
};

Transfer OnLast(Transfer t) {
  t.finish = Finish::kLast;
  return t;
}

Transfer Elements(int elem, uint64_t base, uint32_t count, int64_t stride) {
  Transfer t;
  t.elem = elem;
  t.base = base;
  t.count[0] = count;
  t.stride[0] = stride;
  return t;
}

TEST(Write, PutsElementsAtTheirAddresses) {
  Proves({"order.write", "write.exact"});
  const WriteRun run({Elements(2, 0x1001, 3, 5)}, {"00 01 02 03", "04 05 -- -- L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 16), ".. 00 01 .. .. .. 02 03 .. .. .. 04 05 .. .. ..");
  EXPECT_EQ(WrittenBytes(run.memory), 6u);
  EXPECT_EQ(run.records[0]->bytes, 6u);
  EXPECT_TRUE(run.records[0]->last);
}

TEST(Write, DropsElementsOutsideTheBounds) {
  Proves({"order.write", "field.bound"});
  Transfer t = Elements(2, 0x1000, 4, 2);
  t.start[0] = -1;
  t.bound[0] = 2;
  const WriteRun run({t}, {"00 01 02 03", "04 05 06 07 L"});
  EXPECT_EQ(Dump(run.memory, 0x0FFE, 8), ".. .. 02 03 04 05 .. ..");
  EXPECT_EQ(run.records[0]->bytes, 8u);  // dropped positions count
  EXPECT_EQ(run.records[0]->dropped, 0u);
}

TEST(Write, LaterElementWins) {
  Proves({"write.later-wins"});
  Transfer t = Elements(4, 0x1000, 3, 2);
  EXPECT_EQ(Dump(WriteRun({t}, {"00 01 02 03", "10 11 12 13", "20 21 22 23 L"}).memory, 0x1000, 8),
            "00 01 10 11 20 21 22 23");
  t.stride[0] = 0;
  EXPECT_EQ(Dump(WriteRun({t}, {"00 01 02 03", "10 11 12 13", "20 21 22 23 L"}).memory, 0x1000, 8),
            "20 21 22 23 .. .. .. ..");
  t.stride[0] = -2;
  EXPECT_EQ(Dump(WriteRun({t}, {"00 01 02 03", "10 11 12 13", "20 21 22 23 L"}).memory, 0x0FFC, 8),
            "20 21 22 23 12 13 02 03");
}

TEST(Write, EverySizeOfElement) {
  Proves({"field.elem", "order.write"});
  for (int elem : {1, 2, 4, 8, 16}) {
    const WriteRun run({Elements(elem, 0x1000, 2, 32)},
                       {"00 01 02 03", "04 05 06 07", "08 09 0a 0b", "0c 0d 0e 0f", "10 11 12 13",
                        "14 15 16 17", "18 19 1a 1b", "1c 1d 1e 1f"});
    EXPECT_EQ(WrittenBytes(run.memory), 2u * static_cast<size_t>(elem));
    for (int n = 0; n < elem; ++n) {
      EXPECT_EQ(run.memory.Read(0x1000 + static_cast<uint64_t>(n)), n);
      EXPECT_EQ(run.memory.Read(0x1020 + static_cast<uint64_t>(n)), elem + n);
    }
    EXPECT_EQ(run.held[0], elem == 1 ? 2 : 0);
  }
}

TEST(Write, ByLengthIgnoresTlast) {
  Proves({"finish.length"});
  const WriteRun run({Copy(0x1000, 7)}, {"00 -- -- -- L", "01 02 03 -- L", "04 05 06 07"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 8), "00 01 02 03 04 05 06 ..");
  EXPECT_EQ(run.records[0]->bytes, 7u);
  EXPECT_FALSE(run.records[0]->last);
  EXPECT_FALSE(run.records[0]->sparse_keep);
}

TEST(Write, ByLengthKeepsWhatItLeavesOfABeat) {
  Proves({"finish.length.residue"});
  const WriteRun run({Copy(0x1000, 3), Copy(0x1010, 2), Copy(0x1020, 3)},
                     {"00 01 02 03", "04 05 06 07 L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 4), "00 01 02 ..");
  EXPECT_EQ(Dump(run.memory, 0x1010, 4), "03 04 .. ..");
  EXPECT_EQ(Dump(run.memory, 0x1020, 4), "05 06 07 ..");
  EXPECT_EQ(run.held, (std::vector<int>{1, 3, 0}));
  EXPECT_EQ(run.accepted, (std::vector<size_t>{1, 2, 2}));
  EXPECT_FALSE(run.records[0]->last);
  EXPECT_FALSE(run.records[1]->last);
  EXPECT_TRUE(run.records[2]->last);
}

TEST(Write, ResidueIsTheBeginningOfAnOnTlastTransfer) {
  Proves({"finish.length.residue", "finish.last"});
  const WriteRun run({Copy(0x1000, 1), OnLast(Copy(0x1010, 16))},
                     {"00 01 02 03", "04 05 -- -- L", "06 07 08 09"});
  EXPECT_EQ(Dump(run.memory, 0x1010, 8), "01 02 03 04 05 .. .. ..");
  EXPECT_EQ(run.records[1]->bytes, 5u);
  EXPECT_TRUE(run.records[1]->last);
  EXPECT_EQ(run.accepted[1], 2u);
}

TEST(Write, ResidueThatHoldsTheTlastEndsThePacket) {
  Proves({"finish.length.residue", "finish.last"});
  const WriteRun run({Copy(0x1000, 1), OnLast(Copy(0x1010, 16))},
                     {"00 01 02 -- L", "06 07 08 09 L"});
  EXPECT_EQ(run.records[1]->bytes, 2u);
  EXPECT_TRUE(run.records[1]->last);
  EXPECT_EQ(run.accepted[1], 1u);
}

TEST(Write, ATlastTakenByLengthIsGone) {
  Proves({"finish.length"});
  const WriteRun run({Copy(0x1000, 2), OnLast(Copy(0x1010, 16))},
                     {"00 01 -- -- L", "06 07 -- -- L"});
  EXPECT_TRUE(run.records[0]->last);
  EXPECT_EQ(run.records[1]->bytes, 2u);
  EXPECT_EQ(Dump(run.memory, 0x1010, 4), "06 07 .. ..");
}

TEST(Write, OnTlastEndsWithTheElementThatCarriesIt) {
  Proves({"finish.last"});
  const WriteRun run({OnLast(Elements(2, 0x1000, 100, 4))},
                     {"00 01 02 03", "04 05 -- -- L", "ff ff ff ff L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 12), "00 01 .. .. 02 03 .. .. 04 05 .. ..");
  EXPECT_EQ(WrittenBytes(run.memory), 6u);
  EXPECT_EQ(run.records[0]->bytes, 6u);
  EXPECT_TRUE(run.records[0]->last);
  EXPECT_EQ(run.accepted[0], 2u);
}

TEST(Write, ExactPacketIsNotOverlong) {
  Proves({"finish.last"});
  const WriteRun run({OnLast(Copy(0x1000, 8))}, {"00 01 02 03", "04 05 06 07 L"});
  EXPECT_EQ(run.records[0]->bytes, 8u);
  EXPECT_FALSE(run.records[0]->overlong);
  EXPECT_TRUE(run.records[0]->last);
}

TEST(Write, OverlongWritesWhatFitsAndDropsTheRest) {
  Proves({"finish.overlong"});
  const WriteRun run({OnLast(Copy(0x1000, 3)), OnLast(Copy(0x1010, 8))},
                     {"00 01 02 03", "04 05 06 07", "08 -- -- -- L", "aa bb -- -- L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 5), "00 01 02 .. ..");
  EXPECT_EQ(run.records[0]->bytes, 3u);
  EXPECT_EQ(run.records[0]->dropped, 6u);
  EXPECT_TRUE(run.records[0]->overlong);
  EXPECT_TRUE(run.records[0]->last);
  EXPECT_EQ(run.held[0], 0);
  EXPECT_EQ(run.records[1]->bytes, 2u);
  EXPECT_FALSE(run.records[1]->overlong);
}

TEST(Write, OverlongInTheBeatOfTheTlast) {
  Proves({"finish.overlong"});
  const WriteRun run({OnLast(Copy(0x1000, 3))}, {"00 01 02 03 L"});
  EXPECT_EQ(run.records[0]->bytes, 3u);
  EXPECT_EQ(run.records[0]->dropped, 1u);
  EXPECT_TRUE(run.records[0]->overlong);
}

TEST(Write, FullExtentWaitsForWhatFollows) {
  Proves({"finish.last", "finish.overlong"});
  EXPECT_FALSE(WriteRun({OnLast(Copy(0x1000, 4))}, {"00 01 02 03"}).records[0].has_value());
  const WriteRun null_last({OnLast(Copy(0x1000, 4))},
                           {"00 01 02 03", "-- -- -- --", "-- -- -- -- L"});
  EXPECT_FALSE(null_last.records[0]->overlong);
  EXPECT_TRUE(null_last.records[0]->last);
  const WriteRun data({OnLast(Copy(0x1000, 4))}, {"00 01 02 03", "-- -- -- --", "04 -- -- -- L"});
  EXPECT_TRUE(data.records[0]->overlong);
  EXPECT_EQ(data.records[0]->dropped, 1u);
}

TEST(Write, PartialElementIsWrittenAsFarAsItCame) {
  Proves({"finish.partial-element"});
  const WriteRun run({OnLast(Elements(4, 0x1000, 4, 8))}, {"00 01 02 03", "04 05 06 -- L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 16), "00 01 02 03 .. .. .. .. 04 05 06 .. .. .. .. ..");
  EXPECT_EQ(run.records[0]->bytes, 7u);
  EXPECT_TRUE(run.records[0]->partial_element);
}

TEST(Write, PartialElementOutsideTheBoundsIsDropped) {
  Proves({"finish.partial-element", "field.bound"});
  Transfer t = OnLast(Elements(4, 0x1000, 4, 8));
  t.bound[0] = 1;
  const WriteRun run({t}, {"00 01 02 03", "04 05 06 -- L"});
  EXPECT_EQ(WrittenBytes(run.memory), 4u);
  EXPECT_TRUE(run.records[0]->partial_element);
}

TEST(Write, TlastBeatWithSparseKeepCarriesItsOtherBytes) {
  Proves({"finish.null-bytes"});
  const WriteRun run({OnLast(Copy(0x1000, 8))}, {"00 01 02 03", "-- 05 -- 07 L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 8), "00 01 02 03 05 07 .. ..");
  EXPECT_EQ(run.records[0]->bytes, 6u);
  EXPECT_FALSE(run.records[0]->sparse_keep);
}

TEST(Write, TlastBeatWithEmptyKeepEndsThePacket) {
  Proves({"finish.null-bytes"});
  const WriteRun run({OnLast(Copy(0x1000, 8)), OnLast(Copy(0x1010, 8))},
                     {"00 01 02 03", "-- -- -- -- L", "-- -- -- -- L"});
  EXPECT_EQ(run.records[0]->bytes, 4u);
  EXPECT_TRUE(run.records[0]->last);
  EXPECT_EQ(run.records[1]->bytes, 0u);  // a packet of no bytes
  EXPECT_TRUE(run.records[1]->last);
  EXPECT_FALSE(run.records[1]->partial_element);
}

TEST(Write, SparseKeepElsewhereIsAnError) {
  Proves({"finish.sparse-keep"});
  const WriteRun run({Copy(0x1000, 5), Copy(0x1010, 4)},
                     {"00 -- 02 --", "03 04 05 06", "07 08 09 0a L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 6), "00 02 03 04 05 ..");
  EXPECT_TRUE(run.records[0]->sparse_keep);
  EXPECT_FALSE(run.records[1]->sparse_keep);
  const WriteRun on_last({OnLast(Copy(0x1000, 2))},
                         {"00 01 02 03", "-- 05 -- --", "-- -- -- -- L"});
  EXPECT_TRUE(on_last.records[0]->sparse_keep);  // in the dropped part as well
  EXPECT_EQ(on_last.records[0]->dropped, 3u);
}

TEST(Write, SparseKeepOfASharedBeatIsOfTheFirst) {
  Proves({"finish.sparse-keep"});
  const WriteRun run({Copy(0x1000, 2), Copy(0x1010, 2), Copy(0x1020, 1)},
                     {"00 -- 02 03", "04 05 06 07 L"});
  EXPECT_TRUE(run.records[0]->sparse_keep);
  EXPECT_FALSE(run.records[1]->sparse_keep);  // takes what was left of it
  EXPECT_FALSE(run.records[2]->sparse_keep);
}

TEST(Write, LastByLengthIsThatOfTheLastByteOfItsBeat) {
  Proves({"finish.length"});
  const WriteRun run({Copy(0x1000, 3), Copy(0x1010, 1), Copy(0x1020, 4)},
                     {"00 01 02 03 L", "04 05 06 07"});
  EXPECT_FALSE(run.records[0]->last);
  EXPECT_TRUE(run.records[1]->last);
  EXPECT_FALSE(run.records[2]->last);
}

TEST(Write, NullBeatCarriesNothing) {
  Proves({"finish.null-bytes"});
  const WriteRun run({Copy(0x1000, 5)},
                     {"-- -- -- --", "00 01 02 03", "-- -- -- -- L", "04 05 06 07 L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 6), "00 01 02 03 04 ..");
  EXPECT_FALSE(run.records[0]->sparse_keep);
}

TEST(Write, EmptyTransferTakesNoBeat) {
  Proves({"empty.count-zero"});
  for (Finish finish : {Finish::kLength, Finish::kLast}) {
    Transfer t = Copy(0x1000, 0);
    t.finish = finish;
    const WriteRun run({t, Copy(0x1000, 4)}, {"00 01 02 03 L"});
    EXPECT_EQ(run.records[0], Record{});
    EXPECT_EQ(run.accepted[0], 0u);
    EXPECT_TRUE(run.records[1]->last);
  }
}

TEST(Write, WaitsWhenTheStreamRunsDry) {
  Proves({"finish.length"});
  const WriteRun run({Copy(0x1000, 5)}, {"00 01 02 03"});
  EXPECT_FALSE(run.records[0].has_value());
}

TEST(Write, AddressWrapsAtTheEndOfTheAddressSpace) {
  Proves({"order.address"});
  MemoryImage memory;
  Build build;
  build.addr_width = 32;
  build.stream_bytes = 4;
  WriteModel model(build, memory);
  model.Offer(Beats({"00 01 02 03 L"}));
  ASSERT_TRUE(model.Run(Elements(4, 0xFFFFFFFE, 1, 0)));
  EXPECT_EQ(Dump(memory, 0xFFFFFFFE, 2), "00 01");
  EXPECT_EQ(Dump(memory, 0, 2), "02 03");
}

TEST(Write, LengthMayEndAnOnTlastTransferEarly) {
  Proves({"finish.overlong", "field.length"});
  Transfer t = OnLast(Copy(0x1000, 2));
  t.stride[3] = 8;
  t.length = 3;
  const WriteRun run({t}, {"00 01 02 03 L"});
  EXPECT_EQ(Dump(run.memory, 0x1000, 10), "00 01 .. .. .. .. .. .. 02 ..");
  EXPECT_EQ(run.records[0]->dropped, 1u);
}

TEST(Write, RefusedTransferLeavesTheStreamAlone) {
  Proves({"illegal.refused"});
  Transfer t = Copy(0x1000, 4);
  t.elem = 32;  // wider than the bus
  const WriteRun run({t, Copy(0x1000, 4)}, {"00 01 02 03 L"});
  EXPECT_TRUE(run.records[0]->illegal);
  EXPECT_EQ(run.accepted[0], 0u);
  EXPECT_EQ(run.records[1]->bytes, 4u);
}

}  // namespace
}  // namespace tessera::model
