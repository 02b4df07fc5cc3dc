"""The server, killed between any two steps of sealed dice: nothing is lost, and no seed is new."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from kill_server.test_kill_server import dice_checked
from people import Person
from sealed_tables import dice_of, opened, problems, word
from serving import Served


def test_a_kill_between_any_two_steps_changes_nothing(tmp_path: Path) -> None:
    with Served(tmp_path) as served, ExitStack() as all:
        ann, bob = (Person(all.enter_context(served.client())) for _ in range(2))
        killed = list[str]()

        def kill(room: str, step: str) -> dict[str, Any]:
            """Kill the server and start it again. Return the dice, which are as they were."""
            before = dice_of(ann, room)
            served.kill()
            served.start()
            assert dice_of(ann, room) == before
            killed.append(step)
            return before

        start = ann.open(game="six", format="order=seats", seats=[{"who": "me"}, {"who": "link"}])
        room = start["view"]["room"]
        first = kill(room, "opening")
        assert bob.enter(room, start["keys"]["1"], "Bob").status_code == 200
        kill(room, "begin")
        for seat, (person, text) in enumerate(((ann, "pub"), (bob, "quay"))):
            assert word(person, room, seat, text).status_code == 200
            assert kill(room, f"word of seat {seat}")["state"] == "words"
        while (table := ann.table(room))["does"] != "over":
            (ann if table["seat"] == 0 else bob).step(room, table)
            if table["version"] % 5 == 0:
                kill(room, "play")
        served.kill()
        served.start()
        record = opened(ann, room)
        kill(room, "open")
        assert ann.get(f"/api/rooms/{room}/record").text == record
        for word_given in ('0 "pub"', '1 "quay"'):
            assert problems(record, f"{first['envelope']} {word_given}") == []
        assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
        assert bob.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
        assert kill(room, "rematch")["gid"] != first["gid"]
        assert len(killed) > 6
    assert dice_checked(tmp_path / "tables.db") == (1, 0)
