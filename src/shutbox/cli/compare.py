"""`shutbox compare`: strategies and players against best play, computed exactly."""

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from shutbox.analysis.strategy.compare import Comparison, Strength
from shutbox.analysis.strategy.compare import compare as compared
from shutbox.analysis.strategy.following import NAMES, AnyPlayer, check_player
from shutbox.analysis.wording import aim_words, cost_only, cost_words, worth_words
from shutbox.bots import bot
from shutbox.cli.output import ProgressLine, answer
from shutbox.cli.parser import Parser, add_shared, add_switch
from shutbox.english import percent, shown
from shutbox.errors import NotUnderstood, ShutboxError
from shutbox.game import Game, RuleCard
from shutbox.lookup import find_any
from shutbox.messages import gettext


def add_compare(parser: Parser) -> None:
    """Add the arguments of `shutbox compare`."""
    add_shared(parser, "game", "--aim")
    about = gettext(
        "compare this player instead of all fixed ways to play; can be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed, or your "
        "own class or function, such as mine:BothDice"
    )
    parser.add_argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    add_switch(parser, "--sheet", gettext("also a strategy that fits on one sheet of paper"))
    add_shared(parser, "--anyway", "--json")
    parser.runs(compare, "compare classic", "compare full-house --player most --sheet")


def compare(arguments: argparse.Namespace) -> None:
    """Print each strategy's value, best first; `--sheet` adds one that fits on a sheet of paper."""
    game = find_any(arguments.game)
    # The spelling of `play --players` is understood, too: computer:fewest.
    names = [text.removeprefix("computer:") for text in arguments.player]
    players = {name: _player(name) for name in names}
    told = ProgressLine(gettext("Comparing strategies for {game}", game=game.name))
    found = compared(
        game,
        arguments.aim,
        players=players or None,
        sheet=arguments.sheet,
        anyway=arguments.anyway,
        progress=told,
    )
    answer(arguments, _lines(found, game.card(), sheet=arguments.sheet), found.report)


def _lines(found: Comparison, card: RuleCard, *, sheet: bool) -> Iterator[str]:
    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(found.aim, card))
    worth = gettext("; ").join(_worth(found.best, found.aim, card))
    yield gettext("best: {worth}.", worth=worth)
    yield from (_line(way, found.aim, card) for way in found.ways)
    if found.sheet is not None:
        yield gettext("The sheet:")
        yield from found.sheet.lines
        if loss := found.way("sheet").loss:
            costs = cost_words(found.aim, loss, card)
            yield gettext("It costs {costs}, exactly {exact}.", costs=costs, exact=loss)
        else:
            yield gettext("It costs nothing.")
    elif sheet:
        yield gettext("There is no sheet for this game; boxes and Cargo have one.")


def _line(way: Strength, aim: str, card: RuleCard) -> str:
    worth, *more = _worth(way, aim, card)
    if not way.loss:
        worth = gettext("{worth}, as good as best play", worth=worth)
    else:
        loss = cost_only(aim, way.loss)
        worth = gettext("{worth}, {loss} worse than best play", worth=worth, loss=loss)
        more.append(gettext("loses {loss} per decision", loss=cost_only(aim, way.per_decision)))
    return gettext("{way}: {worth}.", way=way.way, worth=gettext("; ").join([worth, *more]))


def _worth(way: Strength, aim: str, card: RuleCard) -> list[str]:
    worth = worth_words(aim, way.value, card)
    if aim in ("shut", "worst-shut"):
        return [worth]
    return [worth, gettext("{shuts} {chance}", shuts=card.shuts, chance=percent(way.shut))]


# The players of --player: a kind of computer player, or a class or function of the user's own


def _player(text: str) -> AnyPlayer:
    """Return the player of a text: `fewest`, `fixed:pub`, or `mine:BothDice` from mine.py.

    Raises NotUnderstood for a missing module or name in it, and BadName for an unknown kind.
    """
    if text in NAMES:
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
    """Import a module of the user's: `mine`, or the file `./mine.py`. Raises NotUnderstood."""
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
    """A player of the user's own, whose exceptions become a NotUnderstood of one sentence."""

    def __init__(self, found: Any, text: str) -> None:
        self.__name__ = text
        self._safely(check_player, found)
        player = self._safely(found) if isinstance(found, type) else found
        self.deterministic = getattr(player, "deterministic", True)
        self.uniform = getattr(player, "uniform", False)
        self._pick = getattr(player, "pick", player)

    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        """Return the player's choice."""
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
    """Return the error in one line, and the line and file that raised it unless it is this one."""
    said = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    *_, last = extract_tb(error.__traceback__)
    if last.filename == __file__ or not Path(last.filename).is_file():
        return said
    return gettext(
        "{reason} (line {line} of {file})",
        reason=said,
        line=last.lineno,
        file=Path(last.filename).name,
    )
