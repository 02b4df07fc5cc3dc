"""The table in a generated language: it is played, and all of it is in that language."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN
from pseudo_language import CLOSE, LANGUAGE, OPEN, english, environment, in_pseudo, outside
from serving import Served

if TYPE_CHECKING:
    pass


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that speaks the pseudo-language."""
    with Served(
        tmp_path_factory.mktemp("pseudo"), deals=("language", ""), environment=environment()
    ) as served:
        yield served


ISOLATES = re.compile("[\u2066-\u2069]")
SPOKEN = """() => [
    ...[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")),
    ...[...document.querySelectorAll("#spoken p, #status, #outcome")].map((one) => one.textContent),
]"""
SENT = re.compile(r'aria-label="([^"]*)"|id="(?:status|outcome)"[^>]*>([^<]*)<')


def test_spoken_text_has_no_marks_around_names(visit: Visit, spoken: Served) -> None:
    """Some voices read them aloud. What is only seen needs them."""
    visitor = visit(spoken.url)
    seats = [ANN, {"who": "computer:fewest"}]
    visitor.open(game="classic", seats=seats)
    visitor.play(undoes=False)
    page = visitor.context.request.get(f"{spoken.url}/r/{visitor.room}").text()
    sent = [label or line for label, line in SENT.findall(page)]
    told = visitor.page.evaluate("() => table.told") + visitor.page.evaluate(SPOKEN)
    for heard in (sent, told):
        assert any("Ann" in line for line in heard)
        assert [line for line in heard if ISOLATES.search(line)] == []
    assert ISOLATES.search(visitor.page.inner_text(".wins"))


def test_the_page_speaks_the_language(visit: Visit, spoken: Served) -> None:
    visitor = visit(spoken.url)
    page = visitor.page
    page.goto("/help")
    assert page.get_attribute("html", "lang") == LANGUAGE
    page.evaluate("() => document.querySelectorAll('kbd, .brand').forEach((one) => one.remove())")
    assert english(outside(page.inner_text("body"))) == set()
    visitor.open(game="classic", seats=[ANN])
    parts = {"seating": "#tool-seating h2", "questions": "#ask button >> nth=0"}
    for tool, part in [*parts.items(), ("questions", "#typing-help"), ("questions", "#go")]:
        visitor.drawer(tool)
        text = page.inner_text(part)
        assert (text[0], text[-1]) == (OPEN, CLOSE), part
    page.locator("#ask button").last.click()
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
            page.click("#menu > summary")
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
        visitor.play(undoes=False)
        assert english(outside(page.inner_text("#log"))) == set()
