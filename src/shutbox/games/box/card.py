"""The rule card of a box. Wherever a sentence states a fact, the engine computes it."""

from collections.abc import Collection, Iterator

from shutbox.engine.dice import Dice
from shutbox.engine.english import counted, joined_clauses, listed, number_word, runs
from shutbox.engine.game import Choose
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.games.box.position import Choices, choice_words, spoken_tiles
from shutbox.games.box.rule_tables import COVERS, FEWER, SCORES, SMALL_SUM, CoverRule
from shutbox.games.box.rules import BoxPosition, BoxRules, Variant

_MOST_NAMED = 6  # the most choices that the example names; the others are counted


def lines(rules: BoxRules) -> Iterator[str]:
    """Yield the lines of a box's rule card, each of one or two complete sentences."""
    variant = rules.variant
    yield _tiles(rules)
    if variant.cover is CoverRule.BOTH_OR_SUM:
        yield gettext(
            "A board for this game has number spaces instead of tiles: to cover a number, put a "
            "marker on its space."
        )
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
            "You can cover a tile behind once the one in front of it is down, or both at once."
        )
    yield from beware(rules)
    # Translators: to cover is to put tiles down; said to the player, as a rule.
    yield gettext("If you can cover, you must; if you cannot, your turn ends.")
    yield gettext(SCORES[variant.score].says)
    if variant.weights:
        yield _weights(rules)
    says = gettext_noop("Shut the box and you score {shut}; cover nothing and you score {open}.")
    yield gettext(says, shut=rules.score(0), open=rules.score(rules.start))


def beware(rules: BoxRules) -> Iterator[str]:
    """Yield a sentence for each rule to know before the first throw; `lines` includes them."""
    variant = rules.variant
    if variant.first:
        says = gettext_noop("Your first cover must include {tiles}; if it cannot, your turn ends.")
        yield gettext(says, tiles=listed(variant.first))
    if variant.stop_first:
        totals = listed(variant.stop_first, last="or")
        yield gettext("A total of {totals} on the first throw ends your turn.", totals=totals)
    if variant.stop_on:
        totals = listed(variant.stop_on, last="or")
        yield gettext("A total of {totals} ends your turn.", totals=totals)
    if variant.shut_at:
        # Translators: up are the tiles that still stand; the box is shut once none does.
        yield gettext("{total} or less up wins: the box is shut.", total=variant.shut_at)


def title_words(variant: Variant, changes: Collection[str]) -> Iterator[str]:
    """Yield what is special about a box, for its title; `changes` are the keys of changed rules.

    >>> list(title_words(Variant(tiles=(1, 2, 3)), ("tiles", "cover")))
    ['three tiles', 'house rules']
    """
    if not {"tiles", "behind"}.isdisjoint(changes):
        count = len(variant.tiles) + len(variant.behind)
        yield ngettext("{count} tile", "{count} tiles", count, count=number_word(count))
    if "down" in changes and variant.down:
        # Translators: in a title, after "with": tiles that are down from the start.
        yield gettext("{tiles} down", tiles=runs(variant.down))
    if "dice" in changes:
        yield variant.dice.words
    if {*changes} - {"tiles", "behind", "dice", *(["down"] if variant.down else [])}:
        # Translators: rules of a family or a pub of their own; stands after "with".
        yield pgettext("what differs in a box", "house rules")


def _tiles(rules: BoxRules) -> str:
    number, behind = len(rules.tiles), _in_order(rules.variant.behind)
    facts = {"count": number_word(number), "row": _in_order(rules.variant.tiles), "behind": behind}
    if not behind:
        return ngettext(
            "The box has {count} tile: {row}.", "The box has {count} tiles: {row}.", number, **facts
        )
    return ngettext(
        "The box has {count} tile: {row} in front, and behind them {behind}, in that order.",
        "The box has {count} tiles: {row} in front, and behind them {behind}, in that order.",
        number,
        **facts,
    )


def _in_order(numbers: tuple[int, ...]) -> str:
    if len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] - 1, -1)):
        # Translators: a row whose numbers fall, such as 9 down to 1.
        return gettext("{highest} down to {lowest}", highest=numbers[0], lowest=numbers[-1])
    return runs(numbers) if list(numbers) == sorted(numbers) else listed(numbers)


def _dice(rules: BoxRules) -> Iterator[str]:
    dice, row = rules.variant.dice, FEWER[rules.variant.fewer]
    if template := (rules.variant.behind and row.says_of_two_rows) or row.says:
        condition = _or_more(rules, 1, gettext(template, most=SMALL_SUM))
    else:
        dice = Dice(dice.sides[: rules.dice_open((1 << len(rules.tiles)) - 1)[-1]])
        condition = _by_top(rules, len(dice))
    always = len(dice) == 1 or not condition
    if not dice.are_plain:
        says = gettext_noop("Always throw {dice}.") if always else gettext_noop("Throw {dice}.")
        yield gettext(says, dice=dice)
    elif always:
        yield counted(
            "Always throw one six-sided die.", "Always throw {number} six-sided dice.", len(dice)
        )
    else:
        yield counted("Throw one six-sided die.", "Throw {number} six-sided dice.", len(dice))
    if not always:
        yield condition


