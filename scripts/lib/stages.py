"""The stages that a planted fault meets, the quick ones first: what is built for each, and what runs on it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """What a fault has to get past: commands that run on a build of a configuration or of fabrics."""
    name: str
    config: str
    fabrics: str
    targets: tuple
    commands: tuple
    dmas: str = "none"
    movers: str = "none"
    aiemls: str = "none"

    def folder(self):
        return f"build-{self.name}"


# Between the two of its part of the RTL a fault meets the proofs of its module.
QUICK = Stage("small", "small", "none", ("engine_random", "engine_tests"), (
    "{build}/engine_random --cases 150 --failures 1 --shrink-runs 0 --quiet",
    "{build}/engine_tests --gtest_brief=1 --gtest_fail_fast"))
THOROUGH = Stage("typical", "typical;loopback;minimal;narrow_stream;narrow_bus", "none", ("engine_random", "engine_tests", "tessera_bench"), (
    "{build}/engine_random --cases 200 --failures 1 --shrink-runs 0 --quiet",
    "{build}/engine_tests --gtest_brief=1 --gtest_fail_fast",
    "{build}/tessera_bench --quick --check"))
FABRIC = "{build}/fabric_random --config %s --cases %d --failures 1 --shrink-runs 0 --quiet"
FABRIC_TESTS = "{build}/fabric_tests --gtest_filter=-*System* --gtest_brief=1 --gtest_fail_fast"
FABRIC_QUICK = Stage("guarded", "small", "guarded", ("fabric_random", "fabric_tests", "fabric_streams_tests"),
                     ("{build}/fabric_streams_tests --gtest_brief=1 --gtest_fail_fast",
                      FABRIC % ("guarded", 150), FABRIC_TESTS))
FABRIC_THOROUGH = Stage("fabrics", "small", "shared;in_order;groups;held", ("fabric_random", "fabric_tests"),
                        (FABRIC % ("in_order", 100), FABRIC % ("groups", 100), FABRIC_TESTS))
GTEST = "{build}/%s --gtest_brief=1 --gtest_fail_fast"
STREAMS = Stage("streams", "small", "none", ("fabric_streams_tests",), (GTEST % "fabric_streams_tests",))
PROGRAM_QUICK = Stage("units", "small", "none", ("native_tests", "channel_tests", "channel_units_tests", "lists_tests"),
                      tuple(GTEST % name for name in ("native_tests", "channel_units_tests", "lists_tests", "channel_tests")))
PROGRAM_BASIC = Stage("dma", "none", "none", ("dma_tests", "dma_random"),
                      (GTEST % "dma_tests", "{build}/dma_random --config basic --cases 60"), dmas="basic")
PROGRAM_THOROUGH = Stage("dmas", "small", "none", ("dma_tests", "driver_rtl_tests", "dma_random"),
                         (GTEST % "dma_tests", GTEST % "driver_rtl_tests", "{build}/dma_random --cases 60",
                          "{build}/dma_random --cases 60 --woven none"), dmas="")
MOVER = Stage("mover", "none", "none", ("mover_tests",), (GTEST % "mover_tests",), movers="")
AIEML_RANDOM = ("{build}/aieml_random --seed 100 --cases 12", "{build}/aieml_random --seed 200 --cases 6 --headers --compression")
# The decoders of all images, and the image that is built in a tenth of the time.
AIEML_QUICK = Stage("compute", "none", "none", ("aieml_rtl_tests", "aieml_random"),
                    (GTEST % "aieml_rtl_tests", *AIEML_RANDOM), aiemls="compute")
AIEML_THOROUGH = Stage("aieml", "none", "none", ("aieml_rtl_tests", "aieml_random"),
                       (GTEST % "aieml_rtl_tests", *AIEML_RANDOM), aiemls="memory;shim;wide")
# In the order in which faults meet them: first what is built and run in the least time.
ORDER = (QUICK, STREAMS, FABRIC_QUICK, PROGRAM_QUICK, MOVER, AIEML_QUICK, PROGRAM_BASIC, FABRIC_THOROUGH, THOROUGH, AIEML_THOROUGH,
         PROGRAM_THOROUGH)
# What tells why a command failed, the most telling first.
NOTICED = (r"Assertion failed.*", r"%Error.*", r"^FAILED .*", r"^(?:configuration|seed) .*difference.*", r"no end after .*",
           r"^.*Failure\n(?:.*\n){0,2}.*", r".*worse.*", r"^\[  FAILED  \] .*", r"^reproduce.*", r"error: .*", r"terminate called.*")


def reason(output, code):
    """The line or lines of a failing command that say what failed."""
    for pattern in NOTICED:
        if found := re.search(pattern, output, re.M):
            return " ".join(found.group(0).split())[:200]
    return f"exit code {code}"


def stages_of(path):
    """The stages of a source: those of the part of the design that it belongs to."""
    for pattern, stages in (
            (r"rtl/(frontend/mover4d/|top/(tessera_mover4d|tsr_mover_|tsr_kernel_))", (MOVER,)),
            (r"rtl/(frontend/aieml/|top/tessera_aieml)", (AIEML_QUICK, AIEML_THOROUGH)),
            # Side information, headers and routes are those of programs alone; some cells have tests of their own.
            (r"rtl/fabric/tsr_(header_pick|dest_split|send_side)", (STREAMS, PROGRAM_BASIC, PROGRAM_THOROUGH)),
            (r"rtl/prim/tsr_sync", (STREAMS, QUICK, THOROUGH, FABRIC_QUICK, FABRIC_THOROUGH)),
            (r"rtl/engine/tsr_write_records", (PROGRAM_QUICK, QUICK, THOROUGH, FABRIC_QUICK, FABRIC_THOROUGH)),
            (r"rtl/fabric/tsr_read_window", (PROGRAM_QUICK, FABRIC_QUICK, FABRIC_THOROUGH, PROGRAM_BASIC, PROGRAM_THOROUGH)),
            (r"rtl/(top/(tessera_dma|tsr_dma_|tsr_reception)|fabric/tsr_(receive_side|header_))",
             (PROGRAM_BASIC, PROGRAM_THOROUGH)),
            (r"rtl/(fabric/|top/tsr_(channels|port|read_channel|write_channel)\.sv)",
             (FABRIC_QUICK, FABRIC_THOROUGH, PROGRAM_BASIC, PROGRAM_THOROUGH)),
            (r"rtl/(channel|frontend)/", (PROGRAM_QUICK, PROGRAM_BASIC, PROGRAM_THOROUGH))):
        if re.match(pattern, path):
            return stages
    return QUICK, THOROUGH, FABRIC_QUICK, FABRIC_THOROUGH
