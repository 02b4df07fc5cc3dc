"""The form for a new table: its fields, and the values that its page shows for them.

The form has three parts in any order: the box, the people, and the match. A hidden field has the
setup that the page shows. What differs from it is what the player has just changed, and each
control sets one value. Another hidden field has the setup before that, for "Undo".

A box set up by hand has controls, which produce a code, and figures. The code is the text of the
house rules, such as `tiles=1-10,down=2`. The controls show the code. Changes made by hand since the
page was drawn go into the code, and the rest of it stays. So the form works without script; with
script, each press requests the new setup as JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from shutbox.engine.dice import Dice
from shutbox.engine.english import capital, listed
from shutbox.engine.errors import BadFormat, BadVariant, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.typed_text import in_ascii, parse_name, read_numbers, write_name, write_numbers
from shutbox.games.box.rule_tables import COVERS, FEWER, SCORES, Fewer
from shutbox.games.catalogue import find
from shutbox.match import Format, presets
from shutbox.output.picture import miniature, with_dice
from shutbox.solving.options import Number
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import evaluation_for, read_position
from shutbox.web.actions.setup_rules import (
    LENGTHS,
    Setup,
    box_title,
    fitted,
    length_of,
    with_format,
    with_length,
)
from shutbox.web.errors import sentence
from shutbox.web.rooms.numbers import percent, tenth
from shutbox.web.rooms.requests import Form

_CHOSEN: dict[str, Mapping[Any, Any]] = {"fewer": FEWER, "cover": COVERS, "score": SCORES}
BY_HAND = ("tiles", "down", "dice", *_CHOSEN)  # the rules with controls, in the order of the code
TILES = 24  # the form offers tiles 1 to 24, and all others of the box
SIDES = (4, 6, 8, 10, 12, 20)
_MOST = 60  # numbers of a form that are read


BEGINS = {  # the part of the format for each answer to the question who goes first
    "high-roll": "begins=high-roll,order=seats",
    "rotate": "begins=1,order=rotate",
    "winner": "begins=1,order=winner",
    "seats": "begins=1,order=seats",
}


@dataclass(frozen=True, slots=True)
class _Changes:
    """The changes that a form makes to the setup that its page showed.

    Each method returns a setup with the value of its controls, if they were changed.
    """

    form: Form
    shown: Setup
    was: Mapping[str, Any]  # the values of all controls on the page

    def preset(self, now: Setup) -> Setup:
        """A preset sets the box and the match; "None of these" leaves a match of one round."""
        if not self._differs("preset"):
            return now
        preset = presets().get(self.form.one("preset"))
        return Setup(preset.game, str(preset.format)) if preset else Setup(now.game)

    def box(self, now: Setup) -> Setup:
        """A box sets all rules of the box; the match stays."""
        if not self._differs("game"):
            return now
        return fitted(Setup(_found(self.form.one("game")).name, now.format))

    def house_rules(self, now: Setup) -> Setup:
        """The code as typed, with the rule of each changed control put in."""
        typed = self.form.one("overrides").strip().removeprefix("(").removesuffix(")")
        base, name = now.game.partition("(")[0], now.game
        if self._differs("overrides"):
            name = f"{base}({typed})" if typed else base
            with suppress(ShutboxError):  # written in another way, it is no change
                name = now.game if _found(name).name == self.shown.game else name
        before = _by_hand(Form([*_pairs(self.was)]))
        pressed = dict(_by_hand(self.form).items() - before.items())
        if pressed and now.game == self.shown.game:
            _, own = parse_name(name)
            name = write_name(base, {**own, **pressed})
        return now if name == now.game else Setup(_found(name).name, now.format)

    def format(self, now: Setup) -> Setup:
        """The format as typed; a preset that was chosen with it keeps its other keys."""
        if not self._differs("format"):
            return now
        typed = with_format(now, self.form.one("format"))
        if typed.format == self.shown.format:  # written in another way, it is no change
            return now
        is_new = now.format != self.shown.format
        return with_format(now, self.form.one("format"), now.format if is_new else "")

    def length(self, now: Setup) -> Setup:
        """A length ends the match, and brings the result that it needs."""
        id = self.form.one("length")
        if id not in LENGTHS or not self._differs("length", f"number_{id}"):
            return now
        atom, usual, _ = LENGTHS[id]
        number = _number(self.form.one(f"number_{id}"))
        return with_length(now, atom, usual if number is None else number)

    def first_player(self, now: Setup) -> Setup:
        """The answer to the question who goes first."""
        begins = BEGINS.get(self.form.one("begins")) if self._differs("begins") else None
        return with_format(now, begins, now.format) if begins else now

    def chips(self, now: Setup) -> Setup:
        """The chips that everybody pays for a round."""
        on = self.form.all("chips")
        stake = _number(self.form.one("stake"))
        if stake is None or not (on != self.was["chips"] or (on and self._differs("stake"))):
            return now
        return with_format(now, f"stake={stake if on else 0}", now.format)

    def _differs(self, *names: str) -> bool:
        return any(self.form.all(n) and self.form.one(n) != self.was.get(n, "") for n in names)


_STEPS = {  # the changes in their order, with the names of their controls
    _Changes.preset: ("preset",),
    _Changes.box: ("game",),
    _Changes.house_rules: ("overrides", *(f"own_{key}" for key in (*_CHOSEN, "dice", "sides"))),
    _Changes.format: ("format",),
    _Changes.length: ("length", *(f"number_{id}" for id in LENGTHS)),
    _Changes.first_player: ("begins",),
    _Changes.chips: ("chips", "stake"),
}


def _pairs(values: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in values.items():
        yield from ((name, one) for one in ([value] if isinstance(value, str) else value))


def _by_hand(form: Form) -> dict[str, str]:
    """Return the house rules that a form's controls show, as text by key; none if it has none."""
    if not form.all("own_sides"):
        return {}
    tiles, down = (_whole(form.all(name)) for name in ("own_tile", "own_down"))
    dice, sides = (in_ascii(form.one(f"own_{name}")).strip()[:4] for name in ("dice", "sides"))
    return {
        "tiles": write_numbers(sorted(tiles)),
        "down": write_numbers(sorted(down & tiles)),  # only a tile of the box can be down
        "dice": f"{dice}d{sides}",
        **{key: form.one(f"own_{key}")[:20] for key in _CHOSEN if form.all(f"own_{key}")},
    }


