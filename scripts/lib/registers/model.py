"""A register map as plain values, read from SystemRDL.

The exporters see blocks, registers and fields, and nothing of the compiler.
"""

from dataclasses import dataclass, field

from systemrdl import RDLCompiler
from systemrdl.node import RegfileNode, RegNode
from systemrdl.rdltypes import AccessType, OnWriteType


@dataclass
class Field:
    name: str
    low: int
    high: int
    desc: str
    readable: bool
    writable: bool
    reset: int  # 0 for what hardware gives
    has_reset: bool
    clears: bool  # a written 1 clears
    sets: bool  # hardware sets
    stored: bool  # the block holds it
    given: bool  # hardware gives the value
    used: bool  # hardware sees it
    pulse: bool
    moving: bool
    numbers: object  # the enum of its values, or None

    @property
    def width(self):
        return self.high - self.low + 1

    @property
    def mask(self):
        return ((1 << self.width) - 1) << self.low

    @property
    def bits(self):
        return str(self.low) if self.low == self.high else f"{self.high}:{self.low}"

    @property
    def access(self):
        if self.clears:
            return "w1c"
        return {(True, True): "rw", (True, False): "r", (False, True): "w"}[self.readable, self.writable]


@dataclass
class Numbers:
    name: str
    width: int
    values: list  # (name, number, description)


@dataclass
class Register:
    name: str
    title: str
    desc: str
    offset: int
    fields: list
    count: int  # of an array, else 1
    stride: int
    outside: bool
    whole: bool
    moving: bool
    build: bool
    lock: str  # the field that locks it, or ""

    def _mask(self, choose):
        return sum(f.mask for f in self.fields if choose(f))

    @property
    def readable(self):
        """Bits that a read can show."""
        return self._mask(lambda f: f.readable)

    @property
    def writable(self):
        """Bits that a write can change."""
        return self._mask(lambda f: f.writable)

    @property
    def strobes(self):
        """Bytes that hold fields."""
        return sum(1 << byte for byte in range(4) if (self._mask(lambda f: True) >> 8 * byte) & 0xff)

    @property
    def reset(self):
        return sum(f.reset << f.low for f in self.fields)


@dataclass
class Block:
    name: str
    type: str
    title: str
    desc: str
    address: int
    dims: list  # (count, stride) of each array around it, the outermost first
    registers: list
    external: bool
    places: list = field(default_factory=list)  # blocks of the same type


def _field(node, reg):
    hw_writes = node.is_hw_writable
    sets = bool(node.get_property("hwset"))
    pulse = bool(node.get_property("pulse"))
    clears = node.get_property("onwrite") == OnWriteType.woclr
    writable = node.is_sw_writable
    reset = node.get_property("reset")
    outside = bool(reg.get_property("outside"))
    return Field(
        name=node.inst_name, low=node.low, high=node.high, desc=node.get_property("desc") or "",
        readable=node.is_sw_readable and not pulse, writable=writable, reset=reset or 0,
        has_reset=reset is not None, clears=clears, sets=sets,
        stored=not outside and not pulse and (sets or writable and not hw_writes),
        given=not outside and (sets or hw_writes), pulse=pulse and not outside,
        used=node.get_property("hw") not in (AccessType.na, AccessType.w, AccessType.w1),
        moving=bool(node.get_property("moving")), numbers=_numbers(node))


def _numbers(node):
    encode = node.get_property("encode")
    return encode and Numbers(encode.type_name, node.width,
                              [(value.name, value.value, value.rdl_desc) for value in encode])


def numbers(blocks):
    """The enums of all fields, each once."""
    return {f.numbers.name: f.numbers for block in blocks for r in block.registers for f in r.fields if f.numbers}.values()


def _lock(node):
    locks = {f.get_property("swwel").inst_name for f in node.fields() if f.get_property("swwel")}
    assert len(locks) <= 1, f"{node.get_path()}: several locks"
    return locks.pop() if locks else ""


def _register(node):
    count, stride = 1, 4
    if node.is_array:
        count, stride = node.array_dimensions[0], node.array_stride
    return Register(
        name=node.inst_name, title=node.get_property("name"), desc=node.get_property("desc") or "",
        offset=node.raw_address_offset if node.is_array else node.address_offset,
        fields=[_field(f, node) for f in node.fields()], count=count, stride=stride,
        outside=bool(node.get_property("outside")), whole=bool(node.get_property("whole")),
        moving=bool(node.get_property("moving")), build=bool(node.get_property("build")), lock=_lock(node))


def _blocks(node, address, dims, external, name=""):
    """Every group of registers below a node; groups of groups become one with both arrays."""
    if isinstance(node, RegfileNode):
        here = address + (node.raw_address_offset if node.is_array else node.address_offset)
        dims = dims + ([(node.array_dimensions[0], node.array_stride)] if node.is_array else [])
        external = external or node.external
        registers = [child for child in node.children() if isinstance(child, RegNode)]
        if registers:
            name += node.inst_name
            yield Block(name=name, type=node.orig_type_name or node.inst_name,
                        title=node.get_property("name"), desc=node.get_property("desc") or "",
                        address=here, dims=dims, registers=[_register(r) for r in registers],
                        external=external)
        for child in node.children():
            if isinstance(child, RegfileNode):
                yield from _blocks(child, here, dims, external, f"{name}_" if name else "")


def load(path):
    """The blocks of a register map, in the order of their addresses."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    top = compiler.elaborate().top
    blocks = [block for child in top.children() for block in _blocks(child, 0, [], False)]
    blocks.sort(key=lambda block: block.address)
    for block in blocks:
        block.places = [other for other in blocks if other.type == block.type]
    return blocks
