"""The form for a new table: the setup that its fields describe, and the values that it shows.

The form has three parts in any order: the box, the people, and the match. A hidden field has the
setup that the page shows. What differs from it is what the player has just changed, and each
control sets one value. Another hidden field has the setup before that, for "Undo".

A box set up by hand has controls, which produce a code, and figures. The code is the text of the
house rules, such as `tiles=1-10,down=2`. The controls show the code. Changes made by hand since the
page was drawn go into the code, and the rest of it stays. So the form works without script; with
script, each press requests the new setup as JSON.
"""

from collections.abc import Callable, Mapping, Sequence
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
from shutbox.match.format import Payment
from shutbox.output.picture import miniature, pieces_with_dice
from shutbox.web.actions.positions import read_allowed_position
from shutbox.web.errors import sentence
from shutbox.web.pages import setup_rules
from shutbox.web.pages.setup_rules import LENGTHS, Setup, with_format
from shutbox.web.rooms.requests import Form

_MENUS: dict[str, Mapping[Any, Any]] = {"fewer": FEWER, "cover": COVERS, "score": SCORES}
"""The rules that are set by a menu, each with the table of its values."""
BY_HAND = ("tiles", "down", "dice", *_MENUS)  # the rules with controls, in the order of the code
_OFFERED_TILES = 24  # the form offers tiles 1 to 24, and all others of the box
SIDES = (4, 6, 8, 10, 12, 20)
_CHECKBOXES = ("own_tile", "own_down", "points", "chips")  # the names of checkboxes
_MOST_NUMBERS = 60  # of a list of checkboxes; further ones are ignored

_BEGINS = {  # the part of the format for each answer to the question who goes first
    "high-roll": "begins=high-roll,order=seats",
    "rotate": "begins=1,order=rotate",
    "winner": "begins=1,order=winner",
    "seats": "begins=1,order=seats",
}


def _set_preset(setup: Setup, form: Form) -> Setup:
    """Set the box and the match of a preset; "None of these" leaves a match of one round."""
    preset = presets().get(form.one("preset"))
    return Setup(preset.game, str(preset.format)) if preset else Setup(setup.game)


def _set_box(setup: Setup, form: Form) -> Setup:
    """Set all rules of a box, and leave the match."""
    return setup_rules.fit_score(Setup(_find_game(form.one("game")).name, setup.format))


def _set_code(setup: Setup, form: Form) -> Setup:
    """Set the house rules as typed."""
    base = setup.game.partition("(")[0]
    typed = form.one("overrides").strip().removeprefix("(").removesuffix(")")
    return Setup(_find_game(f"{base}({typed})" if typed else base).name, setup.format)


def _set_rules(setup: Setup, form: Form) -> Setup:
    """Set the rules whose controls were changed, unless another box has just been chosen."""
    shown = _read(form.one("shown"), Setup())
    base, own = parse_name(setup.game)
    if base != parse_name(shown.game)[0]:
        return setup
    own |= dict(_by_hand(form).items() - find(shown.game).card().options.items())
    return Setup(_find_game(write_name(base, own)).name, setup.format)


def _set_length(setup: Setup, form: Form) -> Setup:
    """Set what ends the match, and the result that this needs."""
    if (id := form.one("length")) not in LENGTHS:
        return setup
    number = _number(form.one(f"number_{id}"))
    usual = LENGTHS[id].number
    return setup_rules.with_length(setup, LENGTHS[id].atom, usual if number is None else number)


def _set_terms(make_text: Callable[[Form], str]) -> Callable[[Setup, Form], Setup]:
    """Return the function that sets the part of the format which `make_text` returns for a form."""
    return lambda setup, form: with_format(setup, make_text(form), setup.format)


def _chips(form: Form) -> str:
    """Return the chips that everybody pays for a round, or every loser for a point."""
    if (stake := _number(form.one("stake"))) is None:
        return ""
    pays = Payment.DIFFERENCE if form.all("points") else Payment.POT
    return f"stake={stake},pays={pays.value}" if form.all("chips") else "stake=0,pays=pot"


