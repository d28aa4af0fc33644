"""Tables of parameters, between

  <!-- parameters of TOP: made by docs/tools/pictures -->   and   <!-- end of parameters -->

with every one of rtl/*/TOP.toml that a user sets.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
from parameters import description, read  # noqa: E402

MADE = re.compile(r"(<!-- parameters of (\w+): made by docs/tools/pictures -->\n)(.*?)(<!-- end of parameters -->)", re.S)


def table(top):
    """Of a top that rtl/*/TOP.toml describes."""
    lines = ["| parameter | legal | default | is |", "|---|---|---|---|"]
    described = read(description(ROOT / "rtl", top))
    names = re.compile(rf"\b({'|'.join(p.name for p in described)})\b")
    for p in described:
        if p.declaration and not p.words:
            continue
        allowed = p.words or "; ".join([re.sub("^(an integer from|one of) ", "", p.legal()), *(legal for _, legal in p.rules)])
        usual = str(p.default).lower() if p.flag else p.default
        lines.append(f"| `{p.name}` | " + " | ".join(names.sub(r"`\1`", str(text)) for text in (allowed, usual, p.about)) + " |")
    return "\n".join(lines)


def with_tables(text):
    """The page with the tables that are made."""
    return MADE.sub(lambda found: f"{found[1]}\n{table(found[2])}\n\n{found[4]}", text)
