"""Matches conform to the protocol.

The conformance kit plays random games under random formats, from fixed seeds. A failure prints the
name of the match. Then come positions as text: unreachable ones, and damaged texts.
`test_standing.py` plays the same matches out.
"""

import functools
import random
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from inspect import getsource, isfunction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shutbox
from coin import Coin
from listing import assert_none
from nightly import one_in
from shutbox import Choose, Roll, Throw
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood, ShutboxError
from shutbox.engine.seats import MOST_SEATS
from shutbox.match import (
    ROUND,
    TO_BEAT,
    WHOSE,
    End,
    Format,
    Match,
    Order,
    Standing,
    Tally,
    Ties,
    WithoutChips,
)
from shutbox.match.format import Payment
from shutbox.match.rows import RowRules
from shutbox.match.standing import About, Contest, Ended, Opening, Status, Turn
from shutbox.match.transitions import MatchRules
from shutbox.table.lookup import find_any, match_of
from shutbox.testing import check

LOW = (
    *("lucky-seven", "two-dice(tiles=1-3,dice=1d4)", "two-dice(tiles=1-4,dice=2d3)"),
    *("continental(tiles=1-4,dice=2d4)", "missionary(tiles=2-4,dice=2d2)"),
    *("two-dice(tiles=1-3,dice=1d3,score=digits)", "two-dice(tiles=1-2,behind=2-1,dice=1d3)"),
    *("two-dice(tiles=1-3,dice=2d2,fewer=may-any)", "two-dice(tiles=1-3,dice=1d3,stop_on=2)"),
)
HIGH = (
    *("covered(tiles=1-3,dice=1d4,fewer=never)", "covered(tiles=1-3,dice=2d2,fewer=may-any)"),
    *("cargo(dice=4d6,rolls=2)", "cargo(rolls=1)", "ship-captain-crew(rolls=2,hold=each)"),
    "coin",
)
PAIRS = 312
"""How many random matches are played."""
PER_TEST = 13

QUESTIONS = {ROUND, TO_BEAT, WHOSE}
"""What can be asked of a match."""

NAMES = (*("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kim", "Lou"),)


def random_match(seed: int) -> Match[Any, Any]:
    """A match of a small game, under a format that ends soon."""
    chance = random.Random(seed)
    low = chance.random() < 0.6
    name = chance.choice(LOW if low else HIGH)
    game: Any = Coin() if name == "coin" else shutbox.find(name)
    seats = chance.choice([1, 2, 2, 2, 3, 3, 4, 5, 6, 12])
    options = {
        **_ending(chance, game, low, most=3 if seats < 6 else 2),
        "shut": chance.choice(["scores", "wins"]),
        "order": chance.choice([order.value for order in Order]),
        "ties": chance.choice([ties.value for ties in Ties]),
    }
    if seats > 1 and chance.random() < 0.7:
        options |= _chips(chance, seats)
    options["begins"] = chance.choice(["high-roll", *[str(seed % seats + 1)] * 3])
    atoms = ",".join(f"{key}={value}" for key, value in options.items())
    return Match(game, Format.parse(atoms), NAMES[:seats])


