"""What tests/gen/generate_test.py asks of tessera_mover4d."""

import json
import random

TOP = "tessera_mover4d"
SPAN, BUS = 0x2000, "bus"  # bytes of the registers; the header with the driver's bus
LEAST = {"AddrWidth": 32, "DataWidth": 32, "StreamWidth": 32, "MaxBurst": 16, "Outstanding": 8, "ListDepth": 32, "ListBurst": 8}
# Which fault in which module the testbench of a folder must find.
FAULTS = {"lists": ("tsr_turn_lanes.sv", r"(assign lanes_o\s*=\s*)", r"\1~"),
          "stored": ("tsr_mover_store.sv", r"(\? )'0( : place_q)", r"\g<1>PlaceBits'(1)\2"),
          "golden": ("tsr_stream_check.sv", r"(wanted_i\[8\*n\+:8\]) != ", r"\1 == ")}


def mover(name, parameters=None, **more):
    return {"top": TOP, "name": name, "parameters": parameters or {}, **more}


def kernel(name, impl, *entries, **more):
    return {name: {"impl": impl, "map": list(entries), **more}}


def corner(name, value):
    """A parameter at an end of what is legal, and what others must be for it; RomWords follows from rom."""
    if name == "RomWords":
        return None
    others = {"Reads": {"Writes": 1}, "Writes": {"Reads": 1}, "ElementBytes": {"DataWidth": 512}, "ListDepth": {"ListBurst": 8},
              "ListBurst": {"ListDepth": 512}, "RamWords": {"Writes": 0, "Ranges": True, "BaseFirst": True}}.get(name, {})
    return mover(f"kernel_corner_{name.lower()}_{value}", {**LEAST, **others, name: value})


def spread():
    """Every width, 1 to 16 channels, each option switched, every kind of kernel."""
    for width in (32, 64, 128, 256, 512):
        yield mover(f"kernel_memory_{width}", {**LEAST, "DataWidth": width})
    for width in (8, 128, 1024):
        yield mover(f"kernel_stream_{width}", {**LEAST, "StreamWidth": width}, stream_clock={"mhz": 100})
    yield mover("kernel_reads", {**LEAST, "Reads": 16, "Writes": 0})
    yield mover("kernel_writes", {**LEAST, "Reads": 0, "Writes": 5})
    for parameter in ("Patterns", "BaseFirst", "Ranges", "UseKeep"):
        yield mover(f"kernel_{parameter.lower()}", {**LEAST, parameter: True})
    yield mover("kernel_check", {**LEAST, "Writes": 0, "Check": True})
    yield mover("kernel_rom", {**LEAST, "Writes": 0, "Ranges": True, "BaseFirst": True}, rom={"beats": ["0x01020304", "0xffffffff"]})
    yield mover("kernel_ram", {**LEAST, "Reads": 3, "Writes": 0, "Ranges": True, "BaseFirst": True, "RamWords": 7})
    yield kernel("kernel_halves", "4DCuboidWrite", {"in_port": {"stream": "a", "descriptors": "b", "width": 16}, "out_port": {"buffer": "c", "latency": 100}})


def simulations():
    yield mover("lists", {"Reads": 2, "Writes": 2, "AddrWidth": 40, "DataWidth": 64, "StreamWidth": 32, "ElementBytes": 2,
                          "MaxBurst": 16, "Outstanding": 8, "ListDepth": 32, "ListBurst": 8, "BaseFirst": True})
    yield mover("ranges", {"AddrWidth": 32, "DataWidth": 32, "StreamWidth": 64, "Ranges": True}, stream_clock={"mhz": 100})
    yield mover("compared", {"Reads": 2, "Writes": 0, "AddrWidth": 32, "DataWidth": 32, "StreamWidth": 32, "Check": True})
    yield kernel("stored", "SendRamToStream", *({"out": {"stream": name, "width": 64}, "ram": {"depth": 11}} for name in "ab"))
    yield kernel("golden", "ValidateStreamWithRom", {"in_file": {"name": "window.txt", "type": "half"}, "in_port": {"stream": "s", "width": 32}})


def kernel_xml(check, made, tree, document):
    arguments = [int(arg.get("offset"), 16) for arg in tree.iterfind(".//arg") if arg.get("type") != "stream"]
    legal = {0x10 + 12 * n for n in range(2 * len(document["names"]))}
    check(f"{made.name}: arguments stand where HLS puts them", len(set(arguments)) == len(arguments) and set(arguments) <= legal, arguments)
    check(f"{made.name}: HLS starts it", tree.find(".//kernel").get("hwControlProtocol") == "ap_ctrl_hs")


def roms(test, folder):
    """Contents of ROMs as scripts/rom makes them of the same text."""
    draw = random.Random(7)
    for kind, size in (("half", 0), ("float", 0), ("double", 0), ("int8", 8), ("int16", 16), ("int32", 32), ("int64", 64)):
        values = [f"{draw.uniform(-9, 9) * 10 ** draw.randrange(-4, 4):.17g}" if size == 0 else
                  str(draw.randrange(-(1 << size - 1), 1 << size - 1)) if draw.random() < 0.7 else hex(draw.randrange(1 << size))
                  for _ in range(201)]
        (folder / "values.txt").write_text("# values\n" + "\n".join(values) + "\n")
        made = test.generate(folder, mover(f"rom_{kind}", {"Writes": 0, "Ranges": True, "BaseFirst": True},
                                           rom={"file": "values.txt", "type": kind}))
        code, told = test.run(test.SOURCE / "scripts/rom", "--type", kind, "--width", 64, folder / "values.txt")
        beats = [beat.removeprefix("0x") for beat in json.loads((made / f"rom_{kind}.json").read_text())["rom"]["beats"]]
        test.check(f"rom_{kind}: as scripts/rom makes it", code == 0 and beats == told.split())


OWN = {"rom": roms}  # of `tools`, by the word that chooses it
