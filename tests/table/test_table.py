"""The table and the run of play: turns, versions, taking back, correcting, replay."""

from collections.abc import Callable
from typing import Any

import pytest

from shutbox import Dice, Roll, Table, find
from shutbox.engine.cups import HandCup, ScriptCup, SeededCup
from shutbox.engine.errors import (
    BadName,
    CannotTakeBack,
    IllegalChoice,
    IllegalRoll,
    NoDice,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
    ShutboxError,
)
from shutbox.engine.play import Chosen, Corrected, FirstChoice, Play, Prepared, Rolled, TookBack
from shutbox.table.lookup import match_of


def table(*rolls: str, game: str = "classic") -> Table[Any, Any]:
    return Table(find(game), ScriptCup(rolls))


def unchanged(table: Table[Any, Any], refusal: type[ShutboxError], act: Any) -> None:
    before = (table.text, table.version, table.log)
    with pytest.raises(refusal):
        act()
    assert (table.text, table.version, table.log) == before


def test_refusals_change_nothing() -> None:
    # A caller with an old version hears of that first, whatever else is wrong.
    at = table("3+5")
    unchanged(at, IllegalChoice, lambda: at.choose("1 7"))
    unchanged(at, NotYourTurn, lambda: at.throw(seat=1))
    unchanged(at, CannotTakeBack, at.take_back)
    at.throw()
    unchanged(at, IllegalRoll, at.throw)
    unchanged(at, IllegalChoice, lambda: at.choose("9"))
    unchanged(at, NotUnderstood, lambda: at.choose("sieben"))
    unchanged(at, NotYourTurn, lambda: at.choose("8", seat=1))
    at.choose("8")
    unchanged(at, NoDice, at.throw)
    unchanged(at, NotYourTurn, lambda: at.take_back(seat=3))


def test_nobody_goes_back_past_a_throw() -> None:
    at = table("3+5", "6+6")
    at.throw()
    unchanged(at, CannotTakeBack, at.take_back)
    at.choose("8")
    at.take_back()
    assert at.text.endswith("/3+5")
    unchanged(at, CannotTakeBack, at.take_back)
    at.choose("1 7")
    at.throw()
    unchanged(at, CannotTakeBack, at.take_back)


def test_choices_are_taken_back_one_by_one() -> None:
    at = table("1+2", game="tray")
    at.throw()
    places = [at.text]
    for text in ("hold 1", "hold 2", "add d20"):
        at.choose(text)
        places.append(at.text)
    for place in reversed(places[:-1]):
        at.take_back()
        assert at.text == place
    unchanged(at, CannotTakeBack, at.take_back)


def test_dice_of_a_hand_are_corrected_until_the_choice_and_those_of_a_cup_never() -> None:
    cup = HandCup()
    at: Table[Any, Any] = Table(find("classic"), cup)
    cup.show(Roll((3, 5)))
    at.throw()
    at.correct("3 6")
    assert (at.text[-4:], at.version) == ("/3+6", 2)
    at.correct("3 5")
    at.choose("8")
    assert at.correctable is None
    unchanged(at, CannotTakeBack, lambda: at.correct("3 6"))
    at.take_back()
    at.correct("3 6")
    assert at.text.endswith("/3+6")
    thrown = table("3+5")
    thrown.throw()
    resumed = Table(find("classic"), HandCup(), thrown.log)
    assert resumed.correctable is None
    unchanged(resumed, CannotTakeBack, lambda: resumed.correct("6 6"))


