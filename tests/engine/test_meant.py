"""What is given as a position, roll, choice or number: of the right type, and of this game."""

from collections.abc import Callable
from typing import Any

import pytest

import shutbox
from shutbox import Roll
from shutbox.engine.cups import NumberedCup
from shutbox.engine.errors import IllegalChoice, IllegalRoll, ImpossiblePosition, NotUnderstood
from shutbox.engine.game import Scoring
from shutbox.table.lookup import find_any
from shutbox.testing import check


@pytest.fixture(scope="module")
def classic() -> Any:
    return shutbox.solve("classic")


@pytest.mark.parametrize("text", ["two-dice:1.2.3", "2012:1.2.3", "cargo:5h", "Thai Style:1.2.3"])
def test_a_text_of_another_game_is_refused(classic: Any, text: str) -> None:
    says = f"is a position of {text.partition(':')[0].lower()}, and this is about classic"
    for ask in (
        *(classic.value, classic.shut),
        *(lambda text: shutbox.solve("classic", text), lambda text: shutbox.at("classic", text)),
    ):
        with pytest.raises(NotUnderstood, match=f"(?i){says}"):
            ask(text)
    with pytest.raises(NotUnderstood, match="leave the name out if you mean classic"):
        classic.value("classic(fewer=may-top):1.2.3")


def test_a_view_is_a_position_of_its_game_alone(classic: Any) -> None:
    assert classic.value(shutbox.at("classic:1.2.3")) == classic.value("1.2.3")
    assert shutbox.solve("classic", shutbox.at("classic:1.2.3")).value() == classic.value("1.2.3")
    for ask in (classic.value, lambda view: shutbox.solve("classic", view)):
        with pytest.raises(NotUnderstood, match="position of two-dice, and this is about classic"):
            ask(shutbox.at("two-dice:1.2.3"))


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
    with pytest.raises(NotUnderstood, match="is not a position of "):
        equity.share(0)


@pytest.mark.parametrize("wrong", [0, False, 1.5, (), object()])
def test_what_is_no_position_is_refused(classic: Any, wrong: object) -> None:
    with pytest.raises(NotUnderstood, match="is not a position of "):
        classic.value(wrong)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: NumberedCup("a", thrown="1").throw(shutbox.Dice.parse("2d6")),  # type: ignore[arg-type]
        lambda: shutbox.Table("classic", "pub", log=5),  # type: ignore[call-overload]
        lambda: Scoring("1", "2"),  # type: ignore[arg-type]
        lambda: check(shutbox.find("six"), plays="5"),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_another_type_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(NotUnderstood, match="is not of the type "):
        ask()


@pytest.mark.parametrize("name", ["classic", "cargo", "tray", "pub"])
def test_a_roll_a_choice_and_a_text_have_types(name: str) -> None:
    game: Any = find_any(name)
    table = shutbox.Table(game, 7)
    wrong: Any
    for wrong in (None, 5, (3, 5), [], b"1.2", object()):
        with pytest.raises(NotUnderstood):
            game.position_at(wrong)
    for wrong in ((3, 5), "3+5", None, 8):
        with pytest.raises(IllegalRoll):
            game.rolled(table.position, wrong)
    while not isinstance(table.awaits, shutbox.Choose):
        table.throw(seat=table.due or 0)
    for wrong in ("1", None, 7, (1,), Roll((1,))):
        with pytest.raises(IllegalChoice):
            game.chosen(table.position, wrong)
    for wrong in (3, None, b"3"):
        with pytest.raises(NotUnderstood, match="is not a text"):
            game.parse_choice(table.position, wrong)
