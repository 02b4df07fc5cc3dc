"""Players' replies to one another, compared with brute force on small boxes.

`truth.Everybody` walks through the match itself, event by event: each player makes their own best
choice, and the first of equal ones. It does not use turns, ends and graphs. All values are exact
fractions.
"""

import random
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin
from nightly import one_in
from records import positions
from shutbox import Choose
from shutbox.engine.dice import Roll
from shutbox.engine.errors import BadFormat, TooLarge
from shutbox.engine.game import Game
from shutbox.match import Format, Match
from shutbox.match.standing import Opening, Turn
from shutbox.solving import WIN, ExactSolver
from shutbox.solving.advice.adviser import Adviser, advice_is_stored
from shutbox.solving.advice.coach import Coach
from shutbox.solving.equity import last_round
from shutbox.solving.equity.fairness import fair as fair_rules
from shutbox.solving.equity.fairness import fair_lines
from shutbox.solving.equity.last_round import LastRound, Outlook
from shutbox.solving.equity.last_round_limits import check_last_round, seconds_of_last_round
from shutbox.table.lookup import find_any
from standing_by_hand import standing_facing
from truth import Everybody

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")


def match_of(game: str, seats: int, format: str) -> "Match[Any, Any]":
    return Match(shutbox.find(game), Format.parse(format), NAMES[:seats])


THREE = "two-dice(tiles=1-3,dice=1d4)"
LUCKY = "lucky-seven(dice=1d8)"
ROW = "six(tiles=1.2.4,dice=1d3)"
HIGH = "covered(tiles=1.2.4,dice=2d2)"
SAIL = "cargo(dice=4d6,rolls=1)"

DATA = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "rounds.toml").read_text(encoding="utf-8")
)
MATCHES: list[tuple[str, int, str, list[str]]] = [
    (one["game"], one["seats"], format, []) for one in DATA["match"] for format in one["formats"]
]
LAST_ROUNDS = [(one["game"], one["seats"], one["format"], one["at"]) for one in DATA["last"]]


@pytest.mark.parametrize(
    ("game", "seats", "format", "ids"),
    [*one_in(4, MATCHES), *LAST_ROUNDS],
    ids=str,
)
def test_answers_are_those_of_trying_everything(
    game: str, seats: int, format: str, ids: list[str]
) -> None:
    match = match_of(game, seats, format)
    everybody, answers = Everybody(match), LastRound(match)
    begun = [match.position_at(id) for id in ids] or [match.start()]
    for position in begun:
        everybody.hopes(position)
    chance = random.Random(f"{game} {seats} {format}")
    for position in (*begun, *some(chance, everybody, 8 if game == SAIL else 30)):
        id = match.position_id(position)
        outlook, hopes = answers.outlook(position), everybody.hopes(position)
        assert outlook.shares == hopes[0], id
        assert outlook.chips == hopes[1], id
        check_sums(match, outlook)
        awaited = match.awaits(position)
        doing = match.settled(position).position.doing
        if isinstance(doing, Turn):
            turn = answers.turn(position)
            assert turn.value(doing.at) == hopes[0][doing.seat], id
            if isinstance(awaited, Choose):
                assert turn.best(doing.at).choice == everybody.best(position), id


def some(chance: random.Random, everybody: Everybody, number: int) -> list[Any]:
    found = list(everybody.known)
    return chance.sample(found, min(number, len(found)))


def check_sums(match: "Match[Any, Any]", outlook: Outlook) -> None:
    assert sum(outlook.shares) == 1
    assert all(0 <= share <= 1 for share in outlook.shares)
    assert sum(outlook.chips) == sum(match.rules.purses)


@pytest.mark.parametrize("format", ["ties=throw-off", "begins=high-roll,shut=wins"])
def test_what_happens_after_a_hundred_ties_is_next_to_nothing(format: str) -> None:
    match = match_of(THREE, 2, format)
    value = ExactSolver(match, WIN).value()
    assert 0 <= abs(value - LastRound(match).outlook().shares[0]) < Fraction(1, 4**100)


# Chips


@pytest.mark.parametrize("game", [LUCKY, ROW])
@pytest.mark.parametrize(
    "format", ["stake=2,shut=wins", "stake=3,bonus=2", "stake=5,ties=carry", "pays=difference"]
)
def test_players_may_play_for_chips(game: str, format: str) -> None:
    match = match_of(game, 3, format)
    outlook = LastRound(match, "chips").outlook()
    assert (outlook.shares, outlook.chips) == Everybody(match, "chips").hopes()
    check_sums(match, outlook)


def test_a_seat_that_cannot_pay_says_what_is_best_for_it() -> None:
    match = match_of(LUCKY, 2, "stake=1,shut=wins,purse=0.20")
    everybody, answers = Everybody(match), LastRound(match)
    awaited = match.awaits(match.start())
    assert isinstance(awaited, Choose)
    assert isinstance(match.settled(match.start()).position.doing, Opening)
    # It buys chips: who sits out, or leaves, wins nothing.
    assert answers.outlook().shares == everybody.hopes()[0]
    assert answers.outlook().shares[0] > Fraction(1, 2)
    # Chips that are bought are no gain: a shut box is worth two, to the first with 1/8, to the
    # second with 7/64.
    gain = 2 * (Fraction(1, 8) - Fraction(7, 64))
    assert answers.outlook().chips == (gain, 20 - gain)
    assert LastRound(match, "chips").outlook().chips == (gain, 20 - gain)
    check_sums(match, answers.outlook())
    leaves = match.chosen(match.start(), awaited.choices[2])
    assert [*answers.outlook(leaves).shares] == [0, 1]


