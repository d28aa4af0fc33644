#!/usr/bin/env python3
"""A script that runs others is ended by a signal: nothing runs on, no traceback, the status of a shell."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
WAIT = 30  # seconds

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


def until(condition):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def check(number, program, mark):
    """Faults of one run that is ended by signal `number`."""
    process = subprocess.Popen([sys.executable, "-c", program], text=True, start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if not until(lambda: sleepers(mark) == 2):
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
    if not until(lambda: sleepers(mark) == 0):
        wrong.append(f"{sleepers(mark)} processes run on")
    return wrong


def main():
    failed = passed = 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for name, nested in (("alone", False), ("behind another script", True)):
            mark = f"{os.getpid()}{number}{int(nested)}"
            inner = INNER.format(lib=str(SCRIPTS / "lib"), mark=mark)
            program = OUTER.format(lib=str(SCRIPTS / "lib"), inner=inner) if nested else inner
            wrong = check(number, program, mark)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            print(f"{signal.Signals(number).name}, {name}: {'; '.join(wrong) or 'ok'}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
