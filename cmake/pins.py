#!/usr/bin/env python3
"""Types and pins of the RTL as C++, from what Verilator elaborates.

    pins.py types --out FILE --verilator PROGRAM -- PACKAGE.sv ...
    pins.py model --out FILE --verilator PROGRAM --top MODULE --prefix CLASS -- ARGUMENT ...

`types` writes every packed struct and enum of the packages in folders called pkg as a C++ value (namespace tessera::rtl), with
Pack, Unpack and names. `model` writes the class CLASS_Pins: an accessor for each port of a verilated model,
through arrays and structs whose widths depend on its parameters, down to fields (tb/sim/pins.h).
ARGUMENTs are those that the model is verilated with. A file that would not change is not written.

Verilator up to 5.036 writes its elaborated design as XML (--xml-only), later ones as JSON (--json-only);
both are read. The XML of 5.006 resolves an enum that is the type of a member to its bits: the enum is then
found by the place of its name in the source, which stands on the line of the member.

A packed struct of a package with nothing but single bits (two or more) is a set of flags: an unsigned number
and a constant for each bit.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

KEYWORDS = set("""alignas alignof and asm auto bool break case catch char class concept const consteval constexpr
constinit continue decltype default delete do double else enum explicit export extern false float for friend goto
if inline int long mutable namespace new noexcept not nullptr operator or private protected public register
requires return short signed sizeof static struct switch template this throw true try typedef typeid typename
union unsigned using virtual void volatile while xor""".split())


@dataclass(frozen=True)
class Bits:
    width: int
    signed: bool = False


@dataclass(frozen=True)
class Enum:
    name: str  # package::type_e
    width: int
    items: tuple  # (name, value)


@dataclass(frozen=True)
class Struct:
    name: str  # package::type_t; empty if it is not of a package
    members: tuple  # (name, type), the most significant first

    @property
    def width(self):
        return sum(kind.width for _, kind in self.members)


@dataclass(frozen=True)
class Array:
    element: object
    left: int
    right: int

    @property
    def count(self):
        return abs(self.left - self.right) + 1

    @property
    def width(self):
        return self.count * self.element.width


@dataclass
class Design:
    ports: list = field(default_factory=list)  # (name, type)
    typedefs: list = field(default_factory=list)  # of packages
    constants: list = field(default_factory=list)  # of packages: (package, name, value)


# ---- What Verilator says ----------------------------------------------------------------------------


def literal(text):
    """The value of 4'h9, 32'sh1f, 3'sb101."""
    found = re.fullmatch(r"(?:(\d+)?'(s?)([hbdo]))?([0-9a-fA-F_]+)", text)
    if not found:
        sys.exit(f"pins.py: '{text}' is no number that it knows")
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
        sys.exit(f"pins.py: no C++ for a {node.tag}")

    def design(self, packages):
        design = Design()
        for module in self.root.iter("module"):
            if module.get("origName") != self.top:
                continue
            for var in module.iter("var"):
                if var.get("dir"):
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
        sys.exit(f"pins.py: no C++ for a {what}")

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
        sys.exit(f"pins.py: {' '.join(command)}\n{done.stdout}{done.stderr}")


# ---- C++ --------------------------------------------------------------------------------------------


def camel(name):
    """channel_state_t -> ChannelState."""
    name = re.sub(r"_[te]$", "", name.split("::")[-1])
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class Names:
    """Names of types in C++: ChannelState for channel_state_t, and for channel_state_e unless a struct is called
    so: ChannelStateEnum."""

    def __init__(self, typedefs):
        self.structs = {camel(kind.name) for kind in named_types(typedefs) if isinstance(kind, Struct)}

    def __call__(self, kind):
        name = camel(kind.name)
        return f"{name}Enum" if isinstance(kind, Enum) and name in self.structs else name


NAMES = None  # of this run


def words(name):
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+", name)


def short_names(items):
    """Enumerators without the words that all of them begin with, as words."""
    split = [words(name) for name, _ in items]
    common = 0
    while all(len(name) > common + 1 for name in split) and len({name[common] for name in split}) == 1:
        common += 1
    return [name[common:] for name in split]


