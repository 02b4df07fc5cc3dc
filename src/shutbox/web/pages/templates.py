"""The templates, with the functions and filters that all of them can use."""

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from shutbox import __version__
from shutbox.engine import messages
from shutbox.engine.english import capital, listed, number_word
from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import cached, ngettext, pgettext, pgettext_noop
from shutbox.games.catalogue import catalogue
from shutbox.match import presets
from shutbox.output.picture import MINIATURE_SYMBOLS, PIPS, can_draw
from shutbox.solving.review.review_text import choices_that_mattered
from shutbox.table.today import box_number
from shutbox.web.errors import Full, NoCookies, RoomClosed, sentence
from shutbox.web.http.responses import status_of, with_retry_after
from shutbox.web.pages.static_files import SCRIPTS, address, modules_of
from shutbox.web.rooms import number_text
from shutbox.web.rooms.access import new_action
from shutbox.web.rooms.requests import Form
from shutbox.web.rooms.shapes import encode
from shutbox.web.rooms.view import computer_name

FOLDER = Path(__file__).parents[1]
_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))  # the marks around names


def _json(value: object) -> str:
    """Return a value, or JSON in bytes, as JSON text, which Jinja then makes safe in a script."""
    return (value if isinstance(value, bytes) else encode(value)).decode()


def _for_templates(translate: Callable[..., str]) -> Callable[..., Markup]:
    """Return a function of `messages` for templates: it fills in facts, and escapes all but Markup.

    The last of its texts is also the fact `number`, for a plural.

    >>> print(_for_templates(messages.gettext)("{name} begins.", name="<Ann>"))
    &lt;Ann&gt; begins.
    """
    return lambda *texts, **facts: escape(translate(*texts)).format(**{"number": texts[-1]} | facts)


def at_address(text: str, aim: str = "mean") -> str:
    """Return the address of a position's page with values for `aim`, given the position's text.

    >>> at_address("classic:1.5.9/2+2", "shut")
    '/p/classic:1.5.9/2+2?aim=shut'
    """
    query = f"?{urlencode({'aim': aim})}" if aim != "mean" else ""
    return f"/p/{quote(text, safe='/:+.,;=()-')}{query}"


def isolate(name: str) -> str:
    """Return a name between marks, so that one written right to left reorders no text beside it."""
    return f"\u2068{name}\u2069"


def for_speech(text: str) -> str:
    """Return a text for screen readers, without the marks around names.

    >>> for_speech(f"You and {isolate('Ann')} share the win.")
    'You and Ann share the win.'
    """
    return text.translate(_ISOLATES)


def bold(text: str) -> Markup:
    """Return a text in which what stands between the marks of `isolate` is bold.

    >>> print(bold(f"{isolate('9')} shuts the box."))
    <b>9</b> shuts the box.
    """
    return Markup(escape(text).translate({0x2068: "<b>", 0x2069: "</b>"}))


class Verbatim(Markup):
    """A text that `with_seat_names` leaves as it is, such as a record."""


# In a sentence "Player" alone can be part of a name; `isolate` puts the two signs around names.
_SEAT_NAME = re.compile(r"\bPlayer (\d+)\b|(?<![^\u2068])Player(?![^\u2069])")


def with_seat_names(value: Any) -> Any:
    """Return a value of a page, with the names of seats without a name translated if it is a text.

    They are stored as "Player" and "Player 2". The script of a table translates them in events.
    """
    if not isinstance(value, str) or isinstance(value, Verbatim) or messages.language() == "en":
        return value
    return type(value)(_SEAT_NAME.sub(_seat_name, value))


def _seat_name(name: re.Match[str]) -> str:
    if name[1]:
        return messages.gettext("Player {number}", number=int(name[1]))
    return messages.pgettext("seat", "Player")


def in_english(title: str) -> Markup:
    """Return the attribute for a box's or preset's English title on a page in another language.

    A title with house rules is a sentence of the page's language, and has none.
    """
    return Markup(' lang="en"' if messages.language() != "en" and title in _titles() else "")


