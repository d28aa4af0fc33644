"""Finds the places of SystemVerilog where a small fault can be planted, and plants it."""

import re
import tomllib
from dataclasses import dataclass

import repo

CATALOGUE = "tests/mutation/faults"
ENOUGH = 3  # faults a module


@dataclass(frozen=True)
class Mutant:
    """One fault: `before` at `start` of `path` becomes `after`."""
    path: str
    start: int
    before: str
    after: str
    operator: str
    line: int
    column: int
    code: str

    def apply(self, text):
        assert text[self.start:self.start + len(self.before)] == self.before
        return text[:self.start] + self.after + text[self.start + len(self.before):]

    def __str__(self):
        before, after = " ".join(self.before.split()), " ".join(self.after.split()) or "nothing"
        return f"{self.path}:{self.line}:{self.column} {self.operator}: {before} to {after}  | {self.code}"


def _blank(text, start, end):
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _closing(text, start):
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if depth == 0:
            return index + 1
    return len(text)


def behaviour(text):
    """The text with all that is not behaviour blanked: comments, assertions, headers, parameters."""
    text = repo.strip_comments(text)
    for match in list(re.finditer(r"`TSR_\w+\s*\(|#\s*\((?=\s*\.)", text)):
        text = _blank(text, match.start(), _closing(text, match.end() - 1))
    header = re.search(r"\bmodule\s.*?\)\s*;", text, re.S)
    if header:
        text = _blank(text, 0, header.end())
    for pattern in (r"`\w+[^\n]*", r"\btypedef\b[^;{]*(\{[^}]*\})?[^;]*;", r"\b(localparam|parameter|genvar)\b[^;]*;",
                    r"\bimport\b[^;]*;", r"\bfor\s*\([^)]*\)", r"\bunused_\w*[^;]*;", r"\bfunction\b[^;]*;",
                    r"^\s*(logic|bit|int|[a-z]\w*_t)\b[^;=]*;", r"\[[^\[\]]*:[^\[\]]*\]"):
        for match in list(re.finditer(pattern, text, re.M | re.S)):
            text = _blank(text, match.start(), match.end())
    return text


# What is looked for, what replaces it, and what the fault is called.
SIMPLE = [
    (r"&&", "||", "and to or"),
    (r"\|\|", "&&", "or to and"),
    (r"(?<![=!<>])==(?!=)", "!=", "equal to unequal"),
    (r"(?<!=)!=(?!=)", "==", "unequal to equal"),
    (r"(?<![<>=-])>=", ">", "bound moved"),
    (r"(?<![<>=-])>(?![>=])", ">=", "bound moved"),
    (r"(?<![<])<(?![<=])", "<=", "bound moved"),
    (r"(?<=[\w)\]}]) \+ (?=[\w(\{'])", " - ", "plus to minus"),
    (r"(?<=[\w)\]}]) - (?=[\w(\{'])", " + ", "minus to plus"),
    (r"!(?=[\w(&|])", "", "negation dropped"),
    (r"~(?=[\w(&|\{])", "", "negation dropped"),
    (r"\b1'b0\b", "1'b1", "constant"),
    (r"\b1'b1\b", "1'b0", "constant"),
    (r"(?<=[ (])'0(?!\w)", "'1", "constant"),
    (r" && !?[\w.]+(\[[^\[\]]*\])?(?![\w(\[.'])", "", "term dropped"),
    (r" \|\| !?[\w.]+(\[[^\[\]]*\])?(?![\w(\[.'])", "", "term dropped"),
]


def _is_assignment(code, start):
    """Whether the `<=` at `start` assigns: nothing but a target stands before it in its statement."""
    begin = max(code.rfind(mark, 0, start) for mark in (";", "begin", "end", "else")) + 1
    depth = 0
    for character in code[begin:start]:
        depth += (character in "([{") - (character in ")]}")
    return depth == 0 and not re.search(r"(?<![<>=!])=(?!=)|\?", code[begin:start])


