"""The types of the packages as C++: values with Pack, Unpack and names."""
import sys

from design import Array, Bits, Enum, Struct, is_flags, named_types
from naming import Names, camel, member, short_names


def unsigned(width):
    return next(f"uint{size}_t" for size in (8, 16, 32, 64) if width <= size)


class TypesHeader:
    """pins/types.h."""

    def __init__(self, design, sources):
        self.design, self.sources = design, sources
        self.names = Names(design.typedefs)
        self.out = []

    def text(self):
        self.out = [f"// Types of the RTL. Made by cmake/pins from {', '.join(sorted(self.sources))}.",
                    "#pragma once", "", "#include <array>", "#include <cstdint>", "#include <string_view>",
                    "#include <utility>", "", "#include \"tb/sim/place.h\"", "", "namespace tessera::rtl {", ""]
        values = {}
        for package, name, value in self.design.constants:
            values.setdefault(name, {})[package] = value
        for name, of in sorted(values.items()):
            if len(set(of.values())) == 1 and -2**63 <= min(of.values()) < 2**63:
                kind = "uint64_t" if max(of.values()) >= 2**31 else "int"
                self.add(f"inline constexpr {kind} k{camel(name)} = {max(of.values())};  // {', '.join(of)}")
        self.add("")
        taken = {}
        for kind in named_types(self.design.typedefs):
            name = self.names(kind)
            if name in taken:
                sys.exit(f"pins: {taken[name]} and {kind.name} would both be {name} in C++")
            taken[name] = kind.name
            if isinstance(kind, Enum):
                self.declare_enum(kind)
            elif is_flags(kind):
                self.declare_flags(kind)
            else:
                self.declare_struct(kind)
        return "\n".join(self.out + ["}  // namespace tessera::rtl", ""])

    def add(self, line):
        self.out.append(line)

    def value_type(self, kind):
        if isinstance(kind, Bits):
            if kind.width > 64:
                return f"std::array<uint32_t, {(kind.width + 31) // 32}>"
            if kind.width == 1 and not kind.signed:
                return "bool"
            return unsigned(kind.width).removeprefix("u" if kind.signed else "")
        if isinstance(kind, Array):
            return f"std::array<{self.value_type(kind.element)}, {kind.count}>"
        return unsigned(kind.width) if is_flags(kind) else self.names(kind)

    def pack(self, kind, value, at, label, indent, depth=0):
        if isinstance(kind, Array):
            n = f"n{depth}"
            place = f"{n}" if kind.left >= kind.right else f"{kind.count - 1} - {n}"
            step = kind.element.width
            self.add(f"{indent}for (int {n} = 0; {n} < {kind.count}; ++{n}) {{")
            self.pack(kind.element, f"{value}[static_cast<size_t>({n})]", f"{at} + {step} * ({place})", label,
                      indent + "  ", depth + 1)
            self.add(f"{indent}}}")
        elif isinstance(kind, Struct) and not is_flags(kind):
            self.add(f"{indent}{value}.Pack(place.Sub({at}));")
        elif isinstance(kind, Enum):
            number = f"static_cast<uint64_t>({value})"
            self.add(f"{indent}pins::PutChecked(place, {at}, {kind.width}, {number}, \"{label}\");")
        elif kind.width > 64:
            self.add(f"{indent}pins::PutWords(place, {at}, {kind.width}, {value});")
        else:
            put = "PutSigned" if isinstance(kind, Bits) and kind.signed else "PutChecked"
            self.add(f"{indent}pins::{put}(place, {at}, {kind.width}, {value}, \"{label}\");")

    def unpack(self, kind, value, at, indent, depth=0):
        if isinstance(kind, Array):
            n = f"n{depth}"
            place = f"{n}" if kind.left >= kind.right else f"{kind.count - 1} - {n}"
            self.add(f"{indent}for (int {n} = 0; {n} < {kind.count}; ++{n}) {{")
            self.unpack(kind.element, f"{value}[static_cast<size_t>({n})]", f"{at} + {kind.element.width} * ({place})",
                        indent + "  ", depth + 1)
            self.add(f"{indent}}}")
        elif isinstance(kind, Struct) and not is_flags(kind):
            self.add(f"{indent}{value} = {self.names(kind)}::Unpack(place.Sub({at}));")
        elif not is_flags(kind) and isinstance(kind, Bits) and kind.width > 64:
            self.add(f"{indent}pins::GetWords(place, {at}, {kind.width}, &{value});")
        else:
            get = "GetSigned" if isinstance(kind, Bits) and kind.signed else "Get"
            self.add(f"{indent}{value} = static_cast<{self.value_type(kind)}>(place.{get}({at}, {kind.width}));")

    def declare_enum(self, kind):
        name = self.names(kind)
        shorts = short_names(kind.items)
        self.add(f"// {kind.name}")
        self.add(f"enum class {name} : {unsigned(kind.width)} {{")
        self.out += [f"  k{''.join(short)} = {value}," for short, (_, value) in zip(shorts, kind.items)]
        self.add("};")
        self.add(f"inline constexpr std::array<std::pair<{name}, std::string_view>, {len(kind.items)}> "
                 f"k{name}Names{{{{")
        self.out += [f"    {{{name}::k{''.join(short)}, \"{'_'.join(short).lower()}\"}}," for short in shorts]
        self.add("}};")
        self.add(f"inline std::string_view NameOf({name} value) {{ return pins::NameOf(k{name}Names, value); }}")
        self.add("")

    def declare_flags(self, kind):
        name = self.names(kind)
        self.add(f"// {kind.name}: a bit each.")
        self.add(f"struct {name} {{")
        self.add(f"  enum Bit : {unsigned(kind.width)} {{")
        for place, (flag, _) in enumerate(reversed(kind.members)):
            self.add(f"    k{camel(flag + '_t')} = {1 << place},")
        self.add("  };")
        self.add(f"  static constexpr int kBits = {kind.width};")
        self.add(f"  static constexpr std::array<std::pair<Bit, std::string_view>, {kind.width}> kNames{{{{")
        for flag, _ in reversed(kind.members):
            self.add(f"      {{k{camel(flag + '_t')}, \"{flag}\"}},")
        self.add("  }};")
        self.add("};")
        self.add("")

    def declare_struct(self, kind):
        name = self.names(kind)
        self.add(f"// {kind.name}")
        self.add(f"struct {name} {{")
        self.add(f"  static constexpr int kBits = {kind.width};")
        for label, part in kind.members:
            self.add(f"  {self.value_type(part)} {member(label)}{{}};")
        self.add(f"  bool operator==(const {name}&) const = default;")
        places, at = [], kind.width
        for label, part in kind.members:
            at -= part.width
            places.append((label, part, at))
        self.add("  // Throws std::out_of_range naming the field if a value has more bits than the field.")
        self.add("  template <typename Place>")
        self.add("  void Pack(Place place) const {")
        for label, part, at in places:
            self.pack(part, member(label), str(at), f"{kind.name}.{label}", "    ")
        self.add("  }")
        self.add("  template <typename Place>")
        self.add(f"  static {name} Unpack(Place place) {{")
        self.add(f"    {name} value;")
        for label, part, at in places:
            self.unpack(part, f"value.{member(label)}", str(at), "    ")
        self.add("    return value;")
        self.add("  }")
        self.add("  // visit(name, field) for each field of `value`, in the order of the declaration.")
        self.add("  template <typename Value, typename Visitor>")
        self.add("  static void Visit(Value& value, Visitor&& visit) {")
        self.out += [f"    visit(\"{label}\", value.{member(label)});" for label, _, _ in places]
        self.add("  }")
        self.add("};")
        self.add("")
