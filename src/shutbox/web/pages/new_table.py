"""The page of a new table: shows its form, answers each change of it, and opens the table."""

from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.errors import BadFormat, BadName, BadVariant, ShutboxError, UnknownGame
from shutbox.engine.messages import gettext
from shutbox.engine.seats import DEFAULT_KIND, MOST_SEATS
from shutbox.games.box.game import help_texts
from shutbox.games.catalogue import find
from shutbox.match.format import ATOMS
from shutbox.solving.options import Number
from shutbox.web.actions.context import Caller
from shutbox.web.actions.positions import evaluate_for
from shutbox.web.actions.tables import open_room
from shutbox.web.errors import BadRequest
from shutbox.web.http.requests import browser_of, caller_of, read_form
from shutbox.web.http.responses import as_json
from shutbox.web.pages import new_table_form
from shutbox.web.pages.gallery import choices, figures, groups
from shutbox.web.pages.new_table_form import FormSetup, seat_rows, setup_of
from shutbox.web.pages.setup_rules import LENGTHS
from shutbox.web.pages.table import to_table
from shutbox.web.pages.templates import render
from shutbox.web.rooms.number_text import percent, tenth
from shutbox.web.rooms.requests import Form, NewRoom
from shutbox.web.rooms.shapes import shaped


async def show(request: Request) -> Response:
    """Show the form for a new table, with the figures of the box in it."""
    form = await read_form(request)
    shown = setup_of(form)
    return _form_page(form, shown, figures=await _figures(caller_of(request), shown) or ("", ""))


async def show_change(request: Request) -> Response:
    """Return what the form shows after a change of its fields, as JSON for its script."""
    form = await read_form(request)
    shown = setup_of(form)
    told = await _figures(caller_of(request), shown, form.one("at_once"))
    return as_json({**shown.page, "figures": told})


async def open_table(request: Request) -> Response:
    """Open a form's table and redirect to it, or show the form again, with errors."""
    form = await read_form(request)
    caller, shown = browser_of(request), setup_of(form)
    try:
        for error in shown.errors:
            raise error
        if not any(form.all("who")):
            raise BadRequest("choose at least one player")
        fields = {
            "action": form.action,
            "game": shown.setup.game,
            "format": shown.setup.format,
            "seats": [{"who": kind, "name": name} for kind, name in seat_rows(form) if kind],
        }
        reply = await open_room(caller, shaped({**fields, **_settings(form)}, NewRoom))
    except ShutboxError as error:
        return _form_page(form, shown, error)
    return to_table(reply.view.room, request, caller)


async def _figures(caller: Caller, form: FormSetup, at_once: str = "") -> tuple[str, str] | None:
    """Return the chance to shut a box, and the expected score, as text; "" if unknown, or chance 0.

    Return None if the box must be solved and `at_once` is not empty.
    """
    name = form.setup.game
    if box := figures().get(name):
        return _one_in(box["shut"]), tenth(box["mean"])
    if form.page["is_box"]:
        if at_once:
            return None
        with suppress(ShutboxError):
            game = find(name)
            worth = await evaluate_for(caller, game, game.start(), "mean")
            mean = worth.odds.mean
            return _one_in(worth.odds.shut or 0), "" if mean is None else tenth(mean)
    return "", ""


def _one_in(chance: Number) -> str:
    """Return a chance as "1 in N", or in percent if it is over a half; empty if it is 0.

    >>> _one_in(0.0967), _one_in(0.9).split()
    ('1 in 10', ['90', '%'])
    """
    if chance > 0.5:
        return percent(chance)
    return gettext("1 in {number:,}", number=round(1 / chance)) if chance else ""


def _settings(form: Form) -> dict[str, Any]:
    """Return the fields of a `NewRoom` that a form's settings send, by name, or the usual ones."""
    usual = {"dice": "system", "hints": "explained", "leaver": "any", "stand_in": DEFAULT_KIND}
    sent = {name: form.one(name) or value for name, value in usual.items()}
    return {**sent, "coach": form.one("coach") == "on"}


def _wrong_field(error: ShutboxError, form: Form) -> str:
    """Return the name of the form's field that caused an error; "" if unknown."""
    if isinstance(error, BadFormat):
        return "format" if form.one("format") else "preset"
    fields = {BadVariant: "overrides", UnknownGame: "game", BadName: "name"}
    return fields.get(type(error), "" if any(form.all("who")) else "who")


def _form_page(
    form: Form,
    shown: FormSetup,
    error: ShutboxError | None = None,
    *,
    figures: tuple[str, str] = ("", ""),
) -> Response:
    """Return the form, with its fields as sent or their defaults, and the sentences of `error`."""
    return render(
        "new.html",
        error,
        **choices(),
        groups=groups(),
        setup=shown.page,
        figures=figures,
        values={**shown.page["values"], **_settings(form)},
        lengths=LENGTHS,
        rows=[*seat_rows(form), *[("", "")] * MOST_SEATS][:MOST_SEATS],
        said=new_table_form.problem_sentences(error) if error else (),
        invalid=_wrong_field(error, form) if error else "",
        formats_help={key: atom.says for key, atom in ATOMS.items()},
        rules_help=help_texts(),
        rule_choices=new_table_form.rule_choices(),
        sides=new_table_form.SIDES,
    )
