#!/usr/bin/env python3
"""Runs every command and every example of the manual: commands.py BUILD [--update] [PAGE...]

Pages are README.md, those of examples and scripts, and docs/**/*.md. What stands in them is taken so:

  a line of a code block that begins with a program    is run, and must end well
  `$ command` in a code block, and the lines under it  is run, and must print these lines; `...` stands for any lines
  `command with arguments` within a sentence or table  is run, and must end well
  a block of JSON, `{...}` within a sentence           is run as a job, or read as a part of one
  a block of C++                                       is compiled against the simulation library, and run; one that
                                                       includes sw/driver against the driver, and its Program(bus), if
                                                       it has one, is run on the simulated device; one that includes
                                                       adf.h is a program and is run natively
  `folder/file`, [text](file) of a page that is in no site  must be there

Commands run in a folder of their own that looks like the repository with programs built. commands.toml tells what
a placeholder stands for, and names each command that is not run here, with the reason. A block that is none of
these says so: ```text. --update puts what is printed today into the pages.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "examples/README.md", "scripts/README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))]
PROGRAM = re.compile(r"(tessera(_bench)?|(scripts|build|docs/tools|tests)/\S+|cmake|ctest|mkdocs|pip|gtkwave|valgrind|eval|cc|python3|export)(?= |$)")
TIMEOUT = 300


@dataclasses.dataclass
class Example:
    """Something of a page that can be tried."""
    page: str
    line: int  # from 1 on
    kind: str  # command, json, part, cpp, path, link, unknown
    text: str
    output: list | None = None  # lines under `$ command`
    first: int = 0  # where in the page they begin, from 0 on

    def __str__(self):
        return f"{self.page}:{self.line}: {self.text.splitlines()[0]}"


def without_comment(line):
    """A command without what is said about it: after # or three blanks."""
    return re.split(r"\s+# |\s{3,}", line.strip(), maxsplit=1)[0]


def of_block(page, start, language, lines):
    """Examples of a code block whose first line is number `start`, from 0 on."""
    if language == "json":
        yield Example(page, start + 1, "json", "\n".join(lines))
    elif language == "cpp":
        yield Example(page, start + 1, "cpp", "\n".join(lines))
    elif language in ("", "sh", "console"):
        if lines and not lines[0].startswith("$ ") and not PROGRAM.match(lines[0].strip()):
            yield Example(page, start + 1, "unknown", lines[0])
            return
        current = None
        for number, line in enumerate(lines, start):
            if line.startswith("$ "):
                current = Example(page, number + 1, "command", line[2:].strip(), [], number + 1)
                yield current
            elif current:
                current.output.append(line)
            elif PROGRAM.match(line.strip()):
                yield Example(page, number + 1, "command", without_comment(line))
            elif line.strip():
                yield Example(page, number + 1, "unknown", line)


def of_span(page, line, text):
    """Examples of a code span within a line."""
    if text.startswith("{"):
        yield Example(page, line, "part", text)
    elif re.fullmatch(r"tessera \w+", text):  # the name of a command
        yield Example(page, line, "command", text + " --help")
    elif PROGRAM.match(text) and " " in text:
        yield Example(page, line, "command", text)
    elif re.fullmatch(r"[\w.-]+(/[\w.*-]*)+", text):
        yield Example(page, line, "path", text)


def examples(page):
    lines = (ROOT / page).read_text().splitlines()
    n = 0
    while n < len(lines):
        fence = re.match(r"```(\w*)", lines[n])
        if fence:
            end = next(k for k in range(n + 1, len(lines)) if lines[k].startswith("```"))
            yield from of_block(page, n + 1, fence[1], lines[n + 1:end])
            n = end + 1
        elif lines[n].startswith("    ") and (n == 0 or not lines[n - 1].strip()):
            end = n
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            block = [line[4:] for line in lines[n:end]]
            if any(PROGRAM.match(line) or line.startswith("$ ") for line in block):
                yield from of_block(page, n, "", block)
            n = end
        else:
            for span in re.findall(r"`([^`]+)`", lines[n]):
                yield from of_span(page, n + 1, span)
            if not page.startswith("docs/"):  # the site checks its own
                for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", lines[n]):
                    yield Example(page, n + 1, "link", link)
            n += 1


