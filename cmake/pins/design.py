"""Types of an elaborated design: bits, enums, structs, arrays; its ports and packages."""
from dataclasses import dataclass, field


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


def is_flags(kind):
    return (isinstance(kind, Struct) and len(kind.members) > 1
            and all(isinstance(part, Bits) and part.width == 1 for _, part in kind.members))
