"""The pins of a verilated model as C++: an accessor for each port, down to fields."""
import re

from design import Array, Enum, Struct, is_flags
from naming import Names, member


def in_package(kind):
    return "_pkg::" in kind.name


class ModelHeader:
    """pins/<class>.h."""

    def __init__(self, design, top, prefix):
        self.design, self.top, self.prefix = design, top, prefix
        self.rtl_names = Names(design.typedefs)
        self.names = {}  # struct -> class
        self.classes = []

    def view(self, kind, path):
        """The C++ type that shows a place of this type, first met at `path`; `W` is the word of the pin."""
        if isinstance(kind, Array):
            order = "true" if kind.left >= kind.right else "false"
            return f"pins::Array<W, {self.view(kind.element, path)}, {kind.count}, {order}>"
        if isinstance(kind, Enum):
            if in_package(kind):
                return f"pins::EnumField<W, rtl::{self.rtl_names(kind)}, {kind.width}>"
            return f"pins::Field<W, {kind.width}>"
        if isinstance(kind, Struct) and in_package(kind):
            return f"pins::Field<W, {kind.width}>" if is_flags(kind) else f"pins::Value<W, rtl::{self.rtl_names(kind)}>"
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

    def text(self):
        ports = []
        for name, kind in self.design.ports:
            view = re.sub(r"\bW\b", "Word", self.view(kind, name))
            ports += [f"  auto {member(name)}() const {{",
                      f"    using Word = pins::WordOf<decltype(model_.{name})>;",
                      f"    return {view}(pins::Place<Word>(pins::Words(model_.{name})));", "  }"]
        out = [f"// Pins of {self.prefix}. Made by cmake/pins from {self.top} as Verilator elaborates it.",
               "#pragma once", "", f"#include <{self.prefix}.h>", "", "#include \"pins/types.h\"",
               "#include \"tb/sim/pins.h\"", "", "namespace tessera {", "",
               f"class {self.prefix}_Pins {{", " public:", *self.classes,
               f"  explicit {self.prefix}_Pins(::{self.prefix}& model) : model_(model) {{}}", *ports,
               "", " private:", f"  ::{self.prefix}& model_;", "};", "", "}  // namespace tessera", ""]
        return "\n".join(out)
