"""Fuzz tests of every parser: the result is a value that survives a round trip, or our own error.

Inputs are random text, random text from the parser's alphabet, and valid texts with pieces cut out,
doubled, swapped or replaced. The last kind finds the most. `make nightly ONLY=fuzz` runs many more
inputs.
"""

import functools
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shutbox import Choose, Dice, at, find
from shutbox.engine.errors import ShutboxError
from shutbox.engine.seats import read_seats
from shutbox.engine.typed_text import parse_name, read_numbers, write_name, write_numbers
from shutbox.games.box import BOXES
from shutbox.match import Format
from shutbox.table.lookup import find_position

GOOD: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "fuzz.toml").read_text(encoding="utf-8")
)["parsers"]
"""Valid texts of each parser, by its name here, and places at which a choice is due."""


@functools.cache
def _piece() -> st.SearchStrategy[str]:
    return st.one_of(
        st.text(max_size=6),
        st.text("0123456789.-+/:()=,x bdh#", max_size=6),
        st.sampled_from(["0", "-1", "1-999", "99999999999", "9x99", "\x00", "²", "١", " ", "\n"]),
    )


@st.composite
def spoilt(draw: st.DrawFn, good: list[str]) -> str:
    """A good text with up to three pieces replaced, or any text at all."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.text())
    text = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 5)))
        middle = draw(st.one_of(st.just(text[start:end] * 2), _piece()))
        text = text[:start] + middle + text[end:]
    return text


def dice(text: str) -> None:
    read = Dice.parse(text)
    assert Dice.parse(str(read)) == read


def roll(text: str) -> None:
    two = Dice.parse("2d6+1d20")
    assert two.read(str(two.read(text))) == two.read(text)


def numbers(text: str) -> None:
    assert read_numbers(write_numbers(read_numbers(text))) == read_numbers(text)


def name(text: str) -> None:
    base, options = parse_name(text)
    assert parse_name(write_name(base, options)) == (base, options)


def game(text: str) -> None:
    found = find(text)
    assert find(found.name).name == found.name


def position(text: str) -> None:
    found, place = find_position(text)
    assert find_position(at(found, place).text)[1] == place
    found.awaits(place)
    found.scene(place)


def choice(text: str) -> None:
    for place in GOOD["places"]:
        found, here = find_position(place.removesuffix("/"))
        try:
            chosen = found.parse_choice(here, text)
        except ShutboxError:
            continue
        awaited = found.awaits(here)
        assert isinstance(awaited, Choose)
        assert chosen in awaited.choices
        assert found.parse_choice(here, found.choice_text(chosen)) == chosen


def stanzas(text: str) -> None:
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except ValueError:
        return
    for _, variant in BOXES.read(document, "fuzz.toml").values():
        assert variant.tiles


def match_format(text: str) -> None:
    read = Format.parse(text)
    assert Format.parse(str(read)) == read


def seats(text: str) -> None:
    read = read_seats(text)
    assert read_seats(",".join(map(str, read))) == read


PARSERS = (dice, roll, numbers, name, game, position, choice, stanzas, match_format, seats)


@pytest.mark.parametrize("parse", PARSERS)
def test_no_error_but_ours(parse: Callable[[str], None], request: pytest.FixtureRequest) -> None:
    good = GOOD["name" if parse is game else parse.__name__]
    inputs = request.config.getoption("--fuzz")

    @settings(
        max_examples=inputs,
        database=None,
        derandomize=inputs < 1000,
        suppress_health_check=list(HealthCheck),
    )
    @given(spoilt(good))
    def run(text: str) -> None:
        with suppress(ShutboxError):
            parse(text)

    run()
