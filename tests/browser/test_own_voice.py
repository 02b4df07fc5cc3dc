"""The browser's own voice, on every page where it is on, and nowhere else."""

from typing import Any

from browser.conftest import Visit
from browser.test_listening import LONG, THROWS, stop_clock
from browser.visitors import ANN, MACHINE, Visitor

ALOUD = """if (location.host) localStorage.setItem("shutbox", '{"aloud": true}');"""


def voiced(ann: Visitor, *languages: str) -> Visitor:
    """The visitor, with a voice that says nothing aloud and has these languages."""
    ann.stub("voice", languages)
    return ann


def test_a_page_is_read_from_its_heading_and_what_tab_reaches(visit: Visit) -> None:
    ann = voiced(visit(), "en-GB")
    ann.context.add_init_script(ALOUD)
    page = ann.page
    for path in ("/", "/new", "/today", "/games"):
        ann.goto(path)
        ann.until("voiced.length > 1")
        heading, sentence, *_ = page.evaluate("() => voiced")
        assert heading == " ".join(page.locator("main h1").first.inner_text().split()), path
        assert len(sentence) > 10, path
        page.keyboard.press("Tab")
        reached = page.evaluate("() => document.activeElement.textContent.trim()")
        assert reached, path
        assert page.evaluate("() => voiced.slice(-2)") == ["", reached], path
    ann.goto("/practice")
    ann.until("voiced.some((text) => text)")


def test_the_switch_says_whether_there_is_a_voice(visit: Visit) -> None:
    """No page loads it unless it is on."""
    sent: list[str] = []
    for languages, words in (
        (["de-DE", "en-GB"], "This page now speaks."),
        (["de-DE"], "This browser has no voice for the language of this page."),
        ([], "This browser has no voice."),
    ):
        ann = voiced(visit(), *languages)
        sent.clear()
        ann.page.on("request", lambda request: sent.append(request.url))
        ann.page.goto("/settings", wait_until="networkidle")
        ann.ready()
        assert not any("voice.js" in url for url in sent)
        ann.page.locator(".ears > summary").click()
        ann.page.get_by_label("Read aloud").check()
        ann.page.wait_for_selector(f"#aloud-told:text-is('{words}')")
        ann.until("voiced.at(-1) === value", words)
        ann.page.get_by_label("Read aloud").uncheck()
        ann.page.wait_for_selector("#aloud-told:text-is('')", state="attached")


def test_the_voice_of_the_browser_is_off_until_it_is_wanted(ann: Visitor) -> None:
    page = ann.page
    voiced(ann, "en-GB")
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")
    assert not page.evaluate("() => voiced.some((text) => text)")
    ann.sets("Read aloud", True)
    ann.sets("Speed of the voice", "Fast")
    number = ann.view()["number"]
    page.evaluate("() => voiced.splice(0)")
    page.keyboard.press("d")
    # A key before may have cut the question, which then comes again.
    ann.until("voiced.includes(value)", ann.view()["table"]["dice"])
    assert page.evaluate("() => voiced[0]") == ""
    assert page.evaluate("() => speechSynthesis.rate") == 1.5
    page.focus("#go")
    page.keyboard.press("Enter")
    ann.shows(number + 1)
    said = ann.view()["table"]["says"][0].replace("Threw", "You threw")
    ann.until("voiced.some((text) => text.startsWith(value))", said)


def test_there_are_three_lengths_of_speech(ann: Visitor) -> None:
    """From the next event on, and still after the page was loaded anew."""
    page = ann.page
    voiced(ann)
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")

    def wants(length: str) -> None:
        ann.sets("Read aloud", True)
        ann.sets("How much is said", length)

    def thrown() -> tuple[dict[str, Any], dict[str, Any]]:
        """What is logged of the next throw, and where it led."""
        while ann.view()["table"]["does"] == "choose":
            ann.play(most=1, undoes=False)
        number = ann.view()["number"]
        ann.press("#go")
        ann.shows(number + 1)
        return ann.log()[-1], ann.view()["table"]

    def voices(said: list[str]) -> None:
        words = " ".join(said)
        ann.until("voiced.includes(value)", words)

    wants("Brief")
    voices(thrown()[0]["brief"])
    wants("Full")
    line, table = thrown()
    full = [table[key] for key in ("board", "score") if table[key] not in line["says"]]
    voices([*line["own"]["says"], *full])
    page.keyboard.press(".")
    ann.says(" ".join([*line["own"]["says"], *full]))
    wants("Brief")
    page.reload()
    ann.ready()
    ann.says(" ".join(line["brief"]))


def test_the_next_line_waits_for_the_end_of_the_voice(visit: Visit) -> None:
    """Neither for less nor for more; the clock stands still."""
    ann = voiced(visit(), "en-GB")
    ann.context.add_init_script(ALOUD)
    ann.open(game="pub", seats=[ANN, MACHINE], format="order=seats")
    page = ann.page
    stop_clock(ann)
    for _ in range(3):
        page.clock.run_for(5_000)
        page.evaluate("() => speechSynthesis.end()")
    page.evaluate("() => voiced.splice(0)")
    page.evaluate(THROWS, [(1, f"{LONG} {n}") for n in range(2)])
    page.clock.run_for(500)
    assert page.evaluate("() => voiced") == [f"{LONG} 0"]
    page.evaluate("() => speechSynthesis.end()")
    page.clock.run_for(10)
    assert page.evaluate("() => voiced") == [f"{LONG} {n}" for n in range(2)]
