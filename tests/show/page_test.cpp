// The page in a real browser: it draws, steps and links.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"
#include "tools/show/picture.h"

namespace tessera::show {
namespace {

namespace fs = std::filesystem;

std::string OutputOf(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  for (size_t n = 0; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  pclose(pipe);
  return text;
}

std::string Browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (!OutputOf(fmt::format("command -v {} 2>/dev/null", name)).empty()) return name;
  }
  return "";
}

// Runs a script in the page, after it has begun, and returns what the script returns.
class Page : public ::testing::Test {
 protected:
  void SetUp() override {
    browser_ = Browser();
    if (browser_.empty()) GTEST_SKIP() << "no Chromium: scripts/setup installs it";
    folder_ = fs::temp_directory_path() / fmt::format("tessera_page_{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  nlohmann::json Run(const std::string& page, const std::string& script) const {
    const std::string probe = fmt::format(
        "<script>\n"
        "const texts = (selector) => [...document.querySelectorAll(selector)].map((n) => "
        "n.textContent);\n"
        "const over = (node) => node.dispatchEvent(new PointerEvent('pointerover', {{bubbles: "
        "true}}));\n"
        "const key = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: "
        "name, bubbles: true, cancelable: true}}));\n"
        "const at = () => Number(document.body.dataset.at);\n"
        "let result;\n"
        "try {{ result = (() => {{ {} }})(); }} catch (error) {{ result = {{error: "
        "String(error)}}; "
        "}}\n"
        "const out = document.createElement('pre');\nout.id = 'result';\n"
        "out.textContent = btoa(JSON.stringify(result));\ndocument.body.append(out);\n"
        "</script>\n</body>",
        script);
    std::string text = page;
    text.replace(text.rfind("</body>"), 7, probe);
    const fs::path file = folder_ / "page.html";
    std::ofstream(file) << text;
    const std::string command = fmt::format(
        "timeout 100 {} --headless --no-sandbox --disable-gpu --user-data-dir={} --dump-dom "
        "file://{} "
        "2>/dev/null",
        browser_, (folder_ / "profile").string(), file.string());
    const std::string dom = OutputOf(command);
    const std::string mark = "<pre id=\"result\">";
    const size_t from = dom.find(mark);
    if (from == std::string::npos) {
      ADD_FAILURE() << "the page did not run:\n" << dom.substr(0, 2000);
      return {};
    }
    const size_t begin = from + mark.size();
    return nlohmann::json::parse(Decoded(dom.substr(begin, dom.find('<', begin) - begin)));
  }

  static std::string Decoded(const std::string& text) {
    static const std::string kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
      const size_t digit = kDigits.find(c);
      if (digit == std::string::npos) continue;
      bits = bits << 6 | static_cast<uint32_t>(digit);
      have += 6;
      if (have >= 8) {
        have -= 8;
        out += static_cast<char>(bits >> have & 0xFF);
      }
    }
    return out;
  }

  std::string browser_;
  fs::path folder_;
};

std::string PageOf(const Subject& subject, const std::string& name = "transfer") {
  return MakePage(MakeReport(name, subject, {}));
}

// 4 x 3 elements of 4 bytes, columns first: each element is a burst of its own.
Subject Transposed() { return SubjectOf(Dense(0x1000, {3, 4}, {16, 4}, 4)); }

TEST_F(Page, StepsByKeysAndButtons) {
  Proves({"show.page"});
  const auto result = Run(PageOf(Transposed()), R"js(
    const seen = [at()];
    key('ArrowRight'); seen.push(at());
    key('ArrowRight'); seen.push(at());
    key('ArrowLeft'); seen.push(at());
    key('End'); seen.push(at());
    key('ArrowRight'); seen.push(at());
    key('Home'); seen.push(at());
    key('ArrowLeft'); seen.push(at());
    document.getElementById('next').click(); seen.push(at());
    document.getElementById('last').click(); seen.push(at());
    document.getElementById('back').click(); seen.push(at());
    document.getElementById('first').click(); seen.push(at());
    const slider = document.getElementById('slider');
    slider.value = '7'; slider.dispatchEvent(new Event('input')); seen.push(at());
    return {seen, now: document.getElementById('now').textContent,
            marked: texts('#memory .cell.now'), todo: texts('#memory .cell.todo').length,
            row: texts('tr.now td')};
  )js");
  EXPECT_EQ(result["seen"], (nlohmann::json{0, 1, 2, 1, 11, 11, 0, 0, 1, 11, 10, 0, 7}));
  EXPECT_NE(result["now"].get<std::string>().find("address 0x1018"), std::string::npos);
  EXPECT_EQ(result["marked"], nlohmann::json{"7"});
  EXPECT_EQ(result["todo"], 4);
  EXPECT_EQ(result["row"], (nlohmann::json{"7", "1", "2", "0x1018", "3", "4", "7"}));
}

TEST_F(Page, KeysJumpByRowAndByBurst) {
  Proves({"show.page"});
  // Rows of 8 bytes with a gap: 4 rows, 4 bursts.
  const auto result = Run(PageOf(SubjectOf(Dense(0x1000, {8, 4}, {1, 24}))), R"js(
    const seen = [];
    for (const name of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'PageDown',
                        'PageDown', 'PageUp']) { key(name); seen.push(at()); }
    return seen;
  )js");
  EXPECT_EQ(result, (nlohmann::json{8, 16, 17, 16, 8, 16, 24, 16}));
}

