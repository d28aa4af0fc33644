#!/usr/bin/env python3
"""Lets `tessera` draw what pages of the site show: drawings.py FOLDER [PROGRAM]

A page of FOLDER that shows or links drawings/NAME has a line, in a code block, with the command that makes NAME. The
command is run with PROGRAM, and NAME put into FOLDER/drawings. Without PROGRAM, or if the command fails, the page says
that the command makes it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(drawings/([\w.]+)\)")


def command_of(page, text, name):
    """The line of the page that makes a drawing."""
    found = re.search(rf"^    (.*\btessera .* {re.escape(name)}\b.*)$", text, re.M)
    if not found:
        sys.exit(f"docs/tools/drawings.py: {page.name} shows drawings/{name} and has no command that makes {name}")
    return re.split(r"\s+# ", found[1])[0]


def make(command, program, folder):
    """Runs a command and keeps the drawings it leaves; whether it ended well."""
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "examples").symlink_to(ROOT / "examples")
        done = subprocess.run(["bash", "-c", re.sub(r"(build/\w+/)?\btessera (?=run|show)", f"{program} ", command)], cwd=work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(f"site: '{command}' ended with exit status {done.returncode}:\n{done.stdout[-1000:]}")
            return False
        for path in Path(work).iterdir():
            if path.suffix in (".svg", ".html"):
                (folder / path.name).write_bytes(path.read_bytes())
        return True


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(f"docs/tools/drawings.py: {len(sys.argv) - 1} arguments; legal is a folder, and a program after it")
    docs, program = Path(sys.argv[1]), sys.argv[2:] and str(Path(sys.argv[2]).resolve())
    folder = docs / "drawings"
    folder.mkdir(exist_ok=True)
    tried = set()

    def shown(page, text, link):
        picture, words, name = link.groups()
        command = command_of(page, text, name)
        if program and command not in tried:
            make(command, program, folder)
        tried.add(command)
        if (folder / name).exists():
            return link[0]
        return f"*{words}: `{command}` draws it. This site was built without the program.*" if picture else words

    for page in sorted(docs.rglob("*.md")):
        text = page.read_text()
        page.write_text(LINK.sub(lambda link: shown(page, text, link), text))


if __name__ == "__main__":
    main()
