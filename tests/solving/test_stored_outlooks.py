"""The outlooks of a last round kept in files: equal to the last digit."""

from pathlib import Path
from typing import Any

import pytest

from records import positions
from shutbox.engine.dice import Roll
from shutbox.engine.game import Game
from shutbox.solving.advice.adviser import Adviser, advice_is_stored
from shutbox.solving.advice.coach import Coach
from shutbox.solving.equity import last_round
from shutbox.solving.equity.last_round import LastRound
from shutbox.table.lookup import find_any, match_of

MATCHES = ("three-to-go[seats=2]", "pub(tiles=1-6)[seats=3]", "six[seats=3,begins=high-roll]")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "files"
    monkeypatch.setenv("SHUTBOX_CACHE", str(folder))
    monkeypatch.setattr(last_round, "LONG", 0.0)
    return folder


def hints(game: Game[Any, Any]) -> list[object]:
    coach = Coach(game)
    places = positions(game)
    return [(coach.hint(here, "explained"), coach.best(here, "explained")) for here in places]


@pytest.mark.parametrize("name", MATCHES)
def test_hints_are_the_same_from_a_file(
    files: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_any(name)
    monkeypatch.setenv("SHUTBOX_CACHE", str(files.parent / "others"))
    computed = hints(game)
    monkeypatch.setenv("SHUTBOX_CACHE", str(files))
    assert not advice_is_stored(game)
    assert hints(game) == computed
    assert advice_is_stored(game)
    monkeypatch.setattr(LastRound, "_chances_of_ends", None)  # from here on nothing is worked out
    assert hints(game) == computed


def test_games_and_matches_of_several_rounds_have_no_file(files: Path) -> None:
    match = match_of("six", ["Ann", "Bob"], "rounds=2")
    for game in (match.game, match):
        hints(game)
        assert not advice_is_stored(game)
    assert not files.exists()


def test_what_a_later_turn_needs_makes_no_file(files: Path) -> None:
    match = match_of("six", ["Ann", "Bob"])
    Adviser(match).advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    assert not advice_is_stored(match)
    Adviser(match).advise(match.rolled(match.start(), Roll((3,))))
    assert advice_is_stored(match)


def test_outlooks_from_a_file_have_their_chips(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of("six", ["Ann", "Bob"], "stake=1")
    outlook = LastRound(match).outlook()
    LastRound(match).load(make=True)
    monkeypatch.setattr(LastRound, "_chances_of_ends", None)
    read = LastRound(match)
    read.load(make=False)
    assert read.outlook() == outlook
