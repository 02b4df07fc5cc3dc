"""Formats, case by case, from `data/formats.toml`, which explains the keys of a case.

The cases are data, so that other implementations can be tested with them. The tests also check that
they are complete: every key of a format and every value of its enums has a case that shows its
effect, and every preset is included.
"""

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox import Choose, Over, Throw
from shutbox.engine.errors import BadFormat, IllegalChoice, ShutboxError
from shutbox.match import (
    End,
    Format,
    Match,
    Order,
    Standing,
    Ties,
    Until,
    WhenShut,
    WithoutChips,
    presets,
)
from shutbox.match.format import MOST_ROUNDS, Begins, Payment, Stuck, TurnLength
from shutbox.match.standing import Status
from shutbox.match.transitions import MOST_REPEATS
from shutbox.table.lookup import find_any, match_of

Case = dict[str, Any]

DATA: dict[str, list[Case]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "formats.toml").read_text(encoding="utf-8")
)
CASES, REFUSALS, PRESETS = DATA["case"], DATA["refusal"], DATA["preset"]

KEYS = [field.name for field in fields(Format)]
VALUED = {
    "until": Until,
    "turns": TurnLength,
    "stuck": Stuck,
    "shut": WhenShut,
    "order": Order,
    "end": End,
    "pays": Payment,
    "ties": Ties,
}
TWOFOLD = "ties"
"""The atom that means one thing for a round and another for a match."""

OF_A_CASE = {"about", "game", "format", "preset", "seats", "shows", "play", "end", "due"}
OF_A_STEP = {"seat", "does", "dice", "won", "scores", "totals", "out", "left", "chips", "pot"}
OF_THE_END = {"winners", "totals", "chips", "shut"}


def about(case: Case) -> str:
    return str(case.get("about") or case["name"])


def players(case: Case) -> list[str]:
    return [f"Player {seat}" for seat in range(case["seats"])]


def match_for(case: Case) -> Match[Any, Any]:
    if "preset" in case:
        return match_of(case["preset"], players(case))
    return Match(shutbox.find(case["game"]), Format.parse(case["format"]), players(case))


def act(match: Match[Any, Any], position: Standing[Any], text: str) -> Standing[Any]:
    """The position after a roll, where one is due, or a choice."""
    awaited = match.awaits(position)
    if isinstance(awaited, Throw):
        return match.rolled(position, awaited.dice.read(text))
    choice = match.parse_choice(position, text)
    assert match.choice_text(choice) == text
    return match.chosen(position, choice)


def due(match: Match[Any, Any], position: Standing[Any]) -> int | None:
    awaited = match.awaits(position)
    return None if isinstance(awaited, Over) else awaited.seat


@pytest.mark.parametrize("case", CASES, ids=about)
def test_case(case: Case) -> None:
    assert case.keys() <= OF_A_CASE
    match = match_for(case)
    position = match.start()
    for number, step in enumerate(case["play"], start=1):
        where = f"step {number}: {step}"
        assert step.keys() <= OF_A_STEP
        if "dice" in step:
            awaited = match.awaits(position)
            assert isinstance(awaited, Throw), where
            assert str(awaited.dice) == step["dice"], where
        result = None
        assert step["does"] or due(match, position) == step["seat"], where
        for text in step["does"]:
            assert result is None, f"a round has ended within {where}"
            assert due(match, position) == step["seat"], where
            position = act(match, position, text)
            result = match.settled(position).result
            assert match.position_at(match.position_id(position)) == position
        check_step(step, match.settled(position), where)
    check_end(case, match, position)


def check_step(step: Case, settled: Any, where: str) -> None:
    here, result = settled.position, settled.result
    won = [] if result is None else list(result.winners)
    assert won == step.get("won", []), where
    tallies = here.tallies if result is None else result.tallies
    scores = {str(s): t.score for s, t in enumerate(tallies) if t.score is not None}
    found = {
        "scores": scores,
        "totals": [tally.total for tally in here.tallies],
        "chips": [tally.chips for tally in here.tallies],
        "pot": here.pot,
        "out": [s for s, tally in enumerate(here.tallies) if tally.status is Status.OUT],
        "left": [s for s, tally in enumerate(here.tallies) if tally.status is Status.LEFT],
    }
    for key, value in found.items():
        assert step.get(key, value) == value, f"{key} at {where}"


