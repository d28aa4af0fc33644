"""The programs that a planted fault meets, the quick ones first, and what is built for them."""

import re
from dataclasses import dataclass
from fnmatch import fnmatch

import products

# In the models of these builds, and in those of the units, every module of the RTL shows that is not proved alone.
BUILDS = {"TESSERA_CONFIGS": "small;narrow_stream;loopback", "TESSERA_DMAS": "basic;started;several;onchip;graph;routed",
          **{option: names for product in products.PRODUCTS for option, names in product.MUTATED.items()}}
GTEST = "--gtest_brief=1 --gtest_fail_fast"


@dataclass(frozen=True)
class Program:
    """What runs on some of the models: folders of build/mutate/verilated."""
    target: str
    models: tuple
    arguments: str = GTEST

    @property
    def command(self):
        return f"{self.target} {self.arguments}"

    def runs(self, models):
        """Whether it runs one of these models."""
        return any(fnmatch(model, pattern) for model in models for pattern in self.models)


def units(target, library, suites):
    """The suites of a program, each a run for the unit that it is about: most units are done in no time."""
    return tuple(Program(target, (f"{library}/{unit}_top",), f"--gtest_filter=*{suite}.* {GTEST}") for unit, suite in suites.items())


RANDOM = "--failures 1 --shrink-runs 0 --quiet"
# The programs of large models, and those of the models of a part alone, come late: they are built only if a fault is left.
PROGRAMS = (
    Program("engine_random", ("small",), f"--config small --cases 150 {RANDOM}"),
    Program("engine_tests", ("small",), f"--gtest_filter=-*/narrow_stream:*/loopback {GTEST}"),
    Program("engine_tests", ("loopback",), f"--gtest_filter=*/loopback {GTEST}"),
    Program("engine_random", ("small",), f"--config small --seed 1000 --cases 400 {RANDOM}"),
    Program("engine_random", ("narrow_stream",), f"--config narrow_stream --cases 150 {RANDOM}"),
    Program("engine_tests", ("narrow_stream",), f"--gtest_filter=*Abort.*/narrow_stream {GTEST}"),
    *units("fabric_streams_tests", "fabric_streams_units", {
        "sync": "Sync", "pick": "HeaderPick", "merge": "PacketMerge", "split": "PacketSplit",
        "dest": "DestSplit", "cdc": "StreamCdc", "width": "StreamWidth"}),
    *units("port_tests", "port_units", {"read_port": "ReadPort", "write_port": "WritePort"}),
    *units("program_tests", "program_units", {
        "preparation": "Preparation*", "program_sequencer": "ProgramSequencer*"}),
    *units("list_tests", "list_units", {"list_unit": "List*"}),
    Program("dma_tests", ("dma_basic",), f"--gtest_filter=-*/started*:*/several*:*/onchip*:*/graph*:*/routed* {GTEST}"),
    Program("dma_random", ("dma_basic",), "--config basic --cases 100"),
    Program("dma_random", ("dma_basic",), "--config basic --woven fault --cases 60"),
    Program("dma_tests", ("dma_started",), f"--gtest_filter=*/started* {GTEST}"),
    Program("dma_tests", ("dma_several",), f"--gtest_filter=*/several* {GTEST}"),
    Program("dma_tests", ("dma_onchip",), f"--gtest_filter=*OnChip*/onchip*:*Random*/onchip* {GTEST}"),
    Program("dma_tests", ("dma_graph",), f"--gtest_filter=*Rates*/graph:*Loaded*/graph:*Random*/graph:*ChainsOfSeveral*/graph {GTEST}"),
    Program("dma_tests", ("dma_routed",), f"--gtest_filter=*Side*/routed:*Random*/routed {GTEST}"),
    *(Program(*program) for program in products.of_all("PROGRAMS")),
)
# What tells why a program failed, the most telling first.
NOTICED = (r"Assertion failed.*", r"%Error.*", r"^FAILED .*", r"^(?:configuration|seed) .*difference.*", r"no end after .*",
           r"^.*Failure\n(?:.*\n){0,2}.*", r".*worse.*", r"^\[  FAILED  \] .*", r"^reproduce.*", r"error: .*", r"terminate called.*")


def reason(output, code):
    """The line or lines of a failing program that say what failed."""
    for pattern in NOTICED:
        if found := re.search(pattern, output, re.M):
            return " ".join(found.group(0).split())[:200]
    return f"exit code {code}"
