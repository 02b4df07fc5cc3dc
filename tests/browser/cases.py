"""Which cases the browser tests play: a few by default, and every one with `make nightly`."""

from collections.abc import Iterable
from typing import TypeVar

from nightly import EVERY
from shutbox import catalogue
from shutbox.match import presets

Case = TypeVar("Case")

GAMES = [entry.name for entry in catalogue()]
SOME_GAMES = ("classic", "double-shutter", "2012", "win-at-three", "the-300", "cargo")
"""A box, two rows of tiles, one die of twenty sides, a score that shuts, many tiles, dice alone."""
SOME_PRESETS = ("pub", "race-200", "markers-five", "cargo-night")
"""Chips, a race, markers, and dice alone."""


def cases(some: Iterable[Case], others: Iterable[Case]) -> list[Case]:
    """Return some cases, or all if every case is tested."""
    some = list(some)
    return [*some, *(case for case in others if case not in some)] if EVERY else some


def games() -> list[str]:
    return cases(SOME_GAMES, (game for game in GAMES if game != "tray"))


def matches() -> list[str]:
    return cases(SOME_PRESETS, presets())