def _arms(code):
    """(start, end, colon, question) of each `c ? a : b` whose arms hold no other one."""
    for match in re.finditer(r"\?", code):
        depth, colon = 0, None
        for index in range(match.end(), len(code)):
            character = code[index]
            if depth == 0 and character in ";,)]}?":
                if colon is not None and character != "?":
                    yield match.end(), index, colon
                break
            if depth == 0 and character == ":":
                if colon is not None:
                    break
                colon = index
            depth += (character in "([{") - (character in ")]}")


def mutants(path, text):
    """Every fault that can be planted in a source."""
    code = behaviour(text)

    def at(start, before, after, operator):
        visible = start + len(before) - len(before.lstrip())
        begin = text.rfind("\n", 0, visible) + 1
        return Mutant(path, start, before, after, operator, text.count("\n", 0, visible) + 1,
                      visible - begin + 1, text[begin:].split("\n", 1)[0].strip())

    for pattern, after, operator in SIMPLE:
        for match in re.finditer(pattern, code):
            casts = re.match(r"[^()]*\)'", code[match.end():])  # the width of a cast is no behaviour
            if not casts:
                yield at(match.start(), text[match.start():match.end()], after, operator)
    for match in re.finditer(r"(?<![<>=])<=", code):
        if not _is_assignment(code, match.start()):
            yield at(match.start(), "<=", "<", "bound moved")
    for match in re.finditer(r"\b(\d+)'d(\d+)\b", code):
        changed = f"{match[1]}'d{(int(match[2]) + 1) % (1 << int(match[1]))}"
        yield at(match.start(), match[0], changed, "constant")
    for match in re.finditer(r"\bif \(", code):
        end = _closing(code, match.end() - 1)
        condition = text[match.end() - 1:end]
        if not re.match(r"\(!?[A-Z]", condition):  # a parameter: chooses hardware
            yield at(match.end() - 1, condition, f"(!{condition})", "condition negated")
    for match in re.finditer(r"(?<=\n)[ ]*\w+_q(\[[^\n\]]*\])?(\.\w+)* <= [^;\n]*;(?=\n)", code):
        yield at(match.start(), text[match.start():match.end()], "", "assignment dropped")
    for start, end, colon in _arms(code):
        left, right = text[start:colon].strip(), text[colon + 1:end].strip()
        if left != right:
            yield at(start, text[start:end], f" {right} : {left}", "arms swapped")


# ---- Faults designed by hand ----------------------------------------------------------------------

DESIGNED = "designed"


def catalogue(root=repo.ROOT):
    """(faults, complaints) of tests/mutation/faults: a place is found by its text, which stands once."""
    found, complaints = [], []
    sources = {path.stem: path for path in repo.rtl_sources(root / "rtl")}
    for file in sorted((root / CATALOGUE).glob("*.toml")):
        for entry in tomllib.loads(file.read_text()).get("fault", []):
            name = f"{file.name}: {entry.get('module', '?')}: {entry.get('name', '?')}"
            if missing := {"module", "name", "find", "replace"} - set(entry):
                complaints.append(f"{name}: has no {', '.join(sorted(missing))}")
            elif entry["module"] not in sources:
                complaints.append(f"{name}: no source of rtl holds this module")
            else:
                path = sources[entry["module"]]
                text = path.read_text()
                times = text.count(entry["find"])
                if times != 1 or entry["find"] == entry["replace"]:
                    complaints.append(f"{name}: its text stands {times} times in the source, not once"
                                      if times != 1 else f"{name}: replaces nothing")
                    continue
                start = text.index(entry["find"])
                line = text.count("\n", 0, start) + 1
                found.append(Mutant(str(path.relative_to(root)), start, entry["find"], entry["replace"], DESIGNED,
                                    line, start - text.rfind("\n", 0, start), entry["name"]))
    return found, complaints


def lacking(root=repo.ROOT):
    """Modules with behaviour that have too few designed faults."""
    counts = {}
    for fault in catalogue(root)[0]:
        counts[fault.path] = counts.get(fault.path, 0) + 1
    for path in repo.rtl_sources(root / "rtl"):
        name = str(path.relative_to(root))
        behaves = re.search(r"\b(assign|always_\w+)\b", repo.strip_comments(path.read_text()))
        if behaves and counts.get(name, 0) < ENOUGH:
            yield f"{name} has {counts.get(name, 0)} faults in {CATALOGUE}, not {ENOUGH}"