def check_end(case: Case, match: Match[Any, Any], position: Standing[Any]) -> None:
    assert ("end" in case) != ("due" in case), "a case ends, or somebody is due"
    awaited = match.awaits(position)
    if "due" in case:
        assert not isinstance(awaited, Over), awaited
        assert awaited.seat == case["due"]
        return
    end = case["end"]
    assert isinstance(awaited, Over), awaited
    assert end.keys() <= OF_THE_END
    assert ("chips" in end) == bool(match.format.stake)
    assert awaited.shut == end.get("shut", False)
    assert list(awaited.winners) == end["winners"]
    assert list(awaited.scores) == end["totals"]
    here = match.settled(position).position
    assert here.pot == 0
    if match.format.stake:
        assert [tally.chips for tally in here.tallies] == end["chips"]


def atoms() -> set[str]:
    """Everything about a format that a case has to show."""
    plain = set(KEYS) - set(VALUED)
    values = {f"{key}={value.value}" for key, kind in VALUED.items() for value in kind}
    twofold = {value for value in values if value.startswith(TWOFOLD)}
    asked = {str(answer.value) for answer in WithoutChips}
    whose = {f"{of}: {value}" for value in twofold for of in ("round", "match")}
    thrown = {f"begins={Begins.HIGH_ROLL.value}"}
    return plain | (values - twofold) | whose | asked | thrown


def test_every_key_and_every_value_is_shown() -> None:
    assert {atom for case in CASES for atom in case.get("shows", ())} == atoms()


def test_an_answer_is_for_who_has_no_chips_and_a_tile_for_who_threw() -> None:
    match = match_of("lucky-seven", ["Ann", "Bob"], "stake=1,purse=1.5")
    asked = match.start()
    lying = match.rolled(match.chosen(asked, WithoutChips.BUY), shutbox.Roll((3, 4)))
    with pytest.raises(IllegalChoice, match="is not a choice"):
        match.chosen(lying, WithoutChips.BUY)
    awaited = match.awaits(lying)
    assert isinstance(awaited, Choose)
    with pytest.raises(IllegalChoice, match="is not a choice"):
        match.chosen(asked, *awaited.choices)


def test_an_answer_may_be_cut_short() -> None:
    match = match_of("lucky-seven", ["Ann", "Bob"], "stake=1,purse=1.5")
    meanings = {"buy": "buy", "B": "buy", " Sit  Out ": "sit out", "s": "sit out", "le": "leave"}
    for typed, meant in meanings.items():
        assert match.choice_text(match.parse_choice(match.start(), typed)) == meant
    for typed in ("", " ", "x", "buy more", "7", "buyy", "sitout"):
        with pytest.raises(ShutboxError) as refusal:
            match.parse_choice(match.start(), typed)
        assert refusal.value.code == "not-understood", typed


# What cannot be played


@pytest.mark.parametrize("case", REFUSALS, ids=about)
def test_what_cannot_be_played_is_refused_with_every_reason(case: Case) -> None:
    assert case.keys() == {"about", "game", "format", "seats", "says"}
    with pytest.raises(BadFormat) as refusal:
        match_for(case)
    problems = refusal.value.problems
    for piece in case["says"]:
        assert sum(piece in problem for problem in problems) == 1, (piece, problems)
    assert len(problems) == len(case["says"]), problems


def test_a_format_of_any_length_is_refused_in_time() -> None:
    for text in ("rounds=" + "9" * 10**6, "x," * 10**5, "=" * 10**6):
        with pytest.raises(BadFormat) as refusal:
            Format.parse(text)
        assert len(str(refusal.value)) < 5000


