"""Servers with deliberate bugs, which the tests must detect."""

import textwrap
from pathlib import Path

_RUN = """
import sys
from shutbox.cli.main import main
sys.exit(main(["serve", *sys.argv[1:]]))
"""

EARLY = """
from shutbox.web.storage import group_commit
keep = group_commit.GroupCommit._store_together
waiting = []
def early(self, taken):
    # Nobody comes to a room that is not kept, or throws with a seed that is not.
    seals = [getattr(writes[0], "keywords", {}).get("seal") for _, writes, _ in taken]
    if not all(seals) or any(len(writes) > 1 for _, writes, _ in taken):
        while waiting:
            keep(self, waiting.pop(0))
        return keep(self, taken)
    for _, _, future in taken:
        future.set_result(None)
    waiting.append([(room, writes, group_commit.Future()) for room, writes, _ in taken])
    if len(waiting) > 4:
        keep(self, waiting.pop(0))
group_commit.GroupCommit._store_together = early
"""
"""A server that replies before the commit, which comes four replies later."""

FORGETFUL = """
from shutbox.web.storage import log
rows = log._rows
log._rows = lambda room, change, at, key: rows(room, change, at, None)
"""
"""A server that does not store the action of an event."""


def planted(folder: Path, code: str) -> str:
    """Write a script of a server with a bug, and return its path."""
    path = folder / "planted.py"
    path.write_text(textwrap.dedent(code) + _RUN, encoding="utf-8")
    return str(path)
