"""`shutbox compare`: strategies and players against best play, computed exactly."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from traceback import extract_tb

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import ProgressLine, answer
from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.match import full_title
from shutbox.solving.comparison import compare as compared
from shutbox.solving.comparison import comparison_lines
from shutbox.solving.strategy.following import sheet as sheet_made
from shutbox.table.bots import KINDS, AnyPlayer, kinds
from shutbox.table.lookup import find_any


def compare_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox compare`."""
    add_shared(parser, "game", "--aim")
    about = gettext(
        "compare this player instead of all fixed ways to play; can be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed, or your "
        "own class or function, such as mine:BothDice. The characters pip, nell, hobbs, odette and "
        "abacus are players, too"
    )
    parser.add_argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    add_shared(parser, "--anyway", "--json")
    parser.runs(compare, "classic", "full-house --player most --player sheet")


def compare(arguments: argparse.Namespace) -> None:
    """Print the value of each strategy, or of each `--player`, best first.

    Raises NotUnderstood if code of the user's own cannot be imported, or fails.
    """
    game = find_any(arguments.game)
    # The spelling of `play --players` is understood, too: computer:fewest.
    names = [text.removeprefix("computer:") for text in arguments.player]
    progress = ProgressLine(gettext("Comparing strategies for {game}", game=full_title(game)))
    try:
        players = {name: _player(name) for name in names}
        found = compared(
            *(game, arguments.aim),
            players=players or None,
            anyway=arguments.anyway,
            progress=progress,
        )
    except ShutboxError:
        raise
    except (Exception, SystemExit) as error:
        if not names:
            raise
        raise NotUnderstood("--player: {reason}", reason=_reason(error)) from error
    answer(arguments, comparison_lines(found, game.card()), found.report)


def _reason(error: BaseException) -> str:
    """Return the error of a user's own player in one line, with its place in the user's code."""
    text = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    *_, last = extract_tb(error.__traceback__)
    file = Path(last.filename)
    if Path(__file__).parents[1] in file.parents or not file.is_file():
        return text
    return gettext(
        "{reason} (line {line} of {file})", reason=text, line=last.lineno, file=file.name
    )


def _player(text: str) -> AnyPlayer:
    """Return the player of a text: `mine:BothDice` from mine.py, or a name as in `shutbox.bot`.

    Raises NotUnderstood for a name that is not in the module, and any error of the user's code.
    """
    module, _, name = text.rpartition(":")
    if not module or module in KINDS or module in kinds(module):
        return text
    path = Path(module)  # `mine` or `./mine.py`
    in_file = path.suffix == ".py"
    folder = str(path.parent.resolve() if in_file else Path.cwd())
    sys.path.insert(0, folder)
    try:
        player = getattr(import_module(path.stem if in_file else module), name, None)
    finally:
        sys.path.remove(folder)
    if player is None:
        raise NotUnderstood(
            "--player: there is no {name} in {module}", name=shown(name), module=shown(module)
        )
    made: AnyPlayer = player() if isinstance(player, type) else player
    return made


def sheet_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox sheet`."""
    add_shared(parser, "game", "--aim")
    parser.runs(sheet, "classic", "full-house --aim shut")


def sheet(arguments: argparse.Namespace) -> None:
    """Print a strategy that fits on one sheet of paper."""
    game = find_any(arguments.game)
    title = gettext("{title}.", title=game.card().title)
    answer(arguments, [title, *sheet_made(game, arguments.aim).lines])
