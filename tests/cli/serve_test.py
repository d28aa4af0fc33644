#!/usr/bin/env python3
"""serve_test.py TESSERA ROOT CC [BUILD]: the clients of examples/serve against `tessera serve`; BUILD is one of tessera_dma."""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

failures = []


def check(what, good, shown=""):
    print(("ok    " if good else "FAILED ") + what)
    if not good:
        failures.append(what)
        print(shown)


class Served:
    """`tessera serve` with these arguments, until the block ends."""

    def __init__(self, program, folder, *arguments):
        self.port_file = folder / "port"
        self.port_file.unlink(missing_ok=True)
        self.server = subprocess.Popen([program, "serve", "--port-file", self.port_file, *arguments],
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        end = time.monotonic() + 60
        while not self.port_file.exists() and self.server.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        self.port = self.port_file.read_text().strip()
        return self

    def __exit__(self, *_):
        self.server.send_signal(signal.SIGTERM)
        self.said, _ = self.server.communicate(timeout=60)

    def client(self, *command):
        return subprocess.run([*command, self.port], capture_output=True, text=True, timeout=120)


def main():
    program, root, compiler, *build = sys.argv[1:]
    examples = Path(root) / "examples/serve"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", examples / "client.c", "-o", folder / "client"], check=True)
        for command in ([examples / "client.py"], [folder / "client"]):
            with Served(program, folder, "--array", examples / "loop.json") as served:
                done = served.client(*command)
            check(f"{Path(command[0]).name}: moves words through the array", done.returncode == 0, done.stdout + done.stderr)
            check("the server ends well", served.server.returncode == 0, served.said)
        with Served(program, folder) as served:
            pass
        check("the array that is served is told", "\narray: 1 column with a shim, 1 memory tile and 4 compute tiles each\n" in served.said, served.said)
        bad = subprocess.run([program, "serve", "--dma", "nowhere"], capture_output=True, text=True)
        check("a build that is not there is refused", bad.returncode == 2 and "nowhere" in bad.stderr, bad.stderr)
        if not build:
            print("no build of tessera_dma with which it can be tried is in this program")
        for dma in build:
            with Served(program, folder, "--dma", dma) as served:
                done = served.client(examples / "dma.py")
            check("dma.py: copies words by the RTL", done.returncode == 0 and "interrupt 0x" in done.stdout, done.stdout + done.stderr)
            check("the server ends well", served.server.returncode == 0 and "bytes on streams" in served.said, served.said)
            with Served(program, folder, "--dma", dma) as served:
                lines = subprocess.run(["python3", "-c", STRAY, served.port], capture_output=True, text=True, timeout=120)
            check("lines that are wrong are answered", lines.returncode == 0, lines.stdout + lines.stderr)
            check("the server goes on", served.server.returncode == 0, served.said)
    return 1 if failures else 0


# Registers that are not there, words of memory that nobody has added, buffers that meet.
STRAY = """
import socket, sys
lines = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw", newline="\\n")
def ask(line):
    lines.write(line + "\\n"); lines.flush()
    return lines.readline().strip()
for line, answer in (("R 0X0000000000000000", "0x54535241"), ("R 0X000000000003FFFC", "0x00000000"),
                     ("R 0X0000000000040000", "0x00000000"), ("readblock 0x40000 1", "error:"), ("writeblock 0 1", "error:"),
                     ("memread 0x1000 1", "error:"), ("memadd 0x1000 16", "ok"), ("memadd 0x100c 4", "error:"),
                     ("memadd 0x1010 4", "ok"), ("memadd 0xff0 32", "error:"), ("memadd 2 4", "error:"), ("memread 0xfffffffffffffffc 1", "error:"), ("memread 0x1010 2", "error:"),
                     ("memread 0x1000 4", "0x00000000 0x00000000 0x00000000 0x00000000"), ("wait 100", "timeout"), ("run 100", "ok")):
    got = ask(line)
    assert got.startswith(answer), (line, got)
"""

if __name__ == "__main__":
    sys.exit(main())
