"""Rule cards are true: every sentence is parsed and compared with the engine.

`CLAIMS` has a pattern for each sentence that a card can contain, and a check that plays the engine
instead of reading the rules that the card was made from. A sentence without a pattern fails, so
every claim is checked. The cards of the whole catalogue and of random boxes are tested.
"""

import random
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, TypeAlias

import pytest

import shutbox
from nightly import one_in
from shutbox import Choose, Dice, Game, Over, Roll, Throw
from shutbox.engine.typed_text import NUMBER_WORDS
from variants import random_name

Up = tuple[str, ...]
"""Names of tiles that are up, as the notation writes them: `7`, `b7`."""

MOST_SUBSETS = 512
"""Boxes with more sets of tiles up than this are held to a random sample of so many."""


def numbers(text: str) -> list[int]:
    """The numbers of a spoken list: `1 to 4, 6, 8 and 9`, `9 down to 1`, `4 or 7`."""
    found: list[int] = []
    for part in re.split(r", | and | or ", text):
        match part.split():
            case [first, "to", last]:
                found += range(int(first), int(last) + 1)
            case [first, "down", "to", last]:
                found += range(int(first), int(last) - 1, -1)
            case [number]:
                found.append(int(number))
            case _:
                raise AssertionError(f"{part!r} is not a list of numbers")
    return found


def number(word: str) -> int:
    return NUMBER_WORDS.get(word) or int(word)


class Asked:
    """One game, asked by playing it."""

    def __init__(self, game: Game[Any, Any], lines: tuple[str, ...]) -> None:
        self.game = game
        self.lines = lines
        self.start = game.position_id(game.start())
        self.tiles: Up = ()
        self.dice = Dice.parse(game.card().options["dice"])
        self.chance = random.Random(game.name)

    @property
    def behind(self) -> Up:
        return tuple(tile for tile in self.tiles if tile.startswith("b"))

    @property
    def front(self) -> Up:
        return tuple(tile for tile in self.tiles if not tile.startswith("b"))

    def said(self, pattern: str) -> re.Match[str] | None:
        return next(filter(None, (re.fullmatch(pattern, line) for line in self.lines)), None)

    def subsets(self) -> Iterator[Up]:
        """Sets of tiles up with which dice are due, every one or a good sample."""
        if 2 ** len(self.tiles) <= MOST_SUBSETS:
            for size in range(1, len(self.tiles) + 1):
                yield from filter(self.goes_on, combinations(self.tiles, size))
            return
        for _ in range(MOST_SUBSETS):
            size = self.chance.randint(1, min(len(self.tiles), 8))
            up = tuple(sorted(self.chance.sample(self.tiles, size), key=self.tiles.index))
            if self.goes_on(up):
                yield up

    def goes_on(self, up: Up) -> bool:
        """Whether the turn is not won with these tiles up."""
        here = self.game.position_at(".".join(up))
        return not isinstance(self.game.awaits(here), Over)

    def seen(self, up: Up) -> list[int]:
        """The numbers up that are not hidden behind a tile that is up."""
        hidden = set()
        if self.behind:
            hidden = {
                back for tile, back in zip(self.front, self.behind, strict=True) if tile in up
            }
        return [value(tile) for tile in up if tile not in hidden]

    def open_dice(self, up: Up) -> list[int]:
        awaited = self.game.awaits(self.game.position_at(".".join(up)))
        if isinstance(awaited, Throw):
            return [len(awaited.dice)]
        assert isinstance(awaited, Choose)
        return [number(self.game.choice_text(choice).split()[0]) for choice in awaited.choices]

    def with_roll(self, up: Up, roll: Roll) -> Any:
        return self.game.position_at(f"{'.'.join(up)}/{roll}")

    def covers(self, up: Up, roll: Roll) -> list[Up] | None:
        """The covers offered; None where the turn is over."""
        awaited = self.game.awaits(self.with_roll(up, roll))
        if isinstance(awaited, Over):
            return None
        assert isinstance(awaited, Choose)
        return [tuple(self.game.choice_text(cover).split()) for cover in awaited.choices]

    def thrown(self, most: int = 200) -> Iterator[tuple[Up, Roll]]:
        """Sets of tiles up, none that is the start, each with rolls that may lie there."""
        sets = [up for up in self.subsets() if ".".join(up) != self.start]
        for up in self.chance.sample(sets, min(most, len(sets))):
            dice = self.dice.sides[: self.chance.choice(self.open_dice(up))]
            yield up, Dice(dice).read([self.chance.randint(1, sides) for sides in dice])

    def first_rolls(self, most: int = 300) -> Iterator[Roll]:
        up = tuple(self.start.split("."))
        for many in self.open_dice(up):
            dice = Dice(self.dice.sides[:many])
            for _ in range(most):
                yield dice.read([self.chance.randint(1, sides) for sides in dice.sides])