def member(name):
    return name + "_" if name in KEYWORDS else name


def is_flags(kind):
    return (isinstance(kind, Struct) and len(kind.members) > 1
            and all(isinstance(part, Bits) and part.width == 1 for _, part in kind.members))


def in_package(kind):
    return "_pkg::" in kind.name


def unsigned(width):
    return next(f"uint{size}_t" for size in (8, 16, 32, 64) if width <= size)


def value_type(kind):
    if isinstance(kind, Bits):
        if kind.width > 64:
            return f"std::array<uint32_t, {(kind.width + 31) // 32}>"
        if kind.width == 1 and not kind.signed:
            return "bool"
        return unsigned(kind.width).removeprefix("u" if kind.signed else "")
    if isinstance(kind, Array):
        return f"std::array<{value_type(kind.element)}, {kind.count}>"
    return unsigned(kind.width) if is_flags(kind) else NAMES(kind)


def pack(out, kind, value, at, label, indent, depth=0):
    if isinstance(kind, Array):
        n = f"n{depth}"
        place = f"{n}" if kind.left >= kind.right else f"{kind.count - 1} - {n}"
        step = kind.element.width
        out.append(f"{indent}for (int {n} = 0; {n} < {kind.count}; ++{n}) {{")
        pack(out, kind.element, f"{value}[static_cast<size_t>({n})]", f"{at} + {step} * ({place})", label,
             indent + "  ", depth + 1)
        out.append(f"{indent}}}")
    elif isinstance(kind, Struct) and not is_flags(kind):
        out.append(f"{indent}{value}.Pack(place.Sub({at}));")
    elif isinstance(kind, Enum):
        out.append(f"{indent}pins::PutChecked(place, {at}, {kind.width}, static_cast<uint64_t>({value}), \"{label}\");")
    elif kind.width > 64:
        out.append(f"{indent}pins::PutWords(place, {at}, {kind.width}, {value});")
    else:
        put = "PutSigned" if isinstance(kind, Bits) and kind.signed else "PutChecked"
        out.append(f"{indent}pins::{put}(place, {at}, {kind.width}, {value}, \"{label}\");")


def unpack(out, kind, value, at, indent, depth=0):
    if isinstance(kind, Array):
        n = f"n{depth}"
        place = f"{n}" if kind.left >= kind.right else f"{kind.count - 1} - {n}"
        out.append(f"{indent}for (int {n} = 0; {n} < {kind.count}; ++{n}) {{")
        unpack(out, kind.element, f"{value}[static_cast<size_t>({n})]", f"{at} + {kind.element.width} * ({place})",
               indent + "  ", depth + 1)
        out.append(f"{indent}}}")
    elif isinstance(kind, Struct) and not is_flags(kind):
        out.append(f"{indent}{value} = {NAMES(kind)}::Unpack(place.Sub({at}));")
    elif not is_flags(kind) and isinstance(kind, Bits) and kind.width > 64:
        out.append(f"{indent}pins::GetWords(place, {at}, {kind.width}, &{value});")
    else:
        get = "GetSigned" if isinstance(kind, Bits) and kind.signed else "Get"
        out.append(f"{indent}{value} = static_cast<{value_type(kind)}>(place.{get}({at}, {kind.width}));")


def declare_enum(out, kind):
    name = NAMES(kind)
    shorts = short_names(kind.items)
    out.append(f"// {kind.name}")
    out.append(f"enum class {name} : {unsigned(kind.width)} {{")
    out += [f"  k{''.join(short)} = {value}," for short, (_, value) in zip(shorts, kind.items)]
    out.append("};")
    out.append(f"inline constexpr std::array<std::pair<{name}, std::string_view>, {len(kind.items)}> "
               f"k{name}Names{{{{")
    out += [f"    {{{name}::k{''.join(short)}, \"{'_'.join(short).lower()}\"}}," for short in shorts]
    out.append("}};")
    out.append(f"inline std::string_view NameOf({name} value) {{ return pins::NameOf(k{name}Names, value); }}")
    out.append("")


