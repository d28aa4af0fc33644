#!/usr/bin/env python3
"""What scripts/soak runs: engines and fabrics by `tessera`, builds of tessera_dma by their own program alone."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SOAK = Path(__file__).resolve().parents[2] / "scripts/soak"
LISTED = [{"name": "engine"}, {"name": "fabric", "reads": 4}, {"name": "build", "dma": {"descriptors": 4}}]


def program(path, says):
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n")
    path.chmod(0o755)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program(folder / "tessera", json.dumps(LISTED))
        program(folder / "dma_random", "build")
        listed = subprocess.run([SOAK, "--list", "--build", folder, "--folder", folder / "state"], text=True,
                                stdout=subprocess.PIPE, check=True).stdout.split()
    checks = {
        "an engine and a fabric are run": {"engine", "fabric"} <= set(listed),
        "a build of tessera_dma is no configuration of tessera": "build" not in listed,
        "its programs are run": "dma-build-programs" in listed,
    }
    for check, good in checks.items():
        print(f"{'ok  ' if good else 'FAIL'} {check}" + ("" if good else f": {' '.join(listed)}"))
    print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed")
    sys.exit(not all(checks.values()))


if __name__ == "__main__":
    main()
