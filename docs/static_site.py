"""Builds the table as a static site, with the same pages and engine but without a server.

    python docs/static_site.py build/site

The pages are rendered once from the server's templates. They use the server's scripts, except for
the few modules that talk to a server, which are replaced by those in `web/device/script`. The
engine is shutbox in Pyodide, which npm installs from `requirements/site`.
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

from shutbox.web.device.device import at_site, draw_for_site, for_site
from shutbox.web.logs import set_up
from shutbox.web.pages.static_files import STATIC, joined_script, joined_style
from shutbox.web.pages.templates import environment
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database

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
_MAIN = re.compile(r'(<main id="main"[^>]*>).*?(</main>)', re.S)
_ROOM = re.compile(r'(table|review|dice)\.html\?room=[^"]*|record\.txt\?[^"]*')


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
        (target / f"{name}.packed").write_bytes(gzip.compress(content, 9, mtime=0))
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
        text = cssmin(joined_style(name, styles, str))
        _write(target / "static" / name, text.encode())
    sources = scripts()
    _write(target / "static" / "pages/early.js", sources["pages/early.js"].encode())
    for name in BUNDLES:
        _write(target / "static" / name, jsmin(joined_script(name, sources)).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


async def drawn_pages(target: Path) -> None:
    """Write the pages and the manifest, rendered by a server that knows the engine."""
    set_up(as_json=False)
    draw_for_site()
    # A page shares the engine of its own release with other pages.
    mark = sha256((target / "engine" / "mark.js").read_bytes()).hexdigest()[:8]
    environment().globals["engine"] += f"?{mark}"
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/pages.db")
        server = Server(Settings(), database)
        app = app_of(server)

        async def write(path: str, key: str = "", *, frame: bool = False) -> None:
            page = for_site(await answer(app, "GET", path, key=key, also=REFUSED if frame else ()))
            name = at_site(path).partition("?")[0]
            if frame:
                page = _MAIN.sub(r"\1\2", page)
            (target / name).write_text(_ROOM.sub(lambda at: at[0].partition("?")[0], page))

        for path in DRAWN:
            await write(path)
        about = manifest(await answer(app, "GET", "/manifest.webmanifest"))
        (target / "manifest.webmanifest").write_text(json.dumps(about))
        new = b'{"action": "12345678", "seats": [{"who": "me"}]}'
        opened = json.loads(await answer(app, "POST", "/api/rooms", new))
        room, key = f"/r/{opened['view']['room']}", opened["keys"]["host"]
        await write(room, key)
        table = target / "table.html"
        boot = re.compile(r'(<script type="application/json" id="boot">).*?(</script>)', re.S)
        table.write_text(boot.sub(r"\1\2", table.read_text()))
        for path in (*FRAMES, "/p/classic", *(room + below for below in OF_ROOM)):
            await write(path, key if path.startswith("/r/") else "", frame=True)
        await server.close()


async def answer(
    app: Any, method: str, path: str, body: bytes = b"", key: str = "", also: tuple[int, ...] = ()
) -> str:
    """Return the application's response to a request, whose status may be one of `also`."""
    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
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


def manifest(served: str) -> dict[str, Any]:
    """Return the web manifest for a site in any folder."""
    about = json.loads(served)
    icons = [{**icon, "src": icon["src"].partition("?")[0][1:]} for icon in about["icons"]]
    return {**about, "id": "./", "start_url": "./index.html", "scope": "./", "icons": icons}


def made_worker(target: Path) -> None:
    """Write the service worker. It caches every file, under a name made from their contents.

    Sounds are cached once they are fetched, at the first press.
    """
    files = sorted(p for p in target.rglob("*") if p.is_file())
    mark = sha256(b"".join(sha256(p.read_bytes()).digest() for p in files)).hexdigest()[:10]
    first = (path for path in files if path.parent.name != "sounds")
    names = ["./", *(p.relative_to(target).as_posix() for p in first)]
    about = json.dumps({"release": mark, "files": names})
    script = (DEVICE / "offline.js").read_text()
    (target / "sw.js").write_text(f"self.shutbox = {about};\n{script}")


if __name__ == "__main__":
    built(Path(sys.argv[1]))
