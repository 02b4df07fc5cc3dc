"""docs/data.md: the output of `--json` has the documented shapes."""

import argparse
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Any

import pytest
from starlette.testclient import TestClient

from commands import ran
from listing import assert_none
from people import Person
from records import header
from shutbox.cli.commands import arguments_parser
from shutbox.engine.names import default_names
from shutbox.engine.seats import Seat
from shutbox.record import to_bytes
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

pytest.importorskip("numpy", reason="NumPy is not installed: make tools")

PAGE = Path(__file__).parents[2] / "docs" / "data.md"
RECORDS = Path(__file__).parents[1] / "data" / "records"
KEPT = ("classic", "match", "cargo", "high-roll", "out-of-order", "tray")
"""Records that are games 1 to 6 of the user."""
TORN = f"'{RECORDS / 'torn.shutbox'}'"
RACE = "covered(tiles=1-3,dice=1d4)[seats=2,target=12,end=stop]"

RUNS = {
    "shutbox games": ("games",),
    "shutbox rules": ("rules pub", "rules tray"),
    "shutbox legal": tuple(f"legal classic:{at}" for at in ("1-9", "1.5.9/1+5", "1.5.9/2+2")),
    "shutbox games --mine": ("games --mine",),
    "shutbox check": (
        *("check 1", "check 2", "check 5", "check 7", f"check {TORN}"),
        f"check '{RECORDS / 'sealed.shutbox'}'",
    ),
    "shutbox stats": ("stats",),
    "shutbox review of one record": ("review 1", "review 2", "review 5", "review 7"),
    "shutbox review of several records, or of a player": (
        "review",
        f"review {TORN} {TORN}x 6",
    ),
    "shutbox odds of a game": ("odds six", "odds six --exact", "odds classic:1.5.9/2+2"),
    "shutbox odds of a match": ("odds six --seats 2", "odds six --format stake=1 --exact"),
    "shutbox advise": (
        "advise six:6/6",
        "advise 'six[seats=2,rounds=2,limit=40]:1;0;0;0,0;t0;1.2.3.4.5.6/3'",
        f"advise '{RACE}:1;0;0;0,0;t0;1.2.3/3'",
    ),
    "shutbox fair": ("fair six", "fair 'six[seats=2,rounds=2]'"),
    "shutbox compare": ("compare six",),
    "Shape refusal": ("rules nonsense", "odds tray", "review 99"),
}


@cache
def shapes() -> dict[str, Any]:
    """The shapes of the page, by what stands above each."""
    parts = PAGE.read_text(encoding="utf-8").split("\n\n")
    return {
        above.split(":")[0].replace("`", ""): json.loads(
            part[len("```json") :].rpartition("```")[0]
        )
        for above, part in pairwise(parts)
        if part.startswith("```json")
    }


def check(name: str, value: object) -> None:
    """Fail with every place where a value is not as the page says."""
    assert_none(faults(shapes(), shapes()[name], value, name))


def faults(known: dict[str, Any], shape: Any, value: Any, at: str) -> Iterator[str]:
    match shape:
        case str():
            by_kind = [[*faults_of_kind(known, kind, value, at)] for kind in kinds_of(shape)]
            if all(by_kind):
                yield from (one for each in by_kind for one in each)
        case [one]:
            if not isinstance(value, list):
                yield f"{at}: {value!r} is no list"
                return
            for each in value:
                yield from faults(known, one, each, f"{at} []")
        case dict() if not isinstance(value, dict):
            yield f"{at}: {value!r} is no object"
        case dict():
            for field, kind in (told := fields(known, shape)).items():
                name = field.removesuffix("?")
                if name in value:
                    yield from faults(known, kind, value[name], f"{at} {name}")
                elif name == field != "*":
                    yield f"{at}: there is no {name}"
            for name in value.keys() - {field.removesuffix("?") for field in told}:
                if "*" in told:
                    yield from faults(known, told["*"], value[name], f"{at} *")
                else:
                    yield f"{at}: the page has no {name}"


