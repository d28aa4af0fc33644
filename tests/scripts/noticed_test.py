#!/usr/bin/env python3
"""scripts/lib/noticed.py: what is kept of noticed faults is of the catalogue."""

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import mutants
from noticed import FILE, Noticed

MODULE = "module tsr_thing (input logic a_i, output logic b_o);\n  assign b_o = a_i;\nendmodule\n"
FAULT = '[[fault]]\nmodule = "tsr_thing"\nname = "the output is 0"\nfind = "= a_i"\nreplace = "= 1\'b0"\n'


def main():
    passed = failed = 0

    def check(what, good, shown=""):
        nonlocal passed, failed
        passed, failed = passed + bool(good), failed + (not good)
        print(f"{'ok  ' if good else 'FAIL'} {what}" + ("" if good else f": {shown}"))

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "rtl/prim").mkdir(parents=True)
        (root / mutants.CATALOGUE).mkdir(parents=True)
        (root / "rtl/prim/tsr_thing.sv").write_text(MODULE)
        (root / "rtl/sources.json").write_text(json.dumps({"modules": ["prim/tsr_thing.sv"], "packages": []}))
        (root / mutants.CATALOGUE / "prim.toml").write_text(FAULT)
        found, complaints = mutants.catalogue(root)
        check("the catalogue holds the fault", len(found) == 1 and not complaints, complaints)
        (fault,) = found

        gone = {"source": "0", "by": "a test"}
        (root / FILE).write_text(json.dumps({fault.path: {"a fault of old": gone}, "rtl/prim/tsr_gone.sv": {"another": gone}}))
        kept = Noticed(root)
        check("faults that the catalogue does not hold are named",
              kept.orphans() == [(fault.path, "a fault of old"), ("rtl/prim/tsr_gone.sv", "another")], kept.orphans())
        check("a fault that was not noticed is not held", not kept.holds(fault))
        kept.note(fault, True, "a test")
        written = json.loads((root / FILE).read_text())
        check("they go when the file is written", written == {fault.path: {fault.code: {"source": kept.digest(fault), "by": "a test"}}}, written)
        check("what was noticed is held", Noticed(root).holds(fault) and not Noticed(root).orphans())
        (root / "rtl/prim/tsr_thing.sv").write_text(MODULE.replace("logic b_o", "output_t b_o"))
        check("in the same source alone", not Noticed(root).holds(mutants.catalogue(root)[0][0]))
        kept.note(fault, False, "")
        check("a fault that is noticed no more goes", json.loads((root / FILE).read_text()) == {})
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
