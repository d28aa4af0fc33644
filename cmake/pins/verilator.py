"""What Verilator says of a design: `elaborate`, from XML or JSON.

Verilator up to 5.036 writes its elaborated design as XML (--xml-only), later ones as JSON (--json-only);
both are read. The XML of 5.006 resolves an enum that is the type of a member to its bits: the enum is then
found by the place of its name in the source, which stands on the line of the member.
"""
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from design import Array, Bits, Design, Enum, Struct


def literal(text):
    """The value of 4'h9, 32'sh1f, 3'sb101."""
    found = re.fullmatch(r"(?:(\d+)?'(s?)([hbdo]))?([0-9a-fA-F_]+)", text)
    if not found:
        sys.exit(f"pins: '{text}' is no number that it knows")
    width, signed, base, digits = found.groups()
    value = int(digits.replace("_", ""), {"h": 16, "b": 2, "o": 8, "d": 10, None: 10}[base])
    if signed and width and value >> (int(width) - 1):
        value -= 1 << int(width)
    return value


def package_name(node):
    name = node.get("name") or ""
    return name if "_pkg::" in name else ""


class XmlReader:
    """--xml-only."""

    def __init__(self, path, top):
        self.root = ElementTree.parse(path).getroot()
        table = self.root.find(".//typetable")
        self.nodes = {node.get("id"): node for node in table if node.get("id")}
        self.enums = {}  # by the name without its package: several if it is in several
        for node in table.iter("enumdtype"):
            self.enums.setdefault(node.get("name").split("::")[-1], []).append(self.enum(node))
        self.named = {}  # (file, line) -> names of types there
        for node in table.iter("refdtype"):
            self.named.setdefault(tuple(node.get("loc").split(",")[:2]), []).append(node.get("name"))
        self.cache = {}
        self.top = top

    def enum(self, node):
        items = tuple((item.get("name"), literal(item.find("const").get("name")))
                      for item in node.iter("enumitem"))
        base = self.nodes[node.get("sub_dtype_id")]
        return Enum(node.get("name"), self.basic(base).width, items)

    @staticmethod
    def basic(node):
        if node.get("left") is None:
            width = 1
        else:
            width = abs(int(node.get("left")) - int(node.get("right"))) + 1
        return Bits(width, node.get("signed") == "true")

    def enum_of(self, names, width):
        """The enum that one of these names stands for, if only one can be meant."""
        found = {enum for name in names for enum in self.enums.get(name.split("::")[-1], [])
                 if enum.width == width}
        return found.pop() if len(found) == 1 else None

    def kind(self, number):
        if number not in self.cache:
            self.cache[number] = self.resolve(self.nodes[number])
        return self.cache[number]

    def resolve(self, node):
        if node.tag == "basicdtype":
            return self.basic(node)
        if node.tag == "enumdtype":
            return self.enum(node)
        if node.tag == "structdtype":
            members = []
            for member in node.iter("memberdtype"):
                kind = self.kind(member.get("sub_dtype_id"))
                if isinstance(kind, Bits):
                    place = tuple(member.get("loc").split(",")[:2])
                    kind = self.enum_of(self.named.get(place, []), kind.width) or kind
                members.append((member.get("name"), kind))
            return Struct(package_name(node), tuple(members))
        if node.tag == "uniondtype":
            return Bits(max(self.kind(member.get("sub_dtype_id")).width for member in node.iter("memberdtype")))
        if node.tag == "packarraydtype":
            left, right = (literal(const.get("name")) for const in node.iter("const"))
            return Array(self.kind(node.get("sub_dtype_id")), left, right)
        if node.get("sub_dtype_id"):
            return self.kind(node.get("sub_dtype_id"))
        sys.exit(f"pins: no C++ for a {node.tag}")

    def design(self, packages):
        design = Design()
        for module in self.root.iter("module"):
            if module.get("origName") != self.top:
                continue
            for var in module.iter("var"):
                if var.get("dir") and var.get("pinIndex"):  # not those of functions
                    kind = self.kind(var.get("dtype_id"))
                    if isinstance(kind, Bits):
                        kind = self.enum_of([var.get("vartype") or ""], kind.width) or kind
                    design.ports.append((int(var.get("pinIndex")), var.get("origName"), kind))
        design.ports = [(name, kind) for _, name, kind in sorted(design.ports, key=lambda port: port[0])]
        for package in self.root.iter("package"):
            if package.get("origName") not in packages:
                continue
            for var in package.iter("var"):
                if var.get("localparam") and var.find("const") is not None:
                    value = literal(var.find("const").get("name"))
                    design.constants.append((package.get("origName"), var.get("origName"), value))
            for typedef in package.iter("typedef"):
                names = [f"{package.get('origName')}::{typedef.get('name')}"]
                kind = self.kind(typedef.get("dtype_id"))
                enums = [enum for enum in self.enums.get(typedef.get("name"), []) if enum.name == names[0]]
                design.typedefs.append(enums[0] if enums and isinstance(kind, Bits) else kind)
        return design