@cached
def _titles() -> frozenset[str]:
    """Return the English titles; none if the language in use has titles of its own."""
    shown = {game.title: game.shown_title for game in catalogue()}
    shown |= {match.title: match.shown_title for match in presets().values()}
    return frozenset(shown) if shown.keys() >= {*shown.values()} else frozenset()


_TEMPLATE = r'"((?:[^"\\]|\\.)*)"'
_SPOKEN = re.compile(rf"\b([np]?)gettext\(\s*{_TEMPLATE}(?:,\s*{_TEMPLATE})?")
"""A text of a script: "n" has a singular and a plural, "p" a context and a text, "" a text."""
_OF_PAGE = re.compile(r"\bpages/\w+\.js")


@cached
def translations(page: str) -> dict[str, str | list[str]]:
    """Return the translations for the scripts, by the English text; empty if all is in English.

    If `page`, HTML, is not empty, they are those of the scripts it names and of what these load.
    A text that depends on a number has a list of its forms, and last a digit for each number from
    0 to 199, the index of its form: plural rules look at the last two digits. The key of a text
    with a context is both, with U+0004 between them.
    """
    if messages.language() == "en":
        return {}
    translated: dict[str, str | list[str]] = {}
    named = [*_OF_PAGE.findall(page), "pages/late.js", "pages/voice.js"]
    modules = {at for name in named for at in modules_of(name, SCRIPTS)} if page else {*SCRIPTS}
    texts = {text for at in modules for text in _SPOKEN.findall(SCRIPTS[at])}
    for kind, first, second in texts:
        if kind == "n":
            forms = [messages.plural_template(first, second, number) for number in range(200)]
            distinct = [*dict.fromkeys(forms)]
            translated[first] = [*distinct, "".join(str(distinct.index(form)) for form in forms)]
        elif kind == "p":
            translated[f"{first}\4{second}"] = messages.pgettext(first, second)
        else:
            translated[first] = messages.gettext(first)
    return translated


def languages() -> dict[str, str]:
    """Return the languages that a visitor can choose: by tag, the name in the language itself."""
    names = {}
    for each in messages.loaded_languages():
        with messages.speaking(each):
            name = messages.pgettext("name of this language", "English")
        names[each] = each if name == "English" and each != "en" else name
    return names


@cache
def environment() -> Environment:
    """Return the Jinja environment with all templates, and their functions and filters."""
    loader = FileSystemLoader(FOLDER / "templates")
    templates = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, finalize=with_seat_names
    )
    templates.trim_blocks, templates.lstrip_blocks, templates.auto_reload = True, True, False
    templates.policies.update({"json.dumps_function": _json, "json.dumps_kwargs": {}})
    templates.globals.update(
        static=address,
        root=lambda: "/",  # the address of the folder of `sw.js`
        version=__version__,
        language=messages.language,
        languages=languages,
        translations=translations,
        gettext=_for_templates(messages.gettext),
        pgettext=_for_templates(messages.pgettext),
        ngettext=_for_templates(messages.plural_template),
        pips_of=PIPS,
        symbols=MINIATURE_SYMBOLS,
        numbers=number_text,
        drawn_as=".png" if can_draw() else ".svg",
        engine="",  # the address of its script, on pages that run without a server
        offline_site="",  # the address of the site without a server, if the server has it
    )
    templates.filters.update(plus=number_text.signed, day_number=box_number)
    templates.filters["verbatim"] = Verbatim.escape
    words = (capital, isolate, bold, for_speech, in_english, listed, number_word, in_words)
    figures = (number_text.percent, number_text.tenth, weekday, ago, choices_that_mattered)
    templates.filters.update(
        {it.__name__: it for it in (*words, *figures, computer_name, at_address)}
    )
    return templates


def compile_templates() -> None:
    """Compile all templates, before anybody plays: a large one holds up everybody for 0.3 s."""
    for name in environment().list_templates():
        environment().get_template(name)


def render(
    page: str, error: ShutboxError | None = None, status: int = 200, **context: Any
) -> Response:
    """Render the template `page`, with the sentences of an `error` as `said`, and its status.

    `said` in `context`, and a `status` other than 200, win over those of the error. `action` is a
    new id for the page's forms.
    """
    said = sentence(error).splitlines() if error else []
    status = status_of(error) if error and status == 200 else status
    context = {"page": page, "said": said, "action": new_action(), "came_from": "", **context}
    text = environment().get_template(page).render(context)
    return with_retry_after(HTMLResponse(text, status), error)


