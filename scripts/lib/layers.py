"""Which sources may use which, for `scripts/lint layers`.

C++: a folder includes itself and those below it. Everything: the core uses nothing of a product beside it (`repo.PRODUCTS`), and a
product nothing of another, whether by an include, by the name of a module or package, or by a file of CMake.
"""

import os
import re

import products
import repo

# Folders of C++ from the bottom up.
LAYERS = ({"sw/driver", "include"}, {"sw/firmware", "sw/host"}, {"tb"}, {"bench", "lib"}, {"tools"}, {"sw/graph", "tests", "docs", "examples"})
RANK = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}


def layer(path):
    """The folder of LAYERS that a path lies in; None if it lies in none."""
    return next((folder for folder in ("/".join(path.split("/")[:2]), path.split("/")[0]) if folder in RANK), None)


def owner(path):
    """The product that a path belongs to; None: the core."""
    return next((part for part in path.split("/") if part in repo.PRODUCTS), None)


def of_top(name):
    """The product whose top a generated file is called after."""
    return next((product for product, described in zip(repo.PRODUCTS, products.PRODUCTS)
                 if described.TOP in name or any(word in name for word in described.GENERATED)), None)


def foreign(path, other, product, number=None):
    """A complaint if what belongs to `product` is used by a path that may not."""
    if product and product != owner(path):
        place = f"{path}:{number}" if number else path
        return f"{place}: {owner(path) or 'the core'} may not use {other} of {product}\n"
    return ""


def cpp(path, text):
    folder = layer(path)
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r' *#include "([^"]+)"', line)
        if not found:
            continue
        name = found[1]
        above = layer(name)
        if folder and above and above != folder and RANK[above] >= RANK[folder]:
            yield f"{path}:{number}: {folder} may not include {above}\n"
        relative = os.path.normpath(os.path.join(os.path.dirname(path), name))
        yield foreign(path, name, owner(name) or owner(relative if (repo.ROOT / relative).exists() else "") or of_top(name), number)


def systemverilog(path, text, known):
    for name in sorted(repo.named(text, repo.ROOT / path, known)):
        yield foreign(path, name, owner(str(known[name].relative_to(repo.ROOT))))


def cmake(path, text):
    """Files of a product are read by the loops over TESSERA_PRODUCTS; nothing else names them."""
    for number, line in enumerate(text.splitlines(), 1):
        for product in repo.PRODUCTS:
            if re.search(rf"(?<![A-Za-z0-9-]){product}(?![A-Za-z0-9-])|tessera_{product}", line.partition("#")[0]):
                yield foreign(path, product, product, number)


def complaints(files):
    """Of these files of C++, and of all of SystemVerilog and CMake."""
    for path in files:
        yield from cpp(path, (repo.ROOT / path).read_text())
    known = repo.sources_by_name()
    for path in repo.tracked("rtl/*.sv", "rtl/*.svh", "formal/*.sv", "tests/*.sv"):
        yield from systemverilog(path, (repo.ROOT / path).read_text(), known)
    for path in repo.tracked("*.cmake", "CMakeLists.txt", "*/CMakeLists.txt"):
        yield from cmake(path, (repo.ROOT / path).read_text())
