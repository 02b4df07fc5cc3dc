"""How a game was played, `--throw ask` and the like, kept beside its record for when it goes on.

A record says what happened and nothing else; this is a small file next to it, which may be lost or
damaged without harm. What is said on the command line goes before it.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from shutbox.cli.arguments import HINTS, PACES, THROWS
from shutbox.cli.hearing_arguments import LENGTHS

ENDING = ".options"  # in place of that of the record

_OPTIONS: Mapping[str, tuple[object, Sequence[object]]] = {
    "throw": (None, THROWS),
    "hints": ("explained", HINTS),
    "coach": (False, (True,)),
    "pace": (None, PACES),
    "length": ("normal", LENGTHS),
}
"""Each with its default, and with what is kept where it is another."""


def keep_options(record: Path, arguments: argparse.Namespace) -> None:
    """Write down what is unlike the defaults, if anything is and the disk takes it."""
    path = record.with_suffix(ENDING)
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
        record.with_suffix(ENDING).unlink(missing_ok=True)


def with_kept_options(record: Path, arguments: argparse.Namespace) -> argparse.Namespace:
    """The arguments, with what was kept in place of those that are not given."""
    kept: object = None
    with suppress(OSError, ValueError):
        kept = json.loads(record.with_suffix(ENDING).read_text(encoding="utf-8"))
    merged = argparse.Namespace(**vars(arguments))
    for name, value in kept.items() if isinstance(kept, dict) else ():
        default, known = _OPTIONS.get(name, (None, ()))
        if value in known and getattr(arguments, name, None) == default:
            setattr(merged, name, value)
    return merged