class JsonReader:
    """--json-only."""

    def __init__(self, path, top):
        self.root = json.loads(Path(path).read_text())
        self.nodes = {}
        self.index(self.root)
        self.cache = {}
        self.top = top

    def index(self, node):
        if isinstance(node, dict):
            if "addr" in node:
                self.nodes[node["addr"]] = node
            for value in node.values():
                self.index(value)
        elif isinstance(node, list):
            for value in node:
                self.index(value)

    @classmethod
    def below(cls, node, kind):
        """Nodes of a type under `node`, in order."""
        if isinstance(node, dict):
            if node.get("type") == kind:
                yield node
            for value in node.values():
                yield from cls.below(value, kind)
        elif isinstance(node, list):
            for value in node:
                yield from cls.below(value, kind)

    def kind(self, address):
        if address not in self.cache:
            self.cache[address] = self.resolve(self.nodes[address])
        return self.cache[address]

    def resolve(self, node):
        what = node["type"]
        if what == "BASICDTYPE":
            left, right = (int(end) for end in node.get("range", "0:0").split(":"))
            return Bits(abs(left - right) + 1, bool(node.get("signed", False)))
        if what == "ENUMDTYPE":
            items = tuple((item["name"], literal(next(self.below(item, "CONST"))["name"]))
                          for item in node["itemsp"])
            return Enum(node["name"], self.kind(node["refDTypep"]).width, items)
        if what in ("STRUCTDTYPE", "UNIONDTYPE"):
            members = tuple((member["name"], self.kind(member["refDTypep"])) for member in node["membersp"])
            if what == "UNIONDTYPE":
                return Bits(max(kind.width for _, kind in members))
            return Struct(package_name(node), members)
        if what == "PACKARRAYDTYPE":
            left, right = (int(end) for end in node["declRange"].strip("[]").split(":"))
            return Array(self.kind(node["refDTypep"]), left, right)
        for key in ("refDTypep", "dtypep"):
            if node.get(key) not in (None, "UNLINKED", node["addr"]):
                return self.kind(node[key])
        sys.exit(f"pins: no C++ for a {what}")

    def design(self, packages):
        design = Design()
        for module in self.below(self.root, "MODULE"):
            if module.get("origName") != self.top:
                continue
            for var in self.below(module.get("stmtsp", []), "VAR"):
                if var.get("direction") in ("INPUT", "OUTPUT"):
                    design.ports.append((var["origName"], self.kind(var["dtypep"])))
        for package in self.below(self.root, "PACKAGE"):
            if package["origName"] not in packages:
                continue
            for var in self.below(package.get("stmtsp", []), "VAR"):
                values = var.get("valuep") or []
                if var.get("isParam") and values and values[0]["type"] == "CONST":
                    design.constants.append((package["origName"], var["origName"], literal(values[0]["name"])))
            for typedef in self.below(package.get("stmtsp", []), "TYPEDEF"):
                design.typedefs.append(self.kind(typedef["dtypep"]))
        return design


def elaborate(verilator, top, arguments, packages=()):
    with tempfile.TemporaryDirectory() as folder:
        for option, reader in (("--xml-only", XmlReader), ("--json-only", JsonReader)):
            out = Path(folder) / "design"
            command = [verilator, option, f"{option}-output".replace("-only-", "-").replace("--json-", "--json-only-"),
                       str(out), "--top-module", top, "--Mdir", folder, "-Wno-fatal", *arguments]
            if option == "--json-only":
                command += ["--json-only-meta-output", str(Path(folder) / "meta")]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                return reader(out, top).design(packages)
            if "Invalid" not in done.stderr or option not in done.stderr:
                break
        sys.exit(f"pins: {' '.join(command)}\n{done.stdout}{done.stderr}")
