"""The lists of sources for other tools, from the manifest: see scripts/sources.

Products beside the core have lists of their own: rtl/NAME/NAME.f, a fileset of FuseSoC and a target of Bender called after it.
"""

import repo

NOTE = "Made by scripts/sources from rtl/sources.json."
TOP = "tessera_dma"


def files(manifest, parameters, version):
    """path -> text; `parameters` of TOP that are numbers (cmake/parameters.py)."""
    return {"rtl/tessera.f": filelist(manifest), **{f"rtl/{product}/{product}.f": product_list(manifest, product)
                                                    for product in repo.PRODUCTS},
            "tessera.core": fusesoc(manifest, parameters, version),
            "Bender.yml": bender(manifest), "packaging/vivado.tcl": vivado(manifest, version)}


def sources(manifest, product=None):
    """Of a product, or of the core."""
    return [path for path in manifest["packages"] + manifest["modules"]
            if (path.split("/")[0] == product if product else path.split("/")[0] not in repo.PRODUCTS)]


def filelist(manifest):
    """For simulators and synthesis tools that read -f; paths from the root of the repository."""
    return "\n".join([f"// {NOTE} From the root of the repository: verilator -f rtl/tessera.f --top-module {TOP}",
                      *[f"+incdir+rtl/{folder}" for folder in manifest["includes"]],
                      *[f"rtl/{path}" for path in sources(manifest)]]) + "\n"


def product_list(manifest, product):
    return "\n".join([f"// {NOTE} From the root of the repository, behind rtl/tessera.f.",
                      *[f"rtl/{path}" for path in sources(manifest, product)]]) + "\n"


def fusesoc(manifest, parameters, version):
    lines = ["CAPI=2:", f"# {NOTE} Targets: fusesoc run --target=lint|sim tessera", f"name: tessera:ip:tessera:{version}",
             "description: Tessera, an open tensor DMA between AXI4 memory and AXI4-Stream", "",
             "filesets:", "  rtl:", "    files:",
             *[f"      - rtl/{path}: {{is_include_file: true, include_path: rtl/{path.rsplit('/', 1)[0]}}}"
               for path in manifest["headers"]],
             *[f"      - rtl/{path}" for path in sources(manifest)],
             "    file_type: systemVerilogSource", "",
             *[line for product in repo.PRODUCTS for line in
               (f"  {product}:", "    files:", *[f"      - rtl/{path}" for path in sources(manifest, product)], "    file_type: systemVerilogSource", "")],
             "  waivers:", "    files:", "      - rtl/verilator.vlt", "    file_type: vlt", "",
             "  smoke:", "    files:", "      - tests/packaging/smoke.cpp",
             *[f"      - tools/gen/sim/{name}: {{is_include_file: true, include_path: tools/gen/sim}}"
               for name in ("bench.hpp", "tiles.hpp")], "    file_type: cppSource", "",
             "  vivado:", "    files:", "      - constraints/tsr_fifo_async.tcl", "    file_type: tclSource", "",
             "targets:", "  default: &default", f'    filesets: [rtl, {"".join(f"{chr(34)}{p}? ({p}){chr(34)}, " for p in repo.PRODUCTS)}"tool_vivado? (vivado)"]', f"    toplevel: {TOP}",
             f"    parameters: [{', '.join(p.name for p in parameters)}]", "",
             "  lint:", "    <<: *default", "    description: Verilator with all warnings", "    filesets: [rtl, waivers]",
             "    default_tool: verilator", "    tools:", "      verilator:", "        mode: lint-only",
             "        verilator_options: [-Wall, --assert]", "",
             "  sim:", "    <<: *default", "    description: reads the registers of the IP, moves a tile each way",
             "    filesets: [rtl, waivers, smoke]",
             "    default_tool: verilator", "    tools:", "      verilator:", "        mode: cc",
             "        verilator_options: [--assert, -Wno-fatal]", "",
             "parameters:"]
    # Defaults stand in the RTL alone; one given here would be passed as 32 bits, which -Wall refuses for a flag.
    for p in parameters:
        lines += [f"  {p.name}:", "    datatype: int", "    paramtype: vlogparam",
                  f'    description: "{p.about}; legal is {p.legal()}; {int(p.default)} unless given"']
    return "\n".join(lines) + "\n"


def bender(manifest):
    return "\n".join([f"# {NOTE}", "package:", "  name: tessera", "  authors: [Tessera contributors]", "",
                      "sources:", "  - include_dirs:", *[f"      - rtl/{folder}" for folder in manifest["includes"]],
                      "    files:", *[f"      - rtl/{path}" for path in sources(manifest)],
                      *[line for product in repo.PRODUCTS for line in
                        (f"  - target: {product}", "    files:", *[f"      - rtl/{path}" for path in sources(manifest, product)])],
                      "  - target: vivado", "    files:", "      - constraints/tsr_fifo_async.tcl"]) + "\n"


def vivado(manifest, version):
    listed = "\n".join(f"  rtl/{path}" for path in sources(manifest))
    folders = " ".join(f"rtl/{folder}" for folder in manifest["includes"])
    headers = " ".join(f"rtl/{path}" for path in manifest["headers"])
    return f"""# {NOTE}
# Packages {TOP} with all its parameters for the IP catalogue of Vivado:
#   vivado -mode batch -source packaging/vivado.tcl -tclargs ip_repo/{TOP} [PART]
# Vivado groups pins of a top with one port and one stream each way into interfaces. For any other build, with an
# interface a port, run `tessera gen`.
set here [file dirname [file dirname [file normalize [info script]]]]
set out [file normalize [expr {{[llength $argv] > 0 ? [lindex $argv 0] : "ip_repo/{TOP}"}}]]
set part [expr {{[llength $argv] > 1 ? [lindex $argv 1] : ""}}]
set sources {{
{listed}
}}
set headers {{{headers}}}

set paths {{}}
foreach source [concat $headers $sources] {{ lappend paths [file join $here $source] }}
set project [list create_project -force tessera_package [file join $out project]]
if {{$part ne ""}} {{ lappend project -part $part }}
{{*}}$project
add_files -norecurse -fileset sources_1 $paths
set_property file_type SystemVerilog [get_files -of_objects [get_filesets sources_1] *.sv]
set_property file_type {{Verilog Header}} [get_files -of_objects [get_filesets sources_1] *.svh]
set_property include_dirs [list {" ".join(f"[file join $here {folder}]" for folder in folders.split())}] [get_filesets sources_1]
set_property top {TOP} [get_filesets sources_1]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $out -vendor tessera -library ip -taxonomy /UserIP -import_files -force
set core [ipx::current_core]
set_property name {TOP} $core
set_property display_name {{Tessera tensor DMA}} $core
set_property version {version} $core
ipx::associate_bus_interfaces -clock aclk -reset aresetn $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
"""
