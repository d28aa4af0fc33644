"""Finds the places of SystemVerilog where a small fault can be planted, and plants it."""

import hashlib
import random
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import repo

# What scripts/mutate reads: of the core, and of each product beside it.
CATALOGUE = ("tests/mutation/faults/*.toml", "tests/mutation/*/faults.toml")
EXPLAINED = ("tests/mutation/explained.toml", "tests/mutation/*/explained.toml")
DESIGNED = "designed"
# Where operators are swapped; what is generated is left out.
FOLDERS = ("rtl/prim", "rtl/core", "rtl/port", "rtl/program", "rtl/list", "rtl/stream", "rtl/frontend", "rtl/top",
           *(f"rtl/{product}" for product in repo.PRODUCTS))


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

    @property
    def module(self):
        return Path(self.path).stem

    @property
    def name(self):
        """What scripts/mutate --fault finds it by."""
        if self.operator == DESIGNED:
            return f"{self.module}: {self.code}"
        return f"{self.module}:{self.line}:{self.column} {self.operator}"

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
    (r" && !?[\w.]+(\[[^\[\]]*\])?(?=\s*(&&|\|\||[),;?:}]))", "", "term dropped"),
    (r" \|\| !?[\w.]+(\[[^\[\]]*\])?(?=\s*(&&|\|\||[),;?:}]))", "", "term dropped"),
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


def anywhere(text):
    """A pattern for a text of SystemVerilog, with any white space and comments between its words and signs."""
    pattern, last = "", ""
    for token in re.findall(r"\w+|\S", repo.strip_comments(text)):
        apart = r"\s+" if re.fullmatch(r"\w\w", last[-1:] + token[0]) else r"\s*"
        pattern += (apart if last else "") + re.escape(token)
        last = token
    return re.compile(pattern)


def catalogue(root=repo.ROOT):
    """(faults, complaints) of the catalogue: a place is found by its text, which stands once."""
    found, complaints = [], []
    sources = {path.stem: path for path in sorted((root / "rtl").rglob("*.sv"))}
    texts = {}
    for file in sorted(path for pattern in CATALOGUE for path in root.glob(pattern)):
        for entry in tomllib.loads(file.read_text()).get("fault", []):
            name = f"{file.relative_to(root / 'tests/mutation')}: {entry.get('module', '?')}: {entry.get('name', '?')}"
            if missing := {"module", "name", "find", "replace"} - set(entry):
                complaints.append(f"{name}: has no {', '.join(sorted(missing))}")
            elif entry["module"] not in sources:
                complaints.append(f"{name}: no source of rtl has the name of this module")
            else:
                path = sources[entry["module"]]
                if path not in texts:
                    text = path.read_text()
                    texts[path] = text, repo.strip_comments(text)
                text, code = texts[path]
                places = list(anywhere(entry["find"]).finditer(code))
                if len(places) != 1:
                    complaints.append(f"{name}: its text stands {len(places)} times in {path.relative_to(root)}, not once")
                    continue
                start, end = places[0].span()
                line = text.count("\n", 0, start) + 1
                found.append(Mutant(str(path.relative_to(root)), start, text[start:end], entry["replace"], DESIGNED, line,
                                    start - text.rfind("\n", 0, start), entry["name"]))
    return found, complaints


class Explained:
    """The faults of explained.toml, which cannot show."""

    def __init__(self, root=repo.ROOT):
        self.root = root
        self.entries = [{**entry, "in": path} for pattern in EXPLAINED for path in sorted(root.glob(pattern))
                        for entry in tomllib.loads(path.read_text()).get("survivor", [])]

    def places(self, entry):
        path = self.root / entry["file"]
        text = repo.strip_comments(path.read_text()) if path.exists() else ""
        return [match.span() for match in anywhere(entry["code"]).finditer(text)]

    def stale(self):
        """A line for each entry whose code does not stand in its source."""
        return [f"{entry['in'].relative_to(self.root)}: {entry['file']}: no such code: {entry['code']}" for entry in self.entries if not self.places(entry)]

    def reason(self, fault):
        """Why a fault cannot show, or None."""
        def matches(entry):
            sides = ("before", fault.before), ("after", fault.after)
            visible = fault.start + len(fault.before) - len(fault.before.lstrip())
            return (entry["file"], entry["fault"]) == (fault.path, fault.operator) \
                and all("".join(entry.get(side, text).split()) == "".join(text.split()) for side, text in sides) \
                and any(start <= visible < end for start, end in self.places(entry))

        return next((entry["reason"] for entry in self.entries if matches(entry)), None)


# ---- What is planted, and what is drawn of it --------------------------------------------------------


def swaps(path, root=repo.ROOT):
    return list(mutants(path, (root / path).read_text()))


def pool(designed, paths, seed=1, count=2, root=repo.ROOT):
    """Designed faults, and some swaps of every source: those of a source change with its text and the seed alone.

    A build of the pool serves every draw from it.
    """
    found = list(designed)
    for path in paths:
        text = (root / path).read_text()
        every = list(mutants(path, text))
        digest = hashlib.sha256(f"{seed} {text}".encode()).hexdigest()
        found += random.Random(digest).sample(every, min(count, len(every)))
    return found


def drawn(faults, seed):
    """The faults in the order in which they are drawn: designed ones and swaps in turn, while there are both."""
    source = random.Random(seed)
    halves = [[fault for fault in faults if (fault.operator == DESIGNED) == designed] for designed in (True, False)]
    for half in halves:
        source.shuffle(half)
    both = min(map(len, halves))
    return [fault for pair in zip(*halves) for fault in pair] + halves[0][both:] + halves[1][both:]
