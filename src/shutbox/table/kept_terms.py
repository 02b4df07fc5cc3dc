"""The terms of games that people keep under a name of their own, such as Friday.

They are one small file in the folder of records: a JSON object by name. A file that cannot be read
is left as it is.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import BadName, NotKept, ShutboxError
from shutbox.engine.messages import gettext
from shutbox.engine.seats import read_name
from shutbox.engine.typed_text import ENDING_WORDS, plain_title
from shutbox.record.durable_file import make_folder, open_regular, sync_folder, why
from shutbox.record.folder import data_folder
from shutbox.table.characters import read_players
from shutbox.table.lookup import games_by_title
from shutbox.table.setup import Terms

FILE = "terms"  # the name of the file
MOST = 20  # names


def kept_terms() -> dict[str, Terms]:
    """Return the terms kept by this user, by name, oldest first, without those that cannot play.

    Raises NotKept if the file cannot be read.
    """
    kept = dict[str, Terms]()
    for name, stored in _read().items():
        with suppress(ShutboxError, TypeError, ValueError, KeyError, AttributeError):
            seats = read_players(stored["players"])
            terms = Terms(seats, stored["game"], dict(stored["atoms"]), bool(stored["by_hand"]))
            terms.find_game()
            kept[name] = terms
    return kept


def terms_kept_as(name: str) -> Terms | None:
    """Return the terms that this user keeps under a name, in capitals or not, or None.

    A file that cannot be read counts as empty.
    """
    with suppress(NotKept):
        return next((t for n, t in kept_terms().items() if n.casefold() == name.casefold()), None)
    return None


def keep(name: str, terms: Terms) -> str:
    """Store terms under a name, in place of those it has; return the clean name.

    Raises BadName for no name, for that of a game, for a word that ends one, and for one too many;
    NotKept if the disk refuses.
    """
    name = read_name(name)
    taken = name.isdecimal() or name.casefold() in ENDING_WORDS
    if taken or plain_title(name) in games_by_title():
        raise BadName("{name} means something already; choose another name", name=shown(name))
    stored = {
        "players": ",".join(map(str, terms.seats)),
        "game": terms.game,
        "atoms": dict(terms.atoms),
        "by_hand": terms.by_hand,
    }
    others = _without(name, _read())
    if len(others) >= MOST:
        raise BadName("at most {most} names are kept; forget one of them first", most=MOST)
    _write({**others, name: stored})
    return name


def forget(name: str) -> None:
    """Remove the terms under a name. Raises BadName if there are none, NotKept as `keep` does."""
    before = _read()
    after = _without(name, before)
    if len(after) == len(before):
        raise BadName("{name}: nothing has this name", name=shown(name))
    _write(after)


def _without(name: str, stored: dict[str, Any]) -> dict[str, Any]:
    return {other: terms for other, terms in stored.items() if other.casefold() != name.casefold()}


def _path() -> Path:
    return data_folder() / FILE


def _read() -> dict[str, Any]:
    reason = gettext("it is not what this program wrote")
    try:
        with os.fdopen(open_regular(_path()), encoding="utf-8") as file:
            stored = json.load(file)
        if isinstance(stored, dict):
            return stored
    except FileNotFoundError:
        return {}
    except OSError as error:
        reason = why(error)
    except (ValueError, RecursionError):
        pass
    raise NotKept("{path} cannot be read: {reason}", path=_path(), reason=reason)


def _write(stored: dict[str, Any]) -> None:
    path = _path()
    new = path.with_name(f"{FILE}.new")
    try:
        make_folder(path.parent)
        with new.open("w", encoding="utf-8") as file:
            json.dump(stored, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        facts = {"path": path, "reason": why(error)}
        raise NotKept("{path} cannot be written to: {reason}", **facts) from error