def called(text: str, *, rows: int) -> Up:
    """The tiles of a spoken list: `1 and 7`, or `3 and 4 in front and 5 behind` of two rows."""
    if rows == 1:
        return tuple(map(str, numbers(text)))
    match = re.fullmatch(r"(?:(.*) in front)?(?: and )?(?:(.*) behind)?", text)
    assert match is not None, text
    front = map(str, numbers(match[1])) if match[1] else ()
    behind = (f"b{tile}" for tile in numbers(match[2])) if match[2] else ()
    return (*front, *behind)


def value(tile: str) -> int:
    return int(tile.removeprefix("b"))


# What each sentence claims. `said` are the groups of its pattern.

Check: TypeAlias = Callable[[Asked, tuple[str, ...]], None]


def tiles(asked: Asked, said: tuple[str, ...]) -> None:
    many, front, behind = said
    asked.tiles = tuple(str(tile) for tile in numbers(front))
    if behind:
        asked.tiles += tuple(f"b{tile}" for tile in numbers(behind))
    assert len(asked.tiles) == number(many)
    all_up = asked.game.position_at(".".join(asked.tiles))
    tiles_drawn = [
        piece.key for piece in asked.game.scene(all_up).pieces if piece.kind.value == "tile"
    ]
    assert tiles_drawn == list(asked.tiles)


def down(asked: Asked, said: tuple[str, ...]) -> None:
    missing = {str(tile) for tile in numbers(said[0])}
    assert missing == set(asked.tiles) - set(asked.start.split("."))


def dice(asked: Asked, said: tuple[str, ...]) -> None:
    many, notation = said
    thrown = Dice.parse(notation) if notation else Dice.of(number(many), 6)
    assert thrown == Dice(asked.dice.sides[: len(thrown)])
    most = max(max(asked.open_dice(up)) for up in [asked.tiles, *asked.subsets()])
    by_sum = asked.said(r"Once the .*|.* only the 1 is up\..*")  # it is said of any box
    assert most == len(thrown) or (by_sum and most < len(thrown))


def every_choice(asked: Asked, needed: Callable[[Up], int], may: str) -> None:
    for up in asked.subsets():
        fewest = needed(up)
        expected = range(fewest, len(asked.dice) + 1) if may == "may" else [fewest]
        assert asked.open_dice(up) == list(expected), up


def or_more(
    asked: Asked, may: str, more: str | None, fewest: int, needed: Callable[[Up], int]
) -> None:
    """It is said that more dice may be thrown where there is more than one other number."""
    assert bool(more) == (may == "may" and fewest + 1 < len(asked.dice))
    every_choice(asked, needed, may)


def always(asked: Asked, said: tuple[str, ...]) -> None:
    dice(asked, said)
    thrown = number(said[0]) if said[0] else len(Dice.parse(said[1]))
    every_choice(asked, lambda up: thrown, "must")


def at_any_time(asked: Asked, said: tuple[str, ...]) -> None:
    may, fewest, more = said
    or_more(asked, may, more, number(fewest), lambda up: number(fewest))


def once_small(asked: Asked, said: tuple[str, ...]) -> None:
    limit, may, more = said

    def needed(up: Up) -> int:
        return 1 if sum(asked.seen(up)) <= int(limit) else len(asked.dice)

    or_more(asked, may, more, 1, needed)


def once_last(asked: Asked, said: tuple[str, ...]) -> None:
    may, more = said
    or_more(asked, may, more, 1, lambda up: 1 if [*map(value, up)] == [1] else len(asked.dice))


