"""The table in a generated language: the same presses lead to the same game."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Visit
from browser.visitors import DEALING, Visitor
from pseudo_language import CLOSE, LANGUAGE, OPEN, english, environment, outside
from serving import Served

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """Two servers with the same dice: one speaks English, one the pseudo-language."""
    program = (DEALING, "language", "")
    plainly = Served(tmp_path_factory.mktemp("english"), program=program)
    strangely = Served(tmp_path_factory.mktemp("pseudo"), program=program)
    with plainly, pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        with strangely:
            yield plainly, strangely


def by_clicks(visitor: Visitor) -> None:
    visitor.play(undoes=False)


def by_keys(visitor: Visitor) -> None:
    while (view := visitor.view())["phase"] == "playing":
        visitor.shows(view["number"])
        table, last = view["table"], view["number"] + 1
        keys = ["Enter"]
        if table["does"] == "choose":
            offer = table["offers"][0]
            keys = [*offer["takes"], "Enter"] if offer["takes"] else [str(offer["count"])]
            last += not offer["takes"]  # once it is said how many dice, the page throws them
        for key in keys:
            visitor.page.keyboard.press(key)
        visitor.page.evaluate("n => table.until(() => table.view.number >= n, 'an answer')", last)
        visitor.shown()


def by_forms(visitor: Visitor) -> None:
    page = visitor.page
    while (view := visitor.view())["phase"] == "playing":
        table = view["table"]
        does = "form[action$='/act']:has(input[name=do][value={}])"
        if table["does"] == "throw":
            page.click(f"{does.format('throw')} button")
            continue
        offer = table["offers"][0]
        for key in offer["takes"]:
            page.check(f"input[name=tile][value='{key}']")
        tiles = f"{does.format('choose')}:has([name=tile]) button"
        page.click(tiles if offer["takes"] else f"button[name=choice][value='{offer['text']}']")


def facts(value: Any, other: Any) -> None:
    """The same in both languages, but for sentences, which are marked in the other one."""
    if isinstance(value, dict):
        assert value.keys() == other.keys()
        for key in value:
            if key not in ("room", "at"):
                facts(value[key], other[key])
    elif isinstance(value, list):
        assert len(value) == len(other)
        for one, another in zip(value, other, strict=True):
            facts(one, another)
    elif not (isinstance(other, str) and OPEN in other):
        assert value == other


@pytest.mark.parametrize("play", [by_clicks, by_keys, by_forms], ids=lambda play: play.__name__)
def test_the_same_presses_are_the_same_game(
    visit: Visit, spoken: tuple[Served, Served], play: "Callable[[Visitor], None]"
) -> None:
    records, views = [], []
    for served in spoken:
        visitor = visit(served.url, java_script_enabled=play is not by_forms)
        visitor.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
        play(visitor)
        views.append(visitor.view())
        record = visitor.context.request.get(f"{served.url}/r/{visitor.room}/record").text()
        lines = [line for line in record.splitlines() if not line.startswith("begun ")]
        records.append([re.sub(r" #[0-9a-f]+$", "", line) for line in lines])
    assert views[0]["phase"] == "over"
    assert records[0] == records[1]
    facts(*views)


def test_the_page_speaks_the_language(visit: Visit, spoken: tuple[Served, Served]) -> None:
    visitor = visit(spoken[1].url)
    page = visitor.page
    page.goto("/help")
    assert page.get_attribute("html", "lang") == LANGUAGE
    page.evaluate("() => document.querySelectorAll('kbd, .brand').forEach((one) => one.remove())")
    assert english(outside(page.inner_text("body"))) == set()
    visitor.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
    parts = {"seating": "#seats-title", "questions": "#ask button >> nth=0"}
    for tool, part in [*parts.items(), ("questions", "#typing-help"), ("questions", "#go")]:
        visitor.drawer(tool)
        text = page.inner_text(part)
        assert (text[0], text[-1]) == (OPEN, CLOSE), part
    page.keyboard.press("?")
    about = page.locator("#help-body dd").all_inner_texts()
    assert [words for words in about if not words.startswith(OPEN)] == []
