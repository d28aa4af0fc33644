"""Tables of parameters. The first kind is made, the second is compared:

  <!-- parameters of TOP: made by docs/tools/pictures -->   up to   <!-- end of parameters -->
      every parameter that `tessera gen --list` tells of, from rtl/top/TOP.sv and tools/gen/tops.json
  <!-- parameters of TOP: compared by docs/tools/pictures -->   before a table with the columns parameter and default
      every parameter of rtl/top/TOP.sv must be in the table, with its default, and no other
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
from header import header  # noqa: E402

MADE = re.compile(r"(<!-- parameters of (\w+): made by docs/tools/pictures -->\n)(.*?)(<!-- end of parameters -->)", re.S)
COMPARED = re.compile(r"<!-- parameters of (\w+): compared by docs/tools/pictures -->\n\n((?:\|.*\n)+)")
WIDE = "other"  # the type of a parameter that is no number


def default(parameter):
    """The default as a page writes it."""
    value = parameter["value"]
    if parameter["type"] == "bit":
        return "true" if value == "1'b1" else "false"
    if value == "'0":
        return "0"
    based = re.fullmatch(r"\d*'h([\da-fA-F_]+)", value)
    if based:
        number = int(based[1].replace("_", ""), 16)
        return hex(number) if number else "0"
    return value


def module(top):
    """Parameters of a top by name; vectors whose width depends on others are no numbers."""
    parameters = header((ROOT / f"rtl/top/{top}.sv").read_text())["parameters"]
    return {p["name"]: p for p in parameters if p["type"] != WIDE and not re.match(r"[A-Za-z]", p.get("vector", ""))}


def legal(range_of, flag):
    if flag:
        return "false, true"
    if "values" in range_of:
        return ", ".join(map(str, range_of["values"]))
    low, high = range_of["from"], range_of["to"]
    other = f"{range_of['or']}, or " if "or" in range_of else ""
    if range_of.get("power"):
        return other + ", ".join(str(1 << n) for n in range(high.bit_length()) if low <= 1 << n <= high)
    return f"{other}{low} to {high}"


def table(top):
    described = json.loads((ROOT / "tools/gen/tops.json").read_text())[top]
    lines = ["| parameter | legal | default | is |", "|---|---|---|---|"]
    parameters = module(top)
    names = re.compile(rf"\b({'|'.join(parameters)})\b")
    for name, parameter in parameters.items():
        range_of = described["parameters"].get(name)
        if range_of is None or len(range_of.get("values", [0, 1])) == 1:
            continue  # not to be chosen in a specification
        allowed = [legal(range_of, parameter["type"] == "bit")]
        allowed += [names.sub(r"`\1`", rule["legal"]) for rule in described["rules"] if rule["of"] == name]
        about = names.sub(r"`\1`", range_of["about"])
        lines.append(f"| `{name}` | {'; '.join(allowed)} | {default(parameter)} | {about} |")
    return "\n".join(lines)


def with_tables(text):
    """The page with the tables that are made."""
    return MADE.sub(lambda found: f"{found[1]}\n{table(found[2])}\n\n{found[4]}", text)


def faults(name, text):
    """What is wrong with the tables of a page that are compared."""
    for top, rows in COMPARED.findall(text):
        head, _, *body = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.strip().split("\n")]
        column, told = head.index("default"), {}
        for row in body:
            words = re.findall(r"`(\w+)`", row[0])
            values = row[column].split(", ")
            told |= dict(zip(words, values if len(values) == len(words) else values * len(words)))
        wanted = {word: default(parameter) for word, parameter in module(top).items()}
        for word in wanted.keys() | told.keys():
            if wanted.get(word) != told.get(word):
                yield f"{name} has {told.get(word, 'no')} as default of {word} of {top}, and the RTL {wanted.get(word, 'no such parameter')}"
