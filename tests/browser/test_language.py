"""The table in a generated language: it is played, and all of it is in that language."""

import re
from collections.abc import Iterator

import pytest

from browser.conftest import Visit
from browser.visitors import ANN
from pseudo_language import CLOSE, LANGUAGE, OPEN, english, environment, in_pseudo, outside
from serving import Served


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that speaks English and the pseudo-language."""
    folder = tmp_path_factory.mktemp("pseudo")
    both = {**environment(), "SHUTBOX_LANGUAGE": "en"}
    with Served(folder, deals="language", environment=both) as served:
        yield served


ISOLATES = re.compile("[\u2066-\u2069]")
SPOKEN = """() => [
    ...[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")),
    ...[...document.querySelectorAll("#spoken p, #status, #outcome")].map((one) => one.textContent),
]"""
SENT = re.compile(r'aria-label="([^"]*)"|id="(?:status|outcome)"[^>]*>([^<]*)<')


def test_spoken_text_has_no_marks_around_names(visit: Visit, spoken: Served) -> None:
    """Some voices read them aloud. What is only seen needs them."""
    visitor = visit(spoken.url, locale=LANGUAGE)
    seats = [ANN, {"who": "computer:fewest"}]
    visitor.open(game="classic", seats=seats)
    visitor.play(undoes=False)
    page = visitor.get(f"/r/{visitor.room}").text()
    sent = [label or line for label, line in SENT.findall(page)]
    told = visitor.page.evaluate("() => table.told") + visitor.page.evaluate(SPOKEN)
    for heard in (sent, told):
        assert any("Ann" in line for line in heard)
        assert [line for line in heard if ISOLATES.search(line)] == []
    assert ISOLATES.search(visitor.page.inner_text(".wins"))


def test_the_page_speaks_the_language(visit: Visit, spoken: Served) -> None:
    visitor = visit(spoken.url, locale=LANGUAGE)
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
    meanings = page.locator("#help-body dd").all_inner_texts()
    assert [words for words in meanings if not words.startswith(OPEN)] == []


def test_a_visitor_chooses_a_language_and_stays_on_the_page(visit: Visit, spoken: Served) -> None:
    visitor, other = visit(spoken.url), visit(spoken.url)
    for page in (visitor.page, other.page):
        page.goto("/new?game=ten")
    page = visitor.page
    page.click("#menu > summary")
    form = page.locator("form[action='/language'] >> visible=true")
    assert form.locator("option").all_inner_texts() == ["English", in_pseudo("English")]
    form.locator("select").select_option(LANGUAGE)
    form.locator("button").click()
    page.wait_for_selector(f"html[lang={LANGUAGE}]", state="attached")
    assert page.url == f"{spoken.url}/new?game=ten"
    assert page.inner_text("h1").startswith(OPEN)
    other.page.reload()
    assert other.page.get_attribute("html", "lang") == "en"
    visitor.open(game="classic", seats=[{"who": "me"}, {"who": "here"}], format="rounds=1")
    names = [in_pseudo("Player {number}").replace("{number}", seat) for seat in "12"]
    assert page.locator("#plates bdi").all_inner_texts() == names
    assert all(name in page.inner_text("#log") for name in names)
    # What comes over the socket is in the language of the page, too.
    visitor.open(game="classic", seats=[ANN])
    visitor.play(undoes=False)
    assert english(outside(page.inner_text("#log"))) == set()
