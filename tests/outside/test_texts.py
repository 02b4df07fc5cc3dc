"""Texts, as people write them into a program, in every argument of the library that may be one."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox import Dice, Over, Roll, ShutboxError
from shutbox.engine.cups import HandCup, NumberedCup, ScriptCup, SecretCup, SeededCup
from shutbox.engine.english import safe_text
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import Play, TookBack
from shutbox.games.box import Variant
from shutbox.games.cargo import Hold
from shutbox.match import Format
from shutbox.record import Source
from shutbox.record.folder import Store
from shutbox.solving import MEAN, ExactSolver
from shutbox.table.lookup import match_of
from test_public import DOCUMENTED

TEXTS = (
    *("six", "Six", "1-6", "1-6/5", "six:1-6/5", "classic:1.5.9", "pub", "-", "6", "-1", "half"),
    *("2d6", "3+5", "3 5", "1 5", "shut", "mean", "beat:8", "rounds=5", "hobbs", "Ann", "Ann, Bob"),
    *("", " ", "٣", "9" * 5000, "x" * 5000, "'", "a\nb", "no such thing", "{x}", "%s", "🎲"),
)
ODD = (None, 10**5000, -1, 0.5)
"""What programs pass on to the functions that compute, unlooked at."""
WRONG: tuple[Any, ...] = (None, 7, -1.5, b"six", [], {}, object(), Over, ("six", "1.2"))
"""What is neither a game, a position, a choice, a player, nor a cup."""
EXTRAS = all(map(find_spec, ("gymnasium", "pettingzoo")))  # what shutbox.rl needs
SIX = shutbox.find("six")
MATCH = match_of("six", 2, "rounds=1")
GIVEN: dict[str, Any] = {
    **dict.fromkeys(("game", "place", "text", "prefix", "name", "title", "scoring"), "six"),
    **dict.fromkeys(("position", "id", "question"), "1-6/5"),
    "match": MATCH, "seats": 2, "format": "rounds=2", "players": 2, "player": "hobbs", "names": [],
    "aim": "mean", "target": 3, "cup": 7, "seed": "7", "turns": 10, "kind": "hobbs", "base": "",
    "dice": Dice.parse("1d6"), "roll": Roll((5,)), "offered": "5", "shown": None, "rolls": ["5"],
    "pips": (1, 2), "sides": (6,), "choice": "5", "event": TookBack(), "answer": "buy",
    "seat": 0, "log": (), "record": Path("none"), "path": Path("none.toml"), "folder": None,
    "start": None, "tiles": (1, 2), "hold": Hold.EACH, "scene": SIX.scene(SIX.start()), "after": 0,
    "source": Source(), "variant": Variant(),
}  # fmt: skip
"""A sound value for every parameter that may be a text, by its name."""
OTHERS = {
    *("place", "after", "value_at", "shut_at", "turn_ends_at", "ending_chance"),
    *("ending", "of", "pick"),
    *("register", "register_bot", "bots_of", "purses", "baselines", "GraphSolution"),
    "ConformanceError",
}
"""Names of what takes a solver's numbers, turns or lists of seats, or changes the catalogue."""


def named() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in DOCUMENTED:
        module, _, last = name.rpartition(".")
        if last not in OTHERS and (EXTRAS or not module.startswith("shutbox.rl")):
            found = getattr(import_module(module), last)
            if callable(found) and not getattr(found, "_is_protocol", False):
                yield name, found


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    table = shutbox.Table("six", "pub", bots={0: "fewest"})
    while not isinstance(table.awaits, Over):
        _ = table.bot_chooses() if isinstance(table.awaits, shutbox.Choose) else table.throw()
    solved = shutbox.solve("six")
    made = [
        *(SIX, shutbox.find("classic"), shutbox.find("cargo"), shutbox.find("tray"), MATCH),
        *(shutbox.Table("six"), Play(SIX), Narrator(SIX, ["Ann"]), Store(Path("none"))),
        *(SecretCup(), SeededCup("1"), NumberedCup("1")),
        *(ScriptCup(["5"]), HandCup(), Dice.parse("1d6"), Format()),
        *(
            solved,
            shutbox.solve("six", exact=True),
            solved.options("1-6/5"),
            ExactSolver(SIX, MEAN),
        ),
        *(shutbox.odds("six"), shutbox.advise("six:1-6/5"), shutbox.practice("six")),
        *(shutbox.practice("six").draw(7), shutbox.sheet("six"), shutbox.evaluate("six", "hobbs")),
        *(shutbox.compare("six"), shutbox.simulate("six", turns=10), shutbox.review(table)),
    ]
    if EXTRAS:
        made += shutbox.equity("six[seats=2,rounds=2]"), shutbox.rl.Encoder("six")
    for found in made:
        for name, _ in inspect.getmembers(type(found), callable):
            if not name.startswith("_") and name not in OTHERS:
                yield f"{type(found).__name__}.{name}", getattr(found, name)


def faults(label: str, call: Callable[..., Any]) -> Iterator[str]:
    kinds = inspect.Parameter
    parameters = inspect.signature(call).parameters.values()
    given = {one.name: GIVEN.get(one.name, one.default) for one in parameters}
    if kinds.empty in given.values():
        return  # it takes an object that no text stands for
    alone = [one.name for one in parameters if one.kind is kinds.KEYWORD_ONLY]
    for name in given.keys() & GIVEN.keys():
        computes = call.__module__.startswith(("shutbox.solving", "shutbox.rl"))
        is_public = label == f"shutbox.{call.__name__}" and name != "folder"
        for text in TEXTS + ODD * computes + WRONG * is_public:
            values = {**given, name: text}
            try:
                found = call(
                    *(value for key, value in values.items() if key not in alone),
                    **{key: values[key] for key in alone},
                )
                safe_text(list(islice(found, 3)) if inspect.isgenerator(found) else found)
            except ShutboxError as error:
                if not str(error):
                    yield f"{label}({name}={safe_text(text)[:20]}) is refused without a word"
            except Exception as error:
                yield f"{label}({name}={safe_text(text)[:20]}): {error!r}"
                break


def test_a_text_is_read_or_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    found = [fault for one in (*named(), *methods()) for fault in faults(*one)]
    assert not found, "\n".join(found)
