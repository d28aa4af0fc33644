"""Copies of the tree under build/mutate, where faults are planted, built and tested."""

import functools
import hashlib
import re
import shutil
import sys
import time
import tomllib
from collections import defaultdict

import repo
import switches
import tasks
from stages import reason, stages_of

KILLED, SURVIVED, EXPLAINED, BROKEN, SAME = "killed", "survived", "explained", "not compiled", "no effect"
STATES = (KILLED, SURVIVED, EXPLAINED, BROKEN, SAME)


@functools.cache
def proofs_of(module):
    """The proofs in whose top the module stands, and those that read it as a part of something."""
    known = repo.sources_by_name()
    direct, parts = [], []
    for path in sorted((repo.ROOT / "formal").glob("*.toml")):
        top = known[tomllib.loads(path.read_text())["top"]]
        if module in repo.reads(top, known):
            direct.append(path.stem)
        elif module in repo.closure(top, known):
            parts.append(path.stem)
    return direct, parts


class Copy:
    """A copy of the tree with builds of its own."""

    def __init__(self, name, jobs=1):
        self.tree, self.jobs = repo.ROOT / "build/mutate" / str(name), jobs
        self.limits = {}
        self.update()
        (self.tree.parent / "FUSESOC_IGNORE").touch()  # FuseSoC finds the core in the tree alone

    def update(self):
        """Brings the copy up to date, touching only files that differ: the builds stay incremental."""
        wanted = set(repo.tracked("."))
        for name in wanted:
            source, target = repo.ROOT / name, self.tree / name
            text = self.contents(name)
            if not target.exists() or target.read_bytes() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
            shutil.copymode(source, target)
        for target in list(self.tree.glob("rtl/**/*.sv")):
            if str(target.relative_to(self.tree)) not in wanted:
                target.unlink()
        if not (self.tree / ".venv").exists():
            (self.tree / ".venv").symlink_to(repo.VENV)

    def contents(self, name):
        return (repo.ROOT / name).read_bytes()

    def environment(self):
        """Lets the copies share what ccache knows, although they lie in different folders."""
        return {"CCACHE_BASEDIR": str(self.tree), "CCACHE_NOHASHDIR": "1"}

    def configure(self, stage):
        """Also makes the C++ of the models: (exit code, output)."""
        return tasks.call(
            ["cmake", "-S", self.tree, "-B", self.tree / stage.folder(), "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DTESSERA_TRACE=OFF",
             "-DTESSERA_OPTIMISE=-O1", f"-DTESSERA_CONFIGS={stage.config}", f"-DTESSERA_FABRICS={stage.fabrics}",
             f"-DTESSERA_DMAS={stage.dmas}", f"-DTESSERA_MOVERS={stage.movers}", f"-DTESSERA_AIEMLS={stage.aiemls}"],
            1800, env=self.environment())

    def build(self, stage):
        code, output = self.configure(stage)
        return (code, output) if code else self.compile(stage)

    def compile(self, stage):
        return tasks.call(["cmake", "--build", self.tree / stage.folder(), f"-j{self.jobs}", "--target",
                           *stage.targets], 7200, env=self.environment())

    def test(self, stage, chosen=""):
        """The commands one after the other until one fails: (exit code, output)."""
        code, output = 0, ""
        for command in stage.commands:
            code, output = tasks.call(["bash", "-c", command.replace("{build}", str(self.tree / stage.folder()))],
                                      self.limits.get(stage, 900.0), cwd=self.tree, env={switches.VARIABLE: chosen})
            if code:
                break
        return code, output

    def baseline(self, stage):
        """Tests without a fault: that must pass, and tells how long the commands may take."""
        start = time.monotonic()
        code, output = self.test(stage)
        if code:
            sys.exit(f"without any fault a command fails:\n{tasks.shorten(output)}")
        seconds = time.monotonic() - start
        self.limits[stage] = 20 + 5 * seconds
        print(f"  {stage.name}: the commands take {seconds:.1f} s", flush=True)


class Switchboard(Copy):
    """A copy in which every fault that has a switch is planted; a program is told which one holds."""

    def __init__(self, faults, jobs):
        self.sources, self.faults = {}, defaultdict(list)
        for fault in faults:
            self.faults[fault.path].append(fault)
            self.sources.setdefault(fault.path, switches.Source(fault.path))
        super().__init__("switched", jobs)

    def contents(self, name):
        if name in self.sources:
            return self.sources[name].switched(self.faults[name]).encode()
        return super().contents(name)

    def has(self, fault):
        return fault in self.sources[fault.path].numbers.values()

    def prepare(self, stage):
        """Builds and tests a stage; switches that do not compile are taken out."""
        print(f"building {stage.name} with {sum(len(s.numbers) for s in self.sources.values())} faults", flush=True)
        while True:
            code, output = self.build(stage)
            if code == 0:
                break
            wrong = {(path, int(line)) for path, line in re.findall(r"^%Error[^\n]*?: \S*?(rtl/\S+?\.sv):(\d+):", output, re.M)}
            if not any(path in self.sources and self.sources[path].drop(line) for path, line in sorted(wrong)):
                sys.exit(f"with the switches of the faults the build fails:\n{tasks.shorten(output, 30, 30)}")
            print("  taken out, no switch is possible: " + ", ".join(f"{path}:{line}" for path, line in sorted(wrong)), flush=True)
            self.update()
        self.baseline(stage)

    def judge(self, fault, stage):
        """What notices the fault in this stage, or None."""
        source = self.sources[fault.path]
        number = next(number for number, other in source.numbers.items() if other == fault)
        code, output = self.test(stage, f"{source.module}={number}")
        return reason(output, code) if code else None


