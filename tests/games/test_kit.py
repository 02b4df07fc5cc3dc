"""The conformance kit accepts a correct game and detects every wrong one.

The correct game is the coin of `coin.py`. Each wrong one is this coin with one promise of the
protocol broken, and the kit must say which.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import pytest

from coin import AGAIN, COIN, KEEP, Coin, Place
from shutbox import odds, play_out, practice, solve
from shutbox.engine.dice import Roll
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Choose, Over, Scoring, Throw
from shutbox.engine.scene import Offer, Scene
from shutbox.testing import ConformanceError, check

RIGHT = Coin()


def test_a_right_game_passes() -> None:
    assert check(RIGHT, plays=40) == 8


def but(**methods: Any) -> Callable[[], Coin]:
    """A coin with other methods or facts."""
    return type("Other", (Coin,), methods)


def replaced(method: str, **changes: Any) -> Callable[[], Coin]:
    """A coin whose scenes or card differ in these fields; a function is given the right one."""

    def changed(self: Coin, *given: Any) -> Any:
        right = getattr(Coin, method)(self, *given)
        return replace(
            right, **{k: new(right) if callable(new) else new for k, new in changes.items()}
        )

    return but(**{method: changed})


shown, card = partial(replaced, "scene"), partial(replaced, "card")


def offering(change: Callable[[tuple[str, ...]], Any]) -> Callable[[], Coin]:
    """A coin with other choices."""

    def awaits(self: Coin, position: Place) -> Throw | Choose[str] | Over:
        awaited = Coin().awaits(position)
        return Choose(change(awaited.choices)) if isinstance(awaited, Choose) else awaited

    return but(awaits=awaits)


def offers(**changes: Any) -> Callable[[Scene], tuple[Offer, ...]]:
    """The offers of a scene, each with these changes."""
    return lambda scene: tuple(replace(offer, **changes) for offer in scene.offers)


def raising(error: Exception) -> Callable[..., Any]:
    """A method that raises an error."""

    def method(*given: Any) -> Any:
        raise error

    return method


def refusing(method: str, error: type[Exception]) -> Callable[[], Coin]:
    """A coin that refuses what is illegal by another error, or without the position."""

    def refuse(self: Coin, *given: Any) -> Place:
        try:
            found: Place = getattr(Coin, method)(self, *given)
        except ShutboxError as refusal:
            raise error(str(refusal)) from None
        return found

    return but(**{method: refuse})


class AnotherAnswer(Coin):
    def __init__(self) -> None:
        self.asked = count()

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        awaited = super().awaits(position)
        if isinstance(awaited, Choose) and next(self.asked) % 2:
            return Choose(awaited.choices[::-1])
        return awaited


class NoEnd(Coin):
    def awaits(self, position: Place) -> Any:
        awaited = super().awaits(position)
        return None if isinstance(awaited, Over) else awaited


class OneIdForTwo(Coin):
    """Reads an id as whatever was written last, so that only the ids themselves tell."""

    last = Place()

    def position_id(self, position: Place) -> str:
        self.last = position
        return f"{position.face}"

    def position_at(self, id: str) -> Place:
        return self.last


class ComesBack(Coin):
    """The coin that can be thrown again for ever, which it does not say."""

    longest = 1000

    def rolled(self, position: Place, roll: Roll) -> Place:
        return replace(super().rolled(position, roll), throws=1)

    def chosen(self, position: Place, choice: str) -> Place:
        after = super().chosen(position, choice)
        return after if after.kept else self.start()


def changed_by_a_throw(position: Place, roll: Roll) -> Place:
    after = RIGHT.rolled(position, roll)
    object.__setattr__(position, "face", after.face)
    object.__setattr__(position, "throws", after.throws)
    return after


def changed_by_a_refusal(position: Place, text: str) -> str:
    try:
        return RIGHT.parse_choice(position, text)
    except ShutboxError:
        object.__setattr__(position, "throws", 0)
        raise


UNREAD = shown(
    offers=lambda scene: tuple(replace(o, text=f"{o.text}!") for o in scene.offers),
    default=None,
    enter="",
)
"""A coin whose offers have other texts."""
ALL_KEPT = shown(offers=offers(text=KEEP))

METHODS: list[tuple[str, Callable[..., Any], str]] = [
    ("position_at", lambda text: replace(RIGHT.position_at(text), kept=False), "reads otherwise"),
    ("position_at", raising(NotUnderstood("it is not read")), "is not read"),
    ("position_at", lambda text: RIGHT.position_at(text[0] + text[1:]), "IndexError"),
    ("rolled", lambda at, roll: Place(min(2, max(1, roll.total)), at.throws + 1), "illegal Roll"),
    ("rolled", lambda at, roll: RIGHT.rolled(at, Roll(roll.pips[-1:])), "the illegal Roll"),
    ("rolled", raising(IllegalRoll("bad luck", Place())), "the legal roll . is refused"),
    ("rolled", changed_by_a_throw, "the legal roll . is refused"),
    ("chosen", lambda at, _: Place(at.face or 1, 1, kept=True), "the illegal '.*' is accepted"),
    ("chosen", raising(IllegalChoice("once only", Place())), "the offered choice .* is refused"),
    ("parse_choice", lambda at, text: RIGHT.parse_choice(at, text) and KEEP, "'again' reads other"),
    ("parse_choice", lambda at, text: RIGHT.parse_choice(at, text) if text else KEEP, "'' reads"),
    ("parse_choice", lambda at, text: RIGHT.parse_choice(at, text[0] + text[1:]), "IndexError"),
    ("parse_choice", changed_by_a_refusal, "the position was changed"),
    ("card", raising(KeyError("title")), "KeyError"),
]
"""Methods that break a promise, and what the kit says."""

WRONG: list[tuple[Callable[[], Any], str]] = [
    *((but(**{method: staticmethod(wrong)}), says) for method, wrong, says in METHODS),
    (offering(lambda choices: (*choices, choices[0])), "a choice is offered twice"),
    (offering(lambda choices: ()), "nothing to choose from"),
    (offering(list), "choices are no tuple"),
    (offering(lambda choices: (*choices, "Menu")), "'Menu' is a word of the terminal"),
    (AnotherAnswer, "awaits answers differently"),
    (NoEnd, "awaits answers None"),
    (OneIdForTwo, "two positions, one id"),
    (refusing("rolled", IllegalRoll), "a refusal without the position"),
    (refusing("chosen", IllegalChoice), "a refusal without the position"),
    (refusing("rolled", ValueError), "ValueError"),
    (refusing("chosen", KeyError), "KeyError"),
    (but(longest=2), "longest is exceeded"),
    (ComesBack, "position 0.0 can come back; longest must be None"),
    (but(scoring=Scoring(best=1, worst=0)), "the score 2 is out of bounds"),
    (but(scoring=None), "scores without scoring"),
    (but(choice_text=lambda _, choice: f"{choice}!", scene=UNREAD().scene), "'.*!' is refused"),
    (but(choice_text=lambda *_: KEEP, scene=ALL_KEPT().scene), "two choices, one text"),
    (shown(offers=lambda scene: scene.offers[::-1]), "the scene offers other choices"),
    (shown(offers=offers(says="This one")), "two offers sound alike"),
    (shown(enter=""), "Enter is not explained"),
    (card(lines=()), "the rule card is empty"),
    (card(typing="type keep or again"), "is no complete sentence"),
    (shown(default=AGAIN), "the default is not offered"),
    (shown(pieces=lambda scene: scene.pieces * 2), "two pieces, one key"),
    (shown(offers=offers(takes=("tile",))), "takes no piece"),
    (shown(score="Score so far"), "'Score so far' is no complete sentence"),
    (shown(legal=""), "'' is no complete sentence"),
    (shown(ask=""), "'' is no complete sentence"),
    (shown(board="One coin.\nNo more."), "is no complete sentence"),
    (shown(offers=offers(done="kep", done_by="")), "'kep' is no complete sentence"),
]


@pytest.mark.parametrize(("wrong", "says"), WRONG)
def test_a_wrong_game_is_caught(wrong: Callable[[], Any], says: str) -> None:
    with pytest.raises(ConformanceError, match=says) as caught:
        check(wrong(), plays=40)
    assert str(caught.value).startswith("coin: ")
    assert ", at " in str(caught.value)


def by_last(game: Any) -> Over:
    return play_out(game, lambda game, position, choices: choices[-1], 7)


def test_a_position_that_comes_back_is_named() -> None:
    for ask in (odds, solve, practice, by_last):
        with pytest.raises(TooLarge, match=r"coin: position 0\.0 can come back; longest must be"):
            ask(ComesBack())


class Endless(Coin):
    longest = None

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        return Choose((AGAIN,)) if position.face else Throw(COIN)

    def scene(self, position: Place) -> Scene:
        return replace(super().scene(position), default=None, enter="")


def test_a_game_that_can_go_on_for_ever_is_left() -> None:
    assert check(Endless(), plays=20, most_events=6) == 6


class Rewound(Coin):
    """Leads from 2 thrown last back to 2 thrown first, where no play of one event gets."""

    longest = 100

    def chosen(self, position: Place, choice: str) -> Place:
        after = super().chosen(position, choice)
        return after if choice == KEEP else Place(0, 0 if position.face == 2 else 1)


def test_a_circle_is_found_where_no_play_goes_round_it() -> None:
    circle = r"position (\S+) can come back; longest must be None \(\1( -> \S+)+ -> \1\)"
    with pytest.raises(ConformanceError, match=circle):
        check(Rewound(), plays=1, seed=1)


class Fields(Coin):
    """A game with an option and with a function of its own."""

    def __init__(self, name: str = "coin", taken: Callable[[], str] = str) -> None:
        self.name, self.taken = name, taken


class Forgets(Fields):
    def __reduce__(self) -> tuple[Any, ...]:
        return Forgets, ()


@dataclass(frozen=True)
class Loses(Place):
    """A position that counts no throws once it is pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Loses, (self.face, 0, self.kept)


