"""The files that make the pages an installable application, and the site to keep on a device.

They are a manifest, a service worker between the pages and the network, and the page that this
worker shows without network. It caches only static files and that page: a table always comes from
the server. It contains a hash of these files, so each release has another worker.
"""

from functools import cache
from hashlib import sha256
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from shutbox.engine import messages
from shutbox.engine.messages import gettext
from shutbox.web.http.middleware import CONTENT_SECURITY
from shutbox.web.pages.static_files import FILES, address
from shutbox.web.pages.templates import render
from shutbox.web.rooms.shapes import encode

SHELL = (
    *("base.css", "dark.css", "contrast.css", "fonts/shutbox-serif.woff2", "icon.svg"),
    *("refusal.css", "pages/early.js", "pages/offline.js"),
)
"""The files of the page that is shown without network."""
_COLOUR = "#f4efe6"
SITE_PATH = "/device"  # the path of the site without a server
_SECURITY = CONTENT_SECURITY.replace("script-src", "script-src blob: 'wasm-unsafe-eval'")
"""For the site without a server: its Python is WebAssembly, and unpacked into a blob."""


async def manifest(request: Request) -> Response:
    """Serve the manifest: the application's name, icons and first page."""
    small, large, full = (
        {"src": address(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for name, size in (("192", 192), ("512", 512), ("full", 512))
    )
    plain = {"src": address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    application = {
        "id": "/",
        "name": gettext("shutbox: Shut the Box"),
        "short_name": "shutbox",
        "lang": messages.language().replace("_", "-"),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": _COLOUR,
        "background_color": _COLOUR,
        "icons": [plain, small, large, {**full, "purpose": "maskable"}],
    }
    return JSONResponse(application, 200, _FRESH, "application/manifest+json")


_FRESH = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
"""For files in the visitor's language that are checked at each visit: they announce a release."""


async def worker(request: Request) -> Response:
    """Serve the service worker of this release."""
    return Response(_worker(messages.language()), 200, _FRESH, "text/javascript")


@cache
def _worker(language: str) -> bytes:
    """Return the worker's script in the current `language`, with a hash and what to cache."""
    everything = " ".join(sorted(address(name) for name in FILES)).encode()
    release = sha256(everything + bytes(render("offline.html").body)).hexdigest()[:10]
    facts = {"release": release, "offline": "/offline", "shell": [address(name) for name in SHELL]}
    facts |= {"turn": gettext("It's your turn"), "icon": address("icons/192.png")}
    return b"self.shutbox = " + encode(facts) + b";\n" + FILES["pages/worker.js"].content


async def offline(request: Request) -> Response:
    """Serve the page that the service worker shows without network."""
    return render("offline.html")


class KeptSite(StaticFiles):
    """An app that serves the static site, which visitors can keep and use without a server."""

    def file_response(self, *file: Any, **how: Any) -> Response:
        """Return a file that browsers must revalidate at each use, since a release changes it."""
        response = super().file_response(*file, **how)
        response.headers.update({"Content-Security-Policy": _SECURITY, "Cache-Control": "no-cache"})
        return response
