"""The conformance kit, which tests by playing that a game keeps the protocol.

    from shutbox.testing import check
    check(MyGame())

It works for games of the catalogue, for matches and for third-party games.
"""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn, TypeAlias

from shutbox.engine.dice import MOST_OUTCOMES, Dice, Roll
from shutbox.engine.errors import IllegalChoice, IllegalRoll, ShutboxError, TooLarge
from shutbox.engine.game import (
    Choose,
    Game,
    Over,
    Throw,
    check_game,
    circle_refusal,
    rows_of,
    successors,
)
from shutbox.engine.play import Play
from shutbox.engine.typed_text import RESERVED, check_type

Move: TypeAlias = Callable[[Any, Any], Any]
Refusal: TypeAlias = IllegalRoll | IllegalChoice

NONSENSE = (  # texts that must not break any game
    *("", " ", "-1", "0", "9" * 20, "no such thing", "\x00", "½ ٣ 🎲", "1" * 500),
    *("4 4 4 4 4 4 4 4", "/", "1+"),
)


WALKED = 50  # the positions for each play whose successors are searched for a circle
FOLLOWED = 200  # the most successors of a position that are searched
COPIED = 50  # the most positions, and the most choices, that are copied
COPIES: dict[str, Callable[[Any], Any]] = {  # functions that copy an object, by what they make
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda held: pickle.loads(pickle.dumps(held)),
}


class ConformanceError(AssertionError):
    """The error of `check`: a game did what the protocol of games forbids, or failed."""


def check(game: Game[Any, Any], *, plays: int = 10, seed: int = 0, most_events: int = 200) -> int:
    """Test a game against the protocol in random plays, and return the number of positions seen.

    `seed` decides the plays; endless ones stop after `most_events`. The game, its positions and its
    choices must also survive `copy` and `pickle`, so their classes stand at the top of a module:
    pickle finds no class of a function or a doctest. Raises ConformanceError if a check fails, and
    NotUnderstood for an object that is no game, such as its name.

    >>> from shutbox import find
    >>> check(find("classic"), plays=2) > 10
    True
    """
    check_game(game)
    check_type(plays, int)
    check_type(most_events, int)
    kit = _Kit(game, random.Random(seed))
    try:
        kit.check_card()
        for _ in range(plays):
            kit.play(most_events)
        kit.check_no_circle(plays * WALKED)
        kit.check_copies()
    except ConformanceError:
        raise
    except (Exception, SystemExit) as error:
        *_, last = extract_tb(error.__traceback__)
        where = f"{Path(last.filename).name}, line {last.lineno}"
        kit.fail(f"{type(error).__name__} in {where} ({error})", kit.current, error)
    return len(kit.seen)


