"""`shutbox compare`: strategies and players against best play, computed exactly."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from shutbox.analysis.strategy.compare import compare as compared
from shutbox.analysis.strategy.compare import comparison_lines
from shutbox.analysis.strategy.compare import sheet as sheet_made
from shutbox.analysis.strategy.fixed import kind_of
from shutbox.analysis.strategy.following import NAMES, AnyPlayer, check_player
from shutbox.bots import bot
from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer
from shutbox.english import shown, visible
from shutbox.errors import NotUnderstood, ShutboxError
from shutbox.game import Game
from shutbox.lookup import find_any
from shutbox.messages import gettext


def add_compare(parser: Parser) -> None:
    """Add the arguments of `shutbox compare`."""
    add_shared(parser, "game", "--aim")
    about = gettext(
        "compare this player instead of all fixed ways to play; can be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed, or your "
        "own class or function, such as mine:BothDice. The characters pip, nell, hobbs, odette and "
        "abacus are players, too"
    )
    parser.add_argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    add_switch(parser, "--sheet", gettext("also a strategy that fits on one sheet of paper"))
    add_shared(parser, "--anyway", "--json")
    parser.runs(compare, "classic", "full-house --player most --sheet")


def compare(arguments: argparse.Namespace) -> None:
    """Print each strategy's value, best first, or each `--player`; `--sheet` adds one on paper."""
    game = find_any(arguments.game)
    # The spelling of `play --players` is understood, too: computer:fewest.
    names = [text.removeprefix("computer:") for text in arguments.player]
    players = {name: _player(name) for name in names}
    progress = ProgressLine(gettext("Comparing strategies for {game}", game=game.name))
    found = compared(
        game,
        arguments.aim,
        players=players or None,
        sheet=arguments.sheet,
        anyway=arguments.anyway,
        progress=progress,
    )
    answer(arguments, comparison_lines(found, game.card(), sheet=arguments.sheet), found.report)


def add_sheet(parser: Parser) -> None:
    """Add the arguments of `shutbox sheet`."""
    add_shared(parser, "game", "--aim")
    parser.runs(sheet, "classic", "cargo --aim shut")


def sheet(arguments: argparse.Namespace) -> None:
    """Print a strategy that fits on one sheet of paper."""
    game = find_any(arguments.game)
    lines = (gettext("{title}.", title=game.card().title), *sheet_made(game, arguments.aim).lines)
    print(*map(visible, lines), sep="\n")


# The players of --player: a kind of computer player, or a class or function of the user's own


def _player(text: str) -> AnyPlayer:
    """Return the player of a text: `fewest`, `fixed:pub`, or `mine:BothDice` from mine.py.

    Raises NotUnderstood if a module or player is missing or broken, BadName for an unknown kind.
    """
    if kind_of(text) in NAMES:
        return text
    module, colon, name = text.rpartition(":")
    if not colon or module in ("fixed", "random"):
        return bot(text)
    found = getattr(_module(module, text), name, None)
    if found is None:
        raise NotUnderstood(
            "--player: there is no {name} in {module}", name=shown(name), module=shown(module)
        )
    return _Own(found, text)


def _module(module: str, text: str) -> Any:
    """Import a user's module, `mine` or `./mine.py`. Raises NotUnderstood, which quotes `text`."""
    path = Path(module)
    name = path.stem if path.suffix == ".py" else module
    folder = str(path.parent.resolve()) if path.suffix == ".py" else str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        return import_module(name)
    except ShutboxError:
        raise
    except Exception as error:
        raise NotUnderstood(
            "--player: {text} cannot be imported: {reason}", text=shown(text), reason=_reason(error)
        ) from error
    finally:
        sys.path.remove(folder)


class _Own:
    """A player of the user's own; errors become NotUnderstood, in one sentence; refusals pass."""

    def __init__(self, found: Any, text: str) -> None:
        self.__name__ = text
        player = self._safely(found) if isinstance(found, type) else found
        self._safely(check_player, player)
        self.deterministic = getattr(player, "deterministic", True)
        self.uniform = getattr(player, "uniform", False)
        self._pick = getattr(player, "pick", player)

    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        """Return the player's choice. Raises its refusals; other errors become NotUnderstood."""
        return self._safely(self._pick, game, position, choices)

    def _safely(self, call: Any, *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except ShutboxError:
            raise
        except Exception as error:
            raise NotUnderstood(
                "{player} is broken: {reason}", player=self.__name__, reason=_reason(error)
            ) from error


def _reason(error: Exception) -> str:
    """Return the error in one line, with the place that raised it unless that is in this file."""
    text = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    *_, last = extract_tb(error.__traceback__)
    if last.filename == __file__ or not Path(last.filename).is_file():
        return text
    facts = {"line": last.lineno, "file": Path(last.filename).name}
    return gettext("{reason} (line {line} of {file})", reason=text, **facts)
