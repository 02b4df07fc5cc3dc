"""The rule card of a box, made by asking the engine wherever a sentence makes a claim."""

from collections.abc import Iterator

from shutbox.dice import Dice
from shutbox.english import dice_words, listed, number_word, runs
from shutbox.game import Choose
from shutbox.games.box.atoms import COVERS, FEWER, SCORES, SMALL_SUM
from shutbox.games.box.notation import said, spoken
from shutbox.games.box.position import BoxPosition
from shutbox.games.box.rules import BoxRules
from shutbox.messages import gettext, ngettext


def lines(rules: BoxRules) -> tuple[str, ...]:
    """The rules, one complete sentence or two a line."""
    return tuple(_lines(rules))


def _lines(rules: BoxRules) -> Iterator[str]:
    variant = rules.variant
    yield _tiles(rules)
    if variant.down:
        yield ngettext(
            "Tile {tiles} is down from the start.",
            "Tiles {tiles} are down from the start.",
            len(variant.down),
            tiles=runs(variant.down),
        )
    yield from _dice(rules)
    yield gettext(COVERS[variant.cover].says)
    if line := example(rules):
        yield line
    if variant.behind:
        yield gettext(
            "A tile behind can be covered once the one in front of it is down, or with it."
        )
    if variant.first:
        yield gettext(
            "The first cover must include {tiles}; if it cannot, the turn ends.",
            tiles=listed(variant.first),
        )
    if variant.stop_first:
        totals = listed(variant.stop_first, last="or")
        yield gettext("A total of {totals} on the first throw ends the turn.", totals=totals)
    if variant.stop_on:
        totals = listed(variant.stop_on, last="or")
        yield gettext("A total of {totals} on any throw ends the turn.", totals=totals)
    yield gettext("If any cover is legal, one must be taken; if none is, the turn ends.")
    if variant.shut_at:
        yield gettext(
            "Once the tiles up total {total} or less, the turn is won: the box is shut.",
            total=variant.shut_at,
        )
    yield gettext(SCORES[variant.score].says)
    if variant.weights:
        yield _weights(rules)
    yield gettext(
        "A shut box scores {shut}; with nothing covered the score is {open}.",
        shut=rules.score(0),
        open=rules.score(rules.start),
    )


def _tiles(rules: BoxRules) -> str:
    variant = rules.variant
    number, row = len(rules.tiles), _in_order(variant.tiles)
    if not variant.behind:
        return ngettext(
            "The box has {count} tile: {row}.",
            "The box has {count} tiles: {row}.",
            number,
            count=number_word(number),
            row=row,
        )
    return ngettext(
        "The box has {count} tile: {row} in front, and behind them {behind}, in that order.",
        "The box has {count} tiles: {row} in front, and behind them {behind}, in that order.",
        number,
        count=number_word(number),
        row=row,
        behind=_in_order(variant.behind),
    )


def _in_order(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] - 1, -1)):
        return gettext("{highest} down to {lowest}", highest=numbers[0], lowest=numbers[-1])
    return runs(numbers) if list(numbers) == sorted(numbers) else listed(numbers)


def _named(dice: Dice) -> str:
    return gettext("{dice} of six sides", dice=dice.words) if dice.sides[0] == 6 else dice.words


def _dice(rules: BoxRules) -> Iterator[str]:
    dice, row = rules.variant.dice, FEWER[rules.variant.fewer]
    if len(dice) == 1:
        condition = ""
    elif row.says:
        says = row.says_of_two_rows if rules.variant.behind and row.says_of_two_rows else row.says
        condition = gettext(says, dice=_or_more(rules, 1), most=SMALL_SUM)
    else:
        condition = _by_top(rules)
    if condition:
        yield gettext("Throw {dice}.", dice=_named(dice))
        yield condition
    else:
        yield gettext("Always throw {dice}.", dice=_named(dice))


def _or_more(rules: BoxRules, fewest: int) -> str:
    """So many dice; and more, where the player may and there are some between them and all."""
    dice = dice_words(fewest)
    if FEWER[rules.variant.fewer].may and len(rules.variant.dice) > fewest + 1:
        return gettext("{dice} or more", dice=dice)
    return dice


