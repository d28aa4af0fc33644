// tessera gen of tessera_mover4d: kernels, contents of ROMs.
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/gen/fixture.h"
#include "tools/mover4d/rom.h"

namespace tessera::gen {
namespace {

std::string Mover(const std::string& members) {
  return R"({"top": "tessera_mover4d", "name": "my_mover", )" + members + "}";
}

// A kernel with one entry in its map.
std::string Kernel(const std::string& impl, const std::string& entry) {
  return R"({"k": {"impl": ")" + impl + R"(", "map": [)" + entry + "]}}";
}

TEST(Kernels, WrongOnesAreOneSentence) {
  ExpectSentences(
      {{With(R"("names": [])"), "s.json: names is []: legal is absent"},
       {Mover(R"("parameters": {"Reads": 0, "Writes": 0})"),
        "s.json: parameters.Writes is 0: legal is 1 and more where Reads is 0"},
       {Mover(R"("parameters": {"ElementBytes": 16})"),
        "s.json: parameters.ElementBytes is 16: legal is at most DataWidth / 8"},
       {Mover(R"("parameters": {"RomWords": 4})"),
        "s.json: parameters.RomWords is 4: legal is 0 where there is no rom"},
       {Mover(R"("parameters": {"RamWords": 4})"),
        "s.json: parameters.RamWords is 4: legal is 0 unless Ranges and BaseFirst"},
       {Mover(R"("rom": {"beats": ["0x00"]})"),
        "s.json: rom.beats[0] is \"0x00\": legal is 0x and 16 hexadecimal digits"},
       {Mover(R"("rom": {"file": "none.txt", "type": "int8"})"),
        "s.json: rom.file is \"none.txt\": none.txt cannot be read: No such file or directory, "
        "legal is the name of a file"},
       {Mover(R"("rom": {"file": "/dev/zero", "type": "int8"})"),
        "s.json: rom.file is \"/dev/zero\": /dev/zero is a device, legal is the name of a file"},
       {Mover(R"("rom": {"file": "none.txt", "type": "int9"})"),
        "s.json: rom.type is \"int9\": legal is"},
       {Mover(R"("address": "0x1000")"),
        "s.json: address is \"0x1000\": legal is a multiple of 0x2000"},
       {Mover(R"("names": [{"data": "a"}])"),
        "s.json: names is [{\"data\":\"a\"}]: legal is an array with an entry for each channel: 2"},
       {Mover(R"("names": [{"data": "a"}, {"list": "a"}])"),
        "s.json: names[1].list is \"a\": legal is another name"},
       {Kernel("Load", "{}"),
        "s.json: k.impl is \"Load\": legal is one of 4DCuboidRead, 4DCuboidWrite"},
       {R"({"k": {"impl": "LoadDdrToStream"}})", "s.json: k has no member \"map\": legal is"},
       {R"({"k": {"impl": "LoadDdrToStream", "map": []}})", "s.json: k.map is []: legal is"},
       {R"({"Kern": {"impl": "LoadDdrToStream", "map": []}})", "s.json: Kern.map is []: legal is"},
       {Kernel("LoadDdrToStream", R"({"in_port": {"buffer": "b"}})"),
        "s.json: k.map[0] has no member \"out\": legal is an object of stream, width"},
       {Kernel("LoadDdrToStream",
               R"({"in_port": {"buffer": "b"}, "out": {"stream": "s", "width": 48}})"),
        "s.json: k.map[0].out.width is 48: legal is one of 16, 32, 64, 128, 256, 512"},
       {Kernel("LoadDdrToStream", R"({"in_port": {"buffer": "b"}, "out_port": {}})"),
        "s.json: k.map[0] has an unknown member \"out_port\": legal are in_port, out"},
       {Kernel("SendRamToStream", R"({"out": {"stream": "s", "width": 16}, "ram": {"depth": 4}})"),
        "s.json: k.parameters.StreamWidth is 16: legal is 32 and more"},
       {Kernel("SendRamToStream", R"({"out": {"stream": "s", "width": 32}, "ram": {"depth": 0}})"),
        "s.json: k.map[0].ram.depth is 0: legal is an integer from 1 to 65536"},
       {Kernel(
            "SendRamToStream",
            R"({"out": {"stream": "s", "width": 32}, "ram": {"depth": 4}}, {"out": {"stream": "s", "width": 32}, "ram": {"depth": 4}})"),
        "s.json: k.map[1].out.stream is \"s\": legal is another name"},
       {Kernel(
            "SendRamToStream",
            R"({"out": {"stream": "s", "width": 32}, "ram": {"depth": 4}}, {"out": {"stream": "t", "width": 64}, "ram": {"depth": 4}})"),
        "s.json: k.map[1].out.width is 64: legal is as in map[0]: 32"},
       {R"({"k": {"impl": "SendRamToStream", "parameters": {"Reads": 2}, "map": [{"out": {"stream": "s", "width": 32}, "ram": {"depth": 4}}]}})",
        "s.json: k.parameters.Reads is 2: legal is what impl and map do not say"},
       {R"({"k": {"impl": "SendRamToStream", "clock_mhz": 0, "map": [{"out": {"stream": "s", "width": 32}, "ram": {"depth": 4}}]}})",
        "s.json: k.clock_mhz is 0: legal is a number"},
       {With(R"("rom": {"beats": ["0x00"]})"), "s.json: rom is "},
       {Mover(R"("start": [[28, 1]])"), "s.json: start is [[28,1]]: legal is absent"}});
}

TEST(Kernels, TextGivesThemAgain) {
  const Spec spec = ParseSpec(
      Mover(
          R"("rom": {"beats": ["0x0011223344556677", "0x8899aabbccddeeff"]}, "names": [{"stream": "px"}], "parameters": {"Writes": 0, "Ranges": true, "BaseFirst": true})"),
      "s.json");
  EXPECT_EQ(spec.parameters.at("RomWords"), 2);
  EXPECT_EQ(spec.rom.at(0), 0x77);
  EXPECT_EQ(spec.rom.at(8), 0xff);
  EXPECT_EQ(spec.names.at(0).stream, "px");
  const Spec again = ParseSpec(SpecText(spec), "t.json");
  EXPECT_EQ(again.parameters, spec.parameters);
  EXPECT_EQ(again.rom, spec.rom);
  EXPECT_EQ(SpecText(again), SpecText(spec));
}

TEST(Kernels, OfTheJsonGenerator) {
  const std::vector<Spec> specs = ParseSpecs(
      R"({"cam": {"impl": "4DCuboidRead", "clock_mhz": 300, "map": [
            {"in_port": {"buffer": "frame", "descriptors": "crop", "latency": 40, "outstanding": 16, "burst_len": 32},
             "out_port": {"stream": "px", "width": 128}}]},
          "sink": {"impl": "4DCuboidWrite", "map": [
            {"in_port": {"stream": "a", "descriptors": "b", "width": 16}, "out_port": {"buffer": "c"}},
            {"in_port": {"stream": "d", "descriptors": "e", "width": 16}, "out_port": {"buffer": "f"}}]}})",
      "s.json");
  ASSERT_EQ(specs.size(), 2U);
  const Spec& cam = specs[0];
  EXPECT_EQ(cam.name, "cam");
  EXPECT_EQ(cam.mhz, 300);
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, int64_t>>{{"Reads", 1},
                                                              {"Writes", 0},
                                                              {"DataWidth", 128},
                                                              {"StreamWidth", 128},
                                                              {"ElementBytes", 16},
                                                              {"ListDepth", 64},
                                                              {"Outstanding", 16},
                                                              {"MaxBurst", 32},
                                                              {"Ranges", 0},
                                                              {"BaseFirst", 0}})
    EXPECT_EQ(cam.parameters.at(name), value) << name;
  EXPECT_EQ(cam.names.at(0).list, "crop");
  EXPECT_EQ(cam.names.at(0).data, "frame");
  const Spec& sink = specs[1];
  EXPECT_EQ(sink.parameters.at("Writes"), 2);
  EXPECT_EQ(sink.parameters.at("DataWidth"), 32);
  EXPECT_EQ(sink.parameters.at("ElementBytes"), 2);
  EXPECT_EQ(sink.names.at(1).stream, "d");
}

