"""The form for a new table: its fields, and the values that its page shows for them.

The form has three parts in any order: the box, the people, and the match. Its hidden fields are the
rules that the page shows. What differs from them is what the player has just changed.

A box set up by hand has controls, which produce a code, and figures. The code is the text of the
house rules, such as `tiles=1-10,down=2`. The controls show the code. Changes made by hand since the
page was drawn go into the code, and the rest of it stays. So the form works without script; with
script, each press requests the new setup as JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from shutbox.engine.dice import Dice
from shutbox.engine.english import capital, listed
from shutbox.engine.errors import BadFormat, BadVariant, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.typed_text import (
    in_ascii,
    parse_name,
    read_numbers,
    write_name,
    write_numbers,
)
from shutbox.games.box.rule_tables import COVERS, FEWER, SCORES, Fewer
from shutbox.games.catalogue import find
from shutbox.match import presets
from shutbox.output.picture import miniature, with_dice
from shutbox.solving.options import Number
from shutbox.web.actions import evenings
from shutbox.web.actions.context import Caller
from shutbox.web.actions.evenings import FIRST, LENGTHS, PLAIN, Rules
from shutbox.web.actions.positions import evaluation_for, read_position
from shutbox.web.errors import sentence
from shutbox.web.rooms.numbers import percent, tenth
from shutbox.web.rooms.requests import Form

_CHOSEN: dict[str, Mapping[Any, Any]] = {"fewer": FEWER, "cover": COVERS, "score": SCORES}
BY_HAND = ("tiles", "down", "dice", *_CHOSEN)  # the rules with controls, in the order of the code
TILES = 24  # the form offers tiles 1 to 24, and all others of the box
SIDES = (4, 6, 8, 10, 12, 20)
_MOST = 60  # numbers of a form that are read


@dataclass(frozen=True, slots=True)
class OwnBox:
    """The box that a form describes: a game, its house rules, and the errors in them."""

    game: str  # the game of the catalogue on which it is based
    code: str  # the changed rules as text; empty if there are none
    problems: tuple[str, ...]  # the errors in the rules
    setup: Mapping[str, Any]
    """The values about it that `setup_of` returns. `lines` are the rules, each with whether it is
    changed. If the rules have errors, `lines` and `miniature` are those of `game` unchanged."""

    @property
    def name(self) -> str:
        """The name of the box with its house rules, even if these have errors."""
        return f"{self.game}({self.code})" if self.code else self.game


def code_of(form: Form) -> str:
    """Return a form's house rules as text: those typed, with each changed control's rule put in.

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
    """Return the house rules that a form's controls show, as text by key, except empty ones."""
    tiles, down = (_whole(form.all(name)) for name in ("own_tile", "own_down"))
    found = {
        "tiles": _list(tiles),
        "down": _list(down & tiles),  # a tile that is not in the box cannot be down
        "dice": f"{form.one('own_dice').strip()[:3]}d{form.one('own_sides').strip()[:4]}",
        **{key: form.one(f"own_{key}")[:20] for key in _CHOSEN},
    }
    return {key: text for key, text in found.items() if text and text != "d"}


def _whole(texts: Sequence[str]) -> set[int]:
    return {int(text[:7]) for text in texts[:_MOST] if text.isascii() and text.isdigit()}


def _list(numbers: Iterable[int]) -> str:
    return write_numbers(sorted({*numbers}))