class Workshop(Copy):
    """A copy where one fault at a time is planted in the text."""

    def __init__(self, number):
        self.originals = {}
        super().__init__(number)

    def model(self, stage):
        """A fingerprint of the generated models."""
        digest = hashlib.sha256()
        # The models of cells lie a folder deeper than those of configurations and fabrics.
        for path in sorted((self.tree / stage.folder()).glob("verilated/**/V*")):
            if path.suffix in (".cpp", ".h"):
                digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def prepare(self, stage, tests=True):
        """Makes the models of a stage without a fault; builds and tests it too. Once."""
        if stage not in self.originals:
            self.must("be configured", *self.configure(stage))
            self.originals[stage] = self.model(stage)
        if tests and stage not in self.limits:
            self.must("be built", *self.compile(stage))
            self.baseline(stage)

    @staticmethod
    def must(what, code, output):
        if code:
            sys.exit(f"without any fault a stage cannot {what}:\n{tasks.shorten(output)}")

    def same(self, stage):
        """Whether the models of a stage are those without a fault; None if they cannot be made."""
        made = [path.relative_to(self.tree / stage.folder())
                for path in (self.tree / stage.folder()).glob("verilated/**/V*.cmake") if not path.stem.endswith("_copy")]
        code, _ = tasks.call(["cmake", "--build", self.tree / stage.folder(), "--target", *made], 1800, env=self.environment())
        return None if code else self.model(stage) == self.originals[stage]

    def planted(self, fault, act):
        """What a function returns while the fault stands in the copy."""
        path = self.tree / fault.path
        text = path.read_text()
        path.write_text(fault.apply(text))
        try:
            return act()
        finally:
            path.write_text(text)

    def refuted(self, fault, seconds=900):
        """The proof that fails with the fault in that time, or None."""
        direct, parts = proofs_of((self.tree / fault.path).stem)
        return self.planted(fault, lambda: self._prove(direct or parts, seconds)) if direct or parts else None

    def _prove(self, names, seconds):
        code, output = tasks.call(["scripts/prove", "--proofs-alone", "--jobs", "1", *names], seconds, cwd=self.tree)
        if code != tasks.TIMEOUT and not re.search(r"^\d+ passed, \d+ failed$", output, re.M):
            sys.exit(f"the proofs {', '.join(names)} cannot be run:\n{tasks.shorten(output)}")
        found = re.search(r"^\[.*  FAIL +[\d.]+ s +FAIL.*$", output, re.M)
        return found.group(0)[:160] if found else None

    def shows(self, fault):
        """(status, why) of a fault that nothing notices: whether it is there at all."""
        for stage in stages_of(fault.path):
            self.prepare(stage, tests=False)
            same = self.planted(fault, lambda s=stage: self.same(s))
            if not same:
                return explained(fault) if same is False else (BROKEN, "")
        return SAME, ""

    def judge(self, fault):
        """(status, why) of a fault that has no switch."""
        stages, effect = stages_of(fault.path), False
        for stage in stages:
            self.prepare(stage)
            same, code, output = self.planted(fault, lambda s=stage: self.attempt(s))
            if same is None:
                return BROKEN, tasks.shorten(output, 0, 6)
            effect = effect or not same
            if code:
                return KILLED, reason(output, code)
            if stage is stages[0] and (why := self.refuted(fault)):
                return KILLED, why
        return explained(fault) if effect else (SAME, "")

    def attempt(self, stage):
        """(whether the models are the same, exit code, output) with the fault that is planted."""
        same = self.same(stage)
        if same is not False:
            return same, 0, ""
        code, output = self.compile(stage)
        return (None, code, output) if code else (False, *self.test(stage))


def explained(fault, entries=[]):
    """(status, why) of a survivor: explained if tests/mutation/explained.toml holds it."""
    if not entries:
        path = repo.ROOT / "tests/mutation/explained.toml"
        entries += tomllib.loads(path.read_text()).get("survivor", []) if path.exists() else []
    for entry in entries:
        if (entry["file"], entry["fault"]) == (fault.path, fault.operator) and entry["code"] == fault.code \
                and all(entry.get(side, text.strip()) == text.strip()
                        for side, text in (("before", fault.before), ("after", fault.after))):
            return EXPLAINED, entry["reason"]
    return SURVIVED, ""