def _whole(texts: Sequence[str]) -> set[int]:
    numbers = (_number(text[:7]) for text in texts[:_MOST])
    return {number for number in numbers if number is not None}


def _number(text: str) -> int | None:
    """Return a number in the digits of any script, of at most seven; None for any other text."""
    text = in_ascii(text).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


@dataclass(frozen=True, slots=True)
class FormSetup:
    """The setup that a form describes, the errors in it, and what its page shows."""

    setup: Setup  # without the changes that have errors
    errors: tuple[ShutboxError, ...]
    page: Mapping[str, Any]
    """What the page shows, in plain values. Its `values` has the value of each control by name (a
    list for checkboxes), and its `words` the texts that depend on them by the id of their element.
    `lines` are the rules of the box, each with whether it is changed."""


def setup_of(form: Form) -> FormSetup:
    """Return the setup of a form: the one that its page showed, with the changes made since.

    >>> found = setup_of(Form([("shown", "ten;rounds=3"), ("overrides", "down=2")]))
    >>> str(found.setup), found.page["values"]["before"], found.page["values"]["own_down"]
    ('ten(down=2);rounds=3', 'ten;rounds=3', ['2'])

    A form without a setup starts from Classic. Changes with errors are left out of the setup, and
    their controls show what was sent.
    """
    errors: list[ShutboxError] = []
    sent: dict[str, Any] = {}
    shown, before = Setup(), form.one("before")
    with suppress(ShutboxError):
        shown = _read(form.one("shown")) if form.one("shown") else shown
    now = shown
    if form.one("take") == "undo":
        with suppress(ShutboxError):
            now = _read(before)
    else:
        changes = _Changes(form, shown, _values(shown, form.one("length")))
        for step, names in _STEPS.items():
            try:
                now = step(changes, now)
            except ShutboxError as error:
                errors.append(error)
                sent |= {name: form.one(name) for name in names if form.all(name)}
    if "own_sides" in sent:
        sent |= {name: form.all(name) for name in ("own_tile", "own_down")}
    if form.one("shown") and now != shown:
        before = str(shown)
    try:
        ends = now.ends
    except ShutboxError as error:
        errors.append(error)
        ends = ""
    values = {**_values(now, form.one("length")), "before": before, **sent}
    problems = [line for error in errors for line in faults_of(error)]
    page = {"values": values, "problems": problems, **_drawn(now, ends)}
    return FormSetup(now, tuple(errors), page)


def _read(text: str) -> Setup:
    """Return the setup that a hidden field has. Raises a ShutboxError if there is no such setup."""
    game, _, format = text.partition(";")
    return with_format(Setup(_found(game).name), format)


def _values(setup: Setup, wanted: str) -> dict[str, Any]:
    """Return the value of each control for a setup; `wanted` is the length that was chosen."""
    base, _, code = setup.game.partition("(")
    format = Format.parse(setup.format)
    given = {"begins": "1", "order": "seats", **format.options}
    begins = (key for key, text in BEGINS.items() if given.items() >= _atoms(text).items())
    length, number = length_of(setup, wanted)
    values = {
        "shown": str(setup),
        "game": base,
        "preset": setup.preset.name if setup.preset else "",
        "format": setup.format,
        "length": length,
        **{f"number_{id}": str(usual) for id, (_, usual, step) in LENGTHS.items() if step},
        "chips": ["on"] if format.stake else [],
        "stake": str(format.stake or 1),
        "begins": next(begins, ""),
        "overrides": code.removesuffix(")"),
        "own_tile": [],
        "own_down": [],
        "own_dice": "2",
        "own_sides": "6",
    }
    if f"number_{length}" in values:
        values[f"number_{length}"] = number
    rules = find(setup.game).card().options
    if not rules.keys() >= {*BY_HAND}:
        return values
    dice = Dice.parse(rules["dice"])
    return {
        **values,
        "own_tile": [*map(str, read_numbers(rules["tiles"]))],
        "own_down": [*map(str, read_numbers(rules["down"]))],
        "own_dice": str(len(dice)),
        "own_sides": str(dice.sides[0]),
        **{f"own_{key}": rules[key] for key in _CHOSEN},
    }


