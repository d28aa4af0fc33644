#!/usr/bin/env python3
"""Moves 16 words from host to host through a shim of `tessera serve`, on the documented commands.

    tessera serve --array examples/aieml/serve/loop.json --port-file build/port &
    examples/aieml/serve/client.py "$(cat build/port)"
"""

import socket
import sys

BASE = 0x20000000000  # what programs on the open driver add to addresses
FROM, TO, WORDS = 0x1000, 0x2000, 16


class Array:
    def __init__(self, port):
        self.lines = socket.create_connection(("127.0.0.1", port)).makefile("rw", newline="\n")

    def ask(self, *words):
        self.lines.write(" ".join(str(word) for word in words) + "\n")
        self.lines.flush()
        answer = self.lines.readline().strip()
        if answer.startswith("error") or not answer:
            sys.exit(answer or "the server has gone")
        return answer

    def write(self, offset, *words):
        self.ask("writeblock", BASE + offset, *words)


def main():
    array = Array(int(sys.argv[1]))
    for address in (FROM, TO):
        array.ask("memadd", address, 4 * WORDS)
    array.ask("memwrite", FROM, *range(WORDS))
    valid = 1 << 25
    array.write(0x1d000, WORDS, FROM, 0, 0, 0, 0, 0, valid)
    array.write(0x1d020, WORDS, TO, 0, 0, 0, 0, 0, valid)
    array.write(0x1d204, 1 << 31 | 1)  # receive into descriptor 1, with a token
    array.write(0x1d214, 0)
    print(array.ask("wait", 10000))
    moved = [int(word, 16) for word in array.ask("memread", TO, WORDS).split()]
    if moved != list(range(WORDS)):
        sys.exit(f"wrong words: {moved}")
    print(f"{WORDS} words in {array.ask('cycles')} cycles")


if __name__ == "__main__":
    main()
