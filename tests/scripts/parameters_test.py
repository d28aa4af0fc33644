#!/usr/bin/env python3
"""The parameters of the tops: what Python, C++ and the checks of the RTL say is legal is the same; a new one is one line.

  parameters_test.py SOURCE COMPILER
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks, run

SOURCE, COMPILER = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(SOURCE / "cmake"))
import parameters  # noqa: E402

TOPS = sorted(path.stem for path in (SOURCE / "rtl").glob("*/*.toml"))
MAIN = """#include <iostream>
#include "made.h"
int main() {
  for (std::string line; std::getline(std::cin, line);) {
    tessera::Made made;
    tessera::VisitParameters(made, [&](const std::string& name, const char*, const char*, auto& value) {
      const size_t at = line.find(" " + name + "=");
      if constexpr (!std::same_as<decltype(value), std::string&>) {
        if (at != std::string::npos) value = std::stoi(line.substr(at + name.size() + 2));
      }
    });
    std::cout << tessera::Complaint(made) << "\\n";
  }
}
"""
check = Checks()


def drawn(described, draw):
    """Values of some of the parameters: legal ones, and some beside their range or between powers."""
    values = {}
    for p in parameters.numbers(described):
        if draw.random() < 0.6 and not isinstance(p.default, str):  # a default that follows from others
            continue
        if p.flag:
            values[p.name] = draw.random() < 0.5
        elif draw.random() < 0.9:
            values[p.name] = draw.choice(p.powers) if p.power else draw.randint(*p.range)
        else:
            values[p.name] = draw.choice([p.range[0] - 1, min(p.range[1] + 1, 2**31 - 1), p.range[1] - 1])  # C++ has ints
    return values


def agree(top, described, folder):
    """The struct finds a fault where Python finds one, and says the same of it."""
    (folder / "made.h").write_text(parameters.cpp(described, top, "Made"))
    (folder / "main.cpp").write_text(MAIN)
    subprocess.run([COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-o", folder / top, folder / "main.cpp"], check=True)
    draw = random.Random(top)
    all_values = [drawn(described, draw) for _ in range(2000)]
    lines = "".join(" ".join(["", *(f"{name}={int(value)}" for name, value in values.items())]) + "\n" for values in all_values)
    told = subprocess.run([folder / top], input=lines, text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    wrong = 0
    for values, said in zip(all_values, told):
        expected = {text.replace("true", "1").replace("false", "0") for text in parameters.complaints(described, values)}
        wrong += said.replace("true", "1").replace("false", "0") not in (expected or {""})
    check(f"{top}: C++ and Python agree on {len(told)} draws", len(told) == 2000 and not wrong, f"{wrong} differ")
    refused = sum(said != "" for said in told)
    check(f"{top}: draws are of both kinds", 200 < refused < 1900, f"{refused} of 2000 are refused")


def one_line(folder):
    """A parameter that is added to the description is in everything that is made of it."""
    toml = folder / "tessera_dma.toml"
    toml.write_text((SOURCE / "rtl/top/tessera_dma.toml").read_text() +
                    '\nExtra = {range = [2, 8], power = true, default = 4, about = "something more", rules = [["Extra < 8 || Walk", "2 or 4"]]}\n')
    described = parameters.read(toml)
    for name, make, wanted in (
            ("the list", parameters.declarations, "  parameter int unsigned Extra = 4,  // something more\n"),
            ("the checks", parameters.checks, '("Extra = %0d; legal is one of 2, 4, 8", Extra)'),
            ("the rule", parameters.checks, '`TSR_STATIC_ASSERT(ExtraRule0, Extra < 8 || Walk, ("Extra = %0d; legal is 2 or 4", Extra))'),
            ("the configuration", parameters.config, "    int unsigned Extra;\n"),
            ("the defaults", parameters.config, "      Extra: 4\n"),
            ("its values", parameters.configured, "      Extra: Extra + 32'd0\n"),
            ("the struct", lambda p: parameters.cpp(p, "tessera_dma", "Made"), "  int extra = 4;  // something more\n")):
        check(f"a new parameter is in {name}", wanted in make(described), make(described)[-400:])
    (folder / "builds.json").write_text('{"good": {"Extra": 8, "optimise": "-O1"}, "bad": {"Extra": 8, "Walk": false}, "worse": {"Extr": 2}}')
    for build, code, sentence in (("good", 0, ".extra = 8"), ("bad", 1, "bad.Extra is 8: legal is 2 or 4"),
                                  ("worse", 1, "worse.Extr is unknown: legal are Reads, ")):
        ended, told = run(sys.executable, SOURCE / "cmake/parameters.py", "build", toml, folder / "builds.json", build)
        check(f"a build that is {build}", ended == code and sentence in told, told)
    toml.write_text("Reads = {from = 1, default = 1}\n")
    done = subprocess.run([sys.executable, SOURCE / "cmake/parameters.py", "header", toml, "Made", folder / "x.h"], text=True,
                          capture_output=True, check=False)
    check("an unknown key is named", done.returncode == 1 and "'from'" in done.stderr, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for top in TOPS:
            agree(top, parameters.read(parameters.description(SOURCE / "rtl", top)), Path(folder))
        one_line(Path(folder))
    check.finish()


main()
