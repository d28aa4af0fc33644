#!/usr/bin/env python3
"""The parameters of a top, from TOP.toml beside it: everything that is made of them.

  parameters.py header TOML STRUCT OUT        the C++ struct, with its checks
  parameters.py build TOML BUILDS NAME        a build of cmake/*.json as the values of that struct; a sentence if the
                                              top refuses it

Others import it: scripts/parameters (RTL), scripts/sources (FuseSoC), tools/gen/embed.py, docs/tools/parameters.py,
scripts/lint.
"""
import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

COLUMNS = 100  # of RTL
LONGEST_LIST = 40  # characters


@dataclass
class Parameter:
    name: str
    default: object = None  # a number, a bool, or an expression
    about: str = ""
    range: list = None  # of a number: the least, the greatest
    power: bool = False  # powers of two alone
    rules: list = field(default_factory=list)  # [condition, what is legal by it]
    declaration: str = ""  # of one that is no number
    text: str = ""  # its default, where C++ has it
    words: str = ""  # what the manual says that is legal of it

    @property
    def flag(self):
        return self.range is None

    @property
    def member(self):
        return re.sub(r"([a-z])([A-Z])", r"\1_\2", self.name).lower()

    @property
    def powers(self):
        return [1 << n for n in range(32) if self.range[0] <= 1 << n <= self.range[1]]

    def takes(self, value):
        if self.flag:
            return isinstance(value, bool)
        number = isinstance(value, int) and not isinstance(value, bool)
        return number and self.range[0] <= value <= self.range[1] and (not self.power or value in self.powers)

    def legal(self):
        """Every message has these words."""
        if self.flag:
            return "true or false"
        if not self.power:
            return f"an integer from {self.range[0]} to {self.range[1]}"
        every = f"one of {', '.join(map(str, self.powers))}"
        return every if len(every) <= LONGEST_LIST else f"a power of two from {self.range[0]} to {self.range[1]}"


def description(rtl, top):
    """Where the parameters of a top are described: beside its source."""
    found = list(Path(rtl).glob(f"*/{top}.toml"))
    if len(found) != 1:
        sys.exit(f"{len(found)} files {rtl}/*/{top}.toml; legal is 1")
    return found[0]


def read(path):
    """All of them, in the order of the module."""
    entries = tomllib.loads(Path(path).read_text())
    try:
        return [Parameter(name, **entry) for name, entry in entries.items()]
    except TypeError as error:
        sys.exit(f"{path}: {error}")


def numbers(parameters):
    """Those that are numbers or flags."""
    return [parameter for parameter in parameters if not parameter.declaration]


# ---- RTL ------------------------------------------------------------------------------------------------------------


def declarations(parameters):
    """The list of the module; localparams and pins follow."""
    lines = []
    for p in parameters:
        if p.declaration:
            code, _, comment = p.declaration.partition("  // ")
            line = f"  {code}," + (f"  // {comment}" if comment else "")
        else:
            kind = "bit" if p.flag else "int unsigned"
            line = f"  parameter {kind} {p.name} = {f'1{chr(39)}b{int(p.default)}' if p.flag else p.default},"
        if "//" in line or not p.about:
            lines += wrapped(p.about) if p.about else []
        elif len(line) + len(p.about) + 5 > COLUMNS:
            lines += wrapped(p.about)
        else:
            line += f"  // {p.about}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def wrapped(about):
    lines = ["  //"]
    for word in (about[:1].upper() + about[1:] + ".").split():
        if len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append("  //")
        lines[-1] += " " + word
    return lines


def config(parameters):
    """The type of a configuration in a package, and its defaults."""
    lines = ["  typedef struct packed {"]
    lines += [f"    {'bit         ' if p.flag else 'int unsigned'} {p.name};" for p in numbers(parameters)]
    lines += ["  } dma_config_t;", "", "  localparam dma_config_t DmaDefaults = '{"]
    return "\n".join(lines) + "\n" + ",\n".join(
        f"      {p.name}: {chr(49) + chr(39) + 'b' + str(int(p.default)) if p.flag else p.default}" for p in numbers(parameters)) + "\n  };\n"


def configured(parameters):
    """The configuration of the module itself; to Verilator 5.006 the value of a literal has no width: + 32'd0."""
    return "  localparam dma_config_t Config = '{\n" + ",\n".join(
        f"      {p.name}: {p.name}{'' if p.flag else chr(32) + '+ 32' + chr(39) + 'd0'}" for p in numbers(parameters)) + "\n  };\n"


def condition(p):
    low, high = p.range
    parts = [f"{p.name} >= {low}"] if low > 0 else []
    return " && ".join(parts + [f"{p.name} <= {high}"] + ([f"$onehot({p.name})"] if p.power else []))


