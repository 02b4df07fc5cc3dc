"""Solutions kept in files: equal to the last digit, and checked before use."""

import pickle
from pathlib import Path
from typing import Any

import pytest

import shutbox
from records import positions
from shutbox.engine.dice import Roll
from shutbox.engine.game import Choose, Game, Scoring
from shutbox.games.box.rules import BoxPosition
from shutbox.solving import MEAN, SHUT, Aim, beat, solvers
from shutbox.solving.advice.adviser import Adviser, Coach, advice_is_stored
from shutbox.solving.box import solver as box_solver
from shutbox.solving.box.solver import StoredSolution
from shutbox.solving.equity import last_round
from shutbox.solving.equity.last_round import Answers
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve, solve_once
from shutbox.table.lookup import find_any, match_of

BOXES = (
    "classic(tiles=1-9,dice=3d4)",
    "full-house(tiles=1-11)",
    "classic(tiles=1-10,dice=2d6,score=digits)",
    "classic(tiles=1-10,fewer=may-top)",
)
MATCHES = ("three-to-go[seats=2]", "pub(tiles=1-6)[seats=3]", "six[seats=3,begins=high-roll]")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "files"
    monkeypatch.setenv("SHUTBOX_CACHE", str(folder))
    monkeypatch.setattr(solvers, "LONG", 0.0)
    monkeypatch.setattr(last_round, "LONG", 0.0)
    return folder


@pytest.mark.parametrize("aim", [MEAN, SHUT])
@pytest.mark.parametrize("name", BOXES)
def test_a_file_says_what_the_solver_says(files: Path, name: str, aim: Any) -> None:
    game = shutbox.find(name)
    found, solved = solve_once(game, aim), solve(game, aim=aim)
    assert isinstance(found, StoredSolution)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for here in positions(game, plays=6):
        said = found.value(here), found.shut(here), found.ends(here)
        assert said == (solved.value(here), solved.shut(here), solved.ends(here))
        assert again.value(here) == said[0]
        if isinstance(game.awaits(here), Choose):
            assert found.best(here) == solved.best(here)
    assert found.chances(game.start()) == solved.chances(game.start())


@pytest.mark.parametrize("aim", [MEAN, SHUT, beat(8, Scoring(best=0, worst=45))])
@pytest.mark.parametrize("at", ["1-9", "1-9/2+3+4", "2.4.7", "2.4.7/1+1+2"])
def test_odds_are_read_from_a_file(
    files: Path, at: str, aim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shutbox.find(BOXES[0])
    here = game.position_at(at)
    truth = odds_of(solve(game, here, aim), here)
    assert odds_of(solve_once(game, aim, position=here), here) == truth
    monkeypatch.setattr(box_solver, "GraphSolution", None)
    assert odds_of(solve_once(game, aim, position=here), here) == truth


def test_every_question_has_a_file_of_its_own(files: Path) -> None:
    names = [BOXES[0], "classic(tiles=1-9,dice=3d4,fewer=must-top)", "classic(tiles=1-8,dice=3d4)"]
    for name in names:
        game = shutbox.find(name)
        for aim in (MEAN, SHUT):
            for here in (game.start(), game.position_at("1.2.3")):
                solve_once(game, aim, position=here)
    assert len(list(files.iterdir())) == 12
    # One aim is not taken for another of its name.
    mine = Aim("mean", lambda over: 1, lambda scoring, seat: True)
    assert not isinstance(solve_once(game, mine), StoredSolution)


def test_a_position_that_cannot_come_up_is_refused(files: Path) -> None:
    game = shutbox.find("classic(tiles=1-6,dice=3d6)")
    found, solved = solve_once(game), solve(game)
    places = [BoxPosition(up) for up in range(1 << 7)]
    assert [found.holds(here) for here in places] == [solved.holds(here) for here in places]


def hints(game: Game[Any, Any]) -> list[object]:
    coach = Coach(game)
    places = positions(game)
    return [(coach.hint(here, "explained"), coach.best(here, "explained")) for here in places]


@pytest.mark.parametrize("name", [*BOXES[:2], *MATCHES])
def test_hints_are_the_same_from_a_file(
    files: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_any(name)
    monkeypatch.setenv("SHUTBOX_CACHE", str(files.parent / "others"))
    anew = hints(game)
    monkeypatch.setenv("SHUTBOX_CACHE", str(files))
    assert not advice_is_stored(game)
    assert hints(game) == anew
    assert advice_is_stored(game)
    # From here on nothing is worked out.
    monkeypatch.setattr(box_solver, "GraphSolution", None)
    monkeypatch.setattr(Answers, "_chances_of", None)
    assert hints(game) == anew


def test_without_a_folder_everything_is_worked_out(files: Path) -> None:
    files.write_text("in the way")
    game = shutbox.find(BOXES[0])
    assert solve_once(game).value() == solve(game).value()
    assert not advice_is_stored(game)


def test_what_takes_a_moment_and_several_rounds_have_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHUTBOX_CACHE", str(tmp_path / "files"))
    for name in ("six", "cargo", "classic"):
        solve_once(shutbox.find(name))
    match = match_of("six", ["Ann", "Bob"], "rounds=2")
    hints(match)
    assert not advice_is_stored(match)
    assert not (tmp_path / "files").exists()


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
    outlook = Answers(match).outlook()
    Answers(match).load(make=True)
    monkeypatch.setattr(Answers, "_chances_of", None)
    read = Answers(match)
    read.load(make=False)
    assert read.outlook() == outlook
