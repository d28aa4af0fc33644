"""A night in shards: each is one command that any machine with the checkout can run, and leaves one file in a shared folder.

The plan (plan.json) is made once: revision, seed, and the command of every shard. A result stands in done/NUMBER.json; it is
linked there whole, by the first that has it: a shard that ran twice counts once, one that was killed leaves nothing and runs
again. What holds is only what is in done.
"""

import json
import os
import random
import resource
import shutil
import socket
import sys
import time
from collections import defaultdict
from pathlib import Path

import repo
import tasks

ATTEMPTS = 3  # of a shard that leaves no result
SHARD_SECONDS = 24 * 3600
LONGEST = 20 * 24 * 3600  # of an array


class Shards:
    """The plan of a folder, and what has been done of it."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.path = self.folder / "plan.json"
        self.plan = json.loads(self.path.read_text()) if self.path.exists() else None

    def make(self, about, shards):
        """Writes the plan: shards are (kind, name, command, file that it leaves or None)."""
        for name in ("done", "work", "log"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.plan = {**about, "shards": [{"kind": kind, "name": name, "command": [str(part) for part in command], "leaves": leaves}
                                         for kind, name, command, leaves in shards]}
        repo.write_whole(self.path, json.dumps(self.plan, indent=1) + "\n")

    def result(self, number):
        return self.folder / "done" / f"{number}.json"

    def read(self, number):
        return json.loads(self.result(number).read_text())

    def missing(self, kind=None):
        return [number for number, shard in enumerate(self.plan["shards"])
                if kind in (None, shard["kind"]) and not self.result(number).exists()]

    def kinds(self):
        return list(dict.fromkeys(shard["kind"] for shard in self.plan["shards"]))

    def run(self, number):
        """Runs a shard whose result is missing, and links its result; returns the result, or None if it was killed."""
        shard = self.plan["shards"][number]
        if self.result(number).exists():
            return self.read(number)
        work = self.folder / "work" / f"{number}-{socket.gethostname()}-{os.getpid()}"
        work.mkdir(parents=True)
        command = [part.replace("{folder}", str(work)) for part in shard["command"]]
        begun = time.monotonic()
        code, output = tasks.call(command, SHARD_SECONDS, cwd=repo.ROOT)
        if code < 0:
            print(f"shard {number} ({shard['name']}): its program was ended by signal {-code}; no result", flush=True)
            return None
        passed, failed = tasks.counts_of(output) or (0, 0)
        if code and not failed or not passed:
            failed = max(failed, 1)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        left = work / shard["leaves"] if shard["leaves"] else None
        result = {"number": number, "revision": self.plan["revision"], "passed": passed, "failed": failed,
                  "seconds": round(time.monotonic() - begun, 1), "processor": round(used.ru_utime + used.ru_stime, 1),
                  "machine": socket.gethostname(), "left": json.loads(left.read_text()) if left and left.suffix == ".json" and left.exists() else None,
                  "work": work.name, "output": tasks.failures_of(output) or tasks.shorten(output, 0, 30) if failed else ""}
        whole = work / "result.json"
        repo.write_whole(whole, json.dumps(result, indent=1) + "\n")
        try:
            os.link(whole, self.result(number))
        except FileExistsError:  # another one was first: that one counts
            return self.read(number)
        return result

    def results(self):
        """number -> result, of the shards that have one."""
        return {number: self.read(number) for number in range(len(self.plan["shards"])) if self.result(number).exists()}


# ---- Where shards run ------------------------------------------------------------------------------------------------


def here(shards, jobs):
    """Runs what is missing on this machine."""
    def task(number):
        shard = shards.plan["shards"][number]

        def go():
            code, output = tasks.call([repo.ROOT / "scripts/shard", shards.folder, number], SHARD_SECONDS, cwd=repo.ROOT)
            done = shards.result(number).exists()
            return tasks.Result(shard["name"], int(done), int(not done), output=output if not done else "", note=f"shard {number}")
        return shard["name"], go
    for _ in range(ATTEMPTS):
        if left := shards.missing():
            tasks.run_all([task(number) for number in left], jobs)


def slurm(shards, options):
    """Hands what is missing to Slurm, an array for each kind of work, and waits for all of them."""
    for attempt in range(1, ATTEMPTS + 1):
        waits = []
        for kind in shards.kinds():
            left = shards.missing(kind)
            if not left:
                continue
            name = f"tessera-{kind}-{os.getpid()}-{attempt}"
            print(f"sbatch: {len(left)} shards of {kind}, attempt {attempt} of {ATTEMPTS}, job {name}", flush=True)
            waits.append((name, left, lambda name=name, left=left: tasks.call([
                "sbatch", "--wait", "--requeue", f"--job-name={name}", f"--array={ranges(left)}", "--ntasks=1", f"--chdir={repo.ROOT}",
                f"--output={shards.folder}/log/%a-{attempt}.txt", *options,
                "--wrap", f"exec {repo.ROOT}/scripts/shard {shards.folder} $SLURM_ARRAY_TASK_ID"], LONGEST)))
        if not waits:
            return

        def task(name, left, submit):
            def go():
                code, output = submit()
                lost = [number for number in left if not shards.result(number).exists()]
                if code and len(lost) == len(left):
                    print(tasks.shorten(output), flush=True)
                states = ended(name) if lost else ""
                return tasks.Result(name, len(left) - len(lost), note=f"{len(lost)} without a result: {states}" if lost else "")
            return name, go
        tasks.run_all([task(*each) for each in waits], len(waits))


def ranges(numbers):
    """1,2,3,7 as 1-3,7: what --array takes."""
    text, numbers = [], sorted(numbers)
    while numbers:
        last = 0
        while last + 1 < len(numbers) and numbers[last + 1] == numbers[0] + last + 1:
            last += 1
        text.append(f"{numbers[0]}-{numbers[last]}" if last else str(numbers[0]))
        numbers = numbers[last + 1:]
    return ",".join(text)


def ended(name):
    """How the jobs of a name ended, as sacct tells it: from accounting, or else from the log of completed jobs."""
    for mode, columns in ((["-X", "-o", "State,NodeList"], (0, 1)), (["-c"], (6, 5))):
        code, output = tasks.call(["sacct", "-n", "-P", f"--name={name}", *mode], 60)
        rows = [line.split("|") for line in output.splitlines() if line.count("|") >= max(columns)]
        if not code and rows:
            counts = defaultdict(int)
            for row in rows:
                if mode != ["-c"] or row[2] == name:
                    counts[f"{row[columns[0]]} on {row[columns[1]]}"] += 1
            return ", ".join(f"{count} {state}" for state, count in sorted(counts.items()))
    return "sacct tells nothing"


# ---- What they came to -----------------------------------------------------------------------------------------------

SUMS = ("turns", "cases", "failed", "transfers", "cycles", "compared", "seconds")  # of scripts/soak


def show_seeds(rows):
    """The table of random programs: a row of SUMS each, and all."""
    every = {**rows, "all": {key: sum(row[key] for row in rows.values()) for key in SUMS}}
    tasks.table(["configuration", *SUMS], [[name, *(f"{row[key]:.0f}" for key in SUMS)] for name, row in every.items()])


def seeds(rows, results):
    """Adds the tables of random programs up."""
    for result in results:
        for name, row in (result["left"] or {"rows": {}})["rows"].items():
            sums = rows.setdefault(name, dict.fromkeys(SUMS, 0))
            for key in SUMS:
                sums[key] += row.get(key, 0)
    return rows


def merge(shards):
    """Merges all results: (a Result for each kind, rows of random programs). A shard without a result is a failure."""
    done, merged, rows = shards.results(), [], {}
    for kind in shards.kinds():
        own = [number for number, shard in enumerate(shards.plan["shards"]) if shard["kind"] == kind]
        results = [done[number] for number in own if number in done]
        lost = [number for number in own if number not in done]
        wrong = [result for result in results if result["revision"] != shards.plan["revision"]]
        seeds(rows, results)
        output = "".join(f"shard {r['number']} ({shards.plan['shards'][r['number']]['name']}):\n{r['output']}\n" for r in results if r["failed"])
        output += "".join(f"shard {number} ({shards.plan['shards'][number]['name']}) has no result\n" for number in lost)
        output += "".join(f"shard {r['number']} is of revision {r['revision']}, not {shards.plan['revision']}\n" for r in wrong)
        merged.append(tasks.Result(kind, sum(r["passed"] for r in results), sum(r["failed"] for r in results) + len(lost) + len(wrong),
                                   sum(r["processor"] for r in results), output=output.strip(),
                                   columns={"shards": len(own), "machines": len({r["machine"] for r in results})}))
    return merged, rows


def coverage(shards):
    """Reports on the counts of all shards together, or None if there are none."""
    counts = shards.folder / "counts"
    shutil.rmtree(counts, ignore_errors=True)
    for number, result in shards.results().items():
        if shards.plan["shards"][number]["leaves"] == "counts":
            counts.mkdir(exist_ok=True)
            for path in sorted((shards.folder / "work" / result["work"] / "counts").glob("*.dat")):
                os.link(path, counts / f"{number}-{path.name}")
    if not counts.exists():
        return None
    return tasks.stage("coverage of all", [repo.ROOT / "scripts/coverage", "--report", "--folder", counts, "--json", shards.folder / "coverage.json"],
                       cwd=repo.ROOT)


# ---- The plan --------------------------------------------------------------------------------------------------------


def of_seeds(build, seed, count, cases):
    """Shards of random programs: each some cases of one program, in turn; cases: name -> number."""
    names = sorted(cases)
    random.Random(seed).shuffle(names)
    for n in range(count):
        name = names[n % len(names)]
        yield "seeds", f"{name} {n // len(names)}", [repo.ROOT / "scripts/soak", "--build", build, "--folder", "{folder}", "--jobs", 1, "--config", name,
                                                     "--seed", f"{seed + n}", "--turns", 1, "--cases", cases[name]], "state.json"


def of_proofs():
    for path in sorted((repo.ROOT / "formal").rglob("*.toml")):
        yield "proofs", path.stem, [repo.ROOT / "scripts/prove", path.stem, "--jobs", 1], None


def of_coverage(seed):
    code, output = tasks.call([repo.ROOT / "scripts/coverage", "--list", "--seed", seed % 2**32], 600)
    if code:
        sys.exit(output)
    for name in output.splitlines():
        yield "coverage", name, [repo.ROOT / "scripts/coverage", "--built", "--alone", "--only", name, "--seed", seed % 2**32, "--folder", "{folder}/counts",
                                 "--jobs", 1], "counts"


def of_faults(seed, drawn, count):
    for n in range(count):
        yield "faults", f"faults {n}/{count}", [repo.ROOT / "scripts/mutate", "--draw", drawn, "--seed", seed, "--part", f"{n}/{count}", "--built",
                                                "--jobs", 1], None


def names(build):
    code, output = tasks.call([repo.ROOT / "scripts/soak", "--build", build, "--list"], 600)
    if code:
        sys.exit(output)
    return output.split()


def rates(build, seconds, jobs):
    """name -> random cases a second of processor time, measured for some seconds each."""
    folder = repo.ROOT / "build/rates"
    shutil.rmtree(folder, ignore_errors=True)
    code, output = tasks.call([repo.ROOT / "scripts/soak", "--build", build, "--folder", folder, "--jobs", jobs, "--turn", seconds,
                               "--turns", len(names(build))], 3600)
    state = folder / "state.json"
    if code or not state.exists():
        sys.exit(f"how fast random programs are cannot be measured:\n{tasks.shorten(output)}")
    return {name: max(row["cases"], 1) / max(row["seconds"], seconds) for name, row in json.loads(state.read_text())["rows"].items()}
