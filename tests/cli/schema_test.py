#!/usr/bin/python3
"""The schema of the files of a command and its parser say the same: schema_test.py run|gen TESSERA SOURCE

Every example, and each with one thing changed at every place: a member gone, one too many, a value of
another type or out of range. Where the schema refuses, the parser must; where the parser refuses for what
a schema can say, the schema must. What only the parser knows (names, sums, overlaps) it may refuse alone.
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

COMMAND, PROGRAM, SOURCE = sys.argv[1], sys.argv[2], Path(sys.argv[3])
sys.path[:0] = [str(SOURCE / "tests/gen"), str(SOURCE / "tests/scripts")]
import products
from checks import Checks

SCHEMA = json.loads(subprocess.run([PROGRAM, COMMAND, "--schema"], text=True, stdout=subprocess.PIPE, check=True).stdout)
WRONG = [None, True, 0, 1, -1, 1.5, 3, 7, 48, 64, 10**12, 2**70, "", "word", "0x10", "0x40000", "-0x1", "A b", [], [0], {}, {"a": 1}]
CHECK = {"run": ["check", "--parse"], "gen": ["gen", "--check"]}[COMMAND]
# What the parser knows and the schema cannot say.
ALONE = re.compile("|".join({
    "run": [
        r'is "-?0x[^"]*": legal is', r"elem is \d+: legal are the powers", r"\.fill is 0x", "would overlap",
        "a name that nothing before", r"has \d+ entr(y|ies) and count has", "last_level is", 'has no member "size"',
        "legal is at most 0x", "name of a read channel", "feeds no other", "an engine of its own", r"visits \d+ positions",
        "another channel", r'(base|entries) is "', "p=<0..1>", "bounded dimension",
        r"(values\[\d+\]|\.value|\.step|latency\[1\]|\.last) is .*: legal is an integer", "bytes for all memories",
        "at least one byte", "legal is a card", r"write_order is", "the name of a (descriptor|lock|channel)",
        "leads in a circle", "a multiple of 64", "takes descriptors from a list", "which a list ignores",
        "a write channel, whose stream", "which is endless", "windows are whole pages", "ends within the address space",
        "in the last task of its channel", "a channel with an endless task", "that an action before", "that follows",
        "the name of a channel", "a source that no other", r"on a (read|write) channel, which", "a number of its own",
        "that is not 0", 'has no member "trigger"', r"\.at\[\d+\] is .*: legal is an integer",
    ],
    "gen": [
        "that no module of Tessera", "that no other pin", "another name", "no keyword", "multiple of 0x40000", "what divides",
        "multiple of 0x2000", "has no member .top", "at most DataWidth", "at most half", "0 unless", "0 where there is no rom",
        "1 and more where Reads", "with a RAM", "false where Writes", "hexadecimal digits", "legal is the name of a file",
        "entry for each channel", "as in map", "the beats of rom", "the writes of start", "0 where there is no start",
        "register that (takes writes|this build has)", "at least one write", "a file of at most [0-9]+ writes",
        "names that others", "impl and map do not say", "at least [0-9]+ values", "is a .* a (half|float|double)",
        "in which line", "false where StreamWidth", "1 and more", "that no group", "a part that", r"read\[0 to",
        "interrupt is .0x",
    ]}[COMMAND]))


def folders():
    """Where the examples are."""
    if COMMAND == "run":
        return [SOURCE / "examples/jobs", SOURCE / "examples/demo"]
    return [SOURCE / "examples/gen", *(folder for *_, folder in products.found(PROGRAM, SOURCE))]


def places(value, path=()):
    """Every place in a document."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, path + (key,))


def changed(document, path, make):
    """The document with the value at a place replaced by make(value)."""
    if not path:
        return make(document)
    result = copy.deepcopy(document)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = make(parent[path[-1]])
    return result


def variants(document):
    """Documents that differ in one thing."""
    for path in places(document):
        value = document
        for key in path:
            value = value[key]
        if isinstance(value, dict):
            yield changed(document, path, lambda v: {**v, "bananas": 1})
            for member in value:
                yield changed(document, path, lambda v, m=member: {k: x for k, x in v.items() if k != m})
        if isinstance(value, list) and value:
            yield changed(document, path, lambda v: v + v[-1:])
            yield changed(document, path, lambda v: v * 40)
        for wrong in WRONG:
            if path and wrong != value:
                yield changed(document, path, lambda _, w=wrong: w)


def parser_says(documents, beside, folder):
    """None for a document the parser takes, else its sentence; all in one run of the program, with the files beside the example."""
    for text in beside.glob("*.txt"):
        shutil.copy(text, folder)
    names = []
    for number, document in enumerate(documents):
        names.append(f"{folder}/{number}.json")
        Path(names[-1]).write_text(json.dumps(document))
    done = subprocess.run([PROGRAM, *CHECK, *names], text=True, stdout=subprocess.PIPE, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == len(names), done
    return [None if line.endswith(": ok") else line for line in lines]


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    check = Checks()
    for path in sorted(path for folder in folders() for path in folder.glob("*.json")):
        document = json.loads(path.read_text())
        cases = [document, *variants(document)]
        with tempfile.TemporaryDirectory() as folder:
            said = parser_says(cases, path.parent, folder)
        bad = []
        for case, sentence in zip(cases, said):
            valid = validator.is_valid(case)
            if valid and sentence and not ALONE.search(sentence):
                bad.append(f"only the parser refuses: {sentence}")
            if not valid and sentence is None:
                error = jsonschema.exceptions.best_match(validator.iter_errors(case))
                bad.append(f"only the schema refuses: {error.json_path}: {error.message[:150]}")
        if said[0] or not validator.is_valid(document):
            bad.append(f"the example itself is refused: {said[0]}")
        check(f"{path.name}: {len(cases)} documents, {sum(s is not None for s in said)} refused", not bad,
              "\n".join([f"{len(bad)} disagree", *bad[:5]]))
    check.finish()


main()