def fields(known: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """The fields of an object, with those of the shape that it goes on with."""
    found = {name: kind for name, kind in shape.items() if name != "..."}
    return found | (fields(known, known[f"Shape {shape['...']}"]) if "..." in shape else {})


def faults_of_kind(known: dict[str, Any], kind: str, value: Any, at: str) -> Iterator[str]:
    if f"Shape {kind}" in known:
        yield from faults(known, known[f"Shape {kind}"], value, f"Shape {kind}")
    elif kind.startswith("["):
        yield from faults(known, [kind[1:-1]], value, at)
    elif not _is(kind, value):
        yield f"{at}: {value!r} is not {kind}"


def kinds_of(text: str) -> list[str]:
    """The kinds that a text names."""
    return re.split(r" \| (?![^\[]*\])", text)


TYPES: dict[str, Any] = {
    "text": str,
    "integer": int,
    "number": int | float,
    "boolean": bool,
    "null": NoneType,
    "anything": object,
}


def _is(kind: str, value: Any) -> bool:
    if kind == "fraction":
        return isinstance(value, str) and bool(re.fullmatch(r"-?[0-9]+(/[0-9]+)?", value))
    is_truth = isinstance(value, bool) and kind in ("integer", "number")
    return isinstance(value, TYPES[kind]) and not is_truth


def no_number(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


def answer(command: str) -> Any:
    """What a command prints; its exit code fits."""
    done = ran(*shlex.split(command), "--json")
    value = json.loads(done.out, parse_constant=no_number)
    damaged = isinstance(value, dict) and (value.get("sound") is False or value.get("faults"))
    refused = isinstance(value, dict) and "error" in value
    assert done.code == int(bool(damaged or refused))
    if refused:
        assert done.err == f"shutbox: {value['error']['message']}\n"
    return value


@pytest.mark.usefixtures("pig")
def test_what_commands_print_has_the_shapes_of_the_page(tmp_path: Path) -> None:
    keep_games()
    for name, commands in RUNS.items():
        for command in commands:
            check(name, answer(command))
    hosts(tmp_path)


def keep_games() -> None:
    """Those of KEPT, and games in which what is rare has happened."""
    store = Store()
    store.folder.mkdir(parents=True, exist_ok=True)
    for id, name in enumerate(KEPT, start=1):
        shutil.copy(RECORDS / f"{name}.shutbox", store.path(id))
    about = header("classic", *map(Seat, default_names(3)), format="rounds=9")
    store.path(len(KEPT) + 1).write_bytes(to_bytes(about, game_of(about), []))
    store.path(len(KEPT) + 2).write_bytes(b"nonsense")


def hosts(folder: Path) -> None:
    """Run those for hosts."""
    file = folder / "tables.db"
    settings = Settings(database=f"sqlite:///{file}")

    def run(words: str) -> None:
        name = f"shutbox admin {words.split()[0]}"
        check(name, answer(f"admin {words} --database {settings.database}"))

    with TestClient(app_of(Server(settings, Database(settings.database)))) as client:
        ann = Person(client)
        opened = ann.open(game="classic")["view"]
        room = opened["room"]
        ann.step(room, opened["table"])
        to = folder / "games"
        for words in ("list", f"export {room} --to {to}", f"link {room}", f"close {room}"):
            run(words)
        run(f"delete {room} --yes")


def with_json(parser: argparse.ArgumentParser, name: str = "shutbox") -> Iterator[str]:
    """The commands that take --json."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, command in action.choices.items():
                yield from with_json(command, f"{name} {word}")
        elif "--json" in action.option_strings:
            yield name


def test_every_command_that_takes_json_is_on_the_page() -> None:
    told = {re.split(" of | --", name)[0] for name in shapes() if name.startswith("shutbox")}
    assert told == set(with_json(arguments_parser().fill_all()))
