"""What scripts need to know of tessera_aieml."""

TOP = "tessera_aieml"
BUILDS = "aieml/aiemls.json"
GENERATED = ["tessera_aiemls", "aieml_units"]  # files that the build makes

# scripts/lint: folders that need no README, and why.
EXAMPLES = "examples of a page of the manual, which examples/README.md names"
WITHOUT_README = {"docs/aieml": "pages of the manual", "examples/aieml": EXAMPLES, "examples/aieml/serve": EXAMPLES,
                  "tests/mutation/aieml": "data, as tests/mutation/README.md says"}
# scripts/lint: builds that are read with every tool; parameters that stop elaboration at another error before the sentence, and
# those that rules refuse.
LINTED = True
UNSAID = [("Ports", 0), ("Ports", 7)]
RULES = [("Ports", 4), ("StreamSilence", 1)]

# scripts/mutate: what is built, and the programs that a fault meets.
QUICK = {"TESSERA_AIEMLS": "none"}  # of scripts/test --quick
MUTATED = {"TESSERA_AIEMLS": "compute;memory;shim;wide"}
PROGRAMS = [("aieml_rtl_tests", ("aieml_*",)), ("aieml_random", ("aieml_compute",), "--seed 100 --cases 20")]

COVERAGE = [("aieml", {"models": "aiemls", "tests": ["aieml_rtl_tests"],
                       "random": ["aieml_random --seed {seed} --cases {few}",
                                  "aieml_random --seed {seed} --cases {few} --headers --compression"]})]


def soak(build, names, program):
    """What scripts/soak runs; `names` says what a program of the build prints, `program` is its class for one."""
    for suffix, options in (("", []), ("-packets", ["--headers", "--compression"])):
        for name in (names("aieml_random", "--list", *options) or "").split():
            yield f"aieml-{name}{suffix}", program(build / "aieml_random", name, *options)
    if names("aieml_random", "--list", "--arrays"):
        yield "aieml-arrays", program(build / "aieml_random", "", "--arrays")
