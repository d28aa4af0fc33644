"""Which designed faults were noticed, in which source, by what: tests/mutation/noticed.json."""

import functools
import hashlib
import json

import mutants
import repo

FILE = "tests/mutation/noticed.json"


class Noticed:
    """The file of a repository; what it says of a fault that the catalogue no longer holds goes when it is written."""

    def __init__(self, root=repo.ROOT):
        self.root, self.path = root, root / FILE
        self.faults = json.loads(self.path.read_text()) if self.path.exists() else {}

    @functools.cache
    def source(self, path):
        return repo.code(self.root / path)

    @functools.cached_property
    def catalogued(self):
        """(source, name) of every fault of the catalogue."""
        return {(fault.path, fault.code) for fault in mutants.catalogue(self.root)[0]}

    def digest(self, fault):
        source = self.source(fault.path)
        return hashlib.sha256(f"{source}\0{fault.before}\0{fault.after}".encode()).hexdigest()[:16]

    def holds(self, fault):
        return self.faults.get(fault.path, {}).get(fault.code, {}).get("source") == self.digest(fault)

    def orphans(self):
        """(source, name) of what the catalogue does not hold."""
        return [(path, name) for path, entries in self.faults.items() for name in entries
                if (path, name) not in self.catalogued]

    def note(self, fault, killed, why):
        entries = self.faults.setdefault(fault.path, {})
        if killed:
            entries[fault.code] = {"source": self.digest(fault), "by": why}
        else:
            entries.pop(fault.code, None)
        self.write()

    def write(self):
        for path, name in self.orphans():
            del self.faults[path][name]
        self.faults = {path: dict(sorted(of.items())) for path, of in sorted(self.faults.items()) if of}
        repo.write_whole(self.path, json.dumps(self.faults, indent=1, ensure_ascii=False) + "\n")
