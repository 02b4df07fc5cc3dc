"""Fuzz tests of every parser: the result is a value that survives a round trip, or our own error.

Inputs are random text, random text from the parser's alphabet, and valid texts with pieces cut out,
doubled, swapped or replaced. The last kind finds the most. `make nightly ONLY=fuzz` runs many more
inputs.
"""

import functools
import tomllib
from collections.abc import Callable
from contextlib import suppress
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
from shutbox.table.lookup import find_any, find_position

NAMES = (
    "classic",
    "classic(fewer=must-top)",
    "two-dice(tiles=1-10,behind=10-1,down=1.3,dice=3d4,fewer=may-any,cover=sum2)",
    "two-dice(first=2,stop_first=4,stop_on=7.11,score=covered,weights=2x9)",
    "cargo(dice=8d6,rolls=3,hold=each)",
    "tray(dice=2d6+1d20)",
    "./mine.toml#id",
)
POSITIONS = (
    "classic:1.5.9/2+2",
    "classic:-",
    "classic:-/3+5",
    "classic(fewer=may-any):1-9/2d",
    "double-shutter:1.2.b9/1",
    "cargo(hold=each):6.5.4/2/6/2d",
    "cargo:6/4/1+2+2+4+5",
    "tray:d6-3.d6-5h.d20-17",
    "tray:d6.d6/2d",
)
STANZAS = (
    '[mine]\ntitle = "Mine"\ntiles = "1-9"\ndice = "2d6"\nfewer = "may-top"\ncover = "sum"\n',
    "[a]\ntiles = [1, 3, 5]\ndown = 3\nstop_on = [7, 11]\nweights = [1, 2, 3]\n[b]\nscore = 5\n",
)
CHOICES = ("1 7", "7,1", "7+1", "17", "one die", "2 dice", "b3 4", "accept", "throw 1 3", "hold 5")
FORMATS = (
    "rounds=5,shut=wins,begins=high-roll,stake=1",
    "target=200,end=stop,ties=throw-off",
    "wins=2,rounds=3,ties=throw-off",
    "limit=45,stake=3,bonus=2,purse=20.5.20",
    "until=shut,order=rotate,begins=2,ties=carry",
    "turns=throw,stuck=passes,shut=doubles",
)
MATCHES = (
    "pub",
    "pub(fewer=must-top)[seats=3]",
    "classic[seats=12,rounds=5]",
    "cargo(hold=each)[stake=1,bonus=0]",
    "family[seats=4,rounds=2]",
)
MATCH_POSITIONS = (
    "classic[seats=3,rounds=5]:2;0;0;12=7,0,30;t1;1.5.9/2+2",
    "lucky-seven[seats=2,stake=1,purse=4]:1;1;2;0~3,0=0*~3;t0;7/1+1",
    "covered[seats=2,target=60,begins=high-roll]:1;0;0;0,0;start;0.1;1;3+5",
    "cargo[seats=2,rounds=3,stake=2]:1;0;0;0~40,0~40;open;1",
    "classic[seats=3,limit=45]:2;0;0;50o,40s,0l;won;1",
    "six[seats=2,wins=2]:2;0;0;1=7,0;t1;1-6",
    "family[seats=3]:1;0;0;0=27[8.9.10],0[2.5.9],0[1.7];t1;2.5.9/1+6",
    "head-to-head[seats=3]:1;0;0;0[5-9],0[2.6.7/3+6],0[1.4/3+6];t1.0;2.6.7/3+6",
    "first-to-shut[seats=2]:1;0;0;0[9.10],0[3.5.8]p;t0;9.10/2+4",
)
SEATS = ("Ann,Bob,computer", "Robo=computer:most, Ann", "computer,computer:fixed:7")
PLACES = (
    "classic/",
    "classic:1-9/3+5",
    "classic:1.2.3",
    "full-house:1-12/6+6",
    "double-shutter:1.2.3.b9.b8.b7.b5/4+5",
    "thai-style:1-9/3+4",
    "cargo(hold=each):6.5.4/2/1+3+3",
    "tray:d6-3.d6-3h.d20-17",
)


@functools.cache
def _piece() -> st.SearchStrategy[str]:
    return st.one_of(
        st.text(max_size=6),
        st.text("0123456789.-+/:()=,x bdh#", max_size=6),
        st.sampled_from(["0", "-1", "1-999", "99999999999", "9x99", "\x00", "²", "١", " ", "\n"]),
    )


@st.composite
def spoilt(draw: st.DrawFn, good: tuple[str, ...]) -> str:
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
    for place in PLACES:
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


def match(text: str) -> None:
    found = find_any(text)
    assert find_any(found.name).name == found.name


def match_position(text: str) -> None:
    found, place = find_position(text)
    assert find_position(at(found, place).text)[1] == place
    found.awaits(place)
    found.scene(place)


def seats(text: str) -> None:
    read = read_seats(text)
    assert read_seats(",".join(map(str, read))) == read


PARSERS: list[tuple[Callable[[str], None], tuple[str, ...]]] = [
    (dice, ("2d6", "d20", "2d6+1d20")),
    (roll, ("3+5+17", "3 5 17", "3,5,17", "666")),
    (numbers, ("1-9", "1.3.5", "9-1", "2x9.1x9", "-")),
    (name, NAMES),
    (game, NAMES),
    (position, POSITIONS),
    (choice, CHOICES),
    (stanzas, STANZAS),
    (match_format, FORMATS),
    (match, MATCHES),
    (match_position, MATCH_POSITIONS),
    (seats, SEATS),
]


@pytest.mark.parametrize(("parse", "good"), PARSERS, ids=[parse.__name__ for parse, _ in PARSERS])
def test_no_error_but_ours(
    parse: Callable[[str], None], good: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
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
