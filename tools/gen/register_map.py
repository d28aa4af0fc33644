"""A register map as tools read it (IP-XACT), from its SystemRDL, by the standard library alone.

The build needs no SystemRDL compiler: what this cannot read is refused with file and word, and `scripts/registers`
compares the result with what PeakRDL makes of the same files.
"""

import re
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|->|\+=|\\?\d*\'?[\w.]+|[{}\[\];:=@|]')
KINDS = ("addrmap", "regfile", "reg", "field")
BYTES = 4  # of a register
ACCESS = {"rw": "read-write", "r": "read-only", "w": "write-only"}


@dataclass
class Node:
    """An address map, a group of registers, a register or a field."""
    kind: str
    values: dict  # properties
    name: str = ""
    children: list = field(default_factory=list)
    offset: int = 0  # of a field its lowest bit
    count: int = 1
    array: bool = False
    stride: int = 0
    width: int = 0  # bits of a field
    reset: int = None

    @property
    def size(self):
        if self.kind == "reg":
            return BYTES
        return max(child.offset + (child.count * child.stride if child.array else child.size) for child in self.children)


class Reader:
    def __init__(self, path):
        self.path, self.types, self.words = path, {}, list(self.tokens(path))

    def tokens(self, path):
        """Words of a file and of those it includes."""
        for line in re.sub(r"//[^\n]*", "", path.read_text()).splitlines():
            if included := re.match(r'\s*`include "(.*)"', line):
                yield from self.tokens(path.parent / included[1])
            elif rest := WORD.sub("", line).strip():
                raise ValueError(f"{path}: '{rest}' is not read by tools/gen/register_map.py")
            else:
                yield from WORD.findall(line)

    def take(self, *legal):
        word = self.words.pop(0)
        if legal and word not in legal:
            raise ValueError(f"{self.path}: '{word}'; legal is {' or '.join(legal)}")
        return word

    def skip(self, *wanted):
        """Takes the next word if it is that."""
        return self.words.pop(0) if self.words[0] in wanted else None

    def number(self):
        return int(self.take(), 0)

    def value(self):
        """Of a property: true if only its name stands there."""
        value = self.take().strip('"') if self.skip("=") else True
        self.take(";")
        return value

    def body(self, kind, defaults):
        node, defaults = Node(kind, dict(defaults)), dict(defaults)
        self.take("{")
        while not self.skip("}"):
            self.element(node, defaults)
        return node

    def element(self, parent, defaults):
        self.skip("external")
        word = self.take()
        if word == "enum":
            name = self.take()
            self.types[name] = self.enumerators()
        elif word == "property":
            while self.take() != "}":
                pass
            self.take(";")
        elif word == "default":
            name = self.take()
            defaults[name] = self.value()
        elif word in KINDS:
            name = self.take() if self.words[0] != "{" else ""
            node = self.body(word, defaults)
            if name:
                self.types[name] = node
            if word == "addrmap":
                node.name = name
            if not self.skip(";"):
                self.instance(parent, node)
        elif word in self.types:
            self.instance(parent, self.types[word])
        elif self.skip("->"):
            self.take()
            self.value()
        elif word == "encode":
            parent.values[word] = self.types[self.value()]
        else:
            parent.values[word] = self.value()

    def enumerators(self):
        """(name, number, description) of each."""
        found = []
        self.take("{")
        while not self.skip("}"):
            name = self.take().removeprefix("\\")  # of a keyword
            self.take("=")
            number = int(self.take().partition("'d")[2])
            for word in ("{", "desc"):
                self.take(word)
            found.append((name, number, self.value()))
            self.take("}")
            self.take(";")
        self.take(";")
        return found

    def instance(self, parent, component):
        node = Node(component.kind, component.values, self.take(), component.children)
        if self.skip("["):
            high = self.number()
            if self.skip(":"):
                node.offset = self.number()
                node.width = high - node.offset + 1
            else:
                node.count, node.array = high, True
            self.take("]")
        if self.skip("="):
            node.reset = self.number()
        if self.skip("@"):
            node.offset = self.number()
        if self.skip("+="):
            node.stride = self.number()
        self.take(";")
        parent.children.append(node)


