"""The static files of the pages: styles, scripts and pictures.

They are read once when the process starts, joined, compressed and served from memory. A script in
`pages/` or a style sheet comes with everything that it imports: a page requests few files, and none
of them requests more but what is rarely needed, `pages/late.js` and `pages/voice.js`.

Each module of a script becomes a function that runs once, after the modules that it imports, and
returns its exports. Only the imports of our own modules are supported, of names in braces or of all
names; a test joins all modules. A style sheet takes in the files of its `@import` lines.
What only readers of the source need, comments and spaces, is removed.
"""

import gzip
import mimetypes
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_IMPORT = re.compile(r'(?m)^import\s+(?:(\{[\w\s,]+\}|\* as \w+)\s+from\s+)?"([^"]+)";\n?')
_EXPORT = re.compile(r"(?m)^export (?=(?:(?:async )?function|class|const) (\w+))")
_OTHER = re.compile(r"(?m)^(?:import|export)\b.*|\bimport\(\W.*|\bimport\.meta\b.*")
_STYLE = re.compile(r'(?m)^@import "([^"]+)";\n')
_FILE = re.compile(r'\burl\("([^":]+)"\)')


class NotJoined(Exception):
    """The refusal of a module with an unsupported import or export, or one that imports itself."""


def join_script(name: str, sources: Mapping[str, str]) -> str:
    r"""Return a module with everything that it imports, each once, in the order they run.

    `sources` are the texts by name. Raises NotJoined.

    >>> print(join_script("a.js", {
    ...     "a.js": 'import { b as c } from "./b.js";\nc();\n',
    ...     "b.js": 'export const b = () => 1;\n',
    ... }))
    const $0 = (() => {
    const b = () => 1;
    return { b };
    })();
    const $1 = (() => {
    const { b: c } = $0;
    c();
    return {};
    })();
    <BLANKLINE>
    """
    constants = {at: f"${number}" for number, at in enumerate(modules_of(name, sources))}
    joined = "".join(
        f"const {constant} = (() => {{\n{_body(at, sources[at], constants)}}})();\n"
        for at, constant in constants.items()
    )
    exported = ", ".join(_EXPORT.findall(sources[name]))
    return joined + (exported and f"export const {{ {exported} }} = {constants[name]};\n")


def modules_of(name: str, sources: Mapping[str, str]) -> list[str]:
    """Return the names of all modules that a module imports, and last its own. Raises NotJoined."""
    return _in_order(name, lambda at: [path for _, path in _IMPORT.findall(sources[at])], [])


def _in_order(
    name: str, imports: Callable[[str], list[str]], names: list[str], above: tuple[str, ...] = ()
) -> list[str]:
    """Append to `names` the names of all that a file imports, then its own, and return the list.

    `above` are the files whose imports led to `name`. Raises NotJoined if it is one of them.
    """
    if name in above:
        raise NotJoined(f"{name} imports itself in a circle")
    for path in imports(name):
        if (other := _resolve(name, path)) not in names:
            _in_order(other, imports, names, (*above, name))
    names.append(name)
    return names


def _body(name: str, source: str, constants: Mapping[str, str]) -> str:
    """Return the module `name` as a function body that returns its exports. Raises NotJoined.

    `constants` are the names of the constants with the exports of each module.
    """

    def import_as_constant(statement: re.Match[str]) -> str:
        names, path = statement.groups("")
        names = names.removeprefix("* as ").replace(" as ", ": ")
        return names and f"const {names} = {constants[_resolve(name, path)]};\n"

    text = _EXPORT.sub("", _IMPORT.sub(import_as_constant, source))
    if other := _OTHER.search(text):
        raise NotJoined(f"{name}: {other[0]}")
    exported = ", ".join(_EXPORT.findall(source))
    returned = f"return {{ {exported} }};\n" if exported else "return {};\n"
    return text + returned


def _resolve(name: str, path: str) -> str:
    """Return the name of the file that the file `name` imports as `path`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def join_style(name: str, sources: Mapping[str, str], address: Callable[[str], str]) -> str:
    r"""Return a style sheet with those that it imports, each once.

    `address` returns the URL of a picture or font by its name. Raises NotJoined.

    >>> sheets = {"a.css": '@import "b.css";\ni { color: red; }', "b.css": 'b { margin: 0; }\n'}
    >>> join_style("a.css", sheets, str)
    'b { margin: 0; }\ni { color: red; }'
    """
    names = _in_order(name, lambda at: _STYLE.findall(sources[at]), [])
    texts = (_STYLE.sub("", sources[sheet]) for sheet in names)
    return _FILE.sub(lambda link: f'url("{address(link[1])}")', "".join(texts))


STATIC = Path(__file__).parents[1] / "static"
_JOINED = (".js", ".css")  # the suffixes of files that import others
_SHORT = 1000  # files of up to this many bytes are not compressed
_MEDIA = {".js": "text/javascript", ".webp": "image/webp", ".woff2": "font/woff2"}
"""Media types by suffix, where systems use different names or none at all."""


@dataclass(frozen=True, slots=True)
class File:
    """A static file, ready to be served."""

    content: bytes
    compressed: bytes | None  # in gzip; None if that saves less than a tenth
    media: str
    mark: str  # a hash of the content


def _make_file(name: str, content: bytes) -> File:
    media = _MEDIA.get(Path(name).suffix) or mimetypes.guess_type(name)[0]
    compressed = gzip.compress(content, 9, mtime=0) if len(content) > _SHORT else content
    small = compressed if len(compressed) < 0.9 * len(content) else None
    mark = sha256(content).hexdigest()[:10]
    return File(content, small, media or "application/octet-stream", mark)


FILES: dict[str, File] = {}
"""All files as they are served, by path."""


def address(name: str) -> str:
    """Return the address of a static file. It has a hash of the content, to be cached for good."""
    return f"/static/{name}?v={FILES[name].mark}"


def _load() -> dict[str, str]:
    """Fill `FILES`, and return the scripts as they were written."""
    if not STATIC.exists():  # on the static site, whose engine has no need of the two packages
        return {}
    from rcssmin import cssmin
    from rjsmin import jsmin

    paths = {p.relative_to(STATIC).as_posix(): p for p in STATIC.rglob("*") if p.is_file()}
    texts = {n: p.read_text(encoding="utf-8") for n, p in paths.items() if p.suffix in _JOINED}
    # Style sheets come last: they contain the addresses of pictures, and so their hashes.
    for name in sorted(paths, key=lambda name: (name.endswith(".css"), name)):
        content = paths[name].read_bytes()
        if name.startswith("pages/"):
            content = jsmin(join_script(name, texts)).encode()
        elif name.endswith(".css"):
            content = cssmin(join_style(name, texts, address)).encode()
        FILES[name] = _make_file(name, content)
    return {name: text for name, text in texts.items() if name.endswith(".js")}


SCRIPTS = _load()
"""The scripts as they were written, by path."""


async def static_file(request: Request) -> Response:
    """Serve a file, or 404; browsers can cache it permanently if the address has its hash."""
    file = FILES.get(request.path_params["name"])
    if file is None:
        raise HTTPException(404)
    # An address of another release works, too, but is not cached: the content may be different.
    known = request.url.query == f"v={file.mark}"
    headers = {"Cache-Control": "public, max-age=31536000, immutable" if known else "no-cache"}
    content = file.content
    if file.compressed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"], content = "gzip", file.compressed
    return Response(content, headers=headers, media_type=file.media)
