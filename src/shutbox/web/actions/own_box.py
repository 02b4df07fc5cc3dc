"""A box set up by hand: its controls, the code that they produce, and its figures.

The code is the text of the house rules, such as `tiles=1-10,down=2`. The controls show the code.
Changes made by hand since the page was drawn go into the code, and the rest of it stays. So the
form works without script; with script, each press requests the page of the new setup.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shutbox import find
from shutbox.dice import Dice
from shutbox.english import capital, listed
from shutbox.errors import BadFormat, BadVariant, ShutboxError
from shutbox.game import Game
from shutbox.games.box.atoms import COVERS, FEWER, SCORES, Fewer, ScoreRule
from shutbox.messages import gettext, ngettext
from shutbox.picture import miniature, with_dice
from shutbox.solver.options import Number
from shutbox.typed_text import parse_name, read_numbers, write_name, write_numbers
from shutbox.web.actions.context import Caller
from shutbox.web.actions.evenings import FIRST
from shutbox.web.actions.positions import evaluation_for, read_position
from shutbox.web.errors import sentence
from shutbox.web.rooms.forms import Form
from shutbox.web.rooms.numbers import percent, tenth

_CHOSEN: dict[str, Mapping[Any, Any]] = {"fewer": FEWER, "cover": COVERS, "score": SCORES}
BY_HAND = ("tiles", "down", "dice", *_CHOSEN)
"""The rules that have controls, in the order of the code."""
TILES = 24  # tiles that are offered, besides those of the box
SIDES = (4, 6, 8, 10, 12, 20)
_MOST = 60  # numbers of a form that are read


@dataclass(frozen=True, slots=True)
class OwnBox:
    """A box as the form shows it."""

    game: str
    """The game of the catalogue on which it is based."""
    code: str
    """The changed rules as text; empty if there are none."""
    is_box: bool
    """Whether it has controls for setting it up by hand."""
    was: str
    """The controls as they are drawn, to find later what was changed."""
    numbers: tuple[int, ...]
    """The tiles that are offered."""
    tiles: frozenset[int]
    down: frozenset[int]
    dice: int
    sides: int
    chosen: Mapping[str, str]
    """The values of `fewer`, `cover` and `score`."""
    miniature: str
    lines: tuple[tuple[str, bool], ...]
    """The rules in sentences, each with whether it differs from the rules of `game`."""
    one_die: str
    """The sentence about fewer dice; empty if all are always thrown, or if it is no box."""
    average: str
    """What the expected score counts, in words."""
    high_tiles: str
    """The label of the option `fewer=may-top`, with the tiles that must be down first."""
    problems: tuple[str, ...]
    """The errors in the rules; with any, `miniature` and `lines` show `game` without changes."""


def code_of(form: Form) -> str:
    """Return the house rules of a form: as typed, with the changes made by hand.

    >>> code_of(Form([("overrides", "stop_on=7"), ("game", "six"), ("own_of", "six"),
    ...     ("own_was", "tiles=1-2"), ("own_tile", "1"), ("own_dice", "1"), ("own_sides", "6"),
    ...     ("own_fewer", "never"), ("own_cover", "sum"), ("own_score", "sum")]))
    'stop_on=7,tiles=1,dice=1d6,fewer=never,cover=sum,score=sum'

    Raises NotUnderstood if there are such changes and the typed text cannot be read.
    """
    typed = form.one("overrides").strip().removeprefix("(").removesuffix(")")
    if not form.one("own_of") or form.one("own_of") != form.one("game"):
        return typed
    was = dict(part.split("=", 1) for part in form.one("own_was").split(",") if "=" in part)
    changed = {key: text for key, text in _by_hand(form).items() if was.get(key, "-") != text}
    if not changed:
        return typed
    _, options = parse_name(f"box({typed})") if typed else ("", {})
    return ",".join(f"{key}={text}" for key, text in ({**options, **changed}).items())


def _by_hand(form: Form) -> dict[str, str]:
    """Return the rules that the controls show, as text."""
    tiles = form.all("own_tile")
    found = {
        "tiles": _list(tiles),
        # A tile that is not in the box cannot be down.
        "down": _list([number for number in form.all("own_down") if number in tiles]),
        "dice": f"{form.one('own_dice').strip()[:3]}d{form.one('own_sides').strip()[:4]}",
        **{key: form.one(f"own_{key}")[:20] for key in _CHOSEN},
    }
    return {key: text for key, text in found.items() if text and text != "d"}


def _list(texts: Sequence[str]) -> str:
    numbers = {int(text) for text in texts[:_MOST] if text.isascii() and text.isdigit()}
    return write_numbers(sorted(numbers)) if numbers else "-"


def own_box(name: str, form: Form) -> OwnBox:
    """Return the box of a form that is based on the game `name`, with its errors in `problems`.

    An unknown game is such an error, and the box shown is then Classic.

    >>> box = own_box("classic", Form([("overrides", "down=2")]))
    >>> box.code, sorted(box.down), box.lines[1]
    ('down=2', [2], ('Tile 2 is down from the start.', True))
    """
    problems: tuple[str, ...] = ()
    base = game = find(FIRST)
    plain, _, inner = name.partition("(")
    code = form.one("overrides") or inner.strip().removesuffix(")")
    try:
        base = game = _found(plain)
        code = code_of(form) or code
        game = _found(base.name, code)
        code = game.name.partition("(")[2].removesuffix(")")
    except ShutboxError as error:
        problems = faults_of(error)
    options = {key: text for key, text in game.card().options.items() if key in BY_HAND}
    shown = {**options, **(_by_hand(form) if problems and form.one("own_of") else {})}
    is_box = options.keys() == set(BY_HAND)
    tiles, down = (_numbers(shown.get(key, "-")) if is_box else () for key in ("tiles", "down"))
    dice = Dice((6, 6))
    with suppress(ShutboxError):
        dice = Dice.parse(shown["dice"]) if is_box else dice
    known = set(base.card().lines)
    start = {(p.key, p.state) for p in base.scene(base.start()).pieces}
    pieces = game.scene(game.start()).pieces
    return OwnBox(
        base.name,
        code,
        is_box,
        ",".join(f"{key}={_plain(key, text)}" for key, text in options.items()) if is_box else "",
        tuple(sorted({*range(1, TILES + 1), *tiles, *down})),
        frozenset(tiles),
        frozenset(down),
        len(dice),
        dice.sides[0],
        {key: shown[key] for key in _CHOSEN} if is_box else {},
        miniature(with_dice(game), {p.key for p in pieces if (p.key, p.state) not in start}),
        tuple((line, line not in known) for line in game.card().lines),
        _one_die(game) if is_box else "",
        _average(options.get("score", "")),
        _high_tiles(tiles, dice),
        problems,
    )


def _one_die(game: Game[Any, Any]) -> str:
    """Return the sentence of a game's card about throwing fewer dice; empty if there is none."""
    base, own = parse_name(game.name)
    with suppress(ShutboxError):
        plain = find(write_name(base, {**own, "fewer": Fewer.NEVER.value})).card()
        card = game.card()
        differ = [line for line in card.lines if line not in (*plain.lines, card.example)]
        return differ[1] if len(differ) > 1 else ""
    return ""


