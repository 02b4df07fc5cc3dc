"""The pace of what is said: nothing is lost if a key cuts the voice, and nothing is said twice."""

import pytest

from browser.visitors import ANN, MACHINE, Visitor

LONG = "Computer: threw 3 and 4, 7, and covered the seven."
OWN = "You threw 5 and 4, 9."
THROWS = """throws => {
    for (const [seat, says] of throws) table.happens({ kind: "throw", seat, says: [says] });
}"""
"""Throws as from the server, each with its seat and sentence; the position stays."""
SLOW = "if (location.host) localStorage.setItem('shutbox.speed', '15')"
LINE_MS = 200 + 1000 * (len(LONG) + 2) // 15
"""What a line of these takes at 15 letters a second."""


def stop_clock(ann: Visitor) -> None:
    """Load the page again, with a clock that stands still."""
    ann.page.clock.install()
    ann.reload()
    soon = ann.page.evaluate("() => Date.now()") / 1000 + 10  # later than this can take
    ann.page.clock.pause_at(soon)


@pytest.fixture
def ann(ann: Visitor) -> Visitor:
    """Somebody who listens at the speed of the first visit, with a clock that stands still."""
    ann.context.add_init_script(SLOW)
    ann.open(game="pub", seats=[ANN, MACHINE], format="order=seats")
    stop_clock(ann)
    ann.page.clock.run_for(20_000)
    ann.page.evaluate("() => table.told.splice(0)")
    return ann


def happens(ann: Visitor, *throws: tuple[int, str]) -> None:
    ann.page.evaluate(THROWS, throws)
    ann.page.clock.run_for(100)


def others(number: int) -> list[tuple[int, str]]:
    return [(1, f"{LONG} {n}") for n in range(number)]


def cut(ann: Visitor, after_ms: int = 0) -> None:
    """Press a key that cuts the voice, and wait until it may go on."""
    ann.page.clock.run_for(after_ms)
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(1100)


def test_the_next_line_comes_when_the_last_can_have_been_heard(ann: Visitor) -> None:
    happens(ann, *others(3))
    for after_ms, number in ((0, 1), (LINE_MS - 300, 1), (300, 2), (LINE_MS, 3)):
        ann.page.clock.run_for(after_ms)
        assert ann.told == [f"{LONG} {n}" for n in range(number)]


def test_a_key_sums_what_others_did_and_own_throws_come_whole(ann: Visitor) -> None:
    happens(ann, *others(5), (0, OWN))
    ann.page.keyboard.press("Shift")
    assert ann.told == [f"{LONG} 0"]
    ann.page.clock.run_for(5 * LINE_MS)
    assert ann.told[1:3] == ["Skipped 5 lines. y for all.", OWN]
    assert ann.told[3].endswith("Enter throws two dice.")


def test_a_line_alone_comes_again_and_a_cut_sum_counts_all(ann: Visitor) -> None:
    happens(ann, *others(1))
    cut(ann)
    assert ann.told == [f"{LONG} 0", f"{LONG} 0"]
    happens(ann, *others(2))
    cut(ann)
    assert ann.told[2:] == ["Skipped 3 lines. y for all."]
    ann.page.keyboard.press("Shift")
    happens(ann, *others(1))
    ann.page.clock.run_for(1100)
    assert ann.told[3:] == ["Skipped 4 lines. y for all."]
    ann.page.clock.run_for(20_000)
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(20_000)
    assert len(ann.told) == 5  # with the question


@pytest.mark.parametrize(
    ("begins_ms", "cuts", "times"), [(600, 3, 2), (300, 2, 3)], ids=["at once", "late"]
)
def test_a_line_comes_again_until_a_quick_listener_can_have_heard_it(
    ann: Visitor, begins_ms: int, cuts: int, times: int
) -> None:
    """A voice that begins late has not said the line by then."""
    happens(ann, *others(1))
    for _ in range(cuts):
        cut(ann, after_ms=begins_ms + 1000 * len(f"{LONG} 0") // 22)
    assert ann.told.count(f"{LONG} 0") == times


@pytest.mark.parametrize(
    ("by", "answers_after", "learns"),
    [
        ("Enter", 0.1, False),
        ("Enter", 0.8, True),
        ("Enter", 1.5, False),
        ("click", 0.8, True),
        ("Shift", 0.8, False),
    ],
)
def test_an_answer_before_its_time_shows_how_fast_somebody_listens(
    ann: Visitor, by: str, answers_after: float, learns: bool
) -> None:
    """Of what a line takes; sooner still, nobody listened. Shift answers nothing."""
    happens(ann, *others(1))
    ann.page.clock.run_for(LINE_MS)
    question = ann.told[-1]
    assert question.endswith("Enter throws two dice.")
    ann.page.clock.run_for(round(answers_after * (200 + 1000 * len(question) / 15)))
    if by != "click":
        ann.page.keyboard.press(by)
    if by != "Enter":
        ann.page.clock.run_for(20_000 if by == "Shift" else 0)  # the question is said again
        ann.page.click("#go")
    ann.until("table.requests.length")
    speed = ann.page.evaluate("() => Number(localStorage.getItem('shutbox.speed'))")
    assert (15 < speed < 18) if learns else speed == 15


def test_alone_nobody_else_plays(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.page.keyboard.press("y")
    ann.page.clock.run_for(100)
    assert ann.told[-1] == "Nobody else plays here."