def own_box(name: str, form: Form) -> OwnBox:
    """Return a form's box, based on the game `name`, with its errors in `problems`.

    House rules in `name` count if the form has none. For an unknown game, the box is Classic.

    >>> box = own_box("classic", Form([("overrides", "down=2")]))
    >>> box.code, box.setup["values"]["own_down"], box.setup["lines"][1]
    ('down=2', ['2'], ('Tile 2 is down from the start.', True))
    """
    problems: tuple[str, ...] = ()
    base = game = find(FIRST)
    plain, _, inner = name.partition("(")
    code = form.one("overrides") or inner.strip().removesuffix(")")
    try:
        base = game = _found(plain)
        code = code_of(form) or code
        game = _found(f"{base.name}({code})" if code else base.name)
        code = game.name.partition("(")[2].removesuffix(")")
    except ShutboxError as error:
        problems = faults_of(error)
    card, known = game.card(), base.card().lines
    drawn = {key: text for key, text in card.options.items() if key in BY_HAND}
    is_box = drawn.keys() == set(BY_HAND)
    shown = {**drawn, **(_by_hand(form) if problems and form.one("own_of") else {})}
    tiles, down = (_numbers(shown.get(key, "-")) if is_box else () for key in ("tiles", "down"))
    dice = Dice((6, 6))
    with suppress(ShutboxError):
        dice = Dice.parse(shown["dice"]) if is_box else dice
    for key in ("tiles", "down"):
        drawn[key] = _list(_numbers(drawn.get(key, "-")))
    start = {(p.key, p.state) for p in base.scene(base.start()).pieces}
    new = {p.key for p in game.scene(game.start()).pieces if (p.key, p.state) not in start}
    values = {
        "overrides": code,
        "own_of": base.name,
        "own_was": ",".join(f"{key}={text}" for key, text in drawn.items()) if is_box else "",
        "own_tile": [*map(str, tiles)],
        "own_down": [*map(str, down)],
        "own_dice": str(len(dice)),
        "own_sides": str(dice.sides[0]),
        **{f"own_{key}": shown[key] for key in _CHOSEN if is_box},
    }
    averages = {"covered": gettext("covered on average"), "sum": gettext("left on average")}
    words = {
        "says-die": _one_die(game) if is_box else "",
        "average": averages.get(card.options.get("score", ""), gettext("on average")),
        "high-tiles": _high_tiles(tiles, dice),
    }
    setup = {
        "values": values,
        "words": words,
        "numbers": sorted({*range(1, TILES + 1), *tiles, *down}),
        "is_box": is_box,
        "lines": tuple((line, line not in known) for line in card.lines),
        "miniature": miniature(with_dice(game), new),
    }
    return OwnBox(base.name, code, problems, setup)


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


def _numbers(text: str) -> tuple[int, ...]:
    with suppress(ShutboxError):
        return read_numbers(text)
    return ()


async def figures_of(
    who: Caller, box: OwnBox, known: Mapping[str, tuple[float, float]], *, at_once: str = ""
) -> tuple[str, str] | None:
    """Return the chance to shut a box, and the expected score, as text; "" if unknown, or chance 0.

    `known` has the chance and the score of catalogue boxes by name, which are not solved here.
    Return None if the box must be solved and `at_once` is not empty.
    """
    if box.game in known and not box.code:
        shut, mean = known[box.game]
        return _one_in(shut), tenth(mean)
    if box.setup["is_box"] and not box.problems:
        if at_once:
            return None
        with suppress(ShutboxError):
            game = find(box.name)
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
    """Return the values of the rules `fewer`, `cover` and `score`, each with a short description.

    >>> rule_choices()["cover"][0]
    ('sum', 'Any tiles that add up')
    """
    return {
        key: [(str(atom.value), gettext(row.short)) for atom, row in rows.items()]
        for key, rows in _CHOSEN.items()
    }


BEGINS = {  # the atoms of the format for each answer to the question who goes first
    "high-roll": {"begins": "high-roll", "order": "seats"},
    "rotate": {"begins": "1", "order": "rotate"},
    "winner": {"begins": "1", "order": "winner"},
    "seats": {"begins": "1", "order": "seats"},
}


@dataclass(frozen=True, slots=True)
class FormRules:
    """The box and the rules that a form describes, with any question to the visitor about them."""

    own: OwnBox
    rules: Rules
    before: str  # the box that comes back once the preset is removed
    is_chosen: bool = False  # whether these are the rules of a choice that was just made
    question: dict[str, Any] | None = None  # about a choice that is not applied yet


def form_rules(form: Form) -> FormRules:
    """Return the box and rules of a form, with the box, match or length just chosen applied.

    A choice that would drop rules set by hand, or would change others besides, is not applied until
    the visitor agrees: see `FormRules.question`.
    """
    preset, is_new = presets().get(form.one("preset")), not form.all("preset_was")
    game = form.one("game") or (preset.game if preset else FIRST)
    game_was = form.one("game_was") or game
    was = form.one("preset" if is_new else "preset_was")
    own = own_box(game_was, form.changed("game", game_was))
    now = Rules(own.name, was, form.one("format"), form.one("score_before"))
    now = evenings.with_atoms(now, _by_control(form))
    before = form.one("game_before") or (
        FIRST if is_new and preset and not form.one("game") else ""
    )
    wanted, chosen = form.one("preset"), before
    length = _length(form)
    if game != game_was:
        chosen = ""
    elif wanted != was:
        game = preset.game if preset else before or game_was
        chosen = (before or own.game) if preset else ""
    is_same = (game, wanted) == (game_was, was)
    if form.one("take") == "no" or (is_same and not length):
        return FormRules(own, now, before)
    try:
        if is_same and length:
            choice = evenings.choose_length(now, *length)
            title = choice.rules.title
        else:
            choice = evenings.choose(now, game, wanted)
            title = preset.title if preset and wanted != was else find(game).card().title
    except ShutboxError as error:  # the box shows what is wrong
        if length:
            return FormRules(replace(own, problems=faults_of(error)), now, before)
        return FormRules(own_box(game, form), Rules(game, wanted, now.format), chosen)
    if choice.asks and form.one("take") != "yes":
        return FormRules(own, now, before, question=_question(title, choice.changes))
    return FormRules(own_box(choice.rules.game, Form([])), choice.rules, chosen, is_chosen=True)


