"""Keeping a game while it is played: its record, and beside it how it was played.

A record says what happened and nothing else. `--throw ask` and the like are a small file next to
it, which may be lost or damaged without harm.
"""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from shutbox.cli.consoles import HINTS, LENGTHS, THROWS
from shutbox.english import capital, shown
from shutbox.errors import NotKept
from shutbox.messages import gettext, gettext_noop
from shutbox.play import Prepared
from shutbox.store import Journal, named
from shutbox.term import Console
from shutbox.term.keys import PACES

RESUME = "SHUTBOX_RESUME"  # says what resumes a game, where it is not by our name
NOT_KEPT = gettext_noop("The game is played, and is not kept.")
OPTIONS = ".options"  # in place of that of the record

_OPTIONS: Mapping[str, tuple[object, Sequence[object]]] = {
    "throw": (None, THROWS),
    "hints": ("explained", HINTS),
    "coach": (False, (True,)),
    "pace": (None, tuple(PACES)),
    "length": ("normal", LENGTHS),
}
"""Each with its default, and with what is kept where it is another."""


class Keeping:
    """Hands events to a journal. Where nothing can be kept at all, the game is played without.

    If the disk refuses later, the player is asked: what was kept must not be lost unnoticed.
    """

    def __init__(self, console: Console, journal: Journal | None) -> None:
        self.console = console
        self.journal = journal

    def keep(self, prepared: Prepared[Any, Any]) -> None:
        """Keep an event before it happens. Raises Stopped if the player gives up."""
        while self.journal is not None:
            try:
                self.journal.keep(prepared.number, prepared.seat, prepared.event)
                return
            except NotKept as error:
                self.console.refuse(error)
                self._go_on(self.journal)

    def _go_on(self, journal: Journal) -> None:
        if journal.path is None:
            self.console.say(gettext(NOT_KEPT))
            self.journal = None
            return
        ask = gettext("Enter tries again, no goes on without keeping, end stops:")
        while answer := self.console.answer(ask):
            if answer.lower() == "no":
                self.close(over=False)
                return
            self.console.say(gettext("{text} is not understood.", text=shown(answer)))

    def close(self, *, over: bool) -> None:
        """Let go of the record; where the game is not over, say how it goes on."""
        journal, self.journal = self.journal, None
        if journal is not None:
            journal.close()
        if over or journal is None or journal.path is None:
            return
        which = named(journal.path if journal.id is None else journal.id)
        if not journal.path.exists():
            self.console.say(gettext("{record} is no longer on the disk.", record=capital(which)))
            return
        again = os.environ.get(RESUME, f"shutbox resume {journal.id or journal.path}")
        facts = {"record": which, "command": again}
        self.console.say(gettext("It is kept as {record}; {command} goes on with it.", **facts))


def keep_options(record: Path, arguments: argparse.Namespace) -> None:
    """Write down what is unlike the defaults, if anything is and the disk takes it."""
    path = record.with_suffix(OPTIONS)
    unlike = {
        name: value
        for name, (default, known) in _OPTIONS.items()
        if (value := getattr(arguments, name, None)) != default and value in known
    }
    with suppress(OSError):
        if unlike:
            path.write_text(json.dumps(unlike), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


def forget_options(record: Path) -> None:
    """Remove them: the game is over."""
    with suppress(OSError):
        record.with_suffix(OPTIONS).unlink(missing_ok=True)


def with_kept_options(record: Path, arguments: argparse.Namespace) -> argparse.Namespace:
    """The arguments, with what was kept in place of those that are not given.

    What is said on the command line goes before it.
    """
    kept: object = None
    with suppress(OSError, ValueError):
        kept = json.loads(record.with_suffix(OPTIONS).read_text(encoding="utf-8"))
    merged = argparse.Namespace(**vars(arguments))
    for name, value in kept.items() if isinstance(kept, dict) else ():
        default, known = _OPTIONS.get(name, (None, ()))
        if value in known and getattr(arguments, name, None) == default:
            setattr(merged, name, value)
    return merged
