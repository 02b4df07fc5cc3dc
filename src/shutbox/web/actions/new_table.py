"""The form for a new table: from its fields to what the page shows, on a server or on a device.

The form has three parts in any order: the box, the people, and the match. Its hidden fields are the
rules that the page shows. What differs from them is what the player has just changed.
"""

from dataclasses import dataclass, replace
from typing import Any

from shutbox.errors import ShutboxError
from shutbox.games.catalogue import find
from shutbox.match import presets
from shutbox.messages import gettext, ngettext
from shutbox.web.actions.evenings import (
    FIRST,
    LENGTHS,
    PLAIN,
    Choice,
    Rules,
    box_title,
    choose,
    choose_length,
    length_of,
    with_atoms,
)
from shutbox.web.actions.own_box import OwnBox, faults_of, own_box
from shutbox.web.rooms.forms import Form

BEGINS = {
    "high-roll": {"begins": "high-roll", "order": "seats"},
    "rotate": {"begins": "1", "order": "rotate"},
    "winner": {"begins": "1", "order": "winner"},
    "seats": {"begins": "1", "order": "seats"},
}
"""The atoms of the format (key and value) for each answer to the question who goes first."""


@dataclass(frozen=True, slots=True)
class FormRules:
    """The box and the rules that a form describes."""

    own: OwnBox
    rules: Rules
    before: str
    """The box that comes back once the preset is removed."""
    choice: Choice | None = None
    """The choice just made, already applied unless there is a `question`; None if none was made."""
    question: str = ""
    """The title of that choice if the host must agree to it first; otherwise empty."""


def form_rules(form: Form) -> FormRules:
    """Return the box and rules of a form, after the box, match or length just chosen in it.

    A choice that drops rules set by hand, or changes others beside them, waits for the host's
    agreement: see `question`.
    """
    preset, is_new = presets().get(form.one("preset")), not form.all("preset_was")
    game = form.one("game") or (preset.game if preset else FIRST)
    game_was = form.one("game_was") or game
    was = form.one("preset" if is_new else "preset_was")
    own = own_box(game_was, form.changed("game", game_was))
    name = f"{own.game}({own.code})" if own.code else own.game
    now = Rules(name, was, form.one("format"), form.one("score_before"))
    now = with_atoms(now, _by_control(form))
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
    if form.one("take") == "no" or not (length or (game, wanted) != (game_was, was)):
        return FormRules(own, now, before)
    try:
        if (game, wanted) != (game_was, was):
            choice, title = choose(now, game, wanted), find(game).card().title
            if wanted != was and preset:
                title = preset.title
        else:
            assert length is not None
            choice = choose_length(now, *length)
            title = choice.rules.title
    except ShutboxError as error:  # the box shows what is wrong
        if length:
            return FormRules(replace(own, problems=faults_of(error)), now, before)
        return FormRules(own_box(game, form), Rules(game, wanted, now.format), chosen)
    if choice.asks and form.one("take") != "yes":
        return FormRules(own, now, before, choice, title)
    return FormRules(own_box(choice.rules.game, Form([])), choice.rules, chosen, choice)


def _by_control(form: Form) -> dict[str, str]:
    """Return the atoms of the format whose controls were changed by hand, as text."""
    changed: dict[str, str] = {}
    if was := form.one("stake_was"):
        stake = form.one("stake")[:7] if form.one("chips") else "0"
        if stake.isascii() and stake.isdigit() and stake != was:
            changed["stake"] = stake
    if form.one("begins") in BEGINS and form.one("begins") != form.one("begins_was"):
        changed |= BEGINS[form.one("begins")]
    return changed


def _length(form: Form) -> tuple[str, int] | None:
    """Return the atom and number of a length that was just chosen; None if none was."""
    id = form.one("length")
    if id not in LENGTHS or not form.all("length_was"):
        return None
    atom, number, step = LENGTHS[id]
    text = form.one(f"number_{id}")
    if step and text.isascii() and text.isdigit() and len(text) < 8:
        number = int(text)
    return (atom, number) if f"{id} {number}" != form.one("length_was") else None


