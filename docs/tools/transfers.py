"""Pictures of transfers: memory on the left, stream on the right, both computed from the transfer.

The examples are those of tests/model. Every beat that a picture shows is looked up in the text of the
test it names, so that a picture cannot say anything else than the test.
"""

import re
from itertools import product
from pathlib import Path

from svg import HUES, INK, LINE, PALE, SOFT, Canvas

ROOT = Path(__file__).resolve().parents[2]
BASE = 0x1000
CELL = 26


def transfer(**fields):
    """A transfer with the defaults of tb/model/transfer.h."""
    t = dict(elem=1, base=BASE, count=[1, 1, 1, 1], stride=[0, 0, 0, 0], start=[0, 0, 0, 0],
             bound=[None] * 4, walk=[None] * 4, length=None, fill=0, last="transfer", level=0,
             join=False, task_end=False)
    for name, value in fields.items():
        default = t[name]
        if isinstance(default, list):
            value = list(value) + default[len(value):]
        t[name] = value
    return t


def copy(base, count, **fields):
    return transfer(base=base, count=[count], stride=[1], **fields)


def positions(t):
    """(coordinates, valid, address, levels that end a turn here) of each position, in order."""
    walks = [w or (0, 0, 1) for w in t["walk"]]  # (dim, step, count)
    counts = list(t["count"])
    limit = t["length"]
    if limit is not None and not any(t["walk"]):
        counts[3] = max(counts[3], -(-limit // max(1, counts[0] * counts[1] * counts[2])))
    spans = [range(w[2]) for w in reversed(walks)] + [range(c) for c in reversed(counts)]
    for n, index in enumerate(product(*spans)):
        if limit is not None and n == limit:
            return
        turn, i = index[3::-1], index[:3:-1]
        x = [t["start"][d] + i[d] + sum(turn[k] * walks[k][1] for k in range(4) if walks[k][0] == d)
             for d in range(4)]
        valid = all(b is None or 0 <= x[d] < b for d, b in enumerate(t["bound"]))
        ends = 0
        sizes = list(t["count"]) + [w[2] for w in walks]
        if limit is not None and not any(t["walk"]):
            sizes[3] = None  # steps on: its turn has no end of its own
        for at, size in zip(list(i) + list(turn), sizes):
            if size is None or at != size - 1:
                break
            ends += 1
        yield x, valid, t["base"] + sum(x[d] * t["stride"][d] for d in range(4)), ends


def read(chain, lanes):
    """Beats of a chain of transfers: (cells, last); a cell is (text, hue) or None."""
    beats, held = [], []

    def flush(last):
        beats.append((held + [None] * (lanes - len(held)), last))
        held.clear()

    for number, t in enumerate(chain):
        every = list(positions(t))
        for n, (x, valid, address, ends) in enumerate(every):
            hue = number if len(chain) > 1 else n // t["count"][0]
            for b in range(t["elem"]):
                value = (address + b - BASE) & 0xFF if valid else (t["fill"] >> 8 * (b % 8)) & 0xFF
                held.append((f"{value:02x}", hue if valid else "fill"))
                end = b == t["elem"] - 1 and n == len(every) - 1
                last = (end and (t["last"] == "transfer" or (t["last"] == "task" and t["task_end"]))
                        or t["last"] == "level" and b == t["elem"] - 1 and (end or ends > t["level"]))
                if last or len(held) == lanes:
                    flush(last)
        if held and not (t["join"] and not t["task_end"]):
            flush(t["last"] == "transfer" or (t["last"] == "task" and t["task_end"]))
    return beats


def line_of(beat):
    cells, last = beat
    return " ".join(c[0] if c else "--" for c in cells) + (" L" if last else "")


def body_of(test):
    """The text of a test of tests/model or tests/engine."""
    suite, name = test.split(".")
    for path in sorted(ROOT.glob("tests/**/*.cpp")):
        text = path.read_text()
        found = re.search(rf"^TEST(?:_P|_F)?\({suite}, {name}\) \{{.*?^\}}", text, re.S | re.M)
        if found:
            return found.group(0)
    raise SystemExit(f"docs/tools/pictures: no test {test} in tests/**/*.cpp")


def prove(test, beats):
    wanted = ", ".join(f'"{line_of(beat)}"' for beat in beats)
    if f"Lines{{{wanted}}}" not in re.sub(r"\s+", " ", body_of(test)):
        raise SystemExit(f"docs/tools/pictures: {test} does not have the beats {wanted}")


# ---- Parts of pictures ---------------------------------------------------------------------------

def cell(c, x, y, text, hue, size=12):
    if hue is None:
        c.rect(x, y, CELL, CELL, fill="#f4f6f8", stroke=PALE)
        c.text(x + CELL / 2, y + 17, text, size, "middle", LINE, mono=True)
    elif hue == "fill":
        c.rect(x, y, CELL, CELL, fill="#ffffff", stroke=SOFT, dash="3 2")
        c.text(x + CELL / 2, y + 17, text, size, "middle", SOFT, mono=True)
    else:
        c.rect(x, y, CELL, CELL, fill=HUES[hue % len(HUES)], stroke=LINE)
        c.text(x + CELL / 2, y + 17, text, size, "middle", INK, mono=True)


def draw_memory(c, x, y, rows, marks, title="memory"):
    """Rows of (address, bytes); marks: address -> hue."""
    c.text(x, y + 11, title, 12, bold=True)
    y += 20
    for address, size in rows:
        c.text(x, y + 17, f"{address:#06x}", 11, colour=SOFT, mono=True)
        for b in range(size):
            a = address + b
            cell(c, x + 54 + b * CELL, y, f"{(a - BASE) & 0xff:02x}", marks.get(a))
        y += CELL + 4
    return x + 54 + max(size for _, size in rows) * CELL, y


def draw_beats(c, x, y, beats, title):
    c.text(x, y + 11, title, 12, bold=True)
    y += 20
    for number, (cells, last) in enumerate(beats):
        c.text(x, y + 17, f"{number}", 11, colour=SOFT, mono=True)
        for lane, part in enumerate(cells):
            if part:
                cell(c, x + 20 + lane * CELL, y, part[0], part[1])
            else:
                cell(c, x + 20 + lane * CELL, y, "--", None)
        end = x + 20 + len(cells) * CELL
        if last:
            c.text(end + 8, y + 17, "TLAST", 10, colour="#a12622", bold=True)
        y += CELL + 4
    return x + 20 + len(beats[0][0]) * CELL + 50, y


def read_picture(title, chain, lanes, rows, test, note=None, caption="stream beats"):
    chain = chain if isinstance(chain, list) else [chain]
    beats = read(chain, lanes)
    prove(test, beats)
    marks = {}
    for number, t in enumerate(chain):
        for n, (_, valid, address, _) in enumerate(positions(t)):
            for b in range(t["elem"]):
                if valid:
                    marks[address + b] = number if len(chain) > 1 else n // t["count"][0]
    c = Canvas(title)
    right, bottom = draw_memory(c, 0, 0, rows, marks)
    c.line([(right + 10, 34), (right + 40, 34)], SOFT, 1.5, arrow=True)
    _, low = draw_beats(c, right + 54, 0, beats, caption)
    if note:
        c.text(0, max(bottom, low) + 12, note, 11, colour=SOFT)
    return c


def beats_picture(title, cases):
    """Several streams below each other: (title, chain, lanes, test)."""
    c = Canvas(title)
    x = 0
    for name, chain, lanes, test in cases:
        beats = read(chain if isinstance(chain, list) else [chain], lanes)
        prove(test, beats)
        right, _ = draw_beats(c, x, 0, beats, name)
        x = max(right, x + len(name) * 7) + 24
    return c


def write_picture(title, packet, written, rows, test, note=None, dropped=()):
    """A packet (lines as the tests write them) and where its bytes went: address -> (text, hue)."""
    c = Canvas(title)
    body = body_of(test)
    hues = {text: hue for text, hue in written.values()}
    beats = []
    for text in packet:
        if f'"{text}"' not in body:
            raise SystemExit(f"docs/tools/pictures: {test} does not have the beat '{text}'")
        words = text.split()
        last = words[-1] == "L"
        words = words[:-1] if last else words
        beats.append(([None if w == "--" else (w, hues.get(w, "fill")) for w in words], last))
    for address, size in rows:
        shown = " ".join(written[address + b][0] if address + b in written else ".."
                         for b in range(size))
        if f'"{shown}' not in body:
            raise SystemExit(f"docs/tools/pictures: {test} does not have memory '{shown}'")
    right, low = draw_beats(c, 0, 0, beats, "stream beats")
    c.line([(right + 4, 34), (right + 34, 34)], SOFT, 1.5, arrow=True)
    x, y = right + 48, 20
    c.text(x, 11, "memory", 12, bold=True)
    for address, size in rows:
        c.text(x, y + 17, f"{address:#06x}", 11, colour=SOFT, mono=True)
        for b in range(size):
            text, hue = written.get(address + b, ("", None))
            cell(c, x + 54 + b * CELL, y, text, hue)
        y += CELL + 4
    if note:
        c.text(0, max(low, y) + 12, note, 11, colour=SOFT)
    return c


# ---- The pictures --------------------------------------------------------------------------------

def two_rows(**fields):
    return transfer(count=[3, 2], stride=[1, 16], **fields)


def coordinates():
    """Walk.ValidIsInsideEveryBound: 4 x 3 positions, bounds 2 x 1."""
    t = transfer(base=0, count=[4, 3], stride=[1, 10], start=[-1, -1], bound=[2, 1])
    every = list(positions(t))
    lines = ["".join("v" if v else "f" for _, v, _, _ in every[r * 4:r * 4 + 4]) for r in range(3)]
    body = body_of("Walk.ValidIsInsideEveryBound")
    if any(f'"{line}"' not in body for line in lines):
        raise SystemExit("docs/tools/pictures: Walk.ValidIsInsideEveryBound has other positions")
    c = Canvas("Positions inside and outside the bounds")
    w, h, x0, y0 = 62, 34, 78, 40
    c.text(x0 + 2 * w, 10, "x0 = start[0] + i0 = -1 .. 2, bound[0] = 2", 12, "middle", bold=True)
    for i in range(4):
        c.text(x0 + i * w + w / 2, 32, i - 1, 11, "middle", SOFT, mono=True)
    for n, (x, valid, address, _) in enumerate(every):
        left, top = x0 + (n % 4) * w, y0 + (n // 4) * h
        c.rect(left, top, w, h, fill=HUES[0] if valid else "#ffffff", stroke=LINE if valid else SOFT,
               dash=None if valid else "3 2")
        c.text(left + w / 2, top + 21, f"base{address:+d}" if valid else "fill", 11, "middle",
               INK if valid else SOFT, mono=True)
    for j in range(3):
        c.text(x0 - 10, y0 + j * h + 21, j - 1, 11, "end", SOFT, mono=True)
    c.text(0, y0 + 1.5 * h, "x1", 12, bold=True)
    c.text(0, y0 + 3 * h + 24, "start = (-1, -1), count = (4, 3), bound = (2, 1), stride = (1, 10): "
           "2 of 12 positions are in memory", 11, colour=SOFT)
    return c


def tiles():
    """Walk.EdgeTilesInTwoDimensions: 3 x 3 bytes in tiles of 2 x 2."""
    t = transfer(base=0, count=[2, 2], stride=[1, 3], bound=[3, 3],
                 walk=[(0, 2, 2), (1, 2, 2)])
    every = list(positions(t))
    body = body_of("Walk.EdgeTilesInTwoDimensions")
    text = ", ".join(str(a) for _, _, a, _ in every)
    if f"{{{text}}}" not in body:
        raise SystemExit("docs/tools/pictures: Walk.EdgeTilesInTwoDimensions has other addresses")
    c = Canvas("A traversal in tiles; edge tiles reach past the bounds")
    size, x0, y0 = 46, 26, 42
    c.text(0, 10, "tensor 3 x 3, tiles 2 x 2", 12, bold=True)
    x0 += 14
    for i in range(4):
        c.text(x0 + i * size + size / 2, 34, f"x0={i}", 10, "middle", SOFT, mono=True)
        c.text(0, y0 + i * size + 27, f"x1={i}", 10, "start", SOFT, mono=True)
    for n, (x, valid, address, _) in enumerate(every):
        left, top = x0 + x[0] * size, y0 + x[1] * size
        c.rect(left, top, size, size, fill=HUES[n // 4] if valid else "#ffffff",
               stroke=LINE if valid else SOFT, dash=None if valid else "3 2")
        c.text(left + size / 2, top + 21, f"[{address}]" if valid else "fill", 11, "middle",
               INK if valid else SOFT, mono=True)
        c.text(left + size / 2, top + 37, f"#{n}", 10, "middle", SOFT, mono=True)
    c.rect(x0, y0, 3 * size, 3 * size, fill="none", stroke=INK, width=2)
    x = x0 + 4 * size + 30
    c.text(x, 10, "order in the stream", 12, bold=True)
    for tile in range(4):
        c.text(x, y0 + tile * 34 + 17, f"tile {tile}", 11, colour=SOFT)
        for n in range(4):
            _, valid, address, _ = every[tile * 4 + n]
            cell(c, x + 44 + n * CELL, y0 + tile * 34, str(address) if valid else "F",
                 tile if valid else "fill")
    c.text(x, y0 + 4 * 34 + 18, "number: address in the tensor, F: fill", 11, colour=SOFT)
    c.text(0, y0 + 4 * size + 22, "walk[0] = (dim 0, step 2, count 2), walk[1] = (dim 1, step 2, count 2); "
           "heavy frame: bound = (3, 3)", 11, colour=SOFT)
    return c


def iteration():
    """Mapping.AieIterationIsAnOffset: start 1, size 3, step 32."""
    c = Canvas("Iteration moves the base from execution to execution")
    start, size, step = 1, 3, 32
    body = body_of("Mapping.AieIterationIsAnOffset")
    offsets = [((start + n) % size) * step for n in range(4)]
    if "{" + ", ".join(map(str, offsets)) + "}" not in body:
        raise SystemExit("docs/tools/pictures: Mapping.AieIterationIsAnOffset has other offsets")
    for n, offset in enumerate(offsets):
        y = 6 + n * 30
        c.text(0, y + 16, f"execution {n}", 12)
        c.rect(86, y, 3 * 90, 22, fill="#f4f6f8", stroke=PALE)
        c.rect(86 + offset / step * 90, y, 90, 22, fill=HUES[n % 4], stroke=LINE)
        c.text(86 + offset / step * 90 + 45, y + 15, f"offset {offset}", 11, "middle", mono=True)
    for k in range(3):
        c.text(86 + k * 90, 142, f"base+{k * step}", 10, colour=SOFT, mono=True)
    return c


def record():
    """done_t of rtl/pkg/tsr_pkg.sv."""
    package = (ROOT / "rtl/pkg/tsr_pkg.sv").read_text()
    bytes_width = int(re.search(r"BytesWidth = (\d+)", package).group(1))
    status = re.findall(r"logic (\w+);", re.search(r"typedef struct packed \{([^}]*)\} status_t",
                                                   package, re.S).group(1))
    fields = [("addr", 64), ("bytes", bytes_width), ("dropped", bytes_width), ("last", 1),
              ("status", len(status))]
    done = re.search(r"typedef struct packed \{([^}]*)\} done_t", package, re.S).group(1)
    if re.findall(r"(\w+);", done) != [name for name, _ in fields]:
        raise SystemExit("docs/tools/pictures: done_t of rtl/pkg/tsr_pkg.sv has other fields")
    c = Canvas("The record of a transfer")
    widths = {"addr": 210, "bytes": 160, "dropped": 160, "last": 60, "status": 120}
    x = 0
    c.text(0, 10, "done_t, most significant field first", 12, bold=True)
    for n, (name, bits) in enumerate(fields):
        c.rect(x, 22, widths[name], 30, fill=HUES[n], stroke=LINE)
        c.text(x + widths[name] / 2, 41, name, 12, "middle", mono=True)
        c.text(x + widths[name] / 2, 66, f"{bits} bit" + ("s" if bits > 1 else ""), 10, "middle", SOFT)
        x += widths[name]
    c.line([(x - widths["status"], 70), (0, 94)], PALE)
    c.line([(x, 70), (x, 94)], PALE)
    width = x / len(status)
    for n, name in enumerate(status):
        c.rect(n * width, 96, width, 28, fill="#f4f6f8", stroke=LINE)
        c.text(n * width + width / 2, 114, name, 9.5, "middle", mono=True)
        c.text(n * width + width / 2, 138, f"bit {len(status) - 1 - n}", 10, "middle", SOFT)
    return c


def pictures():
    rows3 = [(BASE, 6), (BASE + 16, 6)]
    yield "coordinates", coordinates()
    yield "tiles", tiles()
    yield "iteration", iteration()
    yield "record", record()
    yield "rows", read_picture("Rows do not start new beats", two_rows(), 4, rows3,
                               "Read.RowsDoNotStartNewBeats")
    yield "transpose", read_picture(
        "Strides choose the order: a transposing read", transfer(count=[2, 3], stride=[16, 1]), 2,
        rows3, "Read.TransposesWithItsStrides")
    yield "reverse", read_picture("A negative stride reverses",
                                  transfer(base=BASE + 3, count=[4], stride=[-1]), 4, [(BASE, 6)],
                                  "Read.NegativeStrideReverses")
    yield "repeat", read_picture("A stride of 0 repeats", transfer(elem=2, base=BASE + 6, count=[3]),
                                 4, [(BASE + 4, 6)], "Read.ZeroStrideRepeats")
    yield "fill", read_picture(
        "Fill is an element, little-endian",
        transfer(elem=4, count=[3], stride=[4], start=[-1], bound=[1], fill=0x44332211), 4,
        [(BASE, 6)], "Read.FillIsAnElementValueLittleEndian", "dashed: fill, 0x44332211")
    yield "length", read_picture("length stops in the middle of a row", two_rows(length=5), 4, rows3,
                                 "Read.LengthCutsInTheMiddleOfARow")
    yield "steps_on", read_picture(
        "length lets the last dimension step on",
        transfer(count=[2, 1, 1, 2], stride=[1, 0, 0, 16], length=6, last="level", level=3), 2,
        [(BASE, 4), (BASE + 16, 4), (BASE + 32, 4)], "Read.DimensionThreeSteppingOnEndsItsTurnOnlyAtTheEnd",
        "count[3] = 2, length = 6: a third turn of dimension 3")
    chain = [copy(BASE, 3, last="task", join=True), copy(BASE + 16, 6, last="task", join=True),
             copy(BASE + 32, 1, last="task", join=True, task_end=True)]
    yield "join", read_picture("Three joined transfers are one dense packet", chain, 4,
                               [(BASE, 7), (BASE + 16, 7), (BASE + 32, 7)], "Read.JoinKeepsTheBeatOpen")
    yield "no_join", read_picture("A transfer ends its beat", [copy(BASE, 5), copy(BASE + 32, 3)], 4,
                                  [(BASE, 6), (BASE + 32, 6)], "Read.ATransferEndsItsBeat")
    yield "tlast", beats_picture("TLAST rules on two rows of three bytes", [
        ("never", two_rows(last="never"), 4, "Read.TlastNever"),
        ("transfer", two_rows(), 4, "Read.RowsDoNotStartNewBeats"),
        ("level 0 (every row)", two_rows(last="level"), 4, "Read.TlastAfterEveryRowEndsItsBeat"),
        ("level 0, length 4", two_rows(last="level", length=4), 4,
         "Read.LevelAlsoEndsATurnThatWasCutShort")])
    hues = lambda start, texts, hue: {start + n: (t, hue) for n, t in enumerate(texts.split())}
    yield "write", write_picture(
        "Elements at their addresses, and nothing else", ["00 01 02 03", "04 05 -- -- L"],
        hues(0x1001, "00 01", 0) | hues(0x1006, "02 03", 1) | hues(0x100B, "04 05", 2),
        [(BASE, 16)], "Write.PutsElementsAtTheirAddresses",
        "E = 2, base = 0x1001, stride = 5, count = 3: 6 of 16 bytes are written")
    yield "residue", write_picture(
        "By length: what a transfer leaves of a beat is the next one's beginning",
        ["00 01 02 03", "04 05 06 07 L"],
        hues(0x1000, "00 01 02", 0) | hues(0x1010, "03 04", 1) | hues(0x1020, "05 06 07", 2),
        [(0x1000, 4), (0x1010, 4), (0x1020, 4)], "Write.ByLengthKeepsWhatItLeavesOfABeat",
        "lengths 3, 2 and 3: bytes held after each are 1, 3 and 0")
    yield "overlong", write_picture(
        "On TLAST: more than fits is dropped", ["00 01 02 03", "04 05 06 07", "08 -- -- -- L"],
        hues(0x1000, "00 01 02", 0), [(0x1000, 5)], "Write.OverlongWritesWhatFitsAndDropsTheRest",
        "extent 3: bytes = 3, dropped = 6 (dashed), overlong")
    yield "early", write_picture(
        "On TLAST: the packet says where the transfer ends", ["00 01 02 03", "04 05 -- -- L"],
        hues(0x1000, "00 01", 0) | hues(0x1004, "02 03", 1) | hues(0x1008, "04 05", 2),
        [(0x1000, 12)], "Write.OnTlastEndsWithTheElementThatCarriesIt",
        "E = 2, stride = 4, 100 elements of room: bytes = 6")
    yield "partial", write_picture(
        "A packet that ends inside an element", ["00 01 02 03", "04 05 06 -- L"],
        hues(0x1000, "00 01 02 03", 0) | hues(0x1008, "04 05 06", 1), [(0x1000, 16)],
        "Write.PartialElementIsWrittenAsFarAsItCame", "E = 4, stride = 8: bytes = 7, partial_element")
    yield "sparse", write_picture(
        "Null bytes carry nothing", ["00 01 02 03", "-- 05 -- 07 L"],
        hues(0x1000, "00 01 02 03", 0) | hues(0x1004, "05 07", 1), [(0x1000, 8)],
        "Write.TlastBeatWithSparseKeepCarriesItsOtherBytes", "bytes = 6, no error: the beat has TLAST")