// Values by an independent packing: scripts/rom is compared in gen_tools.
TEST(Rom, Values) {
  const TempFolder folder;
  const auto bytes = [&](const std::string& type, const std::string& text) {
    std::ofstream(folder / "v.txt") << text;
    const nlohmann::json json{{"file", "v.txt"}, {"type", type}};
    const std::string spec = folder / "s.json";
    return ReadRom(job::Reader(json, spec, "rom"), 2);
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(bytes("int8", "1\n-1 # one\n\n0xfe\n"), (Bytes{1, 255, 254, 0}));
  EXPECT_EQ(bytes("int16", "-32768\r\n 0x7fff"), (Bytes{0, 0x80, 0xff, 0x7f}));
  EXPECT_EQ(bytes("int64", "-1"), Bytes(8, 255));
  EXPECT_EQ(bytes("half", "1\n-2\n65504\n0.00006103515625\n5.960464477539063e-08\n0.1\ninf\n1e-9"),
            (Bytes{0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0, 4, 1, 0, 0x66, 0x2e, 0, 0x7c, 0, 0}));
  EXPECT_EQ(bytes("float", "0x1p0\n"), (Bytes{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(bytes("double", "-1"), (Bytes{0, 0, 0, 0, 0, 0, 0xf0, 0xbf}));
  for (const auto& [type, text] :
       std::vector<std::pair<std::string, std::string>>{{"int8", "1\n128"},
                                                        {"int8", "1\n-129"},
                                                        {"int8", "1\n0x100"},
                                                        {"int16", "1\n1.5"},
                                                        {"int64", "1\n18446744073709551616"},
                                                        {"int32", "1\nword"},
                                                        {"half", "1\n65520"},
                                                        {"float", "1\n1e39"},
                                                        {"double", "1\n1e999"},
                                                        {"float", "1\n1 2"}}) {
    try {
      bytes(type, text);
      ADD_FAILURE() << type << " takes " << text;
    } catch (const job::Error& error) {
      EXPECT_NE(std::string(error.what()).find("legal is a file in which line 2, \""),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Kernels, EveryPinOfTheTopIsSomewhere) {
  for (const char* parameters :
       {"", R"("Reads": 0, "Writes": 3)",
        R"("Reads": 2, "Writes": 0, "Check": true, "Ranges": true)",
        R"("Reads": 2, "Writes": 0, "RamWords": 4, "BaseFirst": true, "Ranges": true)"}) {
    ExpectEveryPin(Mover(std::string(R"("parameters": {)") + parameters + "}"));
  }
}

TEST(Kernels, AttributesOfInterfaces) {
  const Files files = WriteAll(Elaborate(ParseSpec(
      Mover(
          R"("parameters": {"Reads": 1, "Writes": 1, "ListDepth": 64, "ListBurst": 16, "Outstanding": 32})"),
      "s.json")));
  for (const auto& [path, text] : files) {
    const bool block_design = path.starts_with("vivado/bd_");
    EXPECT_TRUE(block_design || text.find("FREQ_HZ") == std::string::npos) << path;
  }
  const std::string& rtl = files.at("rtl/my_mover.v");
  ExpectAttribute(rtl, "m_axi_rd_0", "NUM_READ_OUTSTANDING 32");
  ExpectAttribute(rtl, "m_axi_wr_0", "NUM_WRITE_OUTSTANDING 32");
  // The list port of a channel has the number of its data port.
  ExpectAttribute(rtl, "m_axi_list_rd_0", "NUM_READ_OUTSTANDING 4");
  ExpectAttribute(rtl, "m_axi_list_wr_0", "NUM_READ_OUTSTANDING 4");
  EXPECT_NE(files.at("vitis/kernel.xml").find("port=\"m_axi_list_wr_0\""), std::string::npos);
  EXPECT_NE(files.at("software/registers.md").find("`CONTROL.AP_CTRL`"), std::string::npos);
  EXPECT_FALSE(files.contains("software/guide.md"));
}

TEST(Kernels, EstimateTellsWhatWasMeasured) {
  const auto rows = Figures().at("area").at("kernels");
  for (const auto& [name, row] : rows.items()) {
    const Design design =
        Elaborate(ParseSpec(Mover("\"parameters\": " + row.at("set").dump()), "s.json"));
    const Estimate estimate = EstimateOf(design);
    EXPECT_NEAR(estimate.lut, row.at("lut").get<double>(), row.at("lut").get<double>() * 0.12)
        << name;
    EXPECT_NEAR(estimate.ff, row.at("ff").get<double>(), row.at("ff").get<double>() * 0.12) << name;
  }
  EXPECT_EQ(Elaborate(ParseSpec(Mover("\"parameters\": {}"), "s.json")).spec.mhz,
            100);  // not measured
}

// Two kernels below one folder.
TEST(Kernels, OnlyWhatGenWroteIsReplaced) {
  const std::string load = R"({"impl": "LoadDdrToStream", "map": [{"in_port": {"buffer": "b"},
                               "out": {"stream": "s", "width": 32}}]})";
  ExpectThatOnlyItsOwnIsReplaced(R"({"one": )" + load + R"(, "two": )" + load + "}");
}

}  // namespace
}  // namespace tessera::gen
