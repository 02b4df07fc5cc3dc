"""The templates, with the functions and filters that all of them can use."""

import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from shutbox import __version__, messages
from shutbox.english import capital, listed, number_word
from shutbox.errors import ShutboxError
from shutbox.messages import gettext, gettext_noop
from shutbox.picture import PIPS
from shutbox.web.errors import sentence
from shutbox.web.http.context import services_of
from shutbox.web.http.errors import encode, saying_when, status_of
from shutbox.web.pages.static_files import SCRIPTS, address
from shutbox.web.rooms import numbers
from shutbox.web.rooms.numbers import percent
from shutbox.web.rooms.view import player

FOLDER = Path(__file__).parents[1]
_TEMPLATES = {
    path.name: path.read_text(encoding="utf-8") for path in (FOLDER / "templates").glob("*.html")
}
"""The templates as they were when this process started: a new release may replace the files."""


def for_script(value: object) -> Markup:
    r"""Return a value, or JSON bytes, as text that is safe in a script element.

    >>> print(for_script({"name": "</script>"}))
    {"name":"\u003c/script>"}
    """
    json = value if isinstance(value, bytes) else encode(value)
    return Markup(json.decode().replace("<", "\\u003c").replace("\u2028", "\\u2028"))


def _gettext(template: str, **facts: object) -> Markup:
    """Translate a template for a page with `messages.gettext`; escape all but markup.

    >>> print(_gettext("{b}{name}{end} begins.", name="<Ann>", b=Markup("<b>"), end=Markup("</b>")))
    <b>&lt;Ann&gt;</b> begins.
    """
    return escape(messages.gettext(template)).format(**facts)


def _ngettext(one: str, many: str, number: int, **facts: object) -> Markup:
    """Translate and escape a template with a number, like `messages.ngettext`."""
    return escape(messages.form(one, many, number)).format(number=number, **facts)


def isolated(name: str) -> str:
    """Return a name between marks, so that one written right to left reorders no text beside it."""
    return f"\u2068{name}\u2069"


_TEMPLATE = r'"((?:[^"\\]|\\.)*)"'
_SPOKEN = re.compile(rf"\bn?gettext\(\s*{_TEMPLATE}(?:,\s*{_TEMPLATE})?")


@cache
def _spoken() -> dict[str, str]:
    """Return every English text in the scripts, each with its plural, or "" if it has none."""
    return {one: many for text in SCRIPTS.values() for one, many in _SPOKEN.findall(text)}


def translations() -> dict[str, str | list[str]]:
    """Return the translations for the scripts, by the English text; empty if all is in English.

    A text that depends on a number has a list of forms for 0 to 199, since plural rules look at the
    last two digits.
    """
    if messages.language() == "en":
        return {}
    return {
        one: [messages.form(one, many, number) for number in range(200)]
        if many
        else messages.gettext(one)
        for one, many in _spoken().items()
    }


@cache
def environment() -> Environment:
    """Return the Jinja environment with all templates, and their functions and filters."""
    found = Environment(
        loader=DictLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(
        static=address,
        version=__version__,
        language=messages.language,
        translations=translations,
        gettext=_gettext,
        ngettext=_ngettext,
        pips_of=PIPS,
        engine="",  # the address of its script, on pages that run without a server
    )
    found.filters.update(
        tojson=for_script,
        capital=capital,
        isolated=isolated,
        listed=listed,
        percent=percent,
        tenth=numbers.tenth,
        plus=numbers.signed,
        in_words=in_words,
        number_word=number_word,
        player=player,
    )
    return found


def rendered(
    page: str, error: ShutboxError | None = None, status: int = 200, **context: Any
) -> Response:
    """Render the template `page`; with the sentences of an `error` as `said`, and its status.

    `said` in `context`, and a `status` other than 200, win over those of the error.
    """
    said = sentence(error).splitlines() if error else []
    status = status_of(error) if error and status == 200 else status
    text = environment().get_template(page).render({"page": page, "said": said, **context})
    return saying_when(HTMLResponse(text, status), error)


def refused(request: Request, page: str, error: ShutboxError, **context: Any) -> Response:
    """Count a refusal in the metrics, and render the page that explains it."""
    services_of(request).metrics.refused(error)
    return rendered(page, error, **context)


MONTHS = (
    *(gettext_noop("January"), gettext_noop("February"), gettext_noop("March")),
    *(gettext_noop("April"), gettext_noop("May"), gettext_noop("June")),
    *(gettext_noop("July"), gettext_noop("August"), gettext_noop("September")),
    *(gettext_noop("October"), gettext_noop("November"), gettext_noop("December")),
)


def in_words(day: str) -> str:
    """Return an ISO date in words.

    >>> in_words("2026-11-02")
    '2 November 2026'
    """
    found = date.fromisoformat(day)
    month = gettext(MONTHS[found.month - 1])
    return gettext("{day} {month} {year}", day=found.day, month=month, year=found.year)