_FACES: dict[type[ShutboxError] | int, tuple[str, str]] = {
    NoCookies: ("looks", pgettext_noop("heading", "Cookies are off")),
    RoomClosed: ("sleeps", pgettext_noop("heading", "This table is closed")),
    Full: ("sleeps", pgettext_noop("heading", "Busy now")),
    403: ("looks", pgettext_noop("heading", "Not allowed")),
    404: ("winks", pgettext_noop("heading", "Nothing stands here")),
    429: ("sleeps", pgettext_noop("heading", "Too often")),
    503: ("sleeps", pgettext_noop("heading", "One moment")),
}
"""The face and the heading of the page about a refusal, by its kind or HTTP status."""
_OTHERS = ("looks", pgettext_noop("heading", "That did not work"))  # for all other refusals


def refusal_page(error: ShutboxError, request: Request | None = None, status: int = 0) -> Response:
    """Return the page that says only why a request is refused.

    If it can succeed later, the page sends the request again, with the fields of its form.
    """
    status = status or status_of(error)
    sent = request and getattr(request.state, "form", None)
    if request and request.method == "GET":
        sent = Form(request.query_params.multi_items())
    lasts = type(error) is Full and not error.seconds  # such as a table that is full
    face, heading = _OTHERS if lasts else _FACES.get(type(error)) or _FACES.get(status, _OTHERS)
    return render(
        "message.html",
        error,
        status,
        look=face,
        heading=pgettext("heading", heading),
        again=request if sent and status in (429, 503) and not lasts else None,
        fields=sent.fields if sent else (),
    )


MONTHS = (
    *(pgettext_noop("month", "January"), pgettext_noop("month", "February")),
    *(pgettext_noop("month", "March"), pgettext_noop("month", "April")),
    *(pgettext_noop("month", "May"), pgettext_noop("month", "June")),
    *(pgettext_noop("month", "July"), pgettext_noop("month", "August")),
    *(pgettext_noop("month", "September"), pgettext_noop("month", "October")),
    *(pgettext_noop("month", "November"), pgettext_noop("month", "December")),
)
_WEEKDAYS = (
    *(pgettext_noop("weekday", "Monday"), pgettext_noop("weekday", "Tuesday")),
    *(pgettext_noop("weekday", "Wednesday"), pgettext_noop("weekday", "Thursday")),
    *(pgettext_noop("weekday", "Friday"), pgettext_noop("weekday", "Saturday")),
    pgettext_noop("weekday", "Sunday"),
)


def weekday(day: str) -> str:
    """Return the name of the weekday of an ISO date, in the current language."""
    return pgettext("weekday", _WEEKDAYS[date.fromisoformat(day).weekday()])


def in_words(day: str, *, year: bool = True) -> str:
    """Return an ISO date in words of the current language, with its year or without.

    >>> in_words("2026-11-02"), in_words("2026-11-02", year=False)
    ('2 November 2026', '2 November')
    """
    moment = date.fromisoformat(day)
    facts = {"day": moment.day, "month": pgettext("month", MONTHS[moment.month - 1])}
    if not year:
        # Translators: two forms, since the first of a month can differ, as 1er in French.
        return ngettext("{day} {month}", "{day} {month}", moment.day, **facts)
    facts["year"] = moment.year
    return ngettext("{day} {month} {year}", "{day} {month} {year}", moment.day, **facts)


def ago(seconds: float) -> str:
    """Return how long ago something was, in words; this is true in every time zone.

    >>> ago(30), ago(90), ago(7200), ago(90_000)
    ('just now', '1 minute ago', '2 hours ago', '1 day ago')
    """
    minutes = max(0, int(seconds / 60))
    if not minutes:
        return pgettext("time", "just now")
    if minutes < 60:
        return ngettext("{number} minute ago", "{number} minutes ago", minutes)
    if minutes < 1440:
        return ngettext("{number} hour ago", "{number} hours ago", minutes // 60)
    return ngettext("{number} day ago", "{number} days ago", minutes // 1440)
