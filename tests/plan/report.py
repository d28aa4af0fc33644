#!/usr/bin/env python3
"""Lists what the test plan claims and what no test that ran has proven.

  report.py RESULTS...      RESULTS: XML or JSON files of GoogleTest (--gtest_output=json:FILE), or folders
                            of them

A test proves the ids of its property `proves` if it ran and passed, at the level that is the name of its
folder under tests/ (model, engine, ...). A claim is proven when every level it names has proven it. A claim
whose `open` says why may be unproven; one that is open and proven is told. The last line is `N passed, M
failed`; exit status 1 if a claim is neither proven nor open or a test proves an id that is not in the plan.
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
            yield from sorted([*path.rglob("*.xml"), *path.rglob("*.json")])
        elif path.exists():
            yield path
        else:
            sys.exit(f"{path}: no such file or folder; legal are XML or JSON files of GoogleTest or folders of them")


def level_of(case):
    parts = pathlib.PurePath(case.get("file", "")).parts
    return parts[parts.index("tests") + 1] if "tests" in parts[:-1] else "unknown"


def cases_of(file):
    """(attributes, whether it failed, ids) of every case that ran."""
    if file.suffix == ".json":
        suites = json.loads(file.read_text())["testsuites"]
        for case in (case for suite in suites for case in suite["testsuite"]):
            if case.get("result") == "COMPLETED":
                yield case, bool(case.get("failures")), case.get("proves", "").split()
        return
    for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
        if case.get("status") == "run" and case.get("result") != "skipped":
            proves = [entry.get("value") for entry in case.iter("property") if entry.get("name") == "proves"]
            yield case, case.find("failure") is not None, " ".join(proves).split()


def collect(files):
    """Returns {(id, level): [tests that passed]} and the same for tests that failed."""
    passed, failed = {}, {}
    for file in files:
        for case, bad, claims in cases_of(file):
            for claim in claims:
                name = f"{case.get('classname')}.{case.get('name')}"
                (failed if bad else passed).setdefault((claim, level_of(case)), []).append(name)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="XML files of GoogleTest, or folders of them")
    parser.add_argument("--plan", type=pathlib.Path, default=PLAN)
    parser.add_argument("--all", action="store_true", help="list what is proven as well")
    options = parser.parse_args()

    plan = {claim["id"]: claim for claim in json.loads(options.plan.read_text())}
    passed, failed = collect(result_files(options.results))
    unproven = still_open = 0
    for claim in plan.values():
        missing = [level for level in claim["proven_by"] if not passed.get((claim["id"], level))]
        broken = [level for level in claim["proven_by"] if failed.get((claim["id"], level))]
        tests = sum(len(passed.get((claim["id"], level), [])) for level in claim["proven_by"])
        if claim.get("open") and missing and not broken:
            still_open += 1
            print(f"open        {claim['id']}: {claim['open']}")
        elif missing or broken:
            unproven += 1
            print(f"NOT PROVEN  {claim['id']}: {claim['claim']}")
            for level in missing:
                print(f"            no test of {level} that ran has passed")
            for level in broken:
                print(f"            failed: {failed[(claim['id'], level)][0]}")
        elif claim.get("open"):
            print(f"proven, and still marked open: {claim['id']}")
        elif options.all:
            print(f"proven      {claim['id']} by {tests} tests")
    unknown = sorted({claim for claim, _ in [*passed, *failed]} - set(plan))
    for claim in unknown:
        print(f"UNKNOWN     {claim}: a test proves it, and the plan does not have it")
    proven = len(plan) - unproven - still_open
    print(f"{proven} of {len(plan)} claims proven, {still_open} open with a reason")
    print(f"{proven} passed, {unproven + len(unknown)} failed")
    return 1 if unproven or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
