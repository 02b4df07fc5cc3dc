"""The pace of what is said: nothing is lost if a key cuts the voice, and nothing is said twice."""

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor

MACHINE = {"who": "computer:fewest"}
LONG = "Computer: threw 3 and 4, 7, and covered the seven."
OWN = "You threw 5 and 4, 9."

SEND = """sent => {
    const { view, socket } = table;
    for (const [kind, seat, says] of sent) {
        const number = (table.sent = (table.sent ?? view.number) + 1);
        const happened = { kind, seat, says: [says] };
        const message = { type: "event", number, happened, view: { ...view, number } };
        const data = JSON.stringify(message);
        socket.dispatchEvent(new MessageEvent("message", { data }));
    }
}"""
"""Events as from the server, each with its kind, seat and sentence; the position stays."""
SLOW = "if (location.host) localStorage.setItem('shutbox.speed', '15')"
LINE_MS = 200 + 1000 * (len(LONG) + 2) // 15
"""What a line of these takes at 15 letters a second."""


def stop_clock(ann: Visitor) -> None:
    """Load the page again, with a clock that stands still."""
    ann.page.clock.install()
    ann.page.reload()
    ann.ready()
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


def told(ann: Visitor) -> list[str]:
    texts: list[str] = ann.page.evaluate("() => table.told")
    return texts


def happens(ann: Visitor, *lines: tuple[str, int, str]) -> None:
    ann.page.evaluate(SEND, lines)
    ann.page.clock.run_for(100)


def others(number: int) -> list[tuple[str, int, str]]:
    return [("throw", 1, f"{LONG} {n}") for n in range(number)]


def test_the_next_line_comes_when_the_last_can_have_been_heard(ann: Visitor) -> None:
    happens(ann, *others(3))
    assert told(ann) == [f"{LONG} 0"]
    ann.page.clock.run_for(LINE_MS - 300)
    assert told(ann) == [f"{LONG} 0"]
    ann.page.clock.run_for(300)
    assert told(ann) == [f"{LONG} {n}" for n in range(2)]
    ann.page.clock.run_for(LINE_MS)
    assert told(ann) == [f"{LONG} {n}" for n in range(3)]


def test_a_key_sums_what_others_did_and_own_throws_come_whole(ann: Visitor) -> None:
    happens(ann, *others(5), ("throw", 0, OWN))
    ann.page.keyboard.press("Shift")
    assert len(told(ann)) == 1
    ann.page.clock.run_for(5 * LINE_MS)
    cut, *after = told(ann)
    assert cut == f"{LONG} 0"
    assert after[:2] == ["Skipped 5 lines. y for all.", OWN]
    assert after[2].endswith("Enter throws two dice.")


def test_a_line_alone_comes_again_and_a_cut_sum_counts_all(ann: Visitor) -> None:
    happens(ann, *others(1))
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(1100)
    assert told(ann) == [f"{LONG} 0", f"{LONG} 0"]
    happens(ann, *others(2))
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(1100)
    assert told(ann)[2:] == ["Skipped 3 lines. y for all."]
    ann.page.keyboard.press("Shift")
    happens(ann, *others(1))
    ann.page.clock.run_for(1100)
    assert told(ann)[3:] == ["Skipped 4 lines. y for all."]
    ann.page.clock.run_for(20_000)
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(20_000)
    assert len(told(ann)) == 5  # with the question


def test_a_line_that_a_quick_listener_has_heard_comes_again_once_only(ann: Visitor) -> None:
    happens(ann, *others(1))
    heard = 600 + 1000 * len(f"{LONG} 0") // 22
    for _ in range(3):
        ann.page.clock.run_for(heard)
        ann.page.keyboard.press("Shift")
        ann.page.clock.run_for(1100)
    assert told(ann).count(f"{LONG} 0") == 2


