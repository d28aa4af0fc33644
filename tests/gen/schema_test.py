#!/usr/bin/python3
"""The schema of specifications and the parser say the same: schema_test.py TESSERA SOURCE

Every example and one thing changed at every place: where one of the two refuses, the other must. What a schema
cannot say (sums, names that clash) the parser may refuse alone.
"""
import copy
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

import products

PROGRAM, SOURCE = sys.argv[1], Path(sys.argv[2])
SCHEMA = json.loads(subprocess.run([PROGRAM, "gen", "--schema"], text=True, stdout=subprocess.PIPE, check=True).stdout)
WRONG = [None, True, 0, 1, -1, 1.5, 3, 48, 64, 10**12, 2**70, "", "word", "0x40000", "-0x1", [], [0], {}, {"a": 1}, "A b"]
ALONE = re.compile("|".join([
    "that no module of Tessera", "that no other pin", "another name", "no keyword", "multiple of 0x40000", "what divides",
    "multiple of 0x2000", "has no member .top", "at most DataWidth", "at most half", "0 unless", "0 where there is no rom", "1 and more where Reads",
    "with a RAM", "false where Writes", "hexadecimal digits", "legal is the name of a file", "entry for each channel", "as in map", "the beats of rom", "the writes of start", "0 where there is no start",
    "register that (takes writes|this build has)", "at least one write", "a file of at most [0-9]+ writes",
    "names that others", "impl and map do not say", "at least [0-9]+ values", "is a .* a (half|float|double)", "in which line",
    "false where StreamWidth", "1 and more", "that no group", "a part that", r"read\[0 to", "interrupt is .0x"]))


def places(value, path=()):
    yield path
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(child, path + (key,))


def changed(document, path, make):
    if not path:
        return make(document)
    result = copy.deepcopy(document)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = make(parent[path[-1]])
    return result


def variants(document):
    for path in places(document):
        value = document
        for key in path:
            value = value[key]
        if isinstance(value, dict):
            yield changed(document, path, lambda v: {**v, "bananas": 1})
            for member in value:
                yield changed(document, path, lambda v, m=member: {k: x for k, x in v.items() if k != m})
        for wrong in WRONG:
            if path and wrong != value:
                yield changed(document, path, lambda _, w=wrong: w)


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    passed = failed = 0
    folders = [SOURCE / "examples/gen", *(folder for *_, folder in products.found(PROGRAM, SOURCE))]
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        cases = [json.loads(path.read_text())]
        cases += variants(cases[0])
        with tempfile.TemporaryDirectory() as folder:
            for text in path.parent.glob("*.txt"):
                shutil.copy(text, folder)
            names = []
            for number, case in enumerate(cases):
                names.append(f"{folder}/{number}.json")
                Path(names[-1]).write_text(json.dumps(case))
            done = subprocess.run([PROGRAM, "gen", "--check", *names], text=True, stdout=subprocess.PIPE, check=False)
        said = [None if line.endswith(": ok") else line for line in done.stdout.splitlines()]
        assert len(said) == len(cases), done
        bad = []
        for case, sentence in zip(cases, said):
            valid = validator.is_valid(case)
            if valid and sentence and not ALONE.search(sentence):
                bad.append(f"only the parser refuses: {sentence}")
            if not valid and sentence is None:
                error = jsonschema.exceptions.best_match(validator.iter_errors(case))
                bad.append(f"only the schema refuses: {error.json_path}: {error.message[:150]}")
        if said[0]:
            bad.append(f"the example itself is refused: {said[0]}")
        print(f"{path.name}: {len(cases)} documents, {sum(s is not None for s in said)} refused, {len(bad)} disagree")
        for line in bad[:8]:
            print(f"  {line}")
        passed, failed = passed + (not bad), failed + bool(bad)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and not failed else 1)


main()
