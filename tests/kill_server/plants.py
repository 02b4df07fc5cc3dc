"""Servers with a bug in them, which the tests have to find."""

import textwrap
from pathlib import Path

_RUN = """
import sys
from shutbox.cli.main import main
sys.exit(main(["serve", *sys.argv[1:]]))
"""

EARLY = """
from shutbox.web.storage import group_commit
keep = group_commit.GroupCommit._keep_together
waiting = []
def early(self, taken):
    if any(batch.opens for batch, _ in taken):  # nobody comes to a room that is not kept
        return keep(self, taken)
    for _, future in taken:
        group_commit._tell(future, None)
    waiting.append(taken)
    if len(waiting) > 4:
        keep(self, waiting.pop(0))
group_commit.GroupCommit._keep_together = early
"""
"""An answer is given before the commit, which comes four answers later."""

FORGETFUL = """
from dataclasses import replace
from shutbox.web.storage import log
batch = log.batch_of
log.batch_of = lambda addition: batch(replace(addition, key=None))
"""
"""Which action led to an event is not kept."""


def planted(folder: Path, code: str) -> str:
    """A script that serves with a bug; its path."""
    path = folder / "planted.py"
    path.write_text(textwrap.dedent(code) + _RUN, encoding="utf-8")
    return str(path)
