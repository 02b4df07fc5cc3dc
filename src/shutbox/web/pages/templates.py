"""The templates, and what all of them may use."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from shutbox import __version__, messages
from shutbox.english import capital
from shutbox.web.http.errors import encode

FOLDER = Path(__file__).parents[1]
STATIC = FOLDER / "static"


@cache
def static(name: str) -> str:
    """The address of a file, which changes with what is in it, so that it is kept for ever."""
    return f"/static/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:10]}"


def for_script(value: object) -> Markup:
    r"""A value as JSON that can stand in a script element, whatever it holds.

    >>> print(for_script({"name": "</script>"}))
    {"name":"\u003c/script>"}
    """
    text = encode(value).decode()
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))


def _gettext(template: str, **facts: object) -> Markup:
    """`messages.gettext` for a page: what is not markup already is escaped.

    >>> print(_gettext("{b}{name}{end} begins.", name="<Ann>", b=Markup("<b>"), end=Markup("</b>")))
    <b>&lt;Ann&gt;</b> begins.
    """
    return escape(messages.gettext(template)).format(**facts)


def _ngettext(one: str, many: str, number: int, **facts: object) -> Markup:
    """`messages.ngettext` for a page."""
    return escape(messages.form(one, many, number)).format(number=number, **facts)


_TEMPLATE = r'"((?:[^"\\]|\\.)*)"'
_SPOKEN = re.compile(rf"\bn?gettext\(\s*{_TEMPLATE}(?:,\s*{_TEMPLATE})?")


@cache
def _spoken() -> dict[str, str]:
    """Every template of the script, and the one for many where a number rules the form."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js"))]
    return {one: many for text in texts for one, many in _SPOKEN.findall(text)}


def translations() -> dict[str, str | list[str]]:
    """What the script says in another language, by the English; empty where that is spoken.

    Where a number rules the form there is a list for 0 to 199: rules of plurals look at the last
    two digits.
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
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        static=static,
        version=__version__,
        language=messages.language,
        translations=translations,
        gettext=_gettext,
        ngettext=_ngettext,
    )
    environment.filters.update(tojson=for_script, capital=capital)
    return environment


def rendered(page: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page."""
    text = _environment().get_template(page).render(page=page, **context)
    return HTMLResponse(text, status)
