"""The register map for readers: pages of the site, and a picture of the bits of each register."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs/tools"))
import svg  # noqa: E402
from registers import model  # noqa: E402

ACCESS = {"rw": "read, write", "r": "read", "w": "write", "w1c": "read, write 1 to clear"}
NUMBERS = {"check_e": "Checks of the on-chip buffer", "wait_e": "Waits", "load_error_e": "Reasons", "fault_e": "Faults", "last_rule_e": "TLAST rules"}  # titles


def picture(register):
    """The word as 32 boxes in two rows of 16, fields named in them."""
    canvas = svg.Canvas(f"Bits of {register.name}")
    cell, height = 44, 34
    for row, (high, low) in enumerate(((31, 16), (15, 0))):
        top = row * (height + 30)
        for bit in range(low, high + 1):
            canvas.text((high - bit + 0.5) * cell, top + 10, bit, size=9, anchor="middle", colour=svg.SOFT)
        canvas.rect(0, top + 14, 16 * cell, height, fill=svg.PALE)
        for number, f in enumerate(sorted(register.fields, key=lambda f: f.low)):
            left, right = min(f.high, high), max(f.low, low)
            if left < right:
                continue
            width = (left - right + 1) * cell
            x = (high - left) * cell
            canvas.rect(x, top + 14, width, height, fill=svg.HUES[number % len(svg.HUES)])
            size = min(11.0, 1.75 * (width - 4) / len(f.name))
            canvas.text(x + width / 2, top + 14 + height / 2 + 4, f.name, size=round(size, 1), anchor="middle")
    return canvas.done("scripts/registers")


def anchor(block, register):
    return f"{block.type.removesuffix('_registers')}-{register.name.lower()}".replace("_", "-")


def offset(register):
    if register.count == 1:
        return f"0x{register.offset:02x}"
    return f"0x{register.offset:02x} + {register.stride} i, i = 0 .. {register.count - 1}"


def access(register):
    kinds = {f.access for f in register.fields}
    return ACCESS[kinds.pop()] if len(kinds) == 1 else "mixed"


def described(block, register):
    lines = [f'<a id="{anchor(block, register)}"></a>', "", f"### {block.title}: {register.name}", "",
             f"{register.title}. {register.desc}", ""]
    if len(register.fields) > 1:
        lines += [f"![Bits of {register.name}](pictures/registers/{anchor(block, register)}.svg)", ""]
    lines += ["| bits | field | access | reset | meaning |", "|---|---|---|---|---|"]
    for f in register.fields:
        reset = f"{f.reset:#x}" if f.has_reset else "build" if register.build else "-"
        lines.append(f"| {f.bits} | `{f.name}` | {ACCESS[f.access]} | {reset} | {f.desc} |")
    notes = []
    if register.whole:
        notes.append(f"A write must name the bytes with fields (strobes 0b{register.strobes:04b}); else it is refused.")
    if register.lock:
        notes.append(f"While `{register.lock}` is 1 writes are refused.")
    return lines + [""] + ([" ".join(notes), ""] if notes else [])


def enum_table(numbers):
    return ["| value | name | meaning |", "|---|---|---|"] + [f"| {value} | `{name}` | {about} |" for name, value, about in numbers.values]


def meaning(f):
    """What a field says; the numbers that it holds, if they are few."""
    few = f.numbers and len(f.numbers.values) <= 4
    return f.desc + (f" {', '.join(f'{value} {name}' for name, value, _ in f.numbers.values)}." if few else "")


def rows(block, unit, base, prefix, brief):
    """The registers of a block as rows: where (`unit`: word or offset), which, what; a row for each field, or its name alone."""
    result = [f"| {unit} | name | meaning | bits |" if brief else f"| {unit} | name | bits | field | meaning |", "|---" * (4 if brief else 5) + "|"]
    for r in block.registers:
        ends = sorted({(base + r.offset + k * r.stride) // (4 if unit == "word" else 1) for k in (0, r.count - 1)})
        head = " .. ".join(f"{end}" if unit == "word" else f"0x{end:02x}" for end in ends) + f" | {prefix}{r.name}"
        alone = len(r.fields) == 1
        if brief:
            of = "" if alone and r.fields[0].desc.rstrip(".") in f"Bits 63:32 Count {r.desc}" else f" {r.fields[0].desc}" * alone
            result.append(f"| {head} | {r.title}. {r.desc}{of} | {', '.join(f'{f.bits} `{f.name}`' for f in r.fields)} |")
            continue
        if not alone:
            result.append(f"| {head} | | | {r.desc} |")
        for f in r.fields:
            what = meaning(f) if not alone else r.desc if f.desc.rstrip(".") in r.desc else f"{r.desc} {f.desc}"
            result.append(f"| {head if alone else ' | '} | {f.bits} | `{f.name}` | {what} |")
    return result


BLOCK = re.compile(r"(<!-- registers: (\w+)(?: by (word|offset)(?: from (\w+) as (\w+))?(, in brief)?)? -->\n\n).*?(\n\n<!-- end of registers -->)", re.S)


def filled(text, blocks):
    """A page with the tables that it asks for."""
    first = {block.type: block for block in reversed(blocks)}

    def table(found):
        begin, kind, unit, base, prefix, brief, end = found.groups()
        if not unit:
            return begin + "\n".join(enum_table(next(n for n in model.numbers(blocks) if n.name == kind))) + end
        return begin + "\n".join(rows(first[f"{kind}_registers"], unit, int(base or "0", 0), prefix or "", brief)) + end

    return BLOCK.sub(table, text)


def addresses(block):
    names = ["i", "j"]
    terms = "".join(f" + {stride:#x} {names[k]}" for k, (_, stride) in enumerate(block.dims))
    ranges = ", ".join(f"{names[k]} = 0 .. {count - 1}" for k, (count, _) in enumerate(block.dims))
    return f"`{block.address:#07x}{terms}`" + (f", {ranges}" if ranges else "")


def kept(title, about, blocks, source):
    """The page of a register map in few tables: no pictures, one block of a type."""
    text = [f"# {title}", "", *about.split("\n"), "",
            f"<!-- Generated by scripts/registers from {source}. -->", "", "## Map", "",
            "| block | address | holds |", "|---|---|---|"]
    text += [f"| [{block.name}](#{block.title.lower()}) | {addresses(block)} | {block.desc} |" for block in blocks]
    for block in blocks:
        text += ["", f"## {block.title}", "", block.desc, "", "| offset | register | bits | field | access | reset | meaning |",
                 "|---|---|---|---|---|---|---|"]
        for r in block.registers:
            for number, f in enumerate(r.fields):
                reset = f"{f.reset:#x}" if f.has_reset else "build" if r.build else "-"
                head = f"{offset(r)} | `{r.name}`: {r.title}. {r.desc}" if number == 0 else " | "
                text.append(f"| {head} | {f.bits} | `{f.name}` | {ACCESS[f.access]} | {reset} | {f.desc} |")
    return "\n".join(text) + "\n"


def files(blocks, source):
    """path below docs -> text."""
    types = {}
    for block in blocks:
        types.setdefault(block.type, []).append(block)
    text = ["# Registers", "",
            f"Every register of `tessera_dma`, its bits and what it is after a reset. How they are used is told by "
            f"[the programming model](programming.md). C++ has them in `sw/driver/tessera/registers.hpp`, C in "
            f"`sw/driver/tessera/registers.h`, other tools as IP-XACT in the `component.xml` of [a generated IP](generate.md).", "",
            "An access of an address that is not here, or not in the build, answers SLVERR; so does a write of a word "
            "that has no bits to write. Bits that are not named read 0, and writes of them do nothing; but those of descriptors are kept, and a descriptor with one of them set is not loaded (reason 38).", "",
            f"<!-- Generated by scripts/registers from {source}. -->", "", "## Map", "",
            "| block | address | holds |", "|---|---|---|"]
    for kind, same in types.items():
        for block in same:
            link = f"#{anchor(block, block.registers[0])}"
            text.append(f"| [{block.name}]({link}) | {addresses(block)} | {block.desc} |")
    result = {}
    for kind, same in types.items():
        block = same[0]
        text += ["", f"## {block.title}", "", block.desc, "", "| offset | register | access | what |", "|---|---|---|---|"]
        text += [f"| {offset(r)} | [{r.name}](#{anchor(block, r)}) | {access(r)} | {r.title} |" for r in block.registers]
        text.append("")
        for r in block.registers:
            text += described(block, r)
            if len(r.fields) > 1:
                result[f"pictures/registers/{anchor(block, r)}.svg"] = picture(r)
    text += ["## Numbers", ""]
    for numbers in model.numbers(blocks):
        text += [f"### {NUMBERS[numbers.name]}", "", *enum_table(numbers), ""]
    result["registers.md"] = "\n".join(text).rstrip() + "\n"
    return result