class Sandbox:
    """A folder that looks like the repository, with the programs of a build."""

    def __init__(self, folder, build):
        self.folder, self.build = pathlib.Path(folder), pathlib.Path(build).resolve()
        for entry in ROOT.iterdir():
            if entry.name not in ("build", ".git"):
                (self.folder / entry.name).symlink_to(entry)
        for name in ("release", "demo"):
            (self.folder / "build" / name).mkdir(parents=True)
            for program in self.build.iterdir():
                if program.is_file() and os.access(program, os.X_OK) and program.suffix != ".so":
                    (self.folder / "build" / name / program.name).symlink_to(program)

    def run(self, command):
        environment = {**os.environ, "PATH": f"{self.folder / 'build/release'}:{os.environ['PATH']}", "NO_COLOR": "1"}
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return 124, f"not finished after {TIMEOUT} s"
        return done.returncode, done.stdout


def matches(wanted, seen):
    """Whether lines are as wanted; a line `...` stands for any number of them, at its end for the rest of it."""
    if not wanted:
        return not seen
    if wanted[0] == "...":
        return any(matches(wanted[1:], seen[k:]) for k in range(len(seen) + 1))
    if not seen:
        return False
    first, cut = wanted[0].rstrip(), wanted[0].endswith(" ...")
    same = seen[0].startswith(first[:-4]) if cut else seen[0].rstrip() == first
    return same and matches(wanted[1:], seen[1:])


