"""Whole games by ear and keys alone, compared word for word with saved transcripts.

    python -m pytest tests/browser/test_blindfold.py --golden

writes the transcripts. Whenever it is a player's turn, the speech must end with what to do.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.by_ear import keys_of
from browser.visitors import ANN, MACHINE, Visitor
from shutbox.cli.records import read_record
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import replay_log

FOLDER = Path(__file__).with_name("heard")
SEATS: dict[str, list[Any]] = {"classic": [ANN], "cargo": [ANN], "pub": [ANN, MACHINE, MACHINE]}
MOST_STEPS = 80
VERDICT = "perfect play"  # it comes when it is worked out, after the result
CAN_BE_DONE = re.compile(r"\bEnter\b|\?")


def blindfold(ann: Visitor) -> Iterator[str]:
    """Play to the end; each key that is pressed, and each line that is heard."""
    heard = 0

    def lines() -> list[str]:
        nonlocal heard
        ann.page.wait_for_function("heard => table.told.length > heard", arg=heard)
        new: list[str] = ann.page.evaluate("heard => table.told.slice(heard)", heard)
        heard += len(new)
        return [line for line in new if VERDICT not in line.lower()]

    def until_asked() -> Iterator[str]:
        while True:
            for line in lines():
                yield line
                if CAN_BE_DONE.search(line):
                    return

    yield from until_asked()
    for _ in range(MOST_STEPS):
        view = ann.view()
        if view["phase"] == "over":
            return
        keys = [key.replace("Return", "Enter") for key in keys_of(view["table"])]
        for key in keys:
            yield f"> {key}"
            ann.page.keyboard.press(key)
            yield from until_asked() if key == keys[-1] else lines()
    raise AssertionError("it does not end")


@pytest.mark.parametrize("game", SEATS)
def test_a_game_is_heard_as_it_is_kept(
    game: str, ann: Visitor, golden: bool, tmp_path: Path
) -> None:
    ann.open(game=game, seats=SEATS[game])
    heard = list(blindfold(ann))
    kept = FOLDER / f"{game}.txt"
    if golden:
        kept.write_text("\n".join([*heard, ""]), encoding="utf-8")
        pytest.skip("written anew")
    assert heard == kept.read_text(encoding="utf-8").splitlines()
    told_there = list(_in_a_terminal(ann, tmp_path / "game.shutbox"))
    assert [line for line in heard if line in told_there] == told_there


def _in_a_terminal(ann: Visitor, record: Path) -> Iterator[str]:
    """What a terminal says of the same game to the player of the first seat, event for event."""
    reply = ann.context.request.get(f"{ann.url}/r/{ann.room}/record?game=1")
    record.write_bytes(reply.body())
    _, reading = read_record(str(record))
    play = reading.play
    narrator = Narrator(reading.game, reading.header.names, own={0})
    yield " ".join(narrator.begin(play.start))
    for says in map(narrator.after, replay_log(reading.game, play.log, play.start)):
        if says:
            yield " ".join(says)
