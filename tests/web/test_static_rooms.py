"""The folders of the script: which may import which, and which never touch the page."""

import re

from listing import assert_none, circles_of
from shutbox.web.pages.static_files import STATIC

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


def test_every_module_stands_in_a_room() -> None:
    assert {name.partition("/")[0] for name in scripts()} == set(ROOMS)


def test_every_module_that_is_imported_is_there() -> None:
    texts = scripts()
    assert {path for name, text in texts.items() for path in imported(name, text)} <= set(texts)


def test_every_name_that_is_imported_is_exported() -> None:
    texts = scripts()
    exports = {name: set(_EXPORT.findall(text)) for name, text in texts.items()}
    assert_none(
        (name, word)
        for name, text in texts.items()
        for words, path in _NAMES.findall(text)
        for word in re.findall(r"(\w+)(?: as \w+)?,?", words)
        if word not in exports[imported(name, f'import "{path}"').pop()]
    )


def test_a_module_imports_what_its_room_may() -> None:
    assert_none((name, *fault) for name, text in scripts().items() if (fault := broken(name, text)))


def test_no_module_imports_itself_in_a_circle() -> None:
    assert_none(circles_of({name: imported(name, text) for name, text in scripts().items()}))