def read(path):
    """The address map of a file."""
    reader, root = Reader(path), Node("root", {})
    while reader.words:
        reader.element(root, {})
    return next(node for node in reader.types.values() if isinstance(node, Node) and node.kind == "addrmap")


def memory_map(top):
    """The element memoryMaps of IP-XACT, IEEE 1685-2014."""
    lines = []

    def put(depth, tag, value):
        text = escape(str(value))
        lines.append(f"{'  ' * depth}<ipxact:{tag}>{text}</ipxact:{tag}>")

    def inside(depth, tag, write, *arguments):
        lines.append(f"{'  ' * depth}<ipxact:{tag}>")
        write(depth + 1, *arguments)
        lines.append(f"{'  ' * depth}</ipxact:{tag}>")

    def names(depth, node):
        put(depth, "name", node.name)
        for tag, key in (("displayName", "name"), ("description", "desc")):
            if key in node.values:
                put(depth, tag, node.values[key])

    def maps(depth):
        inside(depth, "memoryMap", one)

    def one(depth):
        put(depth, "name", f"{top.name}_mmap")
        inside(depth, "addressBlock", block)

    def block(depth):
        names(depth, top)
        put(depth, "baseAddress", "'h0")
        put(depth, "range", f"'h{top.size:x}")
        put(depth, "width", 8 * BYTES)
        below(depth, top)

    def below(depth, node):
        for child in sorted(node.children, key=lambda child: child.offset):
            tag = {"regfile": "registerFile", "reg": "register", "field": "field"}[child.kind]
            inside(depth, tag, bits if tag == "field" else place, child)

    def place(depth, node):
        names(depth, node)
        if node.array:
            put(depth, "dim", node.count)
        put(depth, "addressOffset", f"'h{node.offset:x}")
        if node.kind == "reg":
            put(depth, "size", 8 * BYTES)
        else:
            put(depth, "range", f"'h{node.stride if node.array else node.size:x}")
        below(depth, node)

    def numbers(depth, values):
        for value in values:
            inside(depth, "enumeratedValue", number, *value)

    def number(depth, name, value, about):
        put(depth, "name", name)
        put(depth, "description", about)
        put(depth, "value", f"'h{value:x}")

    def bits(depth, node):
        names(depth, node)
        put(depth, "bitOffset", node.offset)
        if node.reset is not None:
            inside(depth, "resets", lambda depth: inside(depth, "reset", put, "value", f"'h{node.reset:x}"))
        put(depth, "bitWidth", node.width)
        if "w" in node.values.get("hw", "rw") or "hwset" in node.values:
            put(depth, "volatile", "true")
        put(depth, "access", ACCESS[node.values.get("sw", "rw")])
        if "encode" in node.values:
            inside(depth, "enumeratedValues", numbers, node.values["encode"])
        if node.values.get("onwrite") == "woclr":
            put(depth, "modifiedWriteValue", "oneToClear")

    inside(1, "memoryMaps", maps)
    return "\n".join(lines) + "\n"


def described(top):
    """All registers: name with a * for each place, address, places as [count, bytes], words about it, its fields."""
    def below(node, name, address, places):
        for child in sorted(node.children, key=lambda child: child.offset):
            here = name + child.name + "*" * child.array
            at = address + child.offset
            all_places = places + [[child.count, child.stride or BYTES]] * child.array
            if child.kind == "regfile":
                yield from below(child, f"{here}.", at, all_places)
            else:
                fields = [{"name": f.name, "low": f.offset, "high": f.offset + f.width - 1, "access": f.values.get("sw", "rw"),
                           "clears": f.values.get("onwrite") == "woclr", "about": f.values.get("desc", "")}
                          for f in sorted(child.children, key=lambda f: -f.offset)]
                yield {"name": here, "address": at, "places": all_places, "about": child.values.get("desc", ""), "fields": fields}

    return list(below(top, "", 0, []))


def writable(top):
    """Registers that take writes."""
    return [register for register in described(top) if any("w" in f["access"] for f in register["fields"])]
