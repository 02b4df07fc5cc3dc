"""The positions and choices of a box as text: written, spoken, typed and refused.

A tile is written as its number; a tile behind another as `b` and its number. Typed text is never
guessed: a word that names a tile of the box means that tile, and `17` means 1 and 7 only on a box
without a tile 17. Integers `up` and `tiles` are sets of tiles: bit i is the tile in place i.
"""

import re
from collections.abc import Iterable, Sequence

from shutbox.engine.dice import Roll
from shutbox.engine.english import dice_words, listed, shown
from shutbox.engine.errors import Ambiguous, IllegalChoice, ImpossiblePosition, NotUnderstood
from shutbox.engine.game import open_choices, refusal_of_non_choice
from shutbox.engine.game_text import refusal_of_choice
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.typed_text import dice_text, normalized, read_numbers, typed_words, was_typed
from shutbox.games.box.rule_tables import COVERS
from shutbox.games.box.rules import BoxPosition, BoxRules, Choice, UseDice
from shutbox.games.box.tile_sets import Cover

Choices = Sequence[Choice]
LONGEST_TEXT = 400  # the most characters of a position or a choice

_DICE_DUE = re.compile(r"([0-9]{1,3})d")
_PIPS = re.compile(r"[0-9]{1,4}(\+[0-9]{1,4})*")
_TILES = re.compile(r"b?[0-9]{1,4}(-[0-9]{1,4})?")
_TILE = re.compile(r"(b?)([0-9]{1,3})")
_DICE_WORDS = re.compile(r"([0-9]{1,3})(?: (?:die|dice))?")


def write_position(tiles: Iterable[str], faces: Sequence[int]) -> str:
    """Return a position as text, from the names of the tiles up and the faces of the dice.

    >>> write_position(["1", "5", "b3"], (2, 2)), write_position([], ())
    ('1.5.b3/2+2', '-')
    """
    text = ".".join(tiles) or "-"
    return f"{text}/{'+'.join(map(str, faces))}" if faces else text


def read_position(rules: BoxRules, id: str) -> BoxPosition:
    """Parse a `position_id`. Raises NotUnderstood, or ImpossiblePosition with every reason."""
    text = normalized(id, LONGEST_TEXT)
    tiles, slash, going_on = text.partition("/")
    if not tiles or (slash and not going_on):
        raise NotUnderstood(
            "{id} is not a position; write the tiles up with dots, then a roll, such as 1.5.9/2+2",
            id=shown(id),
        )
    up, reasons = _read_tiles(rules, tiles)
    position = _read_going_on(rules, up, going_on, reasons) if slash else BoxPosition(up)
    if reasons:
        raise ImpossiblePosition(shown(id, LONGEST_TEXT), tuple(reasons))
    return position


def _read_tiles(rules: BoxRules, text: str) -> tuple[int, list[str]]:
    up = 0
    reasons: list[str] = []
    bits = {name: bit for bit, name in rules.names.items()}
    for part in [] if text == "-" else text.split("."):
        if _TILES.fullmatch(part) is None:
            says = gettext_noop("{part} is not a tile; write tiles such as 7 or 1-9")
            if rules.variant.behind:
                says = gettext_noop("{part} is not a tile; write tiles such as 7, 1-9 or b3")
            raise NotUnderstood(says, part=shown(part))
        for number in read_numbers(part.removeprefix("b")):
            name = f"b{number}" if part[0] == "b" else str(number)
            if name not in bits:
                reasons.append(gettext("the box has no tile {number}", number=name))
            elif up & bits[name]:
                reasons.append(gettext("tile {number} is named twice", number=name))
            up |= bits.get(name, 0)
    return up, list(dict.fromkeys(reasons))


def _read_going_on(rules: BoxRules, up: int, text: str, reasons: list[str]) -> BoxPosition:
    """Parse what follows the slash (`3+5` or `2d`) after tiles `up`; append faults to `reasons`."""
    due = _DICE_DUE.fullmatch(text)
    if due is None and _PIPS.fullmatch(text) is None:
        raise NotUnderstood(
            "{text} after the slash is neither a roll (3+5) nor dice (2d)", text=shown(text)
        )
    pips = [int(face) for face in text.split("+")] if due is None else []
    number = int(due[1]) if due else len(pips)
    sides = rules.variant.dice.sides[0]
    tiles_are_sound = not reasons
    reasons += (
        gettext("a die of {sides} sides shows 1 to {sides}, not {face}", sides=sides, face=face)
        for face in sorted(set(pips) - set(range(1, sides + 1)))
    )
    if rules.is_shut(up):
        if tiles_are_sound:
            reasons.append(gettext("the box is shut, so there is nothing to throw"))
        return BoxPosition(up)
    open_numbers = rules.dice_open(up)
    if number not in open_numbers:
        facts = {"number": number, "open": listed(open_numbers, "or")}
        reasons.append(gettext("the number of dice here is {open}, not {number}", **facts))
    if pips:
        return BoxPosition(up, None, Roll(tuple(sorted(pips))))
    return BoxPosition(up, number if len(open_numbers) > 1 else None)