class Checker:
    def __init__(self, rules, sandbox):
        self.rules, self.sandbox, self.used, self.helps = rules, sandbox, set(), {}

    def substituted(self, command):
        for number, rule in enumerate(self.rules.get("substitute", [])):
            if rule["text"] in command:
                self.used.add(("substitute", number))
                command = command.replace(rule["text"], rule["by"])
        return command

    def exemption(self, command):
        for number, rule in enumerate(self.rules.get("exempt", [])):
            if re.match(rule["command"], command):
                self.used.add(("exempt", number))
                return rule["why"]
        return None

    def plausible(self, command):
        """What can be said of a command that is not run: the program is there and knows its options."""
        for part in re.split(r"&&|\|", command):
            words = shlex.split(part)
            if not words or not words[0].startswith(("scripts/", "docs/", "tests/")):
                continue
            program = ROOT / words[0]
            if not os.access(program, os.X_OK):
                return f"{words[0]} is no program"
            if words[0] not in self.helps:
                self.helps[words[0]] = self.sandbox.run(f"{shlex.quote(words[0])} --help")[1]
            for option in (word for word in words[1:] if word.startswith("--")):
                if option not in self.helps[words[0]]:
                    return f"{words[0]} --help does not tell of {option}"
        return None

    def command(self, example):
        why = self.exemption(example.text)
        if why:
            return self.plausible(example.text)
        code, output = self.sandbox.run(self.substituted(example.text))
        if example.output is None:
            return None if code == 0 else f"exit status {code}\n{output[-2000:]}"
        seen = output.rstrip("\n").splitlines()
        wanted = list(example.output)
        while wanted and not wanted[-1].strip():
            wanted.pop()
        if matches(wanted, seen):
            return None
        return "prints (--update puts it into the page)\n" + "\n".join(seen[:60])

    def json(self, example):
        path = self.sandbox.folder / "example.json"
        path.write_text(example.text)
        code, output = self.sandbox.run("tessera run example.json")
        return None if code == 0 else f"exit status {code}\n{output}"

    def part(self, example):
        """A part of a job: in one of the places it is legal."""
        transfer = {"base": 0, "count": [1], "stride": [1]}
        try:
            value = json.loads(example.text)
        except ValueError as error:
            return f"no JSON: {error}"
        read = {"direction": "read", "transfers": [transfer]}
        region = {"name": "m", "base": 0, "size": 99999}
        write = {"direction": "write", "transfers": [transfer], "stream": {"source": {"hex": "00"}}}
        described = {"name": "d", **transfer}
        program = {"dma": "basic", "locks": [{"name": "free"}, {"name": "full"}],
                   "channels": [{"direction": "read", "tasks": [{"start": "d"}]}]}
        members = ("acquire", "release", "iteration", "side", "header")  # of a descriptor
        change = lambda do: {"do": do, "channel": "logger", "at": 1}
        source = {"stream": {"source": {"hex": "00"}}}
        listed = [{"name": name, **transfer} for name in ("a", "b", "first", "last")]
        places = [{"name": name, "base": 4096 * k, "size": 4096} for k, name in enumerate(("ring", "done", "lists", "image"), 1)]
        told = []
        for job in ({"channels": [read], "memories": [{**region, "data": value}]},
                    {"channels": [read], "memories": [{**region, "dump": value}]},
                    {"channels": [read], "bus": {"errors": [value]}},
                    {"channels": [{**write, "stream": {**write["stream"], "packets": [value]}}]},
                    {"channels": [{**read, "transfers": [{**transfer, "walk": [value]}]}]},
                    *({**program, "descriptors": [{**described, member: value}]} for member in members),
                    {"dma": "basic", "descriptors": [described, {**described, "name": "w"}],
                     "channels": [{"direction": "read", "trigger": value, "tasks": [{"start": "d", "trigger": True}]},
                                  {"name": "camera", "direction": "write", "tasks": [{"start": "w"}],
                                   "stream": {"source": {"hex": "00"}}}]},
                    {"dma": "several", "descriptors": [described],
                     "channels": [{"direction": "write", "trigger": value, "tasks": [{"start": "d", "trigger": True}], **source}]},
                    {"dma": "basic", "memories": places, "descriptors": listed, "channels": [{"direction": "read", "ring": value}]},
                    {"dma": "basic", "memories": places, "descriptors": listed,
                     "channels": [{"direction": "read", "list": value, "tasks": [{"list": True}]}]},
                    {"dma": "several", "memories": places, "channels": [{**read, "windows": [value]}]},
                    *({"dma": "basic", "descriptors": [described], "events": [{"pin": 1, "at": [9]}],
                       "channels": [{"name": name, "direction": "read", "trigger": {"pin": 1},
                                   "tasks": [{"start": "d", "endless": True, "paced": True}]} for name in ("logger", "display")],
                     "actions": actions} for actions in ([value], [value, change("resume")], [change("pause"), value]))):
            (self.sandbox.folder / "part.json").write_text(json.dumps(job))
            code, output = self.sandbox.run("tessera check --parse part.json")
            if code == 0:
                return None
            told.append(output.strip())
        return "legal nowhere in a job\n" + "\n".join(told)

    def driver(self, example):
        """A block on the driver: compiles; its Program, if there is one, is run on the simulated device."""
        path = self.sandbox.folder / "example.cpp"
        runs = "Program(" in example.text
        main = """
#include "sw/driver/tessera/text.hpp"
#include "tb/board/board.h"
#include <cstdio>
int main() {
  tessera::simulation::Board board;
  tessera::simulation::BoardBus bus(board);
  const auto status = Program(bus);
  if (!status.ok()) std::printf("%s\\n", tessera::driver::Text(status));
  return status.ok() && board.refused().empty() ? 0 : 1;
}
""" if runs else ""
        path.write_text(example.text + "\n" + main)
        flags = f"-std=c++20 -Wall -Wextra -Werror -I{ROOT} -I{self.sandbox.build}/generated"
        if not runs:
            code, output = self.sandbox.run(f"g++ {flags} -fsyntax-only example.cpp")
            return None if code == 0 else f"exit status {code}\n{output}"
        names = ("tessera_board", "tessera_dma_bench", "tessera_dmas", "tessera_model", "tessera_harness", "tessera_files")
        archives = [self.sandbox.build / f"lib{name}.a" for name in names]
        if missing := [str(archive) for archive in archives if not archive.exists()]:
            return f"no {', '.join(missing)}: build driver_rtl_tests"
        libraries = " ".join(map(str, archives))
        code, output = self.sandbox.run(f"g++ {flags} example.cpp -o example -Wl,--start-group {libraries} -Wl,--end-group "
                                        "-lfmt -lz -llz4 -pthread -latomic && ./example")
        return None if code == 0 else f"exit status {code}\n{output}"

    def graph(self, example):
        """A whole program on graphs: its input.txt has numbers enough."""
        if not (self.sandbox.build / "libtessera_graph.so").exists():
            return f"{self.sandbox.build} has no libtessera_graph.so"
        (self.sandbox.folder / "example.cpp").write_text(example.text)
        (self.sandbox.folder / "input.txt").write_text("".join(f"{n}\n" for n in range(128)))
        code, output = self.sandbox.run(
            f"g++ -std=c++20 -Wall -Wextra -Werror -Isw/graph -I. -Iinclude example.cpp -o example -L{self.sandbox.build} "
            f"-ltessera_graph -ltessera_sim -Wl,-rpath,{self.sandbox.build} && TESSERA_GRAPH=native ./example && "
            "cmp input.txt output.txt")
        return None if code == 0 else f"exit status {code}\n{output}"

    def cpp(self, example):
        if '#include "sw/driver/' in example.text:
            return self.driver(example)
        if "#include <adf.h>" in example.text:
            return self.graph(example)
        library = next(self.sandbox.build.glob("libtessera_sim.so"), None)
        if not library:
            return f"{self.sandbox.build} has no libtessera_sim.so"
        head = [line for line in example.text.splitlines() if line.startswith(("#include", "using "))]
        body = [line for line in example.text.splitlines() if line not in head]
        path = self.sandbox.folder / "example.cpp"
        path.write_text("\n".join(["#include <cstdint>\n#include <vector>", *head, "int main() {", *body, "}\n"]))
        code, output = self.sandbox.run(
            f"g++ -std=c++17 -Wall -Iinclude example.cpp -o example -L{self.sandbox.build} -ltessera_sim "
            f"-Wl,-rpath,{self.sandbox.build} && ./example")
        return None if code == 0 else f"exit status {code}\n{output}"

    def path(self, example):
        folder, name = example.text.split("/")[0], "NAME" in example.text  # NAME: what the reader has called it
        if name or not (ROOT / folder).is_dir() or folder == "build":
            return None
        return None if list(ROOT.glob(example.text.rstrip("/"))) else "there is no such file"

    def link(self, example):
        return None if ((ROOT / example.page).parent / example.text).exists() else "leads nowhere"

    def unknown(self, _):
        return "neither a command nor what one prints: a block of something else begins with ```text"

    def check(self, example):
        return getattr(self, example.kind)(example)


