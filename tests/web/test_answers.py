"""The document has a real example of each answer and message: what a server gave, written by
`pytest --golden`. Lists of the catalogue are cut short there.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from people import Person, path_of
from shutbox.table.today import Day
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api import openapi
from shutbox.web.api.schema_types import schema_type
from shutbox.web.live.live_room import MESSAGES, WatchingMessage
from shutbox.web.rooms.shapes import encode
from shutbox.web.server.services import Server

FILE = Path(openapi.__file__).with_name("answers.json")
KINDS = {shape.__name__: shape for shape in (*(a.gives for a in ACTIONS if a.gives), *MESSAGES)}
SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


def given(ann: Person, bob: Person, server: Server, clock: list[float]) -> dict[str, Any]:
    """What a server answers at a table of two, after a game alone, and on two days."""
    opened = ann.open(game="pub", coach=True, seats=SEATS)
    room, keys = opened["view"]["room"], opened["keys"]
    held = server.rooms.loaded_room(room)
    assert held is not None

    def act() -> dict[str, Any]:
        table = ann.table(room)
        about = {"choice": table["offers"][-1]["text"]} if table["does"] == "choose" else {}
        found: dict[str, Any] = ann.act(room, table, table["does"], **about).json()
        return found

    found = {
        "OpenedReply": opened,
        "Invitation": bob.client.post(path_of(room, "invitation"), json={"key": keys["1"]}).json(),
        "Seated": bob.enter(room, keys["1"], "Bob").json(),
    }
    act()
    found["Hint"] = ann.get(path_of(room, "hint")).json()
    found["Acted"] = act()
    found["EventMessage"] = json.loads(held.messages[-1][2])
    found["RoomReply"] = ann.get(path_of(room)).json()
    act()
    found["PictureMessage"] = json.loads(held.picture())
    found["WatchingMessage"] = json.loads(encode(WatchingMessage(watching=1)))
    found["Done"] = ann.post(path_of(room, "say"), seat=0, phrase="bravo").json()
    alone = ann.open(game="six", seats=SEATS[:1])["view"]["room"]
    ann.play_out(alone)
    found["Judged"] = ann.get(path_of(alone, "verdict")).json()
    found["ReviewView"] = ann.get(path_of(alone, "review")).json()
    record = ann.get(path_of(alone, "record")).content
    found["ReplayView"] = ann.client.post("/api/records", content=record).json()
    found["ChallengeReply"] = ann.get(path_of(alone, "challenge")).json()
    ann.play_out(ann.post("/api/today").json()["view"]["room"])
    found["TodayReply"] = ann.get("/api/today").json()
    clock[0] += 86_400
    found["DayReply"] = ann.get("/api/today/2026-11-23").json()
    found["PushReply"] = ann.get("/api/push").json()
    games = ann.get("/api/games").json()
    found["Catalogue"] = {name: rows[:2] for name, rows in games.items()}
    return found


def test_each_answer_has_a_real_example(
    person: Callable[[], Person], server: Server, golden: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if golden:
        secret = sha256(b"an example").hexdigest()
        monkeypatch.setattr(
            "shutbox.web.tries.new_day", lambda day: Day(day, "six", f"{day} six {secret}")
        )
        clock = [1_795_430_000.0]  # the 23rd of November 2026
        server.rooms.now = lambda: clock[0]
        found = given(person(), person(), server, clock)
        FILE.write_text(json.dumps(found, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    answers = json.loads(FILE.read_text("utf-8"))
    assert answers.keys() == KINDS.keys()
    for name, shape in KINDS.items():
        told = msgspec.convert(answers[name], schema_type(shape), strict=True)
        assert json.loads(encode(told)) == answers[name], f"{name}: run this with --golden"
