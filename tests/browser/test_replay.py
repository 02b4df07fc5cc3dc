"""A record, downloaded, opened again, and stepped through."""

from pathlib import Path

import pytest

from browser.visitors import Visitor
from shutbox.cli.records import read_record
from shutbox.narrator import Length, narrate


@pytest.fixture
def record(ann: Visitor, tmp_path: Path) -> Path:
    """The record of a game that was played to its end, as the browser keeps it."""
    ann.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
    ann.play(undoes=False, tries=False)
    ann.shown()
    with ann.page.expect_download() as download:
        ann.page.press("#record", "Enter")  # by the mouse it may have moved when it is clicked
    path: Path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def open_record(ann: Visitor, path: Path) -> None:
    ann.page.goto("/replay")
    ann.ready()
    ann.page.set_input_files("#record", path)
    ann.page.click("#open button")


def stands_at(ann: Visitor, step: int, texts: list[str]) -> None:
    """The number, the slider, the line of the whole game, and what is said are those of a step."""
    ann.page.wait_for_function(
        "words => document.getElementById('at').textContent === words",
        arg=f"{step + 1} of {len(texts)}",
    )
    assert ann.page.input_value("#slider") == str(step)
    assert ann.page.locator("#steps [aria-current]").all_inner_texts() == [texts[step]]
    ann.says(texts[step])
    for button, is_off in {
        "first": step == 0,
        "back": step == 0,
        "next": step == len(texts) - 1,
        "last": step == len(texts) - 1,
    }.items():
        attribute = ann.page.get_attribute(f"#{button}", "aria-disabled")
        assert attribute == ("true" if is_off else None), button


def test_a_record_is_stepped_through(ann: Visitor, record: Path) -> None:
    log = ann.page.locator("#log .says").all_text_contents()
    open_record(ann, record)
    ann.page.wait_for_selector("#stepper:not([hidden])")
    page = ann.page
    texts = page.locator("#steps li").all_inner_texts()
    assert texts == log
    assert page.inner_text("#players") == "Ann"
    last = len(texts) - 1
    stands_at(ann, 0, texts)
    page.click("#next")
    stands_at(ann, 1, texts)
    assert page.locator("#board .die[data-state=lying]").count() == 2
    page.click("#next")
    stands_at(ann, 2, texts)
    assert page.locator("#board .tile[data-state=down]").count() > 0
    page.click("#back")
    stands_at(ann, 1, texts)
    assert page.locator("#board .tile[data-state=down]").count() == 0
    page.keyboard.press("ArrowRight")
    stands_at(ann, 2, texts)
    page.keyboard.press("ArrowLeft")
    stands_at(ann, 1, texts)
    page.focus("#slider")
    page.keyboard.press("End")
    stands_at(ann, last, texts)
    page.keyboard.press("ArrowLeft")  # once, though the page has arrow keys of its own
    stands_at(ann, last - 1, texts)
    page.click("#last")
    stands_at(ann, last, texts)
    page.click("#first")
    stands_at(ann, 0, texts)


def test_a_game_is_watched_to_its_end_and_stops_at_a_press(ann: Visitor, record: Path) -> None:
    page = ann.page
    open_record(ann, record)
    page.wait_for_selector("#stepper:not([hidden])")
    pace = "ms => { window.tick ??= setInterval; window.setInterval = (go) => tick(go, ms); }"
    page.evaluate(pace, 20)
    last = page.locator("#steps li").count() - 1
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "last => document.getElementById('slider').value === String(last)", arg=last
    )
    page.evaluate(pace, 1000)
    page.get_by_role("button", name="Play").click()  # again, from the beginning
    page.get_by_role("button", name="Pause").wait_for()
    page.click("#first")
    page.get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(1500)
    assert page.input_value("#slider") == "0"


def test_a_step_is_told_at_the_length_that_is_set(ann: Visitor, record: Path) -> None:
    page = ann.page
    open_record(ann, record)
    page.wait_for_selector("#stepper:not([hidden])")
    game = read_record(str(record))[1]
    play, names = game.play, game.header.names
    for length in (Length.BRIEF, Length.FULL, Length.NORMAL):
        page.get_by_text("Settings", exact=True).click()
        page.get_by_label("How much is said").select_option(length.value)
        page.get_by_text("Settings", exact=True).press("Escape")
        for says in list(narrate(game.game, play.log, names, length))[1:4]:
            page.click("#next")
            page.wait_for_function(
                "words => document.getElementById('status').textContent.trim() === words",
                arg=" ".join(says),
            )
        page.click("#first")


def test_the_step_and_what_leads_nowhere_are_seen(ann: Visitor, record: Path) -> None:
    open_record(ann, record)
    ann.page.wait_for_selector("#stepper:not([hidden])")
    look = "one => { const s = getComputedStyle(one); return [s.backgroundColor, s.fontWeight]; }"
    here, other = (ann.page.eval_on_selector(f"#steps li:nth-child({n})", look) for n in (1, 2))
    assert here[0] != other[0]
    assert here[1] != other[1]
    line = "one => getComputedStyle(one).borderTopStyle"
    assert ann.page.eval_on_selector("#back", line) == "dashed"
    assert ann.page.eval_on_selector("#last", line) == "solid"


def test_the_game_of_a_table_is_stepped_through(ann: Visitor, record: Path) -> None:
    assert record.exists()
    log = ann.page.locator("#log .says").all_text_contents()
    ann.page.click("#steps")
    ann.page.wait_for_url("**/replay?room=*")
    ann.page.wait_for_selector("#stepper:not([hidden])")
    assert ann.page.locator("#steps li").all_inner_texts() == log


def test_a_damaged_file_is_refused_in_words(ann: Visitor, record: Path) -> None:
    ann.allows.append("status of (400|422)")
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(line for line in lines if not line.startswith(b"game ")))
    open_record(ann, record)
    ann.page.wait_for_selector("#error:not([hidden])")
    said = ann.page.inner_text("#error")
    assert said.endswith(".")
    assert len(said.split()) > 3
    assert not ann.page.is_visible("#stepper")
    # A sound one is opened after it.
    record.write_bytes(b"".join(lines))
    ann.page.set_input_files("#record", record)
    ann.page.click("#open button")
    ann.page.wait_for_selector("#stepper:not([hidden])")
    assert not ann.page.is_visible("#error")
