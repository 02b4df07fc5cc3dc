"""What makes the pages an application that can be installed.

There are a manifest, a worker that stands between the pages and the network, and what it shows
where there is none. The worker keeps static files alone: a table always comes from the server. It
names what it keeps by their addresses, so that another release is another worker.
"""

from functools import cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shutbox import messages
from shutbox.messages import gettext
from shutbox.web.http.errors import encode
from shutbox.web.pages.static_files import FILES, address
from shutbox.web.pages.templates import rendered

OFFLINE = "/offline"
WORKER = "pages/worker.js"
SHELL = (
    *("base.css", "dark.css", "contrast.css", "fonts/shutbox-serif.woff2", "icon.svg"),
    *("pages/early.js", "pages/offline.js"),
)
"""What the page that is shown without network is made of."""
COLOUR = "#f4efe6"


async def manifest(request: Request) -> Response:
    """Its name, its icons, and where it begins."""
    files = {"192x192": "icons/192.png", "512x512": "icons/512.png"}
    icons = [
        {"src": address("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(_icon(name, size) for size, name in files.items()),
        {**_icon("icons/full.png", "512x512"), "purpose": "maskable"},
    ]
    about = {
        "id": "/",
        "name": gettext("shutbox: Shut the Box"),
        "short_name": "shutbox",
        "lang": messages.language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": COLOUR,
        "background_color": COLOUR,
        "icons": icons,
    }
    return JSONResponse(about, 200, _FRESH, "application/manifest+json")


def _icon(name: str, size: str) -> dict[str, str]:
    return {"src": address(name), "sizes": size, "type": "image/png"}


_FRESH = {"Cache-Control": "no-cache"}
"""It is asked for again at each visit: it tells of another release."""


async def worker(request: Request) -> Response:
    """The worker of this release."""
    return Response(_worker(messages.language()), 200, _FRESH, "text/javascript")


@cache
def _worker(language: str) -> bytes:
    """It has all addresses that it keeps, and a name for them together."""
    everything = " ".join(sorted(address(name) for name in FILES)).encode()
    release = sha256(everything + bytes(rendered("offline.html").body)).hexdigest()[:10]
    kept = {"release": release, "offline": OFFLINE, "shell": [address(name) for name in SHELL]}
    return b"self.shutbox = " + encode(kept) + b";\n" + FILES[WORKER].content


async def offline(request: Request) -> Response:
    """What the worker shows where there is no network."""
    return rendered("offline.html")