def _by_top(rules: BoxRules) -> str:
    """The fewest dice for each highest tile, as the engine answers for that tile alone.

    Empty if all dice are always thrown.
    """
    tops: dict[int, set[int]] = {}
    for place, tile in enumerate(rules.tiles):
        tops.setdefault(rules.dice_open(1 << place)[0], set()).add(tile.number)
    fewest, *more = sorted(tops)
    if fewest == len(rules.variant.dice):
        return ""
    may, dice = FEWER[rules.variant.fewer].may, _or_more(rules, fewest)
    if not more:
        if may:
            return gettext("You may throw {dice} at any time.", dice=dice)
        return gettext("You must throw {dice} at any time.", dice=dice)
    if len(more) == 1:
        top = max(tops[fewest])
        if may:
            return gettext(
                "You may throw {dice} once every tile above {top} is down.", dice=dice, top=top
            )
        return gettext(
            "You must throw {dice} once every tile above {top} is down.", dice=dice, top=top
        )
    steps = listed(
        gettext("{dice} for {tiles}", dice=dice_words(needed), tiles=runs(tops[needed]))
        for needed in (fewest, *more)
    )
    if may:
        return gettext(
            "The highest tile up says how many dice you throw at least: {steps}.", steps=steps
        )
    return gettext("The highest tile up says how many dice you throw: {steps}.", steps=steps)


def example(rules: BoxRules) -> str:
    """What a roll near the middle covers at the start, as the engine answers."""
    sides = rules.variant.dice.sides[0]
    dice = Dice.of(rules.dice_open(rules.start)[-1], sides)
    middle = [min((sides + 1) // 2 + index % 2, sides) for index in range(len(dice))]
    for face in dict.fromkeys([middle[0], *range(sides, 0, -1)]):
        roll = dice.read([face, *middle[1:]])
        awaited = rules.awaits(BoxPosition(rules.start, None, roll))
        if isinstance(awaited, Choose):
            named = [said(rules, cover) for cover in awaited.choices[:6]]
            if more := len(awaited.choices) - len(named):
                named.append(gettext("{number} more", number=more))
            return gettext(
                "For example, a first throw of {roll} can cover {covers}.",
                roll=listed(roll.pips),
                covers="; ".join(named),
            )
    return ""


def _weights(rules: BoxRules) -> str:
    front = {tile.weight for tile in rules.tiles[: rules.front]}
    behind = {tile.weight for tile in rules.tiles[rules.front :]}
    if len(front) == len(behind) == 1:
        return gettext(
            "Tiles in front count {front}, those behind {behind}.",
            front=_times(front),
            behind=_times(behind),
        )
    by_weight: dict[int, int] = {}
    for place, tile in enumerate(rules.tiles):
        by_weight[tile.weight] = by_weight.get(tile.weight, 0) | 1 << place
    counts = (
        gettext("{tiles} {times}", tiles=spoken(rules, tiles), times=_times({weight}))
        for weight, tiles in by_weight.items()
    )
    return gettext("Tiles count: {counts}.", counts="; ".join(counts))


def _times(weights: set[int]) -> str:
    [weight] = weights
    if weight == 1:
        return gettext("once")
    return gettext("double") if weight == 2 else gettext("{number} times", number=weight)


def typing(rules: BoxRules) -> str:
    """How a choice is typed."""
    front, behind = rules.variant.tiles, rules.variant.behind
    tiles = " ".join(map(str, dict.fromkeys([min(front), max(front)])))
    if not behind:
        if FEWER[rules.variant.fewer].may:
            return gettext(
                "Type tiles with spaces, commas or plus signs between them, such as {tiles}; dice "
                "as one die, or 1.",
                tiles=tiles,
            )
        return gettext(
            "Type tiles with spaces, commas or plus signs between them, such as {tiles}.",
            tiles=tiles,
        )
    if FEWER[rules.variant.fewer].may:
        return gettext(
            "Type tiles with spaces, commas or plus signs between them, such as {tiles}; a tile "
            "behind as b{behind} or {behind} behind; dice as one die, or 1.",
            tiles=tiles,
            behind=max(behind),
        )
    return gettext(
        "Type tiles with spaces, commas or plus signs between them, such as {tiles}; a tile "
        "behind as b{behind} or {behind} behind.",
        tiles=tiles,
        behind=max(behind),
    )