def _by_control(form: Form) -> dict[str, str]:
    """Return the settings of the format whose controls were just changed, by name, as text."""
    changed: dict[str, str] = {}
    if was := form.one("stake_was"):
        stake = in_ascii(form.one("stake"))[:7] if form.one("chips") else "0"
        if stake.isascii() and stake.isdigit() and stake != was:
            changed["stake"] = stake
    if form.one("begins") in BEGINS and form.one("begins") != form.one("begins_was"):
        changed |= BEGINS[form.one("begins")]
    return changed


def _length(form: Form) -> tuple[str, int] | None:
    """Return a length just chosen, as a setting of the format and its number; None if none was."""
    id = form.one("length")
    if id not in LENGTHS or not form.all("length_was"):
        return None
    atom, number, step = LENGTHS[id]
    text = in_ascii(form.one(f"number_{id}"))
    if step and text.isascii() and text.isdigit() and len(text) < 8:
        number = int(text)
    return (atom, number) if f"{id} {number}" != form.one("length_was") else None


def setup_of(form: Form) -> tuple[FormRules, dict[str, Any]]:
    """Return the rules of a form, and a dict of what its page shows, in plain values.

    Its `values` has the value of each control by name (a list for checkboxes), and its `words` the
    texts that depend on them by the id of their element; its other keys are fields of `OwnBox` and
    `FormRules`.
    """
    found = form_rules(form)
    own, rules = found.own, found.rules
    problems, title, ends, purse = own.problems, "", "", ""
    length, number, stake, begins = "", "0", 0, "seats"
    try:
        length, number = evenings.length_of(rules, form.one("length"))
        title, ends, stake = rules.title, rules.ends, rules.played.stake
        given = {**PLAIN, **rules.played.options}
        begins = next((b for b, atoms in BEGINS.items() if given.items() >= atoms.items()), "")
        if stake:
            each = max(rules.played.purses(2))
            purse = gettext("Everyone starts with {number}.", number=each)
    except ShutboxError as error:
        problems = problems or faults_of(error)
    numbers = {f"number_{id}": str(usual) for id, (_, usual, step) in LENGTHS.items() if step}
    if f"number_{length}" in numbers:
        numbers[f"number_{length}"] = number
    waiting = (*numbers, "game", "preset", "length")  # controls that show the choice in question
    values = {
        **numbers,
        "game": own.game,
        "game_was": own.game,
        "game_before": found.before,
        "preset": rules.preset,
        "preset_was": rules.preset,
        "score_before": rules.score_before,
        "length": length,
        "length_was": f"{length} {number}",
        "format": rules.format,
        "chips": ["on"] if stake else [],
        "stake": str(stake or 1),
        "stake_was": str(stake),
        "begins": begins,
        "begins_was": begins,
        **own.setup["values"],
        **{name: form.one(name) for name in waiting if found.question and form.all(name)},
    }
    box = evenings.box_title(own.game if own.problems else rules.by_hand.game)
    words = {
        "answer-box": box,
        "answer-match": title,
        "foot-box": box,
        "purse": purse,
        "says-box": gettext("{box}.", box=box),
        **own.setup["words"],
        "says-match": ends or (gettext("{match}.", match=title) if title else ""),
    }
    shown = {"values": values, "words": words, "problems": problems, "question": found.question}
    return found, {**own.setup, **shown}


def _question(choice: str, rows: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """Return what to ask about a choice, given its title; `rows` are as in `Choice.changes`."""
    changed = [old for _, old, new in rows if old != new]
    facts: dict[str, Any] = {"choice": choice, "number": len(changed)}
    keeps = (
        gettext("Keep {rule}", rule=changed[0]) if len(changed) == 1 else gettext("Keep my rules")
    )
    return {
        "title": ngettext(
            "{choice} changes one rule", "{choice} changes {number} rules", len(changed), **facts
        ),
        "keep": keeps,
        "rows": rows,
    }


def rows_of(form: Form) -> list[tuple[str, str]]:
    """Return (who, typed name) of each seat of a form; the opener and Hobbs if it has no seats."""
    whos, names = form.all("who"), form.all("name")
    rows = list(zip_longest(whos, names[: len(whos)], fillvalue=""))
    return rows or [("me", ""), ("computer:hobbs", "")]
