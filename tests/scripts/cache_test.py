#!/usr/bin/env python3
"""scripts/lib/cache.py and the checks of scripts/lint that use it: what passed is not run again, and nothing else is left out."""

import os
import sys
import tempfile
from pathlib import Path

from checks import ROOT, Checks, script

sys.path.insert(0, str(ROOT / "scripts/lib"))
import cache
import tasks

check = Checks()


def main():
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

        program, ran = script("lint"), []

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
    check.finish()


if __name__ == "__main__":
    main()
