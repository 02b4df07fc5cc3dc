"""`shutbox verify-values`: solve every game of a file of values again, and compare."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from shutbox.analysis.value_file import Value, read_values, values_of, verify
from shutbox.cli.output import print_json
from shutbox.cli.parser import Parser, add_shared
from shutbox.english import shown, visible
from shutbox.errors import UnknownGame
from shutbox.messages import gettext, ngettext

MOST_SHOWN = 5  # different values of a game


def add_verify_values(parser: Parser) -> None:
    """Add the arguments of `shutbox verify-values`."""
    about = gettext("the file of values that goes with a release")
    parser.add_argument("file", type=Path, metavar="FILE", help=about)
    about = gettext("only this game; can be given several times")
    parser.add_argument("--game", action="append", default=[], metavar="GAME", help=about)
    add_shared(parser, "--json")
    parser.runs(verify_values, "verify-values values.json", "verify-values values.json --game six")


def verify_values(arguments: argparse.Namespace) -> int:
    """Print for each game whether its values agree. Return 1 if one does not."""
    games = read_values(arguments.file)
    for name in arguments.game:
        if name not in games:
            file = shown(str(arguments.file))
            raise UnknownGame("{file} has no values of {game}", file=file, game=shown(name))
    wrong = dict[str, int]()
    for name in arguments.game or games:
        found = verify(name, games[name])
        wrong[name] = len(found)
        if not arguments.json:  # line by line, since large games take a while
            for line in _lines(name, len(list(values_of(games[name]))), found):
                print(visible(line), flush=True)
    if arguments.json:
        print_json({"wrong": wrong})
    return int(any(wrong.values()))


def _lines(name: str, number: int, wrong: Sequence[tuple[Value, float | None]]) -> Iterator[str]:
    """Yield how many values of a game were compared and are wrong, and the first wrong ones."""
    yield ngettext(
        "{game}: {number:,} value, {wrong:,} of them wrong.",
        "{game}: {number:,} values, {wrong:,} of them wrong.",
        number,
        game=name,
        wrong=len(wrong),
    )
    for one, right in wrong[:MOST_SHOWN]:
        place = " ".join(filter(None, (f"{name}:{one.position}", one.choice)))
        facts = {"place": place, "aim": one.aim, "value": one.value}
        if right is None:
            yield gettext("  {place}, {aim}: no such position or choice", **facts)
        else:
            yield gettext("  {place}, {aim}: {value}, should be {right}", right=right, **facts)
