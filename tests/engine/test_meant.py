"""Arguments for positions: a value, its text, or a view, of this game and no other."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox.engine.cups import NumberedCup
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.game import Scoring
from shutbox.match import Format
from shutbox.table.lookup import find_any
from shutbox.testing import check

OTHERS = ["two-dice:1.2.3", "2012:1.2.3", "cargo:5h", "Thai Style:1.2.3"]
LIBRARY = Path(shutbox.__file__).parent
SOURCES = [
    path
    for path in sorted(LIBRARY.rglob("*.py"))
    if path.relative_to(LIBRARY).parts[0] not in ("cli", "term", "web")  # they check what is typed
]
ANYTHING = {"int", "float", "Any", "P", "C", "Place", "Fraction", "Number"}
"""Types of which a value may count as false, and mean something."""


@pytest.fixture(scope="module")
def classic() -> Any:
    return shutbox.solve("classic")


@pytest.mark.parametrize("text", OTHERS)
def test_a_text_of_another_game_is_refused(classic: Any, text: str) -> None:
    says = f"is a position of {text.partition(':')[0].lower()}, and this is about classic"
    for asked in (classic.value, classic.shut, lambda text: shutbox.solve("classic", text)):
        with pytest.raises(NotUnderstood, match=f"(?i){says}"):
            asked(text)
    with pytest.raises(NotUnderstood, match=f"(?i){says}"):
        shutbox.at("classic", text)


def test_a_text_with_another_name_of_the_game_is_told_that_it_needs_none(classic: Any) -> None:
    with pytest.raises(NotUnderstood, match="leave the name out if you mean classic"):
        classic.value("classic(fewer=may-top):1.2.3")


def test_a_view_is_a_position_of_its_game_alone(classic: Any) -> None:
    assert classic.value(shutbox.at("classic:1.2.3")) == classic.value("1.2.3")
    assert shutbox.solve("classic", shutbox.at("classic:1.2.3")).value() == classic.value("1.2.3")
    for asked in (classic.value, lambda view: shutbox.solve("classic", view)):
        with pytest.raises(NotUnderstood, match="position of two-dice, and this is about classic"):
            asked(shutbox.at("two-dice:1.2.3"))


@pytest.mark.parametrize("wrong", [0, False, 1.5, (), object()])
def test_what_is_no_position_is_refused(classic: Any, wrong: object) -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    equity = shutbox.equity("lucky-seven[seats=2,until=shut,shut=wins]")
    for asked in (classic.value, equity.share, equity.best):
        with pytest.raises(NotUnderstood, match="is not a position of "):
            asked(wrong)


def test_the_share_of_a_match_is_asked_for_by_text() -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    equity = shutbox.equity("six[seats=2]")
    text = "1;0;0;0=9,0;t1;1-6/3"
    here = equity.match.position_at(text)
    views = (text, f"six[seats=2,rounds=1]:{text}", shutbox.at(equity.match, here))
    for position in views:
        assert equity.share(position, 1) == equity.share(here, 1) != equity.share(seat=1)
        assert equity.best(position) == equity.best(here)
    for other in (f"six[seats=2,shut=wins]:{text}", shutbox.at("six[seats=2,shut=wins]", here)):
        with pytest.raises(NotUnderstood, match="and this is about six"):
            equity.share(other)
    with pytest.raises(ImpossiblePosition):
        equity.share("1;0;0;0=9,20;t1;1-6/3")


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Format.parse("rounds=5", 5),  # type: ignore[arg-type]
        lambda: NumberedCup("a", thrown="1").throw(shutbox.Dice.parse("2d6")),  # type: ignore[arg-type]
        lambda: shutbox.Table("classic", "pub", log=5),  # type: ignore[call-overload]
        lambda: Scoring("1", "2"),  # type: ignore[arg-type]
        lambda: shutbox.record.Source("seed", 5),  # type: ignore[arg-type]
        lambda: check(shutbox.find("six"), plays="5"),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_another_type_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(NotUnderstood, match="is not of the type "):
        ask()


def optional(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters that are None where nothing is given, and may be anything else."""
    of = function.args
    found = set()
    for one in (*of.posonlyargs, *of.args, *of.kwonlyargs):
        kinds = set(ast.unparse(one.annotation).split(" | ")) if one.annotation else set()
        if kinds & ANYTHING and kinds & {"None", "Any"}:
            found.add(one.arg)
    return found


@pytest.mark.parametrize("name", ["classic", "cargo", "tray", "pub"])
def test_a_choice_that_is_no_text_is_refused(name: str) -> None:
    game: Any = find_any(name)
    table = shutbox.Table(game, 7)
    while not isinstance(table.awaits, shutbox.Choose):
        table.throw(seat=table.due or 0)
    for wrong in (3, None, b"3"):
        with pytest.raises(NotUnderstood, match="is not a text"):
            game.parse_choice(table.position, wrong)


def test_nothing_that_is_given_is_taken_for_nothing() -> None:
    found = []
    for path in SOURCES:
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                names = optional(function)
                found += [
                    f"{path.name}:{node.lineno}: {ast.unparse(node)}"
                    for node in ast.walk(function)
                    if isinstance(node, ast.BoolOp)
                    and isinstance(node.op, ast.Or)
                    and any(isinstance(v, ast.Name) and v.id in names for v in node.values[:-1])
                ]
    assert found == []