def declare_flags(out, kind):
    name = NAMES(kind)
    out.append(f"// {kind.name}: a bit each.")
    out.append(f"struct {name} {{")
    out.append(f"  enum Bit : {unsigned(kind.width)} {{")
    for place, (flag, _) in enumerate(reversed(kind.members)):
        out.append(f"    k{camel(flag + '_t')} = {1 << place},")
    out.append("  };")
    out.append(f"  static constexpr int kBits = {kind.width};")
    out.append(f"  static constexpr std::array<std::pair<Bit, std::string_view>, {kind.width}> kNames{{{{")
    for flag, _ in reversed(kind.members):
        out.append(f"      {{k{camel(flag + '_t')}, \"{flag}\"}},")
    out.append("  }};")
    out.append("};")
    out.append("")


def declare_struct(out, kind):
    name = NAMES(kind)
    out.append(f"// {kind.name}")
    out.append(f"struct {name} {{")
    out.append(f"  static constexpr int kBits = {kind.width};")
    for label, part in kind.members:
        out.append(f"  {value_type(part)} {member(label)}{{}};")
    out.append(f"  bool operator==(const {name}&) const = default;")
    places, at = [], kind.width
    for label, part in kind.members:
        at -= part.width
        places.append((label, part, at))
    out.append("  // Throws std::out_of_range naming the field if a value has more bits than the field.")
    out.append("  template <typename Place>")
    out.append("  void Pack(Place place) const {")
    for label, part, at in places:
        pack(out, part, member(label), str(at), f"{kind.name}.{label}", "    ")
    out.append("  }")
    out.append("  template <typename Place>")
    out.append(f"  static {name} Unpack(Place place) {{")
    out.append(f"    {name} value;")
    for label, part, at in places:
        unpack(out, part, f"value.{member(label)}", str(at), "    ")
    out.append("    return value;")
    out.append("  }")
    out.append("  // visit(name, field) for each field of `value`, in the order of the declaration.")
    out.append("  template <typename Value, typename Visitor>")
    out.append("  static void Visit(Value& value, Visitor&& visit) {")
    out += [f"    visit(\"{label}\", value.{member(label)});" for label, _, _ in places]
    out.append("  }")
    out.append("};")
    out.append("")


def named_types(kinds):
    """Structs and enums in the order in which C++ needs them."""
    seen = {}

    def add(kind):
        if isinstance(kind, Array):
            add(kind.element)
        elif isinstance(kind, Struct):
            for _, part in kind.members:
                add(part)
            seen.setdefault(kind, None)
        elif isinstance(kind, Enum):
            seen.setdefault(kind, None)

    for kind in kinds:
        add(kind)
    return list(seen)


def types_header(design, sources):
    out = [f"// Types of the RTL. Made by cmake/pins.py from {', '.join(sorted(sources))}.",
           "#pragma once", "", "#include <array>", "#include <cstdint>", "#include <string_view>",
           "#include <utility>", "", "#include \"tb/sim/place.h\"", "", "namespace tessera::rtl {", ""]
    values = {}
    for package, name, value in design.constants:
        values.setdefault(name, {})[package] = value
    for name, of in sorted(values.items()):
        if len(set(of.values())) == 1 and -2**63 <= min(of.values()) < 2**63:
            kind = "uint64_t" if max(of.values()) >= 2**31 else "int"
            out.append(f"inline constexpr {kind} k{camel(name)} = {max(of.values())};  // {', '.join(of)}")
    out.append("")
    names = {}
    for kind in named_types(design.typedefs):
        name = NAMES(kind)
        if name in names:
            sys.exit(f"pins.py: {names[name]} and {kind.name} would both be {name} in C++")
        names[name] = kind.name
        if isinstance(kind, Enum):
            declare_enum(out, kind)
        elif is_flags(kind):
            declare_flags(out, kind)
        else:
            declare_struct(out, kind)
    return "\n".join(out + ["}  // namespace tessera::rtl", ""])


