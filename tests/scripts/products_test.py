#!/usr/bin/env python3
"""A build without the products beside the core compiles no file of theirs, and its program says what it lacks: products_test.py SOURCE [built]

Without `built` the build is configured and not made.
"""
import json
import sys
import tempfile
from pathlib import Path

from checks import Checks, run

SOURCE, BUILT = Path(sys.argv[1]), sys.argv[2:] == ["built"]
sys.path.insert(0, str(SOURCE / "scripts/lib"))
import repo  # noqa: E402

NONE = ["-DTESSERA_CONFIGS=small", "-DTESSERA_DMAS=plain", "-DTESSERA_AIEMLS=none", "-DTESSERA_MOVERS=none", "-DTESSERA_TESTS=OFF"]
check = Checks()


def without_models():
    """No model at all: what tools need of Verilator is there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        code, told = run("cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", *NONE,
                         "-DTESSERA_CONFIGS=none", "-DTESSERA_DMAS=none")
        check("without models it is configured", code == 0, told[-2000:])
        target = "tessera" if BUILT else "CMakeFiles/tessera_run.dir/tools/run/dma_probe.cpp.o"
        code, told = run("cmake", "--build", folder, "--target", target, "--parallel", 2)
        check(f"without models {target} is made", code == 0, told[-2000:])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        code, told = run("cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", *NONE)
        check("it is configured", code == 0, told[-2000:])
        commands = json.loads((folder / "compile_commands.json").read_text()) if code == 0 else []
        files = [Path(entry["file"]) for entry in commands]
        theirs = [str(path) for path in files if path.is_relative_to(SOURCE) and set(path.relative_to(SOURCE).parts) & set(repo.PRODUCTS)]
        check(f"none of its {len(files)} sources is of {' or '.join(repo.PRODUCTS)}", files and not theirs, theirs)
        code, told = run("ninja", "-C", folder, "-t", "query", "generated/pins/types.h")
        check("no package of theirs is read", code == 0 and not any(f"rtl/{product}/" in told for product in repo.PRODUCTS), told)
        if BUILT:
            code, told = run("cmake", "--build", folder, "--target", "tessera", "--parallel", 2)
            check("it is made", code == 0, told[-2000:])
        if BUILT and code == 0:
            for words, wanted in (
                    ("--help", "Not in this build: txn, seq, serve (TESSERA_AIEMLS=none).\n"),
                    ("gen --list", "not in this build: tessera_mover4d (TESSERA_MOVERS=none)\n")):
                code, told = run(folder / "tessera", *words.split())
                check(f"tessera {words}", code == 0 and wanted in told, told)
            for words, wanted in (
                    ("seq x.mlir", 'tessera: the command is "seq": it is not in this build, which was configured with TESSERA_AIEMLS=none\n'),
                    (f"gen --check {SOURCE}/examples/mover4d/mover.json", "legal is one of tessera_dma; this program was built with TESSERA_MOVERS=none\n")):
                code, told = run(folder / "tessera", *words.split())
                check(f"tessera {words}", code == 2 and told.endswith(wanted), told)
    without_models()
    check.finish()


main()