TEST_F(Page, PointingAtOneThingLightsTheOthers) {
  Proves({"show.page"});
  const auto result = Run(PageOf(Transposed()), R"js(
    const hot = () => ({cells: texts('#memory .cell.hot').map(Number).sort((a, b) => a - b),
                        beats: texts('#stream .cell.hot').map(Number).sort((a, b) => a - b),
                        rows: texts('tr.hot td:first-child').map(Number),
                        chips: texts('.chip.hot'), labels: texts('.label.hot'),
                        frames: document.querySelectorAll('.frame.hot').length});
    const find = (selector, text) => [...document.querySelectorAll(selector)].find((n) => n.textContent === text);
    const all = {};
    over(find('#memory .cell', '4')); all.cell = hot();
    over(find('#stream .cell', '4')); all.lane = hot();
    over(find('tr td', '0x1014')); all.row = hot();
    over(document.querySelectorAll('#bursts .chip')[4]); all.burst = hot();
    over(find('#stream .label', '2')); all.beat = hot();
    over(document.querySelector('h1')); all.none = hot();
    return all;
  )js");
  // Element 4 is at 0x1014, in beat 2, and is burst 4.
  const nlohmann::json one{{"cells", {4}},    {"beats", {4}},
                           {"rows", {4}},     {"chips", {"4: 0x1010 + 1"}},
                           {"labels", {"2"}}, {"frames", 1}};
  EXPECT_EQ(result["cell"], one);
  EXPECT_EQ(result["lane"], one);
  EXPECT_EQ(result["row"], one);
  EXPECT_EQ(result["burst"]["cells"], nlohmann::json{4});
  EXPECT_EQ(result["burst"]["rows"], nlohmann::json{4});
  EXPECT_EQ(result["burst"]["chips"], nlohmann::json{"4: 0x1010 + 1"});
  EXPECT_EQ(result["beat"]["cells"], (nlohmann::json{4, 5}));
  EXPECT_EQ(result["beat"]["rows"], (nlohmann::json{4, 5}));
  EXPECT_EQ(result["none"]["cells"], nlohmann::json::array());
  EXPECT_EQ(result["none"]["frames"], 0);
}

TEST_F(Page, APlaceOfSeveralVisitsShowsTheOneAtHand) {
  Proves({"show.page"});
  // Four bytes, three times.
  const auto result = Run(PageOf(SubjectOf(Dense(0x1000, {4, 3}, {1, 0}))), R"js(
    const seen = [texts('#memory .cell')];
    for (let n = 0; n < 5; ++n) key('ArrowRight');
    seen.push(texts('#memory .cell'));
    key('End'); seen.push(texts('#memory .cell'));
    key('Home'); seen.push(texts('#memory .cell'));
    return seen;
  )js");
  const nlohmann::json begin{"0+", "1+", "2+", "3+"};
  EXPECT_EQ(result,
            (nlohmann::json{begin, {"4+", "5+", "2+", "3+"}, {"8", "9", "10", "11"}, begin}));
}

TEST_F(Page, AClickGoesThereAndFillHasItsOwnLook) {
  Proves({"show.page"});
  model::Transfer t = Dense(0x1000, {6, 3}, {1, 16});
  t.start[0] = -1;
  t.bound[0] = 4;
  const auto result = Run(PageOf(SubjectOf(t)), R"js(
    [...document.querySelectorAll('tr td')].find((n) => n.textContent === '0x1012').click();
    return {at: at(), fill: texts('#memory .cell.fill').map(Number),
            stream: texts('#stream .cell.fill').map(Number)};
  )js");
  EXPECT_EQ(result["at"], 9);
  const nlohmann::json fill{0, 5, 6, 11, 12, 17};
  EXPECT_EQ(result["stream"], fill);
  EXPECT_EQ(result["fill"].size(), fill.size());
}

TEST_F(Page, PlaysAndPauses) {
  Proves({"show.page"});
  const auto result = Run(PageOf(Transposed()), R"js(
    const play = document.getElementById('play'), seen = [play.textContent.slice(2)];
    key(' '); seen.push(play.textContent.slice(2));
    key(' '); seen.push(play.textContent.slice(2));
    play.click(); seen.push(play.textContent.slice(2));
    key('ArrowRight'); seen.push(play.textContent.slice(2));
    return seen;
  )js");
  EXPECT_EQ(result, (nlohmann::json{"play", "pause", "play", "pause", "play"}));
}

TEST_F(Page, EveryKindOfTransferIsDrawnWithoutAnError) {
  Proves({"show.page"});
  std::vector<Subject> subjects{SubjectOf(Dense(0x1000, {0}, {1})),
                                SubjectOf(Dense(0x1003, {5000}, {1})),
                                SubjectOf(Dense(0x1000, {64, 64, 16}, {1, 64, 4096}))};
  Rng rng(7);
  for (const Config& config : {PlainConfigs()[2], PlainConfigs()[4]}) {
    subjects.push_back({RandomTransfer(rng, config, 0x40000000, 200), Direction::kWrite, config});
  }
  for (const Subject& subject : subjects) {
    const auto result = Run(PageOf(subject, "<b>\"&</script>"), R"js(
      return {name: document.getElementById('name').textContent, bold: document.querySelectorAll('b').length,
              wide: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
              cells: document.querySelectorAll('#memory .cell').length};
    )js");
    EXPECT_EQ(result["name"].get<std::string>().find("script>"), 0U) << result;
    EXPECT_EQ(result["bold"], 0) << result;
    EXPECT_EQ(result["wide"], true) << model::ToString(subject.transfer);
  }
}

// Nothing of it comes from elsewhere.
TEST(PageText, NeedsNoNetwork) {
  Proves({"show.page"});
  const std::string page = PageOf(Transposed());
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_FALSE(std::regex_search(page, std::regex(" (src|href)=|@import|url\\(")));
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

}  // namespace
}  // namespace tessera::show