class Lossy(Coin):
    def start(self) -> Place:
        return Loses()

    def rolled(self, position: Place, roll: Roll) -> Place:
        return Loses(*astuple(super().rolled(position, roll)))

    def chosen(self, position: Place, choice: str) -> Place:
        return Loses(*astuple(super().chosen(position, choice)))

    def position_at(self, id: str) -> Place:
        return Loses(*astuple(super().position_at(id)))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (Fields(taken=lambda: "x"), "coin: a pickle fails .*lambda.*no functions into fields"),
        (but()(), "coin: a pickle fails .*Other.*classes at the top of a module"),
        (Forgets("penny"), "penny: a copy of the game differs"),
        (Lossy(), r"coin: a copy of Loses\(.*\) differs"),
    ],
)
def test_what_cannot_be_pickled_is_caught(wrong: Coin, says: str) -> None:
    with pytest.raises(ConformanceError, match=says):
        check(wrong, plays=40)
    assert check(Fields("penny"), plays=40) == 8


def test_an_id_of_a_row_has_no_sign_that_a_match_writes_between_rows() -> None:
    class Signed(Coin):
        rows = True

        def position_id(self, position: Place) -> str:
            return f"{super().position_id(position)};"

        def position_at(self, text: str) -> Place:
            return super().position_at(text[:-1])

    with pytest.raises(ConformanceError, match="has a sign that matches write"):
        check(Signed())
