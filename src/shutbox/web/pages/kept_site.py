"""The site without a server, which a server offers for visitors to keep on their device."""

from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from shutbox.web.http.middleware import CONTENT_SECURITY

AT = "/device"
_SECURITY = CONTENT_SECURITY.replace("script-src", "script-src blob: 'wasm-unsafe-eval'")
"""Python is compiled to WebAssembly, and its program is unpacked into a blob."""


class KeptSite(StaticFiles):
    """The files in the folder of the site."""

    def file_response(self, *about: Any, **how: Any) -> Response:
        """Return a file, which browsers must ask for again, since a release changes it."""
        found = super().file_response(*about, **how)
        found.headers.update({"Content-Security-Policy": _SECURITY, "Cache-Control": "no-cache"})
        return found
