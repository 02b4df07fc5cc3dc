"""The static files of the pages: styles, scripts and pictures.

They are read once when the process starts, joined, compressed and served from memory, so a process
keeps its own files while a newer release is being installed. A script or a style sheet comes with
everything that it imports: a page requests few files, and none of them requests more.
"""

import gzip
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.pages.bundles import imported, joined_script, joined_style

STATIC = Path(__file__).parents[1] / "static"
_SHORT = 1000
"""Files of up to this many bytes are not compressed."""
_MEDIA = {".js": "text/javascript", ".webp": "image/webp", ".woff2": "font/woff2"}
"""Media types by suffix, where systems use different names or none at all."""


@dataclass(frozen=True, slots=True)
class File:
    """A static file, ready to be served."""

    content: bytes
    compressed: bytes | None
    """The content in gzip; None if that saves less than a tenth."""
    media: str
    mark: str
    """A hash of the content."""


def _file(name: str, content: bytes) -> File:
    media = _MEDIA.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    compressed = gzip.compress(content, 9, mtime=0) if len(content) > _SHORT else content
    return File(
        content,
        compressed if len(compressed) < 0.9 * len(content) else None,
        media or "application/octet-stream",
        sha256(content).hexdigest()[:10],
    )


def _read() -> tuple[dict[str, str], dict[str, File]]:
    """Return the scripts as they were written, and all files as they are served."""
    read = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file()
    }
    scripts, styles = (
        {name: content.decode() for name, content in read.items() if name.endswith(kind)}
        for kind in (".js", ".css")
    )
    # Pictures come first: style sheets contain their addresses, and so their hashes.
    files = {
        name: _file(name, content)
        for name, content in read.items()
        if name not in scripts and name not in styles
    }
    parts = {name for name in imported(scripts) if not name.startswith("pages/")}
    for name, script in scripts.items():
        text = script if name in parts else joined_script(name, scripts)
        files[name] = _file(name, text.encode())
    for name in styles:
        text = joined_style(name, styles, lambda picture: _address(picture, files))
        files[name] = _file(name, text.encode())
    return scripts, files


def _address(name: str, files: Mapping[str, File]) -> str:
    return f"/static/{name}?v={files[name].mark}"


SCRIPTS, FILES = _read()
"""The scripts as they were written, and all files as they are served, by path."""


def address(name: str) -> str:
    """Return the address of a static file. It has a hash of the content, to be cached for good."""
    return _address(name, FILES)


async def static_file(request: Request) -> Response:
    """Serve a file, or 404; browsers can cache it permanently if the address has its hash."""
    file = FILES.get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    # An address of another release works, too, but is not cached: the content may be different.
    known = request.url.query == f"v={file.mark}"
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if known else "no-cache",
        "ETag": f'"{file.mark}"',
    }
    content = file.content
    if file.compressed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            content = file.compressed
            headers |= {"Content-Encoding": "gzip", "ETag": f'"{file.mark}-gzip"'}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        headers.pop("Content-Encoding", None)
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=file.media)