def checks(parameters):
    """What stops elaboration, with a sentence that names the parameter, its value and what is legal."""
    lines = []
    for p in numbers(parameters):
        wanted = [] if p.flag else [(p.name, condition(p), p.legal())]
        wanted += [(f"{p.name}Rule{n}", *rule) for n, rule in enumerate(p.rules)]
        for label, that, legal in wanted:
            message = f'("{p.name} = %0d; legal is {legal}", {p.name})'
            one = f"  `TSR_STATIC_ASSERT({label}, {that}, {message})"
            two = [f"  `TSR_STATIC_ASSERT({label}, {that},", f"                     {message})"]
            three = ["  `TSR_STATIC_ASSERT(", f"      {label}, {that},", f"      {message})"]
            lines += [one] if len(one) <= COLUMNS else two if max(map(len, two)) <= COLUMNS else three
    return "\n".join(lines) + "\n"


# ---- C++ ------------------------------------------------------------------------------------------------------------


def cpp(parameters, top, struct):
    """A struct with the defaults of the top, a visitor, and its checks."""
    names = {p.name: p.member for p in parameters}

    def code(expression):
        return re.sub(r"\b[A-Z]\w*\b", lambda word: f"p.{names[word[0]]}", expression)

    lines = [f"// Parameters of {top}: made by cmake/parameters.py from {top}.toml.", "#pragma once", "",
             "#include <concepts>", "#include <string>", "#include <type_traits>", "", "namespace tessera {", "",
             f"struct {struct} {{"]
    visits, limits, rules = [], [], []
    for p in parameters:
        if p.declaration and not p.text:
            continue
        kind, value = ("std::string", json.dumps(p.text)) if p.text else ("bool", str(p.default).lower()) if p.flag else (
            "int", re.sub(r"\b[A-Z]\w*\b", lambda word: names[word[0]], str(p.default)))
        lines.append(f"  {kind} {p.member} = {value};" + (f"  // {p.about}" if p.about else ""))
        visits.append(f'  visit("{p.name}", "{p.member}", {json.dumps(p.about)}, p.{p.member});')
        if p.declaration:
            continue
        refuse = f'return "{p.name} is " + std::to_string(p.{p.member}) + ": legal is'
        if not p.flag:
            power = f" || (p.{p.member} & (p.{p.member} - 1)) != 0" if p.power else ""
            limits.append(f'  if (p.{p.member} < {p.range[0]} || p.{p.member} > {p.range[1]}{power}) {refuse} {p.legal()}";')
        rules += [f'  if (!({code(that)})) {refuse} {legal}";' for that, legal in p.rules]
    lines += [f"  bool operator==(const {struct}&) const = default;", "};", "",
              "// Calls visit(name in the RTL, name in C++, sentence, value) for each.", "template <typename Parameters, typename Visit>",
              f"  requires std::same_as<std::remove_cvref_t<Parameters>, {struct}>",
              "void VisitParameters(Parameters&& p, Visit&& visit) {", *visits, "}", "",
              "// One sentence about the first value that the top refuses; empty: all are legal.",
              f"inline std::string Complaint(const {struct}& p) {{", *limits, *rules, '  return "";', "}", "", "}  // namespace tessera"]
    return "\n".join(lines) + "\n"


# ---- Builds ---------------------------------------------------------------------------------------------------------


def holds(that, values):
    """A rule, in the words of Verilog."""
    expression = that.replace("&&", " and ").replace("||", " or ")
    return bool(eval(re.sub(r"!(?!=)", " not ", expression).replace("/", "//"), {}, dict(values)))  # of our own file


def complaints(parameters, values):
    """What is wrong with a build."""
    known, full, bad = {p.name: p for p in parameters}, {}, False
    for word, value in values.items():
        if word not in known:
            bad = True
            yield f"{word} is unknown: legal are {', '.join(known)}"
        elif not known[word].declaration and not known[word].takes(value):
            bad = True
            yield f"{word} is {json.dumps(value)}: legal is {known[word].legal()}"
    if bad:
        return  # rules are about legal values
    for p in numbers(parameters):
        usual = eval(p.default.replace("/", "//"), {}, full) if isinstance(p.default, str) else p.default
        full[p.name] = values.get(p.name, usual)
    for p in numbers(parameters):
        for that, legal in p.rules:
            if not holds(that, full):
                yield f"{p.name} is {json.dumps(full[p.name])}: legal is {legal}"


def build(parameters, file, name):
    values = {word: value for word, value in json.loads(Path(file).read_text())[name].items() if word[0].isupper()}
    wrong = next(complaints(parameters, values), None)
    if wrong:
        sys.exit(f"{file}: {name}.{wrong}")
    return ", ".join(f".{p.member} = {json.dumps(values[p.name])}" for p in parameters
                     if p.name in values and (p.text or not p.declaration))


def main(command, toml, *words):
    parameters = read(toml)
    if command == "build":
        print(build(parameters, *words), end="")
        return
    struct, out = words
    text = cpp(parameters, Path(toml).stem, struct)
    if not Path(out).exists() or Path(out).read_text() != text:
        Path(out).parent.mkdir(parents=True, exist_ok=True)
        Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
