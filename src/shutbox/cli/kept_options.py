"""How a game was played, `--throw ask` and the like, kept beside its record for when it goes on.

A record says what happened and nothing else; this is a small file next to it, which may be lost or
damaged without harm. What is said on the command line goes before it.
"""

import argparse
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from shutbox.cli.arguments import HINTS, PACES, THROWS
from shutbox.cli.hearing_arguments import LENGTHS

ENDING = ".options"  # in place of that of the record

_DEFAULTS: Mapping[str, str | bool | None] = {
    "throw": None,
    "hints": "explained",
    "coach": False,
    "pace": None,
    "length": "normal",
}
_ALLOWED: Mapping[str, tuple[object, ...]] = {
    "throw": THROWS,
    "hints": HINTS,
    "coach": (True,),
    "pace": PACES,
    "length": LENGTHS,
}


def keep_options(record: Path, arguments: argparse.Namespace) -> None:
    """Write down what is unlike the defaults, if anything is and the disk takes it."""
    path = record.with_suffix(ENDING)
    said = {name: getattr(arguments, name, None) for name in _DEFAULTS}
    unlike = {name: value for name, value in said.items() if value in _ALLOWED[name]}
    unlike = {name: value for name, value in unlike.items() if value != _DEFAULTS[name]}
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
        known = name in _DEFAULTS and value in _ALLOWED[name]
        if known and getattr(arguments, name, None) == _DEFAULTS[name]:
            setattr(merged, name, value)
    return merged
