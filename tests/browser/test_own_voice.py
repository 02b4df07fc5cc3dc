"""The browser's own voice, on every page where it is on, and nowhere else."""

from typing import Any

import pytest

from browser.conftest import Visit
from browser.test_listening import LONG, SEND, stop_clock
from browser.visitors import ANN, Visitor

ALOUD = """if (location.host) localStorage.setItem("shutbox", '{"aloud": true}');"""
VOICE = """
    window.voiced = [];
    const voices = LANGUAGES.map((lang) => ({ lang, name: lang, voiceURI: lang }));
    const speech = Object.assign(new EventTarget(), {
        speaking: [],
        speak(spoken) {
            voiced.push(spoken.text);
            speech.rate = spoken.rate;
            speech.speaking.push(spoken);
        },
        end() { for (const spoken of speech.speaking.splice(0)) spoken.onend(); },
        cancel() { voiced.push(""); speech.end(); },
        getVoices: () => voices,
    });
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def voiced(ann: Visitor, *languages: str) -> Visitor:
    """The visitor, with a voice that says nothing aloud and has these languages."""
    ann.context.add_init_script(VOICE.replace("LANGUAGES", str(list(languages))))
    return ann


def test_a_page_is_read_from_its_heading_and_what_tab_reaches(visit: Visit) -> None:
    ann = voiced(visit(), "en-GB")
    ann.context.add_init_script(ALOUD)
    page = ann.page
    for path in ("/", "/new", "/today", "/games"):
        page.goto(path)
        ann.ready()
        page.wait_for_function("() => voiced.length > 1")
        heading, sentence, *_ = page.evaluate("() => voiced")
        assert heading == " ".join(page.locator("main h1").first.inner_text().split()), path
        assert len(sentence) > 10, path
        page.keyboard.press("Tab")
        reached = page.evaluate("() => document.activeElement.textContent.trim()")
        assert reached, path
        assert page.evaluate("() => voiced.slice(-2)") == ["", reached], path
    page.goto("/practice")
    ann.ready()
    page.wait_for_function("() => voiced.some((text) => text)")


def test_no_page_loads_the_voice_unless_it_is_on(ann: Visitor) -> None:
    sent: list[str] = []
    ann.page.on("request", lambda request: sent.append(request.url))
    ann.page.goto("/help", wait_until="networkidle")
    ann.ready()
    assert sent
    assert not any("voice.js" in url for url in sent)


@pytest.mark.parametrize(
    ("languages", "words"),
    [
        (("de-DE", "en-GB"), "This page now speaks."),
        (("de-DE",), "This browser has no voice for the language of this page."),
        ((), "This browser has no voice."),
    ],
)
def test_the_switch_says_whether_there_is_a_voice(
    ann: Visitor, languages: tuple[str, ...], words: str
) -> None:
    page = voiced(ann, *languages).page
    page.goto("/settings")
    ann.ready()
    page.locator(".ears > summary").click()
    told = page.locator("#aloud-told")
    page.get_by_label("Read aloud").check()
    page.wait_for_function("() => document.getElementById('aloud-told').textContent")
    assert told.inner_text() == words
    page.wait_for_function("words => voiced.at(-1) === words", arg=words)
    page.get_by_label("Read aloud").uncheck()
    page.wait_for_function("() => !document.getElementById('aloud-told').textContent")


def test_the_voice_of_the_browser_is_off_until_it_is_wanted(ann: Visitor) -> None:
    page = ann.page
    voiced(ann, "en-GB")
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")
    assert not page.evaluate("() => voiced.some((text) => text)")
    page.locator("#menu > summary").click()
    page.locator(".ears > summary").click()
    page.get_by_label("Read aloud").check()
    page.get_by_label("Speed of the voice").select_option("Fast")
    page.locator("#menu > summary").press("Escape")
    number = ann.view()["number"]
    page.evaluate("() => voiced.splice(0)")
    page.keyboard.press("d")
    # Escape may have cut the question, which then comes again.
    page.wait_for_function("dice => voiced.includes(dice)", arg=ann.view()["table"]["dice"])
    assert page.evaluate("() => voiced[0]") == ""
    assert page.evaluate("() => speechSynthesis.rate") == 1.5
    page.focus("#go")
    page.keyboard.press("Enter")
    ann.shows(number + 1)
    said = ann.view()["table"]["says"][0].replace("Threw", "You threw")
    page.wait_for_function("said => voiced.some((text) => text.startsWith(said))", arg=said)


def test_there_are_three_lengths_of_speech(ann: Visitor) -> None:
    """From the next event on, and still after the page was loaded anew."""
    page = ann.page
    voiced(ann)
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")

    def wants(length: str) -> None:
        page.locator("#menu > summary").click()
        page.evaluate("() => (document.querySelector('.ears').open = true)")
        page.get_by_label("Read aloud").check()
        page.get_by_label("How much is said").select_option(length)
        page.locator("#menu > summary").press("Escape")

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
        page.wait_for_function("words => voiced.includes(words)", arg=words)

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
    ann.open(game="pub", seats=[ANN, {"who": "computer:fewest"}], format="order=seats")
    page = ann.page
    stop_clock(ann)
    page.clock.run_for(5_000)
    page.evaluate("() => speechSynthesis.end()")
    page.clock.run_for(5_000)
    page.evaluate("() => speechSynthesis.end()")
    page.clock.run_for(5_000)
    page.evaluate("() => voiced.splice(0)")
    page.evaluate(SEND, [("throw", 1, f"{LONG} {n}") for n in range(2)])
    page.clock.run_for(500)
    assert page.evaluate("() => voiced") == [f"{LONG} 0"]
    page.evaluate("() => speechSynthesis.end()")
    page.clock.run_for(10)
    assert page.evaluate("() => voiced") == [f"{LONG} {n}" for n in range(2)]