def _atoms(text: str) -> dict[str, str]:
    return dict(part.split("=") for part in text.split(","))


def _drawn(setup: Setup, ends: str) -> dict[str, Any]:
    """Return the picture, the rules and the words of a setup, given how its match `ends`."""
    game, base = find(setup.game), find(setup.game.partition("(")[0])
    card, known = game.card(), base.card().lines
    is_box = card.options.keys() >= {*BY_HAND}
    tiles = read_numbers(card.options["tiles"]) if is_box else ()
    start = {(p.key, p.state) for p in base.scene(base.start()).pieces}
    new = {p.key for p in game.scene(game.start()).pieces if (p.key, p.state) not in start}
    averages = {"covered": gettext("covered on average"), "sum": gettext("left on average")}
    each = max(Format.parse(setup.format).purses(2))
    box = box_title(setup.game)
    words = {
        "answer-box": box,
        "answer-match": setup.title,
        "foot-box": box,
        "purse": gettext("Everyone starts with {number}.", number=each) if each else "",
        "says-box": gettext("{box}.", box=box),
        "says-match": ends or gettext("{match}.", match=setup.title),
        "says-die": _one_die(game) if is_box else "",
        "average": averages.get(card.options.get("score", ""), gettext("on average")),
        "high-tiles": _high_tiles(tiles, Dice.parse(card.options["dice"])) if is_box else "",
    }
    return {
        "words": words,
        "numbers": sorted({*range(1, TILES + 1), *tiles}),
        "is_box": is_box,
        "lines": tuple((line, line not in known) for line in card.lines),
        "miniature": miniature(with_dice(game), new),
    }


def _one_die(game: Game[Any, Any]) -> str:
    """Return the sentence of a game's card about throwing fewer dice; empty if there is none."""
    base, own = parse_name(game.name)
    with suppress(ShutboxError):
        plain = find(write_name(base, {**own, "fewer": Fewer.NEVER.value})).card()
        card = game.card()
        differ = [line for line in card.lines if line not in (*plain.lines, card.example)]
        return differ[1] if len(differ) > 1 else ""
    return ""


def _high_tiles(tiles: Sequence[int], dice: Dice) -> str:
    high = [number for number in sorted(tiles) if number > dice.sides[0]]
    if len(dice) == 2 and high:
        return ngettext(
            "When {tiles} is down", "When {tiles} are down", len(high), tiles=listed(high)
        )
    return gettext(FEWER[Fewer.MAY_TOP].short)


def faults_of(error: ShutboxError) -> tuple[str, ...]:
    """Return an error as sentences, if possible without the game or format that the form shows."""
    if isinstance(error, BadFormat | BadVariant):
        return tuple(f"{capital(problem)}." for problem in error.problems)
    return tuple(sentence(error).splitlines())


def _found(name: str) -> Game[Any, Any]:
    read_position(name)  # raises if it exceeds the limits of the server
    return find(name)


async def figures_of(
    who: Caller,
    found: FormSetup,
    known: Mapping[str, tuple[float, float]],
    *,
    at_once: str = "",
) -> tuple[str, str] | None:
    """Return the chance to shut a box, and the expected score, as text; "" if unknown, or chance 0.

    `known` has the chance and the score of catalogue boxes by name, which are not solved here.
    Return None if the box must be solved and `at_once` is not empty.
    """
    name = found.setup.game
    if name in known:
        shut, mean = known[name]
        return _one_in(shut), tenth(mean)
    if found.page["is_box"]:
        if at_once:
            return None
        with suppress(ShutboxError):
            game = find(name)
            worth = await evaluation_for(who, game, game.start(), "mean")
            if worth.turns and worth.mean is not None:
                return "", gettext("about {number}", number=round(worth.mean))
            return _one_in(worth.shut or 0), "" if worth.mean is None else tenth(worth.mean)
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
    """Return the values of the rules `fewer`, `cover` and `score`, each with a short description.

    >>> rule_choices()["cover"][0]
    ('sum', 'Any tiles that add up')
    """
    return {
        key: [(str(atom.value), gettext(row.short)) for atom, row in rows.items()]
        for key, rows in _CHOSEN.items()
    }


def rows_of(form: Form) -> list[tuple[str, str]]:
    """Return (who, typed name) of each seat of a form; the opener and Hobbs if it has no seats."""
    whos, names = form.all("who"), form.all("name")
    rows = list(zip_longest(whos, names[: len(whos)], fillvalue=""))
    return rows or [("me", ""), ("computer:hobbs", "")]