def _ending(chance: random.Random, game: Any, low: bool, most: int) -> dict[str, str]:
    ends = [chance.choice(["rounds", "sum", "sum", "shut", "wins"])]
    if ends[0] == "rounds" or chance.random() < 0.5:
        ends.append("rounds")
    options = {}
    if "rounds" in ends:
        options["rounds"] = str(chance.randint(1, most + 1))
    if "sum" in ends:
        worth = max(game.scoring.best, game.scoring.worst)
        if "rounds" not in ends and not low:
            worth = max(1, worth // 2)  # cargo is rarely complete
        options["limit" if low else "target"] = str(chance.randint(1, 2 * worth))
        options["end"] = chance.choice([end.value for end in End])
    if "shut" in ends:
        options["until"] = "shut"
    if "wins" in ends:
        options["wins"] = str(chance.randint(1, 3))
    return options


def _chips(chance: random.Random, seats: int) -> dict[str, str]:
    stake, bonus = chance.randint(1, 3), chance.randint(0, 3)
    options = {"stake": str(stake), "bonus": str(bonus)}
    if chance.random() < 0.3:
        options, bonus = {"stake": str(stake), "pays": Payment.DIFFERENCE.value}, 0
    needed = stake * (1 + bonus)
    if chance.random() < 0.8:
        purses = [chance.randint(0, 2 * needed) for _ in range(chance.choice([1, seats]))]
        purses[0] += needed
        options["purse"] = ".".join(map(str, purses))
    return options


# The protocol


@pytest.mark.parametrize("first", one_in(6, range(0, PAIRS, PER_TEST), drawn=True))
def test_random_matches_keep_the_protocol(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        match = random_match(seed)
        assert check(match, plays=3, seed=seed) > 1
        if not isinstance(match.game, Coin):
            assert (named(match.name).name, named(match.name).format) == (match.name, match.format)
            assert eval(repr(match), {**vars(shutbox), **globals()}).name == match.name


# Positions as text

DATA: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "standings.toml").read_text(encoding="utf-8")
)
MATCHES: list[dict[str, Any]] = DATA["match"]
POSSIBLE: dict[str, list[str]] = {row["name"]: row.get("possible", []) for row in MATCHES}
UNREADABLE = (*DATA["unreadable"], "0" * 5000, f"1;0;0;{'9' * 200},0;t0;7")


@functools.cache
def named(name: str) -> Match[Any, Any]:
    match = find_any(name)
    assert isinstance(match, Match)
    return match


def refusals(match: Match[Any, Any], row: dict[str, Any]) -> Iterator[tuple[object, ...]]:
    """Yield the positions that cannot come up and are read, or refused for other reasons."""
    for case in row.get("impossible", ()):
        reasons: tuple[str, ...] = ()
        try:
            match.position_at(case["at"])
        except ImpossiblePosition as refusal:
            reasons = refusal.reasons
        said = any(case["says"] in reason for reason in reasons)
        if not said or len(reasons) != case.get("reasons", 1):
            yield row["name"], case["at"], reasons


def test_a_position_is_read_if_it_can_come_up_and_refused_with_every_reason_if_not() -> None:
    faults = list[tuple[object, ...]]()
    for row in MATCHES:
        match = named(row["name"])
        for id in row.get("possible", ()):
            position = match.position_at(id)
            faults += [(row["name"], id)] if match.position_id(position) != id else []
            look(match, position)
        faults += refusals(match, row)
    assert_none(faults)
    for id in UNREADABLE:
        with pytest.raises(NotUnderstood):
            named(MATCHES[0]["name"]).position_at(id)


def look(match: Match[Any, Any], position: Standing[Any], steps: int = 2) -> None:
    """Ask everything that may be asked of a position, and of some that follow."""
    match.settled(position)
    assert {answer.key for answer in match.scene(position).answers} >= QUESTIONS
    awaited = match.awaits(position)
    after = list[Standing[Any]]()
    match awaited:
        case Throw(dice=dice):
            rolls = {Roll((1,) * len(dice)), Roll(dice.sides)}
            after = [match.rolled(position, roll) for roll in rolls]
        case Choose(choices=choices):
            after = [match.chosen(position, choice) for choice in {choices[0], choices[-1]}]
    for later in after if steps else ():
        look(match, later, steps - 1)