AT_A_BOUND = (
    *("rounds=1000", f"limit={'9' * 100}", "until=shut,rounds=3", "rounds=2,target=5", "begins=2"),
    *(
        "stake=1000000,purse=1000000000000",
        "stake=1,bonus=10,purse=11",
        "stake=1,bonus=0,purse=1.0",
    ),
)


def test_what_lies_at_a_bound_is_played() -> None:
    for text in AT_A_BOUND:
        format = Format.parse(text)
        assert Format.parse(str(format)) == format
        match = match_of("covered" if format.target else "classic", ["Ann", "Bob"], text)
        assert due(match, match.start()) is not None
        assert match.format == format


def test_a_format_over_another_says_anew_who_throws_first() -> None:
    for base, text, both in (
        ("rounds=2,begins=2", "stake=1", "rounds=2,begins=2,stake=1"),
        ("rounds=2,begins=2", "begins=3", "rounds=2,begins=3"),
        ("rounds=2,begins=2", "begins=1", "rounds=2"),
        ("rounds=2,begins=2", "begins=high-roll", "rounds=2,begins=high-roll"),
        ("begins=high-roll", "begins=2", "rounds=1,begins=2"),
        ("begins=high-roll", "order=winner", "rounds=1,order=winner,begins=high-roll"),
    ):
        assert str(Format.parse(text, Format.parse(base))) == both


# Bounds that no case by hand reaches


def test_a_match_that_nobody_wins_ends_after_a_thousand_rounds() -> None:
    match = match_of("lucky-seven", ["Ann", "Bob"], "until=shut")
    position = match.start()
    for _ in range(2 * MOST_ROUNDS):
        assert isinstance(match.awaits(position), Throw)
        position = act(match, position, "1+1")
    assert MOST_ROUNDS == 1000
    assert match.awaits(position) == Over((7000, 7000), False, (0, 1))


def test_those_tied_throw_again_a_hundred_times_and_then_the_first_of_them_is_taken() -> None:
    assert MOST_REPEATS == 100
    for format, turns in (("begins=high-roll", 0), ("ties=throw-off", 2)):
        match = match_of("lucky-seven", ["Ann", "Bob"], format)
        position = match.start()
        for throws in range(turns + 2 * (MOST_REPEATS + 1)):
            assert due(match, position) == throws % 2
            position = act(match, position, "1+1")
        if turns:
            assert match.awaits(position) == Over((7, 7), False, (0,))
        else:
            assert due(match, position) == 0
            assert due(match, act(match, position, "1+1")) == 1


# Presets


@pytest.mark.parametrize("case", PRESETS, ids=about)
def test_a_preset_is_what_the_rulebook_says(case: Case) -> None:
    preset = presets()[case["name"]]
    assert preset.game == case["game"]
    plain = dict.fromkeys(("rounds", "wins", "target", "limit", "until"))
    usual = {"end": "complete", "begins": 1, "bonus": 1, "pays": "pot", "purse": ()}
    usual |= {"turns": "whole", "stuck": "out"}
    expected = {**plain, **usual, **case["atoms"]}
    assert expected.keys() == set(KEYS)
    for key, value in expected.items():
        found = getattr(preset.format, key)
        assert getattr(found, "value", found) == value, key
    assert preset.title
    assert preset.source


@pytest.mark.parametrize("name", presets())
def test_every_preset_is_there_and_can_be_played(name: str) -> None:
    assert [case["name"] for case in PRESETS] == list(presets())
    assert [case.get("preset") for case in CASES].count(name) == 1
    for seats in (2, 3, 12):
        match = match_of(name, [f"Player {seat}" for seat in range(seats)])
        assert match.card().title == presets()[name].title
        assert find_any(match.name).awaits(match.start()) == match.awaits(match.start())
        if not match.format.high_roll:
            last = match_of(name, match.players, f"begins={seats}")
            assert last.card().title == match.card().title
            assert due(last, last.start()) == seats - 1


def test_a_match_with_a_name_has_its_usual_players_unless_said() -> None:
    for name, seats in (("family", 4), ("family[seats=3]", 3), ("pub", 2)):
        match: Any = find_any(name)
        assert len(match.players) == seats
