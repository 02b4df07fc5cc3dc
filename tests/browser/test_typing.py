"""Play by typing, repeated speech, the browser's voice, and sounds."""

import re
from typing import Any

from browser.visitors import ANN, Visitor
from serving import ROOT

MACHINE = {"who": "computer:fewest"}


def typed(ann: Visitor, words: str) -> None:
    ann.page.keyboard.type(words)
    ann.page.keyboard.press("Enter")


def by_typing(ann: Visitor) -> None:
    """The first button of the page, as a screen reader finds it."""
    ann.says("The first button lets you type.")
    first = ann.page.locator("button:visible").first
    assert first.inner_text() == "Play by typing"
    first.focus()
    ann.page.keyboard.press("Enter")
    assert ann.focus() == "typed"


def test_one_field_takes_everything_and_keeps_the_focus(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    while ann.view()["table"]["does"] == "throw":
        number = ann.view()["number"]
        typed(ann, "")
        ann.shows(number + 1)
        assert ann.focus() == "typed"
    table = ann.view()["table"]
    typed(ann, "d")
    ann.says(table["dice"])
    typed(ann, "h")
    ann.says("Best is ")
    assert ann.focus() == "typed"
    offer = next(offer for offer in table["offers"] if len(offer["takes"]) > 1)
    number = ann.view()["number"]
    typed(ann, "".join(offer["takes"]))
    ann.shows(number + 1)
    assert ann.page.input_value("#typed") == ""
    down = {piece["key"] for piece in ann.view()["table"]["pieces"] if piece["state"] == "down"}
    assert down == set(offer["takes"])
    assert ann.focus() == "typed"


def test_a_line_that_is_refused_stays_in_the_field_and_the_next_one_replaces_it(
    ann: Visitor,
) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    ann.allows.append("status of 422")
    for refused in ("zzz", "99"):  # here, and by the server
        typed(ann, refused)
        ann.page.wait_for_function(
            "words => document.querySelector('#typed').value === words", arg=refused
        )
        number = ann.view()["number"]
        typed(ann, "t" if refused == "zzz" else "l")  # the line is selected
        if refused == "zzz":
            ann.shows(number + 1)
    ann.page.wait_for_function("() => document.querySelector('#typed').value === ''")
    assert ann.focus() == "typed"


def test_the_field_is_remembered_and_can_be_left(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    ann.page.reload()
    ann.ready()
    ann.says("Enter throws two dice.")
    assert ann.focus() == "typed"
    assert not any("Play by typing" in text for text in ann.page.evaluate("() => table.told"))
    ann.page.locator("#menu > summary").click()
    ann.page.locator(".ears > summary").click()
    ann.page.get_by_label("Play by typing").uncheck()
    ann.page.reload()
    ann.ready()
    ann.says("Enter throws two dice.")
    assert ann.focus() == "go"


def test_what_was_said_is_said_again(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, MACHINE])
    ann.play(undoes=False, ends=True)
    ann.page.evaluate("() => table.until(() => table.isMine() || table.view.phase === 'over')")
    ann.shown()
    reply = ann.context.request.get(f"{ann.url}/api/rooms/{ann.room}").json()
    mine = [line for line in reply["log"] if line["seat"] == 0]
    for key, lines in ((".", reply["log"][-1:]), (",", mine[-3:])):
        before = len(ann.page.evaluate("() => table.told"))
        ann.page.keyboard.press(key)
        own = [(line["seat"] == 0 and line.get("own")) or line for line in lines]
        words = " ".join(text for line in own for text in line["says"])
        ann.page.wait_for_function(
            "([n, words]) => table.told.slice(n).some((text) => text.includes(words))",
            arg=[before, words or "Nothing has been said yet."],
        )


def test_there_are_three_lengths_of_speech(ann: Visitor) -> None:
    """From the next event on, and still after the page was loaded anew."""
    page = ann.page
    ann.context.add_init_script(VOICE)
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws two dice.")

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
        reply = ann.context.request.get(f"{ann.url}/api/rooms/{ann.room}").json()
        return reply["log"][-1], reply["view"]["table"]

    def voices(said: list[str]) -> None:
        words = " ".join(said)
        page.wait_for_function("words => voiced.some(([text]) => text === words)", arg=words)

    wants("Brief")
    voices(thrown()[0]["brief"])
    wants("Full")
    line, table = thrown()
    full = [table[key] for key in ("board", "score") if table[key] not in line["says"]]
    voices([*line["says"], *full])
    page.keyboard.press(".")
    ann.says(" ".join([*line["says"], *full]))
    wants("Brief")
    page.reload()
    ann.ready()
    ann.says(" ".join(line["brief"]))


VOICE = """
    window.voiced = [];
    const speech = { speak: ({ text, rate }) => voiced.push([text, rate]),
        cancel: () => voiced.push(["", 0]), getVoices: () => [], addEventListener: () => {} };
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def test_the_voice_of_the_browser_is_off_until_it_is_wanted(ann: Visitor) -> None:
    page = ann.page
    ann.context.add_init_script(VOICE)
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws two dice.")
    assert not page.evaluate("() => voiced.some(([text]) => text)")
    page.locator("#menu > summary").click()
    page.locator(".ears > summary").click()
    page.get_by_label("Read aloud").check()
    page.get_by_label("Speed of the voice").select_option("Fast")
    page.locator("#menu > summary").press("Escape")
    number = ann.view()["number"]
    page.evaluate("() => voiced.splice(0)")
    page.keyboard.press("d")
    page.wait_for_function("() => voiced.length > 1")
    assert page.evaluate("() => voiced") == [["", 0], [ann.view()["table"]["dice"], 1.5]]
    page.focus("#go")
    page.keyboard.press("Enter")
    ann.shows(number + 1)
    said = ann.view()["table"]["says"][0].replace("Threw", "You threw")
    page.wait_for_function("said => voiced.some(([text]) => text.startsWith(said))", arg=said)
    assert not ann.faults


TAKES = ROOT / "src/shutbox/web/static/model/takes.js"
NOTES = """
    window.notes = [];
    const Usual = OscillatorNode;
    window.OscillatorNode = class extends Usual {
        constructor(context, options) { super(context, options); notes.push(options.frequency); }
    };
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (when, from, length) {
        if (from === STUCK) notes.push("stuck");
        start.call(this, when, from, length);
    };
"""


def test_my_turn_theirs_and_stuck_sound_differently(ann: Visitor) -> None:
    stuck = re.search(r"stuck: \[\[([0-9.]+)", TAKES.read_text("utf-8"))
    assert stuck is not None
    ann.context.add_init_script(NOTES.replace("STUCK", stuck[1]))
    ann.open(game="classic", format="rounds=2", seats=[ANN, MACHINE])
    ann.page.keyboard.press("Shift")  # nothing is heard before a gesture
    ann.play(undoes=False)
    notes = [note for note in ann.page.evaluate("() => notes") if note in ("stuck", 523, 784, 262)]
    text = " ".join(map(str, notes))
    assert "stuck 262" in text  # I am stuck, and it is their turn
    assert "523 784" in text
    assert text.count("stuck") > 2
