"""A base for games whose positions are a few small whole numbers. Copy it with your game."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar, Generic, TypeAlias

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import (
    Awaited,
    Choose,
    Over,
    P,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    circle_refusal,
    open_choices,
    refusal_of_non_choice,
    successors,
)
from shutbox.engine.game_text import legal_text
from shutbox.engine.scene import THROW_AGAIN, Offer, Scene
from shutbox.engine.typed_text import find_named
from shutbox.games.traits import Cost, Encoding, Feature, Traits
from shutbox.match.game import turn_at

MOST_POSITIONS = 100_000  # of a small game, all of which are visited once

Due: TypeAlias = str | Sequence[str] | int
"""What is due: the dice to throw, such as "3d6", the open choices, or at the end the score."""


@dataclass(unsafe_hash=True)
class SmallGame(ABC, Generic[P]):
    """A game with an end and a score, whose position is a dataclass of numbers and booleans.

    A subclass has `name`, `rules` (sentences), `choices` (each with the sentence that all hear once
    anybody makes it), `first` (the position at the start) and the methods that are abstract here.
    It can have a `title`, and a question `ask`. Each throw is told without them. Texts of
    positions, bounds, cost and encoding come from a visit of all positions that can come up. Raises
    TooLarge for too many, and for one that leads back to itself.
    """

    protocol: ClassVar = 1
    low_is_good: ClassVar = False
    name = ""
    title: ClassVar[str] = ""  # if empty, the name in words
    rules: ClassVar[tuple[str, ...]]
    choices: ClassVar[Mapping[str, str]]
    ask: ClassVar[str] = ""  # if empty, the choices with a question mark
    first: ClassVar[Any]

    @abstractmethod
    def due(self, position: P, /) -> Due:
        """Return what is due: dice to throw, choices, or the score at the end."""

    @abstractmethod
    def after(self, position: P, event: Roll | str, /) -> P:
        """Return the position after a roll or a choice that is due."""

    def shows(self, position: P, /) -> str:
        """Return how things stand: by default the numbers of the position with their names."""
        held: Any = position
        told = zip(fields(self.first), astuple(held), strict=True)
        numbers = ((field.name.replace("_", " "), n) for field, n in told if type(n) is int)
        return " ".join(f"{name.capitalize()}: {number}." for name, number in numbers)

    def __post_init__(self) -> None:
        after, waiting = dict[P, list[P]](), [self.start()]
        for here in waiting:  # it grows while it is read
            if here not in after:
                after[here] = [*dict.fromkeys(successors(self, here))]
                waiting += after[here]
            if len(after) > MOST_POSITIONS:
                raise TooLarge("{game} has too many positions", game=self.name)
        steps = dict[P, int]()
        try:
            for here in TopologicalSorter(after).static_order():
                steps[here] = max((1 + steps[each] for each in after[here]), default=0)
        except CycleError as error:
            raise circle_refusal(self, error.args[1][0]) from None
        self.longest = steps[self.start()]
        self._by_id = {self.position_id(here): here for here in after}
        due = [self.awaits(here) for here in after]
        worst, *_, best = sorted(
            (score for over in due if isinstance(over, Over) for score in over.scores),
            reverse=self.low_is_good,
        )
        self.scoring = Scoring(best, worst)
        dice = [throw.dice for throw in due if isinstance(throw, Throw)]
        leads = sum(map(len, after.values()))
        columns = zip(fields(self.first), *map(_numbers, after), strict=True)
        bounds = ((field.name, min(numbers), max(numbers)) for field, *numbers in columns)
        encoding = Encoding(
            tuple(Feature(name, max(high, low + 1), low) for name, low, high in bounds),
            (Feature("choice", len(self.choices)),),
            _numbers,
            lambda choice: (list(self.choices).index(choice),),
        )
        self.traits = Traits(
            most_choices=max(len(each.choices) for each in due if isinstance(each, Choose)),
            most_rolls=max(len(each.outcomes()) for each in set(dice)),
            most_positions=len(dice),
            cost=lambda position: Cost(len(dice), leads * 1e-5, leads * 400),
            encoding=lambda: encoding,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    def awaits(self, position: P) -> Awaited[str]:
        """Return what is due: a throw, a choice, or the end with its score."""
        match self.due(position):
            case str(dice):
                return Throw(Dice.parse(dice))
            case int(score):
                return Over((score,))
            case choices:
                return Choose(tuple(choices))

    def start(self) -> P:
        """Return `first`."""
        found: P = self.first
        return found

    def rolled(self, position: P, roll: Roll) -> P:
        """Return the position after a roll. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        return self.after(position, roll)

    def chosen(self, position: P, choice: str) -> P:
        """Return the position after a choice. Raises IllegalChoice."""
        if choice not in open_choices(self.awaits(position), position):
            raise refusal_of_non_choice(choice, position)
        return self.after(position, choice)

    def position_id(self, position: P) -> str:
        """Return the numbers of a position, with dots between them."""
        return ".".join(map(str, _numbers(position)))

    def position_at(self, id: str) -> P:
        """Return the position with these numbers. Raises NotUnderstood if it cannot come up."""
        if (found := self._by_id.get(id)) is None:
            raise NotUnderstood(
                "{what} is not a position of {game}", what=shown(id), game=self.name
            )
        return found

    def choice_text(self, choice: str) -> str:
        """Return the choice itself."""
        return choice

    def parse_choice(self, position: P, text: str) -> str:
        """Return the choice that a text or its beginning means. Raises NotUnderstood."""
        word, choices = text.strip().lower(), open_choices(self.awaits(position), position)
        found = [choice for choice in choices if word and choice.startswith(word)]
        return found[0] if len(found) == 1 else find_named(word, {each: each for each in choices})

    def scene(self, position: P) -> Scene:
        """Return what to say, and an offer for each choice."""
        awaited, says = self.awaits(position), self.shows(position)
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        ask = self.ask or f"{' or '.join(choices).capitalize()}?"
        offers = tuple(self._offer(position, choice) for choice in choices)
        points = awaited.scores[0] if isinstance(awaited, Over) else None
        ends = "" if points is None else f"Score {points}."
        return Scene(
            says=(says, ends) if ends else (says,),
            dice=says,
            board=says,
            score=ends or says,
            legal=legal_text(awaited, offers),
            pieces=(),
            offers=offers,
            ask=ask if offers else "",
            points=points,
            sums=False,
            ends=ends,
        )

    def _offer(self, position: P, choice: str) -> Offer:
        due = self.awaits(self.after(position, choice))
        kind, count = (THROW_AGAIN, len(due.dice)) if isinstance(due, Throw) else (choice, None)
        return Offer(choice, choice, self.choices[choice], kind=kind, count=count)

    def card(self) -> RuleCard:
        """Return the rules."""
        title = self.title or self.name.rpartition(".")[2].replace("-", " ").capitalize()
        typing = f"Type {' or '.join(self.choices)}."
        return RuleCard(title, self.rules, typing, options={})


class SmallPlayer(ABC, Generic[P]):
    """A computer player of a small game, in a turn alone or in a match. A subclass has `choice`.

    `number` is the one that follows its name, as in `acme.careful:1`; 0 without one.
    """

    protocol: ClassVar = 1

    def __init__(self, text: str = "") -> None:
        self.number = int(text or 0)

    @abstractmethod
    def choice(self, position: P, /) -> str:
        """Return the choice at a position of a turn."""

    def pick(self, game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
        """Return a choice of `choices`."""
        return self.choice((turn_at(game, position) or (game, position))[1])


def _numbers(position: Any) -> tuple[int, ...]:
    return tuple(map(int, astuple(position)))
