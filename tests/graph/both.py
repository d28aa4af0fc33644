#!/usr/bin/env python3
"""Runs an example of a graph natively and on the RTL: both must end well and write the same files.

  tests/graph/both.py PROGRAM [BUILD]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 100  # seconds


def run(program, backend):
    """Files that the program wrote, by name."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program], cwd=folder, env={**os.environ, "TESSERA_GRAPH": backend}, timeout=LIMIT, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"TESSERA_GRAPH={backend} {program}: returned {done.returncode}\n{done.stdout}{done.stderr}")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def main():
    program, build = str(Path(sys.argv[1]).resolve()), sys.argv[2] if len(sys.argv) > 2 else "graph"
    native, rtl = run(program, "native"), run(program, build)
    if not native:
        sys.exit(f"{program}: wrote no file, so nothing can be compared")
    for name in sorted(native.keys() | rtl.keys()):
        if native.get(name) != rtl.get(name):
            sys.exit(f"{program}: {name} differs between a native run and build {build}")
    print(f"{len(native)} files are equal")


if __name__ == "__main__":
    main()