class _Kit:
    """A checker of one game; `chance` picks dice, choices and which of many things to check."""

    def __init__(self, game: Game[Any, Any], chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.current: Any = None  # the position that is checked; None before the first
        self.seen: dict[str, Any] = {}  # positions by id
        self.path: set[Any] = set()  # the positions of the play so far
        # Choices seen at other positions: legal there, and refused wherever they are not offered.
        self.foreign: dict[Any, None] = {}
        self.numbers: dict[Any, int] = {}  # of the positions, as they are met
        self.before: dict[int, dict[int, None]] = {}  # by position, those that lead to it

    def fail(self, fault: str, position: Any, cause: BaseException | None = None) -> NoReturn:
        """Raise ConformanceError with the fault, a clause, and the position where it came up."""
        raise ConformanceError(f"{self.game.name}: {fault}, at {position!r}") from cause

    def require(self, is_kept: bool, fault: str, position: Any) -> None:
        """Do nothing if a promise of the protocol is kept, else raise ConformanceError."""
        if not is_kept:
            self.fail(fault, position)

    def play(self, most_events: int) -> None:
        """Check every position of a random play, up to its end or so many events."""
        position, longest = self.game.start(), self.game.longest
        self.path.clear()
        for events in range(most_events if longest is None else longest + 1):
            self.path.add(position)
            awaited = self.check_position(position)
            match awaited:
                case Over():
                    return
                case Throw(dice=dice):
                    roll = dice.read([self.chance.randint(1, sides) for sides in dice.sides])
                    position = self.after(self.game.rolled, position, roll, f"legal roll {roll}")
                case Choose(choices=choices):
                    choice = self.chance.choice(choices)
                    label = f"offered choice {self.game.choice_text(choice)!r}"
                    position = self.after(self.game.chosen, position, choice, label)
            self.require(longest is None or events < longest, "longest is exceeded", position)

    def move_legally(self, move: Move, position: Any, what: Any, label: str) -> Any:
        """Return the result of a move that must be legal; if it is refused, `fail` with `label`."""
        try:
            return move(position, what)
        except ShutboxError as error:
            self.fail(f"the {label} is refused ({error})", position, error)

    def after(self, move: Move, position: Any, what: Any, label: str) -> Any:
        """Return the position after a move that must be legal, and not lead back in this play."""
        after = self.move_legally(move, position, what, label)
        self.note_successor(self.number_of(after), self.number_of(position))
        if self.game.longest is not None and after in self.path:
            self.fail(str(circle_refusal(self.game, after)).partition(": ")[2], position)
        return after

    def number_of(self, position: Any) -> int:
        """Return the number of a position: to hash one of a match takes long."""
        return self.numbers.setdefault(position, len(self.numbers))

    def note_successor(self, later: int, earlier: int) -> None:
        """Remember that one position leads to another, both by number."""
        self.before.setdefault(later, {})[earlier] = None

    def check_no_circle(self, most: int) -> None:
        """Check that no position leads back to itself, of the first ones and those of the plays."""
        if self.game.longest is None:
            return
        waiting = [self.game.start()]
        reached = {self.number_of(waiting[0])}
        for position in islice(waiting, most):  # it grows while it is read
            earlier = self.number_of(position)
            with suppress(TooLarge):
                for after in islice(successors(self.game, position), FOLLOWED):
                    later = self.number_of(after)
                    self.note_successor(later, earlier)
                    if later not in reached:
                        reached.add(later)
                        waiting.append(after)
        try:
            TopologicalSorter(self.before).prepare()
        except CycleError as error:
            positions = [*self.numbers]
            circle = [positions[number] for number in error.args[1]]
            path = " -> ".join(map(self.game.position_id, circle))
            why = str(circle_refusal(self.game, circle[0])).partition(": ")[2]
            self.fail(f"{why} ({path})", circle[0])

    def check_copies(self) -> None:
        """Check that the game, a play of it, and what was seen are equal once copied or pickled."""
        start, name = self.game.start(), self.game.name
        seen = (
            *self.sample((*self.seen.values(),), COPIED),
            *self.sample((*self.foreign,), COPIED),
        )
        for how, copied_by in COPIES.items():
            try:
                game, play = copied_by(self.game), copied_by(Play(self.game, start=start))
                copied = [copied_by(each) for each in seen]
            except Exception as error:
                advice = "put classes at the top of a module, and no functions into fields"
                self.fail(f"a {how} fails ({error}); {advice}", start, error)
            same = (game.name, game.start(), play.position) == (name, start, start)
            self.require(same, f"a {how} of the game differs", start)
            for original, twin in zip(seen, copied, strict=True):
                same = twin == original and hash(twin) == hash(original)
                self.require(same, f"a {how} of {original!r} differs", start)

    def check_card(self) -> None:
        """Check the rule card, which does not depend on a position."""
        card = self.game.card()
        self.require(bool(card.title.strip() and card.lines), "the rule card is empty", None)
        self.check_sentences((*card.lines, card.typing), None)

    def check_position(self, position: Any) -> Any:
        """Check all that the protocol says of a position, and return what the game awaits there."""
        self.current = position
        awaited = self.game.awaits(position)
        self.require(awaited == self.game.awaits(position), "awaits answers differently", position)
        id = self.game.position_id(position)
        if rows_of(self.game):
            signs = {*",;[]"} & {*id}
            self.require(not signs, f"the id {id!r} has a sign that matches write", position)
        before = (hash(position), repr(position), id)
        self.require(
            self.seen.setdefault(id, position) == position, "two positions, one id", position
        )
        self.require(
            self.game.position_at(id) == position, f"the id {id!r} reads otherwise", position
        )
        offered: tuple[Any, ...] = ()
        match awaited:
            case Throw(dice=dice):
                self.check_throw(position, dice)
            case Choose(choices=offered):
                self.check_choices(position, offered)
            case Over():
                self.check_end(position, awaited)
            case _:
                self.fail(f"awaits answers {awaited!r}", position)
        if not isinstance(awaited, Throw):
            self.check_refused(self.game.rolled, position, Roll((1, 1)), IllegalRoll)
        for choice in self.sample(tuple(self.foreign)):
            if choice not in offered:
                self.check_refused(self.game.chosen, position, choice, IllegalChoice)
        self.foreign |= dict.fromkeys(self.sample(offered))
        self.check_scene(position, offered)
        self.check_nonsense(position, offered)
        after = (hash(position), repr(position), self.game.position_id(position))
        self.require(before == after, "the position was changed", position)
        return awaited

    def check_throw(self, position: Any, dice: Dice) -> None:
        outcomes: tuple[tuple[Roll, int], ...] = ()
        with suppress(TooLarge):
            outcomes = dice.outcomes()
        weights = sum(weight for _, weight in outcomes)
        self.require(not outcomes or weights == dice.total_weight, "weights do not sum", position)
        self.require(len(outcomes) <= MOST_OUTCOMES, "outcomes without bound", position)
        for roll, _ in self.sample(outcomes):
            self.after(self.game.rolled, position, roll, f"legal roll {roll}")
        low = (1,) * len(dice)
        wrong = [(), (*low, 1), (0, *low[1:]), (*low[:-1], dice.sides[-1] + 1)]
        if len(dice) > 1 and dice.sides[0] == dice.sides[1]:
            wrong.append((2, *low[1:]))
        for pips in wrong:
            self.check_refused(self.game.rolled, position, Roll(pips), IllegalRoll)

    def sample(self, items: tuple[Any, ...], most: int = 12) -> Iterator[Any]:
        """Return an iterator over all items, or if there are more than `most`, over so many."""
        return iter(items if len(items) <= most else self.chance.sample(items, most))

    def check_choices(self, position: Any, choices: tuple[Any, ...]) -> None:
        self.require(isinstance(choices, tuple), "choices are no tuple", position)
        self.require(bool(choices), "nothing to choose from", position)
        self.require(len(set(choices)) == len(choices), "a choice is offered twice", position)
        texts = [self.game.choice_text(choice) for choice in choices]
        self.require(len(set(texts)) == len(texts), "two choices, one text", position)
        for choice, text in self.sample(tuple(zip(choices, texts, strict=True))):
            self.require(
                text.lower() not in RESERVED, f"{text!r} is a word of the terminal", position
            )
            label = f"offered choice {text!r}"
            read = self.move_legally(self.game.parse_choice, position, text, label)
            self.require(read == choice, f"choice {text!r} reads otherwise", position)
            self.after(self.game.chosen, position, choice, label)

    def check_end(self, position: Any, over: Over) -> None:
        scoring = self.game.scoring
        self.require(scoring is not None or not over.scores, "scores without scoring", position)
        low, high = sorted((scoring.best, scoring.worst)) if scoring else (0, 0)
        for score in over.scores:
            self.require(low <= score <= high, f"the score {score} is out of bounds", position)

    def check_refused(self, move: Move, position: Any, what: Any, refusal: type[Refusal]) -> None:
        try:
            move(position, what)
        except refusal as error:
            self.require(error.position == position, "a refusal without the position", position)
        else:
            self.fail(f"the illegal {what!r} is accepted", position)

    def check_nonsense(self, position: Any, offered: tuple[Any, ...]) -> None:
        """Check that each text of NONSENSE is refused by a ShutboxError, or reads as an offer."""
        for text in NONSENSE:
            with suppress(ShutboxError):
                choice = self.game.parse_choice(position, text)
                self.require(choice in offered, f"{text!r} reads as an illegal choice", position)
            with suppress(ShutboxError):
                self.game.position_at(text)

    def check_scene(self, position: Any, choices: tuple[Any, ...]) -> None:
        scene = self.game.scene(position)
        texts = tuple(self.game.choice_text(choice) for choice in choices)
        offered = tuple(offer.text for offer in scene.offers)
        self.require(offered == texts, "the scene offers other choices", position)
        names = [offer.says.casefold() for offer in scene.offers]
        self.require(len(set(names)) == len(names), "two offers sound alike", position)
        self.require(scene.default in (None, *texts), "the default is not offered", position)
        self.require(
            (scene.default is None) == (not scene.enter), "Enter is not explained", position
        )
        keys = [piece.key for piece in scene.pieces]
        self.require(len(set(keys)) == len(keys), "two pieces, one key", position)
        for offer in scene.offers:
            self.require(set(offer.takes) <= set(keys), f"{offer.text!r} takes no piece", position)
        spoken = [*scene.says, scene.dice, scene.board, scene.score, scene.legal]
        question = [scene.ask] if choices else []
        self.check_sentences(
            (*spoken, *(offer.done for offer in scene.offers), *question), position
        )

    def check_sentences(self, texts: tuple[str, ...], position: Any) -> None:
        for text in texts:
            whole = text[:1].strip() and text[-1:] in ".?!" and text.isprintable()
            self.require(bool(whole), f"{text!r} is no complete sentence", position)
