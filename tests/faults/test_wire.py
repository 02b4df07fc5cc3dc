"""Listeners that never read."""

import base64
import os
import resource
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

from faults.checks import played
from hearing import Stream
from people import Person
from serving import PATIENCE, Served
from shutbox.web import limits

DEAF = 12
ELSEWHERE = "127.0.0.9"
SLOW_HEAD = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
PLANT = """
from shutbox.web import limits
limits.REQUEST_SECONDS = 4.0
limits.SEND_SECONDS = 2.0
"""
MOST_MOVES = 3000
"""After so many each of them has been told more than a connection holds that nobody reads."""
MEMORY = 30 << 20
"""Bytes by which the server may grow for all who do not read."""


def connected(port: int) -> socket.socket:
    """A connection from another address than the players'."""
    wire = socket.socket()
    wire.bind((ELSEWHERE, 0))
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    wire.settimeout(PATIENCE)
    wire.connect(("127.0.0.1", port))
    return wire


def read_to_the_end(wire: socket.socket) -> bytes:
    """What was said on a connection before the server ended it."""
    said = b""
    with suppress(ConnectionResetError):
        while more := wire.recv(4096):
            said += more
    return said


def memory(served: Served) -> int:
    """The bytes that the server has in memory."""
    return int(Path(f"/proc/{served.pid}/statm").read_text().split()[1]) * resource.getpagesize()


def deaf(served: Served, room: str, key: str, *, page: bool) -> socket.socket:
    """Somebody who watches a room, and never reads what comes: by a WebSocket, or as a program."""
    about = ["GET /api/rooms/{room}/events HTTP/1.1"]
    if page:
        about = [
            "GET /api/rooms/{room}/live HTTP/1.1",
            *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        ]
    about += [f"Host: 127.0.0.1:{served.port}", f"Authorization: Bearer {key}", "", ""]
    wire = connected(served.port)
    wire.sendall("\r\n".join(about).format(room=room).encode())
    return wire


def test_listeners_who_never_read_are_cut_off_and_others_hear_on(tmp_path: Path) -> None:
    with played(tmp_path, PLANT) as (served, _), ExitStack() as there:
        ann = Person(there.enter_context(served.client()))
        # Of so many much is told at each move.
        seats = [{"who": "me"}, *[{"who": "here"}] * 11]
        opened = ann.open(game="classic", seats=seats, format="rounds=1000")
        room, table = opened["view"]["room"], opened["view"]["table"]
        # Only these are counted from here on: those of the load come and go.
        stream = Stream(served.url, opened)
        stream.start()
        wires = [
            there.enter_context(deaf(served, room, opened["keys"]["watch"], page=number % 2 == 0))
            for number in range(DEAF)
        ]
        stream.until_watched_by(DEAF)
        before, moves = memory(served), 0
        while stream.watching[-1] > 0:
            table, moves = ann.step(room, table), moves + 1
            assert moves < MOST_MOVES, f"{stream.watching[-1]} are not cut off"
        grown = memory(served) - before
        print(f"cut off after {moves} moves; {grown / 1e6:.1f} MB more")
        assert grown < MEMORY
        # Nor has the system kept more for each than it is told to.
        unread = [len(read_to_the_end(wire)) for wire in wires]
        assert 0 < min(unread) <= max(unread) < 4 * limits.UNREAD_BYTES
        last = ann.get(f"/api/rooms/{room}").json()["view"]["number"]
        heard = stream.until(last)
        assert heard == [*range(heard[0], last + 1)]
