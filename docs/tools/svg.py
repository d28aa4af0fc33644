"""A small SVG canvas: shapes and text on a card with a background of its own, so that a picture reads
the same on a light and on a dark page."""

from html import escape

INK = "#1f2933"
SOFT = "#5b6873"
LINE = "#9aa5b1"
PALE = "#e4e8ec"
CARD = "#fbfcfd"
# Fills for parts that belong together, told apart also in grey.
HUES = ["#bcd7f5", "#fbd9a5", "#c4e5c0", "#e6c8ee", "#f6c2bd", "#c2e7ea", "#e3dcb0", "#d3d6f6"]
FILL = "#ffffff"


class Canvas:
    def __init__(self, title, margin=14):
        self.title = title
        self.margin = margin
        self.parts = []
        self.left = 0
        self.right = 0
        self.bottom = 0

    def _reach(self, x, y):
        self.right = max(self.right, x)
        self.bottom = max(self.bottom, y)

    def rect(self, x, y, w, h, fill=FILL, stroke=LINE, radius=0, dash=None, width=1):
        extra = f' rx="{radius}"' if radius else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{width:g}"{extra}/>')
        self._reach(x + w, y + h)
        self.left = min(self.left, x)

    def text(self, x, y, text, size=12, anchor="start", colour=INK, mono=False, bold=False,
             italic=False):
        style = ' class="m"' if mono else ""
        style += ' font-weight="600"' if bold else ""
        style += ' font-style="italic"' if italic else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
            f'fill="{colour}"{style}>{escape(str(text))}</text>')
        width = len(str(text)) * size * (0.61 if mono else 0.54)
        self._reach(x + {"start": width, "middle": width / 2, "end": 0}[anchor], y + 3)

    def line(self, points, colour=LINE, width=1.2, arrow=False, dash=None):
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        extra = ' marker-end="url(#a)"' if arrow else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{extra}/>')
        for x, y in points:
            self._reach(x, y)

    def polygon(self, points, fill, stroke=LINE):
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polygon points="{path}" fill="{fill}" stroke="{stroke}"/>')
        for x, y in points:
            self._reach(x, y)

    def done(self, source):
        """The picture; `source` is the file it is made from."""
        m = self.margin
        w, h = round(self.right - self.left + 2 * m), round(self.bottom + 2 * m)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
            f'viewBox="0 0 {w} {h}" role="img">\n'
            f"<!-- Made from {source} by docs/tools/pictures. -->\n"
            f"<title>{escape(self.title)}</title>\n"
            "<style>text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif}"
            ".m{font-family:ui-monospace,'DejaVu Sans Mono',Consolas,monospace}</style>\n"
            '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            f'markerHeight="8" orient="auto"><path d="M0,0.5 L8,4 L0,7.5 z" fill="{SOFT}"/>'
            "</marker></defs>\n"
            f'<rect x="0.5" y="0.5" width="{w - 1}" height="{h - 1}" rx="6" fill="{CARD}" '
            f'stroke="{PALE}"/>\n'
            f'<g transform="translate({m - self.left:g},{m})">\n')
        return head + "\n".join(self.parts) + "\n</g>\n</svg>\n"
