"""Pig, a game in a package of its own: throw one die as often as you like, but beware of a 1.

The score of a turn is the sum of its throws. A 1 ends the turn and loses that sum. To play the
whole game, two players race to 100: `acme.pig[seats=2,target=100,end=stop]`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from shutbox import Choose, Dice, Game, Over, Roll, Throw
from shutbox.engine.english import shown
from shutbox.engine.errors import (
    BadName,
    BadVariant,
    IllegalChoice,
    ImpossiblePosition,
    NotUnderstood,
)
from shutbox.engine.game import Awaited, C, P, RuleCard, Scoring, check_roll, open_choices
from shutbox.engine.game_text import legal_text
from shutbox.engine.scene import Offer, Scene, die_piece
from shutbox.games.family import CatalogueEntry
from shutbox.games.traits import Cost, Encoding, Feature, Traits
from shutbox.match.game import turn_at

SIDES = 6
DIE = Dice.of(1, SIDES)
HOLD, AGAIN = "hold", "throw"  # the choices
LEAST, MOST = 10, 1000  # the targets that can be played


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a turn."""

    total: int = 0  # the sum of the throws; 0 after a 1
    die: int = 0  # the die on the table; 0 before a throw
    held: bool = False


@dataclass(frozen=True)
class Pig:
    """A turn of Pig. Scores from `target` on need no further throw, so there the turn ends."""

    target: int = 100

    @property
    def name(self) -> str:
        """The name in notation; like all names of plugins it has a prefix and a dot."""
        return "acme.pig" if self.target == 100 else f"acme.pig(target={self.target})"

    @property
    def longest(self) -> int:
        """The most events: each throw adds two or more, and a choice follows all but the last."""
        return 2 * ((self.target + 1) // 2) - 1

    @property
    def scoring(self) -> Scoring:
        """The range of the scores: one short of the target, then a 6, is the best."""
        return Scoring(best=self.target + SIDES - 1, worst=0)

    @property
    def traits(self) -> Traits:
        """The facts for solvers, the server and programs that learn."""
        positions = (SIDES + 1) * self.target
        return Traits(
            most_choices=2,
            most_rolls=SIDES,
            most_positions=self.target,
            cost=lambda position: Cost(positions, positions * 1e-5, positions * 400),
            encoding=partial(_encoding, self.scoring.best),
            lasting=True,
        )

    def start(self) -> Position:
        """Return the position before the first throw."""
        return Position()

    def awaits(self, position: Position) -> Awaited[str]:
        """Return a throw, then a choice; after a 1, at the target and once held, the end."""
        if position.die == 0:
            return Throw(DIE)
        if position.die == 1 or position.held or position.total >= self.target:
            return Over((position.total,), shut=position.total >= self.target)
        return Choose((HOLD, AGAIN))

    def rolled(self, position: Position, roll: Roll) -> Position:
        """Return the position after a throw. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        return (
            Position(0, 1) if roll.total == 1 else Position(position.total + roll.total, roll.total)
        )

    def chosen(self, position: Position, choice: str) -> Position:
        """Return the position after a choice. Raises IllegalChoice."""
        if choice not in open_choices(self.awaits(position), position):
            raise IllegalChoice("{choice} is not open", position, choice=shown(str(choice)))
        if choice == HOLD:
            return Position(position.total, position.die, held=True)
        return Position(position.total)

    def position_id(self, position: Position) -> str:
        """Return `17` before a throw, `17/5` after one, and `17/5.held` once held."""
        die = f"/{position.die}" if position.die else ""
        return f"{position.total}{die}{'.held' if position.held else ''}"

    def position_at(self, id: str) -> Position:
        """Return the position of such a text. Raises NotUnderstood and ImpossiblePosition."""
        found = re.fullmatch(r"(0|[1-9][0-9]{0,3})(?:/([1-6])(\.held)?)?", str(id), re.ASCII)
        if found is None:
            raise NotUnderstood(
                "{text} is not a position of Pig; write such as 17 or 17/5", text=shown(str(id))
            )
        position = Position(int(found[1]), int(found[2] or 0), bool(found[3]))
        if reason := self._impossible(position):
            raise ImpossiblePosition(shown(id), (reason,))
        return position

    def _impossible(self, position: Position) -> str:
        if position.die == 1:
            return "after a 1 the total is 0" if position.total or position.held else ""
        before = position.total - position.die
        if before == 1 or not 0 <= before < self.target:
            return f"no throws add up to {position.total} here"
        return (
            "the turn ends at the target" if position.held and position.total >= self.target else ""
        )

    def choice_text(self, choice: str) -> str:
        """Return the choice itself."""
        return choice

    def parse_choice(self, position: Position, text: str) -> str:
        """Return the choice that a word or its first letters mean. Raises NotUnderstood."""
        word = str(text).strip().lower()
        for choice in open_choices(self.awaits(position), position):
            if word and choice.startswith(word):
                return choice
        raise NotUnderstood("{text} is not understood; type hold or throw", text=shown(str(text)))

    def scene(self, position: Position) -> Scene:
        """Return the die, the total and the offers."""
        awaited, total, die = self.awaits(position), position.total, position.die
        shows = f"The die shows {die}." if die else "No die lies there."
        offers: tuple[Offer, ...] = ()
        if isinstance(awaited, Choose):
            keeps, throws = f"You hold {total}.", "The die is thrown again."
            hold = Offer(HOLD, f"hold {total}", keeps, kind="hold", done_by=f"holds {total}.")
            again = Offer(AGAIN, "throw again", throws, ("die",), "throw-again", 1)
            offers = (hold, again)
        over = isinstance(awaited, Over)
        ends = f"A 1: the turn is lost. Score {total}." if die == 1 else f"Score {total}."
        return Scene(
            says=_says(position, shows, ends if over else ""),
            dice=shows,
            board=f"{total} this turn.",
            score=f"Score {total}." if over else f"{total} so far.",
            legal=legal_text(awaited, offers),
            pieces=(die_piece("die", "die", SIDES, die),),
            offers=offers,
            ask=f"{total}: hold, or throw again?" if offers else "",
            says_by=f"threw {die}." if die and not position.held else "",
            score_by=f"score {total}." if over else f"{total} so far.",
            points=total,
            sums=False,
            ends=ends if over else "",
        )

    def card(self) -> RuleCard:
        """Return the rules in sentences."""
        lines = (
            "Throw one die as often as you like; the pips add up.",
            "A 1 ends your turn, and loses all that you threw in it.",
            "Hold, and the sum is your score.",
            f"At {self.target} or more the turn ends by itself.",
        )
        return RuleCard(
            "Pig" if self.target == 100 else f"Pig to {self.target}",
            lines,
            "Type hold or throw.",
            options={"target": str(self.target)},
            shuts=f"reaches {self.target} in one turn",
            shut=f"{self.target} in one turn",
            beware=lines[1:2],
        )


def _says(position: Position, shows: str, ends: str) -> tuple[str, ...]:
    """Return what is said at a position: the die that was thrown, then how the turn ended."""
    told = (shows if position.die and not position.held else "", ends)
    return tuple(filter(None, told))


def _encoding(most: int) -> Encoding:
    """Return the numbers of a position and of a choice, for programs that learn."""
    return Encoding(
        (Feature("total", most), Feature("die", SIDES), Feature("held", 1)),
        (Feature("hold", 1),),
        lambda position: (position.total, position.die, int(position.held)),
        lambda choice: (int(choice == HOLD),),
    )


class Pigs:
    """The games of this package, a family as the catalogue of shutbox uses it."""

    protocol: ClassVar = 1  # the version of the protocol for which the games were written

    def entries(self) -> tuple[CatalogueEntry, ...]:
        """Return an entry for each game."""
        return (
            CatalogueEntry("acme.pig", "Pig", source="", group="", differs="Hold, or throw again"),
        )

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """Return the game with these options as text. Raises BadVariant."""
        target = options.get("target", "100")
        problems = [f"{key} is not an option; target is" for key in options if key != "target"]
        if not re.fullmatch("[0-9]{1,4}", target, re.ASCII) or not LEAST <= int(target) <= MOST:
            problems.append(f"target: {shown(target)} is not a number from {LEAST} to {MOST}")
        if problems:
            raise BadVariant(name, tuple(problems))
        return Pig(int(target))


PIGS = Pigs()


class HoldAt:
    """Holds at 20 points, or as many as its name says: `acme.hold:25`."""

    protocol: ClassVar = 1

    def __init__(self, text: str = "") -> None:
        if not re.fullmatch("[0-9]{0,3}", text, re.ASCII):
            raise BadName("{text} is no number of points; write acme.hold:25", text=shown(text))
        self.points = int(text or 20)

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice; in a game that is not Pig, the first."""
        _, here = turn_at(game, position) or (game, position)
        holds = isinstance(here, Position) and here.total >= self.points
        return choices[0 if holds or not isinstance(here, Position) else -1]
