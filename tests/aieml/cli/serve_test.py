#!/usr/bin/env python3
"""serve_test.py TESSERA ROOT CC [--rtl] [BUILD]: the clients of examples/aieml/serve against `tessera serve`, with --rtl also on the RTL of the
array; BUILD is one of tessera_dma."""

import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from checks import Checks, run, until  # noqa: E402

check = Checks()
PORT_FILE = Path("mesim_output/mesimulator_aximm_port")


class Served:
    """`tessera serve` with these arguments, until the block ends."""

    def __init__(self, program, folder, *arguments):
        self.port_file = folder / PORT_FILE
        self.port_file.unlink(missing_ok=True)
        self.server = subprocess.Popen([program, "serve", *arguments], cwd=folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        until(lambda: self.port_file.exists() or self.server.poll() is not None)
        self.port = self.port_file.read_text().strip()
        return self

    def __exit__(self, *_):
        self.server.send_signal(signal.SIGTERM)
        self.said, _ = self.server.communicate(timeout=60)

    def client(self, *command):
        return subprocess.run([*command, self.port], capture_output=True, text=True, timeout=120)


class Recorder:
    """Stands between a client and the server: `lines` are the bytes that the client has sent."""

    def __init__(self, port, folder):
        self.lines = b""
        self.server = socket.create_connection(("127.0.0.1", int(port)))
        self.listener = socket.create_server(("127.0.0.1", 0))
        port_file = folder / PORT_FILE
        port_file.parent.mkdir()
        port_file.write_text(str(self.listener.getsockname()[1]))
        threading.Thread(target=self.record, daemon=True).start()

    def record(self):
        client, _ = self.listener.accept()
        threading.Thread(target=self.answer, args=(client,), daemon=True).start()
        while data := client.recv(65536):
            self.lines += data
            self.server.sendall(data)

    def answer(self, client):
        while data := self.server.recv(65536):
            client.sendall(data)


def exact_lines(program, folder, *options):
    """The client in C has the lines of the driver, to the byte."""
    beside = Path(tempfile.mkdtemp(dir=folder))
    with Served(program, folder, *options) as served:
        recorder = Recorder(served.port, beside)
        code, told = run(folder / "client", cwd=beside, timeout=120)
    check("client: works as well through a recorder", code == 0, told)
    line = rb"(W 0X[0-9A-F]{16} 0X[0-9A-F]{8}\n|R 0X[0-9A-F]{16}\n)"
    check("client: no line but those of the driver", re.fullmatch(line + b"+", recorder.lines) is not None, recorder.lines)
    first = b"W 0X0000020000100000 0X00000100\nW 0X0000020000100004 0X00000101\n"
    check("client: its first lines", recorder.lines.startswith(first), recorder.lines[:100])
    reads = recorder.lines[recorder.lines.index(b"R"):]
    check("client: polls, then reads the words", re.fullmatch(rb"(R 0X00000200001A0660\n)+(R 0X00000200001004[0-9A-F]{2}\n){16}", reads) is not None, reads)


def main():
    program, root, compiler, *build = sys.argv[1:]
    on = [[], ["--rtl"]] if "--rtl" in build else [[]]
    build = [name for name in build if name != "--rtl"]
    if len(on) == 1:
        print("the images of tessera_aieml with which the array can be RTL are not in this program")
    examples = Path(root) / "examples/aieml/serve"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([compiler, "-O1", "-Wall", "-Werror", examples / "client.c", "-o", folder / "client"], check=True)
        for rtl in on:
            with Served(program, folder, "--array", examples / "loop.json", *rtl) as served:
                done = served.client(examples / "client.py")
            check("client.py: moves words through the array", done.returncode == 0, done.stdout + done.stderr)
            check("the server ends well", served.server.returncode == 0, served.said)
            with Served(program, folder, *rtl) as served:
                code, told = run(folder / "client", cwd=folder, timeout=120)
            check("client: finds the port and moves words through a memory tile", code == 0, told)
            check("the server ends well", served.server.returncode == 0, served.said)
            exact_lines(program, folder, *rtl)
        for rtl in on:
            with Served(program, folder, *rtl) as served:
                pass
            line = "\narray: 1 column with a shim, 1 memory tile and 4 compute tiles each" + (", on the RTL\n" if rtl else "\n")
            check("the array that is served is told", line in served.said, served.said)
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
                code, told = run("python3", "-c", STRAY, served.port, timeout=120)
            check("lines that are wrong are answered", code == 0, told)
            check("the server goes on", served.server.returncode == 0, served.said)
    check.finish()


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
    main()
