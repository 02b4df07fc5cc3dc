"""The files of pages: which imports which, bundled, compressed, immutable, and an application."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from in_process import client_of, server_of, settings_in
from listing import assert_none, circles_of
from people import Person
from shutbox.web.errors import BadRequest
from shutbox.web.pages import install
from shutbox.web.pages.static_files import (
    FILES,
    SCRIPTS,
    STATIC,
    File,
    NotJoined,
    address,
    join_script,
)
from shutbox.web.pages.templates import FOLDER, environment
from shutbox.web.server.settings import Settings


def png_size(content: bytes) -> str:
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    return f"{width}x{height}"


def test_the_manifest_has_what_browsers_want(ann: Person) -> None:
    answer = ann.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    about: dict[str, Any] = answer.json()
    assert (about["start_url"], about["scope"], about["display"]) == ("/", "/", "standalone")
    sizes = []
    for icon in about["icons"]:
        picture = ann.get(icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        assert "immutable" in picture.headers["cache-control"]
        assert len(picture.content) < 6_000
        if icon["type"] == "image/png":
            assert png_size(picture.content) == icon["sizes"]
            sizes.append((icon["sizes"], icon.get("purpose", "any")))
    assert sizes == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for page in ("/", "/help", "/r/nowhere"):
        assert '<link rel="manifest" href="/manifest.webmanifest">' in ann.get(page).text


def test_the_worker_keeps_what_the_page_without_network_is_made_of(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worker() -> dict[str, Any]:
        answer = ann.get("/sw.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "no-cache"
        [about] = re.findall(r"\Aself\.shutbox = (\{.*?\});\n", answer.text)
        told: dict[str, Any] = json.loads(about)
        return told

    about = worker()
    for path in about["shell"]:
        assert "immutable" in ann.get(path).headers["cache-control"]
    page = ann.get(about["offline"]).text
    assert "You are offline" in page
    asked = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    picture = {address("icons/full.png")}  # of a home screen, not of this page
    assert asked - picture <= set(about["shell"])
    newer = File(b"i {}", None, FILES["table.css"].media, "0123456789")
    monkeypatch.setitem(FILES, "table.css", newer)
    install._worker.cache_clear()
    try:  # another release is another worker
        assert worker()["release"] != about["release"]
    finally:
        install._worker.cache_clear()


def test_a_server_offers_the_site_without_a_server(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "engine").mkdir(parents=True)
    (site / "sw.js").write_text("// worker")
    (site / "index.html").write_text("<h1>Site</h1>")
    for offline, at in (("", ""), (str(site), "/device")):
        server = server_of(settings_in(tmp_path, offline=offline))
        client = client_of(server)
        assert environment().globals["offline_site"] == at
        assert ('id="site-keep"' in client.get("/help").text) is bool(at)
        assert ('id="alone"' in client.get("/offline").text) is bool(at)
        found = client.get("/device/index.html")
        assert found.status_code == (200 if at else 404)
        assert ("wasm-unsafe-eval" in found.headers["content-security-policy"]) is bool(at)
        assert client.get("/device/../help").status_code != 500
        assert "wasm" not in client.get("/help").headers["content-security-policy"]
        asyncio.run(server.close())
    environment().globals["offline_site"] = ""
    with pytest.raises(BadRequest, match="make site"):
        Settings(offline=str(tmp_path))


def served(name: str) -> str:
    return FILES[name].content.decode()


def test_a_script_that_a_page_asks_for_imports_no_other() -> None:
    pages = [page.read_text(encoding="utf-8") for page in (FOLDER / "templates").glob("*.html")]
    named = {name for page in pages for name in re.findall(r"static\('([^']+)'\)", page)}
    asked = named & set(SCRIPTS)
    assert len(asked) > 5
    for name in asked:
        assert not re.search(r"(?m)^\s*import\b|\bimport\(\W", served(name)), name
        assert address(name) == f"/static/{name}?v={FILES[name].mark}"
    # All that a script imports is in it once and before it.
    text = served("pages/table.js")
    of_files = ("function ngettext(", "function loadLate(", "class Board{", "new TablePage(")
    assert [text.count(statement) for statement in of_files] == [1] * 4
    assert sorted(of_files, key=text.index) == [*of_files]
    # A module that others import is served as it was written.
    for name in SCRIPTS:
        if not name.startswith("pages/"):
            assert served(name) == SCRIPTS[name] == (STATIC / name).read_text(encoding="utf-8")


def test_a_form_that_is_not_joined_is_refused() -> None:
    for line in (
        'export { b } from "./b.js";',
        'export * from "./b.js";',
        "export default 1;",
        "export let a = 1;",
        "const c = 1;\nexport { c };",
        'import c from "./b.js";',
        'import c, { b } from "./b.js";',
        'const c = await import("./b.js");',
        "import { b } from './b.js';",
        "const c = import.meta.url;",
        'import "./a.js";',  # a circle
    ):
        with pytest.raises(NotJoined, match=r"a\.js"):
            join_script("a.js", {"a.js": f"{line}\n", "b.js": "export const b = 1;\n"})


def test_what_two_import_runs_once_and_keeps_its_names() -> None:
    sources = {
        "p/a.js": 'import * as c from "../m/c.js";\nimport {\n  b as d,\n} from "../m/b.js";\n',
        "m/b.js": 'import { c } from "./c.js";\nexport function b() {}\nexport class B {}\n',
        "m/c.js": "export const c = 1;\nexport async function more() {}\n",
    }
    joined = join_script("p/a.js", sources)
    assert joined.count("const c = 1;") == 1
    assert "return { b, B };" in joined
    assert "return { c, more };" in joined
    assert "const c = $0;" in joined
    assert "const {\n  b: d,\n} = $1;" in joined


def test_no_text_of_a_script_has_another_within() -> None:
    """What shortens scripts would take the inner one for code, and lose its spaces."""
    folders = (STATIC, STATIC.parent / "device" / "script")
    for path in (path for folder in folders for path in folder.rglob("*.js")):
        texts = re.findall(r"`(?:\\.|[^`\\])*`", path.read_text(encoding="utf-8"))
        assert [one for one in texts if "${" in re.sub(r"\$\{[^{}`]*\}", "", one)] == [], path


def test_scripts_and_style_sheets_are_served_without_spaces_and_comments() -> None:
    script, style = served("pages/table.js"), served("board.css")
    assert "// The" not in script
    assert "const mainMove=" in script or "function mainMove(" in script
    assert "/*" not in style
    assert "\n  " not in style


def test_what_a_style_sheet_names_is_kept_for_ever(ann: Person) -> None:
    sheets = [served(name) for name in FILES if name.endswith(".css")]
    named = {path for sheet in sheets for path in re.findall(r'url\("(/[^"]+)"\)', sheet)}
    assert address("fonts/shutbox-serif.woff2") in named
    for path in named:
        assert "immutable" in ann.get(path).headers["cache-control"]


def test_a_file_comes_compressed_to_whoever_can_read_that(ann: Person) -> None:
    path = address("pages/table.js")
    plain = ann.get(path, headers={"accept-encoding": "identity"})
    small = ann.get(path, headers={"accept-encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"]) / 3
    assert small.text == plain.text == served("pages/table.js")
    assert [answer.headers["vary"] for answer in (plain, small)] == ["Accept-Encoding"] * 2


def test_the_font_is_small_ours_and_comes_with_its_licence(ann: Person) -> None:
    font = ann.get(address("fonts/shutbox-serif.woff2"))
    assert font.content[:4] == b"wOF2"
    assert len(font.content) <= 25_000
    assert font.headers["content-type"] == "font/woff2"
    assert "content-encoding" not in font.headers
    assert "GUST Font License" in ann.get("/static/fonts/LICENSE.txt").text
    assert "font-src 'self'" in font.headers["content-security-policy"]
    assert f'href="{address("fonts/shutbox-serif.woff2")}" as="font"' in ann.get("/help").text


ROOMS = {
    "model": {"model"},
    "net": {"model", "net"},
    "view": {"model", "view"},
    "input": {"model", "view", "input"},
    "table": {"model", "net", "view", "input", "table"},
    "pages": {"model", "net", "view", "input", "table", "pages"},
    "device": {"model", "net", "view", "pages", "device"},
}
"""What each room may import, itself included."""
PAGELESS = {"model", "net"}
_IMPORT = re.compile(
    r"""(?m)(?:^(?:import|export)\b[^;"']*\bfrom|^import|\bimport\s*\()\s*["']([^"']+)["']"""
)
_NAMES = re.compile(r'(?m)^import \{([^}]*)\} from "([^"]+)"')
_EXPORT = re.compile(r"(?m)^export (?:async )?(?:function\*?|class|const|let) (\w+)")
_PAGE = re.compile(r"\b(?:document|localStorage|byId|querySelector)\b")


