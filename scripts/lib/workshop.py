"""One build of the RTL with many faults behind switches, and verdicts on them: all under build/mutate."""

import functools
import json
import re
import sys
import time
from collections import defaultdict

import cache
import repo
import switches
import tasks
from stages import BUILDS, PROGRAMS

KILLED, SURVIVED, ASIDE = "killed", "survived", "aside"
NO_MODEL, NO_SWITCH = "in no model", "no switch is possible: --fault judges it alone"
# What a verdict depends on, beside the tools.
READ = ("CMakeLists.txt", "CMakePresets.json", "docs/guide.md", "rtl", "tb", "tests", "tools", "lib", "sw", "bench", "include", "cmake",
        "formal", "scripts")
UNKNOWN = 300.0  # seconds for a program whose time without a fault is not known yet


class Verdicts:
    """What was noticed before in the same sources."""

    def __init__(self):
        self.cache = cache.Cache("mutate")
        self.inputs = cache.tracked(*READ), [cache.version(tool) for tool in ("verilator", "c++", "cmake")]

    def key(self, fault):
        return cache.digest(self.inputs, fault.path, fault.start, fault.before, fault.after)

    def get(self, fault):
        """(status, why), or None."""
        verdict = self.cache.get(self.key(fault))
        return verdict and (verdict["status"], verdict["why"])

    def put(self, fault, status, why):
        self.cache.put(self.key(fault), {"status": status, "why": why, "fault": str(fault)})


