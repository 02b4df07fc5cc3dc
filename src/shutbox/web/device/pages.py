"""The pages of the server, which the engine in the browser answers for the static site.

The server's code makes them. Only their addresses change: the site is plain files in some folder,
so a file stands for each page, and the query has the parts of its path.
"""

import re
from collections.abc import Mapping
from html import escape, unescape
from types import SimpleNamespace
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from starlette.requests import Request
from starlette.types import Message

from shutbox.errors import ShutboxError
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import HttpServices, Site
from shutbox.web.pages.routes import SHARED
from shutbox.web.pages.templates import environment, refusal_page
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE

PAGES = {(method, path): page for method, path, page, _ in SHARED}
FILES = {path: file for _, path, _, file in SHARED} | {
    "/r/{room}": "table.html",
    "/r/{room}/{form}": "table.html",  # a form that is only needed without script
    "/sw.js": "sw.js",
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""The names at the site for paths of the server. A query has the parts in braces."""
_PATHS = {path: re.compile(re.sub(r"{(\w+)(:path)?}", r"(?P<\1>.+?)", path)) for path in FILES}
_ADDRESS = re.compile(r'\b(href|src|action|formaction|data-worker)="(/[^"]*)"')
_SCRIPT = re.compile(r'<script type="module" src="(static/pages/[^"]*)">')
ORIGIN = Site("./", "", secure=False, cookie="device")
_COOKIE = ORIGIN.cookie.encode() + b"=" + b"-" * SHORTEST_DEVICE  # of the only device


def draw_for_site() -> None:
    """Let this process draw every page from now on as the site has it; compile all templates."""
    drawn = environment()
    drawn.globals.update(engine="engine/worker.js", static=lambda name: f"static/{name}")
    for name in drawn.list_templates():
        drawn.get_template(name)


def at_site(address: str) -> str:
    """Return the address at the site of an address at the server. Raises LookupError.

    >>> at_site("/r/abc/review?game=1&step=2"), at_site("/p/classic:1.2/3+4?aim=shut")
    ('review.html?room=abc&game=1&step=2', 'position.html?text=classic:1.2/3%2B4&aim=shut')
    >>> at_site("/#boxes")
    'index.html#boxes'
    """
    parts = urlsplit(address)
    for path, pattern in _PATHS.items():
        if found := pattern.fullmatch(unquote(parts.path)):
            named = [*found.groupdict().items(), *parse_qsl(parts.query, keep_blank_values=True)]
            query = urlencode(named, safe=":/")
            return FILES[path] + (query and f"?{query}") + (parts.fragment and f"#{parts.fragment}")
    raise LookupError(f"a page leads to {address}, which the site has not got")


def for_site(page: str) -> str:
    """Return a page with the addresses of the site and its loader. Raises LookupError."""

    def changed(found: re.Match[str]) -> str:
        return f'{found[1]}="{escape(at_site(unescape(found[2])))}"'

    begun = r'<script type="module" id="begin" data-then="\1" src="static/device/begin.js">'
    return _SCRIPT.sub(begun, _ADDRESS.sub(changed, page))


async def answer(services: HttpServices, method: str, address: str, body: str) -> tuple[int, str]:
    """Answer a request for a page with its status and text.

    `address` is one of the site, `body` a form in URL encoding. With status 303 the text is the
    address of another page.
    """
    parts = urlsplit(address)
    fields = parse_qsl(parts.query, keep_blank_values=True)
    sent = {"type": "http.request", "body": body.encode(), "more_body": False}

    async def receive() -> Message:
        return sent

    scope = {
        "type": "http",
        "method": method,
        "path": address,
        "headers": [
            (b"cookie", _COOKIE),
            (b"content-type", b"application/x-www-form-urlencoded"),
        ],
        "app": SimpleNamespace(state=SimpleNamespace(server=services)),
    }
    request = Request(scope, receive)
    try:
        path, named = _asked(method, parts.path, dict(fields))
        query = urlencode([(name, value) for name, value in fields if name not in named])
        request.scope.update({"path_params": named, "query_string": query.encode()})
        reply = await PAGES[method, path](request)
    except ShutboxError as error:
        reply = refusal_page(request, error)
    if to := reply.headers.get("location"):
        return reply.status_code, at_site(to)
    text = bytes(reply.body).decode()
    return reply.status_code, for_site(text) if reply.media_type == "text/html" else text


def _asked(method: str, file: str, fields: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the path for a file and a query, and the values of its parts. Raises BadRequest."""
    for path, pattern in _PATHS.items():
        names = list(pattern.groupindex)
        if (
            FILES[path] == file
            and (method, path) in PAGES
            and all(name in fields for name in names)
        ):
            return path, {name: fields[name] for name in names}
    raise BadRequest("there is nothing at this address")