@st.composite
def built(draw: st.DrawFn) -> tuple[str, Standing[Any]]:
    """Any position that can be put together, with as many chips as were given out."""
    name = draw(st.sampled_from([name for name, ids in POSSIBLE.items() if ids]))
    match = named(name)
    seats = len(match.players)
    assert match.game.scoring is not None
    scores = range(max(match.game.scoring.best, match.game.scoring.worst) + 1)
    chips = st.integers(0, 6) if match.format.stake else st.just(0)
    tally = st.builds(
        Tally,
        total=st.sampled_from([0, 7, max(scores)]),
        status=st.sampled_from(Status if match.format.limit else [Status.IN, Status.LEFT]),
        score=st.one_of(st.none(), st.sampled_from(scores)),
        shut=st.booleans(),
        chips=chips,
    )
    tallies = tuple(draw(st.lists(tally, min_size=seats, max_size=seats)))
    there, filled = sum(tally.chips for tally in tallies), match.format.purses(seats)
    among = st.lists(st.integers(0, seats - 1), min_size=1, max_size=seats, unique=True)
    ends = [match.rules.dice.read([1] * len(match.rules.dice)), Roll(match.rules.dice.sides)]
    place = st.sampled_from([id.rpartition(";")[2] for id in POSSIBLE[name] if ";t" in id])
    turn = st.builds(Turn, st.integers(0, seats - 1), place.map(match.game.position_at))
    contest = st.builds(
        Contest,
        st.sampled_from(About),
        among.map(tuple),
        st.lists(st.sampled_from(ends), max_size=seats).map(tuple),
        st.sampled_from([0, 1, 99, 100]),
    )
    doing: Any = draw(
        st.one_of(
            turn,
            contest,
            st.just(Opening()),
            st.builds(Ended, among.map(sorted).map(tuple)),
        )
    )
    position = Standing(
        doing,
        tallies,
        draw(st.integers(1, min(4, match.format.most_rounds))),
        draw(st.integers(0, seats - 1)),
        (sum(filled) - there) % max(filled) if match.format.stake else 0,
    )
    return name, position


def test_a_built_position_is_refused_or_can_be_looked_at() -> None:
    accepted: set[str] = set()

    @given(built())
    @settings(max_examples=250)
    def test(case: tuple[str, Any]) -> None:
        name, position = case
        match = named(name)
        with suppress(ImpossiblePosition):
            read = match.position_at(match.position_id(position))
            accepted.add(type(read.doing).__name__)
            try:
                look(match, read)
            except ShutboxError as error:
                raise AssertionError(f"{match.position_id(position)} is accepted") from error

    test()
    assert accepted == {"Turn", "Contest", "Opening", "Ended"}


def test_a_dozen_can_play_and_no_more() -> None:
    assert len(NAMES) == MOST_SEATS
    with pytest.raises(ShutboxError, match="13 players; 1 to 12 can play"):
        Match(Coin(), Format(), [*NAMES, "Max"])
    with pytest.raises(ShutboxError, match="0 players; 1 to 12 can play"):
        Match(Coin(), Format(), [])


# Once more


def test_a_rematch_of_a_match_with_a_name_has_the_same() -> None:
    match: Match[Any, Any] = match_of("pub", NAMES[:2])
    again = match.rematch(match.position_at("1;0;0;5~21,7~19;won;0"))
    assert again.name == "classic[seats=2,rounds=1,shut=wins,begins=2,stake=1,purse=21.19]"
    assert again.card().title == "Pub Game"


def test_a_match_that_is_left_moves_no_chips() -> None:
    for name, id in (
        ("pub", "1;0;2;0~19,0~19;t0;1-9"),
        ("lucky-seven[seats=2,rounds=3,stake=2,ties=carry]", "2;1;8;7~36,7~36;t1;7"),
    ):
        match: Any = match_of(name, NAMES[:2])
        assert match.rematch(match.position_at(id)).rules.purses == match.rules.purses


def test_a_rematch_that_is_begun_by_one_who_has_too_few_chips() -> None:
    match = Match(shutbox.find("lucky-seven"), Format.parse("stake=1,purse=3"), NAMES[:3])
    again = match.rematch(match.position_at("1;0;0;0~5,7~1,7~3;won;0"))
    asked = again.awaits(again.start())
    assert isinstance(asked, Choose)
    assert (asked.seat, asked.choices) == (1, tuple(WithoutChips))
    # Then the next one throws first, and the start is passed on from the one who was asked.
    thrown = again.awaits(out := again.chosen(again.start(), WithoutChips.SIT_OUT))
    assert isinstance(thrown, Throw)
    assert thrown.seat == 2
    assert again.rematch(out).format.begins == 3


def test_one_throw_each_replaces_the_marked_methods_and_no_others() -> None:
    methods = {name: does for name, does in vars(MatchRules).items() if isfunction(does)}
    marked = {name for name, does in methods.items() if "# rows" in getsource(does)}
    assert marked == vars(RowRules).keys() & methods.keys() - {"__init__"}
