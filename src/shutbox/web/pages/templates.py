"""The templates, and what all of them may use."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from shutbox import __version__
from shutbox.web.http.errors import encode

FOLDER = Path(__file__).parents[1]
STATIC = FOLDER / "static"


@cache
def static(name: str) -> str:
    """The address of a file, which changes with what is in it, so that it is kept for ever."""
    return f"/static/{name}?v={_fingerprint(name)}"


@cache
def _fingerprint(name: str) -> str:
    return sha256((STATIC / name).read_bytes()).hexdigest()[:10]


def for_script(value: object) -> Markup:
    r"""A value as JSON that can stand in a script element, whatever it holds.

    >>> print(for_script({"name": "</script>"}))
    {"name":"\u003c/script>"}
    """
    text = encode(value).decode()
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(static=static, version=__version__)
    environment.filters["tojson"] = for_script
    return environment


def rendered(page: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page."""
    text = _environment().get_template(page).render(page=page, **context)
    return HTMLResponse(text, status)
