"""The files of pages: scripts and styles, bundled, compressed and immutable, and the font."""

import gzip
import re
from collections.abc import Callable

import pytest

from people import Person
from shutbox.web.pages.static_files import (
    FILES,
    SCRIPTS,
    STATIC,
    NotJoined,
    address,
    join_script,
    join_style,
)
from shutbox.web.pages.templates import FOLDER

MOST_FONT = 25_000


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


def test_all_that_a_script_imports_is_in_it_once_and_before_it() -> None:
    text = served("pages/table.js")
    begins = [text.index(statement) for statement in ORDER]
    assert begins == sorted(begins)
    assert all(text.count(statement) == 1 for statement in ORDER)


ORDER = ("function ngettext(", "function loadLate(", "class Board{", "new TablePage(")
"""A statement each of messages.js, dom.js, board.js and the script of the page."""


def test_a_module_that_others_import_is_served_as_it_was_written() -> None:
    parts = {name for name in SCRIPTS if not name.startswith("pages/")}
    assert "view/dom.js" in parts
    for name in parts:
        assert served(name) == SCRIPTS[name] == (STATIC / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
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
    ],
)
def test_a_form_that_is_not_joined_is_refused(line: str) -> None:
    with pytest.raises(NotJoined, match=r"a\.js"):
        join_script("a.js", {"a.js": f"{line}\n", "b.js": "export const b = 1;\n"})


def test_a_circle_is_refused() -> None:
    sources = {"v/a.js": 'import "./b.js";\n', "v/b.js": 'import { a } from "../v/a.js";\n'}
    with pytest.raises(NotJoined, match="circle"):
        join_script("v/a.js", sources)


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
    assert "// The" not in served("pages/table.js")
    assert "const mainMove=" in served("pages/table.js") or "function mainMove(" in served(
        "pages/table.js"
    )
    assert "/*" not in served("board.css")
    assert "\n  " not in served("board.css")


def test_a_style_sheet_takes_in_what_it_imports_once() -> None:
    sheets = {
        "a.css": '@import "b.css";\n@import "c.css";\na { background: url("x.svg"); }\n',
        "b.css": '@import "c.css";\nb { top: 0; }\n',
        "c.css": 'c { background: url("data:,"); }\n',
    }
    joined = join_style("a.css", sheets, lambda name: f"/kept/{name}")
    assert joined.splitlines() == [
        'c { background: url("data:,"); }',
        "b { top: 0; }",
        'a { background: url("/kept/x.svg"); }',
    ]


def test_what_a_style_sheet_names_is_kept_for_ever(person: Callable[[], Person]) -> None:
    ann = person()
    named = {
        path
        for name in FILES
        if name.endswith(".css")
        for path in re.findall(r'url\("(/[^"]+)"\)', served(name))
    }
    assert address("fonts/shutbox-serif.woff2") in named
    for path in named:
        assert "immutable" in ann.get(path).headers["cache-control"]


def test_a_file_comes_compressed_to_whoever_can_read_that(person: Callable[[], Person]) -> None:
    ann = person()
    path = address("pages/table.js")
    plain = ann.get(path, headers={"accept-encoding": "identity"})
    small = ann.get(path, headers={"accept-encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) < int(plain.headers["content-length"]) / 3
    assert small.text == plain.text == served("pages/table.js")
    for answer in (plain, small):
        assert answer.headers["vary"] == "Accept-Encoding"
    packed = FILES["pages/table.js"].compressed
    assert packed is not None
    assert gzip.decompress(packed) == FILES["pages/table.js"].content


def test_the_font_is_small_ours_and_comes_with_its_licence(person: Callable[[], Person]) -> None:
    ann = person()
    font = ann.get(address("fonts/shutbox-serif.woff2"))
    assert font.content[:4] == b"wOF2"
    assert len(font.content) <= MOST_FONT
    assert font.headers["content-type"] == "font/woff2"
    assert "content-encoding" not in font.headers
    assert "GUST Font License" in ann.get("/static/fonts/LICENSE.txt").text
    assert "font-src 'self'" in font.headers["content-security-policy"]
    assert f'href="{address("fonts/shutbox-serif.woff2")}" as="font"' in ann.get("/help").text