def once_above_is_down(asked: Asked, said: tuple[str, ...]) -> None:
    may, fewest, top, more = said
    [above] = {min(asked.open_dice((tile,))) for tile in asked.tiles if value(tile) > int(top)}

    def needed(up: Up) -> int:
        return number(fewest) if max(map(value, up)) <= int(top) else above

    or_more(asked, may, more, number(fewest), needed)


def by_the_highest(asked: Asked, said: tuple[str, ...]) -> None:
    at_least, steps = said
    by_top: dict[int, int] = {}
    for words, tops in re.findall(r"(\w+) for ((?:(?! \w+ for ).)*)", steps):
        cleaned = re.sub(r"(,| and)$", "", tops)
        by_top |= {top: number(words) for top in numbers(cleaned)}
    assert set(by_top) == {value(tile) for tile in asked.tiles}
    every_choice(asked, lambda up: by_top[max(map(value, up))], "may" if at_least else "must")


def follow(fits: Callable[[list[int], Roll], bool], largest: int = 2) -> Check:
    """Covers later than the first are exactly the fitting ones, as far as rows and totals let."""

    def check(asked: Asked, said: tuple[str, ...]) -> None:
        stopping = asked.said(r"A total of ([0-9, or]*) ends your turn\.")
        stops = set(numbers(stopping[1])) if stopping else set()
        in_front_of = dict(zip(asked.behind, asked.front, strict=False))
        for up, roll in asked.thrown():
            if len(up) > 12 or roll.total in stops:
                continue
            wanted = {
                frozenset(cover)
                for size in range(1, min(largest, len(up)) + 1)
                for cover in combinations(up, size)
                if fits(sorted(map(value, cover)), roll)
                and all(in_front_of.get(tile) not in set(up) - set(cover) for tile in cover)
            }
            offered = asked.covers(up, roll)
            assert {frozenset(cover) for cover in offered or ()} == wanted, (up, roll)

    return check


def both(tiles: list[int], roll: Roll) -> bool:
    return len(set(tiles)) == 2 and tuple(tiles) == roll.pips


def a_die_or_total(tiles: list[int], roll: Roll) -> bool:
    return len(tiles) == 1 and tiles[0] in {*roll.pips, roll.total}


def example(asked: Asked, said: tuple[str, ...]) -> None:
    roll = Roll(tuple(numbers(said[0])))
    offered = asked.covers(tuple(asked.start.split(".")), roll)
    assert offered is not None
    *named, last = said[1].split("; ")
    more = re.fullmatch(r"([0-9]+) more", last)
    if more is None:
        named.append(last)
    assert len(offered) == len(named) + int(more[1] if more else 0)
    rows = 2 if asked.behind else 1
    assert [called(text, rows=rows) for text in named] == offered[: len(named)]


def behind(asked: Asked, said: tuple[str, ...]) -> None:
    assert len(asked.front) == len(asked.behind) > 0
    for up, roll in asked.thrown():
        for cover in asked.covers(up, roll) or ():
            for tile, back in zip(asked.front, asked.behind, strict=True):
                assert back not in cover or tile not in up or tile in cover


def first_cover(asked: Asked, said: tuple[str, ...]) -> None:
    wanted = {str(tile) for tile in numbers(said[0])}
    offered = [asked.covers(tuple(asked.start.split(".")), roll) for roll in asked.first_rolls()]
    assert all(wanted <= set(cover) for covers in offered for cover in covers or ())


def stop_first(asked: Asked, said: tuple[str, ...]) -> None:
    start = tuple(asked.start.split("."))
    stopping = [roll for roll in asked.first_rolls() if roll.total in numbers(said[0])]
    assert all(asked.covers(start, roll) is None for roll in stopping)


def stop_on(asked: Asked, said: tuple[str, ...]) -> None:
    stopping = [(up, roll) for up, roll in asked.thrown() if roll.total in numbers(said[0])]
    assert all(asked.covers(up, roll) is None for up, roll in stopping)
    stop_first(asked, said)


def won(asked: Asked, said: tuple[str, ...]) -> None:
    most = int(said[0])
    for _ in range(200):
        size = asked.chance.randint(1, len(asked.tiles))
        up = tuple(sorted(asked.chance.sample(asked.tiles, size), key=asked.tiles.index))
        assert asked.goes_on(up) == (sum(map(value, up)) > most), up


