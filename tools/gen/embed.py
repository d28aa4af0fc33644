#!/usr/bin/env python3
"""What `tessera gen` writes from, as C++: embed.py --source ROOT --rtl RTL --out FILE.cpp [--depfile FILE.d]
  [--products NAME ...], beside the core: tools/NAME and sw/driver/tessera/NAME

Parameters of the tops (rtl/*/*.toml), their pins (cmake/header.py) with the constants they use, the sources that each needs, their register maps,
the driver, the bench of the simulation, figures of area and clock. So the program needs neither the repository nor
Verilator.
"""
import argparse
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake"))
import parameters  # noqa: E402
import register_map  # noqa: E402
from header import HeaderError, header  # noqa: E402

CELLS = ["tsr_stream_cdc"]  # that generated tops use beside the top itself
LONGEST = 12000  # bytes of a string literal


def strip(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def closure(names, sources):
    """All sources that these read, in the order of `sources`."""
    words = {}
    found, left = set(names), list(names)
    while left:
        name = left.pop()
        if name not in words:
            words[name] = set(re.findall(r"\b\w+\b", strip(sources[name].read_text()))) & sources.keys()
        for other in words[name] - found:
            found.add(other)
            left.append(other)
    return [name for name in sources if name in found]


def constants(top, packages):
    """Constants of packages that stand in the header."""
    wanted = set(re.findall(r"\b[A-Z]\w+\b", json.dumps([top["ports"], top["parameters"], top["localparams"]])))
    for package in packages:
        for name, value in re.findall(r"^\s*localparam\s+[\w\s]*?(\w+)\s*=\s*([^;]+);", package.read_text(), re.M):
            if name in wanted:
                top["localparams"].insert(0, {"name": name, "type": "int unsigned", "value": value.strip(), "about": ""})


def described_parameters(path):
    """What TOP.toml says, as top.cpp reads it."""
    numbers = parameters.numbers(parameters.read(path))
    return {"parameters": [{"name": p.name, "flag": p.flag, "default": str(int(p.default) if p.flag else p.default), "about": p.about,
                            "legal": p.legal(), "from": 0 if p.flag else p.range[0], "to": 1 if p.flag else p.range[1], "power": p.power}
                           for p in numbers],
            "rules": [{"of": p.name, "that": that, "legal": legal} for p in numbers for that, legal in p.rules]}


def compiled(expression):
    """An expression of numbers and names in C++, whose operators bind as those of SystemVerilog."""
    if not re.fullmatch(r"(\$clog2\b|\w+|[-+*/%<>=!&|?:()\s])+", expression) or re.search(r"::|\b\d+[a-zA-Z_]", expression):
        sys.exit(f"tools/gen/embed.py: '{expression}' is no expression of numbers, names and operators")
    return re.sub(r"\$clog2|\b[A-Za-z_]\w*", lambda word: "Log2" if word[0] == "$clog2" else f'ValueOf(v, "{word[0]}")', expression)


def expressions(tops):
    """Those of all tops."""
    for top in tops.values():
        for key, lists in {"default": ["parameters"], "that": ["rules", "start"], "value": ["localparams"], "width": ["ports"]}.items():
            yield from (entry[key] for name in lists for entry in top.get(name, []))
        for group in top["interfaces"]:
            yield from (group[key] for key in ("count", "if", "reads", "writes", "split", "first") if key in group)
            yield from group.get("optional", {}).values()


def literal(text):
    parts = []
    data = text.encode()
    while data:
        piece = data[:LONGEST]
        while len(piece) < len(data) and data[len(piece)] & 0xc0 == 0x80:
            piece = piece[:-1]
        parts.append(f'R"~~({piece.decode()})~~"')
        data = data[len(piece):]
    return "\n".join(parts) or '""'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "rtl", "out", "depfile"):
        parser.add_argument(f"--{name}", type=Path, required=name != "depfile")
    parser.add_argument("--products", nargs="*", default=[])
    options = parser.parse_args()
    root, rtl = options.source, options.rtl
    manifest = json.loads((rtl / "sources.json").read_text())
    sources = {Path(path).stem: rtl / path for path in manifest["headers"] + manifest["packages"] + manifest["modules"]}
    tools = [root / "tools/gen", *(root / "tools" / product for product in options.products)]
    described = {name: about for folder in tools if (folder / "tops.json").exists()
                 for name, about in json.loads((folder / "tops.json").read_text()).items()}
    headers = [Path(path).stem for path in manifest["headers"]]
    try:
        maps = {about["registers"]: register_map.read(rtl / about["map"]) for about in described.values()}
    except ValueError as error:
        sys.exit(f"tools/gen/embed.py: {error}")
    tops, needed = {}, set()
    for name, about in described.items():
        try:
            top = header(sources[name].read_text())
        except HeaderError as error:
            sys.exit(f"tools/gen/embed.py: {sources[name]}: {error}")
        constants(top, [rtl / path for path in manifest["packages"]])
        top["sources"] = [str(sources[source].relative_to(rtl)) for source in closure([*headers, name, *CELLS], sources)]
        if "start" in about:
            top["writable"] = [{key: register[key] for key in ("name", "address", "places")}
                               for register in register_map.writable(maps[about["registers"]])]
        needed |= set(top["sources"])
        tops[name] = {**about, **top, **described_parameters(parameters.description(rtl, name))}
    files = {f"rtl/{path}": rtl / path for path in sorted(needed)}
    for path in sorted((root / "sw/driver/tessera").glob("*.h*")):
        files[f"driver/{path.name}"] = path
    for product in options.products:
        for path in sorted((root / "sw/driver/tessera" / product).glob("*.h*")):
            files[f"{product}/{path.name}"] = path
    for folder in tools:
        for path in sorted((folder / "sim").glob("*.hpp")):
            files[f"sim/{path.name}"] = path
        for path in sorted((folder / "templates").glob("*")):
            files[f"templates/{path.name}"] = path
    files["guide.md"] = root / "docs/guide.md"
    for name, path in {"verilator.vlt": rtl / "verilator.vlt", "LICENSE": root / "LICENSE",
                       "figures.json": root / "bench/figures.json",
                       "crossings.tcl": root / "constraints/tsr_fifo_async.tcl"}.items():
        files[name] = path
    texts = {name: path.read_text() for name, path in files.items()}
    texts["tops.json"] = json.dumps(tops, indent=1)
    texts |= {f"registers/{name}": register_map.memory_map(top) for name, top in maps.items()}
    texts |= {f"registers/{name}.json": json.dumps(register_map.described(top)) for name, top in maps.items()}
    texts["includes.json"] = json.dumps(manifest["includes"])
    lines = ["// Made by tools/gen/embed.py.", "#include <bit>", '#include "tools/gen/embedded.h"', "namespace tessera::gen {",
             "const std::vector<Embedded>& EmbeddedFiles() {", "  static const std::vector<Embedded> kFiles{"]
    for name, text in texts.items():
        lines.append(f'{{"{name}", {literal(text)}}},')
    lines += ["  };", "  return kFiles;", "}", '#pragma GCC diagnostic ignored "-Wparentheses"',
              "static int64_t Log2(int64_t value) { return value < 2 ? 0 : std::bit_width(static_cast<uint64_t>(value - 1)); }",
              "const std::map<std::string_view, int64_t (*)(const Values&)>& Expressions() {",
              "  static const std::map<std::string_view, int64_t (*)(const Values&)> kExpressions{"]
    for text in sorted(set(expressions(tops))):
        lines.append(f'{{"{text}", []([[maybe_unused]] const Values& v) -> int64_t {{ return {compiled(text)}; }}}},')
    lines += ["  };", "  return kExpressions;", "}", "}  // namespace tessera::gen"]
    text = "\n".join(lines) + "\n"
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text)
    if options.depfile:
        inputs = [*files.values(), *sources.values(), *rtl.glob("**/registers/*.rdl"), *rtl.glob("*/*.toml"), rtl / "sources.json",
                  *(folder / "tops.json" for folder in tools if (folder / "tops.json").exists())]
        options.depfile.write_text(f"{options.out}: {' '.join(str(path) for path in inputs)}\n")


if __name__ == "__main__":
    main()
