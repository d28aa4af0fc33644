#!/usr/bin/env python3
"""scripts/lib/mutants.py: a fault finds its place whatever the layout, stale ones are reported, a seed draws the same faults."""

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from checks import ROOT, Checks

sys.path.insert(0, str(ROOT / "scripts/lib"))
import mutants
import repo

if Path(sys.prefix) != repo.VENV:  # pyslang is there
    repo.need_venv()
    os.execv(repo.VENV / "bin/python", [repo.VENV / "bin/python", *sys.argv])

import switches

MODULE = """module tsr_thing (input logic clk_i, input logic a_i, input logic b_i, output logic c_o);
  logic held_q;
  always_ff @(posedge clk_i) held_q <= a_i && !b_i;
  assign c_o = held_q || a_i;
endmodule
"""
LAYOUTS = {
    "as written": MODULE,
    "broken over lines": MODULE.replace("held_q <= a_i && !b_i;", "held_q\n      <= a_i\n      && ! b_i ;"),
    "joined, with a comment": MODULE.replace("held_q <= a_i && !b_i;", "held_q<=a_i  /* first */ &&!b_i;"),
}
FAULT = '[[fault]]\nmodule = "{}"\nname = "{}"\nfind = "{}"\nreplace = "{}"\n'
EXPLAINED = '[[survivor]]\nfile = "rtl/prim/tsr_thing.sv"\nfault = "or to and"\ncode = "{}"\nreason = "It is."\n'
check = Checks()


def main():
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        source = root / "rtl/prim/tsr_thing.sv"
        source.parent.mkdir(parents=True)
        (root / "tests/mutation/faults").mkdir(parents=True)
        file = root / "tests/mutation/faults/prim.toml"
        explained = root / "tests/mutation/explained.toml"

        file.write_text(FAULT.format("tsr_thing", "held too long", "held_q <= a_i && !b_i", "held_q <= a_i"))
        explained.write_text(EXPLAINED.format("assign c_o=held_q||a_i;"))
        for layout, text in LAYOUTS.items():
            source.write_text(text)
            found, stale = mutants.catalogue(root)
            check(f"{layout}: found once", len(found) == 1 and not stale, stale)
            planted = found[0].apply(text) if found else ""
            check(f"{layout}: replaced", "held_q <= a_i;" in planted.replace(" ;", ";") and "b_i;" not in planted.replace(" ;", ";"), planted)
            swap = next(fault for fault in mutants.swaps("rtl/prim/tsr_thing.sv", root) if fault.operator == "or to and")
            known = mutants.Explained(root)
            check(f"{layout}: explained", known.reason(swap) == "It is." and not known.stale(), known.stale())

        source.write_text(MODULE)
        for what, module, find in (("gone", "tsr_thing", "held_q <= b_i"), ("twice", "tsr_thing", "held_q"), ("no module", "tsr_other", "x"),
                                   ("another word", "tsr_thing", "held_q <= a _i")):
            file.write_text(FAULT.format(module, what, find, "0"))
            found, stale = mutants.catalogue(root)
            check(f"stale: {what}", not found and len(stale) == 1 and what in stale[0], (found, stale))
        explained.write_text(EXPLAINED.format("assign c_o = b_i;"))
        check("stale: explained", len(mutants.Explained(root).stale()) == 1)

    designed, stale = mutants.catalogue()
    check("each fault of the catalogue has its place", not stale, stale)
    most = Counter(fault.module for fault in designed).most_common(1)[0]
    check("the catalogue has at most five faults a module", most[1] <= 5, most)
    names = Counter(fault.name for fault in designed)
    check("each has a name of its own", max(names.values()) == 1, names.most_common(1))
    package = "rtl/core/tsr_core_pkg.sv"
    faults = mutants.swaps(package)
    source = switches.Source(package)
    text = source.switched(faults)
    check("a package takes switches", len(source.numbers) == len(faults) and text.count("\npackage ") == 1 and "initial" not in text, text)
    program = "rtl/program/tsr_prep_program_pkg.sv"
    faults, source = mutants.swaps(program), switches.Source(program)
    source.switched(faults)
    computed = source.text.index("localparam program_t Program")
    check("what a parameter is computed with takes none", any(fault.start < computed for fault in faults)
          and not any(place.start < computed for *_, place in source.lines), source.lines)
    paths = ["rtl/prim/tsr_fifo.sv", "rtl/prim/tsr_slice.sv"]
    pool = mutants.pool(designed, paths)
    check("the same pool", pool == mutants.pool(designed, paths))
    check("two swaps a source", len(pool) == len(designed) + 4, len(pool))
    check("another pool with another seed", pool != mutants.pool(designed, paths, seed=2))
    check("the same draw", mutants.drawn(pool, 7) == mutants.drawn(pool, 7))
    check("another draw with another seed", mutants.drawn(pool, 7) != mutants.drawn(pool, 8))
    check("half of them designed", sum(fault.operator == mutants.DESIGNED for fault in mutants.drawn(pool, 7)[:8]) == 4)
    check("all of them", sorted(map(str, mutants.drawn(pool, 7))) == sorted(map(str, pool)))
    check.finish()


if __name__ == "__main__":
    main()