def update(example, seen):
    """Puts what is printed into the page: what stands before the first `...` of the block, and behind the last."""
    path = ROOT / example.page
    lines = path.read_text().splitlines()
    shown = "\n".join(example.output).rstrip().splitlines()
    gaps = [k for k, line in enumerate(shown) if line == "..."]
    if gaps:
        behind = len(shown) - 1 - gaps[-1]
        seen = seen[:gaps[0]] + shown[gaps[0]:gaps[-1] + 1] + (seen[-behind:] if behind else [])
    indent = re.match(" *", lines[example.first - 1]).group()  # of the command
    lines[example.first:example.first + len(shown)] = [(indent + line).rstrip() for line in seen]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder with the programs")
    parser.add_argument("pages", nargs="*", help="only these")
    parser.add_argument("--update", action="store_true", help="write what is printed today into the pages")
    options = parser.parse_intermixed_args()
    rules = tomllib.loads(pathlib.Path(__file__).with_name("commands.toml").read_text())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(rules, Sandbox(folder, options.build))
        for page in options.pages or PAGES:
            tried = 0
            for example in reversed(list(examples(page))):  # from the end on: an update moves what follows
                wrong = checker.check(example)
                if wrong and options.update and example.output is not None:
                    update(example, checker.sandbox.run(checker.substituted(example.text))[1].splitlines())
                    wrong = None
                tried += 1
                if wrong:
                    failed += 1
                    print(f"FAILED {example}\n{wrong}\n")
                else:
                    passed += 1
            print(f"{page}: {tried} tried", flush=True)
        if not options.pages:
            for kind in ("substitute", "exempt"):
                for number, rule in enumerate(rules.get(kind, [])):
                    if (kind, number) not in checker.used:
                        failed += 1
                        print(f"FAILED commands.toml: nothing in the manual needs {kind} {rule}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
