"""Builds the table as a static site, with the same pages and engine but without a server.

    python docs/static_site.py build/site

The pages are rendered once in each language from the server's templates. They use the server's
scripts, except for the few modules that talk to a server, which are replaced by those in
`web/device/script`. The engine is shutbox in Pyodide, which npm installs from `requirements/site`.
"""

import asyncio
import gzip
import json
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jinja2
from rcssmin import cssmin
from rjsmin import jsmin

from shutbox.engine.messages import FOLDER, languages
from shutbox.web.device.device import at_site, draw_for_site, for_site
from shutbox.web.logs import set_up
from shutbox.web.pages.static_files import SCRIPTS, STATIC, join_script, join_style
from shutbox.web.pages.templates import environment
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

ROOT = Path(__file__).parents[1]
DEVICE = STATIC.parent / "device" / "script"
DRAWN = ("/", "/new", "/help", "/settings")
"""The pages that are the same for everybody."""
FRAMES = ("/today", "/learn", "/analysis", "/practice", "/games", "/dice", "/challenge")
"""Pages of which the site has the frame. The engine makes the rest."""
REFUSED = (403, 422, 429, 503)
"""The statuses of a page that has the same frame.

No game is over yet, there is no challenge in the address, or this machine is busy or starting.
"""
OF_ROOM = ("/review", "/dice")
"""Such pages below the address of a room."""
STANDS_FOR = {
    "net/request.js": "request.js",
    "net/socket.js": "socket.js",
    "net/pages.js": "pages.js",
    "model/addresses.js": "addresses.js",
}
"""The modules of the script that talk to a server, and their replacements without one."""
BUNDLES = (
    *("device/home.js", "device/new.js", "device/begin.js", "pages/page.js", "pages/table.js"),
    *("pages/review.js", "pages/dice.js", "pages/analysis.js", "pages/practice.js"),
    *("pages/today.js", "pages/late.js", "pages/voice.js"),
)
ENGINE = ("pyodide.mjs", "python.js", "worker.js", "store.js")
PACKED = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python.zip", "shutbox.zip")
_BOOT = re.compile(r'(<script type="application/json" id="boot">).*?(</script>)', re.S)
_MAIN = re.compile(r'(<main id="main"[^>]*>).*?(</main>)', re.S)
_COMMENT = re.compile(r"(?m)^#[^,].*\n")
_ROOM = re.compile(r'\w+\.html\?(room|table)=[^"]*|record\.txt\?[^"]*')


def built(target: Path) -> None:
    """Build the whole site into a folder, which is emptied first."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "engine").mkdir(parents=True)
    pyodide = fetched(target.with_name("npm"))
    made_engine(pyodide, target / "engine")
    made_static(target)
    asyncio.run(drawn_pages(target))
    made_worker(target)


def fetched(folder: Path) -> Path:
    """Download the locked version of Pyodide, whose hash npm checks, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "requirements" / "site" / name, folder)
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(npm, cwd=folder, check=True)
    return folder / "node_modules" / "pyodide"


def made_engine(pyodide: Path, target: Path) -> None:
    """Write Python, shutbox and their start scripts. Large files are compressed."""
    packages = Path(jinja2.__file__).parents[1]
    packs = (ROOT / "docs" / "engine.mjs", pyodide, ROOT / "src", target, packages)
    subprocess.run(["node", *map(str, packs)], check=True)
    for name in ENGINE:
        shutil.copy((pyodide if name.startswith("pyodide") else DEVICE) / name, target)
    for name in PACKED[:2]:
        shutil.copy(pyodide / name, target)
    for name in PACKED:
        content = (target / name).read_bytes()
        (target / name).unlink()
        _write_packed(target / name, content)
    for language in languages()[1:]:
        text = _COMMENT.sub("", (FOLDER / f"{language}.po").read_text(encoding="utf-8"))
        _write_packed(target / f"{language}.po", text.encode())
    mark = sha256(b"".join(path.read_bytes() for path in sorted(target.iterdir())))
    (target / "mark.js").write_text(f'export const MARK = "{mark.hexdigest()[:16]}";\n')
    # No packages are loaded later, so only the interpreter stays in the lock file.
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    (target / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))


def scripts() -> dict[str, str]:
    """Return every module of the script, with the replacements in their places."""
    found = {p.relative_to(STATIC).as_posix(): p.read_text() for p in STATIC.rglob("*.js")}
    found |= {f"device/{p.name}": p.read_text() for p in DEVICE.glob("*.js")}
    for name, other in STANDS_FOR.items():
        # Adjust its imports, as if the file were at the path it replaces.
        found[name] = re.sub(r'"\./(\w+\.js)"', r'"../device/\1"', found[f"device/{other}"])
    return found


