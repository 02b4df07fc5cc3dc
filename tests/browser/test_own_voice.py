"""The browser's own voice, on every page where it is on, and nowhere else."""

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
        speak(spoken) { voiced.push(spoken.text); speech.speaking.push(spoken); },
        end() { for (const spoken of speech.speaking.splice(0)) spoken.onend(); },
        cancel() { voiced.push(""); speech.end(); },
        getVoices: () => voices,
    });
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
PAGES = ("/", "/new", "/today", "/help", "/review", "/games", "/learn")


def voiced(ann: Visitor, *languages: str) -> Visitor:
    """The visitor, with a voice that says nothing aloud and has these languages."""
    ann.context.add_init_script(VOICE.replace("LANGUAGES", str(list(languages))))
    return ann


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_read_from_its_heading_and_what_tab_reaches(visit: Visit, path: str) -> None:
    ann = voiced(visit(), "en-GB")
    ann.context.add_init_script(ALOUD)
    page = ann.page
    page.goto(path)
    ann.ready()
    page.wait_for_function("() => voiced.length > 1")
    heading, sentence, *_ = page.evaluate("() => voiced")
    assert heading == " ".join(page.locator("main h1").first.inner_text().split())
    assert len(sentence) > 10
    page.keyboard.press("Tab")
    reached = page.evaluate("() => document.activeElement.textContent.trim()")
    assert reached
    assert page.evaluate("() => voiced.slice(-2)") == ["", reached]


def test_practice_is_read_aloud(visit: Visit) -> None:
    ann = voiced(visit(), "en-GB")
    ann.context.add_init_script(ALOUD)
    ann.page.goto("/practice")
    ann.ready()
    ann.page.wait_for_function("() => voiced.some((text) => text)")


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
