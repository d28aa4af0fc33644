#!/usr/bin/env python3
"""cmake/pins on packages that are edited: generator_test.py SOURCE VERILATOR VERILATOR_ROOT."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, VERILATOR = Path(sys.argv[1]), sys.argv[2]
os.environ["VERILATOR_ROOT"] = sys.argv[3]
NEWEST = SOURCE / ".venv/bin/verilator-newest"
sys.path.insert(0, str(SOURCE / "tests/scripts"))
from checks import Checks  # noqa: E402

check = Checks()


def generate(folder, verilator=VERILATOR, model=False):
    out = folder / "out.h"
    out.unlink(missing_ok=True)
    packages = [str(folder / "pkg" / name) for name in ("gen/tsr_descriptor_pkg.sv", "tsr_pkg.sv", "tsr_fabric_pkg.sv")]
    what = ["model", "--top", "pins_top", "--prefix", "Vpins_top"] if model else ["types"]
    top = [str(SOURCE / "tests/pins/pins_top.sv")] if model else []
    environment = dict(os.environ)
    if verilator != VERILATOR:
        environment.pop("VERILATOR_ROOT")
    done = subprocess.run([sys.executable, "-B", SOURCE / "cmake/pins", *what, "--out", out, "--verilator", verilator,
                           "--", *packages, *top], capture_output=True, text=True, env=environment)
    return out.read_text() if done.returncode == 0 else f"refused: {done.stderr}{done.stdout}"


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    shutil.copytree(SOURCE / "rtl/pkg", folder / "pkg")
    package = folder / "pkg/tsr_pkg.sv"
    before = package.read_text()
    plain = generate(folder)
    check("types are made", "struct Transfer {" in plain)
    check("an array of structs is an array", "std::array<Dim, 4> dim{};" in plain)
    check("a member that is an enum is one", "LastRule last_rule{};" in plain)
    check("a signed field is signed", "int64_t ahead{};" in plain)
    check("single bits are flags", "kSlverr = 1," in plain and "uint8_t status{};" in plain)
    check("constants of packages are there", "inline constexpr int kIndexWidth = 34;" in plain)

    package.write_text(before.replace("logic [2:0]             elem_log2;",
                                      "logic [2:0]             elem_log2; logic [10:0] colour;"))
    wider = generate(folder)
    check("a new field of transfer_t is a field of Transfer", "uint16_t colour{};" in wider)
    bits = [int(text.split("struct Transfer {")[1].split("kBits = ")[1].split(";")[0]) for text in (plain, wider)]
    check("and Transfer has its bits", bits[1] == bits[0] + 11)
    package.write_text(before.replace("FinishLength = 1'b0,", "FinishBytes = 1'b0,"))
    renamed = generate(folder)
    check("a renamed enumerator is renamed", "kBytes = 0," in renamed and "kLength = 0," not in renamed)
    package.write_text(before.replace("} done_t;", "} done_t"))
    check("a package with a mistake is refused", generate(folder).startswith("refused"))
    package.write_text(before)

    model = generate(folder, model=True)
    check("ports of a model are there", "auto request_i() const" in model and "auto up_i() const" in model)
    check("a width that depends on a parameter", "pins::Field<W, 256>" in model)
    if NEWEST.exists():
        check("types are the same by JSON", generate(folder, NEWEST) == plain)
        check("pins are the same by JSON", generate(folder, NEWEST, True) == model)
    else:
        print("skipped: the JSON of newer Verilators, for .venv/bin/verilator-newest is not there")

check.finish()
