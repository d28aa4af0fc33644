"""Runs many commands with a few at a time, shows progress, and ends in a table and a count."""

import atexit
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$")
TIMEOUT = 124  # exit code of what was stopped for its time
HEARTBEAT = 30  # seconds between signs of life while nothing ends


running_calls = set()  # processes under way, each the leader of a session of its own
starting = threading.Lock()  # a process that is started is among them
stopping = threading.Event()  # none is started any more
PATIENCE = 10  # seconds that a process has to end what it has started


def begin(command, cwd, env):
    """Starts a command without standard input, unless all are being ended: then the caller waits for that."""
    with starting:
        if not stopping.is_set():
            process = subprocess.Popen(
                [str(part) for part in command], cwd=cwd, env={**os.environ, **(env or {})}, text=True,
                errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True)
            running_calls.add(process)
            return process
    threading.Event().wait()


def stop_calls():
    """Ends what is under way, politely: a tool then ends what it has started itself."""
    with starting:
        stopping.set()
        processes = list(running_calls)
    for number, wait in ((signal.SIGTERM, PATIENCE), (signal.SIGKILL, 1)):
        for process in processes:
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                pass
        end = time.monotonic() + wait
        while time.monotonic() < end and any(exists(process.pid) for process in processes):
            time.sleep(0.05)


def exists(group):
    """A process of the group is there, not counting what has ended and nobody has asked about."""
    for folder in os.listdir("/proc"):
        if folder.isdigit():
            try:
                fields = Path(f"/proc/{folder}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] not in "ZX":
                return True
    return False


def ended(number, _frame):
    """Ended by a signal: nothing is left running, and the exit status is the one of a shell."""
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)

    def end():
        stop_calls()
        print(f"\n{Path(sys.argv[0]).name}: ended by {signal.Signals(number).name}", file=sys.stderr, flush=True)
        os._exit(128 + number)

    threading.Thread(target=end).start()  # what is interrupted here may be about to start a process


atexit.register(stop_calls)
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(each, ended)


@dataclass
class Result:
    """What a task came to: how many checks passed and failed, and what it printed."""
    name: str
    passed: int = 0
    failed: int = 0
    seconds: float = 0.0
    note: str = ""
    output: str = ""
    skipped: Counter = field(default_factory=Counter)
    columns: dict = field(default_factory=dict)


def call(command, timeout=600, cwd=None, env=None):
    """Runs a command without standard input; returns (exit code, output)."""
    process = begin(command, cwd, env)
    try:
        output, _ = process.communicate(timeout=timeout)
        if stopping.is_set():  # what it says is not what it would have come to
            threading.Event().wait()
        return process.returncode, output
    except subprocess.TimeoutExpired:
        try:  # asks first: a program may have children in groups of their own
            os.killpg(process.pid, signal.SIGTERM)
            output, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return TIMEOUT, f"{output}\nno end after {timeout} s\n"
    finally:
        running_calls.discard(process)


def counts_of(output):
    """The last line `N passed, N failed` of an output as (passed, failed), or None."""
    for line in reversed(output.splitlines()):
        match = COUNTS.match(line.strip())
        if match:
            return int(match.group(1)), int(match.group(2))
    return None


def failures_of(output):
    """The lines of an output that run_all printed for what failed, with what was printed below them."""
    blocks = re.findall(r"^(\[\d+/\d+\] .*  FAIL .*\n(?:    .*\n?)*)", output, re.M)
    return "".join(blocks).rstrip()


def stream(command, cwd=None, env=None):
    """Runs a command and shows its output as it comes; returns (exit code, output)."""
    process = begin(command, cwd, env)
    lines = []
    for line in process.stdout:
        lines.append(line)
        print(line, end="", flush=True)
    running_calls.discard(process)
    return process.wait(), "".join(lines)


def step(title):
    print(f"\n== {title}", flush=True)


def stage(name, command, cwd=None, counted=True):
    """A program that ends in a count of its own, or, not counted, whose exit code is its verdict; its output goes by as
    it comes."""
    step(name)
    start = time.monotonic()
    code, output = stream(command, cwd=cwd)
    passed, failed = counts_of(output) or (int(not counted and code == 0), 0)
    if code and not failed or not passed:
        failed = max(failed, 1)
    shown = failures_of(output) or shorten(output, 0, 12)
    return Result(name, passed, failed, time.monotonic() - start, output=shown if failed else "", columns={"log": output})


def run_all(tasks, jobs=2):
    """Runs (name, function) pairs, a function returning a Result; prints a line as each ends."""
    results = {}
    running = {}
    over = threading.Event()
    width = max((len(name) for name, _ in tasks), default=0)

    def timed(name, function):
        start = running[name] = time.monotonic()
        try:
            result = function()
        except Exception as error:  # a broken check is a failed check
            result = Result(name, failed=1, note=f"{type(error).__name__}: {error}")
        result.seconds = time.monotonic() - start
        del running[name]
        return result

    def heartbeat():
        while not over.wait(HEARTBEAT):
            now = time.monotonic()
            print("... running: " + ", ".join(f"{name} ({now - start:.0f} s)" for name, start
                                              in list(running.items())), flush=True)

    threading.Thread(target=heartbeat, daemon=True).start()
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        futures = {pool.submit(timed, name, function): name for name, function in tasks}
        for done, future in enumerate(as_completed(futures), 1):
            result = future.result()
            results[futures[future]] = result
            verdict = "FAIL" if result.failed else "ok"
            print(f"[{done}/{len(tasks)}] {result.name:<{width}}  {verdict:<4} {result.seconds:6.1f} s"
                  f"  {result.note}".rstrip(), flush=True)
            if result.failed and result.output:
                print("    " + "\n    ".join(result.output.strip().splitlines()), flush=True)
    over.set()
    return [results[name] for name, _ in tasks]


def table(header, rows):
    """Prints rows under a header, columns aligned: text to the left, numbers to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header] + rows) for i in range(len(header))]
    numeric = [all(re.fullmatch(r"[-+]?[\d.]*( ?%)?|-", row[i]) for row in rows) for i in range(len(header))]

    def line(row):
        return "  ".join(cell.rjust(width) if right else cell.ljust(width)
                         for cell, width, right in zip(row, widths, numeric)).rstrip()
    print(line(header))
    print("  ".join("-" * width for width in widths))
    for row in rows:
        print(line(row))


def shorten(output, first=12, last=12):
    """The two ends of a long output."""
    lines = output.strip().splitlines()
    if len(lines) <= first + last + 1:
        return "\n".join(lines)
    return "\n".join(lines[:first] + [f"... {len(lines) - first - last} lines ..."] + lines[-last:])


def finish(results):
    """Prints the count as the last line and ends the program: success is some passed and none failed."""
    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and not failed else 1)
