#!/usr/bin/env python3
"""Copies 16 words from one place of memory to another by the RTL of tessera_dma behind `tessera serve`, in register writes.

    tessera serve --dma basic --port-file build/port &
    examples/aieml/serve/dma.py "$(cat build/port)"

Read channel 0 sends the words, write channel 0 takes them: the server joins the streams of one number.
"""

import socket
import sys

FROM, TO, WORDS = 0x1000, 0x2000, 16
DESCRIPTORS, READ, WRITE = 0x20000, 0x1000, 0x2000  # registers
CONTROL, TASK, IRQ_ENABLE, RECORD_BYTES = 0x20, 0x8, 0x28, 0x44
VALID, SENDS_LAST, WORD = 1 << 31, 1 << 4, 2  # word 15 of a descriptor: elements of 4 bytes


class Dma:
    def __init__(self, port):
        self.lines = socket.create_connection(("127.0.0.1", port)).makefile("rw", newline="\n")

    def ask(self, *words):
        self.lines.write(" ".join(str(word) for word in words) + "\n")
        self.lines.flush()
        answer = self.lines.readline().strip()
        if answer.startswith("error") or not answer:
            sys.exit(answer or "the server has gone")
        return answer

    def write(self, address, *words):
        self.ask("writeblock", address, *words)

    def read(self, address):
        return int(self.ask("readblock", address, 1), 16)

    def describe(self, number, base, attributes):
        counts, strides = [WORDS, 1, 1, 1], [4, 0, 0, 0]
        at = DESCRIPTORS + 0x40 * number
        self.write(at, base, 0, *counts, *strides)
        self.write(at + 0x3c, VALID | WORD | attributes)  # last: it makes the descriptor valid


def main():
    dma = Dma(int(sys.argv[1]))
    for address in (FROM, TO):
        dma.ask("memadd", address, 4 * WORDS)
    dma.ask("memwrite", FROM, *range(WORDS))
    dma.describe(0, FROM, SENDS_LAST)
    dma.describe(1, TO, 0)
    dma.write(WRITE + IRQ_ENABLE, 4)  # records interrupt
    dma.write(CONTROL, 2)  # and reach the pin
    dma.write(WRITE + TASK, 1)
    dma.write(READ + TASK, 0)
    print(dma.ask("wait", 10000))
    if dma.read(WRITE + RECORD_BYTES) != 4 * WORDS:
        sys.exit("the record tells another length")
    moved = [int(word, 16) for word in dma.ask("memread", TO, WORDS).split()]
    if moved != list(range(WORDS)):
        sys.exit(f"wrong words: {moved}")
    print(f"{WORDS} words in {dma.ask('cycles')} cycles")


if __name__ == "__main__":
    main()
