"""Players whom the command line names: a kind of computer player, or a class of the user's own."""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from shutbox.analysis.strategy.following import NAMES, AnyPlayer, check_player
from shutbox.bots import bot
from shutbox.english import shown
from shutbox.errors import NotUnderstood, ShutboxError
from shutbox.game import Game
from shutbox.messages import gettext


def players_named(texts: Sequence[str]) -> dict[str, AnyPlayer]:
    """Players by their texts, such as `fewest`, `fixed:pub`, or `mine:BothDice` of a file mine.py.

    A kind may be written as it is where players sit down to a game: `computer:fewest`.

    Raises NotUnderstood for a module or a name that is not there, and BadName for a kind.
    """
    names = (text.removeprefix("computer:") for text in texts)
    return {name: _player(name) for name in names}


def _player(text: str) -> AnyPlayer:
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
    """A module of the user's: `mine`, or the file `./mine.py`."""
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
            "--player: {text} cannot be imported: {reason}",
            text=shown(text),
            reason=_reason(error),
        ) from error
    finally:
        sys.path.remove(folder)


class _Own:
    """A player of the user's own, whose mistakes are told in one sentence."""

    def __init__(self, found: Any, text: str) -> None:
        self.__name__ = text
        self._safely(check_player, found)
        player = self._safely(found) if isinstance(found, type) else found
        self.deterministic = getattr(player, "deterministic", True)
        self.uniform = getattr(player, "uniform", False)
        self._pick = getattr(player, "pick", player)

    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        """What the player takes."""
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
    """What went wrong, and the last line of code that was run, if it is a file of the user's."""
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
