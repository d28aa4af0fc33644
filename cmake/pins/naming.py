"""Names of the RTL in C++: of types, members and enumerators."""
import re

from design import Enum, Struct, named_types

KEYWORDS = set("""alignas alignof and asm auto bool break case catch char class concept const consteval constexpr
constinit continue decltype default delete do double else enum explicit export extern false float for friend goto
if inline int long mutable namespace new noexcept not nullptr operator or private protected public register
requires return short signed sizeof static struct switch template this throw true try typedef typeid typename
union unsigned using virtual void volatile while xor""".split())


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