def scripts() -> dict[str, str]:
    """The text of every module, by its path below `static`; those of a device as if there."""
    found = {str(p.relative_to(STATIC)): p.read_text() for p in sorted(STATIC.rglob("*.js"))}
    device = sorted((STATIC.parent / "device" / "script").glob("*.js"))
    # What runs in the worker of Python is beside that, and not beside pages.
    return found | {
        f"device/{p.name}": p.read_text() for p in device if p.stem not in ("worker", "python")
    }


def imported(name: str, text: str) -> set[str]:
    """The paths that a module imports, as seen from `static`."""
    here = (STATIC / name).parent
    found = {(here / path).resolve() for path in _IMPORT.findall(text)}
    return {str(path.relative_to(STATIC.resolve())) for path in found}


def broken(name: str, text: str) -> list[str]:
    """What a module imports or names that its room may not."""
    room = name.partition("/")[0]
    code = re.sub(r"(?m)^\s*(?://|/?\*).*$", "", text)
    strange = [path for path in imported(name, text) if path.partition("/")[0] not in ROOMS[room]]
    # A page that is hidden has no time to wait for: that alone is asked without looking at it.
    page = _PAGE.findall(code.replace("document.hidden", "")) if room in PAGELESS else []
    return [*strange, *page]


def test_every_name_that_is_imported_is_exported() -> None:
    texts = scripts()
    exports = {name: set(_EXPORT.findall(text)) for name, text in texts.items()}
    assert {path for name, text in texts.items() for path in imported(name, text)} <= set(texts)
    assert_none(
        (name, word)
        for name, text in texts.items()
        for words, path in _NAMES.findall(text)
        for word in re.findall(r"(\w+)(?: as \w+)?,?", words)
        if word not in exports[imported(name, f'import "{path}"').pop()]
    )


def test_a_module_imports_what_its_room_may_and_never_itself_in_a_circle() -> None:
    texts = scripts()
    assert {name.partition("/")[0] for name in texts} == set(ROOMS)
    assert_none((name, *fault) for name, text in texts.items() if (fault := broken(name, text)))
    assert_none(circles_of({name: imported(name, text) for name, text in texts.items()}))
