"""The options that several commands have, each with its words."""

import argparse
from pathlib import Path

from shutbox.messages import gettext

Arguments = argparse._ActionsContainer
"""A command, or a group of its options."""


def add_switch(to: Arguments, name: str, about: str) -> None:
    """Add an option that is there or not."""
    to.add_argument(name, action="store_true", help=about)


def add_json(to: Arguments) -> None:
    """Add `--json`, for answers that programs read."""
    add_switch(to, "--json", gettext("print JSON for programs"))


def add_record(to: Arguments) -> None:
    """Add one record, as `find_record` reads it."""
    about = gettext("the number of a game of your own, or a file; without it, the newest")
    to.add_argument("record", nargs="?", metavar="RECORD", help=about)


def add_output(to: Arguments) -> None:
    """Add `--output`, the file for rows."""
    about = gettext("write to a file ending in .csv, .jsonl or .parquet")
    to.add_argument("-o", "--output", type=Path, metavar="FILE", help=about)


def add_player(to: Arguments) -> None:
    """Add `--player`, whom a sum is about."""
    to.add_argument("--player", metavar="NAME", help=gettext("only this player"))


def add_anyway(to: Arguments) -> None:
    """Add `--anyway`, which begins what would be refused for its cost."""
    add_switch(to, "--anyway", gettext("go ahead, however much time and memory it takes"))


def add_game(to: Arguments) -> None:
    """Add the game of one player that is solved."""
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"
    )
    to.add_argument("game", metavar="GAME", help=about)


def add_aim(to: Arguments, default: str | None = "mean") -> None:
    """Add `--aim`, what one player plays for."""
    about = gettext("mean, shut, worst-shut, or beat:T for a score to beat (default: mean)")
    to.add_argument("--aim", default=default, metavar="AIM", help=about)


def add_format(to: Arguments) -> None:
    """Add `--format`, how the turns of a game become a match."""
    about = gettext("how turns become a match, such as rounds=3 or shut=wins,stake=1")
    to.add_argument("--format", metavar="ATOMS", help=about)


def add_seats(to: Arguments) -> None:
    """Add `--seats`, how many play."""
    to.add_argument("--seats", type=int, metavar="N", help=gettext("for this many players in turn"))
