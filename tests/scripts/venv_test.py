#!/usr/bin/env python3
"""scripts/lib/venv.sh: several callers at once share one environment, which is made once; a new list makes it anew."""

import subprocess
import tempfile
from pathlib import Path

from checks import ROOT, Checks

LIBRARY = ROOT / "scripts/lib/venv.sh"
check = Checks()


def callers(folder, count):
    """The same script, `count` times at once: exit codes, and all that was told."""
    script = folder / "caller"
    script.write_text(f'#!/bin/bash\nset -euo pipefail\n. "{LIBRARY}"\n'
                      'finish() { echo finished; }\nensure_venv wanted.txt build/made nothing finish\n'
                      'build/made/bin/python -c "print(\'usable\')"\n')
    script.chmod(0o755)
    running = [subprocess.Popen([script], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
               for _ in range(count)]
    told = "".join(process.communicate()[0] for process in running)
    return [process.returncode for process in running], told


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "wanted.txt").write_text("# nothing\n")
        codes, told = callers(folder, 3)
        check("three callers at once succeed", codes == [0, 0, 0] and told.count("usable") == 3, (codes, told))
        check("one of them makes the environment", told.count("installing") == told.count("finished") == 1, told)
        codes, told = callers(folder, 1)
        check("a later caller finds it", codes == [0] and "installing" not in told, (codes, told))
        (folder / "wanted.txt").write_text("# nothing, in other words\n")
        codes, told = callers(folder, 1)
        check("another list makes it anew", codes == [0] and told.count("installing") == 1, (codes, told))
    check.finish()


if __name__ == "__main__":
    main()
