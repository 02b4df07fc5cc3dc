"""The files that make the pages an installable application.

They are a manifest, a service worker between the pages and the network, and the page that this
worker shows without network. It caches only static files and that page: a table always comes from
the server. It contains a hash of these files, so each release has another worker.
"""

from functools import cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from shutbox import messages
from shutbox.messages import gettext
from shutbox.web.http.answers import encode
from shutbox.web.pages.static_files import FILES, address
from shutbox.web.pages.templates import rendered

OFFLINE = "/offline"
WORKER = "pages/worker.js"
SHELL = (
    *("base.css", "dark.css", "contrast.css", "fonts/shutbox-serif.woff2", "icon.svg"),
    *("pages/early.js", "pages/offline.js"),
)
"""The files of the page that is shown without network."""
COLOUR = "#f4efe6"


async def manifest(request: Request) -> Response:
    """Serve the manifest: the application's name, icons and first page."""
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
        "lang": messages.language().replace("_", "-"),
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


_FRESH = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
"""Headers for files that are requested at each visit, since they announce a new release.

They contain sentences, or the hash of a page with sentences.
"""


async def worker(request: Request) -> Response:
    """Serve the service worker of this release."""
    return Response(_worker(messages.language()), 200, _FRESH, "text/javascript")


@cache
def _worker(language: str) -> bytes:
    """Return the worker's script, with the addresses that it caches first and a hash of all."""
    everything = " ".join(sorted(address(name) for name in FILES)).encode()
    release = sha256(everything + bytes(rendered("offline.html").body)).hexdigest()[:10]
    facts = {"release": release, "offline": OFFLINE, "shell": [address(name) for name in SHELL]}
    facts |= {"turn": gettext("It's your turn"), "icon": address("icons/192.png")}
    return b"self.shutbox = " + encode(facts) + b";\n" + FILES[WORKER].content


async def offline(request: Request) -> Response:
    """Serve the page that the worker shows without network."""
    return rendered("offline.html")
