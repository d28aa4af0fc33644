#!/usr/bin/env python3
"""Compiles the device-tree fragment of sw/host, without warnings, and compares it with the driver: the registers it maps
are those that the driver maps."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
TREE = """/dts-v1/;
/ {
	gic: interrupt-controller@f9010000 {
		#address-cells = <0>;
		#interrupt-cells = <3>;
		interrupt-controller;
		reg = <0x0 0xf9010000 0x0 0x10000>;
	};
};
/include/ "sw/host/tessera.dtsi"
"""


def main():
    if not which("dtc"):
        print("skipped: no dtc (device-tree-compiler)")
        sys.exit(SKIPPED)
    done = subprocess.run(["dtc", "-i", str(ROOT), "-I", "dts", "-O", "dts", "-"], input=TREE, capture_output=True, text=True)
    told = done.stderr.replace("<stdin>", "tessera.dtsi")
    if done.returncode or "arning" in told:
        sys.exit(f"the fragment does not compile cleanly:\n{told}")
    reg = re.search(r"dma-controller@(\w+) \{.*?reg = <(\w+) (\w+) (\w+) (\w+)>", done.stdout, re.S)
    words = [int(word, 16) for word in reg.groups()]
    span = re.search(r"kSpan = (0x[0-9a-f]+|\d+)", (ROOT / "sw/driver/tessera/registers.hpp").read_text())[1]
    if words[1] << 32 | words[2] != words[0]:
        sys.exit("the node's name has another address than its reg")
    if words[3] << 32 | words[4] != int(span, 0):
        sys.exit(f"the fragment maps {words[4]:#x} bytes, the driver {span}")
    print("the fragment compiles and maps what the driver maps")


if __name__ == "__main__":
    main()
