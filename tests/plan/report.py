#!/usr/bin/env python3
"""Lists what the test plan claims and what no test that ran has proven.

  report.py RESULTS...      RESULTS: XML files of GoogleTest (--gtest_output=xml:FILE), or folders of them

A test proves the ids of its property `proves` if it ran and passed, at the level that is the name of its
folder under tests/ (model, engine, ...). A claim is proven when every level it names has proven it.
Exit status 1 if a claim is not proven or a test proves an id that the plan does not have.
"""

import argparse
import json
import pathlib
import sys
import xml.etree.ElementTree

PLAN = pathlib.Path(__file__).with_name("plan.json")


def result_files(paths):
    for path in map(pathlib.Path, paths):
        if path.is_dir():
            yield from sorted(path.rglob("*.xml"))
        elif path.exists():
            yield path
        else:
            sys.exit(f"{path}: no such file or folder; legal are XML files of GoogleTest or folders of them")


def level_of(case):
    parts = pathlib.PurePath(case.get("file", "")).parts
    return parts[parts.index("tests") + 1] if "tests" in parts[:-1] else "unknown"


def collect(files):
    """Returns {(id, level): [tests that passed]} and the same for tests that failed."""
    passed, failed = {}, {}
    for file in files:
        root = xml.etree.ElementTree.parse(file).getroot()
        for case in root.iter("testcase"):
            if case.get("status") != "run" or case.get("result") == "skipped":
                continue
            name = f"{case.get('classname')}.{case.get('name')}"
            into = failed if case.find("failure") is not None else passed
            for entry in case.iter("property"):
                if entry.get("name") != "proves":
                    continue
                for claim in entry.get("value").split():
                    into.setdefault((claim, level_of(case)), []).append(name)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="XML files of GoogleTest, or folders of them")
    parser.add_argument("--plan", type=pathlib.Path, default=PLAN)
    parser.add_argument("--all", action="store_true", help="list what is proven as well")
    options = parser.parse_args()

    plan = {claim["id"]: claim for claim in json.loads(options.plan.read_text())}
    passed, failed = collect(result_files(options.results))
    open_claims = 0
    for claim in plan.values():
        missing = [level for level in claim["proven_by"] if not passed.get((claim["id"], level))]
        broken = [level for level in claim["proven_by"] if failed.get((claim["id"], level))]
        tests = sum(len(passed.get((claim["id"], level), [])) for level in claim["proven_by"])
        if missing or broken:
            open_claims += 1
            print(f"NOT PROVEN  {claim['id']}: {claim['claim']}")
            for level in missing:
                print(f"            no test of {level} that ran has passed")
            for level in broken:
                print(f"            failed: {failed[(claim['id'], level)][0]}")
        elif options.all:
            print(f"proven      {claim['id']} by {tests} tests")
    unknown = sorted({claim for claim, _ in [*passed, *failed]} - set(plan))
    for claim in unknown:
        print(f"UNKNOWN     {claim}: a test proves it, and the plan does not have it")
    print(f"{len(plan) - open_claims} of {len(plan)} claims proven")
    return 1 if open_claims or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
