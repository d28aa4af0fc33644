"""Plants many faults in one source at once, each behind a number that is chosen when a program starts.

The smallest statement, assignment or input of an instance that a fault changes stands twice afterwards: with the
fault, and without it. Which of the two holds is asked when the model is made: the environment variable
TESSERA_PLANTED holds `module=number`. One build so serves all faults of a module, and a build of all modules serves
all faults. A fault that changes something else (a declaration, an output of an instance, a generate loop) has no
switch: it is planted alone, by the text, and is not drawn.
"""

import re
from dataclasses import dataclass

import pyslang
from pyslang import syntax

import repo

VARIABLE = "TESSERA_PLANTED"
CONNECTION = re.compile(r"\.(\w+)\s*(?:\((.*)\))?\s*", re.S)
Kind = syntax.SyntaxKind


@dataclass(frozen=True)
class Place:
    """The text from `start` to `end` of a source, and what it is: a statement, an assignment, an input."""
    start: int
    end: int
    what: str

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


class Source:
    """The places of a source where a fault can stand beside what it changes."""

    def __init__(self, path):
        self.text = (repo.ROOT / path).read_text()
        self.module = (repo.ROOT / path).stem
        self.number = f"planted_{self.module}"  # tells modules apart in the C++ of a model
        self.places, self.body, self.broken, self.package = [], None, [], False
        manager = pyslang.SourceManager()
        for folder in repo.manifest()["includes"]:
            manager.addUserDirectories(str(repo.ROOT / "rtl" / folder))
        tree = syntax.SyntaxTree.fromText(self.text, manager, self.module, str(repo.ROOT / path))
        self.functions = {}  # name -> Place
        self.constants = ""  # the text of all parameters
        tree.root.visit(self._visit)
        self.broken += self._constant_functions()

    def _visit(self, node):
        if not isinstance(node, syntax.SyntaxNode):
            return
        place = node.sourceRange.start.offset, node.sourceRange.end.offset
        if node.kind in (Kind.ModuleHeader, Kind.PackageHeader):
            self.body, self.package = place[1], node.kind == Kind.PackageHeader
        elif node.kind == Kind.FunctionDeclaration:
            self.functions[str(node.prototype.name).strip()] = Place(*place, "none")
        elif node.kind == Kind.ParameterDeclaration:
            self.constants += self.text[slice(*place)]
        elif node.kind == Kind.ContinuousAssign:
            self.places.append(Place(*place, "assignment"))
        elif node.kind == Kind.NamedPortConnection:
            self.places.append(Place(*place, "input" if re.match(r"\.\w+_i\b", self.text[slice(*place)]) else "none"))
        elif node.kind == Kind.TimingControlStatement:  # stands for its block, and cannot be chosen
            self.places.append(Place(*place, "none"))
        elif isinstance(node, syntax.StatementSyntax):
            self.places.append(Place(*place, "statement"))

    def _constant_functions(self):
        """Those that a parameter calls, directly or not: they are evaluated before a model runs."""
        text, found = self.constants, {}
        while text:
            called = {name: place for name, place in self.functions.items() if name not in found and re.search(rf"\b{name}\s*\(", text)}
            found |= called
            text = "".join(self.text[place.start:place.end] for place in called.values())
        return list(found.values())

    def place_of(self, fault):
        """The smallest place that a fault changes, or None."""
        before, after = fault.before, fault.after
        first = 0
        while first < min(len(before), len(after)) and before[first] == after[first]:
            first += 1
        last = 0
        while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
            last += 1
        start, end = fault.start + first, fault.start + len(before) - last
        if any(bad.start <= start and end <= bad.end for bad in self.broken):
            return None
        around = [place for place in self.places if place.start <= start and end <= place.end]
        found = min(around, key=lambda place: place.end - place.start, default=None)
        return found if found and found.what != "none" else None

    def switched(self, faults):
        """The text with every fault that has a place; `numbers` and `lines` tell where they are."""
        groups = []  # (place, faults): a place within another one becomes a part of it
        for fault in faults:
            place = self.place_of(fault)
            if place is None or not self._variant(place, fault):
                continue
            apart = [group for group in groups if not place.overlaps(group[0])]
            joined = [group for group in groups if place.overlaps(group[0])]
            widest = max([place, *(group[0] for group in joined)], key=lambda one: one.end - one.start)
            groups = apart + [(widest, [other for group in joined for other in group[1]] + [fault])]
        text, self.numbers, self.lines, done = "", {}, [], 0
        for place, members in sorted(groups, key=lambda group: group[0].start):
            numbers = {faults.index(fault) + 1: fault for fault in members}
            variants = {number: self._variant(place, fault) for number, fault in sorted(numbers.items())}
            if not all(variants.values()):
                continue
            self.numbers |= numbers
            text += self.text[done:place.start]
            first = text.count("\n")
            text += self._chosen(place, variants)
            self.lines.append((first + 1, text.count("\n") + 1, place))
            done = place.end
        text += self.text[done:]
        return text[:self.body] + self._declaration() + text[self.body:] if self.numbers else self.text

    def alone(self, fault):
        """The text with one fault in it that needs no number; a model still shows that the module is in it."""
        text = fault.apply(self.text)
        body = self.body + (len(fault.after) - len(fault.before) if fault.start < self.body else 0)
        return text[:body] + self._declaration() + text[body:]

    def drop(self, line):
        """Takes the switches at a line of the switched text for broken; False if there are none."""
        here = [place for first, last, place in self.lines if first <= line <= last]
        self.broken += here
        return bool(here)

    def _variant(self, place, fault):
        """The text of a place with a fault, or None if both cannot stand side by side."""
        original = self.text[place.start:place.end]
        changed = fault.apply(self.text)[place.start:place.end + len(fault.after) - len(fault.before)]
        if place.what == "assignment":
            target = re.match(r"assign\s+[^=]*=(?!=)", original)
            return changed if target and changed.startswith(target[0]) else None
        if place.what == "input":
            return changed if CONNECTION.fullmatch(changed) else None
        return changed or ";"

    def _chosen(self, place, variants):
        original = self.text[place.start:place.end]
        if place.what == "input":
            value = self._value(original)
            for number, variant in variants.items():
                value = f"{self.number} == {number} ? ({self._value(variant)}) : {value}"
            return f".{CONNECTION.fullmatch(original)[1]}({value})"
        skip = len("assign") if place.what == "assignment" else 0
        chosen = "always_comb " if skip else ""
        for number, variant in variants.items():
            chosen += f"if ({self.number} == {number}) begin {variant[skip:]} end else "
        return f"{chosen}begin {original[skip:]} end" if skip else f"begin {chosen}begin {original} end end"

    @staticmethod
    def _value(connection):
        """What an input is connected to: itself by name if nothing else is said."""
        match = CONNECTION.fullmatch(connection)
        return match[1] if match[2] is None else match[2]

    def _declaration(self):
        """Reads the number when the model is made: 0 if another module is meant. Stands in the line of the header."""
        size = len(self.module) + 1
        set_to = " =" if self.package else f"; initial {self.number} ="  # packages have no processes
        return (f' int {self.number}{set_to} $c32("[]{{ const char* chosen = std::getenv(\\"{VARIABLE}\\"); '
                f'return chosen && !std::strncmp(chosen, \\"{self.module}=\\", {size}) '
                f'? std::atoi(chosen + {size}) : 0; }}()");')
