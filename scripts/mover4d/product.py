"""What scripts need to know of tessera_mover4d."""

import re

import repo

TOP = "tessera_mover4d"
BUILDS = "mover4d/movers.json"
GENERATED = ["tessera_movers", "mover_units"]  # files that the build makes

# scripts/lint: folders that need no README, and why.
WITHOUT_README = {"docs/mover4d": "pages of the manual", "examples/mover4d": "examples of a page of the manual, which examples/README.md names",
                  "formal/mover4d": "proofs, as formal/README.md says", "rtl/mover4d/gen": "generated",
                  "tests/mutation/mover4d": "data, as tests/mutation/README.md says"}
# scripts/lint: shapes of modules, those of the top among them; values that must be refused; parameters of the top that stop
# elaboration at another error before the sentence, and those that rules refuse.
LINTED = False
OWN = {"Ranges": True, "BaseFirst": True}  # kernels with memory of their own


def shapes():
    return [(TOP, [*({key: value for key, value in values.items() if key != "RomContents"} for values in repo.builds(BUILDS).values()),
                   {"Reads": 0, "AddrWidth": 32}, {"Writes": 0, "DataWidth": 512},
                   {"StreamWidth": 8}, {"DataWidth": 32, "ElementBytes": 1, "StreamWidth": 128},
                   {"Writes": 0, "Check": True}, {"Reads": 0, "Ranges": True}, {"MaxBurst": 1, "Outstanding": 1},
                   {"DataWidth": 512, "MaxBurst": 200, "Outstanding": 100},
                   {"Writes": 0, **OWN, "Check": True, "RomWords": 3}, {"Writes": 0, **OWN, "RamWords": 1, "StreamWidth": 1024},
                   {"Reads": 16, "Writes": 0, **OWN, "Check": True, "RamWords": 65536, "StreamWidth": 32}])]


REFUSED = [("tsr_mover_ram", "Words", 0)]
UNSAID = [("StreamWidth", 7)]
RULES = [("ElementBytes", 16), ("ListBurst", 65), ("Check", 1), ("RomWords", 1), ("RamWords", 1)]

# scripts/mutate: what is built, and the programs that a fault meets.
QUICK = {"TESSERA_MOVERS": "rom"}  # of scripts/test --quick
MUTATED = {"TESSERA_MOVERS": "single;several;wide_stream;ranges;rom;check;check_ram"}
PROGRAMS = [("mover_tests", ("mover_*",))]

COVERAGE = [("mover", {"models": "movers", "tests": ["mover_tests"], "random": []})]
COSTS = [("kernels", TOP)]  # groups of costs.toml

# scripts/registers: the map, its RTL, what else is made of it.
REGISTERS = [{
    "source": "rtl/mover4d/registers/mover.rdl", "rtl": "rtl/mover4d/gen", "header": "sw/driver/tessera/mover4d/mover_registers.h",
    "names": {"top": TOP, "package": "tsr_mover_registers_pkg", "constant": "MoverVersion",
              "blocks": {"mover_control_registers": "mover_control", "mover_build_registers": "mover_build",
                         "mover_channel_registers": "mover_channel"}},
    "page": "mover4d/mover_registers.md",
    "title": "Registers of the kernels",
    "about": "Every register of `tessera_mover4d`. How they are used is told by [the list mover](mover.md) and "
             "[static kernels](kernels.md). C has them in `sw/driver/tessera/mover4d/mover_registers.h`, other tools as "
             "IP-XACT in the `component.xml` of [a generated IP](../generate.md).\n\n"
             "Below 0xf00 an address without a register reads 0, and writes of it do nothing, as in the block that Vitis "
             "HLS makes; from 0xf00 on both answer SLVERR. Bits that are not named read 0."}]


class Movers:
    """The random tests in every build: so many seeds for each second of a turn."""

    RATE = 4

    def __init__(self, path):
        self.path = path

    def command(self, seed, amount, _, __):
        self.seeds = max(1, round(amount[1] * (1 if amount[0] == "--cases" else self.RATE)))
        return ["env", f"MOVER_SEEDS={seed}:{self.seeds}", self.path, "--gtest_filter=*RandomTest*:*RandomKernel*"]

    def again(self, seed, _):
        return f"MOVER_SEEDS={seed}:{self.seeds} {self.path} --gtest_filter='*RandomTest*:*RandomKernel*'"

    def row(self, _, output):
        cases = self.seeds * len(re.findall(r"^\[ RUN ", output, re.M))
        failed = len(re.findall(r"^\[  FAILED  \] .* \(\d+ ms\)", output, re.M))
        seconds = float(re.search(r"ran\. \((\d+) ms total\)", output)[1]) / 1000
        return {"cases": cases, "failed": failed, "seconds": seconds}


def soak(build, names, _):
    """What scripts/soak runs; `names` says what a program of the build prints."""
    if names("mover_tests", "--gtest_list_tests"):
        yield "movers", Movers(build / "mover_tests")
