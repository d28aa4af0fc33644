#!/usr/bin/env python3
"""scripts/soak with programs that stand in for the real ones: what it runs, how failures are told and kept, how it ends."""

import json
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from checks import ROOT, Checks, run, until

SOAK = ROOT / "scripts/soak"
LISTED = [{"name": "engine"}, {"name": "wide"}, {"name": "broken"}, {"name": "silent"}, {"name": "hung"},
          {"name": "build", "dma": {"descriptors": 4}}]
# What `tessera soak` does in each configuration; a turn is two cases.
TESSERA = '''#!/usr/bin/env python3
import json, signal, sys, time
if sys.argv[1] == "config":
    print(json.dumps(LISTED))
    sys.exit()
given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
name = given["--config"]
broken = name == "broken"
if name == "hung":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("a case that never ends", flush=True)
    time.sleep(1000)
time.sleep(0.1)
if name == "silent":
    sys.exit()
if broken:
    print("FAILED a case\\nreproduce: tessera soak --config broken --seed " + given["--seed"])
row = {"config": name, "cases": 2, "failed": int(broken), "transfers": 4, "cycles": 50, "compared": 8, "seconds": 0.1}
open(given["--save"], "w").write(json.dumps({"rows": [row]}))
sys.exit(broken)
'''.replace("LISTED", repr(LISTED))
check = Checks()


class Stage:
    """A folder with the programs, and scripts/soak on them."""

    def __init__(self, folder):
        self.folder, self.state = folder, folder / "state"
        self.program("tessera", TESSERA)
        self.program("dma_random", "#!/bin/sh\necho build\n")

    def program(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def command(self, *arguments):
        return [SOAK, "--build", self.folder, "--folder", self.state, "--jobs", "1", *arguments]

    def run(self, *arguments):
        return run(*self.command(*arguments), timeout=120)

    def kept(self):
        return json.loads((self.state / "state.json").read_text())


def lists(stage):
    listed = stage.run("--list")[1].split()
    check("every engine is run", {"engine", "wide"} <= set(listed), listed)
    check("a build of tessera_dma is no configuration of tessera", "build" not in listed, listed)
    check("its programs are run", "dma-build-programs" in listed, listed)


def failures(stage):
    code, told = stage.run("--config", "broken", "engine", "--turn", "0.1", "--minutes", "0.03")
    again = re.findall(r"^reproduce: tessera soak --config broken --seed (\d+)$", told, re.M)
    check("a failure ends in an error", code == 1, told)
    check("it is told, with the line that repeats it", len(again) > 0, told)
    check("all that was said of it is kept", "FAILED a case" in (stage.state / f"failures/broken-{again[0]}.txt").read_text())
    kept = stage.kept()
    check("the others go on", kept["rows"]["engine"]["failed"] == 0 < kept["rows"]["engine"]["turns"], kept)
    check("the state holds failures and sums", kept["rows"]["broken"]["failed"] == kept["rows"]["broken"]["turns"] == len(kept["failures"]), kept)
    check("no file of a turn is left", sorted(path.name for path in stage.state.iterdir()) == ["failures", "state.json"])


def resumed(stage):
    before = stage.kept()
    code, told = stage.run("--config", "engine", "--turn", "0.1", "--minutes", "0.02", "--resume")
    after = stage.kept()
    turns = [state["rows"]["engine"]["turns"] for state in (before, after)]
    check("--resume adds up", turns[1] > turns[0] and after["rows"]["engine"]["cases"] == 2 * turns[1], (before, after))
    check("failures of before are told again", after["failures"] == before["failures"] and code == 1
          and f"reproduce: {before['failures'][0]}" in told, told)
    stage.run("--config", "engine", "--turn", "0.1", "--minutes", "0.01")
    check("without it a soak begins anew", set(stage.kept()["rows"]) == {"engine"} and not stage.kept()["failures"], stage.kept())


def silent(stage):
    code, told = stage.run("--config", "silent", "--turn", "0.1", "--minutes", "0.01")
    check("a program without a table is a failure that is told", code == 1 and "which left no table" in told, told)


def hung(stage):
    code, told = stage.run("--config", "hung", "engine", "--turn", "0.1", "--patience", "1", "--minutes", "0.2")
    again = re.search(r"^reproduce: (.*/tessera soak --config hung --seed (\d+) --cases 0), which did not end within 2 s$", told, re.M)
    check("a program that hangs is ended, and told with the command that repeats it", bool(again), told)
    check("it is a failure", code == 1 and stage.kept()["rows"]["hung"]["failed"] == stage.kept()["rows"]["hung"]["turns"], told)
    check("all that it said is kept", again and "a case that never ends" in (stage.state / f"failures/hung-{again[2]}.txt").read_text())
    check("the others have their turns", stage.kept()["rows"].get("engine", {}).get("turns", 0) > 0, stage.kept())
    left = run("pgrep", "-f", f"{stage.folder}/tessera")[1]
    check("nothing of it runs on", not left, left)


def interrupted(stage):
    running = subprocess.Popen(stage.command("--config", "engine", "--turn", "0.1"), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    first = "left out"
    while first.startswith("left out"):
        first = running.stdout.readline()
    running.send_signal(signal.SIGINT)
    rest, _ = running.communicate(timeout=60)
    check("SIGINT ends in order", running.returncode == 0 and re.match(r"engine +seed ", first), first + rest)
    check("with the table", re.search(r"^engine +\d+ +\d+ +0 ", rest, re.M), rest)
    check("and says how to go on", f"\nstopped; goes on with: scripts/soak --resume --build {stage.folder}" in rest and "--config engine" in rest, rest)
    check("turns that ran are kept", stage.kept()["rows"]["engine"]["cases"] == 2 * stage.kept()["rows"]["engine"]["turns"] > 0, stage.kept())


def ended(stage):
    running = subprocess.Popen(stage.command("--config", "hung", "--turn", "100"), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.monotonic() + 30
    until(lambda: run("pgrep", "-f", f"{stage.folder}/tessera soak --config hung")[1], 30)
    time.sleep(0.5)  # it ignores SIGTERM by now
    for _ in range(3):
        running.send_signal(signal.SIGINT)
        time.sleep(0.5)
    rest, _ = running.communicate(timeout=30)
    check("SIGINT again and again ends what hangs at once", "stopped; goes on with" in rest and time.monotonic() < end + 10, rest)


def main():
    with tempfile.TemporaryDirectory() as name:
        stage = Stage(Path(name))
        for part in (lists, failures, resumed, silent, hung, interrupted, ended):
            part(stage)
    check.finish()


if __name__ == "__main__":
    main()
