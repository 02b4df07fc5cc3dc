"""The files of the pages: styles, scripts and pictures, as they were when this process started.

They are read once and served from memory, some 150 kB: a process goes on with its own while a newer
release is being installed.
"""

import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

STATIC = Path(__file__).parents[1] / "static"


@dataclass(frozen=True, slots=True)
class File:
    """One of them."""

    content: bytes
    media: str
    mark: str
    """A hash of the content."""


def _read(path: Path) -> File:
    content = path.read_bytes()
    media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(content, media, sha256(content).hexdigest()[:10])


FILES = {
    path.relative_to(STATIC).as_posix(): _read(path)
    for path in sorted(STATIC.rglob("*"))
    if path.is_file()
}
"""All of them, by their path below `static`."""


def address(name: str) -> str:
    """The address of a file, which changes with what is in it, so that it is kept for ever."""
    return f"/static/{name}?v={FILES[name].mark}"


async def static_file(request: Request) -> Response:
    """The answer to who asks for one. It is kept for ever where the address says its content."""
    file = FILES.get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    # An address of another release is answered, too, and not kept: what is there may be new.
    known = request.url.query == f"v={file.mark}"
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if known else "no-cache",
        "ETag": f'"{file.mark}"',
    }
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers, media_type=file.media)
