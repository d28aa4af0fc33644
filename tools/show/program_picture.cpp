// The picture of a program and its page; see program.h.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "show/embedded.h"
#include "tb/sim/counted.h"
#include "tools/pictures/canvas.h"
#include "tools/show/program.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

constexpr double kIndent = 18, kBox = 34, kRow = 52, kTitle = 20, kTask = 16, kLockWidth = 96;
constexpr TextStyle kNote{.size = 11, .colour = kSoft};

// Tasks with the same chain stand together.
struct Chain {
  std::vector<const job::Task*> tasks;
  std::vector<const job::Descriptor*> descriptors;
};

std::vector<Chain> ChainsOf(const job::Job& job, const job::Channel& channel) {
  std::vector<Chain> chains;
  for (const job::Task& task : channel.tasks) {
    const auto same = std::find_if(chains.begin(), chains.end(), [&](const Chain& c) {
      return c.tasks.front()->start == task.start && c.tasks.front()->list == task.list;
    });
    if (same != chains.end()) {
      same->tasks.push_back(&task);
    } else {
      chains.push_back({{&task}, job.ChainOf(task)});
    }
  }
  return chains;
}

class Picture {
 public:
  Picture(const job::Job& job, const job::Hardware& hardware) : job_(job), hardware_(hardware) {
    for (const job::Descriptor& d : job.descriptors) {
      width_ =
          std::max({width_, 24 + Canvas::TextWidth(d.transfer.name, {.size = 12, .bold = true}),
                    24 + Canvas::TextWidth(MovesWords(job, d), kNote)});
    }
  }

  std::string Draw() {
    const std::string title =
        fmt::format("{}: a program for tessera_dma {}", FileName(job_.file), hardware_.config.name);
    canvas_.Text(0, 0, title, {.size = 14, .bold = true});
    y_ = 44;
    top_ = y_;
    for (const job::Channel& channel : job_.channels) DrawChannel(channel);
    Canvas below;
    DrawLocks(&below);
    return below.Join(canvas_).Finish(title);
  }

 private:
  double LockX(size_t n) const {
    return kIndent + width_ + 70 + kLockWidth * static_cast<double>(n);
  }

  void DrawChannel(const job::Channel& channel) {
    std::string words = fmt::format("{}: {}", channel.name, DirectionWords(channel.direction));
    canvas_.Text(0, y_, words, {.size = 13, .bold = true});
    y_ += kTitle;
    if (channel.trigger.kind != job::Trigger::Kind::kNone) {
      canvas_.Text(kIndent, y_ - 2, "trigger: " + TriggerWords(job_, channel.trigger), kNote);
      y_ += kTask;
    }
    if (!channel.transfers.empty()) {
      canvas_.Text(kIndent, y_ - 2,
                   Plural(channel.transfers.size(), "transfer") + ", a descriptor each", kNote);
      y_ += kTask;
    }
    if (channel.list) {
      canvas_.Text(kIndent, y_ - 2, ListWords(job_, *channel.list), kNote);
      y_ += kTask;
    }
    for (const Chain& chain : ChainsOf(job_, channel)) DrawChain(chain);
    y_ += 14;
  }

  void DrawChain(const Chain& chain) {
    const job::Task& first = *chain.tasks.front();
    std::string words = Ring(first)               ? "added in turn"
                        : chain.tasks.size() == 1 ? "task"
                                                  : fmt::format("{} tasks", chain.tasks.size());
    if (first.endless) words += ", again and again";
    if (first.repeats > 1) words += fmt::format(", {} times", first.repeats);
    if (first.paced) words += ", each time on the trigger";
    if (first.trigger && !first.paced) words += ", on the trigger";
    if (first.token) words += ", a token at the end";
    canvas_.Text(kIndent, y_ - 2, words, kNote);
    y_ += 6;
    for (size_t n = 0; n < chain.descriptors.size(); ++n) {
      DrawDescriptor(*chain.descriptors[n]);
      if (n + 1 < chain.descriptors.size()) {
        const double x = kIndent + 16;
        canvas_.Line({{x, y_ + kBox}, {x, y_ + kRow}}, kSoft, 1.5, true);
      }
      y_ += kRow;
    }
    y_ += kTask - (kRow - kBox) + 10;
  }

  bool Ring(const job::Task& task) const {
    return std::any_of(job_.channels.begin(), job_.channels.end(), [&task](const job::Channel& c) {
      return c.list && c.list->ring && !c.tasks.empty() && &c.tasks.front() == &task;
    });
  }