class Workshop:
    """The RTL with faults, the models of it, and the programs that run them. A program is told which fault holds."""

    def __init__(self, faults, jobs):
        self.folder, self.jobs = repo.ROOT / "build/mutate", jobs
        self.sources, self.faults = {}, defaultdict(list)
        for fault in faults:
            self.faults[fault.path].append(fault)
            self.sources.setdefault(fault.path, switches.Source(fault.path))
        self.made = set()  # targets
        self.times, self.refused = self.folder / "times.json", self.folder / "refused.json"
        # command -> [what was built, its seconds without a fault]
        self.seconds = json.loads(self.times.read_text()) if self.times.exists() else {}
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "FUSESOC_IGNORE").touch()  # FuseSoC finds the core in the tree alone

    # ---- What is built -------------------------------------------------------------------------------

    def write(self, alone=None):
        """Writes the RTL, touching only files that differ; `alone`: a fault that is planted in the text of its source."""
        wanted = set(repo.tracked("rtl"))
        for name in wanted:
            target, text = self.folder / name, (repo.ROOT / name).read_bytes()
            if alone and name == alone.path:
                text = self.sources[name].alone(alone).encode()
            elif name in self.sources:
                text = self.sources[name].switched(self.faults[name]).encode()
            if not target.exists() or target.read_bytes() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
        for target in [path for path in (self.folder / "rtl").rglob("*") if path.is_file()]:
            if str(target.relative_to(self.folder)) not in wanted:
                target.unlink()

    def cmake(self, *arguments, timeout=7200):
        # Paths as in build/release, and its options: what is not made of the RTL is compiled once for both.
        environment = {"CCACHE_BASEDIR": str(repo.ROOT), "CCACHE_NOHASHDIR": "1"}
        return tasks.call(["cmake", *arguments], timeout, cwd=repo.ROOT, env=environment)

    def verilate(self, alone=None):
        """Makes the C++ of all models; switches that Verilator refuses are taken out. False: the fault alone is refused."""
        self.made.clear()
        while True:
            self.write(alone)
            code, output = self.cmake("--preset", "release", "-B", self.folder, f"-DTESSERA_RTL={self.folder / 'rtl'}", "-DTESSERA_TRACE=OFF",
                                      "-DTESSERA_OPTIMISE=-O1", *(f"-D{name}={value}" for name, value in BUILDS.items()))
            if not code:
                made = [path.relative_to(self.folder) for path in (self.folder / "verilated").rglob("V*.cmake")
                        if not path.stem.endswith("_copy")]
                code, output = self.cmake("--build", self.folder, f"-j{self.jobs}", "--target", *made)
            if not code:
                self.shown.cache_clear()
                repo.write_whole(self.refused, json.dumps({path: [vars(place) for place in source.broken]
                                                           for path, source in self.sources.items() if source.broken}) + "\n")
                return True
            # Of a constant that calls a function the line of the switch inside the function is named behind the error.
            wrong = {(path, int(line)) for path, line in re.findall(
                r"^(?:%Error[^\n]*?: |\s+)\S*?(rtl/\S+?\.sv):(\d+):(?:\d+: (?!\.\.\.)|\d+: \.\.\. Location of non-constant)", output, re.M)}
            if alone and alone.path in {path for path, _ in wrong}:
                return False
            if not any(path in self.sources and self.sources[path].drop(line) for path, line in sorted(wrong)):
                sys.exit(f"with the switches of the faults the build fails:\n{tasks.shorten(output, 30, 30)}")
            print("  no switch is possible: " + ", ".join(f"{path}:{line}" for path, line in sorted(wrong)), flush=True)

    def reuse(self):
        """Takes the build as it is: the switches are numbered as when it was made."""
        if not self.refused.exists():
            sys.exit("scripts/mutate: nothing is built; --build does that")
        for path, places in json.loads(self.refused.read_text()).items():
            self.sources[path].broken = [switches.Place(**place) for place in places]
        for path, source in self.sources.items():
            if source.switched(self.faults[path]) != (self.folder / path).read_text():
                sys.exit(f"scripts/mutate: {path} has changed since --build, or other faults are drawn; build again")

    @functools.cache
    def shown(self):
        """module -> {model: numbers of its faults} in the C++ of the models; a model is a folder of build/mutate/verilated."""
        found = defaultdict(lambda: defaultdict(set))
        for path in (self.folder / "verilated").rglob("V*.cpp"):
            model = str(path.parent.relative_to(self.folder / "verilated"))
            text = path.read_text()
            for match in re.finditer(r"planted_((?:tsr|tessera)_\w+)", text):
                compared = re.search(r"(\w+)U\s+[!=]=\s+\S*$", text[max(0, match.start() - 400):match.start()])
                found[match[1]][model].add(int(compared[1], 16) if compared else None)
        return found

    # ---- What is run ---------------------------------------------------------------------------------

    def number(self, fault):
        """The number that a program is given, or None without a switch."""
        numbers = self.sources[fault.path].numbers
        return next((number for number, other in numbers.items() if other == fault), None)

    def choice(self, fault):
        """What a program finds in the environment, so that the fault holds: nothing if it stands in the text."""
        number = self.number(fault)
        return "" if number is None else f"{fault.module}={number}"

    def programs(self, fault):
        """The programs with a model in which the fault shows."""
        number, models = self.number(fault), self.shown().get(fault.module, {})
        here = [model for model, numbers in models.items() if number in numbers]
        return [program for program in PROGRAMS if program.runs(here)]

    def line(self, program, chosen=""):
        """The command as one types it."""
        return f"{switches.VARIABLE}={chosen} {self.folder.relative_to(repo.ROOT)}/{program.command}"

    def make(self, program):
        """Builds a program that was not built yet; an output if that fails."""
        if program.target in self.made:
            return ""
        code, output = self.cmake("--build", self.folder, f"-j{self.jobs}", "--target", program.target)
        if code:
            return output
        self.made.add(program.target)
        return ""

    def run(self, program, chosen=""):
        """(exit code, output) of a program with a fault."""
        seconds = self.seconds.get(program.command, (0, 0))[1]
        return tasks.call([self.folder / program.target, *program.arguments.split()], 10 + 4 * seconds if seconds else UNKNOWN,
                          cwd=self.folder, env={switches.VARIABLE: chosen})

    def built(self, program):
        return (self.folder / program.target).stat().st_mtime_ns

    def passes(self, program):
        """Whether this build of the program passed without a fault."""
        return self.seconds.get(program.command, (0, 0))[0] == self.built(program)

    def baseline(self, program):
        """Runs a program without a fault: it must pass, and tells how long it may take with one."""
        start = time.monotonic()
        code, output = self.run(program)
        if re.search(r"\b0 tests from ", output):
            return 1, f"no test has this name: {program.command}\n"
        if not code:
            self.seconds[program.command] = self.built(program), round(time.monotonic() - start, 1)
            repo.write_whole(self.times, json.dumps(self.seconds, indent=1) + "\n")
        return code, output
