"""The form for a new table, and the errors in it."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from shutbox.errors import BadFormat, BadName, BadVariant, ShutboxError, UnknownGame
from shutbox.games.box.variant import help_texts
from shutbox.games.catalogue import find
from shutbox.match import Format, presets
from shutbox.match.atoms import ATOMS
from shutbox.picture import MINIATURE_SYMBOLS
from shutbox.seats import DEFAULT_KIND, MOST_SEATS
from shutbox.web.actions.tables import open_room
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import browser, caller, services_of
from shutbox.web.http.requests import Form, read_form
from shutbox.web.pages.home import choices, to_table
from shutbox.web.pages.own_box import (
    SIDES,
    OwnBox,
    code_of,
    faults_of,
    figures_of,
    own_box,
    rule_choices,
)
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.evenings import FIRST, Choice, Rules, choose
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.shapes import shaped


@dataclass(frozen=True, slots=True)
class FormRules:
    """The box and the rules that a form describes."""

    own: OwnBox
    rules: Rules
    before: str
    """The box that comes back once the preset is removed."""
    choice: Choice | None = None
    """The host's last choice, which has changed the rules or would change them."""
    question: str = ""
    """The title of the chosen box or preset, if the host must first agree to the change."""


def form_rules(form: Form) -> FormRules:
    """Return the box and rules of a form, after the box or preset just chosen in it.

    If the choice changes other rules, it waits for the host's agreement: see `question`.
    """
    preset, is_new = presets().get(form.one("preset")), not form.all("preset_was")
    game = form.one("game") or (preset.game if preset else FIRST)
    game_was = form.one("game_was") or game
    was = form.one("preset" if is_new else "preset_was")
    own = own_box(game_was, form.changed("game", game_was))
    now = Rules(f"{own.game}({own.code})" if own.code else own.game, was, form.one("format"))
    before = form.one("game_before") or (
        FIRST if is_new and preset and not form.one("game") else ""
    )
    wanted, chosen = form.one("preset"), before
    if game != game_was:
        chosen = ""
    elif wanted != was:
        game = preset.game if preset else before or game_was
        chosen = (before or own.game) if preset else ""
    if (game, wanted) == (game_was, was) or form.one("take") == "no":
        return FormRules(own, now, before)
    try:
        choice = choose(now, game, wanted)
    except ShutboxError:  # the box shows what is wrong
        return FormRules(own_box(game, form), Rules(game, wanted, now.format), chosen)
    if choice.asks and form.one("take") != "yes":
        chosen_preset = presets().get(wanted) if wanted != was else None
        title = chosen_preset.title if chosen_preset else find(game).card().title
        return FormRules(own, now, before, choice, title)
    return FormRules(own_box(choice.rules.game, Form([])), choice.rules, chosen, choice)


async def new_table(request: Request) -> Response:
    """Show the form for a new table, with the figures of the box in it."""
    form = Form(request.query_params.multi_items())
    found = form_rules(form)
    return _page(form, found, figures=await figures_of(caller(request), found.own))


async def open_table(request: Request) -> Response:
    """Open the table of a form, or show the form again with its errors or its question."""
    form = await read_form(request)
    who, found = browser(request), form_rules(form)
    if found.question:
        return _page(form, found, status=422)
    try:
        opened = await open_room(who, _asked(form, found))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _page(form, found, error)
    return to_table(opened.view.room, request, who)


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
        raise BadRequest("somebody has to play: say who sits at the table")
    if len(whos) != len(names):
        raise BadRequest(
            "every player has a field who and a field name; {whos} and {names} were sent",
            whos=len(whos),
            names=len(names),
        )
    seats = [{"who": who, "name": name} for who, name in zip(whos, names, strict=True) if who]
    fields = {"action": form.action, "game": game, "format": format, "seats": seats}
    return shaped({**fields, **_settings(form)}, NewRoom, is_form=True)


def _settings(form: Form) -> dict[str, Any]:
    return {
        "dice": form.one("dice") or "system",
        "hints": form.one("hints") or "explained",
        "coach": form.one("coach") == "on",
        "leaver": form.one("leaver") or "any",
        "stand_in": form.one("stand_in") or DEFAULT_KIND,
    }


def _field(error: ShutboxError, form: Form) -> str:
    """Return the name of the field that is wrong; empty if unknown."""
    if isinstance(error, BadFormat):
        return "format" if form.one("format") else "preset"
    fields = {BadVariant: "overrides", UnknownGame: "game", BadName: "name"}
    return fields.get(type(error), "" if any(form.all("who")) else "who")


def _page(
    form: Form,
    found: FormRules,
    error: ShutboxError | None = None,
    *,
    status: int = 200,
    figures: tuple[str, str] = ("", ""),
) -> Response:
    """Return the form, with its fields as sent or their defaults, and the sentences of `error`."""
    rows = list(zip_longest(form.all("who"), form.all("name"), fillvalue=""))[:MOST_SEATS]
    if not rows:
        is_match = form.one("preset") in presets()
        rows = [("me", ""), ("computer:fewest", "")] if is_match else [("me", "")]
    rows += [("", "")] * (MOST_SEATS - len(rows))
    ends = ""
    with suppress(ShutboxError):  # errors are shown when the table is opened
        ends = found.rules.ends
    return rendered(
        "new.html",
        error,
        status,
        **choices(),
        own=found.own,
        figures=figures,
        values={
            "game": form.one("game") if found.question else found.own.game,
            "preset": form.one("preset") if found.question else found.rules.preset,
            "preset_was": found.rules.preset,
            "format": found.rules.format,
            "ends": ends,
            "before": found.before,
            **_settings(form),
        },
        rows=rows,
        question=found.question,
        choice=found.choice,
        said=faults_of(error) if error else (),
        invalid=_field(error, form) if error else "",
        formats_help={key: atom.says for key, atom in ATOMS.items()},
        rules_help=help_texts(),
        action=new_action(),
        rule_choices=rule_choices(),
        sides=SIDES,
        symbols=MINIATURE_SYMBOLS,
    )
