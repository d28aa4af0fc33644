"""What the products in a program ask of the tests of gen: tests/NAME/gen/shapes.py."""
import importlib.util
import subprocess


def found(program, source):
    """top -> module, folder of examples."""
    listed = subprocess.run([program, "gen", "--list"], text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    for path in sorted((source / "tests").glob("*/gen/shapes.py")):
        name = path.parts[-3]
        described = importlib.util.spec_from_file_location(f"shapes_{name}", path)
        module = importlib.util.module_from_spec(described)
        described.loader.exec_module(module)
        if module.TOP in listed:
            yield module.TOP, module, source / "examples" / name