def must_take(asked: Asked, said: tuple[str, ...]) -> None:
    for up, roll in asked.thrown(60):
        assert asked.covers(up, roll) != []


def scored(asked: Asked, score: Callable[[Up], int]) -> None:
    for up, roll in asked.thrown():
        awaited = asked.game.awaits(asked.with_roll(up, roll))
        if isinstance(awaited, Over):
            assert awaited == Over((score(up),)), (up, roll)


def weight(asked: Asked, tile: str) -> int:
    if asked.said("Tiles in front count .*"):
        match = asked.said(r"Tiles in front count (.*), those behind (.*)\.")
        assert match is not None
        return times(match[2] if tile in asked.behind else match[1])
    match = asked.said(r"Tiles count: (.*)\.")
    for part in match[1].split("; ") if match else ():
        tiles_named = re.fullmatch(r"(.*) (once|double|[0-9]+ times)", part)
        assert tiles_named is not None
        if tile in called(tiles_named[1], rows=2 if asked.behind else 1):
            return times(tiles_named[2])
    assert match is None, f"{tile} has no weight"
    return 1


def times(words: str) -> int:
    return {"once": 1, "double": 2}.get(words) or int(words.removesuffix(" times"))


def sum_up(asked: Asked, said: tuple[str, ...]) -> None:
    scored(asked, lambda up: sum(value(tile) * weight(asked, tile) for tile in up))
    assert asked.game.scoring is not None
    assert asked.game.scoring.low_is_good


def count_up(asked: Asked, said: tuple[str, ...]) -> None:
    scored(asked, lambda up: sum(weight(asked, tile) for tile in up))


def spelled(asked: Asked, said: tuple[str, ...]) -> None:
    scored(asked, lambda up: int("".join(map(str, sorted(map(value, up))))))


def sum_covered(asked: Asked, said: tuple[str, ...]) -> None:
    begins = set(asked.start.split("."))
    scored(
        asked,
        lambda up: sum(value(tile) * weight(asked, tile) for tile in begins - set(up)),
    )
    assert asked.game.scoring is not None
    assert not asked.game.scoring.low_is_good


def weights(asked: Asked, said: tuple[str, ...]) -> None:
    assert all(weight(asked, tile) >= 1 for tile in asked.tiles)


def bounds(asked: Asked, said: tuple[str, ...]) -> None:
    shut, nothing = map(int, said)
    assert asked.game.awaits(asked.game.position_at("-")) == Over((shut,), shut=True)
    start = tuple(asked.start.split("."))
    for roll in asked.first_rolls():
        if asked.covers(start, roll) is None:
            assert asked.game.awaits(asked.with_roll(start, roll)) == Over((nothing,))
    score = asked.game.scene(asked.game.start()).score
    scoring = asked.game.scoring
    low = scoring is None or scoring.low_is_good
    assert score == f"{nothing} {'still up' if low else 'so far'}."


DIE = r"(\w+) (?:die|dice)"
MORE = r"( You may also throw more\.)?"
LOW, HIGH = "low is good", "high is good"

