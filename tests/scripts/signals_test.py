#!/usr/bin/env python3
"""A script that runs others is ended by a signal: nothing runs on, no traceback, the status of a shell."""

import os
import signal
import subprocess
import sys
import textwrap

from checks import ROOT, Checks, until

LIB = str(ROOT / "scripts/lib")
WAIT = 30  # seconds
check = Checks()

INNER = textwrap.dedent("""
    import sys
    sys.path.insert(0, {lib!r})
    import tasks
    # A child that has a child of its own, as a proof or a build has.
    nap = ["bash", "-c", "sleep 971.{mark} & wait"]
    tasks.run_all([(str(n), lambda: tasks.Result("nap", passed=tasks.call(nap)[0])) for n in range(2)])
""")
OUTER = textwrap.dedent("""
    import sys
    sys.path.insert(0, {lib!r})
    import tasks
    tasks.stream([sys.executable, "-c", {inner!r}])
""")


def sleepers(mark):
    """How many processes of this test run."""
    lines = subprocess.run(["ps", "-eo", "stat,args"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return sum(f"sleep 971.{mark}" in line and "bash" not in line and not line.startswith("Z")
               for line in lines.splitlines())


def faults(number, program, mark):
    """Faults of one run that is ended by signal `number`."""
    process = subprocess.Popen([sys.executable, "-c", program], text=True, start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if not until(lambda: sleepers(mark) == 2, WAIT):
        process.kill()
        return ["the children do not start"]
    os.kill(process.pid, number)
    output, _ = process.communicate(timeout=WAIT)
    wrong = []
    if process.returncode != 128 + number:
        wrong.append(f"status {process.returncode}, not {128 + number}")
    if "Traceback" in output:
        wrong.append(f"a traceback:\n{output}")
    if f"ended by {signal.Signals(number).name}" not in output:
        wrong.append(f"does not say what ended it:\n{output}")
    if not until(lambda: sleepers(mark) == 0, WAIT):
        wrong.append(f"{sleepers(mark)} processes run on")
    return wrong


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for name, nested in (("alone", False), ("behind another script", True)):
            mark = f"{os.getpid()}{number}{int(nested)}"
            inner = INNER.format(lib=LIB, mark=mark)
            wrong = faults(number, OUTER.format(lib=LIB, inner=inner) if nested else inner, mark)
            check(f"{signal.Signals(number).name}, {name}", not wrong, "; ".join(wrong))
    check.finish()


if __name__ == "__main__":
    main()