def test_an_event_changes_nothing_before_it_is_applied() -> None:
    cup = HandCup()
    at: Table[Any, Any] = Table(find("classic"), cup)
    cup.show(Roll((3, 5)))
    steps: list[Callable[[], Prepared[Any, Any]]] = [
        at.prepare_throw,
        lambda: at.prepare_correction("4 4"),
        lambda: at.prepare_choice("8"),
        at.prepare_take_back,
        lambda: at.prepare(at.log[2]),
    ]
    for prepare in steps:
        before = (at.text, at.version, at.log, at.steps)
        prepared = prepare()
        assert (at.text, at.version, at.log, at.steps) == before
        applied = at.apply(prepared)
        assert (applied.number, applied.event) == (at.version, at.log[-1])
        assert (applied.before, applied.after) == (prepared.before, at.position)
    kinds = [type(event) for event in at.log]
    assert kinds == [Rolled, Corrected, Chosen, TookBack, Chosen]
    assert at.position == Play(at.game, at.log).position


def test_what_was_prepared_is_refused_once_the_table_has_moved_on() -> None:
    at = table("3+5", "1+2")
    throw = at.prepare_throw()
    at.apply(throw)
    unchanged(at, OutOfDate, lambda: at.apply(throw))
    eight, one_and_seven = at.prepare_choice("8"), at.prepare_choice("1 7")
    at.apply(eight)
    unchanged(at, OutOfDate, lambda: at.apply(one_and_seven))
    back = at.prepare_take_back()
    at.throw()
    unchanged(at, OutOfDate, lambda: at.apply(back))
    other = table("3+5")
    unchanged(other, OutOfDate, lambda: other.apply(eight))
    other.throw()
    markers = table("3+5", game="markers")  # the same position of another game
    markers.throw()
    stale = other.prepare_choice("1 7")
    with pytest.raises(OutOfDate, match=r"2 was prepared at classic:.*; .* 2 is due, at markers:"):
        markers.apply(stale)


def test_a_throw_that_is_prepared_again_is_the_same() -> None:
    at = Table(find("classic"), SeededCup("pub"))
    first = at.prepare_throw()
    assert at.prepare_throw() == first
    at.apply(first)
    assert at.log == (Rolled(SeededCup("pub").throw(Dice.of(2, 6))),)
    cup = HandCup()
    by_hand = Table(find("classic"), cup)
    for roll in (Roll((3, 5)), Roll((4, 4))):
        cup.show(roll)
        assert by_hand.prepare_throw().event == Rolled(roll, typed=True)


def test_a_computer_player_is_due_to_choose_and_to_throw_but_dice_of_a_hand() -> None:
    match = match_of("classic", ["Robo", "Ann"])
    for cup in (SeededCup("pub"), HandCup()):
        at: Table[Any, Any] = Table(match, cup, bots={0: FirstChoice()})
        by_hand = isinstance(cup, HandCup)
        assert at.bot_due == (not by_hand)
        if isinstance(cup, HandCup):
            unchanged(at, IllegalChoice, at.prepare_bot)
            cup.show(Roll((2, 4)))
            at.throw()
        else:
            at.apply(at.prepare_bot())
        assert at.bot_due
        assert at.apply(at.prepare_bot()).offer is not None
        unchanged(at, CannotTakeBack, at.take_back)  # a computer player's choice stays
    people: Table[Any, Any] = Table(match, SeededCup("pub"), bots={1: FirstChoice()})
    assert not people.bot_due
    unchanged(people, IllegalChoice, people.prepare_bot)


@pytest.mark.parametrize("seat", [2, -1, "Zoe"])
def test_a_computer_player_sits_at_a_seat_of_the_game(seat: int | str) -> None:
    assert list(Table("pub", bots="perfect").bots) == [0, 1]  # one name is for every seat
    bots: Any = {0: "perfect", seat: "perfect"}
    with pytest.raises(BadName, match="is no seat; write 0 to 1, or a name"):
        Table("pub", bots=bots)


def test_what_happened_says_what_was_taken() -> None:
    at = table("3+5")
    assert at.apply(at.prepare_throw()).offer is None
    offers = at.scene.offers
    assert at.apply(at.prepare_choice("7 and 1")).offer == offers[1]
    assert at.apply(at.prepare_take_back()).offer is None
    assert at.apply(at.prepare(at.log[1])).offer == offers[1]
