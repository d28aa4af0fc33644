"""What tests in Python share: they count checks, run commands, wait, load scripts and copy folders of the repository."""

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Checks:
    """Called as check(what, good, shown): tells whether it is good, if not with at most `lines` lines of what is shown."""

    def __init__(self, lines=None):
        self.passed = self.failed = 0
        self.lines = lines

    def __call__(self, what, good, shown=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        fault = "\n    ".join(str(shown).splitlines()[:self.lines])
        print(f"ok   {what}" if good else f"FAIL {what}: {fault}" if fault else f"FAIL {what}", flush=True)
        return bool(good)

    def finish(self):
        """Ends the test; one that checked nothing fails."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


def run(*command, cwd=None, timeout=1800):
    """Runs a command without standard input; returns (exit code, all that it said)."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)
    return done.returncode, done.stdout


def run_on(text, *command):
    """Runs a command with a file as its last word, which holds a text or bytes."""
    with tempfile.NamedTemporaryFile("wb", suffix=".txt") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
        file.flush()
        return subprocess.run([*command, file.name], capture_output=True, text=True)


def until(condition, seconds=60):
    """Whether a condition comes true in that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def script(name):
    """One of the scripts as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def repository(folder, *names):
    """Makes a folder a repository with copies of these folders of this one."""
    for name in names:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