def test_a_voice_that_begins_late_has_not_said_the_line(ann: Visitor) -> None:
    happens(ann, *others(1))
    for _ in range(2):
        ann.page.clock.run_for(300 + 1000 * len(f"{LONG} 0") // 22)
        ann.page.keyboard.press("Shift")
        ann.page.clock.run_for(1100)
    assert told(ann).count(f"{LONG} 0") == 3


def test_two_y_at_once_tell_the_sums_once_and_then_the_throws(ann: Visitor) -> None:
    happens(ann, *others(2))
    ann.page.clock.run_for(20_000)
    sums = ann.page.evaluate("() => table.told.length")
    ann.page.keyboard.press("y")
    ann.page.keyboard.press("y")
    ann.page.clock.run_for(100)
    [both] = told(ann)[sums:]
    assert both.endswith(f"{LONG} 0 {LONG} 1")
    assert both.count("Computer") == 2 + both.split(LONG)[0].count("Computer")


def test_what_is_asked_for_is_not_said_again(ann: Visitor) -> None:
    happens(ann, *others(2), ("throw", 0, OWN))
    ann.page.keyboard.press(".")
    ann.page.clock.run_for(20_000)
    assert " ".join(told(ann)).count(OWN) == 1


@pytest.mark.parametrize("by", ["Enter", "click"])
@pytest.mark.parametrize(("answers_after", "learns"), [(0.1, False), (0.8, True), (1.5, False)])
def test_an_answer_before_its_time_shows_how_fast_somebody_listens(
    ann: Visitor, answers_after: float, learns: bool, by: str
) -> None:
    """Of what a line takes; sooner still, nobody listened."""
    happens(ann, *others(1))
    ann.page.clock.run_for(LINE_MS)
    question = told(ann)[-1]
    assert question.endswith("Enter throws two dice.")
    ann.page.clock.run_for(round(answers_after * (200 + 1000 * len(question) / 15)))
    if by == "click":
        ann.page.click("#go")
    else:
        ann.page.keyboard.press(by)
    ann.page.wait_for_function("() => table.requests.length")
    speed = ann.page.evaluate("() => Number(localStorage.getItem('shutbox.speed'))")
    assert (speed > 15) is learns
    assert speed < 18


def test_a_key_that_answers_nothing_does_not_show_how_fast_somebody_listens(ann: Visitor) -> None:
    happens(ann, *others(1))
    ann.page.clock.run_for(LINE_MS)
    question = told(ann)[-1]
    ann.page.clock.run_for(round(0.8 * (200 + 1000 * len(question) / 15)))
    ann.page.keyboard.press("Shift")
    ann.page.clock.run_for(20_000)  # in which the question is said again
    ann.page.click("#go")
    ann.page.wait_for_function("() => table.requests.length")
    assert ann.page.evaluate("() => localStorage.getItem('shutbox.speed')") == "15"


def test_y_has_the_sums_and_then_the_throws_of_each_player(visit: Visit) -> None:
    ann = visit()  # in a game that is played the clock must run
    ann.open(game="pub", seats=[ANN, MACHINE, MACHINE], format="order=seats")
    ann.play(undoes=False)
    view = ann.view()
    sums = [
        f"{seat['name']}: {plate['points']}."
        for seat, plate in list(zip(view["seats"], view["table"]["plates"], strict=True))[1:]
    ]
    leads = [n for n, plate in enumerate(view["table"]["plates"]) if plate["leads"]]
    if len(leads) == 1:
        sums.append("You lead." if leads == [0] else f"{view['seats'][leads[0]]['name']} leads.")
    reply = ann.context.request.get(f"{ann.url}/api/rooms/{ann.room}").json()
    theirs = [
        " ".join(line["says"]) for seat in (1, 2) for line in reply["log"] if line["seat"] == seat
    ]
    for words in (" ".join(sums), " ".join(theirs), " ".join(sums)):
        since = len(told(ann))
        ann.page.keyboard.press("y")
        is_told = f"words => table.told.slice({since}).includes(words)"
        ann.page.wait_for_function(is_told, arg=words)


def test_alone_nobody_else_plays(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.page.keyboard.press("y")
    ann.page.clock.run_for(100)
    assert told(ann)[-1] == "Nobody else plays here."