def _or_more(rules: BoxRules, fewest: int, condition: str) -> str:
    """Return `condition`, and a second sentence if numbers between `fewest` and all are allowed."""
    if FEWER[rules.variant.fewer].more_dice and len(rules.variant.dice) > fewest + 1:
        return " ".join([condition, gettext("You may also throw more.")])
    return condition


def _by_top(rules: BoxRules, most: int) -> str:
    """Return a sentence on the fewest dice for each highest tile up; "" if that is always `most`.

    `most` is the most dice that are ever thrown.
    """
    tops: dict[int, set[int]] = {}
    for place, tile in enumerate(rules.tiles):
        tops.setdefault(rules.dice_open(1 << place)[0], set()).add(tile.number)
    fewest, may = min(tops), FEWER[rules.variant.fewer].more_dice
    if fewest == most:
        return ""
    if len({*tops, most}) > 2 and len(tops) > 1:
        steps = listed(
            # Translators: so many dice while the highest tile up is one of these.
            gettext("{number} for {tiles}", number=number_word(needed), tiles=runs(tops[needed]))
            for needed in sorted(tops)
        )
        says = gettext_noop("The highest tile up says how many dice you throw: {steps}.")
        if may:
            says = gettext_noop(
                "The highest tile up says how many dice you throw at least: {steps}."
            )
        return gettext(says, steps=steps)
    top = max(tops[fewest])
    if len(tops) == 1:
        says = counted(
            "You may throw one die at any time.", "You may throw {number} dice at any time.", fewest
        )
    elif may:
        says = counted(
            "You may throw one die once every tile above {top} is down.",
            "You may throw {number} dice once every tile above {top} is down.",
            fewest,
            top=top,
        )
    else:
        says = counted(
            "You must throw one die once every tile above {top} is down.",
            "You must throw {number} dice once every tile above {top} is down.",
            fewest,
            top=top,
        )
    return _or_more(rules, fewest, says)


def example(rules: BoxRules) -> str:
    """Return a sentence with the covers of a middling first throw, or "" if no cover is found."""
    sides = rules.variant.dice.sides[0]
    dice = Dice.of(rules.dice_open(rules.start)[-1], sides)
    middle = [min((sides + 1) // 2 + index % 2, sides) for index in range(len(dice))]
    for face in dict.fromkeys([middle[0], *range(sides, 0, -1)]):
        roll = dice.read([face, *middle[1:]])
        awaited = rules.awaits(BoxPosition(rules.start, None, roll))
        if isinstance(awaited, Choose):
            facts = {"roll": listed(roll.pips), "covers": _first_few(rules, awaited.choices)}
            return gettext("For example, a first throw of {roll} can cover {covers}.", **facts)
    return ""


def _first_few(rules: BoxRules, choices: Choices) -> str:
    """Return some choices by name, and how many others there are: `9; 1 and 8; 3 more`."""
    named = [choice_words(rules, choice) for choice in choices[:_MOST_NAMED]]
    if len(choices) > _MOST_NAMED:
        # Translators: the end of a list of choices: so many others are not named.
        named.append(gettext("{number} more", number=len(choices) - _MOST_NAMED))
    return joined_clauses(named)


def _weights(rules: BoxRules) -> str:
    weights = [tile.weight for tile in rules.tiles]
    front, behind = set(weights[: rules.front]), set(weights[rules.front :])
    if len(front) == len(behind) == 1:
        rows = {"front": _times(*front), "behind": _times(*behind)}
        return gettext("Tiles in front count {front}, those behind {behind}.", **rows)
    tiles = {w: sum(1 << i for i, weight in enumerate(weights) if weight == w) for w in weights}
    counts = (
        # Translators: what tiles add to the score, such as "1 to 6 once, 7 double".
        gettext("{tiles} {times}", tiles=spoken_tiles(rules, counting), times=_times(weight))
        for weight, counting in tiles.items()
    )
    # Translators: what tiles add to the score; {counts} are such as "1 to 6 once".
    return gettext("Tiles count: {counts}.", counts="; ".join(counts))


def _times(weight: int) -> str:
    if weight == 1:
        # Translators: a tile adds its number once to the score.
        return pgettext("what a tile counts", "once")
    if weight == 2:
        return pgettext("what a tile counts", "double")
    return gettext("{number} times", number=weight)


def typing(rules: BoxRules) -> str:
    """Return sentences on how to type a choice, with examples from this box."""
    front, behind = rules.variant.tiles, rules.variant.behind
    tiles = " ".join(map(str, dict.fromkeys([min(front), max(front)])))
    says = [gettext("Type tiles with spaces between them, such as {tiles}.", tiles=tiles)]
    if behind:
        # Translators: how to type a tile of the row behind: b7, or 7 behind.
        says.append(gettext("A tile behind is b{tile} or {tile} behind.", tile=max(behind)))
    if FEWER[rules.variant.fewer].more_dice:
        # Translators: how to type with how many dice to throw: 1, or the words one die.
        says.append(gettext("Dice are one die, or 1."))
    return " ".join(says)