  void DrawDescriptor(const job::Descriptor& d) {
    canvas_.Box(kIndent, y_, width_, kBox,
                {.fill = kHue[0].fill, .stroke = kHue[0].stroke, .radius = 4});
    canvas_.Text(kIndent + 10, y_ + 14, d.transfer.name, {.size = 12, .bold = true});
    canvas_.Text(kIndent + 10, y_ + 28, MovesWords(job_, d), kNote);
    for (size_t n = 0; n < job_.locks.size(); ++n) {
      const std::string& lock = job_.locks[n].name;
      const bool waits = d.acquire && d.acquire->lock == lock;
      const bool gives = d.release && d.release->lock == lock;
      if (waits) {
        Cell(n, gives ? y_ + 1 : y_ + 9,
             d.acquire->equal ? fmt::format("if = {}", d.acquire->value)
                              : fmt::format("takes {}", d.acquire->value),
             kHue[1]);
      }
      if (gives) {
        Cell(n, waits ? y_ + 18 : y_ + 9, fmt::format("gives {:+}", d.release->value), kHue[2]);
      }
    }
  }

  void Cell(size_t lock, double y, const std::string& words, const Hue& hue) {
    const double x = LockX(lock);
    canvas_.Box(x - 30, y, 60, 15, {.fill = hue.fill, .stroke = hue.stroke, .radius = 7});
    canvas_.Text(x, y + 11, words, {.size = 10.5, .anchor = Anchor::kMiddle});
  }

  // Names and values above, a line down to the last descriptor, below the cells.
  void DrawLocks(Canvas* below) {
    for (size_t n = 0; n < job_.locks.size(); ++n) {
      const job::Lock& lock = job_.locks[n];
      const double x = LockX(n);
      below->Line({{x, top_ + 4}, {x, y_ - 20}}, kLine, 1, false, "3 3");
      std::string name = lock.name;
      const TextStyle style{.size = 12, .anchor = Anchor::kMiddle, .bold = true};
      while (Canvas::TextWidth(name, style) > kLockWidth - 6) name.pop_back();
      if (name != lock.name) name.back() = '.';
      canvas_.Text(x, top_ - 14, name, style);
      canvas_.Text(x, top_, fmt::format("lock {}, at first {}", *lock.number, lock.value),
                   {.size = 10, .anchor = Anchor::kMiddle, .colour = kSoft});
    }
  }

  const job::Job& job_;
  const job::Hardware& hardware_;
  Canvas canvas_;
  double width_ = 160, y_ = 0, top_ = 0;
};

// EscapeXml drops what ends a line.
std::string EscapeLines(const std::string& text) {
  std::string lines;
  for (size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    lines += EscapeXml(text.substr(at, end - at)) + "\n";
  }
  return lines;
}

}  // namespace

std::string ProgramPicture(const job::Job& job, const job::Hardware& hardware) {
  return Picture(job, hardware).Draw();
}

std::string ProgramPage(const job::Job& job, const job::Hardware& hardware,
                        const std::optional<timeline::Timeline>& run) {
  const std::string name = EscapeXml(FileName(job.file));
  std::string body = fmt::format(
      "<header>\n  <h1 id=\"name\">{}</h1>\n  <p id=\"about\" "
      "class=\"soft\">{}</p>\n</header>\n<main>\n"
      "<section aria-label=\"Program\"><h2>program</h2><div id=\"program\">{}</div></section>\n",
      name, EscapeXml(job.about), ProgramPicture(job, hardware));
  if (run) {
    body += fmt::format(
        "<section aria-label=\"Run\"><h2>run</h2><div id=\"timeline\">{}</div></section>\n",
        DrawTimeline(*run, Counted(run->last - run->first, "cycle")));
    for (const timeline::Lane& lane : run->lanes) {
      const std::string missed = timeline::MissedWords(lane);
      if (!missed.empty()) body += fmt::format("<p class=\"missed\">{}</p>\n", EscapeXml(missed));
    }
  }
  body += fmt::format(
      "<section aria-label=\"Words\"><h2>in words</h2><pre "
      "id=\"words\">{}</pre></section>\n</main>\n",
      EscapeLines(ProgramText(job, hardware)));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" "
      "content=\"tessera "
      "show\">\n<title>{}</"
      "title>\n<style>\n{}main{{display:block}}section{{margin-bottom:1em;overflow-x:auto}}\n</"
      "style>\n</head>\n<body>\n{}</body>\n</html>\n",
      name, embedded::kPageStyle, body);
}

}  // namespace tessera::show
