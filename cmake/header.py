"""The header of a module as values: its parameters and pins, with their expressions as written.

    header(text) -> {"module", "packages", "parameters", "localparams", "ports"}

Reads ANSI headers in the layout that verible-verilog-format gives: one parameter or port a line. A port that it cannot
read is an error, never left out; a parameter that is no number has the type "other". Everybody who needs the pins of a top without a simulator reads them here.
"""
import re

PARAMETER = re.compile(r"^(parameter|localparam)\s+(?:(int unsigned|bit|int)|logic(?:\s*\[(.+?)\])?)\s+(\w+)\s*=\s*(.+)$")
OTHER = re.compile(r"^(parameter|localparam)\s+(?:(.+?)\s+)?(\w+)\s*=\s*(.+)$")
PORT = re.compile(r"^(input|output)\s+(?:wire\s+|logic\s*|wire)?((?:\[[^\]]+\]\s*)*)(\w+)$")


class HeaderError(Exception):
    pass


def split_comments(text):
    """[(code, comment)] of lines; a comment alone on its line belongs to nobody."""
    lines = []
    for line in text.splitlines():
        code, _, comment = line.partition("//")
        lines.append((code.strip(), comment.strip()))
    return lines


def header(text):
    """The header of the one module of a source."""
    found = re.search(r"^module\s+(\w+)(.*?)^\);", text, re.M | re.S)
    if not found:
        raise HeaderError("there is no module with an ANSI header")
    name, body = found.groups()
    packages = re.findall(r"^\s*import\s+(\w+)::\*;", body, re.M)
    parts = re.search(r"#\(\n(.*?)^\)\s*\(\n(.*)", body, re.M | re.S) or re.search(r"()\(\n(.*)", body, re.S)
    if not parts:
        raise HeaderError(f"module {name}: no list of ports")
    parameters, localparams, ports, group = [], [], [], ""
    for code, comment in split_comments(parts[1]):
        if not code:
            continue
        line = PARAMETER.match(code.rstrip(","))
        if line:
            kind, plain, vector, word, value = line.groups()
        elif OTHER.match(code.rstrip(",")):
            (kind, plain, word, value), vector = OTHER.match(code.rstrip(",")).groups(), None
            plain = "other"
        else:
            raise HeaderError(f"module {name}: cannot read the parameter '{code}'")
        entry = {"name": word, "type": plain or "logic", "value": value.strip(), "about": comment}
        if vector:
            entry["vector"] = vector
        (parameters if kind == "parameter" else localparams).append(entry)
    for code, comment in split_comments(parts[2]):
        if not code:
            group = comment or group
            continue
        line = PORT.match(code.rstrip(","))
        if not line:
            raise HeaderError(f"module {name}: cannot read the port '{code}'")
        direction, ranges, word = line.groups()
        ports.append({"name": word, "direction": direction, "width": width(ranges), "group": group, "about": comment})
    return {"module": name, "packages": packages, "parameters": parameters, "localparams": localparams, "ports": ports}


def width(ranges):
    """The bits of [high:0] or [a:0][b:0], as an expression."""
    factors = []
    for high, low in re.findall(r"\[\s*([^\]]+?)\s*:\s*([^\]:]+?)\s*\]", ranges):
        if low != "0":
            raise HeaderError(f"cannot read the range [{high}:{low}]")
        factors.append(high[:-2].strip() if high.endswith("-1") else str(int(high) + 1) if high.isdigit() else f"({high}) + 1")
    return factors[0] if len(factors) == 1 else " * ".join(f"({factor})" for factor in factors) or "1"
