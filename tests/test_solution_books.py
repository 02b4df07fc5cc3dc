"""Solutions saved in books: equal to the last digit, and checked before use."""

import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox.analysis.advice.adviser import Adviser, Coach, advice_is_stored
from shutbox.analysis.equity import last_round
from shutbox.analysis.equity.last_round import Answers
from shutbox.analysis.odds import odds_of
from shutbox.analysis.solvers import select
from shutbox.analysis.solvers.select import solve, solve_once
from shutbox.boxes import solver as box_solver
from shutbox.boxes.solver import BookSolution
from shutbox.dice import Roll
from shutbox.game import Choose, Game, Over, Scoring, Throw
from shutbox.games.box.rules import BoxPosition
from shutbox.lookup import find_any, match_of
from shutbox.solver import MEAN, SHUT, Aim, beat

BOXES = (
    "classic(tiles=1-9,dice=3d4)",
    "full-house(tiles=1-11)",
    "classic(tiles=1-10,dice=2d6,score=digits)",
    "classic(tiles=1-10,fewer=may-top)",
)
MATCHES = ("three-to-go[seats=2]", "pub(tiles=1-6)[seats=3]", "six[seats=3,begins=high-roll]")


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "books"
    monkeypatch.setenv("SHUTBOX_CACHE", str(folder))
    monkeypatch.setattr(select, "LONG", 0.0)
    monkeypatch.setattr(last_round, "LONG", 0.0)
    return folder


def played(game: Game[Any, Any], seed: str) -> Iterator[Any]:
    """The positions of a play at random."""
    chance, here = random.Random(seed), game.start()
    while not isinstance(awaited := game.awaits(here), Over):
        yield here
        if isinstance(awaited, Throw):
            here = game.rolled(here, chance.choice([roll for roll, _ in awaited.dice.outcomes()]))
        else:
            here = game.chosen(here, chance.choice(awaited.choices))
    yield here


@pytest.mark.parametrize("aim", [MEAN, SHUT])
@pytest.mark.parametrize("name", BOXES)
def test_a_book_says_what_the_solver_says(books: Path, name: str, aim: Any) -> None:
    game = shutbox.find(name)
    found, solved = solve_once(game, aim), solve(game, aim=aim)
    assert isinstance(found, BookSolution)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for here in (place for seed in "abcdef" for place in played(game, seed)):
        said = found.value(here), found.shut(here), found.ends(here)
        assert said == (solved.value(here), solved.shut(here), solved.ends(here))
        assert again.value(here) == said[0]
        if isinstance(game.awaits(here), Choose):
            assert found.best(here) == solved.best(here)
    assert found.chances(game.start()) == solved.chances(game.start())


@pytest.mark.parametrize("aim", [MEAN, SHUT, beat(8, Scoring(best=0, worst=45))])
@pytest.mark.parametrize("at", ["1-9", "1-9/2+3+4", "2.4.7", "2.4.7/1+1+2"])
def test_odds_are_read_from_a_book(
    books: Path, at: str, aim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shutbox.find(BOXES[0])
    here = game.position_at(at)
    truth = odds_of(solve(game, here, aim), here)
    assert odds_of(solve_once(game, aim, position=here), here) == truth
    monkeypatch.setattr(box_solver, "GraphSolution", None)
    assert odds_of(solve_once(game, aim, position=here), here) == truth


def test_every_question_has_a_book_of_its_own(books: Path) -> None:
    names = [BOXES[0], "classic(tiles=1-9,dice=3d4,fewer=must-top)", "classic(tiles=1-8,dice=3d4)"]
    for name in names:
        game = shutbox.find(name)
        for aim in (MEAN, SHUT):
            for here in (game.start(), game.position_at("1.2.3")):
                solve_once(game, aim, position=here)
    assert len(list(books.iterdir())) == 12
    # One aim is not taken for another of its name.
    mine = Aim("mean", lambda over: 1, lambda scoring, seat: True)
    assert not isinstance(solve_once(game, mine), BookSolution)


def test_a_position_that_cannot_come_up_is_refused(books: Path) -> None:
    game = shutbox.find("classic(tiles=1-6,dice=3d6)")
    found, solved = solve_once(game), solve(game)
    places = [BoxPosition(up) for up in range(1 << 7)]
    assert [found.holds(here) for here in places] == [solved.holds(here) for here in places]
    nowhere = next(here for here in places if not found.holds(here))
    with pytest.raises(ValueError, match="cannot come up"):
        found.value(nowhere)


def hints(game: Game[Any, Any]) -> list[object]:
    coach = Coach(game)
    places = [here for seed in "abc" for here in played(game, seed)]
    return [(coach.hint(here, "explained"), coach.best(here, "explained")) for here in places]


@pytest.mark.parametrize("name", [*BOXES[:2], *MATCHES])
def test_hints_are_the_same_from_a_book(
    books: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_any(name)
    monkeypatch.setenv("SHUTBOX_CACHE", str(books.parent / "others"))
    anew = hints(game)
    monkeypatch.setenv("SHUTBOX_CACHE", str(books))
    assert not advice_is_stored(game)
    assert hints(game) == anew
    # Where a throw decides who begins, nobody knows whether the book has it all.
    assert advice_is_stored(game) != ("high-roll" in name)
    # From here on nothing is worked out.
    monkeypatch.setattr(box_solver, "GraphSolution", None)
    monkeypatch.setattr(Answers, "_chances_of", None)
    assert hints(game) == anew


@pytest.mark.parametrize("name", [BOXES[0], MATCHES[0]])
def test_a_damaged_book_is_made_anew(books: Path, name: str) -> None:
    game = find_any(name)
    anew = hints(game)
    [book] = books.iterdir()
    whole = book.read_bytes()
    for place in (0, 9, len(whole) // 3, len(whole) - 1):
        damaged = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        book.write_bytes(damaged)
        assert hints(game) == anew
        assert book.read_bytes() == whole
    book.write_bytes(whole[: len(whole) // 2])
    assert hints(game) == anew


def test_without_a_folder_everything_is_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SHUTBOX_CACHE", str(tmp_path / "file"))
    game = shutbox.find("full-house")
    found = solve_once(game)
    assert not isinstance(found, BookSolution)
    assert found.value(game.start()) == solve(game).value(game.start())
    assert not advice_is_stored(game)


def test_what_takes_a_moment_has_no_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHUTBOX_CACHE", str(tmp_path / "books"))
    for name in ("six", "cargo", "classic"):
        solve_once(shutbox.find(name))
    assert not (tmp_path / "books").exists()


def test_a_match_of_several_rounds_is_not_kept(books: Path) -> None:
    match = match_of("six", ["Ann", "Bob"], "rounds=2")
    list(hints(match))
    assert not advice_is_stored(match)


def test_what_a_later_turn_needed_is_no_book_yet(books: Path) -> None:
    match = match_of("six", ["Ann", "Bob"])
    later = match.position_at("1;0;0;0=9,0;t1;1-6/3")
    Adviser(match).advise(later)
    assert not advice_is_stored(match)
    first = match.rolled(match.start(), Roll((3,)))
    Adviser(match).advise(first)
    assert advice_is_stored(match)