def _average(score: str) -> str:
    if score == ScoreRule.COVERED.value:
        return gettext("covered on average")
    return gettext("left on average") if score == ScoreRule.SUM.value else gettext("on average")


def _high_tiles(tiles: Sequence[int], dice: Dice) -> str:
    high = [number for number in sorted(tiles) if number > dice.sides[0]]
    if len(dice) == 2 and high:
        return ngettext(
            "When {tiles} is down", "When {tiles} are down", len(high), tiles=listed(high)
        )
    return gettext(FEWER[Fewer.MAY_TOP].short)


def faults_of(error: ShutboxError) -> tuple[str, ...]:
    """Return the errors as sentences that do not name the game or format, which the form shows."""
    if isinstance(error, BadFormat | BadVariant):
        return tuple(f"{capital(problem)}." for problem in error.problems)
    return tuple(sentence(error).splitlines())


def _found(name: str, code: str = "") -> Game[Any, Any]:
    name = f"{name}({code})" if code else name
    read_position(name)  # raises if it exceeds the limits of the server
    return find(name)


def _plain(key: str, text: str) -> str:
    """Return the text of a rule as the controls would write it."""
    return _list([str(number) for number in _numbers(text)]) if key in ("tiles", "down") else text


def _numbers(text: str) -> tuple[int, ...]:
    with suppress(ShutboxError):
        return read_numbers(text)
    return ()


async def figures_of(
    who: Caller, box: OwnBox, known: Mapping[str, tuple[float, float]], *, at_once: str = ""
) -> tuple[str, str] | None:
    """Return the chance to shut a box, and the expected score, as text; "" for an unknown one.

    `known` has both for boxes of the catalogue that need not be solved here. With `at_once`, return
    None if the box must be solved first.
    """
    if box.game in known and not box.code:
        shut, mean = known[box.game]
        return _one_in(shut), tenth(mean)
    if box.is_box and not box.problems:
        if at_once:
            return None
        with suppress(ShutboxError):
            game = _found(box.game, box.code)
            found = await evaluation_for(who, game, game.start(), "mean")
            if found.turns and found.mean is not None:
                return "", gettext("about {number}", number=round(found.mean))
            return _one_in(found.shut or 0), "" if found.mean is None else tenth(found.mean)
    return "", ""


def _one_in(chance: Number) -> str:
    """Return a chance as "1 in N", or in percent if it is over a half; empty if it is 0.

    >>> _one_in(0.0967), _one_in(0.9).split()
    ('1 in 10', ['90', '%'])
    """
    if chance > 0.5:
        return percent(chance)
    return gettext("1 in {number:,}", number=round(1 / chance)) if chance else ""


def rule_choices() -> dict[str, list[tuple[str, str]]]:
    """Return the values of each rule in `_CHOSEN`, each with its short description.

    >>> rule_choices()["cover"][0]
    ('sum', 'Any tiles that add up')
    """
    return {
        key: [(str(atom.value), gettext(row.short)) for atom, row in rows.items()]
        for key, rows in _CHOSEN.items()
    }
