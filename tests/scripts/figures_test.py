#!/usr/bin/env python3
"""scripts/figures on a copy of the pages: what it says of edited figures, changed sources and new measurements."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import ROOT, Checks, repository, run

RTL = "rtl/prim/tsr_fifo.sv"
MISSED = """
## Rows that miss their target

<!-- figures: bench -->

| work | limit | share | row of the baseline |
|---|---|---|---|
| 13 bytes | 0.65 | 0.62 | `read/copy-13/64/L1` |

<!-- end of figures -->
"""
check = Checks()


class Copy:
    """Pages, scripts and RTL in a folder of their own; its figures are those of its sources."""

    def __init__(self, folder):
        self.root = Path(folder)
        repository(self.root, "rtl", "scripts")
        for path in [ROOT / "README.md", ROOT / "VERSION", *ROOT.glob("bench/figures.json"), ROOT / "bench/baseline.csv",
                     *ROOT.glob("docs/**/*.md")]:
            copy = self.root / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        self.figures = json.loads(self.text("bench/figures.json"))
        self.figures["tree"] = self.figures["coverage"]["tree"] = self.hash()
        (self.root / "bench/figures.json").write_text(json.dumps(self.figures))

    def text(self, name):
        return (self.root / name).read_text()

    def hash(self):
        return subprocess.run([sys.executable, "-B", "-c", "import tree; print(tree.digest())"], cwd=self.root / "scripts/lib",
                              text=True, stdout=subprocess.PIPE, check=True).stdout.strip()

    def edit(self, name, old, new):
        """Replaces a text; returns the number of its line."""
        text = self.text(name)
        assert old in text, f"{name} has no '{old}'"
        (self.root / name).write_text(text.replace(old, new, 1))
        return text[:text.index(old)].count("\n") + 1

    def run(self, *arguments):
        return run(self.root / "scripts/figures", *arguments, cwd=self.root)


def row_of(text, start):
    """The first line of a text that begins so."""
    return next(line for line in text.splitlines() if line.startswith(start))


def pages_are_fresh(copy):
    code, output = copy.run("--check")
    check("the pages are what the figures give", code == 0, output)


def an_edited_figure_is_found(copy):
    edits = []
    for page, start in (("docs/aieml/aieml_ip.md", "| of it registers"), ("docs/integration.md", "| `Walk=0`"),
                        ("docs/programming.md", "| doorbell to ARVALID"), ("docs/verification.md", "| all |")):
        row = row_of(copy.text(page), start)
        figure = next(cell for cell in reversed(row.strip("| ").split(" | ")) if cell.strip("-+.").isdigit())
        wrong = row.replace(f" {figure} ", " 77 ")
        edits.append((page, copy.edit(page, row, wrong), wrong, row))
    code, output = copy.run("--check")
    for page, line, wrong, row in edits:
        check(f"{page}: an edited figure is told", f"{page}:{line}: has    {wrong}\n    the figures give  {row}\n" in output, output)
    check("each of them fails, and nothing else", code == 1 and output.endswith(f" {len(edits)} failed\n"), output)
    code, output = copy.run()
    check("pages are put right", code == 0 and all(copy.text(page) == (ROOT / page).read_text() for page, *_ in edits), output)


def what_is_no_figure_is_found(copy):
    edits = (("docs/aieml/aieml_ip.md", "`tsr_aieml_send`", "`tsr_aieml_sent`", "targets.toml has no row 'headers and compression, a channel to a stream'"),
             ("docs/programming.md", "`programs/doorbell-ar/basic/cycles`", "`programs/bell/cycles`", "no row 'programs/bell/cycles'"),
             ("docs/mover4d/kernels.md", "figures: kernels -->", "figures: sizes -->", "figures 'sizes'; legal is bench, units"),
             ("docs/streams.md", "## Cost\n", "## Cost\n\n| cell | LUT |\n|---|---|\n| a | 1 |\n", "a table with a column LUT that is no block"),
             ("docs/verification.md", "<!-- end of figures -->\n", "\n", "the block has no end"),
             ("docs/timing.md", "a beat a cycle", "a beat<!-- area of base: lut --> a cycle", "a mark within a line"))
    for page, old, new, _ in edits:
        copy.edit(page, old, new)
    code, output = copy.run("--check")
    for page, *_, says in edits:
        check(f"{page}: {says}", any(line.startswith(f"{page}:") and says in line for line in output.splitlines()), output)
        shutil.copy(ROOT / page, copy.root / page)
    check("what is no figure fails", code == 1, output)


def a_release_has_the_figures_of_its_sources(copy):
    old = copy.hash()
    code, output = copy.run("--release")
    check("--release takes the sources of the figures", code == 0, output)
    copy.edit(RTL, "endmodule", "// A word more.\n\nendmodule")
    code, output = copy.run("--release")
    check("--release takes another comment", code == 0, output)
    copy.edit(RTL, "endmodule", "logic more;\nendmodule")
    code, output = copy.run("--release")
    check("--release refuses another line of RTL, and names both hashes", code == 1 and old in output and copy.hash() in output, output)
    code, output = copy.run("--check")
    check("--check takes it", code == 0, output)
    shutil.copy(ROOT / RTL, copy.root / RTL)


def measurements_are_merged(copy):
    result = {"command": "scripts/clock", "tree": copy.hash(), "revision": "0123456789ab", "date": "2030-01-02", "machine": "one",
              "units": {"tessera_dma": {"mhz": 543}}}
    path = copy.root / "clock.json"
    path.write_text(json.dumps(result))
    code, output = copy.run("--write", path)
    written = json.loads(copy.text("bench/figures.json"))
    check("a clock is merged", code == 0 and written["units"]["tessera_dma"] == {**copy.figures["units"]["tessera_dma"], "mhz": 543}, output)
    check("with its date, and the area stays", written["date"] == "2030-01-02" and written["area"] == copy.figures["area"], written)
    check("the page has the new clock", "| tessera_dma | 543 | 150 |" in copy.text("docs/integration.md"))
    copy.edit(RTL, "endmodule", "logic more;\nendmodule")
    code, output = copy.run("--write", path)
    check("figures of other sources are not merged", code == 1 and "scripts/clock again" in output, output)
    path.write_text(json.dumps({**result, "tree": copy.hash()}))
    code, output = copy.run("--write", path)
    check("figures of other sources are not kept", code == 1 and "scripts/area --costs" in output, output)
    check("a refused merge writes nothing", json.loads(copy.text("bench/figures.json")) == written)


def missed_targets_are_on_a_page(copy):
    path, baseline = copy.root / "bench.csv", copy.root / "bench/baseline.csv"
    baseline.write_text(re.sub(r"(?m)^(read/copy-13/64/L1),.*$", r"\1,0.62", baseline.read_text()))
    page = copy.root / "docs/engine.md"
    page.write_text(page.read_text() + MISSED)
    head, known = "row,value,limit,target,verdict\n", "read/copy-13/64/L1,0.62,0.65,0.64,MISS\nread/copy-14/64/L1,0.65,0.65,0.64,PASS\n"
    path.write_text(head + known)
    code, output = copy.run("--verdicts", path)
    check("a row of engine.md and one that passes are accepted", code == 0, output)
    path.write_text(head + known.replace("0.65", "0.70").replace("PASS", "MISS"))
    code, output = copy.run("--verdicts", path)
    check("another limit is refused", code == 1 and "has limit 0.65 of read/copy-13/64/L1" in output, output)
    check("a row on no page is refused", "read/copy-14/64/L1 misses its target" in output, output)


def main():
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder)
        for test in (pages_are_fresh, an_edited_figure_is_found, what_is_no_figure_is_found,
                     a_release_has_the_figures_of_its_sources, missed_targets_are_on_a_page, measurements_are_merged):
            test(copy)
    check.finish()


if __name__ == "__main__":
    main()
