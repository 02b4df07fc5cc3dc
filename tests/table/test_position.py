"""`at` and what it returns: a position that knows its game, as a value."""

import copy
import pickle

import pytest

import shutbox
from shutbox import Over, Roll, at
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NothingDue, NotUnderstood, TooLarge

PLACES = (
    *("classic", "classic:1.5.9/2+2", "double-shutter", "the-300", "cargo", "tray", "pub"),
    *("race-200[seats=3]", "lucky-seven[seats=2]:1;0;0;0=7,0;t1;7"),
)


@pytest.mark.parametrize("text", PLACES)
def test_a_position_is_a_value_that_prints_as_what_makes_it(text: str) -> None:
    position = at(text)
    again = {eval(repr(position)), at(position), at(position.game, position.position)}
    assert again == {position, pickle.loads(pickle.dumps(position)), copy.deepcopy(position)}
    assert at(position.text).text == position.text


def test_whose_turn_it_is_and_for_what() -> None:
    turn = at("classic")
    assert (turn.due, turn.seat, str(turn.dice), turn.choices) == ("throw", 0, "2d6", ())
    thrown = turn.throw((5, 3))
    assert thrown == turn.throw("3+5") == turn.throw(Roll((3, 5)))
    assert (thrown.due, thrown.dice, len(thrown.choices)) == ("choice", None, 6)
    assert thrown.scores == (45,)
    ended = at("classic:1.2.3/6+6")
    assert (ended.due, ended.seat, ended.choices) == ("", None, ())
    assert ended.over == Over((6,), False)
    assert ended.scores == (6,)
    assert turn.throw().due == "choice"


def test_a_match_says_whose_turn_it_is_and_where_it_stands() -> None:
    match = at("lucky-seven[seats=2,rounds=2]").throw("1 1")
    assert (match.seat, match.scores) == (1, (0, 0))
    second = match.throw("3 4").choose("7")
    assert (second.seat, second.scores) == (0, (7, 0))
    over = second.throw("1 1").throw("1 1")
    assert over.over == Over((14, 7), False, (1,))
    assert (over.seat, over.value()) == (None, 0)


def test_what_a_position_is_worth_is_what_the_solvers_say() -> None:
    thrown = at("classic:1.3.4.9/1+3")
    solution = shutbox.solve("classic", "shut")
    assert thrown.value("shut") == solution.value(thrown)
    assert [row.text for row in thrown.ranked("shut")] == [
        row.text for row in solution.ranked(thrown)
    ]
    pub = at("pub").throw("5 3")
    assert pub.best() == shutbox.advise(pub).best
    assert pub.value() == pub.best().value == shutbox.advise(pub.text).ranked[0].value


@pytest.mark.parametrize(
    ("act", "error", "says"),
    [
        (lambda: at("classic").choose("8"), IllegalChoice, "the dice come first"),
        (lambda: at("six").throw("3").throw("3"), IllegalRoll, "a choice comes first. Try 3, or"),
        (lambda: at("classic:1.2.3/6+6").throw(), IllegalRoll, "the game is over"),
        (lambda: at("classic").best(), NothingDue, "the dice come first"),
        (lambda: at("tray").value(), TooLarge, "tray can go on forever"),
        (lambda: at("classic").value("luck"), NotUnderstood, "'luck' is not an aim"),
        (lambda: at("pub").value("shut"), NotUnderstood, "give no aim"),
    ],
)
def test_a_refusal_says_what_was_possible(act: object, error: type[Exception], says: str) -> None:
    assert callable(act)
    with pytest.raises(error, match=says):
        act()
