"""The path of a press: the project's files that the server uses for one choice.

One player plays Classic in a room of a server in this process, without listeners. After a first
choice, one is sent to the API, and another by a form without script. What other packages and C do
does not count, nor does what the server does by itself.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

import shutbox
from in_process import client_of
from people import Person
from shutbox.web.server.services import Server

MOST = 43
MOST_OF_THE_SERVER = 23
MOST_CHANGES = 320
"""A choice at random took 258, and others differ: so do their sentences."""
ROOT = f"{Path(shutbox.__file__).parent}/"
OF_SERVER = f"{ROOT}web/server/"
"""The folder of what the server does by itself."""


@contextmanager
def called() -> Iterator[list[str]]:
    """Yield the file of each call of a function of shutbox, in order, in threads that begin now.

    A generator's resumption counts as one.
    """
    calls = list[str]()

    def call(frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(ROOT) and name.endswith(".py"):
            caller: FrameType | None = frame
            while caller is not None and not caller.f_code.co_filename.startswith(OF_SERVER):
                caller = caller.f_back
            if caller is None:
                calls.append(name.removeprefix(ROOT))

    threading.setprofile(call)
    try:
        yield calls
    finally:
        threading.setprofile(None)


def test_a_press_passes_few_files(server: Server) -> None:
    with called() as calls, client_of(server) as client:
        ann = Person(client)
        room = ann.open(game="classic")["view"]["room"]
        for door in ("first", "api", "form"):  # a first choice is slower
            while (table := ann.table(room))["does"] != "choose":
                ann.step(room, table)
            fields = {name: table[name] for name in ("game", "version", "seat")}
            fields |= {"action": f"press-by-{door}", "do": "choose"}
            fields |= {"choice": table["offers"][0]["text"]}
            calls.clear()
            if door == "form":
                answer = client.post(f"/r/{room}/act", data=fields, follow_redirects=False)
            else:
                answer = client.post(f"/api/rooms/{room}/act", json=fields)
            path = [*calls]
            assert answer.status_code < 400, answer.text
            if door != "first":
                assert "web/actions/play.py" in path
                assert len({*path}) <= MOST, sorted({*path})
                assert len({f for f in path if f.startswith("web/")}) <= MOST_OF_THE_SERVER
                changes = Counter(pair for pair in pairwise(path) if pair[0] != pair[1])
                assert changes.total() <= MOST_CHANGES, changes.most_common(30)