class Model:
    """The header of one model."""

    def __init__(self, design, top, prefix):
        self.design, self.top, self.prefix = design, top, prefix
        self.names = {}  # struct -> class
        self.classes = []

    def view(self, kind, path):
        """The C++ type that shows a place of this type, first met at `path`; `W` is the word of the pin."""
        if isinstance(kind, Array):
            order = "true" if kind.left >= kind.right else "false"
            return f"pins::Array<W, {self.view(kind.element, path)}, {kind.count}, {order}>"
        if isinstance(kind, Enum):
            if in_package(kind):
                return f"pins::EnumField<W, rtl::{NAMES(kind)}, {kind.width}>"
            return f"pins::Field<W, {kind.width}>"
        if isinstance(kind, Struct) and in_package(kind):
            return f"pins::Field<W, {kind.width}>" if is_flags(kind) else f"pins::Value<W, rtl::{NAMES(kind)}>"
        if isinstance(kind, Struct):
            return f"{self.struct(kind, path)}<W>"
        return f"pins::{'SignedField' if kind.signed else 'Field'}<W, {kind.width}>"

    def struct(self, kind, path):
        if kind not in self.names:
            name = self.names[kind] = f"{path}_t"
            parts = [(label, part, self.view(part, f"{path}_{label}")) for label, part in kind.members]
            out = ["  template <typename W>", f"  struct {name} : pins::Place<W> {{",
                   f"    static constexpr int kBits = {kind.width};",
                   f"    explicit {name}(pins::Place<W> place) : pins::Place<W>(place) {{}}"]
            at = kind.width
            for label, part, view in parts:
                at -= part.width
                out.append(f"    auto {member(label)}() const {{ return {view}(this->Sub({at})); }}")
            self.classes += out + ["  };"]
        return self.names[kind]

    def header(self):
        ports = []
        for name, kind in self.design.ports:
            view = re.sub(r"\bW\b", "Word", self.view(kind, name))
            ports += [f"  auto {member(name)}() const {{",
                      f"    using Word = pins::WordOf<decltype(model_.{name})>;",
                      f"    return {view}(pins::Place<Word>(pins::Words(model_.{name})));", "  }"]
        out = [f"// Pins of {self.prefix}. Made by cmake/pins.py from {self.top} as Verilator elaborates it.",
               "#pragma once", "", f"#include <{self.prefix}.h>", "", "#include \"pins/types.h\"",
               "#include \"tb/sim/pins.h\"", "", "namespace tessera {", "",
               f"class {self.prefix}_Pins {{", " public:", *self.classes,
               f"  explicit {self.prefix}_Pins(::{self.prefix}& model) : model_(model) {{}}", *ports,
               "", " private:", f"  ::{self.prefix}& model_;", "};", "", "}  // namespace tessera", ""]
        return "\n".join(out)


def write(path, text):
    path = Path(path)
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text)
    part.replace(path)


def main():
    global NAMES
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("types", "model"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--verilator", default="verilator")
    parser.add_argument("--top")
    parser.add_argument("--prefix")
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    sources = [Path(name) for name in options.arguments if name.endswith("_pkg.sv")]
    packages = [path.stem for path in sources if path.parent.name == "pkg"]
    if options.what == "model":
        design = elaborate(options.verilator, options.top, options.arguments, packages)
        NAMES = Names(design.typedefs)
        if not design.ports:
            sys.exit(f"pins.py: {options.top} has no ports in what Verilator wrote")
        write(options.out, Model(design, options.top, options.prefix).header())
        return
    with tempfile.TemporaryDirectory() as folder:  # packages are elaborated under a module alone
        top = Path(folder) / "tessera_types.sv"
        top.write_text("module tessera_types (input logic unused_i);\nendmodule\n")
        design = elaborate(options.verilator, "tessera_types", [*options.arguments, str(top)], packages)
    NAMES = Names(design.typedefs)
    write(options.out, types_header(design, packages))


if __name__ == "__main__":
    main()
