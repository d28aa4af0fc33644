#!/usr/bin/env python3
"""Wrong arguments of scripts are one sentence, before anything is installed or built."""

import shlex
import tempfile
from pathlib import Path

from checks import ROOT, Checks, repository, run

SET_UP = "setting up"
WRONG = [  # command, what is told
    ("area --only nope", "--only is 'nope'; legal is a word in one of the rows: tessera_dma; tessera_dma, 4 + 4 channels; "),
    ("area --costs --only nope", "--only is 'nope'; legal is a word in one of the rows: base; "),
    ("clock --only nope", "--only is 'nope'; legal is a word in one of the rows: tessera_dma; "),
    ("test nosuchword", "no step and no test is called 'nosuchword'; steps are lint, build, "),
    ("test engine nosuchword", "no step and no test is called 'nosuchword'"),
    ("mutate", "a PATH, --draw N or --fault NAME is needed"),
    ("mutate --draw 0", "'0' is no number of faults; legal is 1 or more"),
    ("mutate --draw -3", "'-3' is no number of faults; legal is 1 or more"),
]
RIGHT = ["area --only lists", "area --costs --only lists", "clock --only 512", "mutate --draw 1",
         *(f"test {word}" for word in ("lint", "engine", "gen_sim", "corners", "engine_random_3", "graph_example_pair"))]
check = Checks()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository(folder, "scripts")
        for part in ("rtl", "cmake", "tests", "examples"):
            (folder / part).symlink_to(ROOT / part)
        for script in ("setup", "venv"):  # as where nothing can be installed
            (folder / "scripts" / script).write_text(f"#!/bin/sh\necho {SET_UP}\nexit 1\n")
        for command, sentence in [*WRONG, *((command, None) for command in RIGHT)]:
            script, *words = shlex.split(command)
            code, told = run(folder / "scripts" / script, *words, cwd=folder)
            good = sentence in told and SET_UP not in told and "Traceback" not in told if sentence else SET_UP in told
            check(command, good and code != 0, told)
    check.finish()


if __name__ == "__main__":
    main()
