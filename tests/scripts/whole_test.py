#!/usr/bin/env python3
"""Scripts that write files of the repository: on a full disk the files stay as they were, and nothing is left beside them."""

import os
import resource
import sys
import tempfile
from pathlib import Path

from checks import ROOT, Checks, script

sys.path[:0] = [str(ROOT / "scripts/lib"), str(ROOT / "cmake")]
import repo

MOST = 64  # bytes that a file may have
TEXT = "new\n" * MOST


def registers(root):
    module = script("registers")
    module.ROOT, module.need_venv, module.misread = root, lambda: None, lambda: []
    module.outputs = lambda: {root / "old": TEXT}
    sys.argv = ["registers"]
    module.main()


def sources(root):
    module = script("sources")
    module.ROOT, module.scan = root, lambda _: {"tops": []}
    module.lists.files = lambda *_: {"old": TEXT}
    (root / "rtl/top").mkdir(parents=True)
    (root / "rtl/top/tessera_dma.toml").touch()
    (root / "rtl/sources.json").write_text('{\n  "tops": []\n}\n')
    sys.argv = ["sources"]
    module.main()


def figures(root):
    module = script("figures")
    repo.ROOT, module.FIGURES = root, root / "figures.json"
    module.FIGURES.write_text("{}")
    module.pages, module.Blocks, module.rendered = lambda: [root / "old"], lambda _: None, lambda *_: TEXT.splitlines()
    sys.argv = ["figures"]
    module.main()


def write(root):
    repo.write_whole(root / "old", TEXT)


def leaves_it(act):
    """Whether a child whose files cannot grow fails, and the file is there as it was, with no part beside it."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "old").write_text("old\n")
        (root / "VERSION").write_text("1\n")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, MOST))
                sys.stdout = open(os.devnull, "w")
                act(root)
                status = 0
            except OSError:
                status = 3
            finally:
                os._exit(status)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return code == 3 and (root / "old").read_text() == "old\n" and not list(root.rglob("*.part")), (code, list(root.rglob("*")))


def main():
    check = Checks()
    for act in (write, registers, sources, figures):
        check(act.__name__, *leaves_it(act))
    check.finish()


if __name__ == "__main__":
    main()
