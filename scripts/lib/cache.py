"""What passed before with the same inputs, kept outside the repository: an empty cache only costs time.

A key is a digest of all that a step reads: sources, includes, options, tests, tools. A file a key, under
$TESSERA_CACHE, $XDG_CACHE_HOME/tessera or ~/.cache/tessera; entries that nobody has read for a month go.
"""

import functools
import hashlib
import json
import os
import shutil
import time
from pathlib import Path

import repo

KEPT_DAYS = 30


def folder():
    if given := os.environ.get("TESSERA_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tessera"


def digest(*parts):
    """Of anything that JSON can say; a path stands for its contents."""
    def text(part):
        return [str(part), hashlib.sha256(part.read_bytes()).hexdigest()] if isinstance(part, Path) else str(part)

    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=text).encode()).hexdigest()


@functools.cache
def version(tool):
    """A program by what it is: a script of .venv by the version of its package, another one by its path and size."""
    path = Path(shutil.which(tool) or repo.tool(tool)).resolve()
    if repo.VENV.resolve() in path.parents:
        packages = sorted(entry.name for entry in repo.VENV.resolve().glob("lib/*/site-packages/*.dist-info"))
        return [tool, packages]
    return [tool, str(path), path.stat().st_size]


def tracked(*folders):
    """A digest of all tracked files of these folders, changed ones as they are now."""
    return digest([repo.ROOT / name for name in repo.tracked(*folders)])


class Cache:
    """The verdicts of one kind of step."""

    def __init__(self, kind, use=True):
        self.root, self.use = folder() / kind, use
        self._tidy()

    def path(self, key):
        return self.root / key[:2] / f"{key}.json"

    def get(self, key):
        """What was put under the key, or None."""
        path = self.path(key)
        try:
            value = json.loads(path.read_text())
            os.utime(path)
        except (OSError, ValueError):
            return None
        return value if self.use else None

    def put(self, key, value):
        """A cache that cannot be written costs time, and is no failure."""
        path = self.path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}-{time.monotonic_ns()}")
            part.write_text(json.dumps(value))
            part.replace(path)
        except OSError:
            pass

    def _tidy(self):
        """Once a day."""
        stamp = self.root / "tidied"
        now = time.time()
        try:
            if stamp.exists() and now - stamp.stat().st_mtime < 86400:
                return
            self.root.mkdir(parents=True, exist_ok=True)
            stamp.touch()
            for path in self.root.glob("??/*"):
                if now - path.stat().st_mtime > 86400 * KEPT_DAYS:
                    path.unlink(missing_ok=True)
        except OSError:
            pass