def made_static(target: Path) -> None:
    """Write styles, scripts, pictures and fonts."""
    styles = {p.relative_to(STATIC).as_posix(): p.read_text() for p in STATIC.rglob("*.css")}
    for path in STATIC.rglob("*"):
        name = path.relative_to(STATIC).as_posix()
        if path.is_file() and path.suffix not in (".js", ".css"):
            _write(target / "static" / name, path.read_bytes())
    for name in styles:
        text = cssmin(join_style(name, styles, str))
        _write(target / "static" / name, text.encode())
    sources = scripts()
    SCRIPTS.update(sources)  # pages contain translations of all
    early = sources["device/choose.js"] + sources["pages/early.js"]
    _write(target / "static" / "pages/early.js", early.encode())
    for name in BUNDLES:
        _write(target / "static" / name, jsmin(join_script(name, sources)).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _write_packed(path: Path, content: bytes) -> None:
    path.with_name(f"{path.name}.packed").write_bytes(gzip.compress(content, 9, mtime=0))


async def drawn_pages(target: Path) -> None:
    """Write the pages and the manifests, rendered by a server that knows the engine.

    Those of a language other than English are in a folder with its tag as the name.
    """
    set_up(as_json=False)
    draw_for_site()
    # A page shares the engine of its own release with other pages.
    mark = sha256((target / "engine" / "mark.js").read_bytes()).hexdigest()[:8]
    environment().globals["engine"] += f"?{mark}"
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/pages.db")
        server = Server(Settings(), database)
        app = app_of(server)

        new = b'{"action": "12345678", "seats": [{"who": "me"}]}'
        opened = json.loads(await answer(app, "POST", "/api/rooms", "en", new))
        room, key = f"/r/{opened['view']['room']}", opened["keys"]["host"]
        for language in languages():
            await _draw_in(app, target, language.replace("_", "-"), room, key)
        await server.close()


async def _draw_in(app: Any, target: Path, language: str, room: str, key: str) -> None:
    """Write the pages and the manifest of one language, with `room` as the table."""
    folder = target if language == "en" else target / language
    folder.mkdir(exist_ok=True)
    for path in (*DRAWN, room, *FRAMES, "/p/classic", *(room + below for below in OF_ROOM)):
        is_frame = path not in (*DRAWN, room)
        sent = key if path.startswith("/r/") else ""
        also = REFUSED if is_frame else ()
        page = for_site(await answer(app, "GET", path, language, key=sent, also=also))
        if is_frame:
            page = _MAIN.sub(r"\1\2", page)
        name = at_site(path).partition("?")[0]
        page = _BOOT.sub(r"\1\2", page) if name == "table.html" else page
        (folder / name).write_text(_ROOM.sub(lambda at: at[0].partition("?")[0], page))
    about = await answer(app, "GET", "/manifest.webmanifest", language)
    about = manifest(about, "./" if folder == target else "../")
    (folder / "manifest.webmanifest").write_text(about)


async def answer(
    app: Any,
    method: str,
    path: str,
    language: str,
    body: bytes = b"",
    key: str = "",
    also: tuple[int, ...] = (),
) -> str:
    """Return the application's response to a request, whose status may be one of `also`."""
    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    headers.append((b"accept-language", language.encode()))
    if key:
        headers.append((b"authorization", f"Bearer {key}".encode()))
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    status, parts = 0, list[bytes]()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    text = b"".join(parts).decode()
    if status not in (200, 201, *also):
        raise SystemExit(f"{method} {path}: {status}: {text[:500]}")
    return text


def manifest(served: str, root: str) -> str:
    """Return the web manifest for a site in any folder, which is `root` as seen from its pages."""
    about = json.loads(served)
    icons = [{**icon, "src": root + icon["src"].partition("?")[0][1:]} for icon in about["icons"]]
    site = {"id": "./", "start_url": "./index.html", "scope": root, "icons": icons}
    return json.dumps({**about, **site})


def made_worker(target: Path) -> None:
    """Write the service worker. It caches every file, under a name made from their contents.

    Sounds are cached once they are fetched, at the first press, and other languages when used.
    """
    files = sorted(p for p in target.rglob("*") if p.is_file())
    mark = sha256(b"".join(sha256(p.read_bytes()).digest() for p in files)).hexdigest()[:10]
    names = [p.relative_to(target).as_posix() for p in files if p.parent.name != "sounds"]
    others = {}
    for language in languages()[1:]:
        folder = f"{language.replace('_', '-')}/"
        own = [n for n in names if n.startswith(folder) or n == f"engine/{language}.po.packed"]
        others[folder[:-1]] = [folder, *own]
        names = [name for name in names if name not in own]
    about = json.dumps({"release": mark, "files": ["./", *names], "languages": others})
    script = (DEVICE / "offline.js").read_text()
    (target / "sw.js").write_text(f"self.shutbox = {about};\n{script}")


if __name__ == "__main__":
    built(Path(sys.argv[1]))
