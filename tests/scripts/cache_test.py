#!/usr/bin/env python3
"""scripts/lib/cache.py and the checks of scripts/lint that use it: what passed is not run again, and nothing else is left out."""

import importlib.machinery
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import cache
import tasks


def lint():
    """scripts/lint as a module."""
    loader = importlib.machinery.SourceFileLoader("lint", str(ROOT / "scripts/lint"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", loader))
    loader.exec_module(module)
    return module


def main():
    passed = failed = 0

    def check(what, good, shown=""):
        nonlocal passed, failed
        passed, failed = passed + bool(good), failed + (not good)
        print(f"{'ok  ' if good else 'FAIL'} {what}" + ("" if good else f": {shown}"))

    with tempfile.TemporaryDirectory() as name:
        os.environ["TESSERA_CACHE"] = name
        kept = cache.Cache("test")
        kept.put("ab1", {})
        check("what was put is there, empty or not", kept.get("ab1") == {} and cache.Cache("test").get("ab1") == {})
        check("another key is not", kept.get("ab2") is None)
        check("nothing is there for a cache that is not used", cache.Cache("test", use=False).get("ab1") is None)

        path = Path(name) / "source"
        path.write_text("a")
        before = cache.digest(path, "option")
        check("a key is of the text", cache.digest(path, "option") == before and cache.digest(path, "other") != before)
        path.write_text("b")
        check("and of the contents of files", cache.digest(path, "option") != before)

        program, ran = lint(), []

        def run(good):
            ran.append(good)
            return tasks.Result("a check", passed=int(good), failed=int(not good))

        def again(good, command=("words",)):
            return program.once("a check", "python3", "tsr_skid", command, lambda: run(good))[1]()

        again(False)
        check("a check that failed runs again", again(True).passed and ran == [False, True], ran)
        check("one that passed does not", again(False).passed and ran == [False, True], ran)
        again(True, ("other", "words"))
        check("but with another command it does", len(ran) == 3, ran)

        os.environ["TESSERA_CACHE"] = "/proc/nowhere"
        nowhere = cache.Cache("test")
        nowhere.put("ab1", {})
        check("a cache that cannot be written is empty", nowhere.get("ab1") is None)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
