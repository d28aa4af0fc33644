#!/usr/bin/env python3
"""scripts/start_program: the parameter of register writes, and what wrong text is told."""

from checks import ROOT, Checks, run_on

SCRIPT = ROOT / "scripts/start_program"
MOST = 4096
GOOD = [  # text, the writes in the order of the parameter
    ("20000 1000 # base\n\n1c 1", ["64'h0000001c00000001", "64'h0002000000001000"]),
    ("0x20000 1\n1c 0xffffffff", ["64'h0000001cffffffff", "64'h0002000000000001"]),
    ("1c 0\n" * MOST, ["64'h0000001c00000000"] * MOST),
]
BAD = [  # text, what is told of it
    ("1c 1\n1d 1", "line 2: '1d 1'; legal is an address (a multiple of 4 below 40000) and a value"),
    ("40000 1", "line 1: '40000 1'; legal is an address"),
    ("0x 1", "line 1: '0x 1'; legal is an address"),
    ("0x1c 0x123456789", "line 1: '0x1c 0x123456789'; legal is an address"),
    ("1c 0\n" * (MOST + 1), f"the file has {MOST + 1} writes; legal are at most {MOST}"),
    (b"1c \xff", "cannot be read: it is no text"),
]
check = Checks()


def main():
    for text, writes in GOOD:
        done = run_on(text, SCRIPT)
        lines = done.stdout.split("\n")
        check(f"{text[:40]!r}", lines == ["StartProgram={", *(f"  {write}," for write in writes[:-1]), f"  {writes[-1]}", "}", ""],
              f"{lines[:4]} {done.stderr}, not {writes[:2]}")
    for text, told in BAD:
        done = run_on(text, SCRIPT)
        lines = done.stderr.strip().splitlines()
        check(f"{text[:40]!r}", done.returncode != 0 and len(lines) == 1 and told in lines[0], f"{done.returncode} {lines[-1:]}, not '{told}'")
    check.finish()


if __name__ == "__main__":
    main()
