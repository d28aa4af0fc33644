"""The products beside the core: what scripts need to know of each stands in scripts/NAME/product.py."""

import importlib.util

import repo


def load(name):
    spec = importlib.util.spec_from_file_location(f"product_{name}", repo.ROOT / "scripts" / name / "product.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PRODUCTS = [load(name) for name in repo.PRODUCTS]


def of_all(member):
    """The elements of a list, or of what a function returns, that each product may have."""
    found = [getattr(product, member, ()) for product in PRODUCTS]
    return [element for elements in found for element in (elements() if callable(elements) else elements)]
