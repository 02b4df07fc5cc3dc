"""The rules, case by case, from `data/rules.toml`, which explains the keys of a case.

The cases are data, so that other implementations can be tested with them. The tests also check that
they are complete: every game of the catalogue and every rule in the engine's enums has a case that
shows what it allows and one that shows what it forbids.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox import Choose, Game, Over, ShutboxError, Throw, at
from shutbox.engine.errors import IllegalChoice, IllegalRoll, ImpossiblePosition, NotUnderstood
from shutbox.games.box.game import KEYS
from shutbox.games.box.rule_tables import CoverRule, Fewer, ScoreRule
from shutbox.games.cargo import CARGOES, Hold
from shutbox.games.tray import Verb
from shutbox.table.lookup import find_position

Case = dict[str, Any]

CASES: list[Case] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "rules.toml").read_text(encoding="utf-8")
)["case"]

OUTCOMES = ("choices", "dice", "scores", "impossible", "refused")
DETAILS = ("accept", "refuse", "after", "rolled", "misrolled")
ALLOWS = {"choices", "dice", "accept", "after", "rolled"}
"""Keys that show what is allowed, besides a turn that ends shut."""
FORBIDS = {"refuse", "misrolled", "impossible", "refused"}
"""Keys that show what is forbidden, besides a turn that ends stuck, and choices left out."""


def rules() -> set[str]:
    """Every rule there is, as `yes` and `no` name them."""
    valued = {"fewer": Fewer, "cover": CoverRule, "score": ScoreRule, "hold": Hold, "verb": Verb}
    keys = {*KEYS, *CARGOES.readers} - set(valued)
    return keys | {f"{key}={rule.value}" for key, kind in valued.items() for rule in kind}


def outcome(case: Case) -> str:
    return next((key for key in OUTCOMES if key in case), "")


def found(case: Case) -> tuple[Game[Any, Any], Any]:
    return find_position(case["position"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_case(case: Case) -> None:
    assert {*case} <= {"about", "position", "shut", "yes", "no", *OUTCOMES, *DETAILS}
    if outcome(case) in ("impossible", "refused"):
        with pytest.raises(ShutboxError) as refusal:
            found(case)
        if "refused" in case:
            assert refusal.value.code == case["refused"]
        else:
            assert isinstance(refusal.value, ImpossiblePosition)
            assert len(refusal.value.reasons) == case["impossible"], refusal.value
        return
    game, position = found(case)
    check_outcome(case, game, position)
    check_typed(case, game, position)
    check_what_follows(case, game, position)
    assert found(case)[1] == position


def check_outcome(case: Case, game: Game[Any, Any], position: Any) -> None:
    awaited = game.awaits(position)
    match outcome(case):
        case "choices":
            assert isinstance(awaited, Choose), awaited
            assert [game.choice_text(choice) for choice in awaited.choices] == case["choices"]
        case "dice":
            assert isinstance(awaited, Throw), awaited
            assert str(awaited.dice) == case["dice"]
        case "scores":
            assert awaited == Over(tuple(case["scores"]), case.get("shut", False))
        case _:
            assert isinstance(awaited, Choose), "a case without an outcome says what is typed"
            assert case.keys() & {"accept", "refuse"}


def check_typed(case: Case, game: Game[Any, Any], position: Any) -> None:
    for typed, meant in case.get("accept", {}).items():
        assert game.choice_text(game.parse_choice(position, typed)) == meant, typed
    for typed, code in case.get("refuse", {}).items():
        with pytest.raises(ShutboxError) as refusal:
            pytest.fail(f"{typed!r} is read as {game.parse_choice(position, typed)}")
        assert refusal.value.code == code, (typed, refusal.value)
        if isinstance(refusal.value, IllegalChoice):
            assert refusal.value.position == position


def check_what_follows(case: Case, game: Game[Any, Any], position: Any) -> None:
    for text, after in case.get("after", {}).items():
        reached = game.chosen(position, game.parse_choice(position, text))
        assert at(game, reached).text == after
        assert find_position(after)[1] == reached
    awaited = game.awaits(position)
    for text, after in case.get("rolled", {}).items():
        assert isinstance(awaited, Throw)
        reached = game.rolled(position, awaited.dice.read(text))
        assert at(game, reached).text == after
        assert find_position(after)[1] == reached
    for text in case.get("misrolled", ()):
        if isinstance(awaited, Throw):
            with pytest.raises((IllegalRoll, NotUnderstood)):
                awaited.dice.read(text)
        else:
            with pytest.raises(IllegalRoll):
                game.rolled(position, shutbox.Roll(tuple(map(int, text.split("+")))))


def allows(case: Case) -> bool:
    return bool(case.keys() & ALLOWS or case.get("shut"))


def stuck(case: Case) -> bool:
    return "scores" in case and not case.get("shut")


def forbids(case: Case) -> bool:
    return bool(case.keys() & FORBIDS or stuck(case) or outcome(case) in ("choices", "dice"))


def test_every_rule_is_shown_and_denied() -> None:
    assert {rule for case in CASES if allows(case) for rule in case.get("yes", ())} == rules()
    assert {rule for case in CASES if forbids(case) for rule in case.get("no", ())} == rules()


@pytest.mark.parametrize("name", [entry.name for entry in shutbox.catalogue()])
def test_every_game_of_the_catalogue_is_shown_and_denied(name: str) -> None:
    cases = [case for case in CASES if case["position"].partition(":")[0] == name]
    assert any(map(allows, cases))
    assert any(case.keys() & FORBIDS or stuck(case) for case in cases)
