"""Block diagrams from text. A line each, words separated by ' | ':

  title | TEXT
  box   | NAME | COLUMN | ROW | TITLE | second line | third line      cells of 150 x 70; may be fractions
  port  | NAME | COLUMN | ROW | TEXT                                  a small box: pins
  group | COLUMN | ROW | COLUMNS | ROWS | TITLE                       a frame behind boxes
  arrow | FROM.SIDE | TO.SIDE | LABEL                                 SIDE: l r t b, or t25 = at 25 %
  note  | COLUMN | ROW | TEXT

Arrows run straight, or with one bend where the sides ask for one.
"""

from svg import HUES, INK, SOFT, Canvas

STEP_X, STEP_Y, WIDTH, HEIGHT = 176, 92, 146, 58
PORT_WIDTH, PORT_HEIGHT = 104, 24


def corner(column, row):
    return float(column) * STEP_X, 42 + float(row) * STEP_Y


def point(box, side):
    x, y, w, h = box
    share = float(side[1:]) / 100 if len(side) > 1 else 0.5
    return {"l": (x, y + h * share), "r": (x + w, y + h * share), "t": (x + w * share, y),
            "b": (x + w * share, y + h)}[side[0]]


def draw(path):
    c, boxes, later = None, {}, []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        kind, *rest = [part.strip() for part in line.split("|")]
        if kind == "title":
            c = Canvas(rest[0])
            c.text(0, 10, rest[0], 13, bold=True)
        elif kind == "group":
            x, y = corner(rest[0], rest[1])
            w, h = float(rest[2]) * STEP_X - 6, float(rest[3]) * STEP_Y - 6
            c.rect(x - 12, y - 20, w, h, fill="#f1f4f7", stroke="#d5dbe1", radius=6)
            c.text(x - 4, y - 6, rest[4], 11, colour=SOFT, bold=True)
        elif kind == "box":
            x, y = corner(rest[1], rest[2])
            boxes[rest[0]] = (x, y, WIDTH, HEIGHT)
            later.append((rest, x, y))
        elif kind == "port":
            x, y = corner(rest[1], rest[2])
            x, y = x + (WIDTH - PORT_WIDTH) / 2, y + (HEIGHT - PORT_HEIGHT) / 2
            boxes[rest[0]] = (x, y, PORT_WIDTH, PORT_HEIGHT)
            later.append((rest, x, y))
        elif kind == "arrow":
            start, end = (name.split(".") for name in rest[:2])
            a, b = point(boxes[start[0]], start[1]), point(boxes[end[0]], end[1])
            flat = [side[0] in "lr" for side in (start[1], end[1])]
            same = start[1][0] == end[1][0]
            if not same and (abs(a[0] - b[0]) < 1 or abs(a[1] - b[1]) < 1):
                points = [a, b]
            elif flat[0] != flat[1]:
                points = [a, (b[0], a[1]) if flat[0] else (a[0], b[1]), b]
            elif flat[0]:
                mid = (a[0] + b[0]) / 2
                points = [a, (mid, a[1]), (mid, b[1]), b]
            else:
                mid = (a[1] + b[1]) / 2
                if same:  # around below, or above
                    mid = max(a[1], b[1]) + 26 if end[1][0] == "b" else min(a[1], b[1]) - 26
                points = [a, (a[0], mid), (b[0], mid), b]
            later.append((points, rest[2] if len(rest) > 2 else ""))
        elif kind == "note":
            x, y = corner(rest[0], rest[1])
            later.append((rest[2], x, y, None))
        else:
            raise SystemExit(f"docs/tools/pictures: {path.name}: '{kind}' is no kind of line")
    for item in later:
        if len(item) == 2:
            points, label = item
            c.line(points, SOFT, 1.4, arrow=True)
            if label:
                (x0, y0), (x1, y1) = max(zip(points, points[1:]),
                                         key=lambda s: abs(s[0][0] - s[1][0]) + abs(s[0][1] - s[1][1]))
                if abs(y0 - y1) < 1:
                    c.text((x0 + x1) / 2, y0 - 4, label, 10, "middle", SOFT)
                else:
                    c.text(x0 + 5, (y0 + y1) / 2 + 3, label, 10, colour=SOFT)
        elif len(item) == 4:
            c.text(item[1], item[2], item[0], 11, colour=SOFT)
        else:
            rest, x, y = item
            if len(rest) == 4 and boxes[rest[0]][2] == PORT_WIDTH:
                c.rect(x, y, PORT_WIDTH, PORT_HEIGHT, fill=HUES[2], stroke="#6b7783", radius=12)
                c.text(x + PORT_WIDTH / 2, y + 16, rest[3], 11, "middle", INK)
                continue
            queue = rest[3].startswith("*")
            c.rect(x, y, WIDTH, HEIGHT, fill=HUES[1] if queue else "#ffffff", stroke="#6b7783", radius=4)
            c.text(x + WIDTH / 2, y + 19, rest[3].lstrip("*"), 12.5, "middle", INK, bold=True)
            for n, text in enumerate(rest[4:]):
                c.text(x + WIDTH / 2, y + 34 + n * 13, text, 10, "middle", SOFT)
    return c