_CONTROLS: tuple[tuple[Callable[[Setup, Form], Setup], tuple[str, ...]], ...] = (
    (_set_preset, ("preset",)),
    (_set_box, ("game",)),
    (_set_code, ("overrides",)),
    (_set_rules, (*(f"own_{key}" for key in ("tile", "down", "dice", *_MENUS)), "own_sides")),
    (lambda setup, form: with_format(setup, form.one("format")), ("format",)),
    (_set_length, (*(f"number_{id}" for id, row in LENGTHS.items() if row.step), "length")),
    (_set_terms(lambda form: _BEGINS.get(form.one("begins"), "")), ("begins",)),
    (_set_terms(lambda form: f"turns={form.one('turns')},stuck=out"), ("turns",)),
    (_set_terms(_chips), ("points", "chips", "stake")),
)
"""The controls in the order in which they set their values, each with the names of its fields.

The last field is always sent with the control, while the others can be checkboxes that are off.
"""


def _sent(form: Form, name: str) -> str | list[str]:
    """Return what was sent for a control; for checkboxes, which can have several values, a list."""
    return form.all(name) if name in _CHECKBOXES else form.one(name)


def _by_hand(form: Form) -> dict[str, str]:
    """Return the house rules that a form's controls show, as text by key."""
    tiles, down = (_numbers(form.all(name)) for name in ("own_tile", "own_down"))
    dice, sides = (in_ascii(form.one(f"own_{name}")).strip()[:4] for name in ("dice", "sides"))
    return {
        "tiles": write_numbers(sorted(tiles)),
        "down": write_numbers(sorted(down & tiles)),  # only a tile of the box can be down
        "dice": f"{dice}d{sides}",
        **{key: form.one(f"own_{key}")[:20] for key in _MENUS if form.all(f"own_{key}")},
    }


def _numbers(texts: Sequence[str]) -> set[int]:
    numbers = (_number(text[:7]) for text in texts[:_MOST_NUMBERS])
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
    now = shown = _read(form.one("shown"), Setup())
    before = form.one("before")
    if form.one("take") == "undo":
        now = _read(before, shown)
    else:
        drawn = _values(shown, form.one("length"))
        for sets, names in _CONTROLS:
            is_sent = form.all(names[-1])
            if is_sent and any(_sent(form, name) != drawn.get(name, "") for name in names):
                try:
                    now = sets(now, form)
                except ShutboxError as error:
                    errors.append(error)
                    sent |= {name: _sent(form, name) for name in names}
    if form.one("shown") and now != shown:  # "Undo" leads to the last setup, and back again
        before = str(shown)
    try:
        ends = now.ends
    except ShutboxError as error:
        errors.append(error)
        ends = ""
    values = {**_values(now, form.one("length")), "before": before, **sent}
    problems = [line for error in errors for line in problem_sentences(error)]
    page = {"values": values, "problems": problems, **_drawing(now, ends)}
    return FormSetup(now, tuple(errors), page)


def _read(text: str, otherwise: Setup) -> Setup:
    """Return the setup that a hidden field has; `otherwise` if there is no such setup."""
    with suppress(ShutboxError):
        game, _, format = text.partition(";")
        return with_format(Setup(_find_game(game).name), format)
    return otherwise


def _values(setup: Setup, wanted: str) -> dict[str, Any]:
    """Return the value of each control for a setup; `wanted` is the length that was chosen."""
    base, _, code = setup.game.partition("(")
    format = Format.parse(setup.format)
    begins = (id for id, text in _BEGINS.items() if with_format(setup, text, setup.format) == setup)
    length, number = setup_rules.length_of(setup, wanted)
    numbers = {id: str(row.number) for id, row in LENGTHS.items() if row.step}
    numbers |= {length: number} if length in numbers else {}
    # The page hides the house rules of a game without tiles, and then does not send them.
    games = find(setup.game), find(setup_rules.DEFAULT_BOX)
    rules = next(filter(_is_box, (game.card().options for game in games)))
    dice = Dice.parse(rules["dice"])
    return {
        "shown": str(setup),
        "game": base,
        "preset": setup.preset.name if setup.preset else "",
        "format": setup.format,
        "length": length,
        **{f"number_{id}": number for id, number in numbers.items()},
        "chips": ["on"] if format.stake else [],
        "points": ["on"] if format.pays is Payment.DIFFERENCE else [],
        "stake": str(format.stake or 1),
        "begins": next(begins, ""),
        "turns": format.turns.value,
        "overrides": code.removesuffix(")"),
        "own_tile": [*map(str, read_numbers(rules["tiles"]))],
        "own_down": [*map(str, read_numbers(rules["down"]))],
        "own_dice": str(len(dice)),
        "own_sides": str(dice.sides[0]),
        **{f"own_{key}": rules[key] for key in _MENUS},
    }


