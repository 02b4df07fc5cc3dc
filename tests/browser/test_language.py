"""The table in a generated language: the same presses lead to the same game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor
from pseudo_language import CLOSE, LANGUAGE, OPEN, english, environment, in_pseudo, outside
from serving import Served

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Served]]:
    """Two servers with the same dice: one speaks English, one the pseudo-language."""
    deals = ("language", "")
    plainly = Served(tmp_path_factory.mktemp("english"), deals=deals)
    strangely = Served(tmp_path_factory.mktemp("pseudo"), deals=deals)
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


CHANCES = ("begun ", "dice ", "opening ")
"""How the lines of a record begin that differ from game to game."""


def facts(value: Any, other: Any) -> None:
    """The same in both languages, but for sentences, which are marked in the other one."""
    if isinstance(value, dict):
        assert value.keys() == other.keys()
        for key in value:
            if key not in ("room", "at", "seal", "number"):
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
        visitor.open(game="classic", seats=[ANN])
        play(visitor)
        views.append(visitor.view())
        record = visitor.context.request.get(f"{served.url}/r/{visitor.room}/record").text()
        lines = [line for line in record.splitlines() if not line.startswith(CHANCES)]
        records.append([re.sub(r" #[0-9a-f]+$", "", line) for line in lines])
    assert views[0]["phase"] == "over"
    assert records[0] == records[1]
    facts(*views)


ISOLATES = re.compile("[\u2066-\u2069]")
SPOKEN = """() => [
    ...[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")),
    ...[...document.querySelectorAll("#spoken p, #status, #outcome")].map((one) => one.textContent),
]"""
SENT = re.compile(r'aria-label="([^"]*)"|id="(?:status|outcome)"[^>]*>([^<]*)<')


def test_spoken_text_has_no_marks_around_names(visit: Visit, spoken: tuple[Served, Served]) -> None:
    """Some voices read them aloud. What is only seen needs them."""
    visitor = visit(spoken[1].url)
    seats = [ANN, {"who": "computer:fewest"}]
    visitor.open(game="classic", seats=seats)
    visitor.play(undoes=False)
    page = visitor.context.request.get(f"{spoken[1].url}/r/{visitor.room}").text()
    sent = [label or line for label, line in SENT.findall(page)]
    told = visitor.page.evaluate("() => table.told") + visitor.page.evaluate(SPOKEN)
    for heard in (sent, told):
        assert any("Ann" in line for line in heard)
        assert [line for line in heard if ISOLATES.search(line)] == []
    assert ISOLATES.search(visitor.page.inner_text(".wins"))


def test_the_page_speaks_the_language(visit: Visit, spoken: tuple[Served, Served]) -> None:
    visitor = visit(spoken[1].url)
    page = visitor.page
    page.goto("/help")
    assert page.get_attribute("html", "lang") == LANGUAGE
    page.evaluate("() => document.querySelectorAll('kbd, .brand').forEach((one) => one.remove())")
    assert english(outside(page.inner_text("body"))) == set()
    visitor.open(game="classic", seats=[ANN])
    parts = {"seating": "#seats-title", "questions": "#ask button >> nth=0"}
    for tool, part in [*parts.items(), ("questions", "#typing-help"), ("questions", "#go")]:
        visitor.drawer(tool)
        text = page.inner_text(part)
        assert (text[0], text[-1]) == (OPEN, CLOSE), part
    page.keyboard.press("?")
    about = page.locator("#help-body dd").all_inner_texts()
    assert [words for words in about if not words.startswith(OPEN)] == []


@pytest.mark.parametrize("scripted", [True, False])
def test_a_visitor_chooses_a_language_and_stays_on_the_page(
    visit: Visit, tmp_path: Path, scripted: bool
) -> None:
    deals = ("language", "")
    both = {**environment(), "SHUTBOX_LANGUAGE": "en"}
    with Served(tmp_path, deals=deals, environment=both) as served:
        visitor, other = (visit(served.url, java_script_enabled=scripted) for _ in range(2))
        for page in (visitor.page, other.page):
            page.goto("/new?game=ten")
        page = visitor.page
        if scripted:
            page.click(".menu.scripted > summary")
        form = page.locator("form[action='/language'] >> visible=true")
        assert form.locator("option").all_inner_texts() == ["English", in_pseudo("English")]
        form.locator("select").select_option(LANGUAGE)
        form.locator("button").click()
        page.wait_for_selector(f"html[lang={LANGUAGE}]", state="attached")
        assert page.url == f"{served.url}/new?game=ten"
        assert page.inner_text("h1").startswith(OPEN)
        other.page.reload()
        assert other.page.get_attribute("html", "lang") == "en"
        if not scripted:
            return
        # What comes over the socket is in the language of the page, too.
        visitor.open(game="classic", seats=[ANN])
        by_clicks(visitor)
        assert english(outside(page.inner_text("#log"))) == set()