def tile_names(rules: BoxRules, tiles: int) -> list[str]:
    """Return the names of tiles (bits): front row (`7`), then row behind (`b3`), each ascending."""
    return [name for bit, name in rules.names.items() if tiles & bit]


def spoken_tiles(rules: BoxRules, tiles: int) -> str:
    """Return tiles, given as bits, in spoken words: `1 and 7`, `3 and 4 in front and 5 behind`."""
    front = listed(tile_names(rules, tiles & rules.front_row))
    if not rules.variant.behind:
        return front
    behind = listed(sorted(rules.numbers(tiles & ~rules.front_row)))
    rows = [gettext("{front} in front", front=front)] if front else []
    return listed([*rows, gettext("{behind} behind", behind=behind)] if behind else rows)


def choice_words(rules: BoxRules, choice: Choice) -> str:
    """Return a choice as a voice names it: `1 and 7`, or `one die`."""
    if isinstance(choice, UseDice):
        return dice_words(choice.number)
    return spoken_tiles(rules, choice.tiles)


def write_choice(rules: BoxRules, choice: Choice) -> str:
    """Return a choice as text: tiles, each row ascending (`1 7`, `3 b5`), or dice (`one die`).

    Raises IllegalChoice for any other object.
    """
    if isinstance(choice, UseDice):
        return dice_text(choice.number)
    if not isinstance(choice, Cover):
        raise refusal_of_non_choice(choice, None)
    return " ".join(tile_names(rules, choice.tiles))


def parse_choice(rules: BoxRules, position: BoxPosition, text: str) -> Choice:
    """Parse an open choice. Raises NotUnderstood, Ambiguous (several covers fit), IllegalChoice."""
    choices = open_choices(rules.awaits(position), position)
    words = _words(text)
    if not isinstance(choices[0], UseDice):
        return _parse_cover(rules, position, choices, text, words)
    open_dice = (write_choice(rules, choice) for choice in choices)
    facts = {"text": shown(text), "open": listed(open_dice, last="or")}
    if not words:
        raise NotUnderstood("type {open}", **facts)
    match = _DICE_WORDS.fullmatch(" ".join(words))
    if match is None:
        raise NotUnderstood("{text} is not a number of dice; type {open}", **facts)
    choice = UseDice(int(match[1]))
    if choice not in choices:
        raise IllegalChoice("{text} is not a choice here; type {open}", position, **facts)
    return choice


def _words(text: str) -> list[str]:
    """Return the typed words in notation: `3 in front` and `9 behind` become 3 and b9."""
    named: list[str] = []
    since = 0
    for word in typed_words(text):
        if word == "behind":
            named[since:] = [f"b{name}" if name.isdigit() else name for name in named[since:]]
        elif word not in ("in", "front"):
            named.append(word)
            continue
        since = len(named)
    return named


def read_typed(rules: BoxRules, text: str) -> BoxPosition:
    """Return the position with the tiles up that words mean, such as `1 to 5 and 8`, `all but 3`.

    >>> from shutbox import find
    >>> rules = find("double-shutter").rules
    >>> write_position(tile_names(rules, read_typed(rules, "1 to 3 in front, 7 behind").up), ())
    '1.2.3.b7'

    Raises NotUnderstood, and ImpossiblePosition with every reason.
    """
    words = [word for word in _words(text) if word not in ("is", "are", "up", "tiles")]
    if words in (["all"], ["none"], ["nothing"]):
        return BoxPosition(rules.start if words == ["all"] else 0)
    but = words[:2] == ["all", "but"]
    tiles = ".".join(words[2 * but :]).replace(".to.b", "-").replace(".to.", "-")
    up, reasons = _read_tiles(rules, tiles)
    if reasons:
        raise ImpossiblePosition(shown(text), tuple(reasons))
    return BoxPosition(rules.start & ~up if but else up)