def _is_box(options: Mapping[str, str]) -> bool:
    return options.keys() >= {*BY_HAND}


def _drawing(setup: Setup, ends: str) -> dict[str, Any]:
    """Return the picture, the rules and the words of a setup, given how its match `ends`."""
    game, base = find(setup.game), find(setup.game.partition("(")[0])
    card, known = game.card(), base.card().lines
    is_box = _is_box(card.options)
    tiles = read_numbers(card.options["tiles"]) if is_box else ()
    start = {(p.key, p.state) for p in base.scene(base.start()).pieces}
    new = {p.key for p in game.scene(game.start()).pieces if (p.key, p.state) not in start}
    averages = {"covered": gettext("covered on average"), "sum": gettext("left on average")}
    each = max(Format.parse(setup.format).purses(2))
    box = setup_rules.box_title(setup.game)
    words = {
        "answer-box": box,
        "answer-match": setup.title,
        "foot-box": box,
        "purse": gettext("Everyone starts with {number}.", number=each) if each else "",
        "says-box": gettext("{box}.", box=box),
        "says-match": ends or gettext("{match}.", match=setup.title),
        "says-die": _fewer_dice(game) if is_box else "",
        "average": averages.get(card.options.get("score", ""), gettext("on average")),
        "high-tiles": _high_tiles(tiles, Dice.parse(card.options["dice"])) if is_box else "",
    }
    return {
        "words": words,
        "numbers": sorted({*range(1, _OFFERED_TILES + 1), *tiles}),
        "is_box": is_box,
        "lines": tuple((line, line not in known) for line in card.lines),
        "miniature": miniature(pieces_with_dice(game), new),
    }


def _fewer_dice(game: Game[Any, Any]) -> str:
    """Return the sentence of a game's card about throwing fewer dice; empty if there is none."""
    base, own = parse_name(game.name)
    with suppress(ShutboxError):
        plain = find(write_name(base, {**own, "fewer": Fewer.NEVER.value})).card()
        card = game.card()
        differ = [line for line in card.lines if line not in (*plain.lines, card.example)]
        return differ[1] if len(differ) > 1 else ""  # the first one says how many dice there are
    return ""


def _high_tiles(tiles: Sequence[int], dice: Dice) -> str:
    """Return the label of the rule `may-top`, with the tiles that one of two dice cannot reach."""
    high = [number for number in sorted(tiles) if number > dice.sides[0]]
    if len(dice) == 2 and high:
        return ngettext(
            "When {tiles} is down", "When {tiles} are down", len(high), tiles=listed(high)
        )
    return gettext(FEWER[Fewer.MAY_TOP].label)


def problem_sentences(error: ShutboxError) -> tuple[str, ...]:
    """Return an error as sentences, if possible without the game or format that the form shows."""
    if isinstance(error, BadFormat | BadVariant):
        return tuple(f"{capital(problem)}." for problem in error.problems)
    return tuple(sentence(error).splitlines())


def _find_game(name: str) -> Game[Any, Any]:
    read_allowed_position(name)  # raises if it exceeds the limits of the server
    return find(name)


def rule_choices() -> dict[str, list[tuple[str, str]]]:
    """Return the values of the rules `fewer`, `cover` and `score`, each with a short description.

    >>> rule_choices()["cover"][0]
    ('sum', 'Any tiles that add up')
    """
    return {
        key: [(str(atom.value), gettext(row.label)) for atom, row in rows.items()]
        for key, rows in _MENUS.items()
    }


def seat_rows(form: Form) -> list[tuple[str, str]]:
    """Return the kind of player and the typed name of each seat; without seats, two usual ones."""
    kinds, names = form.all("who"), form.all("name")
    rows = list(zip_longest(kinds, names[: len(kinds)], fillvalue=""))
    return rows or [("me", ""), ("computer:hobbs", "")]
