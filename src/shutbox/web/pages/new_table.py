"""The form for a new table, and the errors in it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.errors import BadFormat, BadName, BadVariant, ShutboxError, UnknownGame
from shutbox.games.box.variant import help_texts
from shutbox.match import Format, presets
from shutbox.match.atoms import ATOMS
from shutbox.picture import MINIATURE_SYMBOLS
from shutbox.seats import DEFAULT_KIND, MOST_SEATS
from shutbox.web.actions.evenings import LENGTHS
from shutbox.web.actions.new_table import FormRules, rows_of, setup_of
from shutbox.web.actions.own_box import SIDES, code_of, faults_of, figures_of, rule_choices
from shutbox.web.actions.tables import open_room
from shutbox.web.errors import BadRequest
from shutbox.web.http.answers import encode
from shutbox.web.http.context import browser, caller, services_of
from shutbox.web.http.requests import read_form
from shutbox.web.pages.gallery import figures, groups
from shutbox.web.pages.home import choices, to_table
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.forms import Form
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.shapes import shaped


async def new_table(request: Request) -> Response:
    """Show the form for a new table, with the figures of the box in it."""
    form = Form(request.query_params.multi_items())
    found, setup = setup_of(form)
    return _page(form, found, setup, figures=await _figures(request, found) or ("", ""))


async def changed(request: Request) -> Response:
    """Return what the form shows after a change, from all its fields; JSON for its script."""
    form = Form(request.query_params.multi_items())
    found, setup = setup_of(form)
    told = await _figures(request, found, form.one("at_once"))
    return Response(encode({**setup, "figures": told}), media_type="application/json")


async def open_table(request: Request) -> Response:
    """Open the table of a form, or show the form again with its errors or its question."""
    form = await read_form(request)
    who, (found, setup) = browser(request), setup_of(form)
    if found.question:
        return _page(form, found, setup, status=422)
    try:
        opened = await open_room(who, _asked(form, found))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _page(form, found, setup, error)
    return to_table(opened.view.room, request, who)


async def _figures(request: Request, found: FormRules, at_once: str = "") -> tuple[str, str] | None:
    known = {name: (box.shut, box.mean) for name, box in figures().items()}
    return await figures_of(caller(request), found.own, known, at_once=at_once)


def _asked(form: Form, found: FormRules) -> NewRoom:
    overrides, game = code_of(form), form.one("game")
    if found.choice or form.one("take"):
        game = found.rules.game
    elif overrides:
        game = f"{game}({overrides})"
    preset = presets().get(found.rules.preset)
    format = found.rules.format.strip()
    format = str(Format.parse(format, preset.format)) if preset else format
    whos, names = form.all("who"), form.all("name")
    if not any(whos):
        raise BadRequest("choose at least one player")
    if len(whos) != len(names):
        raise BadRequest(
            "every player needs a field who and a field name; {whos} and {names} were sent",
            whos=len(whos),
            names=len(names),
        )
    seats = [{"who": who, "name": name} for who, name in zip(whos, names, strict=True) if who]
    fields = {"action": form.action, "game": game, "format": format, "seats": seats}
    return shaped({**fields, **_settings(form)}, NewRoom, is_form=True)


def _settings(form: Form) -> dict[str, Any]:
    usual = {"dice": "system", "hints": "explained", "leaver": "any", "stand_in": DEFAULT_KIND}
    sent = {name: form.one(name) or value for name, value in usual.items()}
    return {**sent, "coach": form.one("coach") == "on"}


def _field(error: ShutboxError, form: Form) -> str:
    """Return the name of the form's field that caused an error; "" if unknown."""
    if isinstance(error, BadFormat):
        return "format" if form.one("format") else "preset"
    fields = {BadVariant: "overrides", UnknownGame: "game", BadName: "name"}
    return fields.get(type(error), "" if any(form.all("who")) else "who")


def _page(
    form: Form,
    found: FormRules,
    setup: dict[str, Any],
    error: ShutboxError | None = None,
    *,
    status: int = 200,
    figures: tuple[str, str] = ("", ""),
) -> Response:
    """Return the form, with its fields as sent or their defaults, and the sentences of `error`."""
    rows = rows_of(form)[:MOST_SEATS]
    rows += [("", "")] * (MOST_SEATS - len(rows))
    return rendered(
        "new.html",
        error,
        status,
        **choices(),
        groups=groups(),
        setup=setup,
        own=found.own,
        figures=figures,
        values={**setup["values"], **_settings(form)},
        lengths=LENGTHS,
        rows=rows,
        said=faults_of(error) if error else (),
        invalid=_field(error, form) if error else "",
        formats_help={key: atom.says for key, atom in ATOMS.items()},
        rules_help=help_texts(),
        action=new_action(),
        rule_choices=rule_choices(),
        sides=SIDES,
        symbols=MINIATURE_SYMBOLS,
    )
