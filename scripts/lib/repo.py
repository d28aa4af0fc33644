"""Where things are in this repository: configurations, sources, tools."""

import functools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
TOP = "tsr_engine_pair"
DMA = "tessera_dma"
# Beside the core: what is theirs lies in folders of these names.
PRODUCTS = sorted(path.parent.name for path in (ROOT / "scripts").glob("*/product.py"))


def listed(file):
    """name -> values, of a file of cmake/."""
    return json.loads((ROOT / "cmake" / file).read_text())


def configs():
    """name -> values, of cmake/configs.json."""
    return listed("configs.json")


def builds(file):
    """name -> parameters, of a file of cmake/."""
    return {name: {key: value for key, value in values.items() if key[0].isupper()}
            for name, values in listed(file).items()}


def everyday(file):
    """The names that every test run builds."""
    return {name for name, values in listed(file).items()
            if not values.get("night") and not values.get("named") and values.get("simulate", True)}


def dmas():
    """name -> parameters of tessera_dma."""
    return builds("dmas.json")


def parameter_value(value):
    """A value of configs.json as a SystemVerilog literal."""
    return f"1'b{int(value)}" if isinstance(value, bool) else str(value)


def manifest(rtl=ROOT / "rtl"):
    """What scripts/sources found in the folders."""
    return json.loads((rtl / "sources.json").read_text())


def rtl_sources(rtl=ROOT / "rtl"):
    """Every source in the order of the layers: packages first, tops last."""
    return package_sources(rtl) + [rtl / path for path in manifest(rtl)["modules"]]


def module_folders(rtl=ROOT / "rtl"):
    """Folders that hold modules."""
    return [rtl / folder for folder in manifest(rtl)["folders"]]


def package_sources(rtl=ROOT / "rtl"):
    """The packages in the order in which they can be read: each after those that it imports."""
    return [rtl / path for path in manifest(rtl)["packages"]]


def search_arguments(rtl=ROOT / "rtl"):
    """Arguments that let Verilator and slang find modules by name, and the packages to read first."""
    return [f"+incdir+{rtl / folder}" for folder in manifest(rtl)["includes"]] + [part for folder in module_folders(rtl) for part in ("-y", str(folder))] \
        + [str(package) for package in package_sources(rtl)]


def slang_arguments():
    """The same for Yosys' read_slang, as one string, for a folder that holds `rtl`.

    The Yosys of .venv sees its working folder, but no folder above it and a /tmp of its own: so it works
    in the root of the repository or where copy_rtl has put a copy.
    """
    folders = [f"-y {path.relative_to(ROOT)}" for path in module_folders()]
    packages = [str(path.relative_to(ROOT)) for path in package_sources()]
    includes = [f"-I rtl/{folder}" for folder in manifest()["includes"]]
    return " ".join(["--threads 1", *includes, *folders, *packages])


@functools.cache
def sources_by_name():
    """module, package or header -> its source, of rtl and formal."""
    return {path.stem: path for folder in ("rtl", "formal") for path in sorted((ROOT / folder).rglob("*.sv*"))}


def reads(path, known):
    """Names of other sources that stand in a source, or that it includes."""
    return named(path.read_text(), path, known)


def named(text, path, known):
    """The same of a text that stands at a path."""
    names = set(re.findall(r"\b\w+\b", strip_comments(text))) | set(re.findall(r'^ *`include "(\w+)\.svh"', text, flags=re.M))
    return {name for name in names if name in known and known[name] != path}


def closure(path, known, read=None):
    """All sources that a source reads, itself among them, as names."""
    found, left = {path.stem}, [path]
    while left:
        source = left.pop()
        if read is None or source not in read:
            names = reads(source, known)
            if read is not None:
                read[source] = names
        else:
            names = read[source]
        for name in names - found:
            found.add(name)
            left.append(known[name])
    return found


def copy_rtl(folder):
    """Puts a fresh copy of rtl/ into a folder and returns its path."""
    copy = Path(folder) / "rtl"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", copy)
    return copy


def tracked(*patterns):
    """Files of the repository, committed or about to be, that match git patterns."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns], cwd=ROOT,
        text=True, stdout=subprocess.PIPE, check=True).stdout
    return sorted({line for line in listed.splitlines() if (ROOT / line).exists()})


def changed(revision, *patterns):
    """Paths that differ from a revision, committed or not."""
    listed = subprocess.run(["git", "diff", "--name-only", "--no-renames", revision, "--", *patterns], cwd=ROOT, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout
    new = subprocess.run(["git", "ls-files", "--others", "--exclude-standard", "--", *patterns], cwd=ROOT, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout
    return set(listed.splitlines()) | set(new.splitlines())


def write_whole(path, text):
    """Writes a file that is kept: a stop in the middle, or a full disk, leaves the one that was there."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def need_venv():
    """Makes .venv if it is absent or old."""
    if subprocess.run([ROOT / "scripts/venv"]).returncode != 0:
        sys.exit("the Python tools are not installed; run scripts/setup")


def tool(name):
    """The path of a program of .venv."""
    return str(VENV / "bin" / name)


def code(path):
    """A source as tools see it: comments, messages and blanks make no other."""
    return code_of(path.read_text())


def code_of(text):
    return " ".join(strip_comments(text).split())


def strip_comments(text):
    """SystemVerilog without comments and strings, line for line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)
