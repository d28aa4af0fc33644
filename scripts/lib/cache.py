"""What passed before with the same inputs, outside the repository: $TESSERA_CACHE, $XDG_CACHE_HOME/tessera or ~/.cache/tessera."""

import json
import os
from pathlib import Path

import repo


class Cache:
    """Verdicts of one kind of step, a file each; a key stands for all that the step reads."""

    def __init__(self, kind):
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tessera"
        self.folder = Path(os.environ.get("TESSERA_CACHE") or base) / kind

    def path(self, key):
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key):
        """The verdict, or None."""
        try:
            return json.loads(self.path(key).read_text())
        except (OSError, ValueError):
            return None

    def put(self, key, verdict):
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        repo.write_whole(path, json.dumps(verdict) + "\n")
