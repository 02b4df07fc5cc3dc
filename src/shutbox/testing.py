"""The conformance kit: what every game of the protocol promises, tested by playing it.

    from shutbox.testing import check
    check(MyGame())

`check` plays a game many times with random dice and choices, and at every position holds the
game to the protocol. It works for games of the catalogue, for matches and for games that others
write; it raises ConformanceError with the promise that was broken and the position.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

from shutbox.dice import MOST_OUTCOMES, Dice, Roll
from shutbox.errors import IllegalChoice, IllegalRoll, ShutboxError, TooLarge
from shutbox.game import Choose, Game, Over, Throw

NONSENSE = (
    *("", " ", "-1", "0", "9" * 20, "no such thing", "\x00", "½ ٣ 🎲", "1" * 500),
    *("4 4 4 4 4 4 4 4", "/", "1+"),
)
"""Texts that no game should trip over."""


class ConformanceError(AssertionError):
    """A game broke a promise of the protocol."""


def check(game: Game[Any, Any], *, plays: int = 10, seed: int = 0, most_events: int = 200) -> int:
    """Hold a game to the protocol over some random plays; the number of positions looked at.

    `plays` that need never end are left after `most_events`. Raises ConformanceError.

    >>> from shutbox import find
    >>> check(find("classic"), plays=2) > 10
    True
    """
    kit = _Kit(game, random.Random(seed))
    try:
        kit.card()
        for _ in range(plays):
            kit.play(most_events)
    except ConformanceError:
        raise
    except Exception as error:
        kit.fail(f"{type(error).__name__} where none is due ({error})", kit.here, error)
    return len(kit.seen)


class _Kit:
    def __init__(self, game: Game[Any, Any], chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.here: Any = None
        self.seen: dict[str, Any] = {}
        self.foreign: dict[Any, None] = {}
        """Choices met elsewhere: legal somewhere, and refused wherever they are not offered."""

    def fail(self, promise: str, position: Any, cause: Exception | None = None) -> NoReturn:
        raise ConformanceError(f"{self.game.name}: {promise}, at {position!r}") from cause

    def hold(self, kept: bool, promise: str, position: Any) -> None:
        if not kept:
            self.fail(promise, position)

    def play(self, most_events: int) -> None:
        position = self.game.start()
        longest = self.game.longest
        for events in range(most_events if longest is None else longest + 1):
            awaited = self.look(position)
            match awaited:
                case Over():
                    return
                case Throw(dice=dice):
                    position = self.accepted(position, self.random_roll(dice))
                case Choose(choices=choices):
                    position = self.taken(position, self.chance.choice(choices))
            self.hold(longest is None or events < longest, "longest is exceeded", position)

    def random_roll(self, dice: Dice) -> Roll:
        return dice.read([self.chance.randint(1, sides) for sides in dice.sides])

    def accepted(self, position: Any, roll: Roll) -> Any:
        try:
            return self.game.rolled(position, roll)
        except ShutboxError as error:
            self.fail(f"the legal roll {roll} is refused ({error})", position, error)

    def taken(self, position: Any, choice: Any) -> Any:
        try:
            return self.game.chosen(position, choice)
        except ShutboxError as error:
            text = self.game.choice_text(choice)
            self.fail(f"the offered choice {text!r} is refused ({error})", position, error)

    def card(self) -> None:
        """The rule card, which has nothing to do with any position."""
        card = self.game.card()
        self.hold(bool(card.title.strip() and card.lines), "the rule card is empty", None)
        for sentence in (*card.lines, card.typing):
            self.sentence(sentence, None)

    def look(self, position: Any) -> Any:
        """Every promise that can be held at one position."""
        self.here = position
        awaited = self.game.awaits(position)
        self.hold(awaited == self.game.awaits(position), "awaits answers differently", position)
        before = (hash(position), repr(position), self.game.position_id(position))
        self.text(position)
        match awaited:
            case Throw(dice=dice):
                self.throw(position, dice)
            case Choose(choices=choices):
                self.choose(position, choices)
            case Over():
                self.over(position, awaited)
            case _:
                self.fail(f"awaits answers {awaited!r}", position)
        self.scene(position, awaited)
        self.nonsense(position, awaited)
        after = (hash(position), repr(position), self.game.position_id(position))
        self.hold(before == after, "the position was changed", position)
        return awaited

    def text(self, position: Any) -> None:
        id = self.game.position_id(position)
        self.hold(self.seen.setdefault(id, position) == position, "two positions, one id", position)
        self.hold(self.game.position_at(id) == position, f"the id {id!r} reads otherwise", position)

    def throw(self, position: Any, dice: Dice) -> None:
        try:
            outcomes = dice.outcomes()
        except TooLarge:
            outcomes = ()
        weights = sum(weight for _, weight in outcomes)
        self.hold(not outcomes or weights == dice.total_weight, "weights do not sum", position)
        self.hold(len(outcomes) <= MOST_OUTCOMES, "outcomes without bound", position)
        for roll, _ in self.some(outcomes):
            self.accepted(position, roll)
        low = (1,) * len(dice)
        self.refuses_roll(position, Roll(()))
        self.refuses_roll(position, Roll((*low, 1)))
        self.refuses_roll(position, Roll((0, *low[1:])))
        self.refuses_roll(position, Roll((*low[:-1], dice.sides[-1] + 1)))
        if len(dice) > 1 and dice.sides[0] == dice.sides[1]:
            self.refuses_roll(position, Roll((2, *low[1:])))
        self.refuses_choices(position, ())

    def some(self, items: tuple[Any, ...], most: int = 12) -> Iterator[Any]:
        return iter(items if len(items) <= most else self.chance.sample(items, most))

    def choose(self, position: Any, choices: tuple[Any, ...]) -> None:
        self.hold(isinstance(choices, tuple), "choices are no tuple", position)
        self.hold(bool(choices), "nothing to choose from", position)
        self.hold(len(set(choices)) == len(choices), "a choice is offered twice", position)
        texts = [self.game.choice_text(choice) for choice in choices]
        self.hold(len(set(texts)) == len(texts), "two choices, one text", position)
        for choice, text in self.some(tuple(zip(choices, texts, strict=True))):
            same = self.parsed(position, text) == choice
            self.hold(same, f"choice {text!r} reads otherwise", position)
            self.taken(position, choice)
        self.refuses_roll(position, Roll((1, 1)))
        self.refuses_choices(position, choices)
        for choice in self.some(choices):
            self.foreign[choice] = None

    def parsed(self, position: Any, text: str) -> Any:
        try:
            return self.game.parse_choice(position, text)
        except ShutboxError as error:
            self.fail(f"the offered choice {text!r} is refused ({error})", position, error)

    def over(self, position: Any, over: Over) -> None:
        scoring = self.game.scoring
        if scoring is None:
            self.hold(not over.scores, "scores without scoring", position)
        else:
            low, high = sorted((scoring.best, scoring.worst))
            for score in over.scores:
                self.hold(low <= score <= high, f"the score {score} is out of bounds", position)
        self.refuses_roll(position, Roll((1, 1)))
        self.refuses_choices(position, ())

    def refuses_roll(self, position: Any, roll: Roll) -> None:
        try:
            self.game.rolled(position, roll)
        except IllegalRoll as error:
            self.hold(error.position == position, "a refusal without the position", position)
        else:
            self.fail(f"the illegal {roll!r} is accepted", position)

    def refuses_choices(self, position: Any, offered: tuple[Any, ...]) -> None:
        for choice in self.some(tuple(self.foreign)):
            if choice in offered:
                continue
            try:
                self.game.chosen(position, choice)
            except IllegalChoice as error:
                self.hold(error.position == position, "a refusal without the position", position)
            else:
                self.fail(f"the illegal {choice!r} is accepted", position)

    def nonsense(self, position: Any, awaited: Any) -> None:
        """Text that means nothing is refused with an error of ours, or means a legal choice."""
        offered = awaited.choices if isinstance(awaited, Choose) else ()
        for text in NONSENSE:
            try:
                choice = self.game.parse_choice(position, text)
            except ShutboxError:
                pass
            else:
                self.hold(choice in offered, f"{text!r} reads as an illegal choice", position)
            with suppress(ShutboxError):
                self.game.position_at(text)

    def scene(self, position: Any, awaited: Any) -> None:
        scene = self.game.scene(position)
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        texts = tuple(self.game.choice_text(choice) for choice in choices)
        offered = tuple(offer.text for offer in scene.offers)
        self.hold(offered == texts, "the scene offers other choices", position)
        says = [offer.says.casefold() for offer in scene.offers]
        self.hold(len(set(says)) == len(says), "two offers sound alike", position)
        self.hold(scene.default in (None, *texts), "the default is not offered", position)
        self.hold((scene.default is None) == (not scene.enter), "Enter is not explained", position)
        keys = [piece.key for piece in scene.pieces]
        self.hold(len(set(keys)) == len(keys), "two pieces, one key", position)
        for offer in scene.offers:
            self.hold(set(offer.takes) <= set(keys), f"{offer.text!r} takes no piece", position)
        spoken = [*scene.says, scene.dice, scene.board, scene.score, scene.legal]
        spoken += [offer.done for offer in scene.offers]
        spoken += [scene.ask] if choices else []
        for sentence in spoken:
            self.sentence(sentence, position)

    def sentence(self, text: str, position: Any) -> None:
        whole = text[:1].strip() and text[-1:] in ".?!" and text.isprintable()
        self.hold(bool(whole), f"{text!r} is no complete sentence", position)
