#!/usr/bin/env python3
"""Types and pins of the RTL as C++, from what Verilator elaborates.

    pins types --out FILE --verilator PROGRAM -- PACKAGE.sv ...
    pins model --out FILE --verilator PROGRAM --top MODULE --prefix CLASS -- ARGUMENT ...

`types` writes every packed struct and enum of the packages in folders called pkg as a C++ value (namespace
tessera::rtl), with Pack, Unpack and names. `model` writes the class CLASS_Pins: an accessor for each port of a
verilated model, through arrays and structs whose widths depend on its parameters, down to fields (tb/sim/pins.h).
ARGUMENTs are those that the model is verilated with. A file that would not change is not written.

A packed struct of a package with nothing but single bits (two or more) is a set of flags: an unsigned number
and a constant for each bit.
"""
import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from model import ModelHeader
from values import TypesHeader
from verilator import elaborate


def write(path, text):
    path = Path(path)
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text)
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("types", "model"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--verilator", default="verilator")
    parser.add_argument("--top")
    parser.add_argument("--prefix")
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    sources = [Path(name) for name in options.arguments if name.endswith("_pkg.sv")]
    packages = [path.stem for path in sources if "pkg" in (path.parent.name, path.parent.parent.name)]
    if options.what == "model":
        design = elaborate(options.verilator, options.top, options.arguments, packages)
        if not design.ports:
            sys.exit(f"pins: {options.top} has no ports in what Verilator wrote")
        write(options.out, ModelHeader(design, options.top, options.prefix).text())
        return
    with tempfile.TemporaryDirectory() as folder:  # packages are elaborated under a module alone
        top = Path(folder) / "tessera_types.sv"
        # Verilator keeps only packages of which something is used.
        ports = [f"input {path.stem}::{found[1]} port{n}" for n, path in enumerate(sources)
                 if (found := re.search(r"^ *} (\w+);", path.read_text(), re.M))]
        top.write_text(f"module tessera_types ({', '.join(ports)});\nendmodule\n")
        design = elaborate(options.verilator, "tessera_types", [*options.arguments, str(top)], packages)
    write(options.out, TypesHeader(design, packages).text())


if __name__ == "__main__":
    main()