def _parse_cover(
    rules: BoxRules, position: BoxPosition, choices: Choices, text: str, words: list[str]
) -> Cover:
    strange = next((word for word in words if not re.fullmatch(r"b?[0-9]+", word)), None)
    if not words or strange:
        texts = (write_choice(rules, choice) for choice in choices)
        facts = {"example": max(texts, key=lambda text: text.count(" ") == 1)}
        if not strange:
            raise NotUnderstood("type the tiles to cover, such as {example}", **facts)
        raise NotUnderstood(
            "{word} is not a tile; type the tiles to cover, such as {example}, or ? for help",
            word=shown(strange),
            **facts,
        )
    named = {word: _tiles_of(rules, word) for word in words}
    if not all(named.values()):
        fitting = _readings(rules, choices, text, words)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            readings = tuple(write_choice(rules, cover) for cover in fitting)
            raise Ambiguous(
                "{text} can be read as {readings}; put spaces between the tiles",
                readings,
                text=shown(" ".join(words)),
                readings=listed(readings, last="or"),
            )
        unknown = next(word for word in words if not named[word])
        why = gettext("there is no tile {number} here", number=shown(unknown, 12)[1:-1])
        raise refusal_of_choice(why, position, [choice_words(rules, choice) for choice in choices])
    tiles = 0
    for word in words:
        if free := [tile for tile in named[word] if tile & position.up & ~tiles]:
            tiles |= free[0]
        elif sum(named[word]) & position.up:
            raise IllegalChoice("tile {tile} is named more than once", position, tile=word)
        else:
            raise IllegalChoice("tile {tile} is already down", position, tile=word)
    if Cover(tiles) not in choices:
        raise refusal(rules, position, choices, Cover(tiles))
    return Cover(tiles)


def _tiles_of(rules: BoxRules, word: str) -> list[int]:
    """Return the bits of the tiles that a word names: 3 and b3 for `3`, b3 for `b3`; [] if none."""
    match = _TILE.fullmatch(word)
    name = f"{match[1]}{int(match[2])}" if match else ""
    meant = {name, f"b{name}"}
    return [tile for tile, known in rules.names.items() if known in meant]


def _readings(rules: BoxRules, choices: Choices, text: str, words: list[str]) -> list[Cover]:
    """Return the open covers that words typed without spaces can mean, such as 1 and 7 for 17."""
    digits = sorted("".join(words))
    return [
        cover
        for cover in choices
        if isinstance(cover, Cover)
        and sorted("".join(names := tile_names(rules, cover.tiles))) == digits
        and _spells(words, names)
        and all(was_typed(word, text) for word in words)
    ]


def _spells(words: list[str], names: list[str]) -> bool:
    """Whether the words are the names, run together in any order, each used exactly once."""
    if not words:
        return not names
    if not words[0]:
        return _spells(words[1:], names)
    return any(
        _spells([words[0][len(name) :], *words[1:]], [*names[:index], *names[index + 1 :]])
        for index, name in enumerate(names)
        if words[0].startswith(name)
    )


def refusal(
    rules: BoxRules, position: BoxPosition, choices: Choices, choice: object
) -> IllegalChoice:
    """Return the error that refuses `choice`: it is no choice, or none of the open `choices`."""
    if not isinstance(choice, Cover | UseDice):
        return refusal_of_non_choice(choice, position)
    if isinstance(choice, UseDice):
        why = gettext("the number of dice here cannot be {number}", number=choice.number)
    elif isinstance(choices[0], UseDice):
        why = gettext("the dice come before the tiles")
    else:
        why = _why_not(rules, position, choice.tiles)
    return refusal_of_choice(why, position, [choice_words(rules, choice) for choice in choices])


def _why_not(rules: BoxRules, position: BoxPosition, tiles: int) -> str:
    """Return the first reason why these tiles cannot be covered at a position with a roll."""
    assert position.roll is not None  # covers are chosen only after a roll
    if not 0 < tiles < 1 << len(rules.tiles):
        return gettext("no such tiles are in the box")
    names, numbers = spoken_tiles(rules, tiles), rules.numbers(tiles)
    if tiles & ~position.up:
        down = tiles & ~position.up
        names = spoken_tiles(rules, down)
        return ngettext("{tiles} is not up", "{tiles} are not up", down.bit_count(), tiles=names)
    if blocking := rules.blockers(Cover(tiles)) & position.up:
        return ngettext(
            "{tiles} cannot be covered while {blockers} is up",
            "{tiles} cannot be covered while {blockers} are up",
            blocking.bit_count(),
            tiles=names,
            blockers=spoken_tiles(rules, blocking),
        )
    if fault := COVERS[rules.variant.cover].fault(names, numbers, position.roll):
        return fault
    if rules.is_first(position.up) and not set(rules.variant.first) <= set(numbers):
        return gettext("the first cover must include {first}", first=listed(rules.variant.first))
    return gettext("{tiles} cannot be covered with {roll}", tiles=names, roll=position.roll)
