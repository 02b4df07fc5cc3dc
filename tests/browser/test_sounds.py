"""What is heard before words: dice, tiles, refusals, hints and turns, as the page asks for them."""

import re
from typing import Any

import pytest

from browser.visitors import ANN, BOB, MACHINE, Visitor
from serving import ROOT

TAKES = {
    float(start): name
    for name, takes in re.findall(
        r"(\w+): \[(\[.*\])\],", (ROOT / "src/shutbox/web/static/model/takes.js").read_text("utf-8")
    )
    for start in re.findall(r"\[([0-9.]+),", takes)
}
"""The names of the sounds by where their takes begin in the file of samples."""
pytestmark = pytest.mark.rolls("1+2 3+5 1+2")  # nothing fits the second 3


class Ears:
    """What the page of a visitor plays and says."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    def until(self, words: str) -> list[dict[str, Any]]:
        """Return the sounds since the last call and before a line with these words.

        Without words, return the next sounds that a line follows.
        """
        script = "words => stubs.soundsUntil(words)"
        found = self.visitor.page.wait_for_function(script, arg=words)
        sounds: list[dict[str, Any]] = found.json_value()
        return sounds

    def pitches(self, words: str) -> list[float]:
        """Return the pitches of these sounds."""
        return [sound["pitch"] for sound in self.until(words)]


@pytest.fixture
def ears(ann: Visitor) -> Ears:
    ann.stub("sounds", TAKES)
    return Ears(ann)


def begin(ann: Visitor, **body: Any) -> None:
    """Open a table, and wake the sound by a key that does nothing."""
    ann.open(**{"game": "classic", "seats": [ANN], **body})
    ann.says("Enter throws.")
    ann.page.keyboard.press("Shift")
    ann.until("window.isDecoded")
    ann.page.evaluate("() => heard.splice(0)")


def delays(sounds: list[dict[str, Any]]) -> list[int]:
    """Return how long after the first of them sounds begin, in ms."""
    return [sound["at"] - sounds[0]["at"] for sound in sounds]


def said(ann: Visitor) -> str:
    words: str = ann.view()["table"]["says"][0]
    return re.sub("^Threw", "You threw", words)  # as the player hears it


def test_a_tile_has_its_pitch_and_place_and_a_hole_is_silence(ann: Visitor, ears: Ears) -> None:
    """Dice click from left to right before they are said."""
    begin(ann)
    ann.page.keyboard.press("b")
    every = ears.until("are up")
    assert delays(every) == pytest.approx([40 * place for place in range(9)], abs=1)
    places = [sound["pan"] for sound in every]
    assert places == sorted(set(places))
    ann.press("#go")
    left, right = (sound for sound in ears.until(said(ann)) if sound.get("name") == "felt")
    assert left["pan"] < 0 < right["pan"]
    assert left["at"] < right["at"]
    for tile in (1, 2):
        ann.page.keyboard.press(str(tile))
        [tick] = ears.until("")
        assert tick["name"] == "tick"
        assert tick["pan"] == pytest.approx(places[tile - 1])
        assert tick["pitch"] == pytest.approx(every[tile - 1]["pitch"] / 370, rel=0.011)
    ann.press("#go")
    tiles = [sound for sound in ears.until("go down") if sound.get("name") == "tile"]
    assert [sound["pan"] for sound in tiles] == pytest.approx(places[:2])
    ann.page.keyboard.press("b")
    rest = ears.until("are up")
    assert delays(rest) == pytest.approx([40 * place for place in range(7)], abs=1)
    assert [sound["pitch"] for sound in rest] == [sound["pitch"] for sound in every[2:]]


def test_a_refusal_and_a_hint_are_heard_before_their_words(ann: Visitor, ears: Ears) -> None:
    ann.allows.append("422")  # of what is typed
    begin(ann)
    ann.page.keyboard.press("5")
    assert ears.pitches("Throw first.") == [196, 165]
    ann.press("#go")
    ears.until(said(ann))
    ann.page.keyboard.press("9")
    assert ears.pitches("9") == [196, 165]
    ann.page.keyboard.press("Enter")
    assert ears.pitches("Choices") == [196, 165]
    ann.page.keyboard.press("h")
    assert ears.pitches("Best is") == [587, 740, 880]
    ann.drawer("questions")
    ann.page.fill("#typed", "77")
    ann.page.keyboard.press("Enter")
    assert ears.pitches("77") == [196, 165]


def test_a_turn_is_heard_before_its_words(ann: Visitor, ears: Ears) -> None:
    begin(ann, seats=[ANN, BOB], format="rounds=1")
    ann.play(undoes=False, ends=True)
    stuck = next(line for line in reversed(ann.log()) if line["seat"] == 0)
    sounds = ears.until(stuck["says"][-1])
    assert [sound.get("name") or sound["pitch"] for sound in sounds[-3:]] == ["stuck", 523, 784]
    assert sounds[-3]["at"] < sounds[-2]["at"] < sounds[-1]["at"]


def test_the_lid_and_its_latch_are_heard_after_the_tiles(ann: Visitor, ears: Ears) -> None:
    begin(ann, game="two-dice(tiles=1.2)")
    ann.press("#go")
    ears.until(said(ann))
    ann.press("#go")
    ann.page.wait_for_selector("#stage.over:not(.ending)")
    played = ann.page.evaluate("() => heard.filter(({ name }) => name)")
    sounds = {sound["name"]: sound["at"] for sound in played}
    assert sounds["tile"] < sounds["lid"] < sounds["latch"], sounds


def test_skipped_lines_are_heard_before_their_number(ann: Visitor, ears: Ears) -> None:
    begin(ann, seats=[ANN, MACHINE], format="rounds=2")
    ann.play(undoes=False, ends=True)
    ann.page.evaluate("() => table.until(() => table.isMine() || table.view.phase === 'over')")
    ann.page.keyboard.press("Shift")
    pitches = ears.pitches("Skipped")
    assert 262 in pitches  # it was their turn
    assert pitches[-2:] == [988, 494]


def test_nothing_is_heard_once_the_sound_is_off(ann: Visitor, ears: Ears) -> None:
    begin(ann)
    ann.page.keyboard.press("m")
    ann.says("Sound off.")
    for _ in range(2):  # the device keeps it
        ann.page.keyboard.press("b")
        assert ears.until("are up") == []
        ann.reload()
        assert not ann.page.is_checked("#set-sound")


def test_what_is_skipped_is_neither_heard_nor_felt(ann: Visitor, ears: Ears) -> None:
    """A sound that is due after the samples have loaded keeps its length."""
    begin(ann)
    length, stopped, buzzes = ann.run("skippedSounds")
    assert length == pytest.approx(0.6)
    assert (stopped, buzzes) == (4, [])  # the lid, its latch, its notes; and the second note
