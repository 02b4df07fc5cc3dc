"""A box as a game of the protocol, the boxes of the catalogue, and boxes from a player's files."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import Word, listed, runs
from shutbox.engine.errors import UnknownGame
from shutbox.engine.game import (
    Awaited,
    Rows,
    RuleCard,
    Scoring,
    check_roll,
    open_choices,
    reads_positions,
    refusal_of_non_choice,
)
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.scene import Scene
from shutbox.engine.typed_text import Reader, bounded, one_of, read_number, read_numbers, write_name
from shutbox.games.box import card
from shutbox.games.box.packed_rules import PackedRules
from shutbox.games.box.position import (
    LONGEST_TEXT,
    parse_choice,
    read_position,
    read_typed,
    refusal,
    tile_names,
    write_choice,
    write_position,
)
from shutbox.games.box.rule_tables import FEWER, SCORES, CoverRule, Fewer, ScoreRule
from shutbox.games.box.rules import (
    BoxPosition,
    BoxRules,
    Choice,
    UseDice,
    Variant,
    find_problems,
)
from shutbox.games.box.scene import scene
from shutbox.games.box.tile_sets import Cover
from shutbox.games.family import Stanzas
from shutbox.games.traits import Encoding, Feature, SetUp, Traits, Typed


# These methods, and those of the protocol, also take a position as text.
@reads_positions("packed", "chosen_unchecked")
@dataclass(frozen=True, repr=False)
class Box:
    """The game that is played with one box, under the rules of one `Variant`.

    >>> box = Box("two-dice", "Two Dice", Variant())
    >>> position = box.rolled(box.start(), Roll((3, 5)))
    >>> [box.choice_text(choice) for choice in box.awaits(position).choices]
    ['8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4']

    Choices are in canonical order: fewest dice first; fewest tiles first, then the highest tile.
    """

    name: str
    title: str = field(compare=False)  # no rule of the game
    variant: Variant = field(hash=False)  # the name says as much, and is hashed faster

    @cached_property
    def rules(self) -> BoxRules:
        """The engine that applies the rules of the variant to positions; made once."""
        return BoxRules(self.variant)

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    @property
    def traits(self) -> Traits:
        """The facts for solvers and pages (see `Traits`), among them the method `packed`.

        They are made anew each time: their functions could not be pickled with the box.
        """
        return Traits(
            most_choices=max(self.rules.most_covers, len(self.variant.dice)),
            most_rolls=self.variant.dice.roll_count,
            most_positions=1 << len(self.rules.tiles),
            cost=lambda position: self.packed(position).cost,
            packed=self.packed,
            encoding=self.encoding,
            sheet=True,
            set_up=SetUp(len(self.variant.dice), self.variant.dice.sides[0], write_position),
            typed=Typed(
                gettext_noop("Which tiles are up? Enter leaves all of them up:"),
                gettext_noop("Type the tiles that are up, such as 1 to 5 and 8, or press Enter."),
                partial(read_typed, self.rules),
            ),
            shut_is_one_score=True,
            lasting=True,
        )

    @property
    def rows(self) -> Rows:
        """The facts for matches with one throw each (see `Rows`)."""
        return Rows(
            rested=lambda position: BoxPosition(position.up),
            score=lambda position: self.rules.score(position.up),
            up=lambda position: runs(self.rules.numbers(position.up)),
            same_dice=self.variant.fewer is Fewer.NEVER,
        )

    def packed(self, position: BoxPosition) -> PackedRules:
        """Return the rules as integers; they hold for all positions with some of its tiles up."""
        return _packed_rules(self.rules, position.up)

    @property
    def longest(self) -> int:
        """The most events of a turn: a throw, a cover and maybe a choice of dice for each tile."""
        return self.rules.start.bit_count() * (3 if FEWER[self.variant.fewer].more_dice else 2)

    @cached_property
    def scoring(self) -> Scoring:
        """The range of scores: from a shut box to every tile up, as if none began down."""
        row = SCORES[self.variant.score]
        if row.low_is_good:
            none_covered = ()
            return Scoring(best=0, worst=row.score(self.rules.tiles, none_covered))
        return Scoring(best=self.rules.score(0), worst=0)

    def start(self) -> BoxPosition:
        """Return the position with all tiles up except those that are down from the start."""
        return BoxPosition(self.rules.start)

    def awaits(self, position: BoxPosition) -> Awaited[Choice]:
        """Return a throw or a choice of dice or tiles; Over if won, stuck or stopped by a total.

        >>> box = Box("two-dice", "Two Dice", Variant())
        >>> box.awaits(box.position_at("1.5.9/1+3"))
        Over(scores=(15,), shut=False, winners=())
        """
        return self.rules.awaits(position)

    def rolled(self, position: BoxPosition, roll: Roll) -> BoxPosition:
        """Return the position with this roll, which can end the turn. Raises IllegalRoll."""
        check_roll(self.rules.awaits(position), position, roll)
        return BoxPosition(position.up, roll=roll)

    def chosen(self, position: BoxPosition, choice: Choice) -> BoxPosition:
        """Return the position after a cover or a choice of dice. Raises IllegalChoice."""
        choices = open_choices(self.rules.awaits(position), position)
        if choice not in choices:
            raise refusal(self.rules, position, choices, choice)
        return _after(position, choice)

    def chosen_unchecked(self, position: BoxPosition, choice: Choice) -> BoxPosition:
        """Return the position after a choice that is known to be open, without checking it."""
        return _after(position, choice)

    def position_id(self, position: BoxPosition) -> str:
        """Return the tiles up, and behind a slash the roll, or how many dice were chosen.

        >>> box = Box("two-dice", "Two Dice", Variant())
        >>> box.position_id(BoxPosition(0b10001, roll=Roll((2, 2))))
        '1.5/2+2'

        With two dice chosen it is `1.5/2d`. A `b3` is a 3 in the row behind.
        """
        names = tile_names(self.rules, position.up)
        text = write_position(names, position.roll.pips if position.roll else ())
        return text if position.dice is None else f"{text}/{position.dice}d"

    def position_at(self, id: str) -> BoxPosition:
        """Parse a text such as `1-9/3+5`. Raises NotUnderstood, or ImpossiblePosition."""
        return read_position(self.rules, id)

    def choice_text(self, choice: Choice) -> str:
        """Return the tiles of a cover, such as `1 7` or `3 b5` (b: behind), or `one die`.

        Raises IllegalChoice for an object that is no choice.
        """
        return write_choice(self.rules, choice)

    def parse_choice(self, position: BoxPosition, text: str) -> Choice:
        """Parse a number of dice, or tiles in any order, with spaces, commas or plus signs between.

        `17` means 1 and 7 if no tile is 17. Raises NotUnderstood, Ambiguous, and IllegalChoice if
        it is not open or no choice is due.
        """
        return parse_choice(self.rules, position, bounded(text, LONGEST_TEXT))

    def scene(self, position: BoxPosition) -> Scene:
        """Return the scene: the tiles in their places, the dice, and the open choices."""
        return scene(self.rules, position)

    def card(self) -> RuleCard:
        """Return the rules in sentences."""
        return RuleCard(
            title=BOXES.title(self.name, self.title, self.variant),
            lines=tuple(card.lines(self.rules)),
            typing=card.typing(self.rules),
            options=BOXES.options(self.variant),
            example=card.example(self.rules),
            beware=tuple(card.beware(self.rules)),
        )

    def encoding(self) -> Encoding:
        """Return the encoding. A position: 1 per tile up, by place, then dice chosen, then faces.

        A choice has a 1 for each tile that it covers, then the number of dice. 0 means none.
        """
        variant, most = self.variant, len(self.variant.dice)
        names = [*map(str, variant.tiles), *(f"b{number}" for number in variant.behind)]
        choice = (*(Feature(name, 1) for name in names), Feature("dice", most))
        faces = (Feature(f"die_{n}", variant.dice.sides[0]) for n in range(1, most + 1))
        # A position begins as a choice does: tiles, then a number of dice.
        return Encoding((*choice, *faces), choice, self._position_vector, self._choice_vector)

    def _position_vector(self, position: BoxPosition) -> tuple[int, ...]:
        pips = () if position.roll is None else position.roll.pips
        none = (0,) * (len(self.variant.dice) - len(pips))
        return (*self._tile_vector(position.up), position.dice or 0, *pips, *none)

    def _choice_vector(self, choice: Choice) -> tuple[int, ...]:
        if isinstance(choice, UseDice):
            return (*self._tile_vector(0), choice.number)
        return (*self._tile_vector(choice.tiles), 0)

    def _tile_vector(self, tiles: int) -> tuple[int, ...]:
        return tuple([tiles >> place & 1 for place in range(len(self.rules.tiles))])


# Cached, because the cost of a position is computed before the position is solved.
_packed_rules = lru_cache(maxsize=4)(PackedRules)


def _after(position: BoxPosition, choice: Choice) -> BoxPosition:
    if isinstance(choice, Cover):
        return BoxPosition(position.up & ~choice.tiles)
    if isinstance(choice, UseDice):
        return BoxPosition(position.up, dice=choice.number)
    raise refusal_of_non_choice(choice, position)


class RuleKey(NamedTuple):
    """The parser for the value of one rule of a box, and the line about the rule in a form."""

    read: Reader
    help: str  # the line in a form, a template; `{words}` are the values of an atom
    words: tuple[str, ...] = ()  # all that an atom can have; empty for other rules


def _atom(kind: type[Word], help: str) -> RuleKey:
    return RuleKey(one_of(kind), help, tuple(str(member.value) for member in kind))


def _read_set(text: str) -> tuple[int, ...]:
    return tuple(sorted(read_numbers(text)))


KEYS: dict[str, RuleKey] = {
    "tiles": RuleKey(read_numbers, gettext_noop("the numbers on the box: 1-9, or 1.3.5")),
    "behind": RuleKey(read_numbers, gettext_noop("a second row, behind the first")),
    "down": RuleKey(_read_set, gettext_noop("tiles that are down from the start")),
    "dice": RuleKey(Dice.parse, gettext_noop("such as 2d6, 1d20")),
    "fewer": _atom(Fewer, gettext_noop("when fewer dice are thrown: {words}")),
    "cover": _atom(CoverRule, "{words}"),
    "first": RuleKey(_read_set, gettext_noop("tiles that the first cover must include")),
    "stop_first": RuleKey(_read_set, gettext_noop("totals that end the turn on the first throw")),
    "stop_on": RuleKey(_read_set, gettext_noop("totals that end it on any throw")),
    "shut_at": RuleKey(read_number, gettext_noop("the total of tiles up that wins the turn: 3")),
    "score": _atom(ScoreRule, "{words}"),
    "weights": RuleKey(read_numbers, gettext_noop("what each tile counts")),
}
"""The keys of all rules, in the order in which names write them."""


def help_texts() -> dict[str, str]:
    """Return, by key, the line that a form shows about each rule of a box."""
    return {key: gettext(row.help, words=listed(row.words, last="or")) for key, row in KEYS.items()}


BOXES = Stanzas(
    file=Path(__file__).with_name("variants.toml"),
    plain=Variant(),
    readers={key: row.read for key, row in KEYS.items()},
    find_problems=find_problems,
    make=Box,
    # Menus list the boxes of source A (see docs/games.md) first.
    group=lambda source: "Boxes" if source.startswith("A ") else "More boxes",
    in_words=card.title_words,
)
"""The family of boxes."""

PLAIN = "two-dice"
"""The box of the catalogue with the default rules. Names of boxes from files begin with it."""


def box_from_file(path: Path | str, id: str = "") -> Box:
    """Return a box of a TOML file; `id` names the stanza if the file has several.

    The game keeps the title of its stanza. Its name contains all its rules, so that saved texts can
    be read without the file. Raises BadVariant for mistakes in the file, UnknownGame if there is no
    such file or stanza, or if `id` is needed.
    """
    path = Path(path)
    stanzas = BOXES.read_file(path)
    first, *others = stanzas
    if (id or others) and id not in stanzas:
        says = gettext_noop("{file} has {stanzas}; say which, such as {file}#{first}")
        raise UnknownGame(says, file=path.name, stanzas=listed(stanzas), first=first)
    entry, rules = stanzas[id or first]
    return Box(write_name(PLAIN, BOXES.differences(rules, BOXES.plain)), entry.title, rules)
