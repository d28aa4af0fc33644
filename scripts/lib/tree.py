"""The sources that the figures of bench/figures.json depend on, as one hash, and where a measurement was made.

Counted are the modules of rtl, comments and blanks left out, and what measures them: scripts/area, scripts/clock,
what they share, the units and changes they measure, and the versions of their tools. Not counted:
  bench      its figures are those of bench/baseline.csv, which `tessera bench --check` compares with a run
  tests, tb  they decide the coverage alone, and a change of a test must not ask for area and clock again
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import repo

SOURCES = ("rtl/*.sv", "rtl/*.svh", "rtl/sources.json", "scripts/area", "scripts/clock", "scripts/lib/synth.py",
           "scripts/*targets.toml", "scripts/*costs.toml", "scripts/requirements.txt")


def contents(path):
    """A source as the hash counts it."""
    if path.suffix in (".sv", ".svh"):
        return repo.code(path)
    if path.suffix == ".toml":
        return json.dumps(tomllib.loads(path.read_text()), sort_keys=True)
    return path.read_text()


def digest():
    """The hash of the sources as they are in the working folder."""
    whole = hashlib.sha256()
    for name in repo.tracked(*SOURCES):
        whole.update(f"{name}\0{contents(repo.ROOT / name)}\0".encode())
    return whole.hexdigest()


def machine():
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} x {found[1] if found else os.uname().machine}"


def stamp():
    """What a file of measurements says of itself."""
    revision = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], cwd=repo.ROOT,
                              text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    return {"tree": digest(), "revision": revision, "date": datetime.date.today().isoformat(), "machine": machine()}


def write(path, command, begun, figures):
    """Leaves what a command measured for `scripts/figures --write`; begun: the stamp of when it began."""
    if digest() != begun["tree"]:
        sys.exit(f"{command}: the sources changed while they were measured; {path} is not written")
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    repo.write_whole(path, json.dumps({"command": command, **begun, **figures}, indent=1) + "\n")
    print(f"written to {path}")
