"""Timing diagrams from what wave_dump wrote: one JSON file a scenario, pins of every cycle."""

import json

from svg import HUES, INK, LINE, PALE, SOFT, Canvas

CELL, ROW, TOP, LEFT = 54, 34, 46, 116
HIGH, LOW, SLOPE, LINE_STEP = 4, 24, 4, 11


def extra(signal):
    """What a row is higher than usual: words of several lines need it."""
    values = [v for v in signal["values"] if isinstance(v, list)]
    return max([v[0].count("\n") for v in values] + [0]) * LINE_STEP - (4 if values else 0)


def shortened(scenario):
    """Cycles that are drawn, as numbers; None for several in which nothing changes, with a count of them."""
    rows = [s["values"] for s in scenario["signals"] if s["kind"] != "gap"]
    columns, t = [], 0
    while t < scenario["cycles"]:
        end = t + 1
        while end < scenario["cycles"] and all(row[end] == row[t] for row in rows):
            end += 1
        run = list(range(t, end))
        columns += run if len(run) < 5 else [run[0], (run[1], len(run) - 2), run[-1]]
        t = end
    return columns


def draw(path):
    scenario = json.loads(path.read_text())
    columns = shortened(scenario)
    first = [c if isinstance(c, int) else c[0] for c in columns]  # the cycle whose values a column shows
    signals = [{**s, "values": [s["values"][t] for t in first] if s["kind"] != "gap" else []} for s in scenario["signals"]]
    cycles, place = len(columns), {t: n for n, t in enumerate(first)}
    c = Canvas(scenario["title"])
    c.text(0, 10, scenario["title"], 13, bold=True)
    width = LEFT + cycles * CELL
    bottom = TOP + sum(8 if s["kind"] == "gap" else ROW + extra(s) for s in signals)
    for t in range(cycles + 1):
        x = LEFT + t * CELL
        c.line([(x, TOP - 6), (x, bottom)], PALE)
        if t < cycles:
            column = columns[t]
            c.text(x + CELL / 2, TOP - 12, scenario["first"] + column if isinstance(column, int) else f"... {column[1]}", 10,
                   "middle", SOFT, mono=True)
            if not isinstance(column, int):
                c.rect(x, TOP - 6, CELL, bottom - TOP + 6, fill="#eef1f4", stroke="none")
    c.text(0, TOP - 12, "cycle", 10, colour=SOFT)
    y = TOP
    for signal in signals:
        if signal["kind"] == "gap":
            y += 8
            continue
        more = extra(signal)
        c.text(0, y + 18 + more / 2, signal["name"], 11.5, mono=True)
        if signal["kind"] == "bit":
            bits(c, y, signal["values"])
        else:
            words(c, y, signal["values"], LOW + more)
        y += ROW + more
    for n, mark in enumerate(scenario["marks"]):
        a, b = (LEFT + place[t] * CELL + CELL / 2 for t in (mark["from"], mark["to"]))
        line = bottom + 16 + n * 22
        for x in (a, b):
            c.line([(x, bottom - 4), (x, line)], HUES[0], 1, dash="3 2")
        c.line([(a, line), (b, line)], "#2f6db3", 1.4, arrow=True)
        c.text(b + 8, line + 4, f"{mark['text']}: {mark['to'] - mark['from']}", 11, colour="#2f6db3")
    c._reach(width, bottom)
    return c


def bits(c, y, values):
    points, level = [], None
    for t, value in enumerate(values):
        x, h = LEFT + t * CELL, y + (HIGH if value else LOW)
        points += [(x, h)] if level in (None, value) else [(x, y + (HIGH if level else LOW)),
                                                            (x + SLOPE, h)]
        points.append((x + CELL, h))
        if value:
            c.rect(x + (0 if level else SLOPE), y + HIGH, CELL - (0 if level else SLOPE), LOW - HIGH,
                   fill="#eaf2fb", stroke="none")
        level = value
    c.line(points, INK, 1.5)


def words(c, y, values, low):
    """Equal neighbours are one word; null is not valid; a value is [text, hue, number]."""
    t, middle = 0, y + (HIGH + low) / 2
    while t < len(values):
        end = t + 1
        while end < len(values) and values[end] == values[t]:
            end += 1
        a, b = LEFT + t * CELL, LEFT + end * CELL
        if values[t] is None:
            c.line([(a, middle), (b, middle)], LINE, 1.2)
        else:
            text, hue, _ = values[t]
            c.polygon([(a, middle), (a + SLOPE, y + HIGH), (b - SLOPE, y + HIGH), (b, middle),
                       (b - SLOPE, y + low), (a + SLOPE, y + low)], HUES[hue % len(HUES)], SOFT)
            lines = text.split("\n")
            for n, line in enumerate(lines):
                size = min(10.5, (b - a - 9) / (0.61 * max(1, len(line))))
                c.text((a + b) / 2, middle + 3.7 + (n - (len(lines) - 1) / 2) * LINE_STEP, line, size,
                       "middle", mono=True)
        t = end