# By hand


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("after", [0, 1, 2])
@pytest.mark.parametrize("score", [0, 1, 3, None])
def test_facing_a_score(score: int | None, after: int, first: int) -> None:
    seats = after + 1 + (score is not None)
    if seats < 2:
        return
    match = match_of(ROW, seats, f"shut=scores,begins={first}")
    here = standing_facing(match, score, after)
    assert match.position_at(match.position_id(here)) == here
    assert LastRound(match).outlook(here).shares == Everybody(match).hopes(here)[0]


# What is refused

REFUSED = [
    (HIGH, "target=200"),
    (THREE, "limit=45"),
    (THREE, "until=shut"),
    (THREE, "rounds=2,until=shut"),
    (THREE, "rounds=3,stake=1"),
    (THREE, "rounds=1,limit=45"),
]


@pytest.mark.parametrize(("game", "format"), REFUSED, ids=str)
def test_a_match_that_is_not_solved_is_refused(game: str, format: str) -> None:
    match = match_of(game, 2, format)
    assert seconds_of_last_round(match) == float("inf")
    for anyway in (False, True):
        with pytest.raises(TooLarge, match="who wins is worked out for a single round"):
            check_last_round(match, anyway=anyway)


def test_a_match_that_takes_too_long_is_refused_unless_it_is_wanted() -> None:
    large = match_of("digital", 12, "rounds=1")
    assert 600 < seconds_of_last_round(large) < float("inf")
    with pytest.raises(TooLarge, match="minutes") as found:
        check_last_round(large)
    assert found.value.costly
    check_last_round(large, anyway=True)
    check_last_round(match_of("classic", 4, "shut=wins"))
    check_last_round(match_of("classic", 2, "rounds=5"))


# Fair rules


@pytest.mark.parametrize(("game", "seats"), [(LUCKY, 2), (THREE, 2), (ROW, 3), (LUCKY, 4)])
def test_gains_and_payouts_are_those_of_trying_everything(game: str, seats: int) -> None:
    for found, format in zip(fair_rules(game, seats), ("shut=scores", "shut=wins"), strict=True):
        assert sum(found.shares) == 1
        assert sum(found.gains) == 0
        stake = 12
        gains = {}
        for bonus in (0, 1, 4):
            match = match_of(game, seats, f"{format},stake={stake},bonus={bonus}")
            shares, chips = Everybody(match).hopes()
            assert shares == found.shares
            gains[bonus] = [
                (have - purse) / stake
                for have, purse in zip(chips, match.rules.purses, strict=True)
            ]
        assert tuple(gains[0]) == found.gains
        for seat, payout in enumerate(found.payouts):
            slope = gains[1][seat] - gains[0][seat]
            assert gains[4][seat] == gains[0][seat] + 4 * slope
            if payout is None:
                assert slope == 0
            else:
                # On the line through what whole bonuses give the seat expects nothing there.
                assert gains[0][seat] + payout * slope == 0


def test_fair_rules_need_somebody_to_play_against() -> None:
    for seats in (0, 1, 13):
        with pytest.raises(BadFormat, match="seats"):
            fair_rules("six", seats)
    told = [*fair_lines(fair_rules(Coin(), 2, "rounds=1"))]
    assert told[0] == "Coin, two players, one round:"  # although no catalogue has it


# Outlooks kept in files: equal to the last digit


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "files"
    monkeypatch.setenv("SHUTBOX_CACHE", str(folder))
    monkeypatch.setattr(last_round, "LONG", 0.0)
    return folder


def hints(game: Game[Any, Any]) -> list[object]:
    coach = Coach(game, every_round=False)
    places = positions(game)
    return [(coach.hint(here, "explained"), coach.best(here, "explained")) for here in places]


@pytest.mark.parametrize("name", ["three-to-go[seats=2]", "six[seats=3,begins=high-roll,stake=1]"])
def test_hints_and_outlooks_are_the_same_from_a_file(
    files: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match: Any = find_any(name)
    monkeypatch.setenv("SHUTBOX_CACHE", str(files.parent / "others"))
    computed, outlook = hints(match), LastRound(match).outlook()
    monkeypatch.setenv("SHUTBOX_CACHE", str(files))
    assert not advice_is_stored(match)
    assert hints(match) == computed
    assert advice_is_stored(match)
    monkeypatch.setattr(LastRound, "_chances_of_ends", None)  # from here on nothing is worked out
    assert hints(match) == computed
    read = LastRound(match)
    read.load(make=False)
    assert read.outlook() == outlook  # with its chips


def test_only_what_a_first_turn_needs_makes_a_file(files: Path) -> None:
    several = match_of("six", 2, "rounds=2")
    for game in (several.game, several):
        hints(game)
        assert not advice_is_stored(game)
    match = match_of("six", 2, "rounds=1")
    Adviser(match).advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    assert not advice_is_stored(match)
    assert not files.exists()
    Adviser(match).advise(match.rolled(match.start(), Roll((3,))))
    assert advice_is_stored(match)
