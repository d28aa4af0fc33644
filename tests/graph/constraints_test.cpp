// Constraints: what they place, and what of them cannot be met.
#include "tests/graph/fixture.h"

using adf::return_code;

namespace tessera::graph {
namespace {

class Constraints : public GraphTest {};
INSTANTIATE_TEST_SUITE_P(On, Constraints, testing::Values("native"), NameOf);

// Two kernels in a row.
class Two : public adf::graph {
 public:
  adf::kernel k1, k2;
  adf::PLIO in, out;
  template <typename Constrain>
  Two(const std::string& folder, Constrain constrain)
      : in("in", folder + "in"), out("out", folder + "out") {
    k1 = adf::kernel::create(pass);
    k2 = adf::kernel::create(pass);
    adf::name(*this) = "mygraph";
    adf::name(k1) = "k1";
    adf::name(k2) = "k2";
    adf::connect<adf::window<1024>>(in.out[0], k1.in[0]);
    adf::connect<adf::window<1024>>(k1.out[0], k2.in[0]);
    adf::connect<adf::window<1024>>(k2.out[0], out.in[0]);
    constrain(*this);
  }
};

TEST_P(Constraints, PlacesAreKept) {
  using namespace adf;
  Ramp("in", 256);
  Two g(File(""), [](Two& t) {
    location<kernel>(t.k1) = tile(7, 3);
    location<kernel>(t.k2) = location<kernel>(t.k1);
    location<buffer>(t.k1.in[0]) = {bank(7, 3, 1), bank(7, 3, 2)};
    location<buffer>(t.k2.out[0], 1) = address(7, 4, 4096);
    location<stack>(t.k2) = offset(24576);
    stack_size(t.k2) = 2048;
    heap_size(t.k2) = 512;
    source(t.k1) = "pass.cc";
    initialization_function(t.k1) = "prepare";
  });
  ASSERT_EQ(g.init(), return_code::ok) << last_error();
  const std::string text = placement(g);
  for (const char* words :
       {"k1: tile (7, 3)", "k2: tile (7, 3)", "source pass.cc, initialization prepare",
        "buffer 0 of k1.in[0]: tile (7, 3), bank 1, bytes 8192 to 9215",
        "buffer 1 of k1.in[0]: tile (7, 3), bank 2, bytes 16384 to 17407",
        "buffer 1 of k2.out[0]: tile (7, 4), bank 0, bytes 4096 to 5119",
        "the stack of k2: tile (7, 3), bank 3, bytes 24576 to 27135"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_NE(placement_drawing(g).find(">k1</text>"), std::string::npos);
  ASSERT_EQ(g.end(), return_code::ok);
}

TEST_P(Constraints, WhatCannotBeMetIsRefused) {
  using namespace adf;
  Ramp("in", 256);
  const auto expect = [&](const char* words, auto constrain) {
    Two g(File(""), constrain);
    EXPECT_REFUSED(g.init(), user_error, words);
  };
  expect("location of k1: tile (50, 0); legal are columns 0 to 49 and rows 0 to 7",
         [](Two& t) { location<kernel>(t.k1) = tile(50, 0); });
  expect("bank 4; legal is 0 to 3", [](Two& t) { location<buffer>(t.k1.in[0]) = bank(1, 1, 4); });
  expect("address 33; legal are multiples of 32 below 32768",
         [](Two& t) { location<buffer>(t.k1.in[0], 0) = address(1, 1, 33); });
  expect("another constraint says (1, 1)", [](Two& t) {
    location<kernel>(t.k1) = tile(1, 1);
    location<kernel>(t.k1) = tile(1, 2);
  });
  expect("both must be on two tiles", [](Two& t) {
    location<kernel>(t.k1) = tile(1, 1);
    location<kernel>(t.k2) = tile(1, 1);
    not_equal(location<kernel>(t.k1), location<kernel>(t.k2));
  });
  expect("does not reach the memory of tile (9, 1)", [](Two& t) {
    location<kernel>(t.k1) = tile(1, 1);
    location<buffer>(t.k1.in[0]) = bank(9, 1, 0);
  });
  expect("are those of buffer 0 of k1.in[0]", [](Two& t) {
    location<kernel>(t.k1) = tile(1, 1);
    location<buffer>(t.k1.in[0], 0) = address(1, 1, 1024);
    location<buffer>(t.k1.in[0], 1) = address(1, 1, 1504);
  });
  expect("it is outside of the area", [](Two& t) {
    location<adf::graph>(t) = bounding_box(2, 2, 3, 3);
    location<kernel>(t.k1) = tile(1, 1);
  });
  expect("the lower left corner first",
         [](Two& t) { location<adf::graph>(t) = bounding_box(3, 3, 2, 2); });
  expect("k2 has no tile: it is outside of the area",
         [](Two& t) { location<adf::graph>(t) = bounding_box(3, 3, 3, 3); });
}

class Plain : public adf::graph {
 public:
  adf::input_port in;
  adf::output_port out;
  adf::kernel k_[2];
  Plain() {
    for (auto& k : k_) k = adf::kernel::create(pass);
    adf::connect<adf::window<64>>(in, k_[0].in[0]);
    adf::connect<adf::window<64>>(k_[0].out[0], k_[1].in[0]);
    adf::connect<adf::window<64>>(k_[1].out[0], out);
  }
};
class Stamped : public adf::graph {
 public:
  Plain one, two;
  adf::PLIO in, out;
  template <typename Constrain>
  Stamped(const std::string& folder, Constrain constrain)
      : in("in", folder + "in"), out("out", folder + "out") {
    adf::connect<>(in.out[0], one.in);
    adf::connect<>(one.out, two.in);
    adf::connect<>(two.out, out.in[0]);
    adf::name(one.k_[0]) = "first";
    adf::name(two.k_[0]) = "second";
    adf::name(one) = "one";
    adf::name(two) = "two";
    constrain(*this);
  }
};

TEST_P(Constraints, StampsAreMovedByWholeColumnsAndEvenRows) {
  using namespace adf;
  Ramp("in", 16);
  Stamped g(File(""), [](Stamped& s) {
    location<kernel>(s.one.k_[0]) = tile(4, 2);
    location<kernel>(s.one.k_[1]) = tile(4, 3);
    location<adf::graph>(s.two) = stamp(location<adf::graph>(s.one));
    location<adf::graph>(s.two) = bounding_box(9, 4, 9, 5);
  });
  ASSERT_EQ(g.init(), return_code::ok) << last_error();
  EXPECT_NE(placement(g).find("second: tile (9, 4)"), std::string::npos) << placement(g);
  EXPECT_NE(pblocks(g).find("resize_pblock tessera_0 -add"), std::string::npos);
  ASSERT_EQ(g.end(), return_code::ok);

  Stamped odd(File(""), [](Stamped& s) {
    location<kernel>(s.one.k_[0]) = tile(4, 2);
    location<kernel>(s.one.k_[1]) = tile(4, 3);
    location<adf::graph>(s.two) = stamp(location<adf::graph>(s.one));
    location<adf::graph>(s.two) = bounding_box(9, 5, 9, 6);
  });
  EXPECT_REFUSED(odd.init(), user_error, "row 5 and row 2 of one are not both even or both odd");
  Stamped over(File(""), [](Stamped& s) {
    location<kernel>(s.one.k_[0]) = tile(4, 2);
    location<kernel>(s.one.k_[1]) = tile(4, 5);
    location<adf::graph>(s.two) = stamp(location<adf::graph>(s.one));
    location<adf::graph>(s.two) = bounding_box(4, 4, 4, 7);
  });
  EXPECT_REFUSED(over.init(), user_error, "(4, 4) to (4, 7) overlaps one");
}

TEST_P(Constraints, TheFileHasAllSections) {
  using namespace adf;
  Ramp("in", 256);
  Two g(File(""), [&](Two& t) {
    constraints(t) = Write("c.json", R"json({
      "NodeConstraints": {
        "mygraph.k1": {"tile": {"column": 2, "row": 1},
                       "reserved_memory": {"column": 2, "row": 1, "bankId": 3, "offset": 4128}},
        "mygraph.k2": {"not_colocated_nodes": ["mygraph.k1"], "shim": {"column": 3}}},
      "PortConstraints": {
        "mygraph.k1.in[0]": {"buffers": [{"column": 2, "row": 1, "bankId": 2}],
                             "colocated_nodes": ["mygraph.k1"]},
        "mygraph.k1.out[0]": {"not_colocated_ports": ["mygraph.k1.in[0]"],
                              "not_colocated_reserved_memories": ["mygraph.k1"]}},
      "GlobalConstraints": {
        "areaGroup": {"name": "root_area_group", "nodeGroup": ["mygraph.k*"],
                      "tileGroup": ["(2,0):(2,3)"], "shimGroup": ["0:3"],
                      "exclusive_placement": true}
}
})json");
  });
  ASSERT_EQ(g.init(), return_code::ok) << last_error();
  const std::string text = placement(g);
  for (const char* words : {"k1: tile (2, 1)", "k2: tile (2, 0)",
                            "the stack of k1: tile (2, 1), bank 3, bytes 28704 to 29727",
                            "buffer 0 of k1.in[0]: tile (2, 1), bank 2"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_NE(pblocks(g).find("# root_area_group\ncreate_pblock"), std::string::npos);
  ASSERT_EQ(g.end(), return_code::ok);

  const auto expect = [&](const std::string& json, const char* words) {
    Two bad(File(""), [&](Two& t) { constraints(t) = Write("c.json", json); });
    EXPECT_REFUSED(bad.init(), user_error, words);
  };
  expect("{", "is no JSON");
  expect(R"json({"Nodes": {}})json", "has a section 'Nodes'; legal are NodeConstraints");
  expect(R"json({"NodeConstraints": {"mygraph.k9": {}}})json", "there is no node 'mygraph.k9'");
  expect(R"json({"NodeConstraints": {"k1": {"place": {}}}})json",
         "place of k1; legal are tile, shim");
  expect(R"json({"NodeConstraints": {"in": {"tile": {"column": 1, "row": 1}}}})json",
         "tile of in, which is no kernel; legal is shim");
  expect(R"json({"NodeConstraints": {"k1": {"colocated_nodes": ["in"]}}})json",
         "colocated_nodes of k1: in is no kernel");
  expect(R"json({"NodeConstraints": {"k1": {"tile": {"column": 1}}}})json", "has no \"row\"");
  expect(R"json({"NodeConstraints": {"k1": {"tile": {"column": "1", "row": 1}}}})json",
         "which is of the wrong type");
  expect(R"json({"PortConstraints": {"k1.in[3]": {}}})json", "there is no port 'k1.in[3]'");
  expect(R"json({"PortConstraints": {"k1.in[0]": {"buffers": []}}})json",
         "a list of one or two places");
  expect(R"json({"GlobalConstraints": {"areas": {}}})json", "legal are areaGroup");
  const std::string groups = R"json({"GlobalConstraints": {)json";
  expect(
      groups + R"json("areaGroup": {"name": "a", "nodeGroup": ["k1"], "tileGroup": ["2,0"]}}})json",
      "tileGroup '2,0'; legal is");
  expect(groups + R"json("isomorphicGraphGroup": {"name": "i", "referenceGraph": "nobody",
                  "stampedGraphs": []}}})json",
         "there is no graph 'nobody'");
  Two missing(File(""), [&](Two& t) { constraints(t) = File("none.json"); });
  EXPECT_REFUSED(missing.init(), user_error, "cannot read the file");
}

}  // namespace
}  // namespace tessera::graph
