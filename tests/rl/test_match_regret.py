"""The loss of choices in a match, compared with the match itself played out in every way."""

from typing import Any

import pytest

from records import header, random_play
from shutbox import Choose, equity, find
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.play import Chosen, Play, TookBack
from shutbox.engine.seats import Seat
from shutbox.record import to_bytes
from shutbox.table.lookup import match_of
from truth import Everybody

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

from shutbox.rl import match_regret  # noqa: E402

NEAR = 1e-9
MATCHES = (
    ("classic(tiles=1-3,dice=2d2)", "rounds=2,shut=wins"),
    ("classic(tiles=1-3,dice=2d2)", "rounds=2,begins=high-roll"),
    ("covered(tiles=1-3,dice=1d4,fewer=never)", "target=7,end=stop"),
)


def lost(truth: Everybody, play: Play[Any, Any], seat: int) -> list[float]:
    """What the choices of a seat lost, by playing on from each of them every way."""
    found = []
    for step in play.steps:
        awaited = truth.match.awaits(step.before)
        if not isinstance(awaited, Choose) or awaited.seat != seat:
            continue
        hopes = [
            truth.hopes(truth.match.chosen(step.before, choice))[0][seat]
            for choice in awaited.choices
        ]
        found.append(float(max(hopes) - truth.hopes(step.after)[0][seat]))
    return found


@pytest.mark.parametrize(("game", "format"), MATCHES)
def test_every_choice_lost_what_playing_it_out_says(game: str, format: str) -> None:
    match = match_of(game, ["Ann", "Bob"], format)
    solved, truth = equity(match_of(game, ["Cy", "Dora"], format)), Everybody(match)
    sums = np.zeros(2)
    for seed in range(10):
        play = random_play(match, seed, 2000)
        found = match_regret(solved, play)
        for seat, regret in enumerate(found):
            wanted = lost(truth, play, seat)
            assert regret.costs.dtype == regret.visits.dtype == np.float64
            assert regret.costs.tolist() == pytest.approx(wanted, abs=NEAR)
            assert regret.visits.tolist() == [1.0] * len(wanted)
            assert regret.total == pytest.approx(sum(wanted), abs=NEAR)
            assert regret.per_step == pytest.approx(sum(wanted) / max(1, len(wanted)), abs=NEAR)
            sums[seat] += regret.total
    assert sums.sum() > 0.1


def test_a_record_loses_what_its_play_does_as_far_as_it_goes() -> None:
    match = match_of("six", ["Ann", "Bob"], "rounds=2")
    solved, whole = equity(match), random_play(match, 3, 2000)
    play = Play(match, whole.log[:4])
    while not isinstance(awaited := play.awaits, Choose):
        play.happen(whole.log[play.version])
    before = match_regret(solved, play)
    play.happen(Chosen(awaited.choices[-1]))
    play.happen(TookBack())
    about = header(match.game.name, Seat("Ann"), Seat("Bob"), format=str(match.format))
    after = match_regret(solved, to_bytes(about, match, play.log))
    assert [one.costs.tolist() for one in after] == [one.costs.tolist() for one in before]


def test_nobody_who_has_not_chosen_has_lost() -> None:
    solved = equity("six[seats=2,rounds=2]")
    for regret in match_regret(solved, Play(solved.match)):
        assert (regret.total, regret.per_step, len(regret.costs)) == (0, 0, 0)


def test_another_game_than_the_solved_one_is_refused() -> None:
    solved = equity("six[seats=2,rounds=2]")
    for other in (find("six"), match_of("six", ["Ann", "Bob"], "rounds=3")):
        with pytest.raises(NotUnderstood, match=r"was played, and six\[.*rounds=2\] was solved"):
            match_regret(solved, Play(other))