def setup_of(form: Form) -> tuple[FormRules, dict[str, Any]]:
    """Return the rules of a form, and what its page shows as plain values.

    `values` has the values of its controls by name, a list for checkboxes, and `words` the texts
    that depend on them by the id of their element.
    """
    found = form_rules(form)
    own, rules, asks = found.own, found.rules, bool(found.question)
    problems, title, ends, purse = own.problems, "", "", ""
    tile, number, stake, begins = "", 0, 0, "seats"
    try:
        tile, number = length_of(rules, form.one("length"))
        title, ends, stake = rules.title, rules.ends, rules.played.stake
        given = {**PLAIN, **rules.played.options}
        begins = next((b for b, atoms in BEGINS.items() if given.items() >= atoms.items()), "")
        if stake:
            each = max(rules.played.purses(2))
            purse = gettext("Everyone starts with {number}.", number=each)
    except ShutboxError as error:
        problems = problems or faults_of(error)
    numbers = {f"number_{id}": str(usual) for id, (_, usual, step) in LENGTHS.items() if step}
    if f"number_{tile}" in numbers:
        numbers[f"number_{tile}"] = str(number)
    waiting = (*numbers, "game", "preset", "length")  # controls that show the choice in question
    values = {
        **numbers,
        "game": own.game,
        "game_was": own.game,
        "game_before": found.before,
        "preset": rules.preset,
        "preset_was": rules.preset,
        "score_before": rules.score_before,
        "length": tile,
        "length_was": f"{tile} {number}",
        "format": rules.format,
        "chips": ["on"] if stake else [],
        "stake": str(stake or 1),
        "stake_was": str(stake),
        "begins": begins,
        "begins_was": begins,
        "overrides": own.code,
        "own_of": own.game,
        "own_was": own.was,
        "own_tile": [*map(str, own.tiles)],
        "own_down": [*map(str, own.down)],
        "own_dice": str(own.dice),
        "own_sides": str(own.sides),
        **{f"own_{key}": value for key, value in own.chosen.items()},
        **{name: form.one(name) for name in waiting if asks and form.all(name)},
    }
    box = box_title(own.game if own.problems else rules.by_hand.game)
    words = {
        "answer-box": box,
        "answer-match": title,
        "foot-box": box,
        "purse": purse,
        "says-box": gettext("{box}.", box=box),
        "says-die": own.one_die,
        "says-match": ends or (gettext("{match}.", match=title) if title else ""),
        "average": own.average,
        "high-tiles": own.high_tiles,
    }
    return found, {
        "values": values,
        "words": words,
        "problems": problems,
        "question": _question(found),
        "numbers": own.numbers,
        "is_box": own.is_box,
        "lines": own.lines,
        "miniature": own.miniature,
    }


def _question(found: FormRules) -> dict[str, Any] | None:
    """Return the question about the last choice; None if it needs no agreement."""
    if not (found.question and found.choice):
        return None
    changed = [change for change in found.choice.changes if change[1] != change[2]]
    facts: dict[str, Any] = {"choice": found.question, "number": len(changed)}
    keeps = gettext("Keep {rule}", rule=changed[0][1]) if len(changed) == 1 else ""
    return {
        "title": ngettext(
            "{choice} changes one rule", "{choice} changes {number} rules", len(changed), **facts
        ),
        "keep": keeps or gettext("Keep my rules"),
        "rows": found.choice.changes,
    }


def rows_of(form: Form) -> list[tuple[str, str]]:
    """Return the `who` and the typed name of each seat in a form.

    If the form has no seats yet, they are the opener and Hobbs.
    """
    names = form.all("name")
    rows = [
        (who, names[place] if place < len(names) else "")
        for place, who in enumerate(form.all("who"))
    ]
    return rows or [("me", ""), ("computer:hobbs", "")]
