#!/usr/bin/env python3
"""scripts/rom: contents of ROMs, and what wrong text is told.

    rom_test.py REPOSITORY
"""
import sys
from pathlib import Path

from checks import Checks, run_on

ROOT = Path(sys.argv[1])
GOOD = [  # type, width, text, words
    ("int8", 32, "1\n-1\n0xff\n# none\n\n-128 # the least\n127", ["80ffff01", "0000007f"]),
    ("int16", 16, "-2\n0x8000", ["fffe", "8000"]),
    ("int32", 64, "1\n2\n3", ["0000000200000001", "0000000000000003"]),
    ("int64", 32, "0x0123456789abcdef", ["89abcdef", "01234567"]),
    ("half", 64, "1.5\n-2\n0x1p-24\ninf", ["7c000001c0003e00"]),
    ("float", 64, "1.5\nnan", ["7fc000003fc00000"]),
    ("double", 64, "-0.0\n1e-3", ["8000000000000000", "3f50624dd2f1a9fc"]),
]
BAD = [  # type, text, what is told of it
    ("int8", "1\n128", "line 2: '128': legal is -128 to 127"),
    ("int8", "0x100", "line 1: '0x100': legal is -128 to 127"),
    ("int64", "\n\n1.5", "line 3: '1.5': it is no int64"),
    ("half", "65536", "line 1: '65536': too large for half"),
    ("float", "one", "line 1: 'one': it is no float"),
    ("double", "# nothing", "holds no value"),
    ("int8", "1_0", "line 1: '1_0': it is no int8"),
    ("float", "1\n1_0.5", "line 2: '1_0.5': it is no float"),
    ("int8", "\u0661", "it is no int8"),
    ("int8", b"1\n\xff", "cannot be read: it is no text"),
]
check = Checks()


def rom(kind, width, text, *more):
    return run_on(text, ROOT / "scripts/rom", "--type", kind, "--width", str(width), *more)


def main():
    for kind, width, text, words in GOOD:
        done = rom(kind, width, text)
        check(f"{kind} at {width} bits", done.stdout.split() == words, f"{done.stdout.split()} {done.stderr}, not {words}")
        vector = "{\n" + ",\n".join(f"  {width}'h{word}" for word in reversed(words)) + "\n}\n"
        done = rom(kind, width, text, "--parameter")
        check(f"{kind} at {width} bits, as a parameter", done.stdout == vector, f"{done.stdout}{done.stderr}, not {vector}")
    for kind, text, told in BAD:
        done = rom(kind, 64, text)
        lines = done.stderr.strip().splitlines()
        check(f"{kind} {text!r}", done.returncode != 0 and len(lines) == 1 and told in lines[0], f"{done.returncode} {lines}, not '{told}'")
    check.finish()


if __name__ == "__main__":
    main()