CLAIMS: list[tuple[str, Check]] = [
    (
        r"The box has (\w+) tiles?: (.*?)(?: in front, and behind them (.*), in that order)?\.",
        tiles,
    ),
    (r"Tiles? (.*) (?:is|are) down from the start\.", down),
    (r"Throw (?:(\w+) six-sided (?:die|dice)|([0-9]+d[0-9]+))\.", dice),
    (r"Always throw (?:(\w+) six-sided (?:die|dice)|([0-9]+d[0-9]+))\.", always),
    (rf"You (may) throw {DIE} at any time\.{MORE}", at_any_time),
    (
        r"Once the (?:tiles up|visible tiles) add up to (\d+) or less, you (may|must) throw one "
        rf"die\.{MORE}",
        once_small,
    ),
    (rf"You (may|must) throw one die once only the 1 is up\.{MORE}", once_last),
    (
        rf"You (may|must) throw {DIE} once every tile above (\d+) is down\.{MORE}",
        once_above_is_down,
    ),
    (r"The highest tile up says how many dice you throw( at least)?: (.*)\.", by_the_highest),
    (
        r"Cover any tiles that are up and add up to the throw\.",
        follow(lambda tiles, roll: sum(tiles) == roll.total, largest=12),
    ),
    (
        r"Cover one or two tiles that are up and add up to the throw\.",
        follow(lambda tiles, roll: sum(tiles) == roll.total),
    ),
    (
        r"A board for this game has number spaces instead of tiles: to cover a number, put a "
        r"marker on its space\.",
        lambda asked, said: None,
    ),
    (
        r"Cover the tile of the total, or both tiles of the two dice if the dice differ and "
        r"both tiles are up\.",
        follow(lambda tiles, roll: tiles == [roll.total] or both(tiles, roll)),
    ),
    (
        r"Cover the tile of one die, both tiles of the two dice if the dice differ, or the tile of "
        r"the total\.",
        follow(lambda tiles, roll: a_die_or_total(tiles, roll) or both(tiles, roll)),
    ),
    (
        r"Cover exactly one tile: the number of one of the dice, or of the total\.",
        follow(a_die_or_total),
    ),
    (r"For example, a first throw of (.*) can cover (.*)\.", example),
    (r"You can cover a tile behind once the one in front of it is down, or both at once\.", behind),
    (r"Your first cover must include (.*); if it cannot, your turn ends\.", first_cover),
    (r"A total of (.*) on the first throw ends your turn\.", stop_first),
    (r"A total of ([0-9, or]*) ends your turn\.", stop_on),
    (r"(\d+) or less up wins: the box is shut\.", won),
    (r"If you can cover, you must; if you cannot, your turn ends\.", must_take),
    (rf"Your score is the sum of the tiles still up; {LOW}\.", sum_up),
    (rf"Your score is how many tiles are still up; {LOW}\.", count_up),
    (rf"Your score is the number that the tiles still up spell, lowest first; {LOW}\.", spelled),
    (rf"Your score is the sum of the tiles you put down; {HIGH}\.", sum_covered),
    (r"Tiles (?:count: .*|in front count .*)\.", weights),
    (r"Shut the box and you score (\d+); cover nothing and you score (\d+)\.", bounds),
]

OPTIONS = {
    "down": down,
    "behind": behind,
    "first": first_cover,
    "stop_first": stop_first,
    "stop_on": stop_on,
    "shut_at": won,
    "weights": weights,
}
"""The check of what each option says."""

BOXES = [
    entry.name
    for entry in shutbox.catalogue()
    if "tiles" in shutbox.find(entry.name).card().options
]


def claims(name: str) -> list[Check]:
    """Check every line of a card; the checks that were made."""
    game = shutbox.find(name)
    asked = Asked(game, game.card().lines)
    made = []
    for line in asked.lines:
        fitting = [(m, check) for pattern, check in CLAIMS if (m := re.fullmatch(pattern, line))]
        assert len(fitting) == 1, f"{name}: {line!r} is claimed by {len(fitting)} patterns"
        match, check = fitting[0]
        check(asked, match.groups())
        made.append(check)
    typing = game.card().typing
    assert typing.startswith("Type tiles with spaces between them")
    assert ("one die" in typing) == game.card().options["fewer"].startswith("may-")
    # Every option that is not plain has a sentence of its own.
    options, plain = game.card().options, shutbox.find("two-dice").card().options
    for key, check in OPTIONS.items():
        assert (check in made) == (options[key] != plain[key]), (name, key)
    return made


FEWER_OF_THREE = [
    f"classic({tiles}dice=3d6,fewer={fewer}-top)"
    for tiles in ("", "tiles=7-9,", "tiles=1-6,", "tiles=1-13,", "tiles=11-13,")
    for fewer in ("may", "must")
]


@pytest.mark.parametrize("name", [*BOXES, *FEWER_OF_THREE])
def test_the_card_of_a_box_is_true(name: str) -> None:
    made = claims(name)
    assert made[0] is tiles
    assert made[-1] is bounds
    assert must_take in made
    assert len(set(made)) == len(made)


@pytest.mark.parametrize("first", one_in(5, range(5000, 5060, 6), drawn=True))
def test_the_cards_of_random_boxes_are_true(first: int) -> None:
    for seed in range(first, first + 6):
        name = random_name(random.Random(seed))
        try:
            assert claims(name)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
