"""Whether each README names what its folder holds, and whether each folder has one."""

import fnmatch
import re
from collections import defaultdict
from pathlib import PurePosixPath

import products
import repo

# Folders that need no README, and why; that of the folder above names them.
WITHOUT = {
    "cmake/pins": "one generator, which cmake/README.md names",
    "docs/diagrams": "texts of pictures, each drawn where a page shows it",
    "docs/images": "pictures of the README",
    "docs/waves": "pins of pictures, each drawn where a page shows it",
    "examples/driver": "examples of a page of the manual, which examples/README.md names",
    "examples/gen": "examples of a page of the manual, which examples/README.md names",
    "examples/graph": "examples of a page of the manual, which examples/README.md names",
    "examples/jobs": "examples of a page of the manual, which examples/README.md names",
    "examples/on_chip": "examples of a page of the manual, which examples/README.md names",
    "examples/library": "examples of a page of the manual, which examples/README.md names",
    "include/tessera": "installed as a whole",
    "rtl/frontend/native/gen": "generated",
    "rtl/pkg/gen": "generated",
    "rtl/frontend/native/registers": "one register map, in parts",
    "sw/graph/CL": "one header, which sw/graph/README.md names",
    "sw/graph/adf": "headers, which sw/graph/README.md names",
    "sw/graph/tessera/graph": "headers, which sw/graph/README.md names",
    "tests/cli/fuzz/seeds": "data",
    "tests/engine/found": "data: cases that failed once",
    "tb/device/gen": "generated",
    "tools/gen/templates": "texts of generated folders, README.md too",
    "tests/mutation/faults": "data: a folder of the RTL each",
    **{folder: why for product in products.PRODUCTS for folder, why in product.WITHOUT_README.items()},
}
CPP = (".h", ".hpp", ".cpp")


def held():
    """The files and folders under version control that lie directly in each folder."""
    files, folders = defaultdict(set), defaultdict(set)
    for path in map(PurePosixPath, repo.tracked("*")):
        files[str(path.parent)].add(path.name)
        for child in path.parents:
            if child.name:
                folders[str(child.parent)].add(child.name)
    return files, folders


def names(text):
    """What a README names: the words in backticks, and the targets of links."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S)
    spans = re.findall(r"`([^`]+)`", text) + re.findall(r"\]\(([^)\s#]+)", text)
    words = {word.strip(".,;:()") for span in spans for word in re.split(r"[\s,]+", span)}
    return {word for word in words if re.search(r"\w", word)}


def says(words, name, folder):
    """Whether a word is the name or a pattern of it: of a folder the first part of a path, of a file the last.

    A file is also named by its stem, and one of C++ by its header or source.
    """
    stem, dot, end = name.rpartition(".")
    mine = {name} if folder or not stem else {name, stem}
    if dot + end in CPP:
        mine |= {stem + other for other in CPP}
    for word in words:
        parts = [part for part in word.split("/") if part not in ("", ".", "..")]
        if any(fnmatch.fnmatchcase(this, part) for this in mine for part in (parts[:1] if folder else parts[-1:])):
            return True
    return False


def complaints():
    files, folders = held()
    for folder in sorted(WITHOUT.keys() - files.keys()):
        yield f"scripts/lib/readmes.py: no folder {folder}"
    for folder in sorted(set(files) | set(folders)):
        path = "" if folder == "." else f"{folder}/"
        if folder in WITHOUT:
            continue
        if "README.md" not in files[folder]:
            if len(files[folder]) > 1:
                yield f"{path} has {len(files[folder])} files and no README.md"
            continue
        words = names((repo.ROOT / path / "README.md").read_text())
        for name in sorted(files[folder] - {"README.md"}):
            # A file with a leading dot belongs to the tool that its name tells.
            if not name.startswith(".") and not says(words, name, False):
                yield f"{path}README.md does not name {name}"
        for name in sorted(folders[folder]):
            if not name.startswith(".") and not says(words, name, True):
                yield f"{path}README.md does not name {name}/"
